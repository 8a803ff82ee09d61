// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-report.h"

#include "odcn-drl-scheduling-run.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

void
Options::Parse(int argc, char* argv[])
{
    OdcnCommandLine cmd(argc,
                        argv,
                        "Jobs on an optical data centre, placed by rules and by a learning agent.");
    cmd.AddValue("load", "mean job duration in units of the mean gap between arrivals", load);
    cmd.AddValue("tors", "racks, each with a ToR switch", tors);
    cmd.AddValue("ports", "uplinks of a ToR switch; 0 for tors - 1", ports);
    cmd.AddValue("servers", "servers of a rack", servers);
    cmd.AddValue("pattern",
                 "who talks to whom in a job: ring, bidirectional-ring, tree, star, random-p, "
                 "full-mesh",
                 pattern);
    cmd.AddValue("placement", "server within a rack: Balanced, BestFit, FirstFit", placement);
    cmd.AddValue("jobs", "counted jobs of a replication", jobs);
    cmd.AddValue("warmUp", "jobs decided before counting begins", warmUp);
    cmd.AddValue("replications", "independent job streams; --RngRun is the first", replications);
    cmd.AddValue("policies",
                 "comma-separated names, or TypeIds of policies with Attributes in brackets",
                 policies);
    cmd.AddValue("packets",
                 "who runs the packets: ns3 (sockets and devices), exact (the same packets without "
                 "events, much faster) or formula (nobody: latency of the closed form alone)",
                 packets);
    cmd.AddValue("windows", "measurement windows, in which packets run", windows);
    cmd.AddValue("windowWarmUp", "part of a window that is not measured", windowWarmUp);
    cmd.AddValue("windowLength", "part of a window that is measured", windowLength);
    cmd.AddValue("jobFile", "take the jobs from this file", jobFile);
    cmd.AddValue("format", "format of jobFile: odcn or alibaba-2018", format);
    cmd.AddValue("saveJobs", "write the first replication's jobs to this file", saveJobs);
    cmd.AddValue("output", "folder of the results", output);
    cmd.AddValue("pcap", "whether to write a pcap file, with --packets=ns3", pcap);
    cmd.AddValue("flowMonitor",
                 "whether to write FlowMonitor's XML, with --packets=ns3",
                 flowMonitor);
    cmd.AddValue("checkpoint", "the agent drl: read, or with --train written", checkpoint);
    cmd.AddValue("linear", "the weights of the policy linear", linear);
    cmd.AddValue("train", "train an agent instead of evaluating", train);
    cmd.AddValue(
        "recipe",
        "training: ppo (one network for all patterns), odcn (clone a rule, then A2C), paper "
        "(its hyper-parameters as they stand), mended (what keeps those from collapsing) or "
        "evolution (of a weighted sum); the options below replace parts of it",
        recipe);
    cmd.AddValue("learner",
                 "training: a learner with Attributes in brackets, e.g. PpoLearner[Gamma=0.95]",
                 learner);
    cmd.AddValue("network",
                 "training: a network with options in brackets, e.g. Mlp[layers=5|units=128]",
                 network);
    cmd.AddValue("teacher", "training: policy that is cloned, or fills data centres", teacher);
    cmd.AddValue("state", "training: Paper or Placement", state);
    cmd.AddValue("trainPatterns", "training: patterns of jobs, between commas", trainPatterns);
    cmd.AddValue("trainLoads", "training: loads, between commas", trainLoads);
    cmd.AddValue("trainJobs", "training: jobs in all", trainJobs);
    cmd.AddValue("environments", "training: data centres side by side", environments);
    cmd.AddValue("cloneDecisions", "training: decisions of the teacher to clone", cloneDecisions);
    cmd.AddValue("evaluationDecisions",
                 "training: decisions of each evaluation problem",
                 evaluationDecisions);
    cmd.AddValue("generations", "training by evolution: number of generations", generations);
    cmd.AddValue("alpha", "training: alpha of Eq. 1, the weight of latency, in ns", alpha);
    cmd.AddValue("phiReconf", "training: Phi_reconf, the cost of a reconfiguration", phiReconf);
    cmd.AddValue("charge", "training: Phi_reconf is charged OnceAJob or EachStep", charge);
    cmd.AddValue("resume", "training: go on where the checkpoint's run was interrupted", resume);
    cmd.Parse();
    command = cmd.GetCommand();

    OdcnCommandLine::Check(std::isfinite(load) && load > 0, "load", load, "a number above 0");
    OdcnCommandLine::Check(tors >= 1 && tors <= 4096, "tors", tors, "1 to 4096");
    OdcnCommandLine::Check(servers >= 1 && servers <= 4096, "servers", servers, "1 to 4096");
    OdcnCommandLine::Check(jobs >= 1, "jobs", jobs, "1 or more");
    OdcnCommandLine::Check(replications >= 1, "replications", replications, "1 or more");
    OdcnCommandLine::CheckWord("packets", packets, {"ns3", "exact", "formula"});
    OdcnCommandLine::Check(!HasWindows() || windows >= 1, "windows", windows, "1 or more");
    OdcnCommandLine::Check(!HasWindows() || windows <= jobs,
                           "windows",
                           windows,
                           "at most the number of jobs");
    OdcnCommandLine::Check(!HasWindows() || tors >= 2,
                           "tors",
                           tors,
                           "2 or more, or --packets=formula");
    OdcnCommandLine::CheckWord("format", format, {"odcn", "alibaba-2018"});
    OdcnCommandLine::CheckWord("recipe", recipe, {"ppo", "odcn", "paper", "mended", "evolution"});
    OdcnCommandLine::Check(state.empty() || state == "Paper" || state == "Placement",
                           "state",
                           state,
                           "Paper or Placement");
    OdcnCommandLine::Check(std::isfinite(alpha) && (alpha >= 0 || alpha == -1),
                           "alpha",
                           alpha,
                           "0 or more");
    OdcnCommandLine::CheckWord("placement", placement, {"Balanced", "BestFit", "FirstFit"});
    OdcnCommandLine::Check(std::isfinite(phiReconf) && phiReconf >= 0,
                           "phiReconf",
                           phiReconf,
                           "0 or more");
    OdcnCommandLine::Check(charge.empty() || charge == "OnceAJob" || charge == "EachStep",
                           "charge",
                           charge,
                           "OnceAJob or EachStep");
    for (const auto& [option, value] :
         {std::pair{"windowWarmUp", windowWarmUp}, std::pair{"windowLength", windowLength}})
    {
        OdcnCommandLine::ParseTime(value, option);
    }
    OdcnCommandLine::Check(Time(windowLength).IsStrictlyPositive(),
                           "windowLength",
                           windowLength,
                           "above 0");
    GetPolicies();
}

std::vector<std::string>
Options::GetPolicies() const
{
    return OdcnCommandLine::SplitList(policies, "policies");
}

Ptr<OdcnJobSource>
MakeGenerator(const Options& options)
{
    auto jobs = CreateObject<OdcnJobGenerator>();
    std::ostringstream duration;
    duration << "ns3::ExponentialRandomVariable[Mean=" << options.load << "]";
    jobs->SetAttribute("Duration", StringValue(duration.str()));
    jobs->SetAttribute("Pattern", StringValue(options.pattern));
    return jobs;
}

Report::Report(const Options& options)
    : m_options(options)
{
}

void
Report::Add(const OdcnScheme& scheme, OdcnEvaluation evaluation)
{
    m_rows.push_back({scheme, std::move(evaluation)});
}

void
Report::SetWindows(const OdcnWindowRecorder& windows)
{
    m_windows = &windows;
}

const Report::Row*
Report::BestRule() const
{
    const Row* best = nullptr;
    for (const auto& row : m_rows)
    {
        const bool rule = row.scheme.policy.rfind(ODCN_AGENT_POLICY, 0) != 0;
        if (rule &&
            (!best || row.evaluation.GetBlocking().mean < best->evaluation.GetBlocking().mean))
        {
            best = &row;
        }
    }
    return best;
}

void
Report::Write(const std::string& path) const
{
    std::vector<std::string> columns{"policy", "jobs"};
    for (std::size_t i = 0; i < ODCN_OUTCOMES; ++i)
    {
        std::string name = OdcnOutcomeName(static_cast<OdcnOutcome>(i));
        std::replace(name.begin(), name.end(), '-', '_');
        columns.push_back(name);
    }
    for (const char* name : {"blocking",
                             "blocking_minus_best_rule",
                             "reconfigurations_per_job",
                             "changed_circuits_per_job",
                             "cpu_utilisation",
                             "ram_utilisation",
                             "disk_utilisation",
                             "estimated_latency_ns",
                             "estimated_loss",
                             "packet_latency_ns",
                             "packet_p99_ns",
                             "packet_loss",
                             "packet_drift"})
    {
        columns.emplace_back(name);
        columns.push_back(std::string(name) + "_lower");
        columns.push_back(std::string(name) + "_upper");
    }
    OdcnCsvWriter csv(path, columns);
    constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
    const OdcnEstimate none{UNKNOWN, UNKNOWN, UNKNOWN, 0};
    const auto put = [&csv](const OdcnEstimate& e)
    { csv.Cell(e.mean).Cell(e.lower).Cell(e.upper); };
    const Row* best = BestRule();
    for (const auto& row : m_rows)
    {
        const OdcnCounters totals = row.evaluation.GetTotals();
        csv.Cell(row.scheme.name).Cell(totals.Offered());
        for (const uint64_t n : totals.outcome)
        {
            csv.Cell(n);
        }
        put(row.evaluation.GetBlocking());
        put(best ? row.evaluation.GetBlockingDifference(best->evaluation) : none);
        put(row.evaluation.GetReconfigurations());
        put(row.evaluation.GetChangedCircuits());
        for (std::size_t kind = 0; kind < OdcnResources::KINDS; ++kind)
        {
            put(row.evaluation.GetUtilisation(kind));
        }
        put(row.evaluation.GetLatencyNs());
        put(row.evaluation.GetLoss());
        put(m_windows ? m_windows->GetLatencyNs(row.scheme.name) : none);
        put(m_windows ? m_windows->GetQuantileNs(row.scheme.name, 0.99) : none);
        put(m_windows ? m_windows->GetLoss(row.scheme.name) : none);
        put(m_windows ? m_windows->GetDrift(row.scheme.name) : none);
        csv.EndRow();
    }
    csv.Commit();
}

void
Report::Print(std::ostream& os) const
{
    const uint64_t run = RngSeedManager::GetRun();
    os << "\n" << m_options.tors << " racks x " << m_options.servers << " servers, ";
    if (m_options.jobFile.empty())
    {
        os << "load " << m_options.load << ", pattern " << m_options.pattern << ", ";
    }
    else
    {
        os << "jobs of " << m_options.jobFile << ", ";
    }
    os << m_options.replications << " x " << m_options.jobs << " jobs after " << m_options.warmUp
       << ", seed " << RngSeedManager::GetSeed() << ", runs " << run << " to "
       << run + m_options.replications - 1 << ". Intervals: 95 %.\n\n";

    const Row* best = BestRule();
    OdcnTable jobs({"policy",
                    "blocking\n%",
                    "vs best rule\npoints",
                    "reconfigs\nper job",
                    "latency (est.)\nns",
                    "CPU\n%",
                    "RAM\n%",
                    "disk\n%"});
    for (const auto& row : m_rows)
    {
        const auto& e = row.evaluation;
        jobs.AddRow(
            {row.scheme.name,
             OdcnFormatEstimate(e.GetBlocking(), 100),
             !best          ? "-"
             : &row == best ? "best rule"
                            : OdcnFormatEstimate(e.GetBlockingDifference(best->evaluation), 100),
             row.scheme.reconfigurable ? OdcnFormatEstimate(e.GetReconfigurations()) : "fixed",
             OdcnFormatEstimate(e.GetLatencyNs()),
             OdcnFormatEstimate(e.GetUtilisation(0), 100),
             OdcnFormatEstimate(e.GetUtilisation(1), 100),
             OdcnFormatEstimate(e.GetUtilisation(2), 100)});
    }
    if (m_options.jobFile.empty())
    {
        const OdcnKaufmanRoberts bound = MakeBound(m_options);
        jobs.AddRule();
        jobs.AddRow({"least possible (Kaufman-Roberts)",
                     OdcnFormatFixed(100 * bound.GetBlocking(), 3),
                     "",
                     "",
                     "",
                     OdcnFormatFixed(100 * bound.GetUtilization(), 2)});
    }
    os << "Job level\n";
    jobs.Print(os);
    if (!m_windows)
    {
        return;
    }
    OdcnTable packets({"policy",
                       "windows",
                       "packets\nmeasured",
                       "latency\nns",
                       "p50\nns",
                       "p99\nns",
                       "p99.9\nns",
                       "loss\n%",
                       "drift\n%",
                       "closed form\nns",
                       "closed form\nloss %"});
    uint64_t unbalanced = 0;
    for (const auto& row : m_rows)
    {
        const std::string& name = row.scheme.name;
        // The closed form knows the circuits; the servers' links and the fibres add to it.
        const double formulaNs = m_windows->GetFormulaNs(name) + m_windows->GetLinksNs(name);
        packets.AddRow({name,
                        std::to_string(m_windows->GetNWindows(name)),
                        std::to_string(m_windows->GetTotal(name).measuredReceived),
                        OdcnFormatEstimate(m_windows->GetLatencyNs(name)),
                        OdcnFormatEstimate(m_windows->GetQuantileNs(name, 0.5)),
                        OdcnFormatEstimate(m_windows->GetQuantileNs(name, 0.99)),
                        OdcnFormatEstimate(m_windows->GetQuantileNs(name, 0.999)),
                        OdcnFormatEstimate(m_windows->GetLoss(name), 100),
                        OdcnFormatEstimate(m_windows->GetDrift(name), 100),
                        OdcnFormatFixed(formulaNs, 1),
                        OdcnFormatFixed(100 * m_windows->GetFormulaLoss(name), 4)});
        unbalanced += m_windows->GetUnbalanced(name);
    }
    os << "\nPackets between racks, one way from socket to socket\n";
    packets.Print(os);
    os << "sent = received + dropped by cause + in flight in "
       << (unbalanced ? "all windows but " + std::to_string(unbalanced) : "every window") << ".\n";
}
