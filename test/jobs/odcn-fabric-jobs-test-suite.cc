// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs whose flows run as packets over the circuits granted to them.
 */

#include "../core/odcn-test-case.h"
#include "../optics/ocs-test-fabric.h"

#include "ns3/object-factory.h"
#include "ns3/ocs-circuit-follower.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-flows.h"
#include "ns3/queue-size.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Racks, servers of a rack, uplinks of a rack.
constexpr uint32_t RACKS = 8;
constexpr uint32_t SERVERS = 4;
constexpr uint32_t UPLINKS = 4;
/// Load of the jobs, and the stretch of job time with packets.
constexpr double LOAD = 8;
constexpr double FROM = 40;
constexpr double UNTIL = 120;
/// Dark time of a reconfiguration, us.
constexpr int64_t DARK = 10;
/// Transmission of 1500 bytes at 10 Gb/s, propagation of 250 ns, and a time step.
const Time DRAIN = PicoSeconds(1200000 + 250000 + 1);

/// @return a unit of job time
Time
GetUnit()
{
    return MicroSeconds(100);
}

/// @return helper of a data centre in which circuits are often reconfigured
OdcnHelper
MakeHelper()
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(RACKS));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(UPLINKS));
    helper.SetNetworkAttribute("PortRate", DataRateValue(DataRate("10Gbps")));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(SERVERS));
    helper.SetJobAttribute("VmCount", StringValue("ns3::UniformRandomVariable[Min=4|Max=10]"));
    helper.SetJobAttribute("DemandGbps", StringValue("ns3::UniformRandomVariable[Min=1|Max=3]"));
    return helper;
}

/// @return the problem, ready to decide the same jobs each time
Ptr<OdcnScheduling>
MakeJobsProblem()
{
    Ptr<OdcnScheduling> problem = MakeHelper().CreateProblem(LOAD);
    problem->AssignStreams(1);
    problem->Reset();
    return problem;
}

/// @return the placement of these jobs
JobPlacement
MakePlacement()
{
    const auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    return PlaceJobs(*MakeJobsProblem(), *policy, FROM, UNTIL);
}

/// @return flows of these jobs
std::vector<JobFlow>
MakeFlows()
{
    const Ptr<OdcnJobSource> source = MakeHelper().CreateJobs(LOAD);
    source->AssignStreams(1);
    std::vector<OdcnJob> jobs;
    for (OdcnJob job; source->Next(job) && job.arrival < UNTIL;)
    {
        jobs.push_back(job);
    }
    auto workload = CreateObjectWithAttributes<JobFlowWorkload>("Sizes",
                                                                StringValue("50000"),
                                                                "TimeUnit",
                                                                TimeValue(GetUnit()));
    workload->AssignStreams(100);
    return workload->Generate(jobs, FROM, UNTIL);
}

/// @param racks number  @param servers of a rack  @param uplinks of a rack  @param ocs number
/// @return a fabric of 10 Gb/s, without circuits, that holds packets
Ptr<OcsFabric>
MakeFabric(uint32_t racks, uint32_t servers, uint32_t uplinks, uint32_t ocs)
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
    helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(MicroSeconds(DARK)));
    Ptr<OcsFabric> fabric = helper.Build({racks, servers, uplinks, ocs});
    helper.InstallServers(fabric);
    fabric->AssignStreams(1000);
    return fabric;
}

/// The network manager decides while the fabric follows.
struct GrantFixture : TestCase
{
    using TestCase::TestCase;

    /// @return the circuit matrix of the network manager
    const OdcnCircuitLedger& GetLedger() const
    {
        return m_problem->GetManager()->GetNetwork()->GetCircuits();
    }

    /// @param changes of circuits
    void Changed(const std::vector<OdcnCircuitChange>&)
    {
        m_lastChange = Simulator::Now();
        ++m_nChanges;
    }

    /// Decide a job when it arrives.
    void Decide()
    {
        const OdcnCircuitLedger before = GetLedger();
        const uint64_t changes = m_nChanges;
        m_problem->RunJob(*m_policy);
        if (m_nChanges > changes)
        {
            m_before = before;
        }
        Next();
    }

    /// Wait for the next job.
    void Next()
    {
        const double arrival = m_problem->GetJob().arrival;
        if (arrival < UNTIL)
        {
            const double ns = (arrival - FROM) * GetUnit().GetSeconds() * 1e9;
            Simulator::Schedule(NanoSeconds(std::llround(ns)) - Simulator::Now(),
                                &GrantFixture::Decide,
                                this);
        }
    }

    /// Compare all circuits.
    void Look()
    {
        const Time since = Simulator::Now() - m_lastChange;
        const OdcnCircuitLedger& granted = m_nChanges > 0 && since < DRAIN ? m_before : GetLedger();
        for (RackId rack = 0; rack < RACKS; ++rack)
        {
            for (uint32_t port = 0; port < UPLINKS; ++port)
            {
                const OcsCircuit circuit = m_fabric->GetCircuit(rack, port);
                const auto& end = granted.GetOut(rack, port);
                NS_TEST_EXPECT_MSG_EQ(circuit.to, end.rack, "rack " << rack << " port " << port);
                NS_TEST_EXPECT_MSG_EQ((end.rack == NO_RACK || circuit.inPort == end.port),
                                      true,
                                      "input port");
                const RackId used = m_fabric->GetTor(rack)->GetCircuit(port);
                if (m_nChanges == 0 || since > DRAIN + MicroSeconds(DARK))
                {
                    NS_TEST_EXPECT_MSG_EQ(used, end.rack, "used after the dark time");
                }
                else
                {
                    // Also by the new circuits: none is used that is about to go.
                    NS_TEST_EXPECT_MSG_EQ(
                        (used == NO_RACK || used == GetLedger().GetOut(rack, port).rack),
                        true,
                        "used during a reconfiguration");
                    m_dark += used != end.rack;
                }
            }
        }
        ++m_looks;
    }

    Ptr<OdcnScheduling> m_problem; //!< decides as packets would be sent
    Ptr<DecisionPolicy> m_policy{DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy")}; //!< the rule
    Ptr<OcsFabric> m_fabric;    //!< follows the recorded grants
    OdcnCircuitLedger m_before; //!< circuits before the last change
    Time m_lastChange;          //!< its time
    uint64_t m_nChanges{0};     //!< number of changes
    uint64_t m_looks{0};        //!< number of instants
    uint64_t m_dark{0};         //!< circuits seen that were not in use
};

/// @copybrief GrantFixture
ODCN_TEST_CASE_F(GrantFixture,
                 GrantTestCase,
                 "circuits of the fabric are those granted, at every instant")
{
    const JobPlacement placement = MakePlacement();
    m_problem = MakeJobsProblem();
    while (m_problem->GetJob().arrival < FROM)
    {
        m_problem->RunJob(*m_policy);
    }
    m_problem->GetManager()->TraceConnectWithoutContext("CircuitsChanged",
                                                        MakeCallback(&GrantFixture::Changed, this));
    m_fabric = MakeFabric(RACKS, SERVERS, UPLINKS, GetLedger().GetNOcs());
    OdcnHelper::FollowCircuits(m_fabric, placement, GetUnit()); // kept by its events
    Next();
    // Off the grid of whole nanoseconds, on which events lie.
    const Time end = GetUnit() * int64_t(UNTIL - FROM);
    for (Time t = PicoSeconds(500); t < end; t += NanoSeconds(1500))
    {
        Simulator::Schedule(t, &GrantFixture::Look, this);
    }
    RunFor(end);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_GT(m_looks, 5000, "instants");
    NS_TEST_EXPECT_MSG_GT(m_nChanges, 5, "reconfigurations");
    NS_TEST_EXPECT_MSG_EQ(m_nChanges, placement.batches.size(), "all of them");
    NS_TEST_EXPECT_MSG_GT(m_dark, 0, "some circuits were seen dark");
    m_fabric = nullptr;
    m_problem = nullptr;
}

/// Flows of jobs on granted circuits.
ODCN_TEST_CASE(ConservationTestCase,
               "no packet is lost or invented while circuits are reconfigured")
{
    const JobPlacement placement = MakePlacement();
    const Traffic flows = placement.GetFlows(MakeFlows());
    const Ptr<OcsFabric> fabric = MakeFabric(RACKS, SERVERS, UPLINKS, 3);
    const auto follower = OdcnHelper::FollowCircuits(fabric, placement, GetUnit());
    FlowHelper helper;
    helper.Install(fabric->GetServers(), flows);
    const auto check = [&]
    { NS_TEST_EXPECT_MSG_EQ(FindImbalance(fabric), "", "at " << Simulator::Now().As(Time::US)); };
    const Time end = GetUnit() * int64_t(UNTIL - FROM) + MilliSeconds(5);
    for (Time t; t < end; t += NanoSeconds(7919))
    {
        Simulator::Schedule(t, check);
    }
    RunFor(end);
    check();
    const PacketCounts counts = fabric->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), 0, "nothing is lost");
    // Packets of a finished job that lack a circuit wait for one.
    const std::size_t completed = helper.GetRecorder()->GetNCompleted();
    NS_TEST_EXPECT_MSG_GT(flows.size(), 100, "flows");
    NS_TEST_EXPECT_MSG_GT(completed, flows.size() * 9 / 10, "most are complete");
    NS_TEST_EXPECT_MSG_EQ((completed == flows.size()), (counts.inFlight == 0), "the others");
    uint64_t between = 0;
    for (RackId rack = 0; rack < RACKS; ++rack)
    {
        for (uint32_t port = 0; port < UPLINKS; ++port)
        {
            between += fabric->GetUplink(rack, port)->GetSent();
        }
    }
    NS_TEST_EXPECT_MSG_GT(between, 1000, "packets between racks");
    Simulator::Destroy();
}

/// A saturated circuit moves away and returns.
ODCN_TEST_CASE(DrainTestCase,
               "packets on the way pass if circuits are drained, and are lost otherwise")
{
    // drain: time before a change; result: packets lost
    const auto run = [&](Time drain) -> uint64_t
    {
        const Ptr<OcsFabric> fabric = MakeFabric(3, 1, 1, 1);
        auto follower = CreateObjectWithAttributes<OcsCircuitFollower>("Drain", TimeValue(drain));
        follower->Start(fabric,
                        {{0, 0, 1, 0}},
                        {{MicroSeconds(50), {{0, 0, 2, 0}}}, {MicroSeconds(90), {{0, 0, 1, 0}}}});
        FlowHelper helper;
        // 100 packets, 120 us.
        helper.Install(fabric->GetServers(), {{0, 1, 145600, Time(0)}});
        Simulator::Run();
        const uint64_t lost = fabric->Count().dropped.Total();
        NS_TEST_EXPECT_MSG_EQ(fabric->Count().received, 100 - lost, "all others arrive");
        if (lost == 0)
        {
            // The circuit is away for 40 + 10 us, in which 41 or 42 packets wait.
            const Time time = helper.GetRecorder()->GetCompletionTime(0);
            NS_TEST_EXPECT_MSG_GT(time, MicroSeconds(165), "delayed");
            NS_TEST_EXPECT_MSG_LT(time, MicroSeconds(180), "delayed");
        }
        Simulator::Destroy();
        return lost;
    };
    NS_TEST_EXPECT_MSG_EQ(run(DRAIN), 0, "drained");
    NS_TEST_EXPECT_MSG_GT(run(Time(0)), 0, "not drained");
    const Ptr<OcsFabric> fabric = MakeFabric(3, 1, 1, 1);
    const std::string error = GetRefusal(
        [&]
        {
            CreateObject<OcsCircuitFollower>()->Start(
                fabric,
                {},
                {{MicroSeconds(2), {{0, 0, 2, 0}}}, {MicroSeconds(1), {{0, 0, 1, 0}}}});
        });
    NS_TEST_EXPECT_MSG_EQ(error,
                          "OcsCircuitFollower: a batch at 1000 ns: expected 2000 ns or later",
                          "order");
    Simulator::Destroy();
}

/// JobFlowWorkload, PlaceJobs(), OcsCircuitFollower and OdcnHelper::FollowCircuits() in packets.
PicosecondSuite g_fabricJobsTestSuite("odcn-fabric-jobs");

} // namespace
