// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The cloud service manager: all-or-nothing jobs, the order of departures, counters that
 * balance, utilisation by Little's law, and blocking against the exact loss system.
 */

#include "../core/odcn-numbers.h"
#include "../core/odcn-property.h"
#include "odcn-test-system.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-kaufman-roberts.h"
#include "ns3/odcn-statistics.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Records the traces of a cloud service manager.
struct Diary
{
    std::string text;                  //!< events in order
    std::vector<OdcnPlacedJob> placed; //!< accepted jobs
    uint64_t released{0};              //!< jobs that have left
    uint64_t blocked{0};               //!< refused jobs
    uint64_t changed{0};               //!< circuits
    uint64_t reconfigurations{0};      //!< reconfigurations
    double lastDeparture{0};           //!< latest departure so far
    bool inOrder{true};                //!< whether departures were in order

    /// @param manager to observe
    explicit Diary(const Ptr<CsMgr>& manager)
    {
        const auto note = [this](const std::string& what, uint64_t number)
        { text += what + " " + std::to_string(number) + ", "; };
        Record(manager, "JobPlaced", placed);
        Listen(manager, "JobPlaced", [=](const OdcnPlacedJob& job) { note("placed", job.id); });
        Listen(manager,
               "JobReleased",
               [=, this](const OdcnPlacedJob& job)
               {
                   ++released;
                   inOrder = inOrder && job.departure >= lastDeparture;
                   lastDeparture = job.departure;
                   note("released", job.id);
               });
        Listen(manager,
               "JobBlocked",
               [=, this](const OdcnJob& job, OdcnOutcome cause)
               {
                   ++blocked;
                   note(OdcnOutcomeName(cause), job.id);
               });
        Listen(manager,
               "CircuitsChanged",
               [=, this](const std::vector<OdcnCircuitChange>& changes)
               {
                   ++reconfigurations;
                   changed += changes.size();
                   note("changed", changes.size());
               });
    }

    /**
     * @param kind resource
     * @param since job time
     * @param until job time
     * @return resource x time in service in this interval, summed over the accepted jobs
     */
    double Served(std::size_t kind, double since, double until) const
    {
        double sum = 0;
        for (const auto& job : placed)
        {
            // A job is placed when it arrives.
            const double time = std::min(job.departure, until) - std::max(job.arrival, since);
            int64_t held = SumOf<int64_t>(job.vms, [&](const auto& vm) { return vm.milli[kind]; });
            sum += std::max(0.0, time) * static_cast<double>(held);
        }
        return sum;
    }
};

/// Settings of a small data centre.
struct Case
{
    const char* name;        //!< of the case
    const char* sharing;     //!< "Pooled" or "Pinned"
    bool reconfigurable;     //!< whether the network may reconfigure
    const char* placement;   //!< in-rack strategy
    const char* servers{""}; //!< ServersByRack
    const char* ports{""};   //!< PortsByTor
};

using RandomJobs = testing::TestWithParam<Case>;

/// Jobs, departures, failures and repairs in a data centre, and a list of the jobs in service.
class DataCentreUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        OFFER,  //!< seed of the job, number of its VMs, seed of their racks
        WAIT,   //!< time in hundredths
        FAIL,   //!< rack, port, end
        REPAIR, //!< rack, port, end
    };

    /// @param c settings
    explicit DataCentreUnderTest(const Case& c)
        : m_reconfigurable(c.reconfigurable),
          m_system(RACKS, 6, TEST_SERVER),
          m_diary(m_system.manager)
    {
        m_system.network->SetAttribute("Sharing", StringValue(c.sharing));
        m_system.network->SetAttribute("Reconfigurable", BooleanValue(c.reconfigurable));
        m_system.network->SetAttribute("PortsByTor", StringValue(c.ports));
        m_system.manager->SetAttribute("ServersByRack", StringValue(c.servers));
        m_system.Set(std::string("OcsCount=2|Placement=") + c.placement);
        m_system.manager->Reset();
        m_servers = m_system.manager->GetServers();
        m_circuits = m_system.network->GetCircuits();
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        CsMgr& manager = *m_system.manager;
        if (operation.kind == OFFER)
        {
            return Offer(words[0], 1 + words[1] % 7, words[2]);
        }
        if (operation.kind == WAIT)
        {
            const double time = manager.GetTime() + words[0] % 200 / 100.0;
            manager.AdvanceTo(time);
            std::erase_if(m_active, [time](const auto& job) { return job.departure <= time; });
            return Compare();
        }
        const RackId rack = words[0] % RACKS;
        const uint32_t ports = m_system.network->GetCircuits().GetPorts(rack);
        const bool failed = operation.kind == FAIL;
        m_system.network->SetPortFailed(rack, words[1] % ports, words[2] % 2, failed);
        m_anyFailed = m_anyFailed || failed;
        return Compare();
    }

    std::string Finish() override
    {
        m_system.manager->AdvanceTo(std::numeric_limits<double>::max());
        m_active.clear();
        const std::string broken = Compare();
        if (!broken.empty() || !(m_system.manager->GetServers() == m_servers) ||
            m_diary.released != m_diary.placed.size() || !m_diary.inOrder)
        {
            return broken + " departures leave a trace";
        }
        const bool same =
            m_reconfigurable || m_anyFailed || m_system.network->GetCircuits() == m_circuits;
        return same ? "" : "departures leave a trace in the network";
    }

  private:
    static constexpr uint32_t RACKS = 5; //!< |V|

    /// @param seed of the job  @param vms their number  @param racks seed of the choices
    /// @return the broken invariant
    std::string Offer(uint32_t seed, uint32_t vms, uint32_t racks)
    {
        CsMgr& manager = *m_system.manager;
        const OdcnComputeLedger servers = manager.GetServers();
        const OdcnCircuitLedger circuits = m_system.network->GetCircuits();
        std::minstd_rand random(seed);
        std::minstd_rand choices(racks);
        static const std::array<OdcnResources, 5> TYPES{OdcnResources::Of(4, 15, 80),
                                                        OdcnResources::Of(16, 32, 320),
                                                        OdcnResources::Of(2.5, 200.25, 80),
                                                        OdcnResources::Of(0.125, 3, 1500),
                                                        OdcnResources::Of(32, 15, 80)};
        OdcnJob job = TestJob(manager.GetTime(), 1 + random() % 4000 / 100.0, {});
        job.id = m_offered++;
        for (uint32_t k = 0; k < vms; ++k)
        {
            job.vms.push_back(TYPES[random() % TYPES.size()]);
            if (k > 0)
            {
                const uint32_t peer = random() % k;
                job.demands.push_back(
                    {k, peer, static_cast<BitRate>(5 + random() % 25) * TEST_GBPS});
                job.demands.push_back(
                    {peer, k, static_cast<BitRate>(5 + random() % 25) * TEST_GBPS});
            }
        }
        manager.Begin(job);
        OdcnOutcome outcome = OdcnOutcome::ACCEPTED;
        for (uint32_t k = 0; k < vms && outcome == OdcnOutcome::ACCEPTED; ++k)
        {
            if (!manager.Place(choices() % RACKS))
            {
                outcome =
                    choices() % 2 ? OdcnOutcome::BLOCKED_CHOICE : OdcnOutcome::BLOCKED_COMPUTE;
                manager.Block(outcome);
            }
        }
        outcome = outcome == OdcnOutcome::ACCEPTED ? manager.Commit() : outcome;
        Note(OdcnOutcomeName(outcome));
        ++m_outcomes[static_cast<std::size_t>(outcome)];
        if (outcome == OdcnOutcome::ACCEPTED || outcome == OdcnOutcome::RECONFIGURED)
        {
            m_placedVms += vms;
            m_active.push_back(m_diary.placed.back());
            BROKEN_IF(m_active.back().id != job.id || m_active.back().servers.size() != vms,
                      "a job is placed whole");
        }
        else if (!(manager.GetServers() == servers) ||
                 !(m_system.network->GetCircuits() == circuits))
        {
            return "a blocked job leaves a trace";
        }
        return Compare();
    }

    /// @return the broken invariant
    std::string Compare() const
    {
        const CsMgr& manager = *m_system.manager;
        const OdcnCounters& counters = manager.GetCounters();
        BROKEN_IF(counters.Offered() != m_offered || counters.outcome != m_outcomes ||
                      counters.Accepted() != m_diary.placed.size() ||
                      counters.Blocked() != m_diary.blocked ||
                      counters.Offered() != counters.Accepted() + counters.Blocked(),
                  "offered = accepted + blocked by cause");
        BROKEN_IF(counters.Reconfigurations() != m_diary.reconfigurations ||
                      counters.changedCircuits != m_diary.changed ||
                      counters.placedVms != m_placedVms,
                  "counters of placed VMs and changed circuits");
        BROKEN_IF(manager.GetNActive() != m_active.size() ||
                      m_diary.released + m_active.size() != m_diary.placed.size(),
                  "accepted = in service + departed");
        OdcnComputeLedger servers = m_servers;
        std::array<std::array<BitRate, RACKS>, RACKS> used{};
        for (const auto& job : m_active)
        {
            for (std::size_t k = 0; k < job.vms.size(); ++k)
            {
                servers.Reserve(job.servers[k], job.vms[k]);
            }
            for (const auto& load : job.bandwidth)
            {
                used[load.from][load.to] += load.rate;
            }
        }
        bool same = true;
        ForPairs(RACKS,
                 [&](RackId u, RackId v)
                 { same = same && m_system.network->GetCircuits().GetUsed(u, v) == used[u][v]; });
        BROKEN_IF(!same, "bandwidth in use is that of the jobs in service");
        return servers == manager.GetServers() ? ""
                                               : "servers in use are those of the jobs in service";
    }

    bool m_reconfigurable;                            //!< whether the network may reconfigure
    TestSystem m_system;                              //!< under test
    Diary m_diary;                                    //!< its traces
    OdcnComputeLedger m_servers;                      //!< as they began
    OdcnCircuitLedger m_circuits;                     //!< as they began
    std::vector<OdcnPlacedJob> m_active;              //!< the model: jobs in service
    std::array<uint64_t, ODCN_OUTCOMES> m_outcomes{}; //!< jobs by outcome
    uint64_t m_offered{0};                            //!< jobs
    uint64_t m_placedVms{0};                          //!< VMs of accepted jobs
    bool m_anyFailed{false};                          //!< whether a port ever failed
};

/// The mean of independent replications must be that of a formula.
/// @param what row of doc/validation/numbers.md
/// @param values one a replication
/// @param exact expected mean
/// @param confidence of the interval
/// @param widest of its halves
void
ExpectMean(const std::string& what,
           const std::vector<double>& values,
           double exact,
           double confidence,
           double widest)
{
    const Estimate estimate = MeanOfReplications(values, confidence);
    EXPECT_LT(estimate.GetHalfWidth(), widest) << "too wide to tell";
    PrintNumber(what, estimate.mean, exact, estimate.GetHalfWidth());
    EXPECT_NEAR(estimate.mean, exact, estimate.GetHalfWidth()) << what;
}

} // namespace

TEST(CsMgr, JobsLeaveInOrderAndTiesInOrderOfAcceptance)
{
    TestSystem system(2, 4, TEST_SERVER);
    Diary diary(system.manager);
    std::vector<OdcnJob> jobs;
    const std::vector<double> durations{9, 4, 3, 2, 1, 7.5};
    for (std::size_t i = 0; i < durations.size(); ++i)
    {
        jobs.push_back(TestJob(static_cast<double>(i), durations[i], {OdcnResources::Of(1, 1, 1)}));
        jobs.back().id = i;
    }
    // Job 4 leaves at the arrival time of job 5, with jobs 1, 2 and 3.
    system.Start(jobs);
    system.Act({0, 1, 0, 1, 0});
    EXPECT_EQ(system.manager->GetTime(), 5);
    EXPECT_EQ(system.manager->GetNActive(), 1U);
    system.Act({0});
    std::vector<JobId> active;
    system.manager->ForEachActive([&](const OdcnPlacedJob& job) { active.push_back(job.id); });
    EXPECT_EQ(active, (std::vector<JobId>{0, 5}));
    system.manager->AdvanceTo(12.25);
    EXPECT_EQ(system.manager->GetNActive(), 1U);
    system.manager->AdvanceTo(12.5);
    EXPECT_EQ(diary.text,
              "placed 0, placed 1, placed 2, placed 3, placed 4, released 1, released 2, "
              "released 3, released 4, placed 5, released 0, released 5, ");
    EXPECT_EQ(system.manager->GetServers().GetUsed(), OdcnResources());
}

TEST(CsMgr, TellsWhatBecameOfAJob)
{
    TestSystem system(3, 2, TEST_SERVER);
    Diary diary(system.manager);
    const OdcnResources vm = OdcnResources::Of(4, 16, 80);
    std::vector<OdcnJob> jobs{
        TestJob(1, 10, {vm, vm}, {{0, 1, 30 * TEST_GBPS}, {1, 0, 5 * TEST_GBPS}}),
        TestJob(2, 10, {vm, vm}, {{0, 1, 30 * TEST_GBPS}}),
        TestJob(3, 10, {vm, vm}, {{0, 1, 81 * TEST_GBPS}}),
        TestJob(4, 10, {TEST_SERVER, TEST_SERVER, TEST_SERVER}),
        TestJob(5, 10, {OdcnResources::Of(33, 1, 1)})};
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        jobs[i].id = 10 + i;
    }
    system.Start(jobs);
    system.Act({0, 1, 0, 1, 0, 1, 2, 2, 2, 0});
    EXPECT_EQ(diary.text,
              "placed 10, changed 2, placed 11, blocked-bandwidth 12, blocked-compute 13, "
              "blocked-compute 14, ");
    const OdcnPlacedJob& job = diary.placed.front();
    EXPECT_EQ(job.servers, (std::vector<ServerId>{0, 2}));
    EXPECT_EQ(job.arrival, 1);
    EXPECT_EQ(job.departure, 11);
    EXPECT_EQ(job.vms, jobs[0].vms);
    EXPECT_EQ(job.demands, jobs[0].demands);
    ASSERT_EQ(job.bandwidth.size(), 2U);
    EXPECT_EQ(job.bandwidth[0].from, 0U);
    EXPECT_EQ(job.bandwidth[0].to, 1U);
    EXPECT_EQ(job.bandwidth[0].rate, 30 * TEST_GBPS);
    const auto& counters = system.manager->GetCounters();
    EXPECT_EQ(counters.outcome, (std::array<uint64_t, ODCN_OUTCOMES>{1, 1, 2, 0, 1}));
    EXPECT_EQ(counters.Offered(), 5U);
    EXPECT_EQ(counters.Accepted(), 2U);
    EXPECT_EQ(counters.Blocked(), 3U);
    EXPECT_EQ(counters.BlockingRatio(), 0.6);
    EXPECT_EQ(counters.changedCircuits, 2U);
    EXPECT_EQ(counters.placedVms, 4U);
}

TEST(CsMgr, RefusesBadSettings)
{
    TestSystem system(3, 1, TEST_SERVER);
    system.Set("ServersPerRack=65535|Racks=5000|PortsPerTor=1");
    EXPECT_THROW(system.manager->Reset(), OdcnError) << "too many servers";

    TestSystem other(3, 1, TEST_SERVER);
    other.manager->Reset();
    EXPECT_THROW(other.manager->SetAttribute("ServersByRack", StringValue("1,0,2")), OdcnError);
    other.manager->SetAttribute("ServersByRack", StringValue("2*4"));
    EXPECT_THROW(other.manager->Reset(), OdcnError) << "a list of two racks";
    EXPECT_EQ(other.manager->GetServers().GetRackFree(2), TEST_SERVER) << "as before";
}

TEST_P(RandomJobs, AreServedWholeOrNotAtAll)
{
    const Case& c = GetParam();
    Property property{{{"OFFER", 50}, {"WAIT", 47}, {"FAIL", 0.7}, {"REPAIR", 2.3}},
                      [&c] { return std::make_unique<DataCentreUnderTest>(c); },
                      {"accepted", "blocked-compute", "blocked-choice", "blocked-bandwidth"}};
    property.cost = 5;
    property.Require("reconfigured", c.reconfigurable);
    EXPECT_EQ(CheckProperty(property).report, "");
}

INSTANTIATE_TEST_SUITE_P(
    CsMgr,
    RandomJobs,
    testing::Values(Case{"Pooled", "Pooled", true, "Balanced"},
                    Case{"Unequal", "Pooled", true, "Balanced", "9,3,6,2*6", "2*4,2*3,5"},
                    Case{"UnequalFixed", "Pinned", false, "BestFit", "1,2*9,7,4", "5,4*3"},
                    Case{"PooledFixed", "Pooled", false, "BestFit"},
                    Case{"Pinned", "Pinned", true, "FirstFit"},
                    Case{"PinnedFixed", "Pinned", false, "Balanced"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(CsMgr, UtilisationIsTheAcceptedLoadByLittlesLaw)
{
    TestSystem system(4, 8, TEST_SERVER);
    Diary diary(system.manager);
    RandomRack policy(6, 0.9);
    system.Start(TestGenerator(7, 9));
    const auto check = [&]()
    {
        const auto& counters = system.manager->GetCounters();
        ASSERT_GT(counters.until, counters.since);
        for (std::size_t kind = 0; kind < OdcnResources::KINDS; ++kind)
        {
            const double served = diary.Served(kind, counters.since, counters.until);
            EXPECT_GT(served, 0);
            EXPECT_NEAR(counters.busy[kind] / served, 1, 1e-9);
            const auto capacity =
                static_cast<double>(system.manager->GetServers().GetCapacity().milli[kind]);
            const double share = served / capacity / (counters.until - counters.since);
            EXPECT_NEAR(system.manager->GetUtilisation(kind) / share, 1, 1e-9);
            EXPECT_LT(share, 1);
        }
    };
    EXPECT_EQ(system.manager->GetUtilisation(0), 0);
    system.Run(5000, policy);
    check();
    // From the middle of a run: jobs in service at either end count partially.
    system.manager->ClearCounters();
    EXPECT_EQ(system.manager->GetCounters().since, system.manager->GetTime());
    EXPECT_GT(system.manager->GetNActive(), 0U);
    system.Run(20'000, policy);
    check();
    EXPECT_EQ(system.manager->GetCounters().Offered(), 20'000U);
}

TEST(CsMgr, SameStreamsSameRun)
{
    const auto run = [](int64_t stream, uint64_t rngRun, bool lists = false)
    {
        const uint64_t before = RngSeedManager::GetRun();
        RngSeedManager::SetRun(rngRun);
        TestSystem system(4, lists ? 1 : 8, TEST_SERVER);
        if (lists)
        {
            system.Set("ServersByRack=4*8|PortsByTor=4*3|PortRateByTor=4*40Gbps");
        }
        Diary diary(system.manager);
        system.problem->SetJobSource(TestGenerator(7, stream));
        RandomRack policy(6, 0.9);
        system.problem->AssignStreams(stream);
        system.problem->Reset();
        system.Run(2000, policy);
        RngSeedManager::SetRun(before);
        return diary.text + std::to_string(system.manager->GetCounters().busy[0]);
    };
    const auto first = run(1, 1);
    EXPECT_EQ(run(1, 1), first);
    EXPECT_EQ(run(1, 1, true), first) << "lists of equal racks";
    EXPECT_NE(run(8, 1), first);
    EXPECT_NE(run(1, 2), first);
}

TEST(CsMgr, OnePoolOfCoresBlocksAsKaufmanAndRobertsSay)
{
    constexpr int64_t CORES = 16384;
    const auto sizes = KaufmanRoberts::GetJobSizes(10, 21, {{4, 1}, {16, 1}, {16, 1}, {16, 1}});
    constexpr int REPLICATIONS = 20;
    const std::map<int, int> jobsByLoad{{54, 30'000},
                                        {60, 15'000},
                                        {66, 8'000},
                                        {72, 8'000},
                                        {78, 8'000}};
    for (const auto& [load, jobs] : jobsByLoad)
    {
        const KaufmanRoberts exact(CORES, sizes, load);
        std::vector<double> blocking;
        std::vector<double> utilisation;
        for (int r = 0; r < REPLICATIONS; ++r)
        {
            TestSystem system(1, 1, OdcnResources::Of(CORES, 1e8, 1e8));
            auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
            // One server: all strategies pick it, this one without a search.
            // Slots for large VMs are counted one by one, for observations only: one instead of
            // 1024.
            system.Set("Placement=FirstFit|Alpha=0|SlotVms=16384:1:1");
            auto generator = TestGenerator(load, 1000 * load + 10 * r);
            Configure(generator,
                      "PatternOrder=sorted|"
                      "DemandGbps=ns3::ConstantRandomVariable[Constant=7]");
            system.Start(generator);
            // Ten times the mean holding time: the transient of the empty start is e^-10.
            system.Run(10 * load, *policy);
            system.manager->ClearCounters();
            system.Run(jobs, *policy);
            const auto& counters = system.manager->GetCounters();
            EXPECT_EQ(counters.Blocked(),
                      counters.outcome[static_cast<std::size_t>(OdcnOutcome::BLOCKED_COMPUTE)]);
            blocking.push_back(counters.BlockingRatio());
            utilisation.push_back(system.manager->GetUtilisation(0));
        }
        const std::string row = "Kaufman-Roberts, blocking of simulated jobs, load ";
        ExpectMean(row + std::to_string(load),
                   blocking,
                   exact.GetBlocking(),
                   0.99,
                   0.7 * exact.GetBlocking());
        const Estimate use = MeanOfReplications(utilisation, 0.99);
        EXPECT_LT(use.GetHalfWidth(), 0.01) << "too wide to tell";
        EXPECT_NEAR(use.mean, exact.GetUtilization(), use.GetHalfWidth()) << load;
    }
}

TEST(CsMgr, UnequalRacksBlockAsErlangSays)
{
    // Jobs of one VM that fills a server: with racks drawn at random, each rack is a loss system of
    // its own; if a job goes wherever a server is free, all servers are one.
    const std::vector<uint32_t> servers{2, 5, 9};
    const std::vector<double> share{0.2, 0.3, 0.5};
    constexpr double LOAD = 14;
    constexpr int REPLICATIONS = 20;
    constexpr int JOBS = 6000;
    std::vector<std::vector<double>> byRack(servers.size());
    std::vector<double> pool;
    for (int r = 0; r < REPLICATIONS; ++r)
    {
        for (const bool anywhere : {false, true})
        {
            TestSystem system(3, 1, TEST_SERVER);
            system.Set("ServersByRack=2,5,9|Alpha=0");
            auto jobs = TestGenerator(LOAD, 10 * r);
            Configure(jobs, "VmCount=ns3::ConstantRandomVariable[Constant=1]|VmTypes=32:1:1");
            system.Start(jobs);
            auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
            std::mt19937_64 random(r);
            std::discrete_distribution<RackId> draw(share.begin(), share.end());
            std::vector<double> offered(servers.size(), 0);
            std::vector<double> blocked(servers.size(), 0);
            for (int i = 0; i < JOBS; ++i)
            {
                const RackId rack = anywhere ? policy->Decide(*system.problem) : draw(random);
                system.problem->Act(rack);
                if (i >= 20 * LOAD)
                {
                    ++offered[rack];
                    blocked[rack] += system.problem->GetLastOutcome() != OdcnOutcome::ACCEPTED;
                }
            }
            for (std::size_t k = 0; k < servers.size() && !anywhere; ++k)
            {
                byRack[k].push_back(blocked[k] / offered[k]);
            }
            if (anywhere)
            {
                pool.push_back((blocked[0] + blocked[1] + blocked[2]) /
                               (offered[0] + offered[1] + offered[2]));
            }
        }
    }
    const auto expect = [](const std::vector<double>& values, int64_t size, double load)
    {
        const double exact = KaufmanRoberts(size, {{1, 1}}, load).GetBlocking();
        ExpectMean("Erlang B, blocking of simulated jobs, " + std::to_string(size) + " servers",
                   values,
                   exact,
                   0.999,
                   0.2 * exact);
    };
    for (std::size_t k = 0; k < servers.size(); ++k)
    {
        expect(byRack[k], servers[k], LOAD * share[k]);
    }
    expect(pool, 16, LOAD);
}

/// Racks of one server.
struct RacksCase
{
    uint32_t racks;     //!< racks
    int64_t cores;      //!< cores of each
    double load;        //!< load
    std::string demand; //!< demand between VMs, Gb/s
    uint64_t least;     //!< jobs refused, at least
    uint64_t most;      //!< and at most
};

using CsMgrRacks = testing::TestWithParam<RacksCase>;

TEST_P(CsMgrRacks, AcceptWhatASimulatorOfJobsSays)
{
    // Written again from the paper: VMs stay in the last rack while it has the cores, then go to
    // the rack with most; a job gets all of its VMs or nothing. Bandwidth is never short.
    const auto& [racks, cores, load, demand, least, most] = GetParam();
    TestSystem system(racks, 1, OdcnResources::Of(cores, 1e8, 1e8));
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    auto generator = TestGenerator(load, 5);
    generator->SetAttribute("DemandGbps", StringValue(demand));
    system.Start(generator);
    std::vector<int64_t> free(racks, cores * OdcnResources::SCALE);
    std::multimap<double, std::vector<int64_t>> leaving;
    uint64_t refused = 0;
    uint64_t spread = 0;
    for (int i = 0; i < 20'000; ++i)
    {
        const OdcnJob& job = system.problem->GetJob();
        for (; !leaving.empty() && leaving.begin()->first <= job.arrival;
             leaving.erase(leaving.begin()))
        {
            for (uint32_t rack = 0; rack < racks; ++rack)
            {
                free[rack] += leaving.begin()->second[rack];
            }
        }
        std::vector<int64_t> taken(racks, 0);
        bool fits = true;
        uint32_t rack = 0;
        const auto left = [&](uint32_t r) { return free[r] - taken[r]; };
        for (std::size_t vm = 0; vm < job.vms.size() && fits; ++vm)
        {
            const int64_t size = job.vms[vm].milli[0];
            if (vm == 0 || left(rack) < size)
            {
                rack = 0;
                for (uint32_t r = 1; r < racks; ++r)
                {
                    rack = left(r) > left(rack) ? r : rack;
                }
            }
            fits = left(rack) >= size;
            taken[rack] += fits ? size : 0;
        }
        if (fits)
        {
            for (uint32_t r = 0; r < racks; ++r)
            {
                free[r] -= taken[r];
            }
            spread += std::count(taken.begin(), taken.end(), 0) < racks - 1;
            leaving.emplace(job.arrival + job.duration, taken);
        }
        refused += !fits;
        ASSERT_EQ(system.problem->RunJob(*policy),
                  fits ? OdcnOutcome::ACCEPTED : OdcnOutcome::BLOCKED_COMPUTE)
            << "job " << i;
    }
    EXPECT_GT(refused, least);
    EXPECT_LT(refused, most);
    EXPECT_TRUE(racks == 1 || spread > 200) << "jobs over several racks";
}

INSTANTIATE_TEST_SUITE_P(
    OnePoolAndFourRacks,
    CsMgrRacks,
    testing::Values(
        RacksCase{1, 16384, 78, "ns3::UniformRandomVariable[Min=6|Max=8]", 500, 2500},
        RacksCase{4, 1024, 18, "ns3::ConstantRandomVariable[Constant=0.001]", 200, 5000}));
