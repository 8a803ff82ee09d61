// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-statistics.h"

#include "odcn-error.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace ns3::odcn
{

namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

/// @param confidence value to check  @throws OdcnError when it is not between 0 and 1
void
CheckConfidence(double confidence)
{
    if (!(confidence > 0 && confidence < 1))
    {
        throw OdcnError::InOption("confidence", std::to_string(confidence), "between 0 and 1");
    }
}

/// @param a a length  @param b another length  @throws OdcnError when they differ
void
CheckPaired(std::size_t a, std::size_t b)
{
    if (a != b)
    {
        throw OdcnError::InOption("paired samples",
                                  std::to_string(a) + " and " + std::to_string(b),
                                  "as many of the one as of the other");
    }
}

/// @param count sample size, at least 2  @param confidence two-sided  @return Student's t
double
StudentT(std::size_t count, double confidence)
{
    const boost::math::students_t law(static_cast<double>(count - 1));
    return boost::math::quantile(boost::math::complement(law, (1 - confidence) / 2));
}

/// @param values at least two  @return sample variance
double
Variance(const std::vector<double>& values)
{
    return boost::math::statistics::sample_variance(values.begin(), values.end());
}

/// @param values a sample  @return sum
double
Sum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/**
 * @param mean point estimate  @param half half width  @param count sample size
 * @return the symmetric estimate
 */
Estimate
Symmetric(double mean, double half, std::size_t count)
{
    return {mean, mean - half, mean + half, count};
}

/// Sum neighbours in pairs; drop an odd first element. @param [in,out] v the series
void
JoinPairs(std::vector<double>& v)
{
    const std::size_t odd = v.size() % 2;
    for (std::size_t i = 0; i < v.size() / 2; ++i)
    {
        v[i] = v[odd + 2 * i] + v[odd + 2 * i + 1];
    }
    v.resize(v.size() / 2);
}

/// @param n number of batches  @return critical lag-1 correlation, one-sided 5 % level
double
VisibleCorrelation(std::size_t n)
{
    return 1.645 / std::sqrt(static_cast<double>(n));
}

/// Least number of batches that joining may leave.
constexpr std::size_t FEWEST = 10;

/**
 * Interval of an estimate that is, about its value, the sum of residuals over the sum of weights.
 * @param value the estimate  @param rest residuals  @param weights weights, of a sum above 0
 * @param confidence two-sided
 * @param batches whether these are consecutive batches, which may be correlated
 * @return value and interval
 */
Estimate
FromResiduals(double value,
              std::vector<double> rest,
              std::vector<double> weights,
              double confidence,
              bool batches)
{
    double widen = 1;
    if (batches)
    {
        double r = Lag1Correlation(rest);
        while (rest.size() >= 2 * FEWEST && r > VisibleCorrelation(rest.size()))
        {
            JoinPairs(rest);
            JoinPairs(weights);
            r = Lag1Correlation(rest);
        }
        if (r > 0)
        {
            widen = std::sqrt((1 + r) / (1 - std::min(r, 0.99)));
        }
    }
    const std::size_t n = rest.size();
    if (n < 2)
    {
        return {value, -INF, INF, n};
    }
    const double error = std::sqrt(Variance(rest) * static_cast<double>(n)) / Sum(weights);
    return Symmetric(value, widen * error * StudentT(n, confidence), n);
}

/**
 * @param totals of a ratio  @param ratio their ratio
 * @return residuals of the ratio estimator; their variance gives the variance of the estimate
 */
std::vector<double>
GetResiduals(const RatioTotals& totals, double ratio)
{
    std::vector<double> rest(totals.numerators.size());
    for (std::size_t i = 0; i < rest.size(); ++i)
    {
        rest[i] = totals.numerators[i] - ratio * totals.denominators[i];
    }
    return rest;
}

/**
 * Ratio estimator.
 * @param totals of the ratio  @param confidence two-sided
 * @param batches whether these are consecutive batches, which may be correlated
 * @return ratio of sums and interval
 */
Estimate
Ratio(const RatioTotals& totals, double confidence, bool batches)
{
    CheckConfidence(confidence);
    CheckPaired(totals.numerators.size(), totals.denominators.size());
    const double total = Sum(totals.denominators);
    if (!(total > 0))
    {
        return {NOT_A_NUMBER, -INF, INF, 0};
    }
    const double ratio = Sum(totals.numerators) / total;
    return FromResiduals(ratio,
                         GetResiduals(totals, ratio),
                         totals.denominators,
                         confidence,
                         batches);
}

/**
 * Compare two ratios of the same replications or batches.
 * @param a totals of the first  @param b totals of the second  @param confidence two-sided
 * @param batches whether these are consecutive batches
 * @param logarithm whether the logarithms of the ratios, both above 0, are compared
 * @return difference and interval
 */
Estimate
Compare(const RatioTotals& a, const RatioTotals& b, double confidence, bool batches, bool logarithm)
{
    CheckConfidence(confidence);
    const std::size_t n = a.numerators.size();
    CheckPaired(n, a.denominators.size());
    CheckPaired(n, b.numerators.size());
    CheckPaired(n, b.denominators.size());
    double difference = 0;
    std::vector<double> rest(n, 0);
    for (const auto& [totals, sign] : {std::pair{&a, 1.0}, std::pair{&b, -1.0}})
    {
        const double total = Sum(totals->denominators);
        if (!(total > 0))
        {
            return {NOT_A_NUMBER, -INF, INF, 0};
        }
        const double ratio = Sum(totals->numerators) / total;
        difference += sign * (logarithm ? std::log(ratio) : ratio);
        // d log(x) = dx / x.
        const double factor = sign * static_cast<double>(n) / total / (logarithm ? ratio : 1.0);
        const auto own = GetResiduals(*totals, ratio);
        for (std::size_t i = 0; i < n; ++i)
        {
            rest[i] += factor * own[i];
        }
    }
    return FromResiduals(difference, rest, std::vector<double>(n, 1.0), confidence, batches);
}

/**
 * @param events events of each part  @param trials trials of each part  @param confidence two-sided
 * @param batches whether the parts are consecutive batches
 * @return share and interval
 */
Estimate
Proportion(const std::vector<uint64_t>& events,
           const std::vector<uint64_t>& trials,
           double confidence,
           bool batches)
{
    CheckPaired(events.size(), trials.size());
    uint64_t allEvents = 0;
    uint64_t allTrials = 0;
    for (std::size_t i = 0; i < events.size(); ++i)
    {
        if (events[i] > trials[i])
        {
            throw OdcnError::InOption("events of a sample",
                                      std::to_string(events[i]),
                                      "at most its " + std::to_string(trials[i]) + " trials");
        }
        allEvents += events[i];
        allTrials += trials[i];
    }
    auto estimate = Ratio({{events.begin(), events.end()}, {trials.begin(), trials.end()}},
                          confidence,
                          batches);
    const auto independent = ClopperPearson(allEvents, allTrials, confidence);
    estimate.lower = std::max(0.0, std::min(estimate.lower, independent.lower));
    estimate.upper = std::min(1.0, std::max(estimate.upper, independent.upper));
    return estimate;
}

} // namespace

double
Estimate::GetHalfWidth() const
{
    return std::max(upper - mean, mean - lower);
}

bool
Estimate::Contains(double value) const
{
    return lower <= value && value <= upper;
}

Estimate
MeanOfReplications(const std::vector<double>& values, double confidence)
{
    return Ratio({values, std::vector<double>(values.size(), 1.0)}, confidence, false);
}

Estimate
MeanOfBatches(const std::vector<double>& batches, double confidence)
{
    return Ratio({batches, std::vector<double>(batches.size(), 1.0)}, confidence, true);
}

Estimate
RatioOfReplications(const std::vector<double>& numerators,
                    const std::vector<double>& denominators,
                    double confidence)
{
    return Ratio({numerators, denominators}, confidence, false);
}

Estimate
RatioOfBatches(const std::vector<double>& numerators,
               const std::vector<double>& denominators,
               double confidence)
{
    return Ratio({numerators, denominators}, confidence, true);
}

Estimate
DifferenceOfRatios(const RatioTotals& a, const RatioTotals& b, bool batches, double confidence)
{
    return Compare(a, b, confidence, batches, false);
}

Estimate
QuotientOfRatios(const RatioTotals& a, const RatioTotals& b, bool batches, double confidence)
{
    CheckConfidence(confidence);
    const double over = Sum(a.numerators) / Sum(a.denominators);
    const double under = Sum(b.numerators) / Sum(b.denominators);
    if (!(under > 0) || !std::isfinite(over))
    {
        return {NOT_A_NUMBER, -INF, INF, 0};
    }
    if (!(over > 0))
    {
        return {over / under, over < 0 ? -INF : 0, INF, a.numerators.size()};
    }
    const Estimate logarithm = Compare(a, b, confidence, batches, true);
    return {over / under, std::exp(logarithm.lower), std::exp(logarithm.upper), logarithm.count};
}

Estimate
ClopperPearson(uint64_t events, uint64_t trials, double confidence)
{
    CheckConfidence(confidence);
    if (events > trials)
    {
        throw OdcnError::InOption("events",
                                  std::to_string(events),
                                  "at most the " + std::to_string(trials) + " trials");
    }
    if (trials == 0)
    {
        return {NOT_A_NUMBER, 0, 1, 0};
    }
    using boost::math::binomial;
    const auto n = static_cast<double>(trials);
    const auto k = static_cast<double>(events);
    const double outside = (1 - confidence) / 2; // on each side
    Estimate estimate{k / n, 0, 1, trials};
    if (events > 0)
    {
        estimate.lower = binomial::find_lower_bound_on_p(n, k, outside);
    }
    if (events < trials)
    {
        estimate.upper = binomial::find_upper_bound_on_p(n, k, outside);
    }
    return estimate;
}

Estimate
ProportionOfReplications(const std::vector<uint64_t>& events,
                         const std::vector<uint64_t>& trials,
                         double confidence)
{
    return Proportion(events, trials, confidence, false);
}

Estimate
ProportionOfBatches(const std::vector<uint64_t>& events,
                    const std::vector<uint64_t>& trials,
                    double confidence)
{
    return Proportion(events, trials, confidence, true);
}

double
Lag1Correlation(const std::vector<double>& values)
{
    if (values.size() < 3)
    {
        return 0;
    }
    const double mean = Sum(values) / static_cast<double>(values.size());
    double square = 0;
    double product = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        square += (values[i] - mean) * (values[i] - mean);
        product += i > 0 ? (values[i] - mean) * (values[i - 1] - mean) : 0;
    }
    return square > 0 ? product / square : 0;
}

} // namespace ns3::odcn
