// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-model.h"

#include "ns3/int64x64.h"
#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

namespace
{

/// @param name parameter  @param value its value  @param least minimum  @param greatest maximum
void
CheckRange(const char* name, int64_t value, int64_t least, int64_t greatest)
{
    if (value < least || value > greatest)
    {
        throw OdcnError::InOption(std::string("packet fabric: ") + name,
                                  std::to_string(value),
                                  std::to_string(least) + " to " + std::to_string(greatest));
    }
}

} // namespace

int64_t
FabricModel::GetLinksTime(uint32_t bytes) const
{
    return 2 * (TransmissionTime(serverRate, bytes) + serverDelay) +
           (uplinks > 0 ? 2 * uplinkDelay : 0);
}

int64_t
TransmissionTime(BitRate rate, uint32_t bytes)
{
    // Compute as DataRate and Time do, to get the same rounding.
    const int64x64_t picosecond(1000000000000LL, 0);
    return (int64x64_t(bytes * 8) / static_cast<uint64_t>(rate) * picosecond).Round();
}

void
FabricModel::Check() const
{
    constexpr int64_t MANY = 1 << 20;
    // One hour in ps: sums of a few such times do not overflow.
    constexpr int64_t LONG = 3600'000'000'000'000;
    CheckRange("racks", racks, 1, MANY);
    CheckRange("servers of a rack", serversPerRack, 1, MANY);
    CheckRange("servers", int64_t(racks) * serversPerRack, 1, 1 << 24);
    CheckRange("uplinks of a rack", uplinks, 0, MANY);
    CheckRange("uplinks", int64_t(racks) * uplinks, 0, 1 << 24);
    CheckRange("optical switches", switches, 1, MANY);
    CheckRange("rate of servers' ports", serverRate, 1, INT64_MAX);
    CheckRange("rate of uplinks", uplinkRate, 1, INT64_MAX);
    CheckRange("queue of servers' ports", serverQueue, 1, MANY);
    CheckRange("queue of uplinks", uplinkQueue, 1, MANY);
    CheckRange("delay of servers' fibres", serverDelay, 0, LONG);
    CheckRange("delay of uplinks' fibres", uplinkDelay, 0, LONG);
    CheckRange("dark time", darkTime, 0, LONG);
}

} // namespace ns3::odcn
