// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-policy.h"

#include "odcn-archive.h"
#include "odcn-checkpoint.h"
#include "odcn-dense-forward.h"
#include "odcn-policy-network.h"
#include "odcn-torch-setup.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-returns.h"
#include "ns3/string.h"

#include <algorithm>
#include <optional>
#include <span>
#include <sstream>
#include <torch/script.h>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(AgentPolicy);

struct AgentPolicy::Model
{
    std::shared_ptr<PolicyNetwork> network;   //!< Of a checkpoint, or SetNetwork()
    bool given{false};                        //!< Whether it is of SetNetwork()
    std::optional<torch::jit::Module> module; //!< Of a TorchScript file
    std::shared_ptr<DenseNetwork> dense;      //!< The network, if it is one of these
    std::optional<DenseForward> fast;         //!< Set at the first use
};

namespace
{

/// @param bytes of a TorchScript file, which is code  @param path for errors  @return the module
torch::jit::Module
LoadTorchScript(const std::string& bytes, const std::string& path)
{
    std::istringstream in(bytes);
    try
    {
        auto module = torch::jit::load(in);
        module.eval();
        return module;
    }
    catch (const std::exception&)
    {
        // LibTorch's own messages have many lines.
        throw OdcnError(path + ": not a TorchScript module that this LibTorch reads");
    }
}

} // namespace

TypeId
AgentPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::AgentPolicy")
            .SetParent<OdcnDecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<AgentPolicy>()
            .AddAttribute(
                "Checkpoint",
                "File of a learner, or TorchScript module; read at the first decision.",
                StringValue(""),
                MakeStringAccessor(&AgentPolicy::SetCheckpoint, &AgentPolicy::GetCheckpoint),
                MakeStringChecker())
            .AddAttribute("UseMask",
                          "Exclude actions that the problem knows to fail.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&AgentPolicy::m_useMask),
                          MakeBooleanChecker())
            .AddAttribute("Greedy",
                          "Take the most probable action; otherwise sample from the network's "
                          "probabilities.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&AgentPolicy::m_greedy),
                          MakeBooleanChecker())
            .AddAttribute("FastPath",
                          "Evaluate dense networks for one state without LibTorch.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&AgentPolicy::m_fastPath),
                          MakeBooleanChecker());
    return tid;
}

AgentPolicy::AgentPolicy()
    : m_model(std::make_unique<Model>())
{
}

AgentPolicy::~AgentPolicy() = default;

void
AgentPolicy::DoDispose()
{
    m_model = std::make_unique<Model>();
    m_random = nullptr;
    OdcnDecisionPolicy::DoDispose();
}

void
AgentPolicy::SetCheckpoint(std::string checkpoint)
{
    m_checkpoint = std::move(checkpoint);
    m_model = std::make_unique<Model>();
    m_nActions = 0;
}

std::string
AgentPolicy::GetCheckpoint() const
{
    return m_checkpoint;
}

std::string
AgentPolicy::GetName() const
{
    return m_model->given ? "AgentPolicy" : m_checkpoint;
}

void
AgentPolicy::SetNetwork(std::shared_ptr<PolicyNetwork> network)
{
    m_model = std::make_unique<Model>();
    m_model->given = network != nullptr;
    m_model->dense = std::dynamic_pointer_cast<DenseNetwork>(network);
    m_model->network = std::move(network);
    m_nActions = 0;
}

std::shared_ptr<PolicyNetwork>
AgentPolicy::GetNetwork() const
{
    return m_model->network;
}

void
AgentPolicy::Configure(OdcnDecisionProblem& problem)
{
    if (m_model->given)
    {
        return;
    }
    if (m_checkpoint.empty())
    {
        throw OdcnError("AgentPolicy: the Attribute Checkpoint names no file");
    }
    OdcnSetUpTorch();
    if (!m_model->module && !Archive::IsForeign(ReadFile(m_checkpoint), m_checkpoint))
    {
        Checkpoint::Read(m_checkpoint).form.Apply(problem, m_checkpoint);
    }
}

void
AgentPolicy::Load(const OdcnDecisionProblem& problem)
{
    if (m_model->given)
    {
        m_model->network->RequireFit(problem);
    }
    else
    {
        if (m_checkpoint.empty())
        {
            throw OdcnError("AgentPolicy: the Attribute Checkpoint names no file");
        }
        OdcnSetUpTorch();
        auto model = std::make_unique<Model>();
        const std::string bytes = ReadFile(m_checkpoint);
        if (!Archive::IsForeign(bytes, m_checkpoint))
        {
            model->network = Checkpoint::Load(m_checkpoint, problem);
            model->network->eval();
            model->dense = std::dynamic_pointer_cast<DenseNetwork>(model->network);
        }
        else
        {
            model->module = LoadTorchScript(bytes, m_checkpoint);
            if (!model->module->find_method("forward"))
            {
                throw OdcnError(m_checkpoint + ": a TorchScript module without a method forward");
            }
        }
        m_model = std::move(model);
    }
    m_shape = problem.GetObservationShape();
    m_size = problem.GetObservationSize();
    m_nActions = problem.GetNActions();
    m_probabilities.resize(m_nActions);
}

bool
AgentPolicy::Fits(const OdcnDecisionProblem& problem) const
{
    return m_nActions == problem.GetNActions() && m_shape == problem.GetObservationShape();
}

uint32_t
AgentPolicy::Decide(const OdcnDecisionProblem& problem)
{
    if (!Fits(problem))
    {
        Load(problem);
    }
    m_observed.resize(m_size);
    problem.Observe(m_observed.data());
    Evaluate(1);
    return Choose(problem, m_logits.data());
}

void
AgentPolicy::DecideBatch(const std::vector<const OdcnDecisionProblem*>& problems,
                         std::vector<uint32_t>& actions)
{
    const std::size_t n = problems.size();
    actions.resize(n);
    if (n == 0)
    {
        return;
    }
    if (!Fits(*problems.front()))
    {
        Load(*problems.front());
    }
    m_observed.resize(n * m_size);
    for (std::size_t i = 0; i < n; ++i)
    {
        if (!Fits(*problems[i]))
        {
            throw OdcnError("AgentPolicy: the problems of a batch differ in size");
        }
        problems[i]->Observe(m_observed.data() + i * m_size);
    }
    Evaluate(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        actions[i] = Choose(*problems[i], m_logits.data() + i * m_nActions);
    }
}

void
AgentPolicy::Evaluate(std::size_t n)
{
    m_logits.resize(n * m_nActions);
    if (n == 1 && m_fastPath && m_model->dense && !m_model->fast)
    {
        try
        {
            m_model->fast.emplace();
            m_model->fast->Load(*m_model->dense);
        }
        catch (const OdcnError&)
        {
            // A user's dense network with other layers.
            m_model->fast.reset();
            m_model->dense = nullptr;
        }
    }
    if (n == 1 && m_fastPath && m_model->fast)
    {
        m_model->fast->Run(m_observed.data(), m_logits.data());
        ++m_passes.fast;
        return;
    }
    m_passes.torch += n;
    if (!m_model->module)
    {
        m_model->network->Infer(m_observed.data(), n, m_logits.data());
        return;
    }
    // A module may have been traced for one observation only.
    const torch::NoGradGuard noGradient;
    std::vector<int64_t> sizes{1};
    sizes.insert(sizes.end(), m_shape.begin(), m_shape.end());
    for (std::size_t i = 0; i < n; ++i)
    {
        torch::Tensor logits;
        try
        {
            const auto observed =
                torch::from_blob(m_observed.data() + i * m_size, sizes, torch::kFloat32);
            const auto out = m_model->module->forward({observed});
            logits = out.isTuple() ? out.toTupleRef().elements().at(0).toTensor() : out.toTensor();
            logits = logits.to(torch::kCPU, torch::kFloat32).contiguous();
        }
        catch (const std::exception&)
        {
            // LibTorch's own messages have many lines.
            throw OdcnError(GetName() + ": the module does not map an observation of " +
                            std::to_string(m_size) + " numbers to logits");
        }
        if (logits.numel() != static_cast<int64_t>(m_nActions))
        {
            throw OdcnError(GetName() + ": the module gives " + std::to_string(logits.numel()) +
                            " logits, the problem has " + std::to_string(m_nActions) + " actions");
        }
        std::copy_n(logits.data_ptr<float>(),
                    m_nActions,
                    m_logits.begin() + static_cast<std::ptrdiff_t>(i * m_nActions));
    }
}

uint32_t
AgentPolicy::Choose(const OdcnDecisionProblem& problem, const float* logits)
{
    m_mask.clear();
    if (m_useMask)
    {
        m_mask.resize(m_nActions);
        problem.Mask(m_mask.data());
    }
    const std::span<const float> all(logits, m_nActions);
    try
    {
        if (m_greedy)
        {
            return ArgMax(all, m_mask);
        }
        Softmax(all, m_mask, m_probabilities);
    }
    catch (const OdcnError& error)
    {
        throw OdcnError(GetName() + ": " + error.what());
    }
    if (!m_random)
    {
        // Made with its stream, since ns-3 would otherwise use up a stream of its own choice.
        m_random =
            CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(m_stream));
    }
    return SampleAction(m_probabilities, m_random->GetValue());
}

int64_t
AgentPolicy::AssignStreams(int64_t stream)
{
    m_stream = stream;
    m_random = nullptr;
    return 1;
}

} // namespace ns3::odcn
