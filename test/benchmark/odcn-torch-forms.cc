// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-torch-forms.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <map>
#include <string>
#include <torch/optim/adam.h>
#include <torch/script.h>

namespace ns3
{
namespace odcn
{

namespace
{

/// @param data floats that outlive the tensor  @param shape dimensions  @return a view
at::Tensor
View(const float* data, at::IntArrayRef shape)
{
    return torch::from_blob(const_cast<float*>(data), shape, torch::kFloat32);
}

} // namespace

struct TorchStack::State
{
    std::vector<at::Tensor> weights;
    std::vector<at::Tensor> biases;
    std::map<int64_t, std::vector<at::Tensor>> kept; //!< results, by number of rows
    torch::jit::Module script{"stack"};
};

TorchStack::TorchStack(const float* parameters, const std::vector<int64_t>& sizes)
    : m_state(std::make_unique<State>())
{
    std::string source = "def forward(self, x):\n";
    for (std::size_t k = 0; k + 1 < sizes.size(); ++k)
    {
        const auto& w = m_state->weights.emplace_back(View(parameters, {sizes[k], sizes[k + 1]}));
        parameters += w.numel();
        const auto& b = m_state->biases.emplace_back(View(parameters, {sizes[k + 1]}));
        parameters += b.numel();
        const std::string n = std::to_string(k);
        m_state->script.register_parameter("w" + n, w, false);
        m_state->script.register_parameter("b" + n, b, false);
        source += "    x = torch.addmm(self.b" + n + ", x, self.w" + n + ")\n";
        source += k + 2 < sizes.size() ? "    x = torch.elu(x)\n" : "";
    }
    m_state->script.define(source + "    return x\n");
    m_state->script.eval();
    m_state->script = torch::jit::optimize_for_inference(m_state->script);
}

TorchStack::~TorchStack() = default;

float
TorchStack::Run(TorchForm form, const float* x, int64_t n)
{
    c10::InferenceMode guard;
    auto& s = *m_state;
    at::Tensor y = View(x, {n, s.weights.front().size(0)});
    if (form == TorchForm::SCRIPT)
    {
        y = s.script.forward({y}).toTensor();
    }
    else if (form == TorchForm::EAGER)
    {
        for (std::size_t k = 0; k < s.weights.size(); ++k)
        {
            y = at::addmm(s.biases[k], y, s.weights[k]);
            y = k + 1 < s.weights.size() ? at::elu(y) : y;
        }
    }
    else
    {
        auto& kept = s.kept[n];
        for (std::size_t k = kept.size(); k < s.weights.size(); ++k)
        {
            kept.push_back(torch::empty({n, s.weights[k].size(1)}));
        }
        for (std::size_t k = 0; k < s.weights.size(); ++k)
        {
            at::addmm_out(kept[k], s.biases[k], k ? kept[k - 1] : y, s.weights[k]);
            if (k + 1 < s.weights.size())
            {
                at::elu_(kept[k]);
            }
        }
        y = kept.back();
    }
    return *y.data_ptr<float>();
}

struct TorchAdam::State
{
    std::vector<at::Tensor> leaves;
    std::unique_ptr<torch::optim::Adam> adam;
};

TorchAdam::TorchAdam(float* parameters,
                     const float* gradient,
                     const std::vector<std::vector<int64_t>>& stacks)
    : m_state(std::make_unique<State>())
{
    std::size_t at = 0;
    const auto add = [&](at::IntArrayRef shape)
    {
        auto& leaf = m_state->leaves.emplace_back(View(parameters + at, shape));
        leaf.set_requires_grad(true);
        leaf.mutable_grad() = View(gradient + at, shape);
        at += leaf.numel();
    };
    for (const auto& sizes : stacks)
    {
        for (std::size_t k = 0; k + 1 < sizes.size(); ++k)
        {
            add({sizes[k], sizes[k + 1]});
            add({sizes[k + 1]});
        }
    }
    m_state->adam =
        std::make_unique<torch::optim::Adam>(m_state->leaves, torch::optim::AdamOptions(1e-4));
}

TorchAdam::~TorchAdam() = default;

void
TorchAdam::Step()
{
    m_state->adam->step();
}

void
SetTorchThreads(int n)
{
    at::set_num_threads(n);
    if (auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
    {
        set(n);
    }
}

} // namespace odcn
} // namespace ns3
