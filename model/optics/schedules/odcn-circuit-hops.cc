// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-hops.h"

namespace ns3::odcn
{

RackLinks
ReverseLinks(const RackLinks& links)
{
    RackLinks reversed(links.size());
    for (RackId from = 0; from < links.size(); ++from)
    {
        for (const RackId to : links[from])
        {
            reversed[to].push_back(from);
        }
    }
    return reversed;
}

std::vector<uint32_t>
FindHops(const RackLinks& links, RackId from)
{
    std::vector<uint32_t> hops(links.size(), UINT32_MAX);
    std::vector<RackId> queue{from};
    hops[from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        for (const RackId to : links[queue[i]])
        {
            if (hops[to] == UINT32_MAX)
            {
                hops[to] = hops[queue[i]] + 1;
                queue.push_back(to);
            }
        }
    }
    return hops;
}

} // namespace ns3::odcn
