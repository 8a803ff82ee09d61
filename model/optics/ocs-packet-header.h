// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_PACKET_HEADER_H
#define OCS_PACKET_HEADER_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::odcn
{

/// What an IPv4 header tells a switch.
struct OcsPacketHeader
{
    uint32_t destination{0}; //!< in host order
    uint32_t flow{0};        //!< hash of addresses, protocol and ports; 0 if not asked for

    /**
     * @param packet a packet
     * @param withFlow whether flow is asked for
     * @return whether it is IPv4
     */
    bool Read(const Ptr<Packet>& packet, bool withFlow);

    /**
     * What spreads flows: 96 bits mixed into 32 so that each bit of the result depends on all
     * (splitmix64's finaliser).
     *
     * @param source address, in host order
     * @param destination address, in host order
     * @param protocol number of the protocol
     * @param ports UDP's or TCP's, source x 65536 + destination; 0 without them
     * @return the hash of the flow
     */
    static uint32_t HashFlow(uint32_t source,
                             uint32_t destination,
                             uint8_t protocol,
                             uint32_t ports);
};

} // namespace ns3::odcn

#endif /* OCS_PACKET_HEADER_H */
