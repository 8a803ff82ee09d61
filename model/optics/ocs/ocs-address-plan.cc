// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-address-plan.h"

#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

OcsAddressPlan
OcsAddressPlan::For(uint32_t racks, uint32_t serversPerRack)
{
    OcsAddressPlan plan;
    // The lowest and the highest address of a rack (possibly a broadcast) are not used.
    while (plan.serverBits < HOST_BITS && (1U << plan.serverBits) < uint64_t(serversPerRack) + 2)
    {
        ++plan.serverBits;
    }
    if ((uint64_t(racks) << plan.serverBits) > (1U << HOST_BITS))
    {
        throw OdcnError::InOption("racks x servers",
                                  std::to_string(racks) + " x " + std::to_string(serversPerRack),
                                  "no more than the addresses of 10.0.0.0/8");
    }
    return plan;
}

} // namespace ns3::odcn
