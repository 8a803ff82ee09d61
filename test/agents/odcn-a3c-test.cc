// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"

#include "ns3/odcn-a3c-learner.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param network description  @param actors their number  @param threads their number
template <typename T>
Ptr<T>
MakeLearner(const std::string& network, std::size_t actors, uint32_t threads)
{
    return MakeToyLearner<T>(network,
                             actors,
                             50,
                             "Window=10|Gamma=0.0|LearningRate=0.005|EpsilonMin=1.0|Threads=" +
                                 std::to_string(threads));
}

} // namespace

TEST(A3cLearner, LearnsInTurnsAndConcurrently)
{
    for (uint32_t threads : {1U, 4U})
    {
        auto learner = MakeLearner<A3cLearner>(TOY_SCORER, 16, threads);
        learner->SetAttribute("EpochDecisions", UintegerValue(20000));
        learner->Prepare();
        EXPECT_GT(learner->Evaluate().score, 0.5);
        ASSERT_TRUE(learner->Train(20000));
        EXPECT_LT(learner->Evaluate().score, 0.06) << threads;
        // Each update took 10 samples; at most 9 and a toy job wait in each problem.
        EXPECT_LE(learner->GetUpdates() * 10, learner->GetDecisions());
        EXPECT_GE(learner->GetUpdates() * 10 + 16 * 22, learner->GetDecisions());
    }
}

TEST(A3cLearner, OneActorIsA2c)
{
    auto alone = MakeLearner<A3cLearner>(TOY_MLP, 1, 1);
    auto a2c = MakeLearner<A2cLearner>(TOY_MLP, 1, 1);
    ASSERT_TRUE(alone->Train(3000));
    ASSERT_TRUE(a2c->Train(3000));
    EXPECT_EQ(alone->GetUpdates(), a2c->GetUpdates());
    EXPECT_EQ(alone->GetParameters(), a2c->GetParameters());
}

TEST(A3cLearner, ResumedEqualsUninterrupted)
{
    const auto make = []
    {
        auto learner = MakeLearner<A3cLearner>(TOY_MLP, 4, 1);
        Configure(learner, "EpochDecisions=3000|ProgressSeconds=0.0");
        return learner;
    };
    ExpectResumable(make, 9000, 7000);
}

TEST(A3cLearner, StopsAllThreads)
{
    auto learner = MakeLearner<A3cLearner>(TOY_MLP, 8, 3);
    learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
    learner->SetProgress([&](const TrainingProgress&) { learner->RequestStop(); });
    EXPECT_FALSE(learner->Train(100000000));
}

TEST(A3cLearner, HasTheNumbersOfDeepHm)
{
    auto learner = CreateObject<A3cLearner>();
    learner->SetNetwork("Mlp");
    learner->SetProblems(Toys(16));
    EXPECT_EQ(learner->GetLearningRate(), 1e-5);
    EXPECT_EQ(learner->GetEpsilon(), 1.0);
    EXPECT_EQ(SettingOf(learner, "Gamma"), "0.95");
    // The first actor's first update: 2 x 50 - 1 samples.
    ASSERT_TRUE(learner->Train(99));
    EXPECT_EQ(learner->GetUpdates(), 1U);
    EXPECT_EQ(learner->GetDecisions(), 99U);
}

TEST(A3cLearner, StopsWhenItDiverges)
{
    for (uint32_t threads : {1U, 2U})
    {
        auto learner = MakeLearner<A3cLearner>(TOY_MLP, 2, threads);
        learner->SetAttribute("LearningRate", DoubleValue(1e30));
        EXPECT_THROW(learner->Train(100000), OdcnError) << "diverges";
    }
}
