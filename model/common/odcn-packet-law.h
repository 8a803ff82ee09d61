// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_LAW_H
#define ODCN_PACKET_LAW_H

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What packets a flow sends whenever it sends: how many at once, and of which sizes. In packets and
 * in the exact engine alike, so that both see the same traffic.
 *
 * Each flow has variables of its own, copied from a pattern by its Attributes, on streams of their
 * own: whose gaps come from stream s draws sizes from s + SIZE_STREAMS and bursts from
 * s + BURST_STREAMS. A burst is drawn before its packets' sizes.
 *
 * Copies share their variables.
 */
class OdcnPacketLaw
{
  public:
    /// From the stream of a flow's gaps to that of its sizes.
    static constexpr int64_t SIZE_STREAMS = int64_t(1) << 40;
    /// From the stream of a flow's gaps to that of its bursts.
    static constexpr int64_t BURST_STREAMS = int64_t(1) << 41;
    /// Most packets at once.
    static constexpr uint32_t MAX_BURST = 1 << 16;

    /// One packet at a time, and of one size.
    OdcnPacketLaw() = default;

    /**
     * @param sizes pattern of the sizes in bytes, IPv4 and UDP headers included; null for one size
     * @param bursts pattern of the number of packets at once; null for 1
     * @param gapStream stream of the flow's gaps; negative for automatic streams
     * @throws OdcnError when a pattern is not told by its Attributes
     */
    OdcnPacketLaw(const Ptr<RandomVariableStream>& sizes,
                  const Ptr<RandomVariableStream>& bursts,
                  int64_t gapStream);

    /**
     * Set which sizes may be.
     *
     * @param least smallest size in bytes
     * @param greatest largest size in bytes
     */
    void SetBounds(uint32_t least, uint32_t greatest);

    /// @param gapStream stream of the flow's gaps; negative for automatic streams
    void AssignStreams(int64_t gapStream);

    /// @return whether sizes are drawn
    bool DrawsSizes() const
    {
        return bool(m_sizes);
    }

    /// @return whether bursts are drawn
    bool DrawsBursts() const
    {
        return bool(m_bursts);
    }

    /**
     * @param mean size when none is drawn
     * @return size of the next packet in bytes
     * @throws OdcnError when one out of bounds is drawn
     */
    uint32_t NextSize(uint32_t mean) const
    {
        return m_sizes ? DrawSize() : mean;
    }

    /**
     * @return how many packets to send at once
     * @throws OdcnError when the number drawn is not 1 to MAX_BURST
     */
    uint32_t NextBurst() const
    {
        return m_bursts ? DrawBurst() : 1;
    }

  private:
    /// @return size of the next packet
    uint32_t DrawSize() const;

    /// @return size of the next burst
    uint32_t DrawBurst() const;

    Ptr<RandomVariableStream> m_sizes;  //!< of packets, null if constant
    Ptr<RandomVariableStream> m_bursts; //!< packets at once, null if 1
    uint32_t m_least{1};                //!< smallest size
    uint32_t m_greatest{65535};         //!< largest size
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_LAW_H */
