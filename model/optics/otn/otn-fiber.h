// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_FIBER_H
#define OTN_FIBER_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

class OtnLightpath;

/**
 * @ingroup odcn
 *
 * One fibre of the optical transport mesh, in one direction: its wavelengths, each used by at most
 * one lightpath, and its propagation delay.
 */
class OtnFiber : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnFiber();
    ~OtnFiber() override;

    /// @return propagation delay, length / speed, rounded to picoseconds
    Time GetDelay() const;

    /// @return number of wavelengths
    uint32_t GetNWavelengths() const;

    /**
     * @param wavelength its number
     * @param lightpath its new user; not null
     * @throws OdcnError when there is no such wavelength or it is in use
     */
    void Light(uint32_t wavelength, const OtnLightpath* lightpath);

    /// @param wavelength number of a wavelength to release
    void Darken(uint32_t wavelength);

    /// @param wavelength its number
    /// @return the lightpath that uses it, or null
    const OtnLightpath* GetLightpath(uint32_t wavelength) const;

    /// @param cut true to cut the fibre, false to repair it
    void SetCut(bool cut)
    {
        m_cut = cut;
    }

    /// @return whether the fibre is cut
    bool IsCut() const
    {
        return m_cut;
    }

  private:
    /// @param n number of wavelengths
    void SetNWavelengths(uint32_t n);

    double m_km;                              //!< length, km
    double m_speed;                           //!< speed of light in the fibre, m/s
    bool m_cut{false};                        //!< whether it is cut
    std::vector<const OtnLightpath*> m_users; //!< lightpaths by wavelength
};

} // namespace ns3::odcn

#endif /* OTN_FIBER_H */
