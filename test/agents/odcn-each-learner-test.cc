// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Properties of all gradient-based learners: they learn, can be resumed and repeated,
 * train user-defined networks and losses, and stop with an error where learning is impossible.
 */

#include "odcn-agent-toy.h"

#include "ns3/odcn-a2c-learner.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/odcn-ppo-learner.h"
#include "ns3/odcn-reinforce-learner.h"
#include "ns3/odcn-rollout.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A fault, from the time at which it is set.
enum class NetworkFault
{
    NONE,        //!< Nothing
    NAN_LOGITS,  //!< Logits are not finite
    NAN_VALUES,  //!< Values are not finite
    WIDE_LOGITS, //!< One logit too many
    TALL_VALUES, //!< Values [n, 1]
    NAN_REWARD,  //!< Rewards are not finite
    TWO_REWARDS, //!< Two rewards for one decision
    NAN_LOSS,    //!< The loss is not finite
    NO_LOSS,     //!< The loss depends on no parameter
    INF_SLOPE    //!< the loss is finite, its gradient is not
};

NetworkFault g_fault = NetworkFault::NONE; //!< present fault

/// Sets a fault during its lifetime.
struct FaultGuard
{
    /// @param fault from now on
    explicit FaultGuard(NetworkFault fault)
    {
        g_fault = fault;
    }

    ~FaultGuard()
    {
        g_fault = NetworkFault::NONE;
    }
};

/// A user-defined network.
struct ToyNet : ActionNetwork<16>
{
    using ActionNetwork::ActionNetwork;
};

ODCN_REGISTER_NETWORK(ToyNet)

/// The same with faults.
struct FaultyNet : ToyNet
{
    using ToyNet::ToyNet;

    PolicyOutput forward(torch::Tensor x) override
    {
        auto out = ToyNet::forward(x);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        switch (g_fault)
        {
        case NetworkFault::NAN_LOGITS:
            return {out.logits * nan, out.values};
        case NetworkFault::NAN_VALUES:
            return {out.logits, out.values * nan};
        case NetworkFault::WIDE_LOGITS:
            return {torch::cat({out.logits, out.values.unsqueeze(1)}, 1), out.values};
        case NetworkFault::TALL_VALUES:
            return {out.logits, out.values.unsqueeze(1)};
        default:
            return out;
        }
    }
};

ODCN_REGISTER_NETWORK(FaultyNet)

/// A toy with faults.
class FaultyToy : public ToyProblem
{
  public:
    using ToyProblem::ToyProblem;

    void TakeRewards(std::vector<float>& out) override
    {
        const std::size_t before = out.size();
        ToyProblem::TakeRewards(out);
        if (out.size() > before && g_fault == NetworkFault::NAN_REWARD)
        {
            out.back() = std::numeric_limits<float>::quiet_NaN();
        }
        if (out.size() > before && g_fault == NetworkFault::TWO_REWARDS)
        {
            out.push_back(1);
        }
    }
};

/// A learner whose loss has faults.
template <typename T>
class FaultyLearner : public T
{
  protected:
    LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const override
    {
        auto terms = T::ComputeLoss(batch, output);
        switch (g_fault)
        {
        case NetworkFault::NAN_LOSS:
            terms.total = terms.total * std::numeric_limits<double>::quiet_NaN();
            break;
        case NetworkFault::NO_LOSS:
            terms.total = torch::zeros({});
            break;
        case NetworkFault::INF_SLOPE:
            terms.total = terms.total + (output.logits.sum() * 0).sqrt();
            break;
        default:
            break;
        }
        return terms;
    }
};

/// A user-defined learner: A2C with advantages between -1 and 1, and an additional figure.
class BoundedA2c : public A2cLearner
{
  protected:
    LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const override
    {
        TrainingBatch bounded = batch;
        bounded.advantages = batch.advantages.clamp(-1.0, 1.0);
        auto terms = A2cLearner::ComputeLoss(bounded, output);
        terms.figures["bounded"] = batch.advantages.abs().gt(1.0).to(torch::kFloat32).mean();
        return terms;
    }
};

/// A teacher that is right two times in three.
class Wavering : public DecisionPolicy
{
  public:
    uint32_t Decide(const DecisionProblem& problem) override
    {
        const bool right = m_random->GetValue() < 2.0 / 3;
        return right ? dynamic_cast<const ToyProblem&>(problem).Best() : 0;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

  private:
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< for errors
};

const std::string SMALL = "Mlp[layers=1|units=8]";

/// Set Attributes for toys. @param learner with or without Attributes @return the learner
template <typename T>
Ptr<T>
ForToys(const Ptr<T>& learner)
{
    learner->SetEvaluation(Toys(2));
    learner->SetTeacher(CreateObject<ToyOracle>());
    Configure(learner,
              "Threads=1|EvaluationWarmUp=0|EvaluationDecisions=500|Gamma=0.3|"
              "LearningRate=0.01");
    learner->SetAttributeFailSafe("Window", UintegerValue(5));
    learner->SetAttributeFailSafe("EpsilonMin", DoubleValue(1.0));
    learner->SetAttributeFailSafe("UpdateSamples", UintegerValue(16));
    learner->SetAttributeFailSafe("MinibatchSamples", UintegerValue(64));
    learner->SetAttributeFailSafe("Sequences", UintegerValue(2));
    return learner;
}

/// @param words learner  @param network to train  @return a learner with 8 toys
Ptr<Learner>
Make(const std::string& words, const std::string& network)
{
    auto learner = ForToys(Learner::Create(words));
    learner->SetNetwork(network);
    learner->SetProblems(Toys(8, 21));
    return learner;
}

/// Every learner, by its short name.
class EachLearner : public testing::TestWithParam<const char*>
{
  protected:
    /// @param network to train  @return the learner
    static Ptr<Learner> MakeIt(const std::string& network)
    {
        return Make(GetParam(), network);
    }
};

/// @param fault that occurs  @param expected part of the error
struct Failure
{
    NetworkFault fault;   //!< fault that occurs
    const char* expected; //!< part of the error
    bool cloning{true};   //!< whether CloneLearner is affected
    bool reinforce{true}; //!< whether ReinforceLearner is affected
};

/**
 * Train an epoch, then cause a fault: an error, and the learner is unchanged.
 * @param learner of FaultyNet and FaultyToy
 * @param failure fault and error
 */
void
ExpectStop(const Ptr<Learner>& learner, const Failure& failure)
{
    SCOPED_TRACE(failure.expected);
    learner->SetAttribute("EpochDecisions", UintegerValue(700));
    ASSERT_TRUE(learner->Train(700));
    const auto checkpoint = CheckpointBytes(learner);
    const auto parameters = learner->GetParameters();
    const uint64_t decisions = learner->GetDecisions();
    {
        const FaultGuard guard(failure.fault);
        EXPECT_REFUSAL(learner->Train(1400), failure.expected);
    }
    EXPECT_EQ(CheckpointBytes(learner), checkpoint);
    EXPECT_EQ(learner->GetParameters(), parameters);
    EXPECT_EQ(learner->GetDecisions(), decisions);
    EXPECT_TRUE(learner->Train(1400)) << "what was wrong is put right";
    EXPECT_NE(learner->GetParameters(), parameters);
}

} // namespace

TEST_P(EachLearner, Learns)
{
    auto learner = MakeIt("Scorer[hidden=16|valueHidden=16]");
    const double before = learner->Evaluate().score;
    ASSERT_TRUE(learner->Train(40000));
    EXPECT_LT(learner->Evaluate().score, std::min(0.1, before / 4));
}

TEST_P(EachLearner, TrainsUsersNetworks)
{
    auto learner = MakeIt("ToyNet");
    const double before = learner->Evaluate().score;
    // REINFORCE updates once in 336 decisions.
    ASSERT_TRUE(learner->Train(GetParam() == std::string("ReinforceLearner") ? 60000 : 20000));
    EXPECT_LT(learner->Evaluate().score, std::min(0.3, before / 2));
    EXPECT_EQ(learner->GetNetwork()->GetName(), "ToyNet");
    // The saved policy is the trained one.
    const TemporaryPath file("users");
    learner->SaveCheckpoint(file.path, {});
    auto toy = CreateObject<ToyProblem>();
    auto policy = DecisionPolicy::Create("ns3::odcn::AgentPolicy[Checkpoint=" + file.path + "]");
    auto created = learner->CreatePolicy();
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t action = policy->Decide(*toy);
        EXPECT_EQ(created->Decide(*toy), action);
        toy->Act(action);
    }
}

TEST_P(EachLearner, ResumedEqualsUninterrupted)
{
    std::mt19937_64 random(std::string(GetParam()).size());
    const uint64_t stop = 100 + random() % 3500;
    SCOPED_TRACE(stop);
    const auto make = []
    {
        auto learner = MakeIt(SMALL);
        learner->SetTeacher(CreateObject<Wavering>());
        Configure(learner, "EpochDecisions=1000|ScheduleDecisions=3000");
        learner->SetAttributeFailSafe("WarmUpDecisions", UintegerValue(5));
        learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
        return learner;
    };
    ExpectResumable(make, 4500, stop);
}

TEST_P(EachLearner, ResumesCloning)
{
    for (uint32_t passes : {0U, 2U})
    {
        const auto make = [passes]
        {
            auto learner = MakeIt(SMALL);
            learner->SetTeacher(CreateObject<Wavering>());
            Configure(learner,
                      "CloneDecisions=1000|EpochDecisions=500|ClonePasses=" +
                          std::to_string(passes));
            learner->SetAttributeFailSafe("CriticDecisions", UintegerValue(300));
            return learner;
        };
        auto whole = make();
        ASSERT_TRUE(whole->Train(1000));
        const TemporaryPath state("cloning");
        auto first = make();
        first->RequestStop();
        ASSERT_FALSE(first->Train(1000));
        first->SaveState(state.path);
        auto second = make();
        second->LoadState(state.path);
        EXPECT_EQ(second->GetDecisions(), 0U);
        ASSERT_TRUE(second->Train(0)) << "clones alone";
        second->SaveState(state.path);
        auto third = make();
        third->LoadState(state.path);
        EXPECT_EQ(third->GetParameters(), second->GetParameters());
        for (const auto& learner : {first, second, third})
        {
            ASSERT_TRUE(learner->Train(1000));
            ExpectEqual(whole, learner);
        }
    }
}

TEST_P(EachLearner, EqualSeedsGiveEqualNetworks)
{
    const auto train = [](uint32_t threads, int64_t stream)
    {
        // Updates of several shards.
        auto learner = MakeIt(SMALL);
        learner->SetAttribute("Threads", UintegerValue(threads));
        learner->SetAttributeFailSafe("UpdateSamples", UintegerValue(40));
        learner->AssignStreams(stream);
        EXPECT_TRUE(learner->Train(2000));
        return learner;
    };
    const auto first = train(1, 7);
    ExpectEqual(first, train(1, 7));
    EXPECT_NE(first->GetParameters(), train(1, 8)->GetParameters());
    if (GetParam() != std::string("A3cLearner"))
    {
        ExpectEqual(first, train(2, 7));
        ExpectEqual(first, train(3, 7));
    }
    RngSeedManager::SetRun(2);
    EXPECT_NE(first->GetParameters(), train(1, 7)->GetParameters());
    RngSeedManager::SetRun(1);
    ExpectEqual(first, train(1, 7));
}

TEST_P(EachLearner, StopsWhenItDiverges)
{
    // Past the largest float in a few steps.
    for (double rate : {1e6, 1e30})
    {
        auto learner = MakeIt(SMALL);
        learner->SetAttribute("EpochDecisions", UintegerValue(100000));
        learner->SetAttribute("LearningRate", DoubleValue(rate));
        learner->Prepare();
        const auto parameters = learner->GetParameters();
        const auto checkpoint = CheckpointBytes(learner);
        const auto error = GetRefusal([&] { learner->Train(20000); });
        if (rate == 1e6 && error == "")
        {
            // A policy loss alone grows no faster than the logits.
            EXPECT_EQ(GetParam(), std::string("ReinforceLearner"));
            continue;
        }
        EXPECT_TRUE(Has(error, "finite"));
        EXPECT_EQ(learner->GetParameters(), parameters);
        EXPECT_EQ(CheckpointBytes(learner), checkpoint);
        EXPECT_EQ(learner->GetDecisions(), 0U);
        EXPECT_EQ(learner->GetUpdates(), 0U);
    }
}

TEST_P(EachLearner, StopsAtFaultyNetworksAndProblems)
{
    const std::string name = GetParam();
    const Failure failures[] = {{NetworkFault::NAN_LOGITS, "finite"},
                                {NetworkFault::NAN_VALUES, "finite", true, false},
                                {NetworkFault::WIDE_LOGITS, "logits"},
                                {NetworkFault::TALL_VALUES, "values [n]"},
                                {NetworkFault::NAN_REWARD, "reward that is not finite"},
                                {NetworkFault::TWO_REWARDS, "reward every action exactly once"}};
    for (const auto& failure : failures)
    {
        if (name == "ReinforceLearner" && !failure.reinforce)
        {
            continue;
        }
        auto learner = MakeIt("FaultyNet");
        learner->SetProblems(
            ListOf<Ptr<DecisionProblem>>(4, [&](int) { return CreateObject<FaultyToy>(6, 21); }));
        ExpectStop(learner, failure);
    }
}

TEST_P(EachLearner, RefusesWrongCalls)
{
    auto learner = ForToys(Learner::Create(GetParam()));
    const TemporaryPath file("wrong");
    EXPECT_REFUSAL(learner->Train(1), "SetProblems()");
    EXPECT_REFUSAL(learner->SaveState(file.path), "Prepare()");
    learner->SetProblems(Toys(2, 21));
    EXPECT_REFUSAL(learner->Train(1), "SetNetwork()");
    learner->SetNetwork(std::string("Perceptron"));
    EXPECT_REFUSAL(learner->Train(1), "Perceptron");
    learner->SetNetwork("Mlp[size=3]");
    EXPECT_REFUSAL(learner->Train(1), "size");
    learner->SetNetwork(SMALL);
    learner->SetProblems({CreateObject<ToyProblem>(6, 21), CreateObject<ToyProblem>(7, 21)});
    EXPECT_REFUSAL(learner->Train(1), "the problem has 14 numbers and 7 actions");
    ProblemShape shape;
    shape.observation = {4};
    shape.actions = 2;
    learner->SetProblems(Toys(2, 21));
    learner->SetNetwork(PolicyNetwork::Create(SMALL, shape, 1));
    EXPECT_REFUSAL(learner->Train(1), "built for");
    learner = MakeIt(SMALL);
    learner->SetEvaluation({CreateObject<ToyProblem>(5)});
    EXPECT_REFUSAL(learner->Train(1), "the problem has 10 numbers and 5 actions");
    learner->SetEvaluation({});
    EXPECT_REFUSAL(learner->Evaluate(), "SetEvaluation()");
    learner->SetAttribute("Optimizer", StringValue("Newton"));
    learner->SetProblems(Toys(2, 21));
    EXPECT_REFUSAL(learner->Train(1), "Adam, AdamW, RMSprop, SGD or Adagrad");
    for (const char* attribute : {"CloneDecisions", "WarmUpDecisions"})
    {
        learner = MakeIt(SMALL);
        learner->SetTeacher(nullptr);
        if (learner->SetAttributeFailSafe(attribute, UintegerValue(5)))
        {
            EXPECT_REFUSAL(learner->Train(1), attribute);
        }
    }

    // Files of other learners.
    learner = MakeIt(SMALL);
    ASSERT_TRUE(learner->Train(400));
    learner->SaveState(file.path);
    const auto parameters = learner->GetParameters();
    const bool isPpo = GetParam() == std::string("PpoLearner");
    auto other = Make(isPpo ? "A2cLearner" : "PpoLearner", SMALL);
    EXPECT_REFUSAL(other->LoadState(file.path), "another learner");
    for (const auto& network : {std::string("Mlp[layers=1|units=9]"), TOY_SCORER})
    {
        EXPECT_REFUSAL(MakeIt(network)->LoadState(file.path), "another network or problem");
    }
    other = MakeIt(SMALL);
    other->SetProblems({CreateObject<ToyProblem>(5, 21), CreateObject<ToyProblem>(5, 21)});
    other->SetEvaluation({});
    EXPECT_REFUSAL(other->LoadState(file.path), "another network or problem");
    other = MakeIt(SMALL);
    other->SetAttribute("Optimizer", StringValue("Adagrad"));
    EXPECT_REFUSAL(other->LoadState(file.path), "with which the training began");
    EXPECT_EQ(other->GetUpdates(), 0U) << "nothing of it was read";
    auto seldom = MakeIt(SMALL);
    seldom->SetAttribute("EvaluationEpochs", UintegerValue(77));
    EXPECT_REFUSAL(seldom->LoadState(file.path), "EvaluationEpochs=77");
    seldom = MakeIt(SMALL);
    seldom->SetAttribute("ProgressSeconds", DoubleValue(77));
    seldom->LoadState(file.path);
    EXPECT_TRUE(other->Train(400));
    learner->SaveCheckpoint(file.path, {});
    EXPECT_REFUSAL(learner->LoadState(file.path), "not the state of a training");
    EXPECT_REFUSAL(learner->LoadState("/nowhere/state"), "/nowhere/state");
    EXPECT_REFUSAL(learner->SaveCheckpoint("/nowhere/file", {}), "/nowhere/file");
    EXPECT_EQ(learner->GetParameters(), parameters);
}

TEST_P(EachLearner, AnotherNetworkIsAnotherTraining)
{
    auto fresh = MakeIt("ToyNet");
    ASSERT_TRUE(fresh->Train(500));
    auto learner = MakeIt(SMALL);
    ASSERT_TRUE(learner->Train(700));
    learner->SetNetwork("ToyNet");
    EXPECT_EQ(learner->GetDecisions(), 0U);
    ASSERT_TRUE(learner->Train(500));
    EXPECT_EQ(learner->GetParameters(), fresh->GetParameters());
    EXPECT_EQ(CheckpointBytes(learner), CheckpointBytes(fresh));
}

TEST_P(EachLearner, AttributesCountUntilTraining)
{
    const auto train = [](bool early)
    {
        auto learner = MakeIt(SMALL);
        for (int i = 0; i < 2; ++i)
        {
            if (early == (i == 0))
            {
                Configure(learner, "Optimizer=SGD|Momentum=0.5|WeightDecay=0.1");
            }
            learner->Prepare();
        }
        EXPECT_TRUE(learner->Train(500));
        // In the middle of a training, too.
        learner->SetAttribute("WeightDecay", DoubleValue(early ? 0.2 : 0.3));
        EXPECT_TRUE(learner->Train(1000));
        learner->SetAttribute("WeightDecay", DoubleValue(0.2));
        return learner->GetParameters();
    };
    const auto first = train(true);
    EXPECT_EQ(first, train(true));
    EXPECT_NE(first, train(false));
}

INSTANTIATE_TEST_SUITE_P(
    Learners,
    EachLearner,
    testing::Values("A2cLearner", "A3cLearner", "PpoLearner", "ReinforceLearner", "CloneLearner"),
    [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

TEST(GradientLearner, TakesUsersLosses)
{
    auto learner = ForToys(CreateObject<BoundedA2c>());
    learner->SetNetwork("ToyNet");
    learner->SetProblems(Toys(8, 21));
    ASSERT_TRUE(learner->Train(20000));
    EXPECT_LT(learner->Evaluate().score, 0.3);
    EXPECT_EQ(learner->GetFigures().count("bounded"), 1U);
    auto plain = Make("A2cLearner", "ToyNet");
    ASSERT_TRUE(plain->Train(20000));
    EXPECT_NE(plain->GetParameters(), learner->GetParameters());
}

TEST(GradientLearner, StopsAtFaultyLosses)
{
    const std::vector<Ptr<Learner>> learners{CreateObject<FaultyLearner<A2cLearner>>(),
                                             CreateObject<FaultyLearner<PpoLearner>>(),
                                             CreateObject<FaultyLearner<ReinforceLearner>>()};
    for (const auto& learner : learners)
    {
        ForToys(learner);
        learner->SetNetwork("ToyNet");
        learner->SetProblems(Toys(4, 21));
        const Failure failures[] = {{NetworkFault::NAN_LOSS, "the loss is not finite"},
                                    {NetworkFault::NO_LOSS, "depends on the parameters"},
                                    {NetworkFault::INF_SLOPE, "the gradient is not finite"}};
        for (const auto& failure : failures)
        {
            learner->SetNetwork("ToyNet");
            ExpectStop(learner, failure);
        }
    }
}

TEST(GradientLearner, LearnsByEveryOptimizer)
{
    for (const std::string optimizer : {"Adam", "AdamW", "RMSprop", "SGD", "Adagrad"})
    {
        SCOPED_TRACE(optimizer);
        const auto make = [&]
        {
            auto learner = Make("PpoLearner", "ToyNet");
            learner->SetAttribute("Optimizer", StringValue(optimizer));
            learner->SetAttribute("LearningRate", DoubleValue(optimizer == "SGD" ? 0.1 : 0.01));
            Configure(learner,
                      "Momentum=0.5|WeightDecay=1e-4|EpochDecisions=2000|"
                      "ProgressSeconds=0.0");
            return learner;
        };
        auto learner = make();
        const double before = learner->Evaluate().score;
        ASSERT_TRUE(learner->Train(12000));
        EXPECT_LT(learner->Evaluate().score, 0.75 * before);
        ExpectResumable(make, 4000, 3000);
    }
}

TEST(GradientLearner, ClonesWithAndWithoutPasses)
{
    for (const char* name : {"A2cLearner", "PpoLearner", "ReinforceLearner"})
    {
        for (uint32_t passes : {0U, 20U})
        {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(passes));
            auto learner = Make(name, "Scorer[hidden=16|valueHidden=16]");
            auto teacher = CreateObject<ToyOracle>();
            learner->SetTeacher(teacher);
            learner->SetAttribute("CloneDecisions", UintegerValue(passes ? 4000 : 20000));
            learner->SetAttribute("ClonePasses", UintegerValue(passes));
            learner->SetAttribute("CloneLearningRate", DoubleValue(0.01));
            int ended = 0;
            learner->SetProgress(
                [&](const TrainingProgress& p)
                {
                    EXPECT_TRUE(p.cloning);
                    ended += p.epochEnded ? 1 : 0;
                    EXPECT_EQ(p.figures.count("clone_accuracy"), passes ? 1U : 0U);
                });
            ASSERT_TRUE(learner->Train(0));
            EXPECT_EQ(ended, 1);
            EXPECT_EQ(learner->GetDecisions(), 0U);
            EXPECT_EQ(learner->GetUpdates(), 0U);
            EXPECT_LT(learner->Evaluate().score, 0.1);
            const uint64_t asked = teacher->asked;
            EXPECT_GE(asked, passes ? 4000U : 20000U);
            ASSERT_TRUE(learner->Train(0)) << "cloned once";
            EXPECT_EQ(teacher->asked, asked);
        }
    }
}

TEST(GradientLearner, ClonesInItsOwnStates)
{
    auto toy = CreateObject<ToyProblem>(6);
    Rollout rollout({toy}, 1);
    rollout.Restart(1, 100);
    ToyOracle oracle;
    Exploration exploration;
    exploration.teacher = &oracle;
    exploration.ownStates = true;
    exploration.epsilon = 0;
    const auto first = [](const float*, std::size_t n, float* logits)
    {
        for (std::size_t i = 0; i < 6 * n; ++i)
        {
            logits[i] = i % 6 == 0 ? 1.0F : 0.0F;
        }
    };
    rollout.Collect(first, exploration, 300);
    const auto& actions = rollout.Get(0).actions;
    EXPECT_LT(std::count(actions.begin(), actions.end(), 0U), 150) << "the oracle's are recorded";
    EXPECT_GT(toy->GetScore(), 0.5) << "the network's are carried out";

    auto learner = Make("A2cLearner", "Scorer[hidden=16|valueHidden=16]");
    auto teacher = CreateObject<ToyOracle>();
    learner->SetTeacher(teacher);
    Configure(learner, "CloneDecisions=20000|CloneLearningRate=0.01|CloneOwnStates=0.5");
    ASSERT_TRUE(learner->Train(0));
    EXPECT_LT(learner->Evaluate().score, 0.1);
    EXPECT_GE(teacher->asked, 20000U);

    learner = Make("A2cLearner", "Scorer[hidden=16|valueHidden=16]");
    learner->SetTeacher(teacher);
    Configure(learner, "CloneDecisions=4000|ClonePasses=2|CloneOwnStates=0.5");
    EXPECT_THROW(learner->Train(0), OdcnError);
}

TEST(GradientLearner, LearnsTheValueAloneFirst)
{
    for (const char* name : {"A2cLearner", "PpoLearner"})
    {
        for (const auto& words : {TOY_MLP, TOY_SCORER})
        {
            SCOPED_TRACE(std::string(name) + " " + words);
            const ToyProblem toy;
            const auto x = torch::rand({50, 12}, at::make_generator<at::CPUGeneratorImpl>(2));
            const auto learn = [&](uint64_t decisions)
            {
                const auto network = PolicyNetwork::Create(words, ProblemShape(toy), 1);
                const auto before = network->Evaluate(x).logits;
                auto learner = Make(name, words);
                learner->SetNetwork(network);
                Configure(learner,
                          "Gamma=0.95|LearningRate=0.01|CriticDecisions=" +
                              std::to_string(decisions));
                EXPECT_TRUE(learner->Train(0));
                EXPECT_TRUE(torch::equal(before, network->Evaluate(x).logits));
                EXPECT_EQ(learner->GetDecisions(), 0U);
                EXPECT_EQ(learner->GetUpdates(), 0U);
                return learner->GetFigures().at("value_loss");
            };
            EXPECT_LT(learn(40000), learn(1));
        }
    }
}

TEST(GradientLearner, WarmsUpByItself)
{
    auto learner = Make("A2cLearner", "Scorer[hidden=16|valueHidden=16]");
    auto teacher = CreateObject<ToyOracle>();
    learner->SetTeacher(teacher);
    Configure(learner, "WarmUpDecisions=30|WarmUpByTeacher=false");
    ASSERT_TRUE(learner->Train(400));
    EXPECT_EQ(teacher->asked, 0U);
    EXPECT_LT(learner->GetDecisions(), 800U) << "warming up does not count";
}

TEST(Learner, IsCreatedByName)
{
    EXPECT_EQ(Learner::Create("PpoLearner")->GetInstanceTypeId().GetName(),
              "ns3::odcn::PpoLearner");
    EXPECT_EQ(SettingOf(Learner::Create("ns3::odcn::A2cLearner[Gamma=0.25|Window=7]"), "Gamma"),
              "0.25");
    EXPECT_REFUSAL(Learner::Create("SarsaLearner"), "SarsaLearner");
    EXPECT_REFUSAL(Learner::Create("PpoLearner[Window=3]"), "Window");
    EXPECT_REFUSAL(Learner::Create("PpoLearner[Gamma=3]"), "Gamma");
    EXPECT_REFUSAL(Learner::Create("GradientLearner"), "GradientLearner");
    EXPECT_REFUSAL(Learner::Create("AgentPolicy"), "AgentPolicy");
}
