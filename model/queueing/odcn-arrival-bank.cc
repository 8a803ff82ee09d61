// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-arrival-bank.h"

#include "odcn-random-stream.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{
namespace odcn
{

namespace
{

constexpr uint32_t WIDTH = OdcnArrivalLanes::WIDTH;

/// @param x a number  @return how many bits it has; the standard library's type has changed
int
BitWidth(uint64_t x)
{
    return static_cast<int>(std::bit_width(x));
}

/// Mean gap of streams that are off: as long as any.
constexpr double NO_GAP = OdcnArrivalBank::MAX_MEAN_GAP;

/// Find a group's least values. @param [in,out] lanes group
void
UpdateGroup(OdcnArrivalLanes& lanes)
{
    lanes.earliest = *std::min_element(lanes.next, lanes.next + WIDTH);
    lanes.shortest = *std::min_element(lanes.meanGap, lanes.meanGap + WIDTH);
}

/// The random stream of a lane. @param lanes group  @param lane which  @return its state
OdcnRandomStream::State
GetState(const OdcnArrivalLanes& lanes, uint32_t lane)
{
    OdcnRandomStream::State state;
    for (std::size_t i = 0; i < state.size(); ++i)
    {
        state[i] = static_cast<uint32_t>(lanes.state[i][lane]);
    }
    return state;
}

/// @param [out] lanes group  @param lane which  @param state its state
void
SetState(OdcnArrivalLanes& lanes, uint32_t lane, const OdcnRandomStream::State& state)
{
    for (std::size_t i = 0; i < state.size(); ++i)
    {
        lanes.state[i][lane] = state[i];
    }
}

} // namespace

uint32_t
OdcnArrivalBank::AddStream(int64_t ns3Stream)
{
    if (m_nStreams == MAX_STREAMS)
    {
        throw OdcnError("more than " + std::to_string(MAX_STREAMS) + " streams in a bank");
    }
    const OdcnRandomStream random(ns3Stream);
    const uint32_t lane = m_nStreams % WIDTH;
    if (lane == 0)
    {
        OdcnArrivalLanes& lanes = m_lanes.emplace_back();
        for (uint32_t i = 0; i < WIDTH; ++i)
        {
            SetState(lanes, i, {});
            lanes.meanGap[i] = NO_GAP;
            lanes.next[i] = OdcnArrivalLanes::NEVER;
            lanes.last[i] = 0;
        }
        UpdateGroup(lanes);
    }
    SetState(m_lanes.back(), lane, random.GetState());
    m_bytes.push_back(0);
    m_scheduled.push_back({0, 0});
    m_before.resize(m_lanes.size() * WIDTH, 0);
    return m_nStreams++;
}

uint32_t
OdcnArrivalBank::GetNStreams() const
{
    return m_nStreams;
}

void
OdcnArrivalBank::CheckFlow(double meanGap, uint32_t bytes)
{
    if (!(meanGap > 0 && meanGap <= MAX_MEAN_GAP))
    {
        throw OdcnError::InOption("mean gap between packets",
                                  std::to_string(meanGap),
                                  "above 0 and up to 1e17 ps");
    }
    if (bytes == 0)
    {
        throw OdcnError::InOption("packet size", "0", "1 byte or more");
    }
}

void
OdcnArrivalBank::SetLaw(uint32_t stream, const OdcnPacketLaw& law)
{
    if (IsOn(stream))
    {
        throw OdcnError::InOption("stream with a law", std::to_string(stream), "one that is off");
    }
    m_lawOf.resize(m_nStreams, NO_LAW);
    if (m_lawOf[stream] == NO_LAW)
    {
        m_lawOf[stream] = static_cast<uint32_t>(m_laws.size());
        m_laws.emplace_back();
    }
    m_laws[m_lawOf[stream]].law = law;
}

void
OdcnArrivalBank::Start(uint32_t stream, int64_t now, double meanGap, uint32_t bytes)
{
    CheckFlow(meanGap, bytes);
    if (IsOn(stream))
    {
        throw OdcnError::InOption("stream to start", std::to_string(stream), "one that is off");
    }
    if (now < m_drawn)
    {
        throw OdcnError::InOption("start of a flow",
                                  std::to_string(now),
                                  std::to_string(m_drawn) + " ps or later");
    }
    if (m_nOn == 0)
    {
        m_drawn = now; // nobody sent meanwhile
    }
    OdcnArrivalLanes& lanes = m_lanes[stream / WIDTH];
    const uint32_t lane = stream % WIDTH;
    OdcnRandomStream random(GetState(lanes, lane));
    const double gap = -meanGap * std::log(random.NextU01());
    SetState(lanes, lane, random.GetState());
    lanes.meanGap[lane] = meanGap;
    lanes.next[lane] = now + std::llround(gap);
    lanes.last[lane] = now;
    UpdateGroup(lanes);
    m_scheduled[stream] = {now, m_nextOrder++, lanes.next[lane] == now};
    m_bytes[stream] = bytes;
    m_rate += 1 / meanGap;
    ++m_nOn;
}

void
OdcnArrivalBank::Stop(uint32_t stream)
{
    if (!IsOn(stream))
    {
        return;
    }
    OdcnArrivalLanes& lanes = m_lanes[stream / WIDTH];
    const uint32_t lane = stream % WIDTH;
    --m_nOn;
    m_rate = m_nOn > 0 ? m_rate - 1 / lanes.meanGap[lane] : 0;
    m_bytes[stream] = 0;
    lanes.next[lane] = OdcnArrivalLanes::NEVER;
    lanes.meanGap[lane] = NO_GAP;
    UpdateGroup(lanes);
}

bool
OdcnArrivalBank::IsOn(uint32_t stream) const
{
    return m_bytes.at(stream) > 0;
}

void
OdcnArrivalBank::SetBlockSize(uint32_t packets)
{
    m_blockSize = packets;
}

void
OdcnArrivalBank::SetKernel(const OdcnArrivalKernel& kernel)
{
    m_kernel = kernel;
}

void
OdcnArrivalBank::Draw(int64_t until, std::vector<OdcnArrival>& out)
{
    OdcnArrivalBlock block;
    while (DrawBlock(until, block))
    {
        for (std::size_t i = 0; i < block.packed.size(); ++i)
        {
            const uint32_t stream = block.GetStream(i);
            const uint32_t bytes = block.bytes.empty() ? m_bytes[stream] : block.bytes[i];
            out.push_back({block.GetTime(i), stream, bytes});
        }
    }
}

bool
OdcnArrivalBank::DrawBlock(int64_t until, OdcnArrivalBlock& block)
{
    block.packed.clear();
    block.bytes.clear();
    block.follows.clear();
    block.shift = static_cast<uint32_t>(BitWidth(m_nStreams));
    while (m_drawn < until && m_nOn > 0 && block.packed.empty())
    {
        // A block's times must fit beside the number of a stream, with room to spare.
        const double longest = std::ldexp(1.0, 60 - static_cast<int>(block.shift));
        const double packets = m_blockSize > 0 ? m_blockSize : std::clamp(8 * m_nOn, 4096U, 65536U);
        const double length = std::clamp(packets / std::max(m_rate, 1e-18), 1.0, longest);
        OdcnArrivalKernel::Window window{m_drawn, until, block.shift};
        if (static_cast<double>(until - m_drawn) > length)
        {
            window.until = m_drawn + static_cast<int64_t>(length);
        }
        DrawUnsorted(window);
        block.base = window.base;
        m_drawn = window.until;
        if (m_nUnsorted > 0)
        {
            Sort(window.until, block);
            if (!m_laws.empty())
            {
                Expand(block);
            }
        }
    }
    if (block.packed.empty())
    {
        m_drawn = std::max(m_drawn, until);
        return false;
    }
    return true;
}

void
OdcnArrivalBank::DrawUnsorted(const OdcnArrivalKernel::Window& window)
{
    m_nUnsorted = 0;
    for (std::size_t g = 0; g < m_lanes.size(); ++g)
    {
        OdcnArrivalLanes& lanes = m_lanes[g];
        if (lanes.earliest >= window.until)
        {
            continue;
        }
        std::copy_n(lanes.last, WIDTH, &m_before[g * WIDTH]);
        if (!m_laws.empty())
        {
            DrawBursts(g, window);
        }
        while (lanes.earliest < window.until)
        {
            Reserve(OdcnArrivalKernel::ROOM);
            const auto left = static_cast<double>(window.until - lanes.earliest);
            const double steps =
                std::clamp<double>(1 + left / lanes.shortest, 2, OdcnArrivalKernel::MAX_STEPS);
            m_nUnsorted += m_kernel.Draw(lanes,
                                         static_cast<uint32_t>(steps),
                                         window,
                                         g * WIDTH,
                                         m_unsorted.data() + m_nUnsorted);
        }
    }
}

void
OdcnArrivalBank::Reserve(std::size_t packets)
{
    if (m_unsorted.size() < m_nUnsorted + packets)
    {
        m_unsorted.resize(2 * m_unsorted.size() + packets);
    }
}

void
OdcnArrivalBank::DrawBursts(std::size_t group, const OdcnArrivalKernel::Window& window)
{
    OdcnArrivalLanes& lanes = m_lanes[group];
    const uint64_t end = std::min<uint64_t>((group + 1) * WIDTH, m_lawOf.size());
    for (uint64_t stream = group * WIDTH; stream < end; ++stream)
    {
        if (m_lawOf[stream] == NO_LAW || !m_laws[m_lawOf[stream]].law.DrawsBursts())
        {
            continue;
        }
        Law& law = m_laws[m_lawOf[stream]];
        const uint32_t lane = stream % WIDTH;
        OdcnRandomStream random(GetState(lanes, lane));
        while (lanes.next[lane] < window.until)
        {
            const uint32_t packets = law.law.NextBurst();
            const double gap = -(packets * lanes.meanGap[lane]) * std::log(random.NextU01());
            law.bursts.push_back(packets);
            Reserve(1);
            m_unsorted[m_nUnsorted++] =
                (static_cast<uint64_t>(lanes.next[lane] - window.base) << window.shift) + stream;
            lanes.last[lane] = lanes.next[lane];
            lanes.next[lane] += std::llround(gap);
        }
        SetState(lanes, lane, random.GetState());
    }
    // The kernel finds nothing left of these streams in the window.
    UpdateGroup(lanes);
}

void
OdcnArrivalBank::Expand(OdcnArrivalBlock& block)
{
    std::swap(m_events, block.packed);
    block.packed.clear();
    for (const uint64_t event : m_events)
    {
        const auto stream = static_cast<uint32_t>(event & ((uint64_t(1) << block.shift) - 1));
        Law* law = stream < m_lawOf.size() && m_lawOf[stream] != NO_LAW ? &m_laws[m_lawOf[stream]]
                                                                        : nullptr;
        const uint32_t packets = law && law->law.DrawsBursts() ? law->bursts[law->next++] : 1;
        for (uint32_t i = 0; i < packets; ++i)
        {
            block.packed.push_back(event);
            block.follows.push_back(i > 0);
            block.bytes.push_back(law ? law->law.NextSize(m_bytes[stream]) : m_bytes[stream]);
        }
    }
    for (auto& law : m_laws)
    {
        law.bursts.clear();
        law.next = 0;
    }
}

void
OdcnArrivalBank::Sort(int64_t end, OdcnArrivalBlock& block)
{
    // About half a packet a bucket: what is left to do after that is little.
    const std::size_t n = m_nUnsorted;
    const uint64_t range = static_cast<uint64_t>(end - block.base) << block.shift;
    const int shift = std::max(0, BitWidth(range) - BitWidth(2 * n));
    m_places.assign((range >> shift) + 1, 0);
    for (std::size_t i = 0; i < n; ++i)
    {
        ++m_places[m_unsorted[i] >> shift];
    }
    uint32_t place = 0;
    for (uint32_t& count : m_places)
    {
        const uint32_t here = count;
        count = place;
        place += here;
    }
    block.packed.resize(n);
    uint64_t* packed = block.packed.data();
    for (std::size_t i = 0; i < n; ++i)
    {
        const uint64_t packet = m_unsorted[i];
        packed[m_places[packet >> shift]++] = packet;
    }
    const uint64_t step = uint64_t(1) << block.shift;
    bool ties = false;
    for (std::size_t i = 1; i < n; ++i)
    {
        if (packed[i] < packed[i - 1] + step)
        {
            const uint64_t packet = packed[i];
            std::size_t j = i;
            for (; j > 0 && packed[j - 1] > packet; --j)
            {
                packed[j] = packed[j - 1];
            }
            packed[j] = packet;
            // The last one of a time step to be put in its place finds a neighbour from there.
            ties |= j > 0 && packed[j - 1] >> block.shift == packet >> block.shift;
            ties |= j < i && packed[j + 1] >> block.shift == packet >> block.shift;
        }
    }
    if (!ties)
    {
        return;
    }
    for (std::size_t begin = 0, i = 1; i <= n; ++i)
    {
        if (i == n || packed[i] >> block.shift != packed[begin] >> block.shift)
        {
            if (i - begin > 1)
            {
                OrderTies(block, begin, i);
            }
            begin = i;
        }
    }
}

void
OdcnArrivalBank::OrderTies(OdcnArrivalBlock& block, std::size_t begin, std::size_t end)
{
    const int64_t now = block.GetTime(begin);
    // Streams, each with how many packets it has here: gaps may be 0.
    std::vector<std::pair<uint32_t, std::size_t>> streams;
    std::vector<Scheduled> next;
    for (std::size_t i = begin; i < end; ++i)
    {
        const uint32_t stream = block.GetStream(i);
        if (streams.empty() || streams.back().first != stream)
        {
            streams.emplace_back(stream, 0);
            next.push_back(GetScheduled(block, begin, stream));
        }
        ++streams.back().second;
    }
    const uint64_t time = block.packed[begin] >> block.shift << block.shift;
    for (std::size_t i = begin; i < end; ++i)
    {
        const std::size_t k = std::min_element(next.begin(), next.end()) - next.begin();
        const auto [stream, count] = streams[k];
        block.packed[i] = time | stream;
        m_scheduled[stream] = {now, m_nextOrder++};
        next[k] = m_scheduled[stream];
        if (--streams[k].second == 0)
        {
            streams.erase(streams.begin() + k);
            next.erase(next.begin() + k);
        }
    }
}

OdcnArrivalBank::Scheduled
OdcnArrivalBank::GetScheduled(const OdcnArrivalBlock& block, std::size_t end, uint32_t stream) const
{
    int64_t time = m_before[stream];
    bool sent = block.base > time;
    for (std::size_t i = end; i-- > 0;)
    {
        if (block.GetStream(i) == stream)
        {
            time = block.GetTime(i);
            sent = true;
            break;
        }
    }
    // A packet that was alone in its time step came after whoever was started there.
    const Scheduled& known = m_scheduled[stream];
    return known.time == time && !(known.again && sent) ? known : Scheduled{time, UINT64_MAX};
}

} // namespace odcn
} // namespace ns3
