// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ARRIVAL_LANES_H
#define ODCN_ARRIVAL_LANES_H

#include <cstdint>
#include <limits>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Streams of an OdcnArrivalBank side by side, as processors with wide vectors want them.
 */
struct alignas(64) OdcnArrivalLanes
{
    /// Number of streams.
    static constexpr uint32_t WIDTH = 16;
    /// Time of the next packet of a stream that is off.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// State of the random streams (OdcnRandomStream::State) as whole numbers in doubles.
    double state[6][WIDTH];
    double meanGap[WIDTH]; //!< mean gap in ps, 1 for a stream that is off
    int64_t next[WIDTH];   //!< time of the next packet in ps
    int64_t last[WIDTH];   //!< time of the last packet, or of the flow's start, in ps
    int64_t earliest;      //!< least of next
    double shortest;       //!< least of meanGap
};

/**
 * @ingroup odcn
 *
 * Draws arrivals with the widest vectors that this processor has. The result is the same for all
 * widths, but for the order of what it writes.
 *
 * What is written of a packet is ((time - base) << shift) + number of its stream, so that numbers
 * sort by time.
 */
class OdcnArrivalKernel
{
  public:
    /// Most steps a call.
    static constexpr uint32_t MAX_STEPS = 16;
    /// Room that the output must have.
    static constexpr uint32_t ROOM = (MAX_STEPS + 1) * OdcnArrivalLanes::WIDTH;

    /// What to write.
    struct Window
    {
        int64_t base;   //!< times count from here, in ps
        int64_t until;  //!< packets at this time or later are not wanted, in ps
        uint32_t shift; //!< bits of a stream's number
    };

    /// Widths of vectors.
    enum Width
    {
        NARROW, //!< two doubles, or what the compiler makes of it
        AVX2,   //!< four doubles
        AVX512, //!< eight doubles
    };

    /// @param width largest width that may be used
    explicit OdcnArrivalKernel(Width width = AVX512);

    /**
     * Go on with each stream of a group by some packets, or until the window's end.
     *
     * @param [in,out] lanes the group
     * @param steps how many packets of each stream at most, 1 to MAX_STEPS
     * @param window what is wanted
     * @param first number of the group's first stream
     * @param [out] out packets, a stream's own in order; must have ROOM
     * @return how many were written
     */
    uint32_t Draw(OdcnArrivalLanes& lanes,
                  uint32_t steps,
                  const Window& window,
                  uint64_t first,
                  uint64_t* out) const
    {
        return m_draw(lanes, steps, window, first, out);
    }

    /**
     * Draw numbers without making gaps of them.
     *
     * @param state of the random streams, as in OdcnArrivalLanes, at an address divisible by 64
     * @param steps how many of each
     * @param [out] out OdcnRandomStream::Next() of each stream, [WIDTH][steps]
     */
    void DrawNumbers(const double (&state)[6][OdcnArrivalLanes::WIDTH],
                     uint32_t steps,
                     uint32_t* out) const
    {
        m_numbers(state, steps, out);
    }

    /// @return the width that is used
    Width GetWidth() const
    {
        return m_width;
    }

  private:
    Width m_width; //!< used
    /// of that width
    uint32_t (*m_draw)(OdcnArrivalLanes&, uint32_t, const Window&, uint64_t, uint64_t*);
    /// of that width
    void (*m_numbers)(const double (*)[OdcnArrivalLanes::WIDTH], uint32_t, uint32_t*);
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ARRIVAL_LANES_H */
