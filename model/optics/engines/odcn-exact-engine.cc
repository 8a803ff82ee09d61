// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The loop over events, and what a run results in.
 */

#include "odcn-exact-engine.h"

#include "odcn-exact-loop.h"
#include "odcn-fabric-model.h"

#include "ns3/odcn-interruption.h"
#include "ns3/odcn-transport-header.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

ExactPackets::Engine::Engine(const HostLinks& links,
                             const HostSettings& settings,
                             const Faults& faults,
                             const Traffic& flows)
    : m_flows(flows),
      m_links(links),
      m_settings(settings),
      m_faults(faults),
      m_window(settings.goodputWindow.GetPicoSeconds()),
      m_hosts(std::size_t(links.racks) * links.hostsPerRack),
      m_open(flows.size()),
      m_unsent(flows.size()),
      m_hasLoops(settings.HasLoops())
{
    m_result.received.assign(flows.size(), PicoSeconds(-1));
    for (uint32_t bytes = 0; bytes <= GetMostBytes(); ++bytes)
    {
        m_serverTx.push_back(TransmissionTime(links.rate, bytes));
    }
    m_events.AddLane(m_serverTx[settings.packetSize]);
    m_events.AddLane(links.delay);
    for (Host& host : m_hosts)
    {
        host.down = MakeQueue(links.down.fair);
    }
    for (RackId rack = 0; rack < links.racks; ++rack)
    {
        m_rackOf.insert(m_rackOf.end(), links.hostsPerRack, rack);
    }
    std::vector<uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&flows](uint32_t a, uint32_t b) {
                         return std::pair(flows[a].from, flows[a].start) <
                                std::pair(flows[b].from, flows[b].start);
                     });
    for (const uint32_t i : order)
    {
        Host& host = m_hosts[flows[i].from];
        if (host.end == 0)
        {
            host.next = m_outgoing.size();
        }
        m_outgoing.push_back({i,
                              flows[i].to,
                              flows[i].bytes,
                              m_outgoing.size(),
                              flows[i].bytes < m_settings.shortFlows});
        host.end = m_outgoing.size();
    }
    for (const Traffic::Item& flow : flows)
    {
        m_result.sent.push_back(flow.start);
        m_missing.push_back(flow.bytes);
    }
    for (ServerId host = 0; m_hasLoops && host < m_hosts.size(); ++host)
    {
        m_loops.push_back(std::make_unique<Loop>(*this, host));
    }
    if (HasFaults())
    {
        m_cards.resize(m_hosts.size());
        m_downs.resize(m_hosts.size());
        m_areSending.resize(m_hosts.size());
    }
    if (links.hold)
    {
        for (Host& host : m_hosts)
        {
            host.held.resize(links.racks);
            host.circuits.resize(links.uplinks);
        }
    }
}

ExactPackets::Engine::~Engine() = default;

uint32_t
ExactPackets::Engine::GetMostBytes() const
{
    constexpr uint32_t LEAST_HEADERS = 28 + FlowHeader::SIZE + MessageHeader::SIZE;
    return m_hasLoops ? std::max<uint32_t>(m_settings.packetSize,
                                           LEAST_HEADERS +
                                               TransportHeader::GetSize(TransportLogic::MAX_RANGES))
                      : m_settings.packetSize;
}

ExactPackets::Result
ExactPackets::Engine::Run(int64_t until, TrafficSource* source)
{
    m_source = source;
    m_headers = source ? MESSAGE_HEADERS : HEADERS;
    // As ns-3 with traffic, faults and then Simulator::Run(), which starts the hosts.
    Begin();
    if (source)
    {
        source->Start(m_toSend);
        for (const Message& message : m_toSend)
        {
            Accept(message);
        }
        WaitForEnd();
    }
    StartFaults();
    for (ServerId host = 0; host < m_hosts.size(); ++host)
    {
        m_events.Schedule(0, Happening::FLOW_START, host);
    }
    HostsStart();
    PacketEvent event;
    // Without answers, nothing more can arrive once all packets were sent and received or lost.
    const bool goesOn = m_hasLoops || HasFaults() || GoesOn();
    const auto isBusy = [this, goesOn]
    { return m_open > 0 && (goesOn || m_unsent > 0 || m_result.counts.inFlight > 0); };
    while (isBusy() && m_events.Take(until, event))
    {
        Interruption::Check();
        Handle(event);
    }
    m_result.end = PicoSeconds(m_open > 0 ? until : m_events.Now());
    for (const uint64_t bytes : m_windows)
    {
        m_result.goodput.push_back(bytes * 8 / m_settings.goodputWindow.GetSeconds());
    }
    NoteStages();
    NoteFaults();
    m_result.messages.packets = source && !m_hasLoops ? m_result.counts.sent : 0;
    for (const auto& loop : m_loops)
    {
        m_result.messages += loop->GetLogic().GetMessageCounts();
    }
    End();
    return std::move(m_result);
}

void
ExactPackets::Engine::HandleHost(const PacketEvent& event)
{
    switch (event.What())
    {
    case Happening::FLOW_START:
        m_isRunning = true;
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
    case Happening::MESSAGE_SEND:
        StartMessage(event.a);
        break;
    case Happening::TIMER:
        m_loops[event.a]->Expired(event.b, event.order);
        break;
    case Happening::HOST_SENT:
    case Happening::HOST_SENT_NEXT:
        if (m_hasLoops)
        {
            m_loops[event.b]->Sent(event.a);
            break;
        }
        LeaveCard(event.a, event.b);
        // ns-3 has two events here, scheduled one right after the other.
        if (event.What() == Happening::HOST_SENT_NEXT)
        {
            SendPacket(event.b);
        }
        break;
    case Happening::FROM_HOST:
        ReachSwitch(event.a, event.b);
        break;
    case Happening::DOWNLINK_SENT:
    {
        m_hosts[event.b].downBusy = false;
        const uint32_t truncated = m_downs.empty() ? 0 : m_downs[event.b].TakeTruncated();
        if (m_links.delay == 0)
        {
            Receive(event.a, truncated);
        }
        else
        {
            m_events.Schedule(m_links.delay, Happening::HOST_RECEIVED, event.a, truncated);
        }
        StartDown(event.b);
        break;
    }
    case Happening::HOST_RECEIVED:
        Receive(event.a, event.b);
        break;
    case Happening::FAULT:
        ChangeFault(event.a);
        break;
    default:
        break;
    }
}

} // namespace ns3::odcn
