// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Allocation of CPU and memory to requests in a resource-disaggregated data centre. The system of
 * "Network Aware Compute and Memory Allocation in Optically Composable Data Centres with Deep
 * Reinforcement Learning and Graph Neural Networks" (sections 4 and 5).
 *
 *            +--------+               +--------+
 *            | core 0 |               | core 1 |            optical circuit switches on all tiers
 *            +--------+               +--------+
 *             |  |  \___________________|_ |  |             tier 3: n/2 to 8 n channels per link
 *          +-------+ +-------+     +-------+ +-------+
 *          | agg 0 | | agg 1 |     | agg 0 | | agg 1 |      two per cluster
 *          +-------+ +-------+     +-------+ +-------+
 *             |   \___/  |            |   \___/  |          tier 2: 2 n to 8 n channels per link
 *          +-------+ +-------+     +-------+ +-------+
 *          | rack 0| | rack 1|     | rack 2| | rack 3|
 *          +-------+ +-------+     +-------+ +-------+
 *           | | | |   | | | |       | | | |   | | | |       tier 1: n channels per server
 *           servers   servers       servers   servers       16 per rack, 16 units of CPU and memory
 *
 * A request needs up to 128 units of CPU and of memory. The policy chooses its servers one by one,
 * and every pair of them needs a separate lightpath, one channel on each link. If a lightpath
 * cannot be found, the whole request is refused.
 *
 * The program lets every policy decide the same requests on each topology of the paper's Table 1.
 * With --sweep it first searches for the best form of each rule on other requests.
 *
 * Try:
 *   ./ns3 run rddc-nara-allocation
 *   ./ns3 run "rddc-nara-allocation --channels=16 --oversubscription=8 --replications=50"
 *   ./ns3 run "rddc-nara-allocation --clusters=8 --racks=8 --requests=2048"
 *   ./ns3 run "rddc-nara-allocation --policies=tetris,ns3::odcn::RddcTetrisPolicy[Score=Cosine]"
 *   ./ns3 run "rddc-nara-allocation --requestsFile=requests.csv --loads=0.95"
 *   ./ns3 run "rddc-nara-allocation --packets=8 --channels=16 --oversubscription=8
 * --policies=tetris"
 *   ./ns3 run "rddc-nara-allocation --sweep=1"
 *   ./ns3 run "rddc-nara-allocation --train=1 --channels=8 --checkpoint=a-%.json"
 *   ./ns3 run "rddc-nara-allocation --channels=8 --policies=tetris,linear --linear=a-%.json"
 *   ./ns3 run "rddc-nara-allocation --train=1 --agent=paper --checkpoint=b-%.pt"
 *   ./ns3 run "rddc-nara-allocation --policies=tetris@LeastUsed,agent --checkpoint=b-%.pt"
 */

#include "rddc-nara-allocation.h"

#include "rddc-nara-allocation-grants.h"
#include "rddc-nara-allocation-packets.h"

#if ODCN_HAVE_TRAINING
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-data-file.h"
#endif
#include "ns3/double.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

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

/**
 * @param text text of a number  @param option name of its option
 * @return the number
 */
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

/// @param choice a policy  @return the routing of its training; "" for a rule
std::string
GetRouting(const PolicyChoice& choice)
{
    std::map<std::string, std::string> provenance;
    if (const auto linear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0
                                ? DynamicCast<LinearPolicy>(choice.Create())
                                : nullptr)
    {
        provenance = linear->GetProvenance();
    }
#if ODCN_HAVE_TRAINING
    else if (!choice.GetFile().empty())
    {
        provenance = Checkpoint::Read(choice.GetFile()).provenance;
    }
#endif
    return provenance["routing"];
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
    cmd.AddValue("clusters", "number of clusters", clusters);
    cmd.AddValue("racks", "racks per cluster", racks);
    cmd.AddValue("servers", "servers per rack", servers);
    cmd.AddValue("requestsFile",
                 "file of requests, of which run k uses the k-th part, instead of random requests; "
                 "times are those of the file, or with --loads scaled to a mean gap of 1 and the "
                 "loads",
                 requestsFile);
    cmd.Replace({"format", "columns"}, "a requestsFile that odcn-convert-trace made of the trace");
    cmd.AddRange("requests", "requests per replication", requests, uint64_t{1});
    cmd.AddRange("last", "number of last requests that the figures average", last, uint64_t{1});
    cmd.AddWord("mask",
                "servers that may be chosen: Useful (with required resources) or Connected (and "
                "with paths to all servers chosen before)",
                mask,
                {"Useful", "Connected"});
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
    set("Clusters", clusters);
    set("RacksPerCluster", racks);
    set("ServersPerRack", servers);
    set("Channels", topology.channels);
    set("Tier2Oversubscription", topology.tier2);
    set("Tier3Oversubscription", topology.tier3);
    helper.SetLoad(load);
    helper.SetProblemAttribute("MaxRequests", UintegerValue(requests));
    helper.SetProblemAttribute("LastRequests", UintegerValue(last));
    helper.SetProblemAttribute("Mask", StringValue(mask));
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
            helper.SetProblemAttribute("SkipRequests", UintegerValue(skipFirst ? 1 : 0));
            std::ostringstream text;
            text << load;
            const Experiment::Labels labels{{"topology", topology.GetLabel()},
                                            {"load", text.str()}};
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
    auto choice = PolicyRegistry::Find(RddcAllocation::GetTypeId().GetName(), words);
    const bool isLinear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0;
    const bool isPaper = words.rfind("nara-paper", 0) == 0;
    choice.SetFile(topology.GetFile(isLinear  ? linear
                                    : isPaper ? GetDataFile("rddc-nara-paper-%.pt")
                                              : checkpoint));
    if (const auto routing = GetRouting(choice);
        !routing.empty() && words.find('@') == std::string::npos)
    {
        choice.settings["Routing"] = routing;
    }
    return choice;
}

namespace
{

/// The rules with all their forms, for --sweep.
const std::vector<std::string> FAMILIES{
    "tetris-best={ns3::odcn::RddcTetrisPolicy[ChannelWeight={0,0.3,1,3}|RackFactor={1,0.95,0.9,0.7,"
    "0.5,0.1}|ClusterFactor={1,0.95,0.9,0.7,0.5,0.1}|Anchor={Previous,First}]@{Hops,LeastUsed},"
    "ns3::odcn::RddcTetrisPolicy[ChannelWeight={0,0.3,1,3}|{RackFactor=1|ClusterFactor=1,"
    "RackFactor="
    "0.95|ClusterFactor=0.95,RackFactor=0.9|ClusterFactor=0.9,RackFactor=0.7|ClusterFactor=0.7,"
    "RackFactor=0.5|ClusterFactor=0.5,RackFactor=0.1|ClusterFactor=0.1}|{Score=Cosine,Prefer="
    "Smallest}]@Hops}",
    "nulb-best=ns3::odcn::RddcLocalityPolicy[Neighbours=InOrder|ChannelWeight={0,0.3,1,3}|{Prefer="
    "Largest,Prefer=Smallest,Score=Cosine}]@{Hops,LeastFree,LeastUsed}",
    "nalb-best=ns3::odcn::RddcLocalityPolicy[Neighbours={MostFree,LeastFree}|ChannelWeight={0,0.3,"
    "1,"
    "3}|{Prefer=Largest,Prefer=Smallest,Score=Cosine}]@{Hops,LeastFree,LeastUsed}"};

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

/**
 * Train a policy for each topology and write its file.
 * @param system data centre; its checkpoint is written
 * @param options of the training
 * @param requests per episode
 * @param load offered load
 * @return exit status
 */
int
Train(const RddcSystem& system, const TrainingOptions& options, uint64_t requests, double load)
{
    const auto topologies = system.GetTopologies();
    OdcnCommandLine::Check(system.checkpoint.find('%') != std::string::npos ||
                               topologies.size() == 1,
                           "checkpoint",
                           system.checkpoint,
                           "a file with a % that stands for the topology, since there are several");
    for (const auto& topology : topologies)
    {
        TrainingTask task;
        task.checkpoint = topology.GetFile(system.checkpoint);
        task.create = [&](const TrainingCase& made)
        {
            RddcHelper helper = system.MakeHelper(topology, load);
            if (!made.evaluation)
            {
                helper.SetProblemAttribute("MaxRequests", UintegerValue(requests));
            }
            return helper.CreateProblem();
        };
        task.find = [&](const std::string& words) { return system.Find(topology, words); };
        task.describe = [](const DecisionProblem& problem)
        {
            const auto manager = dynamic_cast<const RddcAllocation&>(problem).GetManager();
            return std::map<std::string, std::string>{
                {"routing", GetAttributeOf<StringValue>(*manager, "Routing")}};
        };
        if (const int status = options.Run(task))
        {
            return status;
        }
    }
    return 0;
}

/// Grants of one policy on one topology.
struct Grants
{
    std::string topology; //!< topology label
    std::string policy;   //!< policy title
    GrantLog log;         //!< their statistics
};

/// Write sizes.csv, spreads.csv and shapes.csv. @param files output folder  @param grants grants
void
WriteGrants(OutputFiles& files, const std::vector<std::unique_ptr<Grants>>& grants)
{
    const auto write = [&](const char* name, const char* what, std::size_t kind, auto rows)
    {
        std::vector<std::string> columns{"topology", "policy"};
        const auto& more = GrantLog::GetColumns()[kind];
        columns.insert(columns.end(), more.begin(), more.end());
        CsvWriter csv(files.Path(name), columns);
        for (const auto& one : grants)
        {
            (one->log.*rows)(csv, one->topology, one->policy);
        }
        csv.Commit();
        files.Written(name, what);
    };
    write("sizes.csv", "requests granted, by servers needed", 0, &GrantLog::WriteSizes);
    write("spreads.csv",
          "grants by servers and how far apart they are",
          1,
          &GrantLog::WriteSpreads);
    write("shapes.csv", "how far apart, by units asked for", 2, &GrantLog::WriteShapes);
}

/// @param system data centre  @param sweep whether a sweep adds the best forms
/// @return default policies of the comparison
std::string
GetUsualPolicies(const RddcSystem& system, bool sweep)
{
    const auto topologies = system.GetTopologies();
    const auto hasFiles = [&](const std::string& pattern)
    {
        return std::all_of(topologies.begin(),
                           topologies.end(),
                           [&](const Topology& topology)
                           { return std::filesystem::is_regular_file(topology.GetFile(pattern)); });
    };
#if ODCN_HAVE_TRAINING
    const std::string untrained = "untrained,";
    const std::string paper = hasFiles(GetDataFile("rddc-nara-paper-%.pt")) ? "nara-paper," : "";
#else
    const std::string untrained;
    const std::string paper;
#endif
    return "random,first-fit," + untrained + "nulb,nalb,tetris,tetris@LeastUsed," +
           (sweep ? "" : "tetris-best,") + paper + (hasFiles(system.linear) ? "linear," : "") +
           (system.checkpoint.empty() ? "" : "agent,") + "raw-bound";
}

} // namespace

int
main(int argc, char* argv[])
try
{
    RddcSystem system;
    TrainingOptions training({.system = "rddc",
                              .problem = RddcAllocation::GetTypeId().GetName(),
                              .agent = "evolution",
                              .attributes = {{"state", "ns3::odcn::RddcAllocation::State"},
                                             {"routing", "ns3::odcn::RddcManager::Routing"}}});
    uint64_t trainRequests = 128;
    PacketOptions carrying;
    bool sweep = false;
    Experiment experiment;
    experiment.SetLoads("0.95", "offered load as a share of the capacity");
    experiment.SetOutput("rddc-nara-allocation-out");
    experiment.SetSweepRuns(20);
    OdcnCommandLine cmd(argc,
                        argv,
                        "Requests for CPU and memory on a data centre of optical circuit switches, "
                        "allocated by rules.");
    experiment.AddOptions(cmd);
    cmd.AddValue("sweep",
                 "search for the best form of each rule on other streams, and compare these",
                 sweep);
    system.AddOptions(cmd);
    carrying.AddOptions(cmd);
    training.AddTo(cmd);
    cmd.AddRange("trainRequests", "requests per episode", trainRequests, uint64_t{1});
    cmd.Restrict({"sweep", "replications"}, {"!packets"});
    cmd.Restrict({"sweep", "packets", "requestsFile"}, {"!train"});
    cmd.Parse();
    system.scaled = cmd.IsGiven("loads");
    system.Check();
    carrying.Check(system.requests);
    system.faults.Check();
    if (training.train)
    {
        return Train(system, training, trainRequests, experiment.GetLoad());
    }

    if (experiment.GetPolicies().empty())
    {
        experiment.SetPolicies(GetUsualPolicies(system, sweep));
    }
    if (carrying.packets > 0)
    {
        experiment.SetReplications(1);
    }
    for (const auto& family : sweep ? FAMILIES : std::vector<std::string>())
    {
        experiment.AddPolicy(family);
    }
    system.AddCases(experiment, carrying.packets == 0);
    experiment.SetFinder(
        [&](const auto& labels, const std::string& words)
        {
            return system.Find(system.GetTopology(labels),
                               words == "tetris-best" ? GetBestTetris(labels[0].second) : words);
        });
    experiment.Check();
    OutputFiles files(experiment.GetOutput());
    if (carrying.packets > 0)
    {
        return RunPackets(system, carrying, experiment, files);
    }
    std::vector<std::unique_ptr<Grants>> grants;
    experiment.SetBegun(
        [&](const Experiment::Trial& trial)
        {
            if (trial.replication == 0)
            {
                grants.push_back(std::make_unique<Grants>(
                    Grants{trial.labels[0].second, trial.choice.name, {}}));
            }
            grants.back()->log.Attach(dynamic_cast<RddcAllocation&>(trial.problem));
        });
    experiment.Measure();
    experiment.Write(files);
    WriteGrants(files, grants);
    std::cout << "\n"
              << system.clusters << " clusters x " << system.racks << " racks x " << system.servers
              << " servers, load " << experiment.GetLoadsText() << ", " << system.requests
              << " requests a replication, mask " << system.mask << ".\n";
    if (!system.requestsFile.empty())
    {
        std::cout << "Requests of " << system.requestsFile << ", run k the k-th " << system.requests
                  << ".\n";
    }
    std::cout << "Topology: channels of a server / oversubscription from bottom to top.\n"
              << experiment.Describe() << "\n\n";
    experiment.Print(std::cout);
    experiment.GetReport().Write(files);
    files.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
