// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_KAUFMAN_ROBERTS_H
#define ODCN_KAUFMAN_ROBERTS_H

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Jobs of one size in a multi-rate loss system.
 */
struct OdcnSizeClass
{
    int64_t size{0};    //!< units of capacity that a job of this size holds, not negative
    double weight{0};   //!< share of the jobs, or of the types; relative to the other classes
    double blocking{0}; //!< result: blocking probability of these jobs

    /// @param o other  @return whether all members are equal
    bool operator==(const OdcnSizeClass& o) const = default;
};

/**
 * @ingroup odcn
 *
 * The multi-rate loss system of Kaufman and Roberts: Poisson jobs of several sizes share one pool,
 * and a job is blocked exactly when the pool has less capacity left than it needs. Exact for any
 * distribution of the holding times.
 *
 * With all cores of a data centre as the pool it is a lower bound on the blocking of placement
 * policies that accept whenever possible: racks and bandwidth are further constraints.
 *
 * The caller chooses the unit (cores, thousandths of a core). Sizes are divided by their greatest
 * common divisor, so the run time is proportional to (capacity / divisor) x (number of sizes).
 *
 * Identity: utilisation x capacity = load x sum over classes of share x (1 - blocking) x size.
 */
class KaufmanRoberts
{
  public:
    /// Largest accepted capacity / divisor.
    static constexpr int64_t MAX_UNITS = 50'000'000;

    /**
     * @param capacity size of the pool, above 0
     * @param classes the sizes; weights need not sum to 1, equal sizes need not be merged
     * @param load mean holding time / mean inter-arrival time, not negative: mean number of jobs in
     * an infinite pool
     * @throws OdcnError when a value is out of range
     */
    KaufmanRoberts(int64_t capacity, std::vector<OdcnSizeClass> classes, double load);

    /// @return blocking probability over all jobs
    double GetBlocking() const
    {
        return m_blocking;
    }

    /// @return mean share of the pool in use
    double GetUtilization() const
    {
        return m_utilization;
    }

    /// @return the classes, sizes ascending and distinct, weights summing to 1, with their blocking
    const std::vector<OdcnSizeClass>& GetClasses() const
    {
        return m_classes;
    }

    /**
     * The sizes of jobs whose number of VMs is uniform on a range, each VM of an independently
     * drawn type.
     *
     * @param minVms smallest number of VMs
     * @param maxVms largest number of VMs, at least @p minVms
     * @param types size and weight of each VM type
     * @return size and probability of each possible job, sizes ascending
     * @throws OdcnError when a value is out of range
     */
    static std::vector<OdcnSizeClass> GetJobSizes(uint32_t minVms,
                                                  uint32_t maxVms,
                                                  const std::vector<OdcnSizeClass>& types);

  private:
    int64_t m_capacity;                   //!< size of the pool
    double m_blocking{0};                 //!< blocking probability over all jobs
    double m_utilization{0};              //!< mean share of the pool in use
    std::vector<OdcnSizeClass> m_classes; //!< merged classes with their blocking
};

} // namespace ns3::odcn

#endif /* ODCN_KAUFMAN_ROBERTS_H */
