// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-policy.h"

#include "odcn-archive.h"
#include "odcn-checkpoint.h"
#include "odcn-policy-network.h"
#include "odcn-torch-setup.h"

#include "ns3/integer.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-returns.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <torch/script.h>
#include <torch/version.h>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(AgentPolicy);

struct AgentPolicy::Model
{
    std::shared_ptr<PolicyNetwork> network;   //!< Null until loaded, and for TorchScript
    bool given{false};                        //!< Whether it was set by SetNetwork()
    std::optional<Checkpoint> checkpoint;     //!< From a file
    std::optional<torch::jit::Module> module; //!< From a TorchScript file
    PolicyNetwork::Inference infer;           //!< Of the network
    std::size_t rows{1};                      //!< Observations in each evaluation
};

namespace
{

/// Number of problems that are decided together. More would be little faster, and leave processors
/// without work in an experiment of few replications.
constexpr uint32_t BATCH = 4;

/// @param bytes of a TorchScript file (code)  @param path for errors  @return the module
torch::jit::Module
LoadTorchScript(const std::string& bytes, const std::string& path)
{
    std::istringstream in(bytes);
    std::optional<torch::jit::Module> module;
    try
    {
        module = torch::jit::load(in);
    }
    catch (const std::exception& error)
    {
        // LibTorch's own messages span many lines; the first one names an operator that it lacks.
        std::istringstream lines(error.what());
        std::string reason;
        std::getline(lines >> std::ws, reason);
        throw OdcnError(
            path + ": not a TorchScript module that LibTorch " TORCH_VERSION " reads: " + reason);
    }
    if (!module->find_method("forward"))
    {
        throw OdcnError(path + ": a TorchScript module without a method forward");
    }
    module->eval();
    return *module;
}

} // namespace

TypeId
AgentPolicy::GetTypeId()
{
    using T = AgentPolicy;
    static TypeId tid =
        TypeIdOf<AgentPolicy, DecisionPolicy>("ns3::odcn::AgentPolicy")
            .Add(Attribute("Checkpoint", &T::SetCheckpoint, &T::GetCheckpoint, ""),
                 "File of a learner, or TorchScript module; read at the first decision.")
            .Add(Attribute("Untrained", &T::m_untrained, ""),
                 "In place of a Checkpoint, a network in words (\"Mlp[units=64]\") with "
                 "random parameters, which depend on the stream of AssignStreams(): a "
                 "baseline.")
            .Add(Attribute("UseMask", &T::m_useMask, true),
                 "Whether to exclude actions that are certain to fail.")
            .Add(Attribute("Greedy", &T::m_greedy, true),
                 "Whether to take the most probable action; otherwise it is sampled from "
                 "the network's probabilities.")
            .AddAttribute("Decisions",
                          "Number of decisions so far, all evaluated by LibTorch.",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&T::GetNDecisions),
                          MakeUintegerChecker<uint64_t>());
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
    DecisionPolicy::DoDispose();
}

void
AgentPolicy::SetCheckpoint(std::string checkpoint)
{
    m_checkpoint = std::move(checkpoint);
    m_model = std::make_unique<Model>();
    m_nActions = 0;
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
    m_model->network = std::move(network);
    m_nActions = 0;
}

std::shared_ptr<PolicyNetwork>
AgentPolicy::GetNetwork() const
{
    return m_model->network;
}

std::map<std::string, std::string>
AgentPolicy::GetProvenance() const
{
    if (m_checkpoint.empty())
    {
        return {};
    }
    ReadModel();
    return m_model->checkpoint ? m_model->checkpoint->provenance
                               : std::map<std::string, std::string>();
}

void
AgentPolicy::ReadModel() const
{
    if (m_model->given || m_model->checkpoint || m_model->module)
    {
        return;
    }
    if (!m_untrained.empty())
    {
        if (!m_checkpoint.empty())
        {
            throw OdcnError("AgentPolicy: set Checkpoint or Untrained, not both");
        }
        return;
    }
    if (m_checkpoint.empty())
    {
        throw OdcnError("AgentPolicy: the Attribute Checkpoint names no file");
    }
    SetUpTorch();
    const std::string bytes = ReadFile(m_checkpoint);
    auto archive = Archive::Unpack(bytes, m_checkpoint);
    if (archive.isForeign)
    {
        m_model->module = LoadTorchScript(bytes, m_checkpoint);
    }
    else
    {
        m_model->checkpoint = Checkpoint::Parse(std::move(archive), m_checkpoint);
    }
}

void
AgentPolicy::Configure(DecisionProblem& problem)
{
    ReadModel();
    if (m_model->checkpoint)
    {
        m_model->checkpoint->form.Apply(problem, m_checkpoint);
    }
}

void
AgentPolicy::Load(const DecisionProblem& problem)
{
    ReadModel();
    if (m_model->given)
    {
        m_model->network->RequireFit(problem);
    }
    else if (!m_untrained.empty())
    {
        SetUpTorch();
        m_model->network =
            PolicyNetwork::Create(m_untrained, ProblemShape(problem), MakeTorchSeed(m_stream));
        m_model->network->eval();
    }
    else if (m_model->checkpoint)
    {
        m_model->network = m_model->checkpoint->Build(problem, m_checkpoint);
        m_model->network->eval();
    }
    if (m_model->network)
    {
        m_model->infer = m_model->network->Freeze();
        m_model->rows = m_model->network->IsRowIndependent() ? GetBatch() : 1;
    }
    m_shape = problem.GetObservationShape();
    m_nActions = problem.GetNActions();
    m_observed.assign(GetBatch() * problem.GetObservationSize(), 0.0F);
    m_logits.resize(GetBatch() * m_nActions);
}

bool
AgentPolicy::Fits(const DecisionProblem& problem) const
{
    return m_nActions == problem.GetNActions() && m_shape == problem.GetObservationShape();
}

uint32_t
AgentPolicy::Decide(const DecisionProblem& problem)
{
    if (!Fits(problem))
    {
        Load(problem);
    }
    problem.Observe(m_observed.data());
    Infer();
    return Choose(problem, {m_logits.data(), m_nActions});
}

std::vector<float>
AgentPolicy::GetScores(const DecisionProblem& problem, std::span<const float> observation)
{
    if (!Fits(problem))
    {
        Load(problem);
    }
    std::copy(observation.begin(), observation.end(), m_observed.begin());
    Infer();
    return {m_logits.begin(), m_logits.begin() + m_nActions};
}

void
AgentPolicy::Infer()
{
    if (m_model->network)
    {
        m_model->infer(m_observed.data(), m_model->rows, m_logits.data());
    }
    else
    {
        RunModule();
    }
}

uint32_t
AgentPolicy::GetBatch() const
{
    // Untrained networks differ between replications.
    return m_model->checkpoint ? BATCH : 1;
}

void
AgentPolicy::DecideAll(std::span<Episode> episodes)
{
    if (!Fits(*episodes.front().problem))
    {
        Load(*episodes.front().problem);
    }
    if (episodes.size() == 1 || episodes.size() > m_model->rows ||
        !std::all_of(episodes.begin(),
                     episodes.end(),
                     [this](const Episode& episode) { return Fits(*episode.problem); }))
    {
        DecisionPolicy::DecideAll(episodes);
        return;
    }
    const std::size_t size = m_observed.size() / GetBatch();
    for (std::size_t i = 0; i < episodes.size(); ++i)
    {
        if (episodes[i].waits)
        {
            episodes[i].problem->Observe(m_observed.data() + i * size);
        }
    }
    m_model->infer(m_observed.data(), GetBatch(), m_logits.data());
    for (std::size_t i = 0; i < episodes.size(); ++i)
    {
        if (episodes[i].waits)
        {
            auto& policy = dynamic_cast<AgentPolicy&>(*episodes[i].policy);
            episodes[i].action =
                policy.Choose(*episodes[i].problem, {m_logits.data() + i * m_nActions, m_nActions});
        }
    }
}

void
AgentPolicy::RunModule()
{
    const torch::NoGradGuard noGradient;
    std::vector<int64_t> sizes{1};
    sizes.insert(sizes.end(), m_shape.begin(), m_shape.end());
    int64_t count = 0;
    try
    {
        auto out = m_model->module->forward({torch::from_blob(m_observed.data(), sizes)});
        if (out.isTuple())
        {
            // LibTorch does not check indices of tuples.
            const auto tuple = out.toTuple();
            out = tuple->elements().empty() ? torch::IValue() : tuple->elements()[0];
        }
        const auto logits = out.toTensor().to(torch::kCPU, torch::kFloat32).contiguous();
        count = logits.numel();
        if (count == static_cast<int64_t>(m_nActions))
        {
            std::copy_n(logits.data_ptr<float>(), m_nActions, m_logits.begin());
        }
    }
    catch (const std::exception&)
    {
        // LibTorch's own messages span many lines.
        throw OdcnError(GetName() + ": the module does not map an observation of " +
                        std::to_string(m_observed.size()) + " numbers to logits");
    }
    if (count != static_cast<int64_t>(m_nActions))
    {
        throw OdcnError(GetName() + ": the module gives " + std::to_string(count) +
                        " logits, the problem has " + std::to_string(m_nActions) + " actions");
    }
}

uint32_t
AgentPolicy::Choose(const DecisionProblem& problem, std::span<const float> logits)
{
    ++m_nDecisions;
    m_mask.resize(m_useMask ? logits.size() : 0);
    if (m_useMask)
    {
        problem.Mask(m_mask.data());
    }
    try
    {
        if (m_greedy)
        {
            return ArgMax(logits, m_mask);
        }
        m_probabilities.resize(logits.size());
        Softmax(logits, m_mask, m_probabilities);
    }
    catch (const OdcnError& error)
    {
        throw OdcnError(GetName() + ": " + error.what());
    }
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
    }
    return SampleAction(m_probabilities, m_random->GetValue());
}

int64_t
AgentPolicy::AssignStreams(int64_t stream)
{
    if (stream != m_stream && !m_model->given && !m_untrained.empty())
    {
        // Its parameters depend on the stream.
        m_model = std::make_unique<Model>();
        m_nActions = 0;
    }
    m_stream = stream;
    // Created with its stream, since ns-3 would otherwise use up a stream of its own choice, and
    // now, in the run of this policy.
    m_random = CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(stream));
    return 1;
}

} // namespace ns3::odcn
