// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-racks.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace ns3::odcn
{

namespace
{

/// @param free end points by rack
/// @return all racks, those with the most first; of equals, the lowest
std::vector<uint32_t>
GetMostFirst(const std::vector<uint32_t>& free)
{
    std::vector<uint32_t> racks = TrainingRacks::GetAll(free.size());
    std::ranges::stable_sort(racks, [&](uint32_t a, uint32_t b) { return free[a] > free[b]; });
    return racks;
}

} // namespace

std::vector<uint32_t>
TrainingRacks::GetAll(std::size_t racks)
{
    std::vector<uint32_t> all(racks);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::vector<uint32_t>
TrainingRacks::GetFewestFirst(const std::vector<uint32_t>& free)
{
    std::vector<uint32_t> racks = GetAll(free.size());
    std::ranges::stable_sort(racks, [&](uint32_t a, uint32_t b) { return free[a] < free[b]; });
    return racks;
}

std::vector<uint32_t>
TrainingRacks::GetLocal(const std::vector<uint32_t>& free, uint32_t ranks)
{
    const auto enough = std::ranges::find_if(free, [&](uint32_t n) { return n >= ranks; });
    return enough == free.end()
               ? GetMostFirst(free)
               : std::vector<uint32_t>{static_cast<uint32_t>(enough - free.begin())};
}

std::vector<uint32_t>
TrainingRacks::GetTightest(const std::vector<uint32_t>& free, uint32_t ranks)
{
    const std::vector<uint32_t> racks = GetMostFirst(free);
    const auto later =
        std::ranges::find_if(racks, [&](uint32_t rack) { return free[rack] < ranks; });
    return later == racks.begin() ? racks : std::vector<uint32_t>{*std::prev(later)};
}

} // namespace ns3::odcn
