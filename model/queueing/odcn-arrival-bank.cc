// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-arrival-bank.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{
namespace odcn
{

uint32_t
OdcnArrivalBank::AddStream(int64_t ns3Stream)
{
    m_streams.push_back({OdcnRandomStream(ns3Stream), 0, 0, false, 0, 0});
    return GetNStreams() - 1;
}

uint32_t
OdcnArrivalBank::GetNStreams() const
{
    return static_cast<uint32_t>(m_streams.size());
}

void
OdcnArrivalBank::Start(uint32_t stream, int64_t now, double meanGap, uint32_t bytes)
{
    if (!(meanGap > 0 && meanGap <= MAX_MEAN_GAP))
    {
        throw OdcnError::InOption("mean gap between packets",
                                  std::to_string(meanGap),
                                  "above 0 and up to 1e17 ps");
    }
    Stream& s = m_streams.at(stream);
    if (s.on)
    {
        throw OdcnError::InOption("stream to start", std::to_string(stream), "one that is off");
    }
    s.on = true;
    s.meanGap = meanGap;
    s.bytes = bytes;
    Schedule(s, now);
}

void
OdcnArrivalBank::Stop(uint32_t stream)
{
    m_streams.at(stream).on = false;
}

bool
OdcnArrivalBank::IsOn(uint32_t stream) const
{
    return m_streams.at(stream).on;
}

void
OdcnArrivalBank::Schedule(Stream& stream, int64_t now)
{
    const double gap = -stream.meanGap * std::log(stream.random.NextU01());
    stream.next = now + std::llround(gap);
    stream.order = m_order++;
}

void
OdcnArrivalBank::Draw(int64_t until, std::vector<OdcnArrival>& out)
{
    const auto later = [this](uint32_t a, uint32_t b)
    {
        return std::pair(m_streams[a].next, m_streams[a].order) >
               std::pair(m_streams[b].next, m_streams[b].order);
    };
    std::vector<uint32_t> heap;
    for (uint32_t i = 0; i < GetNStreams(); ++i)
    {
        if (m_streams[i].on && m_streams[i].next < until)
        {
            heap.push_back(i);
        }
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty())
    {
        std::pop_heap(heap.begin(), heap.end(), later);
        Stream& stream = m_streams[heap.back()];
        out.push_back({stream.next, heap.back(), stream.bytes});
        Schedule(stream, stream.next);
        if (stream.next < until)
        {
            std::push_heap(heap.begin(), heap.end(), later);
        }
        else
        {
            heap.pop_back();
        }
    }
}

} // namespace odcn
} // namespace ns3
