// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MATCHING_SCHEDULE_H
#define ODCN_MATCHING_SCHEDULE_H

#include "ns3/data-rate.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-demand-matrix.h"

#include <cstdint>
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
 * planes x Period (McNaughton's wrap-around rule), and for an equal part of what the weights leave
 * of 1. So a matching of weight 1 / planes takes a plane of its own for ever, and a plane changes
 * at most once for each matching that it holds. Parts of a
 * matching not longer than ReconfigurationTime are left out, since they would carry nothing; the
 * matching before them is held instead.
 */
class MatchingSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param bytes traffic from rack to rack in a Period, for Build(); for algorithms that only
     * compare pairs in any unit
     * @param circuit rate of a circuit; 0 if unknown, which algorithms that need bytes refuse
     * @param packets rate of a packet network beside the circuits, see MatchingFabric
     */
    void SetDemand(const DemandMatrix& bytes, DataRate circuit = {}, DataRate packets = {});

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::string m_algorithm; //!< type and Attributes of a MatchingAlgorithm
    DemandMatrix m_demand;   //!< see SetDemand()
    DataRate m_circuit;      //!< see SetDemand()
    DataRate m_packets;      //!< see SetDemand()
};

} // namespace ns3::odcn

#endif /* ODCN_MATCHING_SCHEDULE_H */
