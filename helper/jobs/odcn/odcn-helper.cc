// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-helper.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::odcn
{

OdcnHelper::OdcnHelper()
{
    m_network.SetTypeId(NMgr::GetTypeId());
    m_compute.SetTypeId(CsMgr::GetTypeId());
    m_problem.SetTypeId(OdcnScheduling::GetTypeId());
    m_jobs.SetTypeId(OdcnJobGenerator::GetTypeId());
    m_scheduler.SetTypeId(PlacementScheduler::GetTypeId());
    m_flow.SetTypeId(JobFlowApplication::GetTypeId());
    // Fast enough to make the optical fabric the bottleneck, as in the paper.
    m_optics.SetServerAttribute("DataRate", DataRateValue(DataRate("400Gbps")));
}

void
OdcnHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_network.Set(name, value);
}

void
OdcnHelper::SetComputeAttribute(const std::string& name, const AttributeValue& value)
{
    m_compute.Set(name, value);
}

void
OdcnHelper::SetProblemAttribute(const std::string& name, const AttributeValue& value)
{
    m_problem.Set(name, value);
}

void
OdcnHelper::SetJobAttribute(const std::string& name, const AttributeValue& value)
{
    m_jobs.Set(name, value);
}

void
OdcnHelper::SetSchedulerAttribute(const std::string& name, const AttributeValue& value)
{
    m_scheduler.Set(name, value);
}

void
OdcnHelper::SetFlowAttribute(const std::string& name, const AttributeValue& value)
{
    m_flow.Set(name, value);
}

OcsHelper&
OdcnHelper::GetOptics()
{
    return m_optics;
}

Ptr<OdcnScheduling>
OdcnHelper::CreateProblem(Ptr<OdcnJobSource> jobs) const
{
    Ptr<CsMgr> compute = m_compute.Create<CsMgr>();
    compute->SetNetwork(m_network.Create<NMgr>());
    Ptr<OdcnScheduling> problem = m_problem.Create<OdcnScheduling>();
    problem->SetManager(compute);
    problem->SetJobSource(jobs);
    return problem;
}

Ptr<OdcnJobSource>
OdcnHelper::CreateJobs(double load) const
{
    if (!(load > 0) || !std::isfinite(load))
    {
        throw OdcnError::InOption("load", FormatNumber(load), "a number above 0");
    }
    auto jobs = m_jobs.Create<OdcnJobGenerator>();
    jobs->SetAttribute(
        "Duration",
        StringValue("ns3::ExponentialRandomVariable[Mean=" + FormatNumber(load) + "]"));
    return jobs;
}

Ptr<OdcnScheduling>
OdcnHelper::CreateProblem(double load) const
{
    return CreateProblem(CreateJobs(load));
}

OcsFabricSize
OdcnHelper::FitOptics(const OdcnScheduling& problem)
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const OdcnCircuitLedger& circuits = manager.GetNetwork()->GetCircuits();
    for (RackId rack = 0; rack < circuits.GetNRacks(); ++rack)
    {
        if (circuits.GetPortRate(rack) != circuits.GetPortRate())
        {
            throw OdcnError::InOption("PortRateByTor",
                                      std::to_string(circuits.GetPortRate(rack)) +
                                          " bit/s in rack " + std::to_string(rack),
                                      "one rate for all uplinks, in packets");
        }
    }
    // A smaller rack has servers and uplinks that stay idle.
    OcsFabricSize size;
    size.racks = manager.GetServers().GetNRacks();
    size.serversPerRack = manager.GetServers().GetServersPerRack();
    size.uplinks = circuits.GetPorts();
    size.switches = circuits.GetNOcs();
    m_optics.SetUplinkAttribute(
        "DataRate",
        DataRateValue(DataRate(static_cast<uint64_t>(circuits.GetPortRate()))));
    return size;
}

OdcnScenario
OdcnHelper::Install(Ptr<OdcnScheduling> problem, Ptr<DecisionPolicy> policy)
{
    const OcsFabricSize size = FitOptics(*PeekPointer(problem));
    OdcnScenario scenario;
    scenario.fabric = m_optics.Build(size);
    m_optics.InstallServers(scenario.fabric);
    const NodeContainer servers = scenario.fabric->GetServers();
    for (uint32_t i = 0; i < servers.GetN(); ++i)
    {
        auto flow = m_flow.Create<JobFlowApplication>();
        servers.Get(i)->AddApplication(flow);
        scenario.flows.push_back(flow);
    }
    AddScheduler(scenario, problem, policy);
    scenario.scheduler->SetFabric(scenario.fabric, scenario.flows);
    return scenario;
}

OdcnScenario
OdcnHelper::InstallExact(Ptr<OdcnScheduling> problem,
                         Ptr<DecisionPolicy> policy,
                         OdcnPacketSink& sink)
{
    OdcnScenario scenario;
    AddScheduler(scenario, problem, policy);
    scenario.scheduler->SetEngine(m_optics.GetModel(FitOptics(*PeekPointer(problem))),
                                  m_flow.Create<JobFlowApplication>(),
                                  m_optics.GetMtu(),
                                  sink);
    return scenario;
}

void
OdcnHelper::AddScheduler(OdcnScenario& scenario,
                         Ptr<OdcnScheduling> problem,
                         Ptr<DecisionPolicy> policy) const
{
    scenario.scheduler = m_scheduler.Create<PlacementScheduler>();
    scenario.scheduler->SetAttribute("Policy", PointerValue(policy));
    scenario.scheduler->SetProblem(problem);
    scenario.controller = CreateObject<Node>();
    scenario.controller->AddApplication(scenario.scheduler);
}

Ptr<OcsCircuitFollower>
OdcnHelper::FollowCircuits(Ptr<OcsFabric> fabric, const JobPlacement& placement, Time unit)
{
    // Packets that are on their way to the optical switch pass.
    const Ptr<OcsNetDevice> uplink = fabric->GetUplink(0, 0);
    const auto rate = GetAttributeOf<DataRateValue>(*uplink, "DataRate");
    const Time drain = rate.CalculateBytesTxTime(uplink->GetMtu()) +
                       DynamicCast<OcsFiber>(uplink->GetChannel())->GetDelay() + TimeStep(1);
    std::vector<OcsCircuitBatch> batches;
    for (const JobPlacement::Batch& batch : placement.batches)
    {
        const double units = batch.time - placement.from;
        batches.push_back(
            {Simulator::Now() + NanoSeconds(std::llround(units * unit.GetSeconds() * 1e9)),
             OcsFabric::ToCircuits(batch.changes)});
    }
    auto follower = CreateObjectWithAttributes<OcsCircuitFollower>("Drain", TimeValue(drain));
    follower->Start(fabric, OcsFabric::ToCircuits(placement.circuits), batches);
    return follower;
}

int64_t
OdcnHelper::AssignStreams(const OdcnScenario& scenario, int64_t stream)
{
    if (const auto engine = scenario.scheduler->GetEngine())
    {
        return engine->AssignStreams(stream, JobFlowApplication::MAX_FLOWS);
    }
    int64_t used = scenario.fabric->AssignStreams(stream);
    for (const auto& flow : scenario.flows)
    {
        used += flow->AssignStreams(stream + used);
    }
    return used;
}

} // namespace ns3::odcn
