// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The packet engine for schedules against the same packets in ns-3, and against exact throughput.
 */

#include "../core/odcn-test-case.h"
#include "odcn-message-mix.h"
#include "odcn-plane-traffic.h"

#include "ns3/object-factory.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-collective-run.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/odcn-traffic.h"
#include "ns3/random-variable-stream.h"

#include <bit>
#include <numeric>
#include <optional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Routings by SchedulePackets::Routing.
const std::vector<std::string> ROUTINGS{"DirectRouting",
                                        "ValiantRouting",
                                        "ValiantRouting[Spread=Random]",
                                        "ExpanderRouting",
                                        "ToldRouting"};
/// Orders by SchedulePackets::Order.
const std::vector<std::string> ORDERS{"RoundRobin", "Fifo", "ShortestRemaining"};
/// First random stream of a fabric.
constexpr int64_t PACKETS_STREAM = 100;

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

/// A fabric with flows, for ns-3 and for the engine.
struct Scenario
{
    OcsFabricSize size;                   //!< size of the fabric
    OcsHelper helper;                     //!< builds it, except for settings
    Ptr<CircuitSchedule> schedule;        //!< its schedule
    std::string routing{"DirectRouting"}; //!< of all ToR switches
    SchedulePackets::Settings settings;   //!< the other settings, with the way of routing
    std::vector<DataFlow> flows;          //!< the flows
    Traffic traffic;                      //!< messages, instead of flows
    std::vector<uint32_t> places;         //!< hosts of the ranks of a collective
    Time until;                           //!< end of the run
};

/// SchedulePacketsOutcome of a scenario.
struct SchedulePacketsOutcome
{
    std::vector<int64_t> times;  //!< completion times of flows or messages, ps
    std::vector<int64_t> sent;   //!< when messages were sent, ps
    PacketCounts counts;         //!< without control packets
    uint64_t held{0};            //!< packets that wait for circuits
    std::vector<double> goodput; //!< by window
    std::vector<uint64_t> most;  //!< most bytes held, by rack
    uint64_t hops{0};            //!< packets sent by uplinks
};

/// @param scenario to run in ns-3
/// @param collective to run at its places, instead of its flows or messages, or null
/// @param [out] incomplete gets what the recorder of flows says of those that are not complete
/// @return its outcome
SchedulePacketsOutcome
RunEvents(Scenario scenario,
          const Collective* collective = nullptr,
          std::string* incomplete = nullptr)
{
    const SchedulePackets::Settings& settings = scenario.settings;
    OcsHelper& helper = scenario.helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(scenario.routing));
    helper.SetTorAttribute("QueueSize", QueueSizeValue(settings.queueSize));
    helper.SetTorAttribute("BufferSize", QueueSizeValue(settings.bufferSize));
    const Ptr<OcsFabric> fabric = helper.Build(scenario.size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(PACKETS_STREAM);
    SchedulePacketsOutcome outcome;
    outcome.most.resize(scenario.size.racks, 0);
    for (RackId rack = 0; rack < scenario.size.racks; ++rack)
    {
        uint64_t& most = outcome.most[rack];
        Callback<void, uint64_t, uint64_t> held([&most](uint64_t, uint64_t now)
                                                { most = std::max(most, now); });
        fabric->GetTor(rack)->TraceConnectWithoutContext("Held", held);
    }
    const auto follower =
        CreateObjectWithAttributes<OcsScheduleFollower>("Guard",
                                                        TimeValue(settings.guard),
                                                        "PathMargin",
                                                        TimeValue(settings.pathMargin));
    follower->Start(fabric, scenario.schedule);
    FlowHelper flows;
    flows.SetAttribute("Order", StringValue(ORDERS[int(settings.order)]));
    flows.SetAttribute("PacketSize", UintegerValue(settings.packetSize));
    flows.SetAttribute("ShortFlows", UintegerValue(settings.shortFlows));
    flows.SetAttribute("Hold", BooleanValue(settings.hold));
    flows.SetRecorderAttribute("GoodputWindow", TimeValue(settings.goodputWindow));
    TrafficRun messages(scenario.traffic);
    std::optional<PlaneTraffic> sender;
    const auto job = CreateObject<CollectiveRun>();
    if (collective)
    {
        outcome.sent.assign(collective->GetSteps().size(), -1);
        outcome.times = outcome.sent;
        job->TraceConnectWithoutContext("Step",
                                        Callback<void, uint32_t, Time>(
                                            [&outcome](uint32_t step, Time sent)
                                            {
                                                outcome.sent[step] = sent.GetPicoSeconds();
                                                outcome.times[step] =
                                                    Simulator::Now().GetPicoSeconds();
                                            }));
        job->Start(flows.InstallMessages(fabric), *collective, scenario.places);
    }
    else if (!scenario.traffic.GetItems().empty())
    {
        sender.emplace(flows.InstallMessages(fabric), messages);
    }
    else
    {
        flows.Install(fabric, scenario.flows);
    }
    RunFor(scenario.until);
    if (sender)
    {
        outcome.times = ToPicoseconds(messages.GetReceived());
        outcome.sent = ToPicoseconds(messages.GetSent());
    }
    if (incomplete)
    {
        *incomplete = flows.GetRecorder()->DescribeIncomplete();
    }
    for (uint32_t i = 0; !sender && !collective && i < scenario.flows.size(); ++i)
    {
        const Time time = flows.GetRecorder()->GetCompletionTime(i);
        outcome.times.push_back(time.IsStrictlyNegative() ? -1 : time.GetPicoSeconds());
    }
    const PacketCounts counts = fabric->Count();
    outcome.counts = {counts.sent, counts.received, counts.inFlight, counts.dropped};
    for (RackId rack = 0; rack < scenario.size.racks; ++rack)
    {
        outcome.held += fabric->GetTor(rack)->GetHeld();
    }
    for (RackId rack = 0; rack < scenario.size.racks; ++rack)
    {
        for (uint32_t port = 0; port < scenario.size.uplinks; ++port)
        {
            outcome.hops += fabric->GetUplink(rack, port)->GetSent();
        }
    }
    outcome.goodput = flows.GetRecorder()->GetGoodput();
    Simulator::Destroy();
    return outcome;
}

/// @param scenario to run in the engine  @return its outcome
SchedulePacketsOutcome
RunEngine(const Scenario& scenario)
{
    SchedulePackets engine(scenario.helper.GetModel(scenario.size),
                           scenario.schedule,
                           scenario.settings);
    engine.AssignStreams(PACKETS_STREAM);
    SchedulePackets::Result result;
    SchedulePacketsOutcome outcome;
    if (scenario.traffic.GetItems().empty())
    {
        result = engine.Run(scenario.flows, scenario.until);
        outcome.times = ToPicoseconds(result.times);
    }
    else
    {
        TrafficRun messages(scenario.traffic);
        result = engine.Run(messages, scenario.until);
        outcome.times = ToPicoseconds(messages.GetReceived());
        outcome.sent = ToPicoseconds(messages.GetSent());
    }
    outcome.counts = result.counts;
    outcome.held = result.held;
    outcome.hops = result.hops;
    outcome.goodput = result.goodput;
    outcome.most = result.mostHeld;
    return outcome;
}

/// Random fabrics.
struct EqualityCase
{
    bool alike; //!< whether rates, sizes and starts are equal, so that most packets meet
    bool hold;  //!< whether flows wait in the hosts for circuits
};

/// Sums over cases that were compared.
struct EqualityCounts
{
    uint64_t completed{0};  //!< flows or messages
    uint64_t incomplete{0}; //!< the others
    uint64_t held{0};       //!< packets at the ends of runs
    PacketCounts packets;   //!< packets by outcome
};

/// @copybrief EqualityCase
struct EqualityFixture : ParameterCase<EqualityCase>
{
    using ParameterCase::ParameterCase;

    /// @param least value  @param greatest value  @return a random one
    uint32_t Draw(uint32_t least, uint32_t greatest)
    {
        return m_random->GetInteger(least, greatest);
    }

    /// @param greatest ns  @return a random time in ps, 0 in a quarter of the cases
    Time DrawTime(uint32_t greatest)
    {
        return Draw(0, 3) == 0 ? Time(0) : PicoSeconds(Draw(0, greatest * 1000));
    }

    /// @param racks number  @param uplinks of each  @return a random schedule that exists
    Ptr<CircuitSchedule> DrawSchedule(uint32_t racks, uint32_t uplinks)
    {
        const std::vector<std::string> kinds{"RoundRobin", "Rotor", "Opera", "Sirius", "Expander"};
        for (;;)
        {
            ObjectFactory factory("ns3::odcn::" + kinds[Draw(0, 4)] + "Schedule");
            if (factory.GetTypeId() != ExpanderSchedule::GetTypeId())
            {
                factory.Set("Slot", TimeValue(PicoSeconds(Draw(20'000'000, 60'000'000))));
                factory.Set("ReconfigurationTime", TimeValue(DrawTime(5000)));
            }
            const Ptr<CircuitSchedule> schedule = factory.Create<CircuitSchedule>();
            schedule->AssignStreams(Draw(0, 1000));
            try
            {
                schedule->Build(racks, uplinks);
                return schedule;
            }
            catch (const OdcnError&)
            {
                // Draw another kind.
            }
        }
    }

    /// @param k index  @return a scenario
    Scenario Make(uint32_t k)
    {
        Scenario s;
        s.size.racks = Draw(4, 10);
        s.size.serversPerRack = Draw(1, 3);
        s.size.uplinks = Draw(1, 4);
        s.size.switches = s.size.uplinks;
        s.schedule = DrawSchedule(s.size.racks, s.size.uplinks);
        const auto rate = [this](uint32_t least, uint32_t greatest)
        {
            return DataRateValue(DataRate(
                parameter.alike ? 10'000'000'000 : Draw(least, greatest) * uint64_t(1000) + 7));
        };
        s.helper.SetServerAttribute("DataRate", rate(8'000'000, 40'000'000));
        s.helper.SetUplinkAttribute("DataRate", rate(5'000'000, 20'000'000));
        s.helper.SetServerFiberAttribute("Delay", TimeValue(DrawTime(500)));
        s.helper.SetUplinkFiberAttribute("Delay", TimeValue(DrawTime(1000)));
        s.helper.SetTorAttribute("Spreading", StringValue(Draw(0, 1) ? "PerPacket" : "RoundRobin"));
        // Small buffers in half of the cases.
        s.helper.SetServerQueue("ns3::DropTailQueue", QueueSize(Draw(0, 1) ? "1000p" : "4p"));
        s.settings.queueSize =
            QueueSize(std::vector<std::string>{"0p", "0p", "6p", "9000B"}[k % 4]);
        s.settings.bufferSize =
            QueueSize(std::vector<std::string>{"0B", "30000B", "0B", "40p", "25000B"}[k % 5]);
        s.routing = ROUTINGS[Draw(0, 3)];
        // One's own does the same as the one of the library.
        s.routing = s.routing == ROUTINGS[0] && k % 2 == 1 ? ROUTINGS[4] : s.routing;
        s.settings.shortFlows = k % 3 == 0 ? Draw(1, 40000) : 0;
        const std::string paths =
            "ExpanderRouting[Paths=" + std::vector<std::string>{"1", "5", "2"}[k / 3 % 3] + "]";
        s.settings.order = static_cast<SchedulePackets::Order>(Draw(0, 2));
        s.settings.guard = DrawTime(1000);
        s.settings.pathMargin = DrawTime(8000);
        s.settings.goodputWindow = MicroSeconds(50);
        s.settings.packetSize = parameter.alike ? 1500 : Draw(300, 1500);
        if (parameter.hold)
        {
            s.settings.hold = true;
            s.routing = ROUTINGS[0];
            s.settings.queueSize = QueueSize(k % 4 == 0 ? "1p" : "0p");
        }
        s.routing = s.routing == ROUTINGS[3] ? paths : s.routing;
        if (s.settings.shortFlows > 0)
        {
            s.routing = "ClassRouting[Short=" + paths + "|Bulk=" + s.routing + "]";
        }
        s.settings.forwarding = TorRouting::Create(s.routing)->GetForwarding();
        const uint32_t hosts = s.size.racks * s.size.serversPerRack;
        for (uint32_t i = 0; i < 10 * hosts; ++i)
        {
            const ServerId from = Draw(0, hosts - 1);
            const ServerId to = (from + Draw(1, hosts - 1)) % hosts;
            s.flows.push_back({from,
                               to,
                               parameter.alike ? 29120 : Draw(1, 40000),
                               PicoSeconds(parameter.alike ? 0 : Draw(0, 600'000'000))});
        }
        s.until = PicoSeconds(Draw(300'000, 4'000'000) * int64_t(parameter.alike ? 3000 : 1000));
        return s;
    }

    /// Let nothing be lost but by routing, and much arrive. @param s the scenario
    static void MakeAmple(Scenario& s)
    {
        s.settings.queueSize = QueueSize("0p");
        s.settings.bufferSize = QueueSize("0B");
        s.helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
        s.until = MilliSeconds(40);
    }

    /// @param k index
    /// @return a scenario with random messages, some after others
    Scenario MakeMessages(uint32_t k)
    {
        Scenario s = Make(k);
        if (k % 2 == 0) // otherwise a lost packet may stop much
        {
            MakeAmple(s);
        }
        const uint32_t hosts = s.size.racks * s.size.serversPerRack;
        const uint32_t pairs = Draw(2, 3 * hosts); // so few that messages follow each other
        std::vector<std::pair<ServerId, ServerId>> ends;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            const ServerId from = Draw(0, hosts - 1);
            ends.emplace_back(from, (from + Draw(1, hosts - 1)) % hosts);
        }
        for (uint32_t i = 0; i < 10 * hosts; ++i)
        {
            const auto [from, to] = ends[Draw(0, pairs - 1)];
            std::vector<uint32_t> after;
            for (uint32_t j = Draw(0, 3); i > 0 && j > 1; --j)
            {
                after.push_back(Draw(0, i - 1));
            }
            // Few sizes, so that some are equal; some messages are empty.
            const uint64_t bytes = parameter.alike ? 1440 * Draw(1, 12) : Draw(1, 40000);
            s.traffic.Add(from,
                          to,
                          Draw(0, 15) == 0 ? 0 : bytes,
                          after,
                          Draw(0, 1)
                              ? Time(0)
                              : MicroSeconds(parameter.alike ? 50 * Draw(0, 6) : Draw(0, 300)));
        }
        return s;
    }

    /// Compare a run in the engine with one in ns-3.
    /// @param k index of the case
    /// @param scenario of both
    /// @param a outcome in ns-3
    /// @param name more about the case
    void Compare(uint32_t k,
                 const Scenario& scenario,
                 const SchedulePacketsOutcome& a,
                 const std::string& name = "")
    {
        const SchedulePacketsOutcome b = RunEngine(scenario);
        std::ostringstream text;
        text << "case " << k << ", " << scenario.schedule->GetInstanceTypeId().GetName() << ", "
             << scenario.routing << " " << name;
        const std::string what = text.str();
        NS_TEST_EXPECT_MSG_EQ(b.times.size(), a.times.size(), what);
        for (std::size_t i = 0; i < a.times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(b.times[i], a.times[i], what << ", flow or message " << i);
            ++(a.times[i] < 0 ? sum.incomplete : sum.completed);
        }
        for (std::size_t i = 0; i < a.sent.size(); ++i)
        {
            // A step that was not received does not tell when it was sent.
            NS_TEST_EXPECT_MSG_EQ((a.sent[i] < 0 || b.sent[i] == a.sent[i]),
                                  true,
                                  what << ", sending of message " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(b.counts.sent, a.counts.sent, what);
        NS_TEST_EXPECT_MSG_EQ(b.counts.received, a.counts.received, what);
        NS_TEST_EXPECT_MSG_EQ(b.counts.inFlight, a.counts.inFlight, what);
        NS_TEST_EXPECT_MSG_EQ(b.held, a.held, what);
        NS_TEST_EXPECT_MSG_EQ(b.hops, a.hops, what);
        NS_TEST_EXPECT_MSG_EQ((b.counts.dropped.packets == a.counts.dropped.packets), true, what);
        if (!scenario.flows.empty() && scenario.traffic.GetItems().empty())
        {
            NS_TEST_EXPECT_MSG_EQ((b.goodput == a.goodput), true, what); // of flows only
        }
        NS_TEST_EXPECT_MSG_EQ((b.most == a.most), true, what);
        sum.packets.received += b.counts.received;
        sum.packets.dropped += b.counts.dropped;
        sum.held += b.held;
    }

    EqualityCounts sum;                                                         //!< of all cases
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< for scenarios
};

/// @copybrief EqualityCase
ODCN_TEST_CASES_F(EqualityFixture,
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
        const Scenario scenario = Make(k);
        Compare(k, scenario, RunEvents(scenario));
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

/// @copybrief EqualityCase
ODCN_TEST_CASES_F(EqualityFixture,
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
        const Scenario scenario = MakeMessages(k);
        Compare(k, scenario, RunEvents(scenario));
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 700, "messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.incomplete, 100, "messages stay incomplete");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 10000, "packets are received");
}

/// @copybrief EqualityCase
ODCN_TEST_CASES_F(EqualityFixture,
                  CollectiveEqualityTestCase,
                  std::string("The engine has the steps of CollectiveRun, ") +
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
        Scenario s = Make(k);
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
        Compare(k, s, RunEvents(s, &collective), name);
    }
    NS_TEST_EXPECT_MSG_GT(sum.completed, 1000, "steps are received");
    NS_TEST_EXPECT_MSG_GT(sum.packets.received, 5000, "packets are received");
}

/// A small shuffle from hosts that hold, by hand.
ODCN_TEST_CASE(HoldTestCase, "Flows wait in their hosts for circuits, and take turns")
{
    UsePicoseconds();
    Scenario s;
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
        const SchedulePacketsOutcome outcome = events ? RunEvents(s) : RunEngine(s);
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
    traffic.Add(0, 2, 10 * payload);
    traffic.Add(0, 2, 10 * payload);
    traffic.Add(0, 3, 10 * payload);
    traffic.Add(2, 0, payload, std::vector<uint32_t>{0, 2});
    traffic.Add(1, 0, 1, {}, MicroSeconds(100)); // in the rack: 61 bytes twice, and 0.2 us
    traffic.Add(1, 0, 0, std::vector<uint32_t>{1}, MicroSeconds(50));
    traffic.Add(0, 1, 1, std::vector<uint32_t>{5});
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
        NS_TEST_EXPECT_MSG_EQ(run.GetReceived()[i], PicoSeconds(received[i]), "message " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(run.GetSent()[3], PicoSeconds(received[2]), "it waits for both");
    NS_TEST_EXPECT_MSG_EQ(run.GetSent()[6], MicroSeconds(50), "it waits for an empty one");
    NS_TEST_EXPECT_MSG_EQ(result.end, run.GetTime(), "the end");
    NS_TEST_EXPECT_MSG_EQ(result.counts.sent, 33, "packets");
    NS_TEST_EXPECT_MSG_EQ((run.IsDone() && run.DescribeUnfinished().empty()), true, "done");
    NS_TEST_EXPECT_MSG_EQ(result.stages.empty(), true, "done");

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

/// Flows that do not end.
ODCN_TEST_CASE(EngineStagesTestCase, "The engine says what is done with flows as FlowApplication")
{
    UsePicoseconds();
    Scenario s;
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
        RunEvents(s, nullptr, &events);
        SchedulePackets engine(s.helper.GetModel(s.size), s.schedule, s.settings);
        const SchedulePackets::Result result = engine.Run(s.flows, s.until);
        const auto recorder = CreateObject<FlowRecorder>();
        recorder->SetFlows(s.flows);
        recorder->SetCompletionTimes(result.times, DataRate("10Gbps"), 1500, result.stages);
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
        std::vector<DataFlow> flows;
        for (RackId from = 0; from < 16; ++from)
        {
            for (uint32_t shift = 1; shift < 16; ++shift)
            {
                if (uniform || shift == 5)
                {
                    flows.push_back({from, (from + shift) % 16, 50'000'000, Time(0)});
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
        {"RotorLbRouting", F::TRANSIT_AGREED, F::TRANSIT_AGREED, 2, false},
        {"ExpanderRouting[MaxHops=3|Paths=2]", F::SHORTEST, F::SHORTEST, 3, true},
        {"ClassRouting", F::DIRECT, F::SHORTEST, 1, true},
        {"ClassRouting[Bulk=RotorLbRouting]", F::TRANSIT_AGREED, F::SHORTEST, 2, false},
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
    const std::vector<DataFlow> flows{{0, 2, 1000000, Time(0)}, {1, 3, 1000000, Time(0)}};
    SchedulePackets engine(model, schedule, settings);
    SchedulePackets other(model, schedule, settings);
    const auto run = [&](SchedulePackets& packets) { return packets.Run(flows, Seconds(1)); };
    const SchedulePackets::Result first = run(engine);
    NS_TEST_EXPECT_MSG_EQ((run(engine).times == first.times), true, "again");
    NS_TEST_EXPECT_MSG_EQ(run(engine).hops, first.hops, "again");
    NS_TEST_EXPECT_MSG_EQ((run(other).times == first.times), false, "automatic streams");
    engine.AssignStreams(7);
    other.AssignStreams(7);
    NS_TEST_EXPECT_MSG_EQ((run(engine).times == run(other).times), true, "the same streams");
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
    const std::vector<DataFlow> wrong{{0, 4, 1, Time(0)},
                                      {4, 0, 1, Time(0)},
                                      {1, 1, 1, Time(0)},
                                      {0, 1, 0, Time(0)},
                                      {0, 1, 1, PicoSeconds(-1)}};
    ExpectRefusal("end of the run", [&] { engine.Run(std::vector<DataFlow>{}, PicoSeconds(-1)); });
    for (const DataFlow& flow : wrong)
    {
        ExpectRefusal("flow 0", [&] { engine.Run(std::vector{flow}, Seconds(1)); });
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
