// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * DecisionProblem::SetReward(): the function sees every outcome of every problem once, its numbers
 * agree with the figures of merit, and what it writes is what TakeRewards() returns.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-problems.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// What a function saw.
struct Seen
{
    std::size_t decisions{0};               //!< whose rewards it was given
    uint64_t placed{0};                     //!< jobs
    std::map<std::string, uint64_t> causes; //!< of those not placed
    double reconfigurations{0};             //!< sum
    uint64_t latencies{0};                  //!< outcomes with a latency
    double rewards{0};                      //!< sum of the problem's own
};

/// Let a rule decide.
/// @param problem to be decided, reset here  @param rule a policy  @param decisions how many
/// @param [out] rewards taken  @return sum of the rewards
double
Decide(DecisionProblem& problem,
       const std::string& rule,
       uint32_t decisions,
       std::vector<float>& rewards)
{
    const auto choice = PolicyRegistry::Find(problem, rule);
    const auto policy = choice.Create();
    choice.Configure(problem, *policy);
    policy->AssignStreams(Experiment::POLICY_STREAMS);
    problem.AssignStreams(0);
    problem.Reset();
    rewards.clear();
    for (uint32_t i = 0; i < decisions && !problem.IsDone(); ++i)
    {
        problem.Act(policy->Decide(problem));
        problem.TakeRewards(rewards);
    }
    double sum = 0;
    for (const float reward : rewards)
    {
        sum += reward;
    }
    return sum;
}

/// @param [out] seen is filled  @return a function that replaces rewards by their number from 0
DecisionProblem::RewardFunction
Count(Seen& seen)
{
    return [&seen](const DecisionOutcome& outcome, std::span<float> rewards)
    {
        EXPECT_EQ(outcome.decisions, rewards.size());
        EXPECT_EQ(outcome.placed, std::string(outcome.cause).empty());
        outcome.placed ? ++seen.placed : ++seen.causes[outcome.cause];
        seen.reconfigurations += outcome.reconfigurations;
        seen.latencies += !std::isnan(outcome.latencyNs);
        for (float& reward : rewards)
        {
            seen.rewards += reward;
            reward = static_cast<float>(seen.decisions++);
        }
    };
}

} // namespace

/// A problem and a rule.
class OwnRewardTest : public testing::TestWithParam<std::pair<const char*, const char*>>
{
};

TEST_P(OwnRewardTest, SeesAndChangesEveryReward)
{
    const auto [name, rule] = GetParam();
    const uint32_t decisions = 3000;
    std::vector<float> before;
    const double sum = Decide(*CreateProblem(name), rule, decisions, before);
    const auto problem = CreateProblem(name);
    Seen seen;
    problem->SetReward(Count(seen));
    std::vector<float> after;
    Decide(*problem, rule, decisions, after);
    ASSERT_EQ(after.size(), before.size()); // in number and time as without the function
    EXPECT_NEAR(seen.rewards, sum, 1e-9 * std::abs(sum) + 1e-9);
    EXPECT_GT(seen.decisions, 0U);
    float next = 0;
    for (const float reward : after)
    {
        if (reward == next)
        {
            ++next;
        }
    }
    EXPECT_EQ(next, static_cast<float>(seen.decisions));
    const auto causes = problem->GetCauses();
    for (const auto& [cause, count] : seen.causes)
    {
        EXPECT_NE(std::find(causes.begin(), causes.end(), cause), causes.end()) << cause;
    }
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         OwnRewardTest,
                         testing::Values(std::pair("odcn", "odcn-ccf"),
                                         std::pair("rddc", "tetris"),
                                         std::pair("cluster", "sjf"),
                                         std::pair("icci", "greedy"),
                                         std::pair("matching", "random")),
                         [](const auto& info) { return std::string(info.param.first); });

TEST(OwnReward, AgreesWithTheFigures)
{
    OdcnHelper helper;
    const auto problem = helper.CreateProblem(90);
    Seen seen;
    problem->SetReward(Count(seen));
    std::vector<float> rewards;
    Decide(*problem, "odcn-ccf", 30000, rewards);
    const DecisionTally tally = problem->GetTally();
    EXPECT_EQ(seen.placed, tally.accepted);
    EXPECT_EQ(seen.latencies, seen.placed);
    ASSERT_GT(seen.placed, 1000U);
    for (const auto& [cause, count] : tally.blocked)
    {
        EXPECT_EQ(seen.causes[cause], count) << cause;
    }
    const OdcnCounters& counters = problem->GetManager()->GetCounters();
    EXPECT_EQ(seen.reconfigurations, static_cast<double>(counters.changedCircuits));
    EXPECT_GT(seen.reconfigurations, 0);

    // Without the function, the problem's own rewards are back.
    std::vector<float> own;
    std::vector<float> again;
    problem->SetReward(nullptr);
    Decide(*problem, "odcn-ccf", 1000, again);
    Decide(*helper.CreateProblem(90), "odcn-ccf", 1000, own);
    EXPECT_EQ(again, own);
}

TEST(OwnReward, HasAName)
{
    DecisionProblem::RegisterReward("sevens",
                                    [](const DecisionOutcome&, std::span<float> rewards)
                                    { std::fill(rewards.begin(), rewards.end(), 7.0F); });
    const auto problem = OdcnHelper().CreateProblem(90);
    problem->Set("OwnReward", "sevens");
    EXPECT_EQ(GetAttributeOf<StringValue>(*problem, "OwnReward"), "sevens");
    std::vector<float> rewards;
    Decide(*problem, "odcn-ccf", 1000, rewards);
    EXPECT_EQ(std::count(rewards.begin(), rewards.end(), 7.0F), std::ptrdiff_t(rewards.size()));
    EXPECT_REFUSAL(problem->Set("OwnReward", "sevans"),
                   "OwnReward: found 'sevans', expected sevens; did you mean sevens?");
    EXPECT_REFUSAL(DecisionProblem::RegisterReward("sevens", nullptr),
                   "reward sevens: there is a reward of this name already");
    // Another function has no name.
    problem->SetReward(nullptr);
    EXPECT_EQ(GetAttributeOf<StringValue>(*problem, "OwnReward"), "");
}
