// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_TALLY_H
#define ODCN_FLOW_TALLY_H

#include "ns3/ipv4-header.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace ns3::odcn
{

class Ranks;

/**
 * @ingroup odcn
 *
 * Packets of each flow at the IPv4 layer of its two hosts, of any application. FlowMonitor cannot
 * be used where hosts are divided among ranks, because it looks for a received packet in the memory
 * of the process that sent it; here the time of sending travels with the packet.
 *
 * Keep the object until the end of the run.
 */
class FlowTally
{
  public:
    /// A flow: its addresses, protocol, and ports of TCP and UDP.
    struct Flow
    {
        uint32_t source{0};          //!< IPv4 address
        uint32_t destination{0};     //!< IPv4 address
        uint16_t sourcePort{0};      //!< port; 0 for other protocols
        uint16_t destinationPort{0}; //!< port; 0 for other protocols
        uint8_t protocol{0};         //!< of the IPv4 header

        /// @param o other flow
        /// @return their order, by members
        auto operator<=>(const Flow& o) const = default;
    };

    /// What is counted of a flow. Bytes include the IPv4 header; times are time steps.
    struct Counts
    {
        uint64_t sentPackets{0};     //!< sent by the source
        uint64_t sentBytes{0};       //!< of them
        uint64_t receivedPackets{0}; //!< received by the destination
        uint64_t receivedBytes{0};   //!< of them
        uint64_t delay{0};           //!< from sending to reception, sum
        uint64_t jitter{0};          //!< change of delay from one received packet to the next, sum
        uint64_t lastDelay{0};       //!< of the last received packet
        uint64_t lastReceived{0};    //!< when it was received
    };

    /// @param nodes to observe; those without IPv4, and those of other ranks, are left out
    explicit FlowTally(const NodeContainer& nodes);

    FlowTally(const FlowTally&) = delete;
    FlowTally& operator=(const FlowTally&) = delete;

    /**
     * Add what the other ranks have counted, after the run, once.
     * @param ranks all ranks
     */
    void Merge(Ranks& ranks);

    /// @return counts by flow
    const std::map<Flow, Counts>& GetFlows() const
    {
        return m_flows;
    }

    /**
     * Write a row for each flow, with mean delay and mean jitter in ns.
     * @param path CSV file
     * @throws OdcnError when it cannot be written
     */
    void Write(const std::string& path) const;

  private:
    /// @param header of a packet
    /// @param packet what follows
    /// @return counts of its flow
    Counts& Find(const Ipv4Header& header, const Ptr<const Packet>& packet);
    /// Sink of SendOutgoing.
    /// @param header of a packet
    /// @param packet what follows
    void Sent(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t);
    /// Sink of LocalDeliver.
    /// @param header of a packet
    /// @param packet what follows
    void Received(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t);

    std::map<Flow, Counts> m_flows; //!< by flow
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_TALLY_H */
