// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-system.h"

#include "ns3/double.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-lookahead-policy.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::odcn;

/// Mean number of VMs of a generated job, each of which is one decision.
static constexpr double DECISIONS_PER_JOB = 15.5;

OdcnSystem::OdcnSystem()
    : linear(GetDataFile("linear-odcn-16-tor.json"))
{
}

void
OdcnSystem::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("System");
    cmd.AddValue("tors", "ns3::odcn::NMgr::Racks");
    cmd.AddValue("ports", "ns3::odcn::NMgr::PortsPerTor");
    cmd.AddValue("servers", "ns3::odcn::CsMgr::ServersPerRack");
    cmd.AddValue("serversPerRack", "ns3::odcn::CsMgr::ServersByRack");
    cmd.AddValue("uplinksPerRack", "ns3::odcn::NMgr::PortsByTor");
    cmd.AddValue("uplinkRatePerRack", "ns3::odcn::NMgr::PortRateByTor");
    cmd.AddValue("pattern", "ns3::odcn::OdcnJobGenerator::Pattern");
    cmd.AddValue("placement", "ns3::odcn::CsMgr::Placement");
    cmd.AddValue("jobFile", "read the jobs from this file", jobFile);
    cmd.AddRange("offeredLoad",
                 "scale the file's times of arrival to this load, a mean job duration in mean "
                 "inter-arrival times; 0: as they are",
                 offeredLoad,
                 0.0,
                 1e6);
    cmd.Restrict({"offeredLoad"}, {"jobFile"});
    cmd.Replace({"format", "columns"}, "a jobFile that odcn-convert-trace made of the trace");
    cmd.AddValue("checkpoint", "file of the agent evolved; with --train its output", checkpoint);
    cmd.AddValue("linear", "file of the policy linear", linear);
}

std::string
OdcnSystem::GetPattern()
{
    return GetAttributeOf<StringValue>(*CreateObject<OdcnJobGenerator>(), "Pattern");
}

Ptr<OdcnJobFile>
OdcnSystem::OpenJobFile() const
{
    auto file = CreateObject<OdcnJobFile>();
    file->SetFileName(jobFile);
    file->SetPattern(GetPattern());
    if (offeredLoad > 0 && totals.GetLoad() > 0)
    {
        file->SetAttribute("ArrivalFactor", DoubleValue(totals.GetLoad() / offeredLoad));
    }
    return file;
}

void
OdcnSystem::Examine()
{
    if (!jobFile.empty())
    {
        totals = OpenJobFile()->Examine();
        OdcnCommandLine::Check(offeredLoad == 0 || totals.GetLoad() > 0,
                               "offeredLoad",
                               offeredLoad,
                               "a jobFile in which not all jobs arrive at once");
    }
}

PolicyChoice
OdcnSystem::Find(const std::string& words) const
{
    auto choice = PolicyRegistry::Find(OdcnScheduling::GetTypeId().GetName(), words);
    if (auto ahead = ObjectText::Parse("policy", choice.words);
        ahead.type == LookaheadPolicy::GetTypeId().GetName())
    {
        const PolicyChoice decider = Find(ahead.attributes["Policy"]);
        ahead.attributes["Policy"] = decider.words;
        choice.words = ahead.Write();
        choice.settings.insert(decider.settings.begin(), decider.settings.end());
        return choice;
    }
    const bool isLinear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0;
    const bool isPaper = words.rfind("drl-paper", 0) == 0;
    const bool isImitation = words.rfind("imitation", 0) == 0;
    choice.SetFile(isLinear             ? linear
                   : isPaper            ? GetDataFile("odcn-paper.pt")
                   : isImitation        ? GetDataFile("odcn.pt")
                   : checkpoint.empty() ? GetDataFile("odcn-evolved.pt")
                                        : checkpoint);
    return choice;
}

std::map<std::string, std::string>
DescribeCentre(const OdcnScheduling& problem)
{
    const auto servers = problem.GetManager();
    const auto text = [&](const char* name) { return GetAttributeOf<StringValue>(*servers, name); };
    const auto network = [&](const char* name)
    { return GetAttributeOf<StringValue>(*servers->GetNetwork(), name); };
    std::map<std::string, std::string> centre{{"racks", network("Racks")},
                                              {"servers", text("ServersPerRack")},
                                              {"placement", text("Placement")},
                                              {"serversPerRack", text("ServersByRack")},
                                              {"uplinksPerRack", network("PortsByTor")},
                                              {"uplinkRatePerRack", network("PortRateByTor")}};
    std::erase_if(centre, [](const auto& entry) { return entry.second.empty(); });
    return centre;
}

std::string
CompareTraining(const DecisionPolicy& policy,
                const OdcnScheduling& problem,
                const std::string& pattern,
                double load)
{
    auto trained = LookaheadPolicy::GetDecider(policy).GetProvenance();
    auto centre = DescribeCentre(problem);
    std::string text;
    const auto say = [&](const std::string& name, const std::string& then, const std::string& now)
    { text += (text.empty() ? "" : "; ") + name + " " + then + ", not " + now; };
    const auto compare = [&](const char* key, const char* name, const std::string& present)
    {
        const auto found = trained.find(key);
        if (found != trained.end())
        {
            const auto list = OdcnCommandLine::SplitList(found->second, key);
            if (std::find(list.begin(), list.end(), present) == list.end())
            {
                say(name, found->second, present);
            }
        }
    };
    compare("racks", "racks", centre["racks"]);
    if (!centre.contains("serversPerRack") && !trained.contains("serversPerRack"))
    {
        compare("servers", "servers of a rack", centre["servers"]);
    }
    // Files say nothing about what was equal in all racks.
    for (const auto& [key, name] : {std::pair{"serversPerRack", "servers"},
                                    std::pair{"uplinksPerRack", "uplinks"},
                                    std::pair{"uplinkRatePerRack", "rates"}})
    {
        if (!trained.empty() && trained[key] != centre[key])
        {
            say(name + std::string(" of the racks"),
                trained[key].empty() ? "equal" : trained[key],
                centre[key].empty() ? "equal" : centre[key]);
        }
    }
    compare("placement", "placement", centre["placement"]);
    if (pattern.empty())
    {
        return text;
    }
    compare("patterns", "pattern", pattern);
    if (trained.contains("loads"))
    {
        const auto loads = OdcnCommandLine::SplitNumbers(trained["loads"], "loads");
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        if (load < *least || load > *most)
        {
            compare("loads", "load", FormatNumber(load));
        }
    }
    return text;
}

bool
AreJobsDefault()
{
    const TypeId tid = OdcnJobGenerator::GetTypeId();
    for (const std::string name : {"InterArrival", "VmCount", "VmType", "VmTypes"})
    {
        TypeId::AttributeInformation info;
        tid.LookupAttributeByName(name, &info);
        const auto text = [&](const Ptr<const AttributeValue>& value)
        { return value->SerializeToString(info.checker); };
        if (text(info.initialValue) != text(info.originalInitialValue))
        {
            return false;
        }
    }
    return true;
}

std::vector<OdcnSizeClass>
GetJobSizes()
{
    return KaufmanRoberts::GetJobSizes(10, 21, {{4, 1, 0}, {16, 3, 0}});
}

double
GetOfferedShare(double load, const OdcnScheduling& problem)
{
    double size = 0; // mean, in cores
    for (const OdcnSizeClass& kind : GetJobSizes())
    {
        size += double(kind.size) * kind.weight;
    }
    return load * size / problem.GetManager()->GetServers().GetCapacity().Cores();
}

TrainingDesign
GetOdcnTrainings()
{
    return {.system = "odcn",
            .problem = OdcnScheduling::GetTypeId().GetName(),
            .agent = "ppo",
            .cases = {{"patterns", "trainPatterns", "comma-separated job patterns"},
                      {"loads", "trainLoads", "comma-separated loads"}},
            .attributes = {{"state", "ns3::odcn::OdcnScheduling::State"},
                           {"alpha", "ns3::odcn::OdcnScheduling::Alpha"},
                           {"phiReconf", "ns3::odcn::OdcnScheduling::PhiReconf"},
                           {"charge", "ns3::odcn::OdcnScheduling::Charge"}},
            .decisionsPerJob = DECISIONS_PER_JOB,
            .decisionsLimitGenerations = true};
}

int
Train(const OdcnSystem& system, const TrainingOptions& options, double load)
{
    const auto loadOf = [](const TrainingCase& made)
    {
        const std::string& text = made.values.at("loads");
        const auto number = ParseFinite(text);
        OdcnCommandLine::Check(number.has_value(), "trainLoads", text, "numbers above 0");
        return *number;
    };
    TrainingTask task;
    task.checkpoint = system.checkpoint;
    task.create = [&](const TrainingCase& made)
    {
        OdcnHelper helper;
        helper.SetJobAttribute("Pattern", StringValue(made.values.at("patterns")));
        return helper.CreateProblem(loadOf(made));
    };
    task.find = [&](const std::string& words) { return system.Find(words); };
    task.duration = [&](const TrainingCase& made) { return loadOf(made) * DECISIONS_PER_JOB; };
    task.cases = {{"patterns", OdcnSystem::GetPattern()}, {"loads", FormatNumber(load)}};
    task.describe = [](const DecisionProblem& problem)
    { return DescribeCentre(dynamic_cast<const OdcnScheduling&>(problem)); };
    return options.Run(task);
}
