// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_BLOCKS_H
#define ODCN_FABRIC_BLOCKS_H

#include "odcn-fabric-state.h"
#include "odcn-packet-order.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * Runs a fabric whose circuits stand still, stage by stage instead of event by event: network
 * cards, ToR switches with their uplinks, ports to servers. All of a stage runs for a stretch of
 * time, a block, before the next one does. A port is a recursion then, no event queue is needed,
 * and racks are independent of each other within a stage.
 *
 * What comes to a port in one block is ordered by time; where two packets come in one time step, or
 * one comes as another one leaves and it matters, OdcnPacketOrder tells what ns-3 would do.
 */
class OdcnFabricBlocks
{
  public:
    /**
     * @param state of a fabric
     * @param flows who shall send
     * @param opened when they begin, ps
     * @return whether nothing is broken or dark, no packet would make a detour, and each takes time
     */
    static bool CanRun(const OdcnFabricState& state,
                       const std::vector<OdcnPacketFlow>& flows,
                       int64_t opened);

    /**
     * @param state of the fabric
     * @param flows who sends
     * @param opened they begin, ps
     * @param sink told of every packet
     */
    OdcnFabricBlocks(OdcnFabricState& state,
                     const std::vector<OdcnPacketFlow>& flows,
                     int64_t opened,
                     OdcnPacketSink& sink);

    /**
     * @param until flows end, ps
     * @param threads how many to use
     * @return when the last packet ended
     */
    int64_t Run(int64_t until, uint32_t threads);

  private:
    /// What is known of a flow.
    struct Flow
    {
        uint32_t to;       //!< receiving port to a server
        uint32_t from;     //!< sending network card
        RackId toRack;     //!< receiving rack
        bool inter;        //!< whether it goes to another rack
        uint32_t sequence; //!< of its next packet
        int64_t serverTx;  //!< transmission at servers, ps
        int64_t uplinkTx;  //!< transmission at uplinks, ps
        uint32_t hash;     //!< for PER_FLOW
    };

    /// A port's transmitter.
    struct Port
    {
        int64_t free{0};      //!< when its last packet has left, ps
        uint32_t released{0}; //!< packets that the next port has been given
    };

    /// Packets that come to a place in a block.
    using Input = std::vector<OdcnPassage>;

    /// What a rack needs to run.
    struct Rack
    {
        Input toUplinks;                   //!< packets for other racks
        OdcnArrivalBlock arrivals;         //!< packets sent
        std::vector<uint32_t> feeders;     //!< uplinks that lead here
        std::vector<uint64_t> keys;        //!< see Order()
        std::vector<uint32_t> nonEmpty;    //!< network cards with packets to release
        std::vector<OdcnPacketFate> fates; //!< not yet told
        int64_t lastEnd{0};                //!< of a packet, ps
    };

    /// Network cards, ToR switch and uplinks of a rack. @param rack which  @param end of the block
    void RunUp(RackId rack, int64_t end);
    /// Ports to servers of a rack. @param rack which  @param worker thread  @param end of the block
    void RunDown(RackId rack, uint32_t worker, int64_t end);
    /// Let go of what has left a network card. @param card which  @param end of the block
    void Release(uint32_t card, int64_t end);
    /// A packet comes out of a network card. @param passage through it  @param card which
    /// @param index of the packet there
    void FromServer(const OdcnPassage& passage, uint32_t card, uint32_t index);
    /// A packet comes to an uplink's ToR switch. @param rack which  @param packet which
    void ToUplink(RackId rack, OdcnPassage& packet);

    /**
     * Offer a packet to a port.
     * @param port number of it  @param packet which; its departure is set
     * @param txTime transmission, ps
     * @return whether there was room
     */
    bool Accept(uint32_t port, OdcnPassage& packet, int64_t txTime);

    /**
     * @param port number of it  @param input what comes there  @param [out] keys input's order: the
     * index is what the lowest INDEX_BITS bits hold
     */
    void Order(uint32_t port, const Input& input, std::vector<uint64_t>& keys);

    /// @param rack where  @param packet is lost as it arrives  @param cause why
    static void Lose(Rack& rack, const OdcnPassage& packet, OcsDropCause cause);

    /// @return when the first packet leaves that was not yet given on; INT64_MAX if there is none
    int64_t FindNext() const;

    OdcnFabricState& m_state;           //!< of the fabric
    const OdcnFabricModel& m_model;     //!< of it
    OdcnPacketSink& m_sink;             //!< told of packets
    OdcnPortNumbers m_numbers;          //!< of ports
    std::vector<Flow> m_flows;          //!< who sends
    std::vector<Port> m_ports;          //!< see OdcnPortNumbers
    OdcnPacketOrder::History m_history; //!< by port
    std::vector<Input> m_toServers;     //!< by server
    std::vector<Rack> m_racks;          //!< all
    OdcnPacketOrder m_order;            //!< of packets in one time step
    int64_t m_opened;                   //!< flows begin
    int64_t m_until{0};                 //!< flows end
    int64_t m_begin{0};                 //!< of the block
    int64_t m_uplinkDelay;              //!< from ToR switch to ToR switch
    int64_t m_serverPlenty{0};          //!< work that is less fits into any server's queue, ps
    int64_t m_uplinkPlenty{0};          //!< work that is less fits into any uplink's queue, ps
    double m_rate{0};                   //!< packets per ps
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FABRIC_BLOCKS_H */
