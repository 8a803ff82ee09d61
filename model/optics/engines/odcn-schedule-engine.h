// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_ENGINE_H
#define ODCN_SCHEDULE_ENGINE_H

#include "odcn-schedule-events.h"
#include "odcn-schedule-packets.h"

#include "ns3/ocs-circuit-table.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::odcn
{

/// A run.
class SchedulePackets::Engine
{
  public:
    /// @param owner has the parameters, all valid  @param flows the flows, all valid
    Engine(const SchedulePackets& owner, const std::vector<DataFlow>& flows);

    /// @param until when to end at the latest, ps
    /// @return the results
    Result Run(int64_t until);

  private:
    /// No packet, no place in a list.
    static constexpr uint32_t NONE = UINT32_MAX;
    /// End of a circuit that stays for ever, ps.
    static constexpr int64_t NEVER = INT64_MAX;

    /// A packet.
    struct Packet
    {
        uint32_t flow;  //!< number of its flow
        ServerId to;    //!< receiving host
        uint32_t next;  //!< packet behind it in a queue
        uint16_t bytes; //!< with headers
        uint8_t hops;   //!< circuits taken, for SHORTEST
    };

    /// The way of a packet over disjoint paths.
    struct Way
    {
        OcsCircuitTable::Path racks; //!< racks after the one that chose it
        std::size_t next{0};         //!< index of the next one; the size for any way
    };

    /// A queue of packets, linked by Packet::next.
    struct PacketQueue
    {
        uint32_t first{NONE}; //!< next packet
        uint32_t last{NONE};  //!< last packet
        uint32_t packets{0};  //!< number
        uint32_t place{NONE}; //!< index in Tor::busy
        uint64_t bytes{0};    //!< their bytes
    };

    /// The sending side of a flow.
    struct Outgoing
    {
        uint32_t flow; //!< number
        ServerId to;   //!< receiving host
        uint64_t left; //!< bytes not sent yet
        int64_t start; //!< when it starts, ps
        uint32_t next; //!< index of the flow behind it in a FlowQueue
    };

    /// Flows of a host that send in turn, the next one first, linked by Outgoing::next.
    struct FlowQueue
    {
        uint32_t first{NONE}; //!< index of the next one
        uint32_t last{NONE};  //!< index of the last one
    };

    /// A circuit as a host knows it.
    struct HostCircuit
    {
        RackId rack{NO_RACK}; //!< that it reaches
        int64_t next{0};      //!< when it is the host's turn, ps
        int64_t until{0};     //!< when the last bit of the last packet must have left the host, ps
    };

    /// What a ToR switch tells a host.
    struct Signal
    {
        uint32_t port; //!< uplink
        RackId rack;   //!< that it reaches
        int64_t until; //!< end of the circuit, ps
    };

    /// A host, and the port of the ToR switch to it.
    struct Host
    {
        std::size_t next{0};               //!< index of the flow to start next
        std::size_t end{0};                //!< index behind its last flow
        FlowQueue active;                  //!< flows that are sending
        std::vector<FlowQueue> held;       //!< flows that wait for circuits, by rack
        std::vector<HostCircuit> circuits; //!< for flows that wait, by uplink
        int64_t free{0};                   //!< when its line is free, ps
        int64_t sendTime{NEVER};           //!< when it sends next, ps; NEVER if it does not
        uint64_t sendOrder{0};             //!< order of that event; others are void
        PacketQueue down;                  //!< packets that wait for the port to it
        bool downBusy{false};              //!< whether that port is transmitting
    };

    /// An uplink of a ToR switch.
    struct Uplink
    {
        RackId peer{NO_RACK};  //!< rack that it reaches
        RackId sendingTo{0};   //!< rack that the packet in transmission reaches
        int64_t until{NEVER};  //!< end of its circuit, ps
        int64_t since{0};      //!< when the circuit came up, ps
        bool sending{false};   //!< whether it transmits
        bool idle{false};      //!< whether it found nothing to send
        bool withdrawn{false}; //!< whether paths may not use it
    };

    /// A ToR switch.
    struct Tor
    {
        std::vector<PacketQueue> local; //!< packets of its hosts, by rack
        std::vector<PacketQueue> relay; //!< packets of other racks, by rack
        std::vector<PacketQueue> port;  //!< packets that leave by a certain uplink
        std::vector<uint32_t> busy;     //!< queues of local with packets
        std::vector<uint32_t> turns;    //!< for spreading in turn, by destination
        uint32_t turn{0};               //!< for TRANSIT_IDLE
        uint64_t packets{0};            //!< held
        uint64_t bytes{0};              //!< held
        uint64_t most{0};               //!< most bytes held
        int64_t since{0};               //!< when bytes changed last, ps
        double sum{0};                  //!< bytes held x time until then, ps
        Streams random;                 //!< random numbers
    };

    /// The use of a slot by ToR switches.
    struct Window
    {
        uint32_t plane; //!< index
        uint32_t slot;  //!< index
        int64_t end;    //!< when circuits that change are no longer used, ps
        bool initial;   //!< whether the circuits are up already
    };

    /// Load into the cache what a later event needs: most of the time is waiting for memory.
    /// @param thing the thing
    template <typename T>
    static void Prefetch(const T& thing)
    {
        __builtin_prefetch(&thing);
    }

    /// Handle an event.
    /// @param event the event
    void Handle(const PacketEvent& event);
    /// Start flows that are due. @param host the host
    void StartFlows(ServerId host);
    /// Send the next packet, if any may leave now. @param host the host
    void SendPacket(ServerId host);
    /// Find the next packet. @param host the host
    /// @param [out] queue from which to take its flow; null if there is none
    /// @param [out] circuit for which it waits, or null  @return when it may leave, ps
    int64_t FindNext(Host& host, FlowQueue*& queue, HostCircuit*& circuit);
    /// See to it that the next packet is sent when it may leave. @param host the host
    void ScheduleNext(ServerId host);
    /// @param queue flows in turn  @param i index of a flow to add to them
    void AddFlow(FlowQueue& queue, uint32_t i);
    /// A circuit may be used. @param host that hears of it
    void UseCircuit(ServerId host);
    /// Before a change of the bytes held. @param tor the switch
    void NoteHeld(Tor& tor) const;
    /// @param packet that has reached its host
    void Receive(uint32_t packet);

    /// Forward a packet in a ToR switch. @param rack the switch  @param packet the packet
    /// @param fromRack whether it has just come by a circuit
    void Forward(RackId rack, uint32_t packet, bool fromRack);
    /// @param packet for a host of this rack
    void ForwardDown(uint32_t packet);
    /// Hold a packet, or drop it. @param rack the switch  @param packet the packet
    /// @param queue the queue  @param local whether it is in Tor::local  @return whether it is held
    bool Enqueue(RackId rack, uint32_t packet, PacketQueue& queue, bool local);
    /// @param rack a switch  @param queue a queue with packets  @param local whether it is in
    /// Tor::local
    /// @return its next packet, removed
    uint32_t Dequeue(RackId rack, PacketQueue& queue, bool local);
    /// @param rack a switch
    /// @param p a packet
    /// @param fromRack whether it has just come by a circuit
    /// @return the uplink that ExpanderRouting chooses, NONE without a path
    uint32_t ChoosePort(RackId rack, uint32_t p, bool fromRack);
    /// @param rack a switch
    /// @param peer rack next to it
    /// @return its uplinks with a circuit to that rack, a bit for each
    uint64_t GetPortsTo(RackId rack, RackId peer);
    /// @param rack a switch
    /// @param ports some of its uplinks, a bit for each
    /// @param to rack that they lead to
    /// @return one of them, NONE without any
    uint32_t ChooseAmong(RackId rack, uint64_t ports, RackId to);
    /// @param rack a switch
    /// @param n number of choices, not 0
    /// @param to rack that they lead to
    /// @return index of one of them, as TorSwitch::Spread()
    uint32_t Spread(RackId rack, uint32_t n, RackId to);
    /// Send a packet if the uplink is idle. @param rack the switch  @param port the uplink
    void Serve(RackId rack, uint32_t port);
    /// @param rack the switch  @param port an idle uplink  @param queue a queue
    /// @param local whether it is in Tor::local  @return whether its next packet is sent
    bool SendHeld(RackId rack, uint32_t port, PacketQueue& queue, bool local);
    /// @param packet whose last bit has left an uplink  @param index of the uplink
    void UplinkSent(uint32_t packet, uint32_t index);
    /// Start the next packet to a host, if any. @param host the host
    void StartDown(ServerId host);

    /// A slot starts. @param plane index  @param initial whether its circuits are up already
    void StartSlot(uint32_t plane, bool initial);
    /// Circuits may be used. @param window of the slot
    void Open(const Window& window);
    /// Circuits that end leave the paths. @param window of the slot
    void Withdraw(const Window& window);
    /// Circuits that end are no longer used. @param window of the slot
    void Close(const Window& window);
    /// @param rack the switch  @param port the uplink
    void ClearCircuit(RackId rack, uint32_t port);
    /// Tell the table which circuit paths may use. @param rack the switch  @param port the uplink
    void UpdatePath(RackId rack, uint32_t port);

    /// @param packet lost  @param cause of the loss
    void Drop(uint32_t packet, OcsDropCause cause);
    /// @param packet that is gone
    void Free(uint32_t packet);

    /// @param time since the begin of the run, ps  @return the part of it that counts in averages
    int64_t Clip(int64_t time) const
    {
        return std::min(time, m_average);
    }

    /// @param rack the switch  @param port the uplink  @return the uplink
    Uplink& GetUplink(RackId rack, uint32_t port)
    {
        return m_uplinks[rack * m_model.uplinks + port];
    }

    Result m_result;                   //!< but for the sums made at the end
    std::vector<uint64_t> m_windows;   //!< application data received, bytes
    std::vector<Tor> m_tors;           //!< by rack
    PacketEventQueue m_events;         //!< future events
    const FabricModel& m_model;        //!< the fabric
    const CircuitSchedule& m_schedule; //!< its schedule
    const Settings& m_settings;        //!< the settings
    /// How flows below shortFlows are forwarded; those of SHORTEST have MaxHops and Paths here.
    const TorForwarding::Class& m_expedited;
    const TorForwarding::Kind m_bulk;     //!< how all other flows are
    const std::vector<DataFlow>& m_flows; //!< all flows, during Run()
    std::vector<int64_t> m_serverTx;      //!< transmission times of hosts' ports by size, ps
    std::vector<int64_t> m_uplinkTx;      //!< transmission times on uplinks by size, ps
    int64_t m_window;                     //!< goodputWindow, ps
    std::vector<Outgoing> m_outgoing;     //!< flows by host and start
    std::vector<uint64_t> m_missing;      //!< bytes not received yet, by flow
    std::vector<Host> m_hosts;            //!< by number
    std::vector<RackId> m_rackOf;         //!< rack of each host
    std::vector<Uplink> m_uplinks;        //!< [rack][port]
    std::vector<Packet> m_packets;        //!< in flight, and free ones
    std::vector<Way> m_ways;              //!< by packet, with more than one path
    uint32_t m_freePacket{NONE};          //!< first of the free ones, linked by next
    std::vector<Window> m_slots;          //!< of slots that are not over, and free ones
    std::vector<uint32_t> m_freeSlots;    //!< indices of the free ones
    OcsCircuitTable m_table;              //!< for SHORTEST
    std::deque<Signal> m_signals;         //!< on their way to hosts
    uint64_t m_unsent;                    //!< flows with packets to send
    int64_t m_average;                    //!< averageUntil, ps
    int64_t m_used{0};                    //!< uplink time in use, ps
    int64_t m_up{0};                      //!< uplink time of circuits that have ended, ps
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_ENGINE_H */
