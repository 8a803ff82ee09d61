// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-random-stream.h"

#include "odcn-error.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/rng-stream.h"

#include <cstring>

namespace ns3::odcn
{

RandomStream::RandomStream(int64_t stream)
{
    // Same stream number as in RandomVariableStream::SetStream().
    const uint64_t number = stream < 0 ? RngSeedManager::GetNextStreamIndex()
                                       : (uint64_t(1) << 63) + static_cast<uint64_t>(stream);
    RngStream source(RngSeedManager::GetSeed(), number, RngSeedManager::GetRun());
    // RngStream computes the initial state but has no accessor: copy it from the object's memory.
    std::array<double, 6> state;
    static_assert(sizeof(source) == sizeof(state), "RngStream has other members than expected");
    std::memcpy(state.data(), static_cast<const void*>(&source), sizeof(state));
    for (std::size_t i = 0; i < 3; ++i)
    {
        m_first[i] = static_cast<uint64_t>(state[i]);
        m_second[i] = static_cast<uint64_t>(state[i + 3]);
    }
    RandomStream copy(*this);
    if (copy.NextU01() != source.RandU01())
    {
        throw OdcnError("RandomStream does not know this version's RngStream");
    }
}

} // namespace ns3::odcn
