// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_ADDRESS_PLAN_H
#define OCS_ADDRESS_PLAN_H

#include "ns3/ipv4-address.h"
#include "ns3/odcn-units.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * IPv4 addresses of servers, from which a switch extracts rack and server by a shift and a mask.
 *
 * All are in 10.0.0.0/8; the lowest serverBits bits are the server's index in its rack plus 1, the
 * bits above them the rack. With the usual 8 bits, server 16 of rack 5 is 10.0.5.17. Since the
 * ports need no ARP, all of 10.0.0.0/8 is on-link for each server, and no route is needed.
 *
 * Several networks (computing centres) share these addresses: 256 racks each, counted from
 * firstRack. With 8 bits, server 16 of rack 5 of network 3 is 10.3.5.17.
 */
struct OcsAddressPlan
{
    /// 10.0.0.0
    static constexpr uint32_t NETWORK = 0x0a000000;
    /// Bits below the network prefix.
    static constexpr uint32_t HOST_BITS = 24;
    /// Largest number of networks that share the addresses, and of racks of each.
    static constexpr uint32_t MAX_NETWORKS = 256;

    /// Bits of the server; the remaining host bits are those of the rack.
    uint32_t serverBits{8};
    /// Added to the number of a rack in its addresses, a multiple of MAX_NETWORKS.
    RackId firstRack{0};

    /**
     * Throws OdcnError if the addresses do not suffice.
     *
     * @param racks number of racks
     * @param serversPerRack servers in each
     * @return a plan for them, with 8 or more bits for the server
     */
    static OcsAddressPlan For(uint32_t racks, uint32_t serversPerRack);

    /**
     * @param rack the rack
     * @param server the server's index in the rack
     * @return its address
     */
    Ipv4Address GetAddress(RackId rack, uint32_t server) const
    {
        return Ipv4Address(NETWORK | ((firstRack + rack) << serverBits) | (server + 1));
    }

    /// @return the mask that all servers use, 255.0.0.0
    static Ipv4Mask GetMask()
    {
        return Ipv4Mask(0xff000000);
    }

    /**
     * @param address an address, in host order
     * @param [out] rack its rack; beyond all racks if it is in another network
     * @param [out] server its index in the rack; out of range for server bits of 0
     * @return whether the address is in 10.0.0.0/8
     */
    bool Find(uint32_t address, RackId& rack, uint32_t& server) const
    {
        rack = ((address & 0x00ffffff) >> serverBits) - firstRack;
        server = (address & ((1U << serverBits) - 1)) - 1;
        return (address & 0xff000000) == NETWORK;
    }

    /// @param rack a rack, as found
    /// @return number of its network
    uint32_t GetNetwork(RackId rack) const
    {
        return (firstRack + rack) / MAX_NETWORKS;
    }
};

} // namespace ns3::odcn

#endif /* OCS_ADDRESS_PLAN_H */
