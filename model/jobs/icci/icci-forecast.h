// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_FORECAST_H
#define ICCI_FORECAST_H

#include "icci-loads.h"
#include "icci-tide.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// A period over which loads are evaluated.
struct IcciOutlook
{
    double from{0};    //!< begin of the period, s since midnight
    double to{0};      //!< end of the period; equal to from for the present
    bool known{false}; //!< whether the actual load of the day is used, not the mean tide
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
    /// @param areas area of each centre
    void SetAreas(std::vector<OtnArea> areas);

    /// Fill the table unless it was made of this.
    /// @param tide mean load
    /// @param cus N_v
    void Tabulate(const IcciTide& tide, uint32_t cus);

    /**
     * @param centre a centre
     * @param held CUs held by workers there, at most N_v
     * @param time s since midnight
     * @return mean CUs in use over that hour
     */
    double GetMeanLoad(uint32_t centre, uint32_t held, double time) const
    {
        return GetMeanLoad(m_areas[centre], held, time);
    }

    /**
     * @param loads loads of all centres
     * @param centre a centre
     * @param held CUs held by workers there
     * @param outlook the period
     * @param [out] use mean share of CUs in use
     * @return number of hotspot blocks; for the present 1 if the centre is a hotspot, else 0
     */
    double Foresee(const IcciLoads& loads,
                   uint32_t centre,
                   uint32_t held,
                   const IcciOutlook& outlook,
                   double& use) const;

  private:
    /// @param area area of a centre
    /// @param held CUs
    /// @param time s
    /// @return mean CUs in use
    double GetMeanLoad(OtnArea area, uint32_t held, double time) const;

    std::vector<OtnArea> m_areas;   //!< [centre]
    uint32_t m_cus{0};              //!< N_v
    IcciTide::Rates m_rates{};      //!< of the tide
    double m_cusPerRequest{0};      //!< of the tide
    std::vector<double> m_expected; //!< [area][hour][held]: mean CUs in use
};

} // namespace ns3::odcn

#endif /* ICCI_FORECAST_H */
