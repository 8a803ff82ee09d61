// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-order.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ns3
{
namespace odcn
{

namespace
{

using Kind = OdcnEventKind;

/// Position of what an event does with its packet, ahead of what it does for the next one.
constexpr uint32_t WITH_PACKET = 0;
/// Position of the next transmission, or of what a flow sends next.
constexpr uint32_t NEXT = 1;
/// No time.
constexpr int64_t UNKNOWN = std::numeric_limits<int64_t>::min();
/// Steps back that are remembered of a run.
constexpr std::size_t STEPS = 12;
/// Of these, packets or bursts sent.
constexpr uint32_t SENDS = 3;
/// Results of CameBefore() that are remembered.
constexpr std::size_t MANY = 1 << 16;

} // namespace

OdcnPacketOrder::OdcnPacketOrder(const OdcnFabricModel& model,
                                 const std::vector<OdcnFlowLog>& flows,
                                 std::vector<OdcnPortLog>& ports)
    : m_model(model),
      m_flows(flows),
      m_ports(ports),
      m_numbers{model.GetNServers(), 2 * model.GetNServers()}
{
}

void
OdcnPacketOrder::Begin(int64_t opened)
{
    m_opened = opened;
    m_known.clear();
}

void
OdcnPacketOrder::Tidy()
{
    if (m_known.size() > MANY)
    {
        m_known.clear();
    }
}

bool
OdcnPacketOrder::ArrivesBefore(uint32_t port, const OdcnPassage& a, const OdcnPassage& b) const
{
    return Before(FindArrival(port, a), FindArrival(port, b));
}

bool
OdcnPacketOrder::ArrivesBeforeDeparture(uint32_t port, const OdcnPassage& a, uint32_t index) const
{
    return Before(FindArrival(port, a), {Kind::COMPLETE, port, index, m_ports[port][index].depart});
}

bool
OdcnPacketOrder::Before(const OdcnPastEvent& a, const OdcnPastEvent& b) const
{
    const std::optional<bool> result = FindOut(a, b);
    if (!result)
    {
        throw OdcnError("two packets meet at " + std::to_string(a.time) +
                        " ps, and what tells their order was forgotten: "
                        "run this fabric event by event");
    }
    return *result;
}

std::optional<bool>
OdcnPacketOrder::FindOut(const OdcnPastEvent& first, const OdcnPastEvent& second) const
{
    Cursor a{first};
    Cursor b{second};
    while (a.event.time == b.event.time && !(a.event == b.event))
    {
        // Nothing is earlier than the beginning.
        if (a.event.kind == Kind::OPEN || b.event.kind == Kind::OPEN)
        {
            return a.event.kind == Kind::OPEN;
        }
        if (a.stride == b.stride && a.event.port != b.event.port)
        {
            // Two runs in step with each other: what is in the middle decides nothing.
            const uint32_t n = std::min(a.repeat, b.repeat);
            for (Cursor* c : {&a, &b})
            {
                c->repeat -= n;
                c->event.index -= n;
                c->event.time -= n * c->stride;
                c->position = n > 0 ? NEXT : c->position;
            }
        }
        if (!StepBack(a) || !StepBack(b))
        {
            return std::nullopt;
        }
    }
    return a.event == b.event ? a.position < b.position : a.event.time < b.event.time;
}

bool
OdcnPacketOrder::StepBack(Cursor& cursor) const
{
    OdcnPastEvent& event = cursor.event;
    if (cursor.repeat == 0 && cursor.run)
    {
        if (++cursor.step < cursor.run->steps.size())
        {
            Load(cursor);
            return true;
        }
        cursor.run = nullptr;
    }
    if (cursor.repeat == 0 && event.kind == Kind::COMPLETE)
    {
        // Does a run lead back from here?
        const OdcnPortLog& log = m_ports[event.port];
        if (event.index > log.GetRunFirst())
        {
            cursor.repeat = event.index - log.GetRunFirst();
            cursor.stride = log.GetRunTx();
        }
        else if (const OdcnPastRun* run = log.FindRun(event.index))
        {
            cursor.repeat = event.index - run->first;
            cursor.stride = run->tx;
            if (cursor.repeat == 0 && !run->steps.empty())
            {
                cursor.run = run;
                cursor.step = 0;
                Load(cursor);
                return true;
            }
        }
    }
    if (cursor.repeat > 0)
    {
        --cursor.repeat;
        --event.index;
        event.time -= cursor.stride;
        cursor.position = NEXT;
        return true;
    }
    cursor.position = WITH_PACKET;
    switch (event.kind)
    {
    case Kind::OPEN:
        return false;
    case Kind::SEND:
        return StepBackSend(cursor);
    case Kind::REACH:
        if (event.port >= m_numbers.firstUplink)
        {
            event.kind = Kind::LEAVE;
            event.time -= m_model.uplinkDelay;
            return true;
        }
        event.kind = Kind::COMPLETE;
        event.time -= m_model.serverDelay;
        return true;
    case Kind::LEAVE:
        event.kind = Kind::COMPLETE;
        event.time -= m_model.uplinkDelay;
        return true;
    case Kind::COMPLETE:
        break;
    }
    const OdcnPortLog& log = m_ports[event.port];
    if (!log.Knows(event.index))
    {
        return false;
    }
    const OdcnPassage& packet = log[event.index];
    if (event.index > 0)
    {
        const int64_t before = log[event.index - 1].depart;
        bool waited = before > packet.arrive;
        if (before == packet.arrive)
        {
            const std::optional<bool> came = CameBefore(event.port, event.index);
            if (!came)
            {
                return false;
            }
            waited = *came;
        }
        if (waited)
        {
            --event.index;
            event.time = before;
            cursor.position = NEXT;
            return true;
        }
    }
    if (event.port < m_numbers.firstDownlink)
    {
        cursor.before = static_cast<int64_t>(packet.origin);
    }
    event = FindArrival(event.port, packet);
    return true;
}

void
OdcnPacketOrder::Load(Cursor& cursor)
{
    const OdcnPastStep& step = cursor.run->steps[cursor.step];
    cursor.event = step.event;
    cursor.position = step.position;
    cursor.repeat = step.repeat;
    cursor.stride = step.stride;
}

bool
OdcnPacketOrder::StepBackSend(Cursor& cursor) const
{
    OdcnPastEvent& event = cursor.event;
    if (event.index == 0)
    {
        cursor.position = event.port;
        event = {Kind::OPEN, 0, 0, m_opened};
        return true;
    }
    cursor.position = NEXT;
    const OdcnFlowLog& flow = m_flows[event.port];
    --event.index;
    if (cursor.before != UNKNOWN)
    {
        event.time = std::exchange(cursor.before, UNKNOWN);
        return true;
    }
    if (flow.events - event.index <= OdcnFlowLog::RECENT)
    {
        event.time = flow.sent[event.index % OdcnFlowLog::RECENT];
        return true;
    }
    const auto isIt = [&event, f = event.port](const OdcnPassage& packet)
    {
        event.time = packet.sent;
        return packet.flow == f && packet.target == event.index;
    };
    const OdcnPortLog& card = m_ports[flow.from];
    for (uint32_t i = card.GetCount(); i-- > 0 && card.Knows(i);)
    {
        if (isIt(card[i]))
        {
            return true;
        }
    }
    return std::any_of(card.GetRefused().begin(), card.GetRefused().end(), isIt);
}

std::optional<bool>
OdcnPacketOrder::CameBefore(uint32_t port, uint32_t index) const
{
    // Asked again and again where packets crowd: without a memory the work would double each time.
    const uint64_t key = uint64_t(port) << 32 | index;
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(key);
        if (known != m_known.end())
        {
            return known->second;
        }
    }
    const OdcnPortLog& log = m_ports[port];
    const auto result = FindOut(FindArrival(port, log[index]),
                                {Kind::COMPLETE, port, index - 1, log[index - 1].depart});
    if (result)
    {
        const std::lock_guard lock(m_mutex);
        m_known.emplace(key, *result);
    }
    return result;
}

OdcnPastEvent
OdcnPacketOrder::FindArrival(uint32_t port, const OdcnPassage& packet) const
{
    if (port < m_numbers.firstDownlink)
    {
        return {Kind::SEND, packet.flow, packet.target, packet.sent};
    }
    const uint32_t from = packet.GetPort();
    const int64_t delay = from < m_numbers.firstUplink ? m_model.serverDelay : m_model.uplinkDelay;
    return {delay == 0 ? Kind::COMPLETE : Kind::REACH, from, packet.GetIndex(), packet.arrive};
}

uint32_t
OdcnPacketOrder::FindRunFirst(uint32_t port) const
{
    const OdcnPortLog& log = m_ports[port];
    uint32_t first = log.GetRunFirst();
    while (first > 1 && log.Knows(first) && log.Knows(first - 1))
    {
        const OdcnPassage& before = log[first - 1];
        if (before.depart < log[first].arrive ||
            (before.depart == log[first].arrive && !CameBefore(port, first).value_or(false)))
        {
            break;
        }
        if (const OdcnPastRun* run = log.FindRun(first - 1))
        {
            return run->tx == log.GetRunTx() ? run->first : first;
        }
        if (before.depart - std::max(before.arrive, log[first - 2].depart) != log.GetRunTx())
        {
            break;
        }
        --first;
    }
    return first;
}

void
OdcnPacketOrder::Keep(uint32_t port)
{
    OdcnPortLog& log = m_ports[port];
    log.SetRunFirst(FindRunFirst(port));
    OdcnPastRun& run = log.KeepRun();
    if (!run.steps.empty())
    {
        return;
    }
    Cursor cursor{{Kind::COMPLETE, port, run.first, log[run.first].depart}};
    // Two flows seldom send in one time step; that they did so the time before, too, is rarer
    // still.
    uint32_t sends = 0;
    while (run.steps.size() < STEPS && sends < SENDS && cursor.event.kind != Kind::OPEN &&
           StepBack(cursor))
    {
        sends += cursor.event.kind == Kind::SEND;
        run.steps.push_back({cursor.event, cursor.position, cursor.repeat, cursor.stride});
        cursor.event.index -= cursor.repeat;
        cursor.event.time -= cursor.repeat * cursor.stride;
        cursor.repeat = 0;
    }
}

} // namespace odcn
} // namespace ns3
