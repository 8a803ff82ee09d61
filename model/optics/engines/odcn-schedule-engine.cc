// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A run in a fabric: its events, and what it results in.
 */

#include "odcn-schedule-engine.h"

#include "odcn-schedule-agreement.h"
#include "odcn-schedule-control.h"
#include "odcn-schedule-optics.h"

#include "ns3/ocs-schedule-follower.h"

#include <algorithm>

namespace ns3::odcn
{

ExactPackets::Engine::QueueKind
SchedulePackets::FabricEngine::GetServerQueue(const FabricModel& model)
{
    return {model.serverQueue, UINT64_MAX, model.fairServers, model.trimData, model.trimHeaders};
}

SchedulePackets::FabricEngine::FabricEngine(const SchedulePackets& owner, const Traffic& flows)
    : Engine({owner.m_model.racks,
              owner.m_model.serversPerRack,
              owner.m_model.serverRate,
              owner.m_model.serverDelay,
              GetServerQueue(owner.m_model),
              GetServerQueue(owner.m_model),
              owner.m_settings.hold,
              owner.m_model.uplinks,
              TransmissionTime(owner.m_model.uplinkRate, owner.m_settings.packetSize)},
             owner.m_settings,
             owner.GetFaults(),
             flows),
      m_model(owner.m_model),
      m_schedule(owner.m_schedule),
      m_settings(owner.m_settings),
      m_expedited(m_settings.forwarding.expedited),
      m_bulk(m_settings.forwarding.bulk.kind),
      m_uplinks(std::size_t(m_model.racks) * m_model.uplinks),
      m_table(m_model.racks, m_model.uplinks),
      m_average(m_settings.averageUntil.IsZero() ? INT64_MAX
                                                 : m_settings.averageUntil.GetPicoSeconds())
{
    for (uint32_t bytes = 0; bytes <= GetMostBytes(); ++bytes)
    {
        m_uplinkTx.push_back(TransmissionTime(m_model.uplinkRate, bytes));
    }
    m_events.AddLane(m_uplinkTx[m_settings.packetSize]);
    m_events.AddLane(m_model.uplinkDelay);
    const bool valiant = m_settings.forwarding.bulk.IsTransit();
    const auto makeQueues = [this](uint32_t number)
    {
        std::vector<PacketQueue> queues(number);
        for (PacketQueue& queue : queues)
        {
            queue = MakeQueue(m_model.fairHeld);
        }
        return queues;
    };
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        m_tors.push_back({makeQueues(m_model.racks),
                          makeQueues(valiant ? m_model.racks : 0),
                          makeQueues(m_model.uplinks),
                          {},
                          std::vector<uint32_t>(m_model.racks, 0),
                          0,
                          0,
                          0,
                          0,
                          0,
                          0,
                          owner.m_streams[rack]});
        if (m_bulk == TorForwarding::TRANSIT_AGREED)
        {
            m_agreements.push_back(std::make_unique<Agreement>(*this, rack));
        }
    }
    if (owner.m_makeLogic)
    {
        m_control = std::make_unique<Control>(*this, owner.m_makeLogic());
    }
    if (HasFaults() || m_control)
    {
        m_optics = std::make_unique<Optics>(*this);
        m_outFailed.resize(m_uplinks.size());
        m_inFailed.resize(m_uplinks.size());
        m_upFrom.resize(m_uplinks.size());
    }
}

SchedulePackets::FabricEngine::~FabricEngine() = default;

void
SchedulePackets::FabricEngine::Begin()
{
    for (uint32_t plane = 0; !m_control && plane < m_model.uplinks; ++plane)
    {
        StartSlot(plane, true);
    }
}

void
SchedulePackets::FabricEngine::HostsStart()
{
    if (m_control) // as an application on a node behind those of the fabric
    {
        m_events.Schedule(0, Happening::CONTROL, 0);
    }
}

bool
SchedulePackets::FabricEngine::GoesOn() const
{
    return m_control != nullptr;
}

void
SchedulePackets::FabricEngine::End()
{
    const int64_t now = m_events.Now();
    double held = 0;
    for (Tor& tor : m_tors)
    {
        NoteHeld(tor);
        m_result.held += tor.packets;
        m_result.mostHeld.push_back(tor.most);
        held += tor.sum;
    }
    m_result.reconfigured += m_optics ? m_optics->GetReconfigured() : 0;
    int64_t up = m_up;
    for (const Uplink& uplink : m_uplinks)
    {
        up += uplink.peer == NO_RACK ? 0 : Clip(now) - Clip(uplink.since);
    }
    m_result.meanHeld = now > 0 ? held / double(Clip(now)) / double(m_tors.size()) : 0;
    m_result.circuitUse = up > 0 ? double(m_used) / double(up) : 0;
}

void
SchedulePackets::FabricEngine::Handle(const PacketEvent& event)
{
    switch (event.What())
    {
    case Happening::UPLINK_SENT:
        UplinkSent(event.a, event.b);
        break;
    case Happening::OCS_REACHED:
        m_optics->FirstBit(event.a, event.b);
        break;
    case Happening::OCS_SENT:
        if (m_optics)
        {
            m_optics->LastBit(event.a, event.b);
        }
        else
        {
            m_events.Schedule(m_model.uplinkDelay, Happening::FROM_UPLINK, event.a, event.b);
        }
        break;
    case Happening::FROM_UPLINK:
        ReachUplink(event.a, event.b);
        break;
    case Happening::TOLD:
    {
        const auto [paths, failed] = std::move(m_told.front());
        m_told.pop_front();
        Told(paths, failed);
        break;
    }
    case Happening::CUT_OFF:
        m_updates = false;
        UpdateCutOff();
        break;
    case Happening::OPENED:
        m_agreements[event.a / m_model.uplinks]->Opened(event.a % m_model.uplinks, event.order);
        break;
    case Happening::SLOT:
        if (event.b == m_generation)
        {
            StartSlot(event.a, false);
        }
        break;
    case Happening::OPEN:
        Open(m_slots[event.a]);
        if (m_slots[event.a].isOpening)
        {
            m_freeSlots.push_back(event.a);
        }
        break;
    case Happening::WITHDRAW:
        Withdraw(m_slots[event.a]);
        break;
    case Happening::CLOSE:
        Close(m_slots[event.a]);
        m_freeSlots.push_back(event.a);
        break;
    case Happening::CONTROL:
        event.b == 0 ? m_control->Begin() : m_control->Take(event.a);
        break;
    default:
        HandleHost(event);
        break;
    }
}

} // namespace ns3::odcn
