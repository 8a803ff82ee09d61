// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_FABRIC_H
#define ODCN_PACKET_FABRIC_H

#include "odcn-fabric-model.h"
#include "odcn-packet-port.h"

#include "ns3/odcn-circuit-ledger.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-random-stream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Packet-level simulation of an optical data centre with fixed circuits, without ns-3's events: the
 * same packets as from JobFlowApplication, with the same outcome to the picosecond as with
 * OcsNetDevice, OcsFiber, TorSwitch and OcsSwitch (at Time::PS and with DropTailQueues of packets).
 *
 * **Ties.** Packets that reach a switch or a port in the same picosecond are served in the order
 * of sending time, then flow index, then sequence number. A departure from a queue frees its place
 * for an arrival in the same picosecond. ns-3 may break such ties differently, by the order in
 * which events were scheduled; up to the first tie that affects the result (GetFirstTie()) both
 * agree packet by packet.
 *
 * It runs in stages: network cards, ToR switches with their uplinks, ports to servers. All ports of
 * a stage run for an interval of time, a block, before the next stage does. A port is then a
 * recursion, no event queue is needed, and racks are independent of each other within a stage.
 * Uplink p of rack u has index u x uplinks + p.
 *
 * A fabric may be run repeatedly. As in ns-3, circuits and random streams continue from the state
 * after the previous run.
 */
class PacketFabric
{
  public:
    /**
     * A fabric without circuits.
     *
     * @param model its parameters
     * @throws OdcnError when a parameter is out of range
     */
    explicit PacketFabric(const FabricModel& model);

    PacketFabric(const PacketFabric&) = delete;
    PacketFabric& operator=(const PacketFabric&) = delete;

    /// @return its parameters
    const FabricModel& GetModel() const
    {
        return m_model;
    }

    /**
     * Assign random streams as OdcnHelper::AssignStreams() does: one for each ToR switch, then
     * @p perServer for each server. To be called before the first run; otherwise streams are
     * automatic.
     *
     * @param stream first stream number to use
     * @param perServer streams of a server, JobFlowApplication::MAX_FLOWS
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream, int64_t perServer = 4096);

    /**
     * Set circuits, as OcsFabric::Preset().
     *
     * @param circuits new circuits of the uplinks; their previous circuits do not matter
     * @throws OdcnError when the circuits are not possible
     */
    void Preset(const std::vector<OdcnCircuitChange>& circuits);

    /**
     * Set the packet law of the flows of a server. Default: Poisson packets of one size.
     *
     * @param server a server that has sent nothing yet
     * @param law packet law of its flows
     * @throws OdcnError when the server does not exist, has sent before, or the law is invalid
     */
    void SetLaw(ServerId server, const PacketLaw& law);

    /// @param threads number of threads of Run(); the result does not depend on it
    void SetThreads(uint32_t threads)
    {
        m_threads = threads;
    }

    /**
     * Run flows on an empty network, until all their packets have ended.
     *
     * @param opened start time of the flows, ps
     * @param until end time of the flows, ps: no packet is sent at or after it
     * @param flows the flows; may be empty
     * @param sink receives the outcome of every packet
     * @return when the last packet ended, ps; @p opened if there was none
     * @throws OdcnError when times or flows are out of range, a flow has no circuit in a fabric
     * that would make a detour, or a law draws a value out of bounds
     */
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<PacketFlow>& flows,
                OdcnPacketSink& sink);

    /// @return time of the first tie that affected the last run, ps; INT64_MAX if there was none
    int64_t GetFirstTie() const
    {
        return m_firstTie;
    }

  private:
    /// Index for "no uplink": the uplink has no circuit.
    static constexpr uint32_t NOWHERE = UINT32_MAX;

    /// The circuit of an uplink.
    struct Uplink
    {
        RackId circuit{NO_RACK};  //!< rack at the other end
        uint32_t output{NOWHERE}; //!< index of the uplink at the other end
        uint32_t input{NOWHERE};  //!< index of the uplink that leads here
    };

    /// Traffic of a server. The n-th flow of a run uses the n-th source.
    struct Server
    {
        std::vector<PacketSource> sources; //!< packet sources, kept between runs
        PacketLaw law;                     //!< packet law of all its flows
    };

    /// Packets that arrive at one place during a block, in any order.
    using Input = Bag<Passage>;

    /// A flow of this run.
    struct Flow
    {
        PacketSource* source; //!< draws its packets
        int64_t next;         //!< time of its next packet, ps
        uint32_t index;       //!< index in the caller's list
        uint32_t sequence;    //!< sequence number of its next packet
        uint32_t bytes;       //!< size of its packets; 0 where sizes are drawn
        ServerId from;        //!< sending server
        ServerId to;          //!< receiving server
    };

    /// A rack.
    struct Rack
    {
        std::optional<RandomStream> random; //!< selects uplinks for Spreading::PER_PACKET
        std::vector<uint32_t> turn;         //!< by rack: next uplink for Spreading::ROUND_ROBIN
        std::vector<std::vector<uint32_t>> portsTo; //!< by rack: uplinks that lead there
        std::vector<uint32_t> feeders;              //!< indices of uplinks that lead here
        std::vector<Flow> flows;                    //!< flows of its servers
        std::vector<uint64_t> sends;     //!< drawn packets: (time - drawnFrom) << INDEX_BITS | flow
        std::size_t nextSend{0};         //!< index in sends of the first packet not sent yet
        int64_t drawnFrom{0};            //!< origin of the times in sends, ps
        int64_t drawnTo{0};              //!< packets before this time have been drawn, ps
        std::vector<uint32_t> busyCards; //!< network cards with packets to release
        Input toUplinks;                 //!< packets to other racks
        std::vector<uint64_t> keys;      //!< scratch memory of Order()
        std::vector<uint64_t> unsorted;  //!< scratch memory of Sort()
        std::vector<uint32_t> places;    //!< scratch memory of Sort()
        Bag<PacketFate> fates;           //!< outcomes not yet passed to the sink
        int64_t lastEnd{0};              //!< when its last packet ended, ps
        int64_t firstTie{INT64_MAX};     //!< see GetFirstTie()
    };

    /// @param flows flows to check
    /// @throws OdcnError when they are invalid
    void CheckFlows(const std::vector<PacketFlow>& flows) const;
    /// Update the uplinks to a rack.
    /// @param from rack of the ToR switch
    /// @param to destination rack
    void FindPorts(RackId from, RackId to);
    /// Compute the transmission times of a packet size.
    /// @param bytes the size
    void Need(uint32_t bytes);
    /// Empty all ports.
    /// @param opened start time, ps
    void Clear(int64_t opened);
    /// Start flows.
    /// @param flows the flows
    /// @param opened start time, ps
    void TakeFlows(const std::vector<PacketFlow>& flows, int64_t opened);
    /// Start the next block.
    /// @return false when all packets have ended
    bool NextBlock();
    /// Draw packets of a rack's flows.
    /// @param rack the rack
    /// @param until end of the interval, ps
    static void Draw(Rack& rack, int64_t until);
    /// Sort keys.
    /// @param [in,out] keys the keys
    /// @param rack rack whose scratch memory is used
    static void Sort(std::vector<uint64_t>& keys, Rack& rack);
    /// Run network cards, ToR switch and uplinks of a rack.
    /// @param rack the rack
    void RunUp(RackId rack);
    /// A flow sends a packet.
    /// @param rack its rack
    /// @param now the time, ps
    /// @param flow the flow
    void Send(Rack& rack, int64_t now, Flow& flow);
    /// Release packets that have left a network card.
    /// @param rack its rack
    /// @param card its server
    void Release(Rack& rack, ServerId card);
    /// A packet leaves a network card.
    /// @param rack its rack
    /// @param packet the packet
    void FromServer(Rack& rack, const Passage& packet);
    /// A packet to another rack reaches its ToR switch.
    /// @param rack the rack
    /// @param packet packet
    void ToUplink(RackId rack, const Passage& packet);
    /// Run the ports to servers of a rack.
    /// @param rack the rack
    void RunDown(RackId rack);
    /// Sort packets by (time, sent, flow, sequence), see PacketFabric.
    /// @param rack scratch memory
    /// @param input packets
    /// @return keys with indices into @p input as the lowest INDEX_BITS
    const std::vector<uint64_t>& Order(Rack& rack, const Input& input) const;
    /// Drop a packet.
    /// @param rack current rack
    /// @param packet the packet
    /// @param cause drop cause
    static void Lose(Rack& rack, const Passage& packet, OcsDropCause cause);
    /// @return earliest departure of packets not released yet; INT64_MAX if there is none
    int64_t FindNext() const;

    const FabricModel m_model;             //!< parameters of the fabric
    std::vector<Server> m_servers;         //!< all servers, rack by rack
    int64_t m_firstStream{-1};             //!< of the first ToR switch; negative: automatic
    int64_t m_streamsPerServer{4096};      //!< random streams per server
    uint32_t m_threads{1};                 //!< number of threads
    int64_t m_firstTie{INT64_MAX};         //!< see GetFirstTie()
    std::vector<Uplink> m_uplinks;         //!< circuits, by uplink
    std::vector<Rack> m_racks;             //!< all racks
    std::vector<RackId> m_rackOf;          //!< rack, by server
    std::vector<uint32_t> m_hashes;        //!< PacketFlow::hash, by flow
    std::vector<PacketPort> m_cards;       //!< network cards, by server
    std::vector<PacketPort> m_downlinks;   //!< ports to servers, by server
    std::vector<PacketPort> m_uplinkPorts; //!< ports, by uplink
    std::vector<Input> m_toServers;        //!< packets at the receiving rack, by server
    PortKind m_serverKind;                 //!< network cards and ports to servers
    PortKind m_uplinkKind;                 //!< uplinks
    OdcnPacketSink* m_sink{nullptr};       //!< receives outcomes
    int64_t m_until{0};                    //!< end time of the flows, ps
    int64_t m_begin{0};                    //!< start of the block, ps
    int64_t m_end{0};                      //!< end of the block, ps
    int64_t m_length{0};                   //!< length of a block, ps
    int64_t m_ahead{0};                    //!< how far packets are drawn beyond a block, ps
    int64_t m_uplinkDelay;                 //!< delay from ToR switch to ToR switch, ps
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_FABRIC_H */
