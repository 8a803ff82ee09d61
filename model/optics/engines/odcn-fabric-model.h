// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_MODEL_H
#define ODCN_FABRIC_MODEL_H

#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <span>

namespace ns3::odcn
{

/**
 * @param rate line rate in bit/s, above 0
 * @param bytes size of a packet
 * @return transmission time in ps: DataRate::CalculateBytesTxTime() at picosecond resolution
 */
int64_t TransmissionTime(BitRate rate, uint32_t bytes);

/// How packets spread over parallel circuits to a rack; see TorSwitch::SpreadingMode.
enum class Spreading : uint8_t
{
    PER_PACKET,  //!< uniformly at random
    ROUND_ROBIN, //!< in turn
    PER_FLOW     //!< by PacketFlow::hash
};

/**
 * @ingroup odcn
 *
 * Parameters of an optical data centre for PacketFabric and SchedulePackets: what OcsHelper builds,
 * in numbers.
 *
 * All network cards and the ports to servers are identical, and so are all uplinks.
 */
struct FabricModel
{
    uint32_t racks{2};                //!< |V|
    uint32_t serversPerRack{1};       //!< M
    uint32_t uplinks{1};              //!< uplinks per ToR switch
    uint32_t switches{1};             //!< |W|, optical circuit switches
    BitRate serverRate{400000000000}; //!< rate of server ports, bit/s
    BitRate uplinkRate{40000000000};  //!< rate of uplinks, bit/s
    uint32_t serverQueue{1000};       //!< queue limit of a server port, packets
    uint32_t uplinkQueue{15};         //!< queue limit of an uplink, packets
    bool fairServers{false};          //!< whether ports to servers have FairQueues
    bool fairHeld{false};             //!< TorSwitch::FairQueues
    uint32_t trimData{0};             //!< ports of servers: TrimQueue::DataPackets, or 0
    uint32_t trimHeaders{0};          //!< the same: TrimQueue::HeaderSize, or 0
    int64_t serverDelay{0};           //!< delay of a fibre between server and ToR switch, ps
    int64_t uplinkDelay{0};           //!< delay of a fibre between ToR and optical switch, ps
    Spreading spreading{};            //!< how packets spread over parallel circuits
    bool detour{false};               //!< without a circuit: route over another rack (else drop)
    bool hold{false};                 //!< without a circuit: wait for one (SchedulePackets only)
    int64_t darkTime{10000000000};    //!< dark time of a moved circuit, ps
    bool deliver{false};              //!< whether OcsSwitch::InFlight is Deliver
    uint32_t mtu{1500};               //!< largest packet on an uplink, bytes

    /// @return number of servers
    uint32_t GetNServers() const
    {
        return racks * serversPerRack;
    }

    /// @param bytes size of a packet
    /// @return see OcsFabric::GetLinksTime(), ps
    int64_t GetLinksTime(uint32_t bytes) const;

    /// @throws OdcnError when a parameter is out of range
    void Check() const;
};

/// A flow as JobFlowApplication sends it.
struct PacketFlow
{
    ServerId from{0};  //!< sending server
    ServerId to{0};    //!< receiving server, another one
    double meanGap{0}; //!< mean gap between packets, ps, see PacketSource::MeanGap()
    /// Size of a packet with its IPv4 header, in bytes; the mean where sizes are drawn.
    uint32_t bytes{0};
    uint32_t hash{0}; //!< hash of addresses, protocol and ports, see OcsPacketHeader::HashFlow()
};

/// Outcome of a packet.
struct PacketFate
{
    uint32_t flow;      //!< index of its flow
    uint32_t sequence;  //!< sequence number in the flow, from 0 in each run
    int64_t sent;       //!< when it was handed to the network card, ps
    int64_t ended;      //!< when it reached its receiver or was lost, ps
    bool received;      //!< whether it reached its receiver
    OcsDropCause cause; //!< drop cause, if it was lost
};

/**
 * @ingroup odcn
 *
 * Receives packet outcomes. A plain interface, because there are millions per second.
 */
class OdcnPacketSink
{
  public:
    virtual ~OdcnPacketSink() = default;

    /**
     * A batch of packets has ended, in no particular order. Packets received by the same server are
     * in order.
     *
     * @param rack where they have ended; calls for different racks may overlap, if there are
     * several threads
     * @param fates their outcomes
     */
    virtual void Take(RackId rack, std::span<const PacketFate> fates) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_MODEL_H */
