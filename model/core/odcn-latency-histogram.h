// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LATENCY_HISTOGRAM_H
#define ODCN_LATENCY_HISTOGRAM_H

#include "odcn-statistics.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

class Parcel;

/**
 * @ingroup odcn
 *
 * Histogram of latencies in integer picoseconds with log-linear bins: every octave has 128 bins, so
 * the relative error of a quantile is at most 1 / 256 (0.4 %). Count, mean, minimum and maximum are
 * exact. Values of 2^50 ps (19 minutes) and more share the last bin.
 *
 * Adding a value takes a few nanoseconds and allocates memory only for the first value of an
 * octave; histograms can be merged in any order.
 */
class LatencyHistogram
{
  public:
    /// @param ps latency in ps
    void Add(uint64_t ps)
    {
        const std::size_t bin = BinOf(ps);
        if (bin >= m_bins.size()) [[unlikely]]
        {
            Grow(bin);
        }
        ++m_bins[bin];
        ++m_count;
        m_sum += ps;
        m_least = std::min(m_least, ps);
        m_greatest = std::max(m_greatest, ps);
    }

    /// @param other histogram to add to this one
    void Merge(const LatencyHistogram& other);

    /// Remove all values.
    void Clear();

    /// Pass all values to another process. @param parcel they are added to, or replaced from
    void Pass(Parcel& parcel);

    /// @return number of values
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return mean in ns; NaN when empty
    double GetMeanNs() const;

    /// @return sum in ns
    double GetSumNs() const;

    /// @return minimum in ns; NaN when empty
    double GetMinNs() const;

    /// @return maximum in ns; NaN when empty
    double GetMaxNs() const;

    /**
     * @param p quantile level, between 0 and 1
     * @return p-quantile in ns: midpoint of the bin of the smallest value that has at least a
     * share p of all values at or below it; NaN when empty
     * @throws OdcnError when p is out of range
     */
    double GetQuantileNs(double p) const;

    /**
     * @param ns a value in ns
     * @return number of values in its bin or below
     */
    uint64_t GetCountUpTo(double ns) const;

    /// A bin that holds values.
    struct Bin
    {
        double fromNs;  //!< least value that it may hold, in ns
        double belowNs; //!< least value above all that it may hold, in ns
        uint64_t count; //!< values in it, at least 1
        double share;   //!< share of all values below @c belowNs
    };

    /// @return the bins that hold values, in ascending order
    std::vector<Bin> GetBins() const;

  private:
    /// Log2 of the bins per octave.
    static constexpr int SUB_BITS = 7;

    /// Values that need more bits than this share the last bin.
    static constexpr int VALUE_BITS = 50;

    /// @param ps value  @return its bin; in the first two octaves each value has its own bin
    static std::size_t BinOf(uint64_t ps)
    {
        ps = std::min(ps, (uint64_t(1) << VALUE_BITS) - 1);
        const int shift = std::max(0, static_cast<int>(std::bit_width(ps)) - SUB_BITS - 1);
        return (std::size_t(shift) << SUB_BITS) + (ps >> shift);
    }

    /// Extend m_bins. @param bin index of a bin that must exist
    void Grow(std::size_t bin);

    /// @param bin a bin  @return log2 of the number of values that share it
    static int GetShift(std::size_t bin);

    /// @param bin a bin  @return least value that it may hold, in ps
    static uint64_t GetLeast(std::size_t bin);

    /// A sum of values may need more than 64 bits.
    __extension__ typedef unsigned __int128 Sum;

    uint64_t m_count{0};          //!< number of values
    Sum m_sum{0};                 //!< sum of values, ps
    uint64_t m_least{UINT64_MAX}; //!< minimum, ps
    uint64_t m_greatest{0};       //!< maximum, ps
    std::vector<uint64_t> m_bins; //!< counts, up to the octave of the maximum
};

/**
 * @ingroup odcn
 *
 * Latencies of many consecutive measurement windows: mean and quantiles over all packets, with
 * confidence intervals from the variation between windows, since the packets of one window are
 * strongly correlated.
 *
 * The interval of a quantile is Woodruff's: the fraction of packets at or below the quantile is a
 * ratio with an interval over windows; the quantiles at the ends of that interval bound this one.
 * The interval is at least as wide as that of independent packets, and it has no upper end where
 * too few packets are above the quantile to give one.
 *
 * Memory is bounded: once there are 64 batches, neighbouring batches are merged.
 */
class LatencyBatches
{
  public:
    /// @param window latencies of the next window; an empty window is ignored
    void Add(const LatencyHistogram& window);

    /// Pass all windows to another process. @param parcel they are added to, or replaced from
    void Pass(Parcel& parcel);

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

#endif /* ODCN_LATENCY_HISTOGRAM_H */
