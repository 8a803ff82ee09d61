// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OBSERVATIONS_H
#define ODCN_OBSERVATIONS_H

#include "odcn-statistics.h"

#include "ns3/odcn-figure.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// What was measured in one replication, or in one batch of a long one.
struct Observation
{
    uint64_t run{0};                 //!< ns-3's run number
    uint32_t episode{0};             //!< of the run, counted from 0
    uint64_t decisions{0};           //!< made
    DecisionTally tally;             //!< what became of the jobs
    std::vector<FigureValue> values; //!< of the figures of merit, in their order
};

/**
 * @ingroup odcn
 *
 * What was measured of one policy: figures of merit with confidence intervals, and against another
 * policy on the same replications.
 */
class Observations
{
  public:
    /**
     * @param figures of merit
     * @param consecutive whether observations are batches of one run, which are correlated
     */
    explicit Observations(std::vector<FigureOfMerit> figures = {}, bool consecutive = false);

    /// @param observation one more, with a value for each figure
    void Add(Observation observation);

    /// @return the figures of merit
    const std::vector<FigureOfMerit>& GetFigures() const
    {
        return m_figures;
    }

    /// @return what was added
    const std::vector<Observation>& Get() const
    {
        return m_observations;
    }

    /// @return sums over the observations
    DecisionTally GetTotals() const;

    /// @param figure its name  @return mean and interval  @throws OdcnError without such a figure
    Estimate GetEstimate(const std::string& figure) const;

    /**
     * @param figure its name  @param other policy on the same replications
     * @return mean of this less the other, replication by replication; those where either is not
     * defined are left out
     * @throws OdcnError without such a figure, or when the replications differ in number
     */
    Estimate GetDifference(const std::string& figure, const Observations& other) const;

    /**
     * @param figure its name  @param other policy on the same replications
     * @return ratio of the totals to the other's
     * @throws OdcnError as GetDifference()
     */
    Estimate GetRatio(const std::string& figure, const Observations& other) const;

    /**
     * @param figure its name  @param other policy on the same replications
     * @return ratio of the totals to the other's, less 1
     * @throws OdcnError as GetDifference()
     */
    Estimate GetChange(const std::string& figure, const Observations& other) const;

    /**
     * @param figure its name  @param per name of another  @param other policy on the same
     * replications
     * @return by how much the one is below the other policy's for each unit of the other figure
     * @throws OdcnError as GetDifference()
     */
    Estimate GetReduction(const std::string& figure,
                          const std::string& per,
                          const Observations& other) const;

  private:
    /// @param figure its name  @return its index
    std::size_t Find(const std::string& figure) const;

    /// @param other policy  @throws OdcnError unless it has as many replications
    void CheckPairs(const Observations& other) const;

    /// @param figure its index  @return its totals
    std::vector<double> GetTotalsOf(std::size_t figure) const;

    std::vector<FigureOfMerit> m_figures;    //!< of merit
    bool m_consecutive;                      //!< whether observations are batches of one run
    std::vector<Observation> m_observations; //!< what was added
};

} // namespace ns3::odcn

#endif /* ODCN_OBSERVATIONS_H */
