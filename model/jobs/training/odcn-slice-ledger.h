// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SLICE_LEDGER_H
#define ODCN_SLICE_LEDGER_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * The sides of a box of chips: of a pod, a cube, or the slice that a job asks for.
 *
 * @ingroup odcn
 */
struct SliceShape
{
    std::array<uint32_t, 3> sides{1, 1, 1}; //!< in chips, along x, y and z

    /**
     * @param option name of the option or Attribute, for the error
     * @param text sides such as "4x4x8", or a number of chips for OfSize()
     * @return the shape
     * @throws OdcnError when the text is something else, or more than 2^20 chips
     */
    static SliceShape Parse(const std::string& option, const std::string& text);

    /// @param chips their number, 1 or more
    /// @return the box of as many chips whose sides have the least sum, in rising order
    static SliceShape OfSize(uint32_t chips);

    /// @return number of chips
    uint32_t GetNChips() const
    {
        return sides[0] * sides[1] * sides[2];
    }

    /// @return the sides as text, such as "4x4x8"
    std::string GetText() const;

    /// @return the same box turned in all ways, each once, this one first
    std::vector<SliceShape> GetRotations() const;

    /// @return the same box with sides in rising order
    SliceShape GetSorted() const;

    /// @return number of sides longer than 1
    uint32_t GetNDimensions() const;

    /// Compare the sides, one after the other.
    /// @param other another shape
    /// @return the order
    auto operator<=>(const SliceShape& other) const = default;
};

/**
 * Chips of a pod that a job has.
 *
 * @ingroup odcn
 */
struct Slice
{
    SliceShape shape; //!< as placed; turned or folded, perhaps
    /// By node: that at (x, y, z) of the shape has the number (x Y + y) Z + z.
    std::vector<uint32_t> chips;
    /// Whether links join the chips as the shape says, see SliceLedger::IsJoined().
    bool isJoined{true};
};

/**
 * The ledger of chips of a pod: a box of chips, in cubes. A chip is free, used by one slice, or
 * failed: chips = free + used + failed. All or nothing: a slice has all its chips, or none.
 *
 * Chip (x, y, z) has the number (x Y + y) Z + z, and so have cubes. A failed cube takes all its
 * chips out of use.
 *
 * @ingroup odcn
 */
class SliceLedger
{
  public:
    /**
     * @param pod chips along each side
     * @param side chips along each edge of a cube
     * @throws OdcnError when a side of the pod is no multiple of that of a cube
     */
    SliceLedger(const SliceShape& pod, uint32_t side);

    /// @return chips along each side
    const SliceShape& GetPod() const
    {
        return m_pod;
    }

    /// @return chips along each edge of a cube
    uint32_t GetSide() const
    {
        return m_side;
    }

    /// @return number of chips
    uint32_t GetNChips() const
    {
        return static_cast<uint32_t>(m_states.size());
    }

    /// @return number of cubes
    uint32_t GetNCubes() const
    {
        return static_cast<uint32_t>(m_freeOf.size());
    }

    /// @param place coordinates of a chip
    /// @return its number
    uint32_t GetChip(const std::array<uint32_t, 3>& place) const
    {
        return (place[0] * m_pod.sides[1] + place[1]) * m_pod.sides[2] + place[2];
    }

    /// @param chip its number
    /// @return its coordinates
    std::array<uint32_t, 3> GetPlace(uint32_t chip) const;

    /// @param cube its number
    /// @param within coordinates within the cube
    /// @return the chip there
    uint32_t GetChipOf(uint32_t cube, const std::array<uint32_t, 3>& within) const;

    /// @param chip its number
    /// @return the number of its cube
    uint32_t GetCube(uint32_t chip) const
    {
        return m_cubeOf[chip];
    }

    /// @param chip its number
    /// @return whether it is free
    bool IsFree(uint32_t chip) const
    {
        return m_states[chip] == State::FREE;
    }

    /// @param cube its number
    /// @return number of its free chips
    uint32_t CountFree(uint32_t cube) const
    {
        return m_freeOf[cube];
    }

    /// Chips by state.
    struct Counts
    {
        uint32_t free{0};   //!< in no slice
        uint32_t used{0};   //!< in slices
        uint32_t failed{0}; //!< in no slice, not to be used
    };

    /// @return chips by state
    const Counts& Count() const
    {
        return m_counts;
    }

    /**
     * @param slice chips that are free
     * @return number of the slice
     * @throws OdcnError when a chip is not free or twice in it; nothing changes then
     */
    uint64_t Allocate(const Slice& slice);

    /// @param slice number of a slice, which ends
    /// @throws OdcnError when there is none such
    void Free(uint64_t slice);

    /// @param slice its number
    /// @return the slice
    /// @throws OdcnError when there is none such
    const Slice& GetSlice(uint64_t slice) const;

    /// @return the slices by number
    const std::map<uint64_t, Slice>& GetSlices() const
    {
        return m_slices;
    }

    /// What the failure of a cube did to a slice.
    struct Loss
    {
        uint64_t slice; //!< its number
        bool isSwapped; //!< whether another cube took the place of the failed one; else it ended
    };

    /**
     * A cube fails. For each slice with chips in it the cube of lowest number whose chips at the
     * same places are free takes its place, if optical switches join cubes; else the slice ends.
     * Nothing happens to a cube that has failed before.
     * @param cube its number
     * @param isSwitched whether optical switches join cubes
     * @return the slices with chips in it, by number
     * @throws OdcnError when there is no such cube
     */
    std::vector<Loss> Fail(uint32_t cube, bool isSwitched);

    /// @param cube number of a failed cube, whose chips are free again
    /// @throws OdcnError when there is no such cube, or it has not failed
    void Repair(uint32_t cube);

    /// @param cube its number
    /// @return whether it has failed
    bool IsFailed(uint32_t cube) const
    {
        return m_isFailed[cube];
    }

    /**
     * Check whether links join the chips of a slice as its shape says: each to its neighbours, and
     * the ends of a row to each other where the side is a multiple of a cube's. Without optical
     * switches a link joins chips side by side in the pod, whose own ends are joined, so that a row
     * is closed if it is as long as the pod. With them it joins chips side by side in a cube, and a
     * circuit joins the + face of any cube to the - face of any, at the same place of the face.
     * @param slice any
     * @param isSwitched whether optical switches join cubes
     * @return whether all these links exist
     */
    bool IsJoined(const Slice& slice, bool isSwitched) const;

  private:
    /// State of a chip.
    enum class State : uint8_t
    {
        FREE,   //!< in no slice
        USED,   //!< in a slice
        FAILED, //!< in no slice, not to be used
    };

    /// @param from a chip
    /// @param to another chip, or the same
    /// @param dimension 0 to 2
    /// @param isSwitched whether optical switches join cubes
    /// @return whether a link can lead from the one in direction + to the other
    bool IsLink(uint32_t from, uint32_t to, uint32_t dimension, bool isSwitched) const;
    /// @param chip its number
    /// @param state its new state
    void Set(uint32_t chip, State state);
    /// @param cube to check
    void CheckCube(uint32_t cube) const;
    /// @param cube failed
    /// @param slice with chips in it, which get places in another one
    /// @return whether there is one
    bool Swap(uint32_t cube, Slice& slice);

    SliceShape m_pod;                   //!< chips along each side
    uint32_t m_side;                    //!< chips along each edge of a cube
    std::vector<State> m_states;        //!< by chip
    std::vector<uint32_t> m_cubeOf;     //!< by chip
    std::vector<uint32_t> m_freeOf;     //!< by cube: number of free chips
    std::vector<bool> m_isFailed;       //!< by cube
    Counts m_counts;                    //!< chips by state
    std::map<uint64_t, Slice> m_slices; //!< by number
    uint64_t m_next{0};                 //!< number of the next slice
};

} // namespace ns3::odcn

#endif /* ODCN_SLICE_LEDGER_H */
