// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Everything of the networks that knows LibTorch, in one file: its headers cost more compile time
 * than all of odcn.
 */

#include "odcn-cnn-network.h"
#include "odcn-dense-network.h"
#include "odcn-graph-sage-network.h"
#include "odcn-torch-setup.h"

#include "ns3/assert.h"

#include <ATen/Parallel.h>
#include <algorithm>
#include <functional>
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
    std::vector<at::Tensor> logits;  //!< Of the last Forward()'s shards
    std::vector<at::Tensor> values;  //!< Likewise
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

/// LibTorch counts threads by thread: this one is to work alone.
void
WorkAlone()
{
    thread_local bool alone = false;
    if (!alone)
    {
        at::set_num_threads(1);
        alone = true;
    }
}

/// @param activation which  @param x argument  @return result
at::Tensor
Activate(OdcnActivation activation, const at::Tensor& x)
{
    switch (activation)
    {
    case ODCN_ELU:
        return at::elu(x);
    case ODCN_RELU:
        return at::relu(x);
    case ODCN_TANH:
        break;
    }
    return at::tanh(x);
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
            to.push_back(leaf);
        };
        add(m_graph->weights, layer.weight, {layer.in, layer.out});
        add(m_graph->biases, layer.bias, {layer.out});
    }
}

std::size_t
OdcnNetwork::FindLayer(const OdcnDenseStack& stack) const
{
    const auto first = std::find_if(m_layers.begin(),
                                    m_layers.end(),
                                    [&stack](const auto& layer)
                                    { return layer.weight == stack.layers.front().weight; });
    return first - m_layers.begin();
}

at::Tensor
OdcnNetwork::RunFilter(const OdcnDenseLayer& filter, uint32_t kernel, const at::Tensor& x) const
{
    const std::size_t layer = FindLayer({{filter}, ODCN_RELU});
    const int64_t channels = filter.in / (kernel * kernel);
    return at::conv2d(x,
                      m_graph->weights[layer].view({filter.out, channels, kernel, kernel}),
                      m_graph->biases[layer],
                      1,
                      kernel / 2);
}

at::Tensor
OdcnNetwork::RunStack(const OdcnDenseStack& stack, const at::Tensor& x) const
{
    const std::size_t begin = FindLayer(stack);
    at::Tensor y = x;
    for (std::size_t k = 0; k < stack.layers.size(); ++k)
    {
        y = at::addmm(m_graph->biases[begin + k], y, m_graph->weights[begin + k]);
        if (k + 1 < stack.layers.size())
        {
            y = Activate(stack.activation, y);
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
    const uint32_t rows = std::min(n, GetShardRows());
    const std::size_t shards = (n + rows - 1) / rows;
    m_graph->logits.resize(shards);
    m_graph->values.resize(shards);
    const auto forward = [&](std::size_t shard, std::size_t)
    {
        WorkAlone();
        const std::size_t from = shard * rows;
        const std::size_t size = std::min<std::size_t>(rows, n - from);
        at::Tensor& l = m_graph->logits[shard];
        at::Tensor& v = m_graph->values[shard];
        DoForward(View(observations + from * GetObservationSize(),
                       {static_cast<int64_t>(size), GetObservationSize()}),
                  l,
                  v);
        std::copy_n(l.contiguous().data_ptr<float>(),
                    size * m_nActions,
                    logits + from * m_nActions);
        std::copy_n(v.contiguous().data_ptr<float>(), size, values + from);
    };
    ForEach(shards, forward);
}

void
OdcnNetwork::Backward(const float* dLogits, const float* dValues)
{
    NS_ASSERT_MSG(m_graph && !m_graph->logits.empty(), "Backward() follows Forward()");
    const std::size_t shards = m_graph->logits.size();
    std::vector<at::Tensor> leaves = m_graph->weights;
    leaves.insert(leaves.end(), m_graph->biases.begin(), m_graph->biases.end());
    std::vector<std::vector<at::Tensor>> gradients(shards);
    const std::size_t rows = m_graph->logits.front().size(0);
    const auto backward = [&](std::size_t shard, std::size_t)
    {
        WorkAlone();
        at::Tensor& l = m_graph->logits[shard];
        at::Tensor& v = m_graph->values[shard];
        std::vector<at::Tensor> results{l};
        std::vector<at::Tensor> derivatives{View(dLogits + shard * rows * m_nActions, l.sizes())};
        if (v.requires_grad())
        {
            results.push_back(v);
            derivatives.push_back(View(dValues + shard * rows, v.sizes()));
        }
        gradients[shard] =
            torch::autograd::grad(results, leaves, derivatives, c10::nullopt, false, true);
        l.reset();
        v.reset();
    };
    ForEach(shards, backward);
    m_graph->logits.clear();
    m_graph->values.clear();
    // In the order of the shards, whoever made them.
    std::fill(m_gradient.begin(), m_gradient.end(), 0.0F);
    const auto addUp = [&](std::size_t leaf, std::size_t)
    {
        const bool weight = leaf < m_layers.size();
        const auto& layer = m_layers[weight ? leaf : leaf - m_layers.size()];
        float* to = m_gradient.data() + (weight ? layer.weight : layer.bias);
        for (const auto& shard : gradients)
        {
            if (shard[leaf].defined())
            {
                const auto part = shard[leaf].contiguous();
                const float* from = part.data_ptr<float>();
                std::transform(from, from + part.numel(), to, to, std::plus<float>());
            }
        }
    };
    ForEach(leaves.size(), addUp);
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

at::Tensor
OdcnCnnNetwork::RunBody(const Body& body, const at::Tensor& observations) const
{
    const int64_t n = observations.size(0);
    at::Tensor y = observations.view({n, m_channels, m_height, m_width});
    for (const auto& layer : body.layers)
    {
        switch (layer.kind)
        {
        case OdcnImageLayer::CONVOLUTION:
            y = Activate(m_activation, RunFilter(layer.filter, layer.kernel, y));
            break;
        case OdcnImageLayer::AVERAGE:
            y = at::avg_pool2d(y, layer.kernel);
            break;
        case OdcnImageLayer::GREATEST:
            y = at::max_pool2d(y, layer.kernel);
            break;
        }
    }
    y = y.reshape({n, -1});
    return body.hidden.layers.empty() ? y : Activate(m_hiddenActivation, RunStack(body.hidden, y));
}

void
OdcnCnnNetwork::DoForward(const at::Tensor& observations,
                          at::Tensor& logits,
                          at::Tensor& values) const
{
    const auto features = RunBody(m_policy, observations);
    logits = RunStack(m_policy.head, features);
    if (m_valueKind == NONE)
    {
        values = torch::zeros({observations.size(0)}, torch::kFloat32);
        return;
    }
    const auto others = m_valueKind == OWN ? RunBody(m_value, observations) : features;
    values = RunStack(m_value.head, others).squeeze(1);
}

at::Tensor
OdcnGraphSageNetwork::RunBody(const Body& body, const at::Tensor& observations) const
{
    const auto& graph = *GetGraph();
    const int64_t n = observations.size(0);
    const int64_t edges = graph.neighbours.size();
    auto from = torch::empty({edges}, torch::kInt64);
    auto to = torch::empty({edges}, torch::kInt64);
    auto link = torch::empty({edges}, torch::kInt64);
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        for (uint32_t k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k)
        {
            from.data_ptr<int64_t>()[k] = graph.neighbours[k];
            to.data_ptr<int64_t>()[k] = v;
            link.data_ptr<int64_t>()[k] = graph.linkOf[k];
        }
    }
    const int64_t split = int64_t(graph.nodes) * graph.nodeFeatures;
    const int64_t end = split + int64_t(graph.links) * graph.linkFeatures;
    auto h = torch::empty({n, graph.nodes, GetNodeInputs()}, torch::kFloat32);
    for (int64_t i = 0; i < n; ++i)
    {
        DescribeNodes(observations.data_ptr<float>() + i * GetObservationSize(),
                      h.data_ptr<float>() + i * h.size(1) * h.size(2));
    }
    const auto e = observations.slice(1, split, end)
                       .view({n, graph.links, graph.linkFeatures})
                       .index_select(1, link);
    const auto none = torch::zeros({n, graph.nodes, graph.linkFeatures}, torch::kFloat32);
    const auto scale = View(m_scale.data(), {graph.nodes, 1});
    const auto message = [this](const OdcnDenseStack& layer, const at::Tensor& x)
    {
        const auto rows = x.reshape({-1, x.size(2)});
        return at::relu(RunStack(layer, rows)).view({x.size(0), x.size(1), m_units});
    };
    for (const auto& layer : body.layers)
    {
        const auto sent = message(layer, at::cat({h.index_select(1, from), e}, 2));
        h = message(layer, at::cat({h, none}, 2)).index_add(1, to, sent) * scale;
    }
    return h * at::rsqrt((h * h).sum(2, true) + 1e-12);
}

at::Tensor
OdcnGraphSageNetwork::MeanOfChosen(const at::Tensor& observations, const at::Tensor& nodes) const
{
    const auto& graph = *GetGraph();
    const int64_t n = observations.size(0);
    if (graph.chosenFeature == OdcnGraphObservation::NO_FEATURE)
    {
        return torch::zeros({n, m_units}, torch::kFloat32);
    }
    const auto chosen = observations.slice(1, 0, int64_t(graph.nodes) * graph.nodeFeatures)
                            .view({n, graph.nodes, graph.nodeFeatures})
                            .select(2, graph.chosenFeature)
                            .gt(0.5)
                            .to(torch::kFloat32);
    return (nodes * chosen.unsqueeze(2)).sum(1) / chosen.sum(1, true).clamp_min(1.0);
}

void
OdcnGraphSageNetwork::DoForward(const at::Tensor& observations,
                                at::Tensor& logits,
                                at::Tensor& values) const
{
    const auto& graph = *GetGraph();
    const int64_t n = observations.size(0);
    const int64_t actions = GetNActions();
    auto candidates = torch::empty({actions}, torch::kInt64);
    std::copy(graph.candidates.begin(), graph.candidates.end(), candidates.data_ptr<int64_t>());
    const auto globals = observations.slice(1, int64_t(GetObservationSize()) - graph.globals);

    const auto nodes = RunBody(m_policyBody, observations);
    const auto whole =
        at::cat({RunStack(m_global.stack, globals), MeanOfChosen(observations, nodes)}, 1);
    const auto rows = at::cat(
        {whole.unsqueeze(1).expand({n, actions, whole.size(1)}), nodes.index_select(1, candidates)},
        2);
    logits = RunStack(m_policy.stack, rows.reshape({n * actions, rows.size(2)})).view({n, actions});

    const auto others = RunBody(m_valueBody, observations);
    const auto in = at::cat(
        {globals, others.index_select(1, candidates).mean(1), MeanOfChosen(observations, others)},
        1);
    values = RunStack(m_value.stack, in).squeeze(1);
}

} // namespace odcn
} // namespace ns3
