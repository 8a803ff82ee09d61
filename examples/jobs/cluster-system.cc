// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-system.h"

#include "ns3/double.h"
#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Agents that data/ may contain.
const std::vector<std::string> SHIPPED{"deeprm",
                                       "deeprm-plus",
                                       "a2cscheduler",
                                       "deeprm-paper",
                                       "deeprm-plus-paper",
                                       "a2cscheduler-paper"};

/// First stream of random numbers of faults; those of a set follow those of the set before.
constexpr int64_t FAULT_STREAM = 50000;

/// @param agent one of SHIPPED
/// @return its file
std::string
GetFile(const std::string& agent)
{
    return GetDataFile("cluster-" + agent + ".pt");
}

} // namespace

void
ClusterSystem::AddOptions(OdcnCommandLine& cmd)
{
    const std::string problem = "ns3::odcn::ClusterScheduling::";
    const std::string generator = "ns3::odcn::ClusterJobGenerator::";
    const std::string file = "ns3::odcn::ClusterJobFile::";
    cmd.SetGroup("System");
    cmd.AddValue("machines", problem + "Machines");
    cmd.AddValue("capacity", problem + "Capacity");
    cmd.AddValue("horizon", problem + "Horizon");
    cmd.AddValue("jobSlots", problem + "JobSlots");
    cmd.AddValue("backlog", problem + "Backlog");
    cmd.AddValue("reward", problem + "Reward");
    cmd.AddValue("protocols", "when episodes end: all-done, no-new-job, or both", protocols);
    cmd.AddValue("maxSlots", problem + "MaxSlots");
    cmd.AddValue("arrivals", generator + "Arrivals");
    cmd.AddValue("rates", "jobs per time slot, separated by commas", rates);
    cmd.AddValue("loads", "loads in percent, separated by commas, instead of rates", loads);
    cmd.AddValue("setSlots", generator + "Slots");
    cmd.AddValue("checkpoint", "file of the policy agent, or output of a training", checkpoint);
    cmd.SetGroup("Trace", "jobFile");
    cmd.AddValue("jobFile", "trace of jobs", jobFile);
    cmd.Replace({"format", "columns", "timeUnit", "cpuUnit", "memoryUnit", "skipMalformed"},
                "a jobFile that odcn-convert-trace made of the trace");
    cmd.AddValue("arrivalFactor", file + "ArrivalFactor");
    cmd.AddValue("jobsPerSet", file + "JobsPerSet");
    cmd.Restrict({"rates", "arrivals", "setSlots"}, {"!jobFile"});
    cmd.Restrict({"rates"}, {"!loads"});
    faults.AddOptions(cmd);
}

void
ClusterSystem::Check(const OdcnCommandLine& cmd)
{
    maxSlotsGiven = cmd.IsGiven("maxSlots");
    faults.Check();
    for (const auto& protocol : GetProtocols())
    {
        OdcnCommandLine::CheckWord("protocols", protocol, {"all-done", "no-new-job"});
    }
    if (!jobFile.empty())
    {
        trace = MakeTrace(1)->Examine();
    }
    for (const auto& workload : GetWorkloads())
    {
        MakeJobs(workload)->NextSet();
    }
}

Ptr<ClusterJobFile>
ClusterSystem::MakeTrace(double stretch) const
{
    auto made = CreateObject<ClusterJobFile>();
    const auto factor = GetAttributeOf<DoubleValue>(*made, "ArrivalFactor");
    made->SetAttribute("ArrivalFactor", DoubleValue(factor * stretch));
    made->SetAttribute("FileName", StringValue(jobFile));
    return made;
}

double
ClusterSystem::GetStretch(double load) const
{
    return load > 0 ? trace.GetMeanUnits() / (load * ClusterHelper().GetUnits()) : 1;
}

std::vector<Workload>
ClusterSystem::GetWorkloads() const
{
    std::vector<Workload> workloads;
    const auto add = [&](const std::string& list, const char* option, double most)
    {
        for (const auto& text : OdcnCommandLine::SplitList(list, option))
        {
            const auto number = ParseFinite(text);
            OdcnCommandLine::Check(number && *number > 0 && *number <= most,
                                   option,
                                   text,
                                   "numbers above 0 separated by commas, " +
                                       std::to_string(static_cast<int>(most)) + " at most");
            workloads.push_back(loads.empty() ? Workload{"rate " + text, *number, 0}
                                              : Workload{"load " + text + " %", 0, *number / 100});
        }
    };
    if (!loads.empty())
    {
        add(loads, "loads", 10000);
    }
    else if (!jobFile.empty())
    {
        workloads.push_back({std::filesystem::path(jobFile).filename().string()});
    }
    else
    {
        add(rates, "rates", 1000);
    }
    return workloads;
}

Ptr<ClusterJobSource>
ClusterSystem::MakeJobs(const Workload& workload) const
{
    if (!jobFile.empty())
    {
        return MakeTrace(GetStretch(workload.load));
    }
    ClusterHelper helper;
    if (workload.rate > 0)
    {
        helper.SetJobAttribute("Rate", DoubleValue(workload.rate));
    }
    return helper.CreateJobs(workload.load);
}

Ptr<ClusterScheduling>
ClusterSystem::MakeProblem(const Workload& workload, const std::string& protocol) const
{
    ClusterHelper helper;
    helper.SetProblemAttribute("Protocol", StringValue(protocol));
    if (!jobFile.empty() && !maxSlotsGiven)
    {
        // Enough to run all jobs one after the other; an agent may also wait for ever.
        const double most =
            static_cast<double>(trace.slots) * GetStretch(workload.load) + trace.slotsRun;
        helper.SetProblemAttribute("MaxSlots", UintegerValue(static_cast<uint64_t>(most) + 2));
    }
    const auto jobs = MakeJobs(workload);
    auto problem = helper.CreateProblem(jobs);
    if (faults.IsUsed())
    {
        const auto most =
            std::max(jobs->GetSlots(), GetAttributeOf<UintegerValue>(*problem, "MaxSlots"));
        const auto make = [this,
                           parts = problem->GetFaultParts(),
                           until = Seconds(std::min(static_cast<double>(most), 9e6))](int set)
        { return faults.MakeTimeline(parts, until, FAULT_STREAM + set * FaultHelper::STREAMS); };
        make(0); // refuses what is wrong before anything is written
        problem->SetFaults([make, set = 0]() mutable { return make(set++); });
    }
    return problem;
}

std::string
ClusterSystem::GetUsualPolicies() const
{
    std::string list = "random,random-feasible,first-fit,fcfs,hrrn,packer,tetris,"
                       "tetris[Knob=0.001],sjf,easy";
    bool fits = false;
    if (AgentLibrary::IsPresent())
    {
        list += ",untrained";
        const auto problem = CreateObject<ClusterScheduling>();
        fits = problem->GetObservationShape() == std::vector<uint32_t>{1, 20, 224};
    }
    if (!checkpoint.empty())
    {
        return list + ",agent";
    }
    for (const auto& agent : SHIPPED)
    {
        // Without a mask an agent may choose an action that does nothing until the end.
        const bool masked = agent.find("-paper") == std::string::npos;
        if (fits && (masked || jobFile.empty()) && std::filesystem::exists(GetFile(agent)))
        {
            list += "," + agent;
        }
    }
    return list;
}

PolicyChoice
ClusterSystem::Find(const std::string& words) const
{
    auto choice = PolicyRegistry::Find(ClusterScheduling::GetTypeId().GetName(), words);
    const std::string name = words.substr(0, words.find('['));
    const bool shipped = std::find(SHIPPED.begin(), SHIPPED.end(), name) != SHIPPED.end();
    choice.SetFile(shipped ? GetFile(name) : checkpoint);
    return choice;
}
