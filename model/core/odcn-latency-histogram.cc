// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-latency-histogram.h"

#include "odcn-error.h"
#include "odcn-ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace ns3::odcn
{

namespace
{

constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();
constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double NS_PER_PS = 1e-3;

} // namespace

void
LatencyHistogram::Grow(std::size_t bin)
{
    // Grow by whole octaves.
    const std::size_t octave = std::size_t(1) << SUB_BITS;
    m_bins.resize((bin / octave + 1) * octave, 0);
}

void
LatencyHistogram::Merge(const LatencyHistogram& other)
{
    if (m_bins.size() < other.m_bins.size())
    {
        m_bins.resize(other.m_bins.size(), 0);
    }
    for (std::size_t i = 0; i < other.m_bins.size(); ++i)
    {
        m_bins[i] += other.m_bins[i];
    }
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_least = std::min(m_least, other.m_least);
    m_greatest = std::max(m_greatest, other.m_greatest);
}

void
LatencyHistogram::Clear()
{
    std::fill(m_bins.begin(), m_bins.end(), 0);
    m_count = 0;
    m_sum = 0;
    m_least = UINT64_MAX;
    m_greatest = 0;
}

void
LatencyHistogram::Pass(Parcel& parcel)
{
    parcel.Pass(m_count, m_sum, m_least, m_greatest);
    if (parcel.IsRead())
    {
        m_bins.clear();
    }
    parcel.PassList(m_bins);
}

double
LatencyHistogram::GetMeanNs() const
{
    return m_count > 0 ? GetSumNs() / static_cast<double>(m_count) : NOT_A_NUMBER;
}

double
LatencyHistogram::GetSumNs() const
{
    return static_cast<double>(m_sum) * NS_PER_PS;
}

double
LatencyHistogram::GetMinNs() const
{
    return m_count > 0 ? static_cast<double>(m_least) * NS_PER_PS : NOT_A_NUMBER;
}

double
LatencyHistogram::GetMaxNs() const
{
    return m_count > 0 ? static_cast<double>(m_greatest) * NS_PER_PS : NOT_A_NUMBER;
}

int
LatencyHistogram::GetShift(std::size_t bin)
{
    const std::size_t octave = bin >> SUB_BITS;
    return octave > 1 ? static_cast<int>(octave - 1) : 0;
}

uint64_t
LatencyHistogram::GetLeast(std::size_t bin)
{
    const int shift = GetShift(bin);
    return (bin - (std::size_t(shift) << SUB_BITS)) << shift;
}

std::vector<LatencyHistogram::Bin>
LatencyHistogram::GetBins() const
{
    std::vector<Bin> bins;
    uint64_t below = 0;
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin)
    {
        if (const uint64_t count = m_bins[bin])
        {
            below += count;
            bins.push_back({1e-3 * static_cast<double>(GetLeast(bin)),
                            1e-3 * static_cast<double>(GetLeast(bin + 1)),
                            count,
                            static_cast<double>(below) / static_cast<double>(m_count)});
        }
    }
    return bins;
}

double
LatencyHistogram::GetQuantileNs(double p) const
{
    if (!(p >= 0 && p <= 1))
    {
        throw OdcnError::InOption("quantile", std::to_string(p), "between 0 and 1");
    }
    if (m_count == 0)
    {
        return NOT_A_NUMBER;
    }
    // The 0.999 quantile of 1000 values is the 999th, even if 0.999 * 1000 is rounded up.
    const double rank = std::ceil(p * static_cast<double>(m_count) * (1 - 1e-12));
    const uint64_t wanted = std::clamp<uint64_t>(static_cast<uint64_t>(rank), 1, m_count);
    if (wanted == m_count)
    {
        return GetMaxNs();
    }
    uint64_t seen = 0;
    std::size_t bin = 0;
    while ((seen += m_bins[bin]) < wanted)
    {
        ++bin;
    }
    const double middle = static_cast<double>(GetLeast(bin)) +
                          0.5 * static_cast<double>((uint64_t(1) << GetShift(bin)) - 1);
    return std::clamp(middle, static_cast<double>(m_least), static_cast<double>(m_greatest)) *
           NS_PER_PS;
}

uint64_t
LatencyHistogram::GetCountUpTo(double ns) const
{
    const double ps = std::round(ns / NS_PER_PS);
    if (!(ps >= 0))
    {
        return 0;
    }
    const auto last = BinOf(ps < 0x1p63 ? static_cast<uint64_t>(ps) : UINT64_MAX);
    const std::size_t end = std::min(m_bins.size(), last + 1);
    return std::accumulate(m_bins.begin(), m_bins.begin() + end, uint64_t{0});
}

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

void
LatencyBatches::Pass(Parcel& parcel)
{
    uint64_t batches = m_batches.size();
    parcel.Pass(batches, m_windowsPerBatch, m_inOpen);
    m_batches.resize(batches);
    m_all.Pass(parcel);
    m_open.Pass(parcel);
    for (LatencyHistogram& batch : m_batches)
    {
        batch.Pass(parcel);
    }
}

Estimate
LatencyBatches::GetMeanNs(double confidence) const
{
    if (m_all.GetCount() == 0)
    {
        return {NOT_A_NUMBER, 0, INF, 0};
    }
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
        return {value, 0, INF, share.count};
    }
    // Few windows may vary less than independent packets would.
    const uint64_t packets = m_all.GetCount();
    const auto level = static_cast<uint64_t>(std::llround(p * static_cast<double>(packets)));
    const auto independent = ClopperPearson(level, packets, confidence);
    const double lower = std::min(p - half, independent.lower);
    const double upper = std::max(p + half, independent.upper);
    return {value,
            lower > 0 ? m_all.GetQuantileNs(lower) : 0,
            upper < 1 ? m_all.GetQuantileNs(upper) : INF,
            share.count};
}

} // namespace ns3::odcn
