// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Rules that look at packets beside ODCN-JCB, and a control that sees no packet. Jobs and packets
 * share one time, and the packets between racks decide who is better:
 *     ./ns3 run "queue-rule --loads=54,66 --arrivals=OnOff --replications=10"
 */

#include "ns3/config.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-packet-recorder.h"

using namespace ns3;
using namespace ns3::odcn;

/// ODCN-JCB, but of the racks that fit, a job's next one is that with the least of something.
struct LeastRack : DecisionPolicy
{
    using Measure = double (*)(const OdcnScheduling& jobs, RackId rack);

    explicit LeastRack(Measure least)
        : measure(least)
    {
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const auto& jobs = dynamic_cast<const OdcnScheduling&>(problem);
        const OdcnRackViews& views = jobs.GetViews();
        const auto fits = [&](RackId rack)
        { return views.GetCompute(rack) >= 0 && views.GetBandwidth(rack) >= 0; };
        RackId best = jcb->Decide(problem);
        if (!jobs.GetMonitor() || best == jobs.GetLastRack() || !fits(best))
        {
            return best; // there are no packets, the rack goes on, or circuits have to move
        }
        for (RackId rack = 0; rack < jobs.GetNActions(); ++rack)
        {
            best = fits(rack) && measure(jobs, rack) < measure(jobs, best) ? rack : best;
        }
        return best;
    }

    Measure measure; //!< what is to be small
    Ptr<DecisionPolicy> jcb{DecisionPolicy::Create("ns3::odcn::OdcnJcbPolicy")};
};

/// @return packets between racks of the jobs after the warm-up
ScopePackets
RunPackets(OdcnHelper& helper, uint64_t warmUp, const Experiment::Trial& trial)
{
    Ptr<OdcnScheduling> problem(&dynamic_cast<OdcnScheduling&>(trial.problem));
    const OdcnScenario scenario = helper.Install(problem, &trial.policy);
    OdcnHelper::AssignStreams(scenario, 1000);
    PacketRecorder recorder;
    recorder.Connect(scenario.flows);
    recorder.Connect(scenario.fabric);
    recorder.Open(0, 0, Seconds(1).GetPicoSeconds());
    scenario.scheduler->TraceConnectWithoutContext(
        "FlowStarted",
        Callback<void, uint32_t, const OdcnFlow&>([&](auto...) { recorder.AddFlow(0); }));
    scenario.scheduler->TraceConnectWithoutContext("Decided",
                                                   Callback<void, OdcnOutcome>(
                                                       [&](OdcnOutcome)
                                                       {
                                                           if (problem->GetNJobs() == warmUp)
                                                           {
                                                               problem->ClearScore();
                                                           }
                                                       }));
    Simulator::Run();
    const ScopePackets packets = recorder.Close(scenario.fabric->Count().inFlight).scopes[0];
    Simulator::Destroy();
    return packets;
}

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    Config::SetDefault("ns3::odcn::SchedulerApplication::JobTimeUnit", TimeValue(NanoSeconds(200)));
    Config::SetDefault("ns3::odcn::OcsSwitch::ReconfigurationTime", TimeValue(NanoSeconds(100)));
    Config::SetDefault("ns3::odcn::OcsPacketMonitor::LatencyTime", TimeValue(MicroSeconds(2)));
    uint64_t jobs = 1000, warmUp = 500;
    Experiment experiment;
    experiment.SetLoads("66", "mean duration of a job");
    OdcnCommandLine cmd(argc, argv, "Rules that look at packets beside ODCN-JCB.");
    cmd.AddRange("jobs", "jobs with packets", jobs, uint64_t(1), uint64_t(1000000));
    cmd.AddRange("warmUp", "jobs before, without packets", warmUp, uint64_t(1), uint64_t(1000000));
    cmd.AddValue("jobTime", "ns3::odcn::SchedulerApplication::JobTimeUnit");
    cmd.AddValue("arrivals", "ns3::odcn::JobFlowApplication::Arrivals");
    cmd.AddValue("latencyTime", "ns3::odcn::OcsPacketMonitor::LatencyTime");
    experiment.SetReference("odcn-jcb");
    experiment.AddOptions(cmd);
    cmd.Parse();
    OdcnHelper helper;
    helper.SetJobAttribute("MaxJobs", UintegerValue(warmUp + jobs));
    helper.SetSchedulerAttribute("Continuous", BooleanValue(true));
    helper.SetSchedulerAttribute("IntraRackFlows", BooleanValue(false));
    helper.SetSchedulerAttribute("WindowAfter", UintegerValue(warmUp));
    ScopePackets packets;
    experiment.SetProblem([&](double load) { return helper.CreateProblem(load); });
    experiment.SetRunner([&](const auto& trial) { packets = RunPackets(helper, warmUp, trial); });
    using F = FigureOfMerit;
    experiment.AddFigures(
        {{"packet_ns", "latency\n(packets)", "ns", 1, F::Kind::MEAN, true, F::Compare::CHANGE},
         {"packet_p99_ns", "p99\n(packets)", "ns", 1, F::Kind::MEAN, true, F::Compare::CHANGE},
         {"packet_loss", "loss\n(packets)", "%", 100, F::Kind::MEAN, true, F::Compare::DIFFERENCE},
         {.name = "packets", .title = "packets", .unit = "million", .scale = 1e-6}},
        [&](const auto&) -> std::vector<FigureValue>
        {
            const auto sent = double(packets.all.sent), any = double(packets.all.received > 0);
            return {{any > 0 ? packets.latency.GetMeanNs() : 0, any},
                    {any > 0 ? packets.latency.GetQuantileNs(0.99) : 0, any},
                    {double(packets.all.dropped.Total()) / std::max(1.0, sent), any},
                    {sent}};
        });
    experiment.AddPolicy("odcn-jcb");
    const auto add = [&](const std::string& name, LeastRack::Measure least)
    { experiment.AddPolicy(name, CreateObject<LeastRack>(least)); };
    add("queue",
        [](const auto& jobs, RackId rack)
        {
            const OcsPacketMonitor& packets = *jobs.GetMonitor();
            return double(packets.GetQueueFrom(rack).bytes + packets.GetQueueTo(rack).bytes);
        });
    add("latency",
        [](const auto& jobs, RackId rack)
        {
            const OcsPacketMonitor& packets = *jobs.GetMonitor();
            return packets.GetLatencyFrom(rack).meanNs + packets.GetLatencyTo(rack).meanNs;
        });
    // The control: the bandwidth that no demand was granted.
    add("free",
        [](const auto& jobs, RackId rack) { return -double(jobs.GetViews().GetBandwidth(rack)); });
    experiment.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
