// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Evolution of linear policies and of networks, as one learner among others.
 */

#include "../jobs/odcn-linear-toy.h"

#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// One hidden layer of four units on the features of each action; the value has a separate layer.
struct EvolutionNet : ActionNetwork<4>
{
    using ActionNetwork::ActionNetwork;
};

ODCN_REGISTER_NETWORK(EvolutionNet)

/// @param n number  @return toys of 6 actions in episodes of 70 decisions
std::vector<Ptr<DecisionProblem>>
MakeToys(std::size_t n)
{
    return ListOf<Ptr<DecisionProblem>>(n,
                                        [&](std::size_t)
                                        { return CreateObject<LinearToy>(6, 70); });
}

/// @param threads also the problems  @param network description  @return a learner for toys
Ptr<EvolutionLearner>
MakeLearner(std::size_t threads = 1, const std::string& network = "Linear")
{
    auto learner = CreateObject<EvolutionLearner>();
    learner->SetNetwork(network);
    learner->SetProblems(MakeToys(threads));
    learner->SetEvaluation(MakeToys(4));
    learner->AssignStreams(5000);
    learner->SetAttribute("Threads", UintegerValue(threads));
    Configure(learner,
              "Population=8|Streams=2|WarmUpDecisions=10|Decisions=200|"
              "EvaluationEpochs=4|EvaluationWarmUp=10|EvaluationDecisions=500");
    return learner;
}

/// Decisions of a generation of MakeLearner().
constexpr uint64_t GENERATION = 8 * 2 * 210;

} // namespace

TEST(EvolutionLearner, LearnsFromNothing)
{
    auto learner = MakeLearner();
    const Evaluation before = learner->Evaluate();
    EXPECT_GT(before.score, 0.3) << "all scores 0: the first allowed action";
    ASSERT_TRUE(learner->Train(20 * GENERATION));
    const Evaluation after = learner->Evaluate();
    EXPECT_GT(after.reward, 0.97);
    EXPECT_LT(after.score, 0.03);
    EXPECT_EQ(learner->GetDecisions(), 20 * GENERATION);
    EXPECT_EQ(learner->GetEpochs(), 20U);
    EXPECT_EQ(learner->GetParameters().size(), 3U) << "two weights and the bias";
    EXPECT_LT(learner->GetParameters()[0], 0);
    EXPECT_EQ(learner->GetNetwork(), nullptr);
    const Evaluation again = learner->Evaluate();
    EXPECT_EQ(again.reward, after.reward) << "the same streams each time";
}

TEST(EvolutionLearner, LearnsNetworksToo)
{
    auto learner = MakeLearner(1, "EvolutionNet");
    learner->Prepare();
    const auto value = learner->GetNetwork()->named_parameters()["value.weight"].clone();
    const double before = learner->Evaluate().reward;
    ASSERT_TRUE(learner->Train(40 * GENERATION));
    EXPECT_GT(learner->Evaluate().reward, std::max(0.9, before));
    EXPECT_TRUE(torch::equal(learner->GetNetwork()->named_parameters()["value.weight"], value))
        << "decisions do not depend on it";
    EXPECT_EQ(learner->GetParameters().size(), 3U * 4 + 5 + 13);
}

TEST(EvolutionLearner, ThreadsChangeNothing)
{
    for (const char* network : {"Linear", "EvolutionNet"})
    {
        auto one = MakeLearner(1, network);
        auto three = MakeLearner(3, network);
        ASSERT_TRUE(one->Train(4 * GENERATION));
        ASSERT_TRUE(three->Train(4 * GENERATION));
        EXPECT_EQ(one->GetParameters(), three->GetParameters());
        EXPECT_EQ(one->Evaluate().reward, three->Evaluate().reward);
        auto other = MakeLearner(1, network);
        other->AssignStreams(6000);
        ASSERT_TRUE(other->Train(4 * GENERATION));
        EXPECT_NE(one->GetParameters(), other->GetParameters());
    }
    auto one = MakeLearner();
    ASSERT_TRUE(one->Train(4 * GENERATION));
    RngSeedManager::SetRun(2);
    auto other = MakeLearner();
    ASSERT_TRUE(other->Train(4 * GENERATION));
    RngSeedManager::SetRun(1);
    EXPECT_NE(one->GetParameters(), other->GetParameters());
}

TEST(EvolutionLearner, ProblemsMayDiffer)
{
    std::vector<float> parameters;
    for (uint32_t threads : {1U, 2U})
    {
        auto learner = MakeLearner(threads);
        learner->SetProblems({CreateObject<LinearToy>(6, 70), CreateObject<LinearToy>(6, 7)});
        ASSERT_TRUE(learner->Train(4 * GENERATION));
        EXPECT_TRUE(threads == 1 || learner->GetParameters() == parameters);
        parameters = learner->GetParameters();
    }
    auto alike = MakeLearner(1);
    ASSERT_TRUE(alike->Train(4 * GENERATION));
    EXPECT_NE(alike->GetParameters(), parameters) << "every second stream is another problem";
}

TEST(EvolutionLearner, ResumedEqualsUninterrupted)
{
    for (const char* network : {"Linear", "EvolutionNet"})
    {
        auto whole = MakeLearner(1, network);
        ASSERT_TRUE(whole->Train(9 * GENERATION));
        TemporaryPath state("state");
        auto first = MakeLearner(1, network);
        first->SetProgress(
            [&](const TrainingProgress& progress)
            {
                if (progress.epoch == 5)
                {
                    first->RequestStop();
                }
            });
        ASSERT_FALSE(first->Train(9 * GENERATION));
        EXPECT_EQ(first->GetEpochs(), 5U);
        first->SaveState(state.path);
        auto second = MakeLearner(1, network);
        second->LoadState(state.path);
        EXPECT_EQ(second->GetDecisions(), 5 * GENERATION);
        EXPECT_EQ(second->GetFigures(), first->GetFigures());
        ASSERT_TRUE(second->Train(9 * GENERATION));
        EXPECT_EQ(whole->GetParameters(), second->GetParameters());
        EXPECT_EQ(whole->GetFigures(), second->GetFigures());
        EXPECT_EQ(whole->GetDecisions(), second->GetDecisions());
        first->SetProgress(nullptr);
        ASSERT_TRUE(first->Train(9 * GENERATION));
        EXPECT_EQ(whole->GetParameters(), first->GetParameters());
    }
}

TEST(EvolutionLearner, KeepsTheBestMean)
{
    auto learner = MakeLearner();
    learner->SetAttribute("Generations", UintegerValue(10));
    double best = 1e9;
    std::vector<float> mean;
    learner->SetProgress(
        [&](const TrainingProgress& progress)
        {
            EXPECT_EQ(progress.evaluated, progress.epoch % 4 == 0 || progress.epoch == 10);
            EXPECT_EQ(progress.figures.count("reward"), 1U);
            EXPECT_GT(progress.figures.at("sigma"), 0);
            if (progress.isBest)
            {
                EXPECT_LE(progress.evaluation, best) << "the toy's reward is 1 - score";
                best = progress.evaluation;
                mean = learner->GetParameters();
            }
        });
    ASSERT_TRUE(learner->Train(UINT64_MAX));
    EXPECT_EQ(learner->GetEpochs(), 10U);
    TemporaryPath file("best");
    learner->SaveCheckpoint(file.path, {{"command", "none"}});
    auto policy = CreateObject<LinearPolicy>();
    policy->SetFile(file.path);
    auto weights = policy->GetWeights();
    weights.push_back(policy->GetBias());
    EXPECT_EQ(weights, mean);
    EXPECT_EQ(policy->GetProvenance().at("command"), "none");
    EXPECT_EQ(policy->GetProvenance().at("learner"), "ns3::odcn::EvolutionLearner");
    auto toy = CreateObject<LinearToy>(9);
    policy->Configure(*toy);
    EXPECT_LT(policy->Decide(*toy), 9U) << "with another number of actions";
    auto created = DynamicCast<LinearPolicy>(learner->CreatePolicy());
    ASSERT_TRUE(created);
    EXPECT_EQ(created->GetWeights(), policy->GetWeights());
    created->Configure(*toy);
}

TEST(EvolutionLearner, GoesOnFromALinearPolicy)
{
    auto first = MakeLearner();
    ASSERT_TRUE(first->Train(8 * GENERATION));
    const auto found = DynamicCast<LinearPolicy>(first->CreatePolicy());
    auto next = DynamicCast<EvolutionLearner>(MakeLearner());
    next->SetStart(*found);
    EXPECT_EQ(next->Evaluate().reward, first->Evaluate().reward);
    auto other = DynamicCast<EvolutionLearner>(MakeLearner());
    LinearPolicy narrow;
    narrow.SetWeights(std::vector<float>(9, 1.0F), 0);
    other->SetStart(narrow);
    EXPECT_REFUSAL(other->Train(GENERATION), "the policy to start from has 9 weights");
}

TEST(EvolutionLearner, SavesNetworksAsCheckpoints)
{
    auto learner = MakeLearner(1, "EvolutionNet");
    ASSERT_TRUE(learner->Train(8 * GENERATION));
    TemporaryPath file("network");
    learner->SaveCheckpoint(file.path, {});
    auto policy = CreateObject<AgentPolicy>();
    policy->SetAttribute("Checkpoint", StringValue(file.path));
    auto created = learner->CreatePolicy();
    auto toy = CreateObject<LinearToy>(6);
    for (int i = 0; i < 200; ++i)
    {
        const uint32_t action = created->Decide(*toy);
        ASSERT_EQ(policy->Decide(*toy), action);
        toy->Act(action);
    }
}

TEST(EvolutionLearner, ComparesWholeEpisodesByScore)
{
    auto learner = MakeLearner();
    Configure(learner, "Episodes=3|Objective=Score");
    double best = 1e9;
    learner->SetProgress(
        [&](const TrainingProgress& progress)
        {
            EXPECT_EQ(progress.isBest, progress.evaluated && progress.evaluation < best);
            best = progress.isBest ? progress.evaluation : best;
        });
    const uint64_t decisions = 12U * 8 * 2 * 3 * 70;
    ASSERT_TRUE(learner->Train(decisions));
    EXPECT_EQ(learner->GetDecisions(), decisions) << "no warm-up, nothing cut off";
    EXPECT_EQ(learner->GetEpochs(), 12U);
    EXPECT_LT(best, 0.05);
}

TEST(EvolutionLearner, StopsWithinAGeneration)
{
    auto learner = MakeLearner(2);
    ASSERT_TRUE(learner->Train(2 * GENERATION));
    const auto parameters = learner->GetParameters();
    learner->RequestStop();
    EXPECT_FALSE(learner->Train(3 * GENERATION));
    EXPECT_EQ(learner->GetParameters(), parameters);
    EXPECT_EQ(learner->GetDecisions(), 2 * GENERATION);
    ASSERT_TRUE(learner->Train(3 * GENERATION));
    auto whole = MakeLearner();
    ASSERT_TRUE(whole->Train(3 * GENERATION));
    EXPECT_EQ(learner->GetParameters(), whole->GetParameters());
}

TEST(EvolutionLearner, AnotherNetworkIsAnotherSearch)
{
    for (const std::string network : {"Linear", "EvolutionNet"})
    {
        auto fresh = MakeLearner(1, network);
        ASSERT_TRUE(fresh->Train(2 * GENERATION));
        auto learner = MakeLearner(1, network);
        ASSERT_TRUE(learner->Train(5 * GENERATION));
        learner->SetNetwork(network);
        ASSERT_TRUE(learner->Train(2 * GENERATION));
        EXPECT_EQ(learner->GetParameters(), fresh->GetParameters()) << network;
    }
}

TEST(EvolutionLearner, AnEvaluationThatIsStoppedIsNone)
{
    class Stopping : public LinearToy
    {
      public:
        Stopping()
            : LinearToy(6, 70)
        {
        }

        void Act(uint32_t action) override
        {
            LinearToy::Act(action);
            if (--left == 0)
            {
                learner->RequestStop();
            }
        }

        Learner* learner{nullptr}; //!< is stopped
        int left{0};               //!< decisions until then
    };

    auto learner = MakeLearner();
    Configure(learner, "EvaluationEpochs=1|EvaluationDecisions=5000");
    auto stopping = CreateObject<Stopping>();
    learner->SetEvaluation({stopping});
    ASSERT_TRUE(learner->Train(GENERATION));
    bool isBest = false;
    double best = -1;
    learner->SetProgress(
        [&](const TrainingProgress& progress)
        {
            isBest = progress.isBest;
            best = progress.bestScore;
        });
    stopping->learner = PeekPointer(learner);
    stopping->left = 2000;
    EXPECT_FALSE(learner->Train(2 * GENERATION));
    EXPECT_FALSE(isBest);
    EXPECT_EQ(learner->GetEpochs(), 1U);
    ASSERT_TRUE(learner->Train(2 * GENERATION));
    EXPECT_GT(best, 0) << "not the 0 of an evaluation that was stopped";
    auto whole = MakeLearner();
    Configure(whole, "EvaluationEpochs=1|EvaluationDecisions=5000");
    ASSERT_TRUE(whole->Train(2 * GENERATION));
    EXPECT_EQ(learner->GetParameters(), whole->GetParameters());
}

TEST(EvolutionLearner, SaysWhatIsWrong)
{
    auto learner = CreateObject<EvolutionLearner>();
    EXPECT_THROW(learner->Train(1), OdcnError);
    learner->SetProblems(MakeToys(1));
    EXPECT_THROW(learner->Train(1), OdcnError) << "no network";
    TemporaryPath file("wrong");
    auto linear = MakeLearner();
    ASSERT_TRUE(linear->Train(1));
    linear->SaveState(file.path);
    EXPECT_THROW(MakeLearner(1, "EvolutionNet")->LoadState(file.path), OdcnError);
    auto small = MakeLearner();
    small->SetProblems({CreateObject<LinearToy>(5, 70)});
    EXPECT_THROW(small->LoadState(file.path), OdcnError) << "another problem";
    linear->SaveCheckpoint(file.path, {});
    EXPECT_THROW(MakeLearner()->LoadState(file.path), OdcnError);
}
