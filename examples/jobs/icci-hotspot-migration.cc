// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training tasks on interconnected computing centres, and policies that migrate them to avoid
 * hotspots. The system of "Distributed Model Training Task Migration for Hotspot Management in
 * Intelligent Computing Center Interconnection with Tidal Characteristics" (sections III to V).
 *
 *        business                    other                  residential
 *     +------------+            +------------+            +------------+
 *     |  100 GPUs  |            |  100 GPUs  |            |  100 GPUs  |     22 centres
 *     |  ######### |            |  ####      |            |  ###       |     # used by requests
 *     |  WWW       |            |  WWW       |            |  WWW       |     W a worker
 *     +------------+            +------------+            +------------+
 *           |  ________ ring of a task _____________________    |
 *           | /            |                                \   |
 *        [ OTN ]--------[ OTN ]----------- ... -----------[ OTN ]            38 links of 40
 *                                                                            wavelengths, 100 Gb/s
 *
 * User requests occupy GPUs by day in business areas and in the evening in residential areas. A
 * training task runs for most of the day; its workers form a ring of centres. A centre with 80 % of
 * its GPUs in use is a hotspot, and a task with a worker there may migrate: the policy chooses the
 * worker, the target, the time and the path.
 *
 * The program lets every policy decide on the same days. With --train it trains a policy.
 *
 * Try:
 *   ./ns3 run icci-hotspot-migration
 *   ./ns3 run "icci-hotspot-migration --preset=light --replications=30"
 *   ./ns3 run "icci-hotspot-migration --moves=4 --policies=none,greedy,greedy@6,greedy-dwa"
 *   ./ns3 run "icci-hotspot-migration --policies=none,ns3::odcn::IcciGreedyPolicy[Moved=24]"
 *   ./ns3 run "icci-hotspot-migration --train=1 --agent=linear --eta=12 --checkpoint=a.json"
 *   ./ns3 run "icci-hotspot-migration --policies=none,greedy,linear --linear=a.json"
 *   ./ns3 run "icci-hotspot-migration --train=1 --agent=deephm-paper --checkpoint=b.pt"
 *   ./ns3 run "icci-hotspot-migration --policies=none,greedy,deephm-paper --checkpoint=b.pt"
 */

#include "icci-hotspot-migration.h"

#include "icci-hotspot-migration-packets.h"

#include "ns3/double.h"
#include "ns3/icci-helper.h"
#include "ns3/nstime.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
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

/// @param phase phase of a task  @return its name in files
const char*
GetName(IcciTaskState::Phase phase)
{
    switch (phase)
    {
    case IcciTaskState::BLOCKED:
        return "blocked";
    case IcciTaskState::ENDED:
        return "ended";
    case IcciTaskState::LOST:
        return "interrupted";
    default:
        return "running";
    }
}

/// @param cause cause of a failed migration  @return its name in files; empty without failure
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

/// @param ring centres of a ring  @return their numbers, "0-5-3"
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

/// Options of the centres, with their defaults.
struct System
{
    std::string preset{"stated"};                       //!< IcciHelper::SetPreset()
    std::string mesh{GetDataFile("sf-bay-22-38.json")}; //!< file of the mesh
    std::string routing{"Hops"};                        //!< OtnMesh::PathOrder
    std::string taskFile;                               //!< file of tasks; empty for random ones
    uint32_t moves{1};                                  //!< IcciManager::MaxMoves
    std::string offer{"Foreseen"};                      //!< IcciMigration::Offer
    double eta{1};                                      //!< IcciMigration::Eta
    std::string linear;                                 //!< file of linear and linear-dwa
    std::string checkpoint;                             //!< file of an agent, or of a training
    FaultHelper faults{};                               //!< of links and nodes

    /// Add the options. @param cmd command line
    void AddOptions(OdcnCommandLine& cmd)
    {
        cmd.SetGroup("System");
        cmd.AddValue("preset", "load: stated (as in the paper) or light", preset);
        cmd.AddValue("mesh", "file of the centres and links, X.json or X.nodes.csv", mesh);
        cmd.AddWord("routing",
                    "paths of lightpaths: fewest Hops or least Length first",
                    routing,
                    {"Hops", "Length"});
        cmd.AddValue("taskFile",
                     "CSV file of tasks, instead of random ones; what it lacks is random",
                     taskFile);
        cmd.Replace({"columns"}, "a taskFile that odcn-convert-trace made of the trace");
        cmd.AddValue("moves", "maximum migrations per task", moves);
        cmd.AddWord("offer",
                    "observation of a ring: Free (CUs) or Foreseen (hotspot blocks avoided)",
                    offer,
                    {"Free", "Foreseen"});
        cmd.AddRange("eta",
                     "weight of a moved worker in the reward; a hotspot block has 6",
                     eta,
                     0.0);
        cmd.AddValue("linear",
                     "file of linear or linear-dwa; % for the name (default: those in data/)",
                     linear);
        cmd.AddValue("checkpoint",
                     "file of an agent (default: those in data/), or output of a training; % for "
                     "the policy's name",
                     checkpoint);
        faults.AddOptions(cmd);
    }

    /// @param helper of MakeHelper()  @return a problem with the faults of the options
    Ptr<IcciMigration> MakeProblem(const IcciHelper& helper) const
    {
        auto problem = helper.CreateProblem();
        if (faults.IsUsed())
        {
            const Ptr<IcciManager> manager = problem->GetManager();
            manager->SetFaults(faults.MakeTimeline(IcciManager::GetFaultParts(*manager->GetMesh()),
                                                   Hours(24),
                                                   FAULT_STREAM));
        }
        return problem;
    }

    /// @return helper that builds the centres  @throws OdcnError when an option is out of range
    IcciHelper MakeHelper() const
    {
        IcciHelper helper;
        helper.SetMesh(
            OtnMesh::Read(mesh)->OrderBy(routing == "Length" ? OtnMesh::LENGTH : OtnMesh::HOPS));
        helper.SetPreset(preset);
        // A search over a day draws its load once.
        helper.SetTideAttribute("Remember", UintegerValue(1));
        helper.SetTaskAttribute("FileName", StringValue(taskFile));
        helper.SetManagerAttribute("MaxMoves", UintegerValue(moves));
        helper.SetProblemAttribute("Offer", StringValue(offer));
        helper.SetProblemAttribute("Eta", DoubleValue(eta));
        return helper;
    }

    /// @param words specification of a policy  @return the policy; trained ones get their files
    PolicyChoice Find(const std::string& words) const
    {
        auto choice = PolicyRegistry::Find(IcciMigration::GetTypeId().GetName(), words);
        const std::string name = words.substr(0, words.find_first_of("[@"));
        const bool wide = choice.settings.count("Wavelengths") > 0;
        const bool isLinear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0;
        const std::string shipped = isLinear ? (wide ? "linear-icci-dwa.json" : "linear-icci.json")
                                             : "icci-" + name + ".pt";
        const std::string& given = isLinear ? linear : checkpoint;
        choice.SetFile(given.empty() ? GetDataFile(shipped) : OdcnCommandLine::Expand(given, name));
        return choice;
    }
};

/// @return default policies of the comparison
std::string
GetUsualPolicies()
{
    std::string list = "none,proximity,random,full-node,random-candidate,";
#if ODCN_HAVE_TRAINING
    list += "untrained,deephm-paper,deephm-dwa-paper,";
#endif
    return list + "greedy-now,greedy-eq12,greedy,greedy-dwa,linear,linear-dwa";
}

/// Log of all days: hotspots.csv, links.csv, tasks.csv and migrations.csv.
class DayLog
{
  public:
    /// @param files output folder
    explicit DayLog(OutputFiles& files);

    /// Add a day. @param policy policy  @param run run number  @param manager manager at its end
    void Add(const std::string& policy, uint64_t run, const IcciManager& manager);

    /// Move the complete files to their target paths. @param files output folder
    void Commit(OutputFiles& files);

  private:
    CsvWriter m_blocks;     //!< hotspots.csv, by centre and hour
    CsvWriter m_links;      //!< links.csv, by link and hour
    CsvWriter m_tasks;      //!< tasks.csv
    CsvWriter m_migrations; //!< migrations.csv
};

DayLog::DayLog(OutputFiles& files)
    : m_blocks(files.Path("hotspots.csv"),
               {"policy", "run", "centre", "name", "area", "hour", "remaining_cus", "hot"}),
      m_links(files.Path("links.csv"), {"policy", "run", "link", "from", "to", "hour", "use"}),
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
DayLog::Add(const std::string& policy, uint64_t run, const IcciManager& manager)
{
    const IcciPool& pool = manager.GetPool();
    for (uint32_t centre = 0; centre < pool.GetNCentres(); ++centre)
    {
        const OtnSite& site = manager.GetMesh()->GetSite(centre);
        for (std::size_t block = 0; block < pool.GetNBlocks(); ++block)
        {
            m_blocks.Row(policy,
                         run,
                         centre,
                         site.name,
                         OtnAreaName(site.area),
                         block,
                         pool.GetCapacity(centre) - pool.GetBlockUse(centre, block),
                         pool.IsHotBlock(centre, block));
        }
    }
    for (std::size_t hour = 0; hour < pool.GetNBlocks(); ++hour)
    {
        const auto use = manager.GetWavelengthUse(3600.0 * hour, 3600.0 * (hour + 1));
        for (uint32_t link = 0; link < use.size(); ++link)
        {
            const OtnLink& ends = manager.GetMesh()->GetLink(link);
            m_links.Row(policy, run, link, ends.a, ends.b, hour, use[link]);
        }
    }
    for (const auto& task : manager.GetTasks())
    {
        const bool blocked = task.phase == IcciTaskState::BLOCKED;
        m_tasks.Row(policy,
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
                    blocked || task.phase == IcciTaskState::LOST ? std::nan("")
                                                                 : task.GetAheadOfTime(),
                    Join(task.ring));
    }
    for (const auto& migration : manager.GetMigrations())
    {
        m_migrations.Row(policy,
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
DayLog::Commit(OutputFiles& files)
{
    m_blocks.Commit();
    files.Written("hotspots.csv", "every centre and hour of every day");
    m_links.Commit();
    files.Written("links.csv", "wavelengths in use, every link and hour of every day");
    m_tasks.Commit();
    files.Written("tasks.csv", "every task");
    m_migrations.Commit();
    files.Written("migrations.csv", "every migration that was decided");
}

/// Days that a problem of an evaluation keeps in memory, since evaluations use the same ones.
constexpr uint64_t REMEMBERED_DAYS = 64;

/// Train a policy. @param system centres; its checkpoint is written  @param options of the training
/// @return exit status
int
Train(const System& system, const TrainingOptions& options)
{
    const auto create = [helper = system.MakeHelper()](const TrainingCase& made)
    {
        IcciHelper own = helper;
        if (made.evaluation)
        {
            own.SetTideAttribute("Remember", UintegerValue(REMEMBERED_DAYS));
        }
        return own.CreateProblem();
    };
    return options.Run({OdcnCommandLine::Expand(system.checkpoint, options.GetName()),
                        create,
                        [&](const std::string& words) { return system.Find(words); }});
}

/// Add the first day to a report. @param files with hotspots.csv, links.csv and tasks.csv
/// @param mesh the mesh  @param report report
void
ShowDay(const OutputFiles& files, const OtnMesh& mesh, RunReport& report)
{
    ReportChart& use = report.AddChart({ReportChart::Kind::HEATMAP,
                                        "Free computing units over time by centre",
                                        "hour",
                                        "free computing units",
                                        "policy",
                                        "The first day.",
                                        {}});
    ReportChart& links = report.AddChart({ReportChart::Kind::HEATMAP,
                                          "Use of links over time",
                                          "hour",
                                          "wavelengths in use, %",
                                          "policy",
                                          "The first day.",
                                          {}});
    ReportChart& tasks = report.AddChart({ReportChart::Kind::TIMELINE,
                                          "Tasks over time",
                                          "time, s",
                                          "tasks in order of arrival",
                                          "policy",
                                          "The first day; the first 300 tasks at most.",
                                          {}});
    std::string first;
    const auto number = [](const std::string& cell)
    { return ParseFinite(cell).value_or(std::nan("")); };
    const auto addUse = [&](const auto& cells)
    {
        first = first.empty() ? cells[0] : first;
        if (cells[0] == first)
        {
            const double hour = number(cells[2]);
            use.rows.push_back({cells[1], hour, hour + 1, cells[3], number(cells[4])});
        }
    };
    RunReport::ReadCsv(files.Path("hotspots.csv"),
                       {"run", "policy", "hour", "name", "remaining_cus"},
                       addUse);
    RunReport::ReadCsv(files.Path("links.csv"),
                       {"run", "policy", "hour", "from", "to", "use"},
                       [&](const auto& cells)
                       {
                           if (cells[0] == first)
                           {
                               const double hour = number(cells[2]);
                               const auto name = [&](const std::string& site)
                               { return mesh.GetSite(static_cast<uint32_t>(number(site))).name; };
                               links.rows.push_back({cells[1],
                                                     hour,
                                                     hour + 1,
                                                     name(cells[3]) + " - " + name(cells[4]),
                                                     100 * number(cells[5])});
                           }
                       });
    std::map<std::string, std::size_t> shown;
    RunReport::ReadCsv(
        files.Path("tasks.csv"),
        {"run", "policy", "task", "arrival_s", "end_s", "state"},
        [&](const auto& cells)
        {
            if (cells[0] == first && !cells[4].empty() && ++shown[cells[1]] <= 300)
            {
                tasks.rows.push_back(
                    {cells[1], "task " + cells[2], number(cells[3]), number(cells[4]), cells[5]});
            }
        });
}

} // namespace

int
main(int argc, char* argv[])
try
{
    System system;
    TrainingOptions training({.system = "icci",
                              .problem = IcciMigration::GetTypeId().GetName(),
                              .agent = "linear",
                              .attributes = {{"state", "ns3::odcn::IcciMigration::State"}},
                              .problems = "actors"});
    PacketOptions carrying;
    Experiment experiment;
    experiment.SetPolicies(GetUsualPolicies());
    experiment.SetReplications(10);
    experiment.SetOutput("icci-hotspot-migration-out");
    OdcnCommandLine cmd(
        argc,
        argv,
        "Training tasks on interconnected computing centres, and who keeps them out of hotspots.");
    experiment.AddOptions(cmd);
    system.AddOptions(cmd);
    carrying.AddOptions(cmd);
    training.AddTo(cmd);
    cmd.Restrict({"packets"}, {"!train"});
    cmd.Parse();
    carrying.Check();
    system.faults.Check();
    const IcciHelper helper = system.MakeHelper();
    if (training.train)
    {
        return Train(system, training);
    }
    experiment.AddCase({}, [&]() { return system.MakeProblem(helper); });
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    if (!cmd.IsGiven("reference"))
    {
        experiment.SetReference(experiment.HasPolicy("none") ? "none" : "");
    }
    if (carrying.packets > 0)
    {
        Time::SetResolution(Time::PS);
    }
    experiment.Check();
    OutputFiles files(experiment.GetOutput());
    DayLog days(files);
    std::unique_ptr<PacketReport> packets;
    if (carrying.packets > 0)
    {
        packets =
            std::make_unique<PacketReport>(carrying, helper.CreateProblem()->GetManager(), files);
        experiment.SetRunner(
            [&](const Experiment::Trial& trial)
            {
                if (trial.replication == 0)
                {
                    packets->Begin(trial.choice.name);
                }
                packets->RunDay(Ptr<IcciMigration>(dynamic_cast<IcciMigration*>(&trial.problem)),
                                Ptr<DecisionPolicy>(&trial.policy),
                                trial.run);
            });
    }
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            const auto& problem = dynamic_cast<const IcciMigration&>(trial.problem);
            days.Add(trial.choice.name, trial.run, *PeekPointer(problem.GetManager()));
        });
    experiment.Measure();
    days.Commit(files);
    experiment.Write(files);
    ShowDay(files, *OtnMesh::Read(system.mesh), experiment.GetReport());
    std::cout << "\nA replication is a day.\n" << experiment.Describe() << "\n\n";
    experiment.Print(std::cout);
    if (packets)
    {
        packets->Write();
        packets->Print(std::cout, experiment.GetReport());
    }
    experiment.GetReport().Write(files);
    files.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
