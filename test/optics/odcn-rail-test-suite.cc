// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Servers with several network cards: times by hand, and that nothing is lost between networks.
 */

#include "../core/odcn-test-case.h"

#include "ns3/ocs-fabric.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-rail-messages.h"
#include "ns3/odcn-switch-flow-level.h"
#include "ns3/queue-size.h"

#include <random>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param endPoints number
/// @param rate of ports
/// @param latency from port to port
/// @return a switch, as fluid without headers
Ptr<SwitchFlowLevel>
MakeSwitch(uint32_t endPoints, const std::string& rate, Time latency)
{
    Ptr<SwitchFlowLevel> level = CreateObject<SwitchFlowLevel>();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    level->SetAttribute("Rate", StringValue(rate));
    level->SetAttribute("Latency", TimeValue(latency));
    level->SetNEndPoints(endPoints);
    return level;
}

/// @param servers number
/// @param accelerators of each
/// @param rails number; each of 100 Gb/s and 2 us
/// @return servers whose accelerators have 400 Gb/s and 1 us between them
Ptr<RailMessages>
MakeRails(uint32_t servers, uint32_t accelerators, uint32_t rails)
{
    std::vector<Ptr<MessagePlane>> planes;
    for (uint32_t r = 0; r < rails; ++r)
    {
        planes.emplace_back(MakeSwitch(servers, "100Gbps", MicroSeconds(2)));
    }
    Ptr<RailMessages> messages = CreateObject<RailMessages>();
    messages->SetAttribute("ScaleUpRate", StringValue("400Gbps"));
    messages->SetAttribute("ScaleUpLatency", TimeValue(MicroSeconds(1)));
    messages->SetPlanes(planes, accelerators);
    return messages;
}

/// @param messages a plane
/// @return whether all have arrived, and routes add up
bool
AddsUp(const RailMessages& messages)
{
    MessagePlane::Counts number;
    MessagePlane::Counts bytes;
    for (const auto route : {RailMessages::SCALE_UP, RailMessages::RAIL, RailMessages::RELAYED})
    {
        for (auto [sum, part] : {std::pair(&number, messages.CountMessagesOf(route)),
                                 std::pair(&bytes, messages.CountBytesOf(route))})
        {
            sum->sent += part.sent;
            sum->delivered += part.delivered;
            sum->inFlight += part.inFlight;
        }
    }
    const auto isSame = [](const MessagePlane::Counts& a, const MessagePlane::Counts& b)
    {
        return a.sent == b.sent && a.delivered == b.delivered && a.inFlight == b.inFlight &&
               a.sent == a.delivered + a.inFlight;
    };
    return isSame(number, messages.CountMessages()) && isSame(bytes, messages.CountBytes());
}

ODCN_TEST_CASE(RailTimesTestCase, "times of the three routes, by hand")
{
    // 1 MB takes 20 us within a server and 80 us over a rail.
    const struct
    {
        uint32_t to;               // from accelerator 1
        RailMessages::Route route; // its way
        Time time;                 // by hand
    } cases[] = {{2, RailMessages::SCALE_UP, MicroSeconds(21)},
                 {5, RailMessages::RAIL, MicroSeconds(82)},      // the same index
                 {7, RailMessages::RAIL, MicroSeconds(82)},      // another one of the same card
                 {4, RailMessages::RELAYED, MicroSeconds(103)},  // by accelerator 0
                 {6, RailMessages::RELAYED, MicroSeconds(103)}}; // by accelerator 2

    for (const auto& c : cases)
    {
        const SimulationEnd end;
        const Ptr<RailMessages> messages = MakeRails(2, 4, 2);
        Time time;
        uint32_t traced = 0;
        messages->TraceConnectWithoutContext(
            "Routed",
            Callback<void, const Message&, RailMessages::Route>(
                [&](const Message& message, RailMessages::Route route)
                { traced += message.to == c.to && route == c.route; }));
        messages->Send(1, c.to, 1000000, [&](const Message&) { time = Simulator::Now(); });
        NS_TEST_EXPECT_MSG_EQ(AddsUp(*messages), true, "in flight");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(time, c.time, "to " << c.to);
        NS_TEST_EXPECT_MSG_EQ(messages->CountMessagesOf(c.route).delivered, 1, "route");
        NS_TEST_EXPECT_MSG_EQ(messages->CountBytesOf(c.route).sent, 1000000, "bytes");
        NS_TEST_EXPECT_MSG_EQ(traced, 1, "trace");
        NS_TEST_EXPECT_MSG_EQ(AddsUp(*messages), true, "counts");
    }
}

ODCN_TEST_CASE(RailShareTestCase, "two rails carry twice, and relayed messages share them")
{
    const auto measure = [](uint32_t rails, uint32_t shift)
    {
        const SimulationEnd end;
        const Ptr<RailMessages> messages = MakeRails(2, 2, rails);
        Time last;
        for (uint32_t g = 0; g < 2; ++g)
        {
            messages->Send(g,
                           2 + (g + shift) % 2,
                           1000000,
                           [&](const Message&) { last = Simulator::Now(); });
        }
        Simulator::Run();
        return last;
    };
    NS_TEST_EXPECT_MSG_EQ(measure(1, 0), MicroSeconds(162), "one rail for both");
    NS_TEST_EXPECT_MSG_EQ(measure(2, 0), MicroSeconds(82), "a rail for each");
    NS_TEST_EXPECT_MSG_EQ(measure(2, 1),
                          MicroSeconds(103),
                          "crossed: each within the server first");
}

ODCN_TEST_CASE(RailCollectiveTestCase, "collectives on different rails do not meet")
{
    const auto run = [](bool first, bool second)
    {
        const SimulationEnd end;
        const Ptr<RailMessages> messages = MakeRails(8, 2, 2);
        const Ptr<PlaneRun> runs[] = {CreateObject<PlaneRun>(), CreateObject<PlaneRun>()};
        for (uint32_t g = 0; g < 2; ++g)
        {
            std::vector<uint32_t> places;
            for (uint32_t s = 0; s < 8; ++s)
            {
                places.push_back(2 * s + g);
            }
            if (g == 0 ? first : second)
            {
                const uint64_t bytes = g == 0 ? 1234567 : 777777;
                const auto ring = Collective::Make("all-reduce:ring", 8, bytes);
                runs[g]->Start(messages, ring.GetMessages(places));
            }
        }
        Simulator::Run();
        return std::pair(runs[0]->GetTime(), runs[1]->GetTime());
    };
    const auto both = run(true, true);
    NS_TEST_EXPECT_MSG_EQ(both.first, run(true, false).first, "to the picosecond");
    NS_TEST_EXPECT_MSG_EQ(both.second, run(false, true).second, "to the picosecond");
    NS_TEST_EXPECT_MSG_GT(both.first, MicroSeconds(170), "2 x 7/8 S/B + 14 x 2 us");
    NS_TEST_EXPECT_MSG_LT(both.first, MicroSeconds(203), "2 x 7/8 S/B + 14 x 2 us");
}

/// @param messages a plane
/// @param seed of random numbers
/// @param number of messages
/// @return how many were delivered, each of them in the order of its pair
uint32_t
SendAtRandom(const Ptr<RailMessages>& messages, uint32_t seed, uint32_t number)
{
    std::mt19937 random(seed);
    uint32_t delivered = 0;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> last;
    const uint32_t n = messages->GetNEndPoints();
    for (uint32_t i = 0; i < number; ++i)
    {
        const uint32_t from = random() % n;
        const uint32_t to = (from + 1 + random() % (n - 1)) % n;
        const uint64_t bytes = 1 + random() % 20000;
        Simulator::Schedule(NanoSeconds(random() % 200000),
                            [&, from, to, bytes]
                            {
                                messages->Send(from,
                                               to,
                                               bytes,
                                               [&](const Message& message)
                                               {
                                                   auto& before = last[{message.from, message.to}];
                                                   delivered += before <= message.number;
                                                   before = message.number;
                                               });
                            });
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    return delivered;
}

ODCN_TEST_CASE(RailRandomTestCase, "random messages all arrive, in packets and as fluid")
{
    for (uint32_t seed = 1; seed <= 8; ++seed)
    {
        const SimulationEnd end;
        const Ptr<RailMessages> messages = MakeRails(3, 2 + seed % 3, 1 + seed % 2);
        NS_TEST_EXPECT_MSG_EQ(SendAtRandom(messages, seed, 2000), 2000, "fluid, seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(AddsUp(*messages), true, "counts");
        NS_TEST_EXPECT_MSG_EQ(messages->CountMessages().inFlight, 0, "in flight");
    }
    for (uint32_t seed = 1; seed <= 2; ++seed)
    {
        const SimulationEnd end;
        std::vector<Ptr<MessagePlane>> rails;
        std::vector<Ptr<OcsFabric>> fabrics;
        for (uint32_t r = 0; r < 2; ++r)
        {
            OcsHelper ocs;
            ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
            ocs.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
            fabrics.push_back(ocs.Build(OcsFabricSize{4, 1, 3, 3}));
            ocs.InstallServers(fabrics.back());
            fabrics.back()->PresetAllToAll();
            FlowHelper flows;
            rails.push_back(flows.InstallMessages(fabrics.back()));
        }
        const Ptr<RailMessages> messages = CreateObject<RailMessages>();
        messages->SetPlanes(rails, 4);
        NS_TEST_EXPECT_MSG_EQ(SendAtRandom(messages, seed, 1000), 1000, "packets, seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(AddsUp(*messages), true, "counts");
        uint64_t overRails = 0;
        for (uint32_t r = 0; r < 2; ++r)
        {
            overRails += rails[r]->CountBytes().delivered;
            NS_TEST_EXPECT_MSG_GT(fabrics[r]->Count().received, 0, "each has its own packets");
        }
        NS_TEST_EXPECT_MSG_EQ(overRails,
                              messages->CountBytesOf(RailMessages::RAIL).sent +
                                  messages->CountBytesOf(RailMessages::RELAYED).sent,
                              "bytes of rails");
    }
}

ODCN_TEST_CASE_F(RefusalFixture, RailRefusalTestCase, "networks that do not fit are refused")
{
    const SimulationEnd end;
    const auto make = [](uint32_t first, uint32_t second, uint32_t accelerators, uint32_t scaleUp)
    {
        CreateObject<RailMessages>()->SetPlanes(
            {MakeSwitch(first, "1Gbps", Time(0)), MakeSwitch(second, "1Gbps", Time(0))},
            accelerators,
            MakeSwitch(scaleUp, "1Gbps", Time(0)));
    };
    make(3, 3, 2, 6);
    ExpectRefusal("2 rails, expected 1 to 1", [&] { make(3, 3, 1, 3); });
    ExpectRefusal("a rail of 4 servers, expected 3", [&] { make(3, 4, 2, 6); });
    ExpectRefusal("7 end points of scale-up domains, expected 3 servers x 2",
                  [&] { make(3, 3, 2, 7); });
    ExpectRefusal("0 rails", [&] { CreateObject<RailMessages>()->SetPlanes({}, 4); });
    const Ptr<RailMessages> messages = MakeRails(2, 2, 2);
    ExpectRefusal("second time",
                  [&] { messages->SetPlanes({MakeSwitch(2, "1Gbps", Time(0))}, 1); });
    ExpectRefusal("below 4", [&] { messages->Send(0, 4, 1); });
    ExpectRefusal("1 end points", [&] { MakeSwitch(1, "1Gbps", Time(0)); });
    ExpectRefusal("below 0", [&] { CreateObject<RailMessages>()->Send(0, 1, 1); });
}

ODCN_TEST_CASE(RailDisposeTestCase, "messages may be disposed of by a sink of Routed or Sent")
{
    for (const std::string source : {"Routed", "Sent"})
    {
        for (const uint32_t to : {1, 2, 3}) // scale-up, rail, relayed
        {
            const SimulationEnd end;
            const Ptr<RailMessages> messages = MakeRails(2, 2, 2);
            RailMessages* bare = PeekPointer(messages);
            if (source == "Routed")
            {
                Listen(messages,
                       source,
                       [bare](const Message&, RailMessages::Route) { bare->Dispose(); });
            }
            else
            {
                Listen(messages, source, [bare](const Message&) { bare->Dispose(); });
            }
            bool called = false;
            messages->Send(0, to, 1000, [&](const Message&) { called = true; });
            NS_TEST_EXPECT_MSG_EQ(messages->GetNEndPoints(), 0, "disposed of");
            NS_TEST_EXPECT_MSG_EQ(GetRefusal([&] { messages->Send(0, to, 1); }).empty(), false, "");
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(called, false, source << ", to " << to);
        }
    }
}

/// Servers with several network cards.
PicosecondSuite g_railTestSuite("odcn-rail");

} // namespace
