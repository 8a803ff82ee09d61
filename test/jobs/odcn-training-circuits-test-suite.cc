// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Circuits for phases of training jobs: what a switch costs, jobs beside each other, closed forms,
 * rules, and the same in packets.
 */

#include "../core/odcn-test-case.h"

#include "ns3/odcn-circuit-problem.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-fabric-flow-level.h"
#include "ns3/odcn-least-time-rule.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-controller.h"
#include "ns3/odcn-training-model.h"
#include "ns3/odcn-training-scheduler.h"
#include "ns3/odcn-training-waits.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param [in,out] program of all ranks: computations and collectives in turn
/// @param computation before each collective
/// @param communicator of the collective
/// @param bytes of it
/// @param what it is
void
AddCircuitStage(TrainingProgram& program,
                Time computation,
                uint32_t communicator,
                uint64_t bytes,
                Collective::Operation what = Collective::Operation::ALL_REDUCE)
{
    std::vector<uint32_t> after;
    const auto chain = [&](const TrainingProgram::Operation& operation)
    {
        const auto last = static_cast<uint32_t>(program.GetOperations().size());
        after = last > 0 ? std::vector<uint32_t>{last - 1} : std::vector<uint32_t>();
        program.Add(operation, after);
    };
    TrainingProgram::Operation compute;
    compute.duration = computation;
    chain(compute);
    TrainingProgram::Operation collective;
    collective.kind = TrainingProgram::Kind::COLLECTIVE;
    collective.what = what;
    collective.communicator = communicator;
    collective.bytes = bytes;
    chain(collective);
}

/// @param ranks their number
/// @param program of all ranks
/// @param groups of each communicator
/// @param iterations their number
/// @return the job
std::shared_ptr<TrainingJob>
MakeCircuitJob(uint32_t ranks,
               const TrainingProgram& program,
               const std::vector<std::vector<std::vector<uint32_t>>>& groups,
               uint32_t iterations = 1)
{
    auto job = std::make_shared<TrainingJob>("staged", ranks);
    for (const auto& communicator : groups)
    {
        job->AddCommunicator("c" + std::to_string(job->GetCommunicators().size()), communicator);
    }
    std::vector<uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    job->AddProgram(program, all);
    job->SetIterations(iterations);
    return job;
}

/// A job of four ranks, whose pairs are others in each of two phases of an iteration.
/// @param first computation before the first phase
/// @param second computation before the second phase
/// @param iterations their number
/// @return the job
std::shared_ptr<TrainingJob>
MakeTwoPhases(Time first, Time second, uint32_t iterations)
{
    TrainingProgram program;
    AddCircuitStage(program, first, 0, 1000000);
    AddCircuitStage(program, second, 1, 500000);
    return MakeCircuitJob(4, program, {{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}}, iterations);
}

/// A run of jobs on a design with circuits for their phases.
struct CircuitRun
{
    FabricSize size{.racks = 4, .servers = 1, .uplinks = 1, .gbps = 100, .dark = 100};
    std::string text{"TrainingController[Rule=PerPhaseRule];DirectRouting"}; //!< of the design
    FabricEngine engine{FabricEngine::FLOWS};                                //!< carries messages
    std::string placement{"first"};                   //!< TrainingCluster::Placement
    std::string allReduce{"ring"};                    //!< TrainingRun::AllReduce
    uint32_t headers{~0U};                            //!< HeaderSize, if not the default
    std::function<Ptr<CircuitRule>()> makeRule{};     //!< instead of the one in the text
    std::vector<std::shared_ptr<TrainingJob>> jobs{}; //!< that run
    Time apart{};                                     //!< between their arrivals
    std::string settings{};                           //!< of the cluster
    Ptr<TrainingScheduler> scheduler{};               //!< if any, on a node; for one run
    std::string pcap{};                               //!< file of its management link; "" for none
    std::vector<Time> times{};                        //!< gets the times of the jobs
    std::vector<std::string> phases{};                //!< gets names of phases that began
    uint64_t nSwitches{0};                            //!< gets circuits that were set
    std::string open{};                               //!< gets what has not ended
    std::string left{};                               //!< gets messages never received
    bool addsUp{true};                                //!< gets whether causes add up to times
    Time dark{};                                      //!< gets the dark time of all jobs
    std::vector<TrainingCluster::Outcome> outcomes{}; //!< gets what became of the jobs

    /// Put the scheduler on a node.
    /// @param cluster of the jobs
    /// @param traffic that carries their messages
    void InstallScheduler(const Ptr<TrainingCluster>& cluster, const Ptr<PlaneTraffic>& traffic)
    {
        const auto node = CreateObject<Node>();
        ManagementHelper helper;
        const Ptr<Node> gateway = helper.Install(scheduler->GetManagement(), node);
        if (!pcap.empty())
        {
            helper.EnablePcap(pcap, gateway->GetDevice(0), true, true);
        }
        node->AddApplication(scheduler);
        scheduler->Control(cluster, traffic);
    }

    /// Run them.
    void Run()
    {
        size.slot = 2 * size.dark + 1; // of no use, but longer
        const FabricDesign design = FabricDesign::Parse(text, size);
        const FabricDesignHelper helper;
        const Ptr<FabricNetwork> network = helper.BuildNetwork(design);
        network->AssignStreams(1);
        network->SetCircuits(DemandMatrix::Make("uniform", size.racks), 1000);
        const auto controller = DynamicCast<TrainingController>(network->GetController());
        const Ptr<TrainingCluster> cluster = CreateObject<TrainingCluster>();
        cluster->SetAttribute("Placement", StringValue(placement));
        Configure(cluster, settings);
        cluster->SetRunAttribute("AllReduce", StringValue(allReduce));
        cluster->SetEndPoints(size.racks * size.servers, size.servers);
        cluster->AssignStreams(7);
        TrainingWaits waits(size);
        cluster->SetExplain(
            [&](const Message& message, Time received, TrainingTimes& causes)
            {
                Message passed = message;
                passed.sent = controller ? controller->Explain(message, causes) : message.sent;
                return waits.Explain(passed, received, causes);
            });
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            cluster->Add(jobs[i], static_cast<int64_t>(i) * apart);
        }
        TrafficSource* source = PeekPointer(cluster);
        std::vector<std::string>& names = phases;
        names.clear();
        if (controller)
        {
            if (makeRule)
            {
                controller->SetRule(makeRule());
            }
            controller->SetCluster(cluster);
            controller->TraceConnectWithoutContext(
                "Phase",
                Callback<void, const TrainingPhase&>([&names](const TrainingPhase& phase)
                                                     { names.push_back(phase.name); }));
            source = PeekPointer(controller);
        }
        network->StartCircuits();
        const Ptr<MessagePlane> plane =
            helper.MakePlane(network, engine, FabricDesignHelper::MakeHosts(design, 0));
        if (headers != ~0U)
        {
            plane->SetAttribute("HeaderSize", UintegerValue(headers));
        }
        const auto traffic = CreateObject<PlaneTraffic>();
        if (scheduler)
        {
            InstallScheduler(cluster, traffic);
        }
        traffic->Start(plane, *source);
        TrainingCluster& ending = *PeekPointer(cluster);
        cluster->TraceConnectWithoutContext("Ended",
                                            Callback<void, const TrainingCluster::Outcome&>(
                                                [&ending](const TrainingCluster::Outcome&)
                                                {
                                                    if (ending.IsDone())
                                                    {
                                                        Simulator::Stop(MilliSeconds(10));
                                                    }
                                                }));
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
        open = cluster->DescribeUnfinished();
        left = plane->DescribeInFlight();
        addsUp = true;
        times.clear();
        dark = Time(0);
        outcomes = cluster->GetOutcomes();
        for (const TrainingCluster::Outcome& job : outcomes)
        {
            times.push_back(job.end - job.start);
            addsUp = addsUp && job.times.GetSum() == job.end - job.arrival;
            dark += job.times.Get(TrainingTimes::DARK);
        }
        if (controller)
        {
            open += controller->DescribeWaiting();
            nSwitches = controller->GetNSwitches();
        }
        Simulator::Destroy();
    }

    /// @return time of the first job
    Time GetTime()
    {
        Run();
        return times.front();
    }
};

ODCN_TEST_CASE(StaticTopologyCase, "a job alone = computations + collectives, bit for bit")
{
    const Time computation = NanoSeconds(1234567);
    TrainingProgram program;
    AddCircuitStage(program, computation, 0, 12345678);
    CircuitRun run;
    run.size.racks = 6;
    run.jobs = {MakeCircuitJob(6, program, {{{0, 1, 2, 3, 4, 5}}}, 3)};
    for (const std::string text :
         {"TrainingController[Rule=StaticRule[Circuits=ring]];ExpanderRouting",
          "TrainingController[Rule=PerJobRule];DirectRouting",
          "TrainingController[Rule=PerJobRule];ExpanderRouting"})
    {
        run.text = text;
        const Time time = run.GetTime();
        const FabricDesign design = FabricDesign::Parse(
            "TrainingController[Rule=StaticRule[Circuits=ring]];ExpanderRouting",
            run.size);
        const FabricDesignHelper helper;
        const Ptr<FabricNetwork> network = helper.BuildNetwork(design);
        network->SetCircuits(DemandMatrix::Make("uniform", 6), 1);
        DynamicCast<TrainingController>(network->GetController())->SetFabric(network->GetFabric());
        const auto alone =
            helper.MakePlane(network, FabricEngine::FLOWS)
                ->Send(Collective::Make("all-reduce:ring", 6, 12345678).GetMessages());
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(time, 3 * (computation + alone->GetTime()), text);
        NS_TEST_EXPECT_MSG_EQ(run.open, "", text);
        Simulator::Destroy();
    }
}

ODCN_TEST_CASE(SwitchCostCase, "a switch costs max(0, dark time - gap)")
{
    const Time first = MilliSeconds(5);
    const Time second = MilliSeconds(2);
    const int64_t iterations = 3;
    CircuitRun run;
    run.jobs = {MakeTwoPhases(first, second, iterations)};
    for (const std::string rule : {"PerPhaseRule", "PerStepRule"})
    {
        run.text = "TrainingController[Rule=" + rule + "];DirectRouting";
        run.size.dark = 0;
        const Time base = run.GetTime();
        for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
        {
            run.engine = engine;
            run.size.dark = 1000;
            const Time within = run.GetTime();                                   // the gaps hide it
            for (const int64_t dark : {100, 2000, 3500, 10000, 100000, 1000000}) // us
            {
                const bool isLong = dark == 100000 || dark == 100;
                if (engine == FabricEngine::PACKETS && !isLong)
                {
                    continue;
                }
                run.size.dark = static_cast<double>(dark);
                const Time time = run.GetTime();
                const Time cost = iterations * (std::max(Time(0), MicroSeconds(dark) - first) +
                                                std::max(Time(0), MicroSeconds(dark) - second));
                const std::string what = rule + ", " + std::to_string(dark) + " us";
                NS_TEST_EXPECT_MSG_EQ(time, within + cost, what);
                NS_TEST_EXPECT_MSG_EQ(run.dark, cost, "is told as dark, " << what);
                NS_TEST_EXPECT_MSG_EQ(run.open, "", what);
                NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, what);
                NS_TEST_EXPECT_MSG_EQ(run.nSwitches, 4 * 2 * iterations, what);
            }
            if (engine == FabricEngine::FLOWS)
            {
                NS_TEST_EXPECT_MSG_EQ(within, base, "hidden " << rule);
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ_TOL((within / base).GetDouble(), 1, 1e-3, "packets");
            }
        }
        run.engine = FabricEngine::FLOWS;
    }
}

/// @param decision time of a decision
/// @param delay of the management link, of 1 Gb/s; 0 for an ideal one
/// @return a scheduler
Ptr<TrainingScheduler>
MakeTrainingScheduler(Time decision, Time delay)
{
    const auto management = CreateObject<ManagementNetwork>();
    management->SetAttribute("DataRate", StringValue(delay.IsZero() ? "0bps" : "1Gbps"));
    management->SetAttribute("Delay", TimeValue(delay));
    const auto scheduler = CreateObject<TrainingScheduler>();
    scheduler->SetAttribute("DecisionTime", TimeValue(decision));
    scheduler->SetManagement(management);
    return scheduler;
}

ODCN_TEST_CASE(SchedulerAtOnceCase, "a scheduler without delay changes nothing, bit for bit")
{
    CircuitRun run;
    run.size.racks = 4;
    run.size.servers = 2;
    run.placement = "random";
    run.settings = "Queue=backfill";
    for (uint32_t i = 0; i < 6; ++i)
    {
        run.jobs.push_back(MakeTwoPhases(MicroSeconds(300 - 20 * i), MicroSeconds(150 + i), 3));
    }
    run.apart = NanoSeconds(123456);
    for (const std::string text : {"TrainingController[Rule=PerPhaseRule];DirectRouting",
                                   "TrainingController[Rule=PerJobRule];ExpanderRouting",
                                   "RotorSchedule;DirectRouting"})
    {
        for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
        {
            run.text = text;
            run.engine = engine;
            run.scheduler = nullptr;
            run.Run();
            const std::vector<TrainingCluster::Outcome> without = run.outcomes;
            const uint64_t switches = run.nSwitches;
            run.scheduler = MakeTrainingScheduler(Time(0), Time(0));
            const Ptr<ManagementNetwork> management = run.scheduler->GetManagement();
            run.Run();
            NS_TEST_EXPECT_MSG_EQ(run.open, "", text);
            NS_TEST_EXPECT_MSG_EQ(run.nSwitches, switches, text);
            for (std::size_t i = 0; i < without.size(); ++i)
            {
                const TrainingCluster::Outcome& with = run.outcomes[i];
                NS_TEST_EXPECT_MSG_EQ(with.start, without[i].start, text);
                NS_TEST_EXPECT_MSG_EQ(with.end, without[i].end, text);
                NS_TEST_EXPECT_MSG_EQ((with.places == without[i].places), true, text);
                for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
                {
                    const auto cause = static_cast<TrainingTimes::Part>(part);
                    NS_TEST_EXPECT_MSG_EQ(with.times.Get(cause),
                                          without[i].times.Get(cause),
                                          text << ", " << TrainingTimes::GetName(cause));
                }
            }
            const auto& requests = management->GetCounts(ManagementNetwork::REQUEST);
            NS_TEST_EXPECT_MSG_EQ(requests.messages, 6, "each job");
            NS_TEST_EXPECT_MSG_EQ(requests.packets, 0, "an ideal network");
        }
    }
}

ODCN_TEST_CASE(SchedulerNeverCase, "jobs that wait for a decision are told; times do not wrap")
{
    CircuitRun run;
    run.text = "ExpanderSchedule;ExpanderRouting";
    run.jobs.assign(5, MakeTwoPhases(MilliSeconds(2), MilliSeconds(1), 1));
    run.scheduler = MakeTrainingScheduler(Seconds(4e6), Time(0));
    run.Run();
    NS_TEST_EXPECT_MSG_EQ(run.open,
                          "5 of 5 jobs have not ended, 0 of them wait for end points, 5 for a "
                          "decision on their arrival",
                          "none is decided");
}

ODCN_TEST_CASE(SchedulerStartsCase, "a scheduler's messages and decisions delay starts")
{
    const Time decision = MicroSeconds(50);
    CircuitRun run;
    run.text = "ExpanderSchedule;ExpanderRouting";
    run.jobs.assign(3, MakeTwoPhases(MilliSeconds(2), MilliSeconds(1), 1));
    run.scheduler = MakeTrainingScheduler(Time(0), Time(0));
    run.Run();
    const Time alone = run.times[0];
    for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
    {
        run.engine = engine;
        run.pcap = CreateTempDirFilename("scheduler.pcap");
        run.scheduler = MakeTrainingScheduler(decision, MicroSeconds(100));
        const Ptr<ManagementNetwork> management = run.scheduler->GetManagement();
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.open, "", "all jobs end");
        NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, "causes");
        const Time plain = management->GetLatency(32); // request or report
        const Time command = management->GetLatency(4 * 8);
        // One after another, each on all end points. Their arrivals are decided long before.
        Time start = plain + decision + command;
        for (const TrainingCluster::Outcome& job : run.outcomes)
        {
            NS_TEST_EXPECT_MSG_EQ(job.start, start, "start");
            NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::QUEUE), start, "queue");
            start = job.end + plain + decision + command;
        }
        if (engine == FabricEngine::FLOWS)
        {
            NS_TEST_EXPECT_MSG_EQ(run.times[2], alone, "the job itself takes its time");
        }
        NS_TEST_EXPECT_MSG_EQ(run.scheduler->GetNDecisions(), 6, "arrivals and ends");
        for (const auto kind : {ManagementNetwork::REQUEST, ManagementNetwork::COMMAND})
        {
            NS_TEST_EXPECT_MSG_EQ(management->GetCounts(kind).packets, 3, "packets");
        }
        std::ifstream file(run.pcap, std::ios::binary | std::ios::ate);
        // Headers of the file, and of each packet: pcap's, and those of IPv4 and UDP.
        NS_TEST_EXPECT_MSG_EQ(file.tellg(), 24 + 9 * (16 + 28 + 32), "packets in pcap");
    }
    // Three jobs that fit beside each other are decided one after another.
    run.pcap = "";
    run.engine = FabricEngine::FLOWS;
    run.size.racks = 12;
    run.scheduler = MakeTrainingScheduler(decision, MicroSeconds(100));
    run.scheduler->SetStartTime(MicroSeconds(70)); // requests wait for it
    const Ptr<ManagementNetwork> management = run.scheduler->GetManagement();
    run.Run();
    for (uint32_t i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(run.outcomes[i].start,
                              MicroSeconds(70) + management->GetLatency(32) + (i + 1) * decision +
                                  management->GetLatency(32),
                              "decision " << i);
    }
}

ODCN_TEST_CASE(SchedulerCircuitsCase, "circuits of a scheduler come later by messages and decision")
{
    const Time first = MilliSeconds(5);
    const Time second = MilliSeconds(2);
    const int64_t iterations = 3;
    CircuitRun run;
    run.jobs = {MakeTwoPhases(first, second, iterations)};
    for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
    {
        run.engine = engine;
        run.scheduler = nullptr;
        run.size.dark = 1000; // hidden by the gaps
        const Time hidden = run.GetTime();
        for (const int64_t delay : {100, 1000, 5000}) // us
        {
            run.scheduler = MakeTrainingScheduler(MicroSeconds(70), MicroSeconds(delay));
            const Ptr<ManagementNetwork> management = run.scheduler->GetManagement();
            // Four ports change at a time.
            const Time control =
                2 * management->GetLatency(32) + MicroSeconds(70); // report, decision, command
            const Time time = run.GetTime();
            const auto getWait = [&](Time before) {
                return iterations *
                       (std::max(Time(0), before - first) + std::max(Time(0), before - second));
            };
            const Time wait = getWait(control + MicroSeconds(1000));
            const std::string what = std::to_string(delay) + " us";
            NS_TEST_EXPECT_MSG_EQ(time, hidden + wait, what);
            NS_TEST_EXPECT_MSG_EQ(run.outcomes[0].times.Get(TrainingTimes::CIRCUITS),
                                  getWait(control),
                                  "waits until the switches are commanded, " << what);
            NS_TEST_EXPECT_MSG_EQ(run.dark, wait - getWait(control), "dark, " << what);
            NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, what);
            NS_TEST_EXPECT_MSG_EQ(run.open, "", what);
            NS_TEST_EXPECT_MSG_EQ(run.nSwitches, 4 * 2 * iterations, what);
            NS_TEST_EXPECT_MSG_EQ(management->GetCounts(ManagementNetwork::COMMAND).messages,
                                  1 + 2 * iterations,
                                  "the start and each phase, " << what);
        }
    }
}

ODCN_TEST_CASE_F(RefusalFixture, SchedulerMixCase, "all jobs end whatever a scheduler's delays")
{
    CircuitRun run;
    run.size.racks = 4;
    run.size.servers = 2;
    run.size.uplinks = 2;
    run.placement = "random";
    run.apart = MicroSeconds(40);
    for (uint32_t i = 0; i < 6; ++i)
    {
        run.jobs.push_back(MakeTwoPhases(MicroSeconds(100 - 10 * i), MicroSeconds(30 + i), 2));
    }
    for (const std::string text : {"TrainingController[Rule=PerPhaseRule];DirectRouting",
                                   "TrainingController[Rule=PerStepRule];DirectRouting",
                                   "TrainingController[Rule=PerIterationRule];ExpanderRouting"})
    {
        for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
        {
            for (const int64_t delay : {3, 200}) // us
            {
                run.text = text;
                run.engine = engine;
                run.scheduler = MakeTrainingScheduler(MicroSeconds(delay), MicroSeconds(2 * delay));
                run.Run();
                NS_TEST_EXPECT_MSG_EQ(run.open, "", text);
                NS_TEST_EXPECT_MSG_EQ(run.left, "", text);
                NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, text);
            }
        }
    }
    for (const std::string settings :
         {"CheckpointIterations=1", "Failures=ns3::ConstantRandomVariable[Constant=1]"})
    {
        run.settings = settings;
        run.scheduler = MakeTrainingScheduler(MicroSeconds(1), Time(0));
        ExpectRefusal(settings.substr(0, settings.find('=')), [&] { run.Run(); });
        Simulator::Destroy();
    }
}

ODCN_TEST_CASE(JobsBesideCase, "two jobs beside each other")
{
    const auto a = MakeTwoPhases(MicroSeconds(300), MicroSeconds(200), 4);
    const auto b = MakeTwoPhases(MicroSeconds(170), MicroSeconds(450), 3);
    for (const std::string text : {"TrainingController[Rule=PerPhaseRule];DirectRouting",
                                   "TrainingController[Rule=PerStepRule];DirectRouting",
                                   "TrainingController[Rule=PerJobRule];ExpanderRouting",
                                   "TrainingController[Rule=PerIterationRule];ExpanderRouting"})
    {
        CircuitRun run;
        run.text = text;
        run.size.racks = 8;
        run.size.uplinks = 2;
        run.jobs = {a};
        const Time aloneA = run.GetTime();
        run.jobs = {b};
        const Time aloneB = run.GetTime();
        run.jobs = {a, b};
        run.apart = NanoSeconds(123456);
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.times[0], aloneA, text);
        NS_TEST_EXPECT_MSG_EQ(run.times[1], aloneB, text);
        // Servers of a rack belong to different jobs.
        run.size.racks = 4;
        run.size.servers = 2;
        run.placement = "random";
        run.jobs = {a, b, b, a};
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.open, "", text);
        NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, text);
    }
}

/// @param seconds constant times
/// @return text of a random variable
std::string
MakeConstant(Time seconds)
{
    return "ns3::ConstantRandomVariable[Constant=" + std::to_string(seconds.GetSeconds()) + "]";
}

ODCN_TEST_CASE(CircuitFailuresCase, "a job that fails goes on with the phases of its checkpoint")
{
    // Two iterations; all end points fail in the second one, and again after the end.
    const Time first = MilliSeconds(5);
    const Time second = MilliSeconds(2);
    CircuitRun run;
    run.jobs = {MakeTwoPhases(first, second, 2)};

    struct Setting
    {
        std::string text; // of the design
        FabricEngine engine;
        int64_t dark;   // us
        int64_t after;  // us from the begin of the second iteration to the failure
        int64_t repair; // us
        int64_t cost;   // us of dark time in the first phase of an iteration
        int64_t saved;  // us of it that circuits save which are being set since the failure
    };

    std::vector<Setting> settings;
    for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
    {
        for (const std::string rule : {"PerPhaseRule", "PerStepRule"})
        {
            if (engine == FabricEngine::PACKETS && rule == "PerStepRule")
            {
                continue;
            }
            const std::string text = "TrainingController[Rule=" + rule;
            // Messages are under way on their circuits, or wait until these are up; what was set
            // before the failure serves the job again, or is set again with Keep=false.
            settings.push_back({text + "];DirectRouting", engine, 100, 5020, 1000, 0, 0});
            settings.push_back({text + "];DirectRouting", engine, 100, 5020, 0, 0, 0});
            settings.push_back({text + "];DirectRouting", engine, 8000, 6000, 1000, 3000, 3000});
            settings.push_back(
                {text + "|Keep=false];DirectRouting", engine, 8000, 6000, 1000, 3000, 0});
        }
        settings.push_back({"TrainingController[Rule=PerIterationRule];ExpanderRouting",
                            engine,
                            100,
                            5020,
                            0,
                            0,
                            0});
    }
    for (const Setting& setting : settings)
    {
        const std::string what = setting.text + ", " + ns3::odcn::GetName(setting.engine) + ", " +
                                 std::to_string(setting.dark) + " us, " +
                                 std::to_string(setting.repair) + " us";
        run.text = setting.text;
        run.engine = setting.engine;
        run.size.dark = static_cast<double>(setting.dark);
        run.settings = "CheckpointIterations=1|RestartTime=500us";
        run.Run();
        const Time alone = run.outcomes[0].iterationEnds[0];
        NS_TEST_EXPECT_MSG_EQ(run.times[0], 2 * alone, what);
        const Time failure = MicroSeconds(alone.GetMicroSeconds() + setting.after);
        const Time repair = MicroSeconds(setting.repair);
        run.settings += "|Failures=" + MakeConstant(failure) + "|Repairs=" + MakeConstant(repair);
        run.Run();
        const TrainingCluster::Outcome& job = run.outcomes[0];
        const Time begin = failure + repair + MicroSeconds(500);
        NS_TEST_EXPECT_MSG_EQ(job.failures, 1, what);
        NS_TEST_EXPECT_MSG_EQ(job.end, begin + alone - MicroSeconds(setting.saved), what);
        NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::LOST), failure - alone, what);
        NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::QUEUE), repair, what);
        NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::RESTART), MicroSeconds(500), what);
        NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::COMPUTATION),
                              2 * (first + second),
                              what);
        NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, what);
        NS_TEST_EXPECT_MSG_EQ(run.open, "", what);
        NS_TEST_EXPECT_MSG_EQ(run.left, "", what);
    }
}

ODCN_TEST_CASE(RandomCircuitFailuresCase, "jobs in the same racks that fail at random all end")
{
    const auto a = MakeTwoPhases(MicroSeconds(300), MicroSeconds(200), 4);
    const auto b = MakeTwoPhases(MicroSeconds(170), MicroSeconds(450), 3);
    uint32_t failures = 0;
    for (const std::string text : {"TrainingController[Rule=PerPhaseRule];DirectRouting",
                                   "TrainingController[Rule=PerStepRule];DirectRouting",
                                   "TrainingController[Rule=PerJobRule];ExpanderRouting",
                                   "TrainingController[Rule=PerIterationRule];ExpanderRouting"})
    {
        for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::PACKETS})
        {
            if (engine == FabricEngine::PACKETS && text.find("PerPhaseRule") == std::string::npos)
            {
                continue;
            }
            CircuitRun run;
            run.text = text;
            run.engine = engine;
            run.size = {.racks = 4, .servers = 3, .uplinks = 2, .gbps = 100, .dark = 100};
            run.placement = "random";
            run.settings = "CheckpointIterations=1|RestartTime=50us|"
                           "Failures=ns3::ExponentialRandomVariable[Mean=0.02]|"
                           "Repairs=ns3::ExponentialRandomVariable[Mean=0.0005]";
            run.jobs = {a, b, b, a};
            run.apart = MicroSeconds(50);
            run.Run();
            NS_TEST_EXPECT_MSG_EQ(run.open, "", text);
            NS_TEST_EXPECT_MSG_EQ(run.left, "", text);
            NS_TEST_EXPECT_MSG_EQ(run.addsUp, true, text);
            for (const TrainingCluster::Outcome& job : run.outcomes)
            {
                NS_TEST_EXPECT_MSG_EQ(job.iterationEnds.back(), job.end - job.start, text);
                failures += job.failures;
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(failures, 8, "failures of jobs");
}

ODCN_TEST_CASE(HarvestCase, "halving-doubling takes its cost + 2 log2(n) dark times")
{
    const uint32_t ranks = 64;
    std::vector<uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    TrainingProgram program;
    AddCircuitStage(program, Time(0), 0, 1 << 20);
    CircuitRun run;
    // Servers' links store each packet for 12 ps, which the closed form leaves out: 24 ps a step.
    run.size =
        {.racks = ranks, .servers = 1, .uplinks = 1, .gbps = 800, .delay = 1000, .serverGbps = 1e6};
    run.allReduce = "halving-doubling";
    run.headers = 0;
    run.jobs = {MakeCircuitJob(ranks, program, {{all}})};
    // The step in the middle has the circuits of the one before, and so need not set them.
    for (const auto& [keep, steps] : {std::pair("false", 12), std::pair("true", 11)})
    {
        run.text =
            "TrainingController[Rule=PerStepRule|Keep=" + std::string(keep) + "];DirectRouting";
        for (const int64_t dark : {0, 1, 15}) // us
        {
            run.size.dark = static_cast<double>(dark);
            const double time = run.GetTime().GetSeconds();
            const double cost = 2 * 6 * 1e-6 + 2 * (63.0 / 64) * (1 << 20) / 100e9;
            const double sum = cost + steps * 1e-6 * static_cast<double>(dark);
            NS_TEST_EXPECT_MSG_EQ_TOL(cost, 32.64e-6, 0.005e-6, "the paper's");
            NS_TEST_EXPECT_MSG_EQ_TOL(time, sum, 12 * 24.1e-12, dark << " us, " << keep);
            NS_TEST_EXPECT_MSG_EQ(run.nSwitches, steps * 64, "circuits set");
        }
    }
}

/// A rule of a user's own, with what a test lets it choose.
struct OwnRule : CircuitRule
{
    Circuits circuits; //!< that it chooses

    Unit GetUnit() const override
    {
        return PHASE;
    }

    Circuits Choose(const TrainingPhase&, uint32_t) override
    {
        return circuits;
    }
};

ODCN_TEST_CASE(CircuitRulesCase, "rules of circuits")
{
    // An all-to-all of five racks in two turns of two planes.
    std::vector<uint32_t> all{0, 1, 2, 3, 4};
    TrainingProgram program;
    AddCircuitStage(program, Time(0), 0, 5000000, Collective::Operation::ALL_TO_ALL);
    CircuitRun run;
    run.size = {.racks = 5, .servers = 1, .uplinks = 2, .gbps = 100, .dark = 77};
    run.jobs = {MakeCircuitJob(5, program, {{all}})};
    for (const std::string rule : {"PerStepRule", "PerPhaseRule"})
    {
        run.text = "TrainingController[Rule=" + rule + "];DirectRouting";
        const Time two = run.GetTime();
        NS_TEST_EXPECT_MSG_EQ(run.nSwitches, 20, rule);
        run.size.uplinks = 4;
        const Time one = run.GetTime();
        // A server sends four messages at a time, or twice two.
        NS_TEST_EXPECT_MSG_EQ(run.nSwitches, 20, rule);
        NS_TEST_EXPECT_MSG_EQ((two - one < MicroSeconds(79)), true, rule);
        NS_TEST_EXPECT_MSG_EQ((two - one > MicroSeconds(77)), true, rule);
        run.size.uplinks = 2;
    }

    // Each rule ends any job, by one circuit or several.
    TrainingParallelism how;
    how.data = 2;
    how.pipeline = 2;
    how.expert = 2;
    how.context = 2;
    how.microBatches = 3;
    how.length = 64;
    how.flops = 1e12;
    TrainingModel model = TrainingModel::Find("mini-gpt");
    model.layers = 2;
    model.experts = 4;
    model.active = 2;
    CircuitRun any;
    any.size = {.racks = 4, .servers = 2, .uplinks = 2, .gbps = 100, .dark = 50};
    any.jobs = {std::make_shared<TrainingJob>(model.MakeJob(how, 2))};
    for (const std::string rule : {"PerJobRule",
                                   "PerJobRule[Rings=totient]",
                                   "PerIterationRule",
                                   "PerPhaseRule",
                                   "PerStepRule",
                                   "StaticRule"})
    {
        for (const std::string routing : {"DirectRouting", "ExpanderRouting"})
        {
            if (rule == "StaticRule" && routing == "DirectRouting")
            {
                continue;
            }
            any.text = "TrainingController[Rule=" + rule + "];" + routing;
            any.Run();
            NS_TEST_EXPECT_MSG_EQ(any.open, "", any.text);
            NS_TEST_EXPECT_MSG_EQ(any.addsUp, true, any.text);
        }
    }

    // What a rule of one's own must not choose.
    CircuitRun own;
    own.jobs = {MakeTwoPhases(Time(1), Time(1), 1)};
    const auto set = [&](const CircuitRule::Circuits& circuits)
    {
        own.makeRule = [circuits]
        {
            const auto rule = CreateObject<OwnRule>();
            rule->circuits = circuits;
            return rule;
        };
    };
    set({{{1, 0}}});
    own.Run();
    NS_TEST_EXPECT_MSG_EQ(own.open, "", "a rule of one's own");
    for (const CircuitRule::Circuits& circuits :
         std::vector<CircuitRule::Circuits>{{},
                                            {{{1}}},
                                            {{{1, 1}}},
                                            {{{2, 0}}},
                                            {{{0, 1}}},
                                            {{{1, NO_RACK}}},
                                            {{}}})
    {
        set(circuits);
        const std::string refusal = GetRefusal([&] { own.Run(); });
        NS_TEST_EXPECT_MSG_NE(refusal.find("of job 0: found"), std::string::npos, refusal);
        Simulator::Destroy();
    }
}

ODCN_TEST_CASE(LeastTimeCase, "LeastTimeRule is near the best rule of a job")
{
    CircuitRun run;
    run.size = {.racks = 8, .servers = 1, .uplinks = 2, .gbps = 100};
    std::vector<Ptr<LeastTimeRule>> made;
    const auto makeLeast = [&made]
    {
        made.push_back(CreateObject<LeastTimeRule>());
        return made.back();
    };
    const auto getTime = [&](const std::string& rule, const std::string& routing)
    {
        run.text = "TrainingController[Rule=" + rule + "];" + routing;
        run.makeRule = nullptr;
        if (rule == "LeastTimeRule")
        {
            run.makeRule = makeLeast;
        }
        return run.GetTime();
    };
    // Pairs that change need a switch each phase, or share two circuits; computations hide 0.5 ms.
    std::set<std::string> chosen;
    for (const double dark : {0.1, 20.0, 300.0, 2000.0, 1e6})
    {
        for (const std::string routing : {"DirectRouting", "ExpanderRouting"})
        {
            run.size.dark = dark;
            TrainingProgram program;
            AddCircuitStage(program, MicroSeconds(500), 0, 4000000);
            AddCircuitStage(program, MicroSeconds(500), 1, 4000000);
            AddCircuitStage(program, MicroSeconds(500), 2, 1000000);
            run.jobs = {MakeCircuitJob(4,
                                       program,
                                       {{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}, {{0, 1, 2, 3}}},
                                       2)};
            const Time least = getTime("LeastTimeRule", routing);
            NS_TEST_EXPECT_MSG_EQ(run.open, "", routing);
            const std::vector<LeastTimeRule::Estimate> estimates = made.back()->GetEstimates(0);
            const std::size_t choice = made.back()->GetChoice(0);
            chosen.insert(estimates.at(choice).rule);
            const bool canStay = routing == "ExpanderRouting";
            NS_TEST_EXPECT_MSG_EQ(estimates.size(), canStay ? 5 : 4, routing);
            NS_TEST_EXPECT_MSG_EQ_TOL(estimates.at(choice).time / least.GetSeconds(),
                                      1,
                                      canStay ? 0.07 : 0.3,
                                      routing + " " + std::to_string(dark));
            std::vector<std::string> rules{"PerJobRule",
                                           "PerIterationRule[Demand=all]",
                                           "PerPhaseRule",
                                           "PerStepRule"};
            if (canStay)
            {
                rules.emplace_back("StaticRule[Circuits=ring]");
            }
            for (const std::string& rule : rules)
            {
                const Time other = getTime(rule, routing);
                // Turns change in another order than estimated.
                NS_TEST_EXPECT_MSG_LT(least / other,
                                      canStay ? 1.07 : 1.25,
                                      rule + " " + std::to_string(dark));
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(chosen.size(), 2, "one choice for all dark times");
    NS_TEST_EXPECT_MSG_EQ(chosen.contains(""), true, "no job stays");
}

ODCN_TEST_CASE(LearnedCase, "a policy of CircuitProblem decides as the rule that it stands for")
{
    CircuitRun run;
    run.size = {.racks = 8, .servers = 1, .uplinks = 2, .gbps = 100, .dark = 300};
    run.apart = MicroSeconds(1700);
    TrainingProgram program;
    AddCircuitStage(program, MicroSeconds(500), 0, 4000000);
    AddCircuitStage(program, MicroSeconds(500), 1, 1000000);
    for (const uint32_t iterations : {1, 3, 2, 1})
    {
        run.jobs.push_back(
            MakeCircuitJob(4, program, {{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}}, iterations));
    }
    const auto getTimes = [&](const std::string& rule)
    {
        run.text = "TrainingController[Rule=" + rule + "];ExpanderRouting";
        run.makeRule = nullptr;
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.open, "", rule);
        return run.times;
    };
    const std::string start = GetDataFile("linear-circuits-start.json");
    const std::vector<Time> least = getTimes("LeastTimeRule");
    std::map<std::string, std::vector<Time>> times;
    uint32_t others = 0;
    for (const std::string& policy :
         {std::string("least-time"), std::string("stay"), std::string("per-phase"), start})
    {
        times[policy] = getTimes("LearnedRule[Policy=" + policy + "]");
        others += times[policy] == least ? 0 : 1;
    }
    NS_TEST_EXPECT_MSG_EQ((times["least-time"] == least), true, "the rule least-time");
    NS_TEST_EXPECT_MSG_EQ((times[start] == least), true, "weights that mean least-time");
    NS_TEST_EXPECT_MSG_GT(others, 0, "all rules do the same");

    // Decisions one by one, each of which may run the jobs again, end as all of them in one run.
    uint32_t runs = 0;
    const auto problem = CreateObject<CircuitProblem>(
        [&](const Ptr<CircuitRule>& rule, uint32_t)
        {
            ++runs;
            run.text = "TrainingController[Rule=LeastTimeRule];ExpanderRouting";
            run.makeRule = [&rule] { return rule; };
            run.Run();
            CircuitProblem::Result result;
            for (const Time& time : run.times)
            {
                result.times.push_back(time.GetSeconds());
                result.alone.push_back(1e-3);
            }
            return result;
        });
    problem->AssignStreams(1);
    for (const auto& [policy, expected] : times)
    {
        runs = 0;
        problem->Reset();
        const PolicyChoice choice = PolicyRegistry::Find(*problem, policy);
        const Ptr<DecisionPolicy> decides = choice.Create();
        choice.Configure(*problem, *decides);
        const EpisodeRun episode = problem->RunEpisode(*decides);
        NS_TEST_EXPECT_MSG_EQ(episode.decisions, run.jobs.size(), policy);
        double sum = 0;
        for (const Time& time : expected)
        {
            sum += time.GetSeconds();
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(problem->MeasureFigures()[0].total, sum, 1e-12, policy);
        NS_TEST_EXPECT_MSG_EQ_TOL(-episode.reward, sum * 1e3, 1e-5 * sum * 1e3, policy);
        const bool isLeast = policy == "least-time" || policy == start;
        NS_TEST_EXPECT_MSG_EQ((!isLeast || runs == 1), true, policy + ": runs without need");
    }
}

} // namespace

static PicosecondSuite g_trainingCircuitsSuite("odcn-training-circuits");
