// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-ppo-learner.h"
#include "ns3/odcn-returns.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <torch/autograd.h>
#include <torch/types.h>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string MLP = "ns3::odcn::OdcnMlpNetwork[HiddenLayers=2|HiddenUnits=32]";
const std::string SCORER = "ns3::odcn::OdcnRackScorerNetwork[Hidden=16,16|ValueHidden=16]";

/// @param network its description  @param episode of the toys, 0 for no end  @return for toys
Ptr<OdcnPpoLearner>
MakeLearner(const std::string& network, uint64_t episode = 0)
{
    auto learner = CreateObject<OdcnPpoLearner>();
    learner->SetNetwork(OdcnNetwork::Create(network));
    learner->SetEnvironments(OdcnToys(8, episode));
    learner->SetEvaluation(OdcnToys(2));
    learner->SetAttribute("Gamma", DoubleValue(0.3));
    learner->SetAttribute("LearningRate", DoubleValue(0.003));
    learner->SetAttribute("UpdateSamples", UintegerValue(32));
    learner->SetAttribute("MinibatchSamples", UintegerValue(64));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(2000));
    return learner;
}

/// @param n how many  @return small data centres, with room for nearly all jobs
std::vector<Ptr<OdcnDecisionProblem>>
DataCentres(std::size_t n)
{
    std::vector<Ptr<OdcnDecisionProblem>> out;
    for (std::size_t i = 0; i < n; ++i)
    {
        OdcnHelper helper;
        helper.SetNetworkAttribute("Racks", UintegerValue(8));
        helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
        auto jobs = CreateObject<OdcnJobGenerator>();
        jobs->SetAttribute("Duration", StringValue("ns3::ExponentialRandomVariable[Mean=1]"));
        out.push_back(helper.CreateProblem(jobs, true));
    }
    return out;
}

} // namespace

TEST(OdcnPpoLearner, LearnsWhatComesLate)
{
    auto learner = MakeLearner(SCORER);
    learner->SetAttribute("UseMask", BooleanValue(false));
    learner->SetAttribute("EpochDecisions", UintegerValue(100000));
    learner->Prepare();
    EXPECT_GT(learner->Evaluate(), 0.5);
    ASSERT_TRUE(learner->Train(100000));
    EXPECT_LT(learner->Evaluate(), 0.06);
}

TEST(OdcnPpoLearner, LearnsOverEpisodes)
{
    auto learner = MakeLearner(SCORER, 50);
    learner->SetAttribute("EpochDecisions", UintegerValue(100000));
    ASSERT_TRUE(learner->Train(100000));
    EXPECT_LT(learner->Evaluate(), 0.06);
}

TEST(OdcnPpoLearner, BlocksFewerJobs)
{
    for (const auto& network : {MLP, SCORER})
    {
        auto learner = CreateObject<OdcnPpoLearner>();
        learner->SetNetwork(OdcnNetwork::Create(network));
        learner->SetEnvironments(DataCentres(8));
        learner->SetEvaluation(DataCentres(2));
        // What is infeasible it must learn.
        learner->SetAttribute("UseMask", BooleanValue(false));
        learner->SetAttribute("Gamma", DoubleValue(0.9));
        learner->SetAttribute("RewardScale", DoubleValue(0.05));
        learner->SetAttribute("LearningRate", DoubleValue(0.002));
        learner->SetAttribute("EvaluationWarmUp", UintegerValue(1000));
        learner->SetAttribute("EvaluationDecisions", UintegerValue(10000));
        learner->SetAttribute("EpochDecisions", UintegerValue(100000));
        learner->Prepare();
        EXPECT_GT(learner->Evaluate(), 0.5) << network;
        ASSERT_TRUE(learner->Train(100000));
        EXPECT_LT(learner->Evaluate(), 0.1) << network;
    }
}

TEST(OdcnPpoLearner, NeitherThreadsNorBreaksMatter)
{
    auto make = [](uint32_t threads)
    {
        auto learner = MakeLearner(MLP);
        learner->SetAttribute("EpochDecisions", UintegerValue(2000));
        learner->SetAttribute("ScheduleDecisions", UintegerValue(8000));
        learner->SetAttribute("EvaluationDecisions", UintegerValue(500));
        learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
        learner->SetAttribute("Threads", UintegerValue(threads));
        return learner;
    };
    auto whole = make(1);
    ASSERT_TRUE(whole->Train(8000));

    auto first = make(3);
    first->SetProgress(
        [&](const OdcnTrainingProgress& p)
        {
            // In the middle of the third epoch.
            if (p.epoch == 2 && p.decisions > 4500)
            {
                first->RequestStop();
            }
        });
    ASSERT_FALSE(first->Train(8000));
    const std::string path = testing::TempDir() + "odcn-ppo-" + std::to_string(::getpid());
    first->SaveState(path);
    auto second = make(2);
    second->LoadState(path);
    std::remove(path.c_str());
    EXPECT_GE(second->GetDecisions(), 4000U);
    EXPECT_LT(second->GetDecisions(), 4500U);
    ASSERT_TRUE(second->Train(8000));
    EXPECT_EQ(OdcnParametersOf(whole), OdcnParametersOf(second));
    EXPECT_EQ(whole->GetUpdates(), second->GetUpdates());
}

TEST(OdcnPpoLearner, StepsAsOftenAsItSays)
{
    auto learner = MakeLearner(MLP, 50);
    // 8 x 30 samples, which is 6 minibatches of 40; 3 times through them.
    learner->SetAttribute("UpdateSamples", UintegerValue(30));
    learner->SetAttribute("MinibatchSamples", UintegerValue(40));
    learner->SetAttribute("Passes", UintegerValue(3));
    ASSERT_TRUE(learner->Train(1));
    EXPECT_EQ(learner->GetUpdates(), 18U);
    EXPECT_EQ(learner->GetEpsilon(), 1.0);
}

TEST(OdcnPpoLearner, MovesLittleWhereItClips)
{
    // Many passes over one batch: without a bound they follow it wherever it leads.
    auto entropy = [](double clip)
    {
        auto learner = MakeLearner(MLP);
        learner->SetAttribute("ClipRatio", DoubleValue(clip));
        learner->SetAttribute("Passes", UintegerValue(100));
        double last = 0.0;
        double clipped = 0.0;
        learner->SetProgress(
            [&](const OdcnTrainingProgress& p)
            {
                last = p.entropy;
                clipped = p.clipped;
            });
        learner->Train(1);
        EXPECT_EQ(clipped > 0.1, clip < 1.0) << clip;
        return last;
    };
    EXPECT_GT(entropy(0.1), entropy(1e9) + 0.1);
}

TEST(OdcnReturns, ClippedLossEqualsAutograd)
{
    constexpr double CLIP = 0.2;
    constexpr double BETA = 0.03;
    const std::vector<float> logits{0.3F, -1.0F, 0.8F, 0.1F};
    const std::vector<uint8_t> mask{1, 1, 1, 0};
    const uint32_t action = 2;
    std::vector<float> chances(4);
    OdcnSoftmax(logits, mask, chances);
    int clipped = 0;
    for (double advantage : {1.7, -0.6, 0.0})
    {
        for (double ratio : {0.5, 0.85, 1.0, 1.15, 2.0})
        {
            const double old = chances[action] / ratio;
            std::vector<float> ours(4);
            const auto term =
                OdcnClippedLoss(chances, action, old, advantage, CLIP, BETA, 0.25, ours);
            clipped += term.clipped ? 1 : 0;

            const auto leaf = torch::tensor(logits, torch::kFloat64).requires_grad_(true);
            const auto logs = torch::log_softmax(leaf.slice(0, 0, 3), 0);
            const auto r = torch::exp(logs[action]) / old;
            const auto surrogate =
                torch::min(r * advantage, torch::clamp(r, 1.0 - CLIP, 1.0 + CLIP) * advantage);
            const auto loss = -surrogate + BETA * (torch::exp(logs) * logs).sum();
            (0.25 * loss).backward();
            EXPECT_NEAR(term.loss, loss.item<double>(), 1e-6);
            for (int a = 0; a < 4; ++a)
            {
                EXPECT_NEAR(ours[a], leaf.grad()[a].item<double>(), 1e-6)
                    << advantage << " " << ratio << " " << a;
            }
        }
    }
    // Above the bound with an advantage, below it without.
    EXPECT_EQ(clipped, 2);
}
