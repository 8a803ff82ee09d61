// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-policy.h"
#include "odcn-gradient-learner.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-returns.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Policy iteration by rollouts (Lagoudakis and Parr, 2003): at some decisions up to Branches
 * actions are tried, each on a copy of the problem that meets the same later jobs
 * (DecisionProblem::Branch()), which a policy continues for Horizon jobs. The network learns to
 * prefer the actions after which fewer jobs were lost, by cross entropy to
 *
 *   softmax(Prior x logit + Sharpness x return),
 *
 * where the return is -1 for a job that is not placed and -ReconfigurationCost for one that
 * changes circuits. Since all actions of a decision meet the same jobs, their difference has little
 * noise; where all returns are equal, nothing is learnt. Decisions at risk are tried with
 * probability RiskShare, others with probability Share.
 *
 * Some of the other decisions (AnchorShare) tie the network to the one that the training began
 * with, by the cross entropy of the two: what is not tried stays as it was.
 *
 * The teacher continues the copies; without one, the network does. The network acts greedily, and
 * the value is not learnt. In one process and one thread.
 */
class BranchLearner : public GradientLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::map<std::string, double> GetFigures() const override;

  private:
    /// Decisions to learn from.
    struct Samples
    {
        std::vector<float> observations; //!< one after the other
        std::vector<uint8_t> masks;      //!< actions that are compared, by row
        std::vector<float> targets;      //!< their probabilities, by row
        std::vector<uint8_t> tried;      //!< 1 if the actions were tried, 0 to stay as it was
        std::size_t nTried{0};           //!< number of ones
        double gain{0};                  //!< sum of best return less that of the likeliest action
    };

    /// A decision that the network is about to take.
    struct Decision
    {
        DecisionProblem& problem;      //!< waits for it
        std::span<const float> row;    //!< observation
        std::span<const float> logits; //!< of the network
        std::span<const uint8_t> mask; //!< of the actions
        uint32_t likeliest;            //!< action
    };

    uint32_t GetSamples() const override;
    void DoPrepare() override;
    void BeginEpoch() override;
    bool Advance() override;

    /// @param evaluation a result
    /// @return cost of a decision in the evaluation
    double GetMerit(const Evaluation& evaluation) const override
    {
        return -evaluation.reward;
    }

    /// Decide once in every problem.
    /// @param infer logits of the network
    /// @param [in,out] samples are appended
    void StepAll(const PolicyNetwork::Inference& infer, Samples& samples);

    /// Try the actions of a decision.
    /// @param decision to be tried
    /// @param [in,out] samples get it
    void Try(const Decision& decision, Samples& samples);

    /// @param decision to be tried
    /// @return at most Branches allowed actions, the likeliest first
    std::vector<uint32_t> Choose(const Decision& decision);

    /// @param problem waits for a decision
    /// @param actions to be tried
    /// @return their returns
    std::vector<float> Follow(DecisionProblem& problem, const std::vector<uint32_t>& actions);

    /// @param outcome of a job
    /// @return what it takes from a return
    float GetCost(const DecisionOutcome& outcome) const;

    /// Tie a decision to the initial network.
    /// @param decision to be tied
    /// @param [in,out] samples get it
    void Tie(const Decision& decision, Samples& samples);

    /// @param decision to be learnt
    /// @param isTried whether it was tried
    /// @param mask actions that are compared
    /// @param scores logits of their target probabilities
    /// @param [in,out] samples get it
    static void Append(const Decision& decision,
                       bool isTried,
                       std::span<const uint8_t> mask,
                       std::span<const float> scores,
                       Samples& samples);

    /// An update.
    /// @param samples decisions
    void LearnFrom(const Samples& samples);

    uint32_t m_updateSamples{0};     //!< tried decisions in an update
    uint32_t m_branches{0};          //!< actions tried at a decision, at most
    uint64_t m_horizon{0};           //!< jobs that a copy is followed for
    double m_reconfigurationCost{0}; //!< in jobs
    double m_sharpness{0};           //!< of the return in the target
    double m_prior{0};               //!< weight of the logits in the target
    uint32_t m_passes{0};            //!< steps of the optimiser in an update
    double m_riskShare{0};           //!< probability of trying a decision at risk
    double m_share{0};               //!< probability of trying a decision without risk
    double m_anchorShare{0};         //!< probability of tying a decision
    double m_anchorWeight{0};        //!< of the tied decisions in the loss

    std::shared_ptr<PolicyNetwork> m_anchor; //!< the network that the training began with
    PolicyNetwork::Inference m_inferAnchor;  //!< of m_anchor
    Ptr<AgentPolicy> m_policy;               //!< the network; null with a teacher
    RngStream m_random{1, 0, 0};             //!< chooses decisions and actions to be tried
};

NS_OBJECT_ENSURE_REGISTERED(BranchLearner);

TypeId
BranchLearner::GetTypeId()
{
    using T = BranchLearner;
    static TypeId tid =
        TypeIdBuilder(
            AddAttributes(
                TypeIdOf<T, GradientLearner>("ns3::odcn::BranchLearner"),
                {.learningRate = 0.0005, .useMask = true, .clipGradient = 0.5, .threads = 1}))
            .Add(Attribute("UpdateSamples", &T::m_updateSamples, 64, 1, 1000000),
                 "Number of decisions tried for an update, of all problems.")
            .Add(Attribute("Branches", &T::m_branches, 4, 2, 1000000),
                 "Largest number of actions tried at a decision: the likeliest, and others drawn.")
            .Add(Attribute("Horizon", &T::m_horizon, 60, 1),
                 "Number of jobs decided on a copy, that of the decision included.")
            .Add(Attribute("ReconfigurationCost", &T::m_reconfigurationCost, 0.1, 0.0),
                 "Cost of a job that changes circuits, in jobs that are not placed.")
            .Add(Attribute("Sharpness", &T::m_sharpness, 3.0, 0.0),
                 "Factor of the return in the target.")
            .Add(Attribute("Prior", &T::m_prior, 0.3, 0.0, 1.0),
                 "Factor of the network's logits in the target: decides between equal returns.")
            .Add(Attribute("Passes", &T::m_passes, 4, 1, 1000),
                 "Number of steps of the optimiser in an update.")
            .Add(Attribute("RiskShare", &T::m_riskShare, 1.0, 0.0, 1.0),
                 "Probability of trying a decision at risk.")
            .Add(Attribute("Share", &T::m_share, 0.0, 0.0, 1.0),
                 "Probability of trying a decision that is not at risk.")
            .Add(Attribute("AnchorShare", &T::m_anchorShare, 0.01, 0.0, 1.0),
                 "Probability that a decision without risk ties the network to the initial one.")
            .Add(Attribute("AnchorWeight", &T::m_anchorWeight, 1.0, 0.0),
                 "Weight of these decisions in the loss, beside 1 for those tried.");
    return tid;
}

uint32_t
BranchLearner::GetSamples() const
{
    return m_updateSamples;
}

std::map<std::string, double>
BranchLearner::GetFigures() const
{
    auto figures = GradientLearner::GetFigures();
    figures.erase("value_loss");
    figures.erase("entropy");
    figures.emplace("anchor_loss", 0.0);
    figures.emplace("gain", 0.0);
    return figures;
}

void
BranchLearner::DoPrepare()
{
    if (!GetRanks().IsAlone())
    {
        throw OdcnError("BranchLearner trains in one process");
    }
    GradientLearner::DoPrepare();
    // A resumed training loads its network later.
    m_anchor = m_network->Copy();
    m_inferAnchor = m_anchor->Freeze();
    for (const auto& problem : m_evaluation)
    {
        problem->SetReward(
            [this](const DecisionOutcome& outcome, std::span<float> rewards)
            {
                std::fill(rewards.begin(), rewards.end(), 0.0F);
                rewards.back() = -GetCost(outcome);
            });
    }
    m_policy = m_teacher ? nullptr : CreateObject<AgentPolicy>();
}

void
BranchLearner::BeginEpoch()
{
    const int64_t stream = GetEpochStream();
    if (m_teacher)
    {
        RestartTeacher("BranchLearner", stream);
    }
    m_random = MakeRngStream(stream + TEACHER_STREAMS - 1);
}

bool
BranchLearner::Advance()
{
    if (m_policy)
    {
        m_policy->SetNetwork(m_network);
    }
    const auto infer = m_network->Freeze();
    Samples samples;
    while (samples.nTried < m_updateSamples && !IsStopping() && !IsEpochOver())
    {
        StepAll(infer, samples);
        Count(m_problems.size());
    }
    if (samples.nTried > 0 && !IsStopping())
    {
        LearnFrom(samples);
    }
    return true;
}

void
BranchLearner::StepAll(const PolicyNetwork::Inference& infer, Samples& samples)
{
    const std::size_t size = m_problems.front()->GetObservationSize();
    const std::size_t actions = m_problems.front()->GetNActions();
    std::vector<float> rows(m_problems.size() * size);
    std::vector<float> logits(m_problems.size() * actions);
    for (std::size_t i = 0; i < m_problems.size(); ++i)
    {
        m_problems[i]->Observe(rows.data() + i * size);
    }
    infer(rows.data(), m_problems.size(), logits.data());
    std::vector<uint8_t> mask(actions);
    std::vector<float> rewards;
    for (std::size_t i = 0; i < m_problems.size(); ++i)
    {
        DecisionProblem& problem = *PeekPointer(m_problems[i]);
        problem.Mask(mask.data());
        const std::span<const float> own{logits.data() + i * actions, actions};
        const Decision decision{problem,
                                {rows.data() + i * size, size},
                                own,
                                mask,
                                ArgMax(own, mask)};
        const double u = m_random.RandU01();
        const bool isAtRisk = problem.IsAtRisk();
        if (u < (isAtRisk ? m_riskShare : m_share))
        {
            Try(decision, samples);
        }
        else if (!isAtRisk && u < m_share + m_anchorShare)
        {
            Tie(decision, samples);
        }
        problem.Act(decision.likeliest);
        rewards.clear();
        problem.TakeRewards(rewards);
        if (problem.IsDone())
        {
            problem.Reset();
        }
    }
}

void
BranchLearner::Append(const Decision& decision,
                      bool isTried,
                      std::span<const uint8_t> mask,
                      std::span<const float> scores,
                      Samples& samples)
{
    samples.observations.insert(samples.observations.end(),
                                decision.row.begin(),
                                decision.row.end());
    samples.masks.insert(samples.masks.end(), mask.begin(), mask.end());
    samples.targets.resize(samples.targets.size() + scores.size());
    Softmax(scores, mask, std::span(samples.targets).last(scores.size()));
    samples.tried.push_back(isTried);
    samples.nTried += isTried;
}

void
BranchLearner::Tie(const Decision& decision, Samples& samples)
{
    std::vector<float> logits(decision.mask.size());
    m_inferAnchor(decision.row.data(), 1, logits.data());
    Append(decision, false, decision.mask, logits, samples);
}

std::vector<uint32_t>
BranchLearner::Choose(const Decision& decision)
{
    std::vector<uint32_t> chosen{decision.likeliest};
    for (uint32_t action = 0; action < decision.mask.size(); ++action)
    {
        if (decision.mask[action] && action != decision.likeliest)
        {
            chosen.push_back(action);
        }
    }
    for (std::size_t i = 1; i < chosen.size() && i < m_branches; ++i)
    {
        const auto left = static_cast<double>(chosen.size() - i);
        std::swap(chosen[i], chosen[i + static_cast<std::size_t>(m_random.RandU01() * left)]);
    }
    chosen.resize(std::min<std::size_t>(chosen.size(), m_branches));
    return chosen;
}

float
BranchLearner::GetCost(const DecisionOutcome& outcome) const
{
    return !outcome.placed                ? 1.0F
           : outcome.reconfigurations > 0 ? static_cast<float>(m_reconfigurationCost)
                                          : 0.0F;
}

std::vector<float>
BranchLearner::Follow(DecisionProblem& problem, const std::vector<uint32_t>& actions)
{
    DecisionPolicy& policy = m_teacher ? m_teacher->GetFor(problem) : *PeekPointer(m_policy);
    std::vector<float> returns(actions.size(), 0.0F);
    std::vector<Episode> copies;
    for (std::size_t i = 0; i < actions.size(); ++i)
    {
        auto copy = problem.Branch();
        const auto before = copy->GetNDecided();
        copy->SetReward([this, &sum = returns[i]](const DecisionOutcome& outcome, std::span<float>)
                        { sum -= GetCost(outcome); });
        policy.Configure(*PeekPointer(copy));
        copy->Act(actions[i]);
        if (!copy->IsDone() && copy->GetNDecided() == before)
        {
            copy->RunEpisode(policy, 1);
        }
        if (m_horizon > 1 && !copy->IsDone())
        {
            copies.push_back({copy, Ptr<DecisionPolicy>(&policy), RngSeedManager::GetRun()});
        }
    }
    // Rules keep what they know of one problem; networks decide all copies at once.
    if (copies.size() > 1 && copies.size() <= policy.GetBatch())
    {
        DecisionProblem::RunEpisodes(copies, m_horizon - 1, nullptr);
        return returns;
    }
    for (const auto& copy : copies)
    {
        copy.problem->RunEpisode(policy, m_horizon - 1);
    }
    return returns;
}

void
BranchLearner::Try(const Decision& decision, Samples& samples)
{
    const auto chosen = Choose(decision);
    if (chosen.size() < 2)
    {
        return;
    }
    const auto returns = Follow(decision.problem, chosen);
    const auto [least, most] = std::minmax_element(returns.begin(), returns.end());
    if (*least == *most)
    {
        return; // nothing can be learnt here
    }
    samples.gain += *most - returns.front();
    const std::size_t n = decision.mask.size();
    std::vector<uint8_t> mask(n, 0);
    std::vector<float> scores(n, 0.0F);
    for (std::size_t i = 0; i < chosen.size(); ++i)
    {
        mask[chosen[i]] = 1;
        scores[chosen[i]] = static_cast<float>(m_prior * decision.logits[chosen[i]] +
                                               m_sharpness * (returns[i] - returns.front()));
    }
    Append(decision, true, mask, scores, samples);
}

void
BranchLearner::LearnFrom(const Samples& samples)
{
    const auto n = static_cast<int64_t>(samples.tried.size());
    const auto& shape = m_network->GetShape();
    std::vector<int64_t> sizes{n};
    sizes.insert(sizes.end(), shape.observation.begin(), shape.observation.end());
    const auto tried = torch::tensor(samples.tried, torch::kFloat32);
    const auto nTried = static_cast<double>(samples.nTried);
    const double nTied = static_cast<double>(n) - nTried;
    TrainingBatch batch;
    batch.observations = torch::tensor(samples.observations).view(sizes);
    batch.masks =
        torch::tensor(samples.masks, torch::kUInt8).view({n, shape.actions}).to(torch::kBool);
    batch.targets = torch::tensor(samples.targets).view({n, shape.actions});
    batch.actions = torch::arange(n);
    // Means over each of the two kinds, whatever their numbers are.
    batch.probabilities = tried * (static_cast<double>(n) / nTried);
    batch.advantages = (1 - tried) * (nTied > 0 ? static_cast<double>(n) / nTied : 0.0);
    const auto loss = [this](const TrainingBatch& part, const PolicyOutput& output)
    {
        const auto logs = MaskedLogSoftmax(output.logits, part.masks);
        const auto entropies = -(part.targets * logs).sum(1);
        const auto policy = (entropies * part.probabilities).mean();
        const auto anchor = (entropies * part.advantages).mean();
        return LossTerms{policy + m_anchorWeight * anchor,
                         {{"policy_loss", policy}, {"anchor_loss", anchor}}};
    };
    for (uint32_t pass = 0; pass < m_passes; ++pass)
    {
        Step(Differentiate(*m_network, batch, loss, {}), GetLearningRate());
    }
    m_figures["gain"] = samples.gain / nTried;
}

} // namespace ns3::odcn
