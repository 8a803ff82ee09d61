// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-report.h"

#include "rddc-nara-allocation-sweep.h"

#if ODCN_HAVE_TRAINING
#include "ns3/odcn-checkpoint.h"
#endif
#include "ns3/data-rate.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using Figure = RddcEvaluation::Figure;

/// Where the best rule's are compared with.
const std::vector<Figure> COMPARED{Figure::ACCEPTANCE, Figure::CPU_USE, Figure::MEMORY_USE};

/// Bottom to top of Table 1, and 1:1: oversubscriptions at tiers 2 and 3.
const std::map<std::string, std::pair<uint32_t, uint32_t>> TABLE_1{
    {"16", {4, 4}},
    {"8", {2, 4}},
    {"4", {2, 2}},
    {"1", {1, 1}},
};

/**
 * @param text of a number  @param option it stands in
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

/**
 * @param words of a policy, with its file if it is a trained one
 * @param otherwise if the file does not tell
 * @return the routing that the policy was trained with
 */
std::string
GetRouting(const std::string& words, const std::string& otherwise)
{
    std::map<std::string, std::string> provenance;
    const auto text = OdcnObjectText::Parse("policy", words);
    if (text.type == ODCN_LINEAR_POLICY)
    {
        provenance = DynamicCast<LinearPolicy>(OdcnDecisionPolicy::Create(words))->GetProvenance();
    }
#if ODCN_HAVE_TRAINING
    if (text.type == ODCN_AGENT_POLICY)
    {
        provenance = Checkpoint::Read(text.attributes.at("Checkpoint")).provenance;
    }
#endif
    const auto found = provenance.find("routing");
    return found == provenance.end() ? otherwise : found->second;
}

/// @param text of a rate  @return whether it is one, above 0
bool
IsRate(const std::string& text)
{
    DataRateValue rate;
    return rate.DeserializeFromString(text, MakeDataRateChecker()) && rate.Get().GetBitRate() > 0;
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
    return OdcnExpandPattern(pattern, label);
}

void
Options::Parse(int argc, char* argv[])
{
    OdcnCommandLine cmd(argc,
                        argv,
                        "Requests for CPU and memory on a data centre of optical circuit switches, "
                        "allocated by rules.");
    cmd.AddValue("channels", "channels of a server's link, separated by commas", channels);
    cmd.AddValue("oversubscription",
                 "from bottom to top as in Table 1 of the paper (16, 8, 4 or 1), or of tier 2 and "
                 "tier 3 (2:4), separated by commas",
                 oversubscription);
    cmd.AddValue("clusters", "clusters", clusters);
    cmd.AddValue("racks", "racks of a cluster", racks);
    cmd.AddValue("servers", "servers of a rack", servers);
    cmd.AddValue("load", "offered load in shares of the capacity", load);
    cmd.AddValue("requestsFile",
                 "instances of the Alibaba trace of 2025, of which run k is the k-th piece, in "
                 "place of drawn requests",
                 requestsFile);
    cmd.AddValue("requests", "requests of a run", requests);
    cmd.AddValue("last", "of them, those at the end that the figures average", last);
    cmd.AddValue("runs", "independent streams of requests; --RngRun is the first", runs);
    cmd.AddValue("policies",
                 "comma-separated names, or TypeIds of policies with Attributes in brackets, and "
                 "\"@LeastUsed\" or another routing; empty for all",
                 policies);
    cmd.AddValue("linear",
                 "file of the policy linear; % stands for the topology, 16-8 for 16/8",
                 linear);
    cmd.AddValue("checkpoint",
                 "file of the policy nara, or to be written by a training; % stands for the "
                 "topology",
                 checkpoint);
    cmd.AddValue("mask",
                 "servers that may be chosen: Useful (have what is needed) or Connected (and have "
                 "paths to all chosen before)",
                 mask);
    cmd.AddValue("packets",
                 "windows of time in which servers send packets, in place of comparing by requests",
                 packets);
    cmd.AddValue("packetLoad", "packets: each way, in shares of a lightpath's rate", packetLoad);
    cmd.AddValue("packetSize", "packets: bytes of IPv4", packetSize);
    cmd.AddValue("packetTime", "packets: length of a window", packetTime);
    cmd.AddValue("channelRate", "packets: rate of a channel", channelRate);
    cmd.AddValue("switchDelay",
                 "packets: what an electrical switch takes besides storing and queueing",
                 switchDelay);
    cmd.AddValue("controlDelay",
                 "packets: one-way delay of the management network; 0us for an ideal one",
                 controlDelay);
    cmd.AddValue("traces",
                 "packets: write pcap, ascii and FlowMonitor files of the first run",
                 traces);
    cmd.AddValue("output", "folder of the results", output);
    cmd.AddValue("sweep",
                 "look for the best form of each rule on other streams, and compare those",
                 sweep);
    cmd.AddValue("sweepRuns", "streams to look for the best forms on", sweepRuns);
    cmd.AddValue("train", "train a policy for each topology in place of comparing", train);
    cmd.AddValue("recipe",
                 "training: learner and network by one name, evolution (of a linear policy) or ppo "
                 "(of a graph network)",
                 recipe);
    cmd.AddValue("learner",
                 "training: name of a learner, Attributes in brackets (default: the recipe's)",
                 learner);
    cmd.AddValue("network",
                 "training: name of a network, options in brackets, or Linear, which "
                 "EvolutionLearner alone learns (default: the recipe's)",
                 network);
    cmd.AddValue("state", "training: what is observed of servers, Placement or Paper", state);
    cmd.AddValue("generations", "training by evolution: generations in all", generations);
    cmd.AddValue("trainDecisions",
                 "training by any other learner: decisions in all",
                 trainDecisions);
    cmd.AddValue("trainRequests", "training: requests of an episode", trainRequests);
    cmd.AddValue("cloneDecisions",
                 "training: decisions of tetris-tuned to imitate first",
                 cloneDecisions);
    cmd.AddValue("learningRate", "training: step size at the start", learningRate);
    cmd.AddValue("routing", "training: Hops, LeastFree or LeastUsed", routing);
    cmd.AddValue("resume", "training: go on where the checkpoint's run was interrupted", resume);
    cmd.Parse();
    command = cmd.GetCommand();

    OdcnCommandLine::Check(load > 0 && load <= 100, "load", load, "a number above 0, 100 at most");
    OdcnCommandLine::Check(requests >= 1, "requests", requests, "1 or more");
    OdcnCommandLine::Check(last >= 1, "last", last, "1 or more");
    OdcnCommandLine::Check(runs >= 1, "runs", runs, "1 or more");
    OdcnCommandLine::Check(sweepRuns >= 1, "sweepRuns", sweepRuns, "1 or more");
    OdcnCommandLine::Check(trainDecisions >= 1, "trainDecisions", trainDecisions, "1 or more");
    OdcnCommandLine::CheckWord("recipe", recipe, {"evolution", "ppo"});
    OdcnCommandLine::CheckWord("state", state, {"Placement", "Paper"});
    OdcnCommandLine::Check(generations >= 1, "generations", generations, "1 or more");
    OdcnCommandLine::Check(trainRequests >= 1, "trainRequests", trainRequests, "1 or more");
    OdcnCommandLine::Check(learningRate > 0 && learningRate <= 1,
                           "learningRate",
                           learningRate,
                           "above 0, 1 at most");
    OdcnCommandLine::CheckWord("routing", routing, {"Hops", "LeastFree", "LeastUsed"});
    OdcnCommandLine::Check(!train || !checkpoint.empty(),
                           "checkpoint",
                           checkpoint,
                           "a file to write the policy to");
    OdcnCommandLine::Check(!train || requestsFile.empty(),
                           "requestsFile",
                           requestsFile,
                           "none: policies are trained on drawn requests");
    OdcnCommandLine::Check(!train || checkpoint.find('%') != std::string::npos ||
                               GetTopologies().size() == 1,
                           "checkpoint",
                           checkpoint,
                           "a % that stands for the topology, since there are several");
    OdcnCommandLine::Check(packets <= requests,
                           "packets",
                           packets,
                           "at most as many windows as requests");
    OdcnCommandLine::Check(packetLoad > 0 && packetLoad <= 100,
                           "packetLoad",
                           packetLoad,
                           "above 0, 100 at most");
    OdcnCommandLine::Check(packetSize >= OdcnJobFlowApplication::LEAST_SIZE && packetSize <= 1500,
                           "packetSize",
                           packetSize,
                           "44 to 1500 bytes");
    OdcnCommandLine::Check(IsRate(channelRate),
                           "channelRate",
                           channelRate,
                           "a rate above 0, such as 40Gbps");
    OdcnCommandLine::Check(!traces || packets > 0, "traces", "1", "packets");
    OdcnCommandLine::CheckWord("mask", mask, {"Useful", "Connected"});
    OdcnCommandLine::Check(
        OdcnCommandLine::ParseTime(packetTime, "packetTime").IsStrictlyPositive(),
        "packetTime",
        packetTime,
        "above 0");
    OdcnCommandLine::ParseTime(switchDelay, "switchDelay");
    OdcnCommandLine::Check(
        !OdcnCommandLine::ParseTime(controlDelay, "controlDelay").IsStrictlyNegative(),
        "controlDelay",
        controlDelay,
        "0us or more");
    for (const auto& topology : GetTopologies())
    {
        if (!train)
        {
            GetSchemes(topology);
        }
        MakeHelper(topology).GetNetwork();
    }
}

std::vector<Topology>
Options::GetTopologies() const
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

std::string
Options::GetPolicies() const
{
    if (!policies.empty())
    {
        return policies;
    }
    const auto topologies = GetTopologies();
    const bool isTrained =
        std::all_of(topologies.begin(),
                    topologies.end(),
                    [&](const Topology& topology)
                    { return std::filesystem::is_regular_file(topology.GetFile(linear)); });
    // A sweep brings best forms of its own.
    return std::string("random,nulb,nalb,tetris,") + (sweep ? "" : "tetris-best,") +
           (isTrained ? "linear," : "") + (checkpoint.empty() ? "" : "nara,") + "raw-bound";
}

std::vector<RddcScheme>
Options::GetSchemes(const Topology& topology) const
{
    std::vector<RddcScheme> schemes;
    for (const auto& name : OdcnCommandLine::SplitList(GetPolicies(), "policies"))
    {
        RddcScheme scheme =
            RddcScheme::Find(name == "tetris-best" ? GetBestTetris(topology) : name);
        scheme.name = name;
        OdcnSetCheckpoint(scheme.policy, topology.GetFile(checkpoint));
        OdcnSetLinearFile(scheme.policy, topology.GetFile(linear));
        if (name.find('@') == std::string::npos)
        {
            scheme.routing = GetRouting(scheme.policy, scheme.routing);
        }
        schemes.push_back(scheme);
    }
    return schemes;
}

RddcHelper
Options::MakeHelper(const Topology& topology) const
{
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
    helper.SetProblemAttribute("Mask", StringValue(mask));
    return helper;
}

RequestStreams::RequestStreams(const RddcHelper& helper, const Options& options, uint64_t lastRun)
    : m_helper(helper),
      m_requests(options.requests)
{
    if (!options.requestsFile.empty())
    {
        m_file = helper.ReadRequests(options.requestsFile);
        const uint64_t found = m_file->GetReport().rowsUsed;
        OdcnCommandLine::Check(lastRun <= found / m_requests,
                               "requests",
                               std::to_string(m_requests),
                               "runs up to " + std::to_string(lastRun) + " within " +
                                   std::to_string(found) + " requests of the file");
    }
}

Ptr<RddcRequestSource>
RequestStreams::Create(uint64_t run) const
{
    RngSeedManager::SetRun(run);
    Ptr<RddcRequestSource> source;
    if (m_file)
    {
        source = m_file->CloneFrom((run - 1) * m_requests);
    }
    else
    {
        source = m_helper.CreateRequests();
    }
    source->AssignStreams(0);
    return source;
}

std::pair<Ptr<RddcAllocation>, Ptr<OdcnDecisionPolicy>>
Prepare(const RddcHelper& helper, const RddcScheme& scheme, Ptr<RddcRequestSource> requests)
{
    auto policy = scheme.CreatePolicy();
    policy->AssignStreams(100);
    auto problem = helper.CreateProblem(requests, scheme);
    policy->Configure(*problem);
    return {problem, policy};
}

RddcEvaluation
Evaluate(const RddcHelper& helper,
         const RddcScheme& scheme,
         const Options& options,
         uint64_t firstRun,
         uint32_t runs,
         GrantLog* log)
{
    const uint64_t run = RngSeedManager::GetRun();
    RddcEvaluation evaluation(options.last);
    const RequestStreams streams(helper, options, firstRun + runs - 1);
    for (uint32_t r = 0; r < runs; ++r)
    {
        const auto [problem, policy] = Prepare(helper, scheme, streams.Create(firstRun + r));
        if (log)
        {
            log->Attach(*problem);
        }
        evaluation.Run(*problem, *policy);
    }
    RngSeedManager::SetRun(run);
    return evaluation;
}

Report::Report(const Options& options)
    : m_options(options)
{
}

void
Report::Add(const Topology& topology,
            const RddcScheme& scheme,
            RddcEvaluation evaluation,
            GrantLog log)
{
    m_rows.push_back({topology.GetLabel(), scheme, std::move(evaluation), std::move(log)});
}

const Report::Row*
Report::BestRule(const std::string& topology) const
{
    const Row* best = nullptr;
    for (const auto& row : m_rows)
    {
        const auto acceptance = [](const Row& r)
        { return r.evaluation.GetMean(Figure::ACCEPTANCE).mean; };
        const bool rule = row.scheme.connectivity != "NoPairs" && !OdcnIsTrained(row.scheme.policy);
        if (row.topology == topology && rule && (!best || acceptance(row) > acceptance(*best)))
        {
            best = &row;
        }
    }
    return best;
}

void
Report::WriteSummary(const std::string& path) const
{
    std::vector<std::string> columns{"topology", "policy", "form", "routing", "runs"};
    const auto add = [&](const std::string& name)
    {
        for (const char* part : {"", "_lower", "_upper"})
        {
            columns.push_back(name + part);
        }
    };
    for (int figure = 0; figure < Figure::FIGURES; ++figure)
    {
        add(RddcEvaluation::GetName(static_cast<Figure>(figure)));
    }
    for (const Figure figure : COMPARED)
    {
        add(std::string(RddcEvaluation::GetName(figure)) + "_minus_best_rule");
    }
    OdcnCsvWriter csv(path, columns);
    const auto put = [&](const OdcnEstimate& e) { csv.Cell(e.mean).Cell(e.lower).Cell(e.upper); };
    for (const auto& row : m_rows)
    {
        csv.Cell(row.topology).Cell(row.scheme.name).Cell(OdcnGetForm(row.scheme.policy));
        csv.Cell(row.scheme.routing).Cell(row.evaluation.GetEpisodes().size());
        for (int figure = 0; figure < Figure::FIGURES; ++figure)
        {
            put(row.evaluation.GetMean(static_cast<Figure>(figure)));
        }
        const Row* best = BestRule(row.topology);
        for (const Figure figure : COMPARED)
        {
            put(row.evaluation.GetDifference(figure, (best ? *best : row).evaluation));
        }
        csv.EndRow();
    }
    csv.Commit();
}

void
Report::WriteRuns(const std::string& path) const
{
    std::vector<std::string> columns{"topology", "policy", "run"};
    for (int figure = 0; figure < Figure::FIGURES; ++figure)
    {
        columns.emplace_back(RddcEvaluation::GetName(static_cast<Figure>(figure)));
    }
    OdcnCsvWriter csv(path, columns);
    for (const auto& row : m_rows)
    {
        uint64_t run = RngSeedManager::GetRun();
        for (const auto& episode : row.evaluation.GetEpisodes())
        {
            csv.Cell(row.topology).Cell(row.scheme.name).Cell(run++);
            for (const double value : episode)
            {
                csv.Cell(value);
            }
            csv.EndRow();
        }
    }
    csv.Commit();
}

void
Report::WriteGrants(OdcnOutputFiles& files) const
{
    const auto write = [&](const char* name, const char* what, std::size_t kind, auto rows)
    {
        std::vector<std::string> columns{"topology", "policy"};
        const auto& more = GrantLog::GetColumns()[kind];
        columns.insert(columns.end(), more.begin(), more.end());
        OdcnCsvWriter csv(files.Path(name), columns);
        for (const auto& row : m_rows)
        {
            (row.log.*rows)(csv, row.topology, row.scheme.name);
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

void
Report::Print(std::ostream& os) const
{
    const uint64_t run = RngSeedManager::GetRun();
    os << "\n"
       << m_options.clusters << " clusters x " << m_options.racks << " racks x "
       << m_options.servers << " servers, load " << m_options.load << ", " << m_options.runs
       << " runs of " << m_options.requests << " requests, mask " << m_options.mask << ", seed "
       << RngSeedManager::GetSeed() << ", runs " << run << " to " << run + m_options.runs - 1
       << ".\n";
    if (!m_options.requestsFile.empty())
    {
        os << "Requests of " << m_options.requestsFile << ", run k the k-th " << m_options.requests
           << ":\n";
        m_options.MakeHelper(m_options.GetTopologies().front())
            .ReadRequests(m_options.requestsFile)
            ->GetReport()
            .Print(os);
    }
    os << "Topology: channels of a server / oversubscription from bottom to top. Intervals: 95 "
          "%.\n\n";
    OdcnTable table({"topology",
                     "policy",
                     "accepted\n%",
                     "vs best rule\npoints",
                     "CPU\n%",
                     "memory\n%",
                     "tier 1\n%",
                     "tier 2\n%",
                     "tier 3\n%",
                     "servers\nper grant",
                     "racks\nper grant"});
    std::string before;
    for (const auto& row : m_rows)
    {
        if (!before.empty() && before != row.topology)
        {
            table.AddRule();
        }
        before = row.topology;
        const auto mean = [&](Figure figure, double scale)
        { return OdcnFormatEstimate(row.evaluation.GetMean(figure), scale); };
        const Row* best = BestRule(row.topology);
        const bool bound = row.scheme.connectivity == "NoPairs";
        const bool compared = best && best != &row && !bound;
        std::string difference = bound ? "no network" : "best rule";
        if (compared)
        {
            difference = OdcnFormatEstimate(
                row.evaluation.GetDifference(Figure::ACCEPTANCE, best->evaluation),
                100);
        }
        table.AddRow({row.topology,
                      row.scheme.name,
                      mean(Figure::ACCEPTANCE, 100),
                      difference,
                      mean(Figure::CPU_USE, 100),
                      mean(Figure::MEMORY_USE, 100),
                      mean(Figure::TIER_1_USE, 100),
                      mean(Figure::TIER_2_USE, 100),
                      mean(Figure::TIER_3_USE, 100),
                      mean(Figure::SERVERS, 1),
                      mean(Figure::RACKS, 1)});
    }
    table.Print(os);
}
