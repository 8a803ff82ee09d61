// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-port-log.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace odcn
{

void
OdcnPortLog::MakeRoom()
{
    const std::size_t size = m_ring.size();
    if (size == 0)
    {
        m_ring.resize(LEAST);
    }
    else
    {
        std::vector<OdcnPassage> ring(2 * size);
        if (m_count > size)
        {
            m_oldest = std::max(m_oldest, m_count - static_cast<uint32_t>(size));
        }
        for (uint32_t i = m_oldest; i < m_count; ++i)
        {
            ring[i & (2 * size - 1)] = m_ring[i & m_mask];
        }
        m_ring = std::move(ring);
    }
    m_mask = static_cast<uint32_t>(m_ring.size() - 1);
}

void
OdcnPortLog::AddRefused(const OdcnPassage& packet, int64_t keep)
{
    if (m_refused.size() == m_refused.capacity())
    {
        std::erase_if(m_refused, [keep](const OdcnPassage& p) { return p.arrive < keep; });
    }
    m_refused.push_back(packet);
}

const OdcnPastRun*
OdcnPortLog::FindRun(uint32_t index) const
{
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
    {
        if (run->first <= index)
        {
            return index <= run->last ? &*run : nullptr;
        }
    }
    return nullptr;
}

OdcnPastRun&
OdcnPortLog::KeepRun()
{
    if (m_runs.empty() || m_runs.back().first != m_runFirst)
    {
        if (m_runs.size() < RUNS)
        {
            m_runs.emplace_back();
        }
        else
        {
            std::rotate(m_runs.begin(), m_runs.begin() + 1, m_runs.end());
        }
        OdcnPastRun& run = m_runs.back();
        run.first = m_runFirst;
        run.tx = m_runTx;
        run.steps.clear();
    }
    m_runs.back().last = m_count - 1;
    return m_runs.back();
}

} // namespace odcn
} // namespace ns3
