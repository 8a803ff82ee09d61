// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-workload.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-csv-table.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-row-reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FlowWorkload);

namespace
{

/// Latest start in ns; a double holds it to the picosecond.
constexpr double MAX_START = 9e12;
/// Distance of the streams of sizes that a workload draws one after the other.
constexpr int64_t SIZE_STREAMS = int64_t{1} << 40;

/// @param hosts number of hosts  @return the form of a flow file
CsvTable<Traffic::Item>
GetFlowTable(uint32_t hosts)
{
    using Column = CsvColumn<Traffic::Item>;
    const auto readStart =
        [](const RowReader& rows, std::size_t column, Traffic::Item& flow, const Traffic::Item*) {
            flow.start = PicoSeconds(std::llround(rows.Number(column, {0, MAX_START}) * 1e3));
        };
    const auto writeStart = [](std::string& text, const Traffic::Item& flow)
    { AppendDecimal(text, flow.start.GetPicoSeconds(), 3); };
    return {"flow",
            {Column::Number("source", &Traffic::Item::from, {0, hosts - 1.0}),
             Column::Number("destination", &Traffic::Item::to, {0, hosts - 1.0}),
             Column::Number("bytes", &Traffic::Item::bytes, {1, Message::MAX_BYTES}),
             {"start_ns", readStart, writeStart}},
            "",
            RowReader::BLANKS,
            false,
            true};
}

/// A point of a file of flow sizes.
struct SizePoint
{
    uint64_t bytes{0}; //!< size
    double cdf{0};     //!< cumulative probability
};

} // namespace

Traffic
ReadFlowFile(const std::string& path, uint32_t hosts)
{
    CsvTableReader<Traffic::Item> reader(path, GetFlowTable(hosts));
    Traffic flows;
    for (Traffic::Item flow; reader.Next(flow);)
    {
        if (flow.from == flow.to)
        {
            reader.GetRows().RefuseField(1, "another host than the source");
        }
        flows.Add(flow);
    }
    return flows;
}

void
WriteFlowFile(const std::string& path, const Traffic& flows)
{
    CsvTableWriter<Traffic::Item> file(path, GetFlowTable(UINT32_MAX));
    for (const Traffic::Item& flow : flows)
    {
        file.Write(flow);
    }
    file.Commit();
}

FlowSizes::FlowSizes(const std::string& text, bool interpolate)
{
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
    {
        Read(text, interpolate);
        return;
    }
    const auto bytes = ParseCount(text);
    if (!bytes || *bytes < 1 || *bytes > Message::MAX_BYTES)
    {
        throw OdcnError::InOption("flow size", text, "1 byte or more, or a CDF file");
    }
    m_mean = static_cast<double>(*bytes);
}

void
FlowSizes::Read(const std::string& path, bool interpolate)
{
    using Column = CsvColumn<SizePoint>;
    const CsvTable<SizePoint> table{
        "",
        {Column::Number("bytes", &SizePoint::bytes, {1, Message::MAX_BYTES}, CsvOrder::RISING),
         Column::Number("cdf", &SizePoint::cdf, {0, 1}, CsvOrder::RISING)},
        "",
        ',',
        false};
    CsvTableReader<SizePoint> reader(path, table);
    m_variable = CreateObject<EmpiricalRandomVariable>();
    m_variable->SetInterpolate(interpolate);
    SizePoint last;
    for (SizePoint point; reader.Next(point); last = point)
    {
        const bool uniform = interpolate && reader.GetNRead() > 1;
        m_mean += (point.cdf - last.cdf) *
                  (uniform ? (double(point.bytes) + double(last.bytes)) / 2 : double(point.bytes));
        m_variable->CDF(double(point.bytes), point.cdf);
    }
    if (last.cdf != 1)
    {
        std::string text;
        AppendDouble(text, last.cdf);
        reader.GetRows().Refuse(reader.GetNRead() == 0 ? "an empty file" : text, "a last cdf of 1");
    }
}

uint64_t
FlowSizes::Draw()
{
    return static_cast<uint64_t>(std::llround(m_variable ? m_variable->GetValue() : m_mean));
}

void
FlowSizes::SetStream(int64_t stream)
{
    if (m_variable)
    {
        m_variable->SetStream(stream);
    }
}

void
FlowSizeSource::SetStream(int64_t stream)
{
    m_stream = stream;
    m_sizes.reset();
}

FlowSizes&
FlowSizeSource::Get(const std::string& text, bool interpolate)
{
    const std::pair wanted{text, interpolate};
    if (!m_sizes || m_made != wanted)
    {
        FlowSizes sizes(text, interpolate);
        if (m_stream >= 0)
        {
            sizes.SetStream(m_stream);
            m_stream += SIZE_STREAMS;
        }
        m_sizes = std::move(sizes);
        m_made = wanted;
    }
    return *m_sizes;
}

TypeId
FlowWorkload::GetTypeId()
{
    using T = FlowWorkload;
    static TypeId tid =
        TypeIdOf<FlowWorkload, Object>("ns3::odcn::FlowWorkload")
            .Add(Attribute("Load", &T::m_load, 0.1, 0),
                 "Application data sent or received by the busiest rack's hosts, as a "
                 "fraction of their link rates.")
            .Add(Attribute("HostRate", &T::m_hostRate, DataRate("10Gbps")), "Link rate of a host.")
            .Add(Attribute("Sizes", &T::m_sizes, "100000"),
                 "Flow sizes: a CDF file (see FlowSizes), or a number of bytes.")
            .Add(Attribute("Interpolate", &T::m_interpolate, true),
                 "Whether the CDF of sizes is linear between its points; otherwise only "
                 "the points are drawn.")
            .Add(Attribute("Duration", &T::m_duration, Seconds(1), Time(0)),
                 "Flows start from 0 to this time.");
    return tid;
}

FlowWorkload::FlowWorkload()
    : m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_pairs(CreateObject<UniformRandomVariable>()),
      m_hosts(CreateObject<UniformRandomVariable>()),
      m_starts(CreateObject<UniformRandomVariable>())
{
}

Traffic
FlowWorkload::Generate(const DemandMatrix& demand, uint32_t hostsPerRack)
{
    return Generate(demand, std::vector<uint32_t>(demand.GetNRacks(), hostsPerRack));
}

Traffic
FlowWorkload::Generate(const DemandMatrix& demand,
                       const std::vector<uint32_t>& hosts,
                       const std::vector<DataRate>& rates)
{
    const uint32_t racks = demand.GetNRacks();
    if (hosts.size() != racks || (!rates.empty() && rates.size() != racks))
    {
        throw OdcnError::InOption("FlowWorkload: racks",
                                  std::to_string(hosts.size()) + " numbers of hosts, " +
                                      std::to_string(rates.size()) + " rates",
                                  "one for each of " + std::to_string(racks) +
                                      " racks, or no rates");
    }
    // The busiest rack: its demand, its hosts and their rate.
    double busiest = 0;
    double busiestRate = 1;
    double busiestHosts = 1;
    std::vector<uint32_t> firstHost(1, 0);
    for (RackId rack = 0; rack < racks; ++rack)
    {
        const double load = std::max(demand.GetSent(rack), demand.GetReceived(rack));
        const auto rate = double((rates.empty() ? m_hostRate : rates[rack]).GetBitRate());
        if (load > 0 && rate * hosts[rack] == 0)
        {
            throw OdcnError("FlowWorkload: rack " + std::to_string(rack) +
                            " has traffic, but no hosts or a rate of 0");
        }
        // The quotient is exactly 1 for equal racks.
        if (load > busiest * (rate * hosts[rack] / (busiestRate * busiestHosts)))
        {
            busiest = load;
            busiestRate = rate;
            busiestHosts = hosts[rack];
        }
        firstHost.push_back(firstHost.back() + hosts[rack]);
    }
    if (busiest == 0)
    {
        throw OdcnError("FlowWorkload: the demand matrix has no traffic");
    }
    FlowSizes& sizes = m_sizeSource.Get(m_sizes, m_interpolate);
    std::vector<double> cumulative;
    double sum = 0;
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            cumulative.push_back(sum += demand.Get(from, to));
        }
    }
    const double bitRate = m_load * busiestRate * busiestHosts * sum / busiest;
    const double flowsPerNs = bitRate / (8 * sizes.GetMean()) * 1e-9;
    const double end = m_duration.GetSeconds() * 1e9;
    if (flowsPerNs * end > MAX_FLOWS)
    {
        throw OdcnError("FlowWorkload: found a Load, a Duration and Sizes of " +
                        FormatNumber(flowsPerNs * end) + " flows on average, expected at most " +
                        FormatNumber(MAX_FLOWS));
    }
    Traffic flows;
    if (flowsPerNs == 0)
    {
        return flows;
    }
    for (double now = m_gaps->GetValue(1 / flowsPerNs, 0); now < end;
         now += m_gaps->GetValue(1 / flowsPerNs, 0))
    {
        Interruption::Check();
        // A pair without traffic has an empty interval, which upper_bound() skips.
        const auto found =
            std::upper_bound(cumulative.begin(), cumulative.end(), m_pairs->GetValue(0, sum));
        const auto pair = static_cast<uint32_t>(found - cumulative.begin());
        Traffic::Item flow;
        const RackId from = pair / racks;
        const RackId to = pair % racks;
        flow.from = firstHost[from] + m_hosts->GetInteger(0, hosts[from] - 1);
        flow.to = firstHost[to] + m_hosts->GetInteger(0, hosts[to] - 1);
        flow.bytes = sizes.Draw();
        flow.start = NanoSeconds(static_cast<uint64_t>(now));
        flows.Add(flow);
    }
    return flows;
}

Traffic
FlowWorkload::Shuffle(uint32_t racks, uint32_t hostsPerRack, uint64_t bytes, Time spread)
{
    if (racks < 2 || hostsPerRack == 0 || bytes == 0 || bytes > Message::MAX_BYTES ||
        spread.IsStrictlyNegative())
    {
        throw OdcnError("FlowWorkload::Shuffle: expected 2 racks or more with hosts, 1 byte or "
                        "more, and a spread of 0 or more");
    }
    const uint32_t hosts = racks * hostsPerRack;
    const double spreadNs = spread.GetSeconds() * 1e9;
    std::vector<Traffic::Item> flows;
    flows.reserve(std::size_t(hosts) * (hosts - hostsPerRack));
    for (ServerId source = 0; source < hosts; ++source)
    {
        for (ServerId destination = 0; destination < hosts; ++destination)
        {
            if (source / hostsPerRack != destination / hostsPerRack)
            {
                const double start = spreadNs > 0 ? m_starts->GetValue(0, spreadNs) : 0;
                flows.push_back(
                    {source, destination, bytes, NanoSeconds(static_cast<uint64_t>(start))});
            }
        }
    }
    std::stable_sort(flows.begin(),
                     flows.end(),
                     [](const Traffic::Item& a, const Traffic::Item& b)
                     { return a.start < b.start; });
    return Traffic(std::move(flows));
}

int64_t
FlowWorkload::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_pairs->SetStream(stream + 1);
    m_hosts->SetStream(stream + 2);
    m_starts->SetStream(stream + 3);
    m_sizeSource.SetStream(stream + 4);
    return 5;
}

} // namespace ns3::odcn
