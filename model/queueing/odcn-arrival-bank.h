// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ARRIVAL_BANK_H
#define ODCN_ARRIVAL_BANK_H

#include "odcn-random-stream.h"

#include "ns3/odcn-units.h"

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
 * A bank can be copied; the copy then lives on by itself.
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
     * A flow begins. Flows that begin at the same time must be started in the order in which the
     * application adds them.
     *
     * @param stream index of the stream, off until now
     * @param now time in ps; no packets before it may be asked for any more
     * @param meanGap mean gap in ps, see MeanGap()
     * @param bytes size of its packets
     * @throws OdcnError when a value is out of range
     */
    void Start(uint32_t stream, int64_t now, double meanGap, uint32_t bytes);

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

  private:
    /// One stream.
    struct Stream
    {
        OdcnRandomStream random; //!< draws the gaps
        double meanGap;          //!< in ps
        uint32_t bytes;          //!< of each packet
        bool on;                 //!< whether a flow uses it
        int64_t next;            //!< time of its next packet in ps
        uint64_t order;          //!< when that one was drawn: a count over all streams
    };

    /// Draw a stream's next packet. @param stream the stream  @param now when
    void Schedule(Stream& stream, int64_t now);

    std::vector<Stream> m_streams; //!< all
    uint64_t m_order{0};           //!< next value of Stream::order
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ARRIVAL_BANK_H */
