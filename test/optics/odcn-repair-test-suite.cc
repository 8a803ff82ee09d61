// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What FlowApplication sends with Repair=Nack, packet by packet, over a link that loses packets of
 * our choice: what is repeated, when, what is asked for, and that it ends.
 *
 * The link has 10 Gb/s: a full packet of 1440 bytes of data takes 1.2 us.
 */

#include "../core/odcn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/node-container.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-message-header.h"
#include "ns3/odcn-udp-flow-transport.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Application data of a full packet.
constexpr uint64_t REPAIR_PAYLOAD = 1440;

/// Port of FlowApplication.
constexpr uint16_t REPAIR_PORT = 48700;

/// A packet at the end of the link.
struct SeenPacket
{
    Time at;                        //!< when
    uint16_t offset{0};             //!< its port, from REPAIR_PORT
    uint32_t sequence{0};           //!< index in its message, if it is one of a message
    std::vector<uint32_t> ranges{}; //!< length of each range, if it is an answer
    uint32_t size{0};               //!< bytes
    uint32_t before{0};             //!< packets of this sequence and offset before it
};

/// Sees each packet that arrives, and loses some.
class Loss : public ErrorModel
{
  public:
    std::function<bool(const SeenPacket&)> lose{[](const SeenPacket&)
                                                { return false; }}; //!< which to lose
    std::vector<SeenPacket> seen;                                   //!< all packets

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        SeenPacket one;
        one.at = Simulator::Now();
        one.size = packet->GetSize();
        const Ptr<Packet> copy = packet->Copy();
        Ipv4Header ip;
        UdpHeader udp;
        copy->RemoveHeader(ip);
        copy->RemoveHeader(udp); // a header of TCP begins with the same ports
        one.offset = udp.GetDestinationPort() - REPAIR_PORT;
        const bool isTcp = ip.GetProtocol() == TcpL4Protocol::PROT_NUMBER;
        if (one.offset == 4 && !isTcp)
        {
            RepairHeader answer;
            copy->RemoveHeader(answer);
            for (const auto& [first, count] : answer.GetRanges())
            {
                one.ranges.push_back(count);
            }
        }
        else if (one.offset < 4 && !isTcp)
        {
            FlowHeader flow;
            copy->RemoveHeader(flow);
            one.sequence = flow.GetSequence();
        }
        one.before = static_cast<uint32_t>(std::count_if(seen.begin(),
                                                         seen.end(),
                                                         [&](const SeenPacket& s) {
                                                             return s.offset == one.offset &&
                                                                    s.sequence == one.sequence;
                                                         }));
        seen.push_back(one);
        return lose(one);
    }

    void DoReset() override
    {
    }
};

/// Two hosts and a link.
struct LossyLink
{
    /// @param delay of the link
    /// @param settings Attributes of FlowApplication: names and values
    /// @param flows from host 0 to host 1
    explicit LossyLink(Time delay,
                       const std::vector<std::pair<std::string, std::string>>& settings,
                       const Traffic& flows = {})
    {
        NodeContainer nodes;
        nodes.Create(2);
        const Ptr<SimpleChannel> channel = CreateObject<SimpleChannel>();
        channel->SetAttribute("Delay", TimeValue(delay));
        NetDeviceContainer devices;
        for (uint32_t i = 0; i < 2; ++i)
        {
            const Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
            device->SetAddress(Mac48Address::Allocate());
            device->SetAttribute("DataRate", StringValue("10Gbps"));
            device->SetAttribute("PointToPointMode", BooleanValue(true));
            device->SetChannel(channel);
            loss[i] = CreateObject<Loss>();
            device->SetReceiveErrorModel(loss[i]);
            nodes.Get(i)->AddDevice(device);
            devices.Add(device);
        }
        InternetStackHelper internet;
        internet.SetIpv6StackInstall(false);
        internet.Install(nodes);
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        addresses.Assign(devices);
        FlowHelper helper;
        helper.SetAttribute("Port", UintegerValue(REPAIR_PORT));
        for (const auto& [name, value] : settings)
        {
            helper.SetAttribute(name, StringValue(value));
        }
        helper.Install(nodes, flows);
        for (uint32_t i = 0; i < 2; ++i)
        {
            hosts[i] = DynamicCast<FlowApplication>(nodes.Get(i)->GetApplication(0));
            hosts[i]->AcceptMessages();
            Listen(hosts[i], "MessageReceived", [this](const FlowMessage&) { ++received; });
        }
    }

    /// Host 0 sends a message to host 1. @param bytes of application data
    void Send(uint64_t bytes) const
    {
        hosts[0]->Send("10.0.0.2", bytes, 0);
    }

    /// @param limit most time
    /// @return whether there was nothing more to do by then
    static bool RunToEnd(Time limit)
    {
        bool ended = false;
        Simulator::Schedule(limit,
                            [&ended]
                            {
                                ended = Simulator::IsFinished();
                                Simulator::Stop();
                            });
        Simulator::Run();
        return ended;
    }

    /// @param host at which packets arrive
    /// @param what which of them
    /// @return those
    std::vector<SeenPacket> Find(uint32_t host,
                                 const std::function<bool(const SeenPacket&)>& what) const
    {
        std::vector<SeenPacket> found;
        std::copy_if(loss[host]->seen.begin(),
                     loss[host]->seen.end(),
                     std::back_inserter(found),
                     what);
        return found;
    }

    Ptr<Loss> loss[2];             //!< by receiver
    Ptr<FlowApplication> hosts[2]; //!< their applications
    uint32_t received{0};          //!< messages
    SimulationEnd end;             //!< of the simulation
};

/// @param one a packet
/// @return whether it asks for packets
bool
IsRequest(const SeenPacket& one)
{
    return one.offset == 4 && !one.ranges.empty();
}

/// @param one a packet
/// @return whether it tells that a message is complete
bool
IsAcknowledgement(const SeenPacket& one)
{
    return one.offset == 4 && one.ranges.empty();
}

/// @param one a packet
/// @return whether it is of a message
bool
IsData(const SeenPacket& one)
{
    return one.offset == 2;
}

/// A sender that hears nothing.
ODCN_TEST_CASE(RepeatTestCase, "without an answer the last packet is repeated, ever more rarely")
{
    LossyLink t(MicroSeconds(10),
                {{"Repair", "Nack"}, {"ReorderTime", "100us"}, {"RepairTimeout", "1ms"}});
    t.Send(3 * REPAIR_PAYLOAD);
    t.loss[1]->lose = [](const SeenPacket& one) { return one.at < MilliSeconds(1000); };
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "complete");
    const auto repeats = t.Find(1, [](const SeenPacket& one) { return one.sequence == 2; });
    // After 1, 2, 4 to 64 ms, and then each 64 ms: the last at 1,023 ms.
    NS_TEST_ASSERT_MSG_EQ(repeats.size(), 1 + 6 + 15, "packets");
    for (std::size_t i = 1; i < repeats.size(); ++i)
    {
        const double ms = (repeats[i].at - repeats[i - 1].at).GetSeconds() * 1e3;
        const double expected = i < 7 ? 1 << (i - 1) : 64;
        NS_TEST_EXPECT_MSG_EQ_TOL(ms, expected, 0.01, "time " << i);
    }
    const auto sender = t.hosts[0]->GetMessageCounts();
    const auto receiver = t.hosts[1]->GetMessageCounts();
    NS_TEST_EXPECT_MSG_EQ(sender.packets, 3, "each once");
    NS_TEST_EXPECT_MSG_EQ(sender.again, 21 + 2, "the last one, and the others when asked for");
    NS_TEST_EXPECT_MSG_EQ(receiver.requests, 1, "for both");
    NS_TEST_EXPECT_MSG_EQ(receiver.duplicates, 0, "none arrives twice");
}

/// A receiver that gives credits, and two outages.
ODCN_TEST_CASE(CreditTimeoutTestCase, "a credit sets the time-out back")
{
    LossyLink t(
        MicroSeconds(10),
        {{"Repair", "Nack"}, {"ReorderTime", "100us"}, {"RepairTimeout", "1ms"}, {"Window", "4"}});
    t.Send(40 * REPAIR_PAYLOAD);
    const auto isDark = [](const SeenPacket& one)
    {
        return one.at < MilliSeconds(40) ||
               (one.at > MicroSeconds(63200) && one.at < MilliSeconds(90));
    };
    t.loss[0]->lose = t.loss[1]->lose = isDark;
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "complete");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().packets, 40, "each once");
    // The first outage ends with the repetition at 63 ms, after 32 ms. The credits that follow let
    // the second one begin again with 1 ms: 1, 3, 7, and 15 ms after the last packet.
    const auto repeats =
        t.Find(1,
               [](const SeenPacket& one) {
                   return IsData(one) && one.at > MicroSeconds(64100) && one.at < MilliSeconds(90);
               });
    NS_TEST_EXPECT_MSG_EQ(repeats.size(), 4, "repetitions in the second outage");
    const auto after = t.Find(1, [](const SeenPacket& one) { return one.at >= MilliSeconds(90); });
    NS_TEST_ASSERT_MSG_EQ(after.empty(), false, "packets after it");
    NS_TEST_EXPECT_MSG_EQ_TOL(after.front().at.GetSeconds(), 0.0945, 0.001, "31 ms after it began");
}

/// Credits that repeat what the sender knows.
ODCN_TEST_CASE(CreditAgainTestCase,
               "a credit for nothing new leaves the next repetition where it is")
{
    // A round trip of 10 ms, ten times the time-out. The last of the first four packets is repeated
    // after 1, 3 and 7 ms. The credits for the other four packets are lost, but each repetition is
    // answered by them: the first answer, at 11 ms, allows these packets, and those at 13 and 17 ms
    // say nothing new. The acknowledgement comes at 21 ms.
    LossyLink t(
        MilliSeconds(5),
        {{"Repair", "Nack"}, {"ReorderTime", "100us"}, {"RepairTimeout", "1ms"}, {"Window", "4"}});
    t.Send(8 * REPAIR_PAYLOAD);
    uint32_t lost = 0;
    t.loss[0]->lose = [&](const SeenPacket& one) { return one.offset == 5 && lost++ < 4; };
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "complete");
    const auto credits = t.Find(0, [](const SeenPacket& one) { return one.offset == 5; });
    NS_TEST_EXPECT_MSG_EQ(credits.size(), 4 + 3, "lost, and repeated");
    // A credit sets the time-out back to 1 ms; a time-out that is running goes on.
    const auto last =
        t.Find(1, [](const SeenPacket& one) { return IsData(one) && one.sequence == 7; });
    const std::vector<double> gaps{1, 2, 2, 4};
    NS_TEST_ASSERT_MSG_EQ(last.size(), 1 + gaps.size(), "the last packet, and repetitions");
    for (std::size_t i = 0; i < gaps.size(); ++i)
    {
        const double ms = (last[i + 1].at - last[i].at).GetSeconds() * 1e3;
        NS_TEST_EXPECT_MSG_EQ_TOL(ms, gaps[i], 0.0005, "time " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().packets, 8, "each once");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().again, 3 + 4, "sent again");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[1]->GetMessageCounts().duplicates, 3 + 4, "duplicates");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[1]->GetMessageCounts().requests, 0, "nothing is missing");
}

/// Packets 5 to 7 of 20 are lost, and so many requests for them.
ODCN_TEST_CASES(RequestTestCase,
                uint32_t,
                "missing packets are asked for once, after " + std::to_string(parameter) +
                    " lost requests",
                0,
                1,
                3)
{
    // What was sent again arrives 2 ms after the request, 20 times the reordering time.
    LossyLink t(MilliSeconds(1),
                {{"Repair", "Nack"}, {"ReorderTime", "100us"}, {"RepairTimeout", "50ms"}});
    t.Send(20 * REPAIR_PAYLOAD);
    t.loss[1]->lose = [](const SeenPacket& one)
    { return one.sequence >= 5 && one.sequence <= 7 && one.before == 0; };
    uint32_t lost = 0;
    t.loss[0]->lose = [&](const SeenPacket& one) { return IsRequest(one) && lost++ < parameter; };
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "complete");
    const auto requests = t.Find(0, IsRequest);
    NS_TEST_ASSERT_MSG_EQ(requests.size(), parameter + 1, "requests");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[1]->GetMessageCounts().requests, parameter + 1, "counted");
    for (std::size_t i = 0; i < requests.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(requests[i].ranges.size(), 1, "one range");
        NS_TEST_EXPECT_MSG_EQ(requests[i].ranges.front(), 3, "of three packets");
        if (i > 0)
        {
            const double ms = (requests[i].at - requests[i - 1].at).GetSeconds() * 1e3;
            NS_TEST_EXPECT_MSG_EQ_TOL(ms, 50.0 * (1 << (i - 1)), 0.01, "time " << i);
        }
    }
    const auto again = t.Find(1,
                              [](const SeenPacket& one)
                              { return IsData(one) && one.before > 0 && one.sequence < 19; });
    NS_TEST_EXPECT_MSG_EQ(again.size(), 3, "sent again");
}

/// The first so many acknowledgements of a message are lost.
ODCN_TEST_CASES(DuplicateTestCase,
                uint32_t,
                std::to_string(parameter) + " lost acknowledgements",
                0,
                1,
                5)
{
    LossyLink t(MicroSeconds(10),
                {{"Repair", "Nack"}, {"ReorderTime", "100us"}, {"RepairTimeout", "1ms"}});
    t.Send(4 * REPAIR_PAYLOAD + 100);
    uint32_t lost = 0;
    t.loss[0]->lose = [&](const SeenPacket& one)
    { return IsAcknowledgement(one) && lost++ < parameter; };
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "once");
    NS_TEST_EXPECT_MSG_EQ(t.Find(0, IsAcknowledgement).size(), parameter + 1, "each is answered");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().again, parameter, "the last packet");
    for (const SeenPacket& one :
         t.Find(1, [](const SeenPacket& s) { return IsData(s) && s.sequence == 4; }))
    {
        NS_TEST_EXPECT_MSG_EQ(one.size, 60 + 100, "as long as it was");
    }
    NS_TEST_EXPECT_MSG_EQ(t.hosts[1]->GetMessageCounts().duplicates, parameter, "duplicates");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[1]->GetMessageCounts().requests, 0, "nothing is missing");
}

/// Every other packet is lost.
ODCN_TEST_CASE(RangesTestCase, "a request has at most 128 ranges and fits into a packet")
{
    LossyLink t(MicroSeconds(10),
                {{"Repair", "Nack"}, {"ReorderTime", "1ms"}, {"RepairTimeout", "50ms"}});
    t.Send(601 * REPAIR_PAYLOAD);
    t.loss[1]->lose = [](const SeenPacket& one)
    { return one.sequence % 2 == 1 && one.before == 0; };
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "complete");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().again, 300, "sent again");
    // The first gap is asked for 1 ms after it was seen, the 299 others together.
    const auto requests = t.Find(0, IsRequest);
    NS_TEST_ASSERT_MSG_EQ(requests.size(), 4, "requests");
    const std::vector<std::size_t> ranges{1, 128, 128, 43};
    for (std::size_t i = 0; i < ranges.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(requests[i].ranges.size(), ranges[i], "ranges of request " << i);
        NS_TEST_EXPECT_MSG_LT(requests[i].size, 1500, "bytes of request " << i);
    }
}

/// Two senders of a receiver that gives credits.
ODCN_TEST_CASE(CreditOrderTestCase, "credits go to the first, the shortest or to all in turn")
{
    // The receiver's link takes 1.2 us a packet. Server 0, of the other rack, has 200 packets;
    // server 3 has so many later, of which the first ten need no credit.
    const auto run = [](const std::string& order, uint32_t packets, Time at)
    {
        const SimulationEnd end;
        OcsHelper ocs;
        for (const auto set : {&OcsHelper::SetServerAttribute, &OcsHelper::SetUplinkAttribute})
        {
            (ocs.*set)("DataRate", StringValue("10Gbps"));
        }
        const Ptr<OcsFabric> fabric = ocs.Build({2, 2, 1, 1});
        ocs.InstallServers(fabric);
        fabric->PresetAllToAll();
        FlowHelper helper;
        for (const auto& [name, value] :
             std::vector<std::pair<std::string, std::string>>{{"Repair", "Nack"},
                                                              {"Window", "10"},
                                                              {"Order", order}})
        {
            helper.SetAttribute(name, StringValue(value));
        }
        const Ptr<PacketMessages> plane = helper.InstallMessages(fabric);
        std::vector<double> us(2);
        const auto note = [&](const Message& message)
        { us[message.tag] = Simulator::Now().GetSeconds() * 1e6; };
        plane->Send(0, 2, 200 * REPAIR_PAYLOAD, note, 0);
        Simulator::Schedule(at, [&] { plane->Send(3, 2, packets * REPAIR_PAYLOAD, note, 1); });
        const bool ends = LossyLink::RunToEnd(Seconds(1));
        return ends ? us : std::vector<double>(2);
    };
    // 250 packets take 300 us.
    const auto fifo = run("Fifo", 50, MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ_TOL(fifo[0], 1.2 * 210, 15, "with the ten packets that need no credit");
    NS_TEST_EXPECT_MSG_EQ_TOL(fifo[1], 1.2 * 250, 15, "then the others");
    const auto turns = run("RoundRobin", 50, MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ_TOL(turns[0], 1.2 * 250, 15, "last");
    NS_TEST_EXPECT_MSG_EQ_TOL(turns[1], 10 + 1.2 * 100, 15, "half of the link");
    const auto shortest = run("ShortestRemaining", 50, MicroSeconds(10));
    NS_TEST_EXPECT_MSG_EQ_TOL(shortest[0], 1.2 * 250, 15, "last");
    NS_TEST_EXPECT_MSG_EQ_TOL(shortest[1], 10 + 1.2 * 60, 15, "ten packets are on their way");
    // After 200 us there are 33 packets left of 200, which are fewer than 100.
    const auto remaining = run("ShortestRemaining", 100, MicroSeconds(200));
    NS_TEST_EXPECT_MSG_EQ_TOL(remaining[0], 1.2 * 210, 15, "fewer remain");
    NS_TEST_EXPECT_MSG_EQ_TOL(remaining[1], 1.2 * 300, 15, "then the others");
}

/// A message of 200 packets with a window of 20, of which 180 need credits.
ODCN_TEST_CASES(CreditPacketsTestCase,
                uint32_t,
                "credits for " + std::to_string(parameter) + " packets",
                1,
                6,
                20,
                100)
{
    LossyLink t(MicroSeconds(1),
                {{"Repair", "Nack"},
                 {"Window", "20"},
                 {"CreditPackets", std::to_string(parameter)},
                 {"ReorderTime", "100us"},
                 {"RepairTimeout", "50ms"}});
    t.Send(200 * REPAIR_PAYLOAD);
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(1)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 1, "complete");
    // Not more than the window, or its packets could never be on their way.
    const auto credits = t.Find(0, [](const SeenPacket& one) { return one.offset == 5; });
    NS_TEST_EXPECT_MSG_EQ(credits.size(), 180 / std::min(parameter, 20U), "credits");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().packets, 200, "each once");
    NS_TEST_EXPECT_MSG_EQ(t.hosts[0]->GetMessageCounts().again, 0, "none is sent again");
}

/// Flows and messages about as large as ShortFlows.
ODCN_TEST_CASES(ShortTestCase,
                std::string,
                "flows and messages of ShortFlows bytes are not short, " + parameter,
                "None",
                "Nack")
{
    LossyLink t(MicroSeconds(10),
                {{"Repair", parameter}, {"ShortFlows", "1000"}},
                {{0, 1, 999, Time(0)}, {0, 1, 1000, Time(0)}});
    t.Send(999);
    t.Send(1000);
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    std::map<uint32_t, std::set<uint32_t>> sizes; // bytes of data of packets, by port
    for (const SeenPacket& one : t.loss[1]->seen)
    {
        const bool isMessage = one.offset >= 2;
        sizes[one.offset].insert(one.size - UdpFlowTransport::HEADERS - (isMessage ? 16 : 0));
    }
    const bool repaired = parameter == "Nack"; // flows are messages
    NS_TEST_EXPECT_MSG_EQ((sizes[2] == std::set<uint32_t>{1000}), true, "messages");
    NS_TEST_EXPECT_MSG_EQ((sizes[3] == std::set<uint32_t>{999}), true, "short messages");
    NS_TEST_EXPECT_MSG_EQ(sizes[0].count(1000), (repaired ? 0 : 1), "flows");
    NS_TEST_EXPECT_MSG_EQ(sizes[1].count(999), (repaired ? 0 : 1), "short flows");
    NS_TEST_EXPECT_MSG_EQ(sizes[0].size() + sizes[1].size(), (repaired ? 0 : 2), "no others");
}

/// Messages about as large as ShortFlows, over TCP.
ODCN_TEST_CASE(ShortStreamTestCase, "messages of ShortFlows bytes are not short, Tcp")
{
    LossyLink t(MicroSeconds(10), {{"Transport", "Tcp"}, {"ShortFlows", "1000"}});
    t.Send(999);
    t.Send(1000);
    NS_TEST_EXPECT_MSG_EQ(LossyLink::RunToEnd(Seconds(10)), true, "it ends");
    NS_TEST_EXPECT_MSG_EQ(t.received, 2, "complete");
    std::map<uint32_t, uint32_t> largest; // packet by port, bytes
    for (const SeenPacket& one : t.loss[1]->seen)
    {
        largest[one.offset] = std::max(largest[one.offset], one.size);
    }
    NS_TEST_EXPECT_MSG_EQ(largest.size(), 2, "a connection of each class");
    NS_TEST_EXPECT_MSG_EQ(largest[2], largest[3] + 1, "one byte more in the message that is not");
}

/// The suite.
CaseSuite g_repairTestSuite("odcn-repair");

} // namespace
