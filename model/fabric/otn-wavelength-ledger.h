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
    /// Which of the free wavelengths are taken; the lower number among equals.
    enum Assignment
    {
        FIRST_FIT,  //!< the lowest
        MOST_USED,  //!< those in use on most fibres of the mesh
        LEAST_USED, //!< those in use on fewest fibres of the mesh
    };

    Assignment assignment{FIRST_FIT}; //!< which wavelengths
    uint32_t tries{3};                //!< k, how many paths are tried, shortest first
    bool bothWays{true};              //!< whether the fibres in the other direction are taken, too
    bool conversion{false};           //!< whether nodes change wavelengths on the way

    /// @param o other  @return whether all members are equal
    bool operator==(const OtnRouting& o) const = default;
};

/// @param assignment one  @return "FirstFit", "MostUsed" or "LeastUsed"
const char* OtnAssignmentName(OtnRouting::Assignment assignment);

/**
 * @param name "FirstFit", "MostUsed" or "LeastUsed"
 * @return the assignment of that name
 * @throws OdcnError when there is none
 */
OtnRouting::Assignment FindOtnAssignment(const std::string& name);

/// A requested lightpath.
struct OtnDemand
{
    uint32_t from{0};        //!< a site
    uint32_t to{0};          //!< another site
    uint32_t wavelengths{1}; //!< how many, above 0
};

/// Wavelengths along a path, as the ledger granted them.
struct OtnGrant
{
    OtnPath path;                            //!< fibres from one end to the other
    std::vector<OtnWavelengths> wavelengths; //!< on each of them; all alike without conversion
    bool bothWays{true};                     //!< whether the same ones are taken backwards, too

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
 * Which wavelengths are free on each fibre of an OtnMesh, and which links are cut. Always, on each
 * fibre: free wavelengths plus those of grants over it are all it has, and no two grants share one.
 *
 * A lightpath has the same wavelengths on all its fibres (continuity) unless nodes convert. A cut
 * closes both fibres of a link to new lightpaths; what was granted over it stays granted until it
 * is released.
 *
 * Exact: releasing what was granted restores the ledger bit for bit, and what cannot be granted
 * whole leaves it as it was. A plain value: copying it is a what-if.
 */
class OtnWavelengthLedger
{
  public:
    OtnWavelengthLedger() = default;

    /// @param mesh whose wavelengths these are; all are free, no link is cut
    explicit OtnWavelengthLedger(std::shared_ptr<const OtnMesh> mesh);

    /**
     * Set up lightpaths, one after the other, all or none.
     *
     * Each takes the first of its `tries` shortest paths that has wavelengths enough. When all of
     * these cross a cut, or the mesh keeps fewer paths, as many are searched anew round the cuts.
     *
     * @param demands what is wanted
     * @param routing how paths and wavelengths are chosen
     * @param [in,out] granted one grant for each demand is appended
     * @return false when one of them is blocked: nothing has changed
     */
    bool Reserve(std::span<const OtnDemand> demands,
                 const OtnRouting& routing,
                 std::vector<OtnGrant>& granted);

    /**
     * Set up one lightpath along a path.
     *
     * @param path its fibres
     * @param count how many wavelengths, above 0
     * @param routing how wavelengths are chosen
     * @param [in,out] granted the grant is appended
     * @return false when there are too few: nothing has changed
     */
    bool ReserveOn(std::span<const uint32_t> path,
                   uint32_t count,
                   const OtnRouting& routing,
                   std::vector<OtnGrant>& granted);

    /**
     * Take again exactly what was granted once, for instance to undo a release.
     * @param grants of before
     * @return false when some of it is in use or cut: nothing has changed
     */
    bool Take(std::span<const OtnGrant> grants);

    /// @param grants given before, to be given back
    void Release(std::span<const OtnGrant> grants);

    /**
     * Reroute a grant, for instance around cuts: between the same sites, with
     * as many wavelengths, of which it may use its own again.
     *
     * @param [in,out] grant given before; then the new one
     * @param routing how paths and wavelengths are chosen
     * @return false when there is no such path: nothing has changed
     */
    bool Reroute(OtnGrant& grant, const OtnRouting& routing);

    /**
     * @param path fibres
     * @param bothWays whether the fibres in the other direction count, too
     * @return the wavelengths that are free on all of them; none when one is cut
     */
    OtnWavelengths GetFree(std::span<const uint32_t> path, bool bothWays = true) const;

    /**
     * What-if: how large a lightpath may be.
     * @param path fibres
     * @param routing whether both ways, whether converted
     * @return the most wavelengths that ReserveOn() would grant along it
     */
    uint32_t CountFree(std::span<const uint32_t> path, const OtnRouting& routing) const;

    /**
     * What-if: the path that Reserve() would choose.
     * @param demand what is wanted
     * @param routing how paths are chosen
     * @return the path; empty when there is none
     */
    OtnPath FindPath(const OtnDemand& demand, const OtnRouting& routing) const;

    /// @param link a link  @param cut whether it is cut (else repaired)
    void SetCut(uint32_t link, bool cut);

    /// @param link a link  @return whether it is cut
    bool IsCut(uint32_t link) const
    {
        return m_cut[link];
    }

    /// @param path fibres  @return whether none of them is cut
    bool IsWhole(std::span<const uint32_t> path) const;

    /// @param fiber a fibre  @return how many of its wavelengths are in use
    uint32_t GetUsed(uint32_t fiber) const
    {
        return static_cast<uint32_t>(m_used[fiber].count());
    }

    /// @return wavelengths in use on all fibres together
    uint64_t GetUsed() const
    {
        return m_total;
    }

    /// @return wavelengths that all fibres have together
    uint64_t GetCapacity() const;

    /// @param wavelength its number  @return on how many fibres it is in use
    uint32_t GetUses(uint32_t wavelength) const
    {
        return m_uses[wavelength];
    }

    /// @return whose wavelengths these are
    const std::shared_ptr<const OtnMesh>& GetMesh() const
    {
        return m_mesh;
    }

    /// @param o other  @return whether the mesh, the wavelengths in use and the cuts are equal
    bool operator==(const OtnWavelengthLedger& o) const = default;

  private:
    /**
     * @param free wavelengths to choose from
     * @param count how many
     * @param assignment rule
     * @return that many of them; none when there are too few
     */
    OtnWavelengths Pick(const OtnWavelengths& free,
                        uint32_t count,
                        OtnRouting::Assignment assignment) const;

    /**
     * @param fiber a fibre
     * @param bothWays whether that in the other direction counts, too
     * @return its free wavelengths, none when cut
     */
    OtnWavelengths GetFreeOf(uint32_t fiber, bool bothWays) const;

    /// @param grant to be taken or given back  @param take true to take, false to give back
    void Change(const OtnGrant& grant, bool take);

    std::shared_ptr<const OtnMesh> m_mesh;                   //!< whose wavelengths these are
    std::vector<OtnWavelengths> m_all;                       //!< what each link has
    std::vector<OtnWavelengths> m_used;                      //!< of each fibre
    std::vector<bool> m_cut;                                 //!< of each link
    std::array<uint32_t, OtnMesh::MAX_WAVELENGTHS> m_uses{}; //!< fibres that use a wavelength
    uint64_t m_total{0};                                     //!< in use on all fibres
};

} // namespace ns3::odcn

#endif /* OTN_WAVELENGTH_LEDGER_H */
