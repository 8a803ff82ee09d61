// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Migrations decided at job level and carried by packets: one ledger, equal figures, and
 * their outcome when a fibre is cut.
 */

#include "../core/odcn-test-case.h"
#include "../optics/otn-test-ring.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/icci-manager.h"
#include "ns3/icci-migration-scheduler.h"
#include "ns3/icci-plane-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-management-helper.h"

#include <filesystem>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Migrates once, with additional wavelengths.
class OncePolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::odcn::OncePolicy").SetParent<DecisionPolicy>();
        return tid;
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const auto& migration = dynamic_cast<const IcciMigration&>(problem);
        const auto& manager = *migration.GetManager();
        decidedAt.push_back(Simulator::Now());
        if (!ring.empty())
        {
            return 0;
        }
        ring = manager.GetQuestion().candidates[0].ring;
        before = manager.GetTasks()[0].ring;
        // Candidate 0 in slot 0 with the third routing.
        return 3;
    }

    std::vector<uint32_t> before; //!< ring before
    std::vector<uint32_t> ring;   //!< ring after
    std::vector<Time> decidedAt;  //!< times of all decisions
};

/// @return six centres in a ring with a task on 0, 1 and 5; 1 becomes a hotspot, which raises a
/// question
/// @param km length of each link
/// @param faults of the day
Ptr<IcciMigration>
MakeProblem(double km = 10, const FaultPlan& faults = {})
{
    auto manager = CreateObject<IcciManager>();
    manager->SetMesh(MakeRing(6, 40, km));
    auto tide = CreateObject<IcciTide>();
    manager->SetTide(tide);
    Configure(manager, "Outlook=0|Noise=0");
    auto day = std::make_shared<IcciBackground>();
    day->step = 10;
    day->samples = 8640;
    day->milli.assign(6 * day->samples, 30000);
    std::fill_n(day->milli.begin() + day->samples + 1000, day->samples - 1000, 75000);
    // Three workers of 10 CUs, two wavelengths, 2 s an iteration: 1.4 s and 0.6 s.
    IcciTask task;
    task.arrival = 100;
    task.workers = 3;
    task.iterations = 20000;
    task.deadline = 40000;
    task.dataGb = 840;
    task.parameters = 90;
    task.accuracy = 0.2;
    manager->SetFaults(
        std::make_shared<FaultTimeline>(faults,
                                        IcciManager::GetFaultParts(*manager->GetMesh()),
                                        Seconds(1)));
    manager->Reset({task}, day, 1);
    auto problem = CreateObject<IcciMigration>();
    problem->SetAttribute("Wavelengths", BooleanValue(true));
    problem->SetManager(manager);
    problem->SetTasks(CreateObject<IcciTaskGenerator>());
    problem->SetTide(tide);
    problem->Continue();
    return problem;
}

/// A day of the problem on packets.
struct Bench
{
    /// @param km length of each link  @param faults of the day
    explicit Bench(double km = 10, const FaultPlan& faults = {})
        : problem(MakeProblem(km, faults)),
          manager(problem->GetManager()),
          plane(IcciPlaneHelper::Build(manager->GetMesh(), IcciPlaneOptions::Of(manager)))
    {
        scheduler->SetAttribute("Policy", PointerValue(policy));
        Configure(scheduler, "WindowAfter=0|WindowSpacing=1");
        scheduler->SetProblem(problem);
        scheduler->SetPlane(plane);
        const auto finished = []() { Simulator::Stop(); };
        Listen(scheduler, "Finished", finished);
        controller->AddApplication(scheduler);
    }

    ~Bench()
    {
        Simulator::Destroy();
        plane->Dispose();
    }

    Ptr<IcciMigration> problem;                                            //!< decision problem
    Ptr<IcciManager> manager;                                              //!< of the problem
    Ptr<IcciPacketPlane> plane;                                            //!< carries migrations
    Ptr<OncePolicy> policy{CreateObject<OncePolicy>()};                    //!< policy
    Ptr<MigrationScheduler> scheduler{CreateObject<MigrationScheduler>()}; //!< scheduler
    Ptr<Node> controller{CreateObject<Node>()};                            //!< the scheduler's node
};

/// Fault, and its consequence.
enum Fate
{
    WHOLE,    //!< no cut
    DATA,     //!< no cut; half of the worker's data moves, too
    RESTORED, //!< the lightpath is rerouted
    NO_WAY,   //!< there is no alternative path
    TIMEOUT,  //!< restoration is off
};

/// One migration, with any outcome.
struct CarryFixture : ParameterCase<std::pair<Fate, const char*>>
{
    using ParameterCase::ParameterCase;

    /// @return whether no fibre is cut
    bool IsWhole() const
    {
        return m_fate == WHOLE || m_fate == DATA;
    }

    /// The wavelengths in use are those of the task and its migration. @param manager any
    void CheckLedger(const IcciManager& manager)
    {
        OtnWavelengthLedger ledger(manager.GetMesh());
        bool once = ledger.Take(manager.GetTasks()[0].lightpaths);
        const auto& record = manager.GetMigrations()[0];
        if (record.phase == IcciMigrationRecord::STARTED)
        {
            once = once && ledger.Take(record.lit.added) && ledger.Take(record.transfers);
        }
        NS_TEST_EXPECT_MSG_EQ(once, true, "no wavelength twice");
        NS_TEST_EXPECT_MSG_EQ((ledger == manager.GetWavelengths()), true, "one ledger");
    }

    /// @param row of the migration  @param plane packets
    void CheckPackets(const IcciPacketMigration& row, IcciPacketPlane& plane)
    {
        NS_TEST_EXPECT_MSG_EQ(plane.Count().GetMissing(), 0, "every packet is known of");
        NS_TEST_EXPECT_MSG_EQ(plane.Count().inFlight, 0, "none is on its way");
        NS_TEST_EXPECT_MSG_EQ((row.dropped.Total() > 0), !IsWhole(), "lost");
        NS_TEST_EXPECT_MSG_EQ(row.dropped.Total(),
                              row.dropped[OcsDropCause::FIBER_CUT] +
                                  row.dropped[OcsDropCause::DARK],
                              "in the cut, or before there was light again");
        NS_TEST_EXPECT_MSG_GT(row.sent, 1000, "real packets");
    }

    /// @param manager of the task  @param row of the migration  @param ring present ring
    void CheckTask(IcciManager& manager,
                   const IcciPacketMigration& row,
                   const std::vector<uint32_t>& ring)
    {
        const double stood = row.downtime;
        switch (m_fate)
        {
        case WHOLE:
        case DATA:
            NS_TEST_EXPECT_MSG_EQ_TOL(stood / row.eq16, 1.005, 0.005, "downtime");
            break;
        case RESTORED:
            // Detection, set-up, and TCP's retransmission timer.
            NS_TEST_EXPECT_MSG_GT(stood, row.eq16 + 0.020, "longer");
            NS_TEST_EXPECT_MSG_LT(stood, row.eq16 + 0.100, "not much");
            break;
        case NO_WAY:
            NS_TEST_EXPECT_MSG_EQ_TOL(stood, 1.8 + 0.010, 0.001, "half the bytes, and detection");
            break;
        case TIMEOUT:
            NS_TEST_EXPECT_MSG_EQ_TOL(stood, 1.8 + 0.210, 0.005, "half the bytes, and patience");
            break;
        }
        CheckLedger(manager);
        const IcciTaskState& task = manager.GetTasks()[0];
        const IcciCounters& counters = manager.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.started, 1, "begun once");
        NS_TEST_EXPECT_MSG_EQ(counters.completed, (row.completed ? 1U : 0U), "done");
        NS_TEST_EXPECT_MSG_EQ(counters.aborted, (row.completed ? 0U : 1U), "or given up");
        NS_TEST_EXPECT_MSG_EQ(counters.movedWorkers, counters.completed, "a worker");
        NS_TEST_EXPECT_MSG_EQ(task.phase, IcciTaskState::ENDED, "it survives");
        NS_TEST_EXPECT_MSG_EQ((task.ring == ring), true, "where it should be");
        // The job level continues with Eq. 16, or with the reported downtime.
        const double counted = IsWhole() ? row.eq16 : stood;
        NS_TEST_EXPECT_MSG_EQ_TOL(task.downtime, counted, 1e-9, "stood still once");
        const double left = 20000 - (row.start - 100) / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(task.end,
                                  row.start + counted + left * (row.completed ? 1.8 : 2),
                                  1e-6,
                                  "no iteration is lost or done twice");
    }

    const Fate m_fate = parameter.first; //!< the fault
};

/// @copybrief CarryFixture
ODCN_TEST_CASES_F(CarryFixture,
                  CarryTestCase,
                  parameter.second,
                  {DATA, "a migration with its data"},
                  {WHOLE, "a migration is carried"},
                  {RESTORED, "a cut on its way, restored"},
                  {NO_WAY, "a cut without a way round"},
                  {TIMEOUT, "a cut that nobody sees to"})
{
    Bench bench;
    bench.scheduler->SetAttribute("Cut", BooleanValue(!IsWhole()));
    bench.plane->GetControl()->SetAttribute("Restoration", BooleanValue(m_fate != TIMEOUT));
    bench.manager->SetAttribute("DataShare", DoubleValue(m_fate == DATA ? 0.5 : 0));
    // The ring of centres is open on the other side.
    constexpr uint32_t FAR_LINK = 3;
    const auto& network = bench.plane->GetNetwork();
    if (m_fate == NO_WAY)
    {
        Simulator::Schedule(Seconds(1), &OtnNetwork::CutLink, network, FAR_LINK);
    }
    std::vector<IcciPacketMigration> rows;
    const auto carried = [&](const IcciPacketMigration& row)
    {
        rows.push_back(row);
        network->RepairLink(FAR_LINK);
        CheckLedger(*bench.manager);
    };
    Listen(bench.scheduler, "Carried", carried);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(rows.size(), 1, "carried");
    if (rows.size() != 1)
    {
        return;
    }
    const auto row = rows[0];
    const bool done = IsWhole() || m_fate == RESTORED;
    NS_TEST_EXPECT_MSG_EQ(row.completed, done, "its fate");
    NS_TEST_EXPECT_MSG_EQ((row.rerouted > 0), (m_fate == RESTORED), "sent round");
    // 2 (N - 1) P / (N chi n): 4 / 3 x 90 / 200, and with a wavelength more / 300.
    NS_TEST_EXPECT_MSG_EQ_TOL(row.before.formula, 0.6, 1e-9, "Eq. 3");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.before.packets / 0.6, 1.005, 0.005, "in packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.after.formula, (done ? 0.4 : 0.6), 1e-9, "Eq. 3, after");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.after.packets / row.after.formula, 1.005, 0.005, "after");
    // 90 GB of parameters, and half of a third of 840 GB.
    const double gigabits = 8 * (90 + (m_fate == DATA ? 140 : 0));
    NS_TEST_EXPECT_MSG_EQ_TOL(row.eq16,
                              gigabits / 200 + 0.05,
                              0.001,
                              "Eq. 16: at 200 Gb/s, and t_GPU");
    CheckPackets(row, *bench.plane);
    CheckTask(*bench.manager, row, done ? bench.policy->ring : bench.policy->before);
    // Job time stood still while packets ran, and advanced otherwise.
    NS_TEST_EXPECT_MSG_GT(Simulator::Now(), Seconds(row.start), "job time");
    NS_TEST_EXPECT_MSG_EQ(bench.scheduler->IsWindowOpen(), false, "goes on");
}

/// A migration on a day with faults: a link that has failed is dark in packets, and avoided.
ODCN_TEST_CASE(FaultyDayTestCase, "links that have failed on a day")
{
    constexpr uint32_t FAILED = 0; // of the ring, between sites 0 and 1, during the migration
    constexpr uint32_t MENDED = 1; // before it
    constexpr uint32_t LEFT = 3;   // cut by who used the plane before
    FaultPlan faults;
    faults.Add({FaultPart::LINK, FAILED, 0, Seconds(500), Seconds(20000), "day"});
    faults.Add({FaultPart::LINK, MENDED, 0, Seconds(300), Seconds(400), "day"});
    Bench bench(10, faults);
    const auto& network = bench.plane->GetNetwork();
    network->CutLink(LEFT);
    uint32_t carriedMigrations = 0;
    const auto carried = [&](const IcciPacketMigration& row)
    {
        ++carriedMigrations;
        NS_TEST_EXPECT_MSG_EQ(row.completed, true, "its fate");
        NS_TEST_EXPECT_MSG_EQ(row.dropped.Total(), 0, "nothing is sent into a failed link");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.downtime / row.eq16, 1.005, 0.005, "downtime");
        for (const uint32_t link : {FAILED, MENDED, LEFT})
        {
            const bool cut = link == FAILED;
            NS_TEST_EXPECT_MSG_EQ(network->GetFiber(2 * link)->IsCut(), cut, "dark " << link);
            NS_TEST_EXPECT_MSG_EQ(bench.manager->GetWavelengths().IsCut(link), cut, "ledger");
        }
        const auto& record = bench.manager->GetMigrations()[0];
        auto paths = bench.manager->GetTasks()[0].lightpaths;
        paths.insert(paths.end(), record.lit.hops.begin(), record.lit.hops.end());
        paths.insert(paths.end(), record.transfers.begin(), record.transfers.end());
        NS_TEST_EXPECT_MSG_GT(paths.size(), 6, "two rings and a transfer");
        for (const auto& grant : paths)
        {
            for (const uint32_t fiber : grant.path)
            {
                NS_TEST_EXPECT_MSG_NE(fiber / 2, FAILED, "the long way round");
            }
        }
    };
    Listen(bench.scheduler, "Carried", carried);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(carriedMigrations, 1, "carried");
    NS_TEST_EXPECT_MSG_EQ(bench.manager->GetCounters().rerouted, 2, "the ring, at each failure");
    NS_TEST_EXPECT_MSG_EQ(bench.plane->Count().GetMissing(), 0, "every packet is known of");
}

/// Migrations that cannot be carried.
ODCN_TEST_CASE(RefusalTestCase, "what packets cannot carry is refused")
{
    auto manager = MakeProblem()->GetManager();
    manager->SetAttribute("BothWays", BooleanValue(false));
    NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { IcciPlaneOptions::Of(manager); }),
                          "",
                          "lightpaths in one direction");
}

/// Decision, control packets, migration and resumed ring in one run, by traces.
struct ManagementFixture : TestCase
{
    using TestCase::TestCase;

    /// @param management whether there is a management network of 10 ms
    /// @return the row of the migration in packets
    IcciPacketMigration Run(bool management)
    {
        Bench bench;
        FlowMonitorHelper flows;
        auto network = CreateObject<ManagementNetwork>();
        Time latest;
        const auto delivered = [&latest](ManagementNetwork::Kind, Time latency)
        { latest = std::max(latest, latency); };
        Listen(network, "Delivered", delivered);
        if (management)
        {
            Configure(network, "DataRate=1Gbps|Delay=10ms");
            bench.scheduler->SetAttribute("DecisionTime", StringValue("5ms"));
        }
        ManagementHelper helper;
        const auto gateway = helper.Install(network, bench.controller);
        bench.scheduler->SetManagement(network);
        if (management)
        {
            helper.EnablePcap(m_pcap, bench.controller->GetDevice(0), true, true);
            flows.Install(NodeContainer(bench.controller, gateway));
            const auto used = [&flows](Ptr<Node> host) { flows.Install(host); };
            Listen(bench.scheduler, "HostUsed", used);
        }
        IcciPacketMigration row;
        const auto carried = [&row](const IcciPacketMigration& r) { row = r; };
        Listen(bench.scheduler, "Carried", carried);
        Simulator::Run();
        uint64_t packets = 0;
        for (const auto kind :
             {ManagementNetwork::REQUEST, ManagementNetwork::COMMAND, ManagementNetwork::REPORT})
        {
            const auto& counts = network->GetCounts(kind);
            NS_TEST_EXPECT_MSG_GT(counts.messages, 0, "messages of kind " << kind);
            NS_TEST_EXPECT_MSG_EQ(counts.delivered, counts.messages, "all delivered");
            packets += counts.packets;
        }
        // One request per question; one command, one report of it and one of the outcome.
        NS_TEST_EXPECT_MSG_EQ(network->GetCounts(ManagementNetwork::REQUEST).messages,
                              bench.policy->decidedAt.size(),
                              "requests");
        NS_TEST_EXPECT_MSG_EQ(network->GetCounts(ManagementNetwork::COMMAND).messages, 1, "one");
        NS_TEST_EXPECT_MSG_EQ(network->GetCounts(ManagementNetwork::REPORT).messages, 2, "two");
        if (!management)
        {
            NS_TEST_EXPECT_MSG_EQ(packets, 0, "an ideal network has no packets");
            NS_TEST_EXPECT_MSG_EQ(latest, Time(0), "and takes no time");
            return row;
        }
        NS_TEST_EXPECT_MSG_EQ(latest,
                              network->GetLatency(32 + 64 * (row.workers + row.moved)),
                              "the longest message, alone on the link");
        CheckFlows(flows, packets);
        m_packets = packets;
        return row;
    }

    /// @param flows of all nodes  @param packets of the management network
    void CheckFlows(FlowMonitorHelper& flows, uint64_t packets)
    {
        auto classifier = DynamicCast<Ipv4FlowClassifier>(flows.GetClassifier());
        std::map<uint8_t, uint64_t> received;
        Time lastControl;
        Time lastData;
        for (const auto& [id, stats] : flows.GetMonitor()->GetFlowStats())
        {
            const auto flow = classifier->FindFlow(id);
            received[flow.protocol] += stats.rxPackets;
            Time& last = flow.protocol == 17 ? lastControl : lastData;
            last = std::max(last, stats.timeLastRxPacket);
        }
        NS_TEST_EXPECT_MSG_EQ(received[17], packets, "control packets");
        NS_TEST_EXPECT_MSG_GT(received[6], 1000, "packets of rings and migration");
        NS_TEST_EXPECT_MSG_GT(lastControl, lastData, "the outcome is reported, and asked on");
    }

    std::string m_pcap;    //!< file of the control packets
    uint64_t m_packets{0}; //!< control packets
};

/// @copybrief ManagementFixture
ODCN_TEST_CASE_F(ManagementFixture,
                 ManagementTestCase,
                 "one FlowMonitor and pcap of decision, control, migration and ring")
{
    const auto ideal = Run(false);
    m_pcap = CreateTempDirFilename("control.pcap");
    const auto far = Run(true);
    // A header of 24 bytes, then 16 and at least 44 for each packet.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(std::filesystem::file_size(m_pcap),
                                24 + 60 * m_packets,
                                "pcap of control packets");
    NS_TEST_EXPECT_MSG_EQ(ideal.completed && far.completed, true, "both migrate");
    // 25 ms later is the end of the same iteration, or of a later one.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(far.start, ideal.start, "not earlier");
    NS_TEST_EXPECT_MSG_EQ_TOL(far.downtime, ideal.downtime, 1e-9, "the same migration");
    NS_TEST_EXPECT_MSG_EQ_TOL(far.after.packets, ideal.after.packets, 1e-9, "and ring");
}

/// On long fibres the time of a ring does not depend on the share of bytes sent.
ODCN_TEST_CASE(LongFibresTestCase, "rings over 1000 km do not depend on the scale")
{
    // scale: share of the bytes; result: the row of the migration in packets
    const auto run = [&](double scale) -> IcciPacketMigration
    {
        Bench bench(1000);
        bench.scheduler->SetAttribute("PacketScale", DoubleValue(scale));
        IcciPacketMigration row;
        const auto carried = [&row](const IcciPacketMigration& r) { row = r; };
        Listen(bench.scheduler, "Carried", carried);
        Simulator::Run();
        return row;
    };
    const auto few = run(1e-4);
    const auto many = run(1e-3);
    NS_TEST_EXPECT_MSG_GT(many.sent, 5 * few.sent, "more packets");
    for (const auto& row : {few, many})
    {
        NS_TEST_EXPECT_MSG_EQ(row.completed, true, "it migrates");
        // 4 messages over up to 3 links of 5 ms each, in addition to Eq. 3.
        NS_TEST_EXPECT_MSG_GT(row.before.packets, row.before.formula + 0.020, "far");
        NS_TEST_EXPECT_MSG_LT(row.before.packets, row.before.formula + 0.070, "not too far");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(many.before.packets / few.before.packets, 1, 0.01, "before");
    NS_TEST_EXPECT_MSG_EQ_TOL(many.after.packets / few.after.packets, 1, 0.01, "after");
    NS_TEST_EXPECT_MSG_EQ_TOL(many.downtime / few.downtime, 1, 0.01, "downtime");
}

/// Migrations of the job level in packets.
PicosecondSuite g_icciMigrationSchedulerTestSuite("icci-migration-scheduler");

} // namespace
