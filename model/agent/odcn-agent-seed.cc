// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-seed.h"

#include "ns3/rng-seed-manager.h"

namespace ns3
{
namespace odcn
{

uint64_t
OdcnAgentSeed(std::initializer_list<uint64_t> parts)
{
    uint64_t state = 0;
    auto absorb = [&state](uint64_t value)
    {
        // The finaliser of SplitMix64: every bit of the input moves half of the output.
        state += value + 0x9e3779b97f4a7c15ULL;
        state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
        state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
        state ^= state >> 31;
    };
    absorb(RngSeedManager::GetSeed());
    absorb(RngSeedManager::GetRun());
    for (uint64_t part : parts)
    {
        absorb(part);
    }
    return state;
}

} // namespace odcn
} // namespace ns3
