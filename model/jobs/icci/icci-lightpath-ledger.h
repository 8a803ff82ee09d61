// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_LIGHTPATH_LEDGER_H
#define ICCI_LIGHTPATH_LEDGER_H

#include "icci-task.h"

#include "ns3/otn-wavelength-ledger.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The lightpaths of rings and of migrations: routes them, reserves their wavelengths, and measures
 * how many wavelengths are in use.
 */
class IcciLightpathLedger
{
  public:
    /**
     * Begin a day without lightpaths.
     * @param mesh its sites are the centres
     * @param bothWays whether a lightpath uses both fibres of a link
     * @param duration length of the day, s
     */
    void Reset(std::shared_ptr<const OtnMesh> mesh, bool bothWays, double duration);

    /// @param time s since midnight, not before now
    void AdvanceTo(double time);

    /// @return the wavelengths of the fibres
    const OtnWavelengthLedger& GetWavelengths() const
    {
        return m_wavelengths;
    }

    /// @return mutable ledger, to cut links and for the simulated network
    OtnWavelengthLedger& ShareWavelengths()
    {
        return m_wavelengths;
    }

    /// @param lightpaths some lightpaths
    /// @return whether one uses a failed link
    bool IsHit(std::span<const OtnGrant> lightpaths) const;

    /**
     * Reserve the lightpaths of a ring; hops already lit with as many wavelengths are kept.
     * @param ring centres
     * @param links see Route()
     * @param count wavelengths of each hop
     * @param present present lightpaths of the task
     * @param [out] lit lightpaths of the ring
     * @return false when there are too few wavelengths; then nothing has changed
     */
    bool Light(const std::vector<uint32_t>& ring,
               uint32_t links,
               uint32_t count,
               const std::vector<OtnGrant>& present,
               IcciLightpaths& lit);

    /**
     * Reserve the lightpaths that transfer workers, on shortest paths.
     * @param moves from and to
     * @param most wavelengths of each; or as many as are free
     * @param [out] granted the lightpaths, one for each
     * @return false when one has no wavelength; then nothing has changed
     */
    bool LightTransfers(const std::vector<std::pair<uint32_t, uint32_t>>& moves,
                        uint32_t most,
                        std::vector<OtnGrant>& granted);

    /// Release lightpaths. @param [in,out] granted the lightpaths; empty afterwards
    void Extinguish(std::vector<OtnGrant>& granted);

    /// Account for wavelengths in use.
    /// @param grants taken or released
    /// @param sign +1 or -1
    void Count(std::span<const OtnGrant> grants, double sign);

    /**
     * @param ring centres
     * @param links see Route()
     * @param present present lightpaths of the task
     * @return how many wavelengths each hop can have: those that are free on its route, or those of
     * a hop that is lit already
     */
    uint32_t CountWavelengths(const std::vector<uint32_t>& ring,
                              uint32_t links,
                              const std::vector<OtnGrant>& present) const;

    /// @param ring centres
    /// @param links see Route()
    /// @return fibre hops with the present routing
    uint32_t CountHops(const std::vector<uint32_t>& ring, uint32_t links) const;

    /**
     * @param area an area
     * @return share of wavelengths in use until now, time average; half a link belongs to the area
     * of each of its ends
     */
    double GetUse(OtnArea area) const;

    /// @return share of all wavelengths in use until now, time average
    double GetUse() const;

    /// @param from s since midnight, before the present
    /// @param to above @p from, at most the present
    /// @return by link: share of the wavelengths of both fibres in use meanwhile, time average
    std::vector<double> GetUse(double from, double to) const;

  private:
    /// Wavelengths of a link that are taken, or released.
    struct LitChange
    {
        double time;        //!< s since midnight
        uint32_t link;      //!< index of the link
        double wavelengths; //!< of both fibres; negative if released
    };

    /**
     * @param lightpaths lightpaths of a ring
     * @param from a centre
     * @param to another centre
     * @return index of the one between them; lightpaths.size() if there is none
     */
    std::size_t FindLit(const std::vector<OtnGrant>& lightpaths, uint32_t from, uint32_t to) const;

    /**
     * @param from a centre
     * @param to another centre
     * @param links number of paths considered besides the shortest
     * @return the path with most free wavelengths, the shortest among equals
     */
    const OtnPath* Route(uint32_t from, uint32_t to, uint32_t links) const;

    std::shared_ptr<const OtnMesh> m_mesh;     //!< sites and links
    OtnWavelengthLedger m_wavelengths;         //!< wavelengths of the fibres
    OtnRouting m_routing;                      //!< routing options
    double m_duration{0};                      //!< length of the day, s
    double m_time{0};                          //!< s since midnight
    std::array<double, OTN_AREAS> m_lit{};     //!< wavelengths in use, by area
    std::array<double, OTN_AREAS> m_litTime{}; //!< their time integral, by area
    std::vector<LitChange> m_litChanges;       //!< of the day, in order of time
};

} // namespace ns3::odcn

#endif /* ICCI_LIGHTPATH_LEDGER_H */
