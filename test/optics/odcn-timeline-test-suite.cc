// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Timelines against the trace sources of the run and the state of its switches, and joined events
 * against a count from scratch.
 */

#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-timeline.h"

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <csignal>
#include <filesystem>
#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// An event of a file: group, row, name, start and end in ns, bytes.
using Span = std::tuple<std::string, std::string, std::string, int64_t, int64_t, uint64_t>;

/// @param us time in the file, in microseconds
/// @return the time in nanoseconds
int64_t
ToNs(const std::string& us)
{
    return std::llround(std::stold(us) * 1000);
}

/// @param span an event
/// @return how many it stands for
uint64_t
GetCount(const Span& span)
{
    const std::string& name = std::get<2>(span);
    return name.ends_with(" events") ? std::stoull(name) : 1;
}

/// Reads what a timeline has written.
struct TimelineFixture : TestCase
{
    using TestCase::TestCase;

    /// @param path file
    /// @return its events; events of a thread must not overlap
    std::vector<Span> Read(const std::string& path)
    {
        boost::property_tree::ptree tree;
        boost::property_tree::read_json(path, tree);
        m_note = tree.get<std::string>("otherData.note");
        using Thread = std::pair<std::string, std::string>;
        std::map<std::string, std::string> groups;
        std::map<Thread, std::string> rows;
        std::map<Thread, std::set<std::pair<int64_t, int64_t>>> times;
        std::vector<Span> spans;
        m_lines = 0;
        for (const auto& [key, event] : tree.get_child("traceEvents"))
        {
            const auto get = [&event = event](const char* member)
            { return event.get<std::string>(member); };
            const std::string kind = get("ph");
            const std::string pid = get("pid");
            const std::string name = get("name");
            if (name == "process_name")
            {
                groups[pid] = get("args.name");
                continue;
            }
            if (name == "process_sort_index")
            {
                continue;
            }
            m_lines += pid != "1";
            if (name == "thread_name")
            {
                const std::string row = get("args.name");
                rows[{pid, get("tid")}] = row.substr(0, row.find(" ("));
            }
            else if (kind == "X" || kind == "i")
            {
                const int64_t start = ToNs(get("ts"));
                const int64_t end = kind == "X" ? start + ToNs(get("dur")) : start;
                NS_TEST_EXPECT_MSG_EQ((kind == "X"), (end > start || pid == "1"), "duration");
                times[{pid, get("tid")}].emplace(start, end);
                if (pid == "1")
                {
                    NS_TEST_EXPECT_MSG_EQ(name, m_note, "the note is an event, too");
                    continue;
                }
                spans.emplace_back(groups.at(pid),
                                   rows.at({pid, get("tid")}),
                                   name,
                                   start,
                                   end,
                                   event.get<uint64_t>("args.bytes", 0));
            }
        }
        for (const auto& [thread, all] : times)
        {
            int64_t last = 0;
            for (const auto& [start, end] : all)
            {
                NS_TEST_EXPECT_MSG_EQ((start >= last), true, "events of a thread overlap");
                last = end;
            }
        }
        return spans;
    }

    /// @param spans all events
    /// @param group title
    /// @return those of the group
    static std::multiset<Span> Select(const std::vector<Span>& spans, const std::string& group)
    {
        std::multiset<Span> some;
        std::copy_if(spans.begin(),
                     spans.end(),
                     std::inserter(some, some.end()),
                     [&](const Span& span) { return std::get<0>(span) == group; });
        return some;
    }

    std::string m_note;  //!< of the file
    uint64_t m_lines{0}; //!< of events and threads
};

/// A collective on a rotor fabric.
struct RotorTimelineFixture : TimelineFixture
{
    using TimelineFixture::TimelineFixture;

    static void NoteMessage(std::multiset<Span>* spans, const Message& message)
    {
        spans->emplace("Messages",
                       "sender " + std::to_string(message.from),
                       "to " + std::to_string(message.to),
                       message.sent.GetNanoSeconds(),
                       Simulator::Now().GetNanoSeconds(),
                       message.bytes);
    }

    void NoteStep(uint32_t index, Time sent)
    {
        const Collective::Step& step = m_collective.GetSteps()[index];
        m_steps.emplace("ring",
                        "rank " + std::to_string(step.from),
                        "step " + std::to_string(index) + " to " + std::to_string(step.to),
                        sent.GetNanoSeconds(),
                        Simulator::Now().GetNanoSeconds(),
                        step.bytes);
    }

    /// Look at the circuits of now, and again later. @param fabric the fabric
    void Look(Ptr<OcsFabric> fabric)
    {
        for (RackId rack = 0; rack < RACKS; ++rack)
        {
            for (uint32_t port = 0; port < 2; ++port)
            {
                const auto at = fabric->GetSwitch(fabric->GetSwitchOf(port));
                const bool dark = at->IsDark(fabric->GetSwitchPort(rack, port));
                m_looks.push_back({Simulator::Now().GetNanoSeconds(),
                                   rack,
                                   port,
                                   dark ? NO_RACK : fabric->GetCircuit(rack, port).to});
            }
        }
        Simulator::Schedule(NanoSeconds(3701), &RotorTimelineFixture::Look, this, fabric);
    }

    /// What a switch did at a time.
    struct Seen
    {
        int64_t time;  //!< in nanoseconds
        RackId rack;   //!< that sends
        uint32_t port; //!< index of the uplink
        RackId to;     //!< that receives, or NO_RACK
    };

    static constexpr uint32_t RACKS = 6;

    Collective m_collective{Collective::Make("all-reduce:ring", RACKS, 600000)};
    std::multiset<Span> m_messages; //!< delivered
    std::multiset<Span> m_steps;    //!< received
    std::vector<Seen> m_looks;      //!< at circuits
};

/// @copybrief RotorTimelineFixture
ODCN_TEST_CASE_F(RotorTimelineFixture,
                 RotorTimelineTestCase,
                 "A timeline has every message, step and circuit of the run")
{
    const std::string path = CreateTempDirFilename("run.json");
    Timeline timeline;
    ScheduledFabric t(RACKS, 2, "Rotor", "ValiantRouting");
    const auto level = CreateObject<CircuitFlowLevel>();
    FabricModel model = OcsHelper().GetModel(t.fabric->GetSize());
    level->SetFabric(model, t.plan);
    const auto run = CreateObject<PlaneRun>();
    timeline.SetFile(path);
    timeline.Start();
    timeline.AddMessages(*level);
    timeline.AddCollective(*run, m_collective, "ring");
    timeline.AddFabric(*t.fabric);
    const uint32_t job = timeline.AddRow("Jobs", "cluster");
    timeline.AddEvent(job, "a \"job\"\\\n\xc3\xa9", NanoSeconds(5), NanoSeconds(5));
    level->TraceConnectWithoutContext("Delivered", MakeBoundCallback(&NoteMessage, &m_messages));
    run->TraceConnectWithoutContext("Received",
                                    MakeCallback(&RotorTimelineFixture::NoteStep, this));
    bool isDone = false;
    run->Start(level, m_collective.GetMessages({2, 3, 5, 4, 1, 0}), [&isDone] { isDone = true; });
    Simulator::Schedule(NanoSeconds(1), &RotorTimelineFixture::Look, this, t.fabric);
    Simulator::Schedule(MicroSeconds(1), [&level] { level->Send(0, 1, 1000000000, {}); });
    RunFor(run->GetTime() + MilliSeconds(30));
    NS_TEST_ASSERT_MSG_EQ(isDone, true, "the collective");
    const int64_t end = Simulator::Now().GetNanoSeconds();
    std::ostringstream os;
    timeline.Finish(os);
    const auto spans = Read(path);
    NS_TEST_EXPECT_MSG_EQ(os.str(),
                          "Timeline    " + path + ": " + std::to_string(spans.size()) + " events\n",
                          "said");
    NS_TEST_EXPECT_MSG_EQ(m_note, "", "no note");

    m_messages.emplace("Messages", "sender 0", "unfinished, to 1", 1000, end, 1000000000);
    NS_TEST_EXPECT_MSG_EQ(m_messages.size(), 2 * 5 * 6 + 1, "messages");
    NS_TEST_EXPECT_MSG_EQ((Select(spans, "Messages") == m_messages), true, "messages");
    const int64_t time = run->GetTime().GetNanoSeconds();
    m_steps.emplace("ring", "all ranks", "ring", 0, time, m_collective.GetBytes());
    NS_TEST_EXPECT_MSG_EQ((Select(spans, "ring") == m_steps), true, "steps");
    const auto jobs = Select(spans, "Jobs");
    NS_TEST_ASSERT_MSG_EQ(jobs.size(), 1, "jobs");
    NS_TEST_EXPECT_MSG_EQ(std::get<2>(*jobs.begin()), "a \"job\"\\\\x0a\xc3\xa9", "name");

    std::map<std::pair<RackId, uint32_t>, std::vector<Span>> circuits;
    for (uint32_t w = 0; w < 2; ++w)
    {
        for (const Span& span : Select(spans, "Optical switch " + std::to_string(w)))
        {
            const std::string& row = std::get<1>(span); // rack R, uplink P
            circuits[{std::stoul(row.substr(5)), std::stoul(row.substr(row.rfind(' ')))}].push_back(
                span);
        }
    }
    uint64_t up = 0;
    for (const Seen& seen : m_looks)
    {
        std::string found;
        for (const Span& span : circuits[{seen.rack, seen.port}])
        {
            const bool isNow = std::get<3>(span) <= seen.time && seen.time < std::get<4>(span);
            found += isNow ? std::get<2>(span) : "";
        }
        up += seen.to != NO_RACK;
        NS_TEST_EXPECT_MSG_EQ(found,
                              (seen.to == NO_RACK ? "" : "to rack " + std::to_string(seen.to)),
                              "rack " << seen.rack << ", uplink " << seen.port << " at "
                                      << seen.time << " ns");
    }
    NS_TEST_EXPECT_MSG_GT(up, 10000, "circuits that are up");
    NS_TEST_EXPECT_MSG_GT(m_looks.size() - up, 1000, "dark");
}

/// @copybrief TimelineFixture
ODCN_TEST_CASE_F(TimelineFixture,
                 JoinTestCase,
                 "Joined events are those of the least resolution that suffices")
{
    std::mt19937 random(1);
    for (const uint64_t most : {2000, 700, 90, 10, 1})
    {
        const std::string path = CreateTempDirFilename("joined.json");
        Timeline timeline;
        timeline.SetFile(path);
        timeline.SetMaxEvents(most);
        timeline.Start();

        struct Plain
        {
            uint32_t row;
            int64_t start;
            int64_t end;
            uint64_t bytes;
        };

        std::vector<Plain> events;
        for (uint32_t row = 0; row < 5; ++row)
        {
            timeline.AddRow("group", "row " + std::to_string(row));
        }
        for (uint32_t i = 0; i < 1500; ++i)
        {
            const int64_t start = random() % 100000;
            const int64_t length = random() % 4 == 0 ? random() % 5000 : random() % 64;
            events.push_back({uint32_t(random() % 5), start, start + length, random() % 1000});
            const Plain& e = events.back();
            timeline.AddEvent(e.row, "x", NanoSeconds(e.start), NanoSeconds(e.end), e.bytes);
        }
        std::ostringstream os;
        timeline.Finish(os);
        const auto spans = Read(path);

        // From scratch: the least resolution with few enough lines, else one event a row.
        std::multiset<Span> expected;
        uint64_t lines = 0;
        for (int64_t r = 0;; r = std::max<int64_t>(1, 2 * r))
        {
            std::map<std::pair<uint32_t, int64_t>, std::vector<Plain>> bins;
            std::vector<std::vector<Plain>> joins;
            for (const Plain& e : events)
            {
                e.end - e.start < r ? bins[{e.row, e.start / r}].push_back(e)
                                    : joins.push_back({e});
            }
            for (const auto& [key, bin] : bins)
            {
                joins.push_back(bin);
            }
            expected.clear();
            std::map<std::string, std::map<int64_t, int>> changes;
            for (const auto& join : joins)
            {
                Plain sum{join[0].row, INT64_MAX, 0, 0};
                for (const Plain& e : join)
                {
                    sum.start = std::min(sum.start, e.start);
                    sum.end = std::max(sum.end, e.end);
                    sum.bytes += e.bytes;
                }
                const std::string row = "row " + std::to_string(sum.row);
                expected.emplace("group",
                                 row,
                                 join.size() == 1 ? "x" : std::to_string(join.size()) + " events",
                                 sum.start,
                                 sum.end,
                                 sum.bytes);
                ++changes[row][sum.start];
                --changes[row][sum.end];
            }
            lines = joins.size();
            for (const auto& [row, steps] : changes)
            {
                int now = 0;
                int threads = 1; // an instant needs one, too
                for (const auto& [time, step] : steps)
                {
                    now += step;
                    threads = std::max(threads, now);
                }
                lines += 2 * threads;
            }
            if (lines <= most || r > 200000)
            {
                break;
            }
        }
        NS_TEST_EXPECT_MSG_EQ((std::multiset<Span>(spans.begin(), spans.end()) == expected),
                              true,
                              "joined to " << most);
        NS_TEST_EXPECT_MSG_EQ(m_lines, lines, "lines");
        NS_TEST_EXPECT_MSG_EQ((m_lines <= std::max<uint64_t>(most, 5 + 2 * 5)), true, "limit");
        uint64_t count = 0;
        uint64_t joined = 0;
        for (const Span& span : spans)
        {
            count += GetCount(span);
            joined += GetCount(span) > 1 ? GetCount(span) : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(count, events.size(), "all events");
        const std::string said = std::to_string(joined) + " of 1500 events are joined";
        NS_TEST_EXPECT_MSG_EQ(m_note.starts_with(said), (joined > 0), m_note);
        NS_TEST_EXPECT_MSG_EQ((os.str().find("; " + said) != std::string::npos),
                              (joined > 0),
                              os.str());
        NS_TEST_EXPECT_MSG_EQ((joined > 0), (most < 1500), "whether any were");
    }
}

/// @copybrief TimelineFixture
ODCN_TEST_CASE_F(TimelineFixture, MillionTestCase, "A million events fit into 50 MB")
{
    const std::string path = CreateTempDirFilename("million.json");
    Timeline timeline;
    timeline.SetFile(path);
    timeline.Start();
    for (uint32_t row = 0; row < 64; ++row)
    {
        timeline.AddRow("group", "row " + std::to_string(row));
    }
    std::mt19937 random(1);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 1000000; ++i)
    {
        // One after the other in each row: long numbers, the longest names.
        const Time start = Seconds(1000) + NanoSeconds(int64_t(i / 64) * 123457);
        const uint64_t size = 1000000000 + random() % 1000000000;
        timeline.AddEvent(i % 64,
                          std::string(80, 'n'),
                          start,
                          start + NanoSeconds(100000 + random() % 20000),
                          size);
        bytes += size;
    }
    std::ostringstream os;
    timeline.Finish(os);
    const uint64_t size = std::filesystem::file_size(path);
    NS_TEST_EXPECT_MSG_LT(size, 50000000, "size");
    NS_TEST_EXPECT_MSG_GT(size, 20000000, "no more is joined than necessary");
    std::ifstream file(path);
    uint64_t count = 0;
    uint64_t sum = 0;
    uint64_t lines = 0;
    for (std::string line; std::getline(file, line);)
    {
        const auto at = line.find("\"bytes\":");
        if (at != std::string::npos)
        {
            ++lines;
            sum += std::stoull(line.substr(at + 8));
            const auto end = line.find(" events\"");
            const std::string before = line.substr(0, end);
            count +=
                end == std::string::npos ? 1 : std::stoull(before.substr(before.rfind('"') + 1));
        }
    }
    NS_TEST_EXPECT_MSG_EQ(count, 1000000, "events");
    NS_TEST_EXPECT_MSG_EQ(sum, bytes, "bytes");
    NS_TEST_EXPECT_MSG_EQ((lines <= 400000), true, "lines");
}

/// For bad input.
ODCN_TEST_CASE_F(RefusalFixture,
                 TimelineRefusalTestCase,
                 "Timelines refuse bad input, and leave no file when they are interrupted")
{
    const auto at = [](int64_t ns) { return NanoSeconds(ns); };
    const std::string path = CreateTempDirFilename("out.json");
    std::ostringstream os;
    Timeline none;
    none.Start();
    none.AddEvent(none.AddRow("group", "row"), "event", at(0), at(1));
    none.Finish(os);
    NS_TEST_EXPECT_MSG_EQ(os.str(), "", "no file");
    none.SetFile(path + "/no/such.json");
    ExpectRefusal("no/such.json", [&] { none.Start(); });
    {
        Timeline timeline;
        timeline.SetFile(path);
        timeline.Start();
        const uint32_t row = timeline.AddRow("group", "row");
        ExpectRefusal("one run", [&] { timeline.Start(); });
        ExpectRefusal("expected one of 1 rows",
                      [&] { timeline.AddEvent(row + 1, "x", at(0), at(1)); });
        ExpectRefusal("0 <= start <= end", [&] { timeline.AddEvent(row, "x", at(2), at(1)); });
        ExpectRefusal("0 <= start <= end", [&] { timeline.AddEvent(row, "x", at(-1), at(1)); });
        std::raise(SIGTERM);
        bool isInterrupted = false;
        try
        {
            timeline.AddEvent(row, "x", at(0), at(1));
        }
        catch (const Interruption&)
        {
            isInterrupted = true;
        }
        Interruption::Clear();
        NS_TEST_EXPECT_MSG_EQ(isInterrupted, true, "interruption");
    }
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(path), false, "no file");
}

/// The suite.
PicosecondSuite g_timelineTestSuite("odcn-timeline");

} // namespace
