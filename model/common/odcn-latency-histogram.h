// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LATENCY_HISTOGRAM_H
#define ODCN_LATENCY_HISTOGRAM_H

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Latencies in whole picoseconds, log-linearly binned: every octave is cut into 128 bins, so a
 * quantile is off by at most 1 / 256 of itself (0.4 %). Count, mean, least and greatest are exact.
 * Values from 2^50 ps (19 minutes) on share the last bin.
 *
 * Where there are many histograms, fewer bins an octave keep them in the cache: with 16, a quantile
 * is off by at most 1 / 32.
 *
 * Adding takes a few nanoseconds and allocates only for the first value of an octave; histograms
 * can be merged in any order.
 */
class LatencyHistogram
{
  public:
    /**
     * An empty histogram.
     * @param subBits log2 of the bins of an octave, 0 to MAX_SUB_BITS
     * @throws OdcnError when it is out of range
     */
    explicit LatencyHistogram(int subBits = 7);

    /// Largest log2 of the bins of an octave.
    static constexpr int MAX_SUB_BITS = 12;

    /// @param ps latency in ps
    void Add(uint64_t ps)
    {
        const std::size_t bin = BinOf(ps);
        if (bin >= m_bins.size()) [[unlikely]]
        {
            Grow(bin);
        }
        if (++m_bins[bin] == 0) [[unlikely]]
        {
            Carry(bin);
        }
        ++m_count;
        m_sum += ps;
        if (m_sum < ps) [[unlikely]]
        {
            ++m_sumCarry;
        }
        m_least = std::min(m_least, ps);
        m_greatest = std::max(m_greatest, ps);
    }

    /// @param other what is to be added to this, with as many bins an octave
    /// @throws OdcnError if it has not
    void Merge(const LatencyHistogram& other);

    /// Back to empty.
    void Clear();

    /// @return number of values
    uint64_t GetCount() const;

    /// @return mean in ns; NaN when empty
    double GetMeanNs() const;

    /// @return sum in ns
    double GetSumNs() const;

    /// @return least value in ns; NaN when empty
    double GetMinNs() const;

    /// @return greatest value in ns; NaN when empty
    double GetMaxNs() const;

    /**
     * @param p between 0 and 1
     * @return in ns: the middle of the bin that holds the least value with at least a share p of
     * all at or below it; NaN when empty
     * @throws OdcnError when p is out of range
     */
    double GetQuantileNs(double p) const;

    /**
     * @param ns a value in ns
     * @return how many values lie in its bin or below it
     */
    uint64_t GetCountUpTo(double ns) const;

    /// A bin that holds values.
    struct Bin
    {
        double fromNs;  //!< least value that it may hold, in ns
        double belowNs; //!< least value above all that it may hold, in ns
        uint64_t count; //!< values in it, at least 1
    };

    /// @return the bins that hold values, in ascending order
    std::vector<Bin> GetBins() const;

  private:
    /// Values need fewer bits than this, or share the last bin.
    static constexpr int VALUE_BITS = 50;

    /// @param ps value  @return its bin: one a value in the first two octaves
    std::size_t BinOf(uint64_t ps) const
    {
        ps = std::min(ps, (uint64_t(1) << VALUE_BITS) - 1);
        const int shift = std::max(0, static_cast<int>(std::bit_width(ps)) - m_subBits - 1);
        return (std::size_t(shift) << m_subBits) + (ps >> shift);
    }

    /// Make room. @param bin a bin that is to exist
    void Grow(std::size_t bin);

    /// The low word of a count has run over. @param bin its bin
    void Carry(std::size_t bin);

    /// @param bin a bin that exists  @return how many values it holds
    uint64_t GetBin(std::size_t bin) const;

    /// @param bin a bin  @return log2 of the number of values that share it
    int GetShift(std::size_t bin) const;

    /// @param bin a bin  @return least value that it may hold, in ps
    uint64_t GetLeast(std::size_t bin) const;

    // What Add() changes lies side by side, and bins are narrow: where there are many histograms,
    // it is the cache that limits.
    uint64_t m_count{0};             //!< number of values
    uint64_t m_sum{0};               //!< low word of their sum
    uint64_t m_least{UINT64_MAX};    //!< least value
    uint64_t m_greatest{0};          //!< greatest value
    int m_subBits;                   //!< log2 of the bins of an octave
    std::vector<uint32_t> m_bins;    //!< low words of counts, up to the greatest value's octave
    uint64_t m_sumCarry{0};          //!< high word of the sum
    std::vector<uint32_t> m_carries; //!< high words of counts, as far as there are any
};

} // namespace ns3::odcn

#endif /* ODCN_LATENCY_HISTOGRAM_H */
