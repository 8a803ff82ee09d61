// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-archive.h"
#include "odcn-gradient-learner.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-returns.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Reinforcement by branches: the vine of Schulman et al. (Trust Region Policy Optimization, 2015,
 * section 5.2). The network decides each job on a copy of the problem first
 * (DecisionProblem::Branch()). Of a job that it loses, and of a share (Share) of the others, the
 * first decision and some others (Tries in all) are decided in other ways: up to Branches actions
 * are tried, each on a copy that meets the same later jobs; of a job that is not lost only those
 * that the network takes with LeastProbability or more. There the network decides the rest of the
 * job. The return Q of an action is 0 if the job is placed, -1 if it is not, and
 * -ReconfigurationCost if it changes circuits: later jobs are left out, since a return that
 * includes the only future that is known would teach the network that future. The network with the
 * logits z learns, by the cross entropy of softmax(z / Temperature) to
 *
 *   softmax(z / Temperature + Sharpness x Q),
 *
 * a step of mirror descent on the expected return of the actions that were tried. Decisions that
 * are tried less often weigh more, by the inverse of their probability. Since all actions of a
 * decision meet the same jobs, their difference has little noise; where all returns are equal,
 * nothing is learnt.
 *
 * Some of the other decisions (AnchorShare) tie the network to the one that the training began
 * with, after cloning (CloneDecisions), by the cross entropy of the two.
 *
 * The network acts greedily, and neither the value nor rewards are learnt, so that a reward of
 * one's own is refused. In one process and one thread.
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
        std::vector<float> weights;      //!< of those tried; 0 for those that are tied
        std::size_t nTried{0};           //!< number of those tried
        double gain{0};                  //!< sum of best return less that of the likeliest action
    };

    /// A decision of the network.
    struct Decision
    {
        std::vector<float> row;    //!< observation
        std::vector<float> logits; //!< of the network
        std::vector<uint8_t> mask; //!< of the actions
        uint32_t likeliest{0};     //!< action
    };

    /// A copy of a problem, and what becomes of it.
    struct Copy
    {
        Ptr<DecisionProblem> problem;    //!< the copy
        uint64_t begin{0};               //!< jobs decided when it was made
        std::shared_ptr<double> cost;    //!< of the jobs decided since
        std::vector<Decision> decisions; //!< those of the network, if they are kept
    };

    uint32_t GetSamples() const override;
    void DoPrepare() override;
    bool Begin() override;
    void BeginEpoch() override;
    bool Advance() override;
    void WriteState(Archive& archive, nlohmann::json& header) const override;
    void ReadState(const Archive& archive,
                   const nlohmann::json& header,
                   const std::string& path) override;

    /// Tie the network to what it is now.
    void DropAnchor();

    /// @param evaluation a result
    /// @return cost of a decision in the evaluation
    double GetMerit(const Evaluation& evaluation) const override
    {
        return -evaluation.reward;
    }

    /// Decide the next job of every problem.
    /// @param [in,out] samples are appended
    void DecideJobs(Samples& samples);

    /// @param problem waits for a decision
    /// @return a copy of it
    Copy MakeCopy(DecisionProblem& problem) const;

    /// Let the network decide the present job of copies in lockstep.
    /// @param copies the copies
    /// @param isKept whether its decisions are kept
    void Continue(std::vector<Copy>& copies, bool isKept);

    /// Try the actions of a decision.
    /// @param problem waits for it
    /// @param decision of the network
    /// @param least probability of an action
    /// @param weight of the decision
    /// @param [in,out] samples get it
    void Try(DecisionProblem& problem,
             const Decision& decision,
             double least,
             double weight,
             Samples& samples);

    /// @param decision to be tried
    /// @param least probability of an action
    /// @return at most Branches allowed actions, the likeliest first
    std::vector<uint32_t> Choose(const Decision& decision, double least) const;

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
    /// @param weight of the decision; 0 if it is tied
    /// @param mask actions that are compared
    /// @param scores logits of their target probabilities
    /// @param [in,out] samples get it
    static void Append(const Decision& decision,
                       double weight,
                       std::span<const uint8_t> mask,
                       std::span<const float> scores,
                       Samples& samples);

    /// An update.
    /// @param samples decisions
    void LearnFrom(const Samples& samples);

    uint32_t m_updateSamples{0};     //!< tried decisions in an update
    uint32_t m_branches{0};          //!< actions tried at a decision, at most
    double m_reconfigurationCost{0}; //!< in jobs
    double m_temperature{0};         //!< of the policy whose return counts
    double m_least{0};               //!< probability of actions that are tried
    double m_sharpness{0};           //!< of the return in the target
    uint32_t m_passes{0};            //!< steps of the optimiser in an update
    uint32_t m_tries{0};             //!< decisions of a job that are tried
    double m_share{0};               //!< probability of trying a job that the network places
    double m_anchorShare{0};         //!< probability of tying a decision
    double m_anchorWeight{0};        //!< of the tied decisions in the loss

    std::shared_ptr<PolicyNetwork> m_anchor; //!< the network that the training began with
    PolicyNetwork::Inference m_inferAnchor;  //!< of m_anchor
    PolicyNetwork::Inference m_infer;        //!< of the network between two updates
    std::set<Ptr<DecisionProblem>> m_scored; //!< whose reward is the cost of a job
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
                {.learningRate = 0.001, .useMask = true, .clipGradient = 0.5, .threads = 1}))
            .Add(Attribute("UpdateSamples", &T::m_updateSamples, 64, 1, 1000000),
                 "Number of decisions tried for an update, of all problems.")
            .Add(Attribute("Branches", &T::m_branches, 16, 2, 1000000),
                 "Largest number of actions tried at a decision: the likeliest ones.")
            .Add(Attribute("ReconfigurationCost", &T::m_reconfigurationCost, 1.0, 0.0),
                 "Cost of a job that changes circuits, in jobs that are not placed.")
            .Add(Attribute("LeastProbability", &T::m_least, 0.01, 0.0, 1.0),
                 "Actions that are less probable are not tried at a job that the network places.")
            .Add(Attribute("Sharpness", &T::m_sharpness, 2.0, 0.0),
                 "Factor of the return in the target.")
            .Add(Attribute("Temperature", &T::m_temperature, 3.0, 0.01),
                 "Divides the logits of the policy whose expected return counts.")
            .Add(Attribute("Passes", &T::m_passes, 1, 1, 1000),
                 "Number of steps of the optimiser in an update.")
            .Add(Attribute("Tries", &T::m_tries, 4, 1, 1000000),
                 "Number of decisions that are tried of a job: the first, and others drawn.")
            .Add(Attribute("Share", &T::m_share, 0.1, 0.0, 1.0),
                 "Probability of trying a job that the network places without a change of "
                 "circuits; others are always tried.")
            .Add(Attribute("AnchorShare", &T::m_anchorShare, 0.01, 0.0, 1.0),
                 "Probability that a decision that is not tried ties the network to the initial "
                 "one.")
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
    DropAnchor();
    for (const auto* problems : {&m_problems, &m_evaluation})
    {
        for (const auto& problem : *problems)
        {
            if (problem->GetRewardFunction() && !m_scored.contains(problem))
            {
                throw OdcnError("BranchLearner: found a reward of one's own, expected none: it "
                                "learns from the jobs that are not placed or change circuits");
            }
        }
    }
    for (const auto& problem : m_evaluation)
    {
        m_scored.insert(problem);
        problem->SetReward(
            [this](const DecisionOutcome& outcome, std::span<float> rewards)
            {
                std::fill(rewards.begin(), rewards.end(), 0.0F);
                rewards.back() = -GetCost(outcome);
            });
    }
}

void
BranchLearner::DropAnchor()
{
    m_anchor = m_network->Copy();
    m_inferAnchor = m_anchor->Freeze();
}

bool
BranchLearner::Begin()
{
    if (!GradientLearner::Begin())
    {
        return false;
    }
    DropAnchor();
    return true;
}

void
BranchLearner::WriteState(Archive& archive, nlohmann::json& header) const
{
    GradientLearner::WriteState(archive, header);
    if (HasBeginning()) // else it is the network that was set
    {
        archive.AddModule("anchor.", *m_anchor);
    }
}

void
BranchLearner::ReadState(const Archive& archive,
                         const nlohmann::json& header,
                         const std::string& path)
{
    GradientLearner::ReadState(archive, header, path);
    if (HasBeginning())
    {
        archive.CopyTo("anchor.", *m_anchor, path);
        m_inferAnchor = m_anchor->Freeze();
    }
}

void
BranchLearner::BeginEpoch()
{
    m_random = MakeRngStream(GetEpochStream() + TEACHER_STREAMS - 1);
}

bool
BranchLearner::Advance()
{
    m_infer = m_network->Freeze();
    Samples samples;
    while (samples.nTried < m_updateSamples && !IsStopping() && !IsEpochOver())
    {
        DecideJobs(samples);
    }
    if (samples.nTried > 0 && !IsStopping())
    {
        LearnFrom(samples);
    }
    return true;
}

float
BranchLearner::GetCost(const DecisionOutcome& outcome) const
{
    return !outcome.placed                ? 1.0F
           : outcome.reconfigurations > 0 ? static_cast<float>(m_reconfigurationCost)
                                          : 0.0F;
}

BranchLearner::Copy
BranchLearner::MakeCopy(DecisionProblem& problem) const
{
    Copy copy{problem.Branch(), problem.GetNDecided(), std::make_shared<double>(0), {}};
    copy.problem->SetObserver([this, cost = copy.cost](const DecisionOutcome& outcome, auto)
                              { *cost += GetCost(outcome); });
    return copy;
}

void
BranchLearner::Continue(std::vector<Copy>& copies, bool isKept)
{
    const std::size_t size = m_problems.front()->GetObservationSize();
    const std::size_t actions = m_problems.front()->GetNActions();
    std::vector<float> rows;
    std::vector<float> logits;
    std::vector<float> rewards;
    std::vector<uint8_t> mask(actions);
    std::vector<Copy*> waiting;
    const auto find = [&]()
    {
        waiting.clear();
        for (auto& copy : copies)
        {
            if (!copy.problem->IsDone() && copy.problem->GetNDecided() == copy.begin)
            {
                waiting.push_back(&copy);
            }
        }
        return !waiting.empty();
    };
    while (find())
    {
        rows.resize(waiting.size() * size);
        logits.resize(waiting.size() * actions);
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            waiting[i]->problem->Observe(rows.data() + i * size);
        }
        m_infer(rows.data(), waiting.size(), logits.data());
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            auto& problem = *PeekPointer(waiting[i]->problem);
            const std::span own(logits.data() + i * actions, actions);
            problem.Mask(mask.data());
            const uint32_t likeliest = ArgMax(own, mask);
            if (isKept)
            {
                const float* row = rows.data() + i * size;
                waiting[i]->decisions.push_back(
                    {{row, row + size}, {own.begin(), own.end()}, mask, likeliest});
            }
            problem.Act(likeliest);
            rewards.clear();
            problem.TakeRewards(rewards);
        }
    }
}

void
BranchLearner::DecideJobs(Samples& samples)
{
    std::vector<Copy> plans;
    for (const auto& problem : m_problems)
    {
        plans.push_back(MakeCopy(*PeekPointer(problem)));
    }
    Continue(plans, true);
    std::vector<float> rewards;
    for (std::size_t i = 0; i < m_problems.size(); ++i)
    {
        DecisionProblem& problem = *PeekPointer(m_problems[i]);
        const auto& decisions = plans[i].decisions;
        const bool isLost = *plans[i].cost > 0;
        const double probability = isLost ? 1.0 : m_share;
        const bool isTried = m_random.RandU01() < probability;
        // The first decision, and each set of others with the same probability.
        const auto others = static_cast<double>(decisions.size() - 1);
        double left = isTried ? std::min<double>(m_tries - 1, others) : 0;
        const double weight = others / std::max(left, 1.0) / probability;
        for (std::size_t k = 0; k < decisions.size(); ++k)
        {
            const bool isFirst = k == 0;
            const bool isChosen =
                isFirst ? isTried
                        : m_random.RandU01() * static_cast<double>(decisions.size() - k) < left;
            if (isChosen)
            {
                left -= isFirst ? 0 : 1;
                Try(problem,
                    decisions[k],
                    isLost ? 0.0 : m_least,
                    isFirst ? 1 / probability : weight,
                    samples);
            }
            else if (m_random.RandU01() < m_anchorShare)
            {
                Tie(decisions[k], samples);
            }
            problem.Act(decisions[k].likeliest);
        }
        rewards.clear();
        problem.TakeRewards(rewards);
        Count(decisions.size());
        if (problem.IsDone())
        {
            problem.ResetToDecision();
        }
    }
}

void
BranchLearner::Append(const Decision& decision,
                      double weight,
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
    samples.weights.push_back(static_cast<float>(weight));
    samples.nTried += weight > 0 ? 1 : 0;
}

void
BranchLearner::Tie(const Decision& decision, Samples& samples)
{
    std::vector<float> logits(decision.mask.size());
    m_inferAnchor(decision.row.data(), 1, logits.data());
    Append(decision, 0, decision.mask, logits, samples);
}

std::vector<uint32_t>
BranchLearner::Choose(const Decision& decision, double least) const
{
    std::vector<float> logits = decision.logits;
    for (float& logit : logits)
    {
        logit /= static_cast<float>(m_temperature);
    }
    std::vector<float> probabilities(logits.size());
    Softmax(logits, decision.mask, probabilities);
    std::vector<uint32_t> chosen{decision.likeliest};
    for (uint32_t action = 0; action < logits.size(); ++action)
    {
        if (action != decision.likeliest && decision.mask[action] && probabilities[action] >= least)
        {
            chosen.push_back(action);
        }
    }
    std::stable_sort(chosen.begin(),
                     chosen.end(),
                     [&](uint32_t a, uint32_t b) { return logits[a] > logits[b]; });
    chosen.resize(std::min<std::size_t>(chosen.size(), m_branches));
    return chosen;
}

std::vector<float>
BranchLearner::Follow(DecisionProblem& problem, const std::vector<uint32_t>& actions)
{
    std::vector<Copy> copies;
    for (const uint32_t action : actions)
    {
        copies.push_back(MakeCopy(problem));
        copies.back().problem->Act(action);
    }
    Continue(copies, false);
    std::vector<float> returns;
    for (const auto& copy : copies)
    {
        returns.push_back(static_cast<float>(-*copy.cost));
    }
    return returns;
}

void
BranchLearner::Try(DecisionProblem& problem,
                   const Decision& decision,
                   double least,
                   double weight,
                   Samples& samples)
{
    const auto chosen = Choose(decision, least);
    if (chosen.size() < 2)
    {
        return;
    }
    const auto returns = Follow(problem, chosen);
    const auto [worst, best] = std::minmax_element(returns.begin(), returns.end());
    if (*worst == *best)
    {
        return; // nothing can be learnt here
    }
    samples.gain += *best - returns.front();
    const std::size_t n = decision.mask.size();
    std::vector<uint8_t> mask(n, 0);
    std::vector<float> scores(n, 0.0F);
    for (std::size_t i = 0; i < chosen.size(); ++i)
    {
        mask[chosen[i]] = 1;
        scores[chosen[i]] = static_cast<float>(decision.logits[chosen[i]] / m_temperature +
                                               m_sharpness * (returns[i] - returns.front()));
    }
    Append(decision, weight, mask, scores, samples);
}

void
BranchLearner::LearnFrom(const Samples& samples)
{
    const auto n = static_cast<int64_t>(samples.weights.size());
    const auto& shape = m_network->GetShape();
    std::vector<int64_t> sizes{n};
    sizes.insert(sizes.end(), shape.observation.begin(), shape.observation.end());
    const auto weights = torch::tensor(samples.weights, torch::kFloat32);
    const auto nTried = static_cast<double>(samples.nTried);
    const double nTied = static_cast<double>(n) - nTried;
    TrainingBatch batch;
    batch.observations = torch::tensor(samples.observations).view(sizes);
    batch.masks =
        torch::tensor(samples.masks, torch::kUInt8).view({n, shape.actions}).to(torch::kBool);
    batch.targets = torch::tensor(samples.targets).view({n, shape.actions});
    batch.actions = torch::arange(n);
    // Means over each of the two kinds, whatever their numbers are.
    batch.probabilities = weights * (static_cast<double>(n) / weights.sum().item<double>());
    batch.advantages = (weights == 0) * (nTied > 0 ? static_cast<double>(n) / nTied : 0.0);
    const auto loss = [this](const TrainingBatch& part, const PolicyOutput& output)
    {
        const auto warm = MaskedLogSoftmax(output.logits / m_temperature, part.masks);
        const auto policy = -((warm * part.targets).sum(1) * part.probabilities).mean();
        const auto logs = MaskedLogSoftmax(output.logits, part.masks);
        const auto anchor = -((logs * part.targets).sum(1) * part.advantages).mean();
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
