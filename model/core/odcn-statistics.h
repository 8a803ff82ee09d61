// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_STATISTICS_H
#define ODCN_STATISTICS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An estimate with its confidence interval. Where the data cannot bound it (for example, one
 * replication), the interval is the whole range of the quantity, possibly with infinite ends.
 */
struct Estimate
{
    double mean{0};    //!< point estimate; NaN when there is no observation
    double lower{0};   //!< lower end of the interval
    double upper{0};   //!< upper end
    uint64_t count{0}; //!< independent observations behind the interval: batches or replications

    /// @param value a known value  @return it, without an interval
    static Estimate Exactly(double value)
    {
        return {value, value, value, 0};
    }

    /// @return the larger of the two distances from the mean to an end; may be infinite
    double GetHalfWidth() const;

    /// @param value a value  @return whether it lies in the interval, ends included
    bool Contains(double value) const;
};

/// Default confidence of an interval.
constexpr double ODCN_CONFIDENCE = 0.95;

/**
 * Mean of independent replications with Student's t interval.
 *
 * @param values one value per replication
 * @param confidence of the interval, between 0 and 1
 * @return mean and interval
 */
Estimate MeanOfReplications(const std::vector<double>& values, double confidence = ODCN_CONFIDENCE);

/**
 * Mean of a correlated series, given as batch means of equal weight.
 *
 * Neighbouring batches are joined, pair by pair, while they are significantly correlated (lag-1
 * correlation above 1.645 / sqrt(n)) and at least 10 pairs are left. A remaining correlation r
 * widens the interval by sqrt((1 + r) / (1 - r)), as for a first-order autoregressive process.
 *
 * @param batches batch means, in order of time
 * @param confidence of the interval, between 0 and 1
 * @return mean and interval
 */
Estimate MeanOfBatches(const std::vector<double>& batches, double confidence = ODCN_CONFIDENCE);

/**
 * A ratio of totals (latency summed / packets received, jobs blocked / jobs offered) from
 * independent replications of unequal weight: the classical ratio estimator.
 *
 * @param numerators numerator of each replication
 * @param denominators denominator of each, not negative
 * @param confidence of the interval, between 0 and 1
 * @return ratio of the sums and its interval; NaN when all denominators are 0
 * @throws OdcnError when the two differ in length
 */
Estimate RatioOfReplications(const std::vector<double>& numerators,
                             const std::vector<double>& denominators,
                             double confidence = ODCN_CONFIDENCE);

/**
 * The same for consecutive batches of one run, joined and widened as in MeanOfBatches().
 *
 * @param numerators numerator of each batch, in order of time
 * @param denominators denominator of each, not negative
 * @param confidence of the interval, between 0 and 1
 * @return ratio of the sums and its interval; NaN when all denominators are 0
 * @throws OdcnError when the two differ in length
 */
Estimate RatioOfBatches(const std::vector<double>& numerators,
                        const std::vector<double>& denominators,
                        double confidence = ODCN_CONFIDENCE);

/// Totals of a ratio by replication, or by batch in order of time.
struct RatioTotals
{
    std::vector<double> numerators;   //!< e.g. jobs blocked
    std::vector<double> denominators; //!< e.g. jobs offered, not negative; all 1 for a mean
};

/**
 * Difference of two ratios of totals on the same random streams: common variation cancels. It is
 * the difference of what RatioOfReplications() or RatioOfBatches() gives of each.
 *
 * @param a totals of the first
 * @param b totals of the second on the same replications or batches
 * @param batches whether they are consecutive batches, joined and widened as in MeanOfBatches()
 * @param confidence of the interval, between 0 and 1
 * @return ratio of a - ratio of b, with its interval; NaN when all denominators of one are 0
 * @throws OdcnError when they differ in length
 */
Estimate DifferenceOfRatios(const RatioTotals& a,
                            const RatioTotals& b,
                            bool batches,
                            double confidence = ODCN_CONFIDENCE);

/**
 * Quotient of two such ratios, neither negative. The interval is symmetric in the logarithm, so
 * that it never falls below 0. It is from 0 to infinity where the first is 0.
 *
 * @param a totals of the first
 * @param b totals of the second on the same replications or batches
 * @param batches whether they are consecutive batches, joined and widened as in MeanOfBatches()
 * @param confidence of the interval, between 0 and 1
 * @return ratio of a / ratio of b, with its interval; NaN when the second is 0 or one is unknown
 * @throws OdcnError when they differ in length
 */
Estimate QuotientOfRatios(const RatioTotals& a,
                          const RatioTotals& b,
                          bool batches,
                          double confidence = ODCN_CONFIDENCE);

/**
 * Exact interval of Clopper and Pearson for independent trials, two-sided: each end leaves out half
 * of 1 - confidence. Without events the upper end is about 3.7 / trials.
 *
 * @param events number of trials with the event, at most @p trials
 * @param trials number of trials
 * @param confidence of the interval, between 0 and 1
 * @return share and interval; count is the number of trials
 */
Estimate ClopperPearson(uint64_t events, uint64_t trials, double confidence = ODCN_CONFIDENCE);

/**
 * A rare proportion (loss, blocking) from independent replications. Events are clustered, so the
 * interval is that of the ratio estimator. It is too narrow where few replications have events,
 * and is therefore never made narrower than that of Clopper and Pearson over all trials.
 *
 * @param events events of each replication
 * @param trials trials of each
 * @param confidence of the interval, between 0 and 1
 * @return share and interval within [0, 1]
 * @throws OdcnError when the two differ in length, or events exceed trials
 */
Estimate ProportionOfReplications(const std::vector<uint64_t>& events,
                                  const std::vector<uint64_t>& trials,
                                  double confidence = ODCN_CONFIDENCE);

/**
 * The same for consecutive batches of one run, joined and widened as in MeanOfBatches().
 *
 * @param events events of each batch, in order of time
 * @param trials trials of each
 * @param confidence of the interval, between 0 and 1
 * @return share and interval within [0, 1]
 * @throws OdcnError when the two differ in length, or events exceed trials
 */
Estimate ProportionOfBatches(const std::vector<uint64_t>& events,
                             const std::vector<uint64_t>& trials,
                             double confidence = ODCN_CONFIDENCE);

/**
 * @param values a series
 * @return its lag-1 autocorrelation; 0 when it has fewer than three values or does not vary
 */
double Lag1Correlation(const std::vector<double>& values);

} // namespace ns3::odcn

#endif /* ODCN_STATISTICS_H */
