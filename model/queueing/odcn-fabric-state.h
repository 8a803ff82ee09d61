// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_STATE_H
#define ODCN_FABRIC_STATE_H

#include "odcn-arrival-bank.h"
#include "odcn-fabric-model.h"
#include "odcn-random-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * What of a fabric outlives a run: circuits, failures, and random streams. Two engines run it,
 * OdcnFabricBlocks and OdcnFabricEvents.
 *
 * Uplink p of rack u has index u x uplinks + p. That is also the number of the port of its optical
 * switch: fabrics have no port without an uplink that anyone could use.
 */
struct OdcnFabricState
{
    /// "No uplink": light that leads nowhere.
    static constexpr uint32_t NOWHERE = UINT32_MAX;

    /// An uplink and its port of an optical switch.
    struct Uplink
    {
        RackId circuit{NO_RACK};  //!< where the ToR switch believes that it leads
        bool failed{false};       //!< the device
        bool inputFailed{false};  //!< light into the optical switch
        bool outputFailed{false}; //!< light out of the optical switch
        uint32_t output{NOWHERE}; //!< uplink that the light is led to
        uint32_t input{NOWHERE};  //!< uplink whose light comes
        int64_t upFrom{0};        //!< when the circuit shines, ps
        uint64_t moves{0};        //!< how often the circuit was changed
    };

    /// A rack: its ToR switch, and what its servers send.
    struct Rack
    {
        /**
         * Choose one of several uplinks, as TorSwitch::Choose().
         * @param mode how  @param to rack that they lead to
         * @param hash of the packet's flow  @param n how many, 2 or more
         * @return its index
         */
        uint32_t Choose(OdcnSpreading mode, RackId to, uint32_t hash, uint32_t n)
        {
            switch (mode)
            {
            case OdcnSpreading::ROUND_ROBIN:
                return turn[to]++ % n;
            case OdcnSpreading::PER_FLOW:
                return static_cast<uint32_t>(uint64_t(hash) * n >> 32);
            case OdcnSpreading::PER_PACKET:
                break;
            }
            return random.NextInteger(n);
        }

        OdcnRandomStream random{0};                 //!< for spreading
        std::vector<uint32_t> turn;                 //!< by rack, for ROUND_ROBIN
        std::vector<std::vector<uint32_t>> portsTo; //!< by rack: uplinks in use that lead there
        OdcnArrivalBank arrivals;                   //!< streams of its servers' applications
        std::vector<uint32_t> flows;                //!< by stream: the flow that uses it
    };

    /// A server.
    struct Server
    {
        bool failed{false};            //!< its network card
        bool downlinkFailed{false};    //!< the port that leads to it
        std::vector<uint32_t> streams; //!< in its rack's bank, as its application counts them
        uint32_t flows{0};             //!< of these, in use
        OdcnServerLaw law;             //!< of its flows
    };

    /// @param model checked numbers of the fabric
    explicit OdcnFabricState(const OdcnFabricModel& model);

    /// @param rack a rack  @param port its uplink  @return index of it
    uint32_t UplinkOf(RackId rack, uint32_t port) const
    {
        return rack * model.uplinks + port;
    }

    /// @param uplink index of an uplink  @return its rack
    RackId RackOf(uint32_t uplink) const
    {
        return uplink / model.uplinks;
    }

    /// @param server a server  @return its rack
    RackId RackOfServer(ServerId server) const
    {
        return server / model.serversPerRack;
    }

    /// Find anew which uplinks lead to a rack. @param from at this ToR switch  @param to rack
    void Update(RackId from, RackId to);

    /// @param circuits a batch; throws OdcnError if OcsFabric::Apply() would
    void Check(const std::vector<OdcnCircuitChange>& circuits) const;

    /// @param circuits a batch that shall shine at once
    void Preset(const std::vector<OdcnCircuitChange>& circuits);

    /// @param flows flows; throws OdcnError if their servers are not of this fabric
    void CheckFlows(const std::vector<OdcnPacketFlow>& flows) const;

    /**
     * Flows begin, as OdcnJobFlowApplication::AddFlow() in this order.
     *
     * @param now when, in ps
     * @param flows the flows
     */
    void Start(int64_t now, const std::vector<OdcnPacketFlow>& flows);

    /// All flows end.
    void Stop();

    OdcnFabricModel model;       //!< numbers
    std::vector<Uplink> uplinks; //!< all
    std::vector<Rack> racks;     //!< all
    std::vector<Server> servers; //!< rack by rack
    int64_t flowStream{0};       //!< random stream of the first server's first flow
    int64_t flowStreams{4096};   //!< random streams of a server
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FABRIC_STATE_H */
