// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-recorder.h"

#include "ns3/callback.h"

#include <sstream>

namespace ns3::odcn
{

OdcnJobRecorder::OdcnJobRecorder(const std::string& path)
    : m_csv(path,
            {"policy",
             "job",
             "arrival",
             "duration",
             "vms",
             "outcome",
             "changed_circuits",
             "racks",
             "addresses"})
{
}

OdcnJobRecorder::~OdcnJobRecorder()
{
    Record("", nullptr);
}

void
OdcnJobRecorder::Record(const std::string& policy, Ptr<CsMgr> manager)
{
    const auto placed = MakeCallback(&OdcnJobRecorder::Placed, this);
    const auto blocked = MakeCallback(&OdcnJobRecorder::Blocked, this);
    const auto changed = MakeCallback(&OdcnJobRecorder::Changed, this);
    if (m_manager)
    {
        m_manager->TraceDisconnectWithoutContext("JobPlaced", placed);
        m_manager->TraceDisconnectWithoutContext("JobBlocked", blocked);
        m_manager->TraceDisconnectWithoutContext("CircuitsChanged", changed);
    }
    m_policy = policy;
    m_manager = manager;
    m_changed = 0;
    if (m_manager)
    {
        const auto& servers = m_manager->GetServers();
        m_plan = OcsAddressPlan::For(servers.GetNRacks(), servers.GetServersPerRack());
        m_manager->TraceConnectWithoutContext("JobPlaced", placed);
        m_manager->TraceConnectWithoutContext("JobBlocked", blocked);
        m_manager->TraceConnectWithoutContext("CircuitsChanged", changed);
    }
}

void
OdcnJobRecorder::Changed(const std::vector<OdcnCircuitChange>& changes)
{
    m_changed = changes.size();
}

void
OdcnJobRecorder::Placed(const OdcnPlacedJob& job)
{
    std::ostringstream racks;
    std::ostringstream addresses;
    const auto& servers = m_manager->GetServers();
    const char* separator = "";
    for (const ServerId server : job.servers)
    {
        const RackId rack = servers.GetRack(server);
        racks << separator << rack;
        addresses << separator
                  << m_plan.GetAddress(rack, server - rack * servers.GetServersPerRack());
        separator = "|";
    }
    m_csv.Row(m_policy,
              job.id,
              job.arrival,
              job.departure - job.arrival,
              job.vms.size(),
              OdcnOutcomeName(m_changed ? OdcnOutcome::RECONFIGURED : OdcnOutcome::ACCEPTED),
              m_changed,
              racks.str(),
              addresses.str());
    m_changed = 0;
}

void
OdcnJobRecorder::Blocked(const OdcnJob& job, OdcnOutcome cause)
{
    m_csv.Row(m_policy,
              job.id,
              job.arrival,
              job.duration,
              job.vms.size(),
              OdcnOutcomeName(cause),
              0,
              "",
              "");
}

void
OdcnJobRecorder::Commit()
{
    m_csv.Commit();
}

} // namespace ns3::odcn
