// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-folding.h"
#include "odcn-slice-policy.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <numeric>

namespace ns3::odcn
{

/**
 * Cubes anywhere in the pod, which optical switches join to the asked shape, turned in all ways. A
 * side that is no multiple of a cube's takes parts of further cubes. All parts of a shape are in
 * cubes of their own.
 *
 * A circuit joins chips at the same place of two faces only. So parts lie alike in their cubes, at
 * the face where they are joined (Aligned). RFold's program chooses for each kind of part where it
 * lies, so that some of its slices cannot be joined.
 *
 * @ingroup odcn
 */
class ReconfigSlicePolicy : public SlicePolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) override;
    bool MayWait(const SliceLedger& ledger, const SliceShape& asked) const override;

    bool IsSwitched() const override
    {
        return true;
    }

  protected:
    /// @param ledger of the pod
    /// @param shape any
    /// @return number of cubes in which it has chips
    static uint64_t CountCubes(const SliceLedger& ledger, const SliceShape& shape);

  private:
    /// Kinds of parts: a bit for each dimension in which they are shorter than a cube.
    static constexpr uint32_t KINDS = 8;
    using Place3 = std::array<uint32_t, 3>; //!< coordinates or lengths

    /// A shape cut into cubes and parts of cubes.
    struct Cut
    {
        SliceShape shape; //!< the shape
        uint32_t side;    //!< of a cube
        Place3 full;      //!< number of cubes along each dimension
        Place3 rest;      //!< chips beyond them

        /// @param kind of parts
        /// @return their number
        uint32_t CountParts(uint32_t kind) const;
        /// @param kind of parts
        /// @return their lengths
        Place3 GetPart(uint32_t kind) const;
    };

    /// @param ledger of the pod
    /// @param cut a shape
    /// @return its slice, if there is one
    std::optional<Slice> PlaceAligned(const SliceLedger& ledger, const Cut& cut) const;
    /// As PlaceAligned(), each kind of parts where there is room for all of them.
    /// @param ledger of the pod
    /// @param cut a shape
    /// @return its slice, if there is one
    std::optional<Slice> PlaceLoosely(const SliceLedger& ledger, const Cut& cut) const;

    /**
     * Take cubes for all parts of a kind.
     * @param ledger of the pod
     * @param cut a shape
     * @param kind of parts
     * @param offset of the parts in their cubes
     * @param [in,out] isTaken by cube: whether it has a part
     * @param [out] cubes of the parts
     * @return whether there are enough; if not, nothing is taken
     */
    static bool Take(const SliceLedger& ledger,
                     const Cut& cut,
                     uint32_t kind,
                     const Place3& offset,
                     std::vector<bool>& isTaken,
                     std::vector<uint32_t>& cubes);

    /**
     * @param ledger of the pod
     * @param cut a shape
     * @param offsets of the parts in their cubes, by kind
     * @param cubes of the parts, by kind
     * @return the slice
     */
    static Slice Join(const SliceLedger& ledger,
                      const Cut& cut,
                      const std::array<Place3, KINDS>& offsets,
                      const std::array<std::vector<uint32_t>, KINDS>& cubes);

    bool m_aligned; //!< Aligned
};

/**
 * RFold (Chen et al., arXiv:2510.03891; github.com/shuoshuc/RFold, b981455): a shape of two or
 * three dimensions is folded to that of fewest cubes, if it takes no more than unfolded, and placed
 * as ReconfigSlicePolicy does. A row fills what is free in cubes, those in use before empty ones,
 * and the emptiest first; in the last cube it is a path between chips of the faces. If there is
 * none, it is placed as a shape. Of a row over several cubes RFold asks no more, so that it may
 * have gaps.
 *
 * @ingroup odcn
 */
class RfoldSlicePolicy : public ReconfigSlicePolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) override;
    bool MayWait(const SliceLedger& ledger, const SliceShape& asked) const override;

  private:
    /// @param ledger of the pod
    /// @param asked a sheet or box
    /// @return the shape to place
    static SliceShape Fold(const SliceLedger& ledger, const SliceShape& asked);
    /// @param ledger of the pod
    /// @param row the row
    /// @return its slice in what is free in cubes, if there is one
    std::optional<Slice> PlaceRow(const SliceLedger& ledger, const SliceShape& row) const;
    /// @param ledger of the pod
    /// @param cube its number
    /// @param chips number of chips of the path
    /// @param axis between whose faces it leads
    /// @return free chips of the cube in order; none if none was found
    std::vector<uint32_t> FindPath(const SliceLedger& ledger,
                                   uint32_t cube,
                                   uint32_t chips,
                                   uint32_t axis) const;

    uint32_t m_steps; //!< Steps
};

NS_OBJECT_ENSURE_REGISTERED(ReconfigSlicePolicy);
NS_OBJECT_ENSURE_REGISTERED(RfoldSlicePolicy);
ODCN_REGISTER_SLICE_POLICY(ReconfigSlicePolicy, "reconfig")
ODCN_REGISTER_SLICE_POLICY(RfoldSlicePolicy, "rfold")

TypeId
ReconfigSlicePolicy::GetTypeId()
{
    using T = ReconfigSlicePolicy;
    static TypeId tid =
        TypeIdOf<ReconfigSlicePolicy, SlicePolicy>("ns3::odcn::ReconfigSlicePolicy")
            .Add(Attribute("Aligned", &T::m_aligned, true),
                 "Whether parts of cubes lie where circuits can join them; false as in RFold's "
                 "program");
    return tid;
}

uint32_t
ReconfigSlicePolicy::Cut::CountParts(uint32_t kind) const
{
    uint32_t parts = 1;
    for (uint32_t d = 0; d < 3; ++d)
    {
        parts *= kind >> d & 1 ? uint32_t(rest[d] > 0) : full[d];
    }
    return parts;
}

ReconfigSlicePolicy::Place3
ReconfigSlicePolicy::Cut::GetPart(uint32_t kind) const
{
    Place3 part{};
    for (uint32_t d = 0; d < 3; ++d)
    {
        part[d] = kind >> d & 1 ? rest[d] : side;
    }
    return part;
}

bool
ReconfigSlicePolicy::Take(const SliceLedger& ledger,
                          const Cut& cut,
                          uint32_t kind,
                          const Place3& offset,
                          std::vector<bool>& isTaken,
                          std::vector<uint32_t>& cubes)
{
    const uint32_t wanted = cut.CountParts(kind);
    const Place3 part = cut.GetPart(kind);
    const uint32_t chips = part[0] * part[1] * part[2];
    const auto hasRoom = [&](uint32_t cube)
    {
        for (uint32_t x = 0; x < part[0]; ++x)
        {
            for (uint32_t y = 0; y < part[1]; ++y)
            {
                for (uint32_t z = 0; z < part[2]; ++z)
                {
                    if (!ledger.IsFree(
                            ledger.GetChipOf(cube, {offset[0] + x, offset[1] + y, offset[2] + z})))
                    {
                        return false;
                    }
                }
            }
        }
        return true;
    };
    cubes.clear();
    for (uint32_t cube = 0; cube < ledger.GetNCubes() && cubes.size() < wanted; ++cube)
    {
        if (!isTaken[cube] && ledger.CountFree(cube) >= chips && hasRoom(cube))
        {
            cubes.push_back(cube);
        }
    }
    if (cubes.size() < wanted)
    {
        return false;
    }
    std::ranges::for_each(cubes, [&](uint32_t cube) { isTaken[cube] = true; });
    return true;
}

/// Kinds of parts in the order in which they are placed: whole cubes, those short in one dimension
/// (z, y, x), in two, in three.
static constexpr std::array<uint32_t, 8> KINDS_IN_ORDER{0, 4, 2, 1, 6, 5, 3, 7};

Slice
ReconfigSlicePolicy::Join(const SliceLedger& ledger,
                          const Cut& cut,
                          const std::array<Place3, KINDS>& offsets,
                          const std::array<std::vector<uint32_t>, KINDS>& cubes)
{
    Slice slice{cut.shape, {}};
    Place3 node{};
    for (node[0] = 0; node[0] < cut.shape.sides[0]; ++node[0])
    {
        for (node[1] = 0; node[1] < cut.shape.sides[1]; ++node[1])
        {
            for (node[2] = 0; node[2] < cut.shape.sides[2]; ++node[2])
            {
                // A part whose + face is joined comes before the whole cubes.
                const auto isBefore = [&](uint32_t d)
                { return cut.full[d] > 0 && offsets[KINDS - 1][d] > 0; };
                uint32_t kind = 0;
                Place3 block{};
                Place3 within{};
                for (uint32_t d = 0; d < 3; ++d)
                {
                    const uint32_t before = isBefore(d) ? cut.rest[d] : 0;
                    const bool isPart =
                        isBefore(d) ? node[d] < cut.rest[d] : node[d] >= cut.full[d] * cut.side;
                    kind |= uint32_t(isPart) << d;
                    block[d] = isPart ? 0 : (node[d] - before) / cut.side;
                    within[d] = (node[d] - (isPart ? 0 : before)) % cut.side;
                }
                uint32_t index = 0;
                for (uint32_t d = 0; d < 3; ++d)
                {
                    const bool isPart = kind >> d & 1;
                    index = index * (isPart ? 1 : cut.full[d]) + block[d];
                    within[d] += isPart ? offsets[kind][d] : 0;
                }
                slice.chips.push_back(ledger.GetChipOf(cubes[kind][index], within));
            }
        }
    }
    return slice;
}

std::optional<Slice>
ReconfigSlicePolicy::PlaceAligned(const SliceLedger& ledger, const Cut& cut) const
{
    // Where parts may lie in each dimension: anywhere if they are joined to nothing there.
    std::array<std::vector<uint32_t>, 3> choices;
    for (uint32_t d = 0; d < 3; ++d)
    {
        const uint32_t most = cut.rest[d] > 0 ? cut.side - cut.rest[d] : 0;
        for (uint32_t offset = 0; offset <= most; ++offset)
        {
            if (cut.full[d] == 0 || offset == 0 || offset == most)
            {
                choices[d].push_back(offset);
            }
        }
    }
    for (const uint32_t x : choices[0])
    {
        for (const uint32_t y : choices[1])
        {
            for (const uint32_t z : choices[2])
            {
                const Place3 all{x, y, z};
                std::array<Place3, KINDS> offsets{};
                std::array<std::vector<uint32_t>, KINDS> cubes;
                std::vector<bool> isTaken(ledger.GetNCubes());
                for (uint32_t kind = 0; kind < KINDS; ++kind)
                {
                    for (uint32_t d = 0; d < 3; ++d)
                    {
                        offsets[kind][d] = kind >> d & 1 ? all[d] : 0;
                    }
                }
                if (std::ranges::all_of(
                        KINDS_IN_ORDER,
                        [&](uint32_t kind)
                        { return Take(ledger, cut, kind, offsets[kind], isTaken, cubes[kind]); }))
                {
                    return Join(ledger, cut, offsets, cubes);
                }
            }
        }
    }
    return {};
}

std::optional<Slice>
ReconfigSlicePolicy::PlaceLoosely(const SliceLedger& ledger, const Cut& cut) const
{
    std::array<Place3, KINDS> offsets{};
    std::array<std::vector<uint32_t>, KINDS> cubes;
    std::vector<bool> isTaken(ledger.GetNCubes());
    const bool isAnywhere = cut.CountParts(0) == 0; // in RFold's program, without whole cubes
    for (const uint32_t kind : KINDS_IN_ORDER)
    {
        const Place3 part = cut.GetPart(kind);
        bool isFound = cut.CountParts(kind) == 0;
        Place3 offset{};
        const auto search = [&](const auto& self, uint32_t d) -> void
        {
            if (d == 3)
            {
                isFound = Take(ledger, cut, kind, offset, isTaken, cubes[kind]);
                offsets[kind] = offset;
                return;
            }
            for (uint32_t at = 0; at + part[d] <= cut.side && !isFound; ++at)
            {
                if (isAnywhere || at == 0 || at + part[d] == cut.side)
                {
                    offset[d] = at;
                    self(self, d + 1);
                }
            }
        };
        if (!isFound)
        {
            search(search, 0);
        }
        if (!isFound)
        {
            return {};
        }
    }
    Slice slice = Join(ledger, cut, offsets, cubes);
    slice.isJoined = ledger.IsJoined(slice, true);
    return slice;
}

std::optional<Slice>
ReconfigSlicePolicy::Place(const SliceLedger& ledger, const SliceShape& asked)
{
    for (const SliceShape& shape : asked.GetRotations())
    {
        Cut cut{shape, ledger.GetSide(), {}, {}};
        for (uint32_t d = 0; d < 3; ++d)
        {
            cut.full[d] = shape.sides[d] / cut.side;
            cut.rest[d] = shape.sides[d] % cut.side;
        }
        auto slice = m_aligned ? PlaceAligned(ledger, cut) : PlaceLoosely(ledger, cut);
        if (slice)
        {
            return slice;
        }
    }
    return {};
}

uint64_t
ReconfigSlicePolicy::CountCubes(const SliceLedger& ledger, const SliceShape& shape)
{
    uint64_t cubes = 1;
    for (const uint32_t length : shape.sides)
    {
        cubes *= (length + ledger.GetSide() - 1) / ledger.GetSide();
    }
    return cubes;
}

bool
ReconfigSlicePolicy::MayWait(const SliceLedger& ledger, const SliceShape& asked) const
{
    return CountCubes(ledger, asked) <= ledger.GetNCubes();
}

TypeId
RfoldSlicePolicy::GetTypeId()
{
    using T = RfoldSlicePolicy;
    static TypeId tid =
        TypeIdOf<RfoldSlicePolicy, ReconfigSlicePolicy>("ns3::odcn::RfoldSlicePolicy")
            .Add(Attribute("Steps", &T::m_steps, 20000),
                 "Steps after which the search for a path in a cube ends; RFold's program ends it "
                 "after 10 s");
    return tid;
}

SliceShape
RfoldSlicePolicy::Fold(const SliceLedger& ledger, const SliceShape& asked)
{
    const auto options = GetFoldings(asked, ledger.GetSide());
    const auto count = [&](const SliceShape& shape) { return CountCubes(ledger, shape); };
    const auto best = std::ranges::min_element(options, {}, count);
    return best != options.end() && count(*best) <= count(asked) ? *best : asked;
}

std::vector<uint32_t>
RfoldSlicePolicy::FindPath(const SliceLedger& ledger,
                           uint32_t cube,
                           uint32_t chips,
                           uint32_t axis) const
{
    const uint32_t side = ledger.GetSide();
    const uint32_t last = side - 1;
    const uint32_t all = side * side * side;
    const auto place = [&](uint32_t at) {
        return std::array<uint32_t, 3>{at / side / side, at / side % side, at % side};
    };
    std::vector<bool> isOpen(all); // free and not on the path
    for (uint32_t at = 0; at < all; ++at)
    {
        isOpen[at] = ledger.IsFree(ledger.GetChipOf(cube, place(at)));
    }
    const auto isOnFace = [&](uint32_t at)
    { return place(at)[axis] == 0 || place(at)[axis] == last; };
    const auto getNext = [&](uint32_t at)
    {
        std::vector<uint32_t> next;
        for (uint32_t d = 0; d < 3; ++d)
        {
            for (const uint32_t move : {1U, last})
            {
                auto to = place(at);
                to[d] = (to[d] + move) % side;
                const uint32_t other = (to[0] * side + to[1]) * side + to[2];
                if (isOpen[other] && std::ranges::find(next, other) == next.end())
                {
                    next.push_back(other);
                }
            }
        }
        return next;
    };
    std::vector<uint32_t> path;
    uint32_t steps = 0;
    const auto extend = [&](const auto& self, uint32_t at) -> bool
    {
        path.push_back(at);
        isOpen[at] = false;
        if (path.size() == chips && path.size() > 1 && isOnFace(at))
        {
            return true;
        }
        if (path.size() < chips && ++steps <= m_steps)
        {
            // Those with fewest ways on first (Warnsdorff), so that none is left behind.
            auto next = getNext(at);
            std::ranges::stable_sort(next, {}, [&](uint32_t to) { return getNext(to).size(); });
            for (const uint32_t to : next)
            {
                if (self(self, to))
                {
                    return true;
                }
            }
        }
        path.pop_back();
        isOpen[at] = true;
        return false;
    };
    for (uint32_t at = 0; at < all; ++at)
    {
        if (isOpen[at] && isOnFace(at) && extend(extend, at))
        {
            for (uint32_t& chip : path)
            {
                chip = ledger.GetChipOf(cube, place(chip));
            }
            return path;
        }
    }
    return {};
}

std::optional<Slice>
RfoldSlicePolicy::PlaceRow(const SliceLedger& ledger, const SliceShape& row) const
{
    const uint32_t whole = ledger.GetSide() * ledger.GetSide() * ledger.GetSide();
    std::vector<uint32_t> cubes;
    std::vector<uint32_t> empty;
    uint32_t chips = 0;
    for (uint32_t cube = 0; cube < ledger.GetNCubes(); ++cube)
    {
        const uint32_t free = ledger.CountFree(cube);
        if (free > 1)
        {
            (free == whole ? empty : cubes).push_back(cube);
            chips += free < whole ? free : 0;
        }
    }
    for (; chips < row.GetNChips(); chips += whole)
    {
        if (empty.empty())
        {
            return {};
        }
        cubes.push_back(empty.back());
        empty.pop_back();
    }
    std::ranges::stable_sort(cubes,
                             std::ranges::greater(),
                             [&](uint32_t cube) { return ledger.CountFree(cube); });
    Slice slice{row, {}, false};
    for (const uint32_t cube : cubes)
    {
        const auto wanted = static_cast<uint32_t>(row.GetNChips() - slice.chips.size());
        if (ledger.CountFree(cube) >= wanted)
        {
            for (uint32_t axis = 3; axis-- > 0;)
            {
                const auto path = FindPath(ledger, cube, wanted, axis);
                if (!path.empty())
                {
                    slice.chips.insert(slice.chips.end(), path.begin(), path.end());
                    return slice;
                }
            }
            return {};
        }
        for (uint32_t at = 0; at < whole; ++at)
        {
            const uint32_t side = ledger.GetSide();
            const uint32_t chip =
                ledger.GetChipOf(cube, {at / side / side, at / side % side, at % side});
            if (ledger.IsFree(chip))
            {
                slice.chips.push_back(chip);
            }
        }
    }
    return {};
}

std::optional<Slice>
RfoldSlicePolicy::Place(const SliceLedger& ledger, const SliceShape& asked)
{
    if (asked.GetNDimensions() != 1)
    {
        return ReconfigSlicePolicy::Place(ledger, Fold(ledger, asked));
    }
    auto slice = PlaceRow(ledger, asked);
    return slice ? slice : ReconfigSlicePolicy::Place(ledger, asked);
}

bool
RfoldSlicePolicy::MayWait(const SliceLedger& ledger, const SliceShape& asked) const
{
    return asked.GetNDimensions() == 1 ? asked.GetNChips() <= ledger.GetNChips()
                                       : ReconfigSlicePolicy::MayWait(ledger, Fold(ledger, asked));
}

} // namespace ns3::odcn
