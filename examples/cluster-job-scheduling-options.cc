// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-scheduling-options.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Slots of an episode of all-done that never end one.
constexpr uint64_t NO_END = uint64_t{1} << 60;

/// Agents that may lie in data/.
const std::vector<std::string> SHIPPED{"deeprm", "deeprm-plus", "a2cscheduler"};

/// @param agent one of SHIPPED  @return its file
std::string
GetFile(const std::string& agent)
{
    return ODCN_DATA_DIR "/cluster-" + agent + ".pt";
}

/**
 * @param list numbers separated by commas  @param option it is  @param most greatest one
 * @return the numbers, all above 0, with their text
 */
std::vector<std::pair<std::string, double>>
ParseNumbers(const std::string& list, const std::string& option, double most)
{
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& text : OdcnCommandLine::SplitList(list, option))
    {
        const auto number = ParseFinite(text);
        OdcnCommandLine::Check(number && *number > 0 && *number <= most,
                               option,
                               text,
                               "numbers above 0 separated by commas, " +
                                   std::to_string(static_cast<int>(most)) + " at most");
        numbers.emplace_back(text, *number);
    }
    return numbers;
}

} // namespace

void
Options::Parse(int argc, char* argv[])
{
    OdcnCommandLine cmd(argc, argv, "Jobs that wait for a cluster, scheduled by rules and agents.");
    cmd.AddValue("machines", "equal machines", machines);
    cmd.AddValue("capacity", "units of CPU and of memory of a machine", capacity);
    cmd.AddValue("horizon", "time slots in sight; a job has one less at most", horizon);
    cmd.AddValue("jobSlots", "waiting jobs that can be chosen", jobSlots);
    cmd.AddValue("backlog", "waiting jobs behind them at most", backlog);
    cmd.AddValue("reward", "R1 (weighted turnaround time) or R2 (cycling time)", reward);
    cmd.AddValue("protocols", "when episodes end: all-done, no-new-job, or both", protocols);
    cmd.AddValue("maxSlots",
                 "time slots after which all-done ends anyway; 0 means 200, and with a trace none",
                 maxSlots);
    cmd.AddValue("arrivals", "Bernoulli (one job a slot at most) or Poisson", arrivals);
    cmd.AddValue("rates", "jobs a time slot, separated by commas", rates);
    cmd.AddValue("loads", "loads in percent, separated by commas, in place of rates", loads);
    cmd.AddValue("setSlots", "time slots with arrivals", setSlots);
    cmd.AddValue("sets", "sets of jobs; 0 means 100, and with a trace all of it", sets);
    cmd.AddValue("jobs", "trace to take jobs from", jobs);
    cmd.AddValue("format", "of the trace: swf, alibaba-2018, cerit or csv", format);
    cmd.AddValue("timeUnit", "trace: seconds of a time slot", timeUnit);
    cmd.AddValue("cpuUnit", "trace: processors of a unit", cpuUnit);
    cmd.AddValue("memoryUnit", "trace: GiB of a unit; of Alibaba percent of a machine", memoryUnit);
    cmd.AddValue("arrivalFactor", "trace: what times of arrival are multiplied by", arrivalFactor);
    cmd.AddValue("jobsPerSet", "trace: jobs of a set; 0 means all", jobsPerSet);
    cmd.AddValue("skipMalformed", "trace: count malformed rows, do not refuse", skipMalformed);
    cmd.AddValue(
        "policies",
        "comma-separated names or TypeIds, with Attributes in brackets if any, and a title before "
        "if any, as in best=tetris[Knob=0.001] (default: random,fcfs,hrrn,packer,tetris,sjf,easy, "
        "and agent with a checkpoint, else those of data/ where they fit the cluster)",
        policies);
    cmd.AddValue("checkpoint",
                 "file of the policy agent, or to be written by a training",
                 checkpoint);
    cmd.AddValue("sweep", "look for the best knob of Tetris on other sets, and compare it", sweep);
    cmd.AddValue("gantt", "time slots of the pictures; 0 for none", gantt);
    cmd.AddValue("perJob", "whether to write every job", perJob);
    cmd.AddValue("output", "folder of the results", output);
    cmd.AddValue("train", "train an agent on the first workload in place of comparing", train);
    cmd.AddValue(
        "agent",
        "training: deeprm, deeprm-plus or a2cscheduler, whose learner, network and numbers "
        "are taken where none are given",
        agent);
    cmd.AddValue("trainDecisions", "training: decisions in all", trainDecisions);
    cmd.AddValue("generations",
                 "training by evolution: generations in all, in place of decisions",
                 generations);
    cmd.AddValue("trainEnvironments", "training: clusters side by side", trainEnvironments);
    cmd.AddValue("cloneDecisions",
                 "training: decisions of the teacher to imitate first",
                 cloneDecisions);
    cmd.AddValue("teacher", "training: whom to imitate", teacher);
    cmd.AddValue("learningRate", "training: step size at the start", learningRate);
    cmd.AddValue("learner", "training: name of a learner, Attributes in brackets", learner);
    cmd.AddValue("network", "training: name of a network, options in brackets", network);
    cmd.AddValue("start",
                 "training: checkpoint of a network to begin with, in place of cloning",
                 start);
    cmd.AddValue("resume", "training: go on where the checkpoint's run was interrupted", resume);
    cmd.Parse();
    command = cmd.GetCommand();

    OdcnCommandLine::Check(machines >= 1 && machines <= 100000,
                           "machines",
                           machines,
                           "1 to 100000");
    OdcnCommandLine::Check(capacity >= 1 && capacity <= CLUSTER_UNITS,
                           "capacity",
                           capacity,
                           "1 to 32767");
    OdcnCommandLine::Check(horizon >= 2 && horizon <= 1000000, "horizon", horizon, "2 to 1000000");
    OdcnCommandLine::Check(jobSlots >= 1 && jobSlots <= 100000,
                           "jobSlots",
                           jobSlots,
                           "1 to 100000");
    OdcnCommandLine::CheckWord("reward", reward, {"R1", "R2"});
    for (const auto& protocol : OdcnCommandLine::SplitList(protocols, "protocols"))
    {
        OdcnCommandLine::Check(protocol == "all-done" || protocol == "no-new-job",
                               "protocols",
                               protocol,
                               "all-done, no-new-job or both");
    }
    OdcnCommandLine::CheckWord("arrivals", arrivals, {"Bernoulli", "Poisson"});
    OdcnCommandLine::Check(setSlots >= 1 && setSlots <= 100000000,
                           "setSlots",
                           setSlots,
                           "1 to 100000000");
    for (const auto& [option, value] : {std::pair{"timeUnit", timeUnit},
                                        std::pair{"cpuUnit", cpuUnit},
                                        std::pair{"memoryUnit", memoryUnit},
                                        std::pair{"arrivalFactor", arrivalFactor}})
    {
        OdcnCommandLine::Check(value >= 1e-6 && value <= 1e9, option, value, "0.000001 to 10^9");
    }
    OdcnCommandLine::CheckWord("agent", agent, {"deeprm", "deeprm-plus", "a2cscheduler"});
    OdcnCommandLine::Check(learningRate >= 0 && learningRate <= 1,
                           "learningRate",
                           learningRate,
                           "0 to 1");
    OdcnCommandLine::Check(!train || !checkpoint.empty(),
                           "checkpoint",
                           checkpoint,
                           "a file to write the agent to");
    OdcnCommandLine::Check(start.empty() || network.empty(),
                           "network",
                           network,
                           "that of the checkpoint of --start");
    OdcnCommandLine::Check(gantt <= 10000, "gantt", gantt, "10000 at most");
    for (const auto& policy : train ? std::vector{Scheduler{teacher, teacher}} : GetPolicies())
    {
        CreatePolicy(policy.words);
    }
    if (!jobs.empty())
    {
        m_trace = MakeTrace(arrivalFactor)->Examine();
    }
    for (const auto& workload : GetWorkloads())
    {
        MakeJobs(workload)->NextSet();
    }
}

std::vector<Workload>
Options::GetWorkloads() const
{
    std::vector<Workload> workloads;
    if (!loads.empty())
    {
        for (const auto& [text, percent] : ParseNumbers(loads, "loads", 10000))
        {
            workloads.push_back({"load " + text + " %", 0, percent / 100});
        }
    }
    else if (!jobs.empty())
    {
        workloads.push_back({std::filesystem::path(jobs).filename().string()});
    }
    else
    {
        for (const auto& [text, rate] : ParseNumbers(rates, "rates", 1000))
        {
            workloads.push_back({"rate " + text, rate, 0});
        }
    }
    return workloads;
}

std::vector<Scheduler>
Options::GetPolicies() const
{
    std::string list = policies;
    if (list.empty())
    {
        list = "random,fcfs,hrrn,packer,tetris,sjf,easy";
        if (!checkpoint.empty())
        {
            list += ",agent";
        }
        for (const auto& agent : SHIPPED)
        {
            if (checkpoint.empty() && HasAgents() && std::filesystem::exists(GetFile(agent)))
            {
                list += "," + agent;
            }
        }
    }
    std::vector<Scheduler> schedulers;
    for (const auto& item : OdcnCommandLine::SplitList(list, "policies"))
    {
        const auto equals = item.find('=');
        const bool titled = equals < item.find('[');
        const auto name = titled ? item.substr(0, equals) : item;
        OdcnCommandLine::Check(!name.empty() &&
                                   std::none_of(schedulers.begin(),
                                                schedulers.end(),
                                                [&](const auto& s) { return s.name == name; }),
                               "policies",
                               item,
                               "each title once, and not empty");
        schedulers.push_back({name, titled ? item.substr(equals + 1) : item});
    }
    return schedulers;
}

Ptr<OdcnDecisionPolicy>
Options::CreatePolicy(const std::string& words) const
{
    const auto bracket = std::min(words.find('['), words.size());
    const auto type = words.substr(0, bracket);
    const bool shipped = std::find(SHIPPED.begin(), SHIPPED.end(), type) != SHIPPED.end();
    auto policy = shipped ? ODCN_AGENT_POLICY + words.substr(bracket)
                          : OdcnFindScheme(ClusterHelper::GetKnownPolicies(), words).policy;
    OdcnSetCheckpoint(policy, shipped ? GetFile(type) : checkpoint);
    return OdcnDecisionPolicy::Create(policy);
}

bool
Options::HasAgents() const
{
#if ODCN_HAVE_TRAINING
    const Options usual;
    return machines == usual.machines && capacity == usual.capacity && horizon == usual.horizon &&
           jobSlots == usual.jobSlots && backlog == usual.backlog;
#else
    return false;
#endif
}

ClusterHelper
Options::MakeHelper() const
{
    ClusterHelper helper;
    const auto set = [&](const char* name, uint64_t value)
    { helper.SetProblemAttribute(name, UintegerValue(value)); };
    set("Machines", machines);
    set("Capacity", capacity);
    set("Horizon", horizon);
    set("JobSlots", jobSlots);
    set("Backlog", backlog);
    set("MaxSlots", maxSlots ? maxSlots : jobs.empty() ? 200 : NO_END);
    helper.SetProblemAttribute("Reward", StringValue(reward));
    helper.SetJobAttribute("Arrivals", StringValue(arrivals));
    helper.SetJobAttribute("Slots", UintegerValue(setSlots));
    return helper;
}

Ptr<ClusterTrace>
Options::MakeTrace(double factor) const
{
    auto trace = CreateObject<ClusterTrace>();
    trace->SetAttribute("FileName", StringValue(jobs));
    trace->SetAttribute("Format", StringValue(format));
    trace->SetAttribute("TimeUnit", DoubleValue(timeUnit));
    trace->SetAttribute("CpuUnit", DoubleValue(cpuUnit));
    trace->SetAttribute("MemoryUnit", DoubleValue(memoryUnit));
    trace->SetAttribute("ArrivalFactor", DoubleValue(factor));
    trace->SetAttribute("MaxDuration", UintegerValue(horizon - 1));
    trace->SetAttribute("MaxUnits", UintegerValue(capacity));
    trace->SetAttribute("JobsPerSet", UintegerValue(jobsPerSet));
    trace->SetAttribute("SkipMalformed", BooleanValue(skipMalformed));
    return trace;
}

Ptr<ClusterJobSource>
Options::MakeJobs(const Workload& workload) const
{
    ClusterHelper helper = MakeHelper();
    if (!jobs.empty())
    {
        const double units = helper.GetUnits();
        return MakeTrace(workload.load > 0
                             ? arrivalFactor * m_trace.GetMeanUnits() / (workload.load * units)
                             : arrivalFactor);
    }
    if (workload.rate > 0)
    {
        helper.SetJobAttribute("Rate", DoubleValue(workload.rate));
    }
    return helper.CreateJobs(workload.load);
}

uint32_t
Options::GetNSets() const
{
    if (sets > 0)
    {
        return sets;
    }
    if (jobs.empty())
    {
        return 100;
    }
    return jobsPerSet ? static_cast<uint32_t>((m_trace.jobs + jobsPerSet - 1) / jobsPerSet) : 1;
}
