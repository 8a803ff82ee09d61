// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_AGENT_SEED_H
#define ODCN_AGENT_SEED_H

#include <cstdint>
#include <initializer_list>
#include <random>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A seed for a generator of the agents' own, from ns-3's RngSeed and RngRun and from numbers that
 * tell the generators apart. The ns-3 streams themselves serve the problems.
 *
 * @param parts e.g. stream, epoch, environment
 * @return equal for equal seed, run and parts, on every machine
 */
uint64_t OdcnAgentSeed(std::initializer_list<uint64_t> parts);

/// @param random a generator  @return uniform on [0, 1), the same on every machine
inline double
OdcnUniform(std::mt19937_64& random)
{
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

} // namespace odcn
} // namespace ns3

#endif /* ODCN_AGENT_SEED_H */
