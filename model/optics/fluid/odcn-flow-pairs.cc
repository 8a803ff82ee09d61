// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-pairs.h"

#include "ns3/odcn-take-index.h"

#include <utility>

namespace ns3::odcn
{

std::size_t
FlowPairs::GetBucket(uint32_t from, uint32_t to) const
{
    // Knuth, The Art of Computer Programming, section 6.4: by the golden ratio.
    return (uint64_t(from) << 32 | to) * 0x9E3779B97F4A7C15U >> m_shift;
}

uint32_t
FlowPairs::Find(uint32_t from, uint32_t to) const
{
    if (m_buckets.empty())
    {
        return NONE;
    }
    uint32_t index = m_buckets[GetBucket(from, to)];
    while (index != NONE && (m_pairs[index].from != from || m_pairs[index].to != to))
    {
        index = m_pairs[index].next;
    }
    return index;
}

uint32_t
FlowPairs::Add(uint32_t from, uint32_t to)
{
    if (m_nPairs >= m_buckets.size())
    {
        Grow();
    }
    uint32_t index = m_unused;
    if (index == NONE)
    {
        index = static_cast<uint32_t>(m_pairs.size());
        m_pairs.emplace_back();
    }
    else
    {
        m_unused = m_pairs[index].next;
        m_pairs[index] = {};
    }
    Pair& pair = m_pairs[index];
    pair.from = from;
    pair.to = to;
    pair.next = std::exchange(m_buckets[GetBucket(from, to)], index);
    ++m_nPairs;
    return index;
}

void
FlowPairs::Remove(uint32_t index)
{
    Pair& pair = m_pairs[index];
    uint32_t* link = &m_buckets[GetBucket(pair.from, pair.to)];
    while (*link != index)
    {
        link = &m_pairs[*link].next;
    }
    *link = pair.next;
    pair.isBusy = true;
    pair.next = std::exchange(m_unused, index);
    --m_nPairs;
}

void
FlowPairs::AddWaiting(uint32_t index, uint32_t message)
{
    const uint32_t place = TakeIndex(m_waiting, m_unusedPlaces);
    uint32_t& last = m_pairs[index].last;
    m_waiting[place] = {message, last == NONE ? place : m_waiting[last].next};
    if (last != NONE)
    {
        m_waiting[last].next = place;
    }
    last = place;
}

uint32_t
FlowPairs::TakeWaiting(uint32_t index)
{
    uint32_t& last = m_pairs[index].last;
    const uint32_t first = m_waiting[last].next;
    m_waiting[last].next = m_waiting[first].next;
    last = first == last ? NONE : last;
    m_unusedPlaces.push_back(first);
    return m_waiting[first].message;
}

void
FlowPairs::Clear()
{
    *this = {};
}

void
FlowPairs::Grow()
{
    constexpr uint32_t FEWEST = 4; // bits
    const uint32_t bits = m_buckets.empty() ? FEWEST : 64 - m_shift + 1;
    std::vector<uint32_t> before = std::exchange(m_buckets, {});
    m_buckets.assign(std::size_t(1) << bits, NONE);
    m_shift = 64 - bits;
    for (uint32_t index : before)
    {
        while (index != NONE)
        {
            Pair& pair = m_pairs[index];
            uint32_t& first = m_buckets[GetBucket(pair.from, pair.to)];
            index = std::exchange(pair.next, std::exchange(first, index));
        }
    }
}

} // namespace ns3::odcn
