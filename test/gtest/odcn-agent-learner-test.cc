// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-a2c-learner.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-mlp-network.h"
#include "ns3/odcn-rack-scorer-network.h"
#include "ns3/odcn-returns.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param network its description  @param n environments  @return a learner that is fit for toys
Ptr<OdcnA2cLearner>
MakeLearner(const std::string& network, std::size_t n, uint64_t episode = 0)
{
    auto learner = CreateObject<OdcnA2cLearner>();
    learner->SetNetwork(OdcnNetwork::Create(network));
    learner->SetEnvironments(OdcnToys(n, episode));
    learner->SetEvaluation(OdcnToys(2));
    learner->SetAttribute("Window", UintegerValue(10));
    learner->SetAttribute("Gamma", DoubleValue(0.0));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(2000));
    learner->SetAttribute("NormalizeAdvantage", BooleanValue(true));
    learner->SetAttribute("EpsilonMin", DoubleValue(1.0));
    learner->SetAttribute("EntropyWeight", DoubleValue(0.003));
    learner->SetAttribute("LearningRate", DoubleValue(0.003));
    return learner;
}

const std::string MLP = "ns3::odcn::OdcnMlpNetwork[HiddenLayers=2|HiddenUnits=32]";
const std::string SCORER = "ns3::odcn::OdcnRackScorerNetwork[Hidden=16,16|ValueHidden=16]";

/// A file that goes away.
struct TemporaryFile
{
    std::string path{testing::TempDir() + "odcn-agent-learner-" + std::to_string(::getpid())};

    ~TemporaryFile()
    {
        std::remove(path.c_str());
    }
};

} // namespace

TEST(OdcnA2cLearner, LearnsWhatComesLate)
{
    auto learner = MakeLearner(SCORER, 8);
    learner->SetAttribute("EpochDecisions", UintegerValue(200000));
    ASSERT_TRUE(learner->Train(200000));
    EXPECT_LT(learner->Evaluate(), 0.05);
}

TEST(OdcnA2cLearner, LearnsWithTheNetworksOfThePaper)
{
    auto learner = MakeLearner("ns3::odcn::OdcnMlpNetwork[HiddenLayers=2|HiddenUnits=64]", 16);
    learner->SetAttribute("UpdateSamples", UintegerValue(20));
    learner->SetAttribute("ScheduleDecisions", UintegerValue(400000));
    learner->SetAttribute("UseMask", BooleanValue(true));
    learner->SetAttribute("EpochDecisions", UintegerValue(400000));
    ASSERT_TRUE(learner->Train(400000));
    EXPECT_LT(learner->Evaluate(), 0.05);
}

TEST(OdcnA2cLearner, LearnsByGaeOverEpisodes)
{
    auto learner = MakeLearner(SCORER, 8, 50);
    learner->SetAttribute("Returns", StringValue("Gae"));
    learner->SetAttribute("UpdateSamples", UintegerValue(16));
    learner->SetAttribute("Gamma", DoubleValue(0.3));
    learner->SetAttribute("EpochDecisions", UintegerValue(200000));
    ASSERT_TRUE(learner->Train(200000));
    EXPECT_LT(learner->Evaluate(), 0.05);
}

TEST(OdcnA2cLearner, LearnsByMultiStepTd)
{
    // As A2cScheduler does.
    for (double lambda : {0.0, 1.0})
    {
        auto learner = MakeLearner(SCORER, 8, 50);
        learner->SetAttribute("Returns", StringValue("Gae"));
        learner->SetAttribute("GaeLambda", DoubleValue(lambda));
        learner->SetAttribute("UpdateSamples", UintegerValue(10));
        learner->SetAttribute("Gamma", DoubleValue(0.3));
        learner->SetAttribute("EpochDecisions", UintegerValue(200000));
        ASSERT_TRUE(learner->Train(200000));
        EXPECT_LT(learner->Evaluate(), 0.05) << lambda;
    }
}

TEST(OdcnA2cLearner, ClonesATeacher)
{
    auto learner = MakeLearner(SCORER, 8);
    auto teacher = CreateObject<OdcnToyOracle>();
    learner->SetTeacher(teacher);
    learner->SetAttribute("CloneDecisions", UintegerValue(100000));
    learner->SetAttribute("CloneLearningRate", DoubleValue(0.003));
    ASSERT_TRUE(learner->Train(0));
    EXPECT_EQ(learner->GetDecisions(), 0U);
    EXPECT_LT(learner->Evaluate(), 0.05);
}

TEST(OdcnA2cLearner, BeginsWhereTheTeacherWouldBe)
{
    // Four decisions are a toy job and a third: two rewards that belong to the teacher come late.
    auto learner = MakeLearner(SCORER, 8);
    auto teacher = CreateObject<OdcnToyOracle>();
    learner->SetTeacher(teacher);
    learner->SetAttribute("EpochDecisions", UintegerValue(20000));
    learner->SetAttribute("WarmUpDecisions", UintegerValue(4));
    learner->SetAttribute("EvaluationEpochs", UintegerValue(5));
    int evaluated = 0;
    learner->SetProgress([&](const OdcnTrainingProgress& p) { evaluated += p.evaluated ? 1 : 0; });
    ASSERT_TRUE(learner->Train(200000));
    EXPECT_EQ(teacher->asked, 10U * 8U * 4U);
    EXPECT_EQ(evaluated, 2);
    EXPECT_LT(learner->Evaluate(), 0.05);
}

TEST(OdcnA2cLearner, KeepsTheBest)
{
    auto learner = MakeLearner(SCORER, 4);
    learner->SetAttribute("EpochDecisions", UintegerValue(20000));
    // A step size that ruins what was learnt before.
    learner->SetAttribute("LearningRate", DoubleValue(0.3));
    double best = 1.0;
    int epochs = 0;
    learner->SetProgress(
        [&](const OdcnTrainingProgress& p)
        {
            if (p.epochEnded)
            {
                ++epochs;
                EXPECT_EQ(p.isBest, p.evaluation < best || epochs == 1);
                best = std::min(best, p.evaluation);
                EXPECT_EQ(p.bestScore, best);
            }
        });
    ASSERT_TRUE(learner->Train(100000));
    EXPECT_EQ(epochs, 5);
    TemporaryFile file;
    learner->SaveCheckpoint(file.path, {});
    EXPECT_EQ(OdcnCheckpoint::Load(file.path).numbers.at("score"), best);
}

TEST(OdcnA2cLearner, ExcludesForbiddenActions)
{
    auto learner = MakeLearner(MLP, 4);
    auto toys = OdcnToys(4);
    learner->SetEnvironments(toys);
    learner->SetAttribute("UseMask", BooleanValue(true));
    learner->Train(5000);
    for (const auto& toy : toys)
    {
        EXPECT_EQ(DynamicCast<OdcnToyProblem>(toy)->GetForbidden(), 0U);
    }
    learner = MakeLearner(MLP, 4);
    toys = OdcnToys(4);
    learner->SetEnvironments(toys);
    learner->Train(5000);
    EXPECT_GT(DynamicCast<OdcnToyProblem>(toys[0])->GetForbidden(), 10U);
}

TEST(OdcnA2cLearner, EqualSeedsGiveEqualNetworks)
{
    auto train = [](uint32_t threads, int64_t stream)
    {
        auto learner = MakeLearner(MLP, 5);
        learner->SetAttribute("Threads", UintegerValue(threads));
        learner->AssignStreams(stream);
        learner->Train(5000);
        return OdcnParametersOf(learner);
    };
    const auto first = train(1, 7);
    EXPECT_EQ(first, train(1, 7));
    EXPECT_EQ(first, train(3, 7)) << "threads must not matter";
    EXPECT_NE(first, train(1, 8));
    RngSeedManager::SetRun(2);
    EXPECT_NE(first, train(1, 7));
    RngSeedManager::SetRun(1);
    EXPECT_EQ(first, train(1, 7));
}

TEST(OdcnA2cLearner, ThreadsDoNotMatterInDataCentres)
{
    // Rewards of every kind, and updates that are cut into several shards.
    auto train = [](uint32_t threads, const char* latency)
    {
        OdcnHelper helper;
        helper.SetNetworkAttribute("Racks", UintegerValue(4));
        helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
        helper.SetProblemAttribute("RewardLatency", StringValue(latency));
        std::vector<Ptr<OdcnDecisionProblem>> problems;
        for (int i = 0; i < 7; ++i)
        {
            auto jobs = CreateObject<OdcnJobGenerator>();
            jobs->SetAttribute("Duration", StringValue("ns3::ExponentialRandomVariable[Mean=3]"));
            jobs->AssignStreams(0);
            problems.push_back(helper.CreateProblem(jobs, true));
        }
        auto learner = MakeLearner("ns3::odcn::OdcnRackScorerNetwork[Hidden=16]", 1);
        learner->SetEnvironments(problems);
        learner->SetEvaluation({});
        learner->SetAttribute("UpdateSamples", UintegerValue(60));
        learner->SetAttribute("Threads", UintegerValue(threads));
        learner->Train(6000);
        return OdcnParametersOf(learner);
    };
    const auto formula = train(1, "Formula");
    EXPECT_EQ(formula, train(2, "Formula"));
    EXPECT_EQ(formula, train(3, "Formula"));
    const auto packets = train(1, "Packets");
    EXPECT_EQ(packets, train(3, "Packets"));
    EXPECT_NE(packets, formula);
}

TEST(OdcnA2cLearner, ResumedEqualsUninterrupted)
{
    auto make = []
    {
        auto learner = MakeLearner(MLP, 4);
        learner->SetTeacher(CreateObject<OdcnToyOracle>());
        learner->SetAttribute("CloneDecisions", UintegerValue(2000));
        learner->SetAttribute("EpochDecisions", UintegerValue(3000));
        learner->SetAttribute("WarmUpDecisions", UintegerValue(7));
        learner->SetAttribute("ScheduleDecisions", UintegerValue(12000));
        learner->SetAttribute("EvaluationDecisions", UintegerValue(500));
        learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
        return learner;
    };
    auto whole = make();
    ASSERT_TRUE(whole->Train(12000));

    TemporaryFile file;
    auto first = make();
    first->SetProgress(
        [&](const OdcnTrainingProgress& p)
        {
            // In the middle of the third epoch.
            if (p.epoch == 2 && p.decisions > 7000)
            {
                first->RequestStop();
            }
        });
    ASSERT_FALSE(first->Train(12000));
    first->SaveState(file.path);

    auto second = make();
    second->LoadState(file.path);
    EXPECT_GE(second->GetDecisions(), 6000U);
    EXPECT_LT(second->GetDecisions(), 7000U);
    ASSERT_TRUE(second->Train(12000));
    EXPECT_EQ(OdcnParametersOf(whole), OdcnParametersOf(second));
    EXPECT_EQ(whole->GetDecisions(), second->GetDecisions());
    EXPECT_EQ(whole->GetUpdates(), second->GetUpdates());

    // The learner that was stopped can go on by itself, too.
    first->SetProgress(nullptr);
    ASSERT_TRUE(first->Train(12000));
    EXPECT_EQ(OdcnParametersOf(whole), OdcnParametersOf(first));
}

TEST(OdcnA2cLearner, RefusesStatesOfOthers)
{
    TemporaryFile file;
    auto learner = MakeLearner(MLP, 2);
    learner->Train(100);
    learner->SaveState(file.path);
    EXPECT_THROW(MakeLearner(SCORER, 2)->LoadState(file.path), OdcnError);
    learner->SaveCheckpoint(file.path, {});
    EXPECT_THROW(learner->LoadState(file.path), OdcnError) << "no state of a training in it";
}

TEST(OdcnA2cLearner, FollowsAlgorithmOneByDefault)
{
    auto learner = CreateObject<OdcnA2cLearner>();
    learner->SetNetwork(OdcnNetwork::Create(MLP));
    learner->SetEnvironments(OdcnToys(1));
    EXPECT_EQ(learner->GetEpsilon(), 1.0);
    EXPECT_EQ(learner->GetLearningRate(), 1e-3);
    // The first update needs 2L-1 = 99 complete samples: 33 toy jobs of three, 99 decisions.
    ASSERT_TRUE(learner->Train(99));
    EXPECT_EQ(learner->GetUpdates(), 1U);
    EXPECT_EQ(learner->GetDecisions(), 99U);
    EXPECT_DOUBLE_EQ(learner->GetEpsilon(), 1.0 - 1e-5);
}

TEST(OdcnA2cLearner, LowersEpsilonOnceAnUpdate)
{
    auto learner = CreateObject<OdcnA2cLearner>();
    learner->SetNetwork(OdcnNetwork::Create(MLP));
    learner->SetEnvironments(OdcnToys(1));
    learner->SetAttribute("EpsilonStep", DoubleValue(0.2));
    // 99 decisions for the first update, 51 (to a whole toy job) or 48 for each that follows.
    ASSERT_TRUE(learner->Train(99 + 48));
    EXPECT_EQ(learner->GetUpdates(), 2U);
    EXPECT_DOUBLE_EQ(learner->GetEpsilon(), 0.6);
    ASSERT_TRUE(learner->Train(1000));
    EXPECT_DOUBLE_EQ(learner->GetEpsilon(), 0.5);
}

TEST(OdcnA2cLearner, SaysWhatIsWrong)
{
    auto learner = CreateObject<OdcnA2cLearner>();
    EXPECT_THROW(learner->Train(1), OdcnError);
    learner->SetNetwork(OdcnNetwork::Create(MLP));
    learner->SetEnvironments(OdcnToys(1));
    learner->SetAttribute("CloneDecisions", UintegerValue(1));
    EXPECT_THROW(learner->Train(1), OdcnError) << "no teacher";
    EXPECT_THROW(learner->Evaluate(), OdcnError) << "nothing to evaluate on";
    auto network = OdcnNetwork::Create(MLP);
    network->Build({4}, 2);
    learner->SetNetwork(network);
    EXPECT_THROW(learner->Train(1), OdcnError) << "other size";
    learner = MakeLearner(MLP, 1);
    learner->SetEvaluation({CreateObject<OdcnToyProblem>(7)});
    EXPECT_THROW(learner->Train(1), OdcnError) << "other size of what it is evaluated on";
}

TEST(OdcnReturns, WindowIsEquationTwo)
{
    // L = 3, gamma = 0.5: 1 + 2/2 + 4/4 = 3, 2 + 4/2 + 8/4 = 6, 4 + 8/2 - 16/4 = 4.
    const std::vector<float> rewards{1, 2, 4, 8, -16};
    const std::vector<uint8_t> ends(5, 0);
    std::vector<float> sigma(3);
    OdcnWindowReturns(rewards, ends, 3, 0.5, sigma);
    EXPECT_EQ(sigma, (std::vector<float>{3, 6, 4}));
}

TEST(OdcnReturns, WindowStopsAtAnEpisodesEnd)
{
    const std::vector<float> rewards{1, 2, 4, 8};
    const std::vector<uint8_t> ends{0, 1, 0, 0};
    std::vector<float> sigma(3);
    OdcnWindowReturns(rewards, ends, 3, 0.5, sigma);
    EXPECT_EQ(sigma, (std::vector<float>{2, 2, 8}));
}

TEST(OdcnReturns, GaeWorkedByHand)
{
    // gamma = 0.5, lambda = 0.5; deltas 1 + 2/2 - 1 = 1, 0 + 4/2 - 2 = 0, 3 + 2/2 - 4 = 0.
    const std::vector<float> rewards{1, 0, 3};
    const std::vector<float> values{1, 2, 4, 2};
    std::vector<float> advantages(3);
    OdcnGaeAdvantages(rewards, std::vector<uint8_t>{0, 0, 0}, values, 0.5, 0.5, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{1, 0, 0}));
    // With the end after the second: its delta is 0 - 2, and the first gets a quarter of that.
    OdcnGaeAdvantages(rewards, std::vector<uint8_t>{0, 1, 0}, values, 0.5, 0.5, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{0.5F, -2, 0}));
}

TEST(OdcnReturns, GaeHoldsTheReturnsOfMultiStepTd)
{
    // gamma = 0.5. To the end of the batch: 1 + 2/2 + 4/4 + 8/8 = 4, 2 + 4/2 + 8/4 = 6, 4 + 8/2
    // = 8.
    const std::vector<float> rewards{1, 2, 4};
    const std::vector<float> values{3, 5, 6, 8};
    const std::vector<uint8_t> ends(3, 0);
    std::vector<float> advantages(3);
    OdcnGaeAdvantages(rewards, ends, values, 0.5, 1.0, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{4 - 3, 6 - 5, 8 - 6}));
    // One step: 1 + 5/2 - 3, 2 + 6/2 - 5, 4 + 8/2 - 6.
    OdcnGaeAdvantages(rewards, ends, values, 0.5, 0.0, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{0.5F, 0, 2}));
}

TEST(OdcnReturns, NormalizeToMeanZeroDeviationOne)
{
    std::vector<float> a{1, 3, 5, 7};
    OdcnNormalize(a);
    EXPECT_NEAR(a[0], -3 / std::sqrt(5.0), 1e-6);
    EXPECT_NEAR(a[3], 3 / std::sqrt(5.0), 1e-6);
    std::vector<float> equal{2, 2};
    OdcnNormalize(equal);
    EXPECT_EQ(equal, (std::vector<float>{0, 0}));
}

TEST(OdcnReturns, PolicyLossIsEquationFour)
{
    // pi = (3/4, 1/4): log pi(1) = -log 4; entropy = log 4 - (3/4) log 3.
    std::vector<float> pi(2);
    OdcnSoftmax(std::vector<float>{std::log(3.0F), 0.0F}, {}, pi);
    EXPECT_NEAR(pi[0], 0.75, 1e-6);
    std::vector<float> d(2);
    const auto term = OdcnPolicyLoss(pi, 1, 2.0, 0.1, 1.0, d);
    const double entropy = std::log(4.0) - 0.75 * std::log(3.0);
    EXPECT_NEAR(term.entropy, entropy, 1e-6);
    EXPECT_NEAR(term.loss, 2.0 * std::log(4.0) - 0.1 * entropy, 1e-6);
}

TEST(OdcnReturns, PolicyGradientIsTheDerivative)
{
    const std::vector<float> logits{0.3F, -1.2F, 0.8F, 2.0F, 0.1F};
    const std::vector<uint8_t> mask{1, 1, 0, 1, 1};
    auto loss = [&](const std::vector<float>& l, std::vector<float>& d)
    {
        std::vector<float> pi(l.size());
        OdcnSoftmax(l, mask, pi);
        EXPECT_EQ(pi[2], 0.0F);
        return OdcnPolicyLoss(pi, 1, -1.7, 0.3, 1.0, d).loss;
    };
    std::vector<float> d(5);
    std::vector<float> unused(5);
    loss(logits, d);
    for (std::size_t a = 0; a < logits.size(); ++a)
    {
        auto up = logits;
        auto down = logits;
        up[a] += 0.01F;
        down[a] -= 0.01F;
        EXPECT_NEAR(d[a], (loss(up, unused) - loss(down, unused)) / 0.02, 2e-4) << a;
    }
}

TEST(OdcnReturns, MaskOfNothingMasksNothing)
{
    const std::vector<float> logits{0, 1, 0};
    const std::vector<uint8_t> none{0, 0, 0};
    std::vector<float> pi(3);
    OdcnSoftmax(logits, none, pi);
    EXPECT_GT(pi[0], 0.0F);
    EXPECT_EQ(OdcnArgMax(logits, none), 1U);
    EXPECT_EQ(OdcnArgMax(logits, std::vector<uint8_t>{0, 0, 1}), 2U);
}

TEST(OdcnReturns, RouletteFollowsTheProbabilities)
{
    const std::vector<float> pi{0.25F, 0.0F, 0.5F, 0.25F};
    EXPECT_EQ(OdcnRoulette(pi, 0.0), 0U);
    EXPECT_EQ(OdcnRoulette(pi, 0.24), 0U);
    EXPECT_EQ(OdcnRoulette(pi, 0.25), 2U);
    EXPECT_EQ(OdcnRoulette(pi, 0.74), 2U);
    EXPECT_EQ(OdcnRoulette(pi, 0.76), 3U);
    EXPECT_EQ(OdcnRoulette(pi, 0.99999999), 3U);
}
