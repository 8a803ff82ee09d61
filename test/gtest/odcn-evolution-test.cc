// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"

#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string LINEAR = "ns3::odcn::OdcnRackScorerNetwork[Inputs=Own|Hidden=|ValueHidden=]";

/// @param n problems and threads  @param network its description  @return a learner for toys
Ptr<OdcnEvolutionLearner>
MakeLearner(std::size_t n, const std::string& network = LINEAR)
{
    auto learner = CreateObject<OdcnEvolutionLearner>();
    learner->SetNetwork(OdcnNetwork::Create(network));
    std::vector<Ptr<OdcnDecisionProblem>> toys;
    for (std::size_t i = 0; i < n; ++i)
    {
        toys.push_back(CreateObject<OdcnToyProblem>(6, 70));
    }
    learner->SetEnvironments(toys);
    learner->AssignStreams(5000);
    learner->SetAttribute("Threads", UintegerValue(n));
    learner->SetAttribute("Population", UintegerValue(8));
    learner->SetAttribute("Streams", UintegerValue(2));
    learner->SetAttribute("WarmUpDecisions", UintegerValue(10));
    learner->SetAttribute("Decisions", UintegerValue(200));
    learner->SetAttribute("EvaluationGenerations", UintegerValue(4));
    return learner;
}

/// A file that goes away.
struct TemporaryFile
{
    std::string path{testing::TempDir() + "odcn-evolution-" + std::to_string(::getpid())};

    ~TemporaryFile()
    {
        std::remove(path.c_str());
    }
};

} // namespace

TEST(OdcnEvolutionLearner, LearnsFromNothing)
{
    auto learner = MakeLearner(1);
    double score = 0;
    const double before = learner->Evaluate(score);
    EXPECT_GT(score, 0.3) << "all scores 0: the first allowed action";
    ASSERT_TRUE(learner->Train(20));
    const double after = learner->Evaluate(score);
    EXPECT_GT(after, before);
    EXPECT_GT(after, 0.97);
    EXPECT_LT(score, 0.03);
    EXPECT_EQ(learner->GetDecisions(), 20U * 8 * 2 * 210);
}

TEST(OdcnEvolutionLearner, LearnsLayersToo)
{
    auto learner = MakeLearner(1, "ns3::odcn::OdcnRackScorerNetwork[Hidden=8]");
    const auto first = learner->GetNetwork();
    learner->Prepare();
    first->Randomize(3);
    auto begun = MakeLearner(1);
    begun->SetNetwork(first);
    ASSERT_TRUE(begun->Train(40));
    double score = 0;
    EXPECT_GT(begun->Evaluate(score), 0.9);
}

TEST(OdcnEvolutionLearner, ThreadsChangeNothing)
{
    auto one = MakeLearner(1);
    auto three = MakeLearner(3);
    ASSERT_TRUE(one->Train(5));
    ASSERT_TRUE(three->Train(5));
    EXPECT_EQ(OdcnParametersOf(one), OdcnParametersOf(three));
    auto other = MakeLearner(1);
    other->AssignStreams(6000);
    ASSERT_TRUE(other->Train(5));
    EXPECT_NE(OdcnParametersOf(one), OdcnParametersOf(other));
}

TEST(OdcnEvolutionLearner, ResumedEqualsUninterrupted)
{
    auto whole = MakeLearner(1);
    ASSERT_TRUE(whole->Train(9));
    TemporaryFile file;
    auto first = MakeLearner(1);
    first->SetProgress(
        [&](const OdcnEvolutionProgress& progress)
        {
            if (progress.generation == 5)
            {
                first->RequestStop();
            }
        });
    ASSERT_FALSE(first->Train(9));
    EXPECT_EQ(first->GetGenerations(), 5U);
    first->SaveState(file.path);
    auto second = MakeLearner(1);
    second->LoadState(file.path);
    ASSERT_TRUE(second->Train(9));
    EXPECT_EQ(OdcnParametersOf(whole), OdcnParametersOf(second));
    EXPECT_EQ(whole->GetDecisions(), second->GetDecisions());
    whole->SaveCheckpoint(file.path, {});
    const auto a = OdcnCheckpoint::Load(file.path);
    second->SaveCheckpoint(file.path, {});
    const auto b = OdcnCheckpoint::Load(file.path);
    EXPECT_EQ(a.arrays, b.arrays) << "the best of the evaluations";
}

TEST(OdcnEvolutionLearner, KeepsTheBestMean)
{
    auto learner = MakeLearner(1);
    double best = -1e9;
    std::vector<float> mean;
    learner->SetProgress(
        [&](const OdcnEvolutionProgress& progress)
        {
            EXPECT_EQ(progress.evaluated,
                      progress.generation % 4 == 0 || progress.generation == 10);
            EXPECT_EQ(progress.isBest, progress.evaluated && progress.evaluation > best);
            if (progress.isBest)
            {
                best = progress.evaluation;
                mean = OdcnParametersOf(learner);
            }
        });
    ASSERT_TRUE(learner->Train(10));
    TemporaryFile file;
    learner->SaveCheckpoint(file.path, {{"command", "none"}});
    const auto saved = OdcnCheckpoint::Load(file.path);
    EXPECT_EQ(saved.arrays.at(OdcnCheckpoint::PARAMETERS), mean);
    EXPECT_EQ(saved.numbers.at("reward"), best);
    auto policy = CreateObject<OdcnAgentPolicy>();
    policy->SetAttribute("Checkpoint", StringValue(file.path));
    auto toy = CreateObject<OdcnToyProblem>(9);
    EXPECT_LT(policy->Decide(*toy), 9U) << "with another number of actions";
}

TEST(OdcnEvolutionLearner, ComparesWholeEpisodesByScore)
{
    auto learner = MakeLearner(1);
    learner->SetAttribute("Episodes", UintegerValue(3));
    learner->SetAttribute("Objective", StringValue("Score"));
    double best = 1e9;
    learner->SetProgress(
        [&](const OdcnEvolutionProgress& progress)
        {
            EXPECT_EQ(progress.isBest, progress.evaluated && progress.evaluationScore < best);
            best = progress.isBest ? progress.evaluationScore : best;
        });
    ASSERT_TRUE(learner->Train(12));
    EXPECT_EQ(learner->GetDecisions(), 12U * 8 * 2 * 3 * 70) << "no warm-up, nothing cut off";
    EXPECT_LT(best, 0.05);
    TemporaryFile file;
    learner->SaveCheckpoint(file.path, {});
    EXPECT_EQ(OdcnCheckpoint::Load(file.path).numbers.at("score"), best);
}

TEST(OdcnEvolutionLearner, SaysWhatIsWrong)
{
    auto learner = CreateObject<OdcnEvolutionLearner>();
    EXPECT_THROW(learner->Train(1), OdcnError);
    TemporaryFile file;
    auto linear = MakeLearner(1);
    ASSERT_TRUE(linear->Train(1));
    linear->SaveState(file.path);
    EXPECT_THROW(MakeLearner(1, "ns3::odcn::OdcnRackScorerNetwork[Hidden=8]")->LoadState(file.path),
                 OdcnError);
    linear->SaveCheckpoint(file.path, {});
    EXPECT_THROW(MakeLearner(1)->LoadState(file.path), OdcnError);
}
