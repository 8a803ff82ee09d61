// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training jobs that share a fabric, on designs side by side, one rank a server.
 *
 * Jobs of the models named come at random times, wait for servers, compute and send, and leave.
 * The table tells how long they took, and the time along their critical paths by cause. Beside it
 * stand two least times of each job alone: of its computations, and by the alpha-beta model; and
 * the critical path of an iteration.
 *
 *     ./ns3 run training-jobs
 *     ./ns3 run "training-jobs --designs=rotornet-direct,fat-tree --jobs=20 --queue=backfill"
 *     ./ns3 run "training-jobs --models=llama-7b --engine=flows --designs=ideal --gbps=400"
 *     ./ns3 run "training-jobs --engine=packets --designs=opera --jobs=2"
 *     ./ns3 run "training-jobs --designs=proposals --darks=1us,1ms,1s --engine=any --limit=1e6"
 *     ./ns3 run "training-jobs --files=trace.0.et,workload.txt --designs=opera --engine=packets"
 */

#include "training-end.h"
#include "training-kept.h"
#include "training-where.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-meter.h"
#include "ns3/odcn-fabric-parts.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-jobs-helper.h"
#include "ns3/odcn-training-jobs-run.h"
#include "ns3/odcn-training-scheduler.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

// With as many ports of a rack as optical designs have, for tables of proposals.
ODCN_REGISTER_DESIGN(StaticExpander,
                     "static-expander",
                     "ExpanderSchedule;ExpanderRouting;named",
                     "static random circuits, shortest paths")
ODCN_REGISTER_DESIGN(TopoOptLike,
                     "topoopt-like",
                     "TrainingController[Rule=PerJobRule[Rings=totient]];"
                     "ExpanderRouting[MaxHops=255];named",
                     "circuits for each job, rings of different strides, shortest paths")
ODCN_REGISTER_DESIGN(PerJob,
                     "per-job",
                     "TrainingController[Rule=PerJobRule];ExpanderRouting[MaxHops=255];named",
                     "circuits for each job, rings of its collectives, shortest paths")
ODCN_REGISTER_DESIGN(MixNetLike,
                     "mixnet-like",
                     "TrainingController[Rule=PerIterationRule];ExpanderRouting[MaxHops=255];named",
                     "circuits for each iteration's exchanges, shortest paths")
ODCN_REGISTER_DESIGN(OpusLike,
                     "opus-like",
                     "TrainingController[Rule=PerPhaseRule];DirectRouting;named",
                     "circuits for each phase of parallelism, one hop")
ODCN_REGISTER_DESIGN(HarvestLike,
                     "harvest-like",
                     "TrainingController[Rule=PerStepRule];DirectRouting;named",
                     "circuits for each step of collectives, one hop")

ODCN_REGISTER_DESIGN(LeastTime,
                     "least-time",
                     "TrainingController[Rule=LeastTimeRule];ExpanderRouting[MaxHops=255];named",
                     "circuits that are set, or for a job, iteration, phase or step, by estimate")

ODCN_REGISTER_DESIGN(Learned,
                     "learned",
                     "TrainingController[Rule=LearnedRule];ExpanderRouting[MaxHops=255];named",
                     "the same circuits by a trained policy, data/linear-circuits.json")

/// File of runs that have finished, in the folder of an interrupted run.
constexpr const char* KEPT = "runs.txt";

/// Designs that --designs=proposals means.
constexpr const char* PROPOSALS =
    "static-expander,torus,rotornet-direct,opera,topoopt-like,per-job,"
    "mixnet-like,opus-like,harvest-like,least-time,learned,hybrid,fat-tree,clos-3:1";

/// Options of the program.
struct TrainingOptions : FabricSize, TrainingJobsSetting
{
    std::string designs{"ideal,fat-tree,expander,rotornet-direct"}; //!< names, all or none
    std::string own;                                                //!< texts of more designs
    std::string darks;                                              //!< dark times, each run
    std::string engine{"flows"};         //!< flows, exact, packets or any
    std::string modelNames{"mini-gpt"};  //!< names of models, of which jobs take one in turn
    std::string fileNames;               //!< files of jobs, in place of models
    std::string queue{"first-come"};     //!< TrainingCluster::Queue
    uint32_t checkpoint{0};              //!< TrainingCluster::CheckpointIterations
    double checkpointTime{0};            //!< TrainingCluster::CheckpointTime, ms
    double restartTime{0};               //!< TrainingCluster::RestartTime, ms
    bool migration{false};               //!< TrainingCluster::Migration
    double failures{0};                  //!< mean time between failures of a server, s; 0: never
    double repair{0};                    //!< mean time of its repair, s
    uint32_t rounds{0};                  //!< TrainingRun::RingRounds
    bool allRanks{false};                //!< whether not to set TrainingRun::Symmetric
    uint32_t pathIterations{2};          //!< TrainingRun::PathIterations of the first run
    uint64_t shortFlows{100000};         //!< FlowApplication::ShortFlows
    uint32_t replications{3};            //!< runs of each design
    double limit{100};                   //!< longest simulated time of a run, s
    std::string parts;                   //!< table of FabricParts; "" for that of data/
    std::string output{"training-jobs"}; //!< folder of the results
    RunReport report;                    //!< the report

    /// @param cmd command line, which gets the options
    void Add(OdcnCommandLine& cmd);

    /// @return a scheduler with messages and decisions that take time; null if these take none
    static Ptr<TrainingScheduler> MakeScheduler();
};

Ptr<TrainingScheduler>
TrainingOptions::MakeScheduler()
{
    const auto management = CreateObject<ManagementNetwork>();
    const auto scheduler = CreateObject<TrainingScheduler>();
    if (GetAttributeOf<TimeValue>(*management, "Delay").IsStrictlyPositive())
    {
        scheduler->SetManagement(management); // its own one is ideal
    }
    else if (GetAttributeOf<TimeValue>(*scheduler, "DecisionTime").IsZero())
    {
        return nullptr;
    }
    return scheduler;
}

void
TrainingOptions::Add(OdcnCommandLine& cmd)
{
    AddOptions(cmd);
    cmd.SetGroup("Jobs");
    cmd.AddValue("models", "Names of models, which jobs take in turn", modelNames);
    cmd.AddValue("layers", "Layers of a model; 0 for all of them", layers);
    cmd.AddValue("files",
                 "Files in place of models: Chakra's (PREFIX.0.et or PREFIX), AICB, GOAL or CSV",
                 fileNames);
    cmd.AddValue("ranks", "Ranks of a file that does not say them; 0: as it says", read.ranks);
    cmd.AddValue("groups", "Chakra: JSON file with the ranks of each group", read.groups);
    cmd.AddValue("controlDependencies",
                 "Chakra: also wait for control dependencies",
                 read.controlDependencies);
    cmd.AddRange("jobs", "Jobs of a run", jobs, 1U, 100000U);
    cmd.AddRange("iterations", "Iterations of a job", iterations, 1U, 1000000U);
    cmd.AddRange("arrival", "Mean time between jobs, ms; 0 for all at once", arrival, 0.0, 1e9);
    how.data = 4;
    how.tensor = 2;
    how.length = 64;
    how.flops = 1e12;
    cmd.AddRange("data", "Copies of a model", how.data, 1U, 65536U);
    cmd.AddRange("tensor", "Ranks that share a layer", how.tensor, 1U, 65536U);
    cmd.AddRange("pipeline", "Stages of layers", how.pipeline, 1U, 65536U);
    cmd.AddRange("context", "Ranks that share a sequence", how.context, 1U, 65536U);
    cmd.AddRange("expert", "Ranks that share the experts", how.expert, 1U, 65536U);
    cmd.AddRange("expertSkew",
                 "Exponent of Zipf's law of the tokens of experts; 0 for evenly",
                 how.expertSkew,
                 0.0,
                 10.0);
    cmd.AddRange("expertDrift",
                 "Probability that an expert changes places with another before an iteration",
                 how.expertDrift,
                 0.0,
                 1.0);
    cmd.AddRange("microBatches", "Passes of an iteration", how.microBatches, 1U, 65536U);
    cmd.AddRange("sequences", "Sequences of a micro batch", how.sequences, 1U, 65536U);
    cmd.AddRange("length", "Tokens of a sequence", how.length, 1U, 1U << 30);
    cmd.AddRange("flops", "Floating-point operations of a rank a second", how.flops, 1.0, 1e21);
    cmd.Restrict({"models",
                  "layers",
                  "data",
                  "tensor",
                  "pipeline",
                  "context",
                  "expert",
                  "expertSkew",
                  "expertDrift",
                  "microBatches",
                  "sequences",
                  "length",
                  "flops"},
                 {"!files"});
    cmd.Restrict({"ranks", "groups", "controlDependencies"}, {"files"});
    cmd.SetGroup("Cluster");
    cmd.AddWord("queue",
                "Order in which jobs start",
                queue,
                {"first-come", "backfill", "priority", "shortest-remaining"});
    cmd.AddValue("placement",
                 "Servers of a job: " + JoinWords(TrainingPlacement::GetNames()) +
                     ", or a type with Attributes",
                 placement);
    cmd.AddRange("priorities",
                 "Priorities 0, 1, ..., which jobs take in turn, for --queue=priority",
                 priorities,
                 1U,
                 1000U);
    cmd.AddValue("checkpoint", "Iterations between checkpoints of a job; 0 for none", checkpoint);
    cmd.AddRange("checkpointTime", "Time of a checkpoint, ms", checkpointTime, 0.0, 1e9);
    cmd.AddRange("restartTime",
                 "Time before a job goes on after a failure, a preemption or a migration, ms",
                 restartTime,
                 0.0,
                 1e9);
    cmd.AddValue("migration", "Move jobs to fewer racks, at checkpoints", migration);
    cmd.AddRange("failures",
                 "Mean time between failures of a server, s, exponential; 0 for never",
                 failures,
                 0.0,
                 1e12);
    cmd.AddRange("repair", "Mean time of a repair, s, exponential", repair, 0.0, 1e12);
    Config::SetDefault("ns3::odcn::ManagementNetwork::Delay", TimeValue(Time(0)));
    Config::SetDefault("ns3::odcn::ManagementNetwork::DataRate", StringValue("10Gbps"));
    cmd.AddValue("decisionTime", "ns3::odcn::TrainingScheduler::DecisionTime");
    cmd.AddValue("controlDelay", "ns3::odcn::ManagementNetwork::Delay");
    const std::vector<std::string> control{"decisionTime", "controlDelay"};
    cmd.Restrict(control, {"engine=flows", "engine=packets", "engine=any"});
    cmd.Restrict(control, {"!failures"});
    cmd.Restrict(control, {"!checkpoint"});
    cmd.Restrict({"checkpointTime", "migration"}, {"checkpoint"});
    cmd.Restrict({"repair"}, {"failures"});
    cmd.AddValue("ringRounds", "Most rounds of a ring, an approximation; 0 for all", rounds);
    cmd.AddValue("allRanks",
                 "Run all ranks of a job on the flow level of ideal, where one may stand for all",
                 allRanks);
    cmd.SetGroup("Comparison");
    cmd.AddValue("designs",
                 "Names of designs separated by commas, all or none; proposals for " +
                     std::string(PROPOSALS),
                 designs);
    cmd.AddValue("own", "More designs: NAME=SCHEDULE;ROUTING, separated by commas", own);
    cmd.AddWord("engine",
                "flows, the flow level; exact, packets without events; packets, in ns-3; any, the "
                "first of them that carries the design",
                engine,
                {"flows", "exact", "packets", "any"});
    cmd.AddValue(
        "darks",
        "Dark times of reconfigurations, such as 1us,1ms,1s, each with slots of ten of it; "
        "designs that never change run once",
        darks);
    cmd.Restrict({"dark", "slot"}, {"!darks"});
    cmd.AddValue("short", "Messages of fewer bytes do not wait in Opera", shortFlows);
    cmd.AddRange("replications", "Runs of each design", replications, 1U, 1000U);
    cmd.AddValue("pathIterations",
                 "First iterations of jobs of the first run whose critical paths are found",
                 pathIterations);
    cmd.AddRange("limit", "Longest simulated time of a run, s", limit, 1e-6, 1e6);
    cmd.AddValue("parts",
                 "Table of parts, their power and price; none for data/fabric-parts.csv",
                 parts);
    cmd.AddValue("output", "Folder of the results", output);
    report.AddOptions(cmd);
}

/// @param values one or more
/// @return their 99th percentile, the nearest rank
double
GetLate(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(0.99 * double(values.size())));
    return values[rank - 1];
}

/// Runs jobs on designs.
class TrainingComparison
{
  public:
    /// @param options of the program
    explicit TrainingComparison(TrainingOptions& options);

    /// Run all, and print and write the results.
    /// @throws OdcnError when jobs do not end
    void Run();

  private:
    /// A kind of job.
    using Kind = TrainingJobsHelper::Kind;

    /// Least times of a run, ms.
    struct Bounds
    {
        std::vector<double> cut{};      //!< mean over jobs alone, by cuts
        std::vector<double> flow{};     //!< by linear programs
        std::vector<double> mean{};     //!< of all jobs together
        std::vector<double> makespan{}; //!< of all jobs together
        std::vector<double> ended{};    //!< when the last job ended
    };

    /// A job that has ended.
    struct JobRow
    {
        std::string design;               //!< its name
        FabricEngine engine;              //!< that ran it
        double dark;                      //!< dark time of the design, us
        uint32_t run;                     //!< its number
        uint32_t job;                     //!< its number in the run
        TrainingCluster::Outcome outcome; //!< without its paths, places and iterations
        FabricLeastTimes::Times bounds;   //!< of it alone
        double energy;                    //!< of its share of the network, J
    };

    /// Messages and decisions of a scheduler.
    using Control = TrainingRecord::Control;

    /// What became of a design.
    struct Result
    {
        FabricEngine engine{FabricEngine::PACKETS}; //!< that ran it
        std::vector<double> means{};                //!< by run: mean time of a job, ms
        std::vector<double> late{};                 //!< by run: 99th percentile, ms
        std::vector<double> exposed{};              //!< by run: mean communication, ms
        std::vector<double> all{};                  //!< times of all jobs, ms
        double slowdown{0};                         //!< sum of times / least times
        TrainingTimes times{};                      //!< of all jobs
        Bounds bounds{};                            //!< by run
        double power{0};                            //!< of the network, W
        double price{0};                            //!< of the network
        double energy{0};                           //!< of the network for all jobs, J
        /// Whether waits for circuits are not known, and count as sharing.
        bool hidesCircuits{false};
        Control control{}; //!< of all runs
    };

    /// @param design that carries them
    /// @param run its number
    /// @return a cluster with its jobs
    Ptr<TrainingCluster> MakeJobs(const FabricDesign& design, uint32_t run) const;
    /// Choose designs, and those with circuits that change for each dark time.
    void ChooseDesigns();
    /// @param design a design
    /// @return the engine that carries it
    FabricEngine ChooseEngine(const FabricDesign& design) const;
    /// Print the table of designs by dark time, and write it.
    /// @param [out] csv gets a line a design and dark time
    void ReportDarks(CsvWriter& csv);
    /// @param design a design
    /// @param run its number
    /// @return whether a run enters its circuits into the report: the first run of an optical
    /// design, with the first of several dark times
    bool Draws(const FabricDesign& design, uint32_t run) const;
    /// @param design a design
    /// @param run its number
    /// @return what a run results in
    TrainingRecord Measure(const FabricDesign& design, uint32_t run);
    /// Enter a run into the results.
    /// @param design a design
    /// @param run its number
    /// @param record what it results in
    /// @param [out] result gets the times
    void Enter(const FabricDesign& design,
               uint32_t run,
               const TrainingRecord& record,
               Result& result);
    /// @return what runs depend on, in a line
    std::string GetKey() const;
    /// Measure all designs, but for runs that were kept.
    void MeasureAll();
    /// Write the jobs of runs that have finished, after a signal or an error.
    /// @return what was kept, for the message
    std::string KeepFinished() const;
    /// @return the columns of summary.csv
    static std::vector<std::string> GetColumns();
    /// @param [out] csv gets a line a job of the runs that have finished
    void WriteRows(CsvWriter& csv) const;
    /// @return a sentence on designs whose waits for circuits are not known; "" if there are none
    std::string DescribeHidden() const;
    /// Find the bounds of a run.
    /// @param design that carried it
    /// @param schedule of its circuits, or null
    /// @param cluster the jobs, which have ended
    /// @param [out] record gets them
    void Bound(const FabricDesign& design,
               const Ptr<CircuitSchedule>& schedule,
               const TrainingCluster& cluster,
               TrainingRecord& record) const;
    /// @return a line feed and what a scheduler takes; "" if it takes no time
    static std::string DescribeControl();
    /// @return the setting, in lines
    std::string Describe() const;
    /// Print the tables, and add them and charts to the report.
    void Report();
    /// Print the table of bounds, and add it to the report.
    void ReportBounds();
    /// Print the table of energy and cost, and add it to the report.
    void ReportParts();
    /// Print the table of messages and decisions of schedulers, if there are any, and add it to the
    /// report.
    void ReportControl();

    TrainingOptions& m_options;          //!< of the program
    FabricParts m_parts;                 //!< of their networks
    std::vector<FabricDesign> m_designs; //!< in the order of the table
    std::vector<std::string> m_darks;    //!< by design: of --darks in us; "" if it never changes
    std::optional<TrainingJobsHelper> m_jobs; //!< makes the jobs
    std::vector<Result> m_results;            //!< by design
    std::string m_key;                        //!< of the runs that are kept, see GetKey()
    std::vector<TrainingRecord> m_records;    //!< runs that have finished, in their order
    std::vector<JobRow> m_rows;               //!< of runs that have finished
    std::optional<TrainingWhere> m_where;     //!< where the time of the jobs of the first run went
    std::optional<Progress> m_progress;       //!< of all runs
    uint64_t m_ended{0};                      //!< jobs of earlier runs
    ReportChart& m_circuits;                  //!< of the first run of each design
    std::set<std::string> m_drawn;            //!< designs with circuits in it
};

TrainingComparison::TrainingComparison(TrainingOptions& options)
    : m_options(options),
      m_parts(options.parts.empty() ? GetDataFile("fabric-parts.csv") : options.parts),
      m_circuits(options.report.AddChart({ReportChart::Kind::CIRCUITS,
                                          "Circuits over time",
                                          "us",
                                          "circuits",
                                          "design",
                                          "First run.",
                                          {}}))
{
    ChooseDesigns();
    if (options.fileNames.empty())
    {
        options.models = OdcnCommandLine::SplitList(options.modelNames, "models");
    }
    else
    {
        options.files = OdcnCommandLine::SplitList(options.fileNames, "files");
    }
    m_jobs.emplace(options, options);
    for (const FabricDesign& design : m_designs)
    {
        const std::string reason = design.WhyNot(ChooseEngine(design));
        OdcnCommandLine::Check(reason.empty(),
                               "engine",
                               options.engine,
                               "one that carries design " + design.GetName() + ": " + reason);
        design.Check(DemandMatrix::Make("uniform", options.racks), 0);
        TrainingPlacement::Create(options.placement)->SetDesign(design);
    }
}

void
TrainingComparison::ChooseDesigns()
{
    TrainingOptions& o = m_options;
    o.designs = o.designs == "proposals" ? PROPOSALS : o.designs;
    if (o.darks.empty())
    {
        m_designs = FabricDesign::Choose(o.designs, o.own, o);
        m_darks.resize(m_designs.size());
        return;
    }
    std::vector<std::vector<std::pair<FabricDesign, std::string>>> known; // by design
    for (const std::string& text : OdcnCommandLine::SplitList(o.darks, "darks"))
    {
        FabricSize size = o;
        size.dark = OdcnCommandLine::ParseTime(text, "darks").GetPicoSeconds() / 1e6;
        size.slot = 10 * size.dark;
        size.Check("--darks: ");
        const std::vector<FabricDesign> designs = FabricDesign::Choose(o.designs, o.own, size);
        known.resize(designs.size());
        for (std::size_t i = 0; i < designs.size(); ++i)
        {
            bool changes = !designs[i].IsElectrical();
            if (designs[i].IsScheduled())
            {
                const auto demand = DemandMatrix::Make("uniform", o.racks);
                const Ptr<CircuitSchedule> schedule = designs[i].MakeSchedule(demand, 0);
                changes = schedule->GetPlane(0).slots.size() > 1;
            }
            if (changes || known[i].empty())
            {
                known[i].emplace_back(designs[i], changes ? FormatNumber(size.dark) : "");
            }
        }
    }
    for (const auto& designs : known)
    {
        for (const auto& [design, dark] : designs)
        {
            m_designs.push_back(design);
            m_darks.push_back(dark);
        }
    }
}

FabricEngine
TrainingComparison::ChooseEngine(const FabricDesign& design) const
{
    if (m_options.engine != "any")
    {
        return FindEngine(m_options.engine);
    }
    for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::EXACT})
    {
        const bool isInTime = engine != FabricEngine::EXACT || !m_options.MakeScheduler();
        if (isInTime && design.WhyNot(engine).empty())
        {
            return engine;
        }
    }
    return FabricEngine::PACKETS;
}

Ptr<TrainingCluster>
TrainingComparison::MakeJobs(const FabricDesign& design, uint32_t run) const
{
    const TrainingOptions& o = m_options;
    const Ptr<TrainingCluster> cluster = m_jobs->MakeCluster(design, ChooseEngine(design));
    cluster->SetAttribute("Queue", StringValue(o.queue));
    cluster->SetAttribute("CheckpointIterations", UintegerValue(o.checkpoint));
    cluster->SetAttribute("CheckpointTime", TimeValue(Seconds(o.checkpointTime * 1e-3)));
    cluster->SetAttribute("RestartTime", TimeValue(Seconds(o.restartTime * 1e-3)));
    cluster->SetAttribute("Migration", BooleanValue(o.migration));
    for (const auto& [name, mean] : {std::pair{"Failures", o.failures}, {"Repairs", o.repair}})
    {
        if (mean > 0)
        {
            const auto variable = CreateObject<ExponentialRandomVariable>();
            variable->SetAttribute("Mean", DoubleValue(mean));
            cluster->SetAttribute(name, PointerValue(variable));
        }
    }
    cluster->SetRunAttribute("RingRounds", UintegerValue(o.rounds));
    if (o.allRanks)
    {
        cluster->SetRunAttribute("Symmetric", BooleanValue(false));
    }
    if (run == 0)
    {
        cluster->SetRunAttribute("PathIterations", UintegerValue(o.pathIterations));
    }
    m_jobs->AddJobs(cluster, run);
    return cluster;
}

void
TrainingComparison::Bound(const FabricDesign& design,
                          const Ptr<CircuitSchedule>& schedule,
                          const TrainingCluster& cluster,
                          TrainingRecord& record) const
{
    const TrainingOptions& o = m_options;
    const FabricLeastTimes fabric(design, schedule);
    std::vector<TrainingBound::Share> shares;
    TrainingBound::Transfer together{"all", DemandMatrix(o.racks), Time::Max(), Time(0)};
    double cut = 0;
    double flow = 0;
    double stayed = 0; // jobs
    Time end;
    for (std::size_t i = 0; i < cluster.GetOutcomes().size(); ++i)
    {
        const TrainingCluster::Outcome& job = cluster.GetOutcomes()[i];
        const auto transfers = TrainingJobsHelper::GetTransfers(job, o);
        FabricLeastTimes::Times& times =
            record.alone.emplace_back(TrainingBound::GetNetworkTimes(transfers, fabric));
        stayed += job.failures + job.preemptions + job.migrations > 0 ? 0 : 1;
        cut += times.cut.GetSeconds() * 1e3;
        flow += times.flow.GetSeconds() * 1e3;
        shares.push_back(
            {job.arrival, job.job->GetNRanks(), m_jobs->GetKind(static_cast<uint32_t>(i)).least});
        end = std::max(end, job.end);
        if (!transfers.empty())
        {
            together.Add(transfers.back().bytes);
            together.before = std::min(together.before, job.arrival);
        }
    }
    const Time network = TrainingBound::GetNetworkTimes({together}, fabric).flow;
    const Time work = TrainingBound::GetMakespan(shares, o.racks * o.servers);
    const Time mean = TrainingBound::GetMeanTime(shares, o.racks * o.servers);
    record.bounds = {cut / std::max(1.0, stayed),
                     flow / std::max(1.0, stayed),
                     mean.GetSeconds() * 1e3,
                     std::max(network, work).GetSeconds() * 1e3,
                     end.GetSeconds() * 1e3};
}

bool
TrainingComparison::Draws(const FabricDesign& design, uint32_t run) const
{
    return run == 0 && m_options.report.IsWanted() && !design.IsElectrical() &&
           !m_drawn.contains(design.GetName());
}

TrainingRecord
TrainingComparison::Measure(const FabricDesign& design, uint32_t run)
{
    const TrainingOptions& o = m_options;
    const FabricEngine engine = ChooseEngine(design);
    TrainingRecord record;
    const Ptr<TrainingCluster> cluster = MakeJobs(design, run);
    TrainingJobsRun jobs(FabricDesignHelper(), design, engine, cluster, run);
    record.engine = static_cast<uint32_t>(engine);
    record.hidesCircuits = jobs.HidesCircuits();
    const Ptr<CircuitSchedule> schedule = jobs.GetSchedule();
    const Ptr<TrainingScheduler> scheduler = TrainingOptions::MakeScheduler();
    const Ptr<ManagementNetwork> management = scheduler ? scheduler->GetManagement() : nullptr;
    TrainingCluster& source = *PeekPointer(cluster);
    const auto ended = [&](const TrainingCluster::Outcome&)
    { m_progress->Update(m_ended + source.CountEnded()); };
    cluster->TraceConnectWithoutContext("Ended",
                                        Callback<void, const TrainingCluster::Outcome&>(ended));
    const bool draws = Draws(design, run);
    std::optional<FabricMeter> meter; // where no schedule tells the circuits
    if (engine == FabricEngine::EXACT)
    {
        jobs.RunExact(o.shortFlows, Seconds(o.limit));
    }
    else
    {
        StopAtEnd(cluster);
        if (draws && design.IsController())
        {
            meter.emplace(jobs.GetNetwork()->GetFabric());
            meter->SetCharts({&m_circuits, nullptr, nullptr}, design.GetName());
        }
        if (scheduler)
        {
            jobs.SetScheduler(scheduler);
        }
        jobs.Start(o.shortFlows);
        Simulator::Stop(Seconds(o.limit));
        Simulator::Run();
    }
    const std::string open = jobs.DescribeUnfinished();
    jobs.End();
    Simulator::Destroy();
    if (!open.empty())
    {
        throw OdcnError(design.GetName() + ", run " + std::to_string(run) + ", within " +
                        FormatNumber(o.limit) + " s (--limit): " + open);
    }
    if (management)
    {
        Control& control = record.control;
        control.decisions = scheduler->GetNDecisions();
        for (const auto& [kind, messages] :
             {std::pair(ManagementNetwork::REQUEST, &Control::requests),
              {ManagementNetwork::REPORT, &Control::reports},
              {ManagementNetwork::COMMAND, &Control::commands}})
        {
            const ManagementNetwork::Counts& counts = management->GetCounts(kind);
            control.*messages += counts.messages;
            control.packets += counts.packets;
            control.bytes += counts.bytes;
        }
    }
    Bound(design, schedule, source, record);
    const auto parts = FabricParts::CountParts(design, schedule);
    record.power = m_parts.GetPower(parts);
    record.price = m_parts.GetPrice(parts);
    record.jobs = source.GetOutcomes();
    if (draws && schedule)
    {
        const auto last =
            std::max_element(record.jobs.begin(),
                             record.jobs.end(),
                             [](const auto& a, const auto& b) { return a.end < b.end; });
        FabricMeter::AddCircuits(m_circuits,
                                 design.GetName(),
                                 *schedule,
                                 NanoSeconds(1) * (o.delay / 2),
                                 last->end);
    }
    m_drawn.insert(design.GetName());
    return record;
}

void
TrainingComparison::Enter(const FabricDesign& design,
                          uint32_t run,
                          const TrainingRecord& record,
                          Result& result)
{
    const TrainingOptions& o = m_options;
    result.engine = static_cast<FabricEngine>(record.engine);
    result.hidesCircuits = record.hidesCircuits;
    result.power = record.power;
    result.price = record.price;
    const TrainingRecord::Bounds& bounds = record.bounds;
    result.bounds.cut.push_back(bounds.cut);
    result.bounds.flow.push_back(bounds.flow);
    result.bounds.mean.push_back(bounds.mean);
    result.bounds.makespan.push_back(bounds.makespan);
    result.bounds.ended.push_back(bounds.ended);
    for (uint64_t Control::*count : {&Control::decisions,
                                     &Control::requests,
                                     &Control::reports,
                                     &Control::commands,
                                     &Control::packets,
                                     &Control::bytes})
    {
        result.control.*count += record.control.*count;
    }
    double sum = 0;
    double least = 0;
    double exposed = 0;
    for (uint32_t i = 0; i < o.jobs; ++i)
    {
        const TrainingCluster::Outcome& job = record.jobs[i];
        const Kind& kind = m_jobs->GetKind(i);
        const Time time = job.end - job.arrival;
        result.all.push_back(time.GetSeconds() * 1e3);
        result.times.Add(job.times);
        const Time held = job.end - job.arrival - job.times.Get(TrainingTimes::QUEUE);
        const double share = double(job.job->GetNRanks()) / (o.racks * o.servers);
        const double energy = result.power * share * held.GetSeconds(); // J
        result.energy += energy;
        sum += result.all.back();
        least += kind.least.GetSeconds() * 1e3;
        JobRow& row = m_rows.emplace_back(JobRow{design.GetName(),
                                                 result.engine,
                                                 design.GetSize().dark,
                                                 run,
                                                 i,
                                                 job,
                                                 record.alone[i],
                                                 energy});
        row.outcome.paths = {};
        row.outcome.places = {};
        row.outcome.iterationEnds = {};
        exposed += job.times.GetCommunication().GetSeconds() * 1e3;
    }
    if (run == 0)
    {
        m_where->Add(design.GetName(), GetName(result.engine), record.jobs);
    }
    result.means.push_back(sum / o.jobs);
    result.late.push_back(GetLate({result.all.end() - o.jobs, result.all.end()}));
    result.exposed.push_back(exposed / o.jobs);
    result.slowdown += sum / least / o.replications;
    m_ended += o.jobs;
}

std::string
TrainingComparison::DescribeHidden() const
{
    std::vector<std::string> names;
    for (std::size_t d = 0; d < m_results.size(); ++d)
    {
        if (m_results[d].hidesCircuits && (names.empty() || names.back() != m_designs[d].GetName()))
        {
            names.push_back(m_designs[d].GetName());
        }
    }
    return names.empty() ? ""
                         : JoinWords(names) + ": waits for circuits and dark time count as "
                                              "sharing, since messages may take several circuits.";
}

std::string
TrainingComparison::DescribeControl()
{
    const Ptr<TrainingScheduler> scheduler = TrainingOptions::MakeScheduler();
    if (!scheduler)
    {
        return "";
    }
    const auto format = [](Time time)
    { return FormatNumber(double(time.GetPicoSeconds()) / 1e6) + " us"; };
    const Ptr<ManagementNetwork> management = scheduler->GetManagement();
    return "\nscheduler: decisions of " +
           format(GetAttributeOf<TimeValue>(*scheduler, "DecisionTime")) +
           (management->IsIdeal() ? ", messages take no time"
                                  : ", messages on a link of " +
                                        format(GetAttributeOf<TimeValue>(*management, "Delay")));
}

std::string
TrainingComparison::Describe() const
{
    const TrainingOptions& o = m_options;
    std::string ranks;
    for (const Kind& kind : m_jobs->GetKinds())
    {
        ranks += (ranks.empty() ? "" : ", ") + std::to_string(kind.job->GetNRanks());
    }
    const std::string size = o.FabricSize::Describe();
    return (o.darks.empty() ? size
                            : size.substr(0, size.find(", slots")) + ", dark " + o.darks +
                                  ", slots of ten times that") +
           "\n" + FormatCount(o.jobs, "job") + " of " + ranks + " ranks, " +
           FormatCount(o.iterations, "iteration") + ", " + o.queue + ", " + o.placement + ", " +
           FormatCount(o.replications, "run") + DescribeControl() + m_jobs->DescribeRead();
}

void
TrainingComparison::ReportBounds()
{
    const std::string title = "Times no run is shorter than, beside its own, ms, means of runs";
    std::cout << "\n" << title << "\n";
    Table table({"Design",
                 "Job alone:\ncut",
                 std::string("Job alone:\n") + (ThroughputBound::HasSolver() ? "flow" : "cut"),
                 "All jobs:\nmean bound",
                 "\nmean",
                 "Makespan:\nbound",
                 "\nmakespan"});
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        const Result& result = m_results[d];
        const Bounds& bounds = result.bounds;
        std::vector<std::string> row{m_designs[d].GetName()};
        for (const auto* values : {&bounds.cut,
                                   &bounds.flow,
                                   &bounds.mean,
                                   &result.means,
                                   &bounds.makespan,
                                   &bounds.ended})
        {
            row.push_back(FormatFixed(std::accumulate(values->begin(), values->end(), 0.0) /
                                          static_cast<double>(values->size()),
                                      3));
        }
        table.AddRow(row);
    }
    table.Print(std::cout);
    m_options.report.AddTable(title, table);
}

void
TrainingComparison::ReportParts()
{
    const std::string title = "Network: power and price of its parts, and energy of the servers' "
                              "share of it";
    std::cout << "\n" << title << "\n";
    const double jobs = double(m_options.jobs) * m_options.replications;
    Table table({"Design", "Power, kW", "Price, k$", "A job, J", "An iteration, J"});
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        const Result& result = m_results[d];
        const double energy = result.energy / jobs;
        table.AddRow({m_designs[d].GetName(),
                      FormatFixed(result.power / 1e3, 3),
                      FormatFixed(result.price / 1e3, 1),
                      FormatFixed(energy, 3),
                      FormatFixed(energy / m_options.iterations, 3)});
    }
    table.Print(std::cout);
    m_options.report.AddTable(title, table);
}

void
TrainingComparison::ReportControl()
{
    if (!TrainingOptions::MakeScheduler())
    {
        return;
    }
    const std::string title = "Scheduler: decisions and messages of a run, means";
    std::cout << "\n" << title << "\n";
    std::vector<std::string> header{"Design"};
    if (!m_options.darks.empty())
    {
        header.emplace_back("Dark, us");
    }
    header.insert(header.end(),
                  {"Decisions", "Requests", "Reports", "Commands", "Packets", "Bytes"});
    Table table(header);
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        const Control& control = m_results[d].control;
        std::vector<std::string> row{m_designs[d].GetName()};
        if (!m_options.darks.empty())
        {
            row.push_back(m_darks[d].empty() ? "any" : m_darks[d]);
        }
        for (const uint64_t count : {control.decisions,
                                     control.requests,
                                     control.reports,
                                     control.commands,
                                     control.packets,
                                     control.bytes})
        {
            row.push_back(FormatFixed(double(count) / m_options.replications, 1));
        }
        table.AddRow(row);
    }
    table.Print(std::cout);
    m_options.report.AddTable(title, table);
}

void
TrainingComparison::Report()
{
    std::cout << Describe() << "\n\nLeast times of a job alone, ms\n";
    Table least({"Model", "Computations", "Alpha-beta"});
    for (const Kind& kind : m_jobs->GetKinds())
    {
        least.AddRow({kind.job->GetName(),
                      FormatFixed(kind.compute.GetSeconds() * 1e3, 3),
                      FormatFixed(kind.least.GetSeconds() * 1e3, 3)});
    }
    least.Print(std::cout);
    const std::string title = "Time of a job, ms (mean and 95 % interval over runs), and where it "
                              "went, % of all jobs' time";
    if (!m_options.darks.empty())
    {
        m_options.report.AddFact("setting", Describe());
        m_options.report.AddTable("Least times of a job alone, ms", least);
        return;
    }
    std::cout << "\n" << title << "\n";
    ReportChart& chart = m_options.report.AddChart({ReportChart::Kind::ESTIMATES,
                                                    "Mean time of a job",
                                                    "",
                                                    "mean time, ms",
                                                    "",
                                                    "Mean and 95 % interval over runs.",
                                                    {}});
    std::vector<std::string> header{"Design", "Engine", "Mean", "p99", "Alpha-\nbeta x"};
    std::vector<TrainingTimes::Part> parts;
    for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
    {
        const auto cause = static_cast<TrainingTimes::Part>(part);
        if (std::any_of(m_results.begin(),
                        m_results.end(),
                        [&](const Result& result)
                        { return result.times.Get(cause).IsStrictlyPositive(); }))
        {
            parts.push_back(cause);
            header.emplace_back(TrainingTimes::GetName(cause));
        }
    }
    Table table(header);
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        const Result& result = m_results[d];
        std::vector<std::string> row{m_designs[d].GetName(),
                                     GetName(result.engine),
                                     FormatEstimate(MeanOfReplications(result.means)),
                                     FormatFixed(GetLate(result.all), 3),
                                     FormatFixed(result.slowdown, 2)};
        for (const TrainingTimes::Part part : parts)
        {
            row.push_back(FormatFixed(100 * result.times.Get(part).GetSeconds() /
                                          result.times.GetSum().GetSeconds(),
                                      1));
        }
        table.AddRow(row);
        chart.AddEstimate("", "", m_designs[d].GetName(), MeanOfReplications(result.means));
    }
    table.Print(std::cout);
    const std::string hidden = DescribeHidden();
    std::cout << hidden << (hidden.empty() ? "" : "\n");
    m_options.report.AddFact("setting", Describe());
    m_options.report.AddTable("Least times of a job alone, ms", least);
    m_options.report.AddTable(title, table, hidden);
    ReportBounds();
    ReportParts();
    ReportControl();
    m_where->Report(m_options.report, hidden);
}

void
TrainingComparison::ReportDarks(CsvWriter& csv)
{
    const TrainingOptions& o = m_options;
    const std::string title = "Time of a job, ms: mean, 99th percentile of a run, exposed "
                              "communication (95 % intervals over runs), and bound of the mean";
    std::cout << "\n" << title << "\n";
    Table table({"Design",
                 "Engine",
                 "Dark, us",
                 "Mean",
                 "p99",
                 "Exposed",
                 "Dark,\n%",
                 "Queue,\n%",
                 "Bound",
                 "A job,\nJ",
                 "Price,\nk$"});
    double compute = 0;
    double least = 0;
    for (uint32_t i = 0; i < o.jobs; ++i)
    {
        compute += m_jobs->GetKind(i).compute.GetSeconds() * 1e3 / o.jobs;
        least += m_jobs->GetKind(i).least.GetSeconds() * 1e3 / o.jobs;
    }
    const auto write = [&](const std::string& design,
                           const std::string& dark,
                           const std::string& engine,
                           const std::vector<Estimate>& estimates,
                           const std::vector<double>& others)
    {
        csv.Cell(design).Cell(dark).Cell(engine);
        for (const Estimate& estimate : estimates)
        {
            csv.Cell(estimate.mean).Cell(estimate.lower).Cell(estimate.upper);
        }
        for (const double value : others)
        {
            csv.Cell(value);
        }
        csv.EndRow();
    };
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        const Result& result = m_results[d];
        const std::vector<Estimate> estimates{MeanOfReplications(result.means),
                                              MeanOfReplications(result.late),
                                              MeanOfReplications(result.exposed)};
        const auto getShare = [&](TrainingTimes::Part part)
        {
            return FormatFixed(100 * result.times.Get(part).GetSeconds() /
                                   result.times.GetSum().GetSeconds(),
                               1);
        };
        const double bound = MeanOfReplications(result.bounds.mean).mean;
        const double energy = result.energy / (double(o.jobs) * o.replications);
        table.AddRow({m_designs[d].GetName(),
                      GetName(result.engine),
                      m_darks[d].empty() ? "any" : m_darks[d],
                      FormatEstimate(estimates[0]),
                      FormatEstimate(estimates[1]),
                      FormatEstimate(estimates[2]),
                      result.hidesCircuits ? "" : getShare(TrainingTimes::DARK),
                      getShare(TrainingTimes::QUEUE),
                      FormatFixed(bound, 3),
                      FormatFixed(energy, 3),
                      FormatFixed(result.price / 1e3, 1)});
        write(m_designs[d].GetName(),
              m_darks[d],
              GetName(result.engine),
              estimates,
              {bound, energy, result.price});
    }
    const Estimate none = Estimate::Exactly(NAN);
    const std::vector<double> nothing(3, NAN);
    write("alpha-beta", "", "bound", {Estimate::Exactly(least), none, none}, nothing);
    write("computations", "", "bound", {Estimate::Exactly(compute), none, none}, nothing);
    table.Print(std::cout);
    const std::string hidden = DescribeHidden();
    std::cout << hidden << (hidden.empty() ? "" : "\n");
    m_options.report.AddTable(title, table, hidden);
    ReportControl();
}

std::vector<std::string>
TrainingComparison::GetColumns()
{
    std::vector<std::string> columns{"design",
                                     "engine",
                                     "run",
                                     "job",
                                     "model",
                                     "ranks",
                                     "messages",
                                     "arrival_ps",
                                     "start_ps",
                                     "end_ps",
                                     "computations_ps",
                                     "alpha_beta_ps",
                                     "time_ps"};
    for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
    {
        std::string name = TrainingTimes::GetName(static_cast<TrainingTimes::Part>(part));
        std::replace(name.begin(), name.end(), '-', '_');
        columns.push_back(name + "_ps");
    }
    columns.insert(
        columns.end(),
        {"cut_ps", "flow_ps", "energy_j", "failures", "preemptions", "migrations", "dark_time_us"});
    return columns;
}

void
TrainingComparison::WriteRows(CsvWriter& csv) const
{
    for (const JobRow& row : m_rows)
    {
        const TrainingCluster::Outcome& job = row.outcome;
        const Kind& kind = m_jobs->GetKind(row.job);
        csv.Cell(row.design).Cell(GetName(row.engine)).Cell(row.run).Cell(row.job);
        csv.Cell(job.job->GetName()).Cell(job.job->GetNRanks()).Cell(job.messages);
        const Time time = job.end - job.arrival;
        for (const Time& value : {job.arrival, job.start, job.end, kind.compute, kind.least, time})
        {
            csv.Cell(value.GetPicoSeconds());
        }
        for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
        {
            csv.Cell(job.times.Get(static_cast<TrainingTimes::Part>(part)).GetPicoSeconds());
        }
        csv.Cell(row.bounds.cut.GetPicoSeconds()).Cell(row.bounds.flow.GetPicoSeconds());
        csv.Cell(row.energy);
        csv.Cell(job.failures).Cell(job.preemptions).Cell(job.migrations);
        csv.Cell(row.dark);
        csv.EndRow();
    }
}

std::string
TrainingComparison::KeepFinished() const
{
    if (m_rows.empty())
    {
        return "no run had finished, no file was written";
    }
    const std::string folder = OutputFiles::GetInterrupted(m_options.output);
    OutputFiles files(folder);
    CsvWriter csv(files.Path("summary.csv"), GetColumns());
    WriteRows(csv);
    files.Commit(csv, "jobs of the runs that had finished");
    AtomicFile kept(files.Path(KEPT));
    WriteRecords(kept.Stream(), m_key, m_records);
    files.Commit(kept, "the same runs, for the same command, which goes on after them");
    files.WriteProvenance();
    return "the runs that had finished are in " + folder + "; the same command goes on after them";
}

std::string
TrainingComparison::GetKey() const
{
    std::string key = OutputFiles::GetCommand() + "; " + GetVersions() + "; " + Describe() + "; " +
                      DescribeFiles(OutputFiles::GetCommand());
    for (const Kind& kind : m_jobs->GetKinds())
    {
        for (const Time& time : {kind.compute, kind.least, kind.estimate})
        {
            key += "; " + std::to_string(time.GetTimeStep());
        }
    }
    std::replace(key.begin(), key.end(), '\n', ' ');
    return key;
}

void
TrainingComparison::MeasureAll()
{
    const uint32_t runs = m_options.replications;
    m_key = GetKey();
    m_records = ReadRecords(OutputFiles::GetInterrupted(m_options.output) + "/" + KEPT, m_key);
    m_records.resize(std::min(m_records.size(), m_designs.size() * runs));
    for (TrainingRecord& record : m_records)
    {
        for (uint32_t i = 0; i < record.jobs.size(); ++i)
        {
            record.jobs[i].job = m_jobs->GetKind(i).job;
        }
    }
    if (!m_records.empty())
    {
        std::cerr << FormatCount(m_records.size(), "run") << " of "
                  << OutputFiles::GetInterrupted(m_options.output) << " taken\n";
    }
    std::size_t entered = 0;
    m_progress.emplace("training jobs", m_designs.size() * runs * m_options.jobs, "jobs");
    for (const FabricDesign& design : m_designs)
    {
        Result& result = m_results.emplace_back();
        for (uint32_t run = 0; run < runs; ++run)
        {
            const bool isKept = entered < m_records.size();
            if (!isKept || Draws(design, run)) // circuits are not kept
            {
                TrainingRecord record = Measure(design, run);
                for (TrainingCluster::Outcome& job : record.jobs) // of no use any more
                {
                    job.places = {};
                    job.iterationEnds = {};
                }
                if (!isKept)
                {
                    m_records.emplace_back();
                }
                m_records[entered] = std::move(record);
            }
            Enter(design, run, m_records[entered++], result);
        }
    }
    m_progress->Finish(m_ended);
}

void
TrainingComparison::Run()
{
    const TrainingOptions& o = m_options;
    OutputFiles files(o.output);
    CsvWriter csv(files.Path("summary.csv"), GetColumns());
    m_where.emplace(files);
    try
    {
        MeasureAll();
    }
    catch (const Interruption& stop)
    {
        throw Interruption(stop.GetSignal(), KeepFinished());
    }
    catch (const OdcnError& error)
    {
        if (m_rows.empty())
        {
            throw;
        }
        throw OdcnError(error.what() + std::string("; ") + KeepFinished());
    }
    WriteRows(csv);
    files.Commit(csv, "all jobs");
    m_where->Commit();
    Report();
    if (!o.darks.empty())
    {
        std::vector<std::string> heads{"design", "dark_us", "engine"};
        for (const std::string name : {"mean_ms", "p99_ms", "exposed_ms"})
        {
            heads.insert(heads.end(), {name, name + "_lower", name + "_upper"});
        }
        heads.insert(heads.end(), {"bound_ms", "energy_j", "price"});
        CsvWriter designs(files.Path("designs.csv"), heads);
        ReportDarks(designs);
        files.Commit(designs, "designs by dark time");
    }
    files.WriteProvenance("measured: " + Describe() + "\n");
    m_options.report.Write(files);
    std::cout << "\n";
    files.Finish(std::cout);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    TrainingOptions o;
    OdcnCommandLine cmd(argc, argv, "Training jobs that share a fabric, on designs side by side.");
    o.Add(cmd);
    cmd.Parse();
    o.Check("--");
    TrainingComparison(o).Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
