// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "tor-switch.h"

#include "ocs-switch.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("TorSwitch");

NS_OBJECT_ENSURE_REGISTERED(TorSwitch);

TypeId
TorSwitch::GetTypeId()
{
    using T = TorSwitch;
    static TypeId tid =
        TypeIdOf<TorSwitch, Object>("ns3::odcn::TorSwitch")
            .Add(Attribute("Rack", &T::m_rack, 0, 0, NO_RACK - 1), "Number of this rack")
            .Add(Attribute("Spreading",
                           &T::m_spreading,
                           PER_PACKET,
                           {{PER_PACKET, "PerPacket"},
                            {ROUND_ROBIN, "RoundRobin"},
                            {PER_FLOW, "PerFlow"}}),
                 "How packets to a rack spread over the circuits to it")
            .Add(Attribute("NoCircuit",
                           &T::m_noCircuit,
                           NO_CIRCUIT_DROP,
                           {{NO_CIRCUIT_DROP, "Drop"},
                            {NO_CIRCUIT_DETOUR, "Detour"},
                            {NO_CIRCUIT_HOLD, "Hold"}}),
                 "Treatment of a packet to a rack without a circuit")
            .Add(Attribute("Routing", &T::m_routingText, "DirectRouting"),
                 "TorRouting of held packets, such as ValiantRouting[Spread=Random]")
            .AddAttribute("QueueSize",
                          "Limit of each queue of held packets, in packets or bytes; 0 for none",
                          QueueSizeValue(QueueSize("0p")),
                          MakeQueueSizeAccessor(&T::m_queueSize),
                          MakeQueueSizeChecker())
            .AddAttribute("BufferSize",
                          "Limit of all held packets together, in packets or bytes; 0 for none",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&T::m_bufferSize),
                          MakeQueueSizeChecker())
            .Add(Attribute("QueueDisc", &T::m_queueDisc, ""),
                 "Queue disc of each queue of held packets, such as "
                 "ns3::RedQueueDisc[UseEcn=true]; empty for queues with QueueSize")
            .Add(Attribute("FairQueues", &T::m_fairQueues, false),
                 "Whether queues of held packets are FairQueues, in which pairs of a sender and "
                 "a receiver have fair shares, instead of FIFOs; not with QueueDisc")
            .Add(Trace("Drop", &T::m_dropTrace, "DropTracedCallback"),
                 "A packet was lost: the packet and the cause")
            .Add(Trace("Circuit", &T::m_circuitTrace, "CircuitTracedCallback"),
                 "The circuit of an uplink was set or cleared: uplink, rack that it "
                 "reaches or NO_RACK, end of the circuit")
            .Add(Trace("Held", &T::m_heldBytes, "ns3::TracedValueCallback::Uint64"),
                 "Bytes held for circuits");
    return tid;
}

TorSwitch::TorSwitch()
    : m_random(CreateObject<UniformRandomVariable>())
{
    NS_LOG_FUNCTION(this);
}

void
TorSwitch::DoDispose()
{
    for (const Ptr<OcsNetDevice>& device : m_ports)
    {
        device->SetUser(nullptr, 0);
    }
    m_ports.clear();
    m_downlinks.clear();
    m_uplinks.clear();
    m_electrical.clear();
    m_circuits.clear();
    m_portsTo.clear();
    m_table = nullptr;
    m_random = nullptr;
    if (m_routing)
    {
        m_routing->Dispose();
        m_routing = nullptr;
    }
    Object::DoDispose();
}

void
TorSwitch::SetCircuitTable(Ptr<OcsCircuitTable> table)
{
    if (m_rack >= table->GetNRacks())
    {
        throw OdcnError::InOption("TorSwitch::Rack",
                                  std::to_string(m_rack),
                                  "a rack below " + std::to_string(table->GetNRacks()));
    }
    m_table = table;
}

void
TorSwitch::AddPort(const Ptr<OcsNetDevice>& device, Journey journey, uint32_t index)
{
    device->SetUser(this, static_cast<uint32_t>(m_ports.size()));
    m_ports.push_back(device);
    m_kinds.push_back({journey, index});
}

uint32_t
TorSwitch::AddDownlink(Ptr<OcsNetDevice> device)
{
    const uint32_t server = GetNDownlinks();
    m_downlinks.push_back(device);
    AddPort(device, Journey::FROM_SERVER, server);
    return server;
}

uint32_t
TorSwitch::AddUplink(Ptr<OcsNetDevice> device)
{
    const uint32_t port = GetNUplinks();
    m_uplinks.push_back(device);
    m_circuits.push_back(NO_RACK);
    m_usable.push_back(true);
    m_until.push_back(Time::Max());
    m_withdrawn.push_back(false);
    m_idle.push_back(false);
    AddPort(device, Journey::FROM_RACK, port);
    return port;
}

uint32_t
TorSwitch::AddElectrical(Ptr<OcsNetDevice> device)
{
    const uint32_t port = GetNElectrical();
    if (port >= MAX_ELECTRICAL)
    {
        throw OdcnError::InOption("electrical uplinks of a ToR switch",
                                  std::to_string(port + 1),
                                  "at most " + std::to_string(MAX_ELECTRICAL));
    }
    m_electrical.push_back(device);
    m_electricalUp |= uint64_t{1} << port;
    AddPort(device, Journey::BY_ELECTRICAL, port);
    return port;
}

void
TorSwitch::SetElectricalRoutes(std::vector<uint64_t> ports)
{
    m_electricalTo = std::move(ports);
}

void
TorSwitch::SetUplinkRates(std::vector<DataRate> rates)
{
    m_uplinkRates = std::move(rates);
}

Ptr<OcsNetDevice>
TorSwitch::GetUplink(uint32_t port) const
{
    CheckUplink(port);
    return m_uplinks[port];
}

void
TorSwitch::CheckUplink(uint32_t port) const
{
    if (port >= m_uplinks.size())
    {
        throw OdcnError::InOption("ToR uplink",
                                  std::to_string(port),
                                  "a port below " + std::to_string(m_uplinks.size()));
    }
}

void
TorSwitch::SetCircuit(uint32_t port, RackId rack, Time until, bool usable)
{
    NS_LOG_FUNCTION(this << port << rack);
    CheckUplink(port);
    if (rack == m_rack || rack == NO_RACK || (m_table && rack >= m_table->GetNRacks()))
    {
        throw OdcnError::InOption("circuit of rack " + std::to_string(m_rack),
                                  std::to_string(rack),
                                  "another rack");
    }
    m_until[port] = until;
    m_withdrawn[port] = false;
    if (m_circuits[port] != rack)
    {
        ClearCircuit(port);
        m_usable[port] = usable;
        m_circuits[port] = rack;
        Update(rack);
    }
    else
    {
        SetUsable(port, usable);
    }
    if (!m_uplinkRates.empty())
    {
        m_uplinks[port]->SetDataRate(std::min(m_uplinkRates[m_rack], m_uplinkRates[rack]));
    }
    UpdatePath(port);
    m_circuitTrace(port, rack, until);
    GetRouting().CircuitUp(port, rack, until);
    Serve(port);
}

void
TorSwitch::SetUsable(uint32_t port, bool usable)
{
    NS_LOG_FUNCTION(this << port << usable);
    CheckUplink(port);
    if (bool(m_usable[port]) != usable)
    {
        m_usable[port] = usable;
        WorksChanged(port, Works(port));
    }
}

void
TorSwitch::LoseQueues()
{
    NS_LOG_FUNCTION(this);
    for (const auto& device : m_ports)
    {
        for (const Ptr<Packet>& packet : device->TakeWaiting())
        {
            Drop(packet, OcsDropCause::REBOOT);
        }
    }
    for (const auto kind : {TorQueueKind::LOCAL, TorQueueKind::RELAY, TorQueueKind::PORT})
    {
        const std::vector<uint32_t> busy = m_buffer.GetBusy(kind);
        for (const uint32_t index : busy)
        {
            while (Ptr<Packet> packet = m_buffer.Dequeue({kind, index}))
            {
                Drop(packet, OcsDropCause::REBOOT);
            }
        }
    }
    m_heldBytes = m_buffer.GetNBytes();
    if (m_routing)
    {
        m_routing->Forget();
    }
}

void
TorSwitch::Withdraw(uint32_t port)
{
    NS_LOG_FUNCTION(this << port);
    CheckUplink(port);
    m_withdrawn[port] = true;
    UpdatePath(port);
}

bool
TorSwitch::UsesEndingCircuits()
{
    return m_uplinks.empty() || GetRouting().UsesEndingCircuits();
}

void
TorSwitch::ClearCircuit(uint32_t port)
{
    ClearCircuits({port});
}

void
TorSwitch::ClearCircuits(const std::vector<uint32_t>& ports)
{
    for (uint32_t port : ports)
    {
        NS_LOG_FUNCTION(this << port);
        CheckUplink(port);
        const RackId rack = m_circuits[port];
        if (rack != NO_RACK)
        {
            m_circuits[port] = NO_RACK;
            m_idle[port] = false;
            Update(rack);
            UpdatePath(port);
            m_circuitTrace(port, NO_RACK, Simulator::Now());
        }
    }
    for (uint32_t port : ports)
    {
        Respread(port);
    }
}

RackId
TorSwitch::GetCircuit(uint32_t port) const
{
    CheckUplink(port);
    return m_circuits[port];
}

Time
TorSwitch::GetCircuitEnd(uint32_t port) const
{
    CheckUplink(port);
    return m_until[port];
}

uint32_t
TorSwitch::GetNCircuits(RackId rack) const
{
    return rack < m_portsTo.size() ? static_cast<uint32_t>(m_portsTo[rack].size()) : 0;
}

uint64_t
TorSwitch::GetSent() const
{
    uint64_t sum = 0;
    for (const auto& device : m_ports)
    {
        sum += device->GetSent();
    }
    return sum - m_controlSent;
}

uint64_t
TorSwitch::GetWaiting() const
{
    uint64_t sum = m_buffer.GetNPackets();
    for (const auto& device : m_ports)
    {
        sum += device->GetWaiting();
    }
    return sum;
}

uint64_t
TorSwitch::GetDemand(RackId rack) const
{
    return rack < m_demand.size() ? m_demand[rack] : 0;
}

uint32_t
TorSwitch::GetNRacks() const
{
    return m_table ? m_table->GetNRacks() : 0;
}

uint64_t
TorSwitch::GetSentElectrically() const
{
    uint64_t sum = 0;
    for (const auto& device : m_electrical)
    {
        sum += device->GetSent();
    }
    return sum;
}

int64_t
TorSwitch::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_buffer.AssignStreams(stream);
    return 1 + GetRouting().AssignStreams(stream + 1);
}

void
TorSwitch::PortReceived(uint32_t port, const Ptr<Packet>& packet)
{
    ++m_received;
    Forward(packet, m_kinds[port].journey, m_kinds[port].index);
}

void
TorSwitch::PortDropped(uint32_t, Ptr<const Packet> packet, OcsDropCause cause)
{
    Drop(packet, cause);
}

void
TorSwitch::PortChanged(uint32_t port, bool up)
{
    NS_LOG_FUNCTION(this << port << up);
    const auto [journey, index] = m_kinds[port];
    if (journey == Journey::BY_ELECTRICAL)
    {
        const uint64_t bit = uint64_t{1} << index;
        m_electricalUp = up ? m_electricalUp | bit : m_electricalUp & ~bit;
        for (const Ptr<Packet>& packet : m_electrical[index]->TakeWaiting())
        {
            Forward(packet, Journey::IN_TRANSIT);
        }
    }
    else if (journey == Journey::FROM_RACK)
    {
        WorksChanged(index, up && Works(index));
    }
}

void
TorSwitch::WorksChanged(uint32_t port, bool works)
{
    if (m_circuits[port] != NO_RACK)
    {
        Update(m_circuits[port]);
        UpdatePath(port);
    }
    if (works)
    {
        Serve(port);
    }
    else
    {
        Respread(port);
    }
}

void
TorSwitch::PortIdle(uint32_t port)
{
    if (m_kinds[port].journey == Journey::FROM_RACK)
    {
        Serve(m_kinds[port].index);
    }
}

void
TorSwitch::Forward(const Ptr<Packet>& packet, Journey journey, uint32_t port)
{
    OcsPacketHeader header;
    RackId rack;
    uint32_t server;
    const bool ip = header.Read(packet, m_spreading == PER_FLOW);
    if (!ip && journey == Journey::FROM_RACK && GetRouting().Control(port, packet))
    {
        --m_received;
        ++m_controlReceived;
        return;
    }
    if (!ip || !m_plan.Find(header.destination, rack, server))
    {
        Drop(packet, OcsDropCause::MISROUTED);
        return;
    }
    if (rack != m_rack)
    {
        Route(packet, header, rack, journey, port);
        return;
    }
    if (server >= m_downlinks.size())
    {
        Drop(packet, OcsDropCause::MISROUTED);
        return;
    }
    GetRouting().Deliver(packet);
    m_downlinks[server]->Transmit(packet);
}

TorRouting&
TorSwitch::GetRouting()
{
    if (!m_routing) [[unlikely]]
    {
        const auto& ports = m_uplinks.empty() ? m_electrical : m_uplinks;
        if (!m_table || (m_noCircuit == NO_CIRCUIT_HOLD && ports.empty()))
        {
            throw OdcnError(
                "a ToR switch needs SetCircuitTable(), and with NoCircuit=Hold uplinks");
        }
        m_buffer.Configure(m_queueSize,
                           m_bufferSize,
                           m_fairQueues,
                           m_noCircuit == NO_CIRCUIT_HOLD ? m_queueDisc : "",
                           ports.empty() ? nullptr : ports[0]);
        m_buffer.SetDropCallback(MakeCallback(&TorSwitch::HeldDropped, this));
        m_demand.assign(m_table->GetNRacks(), 0);
        m_routing = TorRouting::Create(m_noCircuit == NO_CIRCUIT_HOLD     ? m_routingText
                                       : m_noCircuit == NO_CIRCUIT_DETOUR ? "DetourRouting"
                                                                          : "DropRouting");
        m_routing->SetTor(this);
        m_holds = m_routing->Holds();
    }
    return *m_routing;
}

void
TorSwitch::Route(const Ptr<Packet>& packet,
                 const OcsPacketHeader& header,
                 RackId rack,
                 Journey journey,
                 uint32_t port)
{
    TorRouting& routing = GetRouting();
    if (journey == Journey::BY_ELECTRICAL)
    {
        Drop(packet, OcsDropCause::MISROUTED);
        return;
    }
    if (rack >= m_demand.size())
    {
        Drop(packet, OcsDropCause::NO_CIRCUIT);
        return;
    }
    if (journey == Journey::FROM_SERVER && m_holds)
    {
        m_demand[rack] += packet->GetSize();
    }
    const TorRouting::Choice choice =
        routing.Route({packet, header, rack, journey == Journey::FROM_RACK, port});
    switch (choice.way)
    {
    case TorRouting::DROP:
        Drop(packet, choice.cause);
        return;
    case TorRouting::UPLINK:
        m_uplinks[choice.queue.index]->Transmit(packet);
        return;
    case TorRouting::ELECTRICAL:
        SendElectrically(packet, header, rack);
        return;
    case TorRouting::HOLD:
        break;
    }
    if (!m_buffer.Enqueue(choice.queue, packet))
    {
        Drop(packet, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    m_heldBytes = m_buffer.GetNBytes();
    if (choice.queue.kind == TorQueueKind::PORT)
    {
        Serve(choice.queue.index);
        return;
    }
    for (uint32_t p = 0; p < m_uplinks.size(); ++p)
    {
        if (m_idle[p])
        {
            Serve(p);
        }
    }
}

bool
TorSwitch::IsIdle(uint32_t port) const
{
    return m_circuits[port] != NO_RACK && Works(port) && !m_uplinks[port]->IsTransmitting();
}

void
TorSwitch::Serve(uint32_t port)
{
    if (!m_holds || !IsIdle(port))
    {
        return;
    }
    if (!SendHeld(port, {TorQueueKind::PORT, port}))
    {
        GetRouting().Serve(port, m_circuits[port]);
    }
    m_idle[port] = !m_uplinks[port]->IsTransmitting();
}

bool
TorSwitch::HasTime(uint32_t port, uint64_t bytes) const
{
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
    return m_until[port] == Time::Max() ||
           Simulator::Now() + m_uplinks[port]->GetTxTime(size) <= m_until[port];
}

bool
TorSwitch::HasElectrical(RackId destination) const
{
    return destination < m_electricalTo.size() &&
           (m_electricalTo[destination] & m_electricalUp) != 0;
}

void
TorSwitch::SendElectrically(const Ptr<Packet>& packet, const OcsPacketHeader& header, RackId rack)
{
    if (!HasElectrical(rack))
    {
        const bool failed = rack < m_electricalTo.size() && m_electricalTo[rack] != 0;
        Drop(packet, failed ? OcsDropCause::PORT_FAILED : OcsDropCause::NO_CIRCUIT);
        return;
    }
    m_nextPorts.clear();
    uint64_t mask = m_electricalTo[rack] & m_electricalUp;
    for (uint32_t port = 0; mask != 0; ++port, mask >>= 1)
    {
        if (mask & 1)
        {
            m_nextPorts.push_back(port);
        }
    }
    // The turns of electrical uplinks are not those of circuits to the same rack.
    const auto n = static_cast<uint32_t>(m_nextPorts.size());
    const uint32_t port = m_nextPorts[Spread(n, GetNRacks() + rack, header)];
    m_electrical[port]->Transmit(packet);
}

uint32_t
TorSwitch::SendHeld(uint32_t port, TorQueueId queue, uint64_t most)
{
    const uint32_t size = m_buffer.GetNextSize(queue);
    if (size == 0 || size > most || !HasTime(port, size))
    {
        return 0;
    }
    const Ptr<Packet> packet = m_buffer.Dequeue(queue);
    m_heldBytes = m_buffer.GetNBytes();
    return packet && m_uplinks[port]->Transmit(packet) ? size : 0;
}

bool
TorSwitch::SendControl(uint32_t port, const Ptr<Packet>& packet)
{
    CheckUplink(port);
    if (!IsIdle(port) || !HasTime(port, packet->GetSize()))
    {
        return false;
    }
    ++m_controlSent;
    return m_uplinks[port]->Transmit(packet);
}

uint32_t
TorSwitch::ChooseNextPort(RackId destination, const OcsPacketHeader& header, bool chosen)
{
    m_nextPorts.clear();
    uint64_t mask = m_table->GetNextPorts(m_rack, destination);
    for (uint32_t port = 0; mask != 0; ++port, mask >>= 1)
    {
        if (mask & 1)
        {
            m_nextPorts.push_back(port);
        }
    }
    const auto n = static_cast<uint32_t>(m_nextPorts.size());
    return n == 0 ? OCS_NO_PORT : m_nextPorts[Spread(n, destination, header, chosen)];
}

void
TorSwitch::UpdatePath(uint32_t port)
{
    if (m_table)
    {
        const bool usable = !m_withdrawn[port] && Works(port);
        m_table->SetPort(m_rack, port, usable ? m_circuits[port] : NO_RACK);
    }
}

void
TorSwitch::HeldDropped(Ptr<const Packet> packet)
{
    Drop(packet, OcsDropCause::QUEUE_OVERFLOW);
}

uint32_t
TorSwitch::Spread(uint32_t n, RackId rack, const OcsPacketHeader& header, bool chosen)
{
    if (n == 1)
    {
        return 0;
    }
    switch (m_spreading)
    {
    case ROUND_ROBIN:
        if (m_turn.size() <= rack)
        {
            m_turn.resize(rack + 1, 0);
        }
        return m_turn[rack]++ % n;
    case PER_FLOW:
    {
        constexpr uint8_t TOR = 1; // other hashes than those of packet switches
        // Flows that chose alike before must not do so here (polarisation).
        const uint32_t hash =
            chosen ? OcsPacketHeader::HashFlow(header.flow, m_rack, TOR, 0) : header.flow;
        return uint64_t(hash) * n >> 32;
    }
    case PER_PACKET:
        break;
    }
    return m_random->GetInteger(0, n - 1);
}

uint32_t
TorSwitch::ChoosePortTo(RackId peer, const OcsPacketHeader& header, bool chosen)
{
    const uint32_t n = GetNCircuits(peer);
    return n == 0 ? OCS_NO_PORT : m_portsTo[peer][Spread(n, peer, header, chosen)];
}

void
TorSwitch::Update(RackId rack)
{
    if (m_portsTo.size() <= rack)
    {
        m_portsTo.resize(rack + 1);
    }
    std::vector<uint32_t>& ports = m_portsTo[rack];
    ports.clear();
    for (uint32_t port = 0; port < m_uplinks.size(); ++port)
    {
        if (m_circuits[port] == rack && Works(port))
        {
            ports.push_back(port);
        }
    }
    if (m_table)
    {
        m_table->Set(m_rack, rack, static_cast<uint32_t>(ports.size()));
    }
}

void
TorSwitch::Respread(uint32_t port)
{
    auto waiting = m_uplinks[port]->TakeWaiting();
    while (Ptr<Packet> packet = m_buffer.Dequeue({TorQueueKind::PORT, port}))
    {
        waiting.push_back(packet);
    }
    m_heldBytes = m_buffer.GetNBytes();
    for (const Ptr<Packet>& packet : waiting)
    {
        Forward(packet, Journey::IN_TRANSIT);
    }
}

void
TorSwitch::Drop(Ptr<const Packet> packet, OcsDropCause cause)
{
    NS_LOG_LOGIC("lost: " << cause);
    ++m_dropped[cause];
    m_dropTrace(packet, cause);
}

} // namespace ns3::odcn
