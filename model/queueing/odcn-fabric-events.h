// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_EVENTS_H
#define ODCN_FABRIC_EVENTS_H

#include "odcn-fabric-state.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * Runs a fabric event by event, in the very order of ns-3's: of events at the same time the one
 * comes first that was scheduled first. It knows all that can happen to a fabric. Its events are
 * those of OcsNetDevice, OcsFiber, OcsSwitch, TorSwitch and OdcnJobFlowApplication, one by one, but
 * they carry a few numbers instead of packets.
 */
class OdcnFabricEvents
{
  public:
    /// @param state of the fabric  @param sink told of every packet
    OdcnFabricEvents(OdcnFabricState& state, OdcnPacketSink& sink);

    /**
     * As OdcnPacketFabric::Run().
     * @param opened flows begin  @param until flows end
     * @param flows who sends  @param actions what happens besides
     * @return when the last packet ended
     */
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<OdcnPacketFlow>& flows,
                const std::vector<OdcnFabricAction>& actions);

  private:
    /// "No packet".
    static constexpr uint32_t NOBODY = UINT32_MAX;
    /// "A packet, never mind which": it may have been lost behind the port.
    static constexpr uint32_t ANYBODY = UINT32_MAX - 1;

    /// A packet under way.
    struct Packet
    {
        uint32_t flow;     //!< index of its flow
        uint32_t sequence; //!< in the flow
        int64_t sent;      //!< when, ps
        uint32_t bytes;    //!< size
        bool transit;      //!< marked by a transit rack
    };

    /// Ports are numbered: network cards, ports to servers, uplinks.
    struct Port
    {
        std::deque<uint32_t> waiting; //!< packets
        uint32_t leaving{NOBODY};     //!< packet in transmission
        bool truncated{false};        //!< the port failed meanwhile
    };

    /// What is in an optical switch behind an uplink.
    struct Crossing
    {
        uint32_t packet{NOBODY}; //!< the packet
        uint32_t to{0};          //!< uplink that it goes to
        int64_t lastBit{0};      //!< when its last bit comes, ps
    };

    /// What an event does.
    enum class Kind : uint8_t
    {
        ACTION,       //!< a: index of the action
        SEND,         //!< a: rack
        COMPLETE,     //!< a: port
        REACH_DEVICE, //!< a: port that receives, b: packet, whole
        REACH_SWITCH, //!< a: uplink, b: packet
        LEAVE_SWITCH, //!< a: uplink, whole
        DONE          //!< a: index into m_batches
    };

    /// An event.
    struct Event
    {
        int64_t time; //!< when
        uint64_t uid; //!< order of scheduling
        Kind kind;    //!< what
        bool whole;   //!< see Kind
        uint32_t a;   //!< see Kind
        uint32_t b;   //!< see Kind
    };

    /// A line of a reconfiguration of one optical switch.
    struct Move
    {
        uint32_t uplink; //!< whose light is led
        uint32_t output; //!< where to, NOWHERE for nowhere
        uint64_t moves;  //!< value of Uplink::moves after it
    };

    /// Packets that a rack's servers are about to send.
    struct Supply
    {
        OdcnArrivalBlock drawn;     //!< from its bank
        std::size_t next{0};        //!< of these
        std::vector<uint64_t> uids; //!< by stream: of its next packet's event
    };

    /// Where a packet has been before it comes to a ToR switch.
    enum class Journey : uint8_t
    {
        FROM_SERVER, //!< in a server of the rack
        FROM_RACK,   //!< in another rack
        IN_TRANSIT   //!< here already, and marked
    };

    /// @param time when  @param kind what  @param a see Kind  @param b see Kind  @param whole ditto
    void Schedule(int64_t time, Kind kind, uint32_t a, uint32_t b = 0, bool whole = true);
    /// @param event to be put into the queue
    void Push(const Event& event);
    /// @param event is executed
    void Execute(const Event& event);

    /// Schedule a rack's next packet, if there is one. @param rack which
    void ScheduleSend(RackId rack);
    /// A server sends a packet. @param rack of it
    void Send(RackId rack);

    /// As OcsNetDevice::Transmit(). @param port where  @param packet which
    void Transmit(uint32_t port, uint32_t packet);
    /// As OcsNetDevice::StartNext(). @param port where
    void StartNext(uint32_t port);
    /// As OcsNetDevice::TransmitComplete(). @param port where
    void Complete(uint32_t port);
    /// As OcsNetDevice::Receive(). @param port where  @param packet which  @param whole or not
    void Receive(uint32_t port, uint32_t packet, bool whole);
    /// As OcsNetDevice::Fail() or Repair(). @param port where  @param failed which of them
    void SetFailed(uint32_t port, bool failed);
    /// @param port a port  @return whether it has failed
    bool& Failed(uint32_t port);

    /// As OcsSwitch::FirstBit(). @param uplink whose light  @param packet which
    void FirstBit(uint32_t uplink, uint32_t packet);
    /// As OcsSwitch::LastBit(). @param uplink whose light  @param whole or not
    void LastBit(uint32_t uplink, bool whole);
    /// As OcsSwitch::Cut(). @param uplink whose light  @param cause why
    void Cut(uint32_t uplink, OcsDropCause cause);
    /// As OcsSwitch::Reconfigure(). @param batch where light of one optical switch shall lead
    void Reconfigure(std::vector<Move> batch);
    /// As OcsFabric::CircuitsUp() after OcsSwitch::Done(). @param batch what was moved
    void Done(const std::vector<Move>& batch);

    /// As TorSwitch::Forward(). @param rack where  @param packet which  @param journey from where
    void Forward(RackId rack, uint32_t packet, Journey journey);
    /// As TorSwitch::ForwardToRack(). @param rack where  @param packet which
    /// @param to its rack  @param journey from where
    void ForwardToRack(RackId rack, uint32_t packet, RackId to, Journey journey);
    /// As TorSwitch::Choose(). @param rack where  @param ports uplinks  @param to rack they lead to
    /// @param packet which  @return index of an uplink
    uint32_t Choose(RackId rack,
                    const std::vector<uint32_t>& ports,
                    RackId to,
                    const Packet& packet);
    /// As TorSwitch::FindDetours(). @param rack where  @param to a rack no circuit leads to
    /// @return ports of the rack
    const std::vector<uint32_t>& FindDetours(RackId rack, RackId to);
    /// As TorSwitch::WhyNoCircuit(). @param rack where  @param to no circuit  @return the cause
    OcsDropCause WhyNoCircuit(RackId rack, RackId to) const;
    /// As TorSwitch::ClearCircuits(). @param rack where  @param uplinks which
    void ClearCircuits(RackId rack, const std::vector<uint32_t>& uplinks);
    /// As TorSwitch::Respread(). @param uplink whose waiting packets find another way
    void Respread(uint32_t uplink);

    /// @param action is done now
    void Act(const OdcnFabricAction& action);
    /// As OcsFabric::Apply(). @param circuits where transmit sides shall lead
    void Apply(const std::vector<OdcnCircuitChange>& circuits);

    /// A packet has ended. @param packet which  @param received whether well
    /// @param cause why not
    void End(uint32_t packet, bool received, OcsDropCause cause);
    /// Tell the sink.
    void Flush();

    OdcnFabricState& m_state;                         //!< of the fabric
    const OdcnFabricModel& m_model;                   //!< of it
    OdcnPacketSink& m_sink;                           //!< told of packets
    const std::vector<OdcnPacketFlow>* m_flows{};     //!< who sends
    const std::vector<OdcnFabricAction>* m_actions{}; //!< what happens besides
    std::vector<uint32_t> m_sequence;                 //!< of the flows
    std::vector<Supply> m_supply;                     //!< of the racks
    std::vector<Port> m_ports;                        //!< see Port
    std::vector<Crossing> m_crossings;                //!< by uplink
    std::vector<Packet> m_packets;                    //!< under way, and free
    std::vector<uint32_t> m_free;                     //!< of these, free
    std::vector<Event> m_queue;                       //!< a heap
    std::vector<std::vector<Move>> m_batches;         //!< being moved
    std::vector<uint32_t> m_detours;                  //!< result of FindDetours()
    std::vector<OdcnPacketFate> m_fates;              //!< not yet told
    std::vector<int64_t> m_serverTxTime;              //!< by bytes, 0 if not yet known
    std::vector<int64_t> m_uplinkTxTime;              //!< likewise
    uint32_t m_firstDownlink;                         //!< number of a port
    uint32_t m_firstUplink;                           //!< number of a port
    uint64_t m_uid{0};                                //!< of the next event
    int64_t m_now{0};                                 //!< ps
    int64_t m_until{0};                               //!< flows end
    int64_t m_lastEnd{0};                             //!< of a packet
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FABRIC_EVENTS_H */
