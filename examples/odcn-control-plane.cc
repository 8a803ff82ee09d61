// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The cost of the control plane: jobs on a small optical data centre of 4 racks, with requests and
 * commands as packets over a management link. Measurement windows open at the decision, so that
 * packets use circuits before, during and after their dark time.
 *
 *     users, devices  <== management link ==>  controller with a rule
 *
 * The same jobs are decided for each delay of the link and each reconfiguration time. A window
 * opens after each of the first jobs that need a reconfiguration, and lasts until 100 us after the
 * circuits are up again.
 *
 *     ./ns3 run odcn-control-plane
 *     ./ns3 run "odcn-control-plane --delays=0us,10ms --reconfigurations=1ms --noCircuit=Detour"
 *     ./ns3 run "odcn-control-plane --mtbf=server=100s --mttr=server=5s"
 */

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options, with their defaults.
struct Options
{
    std::string delays{"0us,100us,10ms"};          //!< one-way delays of the management link
    std::string reconfigurations{"10us,1ms,25ms"}; //!< dark times of moved circuits
    std::string dataRate{"10Gbps"};                //!< rate of the management link
    std::string decisionTime{"0us"};               //!< time per decision
    std::string jobUnit{"100ms"};                  //!< unit of job time; the mean job lasts 6 units
    std::string noCircuit{"Drop"};                 //!< behaviour of a ToR switch without a circuit
    std::string policy{"odcn-packing"};            //!< policy that decides
    uint64_t jobs{3000};                           //!< number of jobs to decide
    uint64_t windows{2};                           //!< number of windows after reconfigurations
    FaultHelper faults;                            //!< of the fabric and of control
};

/// Results of a run.
struct Result
{
    double blocked{0};            //!< share of blocked jobs
    uint64_t interrupted{0};      //!< jobs interrupted by faults
    uint64_t reconfigurations{0}; //!< jobs that needed a reconfiguration
    Time waiting;                 //!< mean time from arrival to decision
    Time command;                 //!< mean latency of a command
    uint64_t windows{0};          //!< number of windows
    uint64_t received{0};         //!< packets received between racks
    uint64_t late{0};             //!< those later than 10 us
    Time latency;                 //!< sum of the latencies of received packets
    OcsFabricCounts counts;       //!< counters of all packets in the fabric
};

/// Mean latency.
struct Mean
{
    Time sum;          //!< sum of latencies
    uint64_t count{0}; //!< number of latencies

    /// @return the mean
    Time Get() const
    {
        return count > 0 ? sum / static_cast<int64_t>(count) : Time(0);
    }
};

/// @param options options  @param delay delay of the link; 0 for an ideal network
/// @param dark reconfiguration time  @return the results
Result
Run(const Options& options, Time delay, Time dark)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(4));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(6));
    helper.SetNetworkAttribute("OcsCount", UintegerValue(2));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
    helper.GetOptics().SetSwitchAttribute("ReconfigurationTime", TimeValue(dark));
    helper.GetOptics().SetTorAttribute("NoCircuit", StringValue(options.noCircuit));
    helper.SetFlowAttribute("PacketSize", UintegerValue(1500));
    helper.SetSchedulerAttribute("JobTimeUnit", StringValue(options.jobUnit));
    helper.SetSchedulerAttribute("MaxJobs", UintegerValue(options.jobs));
    helper.SetSchedulerAttribute("WindowSpacing", UintegerValue(0));
    helper.SetSchedulerAttribute("MaxWindows", UintegerValue(options.windows));
    helper.SetSchedulerAttribute("WindowWarmUp", TimeValue(Time(0)));
    helper.SetSchedulerAttribute("WindowLength", TimeValue(delay + dark + MicroSeconds(100)));
    helper.SetSchedulerAttribute("IncludeDark", BooleanValue(true));
    helper.SetSchedulerAttribute("IntraRackFlows", BooleanValue(false));
    helper.SetSchedulerAttribute(
        "DecisionTime",
        TimeValue(OdcnCommandLine::ParseTime(options.decisionTime, "decisionTime")));
    auto jobs = CreateObject<OdcnJobGenerator>();
    jobs->SetAttribute("VmCount", StringValue("ns3::UniformRandomVariable[Min=3|Max=6]"));
    jobs->SetAttribute("Duration", StringValue("ns3::ExponentialRandomVariable[Mean=6]"));
    jobs->SetAttribute("DemandGbps", StringValue("ns3::UniformRandomVariable[Min=16|Max=36]"));
    jobs->AssignStreams(0);
    auto problem = helper.CreateProblem(jobs);
    const auto choice = PolicyRegistry::Find(*problem, options.policy);
    const auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->Reset();
    const auto scenario = helper.Install(problem, policy);
    OdcnHelper::AssignStreams(scenario, 1000);

    auto management = CreateObject<ManagementNetwork>();
    if (!delay.IsZero())
    {
        management->SetAttribute("DataRate", StringValue(options.dataRate));
        management->SetAttribute("Delay", TimeValue(delay));
    }
    ManagementHelper().Install(management, scenario.controller);
    scenario.scheduler->SetManagement(management);
    auto injector = options.faults.Create();
    injector->SetFabric(scenario.fabric);
    FaultHelper::AddController(injector, scenario.scheduler);
    // A job arrives in each unit of job time on average.
    options.faults.Start(injector,
                         OdcnCommandLine::ParseTime(options.jobUnit, "jobUnit") *
                             static_cast<int64_t>(options.jobs),
                         2000);

    Result result;
    Mean commands;
    Mean requests;
    const auto delivered = [&](ManagementNetwork::Kind kind, Time latency)
    {
        Mean& mean = kind == ManagementNetwork::COMMAND ? commands : requests;
        if (kind == ManagementNetwork::COMMAND || kind == ManagementNetwork::REQUEST)
        {
            mean.sum += latency;
            ++mean.count;
        }
    };
    management->TraceConnectWithoutContext(
        "Delivered",
        Callback<void, ManagementNetwork::Kind, Time>(delivered));
    const auto moved = [&](const std::vector<OdcnCircuitChange>&)
    { scenario.scheduler->RequestWindow(); };
    problem->GetManager()->TraceConnectWithoutContext(
        "CircuitsChanged",
        Callback<void, const std::vector<OdcnCircuitChange>&>(moved));
    const auto closed = [&](const OdcnWindow&) { ++result.windows; };
    scenario.scheduler->TraceConnectWithoutContext("WindowClosed",
                                                   Callback<void, const OdcnWindow&>(closed));
    const auto received = [&](const FlowHeader&, Time latency)
    {
        ++result.received;
        result.late += latency > MicroSeconds(10);
        result.latency += latency;
    };
    for (const auto& flow : scenario.flows)
    {
        flow->TraceConnectWithoutContext("Rx", Callback<void, const FlowHeader&, Time>(received));
    }
    scenario.scheduler->TraceConnectWithoutContext("Finished",
                                                   Callback<void>([]() { Simulator::Stop(); }));
    Simulator::Run();
    result.interrupted = problem->GetManager()->GetCounters().interrupted;
    result.blocked = problem->GetManager()->GetCounters().BlockingRatio();
    result.reconfigurations = problem->GetManager()->GetCounters().Reconfigurations();
    result.waiting =
        requests.Get() + OdcnCommandLine::ParseTime(options.decisionTime, "decisionTime");
    result.command = commands.Get();
    result.counts = scenario.fabric->Count();
    Simulator::Destroy();
    return result;
}

/// @param part a count  @param whole total count  @return percentage as text
std::string
Percent(uint64_t part, uint64_t whole)
{
    return whole > 0
               ? FormatFixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3)
               : "-";
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    OdcnCommandLine cmd(argc, argv, "What a control plane with delays costs jobs and packets.");
    cmd.AddValue("delays", "one-way delays of the management link; 0us: ideal", options.delays);
    cmd.AddValue("reconfigurations", "dark times of moved circuits", options.reconfigurations);
    cmd.AddValue("dataRate", "rate of the management link", options.dataRate);
    cmd.AddValue("decisionTime", "controller's decision time per job", options.decisionTime);
    cmd.AddValue("jobUnit", "unit of job time; the mean job lasts 6 units", options.jobUnit);
    cmd.AddWord("noCircuit",
                "behaviour of a ToR switch without a circuit: Drop, Detour",
                options.noCircuit,
                {"Drop", "Detour"});
    cmd.AddValue("policy", "name of a rule or agent", options.policy);
    cmd.AddRange("jobs", "number of jobs to decide", options.jobs, uint64_t{1});
    cmd.AddRange("windows",
                 "windows after the first reconfigurations",
                 options.windows,
                 uint64_t{1});
    options.faults.AddOptions(cmd);
    cmd.Parse();
    OdcnCommandLine::ParseRate(options.dataRate, "dataRate");
    OdcnCommandLine::Check(
        OdcnCommandLine::ParseTime(options.jobUnit, "jobUnit").IsStrictlyPositive(),
        "jobUnit",
        options.jobUnit,
        "above 0");
    Time::SetResolution(Time::PS);
    options.faults.Check();
    Table table({"delay",
                 "dark",
                 "decided\nafter us",
                 "command\nafter us",
                 "blocked\n%",
                 "reconfig-\nurations",
                 "windows",
                 "packets",
                 "lost %",
                 "in dark or\nno circuit %",
                 "queue\nfull %",
                 "mean\nlatency us",
                 "above\n10 us %",
                 "jobs\ninterrupted"});
    for (const auto& delay : OdcnCommandLine::SplitList(options.delays, "delays"))
    {
        for (const auto& dark :
             OdcnCommandLine::SplitList(options.reconfigurations, "reconfigurations"))
        {
            const auto r = Run(options,
                               OdcnCommandLine::ParseTime(delay, "delays", 1),
                               OdcnCommandLine::ParseTime(dark, "reconfigurations", 1));
            const auto& lost = r.counts.dropped;
            table.AddRow({delay,
                          dark,
                          FormatFixed(r.waiting.GetSeconds() * 1e6, 2),
                          FormatFixed(r.command.GetSeconds() * 1e6, 2),
                          FormatFixed(100 * r.blocked, 2),
                          std::to_string(r.reconfigurations),
                          std::to_string(r.windows),
                          std::to_string(r.counts.sent),
                          Percent(lost.Total(), r.counts.sent),
                          Percent(lost[OcsDropCause::DARK] + lost[OcsDropCause::NO_CIRCUIT] +
                                      lost[OcsDropCause::CUT],
                                  r.counts.sent),
                          Percent(lost[OcsDropCause::QUEUE_OVERFLOW], r.counts.sent),
                          FormatFixed(r.latency.GetSeconds() * 1e6 /
                                          std::max(1.0, static_cast<double>(r.received)),
                                      3),
                          Percent(r.late, r.received),
                          std::to_string(r.interrupted)});
        }
    }
    table.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
