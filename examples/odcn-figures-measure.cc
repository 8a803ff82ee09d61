// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-figures-measure.h"

#include "odcn-drl-scheduling-run.h"
#include "odcn-figures-store.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <filesystem>
#include <functional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Cells of a row.
using Cells = FigureStore::Cells;

/// What was measured.
const Cells PLACE{"policy", "load", "run"};

/// @param study how  @return the file of replications at job level
FigureStore
OpenJobs(const FigureStudy& study)
{
    const auto file =
        std::filesystem::path(study.output) / (std::to_string(study.base.tors) + "-tor-jobs.csv");
    Cells values;
    for (std::size_t i = 0; i < ODCN_OUTCOMES; ++i)
    {
        values.emplace_back(OdcnOutcomeName(static_cast<OdcnOutcome>(i)));
        std::replace(values.back().begin(), values.back().end(), '-', '_');
    }
    for (const char* name :
         {"changed_circuits", "cpu", "ram", "disk", "formula_ns", "formula_loss"})
    {
        values.emplace_back(name);
    }
    return {
        file.string(),
        PLACE,
        {"tors", "servers", "ports", "placement", "attributes", "agent", "seed", "warm_up", "jobs"},
        values};
}

/// @param study how  @return the file of replications in packets
FigureStore
OpenPackets(const FigureStudy& study)
{
    const auto file = std::filesystem::path(study.output) /
                      (std::to_string(study.base.tors) + "-tor-packets.csv");
    return {file.string(),
            PLACE,
            {"tors",
             "servers",
             "ports",
             "placement",
             "attributes",
             "agent",
             "seed",
             "warm_up",
             "jobs",
             "packets",
             "windows",
             "window_warm_up",
             "window_length"},
            {"measured",
             "received",
             "lost",
             "latency_ns",
             "p50_ns",
             "p99_ns",
             "formula_ns",
             "formula_loss",
             "unbalanced"}};
}

/// @param point of a figure  @param run of a replication  @return its place
Cells
PlaceOf(const FigurePoint& point, uint64_t run)
{
    return {point.policy, FormatCells({point.load})[0], std::to_string(run)};
}

/// @param study how  @param point of a figure  @return how its jobs are run
Cells
JobOptions(const FigureStudy& study, const FigurePoint& point)
{
    const Options& base = study.base;
    const uint32_t ports = base.ports ? base.ports : base.tors - 1;
    return {std::to_string(base.tors),
            std::to_string(base.servers),
            std::to_string(ports),
            base.placement,
            study.attributes,
            point.agent,
            std::to_string(RngSeedManager::GetSeed()),
            std::to_string(base.warmUp),
            std::to_string(base.jobs)};
}

/// @param study how  @param point of a figure  @return how its packets are run
Cells
PacketOptions(const FigureStudy& study, const FigurePoint& point)
{
    Cells options = JobOptions(study, point);
    options.insert(options.end(),
                   {study.packets,
                    std::to_string(study.base.windows),
                    study.base.windowWarmUp,
                    study.base.windowLength});
    return options;
}

/// @param batch of a replication  @return its row
Cells
Encode(const OdcnBatch& batch)
{
    std::vector<double> values;
    for (const uint64_t n : batch.counters.outcome)
    {
        values.push_back(static_cast<double>(n));
    }
    values.push_back(static_cast<double>(batch.counters.changedCircuits));
    values.insert(values.end(), batch.utilisation.begin(), batch.utilisation.end());
    values.push_back(batch.latencyNs);
    values.push_back(batch.loss);
    return FormatCells(values);
}

/// @param cells of Encode()  @return the replication
OdcnBatch
Decode(const Cells& cells)
{
    const auto values = ParseCells(cells);
    OdcnBatch batch;
    auto value = values.begin();
    for (uint64_t& n : batch.counters.outcome)
    {
        n = static_cast<uint64_t>(*value++);
    }
    batch.counters.changedCircuits = static_cast<uint64_t>(*value++);
    for (double& share : batch.utilisation)
    {
        share = *value++;
    }
    batch.latencyNs = *value++;
    batch.loss = *value++;
    return batch;
}

/// @param cells of a row  @return what the packets of a replication showed
PacketSums
DecodePackets(const Cells& cells)
{
    const auto v = ParseCells(cells);
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]};
}

/// Gives the policies made while it lives the value of an Attribute that is swept.
class SweptAttribute
{
  public:
    /// @param point whose
    explicit SweptAttribute(const FigurePoint& point)
        : m_name(point.attribute)
    {
        if (m_name.empty())
        {
            return;
        }
        const auto colons = m_name.rfind("::");
        TypeId::AttributeInformation info;
        TypeId::LookupByName(m_name.substr(0, colons))
            .LookupAttributeByName(m_name.substr(colons + 2), &info);
        m_before = info.initialValue->SerializeToString(info.checker);
        Config::SetDefault(m_name, DoubleValue(point.value));
    }

    ~SweptAttribute()
    {
        if (!m_name.empty())
        {
            Config::SetDefault(m_name, StringValue(m_before));
        }
    }

    SweptAttribute(const SweptAttribute&) = delete;
    SweptAttribute& operator=(const SweptAttribute&) = delete;

  private:
    std::string m_name;   //!< Full name
    std::string m_before; //!< Default before
};

/// A replication that is to be run.
struct Task
{
    FigurePoint* point; //!< of which
    uint64_t run;       //!< its number
};

/**
 * Run what a file does not have, one replication after another, and keep each at once.
 * @param study how
 * @param name of the figure
 * @param points of it
 * @param replications of each
 * @param store the file
 * @param optionsOf how a point is run, as cells
 * @param work runs a replication, tells the jobs decided, and returns its row
 */
void
RunMissing(const FigureStudy& study,
           const std::string& name,
           std::vector<FigurePoint>& points,
           uint32_t replications,
           FigureStore& store,
           const std::function<Cells(const FigurePoint&)>& optionsOf,
           const std::function<Cells(const Task&, const std::function<void(uint64_t)>&)>& work)
{
    std::vector<Task> tasks;
    for (auto& point : points)
    {
        for (uint64_t run = study.firstRun; run < study.firstRun + replications; ++run)
        {
            if (!store.Find(PlaceOf(point, run), optionsOf(point)))
            {
                tasks.push_back({&point, run});
            }
        }
    }
    if (tasks.empty())
    {
        return;
    }
    for (const auto& task : tasks)
    {
        // An agent whose checkpoint does not fit should say so before anything has run.
        Options options = study.At(task.point->load);
        options.checkpoint = options.linear = task.point->checkpoint;
        auto policy = MakePolicy(task.point->scheme, options);
        policy->Decide(*MakeProblem(task.point->scheme, options, MakeHelper(options), *policy));
    }
    const uint64_t perTask = study.base.warmUp + study.base.jobs;
    const uint64_t all = perTask * tasks.size();
    OdcnProgress progress(name, all, "jobs");
    const uint64_t run = RngSeedManager::GetRun();
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        const Task& task = tasks[i];
        RngSeedManager::SetRun(task.run);
        const auto told = [&](uint64_t done)
        {
            progress.Update(i * perTask + done,
                            [&]()
                            {
                                return task.point->policy + " at load " +
                                       FormatCells({task.point->load})[0] + ", run " +
                                       std::to_string(task.run);
                            });
        };
        const SweptAttribute swept(*task.point);
        store.Put(PlaceOf(*task.point, task.run), optionsOf(*task.point), work(task, told));
        store.Save();
    }
    RngSeedManager::SetRun(run);
    progress.Finish(all);
}

} // namespace

Options
FigureStudy::At(double load) const
{
    Options options = base;
    options.load = load;
    return options;
}

bool
HasJobs(const FigureStudy& study, const FigurePoint& point)
{
    const FigureStore store = OpenJobs(study);
    bool all = true;
    for (uint64_t run = study.firstRun; run < study.firstRun + study.replications; ++run)
    {
        all = all && store.Find(PlaceOf(point, run), JobOptions(study, point));
    }
    return all;
}

void
MeasureJobs(const FigureStudy& study, const std::string& name, std::vector<FigurePoint>& points)
{
    FigureStore store = OpenJobs(study);
    const auto optionsOf = [&](const FigurePoint& point) { return JobOptions(study, point); };
    RunMissing(study,
               name + ", job level",
               points,
               study.replications,
               store,
               optionsOf,
               [&](const Task& task, const std::function<void(uint64_t)>& told)
               {
                   Options options = study.At(task.point->load);
                   options.checkpoint = options.linear = task.point->checkpoint;
                   OdcnEvaluation evaluation;
                   RunReplication(
                       task.point->scheme,
                       options,
                       MakeHelper(options),
                       evaluation,
                       [](OdcnScheduling&) {},
                       told);
                   return Encode(evaluation.GetBatches().at(0));
               });
    for (auto& point : points)
    {
        for (uint64_t run = study.firstRun; run < study.firstRun + study.replications; ++run)
        {
            point.jobs.Add(Decode(*store.Find(PlaceOf(point, run), optionsOf(point))));
        }
    }
}

void
MeasurePackets(const FigureStudy& study, const std::string& name, std::vector<FigurePoint>& points)
{
    if (study.packets == "formula")
    {
        return;
    }
    FigureStore store = OpenPackets(study);
    const auto optionsOf = [&](const FigurePoint& point) { return PacketOptions(study, point); };
    RunMissing(
        study,
        name + ", packets",
        points,
        study.packetReplications,
        store,
        optionsOf,
        [&](const Task& task, const std::function<void(uint64_t)>& told)
        {
            Options options = study.At(task.point->load);
            options.checkpoint = options.linear = task.point->checkpoint;
            OdcnHelper helper = MakeHelper(options);
            // One row a replication is kept, not one a window.
            OdcnWindowRecorder recorder("/dev/null");
            const std::string& policy = task.point->policy;
            if (study.packets == "exact")
            {
                RunExactWindows(task.point->scheme, options, helper, recorder, policy, told);
            }
            else
            {
                const auto begun = [&](OdcnScenario& scenario)
                {
                    auto scheduler = PeekPointer(scenario.scheduler);
                    scheduler->TraceConnectWithoutContext(
                        "Decided",
                        Callback<void, OdcnOutcome>([&told, scheduler](OdcnOutcome)
                                                    { told(scheduler->GetNJobs()); }));
                };
                RunWindows(task.point->scheme, options, helper, recorder, policy, begun, []() {});
            }
            const OdcnScopeResult total = recorder.GetTotal(policy);
            return FormatCells({static_cast<double>(total.measuredReceived + total.measuredDropped),
                                static_cast<double>(total.measuredReceived),
                                static_cast<double>(total.measuredDropped),
                                total.meanNs,
                                total.p50Ns,
                                total.p99Ns,
                                recorder.GetFormulaNs(policy) + recorder.GetLinksNs(policy),
                                recorder.GetFormulaLoss(policy),
                                static_cast<double>(recorder.GetUnbalanced(policy))});
        });
    for (auto& point : points)
    {
        for (uint64_t run = study.firstRun; run < study.firstRun + study.packetReplications; ++run)
        {
            point.packets.Add(DecodePackets(*store.Find(PlaceOf(point, run), optionsOf(point))));
        }
    }
}

void
PacketResult::Add(const PacketSums& sums)
{
    m_sums.push_back(sums);
}

bool
PacketResult::IsEmpty() const
{
    return m_sums.empty();
}

namespace
{

/**
 * @param sums replications  @param value a figure of one
 * @return the figure of each; 0 where a replication has no packet
 */
std::vector<double>
Each(const std::vector<PacketSums>& sums, double (*value)(const PacketSums&))
{
    std::vector<double> values;
    for (const auto& s : sums)
    {
        values.push_back(s.sent > 0 && s.received > 0 ? value(s) : 0);
    }
    return values;
}

/// @param s replication  @return packets received
double
Received(const PacketSums& s)
{
    return s.received;
}

/// @param s replication  @return packets measured
double
Sent(const PacketSums& s)
{
    return s.sent;
}

/// @param s replication  @return latency summed over packets
double
LatencySum(const PacketSums& s)
{
    return s.latencyNs * s.received;
}

/// @param s replication  @return closed form's latency summed over packets
double
FormulaSum(const PacketSums& s)
{
    return s.formulaNs * s.received;
}

/// @param s replication  @return packets that the closed form loses
double
FormulaLost(const PacketSums& s)
{
    return s.formulaLoss * s.sent;
}

/// @param estimate a ratio  @return the ratio less 1
OdcnEstimate
LessOne(OdcnEstimate estimate)
{
    estimate.mean -= 1;
    estimate.lower -= 1;
    estimate.upper -= 1;
    return estimate;
}

} // namespace

OdcnEstimate
PacketResult::GetLatencyNs() const
{
    return OdcnRatioOfReplications(Each(m_sums, LatencySum), Each(m_sums, Received));
}

OdcnEstimate
PacketResult::GetFormulaNs() const
{
    return OdcnRatioOfReplications(Each(m_sums, FormulaSum), Each(m_sums, Received));
}

OdcnEstimate
PacketResult::GetGap() const
{
    return LessOne(OdcnRatioOfReplications(Each(m_sums, LatencySum), Each(m_sums, FormulaSum)));
}

OdcnEstimate
PacketResult::GetLoss() const
{
    std::vector<uint64_t> lost;
    std::vector<uint64_t> sent;
    for (const auto& s : m_sums)
    {
        lost.push_back(static_cast<uint64_t>(s.lost));
        sent.push_back(static_cast<uint64_t>(s.sent));
    }
    return OdcnProportionOfReplications(lost, sent);
}

OdcnEstimate
PacketResult::GetFormulaLoss() const
{
    return OdcnRatioOfReplications(Each(m_sums, FormulaLost), Each(m_sums, Sent));
}

OdcnEstimate
PacketResult::GetP99Ns() const
{
    return OdcnMeanOfReplications(Each(m_sums, [](const PacketSums& s) { return s.p99Ns; }));
}

double
PacketResult::GetReceived() const
{
    double sum = 0;
    for (const auto& s : m_sums)
    {
        sum += s.received;
    }
    return sum;
}

double
PacketResult::GetUnbalanced() const
{
    double sum = 0;
    for (const auto& s : m_sums)
    {
        sum += s.unbalanced;
    }
    return sum;
}

OdcnEstimate
PacketResult::GetLatencyRatio(const PacketResult& other) const
{
    const auto mean = [](const PacketSums& s) { return s.latencyNs; };
    return OdcnRatioOfReplications(Each(m_sums, mean), Each(other.m_sums, mean));
}

OdcnEstimate
PacketResult::GetLossRatio(const PacketResult& other) const
{
    const auto share = [](const PacketSums& s) { return s.lost / s.sent; };
    return OdcnRatioOfReplications(Each(m_sums, share), Each(other.m_sums, share));
}
