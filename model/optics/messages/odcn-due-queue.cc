// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-due-queue.h"

namespace ns3::odcn
{

namespace
{

/// Place of a flow without a time.
constexpr std::size_t NOWHERE = SIZE_MAX;

} // namespace

void
DueQueue::Set(uint32_t flow, int64_t time)
{
    if (flow >= m_places.size())
    {
        m_places.resize(flow + std::size_t{1}, NOWHERE);
    }
    if (m_places[flow] == NOWHERE)
    {
        m_places[flow] = m_heap.size();
        m_heap.emplace_back();
    }
    Place(m_places[flow], {time, flow});
}

void
DueQueue::Remove(uint32_t flow)
{
    const std::size_t at = flow < m_places.size() ? m_places[flow] : NOWHERE;
    if (at == NOWHERE)
    {
        return;
    }
    m_places[flow] = NOWHERE;
    const Entry last = m_heap.back();
    m_heap.pop_back();
    if (at < m_heap.size())
    {
        Place(at, last);
    }
}

void
DueQueue::Place(std::size_t at, const Entry& entry)
{
    const auto put = [this](std::size_t place, const Entry& moved)
    {
        m_heap[place] = moved;
        m_places[moved.flow] = place;
    };
    while (at > 0 && entry < m_heap[(at - 1) / 2])
    {
        put(at, m_heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (std::size_t child = 2 * at + 1; child < m_heap.size(); child = 2 * at + 1)
    {
        child += child + 1 < m_heap.size() && m_heap[child + 1] < m_heap[child];
        if (!(m_heap[child] < entry))
        {
            break;
        }
        put(at, m_heap[child]);
        at = child;
    }
    put(at, entry);
}

} // namespace ns3::odcn
