// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Faults of a fabric: its parts, what control learns of them, and what ToR switches do then.
 */

#include "odcn-schedule-agreement.h"
#include "odcn-schedule-engine.h"
#include "odcn-schedule-optics.h"

#include <utility>

namespace ns3::odcn
{

void
SchedulePackets::FabricEngine::SetPart(const Fault& fault, bool failed)
{
    const uint32_t perRack = (m_model.uplinks + m_model.switches - 1) / m_model.switches;
    // As in FaultInjector: uplink of a port of an optical switch, NONE if there is none.
    const auto findUplink = [this, perRack](uint32_t w, uint32_t port)
    {
        const uint32_t uplink = port % perRack * m_model.switches + w;
        return uplink < m_model.uplinks ? port / perRack * m_model.uplinks + uplink : NONE;
    };
    const auto both = [](uint32_t uplink) {
        return std::vector<Path>{{uplink, true}, {uplink, false}};
    };
    const uint32_t uplink = fault.first * m_model.uplinks + fault.second; // of UPLINK and FIBER
    const uint32_t port = findUplink(fault.first, fault.second);          // of optical switches
    std::vector<Path> paths;
    switch (fault.part)
    {
    case FaultPart::OCS:
        for (uint32_t p = 0; p < m_model.racks * perRack; ++p)
        {
            if (const uint32_t each = findUplink(fault.first, p); each != NONE)
            {
                m_optics->SetPort(each, failed, OcsDropCause::PORT_FAILED);
                paths.insert(paths.end(), {{each, true}, {each, false}});
            }
        }
        break;
    case FaultPart::OCS_PORT:
        if (port != NONE)
        {
            m_optics->SetPort(port, failed, OcsDropCause::PORT_FAILED);
            paths = both(port);
        }
        break;
    case FaultPart::MIRROR:
    case FaultPart::CIRCUIT:
        if (port != NONE)
        {
            paths = m_optics->SetMirror(port,
                                        failed,
                                        fault.part == FaultPart::MIRROR ? OcsMirror::STUCK
                                                                        : OcsMirror::LOSES);
        }
        break;
    case FaultPart::FIBER:
        m_optics->SetPort(uplink, failed, OcsDropCause::FIBER_CUT);
        paths = both(uplink);
        break;
    case FaultPart::UPLINK:
        SetUplink(uplink, failed);
        paths = both(uplink);
        break;
    case FaultPart::TOR:
        SetTor(fault.first, failed);
        for (uint32_t p = 0; p < m_model.uplinks; ++p)
        {
            const uint32_t each = fault.first * m_model.uplinks + p;
            paths.insert(paths.end(), {{each, true}, {each, false}});
        }
        break;
    default:
        break;
    }
    TellPaths(paths, failed);
}

void
SchedulePackets::FabricEngine::SetUplink(uint32_t index, bool failed)
{
    if (!m_tally.Count({UPLINK, index, 0}, failed))
    {
        return;
    }
    Uplink& uplink = m_uplinks[index];
    if (failed)
    {
        uplink.state.Fail(uplink.sending);
    }
    else
    {
        uplink.state.Repair(m_events.Now());
    }
    WorksChanged(index / m_model.uplinks, index % m_model.uplinks);
}

void
SchedulePackets::FabricEngine::SetTor(RackId rack, bool failed)
{
    Tor& tor = m_tors[rack];
    const ServerId first = rack * m_model.serversPerRack;
    for (ServerId host = first; failed && host < first + m_model.serversPerRack; ++host)
    {
        LoseWaiting(host, OcsDropCause::REBOOT);
    }
    for (auto* queues : {&tor.local, &tor.relay, &tor.port})
    {
        for (PacketQueue& queue : *queues)
        {
            while (failed && queue.packets > 0)
            {
                Drop(Dequeue(rack, queue, queues == &tor.local), OcsDropCause::REBOOT);
            }
        }
    }
    if (failed && m_bulk == TorForwarding::TRANSIT_AGREED)
    {
        m_agreements[rack]->GetLogic().Forget();
    }
    for (uint32_t port = 0; port < m_model.uplinks; ++port)
    {
        SetUplink(rack * m_model.uplinks + port, failed);
    }
    for (ServerId host = first; host < first + m_model.serversPerRack; ++host)
    {
        SetDownlink(host, failed);
    }
}

void
SchedulePackets::FabricEngine::TellPaths(const std::vector<Path>& paths, bool failed)
{
    if (IsKnownAtOnce())
    {
        Told(paths, failed);
        return;
    }
    m_told.emplace_back(paths, failed);
    TellLater();
}

void
SchedulePackets::FabricEngine::Told(const std::vector<Path>& paths, bool failed)
{
    for (const Path& path : paths)
    {
        if (m_tally.Count({path.output ? OUTWARD : INWARD, path.uplink, 0}, failed))
        {
            SetPathFailed(path, failed);
        }
    }
}

bool
SchedulePackets::FabricEngine::IsUsable(RackId rack, uint32_t port, RackId to) const
{
    return m_outFailed.empty() || (!m_outFailed[rack * m_model.uplinks + port] &&
                                   !m_inFailed[to * m_model.uplinks + port]);
}

void
SchedulePackets::FabricEngine::SetPathFailed(const Path& path, bool failed)
{
    (path.output ? m_outFailed : m_inFailed)[path.uplink] = failed;
    failed ? ++m_nFailed : --m_nFailed;
    const RackId rack = path.uplink / m_model.uplinks;
    const uint32_t port = path.uplink % m_model.uplinks;
    for (RackId from = 0; from < m_model.racks; ++from)
    {
        const RackId to = GetUplink(from, port).peer;
        if (to != NO_RACK && (path.output ? from : to) == rack)
        {
            SetUsable(from, port);
        }
    }
    if (m_schedule && !std::exchange(m_updates, true)) // once for all paths that change now
    {
        m_events.Schedule(0, Happening::CUT_OFF, 0);
    }
}

void
SchedulePackets::FabricEngine::SetUsable(RackId rack, uint32_t port)
{
    Uplink& uplink = GetUplink(rack, port);
    const bool usable = IsUsable(rack, port, uplink.peer);
    if (std::exchange(uplink.usable, usable) != usable)
    {
        WorksChanged(rack, port);
    }
}

void
SchedulePackets::FabricEngine::WorksChanged(RackId rack, uint32_t port)
{
    UpdatePath(rack, port);
    if (GetUplink(rack, port).Works())
    {
        Serve(rack, port);
    }
    else
    {
        Respread(rack, port);
    }
}

bool
SchedulePackets::FabricEngine::Leads(RackId rack, RackId transit, RackId to) const
{
    return !m_table.IsCutOff(rack, transit) && (transit == to || !m_table.IsCutOff(transit, to));
}

} // namespace ns3::odcn
