// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-packet-report.h"

#include "ns3/odcn-text.h"

#include <iostream>
#include <sstream>

using namespace ns3::odcn;

namespace
{

const char* const TIER_NAMES[] = {"same rack", "same cluster", "across clusters"};

/// @return column names of packet-requests.csv
std::vector<std::string>
RequestColumns()
{
    auto columns = SplitAtCommas("topology,load,policy,window,request,servers,highest_tier,sent");
    for (int c = 0; c < RddcWindowRecorder::CARRIERS; ++c)
    {
        const std::string name =
            RddcWindowRecorder::GetName(static_cast<RddcWindowRecorder::Carrier>(c));
        for (const char* figure : {"_lost", "_mean_ns", "_greatest_ns"})
        {
            columns.push_back(name + figure);
        }
    }
    return columns;
}

/// @return column names of packet-losses.csv
std::vector<std::string>
LossColumns()
{
    auto columns = SplitAtCommas("topology,load,policy,interrupted,sent,received");
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        columns.push_back(OcsDropCauseColumn(static_cast<OcsDropCause>(i)));
    }
    return columns;
}

/// @param value a number
/// @param digits significant ones
/// @return its text
std::string
ToText(double value, int digits)
{
    std::ostringstream os;
    os.precision(digits);
    os << value;
    return os.str();
}

/// @param packets of a carrier
/// @param tier 0 to 2
/// @param percent whether to tell the share of lost packets, not their number
/// @return cells of the table
std::vector<std::string>
GetCells(const PacketRecorder& packets, uint32_t tier, bool percent)
{
    const ScopePackets& total = packets.GetTotal(tier);
    const auto sent = static_cast<double>(total.measured.sent);
    const double lost = sent - static_cast<double>(total.measured.received);
    if (sent == 0)
    {
        return {"-", "-", "-"};
    }
    return {FormatEstimate(packets.GetMeanOfWindows(tier)),
            FormatPercentile(packets.GetLatency(tier).GetQuantileNs(0.99)),
            percent ? ToText(100 * lost / sent, 3) : FormatFixed(lost, 0)};
}

} // namespace

RddcPacketReport::RddcPacketReport(OutputFiles& files, RunReport& report)
    : m_files(files),
      m_latency(report.AddChart({ReportChart::Kind::ESTIMATES,
                                 "Latency of packets",
                                 "",
                                 "mean, ns",
                                 "topology, tier, carrier",
                                 "",
                                 {}})),
      m_figures(files.Path("packets.csv"),
                SplitAtCommas("topology,load,policy,tier,carrier,sent,lost,mean_ns,mean_ns_lower,"
                              "mean_ns_upper,p50_ns,p99_ns,greatest_ns,windows")),
      m_requests(files.Path("packet-requests.csv"), RequestColumns()),
      m_losses(files.Path("packet-losses.csv"), LossColumns()),
      m_table(SplitAtCommas("topology,policy,pairs,packets,lightpaths\nmean ns,\np99 ns,\nlost,"
                            "trunks\nmean ns,\np99 ns,\nlost %,ports\nmean ns,\np99 ns,\nlost %")),
      m_fates(SplitAtCommas("topology,policy,requests\ninterrupted,sent,received,lost"))
{
}

void
RddcPacketReport::Add(const Run& run, const RddcWindowRecorder& recorder)
{
    for (uint32_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
    {
        const ScopePackets& onCircuits =
            recorder.GetPackets(RddcWindowRecorder::CIRCUITS).GetTotal(tier);
        std::vector<std::string> cells{run.place,
                                       run.policy,
                                       TIER_NAMES[tier],
                                       std::to_string(onCircuits.measured.sent)};
        for (int c = 0; c < RddcWindowRecorder::CARRIERS; ++c)
        {
            const auto carrier = static_cast<RddcWindowRecorder::Carrier>(c);
            const PacketRecorder& packets = recorder.GetPackets(carrier);
            AddFigures(run, tier, RddcWindowRecorder::GetName(carrier), packets);
            const auto more = GetCells(packets, tier, carrier != RddcWindowRecorder::CIRCUITS);
            cells.insert(cells.end(), more.begin(), more.end());
        }
        m_table.AddRow(cells);
    }
    for (const auto& row : recorder.GetRequests())
    {
        m_requests.Cell(run.topology)
            .Cell(run.load)
            .Cell(run.policy)
            .Cell(row.window)
            .Cell(row.request);
        m_requests.Cell(row.servers).Cell(row.highestTier);
        m_requests.Cell(row.packets[RddcWindowRecorder::CIRCUITS].counts.sent);
        for (const JobPackets& packets : row.packets)
        {
            m_requests.Cell(packets.GetLost());
            m_requests.Cell(packets.GetMeanNs()).Cell(packets.GetGreatestNs());
        }
        m_requests.EndRow();
    }
}

void
RddcPacketReport::AddFigures(const Run& run,
                             std::size_t tier,
                             const std::string& carrier,
                             const PacketRecorder& packets)
{
    const Estimate mean = packets.GetMeanOfWindows(tier);
    const ScopePackets& total = packets.GetTotal(tier);
    if (total.measured.sent > 0)
    {
        const std::string facet = run.place + ", " + TIER_NAMES[tier] + ", " + carrier;
        m_latency.AddEstimate(facet, "", run.policy, mean);
    }
    m_figures.Row(run.topology,
                  run.load,
                  run.policy,
                  TIER_NAMES[tier],
                  carrier,
                  total.measured.sent,
                  total.measured.sent - total.measured.received,
                  mean.mean,
                  mean.lower,
                  mean.upper,
                  total.latency.GetQuantileNs(0.5),
                  total.latency.GetQuantileNs(0.99),
                  total.latency.GetMaxNs(),
                  mean.count);
}

void
RddcPacketReport::AddLosses(const Run& run, const PacketCounts& counts, uint64_t interrupted)
{
    m_losses.Cell(run.topology).Cell(run.load).Cell(run.policy).Cell(interrupted);
    m_losses.Cell(counts.sent).Cell(counts.received);
    std::string lost;
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        const uint64_t packets = counts.dropped.packets[i];
        m_losses.Cell(packets);
        if (packets > 0)
        {
            lost += (lost.empty() ? "" : ", ") + std::to_string(packets) + " " +
                    OcsDropCauseName(static_cast<OcsDropCause>(i));
        }
    }
    m_losses.EndRow();
    m_fates.AddRow({run.place,
                    run.policy,
                    std::to_string(interrupted),
                    std::to_string(counts.sent),
                    std::to_string(counts.received),
                    lost.empty() ? "-" : lost});
}

void
RddcPacketReport::Finish(RunReport& report, bool faults)
{
    m_files.Commit(m_losses, "all packets on lightpaths: received, or lost by cause");
    m_files.Commit(m_figures, "latency and loss by tier, the table below in full");
    m_files.Commit(m_requests, "every request in every window");
    m_table.Print(std::cout, 100);
    report.AddTable("Packets by tier", m_table);
    if (faults)
    {
        std::cout << "\nFaults: lightpaths only; the trees have none.\n\n";
        m_fates.Print(std::cout, 100);
        report.AddTable("Packets on lightpaths under faults", m_fates);
    }
}
