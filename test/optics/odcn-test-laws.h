// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEST_LAWS_H
#define ODCN_TEST_LAWS_H

/**
 * @file
 * Servers with random packet sizes and bursts, for tests of PacketFabric.
 */

#include "../core/odcn-test-kit.h"

#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-packet-law.h"

namespace ns3::odcn
{

/// Approximate mean size of MakeLaw(), in bytes.
constexpr uint32_t LAW_BYTES = 400;

/// @param least smallest value  @param greatest largest value  @return uniform values
inline Ptr<RandomVariableStream>
MakeUniform(double least, double greatest)
{
    auto variable = CreateObject<UniformRandomVariable>();
    variable->SetAttribute("Min", DoubleValue(least));
    variable->SetAttribute("Max", DoubleValue(greatest));
    return variable;
}

/// @param random generator  @return law of a server: random sizes, bursts, or both
inline PacketLaw
MakeLaw(std::mt19937_64& random)
{
    PacketLaw law;
    law.least = 64;
    law.greatest = 1500;
    const uint64_t kind = random() % 3;
    if (kind > 0)
    {
        // Few sizes, whose transmissions often end together, or many.
        law.sizes = MakeUniform(64, 700);
        if (random() % 2)
        {
            law.sizes = CreateObject<MixRandomVariable>();
        }
    }
    if (kind < 2)
    {
        law.bursts = MakeUniform(1, 3 + static_cast<double>(random() % 6));
    }
    return law;
}

} // namespace ns3::odcn

#endif /* ODCN_TEST_LAWS_H */
