// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What DecisionProblem promises, for each problem alike: what ClearScore() and Reset() restart,
 * what streams determine, and what copies leave alone.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/cluster-helper.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-problems.h"
#include "ns3/odcn-run-guard.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A problem, and what is specific to it.
struct Contract
{
    const char* name;  //!< for CreateProblem()
    const char* rule;  //!< a rule
    double load;       //!< at which jobs are blocked, too
    bool whole;        //!< whether IsMeasuredWhole()
    bool counts{true}; //!< whether it has a tally
};

/// A problem and a rule.
struct ContractTest : testing::TestWithParam<Contract>
{
    Ptr<DecisionProblem> problem{CreateProblem(GetParam().name, GetParam().load)}; //!< the problem
    Ptr<DecisionPolicy> policy;                                                    //!< decides it
    std::vector<float> rewards;                                                    //!< of Decide()
    uint64_t placed{0};  //!< jobs that the observer saw
    uint64_t blocked{0}; //!< likewise

    ContractTest()
    {
        const auto choice = PolicyRegistry::Find(*problem, GetParam().rule);
        policy = choice.Create();
        choice.Configure(*problem, *policy);
        problem->SetObserver([this](const DecisionOutcome& outcome, std::span<const float>)
                             { ++(outcome.placed ? placed : blocked); });
    }

    /// Begin anew with the same streams.
    void Restart()
    {
        policy->AssignStreams(Experiment::POLICY_STREAMS);
        problem->AssignStreams(0);
        problem->Reset();
    }

    /// Take decisions. @param decisions number, fewer where the episode ends
    void Decide(uint32_t decisions)
    {
        rewards.clear();
        for (uint32_t i = 0; i < decisions && !problem->IsDone(); ++i)
        {
            problem->Act(policy->Decide(*problem));
            problem->TakeRewards(rewards);
        }
    }

    /// @return totals of the figures
    std::vector<double> GetTotals() const
    {
        std::vector<double> totals;
        for (const auto& value : problem->MeasureFigures())
        {
            totals.push_back(value.count > 0 ? value.total : -1);
        }
        return totals;
    }
};

constexpr uint32_t DECISIONS = 2000;

} // namespace

TEST_P(ContractTest, ClearScoreRestartsScoreFiguresAndTally)
{
    Restart();
    Decide(DECISIONS);
    ASSERT_EQ(problem->IsMeasuredWhole(), GetParam().whole);
    const auto before = problem->GetTally();
    if (GetParam().counts)
    {
        EXPECT_GT(before.offered, 0U);
    }
    const auto totals = GetTotals();
    problem->ClearScore();
    EXPECT_EQ(problem->GetScore(), 0);
    const auto cleared = problem->GetTally();
    if (GetParam().whole)
    {
        EXPECT_EQ(cleared.offered, before.offered);
        EXPECT_EQ(GetTotals(), totals);
        return;
    }
    EXPECT_EQ(cleared.accepted + cleared.GetBlocked(), 0U);
    EXPECT_NE(GetTotals(), totals);
    placed = 0;
    blocked = 0;
    Decide(DECISIONS);
    if (GetParam().counts)
    {
        const auto after = problem->GetTally();
        EXPECT_EQ(after.accepted, placed);
        EXPECT_EQ(after.GetBlocked(), blocked);
        EXPECT_GT(placed, 0U);
        EXPECT_GT(blocked, 0U) << "the load is too low";
    }
}

TEST_P(ContractTest, ResetRestartsFiguresAndTallyAndKeepsTheScore)
{
    Restart();
    Decide(DECISIONS);
    const double score = problem->GetScore();
    if (!GetParam().whole)
    {
        EXPECT_NE(score, 0);
    }
    problem->Reset();
    EXPECT_FALSE(problem->IsDone());
    EXPECT_EQ(problem->GetScore(), score);
    placed = 0;
    blocked = 0;
    Decide(DECISIONS / 2);
    if (GetParam().counts && !GetParam().whole)
    {
        const auto tally = problem->GetTally();
        EXPECT_EQ(tally.accepted, placed);
        EXPECT_EQ(tally.GetBlocked(), blocked);
    }
}

TEST_P(ContractTest, StreamsDetermineEverythingAndResetContinuesThem)
{
    Restart();
    Decide(DECISIONS);
    const auto first = rewards;
    const auto totals = GetTotals();
    ASSERT_GT(first.size(), 10U);
    problem->Reset();
    Decide(DECISIONS);
    EXPECT_NE(rewards, first);
    Restart();
    Decide(DECISIONS);
    EXPECT_EQ(rewards, first);
    EXPECT_EQ(GetTotals(), totals);
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         ContractTest,
                         testing::Values(Contract{"odcn", "odcn-ccf", 90, false},
                                         Contract{"rddc", "tetris", 0, false},
                                         Contract{"cluster", "sjf", 0, true},
                                         Contract{"icci", "greedy", 0, true},
                                         Contract{"matching", "random", 0, false, false},
                                         Contract{"training", "least-total", 0, true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ProblemCopies, LeaveObserversAndRewardsOfPacketsAlone)
{
    // Rewards from sampled packets, with and without copies that decide in between.
    std::vector<float> rewards[2];
    for (const bool copies : {false, true})
    {
        const auto problem = CreateProblem("odcn", 90);
        problem->Set("RewardLatency", "Packets");
        problem->Set("RewardPackets", "20");
        const auto policy = DecisionPolicy::Create("OdcnCcfPolicy");
        uint64_t seen = 0;
        problem->SetObserver([&](const DecisionOutcome&, std::span<const float>) { ++seen; });
        problem->AssignStreams(0);
        problem->Reset();
        for (int job = 0; job < 60; ++job)
        {
            if (copies)
            {
                for (const auto& copy : {problem->BranchJob(), problem->Branch()})
                {
                    copy->RunEpisode(*policy, 1);
                }
            }
            problem->RunEpisode(*policy, 1, nullptr, &rewards[copies]);
        }
        EXPECT_EQ(seen, 60U);
    }
    EXPECT_EQ(rewards[0], rewards[1]);
}

TEST(ProblemCopies, TakeTheStreamOfPacketsFromWhereItIsAssigned)
{
    const auto run = [](bool setsBack)
    {
        const RunGuard guard;
        RngSeedManager::SetRun(5);
        const auto problem = CreateProblem("odcn", 90);
        problem->Set("RewardLatency", "Packets");
        problem->Set("RewardPackets", "20");
        const auto policy = DecisionPolicy::Create("OdcnCcfPolicy");
        problem->AssignStreams(0);
        problem->Reset();
        if (setsBack)
        {
            RngSeedManager::SetRun(1);
        }
        std::vector<float> rewards;
        problem->RunEpisode(*policy, 40, nullptr, &rewards);
        return rewards;
    };
    EXPECT_EQ(run(false), run(true));
}

TEST(ProblemsInLockstep, LeaveTheRunOfNs3AsItIs)
{
    const RunGuard guard;
    // run: of the streams
    const auto begin = [](uint64_t run)
    {
        RngSeedManager::SetRun(run);
        const auto problem = CreateProblem("odcn", 90);
        problem->Set("RewardLatency", "Packets");
        problem->Set("RewardPackets", "20");
        problem->AssignStreams(0);
        problem->Reset();
        RngSeedManager::SetRun(3);
        return problem;
    };
    const auto policy = DecisionPolicy::Create("OdcnCcfPolicy");
    std::vector<Episode> episodes{{begin(5), policy}, {begin(6), policy}};
    std::vector<std::vector<float>> together(2);
    for (std::size_t i = 0; i < 2; ++i)
    {
        episodes[i].problem->SetObserver(
            [&to = together[i]](const DecisionOutcome&, std::span<const float> rewards)
            { to.insert(to.end(), rewards.begin(), rewards.end()); });
    }
    DecisionProblem::RunEpisodes(episodes, 40, nullptr);
    EXPECT_EQ(RngSeedManager::GetRun(), 3U);
    EXPECT_NE(together[0], together[1]);
    for (std::size_t i = 0; i < 2; ++i)
    {
        std::vector<float> alone;
        begin(5 + i)->RunEpisode(*policy, 40, nullptr, &alone);
        EXPECT_EQ(together[i], alone) << "problem " << i;
    }
}

TEST(ProblemCopies, OfAClusterAreNotTraced)
{
    ClusterHelper helper;
    const auto problem = helper.CreateProblem(helper.CreateJobs(1.3));
    problem->AssignStreams(0);
    problem->Reset();
    uint64_t scheduled = 0;
    Listen(problem, "Scheduled", [&](const ClusterPlacement&) { ++scheduled; });
    const auto others = helper.CreateJobs(1.3);
    others->AssignStreams(0);
    others->NextSet();
    const auto copy = problem->Clone(others);
    const auto policy = PolicyRegistry::Find(*problem, "sjf").Create();
    copy->RunEpisode(*policy);
    EXPECT_GT(copy->GetTally().accepted, 0U);
    EXPECT_EQ(scheduled, 0U);
}

TEST(Experiments, OfWholeEpisodesHaveNoWarmUp)
{
    Experiment experiment;
    experiment.AddCase({}, [] { return CreateProblem("icci"); });
    experiment.AddPolicy("greedy");
    experiment.SetJobs(10, 5);
    EXPECT_REFUSAL(experiment.Check(), "its figures are those of a whole episode");
}
