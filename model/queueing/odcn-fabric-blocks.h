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

    /// @param state of the fabric, to outlive this
    explicit OdcnFabricBlocks(OdcnFabricState& state);

    /**
     * As OdcnPacketFabric::Run(), if CanRun().
     * @param opened flows begin  @param until flows end
     * @param flows who sends  @param threads how many to use
     * @param sink told of every packet
     * @return when the last packet ended
     */
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<OdcnPacketFlow>& flows,
                uint32_t threads,
                OdcnPacketSink& sink);

  private:
    /// Things that come one by one and go all at once.
    template <typename T>
    class Bag
    {
      public:
        /// @return the next one, to be filled
        T& Add()
        {
            if (m_size == m_things.size()) [[unlikely]]
            {
                m_things.resize(2 * m_size + 8);
            }
            return m_things[m_size++];
        }

        /// Take all out.
        void Clear()
        {
            m_size = 0;
        }

        /// @return how many
        std::size_t GetSize() const
        {
            return m_size;
        }

        /// @param i which  @return it
        T& operator[](std::size_t i)
        {
            return m_things[i];
        }

        /// @param i which  @return it
        const T& operator[](std::size_t i) const
        {
            return m_things[i];
        }

      private:
        std::vector<T> m_things; //!< these, and room for more
        std::size_t m_size{0};   //!< how many
    };

    /// Packets that come to a place in a block.
    using Input = Bag<OdcnPassage>;

    /// What a rack needs to run.
    struct Rack
    {
        Input toUplinks;                //!< packets for other racks
        OdcnArrivalBlock arrivals;      //!< packets to be sent
        std::size_t nextArrival{0};     //!< of these, the first that was not yet
        std::vector<uint32_t> feeders;  //!< uplinks that lead here
        std::vector<uint64_t> keys;     //!< see Order()
        std::vector<uint32_t> nonEmpty; //!< network cards with packets to release
        Bag<OdcnPacketFate> fates;      //!< not yet told
        int64_t lastEnd{0};             //!< of a packet, ps
    };

    /// @param bytes a packet's size, whose transmission times will be needed
    void Need(uint32_t bytes);
    /// @param flows who sends
    void TakeFlows(const std::vector<OdcnPacketFlow>& flows);
    /// All racks, all blocks. @param threads how many
    void RunBlocks(uint32_t threads);
    /// Network cards, ToR switch and uplinks of a rack. @param rack which
    void RunUp(RackId rack);
    /// A server sends a packet. @param rack its rack  @param now when  @param f its flow
    /// @param bytes its size, 0 for the flow's  @param follows whether in a burst behind another
    /// one
    void Send(Rack& rack, int64_t now, uint32_t f, uint32_t bytes, bool follows);
    /// Let go of what has left a network card. @param rack its rack  @param card which
    void Release(Rack& rack, uint32_t card);
    /// A packet comes out of a network card. @param rack its rack  @param passage through it
    /// @param card which  @param index of the packet there
    void FromServer(Rack& rack, const OdcnPassage& passage, uint32_t card, uint32_t index);
    /// A packet comes to its ToR switch. @param rack which  @param packet for another rack
    void ToUplink(RackId rack, const OdcnPassage& packet);
    /// Ports to servers of a rack. @param rack which  @param worker thread
    void RunDown(RackId rack, uint32_t worker);

    /**
     * @param port number of a port  @param packet that comes there
     * @return whether it may wait, the port being nearly full
     */
    bool HasRoom(uint32_t port, const OdcnPassage& packet) const;

    /**
     * @param port number of it  @param input what comes there  @param [out] keys input's order: the
     * index is what the lowest INDEX_BITS bits hold
     */
    void Order(uint32_t port, const Input& input, std::vector<uint64_t>& keys) const;

    /// @param rack where  @param packet is lost as it arrives  @param cause why
    static void Lose(Rack& rack, const OdcnPassage& packet, OcsDropCause cause);

    /// @return when the first packet leaves that was not yet given on; INT64_MAX if there is none
    int64_t FindNext() const;

    OdcnFabricState& m_state;         //!< of the fabric
    const OdcnFabricModel& m_model;   //!< of it
    OdcnPacketSink* m_sink{nullptr};  //!< told of packets
    OdcnPortNumbers m_numbers;        //!< of ports
    std::vector<OdcnFlowLog> m_flows; //!< who sends
    std::vector<OdcnPortLog> m_ports; //!< see OdcnPortNumbers
    std::vector<Input> m_toServers;   //!< by server
    std::vector<RackId> m_rackOf;     //!< by server
    std::vector<Rack> m_racks;        //!< all
    OdcnPacketOrder m_order;          //!< of packets in one time step
    int64_t m_until{0};               //!< flows end
    int64_t m_begin{0};               //!< of the block
    int64_t m_end{0};                 //!< of the block
    int64_t m_length{0};              //!< of a block
    int64_t m_ahead{0};               //!< arrivals are drawn up to so long after a block
    int64_t m_keep{0};                //!< packets that left before may be forgotten
    int64_t m_slack{0};               //!< longest time from an event to its child, and more
    std::vector<int64_t> m_serverTx;  //!< transmission at servers by bytes, ps; 0 where not needed
    std::vector<int64_t> m_uplinkTx;  //!< transmission at uplinks, likewise
    int64_t m_uplinkDelay;            //!< from ToR switch to ToR switch
    int64_t m_serverPlenty{0};        //!< work that is less fits into any server's queue, ps
    int64_t m_uplinkPlenty{0};        //!< work that is less fits into any uplink's queue, ps
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FABRIC_BLOCKS_H */
