// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_WAVELENGTH_LEDGER_H
#define OTN_WAVELENGTH_LEDGER_H

#include "otn-mesh.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A set of wavelengths, by number.
using OtnWavelengths = std::bitset<OtnMesh::MAX_WAVELENGTHS>;

/// How the path and the wavelengths of a lightpath are chosen.
struct OtnRouting
{
    /// Rule that selects among free wavelengths; ties go to the lower number.
    enum Assignment
    {
        FIRST_FIT,  //!< lowest number
        MOST_USED,  //!< in use on most fibres of the mesh
        LEAST_USED, //!< in use on fewest fibres of the mesh
    };

    Assignment assignment{FIRST_FIT}; //!< rule of wavelength assignment
    uint32_t tries{3};                //!< k, number of paths tried, shortest first
    bool bothWays{true};              //!< whether the opposite fibres are used, too
    bool conversion{false};           //!< whether nodes convert wavelengths

    /// @param o other  @return whether all members are equal
    bool operator==(const OtnRouting& o) const = default;
};

/// @param assignment a rule  @return "FirstFit", "MostUsed" or "LeastUsed"
const char* OtnAssignmentName(OtnRouting::Assignment assignment);

/**
 * @param name "FirstFit", "MostUsed" or "LeastUsed"
 * @return the rule of that name
 * @throws OdcnError for an unknown name
 */
OtnRouting::Assignment FindOtnAssignment(const std::string& name);

/// A requested lightpath.
struct OtnDemand
{
    uint32_t from{0};        //!< a site
    uint32_t to{0};          //!< another site
    uint32_t wavelengths{1}; //!< number of wavelengths, above 0
};

/// Wavelengths along a path, granted by the ledger.
struct OtnGrant
{
    OtnPath path;                            //!< fibres from one end to the other
    std::vector<OtnWavelengths> wavelengths; //!< on each fibre; all equal without conversion
    bool bothWays{true};                     //!< whether also granted on the opposite fibres

    /// @return number of its wavelengths
    uint32_t GetCount() const
    {
        return wavelengths.empty() ? 0 : static_cast<uint32_t>(wavelengths.front().count());
    }

    /// @param o other  @return whether all members are equal
    bool operator==(const OtnGrant& o) const = default;
};

/**
 * @ingroup odcn
 *
 * The free wavelengths of each fibre of an OtnMesh, and the links that are cut. Invariant: on each
 * fibre, the free wavelengths and those of the grants over it are disjoint and together all.
 *
 * A lightpath has the same wavelengths on all its fibres (wavelength continuity) unless nodes
 * convert. A cut closes both fibres of a link to new lightpaths; grants over it remain until they
 * are released.
 *
 * Releasing a grant restores the ledger bit for bit, and a request that cannot be granted in full
 * leaves it unchanged. A value type: copy it for a what-if.
 */
class OtnWavelengthLedger
{
  public:
    OtnWavelengthLedger() = default;

    /// @param mesh the mesh; all wavelengths are free, no link is cut
    explicit OtnWavelengthLedger(std::shared_ptr<const OtnMesh> mesh);

    /**
     * Grant lightpaths one after the other, all or none.
     *
     * Each takes the first of its `tries` shortest paths that has enough wavelengths. When all of
     * these cross a cut, or the mesh keeps fewer paths, as many that avoid the cuts are searched.
     *
     * @param demands the requested lightpaths
     * @param routing how paths and wavelengths are chosen
     * @param [in,out] granted one grant for each demand is appended
     * @return false when one of them is blocked; then the ledger is unchanged
     */
    bool Reserve(std::span<const OtnDemand> demands,
                 const OtnRouting& routing,
                 std::vector<OtnGrant>& granted);

    /**
     * Grant one lightpath along a path.
     *
     * @param path its fibres
     * @param count number of wavelengths, above 0
     * @param routing how wavelengths are chosen
     * @param [in,out] granted the grant is appended
     * @return false when too few are free; then the ledger is unchanged
     */
    bool ReserveOn(std::span<const uint32_t> path,
                   uint32_t count,
                   const OtnRouting& routing,
                   std::vector<OtnGrant>& granted);

    /**
     * Reserve exactly the wavelengths of earlier grants, for instance to undo a release.
     * @param grants earlier grants
     * @return false when one of them is in use or cut; then the ledger is unchanged
     */
    bool Take(std::span<const OtnGrant> grants);

    /// @param grants to release
    void Release(std::span<const OtnGrant> grants);

    /**
     * Reroute a grant, for instance around cuts: the new one has the same end sites and as many
     * wavelengths, and may reuse those of the old one.
     *
     * @param [in,out] grant the old grant; replaced by the new one
     * @param routing how paths and wavelengths are chosen
     * @return false when there is no such path; then the ledger is unchanged
     */
    bool Reroute(OtnGrant& grant, const OtnRouting& routing);

    /**
     * @param path fibres
     * @param bothWays whether they must be free on the opposite fibres, too
     * @return the wavelengths free on all fibres; none when one fibre is cut
     */
    OtnWavelengths GetFree(std::span<const uint32_t> path, bool bothWays = true) const;

    /**
     * Find the largest lightpath along a path.
     * @param path fibres
     * @param routing its bothWays and conversion count
     * @return the largest number of wavelengths that ReserveOn() would grant
     */
    uint32_t CountFree(std::span<const uint32_t> path, const OtnRouting& routing) const;

    /**
     * Find the path that Reserve() would choose.
     * @param demand the requested lightpath
     * @param routing how paths are chosen
     * @return the path; empty when there is none
     */
    OtnPath FindPath(const OtnDemand& demand, const OtnRouting& routing) const;

    /// @param link a link  @param cut true to cut it, false to repair it
    void SetCut(uint32_t link, bool cut);

    /// @param link a link  @return whether it is cut
    bool IsCut(uint32_t link) const
    {
        return m_cut[link];
    }

    /// @param path fibres  @return whether none of them is cut
    bool IsWhole(std::span<const uint32_t> path) const;

    /// @param fiber a fibre  @return number of its wavelengths in use
    uint32_t GetUsed(uint32_t fiber) const
    {
        return static_cast<uint32_t>(m_used[fiber].count());
    }

    /// @return number of wavelengths in use, summed over all fibres
    uint64_t GetUsed() const
    {
        return m_total;
    }

    /// @return number of wavelengths, summed over all fibres
    uint64_t GetCapacity() const;

    /// @return the mesh
    const std::shared_ptr<const OtnMesh>& GetMesh() const
    {
        return m_mesh;
    }

    /// @param o other  @return whether the mesh, the wavelengths in use and the cuts are equal
    bool operator==(const OtnWavelengthLedger& o) const = default;

  private:
    /**
     * @param free wavelengths to choose from
     * @param count number of wavelengths
     * @param assignment rule of wavelength assignment
     * @return the chosen ones; none when there are too few
     */
    OtnWavelengths Pick(const OtnWavelengths& free,
                        uint32_t count,
                        OtnRouting::Assignment assignment) const;

    /**
     * @param fiber a fibre
     * @param bothWays whether they must be free on the opposite fibre, too
     * @return its free wavelengths; none when cut
     */
    OtnWavelengths GetFreeOf(uint32_t fiber, bool bothWays) const;

    /// @param grant to reserve or release  @param take true to reserve, false to release
    void Change(const OtnGrant& grant, bool take);

    std::shared_ptr<const OtnMesh> m_mesh;                   //!< the mesh
    std::vector<OtnWavelengths> m_all;                       //!< [link]: its wavelengths
    std::vector<OtnWavelengths> m_used;                      //!< [fibre]: wavelengths in use
    std::vector<bool> m_cut;                                 //!< [link]: whether it is cut
    std::array<uint32_t, OtnMesh::MAX_WAVELENGTHS> m_uses{}; //!< [wavelength]: fibres that use it
    uint64_t m_total{0}; //!< wavelengths in use, summed over all fibres
};

} // namespace ns3::odcn

#endif /* OTN_WAVELENGTH_LEDGER_H */
