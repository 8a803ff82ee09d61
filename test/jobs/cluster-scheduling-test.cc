// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The cluster as a decision problem: placements and rewards compared with a naive model and with
 * sequences computed by hand, observations, ends of episodes, and the published results of DeepRM
 * on DeepRM's own jobs.
 */

#include "../core/odcn-property.h"
#include "cluster-test-system.h"

#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-generator.h"
#include "ns3/cluster-ledger.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-observations.h"
#include "ns3/odcn-policy-registry.h"

#include <numeric>
#include <optional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Start of each job, by number.
using Starts = std::map<uint64_t, uint64_t>;

/// @param text a policy  @return it with its settings
PolicyChoice
Find(const std::string& text)
{
    return PolicyRegistry::Find("ns3::odcn::ClusterScheduling", text);
}

/// Records the placements of jobs.
struct Notes
{
    /// @param problem to observe
    explicit Notes(const Ptr<ClusterScheduling>& problem)
    {
        Record(problem, "Scheduled", placements);
    }

    /// @return start of each job
    Starts GetStarts() const
    {
        Starts starts;
        for (const auto& placement : placements)
        {
            starts[placement.job.id] = placement.start;
        }
        return starts;
    }

    std::vector<ClusterPlacement> placements; //!< in order
};

/**
 * Run an episode.
 * @param problem ready  @param policy to use  @return rewards
 */
std::vector<float>
RunEpisode(ClusterScheduling& problem, DecisionPolicy& policy)
{
    std::vector<float> rewards;
    while (!problem.IsDone())
    {
        problem.Act(policy.Decide(problem));
        problem.TakeRewards(rewards);
    }
    return rewards;
}

/**
 * @param settings Attributes of the problem
 * @param set of jobs
 * @param policy to use
 * @return start of each job
 */
Starts
Schedule(const std::string& settings, const ClusterJobSet& set, DecisionPolicy& policy)
{
    auto problem = MakeCluster(settings, set);
    Notes notes(problem);
    RunEpisode(*problem, policy);
    return notes.GetStarts();
}

/// @param words description of a rule  @return the rule
Ptr<DecisionPolicy>
MakeRule(const std::string& words)
{
    const bool isCommon = words.rfind("Random", 0) == 0;
    return MakeFromWords<DecisionPolicy>((isCommon ? "ns3::odcn::" : "ns3::odcn::Cluster") + words);
}

/**
 * @param random generator  @param slots of the set  @param rate arrivals a slot
 * @param most maximum units of a demand
 * @return a set of jobs
 */
ClusterJobSet
DrawSet(std::mt19937_64& random, uint64_t slots, double rate, uint32_t most)
{
    ClusterJobSet set{{}, slots};
    std::poisson_distribution<uint32_t> arrivals(rate);
    for (uint64_t slot = 0; slot < slots; ++slot)
    {
        for (uint32_t n = arrivals(random); n > 0; --n)
        {
            set.first.push_back({set.first.size(),
                                 slot,
                                 static_cast<uint32_t>(1 + random() % 19),
                                 {static_cast<uint16_t>(1 + random() % most),
                                  static_cast<uint16_t>(random() % (most + 1))}});
        }
    }
    return set;
}

/// @param problem any  @return whether its counters satisfy their identities
bool
IsConsistent(const ClusterScheduling& problem)
{
    const ClusterCounters& c = problem.GetCounters();
    uint64_t waiting = problem.GetBacklog().size();
    for (uint32_t slot = 0; slot + 1 < problem.GetNActions(); ++slot)
    {
        waiting += problem.GetWaiting(slot) != nullptr;
    }
    return c.offered == c.impossible + c.dropped + c.scheduled + waiting &&
           c.scheduled == c.finished + c.interrupted + c.displaced + problem.GetRunning().size();
}

/// @param outages in time slots  @param machines number of machines  @return faults of servers
/// within these slots, learnt of later
std::shared_ptr<const FaultTimeline>
MakeFaults(const std::vector<NaiveCluster::Sizes::Outage>& outages, uint32_t machines)
{
    FaultPlan plan;
    for (const auto& outage : outages)
    {
        plan.Add({FaultPart::SERVER,
                  0,
                  outage.machine,
                  Seconds(double(outage.from) + 0.25),
                  Seconds(double(outage.to) + 0.5),
                  ""});
    }
    return std::make_shared<const FaultTimeline>(plan,
                                                 FaultParts{{FaultPart::SERVER, {machines}}},
                                                 Seconds(0.125));
}

TEST(ClusterSchedulingTest, DoesAsThePlainlyToldCluster)
{
    std::mt19937_64 random(1);
    uint64_t dropped = 0;
    uint64_t later = 0;
    uint64_t interrupted = 0;
    uint64_t displaced = 0;
    for (uint32_t trial = 0; trial < 120; ++trial)
    {
        NaiveCluster::Sizes sizes;
        sizes.machines = 1 + trial % 3;
        sizes.slots = 3 + trial % 5;
        sizes.backlog = trial % 7;
        sizes.allDone = trial % 2 == 0;
        sizes.countsJobs = trial % 4 < 2;
        sizes.maxSlots = trial % 3 ? 200 : 40;
        // Machines fail in the second half of the trials.
        sizes.replaces = trial % 5 < 2;
        sizes.restarts = trial % 5 == 2 || trial % 5 == 3;
        for (uint32_t i = 0; trial >= 60 && i < 5 * sizes.machines; ++i)
        {
            const uint64_t from = random() % 60;
            sizes.outages.push_back({i / 5, from, from + random() % 8});
        }
        const auto set = DrawSet(random, 30, 0.3 + 0.02 * (trial % 60), 10);
        NaiveCluster naive(sizes, set);
        auto problem =
            MakeCluster("Machines=" + std::to_string(sizes.machines) +
                            "|JobSlots=" + std::to_string(sizes.slots) +
                            "|Backlog=" + std::to_string(sizes.backlog) +
                            "|Protocol=" + (sizes.allDone ? "all-done" : "no-new-job") +
                            "|Reward=" + (sizes.countsJobs ? "R2" : "R1") +
                            "|MaxSlots=" + std::to_string(sizes.maxSlots) + "|AfterFailure=" +
                            (sizes.replaces   ? "Replace"
                             : sizes.restarts ? "Restart"
                                              : "End"),
                        set);
        if (trial >= 60)
        {
            problem->SetFaults([&sizes]() { return MakeFaults(sizes.outages, sizes.machines); });
            problem->Reset();
        }
        Notes notes(problem);
        std::vector<float> rewards;
        while (!naive.done)
        {
            ASSERT_FALSE(problem->IsDone());
            const auto image = ObservationOf(*problem);
            ASSERT_EQ(image, naive.Observe());
            // Void only sometimes, so that the schedule fills up.
            const auto action = static_cast<uint32_t>(random() % (sizes.slots + 1));
            const double reward = naive.Act(action);
            problem->Act(action);
            rewards.clear();
            problem->TakeRewards(rewards);
            ASSERT_EQ(rewards.size(), 1U);
            ASSERT_NEAR(rewards[0], reward, 1e-6 * (1 - reward));
            ASSERT_TRUE(IsConsistent(*problem));
        }
        EXPECT_TRUE(problem->IsDone());
        std::size_t placed = 0;
        double slowdown = 0;
        for (const auto& entry : naive.GetEntries())
        {
            if (entry.placed)
            {
                ++placed;
                slowdown += entry.gone
                                ? 0
                                : double(entry.start + entry.job.duration - entry.job.arrival) /
                                      entry.job.GetLength();
                const auto& placement = notes.placements.at(entry.order);
                EXPECT_EQ(placement.job, entry.job);
                EXPECT_EQ(placement.start, entry.start);
                EXPECT_EQ(placement.machine, entry.machine);
                later += entry.start > entry.job.arrival;
            }
        }
        EXPECT_EQ(placed, notes.placements.size());
        const ClusterCounters& counters = problem->GetCounters();
        EXPECT_EQ(counters.dropped, naive.dropped);
        EXPECT_EQ(counters.interrupted, naive.interrupted);
        EXPECT_EQ(counters.displaced, naive.displaced);
        EXPECT_EQ(counters.lostSlots, naive.lost);
        EXPECT_NEAR(counters.slowdown, slowdown, 1e-9 * (1 + slowdown));
        dropped += naive.dropped;
        interrupted += naive.interrupted;
        displaced += naive.displaced;
    }
    // The episodes were not trivial.
    EXPECT_GT(dropped, 50U);
    EXPECT_GT(later, 100U);
    EXPECT_GT(interrupted, 100U);
    EXPECT_GT(displaced, 50U);
}

TEST(ClusterSchedulingTest, FailuresByHand)
{
    // Machine 0 is down in slots 2 to 4. Job 0 has run there for two of its four slots, and fits
    // beside job 1 on machine 1 from slot 4 on. Job 2 would have followed it on machine 0.
    const ClusterJobSet set{{{0, 0, 4, {6, 1}}, {1, 0, 4, {6, 1}}, {2, 0, 1, {10, 1}}}, 1};

    /// What follows, and what the jobs then get.
    struct Case
    {
        const char* after;  //!< AfterFailure
        Starts starts;      //!< the last start of each job
        double slowdown;    //!< of all
        uint64_t waiting;   //!< sum over jobs
        uint64_t lostSlots; //!< in vain
        uint64_t work;      //!< units x slots
    };

    for (const Case& c : std::vector<Case>{
             {"End", {{0, 0}, {1, 0}, {2, 4}}, 1 + 5, 4, 2, 2 * 7 + 4 * 7 + 11},
             {"Replace", {{0, 4}, {1, 0}, {2, 5}}, 1.5 + 1 + 6, 2 + 5, 0, 2 * 4 * 7 + 11},
             {"Restart", {{0, 4}, {1, 0}, {2, 5}}, 2 + 1 + 6, 4 + 5, 2, 6 * 7 + 4 * 7 + 11},
         })
    {
        SCOPED_TRACE(c.after);
        auto problem = MakeCluster(std::string("Machines=2|AfterFailure=") + c.after, set);
        problem->SetFaults([]() { return MakeFaults({{0, 2, 5}}, 2); });
        problem->Reset();
        Notes notes(problem);
        problem->Act(1);
        problem->Act(2);
        problem->Act(3); // reserves slot 4 on machine 0
        RunEpisode(*problem, *MakeRule("ListPolicy[Order=Arrival]"));
        const ClusterCounters& counters = problem->GetCounters();
        const bool ends = c.after == std::string("End");
        EXPECT_EQ(notes.GetStarts(), c.starts);
        EXPECT_EQ(counters.interrupted, 1U);
        EXPECT_EQ(counters.displaced, 1U);
        EXPECT_EQ(counters.offeredAgain, ends ? 1U : 2U);
        EXPECT_EQ(counters.finished, ends ? 2U : 3U);
        EXPECT_EQ(counters.lostSlots, c.lostSlots);
        EXPECT_EQ(counters.waitingTime, c.waiting);
        EXPECT_EQ(counters.work, c.work);
        EXPECT_NEAR(counters.slowdown, c.slowdown, 1e-12);
        EXPECT_NEAR(problem->GetScore(), c.slowdown / double(counters.finished), 1e-12);
        EXPECT_TRUE(IsConsistent(*problem));
        const auto figures = problem->GetFigures();
        const auto values = problem->MeasureFigures();
        ASSERT_EQ(values.size(), figures.size());
        EXPECT_EQ(figures.back().name, "availability");
        const auto until = double(problem->GetNow());
        EXPECT_NEAR(values.back().Get(), 1 - (std::min(until, 5.5) - 2.25) / 2 / until, 1e-12);
        EXPECT_EQ(figures[values.size() - 2].name, "displaced_share");
        EXPECT_EQ(figures[values.size() - 3].name, "interrupted_share");
        EXPECT_NEAR(values[values.size() - 2].Get(), 1.0 / double(counters.scheduled), 1e-12);
        EXPECT_NEAR(values[values.size() - 3].Get(), 1.0 / double(counters.scheduled), 1e-12);
        EXPECT_EQ(problem->GetTally().interrupted, 1U) << "not the displaced one";
    }
}

/// Four jobs for two slots: see ScheduleByHand.
const ClusterJobSet HAND{
    {{0, 0, 3, {6, 1}}, {1, 0, 1, {5, 1}}, {2, 1, 2, {4, 2}}, {3, 1, 1, {10, 1}}},
    3};

/// A rule and its expected results on HAND.
struct Hand
{
    std::string rule;          //!< description
    Starts starts;             //!< starts under all-done
    uint64_t end;              //!< time slot in which all jobs have ended
    std::vector<uint64_t> cut; //!< starts that no-new-job does not reach
};

TEST(ClusterSchedulingTest, ScheduleByHand)
{
    // Job 0 takes 6 of 10 units for 3 slots, job 1 5 for 1, from slot 1 on job 2 4 for 2, job 3 10
    // for 1, which waits in the backlog. Jobs 0 and 1 exclude each other, 0 and 2 do not.
    const std::vector<Hand> table{
        // 0 at once; 1 waits for its end and blocks 2; 3 needs the whole cluster.
        {"ListPolicy[Order=Arrival|Strict=true]", {{0, 0}, {1, 3}, {2, 3}, {3, 5}}, 6, {1, 2, 3}},
        // The same, but 2 runs in parallel with 0.
        {"ListPolicy[Order=Arrival]", {{0, 0}, {1, 3}, {2, 1}, {3, 4}}, 5, {1, 3}},
        {"BackfillPolicy", {{0, 0}, {1, 3}, {2, 1}, {3, 4}}, 5, {1, 3}},
        // 1 first, then 2 and 0 in parallel.
        {"ListPolicy[Order=Shortest]", {{0, 1}, {1, 0}, {2, 1}, {3, 4}}, 5, {3}},
        // In slot 3 job 1 has ratio 4, job 3 ratio 3.
        {"ListPolicy[Order=ResponseRatio]", {{0, 0}, {1, 3}, {2, 1}, {3, 4}}, 5, {1, 3}},
        // 70 before 60; in slot 3 110 before 60.
        {"ListPolicy[Order=Alignment]", {{0, 0}, {1, 4}, {2, 1}, {3, 3}}, 5, {1, 3}},
        {"ListPolicy[Order=Mix|Knob=0.2]", {{0, 0}, {1, 4}, {2, 1}, {3, 3}}, 5, {1, 3}},
        // 3.95 (job 1) before 3.82 (job 0), which is before 3.48 (job 2).
        {"ListPolicy[Order=Mix|Knob=0.05]", {{0, 1}, {1, 0}, {2, 1}, {3, 4}}, 5, {3}},
    };
    for (const Hand& hand : table)
    {
        SCOPED_TRACE(hand.rule);
        auto policy = MakeRule(hand.rule);
        for (const bool allDone : {true, false})
        {
            auto problem = MakeCluster(std::string("JobSlots=2|Protocol=") +
                                           (allDone ? "all-done" : "no-new-job"),
                                       HAND);
            Notes notes(problem);
            RunEpisode(*problem, *policy);
            Starts expected = hand.starts;
            for (const auto job : allDone ? std::vector<uint64_t>{} : hand.cut)
            {
                expected.erase(job);
            }
            EXPECT_EQ(notes.GetStarts(), expected);
            EXPECT_EQ(problem->GetNow(), allDone ? hand.end : 3U);
            EXPECT_TRUE(IsConsistent(*problem));
        }
    }
}

TEST(ClusterSchedulingTest, RewardsByHand)
{
    auto problem = MakeCluster("JobSlots=2", HAND);
    auto sjf = MakeRule("ListPolicy[Order=Shortest]");
    // Job 1 placed; slot 1: 0, 2, 3 wait; 2 and 0 placed; slot 2: the same; slot 3: 0 and 3; slot
    // 4: 3, which is placed; slot 5: none.
    const float all = -(1.0F / 3 + 1.0F / 2 + 1);
    const std::vector<float> expected{0, all, 0, 0, all, -(1.0F / 3 + 1), -1, 0, 0};
    const auto rewards = RunEpisode(*problem, *sjf);
    EXPECT_TRUE(AllNear(rewards, expected, 1e-6));
    // Slowdowns 4/3, 1, 1, 4.
    EXPECT_NEAR(problem->GetScore(), (4.0 / 3 + 1 + 1 + 4) / 4, 1e-12);
    EXPECT_EQ(problem->GetScoreName(), "slowdown");
    EXPECT_EQ(problem->GetCounters().cyclingTime, 4U + 1 + 2 + 4);
    EXPECT_EQ(problem->GetCounters().waitingTime, 1U + 0 + 0 + 3);
    EXPECT_EQ(problem->GetCounters().work, 3U * 7 + 6 + 2 * 6 + 11);

    auto cycling = MakeCluster("JobSlots=2|Reward=R2|Protocol=no-new-job", HAND);
    EXPECT_EQ(RunEpisode(*cycling, *sjf), (std::vector<float>{0, -3, 0, 0, -3, -2}));
    // Job 3 is not scheduled in slot 3, where the episode ends: it counts as if it started there.
    EXPECT_NEAR(cycling->GetScore(), (4 + 1 + 2 + 3) / 4.0, 1e-12);
    EXPECT_EQ(cycling->GetScoreName(), "cycling time");
    cycling->ClearScore();
    EXPECT_EQ(cycling->GetScore(), 0);
}

TEST(ClusterSchedulingTest, ReservesTheEarliestStart)
{
    // 9 of 10 units for 15 slots, 5 for 4 slots, 2 for 5 slots, 1 for 19 slots.
    const ClusterJobSet set{
        {{0, 0, 15, {9, 1}}, {1, 0, 4, {5, 1}}, {2, 0, 5, {2, 1}}, {3, 0, 19, {1, 1}}},
        2};
    auto problem = MakeCluster("JobSlots=5", set);
    Notes notes(problem);
    auto mask = MaskOf(*problem);
    EXPECT_EQ(mask, (std::vector<uint8_t>{1, 1, 1, 1, 1, 0}));
    problem->Act(1);
    problem->Act(2); // Ends before the last row, 19.
    EXPECT_EQ(problem->GetNow(), 0U);
    EXPECT_EQ(notes.GetStarts(), (Starts{{0, 0}, {1, 15}}));
    mask = MaskOf(*problem);
    EXPECT_EQ(mask, (std::vector<uint8_t>{1, 0, 0, 0, 1, 0}));
    const auto before = problem->GetLedger().GetFree(0, 15);
    problem->Act(3); // It would have to end in row 19: a time slot passes instead.
    EXPECT_EQ(problem->GetNow(), 1U);
    EXPECT_EQ(problem->GetLedger().GetFree(0, 14), before);
    problem->Act(3); // Now it ends earlier.
    EXPECT_EQ(problem->GetNow(), 1U);
    EXPECT_EQ(notes.GetStarts().at(2), 15U);
    problem->Act(1); // The slot is empty.
    EXPECT_EQ(problem->GetNow(), 2U);
    EXPECT_FALSE(problem->IsDone());
}

TEST(ClusterSchedulingTest, BackfillsWithoutDelay)
{
    // Job 1 needs the whole cluster and can start in slot 2. Job 2 would overlap it, job 3 not.
    const ClusterJobSet set{
        {{0, 0, 2, {6, 1}}, {1, 0, 1, {10, 1}}, {2, 0, 3, {4, 1}}, {3, 0, 2, {4, 1}}},
        1};
    const auto run = [&set](const std::string& rule) { return Schedule("", set, *MakeRule(rule)); };
    EXPECT_EQ(run("BackfillPolicy"), (Starts{{0, 0}, {1, 2}, {2, 3}, {3, 0}}));
    EXPECT_EQ(run("ListPolicy[Order=Arrival]"), (Starts{{0, 0}, {1, 4}, {2, 0}, {3, 2}}));
    EXPECT_EQ(run("ListPolicy[Order=Arrival|Strict=true]"),
              (Starts{{0, 0}, {1, 2}, {2, 3}, {3, 3}}));
}

TEST(ClusterSchedulingTest, HasTheWidthOfThePaper)
{
    auto jobs = CreateObject<ClusterJobGenerator>();
    EXPECT_EQ(MakeCluster("", jobs)->GetObservationShape(), (std::vector<uint32_t>{1, 20, 224}));
    EXPECT_EQ(MakeCluster("JobSlots=5", jobs)->GetObservationShape(),
              (std::vector<uint32_t>{1, 20, 124}));
    EXPECT_EQ(MakeCluster("Capacity=20|JobSlots=40", jobs)->GetObservationShape(),
              (std::vector<uint32_t>{1, 20, 844}));
    EXPECT_EQ(MakeCluster("Machines=3|Resources=3|Backlog=61", jobs)->GetObservationShape(),
              (std::vector<uint32_t>{1, 20, 395}));
    EXPECT_EQ(MakeCluster("", jobs)->GetNActions(), 11U);
}

TEST(ClusterSchedulingTest, RefusesWhatItCanNeverServe)
{
    const ClusterJobSet set{{{0, 0, 20, {1, 1}}, {1, 0, 1, {11, 1}}, {2, 0, 19, {10, 10}}}, 1};
    auto problem = MakeCluster("", set);
    auto rule = MakeRule("BackfillPolicy");
    RunEpisode(*problem, *rule);
    EXPECT_EQ(problem->GetCounters().impossible, 2U);
    EXPECT_EQ(problem->GetCounters().finished, 1U);
    EXPECT_TRUE(IsConsistent(*problem));
}

TEST(ClusterSchedulingTest, ACopyGoesOnAsTheOriginal)
{
    std::mt19937_64 random(7);
    const auto set = DrawSet(random, 20, 1.0, 6);
    auto problem = MakeCluster("Machines=2", set);
    auto rule = MakeRule("ListPolicy[Order=Shortest]");
    // The copy has its own list of later jobs, which is empty here.
    while (problem->GetCounters().offered < set.first.size())
    {
        problem->Act(rule->Decide(*problem));
    }
    std::vector<float> rewards;
    problem->TakeRewards(rewards);
    auto copy = problem->Clone(CreateObject<ListedSets>(std::vector<ClusterJobSet>{{{}, 20}}));
    EXPECT_EQ(RunEpisode(*copy, *rule), RunEpisode(*problem, *rule));
    EXPECT_EQ(copy->GetCounters(), problem->GetCounters());
}

/// Reservations and time slots of a ClusterLedger, and a table that is searched as a whole.
class SlotsUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        RESERVE, //!< units of both kinds, slots
        ADVANCE, //!< no numbers
        FAIL,    //!< machine that fails, or is repaired
    };

    std::string Apply(const PropertyOperation& operation) override
    {
        if (operation.kind == ADVANCE)
        {
            m_ledger.Advance();
            for (uint32_t machine = 0; machine < MACHINES; ++machine)
            {
                m_free[machine].erase(m_free[machine].begin());
                m_free[machine].push_back(m_failed[machine] ? ClusterDemand{} : CAPACITY);
            }
            return Compare();
        }
        if (operation.kind == FAIL)
        {
            Turn(operation.words[0] % MACHINES);
            return Compare();
        }
        const auto& words = operation.words;
        const ClusterDemand demand{static_cast<uint16_t>(words[0] % 12),
                                   static_cast<uint16_t>(words[1] % 12)};
        const uint32_t slots = 1 + words[2] % HORIZON;
        std::optional<ClusterLedger::Place> expected;
        uint32_t now = MACHINES;
        for (uint32_t start = 0; start + slots < HORIZON; ++start)
        {
            for (uint32_t machine = MACHINES; machine-- > 0;)
            {
                if (Fits(machine, start, slots, demand))
                {
                    now = start == 0 ? machine : now;
                    expected = !expected || start <= expected->start
                                   ? ClusterLedger::Place{start, machine}
                                   : *expected;
                }
            }
        }
        BROKEN_IF(m_ledger.FindNow(demand, slots) != now ||
                      m_ledger.Find(demand, slots) != expected ||
                      m_ledger.Reserve(demand, slots) != expected,
                  "the earliest place");
        Note(expected ? "reserved" : "refused");
        for (uint32_t row = 0; expected && row < slots; ++row)
        {
            ClusterDemand& free = m_free[expected->machine][expected->start + row];
            for (std::size_t kind = 0; kind < demand.size(); ++kind)
            {
                free[kind] = static_cast<uint16_t>(free[kind] - demand[kind]);
            }
        }
        return Compare();
    }

    std::string Finish() override
    {
        for (uint32_t machine = 0; machine < MACHINES; ++machine)
        {
            if (m_failed[machine])
            {
                Turn(machine);
            }
        }
        for (uint32_t row = 0; row < HORIZON; ++row)
        {
            m_ledger.Advance();
        }
        m_free = FREE;
        return Compare();
    }

  private:
    static constexpr uint32_t MACHINES = 3;          //!< machines
    static constexpr uint32_t HORIZON = 12;          //!< rows
    static constexpr ClusterDemand CAPACITY{10, 10}; //!< units of a machine
    /// [machine][row]: free units
    using Table = std::vector<std::vector<ClusterDemand>>;
    inline static const Table FREE{MACHINES, std::vector<ClusterDemand>(HORIZON, CAPACITY)};

    /// @param machine fails, or is repaired if it has failed; what was reserved there is void
    void Turn(uint32_t machine)
    {
        m_failed[machine] = !m_failed[machine];
        m_ledger.SetFailed(machine, m_failed[machine]);
        m_free[machine].assign(HORIZON, m_failed[machine] ? ClusterDemand{} : CAPACITY);
        Note(m_failed[machine] ? "failed" : "repaired");
    }

    /// @param machine a machine  @param start first row  @param slots rows  @param demand units
    /// @return whether it fits
    bool Fits(uint32_t machine, uint32_t start, uint32_t slots, const ClusterDemand& demand) const
    {
        for (uint32_t row = start; row < start + slots; ++row)
        {
            for (std::size_t kind = 0; kind < demand.size(); ++kind)
            {
                if (demand[kind] > m_free[machine][row][kind])
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// @return the broken invariant
    std::string Compare() const
    {
        Table free(MACHINES);
        for (uint32_t machine = 0; machine < MACHINES; ++machine)
        {
            free[machine] =
                ListOf<ClusterDemand>(HORIZON,
                                      [&](uint32_t row) { return m_ledger.GetFree(machine, row); });
        }
        return free == m_free ? "" : "free units of a row";
    }

    ClusterLedger m_ledger{MACHINES, CAPACITY, HORIZON}; //!< under test
    Table m_free{FREE};                                  //!< the model
    std::array<bool, MACHINES> m_failed{};               //!< whether each has failed
};

TEST(ClusterLedgerTest, FindsTheEarliestPlaceAndForgetsWhatHasPassed)
{
    const Property property{{{"RESERVE", 20}, {"ADVANCE", 10}, {"FAIL", 1}},
                            [] { return std::make_unique<SlotsUnderTest>(); },
                            {"reserved", "refused", "failed", "repaired"}};
    EXPECT_EQ(CheckProperty(property).report, "");
}

TEST(ClusterFiguresTest, AddUpSets)
{
    // HAND, and a set of one job that starts at once.
    const ClusterJobSet single{{{0, 0, 2, {1, 1}}}, 1};
    const auto run = [&single](const std::string& policy, const std::string& protocol)
    {
        auto problem = MakeCluster("JobSlots=2|Protocol=" + protocol,
                                   CreateObject<ListedSets>(std::vector{HAND, single}));
        const auto rule = Find(policy).Create();
        Observations observations(problem->GetFigures());
        for (uint32_t set = 0; set < 2; ++set)
        {
            if (set > 0)
            {
                problem->Reset();
            }
            const auto run = problem->RunEpisode(*rule);
            observations.Add(
                {1, set, run.decisions, problem->GetTally(), problem->MeasureFigures()});
        }
        return observations;
    };
    const auto sjf = run("sjf", "all-done");
    EXPECT_NEAR(sjf.GetEstimate("slowdown").mean, (4.0 / 3 + 1 + 1 + 4 + 1) / 5, 1e-12);
    EXPECT_NEAR(sjf.GetEstimate("cycling_time").mean, (4 + 1 + 2 + 4 + 2) / 5.0, 1e-12);
    EXPECT_NEAR(sjf.GetEstimate("waiting_time").mean, (1 + 3) / 5.0, 1e-12);
    EXPECT_NEAR(sjf.GetEstimate("slots").mean, (5 + 2) / 2.0, 1e-12);
    EXPECT_NEAR(sjf.GetEstimate("reward").mean, -(6.0 + 0.5) / 2, 1e-6);
    EXPECT_EQ(sjf.GetEstimate("unscheduled").mean, 0);
    EXPECT_EQ(sjf.Get().at(0).decisions, 9U);
    const auto cut = run("sjf", "no-new-job");
    EXPECT_NEAR(cut.GetEstimate("unscheduled").mean, 1 / 5.0, 1e-12);
    // FCFS: 1, 4, 2, 5 in the first set; of five jobs in all, as the estimates themselves.
    EXPECT_NEAR(run("fcfs", "all-done").GetDifference("slowdown", sjf).mean,
                ((1 + 4 + 2 + 5) - (4.0 / 3 + 1 + 1 + 4)) / 5,
                1e-12);
}

TEST(ClusterHelperTest, OffersLoadsAndNames)
{
    ClusterHelper helper;
    helper.SetProblemAttribute("Machines", UintegerValue(3));
    helper.SetProblemAttribute("Capacity", UintegerValue(20));
    EXPECT_EQ(helper.GetUnits(), 60);
    helper.SetJobAttribute("Arrivals", StringValue("Poisson"));
    DoubleValue rate;
    helper.CreateJobs(1.3)->GetAttribute("Rate", rate);
    EXPECT_NEAR(rate.Get(), 1.3 * 60 / 18.45, 1e-9);
    helper.CreateJobs()->GetAttribute("Rate", rate);
    EXPECT_EQ(rate.Get(), 0.7);
    for (const auto& choice : PolicyRegistry::Get("ns3::odcn::ClusterScheduling"))
    {
        if (!choice.IsTrained())
        {
            EXPECT_NE(choice.Create(), nullptr) << choice.name;
        }
    }
    EXPECT_NE(Find("ns3::odcn::ClusterListPolicy[Knob=1]").Create(), nullptr);
    EXPECT_THROW(Find("magic"), OdcnError);
    EXPECT_THROW(Find("ns3::odcn::ClusterListPolicy[Knob=2]"), OdcnError);
    EXPECT_THROW(Find("ns3::odcn::ClusterScheduling"), OdcnError);
}

/// numpy's legacy generator, as far as DeepRM's code uses it.
class OldNumpy
{
  public:
    /// @param seed numpy.random.seed()
    explicit OldNumpy(uint32_t seed)
        : m_random(seed)
    {
    }

    /// @return numpy.random.rand()
    double Rand()
    {
        const uint32_t high = m_random() >> 5;
        const uint32_t low = m_random() >> 6;
        return (high * 67108864.0 + low) / 9007199254740992.0;
    }

    /// @param first least  @param last greatest  @return numpy.random.randint(first, last + 1)
    uint32_t RandInt(uint32_t first, uint32_t last)
    {
        uint32_t mask = 0;
        while (mask < last - first)
        {
            mask = 2 * mask + 1;
        }
        uint32_t value;
        do
        {
            value = static_cast<uint32_t>(m_random()) & mask;
        } while (value > last - first);
        return first + value;
    }

  private:
    std::mt19937 m_random; //!< Mersenne Twister, as in numpy
};

/// @return the 100 sets of unseen jobs at rate 0.7 in DeepRM's code
std::vector<ClusterJobSet>
DrawAsDeepRm()
{
    OldNumpy random(314159);
    std::vector<ClusterJobSet> sets(100);
    for (auto& set : sets)
    {
        set.second = 50;
        for (uint64_t slot = 0; slot < 50; ++slot)
        {
            if (random.Rand() >= 0.7)
            {
                continue;
            }
            ClusterJob job{set.first.size(), slot, 0, {}};
            const bool isShort = random.Rand() < 0.8;
            job.duration = isShort ? random.RandInt(1, 3) : random.RandInt(10, 15);
            const uint32_t dominant = random.RandInt(0, 1);
            for (uint32_t i = 0; i < 2; ++i)
            {
                job.demand[i] = static_cast<uint16_t>(i == dominant ? random.RandInt(5, 10)
                                                                    : random.RandInt(1, 2));
            }
            // It never admits the job of slot 0.
            if (slot > 0)
            {
                set.first.push_back(job);
            }
        }
    }
    return sets;
}

/**
 * @param settings of the problem  @param source of 100 sets  @param policy to use
 * @return mean slowdown of the scheduled jobs
 */
double
GetMeanSlowdown(const std::string& settings, Ptr<ClusterJobSource> source, DecisionPolicy& policy)
{
    auto problem = MakeCluster(settings, source);
    double sum = 0;
    double jobs = 0;
    for (uint32_t set = 0; set < 100; ++set)
    {
        RunEpisode(*problem, policy);
        sum += problem->GetCounters().slowdown;
        jobs += static_cast<double>(problem->GetCounters().scheduled);
        problem->Reset();
    }
    return sum / jobs;
}

/// Rule, and the original's results with all-done and with no-new-job.
const std::vector<std::tuple<std::string, double, double>> DEEPRM{
    {"ListPolicy[Order=Shortest]", 7.38, 4.51},
    {"ListPolicy[Order=Alignment]", 13.74, 5.51},
    {"ListPolicy[Order=Mix|Knob=0.2]", 12.90, 5.47},
    {"RandomPolicy[Feasible=false]", 8.87, 7.64},
};

/**
 * The mean slowdown must be that of the original, with both protocols.
 * @param row of DEEPRM
 * @param make source of 100 sets
 * @param tolerances with all-done and with no-new-job
 */
void
ExpectDeepRm(std::size_t row,
             const std::function<Ptr<ClusterJobSource>()>& make,
             const std::pair<double, double>& tolerances)
{
    const auto& [rule, allDone, noNewJob] = DEEPRM[row];
    SCOPED_TRACE(rule);
    auto policy = MakeRule(rule);
    policy->AssignStreams(1);
    EXPECT_NEAR(GetMeanSlowdown("JobSlots=5", make(), *policy), allDone, tolerances.first);
    EXPECT_NEAR(GetMeanSlowdown("JobSlots=5|Protocol=no-new-job", make(), *policy),
                noNewJob,
                tolerances.second);
}

TEST(ClusterSchedulingTest, DoesAsDeepRmOnItsOwnJobs)
{
    const auto sets = DrawAsDeepRm();
    for (std::size_t row = 0; row < DEEPRM.size(); ++row)
    {
        // Rules draw no random numbers, so the results are equal; Random draws its own actions.
        const double tolerance = std::get<0>(DEEPRM[row])[0] == 'R' ? 0.4 : 0.005001;
        ExpectDeepRm(row, [&] { return CreateObject<ListedSets>(sets); }, {tolerance, tolerance});
    }
}

/// Score of a job, by the free units of the present row.
using Priority = std::function<double(const ClusterJob&, const std::array<int, 2>&)>;

/**
 * DeepRM's cluster and rules, written again from its description: one machine of 10 units of two
 * resources, 5 job slots and a backlog of 60.
 * @param set the jobs  @param score of a job that can start now, by the free units of the present
 * row; the highest is scheduled, the lowest slot among equals
 * @return start of each job
 */
Starts
ReplayDeepRm(const ClusterJobSet& set, const Priority& score)
{
    std::map<uint64_t, std::array<int, 2>> used;
    std::vector<const ClusterJob*> waiting; // in order of arrival behind the five slots
    std::array<const ClusterJob*, 5> slots{};
    Starts starts;
    auto next = set.first.begin();
    for (uint64_t now = 0; now <= 200; ++now)
    {
        for (; next != set.first.end() && next->arrival == now; ++next)
        {
            waiting.push_back(&*next);
        }
        for (const ClusterJob** chosen = nullptr;;)
        {
            for (auto& slot : slots)
            {
                if (!slot && !waiting.empty())
                {
                    slot = waiting.front();
                    waiting.erase(waiting.begin());
                }
            }
            chosen = nullptr;
            double highest = -1;
            for (auto& slot : slots)
            {
                bool fits = slot != nullptr;
                for (uint64_t t = now; fits && t < now + slot->duration; ++t)
                {
                    fits = used[t][0] + slot->demand[0] <= 10 && used[t][1] + slot->demand[1] <= 10;
                }
                const std::array<int, 2> free{10 - used[now][0], 10 - used[now][1]};
                if (fits && score(*slot, free) > highest)
                {
                    highest = score(*slot, free);
                    chosen = &slot;
                }
            }
            if (!chosen)
            {
                break;
            }
            for (uint64_t t = now; t < now + (*chosen)->duration; ++t)
            {
                used[t][0] += (*chosen)->demand[0];
                used[t][1] += (*chosen)->demand[1];
            }
            starts[(*chosen)->id] = now;
            *chosen = nullptr;
        }
    }
    return starts;
}

TEST(ClusterSchedulingTest, RulesStartJobsWhenDeepRmsDo)
{
    const auto align = [](const ClusterJob& job, const std::array<int, 2>& free)
    { return static_cast<double>(free[0] * job.demand[0] + free[1] * job.demand[1]); };
    const auto shortest = [](const ClusterJob& job, const std::array<int, 2>&)
    { return 1.0 / job.duration; };
    const auto tetris = [&](const ClusterJob& job, const std::array<int, 2>& free)
    { return 0.2 * align(job, free) + 0.8 * shortest(job, free); };
    const std::vector<std::pair<std::string, Priority>> rules{
        {"ListPolicy[Order=Shortest]", shortest},
        {"ListPolicy[Order=Alignment]", align},
        {"ListPolicy[Order=Mix|Knob=0.2]", tetris}};
    const auto sets = DrawAsDeepRm();
    for (const auto& [name, score] : rules)
    {
        auto policy = MakeRule(name);
        uint64_t jobs = 0;
        uint64_t later = 0;
        for (const auto& set : sets)
        {
            const auto starts = Schedule("JobSlots=5", set, *policy);
            ASSERT_EQ(starts, ReplayDeepRm(set, score)) << name;
            for (const auto& job : set.first)
            {
                ++jobs;
                later += starts.at(job.id) > job.arrival;
            }
        }
        EXPECT_GT(later, jobs / 3) << name;
    }
}

TEST(ClusterSchedulingTest, AgreesWithDeepRmOnJobsOfItsOwn)
{
    // Standard deviations of the mean of 100 sets: about 0.32, 0.54, 0.51, 0.25 and 0.16, 0.25,
    // 0.25, 0.16. Two such means differ by sqrt(2) of that; the tolerance is three times it.
    const std::vector<std::pair<double, double>> deviations{{0.32, 0.16},
                                                            {0.54, 0.25},
                                                            {0.51, 0.25},
                                                            {0.25, 0.16}};
    auto jobs = CreateObject<ClusterJobGenerator>();
    for (std::size_t row = 0; row < DEEPRM.size(); ++row)
    {
        const auto again = [&]
        {
            jobs->AssignStreams(10);
            return jobs;
        };
        ExpectDeepRm(row, again, {4.24 * deviations[row].first, 4.24 * deviations[row].second});
    }
}

/// @param generator with streams  @param sets number of sets  @return all their jobs
std::vector<std::vector<ClusterJob>>
DrawSets(ClusterJobGenerator& generator, uint32_t sets)
{
    std::vector<std::vector<ClusterJob>> all(sets);
    for (auto& jobs : all)
    {
        generator.NextSet();
        jobs = ReadAll<ClusterJob>(generator);
    }
    return all;
}

TEST(ClusterJobGeneratorTest, DrawsWhatThePaperSays)
{
    for (const std::string arrivals : {"Bernoulli", "Poisson"})
    {
        SCOPED_TRACE(arrivals);
        auto generator = MakeFromWords<ClusterJobGenerator>(
            "ns3::odcn::ClusterJobGenerator[Slots=40000|FirstSlot=0|Arrivals=" + arrivals + "]");
        generator->AssignStreams(1);
        const auto jobs = DrawSets(*generator, 1)[0];
        const auto n = static_cast<double>(jobs.size());
        EXPECT_NEAR(n / 40000, 0.7, 4 * std::sqrt(0.7 / 40000));
        std::map<uint32_t, double> lengths;
        std::array<double, 11> dominant{};
        double first = 0;
        double work = 0;
        uint64_t sameSlot = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            const auto [low, high] = std::minmax(jobs[i].demand[0], jobs[i].demand[1]);
            ASSERT_TRUE(low >= 1 && low <= 2 && high >= 5 && high <= 10);
            EXPECT_EQ(jobs[i].demand[2] + jobs[i].demand[3], 0);
            EXPECT_EQ(jobs[i].id, i);
            ++lengths[jobs[i].duration];
            ++dominant[high];
            first += jobs[i].demand[0] == high;
            work += jobs[i].duration * (jobs[i].demand[0] + jobs[i].demand[1]) / 2.0;
            sameSlot += i > 0 && jobs[i].arrival == jobs[i - 1].arrival;
            ASSERT_TRUE(i == 0 || jobs[i].arrival >= jobs[i - 1].arrival);
            ASSERT_LT(jobs[i].arrival, 40000U);
        }
        EXPECT_EQ(sameSlot > 0, arrivals == "Poisson");
        EXPECT_EQ(lengths.size(), 9U);
        for (const auto& [slots, count] : lengths)
        {
            const double share = slots <= 3 ? 0.8 / 3 : 0.2 / 6;
            EXPECT_NEAR(count / n, share, 4 * std::sqrt(share / n)) << slots;
        }
        for (uint32_t units = 5; units <= 10; ++units)
        {
            EXPECT_NEAR(dominant[units] / n, 1.0 / 6, 4 * std::sqrt(1.0 / 6 / n)) << units;
        }
        EXPECT_NEAR(first / n, 0.5, 2 / std::sqrt(n));
        EXPECT_NEAR(work / n, generator->GetMeanWork(), 0.02 * generator->GetMeanWork());
        // 129 % of 10 units at rate 0.7.
        EXPECT_NEAR(0.7 * generator->GetMeanWork() / 10, 1.2915, 1e-9);
    }
}

TEST(ClusterJobGeneratorTest, RepeatsSetsAndStreams)
{
    auto generator = CreateObject<ClusterJobGenerator>();
    EXPECT_EQ(generator->AssignStreams(5), 2);
    const auto endless = DrawSets(*generator, 7);
    EXPECT_NE(endless[0], endless[3]);
    generator->AssignStreams(5);
    EXPECT_EQ(DrawSets(*generator, 7), endless);
    // Aborted sets do not affect later ones.
    generator->AssignStreams(5);
    generator->NextSet();
    generator->NextSet();
    ClusterJob job;
    generator->Next(job);
    EXPECT_EQ(DrawSets(*generator, 1)[0], endless[2]);

    generator->SetAttribute("Sets", UintegerValue(3));
    generator->AssignStreams(5);
    const auto repeated = DrawSets(*generator, 7);
    for (std::size_t i = 0; i < 7; ++i)
    {
        EXPECT_EQ(repeated[i], endless[i % 3]);
    }
    // Another rate gives the same jobs at other times.
    generator->SetAttribute("Sets", UintegerValue(0));
    generator->SetAttribute("Rate", DoubleValue(0.3));
    generator->AssignStreams(5);
    const auto slower = DrawSets(*generator, 1)[0];
    ASSERT_LT(slower.size(), endless[0].size());
    for (std::size_t i = 0; i < slower.size(); ++i)
    {
        EXPECT_EQ(slower[i].duration, endless[0][i].duration);
        EXPECT_EQ(slower[i].demand, endless[0][i].demand);
    }
}

TEST(ClusterJobGeneratorTest, RefusesWhatDoesNotGoTogether)
{
    for (const std::string wrong :
         {"Rate=1.1", "ShortMin=4", "LongMax=9", "DominantMin=11", "OtherMax=0", "DominantMin=0"})
    {
        auto generator =
            MakeFromWords<ClusterJobGenerator>("ns3::odcn::ClusterJobGenerator[" + wrong + "]");
        EXPECT_THROW(generator->NextSet(), OdcnError) << wrong;
    }
    auto poisson = MakeFromWords<ClusterJobGenerator>(
        "ns3::odcn::ClusterJobGenerator[Rate=1.1|Arrivals=Poisson]");
    EXPECT_NO_THROW(poisson->NextSet());
}

} // namespace
