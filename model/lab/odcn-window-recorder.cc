// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-window-recorder.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>

namespace ns3::odcn
{

namespace
{

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
    auto columns =
        SplitAtCommas("policy,window,job,job_time,opened_s,closed_s,scope,flows,sent,received");
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        columns.push_back(OcsDropCauseColumn(static_cast<OcsDropCause>(i)));
    }
    const auto more = SplitAtCommas("in_flight,measured_sent,measured_received,mean_ns,p50_ns,"
                                    "p99_ns,p999_ns,max_ns,loss,steadiness,drift,formula_ns,"
                                    "formula_loss");
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
}

using Log = OdcnWindowRecorder::Log;

constexpr auto INTER_RACK = OdcnWindowRecorder::INTER_RACK;

/// @param scope a scope
/// @return its name
const char*
ScopeName(uint32_t scope)
{
    return scope == INTER_RACK ? "inter-rack" : "intra-rack";
}

/// What is told of the packets between racks of a policy, over all its windows.
struct PacketFigure
{
    const char* name;               //!< column of a file
    const char* title;              //!< column of a table
    double scale;                   //!< factor in tables and charts
    std::optional<int> digits;      //!< decimals in tables; none for an estimate with its interval
    const char* line;               //!< its place in a chart of latencies or losses; null for none
    Estimate (*get)(const Log& of); //!< value of a policy
    bool percentile{false};         //!< whether tables show it by FormatPercentile()
};

/// @param of a policy
/// @return latencies of its packets between racks
const LatencyBatches&
LatencyOf(const Log& of)
{
    return of.packets.GetLatency(INTER_RACK);
}

const PacketFigure PACKET_FIGURES[]{
    {"latency_ns",
     "latency\nns",
     1,
     {},
     "mean",
     [](auto& of) { return LatencyOf(of).GetMeanNs(); }},
    {"p50_ns",
     "p50\nns",
     1,
     {},
     "p50",
     [](auto& of) { return LatencyOf(of).GetQuantileNs(0.5); },
     true},
    {"p99_ns",
     "p99\nns",
     1,
     {},
     "p99",
     [](auto& of) { return LatencyOf(of).GetQuantileNs(0.99); },
     true},
    {"p999_ns",
     "p99.9\nns",
     1,
     {},
     "p99.9",
     [](auto& of) { return LatencyOf(of).GetQuantileNs(0.999); },
     true},
    {"loss",
     "loss\n%",
     100,
     {},
     "packets",
     [](auto& of) { return of.packets.GetLoss(INTER_RACK); }},
    // The transient that remains after the warm-up of the windows.
    {"drift",
     "drift\n%",
     100,
     {},
     nullptr,
     [](auto& of) { return of.packets.GetDrift(INTER_RACK); }},
    {"closed_form_ns",
     "closed form\nns",
     1,
     1,
     "closed form, mean",
     [](auto& of) { return Estimate::Exactly(of.GetFormulaNs() + of.linksNs); }},
    {"closed_form_loss",
     "closed form\nloss %",
     100,
     4,
     "closed form",
     [](auto& of) { return Estimate::Exactly(of.GetFormulaLoss()); }},
};

} // namespace

OdcnWindowRecorder::OdcnWindowRecorder(const std::string& path)
    : m_csv(path, Columns())
{
}

OdcnWindowRecorder::OdcnWindowRecorder()
    : m_csv(Columns())
{
}

OdcnWindowRecorder::Log&
OdcnWindowRecorder::AddLog(const std::string& policy)
{
    auto& log = m_logs[policy];
    if (log)
    {
        throw OdcnError("policy " + policy + " was recorded before");
    }
    log = std::make_unique<Log>();
    m_order.push_back(policy);
    return *log;
}

void
OdcnWindowRecorder::Record(const std::string& policy,
                           Ptr<PlacementScheduler> scheduler,
                           Ptr<OcsFabric> fabric,
                           const std::vector<Ptr<JobFlowApplication>>& flows)
{
    Log& log = AddLog(policy);
    log.linksNs = 1e-3 * static_cast<double>(scheduler->GetLinksTime().GetPicoSeconds());
    m_log = &log;
    m_policy = policy;
    m_fabric = fabric;
    scheduler->TraceConnectWithoutContext("WindowOpened",
                                          MakeCallback(&OdcnWindowRecorder::Opened, this));
    scheduler->TraceConnectWithoutContext("WindowClosed",
                                          MakeCallback(&OdcnWindowRecorder::Closed, this));
    log.packets.Connect(flows);
    if (fabric)
    {
        log.packets.Connect(fabric);
    }
}

void
OdcnWindowRecorder::Pass(const std::string& policy, Parcel& parcel)
{
    Log& log = parcel.IsRead() ? AddLog(policy) : *m_logs.at(policy);
    log.packets.Pass(parcel);
    parcel.Pass(log.formulaNs, log.formulaLoss, log.formulaWeight, log.linksNs);
    uint64_t rows = log.rows.size();
    parcel.Pass(rows);
    log.rows.resize(rows);
    for (std::string& row : log.rows)
    {
        parcel.PassList(row);
        if (parcel.IsRead())
        {
            m_csv.CopyLine(row);
        }
    }
}

void
OdcnWindowRecorder::Take(RackId rack, std::span<const PacketFate> fates)
{
    m_log->packets.Take(rack, fates);
}

void
OdcnWindowRecorder::Opened(const OdcnWindow& window)
{
    m_log->packets.Open(Ps(window.opened), Ps(window.measureFrom), Ps(window.measureUntil));
    for (const auto& flow : window.flows)
    {
        flow.interRack ? m_log->packets.AddFlow(INTER_RACK, flow.job)
                       : m_log->packets.AddFlow(INTRA_RACK);
    }
}

void
OdcnWindowRecorder::Closed(const OdcnWindow& window)
{
    const WindowPackets& result = m_log->packets.Close(m_fabric ? m_fabric->Count().inFlight : 0);
    for (uint32_t scope = 0; scope < SCOPES; ++scope)
    {
        const ScopePackets& r = result.scopes[scope];
        const bool inter = scope == INTER_RACK;
        constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
        m_csv.Cell(m_policy).Cell(window.index).Cell(window.job).Cell(window.jobTime);
        m_csv.Cell(window.opened.GetSeconds()).Cell(window.closed.GetSeconds());
        m_csv.Cell(ScopeName(scope));
        m_csv.Cell(std::count_if(window.flows.begin(),
                                 window.flows.end(),
                                 [&](const OdcnFlow& flow) { return flow.interRack == inter; }));
        m_csv.Cell(r.all.sent).Cell(r.all.received);
        for (const uint64_t lost : r.all.dropped.packets)
        {
            m_csv.Cell(lost);
        }
        m_csv.Cell(r.all.inFlight).Cell(r.measured.sent).Cell(r.measured.received);
        m_csv.Cell(r.latency.GetMeanNs());
        for (const double p : {0.5, 0.99, 0.999})
        {
            m_csv.Cell(r.latency.GetQuantileNs(p));
        }
        m_csv.Cell(r.latency.GetMaxNs());
        // 0 / 0 is NaN, an empty cell.
        m_csv.Cell(static_cast<double>(r.measured.dropped.Total()) /
                   static_cast<double>(r.measured.sent));
        m_csv.Cell(SteadinessName(r.steadiness)).Cell(r.drift);
        m_csv.Cell(inter ? window.formulaLatencyNs : UNKNOWN);
        m_csv.Cell(inter ? window.formulaLoss : UNKNOWN);
        m_log->rows.push_back(m_csv.GetLine());
        m_csv.EndRow();
    }
    const auto weight = static_cast<double>(result.scopes[INTER_RACK].measured.received);
    m_log->formulaNs += weight * window.formulaLatencyNs;
    m_log->formulaLoss += weight * window.formulaLoss;
    m_log->formulaWeight += weight;
}

std::string
OdcnWindowRecorder::FindDifference(const std::string& policy, const OdcnWindowRecorder& other) const
{
    const Log& a = Get(policy);
    const Log& b = other.Get(policy);
    if (a.rows.size() != b.rows.size())
    {
        return std::to_string(a.rows.size() / SCOPES) + " and " +
               std::to_string(b.rows.size() / SCOPES) + " windows";
    }
    for (std::size_t i = 0; i < a.rows.size(); ++i)
    {
        if (a.rows[i] != b.rows[i])
        {
            return "window " + std::to_string(i / SCOPES) + ", " + ScopeName(i % SCOPES);
        }
    }
    return a.packets.GetJobs() == b.packets.GetJobs() ? "" : "packets of jobs";
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
        unbalanced += Get(policy).packets.GetUnbalancedWindows();
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
        for (const auto& [job, packets] : log->packets.GetJobs())
        {
            // 0 / 0 is NaN, an empty cell: nothing arrived, or nothing was sent.
            csv.Row(policy,
                    job,
                    packets.windows,
                    packets.counts.sent,
                    packets.counts.received,
                    packets.GetLost(),
                    packets.GetMeanNs(),
                    static_cast<double>(packets.GetLost()) /
                        static_cast<double>(packets.counts.sent));
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
        for (uint32_t scope = 0; scope < SCOPES; ++scope)
        {
            for (const auto& bin : log->packets.GetTotal(scope).latency.GetBins())
            {
                csv.Row(policy, ScopeName(scope), bin.fromNs, bin.belowNs, bin.count, bin.share);
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
        columns.emplace_back(figure.name);
        if (!figure.digits)
        {
            columns.push_back(figure.name + std::string("_lower"));
            columns.push_back(figure.name + std::string("_upper"));
        }
    }
    columns.emplace_back("unbalanced");
    CsvWriter csv(path, columns);
    for (const std::string& policy : m_order)
    {
        const Log& log = Get(policy);
        csv.Cell(policy).Cell(log.packets.GetWindows());
        csv.Cell(log.packets.GetTotal(INTER_RACK).measured.received);
        for (const PacketFigure& figure : PACKET_FIGURES)
        {
            const Estimate estimate = figure.get(log);
            csv.Cell(estimate.mean);
            if (!figure.digits)
            {
                csv.Cell(estimate.lower).Cell(estimate.upper);
            }
        }
        csv.Cell(log.packets.GetUnbalancedWindows()).EndRow();
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
    Table table(header);
    for (const std::string& policy : m_order)
    {
        const Log& log = Get(policy);
        std::vector<std::string> cells{
            policy,
            std::to_string(log.packets.GetWindows()),
            std::to_string(log.packets.GetTotal(INTER_RACK).measured.received)};
        for (const PacketFigure& figure : PACKET_FIGURES)
        {
            const Estimate estimate = figure.get(log);
            cells.push_back(figure.digits
                                ? FormatFixed(figure.scale * estimate.mean, *figure.digits)
                            : figure.percentile ? FormatPercentile(estimate, figure.scale)
                                                : FormatEstimate(estimate, figure.scale));
        }
        table.AddRow(cells);
    }
    return table;
}

void
OdcnWindowRecorder::AddTo(RunReport& report, OutputFiles& files) const
{
    WriteTotals(files.Path("packets.csv"));
    files.Written("packets.csv", "packets of every policy, all windows together");
    AddLatencies(report.AddChart({ReportChart::Kind::CDF,
                                  "Latency of packets",
                                  "latency, ns",
                                  "share of packets",
                                  "packets",
                                  "Points of the histogram less than 0.25 % apart are left out, "
                                  "except in the last per cent.",
                                  {}}));
    const auto chart = [&](const std::string& title, const std::string& y, double scale)
    {
        ReportChart& lines =
            report.AddChart({ReportChart::Kind::ESTIMATES, title, "", y, "quantity", "", {}});
        for (const std::string& policy : m_order)
        {
            for (const PacketFigure& figure : PACKET_FIGURES)
            {
                if (figure.line && figure.scale == scale)
                {
                    lines.AddEstimate(figure.line, "", policy, figure.get(Get(policy)), scale);
                }
            }
        }
    };
    chart("Latency of packets between racks", "ns", 1);
    chart("Loss of packets between racks", "%", 100);
    report.AddTable("Packets between racks, one way from socket to socket", MakeTable());
}

void
OdcnWindowRecorder::AddLatencies(ReportChart& chart) const
{
    for (const auto& [policy, log] : m_logs)
    {
        for (uint32_t scope = 0; scope < SCOPES; ++scope)
        {
            double last = 0; // share of the packets up to the last point
            for (const auto& bin : log->packets.GetTotal(scope).latency.GetBins())
            {
                const double left = 1 - bin.share;
                if (bin.share - last >= 0.0025 || (left < 0.01 && left < 0.8 * (1 - last)))
                {
                    chart.rows.push_back({ScopeName(scope), policy, bin.belowNs, bin.share});
                    last = bin.share;
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
            {.name = "packet_p99_ns", .title = "p99\n(packets)", .unit = "ns", .percentile = true},
            {"packet_loss", "loss\n(packets)", "%", 100, Kind::SHARE},
            {"closed_form_ns", "closed form", "ns", 1, Kind::RATIO, false},
            {"closed_form_loss", "closed form", "%", 100, Kind::RATIO, false},
            {"over_closed_form", "latency over\nclosed form", "", 1, Kind::RATIO, false},
            {"unbalanced", "unbalanced windows", "", 1, Kind::MEAN, false}};
}

std::vector<FigureValue>
OdcnWindowRecorder::MeasureFigures(const std::string& policy) const
{
    const Log& log = Get(policy);
    const ScopePackets& total = log.packets.GetTotal(INTER_RACK);
    const auto received = static_cast<double>(total.measured.received);
    const auto lost = static_cast<double>(total.measured.dropped.Total());
    if (received == 0)
    {
        return {{0, 0}, {0, 0}, {lost, lost}, {0, 0}, {0, 0}, {0, 0}, {0}};
    }
    const double meanNs = total.latency.GetMeanNs();
    const double formulaNs = (log.GetFormulaNs() + log.linksNs) * received;
    return {{meanNs * received, received},
            {total.latency.GetQuantileNs(0.99)},
            {lost, lost + received},
            {formulaNs, received},
            {log.GetFormulaLoss() * (lost + received), lost + received},
            {meanNs * received, formulaNs},
            {static_cast<double>(log.packets.GetUnbalancedWindows())}};
}

const OdcnWindowRecorder::Log&
OdcnWindowRecorder::Get(const std::string& policy) const
{
    const auto log = m_logs.find(policy);
    if (log == m_logs.end())
    {
        throw OdcnError("policy " + policy + " was not recorded");
    }
    return *log->second;
}

} // namespace ns3::odcn
