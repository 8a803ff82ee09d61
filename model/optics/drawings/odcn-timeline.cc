// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-timeline.h"

#include "ns3/callback.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-safe-text.h"
#include "ns3/odcn-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <ostream>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Most bytes of the name of an event.
constexpr std::size_t NAME_BYTES = 40;

/// @param text any text
/// @return a string of JSON, with its quotes
std::string
Quote(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : EscapeText(text))
    {
        quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
    return quoted + "\"";
}

/// @param ns a time
/// @return it in us, the unit of the format
std::string
ToMicroseconds(int64_t ns)
{
    const std::string digits = std::to_string(1000 + ns % 1000);
    return std::to_string(ns / 1000) + (digits == "1000" ? "" : "." + digits.substr(1));
}

/// Write the name of a process or a thread, and its place.
/// @param os file
/// @param what process or thread
/// @param ids of it, as members of an object
/// @param name of it
/// @param place among the others
void
WriteName(std::ostream& os,
          const std::string& what,
          const std::string& ids,
          const std::string& name,
          uint64_t place)
{
    os << ",\n{\"ph\":\"M\"," << ids << ",\"name\":\"" << what
       << "_name\",\"args\":{\"name\":" << Quote(name) << "}},\n{\"ph\":\"M\"," << ids
       << ",\"name\":\"" << what << "_sort_index\",\"args\":{\"sort_index\":" << place << "}}";
}

} // namespace

Timeline::Timeline() = default;

Timeline::~Timeline() = default;

void
Timeline::AddOptions(OdcnCommandLine& cmd)
{
    cmd.AddValue("trace", "JSON file of a timeline for Perfetto; empty for none", m_path);
    cmd.AddRange("traceEvents", "Most events of the timeline", m_maxEvents, uint64_t{1});
    cmd.Restrict({"traceEvents"}, {"trace"});
}

void
Timeline::SetOptions(const Timeline& options, const std::string& name)
{
    m_path = OdcnCommandLine::Expand(options.m_path, name);
    m_maxEvents = options.m_maxEvents;
}

void
Timeline::Start()
{
    if (m_path.empty())
    {
        return;
    }
    if (std::exchange(m_isStarted, true))
    {
        throw OdcnError("a timeline records one run");
    }
    m_guard.emplace();
    m_file = std::make_unique<AtomicFile>(m_path);
    AtomicFile::RemoveTemporaries(m_path);
    m_capacity = 2 * m_maxEvents;
}

uint32_t
Timeline::AddRow(const std::string& group, const std::string& name)
{
    if (!m_file)
    {
        return 0;
    }
    const auto [found, isNew] = m_indices.emplace(group, m_groups.size());
    if (isNew)
    {
        m_groups.push_back(group);
    }
    m_rows.push_back({found->second, name});
    return static_cast<uint32_t>(m_rows.size() - 1);
}

void
Timeline::AddEvent(uint32_t row, const std::string& name, Time start, Time end, uint64_t bytes)
{
    if (!m_file)
    {
        return;
    }
    if (row >= m_rows.size() || start.IsStrictlyNegative() || end < start)
    {
        PlainStream text;
        text << "Timeline: event '" << name << "' of row " << row << " from " << start.As(Time::NS)
             << " to " << end.As(Time::NS) << ", expected one of " << m_rows.size()
             << " rows, and 0 <= start <= end";
        throw OdcnError(text.str());
    }
    Interruption::Check();
    std::size_t length = std::min(name.size(), NAME_BYTES);
    while (length < name.size() && length > 0 && (name[length] & 0xc0) == 0x80)
    {
        --length; // not within a character of UTF-8
    }
    const int64_t from = start.GetNanoSeconds();
    const int64_t until = end.GetNanoSeconds();
    m_events.push_back({from, until, bytes, row, 1, name.substr(0, length)});
    m_first = std::min(m_first, from);
    m_last = std::max(m_last, until);
    ++m_nEvents;
    if (m_events.size() >= m_capacity)
    {
        Join();
        while (m_events.size() > m_maxEvents && m_resolution <= m_last - m_first)
        {
            m_resolution = std::max<int64_t>(1, 2 * m_resolution);
            Join();
        }
        // With more rows than events allowed, not at each event.
        m_capacity = 2 * std::max<uint64_t>(m_maxEvents, m_events.size());
    }
}

void
Timeline::Join()
{
    const auto isBefore = [](const Event& a, const Event& b)
    { return std::tie(a.row, a.start) < std::tie(b.row, b.start); };
    if (!std::is_sorted(m_events.begin(), m_events.end(), isBefore)) // joining keeps the order
    {
        std::stable_sort(m_events.begin(), m_events.end(), isBefore);
    }
    if (m_resolution == 0)
    {
        return;
    }
    std::size_t n = 0;           // events that stay
    std::size_t last = SIZE_MAX; // the last short one of them
    for (Event& event : m_events)
    {
        // Joined events stay joined, though they may last longer than the resolution by now.
        const bool isShort = event.count > 1 || event.end - event.start < m_resolution;
        if (isShort && last != SIZE_MAX && m_events[last].row == event.row &&
            m_events[last].start / m_resolution == event.start / m_resolution)
        {
            Event& joined = m_events[last];
            joined.end = std::max(joined.end, event.end);
            joined.bytes += event.bytes;
            joined.count += event.count;
            continue;
        }
        if (isShort)
        {
            last = n;
        }
        if (&m_events[n] != &event)
        {
            m_events[n] = std::move(event);
        }
        ++n;
    }
    m_events.erase(m_events.begin() + static_cast<std::ptrdiff_t>(n), m_events.end());
}

std::vector<uint32_t>
Timeline::FindThreads() const
{
    using Busy = std::pair<int64_t, uint32_t>; // until when, thread
    std::vector<uint32_t> threads;
    threads.reserve(m_events.size());
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::set<uint32_t> unused;
    uint32_t n = 0;
    for (std::size_t i = 0; i < m_events.size(); ++i)
    {
        const Event& event = m_events[i];
        if (i > 0 && m_events[i - 1].row != event.row)
        {
            busy = {};
            unused.clear();
            n = 0;
        }
        for (; !busy.empty() && busy.top().first <= event.start; busy.pop())
        {
            unused.insert(busy.top().second);
        }
        if (unused.empty())
        {
            unused.insert(n++);
        }
        threads.push_back(*unused.begin());
        unused.erase(unused.begin());
        busy.emplace(event.end, threads.back());
    }
    return threads;
}

uint64_t
Timeline::CountLines(const std::vector<uint32_t>& threads) const
{
    uint64_t lines = 0;
    uint32_t most = 0;
    for (std::size_t i = 0; i < m_events.size(); ++i)
    {
        most = std::max(most, threads[i] + 1);
        if (i + 1 == m_events.size() || m_events[i + 1].row != m_events[i].row)
        {
            lines += 2 * uint64_t{std::exchange(most, 0)}; // name and place of each thread
        }
    }
    return lines + m_events.size();
}

void
Timeline::Finish(std::ostream& os)
{
    if (!m_file)
    {
        return;
    }
    Interruption::Check();
    for (Plane& plane : m_planes)
    {
        for (const auto& [number, message] : plane.unfinished)
        {
            AddMessage(plane, message, "unfinished, to ");
        }
    }
    for (Circuits& circuits : m_circuits)
    {
        for (Uplink& uplink : circuits.uplinks)
        {
            EndCircuit(uplink);
        }
    }
    Join();
    std::vector<uint32_t> threads = FindThreads();
    while (CountLines(threads) > m_maxEvents && m_resolution <= m_last - m_first)
    {
        m_resolution = std::max<int64_t>(1, 2 * m_resolution);
        Join();
        threads = FindThreads();
    }
    std::string note;
    uint64_t joined = 0;
    for (const Event& event : m_events)
    {
        joined += event.count > 1 ? event.count : 0;
    }
    if (joined > 0)
    {
        note = std::to_string(joined) + " of " + std::to_string(m_nEvents) +
               " events are joined with others of their row within " +
               ToMicroseconds(m_resolution) + " us (--traceEvents)";
    }
    Write(threads, note);
    m_file->Commit();
    m_file.reset();
    m_guard.reset();
    os << "Timeline    " << m_path << ": " << m_events.size() << " events"
       << (note.empty() ? "" : "; ") << note << "\n";
    m_events = {};
}

void
Timeline::Write(const std::vector<uint32_t>& threads, const std::string& note)
{
    std::ostream& os = m_file->Stream();
    os << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"odcn\",\"note\":" << Quote(note)
       << "},\"traceEvents\":[\n"
       << R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"Timeline"}})";
    if (!note.empty())
    {
        os << ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":" << ToMicroseconds(m_first)
           << ",\"dur\":" << ToMicroseconds(m_last - m_first) << ",\"name\":" << Quote(note) << "}";
    }
    std::vector<bool> isNamed(m_groups.size(), false);
    uint64_t first = 1; // thread of the row
    uint32_t n = 0;     // threads of the row
    for (std::size_t i = 0; i < m_events.size(); ++i)
    {
        const Event& event = m_events[i];
        const Row& row = m_rows[event.row];
        if (i > 0 && m_events[i - 1].row != event.row)
        {
            first += std::exchange(n, 0);
        }
        const std::string process = "\"pid\":" + std::to_string(row.group + 2);
        const std::string ids = process + ",\"tid\":" + std::to_string(first + threads[i]);
        if (!isNamed[row.group])
        {
            WriteName(os, "process", process, m_groups[row.group], row.group + 2);
            isNamed[row.group] = true;
        }
        if (threads[i] == n) // new
        {
            ++n;
            WriteName(os,
                      "thread",
                      ids,
                      row.name + (n == 1 ? "" : " (" + std::to_string(n) + ")"),
                      first + threads[i]);
        }
        const bool isInstant = event.start == event.end;
        os << ",\n{\"ph\":\"" << (isInstant ? "i\",\"s\":\"t" : "X") << "\"," << ids
           << ",\"ts\":" << ToMicroseconds(event.start);
        if (!isInstant)
        {
            os << ",\"dur\":" << ToMicroseconds(event.end - event.start);
        }
        os << ",\"name\":"
           << Quote(event.count == 1 ? event.name : std::to_string(event.count) + " events");
        if (event.bytes > 0)
        {
            os << ",\"args\":{\"bytes\":" << event.bytes << "}";
        }
        os << "}";
    }
    os << "\n]}\n";
}

void
Timeline::AddMessages(MessagePlane& plane, const std::string& group)
{
    if (m_file)
    {
        m_planes.push_back({this, &plane, group, 0, false, {}});
        Plane* bound = &m_planes.back();
        plane.TraceConnectWithoutContext("Sent", MakeBoundCallback(&NoteSent, bound));
        plane.TraceConnectWithoutContext("Delivered", MakeBoundCallback(&NoteDelivered, bound));
    }
}

void
Timeline::NoteSent(Plane* plane, const Message& message)
{
    if (!plane->all->m_file)
    {
        return;
    }
    if (!std::exchange(plane->hasRows, true)) // now that the plane has all end points
    {
        plane->first = static_cast<uint32_t>(plane->all->m_rows.size());
        for (uint32_t i = 0; i < plane->plane->GetNEndPoints(); ++i)
        {
            plane->all->AddRow(plane->group, "sender " + std::to_string(i));
        }
    }
    plane->unfinished.emplace(message.number, message);
}

void
Timeline::NoteDelivered(Plane* plane, const Message& message)
{
    if (plane->unfinished.erase(message.number) > 0)
    {
        plane->all->AddMessage(*plane, message, "to ");
    }
}

void
Timeline::AddMessage(Plane& plane, const Message& message, const std::string& what)
{
    AddEvent(plane.first + message.from,
             what + std::to_string(message.to),
             message.sent,
             Simulator::Now(),
             message.bytes);
}

void
Timeline::AddCollective(PlaneRun& run, const Collective& collective, const std::string& name)
{
    if (m_file)
    {
        m_runs.push_back({this, &run, collective, name, 0, false});
        run.TraceConnectWithoutContext("Received", MakeBoundCallback(&NoteStep, &m_runs.back()));
    }
}

void
Timeline::NoteStep(Run* run, uint32_t index, Time sent)
{
    Timeline& all = *run->all;
    const Collective& collective = run->collective;
    if (!std::exchange(run->hasRows, true))
    {
        run->first = all.AddRow(run->name, "all ranks");
        for (uint32_t rank = 0; rank < collective.GetNRanks(); ++rank)
        {
            all.AddRow(run->name, "rank " + std::to_string(rank));
        }
    }
    const Time now = Simulator::Now();
    const Collective::Step& step = collective.GetSteps()[index];
    all.AddEvent(run->first + 1 + step.from,
                 "step " + std::to_string(index) + " to " + std::to_string(step.to),
                 sent,
                 now,
                 step.bytes);
    if (run->run->IsDone())
    {
        all.AddEvent(run->first, run->name, now - run->run->GetTime(), now, collective.GetBytes());
    }
}

void
Timeline::AddFabric(OcsFabric& fabric)
{
    if (!m_file)
    {
        return;
    }
    const OcsFabricSize& size = fabric.GetSize();
    m_circuits.push_back({this, &fabric, std::vector<Uplink>(size.racks * size.uplinks)});
    Circuits* circuits = &m_circuits.back();
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        const Ptr<OcsSwitch> at = fabric.GetSwitch(w);
        m_switches.push_back({circuits, std::vector<uint32_t>(at->GetNPorts())});
        for (RackId rack = 0; rack < size.racks; ++rack)
        {
            for (uint32_t port = w; port < size.GetNUplinks(rack); port += size.switches)
            {
                const uint32_t index = rack * size.uplinks + port;
                const uint32_t input = fabric.GetSwitchPort(rack, port);
                Uplink& uplink = circuits->uplinks[index];
                uplink.row =
                    AddRow("Optical switch " + std::to_string(w),
                           "rack " + std::to_string(rack) + ", uplink " + std::to_string(port));
                uplink.to = at->IsDark(input) ? NO_RACK : fabric.GetCircuit(rack, port).to;
                uplink.since = Simulator::Now();
                m_switches.back().inputs[input] = index;
            }
        }
        at->TraceConnectWithoutContext("ReconfigurationStart",
                                       MakeBoundCallback(&NoteDark, &m_switches.back()));
    }
    fabric.TraceConnectWithoutContext("CircuitsUp", MakeBoundCallback(&NoteUp, circuits));
}

void
Timeline::NoteDark(Switch* at, const std::vector<OcsPortChange>& changes)
{
    for (const OcsPortChange& change : changes)
    {
        at->circuits->all->EndCircuit(at->circuits->uplinks[at->inputs[change.input]]);
    }
}

void
Timeline::NoteUp(Circuits* all, const std::vector<OcsCircuit>& circuits)
{
    for (const OcsCircuit& circuit : circuits)
    {
        Uplink& uplink =
            all->uplinks[circuit.from * all->fabric->GetSize().uplinks + circuit.outPort];
        all->all->EndCircuit(uplink); // one that was preset anew
        uplink.to = circuit.to;
        uplink.since = Simulator::Now();
    }
}

void
Timeline::EndCircuit(Uplink& uplink)
{
    if (uplink.to != NO_RACK)
    {
        AddEvent(uplink.row,
                 "to rack " + std::to_string(uplink.to),
                 uplink.since,
                 Simulator::Now());
    }
    uplink.to = NO_RACK;
}

} // namespace ns3::odcn
