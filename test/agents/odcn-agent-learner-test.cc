// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"
#include "odcn-loss-probe.h"

#include "ns3/odcn-a2c-learner.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-problems.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-returns.h"
#include "ns3/odcn-rollout.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param network description  @param n number of environments  @return a learner for toys
Ptr<A2cLearner>
MakeLearner(const std::string& network, std::size_t n, uint64_t episode = 0)
{
    return MakeToyLearner<A2cLearner>(
        network,
        n,
        episode,
        "Window=10|Gamma=0.0|Threads=1|NormalizeAdvantage=true|EpsilonMin=1.0|EntropyWeight=0.003|"
        "LearningRate=0.003");
}

} // namespace

TEST(A2cLearner, LearnsWhatComesLate)
{
    auto learner = MakeLearner(TOY_SCORER, 8);
    learner->SetAttribute("EpochDecisions", UintegerValue(60000));
    ASSERT_TRUE(learner->Train(60000));
    EXPECT_LT(learner->Evaluate().score, 0.05);
}

TEST(A2cLearner, LearnsWithTheNetworksOfThePaper)
{
    auto learner = MakeLearner("Mlp[layers=2|units=64]", 16);
    Configure(learner,
              "UpdateSamples=20|ScheduleDecisions=160000|UseMask=true|"
              "EpochDecisions=160000");
    ASSERT_TRUE(learner->Train(160000));
    EXPECT_LT(learner->Evaluate().score, 0.05);
}

TEST(A2cLearner, LearnsByGaeOverEpisodes)
{
    auto learner = MakeLearner(TOY_SCORER, 8, 50);
    Configure(learner, "Returns=Gae|UpdateSamples=16|Gamma=0.3|EpochDecisions=60000");
    ASSERT_TRUE(learner->Train(60000));
    EXPECT_LT(learner->Evaluate().score, 0.05);
}

TEST(A2cLearner, LearnsByMultiStepTd)
{
    // As in A2cScheduler.
    for (double lambda : {0.0, 1.0})
    {
        auto learner = MakeLearner(TOY_SCORER, 8, 50);
        learner->SetAttribute("GaeLambda", DoubleValue(lambda));
        Configure(learner, "Returns=Gae|UpdateSamples=10|Gamma=0.3|EpochDecisions=60000");
        ASSERT_TRUE(learner->Train(60000));
        EXPECT_LT(learner->Evaluate().score, 0.05) << lambda;
    }
}

TEST(A2cLearner, ClonesATeacher)
{
    auto learner = MakeLearner(TOY_SCORER, 8);
    auto teacher = CreateObject<ToyOracle>();
    learner->SetTeacher(teacher);
    Configure(learner, "CloneDecisions=40000|CloneLearningRate=0.003");
    ASSERT_TRUE(learner->Train(0));
    EXPECT_EQ(learner->GetDecisions(), 0U);
    EXPECT_LT(learner->Evaluate().score, 0.05);
}

TEST(A2cLearner, BeginsWhereTheTeacherWouldBe)
{
    // Four decisions are a toy job and a third: two of the teacher's rewards are delayed.
    auto learner = MakeLearner(TOY_SCORER, 8);
    auto teacher = CreateObject<ToyOracle>();
    learner->SetTeacher(teacher);
    Configure(learner, "EpochDecisions=6000|WarmUpDecisions=4|EvaluationEpochs=5");
    int evaluated = 0;
    learner->SetProgress([&](const TrainingProgress& p) { evaluated += p.evaluated ? 1 : 0; });
    ASSERT_TRUE(learner->Train(60000));
    EXPECT_EQ(teacher->asked, 10U * 8U * 4U);
    EXPECT_EQ(evaluated, 2);
    EXPECT_LT(learner->Evaluate().score, 0.05);
}

TEST(A2cLearner, KeepsTheBest)
{
    auto learner = MakeLearner(TOY_SCORER, 4);
    learner->SetAttribute("EpochDecisions", UintegerValue(6000));
    // A step size that destroys the policy.
    learner->SetAttribute("LearningRate", DoubleValue(0.3));
    double best = 1.0;
    int epochs = 0;
    learner->SetProgress(
        [&](const TrainingProgress& p)
        {
            if (p.epochEnded)
            {
                ++epochs;
                EXPECT_EQ(p.isBest, p.evaluation < best || epochs == 1);
                best = std::min(best, p.evaluation);
                EXPECT_EQ(p.bestScore, best);
            }
        });
    ASSERT_TRUE(learner->Train(30000));
    EXPECT_EQ(epochs, 5);
    const TemporaryPath file("best");
    learner->SaveCheckpoint(file.path, {});
    const auto kept = Checkpoint::Read(file.path);
    EXPECT_EQ(std::stod(kept.provenance.at("score")), best);
    // On other streams, alike in each call, and without changing anything.
    const auto state = learner->GetStateBytes();
    const double fresh = learner->EvaluateKept().score;
    EXPECT_EQ(learner->EvaluateKept().score, fresh);
    EXPECT_NE(fresh, best);
    EXPECT_NEAR(fresh, best, 0.1);
    EXPECT_EQ(learner->GetBest().score, best);
    EXPECT_EQ(learner->GetStateBytes(), state);
    learner->SetAttribute("KeepBest", BooleanValue(false));
    EXPECT_GT(std::abs(learner->EvaluateKept().score - fresh), 1e-9) << "that of the last epoch";
    learner->SaveCheckpoint(file.path, {});
    const auto last = Checkpoint::Read(file.path);
    EXPECT_EQ(last.provenance.count("score"), 0U) << "that of the last epoch is another";
    const auto first = [](const PolicyNetwork& network) { return network.parameters().front(); };
    const auto isLast = [&]
    {
        const auto policy = DynamicCast<AgentPolicy>(learner->CreatePolicy());
        return torch::equal(first(*policy->GetNetwork()), first(*learner->GetNetwork()));
    };
    EXPECT_TRUE(isLast());
    learner->SetAttribute("KeepBest", BooleanValue(true));
    EXPECT_FALSE(isLast());
}

TEST(A2cLearner, ExcludesForbiddenActions)
{
    auto learner = MakeLearner(TOY_MLP, 4);
    auto toys = Toys(4);
    learner->SetProblems(toys);
    learner->SetAttribute("UseMask", BooleanValue(true));
    learner->Train(5000);
    for (const auto& toy : toys)
    {
        EXPECT_EQ(DynamicCast<ToyProblem>(toy)->GetForbidden(), 0U);
    }
    learner = MakeLearner(TOY_MLP, 4);
    toys = Toys(4);
    learner->SetProblems(toys);
    learner->Train(5000);
    EXPECT_GT(DynamicCast<ToyProblem>(toys[0])->GetForbidden(), 10U);
}

TEST(A2cLearner, ThreadsDoNotMatterInDataCentres)
{
    // Rewards of all kinds, and updates that are split into several shards.
    auto train = [](uint32_t threads, const char* latency)
    {
        auto learner = MakeLearner("Scorer[hidden=16]", 1);
        learner->SetProblems(DataCentres(7, 4, 3, latency));
        learner->SetEvaluation({});
        Configure(learner, "UpdateSamples=60|Threads=" + std::to_string(threads));
        learner->Train(6000);
        return learner->GetParameters();
    };
    const auto formula = train(1, "Formula");
    EXPECT_EQ(formula, train(2, "Formula"));
    EXPECT_EQ(formula, train(3, "Formula"));
    const auto packets = train(1, "Packets");
    EXPECT_EQ(packets, train(3, "Packets"));
    EXPECT_NE(packets, formula);
}

TEST(A2cLearner, ResumedEqualsUninterrupted)
{
    auto make = []
    {
        auto learner = MakeLearner(TOY_MLP, 4);
        learner->SetTeacher(CreateObject<ToyOracle>());
        Configure(learner,
                  "CloneDecisions=2000|EpochDecisions=3000|WarmUpDecisions=7|"
                  "ScheduleDecisions=12000|EvaluationDecisions=500|ProgressSeconds=0.0");
        return learner;
    };
    // In the middle of the third epoch.
    ExpectResumable(make, 12000, 7000);
}

TEST(A2cLearner, FollowsAlgorithmOneByDefault)
{
    auto learner = CreateObject<A2cLearner>();
    learner->SetNetwork(TOY_MLP);
    learner->SetProblems(Toys(1));
    EXPECT_EQ(learner->GetEpsilon(), 1.0);
    EXPECT_EQ(learner->GetLearningRate(), 1e-3);
    // The first update needs 2L-1 = 99 complete samples: 33 toy jobs of three, 99 decisions.
    ASSERT_TRUE(learner->Train(99));
    EXPECT_EQ(learner->GetUpdates(), 1U);
    EXPECT_EQ(learner->GetDecisions(), 99U);
    EXPECT_DOUBLE_EQ(learner->GetEpsilon(), 1.0 - 1e-5);
}

TEST(A2cLearner, LowersEpsilonOnceAnUpdate)
{
    auto learner = CreateObject<A2cLearner>();
    learner->SetNetwork(TOY_MLP);
    learner->SetProblems(Toys(1));
    learner->SetAttribute("EpsilonStep", DoubleValue(0.2));
    // 99 decisions for the first update, 51 (to a whole toy job) or 48 for each that follows.
    ASSERT_TRUE(learner->Train(99 + 48));
    EXPECT_EQ(learner->GetUpdates(), 2U);
    EXPECT_DOUBLE_EQ(learner->GetEpsilon(), 0.6);
    ASSERT_TRUE(learner->Train(1000));
    EXPECT_DOUBLE_EQ(learner->GetEpsilon(), 0.5);
}

TEST(Returns, WindowIsEquationTwo)
{
    // L = 3, gamma = 0.5: 1 + 2/2 + 4/4 = 3, 2 + 4/2 + 8/4 = 6, 4 + 8/2 - 16/4 = 4.
    const std::vector<float> rewards{1, 2, 4, 8, -16};
    const std::vector<uint8_t> ends(5, 0);
    std::vector<float> sigma(3);
    WindowReturns(rewards, ends, 3, 0.5, sigma);
    EXPECT_EQ(sigma, (std::vector<float>{3, 6, 4}));
}

TEST(Returns, WindowStopsAtAnEpisodesEnd)
{
    const std::vector<float> rewards{1, 2, 4, 8};
    const std::vector<uint8_t> ends{0, 1, 0, 0};
    std::vector<float> sigma(3);
    WindowReturns(rewards, ends, 3, 0.5, sigma);
    EXPECT_EQ(sigma, (std::vector<float>{2, 2, 8}));
}

TEST(Returns, GaeWorkedByHand)
{
    // gamma = 0.5, lambda = 0.5; deltas 1 + 2/2 - 1 = 1, 0 + 4/2 - 2 = 0, 3 + 2/2 - 4 = 0.
    const std::vector<float> rewards{1, 0, 3};
    const std::vector<float> values{1, 2, 4, 2};
    std::vector<float> advantages(3);
    GaeAdvantages(rewards, std::vector<uint8_t>{0, 0, 0}, values, 0.5, 0.5, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{1, 0, 0}));
    // With the end after the second: its delta is 0 - 2, and the first gets a quarter of that.
    GaeAdvantages(rewards, std::vector<uint8_t>{0, 1, 0}, values, 0.5, 0.5, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{0.5F, -2, 0}));
    // Cut short there, the value 2 of the last state stands for the next: 0 + 2/2 - 2.
    GaeAdvantages(rewards, std::vector<uint8_t>{0, CUT_SHORT, 0}, values, 0.5, 0.5, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{0.75F, -1, 0}));
}

TEST(Rollout, TellsLimitsFromEnds)
{
    const auto collect = [](const std::string& name, const std::string& limit)
    {
        auto problem = CreateProblem(name);
        const auto settings = ObjectText::Parse("problem", "X[" + limit + "]").attributes;
        for (const auto& [attribute, value] : settings)
        {
            problem->Set(attribute, value);
        }
        problem->Reset(); // its size is known then
        Rollout rollout({problem}, 1, Ranks::Alone());
        rollout.Restart(0, 1000);
        auto random = DecisionPolicy::Create("RandomPolicy");
        Exploration byRule;
        byRule.teacher = PeekPointer(random);
        rollout.CollectEpisodes(nullptr, byRule, 0);
        return rollout.Get(0).ends;
    };
    EXPECT_EQ(collect("matching", "Epochs=5"), (std::vector<uint8_t>{0, 0, 0, 0, CUT_SHORT}));
    EXPECT_EQ(collect("rddc", "MaxRequests=3").back(), CUT_SHORT);
    EXPECT_EQ(collect("cluster", "MaxSlots=30").back(), ENDED);
}

TEST(Returns, GaeHoldsTheReturnsOfMultiStepTd)
{
    // gamma = 0.5. To the end of the batch: 1 + 2/2 + 4/4 + 8/8 = 4, 2 + 4/2 + 8/4 = 6, 4 + 8/2
    // = 8.
    const std::vector<float> rewards{1, 2, 4};
    const std::vector<float> values{3, 5, 6, 8};
    const std::vector<uint8_t> ends(3, 0);
    std::vector<float> advantages(3);
    GaeAdvantages(rewards, ends, values, 0.5, 1.0, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{4 - 3, 6 - 5, 8 - 6}));
    // One step: 1 + 5/2 - 3, 2 + 6/2 - 5, 4 + 8/2 - 6.
    GaeAdvantages(rewards, ends, values, 0.5, 0.0, advantages);
    EXPECT_EQ(advantages, (std::vector<float>{0.5F, 0, 2}));
}

TEST(Returns, NormalizeToMeanZeroDeviationOne)
{
    std::vector<float> a{1, 3, 5, 7};
    Normalize(a);
    EXPECT_NEAR(a[0], -3 / std::sqrt(5.0), 1e-6);
    EXPECT_NEAR(a[3], 3 / std::sqrt(5.0), 1e-6);
    std::vector<float> equal{2, 2};
    Normalize(equal);
    EXPECT_EQ(equal, (std::vector<float>{0, 0}));
}

TEST(A2cLearner, PolicyLossIsEquationFour)
{
    // pi = (3/4, 1/4): log pi(1) = -log 4; entropy = log 4 - (3/4) log 3.
    std::vector<float> pi(2);
    Softmax(std::vector<float>{std::log(3.0F), 0.0F}, {}, pi);
    EXPECT_NEAR(pi[0], 0.75, 1e-6);
    auto learner = CreateObject<LossProbe<A2cLearner>>();
    learner->SetAttribute("EntropyWeight", DoubleValue(0.1));
    const auto action = torch::ones({1}, torch::kInt64);
    const auto one = torch::ones({1});
    const TrainingBatch batch{{}, {}, action, one, 3 * one, 2 * one};
    const auto terms =
        learner->ComputeLoss(batch, {torch::tensor({{std::log(3.0F), 0.0F}}), 2.5 * one});
    const double entropy = std::log(4.0) - 0.75 * std::log(3.0);
    EXPECT_NEAR(terms.figures.at("entropy").item<double>(), entropy, 1e-6);
    const double loss = 2.0 * std::log(4.0) - 0.1 * entropy;
    EXPECT_NEAR(terms.figures.at("policy_loss").item<double>(), loss, 1e-6);
    EXPECT_NEAR(terms.figures.at("value_loss").item<double>(), 0.25, 1e-6);
    EXPECT_NEAR(terms.total.item<double>(), loss + 0.25, 1e-6);
}

TEST(A2cLearner, LossIsThatOfPolicyEntropyAndValue)
{
    constexpr double BETA = 0.3;
    constexpr double WEIGHT = 0.5;
    auto learner = CreateObject<LossProbe<A2cLearner>>();
    learner->SetAttribute("EntropyWeight", DoubleValue(BETA));
    learner->SetAttribute("ValueWeight", DoubleValue(WEIGHT));
    const auto samples = MakeSamples();
    ExpectLoss(*learner,
               samples,
               std::vector<double>(samples.size(), 1.0),
               [&](const Sample& sample, double)
               {
                   const auto p = SoftmaxOf(sample);
                   const double error = sample.value - sample.target;
                   return -std::log(p[sample.action]) * sample.advantage - BETA * EntropyOf(p) +
                          WEIGHT * error * error;
               });
}

TEST(Returns, MaskOfNothingMasksNothing)
{
    const std::vector<float> logits{0, 1, 0};
    const std::vector<uint8_t> none{0, 0, 0};
    std::vector<float> pi(3);
    Softmax(logits, none, pi);
    EXPECT_GT(pi[0], 0.0F);
    EXPECT_EQ(ArgMax(logits, none), 1U);
    EXPECT_EQ(ArgMax(logits, std::vector<uint8_t>{0, 0, 1}), 2U);
}

TEST(Returns, SamplingFollowsTheProbabilities)
{
    const std::vector<float> pi{0.25F, 0.0F, 0.5F, 0.25F};
    EXPECT_EQ(SampleAction(pi, 0.0), 0U);
    EXPECT_EQ(SampleAction(pi, 0.24), 0U);
    EXPECT_EQ(SampleAction(pi, 0.25), 2U);
    EXPECT_EQ(SampleAction(pi, 0.74), 2U);
    EXPECT_EQ(SampleAction(pi, 0.76), 3U);
    EXPECT_EQ(SampleAction(pi, 0.99999999), 3U);
}
