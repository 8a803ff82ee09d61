// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_UNITS_H
#define ODCN_UNITS_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ns3::odcn
{

/// Index of a rack (and of its ToR switch), 0 to |V| - 1.
using RackId = uint32_t;
/// Index of a server in the whole data centre, rack by rack.
using ServerId = uint32_t;
/// Number of a job, unique in its stream.
using JobId = uint64_t;
/// Bandwidth in bit/s. An integer, so that releasing restores a ledger exactly.
using BitRate = int64_t;

/// "No rack": the decision of a policy that finds no suitable rack.
constexpr RackId NO_RACK = UINT32_MAX;
/// "No server".
constexpr ServerId NO_SERVER = UINT32_MAX;

/**
 * @param gbps bandwidth in Gb/s
 * @return bandwidth in bit/s, rounded to nearest
 */
inline BitRate
GbpsToBitRate(double gbps)
{
    return static_cast<BitRate>(std::llround(gbps * 1e9));
}

/// @param rate bandwidth in bit/s  @return bandwidth in Gb/s
inline double
BitRateToGbps(BitRate rate)
{
    return static_cast<double>(rate) * 1e-9;
}

/**
 * @ingroup odcn
 *
 * The triple [computing units, memory, disk] of the ODCN paper (C_i of a server, Q_{j,k} of a VM),
 * in thousandths of a core, of a GB and of a GB. Integers, so that reserve and release are exact.
 */
struct OdcnResources
{
    /// Number of resource types.
    static constexpr std::size_t KINDS = 3;
    /// Units of the stored integers per core or GB.
    static constexpr int64_t SCALE = 1000;

    /// Cores, memory, disk, each x SCALE.
    std::array<int64_t, KINDS> milli{0, 0, 0};

    /**
     * @param cores number of cores
     * @param memoryGb memory in GB
     * @param diskGb disk in GB
     * @return the triple, each rounded to the nearest thousandth
     */
    static OdcnResources Of(double cores, double memoryGb, double diskGb)
    {
        return {{std::llround(cores * SCALE),
                 std::llround(memoryGb * SCALE),
                 std::llround(diskGb * SCALE)}};
    }

    /// @return number of cores
    double Cores() const
    {
        return static_cast<double>(milli[0]) / SCALE;
    }

    /// @return memory in GB
    double MemoryGb() const
    {
        return static_cast<double>(milli[1]) / SCALE;
    }

    /// @return disk in GB
    double DiskGb() const
    {
        return static_cast<double>(milli[2]) / SCALE;
    }

    /// @param room free resources  @return whether this demand fits
    bool FitsIn(const OdcnResources& room) const
    {
        return milli[0] <= room.milli[0] && milli[1] <= room.milli[1] && milli[2] <= room.milli[2];
    }

    /// @param o other triple  @return this
    OdcnResources& operator+=(const OdcnResources& o)
    {
        for (std::size_t i = 0; i < KINDS; ++i)
        {
            milli[i] += o.milli[i];
        }
        return *this;
    }

    /// @param o other triple  @return this
    OdcnResources& operator-=(const OdcnResources& o)
    {
        for (std::size_t i = 0; i < KINDS; ++i)
        {
            milli[i] -= o.milli[i];
        }
        return *this;
    }

    /// @param o other triple  @return whether all members are equal
    bool operator==(const OdcnResources& o) const = default;
};

} // namespace ns3::odcn

#endif /* ODCN_UNITS_H */
