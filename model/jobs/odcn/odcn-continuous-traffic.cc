// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-continuous-traffic.h"

#include "ns3/odcn-ns3-compat.h"
#include "ns3/simulator.h"

#include <algorithm>

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
        job->end.Cancel();
    }
}

void
ContinuousTraffic::SetMessages(Ptr<MessagePlane> plane, BytesOf bytesOf)
{
    m_plane = plane;
    m_bytesOf = std::move(bytesOf);
}

void
ContinuousTraffic::Begin(const OdcnPlacedJob& job, Time until, bool waits)
{
    if (!m_plane && until <= Simulator::Now())
    {
        return;
    }
    auto running = std::make_shared<Running>();
    OdcnFlow::Append(m_manager, job, m_intraRack, running->flows);
    running->waits = waits;
    if (m_plane && !running->flows.empty())
    {
        running->left = running->flows.size();
        for (const OdcnFlow& flow : running->flows)
        {
            running->bytes.push_back(m_bytesOf(job, flow));
        }
    }
    else
    {
        running->end = CompatSchedule(std::max(Time(0), until - Simulator::Now()),
                                      [this, id = job.id]() { Finish(id); });
    }
    m_jobs[job.id] = running;
    if (!waits)
    {
        Start(running);
    }
}

void
ContinuousTraffic::Resume(JobId job)
{
    const auto found = m_jobs.find(job);
    if (found != m_jobs.end() && found->second->waits)
    {
        found->second->waits = false;
        Start(found->second);
    }
}

void
ContinuousTraffic::Start(const std::shared_ptr<Running>& job)
{
    const uint32_t perRack = m_manager.GetServers().GetServersPerRack();
    job->first = static_cast<uint32_t>(m_flows.size());
    for (std::size_t i = 0; i < job->flows.size(); ++i)
    {
        const OdcnFlow& flow = job->flows[i];
        const auto number = static_cast<uint32_t>(m_flows.size());
        m_flows.push_back(flow);
        m_flowTrace(number, flow);
        if (job->bytes.empty())
        {
            m_applications[flow.from]->AddFlow(
                number,
                m_fabric->GetServerAddress(flow.to / perRack, flow.to % perRack),
                flow.rate);
            continue;
        }
        // A job that was interrupted does not count any more, and this object may be gone.
        const auto delivered = [this, running = std::weak_ptr(job)](const Message& message)
        {
            const auto present = running.lock();
            if (present && --present->left == 0)
            {
                Finish(message.tag);
            }
        };
        m_plane->Send(flow.from, flow.to, job->bytes[i], delivered, flow.job);
    }
}

void
ContinuousTraffic::Finish(JobId job)
{
    End(job);
    if (m_ended)
    {
        m_ended(job);
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
    const auto running = found->second;
    m_jobs.erase(found);
    running->end.Cancel();
    if (!running->waits && running->bytes.empty())
    {
        for (uint32_t i = 0; i < running->flows.size(); ++i)
        {
            m_applications[running->flows[i].from]->RemoveFlow(running->first + i);
        }
    }
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
