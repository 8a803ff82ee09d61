// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-schedule-optics.h"

#include <utility>

namespace ns3::odcn
{

SchedulePackets::FabricEngine::Optics::Optics(FabricEngine& engine)
    : m_engine(engine),
      m_ports(engine.m_uplinks.size())
{
}

std::vector<bool>
SchedulePackets::FabricEngine::Optics::Command(uint32_t plane, const Matching& to, bool initial)
{
    const uint32_t uplinks = m_engine.m_model.uplinks;
    std::vector<bool> changed = FindPresent(plane, to);
    changed.flip();
    std::vector<Change> changes;
    for (RackId rack = 0; rack < to.size(); ++rack)
    {
        const uint32_t output = to[rack] == NO_RACK ? NONE : to[rack] * uplinks + plane;
        const Change change{rack * uplinks + plane, output};
        changed[rack] = changed[rack] || initial;
        m_ports[change.input].wanted = output;
        changes.push_back(Obey(change));
    }
    Move(changes, initial ? 0 : m_engine.GetDarkTime(), initial);
    return changed;
}

std::vector<bool>
SchedulePackets::FabricEngine::Optics::FindPresent(uint32_t plane, const Matching& to) const
{
    const uint32_t uplinks = m_engine.m_model.uplinks;
    std::vector<bool> present;
    for (RackId rack = 0; rack < to.size(); ++rack)
    {
        const uint32_t output = to[rack] == NO_RACK ? NONE : to[rack] * uplinks + plane;
        present.push_back(m_ports[rack * uplinks + plane].output == output);
    }
    return present;
}

SchedulePackets::FabricEngine::Optics::Change
SchedulePackets::FabricEngine::Optics::Obey(const Change& change) const
{
    const Port& in = m_ports[change.input];
    if (in.mirror == OcsMirror::STUCK || in.output == change.output || change.output == NONE)
    {
        return {change.input, in.mirror == OcsMirror::STUCK ? in.output : change.output};
    }
    const uint32_t holder = m_ports[change.output].input;
    const bool isHeld = holder != NONE && m_ports[holder].mirror == OcsMirror::STUCK;
    return {change.input, isHeld || in.mirror == OcsMirror::LOSES ? NONE : change.output};
}

void
SchedulePackets::FabricEngine::Optics::Move(const std::vector<Change>& changes,
                                            int64_t dark,
                                            bool initial)
{
    std::vector<Change> moved;
    std::vector<uint32_t> cut;
    for (const Change& change : changes)
    {
        if (m_ports[change.input].output != change.output)
        {
            moved.push_back(change);
        }
    }
    m_reconfigured += !initial && m_engine.m_events.Now() < m_engine.m_average ? moved.size() : 0;
    for (const Change& change : moved)
    {
        const Port& in = m_ports[change.input];
        if (in.output != NONE)
        {
            if (!m_engine.m_model.deliver)
            {
                cut.push_back(change.input);
            }
            m_ports[in.output].input = NONE;
        }
    }
    for (const Change& change : moved)
    {
        Port& in = m_ports[change.input];
        in.output = change.output;
        in.upFrom = m_engine.m_events.Now() + dark;
        if (change.output != NONE)
        {
            m_ports[change.output].input = change.input;
        }
    }
    for (const uint32_t input : cut)
    {
        Cut(input, OcsDropCause::CUT);
    }
}

void
SchedulePackets::FabricEngine::Optics::FirstBit(uint32_t packet, uint32_t input)
{
    Port& in = m_ports[input];
    const int64_t now = m_engine.m_events.Now();
    if (in.isFailed)
    {
        m_engine.Lose(packet, in.failure);
    }
    else if (in.output == NONE)
    {
        m_engine.Lose(packet, OcsDropCause::NO_CIRCUIT);
    }
    else if (now < in.upFrom || in.crossing != NONE)
    {
        m_engine.Lose(packet, OcsDropCause::DARK);
    }
    else if (m_ports[in.output].isFailed)
    {
        m_engine.Lose(packet, m_ports[in.output].failure);
    }
    else
    {
        in.crossing = packet;
        in.crossingTo = in.output;
        in.lastBit = now + m_engine.GetTx(packet);
    }
}

void
SchedulePackets::FabricEngine::Optics::LastBit(uint32_t packet, uint32_t from)
{
    const uint32_t input = from & ~TRUNCATED;
    Port& in = m_ports[input];
    if (in.crossing != packet)
    {
        return; // lost meanwhile
    }
    in.crossing = NONE;
    if (from != input)
    {
        m_engine.Lose(packet, OcsDropCause::PORT_FAILED);
    }
    else if (m_engine.m_model.uplinkDelay == 0)
    {
        m_engine.ReachUplink(packet, in.crossingTo);
    }
    else
    {
        m_engine.m_events.Schedule(m_engine.m_model.uplinkDelay,
                                   Happening::FROM_UPLINK,
                                   packet,
                                   in.crossingTo);
    }
}

void
SchedulePackets::FabricEngine::Optics::Cut(uint32_t input, OcsDropCause cause)
{
    Port& in = m_ports[input];
    if (in.crossing != NONE && m_engine.m_events.Now() < in.lastBit)
    {
        m_engine.Lose(std::exchange(in.crossing, NONE), cause);
    }
}

void
SchedulePackets::FabricEngine::Optics::SetPort(uint32_t port, bool failed, OcsDropCause cause)
{
    if (!m_engine.m_tally.Count({OCS_PORT, port, 0}, failed))
    {
        return;
    }
    m_ports[port].isFailed = failed;
    if (!failed)
    {
        return;
    }
    m_ports[port].failure = cause;
    Cut(port, cause);
    for (uint32_t input = 0; input < m_ports.size(); ++input)
    {
        if (m_ports[input].crossing != NONE && m_ports[input].crossingTo == port)
        {
            Cut(input, cause);
        }
    }
}

std::vector<SchedulePackets::FabricEngine::Path>
SchedulePackets::FabricEngine::Optics::SetMirror(uint32_t input, bool failed, OcsMirror mirror)
{
    const bool isStuck = mirror == OcsMirror::STUCK;
    const FaultTally::Key key{isStuck ? STUCK : MISSING, input, 0};
    m_engine.m_tally.Count(key, failed);
    if (failed)
    {
        // What a stuck mirror keeps is lost to others, too.
        m_held[key] = {{input, true}};
        if (isStuck && m_ports[input].output != NONE)
        {
            m_held[key].push_back({m_ports[input].output, false});
        }
    }
    m_ports[input].mirror = m_engine.m_tally.Has({STUCK, input, 0})     ? OcsMirror::STUCK
                            : m_engine.m_tally.Has({MISSING, input, 0}) ? OcsMirror::LOSES
                                                                        : OcsMirror::WORKS;
    if (m_ports[input].mirror == OcsMirror::STUCK)
    {
        return m_held[key];
    }
    const FabricModel& model = m_engine.m_model;
    std::vector<Change> changes;
    for (uint32_t i = 0; i < m_ports.size(); ++i)
    {
        // Those of the same switch; an input whose mirrors have missed waits for its next command.
        if (i % model.uplinks % model.switches == input % model.uplinks % model.switches &&
            (i == input || m_ports[i].mirror != OcsMirror::LOSES))
        {
            changes.push_back(Obey({i, m_ports[i].wanted}));
        }
    }
    Move(changes, m_engine.GetDarkTime());
    return m_held[key];
}

} // namespace ns3::odcn
