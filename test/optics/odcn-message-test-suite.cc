// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Messages over FlowApplication, alone and repaired, and the same ones on the flow level.
 *
 * Servers have 10 Gb/s and fibres of 100 ns, uplinks 10 Gb/s and fibres of 250 ns. A full packet
 * has 1440 bytes of data and takes 1200 ns; after it has left its server it takes two more
 * transmissions and 700 ns of propagation to another rack.
 */

#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"
#include "odcn-message-mix.h"

#include "ns3/config.h"
#include "ns3/ocs-circuit-follower.h"
#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-fabric-flow-level.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-network-flow-level.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"

#include <list>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Application data of a full packet.
constexpr uint64_t PAYLOAD = 1440;

/// Messages in packets on a fabric with all circuits for ever, of two servers a rack, and as fluid.
struct PacketsAndFluid
{
    /// @param racks number
    /// @param helper with Attributes
    explicit PacketsAndFluid(uint32_t racks, FlowHelper helper = {})
    {
        auto [ocs, size] = AllToAll(racks, 2);
        fabric = ocs.Build(size);
        ocs.InstallServers(fabric);
        fabric->PresetAllToAll();
        packets = helper.InstallMessages(fabric);
        fluid->SetFabric(ocs.GetModel(size), AllPairs(racks));
    }

    Ptr<OcsFabric> fabric;                                         //!< carries the packets
    Ptr<PacketMessages> packets;                                   //!< in packets
    Ptr<CircuitFlowLevel> fluid{CreateObject<CircuitFlowLevel>()}; //!< as fluid
    SimulationEnd end;                                             //!< of the simulation
};

/// A fabric that follows a schedule, with messages that are repaired.
struct RepairedFabric
{
    /// @param ocs with Attributes
    /// @param size of the fabric
    /// @param schedule of circuits
    /// @param stream first one of random numbers
    /// @param reorderTime after which a packet is taken for lost
    /// @param window packets that a receiver lets be on their way; 0 without credits
    RepairedFabric(OcsHelper& ocs,
                   const OcsFabricSize& size,
                   const std::string& schedule,
                   int64_t stream,
                   Time reorderTime,
                   uint32_t window = 0)
    {
        fabric = ocs.Build(size);
        ocs.InstallServers(fabric);
        fabric->AssignStreams(stream);
        const Ptr<CircuitSchedule> plan = CircuitSchedule::Create(schedule);
        plan->AssignStreams(stream + 50);
        plan->Build(size.racks, size.uplinks);
        follower->Start(fabric, plan);
        FlowHelper flows;
        flows.SetAttribute("Repair", StringValue("Nack"));
        flows.SetAttribute("ReorderTime", TimeValue(reorderTime));
        flows.SetAttribute("RepairTimeout", TimeValue(2 * reorderTime));
        flows.SetAttribute("Window", UintegerValue(window));
        packets = flows.InstallMessages(fabric);
    }

    Ptr<OcsFabric> fabric;                                                  //!< carries the packets
    Ptr<PacketMessages> packets;                                            //!< messages
    Ptr<OcsScheduleFollower> follower{CreateObject<OcsScheduleFollower>()}; //!< changes circuits
    SimulationEnd end;                                                      //!< of the simulation
};

ODCN_TEST_CASE(MessageAloneTestCase, "a message alone, in packets and on the flow level")
{
    for (const uint64_t bytes :
         {uint64_t{1}, PAYLOAD, PAYLOAD + 1, uint64_t{10000}, uint64_t{5000000}})
    {
        for (const uint32_t to : {1U, 2U})
        {
            const PacketsAndFluid t(2);
            Time times[2];
            t.packets->Send(0, to, bytes, [&](const Message&) { times[0] = Simulator::Now(); });
            t.fluid->Send(0, to, bytes, [&](const Message&) { times[1] = Simulator::Now(); });
            Simulator::Run();
            const uint64_t whole = (bytes - 1) / PAYLOAD;
            const uint64_t last = bytes - whole * PAYLOAD + 60;
            const uint64_t behind = whole > 0 ? 1500 : last;
            const uint64_t hops = to == 1 ? 1 : 2;
            const Time expected = PicoSeconds(800 * (whole * 1500 + last + hops * behind) +
                                              (to == 1 ? 200000 : 700000));
            NS_TEST_EXPECT_MSG_EQ(times[0], expected, "packets: " << bytes << " to " << to);
            NS_TEST_EXPECT_MSG_EQ(times[1], expected, "flows: " << bytes << " to " << to);
            NS_TEST_EXPECT_MSG_EQ(AllDelivered(*t.packets) && AllDelivered(*t.fluid),
                                  true,
                                  "counts");
        }
    }
}

ODCN_TEST_CASE(MessageOrderTestCase, "messages of one pair follow each other, others share")
{
    // Three messages of ten packets each: two to one server, one to another.
    const PacketsAndFluid t(2);
    const std::vector<Planned> mix{{Time(0), 0, 2, 10 * PAYLOAD},
                                   {Time(0), 0, 2, 10 * PAYLOAD},
                                   {Time(0), 0, 3, 10 * PAYLOAD}};
    const Mix first(t.packets, mix);
    const Mix second(t.fluid, mix);
    Simulator::Run();
    // The last packet of the n-th message leaves the server after 19, 30, 20 packets.
    const auto time = [](int64_t n) { return NanoSeconds(1200 * (n + 2) + 700); };
    NS_TEST_EXPECT_MSG_EQ(first.times[0], time(19), "first");
    NS_TEST_EXPECT_MSG_EQ(first.times[2], time(20), "to the other server");
    NS_TEST_EXPECT_MSG_EQ(first.times[1], time(30), "second");
    NS_TEST_EXPECT_MSG_EQ(second.times[0], time(20), "first, as fluid");
    NS_TEST_EXPECT_MSG_EQ(second.times[2], time(20), "to the other server, as fluid");
    NS_TEST_EXPECT_MSG_EQ(second.times[1], time(30), "second, as fluid");
    NS_TEST_EXPECT_MSG_EQ(t.packets->CountPackets().packets, 30, "packets");
}

ODCN_TEST_CASE(MessageRefusalTestCase, "bad messages are refused")
{
    FlowHelper helper;
    helper.SetAttribute("Window", UintegerValue(5));
    const PacketsAndFluid t(2, helper);
    for (const auto& [from, to, bytes] :
         std::vector<std::array<uint32_t, 3>>{{0, 4, 1}, {4, 0, 1}, {1, 1, 1}, {0, 1, 0}})
    {
        const std::string text = GetRefusal([&] { t.packets->Send(from, to, bytes); });
        NS_TEST_EXPECT_MSG_NE(text.find("end points below 4"), std::string::npos, text);
    }
    for (const Ptr<MessagePlane>& plane : std::vector<Ptr<MessagePlane>>{t.packets, t.fluid})
    {
        const std::string text = GetRefusal([&] { plane->Send(0, 1, Message::MAX_BYTES + 1); });
        NS_TEST_EXPECT_MSG_NE(text.find("1 to 2^53 bytes"), std::string::npos, text);
    }
    NS_TEST_EXPECT_MSG_EQ(t.packets->CountMessages().sent, 0, "nothing was sent");
    NS_TEST_EXPECT_MSG_NE(GetRefusal([] { Simulator::Run(); }).find("Window: found '5'"),
                          std::string::npos,
                          "credits without repair");
    auto [ocs, size] = AllToAll(2, 2);
    const Ptr<CircuitFlowLevel> flows = CreateObject<CircuitFlowLevel>();
    const std::string text = GetRefusal([&] { flows->SetFabric(ocs.GetModel(size), AllPairs(3)); });
    NS_TEST_EXPECT_MSG_NE(text.find("expected one of 2 and 1"), std::string::npos, text);
}

ODCN_TEST_CASE(MessageSharedTestCase, "two collectives on one circuit share it")
{
    FlowHelper::SetDataCentreTcp({.congestionControl = "ns3::TcpDctcp"});
    for (const bool tcp : {false, true})
    {
        FlowHelper helper;
        helper.SetAttribute("Transport", StringValue(tcp ? "Tcp" : "Udp"));
        const PacketsAndFluid t(2, helper);
        // From one rack to the other, each by servers of its own.
        constexpr uint64_t PACKETS = 3000;
        const auto send = Collective::Make("send:direct", 2, PACKETS * (tcp ? 1448 : PAYLOAD));
        std::vector<Ptr<PlaneRun>> runs;
        for (const Ptr<MessagePlane>& plane :
             std::vector<Ptr<MessagePlane>>{t.packets, t.packets, t.fluid, t.fluid})
        {
            const auto server = static_cast<uint32_t>(runs.size() % 2);
            runs.push_back(plane->Send(send.GetMessages({server, 2 + server})));
        }
        Simulator::Run();
        // The circuit alternates between them; then the last packet's way.
        const Time last = NanoSeconds(1200) * int64_t(2 * PACKETS + 2) + NanoSeconds(700);
        if (tcp)
        {
            for (const uint32_t i : {0, 1})
            {
                const double share = runs[i]->GetTime().GetSeconds() / last.GetSeconds();
                NS_TEST_EXPECT_MSG_EQ_TOL(share, 1, 0.02, "DCTCP, " << i);
            }
            continue;
        }
        NS_TEST_EXPECT_MSG_EQ(runs[0]->GetTime(), last - NanoSeconds(1200), "first, packets");
        NS_TEST_EXPECT_MSG_EQ(runs[1]->GetTime(), last, "second, packets");
        NS_TEST_EXPECT_MSG_EQ(runs[2]->GetTime(), last, "first, as fluid");
        NS_TEST_EXPECT_MSG_EQ(runs[3]->GetTime(), last, "second, as fluid");
    }
    Config::Reset();
}

/// Over TCP, short and other messages.
ODCN_TEST_CASE(MessageTcpTestCase, "messages over TCP arrive once each, in order")
{
    FlowHelper::SetDataCentreTcp({.congestionControl = "ns3::TcpDctcp"});
    {
        FlowHelper helper;
        helper.SetAttribute("Transport", StringValue("Tcp"));
        helper.SetAttribute("ShortFlows", UintegerValue(1000));
        const PacketsAndFluid t(3, helper);
        auto planned = MakeMix(7, 6, 200, MilliSeconds(1), 1e5);
        planned.push_back({Time(0), 0, 5, 2000});
        planned.push_back({Time(0), 0, 5, 3000});
        const Mix mix(t.packets, planned);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(AllDelivered(*t.packets), true, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(mix.ends.size(), planned.size(), "once each");
        NS_TEST_EXPECT_MSG_LT(mix.times[200], mix.times[201], "in order");
    }
    Config::Reset();
}

/// Let the three optical switches of a fabric fail in turn, half of the time.
/// @param fabric the fabric
/// @param messages sent within 20 us each
/// @return what lets them fail
Ptr<FaultInjector>
FailInTurn(const Ptr<OcsFabric>& fabric, uint32_t messages)
{
    const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
    injector->SetFabric(fabric);
    FaultPlan outages;
    for (uint32_t i = 0; i < messages / 20; ++i)
    {
        const Time at = MicroSeconds(300 * i + 50);
        outages.Add({FaultPart::OCS, i % 3, 0, at, at + MicroSeconds(150), "test"});
    }
    injector->Start(outages);
    return injector;
}

/// @return messages of a long test: ODCN_MESSAGES of the environment, or 400
uint32_t
CountMessages()
{
    return std::getenv("ODCN_MESSAGES") ? std::stoul(std::getenv("ODCN_MESSAGES")) : 400;
}

/// @param seed of the random numbers
/// @param schedule of circuits
/// @param routing of ToR switches
/// @param faults whether optical switches and uplinks fail
/// @param window packets that a receiver lets be on their way; 0 without credits
/// @param number of messages
/// @return why messages and packets are not accounted for; empty if they are
std::string
RunWithLosses(uint32_t seed,
              const std::string& schedule,
              const std::string& routing,
              bool faults,
              uint32_t window,
              uint32_t number)
{
    auto [ocs, size] = AllToAll(6, 2, "30p");
    ocs.SetTorAttribute("Routing", StringValue(routing));
    ocs.SetTorAttribute("QueueSize", StringValue("60p"));
    size.uplinks = size.switches = 3;
    const RepairedFabric t(ocs, size, schedule, seed * 100, MilliSeconds(1), window);
    const auto injector = FailInTurn(t.fabric, faults ? number : 0);
    const Mix mix(t.packets, MakeMix(seed, 12, number, MicroSeconds(20) * int64_t(number), 3e5));
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    const auto counts = t.packets->CountPackets();
    const PacketCounts all = t.fabric->Count();
    if (!AllDelivered(*t.packets) || mix.ends.size() != number)
    {
        return std::to_string(t.packets->CountMessages().inFlight) + " messages in flight";
    }
    if (all.sent != all.received + all.dropped.Total() + all.inFlight || all.inFlight > 0)
    {
        return "packets are missing";
    }
    if (all.dropped.Total() == 0 || counts.again == 0)
    {
        return "no packet was lost";
    }
    // Each packet is received once and the others are duplicates, lost, or answers.
    const uint64_t acknowledgements = number;
    if (counts.packets + counts.again + counts.requests + acknowledgements > all.sent)
    {
        return "fewer packets than were sent";
    }
    return "";
}

ODCN_TEST_CASE(MessageRepairTestCase, "all messages complete whatever is lost")
{
    const uint32_t number = CountMessages();
    uint32_t seed = 1;
    // With credits alone nothing is lost.
    for (const auto& [faults, window] :
         std::vector<std::pair<bool, uint32_t>>{{false, 0}, {true, 0}, {true, 20}})
    {
        for (const auto& [schedule, routing] : std::vector<std::pair<std::string, std::string>>{
                 {"RoundRobinSchedule[Slot=50us|ReconfigurationTime=5us]", "DirectRouting"},
                 {"RotorSchedule[Slot=50us|ReconfigurationTime=5us]", "ValiantRouting"},
                 {"OperaSchedule[Slot=100us|ReconfigurationTime=5us]", "ExpanderRouting"},
                 {"ExpanderSchedule", "ExpanderRouting"}})
        {
            const std::string fault =
                RunWithLosses(seed++, schedule, routing, faults, window, number);
            NS_TEST_EXPECT_MSG_EQ(fault,
                                  "",
                                  schedule << ", " << routing << ", " << faults << ", " << window);
        }
    }
}

/// On the flow level messages wait while a switch has failed.
ODCN_TEST_CASE(MessageFluidFaultsTestCase, "all messages complete on the flow level, with failures")
{
    const uint32_t number = CountMessages();
    uint32_t seed = 1;
    for (const bool faults : {false, true})
    {
        for (const std::string schedule : {"RoundRobinSchedule[Slot=50us|ReconfigurationTime=5us]",
                                           "RotorSchedule[Slot=50us|ReconfigurationTime=5us]",
                                           "OperaSchedule[Slot=100us|ReconfigurationTime=5us]"})
        {
            auto [ocs, size] = AllToAll(6, 2);
            size.uplinks = size.switches = 3;
            const RepairedFabric t(ocs, size, schedule, seed * 100, MilliSeconds(1));
            const auto injector = FailInTurn(t.fabric, faults ? number : 0);
            const Ptr<FabricFlowLevel> level = CreateObject<FabricFlowLevel>();
            level->SetFabric(t.fabric);
            const Time within = MicroSeconds(20) * int64_t(number);
            const Mix mix(level, MakeMix(seed++, 12, number, within, 3e5));
            Simulator::Stop(Seconds(60));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(AllDelivered(*level), true, schedule << ", " << faults);
            NS_TEST_EXPECT_MSG_EQ(mix.ends.size(), number, schedule << ", " << faults);
        }
    }
}

/// The circuit of a sender is lost while its packets fill the receiver's window.
ODCN_TEST_CASE(MessageSilenceTestCase, "a sender that is cut off does not keep others from sending")
{
    const SimulationEnd end;
    auto [ocs, size] = AllToAll(3, 1);
    ocs.SetTorAttribute("NoCircuit", StringValue("Drop"));
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    fabric->PresetAllToAll();
    FlowHelper flows;
    flows.SetAttribute("Repair", StringValue("Nack"));
    flows.SetAttribute("RepairTimeout", TimeValue(MilliSeconds(2)));
    flows.SetAttribute("Window", UintegerValue(10));
    const Ptr<PacketMessages> packets = flows.InstallMessages(fabric);
    // Uplink 0 of rack 1 leads to rack 2, uplink 1 to rack 0.
    Simulator::Schedule(MicroSeconds(50),
                        &OcsFabric::Apply,
                        fabric,
                        std::vector<OcsCircuit>{{1, 1, NO_RACK, 0}});
    constexpr uint64_t NUMBER = 400;
    const Mix mix(packets,
                  {{Time(0), 1, 0, NUMBER * PAYLOAD}, {MicroSeconds(60), 2, 0, NUMBER * PAYLOAD}});
    Simulator::Stop(MilliSeconds(50));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(mix.times[0], Time(-1), "it is cut off");
    // Its packets stop to count after 2 ms, found out every 2 ms.
    const Time alone = NanoSeconds(1200) * int64_t(NUMBER + 2) + NanoSeconds(700);
    NS_TEST_EXPECT_MSG_GT(mix.times[1],
                          alone + MicroSeconds(1900),
                          "the other waits for a timeout");
    NS_TEST_EXPECT_MSG_LT(mix.times[1], alone + MilliSeconds(4) + MicroSeconds(50), "but no more");
}

/// Seven servers send 1.4 MB each to one, and later an eighth a message of five packets.
ODCN_TEST_CASE(MessageCreditTestCase,
               "with credits, a short message does not wait behind long ones")
{
    for (const uint32_t window : {0, 10, 20})
    {
        for (const std::string order : {"RoundRobin", "Fifo", "ShortestRemaining"})
        {
            const SimulationEnd end;
            auto [ocs, size] = AllToAll(3, 3);
            const Ptr<OcsFabric> fabric = ocs.Build(size);
            ocs.InstallServers(fabric);
            fabric->PresetAllToAll();
            FlowHelper flows;
            flows.SetAttribute("Repair", StringValue("Nack"));
            flows.SetAttribute("Window", UintegerValue(window));
            flows.SetAttribute("Order", StringValue(order));
            const Ptr<PacketMessages> packets = flows.InstallMessages(fabric);
            constexpr uint64_t LONG = 1000;
            std::vector<Planned> planned;
            for (uint32_t from = 1; from < 8; ++from)
            {
                planned.push_back({NanoSeconds(10 * from), from, 0, LONG * PAYLOAD});
            }
            planned.push_back({MilliSeconds(5), 8, 0, 5 * PAYLOAD});
            const Mix mix(packets, planned);
            Simulator::Run();
            const std::string title = std::to_string(window) + ", " + order;
            const auto counts = packets->CountPackets();
            NS_TEST_EXPECT_MSG_EQ(AllDelivered(*packets), true, title);
            NS_TEST_EXPECT_MSG_EQ(counts.again + counts.requests, 0, title);
            // The receiver's port never rests: 7,005 packets, and the way of the first.
            const Time whole = NanoSeconds(1200) * int64_t(7 * LONG + 5 + 2) + NanoSeconds(700);
            const Time last = *std::max_element(mix.times.begin(), mix.times.end());
            NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds() / whole.GetSeconds(), 1, 0.001, title);
            // With credits it waits for those on their way, among which its own are.
            const Time waited = mix.times[7] - NanoSeconds(1200 * 7 + 700);
            if (window == 0)
            {
                NS_TEST_EXPECT_MSG_GT(waited, MilliSeconds(3), title);
            }
            else
            {
                NS_TEST_EXPECT_MSG_LT(waited, NanoSeconds(1200) * int64_t(window + 5), title);
            }
        }
    }
}

ODCN_TEST_CASE(MessageNoFalseRepairTestCase, "reordering is not loss")
{
    for (const std::string routing : {"ValiantRouting", "RotorLbRouting"})
    {
        auto [ocs, size] = AllToAll(8, 2);
        ocs.SetTorAttribute("Routing", StringValue(routing));
        size.uplinks = size.switches = 2;
        const RepairedFabric t(ocs,
                               size,
                               "RotorSchedule[Slot=50us|ReconfigurationTime=5us]",
                               1,
                               MilliSeconds(5));
        const Mix mix(t.packets, MakeMix(3, 16, 300, MilliSeconds(10), 1e6));
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        const auto counts = t.packets->CountPackets();
        NS_TEST_EXPECT_MSG_EQ(AllDelivered(*t.packets), true, routing << ": all arrive");
        NS_TEST_EXPECT_MSG_EQ(counts.again, 0, routing << ": none is sent again");
        NS_TEST_EXPECT_MSG_EQ(counts.requests, 0, routing << ": none is asked for");
    }
}

/// A queue that serves senders in turn, byte by byte: self-clocked fair queueing.
class FairQueue : public Queue<Packet>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::odcn::FairQueue<Packet>")
                .SetParent<Queue<Packet>>()
                .AddConstructor<FairQueue>()
                .AddAttribute("MaxSize",
                              "As in DropTailQueue.",
                              QueueSizeValue(QueueSize("100p")),
                              MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                              MakeQueueSizeChecker());
        return tid;
    }

    bool Enqueue(Ptr<Packet> packet) override
    {
        std::array<uint8_t, 16> header{};
        packet->CopyData(header.data(), header.size());
        uint64_t& last = m_last[{header[12], header[13], header[14], header[15]}];
        last = std::max(last, m_served) + packet->GetSize();
        auto at = m_tags.end();
        auto place = GetContainer().end();
        while (at != m_tags.begin() && *std::prev(at) > last)
        {
            --at;
            --place;
        }
        m_tags.insert(at, last);
        return DoEnqueue(place, packet);
    }

    Ptr<Packet> Dequeue() override
    {
        if (m_tags.empty())
        {
            return nullptr;
        }
        m_served = m_tags.front();
        m_tags.pop_front();
        return DoDequeue(GetContainer().begin());
    }

    Ptr<Packet> Remove() override
    {
        m_tags.pop_front();
        return DoRemove(GetContainer().begin());
    }

    Ptr<const Packet> Peek() const override
    {
        return DoPeek(GetContainer().begin());
    }

  private:
    std::list<uint64_t> m_tags;                          //!< of the packets, ascending
    std::map<std::array<uint8_t, 4>, uint64_t> m_last{}; //!< tag of a sender's last packet
    uint64_t m_served{0};                                //!< tag of the last packet served
};

NS_OBJECT_ENSURE_REGISTERED(FairQueue);

/// A network of 16 servers of 10 Gb/s, in packets and on the flow level.
struct BothPlanes
{
    Ptr<PacketMessages> packets;                                            //!< in packets
    Ptr<MessagePlane> fluid;                                                //!< as fluid
    Ptr<OcsScheduleFollower> follower{CreateObject<OcsScheduleFollower>()}; //!< of circuits
};

/// @param network an ideal switch, or leaves of four servers and two spines, twice 20 Gb/s each
/// @param queue of all ports
/// @return the planes
BothPlanes
MakeElectrical(const std::string& network, const char* queue)
{
    PacketNetworkHelper helper;
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetUplinkAttribute("DataRate", StringValue("20Gbps"));
    helper.SetServerQueue(queue, QueueSize("100000p"));
    helper.SetUplinkQueue(queue, QueueSize("100000p"));
    const Ptr<PacketNetwork> built =
        network == "switch" ? helper.BuildIdeal(4, 4) : helper.BuildLeafSpine(4, 4, 2, 2);
    helper.InstallServers(built);
    const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
    level->SetHosts(built->GetServers());
    return {FlowHelper().InstallMessages(built->GetServers()), level};
}

/// @param network circuits between all racks, or a rotor
/// @param queue of server ports
/// @param seed of the rotor
/// @return the planes
BothPlanes
MakeOptical(const std::string& network, const char* queue, uint32_t seed)
{
    BothPlanes planes;
    auto [ocs, size] = AllToAll(8, 2);
    const bool rotor = network == "rotor";
    size.uplinks = size.switches = rotor ? 2 : 7;
    const FabricModel model = ocs.GetModel(size);
    ocs.SetServerQueue(queue, QueueSize("100000p"));
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    fabric->AssignStreams(1);
    Ptr<CircuitSchedule> plan = AllPairs(8);
    if (rotor)
    {
        plan = CircuitSchedule::Create("RotorSchedule[Slot=50us|ReconfigurationTime=5us]");
        plan->AssignStreams(seed);
        plan->Build(8, 2);
    }
    planes.follower->Start(fabric, plan);
    FlowHelper flows;
    flows.SetAttribute("Hold", BooleanValue(rotor));
    planes.packets = flows.InstallMessages(fabric);
    const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
    level->SetAttribute("Hold", BooleanValue(rotor));
    level->SetFabric(model, plan);
    planes.fluid = level;
    return planes;
}

/// @param network see MakeElectrical() and MakeOptical()
/// @param queue of ports
/// @param seed of the rotor
/// @return the planes
BothPlanes
MakeBoth(const std::string& network, const char* queue, uint32_t seed)
{
    return network == "switch" || network == "leaf-spine" ? MakeElectrical(network, queue)
                                                          : MakeOptical(network, queue, seed);
}

/// Networks of the comparison.
const std::vector<std::string> g_networks{"switch", "leaf-spine", "circuits", "rotor"};

ODCN_TEST_CASE(MessageMixTestCase, "random mixes on the flow level and in packets")
{
    // Ports that serve first in, first out let a short message wait behind long ones; fluid shares.
    // In a leaf-spine, packets and fluid choose among uplinks by different hashes.
    for (const auto& [queue, tolerance, chosen, mean] :
         {std::tuple("ns3::DropTailQueue", 0.07, 0.1, 0.03),
          std::tuple("ns3::odcn::FairQueue", 0.05, 0.05, 0.01)})
    {
        uint64_t pairs = 0;
        uint64_t swapped = 0;
        double ratios = 0; // of the leaf-spine
        for (uint32_t seed = 1; seed <= 20; ++seed)
        {
            for (const std::string& network : g_networks)
            {
                const SimulationEnd end;
                const auto planned = MakeMix(seed, 16, 150, MilliSeconds(4), 1e6);
                const BothPlanes planes = MakeBoth(network, queue, seed);
                const Mix first(planes.packets, planned);
                const Mix second(planes.fluid, planned);
                Simulator::Stop(MilliSeconds(100));
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(AllDelivered(*planes.packets) && AllDelivered(*planes.fluid),
                                      true,
                                      "delivered");
                const double ratio = Sum(second.times) / Sum(first.times);
                const bool chooses = network == "leaf-spine";
                ratios += chooses ? ratio : 0;
                NS_TEST_EXPECT_MSG_EQ_TOL(ratio,
                                          1,
                                          (chooses ? chosen : tolerance),
                                          network << ", mix " << seed);
                for (uint32_t i = 0; i < planned.size(); ++i)
                {
                    for (uint32_t j = 0; j < planned.size(); ++j)
                    {
                        const bool counts = std::min(planned[i].bytes, planned[j].bytes) > 20000 &&
                                            first.times[j] > first.times[i] * 1.05;
                        pairs += counts;
                        swapped += counts && second.times[j] <= second.times[i];
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_LT(double(swapped), 0.0125 * double(pairs), queue << ": same order");
        NS_TEST_EXPECT_MSG_EQ_TOL(ratios / 20, 1, mean, queue << ": leaf-spine, all mixes");
    }
}

/// @param from a rack
/// @param to another one
/// @param port uplink of both
/// @return their circuit
OcsCircuit
MakeCircuit(RackId from, RackId to, uint32_t port = 0)
{
    return {from, port, to, port};
}

ODCN_TEST_CASE(MessageFollowTestCase, "the flow level follows circuits that are set during the run")
{
    // Four racks in a ring; at 1 ms each circuit moves to the rack after the next, dark for 100 us,
    // at 3 ms back, and at 5 ms again. From 200 to 500 us control knows rack 0's uplink to have
    // failed.
    const SimulationEnd end;
    auto [ocs, size] = AllToAll(4, 1);
    ocs.SetSwitchAttribute("ReconfigurationTime", TimeValue(MicroSeconds(100)));
    size.uplinks = size.switches = 1;
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    std::vector<OcsCircuit> ring;
    std::vector<OcsCircuit> across;
    for (RackId u = 0; u < 4; ++u)
    {
        ring.push_back(MakeCircuit(u, (u + 1) % 4));
        across.push_back(MakeCircuit(u, (u + 2) % 4));
    }
    const Ptr<OcsCircuitFollower> follower = CreateObject<OcsCircuitFollower>();
    follower->SetAttribute("Drain", TimeValue(MicroSeconds(10)));
    follower->Start(
        fabric,
        ring,
        {{MilliSeconds(1), across}, {MilliSeconds(3), ring}, {MilliSeconds(5), across}});
    Simulator::Schedule(MicroSeconds(200), [&] { fabric->SetPathFailed(0, 0, true, true); });
    Simulator::Schedule(MicroSeconds(500), [&] { fabric->SetPathFailed(0, 0, true, false); });
    FlowHelper flows;
    const Ptr<PacketMessages> packets = flows.InstallMessages(fabric);
    const Ptr<FabricFlowLevel> level = CreateObject<FabricFlowLevel>();
    level->SetFabric(fabric);
    // 144,000 bytes are 100 packets, 120 us.
    const std::vector<Planned> planned{{MicroSeconds(150), 0, 1, 144000},
                                       {MicroSeconds(150), 0, 2, 144000},
                                       {MicroSeconds(2800), 1, 3, 288000},
                                       {MicroSeconds(3000), 2, 3, 144000}};
    const Mix first(packets, planned);
    const Mix second(level, planned);
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(AllDelivered(*packets) && AllDelivered(*level), true, "all arrive");
    // 50 us before the failure and 70 us after it; dark until 1110 and 3110 us; two transmissions
    // and 700 ns after the last bit has left.
    const auto late = NanoSeconds(2400 + 700);
    NS_TEST_EXPECT_MSG_EQ(second.times[0], MicroSeconds(570 - 150) + late, "waits for repair");
    NS_TEST_EXPECT_MSG_EQ(second.times[1], MicroSeconds(1110 + 120 - 150) + late, "new circuit");
    NS_TEST_EXPECT_MSG_EQ(second.times[2], MicroSeconds(5110 + 40 - 2800) + late, "two parts");
    NS_TEST_EXPECT_MSG_EQ(second.times[3], MicroSeconds(110 + 120) + late, "back again");
    // In packets, message 1 takes half the server's link from 0, to wait in the ToR switch.
    for (uint32_t i = 0; i < planned.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(first.times[i].GetMicroSeconds(),
                                  second.times[i].GetMicroSeconds(),
                                  25,
                                  "message " << i << ", in packets");
    }
    const std::string text = GetRefusal([&] { level->SetFabric(fabric); });
    NS_TEST_EXPECT_MSG_NE(text.find("expected one call"), std::string::npos, text);
}

ODCN_TEST_CASE(MessageRerouteTestCase,
               "on the flow level, messages over several circuits survive the loss of one")
{
    // The first message is not disturbed. The second loses its second circuit at 1050 us, when
    // another path of two circuits is there; the third loses it at 2050 us and waits for the other.
    const SimulationEnd end;
    auto [ocs, size] = AllToAll(4, 1);
    ocs.SetSwitchAttribute("ReconfigurationTime", TimeValue(MicroSeconds(10)));
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    const Ptr<FabricFlowLevel> level = CreateObject<FabricFlowLevel>();
    level->SetAttribute("Routing", StringValue("ExpanderRouting"));
    level->SetFabric(fabric);
    const std::vector<OcsCircuit> path{{0, 0, 1, 0}, {1, 0, 2, 0}};
    const std::vector<OcsCircuit> other{{0, 1, 3, 1}, {3, 1, 2, 1}};
    const std::vector<OcsCircuit> loss{{1, 0, NO_RACK, 0}};
    const std::vector<OcsCircuit> otherLoss{{0, 1, NO_RACK, 0}, {3, 1, NO_RACK, 0}};
    for (const auto& [time, circuits] :
         std::vector<std::pair<uint32_t, std::vector<OcsCircuit>>>{{10, path},
                                                                   {1010, other},
                                                                   {1050, loss},
                                                                   {1500, otherLoss},
                                                                   {1600, path},
                                                                   {2050, loss},
                                                                   {2070, other}})
    {
        Simulator::Schedule(MicroSeconds(time), &OcsFabric::Apply, fabric, circuits);
    }
    const Mix mix(level,
                  {{MicroSeconds(100), 0, 2, 144000},
                   {MicroSeconds(1000), 0, 2, 144000},
                   {MicroSeconds(2000), 0, 2, 144000}});
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    // Four transmissions of each packet.
    const Time alone = MicroSeconds(120) + NanoSeconds(3 * 1200 + 2 * 100 + 2 * 500);
    NS_TEST_EXPECT_MSG_EQ(mix.times[0], alone, "not disturbed");
    NS_TEST_EXPECT_MSG_EQ(mix.times[1], alone, "goes on over another path at once");
    NS_TEST_EXPECT_MSG_EQ(mix.times[2],
                          alone + MicroSeconds(2070 + 10 - 2050),
                          "goes on when there is another path");
}

ODCN_TEST_CASE(MessageSameOrderTestCase, "messages that differ by 6 % end in the same order")
{
    // One sender to all others, or all others to one receiver. Not over rotors: packets that meet
    // at a receiver wait there while their circuits end, and fluid waits for the next circuits.
    for (uint32_t seed = 1; seed <= 10; ++seed)
    {
        for (const std::string network : {"switch", "leaf-spine", "circuits"})
        {
            const SimulationEnd end;
            std::mt19937 random(seed);
            std::vector<uint32_t> others(16);
            std::iota(others.begin(), others.end(), 0);
            std::shuffle(others.begin(), others.end(), random);
            const uint32_t one = others.back();
            others.pop_back();
            std::vector<Planned> planned;
            for (const uint32_t other : others)
            {
                const auto bytes = uint64_t(1e5 * std::pow(1.06, planned.size()));
                planned.push_back(
                    {Time(0), seed % 2 == 0 ? one : other, seed % 2 == 0 ? other : one, bytes});
            }
            const BothPlanes planes = MakeBoth(network, "ns3::odcn::FairQueue", seed);
            const Mix first(planes.packets, planned);
            const Mix second(planes.fluid, planned);
            Simulator::Stop(MilliSeconds(100));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(first.ends.size(), planned.size(), "all are delivered");
            for (uint32_t i = 0; i < planned.size(); ++i)
            {
                for (uint32_t j = 0; j < planned.size(); ++j)
                {
                    const bool counts = first.times[j] > first.times[i] * 1.05;
                    NS_TEST_EXPECT_MSG_EQ(counts && second.times[j] <= second.times[i],
                                          false,
                                          network << ", seed " << seed << ": " << i << " and "
                                                  << j);
                }
            }
        }
    }
}

/// Counts planes that exist.
class CountedMessages : public PacketMessages
{
  public:
    CountedMessages()
    {
        ++alive;
    }

    ~CountedMessages() override
    {
        --alive;
    }

    inline static int32_t alive{0}; //!< their number
};

/// Two hosts of a rack each, with applications that send messages.
struct TwoHosts
{
    TwoHosts()
    {
        auto [ocs, size] = AllToAll(2, 1);
        fabric = ocs.Build(size);
        ocs.InstallServers(fabric);
        fabric->PresetAllToAll();
        for (RackId rack = 0; rack < 2; ++rack)
        {
            applications.push_back(CreateObject<FlowApplication>());
            fabric->GetServer(rack, 0)->AddApplication(applications.back());
        }
    }

    /// @return messages between the hosts
    Ptr<CountedMessages> MakePlane() const
    {
        const Ptr<CountedMessages> plane = CreateObject<CountedMessages>();
        for (RackId rack = 0; rack < 2; ++rack)
        {
            plane->AddHost(applications[rack], fabric->GetServerAddress(rack, 0));
        }
        return plane;
    }

    Ptr<OcsFabric> fabric;                          //!< carries the packets
    std::vector<Ptr<FlowApplication>> applications; //!< by host
    SimulationEnd end;                              //!< of the simulation
};

ODCN_TEST_CASE(MessageLifetimeTestCase, "a plane exists while messages are in flight")
{
    // The last Ptr goes after Send(), or the plane is disposed of: then, or when it delivers, or by
    // a sink of its trace.
    for (const std::string how : {"dropped", "disposed", "delivered", "Delivered", "Sent", "stop"})
    {
        uint32_t calls = 0;
        {
            const TwoHosts t;
            {
                const Ptr<CountedMessages> plane = t.MakePlane();
                CountedMessages* bare = PeekPointer(plane);
                if (how == "Delivered" || how == "Sent")
                {
                    Listen(plane, how, [bare](const Message&) { bare->Dispose(); });
                }
                plane->Send(0,
                            1,
                            10000,
                            [&calls, how, bare](const Message&)
                            {
                                ++calls;
                                how == "delivered" ? bare->Dispose() : void();
                            });
                if (how != "Sent")
                {
                    plane->Send(0, 1, 10000, [&calls](const Message&) { ++calls; });
                }
                if (how == "disposed")
                {
                    plane->Dispose();
                }
                if (how == "disposed" || how == "Sent")
                {
                    NS_TEST_EXPECT_MSG_EQ(GetRefusal([&] { plane->Send(0, 1, 1); }).empty(),
                                          false,
                                          how << ": no message after Dispose()");
                }
            }
            const bool isHeld = how != "disposed" && how != "Sent";
            NS_TEST_EXPECT_MSG_EQ(CountedMessages::alive,
                                  (isHeld ? 1 : 0),
                                  how << ": while in flight");
            Simulator::Stop(how == "stop" ? MicroSeconds(1) : MilliSeconds(100));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(CountedMessages::alive,
                                  (how == "stop" ? 1 : 0),
                                  how << ": afterwards");
        }
        NS_TEST_EXPECT_MSG_EQ(CountedMessages::alive, 0, how << ": after the simulation");
        // A delivered callback is called even if a sink of Delivered disposes of the plane.
        const std::map<std::string, uint32_t> expected{{"dropped", 2},
                                                       {"delivered", 1},
                                                       {"Delivered", 1}};
        const auto found = expected.find(how);
        NS_TEST_EXPECT_MSG_EQ(calls, (found == expected.end() ? 0 : found->second), how);
    }
}

ODCN_TEST_CASE(MessageInnerTestCase,
               "a message sent by a sink of Sent follows the one that was sent")
{
    // 70 packets and a short one behind them, then one when the short one has left its server.
    std::vector<Time> times[2];
    for (const bool fluid : {false, true})
    {
        const PacketsAndFluid t(2);
        const Ptr<MessagePlane> plane =
            fluid ? Ptr<MessagePlane>(t.fluid) : Ptr<MessagePlane>(t.packets);
        std::vector<uint64_t> order;
        const auto note = [&](const Message& message)
        {
            order.push_back(message.tag);
            times[fluid].push_back(Simulator::Now());
        };
        MessagePlane* bare = PeekPointer(plane);
        const auto sendMore = [bare, note](const Message& message)
        {
            if (message.tag == 1)
            {
                bare->Send(0, 2, 100, note, 2);
            }
        };
        Listen(plane, "Sent", sendMore);
        plane->Send(0, 2, 100000, note, 1);
        Simulator::Schedule(NanoSeconds(83800), [&] { plane->Send(0, 2, 1, note, 3); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((order == std::vector<uint64_t>{1, 2, 3}), true, "fluid: " << fluid);
    }
    NS_TEST_EXPECT_MSG_EQ((times[0] == times[1]), true, "as fluid to the picosecond");
}

ODCN_TEST_CASE_F(RefusalFixture, MessageRefusedTwiceTestCase, "a refused message changes nothing")
{
    // Hosts 0 and 1 are connected, host 2 is not; a ring of one way; a torus without circuits
    // between some racks; and a host whose application has stopped.
    const SimulationEnd end;
    const auto check = [this](const Ptr<MessagePlane>& plane,
                              uint32_t from,
                              uint32_t to,
                              const std::string& words,
                              bool receives = true)
    {
        const uint64_t before = plane->CountMessages().sent;
        bool called = false;
        for (uint32_t i = 0; i < 3; ++i)
        {
            ExpectRefusal(words,
                          [&]
                          { plane->Send(from, to, 99, [&](const Message&) { called = true; }); });
        }
        NS_TEST_EXPECT_MSG_EQ(plane->CountMessages().sent, before, words);
        NS_TEST_EXPECT_MSG_EQ(plane->CountMessages().inFlight, 0, words);
        NS_TEST_EXPECT_MSG_EQ(plane->CountBytes().inFlight, 0, words);
        NS_TEST_EXPECT_MSG_EQ(plane->DescribeInFlight(), "", words);
        uint64_t number = UINT64_MAX;
        plane->Send(0, 1, 99, [&](const Message& message) { number = message.number; });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(number,
                              (receives ? before : UINT64_MAX),
                              words << ": the next message is delivered");
        NS_TEST_EXPECT_MSG_EQ(called, false, words);
    };
    PacketNetworkHelper helper;
    const Ptr<PacketNetwork> pair = helper.BuildIdeal(1, 2);
    const Ptr<PacketNetwork> other = helper.BuildIdeal(1, 1);
    NodeContainer hosts = pair->GetServers();
    hosts.Add(other->GetServers());
    const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
    level->SetHosts(hosts);
    check(level, 0, 2, "no way from host 0 to host 2");
    ExpectRefusal("expected one call", [&] { level->SetHosts(hosts); });

    const auto makeLevel = [](const Ptr<CircuitSchedule>& plan, const char* routing)
    {
        FabricModel model;
        model.racks = plan->GetNRacks();
        model.uplinks = model.switches = plan->GetNPlanes();
        const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
        level->SetAttribute("Routing", StringValue(routing));
        level->SetFabric(model, plan);
        return level;
    };
    const Ptr<ExplicitSchedule> islands = CreateObject<ExplicitSchedule>();
    islands->SetPlanes({{1, 0, 3, 2}});
    islands->Build(4, 1);
    check(makeLevel(islands, "ExpanderRouting"), 0, 2, "no circuits lead from rack 0 to rack 2");
    check(makeLevel(islands, "DirectRouting"), 0, 2, "no circuit leads from rack 0 to rack 2");
    const Ptr<CircuitSchedule> torus = CircuitSchedule::Create("TorusSchedule[Shape=4x4]");
    torus->Build(16, 4);
    check(makeLevel(torus, "DirectRouting"), 0, 10, "no circuit leads from rack 0 to rack 10");

    const TwoHosts t;
    const Ptr<CountedMessages> packets = t.MakePlane();
    t.applications[1]->SetStopTime(MicroSeconds(1));
    Simulator::Stop(MicroSeconds(2));
    Simulator::Run();
    check(packets, 1, 0, "after the stop", false);
}

ODCN_TEST_CASE(MessageTooShortTestCase, "circuits that are too short for a packet are refused")
{
    // 1 us of 20 us is lit, and a packet takes 1.2 us; with 18.7 us of dark time one fits.
    for (const std::string routing : {"DirectRouting", "ValiantRouting[Spread=Random]"})
    {
        for (const std::string dark : {"19us", "18.7us"})
        {
            const SimulationEnd end;
            auto [ocs, size] = AllToAll(4, 1);
            size.uplinks = size.switches = 1;
            const Ptr<CircuitSchedule> plan = CircuitSchedule::Create(
                "RoundRobinSchedule[Slot=20us|ReconfigurationTime=" + dark + "]");
            plan->Build(4, 1);
            const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
            level->SetAttribute("Routing", StringValue(routing));
            const auto model = ocs.GetModel(size);
            const std::string text = GetRefusal(
                [&, level = level]
                {
                    level->SetFabric(model, plan);
                    level->Send(0, 2, 100);
                });
            const bool isRefused = text.find("long enough for a packet") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isRefused, (dark == "19us"), routing << ": " << text);
            Simulator::Stop(MilliSeconds(10));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(level->CountMessages().inFlight, 0, routing << ", " << dark);
        }
    }
}

ODCN_TEST_CASE(MessageUndeliveredTestCase,
               "messages in flight are described, with what they wait for")
{
    // A fabric without circuits, and a packet network whose only link has failed.
    const SimulationEnd end;
    auto [ocs, size] = AllToAll(2, 1);
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    const Ptr<FabricFlowLevel> level = CreateObject<FabricFlowLevel>();
    level->SetFabric(fabric);
    const Ptr<PacketMessages> packets = FlowHelper().InstallMessages(fabric);
    for (const Ptr<MessagePlane>& plane : std::vector<Ptr<MessagePlane>>{level, packets})
    {
        Simulator::Schedule(MilliSeconds(1),
                            [plane]
                            {
                                plane->Send(0, 1, 1000);
                                plane->Send(0, 1, 500);
                            });
    }
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    const std::string both = "2 of 2 messages (1500 bytes) were not delivered; the first has 1000 "
                             "bytes from 0 to 1, sent at 0.001000 s: ";
    NS_TEST_EXPECT_MSG_EQ(level->DescribeInFlight(),
                          both + "no working circuit leads from rack 0 to rack 1",
                          "as fluid");
    NS_TEST_EXPECT_MSG_EQ(packets->DescribeInFlight(),
                          both + "packets that are lost are not sent again by UDP without Repair",
                          "in packets");
    level->Dispose();
    NS_TEST_EXPECT_MSG_EQ(GetRefusal([&] { level->Send(0, 1, 1); }).empty(), false, "disposed of");
}

/// Messages in packets.
PicosecondSuite g_messageTestSuite("odcn-message");

} // namespace
