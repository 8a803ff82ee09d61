// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-hotspot-migration-packets.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-table.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <ostream>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Name of the pcap file.
const std::string PCAP = "migration.pcap";
/// Name of the pcap file of control packets.
const std::string CONTROL = "control.pcap";

/// @return column names of packets.csv
std::vector<std::string>
GetColumns()
{
    std::vector<std::string> columns{"policy",
                                     "run",
                                     "task",
                                     "start_s",
                                     "workers",
                                     "moved_workers",
                                     "before_eq3_s",
                                     "before_job_s",
                                     "before_packets_s",
                                     "after_eq3_s",
                                     "after_job_s",
                                     "after_packets_s",
                                     "downtime_eq16_s",
                                     "downtime_packets_s",
                                     "completed",
                                     "rerouted",
                                     "scale",
                                     "ring_scale",
                                     "sent"};
    for (std::size_t cause = 0; cause < OCS_DROP_CAUSES; ++cause)
    {
        columns.push_back(std::string("lost_") +
                          OcsDropCauseName(static_cast<OcsDropCause>(cause)));
    }
    return columns;
}

/// @param measured time, s  @param formula time, s  @return relative difference, %
double
GetGap(double measured, double formula)
{
    return 100 * (measured / formula - 1);
}

/// A figure of a migration; NaN if not defined.
using Figure = double (*)(const IcciPacketMigration&);

/// @param rows migrations  @param figure figure of each  @return mean over those that define it
Estimate
GetMean(const std::vector<IcciPacketMigration>& rows, Figure figure)
{
    std::vector<double> values;
    for (const auto& row : rows)
    {
        values.push_back(figure(row));
    }
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return MeanOfReplications(values);
}

/// @param row migration  @return relative excess of T_trans over Eq. 3 before it, %
double
GapBefore(const IcciPacketMigration& row)
{
    return GetGap(row.before.packets, row.before.formula);
}

/// @param row migration  @return relative excess of T_trans over Eq. 3 after it, %
double
GapAfter(const IcciPacketMigration& row)
{
    return GetGap(row.after.packets, row.after.formula);
}

/// @param row migration  @return relative excess of the job level's T_trans over Eq. 3 before it, %
double
GapJob(const IcciPacketMigration& row)
{
    return GetGap(row.before.job, row.before.formula);
}

/// @param row migration  @return downtime by Eq. 16; NaN if it was aborted
double
Eq16(const IcciPacketMigration& row)
{
    return row.completed ? row.eq16 : std::nan("");
}

/// @param row migration  @return downtime at packet level; NaN if it was aborted
double
Downtime(const IcciPacketMigration& row)
{
    return row.completed ? row.downtime : std::nan("");
}

/// @param row migration  @return relative excess of the measured downtime over Eq. 16, %
double
GapDowntime(const IcciPacketMigration& row)
{
    return GetGap(Downtime(row), row.eq16);
}

} // namespace

/// pcap and FlowMonitor traces.
class PacketReport::Traces
{
  public:
    /// @param files output folder  @param plane packet plane of the hosts
    Traces(OutputFiles& files, Ptr<IcciPacketPlane> plane)
        : m_files(files),
          m_plane(plane)
    {
    }

    /// Trace packets of the first worker that moves. @param from its place
    void MoveReady(const IcciWorkerPlace& from, const IcciWorkerPlace&)
    {
        if (!m_hasPcap)
        {
            m_hasPcap = true;
            const auto card = m_plane->GetTree(from.centre)->GetServerDevice(from.host);
            IcciPlaneHelper().EnablePcap(m_files.Temporary(PCAP), card, true, true);
        }
    }

    /// Monitor a host. @param host the host
    void Watch(Ptr<Node> host)
    {
        if (m_watched.insert(host->GetId()).second)
        {
            m_flows.Install(host);
        }
    }

    /// Keep the files. @param control whether there were control packets
    void Keep(bool control)
    {
        if (control)
        {
            m_files.Keep(CONTROL, "control packets, at the controller");
        }
        if (m_hasPcap)
        {
            AtomicFile xml(m_files.Path("flow-monitor.xml"));
            m_flows.Write(xml.Stream());
            xml.Commit();
            m_files.Written("flow-monitor.xml",
                            "FlowMonitor of all rings and migrations in packets");
            m_files.Keep(PCAP, "packets of the first worker that moved, at its old place");
        }
    }

  private:
    OutputFiles& m_files;                 //!< output folder
    Ptr<IcciPacketPlane> m_plane;         //!< packet plane of the hosts
    bool m_hasPcap{false};                //!< whether the pcap trace was started
    std::set<uint32_t> m_watched;         //!< ids of monitored nodes
    FlowReport m_flows{MicroSeconds(10)}; //!< monitors all hosts with workers
};

void
PacketOptions::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Packets", "packets");
    cmd.AddValue("packets", "migrations per policy that are also run at packet level", packets);
    cmd.AddRange("packetScale", "fraction of the bytes that is sent", packetScale, 1e-6, 1e-3);
    cmd.AddValue("cut", "cut a fibre in the middle of each migration", cut);
    cmd.AddValue("controlDelay",
                 "one-way delay of the management network; 0us for an ideal network",
                 controlDelay);
    cmd.AddValue("traces", "write pcap and FlowMonitor files", traces);
}

void
PacketOptions::Check() const
{
    OdcnCommandLine::ParseTime(controlDelay, "controlDelay", 1);
}

PacketReport::PacketReport(const PacketOptions& options,
                           Ptr<const IcciManager> manager,
                           OutputFiles& files)
    : m_options(options),
      m_files(files),
      m_plane(IcciPlaneHelper::Build(manager->GetMesh(), IcciPlaneOptions::Of(manager))),
      m_controller(CreateObject<Node>()),
      m_csv(files.Path("packets.csv"), GetColumns())
{
    m_management = CreateObject<ManagementNetwork>();
    const Time delay = OdcnCommandLine::ParseTime(options.controlDelay, "controlDelay");
    if (!delay.IsZero())
    {
        m_management->SetAttribute("DataRate", StringValue("1Gbps"));
        m_management->SetAttribute("Delay", TimeValue(delay));
    }
    ManagementHelper helper;
    const auto gateway = helper.Install(m_management, m_controller);
    if (options.traces)
    {
        m_traces = std::make_unique<Traces>(files, m_plane);
        if (!delay.IsZero())
        {
            m_traces->Watch(m_controller);
            m_traces->Watch(gateway);
            helper.EnablePcap(files.Temporary(CONTROL), m_controller->GetDevice(0), true, true);
        }
    }
}

PacketReport::~PacketReport()
{
    Simulator::Destroy();
    m_plane->Dispose();
}

void
PacketReport::Begin(const std::string& policy)
{
    m_policies.push_back({policy, {}});
}

void
PacketReport::RunDay(Ptr<IcciMigration> problem, Ptr<DecisionPolicy> policy, uint64_t run)
{
    auto& rows = m_policies.back().rows;
    const std::size_t first = rows.size();
    auto scheduler = CreateObject<MigrationScheduler>();
    scheduler->SetAttribute("Policy", PointerValue(policy));
    scheduler->SetAttribute("PacketScale", DoubleValue(m_options.packetScale));
    scheduler->SetAttribute("Cut", BooleanValue(m_options.cut));
    // Windows follow each other directly: idle time would dominate plots of a day.
    scheduler->SetAttribute("JobTimeUnit", TimeValue(Time(0)));
    scheduler->SetAttribute("WindowAfter", UintegerValue(0));
    scheduler->SetAttribute("WindowSpacing", UintegerValue(first < m_options.packets));
    scheduler->SetAttribute("MaxWindows", UintegerValue(m_options.packets - first));
    scheduler->SetManagement(m_management);
    scheduler->SetProblem(problem);
    scheduler->SetPlane(m_plane);
    const auto carried = [&rows](const Row& row)
    {
        Interruption::Check();
        rows.push_back(row);
    };
    scheduler->TraceConnectWithoutContext("Carried", Callback<void, const Row&>(carried));
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    if (m_traces)
    {
        scheduler->TraceConnectWithoutContext("HostUsed",
                                              MakeCallback(&Traces::Watch, m_traces.get()));
        scheduler->TraceConnectWithoutContext("MoveReady",
                                              MakeCallback(&Traces::MoveReady, m_traces.get()));
    }
    m_controller->AddApplication(scheduler);
    Simulator::Run();
    for (std::size_t i = first; i < rows.size(); ++i)
    {
        const Row& row = rows[i];
        m_csv.Cell(m_policies.back().name)
            .Cell(run)
            .Cell(row.task)
            .Cell(row.start)
            .Cell(row.workers)
            .Cell(row.moved);
        for (const auto& transfer : {row.before, row.after})
        {
            m_csv.Cell(transfer.formula).Cell(transfer.job).Cell(transfer.packets);
        }
        m_csv.Cell(row.eq16)
            .Cell(row.downtime)
            .Cell(row.completed)
            .Cell(row.rerouted)
            .Cell(m_options.packetScale)
            .Cell(row.ringScale)
            .Cell(row.sent);
        for (const uint64_t lost : row.dropped.packets)
        {
            m_csv.Cell(lost);
        }
        m_csv.EndRow();
    }
}

void
PacketReport::Write()
{
    m_csv.Commit();
    m_files.Written("packets.csv", "every migration in packets");
    if (m_traces)
    {
        m_traces->Keep(!m_management->IsIdeal());
    }
}

void
PacketReport::Print(std::ostream& os, RunReport& report) const
{
    os << "\nIn packets: of each policy the first " << m_options.packets
       << (m_options.packets == 1 ? " migration" : " migrations")
       << ", with the task's iteration before and after it.\n"
       << m_options.packetScale << " of the bytes are sent; times are those of all.\n";
    if (m_options.cut)
    {
        os << "A fibre is cut in the middle of each migration.\n";
    }
    os << "\n";
    Table table({"policy",
                 "migrations",
                 "done",
                 "workers\nmoved",
                 "exchange before\nEq. 3 s",
                 "\nmore %",
                 "exchange after\nEq. 3 s",
                 "\nmore %",
                 "downtime\nEq. 16 s",
                 "\npackets s",
                 "\nmore %",
                 "lightpaths\nrerouted",
                 "packets",
                 "of them\nlost"});
    std::vector<Row> all;
    for (const auto& [name, rows] : m_policies)
    {
        if (rows.empty())
        {
            continue;
        }
        uint32_t done = 0;
        uint32_t moved = 0;
        uint32_t rerouted = 0;
        uint64_t sent = 0;
        uint64_t lost = 0;
        for (const auto& row : rows)
        {
            done += row.completed;
            moved += row.completed ? row.moved : 0;
            rerouted += row.rerouted;
            sent += row.sent;
            lost += row.dropped.Total();
        }
        const auto& some = rows;
        const auto mean = [&](Figure figure, int digits)
        {
            const double value = GetMean(some, figure).mean;
            return std::isnan(value) ? "" : FormatFixed(value, digits);
        };
        table.AddRow({name,
                      std::to_string(rows.size()),
                      std::to_string(done),
                      std::to_string(moved),
                      mean([](const Row& row) { return row.before.formula; }, 4),
                      mean(GapBefore, 2),
                      mean([](const Row& row) { return row.after.formula; }, 4),
                      mean(GapAfter, 2),
                      mean(Eq16, 4),
                      mean(Downtime, 4),
                      mean(GapDowntime, 2),
                      std::to_string(rerouted),
                      std::to_string(sent),
                      std::to_string(lost)});
        all.insert(all.end(), rows.begin(), rows.end());
    }
    table.Print(os);
    report.AddTable("Migrations in packets", table);
    if (all.empty())
    {
        return;
    }
    const auto mean = [&](Figure figure) { return FormatEstimate(GetMean(all, figure)); };
    os << "\nBy how many % more than the formulas say, all together:\n"
       << "  T_trans before, Eq. 3  " << mean(GapBefore) << "; as the job level has it "
       << mean(GapJob) << "\n  T_trans after, Eq. 3   " << mean(GapAfter)
       << "\n  downtime, Eq. 16       " << mean(GapDowntime) << "\n";
}
