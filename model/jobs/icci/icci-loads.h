// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_LOADS_H
#define ICCI_LOADS_H

#include "icci-pool.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * CUs in use in every centre: those held by workers, and the mean tide of the last window.
 */
struct IcciLoads
{
    IcciPool pool;                 //!< CUs held, and the tide
    IcciPoolRules rules;           //!< hotspot threshold and intervals
    uint32_t cus{0};               //!< N_v, CUs of a centre
    std::vector<double> recent;    //!< [centre]: tide of the last window
    std::vector<uint32_t> leaving; //!< [centre]: CUs of workers that are moving away

    /// @param centre a centre
    /// @return CUs held there by workers that are not moving away
    uint32_t GetSettled(uint32_t centre) const
    {
        return pool.GetHeld(centre) - leaving[centre];
    }

    /// @param centre a centre
    /// @return CUs in use, at most N_v
    double Get(uint32_t centre) const
    {
        return std::min<double>(cus, recent[centre] + GetSettled(centre));
    }

    /// @param centre a centre
    /// @param worker CUs of another worker
    /// @return whether there is room for it (Eq. 6)
    bool HasRoom(uint32_t centre, uint32_t worker) const
    {
        return pool.GetFree(centre) >= worker && cus - Get(centre) >= worker;
    }

    /// @return CUs in use from which a centre is a hotspot
    double GetHotLoad() const
    {
        return rules.threshold * cus;
    }

    /// @param centre a centre
    /// @return whether it is a hotspot
    bool IsHot(uint32_t centre) const
    {
        return Get(centre) >= GetHotLoad();
    }

    /// Update the tide of the last window.
    void Update()
    {
        for (uint32_t centre = 0; centre < recent.size(); ++centre)
        {
            recent[centre] = pool.GetRecentAsked(centre);
        }
    }
};

} // namespace ns3::odcn

#endif /* ICCI_LOADS_H */
