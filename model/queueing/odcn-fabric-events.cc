// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-events.h"

#include "odcn-fifo-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace odcn
{

namespace
{

/// Fates told at a time.
constexpr std::size_t FATES = 1024;

/// @param times by size, 0 where unknown  @param rate of a line  @param bytes size of a packet
/// @return how long it takes, ps
int64_t
TxTime(std::vector<int64_t>& times, BitRate rate, uint32_t bytes)
{
    if (bytes >= times.size())
    {
        times.resize(bytes + 1, 0);
    }
    if (times[bytes] == 0)
    {
        times[bytes] = OdcnTransmissionTime(rate, bytes);
    }
    return times[bytes];
}

} // namespace

OdcnFabricEvents::OdcnFabricEvents(OdcnFabricState& state, OdcnPacketSink& sink)
    : m_state(state),
      m_model(state.model),
      m_sink(sink),
      m_supply(state.racks.size()),
      m_ports(2 * state.servers.size() + state.uplinks.size()),
      m_crossings(state.uplinks.size()),
      m_firstDownlink(static_cast<uint32_t>(state.servers.size())),
      m_firstUplink(2 * m_firstDownlink)
{
}

void
OdcnFabricEvents::Push(const Event& event)
{
    const auto later = [](const Event& a, const Event& b)
    { return a.time != b.time ? a.time > b.time : a.uid > b.uid; };
    m_queue.push_back(event);
    std::push_heap(m_queue.begin(), m_queue.end(), later);
}

void
OdcnFabricEvents::Schedule(int64_t time, Kind kind, uint32_t a, uint32_t b, bool whole)
{
    Push({time, m_uid++, kind, whole, a, b});
}

int64_t
OdcnFabricEvents::Run(int64_t opened,
                      int64_t until,
                      const std::vector<OdcnPacketFlow>& flows,
                      const std::vector<OdcnFabricAction>& actions)
{
    m_flows = &flows;
    m_actions = &actions;
    m_until = until;
    m_now = opened;
    m_lastEnd = opened;
    for (uint32_t i = 0; i < actions.size(); ++i)
    {
        Schedule(std::max(opened, actions[i].time), Kind::ACTION, i);
    }
    m_state.Start(opened, flows);
    m_sequence.assign(flows.size(), 0);
    for (RackId rack = 0; rack < m_supply.size(); ++rack)
    {
        m_supply[rack].uids.resize(m_state.racks[rack].arrivals.GetNStreams());
    }
    std::vector<uint32_t> started(m_state.servers.size(), 0);
    for (const auto& flow : flows)
    {
        const uint32_t stream = m_state.servers[flow.from].streams[started[flow.from]++];
        m_supply[m_state.RackOfServer(flow.from)].uids[stream] = m_uid++;
    }
    for (RackId rack = 0; rack < m_supply.size(); ++rack)
    {
        ScheduleSend(rack);
    }
    const auto later = [](const Event& a, const Event& b)
    { return a.time != b.time ? a.time > b.time : a.uid > b.uid; };
    while (!m_queue.empty())
    {
        std::pop_heap(m_queue.begin(), m_queue.end(), later);
        const Event event = m_queue.back();
        m_queue.pop_back();
        m_now = event.time;
        Execute(event);
    }
    Flush();
    m_state.Stop();
    return m_lastEnd;
}

void
OdcnFabricEvents::Execute(const Event& event)
{
    switch (event.kind)
    {
    case Kind::ACTION:
        Act((*m_actions)[event.a]);
        break;
    case Kind::SEND:
        Send(event.a);
        break;
    case Kind::COMPLETE:
        Complete(event.a);
        break;
    case Kind::REACH_DEVICE:
        Receive(event.a, event.b, event.whole);
        break;
    case Kind::REACH_SWITCH:
        FirstBit(event.a, event.b);
        break;
    case Kind::LEAVE_SWITCH:
        LastBit(event.a, event.whole);
        break;
    case Kind::DONE:
        Done(std::exchange(m_batches[event.a], {}));
        break;
    }
}

void
OdcnFabricEvents::ScheduleSend(RackId rack)
{
    Supply& supply = m_supply[rack];
    if (supply.next == supply.drawn.packed.size())
    {
        supply.next = 0;
        if (!m_state.racks[rack].arrivals.DrawBlock(m_until, supply.drawn))
        {
            return;
        }
    }
    Push({supply.drawn.GetTime(supply.next),
          supply.uids[supply.drawn.GetStream(supply.next)],
          Kind::SEND,
          true,
          rack,
          0});
}

void
OdcnFabricEvents::Send(RackId rack)
{
    Supply& supply = m_supply[rack];
    const OdcnArrivalBlock& drawn = supply.drawn;
    const uint32_t stream = drawn.GetStream(supply.next);
    const uint32_t flow = m_state.racks[rack].flows[stream];
    do
    {
        uint32_t packet = static_cast<uint32_t>(m_packets.size());
        if (m_free.empty())
        {
            m_packets.emplace_back();
        }
        else
        {
            packet = m_free.back();
            m_free.pop_back();
        }
        const uint32_t bytes =
            drawn.bytes.empty() ? (*m_flows)[flow].bytes : drawn.bytes[supply.next];
        m_packets[packet] = {flow, m_sequence[flow]++, m_now, bytes, false};
        Transmit((*m_flows)[flow].from, packet);
        ++supply.next;
    } while (supply.next < drawn.follows.size() && drawn.follows[supply.next]);
    supply.uids[stream] = m_uid++;
    ScheduleSend(rack);
}

bool&
OdcnFabricEvents::Failed(uint32_t port)
{
    if (port >= m_firstUplink)
    {
        return m_state.uplinks[port - m_firstUplink].failed;
    }
    return port >= m_firstDownlink ? m_state.servers[port - m_firstDownlink].downlinkFailed
                                   : m_state.servers[port].failed;
}

void
OdcnFabricEvents::Transmit(uint32_t port, uint32_t packet)
{
    Port& p = m_ports[port];
    if (Failed(port))
    {
        End(packet, false, OcsDropCause::PORT_FAILED);
        return;
    }
    if (p.waiting.size() >= (port >= m_firstUplink ? m_model.uplinkQueue : m_model.serverQueue))
    {
        End(packet, false, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    p.waiting.push_back(packet);
    if (p.leaving == NOBODY)
    {
        StartNext(port);
    }
}

void
OdcnFabricEvents::StartNext(uint32_t port)
{
    Port& p = m_ports[port];
    if (p.waiting.empty())
    {
        return;
    }
    const uint32_t packet = p.waiting.front();
    p.waiting.pop_front();
    p.leaving = packet;
    const uint32_t bytes = m_packets[packet].bytes;
    if (port < m_firstUplink)
    {
        Schedule(m_now + TxTime(m_serverTxTime, m_model.serverRate, bytes), Kind::COMPLETE, port);
        return;
    }
    p.leaving = ANYBODY;
    const int64_t txTime = TxTime(m_uplinkTxTime, m_model.uplinkRate, bytes);
    const uint32_t uplink = port - m_firstUplink;
    if (m_model.uplinkDelay == 0)
    {
        FirstBit(uplink, packet);
    }
    else
    {
        Schedule(m_now + m_model.uplinkDelay, Kind::REACH_SWITCH, uplink, packet);
    }
    Schedule(m_now + txTime, Kind::COMPLETE, port);
}

void
OdcnFabricEvents::Complete(uint32_t port)
{
    Port& p = m_ports[port];
    const uint32_t packet = std::exchange(p.leaving, NOBODY);
    const bool whole = !std::exchange(p.truncated, false);
    if (port >= m_firstUplink)
    {
        const uint32_t uplink = port - m_firstUplink;
        if (m_model.uplinkDelay == 0)
        {
            LastBit(uplink, whole);
        }
        else
        {
            Schedule(m_now + m_model.uplinkDelay, Kind::LEAVE_SWITCH, uplink, 0, whole);
        }
    }
    else
    {
        const uint32_t far = port < m_firstDownlink ? port + m_firstDownlink //
                                                    : port - m_firstDownlink;
        if (m_model.serverDelay == 0)
        {
            Receive(far, packet, whole);
        }
        else
        {
            Schedule(m_now + m_model.serverDelay, Kind::REACH_DEVICE, far, packet, whole);
        }
    }
    StartNext(port);
}

void
OdcnFabricEvents::Receive(uint32_t port, uint32_t packet, bool whole)
{
    if (Failed(port) || !whole)
    {
        End(packet, false, OcsDropCause::PORT_FAILED);
    }
    else if (port < m_firstDownlink)
    {
        End(packet, true, OcsDropCause::MISROUTED);
    }
    else if (port < m_firstUplink)
    {
        Forward((port - m_firstDownlink) / m_model.serversPerRack, packet, Journey::FROM_SERVER);
    }
    else
    {
        Forward(m_state.RackOf(port - m_firstUplink), packet, Journey::FROM_RACK);
    }
}

void
OdcnFabricEvents::SetFailed(uint32_t port, bool failed)
{
    bool& now = Failed(port);
    if (now == failed)
    {
        return;
    }
    now = failed;
    Port& p = m_ports[port];
    p.truncated = p.truncated || (failed && p.leaving != NOBODY);
    if (port >= m_firstUplink)
    {
        const uint32_t uplink = port - m_firstUplink;
        const RackId to = m_state.uplinks[uplink].circuit;
        if (to != NO_RACK)
        {
            m_state.Update(m_state.RackOf(uplink), to);
        }
        if (failed)
        {
            Respread(uplink);
        }
    }
    while (failed && !p.waiting.empty())
    {
        End(p.waiting.front(), false, OcsDropCause::PORT_FAILED);
        p.waiting.pop_front();
    }
}

void
OdcnFabricEvents::FirstBit(uint32_t uplink, uint32_t packet)
{
    const OdcnFabricState::Uplink& in = m_state.uplinks[uplink];
    if (in.inputFailed)
    {
        End(packet, false, OcsDropCause::PORT_FAILED);
    }
    else if (in.output == OdcnFabricState::NOWHERE)
    {
        End(packet, false, OcsDropCause::NO_CIRCUIT);
    }
    else if (m_now < in.upFrom)
    {
        End(packet, false, OcsDropCause::DARK);
    }
    else if (m_state.uplinks[in.output].outputFailed)
    {
        End(packet, false, OcsDropCause::PORT_FAILED);
    }
    else
    {
        const int64_t txTime = TxTime(m_uplinkTxTime, m_model.uplinkRate, m_packets[packet].bytes);
        m_crossings[uplink] = {packet, in.output, m_now + txTime};
    }
}

void
OdcnFabricEvents::LastBit(uint32_t uplink, bool whole)
{
    const uint32_t packet = std::exchange(m_crossings[uplink].packet, NOBODY);
    if (packet == NOBODY)
    {
        return; // lost on the way
    }
    if (!whole)
    {
        End(packet, false, OcsDropCause::PORT_FAILED);
        return;
    }
    const uint32_t far = m_firstUplink + m_crossings[uplink].to;
    if (m_model.uplinkDelay == 0)
    {
        Receive(far, packet, true);
    }
    else
    {
        Schedule(m_now + m_model.uplinkDelay, Kind::REACH_DEVICE, far, packet);
    }
}

void
OdcnFabricEvents::Cut(uint32_t uplink, OcsDropCause cause)
{
    Crossing& crossing = m_crossings[uplink];
    if (crossing.packet != NOBODY && m_now < crossing.lastBit)
    {
        End(std::exchange(crossing.packet, NOBODY), false, cause);
    }
}

void
OdcnFabricEvents::Reconfigure(std::vector<Move> batch)
{
    std::erase_if(batch,
                  [this](const Move& m) { return m_state.uplinks[m.uplink].output == m.output; });
    if (batch.empty())
    {
        return;
    }
    for (const Move& m : batch)
    {
        const uint32_t output = m_state.uplinks[m.uplink].output;
        if (output != OdcnFabricState::NOWHERE)
        {
            if (!m_model.deliverInFlight)
            {
                Cut(m.uplink, OcsDropCause::CUT);
            }
            m_state.uplinks[output].input = OdcnFabricState::NOWHERE;
        }
    }
    for (Move& m : batch)
    {
        auto& in = m_state.uplinks[m.uplink];
        in.output = m.output;
        in.upFrom = m_now + m_model.darkTime;
        m.moves = ++in.moves;
        if (m.output != OdcnFabricState::NOWHERE)
        {
            m_state.uplinks[m.output].input = m.uplink;
        }
    }
    if (m_model.darkTime == 0)
    {
        Done(batch);
        return;
    }
    m_batches.push_back(std::move(batch));
    Schedule(m_now + m_model.darkTime, Kind::DONE, static_cast<uint32_t>(m_batches.size() - 1));
}

void
OdcnFabricEvents::Done(const std::vector<Move>& batch)
{
    for (const Move& m : batch)
    {
        auto& uplink = m_state.uplinks[m.uplink];
        if (uplink.moves != m.moves)
        {
            continue; // moved again meanwhile
        }
        const RackId from = m_state.RackOf(m.uplink);
        const RackId to = m.output == OdcnFabricState::NOWHERE ? NO_RACK : m_state.RackOf(m.output);
        if (to == NO_RACK || uplink.circuit != to)
        {
            ClearCircuits(from, {m.uplink});
        }
        if (to != NO_RACK && uplink.circuit != to)
        {
            uplink.circuit = to;
            m_state.Update(from, to);
        }
    }
}

void
OdcnFabricEvents::Forward(RackId rack, uint32_t packet, Journey journey)
{
    const ServerId server = (*m_flows)[m_packets[packet].flow].to;
    const RackId to = server / m_model.serversPerRack;
    if (to != rack)
    {
        ForwardToRack(rack, packet, to, journey);
        return;
    }
    Transmit(m_firstDownlink + server, packet);
}

void
OdcnFabricEvents::ForwardToRack(RackId rack, uint32_t packet, RackId to, Journey journey)
{
    Packet& p = m_packets[packet];
    if (journey == Journey::FROM_RACK)
    {
        if (!m_model.detour || p.transit)
        {
            End(packet, false, OcsDropCause::MISROUTED);
            return;
        }
        p.transit = true;
        journey = Journey::IN_TRANSIT;
    }
    const auto& ports = m_state.racks[rack].portsTo[to];
    if (!ports.empty())
    {
        Transmit(m_firstUplink + Choose(rack, ports, to, p), packet);
        return;
    }
    if (m_model.detour && journey == Journey::FROM_SERVER)
    {
        const auto& detours = FindDetours(rack, to);
        if (!detours.empty())
        {
            Transmit(m_firstUplink + Choose(rack, detours, rack, p), packet);
            return;
        }
    }
    End(packet, false, WhyNoCircuit(rack, to));
}

uint32_t
OdcnFabricEvents::Choose(RackId rack,
                         const std::vector<uint32_t>& ports,
                         RackId to,
                         const Packet& packet)
{
    const auto n = static_cast<uint32_t>(ports.size());
    const uint32_t hash = (*m_flows)[packet.flow].hash;
    const uint32_t i = n > 1 ? m_state.racks[rack].Choose(m_model.spreading, to, hash, n) : 0;
    return m_state.UplinkOf(rack, ports[i]);
}

const std::vector<uint32_t>&
OdcnFabricEvents::FindDetours(RackId rack, RackId to)
{
    m_detours.clear();
    for (uint32_t p = 0; p < m_model.uplinks; ++p)
    {
        const auto& uplink = m_state.uplinks[m_state.UplinkOf(rack, p)];
        if (uplink.circuit != NO_RACK && !uplink.failed &&
            !m_state.racks[uplink.circuit].portsTo[to].empty())
        {
            m_detours.push_back(p);
        }
    }
    return m_detours;
}

OcsDropCause
OdcnFabricEvents::WhyNoCircuit(RackId rack, RackId to) const
{
    for (uint32_t p = 0; p < m_model.uplinks; ++p)
    {
        if (m_state.uplinks[m_state.UplinkOf(rack, p)].circuit == to)
        {
            return OcsDropCause::PORT_FAILED;
        }
    }
    return OcsDropCause::NO_CIRCUIT;
}

void
OdcnFabricEvents::ClearCircuits(RackId rack, const std::vector<uint32_t>& uplinks)
{
    for (uint32_t uplink : uplinks)
    {
        const RackId to = std::exchange(m_state.uplinks[uplink].circuit, NO_RACK);
        if (to != NO_RACK)
        {
            m_state.Update(rack, to);
        }
    }
    for (uint32_t uplink : uplinks)
    {
        Respread(uplink);
    }
}

void
OdcnFabricEvents::Respread(uint32_t uplink)
{
    const std::deque<uint32_t> waiting = std::exchange(m_ports[m_firstUplink + uplink].waiting, {});
    for (uint32_t packet : waiting)
    {
        Forward(m_state.RackOf(uplink),
                packet,
                m_packets[packet].transit ? Journey::IN_TRANSIT : Journey::FROM_SERVER);
    }
}

void
OdcnFabricEvents::Act(const OdcnFabricAction& action)
{
    const uint32_t server = action.rack * m_model.serversPerRack + action.port;
    const uint32_t uplink = m_state.UplinkOf(action.rack, action.port);
    switch (action.kind)
    {
    case OdcnFabricActionKind::FAIL_UPLINK:
    case OdcnFabricActionKind::REPAIR_UPLINK:
        SetFailed(m_firstUplink + uplink, action.kind == OdcnFabricActionKind::FAIL_UPLINK);
        break;
    case OdcnFabricActionKind::FAIL_SERVER:
    case OdcnFabricActionKind::REPAIR_SERVER:
        SetFailed(server, action.kind == OdcnFabricActionKind::FAIL_SERVER);
        break;
    case OdcnFabricActionKind::FAIL_DOWNLINK:
    case OdcnFabricActionKind::REPAIR_DOWNLINK:
        SetFailed(m_firstDownlink + server, action.kind == OdcnFabricActionKind::FAIL_DOWNLINK);
        break;
    case OdcnFabricActionKind::FAIL_SWITCH_INPUT:
        m_state.uplinks[uplink].inputFailed = true;
        Cut(uplink, OcsDropCause::PORT_FAILED);
        break;
    case OdcnFabricActionKind::REPAIR_SWITCH_INPUT:
        m_state.uplinks[uplink].inputFailed = false;
        break;
    case OdcnFabricActionKind::FAIL_SWITCH_OUTPUT:
        m_state.uplinks[uplink].outputFailed = true;
        for (uint32_t i = 0; i < m_crossings.size(); ++i)
        {
            if (m_crossings[i].to == uplink)
            {
                Cut(i, OcsDropCause::PORT_FAILED);
            }
        }
        break;
    case OdcnFabricActionKind::REPAIR_SWITCH_OUTPUT:
        m_state.uplinks[uplink].outputFailed = false;
        break;
    case OdcnFabricActionKind::APPLY:
        Apply(action.circuits);
        break;
    }
}

void
OdcnFabricEvents::Apply(const std::vector<OdcnCircuitChange>& circuits)
{
    m_state.Check(circuits);
    std::vector<std::vector<Move>> batches(m_model.switches);
    std::vector<std::vector<uint32_t>> cleared(m_model.racks);
    for (const auto& c : circuits)
    {
        const uint32_t uplink = m_state.UplinkOf(c.from, c.outPort);
        const uint32_t output =
            c.newTo == NO_RACK ? OdcnFabricState::NOWHERE : m_state.UplinkOf(c.newTo, c.newInPort);
        batches[c.outPort % m_model.switches].push_back({uplink, output, 0});
        if (m_state.uplinks[uplink].output != output)
        {
            cleared[c.from].push_back(uplink);
        }
    }
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        if (!cleared[rack].empty())
        {
            ClearCircuits(rack, cleared[rack]);
        }
    }
    for (auto& batch : batches)
    {
        Reconfigure(std::move(batch));
    }
}

void
OdcnFabricEvents::End(uint32_t packet, bool received, OcsDropCause cause)
{
    const Packet& p = m_packets[packet];
    m_fates.push_back({p.flow, p.sequence, p.sent, m_now, received, cause});
    m_lastEnd = m_now;
    m_free.push_back(packet);
    if (m_fates.size() == FATES)
    {
        Flush();
    }
}

void
OdcnFabricEvents::Flush()
{
    if (!m_fates.empty())
    {
        m_sink.Take(0, m_fates);
        m_fates.clear();
    }
}

} // namespace odcn
} // namespace ns3
