// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-jobs-comparison.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param ms milliseconds
/// @return the time
Time
Milli(double ms)
{
    return PicoSeconds(std::llround(ms * 1e9));
}

} // namespace

void
JobComparison::Choose()
{
    const FabricJobsOptions& o = m_options;
    const auto fabrics = OdcnCommandLine::SplitList(GRANT_NOTHING, "designs");
    const auto names = OdcnCommandLine::SplitList(
        o.designs == "all" ? GRANT_NOTHING + "," + GRANT_CIRCUITS : o.designs,
        "designs");
    for (const std::string& name : names)
    {
        if (std::find(fabrics.begin(), fabrics.end(), name) == fabrics.end())
        {
            const std::string title = m_system.Find(name).title;
            FabricDesign fabric = FabricDesign::MakeGranted(o.granted, o, name, "--granted");
            fabric.SetDescription(title);
            m_designs.push_back({fabric, name, true});
            continue;
        }
        FabricDesign fabric = FabricDesign::Find(name, o, "--designs");
        if (fabric.RemoveMore())
        {
            // As many uplinks as there are for granted circuits.
            fabric.SetDescription("static random circuits, shortest paths");
        }
        for (const std::string& placement : OdcnCommandLine::SplitList(o.placements, "placements"))
        {
            m_designs.push_back({fabric, placement});
        }
    }
    const auto isGranted = [](const FabricJobsDesign& design) { return design.granted; };
    const bool isAny = std::any_of(m_designs.begin(), m_designs.end(), isGranted);
    OdcnCommandLine::Check(isAny || o.granted == FabricJobsOptions().granted,
                           "granted",
                           o.granted,
                           "only with a design to which circuits are granted");
    SetReplication(0);
    for (const FabricJobsDesign& design : m_designs)
    {
        const std::string& name = design.fabric.GetName();
        m_hasOptical = m_hasOptical || !design.fabric.IsElectrical();
        design.fabric.Check(GetDemand(design), m_stream + 900);
        design.fabric.RefusePhases();
        m_rows.push_back({{name, design.placement},
                          design.granted || design.placement == RANDOM_PLACEMENT
                              ? name
                              : name + ", placed by " + design.placement,
                          design.fabric.GetDescription()});
    }
}

std::string
JobComparison::GetWarnings() const
{
    std::string text;
    for (const auto& [name, other] : m_transfers)
    {
        text += "warning: " + name + " was trained on other data centres: " + other + ".\n";
    }
    return text;
}

void
JobComparison::SetReplication(uint32_t replication)
{
    const FabricJobsOptions& o = m_options;
    m_stream = 100000 * int64_t(replication);
    m_placed.clear();
    m_from = double(o.warmUp); // in mean inter-arrival times
    m_until = m_from + o.duration / o.jobTime * o.load;
    const Ptr<OdcnJobSource> source = MakeHelper(o.gbps).CreateJobs(o.load);
    source->AssignStreams(m_stream);
    std::vector<OdcnJob> jobs;
    for (OdcnJob job; source->Next(job) && job.arrival < m_until;)
    {
        jobs.push_back(job);
    }
    Ptr<JobFlowWorkload> workload = CreateObject<JobFlowWorkload>();
    workload->SetAttribute("Sizes", StringValue(o.GetSizes()));
    workload->SetAttribute("Use", DoubleValue(o.use));
    workload->SetAttribute("TimeUnit", TimeValue(o.GetUnit()));
    workload->AssignStreams(m_stream + 200);
    m_jobFlows = workload->Generate(jobs, m_from, m_until);
}

StudyResult
JobComparison::Measure(std::size_t row, const std::string& file)
{
    const FabricJobsOptions& o = m_options;
    const FabricJobsDesign& design = m_designs[row];
    const Placed& placed = Place(design);
    const Time arrivals = Milli(o.duration);
    const Ptr<FabricNetwork> network =
        FabricDesignHelper().BuildNetwork(design.fabric, design.granted ? placed.ocs : 0);
    network->SetCircuits(GetDemand(design), m_stream + 900);
    std::function<Ptr<Object>()> follow;
    if (design.granted)
    {
        follow = [&]
        { return OdcnHelper::FollowCircuits(network->GetFabric(), placed.jobs, o.GetUnit()); };
    }
    const Time end = arrivals + Milli(o.drain);
    StudyResult result =
        Simulate(m_rows[row].title,
                 network,
                 {placed.flows, o.shortFlows, end, arrivals, file, arrivals, arrivals},
                 follow);
    if (!result.goodput.empty())
    {
        result.delivered = result.goodput[0] / 8 * arrivals.GetSeconds();
    }
    result.jobs = placed.jobs.offered;
    result.blockedJobs = placed.jobs.blocked;
    result.blocking = placed.blocking;
    for (const Traffic::Item& flow : placed.flows)
    {
        result.offered += double(flow.bytes);
    }
    return result;
}

std::string
JobComparison::DescribeLoad() const
{
    const std::string load = FormatNumber(m_options.load);
    if (!AreJobsDefault())
    {
        return load;
    }
    const Ptr<OdcnScheduling> problem = MakeHelper(m_options.gbps).CreateProblem(m_options.load);
    problem->Reset();
    return load + " (" + FormatFixed(100 * GetOfferedShare(m_options.load, *problem), 0) +
           " % of the cores)";
}

OdcnHelper
JobComparison::MakeHelper(double gbps) const
{
    const FabricJobsOptions& o = m_options;
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(o.racks));
    helper.SetNetworkAttribute("PortsPerTor", UintegerValue(o.uplinks));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(o.servers));
    helper.SetJobAttribute("Pattern", StringValue(o.pattern));
    helper.SetNetworkAttribute("PortRate", DataRateValue(DataRate(GbpsToBitRate(gbps))));
    // Demands of the ODCN paper are 6 to 8 Gb/s.
    helper.SetJobAttribute(
        "DemandGbps",
        StringValue("ns3::UniformRandomVariable[Min=" + FormatNumber(o.demand * o.gbps * 6 / 7) +
                    "|Max=" + FormatNumber(o.demand * o.gbps * 8 / 7) + "]"));
    return helper;
}

const JobComparison::Placed&
JobComparison::Place(const FabricJobsDesign& design)
{
    const FabricJobsOptions& o = m_options;
    const bool free = !design.granted && design.placement == RANDOM_PLACEMENT;
    const std::string key = design.placement + (free ? " without circuits" : "");
    const auto found = m_placed.find(key);
    if (found != m_placed.end())
    {
        return found->second;
    }
    // Circuits of a petabit a second never lack bandwidth.
    const Ptr<OdcnScheduling> problem = MakeHelper(free ? 1e6 : o.gbps).CreateProblem(o.load);
    const PolicyChoice choice = m_system.Find(design.placement);
    const Ptr<DecisionPolicy> policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(m_stream);
    policy->AssignStreams(m_stream + 100);
    problem->Reset();
    policy->Reset();
    const Ptr<CsMgr> manager = problem->GetManager();
    manager->SetControlLatency(o.linger / o.jobTime * o.load);
    Placed& placed = m_placed[key];
    placed.jobs = PlaceJobs(*problem, *policy, m_from, m_until);
    placed.blocking = manager->GetCounters().BlockingRatio();
    placed.ocs = manager->GetNetwork()->GetCircuits().GetNOcs();
    placed.flows = placed.jobs.GetFlows(m_jobFlows);
    if (const auto other = CompareTraining(*policy, *problem, o.pattern, o.load); !other.empty())
    {
        m_transfers[design.placement] = other;
    }
    return placed;
}

DemandMatrix
JobComparison::GetDemand(const FabricJobsDesign& design)
{
    DemandMatrix demand = Place(design).jobs.GetMeanDemand();
    demand.Scale(demand.GetMaxLoad() > 0 ? 1 / demand.GetMaxLoad() : 1);
    return demand;
}
