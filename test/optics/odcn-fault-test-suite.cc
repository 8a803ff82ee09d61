// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Faults in packets: mirrors that do not obey, causes of losses, what control avoids once it knows,
 * identities under random plans, measured availability, and jobs and commands under faults.
 */

#include "../core/odcn-test-case.h"
#include "../jobs/odcn-test-system.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-policy-registry.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Commands, and what mirrors make of them.
ODCN_TEST_CASE(MirrorTestCase,
               "A stuck mirror keeps its circuit, one that misses loses it, and both obey the "
               "last command in the end")
{
    Ptr<OcsSwitch> ocs = CreateObject<OcsSwitch>();
    ocs->SetNPorts(4);
    ocs->Preset({{0, 0}, {1, 1}, {2, 2}});
    ocs->SetMirror(0, OcsMirror::STUCK);
    NS_TEST_EXPECT_MSG_EQ(ocs->Reconfigure({{0, 1}, {1, 0}, {2, 3}}), 2, "0 does not move");
    const auto see = [&](std::vector<uint32_t> outputs, const std::string& when)
    {
        for (uint32_t i = 0; i < outputs.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(ocs->GetOutput(i), outputs[i], "input " << i << when);
            const uint32_t back = outputs[i] == OCS_NO_PORT ? i : ocs->GetInput(outputs[i]);
            NS_TEST_EXPECT_MSG_EQ(back, i, "output of " << i << when);
        }
    };
    see({0, OCS_NO_PORT, 3, OCS_NO_PORT}, ": 1 cannot have the output of 0");
    // By commands output 1 is free once 0 is told to go to 2, output 0 is not.
    NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { ocs->Check({{3, 0}}); }), "", "output 0 is input 1's");
    ocs->Reconfigure({{0, 2}, {3, 1}});
    see({0, OCS_NO_PORT, 3, 1}, " later");
    ocs->SetMirror(0, OcsMirror::WORKS);
    see({2, 0, 3, 1}, " when repaired");
    ocs->SetMirror(2, OcsMirror::LOSES);
    see({2, 0, 3, 1}, " before a change");
    ocs->Reconfigure({{2, 1}, {3, 3}});
    see({2, 0, OCS_NO_PORT, 3}, ": 2 misses");
    ocs->SetMirror(2, OcsMirror::STUCK);
    ocs->SetMirror(2, OcsMirror::LOSES);
    see({2, 0, OCS_NO_PORT, 3}, " still");
    ocs->SetMirror(2, OcsMirror::WORKS);
    see({2, 0, 1, 3}, " and is repaired");
    Simulator::Run();
    Simulator::Destroy();
}

/// A fabric with an injector.
struct FaultyFabric : ScheduledFabric
{
    /// @param size of the fabric  @param schedule a kind of schedule  @param routing a TorRouting
    /// @param detection DetectionTime
    FaultyFabric(const OcsFabricSize& size,
                 const std::string& schedule,
                 const std::string& routing,
                 Time detection = MicroSeconds(20))
        : ScheduledFabric(size, schedule, routing)
    {
        injector = CreateObjectWithAttributes<FaultInjector>("DetectionTime", TimeValue(detection));
        injector->SetFabric(fabric);
    }

    /// Random traffic.
    void SaturateAll()
    {
        const auto racks = static_cast<uint32_t>(servers.size());
        Saturate([this, racks](RackId rack)
                 { return (rack + random->GetInteger(1, racks - 1)) % racks; });
    }

    Ptr<FaultInjector> injector; //!< of the fabric
};

/// Each part loses packets for its own cause, and control ends the losses that it can avoid.
ODCN_TEST_CASE(CauseTestCase,
               "Every kind of fault has its cause of losses, which end when control knows")
{
    /// A fault and what follows.
    struct Case
    {
        std::string schedule; //!< a kind of schedule
        FaultPart part;       //!< which part
        uint32_t first;       //!< its index
        uint32_t second;      //!< its index
        OcsDropCause cause;   //!< of the losses
        bool avoidable;       //!< whether other circuits are taken
    };

    using C = OcsDropCause;
    const std::vector<Case> cases{
        {"Expander", FaultPart::OCS, 1, 0, C::PORT_FAILED, true},
        {"Expander", FaultPart::OCS_PORT, 0, 3, C::PORT_FAILED, true},
        {"Expander", FaultPart::UPLINK, 5, 2, C::PORT_FAILED, true},
        {"Expander", FaultPart::FIBER, 5, 2, C::FIBER_CUT, true},
        {"Expander", FaultPart::SERVER, 5, 0, C::PORT_FAILED, false},
        {"Expander", FaultPart::TOR, 5, 0, C::REBOOT, false},
        {"Rotor", FaultPart::OCS_PORT, 0, 3, C::PORT_FAILED, true},
        {"Rotor", FaultPart::UPLINK, 5, 2, C::PORT_FAILED, true},
        {"Rotor", FaultPart::CIRCUIT, 1, 2, C::NO_CIRCUIT, true},
    };
    for (const Case& c : cases)
    {
        const bool isRotor = c.schedule == "Rotor";
        FaultyFabric t({8, 1, 4, 4},
                       c.schedule,
                       isRotor ? "ValiantRouting" : "ExpanderRouting",
                       MicroSeconds(150));
        t.SaturateAll();
        FaultPlan plan;
        plan.Add({c.part, c.first, c.second, MicroSeconds(301), MicroSeconds(1500), "test"});
        std::vector<std::string> told;
        Listen(t.injector,
               "Fault",
               [&](const Fault& fault, bool up)
               { told.push_back(fault.cause + (up ? " up" : " down")); });
        t.injector->Start(plan);
        const std::string name = FaultPartName(c.part) + (" of " + c.schedule);
        const auto dropped = [&] { return t.fabric->Count().dropped; };
        RunFor(MicroSeconds(300));
        NS_TEST_EXPECT_MSG_EQ(dropped().Total(), 0, "before, " << name);
        RunFor(MicroSeconds(155));
        const OcsDropCounts early = dropped();
        NS_TEST_EXPECT_MSG_GT(early[c.cause], 0, "losses, " << name);
        NS_TEST_EXPECT_MSG_EQ(FindImbalance(t.fabric), "", name);
        RunFor(MicroSeconds(745));
        const OcsDropCounts known = dropped();
        NS_TEST_EXPECT_MSG_EQ((known.Total() == early.Total()),
                              c.avoidable,
                              "known, " << name << ": " << known.Total() - early.Total());
        NS_TEST_EXPECT_MSG_LT(t.injector->GetAvailability(c.part), 1, name);
        RunFor(MicroSeconds(800));
        const OcsDropCounts late = dropped();
        const uint64_t received = t.CountBytes();
        RunFor(MicroSeconds(500));
        NS_TEST_EXPECT_MSG_EQ(dropped().Total(), late.Total(), "after the repair, " << name);
        NS_TEST_EXPECT_MSG_GT(t.CountBytes(), received, "traffic after it, " << name);
        NS_TEST_EXPECT_MSG_EQ(FindImbalance(t.fabric), "", name);
        NS_TEST_EXPECT_MSG_EQ((told == std::vector<std::string>{"test down", "test up"}),
                              true,
                              name);
        NS_TEST_EXPECT_MSG_EQ(t.injector->GetNFaults(c.part), 1, name);
    }
}

/// Ports that have failed for good.
ODCN_TEST_CASE(WayTestCase,
               "Two hops lead around pairs of racks that a schedule cannot join any more, and "
               "short packets without a path wait")
{
    /// A fabric and what it loses.
    struct Case
    {
        std::string schedule;           //!< a kind of schedule
        std::string routing;            //!< of ToR switches
        std::vector<uint32_t> switches; //!< where rack 0 has no port
        uint8_t tos;                    //!< of packets
    };

    const std::string opera = "ClassRouting[Bulk=RotorLbRouting]";
    const std::vector<Case> cases{{"Rotor", "ValiantRouting", {1}, 0},
                                  {"Rotor", "ValiantRouting[Spread=Random]", {1, 2}, 0},
                                  {"Rotor", "RotorLbRouting", {1, 2}, 0},
                                  {"Opera", opera, {0, 1, 2}, 46 << 2},
                                  {"Opera", "ClassRouting", {0, 1}, 46 << 2}};
    for (const Case& c : cases)
    {
        FaultyFabric t({8, 1, 4, 4}, c.schedule, c.routing);
        FaultPlan plan;
        for (const uint32_t w : c.switches)
        {
            plan.Add({FaultPart::OCS_PORT, w, 0, Time(0), Time::Max(), ""});
        }
        t.injector->Start(plan);
        uint64_t joined = 0;
        for (RackId from = 1; from < 8; ++from)
        {
            for (uint32_t i = 0; i < 40; ++i)
            {
                t.servers[from].device->Transmit(t.Make(from, 0, c.tos));
                t.servers[0].device->Transmit(t.Make(0, from, c.tos));
            }
            joined += t.plan->GetCapacity().Get(from, 0) > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(joined, 7, "the schedule joins all racks");
        RunFor(MilliSeconds(20));
        const PacketCounts counts = t.fabric->Count();
        const std::string name = c.schedule + ", " + c.routing;
        NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), 0, name);
        NS_TEST_EXPECT_MSG_EQ(counts.received, 560, name);
    }
}

/// Random plans over random small fabrics.
ODCN_TEST_CASE(IdentityTestCase,
               "No packet is unaccounted for after any fault of random plans, and measured "
               "availability is that of the plan and of the closed form")
{
    constexpr FaultPart PARTS[] = {FaultPart::OCS,
                                   FaultPart::OCS_PORT,
                                   FaultPart::MIRROR,
                                   FaultPart::CIRCUIT,
                                   FaultPart::UPLINK,
                                   FaultPart::FIBER,
                                   FaultPart::TOR,
                                   FaultPart::SERVER};
    const std::vector<std::pair<std::string, std::string>> kinds{
        {"Rotor", "DirectRouting"},
        {"Rotor", "RotorLbRouting"},
        {"RoundRobin", "ValiantRouting"},
        {"Opera", "ClassRouting[Bulk=RotorLbRouting]"},
        {"Expander", "ExpanderRouting"},
        {"Rotor", "HybridRouting"}};
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(900);
    double square = 0;
    double excess = 0;
    for (uint32_t run = 0; run < 12; ++run)
    {
        const auto& [schedule, routing] = kinds[run % kinds.size()];
        const uint32_t uplinks = schedule == "Opera" ? 4 : 2 * random->GetInteger(1, 2);
        const uint32_t racks = uplinks * random->GetInteger(2, 3);
        FaultyFabric t(OcsFabricSize{racks, 1, uplinks, uplinks, routing[0] == 'H' ? 2U : 0U},
                       schedule,
                       routing,
                       MicroSeconds(random->GetInteger(0, 60)));
        t.SaturateAll();
        FaultPlan plan;
        for (const FaultPart part : PARTS)
        {
            plan.Sample(part,
                        t.injector->GetSizes(part),
                        MicroSeconds(900),
                        MicroSeconds(100),
                        MilliSeconds(2),
                        1000 * run + 10 * int64_t(part));
        }
        uint64_t ends = 0;
        Listen(t.injector,
               "Fault",
               [&](const Fault& fault, bool up)
               {
                   ends += up;
                   NS_TEST_EXPECT_MSG_EQ(FindImbalance(t.fabric),
                                         "",
                                         FaultPartName(fault.part)
                                             << " at " << Simulator::Now() << " of run " << run);
               });
        t.injector->Start(plan);
        RunFor(MilliSeconds(2));
        for (const FaultPart part : PARTS)
        {
            double down = 0;
            double parts = SumOf<double>(t.injector->GetSizes(part),
                                         [&](const uint32_t size) { return size; });
            for (const Fault& fault : plan.Get())
            {
                down += fault.part == part
                            ? (std::min(fault.end, MilliSeconds(2)) - fault.start).GetSeconds()
                            : 0;
            }
            const double measured = t.injector->GetAvailability(part);
            NS_TEST_EXPECT_MSG_EQ_TOL(measured, 1 - down / parts / 2e-3, 1e-9, "plan");
            excess += parts * (measured - 0.9);
            square += parts;
        }
        const PacketCounts counts = t.fabric->Count();
        NS_TEST_EXPECT_MSG_GT(counts.received, 100, "traffic of run " << run);
        NS_TEST_EXPECT_MSG_GT(counts.dropped[OcsDropCause::REBOOT], 0, "run " << run);
        NS_TEST_EXPECT_MSG_GT(counts.dropped[OcsDropCause::FIBER_CUT], 0, "run " << run);
        // All is repaired in the end, and nothing is lost any more but in full queues.
        RunFor(MilliSeconds(3));
        NS_TEST_EXPECT_MSG_EQ(ends, plan.Get().size(), "all are repaired");
        for (SaturatingServer& server : t.servers)
        {
            if (!server.device->IsTransmitting())
            {
                server.PortIdle(0); // it stopped when its card refused a packet
            }
        }
        const auto lose = [&t]
        {
            const OcsDropCounts dropped = t.fabric->Count().dropped;
            return dropped.Total() - dropped[OcsDropCause::QUEUE_OVERFLOW];
        };
        const uint64_t lost = lose();
        const uint64_t received = t.CountBytes();
        RunFor(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(lose(), lost, "run " << run);
        NS_TEST_EXPECT_MSG_GT(t.CountBytes(), received + 100 * SIZE, "run " << run);
    }
    // The variance of a part's down share over T is below 2 (MTTR/(MTBF+MTTR))^2 x
    // MTBF/(MTBF+MTTR) x MTTR/T + ..., at most 0.09 as of one sample.
    NS_TEST_EXPECT_MSG_EQ_TOL(excess / square,
                              0,
                              4 * std::sqrt(0.09 * 0.09 / square),
                              "MTBF / (MTBF + MTTR) over " << square << " parts");
}

/// Messages that are lost or late.
ODCN_TEST_CASE(MessageTestCase, "Messages of a kind stay in order, whether lost, late or both")
{
    constexpr auto COMMAND = ManagementNetwork::COMMAND;
    auto network = CreateObject<ManagementNetwork>();
    std::string seen;
    const auto at = [](int64_t us, std::function<void()> act)
    { Simulator::Schedule(MicroSeconds(us), std::move(act)); };
    for (int64_t i = 0; i < 8; ++i)
    {
        at(500 * i,
           [&seen, network, i]
           { network->Send(COMMAND, 32, [&seen, i] { seen += std::to_string(i); }); });
    }
    // 0 is lost at 0 and 1000 us; from 1900 us on all wait.
    network->SetLost(COMMAND, true);
    at(1900, [network] { network->SetLate(COMMAND, true); });
    at(2500, [network] { network->SetLost(COMMAND, false); });
    at(3400, [&] { NS_TEST_EXPECT_MSG_EQ(seen, "", "late"); });
    at(3700, [network] { network->SetLate(COMMAND, false); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(seen, "01234567", "in order");
    const auto& counts = network->GetCounts(COMMAND);
    NS_TEST_EXPECT_MSG_EQ(counts.lost, 2, "sent in vain");
    NS_TEST_EXPECT_MSG_EQ(counts.late, 4, "sent between 1900 and 3700 us");
    NS_TEST_EXPECT_MSG_EQ(counts.messages, counts.delivered + counts.lost, "all arrive");
    Simulator::Destroy();
}

/// Messages that are sent while those that waited arrive.
ODCN_TEST_CASE(BehindTestCase,
               "A message that another one's arrival sends goes behind those that wait")
{
    constexpr auto COMMAND = ManagementNetwork::COMMAND;
    auto network = CreateObject<ManagementNetwork>();
    std::string seen;
    const auto send = [&](char name) { network->Send(COMMAND, 32, [&, name] { seen += name; }); };
    network->SetLate(COMMAND, true);
    network->Send(COMMAND,
                  32,
                  [&]
                  {
                      seen += 'A';
                      send('C');
                  });
    send('B');
    network->SetLate(COMMAND, false);
    NS_TEST_EXPECT_MSG_EQ(seen, "ABC", "in order");
    Simulator::Destroy();
}

/// Packets of jobs, and commands.
struct ControlFixture : TestCase
{
    using TestCase::TestCase;

    /// What a run has done.
    struct Outcome
    {
        OdcnCounters counters;     //!< of jobs
        std::vector<Time> decided; //!< times of decisions
        uint64_t lost{0};          //!< commands
        uint64_t late{0};          //!< commands
        uint64_t messages{0};      //!< of all kinds
        uint64_t delivered{0};     //!< of all kinds
        uint64_t again{0};         //!< of all kinds, sent after one that was lost
    };

    /// @param plan faults  @param after AfterFailure  @return what a run of 600 jobs has done
    Outcome Run(const FaultPlan& plan, const std::string& after)
    {
        OdcnHelper helper;
        Configure(helper, &OdcnHelper::SetNetworkAttribute, "Racks=4|PortsPerTor=6|OcsCount=2");
        Configure(helper,
                  &OdcnHelper::SetComputeAttribute,
                  "ServersPerRack=4|AfterFailure=" + after);
        Configure(helper,
                  &OdcnHelper::SetSchedulerAttribute,
                  "MaxJobs=600|WindowAfter=50|WindowSpacing=50|WindowLength=6us|JobTimeUnit=1us");
        auto jobs = Make<OdcnJobGenerator>("VmCount=ns3::UniformRandomVariable[Min=3|Max=6]|"
                                           "Duration=ns3::ExponentialRandomVariable[Mean=6]|"
                                           "DemandGbps=ns3::UniformRandomVariable[Min=16|Max=36]");
        jobs->AssignStreams(0);
        auto problem = helper.CreateProblem(jobs);
        const auto choice = PolicyRegistry::Find("ns3::odcn::OdcnScheduling", "odcn-ccf");
        choice.Apply(*problem);
        problem->Reset();
        auto scenario = helper.Install(problem, choice.Create());
        OdcnHelper::AssignStreams(scenario, 1000);
        Outcome outcome;
        Listen(scenario.scheduler,
               "Decided",
               [&](OdcnOutcome) { outcome.decided.push_back(Simulator::Now()); });
        bool finished = false;
        Listen(scenario.scheduler,
               "Finished",
               [&]()
               {
                   finished = true;
                   Simulator::Stop();
               });
        uint64_t released = 0;
        Listen(problem->GetManager(), "JobReleased", [&](const OdcnPlacedJob&) { ++released; });
        auto injector = CreateObject<FaultInjector>();
        injector->SetAttribute("DetectionTime", StringValue("2us"));
        injector->SetFabric(scenario.fabric);
        FaultHelper::AddController(injector, scenario.scheduler);
        injector->Start(plan);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(finished, true, "the scheduler did not finish");
        const Ptr<CsMgr> manager = problem->GetManager();
        outcome.counters = manager->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(outcome.counters.Accepted(),
                              released + outcome.counters.interrupted + manager->GetNActive(),
                              "jobs");
        NS_TEST_EXPECT_MSG_EQ(outcome.counters.Offered(), 600, "jobs offered");
        const auto counts = scenario.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent,
                              counts.received + counts.inFlight + counts.dropped.Total(),
                              "packets");
        NS_TEST_EXPECT_MSG_GT(counts.received, 1000, "packets of jobs");
        const Ptr<ManagementNetwork> network = scenario.scheduler->GetManagement();
        outcome.lost = network->GetCounts(ManagementNetwork::COMMAND).lost;
        outcome.late = network->GetCounts(ManagementNetwork::COMMAND).late;
        for (int kind = 0; kind < ManagementNetwork::KINDS; ++kind)
        {
            const auto& c = network->GetCounts(static_cast<ManagementNetwork::Kind>(kind));
            NS_TEST_EXPECT_MSG_EQ((c.messages >= c.delivered + c.lost), true, "messages");
            outcome.messages += c.messages;
            outcome.delivered += c.delivered + c.lost;
            outcome.again += c.lost;
        }
        Simulator::Destroy();
        return outcome;
    }
};

/// @copybrief ControlFixture
ODCN_TEST_CASE_F(ControlFixture,
                 ControlTestCase,
                 "Jobs are interrupted by faults of the fabric, commands by faults of control")
{
    const Outcome plain = Run({}, "End");
    NS_TEST_EXPECT_MSG_EQ(plain.counters.interrupted, 0, "without faults");
    NS_TEST_EXPECT_MSG_GT(plain.counters.Reconfigurations(), 10, "hardly a command");
    const Time end = plain.decided.back();

    FaultPlan plan;
    plan.Sample(FaultPart::SERVER, {4, 4, 4, 4}, end / 4, end / 40, end, 50);
    plan.Sample(FaultPart::OCS_PORT, {12, 12}, end / 4, end / 40, end, 60);
    plan.Sample(FaultPart::UPLINK, {6, 6, 6, 6}, end / 4, end / 40, end, 70);
    plan.Add({FaultPart::OCS, 1, 0, end / 3, end / 2, ""});
    for (const std::string after : {"End", "Replace", "Restart"})
    {
        const Outcome faulty = Run(plan, after);
        NS_TEST_EXPECT_MSG_GT(faulty.counters.interrupted, 10, after);
        NS_TEST_EXPECT_MSG_EQ((faulty.counters.offeredAgain > 5), (after != "End"), after);
        NS_TEST_EXPECT_MSG_EQ((faulty.counters.lostWork > 0), (after != "Replace"), after);
    }

    // A crash: no decision until the repair; then the waiting request is decided at once.
    FaultPlan crash;
    crash.Add({FaultPart::CONTROLLER, 0, 0, end / 3, end / 2, ""});
    const Outcome crashed = Run(crash, "End");
    uint64_t within =
        SumOf<uint64_t>(crashed.decided,
                        [&](const Time& time) { return time > end / 3 && time < end / 2; });
    NS_TEST_EXPECT_MSG_EQ(within, 0, "decided by a dead controller");
    NS_TEST_EXPECT_MSG_EQ(crashed.decided.size(), 600, "all are decided in the end");

    for (const FaultPart part :
         {FaultPart::PARTITION, FaultPart::LOST_COMMANDS, FaultPart::LATE_COMMANDS})
    {
        FaultPlan control;
        control.Add({part, 0, 0, end / 3, end / 2, ""});
        const Outcome outcome = Run(control, "End");
        const bool isLate = part == FaultPart::LATE_COMMANDS;
        NS_TEST_EXPECT_MSG_EQ(outcome.decided.size(), 600, FaultPartName(part));
        NS_TEST_EXPECT_MSG_EQ((outcome.late > 0), isLate, FaultPartName(part));
        NS_TEST_EXPECT_MSG_EQ((outcome.lost > 0),
                              (part == FaultPart::LOST_COMMANDS),
                              FaultPartName(part));
        // Jobs wait meanwhile, so that there are other circuits and commands than in a plain run.
        NS_TEST_EXPECT_MSG_EQ((outcome.again > 0), !isLate, "sent again: " << FaultPartName(part));
        NS_TEST_EXPECT_MSG_EQ(outcome.messages, outcome.delivered, FaultPartName(part));
    }
}

/// Job time beside simulated time.
struct JobClockFixture : TestCase
{
    using TestCase::TestCase;

    /// Three jobs with long gaps, without windows.
    struct Sparse
    {
        OdcnScenario scenario;           //!< of 2 racks of 1 server
        std::vector<std::string> events; //!< what happened, and when
    };

    /// @param sparse gets a problem and an application whose events are noted
    /// @param settings of the application
    /// @param after AfterFailure
    static void Build(Sparse& sparse, const std::string& settings, const std::string& after)
    {
        OdcnHelper helper;
        Configure(helper, &OdcnHelper::SetNetworkAttribute, "Racks=2|PortsPerTor=1|OcsCount=1");
        Configure(helper,
                  &OdcnHelper::SetComputeAttribute,
                  "ServersPerRack=1|AfterFailure=" + after);
        const auto job = [](double arrival, double duration) {
            return OdcnJob{0, arrival, duration, {OdcnResources::Of(32, 1, 1)}, {}};
        };
        std::vector<OdcnJob> jobs{job(1, 2), job(11, 6), job(31, 1)};
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            jobs[i].id = i;
        }
        auto problem = helper.CreateProblem(Ptr<OdcnJobSource>(CreateObject<ListedJobs>(jobs)));
        problem->Reset();
        Configure(helper, &OdcnHelper::SetSchedulerAttribute, "WindowSpacing=0|" + settings);
        sparse.scenario = helper.Install(problem, DecisionPolicy::Create("FirstFitPolicy"));
        const auto note = [&sparse](const std::string& what, JobId id, double time)
        {
            std::ostringstream text;
            text << what << " " << id << " dated " << time << " at "
                 << Simulator::Now().GetSeconds();
            sparse.events.push_back(text.str());
        };
        const auto manager = problem->GetManager();
        Listen(manager,
               "JobPlaced",
               [note](const OdcnPlacedJob& j) { note("placed", j.id, j.start); });
        Listen(manager,
               "JobReleased",
               [note](const OdcnPlacedJob& j) { note("released", j.id, j.departure); });
        Listen(manager,
               "JobInterrupted",
               [note, manager](const OdcnPlacedJob& j)
               { note("interrupted", j.id, manager->GetTime()); });
    }

    /// @param sparse its events  @param expected between "; "
    void Expect(const Sparse& sparse, const std::string& expected)
    {
        std::string found;
        for (const auto& event : sparse.events)
        {
            found += (found.empty() ? "" : "; ") + event;
        }
        NS_TEST_EXPECT_MSG_EQ(found, expected, "");
    }
};

/// @copybrief JobClockFixture
ODCN_TEST_CASE_F(JobClockFixture,
                 JobClockTestCase,
                 "Jobs end and parts fail at their own job time, and jobs wait for the controller")
{
    {
        Sparse plain;
        Build(plain, "JobTimeUnit=1s", "End");
        Simulator::Run();
        Expect(plain,
               "placed 0 dated 1 at 1; released 0 dated 3 at 3; placed 1 dated 11 at 11; "
               "released 1 dated 17 at 17; placed 2 dated 31 at 31");
        Simulator::Destroy();
    }
    for (const std::string after : {"End", "Replace"})
    {
        Sparse faulty;
        Build(faulty, "JobTimeUnit=1s", after);
        FaultPlan plan;
        plan.Add({FaultPart::SERVER, 0, 0, Seconds(13), Seconds(100), ""});
        auto injector = CreateObject<FaultInjector>();
        injector->SetAttribute("DetectionTime", StringValue("0s"));
        injector->SetFabric(faulty.scenario.fabric);
        injector->Start(plan);
        Simulator::Run();
        Expect(faulty,
               "placed 0 dated 1 at 1; released 0 dated 3 at 3; placed 1 dated 11 at 11; "
               "interrupted 1 dated 13 at 13; " +
                   std::string(after == "Replace"
                                   ? "placed 1 dated 13 at 13; released 1 dated 17 at 17; "
                                   : "") +
                   "placed 2 dated 31 at 31");
        Simulator::Destroy();
    }
    {
        // Each decision takes longer than the first gap, and the controller is down for a while.
        // The first job was begun by Reset(), at its arrival.
        Sparse late;
        Build(late, "JobTimeUnit=1s|DecisionTime=12s", "End");
        Simulator::Schedule(Seconds(40), [&] { late.scenario.scheduler->SetDown(true); });
        Simulator::Schedule(Seconds(50), [&] { late.scenario.scheduler->SetDown(false); });
        Simulator::Run();
        Expect(late,
               "placed 0 dated 1 at 13; released 0 dated 3 at 13; placed 1 dated 25 at 25; "
               "released 1 dated 31 at 31; placed 2 dated 50 at 50");
        Simulator::Destroy();
    }
}

/// Plans that do not fit.
ODCN_TEST_CASE(FaultRefusalTestCase,
               "Faults of parts that a network lacks are refused before any change")
{
    FaultyFabric t({4, 1, 2, 2}, "Rotor", "DirectRouting");
    const auto refuse = [&](const Fault& fault, const std::string& expected)
    {
        FaultPlan plan;
        plan.Add({FaultPart::UPLINK, 0, 0, Time(0), Time::Max(), ""});
        plan.Add(fault);
        const std::string text = GetRefusal([&] { t.injector->Start(plan); });
        NS_TEST_EXPECT_MSG_NE(text.find(expected), std::string::npos, text);
        NS_TEST_EXPECT_MSG_EQ(t.fabric->GetUplink(0, 0)->IsFailed(), false, "changed");
    };
    refuse({FaultPart::TOR, 4, 0, Time(0), Seconds(1), ""}, "a first number below 4");
    refuse({FaultPart::UPLINK, 3, 2, Time(0), Seconds(1), ""}, "a second number below 2");
    refuse({FaultPart::LINK, 0, 0, Time(0), Seconds(1), ""}, "that the network has");
}

/// Faults in two plans, and an injector that nobody keeps.
ODCN_TEST_CASE(TwiceTestCase, "A second plan adds faults; availability is that since the first")
{
    FaultyFabric t({4, 1, 2, 2}, "Rotor", "DirectRouting");
    const auto plan = [](uint32_t uplink, int64_t from, int64_t until)
    {
        FaultPlan faults;
        faults.Add({FaultPart::UPLINK, 0, uplink, MicroSeconds(from), MicroSeconds(until), ""});
        return faults;
    };
    t.injector->Start(plan(0, 0, 500));
    RunFor(MicroSeconds(1000));
    t.injector->Start(plan(1, 0, 1000));
    RunFor(MicroSeconds(1000));
    // One of eight uplinks has failed for 500 us, another for 1000 us, of 2000 us.
    NS_TEST_EXPECT_MSG_EQ_TOL(t.injector->GetAvailability(FaultPart::UPLINK),
                              1 - 1500.0 / (8 * 2000),
                              1e-12,
                              "availability");
    NS_TEST_EXPECT_MSG_EQ(t.injector->GetNFaults(FaultPart::UPLINK), 2, "faults");
    t.injector->Start(plan(1, 100, 200));
    t.injector = nullptr;
    RunFor(MicroSeconds(150));
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetUplink(0, 1)->IsFailed(), true, "nobody keeps it");
    RunFor(MicroSeconds(150));
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetUplink(0, 1)->IsFailed(), false, "and it repairs");
}

/// Sampled faults of a controller without a last job.
ODCN_TEST_CASE(EndlessTestCase, "Faults are not sampled without end")
{
    FaultHelper faults;
    std::string words[]{"faults", "--mtbf=uplink=200us", "--mttr=uplink=20us"};
    char* argv[]{words[0].data(), words[1].data(), words[2].data(), nullptr};
    OdcnCommandLine cmd(3, argv, "Faults.");
    faults.AddOptions(cmd);
    cmd.Parse();
    faults.Check();
    FaultyFabric t({4, 1, 2, 2}, "Rotor", "DirectRouting");
    const auto scheduler = Make<PlacementScheduler>("JobTimeUnit=1us");
    const std::string text = GetRefusal([&] { faults.Start(t.fabric, scheduler, 1); });
    NS_TEST_EXPECT_MSG_NE(text.find("MaxJobs"), std::string::npos, text);
    scheduler->SetAttribute("MaxJobs", UintegerValue(3000));
    const auto injector = faults.Start(t.fabric, scheduler, 1);
    RunFor(MicroSeconds(3000));
    NS_TEST_EXPECT_MSG_GT(injector->GetNFaults(FaultPart::UPLINK), 50, "sampled");
}

/// Faults.
CaseSuite g_faultTestSuite("odcn-fault");

} // namespace
