// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_AGENT_TOY_H
#define ODCN_AGENT_TOY_H

#include "../jobs/odcn-linear-toy.h"
#include "../jobs/odcn-test-system.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-policy-network.h"

namespace ns3::odcn
{

/// Networks that learn the toy problems.
inline const std::string TOY_MLP = "Mlp[layers=2|units=32]";
inline const std::string TOY_SCORER = "Scorer[hidden=16,16|valueHidden=16]";

/**
 * Pick the least of the feasible numbers. An observation has, for each action, a number and then
 * a flag: -1 in either forbids the action. Rewards of three decisions become known
 * together, as a job's do: 1 for the right action, 0 for a wrong one, -1 for a forbidden one.
 */
class ToyProblem : public StubProblem
{
  public:
    explicit ToyProblem(uint32_t nActions = 6, uint64_t episode = 0)
        : StubProblem(nActions, {2 * nActions}, episode)
    {
        Reset();
    }

    void Mask(uint8_t* out) const override
    {
        for (uint32_t a = 0; a < m_actions; ++a)
        {
            out[a] = Allowed(a) ? 1 : 0;
        }
    }

    void Act(uint32_t action) override
    {
        m_pending.push_back(!Allowed(action) ? -1.0F : action == Best() ? 1.0F : 0.0F);
        m_forbidden += Allowed(action) ? 0 : 1;
        Count(m_pending.back() == 1.0F);
        if (m_pending.size() == 3 || IsDone())
        {
            m_rewards.insert(m_rewards.end(), m_pending.begin(), m_pending.end());
            m_pending.clear();
        }
        Draw();
    }

    void Reset() override
    {
        StubProblem::Reset();
        m_pending.clear();
        Draw();
    }

    /// @return the right action
    uint32_t Best() const
    {
        uint32_t best = 0;
        for (uint32_t a = 0; a < m_actions; ++a)
        {
            if (Allowed(a) && (!Allowed(best) || m_observation[a] < m_observation[best]))
            {
                best = a;
            }
        }
        return best;
    }

    /// @return number of forbidden actions so far
    uint64_t GetForbidden() const
    {
        return m_forbidden;
    }

  private:
    /// @param a action  @return whether it is allowed
    bool Allowed(uint32_t a) const
    {
        return m_observation[a] >= 0.0F && m_observation[m_actions + a] >= 0.0F;
    }

    /// Draw the next observation; action 0 is always allowed.
    void Draw()
    {
        for (uint32_t i = 0; i < 2 * m_actions; ++i)
        {
            const bool may = i % m_actions == 0 || m_random->GetValue() < 0.8;
            m_observation[i] = may ? static_cast<float>(m_random->GetValue()) : -1.0F;
        }
    }

    std::vector<float> m_pending; //!< rewards that are not known yet
    uint64_t m_forbidden{0};      //!< forbidden actions in all
};

/// The same toy with an observation of two image rows.
class ImageToyProblem : public ToyProblem
{
  public:
    using ToyProblem::ToyProblem;

    std::vector<uint32_t> GetObservationShape() const override
    {
        return {1, 2, GetNActions()};
    }
};

/// A user-defined network: scores every action by its features; the value uses all numbers.
template <int64_t UNITS>
struct ActionNetwork : PolicyNetwork
{
    torch::nn::Linear hidden, score, value;
    ProblemShape shape;

    explicit ActionNetwork(const ProblemShape& s)
        : hidden(register_module("hidden", torch::nn::Linear(s.GetFeatures(), UNITS))),
          score(register_module("score", torch::nn::Linear(UNITS, 1))),
          value(register_module("value", torch::nn::Linear(s.GetSize(), 1))),
          shape(s)
    {
    }

    PolicyOutput forward(torch::Tensor x) override
    {
        const auto units = torch::tanh(hidden(shape.GetActions(x)));
        return {score(units).squeeze(-1), value(x.flatten(1)).flatten()};
    }
};

/// Always right.
class ToyOracle : public DecisionPolicy
{
  public:
    uint32_t Decide(const DecisionProblem& problem) override
    {
        ++asked;
        return dynamic_cast<const ToyProblem&>(problem).Best();
    }

    uint64_t asked{0}; //!< number of decisions
};

/// @param n number  @param episode decisions of an episode, 0 for no end  @return toys
inline std::vector<Ptr<DecisionProblem>>
Toys(std::size_t n, uint64_t episode = 0)
{
    return ListOf<Ptr<DecisionProblem>>(n,
                                        [&](std::size_t)
                                        { return CreateObject<ToyProblem>(6, episode); });
}

/**
 * @param n number
 * @param racks of each, of 4 servers
 * @param load mean holding time
 * @param latency RewardLatency
 * @return data centres at the first decision
 */
inline std::vector<Ptr<DecisionProblem>>
DataCentres(std::size_t n, uint32_t racks, double load, const std::string& latency = "Formula")
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(racks));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
    helper.SetProblemAttribute("RewardLatency", StringValue(latency));
    std::vector<Ptr<DecisionProblem>> out;
    for (std::size_t i = 0; i < n; ++i)
    {
        out.push_back(helper.CreateProblem(TestGenerator(load, 0)));
        out.back()->Reset();
    }
    return out;
}

/**
 * @param network description
 * @param toys their number
 * @param episode decisions of an episode, 0 for no end
 * @param settings of the learner
 * @return a learner for toys
 */
template <typename T>
Ptr<T>
MakeToyLearner(const std::string& network,
               std::size_t toys,
               uint64_t episode,
               const std::string& settings)
{
    auto learner = CreateObject<T>();
    learner->SetNetwork(network);
    learner->SetProblems(Toys(toys, episode));
    learner->SetEvaluation(Toys(2));
    Configure(learner, "EvaluationWarmUp=0|EvaluationDecisions=2000|" + settings);
    return learner;
}

/// @param learner trained  @return the bytes of its checkpoint
template <typename T>
std::string
CheckpointBytes(const Ptr<T>& learner)
{
    const TemporaryPath file("agent-checkpoint");
    learner->SaveCheckpoint(file.path, {{"command", "a test"}});
    return ReadText(file.path);
}

/**
 * @param one learner  @param other learner
 *
 * Both must have equal parameters. The files of their states differ: LibTorch names the state of an
 * optimiser by addresses in memory.
 */
template <typename T>
void
ExpectEqual(const Ptr<T>& one, const Ptr<T>& other)
{
    EXPECT_EQ(one->GetParameters(), other->GetParameters());
    EXPECT_EQ(one->GetDecisions(), other->GetDecisions());
    EXPECT_EQ(one->GetUpdates(), other->GetUpdates());
    EXPECT_EQ(one->GetEpochs(), other->GetEpochs());
    EXPECT_EQ(one->GetFigures(), other->GetFigures());
    EXPECT_EQ(CheckpointBytes(one), CheckpointBytes(other));
}

/**
 * Train, stop in the middle of an epoch, save, and continue in a new learner and in the old one:
 * both must have the result of an uninterrupted training.
 * @param make creates the learner, with ProgressSeconds=0
 * @param total decisions
 * @param stop decisions after which to stop
 */
template <typename F>
void
ExpectResumable(F make, uint64_t total, uint64_t stop)
{
    const TemporaryPath state("agent-state");
    const TemporaryPath checkpoint("agent-kept");
    auto whole = make();
    ASSERT_TRUE(whole->Train(total));
    auto first = make();
    std::string kept;
    uint64_t keptDecisions = 0;
    first->SetProgress(
        [&](const TrainingProgress& p)
        {
            if (p.epochEnded)
            {
                kept = CheckpointBytes(first);
                keptDecisions = first->GetDecisions();
            }
            else if (p.decisions > stop)
            {
                first->RequestStop();
            }
        });
    ASSERT_FALSE(first->Train(total));
    first->SaveState(state.path);
    auto second = make();
    second->LoadState(state.path);
    EXPECT_LE(second->GetDecisions(), stop);
    EXPECT_EQ(second->GetDecisions(), keptDecisions);
    if (!kept.empty())
    {
        EXPECT_EQ(CheckpointBytes(second), kept) << "that of the last whole epoch";
    }
    second->SaveState(checkpoint.path);
    EXPECT_EQ(ReadText(checkpoint.path), ReadText(state.path)) << "nothing was learnt";
    ASSERT_TRUE(second->Train(total));
    ExpectEqual(whole, second);
    first->SetProgress(nullptr);
    ASSERT_TRUE(first->Train(total));
    ExpectEqual(whole, first);
}

} // namespace ns3::odcn

#endif /* ODCN_AGENT_TOY_H */
