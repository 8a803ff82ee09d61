// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-application.h"

#include "odcn-flow-messages.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/ocs-fiber.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tor-switch.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("FlowApplication");
NS_OBJECT_ENSURE_REGISTERED(FlowApplication);

namespace
{

/// @param rate of the line
/// @param packetSize full packet in bytes
/// @param headers bytes of them in each packet
/// @param data bytes without headers
/// @return time to transmit them
Time
TransmissionTime(DataRate rate, uint32_t packetSize, uint32_t headers, uint64_t data)
{
    const uint64_t payload = packetSize - headers;
    const auto last = static_cast<uint32_t>(data % payload);
    return rate.CalculateBytesTxTime(packetSize) * static_cast<int64_t>(data / payload) +
           (last > 0 ? rate.CalculateBytesTxTime(last + headers) : Time(0));
}

/// @param path of the packets
/// @param rate at which they leave; 0 for that of the first hop
/// @param packetSize full packet in bytes
/// @param headers bytes of them in each packet
/// @param data bytes without headers, 1 or more
/// @return see FlowApplication::GetUnloadedTime()
Time
UnloadedTime(const FlowPath& path,
             DataRate rate,
             uint32_t packetSize,
             uint32_t headers,
             uint64_t data)
{
    const uint64_t payload = packetSize - headers;
    const auto before = static_cast<int64_t>((data - 1) / payload); // full packets before the last
    const auto last = static_cast<uint32_t>(data - before * payload + headers);
    const DataRate& leaves = rate.GetBitRate() > 0 ? rate : path.hops.at(0);
    Time gap = leaves.CalculateBytesTxTime(packetSize); // between full packets
    Time first;                                         // when the first full one has been sent
    Time end = gap * before;                            // when the last one may be sent
    for (const DataRate& hop : path.hops)
    {
        const Time full = hop.CalculateBytesTxTime(packetSize);
        gap = std::max(gap, full);
        first += full;
        const Time isFree = before > 0 ? first + gap * (before - 1) : Time(0);
        end = std::max(end, isFree) + hop.CalculateBytesTxTime(last);
    }
    return end + path.propagation;
}

} // namespace

TypeId
FlowApplication::GetTypeId()
{
    using T = FlowApplication;
    static TypeId tid =
        TypeIdOf<FlowApplication, Application>("ns3::odcn::FlowApplication")
            .Add(Attribute("Transport", &T::m_transport, UDP, {{UDP, "Udp"}, {TCP, "Tcp"}}),
                 "Udp (packets at line rate, without retransmission), or Tcp (a "
                 "connection for each flow).")
            .Add(Attribute("Order",
                           &T::m_order,
                           ROUND_ROBIN,
                           {{ROUND_ROBIN, "RoundRobin"},
                            {FIFO, "Fifo"},
                            {SHORTEST_REMAINING, "ShortestRemaining"}}),
                 "Which active flow sends the next packet, for UDP: RoundRobin (packet by "
                 "packet), Fifo, or ShortestRemaining; of equal ones, that which started first.")
            .Add(Attribute("PacketSize", &T::m_packetSize, 1500, 64, 65535),
                 "Size of a full packet in bytes, all headers included. For TCP it sets "
                 "SegmentSize.")
            .Add(Attribute("Rate", &T::m_rate, DataRate(0)),
                 "Rate at which UDP packets leave, headers included; 0 for the DataRate "
                 "of the device.")
            .Add(Attribute("ShortFlows", &T::m_shortFlows, 0),
                 "Flows of fewer bytes than this are short: their packets bear the DSCP "
                 "Expedited Forwarding.")
            .Add(Attribute("Hold", &T::m_hold, false),
                 "Whether UDP flows to other racks that are not short wait in the host "
                 "until their rack has a circuit; needs FlowHelper::Install() with an "
                 "OcsFabric.")
            .Add(Attribute("Port", &T::m_port, 48700, 1, UINT16_MAX - 5),
                 "Port that every host listens on; short flows use the next one, and messages "
                 "the four after it, if there are any.")
            .Add(Attribute("Repair", &T::m_repair, NONE, {{NONE, "None"}, {NACK, "Nack"}}),
                 "What is sent again, by UDP: None, or Nack (packets that the receiver asks "
                 "for).")
            .Add(Attribute("ReorderTime",
                           &T::m_reorderTime,
                           MilliSeconds(1),
                           TimeStep(1),
                           Seconds(3600)),
                 "A packet that is missing for so long after a later one of its message has "
                 "arrived counts as lost.")
            .Add(Attribute("RepairTimeout",
                           &T::m_repairTimeout,
                           MilliSeconds(10),
                           TimeStep(1),
                           Seconds(3600)),
                 "First time without an answer before a request, or the last packet of a "
                 "message, is sent again; it doubles each time, up to 64 times this.")
            .Add(Attribute("Window", &T::m_window, 0),
                 "Packets of each class, short and other, that a receiver lets be on their way to "
                 "it, with Repair=Nack: so many begin each message, and further ones need its "
                 "credits, in the order of Order. 0: senders do not wait for credits.")
            .Add(Trace("FlowStarted", &T::m_startedTrace, "FlowTracedCallback"),
                 "A flow from this host has started.")
            .Add(Trace("FlowCompleted", &T::m_completedTrace, "CompletedTracedCallback"),
                 "The last byte of a flow to this host was received: number, and time "
                 "since its start.")
            .Add(Trace("MessageReceived", &T::m_messageTrace, "MessageTracedCallback"),
                 "The last byte of a message to this host was received.")
            .Add(Trace("Rx", &T::m_rxTrace, "RxTracedCallback"),
                 "Application data of a flow was received: number of the flow, bytes.");
    return tid;
}

FlowApplication::FlowApplication() = default;
FlowApplication::~FlowApplication() = default;

void
FlowApplication::DoDispose()
{
    m_stopped = true;
    m_startEvent.Cancel();
    m_sendEvent.Cancel();
    m_device = nullptr;
    m_udp = nullptr;
    for (const auto& [key, index] : m_open)
    {
        m_outgoing[index].message->timer.Cancel();
    }
    m_open.clear();
    m_receiver.reset();
    m_streams.reset();
    m_outgoing.clear();
    m_nFlows = 0;
    m_incoming.clear();
    m_active.clear();
    m_held.clear();
    if (m_tor)
    {
        m_tor->TraceDisconnectWithoutContext("Circuit",
                                             MakeCallback(&FlowApplication::CircuitChanged, this));
        m_tor = nullptr;
    }
    m_sockets = {};
    m_sending.clear();
    m_receiving.clear();
    m_disposed = true;
    CutTraces();
    Application::DoDispose();
}

void
FlowApplication::CutTraces()
{
    // Not while a sink runs, which is a part of what would be freed.
    if (m_disposed && m_firing == 0)
    {
        m_startedTrace = {};
        m_completedTrace = {};
        m_rxTrace = {};
        m_messageTrace = {};
    }
}

void
FlowApplication::AddFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, Time start)
{
    const uint64_t payload = m_packetSize - UDP_HEADERS;
    if (m_device || bytes == 0 || (m_transport == UDP && (bytes - 1) / payload > UINT32_MAX))
    {
        throw OdcnError(
            "FlowApplication: flow " + std::to_string(flow) + " of " + std::to_string(bytes) +
            " bytes was added after the start, is empty, or has more than 2^32 packets");
    }
    m_outgoing.push_back({flow, peer, bytes, start, 0, bytes < m_shortFlows, nullptr});
    ++m_nFlows;
}

void
FlowApplication::SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server)
{
    m_tor = tor;
    m_plan = plan;
    m_server = server;
    m_circuits.resize(tor->GetNUplinks());
    tor->TraceConnectWithoutContext("Circuit",
                                    MakeCallback(&FlowApplication::CircuitChanged, this));
    for (uint32_t port = 0; port < m_circuits.size(); ++port)
    {
        if (tor->GetCircuit(port) != NO_RACK)
        {
            CircuitChanged(port, tor->GetCircuit(port), tor->GetCircuitEnd(port));
        }
    }
}

void
FlowApplication::ExpectFlow(uint32_t flow, uint64_t bytes, Time start)
{
    m_incoming[flow] = {bytes, start};
}

Time
FlowApplication::GetTransmissionTime(uint64_t bytes) const
{
    if (m_lineRate.GetBitRate() == 0)
    {
        throw OdcnError("FlowApplication: the line rate is not known before the start");
    }
    return TransmissionTime(m_lineRate,
                            m_packetSize,
                            GetHeaders(),
                            bytes + (m_transport == TCP ? FlowHeader::SIZE : 0));
}

uint32_t
FlowApplication::GetHeaders() const
{
    return m_transport == TCP ? TCP_HEADERS
                              : UDP_HEADERS + (m_repair == NACK ? MessageHeader::SIZE : 0);
}

Time
FlowApplication::GetTransmissionTime(Transport transport,
                                     DataRate rate,
                                     uint32_t packetSize,
                                     uint64_t bytes)
{
    return transport == UDP
               ? TransmissionTime(rate, packetSize, UDP_HEADERS, bytes)
               : TransmissionTime(rate, packetSize, TCP_HEADERS, bytes + FlowHeader::SIZE);
}

Time
FlowApplication::GetUnloadedTime(uint64_t bytes, const FlowPath& path) const
{
    return UnloadedTime(path,
                        m_rate,
                        m_packetSize,
                        GetHeaders(),
                        bytes + (m_transport == TCP ? FlowHeader::SIZE : 0));
}

Time
FlowApplication::GetUnloadedTime(Transport transport,
                                 DataRate rate,
                                 uint32_t packetSize,
                                 uint64_t bytes,
                                 const FlowPath& path)
{
    return transport == UDP
               ? UnloadedTime(path, rate, packetSize, UDP_HEADERS, bytes)
               : UnloadedTime(path, rate, packetSize, TCP_HEADERS, bytes + FlowHeader::SIZE);
}

FlowApplication::FlowStages
FlowApplication::GetStages() const
{
    const std::set<std::size_t> unused(m_unused.begin(), m_unused.end());
    std::set<std::size_t> connected; // or about to be
    for (const auto& [socket, index] : m_sending)
    {
        connected.insert(index);
    }
    FlowStages stages;
    for (std::size_t i = 0; i < m_nFlows; ++i)
    {
        const Outgoing& flow = m_outgoing[i];
        if (unused.count(i) > 0 || (flow.message && !flow.message->isFlow))
        {
            continue; // complete
        }
        FlowStage stage = SENDING;
        if (i >= m_next)
        {
            stage = NOT_STARTED;
        }
        else if (flow.left == 0)
        {
            stage = SENT;
        }
        else if (m_transport == TCP)
        {
            stage = connected.count(i) == 0 ? REFUSED : flow.sequence == 0 ? CONNECTING : SENDING;
        }
        else if (FindHold(flow) != NO_RACK)
        {
            stage = HELD;
        }
        stages.emplace_back(flow.flow, stage);
    }
    return stages;
}

uint64_t
FlowApplication::GetNTimeouts() const
{
    return m_timeouts;
}

uint64_t
FlowApplication::GetNRecoveries() const
{
    return m_recoveries;
}

void
FlowApplication::FindDevice()
{
    // Interface 0 is the loopback device.
    const Ptr<Ipv4> ipv4 = GetNode()->GetObject<Ipv4>();
    if (!ipv4 || ipv4->GetNInterfaces() < 2 || ipv4->GetNAddresses(1) == 0)
    {
        throw OdcnError("FlowApplication: node " + std::to_string(GetNode()->GetId()) +
                        " has no IPv4 address");
    }
    const Ptr<NetDevice> device = ipv4->GetNetDevice(1);
    m_lineRate = m_rate;
    DataRateValue rate;
    if (m_rate.GetBitRate() == 0 && device->GetAttributeFailSafe("DataRate", rate))
    {
        m_lineRate = rate.Get();
    }
    if (m_lineRate.GetBitRate() == 0)
    {
        throw OdcnError::InOption("FlowApplication::Rate",
                                  "0",
                                  "a rate, since the device has no DataRate");
    }
    if (m_packetSize > device->GetMtu())
    {
        throw OdcnError::InOption("FlowApplication::PacketSize",
                                  std::to_string(m_packetSize),
                                  "up to the Mtu of " + std::to_string(device->GetMtu()) +
                                      " bytes");
    }
    m_address = ipv4->GetAddress(1, 0).GetLocal();
    m_udp = GetNode()->GetObject<UdpL4Protocol>();
    m_device = device;
}

Ptr<Socket>
FlowApplication::Bind(uint16_t offset)
{
    const bool isShort = offset % 2 == 1 || offset == 4; // as are answers and credits
    const TypeId type =
        m_transport == UDP ? UdpSocketFactory::GetTypeId() : TcpSocketFactory::GetTypeId();
    const Ptr<Socket> socket = Socket::CreateSocket(GetNode(), type);
    InetSocketAddress local(Ipv4Address::GetAny(), m_port + offset);
    const uint8_t tos = isShort ? SHORT_TOS : 0;
    CompatSetTos(local, tos);
    if (socket->Bind(local) != 0)
    {
        throw OdcnError::InOption("FlowApplication::Port",
                                  std::to_string(m_port),
                                  "two ports that are free on node " +
                                      std::to_string(GetNode()->GetId()));
    }
    // Accepted connections inherit it, for acknowledgements.
    socket->SetIpTos(tos);
    return m_sockets[offset] = socket;
}

void
FlowApplication::Listen()
{
    for (uint16_t i = 0; i < 2; ++i)
    {
        const Ptr<Socket> socket = Bind(i);
        if (m_transport == UDP)
        {
            socket->SetRecvCallback(
                MakeCallback(&FlowApplication::ReceivePackets, Ptr<FlowApplication>(this)));
        }
        else
        {
            socket->SetAcceptCallback(
                MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                MakeCallback(&FlowApplication::Accepted, Ptr<FlowApplication>(this)));
            socket->Listen();
        }
    }
    if (m_acceptsMessages)
    {
        ListenForMessages();
    }
}

void
FlowApplication::StartApplication()
{
    if (m_hold && (!m_outgoing.empty() || !m_early.empty()) && (m_transport != UDP || !m_tor))
    {
        throw OdcnError::InOption("FlowApplication::Hold",
                                  "true",
                                  "Transport=Udp, and FlowHelper::Install() with an OcsFabric");
    }
    if (m_window > 0 && (m_hold || m_transport != UDP || m_repair != NACK))
    {
        throw OdcnError::InOption("FlowApplication::Window",
                                  std::to_string(m_window),
                                  "0, or Transport=Udp, Repair=Nack and Hold=false");
    }
    m_acceptsMessages = m_acceptsMessages || (m_transport == UDP && m_repair == NACK);
    FindDevice();
    Listen();
    std::stable_sort(m_outgoing.begin(),
                     m_outgoing.end(),
                     [](const auto& a, const auto& b) { return a.start < b.start; });
    StartDue();
    for (const auto& [peer, bytes, tag, sent] : std::exchange(m_early, {}))
    {
        StartMessage(peer, bytes, tag);
    }
}

void
FlowApplication::StopApplication()
{
    m_stopped = true;
    m_startEvent.Cancel();
    m_sendEvent.Cancel();
    m_active.clear();
    m_held.clear();
    for (const auto& [key, index] : std::exchange(m_open, {}))
    {
        m_outgoing[index].message->timer.Cancel();
    }
    m_receiver.reset();
    m_streams.reset();
    // Not in the order of their addresses, which differs from run to run.
    std::map<std::size_t, Ptr<Socket>> connections;
    for (const auto& [socket, index] : std::exchange(m_sending, {}))
    {
        connections[index] = socket;
    }
    for (const auto& [socket, stream] : std::exchange(m_receiving, {}))
    {
        connections[m_outgoing.size() + stream.number] = socket;
    }
    for (const auto& [number, socket] : connections)
    {
        socket->Close();
    }
    for (auto& socket : m_sockets)
    {
        if (socket)
        {
            socket->Close();
            socket = nullptr;
        }
    }
}

void
FlowApplication::StartDue()
{
    for (; m_next < m_nFlows && m_outgoing[m_next].start <= Simulator::Now(); ++m_next)
    {
        StartFlow(m_next);
    }
    if (m_next < m_nFlows)
    {
        m_startEvent = Simulator::Schedule(m_outgoing[m_next].start - Simulator::Now(),
                                           &FlowApplication::StartDue,
                                           this);
    }
}

void
FlowApplication::StartFlow(std::size_t index)
{
    Outgoing& flow = m_outgoing[index];
    flow.order = ++m_started;
    Fire(m_startedTrace, flow.flow);
    if (m_stopped)
    {
        return; // by a sink
    }
    if (m_transport == TCP)
    {
        Connect(index);
        return;
    }
    if (m_repair == NACK)
    {
        MakeMessage(index, flow.flow);
        flow.message->isFlow = true;
    }
    Activate(index);
}

void
FlowApplication::Activate(std::size_t index)
{
    Outgoing& flow = m_outgoing[index];
    if (!flow.route)
    {
        Ipv4Header header;
        header.SetSource(m_address);
        header.SetDestination(flow.peer);
        Socket::SocketErrno error;
        const auto routing = GetNode()->GetObject<Ipv4>()->GetRoutingProtocol();
        flow.route = routing->RouteOutput(nullptr, header, nullptr, error);
    }
    if (!flow.route)
    {
        throw OdcnError("FlowApplication: no route from node " +
                        std::to_string(GetNode()->GetId()) + " for flow " +
                        std::to_string(flow.flow));
    }
    FindTurns(index).insert({GetRank(index), flow.order, index});
    ScheduleNext();
}

RackId
FlowApplication::FindHold(const Outgoing& flow) const
{
    RackId rack;
    uint32_t server;
    const bool waits = m_hold && m_tor && !flow.isShort &&
                       m_plan.Find(flow.peer.Get(), rack, server) && rack != m_tor->GetRack();
    return waits ? rack : NO_RACK;
}

FlowApplication::Turns&
FlowApplication::FindTurns(std::size_t index)
{
    const RackId rack = FindHold(m_outgoing[index]);
    return rack == NO_RACK ? m_active : m_held[rack];
}

void
FlowApplication::CircuitChanged(uint32_t port, RackId rack, Time until)
{
    const auto link = DynamicCast<OcsFiber>(m_tor->GetDownlink(m_server)->GetChannel());
    Simulator::Schedule(link->GetDelay(),
                        &FlowApplication::UseCircuit,
                        Ptr<FlowApplication>(this),
                        port,
                        rack,
                        until);
}

void
FlowApplication::UseCircuit(uint32_t port, RackId rack, Time until)
{
    if (!m_tor)
    {
        return; // disposed of meanwhile
    }
    const auto link = DynamicCast<OcsFiber>(m_tor->GetDownlink(m_server)->GetChannel());
    const Time packet = m_tor->GetUplink(port)->GetTxTime(m_packetSize);
    m_circuits[port] = {rack,
                        Simulator::Now() + packet * int64_t(m_server),
                        until == Time::Max() ? until : until - link->GetDelay() - packet};
    ScheduleNext();
}

Time
FlowApplication::FindNext(Turns*& turns, Circuit*& circuit)
{
    const Time free = std::max(m_free, Simulator::Now());
    turns = m_active.empty() ? nullptr : &m_active;
    circuit = nullptr;
    if (turns || m_held.empty())
    {
        return free;
    }
    for (Circuit& c : m_circuits)
    {
        const auto held = m_held.find(c.rack);
        if (held == m_held.end() || held->second.empty() || (circuit && circuit->next <= c.next))
        {
            continue;
        }
        const Outgoing& flow = m_outgoing[held->second.begin()->index];
        const uint32_t size = GetNextBytes(flow) + m_packetSize - GetPayload(flow);
        if (std::max(free, c.next) + m_lineRate.CalculateBytesTxTime(size) <= c.until)
        {
            turns = &held->second;
            circuit = &c;
        }
    }
    return circuit ? std::max(free, circuit->next) : free;
}

void
FlowApplication::ScheduleNext()
{
    Turns* turns;
    Circuit* circuit;
    const Time at = FindNext(turns, circuit);
    if (turns && (m_sendEvent.IsExpired() || at < m_sendTime))
    {
        m_sendEvent.Cancel();
        m_sendTime = at;
        m_sendEvent =
            Simulator::Schedule(at - Simulator::Now(), &FlowApplication::SendPacket, this);
    }
}

uint64_t
FlowApplication::GetRank(std::size_t index)
{
    switch (m_order)
    {
    case FIFO:
        return m_outgoing[index].order;
    case SHORTEST_REMAINING:
        return m_outgoing[index].left;
    default:
        return ++m_turn;
    }
}

void
FlowApplication::SendPacket()
{
    Turns* turns;
    Circuit* circuit;
    const Time now = Simulator::Now();
    const Time at = FindNext(turns, circuit);
    if (!turns || at > now)
    {
        ScheduleNext(); // circuits have changed meanwhile
        return;
    }
    auto first = turns->extract(turns->begin());
    const std::size_t index = first.value().index;
    Outgoing& flow = m_outgoing[index];
    if (GetNextBytes(flow) == 0)
    {
        Drained(index); // it was acknowledged meanwhile
        ScheduleNext();
        return;
    }
    const Ptr<Packet> packet = MakePacket(flow);
    const uint32_t size = packet->GetSize() + UDP_HEADERS - FlowHeader::SIZE;
    if (flow.isShort)
    {
        SocketIpTosTag tag;
        tag.SetTos(SHORT_TOS);
        packet->AddPacketTag(tag);
    }
    // The socket would look up the route of each packet again.
    m_udp->Send(packet,
                m_address,
                flow.peer,
                GetSourcePort(flow.flow),
                m_port + flow.isShort + (flow.message ? 2 : 0),
                flow.route);
    if (m_stopped)
    {
        return; // by a sink of a trace that the packet has fired
    }
    m_free = now + m_lineRate.CalculateBytesTxTime(size);
    if (GetNextBytes(flow) > 0)
    {
        first.value().rank = GetRank(index);
        turns->insert(m_order == ROUND_ROBIN ? turns->end() : turns->begin(), std::move(first));
    }
    else
    {
        Drained(index);
    }
    if (circuit)
    {
        // A host whose line was busy when its turn came may make up for one turn.
        const auto port = static_cast<uint32_t>(circuit - m_circuits.data());
        const Time turn =
            m_tor->GetUplink(port)->GetTxTime(m_packetSize) * int64_t(m_tor->GetNDownlinks());
        circuit->next = std::max(circuit->next, now - turn) + turn;
    }
    ScheduleNext();
}

uint16_t
FlowApplication::GetSourcePort(uint32_t flow)
{
    constexpr uint16_t FIRST = 60002; // from here on no dissector of Wireshark claims a UDP port
    return FIRST + flow % (UINT16_MAX - FIRST);
}

void
FlowApplication::ReceivePackets(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        FlowHeader header;
        packet->RemoveHeader(header);
        Received(header.GetFlow(), packet->GetSize());
    }
}

Ptr<Socket>
FlowApplication::CreateTcpSocket(bool isShort)
{
    const Ptr<Socket> socket = Socket::CreateSocket(GetNode(), TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(m_packetSize - TCP_HEADERS));
    socket->SetIpTos(isShort ? SHORT_TOS : 0);
    socket->SetAttribute("ConnCount", UintegerValue(TCP_RETRIES));
    socket->SetAttribute("DataRetries", UintegerValue(TCP_RETRIES));
    socket->TraceConnectWithoutContext(
        "CongState",
        MakeCallback(&FlowApplication::StateChanged, Ptr<FlowApplication>(this)));
    return socket;
}

void
FlowApplication::Connect(std::size_t index)
{
    const Outgoing& flow = m_outgoing[index];
    const Ptr<Socket> socket = CreateTcpSocket(flow.isShort);
    InetSocketAddress peer(flow.peer, m_port + flow.isShort);
    CompatSetTos(peer, flow.isShort ? SHORT_TOS : 0);
    if (socket->Bind() != 0)
    {
        throw OdcnError("FlowApplication: no free port of node " +
                        std::to_string(GetNode()->GetId()) + " for flow " +
                        std::to_string(flow.flow) +
                        ": ns-3 has 16384 connections of a node at a "
                        "time, and keeps a closed one for twice TcpSocketBase::MaxSegLifetime");
    }
    socket->SetConnectCallback(
        MakeCallback(&FlowApplication::Push, Ptr<FlowApplication>(this)),
        MakeCallback(&FlowApplication::ConnectionFailed, Ptr<FlowApplication>(this)));
    socket->SetSendCallback(MakeCallback(&FlowApplication::Writable, Ptr<FlowApplication>(this)));
    m_sending[socket] = index;
    socket->Connect(peer);
}

void
FlowApplication::StateChanged(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t to)
{
    m_timeouts += to == TcpSocketState::CA_LOSS ? 1 : 0;
    m_recoveries += to == TcpSocketState::CA_RECOVERY ? 1 : 0;
}

void
FlowApplication::Push(Ptr<Socket> socket)
{
    const auto found = m_sending.find(socket);
    if (found == m_sending.end())
    {
        return;
    }
    Outgoing& flow = m_outgoing[found->second];
    while (flow.left > 0 && socket->GetTxAvailable() > FlowHeader::SIZE)
    {
        const auto bytes = static_cast<uint32_t>(
            std::min<uint64_t>(flow.left, socket->GetTxAvailable() - FlowHeader::SIZE));
        auto packet = Create<Packet>(bytes);
        if (flow.sequence == 0)
        {
            packet->AddHeader(FlowHeader(flow.flow, 0, Simulator::Now()));
        }
        if (socket->Send(packet) < 0)
        {
            return;
        }
        flow.sequence = 1;
        flow.left -= bytes;
    }
    if (flow.left == 0)
    {
        m_sending.erase(found);
        socket->Close();
    }
}

void
FlowApplication::Writable(Ptr<Socket> socket, uint32_t)
{
    Push(socket);
}

void
FlowApplication::ConnectionFailed(Ptr<Socket> socket)
{
    m_sending.erase(socket);
}

void
FlowApplication::Accepted(Ptr<Socket> socket, const Address&)
{
    if (m_stopped)
    {
        socket->Close();
        return;
    }
    m_receiving[socket] = {m_accepted++, Create<Packet>()};
    socket->SetRecvCallback(
        MakeCallback(&FlowApplication::ReceiveStream, Ptr<FlowApplication>(this)));
    socket->SetCloseCallbacks(
        MakeCallback(&FlowApplication::PeerClosed, Ptr<FlowApplication>(this)),
        MakeCallback(&FlowApplication::PeerClosed, Ptr<FlowApplication>(this)));
}

void
FlowApplication::ReceiveStream(Ptr<Socket> socket)
{
    for (Ptr<Packet> packet = socket->Recv(); packet && packet->GetSize() > 0;
         packet = socket->Recv())
    {
        // Sinks of the traces may stop the application.
        const auto found = m_receiving.find(socket);
        if (found == m_receiving.end())
        {
            return;
        }
        Stream& stream = found->second;
        if (!stream.named)
        {
            stream.head->AddAtEnd(packet);
            if (stream.head->GetSize() < FlowHeader::SIZE)
            {
                continue;
            }
            FlowHeader header;
            stream.head->RemoveHeader(header);
            stream.flow = header.GetFlow();
            stream.named = true;
            packet = std::exchange(stream.head, nullptr);
        }
        Received(stream.flow, packet->GetSize());
    }
}

void
FlowApplication::PeerClosed(Ptr<Socket> socket)
{
    m_receiving.erase(socket);
    socket->Close();
}

void
FlowApplication::Received(uint32_t flow, uint32_t bytes)
{
    const auto found = m_incoming.find(flow);
    if (found == m_incoming.end())
    {
        return;
    }
    Incoming& incoming = found->second;
    incoming.left -= std::min<uint64_t>(incoming.left, bytes);
    const bool completed = incoming.left == 0;
    const Time start = incoming.start;
    if (completed)
    {
        m_incoming.erase(found);
    }
    const Ptr<FlowApplication> keep(this);
    Fire(m_rxTrace, flow, bytes);
    if (completed)
    {
        Fire(m_completedTrace, flow, Simulator::Now() - start);
    }
}

} // namespace ns3::odcn
