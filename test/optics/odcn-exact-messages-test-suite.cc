// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Messages in the packet engine for schedules against the same messages in ns-3.
 */

#include "odcn-message-mix.h"
#include "odcn-schedule-scenario.h"

#include "ns3/odcn-collective.h"

#include <bit>
#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  MessageEqualityTestCase,
                  std::string("The engine has the messages of PacketMessages, ") +
                      (parameter.alike ? "ties included" : "in random fabrics") +
                      (parameter.hold ? ", with hosts that hold" : ""),
                  {false, false},
                  {false, true},
                  {true, false},
                  {true, true})
{
    UsePicoseconds();
    m_random->SetStream((parameter.alike ? 5 : 6) + (parameter.hold ? 2 : 0));
    for (uint32_t k = 0; k < 20; ++k)
    {
        const ScheduleScenario scenario = MakeMessages(k);
        Compare(k, scenario, RunScheduleEvents(scenario));
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 700, "messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.incomplete, 100, "messages stay incomplete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 10000, "packets are received");
}

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  ScheduleLoopsTestCase,
                  std::string("The engine has the transports of ns-3 with answers, ") +
                      (parameter.alike ? "ties included" : "in random fabrics") +
                      (parameter.hold ? ", with hosts that hold" : ""),
                  {false, false},
                  {false, true},
                  {true, false},
                  {true, true})
{
    UsePicoseconds();
    m_random->SetStream((parameter.alike ? 13 : 14) + (parameter.hold ? 2 : 0));
    for (uint32_t k = 0; k < GetNWorlds(4); ++k)
    {
        ScheduleScenario s = k % 2 == 0 ? Make(k) : MakeMessages(k);
        DrawLoops(m_random, k, s.settings);
        if (k % 4 < 2)
        {
            DrawTrimQueue(s);
        }
        if (parameter.hold) // only without credits
        {
            s.settings.transport = "Udp";
            s.settings.repair = FlowApplication::NACK;
            s.settings.window = 0;
        }
        if (!IsWorldWanted(k))
        {
            continue;
        }
        Compare(k, s, RunScheduleEvents(s), DescribeLoops(s.settings));
    }
    SetDataPackets(8);
    if (!GetOnlyWorld().empty())
    {
        return;
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 100, "flows and messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 1000, "packets are received");
    NS_TEST_EXPECT_MSG_EQ((parameter.hold || sum.cut > 10), true, "packets are cut");
}

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  RotorLbEqualityTestCase,
                  std::string("The engine has the offers and relays of RotorLB, ") +
                      (parameter.alike ? "ties included" : "in random fabrics"),
                  {false, false},
                  {true, false})
{
    UsePicoseconds();
    m_random->SetStream(parameter.alike ? 17 : 18);
    uint64_t messages = 0; // of RotorLB
    uint32_t relayed = 0;  // worlds with more circuits than packets
    for (uint32_t k = 0; k < GetNWorlds(12); ++k)
    {
        ScheduleScenario s = k % 2 == 0 ? Make(k) : MakeMessages(k);
        const std::vector<std::string> limits{"1", "0.2", "3"};
        const std::string rotorLb = "RotorLbRouting[BacklogLimit=" + limits[Draw(0, 2)] + "]";
        s.routing = s.settings.shortFlows > 0
                        ? "ClassRouting[Short=ExpanderRouting|Bulk=" + rotorLb + "]"
                        : rotorLb;
        s.settings.forwarding = TorRouting::Create(s.routing)->GetForwarding();
        if (k % 4 == 2)
        {
            DrawLoops(m_random, k, s.settings);
        }
        if (!IsWorldWanted(k))
        {
            continue;
        }
        const ScheduleOutcome events = RunScheduleEvents(s);
        Compare(k, s, events);
        messages += events.controlSent;
        relayed += events.hops - events.controlSent > events.counts.received ? 1 : 0;
    }
    if (!GetOnlyWorld().empty())
    {
        return;
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 100, "flows and messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 1000, "packets are received");
    NS_TEST_EXPECT_MSG_GT(messages, 500, "offers and accepts");
    NS_TEST_EXPECT_MSG_GT(relayed, 0, "packets take two circuits");
}

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  ScheduleFaultsTestCase,
                  std::string("The engine has the faults of ns-3, ") +
                      (parameter.alike ? "ties included" : "in random fabrics") +
                      (parameter.hold ? ", with hosts that hold" : ""),
                  {false, false},
                  {false, true},
                  {true, false},
                  {true, true})
{
    UsePicoseconds();
    m_random->SetStream((parameter.alike ? 21 : 22) + (parameter.hold ? 2 : 0));
    uint64_t faults = 0;
    for (uint32_t k = 0; k < GetNWorlds(parameter.hold ? 8 : 12); ++k)
    {
        ScheduleScenario s = k % 2 == 0 ? Make(k) : MakeMessages(k);
        s.size.switches = Draw(0, 1) ? s.size.uplinks : Draw(1, s.size.uplinks);
        if (k % 4 == 2 && !parameter.hold)
        {
            s.routing = s.settings.shortFlows > 0
                            ? "ClassRouting[Short=ExpanderRouting|Bulk=RotorLbRouting]"
                            : "RotorLbRouting";
            s.settings.forwarding = TorRouting::Create(s.routing)->GetForwarding();
        }
        if (k % 3 == 1)
        {
            DrawLoops(m_random, k / 3, s.settings);
            if (k % 2 == 0)
            {
                DrawTrimQueue(s);
            }
            if (parameter.hold)
            {
                s.settings.transport = "Udp";
                s.settings.repair = FlowApplication::NACK;
                s.settings.window = 0;
            }
        }
        s.until = std::min(s.until, MilliSeconds(3));
        const FaultParts parts =
            SchedulePackets(s.helper.GetModel(s.size), s.schedule, s.settings).GetParts();
        s.faults = DrawFaults(m_random, parts, s.until);
        if (!IsWorldWanted(k))
        {
            continue;
        }
        const ScheduleOutcome events = RunScheduleEvents(s);
        Compare(k, s, events, DescribeLoops(s.settings) + "," + s.faults.described);
        faults += events.faults.first;
    }
    SetDataPackets(8);
    const OcsDropCounts& lost = sum.packets.dropped;
    if (!GetOnlyWorld().empty())
    {
        return;
    }
    NS_TEST_EXPECT_MSG_GT(faults, 10, "faults");
    NS_TEST_EXPECT_MSG_GT(sum.completed, 100, "flows and messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 1000, "packets are received");
    NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::PORT_FAILED], 10, "packets are lost by failed ports");
    const uint64_t others = lost[OcsDropCause::REBOOT] + lost[OcsDropCause::FIBER_CUT];
    NS_TEST_EXPECT_MSG_EQ((parameter.hold || others > 0), true, "and by fibres and restarts");
}

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  ControllerEqualityTestCase,
                  std::string("The engine has the circuits that a controller sets in ns-3, ") +
                      (parameter.alike ? "ties included" : "in random fabrics"),
                  {false, false},
                  {true, false})
{
    UsePicoseconds();
    m_random->SetStream(parameter.alike ? 25 : 26);
    const std::vector<std::string> policies{"MaxWeightMatching",
                                            "greedy",
                                            "BirkhoffMatching[Terms=4]",
                                            "max-weight",
                                            "round-robin",
                                            "SolsticeMatching"};
    uint64_t faults = 0;
    uint64_t changes = 0; // of circuits
    for (uint32_t k = 0; k < GetNWorlds(12); ++k)
    {
        ScheduleScenario s = k % 2 == 0 ? Make(k) : MakeMessages(k);
        const auto getText = [](Time time) { return std::to_string(time.GetPicoSeconds()) + "ps"; };
        const Time epoch = parameter.alike ? MicroSeconds(Draw(15, 60))
                                           : PicoSeconds(Draw(15'000'000, 60'000'000));
        s.controller = "MatchingController[Policy=" + policies[Draw(0, policies.size() - 1)] +
                       "|Epoch=" + getText(epoch) + "|ReportDelay=" + getText(DrawTime(20000)) +
                       "|DecisionTime=" + getText(DrawTime(90000)) +
                       "|ReconfigurationTime=" + getText(DrawTime(5000)) + "]";
        if (k % 4 == 2)
        {
            s.routing = s.settings.shortFlows > 0
                            ? "ClassRouting[Short=ExpanderRouting|Bulk=RotorLbRouting]"
                            : "RotorLbRouting";
            s.settings.forwarding = TorRouting::Create(s.routing)->GetForwarding();
        }
        if (k % 3 == 1)
        {
            DrawLoops(m_random, k / 3, s.settings);
        }
        s.until = std::min(s.until, MilliSeconds(3));
        if (k % 5 == 3)
        {
            const auto model = s.helper.GetModel(s.size);
            const auto parts = SchedulePackets(model, s.schedule, s.settings).GetParts();
            s.faults = DrawFaults(m_random, parts, s.until);
        }
        if (!IsWorldWanted(k))
        {
            continue;
        }
        const ScheduleOutcome events = RunScheduleEvents(s);
        Compare(k,
                s,
                events,
                s.controller + ", " + DescribeLoops(s.settings) + "," + s.faults.described);
        faults += events.faults.first;
        changes += events.reconfigured;
    }
    if (!GetOnlyWorld().empty())
    {
        return;
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 100, "flows and messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 1000, "packets are received");
    NS_TEST_EXPECT_MSG_GT(faults, 1, "faults");
    NS_TEST_EXPECT_MSG_GT(changes, 1000, "circuits change");
}

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  CollectiveEqualityTestCase,
                  std::string("The engine has the steps of collectives, ") +
                      (parameter.alike ? "ties included" : "in random fabrics") +
                      (parameter.hold ? ", with hosts that hold" : ""),
                  {false, false},
                  {false, true},
                  {true, false},
                  {true, true})
{
    UsePicoseconds();
    m_random->SetStream((parameter.alike ? 9 : 10) + (parameter.hold ? 2 : 0));
    const std::vector<std::string> names{"all-reduce:ring",
                                         "all-reduce:halving-doubling",
                                         "all-to-all:direct",
                                         "all-reduce:double-binary-tree:4",
                                         "broadcast:pipeline:16",
                                         "all-gather:ring",
                                         "all-reduce:direct"};
    for (uint32_t k = 0; k < 21; ++k)
    {
        ScheduleScenario s = Make(k);
        if (k % 7 < 5) // the others may lose packets and stop
        {
            MakeAmple(s);
        }
        const uint32_t hosts = s.size.racks * s.size.serversPerRack;
        const std::string& name = names[k % 7];
        const bool isPower = name.find("halving") != std::string::npos;
        const uint32_t ranks = isPower ? std::bit_floor(hosts) : Draw(2, hosts);
        const auto collective =
            Collective::Make(name, ranks, parameter.alike ? 4320 * ranks : Draw(1, 60000));
        s.places.resize(hosts);
        std::iota(s.places.begin(), s.places.end(), 0);
        for (uint32_t i = 0; k % 2 == 0 && i < hosts; ++i)
        {
            std::swap(s.places[i], s.places[Draw(0, hosts - 1)]);
        }
        s.places.resize(ranks);
        s.traffic = collective.GetMessages(s.places);
        Compare(k, s, RunScheduleEvents(s), name);
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 1000, "steps are received");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 5000, "packets are received");
}

/// Messages, by hand.
ODCN_TEST_CASE(EngineMessagesTestCase,
               "Messages of one pair follow each other, others share, and some wait for others")
{
    UsePicoseconds();
    auto [ocs, size] = AllToAll(2, 2);
    SchedulePackets engine(ocs.GetModel(size), AllPairs(2), {});
    // A packet takes 1.2 us on each of three links, and 0.7 us of propagation to another rack.
    constexpr uint64_t payload = 1440;
    Traffic traffic;
    traffic.Add({0, 2, 10 * payload});
    traffic.Add({0, 2, 10 * payload});
    traffic.Add({0, 3, 10 * payload});
    traffic.Add({2, 0, payload}, std::vector<uint32_t>{0, 2});
    traffic.Add({1, 0, 1, MicroSeconds(100)}); // in the rack: 61 bytes twice, and 0.2 us
    traffic.Add({1, 0, 0, MicroSeconds(50)}, std::vector<uint32_t>{1});
    traffic.Add({0, 1, 1}, std::vector<uint32_t>{5});
    TrafficRun run(traffic);
    const SchedulePackets::Result result = engine.Run(run, Seconds(1));
    // The last packets of the first three leave after 19, 30 and 20 packets.
    const std::vector<int64_t> received{25'900'000,
                                        39'100'000,
                                        27'100'000,
                                        31'400'000,
                                        100'297'600,
                                        50'000'000,
                                        50'297'600};
    for (std::size_t i = 0; i < received.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(run.GetReceived(i), PicoSeconds(received[i]), "message " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(run.GetSent(3), PicoSeconds(received[2]), "it waits for both");
    NS_TEST_EXPECT_MSG_EQ(run.GetSent(6), MicroSeconds(50), "it waits for an empty one");
    NS_TEST_EXPECT_MSG_EQ(result.end, run.GetTime(), "the end");
    NS_TEST_EXPECT_MSG_EQ(result.counts.sent, 33, "packets");
    NS_TEST_EXPECT_MSG_EQ((run.IsDone() && run.DescribeUnfinished().empty()), true, "done");
    NS_TEST_EXPECT_MSG_EQ(result.stages.empty(), true, "done");

    // An empty message behind the others: until then packets go on.
    traffic.Add({0, 1, 0, MicroSeconds(70)});
    TrafficRun later(traffic);
    const SchedulePackets::Result last = engine.Run(later, MicroSeconds(300));
    NS_TEST_EXPECT_MSG_EQ(last.end, MicroSeconds(100) + PicoSeconds(297'600), "not the last");
    traffic.Add({0, 1, 0, MicroSeconds(120)});
    TrafficRun latest(traffic);
    NS_TEST_EXPECT_MSG_EQ(engine.Run(latest, MicroSeconds(300)).end,
                          MicroSeconds(120),
                          "the last message is empty");
    NS_TEST_EXPECT_MSG_EQ(engine.Run(latest, MicroSeconds(110)).end, MicroSeconds(110), "cut");

    // The same, cut at the end of 20 us, and without a place for packets.
    const SchedulePackets::Result cut = engine.Run(run, MicroSeconds(20));
    using F = FlowApplication;
    const F::FlowStages expected{{0, F::SENDING},
                                 {1, F::SENDING},
                                 {2, F::SENDING},
                                 {4, F::NOT_STARTED}};
    NS_TEST_EXPECT_MSG_EQ((cut.stages == expected), true, FlowRecorder::DescribeStages(cut.stages));
    NS_TEST_EXPECT_MSG_EQ(run.DescribeUnfinished(),
                          "7 of 7 messages were not received; the first has 14400 bytes from 0 to "
                          "2, sent at 0.000000 s",
                          "unfinished");
}

/// Two circuits to one rack. The first finds no time for a full packet, which the second takes.
ODCN_TEST_CASE(IdleUplinkTestCase,
               "A packet for another rack lets an idle uplink look again, as in ns-3")
{
    UsePicoseconds();
    ScheduleScenario s;
    s.size = {3, 2, 2, 2};
    s.helper.SetServerAttribute("DataRate", StringValue("20Gbps"));
    s.helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    s.helper.SetServerFiberAttribute("Delay", TimeValue(Time(0)));
    s.helper.SetUplinkFiberAttribute("Delay", TimeValue(Time(0)));
    s.settings.order = SchedulePackets::Order::FIFO;
    const Matching next{1, 2, 0};
    const Matching other{2, 0, 1};
    const auto schedule =
        CreateObjectWithAttributes<ExplicitSchedule>("ReconfigurationTime", TimeValue(Time(0)));
    schedule->SetPlanes({{Time(0), {{NanoSeconds(20500), next}, {NanoSeconds(19500), other}}},
                         {Time(0), {{NanoSeconds(19900), other}, {NanoSeconds(20100), next}}}});
    schedule->Build(3, 2);
    s.schedule = schedule;
    // 16 packets by the first circuit until 19.8 us, one by the second, and a small one.
    s.flows.Add({0, 2, 17 * 1456, Time(0)});
    s.flows.Add({0, 3, 100, PicoSeconds(1)});
    s.flows.Add({1, 4, 100, NanoSeconds(19900)});
    s.until = MicroSeconds(60);
    const ScheduleOutcome a = RunScheduleEvents(s);
    const ScheduleOutcome b = RunScheduleEngine(s);
    for (std::size_t i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(b.times[i], a.times[i], "flow " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((a.times[1] > 0 && a.times[1] < 20'500'000),
                          true,
                          "the small packet goes by the first circuit, " << a.times[1]);
}

/// Messages in the packet engine for schedules.
CaseSuite g_exactMessagesTestSuite("odcn-exact-messages");

} // namespace
