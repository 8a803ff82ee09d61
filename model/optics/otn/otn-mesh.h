// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_MESH_H
#define OTN_MESH_H

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

class ShortestPaths;

/// Land use around a site (node type in the DeepHM paper), by its busy hours.
enum class OtnArea : uint8_t
{
    BUSINESS,    //!< busy in working hours
    RESIDENTIAL, //!< busy in the evening
    OTHER,       //!< a mix of both
};

/// Number of kinds of area.
constexpr std::size_t OTN_AREAS = 3;

/// @param area land use  @return "business", "residential" or "other"
const char* OtnAreaName(OtnArea area);

/// @param name of an area  @return the area; no value for an unknown name
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
    uint32_t wavelengths{40}; //!< number of wavelengths of each fibre
};

/// How places and lengths of a mesh file are read.
struct OtnMeshForm
{
    bool plane{false}; //!< whether places are in a plane, in any unit, instead of in degrees
    double zeroKm{0};  //!< length of links that have 0 in the file, km; 0 to refuse them
};

/// A path through the mesh: its fibres in order.
using OtnPath = std::vector<uint32_t>;

/**
 * @ingroup odcn
 *
 * Sites, the links between them, and the shortest paths of each pair. Immutable, so any number of
 * ledgers and threads may share a mesh.
 *
 * Link l between a and b is two fibres: 2 l from a to b, and 2 l + 1 from b to a. Paths are ordered
 * by hops, or by length (OrderBy()), and do not visit a site twice; the path from b to a is the
 * reverse of that from a to b.
 */
class OtnMesh
{
  public:
    /// What makes a path short.
    enum PathOrder
    {
        HOPS,   //!< few links
        LENGTH, //!< few kilometres
    };

    /// Most wavelengths of a fibre.
    static constexpr uint32_t MAX_WAVELENGTHS = 128;
    /// Longest link, km; the shortest has 1 mm.
    static constexpr double MAX_KM = 1e5;
    /// Index for "no link".
    static constexpr uint32_t NO_LINK = UINT32_MAX;

    /**
     * @param sites at least one
     * @param links each pair of sites at most once; the graph must be connected
     * @param paths number of paths kept for each pair, at least 1
     * @throws OdcnError when an argument is not valid
     */
    OtnMesh(std::vector<OtnSite> sites, std::vector<OtnLink> links, uint32_t paths = 5);

    /**
     * Read a mesh from two files with a header line each; columns are found by name, unknown ones
     * are ignored. Sites: id, name, latitude, longitude and optionally area ("other" by default).
     * Links: src, dst (ids of sites), fibre_km and optionally wavelengths (40 by default).
     *
     * @param sites name of the file of sites, CSV
     * @param links name of the file of links, CSV
     * @param paths number of paths kept for each pair, at least 1
     * @param form of places and lengths; a plane is drawn as a degree each way at the equator
     * @return the mesh
     * @throws OdcnError with file, line, what was found and what was expected
     */
    static std::shared_ptr<const OtnMesh> ReadCsv(const std::string& sites,
                                                  const std::string& links,
                                                  uint32_t paths = 5,
                                                  const OtnMeshForm& form = {});

    /**
     * Read a mesh from a JSON file in the node-link format of NetworkX: "nodes" with id and
     * optionally name, pos ([longitude, latitude]) and area; "edges" (or "links") with source,
     * target, dist (km) and optionally wavelengths (40 by default). Directed graphs, whose links
     * may lack the other way, are refused.
     *
     * @param file name of the file
     * @param paths number of paths kept for each pair, at least 1
     * @param form as for ReadCsv()
     * @return the mesh
     * @throws OdcnError with file, line, what was found and what was expected; for a node or an
     * edge, the line where it begins
     */
    static std::shared_ptr<const OtnMesh> ReadJson(const std::string& file,
                                                   uint32_t paths = 5,
                                                   const OtnMeshForm& form = {});

    /**
     * Read a mesh by one name: X.json, or X.nodes.csv together with X.links.csv. Its form may
     * follow in brackets: X.json[Places=Plane|Zero=1], where Zero is in km.
     * @param file name of the JSON file or of the CSV file of sites
     * @param paths number of paths kept for each pair, at least 1
     * @return the mesh
     * @throws OdcnError as the readers above, and when the name has another ending
     */
    static std::shared_ptr<const OtnMesh> Read(const std::string& file, uint32_t paths = 5);

    /// @param order what makes a path short  @return the same mesh with its paths in that order
    std::shared_ptr<const OtnMesh> OrderBy(PathOrder order) const;

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

    /// @param fiber a fibre  @return the fibre of the same link in the other direction
    static uint32_t GetOpposite(uint32_t fiber)
    {
        return fiber ^ 1;
    }

    /**
     * @param from a site
     * @param to another site
     * @return the shortest paths between them, fewest hops (or kilometres) first, then by site
     * numbers; empty when both sites are the same
     */
    std::span<const OtnPath> GetPaths(uint32_t from, uint32_t to) const
    {
        return m_paths[static_cast<std::size_t>(from) * m_sites.size() + to];
    }

    /// @return largest number of paths kept for each pair
    uint32_t GetNPaths() const
    {
        return m_nPaths;
    }

    /**
     * Search paths that avoid some links.
     * @param from a site
     * @param to another site
     * @param k largest number of paths
     * @param closed for each link, whether paths must avoid it
     * @return up to k paths, ordered as in GetPaths()
     */
    std::vector<OtnPath> FindPaths(uint32_t from,
                                   uint32_t to,
                                   std::size_t k,
                                   const std::vector<bool>& closed) const;

    /**
     * @param sites in order
     * @return the path that visits them
     * @throws OdcnError when two consecutive sites have no link
     */
    OtnPath GetPath(std::span<const uint32_t> sites) const;

    /// @param path a path  @return the sites it visits, one more than hops
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
     * @param origin source of sites and links
     * @return the mesh
     */
    static std::shared_ptr<const OtnMesh> Make(std::vector<OtnSite> sites,
                                               std::vector<OtnLink> links,
                                               uint32_t paths,
                                               const Origin& origin);

    /**
     * @param sites to check
     * @param links to check
     * @param origin source of sites and links
     * @throws OdcnError when they are not valid
     */
    static void Check(const std::vector<OtnSite>& sites,
                      const std::vector<OtnLink>& links,
                      const Origin& origin);

    /// Fill m_from and m_paths.
    void Build();

    /// @param closed for each link, whether paths must avoid it
    /// @return search for paths in the order of m_order
    ShortestPaths MakeSearch(const std::vector<bool>& closed) const;

    /// @param sites in order  @return the path that visits them
    OtnPath ToFibers(std::span<const uint32_t> sites) const;

    std::string m_withoutAreas;   //!< name of the file that lacks areas; empty for none
    std::vector<OtnSite> m_sites; //!< sites by index
    std::vector<OtnLink> m_links; //!< links by index
    uint32_t m_nPaths;            //!< largest number of paths of a pair
    PathOrder m_order{HOPS};      //!< order of paths
    std::vector<std::vector<uint32_t>> m_from; //!< [site]: fibres that begin there
    std::vector<std::vector<OtnPath>> m_paths; //!< [from][to]: shortest paths
};

} // namespace ns3::odcn

#endif /* OTN_MESH_H */
