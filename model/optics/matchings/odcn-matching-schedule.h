// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MATCHING_SCHEDULE_H
#define ODCN_MATCHING_SCHEDULE_H

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-demand-matrix.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A schedule for a known demand, computed by a MatchingAlgorithm.
 *
 * The matchings are laid end to end on the planes, one plane after another, each for its weight x
 * planes x Period (McNaughton's wrap-around rule). So a matching of weight 1 / planes takes a plane
 * of its own for ever, and a plane changes at most once for each matching that it holds. Parts of a
 * matching not longer than ReconfigurationTime are left out, since they would carry nothing; the
 * matching before them is held instead.
 */
class MatchingSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param demand traffic from rack to rack, for Build()
    void SetDemand(const DemandMatrix& demand);

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::string m_algorithm; //!< type and Attributes of a MatchingAlgorithm
    DemandMatrix m_demand;   //!< see SetDemand()
};

} // namespace ns3::odcn

#endif /* ODCN_MATCHING_SCHEDULE_H */
