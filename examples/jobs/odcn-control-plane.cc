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
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options that no Attribute has, with their defaults.
struct Options
{
    std::string delays{"0us,100us,10ms"};          //!< one-way delays of the management link
    std::string reconfigurations{"10us,1ms,25ms"}; //!< dark times of moved circuits
    std::string policy{"odcn-packing"};            //!< policy that decides
    uint64_t jobs{3000};                           //!< number of jobs to decide
    uint64_t windows{2};                           //!< number of windows after reconfigurations
    FaultHelper faults;                            //!< of the fabric and of control
};

/// Mean latency.
struct Mean
{
    Time sum;          //!< sum of latencies
    uint64_t count{0}; //!< number of latencies

    /// Add a latency.
    /// @param latency the latency
    void Add(Time latency)
    {
        sum += latency;
        ++count;
    }

    /// @return the mean in microseconds
    double GetUs() const
    {
        return count > 0 ? sum.GetSeconds() * 1e6 / static_cast<double>(count) : 0;
    }
};

/// Results of a run.
struct Result
{
    std::string delay;   //!< of the link, as typed
    std::string dark;    //!< dark time, as typed
    OdcnCounters jobs;   //!< of the jobs
    Time decision;       //!< time per decision
    Mean requests;       //!< latency of requests
    Mean commands;       //!< latency of commands
    uint64_t windows{0}; //!< number of windows
    Mean packets;        //!< latency of packets between racks
    uint64_t late{0};    //!< those later than 10 us
    PacketCounts counts; //!< counters of all packets in the fabric
};

/// @param part a count
/// @param whole total count
/// @return percentage as text
std::string
Percent(uint64_t part, uint64_t whole)
{
    return whole > 0
               ? FormatFixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3)
               : "-";
}

/// A column of the table.
struct Column
{
    const char* title;                                //!< its title
    std::function<std::string(const Result& r)> text; //!< its cell of a run
};

const std::vector<Column> COLUMNS{
    {"delay", [](const auto& r) { return r.delay; }},
    {"dark", [](const auto& r) { return r.dark; }},
    {"decided\nafter us",
     [](const auto& r)
     { return FormatFixed(r.requests.GetUs() + r.decision.GetSeconds() * 1e6, 2); }},
    {"command\nafter us", [](const auto& r) { return FormatFixed(r.commands.GetUs(), 2); }},
    {"blocked\n%", [](const auto& r) { return FormatFixed(100 * r.jobs.BlockingRatio(), 2); }},
    {"reconfig-\nurations",
     [](const auto& r) { return std::to_string(r.jobs.Reconfigurations()); }},
    {"windows", [](const auto& r) { return std::to_string(r.windows); }},
    {"packets", [](const auto& r) { return std::to_string(r.counts.sent); }},
    {"lost %", [](const auto& r) { return Percent(r.counts.dropped.Total(), r.counts.sent); }},
    {"in dark or\nno circuit %",
     [](const auto& r)
     {
         const auto& lost = r.counts.dropped;
         return Percent(lost[OcsDropCause::DARK] + lost[OcsDropCause::NO_CIRCUIT] +
                            lost[OcsDropCause::CUT],
                        r.counts.sent);
     }},
    {"queue\nfull %",
     [](const auto& r)
     { return Percent(r.counts.dropped[OcsDropCause::QUEUE_OVERFLOW], r.counts.sent); }},
    {"mean\nlatency us", [](const auto& r) { return FormatFixed(r.packets.GetUs(), 3); }},
    {"above\n10 us %", [](const auto& r) { return Percent(r.late, r.packets.count); }},
    {"jobs\ninterrupted", [](const auto& r) { return std::to_string(r.jobs.interrupted); }},
};

/// @param options options
/// @param delay delay of the link
/// @param dark reconfiguration time
/// @return helper of a small data centre
OdcnHelper
MakeHelper(const Options& options, Time delay, Time dark)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(4));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(6));
    helper.SetNetworkAttribute("OcsCount", UintegerValue(2));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
    helper.GetOptics().SetSwitchAttribute("ReconfigurationTime", TimeValue(dark));
    helper.SetFlowAttribute("PacketSize", UintegerValue(1500));
    helper.SetSchedulerAttribute("MaxJobs", UintegerValue(options.jobs));
    helper.SetSchedulerAttribute("WindowSpacing", UintegerValue(0));
    helper.SetSchedulerAttribute("MaxWindows", UintegerValue(options.windows));
    helper.SetSchedulerAttribute("WindowWarmUp", TimeValue(Time(0)));
    helper.SetSchedulerAttribute("WindowLength", TimeValue(delay + dark + MicroSeconds(100)));
    helper.SetSchedulerAttribute("IncludeDark", BooleanValue(true));
    helper.SetSchedulerAttribute("IntraRackFlows", BooleanValue(false));
    return helper;
}

/// @return jobs of the data centre
Ptr<OdcnJobGenerator>
MakeJobs()
{
    auto jobs = CreateObject<OdcnJobGenerator>();
    jobs->SetAttribute("VmCount", StringValue("ns3::UniformRandomVariable[Min=3|Max=6]"));
    jobs->SetAttribute("Duration", StringValue("ns3::ExponentialRandomVariable[Mean=6]"));
    jobs->SetAttribute("DemandGbps", StringValue("ns3::UniformRandomVariable[Min=16|Max=36]"));
    jobs->AssignStreams(0);
    return jobs;
}

/// @param options options
/// @param delay delay of the link; 0 for an ideal network
/// @param dark reconfiguration time
/// @return the results
Result
Run(const Options& options, const std::string& delay, const std::string& dark)
{
    const Time oneWay = OdcnCommandLine::ParseTime(delay, "delays", 1);
    OdcnHelper helper =
        MakeHelper(options, oneWay, OdcnCommandLine::ParseTime(dark, "reconfigurations", 1));
    auto problem = helper.CreateProblem(MakeJobs());
    const auto choice = PolicyRegistry::Find(*problem, options.policy);
    const auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    // Also of a policy that draws: a row does not depend on those before it.
    policy->AssignStreams(500);
    problem->Reset();
    policy->Reset();
    const auto scenario = helper.Install(problem, policy);
    const auto& scheduler = scenario.scheduler;
    const auto unit = GetAttributeOf<TimeValue>(*scheduler, "JobTimeUnit");
    OdcnCommandLine::Check(unit.IsStrictlyPositive(), "jobUnit", "0s", "above 0");
    OdcnHelper::AssignStreams(scenario, 1000);

    auto management = CreateObject<ManagementNetwork>();
    management->SetAttribute("Delay", TimeValue(oneWay));
    if (oneWay.IsZero())
    {
        management->SetAttribute("DataRate", StringValue("0bps")); // ideal
    }
    ManagementHelper().Install(management, scenario.controller);
    scheduler->SetManagement(management);
    const auto injector = options.faults.Start(scenario.fabric, scheduler, 2000);

    Result result;
    result.delay = delay;
    result.dark = dark;
    management->TraceConnectWithoutContext(
        "Delivered",
        Callback<void, ManagementNetwork::Kind, Time>(
            [&](ManagementNetwork::Kind kind, Time latency)
            {
                if (kind == ManagementNetwork::COMMAND || kind == ManagementNetwork::REQUEST)
                {
                    (kind == ManagementNetwork::COMMAND ? result.commands : result.requests)
                        .Add(latency);
                }
            }));
    problem->GetManager()->TraceConnectWithoutContext(
        "CircuitsChanged",
        Callback<void, const std::vector<OdcnCircuitChange>&>([&](const auto&)
                                                              { scheduler->RequestWindow(); }));
    scheduler->TraceConnectWithoutContext(
        "WindowClosed",
        Callback<void, const OdcnWindow&>([&](const auto&) { ++result.windows; }));
    const auto received = [&](const FlowHeader&, Time latency)
    {
        result.packets.Add(latency);
        result.late += latency > MicroSeconds(10);
    };
    for (const auto& flow : scenario.flows)
    {
        flow->TraceConnectWithoutContext("Rx", Callback<void, const FlowHeader&, Time>(received));
    }
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    Simulator::Run();
    result.jobs = problem->GetManager()->GetCounters();
    result.decision = GetAttributeOf<TimeValue>(*scheduler, "DecisionTime");
    result.counts = scenario.fabric->Count();
    Simulator::Destroy();
    return result;
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    Config::SetDefault("ns3::odcn::ManagementNetwork::DataRate", StringValue("10Gbps"));
    Config::SetDefault("ns3::odcn::SchedulerApplication::JobTimeUnit", StringValue("100ms"));
    Options options;
    OdcnCommandLine cmd(argc, argv, "What a control plane with delays costs jobs and packets.");
    cmd.AddValue("delays", "one-way delays of the management link; 0us: ideal", options.delays);
    cmd.AddValue("reconfigurations", "dark times of moved circuits", options.reconfigurations);
    cmd.AddValue("dataRate", "ns3::odcn::ManagementNetwork::DataRate");
    cmd.AddValue("decisionTime", "ns3::odcn::SchedulerApplication::DecisionTime");
    cmd.AddValue("jobUnit", "ns3::odcn::SchedulerApplication::JobTimeUnit");
    cmd.AddValue("noCircuit", "ns3::odcn::TorSwitch::NoCircuit");
    cmd.AddValue("policy", "name of a rule or agent", options.policy);
    cmd.AddRange("jobs", "number of jobs to decide", options.jobs, uint64_t{1});
    cmd.AddRange("windows",
                 "windows after the first reconfigurations",
                 options.windows,
                 uint64_t{1});
    options.faults.AddOptions(cmd);
    cmd.Parse();
    options.faults.Check();
    std::vector<std::string> header;
    std::transform(COLUMNS.begin(),
                   COLUMNS.end(),
                   std::back_inserter(header),
                   [](const Column& column) { return column.title; });
    Table table(header);
    for (const auto& delay : OdcnCommandLine::SplitList(options.delays, "delays"))
    {
        for (const auto& dark :
             OdcnCommandLine::SplitList(options.reconfigurations, "reconfigurations"))
        {
            const Result result = Run(options, delay, dark);
            std::vector<std::string> cells;
            for (const Column& column : COLUMNS)
            {
                cells.push_back(column.text(result));
            }
            table.AddRow(cells);
        }
    }
    table.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
