// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-learner.h"

#include "odcn-agent-policy.h"
#include "odcn-archive.h"
#include "odcn-checkpoint.h"
#include "odcn-policy-network.h"
#include "odcn-torch-setup.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-rollout.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <torch/version.h>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("Learner");
NS_OBJECT_ENSURE_REGISTERED(Learner);

namespace
{

/// Streams reserved for a whole training.
constexpr int64_t ALL_STREAMS = 1LL << 41;
/// Name of this training's own state in errors.
const std::string PRESENT = "the state of this training";

/**
 * @param object a learner or problem
 * @return texts of the Attributes on which a training depends; objects within it are left out
 */
std::map<std::string, std::string>
GetSettings(const Object& object)
{
    std::map<std::string, std::string> settings;
    for (TypeId tid = object.GetInstanceTypeId();; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto info = tid.GetAttribute(i);
            const std::string kind = info.checker->GetValueTypeName();
            if ((info.flags & TypeId::ATTR_GET) == 0 || !info.accessor->HasGetter() ||
                kind.find("Pointer") != std::string::npos ||
                kind.find("Callback") != std::string::npos ||
                kind.find("Container") != std::string::npos || info.name == "Threads" ||
                info.name == "ProgressSeconds")
            {
                continue;
            }
            const auto value = info.checker->Create();
            object.GetAttribute(info.name, *value);
            settings[info.name] = value->SerializeToString(info.checker);
        }
        if (!tid.HasParent())
        {
            return settings;
        }
    }
}

} // namespace

TypeId
Learner::GetTypeId()
{
    static TypeId tid = TypeIdOf<Learner, Object>("ns3::odcn::Learner");
    return tid;
}

TypeId
Learner::AddLearnerAttributes(TypeId tid, uint32_t threads)
{
    // Not Attributes of this class's own TypeId, since defaults differ between learners.
    return TypeIdBuilder(tid)
        .Add(Attribute("EvaluationEpochs", &Learner::m_evaluationEpochs, 1, 1),
             "Number of epochs between evaluations.")
        .Add(Attribute("EvaluationWarmUp", &Learner::m_evaluationWarmUp, 10000),
             "Decisions of each evaluation problem before its score counts.")
        .Add(Attribute("EvaluationDecisions", &Learner::m_evaluationDecisions, 50000),
             "Decisions of each evaluation problem that count; 0 for no evaluation.")
        .Add(Attribute("KeepBest", &Learner::m_keepBest, true),
             "Whether the checkpoint is the policy of the best evaluation, if there was one, "
             "instead of that of the last epoch.")
        .Add(Attribute("Threads", &Learner::m_threads, threads, 1, 1024),
             "Number of threads; the result does not depend on it, unless the learner is "
             "asynchronous. With several processes each has one thread.")
        .Add(Attribute("ProgressSeconds", &Learner::m_progressSeconds, 1.0, 0.0),
             "Wall-clock seconds between calls of the progress function.");
}

struct Learner::Kept
{
    Archive boundary; //!< State at the beginning of the present epoch
    Archive best;     //!< Policy of the best evaluation; empty before the first
    Archive last;     //!< Policy at the end of the last epoch
};

Learner::Learner()
    : m_kept(std::make_unique<Kept>()),
      m_ranks(&Ranks::Alone())
{
}

Learner::~Learner() = default;

Ptr<Learner>
Learner::Create(const std::string& words)
{
    return CreateFromText<Learner>("learner", words);
}

void
Learner::DoDispose()
{
    m_problems.clear();
    m_evaluation.clear();
    m_teacher = nullptr;
    m_network.reset();
    m_progress = nullptr;
    Object::DoDispose();
}

void
Learner::SetNetwork(const std::string& words)
{
    m_words = words;
    m_network.reset();
    m_prepared = false;
    // Another network starts another training.
    m_begun = false;
    m_epoch = 0;
    m_decisions = 0;
    m_updates = 0;
    m_bestMerit = std::numeric_limits<double>::infinity();
    m_best = Evaluation();
    m_kept = std::make_unique<Kept>();
    DoRestart();
}

void
Learner::DoRestart()
{
}

void
Learner::SetNetwork(std::shared_ptr<PolicyNetwork> network)
{
    SetNetwork(network ? network->GetName() : "");
    m_network = std::move(network);
}

void
Learner::SetProblems(const std::vector<Ptr<DecisionProblem>>& problems)
{
    m_problems = problems;
    m_prepared = false;
}

void
Learner::SetEvaluation(const std::vector<Ptr<DecisionProblem>>& problems)
{
    m_evaluation = problems;
    m_prepared = false;
}

void
Learner::SetProgress(std::function<void(const TrainingProgress&)> progress)
{
    m_progress = std::move(progress);
}

void
Learner::SetRanks(Ranks& ranks)
{
    if (m_ranks != &ranks)
    {
        m_ranks = &ranks;
        m_prepared = false;
    }
}

uint32_t
Learner::GetThreads() const
{
    return m_ranks->IsAlone() ? m_threads : 1;
}

int64_t
Learner::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return ALL_STREAMS;
}

void
Learner::RequestStop()
{
    m_stop = true;
}

void
Learner::RequireTeacher(const std::string& attribute) const
{
    if (!m_teacher)
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": " + attribute +
                        " needs a teacher: SetTeacher()");
    }
}

double
Learner::Seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

bool
Learner::Begin()
{
    return true;
}

void
Learner::BuildNetwork()
{
    if (m_words.empty())
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": no network was set: SetNetwork()");
    }
    // The last stream of the evaluation's block.
    m_network = PolicyNetwork::Create(m_words,
                                      ProblemShape(*m_problems.front()),
                                      MakeTorchSeed(m_stream + EPOCH_STREAMS - 1));
    if (m_getSums)
    {
        m_network->AdoptSums(m_getSums);
    }
}

void
Learner::Prepare()
{
    if (m_prepared)
    {
        return;
    }
    SetUpTorch();
    if (m_problems.empty())
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": there is no problem to learn from: "
                                                        "SetProblems()");
    }
    for (const auto* problems : {&m_problems, &m_evaluation})
    {
        for (const auto& problem : *problems)
        {
            // The size of a problem is known only after Reset().
            problem->Reset();
        }
    }
    if (!m_network)
    {
        BuildNetwork();
    }
    if (m_network)
    {
        for (const auto* problems : {&m_problems, &m_evaluation})
        {
            for (const auto& problem : *problems)
            {
                m_network->RequireFit(*problem);
            }
        }
    }
    DoPrepare();
    m_prepared = true;
    if (m_kept->boundary.tensors.empty())
    {
        m_kept->last = GetPolicy();
        m_kept->boundary = GetState();
    }
}

std::vector<float>
Learner::GetParameters() const
{
    std::vector<float> all;
    if (m_network)
    {
        for (const auto& parameter : m_network->parameters())
        {
            const auto flat = parameter.detach().contiguous();
            all.insert(all.end(), flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
        }
    }
    return all;
}

bool
Learner::IsReportDue() const
{
    // Called at every step of every learner.
    Interruption::Check();
    return Seconds() - m_reportedAt >= m_progressSeconds;
}

void
Learner::Report(TrainingProgress progress)
{
    const double now = Seconds();
    const double score = TakeScore();
    if (m_progress)
    {
        progress.epoch = m_epoch;
        progress.decisions = m_decisions;
        progress.updates = m_updates;
        progress.rate =
            static_cast<double>(GetDecisions() - std::min(GetDecisions(), m_reportedDecisions)) /
            std::max(now - m_reportedAt, 1e-9);
        progress.score = score;
        progress.bestScore = m_best.score;
        progress.figures = GetFigures();
        m_progress(progress);
    }
    m_reportedAt = Seconds();
    m_reportedDecisions = m_decisions;
}

void
Learner::RequireSameParameters() const
{
    if (m_ranks->IsAlone())
    {
        return;
    }
    const auto parameters = GetParameters();
    const std::size_t own = std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(parameters.data()), parameters.size() * sizeof(float)});
    std::vector<std::size_t> hashes(m_ranks->GetSize(), own);
    m_ranks->Share(
        hashes.size(),
        1,
        [](std::size_t, std::size_t) {},
        [&hashes](Parcel& parcel, std::size_t rank) { parcel.Pass(hashes[rank]); });
    for (std::size_t rank = 1; rank < hashes.size(); ++rank)
    {
        if (hashes[rank] != hashes[0])
        {
            throw OdcnError("ranks: rank " + std::to_string(rank) +
                            " has other parameters than rank 0: all need the same program, options "
                            "and kind of processor, and a network without randomness of its own");
        }
    }
}

bool
Learner::EndPhase(TrainingProgress progress, bool evaluate)
{
    progress.epochEnded = true;
    RequireSameParameters();
    if (m_network)
    {
        m_network->RequireFinite("training diverged");
    }
    if (evaluate && !m_evaluation.empty() && m_evaluationDecisions > 0)
    {
        const Evaluation evaluation = DoEvaluate(m_stream);
        if (!evaluation.isComplete)
        {
            return false;
        }
        if (!std::isfinite(evaluation.score))
        {
            throw OdcnError("the evaluation's " + m_problems.front()->GetScoreName() +
                            " is not a finite number; the last whole epoch is kept");
        }
        progress.evaluated = true;
        progress.evaluation = evaluation.score;
        const double merit = GetMerit(evaluation);
        progress.isBest = merit < m_bestMerit;
        if (progress.isBest)
        {
            m_bestMerit = merit;
            m_best = evaluation;
            m_kept->best = GetPolicy();
        }
    }
    m_kept->last = GetPolicy();
    m_kept->boundary = GetState();
    Report(progress);
    return true;
}

bool
Learner::Train(uint64_t decisions)
{
    NS_LOG_FUNCTION(this << decisions);
    Prepare();
    SetState(m_kept->boundary, PRESENT);
    m_total = decisions;
    m_reportedAt = Seconds();
    m_reportedDecisions = m_decisions;
    try
    {
        const bool whole = RunEpochs();
        m_stop = false;
        return whole;
    }
    catch (...)
    {
        m_stop = false;
        SetState(m_kept->boundary, PRESENT);
        throw;
    }
}

bool
Learner::RunEpochs()
{
    if (!m_begun && HasBeginning())
    {
        if (!Begin())
        {
            return false;
        }
        m_begun = true;
        TrainingProgress progress;
        progress.cloning = true;
        if (!EndPhase(progress, true))
        {
            m_begun = false;
            return false;
        }
    }
    while (!IsOver())
    {
        if (!RunEpoch())
        {
            return false;
        }
        ++m_epoch;
        if (!EndPhase(TrainingProgress(), m_epoch % m_evaluationEpochs == 0 || IsOver()))
        {
            --m_epoch;
            return false;
        }
    }
    return true;
}

Evaluation
Learner::Evaluate()
{
    Prepare();
    return EvaluateAt(m_stream);
}

Evaluation
Learner::EvaluateKept()
{
    Prepare();
    Evaluation evaluation;
    // The last block of AssignStreams().
    WithKeptPolicy([&] { evaluation = EvaluateAt(m_stream + ALL_STREAMS - EPOCH_STREAMS); });
    return evaluation;
}

Evaluation
Learner::EvaluateAt(int64_t stream)
{
    if (m_evaluation.empty() || m_evaluationDecisions == 0)
    {
        throw OdcnError(GetInstanceTypeId().GetName() +
                        ": nothing to be scored on: SetEvaluation() and EvaluationDecisions");
    }
    const Evaluation evaluation = DoEvaluate(stream);
    if (!evaluation.isComplete)
    {
        throw OdcnError(GetInstanceTypeId().GetName() +
                        ": the evaluation was ended by RequestStop(), it has no score");
    }
    return evaluation;
}

void
Learner::WritePolicy(Archive& archive) const
{
    archive.AddModule("", *m_network);
}

void
Learner::ReadPolicy(const Archive& archive, const std::string& path)
{
    archive.CopyTo("", *m_network, path);
}

Archive
Learner::GetPolicy() const
{
    Archive policy;
    WritePolicy(policy);
    return policy;
}

Archive
Learner::GetState() const
{
    nlohmann::json header{{"format", "odcn-training"},
                          {"version", 1},
                          {"learner", GetInstanceTypeId().GetName()},
                          {"network", m_words},
                          {"options", m_network ? m_network->GetOptions() : ""},
                          {"form", ObservationForm::Of(*m_problems.front()).ToJson()},
                          {"problems", m_problems.size()},
                          {"settings", GetSettings(*this)},
                          {"problem", GetSettings(*m_problems.front())},
                          {"seed", RngSeedManager::GetSeed()},
                          {"run", RngSeedManager::GetRun()},
                          {"epoch", m_epoch},
                          {"decisions", GetDecisions()},
                          {"updates", GetUpdates()},
                          {"begun", m_begun}};
    Archive all;
    all.AddAll("policy.", GetPolicy());
    if (!m_kept->best.tensors.empty())
    {
        header["best"] = {m_bestMerit, m_best.score, m_best.reward};
        all.AddAll("best.", m_kept->best);
    }
    Archive state;
    WriteState(state, header["state"]);
    all.AddAll("state.", state);
    all.text = FormatJson(header);
    return all;
}

void
Learner::SetState(const Archive& archive, const std::string& path)
{
    try
    {
        const auto header = ParseJson(archive.text);
        if (header.at("learner") != GetInstanceTypeId().GetName())
        {
            throw OdcnError(path + ": the training of another learner, " +
                            header.at("learner").get<std::string>());
        }
        if (header.at("network") != m_words ||
            header.at("options") != (m_network ? m_network->GetOptions() : "") ||
            header.at("form") != ObservationForm::Of(*m_problems.front()).ToJson())
        {
            throw OdcnError(path + ": the training of another network or problem, " +
                            header.at("network").get<std::string>());
        }
        ReadPolicy(archive.Select("policy."), path);
        ReadState(archive.Select("state."), header.at("state"), path);
        // get<uint64_t>() would convert any number, also 1e300.
        const auto count = [&header](const char* name)
        { return header.at(name).get_ref<const uint64_t&>(); };
        m_epoch = count("epoch");
        m_decisions = count("decisions");
        m_updates = count("updates");
        header.at("begun").get_to(m_begun);
        m_kept->best = archive.Select("best.");
        m_bestMerit = std::numeric_limits<double>::infinity();
        m_best = Evaluation();
        if (header.contains("best"))
        {
            m_bestMerit = header["best"].at(0);
            m_best = {header["best"].at(1), header["best"].at(2)};
        }
    }
    catch (const nlohmann::json::exception&)
    {
        throw OdcnError(path + ": not the state of a training");
    }
    m_kept->last = GetPolicy();
}

void
Learner::SaveState(const std::string& path, const std::string& note) const
{
    if (m_kept->boundary.tensors.empty())
    {
        throw OdcnError(path + ": there is no state to save yet: Prepare()");
    }
    WriteFile(path, GetStateBytes(note));
}

std::string
Learner::GetStateBytes(const std::string& note) const
{
    auto state = m_kept->boundary;
    auto header = ParseJson(state.text);
    header["note"] = note;
    state.text = FormatJson(header);
    return state.Pack();
}

std::string
Learner::LoadState(const std::string& path)
{
    Prepare();
    return SetStateBytes(ReadFile(path), path);
}

std::string
Learner::SetStateBytes(const std::string& bytes, const std::string& path)
{
    Prepare();
    auto state = Archive::Unpack(bytes, path);
    try
    {
        SetState(state, path);
        const auto header = ParseJson(state.text);
        const auto require = [&](const std::string& name, const auto& then, const auto& present)
        {
            if (then != present)
            {
                PlainStream text;
                text << path << ": the training began with " << name << "=" << then << ", found "
                     << name << "=" << present;
                throw OdcnError(text.str());
            }
        };
        require("problems", header.at("problems").get<std::size_t>(), m_problems.size());
        require("RngSeed", header.at("seed").get<uint64_t>(), uint64_t{RngSeedManager::GetSeed()});
        require("RngRun", header.at("run").get<uint64_t>(), RngSeedManager::GetRun());
        const auto compare = [&](const char* part, const Object& object)
        {
            auto then = header.at(part).get<std::map<std::string, std::string>>();
            for (const auto& [name, present] : GetSettings(object))
            {
                require(object.GetInstanceTypeId().GetName() + "::" + name, then[name], present);
            }
        };
        compare("settings", *this);
        compare("problem", *m_problems.front());
        m_kept->boundary = std::move(state);
        const auto note = header.value("note", nlohmann::json());
        return note.is_string() ? note.get<std::string>() : "";
    }
    catch (const nlohmann::json::exception&)
    {
        SetState(m_kept->boundary, PRESENT);
        throw OdcnError(path + ": not the state of a training that this odcn can resume");
    }
    catch (...)
    {
        SetState(m_kept->boundary, PRESENT);
        throw;
    }
}

std::string
Learner::ReadNote(const std::string& path)
{
    const auto header = FindJson(Archive::Unpack(ReadFile(path), path).text);
    if (!header.is_object() || !header.value("note", nlohmann::json()).is_string())
    {
        throw OdcnError(path + ": not the state of a training");
    }
    return header["note"];
}

bool
Learner::IsBestKept() const
{
    return m_keepBest && !m_kept->best.tensors.empty();
}

void
Learner::WithKeptPolicy(const std::function<void()>& body)
{
    const auto present = GetPolicy();
    ReadPolicy(IsBestKept() ? m_kept->best : m_kept->last, PRESENT);
    try
    {
        body();
    }
    catch (...)
    {
        ReadPolicy(present, PRESENT);
        throw;
    }
    ReadPolicy(present, PRESENT);
}

void
Learner::SaveCheckpoint(const std::string& path,
                        const std::map<std::string, std::string>& provenance)
{
    Prepare();
    auto all = provenance;
    all["learner"] = GetInstanceTypeId().GetName();
    all["decisions"] = std::to_string(GetDecisions());
    all["epochs"] = std::to_string(m_epoch);
    all["seed"] = std::to_string(RngSeedManager::GetSeed());
    all["run"] = std::to_string(RngSeedManager::GetRun());
    all["versions"] = "ns-3 " + std::to_string(ODCN_NS3_VERSION / 100) + "." +
                      std::to_string(ODCN_NS3_VERSION % 100) + ", LibTorch " TORCH_VERSION;
    all["score name"] = m_problems.front()->GetScoreName();
    if (IsBestKept())
    {
        all["score"] = FormatJson(m_best.score);
    }
    WithKeptPolicy([&] { WriteCheckpoint(path, all); });
}

void
Learner::WriteCheckpoint(const std::string& path,
                         const std::map<std::string, std::string>& provenance) const
{
    Checkpoint::Save(path, *m_network, ObservationForm::Of(*m_problems.front()), provenance);
}

Ptr<DecisionPolicy>
Learner::MakePolicy() const
{
    auto policy = CreateObject<AgentPolicy>();
    policy->SetNetwork(m_network->Copy());
    return policy;
}

Ptr<DecisionPolicy>
Learner::CreatePolicy()
{
    Prepare();
    Ptr<DecisionPolicy> policy;
    WithKeptPolicy([&] { policy = MakePolicy(); });
    return policy;
}

} // namespace ns3::odcn
