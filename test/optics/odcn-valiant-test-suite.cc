// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Messages in two hops by way of random racks: the flow level against packets and closed forms.
 *
 * Eight racks of two servers of 10 Gb/s and fibres of 100 ns, with uplinks of 10 Gb/s and fibres of
 * 250 ns. A full packet has 1440 bytes of data and takes 1200 ns.
 */

#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"
#include "odcn-message-mix.h"

#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-plane-run.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Racks.
constexpr uint32_t TWO_HOP_RACKS = 8;
/// A rotor; each slot carries 37 packets.
const std::string g_twoHopRotor = "RotorSchedule[Slot=50us|ReconfigurationTime=5us]";

/// @param text of a schedule, or "" for circuits between all racks for ever
/// @param uplinks of a rack
/// @param seed of the schedule
/// @return the schedule
Ptr<CircuitSchedule>
MakeTwoHopPlan(const std::string& text, uint32_t uplinks, uint32_t seed)
{
    if (text.empty())
    {
        return AllPairs(TWO_HOP_RACKS);
    }
    const Ptr<CircuitSchedule> plan = CircuitSchedule::Create(text);
    plan->AssignStreams(seed);
    plan->Build(TWO_HOP_RACKS, uplinks);
    return plan;
}

/// A fabric in packets and on the flow level, with the same random numbers.
struct TwoHopPlanes
{
    /// @param schedule see MakeTwoHopPlan()
    /// @param seed of the schedule
    /// @param stream first one of the transit racks
    explicit TwoHopPlanes(const std::string& schedule, uint32_t seed = 1, int64_t stream = 1)
        : m_stream(stream)
    {
        OcsHelper ocs;
        std::tie(ocs, m_size) = AllToAll(TWO_HOP_RACKS, 2);
        m_size.uplinks = m_size.switches = schedule.empty() ? TWO_HOP_RACKS - 1 : 2;
        m_model = ocs.GetModel(m_size);
        plan = MakeTwoHopPlan(schedule, m_size.uplinks, seed);
        ocs.SetTorAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
        const Ptr<OcsFabric> fabric = ocs.Build(m_size);
        ocs.InstallServers(fabric);
        fabric->AssignStreams(stream);
        follower->Start(fabric, plan);
        packets = FlowHelper().InstallMessages(fabric);
    }

    /// @param trainLength Attribute TrainLength
    /// @return the same on the flow level
    Ptr<CircuitFlowLevel> MakeFluid(uint32_t trainLength = 4) const
    {
        const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
        level->SetAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
        level->SetAttribute("TrainLength", UintegerValue(trainLength));
        level->SetFabric(m_model, plan);
        level->AssignStreams(m_stream);
        return level;
    }

    Ptr<CircuitSchedule> plan;   //!< of circuits
    Ptr<PacketMessages> packets; //!< in packets

  private:
    int64_t m_stream;                                                       //!< see the constructor
    OcsFabricSize m_size;                                                   //!< of the fabric
    FabricModel m_model;                                                    //!< of the fabric
    Ptr<OcsScheduleFollower> follower{CreateObject<OcsScheduleFollower>()}; //!< of circuits
    SimulationEnd m_end;                                                    //!< of the simulation
};

/// @param plane carries the messages
/// @param mix of messages
/// @return their times; all must arrive
std::vector<Time>
Carry(const Ptr<MessagePlane>& plane, const std::vector<Planned>& mix)
{
    const Mix run(plane, mix);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    return run.times;
}

ODCN_TEST_CASE(ValiantMixTestCase, "random mixes in two hops, on the flow level and in packets")
{
    // Where packets of two servers reach their ToR switch in another order, they swap their transit
    // racks, which moves a short message by up to some periods: three draws for each mix.
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        const auto planned = MakeMix(seed, 16, 150, MilliSeconds(4), 1e6);
        double packets = 0;
        double trains = 0;
        double single = 0;
        for (uint32_t draw = 0; draw < 3; ++draw)
        {
            const TwoHopPlanes planes(g_twoHopRotor, seed, seed + 100 * draw);
            const auto level = planes.MakeFluid();
            const auto singly = planes.MakeFluid(1);
            const Mix first(planes.packets, planned);
            const Mix second(level, planned);
            const Mix third(singly, planned);
            Simulator::Stop(MilliSeconds(100));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(AllDelivered(*planes.packets) && AllDelivered(*level) &&
                                      AllDelivered(*singly),
                                  true,
                                  "mix " << seed << ": all arrive");
            packets += Sum(first.times);
            trains += Sum(second.times);
            single += Sum(third.times);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(trains / packets, 1, 0.05, "mix " << seed);
        NS_TEST_EXPECT_MSG_EQ_TOL(single / packets, 1, 0.03, "mix " << seed << ", singly");
    }
}

ODCN_TEST_CASE(ValiantCollectivesTestCase, "collectives in two hops, in both engines")
{
    // Times of a ring differ by more than 10 % between draws, so means of three.
    for (const std::string& schedule :
         {g_twoHopRotor, std::string("SiriusSchedule[Slot=4us|ReconfigurationTime=100ns]")})
    {
        for (const char* name : {"all-to-all:direct", "all-gather:ring"})
        {
            const Collective collective = Collective::Make(name, 2 * TWO_HOP_RACKS, 2'000'000);
            double packets = 0;
            double fluid = 0;
            for (uint32_t draw = 1; draw <= 3; ++draw)
            {
                const TwoHopPlanes planes(schedule, 1, 100 * draw);
                uint32_t running = 2;
                const auto end = [&running]
                {
                    if (--running == 0)
                    {
                        Simulator::Stop();
                    }
                };
                const auto first = planes.packets->Send(collective.GetMessages(), end);
                const auto second = planes.MakeFluid()->Send(collective.GetMessages(), end);
                Simulator::Stop(MilliSeconds(500));
                Simulator::Run();
                packets += first->GetTime().GetSeconds();
                fluid += second->GetTime().GetSeconds();
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(fluid / packets, 1, 0.02, schedule << ", " << name);
        }
    }
}

ODCN_TEST_CASE(ValiantPermutationTestCase, "a permutation gets half of the capacity")
{
    // Each rack sends to one other. Each circuit carries 1 of n - 1 packets on their first hop and
    // as many on their second, 37 in a period. Draws are uneven, and the last packets wait.
    const TwoHopPlanes planes(g_twoHopRotor);
    const Ptr<CircuitFlowLevel> level = planes.MakeFluid();
    constexpr uint64_t PACKETS = 20000;
    std::vector<Planned> planned;
    for (RackId rack = 0; rack < TWO_HOP_RACKS; ++rack)
    {
        planned.push_back({Time(0), 2 * rack, (2 * rack + 6) % 16, PACKETS * 1440});
    }
    const double periods = 2.0 * PACKETS / (TWO_HOP_RACKS - 1) / 37;
    const double least = periods * planes.plan->GetPeriod().GetSeconds();
    for (const Time& time : Carry(level, planned))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(time.GetSeconds() / least, 1.02, 0.02, "half of the capacity");
    }
}

ODCN_TEST_CASE(ValiantAloneTestCase, "messages alone over circuits for ever, as in packets")
{
    // One packet, and several inside a rack, take the same time to the picosecond. Of 101 packets
    // to another rack, the last four wait for each other up to 3.6 us at each of three queues.
    const std::vector<Planned> planned{{Time(0), 0, 15, 1440},
                                       {MilliSeconds(1), 3, 9, 100},
                                       {MilliSeconds(2), 4, 12, 1},
                                       {MilliSeconds(3), 6, 7, 1},
                                       {MilliSeconds(4), 6, 7, 14401},
                                       {MilliSeconds(5), 2, 14, 144001}};
    const TwoHopPlanes planes("");
    const Mix packets(planes.packets, planned);
    const std::vector<Time> fluid = Carry(planes.MakeFluid(), planned);
    for (uint32_t i = 0; i < planned.size(); ++i)
    {
        const Time tolerance = i < 5 ? Time(0) : NanoSeconds(3 * 3600);
        NS_TEST_EXPECT_MSG_EQ_TOL(fluid[i], packets.times[i], tolerance, "message " << i);
    }
}

ODCN_TEST_CASE(ValiantPortTestCase, "ports of receivers that are slower or faster than uplinks")
{
    // One train from server 0 to the other rack. It is sent on when all of it has arrived; the
    // receiver's port sends its packets one by one, each when it has arrived.
    for (const auto& [server, uplink] :
         std::vector<std::pair<uint32_t, uint32_t>>{{10, 40}, {40, 10}, {10, 10}, {16, 25}})
    {
        for (const uint32_t bytes : {1, 1440, 2000, 4 * 1440, 5000, 14401})
        {
            const SimulationEnd end;
            auto [ocs, size] = AllToAll(2, 2);
            ocs.SetServerAttribute("DataRate", StringValue(std::to_string(server) + "Gbps"));
            ocs.SetUplinkAttribute("DataRate", StringValue(std::to_string(uplink) + "Gbps"));
            const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
            level->SetAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
            level->SetAttribute("TrainLength", UintegerValue(1000));
            level->SetFabric(ocs.GetModel(size), AllPairs(2));
            Time time;
            level->Send(0, 2, bytes, [&](const Message&) { time = Simulator::Now(); });
            Simulator::Run();
            const uint32_t packets = (bytes - 1) / 1440 + 1;
            const uint32_t wire = bytes + 60 * packets;
            const double arrived = 8.0 * wire / server + 8.0 * wire / uplink; // ns
            double port = 0;
            for (uint32_t i = 0; i < packets; ++i)
            {
                const uint32_t last = std::min(wire, 1500 * (i + 1)); // with those before it
                port = std::max(port, arrived - 8.0 * (wire - last) / uplink) +
                       8.0 * (last - 1500 * i) / server;
            }
            // Fibres: 100 ns to the ToR switch, 250 ns twice, and 100 ns to the receiver.
            NS_TEST_EXPECT_MSG_EQ_TOL(time.GetPicoSeconds() / 1e3,
                                      port + 700,
                                      0.01,
                                      server << ", " << uplink << ": " << bytes);
        }
    }
}

ODCN_TEST_CASE(ValiantTrainTestCase, "trains have an eighth of the shortest slot, at most")
{
    // A slot has 32 packets of 1.2 us, so that a message of 32 packets within a rack is eight
    // trains of four packets, each of which starts and ends; where circuits do not change it is
    // one.
    for (const bool changes : {true, false})
    {
        const SimulationEnd end;
        auto [ocs, size] = AllToAll(3, 2);
        size.uplinks = size.switches = changes ? 1 : 2;
        Ptr<CircuitSchedule> plan = AllPairs(3);
        if (changes)
        {
            plan =
                CircuitSchedule::Create("RoundRobinSchedule[Slot=38.4us|ReconfigurationTime=1us]");
            plan->Build(3, 1);
        }
        const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
        level->SetAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
        level->SetAttribute("TrainLength", UintegerValue(100));
        level->SetFabric(ocs.GetModel(size), plan);
        level->Send(0, 1, 32 * 1440);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(level->GetNEvents(), (changes ? 16 : 2), "starts and ends");
    }
}

ODCN_TEST_CASE(ValiantRelayTestCase, "packets on their second hop go before others")
{
    // Server 0 has four times the rate of the circuits for ever, over which its packets to rack 1
    // wait for hundreds of us. Single packets from rack 1 to rack 2 that take the way by rack 0
    // pass them there.
    const SimulationEnd end;
    auto [ocs, size] = AllToAll(3, 2);
    ocs.SetServerAttribute("DataRate", StringValue("40Gbps"));
    const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
    level->SetAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
    level->SetAttribute("TrainLength", UintegerValue(1));
    level->SetFabric(ocs.GetModel(size), AllPairs(3));
    level->AssignStreams(1);
    level->Send(0, 2, 1000 * 1440);
    Time most;
    Time least = Seconds(1);
    const auto note = [&](const Message& message)
    {
        most = std::max(most, Simulator::Now() - message.sent);
        least = std::min(least, Simulator::Now() - message.sent);
    };
    for (uint32_t i = 0; i < 20; ++i)
    {
        Simulator::Schedule(MicroSeconds(200 + 5 * i), [&] { level->Send(3, 4, 1440, note); });
    }
    Simulator::Run();
    // One or two circuits of 1.2 us, two ports of 0.3 us, fibres; it may wait for one packet.
    NS_TEST_EXPECT_MSG_LT(most, NanoSeconds(2 * 300 + 3 * 1200 + 200 + 2 * 500 + 1), "no queue");
    NS_TEST_EXPECT_MSG_GT(most, least, "some take two circuits");
}

ODCN_TEST_CASE(ValiantSeedTestCase, "the same streams give the same times, others do not")
{
    const auto planned = MakeMix(1, 2 * TWO_HOP_RACKS, 300, MilliSeconds(4), 1e6);
    const auto times = [&](uint32_t stream)
    {
        const TwoHopPlanes planes(g_twoHopRotor);
        const Ptr<CircuitFlowLevel> level = planes.MakeFluid();
        NS_TEST_EXPECT_MSG_EQ(level->AssignStreams(stream), 2 * TWO_HOP_RACKS, "two a rack");
        const auto result = Carry(level, planned);
        NS_TEST_EXPECT_MSG_EQ(AllDelivered(*level), true, "all arrive");
        return result;
    };
    const auto first = times(1);
    NS_TEST_EXPECT_MSG_EQ((first == times(1)), true, "same streams");
    NS_TEST_EXPECT_MSG_EQ((first == times(100)), false, "other streams");
}

ODCN_TEST_CASE(ValiantRefusalTestCase, "fabrics that do not fit two hops are refused")
{
    FabricModel model;
    model.racks = 4;
    const auto refuse = [&](bool hold, const Ptr<CircuitSchedule>& plan, const std::string& words)
    {
        const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
        level->SetAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
        level->SetAttribute("Hold", BooleanValue(hold));
        const std::string text = GetRefusal([&] { level->SetFabric(model, plan); });
        NS_TEST_EXPECT_MSG_NE(text.find(words), std::string::npos, text);
    };
    const Ptr<CircuitSchedule> rotor = CircuitSchedule::Create("RoundRobinSchedule");
    rotor->Build(4, 1);
    refuse(true, rotor, "expected Routing=DirectRouting");
    const Ptr<ExplicitSchedule> ring = CreateObject<ExplicitSchedule>();
    ring->SetPlanes({{1, 2, 3, 0}});
    ring->Build(4, 1);
    refuse(false, ring, "no circuit leads from rack 0 to rack 2");
    const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
    const std::string text = GetRefusal([&] { level->AssignStreams(1); });
    NS_TEST_EXPECT_MSG_NE(text.find("before SetFabric()"), std::string::npos, text);
}

/// Two hops on the flow level.
PicosecondSuite g_valiantTestSuite("odcn-valiant");

} // namespace
