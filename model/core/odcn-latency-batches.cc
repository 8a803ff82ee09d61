// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-latency-batches.h"

#include <algorithm>
#include <limits>

namespace ns3::odcn
{

void
LatencyBatches::Add(const LatencyHistogram& window)
{
    if (window.GetCount() == 0)
    {
        return;
    }
    m_all.Merge(window);
    m_open.Merge(window);
    if (++m_inOpen < m_windowsPerBatch)
    {
        return;
    }
    m_batches.push_back(m_open);
    m_open.Clear();
    m_inOpen = 0;
    if (m_batches.size() == LIMIT)
    {
        for (std::size_t i = 0; i < LIMIT / 2; ++i)
        {
            if (i > 0)
            {
                m_batches[i] = m_batches[2 * i];
            }
            m_batches[i].Merge(m_batches[2 * i + 1]);
        }
        m_batches.resize(LIMIT / 2);
        m_windowsPerBatch *= 2;
    }
}

Estimate
LatencyBatches::GetMeanNs(double confidence) const
{
    std::vector<double> sums;
    std::vector<double> counts;
    for (const auto& batch : m_batches)
    {
        sums.push_back(batch.GetSumNs());
        counts.push_back(static_cast<double>(batch.GetCount()));
    }
    auto estimate = RatioOfBatches(sums, counts, confidence);
    // The open batch contributes to the mean, but not yet to its variance.
    const double shift = m_all.GetMeanNs() - estimate.mean;
    estimate.mean = m_all.GetMeanNs();
    estimate.lower = std::max(0.0, estimate.lower + shift);
    estimate.upper += shift;
    return estimate;
}

Estimate
LatencyBatches::GetQuantileNs(double p, double confidence) const
{
    const double value = m_all.GetQuantileNs(p);
    std::vector<double> below;
    std::vector<double> counts;
    for (const auto& batch : m_batches)
    {
        below.push_back(static_cast<double>(batch.GetCountUpTo(value)));
        counts.push_back(static_cast<double>(batch.GetCount()));
    }
    const auto share = RatioOfBatches(below, counts, confidence);
    const double half = share.GetHalfWidth();
    if (!(half < 1))
    {
        return {value, 0, std::numeric_limits<double>::infinity(), share.count};
    }
    return {value,
            m_all.GetQuantileNs(std::max(0.0, p - half)),
            m_all.GetQuantileNs(std::min(1.0, p + half)),
            share.count};
}

} // namespace ns3::odcn
