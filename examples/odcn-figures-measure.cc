// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-figures-measure.h"

#include "odcn-figures-store.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <filesystem>
#include <optional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Cells of a row.
using Cells = FigureStore::Cells;

/// Columns of the place: what was measured.
const Cells PLACE{"policy", "load", "run"};

/// Columns of the options: of jobs, and the additional ones of packets.
const Cells JOB_OPTIONS{"tors",
                        "servers",
                        "ports",
                        "placement",
                        "attributes",
                        "agent",
                        "seed",
                        "warm_up",
                        "jobs"};
const Cells PACKET_OPTIONS{"packets", "windows", "window_warm_up", "window_length"};

/// Stored values of a replication at job level.
const Cells JOB_VALUES{"accepted",
                       "reconfigured",
                       "blocked_compute",
                       "blocked_choice",
                       "blocked_bandwidth",
                       "changed_circuits",
                       "cpu",
                       "ram",
                       "disk",
                       "formula_ns",
                       "formula_loss"};

/// Stored values of a replication at packet level.
const Cells PACKET_VALUES{"measured",
                          "received",
                          "lost",
                          "latency_ns",
                          "p50_ns",
                          "p99_ns",
                          "formula_ns",
                          "formula_loss",
                          "unbalanced"};

/// Figures of merit of packets, see MeasurePackets().
const std::vector<FigureOfMerit> PACKET_FIGURES{
    {.name = "latency", .title = "latency", .kind = FigureOfMerit::Kind::RATIO},
    {.name = "formula", .title = "closed form", .kind = FigureOfMerit::Kind::RATIO},
    {.name = "loss", .title = "loss", .kind = FigureOfMerit::Kind::SHARE},
    {.name = "formula_loss", .title = "closed form", .kind = FigureOfMerit::Kind::RATIO},
    {.name = "over_formula",
     .title = "latency over closed form",
     .kind = FigureOfMerit::Kind::RATIO},
    {.name = "mean_ns", .title = "latency"},
    {.name = "loss_share", .title = "loss"},
    {.name = "p99_ns", .title = "p99"},
    {.name = "unbalanced", .title = "unbalanced"},
};

/// @param study settings  @param kind "jobs" or "packets"  @param more options  @param values more
/// @return store of the replications
FigureStore
Open(const FigureStudy& study, const char* kind, const Cells& more, const Cells& values)
{
    const auto file = std::filesystem::path(study.output) /
                      (std::to_string(study.base.tors) + "-tor-" + kind + ".csv");
    Cells options = JOB_OPTIONS;
    options.insert(options.end(), more.begin(), more.end());
    return {file.string(), PLACE, options, values};
}

/// @param policy title  @param load load  @param run run number  @return place of the replication
Cells
PlaceOf(const std::string& policy, double load, uint64_t run)
{
    return {policy, FormatCells({load})[0], std::to_string(run)};
}

/// @param study settings  @param agent agent of a point  @return options of its jobs
Cells
JobOptions(const FigureStudy& study, const std::string& agent)
{
    const OdcnSystem& base = study.base;
    return {std::to_string(base.tors),
            std::to_string(base.servers),
            std::to_string(base.ports ? base.ports : base.tors - 1),
            base.placement,
            study.attributes,
            agent,
            std::to_string(RngSeedManager::GetSeed()),
            std::to_string(study.warmUp),
            std::to_string(study.jobs)};
}

/// @param study settings  @param agent agent of a point  @return options of its packets
Cells
PacketOptions(const FigureStudy& study, const std::string& agent)
{
    Cells options = JobOptions(study, agent);
    options.insert(options.end(),
                   {study.base.packets,
                    std::to_string(study.base.windows),
                    study.base.windowWarmUp,
                    study.base.windowLength});
    return options;
}

/// @param observation observation at job level  @return its row
Cells
Encode(const Observation& observation)
{
    const auto& v = observation.values;
    std::vector<double> cells{static_cast<double>(observation.tally.accepted) - v[1].total,
                              v[1].total};
    for (const auto& [cause, n] : observation.tally.blocked)
    {
        cells.push_back(static_cast<double>(n));
    }
    for (const double value :
         {v[2].total, v[5].Get(), v[6].Get(), v[7].Get(), v[3].Get(), v[4].Get()})
    {
        cells.push_back(value);
    }
    return FormatCells(cells);
}

/// @param cells row of Encode()  @return observation with the figures of OdcnScheduling
Observation
Decode(const Cells& cells)
{
    const auto c = ParseCells(cells);
    const double blocked = c[2] + c[3] + c[4];
    const double offered = blocked + c[0] + c[1];
    Observation observation;
    observation.tally.offered = static_cast<uint64_t>(offered);
    observation.tally.accepted = static_cast<uint64_t>(c[0] + c[1]);
    observation.values = {{blocked, offered},
                          {c[1], offered},
                          {c[5], offered},
                          {c[9]},
                          {c[10]},
                          {c[6]},
                          {c[7]},
                          {c[8]}};
    return observation;
}

/// @param cells cells of PACKET_VALUES  @return observation with PACKET_FIGURES
Observation
DecodePackets(const Cells& cells)
{
    const auto c = ParseCells(cells);
    const double sent = c[0];
    const double received = c[1];
    const bool any = sent > 0 && received > 0;
    const auto each = [any](double value) { return any ? value : 0; };
    Observation observation;
    observation.tally.offered = static_cast<uint64_t>(sent);
    observation.tally.accepted = static_cast<uint64_t>(received);
    observation.values = {{each(c[3] * received), each(received)},
                          {each(c[6] * received), each(received)},
                          {c[2], sent},
                          {each(c[7] * sent), each(sent)},
                          {each(c[3] * received), each(c[6] * received)},
                          {each(c[3])},
                          {each(c[2] / sent)},
                          {each(c[5])},
                          {c[8]}};
    return observation;
}

/// @param study settings  @param points points of a figure  @return experiment at job level
Experiment
MakeExperiment(const FigureStudy& study, const std::vector<FigurePoint>& points)
{
    Experiment experiment;
    const OdcnHelper helper = study.base.MakeHelper();
    std::string loads;
    std::vector<double> seen;
    for (const auto& point : points)
    {
        if (std::find(seen.begin(), seen.end(), point.load) == seen.end())
        {
            seen.push_back(point.load);
            loads += (loads.empty() ? "" : ",") + FormatCells({point.load})[0];
        }
        if (point.load == points.front().load)
        {
            experiment.AddPolicy(point.policy, point.words);
        }
    }
    experiment.SetLoads(loads, "");
    experiment.SetProblem([helper](double load) { return helper.CreateProblem(load); });
    experiment.SetJobs(study.jobs, study.warmUp);
    experiment.SetFirstRun(study.firstRun);
    return experiment;
}

/// @param points points of a figure  @param policy title  @param load load  @return the point
FigurePoint&
At(std::vector<FigurePoint>& points, const std::string& policy, const std::string& load)
{
    const auto point =
        std::find_if(points.begin(),
                     points.end(),
                     [&](const FigurePoint& p)
                     { return p.policy == policy && FormatCells({p.load})[0] == load; });
    if (point == points.end())
    {
        throw OdcnError("no point of " + policy + " at load " + load);
    }
    return *point;
}

} // namespace

bool
FigurePoint::IsAgent() const
{
    return choice.IsTrained();
}

bool
FigurePoint::IsReconfigurable() const
{
    return !choice.settings.count("Reconfigurable");
}

bool
FigurePoint::HasPackets() const
{
    return !packets.Get().empty();
}

bool
HasJobs(const FigureStudy& study, const FigurePoint& point)
{
    const FigureStore store = Open(study, "jobs", {}, JOB_VALUES);
    bool all = true;
    for (uint64_t run = study.firstRun; run < study.firstRun + study.replications; ++run)
    {
        all = all &&
              store.Find(PlaceOf(point.policy, point.load, run), JobOptions(study, point.agent));
    }
    return all;
}

void
MeasureJobs(const FigureStudy& study, const std::string& name, std::vector<FigurePoint>& points)
{
    FigureStore store = Open(study, "jobs", {}, JOB_VALUES);
    Experiment experiment = MakeExperiment(study, points);
    experiment.SetName(name + ", job level");
    experiment.SetReplications(study.replications);
    experiment.SetMemory(
        [&](const auto& labels, const std::string& policy, uint64_t run)
        {
            const FigurePoint& point = At(points, policy, labels[0].second);
            const Cells* cells =
                store.Find(PlaceOf(policy, point.load, run), JobOptions(study, point.agent));
            return cells ? std::optional<Observation>(Decode(*cells)) : std::nullopt;
        },
        [&](const auto& labels, const std::string& policy, const Observation& observation)
        {
            const FigurePoint& point = At(points, policy, labels[0].second);
            store.Put(PlaceOf(policy, point.load, observation.run),
                      JobOptions(study, point.agent),
                      Encode(observation));
            store.Save();
        });
    experiment.Measure();
    for (std::size_t i = 0; i < experiment.GetNCases(); ++i)
    {
        for (const auto& row : experiment.GetRows(i))
        {
            FigurePoint& point =
                At(points, row.choice.name, experiment.GetLabels(i).front().second);
            point.choice = row.choice;
            point.jobs = row.observations;
        }
    }
}

void
MeasurePackets(const FigureStudy& study, const std::string& name, std::vector<FigurePoint>& points)
{
    if (study.base.packets == "formula")
    {
        return;
    }
    FigureStore store = Open(study, "packets", PACKET_OPTIONS, PACKET_VALUES);
    Experiment experiment = MakeExperiment(study, points);
    // clang-format off
    const auto find = [&](const FigurePoint& point, uint64_t run) {
        return store.Find(PlaceOf(point.policy, point.load, run),
                          PacketOptions(study, point.agent));
    };
    // clang-format on
    const uint64_t end = study.firstRun + study.packetReplications;
    uint64_t missing = 0;
    for (const auto& point : points)
    {
        for (uint64_t run = study.firstRun; run < end; ++run)
        {
            missing += !find(point, run);
        }
    }
    if (missing > 0)
    {
        const uint64_t perRun = study.warmUp + study.jobs;
        const uint64_t before = RngSeedManager::GetRun();
        Progress progress(name + ", packets", perRun * missing, "jobs");
        uint64_t done = 0;
        experiment.Check();
        for (std::size_t i = 0; i < experiment.GetNCases(); ++i)
        {
            for (const auto& row : experiment.GetRows(i))
            {
                const std::string& policy = row.choice.name;
                const FigurePoint& point =
                    At(points, policy, experiment.GetLabels(i).front().second);
                for (uint64_t run = study.firstRun; run < end; ++run)
                {
                    if (find(point, run))
                    {
                        continue;
                    }
                    RngSeedManager::SetRun(run);
                    // Only one row per replication is stored, not one per window.
                    OdcnWindowRecorder recorder("/dev/null");
                    const auto [decisions, decider] = experiment.Begin(i, row);
                    const auto problem = DynamicCast<OdcnScheduling>(decisions);
                    const auto decided = [&](uint64_t jobs) { progress.Update(done + jobs); };
                    if (study.base.packets == "exact")
                    {
                        study.base
                            .RunExact(experiment, problem, decider, recorder, policy, decided);
                    }
                    else
                    {
                        study.base
                            .RunEvents(experiment, problem, decider, recorder, policy, decided, {});
                    }
                    done += perRun;
                    const OdcnScopeResult total = recorder.GetTotal(policy);
                    store.Put(
                        PlaceOf(policy, point.load, run),
                        PacketOptions(study, point.agent),
                        FormatCells(
                            {static_cast<double>(total.measuredReceived + total.measuredDropped),
                             static_cast<double>(total.measuredReceived),
                             static_cast<double>(total.measuredDropped),
                             total.meanNs,
                             total.p50Ns,
                             total.p99Ns,
                             recorder.GetFormulaNs(policy) + recorder.GetLinksNs(policy),
                             recorder.GetFormulaLoss(policy),
                             static_cast<double>(recorder.GetUnbalanced(policy))}));
                    store.Save();
                }
            }
        }
        RngSeedManager::SetRun(before);
        progress.Finish(perRun * missing);
    }
    for (auto& point : points)
    {
        point.packets = Observations(PACKET_FIGURES);
        for (uint64_t run = study.firstRun; run < end; ++run)
        {
            point.packets.Add(DecodePackets(*find(point, run)));
        }
    }
}
