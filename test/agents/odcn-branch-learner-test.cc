// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-toy.h"

#include "ns3/odcn-policy-network.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A toy that can be copied, and in which a wrong action loses a job.
class BranchingToy : public ToyProblem
{
  public:
    using ToyProblem::ToyProblem;

    void Act(uint32_t action) override
    {
        const bool right = action == Best();
        ToyProblem::Act(action);
        ++m_decided;
        m_rewards.push_back(0);
        SettleRewards({.placed = right, .cause = "choice"});
        m_rewards.pop_back();
    }

    void Reset() override
    {
        ToyProblem::Reset();
        m_decided = 0;
    }

    Ptr<DecisionProblem> Branch() override
    {
        return CopyObject(Ptr<BranchingToy>(this));
    }

    uint64_t GetNDecided() const override
    {
        return m_decided;
    }

  private:
    uint64_t m_decided{0}; //!< actions so far
};

/// @param settings Attributes
/// @return a learner of such toys
Ptr<Learner>
MakeBranchLearner(const std::string& settings)
{
    auto learner = Learner::Create("BranchLearner[LearningRate=0.01|" + settings + "]");
    learner->SetNetwork("Scorer[hidden=16|valueHidden=16]");
    learner->SetProblems(
        ListOf<Ptr<DecisionProblem>>(8, [](int) { return CreateObject<BranchingToy>(); }));
    learner->SetEvaluation(Toys(2));
    Configure(learner, "EvaluationWarmUp=0|EvaluationDecisions=1000|EpochDecisions=2000");
    return learner;
}

} // namespace

TEST(BranchLearner, LearnsFromWhatFollows)
{
    for (const std::string settings :
         {"AnchorShare=0|Temperature=1", "AnchorShare=0|Branches=3", "AnchorShare=0.02"})
    {
        auto learner = MakeBranchLearner("Share=1|LeastProbability=0|" + settings);
        const double before = learner->Evaluate().score;
        ASSERT_TRUE(learner->Train(12000));
        EXPECT_LT(learner->Evaluate().score, before / 4) << settings;
        EXPECT_LT(learner->GetFigures().at("gain"), 0.2);
    }
}

TEST(BranchLearner, StaysAtItsAnchor)
{
    const auto distance = [](const std::string& settings)
    {
        auto learner = MakeBranchLearner(settings);
        learner->Prepare();
        const auto start = learner->GetNetwork()->Copy();
        EXPECT_TRUE(learner->Train(4000));
        const auto x = torch::rand({200, 12});
        const auto one = start->Evaluate(x).logits.log_softmax(1);
        const auto other = learner->GetNetwork()->Evaluate(x).logits.log_softmax(1);
        return (one.exp() * (one - other)).sum(1).mean().item<double>();
    };
    EXPECT_LT(distance("AnchorShare=1|AnchorWeight=20"), distance("AnchorWeight=0") / 2);
}

TEST(BranchLearner, IsTiedToWhatWasCloned)
{
    // No job is tried, so the anchor is all that is learnt from: its gradient is 0 there.
    const auto make = []
    {
        auto learner = MakeBranchLearner("CloneDecisions=8000|Share=0|AnchorShare=1|Passes=2");
        learner->SetTeacher(DecisionPolicy::Create("ns3::odcn::RandomPolicy"));
        learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
        return learner;
    };
    auto learner = make();
    learner->Prepare();
    const auto untrained = learner->GetNetwork()->Copy();
    ASSERT_TRUE(learner->Train(8000)); // all of them are cloned
    const auto cloned = learner->GetNetwork()->Copy();
    ASSERT_TRUE(learner->Train(8000));
    const auto x = torch::rand({200, 12});
    const auto distance = [&](PolicyNetwork& from)
    {
        const auto one = from.Evaluate(x).logits.log_softmax(1);
        const auto other = learner->GetNetwork()->Evaluate(x).logits.log_softmax(1);
        return (one.exp() * (one - other)).sum(1).mean().item<double>();
    };
    EXPECT_LT(distance(*cloned), distance(*untrained) / 4);
}

TEST(BranchLearner, RefusesOnesOwnRewardAndMixtures)
{
    auto learner = MakeBranchLearner("Share=1");
    const auto problem = CreateObject<BranchingToy>();
    problem->SetReward([](const DecisionOutcome&, std::span<float>) {});
    learner->SetProblems({problem});
    EXPECT_REFUSAL(learner->Train(100), "found a reward of one's own, expected none");
    for (const std::string words :
         {"PpoLearner", "A2cLearner", "ReinforceLearner", "BranchLearner"})
    {
        auto other = Learner::Create(words);
        other->SetNetwork("Mixture[gate=0]");
        other->SetProblems(Toys(2));
        EXPECT_REFUSAL(other->Train(100), "found the network Mixture, whose logits are others");
    }
}

TEST(BranchLearner, ResumedEqualsUninterrupted)
{
    const auto make = []
    {
        auto learner = MakeBranchLearner("Share=0.2");
        learner->SetAttribute("ProgressSeconds", DoubleValue(0.0));
        return learner;
    };
    ExpectResumable(make, 6000, 3300);
}

TEST(BranchLearner, RefusesProblemsWithoutCopies)
{
    auto learner = Learner::Create("BranchLearner[Share=1]");
    learner->SetNetwork(TOY_SCORER);
    learner->SetProblems(Toys(2));
    EXPECT_REFUSAL(learner->Train(100), "this problem cannot be copied");
}

TEST(BranchLearner, LearnsInDataCentres)
{
    const auto train = []
    {
        auto learner = Learner::Create("BranchLearner[UpdateSamples=8|Share=0.5]");
        learner->SetNetwork(TOY_MLP);
        learner->SetProblems(DataCentres(3, 4, 6));
        EXPECT_TRUE(learner->Train(3000));
        EXPECT_GT(learner->GetUpdates(), 0U);
        return learner->GetParameters();
    };
    EXPECT_EQ(train(), train());
}
