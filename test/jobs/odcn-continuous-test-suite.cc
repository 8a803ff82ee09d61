// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs and packets in one time: conservation at the end of every job, what policies can see of
 * packets, when jobs send, and the figures of windows.
 */

#include "../core/odcn-test-case.h"

#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-packet-recorder.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Calls a function before each decision of a rule.
struct Watcher : DecisionPolicy
{
    uint32_t Decide(const DecisionProblem& problem) override
    {
        look(dynamic_cast<const OdcnScheduling&>(problem));
        return rule->Decide(problem);
    }

    std::function<void(const OdcnScheduling&)> look; //!< called before each decision
    Ptr<DecisionPolicy> rule;                        //!< decides
};

/// A small data centre: 4 racks of 4 servers, whose jobs send for as long as they run.
struct ContinuousCentre
{
    /// @param settings of the scheduler
    /// @param compute Attributes of the compute manager
    explicit ContinuousCentre(const std::string& settings,
                              const std::string& compute = "AfterFailure=End")
    {
        Configure(helper, &OdcnHelper::SetNetworkAttribute, "Racks=4|PortsPerTor=6|OcsCount=2");
        Configure(helper, &OdcnHelper::SetComputeAttribute, "ServersPerRack=4|" + compute);
        Configure(helper, &OdcnHelper::SetSchedulerAttribute, settings);
    }

    /// Build it. @param look called before each decision; may be empty
    void Build(std::function<void(const OdcnScheduling&)> look = {})
    {
        auto jobs = Make<OdcnJobGenerator>("VmCount=ns3::UniformRandomVariable[Min=3|Max=6]|"
                                           "Duration=ns3::ExponentialRandomVariable[Mean=6]|"
                                           "DemandGbps=ns3::UniformRandomVariable[Min=20|Max=38]");
        jobs->AssignStreams(0);
        problem = helper.CreateProblem(jobs);
        const auto choice = PolicyRegistry::Find("ns3::odcn::OdcnScheduling", "odcn-packing");
        choice.Apply(*problem);
        problem->Reset();
        Ptr<DecisionPolicy> policy = choice.Create();
        if (look)
        {
            auto watcher = CreateObject<Watcher>();
            watcher->look = std::move(look);
            watcher->rule = policy;
            policy = watcher;
        }
        scenario = helper.Install(problem, policy);
        OdcnHelper::AssignStreams(scenario, 1000);
    }

    /// @return packets that wait in queues
    uint64_t CountQueued() const
    {
        uint64_t queued = 0;
        for (RackId rack = 0; rack < 4; ++rack)
        {
            queued += scenario.scheduler->GetMonitor()->GetTorQueue(rack).packets;
            for (uint32_t server = 0; server < 4; ++server)
            {
                queued += scenario.fabric->GetServerDevice(rack, server)->GetQueue()->GetNPackets();
            }
        }
        return queued;
    }

    /// @return packets on fibres and in optical switches
    uint64_t CountOnTheWay() const
    {
        uint64_t packets = 0;
        const auto add = [&packets](const Ptr<OcsNetDevice>& device)
        { packets += DynamicCast<OcsFiber>(device->GetChannel())->GetInFlight(); };
        for (RackId rack = 0; rack < 4; ++rack)
        {
            for (uint32_t i = 0; i < 6; ++i)
            {
                add(scenario.fabric->GetUplink(rack, i));
            }
            for (uint32_t server = 0; server < 4; ++server)
            {
                add(scenario.fabric->GetServerDevice(rack, server));
            }
        }
        for (uint32_t w = 0; w < 2; ++w)
        {
            packets += scenario.fabric->GetSwitch(w)->GetInFlight();
        }
        return packets;
    }

    OdcnHelper helper;           //!< builds it
    Ptr<OdcnScheduling> problem; //!< decisions
    OdcnScenario scenario;       //!< packets
};

/// A run of ns-3's random numbers, with or without faults.
struct ConservationCase
{
    uint64_t run;      //!< run number
    std::string after; //!< AfterFailure; empty for no faults
};

/// Faults of all parts.
/// @param injector knows the parts
/// @param end of the plan
/// @return the plan
FaultPlan
MakePlan(const FaultInjector& injector, Time end)
{
    FaultPlan plan;
    int64_t stream = 50;
    for (const FaultPart part : {FaultPart::SERVER,
                                 FaultPart::OCS_PORT,
                                 FaultPart::UPLINK,
                                 FaultPart::FIBER,
                                 FaultPart::MIRROR,
                                 FaultPart::TOR})
    {
        plan.Sample(part, injector.GetSizes(part), end / 4, end / 40, end, stream);
        stream += 10;
    }
    plan.Add({FaultPart::OCS, 1, 0, end / 3, end / 2, ""});
    return plan;
}

/// Every packet is accounted for whenever a job ends.
ODCN_TEST_CASES(ContinuousConservationTest,
                ConservationCase,
                "sent = received + dropped by cause + queued + in flight at the end of every job, "
                "run " +
                    std::to_string(parameter.run) + " " + parameter.after,
                ConservationCase{1, ""},
                ConservationCase{2, ""},
                ConservationCase{3, ""},
                ConservationCase{1, "End"},
                ConservationCase{2, "Restart"},
                ConservationCase{3, "Replace"})
{
    const uint64_t before = RngSeedManager::GetRun();
    RngSeedManager::SetRun(parameter.run);
    const bool isFaulty = !parameter.after.empty();
    ContinuousCentre centre("Continuous=true|MaxJobs=300|WindowAfter=50|JobTimeUnit=1us",
                            "AfterFailure=" + (isFaulty ? parameter.after : "End"));
    centre.helper.GetOptics().SetSwitchAttribute("ReconfigurationTime",
                                                 TimeValue(NanoSeconds(700)));
    centre.Build();
    const auto& scenario = centre.scenario;
    PacketRecorder recorder;
    recorder.Connect(scenario.flows);
    recorder.Connect(scenario.fabric);
    recorder.Open(0, 0, Seconds(1).GetPicoSeconds());
    uint64_t flows = 0;
    std::set<JobId> sending;
    std::map<JobId, uint64_t> stops; // number
    Listen(scenario.scheduler,
           "FlowStarted",
           [&](uint32_t number, const OdcnFlow& flow)
           {
               NS_TEST_EXPECT_MSG_EQ(number, flows++, "numbered as they start");
               recorder.AddFlow(0, flow.job);
               sending.insert(flow.job);
           });
    Listen(centre.problem->GetManager(),
           "JobInterrupted",
           [&](const OdcnPlacedJob& job)
           {
               if (sending.contains(job.id))
               {
                   Simulator::ScheduleNow(
                       [&, id = job.id, due = stops[job.id] + 1]
                       { NS_TEST_EXPECT_MSG_EQ(stops[id], due, "stops when it is interrupted"); });
               }
           });
    uint64_t ends = 0;
    uint64_t queuedAtEnds = 0;
    Listen(scenario.scheduler,
           "JobStopped",
           [&](JobId job)
           {
               ++ends;
               ++stops[job];
               sending.erase(job);
               const PacketCounts counts = scenario.fabric->Count();
               const uint64_t queued = centre.CountQueued();
               queuedAtEnds += queued;
               NS_TEST_EXPECT_MSG_EQ(counts.sent,
                                     counts.received + counts.dropped.Total() + queued +
                                         centre.CountOnTheWay(),
                                     "devices, end " << ends);
               NS_TEST_EXPECT_MSG_EQ(recorder.GetInFlight(),
                                     queued + centre.CountOnTheWay(),
                                     "applications and devices, end " << ends);
           });
    Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
    injector->SetAttribute("DetectionTime", StringValue("2us"));
    injector->SetFabric(scenario.fabric);
    if (isFaulty)
    {
        injector->Start(MakePlan(*injector, MicroSeconds(310)));
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(ends, 50, "jobs that ended");
    NS_TEST_EXPECT_MSG_GT(queuedAtEnds, 50, "queues at the ends of jobs");
    NS_TEST_EXPECT_MSG_EQ(scenario.fabric->Count().inFlight, 0, "all packets end");
    const WindowPackets& packets = recorder.Close(scenario.fabric->Count().inFlight);
    NS_TEST_EXPECT_MSG_EQ(packets.IsBalanced(), true, "applications");
    NS_TEST_EXPECT_MSG_EQ(packets.scopes[0].all.sent, scenario.fabric->Count().sent, "sent");
    uint64_t sent = 0;
    for (const auto& [job, own] : packets.jobs)
    {
        NS_TEST_EXPECT_MSG_EQ(own.counts.GetMissing(), 0, "job " << job);
        sent += own.counts.sent;
    }
    NS_TEST_EXPECT_MSG_EQ(sent, packets.scopes[0].all.sent, "all packets are a job's");
    const OdcnCounters& counters = centre.problem->GetManager()->GetCounters();
    NS_TEST_EXPECT_MSG_EQ((counters.interrupted > 3), isFaulty, "interrupted jobs");
    NS_TEST_EXPECT_MSG_GT(counters.Reconfigurations(), 0, "hardly a reconfiguration");
    const auto& dropped = packets.scopes[0].all.dropped;
    NS_TEST_EXPECT_MSG_EQ((dropped[OcsDropCause::PORT_FAILED] > 0), isFaulty, "failed ports");
    Simulator::Destroy();
    RngSeedManager::SetRun(before);
}

/// Packets do not change what rules decide that do not look at them.
ODCN_TEST_CASE(ContinuousDecisionsTest, "the decisions are those of windows and of the job level")
{
    const auto run = [](const std::string& settings)
    {
        ContinuousCentre centre(settings + "|MaxJobs=150|WindowAfter=100|JobTimeUnit=1us");
        centre.Build();
        std::vector<OdcnOutcome> seen;
        Listen(centre.scenario.scheduler, "Decided", [&](OdcnOutcome o) { seen.push_back(o); });
        Simulator::Run();
        seen.push_back(static_cast<OdcnOutcome>(centre.scenario.fabric->Count().sent > 1000));
        Simulator::Destroy();
        return seen;
    };
    const auto windows = run("WindowSpacing=10");
    NS_TEST_EXPECT_MSG_EQ(windows.size(), 151, "jobs");
    NS_TEST_EXPECT_MSG_EQ((run("Continuous=true") == windows), true, "decisions differ");
}

/// When a job's packets are sent.
ODCN_TEST_CASES(ContinuousTimesTest,
                bool,
                std::string("jobs send from their acceptance, or when their circuits are up, to "
                            "their departure") +
                    (parameter ? "; IncludeDark" : ""),
                false,
                true)
{
    const bool includesDark = parameter;
    const Time dark = MicroSeconds(1);
    ContinuousCentre centre("Continuous=true|MaxJobs=120|WindowAfter=1|JobTimeUnit=1us");
    centre.helper.SetSchedulerAttribute("IncludeDark", BooleanValue(includesDark));
    centre.helper.GetOptics().SetSwitchAttribute("ReconfigurationTime", TimeValue(dark));
    centre.Build();

    // When a job may send, and what it has sent.
    struct Span
    {
        Time from;          // its first packet is sent later
        Time until;         // its last packet is sent earlier
        double expected{0}; // packets
        double sent{0};     // packets
    };

    std::map<JobId, Span> jobs;
    std::vector<JobId> owners;
    uint64_t moved = 0;
    uint64_t commands = 0;
    const Ptr<CsMgr> manager = centre.problem->GetManager();
    Listen(manager, "CircuitsChanged", [&](const std::vector<OdcnCircuitChange>&) { ++commands; });
    Listen(manager,
           "JobPlaced",
           [&](const OdcnPlacedJob& job)
           {
               const bool waits = commands > 0 && !includesDark;
               moved += commands;
               commands = 0;
               Span& span = jobs[job.id];
               span.from = Simulator::Now() + (waits ? dark : Time(0));
               span.until = PicoSeconds(static_cast<int64_t>(job.departure * 1e6));
               for (const OdcnDemand& demand : job.demands)
               {
                   const double share = job.servers[demand.from] != job.servers[demand.to];
                   span.expected += share * std::max(0.0, (span.until - span.from).GetSeconds()) *
                                    static_cast<double>(demand.rate) / (296 * 8);
               }
           });
    Listen(centre.scenario.scheduler,
           "FlowStarted",
           [&](uint32_t, const OdcnFlow& flow)
           {
               owners.push_back(flow.job);
               NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), jobs[flow.job].from, "first possible time");
           });
    for (const auto& flows : centre.scenario.flows)
    {
        Listen(
            flows,
            "Tx",
            [&](const FlowHeader& header)
            {
                Span& span = jobs[owners.at(header.GetFlow())];
                ++span.sent;
                const Time now = Simulator::Now();
                NS_TEST_EXPECT_MSG_EQ((now >= span.from && now <= span.until), true, "at " << now);
            });
    }
    Time stopped;
    Listen(centre.scenario.scheduler, "Finished", [&]() { stopped = Simulator::Now(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(moved, 0, "hardly a reconfiguration");
    double sent = 0;
    double expected = 0;
    for (const auto& [id, span] : jobs)
    {
        if (span.until <= stopped)
        {
            sent += span.sent;
            expected += span.expected;
            NS_TEST_EXPECT_MSG_LT(std::abs(span.sent - span.expected),
                                  5 * std::sqrt(span.expected) + 5,
                                  "Poisson packets of job " << id);
        }
    }
    NS_TEST_EXPECT_MSG_LT(std::abs(sent - expected), 4 * std::sqrt(expected), "of all jobs");
    NS_TEST_EXPECT_MSG_GT(sent, 10000, "packets");
    Simulator::Destroy();
}

/// What a policy can see, against a recording of all packets.
ODCN_TEST_CASE(ContinuousMonitorTest,
               "policies see queues and latencies, which are those of the packets; so does the "
               "observation if told")
{
    // A packet that has arrived.
    struct Arrival
    {
        Time time;   // when
        RackId from; // sender's rack
        RackId to;   // receiver's rack
        double ns;   // latency
    };

    std::vector<Arrival> arrivals;
    std::vector<OdcnFlow> flows;
    uint64_t looks = 0;
    uint64_t busy = 0;
    ContinuousCentre centre("Continuous=true|MaxJobs=80|WindowAfter=20|JobTimeUnit=1us|"
                            "Reward=Packets");
    const auto look = [&](const OdcnScheduling& problem)
    {
        const Ptr<OcsPacketMonitor> monitor = problem.GetMonitor();
        const auto expect = [&](const std::function<bool(const Arrival&)>& belongs)
        {
            double weights = 0;
            double sum = 0;
            for (const Arrival& a : arrivals)
            {
                const double age = (Simulator::Now() - a.time).GetSeconds();
                const double weight = belongs(a) ? std::exp(-age / 10e-6) : 0;
                weights += weight;
                sum += weight * a.ns;
            }
            return std::pair(weights > 0 ? sum / weights : 0, weights);
        };
        ++looks;
        uint64_t queued = 0;
        std::vector<float> observation(problem.GetObservationSize());
        problem.Observe(observation.data());
        const float* packets = observation.data() + observation.size() - 16;
        for (RackId rack = 0; rack < 4; ++rack)
        {
            const QueueLength tor = monitor->GetTorQueue(rack);
            queued += tor.packets;
            NS_TEST_EXPECT_MSG_EQ(tor.bytes, 296 * tor.packets, "bytes");
            NS_TEST_EXPECT_MSG_EQ(packets[rack],
                                  float(double(monitor->GetQueueFrom(rack).packets) / 6),
                                  "from");
            NS_TEST_EXPECT_MSG_EQ(packets[4 + rack],
                                  float(double(monitor->GetQueueTo(rack).packets) / 6),
                                  "to");
            const auto [from, weight] = expect([&](const Arrival& a) { return a.from == rack; });
            NS_TEST_EXPECT_MSG_EQ_TOL(packets[8 + rack], 1e-3 * from, 1e-5, "latency from");
            NS_TEST_EXPECT_MSG_EQ_TOL(monitor->GetLatencyFrom(rack).packets,
                                      weight,
                                      1e-9 * weight + 1e-9,
                                      "weight");
            const auto to = expect([&](const Arrival& a) { return a.to == rack; });
            NS_TEST_EXPECT_MSG_EQ_TOL(packets[12 + rack], 1e-3 * to.first, 1e-5, "latency to");
        }
        busy += queued > 0;
        const auto pair = expect([](const Arrival& a) { return a.from == 1 && a.to == 2; });
        NS_TEST_EXPECT_MSG_EQ_TOL(monitor->GetLatency(1, 2).meanNs, pair.first, 1e-6, "pair");
        const auto all = expect([](const Arrival&) { return true; });
        NS_TEST_EXPECT_MSG_EQ_TOL(monitor->GetLatency().meanNs, all.first, 1e-6, "all");
        const double linksNs = 2 * 5.92;
        NS_TEST_EXPECT_MSG_EQ_TOL(centre.scenario.scheduler->GetMeasuredLatencyNs(),
                                  (all.first > 0 ? all.first - linksNs : 0),
                                  1e-6,
                                  "of rewards");
    };
    centre.helper.SetProblemAttribute("State", StringValue("Packets"));
    centre.Build(look);
    centre.problem->SetAttribute("State", StringValue("Packets"));
    std::vector<float> without(centre.problem->GetObservationSize());
    centre.problem->Observe(without.data());
    NS_TEST_EXPECT_MSG_EQ((without.back() == 0 && without[without.size() - 16] == 0),
                          true,
                          "without packets");
    NS_TEST_EXPECT_MSG_EQ((centre.problem->GetMonitor() == nullptr), true, "before the start");
    Listen(centre.scenario.scheduler,
           "FlowStarted",
           [&](uint32_t, const OdcnFlow& flow) { flows.push_back(flow); });
    for (const auto& application : centre.scenario.flows)
    {
        Listen(application,
               "Rx",
               [&](const FlowHeader& header, Time delay)
               {
                   const OdcnFlow& flow = flows[header.GetFlow()];
                   if (flow.interRack)
                   {
                       arrivals.push_back({Simulator::Now(),
                                           flow.from / 4,
                                           flow.to / 4,
                                           1e-3 * double(delay.GetPicoSeconds())});
                   }
               });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(looks, 200, "decisions");
    NS_TEST_EXPECT_MSG_GT(busy, 100, "decisions with packets in queues");
    Simulator::Destroy();
}

/// Packets right after decisions, in windows and in one time.
ODCN_TEST_CASE(ContinuousWindowsTest,
               "for jobs that last much longer than packets, latency and loss are those of "
               "windows, within their intervals")
{
    const Time warmUp = MicroSeconds(1);
    const Time length = MicroSeconds(3);
    const std::string settings = "MaxJobs=240|WindowAfter=40|WindowSpacing=2|JobTimeUnit=20us|"
                                 "WindowWarmUp=1us|WindowLength=3us|IntraRackFlows=false";
    const auto prepare = [](ContinuousCentre& centre)
    {
        centre.helper.GetOptics().SetSwitchAttribute("ReconfigurationTime",
                                                     TimeValue(NanoSeconds(100)));
        centre.Build();
    };
    ContinuousCentre apart(settings);
    prepare(apart);
    OdcnWindowRecorder recorder(CreateTempDirFilename("windows.csv"));
    recorder.Record("ccf", apart.scenario.scheduler, apart.scenario.fabric, apart.scenario.flows);
    Simulator::Run();
    Simulator::Destroy();
    const PacketRecorder& windows = recorder.Get("ccf").packets;
    const Estimate latency = windows.GetLatency(OdcnWindowRecorder::INTER_RACK).GetMeanNs();
    const Estimate loss = windows.GetLoss(OdcnWindowRecorder::INTER_RACK);

    ContinuousCentre centre(settings + "|Continuous=true");
    prepare(centre);
    std::vector<OdcnFlow> flows;
    Listen(centre.scenario.scheduler,
           "FlowStarted",
           [&](uint32_t, const OdcnFlow& flow) { flows.push_back(flow); });
    Time from = Seconds(1);
    uint64_t spans = 0;
    uint64_t next = 40;
    Listen(centre.problem->GetManager(),
           "JobPlaced",
           [&](const OdcnPlacedJob&)
           {
               const uint64_t jobs = centre.scenario.scheduler->GetNJobs();
               if (jobs >= next)
               {
                   from = Simulator::Now() + warmUp;
                   next = jobs + 2;
                   ++spans;
               }
           });
    double sent = 0;
    double received = 0;
    double ns = 0;
    const auto isMeasured = [&](const FlowHeader& header)
    {
        return flows[header.GetFlow()].interRack && header.GetSent() >= from &&
               header.GetSent() < from + length;
    };
    for (const auto& application : centre.scenario.flows)
    {
        Listen(application, "Tx", [&](const FlowHeader& h) { sent += isMeasured(h); });
        Listen(application,
               "Rx",
               [&](const FlowHeader& header, Time delay)
               {
                   if (isMeasured(header))
                   {
                       ++received;
                       ns += 1e-3 * static_cast<double>(delay.GetPicoSeconds());
                   }
               });
    }
    Simulator::Run();
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(spans, windows.GetWindows(), "the same decisions");
    NS_TEST_EXPECT_MSG_GT(sent, 10000, "packets");
    NS_TEST_EXPECT_MSG_EQ(latency.Contains(ns / received),
                          true,
                          "latency: " << ns / received << " and " << latency.mean << " ns");
    NS_TEST_EXPECT_MSG_EQ(loss.Contains(1 - received / sent),
                          true,
                          "loss: " << 1 - received / sent << " and " << loss.mean);
    NS_TEST_EXPECT_MSG_LT(latency.GetHalfWidth(), 0.2 * latency.mean, "wide interval");
}

/// Jobs in bytes.
ODCN_TEST_CASE(ContinuousBytesTest,
               "a job in bytes ends when they have arrived, though packets are lost")
{
    ContinuousCentre centre("Continuous=true|MaxJobs=160|WindowAfter=40|JobTimeUnit=1us");
    centre.helper.GetOptics().SetSwitchAttribute("ReconfigurationTime",
                                                 TimeValue(NanoSeconds(100)));
    centre.Build();
    const auto& scenario = centre.scenario;
    FlowHelper flows;
    flows.SetAttribute("Repair", StringValue("Nack"));
    flows.SetAttribute("ReorderTime", TimeValue(MicroSeconds(2)));
    flows.SetAttribute("RepairTimeout", TimeValue(MicroSeconds(10)));
    const Ptr<PacketMessages> plane = flows.InstallMessages(scenario.fabric);
    scenario.scheduler->SetMessages(plane);

    // A job that has begun.
    struct Work
    {
        uint64_t bytes{0};   // to be sent between servers
        uint64_t arrived{0}; // of them
        Time placed;         // when it was accepted
        double duration{0};  // in units, of a job without messages
        bool ended{false};   // whether it has ended
        bool held{true};     // whether the ledger has it
    };

    std::map<JobId, Work> jobs;
    Listen(plane,
           "Delivered",
           [&](const Message& message) { jobs[message.tag].arrived += message.bytes; });
    const Ptr<CsMgr> manager = centre.problem->GetManager();
    Listen(manager,
           "JobPlaced",
           [&](const OdcnPlacedJob& job)
           {
               if (scenario.scheduler->GetNJobs() < 40)
               {
                   return;
               }
               Work& work = jobs[job.id];
               work.placed = Simulator::Now();
               work.duration = job.duration;
               for (const OdcnDemand& demand : job.demands)
               {
                   const double bytes = static_cast<double>(demand.rate) * job.duration * 1e-6 / 8;
                   work.bytes += job.servers[demand.from] != job.servers[demand.to]
                                     ? static_cast<uint64_t>(bytes)
                                     : 0;
               }
           });
    Listen(manager,
           "JobReleased",
           [&](const OdcnPlacedJob& job)
           {
               if (jobs.contains(job.id))
               {
                   jobs[job.id].held = false;
                   NS_TEST_EXPECT_MSG_EQ(jobs[job.id].ended, true, "released with its end");
               }
           });
    bool finished = false;
    Listen(scenario.scheduler, "Finished", [&]() { finished = true; });
    uint64_t ends = 0;
    uint64_t silent = 0;
    Listen(scenario.scheduler,
           "JobStopped",
           [&](JobId id)
           {
               Work& work = jobs[id];
               work.ended = true;
               if (finished || scenario.scheduler->GetNJobs() == 160)
               {
                   return;
               }
               ++ends;
               silent += work.bytes == 0;
               NS_TEST_EXPECT_MSG_EQ(work.arrived, work.bytes, "bytes of job " << id);
               if (work.bytes == 0)
               {
                   const double ran = (Simulator::Now() - work.placed).GetSeconds() * 1e6;
                   NS_TEST_EXPECT_MSG_EQ_TOL(ran, work.duration, 1e-3, "duration of job " << id);
               }
               const PacketCounts counts = scenario.fabric->Count();
               NS_TEST_EXPECT_MSG_EQ(counts.GetMissing(), 0, "packets");
           });
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(finished, true, "all jobs are decided");
    NS_TEST_EXPECT_MSG_GT(ends, 30, "jobs that ended");
    NS_TEST_EXPECT_MSG_LT(silent, ends / 4, "jobs without messages");
    for (const auto& [id, work] : jobs)
    {
        NS_TEST_EXPECT_MSG_EQ((work.ended || work.held), true, "job " << id);
    }
    const OdcnCounters& counters = manager->GetCounters();
    NS_TEST_EXPECT_MSG_GT(counters.Accepted(), manager->GetNActive() + 50, "released jobs");
    NS_TEST_EXPECT_MSG_GT(scenario.fabric->Count().dropped.Total(), 0, "losses");
    Simulator::Destroy();
}

/// A plane that carries a byte in a microsecond, each message alone.
struct SlowPlane : MessagePlane
{
    uint32_t GetNEndPoints() const override
    {
        return 16;
    }

    FabricEngine GetEngine() const override
    {
        return FabricEngine::FLOWS;
    }

    void DoSend(const Message& message) override
    {
        Simulator::Schedule(MicroSeconds(message.bytes),
                            &SlowPlane::Deliver,
                            Ptr<SlowPlane>(this),
                            message.number);
    }
};

/// What jobs do without a scheduler.
struct LoneTraffic : ContinuousCentre
{
    /// Times in us.
    using Times = std::vector<int64_t>;

    LoneTraffic()
        : ContinuousCentre("Continuous=true|JobTimeUnit=1us")
    {
        Build();
        scenario.scheduler->SetStartTime(Seconds(1)); // not in this test
        traffic = std::make_unique<ContinuousTraffic>(scenario.fabric,
                                                      *PeekPointer(problem->GetManager()),
                                                      scenario.flows,
                                                      true);
        const auto note = [](Times& times) { times.push_back(Simulator::Now().GetMicroSeconds()); };
        traffic->m_flowTrace.ConnectWithoutContext(Callback<void, uint32_t, const OdcnFlow&>(
            [this, note](uint32_t, const OdcnFlow& flow) { note(started[flow.job]); }));
        traffic->m_endTrace.ConnectWithoutContext(
            Callback<void, JobId>([this, note](JobId job) { note(stopped[job]); }));
        traffic->SetEnded([this, note](JobId job) { note(ended[job]); });
    }

    /// Have a job with one flow begin, which is so slow that no packet is sent.
    /// @param at when, us
    /// @param id of the job
    /// @param until its end, us
    /// @param waits for Resume()
    void Begin(uint64_t at, JobId id, uint64_t until, bool waits = false)
    {
        OdcnPlacedJob job;
        job.id = id;
        job.servers = {0, 4};
        job.demands = {{0, 1, 1}};
        Simulator::Schedule(MicroSeconds(at),
                            [this, job, until, waits]
                            { traffic->Begin(job, MicroSeconds(until), waits); });
    }

    /// @param at when, us
    /// @param what is called
    /// @param id of a job
    void Call(uint64_t at, void (ContinuousTraffic::*what)(JobId), JobId id)
    {
        Simulator::Schedule(MicroSeconds(at), [this, what, id] { (*traffic.*what)(id); });
    }

    /// Run until 50 us.
    static void Run()
    {
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        Simulator::Destroy();
    }

    std::unique_ptr<ContinuousTraffic> traffic; //!< of the jobs
    std::map<JobId, Times> started;             //!< when flows started
    std::map<JobId, Times> stopped;             //!< when jobs stopped
    std::map<JobId, Times> ended;               //!< when they came to their end
};

/// Jobs that end otherwise than by their time.
ODCN_TEST_CASE(ContinuousEndsTest, "a job ends once: at its time, unless it has ended before")
{
    using Times = LoneTraffic::Times;
    LoneTraffic t;
    t.Begin(1, 1, 10); // interrupted, and begins again
    t.Call(5, &ContinuousTraffic::End, 1);
    t.Begin(6, 1, 20);
    t.Begin(8, 2, 7);        // its end has passed
    t.Begin(8, 3, 12, true); // interrupted while it waits for circuits
    t.Call(9, &ContinuousTraffic::End, 3);
    t.Call(11, &ContinuousTraffic::Resume, 3);
    t.Begin(8, 4, 18, true); // waits, and is told twice
    t.Call(10, &ContinuousTraffic::Resume, 4);
    t.Call(11, &ContinuousTraffic::Resume, 4);
    t.Begin(21, 5, 28);
    Simulator::Schedule(MicroSeconds(25), [&] { t.traffic->Clear(); });
    t.Begin(30, 6, 40);
    Simulator::Schedule(MicroSeconds(35), [&] { t.traffic.reset(); });
    LoneTraffic::Run();
    NS_TEST_EXPECT_MSG_EQ((t.started[1] == Times{1, 6}), true, "started twice");
    NS_TEST_EXPECT_MSG_EQ((t.stopped[1] == Times{5, 20}), true, "interrupted, and at its new end");
    NS_TEST_EXPECT_MSG_EQ((t.ended[1] == Times{20}), true, "at its new end");
    NS_TEST_EXPECT_MSG_EQ(t.started[2].size() + t.stopped[2].size(), 0, "sends nothing");
    NS_TEST_EXPECT_MSG_EQ(t.started[3].size(), 0, "did not start");
    NS_TEST_EXPECT_MSG_EQ((t.stopped[3] == Times{9}), true, "interrupted");
    NS_TEST_EXPECT_MSG_EQ((t.started[4] == Times{10}), true, "with its circuits, once");
    NS_TEST_EXPECT_MSG_EQ((t.stopped[4] == Times{18}), true, "at its end");
    NS_TEST_EXPECT_MSG_EQ((t.stopped[5] == Times{25}), true, "with all jobs");
    NS_TEST_EXPECT_MSG_EQ((t.started[6] == Times{30}), true, "started");
    NS_TEST_EXPECT_MSG_EQ(t.stopped[6].size(), 0, "nothing after the destructor");
    NS_TEST_EXPECT_MSG_EQ(t.ended.size(), 2, "no other came to its end");
}

/// Jobs in bytes that are interrupted.
ODCN_TEST_CASE(ContinuousInterruptedBytesTest, "messages of an interrupted job do not end it later")
{
    using Times = LoneTraffic::Times;
    LoneTraffic t;
    const Ptr<SlowPlane> plane = CreateObject<SlowPlane>();
    t.traffic->SetMessages(plane, [](const OdcnPlacedJob&, const OdcnFlow&) { return 9; });
    t.Begin(1, 1, 0); // its message arrives at 10 us
    t.Call(5, &ContinuousTraffic::End, 1);
    t.Begin(6, 1, 0);
    t.Begin(20, 2, 0);
    Simulator::Schedule(MicroSeconds(25), [&] { t.traffic.reset(); });
    LoneTraffic::Run();
    NS_TEST_EXPECT_MSG_EQ((t.started[1] == Times{1, 6}), true, "started twice");
    NS_TEST_EXPECT_MSG_EQ((t.stopped[1] == Times{5, 15}), true, "with its second message");
    NS_TEST_EXPECT_MSG_EQ((t.ended[1] == Times{15}), true, "with its second message");
    NS_TEST_EXPECT_MSG_EQ(t.ended.size(), 1, "none after the destructor");
    NS_TEST_EXPECT_MSG_EQ(plane->CountMessages().delivered, 3, "messages are not withdrawn");
}

/// What Continuous needs.
ODCN_TEST_CASE_F(RefusalFixture, ContinuousRefusalTest, "packets of the engine, and no job time")
{
    ContinuousCentre centre("Continuous=true|JobTimeUnit=0s");
    centre.Build();
    ExpectRefusal("a time above 0 with Continuous", [] { Simulator::Run(); });
    Simulator::Destroy();
}

/// The suite.
PicosecondSuite g_continuousTestSuite("odcn-continuous");

} // namespace
