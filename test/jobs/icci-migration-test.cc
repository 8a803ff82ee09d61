// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Migration as a decision problem, its rules, and the results of days.
 */

#include "icci-test-system.h"

#include "ns3/icci-move-features.h"
#include "ns3/odcn-observations.h"
#include "ns3/odcn-policy-registry.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param text a policy  @return it with its settings
PolicyChoice
FindIcci(const std::string& text)
{
    return PolicyRegistry::Find("ns3::odcn::IcciMigration", text);
}

/// @param problem at the end of a day  @param figure name  @return its value
double
Measure(const IcciMigration& problem, const std::string& figure)
{
    const auto figures = problem.GetFigures();
    const auto found = std::find_if(figures.begin(),
                                    figures.end(),
                                    [&](const auto& f) { return f.name == figure; });
    return problem.MeasureFigures().at(found - figures.begin()).Get();
}

/// @param name of a policy  @return its problem on the Bay-Area mesh, ready
Ptr<IcciMigration>
MakeProblem(const std::string& name, const std::string& preset = "stated")
{
    IcciHelper helper;
    helper.SetMesh(MakeBayMesh());
    helper.SetPreset(preset);
    auto problem = helper.CreateProblem();
    FindIcci(name).Apply(*problem);
    problem->AssignStreams(0);
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

TEST(IcciMigrationTest, CountsScarceWavelengthsOfItsMesh)
{
    const auto bay = MakeBayMesh();
    std::vector<OtnSite> sites;
    std::vector<OtnLink> links;
    for (uint32_t site = 0; site < bay->GetNSites(); ++site)
    {
        sites.push_back(bay->GetSite(site));
    }
    for (uint32_t link = 0; link < bay->GetNLinks(); ++link)
    {
        links.push_back(bay->GetLink(link));
        links.back().wavelengths = 80;
    }
    IcciHelper helper;
    helper.SetMesh(std::make_shared<OtnMesh>(sites, links));
    auto problem = helper.CreateProblem();
    problem->SetAttribute("State", StringValue("Moves"));
    problem->AssignStreams(0);
    problem->Reset();
    const auto observed = ObservationOf(*problem);
    const uint32_t n = problem->GetNActions();
    const IcciManager& manager = *PeekPointer(problem->GetManager());
    uint32_t rings = 0;
    for (uint32_t action = 1; action < n; ++action)
    {
        const IcciChoice choice = problem->GetChoice(action);
        if (manager.GetQuestion().Has(choice))
        {
            const float scarce = observed[IcciMoveFeatures::SCARCE * n + action];
            EXPECT_FLOAT_EQ(scarce, 1 - static_cast<float>(manager.CountWavelengths(choice)) / 80);
            EXPECT_GE(scarce, 0);
            ++rings;
        }
    }
    EXPECT_GT(rings, 0U);
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
        std::mt19937_64 random(1);
        uint32_t moves = 0;
        while (!problem->IsDone())
        {
            const auto observed = ObservationOf(*problem);
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
                        EXPECT_EQ(get(f), 0) << F::GetNames()[f];
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
                // By hand if one worker moves.
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
        problem->RunEpisode(*FindIcci(name).Create());
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
        const double hot = Measure(*problem, "hot_blocks");
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
        std::vector<double> expected;
        std::vector<uint32_t> numbers;
        while (!problem->IsDone())
        {
            const auto observed = ObservationOf(*problem);
            for (const float x : observed)
            {
                EXPECT_TRUE(std::isfinite(x) && std::abs(x) < 10);
            }
            const auto mask = MaskOf(*problem);
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

/// @param name of a policy  @param preset load  @param days their number  @return the observations
Observations
Evaluate(const std::string& name, const std::string& preset, int days)
{
    auto problem = MakeProblem(name, preset);
    auto policy = FindIcci(name).Create();
    Observations observations(problem->GetFigures());
    for (int day = 0; day < days; ++day)
    {
        problem->AssignStreams(100 * day);
        problem->Reset();
        policy->Reset();
        problem->RunEpisode(*policy);
        observations.Add({1, 0, 0, problem->GetTally(), problem->MeasureFigures()});
    }
    return observations;
}

TEST(IcciPolicyTest, RulesDoWhatTheySay)
{
    constexpr int DAYS = 12;
    const auto none = Evaluate("none", "stated", DAYS);
    const auto nearest = Evaluate("proximity", "stated", DAYS);
    const auto all = Evaluate("full-node", "stated", DAYS);
    const auto greedy = Evaluate("greedy", "stated", DAYS);
    const auto dwa = Evaluate("greedy-dwa", "stated", DAYS);
    // The load of the paper: about a quarter of the blocks are hot.
    EXPECT_NEAR(none.GetEstimate("hot_share").mean, 0.25, 0.05);
    EXPECT_EQ(none.GetEstimate("moved_workers").mean, 0);
    EXPECT_NEAR(none.GetEstimate("ahead_of_time").mean, 0, 1e-9);
    EXPECT_EQ(none.GetEstimate("hops").mean, none.GetEstimate("first_hops").mean);
    EXPECT_EQ(nearest.GetEstimate("moved_workers").mean, nearest.GetEstimate("migrations").mean);
    EXPECT_GT(all.GetEstimate("moved_workers").mean, nearest.GetEstimate("moved_workers").mean);
    EXPECT_LT(greedy.GetChange("hot_blocks", none).mean, -0.1);
    EXPECT_GT(greedy.GetReduction("hot_blocks", "moved_workers", none).mean,
              all.GetReduction("hot_blocks", "moved_workers", none).mean);
    EXPECT_GT(dwa.GetEstimate("ahead_of_time").mean, 0.01);
    EXPECT_LT(dwa.GetEstimate("hops").mean, greedy.GetEstimate("hops").mean);
    EXPECT_LT(Evaluate("none", "light", DAYS).GetEstimate("hot_share").mean,
              0.7 * none.GetEstimate("hot_share").mean);
}

TEST(IcciFiguresTest, CountBlocksAsTheyStand)
{
    auto problem = MakeProblem("none");
    problem->RunEpisode(*FindIcci("none").Create());
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
            if (problem->GetManager()->GetAreas()[centre] == OtnArea::RESIDENTIAL)
            {
                use += pool.GetBlockUse(centre, block) / 100;
                ++n;
            }
        }
    }
    EXPECT_EQ(Measure(*problem, "hot_blocks"), hot);
    EXPECT_DOUBLE_EQ(Measure(*problem, "hot_share"), hot / (22 * 24));
    EXPECT_NEAR(Measure(*problem, "use_residential"), use / n, 1e-12);
    EXPECT_EQ(Measure(*problem, "hot_business") + Measure(*problem, "hot_residential") +
                  Measure(*problem, "hot_other"),
              hot);
    const auto tally = problem->GetTally();
    EXPECT_EQ(tally.offered, tally.accepted + tally.GetBlocked());
    EXPECT_GT(tally.accepted, 0U);
    EXPECT_DOUBLE_EQ(problem->GetScore(), hot / (22 * 24));
}

TEST(IcciFiguresTest, CountNoTaskThatIsStillToCome)
{
    auto problem = MakeProblem("none");
    const auto& tasks = problem->GetManager()->GetTasks();
    uint64_t toCome = 0;
    double ahead = 0;
    double deployed = 0;
    for (const auto& task : tasks)
    {
        const bool isToCome = task.phase == IcciTaskState::TO_COME;
        const bool isDeployed = !isToCome && task.phase != IcciTaskState::BLOCKED;
        toCome += isToCome;
        deployed += isDeployed;
        ahead += isDeployed ? task.GetAheadOfTime() : 0;
    }
    ASSERT_GT(toCome, 0U) << "at the first question";
    ASSERT_GT(deployed, 0);
    EXPECT_DOUBLE_EQ(Measure(*problem, "ahead_of_time"), ahead / deployed);
    EXPECT_LT(Measure(*problem, "ahead_of_time"), 0.01) << "nothing has migrated";
    for (const auto& value : problem->MeasureFigures())
    {
        EXPECT_TRUE(std::isfinite(value.total));
    }
}

TEST(IcciMigrationTest, ForeseesTheTideThatItHas)
{
    // Attributes of the tide change between two days, after the first table was made.
    const auto measure = [](IcciMigration& problem)
    {
        problem.Set("PeakRate", "100");
        problem.Set("Sharpness", "1.5");
        problem.Reset();
        std::vector<double> loads;
        for (uint32_t centre = 0; centre < 22; ++centre)
        {
            loads.push_back(problem.GetManager()->GetForeseenLoad(centre, 10, 12 * 3600.0));
        }
        return loads;
    };
    const auto changed = MakeProblem("greedy");
    const double before = changed->GetManager()->GetForeseenLoad(0, 10, 12 * 3600.0);
    IcciHelper helper;
    helper.SetMesh(MakeBayMesh());
    const auto fresh = helper.CreateProblem();
    FindIcci("greedy").Apply(*fresh);
    const auto expected = measure(*fresh);
    EXPECT_EQ(measure(*changed), expected);
    EXPECT_NE(before, expected[0]);
}

TEST(IcciMigrationTest, RefusesSamplesThatDoNotDivideTheWindow)
{
    for (const std::string step : {"7", "450", "320"})
    {
        auto problem = MakeProblem("none");
        problem->Set("Step", step);
        EXPECT_REFUSAL(problem->Reset(), "Step");
    }
    auto problem = MakeProblem("none");
    problem->Set("Step", "300");
    problem->Reset();
    EXPECT_REFUSAL(problem->Set("Step", "1800"), "Step");
}

TEST(IcciMigrationTest, AQuietDayIsADay)
{
    // Whether there is a question depends on the policy; the days of a run must not.
    std::map<std::string, std::vector<double>> arrivals;
    uint64_t quiet = 0;
    for (const std::string rule : {"none", "greedy", "proximity", "full-node"})
    {
        IcciHelper helper;
        helper.SetMesh(MakeBayMesh());
        helper.SetPreset("light");
        helper.SetTaskAttribute("Tasks", StringValue("ns3::ConstantRandomVariable[Constant=2]"));
        auto problem = helper.CreateProblem();
        const auto choice = FindIcci(rule);
        choice.Apply(*problem);
        const auto policy = choice.Create();
        problem->AssignStreams(0);
        for (int day = 0; day < 12; ++day)
        {
            problem->Reset();
            quiet += problem->IsDone();
            if (!problem->IsDone())
            {
                problem->RunEpisode(*policy);
            }
            arrivals[rule].push_back(problem->GetManager()->GetTasks().front().task.arrival);
        }
        EXPECT_TRUE(problem->ResetToDecision());
        EXPECT_FALSE(problem->IsDone());
    }
    EXPECT_GT(quiet, 0U);
    for (const auto& [rule, days] : arrivals)
    {
        EXPECT_EQ(days, arrivals["none"]) << rule;
    }
}

TEST(IcciChoiceTest, TakesLinearPoliciesTrainedForIt)
{
    const std::string files = std::string(ODCN_DATA_DIR) + "/linear-icci";
    for (const char* name : {"linear", "linear-dwa"})
    {
        const auto choice = FindIcci(name);
        const bool wide = choice.settings.count("Wavelengths") > 0;
        const auto configure = [&](const std::string& file)
        {
            auto problem = MakeProblem(name);
            auto policy = choice.Create();
            policy->SetAttribute("File", StringValue(file));
            choice.Configure(*problem, *policy);
            EXPECT_LT(policy->Decide(*problem), problem->GetNActions());
        };
        const std::string dwa = files + "-dwa.json";
        EXPECT_NO_THROW(configure(wide ? dwa : files + ".json"));
        EXPECT_THROW(configure(wide ? files + ".json" : dwa), OdcnError);
    }
}

TEST(IcciChoiceTest, IsFoundByName)
{
    EXPECT_EQ(FindIcci("greedy@6").settings.at("Outlook"), "6");
    EXPECT_EQ(FindIcci("linear-dwa").settings.at("State"), "Moves");
    EXPECT_EQ(FindIcci("linear-dwa").settings.at("Wavelengths"), "true");
    EXPECT_EQ(FindIcci("linear").words, "ns3::odcn::LinearPolicy");
    const PolicyChoice own = FindIcci("greedy-dwa[Moved=3|Hops=1]@6");
    EXPECT_EQ(own.name, "greedy-dwa[Moved=3|Hops=1]@6");
    EXPECT_EQ(own.words, "ns3::odcn::IcciGreedyPolicy[Hops=1|Moved=3]");
    EXPECT_EQ(own.settings.at("Wavelengths"), "true");
    EXPECT_EQ(own.settings.at("Outlook"), "6");
    EXPECT_THROW(FindIcci("greedy[Moved=-1]"), OdcnError);
    EXPECT_EQ(FindIcci("agent-dwa").words, "ns3::odcn::AgentPolicy");
    EXPECT_THROW(FindIcci("deephm"), OdcnError);
    EXPECT_TRUE(FindIcci("ns3::odcn::IcciGreedyPolicy[Moved=3]").settings.empty());
    EXPECT_THROW(FindIcci("magic"), OdcnError);
    EXPECT_THROW(FindIcci("greedy@25").Apply(*MakeProblem("none")), OdcnError);
    EXPECT_THROW(FindIcci("greedy@noon").Apply(*MakeProblem("none")), OdcnError);
    EXPECT_THROW(FindIcci("ns3::odcn::IcciGreedyPolicy[Moved=-1]"), OdcnError);
    IcciHelper helper;
    EXPECT_THROW(helper.SetPreset("dark"), OdcnError);
    EXPECT_THROW(helper.SetMesh(std::make_shared<const OtnMesh>(
                     std::vector<OtnSite>{{"a", "a", 0, 0}, {"b", "b", 0, 0}},
                     std::vector<OtnLink>{{0, 1, 10, 40}})),
                 OdcnError);
}

} // namespace
