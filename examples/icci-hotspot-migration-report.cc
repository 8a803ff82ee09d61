// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-hotspot-migration-report.h"

#include "ns3/double.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <ostream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using Figure = IcciEvaluation::Figure;

/// @param phase of a task  @return its name in files
const char*
GetName(IcciTaskState::Phase phase)
{
    switch (phase)
    {
    case IcciTaskState::BLOCKED:
        return "blocked";
    case IcciTaskState::ENDED:
        return "ended";
    default:
        return "running";
    }
}

/// @param cause why a migration failed  @return its name in files; empty when it did not
const char*
GetName(IcciCause cause)
{
    switch (cause)
    {
    case IcciCause::CUS:
        return "cus";
    case IcciCause::WAVELENGTH:
        return "wavelengths";
    case IcciCause::OVERTAKEN:
        return "overtaken";
    case IcciCause::ABORTED:
        return "aborted";
    case IcciCause::NONE:
        break;
    }
    return "";
}

/// @param ring centres  @return their numbers, "0-5-3"
std::string
Join(const std::vector<uint32_t>& ring)
{
    std::string text;
    for (const uint32_t centre : ring)
    {
        text += (text.empty() ? "" : "-") + std::to_string(centre);
    }
    return text;
}

} // namespace

void
Options::Parse(int argc, char* argv[])
{
    OdcnCommandLine cmd(
        argc,
        argv,
        "Training tasks on interconnected computing centres, and who keeps them out "
        "of hotspots.");
    cmd.AddValue("preset", "load: stated (as in the paper) or light", preset);
    cmd.AddValue("mesh", "file of the centres and links, X.json or X.nodes.csv", mesh);
    cmd.AddValue("days", "independent days; --RngRun is the first", days);
    cmd.AddValue("moves", "migrations of a task at most", moves);
    cmd.AddValue("packets", "migrations of each policy that packets carry, too", packets);
    cmd.AddValue("packetScale", "packets: share of the bytes that is sent", packetScale);
    cmd.AddValue("cut", "packets: cut a fibre in the middle of each migration", cut);
    cmd.AddValue("controlDelay",
                 "packets: one-way delay of the management network; 0us for an ideal one",
                 controlDelay);
    cmd.AddValue("traces", "packets: write pcap and FlowMonitor files", traces);
    cmd.AddValue("policies",
                 "comma-separated names, or TypeIds of policies with Attributes in brackets; "
                 "\"@6\" for an outlook of six hours (default: all rules, linear and linear-dwa)",
                 policies);
    cmd.AddValue("linear",
                 "file of linear or linear-dwa; % for the name (default: those of data/)",
                 linear);
    cmd.AddValue("checkpoint",
                 "file of deephm or deephm-dwa (default: those of data/), or to be written by a "
                 "training; % for the policy's name",
                 checkpoint);
    cmd.AddValue("output", "folder of the results", output);
    cmd.AddValue("train",
                 "linear, linear-dwa, deephm or deephm-dwa: train it in place of comparing",
                 train);
    cmd.AddValue("learner",
                 "training: name of a learner, Attributes in brackets (default: EvolutionLearner "
                 "for linear policies, A3cLearner for deephm)",
                 learner);
    cmd.AddValue("network",
                 "training: name of a network, options in brackets, or Linear, which "
                 "EvolutionLearner alone learns (default: Linear, and Mlp for deephm)",
                 network);
    cmd.AddValue("state",
                 "training: what is observed, Paper or Moves (default: Moves for linear policies, "
                 "Paper for deephm)",
                 state);
    cmd.AddValue("offer",
                 "training: what is seen of a ring, Free (CUs) or Foreseen (hotspot blocks "
                 "avoided)",
                 offer);
    cmd.AddValue("eta", "training: weight of a worker moved, where a hotspot block has 6", eta);
    cmd.AddValue("generations", "training by evolution: generations in all", generations);
    cmd.AddValue("trainDecisions",
                 "training by any other learner: decisions in all",
                 trainDecisions);
    cmd.AddValue("cloneDecisions",
                 "training: decisions of greedy or greedy-dwa to imitate first",
                 cloneDecisions);
    cmd.AddValue("actors", "training: problems side by side", actors);
    cmd.AddValue("learningRate", "training: step size at the start", learningRate);
    cmd.AddValue("threads", "training: threads", threads);
    cmd.AddValue("resume", "training: go on where the checkpoint's run was interrupted", resume);
    cmd.Parse();
    command = cmd.GetCommand();

    OdcnCommandLine::Check(days >= 1, "days", days, "1 or more");
    OdcnCommandLine::Check(packetScale >= 1e-6 && packetScale <= 1e-3,
                           "packetScale",
                           packetScale,
                           "1e-6 to 1e-3");
    OdcnCommandLine::Check(!cut || packets > 0, "cut", "1", "packets");
    OdcnCommandLine::Check(!traces || packets > 0, "traces", "1", "packets");
    OdcnCommandLine::Check(
        !OdcnCommandLine::ParseTime(controlDelay, "controlDelay").IsStrictlyNegative(),
        "controlDelay",
        controlDelay,
        "0us or more");
    OdcnCommandLine::CheckWord("offer", offer, {"Free", "Foreseen"});
    if (!train.empty())
    {
        OdcnCommandLine::CheckWord("train",
                                   train,
                                   {"linear", "linear-dwa", "deephm", "deephm-dwa"});
    }
    if (!state.empty())
    {
        OdcnCommandLine::CheckWord("state", state, {"Paper", "Moves"});
    }
    OdcnCommandLine::Check(train.empty() || !checkpoint.empty(),
                           "checkpoint",
                           checkpoint,
                           "a file to write the policy to");
    OdcnCommandLine::Check(trainDecisions >= 1, "trainDecisions", trainDecisions, "1 or more");
    OdcnCommandLine::Check(generations >= 1, "generations", generations, "1 or more");
    OdcnCommandLine::Check(std::isfinite(eta) && eta >= 0, "eta", eta, "0 or more");
    OdcnCommandLine::Check(actors >= 1, "actors", actors, "1 or more");
    OdcnCommandLine::Check(threads >= 1, "threads", threads, "1 or more");
    OdcnCommandLine::Check(learningRate > 0 && learningRate <= 1,
                           "learningRate",
                           learningRate,
                           "above 0, 1 at most");
    if (train.empty())
    {
        GetSchemes();
    }
    MakeHelper();
}

std::vector<IcciScheme>
Options::GetSchemes() const
{
    const std::string names = policies.empty()
                                  ? "none,proximity,random,full-node,greedy-now,greedy-eq12,"
                                    "greedy,greedy-dwa,linear,linear-dwa"
                                  : policies;
    std::vector<IcciScheme> schemes;
    for (const auto& name : OdcnCommandLine::SplitList(names, "policies"))
    {
        IcciScheme scheme = IcciScheme::Find(name);
        const std::string agent = checkpoint.empty() ? ODCN_DATA_DIR "/icci-%.pt" : checkpoint;
        const std::string shipped = scheme.wavelengths ? ODCN_DATA_DIR "/linear-icci-dwa.json"
                                                       : ODCN_DATA_DIR "/linear-icci.json";
        const std::string plain = name.substr(0, name.find_first_of("[@"));
        OdcnSetCheckpoint(scheme.policy, OdcnExpandPattern(agent, plain));
        OdcnSetLinearFile(scheme.policy,
                          OdcnExpandPattern(linear.empty() ? shipped : linear, plain));
        schemes.push_back(scheme);
    }
    return schemes;
}

IcciHelper
Options::MakeHelper() const
{
    IcciHelper helper;
    helper.SetMesh(OtnMesh::Read(mesh));
    helper.SetPreset(preset);
    helper.SetManagerAttribute("MaxMoves", UintegerValue(moves));
    helper.SetProblemAttribute("Offer", StringValue(offer));
    helper.SetProblemAttribute("Eta", DoubleValue(eta));
    return helper;
}

Report::Report(const Options& options, OdcnOutputFiles& files)
    : m_options(options),
      m_files(files),
      m_blocks(files.Path("hotspots.csv"),
               {"policy", "run", "centre", "name", "area", "hour", "remaining_cus", "hot"}),
      m_tasks(files.Path("tasks.csv"),
              {"policy",
               "run",
               "task",
               "arrival_s",
               "deadline_s",
               "workers",
               "cus",
               "wavelengths",
               "state",
               "moves",
               "moved_workers",
               "downtime_s",
               "first_hops",
               "hops",
               "end_s",
               "ahead_of_time",
               "ring"}),
      m_migrations(files.Path("migrations.csv"),
                   {"policy",
                    "run",
                    "task",
                    "decided_s",
                    "start_s",
                    "downtime_s",
                    "moved_workers",
                    "hops_before",
                    "hops_after",
                    "wavelengths_before",
                    "wavelengths_after",
                    "refused"})
{
}

void
Report::AddDay(const IcciScheme& scheme, uint64_t run, const IcciManager& manager)
{
    const IcciPool& pool = manager.GetPool();
    for (uint32_t centre = 0; centre < pool.GetNCentres(); ++centre)
    {
        const OtnSite& site = manager.GetMesh()->GetSite(centre);
        for (std::size_t block = 0; block < pool.GetNBlocks(); ++block)
        {
            m_blocks.Row(scheme.name,
                         run,
                         centre,
                         site.name,
                         OtnAreaName(site.area),
                         block,
                         pool.GetCapacity(centre) - pool.GetBlockUse(centre, block),
                         pool.IsHotBlock(centre, block));
        }
    }
    for (const auto& task : manager.GetTasks())
    {
        const bool blocked = task.phase == IcciTaskState::BLOCKED;
        m_tasks.Row(scheme.name,
                    run,
                    task.task.id,
                    task.task.arrival,
                    task.task.deadline,
                    task.task.workers,
                    task.demand.cus,
                    task.wavelengths,
                    GetName(task.phase),
                    task.moves,
                    task.movedWorkers,
                    task.downtime,
                    task.firstHops,
                    task.lastHops,
                    blocked ? std::nan("") : task.end,
                    blocked ? std::nan("") : task.GetAheadOfTime(),
                    Join(task.ring));
    }
    for (const auto& migration : manager.GetMigrations())
    {
        m_migrations.Row(scheme.name,
                         run,
                         migration.task,
                         migration.decided,
                         migration.start,
                         migration.downtime,
                         migration.moves.size(),
                         migration.hopsBefore,
                         migration.hopsAfter,
                         migration.wavelengthsBefore,
                         migration.wavelengthsAfter,
                         GetName(migration.cause));
    }
}

void
Report::Add(const IcciScheme& scheme, IcciEvaluation evaluation)
{
    m_rows.push_back({scheme, std::move(evaluation)});
}

const Report::Row&
Report::GetBase() const
{
    const auto found = std::find_if(m_rows.begin(),
                                    m_rows.end(),
                                    [](const Row& row) { return row.scheme.name == "none"; });
    return found != m_rows.end() ? *found : m_rows.front();
}

void
Report::Write()
{
    WriteSummary();
    WriteRuns();
    m_blocks.Commit();
    m_files.Written("hotspots.csv", "every centre and hour of every day");
    m_tasks.Commit();
    m_files.Written("tasks.csv", "every task");
    m_migrations.Commit();
    m_files.Written("migrations.csv", "every migration that was decided");
}

void
Report::WriteSummary() const
{
    std::vector<std::string> columns{"policy", "form", "days"};
    const auto add = [&](const std::string& name)
    {
        for (const char* part : {"", "_lower", "_upper"})
        {
            columns.push_back(name + part);
        }
    };
    for (int figure = 0; figure < Figure::FIGURES; ++figure)
    {
        add(IcciEvaluation::GetName(static_cast<Figure>(figure)));
    }
    add("hot_change");
    add("hot_blocks_per_move");
    OdcnCsvWriter csv(m_files.Path("summary.csv"), columns);
    const auto put = [&](const OdcnEstimate& e) { csv.Cell(e.mean).Cell(e.lower).Cell(e.upper); };
    for (const auto& row : m_rows)
    {
        csv.Cell(row.scheme.name)
            .Cell(OdcnGetForm(row.scheme.policy))
            .Cell(row.evaluation.GetDays().size());
        for (int figure = 0; figure < Figure::FIGURES; ++figure)
        {
            put(row.evaluation.GetMean(static_cast<Figure>(figure)));
        }
        put(row.evaluation.GetChange(Figure::HOT_BLOCKS, GetBase().evaluation));
        put(row.evaluation.GetBlocksPerMove(GetBase().evaluation));
        csv.EndRow();
    }
    csv.Commit();
    m_files.Written("summary.csv", "the table above, in full");
}

void
Report::WriteRuns() const
{
    std::vector<std::string> columns{"policy", "run"};
    for (int figure = 0; figure < Figure::FIGURES; ++figure)
    {
        columns.emplace_back(IcciEvaluation::GetName(static_cast<Figure>(figure)));
    }
    OdcnCsvWriter csv(m_files.Path("runs.csv"), columns);
    for (const auto& row : m_rows)
    {
        uint64_t run = RngSeedManager::GetRun();
        for (const auto& day : row.evaluation.GetDays())
        {
            csv.Cell(row.scheme.name).Cell(run++);
            for (const double value : day)
            {
                csv.Cell(value);
            }
            csv.EndRow();
        }
    }
    csv.Commit();
    m_files.Written("runs.csv", "every day of every policy");
}

void
Report::Print(std::ostream& os) const
{
    const uint64_t run = RngSeedManager::GetRun();
    os << "\nPreset " << m_options.preset << ", " << m_options.days << " days, " << m_options.moves
       << (m_options.moves == 1 ? " migration" : " migrations") << " of a task at most, seed "
       << RngSeedManager::GetSeed() << ", runs " << run << " to " << run + m_options.days - 1
       << ".\nA block is a centre for an hour. Intervals: 95 %.\n\n";
    OdcnTable table({"policy",
                     "hot blocks\n%",
                     "change\n%",
                     "workers\nmoved",
                     "hot blocks\nless a move",
                     "hops\nof a ring",
                     "wavelengths\nin use %",
                     "downtime of a\nmigration s",
                     "ahead of\ntime %",
                     "of migrated\ntasks %",
                     "tasks\nblocked %"});
    for (const auto& row : m_rows)
    {
        const auto mean = [&](Figure figure, double scale)
        { return OdcnFormatEstimate(row.evaluation.GetMean(figure), scale); };
        const bool base = &row == &GetBase();
        table.AddRow(
            {row.scheme.name,
             mean(Figure::HOT_SHARE, 100),
             base ? ""
                  : OdcnFormatEstimate(
                        row.evaluation.GetChange(Figure::HOT_BLOCKS, GetBase().evaluation),
                        100),
             mean(Figure::MOVED_WORKERS, 1),
             base ? "" : OdcnFormatEstimate(row.evaluation.GetBlocksPerMove(GetBase().evaluation)),
             mean(Figure::HOPS, 1),
             mean(Figure::BANDWIDTH, 100),
             base ? "" : mean(Figure::MIGRATION_DOWNTIME, 1),
             mean(Figure::AHEAD_OF_TIME, 100),
             base ? "" : mean(Figure::MIGRATED_AHEAD_OF_TIME, 100),
             mean(Figure::BLOCKED, 100)});
    }
    table.Print(os);
}
