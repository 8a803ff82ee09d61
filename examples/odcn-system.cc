// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-system.h"

#if ODCN_HAVE_TRAINING
#include "ns3/odcn-agent-policy.h"
#endif
#include "ns3/odcn-alibaba-jobs.h"
#include "ns3/odcn-column-jobs.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-text.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First random stream of packets; the streams before it are for jobs and policies.
constexpr int64_t PACKET_STREAMS = 1000;

} // namespace

OdcnSystem::OdcnSystem()
    : linear(GetDataFile("linear-odcn-16-tor.json"))
{
}

void
OdcnSystem::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("System");
    cmd.AddRange("tors", "racks, each with a ToR switch", tors, 1U, 4096U);
    cmd.AddValue("ports", "uplinks per ToR switch; 0 for tors - 1", ports);
    cmd.AddRange("servers", "servers per rack", servers, 1U, 4096U);
    cmd.AddValue("serversPerRack",
                 "servers of each rack in turn where racks differ, e.g. 8*48,8*16",
                 serversPerRack);
    cmd.AddValue("uplinksPerRack",
                 "uplinks of each ToR switch in turn where racks differ, e.g. 8*15,8*7",
                 uplinksPerRack);
    cmd.AddValue("uplinkRatePerRack",
                 "rate of each ToR switch's uplinks where racks differ, e.g. 8*100Gbps,8*40Gbps; "
                 "with --packets=formula",
                 uplinkRatePerRack);
    cmd.Restrict({"uplinkRatePerRack"}, {"packets=formula"}); // packets have one rate of uplinks
    cmd.AddValue("pattern",
                 "communication pattern of a job: ring, bidirectional-ring, tree, star, "
                 "random-p, full-mesh",
                 pattern);
    cmd.AddWord("placement",
                "server within a rack: Balanced, BestFit, FirstFit",
                placement,
                {"Balanced", "BestFit", "FirstFit"});
    cmd.AddValue("jobFile", "read the jobs from this file", jobFile);
    cmd.AddWord("format",
                "format of jobFile: odcn, alibaba-2018, or columns (any CSV file with a header)",
                format,
                {"odcn", "alibaba-2018", "columns"});
    cmd.AddValue(
        "columns",
        "column map of jobFile, e.g. arrival=submit/60,duration=end/60-start/60,vms=n,cores=c",
        columns);
    cmd.Restrict({"format"}, {"jobFile"});
    cmd.Restrict({"columns"}, {"format=columns"});
    cmd.Restrict({"pattern"}, {"!jobFile", "format=columns"});
    cmd.AddValue("checkpoint",
                 "file of the agent drl, the shipped odcn.pt unless set; with --train its output",
                 checkpoint);
    cmd.AddValue("linear", "file of the policy linear", linear);
    cmd.SetGroup("Packets");
    cmd.AddWord("packets",
                "packet engine: ns3 (sockets and devices), exact (the same packets without "
                "events, much faster), both (exact, and ns3 for the last policy, compared; with "
                "faults, ns3 for all) or formula (no packets, only the closed form)",
                packets,
                {"both", "ns3", "exact", "formula"});
    cmd.AddValue("windows", "number of measurement windows, in which packets are sent", windows);
    cmd.AddValue("windowWarmUp", "warm-up of a window, not measured", windowWarmUp);
    cmd.AddValue("windowLength", "measured part of a window", windowLength);
    cmd.Restrict({"windows", "windowWarmUp", "windowLength"},
                 {"packets=both", "packets=ns3", "packets=exact"});
}

void
OdcnSystem::Check() const
{
    // A window of a second sends billions of packets.
    OdcnCommandLine::ParseTime(windowWarmUp, "windowWarmUp", 1);
    OdcnCommandLine::Check(
        OdcnCommandLine::ParseTime(windowLength, "windowLength", 1).IsStrictlyPositive(),
        "windowLength",
        windowLength,
        "above 0");
    for (const auto& [name, list] : {std::pair{"serversPerRack", serversPerRack},
                                     std::pair{"uplinksPerRack", uplinksPerRack},
                                     std::pair{"uplinkRatePerRack", uplinkRatePerRack}})
    {
        const auto items = ParseRepeated(list);
        OdcnCommandLine::Check(list.empty() || (items && items->size() == tors),
                               name,
                               list,
                               "a list for " + std::to_string(tors) + " racks, as in 8*2,8*1");
    }
    ParseCounts("--serversPerRack", serversPerRack);
    ParseCounts("--uplinksPerRack", uplinksPerRack);
    if (packets != "formula")
    {
        OdcnCommandLine::Check(windows >= 1, "windows", windows, "1 or more");
        OdcnCommandLine::Check(tors >= 2, "tors", tors, "2 or more, or --packets=formula");
    }
}

std::string
OdcnSystem::Describe() const
{
    std::string text = std::to_string(tors) + " racks x ";
    text += serversPerRack.empty() ? std::to_string(servers) : "(" + serversPerRack + ")";
    text += " servers";
    text += uplinksPerRack.empty() ? "" : ", (" + uplinksPerRack + ") uplinks";
    return text + (uplinkRatePerRack.empty() ? "" : " of (" + uplinkRatePerRack + ")");
}

OdcnHelper
OdcnSystem::MakeHelper() const
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(tors));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(ports));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(servers));
    helper.SetNetworkAttribute("PortsByTor", StringValue(uplinksPerRack));
    helper.SetNetworkAttribute("PortRateByTor", StringValue(uplinkRatePerRack));
    helper.SetComputeAttribute("ServersByRack", StringValue(serversPerRack));
    helper.SetComputeAttribute("Placement", StringValue(placement));
    helper.SetJobAttribute("Pattern", StringValue(pattern));
    return helper;
}

Ptr<OdcnJobSource>
OdcnSystem::OpenJobFile() const
{
    if (format == "odcn")
    {
        auto file = CreateObject<OdcnJobFile>();
        file->SetFileName(jobFile);
        return file;
    }
    if (format == "columns")
    {
        auto file = CreateObject<OdcnColumnJobs>();
        file->SetAttribute("FileName", StringValue(jobFile));
        file->SetAttribute("Columns", StringValue(columns));
        file->SetPattern(pattern);
        return file;
    }
    auto trace = CreateObject<OdcnAlibabaJobs>();
    trace->SetFileName(jobFile);
    return trace;
}

PolicyChoice
OdcnSystem::Find(const std::string& words) const
{
    auto choice = PolicyRegistry::Find(OdcnScheduling::GetTypeId().GetName(), words);
    const bool isLinear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0;
    const bool isPaper = words.rfind("drl-paper", 0) == 0;
    choice.SetFile(isLinear             ? linear
                   : isPaper            ? GetDataFile("odcn-paper.pt")
                   : checkpoint.empty() ? GetDataFile("odcn.pt")
                                        : checkpoint);
    return choice;
}

std::string
OdcnSystem::CompareTraining(const DecisionPolicy& policy, double load) const
{
    std::map<std::string, std::string> trained;
    if (const auto* weights = dynamic_cast<const LinearPolicy*>(&policy))
    {
        trained = weights->GetProvenance();
    }
#if ODCN_HAVE_TRAINING
    else if (const auto* agent = dynamic_cast<const AgentPolicy*>(&policy))
    {
        trained = agent->GetProvenance();
    }
#endif
    std::string text;
    const auto compare = [&](const char* key, const std::string& name, const std::string& present)
    {
        const auto found = trained.find(key);
        if (found == trained.end())
        {
            return;
        }
        const auto list = OdcnCommandLine::SplitList(found->second, key);
        if (std::find(list.begin(), list.end(), present) == list.end())
        {
            text += (text.empty() ? "" : "; ") + name + " " + found->second + ", not " + present;
        }
    };
    compare("racks", "racks", std::to_string(tors));
    if (serversPerRack.empty() && trained.count("serversPerRack") == 0)
    {
        compare("servers", "servers of a rack", std::to_string(servers));
    }
    // Files say nothing about what was equal in all racks.
    const auto compareRacks =
        [&](const char* key, const std::string& name, const std::string& present)
    {
        if (!trained.empty() && trained[key] != present)
        {
            const auto say = [](const std::string& list) { return list.empty() ? "equal" : list; };
            text += (text.empty() ? "" : "; ") + name + " of the racks " + say(trained[key]) +
                    ", not " + say(present);
        }
    };
    compareRacks("serversPerRack", "servers", serversPerRack);
    compareRacks("uplinksPerRack", "uplinks", uplinksPerRack);
    compareRacks("uplinkRatePerRack", "rates", uplinkRatePerRack);
    compare("placement", "placement", placement);
    if (!jobFile.empty())
    {
        return text;
    }
    compare("patterns", "pattern", pattern);
    if (trained.count("loads") > 0)
    {
        const auto loads = OdcnCommandLine::SplitNumbers(trained["loads"], "loads");
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        if (load < *least || load > *most)
        {
            std::ostringstream present;
            present << load;
            compare("loads", "load", present.str());
        }
    }
    return text;
}

KaufmanRoberts
OdcnSystem::MakeBound(double load) const
{
    // The generator's default VMs have 4 or 16 cores; three of the four types have 16.
    const auto sizes = KaufmanRoberts::GetJobSizes(10, 21, {{4, 1, 0}, {16, 3, 0}});
    const auto list = ParseCounts("serversPerRack", serversPerRack);
    const int64_t all = list.empty() ? int64_t{tors} * servers
                                     : std::accumulate(list.begin(), list.end(), int64_t{0});
    return {all * 32, sizes, load};
}

OdcnHelper
OdcnSystem::MakeWindowHelper(const Experiment& experiment) const
{
    const uint64_t jobs = experiment.GetJobs();
    OdcnHelper helper = MakeHelper();
    helper.SetSchedulerAttribute("MaxJobs", UintegerValue(experiment.GetWarmUp() + jobs));
    helper.SetSchedulerAttribute("WindowAfter", UintegerValue(experiment.GetWarmUp() + 1));
    helper.SetSchedulerAttribute(
        "WindowSpacing",
        UintegerValue(std::max<uint64_t>(1, jobs / std::max(1U, windows))));
    helper.SetSchedulerAttribute("WindowWarmUp", StringValue(windowWarmUp));
    helper.SetSchedulerAttribute("WindowLength", StringValue(windowLength));
    return helper;
}

void
OdcnSystem::RunPackets(const Experiment& experiment,
                       Ptr<OdcnScheduling> problem,
                       Ptr<DecisionPolicy> policy,
                       OdcnWindowRecorder& recorder,
                       const std::string& name,
                       const std::function<void(uint64_t)>& progress,
                       bool events,
                       const Hooks& hooks) const
{
    OdcnHelper helper = MakeWindowHelper(experiment);
    OdcnScenario scenario =
        events ? helper.Install(problem, policy) : helper.InstallExact(problem, policy, recorder);
    OdcnHelper::AssignStreams(scenario, PACKET_STREAMS);
    recorder.Record(name, scenario.scheduler, scenario.fabric, scenario.flows);
    auto scheduler = PeekPointer(scenario.scheduler);
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    scheduler->TraceConnectWithoutContext(
        "Decided",
        Callback<void, OdcnOutcome>([&progress, scheduler](OdcnOutcome)
                                    { progress(scheduler->GetNJobs()); }));
    if (hooks.begun)
    {
        hooks.begun(scenario, helper);
    }
    Simulator::Run();
    if (hooks.ended)
    {
        hooks.ended();
    }
    recorder.Stop();
    Simulator::Destroy();
}
