// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_SCENARIO_H
#define ODCN_SCHEDULE_SCENARIO_H

/**
 * @file
 * The same fabrics and traffic in ns-3 and in SchedulePackets.
 */

#include "../core/odcn-test-case.h"
#include "odcn-loop-worlds.h"
#include "odcn-picoseconds.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-controller.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/odcn-traffic.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Routings by SchedulePackets::Routing.
inline const std::vector<std::string> SCHEDULE_ROUTINGS{"DirectRouting",
                                                        "ValiantRouting",
                                                        "ValiantRouting[Spread=Random]",
                                                        "ExpanderRouting",
                                                        "ToldRouting"};
/// Orders by SchedulePackets::Order.
inline const std::vector<std::string> SCHEDULE_ORDERS{"RoundRobin", "Fifo", "ShortestRemaining"};
/// First random stream of a fabric.
constexpr int64_t PACKETS_STREAM = 100;

/// A fabric with flows, for ns-3 and for the engine.
struct ScheduleScenario
{
    OcsFabricSize size;                   //!< size of the fabric
    OcsHelper helper;                     //!< builds it, except for settings
    Ptr<CircuitSchedule> schedule;        //!< its schedule
    std::string routing{"DirectRouting"}; //!< of all ToR switches
    SchedulePackets::Settings settings;   //!< the other settings, with the way of routing
    Traffic flows;                        //!< the flows
    Traffic traffic;                      //!< messages, instead of flows
    std::vector<uint32_t> places;         //!< hosts of the ranks of a collective
    Time until;                           //!< end of the run
    WorldFaults faults;                   //!< what fails
    std::string controller;               //!< sets circuits, instead of the schedule; "" for none
};

/// First random stream of a controller.
constexpr int64_t CONTROLLER_STREAM = 50000;

/// @param text a CircuitController with Attributes
/// @return it
inline Ptr<CircuitController>
MakeTestController(const std::string& text)
{
    auto controller = CreateFromText<CircuitController>("controller", text);
    controller->AssignStreams(CONTROLLER_STREAM);
    return controller;
}

/// What a scenario results in.
struct ScheduleOutcome
{
    std::vector<int64_t> times;         //!< completion times of flows or messages, ps
    std::vector<int64_t> sent;          //!< when messages were sent, ps
    int64_t end{0};                     //!< of the run, ps
    PacketCounts counts;                //!< packets by outcome
    std::pair<uint64_t, double> faults; //!< see SumFaults()
    uint64_t held{0};                   //!< packets that wait for circuits
    std::vector<double> goodput;        //!< by window
    std::vector<uint64_t> most;         //!< most bytes held, by rack
    uint64_t hops{0};                   //!< packets sent by uplinks
    uint64_t controlSent{0};            //!< messages of RotorLB among them, in ns-3
    uint64_t cut{0};                    //!< packets that TrimQueues cut, in the engine
    uint64_t reconfigured{0};           //!< circuits that were changed
};

/// @param scenario to run in ns-3
/// @param [out] incomplete gets what the recorder of flows says of those that are not complete
/// @return its outcome
inline ScheduleOutcome
RunScheduleEvents(ScheduleScenario scenario, std::string* incomplete = nullptr)
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
    ScheduleOutcome outcome;
    outcome.most.resize(scenario.size.racks, 0);
    for (RackId rack = 0; rack < scenario.size.racks; ++rack)
    {
        uint64_t& most = outcome.most[rack];
        Callback<void, uint64_t, uint64_t> held([&most](uint64_t, uint64_t now)
                                                { most = std::max(most, now); });
        fabric->GetTor(rack)->TraceConnectWithoutContext("Held", held);
    }
    for (uint32_t w = 0; w < scenario.size.switches; ++w)
    {
        Callback<void, const std::vector<OcsPortChange>&> changed(
            [&outcome](const std::vector<OcsPortChange>& changes)
            { outcome.reconfigured += changes.size(); });
        fabric->GetSwitch(w)->TraceConnectWithoutContext("ReconfigurationStart", changed);
    }
    Config::SetDefault("ns3::odcn::OcsScheduleFollower::Guard", TimeValue(settings.guard));
    Config::SetDefault("ns3::odcn::OcsScheduleFollower::PathMargin",
                       TimeValue(settings.pathMargin));
    if (scenario.controller.empty())
    {
        CreateObject<OcsScheduleFollower>()->Start(fabric, scenario.schedule);
    }
    else
    {
        const Ptr<CircuitController> controller = MakeTestController(scenario.controller);
        controller->SetFabric(fabric);
        CreateObject<Node>()->AddApplication(controller);
    }
    Config::SetDefault("ns3::odcn::OcsScheduleFollower::Guard", TimeValue(Time(0)));
    Config::SetDefault("ns3::odcn::OcsScheduleFollower::PathMargin", TimeValue(Time(0)));
    FlowHelper flows;
    flows.SetAttribute("Order", StringValue(SCHEDULE_ORDERS[int(settings.order)]));
    flows.SetAttribute("PacketSize", UintegerValue(settings.packetSize));
    flows.SetAttribute("ShortFlows", UintegerValue(settings.shortFlows));
    flows.SetAttribute("Hold", BooleanValue(settings.hold));
    SetLoops(flows, settings);
    flows.SetRecorderAttribute("GoodputWindow", TimeValue(settings.goodputWindow));
    Ptr<PlaneRun> messages;
    if (!scenario.traffic.empty())
    {
        messages = flows.InstallMessages(fabric)->Send(scenario.traffic, [] { Simulator::Stop(); });
    }
    else
    {
        flows.Install(fabric, scenario.flows);
        StopAtEnd(*flows.GetRecorder());
    }
    const Ptr<FaultInjector> injector = MakeInjector(scenario.faults);
    injector->SetFabric(fabric);
    injector->Start(scenario.faults.plan);
    RunFor(scenario.until);
    outcome.end = Simulator::Now().GetPicoSeconds();
    outcome.faults = SumFaults(*injector);
    if (messages)
    {
        outcome.times = ToPicoseconds(messages->GetResult().received);
        outcome.sent = ToPicoseconds(messages->GetResult().sent);
    }
    if (incomplete)
    {
        *incomplete = flows.GetRecorder()->DescribeIncomplete();
    }
    for (uint32_t i = 0; !messages && i < scenario.flows.size(); ++i)
    {
        const Time time = flows.GetRecorder()->GetCompletionTime(i);
        outcome.times.push_back(time.IsStrictlyNegative() ? -1 : time.GetPicoSeconds());
    }
    const PacketCounts counts = fabric->Count();
    outcome.counts = counts;
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
        outcome.controlSent += fabric->GetTor(rack)->GetControlSent();
    }
    outcome.goodput = flows.GetRecorder()->GetGoodput();
    Simulator::Destroy();
    return outcome;
}

/// @param scenario to run in the engine
/// @return its outcome
inline ScheduleOutcome
RunScheduleEngine(const ScheduleScenario& scenario)
{
    const FabricModel model = scenario.helper.GetModel(scenario.size);
    const auto makeLogic = [&scenario]
    {
        const Ptr<CircuitController> controller = MakeTestController(scenario.controller);
        return std::shared_ptr<CircuitLogic>(dynamic_cast<CircuitLogic*>(PeekPointer(controller)),
                                             [controller](CircuitLogic*)
                                             { controller->Dispose(); });
    };
    SchedulePackets engine = scenario.controller.empty()
                                 ? SchedulePackets(model, scenario.schedule, scenario.settings)
                                 : SchedulePackets(model, makeLogic, scenario.settings);
    engine.AssignStreams(PACKETS_STREAM);
    engine.SetFaults(scenario.faults.plan, scenario.faults.detection);
    SchedulePackets::Result result;
    ScheduleOutcome outcome;
    if (scenario.traffic.empty())
    {
        result = engine.Run(scenario.flows, scenario.until);
        outcome.times = ToPicoseconds(result.GetTimes());
    }
    else
    {
        TrafficRun messages(scenario.traffic);
        result = engine.Run(messages, scenario.until);
        outcome.times = ToPicoseconds(messages.GetResult().received);
        outcome.sent = ToPicoseconds(messages.GetResult().sent);
    }
    outcome.end = result.end.GetPicoSeconds();
    outcome.faults = {result.faults, result.availability};
    outcome.counts = result.counts;
    outcome.held = result.held;
    outcome.hops = result.hops;
    outcome.reconfigured = result.reconfigured;
    outcome.cut = result.cut;
    outcome.goodput = result.goodput;
    outcome.most = result.mostHeld;
    return outcome;
}

/// Random fabrics.
struct ScheduleCase
{
    bool alike; //!< whether rates, sizes and starts are equal, so that most packets meet
    bool hold;  //!< whether flows wait in the hosts for circuits
};

/// Sums over cases that were compared.
struct ScheduleCounts
{
    uint64_t completed{0};  //!< flows or messages
    uint64_t incomplete{0}; //!< the others
    uint64_t held{0};       //!< packets at the ends of runs
    uint64_t cut{0};        //!< packets that TrimQueues cut
    PacketCounts packets;   //!< packets by outcome
};

/// @copybrief ScheduleCase
struct ScheduleFixture : ParameterCase<ScheduleCase>
{
    using ParameterCase::ParameterCase;

    /// @param least value
    /// @param greatest value
    /// @return a random one
    uint32_t Draw(uint32_t least, uint32_t greatest)
    {
        return m_random->GetInteger(least, greatest);
    }

    /// @param greatest ns
    /// @return a random time in ps, 0 in a quarter of the cases
    Time DrawTime(uint32_t greatest)
    {
        return Draw(0, 3) == 0 ? Time(0) : PicoSeconds(Draw(0, greatest * 1000));
    }

    /// @param racks number
    /// @param uplinks of each
    /// @return a random schedule that exists
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

    /// @param k index
    /// @return a scenario
    ScheduleScenario Make(uint32_t k)
    {
        ScheduleScenario s;
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
        s.helper.SetServerQueue(k % 7 == 3 ? "ns3::odcn::FairQueue" : "ns3::DropTailQueue",
                                QueueSize(Draw(0, 1) ? "1000p" : "4p"));
        s.helper.SetTorAttribute("FairQueues", BooleanValue(k % 6 == 2));
        s.settings.queueSize =
            QueueSize(std::vector<std::string>{"0p", "0p", "6p", "9000B"}[k % 4]);
        s.settings.bufferSize =
            QueueSize(std::vector<std::string>{"0B", "30000B", "0B", "40p", "25000B"}[k % 5]);
        s.routing = SCHEDULE_ROUTINGS[Draw(0, 3)];
        // One's own does the same as the one of the library.
        s.routing =
            s.routing == SCHEDULE_ROUTINGS[0] && k % 2 == 1 ? SCHEDULE_ROUTINGS[4] : s.routing;
        s.settings.shortFlows = k % 3 == 0 ? Draw(1, 40000) : 0;
        // Without circuits that end, other schedules than Opera's often have no path.
        const bool isOpera = s.schedule->GetInstanceTypeId() == OperaSchedule::GetTypeId();
        const bool ending = isOpera ? k % 2 == 1 : k % 8 != 4;
        const std::string paths =
            "ExpanderRouting[Paths=" + std::vector<std::string>{"1", "5", "2"}[k / 3 % 3] +
            (ending ? "]" : "|EndingCircuits=false]");
        s.settings.order = static_cast<SchedulePackets::Order>(Draw(0, 2));
        s.settings.guard = DrawTime(1000);
        s.settings.pathMargin = DrawTime(8000);
        s.settings.goodputWindow = MicroSeconds(50);
        s.settings.packetSize = parameter.alike ? 1500 : Draw(300, 1500);
        if (parameter.hold)
        {
            s.settings.hold = true;
            s.routing = SCHEDULE_ROUTINGS[0];
            s.settings.queueSize = QueueSize(k % 4 == 0 ? "1p" : "0p");
        }
        s.routing = s.routing == SCHEDULE_ROUTINGS[3] ? paths : s.routing;
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
            s.flows.Add({from,
                         to,
                         parameter.alike ? 29120 : Draw(1, 40000),
                         PicoSeconds(parameter.alike ? 0 : Draw(0, 600'000'000))});
        }
        s.until = PicoSeconds(Draw(300'000, 4'000'000) * int64_t(parameter.alike ? 3000 : 1000));
        return s;
    }

    /// @param packets TrimQueue::DataPackets from now on
    static void SetDataPackets(uint32_t packets)
    {
        Config::SetDefault("ns3::odcn::TrimQueue<Packet>::DataPackets", UintegerValue(packets));
    }

    /// Let servers, and the ports to them, cut packets. @param s the scenario
    void DrawTrimQueue(ScheduleScenario& s)
    {
        SetDataPackets(Draw(1, 3));
        s.helper.SetServerQueue("ns3::odcn::TrimQueue", QueueSize(Draw(0, 1) ? "1000p" : "12p"));
    }

    /// Let nothing be lost but by routing, and much arrive. @param s the scenario
    static void MakeAmple(ScheduleScenario& s)
    {
        s.settings.queueSize = QueueSize("0p");
        s.settings.bufferSize = QueueSize("0B");
        s.helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
        s.until = MilliSeconds(40);
    }

    /// @param k index
    /// @return a scenario with random messages, some after others
    ScheduleScenario MakeMessages(uint32_t k)
    {
        ScheduleScenario s = Make(k);
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
            s.traffic.Add({from,
                           to,
                           Draw(0, 15) == 0 ? 0 : bytes,
                           Draw(0, 1)
                               ? Time(0)
                               : MicroSeconds(parameter.alike ? 50 * Draw(0, 6) : Draw(0, 300))},
                          after);
        }
        return s;
    }

    /// Compare a run in the engine with one in ns-3.
    /// @param k index of the case
    /// @param scenario of both
    /// @param a outcome in ns-3
    /// @param name more about the case
    void Compare(uint32_t k,
                 const ScheduleScenario& scenario,
                 const ScheduleOutcome& a,
                 const std::string& name = "")
    {
        const ScheduleOutcome b = RunScheduleEngine(scenario);
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
        NS_TEST_EXPECT_MSG_EQ(b.end, a.end, what);
        NS_TEST_EXPECT_MSG_EQ(b.counts.sent, a.counts.sent, what);
        NS_TEST_EXPECT_MSG_EQ(b.counts.received, a.counts.received, what);
        NS_TEST_EXPECT_MSG_EQ(b.counts.inFlight, a.counts.inFlight, what);
        NS_TEST_EXPECT_MSG_EQ((b.counts == a.counts), true, what);
        NS_TEST_EXPECT_MSG_EQ(b.faults.first, a.faults.first, what);
        NS_TEST_EXPECT_MSG_EQ(b.faults.second, a.faults.second, what);
        NS_TEST_EXPECT_MSG_EQ(b.held, a.held, what);
        NS_TEST_EXPECT_MSG_EQ(b.hops, a.hops, what);
        if (!scenario.controller.empty()) // else the engine ends with the last packet
        {
            NS_TEST_EXPECT_MSG_EQ(b.reconfigured, a.reconfigured, what);
        }
        for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
        {
            const auto cause = static_cast<OcsDropCause>(i);
            NS_TEST_EXPECT_MSG_EQ(b.counts.dropped[cause],
                                  a.counts.dropped[cause],
                                  what << ", " << cause);
        }
        if (!scenario.flows.empty() && scenario.traffic.empty())
        {
            NS_TEST_EXPECT_MSG_EQ((b.goodput == a.goodput), true, what); // of flows only
        }
        NS_TEST_EXPECT_MSG_EQ((b.most == a.most), true, what);
        sum.packets.received += b.counts.received;
        sum.packets.dropped += b.counts.dropped;
        sum.held += b.held;
        sum.cut += b.cut;
    }

    ScheduleCounts sum;                                                         //!< of all cases
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< for scenarios
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_SCENARIO_H */
