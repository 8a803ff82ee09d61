// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_PACKET_HEADER_H
#define OCS_PACKET_HEADER_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3::odcn
{

/// Fields of an IPv4 header that a switch needs.
struct OcsPacketHeader
{
    uint32_t destination{0}; //!< destination address in host order
    uint32_t flow{0};        //!< hash of addresses, protocol and ports; 0 if not requested
    uint8_t tos{0};          //!< type of service: DSCP and ECN

    /**
     * @param packet a packet
     * @param withFlow whether flow is requested
     * @return whether the packet is IPv4
     */
    bool Read(const Ptr<Packet>& packet, bool withFlow);

    /// @param packet a packet
    /// @return source address x 2^32 + destination address; 0 unless it is IPv4
    static uint64_t ReadPair(const Ptr<const Packet>& packet);

    /// @param packet an IPv4 packet  @return its destination port; none unless it is UDP or TCP,
    /// or a later fragment
    static std::optional<uint16_t> ReadDestinationPort(const Ptr<Packet>& packet);

    /**
     * Hash to spread flows: mixes the inputs into 32 bits, each of which depends on all input bits
     * (finaliser of splitmix64).
     *
     * @param source address, in host order
     * @param destination address, in host order
     * @param protocol IP protocol number
     * @param ports of UDP or TCP, source x 65536 + destination; 0 without ports
     * @return the hash of the flow
     */
    static uint32_t HashFlow(uint32_t source,
                             uint32_t destination,
                             uint8_t protocol,
                             uint32_t ports);
};

} // namespace ns3::odcn

#endif /* OCS_PACKET_HEADER_H */
