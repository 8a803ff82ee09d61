// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The flow level: rates against water filling from scratch, and times by hand.
 */

#include "../core/odcn-test-case.h"

#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-level.h"
#include "ns3/odcn-network-flow-level.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/simple-net-device-helper.h"

#include <random>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Links without delays, and paths as told.
class PlainLevel : public FlowLevel
{
  public:
    uint32_t GetNEndPoints() const override
    {
        return 1000;
    }

    /// @param capacity bit/s
    /// @return index of the new link
    uint32_t Link(double capacity)
    {
        return AddLink(capacity);
    }

    /// @param link index
    /// @param capacity bit/s
    void Change(uint32_t link, double capacity)
    {
        SetCapacity(link, capacity);
        Wake();
    }

    std::vector<std::vector<uint32_t>> paths; //!< by tag of the message

  private:
    void FindPath(const Message& message, Path& path) override
    {
        path = {paths.at(message.tag), {1e9}, Time(0)};
    }
};

/// @return a level without headers
Ptr<PlainLevel>
MakeLevel()
{
    Ptr<PlainLevel> level = CreateObject<PlainLevel>();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    return level;
}

/// A message of a random run.
struct FluidJob
{
    double start{0};            //!< in seconds
    double bits{0};             //!< size in bits
    std::vector<uint32_t> path; //!< indices of links
    double end{-1};             //!< in seconds, by water filling
};

/// @param jobs with starts, sizes and paths; their ends are computed
/// @param capacities of links, bit/s
void
FillFromScratch(std::vector<FluidJob>& jobs, const std::vector<double>& capacities)
{
    std::vector<double> left;
    for (const FluidJob& job : jobs)
    {
        left.push_back(job.bits);
    }
    double now = 0;
    while (true)
    {
        std::vector<double> rates(jobs.size(), -1);
        std::vector<double> free = capacities;
        double next = INFINITY;
        for (const FluidJob& job : jobs)
        {
            next = job.start > now ? std::min(next, job.start) : next;
        }
        const auto open = [&](std::size_t j)
        { return jobs[j].start <= now && jobs[j].end < 0 && rates[j] < 0; };
        while (true)
        {
            double least = INFINITY;
            uint32_t bottleneck = 0;
            for (uint32_t l = 0; l < free.size(); ++l)
            {
                double n = 0;
                for (std::size_t j = 0; j < jobs.size(); ++j)
                {
                    n += open(j) && std::count(jobs[j].path.begin(), jobs[j].path.end(), l);
                }
                if (n > 0 && free[l] / n < least)
                {
                    least = free[l] / n;
                    bottleneck = l;
                }
            }
            if (least == INFINITY)
            {
                break;
            }
            for (std::size_t j = 0; j < jobs.size(); ++j)
            {
                const auto& path = jobs[j].path;
                if (open(j) && std::count(path.begin(), path.end(), bottleneck))
                {
                    rates[j] = least;
                    for (const uint32_t l : path)
                    {
                        free[l] -= least;
                    }
                }
            }
        }
        for (std::size_t j = 0; j < jobs.size(); ++j)
        {
            next = rates[j] > 0 ? std::min(next, now + left[j] / rates[j]) : next;
        }
        if (next == INFINITY)
        {
            return;
        }
        for (std::size_t j = 0; j < jobs.size(); ++j)
        {
            left[j] -= rates[j] > 0 ? rates[j] * (next - now) : 0;
            if (rates[j] > 0 && left[j] < 1e-3)
            {
                jobs[j].end = next;
            }
        }
        now = next;
    }
}

ODCN_TEST_CASE(FlowLevelMaxMinTestCase, "random messages end as by water filling from scratch")
{
    for (uint32_t seed = 1; seed <= 40; ++seed)
    {
        const SimulationEnd end;
        std::mt19937 random(seed);
        std::vector<double> capacities;
        std::vector<FluidJob> jobs(30);
        const Ptr<PlainLevel> level = MakeLevel();
        for (uint32_t l = 0; l < 8; ++l)
        {
            capacities.push_back(1e9 * (1 + random() % 10));
            level->Link(capacities.back());
        }
        std::vector<double> ends(jobs.size(), -1);
        for (uint32_t j = 0; j < jobs.size(); ++j)
        {
            std::set<uint32_t> path;
            for (uint32_t hops = 1 + random() % 4; path.size() < hops;)
            {
                path.insert(random() % 8);
            }
            const uint64_t bytes = 1000 + random() % 100000;
            jobs[j] = {random() % 200 * 1e-6, 8.0 * bytes, {path.begin(), path.end()}};
            level->paths.push_back(jobs[j].path);
            Simulator::Schedule(Seconds(jobs[j].start),
                                [level, &ends, j, bytes]
                                {
                                    level->Send(
                                        2 * j,
                                        2 * j + 1,
                                        bytes,
                                        [&ends, j](const Message&)
                                        { ends[j] = Simulator::Now().GetSeconds(); },
                                        j);
                                });
        }
        Simulator::Run();
        FillFromScratch(jobs, capacities);
        for (uint32_t j = 0; j < jobs.size(); ++j)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(ends[j], jobs[j].end, 1e-9, "seed " << seed << ", " << j);
        }
        NS_TEST_EXPECT_MSG_EQ(level->CountBytes().inFlight, 0, "all bytes arrive");
    }
}

ODCN_TEST_CASE(FlowLevelSharingTestCase, "sharing, changed capacities, and what is not touched")
{
    // 1 Gb/s is one bit a nanosecond. Alone, 0 would take 8 us on link 0; the second message
    // takes half of it from 2 us on. Link 1 fails from 3 to 5 us, and has half its rate then.
    const SimulationEnd end;
    const Ptr<PlainLevel> level = MakeLevel();
    level->Link(1e9);
    level->Link(1e9);
    level->paths = {{0}, {0}, {1}};
    std::vector<Time> ends(3);
    const auto send = [&](uint32_t tag)
    {
        level->Send(
            10 * tag,
            10 * tag + 1,
            1000,
            [&, tag](const Message&) { ends[tag] = Simulator::Now(); },
            tag);
    };
    send(0);
    send(2);
    Simulator::Schedule(MicroSeconds(2), [&] { send(1); });
    Simulator::Schedule(MicroSeconds(3), [&] { level->Change(1, 0); });
    Simulator::Schedule(MicroSeconds(5), [&] { level->Change(1, 5e8); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[0], MicroSeconds(14), "6 of 8 us at half the rate");
    NS_TEST_EXPECT_MSG_EQ(ends[1], MicroSeconds(16), "then alone");
    NS_TEST_EXPECT_MSG_EQ(ends[2], MicroSeconds(15), "3 us, 2 us of nothing, 10 us");
    // Rates: 0 and 2 together; 1 and 0; 2; 2; at 14 us 1; at 15 us none of 2; at 16 us none.
    NS_TEST_EXPECT_MSG_EQ(level->GetNRates(), 2 + 2 + 1 + 1 + 1, "only what shares links");
    NS_TEST_EXPECT_MSG_EQ(level->GetNEvents(), 3 + 3 + 2, "starts, ends, changes");
}

/// @param plan of circuits, of 1 Gb/s as all links
/// @param routing of messages
/// @param guard at both ends of a circuit
/// @return the flow level of a fabric without delays; packets have 1,000 bytes and take 8 us
Ptr<CircuitFlowLevel>
MakeCircuitLevel(const Ptr<CircuitSchedule>& plan,
                 const std::string& routing = "DirectRouting",
                 Time guard = Time(0))
{
    FabricModel model;
    model.racks = plan->GetNRacks();
    model.uplinks = model.switches = plan->GetNPlanes();
    model.serverRate = model.uplinkRate = 1000000000;
    Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
    level->SetAttribute("Routing", StringValue(routing));
    level->SetAttribute("Guard", TimeValue(guard));
    level->SetAttribute("PacketSize", UintegerValue(1000));
    level->SetAttribute("HeaderSize", UintegerValue(0));
    level->SetFabric(model, plan);
    return level;
}

ODCN_TEST_CASE(FlowLevelRotorTestCase, "a message sends in the slots of its circuit only")
{
    // Two of three racks meet every other slot of 10 us, of which 2 us are dark; 1 Gb/s. Fibres
    // have no delay. A packet of 1,000 bytes takes 8 us: one a slot.
    const SimulationEnd end;
    const Ptr<CircuitSchedule> plan =
        CircuitSchedule::Create("RoundRobinSchedule[Slot=10us|ReconfigurationTime=2us]");
    plan->Build(3, 1);
    const Ptr<CircuitFlowLevel> level = MakeCircuitLevel(plan);
    std::vector<Time> ends(2);
    level->Send(0, 1, 3000, [&](const Message&) { ends[0] = Simulator::Now(); });
    Simulator::Schedule(
        MicroSeconds(101),
        [&] { level->Send(0, 2, 500, [&](const Message&) { ends[1] = Simulator::Now(); }); });
    Simulator::Run();
    // Slots to rack 1 begin at 0, 20, 40 us; the last packet leaves at 50 us and takes two more
    // transmissions. Slots to rack 2 begin at 110 us, packets at 112 us; 4 us, three times.
    NS_TEST_EXPECT_MSG_EQ(ends[0], MicroSeconds(50 + 16), "three slots");
    NS_TEST_EXPECT_MSG_EQ(ends[1], MicroSeconds(112 + 12), "the other rack");
}

ODCN_TEST_CASE(FlowLevelStayingTestCase, "a circuit that stays has one grid of packets")
{
    // Rack 0 meets rack 1 in slots of 10 us from 0 to 20 us, and rack 2 until 30 us; the first 2 us
    // of a circuit are dark. Packets of 8 us to rack 1 leave from 2 to 18 us, then from 32 us.
    const SimulationEnd end;
    const Ptr<ExplicitSchedule> plan = CreateObject<ExplicitSchedule>();
    plan->SetAttribute("ReconfigurationTime", TimeValue(MicroSeconds(2)));
    const Time slot = MicroSeconds(10);
    plan->SetPlanes({{Time(0), {{slot, {1, 2, 0}}, {slot, {1, 2, 0}}, {slot, {2, 0, 1}}}}});
    plan->Build(3, 1);
    const Ptr<CircuitFlowLevel> level = MakeCircuitLevel(plan);
    Time arrival;
    level->Send(0, 1, 3000, [&](const Message&) { arrival = Simulator::Now(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(arrival, MicroSeconds(40 + 16), "two packets, then one");
}

ODCN_TEST_CASE(FlowLevelGuardTestCase, "no packet leaves within the guards of a circuit")
{
    // Every other slot of 20 us leads to rack 1. Its first 2 us are dark, and 2 us are not used
    // after them and before its end: 14 us, which is a packet of 8 us. The third leaves at 84 us.
    const SimulationEnd end;
    const Ptr<CircuitSchedule> plan =
        CircuitSchedule::Create("RoundRobinSchedule[Slot=20us|ReconfigurationTime=2us]");
    plan->Build(3, 1);
    const Ptr<CircuitFlowLevel> level = MakeCircuitLevel(plan, "DirectRouting", MicroSeconds(2));
    Time arrival;
    level->Send(0, 1, 3000, [&](const Message&) { arrival = Simulator::Now(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(arrival, MicroSeconds(84 + 8 + 16), "one packet a slot");
}

ODCN_TEST_CASE(FlowLevelTurnsTestCase, "turns that last as long as a period, or longer")
{
    // Two of three racks meet every other slot of 40 us, which is five packets of 8 us. With Hold
    // the first of 10, 12 or 22 servers has one turn in a slot: a packet in each period of 80 us,
    // spread over turns of 80, 96 or 176 us.
    for (const uint32_t servers : {10, 12, 22})
    {
        const SimulationEnd end;
        const Ptr<CircuitSchedule> plan =
            CircuitSchedule::Create("RoundRobinSchedule[Slot=40us|ReconfigurationTime=0us]");
        plan->Build(3, 1);
        FabricModel model;
        model.racks = 3;
        model.serversPerRack = servers;
        model.uplinks = model.switches = 1;
        model.serverRate = model.uplinkRate = 1000000000;
        const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
        level->SetAttribute("Hold", BooleanValue(true));
        level->SetAttribute("PacketSize", UintegerValue(1000));
        level->SetAttribute("HeaderSize", UintegerValue(0));
        level->SetFabric(model, plan);
        Time arrival;
        level->Send(0, servers, 3000, [&](const Message&) { arrival = Simulator::Now(); });
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(arrival.GetSeconds() * 1e6,
                                  3 * 80 + 16,
                                  0.01,
                                  servers << " servers: three packets, and two links");
    }
}

/// @param plan of circuits
/// @param from a rack
/// @param to another rack
/// @return first time without a circuit, in steps of 100 ns
Time
FindDark(const CircuitSchedule& plan, RackId from, RackId to)
{
    Time now;
    for (uint32_t plane = 0; plane < plan.GetNPlanes();)
    {
        const bool reaches = plan.GetPeer(plane, from, now) == to;
        now += reaches ? NanoSeconds(100) : Time(0);
        plane = reaches ? 0 : plane + 1;
    }
    return now;
}

/// @param plan of circuits
/// @param from a rack
/// @param to another rack
/// @param now start, without a circuit
/// @param packets number
/// @param packet time
/// @return when the last packet has left, by looking at each 100 ns
Time
SendAlone(const CircuitSchedule& plan,
          RackId from,
          RackId to,
          Time now,
          uint32_t packets,
          Time packet)
{
    const auto reaches = [&](uint32_t plane, Time at)
    {
        bool all = true;
        for (Time t = at; t < at + packet && all; t += NanoSeconds(100))
        {
            all = plan.GetPeer(plane, from, t) == to;
        }
        return all;
    };
    while (packets > 0)
    {
        bool sent = false;
        for (uint32_t plane = 0; plane < plan.GetNPlanes() && !sent; ++plane)
        {
            sent = reaches(plane, now);
        }
        packets -= sent;
        now += sent ? packet : NanoSeconds(100);
    }
    return now;
}

ODCN_TEST_CASE(FlowLevelSchedulesTestCase, "messages alone leave packet by packet")
{
    for (const std::string kind : {"RoundRobinSchedule", "RotorSchedule", "OperaSchedule"})
    {
        for (uint32_t seed = 1; seed <= 12; ++seed)
        {
            const SimulationEnd end;
            const Ptr<CircuitSchedule> plan =
                CircuitSchedule::Create(kind + "[Slot=32us|ReconfigurationTime=2us]");
            plan->AssignStreams(seed);
            const uint32_t racks = 8 + 4 * (seed % 2);
            plan->Build(racks, 4);
            const Ptr<CircuitFlowLevel> level = MakeCircuitLevel(plan);
            const RackId from = seed % racks;
            const RackId to = (from + 1 + seed % 7) % racks;
            const uint32_t packets = 1 + seed % 6;
            Time arrival;
            const Time start = FindDark(*plan, from, to);
            const auto record = [&](const Message&) { arrival = Simulator::Now(); };
            Simulator::Schedule(start, [&] { level->Send(from, to, 1000 * packets, record); });
            Simulator::Run();
            const Time left = SendAlone(*plan, from, to, start, packets, MicroSeconds(8));
            NS_TEST_EXPECT_MSG_EQ(arrival, left + MicroSeconds(16), kind << ", seed " << seed);
        }
    }
}

ODCN_TEST_CASE(FlowLevelPathsTestCase, "shortest paths over static circuits")
{
    // A directed ring of four racks: three hops from 0 to 3, one from 3 to 0.
    const SimulationEnd end;
    const Ptr<ExplicitSchedule> ring = CreateObject<ExplicitSchedule>();
    ring->SetPlanes({{1, 2, 3, 0}});
    ring->Build(4, 1);
    const Ptr<CircuitFlowLevel> level = MakeCircuitLevel(ring, "ExpanderRouting");
    std::vector<Time> ends(3);
    // 1,000 bytes take 8 us on each link; 0 to 3 and 1 to 2 share the circuit from 1 to 2.
    level->Send(0, 3, 1000, [&](const Message&) { ends[0] = Simulator::Now(); });
    level->Send(1, 2, 1000, [&](const Message&) { ends[1] = Simulator::Now(); });
    level->Send(3, 0, 1000, [&](const Message&) { ends[2] = Simulator::Now(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[0], MicroSeconds(16 + 4 * 8), "three circuits");
    NS_TEST_EXPECT_MSG_EQ(ends[1], MicroSeconds(16 + 2 * 8), "shares one of them");
    NS_TEST_EXPECT_MSG_EQ(ends[2], MicroSeconds(3 * 8), "alone");
    const Ptr<CircuitSchedule> rotor = CircuitSchedule::Create("RoundRobinSchedule");
    rotor->Build(4, 1);
    const std::string text = GetRefusal([&] { MakeCircuitLevel(rotor, "ExpanderRouting"); });
    NS_TEST_EXPECT_MSG_NE(text.find("expected a static schedule"), std::string::npos, text);
}

ODCN_TEST_CASE(FlowLevelMixedRatesTestCase, "a message alone over links of different rates")
{
    // Two leaves, each with a server, and a spine: slow, fast, fast, slow links or the other way
    // round, in packets and as fluid. Where a faster link follows, a short last packet catches up
    // with the full one before it.
    for (const auto& [server, uplink] :
         std::vector<std::pair<std::string, std::string>>{{"10Gbps", "10Gbps"},
                                                          {"10Gbps", "40Gbps"},
                                                          {"10Gbps", "12.5Gbps"},
                                                          {"40Gbps", "10Gbps"},
                                                          {"25Gbps", "16Gbps"},
                                                          {"10Gbps", "400Gbps"}})
    {
        for (const uint64_t bytes : {1, 1440, 1441, 2000, 2879, 2880, 2881, 14401, 1000000})
        {
            const SimulationEnd end;
            PacketNetworkHelper helper;
            helper.SetServerAttribute("DataRate", StringValue(server));
            helper.SetUplinkAttribute("DataRate", StringValue(uplink));
            const Ptr<PacketNetwork> network = helper.BuildLeafSpine(2, 1, 1, 1);
            helper.InstallServers(network);
            const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
            level->SetHosts(network->GetServers());
            const Ptr<PacketMessages> packets = FlowHelper().InstallMessages(network->GetServers());
            std::vector<Time> times(2);
            packets->Send(0, 1, bytes, [&](const Message&) { times[0] = Simulator::Now(); });
            level->Send(0, 1, bytes, [&](const Message&) { times[1] = Simulator::Now(); });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(times[0], Time(0), "delivered");
            NS_TEST_EXPECT_MSG_EQ_TOL(times[1],
                                      times[0],
                                      PicoSeconds(server == uplink ? 0 : 1),
                                      server << ", " << uplink << ": " << bytes);
        }
    }
}

ODCN_TEST_CASE_F(RefusalFixture,
                 FlowLevelChannelTestCase,
                 "a device has one link, whatever it sends to")
{
    // Three devices of 1 Gb/s on one channel: two messages of 1 Gbit share the sender's, and two
    // from different senders share nothing but the receiver's nodes.
    const SimulationEnd end;
    NodeContainer nodes;
    nodes.Create(3);
    SimpleNetDeviceHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    helper.SetChannelAttribute("Delay", StringValue("1us"));
    helper.Install(nodes);
    const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    level->SetHosts(nodes);
    std::vector<Time> ends(3);
    const auto send = [&](uint32_t from, uint32_t to)
    {
        level->Send(
            from,
            to,
            125000000,
            [&](const Message& message) { ends[message.tag] = Simulator::Now(); },
            from + to - 1);
    };
    send(0, 1);
    send(0, 2);
    send(2, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ends[0], Seconds(2) + MicroSeconds(1), "shares device 0");
    NS_TEST_EXPECT_MSG_EQ(ends[1], Seconds(2) + MicroSeconds(1), "shares device 0");
    NS_TEST_EXPECT_MSG_EQ(ends[2], Seconds(1) + MicroSeconds(1), "alone on device 2");
    SimpleNetDeviceHelper unlimited;
    NodeContainer others;
    others.Create(2);
    unlimited.Install(others);
    ExpectRefusal("expected a rate above 0",
                  [&] { CreateObject<NetworkFlowLevel>()->SetHosts(others); });
}

ODCN_TEST_CASE(FlowLevelFailedPortsTestCase, "nothing is sent over ports that have failed")
{
    // Two racks of two servers of 10 Gb/s, and two spines: each message has two paths. A server's
    // message of 1.25 MB takes 1 ms. A leaf's port to one spine fails before, then the other.
    const SimulationEnd end;
    PacketNetworkHelper helper;
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    const Ptr<PacketNetwork> network = helper.BuildLeafSpine(2, 2, 2, 2);
    const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    const Ptr<PacketSwitch> leaf = network->GetSwitchOf(0);
    leaf->GetPort(2)->Fail();
    level->SetHosts(network->GetServers());
    std::vector<double> ends(6); // in ms
    const auto send = [&](uint32_t from, uint32_t to, uint32_t tag)
    {
        level->Send(
            from,
            to,
            1250000,
            [&](const Message& m) { ends[m.tag] = Simulator::Now().GetSeconds() * 1e3; },
            tag);
    };
    // Both share the only path that is up. At 1 ms it fails as well, for 3 ms; at 6 ms both are up.
    // So do two in the other direction, whose senders' ports have not failed.
    send(0, 2, 0);
    send(1, 3, 1);
    send(2, 0, 4);
    send(3, 1, 5);
    Simulator::Schedule(MilliSeconds(1), [&] { leaf->GetPort(3)->Fail(); });
    Simulator::Schedule(MilliSeconds(2),
                        [&]
                        {
                            NS_TEST_EXPECT_MSG_NE(level->DescribeInFlight().find("is down"),
                                                  std::string::npos,
                                                  level->DescribeInFlight());
                        });
    Simulator::Schedule(MilliSeconds(4), [&] { leaf->GetPort(3)->Repair(); });
    Simulator::Schedule(MilliSeconds(6), [&] { leaf->GetPort(2)->Repair(); });
    for (const uint32_t tag : {2, 3})
    {
        Simulator::Schedule(MilliSeconds(6) + NanoSeconds(1),
                            [&, tag] { send(tag - 2, tag, tag); });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(ends[0], 5, 0.01, "half sent before, half after");
    NS_TEST_EXPECT_MSG_EQ_TOL(ends[1], 5, 0.01, "half sent before, half after");
    NS_TEST_EXPECT_MSG_EQ_TOL(ends[4], 5, 0.01, "to the failed port");
    NS_TEST_EXPECT_MSG_EQ_TOL(ends[5], 5, 0.01, "to the failed port");
    const double last = std::max(ends[2], ends[3]);
    NS_TEST_EXPECT_MSG_EQ(((last > 6.99 && last < 7.01) || (last > 7.99 && last < 8.01)),
                          true,
                          "two paths again, or one twice");
}

/// Notes whether time goes back.
class WatchedLevel : public CircuitFlowLevel
{
  public:
    /// Note the present time.
    void Watch()
    {
        goesBack |= Simulator::Now() < m_last;
        m_last = Simulator::Now();
    }

    bool goesBack{false}; //!< whether it was once later than afterwards

  private:
    Time UpdateCapacities() override
    {
        Watch();
        return CircuitFlowLevel::UpdateCapacities();
    }

    Time m_last; //!< of Watch()
};

ODCN_TEST_CASE(FlowLevelIdleChangeTestCase, "circuits that change while nothing is on a link")
{
    // After a message to another rack, the level knows that its circuit ends at 110 us. Two servers
    // send a packet each, which leave at 107 us and reach their ToR switch at 112 us: one goes on
    // over circuits, the other to a server of the rack. Which circuits is random.
    for (int64_t stream = 1; stream <= 10; ++stream)
    {
        const SimulationEnd end;
        const Ptr<CircuitSchedule> plan =
            CircuitSchedule::Create("RoundRobinSchedule[Slot=110us|ReconfigurationTime=6us]");
        plan->Build(3, 1);
        FabricModel model;
        model.racks = 3;
        model.serversPerRack = 3;
        model.uplinks = model.switches = 1;
        model.serverRate = model.uplinkRate = 1000000000;
        model.serverDelay = 5000000; // 5 us
        model.uplinkDelay = 0;
        const Ptr<WatchedLevel> level = CreateObject<WatchedLevel>();
        level->SetAttribute("Routing", StringValue("ValiantRouting[Spread=Random]"));
        level->SetAttribute("PacketSize", UintegerValue(1000));
        level->SetAttribute("HeaderSize", UintegerValue(0));
        level->SetFabric(model, plan);
        level->AssignStreams(stream);
        std::vector<Time> ends(3);
        const auto send = [&](uint32_t from, uint32_t to, uint32_t tag)
        {
            const auto note = [&](const Message& message) { ends[message.tag] = Simulator::Now(); };
            level->Send(from, to, 1000, note, tag);
        };
        send(2, 5, 0);
        const auto sendBoth = [&send]
        {
            send(0, 8, 1);
            send(1, 2, 2);
        };
        Simulator::Schedule(MicroSeconds(99), sendBoth);
        for (uint32_t i = 100; i < 120; ++i)
        {
            Simulator::Schedule(MicroSeconds(i), &WatchedLevel::Watch, level);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(level->goesBack, false, "time goes forward, stream " << stream);
        // 8 us on each link and 5 us on each fibre.
        NS_TEST_EXPECT_MSG_EQ(ends[2], MicroSeconds(99 + 8 + 5 + 8 + 5), "within the rack");
        NS_TEST_EXPECT_MSG_EQ(level->CountMessages().inFlight, 0, "all arrive");
    }
}

/// Messages as fluid.
PicosecondSuite g_flowLevelTestSuite("odcn-flow-level");

} // namespace
