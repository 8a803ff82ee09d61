// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_MESH_H
#define OTN_MESH_H

#include "ns3/icci-area.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/// Land use around a site.
using OtnArea = IcciArea;

/// Number of kinds of area.
constexpr std::size_t OTN_AREAS = ICCI_AREAS;

/// @param area one  @return "business", "residential" or "other"
const char* OtnAreaName(OtnArea area);

/// @param name of an area  @return it; nothing when there is none of that name
std::optional<OtnArea> FindOtnArea(std::string_view name);

/// A site of the mesh: one optical node and the equipment attached to it.
struct OtnSite
{
    std::string id{};             //!< unique; links refer to it
    std::string name{};           //!< for display
    double latitude{0};           //!< degrees north
    double longitude{0};          //!< degrees east
    OtnArea area{OtnArea::OTHER}; //!< land use around it
};

/// A link between two sites: one fibre each way.
struct OtnLink
{
    uint32_t a{0};            //!< index of a site
    uint32_t b{0};            //!< index of another site
    double km{0};             //!< length of each fibre, above 0
    uint32_t wavelengths{40}; //!< of each fibre
};

/// A path through the mesh: fibres, one after the other.
using OtnPath = std::vector<uint32_t>;

/**
 * @ingroup odcn
 *
 * Sites, the links between them, and the shortest paths of every pair. Does not change once made,
 * so any number of ledgers and threads may share one.
 *
 * Link l between a and b is two fibres: 2 l from a to b, and 2 l + 1 from b to a. Paths are counted
 * in hops and do not visit a site twice; the path from b to a is the reverse of that from a to b.
 */
class OtnMesh
{
  public:
    /// Most wavelengths of a fibre.
    static constexpr uint32_t MAX_WAVELENGTHS = 128;
    /// Longest link, km.
    static constexpr double MAX_KM = 1e5;
    /// "No link."
    static constexpr uint32_t NO_LINK = UINT32_MAX;

    /**
     * @param sites at least one
     * @param links each pair of sites at most once; the graph must be connected
     * @param paths number of paths kept for each pair, at least 1
     * @throws OdcnError when they are not valid
     */
    OtnMesh(std::vector<OtnSite> sites, std::vector<OtnLink> links, uint32_t paths = 5);

    /**
     * Read a mesh from two files with a header line each; columns are found by name, others are
     * ignored. Sites: id, name, latitude, longitude and, unless all are "other", area. Links:
     * src, dst (ids of sites), fibre_km and, unless there are 40 everywhere, wavelengths.
     *
     * @param sites name of the file of sites, CSV
     * @param links name of the file of links, CSV
     * @param paths number of paths kept for each pair, at least 1
     * @return the mesh
     * @throws OdcnError with file, line, what was found and what was expected
     */
    static std::shared_ptr<const OtnMesh> ReadCsv(const std::string& sites,
                                                  const std::string& links,
                                                  uint32_t paths = 5);

    /**
     * Read a mesh from a JSON file in the node-link form of NetworkX: "nodes" with id and, if
     * known, name, pos ([longitude, latitude]) and area; "edges" (or "links") with source, target,
     * dist (km) and, unless there are 40 everywhere, wavelengths.
     *
     * @param file its name
     * @param paths number of paths kept for each pair, at least 1
     * @return the mesh
     * @throws OdcnError with file, line, what was found and what was expected; the line of a
     * node or an edge is that where it begins
     */
    static std::shared_ptr<const OtnMesh> ReadJson(const std::string& file, uint32_t paths = 5);

    /**
     * Read a mesh by one name: X.json, or X.nodes.csv together with X.links.csv.
     * @param file name of the JSON file or of the CSV file of sites
     * @param paths number of paths kept for each pair, at least 1
     * @return the mesh
     * @throws OdcnError as the readers above, and when the name ends otherwise
     */
    static std::shared_ptr<const OtnMesh> Read(const std::string& file, uint32_t paths = 5);

    /// @return number of sites
    uint32_t GetNSites() const
    {
        return static_cast<uint32_t>(m_sites.size());
    }

    /// @return number of links
    uint32_t GetNLinks() const
    {
        return static_cast<uint32_t>(m_links.size());
    }

    /// @return number of fibres: two for each link
    uint32_t GetNFibers() const
    {
        return 2 * GetNLinks();
    }

    /// @param site its index  @return the site
    const OtnSite& GetSite(uint32_t site) const
    {
        return m_sites[site];
    }

    /// @throws OdcnError when the mesh was read from a file that gives no site an area
    void CheckAreas() const;

    /// @param link its index  @return the link
    const OtnLink& GetLink(uint32_t link) const
    {
        return m_links[link];
    }

    /// @param a a site  @param b a site  @return the link between them, NO_LINK when there is none
    uint32_t FindLink(uint32_t a, uint32_t b) const;

    /// @param fiber a fibre  @return the site where it begins
    uint32_t GetFrom(uint32_t fiber) const
    {
        const OtnLink& link = m_links[fiber / 2];
        return fiber % 2 == 0 ? link.a : link.b;
    }

    /// @param fiber a fibre  @return the site where it ends
    uint32_t GetTo(uint32_t fiber) const
    {
        return GetFrom(GetOpposite(fiber));
    }

    /// @param fiber a fibre  @return that of the same link in the other direction
    static uint32_t GetOpposite(uint32_t fiber)
    {
        return fiber ^ 1;
    }

    /// @param site a site  @return the fibres that begin there, by neighbour
    std::span<const uint32_t> GetFibersFrom(uint32_t site) const
    {
        return m_from[site];
    }

    /**
     * @param from a site
     * @param to another site
     * @return the shortest paths between them, fewest hops first, then by the sites' numbers; none
     * when both are the same
     */
    std::span<const OtnPath> GetPaths(uint32_t from, uint32_t to) const
    {
        return m_paths[static_cast<std::size_t>(from) * m_sites.size() + to];
    }

    /// @return how many paths are kept for each pair, if so many exist
    uint32_t GetNPaths() const
    {
        return m_nPaths;
    }

    /**
     * Search paths that avoid some links.
     * @param from a site
     * @param to another site
     * @param k how many paths are wanted
     * @param closed for each link, whether paths avoid it
     * @return up to k paths, as GetPaths() orders them
     */
    std::vector<OtnPath> FindPaths(uint32_t from,
                                   uint32_t to,
                                   std::size_t k,
                                   const std::vector<bool>& closed) const;

    /**
     * @param sites one after the other
     * @return the path that visits them
     * @throws OdcnError when two neighbours have no link
     */
    OtnPath GetPath(std::span<const uint32_t> sites) const;

    /// @param path a path  @return the sites it visits, one more than it has hops
    std::vector<uint32_t> GetSites(std::span<const uint32_t> path) const;

    /// @param path a path  @return its length in km
    double GetKm(std::span<const uint32_t> path) const;

  private:
    /// Where sites and links were read, for error messages.
    struct Origin;

    /**
     * @param sites as read
     * @param links as read
     * @param paths number of paths kept for each pair
     * @param origin where they were read
     * @return the mesh
     */
    static std::shared_ptr<const OtnMesh> Make(std::vector<OtnSite> sites,
                                               std::vector<OtnLink> links,
                                               uint32_t paths,
                                               const Origin& origin);

    /**
     * @param sites to be looked at
     * @param links to be looked at
     * @param origin where they were read
     * @throws OdcnError when they are not valid
     */
    static void Check(const std::vector<OtnSite>& sites,
                      const std::vector<OtnLink>& links,
                      const Origin& origin);

    /// Fill the tables.
    void Build();

    /// @param sites one after the other  @return the path that visits them
    OtnPath ToFibers(std::span<const uint32_t> sites) const;

    std::string m_withoutAreas;                //!< file that lacks areas; empty if there is none
    std::vector<OtnSite> m_sites;              //!< by index
    std::vector<OtnLink> m_links;              //!< by index
    uint32_t m_nPaths;                         //!< kept for each pair
    std::vector<std::vector<uint32_t>> m_from; //!< fibres that begin at a site
    std::vector<std::vector<OtnPath>> m_paths; //!< [from][to]
};

} // namespace ns3::odcn

#endif /* OTN_MESH_H */
