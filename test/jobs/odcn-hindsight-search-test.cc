// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The search in hindsight: the optimum of a small problem, the same value when the problem itself
 * is decided, and experiments with it.
 */

#include "icci-test-system.h"
#include "odcn-stub-problem.h"

#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-hindsight-search.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint32_t ITEMS = 12;
constexpr double ROOM = 3;

/// A knapsack: each item is left (0) or taken (1) as it comes. The sizes are unknown until then.
class Knapsack : public StubProblem
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::odcn::Knapsack").SetParent<DecisionProblem>().AddConstructor<Knapsack>();
        return tid;
    }

    Knapsack()
        : StubProblem(2, {1})
    {
    }

    void Observe(float* out) const override
    {
        *out = static_cast<float>(sizes[m_at]);
    }

    void Mask(uint8_t* out) const override
    {
        out[0] = 1;
        out[1] = m_used + sizes[m_at] <= ROOM;
    }

    void Act(uint32_t action) override
    {
        RequireAction(action);
        const bool taken = action == 1 && m_used + sizes[m_at] <= ROOM;
        m_used += taken ? sizes[m_at] : 0;
        m_worth += taken ? worths[m_at] : 0;
        m_rewards.push_back(static_cast<float>(taken ? worths[m_at] : 0));
        ++m_at;
    }

    bool IsDone() const override
    {
        return m_at == ITEMS;
    }

    void Reset() override
    {
        m_at = 0;
        m_used = m_worth = 0;
        sizes.clear();
        worths.clear();
        for (uint32_t i = 0; i < ITEMS; ++i)
        {
            sizes.push_back(scale * m_random->GetValue(0.1, 1));
            worths.push_back(m_random->GetValue(0, 1));
        }
    }

    std::string GetScoreName() const override
    {
        return "worth left";
    }

    double GetScore() const override
    {
        return ITEMS - m_worth;
    }

    /// @return least score of all choices
    double FindLeast() const
    {
        double most = 0;
        for (uint32_t chosen = 0; chosen < 1U << ITEMS; ++chosen)
        {
            double size = 0;
            double worth = 0;
            for (uint32_t i = 0; i < ITEMS; ++i)
            {
                size += chosen >> i & 1 ? sizes[i] : 0;
                worth += chosen >> i & 1 ? worths[i] : 0;
            }
            most = size <= ROOM ? std::max(most, worth) : most;
        }
        return ITEMS - most;
    }

    std::vector<double> sizes;  //!< of the items
    std::vector<double> worths; //!< of the items
    double scale{1};            //!< factor of the sizes

  private:
    uint32_t m_at{0};  //!< present item
    double m_used{0};  //!< room used
    double m_worth{0}; //!< worth taken
};

NS_OBJECT_ENSURE_REGISTERED(Knapsack);

/// @param words Attributes  @param problem to be decided  @param twin its twin  @return the search
Ptr<HindsightSearch>
MakeSearch(const std::string& words, Ptr<DecisionProblem> problem, Ptr<DecisionProblem> twin)
{
    auto search =
        DynamicCast<HindsightSearch>(DecisionPolicy::Create("ns3::odcn::HindsightSearch" + words));
    search->Configure(*problem);
    search->Configure(*twin);
    search->SetTwin(twin, 0);
    problem->AssignStreams(0);
    search->AssignStreams(100);
    problem->Reset();
    problem->ClearScore();
    search->Reset();
    return search;
}

/// Restores ns-3's run number.
class HindsightSearchTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        RngSeedManager::SetRun(1);
    }
};

TEST_F(HindsightSearchTest, FindsTheOptimumOfASmallProblem)
{
    int worse = 0;
    int optimal = 0;
    for (uint64_t run = 1; run <= 10; ++run)
    {
        RngSeedManager::SetRun(run);
        auto problem = CreateObject<Knapsack>();
        auto search =
            MakeSearch("[Evaluations=3000|Temperature=0.1]", problem, CreateObject<Knapsack>());
        problem->RunEpisode(*search);
        EXPECT_DOUBLE_EQ(problem->GetScore(), search->GetBestObjective());
        EXPECT_GE(search->GetBestObjective(), problem->FindLeast() - 1e-9) << run;
        optimal += search->GetBestObjective() < problem->FindLeast() + 1e-9;
        worse += search->GetStartObjective() > search->GetBestObjective() + 1e-9;
    }
    EXPECT_GE(optimal, 8);
    // A random start is not the optimum of a choice among hundreds.
    EXPECT_GE(worse, 9);
}

TEST_F(HindsightSearchTest, MinimisesWhatItsObjectiveSays)
{
    const auto run = [](const std::string& words)
    {
        auto problem = CreateObject<Knapsack>();
        auto search = MakeSearch(words, problem, CreateObject<Knapsack>());
        problem->RunEpisode(*search);
        return std::pair(search->GetBestObjective(), problem->GetScore());
    };
    const auto score = run("[Evaluations=500]");
    EXPECT_EQ(run("[Evaluations=500]"), score) << "same streams, same result";
    // The sum of the rewards is the worth.
    const auto reward = run("[Evaluations=500|Objective=-1*reward]");
    EXPECT_NEAR(reward.first, reward.second - ITEMS, 1e-5);
    const auto both = run("[Evaluations=500|Objective=score+3*worth_left]");
    EXPECT_NEAR(both.first, 4 * both.second, 1e-9);
    // The least worth is none.
    EXPECT_EQ(run("[Evaluations=500|Objective=reward]").second, ITEMS);
    // One evaluation is that of Start.
    EXPECT_GT(run("[Evaluations=1]").first, score.first);
}

TEST_F(HindsightSearchTest, RefusesNonsense)
{
    auto problem = CreateObject<Knapsack>();
    for (const char* words : {"[Objective=worth]",
                              "[Objective=score+]",
                              "[Objective=x*score]",
                              "[Start=ns3::odcn::HindsightSearch]",
                              "[Start=nothing]"})
    {
        auto search = DecisionPolicy::Create(std::string("ns3::odcn::HindsightSearch") + words);
        EXPECT_THROW(search->Configure(*problem), OdcnError) << words;
    }
    problem->Reset();
    auto alone = DecisionPolicy::Create("ns3::odcn::HindsightSearch");
    alone->Configure(*problem);
    EXPECT_THROW(alone->Decide(*problem), OdcnError);
}

TEST_F(HindsightSearchTest, IsARowOfAnExperimentAndNoRule)
{
    Experiment experiment;
    experiment.AddCase({}, []() { return CreateObject<Knapsack>(); });
    experiment.SetReplications(5);
    experiment.AddPolicy("random", "ns3::odcn::RandomPolicy");
    experiment.AddPolicy("known", "ns3::odcn::HindsightSearch[Evaluations=3000|Temperature=0.1]");
    experiment.Measure();
    EXPECT_EQ(experiment.GetBestRule()->choice.name, "random");
    EXPECT_LT(experiment.GetEstimate("known", "worth_left").mean,
              experiment.GetEstimate("random", "worth_left").mean);
    for (uint64_t run = 1; run <= 5; ++run)
    {
        RngSeedManager::SetRun(run);
        Knapsack day;
        day.AssignStreams(0);
        day.Reset();
        const auto& row = experiment.GetRows()[1].observations.Get()[run - 1];
        EXPECT_NEAR(row.values[0].Get(), day.FindLeast(), 1e-9) << run;
    }
    experiment.SetBatches(2);
    EXPECT_THROW(experiment.Check(), OdcnError) << "the search is about one batch";
}

TEST_F(HindsightSearchTest, PlansTheTrialThatAHookHasChanged)
{
    // Without the hook on the twin, it would plan for other sizes than it meets.
    const auto run = [](Experiment::HookScope scope)
    {
        RngSeedManager::SetRun(1);
        uint64_t counted = 0;
        uint64_t others = 0;
        Experiment experiment;
        experiment.AddCase({}, []() { return CreateObject<Knapsack>(); });
        experiment.SetReplications(3);
        experiment.AddPolicy("known",
                             "ns3::odcn::HindsightSearch[Evaluations=3000|Temperature=0.1]");
        experiment.SetProcesses(1);
        experiment.SetBegun(
            [&](const Experiment::Trial& trial)
            {
                ++(trial.counts ? counted : others);
                dynamic_cast<Knapsack&>(trial.problem).scale = 2;
            },
            scope);
        experiment.Measure();
        EXPECT_EQ(counted, 3U);
        EXPECT_EQ(others, 3U);
        for (uint64_t run = 1; run <= 3; ++run)
        {
            RngSeedManager::SetRun(run);
            Knapsack day;
            day.scale = 2;
            day.AssignStreams(0);
            day.Reset();
            const auto& row = experiment.GetRows()[0].observations.Get()[run - 1];
            EXPECT_NEAR(row.values[0].Get(), day.FindLeast(), 1e-9) << run;
        }
    };
    run(Experiment::HookScope::ALL);
    run(Experiment::HookScope::NONE);
}

TEST_F(HindsightSearchTest, PlansJobsOfAnEndlessProblem)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(4));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(6));
    helper.SetNetworkAttribute("OcsCount", UintegerValue(2));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
    helper.SetJobAttribute("Pattern", StringValue("full-mesh"));
    const auto make = [&helper]() { return helper.CreateProblem(9); };
    Experiment experiment;
    experiment.AddCase({}, make);
    experiment.SetJobs(60, 20);
    experiment.SetReplications(2);
    experiment.AddPolicy("rule", "odcn-score");
    experiment.AddPolicy("known", "hindsight[Evaluations=300]");
    experiment.Measure();
    for (std::size_t run = 0; run < 2; ++run)
    {
        const auto& rule = experiment.GetRows()[0].observations.Get()[run];
        const auto& known = experiment.GetRows()[1].observations.Get()[run];
        EXPECT_EQ(rule.tally.offered, 60U);
        EXPECT_EQ(known.tally.offered, 60U);
        EXPECT_LT(known.values[0].Get(), rule.values[0].Get());
    }
}

TEST_F(HindsightSearchTest, PlansMigrationsByTaskAndQuestion)
{
    const auto make = []()
    {
        IcciHelper helper;
        helper.SetMesh(MakeBayMesh());
        helper.SetTideAttribute("Remember", UintegerValue(1));
        return helper.CreateProblem();
    };
    auto problem = make();
    auto search = MakeSearch("[Start=greedy|Evaluations=80|Temperature=0|"
                             "Objective=hot_blocks+2*moved_workers]",
                             problem,
                             make());
    std::vector<uint64_t> keys;
    while (!problem->IsDone())
    {
        keys.push_back(problem->GetDecisionKey());
        problem->Act(search->Decide(*problem));
    }
    const auto values = problem->MeasureFigures();
    const auto figures = problem->GetFigures();
    ASSERT_EQ(figures[1].name, "hot_blocks");
    ASSERT_EQ(figures[5].name, "moved_workers");
    // The twin has told what happens.
    EXPECT_EQ(values[1].Get() + 2 * values[5].Get(), search->GetBestObjective());
    EXPECT_LT(search->GetBestObjective(), search->GetStartObjective());
    const auto count = keys.size();
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    EXPECT_EQ(keys.size(), count);
    EXPECT_EQ(static_cast<uint32_t>(keys.front()), 0U) << "the first question about a task";
}

} // namespace
