// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-law.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-variable-copy.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @param bursts of a law, or null  @return a size that no burst exceeds, packets
double
GetLargestBurst(const Ptr<RandomVariableStream>& bursts)
{
    DoubleValue largest(PacketSource::MAX_BURST);
    if (const auto mix = DynamicCast<MixRandomVariable>(bursts))
    {
        largest.Set(mix->GetLargest());
    }
    else if (!bursts)
    {
        largest.Set(1);
    }
    else if (!bursts->GetAttributeFailSafe("Constant", largest) &&
             bursts->GetAttributeFailSafe("Max", largest))
    {
        // UniformRandomVariable rounds a fractional maximum up.
        largest.Set(largest.Get() + 1);
    }
    return std::clamp(largest.Get(), 1.0, double(PacketSource::MAX_BURST));
}

} // namespace

PacketTrace::PacketTrace(const std::vector<double>& times, std::vector<uint32_t> sizes)
    : bytes(std::move(sizes))
{
    if (times.size() != bytes.size() || !std::is_sorted(times.begin(), times.end()) ||
        times.empty() || !(times.back() > times.front()))
    {
        throw OdcnError::InOption("packet trace",
                                  std::to_string(times.size()) + " times, " +
                                      std::to_string(bytes.size()) + " sizes",
                                  "as many of both, times ascending and not all the same");
    }
    gaps.resize(times.size());
    std::adjacent_difference(times.begin(), times.end(), gaps.begin());
    std::rotate(gaps.begin(), gaps.begin() + 1, gaps.end());
    const double length = times.back() - times.front();
    gaps.back() = length / static_cast<double>(times.size() - 1);
    period = length + gaps.back();
    ends.resize(gaps.size());
    std::partial_sum(gaps.begin(), gaps.end(), ends.begin());
    ends.back() = period;
    traffic = std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

std::shared_ptr<const PacketTrace>
PacketTrace::Read(const std::string& path)
{
    RowReader reader(path);
    reader.SetColumns({"time", "bytes"});
    std::vector<double> times;
    std::vector<uint32_t> sizes;
    for (bool first = true; reader.NextRow(); first = false)
    {
        if (first &&
            std::isalpha(static_cast<unsigned char>(reader[0].empty() ? ' ' : reader[0].front())))
        {
            continue;
        }
        reader.CheckWidth();
        times.push_back(reader.Number(0));
        sizes.push_back(static_cast<uint32_t>(reader.Count(1, 1, UINT16_MAX)));
        if (times.size() > 1 && times.back() < times[times.size() - 2])
        {
            reader.RefuseField(0, "a time not before that of the line above");
        }
    }
    if (times.empty() || times.back() == times.front())
    {
        throw OdcnError::InFile(path,
                                0,
                                std::to_string(times.size()) + " packets",
                                "packets at two times or more");
    }
    return std::make_shared<const PacketTrace>(times, std::move(sizes));
}

void
PacketLaw::Check() const
{
    if (least == 0 || greatest < least || greatest > UINT16_MAX)
    {
        throw OdcnError::InOption("packet sizes of a law",
                                  std::to_string(least) + " to " + std::to_string(greatest),
                                  "1 to 65535 bytes, ascending");
    }
    if (arrivals == PacketLaw::ON_OFF && (onTime <= 0 || offTime <= 0))
    {
        throw OdcnError::InOption("on and off time",
                                  std::to_string(onTime) + ", " + std::to_string(offTime),
                                  "both above 0");
    }
    if (arrivals != PacketLaw::TRACE)
    {
        return;
    }
    if (!trace || sizes || bursts)
    {
        throw OdcnError(
            "arrivals by trace need a trace, and no variables of sizes or bursts beside it");
    }
    const auto [low, high] = std::minmax_element(trace->bytes.begin(), trace->bytes.end());
    if (*low < least || *high > greatest)
    {
        throw OdcnError::InOption("packet sizes of a trace",
                                  std::to_string(*low) + " to " + std::to_string(*high),
                                  std::to_string(least) + " to " + std::to_string(greatest) +
                                      " bytes");
    }
}

PacketSource::PacketSource(const PacketLaw& law, int64_t stream)
    : m_random(stream),
      m_sizes(CopyVariable(law.sizes, "variable of packet sizes")),
      m_bursts(CopyVariable(law.bursts, "variable of bursts")),
      m_trace(law.arrivals == PacketLaw::TRACE ? law.trace : nullptr),
      m_onTime(static_cast<double>(law.onTime)),
      m_offTime(static_cast<double>(law.offTime)),
      m_least(law.least),
      m_greatest(law.greatest),
      m_largestBurst(GetLargestBurst(law.bursts)),
      m_arrivals(law.arrivals),
      m_drawsSizes(m_sizes || m_trace)
{
    law.Check();
    SetVariableStreams(stream);
}

void
PacketSource::AssignStreams(int64_t stream)
{
    m_random = RandomStream(stream);
    SetVariableStreams(stream);
}

void
PacketSource::SetVariableStreams(int64_t stream)
{
    if (m_sizes)
    {
        m_sizes->SetStream(stream < 0 ? -1 : stream + SIZE_STREAMS);
    }
    if (m_bursts)
    {
        m_bursts->SetStream(stream < 0 ? -1 : stream + BURST_STREAMS);
    }
}

int64_t
PacketSource::Start(double meanGap, uint32_t bytes)
{
    if (!(meanGap > 0 && meanGap <= MAX_MEAN_GAP))
    {
        throw OdcnError::InOption("mean gap between packets",
                                  std::to_string(meanGap),
                                  "above 0 and up to 1e17 time steps");
    }
    if (bytes == 0)
    {
        throw OdcnError::InOption("packet size", "0", "1 byte or more");
    }
    m_meanGap = meanGap;
    m_bytes = bytes;
    m_carry = 0;
    switch (m_arrivals)
    {
    case PacketLaw::POISSON:
        return NextGap(DrawBurstByTime());
    case PacketLaw::DETERMINISTIC:
    {
        const double gap = DrawBurstByTime() * m_meanGap;
        return RoundCarrying(m_random.NextU01() * gap);
    }
    case PacketLaw::ON_OFF:
    {
        const double share = m_onTime / (m_onTime + m_offTime);
        m_meanGap *= share;
        const double gap = DrawBurstByTime() * m_meanGap;
        m_left = m_random.NextU01() < share ? DrawExponential(m_onTime) : 0;
        return RoundCarrying(AddOffPeriods(m_random.NextU01() * gap));
    }
    case PacketLaw::TRACE:
        break;
    }
    // From here on m_meanGap is the number of time steps per time unit of the trace.
    m_meanGap *= m_trace->traffic / bytes / m_trace->period;
    const auto n = static_cast<uint32_t>(m_trace->gaps.size());
    const double place = m_random.NextU01() * m_trace->period;
    const auto gap = std::upper_bound(m_trace->ends.begin(), m_trace->ends.end() - 1, place);
    m_gapIndex = static_cast<uint32_t>(gap - m_trace->ends.begin() + 1) % n;
    m_sizeIndex = m_gapIndex;
    return RoundCarrying((*gap - place) * m_meanGap);
}

int64_t
PacketSource::NextRegularGap(uint32_t packets)
{
    if (m_arrivals == PacketLaw::TRACE)
    {
        const double gap = m_trace->gaps[m_gapIndex];
        m_gapIndex = m_gapIndex + 1 < m_trace->gaps.size() ? m_gapIndex + 1 : 0;
        return RoundCarrying(gap * m_meanGap);
    }
    const double gap = packets * m_meanGap;
    return RoundCarrying(m_arrivals == PacketLaw::ON_OFF ? AddOffPeriods(gap) : gap);
}

double
PacketSource::AddOffPeriods(double onTime)
{
    double off = 0;
    double needed = onTime;
    while (needed > m_left)
    {
        needed -= m_left;
        off += DrawExponential(m_offTime);
        m_left = DrawExponential(m_onTime);
    }
    m_left -= needed;
    return onTime + off;
}

int64_t
PacketSource::RoundCarrying(double gap)
{
    m_carry += gap;
    const int64_t rounded = std::max<int64_t>(0, std::llround(m_carry));
    m_carry -= static_cast<double>(rounded);
    return rounded;
}

uint32_t
PacketSource::DrawSize()
{
    if (m_trace)
    {
        const uint32_t size = m_trace->bytes[m_sizeIndex];
        m_sizeIndex = m_sizeIndex + 1 < m_trace->bytes.size() ? m_sizeIndex + 1 : 0;
        return size;
    }
    const uint32_t size = m_sizes->GetInteger();
    if (size < m_least || size > m_greatest)
    {
        throw OdcnError::InOption(
            "packet size drawn from " + m_sizes->GetInstanceTypeId().GetName(),
            std::to_string(size),
            std::to_string(m_least) + " to " + std::to_string(m_greatest) + " bytes");
    }
    return size;
}

uint32_t
PacketSource::DrawBurstByTime()
{
    if (!m_bursts)
    {
        return 1;
    }
    for (;;)
    {
        const uint32_t packets = DrawBurst();
        if (m_random.NextU01() * m_largestBurst < packets)
        {
            return packets;
        }
    }
}

uint32_t
PacketSource::DrawBurst()
{
    const uint32_t packets = m_bursts->GetInteger();
    if (packets < 1 || packets > MAX_BURST)
    {
        throw OdcnError::InOption("burst drawn from " + m_bursts->GetInstanceTypeId().GetName(),
                                  std::to_string(packets),
                                  "1 to " + std::to_string(MAX_BURST) + " packets");
    }
    return packets;
}

} // namespace ns3::odcn
