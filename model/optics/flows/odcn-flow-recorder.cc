// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-recorder.h"

#include "odcn-udp-flow-transport.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FlowRecorder);

namespace
{

constexpr double NOT_MEASURED = std::numeric_limits<double>::quiet_NaN();

/// @param time a time  @return it in ns
double
ToNs(Time time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e3;
}

/// @param times completion times, negative ones of flows that are not complete
/// @return number of flows that are
std::size_t
CountCompleted(const std::vector<Time>& times)
{
    return std::count_if(times.begin(),
                         times.end(),
                         [](Time time) { return !time.IsStrictlyNegative(); });
}

/// @param stage of a flow  @return words before the number of flows
const char*
DescribeStage(FlowApplication::FlowStage stage)
{
    switch (stage)
    {
    case FlowApplication::NOT_STARTED:
        return "start later:";
    case FlowApplication::HELD:
        return "wait in their hosts for a circuit:";
    case FlowApplication::CONNECTING:
        return "without a connection:";
    case FlowApplication::REFUSED:
        return "whose connection failed:";
    case FlowApplication::SENDING:
        return "being sent:";
    case FlowApplication::SENT:
        break;
    }
    return "sent, but not received in full:";
}

/// @param values a sample, to be sorted  @return its statistics
FlowStatistics
Describe(std::vector<double>& values)
{
    if (values.empty())
    {
        return {NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, NOT_MEASURED};
    }
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const auto quantile = [&](uint64_t percent) { return values[(n * percent + 99) / 100 - 1]; };
    return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n),
            quantile(50),
            quantile(90),
            quantile(99)};
}

} // namespace

TypeId
FlowRecorder::GetTypeId()
{
    using T = FlowRecorder;
    static TypeId tid =
        TypeIdOf<FlowRecorder, Object>("ns3::odcn::FlowRecorder")
            .Add(Attribute("BaseLatency", &T::m_baseLatency, Time(0), Time(0)),
                 "Part of the ideal completion time besides the transmission at the "
                 "sender: propagation, and transmission of the last packet elsewhere.")
            .Add(Attribute("ClassEdges",
                           &T::SetClassEdges,
                           &T::GetClassEdges,
                           "10000,100000,1000000,10000000"),
                 "Edges of the size classes in bytes, increasing; a class includes its "
                 "lower edge.")
            .Add(Attribute("GoodputWindow", &T::m_window, MilliSeconds(1), TimeStep(1)),
                 "Length of the windows of the goodput, set before the run.")
            .Add(Trace("AllCompleted", &T::m_allCompletedTrace, "AllCompletedTracedCallback"),
                 "The last byte of the last flow was received.");
    return tid;
}

FlowRecorder::FlowRecorder() = default;

void
FlowRecorder::DoDispose()
{
    m_hosts.clear();
    Object::DoDispose();
}

void
FlowRecorder::SetClassEdges(const std::string& edges)
{
    std::vector<uint64_t> sizes;
    for (const std::string& field : SplitAtCommas(edges))
    {
        const auto size = ParseCount(field);
        if (!size || *size <= (sizes.empty() ? 0 : sizes.back()))
        {
            throw OdcnError::InOption("FlowRecorder::ClassEdges",
                                      edges,
                                      "increasing sizes in bytes, separated by commas");
        }
        sizes.push_back(*size);
    }
    m_edges = sizes;
}

std::string
FlowRecorder::GetClassEdges() const
{
    std::string edges;
    for (const uint64_t edge : m_edges)
    {
        edges += (edges.empty() ? "" : ",") + std::to_string(edge);
    }
    return edges;
}

void
FlowRecorder::SetFlows(const Traffic& flows)
{
    m_flows = flows;
    m_times.assign(flows.size(), TimeStep(0) - TimeStep(1));
    m_unloaded.clear();
    m_hosts.clear();
    m_bytes.clear();
    m_packetSize = 0;
    m_stages.clear();
    m_started = 0;
    m_completed = 0;
}

void
FlowRecorder::Connect(Ptr<FlowApplication> host)
{
    m_hosts.push_back(host);
    // The traces keep the recorder until the application is disposed of.
    const Ptr<FlowRecorder> recorder(this);
    host->TraceConnectWithoutContext("FlowStarted", MakeCallback(&FlowRecorder::Started, recorder));
    host->TraceConnectWithoutContext("FlowCompleted",
                                     MakeCallback(&FlowRecorder::Completed, recorder));
    host->TraceConnectWithoutContext("Rx", MakeCallback(&FlowRecorder::Received, recorder));
}

void
FlowRecorder::CheckSize(std::size_t size, const std::string& what) const
{
    if (size != m_flows.size())
    {
        throw OdcnError("FlowRecorder: " + std::to_string(size) + " " + what + ": expected " +
                        std::to_string(m_flows.size()));
    }
}

void
FlowRecorder::SetUnloadedTimes(const std::vector<Time>& times)
{
    CheckSize(times.size(), "unloaded times");
    m_unloaded = times;
}

void
FlowRecorder::SetResult(const TrafficResult& result,
                        DataRate rate,
                        uint32_t packetSize,
                        uint32_t headers,
                        const FlowApplication::FlowStages& stages)
{
    CheckSize(result.received.size(), "completion times");
    m_times = result.GetTimes();
    m_stages = stages;
    m_rate = rate;
    m_packetSize = packetSize;
    m_headers = headers;
    m_started = m_times.size();
    m_completed = CountCompleted(m_times);
}

void
FlowRecorder::Merge(Ranks& ranks)
{
    std::vector<Parcel> parcels = ranks.Exchange(
        [this](Parcel& parcel)
        {
            auto started = m_started;
            parcel.Pass(started);
            parcel.PassList(m_bytes);
            for (const Time& time : m_times)
            {
                int64_t step = time.GetTimeStep();
                parcel.Pass(step);
            }
        });
    m_started = 0;
    m_bytes.clear();
    for (Parcel& parcel : parcels)
    {
        auto started = m_started;
        std::vector<uint64_t> bytes;
        parcel.Pass(started);
        parcel.PassList(bytes);
        m_started += started;
        m_bytes.resize(std::max(m_bytes.size(), bytes.size()), 0);
        std::transform(bytes.begin(), bytes.end(), m_bytes.begin(), m_bytes.begin(), std::plus<>());
        for (Time& time : m_times)
        {
            int64_t step = 0;
            parcel.Pass(step);
            time = std::max(time, TimeStep(step));
        }
    }
    m_completed = CountCompleted(m_times);
}

void
FlowRecorder::Started(uint32_t)
{
    ++m_started;
}

void
FlowRecorder::Completed(uint32_t flow, Time time)
{
    m_times.at(flow) = time;
    if (++m_completed == m_flows.size())
    {
        m_allCompletedTrace();
    }
}

void
FlowRecorder::Received(uint32_t, uint32_t bytes)
{
    const auto window =
        static_cast<std::size_t>(Simulator::Now().GetTimeStep() / m_window.GetTimeStep());
    if (window >= m_bytes.size())
    {
        m_bytes.resize(window + 1, 0);
    }
    m_bytes[window] += bytes;
}

double
FlowRecorder::GetSlowdown(uint32_t flow) const
{
    if (m_times.at(flow).IsStrictlyNegative())
    {
        return NOT_MEASURED;
    }
    const Traffic::Item& data = m_flows[flow];
    const FlowPackets packets{m_packetSize, m_headers, data.bytes};
    const Time line = m_packetSize > 0 ? packets.GetTransmissionTime(m_rate)
                                       : m_hosts.at(data.from)->GetTransmissionTime(data.bytes);
    const Time ideal = line + m_baseLatency;
    return static_cast<double>(m_times[flow].GetTimeStep()) /
           static_cast<double>(ideal.GetTimeStep());
}

double
FlowRecorder::GetUnloadedSlowdown(uint32_t flow) const
{
    if (m_times.at(flow).IsStrictlyNegative() || m_unloaded.empty() || m_unloaded[flow].IsZero())
    {
        return NOT_MEASURED;
    }
    return static_cast<double>(m_times[flow].GetTimeStep()) /
           static_cast<double>(m_unloaded[flow].GetTimeStep());
}

std::string
FlowRecorder::DescribeIncomplete() const
{
    const auto isOpen = [this](uint32_t flow) { return m_times[flow].IsStrictlyNegative(); };
    uint32_t first = 0;
    while (first < m_flows.size() && !isOpen(first))
    {
        ++first;
    }
    if (first == m_flows.size())
    {
        return "";
    }
    FlowApplication::FlowStages stages;
    const auto add = [&](const FlowApplication::FlowStages& some)
    {
        std::copy_if(some.begin(),
                     some.end(),
                     std::back_inserter(stages),
                     [&](const auto& one)
                     { return one.first < m_flows.size() && isOpen(uint32_t(one.first)); });
    };
    add(m_stages);
    for (const auto& host : m_hosts)
    {
        add(host->GetStages());
    }
    const Traffic::Item& flow = m_flows[first];
    PlainStream text;
    text << m_flows.size() - CountCompleted(m_times) << " of " << m_flows.size()
         << " flows were not received in full";
    const std::string what = DescribeStages(stages);
    text << (what.empty() ? "" : " (" + what + ")") << "; the first is flow " << first << ", "
         << flow.bytes << " bytes from host " << flow.from << " to host " << flow.to
         << ", which starts at " << ToNs(flow.start) / 1e9 << " s";
    return text.str();
}

std::string
FlowRecorder::DescribeStages(const FlowApplication::FlowStages& stages)
{
    std::map<FlowApplication::FlowStage, uint64_t> counts;
    for (const auto& [number, stage] : stages)
    {
        ++counts[stage];
    }
    std::string text;
    for (const auto& [stage, count] : counts)
    {
        text += (text.empty() ? "" : ", ") + std::string(DescribeStage(stage)) + " " +
                std::to_string(count);
    }
    return text;
}

FlowSummary
FlowRecorder::Summarise(uint64_t fromBytes, uint64_t toBytes) const
{
    FlowSummary summary;
    summary.fromBytes = fromBytes;
    summary.toBytes = toBytes;
    std::vector<double> times;
    std::vector<double> slowdowns;
    std::vector<double> unloaded;
    for (uint32_t flow = 0; flow < m_flows.size(); ++flow)
    {
        if (m_flows[flow].bytes < fromBytes || m_flows[flow].bytes >= toBytes)
        {
            continue;
        }
        ++summary.flows;
        const bool incomplete = m_times[flow].IsStrictlyNegative();
        summary.incomplete += incomplete ? 1 : 0;
        times.push_back(incomplete ? HUGE_VAL : ToNs(m_times[flow]) / 1e9);
        slowdowns.push_back(incomplete ? HUGE_VAL : GetSlowdown(flow));
        if (!m_unloaded.empty() && !m_unloaded[flow].IsZero())
        {
            unloaded.push_back(incomplete ? HUGE_VAL : GetUnloadedSlowdown(flow));
        }
    }
    summary.time = Describe(times);
    summary.slowdown = Describe(slowdowns);
    summary.unloadedSlowdown = Describe(unloaded);
    return summary;
}

std::vector<FlowSummary>
FlowRecorder::Summarise() const
{
    std::vector<FlowSummary> summaries;
    uint64_t from = 0;
    for (const uint64_t edge : m_edges)
    {
        summaries.push_back(Summarise(from, edge));
        from = edge;
    }
    summaries.push_back(Summarise(from, UINT64_MAX));
    summaries.push_back(Summarise(0, UINT64_MAX));
    return summaries;
}

std::vector<double>
FlowRecorder::GetGoodput() const
{
    std::vector<double> rates;
    rates.reserve(m_bytes.size());
    for (const uint64_t bytes : m_bytes)
    {
        rates.push_back(static_cast<double>(bytes) * 8 / m_window.GetSeconds());
    }
    return rates;
}

void
FlowRecorder::WriteFlows(const std::string& path) const
{
    CsvWriter csv(path,
                  SplitAtCommas("flow,source,destination,bytes,start_ns,completion_ns,slowdown,"
                                "unloaded_slowdown"));
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        const Traffic::Item& flow = m_flows[i];
        csv.Row(i,
                flow.from,
                flow.to,
                flow.bytes,
                ToNs(flow.start),
                m_times[i].IsStrictlyNegative() ? NOT_MEASURED : ToNs(m_times[i]),
                GetSlowdown(i),
                GetUnloadedSlowdown(i));
    }
    csv.Commit();
}

void
FlowRecorder::WriteSummary(const std::string& path) const
{
    CsvWriter csv(path,
                  SplitAtCommas("from_bytes,to_bytes,flows,incomplete,mean_s,p50_s,p90_s,p99_s,"
                                "mean_slowdown,p50_slowdown,p90_slowdown,p99_slowdown,"
                                "mean_unloaded_slowdown,p50_unloaded_slowdown,"
                                "p90_unloaded_slowdown,p99_unloaded_slowdown"));
    for (const FlowSummary& row : Summarise())
    {
        csv.Cell(row.fromBytes);
        csv.Cell(row.toBytes == UINT64_MAX ? NOT_MEASURED : static_cast<double>(row.toBytes));
        csv.Cell(row.flows).Cell(row.incomplete);
        for (const FlowStatistics& of : {row.time, row.slowdown, row.unloadedSlowdown})
        {
            csv.Cell(of.mean).Cell(of.p50).Cell(of.p90).Cell(of.p99);
        }
        csv.EndRow();
    }
    csv.Commit();
}

void
FlowRecorder::WriteGoodput(const std::string& path) const
{
    CsvWriter csv(path, {"start_ns", "goodput_gbps"});
    const std::vector<double> rates = GetGoodput();
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        csv.Row(ToNs(m_window * static_cast<int64_t>(i)), rates[i] * 1e-9);
    }
    csv.Commit();
}

} // namespace ns3::odcn
