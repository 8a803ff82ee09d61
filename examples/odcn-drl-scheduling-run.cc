// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-run.h"

#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-alibaba-jobs.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Streams of a replication: jobs and policies from 0, packets from here.
constexpr int64_t PACKET_STREAMS = 1000;

/// @param options of the command line  @param [out] helper learns when windows are due
void
SetWindows(const Options& options, OdcnHelper& helper)
{
    const uint64_t jobs = options.warmUp + options.jobs;
    helper.SetSchedulerAttribute("MaxJobs", UintegerValue(jobs));
    helper.SetSchedulerAttribute("WindowAfter", UintegerValue(options.warmUp + 1));
    helper.SetSchedulerAttribute(
        "WindowSpacing",
        UintegerValue(std::max<uint64_t>(1, options.jobs / std::max(1U, options.windows))));
    helper.SetSchedulerAttribute("WindowWarmUp", StringValue(options.windowWarmUp));
    helper.SetSchedulerAttribute("WindowLength", StringValue(options.windowLength));
}

/// Network evaluations of each agent at job level, by the scheme's name.
std::map<std::string, AgentPolicy::ForwardPasses> g_passes;

} // namespace

std::string
DescribePasses()
{
    std::ostringstream text;
    for (const auto& [name, passes] : g_passes)
    {
        text << name << ": " << passes.torch + passes.fast << " decisions by a network, "
             << passes.torch << " of them evaluated by LibTorch, " << passes.fast
             << " by the fast path for dense layers.\n";
    }
    return text.str();
}

OdcnHelper
MakeHelper(const Options& options)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(options.tors));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(options.ports));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(options.servers));
    helper.SetComputeAttribute("Placement", StringValue(options.placement));
    return helper;
}

Ptr<OdcnJobSource>
MakeJobs(const Options& options)
{
    Ptr<OdcnJobSource> jobs;
    if (options.jobFile.empty())
    {
        jobs = MakeGenerator(options);
    }
    else if (options.format == "odcn")
    {
        auto file = CreateObject<OdcnJobFile>();
        file->SetFileName(options.jobFile);
        jobs = file;
    }
    else
    {
        auto trace = CreateObject<OdcnAlibabaJobs>();
        trace->SetFileName(options.jobFile);
        jobs = trace;
    }
    jobs->AssignStreams(0);
    return jobs;
}

Ptr<OdcnDecisionPolicy>
MakePolicy(const OdcnScheme& scheme, const Options& options)
{
    std::string words = scheme.policy;
    OdcnSetCheckpoint(words, options.checkpoint);
    auto text = OdcnObjectText::Parse("policy", words);
    if (text.type == "ns3::odcn::LinearPolicy")
    {
        text.attributes.emplace("File", options.linear);
        words = text.Write();
    }
    auto policy = OdcnDecisionPolicy::Create(words);
    policy->AssignStreams(100);
    return policy;
}

Ptr<OdcnScheduling>
MakeProblem(const OdcnScheme& scheme,
            const Options& options,
            const OdcnHelper& helper,
            OdcnDecisionPolicy& policy)
{
    auto problem = helper.CreateProblem(MakeJobs(options), scheme.reconfigurable);
    policy.Configure(*problem);
    return problem;
}

OdcnKaufmanRoberts
MakeBound(const Options& options)
{
    // The generator's default VMs: 4 or 16 cores, three of the four types have 16.
    const auto sizes = OdcnKaufmanRoberts::GetJobSizes(10, 21, {{4, 1, 0}, {16, 3, 0}});
    const int64_t capacity = int64_t{options.tors} * options.servers * 32;
    return {capacity, sizes, options.load};
}

void
RunReplication(const OdcnScheme& scheme,
               const Options& options,
               const OdcnHelper& helper,
               OdcnEvaluation& evaluation,
               const std::function<void(OdcnScheduling&)>& begun,
               const std::function<void(uint64_t)>& progress)
{
    auto policy = MakePolicy(scheme, options);
    auto problem = MakeProblem(scheme, options, helper, *policy);
    begun(*problem);
    OdcnEvaluation::Options run;
    run.warmUpJobs = options.warmUp;
    run.jobs = options.jobs;
    run.batches = options.batches;
    evaluation.Run(problem, *policy, run, progress);
    if (const auto agent = DynamicCast<AgentPolicy>(policy))
    {
        auto& passes = g_passes[scheme.name];
        passes.torch += agent->GetForwardPasses().torch;
        passes.fast += agent->GetForwardPasses().fast;
    }
}

void
RunWindows(const OdcnScheme& scheme,
           const Options& options,
           OdcnHelper& helper,
           OdcnWindowRecorder& recorder,
           const std::string& name,
           const std::function<void(OdcnScenario&)>& begun,
           const std::function<void()>& ended)
{
    SetWindows(options, helper);
    auto policy = MakePolicy(scheme, options);
    auto problem = MakeProblem(scheme, options, helper, *policy);
    OdcnScenario scenario = helper.Install(problem, policy);
    OdcnHelper::AssignStreams(scenario, PACKET_STREAMS);
    recorder.Record(name, scenario.scheduler, scenario.fabric, scenario.flows);
    scenario.scheduler->TraceConnectWithoutContext("Finished",
                                                   Callback<void>([]() { Simulator::Stop(); }));
    begun(scenario);
    Simulator::Run();
    ended();
    recorder.Stop();
    Simulator::Destroy();
}

void
RunExactWindows(const OdcnScheme& scheme,
                const Options& options,
                OdcnHelper& helper,
                OdcnWindowRecorder& recorder,
                const std::string& name,
                const std::function<void(uint64_t)>& progress)
{
    SetWindows(options, helper);
    auto policy = MakePolicy(scheme, options);
    auto problem = MakeProblem(scheme, options, helper, *policy);
    auto engine = helper.CreateWindowEngine(problem, policy);
    engine->AssignStreams(PACKET_STREAMS);
    engine->Run(recorder, name, progress);
    recorder.Stop();
}
