// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_FORECAST_H
#define ICCI_FORECAST_H

#include "icci-loads.h"

#include "ns3/icci-tide.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// A stretch of time over which loads are looked at.
struct IcciOutlook
{
    double from{0};    //!< begin of the period, s
    double to{0};      //!< end of the period, s; equal to from for the present
    bool known{false}; //!< whether the day itself is looked at, not the mean tide
};

/**
 * @ingroup odcn
 *
 * Expected loads of centres: E[min(N_v, held + tide)] by area, hour and number of CUs held, with a
 * Poisson number of requests.
 */
class IcciForecast
{
  public:
    /// @param areas of the centres
    void SetAreas(std::vector<IcciArea> areas);

    /// Forget the table: the tide has changed.
    void Clear();

    /// Fill the table unless that was done. @param tide whose mean is known  @param cus N_v
    void Tabulate(const IcciTide& tide, uint32_t cus);

    /**
     * @param centre a centre
     * @param held CUs held by workers there, N_v at most
     * @param time s since midnight
     * @return CUs in use in the mean over that hour
     */
    double GetMeanLoad(uint32_t centre, uint32_t held, double time) const
    {
        return GetMeanLoad(m_areas[centre], held, time);
    }

    /**
     * @param loads of all centres
     * @param centre a centre
     * @param held CUs held by workers there
     * @param outlook when
     * @param [out] use mean share of CUs in use
     * @return hotspot blocks; for the present 1 when it is a hotspot
     */
    double Foresee(const IcciLoads& loads,
                   uint32_t centre,
                   uint32_t held,
                   const IcciOutlook& outlook,
                   double& use) const;

  private:
    /// @param area of a centre  @param held CUs  @param time s  @return as GetMeanLoad()
    double GetMeanLoad(IcciArea area, uint32_t held, double time) const;

    std::vector<IcciArea> m_areas;  //!< by centre
    uint32_t m_cus{0};              //!< N_v
    std::vector<double> m_expected; //!< [area][hour][held]
};

} // namespace ns3::odcn

#endif /* ICCI_FORECAST_H */
