// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-folding.h"
#include "odcn-slice-policy.h"

#include "ns3/odcn-attributes.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace ns3::odcn
{

/**
 * First fit in a static torus: the first free box of the asked shape.
 *
 * @ingroup odcn
 */
class FirstFitSlicePolicy : public SlicePolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) override;

  private:
    /// @param ledger of the pod
    /// @param shape of a box
    /// @return the first chip of the first free one, if any
    static std::optional<uint32_t> FindBox(const SliceLedger& ledger, const SliceShape& shape);
};

/**
 * First fit of a shape into which the asked one can be folded: that with the shortest longest side,
 * and the least sum of sides among these, of those that fit into the pod. The asked shape, if there
 * is none.
 *
 * @ingroup odcn
 */
class FoldingSlicePolicy : public FirstFitSlicePolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) override;
    bool MayWait(const SliceLedger& ledger, const SliceShape& asked) const override;

  private:
    /// @param ledger of the pod
    /// @param asked the asked shape
    /// @return the one to place
    static SliceShape Fold(const SliceLedger& ledger, const SliceShape& asked);
};

/**
 * The free chips that take the shortest part of a Hilbert curve through the pod (Skilling,
 * "Programming the Hilbert curve", 2004), wherever their neighbours are. As in RFold's program, a
 * job with a side longer than the pod does not wait.
 *
 * @ingroup odcn
 */
class HilbertSlicePolicy : public SlicePolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) override;

  private:
    /// @param place coordinates of a chip
    /// @param bits of each
    /// @return its number on the curve
    static uint64_t GetIndex(std::array<uint32_t, 3> place, uint32_t bits);

    SliceShape m_pod{{0, 0, 0}};                        //!< of m_curve
    std::vector<std::pair<uint64_t, uint32_t>> m_curve; //!< chips in order, behind their numbers
};

/**
 * Free chips drawn at random.
 *
 * @ingroup odcn
 */
class RandomSlicePolicy : public SlicePolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) override;
    bool MayWait(const SliceLedger& ledger, const SliceShape& asked) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_variable{CreateObject<UniformRandomVariable>()}; //!< draws chips
};

NS_OBJECT_ENSURE_REGISTERED(FirstFitSlicePolicy);
NS_OBJECT_ENSURE_REGISTERED(FoldingSlicePolicy);
NS_OBJECT_ENSURE_REGISTERED(HilbertSlicePolicy);
NS_OBJECT_ENSURE_REGISTERED(RandomSlicePolicy);
ODCN_REGISTER_SLICE_POLICY(FirstFitSlicePolicy, "firstfit")
ODCN_REGISTER_SLICE_POLICY(FoldingSlicePolicy, "folding")
ODCN_REGISTER_SLICE_POLICY(HilbertSlicePolicy, "slurm_hilbert")
ODCN_REGISTER_SLICE_POLICY(RandomSlicePolicy, "random")

TypeId
FirstFitSlicePolicy::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<FirstFitSlicePolicy, SlicePolicy>("ns3::odcn::FirstFitSlicePolicy");
    return tid;
}

std::optional<uint32_t>
FirstFitSlicePolicy::FindBox(const SliceLedger& ledger, const SliceShape& shape)
{
    const auto& pod = ledger.GetPod().sides;
    if (!std::ranges::equal(shape.sides, pod, std::ranges::less_equal()))
    {
        return {};
    }
    // Whether a free box as long as the shape in the dimensions so far begins at a chip.
    std::vector<uint8_t> isFree(ledger.GetNChips());
    for (uint32_t chip = 0; chip < isFree.size(); ++chip)
    {
        isFree[chip] = ledger.IsFree(chip);
    }
    uint32_t step = 1; // between neighbours
    for (std::size_t d = 3; d-- > 0; step *= pod[d])
    {
        for (uint32_t first = 0; first < isFree.size(); ++first)
        {
            if (first / step % pod[d] != 0)
            {
                continue;
            }
            // Backwards, twice around: a run may cross the end of the pod.
            uint32_t run = 0;
            std::vector<uint8_t> row(pod[d]);
            for (uint32_t i = 2 * pod[d]; i-- > 0;)
            {
                run = isFree[first + i % pod[d] * step] ? run + 1 : 0;
                row[i % pod[d]] = run >= shape.sides[d];
            }
            for (uint32_t i = 0; i < pod[d]; ++i)
            {
                isFree[first + i * step] = row[i];
            }
        }
    }
    const auto found = std::ranges::find(isFree, uint8_t(1));
    return found == isFree.end() ? std::nullopt
                                 : std::optional(static_cast<uint32_t>(found - isFree.begin()));
}

std::optional<Slice>
FirstFitSlicePolicy::Place(const SliceLedger& ledger, const SliceShape& asked)
{
    for (const SliceShape& shape : asked.GetRotations())
    {
        const auto corner = FindBox(ledger, shape);
        if (!corner)
        {
            continue;
        }
        Slice slice{shape, {}};
        const auto& pod = ledger.GetPod().sides;
        const auto first = ledger.GetPlace(*corner);
        for (uint32_t x = 0; x < shape.sides[0]; ++x)
        {
            for (uint32_t y = 0; y < shape.sides[1]; ++y)
            {
                for (uint32_t z = 0; z < shape.sides[2]; ++z)
                {
                    slice.chips.push_back(ledger.GetChip({(first[0] + x) % pod[0],
                                                          (first[1] + y) % pod[1],
                                                          (first[2] + z) % pod[2]}));
                }
            }
        }
        return slice;
    }
    return {};
}

TypeId
FoldingSlicePolicy::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<FoldingSlicePolicy, FirstFitSlicePolicy>("ns3::odcn::FoldingSlicePolicy");
    return tid;
}

SliceShape
FoldingSlicePolicy::Fold(const SliceLedger& ledger, const SliceShape& asked)
{
    const uint32_t least = std::ranges::min(ledger.GetPod().sides);
    auto options =
        asked.GetNDimensions() == 1 ? GetBoxes(asked.GetNChips()) : GetFoldings(asked, least);
    std::erase_if(options, [&](const SliceShape& shape) { return shape.sides[2] > least; });
    const auto rank = [](const SliceShape& shape)
    {
        const auto& sides = shape.sides;
        return std::tuple(sides[2], uint64_t(sides[0]) + sides[1] + sides[2]);
    };
    const auto best = std::ranges::min_element(options, {}, rank);
    return best == options.end() ? asked : *best;
}

std::optional<Slice>
FoldingSlicePolicy::Place(const SliceLedger& ledger, const SliceShape& asked)
{
    return FirstFitSlicePolicy::Place(ledger, Fold(ledger, asked));
}

bool
FoldingSlicePolicy::MayWait(const SliceLedger& ledger, const SliceShape& asked) const
{
    return FirstFitSlicePolicy::MayWait(ledger, Fold(ledger, asked));
}

TypeId
HilbertSlicePolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<HilbertSlicePolicy, SlicePolicy>("ns3::odcn::HilbertSlicePolicy");
    return tid;
}

uint64_t
HilbertSlicePolicy::GetIndex(std::array<uint32_t, 3> place, uint32_t bits)
{
    if (bits == 0)
    {
        return 0;
    }
    const uint32_t top = 1U << (bits - 1);
    for (uint32_t bit = top; bit > 1; bit >>= 1)
    {
        const uint32_t below = bit - 1;
        for (uint32_t& x : place)
        {
            if (x & bit)
            {
                place[0] ^= below; // invert
            }
            else
            {
                const uint32_t exchanged = (place[0] ^ x) & below;
                place[0] ^= exchanged;
                x ^= exchanged;
            }
        }
    }
    place[1] ^= place[0];
    place[2] ^= place[1];
    uint32_t gray = 0;
    for (uint32_t bit = top; bit > 1; bit >>= 1)
    {
        gray ^= place[2] & bit ? bit - 1 : 0;
    }
    uint64_t index = 0;
    for (uint32_t bit = bits; bit-- > 0;)
    {
        for (const uint32_t x : place)
        {
            index = 2 * index + (((x ^ gray) >> bit) & 1);
        }
    }
    return index;
}

std::optional<Slice>
HilbertSlicePolicy::Place(const SliceLedger& ledger, const SliceShape& asked)
{
    if (m_pod != ledger.GetPod())
    {
        m_pod = ledger.GetPod();
        m_curve.clear();
        const auto bits = static_cast<uint32_t>(std::bit_width(std::ranges::max(m_pod.sides) - 1));
        for (uint32_t chip = 0; chip < ledger.GetNChips(); ++chip)
        {
            m_curve.emplace_back(GetIndex(ledger.GetPlace(chip), bits), chip);
        }
        std::ranges::sort(m_curve);
    }
    auto free = m_curve;
    std::erase_if(free, [&](const auto& item) { return !ledger.IsFree(item.second); });
    const std::size_t chips = asked.GetNChips();
    if (free.size() < chips)
    {
        return {};
    }
    std::size_t best = 0;
    for (std::size_t i = 0; i + chips <= free.size(); ++i)
    {
        const auto length = [&](std::size_t from)
        { return free[from + chips - 1].first - free[from].first; };
        best = length(i) < length(best) ? i : best;
    }
    Slice slice{asked, {}, false};
    for (std::size_t i = best; i < best + chips; ++i)
    {
        slice.chips.push_back(free[i].second);
    }
    return slice;
}

TypeId
RandomSlicePolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<RandomSlicePolicy, SlicePolicy>("ns3::odcn::RandomSlicePolicy");
    return tid;
}

std::optional<Slice>
RandomSlicePolicy::Place(const SliceLedger& ledger, const SliceShape& asked)
{
    std::vector<uint32_t> free;
    for (uint32_t chip = 0; chip < ledger.GetNChips(); ++chip)
    {
        if (ledger.IsFree(chip))
        {
            free.push_back(chip);
        }
    }
    const std::size_t chips = asked.GetNChips();
    if (free.size() < chips)
    {
        return {};
    }
    for (std::size_t i = 0; i < chips; ++i)
    {
        const auto last = static_cast<uint32_t>(free.size() - 1);
        std::swap(free[i], free[m_variable->GetInteger(static_cast<uint32_t>(i), last)]);
    }
    free.resize(chips);
    return Slice{asked, free, false};
}

bool
RandomSlicePolicy::MayWait(const SliceLedger& ledger, const SliceShape& asked) const
{
    return asked.GetNChips() <= ledger.GetNChips();
}

int64_t
RandomSlicePolicy::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

} // namespace ns3::odcn
