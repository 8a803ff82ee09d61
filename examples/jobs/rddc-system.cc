// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-system.h"

#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"
#include "ns3/rddc-topology.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First stream of random numbers of faults.
constexpr int64_t FAULT_STREAM = 50000;

/// Oversubscription from bottom to top (Table 1, and 1:1) to oversubscriptions at tiers 2 and 3.
const std::map<std::string, std::pair<uint32_t, uint32_t>> TABLE_1{
    {"16", {4, 4}},
    {"8", {2, 4}},
    {"4", {2, 2}},
    {"1", {1, 1}},
};

/// @param text text of a number
/// @param option name of its option
/// @return the number
uint32_t
Number(std::string_view text, const std::string& option)
{
    const auto number = ParseCount(text);
    OdcnCommandLine::Check(number && *number <= UINT32_MAX,
                           option,
                           std::string(text),
                           "whole numbers separated by commas");
    return static_cast<uint32_t>(*number);
}

/**
 * @param topology label of a topology
 * @return the best form of Tetris of the sweep on it, with its routing; tetris-tuned for a topology
 * that is not one of the paper's nine
 */
std::string
GetBestTetris(const std::string& topology)
{
    // Results of --sweep=1 on its streams (doc/results/rddc.md).
    static const std::map<std::string, std::string> FORMS{
        {"8/16", "ChannelWeight=1|RackFactor=1|ClusterFactor=0.9|Anchor=Previous"},
        {"8/8", "ChannelWeight=3|RackFactor=0.95|ClusterFactor=0.95|Anchor=First"},
        {"8/4", "ChannelWeight=3|RackFactor=0.9|ClusterFactor=0.9|Anchor=First"},
        {"16/16", "ChannelWeight=1|RackFactor=0.9|ClusterFactor=0.7|Anchor=First"},
        {"16/8", "ChannelWeight=1|RackFactor=0.9|ClusterFactor=0.7|Anchor=First"},
        {"16/4", "ChannelWeight=1|RackFactor=0.95|ClusterFactor=0.9|Anchor=Previous"},
        {"32/16", "ChannelWeight=3|RackFactor=0.95|ClusterFactor=0.5|Anchor=Previous"},
        {"32/8", "ChannelWeight=1|RackFactor=0.7|ClusterFactor=0.5|Anchor=First"},
        {"32/4", "ChannelWeight=0.3|RackFactor=0.95|ClusterFactor=0.9|Anchor=First"},
    };
    const auto form = FORMS.find(topology);
    return form == FORMS.end() ? "tetris-tuned"
                               : "ns3::odcn::RddcTetrisPolicy[" + form->second + "]@LeastUsed";
}

} // namespace

std::string
Topology::GetLabel() const
{
    for (const auto& [name, tiers] : TABLE_1)
    {
        if (tiers == std::pair{tier2, tier3})
        {
            return std::to_string(channels) + "/" + name;
        }
    }
    return std::to_string(channels) + "/" + std::to_string(tier2) + ":" + std::to_string(tier3);
}

std::string
Topology::GetFile(const std::string& pattern) const
{
    std::string label = GetLabel();
    std::replace(label.begin(), label.end(), '/', '-');
    return OdcnCommandLine::Expand(pattern, label);
}

void
RddcSystem::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("System");
    cmd.AddValue("channels", "channels of a server's link, separated by commas", channels);
    cmd.AddValue("oversubscription",
                 "from bottom to top as in Table 1 of the paper (16, 8, 4 or 1), or of tiers 2 and "
                 "3 (2:4), separated by commas",
                 oversubscription);
    cmd.AddValue("clusters", "ns3::odcn::RddcTopology::Clusters");
    cmd.AddValue("racks", "ns3::odcn::RddcTopology::RacksPerCluster");
    cmd.AddValue("servers", "ns3::odcn::RddcTopology::ServersPerRack");
    cmd.AddValue("requestsFile",
                 "file of requests, of which run k uses the k-th part, instead of random requests; "
                 "times are those of the file, or with --loads scaled to a mean gap of 1 and the "
                 "loads",
                 requestsFile);
    cmd.Replace({"format", "columns"}, "a requestsFile that odcn-convert-trace made of the trace");
    cmd.AddRange("requests", "requests per replication", requests, uint64_t{1});
    cmd.AddValue("last", "ns3::odcn::RddcAllocation::LastRequests");
    cmd.AddValue("mask", "ns3::odcn::RddcAllocation::Mask");
    cmd.AddValue("linear",
                 "file of the policy linear; % is replaced by the topology, 16-8 for 16/8",
                 linear);
    cmd.AddValue("checkpoint",
                 "file of the policy agent, or output of a training; % is replaced by the "
                 "topology",
                 checkpoint);
    faults.AddOptions(cmd);
}

void
RddcSystem::Check() const
{
    for (const auto& topology : GetTopologies())
    {
        MakeHelper(topology, 1).GetNetwork();
    }
}

std::string
RddcSystem::Describe(const Experiment& experiment) const
{
    const auto topology = CreateObject<RddcTopology>();
    const auto get = [&](const char* name)
    { return std::to_string(GetAttributeOf<UintegerValue>(*topology, name)); };
    return get("Clusters") + " clusters x " + get("RacksPerCluster") + " racks x " +
           get("ServersPerRack") + " servers, load " + experiment.GetLoadsText() + ", " +
           std::to_string(requests) + " requests";
}

std::vector<Topology>
RddcSystem::GetTopologies() const
{
    std::vector<Topology> topologies;
    for (const auto& n : OdcnCommandLine::SplitList(channels, "channels"))
    {
        for (const auto& ratio : OdcnCommandLine::SplitList(oversubscription, "oversubscription"))
        {
            Topology topology;
            topology.channels = Number(n, "channels");
            const auto colon = ratio.find(':');
            if (const auto known = TABLE_1.find(ratio); known != TABLE_1.end())
            {
                topology.tier2 = known->second.first;
                topology.tier3 = known->second.second;
            }
            else
            {
                OdcnCommandLine::Check(colon != std::string::npos,
                                       "oversubscription",
                                       ratio,
                                       "16, 8, 4 or 1, or two numbers such as 2:4");
                topology.tier2 = Number(ratio.substr(0, colon), "oversubscription");
                topology.tier3 = Number(ratio.substr(colon + 1), "oversubscription");
            }
            topologies.push_back(topology);
        }
    }
    return topologies;
}

Topology
RddcSystem::GetTopology(const Experiment::Labels& labels) const
{
    const auto topologies = GetTopologies();
    return *std::find_if(topologies.begin(),
                         topologies.end(),
                         [&](const Topology& t) { return t.GetLabel() == labels[0].second; });
}

RddcHelper
RddcSystem::MakeHelper(const Topology& topology, double load) const
{
    OdcnCommandLine::Check(load > 0 && load <= 100, "loads", load, "above 0, 100 at most");
    RddcHelper helper;
    const auto set = [&](const char* name, uint32_t value)
    { helper.SetTopologyAttribute(name, UintegerValue(value)); };
    set("Channels", topology.channels);
    set("Tier2Oversubscription", topology.tier2);
    set("Tier3Oversubscription", topology.tier3);
    helper.SetLoad(load);
    helper.SetProblemAttribute("MaxRequests", UintegerValue(requests));
    return helper;
}

void
RddcSystem::AddCases(Experiment& experiment, bool skipFirst) const
{
    const uint64_t lastRun = experiment.GetLastRun();
    for (const auto& topology : GetTopologies())
    {
        for (const double load : experiment.GetLoads())
        {
            RddcHelper helper = MakeHelper(topology, load);
            // The numbers of doc/results/rddc.md are those of the requests after the first.
            const bool skips = skipFirst && requestsFile.empty();
            helper.SetProblemAttribute("SkipRequests", UintegerValue(skips ? 1 : 0));
            const Experiment::Labels labels{{"topology", topology.GetLabel()},
                                            {"load", FormatNumber(load)}};
            std::function<Ptr<RddcRequestSource>()> makeRequests = [helper]()
            { return helper.CreateRequests(); };
            if (!requestsFile.empty())
            {
                CheckPieces(lastRun, MakeRequestFile(helper, 0)->Count());
                makeRequests = [helper, this]()
                { return MakeRequestFile(helper, (RngSeedManager::GetRun() - 1) * requests); };
            }
            experiment.AddCase(labels,
                               [helper, makeRequests, this]()
                               {
                                   auto problem = helper.CreateProblem(makeRequests());
                                   if (faults.IsUsed())
                                   {
                                       AddFaults(*problem, *makeRequests());
                                   }
                                   return problem;
                               });
        }
    }
}

void
RddcSystem::AddFaults(RddcAllocation& problem, RddcRequestSource& source) const
{
    source.AssignStreams(FAULT_STREAM);
    double span = 0;
    RddcRequest request;
    for (uint64_t i = 0; i < requests && source.Next(request); ++i)
    {
        // A request waits until others have ended.
        span += request.gap + request.holding;
    }
    problem.GetManager()->SetFaults(faults.MakeTimeline(
        RddcManager::GetFaultParts(*problem.GetManager()->GetChannels().GetNetwork()),
        Seconds(std::min(span, 9e6)),
        FAULT_STREAM + 10));
}

Ptr<RddcRequestFile>
RddcSystem::MakeRequestFile(const RddcHelper& helper, uint64_t skip) const
{
    auto file = scaled ? helper.ReadRequests(requestsFile) : CreateObject<RddcRequestFile>();
    file->SetAttribute("FileName", StringValue(requestsFile));
    file->SetAttribute("Skip", UintegerValue(skip));
    return file;
}

void
RddcSystem::CheckPieces(uint64_t lastRun, uint64_t found) const
{
    OdcnCommandLine::Check(lastRun <= found / requests,
                           "requests",
                           std::to_string(requests),
                           "runs up to " + std::to_string(lastRun) + " within " +
                               std::to_string(found) + " requests of the file");
}

PolicyChoice
RddcSystem::Find(const Topology& topology, const std::string& words) const
{
    const std::string form = words == "tetris-best" ? GetBestTetris(topology.GetLabel()) : words;
    auto choice = PolicyRegistry::Find(RddcAllocation::GetTypeId().GetName(), form);
    const bool isLinear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0;
    const bool isPaper = words.rfind("nara-paper", 0) == 0;
    choice.SetFile(topology.GetFile(isLinear  ? linear
                                    : isPaper ? GetDataFile("rddc-nara-paper-%.pt")
                                              : checkpoint));
    return choice;
}

std::string
RddcSystem::GetUsualPolicies(bool best) const
{
    const auto topologies = GetTopologies();
    const auto hasFiles = [&](const std::string& pattern)
    {
        return std::all_of(topologies.begin(),
                           topologies.end(),
                           [&](const Topology& topology)
                           { return std::filesystem::is_regular_file(topology.GetFile(pattern)); });
    };
    const bool agents = AgentLibrary::IsPresent();
    const std::string untrained = agents ? "untrained," : "";
    const std::string paper =
        agents && hasFiles(GetDataFile("rddc-nara-paper-%.pt")) ? "nara-paper," : "";
    return "random,first-fit," + untrained + "nulb,nalb,tetris,tetris-aligned,tetris@LeastUsed," +
           (best ? "tetris-best," : "") + paper + (hasFiles(linear) ? "linear," : "") +
           (checkpoint.empty() ? "" : "agent,") + "raw-bound";
}
