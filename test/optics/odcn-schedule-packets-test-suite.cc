// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The packet engine for schedules against the same packets in ns-3, and against exact throughput.
 */

#include "odcn-schedule-scenario.h"

#include "ns3/odcn-flow-recorder.h"

#include <algorithm>
#include <functional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A routing of one's own that derives from one of the library and does not say how it forwards.
class SilentRouting : public DirectRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("SilentRouting").SetParent<DirectRouting>().AddConstructor<SilentRouting>();
        return tid;
    }
};

/// A routing of one's own that says how it forwards.
class ToldRouting : public TorRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ToldRouting").SetParent<TorRouting>().AddConstructor<ToldRouting>();
        return tid;
    }

    Choice Route(const Arrival& arrival) override
    {
        return arrival.fromRack ? Lose(OcsDropCause::MISROUTED)
                                : Choice{{TorQueueKind::LOCAL, arrival.destination}};
    }

    void Serve(uint32_t port, RackId peer) override
    {
        GetTor().SendHeld(port, {TorQueueKind::LOCAL, peer});
    }

    TorForwarding GetForwarding() const override
    {
        return TorForwarding::All(TorForwarding::DIRECT);
    }
};

NS_OBJECT_ENSURE_REGISTERED(SilentRouting);
NS_OBJECT_ENSURE_REGISTERED(ToldRouting);

/// @copybrief ScheduleCase
ODCN_TEST_CASES_F(ScheduleFixture,
                  EqualityTestCase,
                  std::string("The engine has the packets of ns-3, ") +
                      (parameter.alike ? "ties included" : "in random fabrics") +
                      (parameter.hold ? ", with hosts that hold" : ""),
                  {false, false},
                  {false, true},
                  {true, false},
                  {true, true})
{
    UsePicoseconds();
    m_random->SetStream((parameter.alike ? 1 : 2) + (parameter.hold ? 2 : 0));
    for (uint32_t k = 0; k < 20; ++k)
    {
        const ScheduleScenario scenario = Make(k);
        Compare(k, scenario, RunScheduleEvents(scenario));
    }
    // The cases are not trivial.
    NS_TEST_EXPECT_MSG_GT(sum.completed, 500, "flows complete");
    NS_TEST_EXPECT_MSG_GT(sum.incomplete, 100, "flows stay incomplete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 10000, "packets are received");
    if (!parameter.hold) // hosts that hold keep ToR switches empty
    {
        NS_TEST_EXPECT_MSG_GT(sum.held, 100, "packets are held at the end");
        NS_TEST_EXPECT_MSG_GT(sum.packets.dropped[OcsDropCause::QUEUE_OVERFLOW], 100, "overflows");
    }
}

/// A small shuffle from hosts that hold, by hand.
ODCN_TEST_CASE(HoldTestCase, "Flows wait in their hosts for circuits, and take turns")
{
    UsePicoseconds();
    ScheduleScenario s;
    s.size.racks = 4;
    s.size.serversPerRack = 2;
    s.size.uplinks = 1;
    s.size.switches = 1;
    s.helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    s.helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    s.helper.SetServerFiberAttribute("Delay", StringValue("100ns"));
    s.helper.SetUplinkFiberAttribute("Delay", StringValue("0ns"));
    s.schedule = CreateObjectWithAttributes<RoundRobinSchedule>("Slot",
                                                                TimeValue(MicroSeconds(100)),
                                                                "ReconfigurationTime",
                                                                TimeValue(MicroSeconds(10)));
    s.schedule->Build(4, 1);
    s.settings.hold = true;
    s.settings.goodputWindow = MicroSeconds(50);
    // Two full packets from each server of rack 0 to each of rack 2, whose circuit is up from
    // 110 us on; 77 packets to rack 1, whose first circuit lasts until 100 us; and one within
    // the rack. Server 1 begins to start them one packet time after server 0.
    const uint64_t two = 2 * 1456;
    s.flows = {{0, 4, two, Time(0)},
               {0, 5, two, Time(0)},
               {1, 4, two, Time(0)},
               {1, 5, two, Time(0)},
               {0, 1, 1456, Time(0)},
               {0, 2, 50 * 1456, Time(0)}};
    s.until = MilliSeconds(2);
    // A packet takes 1.2 us on each link and 0.1 us on each of two fibres to servers; hosts
    // hear of the circuit 0.1 us late. Server 0 sends at 110.1, 112.5, 114.9 and 117.3 us, to 4
    // and 5 in turn, and server 1 1.2 us later.
    const std::vector<int64_t> times{118'700'000,
                                     121'100'000,
                                     119'900'000,
                                     122'300'000,
                                     2'600'000,
                                     0};
    for (const bool events : {true, false})
    {
        const ScheduleOutcome outcome = events ? RunScheduleEvents(s) : RunScheduleEngine(s);
        for (std::size_t i = 0; i + 1 < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(outcome.times[i], times[i], "flow " << i);
        }
        // Turns are at 0.1 us (the line is busy until 1.2 us with the packet within the rack)
        // and 2.4 us after each other; the last one that leaves before 100 us less 1.2 us of
        // the uplink, 1.2 us and 0.1 us is that at 96.1 us: 41 packets. The other nine take
        // turns in the third circuit, whose period is 300 us: 310.1 us to 329.3 us.
        NS_TEST_EXPECT_MSG_EQ(outcome.times[5], 333'100'000, "rest in the next circuit");
        NS_TEST_EXPECT_MSG_EQ(outcome.most[0], 1500, "packets do not queue in the ToR switch");
    }
}

/// Flows that do not end.
ODCN_TEST_CASE(EngineStagesTestCase, "The engine says what is done with flows as FlowApplication")
{
    UsePicoseconds();
    ScheduleScenario s;
    s.size = {4, 2, 1, 1};
    s.helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    s.helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    s.schedule = CreateObject<RoundRobinSchedule>();
    s.schedule->Build(4, 1);
    s.flows = {{0, 1, 1456, Time(0)},
               {0, 1, 1'000'000, Time(0)},
               {2, 7, 10'000, Time(0)},
               {4, 7, 1'000'000, Time(0)},
               {6, 0, 100, MilliSeconds(1)}};
    s.until = MicroSeconds(80);
    for (const bool hold : {false, true})
    {
        s.settings.hold = hold;
        std::string events;
        std::string exact;
        RunScheduleEvents(s, &events);
        SchedulePackets engine(s.helper.GetModel(s.size), s.schedule, s.settings);
        const SchedulePackets::Result result = engine.Run(s.flows, s.until);
        const auto recorder = CreateObject<FlowRecorder>();
        recorder->SetFlows(s.flows);
        recorder->SetResult(result, DataRate("10Gbps"), 1500, ExactPackets::HEADERS, result.stages);
        NS_TEST_EXPECT_MSG_EQ(recorder->DescribeIncomplete(), events, "hold " << hold);
        NS_TEST_EXPECT_MSG_NE(events.find(hold ? "wait in their hosts for a circuit: "
                                               : "sent, but not received in full: "),
                              std::string::npos,
                              events);
        NS_TEST_EXPECT_MSG_NE(events.find("start later: 1"), std::string::npos, events);
    }
}

/// Throughput of a RotorNet with 16 racks against the exact values.
ODCN_TEST_CASE(EngineThroughputTestCase,
               "A RotorNet reaches its exact throughput in the engine, and never more")
{
    double use{0}; // share of circuit time in use
    // kind: of forwarding; uniform: or cyclic demand; result: throughput
    const auto run = [&](TorForwarding::Kind kind, bool uniform) -> double
    {
        FabricModel model;
        model.racks = 16;
        model.uplinks = 4;
        model.switches = 4;
        model.serverRate = 40'000'000'000;
        model.uplinkRate = 10'000'000'000;
        const auto schedule = CreateObject<RotorSchedule>();
        schedule->AssignStreams(PACKETS_STREAM);
        schedule->Build(16, 4);
        Traffic flows;
        for (RackId from = 0; from < 16; ++from)
        {
            for (uint32_t shift = 1; shift < 16; ++shift)
            {
                if (uniform || shift == 5)
                {
                    flows.Add({from, (from + shift) % 16, 50'000'000, Time(0)});
                }
            }
        }
        SchedulePackets::Settings settings;
        settings.forwarding = TorForwarding::All(kind);
        settings.goodputWindow = MilliSeconds(4);
        SchedulePackets engine(model, schedule, settings);
        engine.AssignStreams(PACKETS_STREAM);
        const SchedulePackets::Result result = engine.Run(flows, MilliSeconds(8));
        NS_TEST_EXPECT_MSG_EQ(result.end, MilliSeconds(8), "there is traffic to the end");
        const PacketCounts& counts = result.counts;
        NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(counts.sent, counts.received + counts.inFlight, "conservation");
        use = result.circuitUse;
        const double headers = 1500.0 / (1500 - SchedulePackets::HEADERS);
        return result.goodput.at(1) * headers / (16 * 40e9);
    };
    UsePicoseconds();
    // Packets of 1.2 us leave up to 1.2 us of each 90 us unused.
    const double uniform = run(TorForwarding::DIRECT, true);
    NS_TEST_EXPECT_MSG_LT(uniform, 0.9 * 15 / 16 + 1e-3, "uniform");
    NS_TEST_EXPECT_MSG_GT(uniform, 0.83, "uniform");
    NS_TEST_EXPECT_MSG_GT(use, 0.97, "circuits are in use");
    const double alone = run(TorForwarding::DIRECT, false);
    NS_TEST_EXPECT_MSG_EQ_TOL(alone, 0.9 / 16, 0.02 * 0.9 / 16, "permutation, direct");
    NS_TEST_EXPECT_MSG_EQ_TOL(use, 1.0 / 15, 2e-3, "one circuit of 15 is in use");
    for (const auto kind : {TorForwarding::TRANSIT_IDLE, TorForwarding::TRANSIT_RANDOM})
    {
        const double spread = run(kind, false);
        NS_TEST_EXPECT_MSG_LT(spread, 0.45 + 1e-3, "permutation, Valiant");
        NS_TEST_EXPECT_MSG_GT(spread, 0.44, "permutation, Valiant");
    }
}

/// What routings say.
ODCN_TEST_CASE(
    EngineForwardingTestCase,
    "A routing tells once how it forwards; one derived from it says so itself, or nothing")
{
    const auto say = [](const std::string& text)
    { return TorRouting::Create(text)->GetForwarding(); };

    struct Case
    {
        std::string routing;      //!< text
        TorForwarding::Kind bulk; //!< kind
        TorForwarding::Kind mark; //!< kind of expedited packets
        uint32_t hops;            //!< most circuits of bulk
        bool exact;               //!< whether SchedulePackets does the same
    };

    using F = TorForwarding;
    const std::vector<Case> cases{
        {"DirectRouting", F::DIRECT, F::DIRECT, 1, true},
        {"ValiantRouting", F::TRANSIT_IDLE, F::TRANSIT_IDLE, 2, true},
        {"ValiantRouting[Spread=Random]", F::TRANSIT_RANDOM, F::TRANSIT_RANDOM, 2, true},
        {"RotorLbRouting", F::TRANSIT_AGREED, F::TRANSIT_AGREED, 2, true},
        {"ExpanderRouting[MaxHops=3|Paths=2]", F::SHORTEST, F::SHORTEST, 3, true},
        {"ClassRouting", F::DIRECT, F::SHORTEST, 1, true},
        {"ClassRouting[Bulk=RotorLbRouting]", F::TRANSIT_AGREED, F::SHORTEST, 2, true},
        {"ClassRouting[Bulk=ExpanderRouting]", F::SHORTEST, F::SHORTEST, 16, true},
        {"ClassRouting[Bulk=ExpanderRouting[MaxHops=2]]", F::SHORTEST, F::SHORTEST, 2, false},
        {"ClassRouting[Short=ElectricalRouting]", F::DIRECT, F::OTHER, 1, false},
        {"ClassRouting[By=Port]", F::OTHER, F::OTHER, F::ANY_HOPS, false},
        {"ClassRouting[Values=10]", F::OTHER, F::OTHER, F::ANY_HOPS, false},
        {"HybridRouting", F::OTHER, F::OTHER, F::ANY_HOPS, false},
        {"DropRouting", F::OTHER, F::OTHER, F::ANY_HOPS, false},
        {"SilentRouting", F::OTHER, F::OTHER, F::ANY_HOPS, false},
        {"ToldRouting", F::DIRECT, F::DIRECT, 1, true}};
    for (const Case& c : cases)
    {
        const TorForwarding told = say(c.routing);
        NS_TEST_EXPECT_MSG_EQ(int(told.bulk.kind), int(c.bulk), c.routing);
        NS_TEST_EXPECT_MSG_EQ(int(told.expedited.kind), int(c.mark), c.routing);
        NS_TEST_EXPECT_MSG_EQ(told.bulk.GetMaxHops(), c.hops, c.routing);
        NS_TEST_EXPECT_MSG_EQ(SchedulePackets::WhyNot(told).empty(), c.exact, c.routing);
    }
    NS_TEST_EXPECT_MSG_EQ(say("ExpanderRouting[Paths=2]").bulk.paths, 2, "paths");
}

/// Random numbers.
ODCN_TEST_CASE(EngineStreamsTestCase,
               "A run again has the same random numbers, two engines have different ones")
{
    FabricModel model;
    model.racks = 4;
    model.uplinks = 2;
    const auto schedule = CreateObject<RoundRobinSchedule>();
    schedule->Build(4, 2);
    SchedulePackets::Settings settings;
    settings.forwarding = TorForwarding::All(TorForwarding::TRANSIT_RANDOM);
    const Traffic flows{{0, 2, 1000000, Time(0)}, {1, 3, 1000000, Time(0)}};
    SchedulePackets engine(model, schedule, settings);
    SchedulePackets other(model, schedule, settings);
    const auto run = [&](SchedulePackets& packets) { return packets.Run(flows, Seconds(1)); };
    const SchedulePackets::Result first = run(engine);
    NS_TEST_EXPECT_MSG_EQ((run(engine).received == first.received), true, "again");
    NS_TEST_EXPECT_MSG_EQ(run(engine).hops, first.hops, "again");
    NS_TEST_EXPECT_MSG_EQ((run(other).received == first.received), false, "automatic streams");
    engine.AssignStreams(7);
    other.AssignStreams(7);
    NS_TEST_EXPECT_MSG_EQ((run(engine).received == run(other).received), true, "the same streams");
}

/// Calls that make no sense.
ODCN_TEST_CASE_F(RefusalFixture,
                 EngineMisuseTestCase,
                 "What the engine does not support is refused in one line")
{
    using Settings = SchedulePackets::Settings;
    const auto schedule = CreateObject<RoundRobinSchedule>();
    schedule->Build(4, 2);
    FabricModel model;
    model.racks = 4;
    model.uplinks = 2;
    const auto change = [&](const std::function<void(FabricModel&, Settings&)>& make)
    {
        FabricModel m = model;
        Settings s;
        make(m, s);
        SchedulePackets(m, schedule, s);
    };
    change([](auto&, auto&) {});
    ExpectRefusal("5 racks", [&] { change([](auto& m, auto&) { m.racks = 5; }); });
    ExpectRefusal("NoCircuit", [&] { change([](auto& m, auto&) { m.detour = true; }); });
    ExpectRefusal("PacketSize", [&] { change([](auto&, auto& s) { s.packetSize = 44; }); });
    ExpectRefusal("Guard", [&] { change([](auto&, auto& s) { s.guard = PicoSeconds(-1); }); });
    ExpectRefusal(
        "MaxHops",
        [&] { change([](auto&, auto& s) { s.forwarding = TorForwarding::Shortest(0, 1); }); });
    ExpectRefusal(
        "Paths",
        [&] { change([](auto&, auto& s) { s.forwarding = TorForwarding::Shortest(16, 0); }); });
    ExpectRefusal("Hold",
                  [&]
                  {
                      change(
                          [](auto&, auto& s)
                          {
                              s.hold = true;
                              s.forwarding = TorForwarding::All(TorForwarding::TRANSIT_IDLE);
                          });
                  });
    ExpectRefusal("Spreading",
                  [&]
                  {
                      change(
                          [](auto& m, auto& s)
                          {
                              m.spreading = Spreading::PER_FLOW;
                              s.forwarding = TorForwarding::Shortest(16, 1);
                          });
                  });
    OcsHelper helper;
    helper.SetTorAttribute("QueueDisc", StringValue("ns3::FqCoDelQueueDisc"));
    ExpectRefusal("QueueDisc", [&] { helper.GetModel({4, 1, 2, 2}); });
    SchedulePackets engine(model, schedule, {});
    const std::vector<Traffic::Item> wrong{{0, 4, 1, Time(0)},
                                           {4, 0, 1, Time(0)},
                                           {1, 1, 1, Time(0)},
                                           {0, 1, 0, Time(0)},
                                           {0, 1, 1, PicoSeconds(-1)}};
    ExpectRefusal("end of the run", [&] { engine.Run(Traffic(), PicoSeconds(-1)); });
    for (const Traffic::Item& flow : wrong)
    {
        // Traffic refuses some by itself.
        const bool isTraffic = flow.from != flow.to && !flow.start.IsStrictlyNegative();
        ExpectRefusal(isTraffic ? "flow 0" : "message 0",
                      [&] { engine.Run(Traffic{flow}, Seconds(1)); });
    }

    /// Sends one message, again and again.
    struct Repeater : TrafficSource
    {
        /// @param first what to send at the beginning
        /// @param next what to send at deliveries
        Repeater(const Message& first, const Message& next)
            : messages{first, next}
        {
        }

        void Start(std::vector<Message>& send) override
        {
            send.push_back(messages[0]);
        }

        void Receive(const Message&, Time, std::vector<Message>& send) override
        {
            send.push_back(messages[1]);
        }

        Message messages[2]; //!< to send
    };

    const Message right{0, 0, 1, 1, 0, Time(0)};
    for (const Message& message : {Message{0, 0, 4, 1, 0, Time(0)},
                                   Message{0, 4, 0, 1, 0, Time(0)},
                                   Message{0, 1, 1, 1, 0, Time(0)},
                                   Message{0, 0, 1, 0, 0, Time(0)},
                                   Message{0, 0, 1, Message::MAX_BYTES + 1, 0, Time(0)},
                                   Message{0, 0, 1, 1, 0, PicoSeconds(-1)}})
    {
        Repeater source(message, right);
        ExpectRefusal("a message of", [&] { engine.Run(source, Seconds(1)); });
    }
    Repeater late(right, right); // its second one is to be sent in the past
    ExpectRefusal("not before ", [&] { engine.Run(late, Seconds(1)); });
}

/// The packet engine for schedules.
CaseSuite g_schedulePacketsTestSuite("odcn-schedule-packets");

} // namespace
