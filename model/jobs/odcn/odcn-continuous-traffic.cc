// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-continuous-traffic.h"

#include "ns3/odcn-ns3-compat.h"
#include "ns3/simulator.h"

namespace ns3::odcn
{

void
OdcnFlow::Append(const CsMgr& manager,
                 const OdcnPlacedJob& job,
                 bool intraRack,
                 std::vector<OdcnFlow>& flows)
{
    for (const auto& demand : job.demands)
    {
        const ServerId from = job.servers[demand.from];
        const ServerId to = job.servers[demand.to];
        const bool interRack =
            manager.GetServers().GetRack(from) != manager.GetServers().GetRack(to);
        if (interRack || (intraRack && from != to))
        {
            flows.push_back({job.id, demand.from, demand.to, from, to, interRack, demand.rate});
        }
    }
}

ContinuousTraffic::ContinuousTraffic(Ptr<OcsFabric> fabric,
                                     const CsMgr& manager,
                                     const std::vector<Ptr<JobFlowApplication>>& applications,
                                     bool intraRack)
    : m_fabric(fabric),
      m_manager(manager),
      m_applications(applications),
      m_intraRack(intraRack),
      m_monitor(CreateObject<OcsPacketMonitor>())
{
    m_monitor->SetFabric(fabric);
}

ContinuousTraffic::~ContinuousTraffic()
{
    for (auto& [id, job] : m_jobs)
    {
        job.end.Cancel();
    }
}

void
ContinuousTraffic::Begin(const OdcnPlacedJob& job, Time until, bool waits)
{
    if (until <= Simulator::Now())
    {
        return;
    }
    Running& running = m_jobs[job.id];
    running.waits = waits;
    OdcnFlow::Append(m_manager, job, m_intraRack, running.flows);
    running.end = CompatSchedule(until - Simulator::Now(), [this, id = job.id]() { End(id); });
    if (!waits)
    {
        Start(running);
    }
}

void
ContinuousTraffic::Resume(JobId job)
{
    const auto found = m_jobs.find(job);
    if (found != m_jobs.end() && found->second.waits)
    {
        found->second.waits = false;
        Start(found->second);
    }
}

void
ContinuousTraffic::Start(Running& job)
{
    const uint32_t perRack = m_manager.GetServers().GetServersPerRack();
    job.first = static_cast<uint32_t>(m_flows.size());
    for (const OdcnFlow& flow : job.flows)
    {
        const auto number = static_cast<uint32_t>(m_flows.size());
        m_flows.push_back(flow);
        m_flowTrace(number, flow);
        m_applications[flow.from]->AddFlow(
            number,
            m_fabric->GetServerAddress(flow.to / perRack, flow.to % perRack),
            flow.rate);
    }
}

void
ContinuousTraffic::End(JobId job)
{
    const auto found = m_jobs.find(job);
    if (found == m_jobs.end())
    {
        return;
    }
    Running& running = found->second;
    running.end.Cancel();
    for (uint32_t i = 0; !running.waits && i < running.flows.size(); ++i)
    {
        m_applications[running.flows[i].from]->RemoveFlow(running.first + i);
    }
    m_jobs.erase(found);
    m_endTrace(job);
}

void
ContinuousTraffic::Clear()
{
    while (!m_jobs.empty())
    {
        End(m_jobs.begin()->first);
    }
}

void
ContinuousTraffic::Received(const FlowHeader& header, Time delay)
{
    const OdcnFlow& flow = m_flows[header.GetFlow()];
    if (flow.interRack)
    {
        m_monitor->Received(m_manager.GetServers().GetRack(flow.from),
                            m_manager.GetServers().GetRack(flow.to),
                            delay);
    }
}

} // namespace ns3::odcn
