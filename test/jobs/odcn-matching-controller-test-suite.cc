// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Controllers that match circuits to measured demand: the decision for a known demand, exact times
 * of reaction, conservation of packets, distributed schedules, divided fabrics, bad settings.
 */

#include "../core/odcn-test-case.h"
#include "../optics/ocs-scheduled-fabric.h"

#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-max-weight-matching.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Racks of one server each, whose circuits a controller decides every 100 us.
class ControlledFabric
{
  public:
    /// @param racks number  @param uplinks of each rack  @param policy of the controller
    /// @param noCircuit Attribute of ToR switches  @param divided see OcsHelper::Divide()
    ControlledFabric(uint32_t racks,
                     uint32_t uplinks,
                     const std::string& policy,
                     const std::string& noCircuit = "Hold",
                     bool divided = false)
    {
        OcsHelper helper;
        if (divided)
        {
            helper.Divide();
        }
        const DataRate rate{uint64_t(UPLINK_RATE)};
        helper.SetTorAttribute("NoCircuit", StringValue(noCircuit));
        helper.SetUplinkAttribute("DataRate", DataRateValue(rate));
        helper.SetServerAttribute("DataRate", DataRateValue(rate));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(500)));
        helper.SetServerFiberAttribute("Delay", TimeValue(Time(0)));
        fabric = helper.Build({racks, 1, uplinks, uplinks});
        fabric->AssignStreams(1);
        servers.resize(racks);
        for (RackId rack = 0; rack < racks; ++rack)
        {
            servers[rack].device = fabric->GetServerDevice(rack, 0);
            servers[rack].device->SetUser(&servers[rack], 0);
        }
        node = CreateObject<Node>();
        controller = CreateObjectWithAttributes<MatchingController>("Policy",
                                                                    StringValue(policy),
                                                                    "Epoch",
                                                                    TimeValue(MicroSeconds(100)));
        controller->SetFabric(fabric);
        controller->AssignStreams(100);
        node->AddApplication(controller);
        random = CreateObject<UniformRandomVariable>();
        random->SetStream(1000);
    }

    /// @param from rack  @param to rack  @param packets number to send
    void Send(RackId from, RackId to, uint32_t packets = 1)
    {
        for (uint32_t i = 0; i < packets; ++i)
        {
            servers[from].device->Transmit(MakeTestPacket(fabric->GetServerAddress(from, 0),
                                                          fabric->GetServerAddress(to, 0),
                                                          1000,
                                                          SIZE));
        }
    }

    /// @return the receiver of each rack on plane 0
    Matching GetMatching() const
    {
        Matching to;
        for (RackId rack = 0; rack < servers.size(); ++rack)
        {
            to.push_back(fabric->GetCircuit(rack, 0).to);
        }
        return to;
    }

    Ptr<OcsFabric> fabric;                 //!< the fabric
    Ptr<Node> node;                        //!< of the controller
    Ptr<MatchingController> controller;    //!< the controller
    Ptr<UniformRandomVariable> random;     //!< for traffic
    std::vector<SaturatingServer> servers; //!< one a rack
    SimulationEnd end;                     //!< of the simulation
};

/// The decision for a demand that is known.
ODCN_TEST_CASE(DecisionTestCase,
               "Circuits are the maximum-weight matching of the bytes held, by hand")
{
    ControlledFabric t(4, 1, "MaxWeightMatching");
    std::vector<DemandMatrix> demands;
    Listen(t.controller, "Demand", [&](const DemandMatrix& demand) { demands.push_back(demand); });
    // Circuits are 0-1, 1-2, 2-3, 3-0: all of this waits.
    t.Send(0, 2, 10);
    t.Send(0, 3, 5);
    t.Send(1, 0, 8);
    t.Send(2, 1, 3);
    RunFor(MicroSeconds(99));
    NS_TEST_EXPECT_MSG_EQ((t.GetMatching() == Matching{1, 2, 3, 0}), true, "initial circuits");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().received, 0, "all packets wait");
    RunFor(MicroSeconds(50));
    NS_TEST_ASSERT_MSG_EQ(demands.size(), 1, "one report");
    DemandMatrix expected(4);
    expected.Set(0, 2, 10 * SIZE);
    expected.Set(0, 3, 5 * SIZE);
    expected.Set(1, 0, 8 * SIZE);
    expected.Set(2, 1, 3 * SIZE);
    ForPairs(4,
             [&](RackId i, RackId j)
             { NS_TEST_EXPECT_MSG_EQ(demands[0].Get(i, j), expected.Get(i, j), i << "-" << j); });
    // 3-0 loses its receiver.
    const Matching matching{2, 0, 1, NO_RACK};
    NS_TEST_EXPECT_MSG_EQ((t.GetMatching() == matching), true, "decided circuits");
    NS_TEST_EXPECT_MSG_EQ((MaxWeightMatching::Find(expected) == matching), true, "algorithm");
    NS_TEST_EXPECT_MSG_EQ(t.controller->GetFollower()->GetNReconfigured(), 4, "circuits");
    RunFor(MicroSeconds(51));
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().received, 21, "all but those from 0 to 3");
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(t.GetMatching()[0], 3, "then rack 3");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().received, 26, "all");
    NS_TEST_EXPECT_MSG_EQ(t.controller->GetNDecisions(), 3, "decisions at 100, 200, 300 us");
    NS_TEST_EXPECT_MSG_EQ(t.controller->GetNCommands(), 2, "the last one keeps the circuits");
}

/// When a controller reacts, to the nanosecond.
ODCN_TEST_CASE(ReactionTestCase,
               "New demand is served after the delays of report, decision, command and circuit")
{
    // report: Attribute ReportDelay; link: whether messages take time
    const auto run = [&](Time report, bool link)
    {
        ControlledFabric t(4, 1, "MaxWeightMatching");
        t.controller->SetAttribute("ReportDelay", TimeValue(report));
        t.controller->SetAttribute("DecisionTime", TimeValue(MicroSeconds(20)));
        t.controller->GetFollower()->SetAttribute("Guard", TimeValue(MicroSeconds(1)));
        auto management = CreateObject<ManagementNetwork>();
        if (link)
        {
            Configure(management, "DataRate=1Gbps|Delay=7us");
        }
        ManagementHelper().Install(management, t.node);
        t.controller->SetManagement(management);
        Time arrival;
        t.servers[2].measuring = Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>)
                                                                   { arrival = Simulator::Now(); });
        // Between the measurements at 100 and 200 us.
        Simulator::Schedule(MicroSeconds(130), [&t]() { t.Send(0, 2); });
        uint64_t straight = 0;
        t.servers[0].measuring =
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { ++straight; });
        // 3-0 loses nothing while the other circuits change.
        for (int i = 0; i < 500; ++i)
        {
            Simulator::Schedule(MicroSeconds(2 * i), [&t]() { t.Send(3, 0); });
        }
        RunFor(MilliSeconds(1) + MicroSeconds(10));
        const Time messages = management->GetLatency(2 * 4 * 4 * 4) + management->GetLatency(4 * 4);
        // Transmission, propagation to the optical switch, Guard.
        const Time drain = NanoSeconds(1200 + 500 + 1000);
        NS_TEST_EXPECT_MSG_EQ(t.controller->GetFollower()->GetDrainTime(), drain, "drain");
        const Time atSwitch =
            MicroSeconds(200) + report + MicroSeconds(20) + messages + drain + MicroSeconds(10 + 1);
        // From the first bit at the optical switch: a fibre, two transmissions.
        NS_TEST_EXPECT_MSG_EQ(arrival, atSwitch + NanoSeconds(500 + 2 * 1200), "arrival");
        NS_TEST_EXPECT_MSG_EQ(straight, 500, "3 to 0");
        NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(), 0, "nothing is lost");
    };
    run(Time(0), false);
    run(MicroSeconds(30), false);
    run(MicroSeconds(230), false);
    run(MicroSeconds(30), true);
}

/// Conservation.
struct MatchingControllerConservationFixture : TestCase
{
    using TestCase::TestCase;

    /// @param t fabric with random traffic  @param until when it ends
    static void Traffic(ControlledFabric* t, Time until)
    {
        const auto racks = static_cast<uint32_t>(t->servers.size());
        const RackId from = t->random->GetInteger(0, racks - 1);
        const uint32_t distance =
            t->random->GetInteger(0, 2) ? 2 : t->random->GetInteger(1, racks - 1);
        t->Send(from, (from + distance) % racks, t->random->GetInteger(1, 8));
        if (Simulator::Now() < until)
        {
            Simulator::Schedule(NanoSeconds(t->random->GetInteger(100, 2500)), &Traffic, t, until);
        }
    }

    void Check(ControlledFabric& t, const std::string& policy)
    {
        NS_TEST_EXPECT_MSG_EQ(FindImbalance(t.fabric), "", policy << " at " << Simulator::Now());
        NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(),
                              0,
                              policy << " at " << Simulator::Now());
        ++m_checks;
    }

    /// @param policy of the controller  @param report Attribute ReportDelay
    /// @param offered whether demand is what servers offered
    void Run(const std::string& policy, Time report, bool offered = false)
    {
        ControlledFabric t(6, 2, policy);
        t.controller->SetAttribute("ReportDelay", TimeValue(report));
        Configure(t.controller->GetFollower(),
                  "Guard=300ns|"
                  "ClockSkew=ns3::UniformRandomVariable[Min=-300|Max=300]");
        if (offered)
        {
            Configure(t.controller->GetMeter(), "Quantity=Offered|Smoothing=0.5");
        }
        m_checks = 0;
        Listen(t.controller, "Demand", [&](const DemandMatrix&) { Check(t, policy); });
        Traffic(&t, MilliSeconds(2));
        RunFor(MilliSeconds(6));
        Check(t, policy);
        const PacketCounts counts = t.fabric->Count();
        NS_TEST_EXPECT_MSG_GT(counts.received, 2000, policy);
        NS_TEST_EXPECT_MSG_GT(m_checks, 50, policy);
        NS_TEST_EXPECT_MSG_GT(t.controller->GetFollower()->GetNReconfigured(), 50, policy);
        if (!offered)
        {
            NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, policy << " serves all that is held");
        }
    }

    uint32_t m_checks{0}; //!< number of checks
};

/// @copybrief MatchingControllerConservationFixture
ODCN_TEST_CASE_F(MatchingControllerConservationFixture,
                 MatchingControllerConservationTestCase,
                 "Nothing is lost or unaccounted for with any policy and late reports")
{
    for (const std::string policy : {"MaxWeightMatching",
                                     "MaxWeightMatching[Capacity=100000]",
                                     "BirkhoffMatching[Terms=4]",
                                     "RoundRobinMatching",
                                     "max-weight-held",
                                     "greedy",
                                     "random"})
    {
        Run(policy, Time(0));
        Run(policy, MicroSeconds(250));
    }
    Run("SolsticeMatching", MicroSeconds(250));
    Run("VermilionMatching", MicroSeconds(250), true);
}

/// A schedule that a controller distributes.
ODCN_TEST_CASE(DistributionTestCase,
               "A distributed schedule is followed from the arrival of the command on")
{
    ControlledFabric t(4, 1, "MaxWeightMatching");
    auto plan = CircuitSchedule::Create("RoundRobinSchedule[Slot=50us|ReconfigurationTime=10us]");
    plan->Build(4, 1);
    t.controller->SetSchedule(plan);
    t.controller->SetAttribute("DecisionTime", TimeValue(MicroSeconds(70)));
    uint32_t checks = 0;
    for (uint32_t slot = 0; slot < 7; ++slot)
    {
        const Time middle = MicroSeconds(70) + NanoSeconds(1700) + MicroSeconds(50 * slot + 25);
        Simulator::Schedule(
            middle,
            [this, &t, &plan, &checks, slot]()
            {
                const auto& expected = plan->GetPlane(0).slots[slot % 3].to;
                NS_TEST_EXPECT_MSG_EQ((t.GetMatching() == expected), true, "slot " << slot);
                NS_TEST_EXPECT_MSG_EQ(t.fabric->GetTor(1)->GetCircuit(0),
                                      expected[1],
                                      "ToR in slot " << slot);
                ++checks;
            });
    }
    RunFor(MicroSeconds(450));
    NS_TEST_EXPECT_MSG_EQ(checks, 7, "slots");
    NS_TEST_EXPECT_MSG_EQ(t.controller->GetNCommands(), 1, "one command");
    NS_TEST_EXPECT_MSG_EQ(t.controller->GetNDecisions(), 0, "no decision");
}

/// A fabric that can be divided among ranks, in one process.
ODCN_TEST_CASE(DividedTestCase, "Circuits are the same when a fabric can be divided among ranks")
{
    // policy: of the controller; divided: see OcsHelper::Divide()
    // result: the circuits after each of 30 decisions
    const auto run = [&](const std::string& policy, bool divided) -> std::vector<Matching>
    {
        ControlledFabric t(6, 1, policy, "Hold", divided);
        t.controller->SetAttribute("ReportDelay", TimeValue(NanoSeconds(500)));
        for (int64_t i = 0; i < 2500; ++i)
        {
            Simulator::Schedule(MicroSeconds(i),
                                [&t]()
                                {
                                    const RackId from = t.random->GetInteger(0, 5);
                                    t.Send(from, (from + t.random->GetInteger(1, 5)) % 6);
                                });
        }
        std::vector<Matching> circuits;
        for (int64_t epoch = 1; epoch <= 30; ++epoch)
        {
            Simulator::Schedule(MicroSeconds(100 * epoch + 50),
                                [&]() { circuits.push_back(t.GetMatching()); });
        }
        RunFor(MicroSeconds(3100));
        NS_TEST_EXPECT_MSG_GT(t.controller->GetNCommands(), 10, policy);
        NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(), 0, policy);
        return circuits;
    };
    for (const std::string policy : {"MaxWeightMatching", "max-weight-steady"})
    {
        NS_TEST_EXPECT_MSG_EQ((run(policy, true) == run(policy, false)), true, policy);
    }
}

/// Ports that fail and are repaired.
ODCN_TEST_CASE(FailureTestCase,
               "Decisions leave failed ports out once control knows, and take them back")
{
    // policy: of the controller
    const auto run = [&](const std::string& policy)
    {
        ControlledFabric t(4, 2, policy);
        t.controller->GetFollower()->SetAttribute("Guard", TimeValue(MicroSeconds(1)));
        for (int64_t i = 0; i < 5000; ++i)
        {
            Simulator::Schedule(MicroSeconds(i),
                                [&t]()
                                {
                                    const RackId from = t.random->GetInteger(0, 3);
                                    t.Send(from, (from + t.random->GetInteger(1, 3)) % 4);
                                });
        }
        // Rack 0 loses a port of plane 1, rack 3 the one of plane 0.
        FaultPlan plan;
        plan.Add({FaultPart::OCS_PORT, 1, 0, MicroSeconds(1010), MicroSeconds(3010), ""});
        plan.Add({FaultPart::UPLINK, 3, 0, MicroSeconds(1010), MicroSeconds(3010), ""});
        auto injector =
            CreateObjectWithAttributes<FaultInjector>("DetectionTime", TimeValue(MicroSeconds(50)));
        injector->SetFabric(t.fabric);
        injector->Start(plan);
        uint32_t around = 0;
        uint32_t other = 0;
        uint32_t used = 0;
        Listen(t.controller,
               "Decision",
               [&](Ptr<const CircuitSchedule> schedule)
               {
                   const Time now = Simulator::Now();
                   const bool failed = now > MicroSeconds(1060) && now < MicroSeconds(3060);
                   for (uint32_t plane = 0; schedule && plane < 2; ++plane)
                   {
                       for (const auto& slot : schedule->GetPlane(plane).slots)
                       {
                           const RackId lost = plane == 1 ? 0 : 3;
                           const RackId kept = 3 - lost;
                           const bool uses =
                               slot.to[lost] != NO_RACK ||
                               std::find(slot.to.begin(), slot.to.end(), lost) != slot.to.end();
                           around += failed && uses;
                           other += failed && slot.to[kept] != NO_RACK;
                           used += now > MicroSeconds(3060) && uses;
                       }
                   }
               });
        const auto dropped = [&t] { return t.fabric->Count().dropped.Total(); };
        RunFor(MicroSeconds(1100));
        const uint64_t early = dropped();
        NS_TEST_EXPECT_MSG_GT(early, 0, policy);
        RunFor(MicroSeconds(6400));
        NS_TEST_EXPECT_MSG_EQ(dropped(), early, "lost once control knows, " << policy);
        NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().received, 5000 - early, "all others, " << policy);
        NS_TEST_EXPECT_MSG_EQ(around, 0, "failed ports matched, " << policy);
        NS_TEST_EXPECT_MSG_GT(other, 10, "working ports matched, " << policy);
        NS_TEST_EXPECT_MSG_GT(used, 2, "repaired ports matched, " << policy);
    };
    for (const std::string policy : {"MaxWeightMatching",
                                     "MaxWeightMatching[Capacity=100000]",
                                     "BirkhoffMatching[Terms=3]",
                                     "greedy",
                                     "max-weight-held",
                                     "random"})
    {
        run(policy);
    }
}

/// A controller that starts late.
ODCN_TEST_CASE(LateStartTestCase, "A controller that starts late does not count what was before")
{
    ControlledFabric t(4, 1, "MaxWeightMatching");
    t.controller->SetStartTime(MicroSeconds(250));
    t.controller->GetMeter()->SetAttribute("Quantity", StringValue("Offered"));
    std::vector<DemandMatrix> demands;
    Listen(t.controller, "Demand", [&](const DemandMatrix& demand) { demands.push_back(demand); });
    t.Send(0, 2, 10);
    Simulator::Schedule(MicroSeconds(200), [&t]() { t.Send(0, 2, 3); });
    Simulator::Schedule(MicroSeconds(260), [&t]() { t.Send(0, 2, 2); });
    Simulator::Schedule(MicroSeconds(360), [&t]() { t.Send(0, 1, 4); });
    RunFor(MicroSeconds(460));
    NS_TEST_ASSERT_MSG_EQ(demands.size(), 2, "reports at 350 and 450 us");
    NS_TEST_EXPECT_MSG_EQ(demands[0].Get(0, 2), 2 * SIZE, "since the start");
    NS_TEST_EXPECT_MSG_EQ(demands[1].Get(0, 2), 0, "since the first report");
    NS_TEST_EXPECT_MSG_EQ(demands[1].Get(0, 1), 4 * SIZE, "since the first report");
}

/// Without demand.
ODCN_TEST_CASE(IdleTestCase, "Without demand circuits stay, also of a moving average and a failure")
{
    for (const std::string policy :
         {"MaxWeightMatching", "BirkhoffMatching", "SolsticeMatching", "VermilionMatching"})
    {
        for (const bool fails : {false, true})
        {
            ControlledFabric t(4, 2, policy);
            t.controller->GetMeter()->SetAttribute("Smoothing", DoubleValue(0.5));
            uint32_t late = 0;
            Listen(t.controller,
                   "Decision",
                   [&](Ptr<const CircuitSchedule> schedule)
                   { late += schedule && Simulator::Now() > MilliSeconds(6); });
            Ptr<FaultInjector> injector;
            if (fails)
            {
                FaultPlan plan;
                plan.Add({FaultPart::OCS_PORT, 1, 0, MicroSeconds(1010), MilliSeconds(500), ""});
                injector = CreateObject<FaultInjector>();
                injector->SetFabric(t.fabric);
                injector->Start(plan);
            }
            for (int i = 0; i < 20; ++i)
            {
                Simulator::Schedule(MicroSeconds(10 * i), [&t]() { t.Send(0, 2, 5); });
                Simulator::Schedule(MicroSeconds(15 * i), [&t]() { t.Send(2, 3, 2); });
            }
            // 1,100 epochs: an average alone would fall to the smallest number above 0.
            RunFor(MilliSeconds(120));
            NS_TEST_EXPECT_MSG_EQ(t.controller->GetMeter()->GetDemand().GetMaxLoad(), 0, policy);
            NS_TEST_EXPECT_MSG_EQ(late, 0, policy << ", fails: " << fails);
            NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().received, 140, policy);
        }
    }
}

/// Units.
ODCN_TEST_CASE(UnitsTestCase, "Algorithms get bytes, and the rate and the dark time of the fabric")
{
    ControlledFabric t(4, 1, "SolsticeMatching");
    Ptr<const CircuitSchedule> decided;
    Listen(t.controller,
           "Decision",
           [&](Ptr<const CircuitSchedule> schedule) { decided = decided ? decided : schedule; });
    // Circuits are 0-1, 1-2, 2-3, 3-0, so all of this waits.
    for (RackId rack = 0; rack < 4; ++rack)
    {
        t.Send(rack, (rack + 2) % 4, 20);
        t.Send(rack, (rack + 3) % 4, 10);
    }
    RunFor(MicroSeconds(101));
    NS_TEST_ASSERT_MSG_EQ(bool(decided), true, "a decision");
    // At 10 Gb/s 20 packets of 1500 bytes take 24 us, 10 take 12 us, and 10 us are dark before
    // each: 56 us, stretched to an epoch of 100 us.
    const auto& slots = decided->GetPlane(0).slots;
    NS_TEST_ASSERT_MSG_EQ(slots.size(), 2, "two matchings");
    NS_TEST_EXPECT_MSG_EQ(decided->GetReconfigurationTime(), MicroSeconds(10), "dark time");
    NS_TEST_EXPECT_MSG_EQ_TOL(slots[0].duration.GetSeconds() * 1e6, 100 * 34.0 / 56, 0.01, "long");
    NS_TEST_EXPECT_MSG_EQ_TOL(slots[1].duration.GetSeconds() * 1e6, 100 * 22.0 / 56, 0.01, "short");
}

/// Settings that make no sense, and a declared demand.
ODCN_TEST_CASE(SettingsTestCase,
               "A declared demand replaces the measured one; bad settings are refused")
{
    // result: the message of the error at its start, or ""
    const auto getError = [&]() -> std::string
    {
        Simulator::Stop(MicroSeconds(1));
        return GetRefusal([&] { Simulator::Run(); });
    };
    {
        ControlledFabric t(4, 1, "MaxWeightMatching");
        t.controller->SetDemand(DemandMatrix::Make("shift:3", 4));
        RunFor(MicroSeconds(150));
        NS_TEST_EXPECT_MSG_EQ((t.GetMatching() == Matching{3, 0, 1, 2}), true, "declared");
    }
    {
        ControlledFabric t(4, 1, "max-weight-of-all");
        const std::string error = getError();
        NS_TEST_EXPECT_MSG_NE(error.find("max-weight-held"), std::string::npos, error);
        NS_TEST_EXPECT_MSG_NE(error.find("BirkhoffMatching"), std::string::npos, error);
    }
    {
        ControlledFabric t(4, 1, "greedy");
        t.controller->SetDemand(DemandMatrix::Make("shift:3", 4));
        const std::string error = getError();
        NS_TEST_EXPECT_MSG_NE(error.find("greedy"), std::string::npos, error);
    }
    {
        ControlledFabric t(4, 1, "greedy");
        t.controller->SetAttribute("Epoch", TimeValue(NanoSeconds(11700)));
        const std::string error = getError();
        NS_TEST_EXPECT_MSG_NE(error.find("more than"), std::string::npos, error);
        NS_TEST_EXPECT_MSG_NE(error.find("11700 ns"), std::string::npos, error);
    }
    {
        ControlledFabric t(4, 1, "greedy", "Drop");
        const std::string error = getError();
        NS_TEST_EXPECT_MSG_NE(error.find("Hold"), std::string::npos, error);
    }
    {
        ControlledFabric t(4, 1, "greedy", "Hold", true);
        // As if another process simulated one of the racks.
        t.fabric->GetTorNodes().Get(3)->SetAttribute("SystemId", UintegerValue(1));
        t.controller->SetAttribute("ReportDelay", TimeValue(NanoSeconds(499)));
        const std::string error = getError();
        NS_TEST_EXPECT_MSG_NE(error.find("'499 ns', expected at least the look-ahead"),
                              std::string::npos,
                              error);
    }
}

/// Controllers that match circuits to demand.
CaseSuite g_matchingControllerTestSuite("odcn-matching-controller");

} // namespace
