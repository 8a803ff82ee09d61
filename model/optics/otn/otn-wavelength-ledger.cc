// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-wavelength-ledger.h"

#include "ns3/assert.h"
#include "ns3/odcn-error.h"

#include <algorithm>

namespace ns3::odcn
{

namespace
{

/// Names indexed by OtnRouting::Assignment.
constexpr std::array<const char*, 3> ASSIGNMENT_NAMES{"FirstFit", "MostUsed", "LeastUsed"};

} // namespace

const char*
OtnAssignmentName(OtnRouting::Assignment assignment)
{
    return ASSIGNMENT_NAMES[assignment];
}

OtnRouting::Assignment
FindOtnAssignment(const std::string& name)
{
    const auto found = std::find(ASSIGNMENT_NAMES.begin(), ASSIGNMENT_NAMES.end(), name);
    if (found == ASSIGNMENT_NAMES.end())
    {
        throw OdcnError::InOption("wavelength assignment", name, "FirstFit, MostUsed or LeastUsed");
    }
    return static_cast<OtnRouting::Assignment>(found - ASSIGNMENT_NAMES.begin());
}

OtnWavelengthLedger::OtnWavelengthLedger(std::shared_ptr<const OtnMesh> mesh)
    : m_mesh(std::move(mesh)),
      m_all(m_mesh->GetNLinks()),
      m_used(m_mesh->GetNFibers()),
      m_cut(m_mesh->GetNLinks())
{
    for (uint32_t link = 0; link < m_all.size(); ++link)
    {
        m_all[link] = ~OtnWavelengths() >> (m_all[link].size() - m_mesh->GetLink(link).wavelengths);
    }
}

OtnWavelengths
OtnWavelengthLedger::Pick(const OtnWavelengths& free,
                          uint32_t count,
                          OtnRouting::Assignment assignment) const
{
    if (free.count() < count)
    {
        return {};
    }
    OtnWavelengths left = free;
    OtnWavelengths picked;
    for (uint32_t i = 0; i < count; ++i)
    {
        std::size_t best = left._Find_first();
        if (assignment != OtnRouting::FIRST_FIT)
        {
            for (std::size_t w = best; w < left.size(); w = left._Find_next(w))
            {
                const bool better = assignment == OtnRouting::MOST_USED ? m_uses[w] > m_uses[best]
                                                                        : m_uses[w] < m_uses[best];
                best = better ? w : best;
            }
        }
        left.reset(best);
        picked.set(best);
    }
    return picked;
}

OtnWavelengths
OtnWavelengthLedger::GetFreeOf(uint32_t fiber, bool bothWays) const
{
    const uint32_t link = fiber / 2;
    if (m_cut[link])
    {
        return {};
    }
    OtnWavelengths used = m_used[fiber];
    if (bothWays)
    {
        used |= m_used[OtnMesh::GetOpposite(fiber)];
    }
    return m_all[link] & ~used;
}

OtnWavelengths
OtnWavelengthLedger::GetFree(std::span<const uint32_t> path, bool bothWays) const
{
    OtnWavelengths free;
    if (!path.empty())
    {
        free.set();
    }
    for (uint32_t fiber : path)
    {
        free &= GetFreeOf(fiber, bothWays);
    }
    return free;
}

uint32_t
OtnWavelengthLedger::CountFree(std::span<const uint32_t> path, const OtnRouting& routing) const
{
    std::size_t count = path.empty() ? 0 : OtnMesh::MAX_WAVELENGTHS;
    if (!routing.conversion)
    {
        count = GetFree(path, routing.bothWays).count();
    }
    else
    {
        for (uint32_t fiber : path)
        {
            count = std::min(count, GetFreeOf(fiber, routing.bothWays).count());
        }
    }
    return static_cast<uint32_t>(count);
}

bool
OtnWavelengthLedger::IsWhole(std::span<const uint32_t> path) const
{
    return std::none_of(path.begin(), path.end(), [this](uint32_t f) { return m_cut[f / 2]; });
}

OtnPath
OtnWavelengthLedger::FindPath(const OtnDemand& demand, const OtnRouting& routing) const
{
    const auto first = [&](std::span<const OtnPath> paths)
    {
        for (const OtnPath& path : paths)
        {
            if (CountFree(path, routing) >= demand.wavelengths)
            {
                return path;
            }
        }
        return OtnPath{};
    };
    const auto paths = m_mesh->GetPaths(demand.from, demand.to);
    const auto tried = paths.first(std::min<std::size_t>(routing.tries, paths.size()));
    const bool allCut = std::none_of(tried.begin(),
                                     tried.end(),
                                     [this](const OtnPath& path) { return IsWhole(path); });
    if (routing.tries > m_mesh->GetNPaths() || (allCut && !tried.empty()))
    {
        return first(m_mesh->FindPaths(demand.from, demand.to, routing.tries, m_cut));
    }
    return first(tried);
}

bool
OtnWavelengthLedger::ReserveOn(std::span<const uint32_t> path,
                               uint32_t count,
                               const OtnRouting& routing,
                               std::vector<OtnGrant>& granted)
{
    if (count == 0 || CountFree(path, routing) < count)
    {
        return false;
    }
    OtnGrant grant{{path.begin(), path.end()}, {}, routing.bothWays};
    if (routing.conversion)
    {
        for (uint32_t fiber : path)
        {
            grant.wavelengths.push_back(
                Pick(GetFreeOf(fiber, routing.bothWays), count, routing.assignment));
        }
    }
    else
    {
        grant.wavelengths.assign(path.size(),
                                 Pick(GetFree(path, routing.bothWays), count, routing.assignment));
    }
    Change(grant, true);
    granted.push_back(std::move(grant));
    return true;
}

bool
OtnWavelengthLedger::Reserve(std::span<const OtnDemand> demands,
                             const OtnRouting& routing,
                             std::vector<OtnGrant>& granted)
{
    const std::size_t before = granted.size();
    for (const OtnDemand& demand : demands)
    {
        if (!ReserveOn(FindPath(demand, routing), demand.wavelengths, routing, granted))
        {
            Release(std::span(granted).subspan(before));
            granted.resize(before);
            return false;
        }
    }
    return true;
}

bool
OtnWavelengthLedger::Take(std::span<const OtnGrant> grants)
{
    for (std::size_t i = 0; i < grants.size(); ++i)
    {
        bool free = true;
        for (std::size_t hop = 0; hop < grants[i].path.size(); ++hop)
        {
            const auto open = GetFreeOf(grants[i].path[hop], grants[i].bothWays);
            free = free && (grants[i].wavelengths[hop] & ~open).none();
        }
        if (!free)
        {
            Release(grants.first(i));
            return false;
        }
        Change(grants[i], true);
    }
    return true;
}

void
OtnWavelengthLedger::Release(std::span<const OtnGrant> grants)
{
    for (const OtnGrant& grant : grants)
    {
        Change(grant, false);
    }
}

bool
OtnWavelengthLedger::Reroute(OtnGrant& grant, const OtnRouting& routing)
{
    const OtnDemand demand{m_mesh->GetFrom(grant.path.front()),
                           m_mesh->GetTo(grant.path.back()),
                           grant.GetCount()};
    Change(grant, false);
    std::vector<OtnGrant> granted;
    if (!Reserve({&demand, 1}, routing, granted))
    {
        Change(grant, true);
        return false;
    }
    grant = std::move(granted.front());
    return true;
}

void
OtnWavelengthLedger::Change(const OtnGrant& grant, bool take)
{
    const auto change = [&](uint32_t fiber, const OtnWavelengths& wavelengths)
    {
        NS_ASSERT_MSG((m_used[fiber] & wavelengths) == (take ? OtnWavelengths() : wavelengths),
                      "a wavelength that another has, or that nobody has");
        m_used[fiber] ^= wavelengths;
        for (std::size_t w = wavelengths._Find_first(); w < wavelengths.size();
             w = wavelengths._Find_next(w))
        {
            m_uses[w] += take ? 1 : -1;
            m_total += take ? 1 : -1;
        }
    };
    for (std::size_t i = 0; i < grant.path.size(); ++i)
    {
        change(grant.path[i], grant.wavelengths[i]);
        if (grant.bothWays)
        {
            change(OtnMesh::GetOpposite(grant.path[i]), grant.wavelengths[i]);
        }
    }
}

void
OtnWavelengthLedger::SetCut(uint32_t link, bool cut)
{
    m_cut[link] = cut;
}

uint64_t
OtnWavelengthLedger::GetCapacity() const
{
    uint64_t sum = 0;
    for (const OtnWavelengths& all : m_all)
    {
        sum += 2 * all.count();
    }
    return sum;
}

} // namespace ns3::odcn
