// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Migration as a decision problem, the rules that answer it, and what days come to.
 */

#include "icci-test-system.h"

#include "ns3/double.h"
#include "ns3/icci-evaluation.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param name of a scheme  @return its problem on the Bay-Area mesh, ready
Ptr<IcciMigration>
MakeProblem(const std::string& name, const std::string& preset = "stated")
{
    IcciHelper helper;
    helper.SetMesh(MakeBayMesh());
    helper.SetPreset(preset);
    auto problem = helper.CreateProblem(IcciScheme::Find(name), 0);
    problem->Reset();
    return problem;
}

TEST(IcciMigrationTest, HasThePapersSizes)
{
    // K, M, L = 5, 2, 3.
    auto deepHm = MakeProblem("greedy");
    EXPECT_EQ(deepHm->GetObservationSize(), 2U + 4 * 2 * 5);
    EXPECT_EQ(deepHm->GetNActions(), 5U * 2 + 1);
    auto dwa = MakeProblem("greedy-dwa");
    EXPECT_EQ(dwa->GetObservationSize(), 3U + 4 * 2 * 5 + 3 * 5 + 3 * 2);
    EXPECT_EQ(dwa->GetNActions(), 5U * 2 * 3 + 2);
}

TEST(IcciMigrationTest, TellsEachActionByItsFeatures)
{
    using F = IcciMoveFeatures;
    for (const char* name : {"greedy", "greedy-dwa"})
    {
        auto problem = MakeProblem(name);
        problem->SetAttribute("State", StringValue("Moves"));
        const uint32_t n = problem->GetNActions();
        ASSERT_EQ(problem->GetObservationShape(), (std::vector<uint32_t>{F::COUNT, n}));
        std::vector<float> observed(problem->GetObservationSize());
        std::mt19937_64 random(1);
        uint32_t moves = 0;
        while (!problem->IsDone())
        {
            problem->Observe(observed.data());
            const IcciManager& manager = *PeekPointer(problem->GetManager());
            const IcciQuestion& question = manager.GetQuestion();
            const IcciTaskState& task = manager.GetTasks()[question.task];
            for (uint32_t action = 0; action < n; ++action)
            {
                const auto get = [&](uint32_t feature) { return observed[feature * n + action]; };
                const IcciChoice choice = problem->GetChoice(action);
                const bool present = choice.candidate == IcciChoice::PRESENT;
                if (!present && choice.candidate >= question.candidates.size())
                {
                    for (uint32_t f = 0; f < F::COUNT; ++f)
                    {
                        EXPECT_EQ(get(f), 0) << F::GetName(f);
                    }
                    continue;
                }
                const IcciGain gain = manager.GetGain(choice);
                EXPECT_EQ(get(F::PRESENT), present);
                EXPECT_EQ(get(F::MOVE), !present);
                EXPECT_EQ(get(F::MORE), present ? 0 : gain.moved - 1);
                EXPECT_NEAR(get(F::HOT), gain.hot / 10, 1e-5);
                EXPECT_FLOAT_EQ(get(F::USE), static_cast<float>(gain.use));
                EXPECT_FLOAT_EQ(get(F::HOPS), static_cast<float>(gain.hops / 10));
                EXPECT_FLOAT_EQ(get(F::WAVELENGTHS), static_cast<float>(-gain.wavelengths / 4));
                EXPECT_FLOAT_EQ(get(F::TIME), static_cast<float>(manager.GetStart(choice) / 86400));
                EXPECT_EQ(get(F::SLOT), choice.slot);
                EXPECT_EQ(get(F::MOVES_LEFT), 0);
                EXPECT_GT(get(F::HOT_WORKERS), 0);
                if (present)
                {
                    continue;
                }
                // By hand where one worker moves.
                const auto& [left, reached] = question.candidates[choice.candidate].moves.front();
                const uint32_t cus = task.demand.cus;
                double stays = 0;
                double turns = 0;
                double room = 1;
                for (double at = manager.GetStart(choice); at < std::min(task.end, 86400.0);)
                {
                    const double next =
                        std::min({task.end, 86400.0, 3600 * (std::floor(at / 3600) + 1)});
                    const auto load = [&](uint32_t centre, uint32_t held)
                    { return manager.GetForeseenLoad(centre, held, at); };
                    stays += load(left, manager.GetSettled(left) - cus) >= 80 ? next - at : 0;
                    turns += load(reached, manager.GetSettled(reached) + cus) >= 80 ? next - at : 0;
                    room = std::min(room,
                                    0.8 - load(reached, manager.GetSettled(reached) + cus) / 100);
                    at = next;
                }
                if (gain.moved == 1)
                {
                    EXPECT_NEAR(get(F::STAYS_HOT), stays / 36000, 1e-5);
                    EXPECT_NEAR(get(F::TURNS_HOT), turns / 36000, 1e-5);
                    EXPECT_NEAR(get(F::ROOM), room, 1e-5);
                    EXPECT_NEAR(get(F::CROWD), (manager.GetSettled(left) - cus) / 100.0, 1e-5);
                    EXPECT_NEAR(get(F::CUS), cus / 100.0, 1e-5);
                }
                ++moves;
            }
            problem->Act(static_cast<uint32_t>(random() % n));
        }
        EXPECT_GT(moves, 100U);
    }
}

TEST(IcciMigrationTest, ScoresByTheEquations)
{
    for (const char* name : {"greedy", "greedy-dwa"})
    {
        auto problem = MakeProblem(name);
        problem->SetAttribute("Eta", DoubleValue(12));
        IcciEvaluation evaluation;
        evaluation.Run(*problem, *IcciScheme::Find(name).CreatePolicy());
        double cost = 0;
        for (const auto& migration : problem->GetManager()->GetMigrations())
        {
            if (migration.phase == IcciMigrationRecord::COMPLETE)
            {
                IcciGain gain;
                gain.moved = static_cast<double>(migration.moves.size());
                gain.hops = static_cast<double>(migration.hopsBefore) - migration.hopsAfter;
                gain.wavelengths =
                    static_cast<double>(migration.wavelengthsBefore) - migration.wavelengthsAfter;
                cost -= problem->GetReward(gain) / 6;
            }
        }
        const double hot = evaluation.GetDays().front()[IcciEvaluation::HOT_BLOCKS];
        EXPECT_NEAR(problem->GetScore(), (hot + cost) / (22 * 24), 1e-9);
        EXPECT_NE(cost, 0);
    }
}

TEST(IcciMigrationTest, NamesEachActionOnce)
{
    auto dwa = MakeProblem("greedy-dwa");
    EXPECT_EQ(dwa->GetChoice(0).candidate, IcciChoice::STAY);
    EXPECT_EQ(dwa->GetChoice(31).candidate, IcciChoice::PRESENT);
    uint32_t action = 1;
    for (uint32_t k = 0; k < 5; ++k)
    {
        for (uint32_t m = 0; m < 2; ++m)
        {
            for (uint32_t l = 0; l < 3; ++l)
            {
                const IcciChoice choice = dwa->GetChoice(action++);
                EXPECT_EQ(choice.candidate, k);
                EXPECT_EQ(choice.slot, m);
                EXPECT_EQ(choice.links, l);
                EXPECT_TRUE(choice.wider);
            }
        }
    }
    auto deepHm = MakeProblem("greedy");
    EXPECT_EQ(deepHm->GetChoice(10).candidate, 4U);
    EXPECT_EQ(deepHm->GetChoice(10).slot, 1U);
    EXPECT_FALSE(deepHm->GetChoice(10).wider);
}

TEST(IcciMigrationTest, RewardsByTheEquations)
{
    IcciGain gain;
    gain.hot = 3;
    gain.use = 0.5;
    gain.moved = 2;
    gain.hops = 4;
    gain.wavelengths = -1;
    EXPECT_DOUBLE_EQ(MakeProblem("greedy")->GetReward(gain), 6 * 3 + 2 * 0.5 - 2);
    EXPECT_DOUBLE_EQ(MakeProblem("greedy-dwa")->GetReward(gain),
                     6 * 3 + 2 * 0.5 - 2 + 2 * 4 + 2 * 1);
}

TEST(IcciMigrationTest, RewardsEachActionOnceAndInOrder)
{
    for (const char* name : {"greedy", "greedy-dwa"})
    {
        auto problem = MakeProblem(name);
        std::mt19937_64 random(1);
        std::size_t acted = 0;
        std::vector<float> rewards;
        std::vector<float> observed(problem->GetObservationSize());
        std::vector<uint8_t> mask(problem->GetNActions());
        std::vector<double> expected;
        std::vector<uint32_t> numbers;
        while (!problem->IsDone())
        {
            problem->Observe(observed.data());
            for (const float x : observed)
            {
                EXPECT_TRUE(std::isfinite(x) && std::abs(x) < 10);
            }
            problem->Mask(mask.data());
            EXPECT_EQ(mask[0], 1);
            const auto action = static_cast<uint32_t>(random() % problem->GetNActions());
            const IcciChoice choice = problem->GetChoice(action);
            const IcciManager& manager = *PeekPointer(problem->GetManager());
            const bool there = choice.candidate < manager.GetQuestion().candidates.size() ||
                               choice.candidate == IcciChoice::PRESENT;
            expected.push_back(there ? problem->GetReward(manager.GetTrueGain(choice)) : 0);
            const std::size_t before = manager.GetMigrations().size();
            problem->Act(action);
            numbers.push_back(choice.candidate == IcciChoice::STAY ? IcciManager::NO_MIGRATION
                                                                   : static_cast<uint32_t>(before));
            ++acted;
            problem->TakeRewards(rewards);
            EXPECT_LE(rewards.size(), acted);
        }
        ASSERT_EQ(rewards.size(), acted);
        for (std::size_t i = 0; i < acted; ++i)
        {
            const bool done = numbers[i] != IcciManager::NO_MIGRATION &&
                              problem->GetManager()->GetMigrations()[numbers[i]].phase ==
                                  IcciMigrationRecord::COMPLETE;
            EXPECT_FLOAT_EQ(rewards[i], done ? static_cast<float>(expected[i]) : 0.0F);
        }
    }
}

/// @param name of a scheme  @param preset load  @param days how many  @return what it comes to
IcciEvaluation
Evaluate(const std::string& name, const std::string& preset, int days)
{
    auto problem = MakeProblem(name, preset);
    auto policy = IcciScheme::Find(name).CreatePolicy();
    IcciEvaluation evaluation;
    for (int day = 0; day < days; ++day)
    {
        problem->AssignStreams(100 * day);
        evaluation.Run(*problem, *policy);
    }
    return evaluation;
}

TEST(IcciPolicyTest, RulesDoWhatTheySay)
{
    constexpr int DAYS = 12;
    using E = IcciEvaluation;
    const auto none = Evaluate("none", "stated", DAYS);
    const auto nearest = Evaluate("proximity", "stated", DAYS);
    const auto all = Evaluate("full-node", "stated", DAYS);
    const auto greedy = Evaluate("greedy", "stated", DAYS);
    const auto dwa = Evaluate("greedy-dwa", "stated", DAYS);
    // The load that the paper states: about a quarter of the blocks.
    EXPECT_NEAR(none.GetMean(E::HOT_SHARE).mean, 0.25, 0.05);
    EXPECT_EQ(none.GetMean(E::MOVED_WORKERS).mean, 0);
    EXPECT_NEAR(none.GetMean(E::AHEAD_OF_TIME).mean, 0, 1e-9);
    EXPECT_EQ(none.GetMean(E::HOPS).mean, none.GetMean(E::FIRST_HOPS).mean);
    EXPECT_EQ(nearest.GetMean(E::MOVED_WORKERS).mean, nearest.GetMean(E::MIGRATIONS).mean);
    EXPECT_GT(all.GetMean(E::MOVED_WORKERS).mean, nearest.GetMean(E::MOVED_WORKERS).mean);
    EXPECT_LT(greedy.GetChange(E::HOT_BLOCKS, none).mean, -0.1);
    EXPECT_GT(greedy.GetBlocksPerMove(none).mean, all.GetBlocksPerMove(none).mean);
    EXPECT_GT(dwa.GetMean(E::AHEAD_OF_TIME).mean, 0.01);
    EXPECT_LT(dwa.GetMean(E::HOPS).mean, greedy.GetMean(E::HOPS).mean);
    EXPECT_LT(Evaluate("none", "light", DAYS).GetMean(E::HOT_SHARE).mean,
              0.7 * none.GetMean(E::HOT_SHARE).mean);
}

TEST(IcciEvaluationTest, CountsBlocksAsTheyStand)
{
    auto problem = MakeProblem("none");
    IcciEvaluation evaluation;
    evaluation.Run(*problem, *IcciScheme::Find("none").CreatePolicy());
    const IcciPool& pool = problem->GetManager()->GetPool();
    ASSERT_EQ(pool.GetNBlocks(), 24U);
    double hot = 0;
    double use = 0;
    double n = 0;
    for (uint32_t centre = 0; centre < 22; ++centre)
    {
        for (std::size_t block = 0; block < 24; ++block)
        {
            hot += pool.GetBlockUse(centre, block) >= 80;
            if (problem->GetAreas()[centre] == IcciArea::RESIDENTIAL)
            {
                use += pool.GetBlockUse(centre, block) / 100;
                ++n;
            }
        }
    }
    const auto& day = evaluation.GetDays().front();
    EXPECT_EQ(day[IcciEvaluation::HOT_BLOCKS], hot);
    EXPECT_DOUBLE_EQ(day[IcciEvaluation::HOT_SHARE], hot / (22 * 24));
    EXPECT_NEAR(day[IcciEvaluation::USE_RESIDENTIAL], use / n, 1e-12);
    EXPECT_EQ(day[IcciEvaluation::HOT_BUSINESS] + day[IcciEvaluation::HOT_RESIDENTIAL] +
                  day[IcciEvaluation::HOT_OTHER],
              hot);
    EXPECT_DOUBLE_EQ(problem->GetScore(), hot / (22 * 24));
}

TEST(IcciSchemeTest, TakesLinearPoliciesTrainedForIt)
{
    const std::string files = std::string(ODCN_DATA_DIR) + "/linear-icci";
    for (const char* name : {"linear", "linear-dwa"})
    {
        const auto scheme = IcciScheme::Find(name);
        const auto configure = [&](const std::string& file)
        {
            auto problem = MakeProblem(name);
            auto policy = scheme.CreatePolicy();
            policy->SetAttribute("File", StringValue(file));
            scheme.Configure(*problem, *policy);
            EXPECT_LT(policy->Decide(*problem), problem->GetNActions());
        };
        const std::string dwa = files + "-dwa.json";
        EXPECT_NO_THROW(configure(scheme.wavelengths ? dwa : files + ".json"));
        EXPECT_THROW(configure(scheme.wavelengths ? files + ".json" : dwa), OdcnError);
    }
}

TEST(IcciSchemeTest, IsFoundByName)
{
    EXPECT_EQ(IcciScheme::Find("greedy@6").outlook, 6);
    EXPECT_EQ(IcciScheme::Find("linear-dwa").state, "Moves");
    EXPECT_TRUE(IcciScheme::Find("linear-dwa").wavelengths);
    EXPECT_EQ(IcciScheme::Find("linear").policy, ODCN_LINEAR_POLICY);
    const IcciScheme own = IcciScheme::Find("greedy-dwa[Moved=3|Hops=1]@6");
    EXPECT_EQ(own.name, "greedy-dwa[Moved=3|Hops=1]@6");
    EXPECT_EQ(own.policy, "ns3::odcn::IcciGreedyPolicy[Hops=1|Moved=3]");
    EXPECT_TRUE(own.wavelengths);
    EXPECT_EQ(own.outlook, 6);
    EXPECT_THROW(IcciScheme::Find("greedy[Moved=-1]"), OdcnError);
    EXPECT_EQ(IcciScheme::Find("deephm-dwa").state, "Paper");
    EXPECT_EQ(IcciScheme::Find("deephm-dwa").policy, ODCN_AGENT_POLICY);
    EXPECT_THROW(IcciScheme::Find("deephm-dwa-paper"), OdcnError);
    EXPECT_EQ(IcciScheme::Find("ns3::odcn::IcciGreedyPolicy[Moved=3]").search, "Swap");
    EXPECT_THROW(IcciScheme::Find("magic"), OdcnError);
    EXPECT_THROW(IcciScheme::Find("greedy@25"), OdcnError);
    EXPECT_THROW(IcciScheme::Find("ns3::odcn::IcciGreedyPolicy[Moved=-1]"), OdcnError);
    IcciHelper helper;
    EXPECT_THROW(helper.SetPreset("dark"), OdcnError);
    EXPECT_THROW(helper.SetMesh(std::make_shared<const OtnMesh>(
                     std::vector<OtnSite>{{"a", "a", 0, 0}, {"b", "b", 0, 0}},
                     std::vector<OtnLink>{{0, 1, 10, 40}})),
                 OdcnError);
}

} // namespace
