// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Deployment, questions and migrations of tasks, complete or not at all, for any choices.
 */

#include "../core/odcn-property.h"
#include "icci-test-system.h"

#include "ns3/enum.h"
#include "ns3/rng-seed-manager.h"

#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param mesh of the centres  @return a manager on it
Ptr<IcciManager>
MakeManager(std::shared_ptr<const OtnMesh> mesh)
{
    auto manager = CreateObject<IcciManager>();
    manager->SetMesh(std::move(mesh));
    manager->SetTide(CreateObject<IcciTide>());
    return manager;
}

/// @param source of the task  @return a task of three workers of 10 CUs and 2 wavelengths
IcciTask
MakeTask(uint32_t source = 0)
{
    IcciTask task;
    task.arrival = 100;
    task.source = source;
    task.workers = 3;
    task.iterations = 20000;
    // 2 s an iteration: 1.4 s of compute, 0.6 s of transfer.
    task.deadline = 40000;
    task.dataGb = 840;
    task.parameters = 90;
    task.accuracy = 0.2;
    return task;
}

TEST(IcciManagerTest, DeploysATaskWithinItsDeadline)
{
    auto manager = MakeManager(MakeRing(6));
    manager->Reset({MakeTask()}, MakeFlatDay(std::vector<double>(6, 20)), 1);
    EXPECT_FALSE(manager->Advance());
    const IcciTaskState& task = manager->GetTasks()[0];
    EXPECT_EQ(task.demand.cus, 10U);
    EXPECT_EQ(task.demand.bus, 2U);
    EXPECT_EQ(task.phase, IcciTaskState::ENDED);
    EXPECT_NEAR(task.end, 100 + 40000, 1e-6);
    EXPECT_NEAR(task.GetAheadOfTime(), 0, 1e-9);
    EXPECT_EQ(task.firstHops, task.lastHops);
    CheckLedgers(*manager);
    EXPECT_EQ(manager->GetWavelengths().GetUsed(), 0U);
    // 2 wavelengths both ways on each hop for 40000 s of 86400, of 12 fibres of 40.
    EXPECT_NEAR(manager->GetLightpaths().GetUse(),
                4.0 * task.firstHops * 40000 / 86400 / (12 * 40),
                1e-9);
    EXPECT_NEAR(manager->GetLightpaths().GetUse(OtnArea::OTHER),
                manager->GetLightpaths().GetUse(),
                1e-12);
    // By link and hour: 4 of 80 on each hop while the task runs, from 100 s to 40100 s.
    const std::pair<double, double> hours[]{{0, 3500. / 3600},
                                            {7200, 1},
                                            {39600, 500. / 3600},
                                            {43200, 0}};
    for (const auto& [begin, share] : hours)
    {
        const auto use = manager->GetLightpaths().GetUse(begin, begin + 3600);
        EXPECT_NEAR(std::accumulate(use.begin(), use.end(), 0.0),
                    share * 4 / 80 * task.firstHops,
                    1e-12)
            << begin;
    }
}

TEST(IcciManagerTest, BlocksATaskWithNowhereToGo)
{
    auto manager = MakeManager(MakeRing(4));
    // No room at the source; room at two centres only; no wavelengths.
    for (const auto& asked : {std::vector<double>{95, 0, 0, 0}, std::vector<double>{0, 95, 95, 0}})
    {
        manager->Reset({MakeTask()}, MakeFlatDay(asked), 1);
        EXPECT_FALSE(manager->Advance());
        EXPECT_EQ(manager->GetCounters().blockedCus, 1U);
        CheckLedgers(*manager);
    }
    IcciTask task = MakeTask();
    task.parameters = 9000;
    manager->Reset({task}, MakeFlatDay({0, 0, 0, 0}), 1);
    EXPECT_FALSE(manager->Advance());
    EXPECT_EQ(manager->GetCounters().blockedWavelengths, 1U);
    CheckLedgers(*manager);
    EXPECT_THROW(manager->Reset({MakeTask(4)}, MakeFlatDay({0, 0, 0, 0}), 1), OdcnError);
    EXPECT_THROW(manager->Reset({MakeTask()}, MakeFlatDay({0, 0, 0}), 1), OdcnError);
}

/// A ring of six centres with a task on 0 and two others, one of which becomes a hotspot,
/// which raises a question.
class IcciHotspotTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        manager = MakeManager(MakeRing(6));
        manager->SetAttribute("Outlook", DoubleValue(0));
        // Deployed in 0 and its nearest centres, 1 and 5; then the tide rises in 1.
        auto day = std::make_shared<IcciBackground>(*MakeFlatDay({30, 30, 30, 30, 30, 30}));
        for (std::size_t k = 1000; k < day->samples; ++k)
        {
            day->milli[day->samples + k] = 75000;
        }
        manager->SetAttribute("Noise", DoubleValue(0));
        manager->Reset({MakeTask()}, day, 1);
        ASSERT_TRUE(manager->Advance()) << "a question";
    }

    /// Stay at each further question.
    void StayToTheEnd() const
    {
        while (manager->Advance())
        {
            manager->Decide({});
        }
    }

    Ptr<IcciManager> manager; //!< manager of the centres
};

TEST_F(IcciHotspotTest, AsksWhenATaskHasAWorkerInOne)
{
    // The tide rises at 10000 s: the next whole window ends at 10800 s.
    EXPECT_EQ(manager->GetTime(), 10800);
    EXPECT_TRUE(manager->IsHot(1));
    EXPECT_EQ(manager->GetLoad(1), 85);
    EXPECT_FALSE(manager->IsHot(2));
    const IcciQuestion& question = manager->GetQuestion();
    ASSERT_EQ(question.candidates.size(), 3U);
    for (const auto& candidate : question.candidates)
    {
        ASSERT_EQ(candidate.moves.size(), 1U);
        EXPECT_EQ(candidate.moves[0].first, 1U);
        EXPECT_EQ(candidate.ring.front(), 0U);
        EXPECT_EQ(candidate.hops, 6U);
    }
    const IcciChoice choice{.candidate = 0};
    const IcciGain gain = manager->GetGain(choice);
    EXPECT_EQ(gain.hot, 1);
    EXPECT_EQ(gain.moved, 1);
    // At most 85 of 100 before, 75 after.
    EXPECT_NEAR(gain.use, 0.1, 1e-12);
    // The next question after staying comes an hour later.
    EXPECT_EQ(manager->Decide({}), IcciManager::NO_MIGRATION);
    ASSERT_TRUE(manager->Advance());
    EXPECT_EQ(manager->GetTime(), 14400);
    CheckLedgers(*manager);
}

TEST_F(IcciHotspotTest, MigratesBetweenIterations)
{
    const IcciCandidate candidate = manager->GetQuestion().candidates[0];
    const IcciChoice choice{.candidate = 0};
    const double eq16 = 8 * 90e9 / (2 * 1e11) +
                        manager->GetMesh()->GetKm(
                            manager->GetMesh()
                                ->GetPaths(candidate.moves[0].first, candidate.moves[0].second)
                                .front()) /
                            2e5 +
                        2e-4 + 0.05;
    EXPECT_DOUBLE_EQ(manager->GetDowntime(choice), eq16);
    const IcciTask asked = manager->GetTasks()[0].task;
    manager->SetAttribute("DataShare", ns3::DoubleValue(0.5));
    EXPECT_DOUBLE_EQ(manager->GetDowntime(choice),
                     eq16 + 8 * 0.5 * asked.dataGb * 1e9 / asked.workers / (2 * 1e11));
    manager->SetAttribute("DataShare", ns3::DoubleValue(0));
    const double start = manager->GetStart(choice);
    EXPECT_NEAR(std::remainder(start - 100, 2), 0, 1e-9);
    EXPECT_GE(start, manager->GetTime());
    EXPECT_LT(start, manager->GetTime() + 2);
    EXPECT_EQ(manager->Decide(choice), 0U);
    EXPECT_EQ(manager->GetTasks()[0].phase, IcciTaskState::MIGRATING);
    // It is no longer a hotspot as soon as the worker's departure is decided.
    EXPECT_FALSE(manager->IsHot(1));
    CheckLedgers(*manager);
    EXPECT_FALSE(manager->Advance());
    const IcciTaskState& task = manager->GetTasks()[0];
    EXPECT_EQ(task.phase, IcciTaskState::ENDED);
    EXPECT_EQ(task.ring, candidate.ring);
    EXPECT_EQ(task.moves, 1U);
    EXPECT_DOUBLE_EQ(task.downtime, eq16);
    EXPECT_NEAR(task.end, 40100 + eq16, 1e-6);
    EXPECT_EQ(manager->GetMigrations()[0].phase, IcciMigrationRecord::COMPLETE);
    CheckLedgers(*manager);
    EXPECT_EQ(manager->GetWavelengths().GetUsed(), 0U);
}

TEST_F(IcciHotspotTest, BeginsLaterInALaterSlot)
{
    const IcciChoice choice{.candidate = 1, .slot = 1};
    const double start = manager->GetStart(choice);
    EXPECT_GE(start, 10800 + 600);
    EXPECT_LT(start, 10800 + 602);
    manager->Decide(choice);
    EXPECT_EQ(manager->GetTasks()[0].phase, IcciTaskState::RUNNING);
    CheckLedgers(*manager);
    // There is no question while it is about to migrate, nor after its one migration.
    EXPECT_FALSE(manager->Advance());
    EXPECT_EQ(manager->GetMigrations()[0].start, start);
    EXPECT_EQ(manager->GetCounters().completed, 1U);
    EXPECT_EQ(manager->GetCounters().questions, 1U);
}

TEST_F(IcciHotspotTest, StaysWhereItWasWhenSomethingBreaks)
{
    EXPECT_FALSE(manager->AbortMigration(0));
    const auto before = manager->GetTasks()[0].ring;
    const auto lightpaths = manager->GetTasks()[0].lightpaths;
    const OtnWavelengthLedger wavelengths = manager->GetWavelengths();
    const IcciChoice choice{.candidate = 0};
    manager->Decide(choice);
    EXPECT_FALSE(manager->GetWavelengths() == wavelengths);
    EXPECT_TRUE(manager->AbortMigration(0));
    EXPECT_TRUE(manager->GetWavelengths() == wavelengths);
    CheckLedgers(*manager);
    EXPECT_EQ(manager->GetTasks()[0].ring, before);
    EXPECT_EQ(manager->GetTasks()[0].lightpaths, lightpaths);
    EXPECT_EQ(manager->GetCounters().aborted, 1U);
    ASSERT_TRUE(manager->Advance());
    EXPECT_EQ(manager->GetTime(), 14400);
    manager->Decide({});
    StayToTheEnd();
    EXPECT_EQ(manager->GetTasks()[0].phase, IcciTaskState::ENDED);
    EXPECT_NEAR(manager->GetTasks()[0].end, 40100, 1e-6);
    EXPECT_EQ(manager->GetCounters().movedWorkers, 0U);
}

TEST_F(IcciHotspotTest, TakesWhatItIsToldOfAMigration)
{
    for (const bool completes : {true, false})
    {
        SetUp();
        const IcciChoice choice{.candidate = 0};
        const auto number = manager->Decide(choice);
        manager->SetOutcome(number, 5, completes);
        manager->SetOutcome(number, 7, completes);
        EXPECT_THROW(manager->SetOutcome(number, -10, completes), OdcnError);
        EXPECT_THROW(manager->SetOutcome(number, std::nan(""), completes), OdcnError);
        CheckLedgers(*manager);
        StayToTheEnd();
        const IcciTaskState& task = manager->GetTasks()[0];
        EXPECT_DOUBLE_EQ(task.downtime, 7);
        EXPECT_NEAR(task.end, 40107, 1e-6);
        EXPECT_EQ(task.moves, completes ? 1U : 0U);
        EXPECT_EQ(manager->GetCounters().completed, completes ? 1U : 0U);
        EXPECT_EQ(manager->GetCounters().aborted, completes ? 0U : 1U);
        EXPECT_THROW(manager->SetOutcome(number, 8, true), OdcnError);
        CheckLedgers(*manager);
    }
}

TEST_F(IcciHotspotTest, FollowsLightpathsThatAreReRouted)
{
    const IcciChoice choice{.candidate = 0};
    const auto number = manager->Decide(choice);
    OtnWavelengthLedger& ledger = manager->ShareWavelengths();
    // Cut one link after the other: lightpaths without an alternative stay.
    uint32_t rerouted = 0;
    for (uint32_t link = 0; link < 6; ++link)
    {
        ledger.SetCut(link, true);
        const auto transfers = manager->GetMigrations()[number].transfers;
        auto granted = manager->GetTasks()[0].lightpaths;
        granted.insert(granted.end(), transfers.begin(), transfers.end());
        for (const auto& before : granted)
        {
            OtnGrant after = before;
            if (!ledger.IsWhole(before.path) && ledger.Reroute(after, {}))
            {
                EXPECT_TRUE(manager->Reroute(before, after));
                EXPECT_FALSE(manager->Reroute(before, after));
                ++rerouted;
            }
        }
        ledger.SetCut(link, false);
        CheckLedgers(*manager);
    }
    EXPECT_GT(rerouted, 3U);
    EXPECT_EQ(manager->GetTasks()[0].lastHops, manager->GetTasks()[0].CountHops());
    const auto& record = manager->GetMigrations()[number];
    EXPECT_EQ(record.hopsAfter, IcciCountHops(record.lit.hops));
    StayToTheEnd();
    EXPECT_EQ(manager->GetWavelengths().GetUsed(), 0U);
    EXPECT_EQ(manager->GetWavelengths(), OtnWavelengthLedger(manager->GetMesh()));
    EXPECT_GT(manager->GetLightpaths().GetUse(), 0);
    CheckLedgers(*manager);
}

TEST_F(IcciHotspotTest, IsFasterWithMoreWavelengths)
{
    const IcciChoice choice{.candidate = IcciChoice::PRESENT, .wider = true};
    const IcciGain gain = manager->GetGain(choice);
    EXPECT_EQ(gain.wavelengths, -1);
    EXPECT_EQ(gain.hot, 0);
    EXPECT_EQ(gain.moved, 0);
    manager->Decide(choice);
    StayToTheEnd();
    const IcciTaskState& task = manager->GetTasks()[0];
    EXPECT_EQ(task.wavelengths, 3U);
    EXPECT_EQ(task.moves, 0U);
    // 0.6 s of transfer become 0.4 s.
    const IcciMigrationRecord& record = manager->GetMigrations()[0];
    const double left = 20000 - (record.start - 100) / 2;
    EXPECT_NEAR(task.end, record.start + record.downtime + left * 1.8, 1e-6);
    EXPECT_NEAR(record.downtime, 2e-4, 1e-12);
    EXPECT_GT(task.GetAheadOfTime(), 0.05);
    CheckLedgers(*manager);
}

TEST_F(IcciHotspotTest, RefusesWhatIsNotThere)
{
    const OtnWavelengthLedger wavelengths = manager->GetWavelengths();
    const IcciChoice choice{.candidate = 4};
    manager->Decide(choice);
    EXPECT_EQ(manager->GetCounters().refusedCus, 1U);
    EXPECT_TRUE(manager->GetWavelengths() == wavelengths);
    CheckLedgers(*manager);
}

/// Predicted hotspot blocks equal sums of expectations over hours.
TEST(IcciManagerOutlookTest, AgreesWithSumsOverTheDay)
{
    IcciHelper helper;
    helper.SetMesh(MakeBayMesh());
    helper.SetPreset("stated");
    auto problem = helper.CreateProblem();
    problem->AssignStreams(0);
    problem->Reset();
    const IcciManager& manager = *PeekPointer(problem->GetManager());
    for (int i = 0; i < 20 && !problem->IsDone(); ++i)
    {
        const IcciChoice choice{.candidate = 0};
        const IcciCandidate& candidate = manager.GetQuestion().candidates[0];
        const IcciTaskState& task = manager.GetTasks()[manager.GetQuestion().task];
        const double from = manager.GetStart(choice);
        const double to = std::min(task.end, 86400.0);
        double hot = 0;
        for (const auto& [leave, come] : candidate.moves)
        {
            for (const auto& [centre, more] : {std::pair{leave, -1}, std::pair{come, 1}})
            {
                for (int hour = 0; hour < 24; ++hour)
                {
                    const double a = std::max(from, 3600.0 * hour);
                    const double b = std::min(to, 3600.0 * (hour + 1));
                    if (a >= b)
                    {
                        continue;
                    }
                    const uint32_t held = manager.GetPool().GetHeld(centre);
                    const auto isHot = [&, centre = centre](uint32_t h)
                    { return manager.GetPool().GetUseIf(centre, h, a, b) >= 80; };
                    hot += (b - a) / 3600 *
                           (isHot(held) - isHot(held + more * static_cast<int>(task.demand.cus)));
                }
            }
        }
        EXPECT_NEAR(manager.GetTrueGain(choice).hot, hot, 1e-9);
        // The prediction with the mean tide is close.
        EXPECT_NEAR(manager.GetGain(choice).hot, hot, 4);
        problem->Act(0);
    }
}

/// @param manager of a day  @return a hash that distinguishes days
double
Fingerprint(const IcciManager& manager)
{
    double sum = manager.GetLightpaths().GetUse();
    for (const auto& task : manager.GetTasks())
    {
        sum += task.end * (1.0 + task.lastHops) + task.downtime;
    }
    for (uint32_t centre = 0; centre < manager.GetPool().GetNCentres(); ++centre)
    {
        for (std::size_t block = 0; block < manager.GetPool().GetNBlocks(); ++block)
        {
            sum += manager.GetPool().GetBlockUse(centre, block) * (centre + 1.0) * (block + 1.0);
        }
    }
    return sum;
}

/// Answers and failures of migrations on a day.
class DayUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        ANSWER, //!< action
        ABORT,  //!< which of the tasks that migrate
    };

    /// @param search kind of candidates  @param bothWays whether lightpaths use both fibres
    /// @param afterFailure of an hour's faults, one a day and link, five a day and node; "" for
    /// none
    DayUnderTest(const char* search, bool bothWays, const std::string& afterFailure = "")
    {
        IcciHelper helper;
        helper.SetMesh(MakeBayMesh());
        helper.SetManagerAttribute("MaxMoves", UintegerValue(5));
        helper.SetManagerAttribute("AskAgain", DoubleValue(600));
        helper.SetManagerAttribute("BothWays", BooleanValue(bothWays));
        helper.SetTaskAttribute("Tasks", StringValue("ns3::ConstantRandomVariable[Constant=30]"));
        m_problem = helper.CreateProblem();
        m_problem->Set("Wavelengths", "true");
        m_problem->Set("Search", search);
        m_problem->AssignStreams(0);
        m_manager = m_problem->GetManager();
        if (!afterFailure.empty())
        {
            m_manager->SetAttribute("AfterFailure", StringValue(afterFailure));
            const FaultParts parts = IcciManager::GetFaultParts(*m_manager->GetMesh());
            FaultPlan plan;
            plan.Sample(FaultPart::LINK,
                        parts.at(FaultPart::LINK),
                        Hours(24),
                        Hours(1),
                        Hours(23),
                        10);
            plan.Sample(FaultPart::NODE,
                        parts.at(FaultPart::NODE),
                        Hours(5),
                        Minutes(1),
                        Hours(23),
                        20);
            m_manager->SetFaults(std::make_shared<FaultTimeline>(plan, parts, Seconds(1)));
        }
        m_problem->Reset();
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        if (operation.kind == ABORT)
        {
            std::vector<uint32_t> migrating;
            for (uint32_t task = 0; task < m_manager->GetTasks().size(); ++task)
            {
                if (m_manager->GetTasks()[task].phase == IcciTaskState::MIGRATING)
                {
                    migrating.push_back(task);
                }
            }
            if (!migrating.empty())
            {
                m_manager->AbortMigration(migrating[operation.words[0] % migrating.size()]);
            }
        }
        else if (!m_problem->IsDone())
        {
            const auto& question = m_manager->GetQuestion();
            for (const auto& candidate : question.candidates)
            {
                // Workers are on distinct centres; the source stays.
                const std::set<uint32_t> distinct(candidate.ring.begin(), candidate.ring.end());
                if (distinct.size() != candidate.ring.size() ||
                    candidate.ring.front() != m_manager->GetTasks()[question.task].task.source)
                {
                    return "a candidate ring";
                }
            }
            m_problem->Act(operation.words[0] % m_problem->GetNActions());
        }
        return FindBrokenInvariant(*m_manager);
    }

    std::string Finish() override
    {
        while (!m_problem->IsDone())
        {
            m_problem->Act(0);
        }
        const IcciCounters& counters = m_manager->GetCounters();
        if (counters.arrived != 30 || counters.questions != counters.stayed + counters.planned)
        {
            return "questions = stayed + planned";
        }
        if (counters.completed > 0)
        {
            Note("completed");
        }
        for (const auto& [event, n] : {std::pair{"aborted", counters.aborted},
                                       {"interrupted", counters.interrupted},
                                       {"rerouted", counters.rerouted},
                                       {"replaced", counters.replaced}})
        {
            if (n > 0)
            {
                Note(event);
            }
        }
        fingerprint = Fingerprint(*m_manager);
        return FindBrokenInvariant(*m_manager);
    }

    double fingerprint{0}; //!< of the day, after Finish()

  private:
    Ptr<IcciMigration> m_problem; //!< decisions
    Ptr<IcciManager> m_manager;   //!< under test
};

TEST(IcciManagerRandomTest, KeepsItsBooksWhateverIsChosen)
{
    for (const char* search : {"Swap", "Nearest", "All", "Any"})
    {
        for (const bool bothWays : {true, false})
        {
            Property property{{{"ANSWER", 8}, {"ABORT", 1}},
                              [=] { return std::make_unique<DayUnderTest>(search, bothWays); },
                              {"completed", "aborted"}};
            property.length = 200;
            property.cost = 200;
            EXPECT_EQ(CheckProperty(property).report, "");

            std::set<double> days;
            for (int again = 0; again < 2; ++again)
            {
                DayUnderTest day(search, bothWays);
                EXPECT_EQ(day.Apply({DayUnderTest::ANSWER, {1}}), "");
                EXPECT_EQ(day.Finish(), "");
                days.insert(day.fingerprint);
            }
            EXPECT_EQ(days.size(), 1U) << "the same seed, another day";
        }
    }
}

TEST(IcciManagerRandomTest, KeepsItsBooksUnderFaults)
{
    for (const char* after : {"End", "Replace"})
    {
        Property property{{{"ANSWER", 8}, {"ABORT", 1}},
                          [=] { return std::make_unique<DayUnderTest>("Swap", true, after); },
                          {"completed", "interrupted", "rerouted"}};
        if (std::string(after) == "Replace")
        {
            property.events.push_back("replaced");
        }
        property.length = 200;
        property.cost = 200;
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}

} // namespace
