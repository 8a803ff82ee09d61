// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LATENCY_BATCHES_H
#define ODCN_LATENCY_BATCHES_H

#include "odcn-latency-histogram.h"
#include "odcn-statistics.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Latencies of many consecutive measurement windows: mean and quantiles over all packets, with
 * confidence intervals from the variation between windows, since the packets of one window are
 * strongly correlated.
 *
 * The interval of a quantile is Woodruff's: the fraction of packets at or below the quantile is a
 * ratio with an interval over windows; the quantiles at the ends of that interval bound this one.
 *
 * Memory is bounded: once there are 64 batches, neighbouring batches are merged.
 */
class LatencyBatches
{
  public:
    /// @param window latencies of the next window; an empty window is ignored
    void Add(const LatencyHistogram& window);

    /// @return latencies of all windows
    const LatencyHistogram& GetAll() const
    {
        return m_all;
    }

    /**
     * @param confidence of the interval, between 0 and 1
     * @return mean over all packets in ns, NaN when there are none
     */
    Estimate GetMeanNs(double confidence = ODCN_CONFIDENCE) const;

    /**
     * @param p quantile level, between 0 and 1
     * @param confidence of the interval, between 0 and 1
     * @return p-quantile over all packets in ns, NaN when there are none
     */
    Estimate GetQuantileNs(double p, double confidence = ODCN_CONFIDENCE) const;

  private:
    /// Number of batches at which neighbouring batches are merged.
    static constexpr std::size_t LIMIT = 64;

    LatencyHistogram m_all;                  //!< latencies of all windows
    std::vector<LatencyHistogram> m_batches; //!< full batches of consecutive windows
    LatencyHistogram m_open;                 //!< windows of the batch being filled
    uint64_t m_windowsPerBatch{1};           //!< windows per batch
    uint64_t m_inOpen{0};                    //!< windows in the open batch
};

} // namespace ns3::odcn

#endif /* ODCN_LATENCY_BATCHES_H */
