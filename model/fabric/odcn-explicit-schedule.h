// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EXPLICIT_SCHEDULE_H
#define ODCN_EXPLICIT_SCHEDULE_H

#include "odcn-circuit-schedule.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * One matching a plane, for ever, given by the caller: circuits that a controller has decided.
 */
class ExplicitSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param planes matching of each plane, for Build()
    void SetPlanes(const std::vector<Matching>& planes);

    /// @param planes slots of each plane, for Build()
    void SetPlanes(std::vector<Plane> planes);

    /**
     * Initial circuits of controllers: plane p connects rack i to rack i + 1 + p mod (n - 1).
     * @param racks number of racks, 2 or more  @param planes number of planes
     * @return the matching of each plane
     */
    static std::vector<Matching> MakeShifts(uint32_t racks, uint32_t planes);

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::vector<Matching> m_matchings; //!< see SetPlanes()
    std::vector<Plane> m_planes;       //!< see SetPlanes()
};

} // namespace ns3::odcn

#endif /* ODCN_EXPLICIT_SCHEDULE_H */
