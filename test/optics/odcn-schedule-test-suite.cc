// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Fabrics that follow schedules: throughput against exact values, clocks and guards, conservation
 * of packets, routing, queue discs.
 */

#include "../core/odcn-numbers.h"
#include "../core/odcn-property.h"
#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fabric-meter.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-throughput-bound.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Throughput of a RotorNet with 16 racks against the exact values.
ODCN_TEST_CASE(ScheduleThroughputTestCase,
               "A RotorNet reaches its exact throughput, and never more")
{
    // routing: a TorRouting; uniform: or cyclic demand
    // dropped: packets lost; result: throughput
    const auto run = [&](const std::string& routing, bool uniform, uint64_t& dropped) -> double
    {
        ScheduledFabric t(16, 4, "Rotor", routing);
        t.Saturate([&t, uniform](RackId from)
                   { return (from + (uniform ? t.random->GetInteger(1, 15) : 5)) % 16; });
        // A period is four slots.
        const double share = t.Measure(MicroSeconds(4000), MicroSeconds(4000));
        dropped = t.fabric->Count().dropped.Total();
        return share;
    };
    uint64_t dropped = 0;
    const std::string direct = "DirectRouting";
    const std::string valiant = "ValiantRouting";
    // Packets of 1.2 us leave up to 1.2 us of each 90 us unused.
    const double uniform = run(direct, true, dropped);
    NS_TEST_EXPECT_MSG_LT(uniform, 0.9 * 15 / 16 + 1e-3, "uniform");
    NS_TEST_EXPECT_MSG_GT(uniform, 0.83, "uniform");
    NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nothing is lost");
    const double alone = run(direct, false, dropped);
    PrintNumber("LP bound, RotorNet of 16 racks in packets, permutation, direct",
                alone,
                0.9 / 16,
                0.02 * 0.9 / 16);
    NS_TEST_EXPECT_MSG_EQ_TOL(alone, 0.9 / 16, 0.02 * 0.9 / 16, "permutation, direct");
    NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nothing is lost");
    const double spread = run(valiant, false, dropped);
    PrintNumber("LP bound, RotorNet of 16 racks in packets, permutation, two hops",
                spread,
                0.45,
                0.01);
    NS_TEST_EXPECT_MSG_LT(spread, 0.45 + 1e-3, "permutation, Valiant");
    NS_TEST_EXPECT_MSG_GT(spread, 0.44, "permutation, Valiant");
    NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nothing is lost");
    // Under overload all first-hop queues are full, so circuits to the partner are in use, too.
    const double oblivious = run(valiant + "[Spread=Random]", false, dropped);
    NS_TEST_EXPECT_MSG_LT(oblivious, 0.45 + 1e-3, "permutation, oblivious");
    NS_TEST_EXPECT_MSG_GT(oblivious, 0.44, "permutation, oblivious");
}

/// What FabricMeter measures of four racks with one circuit each.
ODCN_TEST_CASE(MeterTestCase, "A meter counts circuits, their use, and what ToR switches hold")
{
    using Kind = ReportChart::Kind;
    ReportChart circuits{Kind::CIRCUITS, "circuits", "us", "", "", "", {}};
    ReportChart use{Kind::HEATMAP, "use", "ms", "", "", "", {}};
    ReportChart held{Kind::HEATMAP, "held", "ms", "", "", "", {}};
    ScheduledFabric t(4, 1, "RoundRobin", "DirectRouting");
    FabricMeter meter(t.fabric);
    meter.SetCharts({&circuits, &use, &held}, "four racks");
    t.Saturate([&t](RackId from) { return (from + t.random->GetInteger(1, 3)) % 4; });
    RunFor(MicroSeconds(600)); // six slots, five changes of four circuits
    meter.Finish();
    NS_TEST_EXPECT_MSG_EQ_TOL(meter.GetReconfigurations(), 20 / 600e-6, 1e-3, "changes");
    NS_TEST_EXPECT_MSG_GT(meter.GetDuty(), 0.8, "saturated");
    NS_TEST_EXPECT_MSG_LT(meter.GetDuty(), 1.001, "not more than all");
    NS_TEST_EXPECT_MSG_GT(meter.GetMeanHeld(), 0, "packets wait");
    NS_TEST_EXPECT_MSG_GT(double(meter.GetMostHeld()), meter.GetMeanHeld(), "most of any");
    const PacketCounts counts = t.fabric->Count();
    NS_TEST_EXPECT_MSG_GT(meter.GetSent(), counts.received - 1, "one hop for each received");
    NS_TEST_EXPECT_MSG_LT(meter.GetSent(), counts.sent + 1, "and none without a packet");
    NS_TEST_EXPECT_MSG_GT(circuits.rows.size(), 20, "changes in the chart");
    NS_TEST_EXPECT_MSG_GT(use.rows.size(), 4, "use over time");
    NS_TEST_EXPECT_MSG_GT(held.rows.size(), 4, "bytes over time");
}

/// The same chart of both engines.
ODCN_TEST_CASE(ChartTestCase, "Circuits of a schedule alone are drawn as those of a fabric")
{
    const OcsFabricSize size{8, 1, 4, 4};
    for (const char* schedule : {"RoundRobin", "Rotor", "Opera", "Expander"})
    {
        const auto chart = [] {
            return ReportChart{ReportChart::Kind::CIRCUITS, "circuits", "us", "", "", "", {}};
        };
        ReportChart seen = chart();
        ReportChart planned = chart();
        OcsHelper helper;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(250)));
        const Ptr<OcsFabric> fabric = helper.Build(size);
        const auto plan = CircuitSchedule::Create(std::string(schedule) + "Schedule");
        plan->AssignStreams(1);
        plan->Build(size.racks, size.uplinks);
        FabricMeter meter(fabric);
        ReportChart use{ReportChart::Kind::HEATMAP, "use", "ms", "", "", "", {}};
        ReportChart held = use;
        meter.SetCharts({&seen, &use, &held}, "a fabric");
        CreateObject<OcsScheduleFollower>()->Start(fabric, plan);
        const Time end = plan->GetPeriod() + plan->GetPeriod() - MicroSeconds(1);
        RunFor(std::min(end, MilliSeconds(20)));
        meter.Finish();
        FabricMeter::AddCircuits(planned, "a fabric", *plan, NanoSeconds(250), Simulator::Now());
        // At one time circuits are in any order.
        std::sort(seen.rows.begin(), seen.rows.end());
        std::sort(planned.rows.begin(), planned.rows.end());
        NS_TEST_EXPECT_MSG_GT(seen.rows.size(), 31, schedule);
        NS_TEST_EXPECT_MSG_EQ((seen.rows == planned.rows), true, schedule);
        NS_TEST_EXPECT_MSG_EQ(seen.note, planned.note, schedule);
        Simulator::Destroy();
    }
}

/// A chart of more changes than it shows.
ODCN_TEST_CASE(NoteTestCase, "A chart says where changes of circuits are left out")
{
    const auto plan = CircuitSchedule::Create("SiriusSchedule");
    plan->Build(16, 4);
    ReportChart chart{ReportChart::Kind::CIRCUITS, "circuits", "us", "", "", "", {}};
    FabricMeter::AddCircuits(chart, "sirius", *plan, Time(0), MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(chart.rows.size(), FabricMeter::MOST_CHANGES, "rows");
    NS_TEST_EXPECT_MSG_NE(chart.note.find("3000"), std::string::npos, chart.note);
}

/// What waits at a port, and moves.
ODCN_TEST_CASE(HeldTestCase, "The trace Held says what a switch holds, also when packets move on")
{
    ScheduledFabric t(8, 2, "Expander", "ExpanderRouting");
    uint64_t held = 0;
    const auto tor = t.fabric->GetTor(0);
    Listen(tor, "Held", [&](uint64_t, uint64_t bytes) { held = bytes; });
    for (RackId to = 1; to < 8; ++to)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            t.servers[0].device->Transmit(t.Make(0, to));
        }
    }
    RunFor(MicroSeconds(12));
    NS_TEST_EXPECT_MSG_GT(held, 0, "packets wait");
    NS_TEST_EXPECT_MSG_EQ(held, tor->GetBuffer().GetNBytes(), "before");
    tor->ClearCircuits({0, 1}); // no path is left
    NS_TEST_EXPECT_MSG_EQ(held, tor->GetBuffer().GetNBytes(), "after packets have moved or gone");
}

/// Throughput of 17 demand matrices against the bound by linear programming.
ODCN_TEST_CASE(BoundTestCase,
               "Packets never exceed the exact bound, on 17 demand matrices of 16 racks")
{
    constexpr uint32_t RACKS = 16;
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    std::vector<DemandMatrix> demands{DemandMatrix::Make("uniform", RACKS),
                                      DemandMatrix::Make("chessboard", RACKS)};
    for (const char* shift : {"shift:1", "shift:3", "shift:8"})
    {
        demands.push_back(DemandMatrix::Make(shift, RACKS));
    }
    while (demands.size() < 17)
    {
        // Every rack sends and receives 1: a mean of up to four permutations.
        const uint32_t terms = 1 + static_cast<uint32_t>(demands.size()) % 4;
        DemandMatrix mix(RACKS);
        for (uint32_t k = 0; k < terms; ++k)
        {
            const DemandMatrix term = DemandMatrix::Make("permutation", RACKS, random);
            ForPairs(RACKS, [&](RackId i, RackId j) { mix.Add(i, j, term.Get(i, j) / terms); });
        }
        demands.push_back(mix);
    }
    for (const DemandMatrix& demand : demands)
    {
        ScheduledFabric t(RACKS, 4, "Rotor", "ValiantRouting");
        std::vector<uint64_t> received(RACKS * RACKS, 0);
        for (RackId to = 0; to < RACKS; ++to)
        {
            t.servers[to].measuring = Callback<void, Ptr<const Packet>>(
                [&received, to](Ptr<const Packet> packet)
                {
                    Ipv4Header ip;
                    packet->PeekHeader(ip);
                    const RackId from = ip.GetSource().Get() >> 8 & 0xff;
                    received[from * RACKS + to] += packet->GetSize();
                });
        }
        t.Saturate(
            [&t, &demand](RackId from)
            {
                double rest = t.random->GetValue();
                RackId to = RACKS - 1;
                for (RackId j = 0; j < RACKS && rest >= 0; ++j)
                {
                    rest -= demand.Get(from, j);
                    to = demand.Get(from, j) > 0 ? j : to;
                }
                return to;
            });
        RunFor(MicroSeconds(1600));
        std::fill(received.begin(), received.end(), 0);
        RunFor(MicroSeconds(1600));
        double least = 1;
        ForPairs(RACKS,
                 [&](RackId i, RackId j)
                 {
                     if (demand.Get(i, j) > 0)
                     {
                         const double rate = received[i * RACKS + j] * 8 / 1600e-6;
                         least = std::min(least, rate / (4 * UPLINK_RATE * demand.Get(i, j)));
                     }
                 });
        DemandMatrix capacity = t.plan->GetCapacity();
        capacity.Scale(0.25);
        const double bound = ThroughputBound(capacity, demand).GetBest();
        NS_TEST_EXPECT_MSG_LT(least, bound * 1.005, "share of the demand of the worst pair");
        NS_TEST_EXPECT_MSG_GT(least, bound * 0.45, "share of the demand of the worst pair");
    }
}

/// Clocks that are wrong.
ODCN_TEST_CASE(ClockTestCase,
               "Clocks off by no more than the guard lose nothing; others lose packets")
{
    // guard: of the follower; skew: largest error of a clock, ns
    // routing: a TorRouting; result: losses
    const auto run =
        [&](Time guard, int skew, const std::string& routing = "ValiantRouting") -> OcsDropCounts
    {
        const std::string range = std::to_string(skew);
        OcsHelper helper;
        helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(500)));
        ScheduledFabric t(8,
                          2,
                          "Rotor",
                          routing,
                          helper,
                          guard,
                          "ns3::UniformRandomVariable[Min=-" + range + "|Max=" + range + "]");
        t.Saturate([&t](RackId from) { return (from + t.random->GetInteger(1, 7)) % 8; });
        RunFor(MilliSeconds(3));
        const PacketCounts counts = t.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent + counts.controlSent,
                              counts.received + counts.controlReceived + counts.inFlight +
                                  counts.dropped.Total(),
                              "conservation");
        NS_TEST_EXPECT_MSG_GT(counts.received, 1000, "there is traffic");
        return counts.dropped;
    };
    NS_TEST_EXPECT_MSG_EQ(run(Time(0), 0).Total(), 0, "exact clocks");
    NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(2), 2000).Total(), 0, "guarded");
    const std::string messages = "RotorLbRouting";
    NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(2), 2000, messages).Total(), 0, "guarded messages");
    const OcsDropCounts lost = run(Time(0), 2000);
    NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::CUT], 0, "late clocks send into the dark time");
    NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::DARK], 0, "early clocks send before its end");
}

/// Failures and repairs in a fabric whose servers send without pause.
class FabricUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations; each is followed by 1 to 150 us of traffic.
    enum Kind : uint32_t
    {
        FAIL,    //!< rack, port, what fails, time
        REPAIR,  //!< rack, port, what is repaired, time
        REROUTE, //!< the fourth number: time
    };

    /// @param size of the fabric  @param schedule a kind of schedule  @param routing a TorRouting
    FabricUnderTest(const OcsFabricSize& size,
                    const std::string& schedule,
                    const std::string& routing)
        : m_fabric(size,
                   schedule,
                   routing,
                   MakeHelper(),
                   NanoSeconds(300),
                   "ns3::UniformRandomVariable[Min=-2000|Max=2000]")
    {
        for (RackId rack = 0; rack < m_fabric.servers.size(); ++rack)
        {
            m_fabric.servers[rack].next = [this, rack]
            {
                const RackId to = (rack + m_fabric.random->GetInteger(1, 7)) % 8;
                return m_fabric.Make(rack, to, m_fabric.random->GetInteger(0, 1) ? 46 << 2 : 0);
            };
            m_fabric.servers[rack].PortIdle(0);
        }
        Listen(m_fabric.follower, "Slot", [this](uint32_t, uint32_t) { Check(); });
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        const RackId rack = words[0] % m_fabric.servers.size();
        const Ptr<OcsFabric>& fabric = m_fabric.fabric;
        const Ptr<TorSwitch> tor = fabric->GetTor(rack);
        const uint32_t port = words[1] % tor->GetNUplinks();
        const uint32_t electrical = tor->GetNElectrical();
        const uint32_t what = words[2] % (electrical > 0 ? 4 : 2);
        if (operation.kind == REROUTE)
        {
            fabric->UpdateElectricalRoutes();
        }
        else if (what == 1)
        {
            const Ptr<OcsSwitch> ocs = fabric->GetSwitch(port);
            operation.kind == FAIL ? ocs->FailPort(fabric->GetSwitchPort(rack, port))
                                   : ocs->RepairPort(fabric->GetSwitchPort(rack, port));
        }
        else
        {
            const Ptr<OcsNetDevice> device = what == 0   ? fabric->GetUplink(rack, port)
                                             : what == 2 ? tor->GetElectrical(words[1] % electrical)
                                                         : fabric->GetSpine(0)->GetPort(rack);
            operation.kind == FAIL ? device->Fail() : device->Repair();
        }
        RunFor(MicroSeconds(1 + words[3] % 150));
        Check();
        return m_broken;
    }

    std::string Finish() override
    {
        const PacketCounts counts = m_fabric.fabric->Count();
        uint64_t electrical = SumOf<uint64_t>(
            m_fabric.servers.size(),
            [&](RackId rack) { return m_fabric.fabric->GetTor(rack)->GetSentElectrically(); });
        for (const auto& [event, occurs] :
             {std::pair("lost by failures", counts.dropped[OcsDropCause::PORT_FAILED] > 0),
              std::pair("received", counts.received > 2000),
              std::pair("sent electrically", electrical > 2000),
              std::pair("told by messages", counts.controlReceived > 50)})
        {
            if (occurs)
            {
                Note(event);
            }
        }
        return m_broken;
    }

  private:
    /// @return a helper with small buffers and delays
    static OcsHelper MakeHelper()
    {
        OcsHelper helper;
        helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(500)));
        helper.SetTorAttribute("BufferSize", StringValue("400000B"));
        helper.SetElectricalFiberAttribute("Delay", TimeValue(NanoSeconds(500)));
        helper.SetElectricalQueue("ns3::DropTailQueue", QueueSize("20p"));
        return helper;
    }

    /// Compare all counters.
    void Check()
    {
        const PacketCounts counts = m_fabric.fabric->Count();
        if (const std::string broken = FindImbalance(m_fabric.fabric); !broken.empty())
        {
            m_broken = broken;
        }
        uint64_t held =
            SumOf<uint64_t>(m_fabric.servers.size(),
                            [&](RackId rack) { return m_fabric.fabric->GetTor(rack)->GetHeld(); });
        if (held > counts.inFlight)
        {
            m_broken = "held packets are in flight";
        }
    }

    ScheduledFabric m_fabric; //!< under test
    std::string m_broken;     //!< an invariant, once broken
};

/// sent = received + dropped + held + in flight, whatever fails.
ODCN_TEST_CASE(ScheduleConservationTestCase,
               "No packet is unaccounted for at any slot boundary of random runs with failures")
{
    const OcsFabricSize equal{8, 1, 4, 4};
    const OcsFabricSize hybrid{8, 1, 4, 4, 2};
    OcsFabricSize mixed = hybrid;
    mixed.serversByRack = {1, 2, 3, 1, 2, 3, 1, 2};
    mixed.uplinksByRack = {4, 3, 2, 1, 4, 3, 2, 1};
    mixed.electricalByRack = {1, 2, 1, 2, 1, 2, 1, 2};
    mixed.uplinkRates.assign(8, DataRate("10Gbps"));
    mixed.uplinkRates[4] = DataRate("4Gbps");
    mixed.serverRates.assign(8, DataRate("25Gbps"));
    mixed.serverRates[1] = DataRate("10Gbps");
    const std::string split = "ClassRouting[Short=ElectricalRouting|Bulk=";

    /// A fabric.
    struct Case
    {
        std::string schedule; //!< a kind of schedule
        std::string routing;  //!< a TorRouting
        OcsFabricSize size;   //!< of the fabric
    };

    const std::vector<Case> cases{
        {"Rotor", "DirectRouting", equal},
        {"Rotor", "ValiantRouting", equal},
        {"RoundRobin", "ValiantRouting[Spread=Random]", equal},
        {"Rotor", "RotorLbRouting", equal},
        {"Opera", "ClassRouting", equal},
        {"Opera", "ClassRouting[Bulk=ValiantRouting]", equal},
        {"Opera", "ClassRouting[Bulk=RotorLbRouting]", equal},
        {"Expander", "ExpanderRouting", equal},
        {"Opera", "ExpanderRouting[Paths=3]", equal},
        {"Rotor", "ElectricalRouting", hybrid},
        {"Rotor", "HybridRouting", hybrid},
        {"Rotor", split + "DirectRouting]", hybrid},
        {"Rotor", split + "RotorLbRouting]", hybrid},
        {"Rotor", "HybridRouting", mixed},
        {"RoundRobin", split + "ValiantRouting]", mixed},
        {"Rotor", "ClassRouting[Short=HybridRouting|Bulk=RotorLbRouting]", mixed},
    };
    for (const Case& c : cases)
    {
        Property property{
            {{"FAIL", 4}, {"REPAIR", 4}, {"REROUTE", 1}},
            [&c] { return std::make_unique<FabricUnderTest>(c.size, c.schedule, c.routing); },
            {"lost by failures", "received"}};
        property.length = 50;
        property.cost = 2000;
        property.Require("sent electrically", c.size.electrical > 0);
        property.Require("told by messages", c.routing.find("RotorLb") != std::string::npos);
        NS_TEST_EXPECT_MSG_EQ(CheckProperty(property).report, "", c.routing);
    }
}

/// Paths over several racks.
struct ExpanderFixture : TestCase
{
    using TestCase::TestCase;

    /// @param t a fabric  @return packets sent on uplinks
    static uint64_t CountSent(const ScheduledFabric& t)
    {
        uint64_t sum = 0;
        for (RackId rack = 0; rack < t.servers.size(); ++rack)
        {
            for (uint32_t p = 0; p < t.plan->GetNPlanes(); ++p)
            {
                sum += t.fabric->GetUplink(rack, p)->GetSent();
            }
        }
        return sum;
    }
};

/// @copybrief ExpanderFixture
ODCN_TEST_CASE_F(ExpanderFixture,
                 ExpanderTestCase,
                 "An expander forwards along shortest paths; Opera's short flows need not wait")
{
    {
        ScheduledFabric t(20, 3, "Expander", "ExpanderRouting");
        // Hops of each pair, by breadth-first search over the schedule.
        for (RackId from = 0; from < 20; ++from)
        {
            std::vector<uint32_t> hops(20, UINT32_MAX);
            std::vector<RackId> reached{from};
            hops[from] = 0;
            for (std::size_t i = 0; i < reached.size(); ++i)
            {
                for (uint32_t p = 0; p < 3; ++p)
                {
                    const RackId peer = t.plan->GetPeer(p, reached[i], Time(0));
                    if (hops[peer] == UINT32_MAX)
                    {
                        hops[peer] = hops[reached[i]] + 1;
                        reached.push_back(peer);
                    }
                }
            }
            for (RackId to = 0; to < 20; ++to)
            {
                if (to == from)
                {
                    continue;
                }
                const uint64_t before = CountSent(t);
                t.servers[from].device->Transmit(t.Make(from, to));
                RunFor(MicroSeconds(100));
                NS_TEST_EXPECT_MSG_EQ(CountSent(t) - before, hops[to], "hops");
            }
            NS_TEST_EXPECT_MSG_EQ(t.servers[from].tagged, 0, "tags are removed");
        }
        NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(), 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(t.CountBytes(), 20 * 19 * SIZE, "all arrive");
    }
    {
        // Disjoint paths: as many as uplinks in a random graph of 20 racks with 3 uplinks, or
        // nearly, none with a circuit of another; packets take all of them.
        OcsHelper helper;
        helper.SetTorAttribute("Spreading", StringValue("RoundRobin"));
        ScheduledFabric t(20, 3, "Expander", "ExpanderRouting[Paths=3]", helper);
        RunFor(MicroSeconds(1)); // circuits open
        for (RackId to = 1; to < 20; ++to)
        {
            const auto paths = t.fabric->GetTor(0)->GetCircuitTable().GetDisjointPaths(0, to, 3);
            std::set<std::pair<RackId, RackId>> circuits;
            std::size_t hops = 0;
            for (const auto& path : paths)
            {
                RackId from = 0;
                for (const RackId rack : path)
                {
                    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetNCircuits(from, rack), 1, "a circuit");
                    circuits.insert({from, rack});
                    from = rack;
                }
                NS_TEST_EXPECT_MSG_EQ(from, to, "the destination");
                hops += path.size();
            }
            NS_TEST_EXPECT_MSG_EQ(circuits.size(), hops, "each circuit once");
            NS_TEST_EXPECT_MSG_GT(paths.size(), 1, "several paths");
            const uint64_t before = CountSent(t);
            for (std::size_t k = 0; k < paths.size(); ++k)
            {
                t.servers[0].device->Transmit(t.Make(0, to));
            }
            RunFor(MicroSeconds(100));
            NS_TEST_EXPECT_MSG_EQ(CountSent(t) - before, hops, "each path once");
            NS_TEST_EXPECT_MSG_EQ(t.servers[to].tagged, 0, "tags are removed");
        }
        NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(), 0, "nothing is lost");
    }
    // A packet with DSCP EF arrives within some hops, any other waits for its circuit.
    ScheduledFabric t(16, 4, "Opera", "ClassRouting");
    for (const bool expedited : {true, false})
    {
        Time longest;
        uint64_t received = 0;
        for (uint32_t k = 0; k < 100; ++k)
        {
            const RackId from = t.random->GetInteger(0, 15);
            const RackId to = (from + t.random->GetInteger(1, 15)) % 16;
            const Time start = Simulator::Now();
            Time delay;
            t.servers[to].measuring = Callback<void, Ptr<const Packet>>(
                [&delay, &received, start](Ptr<const Packet>)
                {
                    delay = Simulator::Now() - start;
                    ++received;
                });
            t.servers[from].device->Transmit(t.Make(from, to, expedited ? 46 << 2 : 0));
            RunFor(2 * t.plan->GetPeriod() + MicroSeconds(7));
            t.servers[to].measuring.Nullify();
            longest = std::max(longest, delay);
        }
        NS_TEST_EXPECT_MSG_EQ(received, 100, "all arrive");
        if (expedited)
        {
            NS_TEST_EXPECT_MSG_LT(longest, MicroSeconds(12), "at most some hops of 1.2 us");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(longest, MicroSeconds(500), "a circuit must come");
            NS_TEST_EXPECT_MSG_LT(longest, t.plan->GetPeriod() + MicroSeconds(10), "it comes");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(), 0, "nothing is lost");
}

/// Paths of the short class of Opera, against a breadth-first search over the schedule.
ODCN_TEST_CASES(EndingCircuitsTestCase,
                bool,
                parameter ? "Paths have all planes that are up"
                          : "Paths have the planes that do not change in this slice",
                true,
                false)
{
    ScheduledFabric t(16,
                      4,
                      "Opera",
                      std::string("ClassRouting[Short=ExpanderRouting[EndingCircuits=") +
                          (parameter ? "true]]" : "false]]"));
    OcsCircuitTable& table = t.fabric->GetTor(0)->GetCircuitTable();
    // One plane changes every 150 us and is dark for 10 us.
    const Time slice = t.plan->GetPeriod() / 16;
    for (uint32_t k = 1; k < 18; ++k)
    {
        for (const Time& after : {MicroSeconds(5), MicroSeconds(20), slice - MicroSeconds(5)})
        {
            const Time now = slice * k + after;
            RunFor(now - Simulator::Now());
            // [rack][plane]: receiver by the planes that paths may use
            std::vector<std::vector<RackId>> to(16, std::vector<RackId>(4, NO_RACK));
            for (uint32_t plane = 0; plane < 4; ++plane)
            {
                const CircuitSchedule::Place place = t.plan->Find(plane, now);
                const bool isDark = now < place.start + MicroSeconds(10);
                const bool isLast = place.end == slice * (k + 1) && after > MicroSeconds(10);
                for (RackId rack = 0; rack < 16 && !isDark && (parameter || !isLast); ++rack)
                {
                    to[rack][plane] = t.plan->GetPlane(plane).slots[place.slot].to[rack];
                }
            }
            for (RackId target = 0; target < 16; ++target)
            {
                std::vector<uint32_t> hops(16, 100);
                hops[target] = 0;
                for (uint32_t round = 0; round < 16; ++round)
                {
                    for (RackId rack = 0; rack < 16; ++rack)
                    {
                        for (const RackId peer : to[rack])
                        {
                            hops[rack] =
                                std::min(hops[rack], peer == NO_RACK ? 100 : hops[peer] + 1);
                        }
                    }
                }
                for (RackId rack = 0; rack < 16; ++rack)
                {
                    uint64_t ports = 0;
                    for (uint32_t plane = 0; plane < 4 && rack != target; ++plane)
                    {
                        const RackId peer = to[rack][plane];
                        ports |= uint64_t{peer != NO_RACK && hops[peer] + 1 == hops[rack]} << plane;
                    }
                    NS_TEST_EXPECT_MSG_EQ(
                        (rack == target || table.GetNextPorts(rack, target) == ports),
                        true,
                        rack << " to " << target << " at " << now.As(Time::US));
                }
            }
        }
    }
}

/// Limits, queue discs and the trace of the buffer.
ODCN_TEST_CASE(BufferTestCase, "Queues respect their limits, and queue discs mark packets")
{
    // attribute: of TorSwitch; value: its value; tos: of all packets
    // most: most bytes held by rack 0; marked: packets with CE
    // result: counts after a burst of 100 packets from rack 0 to rack 1
    const auto run = [&](const std::string& attribute,
                         const std::string& value,
                         uint8_t tos,
                         uint64_t& most,
                         uint64_t& marked) -> PacketCounts
    {
        OcsHelper helper;
        helper.SetTorAttribute(attribute, StringValue(value));
        ScheduledFabric t(4, 2, "RoundRobin", "DirectRouting", helper);
        // Plane 1 starts with the shift by 2, so nothing leads from 0 to 3 in the first slot.
        most = 0;
        Callback<void, uint64_t, uint64_t> held([&most](uint64_t, uint64_t now)
                                                { most = std::max(most, now); });
        t.fabric->GetTor(0)->TraceConnectWithoutContext("Held", held);
        for (uint32_t k = 0; k < 100; ++k)
        {
            t.servers[0].device->Transmit(t.Make(0, 3, tos));
        }
        NS_TEST_EXPECT_MSG_EQ(t.plan->GetPeer(0, 0, MicroSeconds(50)), 1, "plane 0");
        NS_TEST_EXPECT_MSG_EQ(t.plan->GetPeer(1, 0, MicroSeconds(50)), 2, "plane 1");
        RunFor(MicroSeconds(99));
        NS_TEST_EXPECT_MSG_EQ(t.fabric->GetTor(0)->GetHeld() * SIZE, most, "all wait");
        NS_TEST_EXPECT_MSG_EQ(t.fabric->GetTor(0)->GetDemand(3), 100 * SIZE, "demand");
        RunFor(MilliSeconds(2));
        marked = t.servers[3].marked;
        const PacketCounts counts = t.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent, 100, "sent");
        NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "in the end none waits");
        NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::QUEUE_OVERFLOW],
                              counts.dropped.Total(),
                              "cause");
        return counts;
    };
    uint64_t most = 0;
    uint64_t marked = 0;
    NS_TEST_EXPECT_MSG_EQ(run("QueueSize", "0p", 0, most, marked).received, 100, "no limit");
    NS_TEST_EXPECT_MSG_EQ(most, 100 * SIZE, "no limit");
    NS_TEST_EXPECT_MSG_EQ(run("QueueSize", "30p", 0, most, marked).received, 30, "packets");
    NS_TEST_EXPECT_MSG_EQ(run("QueueSize", "31000B", 0, most, marked).received, 20, "bytes");
    NS_TEST_EXPECT_MSG_EQ(run("BufferSize", "40p", 0, most, marked).received, 40, "buffer");
    NS_TEST_EXPECT_MSG_EQ(most, 40 * SIZE, "buffer");
    const std::string red = "ns3::RedQueueDisc[MaxSize=100p|MinTh=20|MaxTh=20.000001|QW=1|"
                            "UseEcn=true|UseHardDrop=false|Gentle=false|MeanPktSize=1500]";
    const PacketCounts capable = run("QueueDisc", red, 2, most, marked);
    NS_TEST_EXPECT_MSG_EQ(capable.received, 100, "marked instead of dropped");
    NS_TEST_EXPECT_MSG_EQ_TOL(double(marked), 79, 2, "those that find 20 or more");
    const PacketCounts incapable = run("QueueDisc", red, 0, most, marked);
    NS_TEST_EXPECT_MSG_EQ(marked, 0, "no mark without ECN");
    NS_TEST_EXPECT_MSG_EQ_TOL(double(incapable.received), 21, 2, "dropped instead");
    run("QueueDisc", "ns3::FqCoDelQueueDisc", 0, most, marked); // its quantum is the MTU
    NS_TEST_EXPECT_MSG_GT(most, 0, "any queue disc holds packets");
}

/// Calls that make no sense.
ODCN_TEST_CASE(ScheduleMisuseTestCase, "A schedule that does not fit a fabric is refused")
{
    OcsHelper helper;
    OcsFabricSize size{4, 1, 2, 2};
    size.uplinksByRack = {2, 2, 1, 2};
    const Ptr<OcsFabric> fabric = helper.Build(size);
    const Ptr<CircuitSchedule> plan = CreateObject<RoundRobinSchedule>();
    for (const auto& [racks, planes] :
         std::vector<std::pair<uint32_t, uint32_t>>{{5, 2}, {4, 3}, {4, 2}})
    {
        plan->Build(racks, planes);
        NS_TEST_EXPECT_MSG_NE(
            GetRefusal([&] { CreateObject<OcsScheduleFollower>()->Start(fabric, plan); }),
            "",
            "refused");
    }
    Simulator::Destroy();
}

/// Fabrics that follow schedules.
CaseSuite g_scheduleTestSuite("odcn-schedule");

} // namespace
