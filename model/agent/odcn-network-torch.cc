// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Everything of the networks that knows LibTorch, in one file: its headers cost more compile time
 * than all of odcn.
 */

#include "odcn-dense-network.h"
#include "odcn-torch-setup.h"

#include "ns3/assert.h"

#include <algorithm>
#include <torch/autograd.h>
#include <torch/types.h>

namespace ns3
{
namespace odcn
{

struct OdcnNetwork::Graph
{
    std::vector<at::Tensor> weights; //!< In the order of m_layers, views of the flat buffer
    std::vector<at::Tensor> biases;  //!< Likewise
    at::Tensor logits;               //!< Of the last Forward()
    at::Tensor values;               //!< Of the last Forward()
};

namespace
{

/**
 * @param data floats that outlive the tensor
 * @param shape dimensions
 * @return a view, no copy
 */
at::Tensor
View(const float* data, at::IntArrayRef shape)
{
    return torch::from_blob(const_cast<float*>(data), shape, torch::kFloat32);
}

} // namespace

void
OdcnNetwork::EnsureGraph()
{
    if (m_graph)
    {
        return;
    }
    OdcnSetUpTorch();
    m_graph = std::make_shared<Graph>();
    for (const auto& layer : m_layers)
    {
        auto add = [this](std::vector<at::Tensor>& to, std::size_t at, at::IntArrayRef shape)
        {
            auto leaf = View(m_parameters.data() + at, shape);
            leaf.set_requires_grad(true);
            // Gradients are then added in place, to one flat buffer.
            leaf.mutable_grad() = View(m_gradient.data() + at, shape);
            to.push_back(leaf);
        };
        add(m_graph->weights, layer.weight, {layer.in, layer.out});
        add(m_graph->biases, layer.bias, {layer.out});
    }
}

at::Tensor
OdcnNetwork::RunStack(const OdcnDenseStack& stack, const at::Tensor& x) const
{
    const auto first = std::find_if(m_layers.begin(),
                                    m_layers.end(),
                                    [&stack](const auto& layer)
                                    { return layer.weight == stack.layers.front().weight; });
    const std::size_t begin = first - m_layers.begin();
    at::Tensor y = x;
    for (std::size_t k = 0; k < stack.layers.size(); ++k)
    {
        y = at::addmm(m_graph->biases[begin + k], y, m_graph->weights[begin + k]);
        if (k + 1 < stack.layers.size())
        {
            switch (stack.activation)
            {
            case ODCN_ELU:
                y = at::elu(y);
                break;
            case ODCN_RELU:
                y = at::relu(y);
                break;
            case ODCN_TANH:
                y = at::tanh(y);
                break;
            }
        }
    }
    return y;
}

void
OdcnNetwork::Evaluate(const float* observations, uint32_t n, float* logits, float* values)
{
    EnsureGraph();
    torch::NoGradGuard noGraph;
    at::Tensor l;
    at::Tensor v;
    DoForward(View(observations, {n, GetObservationSize()}), l, v);
    std::copy_n(l.contiguous().data_ptr<float>(), std::size_t(n) * m_nActions, logits);
    std::copy_n(v.contiguous().data_ptr<float>(), n, values);
}

void
OdcnNetwork::Forward(const float* observations, uint32_t n, float* logits, float* values)
{
    EnsureGraph();
    DoForward(View(observations, {n, GetObservationSize()}), m_graph->logits, m_graph->values);
    std::copy_n(m_graph->logits.contiguous().data_ptr<float>(),
                std::size_t(n) * m_nActions,
                logits);
    std::copy_n(m_graph->values.contiguous().data_ptr<float>(), n, values);
}

void
OdcnNetwork::Backward(const float* dLogits, const float* dValues)
{
    NS_ASSERT_MSG(m_graph && m_graph->logits.defined(), "Backward() follows Forward()");
    std::fill(m_gradient.begin(), m_gradient.end(), 0.0F);
    torch::autograd::backward(
        {m_graph->logits, m_graph->values},
        {View(dLogits, m_graph->logits.sizes()), View(dValues, m_graph->values.sizes())});
    m_graph->logits.reset();
    m_graph->values.reset();
}

void
OdcnDenseNetwork::DoForward(const at::Tensor& observations,
                            at::Tensor& logits,
                            at::Tensor& values) const
{
    const auto n = observations.size(0);
    const int64_t rows = GetPolicyRows();
    const int64_t inputs = m_policy.GetInputs();
    auto policy = torch::empty({n * rows, inputs}, torch::kFloat32);
    auto value = torch::empty({n, m_value.GetInputs()}, torch::kFloat32);
    const float* in = observations.data_ptr<float>();
    for (int64_t i = 0; i < n; ++i)
    {
        Describe(in + i * GetObservationSize(),
                 policy.data_ptr<float>() + i * rows * inputs,
                 value.data_ptr<float>() + i * m_value.GetInputs());
    }
    logits = RunStack(m_policy, policy).view({n, GetNActions()});
    values = RunStack(m_value, value).squeeze(1);
}

} // namespace odcn
} // namespace ns3
