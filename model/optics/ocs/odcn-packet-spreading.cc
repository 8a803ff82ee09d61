// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-spreading.h"

#include "ocs-address-plan.h"
#include "ocs-packet-header.h"

namespace ns3::odcn
{

uint32_t
PacketSpreading::Choose(uint32_t flow, RackId rack, uint32_t server, uint32_t ways, bool lightpath)
    const
{
    if (mode == BY_HOST)
    {
        // The shift spreads packets to equal host numbers from or to different edges. It must not
        // be the same at two levels, or some links stay idle.
        const uint32_t edge = rack % OcsAddressPlan::MAX_NETWORKS;
        uint32_t shift = edge;
        switch (place.layer)
        {
        case PacketSwitchPlace::NONE:
            shift = racks == 0 ? edge : racks - 1;
            break;
        case PacketSwitchPlace::EDGE:
            shift = place.index;
            break;
        case PacketSwitchPlace::AGGREGATION:
            break;
        case PacketSwitchPlace::CORE:
        case PacketSwitchPlace::GATEWAY:
            shift = place.half * edge;
            break;
        }
        return (server + shift) % ways;
    }
    if (place.layer == PacketSwitchPlace::NONE)
    {
        const uint32_t hash = OcsPacketHeader::HashFlow(flow, perturbation, 0, 0);
        return uint64_t(hash) * ways >> 32;
    }
    // Choices must be independent of those at lower levels, or some uplinks stay idle.
    const uint32_t level = lightpath ? 2 : place.layer == PacketSwitchPlace::AGGREGATION ? 1 : 0;
    for (uint32_t i = 0; i < level; ++i)
    {
        flow /= place.half;
    }
    return flow % ways;
}

} // namespace ns3::odcn
