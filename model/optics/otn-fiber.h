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
 * One fibre of the optical transport mesh, in one direction: its wavelengths, each carrying at most
 * one lightpath, and how long light takes.
 */
class OtnFiber : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnFiber();
    ~OtnFiber() override;

    /// @return time that light takes from end to end, length / speed, to the picosecond
    Time GetDelay() const;

    /// @return number of wavelengths
    uint32_t GetNWavelengths() const;

    /**
     * @param wavelength its number
     * @param lightpath who uses it from now on; not null
     * @throws OdcnError when there is no such wavelength or another lightpath has it
     */
    void Light(uint32_t wavelength, const OtnLightpath* lightpath);

    /// @param wavelength its number; nobody uses it from now on
    void Darken(uint32_t wavelength);

    /// @param wavelength its number  @return who uses it, null for nobody
    const OtnLightpath* GetLightpath(uint32_t wavelength) const;

    /// @param cut whether the fibre is cut (else repaired)
    void SetCut(bool cut);

    /// @return whether the fibre is cut
    bool IsCut() const;

  private:
    /// @param n number of wavelengths
    void SetNWavelengths(uint32_t n);

    double m_km;                              //!< length
    double m_speed;                           //!< of light in it, m/s
    bool m_cut{false};                        //!< whether it is cut
    std::vector<const OtnLightpath*> m_users; //!< by wavelength
};

} // namespace ns3::odcn

#endif /* OTN_FIBER_H */
