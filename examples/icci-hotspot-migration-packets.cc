// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-hotspot-migration-packets.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-table.h"

#include <cmath>
#include <ostream>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Name of the pcap file.
const std::string PCAP = "migration.pcap";

/// @return the columns of packets.csv
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

/// @param measured s  @param formula s  @return how much more was measured, %
double
GetGap(double measured, double formula)
{
    return 100 * (measured / formula - 1);
}

/// A figure of a migration; NaN where it has none.
using Figure = double (*)(const IcciPacketRun::Row&);

/// @param rows migrations  @param figure of each  @return its mean over those that have it
OdcnEstimate
GetMean(const std::vector<IcciPacketRun::Row>& rows, Figure figure)
{
    std::vector<double> values;
    for (const auto& row : rows)
    {
        values.push_back(figure(row));
    }
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return OdcnMeanOfReplications(values);
}

/// @param row migration  @return by how much T_trans exceeds Eq. 3 before it, %
double
GapBefore(const IcciPacketRun::Row& row)
{
    return GetGap(row.before.packets, row.before.formula);
}

/// @param row migration  @return likewise after it
double
GapAfter(const IcciPacketRun::Row& row)
{
    return GetGap(row.after.packets, row.after.formula);
}

/// @param row migration  @return likewise of the job level, before it
double
GapJob(const IcciPacketRun::Row& row)
{
    return GetGap(row.before.job, row.before.formula);
}

/// @param row migration  @return downtime by Eq. 16; none when it was given up
double
Eq16(const IcciPacketRun::Row& row)
{
    return row.completed ? row.eq16 : std::nan("");
}

/// @param row migration  @return downtime in packets; none when it was given up
double
Downtime(const IcciPacketRun::Row& row)
{
    return row.completed ? row.downtime : std::nan("");
}

/// @param row migration  @return by how much the one exceeds the other, %
double
GapDowntime(const IcciPacketRun::Row& row)
{
    return GetGap(Downtime(row), row.eq16);
}

} // namespace

/// What FlowMonitor saw.
class PacketReport::Traces
{
  public:
    /// @param files where to write
    explicit Traces(OdcnOutputFiles& files)
        : m_files(files),
          m_monitor(m_flows.GetMonitor())
    {
    }

    /// @param host to be looked at, too
    void Watch(Ptr<Node> host)
    {
        m_flows.Install(host);
    }

    /// Put the files in their places. @param carried whether there was a migration
    void Keep(bool carried)
    {
        m_monitor->CheckForLostPackets();
        OdcnAtomicFile xml(m_files.Path("flow-monitor.xml"));
        m_monitor->SerializeToXmlStream(xml.Stream(), 0, false, false);
        xml.Commit();
        m_files.Written("flow-monitor.xml", "FlowMonitor of all rings and migrations in packets");
        if (carried)
        {
            m_files.Keep(PCAP, "packets of the first worker that moved, at its old place");
        }
    }

  private:
    OdcnOutputFiles& m_files;   //!< where to write
    FlowMonitorHelper m_flows;  //!< made the monitor
    Ptr<FlowMonitor> m_monitor; //!< hosts with workers
};

PacketReport::PacketReport(const Options& options,
                           Ptr<const IcciManager> manager,
                           OdcnOutputFiles& files)
    : m_options(options),
      m_files(files),
      m_csv(files.Path("packets.csv"), GetColumns())
{
    IcciPacketOptions carrying;
    carrying.scale = options.packetScale;
    carrying.cut = options.cut;
    if (options.traces)
    {
        m_traces = std::make_unique<Traces>(files);
        carrying.pcap = files.Temporary(PCAP);
        carrying.watch = [traces = m_traces.get()](Ptr<Node> host) { traces->Watch(host); };
    }
    m_run = std::make_unique<IcciPacketRun>(manager, carrying);
}

PacketReport::~PacketReport() = default;

void
PacketReport::Begin(const std::string& policy, Ptr<IcciManager> manager)
{
    m_policies.push_back({policy, {}});
    m_run->Carry(std::move(manager), m_options.packets);
}

void
PacketReport::AddDay(uint64_t run)
{
    Policy& policy = m_policies.back();
    for (std::size_t i = policy.rows.size(); i < m_run->GetRows().size(); ++i)
    {
        const Row& row = m_run->GetRows()[i];
        m_csv.Cell(policy.name)
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
        policy.rows.push_back(row);
    }
}

void
PacketReport::Write()
{
    m_csv.Commit();
    m_files.Written("packets.csv", "every migration in packets");
    if (m_traces)
    {
        bool carried = false;
        for (const auto& policy : m_policies)
        {
            carried = carried || !policy.rows.empty();
        }
        m_traces->Keep(carried);
    }
}

void
PacketReport::Print(std::ostream& os) const
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
    OdcnTable table({"policy",
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
            return std::isnan(value) ? "" : OdcnFormatFixed(value, digits);
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
    if (all.empty())
    {
        return;
    }
    const auto mean = [&](Figure figure) { return OdcnFormatEstimate(GetMean(all, figure)); };
    os << "\nBy how many % more than the formulas say, all together:\n"
       << "  T_trans before, Eq. 3  " << mean(GapBefore) << "; as the job level has it "
       << mean(GapJob) << "\n  T_trans after, Eq. 3   " << mean(GapAfter)
       << "\n  downtime, Eq. 16       " << mean(GapDowntime) << "\n";
}
