// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-network-packets.h"

#include "odcn-exact-engine.h"
#include "odcn-fabric-model.h"

#include "ns3/ocs-packet-header.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-path.h"
#include "ns3/odcn-spreading-rounds.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

/// A run in a network.
class NetworkPackets::NetworkEngine : public Engine
{
  public:
    /// @param owner has the parameters, all valid
    /// @param links of hosts
    /// @param flows the flows, all valid
    NetworkEngine(const NetworkPackets& owner, const HostLinks& links, const Traffic& flows);

    /// @param model of a network that can be computed
    /// @return the links of its hosts
    static HostLinks MakeLinks(const NetworkModel& model);

  private:
    /// A port between two switches.
    struct Port
    {
        PacketQueue queue;     //!< packets that wait
        QueueKind kind;        //!< of the queue
        const int64_t* tx{};   //!< transmission times by size, ps
        int64_t delay{0};      //!< of the fibre, ps
        uint32_t peer{NONE};   //!< index of the switch at the other end; NONE if it has none
        uint32_t peerPort{0};  //!< index of the port at the other end
        bool isSending{false}; //!< whether it transmits
        PortState state{};     //!< what fails of it
    };

    /// A switch.
    struct Switch
    {
        PacketSpreading spreading; //!< of its packets
        RandomStream random;       //!< of its choices
        SpreadingRounds rounds;    //!< for ROUND_ROBIN
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

    const NetworkPackets& m_owner; //!< parameters
    /// @param kind of a port
    /// @return of its queue
    static QueueKind GetQueueKind(const NetworkModel::PortKind& kind);

    std::map<BitRate, std::vector<int64_t>> m_tx; //!< transmission times by rate and size, ps
    std::vector<Port> m_ports;                    //!< of all switches
    std::vector<Switch> m_switches;               //!< by index
    std::map<uint32_t, ServerId> m_hostAt;        //!< by index of a port to it, with faults
    /// With faults: ports by switch and rack, also those that have failed since.
    std::vector<std::vector<uint32_t>> m_routes;
    std::vector<uint32_t> m_working; //!< those of a route that work
    bool m_needsHashes{false};       //!< whether a switch spreads by flow
    std::vector<uint32_t> m_hashes;  //!< OcsPacketHeader::flow by Packet::flow, if needed
    /// By sender and receiver: messages sent, as FlowApplication counts them.
    std::unordered_map<uint64_t, uint32_t> m_numbers;
};

ExactPackets::Engine::QueueKind
NetworkPackets::NetworkEngine::GetQueueKind(const NetworkModel::PortKind& kind)
{
    return {kind.mostPackets, kind.mostBytes, kind.isFair, kind.data, kind.headers};
}

ExactPackets::Engine::HostLinks
NetworkPackets::NetworkEngine::MakeLinks(const NetworkModel& model)
{
    const NetworkModel::Port& card = model.cards[0];
    const NetworkModel::Port& port = model.switches[card.peer].ports[card.peerPort];
    const NetworkModel::PortKind& kind = model.kinds[card.kind];
    return {model.topology.GetNRacks(),
            model.topology.GetServersPerRack(),
            kind.rate,
            kind.delay,
            GetQueueKind(model.kinds[port.kind]),
            GetQueueKind(kind)};
}

NetworkPackets::NetworkEngine::NetworkEngine(const NetworkPackets& owner,
                                             const HostLinks& links,
                                             const Traffic& flows)
    : Engine(links, owner.m_settings, owner.GetFaults(), flows),
      m_owner(owner)
{
    const NetworkModel& model = owner.m_model;
    for (uint32_t i = 0; i < model.topology.GetNSwitches(); ++i)
    {
        const NetworkModel::Switch& at = model.switches[i];
        for (const NetworkModel::Port& port : at.ports)
        {
            if (port.peer == NetworkModel::NONE) // only to keep the order
            {
                m_ports.emplace_back();
                continue;
            }
            const NetworkModel::PortKind& kind = model.kinds[port.kind];
            const auto [tx, isNew] = m_tx.try_emplace(kind.rate);
            if (isNew)
            {
                for (uint32_t bytes = 0; bytes <= GetMostBytes(); ++bytes)
                {
                    tx->second.push_back(TransmissionTime(kind.rate, bytes));
                }
                m_events.AddLane(tx->second[owner.m_settings.packetSize]);
            }
            m_ports.push_back({MakeQueue(kind.isFair),
                               GetQueueKind(kind),
                               tx->second.data(),
                               kind.delay,
                               port.peer,
                               owner.m_firstPort[port.peer] + port.peerPort});
            m_events.AddLane(kind.delay);
        }
        m_switches.push_back({at.spreading, owner.m_streams[i], {}});
        m_needsHashes = m_needsHashes || at.spreading.mode == PacketSpreading::PER_FLOW;
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
    const PacketTopology& topology = m_owner.m_model.topology;
    return OcsPacketHeader::HashFlow(topology.GetServerAddress(from).Get(),
                                     topology.GetServerAddress(to).Get(),
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
            const uint32_t to = port.peerPort | port.state.TakeTruncated();
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
        std::size_t(index) * m_owner.m_model.topology.GetNRacks() + m_rackOf[packet.to];
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
    switch (at.spreading.mode)
    {
    case PacketSpreading::PER_PACKET:
        return draw(ways);
    case PacketSpreading::ROUND_ROBIN:
        return at.rounds.Next(m_rackOf[packet.to], ways, draw);
    case PacketSpreading::PER_FLOW:
    case PacketSpreading::BY_HOST:
        break;
    }
    const RackId rack = m_rackOf[packet.to];
    const uint32_t hash = !m_contents.empty() ? m_contents[p].hash
                          : m_hashes.empty()  ? 0
                                              : m_hashes[packet.flow];
    return at.spreading.Choose(hash,
                               rack,
                               packet.to - rack * m_owner.m_model.topology.GetServersPerRack(),
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
    const NetworkModel& model = m_owner.m_model;
    for (ServerId host = 0; host < model.cards.size(); ++host)
    {
        m_hostAt[m_owner.m_firstPort[model.cards[host].peer] + model.cards[host].peerPort] = host;
    }
    std::size_t index = 0;
    for (const NetworkModel::Switch& at : model.switches)
    {
        for (const NetworkModel::Port& port : at.ports)
        {
            m_ports[index++].state.isFailed = port.isFailed;
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
    Forward(m_ports[port.peerPort].peer, p);
}

void
NetworkPackets::NetworkEngine::SetPart(const Fault& fault, bool failed)
{
    const NetworkModel& model = m_owner.m_model;
    const uint32_t at = model.topology.GetSwitchIndexOf(fault.first);
    if (fault.part == FaultPart::UPLINK)
    {
        SetPort(at, model.topology.GetNServersOf(fault.first) + fault.second, failed);
    }
    for (uint32_t port = 0; fault.part == FaultPart::TOR && port < model.switches[at].ports.size();
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
    const PacketTopology& topology = m_owner.m_model.topology;
    const PacketTopology::Routes routes =
        topology.FindRoutes([this](uint32_t at, uint32_t port)
                            { return m_ports[m_owner.m_firstPort[at] + port].state.isFailed; });
    for (uint32_t at = 0; at < topology.GetNSwitches(); ++at)
    {
        for (RackId rack = 0; rack < topology.GetNRacks(); ++rack)
        {
            std::vector<uint32_t>& ports = m_routes[std::size_t(at) * topology.GetNRacks() + rack];
            ports = routes[at][rack];
            for (uint32_t& port : ports)
            {
                port += m_owner.m_firstPort[at];
            }
        }
    }
}

NetworkPackets::NetworkPackets(Ptr<PacketNetwork> network, const Settings& settings)
    : NetworkPackets(NetworkModel(*network), settings)
{
}

NetworkPackets::NetworkPackets(NetworkModel model, const Settings& settings)
    : m_model(std::move(model)),
      m_settings(settings)
{
    Check(settings);
    const std::string whyNot = WhyNot(m_model);
    Require(whyNot.empty(),
            "network",
            whyNot,
            "drop-tail or fair queues, and equal links of servers");
    for (const NetworkModel::Port& card : m_model.cards)
    {
        const uint32_t mtu = m_model.kinds[card.kind].mtu;
        Require(settings.packetSize <= mtu,
                "PacketSize",
                std::to_string(settings.packetSize),
                "at most the Mtu, " + std::to_string(mtu));
    }
    const uint32_t headers = settings.HasLoops() ? GetHeaders(settings) : MESSAGE_HEADERS;
    for (const NetworkModel::PortKind& kind : m_model.kinds)
    {
        Require(kind.data == 0 || kind.headers >= headers,
                "TrimQueue::HeaderSize",
                std::to_string(kind.headers),
                "at least the headers of the transport, " + std::to_string(headers));
    }
    for (const NetworkModel::Port& card : m_model.cards)
    {
        m_switchOf.push_back(card.peer);
    }
    uint32_t ports = 0;
    for (uint32_t i = 0; i < m_model.switches.size(); ++i)
    {
        m_firstPort.push_back(ports);
        std::map<std::vector<uint32_t>, uint32_t> known; // many racks share a route
        for (RackId rack = 0; rack < m_model.topology.GetNRacks(); ++rack)
        {
            const std::vector<uint32_t>& route = m_model.routes[i][rack];
            const auto [it, isNew] =
                known.try_emplace(route, static_cast<uint32_t>(m_choices.size()));
            for (std::size_t k = 0; isNew && k < route.size(); ++k)
            {
                m_choices.push_back(ports + route[k]);
            }
            m_routes.push_back({it->second, static_cast<uint32_t>(route.size())});
        }
        ports += static_cast<uint32_t>(m_model.switches[i].ports.size());
    }
    m_model.routes.clear();
}

NetworkPackets::~NetworkPackets() = default;

std::string
NetworkPackets::WhyNot(const NetworkModel& model)
{
    for (const NetworkModel::Switch& at : model.switches)
    {
        if (at.hasQueueDiscs)
        {
            return "its switches have queue discs";
        }
        for (const NetworkModel::Port& port : at.ports)
        {
            if (port.kind != NetworkModel::NONE && !model.kinds[port.kind].isKnown)
            {
                return "its ports have other queues than DropTailQueues, FairQueues and TrimQueues";
            }
        }
    }
    const auto getPeer = [&model](const NetworkModel::Port& card) -> const NetworkModel::Port&
    { return model.switches[card.peer].ports[card.peerPort]; };
    const NetworkModel::Port& first = model.cards.at(0);
    for (const NetworkModel::Port& card : model.cards)
    {
        const NetworkModel::Port& port = getPeer(card);
        const NetworkModel::PortKind& kind = model.kinds[card.kind];
        NetworkModel::PortKind down = model.kinds[port.kind];
        down.mtu = model.kinds[getPeer(first).kind].mtu;
        if (kind.rate != model.kinds[first.kind].rate || down.rate != kind.rate ||
            down != model.kinds[getPeer(first).kind])
        {
            return "links of its servers differ";
        }
        if (card.isFailed || port.isFailed)
        {
            return "links of its servers have failed";
        }
        if (!kind.isKnown || kind.mostPackets == 0 || kind.mostBytes < kind.mtu)
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
    return m_model.topology.GetNServers();
}

int64_t
NetworkPackets::AssignStreams(int64_t stream)
{
    m_streams.clear();
    for (uint32_t i = 0; i < m_model.topology.GetNSwitches(); ++i)
    {
        m_streams.emplace_back(stream < 0 ? stream : stream + i);
    }
    return static_cast<int64_t>(m_streams.size());
}

FaultParts
NetworkPackets::GetParts() const
{
    const PacketTopology& topology = m_model.topology;
    const uint32_t racks = topology.GetNRacks();
    FaultParts parts;
    FaultSizes uplinks;
    for (RackId rack = 0; rack < racks; ++rack)
    {
        const uint32_t servers = topology.GetNServersOf(rack);
        const auto ports = m_model.switches[topology.GetSwitchIndexOf(rack)].ports.size();
        parts[FaultPart::SERVER].push_back(servers);
        uplinks.push_back(static_cast<uint32_t>(ports) - servers);
    }
    if (racks == 1 || topology.GetSwitchIndexOf(0) != topology.GetSwitchIndexOf(1))
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
    return std::make_unique<NetworkEngine>(*this, NetworkEngine::MakeLinks(m_model), flows);
}

std::vector<Time>
NetworkPackets::GetUnloadedTimes(const Traffic& flows) const
{
    const auto hosts = static_cast<uint32_t>(m_model.cards.size());
    const auto getHop = [&](const NetworkModel::Port& port)
    {
        const NetworkModel::PortKind& kind = m_model.kinds[port.kind];
        return FlowPaths::Hop{port.peer == NetworkModel::NONE ? port.peerPort : hosts + port.peer,
                              DataRate(static_cast<uint64_t>(kind.rate)),
                              PicoSeconds(kind.delay)};
    };
    std::vector<std::vector<FlowPaths::Hop>> hops;
    for (const NetworkModel::Port& card : m_model.cards)
    {
        hops.push_back({getHop(card)});
    }
    for (const NetworkModel::Switch& at : m_model.switches)
    {
        std::vector<FlowPaths::Hop>& ways = hops.emplace_back();
        for (const NetworkModel::Port& port : at.ports)
        {
            if (port.kind != NetworkModel::NONE)
            {
                ways.push_back(getHop(port));
            }
        }
    }
    return FlowPaths(std::move(hops))
        .GetUnloadedTimes(flows, m_settings.packetSize, GetHeaders(m_settings));
}

} // namespace ns3::odcn
