// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-lightpath-ledger.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

void
IcciLightpathLedger::Reset(std::shared_ptr<const OtnMesh> mesh, bool bothWays, double duration)
{
    *this = IcciLightpathLedger();
    m_mesh = std::move(mesh);
    m_wavelengths = OtnWavelengthLedger(m_mesh);
    m_routing.bothWays = bothWays;
    m_duration = duration;
}

void
IcciLightpathLedger::AdvanceTo(double time)
{
    const double measured = std::min(time, m_duration);
    for (std::size_t area = 0; area < OTN_AREAS && measured > m_time; ++area)
    {
        m_litTime[area] += m_lit[area] * (measured - m_time);
    }
    m_time = time;
}

bool
IcciLightpathLedger::IsHit(std::span<const OtnGrant> lightpaths) const
{
    return !std::all_of(lightpaths.begin(),
                        lightpaths.end(),
                        [this](const OtnGrant& grant)
                        { return m_wavelengths.IsWhole(grant.path); });
}

std::size_t
IcciLightpathLedger::FindLit(const std::vector<OtnGrant>& lightpaths,
                             uint32_t from,
                             uint32_t to) const
{
    const auto found =
        std::find_if(lightpaths.begin(),
                     lightpaths.end(),
                     [&](const OtnGrant& grant)
                     {
                         const uint32_t a = m_mesh->GetFrom(grant.path.front());
                         const uint32_t b = m_mesh->GetTo(grant.path.back());
                         return (a == from && b == to) || (grant.bothWays && a == to && b == from);
                     });
    return static_cast<std::size_t>(found - lightpaths.begin());
}

bool
IcciLightpathLedger::Light(const std::vector<uint32_t>& ring,
                           uint32_t links,
                           uint32_t count,
                           const std::vector<OtnGrant>& present,
                           IcciLightpaths& lit)
{
    lit = {};
    std::vector<uint8_t> used(present.size(), 0);
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t from = ring[i];
        const uint32_t to = ring[(i + 1) % ring.size()];
        const std::size_t k = FindLit(present, from, to);
        if (k < present.size() && present[k].GetCount() == count)
        {
            used[k] = 1;
            lit.hops.push_back(present[k]);
            continue;
        }
        if (!m_wavelengths.ReserveOn(*Route(from, to, links), count, m_routing, lit.added))
        {
            m_wavelengths.Release(lit.added);
            lit = {};
            return false;
        }
        lit.hops.push_back(lit.added.back());
    }
    for (std::size_t k = 0; k < present.size(); ++k)
    {
        if (!used[k])
        {
            lit.left.push_back(present[k]);
        }
    }
    Count(lit.added, 1);
    return true;
}

bool
IcciLightpathLedger::LightTransfers(const std::vector<std::pair<uint32_t, uint32_t>>& moves,
                                    uint32_t most,
                                    std::vector<OtnGrant>& granted)
{
    for (const auto& [from, to] : moves)
    {
        const OtnPath& path = m_mesh->GetPaths(from, to).front();
        const uint32_t count = std::min(most, m_wavelengths.CountFree(path, m_routing));
        if (count == 0 || !m_wavelengths.ReserveOn(path, count, m_routing, granted))
        {
            m_wavelengths.Release(granted);
            granted.clear();
            return false;
        }
    }
    Count(granted, 1);
    return true;
}

void
IcciLightpathLedger::Extinguish(std::vector<OtnGrant>& granted)
{
    m_wavelengths.Release(granted);
    Count(granted, -1);
    granted.clear();
}

void
IcciLightpathLedger::Count(std::span<const OtnGrant> grants, double sign)
{
    for (const auto& grant : grants)
    {
        const double half = sign * 0.5 * grant.GetCount() * (grant.bothWays ? 2 : 1);
        for (const uint32_t fiber : grant.path)
        {
            m_litChanges.push_back({m_time, fiber / 2, 2 * half});
            for (const uint32_t site : {m_mesh->GetFrom(fiber), m_mesh->GetTo(fiber)})
            {
                m_lit[static_cast<std::size_t>(m_mesh->GetSite(site).area)] += half;
            }
        }
    }
}

double
IcciLightpathLedger::GetUse(OtnArea area) const
{
    double capacity = 0;
    for (uint32_t i = 0; i < m_mesh->GetNLinks(); ++i)
    {
        const OtnLink& link = m_mesh->GetLink(i);
        const auto ends = (m_mesh->GetSite(link.a).area == area ? 1 : 0) +
                          (m_mesh->GetSite(link.b).area == area ? 1 : 0);
        // Two fibres, each counted half at each end.
        capacity += ends * static_cast<double>(link.wavelengths);
    }
    const double time = std::min(m_time, m_duration);
    return capacity * time > 0 ? m_litTime[static_cast<std::size_t>(area)] / (capacity * time) : 0;
}

double
IcciLightpathLedger::GetUse() const
{
    const double time = std::min(m_time, m_duration);
    double all = 0;
    for (const double lit : m_litTime)
    {
        all += lit;
    }
    return time > 0 ? all / (static_cast<double>(m_wavelengths.GetCapacity()) * time) : 0;
}

std::vector<double>
IcciLightpathLedger::GetUse(double from, double to) const
{
    std::vector<double> use(m_mesh->GetNLinks());
    for (const LitChange& change : m_litChanges)
    {
        use[change.link] += change.wavelengths * std::max(0.0, to - std::max(change.time, from));
    }
    for (uint32_t link = 0; link < m_mesh->GetNLinks(); ++link)
    {
        use[link] /= 2.0 * m_mesh->GetLink(link).wavelengths * (to - from);
    }
    return use;
}

const OtnPath*
IcciLightpathLedger::Route(uint32_t from, uint32_t to, uint32_t links) const
{
    const auto known = m_mesh->GetPaths(from, to);
    const OtnPath* best = &known.front();
    // If only the shortest path is considered, its free wavelengths do not matter.
    uint32_t most = links ? m_wavelengths.CountFree(*best, m_routing) : 0;
    for (std::size_t k = 1; k < std::min<std::size_t>(known.size(), links + 1); ++k)
    {
        const uint32_t free = m_wavelengths.CountFree(known[k], m_routing);
        if (free > most)
        {
            most = free;
            best = &known[k];
        }
    }
    return best;
}

uint32_t
IcciLightpathLedger::CountWavelengths(const std::vector<uint32_t>& ring,
                                      uint32_t links,
                                      const std::vector<OtnGrant>& present) const
{
    uint32_t least = UINT32_MAX;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t from = ring[i];
        const uint32_t to = ring[(i + 1) % ring.size()];
        uint32_t count = m_wavelengths.CountFree(*Route(from, to, links), m_routing);
        if (const auto lit = FindLit(present, from, to); lit < present.size())
        {
            count = std::max(count, present[lit].GetCount());
        }
        least = std::min(least, count);
    }
    return least;
}

uint32_t
IcciLightpathLedger::CountHops(const std::vector<uint32_t>& ring, uint32_t links) const
{
    std::size_t hops = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        hops += Route(ring[i], ring[(i + 1) % ring.size()], links)->size();
    }
    return static_cast<uint32_t>(hops);
}

} // namespace ns3::odcn
