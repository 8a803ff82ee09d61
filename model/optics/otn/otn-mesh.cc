// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-mesh.h"

#include "otn-mesh-origin.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-safe-text.h"
#include "ns3/odcn-shortest-paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ns3::odcn
{

namespace
{

constexpr std::array<const char*, OTN_AREAS> AREA_NAMES{"business", "residential", "other"};

} // namespace

const char*
OtnAreaName(OtnArea area)
{
    return AREA_NAMES[static_cast<std::size_t>(area)];
}

std::optional<OtnArea>
FindOtnArea(std::string_view name)
{
    const auto found = std::find(AREA_NAMES.begin(), AREA_NAMES.end(), name);
    return found == AREA_NAMES.end()
               ? std::nullopt
               : std::optional(static_cast<OtnArea>(found - AREA_NAMES.begin()));
}

OtnMesh::OtnMesh(std::vector<OtnSite> sites, std::vector<OtnLink> links, uint32_t paths)
    : m_sites(std::move(sites)),
      m_links(std::move(links)),
      m_nPaths(paths)
{
    Check(m_sites, m_links, {});
    if (paths == 0)
    {
        throw OdcnError::InOption("paths of a mesh", "0", "1 or more");
    }
    Build();
}

std::shared_ptr<const OtnMesh>
OtnMesh::Make(std::vector<OtnSite> sites,
              std::vector<OtnLink> links,
              uint32_t paths,
              const Origin& origin)
{
    Check(sites, links, origin);
    auto mesh = std::make_shared<OtnMesh>(std::move(sites), std::move(links), paths);
    mesh->m_withoutAreas = origin.hasAreas ? "" : origin.sitesFile;
    return mesh;
}

void
OtnMesh::CheckAreas() const
{
    if (!m_withoutAreas.empty())
    {
        throw OdcnError::InFile(m_withoutAreas,
                                0,
                                "sites without an area",
                                "the area of each site: business, residential or other");
    }
}

void
OtnMesh::Check(const std::vector<OtnSite>& sites,
               const std::vector<OtnLink>& links,
               const Origin& origin)
{
    if (sites.empty())
    {
        throw origin.OfSites("no site", "at least one site");
    }
    // Paths are kept for each pair.
    constexpr std::size_t MAX_SITES = 1024;
    if (sites.size() > MAX_SITES)
    {
        throw origin.OfSites(std::to_string(sites.size()) + " sites",
                             "at most " + std::to_string(MAX_SITES));
    }
    std::map<std::string_view, std::size_t> ids;
    for (std::size_t i = 0; i < sites.size(); ++i)
    {
        const auto& [id, name, latitude, longitude, area] = sites[i];
        if (!ids.emplace(id, i).second)
        {
            throw origin.OfSite(i, id, "an id that no other site has");
        }
        if (EscapeText(id + name) != id + name)
        {
            throw origin.OfSite(i, id + ", " + name, "an id and a name without control characters");
        }
        if (!std::isfinite(latitude) || !std::isfinite(longitude))
        {
            throw origin.OfSite(i, id, "finite coordinates");
        }
    }

    std::map<std::pair<uint32_t, uint32_t>, std::size_t> pairs;
    // Connected component of each site, identified by its lowest site.
    std::vector<std::size_t> piece(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i)
    {
        piece[i] = i;
    }
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const OtnLink& link = links[i];
        if (link.a >= sites.size() || link.b >= sites.size())
        {
            throw origin.OfLink(i,
                                std::to_string(std::max(link.a, link.b)),
                                "a site from 0 to " + std::to_string(sites.size() - 1));
        }
        const std::string text = sites[link.a].id + "-" + sites[link.b].id;
        if (link.a == link.b)
        {
            throw origin.OfLink(i, text, "two different sites");
        }
        const auto [first, isNew] = pairs.emplace(std::minmax(link.a, link.b), i);
        if (!isNew)
        {
            throw origin.OfLink(i,
                                text,
                                "each pair of sites at most once; " +
                                    origin.NameLink(first->second) + " joins them already");
        }
        // Sums of lengths must not absorb a length: equal distances would lead in circles.
        if (!(link.km >= 1e-6 && link.km <= MAX_KM))
        {
            throw origin.OfLink(i, origin.LengthText(i, link), "a length of 10^-6 to 10^5 km");
        }
        if (link.wavelengths == 0 || link.wavelengths > MAX_WAVELENGTHS)
        {
            throw origin.OfLink(i,
                                std::to_string(link.wavelengths),
                                "1 to " + std::to_string(MAX_WAVELENGTHS) + " wavelengths");
        }
        const auto [into, from] = std::minmax(piece[link.a], piece[link.b]);
        std::replace(piece.begin(), piece.end(), std::size_t{from}, std::size_t{into});
    }
    const auto apart =
        std::find_if(piece.begin(), piece.end(), [](std::size_t p) { return p > 0; });
    if (apart != piece.end())
    {
        const std::size_t i = apart - piece.begin();
        throw origin.OfSite(i, sites[i].id, "a site that links join to site " + sites[0].id);
    }
}

void
OtnMesh::Build()
{
    const uint32_t n = GetNSites();
    m_from.assign(n, {});
    for (uint32_t link = 0; link < m_links.size(); ++link)
    {
        m_from[m_links[link].a].push_back(2 * link);
        m_from[m_links[link].b].push_back(2 * link + 1);
    }
    for (auto& fibers : m_from)
    {
        std::sort(fibers.begin(),
                  fibers.end(),
                  [this](uint32_t f, uint32_t g) { return GetTo(f) < GetTo(g); });
    }
    m_paths.assign(static_cast<std::size_t>(n) * n, {});
    ShortestPaths search = MakeSearch(std::vector<bool>(m_links.size()));
    for (uint32_t b = 1; b < n; ++b)
    {
        for (uint32_t a = 0; a < b; ++a)
        {
            Interruption::Check();
            for (auto& sites : search.Find(a, b, m_nPaths))
            {
                m_paths[a * n + b].push_back(ToFibers(sites));
                std::reverse(sites.begin(), sites.end());
                m_paths[b * n + a].push_back(ToFibers(sites));
            }
        }
    }
}

ShortestPaths
OtnMesh::MakeSearch(const std::vector<bool>& closed) const
{
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    std::vector<double> lengths;
    for (std::size_t link = 0; link < m_links.size(); ++link)
    {
        if (!closed[link])
        {
            pairs.emplace_back(m_links[link].a, m_links[link].b);
            if (m_order == LENGTH)
            {
                lengths.push_back(m_links[link].km);
            }
        }
    }
    return {GetNSites(), pairs, lengths};
}

std::shared_ptr<const OtnMesh>
OtnMesh::OrderBy(PathOrder order) const
{
    auto mesh = std::make_shared<OtnMesh>(*this);
    mesh->m_order = order;
    mesh->Build();
    return mesh;
}

uint32_t
OtnMesh::FindLink(uint32_t a, uint32_t b) const
{
    const auto fiber = std::lower_bound(m_from[a].begin(),
                                        m_from[a].end(),
                                        b,
                                        [this](uint32_t f, uint32_t to) { return GetTo(f) < to; });
    return fiber != m_from[a].end() && GetTo(*fiber) == b ? *fiber / 2 : NO_LINK;
}

OtnPath
OtnMesh::ToFibers(std::span<const uint32_t> sites) const
{
    OtnPath path;
    for (std::size_t i = 0; i + 1 < sites.size(); ++i)
    {
        const uint32_t link = FindLink(sites[i], sites[i + 1]);
        path.push_back(2 * link + (m_links[link].a == sites[i] ? 0 : 1));
    }
    return path;
}

std::vector<OtnPath>
OtnMesh::FindPaths(uint32_t from, uint32_t to, std::size_t k, const std::vector<bool>& closed) const
{
    std::vector<OtnPath> paths;
    if (from == to)
    {
        return paths;
    }
    const auto [low, high] = std::minmax(from, to);
    for (auto& sites : MakeSearch(closed).Find(low, high, k))
    {
        if (from > to)
        {
            std::reverse(sites.begin(), sites.end());
        }
        paths.push_back(ToFibers(sites));
    }
    return paths;
}

OtnPath
OtnMesh::GetPath(std::span<const uint32_t> sites) const
{
    for (std::size_t i = 0; i + 1 < sites.size(); ++i)
    {
        const bool known = std::max(sites[i], sites[i + 1]) < m_sites.size();
        if (!known || FindLink(sites[i], sites[i + 1]) == NO_LINK)
        {
            throw OdcnError::InOption("path",
                                      std::to_string(sites[i]) + "-" + std::to_string(sites[i + 1]),
                                      "two sites with a link between them");
        }
    }
    return ToFibers(sites);
}

std::vector<uint32_t>
OtnMesh::GetSites(std::span<const uint32_t> path) const
{
    std::vector<uint32_t> sites;
    for (uint32_t fiber : path)
    {
        if (sites.empty())
        {
            sites.push_back(GetFrom(fiber));
        }
        sites.push_back(GetTo(fiber));
    }
    return sites;
}

double
OtnMesh::GetKm(std::span<const uint32_t> path) const
{
    double km = 0;
    for (uint32_t fiber : path)
    {
        km += m_links[fiber / 2].km;
    }
    return km;
}

} // namespace ns3::odcn
