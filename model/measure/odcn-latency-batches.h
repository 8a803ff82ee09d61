// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LATENCY_BATCHES_H
#define ODCN_LATENCY_BATCHES_H

#include "odcn-statistics.h"

#include "ns3/odcn-latency-histogram.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Latencies of many consecutive measurement windows: mean and quantiles over all packets, with
 * intervals from the differences between windows, since packets of one window are far from
 * independent.
 *
 * The interval of a quantile is Woodruff's: the share of packets at or below it is a ratio whose
 * interval the windows give, and the quantiles at the ends of that are the ends of this one.
 *
 * Memory is bounded: from 64 windows on, neighbours are merged.
 */
class LatencyBatches
{
  public:
    /// @param window latencies of the next window; an empty one is left out
    void Add(const LatencyHistogram& window);

    /// @return all latencies together
    const LatencyHistogram& GetAll() const;

    /**
     * @param confidence of the interval, between 0 and 1
     * @return mean over all packets in ns, NaN when there are none
     */
    Estimate GetMeanNs(double confidence = ODCN_CONFIDENCE) const;

    /**
     * @param p between 0 and 1
     * @param confidence of the interval, between 0 and 1
     * @return that quantile over all packets in ns, NaN when there are none
     */
    Estimate GetQuantileNs(double p, double confidence = ODCN_CONFIDENCE) const;

    /// Back to empty.
    void Clear();

  private:
    /// Where neighbours are merged.
    static constexpr std::size_t LIMIT = 64;

    LatencyHistogram m_all;                  //!< everything
    std::vector<LatencyHistogram> m_batches; //!< consecutive windows, merged evenly
    LatencyHistogram m_open;                 //!< windows of the batch being filled
    uint64_t m_windowsPerBatch{1};           //!< windows a batch
    uint64_t m_inOpen{0};                    //!< windows in the open batch
};

} // namespace ns3::odcn

#endif /* ODCN_LATENCY_BATCHES_H */
