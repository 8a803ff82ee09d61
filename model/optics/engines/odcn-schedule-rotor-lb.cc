// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * RotorLB: what its logic needs of a ToR switch, and its messages on circuits.
 */

#include "odcn-schedule-agreement.h"

#include "ns3/odcn-take-index.h"

#include <utility>

namespace ns3::odcn
{

SchedulePackets::FabricEngine::Agreement::Agreement(FabricEngine& engine, RackId rack)
    : m_engine(engine),
      m_rack(rack),
      m_logic(*this, engine.m_settings.forwarding.bulk.backlogLimit),
      m_openings(engine.m_model.uplinks, 0)
{
}

Time
SchedulePackets::FabricEngine::Agreement::Now() const
{
    return PicoSeconds(m_engine.m_events.Now());
}

RackId
SchedulePackets::FabricEngine::Agreement::GetRack() const
{
    return m_rack;
}

uint32_t
SchedulePackets::FabricEngine::Agreement::GetNUplinks() const
{
    return m_engine.m_model.uplinks;
}

RackId
SchedulePackets::FabricEngine::Agreement::GetCircuit(uint32_t port) const
{
    return m_engine.GetUplink(m_rack, port).peer;
}

uint64_t
SchedulePackets::FabricEngine::Agreement::GetRate(uint32_t port) const
{
    return m_engine.GetUplink(m_rack, port).Works()
               ? static_cast<uint64_t>(m_engine.m_model.uplinkRate)
               : 0;
}

uint32_t
SchedulePackets::FabricEngine::Agreement::GetMtu(uint32_t) const
{
    return m_engine.m_model.mtu;
}

ExactPackets::Engine::PacketQueue&
SchedulePackets::FabricEngine::Agreement::FindQueue(TorQueueId queue) const
{
    Tor& tor = m_engine.m_tors[m_rack];
    return (queue.kind == TorQueueKind::LOCAL ? tor.local : tor.relay)[queue.index];
}

uint64_t
SchedulePackets::FabricEngine::Agreement::GetBytes(TorQueueId queue) const
{
    return FindQueue(queue).bytes;
}

const std::vector<uint32_t>&
SchedulePackets::FabricEngine::Agreement::GetBusy() const
{
    return m_engine.m_tors[m_rack].busy;
}

bool
SchedulePackets::FabricEngine::Agreement::IsCutOff(RackId rack) const
{
    return m_engine.m_table.IsCutOff(m_rack, rack);
}

bool
SchedulePackets::FabricEngine::Agreement::IsIdle(uint32_t port) const
{
    const Uplink& uplink = m_engine.GetUplink(m_rack, port);
    return uplink.peer != NO_RACK && !uplink.sending && uplink.Works();
}

bool
SchedulePackets::FabricEngine::Agreement::SendMessage(uint32_t port, const RotorLbMessage& message)
{
    const int64_t tx = TransmissionTime(m_engine.m_model.uplinkRate, message.GetSize());
    if (!IsIdle(port) || !m_engine.HasTime(m_engine.GetUplink(m_rack, port), tx))
    {
        return false;
    }
    const uint32_t i = TakeIndex(m_engine.m_messages, m_engine.m_freeMessages);
    m_engine.m_messages[i] = message;
    ++m_engine.m_result.counts.controlSent;
    ++m_engine.m_result.counts.inFlight;
    m_engine.StartSending(m_rack, port, MESSAGE | i);
    return true;
}

uint32_t
SchedulePackets::FabricEngine::Agreement::SendHeld(uint32_t port, TorQueueId queue, uint64_t most)
{
    const bool isLocal = queue.kind == TorQueueKind::LOCAL;
    return m_engine.SendHeld(m_rack, port, FindQueue(queue), isLocal, most);
}

void
SchedulePackets::FabricEngine::Agreement::CallOpened(uint32_t port)
{
    const uint32_t index = m_rack * GetNUplinks() + port;
    m_openings[port] = m_engine.m_events.Schedule(0, Happening::OPENED, index);
}

void
SchedulePackets::FabricEngine::Agreement::Opened(uint32_t port, uint64_t order)
{
    if (m_openings[port] == order) // else another circuit has come up at the same time
    {
        m_logic.Opened(port);
    }
}

void
SchedulePackets::FabricEngine::MessageReceived(uint32_t message, uint32_t index)
{
    RotorLbMessage received = std::move(m_messages[message]);
    FreeMessage(message);
    ++m_result.counts.controlReceived;
    m_agreements[index / m_model.uplinks]->GetLogic().Receive(index % m_model.uplinks,
                                                              std::move(received));
}

void
SchedulePackets::FabricEngine::FreeMessage(uint32_t message)
{
    m_messages[message] = {};
    m_freeMessages.push_back(message);
    --m_result.counts.inFlight;
}

} // namespace ns3::odcn
