// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Rules that look at packets, beside ODCN-JCB: jobs and packets share one time, and the packets of
 * the jobs that run decide who is better.
 *
 *     ./ns3 run queue-rule
 *     ./ns3 run "queue-rule --arrivals=OnOff --load=14 --replications=10"
 */

#include "ns3/config.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-packet-recorder.h"

using namespace ns3;
using namespace ns3::odcn;

/// ODCN-JCB, but a rack that the job does not use yet is the one with the least of something.
struct LeastRack : DecisionPolicy
{
    /// What is to be small, of a rack.
    using Measure = double (*)(const OcsPacketMonitor& packets, RackId rack);

    /// @param least what is to be small
    explicit LeastRack(Measure least)
        : measure(least)
    {
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const auto& jobs = dynamic_cast<const OdcnScheduling&>(problem);
        const OdcnRackViews& views = jobs.GetViews();
        RackId best = jcb->Decide(problem);
        if (!jobs.GetMonitor() || best == jobs.GetLastRack() || views.GetBandwidth(best) < 0)
        {
            return best; // no packets yet, the rack of the VM before, or a reconfiguration
        }
        const auto get = [&](RackId rack) { return measure(*jobs.GetMonitor(), rack); };
        for (RackId rack = 0; rack < jobs.GetNActions(); ++rack)
        {
            const bool fits = views.GetCompute(rack) >= 0 && views.GetBandwidth(rack) >= 0;
            best = fits && get(rack) < get(best) ? rack : best;
        }
        return best;
    }

    Measure measure; //!< what is to be small
    Ptr<DecisionPolicy> jcb{DecisionPolicy::Create("ns3::odcn::OdcnJcbPolicy")}; //!< decides else
};

/// Run the jobs of a trial with their packets. @param helper builds the data centre
/// @param warmUp jobs before the first packet  @param trial the trial  @return packets between
/// racks
static ScopePackets
RunPackets(OdcnHelper& helper, uint64_t warmUp, const Experiment::Trial& trial)
{
    Ptr<OdcnScheduling> problem(&dynamic_cast<OdcnScheduling&>(trial.problem));
    const OdcnScenario scenario = helper.Install(problem, &trial.policy);
    OdcnHelper::AssignStreams(scenario, 1000);
    PacketRecorder recorder;
    recorder.Connect(scenario.flows);
    recorder.Connect(scenario.fabric);
    recorder.Open(0, 0, 1'000'000'000'000);
    scenario.scheduler->TraceConnectWithoutContext(
        "FlowStarted",
        Callback<void, uint32_t, const OdcnFlow&>([&](uint32_t, const OdcnFlow&)
                                                  { recorder.AddFlow(0); }));
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
    Config::SetDefault("ns3::odcn::SchedulerApplication::JobTimeUnit", TimeValue(MicroSeconds(1)));
    uint64_t jobs = 200;
    uint64_t warmUp = 100;
    uint32_t racks = 8;
    uint32_t servers = 8;
    OdcnHelper helper;
    Experiment experiment;
    experiment.SetLoads("12", "mean duration of a job");
    experiment.SetReference("odcn-jcb");
    OdcnCommandLine cmd(argc, argv, "Rules that look at packets, beside ODCN-JCB.");
    cmd.AddRange("jobs", "jobs while packets are sent", jobs, uint64_t(1), uint64_t(1000000));
    cmd.AddRange("warmUp", "jobs before", warmUp, uint64_t(1), uint64_t(1000000));
    cmd.AddRange("racks", "number of racks", racks, 2U, 64U);
    cmd.AddRange("servers", "servers of a rack", servers, 1U, 64U);
    cmd.AddValue("jobTime", "ns3::odcn::SchedulerApplication::JobTimeUnit");
    cmd.AddValue("arrivals", "ns3::odcn::JobFlowApplication::Arrivals");
    cmd.AddValue("latencyTime", "ns3::odcn::OcsPacketMonitor::LatencyTime");
    experiment.AddOptions(cmd);
    cmd.Parse();
    helper.SetNetworkAttribute("Racks", UintegerValue(racks));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(servers));
    helper.SetJobAttribute("MaxJobs", UintegerValue(warmUp + jobs));
    helper.SetSchedulerAttribute("Continuous", BooleanValue(true));
    helper.SetSchedulerAttribute("WindowAfter", UintegerValue(warmUp));
    helper.SetSchedulerAttribute("IntraRackFlows", BooleanValue(false));
    ScopePackets packets;
    experiment.SetProblem([&](double load) { return helper.CreateProblem(load); });
    experiment.SetRunner([&](const Experiment::Trial& trial)
                         { packets = RunPackets(helper, warmUp, trial); });
    using F = FigureOfMerit;
    experiment.AddFigures(
        {{.name = "packet_ns", .title = "latency", .unit = "ns", .compare = F::Compare::CHANGE},
         {.name = "packet_p99_ns", .title = "p99", .unit = "ns", .percentile = true},
         {.name = "packet_loss", .title = "loss", .unit = "%", .scale = 100},
         {.name = "packets", .title = "packets", .unit = "1000", .scale = 1e-3}},
        [&](const Experiment::Trial&) -> std::vector<FigureValue>
        {
            const PacketCounts& counts = packets.all;
            return {{packets.latency.GetMeanNs()},
                    {packets.latency.GetQuantileNs(0.99)},
                    {double(counts.dropped.Total()) / double(counts.sent)},
                    {double(counts.sent)}};
        });
    experiment.AddPolicy("odcn-jcb");
    experiment.AddPolicy(
        "short-queue",
        CreateObject<LeastRack>(
            [](const OcsPacketMonitor& packets, RackId rack)
            { return double(packets.GetQueueFrom(rack).bytes + packets.GetQueueTo(rack).bytes); }));
    experiment.AddPolicy(
        "low-latency",
        CreateObject<LeastRack>(
            [](const OcsPacketMonitor& packets, RackId rack)
            { return packets.GetLatencyFrom(rack).meanNs + packets.GetLatencyTo(rack).meanNs; }));
    experiment.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
