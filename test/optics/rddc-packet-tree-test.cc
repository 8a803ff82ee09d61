// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-test-resolution.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-size.h"
#include "ns3/rddc-packet-tree.h"
#include "ns3/rddc-topology.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// 1,000 bytes at 1 Gb/s, in ps.
constexpr int64_t TREE_SERVICE = 8000000;

/// @param channels of a server  @return 2 clusters of 2 racks of 4 servers
std::shared_ptr<const RddcNetwork>
MakeNetwork(uint32_t channels)
{
    auto topology = CreateObject<RddcTopology>();
    topology->SetAttribute("ServersPerRack", UintegerValue(4));
    topology->SetAttribute("Channels", UintegerValue(channels));
    topology->SetAttribute("Tier2Oversubscription", UintegerValue(1));
    topology->SetAttribute("Tier3Oversubscription", UintegerValue(1));
    return topology->Build();
}

/// @return a tree's model with times that are easy to compute by hand
RddcTreeModel
MakeModel(RddcTreeModel::Form form)
{
    RddcTreeModel model;
    model.form = form;
    model.channelRate = 1000000000;
    model.fibreDelay = {10, 100, 1000};
    model.switchDelay = 7;
    return model;
}

/// Arrival time of a packet that finds a queue full.
constexpr int64_t LOST = -1;

/// @return arrival times, or LOST
std::vector<int64_t>
SendAll(const RddcNetwork& network,
        const RddcTreeModel& model,
        const std::vector<RddcLightpath>& flows,
        const std::vector<RddcTreePacket>& packets)
{
    return ListOf<int64_t>(RunPacketTree(network, model, flows, packets),
                           [&](const PacketFate& fate)
                           { return fate.received ? fate.ended : LOST; });
}

/// @return arrivals of packets of 1,000 bytes
std::vector<int64_t>
Send(const RddcNetwork& network,
     const RddcTreeModel& model,
     const std::vector<RddcLightpath>& flows,
     const std::vector<std::pair<int64_t, uint32_t>>& packets)
{
    std::vector<RddcTreePacket> all;
    for (const auto& [time, flow] : packets)
    {
        all.push_back({time, flow, 1000});
    }
    return SendAll(network, model, flows, all);
}

TEST(RddcPacketTreeTest, EverySwitchStoresAndForwards)
{
    const auto network = MakeNetwork(1);
    // With a channel a server, links of tiers 2 and 3 have 2 and 2.
    ASSERT_EQ(network->GetSizes().channels, (std::array<uint32_t, 3>{1, 2, 2}));
    // In the rack, in the cluster, between clusters, and back.
    const std::vector<RddcLightpath> flows{{0, 3, 0}, {0, 5, 1}, {0, 9, 2}, {9, 0, 2}};
    const std::vector<std::pair<int64_t, uint32_t>> packets{{0, 0},
                                                            {100 * TREE_SERVICE, 1},
                                                            {200 * TREE_SERVICE, 2},
                                                            {300 * TREE_SERVICE, 3}};
    const auto asTrunks = Send(*network, MakeModel(RddcTreeModel::TRUNKS), flows, packets);
    const auto asPorts = Send(*network, MakeModel(RddcTreeModel::PORTS), flows, packets);
    const std::vector<int64_t> fibre{20, 220, 2220, 2220};
    for (int i = 0; i < 4; ++i)
    {
        const int64_t switches = std::min(2 * i + 1, 5);
        const int64_t began = 100 * TREE_SERVICE * i;
        // Trunks of two channels take half the time.
        EXPECT_EQ(asTrunks[i] - began,
                  2 * TREE_SERVICE + (switches - 1) * TREE_SERVICE / 2 + fibre[i] + 7 * switches);
        EXPECT_EQ(asPorts[i] - began, (switches + 1) * TREE_SERVICE + fibre[i] + 7 * switches);
    }
}

TEST(RddcPacketTreeTest, PacketsMeetAtTheReceiver)
{
    const auto network = MakeNetwork(1);
    auto model = MakeModel(RddcTreeModel::PORTS);
    model.switchQueue = 2;
    // Three servers of a rack at once to a fourth, four packets each.
    const std::vector<RddcLightpath> flows{{0, 3, 0}, {1, 3, 0}, {2, 3, 0}};
    std::vector<std::pair<int64_t, uint32_t>> packets;
    for (int n = 0; n < 4; ++n)
    {
        for (uint32_t flow = 0; flow < 3; ++flow)
        {
            packets.emplace_back(0, flow);
        }
    }
    const auto arrivals = Send(*network, model, flows, packets);
    // Of each three one is in transmission and two wait; then there is room for one per service.
    const int64_t first = TREE_SERVICE + 10 + 7;
    std::vector<int64_t> came;
    for (int64_t time : arrivals)
    {
        if (time != LOST)
        {
            came.push_back(time);
        }
    }
    std::sort(came.begin(), came.end());
    ASSERT_EQ(came.size(), 6);
    for (int64_t n = 0; n < 6; ++n)
    {
        EXPECT_EQ(came[n], first + (n + 1) * TREE_SERVICE + 10);
    }
    EXPECT_EQ(arrivals[0], first + TREE_SERVICE + 10) << "of equals, the one given first";
    EXPECT_EQ(arrivals[2], first + 3 * TREE_SERVICE + 10);
    EXPECT_EQ(arrivals[4], LOST) << "its place is taken by flow 0's second";
}

TEST(RddcPacketTreeTest, TheSendingQueueIsItsOwn)
{
    auto model = MakeModel(RddcTreeModel::TRUNKS);
    model.cardQueue = 3;
    const auto arrivals =
        Send(*MakeNetwork(1), model, {{0, 1, 0}}, std::vector(6, std::pair(int64_t{0}, 0U)));
    EXPECT_EQ(std::count(arrivals.begin(), arrivals.end(), LOST), 2);
    EXPECT_EQ(arrivals[3], 5 * TREE_SERVICE + 20 + 7);
}

TEST(RddcPacketTreeTest, TrunksCarryWhatTheirLightpathsMay)
{
    // Every channel of every server sends at its full rate, evenly: the ledger never overloads
    // links, so small queues lose nothing; with ports, flows collide and some packets are lost.
    const auto network = MakeNetwork(8);
    RddcChannelLedger ledger(network);
    std::mt19937 random(1);
    std::vector<RddcLightpath> lightpaths;
    for (int i = 0; i < 2000; ++i)
    {
        const ServerId a = random() % 16;
        const ServerId b = random() % 16;
        if (a != b)
        {
            const ServerId other[] = {b};
            ledger.Connect(a, other, {RddcRouting::LEAST_USED, 3}, lightpaths);
        }
    }
    ASSERT_GT(ledger.GetUsed(0), 120) << "almost all of 128 channels";
    std::vector<RddcLightpath> flows;
    std::vector<std::pair<int64_t, uint32_t>> packets;
    for (const auto& l : lightpaths)
    {
        flows.push_back(l);
        flows.push_back({l.to, l.from, l.path});
    }
    for (int64_t n = 0; n < 50; ++n)
    {
        for (uint32_t flow = 0; flow < flows.size(); ++flow)
        {
            packets.emplace_back(n * TREE_SERVICE, flow);
        }
    }
    for (const auto form : {RddcTreeModel::TRUNKS, RddcTreeModel::PORTS})
    {
        auto model = MakeModel(form);
        model.switchQueue = 32;
        const auto arrivals = Send(*network, model, flows, packets);
        const auto lost = std::count(arrivals.begin(), arrivals.end(), LOST);
        if (form == RddcTreeModel::TRUNKS)
        {
            EXPECT_EQ(lost, 0);
        }
        else
        {
            EXPECT_GT(lost, 0);
        }
        EXPECT_EQ(arrivals, Send(*network, model, flows, packets)) << "repeatable";
        // A flow's packets stay in order.
        std::map<uint32_t, int64_t> last;
        for (std::size_t i = 0; i < packets.size(); ++i)
        {
            if (arrivals[i] != LOST)
            {
                EXPECT_GT(arrivals[i], last[packets[i].second]);
                last[packets[i].second] = arrivals[i];
            }
        }
    }
}

/// The trunks of a network as ns-3's point-to-point links, and switches that forward.
class StockTree
{
  public:
    /// @param network to be built  @param model rates, queues and delays
    /// @param flows with their paths
    StockTree(const RddcNetwork& network,
              const RddcTreeModel& model,
              const std::vector<RddcLightpath>& flows)
    {
        NodeContainer nodes;
        nodes.Create(network.GetNNodes());
        std::vector<std::array<Ptr<NetDevice>, 2>> ends;
        for (LinkId link = 0; link < network.GetNLinks(); ++link)
        {
            const auto& [low, high] = network.GetEnds(link);
            PointToPointHelper helper;
            helper.SetDeviceAttribute(
                "DataRate",
                DataRateValue(DataRate(model.channelRate * network.GetChannels(link))));
            helper.SetChannelAttribute(
                "Delay",
                TimeValue(PicoSeconds(model.fibreDelay[network.GetTier(link)])));
            const auto devices = helper.Install(nodes.Get(low), nodes.Get(high));
            for (uint32_t end : {0U, 1U})
            {
                const bool card = end == 0 && low < network.GetNServers();
                const uint32_t room = card ? model.cardQueue : model.switchQueue;
                auto queue = CreateObject<DropTailQueue<Packet>>();
                queue->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, room));
                auto device = DynamicCast<PointToPointNetDevice>(devices.Get(end));
                device->SetQueue(queue);
                device->SetReceiveCallback(MakeCallback(&StockTree::Receive, this));
            }
            ends.push_back({devices.Get(0), devices.Get(1)});
        }
        for (const auto& flow : flows)
        {
            // From node to node, by the only link of the path that is not visited yet.
            const auto path =
                network.GetPath(network.GetRack(flow.from), network.GetRack(flow.to), flow.path);
            std::vector<LinkId> links(path.begin(), path.end());
            links.insert(links.end(), {flow.from, flow.to});
            std::map<Ptr<Node>, Ptr<NetDevice>> next;
            for (uint32_t node = flow.from; !links.empty();)
            {
                const auto link = std::find_if(links.begin(),
                                               links.end(),
                                               [&](LinkId l)
                                               {
                                                   const auto& e = network.GetEnds(l);
                                                   return e.first == node || e.second == node;
                                               });
                const auto& [low, high] = network.GetEnds(*link);
                next[nodes.Get(node)] = ends[*link][low == node ? 0 : 1];
                node = low == node ? high : low;
                // The last link of a path in the rack is the receiver's.
                links.erase(link);
            }
            m_next.push_back(next);
            m_senders.push_back(nodes.Get(flow.from));
        }
    }

    /// @param packets to send
    /// @return as the function of this name
    std::vector<int64_t> Run(const std::vector<RddcTreePacket>& packets)
    {
        m_arrivals.assign(packets.size(), LOST);
        for (uint32_t i = 0; i < packets.size(); ++i)
        {
            // The point-to-point header takes two of the bytes on the line.
            auto packet = Create<Packet>(packets[i].bytes - 2);
            m_packets[packet->GetUid()] = {i, packets[i].flow};
            Simulator::Schedule(PicoSeconds(packets[i].time),
                                &StockTree::Forward,
                                this,
                                packet,
                                m_senders[packets[i].flow]);
        }
        Simulator::Run();
        Simulator::Destroy();
        return m_arrivals;
    }

  private:
    /// @param packet to forward  @param node present node
    void Forward(Ptr<Packet> packet, Ptr<Node> node)
    {
        const auto device = m_next[m_packets.at(packet->GetUid()).second].at(node);
        device->Send(packet, device->GetBroadcast(), 0x0800);
    }

    /// @param device that received it  @param packet received  @return true
    bool Receive(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address&)
    {
        const auto& [index, flow] = m_packets.at(packet->GetUid());
        if (m_next[flow].contains(device->GetNode()))
        {
            Forward(packet->Copy(), device->GetNode());
        }
        else
        {
            m_arrivals[index] = Simulator::Now().GetPicoSeconds();
        }
        return true;
    }

    std::vector<std::map<Ptr<Node>, Ptr<NetDevice>>> m_next;     //!< [flow]: next device by node
    std::vector<Ptr<Node>> m_senders;                            //!< [flow]
    std::map<uint64_t, std::pair<uint32_t, uint32_t>> m_packets; //!< by uid: index and flow
    std::vector<int64_t> m_arrivals;                             //!< arrival times, ps
};

TEST(RddcPacketTreeTest, IsAsStockPointToPointLinks)
{
    UsePicoseconds();
    const auto network = MakeNetwork(2);
    RddcChannelLedger ledger(network);
    std::mt19937 random(2);
    std::vector<RddcLightpath> flows;
    while (flows.size() < 12)
    {
        const ServerId a = random() % 16;
        const ServerId b = random() % 16;
        const ServerId other[] = {b};
        if (a != b)
        {
            ledger.Connect(a, other, {RddcRouting::LEAST_USED, 8}, flows);
        }
    }
    auto model = MakeModel(RddcTreeModel::TRUNKS);
    model.switchDelay = 0;
    model.cardQueue = 20;
    model.switchQueue = 1;
    // Twice the rate of a channel, so that both kinds of queues overflow. Sizes are odd and differ
    // from earlier ones, so that arrivals hardly ever coincide with departures, whose order ns-3
    // does not define. In this stream none does.
    std::vector<RddcTreePacket> packets;
    int64_t time = 0;
    for (int i = 0; i < 6000; ++i)
    {
        time += random() % (2 * 6400000 / 24);
        packets.push_back({time,
                           static_cast<uint32_t>(random() % flows.size()),
                           101 + static_cast<uint32_t>(i % 700 * 2)});
    }
    const std::vector<int64_t> arrivals = SendAll(*network, model, flows, packets);
    const auto lost = std::count(arrivals.begin(), arrivals.end(), LOST);
    EXPECT_GT(lost, 100);
    EXPECT_LT(lost, 4000);
    const auto stock = StockTree(*network, model, flows).Run(packets);
    ASSERT_EQ(stock.size(), arrivals.size());
    for (std::size_t i = 0; i < stock.size(); ++i)
    {
        ASSERT_EQ(arrivals[i], stock[i]) << "packet " << i << " of flow " << packets[i].flow;
    }
}

TEST(RddcPacketTreeTest, PathsMayGoUpAgain)
{
    UsePicoseconds();
    auto topology = CreateObject<RddcTopology>();
    topology->SetAttribute("ServersPerRack", UintegerValue(4));
    topology->SetAttribute("Channels", UintegerValue(2));
    topology->SetAttribute("Tier2Oversubscription", UintegerValue(1));
    topology->SetAttribute("Tier3Oversubscription", UintegerValue(1));
    topology->SetAttribute("Paths", UintegerValue(64));
    const auto network = topology->Build();
    std::vector<RddcLightpath> flows;
    std::size_t longest = 0;
    for (RackId a = 0; a < network->GetNRacks(); ++a)
    {
        for (RackId b = 0; b < network->GetNRacks(); ++b)
        {
            for (std::size_t path = 0; a != b && path < network->GetNPaths(a, b); path += 3)
            {
                flows.push_back({a * 4, b * 4 + 1, static_cast<uint8_t>(path)});
                longest = std::max(longest, network->GetPath(a, b, path).size());
            }
        }
    }
    ASSERT_GT(longest, 5) << "up, down, up, and down again";
    auto model = MakeModel(RddcTreeModel::TRUNKS);
    model.switchDelay = 0;
    model.switchQueue = 3;
    std::mt19937 random(5);
    std::vector<RddcTreePacket> packets;
    int64_t time = 0;
    for (int i = 0; i < 4000; ++i)
    {
        time += random() % 2000000;
        packets.push_back({time,
                           static_cast<uint32_t>(random() % flows.size()),
                           101 + static_cast<uint32_t>(i % 700 * 2)});
    }
    const std::vector<int64_t> arrivals = SendAll(*network, model, flows, packets);
    const auto lost = std::count(arrivals.begin(), arrivals.end(), LOST);
    EXPECT_GT(lost, 10);
    EXPECT_LT(lost, 3000);
    const auto stock = StockTree(*network, model, flows).Run(packets);
    ASSERT_EQ(stock.size(), arrivals.size());
    for (std::size_t i = 0; i < stock.size(); ++i)
    {
        ASSERT_EQ(arrivals[i], stock[i]) << "packet " << i << " of flow " << packets[i].flow;
    }
}

TEST(RddcPacketTreeTest, RefusesWhatCannotBe)
{
    auto model = MakeModel(RddcTreeModel::PORTS);
    model.channelRate = 0;
    EXPECT_THROW(RunPacketTree(*MakeNetwork(1), model, {}, {}), OdcnError);
    model = MakeModel(RddcTreeModel::PORTS);
    model.switchQueue = 0;
    EXPECT_THROW(RunPacketTree(*MakeNetwork(1), model, {}, {}), OdcnError);
}

} // namespace
