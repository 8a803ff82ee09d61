// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ARRIVAL_BANK_H
#define ODCN_ARRIVAL_BANK_H

#include "odcn-arrival-lanes.h"

#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-units.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/// A packet that a flow sends.
struct OdcnArrival
{
    int64_t time;    //!< when, in ps
    uint32_t stream; //!< which stream of the bank sent it
    uint32_t bytes;  //!< size with IPv4 and UDP headers

    /// @param o other  @return whether all members are equal
    bool operator==(const OdcnArrival& o) const = default;
};

/**
 * @ingroup odcn
 *
 * Packets of a stretch of time in the order in which they leave, a word each.
 */
struct OdcnArrivalBlock
{
    int64_t base{0};              //!< times count from here, in ps
    uint32_t shift{0};            //!< bits of a stream's number
    std::vector<uint64_t> packed; //!< (time - base) x 2^shift + stream
    std::vector<uint32_t> bytes;  //!< sizes; empty if all are those that Start() was given
    /// Whether a packet leaves in the same event as the one before it, a burst; empty if none does.
    std::vector<uint8_t> follows;

    /// @param i packet  @return when it leaves, in ps
    int64_t GetTime(std::size_t i) const
    {
        return base + static_cast<int64_t>(packed[i] >> shift);
    }

    /// @param i packet  @return the stream that sent it
    uint32_t GetStream(std::size_t i) const
    {
        return static_cast<uint32_t>(packed[i] & ((uint64_t(1) << shift) - 1));
    }
};

/**
 * @ingroup odcn
 *
 * The packets that the flows of OdcnJobFlowApplication send, without events: the same random
 * streams, the same times to the picosecond (at that resolution of Time), in the same order.
 *
 * A stream stands for a place in an application's list of flows and keeps its random state for
 * ever. While a flow uses it, packets leave at Poisson times: the first one a gap after Start(),
 * gaps being ExponentialRandomVariable's, rounded to time steps. Stop() forgets the packet that is
 * pending, whose gap has been drawn.
 *
 * Packets of one time step come in the order of ns-3's events: that flow first whose event was
 * scheduled first, which it was at its packet before or at Start().
 *
 * A bank can be copied; the copy then lives on by itself, except that copies of an OdcnPacketLaw
 * share their variables.
 */
class OdcnArrivalBank
{
  public:
    /**
     * Add a stream, that is off.
     *
     * @param ns3Stream number as for RandomVariableStream::SetStream(); seed and run are those
     * that RngSeedManager has now
     * @return its index, 0 for the first one
     */
    uint32_t AddStream(int64_t ns3Stream);

    /// @return number of streams
    uint32_t GetNStreams() const;

    /**
     * Set what a stream's flows send at a time, if it is not one packet of one size. The gap after
     * a burst of b packets has b times the mean.
     *
     * @param stream index of the stream, off until now
     * @param law how many and of which sizes
     * @throws OdcnError when the stream is on
     */
    void SetLaw(uint32_t stream, const OdcnPacketLaw& law);

    /**
     * A flow begins. Flows that begin at the same time must be started in the order in which the
     * application adds them.
     *
     * @param stream index of the stream, off until now
     * @param now time in ps, not before what was drawn already
     * @param meanGap mean gap in ps, see MeanGap()
     * @param bytes size of its packets; where sizes are drawn, it has no effect
     * @throws OdcnError when a value is out of range
     */
    void Start(uint32_t stream, int64_t now, double meanGap, uint32_t bytes);

    /**
     * @param meanGap mean gap of a flow's packets in ps
     * @param bytes their size
     * @throws OdcnError when Start() would refuse one of them
     */
    static void CheckFlow(double meanGap, uint32_t bytes);

    /// @param stream index of the stream whose flow ends; nothing happens if it is off
    void Stop(uint32_t stream);

    /// @param stream index of a stream  @return whether a flow uses it
    bool IsOn(uint32_t stream) const;

    /**
     * @param until time in ps
     * @param [out] out packets that leave before it are appended in the order said above
     */
    void Draw(int64_t until, std::vector<OdcnArrival>& out);

    /**
     * Draw() in pieces that stay in the cache, and without copying them.
     *
     * @param until time in ps
     * @param [out] block packets of the next stretch of time, that ends there or earlier
     * @return whether the stretch is not empty; if not, all packets before @p until were drawn
     */
    bool DrawBlock(int64_t until, OdcnArrivalBlock& block);

    /// @param packets how many a block should have, about; 0 for what suits the number of flows
    void SetBlockSize(uint32_t packets);

    /// @param stream index of a stream  @return size of its packets in bytes, as Start() was told
    uint32_t GetBytes(uint32_t stream) const
    {
        return m_bytes[stream];
    }

    /**
     * @param rate mean rate of a flow in bit/s, above 0
     * @param bytes mean size of its packets
     * @return mean gap in ps, computed as OdcnJobFlowApplication does
     */
    static double MeanGap(BitRate rate, uint32_t bytes)
    {
        return 8.0 * bytes * 1e12 / static_cast<double>(rate);
    }

    /// Largest mean gap, in ps: times must not overflow.
    static constexpr double MAX_MEAN_GAP = 1e17;

    /// Most streams.
    static constexpr uint32_t MAX_STREAMS = 1 << 22;

    /// @param kernel what draws; any gives the same packets
    void SetKernel(const OdcnArrivalKernel& kernel);

  private:
    /// What a stream sends at a time, if not one packet of one size.
    struct Law
    {
        OdcnPacketLaw law;            //!< draws it
        std::vector<uint32_t> bursts; //!< packets of the block's bursts, if the law draws bursts
        std::size_t next{0};          //!< of these, the next to be sent
    };

    /// Index of no law.
    static constexpr uint32_t NO_LAW = UINT32_MAX;

    /// Draw the bursts of a group's streams. @param group the group  @param window the window
    void DrawBursts(std::size_t group, const OdcnArrivalKernel::Window& window);

    /// Put packets in place of bursts, and draw sizes. @param [in,out] block ordered
    void Expand(OdcnArrivalBlock& block);

    /// Make room for more packets as they are drawn. @param packets how many
    void Reserve(std::size_t packets);

    /// Draw all packets of a window. @param window the window
    void DrawUnsorted(const OdcnArrivalKernel::Window& window);

    /// Order the packets of a block. @param end where it ends, in ps  @param [in,out] block block
    void Sort(int64_t end, OdcnArrivalBlock& block);

    /**
     * Order packets of one time step as ns-3's events.
     * @param block the block, ordered up to them
     * @param begin first of them, each stream's own in order  @param end past the last of them
     */
    void OrderTies(OdcnArrivalBlock& block, std::size_t begin, std::size_t end);

    /// When a stream's next packet became an event.
    struct Scheduled
    {
        int64_t time;      //!< in ps
        uint64_t order;    //!< within that time step
        bool again{false}; //!< the flow's start, and its first packet left in that time step

        /// @param o other  @return which came first
        auto operator<=>(const Scheduled& o) const = default;
    };

    /// @param block ordered up to @p end  @param end where to look back from  @param stream stream
    /// @return when the stream's packet from there on became an event
    Scheduled GetScheduled(const OdcnArrivalBlock& block, std::size_t end, uint32_t stream) const;

    OdcnArrivalKernel m_kernel;            //!< draws
    uint32_t m_blockSize{0};               //!< packets, 0 for automatic
    uint32_t m_nStreams{0};                //!< number of streams
    uint32_t m_nOn{0};                     //!< of these, used by a flow
    double m_rate{0};                      //!< of all flows, in packets per ps
    int64_t m_drawn{0};                    //!< packets before this time were drawn
    std::vector<OdcnArrivalLanes> m_lanes; //!< streams, in groups
    std::vector<uint32_t> m_bytes;         //!< by stream, 0 when it is off
    std::vector<int64_t> m_before;         //!< by stream: last packet ahead of the block
    std::vector<Law> m_laws;               //!< of streams that have one
    std::vector<uint32_t> m_lawOf;         //!< by stream: index there or NO_LAW; empty without any
    std::vector<uint64_t> m_events;        //!< bursts of the block
    std::vector<Scheduled> m_scheduled; //!< by stream: at its start, or if its time step was shared
    uint64_t m_nextOrder{0};            //!< next value of an order
    std::vector<uint64_t> m_unsorted;   //!< packets of the block as they are drawn
    std::size_t m_nUnsorted{0};         //!< number of them
    std::vector<uint32_t> m_places;     //!< where the packets of a bucket begin
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ARRIVAL_BANK_H */
