// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-recorder.h"

#include "ns3/callback.h"
#include "ns3/odcn-text.h"

namespace ns3::odcn
{

namespace
{

/// @param labels first columns
/// @return columns of jobs.csv
std::vector<std::string>
GetColumns(std::vector<std::string> labels)
{
    const auto more = SplitAtCommas("policy,job,arrival,duration,vms,outcome,changed_circuits,"
                                    "racks,addresses");
    labels.insert(labels.end(), more.begin(), more.end());
    return labels;
}

} // namespace

OdcnJobRecorder::OdcnJobRecorder(OutputFiles& files,
                                 RunReport& report,
                                 const std::vector<std::string>& labels)
    : m_files(files),
      m_csv(files.Path("jobs.csv"), GetColumns(labels)),
      m_use(report.AddChart({ReportChart::Kind::HEATMAP,
                             "Cores in use over time by rack",
                             "job time since the first job",
                             "% of the rack's cores",
                             "policy",
                             "",
                             {}})),
      m_bars(report.AddChart({ReportChart::Kind::TIMELINE,
                              "Jobs over time",
                              "job time since the first job",
                              "jobs in order of arrival; blocked ones as if they ran",
                              "policy",
                              "",
                              {}}))
{
}

OdcnJobRecorder::~OdcnJobRecorder()
{
    Record("", nullptr);
}

void
OdcnJobRecorder::Record(const std::string& title,
                        Ptr<CsMgr> manager,
                        const std::vector<std::string>& place)
{
    const auto placed = MakeCallback(&OdcnJobRecorder::Placed, this);
    const auto blocked = MakeCallback(&OdcnJobRecorder::Blocked, this);
    const auto changed = MakeCallback(&OdcnJobRecorder::Changed, this);
    if (m_manager)
    {
        m_manager->TraceDisconnectWithoutContext("JobPlaced", placed);
        m_manager->TraceDisconnectWithoutContext("JobBlocked", blocked);
        m_manager->TraceDisconnectWithoutContext("CircuitsChanged", changed);
        m_cores.Put(m_use, m_title, 100, m_last);
    }
    m_title = title;
    m_place = place.empty() ? std::vector<std::string>{title} : place;
    m_manager = manager;
    m_changed = 0;
    if (m_manager)
    {
        m_cores = UseOverTime();
        m_decided = 0;
        m_last = 0;
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
OdcnJobRecorder::PutPlace()
{
    for (const auto& cell : m_place)
    {
        m_csv.Cell(cell);
    }
}

void
OdcnJobRecorder::Placed(const OdcnPlacedJob& job)
{
    m_first = m_decided == 0 ? job.arrival : m_first;
    PlainStream racks;
    PlainStream addresses;
    const auto& servers = m_manager->GetServers();
    const char* separator = "";
    for (std::size_t vm = 0; vm < job.servers.size(); ++vm)
    {
        const ServerId server = job.servers[vm];
        const RackId rack = servers.GetRack(server);
        m_cores.Add(job.arrival - m_first,
                    job.departure - m_first,
                    rack,
                    static_cast<double>(job.vms[vm].milli[0]) /
                        static_cast<double>(servers.GetServerCapacity().milli[0]) /
                        servers.GetNServers(rack));
        racks << separator << rack;
        addresses << separator
                  << m_plan.GetAddress(rack, server - rack * servers.GetServersPerRack());
        separator = "|";
    }
    const std::string outcome =
        OdcnOutcomeName(m_changed ? OdcnOutcome::RECONFIGURED : OdcnOutcome::ACCEPTED);
    PutPlace();
    m_csv.Row(job.id,
              job.arrival,
              job.departure - job.arrival,
              job.vms.size(),
              outcome,
              m_changed,
              racks.str(),
              addresses.str());
    Show(job.id, job.arrival, job.departure, outcome);
    m_changed = 0;
}

void
OdcnJobRecorder::Blocked(const OdcnJob& job, OdcnOutcome cause)
{
    m_first = m_decided == 0 ? job.arrival : m_first;
    PutPlace();
    m_csv.Row(job.id, job.arrival, job.duration, job.vms.size(), OdcnOutcomeName(cause), 0, "", "");
    Show(job.id, job.arrival, job.arrival + job.duration, OdcnOutcomeName(cause));
}

void
OdcnJobRecorder::Show(JobId id, double arrival, double end, const std::string& outcome)
{
    m_last = arrival - m_first;
    if (++m_decided <= SHOWN)
    {
        m_bars.rows.push_back(
            {m_title, "job " + std::to_string(id), m_last, end - m_first, outcome});
    }
    else
    {
        m_bars.note = "The first replication; the first " + std::to_string(SHOWN) + " of " +
                      std::to_string(m_decided) + " jobs.";
    }
}

void
OdcnJobRecorder::Commit()
{
    Record("", nullptr);
    m_files.Commit(m_csv, "every job of the first replication: when, where, why not");
}

} // namespace ns3::odcn
