// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"
#include "odcn-loss-probe.h"

#include "ns3/odcn-ppo-learner.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param network description  @param episode of the toys, 0 for no end  @return a learner
Ptr<PpoLearner>
MakePpo(const std::string& network, uint64_t episode = 0)
{
    return MakeToyLearner<PpoLearner>(
        network,
        8,
        episode,
        "Gamma=0.3|LearningRate=0.003|UpdateSamples=32|MinibatchSamples=64|Threads=1");
}

} // namespace

TEST(PpoLearner, LearnsWhatComesLate)
{
    auto learner = MakePpo(TOY_SCORER);
    Configure(learner, "UseMask=false|EpochDecisions=40000");
    learner->Prepare();
    EXPECT_GT(learner->Evaluate().score, 0.5);
    ASSERT_TRUE(learner->Train(40000));
    EXPECT_LT(learner->Evaluate().score, 0.06);
}

TEST(PpoLearner, LearnsOverEpisodes)
{
    auto learner = MakePpo(TOY_SCORER, 50);
    learner->SetAttribute("EpochDecisions", UintegerValue(40000));
    ASSERT_TRUE(learner->Train(40000));
    EXPECT_LT(learner->Evaluate().score, 0.06);
}

TEST(PpoLearner, BlocksFewerJobs)
{
    for (const auto& network : {TOY_MLP, TOY_SCORER})
    {
        auto learner = CreateObject<PpoLearner>();
        learner->SetNetwork(network);
        learner->SetProblems(DataCentres(8, 8, 1));
        learner->SetEvaluation(DataCentres(2, 8, 1));
        learner->AssignStreams(0);
        // It must learn which actions are infeasible.
        Configure(learner,
                  "UseMask=false|Gamma=0.9|RewardScale=0.05|LearningRate=0.002|"
                  "EvaluationWarmUp=1000|EvaluationDecisions=10000|EpochDecisions=60000");
        learner->Prepare();
        EXPECT_GT(learner->Evaluate().score, 0.5) << network;
        ASSERT_TRUE(learner->Train(60000));
        EXPECT_LT(learner->Evaluate().score, 0.1) << network;
    }
}

TEST(PpoLearner, NeitherThreadsNorBreaksMatter)
{
    const uint32_t threads[] = {1, 3, 2};
    const auto make = [&threads, made = 0U]() mutable
    {
        auto learner = MakePpo(TOY_MLP);
        Configure(learner,
                  "EpochDecisions=2000|ScheduleDecisions=8000|EvaluationDecisions=500|"
                  "ProgressSeconds=0.0");
        learner->SetAttribute("Threads", UintegerValue(threads[made++]));
        return learner;
    };
    // In the middle of the third epoch.
    ExpectResumable(make, 8000, 4500);
}

TEST(PpoLearner, StepsAsOftenAsItSays)
{
    auto learner = MakePpo(TOY_MLP, 50);
    // 8 x 30 samples, which is 6 minibatches of 40; 3 passes.
    Configure(learner, "UpdateSamples=30|MinibatchSamples=40|Passes=3");
    ASSERT_TRUE(learner->Train(1));
    EXPECT_EQ(learner->GetUpdates(), 18U);
    EXPECT_EQ(learner->GetEpsilon(), 1.0);
}

TEST(PpoLearner, MovesLittleWhereItClips)
{
    // Many passes over one batch: without clipping the policy moves far.
    auto entropy = [](double clip)
    {
        auto learner = MakePpo(TOY_MLP);
        learner->SetAttribute("ClipRatio", DoubleValue(clip));
        learner->SetAttribute("Passes", UintegerValue(100));
        double last = 0.0;
        double clipped = 0.0;
        learner->SetProgress(
            [&](const TrainingProgress& p)
            {
                last = p.figures.at("entropy");
                clipped = p.figures.at("clipped");
            });
        learner->Train(1);
        EXPECT_EQ(clipped > 0.1, clip < 1.0) << clip;
        return last;
    };
    EXPECT_GT(entropy(0.1), entropy(1e9) + 0.1);
}

TEST(PpoLearner, FiguresKeepTheirNames)
{
    auto learner = MakePpo(TOY_MLP);
    learner->SetTeacher(CreateObject<ToyOracle>());
    Configure(learner,
              "CloneDecisions=1000|ClonePasses=1|EpochDecisions=1000|"
              "EvaluationDecisions=100|ProgressSeconds=0.0");
    const auto names = [](const std::map<std::string, double>& figures)
    {
        std::vector<std::string> out;
        for (const auto& [name, value] : figures)
        {
            EXPECT_TRUE(std::isfinite(value)) << name;
            out.push_back(name);
        }
        return out;
    };
    const std::vector<std::string> expected{"clipped",
                                            "clone_accuracy",
                                            "clone_passes",
                                            "entropy",
                                            "learning_rate",
                                            "policy_loss",
                                            "value_loss"};
    EXPECT_EQ(names(learner->GetFigures()), expected);
    int reports = 0;
    learner->SetProgress(
        [&](const TrainingProgress& p)
        {
            ++reports;
            EXPECT_EQ(names(p.figures), expected);
        });
    ASSERT_TRUE(learner->Train(1000));
    EXPECT_GT(reports, 3);
}

TEST(PpoLearner, LossIsTheClippedSurrogate)
{
    constexpr double CLIP = 0.2;
    constexpr double BETA = 0.03;
    constexpr double WEIGHT = 0.7;
    auto learner = CreateObject<LossProbe<PpoLearner>>();
    learner->SetAttribute("ClipRatio", DoubleValue(CLIP));
    learner->SetAttribute("EntropyWeight", DoubleValue(BETA));
    learner->SetAttribute("ValueWeight", DoubleValue(WEIGHT));
    const auto samples = MakeSamples();
    // Ratios below, within and above the bounds, with positive, negative and zero advantages.
    constexpr double RATIOS[] = {0.5, 0.85, 1.0, 1.15, 2.0};
    std::vector<double> old;
    int clipped = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
    {
        const double ratio = RATIOS[i % 5];
        const double advantage = samples[i].advantage;
        old.push_back(SoftmaxOf(samples[i])[samples[i].action] / ratio);
        clipped += (ratio > 1 + CLIP && advantage > 0) || (ratio < 1 - CLIP && advantage < 0);
    }
    ASSERT_GT(clipped, 1);
    const auto figures =
        ExpectLoss(*learner,
                   samples,
                   old,
                   [&](const Sample& sample, double before)
                   {
                       const auto p = SoftmaxOf(sample);
                       const double ratio = p[sample.action] / before;
                       const double bounded = std::min(std::max(ratio, 1 - CLIP), 1 + CLIP);
                       const double error = sample.value - sample.target;
                       return -std::min(ratio * sample.advantage, bounded * sample.advantage) -
                              BETA * EntropyOf(p) + WEIGHT * error * error;
                   });
    EXPECT_NEAR(figures.at("clipped"), clipped / static_cast<double>(samples.size()), 1e-6);
}
