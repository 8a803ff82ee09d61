// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Faults: their events, and what fails of hosts and of the ports to them.
 */

#include "odcn-exact-engine.h"
#include "odcn-exact-loop.h"

#include <algorithm>

namespace ns3::odcn
{

void
ExactPackets::Engine::StartFaults()
{
    for (const auto& [part, sizes] : m_faults.parts)
    {
        m_tally.SetSizes(part, sizes);
    }
    m_tally.Start(Time(0));
    const std::vector<Fault>& faults = m_faults.plan.Get();
    for (uint32_t i = 0; i < faults.size(); ++i)
    {
        if (faults[i].start.IsZero())
        {
            m_isEarly = true;
            ChangeFault(2 * i);
            m_isEarly = false;
        }
        else
        {
            m_events.Schedule(faults[i].start.GetPicoSeconds(), Happening::FAULT, 2 * i);
        }
        if (faults[i].end != Time::Max())
        {
            m_events.Schedule(faults[i].end.GetPicoSeconds(), Happening::FAULT, 2 * i + 1);
        }
    }
}

void
ExactPackets::Engine::ChangeFault(uint32_t index)
{
    const Fault& fault = m_faults.plan.Get()[index / 2];
    const bool failed = index % 2 == 0;
    if (!m_tally.Change(fault, failed, PicoSeconds(m_events.Now())))
    {
        return;
    }
    if (fault.part == FaultPart::SERVER)
    {
        SetCard(fault.first * m_links.hostsPerRack + fault.second, failed);
    }
    else
    {
        SetPart(fault, failed);
    }
}

void
ExactPackets::Engine::NoteFaults()
{
    for (std::size_t i = 0; HasFaults() && i < FAULT_PARTS; ++i)
    {
        const auto part = static_cast<FaultPart>(i);
        m_result.faults += m_tally.GetNFaults(part);
        m_result.availability =
            std::min(m_result.availability, m_tally.GetAvailability(part, m_result.end));
    }
}

void
ExactPackets::Engine::SetCard(ServerId h, bool failed)
{
    if (!m_tally.Count({CARD, h, 0}, failed))
    {
        return;
    }
    if (!failed)
    {
        m_cards[h].Repair(m_events.Now());
        return;
    }
    m_cards[h].Fail(m_hasLoops ? m_loops[h]->IsSending() : m_areSending[h]);
    if (m_hasLoops)
    {
        m_loops[h]->LoseWaiting();
    }
}

void
ExactPackets::Engine::LeaveCard(uint32_t packet, ServerId h)
{
    uint32_t from = h;
    if (!m_cards.empty()) [[unlikely]]
    {
        m_areSending[h] = false;
        from |= m_cards[h].TakeTruncated();
    }
    if (m_links.delay == 0)
    {
        ReachSwitch(packet, from);
    }
    else
    {
        m_events.Schedule(m_links.delay, Happening::FROM_HOST, packet, from);
    }
}

void
ExactPackets::Engine::ReachSwitch(uint32_t packet, uint32_t from)
{
    const ServerId h = from & ~TRUNCATED;
    if (!m_downs.empty() &&
        (from != h || m_downs[h].Misses(m_events.Now(), m_serverTx[m_packets[packet].bytes])))
    {
        Drop(packet, OcsDropCause::PORT_FAILED);
        return;
    }
    FromHost(packet, h);
}

void
ExactPackets::Engine::SetDownlink(ServerId h, bool failed)
{
    if (!m_tally.Count({DOWNLINK, h, 0}, failed))
    {
        return;
    }
    if (!failed)
    {
        m_downs[h].Repair(m_events.Now());
        return;
    }
    m_downs[h].Fail(m_hosts[h].downBusy);
    LoseWaiting(h, OcsDropCause::PORT_FAILED);
}

void
ExactPackets::Engine::LoseWaiting(ServerId h, OcsDropCause cause)
{
    while (m_hosts[h].down.packets > 0)
    {
        Drop(TakeFirst(m_hosts[h].down), cause);
    }
}

} // namespace ns3::odcn
