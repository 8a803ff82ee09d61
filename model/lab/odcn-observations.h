// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OBSERVATIONS_H
#define ODCN_OBSERVATIONS_H

#include "ns3/odcn-figure.h"
#include "ns3/odcn-statistics.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Measurements of one replication, or of one batch of a long one.
struct Observation
{
    uint64_t run{0};                 //!< ns-3's run number
    uint32_t episode{0};             //!< episode of the run, counted from 0
    uint64_t decisions{0};           //!< number of decisions
    DecisionTally tally;             //!< outcomes of the jobs
    std::vector<FigureValue> values; //!< one per figure of merit, in their order
};

/**
 * @ingroup odcn
 *
 * Measurements of one policy: figures of merit with confidence intervals, and comparisons with
 * another policy on the same replications.
 */
class Observations
{
  public:
    /**
     * @param figures figures of merit
     * @param consecutive whether observations are batches of one run, which are correlated
     */
    explicit Observations(std::vector<FigureOfMerit> figures = {}, bool consecutive = false);

    /// @param observation the next observation, with a value for each figure
    void Add(Observation observation);

    /// @return the figures of merit
    const std::vector<FigureOfMerit>& GetFigures() const
    {
        return m_figures;
    }

    /// @return all observations, in the order in which they were added
    const std::vector<Observation>& Get() const
    {
        return m_observations;
    }

    /// @return sums over the observations
    DecisionTally GetTotals() const;

    /// @param figure name  @return mean and interval  @throws OdcnError without such a figure
    Estimate GetEstimate(const std::string& figure) const;

    /**
     * Means are compared over the replications in which both are defined; ratios and shares as
     * GetEstimate() gives them, over all.
     * @param figure name of the figure  @param other another policy on the same replications
     * @param confidence of the interval, between 0 and 1
     * @return paired difference, this minus @p other
     * @throws OdcnError without such a figure, or when the replications differ in number
     */
    Estimate GetDifference(const std::string& figure,
                           const Observations& other,
                           double confidence = ODCN_CONFIDENCE) const;

    /**
     * The interval is symmetric in the logarithm, so that it never falls below 0: the ratio of two
     * rare events is skewed. Where this policy has no events, it is from 0 to infinity.
     * @param figure name of the figure, not negative  @param other another policy on the same
     * replications  @param confidence of the interval, between 0 and 1
     * @return this policy's figure over that of @p other, compared as in GetDifference()
     * @throws OdcnError as GetDifference()
     */
    Estimate GetRatio(const std::string& figure,
                      const Observations& other,
                      double confidence = ODCN_CONFIDENCE) const;

    /**
     * @param figure name of the figure, not negative  @param other another policy on the same
     * replications  @param confidence of the interval, between 0 and 1
     * @return relative change: GetRatio() minus 1
     * @throws OdcnError as GetDifference()
     */
    Estimate GetChange(const std::string& figure,
                       const Observations& other,
                       double confidence = ODCN_CONFIDENCE) const;

    /**
     * @param figure name of the figure  @param per name of another figure of this policy
     * @param other another policy on the same replications
     * @param confidence of the interval, between 0 and 1
     * @return (total of @p other - total of this policy) / this policy's total of @p per
     * @throws OdcnError as GetDifference()
     */
    Estimate GetReduction(const std::string& figure,
                          const std::string& per,
                          const Observations& other,
                          double confidence = ODCN_CONFIDENCE) const;

  private:
    /// @param figure name  @return its index  @throws OdcnError without such a figure
    std::size_t Find(const std::string& figure) const;

    /// @param other another policy  @throws OdcnError unless it has as many replications
    void CheckPairs(const Observations& other) const;

    /**
     * @param figure name of a figure  @param other another policy on the same replications
     * @return totals of this policy and of the other, of which the estimates are the ratios
     * @throws OdcnError as GetDifference()
     */
    std::pair<RatioTotals, RatioTotals> GetPairs(const std::string& figure,
                                                 const Observations& other) const;

    /// @param figure index of a figure  @return its total in each observation
    std::vector<double> GetTotalsOf(std::size_t figure) const;

    std::vector<FigureOfMerit> m_figures;    //!< figures of merit
    bool m_consecutive;                      //!< whether observations are batches of one run
    std::vector<Observation> m_observations; //!< in the order in which they were added
};

} // namespace ns3::odcn

#endif /* ODCN_OBSERVATIONS_H */
