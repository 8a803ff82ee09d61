// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_MODEL_H
#define ODCN_FABRIC_MODEL_H

#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-circuit-ledger.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ns3
{
namespace odcn
{

/// How a rack's packets spread over the circuits that lead there; see TorSwitch::SpreadingMode.
enum class OdcnSpreading : uint8_t
{
    PER_PACKET,  //!< uniformly at random
    ROUND_ROBIN, //!< in turn
    PER_FLOW     //!< by OdcnPacketFlow::hash
};

/**
 * @ingroup odcn
 *
 * An optical data centre as OdcnPacketFabric sees it: what OcsHelper builds, in numbers.
 *
 * All servers' network cards and the ports that lead to them are alike, and all uplinks are.
 */
struct OdcnFabricModel
{
    uint32_t racks{2};                //!< |V|
    uint32_t serversPerRack{1};       //!< M
    uint32_t uplinks{1};              //!< of each ToR switch
    uint32_t switches{1};             //!< |W|, optical circuit switches
    BitRate serverRate{400000000000}; //!< of servers' ports, bit/s
    BitRate uplinkRate{40000000000};  //!< of uplinks, bit/s
    uint32_t serverQueue{1000};       //!< packets that may wait in a server's port
    uint32_t uplinkQueue{15};         //!< packets that may wait in an uplink
    int64_t serverDelay{0};           //!< of a fibre between server and ToR switch, ps
    int64_t uplinkDelay{0};           //!< of a fibre between ToR and optical switch, ps
    OdcnSpreading spreading{};        //!< over parallel circuits
    bool detour{false};               //!< without a circuit, over another rack (else drop)
    int64_t darkTime{10000000000};    //!< of a moved circuit, ps
    bool deliverInFlight{false};      //!< what crosses while its circuit is torn finishes

    /// @return number of servers
    uint32_t GetNServers() const
    {
        return racks * serversPerRack;
    }

    /// @throws OdcnError when a number is out of range
    void Check() const;
};

/**
 * @ingroup odcn
 *
 * A flow as OdcnJobFlowApplication sends it.
 */
struct OdcnPacketFlow
{
    ServerId from{0};  //!< sending server
    ServerId to{0};    //!< receiving server, another one
    double meanGap{0}; //!< mean gap between packets in ps, see OdcnArrivalBank::MeanGap()
    /// Size of a packet with its IPv4 header; where sizes are drawn, it has no effect.
    uint32_t bytes{0};
    uint32_t hash{0}; //!< of addresses, protocol and ports, see OcsPacketHeader::HashFlow()
};

/**
 * @ingroup odcn
 *
 * What all flows of a server send, as OdcnJobFlowApplication's SizeVariable and BurstVariable tell
 * it; see OdcnPacketLaw.
 */
struct OdcnServerLaw
{
    Ptr<RandomVariableStream> sizes;  //!< pattern of packet sizes; null for OdcnPacketFlow::bytes
    Ptr<RandomVariableStream> bursts; //!< pattern of the number of packets at once; null for 1
    uint32_t least{1};                //!< smallest size that may be drawn, bytes
    uint32_t greatest{65535};         //!< largest size that may be drawn, bytes
};

/// What OdcnFabricAction does.
enum class OdcnFabricActionKind : uint8_t
{
    FAIL_UPLINK,          //!< OcsNetDevice::Fail() of uplink `port` of rack `rack`
    REPAIR_UPLINK,        //!< Repair() of it
    FAIL_SERVER,          //!< Fail() of the network card of server `port` of the rack
    REPAIR_SERVER,        //!< Repair() of it
    FAIL_DOWNLINK,        //!< Fail() of the port that leads to server `port` of the rack
    REPAIR_DOWNLINK,      //!< Repair() of it
    FAIL_SWITCH_INPUT,    //!< OcsSwitch::FailPort() where uplink `port` of the rack comes in
    REPAIR_SWITCH_INPUT,  //!< RepairPort() of it
    FAIL_SWITCH_OUTPUT,   //!< FailPort() where light leaves for uplink `port` of the rack
    REPAIR_SWITCH_OUTPUT, //!< RepairPort() of it
    APPLY                 //!< OcsFabric::Apply() of `circuits`
};

/**
 * @ingroup odcn
 *
 * Something that happens to a fabric while packets are under way.
 */
struct OdcnFabricAction
{
    int64_t time{0};                         //!< when, in ps
    OdcnFabricActionKind kind{};             //!< what
    RackId rack{0};                          //!< where
    uint32_t port{0};                        //!< where
    std::vector<OdcnCircuitChange> circuits; //!< for APPLY; what was before does not matter
};

/// What became of a packet.
struct OdcnPacketFate
{
    uint32_t flow;      //!< index of its flow
    uint32_t sequence;  //!< number in the flow, from 0 in each run
    int64_t sent;       //!< when it was handed to the network card, ps
    int64_t ended;      //!< when it reached its receiver or was lost, ps
    bool received;      //!< whether it reached its receiver
    OcsDropCause cause; //!< why it was lost, if it was
};

/**
 * @ingroup odcn
 *
 * Takes what became of packets. A plain interface, because millions come a second.
 */
class OdcnPacketSink
{
  public:
    virtual ~OdcnPacketSink() = default;

    /**
     * Some packets have ended, in no particular order. Those that one server receives come in
     * order, and no two calls that tell of them overlap.
     *
     * @param worker which thread calls, 0 to threads - 1; calls with different numbers may overlap
     * @param fates what became of them
     */
    virtual void Take(uint32_t worker, std::span<const OdcnPacketFate> fates) = 0;
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FABRIC_MODEL_H */
