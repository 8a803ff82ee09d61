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

#include "icci-packet-days.h"

#include "ns3/config.h"
#include "ns3/icci-day-figures.h"
#include "ns3/icci-day-recorder.h"
#include "ns3/icci-helper.h"
#include "ns3/nstime.h"
#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First stream of random numbers of faults.
constexpr int64_t FAULT_STREAM = 50000;

/// @return default policies of the comparison
std::string
GetUsualPolicies()
{
    return std::string("none,proximity,random,full-node,random-candidate,random-candidate-dwa,") +
           (AgentLibrary::IsPresent() ? "untrained,deephm-paper,deephm-dwa-paper," : "") +
           "greedy-now,greedy-eq12,greedy,greedy-dwa,linear,linear-dwa";
}

/// The centres and their packets, by the options that are no Attributes.
struct System
{
    std::string preset{"stated"};                       //!< IcciHelper::SetPreset()
    std::string mesh{GetDataFile("sf-bay-22-38.json")}; //!< file of the mesh
    std::string routing{"Hops"};                        //!< OtnMesh::PathOrder
    std::string linear;                                 //!< file of linear and linear-dwa
    std::string checkpoint;                             //!< file of an agent, or of a training
    uint32_t packets{1};                                //!< migrations per policy in packets
    bool traces{false};                                 //!< whether to write pcap and FlowMonitor
    FaultHelper faults{};                               //!< of links and nodes

    /// Add the options. @param cmd command line
    void AddOptions(OdcnCommandLine& cmd);

    /// @return helper that builds the centres  @throws OdcnError when an option is out of range
    IcciHelper MakeHelper() const;

    /// @param helper of MakeHelper()
    /// @return a problem with the faults of the options
    Ptr<IcciMigration> MakeProblem(const IcciHelper& helper) const;

    /// @param words specification of a policy  @return the policy; trained ones get their files
    PolicyChoice Find(const std::string& words) const;
};

void
System::AddOptions(OdcnCommandLine& cmd)
{
    // Agents are shipped for this observation; a search over a day draws its load once.
    Config::SetDefault("ns3::odcn::IcciMigration::Offer", StringValue("Foreseen"));
    Config::SetDefault("ns3::odcn::IcciTide::Remember", UintegerValue(1));
    Config::SetDefault("ns3::odcn::ManagementNetwork::Delay", TimeValue(Time(0)));
    cmd.SetGroup("System");
    cmd.AddValue("preset", "load: stated (as in the paper) or light", preset);
    cmd.AddValue("mesh", "file of the centres and links, X.json or X.nodes.csv", mesh);
    cmd.AddWord("routing",
                "paths of lightpaths: fewest Hops or least Length first",
                routing,
                {"Hops", "Length"});
    cmd.AddValue("taskFile", "ns3::odcn::IcciTaskGenerator::FileName");
    cmd.Replace({"columns"}, "a taskFile that odcn-convert-trace made of the trace");
    cmd.AddValue("moves", "ns3::odcn::IcciManager::MaxMoves");
    cmd.AddValue("offer", "ns3::odcn::IcciMigration::Offer");
    cmd.AddValue("eta", "ns3::odcn::IcciMigration::Eta");
    cmd.AddValue("linear",
                 "file of linear or linear-dwa; % for the name (default: those in data/)",
                 linear);
    cmd.AddValue("checkpoint",
                 "file of an agent (default: those in data/), or output of a training; % for the "
                 "policy's name",
                 checkpoint);
    faults.AddOptions(cmd);
    cmd.SetGroup("Packets", "packets");
    cmd.AddValue("packets", "migrations per policy that are also run at packet level", packets);
    cmd.AddValue("packetScale", "ns3::odcn::MigrationScheduler::PacketScale");
    cmd.AddValue("cut", "ns3::odcn::MigrationScheduler::Cut");
    cmd.AddValue("controlDelay", "ns3::odcn::ManagementNetwork::Delay");
    cmd.AddValue("traces", "write pcap and FlowMonitor files", traces);
    cmd.Restrict({"packets"}, {"!train"});
}

IcciHelper
System::MakeHelper() const
{
    IcciHelper helper;
    helper.SetMesh(
        OtnMesh::Read(mesh)->OrderBy(routing == "Length" ? OtnMesh::LENGTH : OtnMesh::HOPS));
    helper.SetPreset(preset);
    return helper;
}

Ptr<IcciMigration>
System::MakeProblem(const IcciHelper& helper) const
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

PolicyChoice
System::Find(const std::string& words) const
{
    auto choice = PolicyRegistry::Find(IcciMigration::GetTypeId().GetName(), words);
    const std::string name = words.substr(0, words.find_first_of("[@"));
    const bool wide = choice.settings.count("Wavelengths") > 0;
    const bool isLinear = choice.words.rfind("ns3::odcn::LinearPolicy", 0) == 0;
    const std::string shipped =
        isLinear ? (wide ? "linear-icci-dwa.json" : "linear-icci.json") : "icci-" + name + ".pt";
    const std::string& given = isLinear ? linear : checkpoint;
    choice.SetFile(given.empty() ? GetDataFile(shipped) : OdcnCommandLine::Expand(given, name));
    return choice;
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

/**
 * Let every policy decide on the same days, print and write the results.
 * @param cmd options
 * @param system centres
 * @param experiment with its options
 */
void
Compare(const OdcnCommandLine& cmd, const System& system, Experiment& experiment)
{
    const IcciHelper helper = system.MakeHelper();
    experiment.AddCase({}, [&]() { return system.MakeProblem(helper); });
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    if (!cmd.IsGiven("reference"))
    {
        experiment.SetReference(experiment.HasPolicy("none") ? "none" : "");
    }
    std::optional<PacketDays> packets;
    if (system.packets > 0)
    {
        experiment.AddFigures(GetIcciPacketFigures(),
                              [&](const auto&) { return MeasureIcciPackets(packets->Get()); });
    }
    experiment.Check();
    OutputFiles files(experiment.GetOutput());
    IcciDayRecorder days(files, experiment.GetReport());
    if (system.packets > 0)
    {
        packets.emplace(system.packets, system.traces, helper.CreateProblem()->GetManager(), files);
        experiment.SetRunner([&](const Experiment::Trial& trial) { packets->Run(trial); });
    }
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            const auto& problem = dynamic_cast<const IcciMigration&>(trial.problem);
            days.Add(trial.choice.name, trial.run, *PeekPointer(problem.GetManager()));
        });
    experiment.Measure();
    days.Commit();
    if (packets)
    {
        packets->Commit();
    }
    experiment.Write(files);
    std::cout << "\nA replication is a day.\n" << experiment.Describe() << "\n";
    if (packets)
    {
        std::cout
            << "In packets: of each policy the first " << FormatCount(system.packets, "migration")
            << ", with the task's iteration before and after it.\n"
            << cmd.GetText("packetScale")
            << " of the bytes are sent, times are those of all. T_trans is that of Eq. 3; more: in "
               "packets,\nthan Eqs. 3 and 16 say.\n"
            << (cmd.GetText("cut") == "true" ? "A fibre is cut in the middle of each migration.\n"
                                             : "");
    }
    std::cout << "\n";
    experiment.Print(std::cout);
    experiment.GetReport().Write(files);
    files.Finish(std::cout);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    System system;
    TrainingOptions training({.system = "icci",
                              .problem = IcciMigration::GetTypeId().GetName(),
                              .agent = "linear",
                              .attributes = {{"state", "ns3::odcn::IcciMigration::State"}},
                              .problems = "actors"});
    Experiment experiment;
    experiment.SetPolicies(GetUsualPolicies());
    experiment.SetReplications(10);
    experiment.SetOutput("icci-hotspot-migration-out");
    OdcnCommandLine cmd(
        argc,
        argv,
        "Training tasks on interconnected computing centres, and who keeps them out of hotspots.");
    experiment.AddOptions(cmd, IcciMigration::GetTypeId().GetName());
    system.AddOptions(cmd);
    training.AddTo(cmd);
    cmd.Parse();
    system.faults.Check();
    if (training.train)
    {
        return Train(system, training);
    }
    Compare(cmd, system, experiment);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
