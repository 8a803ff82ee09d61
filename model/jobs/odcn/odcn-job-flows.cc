// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-flows.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-workload.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(JobFlowWorkload);

TypeId
JobFlowWorkload::GetTypeId()
{
    using T = JobFlowWorkload;
    static TypeId tid =
        TypeIdOf<JobFlowWorkload, Object>("ns3::odcn::JobFlowWorkload")
            .Add(Attribute("Sizes", &T::m_sizes, "100000"),
                 "Flow sizes: a CDF file (see FlowSizes), or a number of bytes.")
            .Add(Attribute("Interpolate", &T::m_interpolate, true),
                 "Whether the CDF of sizes is linear between its points; otherwise only "
                 "the points are drawn.")
            .Add(Attribute("Use", &T::m_use, 0.5, 0),
                 "Application data of a demand's flows, on average, as a share of the "
                 "bandwidth that it demands.")
            .Add(Attribute("TimeUnit", &T::m_unit, MilliSeconds(1), TimeStep(1)),
                 "Length of a unit of job time.");
    return tid;
}

JobFlowWorkload::JobFlowWorkload()
    : m_gaps(CreateObject<ExponentialRandomVariable>())
{
}

std::vector<JobFlow>
JobFlowWorkload::Generate(const std::vector<OdcnJob>& jobs, double from, double until)
{
    if (!(from < until))
    {
        throw OdcnError("JobFlowWorkload: the stretch of time is empty");
    }
    FlowSizes& sizes = m_sizeSource.Get(m_sizes, m_interpolate);
    const double unitNs = m_unit.GetSeconds() * 1e9;
    std::vector<JobFlow> flows;
    for (const OdcnJob& job : jobs)
    {
        const double begin = std::max(job.arrival, from);
        const double end = std::min(job.arrival + job.duration, until);
        for (uint32_t demand = 0; demand < job.demands.size() && m_use > 0; ++demand)
        {
            const double bytesPerNs = m_use * double(job.demands[demand].rate) / 8e9;
            const double gap = sizes.GetMean() / bytesPerNs / unitNs;
            // A Poisson process has no memory: it may begin anew with the stretch.
            for (double now = begin + gap * m_gaps->GetValue(1, 0); now < end;
                 now += gap * m_gaps->GetValue(1, 0))
            {
                flows.push_back({job.id,
                                 demand,
                                 sizes.Draw(),
                                 NanoSeconds(static_cast<uint64_t>((now - from) * unitNs))});
            }
        }
    }
    std::stable_sort(flows.begin(),
                     flows.end(),
                     [](const JobFlow& a, const JobFlow& b) { return a.start < b.start; });
    return flows;
}

int64_t
JobFlowWorkload::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_sizeSource.SetStream(stream + 1);
    return 2;
}

namespace
{

/// What is recorded while jobs are placed.
struct Record
{
    JobPlacement* placement; //!< the result
    const CsMgr* manager;    //!< tells the time
};

/// Sink of JobPlaced.
/// @param record the record
/// @param job the job
void
Placed(Record* record, const OdcnPlacedJob& job)
{
    record->placement->jobs[job.id] = job;
}

/// Sink of CircuitsChanged.
/// @param record the record
/// @param changes of output ports
void
Changed(Record* record, const std::vector<OdcnCircuitChange>& changes)
{
    const double now = record->manager->GetTime();
    if (now >= record->placement->from)
    {
        record->placement->batches.push_back({now, changes});
    }
}

/// @param circuits a circuit matrix
/// @return all circuits, as changes of idle ports
std::vector<OdcnCircuitChange>
ListCircuits(const OdcnCircuitLedger& circuits)
{
    std::vector<OdcnCircuitChange> list;
    for (RackId rack = 0; rack < circuits.GetNRacks(); ++rack)
    {
        for (uint32_t port = 0; port < circuits.GetPorts(); ++port)
        {
            const auto& end = circuits.GetOut(rack, port);
            if (end.rack != NO_RACK)
            {
                list.push_back({rack, port, NO_RACK, 0, end.rack, end.port});
            }
        }
    }
    return list;
}

} // namespace

Traffic
JobPlacement::GetFlows(const std::vector<JobFlow>& flows) const
{
    Traffic placed;
    for (const JobFlow& flow : flows)
    {
        const auto found = jobs.find(flow.job);
        if (found == jobs.end())
        {
            continue;
        }
        const OdcnDemand& demand = found->second.demands.at(flow.demand);
        const ServerId source = found->second.servers[demand.from];
        const ServerId destination = found->second.servers[demand.to];
        if (source != destination)
        {
            placed.Add({source, destination, flow.bytes, flow.start});
        }
    }
    return placed;
}

DemandMatrix
JobPlacement::GetMeanDemand() const
{
    DemandMatrix matrix(racks);
    for (const auto& [id, job] : jobs)
    {
        const double share =
            (std::min(job.departure, until) - std::max(job.arrival, from)) / (until - from);
        for (const OdcnDemand& demand : job.demands)
        {
            const RackId source = job.servers[demand.from] / hostsPerRack;
            const RackId destination = job.servers[demand.to] / hostsPerRack;
            if (source != destination)
            {
                matrix.Add(source, destination, share * double(demand.rate));
            }
        }
    }
    return matrix;
}

JobPlacement
PlaceJobs(OdcnScheduling& problem, DecisionPolicy& policy, double from, double until)
{
    const Ptr<CsMgr> manager = problem.GetManager();
    if (!(from < until) || manager->GetTime() > from)
    {
        throw OdcnError("PlaceJobs: expected a stretch of time that begins at or after " +
                        std::to_string(manager->GetTime()) + ", not from " + std::to_string(from) +
                        " to " + std::to_string(until));
    }
    JobPlacement placement;
    placement.from = from;
    placement.until = until;
    placement.racks = manager->GetServers().GetNRacks();
    placement.hostsPerRack = manager->GetServers().GetServersPerRack();
    Record record{&placement, PeekPointer(manager)};
    const auto placed = MakeBoundCallback(&Placed, &record);
    const auto changed = MakeBoundCallback(&Changed, &record);
    manager->TraceConnectWithoutContext("JobPlaced", placed);
    manager->TraceConnectWithoutContext("CircuitsChanged", changed);

    // Also when a job throws: the sinks have the address of the record.
    struct AtEnd
    {
        std::function<void()> run;

        ~AtEnd()
        {
            run();
        }
    };

    const AtEnd end{[&]()
                    {
                        manager->TraceDisconnectWithoutContext("JobPlaced", placed);
                        manager->TraceDisconnectWithoutContext("CircuitsChanged", changed);
                    }};
    const auto runUntil = [&](double time)
    {
        placement.offered = 0;
        placement.blocked = 0;
        while (!problem.IsDone() && problem.GetJob().arrival < time)
        {
            ++placement.offered;
            placement.blocked += problem.RunJob(policy) > OdcnOutcome::RECONFIGURED;
        }
    };
    runUntil(from);
    placement.circuits = ListCircuits(manager->GetNetwork()->GetCircuits());
    runUntil(until);
    for (auto job = placement.jobs.begin(); job != placement.jobs.end();)
    {
        job = job->second.departure <= from ? placement.jobs.erase(job) : std::next(job);
    }
    return placement;
}

} // namespace ns3::odcn
