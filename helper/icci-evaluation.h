// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_EVALUATION_H
#define ICCI_EVALUATION_H

#include "ns3/icci-migration.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-statistics.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What a policy came to on days of tasks: the figures of section V of the DeepHM paper.
 */
class IcciEvaluation
{
  public:
    /// What is measured on a day.
    enum Figure
    {
        HOT_SHARE,              //!< hotspot blocks over all blocks
        HOT_BLOCKS,             //!< hotspot blocks
        HOT_BUSINESS,           //!< of them in business areas
        HOT_RESIDENTIAL,        //!< likewise
        HOT_OTHER,              //!< likewise
        MOVED_WORKERS,          //!< workers moved
        MIGRATIONS,             //!< that were completed
        REFUSED,                //!< that were decided and not carried out
        USE_BUSINESS,           //!< mean share of CUs in use
        USE_RESIDENTIAL,        //!< likewise
        USE_OTHER,              //!< likewise
        VARIANCE_BUSINESS,      //!< of CUs in use, over the blocks, in percent points squared
        VARIANCE_RESIDENTIAL,   //!< likewise
        VARIANCE_OTHER,         //!< likewise
        HOPS,                   //!< of a ring, at the end
        FIRST_HOPS,             //!< of a ring, when it was deployed
        BANDWIDTH,              //!< share of wavelengths in use
        BANDWIDTH_BUSINESS,     //!< likewise
        BANDWIDTH_RESIDENTIAL,  //!< likewise
        BANDWIDTH_OTHER,        //!< likewise
        DOWNTIME,               //!< s, all tasks
        MIGRATION_DOWNTIME,     //!< s of a migration that moved workers; NaN without one
        AHEAD_OF_TIME,          //!< Eq. 17, mean over all tasks deployed
        MIGRATED_AHEAD_OF_TIME, //!< likewise over those that migrated; NaN without one
        BLOCKED,                //!< share of tasks that were not deployed
        LOST,                   //!< share of the tide's CU time that found no room
        FIGURES,                //!< how many there are
    };

    /// @param figure which  @return its name in files, e.g. "hot_share"
    static const char* GetName(Figure figure);

    /// What a day came to.
    using Day = std::array<double, FIGURES>;

    /**
     * Run one day and add it.
     * @param problem ready
     * @param policy who decides
     */
    void Run(IcciMigration& problem, OdcnDecisionPolicy& policy);

    /// Add a day that is over. @param problem whose day it was
    void Add(const IcciMigration& problem);

    /// @return all days
    const std::vector<Day>& GetDays() const
    {
        return m_days;
    }

    /// @param figure which  @return it, day by day
    std::vector<double> GetValues(Figure figure) const;

    /// @param figure which  @return its mean over the days that have it
    OdcnEstimate GetMean(Figure figure) const;

    /**
     * @param figure which
     * @param other another policy on the same days
     * @return ratio of this to the other, less 1, over all days
     */
    OdcnEstimate GetChange(Figure figure, const IcciEvaluation& other) const;

    /**
     * @param other without migration, on the same days
     * @return hotspot blocks that went away for each worker that moved
     */
    OdcnEstimate GetBlocksPerMove(const IcciEvaluation& other) const;

  private:
    std::vector<Day> m_days; //!< what was run
};

} // namespace odcn
} // namespace ns3

#endif /* ICCI_EVALUATION_H */
