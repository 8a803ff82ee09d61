// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-window-recorder.h"

#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <set>

namespace ns3::odcn
{

namespace
{

/// @param header of a packet  @return number of the packet, unique in its window
uint64_t
KeyOf(const FlowHeader& header)
{
    return (uint64_t{header.GetFlow()} << 32) | header.GetSequence();
}

/// @param time a time, not negative  @return @p time in ps
uint64_t
Ps(Time time)
{
    return static_cast<uint64_t>(time.GetPicoSeconds());
}

/// @return column names of the file
std::vector<std::string>
Columns()
{
    std::vector<std::string> columns{"policy",
                                     "window",
                                     "job",
                                     "job_time",
                                     "opened_s",
                                     "closed_s",
                                     "scope",
                                     "flows",
                                     "sent",
                                     "received"};
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        std::string name = OcsDropCauseName(static_cast<OcsDropCause>(i));
        std::replace(name.begin(), name.end(), '-', '_');
        columns.push_back("dropped_" + name);
    }
    for (const char* name : {"in_flight",
                             "measured_sent",
                             "measured_received",
                             "mean_ns",
                             "p50_ns",
                             "p99_ns",
                             "p999_ns",
                             "max_ns",
                             "loss",
                             "steadiness",
                             "drift",
                             "formula_ns",
                             "formula_loss"})
    {
        columns.emplace_back(name);
    }
    return columns;
}

/// What is estimated of the packets between racks of a policy, over windows.
struct PacketFigure
{
    const char* name;                              //!< column of a file
    const char* title;                             //!< column of a table
    double scale;                                  //!< factor in tables
    Estimate (*get)(const OdcnWindowMonitor& all); //!< value of a policy
};

/// @param all windows of a policy  @param p level  @return quantile of the latency in ns
Estimate
QuantileOf(const OdcnWindowMonitor& all, double p)
{
    return all.GetLatency(OdcnScope::INTER_RACK).GetQuantileNs(p);
}

const PacketFigure PACKET_FIGURES[]{
    {"latency_ns",
     "latency\nns",
     1,
     [](const auto& all) { return all.GetLatency(OdcnScope::INTER_RACK).GetMeanNs(); }},
    {"p50_ns", "p50\nns", 1, [](const auto& all) { return QuantileOf(all, 0.5); }},
    {"p99_ns", "p99\nns", 1, [](const auto& all) { return QuantileOf(all, 0.99); }},
    {"p999_ns", "p99.9\nns", 1, [](const auto& all) { return QuantileOf(all, 0.999); }},
    {"loss", "loss\n%", 100, [](const auto& all) { return all.GetLoss(OdcnScope::INTER_RACK); }},
    // The transient that remains after the warm-up of the windows.
    {"drift", "drift\n%", 100, [](const auto& all) { return all.GetDrift(OdcnScope::INTER_RACK); }},
};

} // namespace

OdcnWindowRecorder::OdcnWindowRecorder(const std::string& path)
    : m_csv(path, Columns())
{
}

void
OdcnWindowRecorder::Record(const std::string& policy,
                           Ptr<PlacementScheduler> scheduler,
                           Ptr<OcsFabric> fabric,
                           const std::vector<Ptr<JobFlowApplication>>& flows)
{
    auto& log = m_logs[policy];
    if (log)
    {
        throw OdcnError("policy " + policy + " was recorded before");
    }
    log = std::make_unique<Log>();
    log->linksNs = 1e-3 * static_cast<double>(scheduler->GetLinksTime().GetPicoSeconds());
    m_order.push_back(policy);
    m_log = log.get();
    m_policy = policy;
    m_fabric = fabric;
    scheduler->TraceConnectWithoutContext("WindowOpened",
                                          MakeCallback(&OdcnWindowRecorder::Opened, this));
    scheduler->TraceConnectWithoutContext("WindowClosed",
                                          MakeCallback(&OdcnWindowRecorder::Closed, this));
    for (const auto& flow : flows)
    {
        flow->TraceConnectWithoutContext("Tx", MakeCallback(&OdcnWindowRecorder::Sent, this));
        flow->TraceConnectWithoutContext("Rx", MakeCallback(&OdcnWindowRecorder::Received, this));
    }
    // Bound methods, because ns-3.35 cannot make a Callback from a lambda. ns-3 casts to the exact
    // types of the parameters, so the pointers are const, too.
    const auto sendingSide = [this](const Ptr<OcsNetDevice>& device)
    {
        const auto lost = MakeCallback(&OdcnWindowRecorder::LostBySender, this)
                              .Bind(PeekPointer(Ptr<const OcsNetDevice>(device)));
        device->TraceConnectWithoutContext("MacTxDrop", lost);
        device->TraceConnectWithoutContext("PhyTxDrop", lost);
    };
    const auto receivingSide = [this](const Ptr<OcsNetDevice>& device)
    {
        device->TraceConnectWithoutContext("PhyRxDrop",
                                           MakeCallback(&OdcnWindowRecorder::LostByReceiver, this)
                                               .Bind(PeekPointer(Ptr<const OcsNetDevice>(device))));
    };
    for (RackId rack = 0; fabric && rack < fabric->GetSize().racks; ++rack)
    {
        Ptr<TorSwitch> tor = fabric->GetTor(rack);
        tor->TraceConnectWithoutContext("Drop", MakeCallback(&OdcnWindowRecorder::Dropped, this));
        for (uint32_t p = 0; p < tor->GetNUplinks(); ++p)
        {
            receivingSide(fabric->GetUplink(rack, p));
        }
        for (uint32_t s = 0; s < tor->GetNDownlinks(); ++s)
        {
            receivingSide(tor->GetDownlink(s));
            receivingSide(fabric->GetServerDevice(rack, s));
            sendingSide(fabric->GetServerDevice(rack, s));
        }
    }
    for (uint32_t w = 0; fabric && w < fabric->GetSize().switches; ++w)
    {
        fabric->GetSwitch(w)->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&OdcnWindowRecorder::LostInSwitch, this));
    }
}

void
OdcnWindowRecorder::Stop()
{
    m_log = nullptr;
    m_fabric = nullptr;
}

void
OdcnWindowRecorder::Opened(const OdcnWindow& window)
{
    m_scopes.clear();
    for (const auto& flow : window.flows)
    {
        m_scopes.push_back(flow.interRack ? OdcnScope::INTER_RACK : OdcnScope::INTRA_RACK);
    }
    m_tallies.assign(window.flows.size(), Tally());
    m_measureFromPs = Ps(window.measureFrom);
    m_log->monitor.Open(Ps(window.opened), m_measureFromPs, Ps(window.measureUntil));
}

OdcnWindowRecorder::Tally*
OdcnWindowRecorder::Find(uint32_t flow, uint64_t sentPs)
{
    // A packet of an earlier window may have a number that this one does not have.
    const bool counts = flow < m_tallies.size() && sentPs >= m_measureFromPs &&
                        m_scopes[flow] == OdcnScope::INTER_RACK;
    return counts ? &m_tallies[flow] : nullptr;
}

void
OdcnWindowRecorder::Take(uint32_t, std::span<const PacketFate> fates)
{
    for (const PacketFate& fate : fates)
    {
        const OdcnScope scope = m_scopes[fate.flow];
        const auto sent = static_cast<uint64_t>(fate.sent);
        Tally none;
        Tally* const found = Find(fate.flow, sent);
        Tally& tally = found ? *found : none;
        ++tally.sent;
        if (fate.received)
        {
            m_log->monitor.Passed(scope, sent, static_cast<uint64_t>(fate.ended));
            ++tally.received;
            tally.sumPs += static_cast<uint64_t>(fate.ended - fate.sent);
        }
        else
        {
            m_log->monitor.Lost(scope, sent, OcsDropCauseName(fate.cause));
            ++tally.lost;
        }
    }
}

void
OdcnWindowRecorder::Sent(const FlowHeader& header)
{
    const uint64_t sent = Ps(header.GetSent());
    m_log->monitor.Sent(KeyOf(header), m_scopes[header.GetFlow()], sent);
    if (Tally* tally = Find(header.GetFlow(), sent))
    {
        ++tally->sent;
    }
}

void
OdcnWindowRecorder::Received(const FlowHeader& header, Time delay)
{
    m_log->monitor.Received(KeyOf(header), Ps(header.GetSent() + delay));
    if (Tally* tally =
            m_log->monitor.IsOpen() ? Find(header.GetFlow(), Ps(header.GetSent())) : nullptr)
    {
        ++tally->received;
        tally->sumPs += Ps(delay);
    }
}

void
OdcnWindowRecorder::LostBySender(const OcsNetDevice* device, Ptr<const Packet> packet)
{
    Dropped(packet, device->IsFailed() ? OcsDropCause::PORT_FAILED : OcsDropCause::QUEUE_OVERFLOW);
}

void
OdcnWindowRecorder::LostByReceiver(const OcsNetDevice* device, Ptr<const Packet> packet)
{
    Dropped(packet, device->IsFailed() ? OcsDropCause::PORT_FAILED : OcsDropCause::MISROUTED);
}

void
OdcnWindowRecorder::LostInSwitch(Ptr<const Packet> packet, uint32_t, OcsDropCause cause)
{
    Dropped(packet, cause);
}

void
OdcnWindowRecorder::Dropped(Ptr<const Packet> packet, OcsDropCause cause)
{
    if (!m_log || !m_log->monitor.IsOpen())
    {
        return;
    }
    // Parse the raw bytes instead of copying the packet: an overloaded network drops many packets.
    constexpr uint32_t IPV4_MAX = 60;
    constexpr uint32_t UDP = 8;
    std::array<uint8_t, IPV4_MAX + UDP + FlowHeader::SIZE> bytes{};
    const uint32_t copied = packet->CopyData(bytes.data(), bytes.size());
    const uint32_t at = (bytes[0] & 0x0f) * 4 + UDP;
    if (copied < at + FlowHeader::SIZE)
    {
        return; // too short for a flow's
    }
    const auto read = [&bytes](std::size_t from)
    {
        uint64_t word = 0;
        for (std::size_t i = from; i < from + sizeof(word); ++i)
        {
            word = word << 8 | bytes[i];
        }
        return word;
    };
    const uint64_t key = read(at); // flow and sequence number, as in KeyOf()
    m_log->monitor.Dropped(key, OcsDropCauseName(cause));
    if (Tally* tally = Find(static_cast<uint32_t>(key >> 32), read(at + sizeof(key))))
    {
        ++tally->lost;
    }
}

void
OdcnWindowRecorder::Closed(const OdcnWindow& window)
{
    const OdcnWindowResult& result =
        m_log->monitor.Close(m_fabric ? m_fabric->Count().inFlight : 0);
    for (OdcnScope scope : {OdcnScope::INTER_RACK, OdcnScope::INTRA_RACK})
    {
        const OdcnScopeResult& r = result[scope];
        const bool inter = scope == OdcnScope::INTER_RACK;
        constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
        m_csv.Cell(m_policy).Cell(window.index).Cell(window.job).Cell(window.jobTime);
        m_csv.Cell(window.opened.GetSeconds()).Cell(window.closed.GetSeconds());
        m_csv.Cell(OdcnScopeName(scope));
        m_csv.Cell(static_cast<uint64_t>(std::count(m_scopes.begin(), m_scopes.end(), scope)));
        m_csv.Cell(r.sent).Cell(r.received);
        for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
        {
            const auto cause = r.dropped.find(OcsDropCauseName(static_cast<OcsDropCause>(i)));
            m_csv.Cell(cause == r.dropped.end() ? uint64_t{0} : cause->second);
        }
        m_csv.Cell(r.inFlight).Cell(r.measuredSent).Cell(r.measuredReceived);
        m_csv.Cell(r.meanNs).Cell(r.p50Ns).Cell(r.p99Ns).Cell(r.p999Ns).Cell(r.maxNs);
        m_csv.Cell(r.measuredSent ? static_cast<double>(r.measuredDropped) /
                                        static_cast<double>(r.measuredSent)
                                  : UNKNOWN);
        m_csv.Cell(SteadinessName(r.steadiness)).Cell(r.drift);
        m_csv.Cell(inter ? window.formulaLatencyNs : UNKNOWN);
        m_csv.Cell(inter ? window.formulaLoss : UNKNOWN);
        m_log->rows.push_back(m_csv.GetLine());
        m_csv.EndRow();
    }
    std::set<JobId> senders;
    for (std::size_t i = 0; i < window.flows.size(); ++i)
    {
        const Tally& flow = m_tallies[i];
        if (m_scopes[i] == OdcnScope::INTER_RACK)
        {
            Tally& job = m_log->jobs[window.flows[i].job];
            job.sent += flow.sent;
            job.received += flow.received;
            job.lost += flow.lost;
            job.sumPs += flow.sumPs;
            job.windows += senders.insert(window.flows[i].job).second;
        }
    }
    const auto weight = static_cast<double>(result[OdcnScope::INTER_RACK].measuredReceived);
    m_log->formulaNs += weight * window.formulaLatencyNs;
    m_log->formulaLoss += weight * window.formulaLoss;
    m_log->formulaWeight += weight;
}

std::string
OdcnWindowRecorder::FindDifference(const std::string& policy, const OdcnWindowRecorder& other) const
{
    const Log& a = Find(policy);
    const Log& b = other.Find(policy);
    if (a.rows.size() != b.rows.size())
    {
        return std::to_string(a.rows.size() / ODCN_SCOPES) + " and " +
               std::to_string(b.rows.size() / ODCN_SCOPES) + " windows";
    }
    for (std::size_t i = 0; i < a.rows.size(); ++i)
    {
        if (a.rows[i] != b.rows[i])
        {
            return "window " + std::to_string(i / ODCN_SCOPES) + ", " +
                   OdcnScopeName(static_cast<OdcnScope>(i % ODCN_SCOPES));
        }
    }
    return a.jobs == b.jobs ? "" : "packets of jobs";
}

uint64_t
OdcnWindowRecorder::GetSent(const std::string& policy) const
{
    const OdcnWindowMonitor& monitor = Find(policy).monitor;
    return monitor.GetTotal(OdcnScope::INTER_RACK).sent +
           monitor.GetTotal(OdcnScope::INTRA_RACK).sent;
}

void
OdcnWindowRecorder::Commit()
{
    m_csv.Commit();
}

void
OdcnWindowRecorder::Write(OutputFiles& files)
{
    Commit();
    files.Written("windows.csv", "every measurement window: packets, latency, loss by cause");
    WriteJobs(files.Path("job-packets.csv"));
    files.Written("job-packets.csv", "latency and loss of every job measured in a window");
    WriteLatencies(files.Path("latencies.csv"));
    files.Written("latencies.csv", "distribution of the latency by policy");
}

void
OdcnWindowRecorder::Print(std::ostream& os, std::size_t width) const
{
    os << "Packets between racks, one way from socket to socket\n";
    MakeTable().Print(os, width);
    uint64_t unbalanced = 0;
    for (const std::string& policy : m_order)
    {
        unbalanced += GetUnbalanced(policy);
    }
    os << "sent = received + dropped by cause + in flight in "
       << (unbalanced ? "all windows but " + std::to_string(unbalanced) : "every window") << ".\n";
}

void
OdcnWindowRecorder::WriteJobs(const std::string& path) const
{
    CsvWriter csv(path,
                  {"policy", "job", "windows", "sent", "received", "lost", "mean_ns", "loss"});
    for (const auto& [policy, log] : m_logs)
    {
        for (const auto& [job, tally] : log->jobs)
        {
            // 0 / 0 is NaN, an empty cell: nothing arrived, or nothing was sent.
            csv.Row(policy,
                    job,
                    tally.windows,
                    tally.sent,
                    tally.received,
                    tally.lost,
                    1e-3 * static_cast<double>(tally.sumPs) / static_cast<double>(tally.received),
                    static_cast<double>(tally.lost) / static_cast<double>(tally.sent));
        }
    }
    csv.Commit();
}

void
OdcnWindowRecorder::WriteLatencies(const std::string& path) const
{
    CsvWriter csv(path, {"policy", "scope", "from_ns", "below_ns", "packets", "share_below"});
    for (const auto& [policy, log] : m_logs)
    {
        for (const OdcnScope scope : {OdcnScope::INTER_RACK, OdcnScope::INTRA_RACK})
        {
            const LatencyHistogram& all = log->monitor.GetLatency(scope).GetAll();
            uint64_t below = 0;
            for (const auto& bin : all.GetBins())
            {
                below += bin.count;
                csv.Row(policy,
                        OdcnScopeName(scope),
                        bin.fromNs,
                        bin.belowNs,
                        bin.count,
                        static_cast<double>(below) / static_cast<double>(all.GetCount()));
            }
        }
    }
    csv.Commit();
}

void
OdcnWindowRecorder::WriteTotals(const std::string& path) const
{
    std::vector<std::string> columns{"policy", "windows", "packets"};
    for (const PacketFigure& figure : PACKET_FIGURES)
    {
        for (const char* part : {"", "_lower", "_upper"})
        {
            columns.push_back(figure.name + std::string(part));
        }
    }
    columns.insert(columns.end(), {"closed_form_ns", "closed_form_loss", "unbalanced"});
    CsvWriter csv(path, columns);
    for (const std::string& policy : m_order)
    {
        csv.Cell(policy).Cell(GetNWindows(policy)).Cell(GetTotal(policy).measuredReceived);
        for (const PacketFigure& figure : PACKET_FIGURES)
        {
            const Estimate estimate = figure.get(Find(policy).monitor);
            csv.Cell(estimate.mean).Cell(estimate.lower).Cell(estimate.upper);
        }
        csv.Cell(GetFormulaNs(policy) + GetLinksNs(policy)).Cell(GetFormulaLoss(policy));
        csv.Cell(GetUnbalanced(policy)).EndRow();
    }
    csv.Commit();
}

Table
OdcnWindowRecorder::MakeTable() const
{
    std::vector<std::string> header{"policy", "windows", "packets\nmeasured"};
    for (const PacketFigure& figure : PACKET_FIGURES)
    {
        header.emplace_back(figure.title);
    }
    header.insert(header.end(), {"closed form\nns", "closed form\nloss %"});
    Table table(header);
    for (const std::string& policy : m_order)
    {
        std::vector<std::string> cells{policy,
                                       std::to_string(GetNWindows(policy)),
                                       std::to_string(GetTotal(policy).measuredReceived)};
        for (const PacketFigure& figure : PACKET_FIGURES)
        {
            cells.push_back(FormatEstimate(figure.get(Find(policy).monitor), figure.scale));
        }
        cells.push_back(FormatFixed(GetFormulaNs(policy) + GetLinksNs(policy), 1));
        cells.push_back(FormatFixed(100 * GetFormulaLoss(policy), 4));
        table.AddRow(cells);
    }
    return table;
}

void
OdcnWindowRecorder::AddTo(RunReport& report, OutputFiles& files) const
{
    WriteTotals(files.Path("packets.csv"));
    files.Written("packets.csv", "packets of every policy, all windows together");
    // clang-format off
    const auto chart = [&](const std::string& title, const std::string& y) -> ReportChart&
    { return report.AddChart({ReportChart::Kind::ESTIMATES, title, "", y, "quantity", "", {}}); };
    // clang-format on
    AddLatencies(report.AddChart({ReportChart::Kind::CDF,
                                  "Latency of packets",
                                  "latency, ns",
                                  "share of packets",
                                  "packets",
                                  "Points of the histogram less than 0.25 % apart are left out, "
                                  "except in the last per cent.",
                                  {}}));
    ReportChart& latency = chart("Latency of packets between racks", "ns");
    ReportChart& loss = chart("Loss of packets between racks", "%");
    for (const std::string& policy : m_order)
    {
        const OdcnWindowMonitor& all = Find(policy).monitor;
        latency.AddEstimate("mean", "", policy, GetLatencyNs(policy));
        latency.AddEstimate("p50", "", policy, QuantileOf(all, 0.5));
        latency.AddEstimate("p99", "", policy, QuantileOf(all, 0.99));
        latency.AddEstimate("p99.9", "", policy, QuantileOf(all, 0.999));
        latency.AddEstimate("closed form, mean",
                            "",
                            policy,
                            Estimate::Exactly(GetFormulaNs(policy) + GetLinksNs(policy)));
        loss.AddEstimate("packets", "", policy, GetLoss(policy), 100);
        loss.AddEstimate("closed form", "", policy, Estimate::Exactly(GetFormulaLoss(policy)), 100);
    }
    report.AddTable("Packets between racks, one way from socket to socket", MakeTable());
}

void
OdcnWindowRecorder::AddLatencies(ReportChart& chart) const
{
    for (const auto& [policy, log] : m_logs)
    {
        for (const OdcnScope scope : {OdcnScope::INTER_RACK, OdcnScope::INTRA_RACK})
        {
            const LatencyHistogram& all = log->monitor.GetLatency(scope).GetAll();
            uint64_t below = 0;
            double last = 0; // share of the packets up to the last point
            for (const auto& bin : all.GetBins())
            {
                below += bin.count;
                const double share =
                    static_cast<double>(below) / static_cast<double>(all.GetCount());
                const double left = 1 - share;
                if (share - last >= 0.0025 || (left < 0.01 && left < 0.8 * (1 - last)))
                {
                    chart.rows.push_back({OdcnScopeName(scope), policy, bin.belowNs, share});
                    last = share;
                }
            }
        }
    }
}

std::vector<FigureOfMerit>
OdcnWindowRecorder::GetFigures()
{
    using Kind = FigureOfMerit::Kind;
    return {{"packet_ns", "latency\n(packets)", "ns", 1, Kind::RATIO},
            {"packet_p99_ns", "p99\n(packets)", "ns"},
            {"packet_loss", "loss\n(packets)", "%", 100, Kind::SHARE},
            {"closed_form_ns", "closed form", "ns", 1, Kind::RATIO, false},
            {"closed_form_loss", "closed form", "%", 100, Kind::RATIO, false},
            {"over_closed_form", "latency over\nclosed form", "", 1, Kind::RATIO, false},
            {"unbalanced", "unbalanced windows", "", 1, Kind::MEAN, false}};
}

std::vector<FigureValue>
OdcnWindowRecorder::MeasureFigures(const std::string& policy) const
{
    const OdcnScopeResult total = GetTotal(policy);
    const auto received = static_cast<double>(total.measuredReceived);
    const auto lost = static_cast<double>(total.measuredDropped);
    if (received == 0)
    {
        return {{0, 0}, {0, 0}, {lost, lost}, {0, 0}, {0, 0}, {0, 0}, {0}};
    }
    const double formulaNs = (GetFormulaNs(policy) + GetLinksNs(policy)) * received;
    return {{total.meanNs * received, received},
            {total.p99Ns},
            {lost, lost + received},
            {formulaNs, received},
            {GetFormulaLoss(policy) * (lost + received), lost + received},
            {total.meanNs * received, formulaNs},
            {static_cast<double>(GetUnbalanced(policy))}};
}

const OdcnWindowRecorder::Log&
OdcnWindowRecorder::Find(const std::string& policy) const
{
    const auto log = m_logs.find(policy);
    if (log == m_logs.end())
    {
        throw OdcnError("policy " + policy + " was not recorded");
    }
    return *log->second;
}

uint64_t
OdcnWindowRecorder::GetNWindows(const std::string& policy) const
{
    return Find(policy).monitor.GetWindows();
}

uint64_t
OdcnWindowRecorder::GetReceived(const std::string& policy) const
{
    const auto& monitor = Find(policy).monitor;
    return monitor.GetTotal(OdcnScope::INTER_RACK).received +
           monitor.GetTotal(OdcnScope::INTRA_RACK).received;
}

uint64_t
OdcnWindowRecorder::GetUnbalanced(const std::string& policy) const
{
    return Find(policy).monitor.GetUnbalancedWindows();
}

OdcnScopeResult
OdcnWindowRecorder::GetTotal(const std::string& policy) const
{
    return Find(policy).monitor.GetTotal(OdcnScope::INTER_RACK);
}

Estimate
OdcnWindowRecorder::GetLatencyNs(const std::string& policy) const
{
    return Find(policy).monitor.GetLatency(OdcnScope::INTER_RACK).GetMeanNs();
}

Estimate
OdcnWindowRecorder::GetLoss(const std::string& policy) const
{
    return Find(policy).monitor.GetLoss(OdcnScope::INTER_RACK);
}

double
OdcnWindowRecorder::GetFormulaNs(const std::string& policy) const
{
    const Log& log = Find(policy);
    return log.formulaNs / log.formulaWeight;
}

double
OdcnWindowRecorder::GetLinksNs(const std::string& policy) const
{
    return Find(policy).linksNs;
}

double
OdcnWindowRecorder::GetFormulaLoss(const std::string& policy) const
{
    const Log& log = Find(policy);
    return log.formulaLoss / log.formulaWeight;
}

} // namespace ns3::odcn
