// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-ledger.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <tuple>

namespace ns3::odcn
{

SliceShape
SliceShape::Parse(const std::string& option, const std::string& text)
{
    constexpr uint64_t MOST = 1 << 20;
    std::vector<std::string_view> words;
    SplitText(text, 'x', words);
    std::vector<uint32_t> sides;
    uint64_t chips = 1;
    for (const std::string_view word : words)
    {
        const auto side = ParseCount(word);
        chips = side && *side >= 1 && *side <= MOST ? chips * *side : 0;
        if (chips < 1 || chips > MOST)
        {
            break;
        }
        sides.push_back(static_cast<uint32_t>(*side));
    }
    if (sides.size() != words.size() || (sides.size() != 1 && sides.size() != 3))
    {
        throw OdcnError::InOption(option,
                                  text,
                                  "three sides such as 4x4x8, or a number of chips, from 1 to " +
                                      std::to_string(MOST) + " chips");
    }
    return sides.size() == 1 ? OfSize(sides[0]) : SliceShape{{sides[0], sides[1], sides[2]}};
}

SliceShape
SliceShape::OfSize(uint32_t chips)
{
    SliceShape best{{1, 1, chips}};
    const auto sum = [](const SliceShape& shape)
    { return uint64_t(shape.sides[0]) + shape.sides[1] + shape.sides[2]; };
    for (uint32_t x = 1; uint64_t(x) * x * x <= chips; ++x)
    {
        for (uint32_t y = x; chips % x == 0 && uint64_t(x) * y * y <= chips; ++y)
        {
            const SliceShape shape{{x, y, chips / x / y}};
            if (shape.GetNChips() == chips && sum(shape) < sum(best))
            {
                best = shape;
            }
        }
    }
    return best;
}

std::string
SliceShape::GetText() const
{
    return std::to_string(sides[0]) + "x" + std::to_string(sides[1]) + "x" +
           std::to_string(sides[2]);
}

std::vector<SliceShape>
SliceShape::GetRotations() const
{
    std::vector<SliceShape> all;
    std::array<uint32_t, 3> order{0, 1, 2};
    do
    {
        const SliceShape turned{{sides[order[0]], sides[order[1]], sides[order[2]]}};
        if (std::ranges::find(all, turned) == all.end())
        {
            all.push_back(turned);
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return all;
}

SliceShape
SliceShape::GetSorted() const
{
    SliceShape sorted = *this;
    std::ranges::sort(sorted.sides);
    return sorted;
}

uint32_t
SliceShape::GetNDimensions() const
{
    return static_cast<uint32_t>(
        std::ranges::count_if(sides, [](uint32_t side) { return side > 1; }));
}

SliceLedger::SliceLedger(const SliceShape& pod, uint32_t side)
    : m_pod(pod),
      m_side(side)
{
    for (const uint32_t length : pod.sides)
    {
        if (side < 1 || length < 1 || length % side != 0)
        {
            throw OdcnError::InOption("pod of cubes with " + std::to_string(side) +
                                          " chips along each edge",
                                      pod.GetText(),
                                      "sides that are multiples of it");
        }
    }
    m_states.assign(pod.GetNChips(), State::FREE);
    m_cubeOf.resize(m_states.size());
    m_freeOf.assign(pod.GetNChips() / (side * side * side), 0);
    m_isFailed.assign(m_freeOf.size(), false);
    for (uint32_t chip = 0; chip < GetNChips(); ++chip)
    {
        const auto place = GetPlace(chip);
        m_cubeOf[chip] =
            (place[0] / side * (pod.sides[1] / side) + place[1] / side) * (pod.sides[2] / side) +
            place[2] / side;
        ++m_freeOf[m_cubeOf[chip]];
    }
    m_counts.free = GetNChips();
}

std::array<uint32_t, 3>
SliceLedger::GetPlace(uint32_t chip) const
{
    const uint32_t row = chip / m_pod.sides[2];
    return {row / m_pod.sides[1], row % m_pod.sides[1], chip % m_pod.sides[2]};
}

uint32_t
SliceLedger::GetChipOf(uint32_t cube, const std::array<uint32_t, 3>& within) const
{
    const uint32_t inZ = m_pod.sides[2] / m_side;
    const uint32_t row = cube / inZ;
    const uint32_t inY = m_pod.sides[1] / m_side;
    return GetChip({row / inY * m_side + within[0],
                    row % inY * m_side + within[1],
                    cube % inZ * m_side + within[2]});
}

void
SliceLedger::Set(uint32_t chip, State state)
{
    const auto count = [this](State of) -> uint32_t& {
        return of == State::FREE   ? m_counts.free
               : of == State::USED ? m_counts.used
                                   : m_counts.failed;
    };
    --count(m_states[chip]);
    m_freeOf[m_cubeOf[chip]] -= m_states[chip] == State::FREE;
    m_states[chip] = state;
    ++count(state);
    m_freeOf[m_cubeOf[chip]] += state == State::FREE;
}

uint64_t
SliceLedger::Allocate(const Slice& slice)
{
    for (std::size_t i = 0; i < slice.chips.size(); ++i)
    {
        const uint32_t chip = slice.chips[i];
        if (chip >= GetNChips() || !IsFree(chip))
        {
            // It takes back what it has marked.
            for (std::size_t j = 0; j < i; ++j)
            {
                Set(slice.chips[j], State::FREE);
            }
            throw OdcnError::InOption("slice of " + slice.shape.GetText(),
                                      "chip " + std::to_string(chip),
                                      "free chips, each once");
        }
        Set(chip, State::USED);
    }
    m_slices.emplace(m_next, slice);
    return m_next++;
}

void
SliceLedger::Free(uint64_t slice)
{
    for (const uint32_t chip : GetSlice(slice).chips)
    {
        Set(chip, State::FREE);
    }
    m_slices.erase(slice);
}

const Slice&
SliceLedger::GetSlice(uint64_t slice) const
{
    const auto found = m_slices.find(slice);
    if (found == m_slices.end())
    {
        throw OdcnError::InOption("slice", std::to_string(slice), "the number of one in the pod");
    }
    return found->second;
}

void
SliceLedger::CheckCube(uint32_t cube) const
{
    if (cube >= GetNCubes())
    {
        throw OdcnError::InOption("cube",
                                  std::to_string(cube),
                                  "a number below " + std::to_string(GetNCubes()));
    }
}

bool
SliceLedger::Swap(uint32_t cube, Slice& slice)
{
    std::vector<std::size_t> nodes;
    std::vector<std::array<uint32_t, 3>> places;
    for (std::size_t node = 0; node < slice.chips.size(); ++node)
    {
        if (m_cubeOf[slice.chips[node]] == cube)
        {
            auto within = GetPlace(slice.chips[node]);
            std::ranges::for_each(within, [this](uint32_t& x) { x %= m_side; });
            nodes.push_back(node);
            places.push_back(within);
        }
    }
    for (uint32_t other = 0; other < GetNCubes(); ++other)
    {
        const auto isFree = [&](const auto& place) { return IsFree(GetChipOf(other, place)); };
        if (m_freeOf[other] < nodes.size() || !std::ranges::all_of(places, isFree))
        {
            continue;
        }
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            slice.chips[nodes[i]] = GetChipOf(other, places[i]);
            Set(slice.chips[nodes[i]], State::USED);
        }
        return true;
    }
    return false;
}

std::vector<SliceLedger::Loss>
SliceLedger::Fail(uint32_t cube, bool isSwitched)
{
    CheckCube(cube);
    std::vector<Loss> losses;
    if (m_isFailed[cube])
    {
        return losses;
    }
    m_isFailed[cube] = true;
    for (uint32_t chip = 0; chip < GetNChips(); ++chip)
    {
        if (m_cubeOf[chip] == cube)
        {
            Set(chip, State::FAILED);
        }
    }
    for (auto& [number, slice] : m_slices)
    {
        const auto isHere = [&](uint32_t chip) { return m_cubeOf[chip] == cube; };
        if (std::ranges::any_of(slice.chips, isHere))
        {
            losses.push_back({number, isSwitched && Swap(cube, slice)});
        }
    }
    for (const Loss& loss : losses)
    {
        if (!loss.isSwapped)
        {
            for (const uint32_t chip : GetSlice(loss.slice).chips)
            {
                if (m_cubeOf[chip] != cube)
                {
                    Set(chip, State::FREE);
                }
            }
            m_slices.erase(loss.slice);
        }
    }
    return losses;
}

void
SliceLedger::Repair(uint32_t cube)
{
    CheckCube(cube);
    if (!m_isFailed[cube])
    {
        throw OdcnError::InOption("cube", std::to_string(cube), "one that has failed");
    }
    m_isFailed[cube] = false;
    for (uint32_t chip = 0; chip < GetNChips(); ++chip)
    {
        if (m_cubeOf[chip] == cube)
        {
            Set(chip, State::FREE);
        }
    }
}

bool
SliceLedger::IsLink(uint32_t from, uint32_t to, uint32_t dimension, bool isSwitched) const
{
    const auto a = GetPlace(from);
    const auto b = GetPlace(to);
    if (isSwitched && a[dimension] % m_side == m_side - 1)
    {
        bool isAtSamePlace = b[dimension] % m_side == 0;
        for (uint32_t d = 0; d < 3; ++d)
        {
            isAtSamePlace = isAtSamePlace && (d == dimension || a[d] % m_side == b[d] % m_side);
        }
        return isAtSamePlace;
    }
    auto next = a;
    next[dimension] = (a[dimension] + 1) % m_pod.sides[dimension];
    return next == b;
}

bool
SliceLedger::IsJoined(const Slice& slice, bool isSwitched) const
{
    const auto& sides = slice.shape.sides;
    if (slice.chips.size() != slice.shape.GetNChips())
    {
        return false;
    }
    const auto at = [&](const std::array<uint32_t, 3>& node)
    { return slice.chips[(node[0] * sides[1] + node[1]) * sides[2] + node[2]]; };
    std::array<uint32_t, 3> node{};
    for (node[0] = 0; node[0] < sides[0]; ++node[0])
    {
        for (node[1] = 0; node[1] < sides[1]; ++node[1])
        {
            for (node[2] = 0; node[2] < sides[2]; ++node[2])
            {
                for (uint32_t d = 0; d < 3; ++d)
                {
                    const bool isLast = node[d] + 1 == sides[d];
                    const bool isClosed =
                        isSwitched ? sides[d] % m_side == 0 : sides[d] == m_pod.sides[d];
                    auto next = node;
                    next[d] = (node[d] + 1) % sides[d];
                    if ((!isLast || isClosed) && !IsLink(at(node), at(next), d, isSwitched))
                    {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

} // namespace ns3::odcn
