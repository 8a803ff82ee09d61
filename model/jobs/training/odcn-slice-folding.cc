// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-folding.h"

#include <set>

namespace ns3::odcn
{

std::vector<SliceShape>
GetFoldings(const SliceShape& shape, uint32_t side)
{
    constexpr uint32_t RING = 4; // side of a cube on which the ends of two folds meet
    const uint32_t dimensions = shape.GetNDimensions();
    const auto sorted = shape.GetSorted().sides;
    std::set<SliceShape> foldings;
    // Divides are exact, and a box is no flatter than what was folded.
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c)
    {
        const SliceShape folded = SliceShape{{a, b, c}}.GetSorted();
        if (folded.GetNChips() == shape.GetNChips() && folded.GetNDimensions() >= dimensions)
        {
            foldings.insert(folded);
        }
    };
    if (dimensions == 2)
    {
        const auto [none, a, b] = sorted;
        const auto addSolid = [&](uint32_t x, uint32_t y, uint32_t z)
        {
            if (SliceShape{{x, y, z}}.GetNDimensions() == 3)
            {
                add(x, y, z);
            }
        };
        addSolid(a / 2, b, 2);
        addSolid(a, b / 2, 2);
        if (side == RING)
        {
            addSolid(a / 4, b, 4);
            addSolid(a / 2, b / 2, 4);
            addSolid(a, b / 4, 4);
        }
    }
    if (side == RING && dimensions >= 2)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const uint32_t first = sorted[(i + 1) % 3];
            const uint32_t second = sorted[(i + 2) % 3];
            if (sorted[i] == 2)
            {
                const auto addFlat = [&](uint32_t halved, uint32_t other)
                {
                    if (halved % 2 == 0 &&
                        SliceShape{{4, halved / 2, other}}.GetNDimensions() == dimensions)
                    {
                        add(4, halved / 2, other);
                    }
                };
                addFlat(first, second);
                addFlat(second, first);
            }
        }
    }
    return {foldings.begin(), foldings.end()};
}

std::vector<SliceShape>
GetBoxes(uint32_t chips)
{
    std::vector<SliceShape> boxes;
    for (uint32_t x = 1; uint64_t(x) * x * x <= chips; ++x)
    {
        for (uint32_t y = x; chips % x == 0 && uint64_t(x) * y * y <= chips; ++y)
        {
            if (chips / x % y == 0)
            {
                boxes.push_back({{x, y, chips / x / y}});
            }
        }
    }
    return boxes;
}

} // namespace ns3::odcn
