// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The loop over events, and what a run results in.
 */

#include "odcn-schedule-engine.h"

#include "ns3/odcn-interruption.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

SchedulePackets::Engine::Engine(const SchedulePackets& owner, const std::vector<DataFlow>& flows)
    : m_model(owner.m_model),
      m_schedule(*owner.m_schedule),
      m_settings(owner.m_settings),
      m_expedited(m_settings.forwarding.expedited),
      m_bulk(m_settings.forwarding.bulk.kind),
      m_flows(flows),
      m_window(m_settings.goodputWindow.GetPicoSeconds()),
      m_hosts(m_model.GetNServers()),
      m_uplinks(std::size_t(m_model.racks) * m_model.uplinks),
      m_table(m_model.racks, m_model.uplinks),
      m_unsent(flows.size()),
      m_average(m_settings.averageUntil.IsZero() ? INT64_MAX
                                                 : m_settings.averageUntil.GetPicoSeconds())
{
    m_result.times.assign(flows.size(), PicoSeconds(-1));
    for (uint32_t bytes = 0; bytes <= m_settings.packetSize; ++bytes)
    {
        m_serverTx.push_back(TransmissionTime(m_model.serverRate, bytes));
        m_uplinkTx.push_back(TransmissionTime(m_model.uplinkRate, bytes));
    }
    for (const int64_t delay :
         {m_serverTx.back(), m_uplinkTx.back(), m_model.serverDelay, m_model.uplinkDelay})
    {
        m_events.AddLane(delay);
    }
    const bool valiant = m_settings.forwarding.bulk.IsTransit();
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        m_tors.push_back({std::vector<PacketQueue>(m_model.racks),
                          std::vector<PacketQueue>(valiant ? m_model.racks : 0),
                          std::vector<PacketQueue>(m_model.uplinks),
                          {},
                          std::vector<uint32_t>(m_model.racks, 0),
                          0,
                          0,
                          0,
                          0,
                          0,
                          0,
                          owner.m_streams[rack]});
        m_rackOf.insert(m_rackOf.end(), m_model.serversPerRack, rack);
    }
    std::vector<uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&flows](uint32_t a, uint32_t b)
                     {
                         return std::pair(flows[a].source, flows[a].start) <
                                std::pair(flows[b].source, flows[b].start);
                     });
    for (const uint32_t i : order)
    {
        Host& host = m_hosts[flows[i].source];
        if (host.end == 0)
        {
            host.next = m_outgoing.size();
        }
        m_outgoing.push_back(
            {i, flows[i].destination, flows[i].bytes, flows[i].start.GetPicoSeconds(), NONE});
        host.end = m_outgoing.size();
    }
    for (const DataFlow& flow : flows)
    {
        m_missing.push_back(flow.bytes);
    }
    if (m_settings.hold)
    {
        for (Host& host : m_hosts)
        {
            host.held.resize(m_model.racks);
            host.circuits.resize(m_model.uplinks);
        }
    }
}

SchedulePackets::Result
SchedulePackets::Engine::Run(int64_t until)
{
    for (uint32_t plane = 0; plane < m_model.uplinks; ++plane)
    {
        StartSlot(plane, true);
    }
    for (ServerId host = 0; host < m_hosts.size(); ++host)
    {
        m_events.Schedule(0, Happening::FLOW_START, host);
    }
    PacketEvent event;
    while ((m_unsent > 0 || m_result.counts.inFlight > 0) && m_events.Take(until, event))
    {
        Interruption::Check();
        Handle(event);
    }
    const int64_t now = m_events.Now();
    double held = 0;
    for (Tor& tor : m_tors)
    {
        NoteHeld(tor);
        m_result.held += tor.packets;
        m_result.mostHeld.push_back(tor.most);
        held += tor.sum;
    }
    int64_t up = m_up;
    for (const Uplink& uplink : m_uplinks)
    {
        up += uplink.peer == NO_RACK ? 0 : Clip(now) - Clip(uplink.since);
    }
    m_result.end = PicoSeconds(now);
    m_result.meanHeld = now > 0 ? held / double(Clip(now)) / double(m_tors.size()) : 0;
    m_result.circuitUse = up > 0 ? double(m_used) / double(up) : 0;
    for (const uint64_t bytes : m_windows)
    {
        m_result.goodput.push_back(bytes * 8 / m_settings.goodputWindow.GetSeconds());
    }
    return std::move(m_result);
}

void
SchedulePackets::Engine::Handle(const PacketEvent& event)
{
    switch (static_cast<Happening>(event.order & 15))
    {
    case Happening::FLOW_START:
        StartFlows(event.a);
        break;
    case Happening::HOST_SEND:
        if (event.order == m_hosts[event.a].sendOrder)
        {
            SendPacket(event.a);
        }
        break;
    case Happening::CIRCUIT:
        UseCircuit(event.a);
        break;
    case Happening::HOST_SENT:
    case Happening::HOST_SENT_NEXT:
        if (m_model.serverDelay == 0)
        {
            Forward(m_rackOf[event.b], event.a, false);
        }
        else
        {
            m_events.Schedule(m_model.serverDelay,
                              Happening::TOR_FROM_HOST,
                              event.a,
                              m_rackOf[event.b]);
        }
        // ns-3 has two events here, scheduled one right after the other.
        if (static_cast<Happening>(event.order & 15) == Happening::HOST_SENT_NEXT)
        {
            SendPacket(event.b);
        }
        break;
    case Happening::TOR_FROM_HOST:
        Forward(event.b, event.a, false);
        break;
    case Happening::UPLINK_SENT:
        UplinkSent(event.a, event.b);
        break;
    case Happening::OCS_SENT:
        m_events.Schedule(m_model.uplinkDelay, Happening::TOR_FROM_RACK, event.a, event.b);
        break;
    case Happening::TOR_FROM_RACK:
        Forward(event.b, event.a, true);
        break;
    case Happening::DOWNLINK_SENT:
        m_hosts[event.b].downBusy = false;
        if (m_model.serverDelay == 0)
        {
            Receive(event.a);
        }
        else
        {
            m_events.Schedule(m_model.serverDelay, Happening::HOST_RECEIVED, event.a);
        }
        StartDown(event.b);
        break;
    case Happening::HOST_RECEIVED:
        Receive(event.a);
        break;
    case Happening::SLOT:
        StartSlot(event.a, false);
        break;
    case Happening::OPEN:
        Open(m_slots[event.a]);
        break;
    case Happening::WITHDRAW:
        Withdraw(m_slots[event.a]);
        break;
    case Happening::CLOSE:
        Close(m_slots[event.a]);
        m_freeSlots.push_back(event.a);
        break;
    }
}

} // namespace ns3::odcn
