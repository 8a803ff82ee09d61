// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-channel-ledger.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::odcn
{

RddcChannelLedger::RddcChannelLedger(std::shared_ptr<const RddcNetwork> network)
    : m_network(std::move(network)),
      m_free(m_network->GetNLinks())
{
    for (LinkId link = 0; link < m_free.size(); ++link)
    {
        m_free[link] = m_network->GetChannels(link);
    }
}

std::size_t
RddcChannelLedger::Choose(const uint32_t* free,
                          RackId a,
                          RackId b,
                          const RddcRouting& routing) const
{
    const auto isFree = [&](std::size_t path)
    {
        const auto links = m_network->GetPath(a, b, path);
        return std::all_of(links.begin(), links.end(), [&](LinkId l) { return free[l] > 0; });
    };
    const std::size_t paths = m_network->GetNPaths(a, b);
    const std::size_t tries = std::min<std::size_t>(routing.tries, paths);
    if (routing.order == RddcRouting::HOPS || paths == 1)
    {
        std::size_t path = 0;
        while (path < tries && !isFree(path))
        {
            ++path;
        }
        return path < tries ? path : NO_PATH;
    }
    // Weight and index of each path; ties go to the lower index.
    std::array<uint64_t, RddcNetwork::MAX_PATHS> order;
    for (std::size_t path = 0; path < paths; ++path)
    {
        uint64_t weight = 0;
        for (LinkId link : m_network->GetPath(a, b, path))
        {
            weight += routing.order == RddcRouting::LEAST_FREE
                          ? free[link]
                          : m_network->GetChannels(link) - free[link];
        }
        order[path] = weight << 8 | path;
    }
    for (std::size_t i = 0; i < tries; ++i)
    {
        std::swap(order[i], *std::min_element(order.begin() + i, order.begin() + paths));
        const std::size_t path = order[i] & 255;
        if (isFree(path))
        {
            return path;
        }
    }
    return NO_PATH;
}

void
RddcChannelLedger::Change(const RddcLightpath& lightpath, int32_t sign)
{
    const auto change = [&](LinkId link)
    {
        m_free[link] += sign;
        NS_ASSERT_MSG(m_free[link] <= m_network->GetChannels(link), "no such channel");
    };
    change(lightpath.from);
    change(lightpath.to);
    m_used[0] -= 2 * sign;
    for (LinkId link : GetSwitchLinks(lightpath))
    {
        change(link);
        m_used[m_network->GetTier(link)] -= sign;
    }
    ++m_version;
}

bool
RddcChannelLedger::Connect(ServerId server,
                           std::span<const ServerId> others,
                           const RddcRouting& routing,
                           std::vector<RddcLightpath>& granted)
{
    const std::size_t before = granted.size();
    if (m_free[server] < others.size())
    {
        return false;
    }
    for (ServerId other : others)
    {
        const std::size_t path = m_free[other] > 0 ? Choose(m_free.data(),
                                                            m_network->GetRack(server),
                                                            m_network->GetRack(other),
                                                            routing)
                                                   : NO_PATH;
        if (path == NO_PATH)
        {
            Release(std::span(granted).subspan(before));
            granted.resize(before);
            return false;
        }
        granted.push_back({server, other, static_cast<uint32_t>(path)});
        Change(granted.back(), -1);
    }
    return true;
}

bool
RddcChannelLedger::CanConnectRack(RackId rack,
                                  std::span<const ServerId> others,
                                  const RddcRouting& routing) const
{
    for (ServerId other : others)
    {
        if (m_free[other] == 0)
        {
            return false;
        }
    }
    // Only links between switches can be shared, since the servers are distinct.
    m_trial.resize(m_free.size());
    std::copy(m_free.begin() + m_network->GetNServers(),
              m_free.end(),
              m_trial.begin() + m_network->GetNServers());
    for (ServerId other : others)
    {
        const RackId end = m_network->GetRack(other);
        const std::size_t path = Choose(m_trial.data(), rack, end, routing);
        if (path == NO_PATH)
        {
            return false;
        }
        for (LinkId link : m_network->GetPath(rack, end, path))
        {
            --m_trial[link];
        }
    }
    return true;
}

void
RddcChannelLedger::Release(std::span<const RddcLightpath> lightpaths)
{
    for (const auto& lightpath : lightpaths)
    {
        Change(lightpath, 1);
    }
}

} // namespace ns3::odcn
