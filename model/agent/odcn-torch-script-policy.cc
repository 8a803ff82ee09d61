// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-torch-script-policy.h"

#include "odcn-returns.h"
#include "odcn-torch-setup.h"

#include "ns3/boolean.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"

#include <fstream>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/types.h>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnTorchScriptPolicy);

struct OdcnTorchScriptPolicy::Module
{
    torch::jit::Module module; //!< As loaded
    at::Tensor observation;    //!< 1 x the observation's shape
};

TypeId
OdcnTorchScriptPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OdcnTorchScriptPolicy")
                            .SetParent<OdcnDecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<OdcnTorchScriptPolicy>()
                            .AddAttribute("File",
                                          "TorchScript file, read at the first decision.",
                                          StringValue(""),
                                          MakeStringAccessor(&OdcnTorchScriptPolicy::m_file),
                                          MakeStringChecker())
                            .AddAttribute("UseMask",
                                          "Exclude actions that the problem knows to fail.",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&OdcnTorchScriptPolicy::m_useMask),
                                          MakeBooleanChecker());
    return tid;
}

OdcnTorchScriptPolicy::OdcnTorchScriptPolicy() = default;
OdcnTorchScriptPolicy::~OdcnTorchScriptPolicy() = default;

uint32_t
OdcnTorchScriptPolicy::Decide(const OdcnDecisionProblem& problem)
{
    torch::NoGradGuard noGraph;
    if (!m_module)
    {
        OdcnSetUpTorch();
        if (!std::ifstream(m_file))
        {
            throw OdcnError(m_file + ": cannot be read");
        }
        auto module = std::make_unique<Module>();
        try
        {
            module->module = torch::jit::load(m_file);
        }
        catch (const c10::Error&)
        {
            throw OdcnError(m_file + ": not a TorchScript module that this LibTorch reads");
        }
        module->module.eval();
        std::vector<int64_t> shape{1};
        for (uint32_t n : problem.GetObservationShape())
        {
            shape.push_back(n);
        }
        module->observation = torch::empty(shape, torch::kFloat32);
        m_module = std::move(module);
    }
    const uint32_t nActions = problem.GetNActions();
    if (m_module->observation.numel() != problem.GetObservationSize())
    {
        throw OdcnError(m_file + ": the problem changed its size");
    }
    problem.Observe(m_module->observation.data_ptr<float>());
    at::Tensor logits;
    try
    {
        const auto out = m_module->module.forward({m_module->observation});
        logits = out.isTuple() ? out.toTupleRef().elements()[0].toTensor() : out.toTensor();
        logits = logits.to(torch::kFloat32).contiguous();
    }
    catch (const std::exception&)
    {
        throw OdcnError(m_file + ": the module does not map an observation of 1 x " +
                        std::to_string(problem.GetObservationSize()) + " to logits");
    }
    if (logits.numel() != nActions)
    {
        throw OdcnError(m_file + ": the module gives " + std::to_string(logits.numel()) +
                        " logits, the problem has " + std::to_string(nActions) + " actions");
    }
    m_mask.clear();
    if (m_useMask)
    {
        m_mask.resize(nActions);
        problem.Mask(m_mask.data());
    }
    return OdcnArgMax({logits.data_ptr<float>(), nActions}, m_mask);
}

} // namespace odcn
} // namespace ns3
