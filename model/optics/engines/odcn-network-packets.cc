// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-network-packets.h"

#include "odcn-exact-engine.h"
#include "odcn-fabric-model.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/ocs-packet-header.h"
#include "ns3/odcn-fair-queue.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-path.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-spreading-rounds.h"
#include "ns3/odcn-trim-queue.h"
#include "ns3/string.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Limits of a queue.
struct QueueLimits
{
    uint64_t packets; //!< UINT64_MAX for none
    uint64_t bytes;   //!< UINT64_MAX for none
    uint32_t data;    //!< TrimQueue::DataPackets, or 0
    uint32_t headers; //!< TrimQueue::HeaderSize, or 0
};

/// @param device a port
/// @return limits of its queue
QueueLimits
GetLimits(const OcsNetDevice& device)
{
    const QueueSize size = device.GetQueue()->GetMaxSize();
    const auto trim = DynamicCast<TrimQueue>(device.GetQueue());
    const uint32_t data = trim ? trim->GetDataPackets() : 0;
    const uint32_t headers = trim ? trim->GetHeaderSize() : 0;
    return size.GetUnit() == QueueSizeUnit::PACKETS
               ? QueueLimits{size.GetValue(), UINT64_MAX, data, headers}
               : QueueLimits{UINT64_MAX, size.GetValue(), data, headers};
}

/// @param device a port
/// @return whether it has a FairQueue
bool
IsFair(const OcsNetDevice& device)
{
    return device.GetQueue()->GetInstanceTypeId() == FairQueue::GetTypeId();
}

/// @param device a port
/// @return whether it has a DropTailQueue, a FairQueue or a TrimQueue
bool
IsKnown(const OcsNetDevice& device)
{
    return IsFair(device) || device.GetQueue()->GetInstanceTypeId() == TrimQueue::GetTypeId() ||
           device.GetQueue()->GetInstanceTypeId() == DropTailQueue<ns3::Packet>::GetTypeId();
}

/// @param device a port with a fibre
/// @return delay of the fibre, ps
int64_t
GetDelay(const OcsNetDevice& device)
{
    return DynamicCast<OcsFiber>(device.GetChannel())->GetDelay().GetPicoSeconds();
}

/// @param device a port with a fibre
/// @return the port at the other end
Ptr<OcsNetDevice>
GetPeer(const OcsNetDevice& device)
{
    const Ptr<Channel> fiber = device.GetChannel();
    const Ptr<NetDevice> first = fiber->GetDevice(0);
    return DynamicCast<OcsNetDevice>(PeekPointer(first) == &device ? fiber->GetDevice(1) : first);
}

/// @param a a port
/// @param b another
/// @return whether packets take the same time and have the same
/// room there
bool
AreAlike(const OcsNetDevice& a, const OcsNetDevice& b)
{
    return a.GetDataRate() == b.GetDataRate() && GetDelay(a) == GetDelay(b) &&
           a.GetQueue()->GetMaxSize() == b.GetQueue()->GetMaxSize() && IsFair(a) == IsFair(b) &&
           GetLimits(a).data == GetLimits(b).data && GetLimits(a).headers == GetLimits(b).headers;
}

} // namespace

/// A run in a network.
class NetworkPackets::NetworkEngine : public Engine
{
  public:
    /// @param owner has the parameters, all valid
    /// @param links of hosts
    /// @param flows the flows, all valid
    NetworkEngine(const NetworkPackets& owner, const HostLinks& links, const Traffic& flows);

    /// @param network a network that can be computed
    /// @return the links of its hosts
    static HostLinks MakeLinks(const PacketNetwork& network);

  private:
    /// A port between two switches.
    struct Port
    {
        PacketQueue queue;     //!< packets that wait
        QueueKind kind;        //!< of the queue
        const int64_t* tx{};   //!< transmission times by size, ps
        int64_t delay{0};      //!< of the fibre, ps
        uint32_t peer{NONE};   //!< index of the switch at the other end; NONE if it has none
        bool isSending{false}; //!< whether it transmits
        PortState state{};     //!< what fails of it
    };

    /// A switch.
    struct Switch
    {
        const PacketSwitch* from;              //!< its parameters
        PacketSwitch::SpreadingMode spreading; //!< of its packets
        RandomStream random;                   //!< of its choices
        SpreadingRounds rounds;                //!< for ROUND_ROBIN
    };

    void Handle(const PacketEvent& event) override;
    void SetPart(const Fault& fault, bool failed) override;
    void FromHost(uint32_t packet, ServerId host) override;
    void MessageStarted(uint32_t place, const Message& message, bool isShort) override;
    uint32_t FindHash(const Content& content) const override;

    /// @param from sender
    /// @param to receiver
    /// @param source port from which it is sent
    /// @param port to which it is sent
    /// @return OcsPacketHeader::flow of its packets
    uint32_t Hash(ServerId from, ServerId to, uint32_t source, uint32_t port) const;
    /// Forward a packet.
    /// @param index of the switch
    /// @param p the packet
    void Forward(uint32_t index, uint32_t p);
    /// @param index of the switch
    /// @param p a packet
    /// @param ways number of ports to its rack
    /// @return one of them
    uint32_t Spread(uint32_t index, uint32_t p, uint32_t ways);
    /// A packet has reached a port, with faults.
    /// @param p the packet
    /// @param at index of the port, with TRUNCATED or without
    void ReachPort(uint32_t p, uint32_t at);
    /// Fail or repair a port of a switch.
    /// @param at index of the switch
    /// @param port of it
    /// @param failed whether it fails
    void SetPort(uint32_t at, uint32_t port, bool failed);
    /// Compute the routes again.
    void UpdateRoutes();
    /// Note the state of ports, and routes that may change.
    void PrepareFaults();
    /// Start to transmit a packet.
    /// @param index of an idle port
    /// @param p the packet
    void Transmit(uint32_t index, uint32_t p);

    const NetworkPackets& m_owner;          //!< parameters
    std::vector<std::vector<int64_t>> m_tx; //!< transmission times by rate and size, ps
    std::vector<Port> m_ports;              //!< as NetworkPackets::m_uplinks
    std::vector<Switch> m_switches;         //!< by index
    std::map<uint32_t, ServerId> m_hostAt;  //!< by index of a port to it, with faults
    /// With faults: ports by switch and rack, also those that have failed since.
    std::vector<std::vector<uint32_t>> m_routes;
    std::vector<uint32_t> m_working; //!< those of a route that work
    bool m_needsHashes{false};       //!< whether a switch spreads by flow
    std::vector<uint32_t> m_hashes;  //!< OcsPacketHeader::flow by Packet::flow, if needed
    /// By sender and receiver: messages sent, as FlowApplication counts them.
    std::unordered_map<uint64_t, uint32_t> m_numbers;
};

ExactPackets::Engine::HostLinks
NetworkPackets::NetworkEngine::MakeLinks(const PacketNetwork& network)
{
    const Ptr<OcsNetDevice> card = network.GetServerDevice(0);
    const auto getKind = [](const OcsNetDevice& port)
    {
        const QueueLimits limits = GetLimits(port);
        return QueueKind{limits.packets, limits.bytes, IsFair(port), limits.data, limits.headers};
    };
    return {network.GetNRacks(),
            network.GetServersPerRack(),
            BitRate(card->GetDataRate().GetBitRate()),
            GetDelay(*card),
            getKind(*GetPeer(*card)),
            getKind(*card)};
}

NetworkPackets::NetworkEngine::NetworkEngine(const NetworkPackets& owner,
                                             const HostLinks& links,
                                             const Traffic& flows)
    : Engine(links, owner.m_settings, owner.GetFaults(), flows),
      m_owner(owner)
{
    for (const BitRate rate : owner.m_rates)
    {
        std::vector<int64_t>& tx = m_tx.emplace_back();
        for (uint32_t bytes = 0; bytes <= GetMostBytes(); ++bytes)
        {
            tx.push_back(TransmissionTime(rate, bytes));
        }
        m_events.AddLane(tx[owner.m_settings.packetSize]);
    }
    for (const Uplink& uplink : owner.m_uplinks)
    {
        if (uplink.peer == NONE) // of a server or another network, only to keep the order
        {
            m_ports.emplace_back();
            continue;
        }
        m_ports.push_back(
            {MakeQueue(uplink.fair),
             {uplink.mostPackets, uplink.mostBytes, uplink.fair, uplink.data, uplink.headers},
             m_tx[uplink.rate].data(),
             uplink.delay,
             uplink.peer});
        m_events.AddLane(uplink.delay);
    }
    for (uint32_t i = 0; i < owner.m_network->GetNSwitches(); ++i)
    {
        const PacketSwitch& from = *owner.m_network->GetSwitch(i);
        m_switches.push_back({&from, from.GetSpreading(), owner.m_streams[i], {}});
        m_needsHashes = m_needsHashes || from.GetSpreading() == PacketSwitch::PER_FLOW;
    }
    if (HasFaults())
    {
        PrepareFaults();
    }
    const HostSettings& settings = owner.m_settings;
    for (uint32_t i = 0; m_needsHashes && i < flows.size(); ++i)
    {
        const Traffic::Item& flow = flows[i];
        const uint32_t port = owner.m_settings.port + (flow.bytes < settings.shortFlows ? 1 : 0);
        m_hashes.push_back(Hash(flow.from, flow.to, UdpFlowTransport::GetSourcePort(i), port));
    }
}

uint32_t
NetworkPackets::NetworkEngine::Hash(ServerId from,
                                    ServerId to,
                                    uint32_t source,
                                    uint32_t port) const
{
    constexpr uint8_t UDP = 17;
    const PacketNetwork& network = *m_owner.m_network;
    return OcsPacketHeader::HashFlow(network.GetServerAddress(from).Get(),
                                     network.GetServerAddress(to).Get(),
                                     UDP,
                                     source << 16 | port);
}

uint32_t
NetworkPackets::NetworkEngine::FindHash(const Content& content) const
{
    const TransportPacket& packet = content.packet;
    const uint32_t port = m_owner.m_settings.port + content.offset;
    return m_needsHashes
               ? Hash(content.from,
                      packet.peer,
                      packet.bytes > 0 ? UdpFlowTransport::GetSourcePort(packet.number) : port,
                      port)
               : 0;
}

void
NetworkPackets::NetworkEngine::MessageStarted(uint32_t place, const Message& message, bool isShort)
{
    if (!m_needsHashes)
    {
        return;
    }
    m_hashes.resize(std::max<std::size_t>(m_hashes.size(), place + 1));
    // Messages have the two ports after those of flows.
    m_hashes[place] = Hash(
        message.from,
        message.to,
        UdpFlowTransport::GetSourcePort(m_numbers[uint64_t(message.from) << 32 | message.to]++),
        m_owner.m_settings.port + 2 + (isShort ? 1 : 0));
}

void
NetworkPackets::NetworkEngine::Handle(const PacketEvent& event)
{
    switch (event.What())
    {
    case Happening::UPLINK_SENT:
    {
        Port& port = m_ports[event.b];
        port.isSending = false;
        if (HasFaults()) [[unlikely]]
        {
            const uint32_t to = m_owner.m_uplinks[event.b].peerPort | port.state.TakeTruncated();
            if (port.delay == 0)
            {
                ReachPort(event.a, to);
            }
            else
            {
                m_events.Schedule(port.delay, Happening::FROM_UPLINK, event.a, to);
            }
        }
        else if (port.delay == 0)
        {
            Forward(port.peer, event.a);
        }
        else
        {
            m_events.Schedule(port.delay, Happening::FROM_UPLINK, event.a, port.peer);
        }
        if (port.queue.packets > 0 && !port.isSending)
        {
            Transmit(event.b, TakeFirst(port.queue));
        }
        break;
    }
    case Happening::FROM_UPLINK:
        HasFaults() ? ReachPort(event.a, event.b) : Forward(event.b, event.a);
        break;
    case Happening::TOLD:
        UpdateRoutes();
        break;
    default:
        HandleHost(event);
        break;
    }
}

void
NetworkPackets::NetworkEngine::FromHost(uint32_t packet, ServerId host)
{
    Forward(m_owner.m_switchOf[host], packet);
}

void
NetworkPackets::NetworkEngine::Forward(uint32_t index, uint32_t p)
{
    const Packet& packet = m_packets[p];
    if (m_owner.m_switchOf[packet.to] == index)
    {
        ForwardDown(p);
        return;
    }
    const std::size_t pair =
        std::size_t(index) * m_owner.m_network->GetNRacks() + m_rackOf[packet.to];
    const uint32_t* choices;
    uint32_t ports;
    if (HasFaults()) [[unlikely]]
    {
        m_working.clear();
        std::copy_if(m_routes[pair].begin(),
                     m_routes[pair].end(),
                     std::back_inserter(m_working),
                     [this](uint32_t port) { return !m_ports[port].state.isFailed; });
        choices = m_working.data();
        ports = static_cast<uint32_t>(m_working.size());
    }
    else
    {
        const Route& route = m_owner.m_routes[pair];
        choices = &m_owner.m_choices[route.first];
        ports = route.ports;
    }
    if (ports == 0)
    {
        Drop(p, OcsDropCause::PORT_FAILED);
        return;
    }
    const uint32_t to = choices[ports == 1 ? 0 : Spread(index, p, ports)];
    Port& port = m_ports[to];
    if (!HasRoom(port.queue, port.kind, p))
    {
        Drop(p, OcsDropCause::QUEUE_OVERFLOW);
    }
    else if (port.isSending)
    {
        Append(port.queue, port.kind, p);
    }
    else if (port.queue.fair)
    {
        Append(port.queue, port.kind, p); // for its tag
        Transmit(to, TakeFirst(port.queue));
    }
    else
    {
        Transmit(to, p);
    }
}

uint32_t
NetworkPackets::NetworkEngine::Spread(uint32_t index, uint32_t p, uint32_t ways)
{
    const Packet& packet = m_packets[p];
    Switch& at = m_switches[index];
    const auto draw = [&at](uint32_t n) { return at.random.NextInteger(n); };
    switch (at.spreading)
    {
    case PacketSwitch::PER_PACKET:
        return draw(ways);
    case PacketSwitch::ROUND_ROBIN:
        return at.rounds.Next(m_rackOf[packet.to], ways, draw);
    case PacketSwitch::PER_FLOW:
    case PacketSwitch::BY_HOST:
        break;
    }
    const RackId rack = m_rackOf[packet.to];
    const uint32_t hash = !m_contents.empty() ? m_contents[p].hash
                          : m_hashes.empty()  ? 0
                                              : m_hashes[packet.flow];
    return at.from->Choose(hash,
                           rack,
                           packet.to - rack * m_owner.m_network->GetServersPerRack(),
                           ways,
                           false);
}

void
NetworkPackets::NetworkEngine::Transmit(uint32_t index, uint32_t p)
{
    Port& port = m_ports[index];
    port.isSending = true;
    ++m_result.hops;
    m_events.Schedule(port.tx[m_packets[p].bytes], Happening::UPLINK_SENT, p, index);
}

void
NetworkPackets::NetworkEngine::PrepareFaults()
{
    const PacketNetwork& network = *m_owner.m_network;
    for (ServerId host = 0; host < network.GetNServers(); ++host)
    {
        const uint32_t at = m_owner.m_switchOf[host];
        const Ptr<OcsNetDevice> port = GetPeer(*network.GetServerDevice(host));
        uint32_t number = 0;
        while (network.GetSwitch(at)->GetPort(number) != port)
        {
            ++number;
        }
        m_hostAt[m_owner.m_firstPort[at] + number] = host;
    }
    for (uint32_t at = 0; at < network.GetNSwitches(); ++at)
    {
        const uint32_t first = m_owner.m_firstPort[at];
        for (uint32_t port = 0; port < network.GetSwitch(at)->GetNPorts(); ++port)
        {
            m_ports[first + port].state.isFailed = network.GetSwitch(at)->GetPort(port)->IsFailed();
        }
    }
    for (const Route& route : m_owner.m_routes)
    {
        const auto first = m_owner.m_choices.begin() + route.first;
        m_routes.emplace_back(first, first + route.ports);
    }
}

void
NetworkPackets::NetworkEngine::ReachPort(uint32_t p, uint32_t at)
{
    const uint32_t index = at & ~TRUNCATED;
    const Port& port = m_ports[index];
    if (at != index || port.state.Misses(m_events.Now(), port.tx[m_packets[p].bytes]))
    {
        Drop(p, OcsDropCause::PORT_FAILED);
        return;
    }
    Forward(m_ports[m_owner.m_uplinks[index].peerPort].peer, p);
}

void
NetworkPackets::NetworkEngine::SetPart(const Fault& fault, bool failed)
{
    const PacketNetwork& network = *m_owner.m_network;
    const uint32_t at = network.GetSwitchIndexOf(fault.first);
    if (fault.part == FaultPart::UPLINK)
    {
        SetPort(at, network.GetNServersOf(fault.first) + fault.second, failed);
    }
    for (uint32_t port = 0;
         fault.part == FaultPart::TOR && port < network.GetSwitch(at)->GetNPorts();
         ++port)
    {
        SetPort(at, port, failed);
    }
    IsKnownAtOnce() ? UpdateRoutes() : TellLater();
}

void
NetworkPackets::NetworkEngine::SetPort(uint32_t at, uint32_t number, bool failed)
{
    const uint32_t index = m_owner.m_firstPort[at] + number;
    if (const auto host = m_hostAt.find(index); host != m_hostAt.end())
    {
        SetDownlink(host->second, failed);
        return;
    }
    if (!m_tally.Count({UPLINK, index, 0}, failed))
    {
        return;
    }
    Port& port = m_ports[index];
    if (!failed)
    {
        port.state.Repair(m_events.Now());
        return;
    }
    port.state.Fail(port.isSending);
    std::vector<uint32_t> waiting;
    while (port.queue.packets > 0)
    {
        waiting.push_back(TakeFirst(port.queue));
    }
    for (const uint32_t packet : waiting)
    {
        Forward(at, packet);
    }
}

void
NetworkPackets::NetworkEngine::UpdateRoutes()
{
    const PacketNetwork& network = *m_owner.m_network;
    const PacketNetwork::Routes routes =
        network.FindRoutes([this](uint32_t at, uint32_t port)
                           { return m_ports[m_owner.m_firstPort[at] + port].state.isFailed; });
    for (uint32_t at = 0; at < network.GetNSwitches(); ++at)
    {
        for (RackId rack = 0; rack < network.GetNRacks(); ++rack)
        {
            std::vector<uint32_t>& ports = m_routes[std::size_t(at) * network.GetNRacks() + rack];
            ports = routes[at][rack];
            for (uint32_t& port : ports)
            {
                port += m_owner.m_firstPort[at];
            }
        }
    }
}

NetworkPackets::NetworkPackets(Ptr<PacketNetwork> network, const Settings& settings)
    : m_network(network),
      m_settings(settings)
{
    Check(settings);
    const std::string whyNot = WhyNot(*network);
    Require(whyNot.empty(),
            "network",
            whyNot,
            "drop-tail or fair queues, and equal links of servers");
    for (ServerId host = 0; host < GetNHosts(); ++host)
    {
        const uint32_t mtu = network->GetServerDevice(host)->GetMtu();
        Require(settings.packetSize <= mtu,
                "PacketSize",
                std::to_string(settings.packetSize),
                "at most the Mtu, " + std::to_string(mtu));
    }
    const uint32_t headers = settings.HasLoops() ? GetHeaders(settings) : MESSAGE_HEADERS;
    const auto checkQueue = [headers](const OcsNetDevice& port)
    {
        const QueueLimits limits = GetLimits(port);
        Require(limits.data == 0 || limits.headers >= headers,
                "TrimQueue::HeaderSize",
                std::to_string(limits.headers),
                "at least the headers of the transport, " + std::to_string(headers));
    };
    for (ServerId host = 0; host < GetNHosts(); ++host)
    {
        checkQueue(*network->GetServerDevice(host));
    }
    std::unordered_map<const OcsNetDevice*, uint32_t> switchOf; // by port
    std::unordered_map<const OcsNetDevice*, uint32_t> indexOf;  // by port: in m_uplinks
    uint32_t ports = 0;
    for (uint32_t i = 0; i < network->GetNSwitches(); ++i)
    {
        for (uint32_t p = 0; p < network->GetSwitch(i)->GetNPorts(); ++p)
        {
            switchOf[PeekPointer(network->GetSwitch(i)->GetPort(p))] = i;
            indexOf[PeekPointer(network->GetSwitch(i)->GetPort(p))] = ports++;
            if (!network->GetSwitch(i)->IsTransponder(p))
            {
                checkQueue(*network->GetSwitch(i)->GetPort(p));
            }
        }
    }
    for (ServerId host = 0; host < GetNHosts(); ++host)
    {
        m_switchOf.push_back(switchOf.at(PeekPointer(GetPeer(*network->GetServerDevice(host)))));
    }
    for (uint32_t i = 0; i < network->GetNSwitches(); ++i)
    {
        const PacketSwitch& from = *network->GetSwitch(i);
        const auto firstUplink = static_cast<uint32_t>(m_uplinks.size());
        m_firstPort.push_back(firstUplink);
        for (uint32_t p = 0; p < from.GetNPorts(); ++p)
        {
            const OcsNetDevice& device = *from.GetPort(p);
            const auto peer = from.IsTransponder(p) ? switchOf.end()
                                                    : switchOf.find(PeekPointer(GetPeer(device)));
            m_uplinks.push_back(peer == switchOf.end()
                                    ? Uplink{}
                                    : MakeUplink(device, peer->second, indexOf.at(peer->first)));
        }
        std::map<std::vector<uint32_t>, uint32_t> known; // many racks share a route
        for (RackId rack = 0; rack < network->GetNRacks(); ++rack)
        {
            const std::vector<uint32_t>& ports = from.GetRoute(rack);
            const auto [it, isNew] =
                known.try_emplace(ports, static_cast<uint32_t>(m_choices.size()));
            for (std::size_t k = 0; isNew && k < ports.size(); ++k)
            {
                m_choices.push_back(firstUplink + ports[k]);
            }
            m_routes.push_back({it->second, static_cast<uint32_t>(ports.size())});
        }
    }
}

NetworkPackets::~NetworkPackets() = default;

NetworkPackets::Uplink
NetworkPackets::MakeUplink(const OcsNetDevice& device, uint32_t peer, uint32_t port)
{
    const auto rate = BitRate(device.GetDataRate().GetBitRate());
    const auto known = std::find(m_rates.begin(), m_rates.end(), rate);
    const auto index = static_cast<uint32_t>(known - m_rates.begin());
    if (known == m_rates.end())
    {
        m_rates.push_back(rate);
    }
    const QueueLimits limits = GetLimits(device);
    return {peer,
            port,
            index,
            GetDelay(device),
            limits.packets,
            limits.bytes,
            IsFair(device),
            limits.data,
            limits.headers};
}

std::string
NetworkPackets::WhyNot(const PacketNetwork& network)
{
    for (uint32_t i = 0; i < network.GetNSwitches(); ++i)
    {
        const PacketSwitch& at = *network.GetSwitch(i);
        if (!GetAttributeOf<StringValue>(at, "QueueDisc").empty())
        {
            return "its switches have queue discs";
        }
        for (uint32_t p = 0; p < at.GetNPorts(); ++p)
        {
            if (!at.IsTransponder(p) && !IsKnown(*at.GetPort(p)))
            {
                return "its ports have other queues than DropTailQueues, FairQueues and TrimQueues";
            }
        }
    }
    const Ptr<OcsNetDevice> first = network.GetServerDevice(0);
    for (ServerId host = 0; host < network.GetNServers(); ++host)
    {
        const Ptr<OcsNetDevice> card = network.GetServerDevice(host);
        const Ptr<OcsNetDevice> port = GetPeer(*card);
        if (card->GetDataRate() != first->GetDataRate() || !AreAlike(*port, *GetPeer(*first)) ||
            port->GetDataRate() != card->GetDataRate())
        {
            return "links of its servers differ";
        }
        if (card->IsFailed() || port->IsFailed())
        {
            return "links of its servers have failed";
        }
        const QueueLimits limits = GetLimits(*card);
        if (!IsKnown(*card) || limits.packets == 0 || limits.bytes < card->GetMtu())
        {
            return "network cards have other queues than DropTailQueues, FairQueues and TrimQueues "
                   "of "
                   "a packet or more";
        }
    }
    return "";
}

uint32_t
NetworkPackets::GetNHosts() const
{
    return m_network->GetNServers();
}

int64_t
NetworkPackets::AssignStreams(int64_t stream)
{
    m_streams.clear();
    for (uint32_t i = 0; i < m_network->GetNSwitches(); ++i)
    {
        m_streams.emplace_back(stream < 0 ? stream : stream + i);
    }
    return static_cast<int64_t>(m_streams.size());
}

FaultParts
NetworkPackets::GetParts() const
{
    const uint32_t racks = m_network->GetNRacks();
    FaultParts parts;
    FaultSizes uplinks;
    for (RackId rack = 0; rack < racks; ++rack)
    {
        const uint32_t servers = m_network->GetNServersOf(rack);
        parts[FaultPart::SERVER].push_back(servers);
        uplinks.push_back(m_network->GetSwitchOf(rack)->GetNPorts() - servers);
    }
    if (racks == 1 || m_network->GetSwitchOf(0) != m_network->GetSwitchOf(1))
    {
        parts[FaultPart::UPLINK] = uplinks;
        parts[FaultPart::TOR] = FaultSizes(racks, 1);
    }
    return parts;
}

std::unique_ptr<ExactPackets::Engine>
NetworkPackets::MakeEngine(const Traffic& flows)
{
    if (m_streams.empty())
    {
        AssignStreams(-1);
    }
    return std::make_unique<NetworkEngine>(*this, NetworkEngine::MakeLinks(*m_network), flows);
}

std::vector<Time>
NetworkPackets::GetUnloadedTimes(const Traffic& flows) const
{
    return FlowPaths(m_network->GetServers())
        .GetUnloadedTimes(flows, m_settings.packetSize, GetHeaders(m_settings));
}

} // namespace ns3::odcn
