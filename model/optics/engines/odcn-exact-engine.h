// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EXACT_ENGINE_H
#define ODCN_EXACT_ENGINE_H

#include "odcn-exact-packets.h"
#include "odcn-packet-events.h"

#include "ns3/odcn-fair-order.h"
#include "ns3/odcn-fault-tally.h"
#include "ns3/odcn-transport-logic.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// A run: its events and its hosts. What is between the hosts is up to the derived class.
class ExactPackets::Engine
{
  public:
    virtual ~Engine();

    /**
     * @param until when to end at the latest, ps
     * @param source sends messages, instead of flows; null for flows
     * @return the results
     * @throws OdcnError when a message is not valid
     */
    Result Run(int64_t until, TrafficSource* source = nullptr);

  protected:
    /// No packet, no place in a list.
    static constexpr uint32_t NONE = UINT32_MAX;
    /// End of a circuit that stays for ever, ps.
    static constexpr int64_t NEVER = INT64_MAX;
    /// Beside the number of a port in an event: the packet is truncated.
    static constexpr uint32_t TRUNCATED = 1U << 31;

    /// What fails of a port, as OcsNetDevice.
    struct PortState
    {
        bool isFailed{false};    //!< whether it does not work
        bool isTruncated{false}; //!< whether it failed during the present transmission
        int64_t repaired{0};     //!< time of the last repair, ps; 0 for none

        /// @param isSending whether it transmits
        void Fail(bool isSending)
        {
            isFailed = true;
            isTruncated = isTruncated || isSending;
        }

        /// @param now the time, ps
        void Repair(int64_t now)
        {
            isFailed = false;
            repaired = now;
        }

        /// The last bit of a packet leaves.
        /// @return TRUNCATED if the packet is, else 0
        uint32_t TakeTruncated()
        {
            return std::exchange(isTruncated, false) ? TRUNCATED : 0;
        }

        /// @param now when the last bit of a packet has arrived, ps
        /// @param tx its transmission time, ps
        /// @return whether the port was down for a part of it
        bool Misses(int64_t now, int64_t tx) const
        {
            return isFailed || (repaired > 0 && now - tx < repaired);
        }
    };

    /// Kinds of devices that faults are counted for, besides parts by FaultPart.
    enum Counted
    {
        CARD = FAULT_PARTS, //!< of a host
        DOWNLINK,           //!< port of a switch to a host
        UPLINK,             //!< port of a switch to others
        OCS_PORT,           //!< of an optical switch
        STUCK,              //!< input of an optical switch
        MISSING,            //!< input of an optical switch
        OUTWARD,            //!< path from an uplink, as control knows it
        INWARD,             //!< path to an uplink, as control knows it
    };

    /// What fits into a queue, and how it orders.
    struct QueueKind
    {
        uint64_t packets{UINT64_MAX}; //!< limit
        uint64_t bytes{UINT64_MAX};   //!< limit
        bool fair{false};             //!< whether it is a FairQueue
        uint32_t data{0};             //!< of a TrimQueue: most packets of data; 0 for others
        uint32_t headers{0};          //!< of a TrimQueue: bytes that are left of others
    };

    /// The links of hosts, all alike.
    struct HostLinks
    {
        uint32_t racks;        //!< number of racks
        uint32_t hostsPerRack; //!< hosts of each; the last racks may have fewer
        BitRate rate;          //!< in both directions, bit/s
        int64_t delay;         //!< of a fibre, ps
        QueueKind down;        //!< queue of a port to a host
        QueueKind card;        //!< queue of a host's network card
        bool hold{false};      //!< FlowApplication::Hold
        uint32_t uplinks{0};   //!< of a rack, for hold
        int64_t turn{0};       //!< time of a full packet on an uplink, for hold, ps
    };

    /// A packet.
    struct Packet
    {
        uint32_t flow;  //!< number of its flow, or place of its message
        ServerId to;    //!< receiving host
        uint32_t next;  //!< packet behind it in a queue
        uint16_t bytes; //!< with headers
        uint8_t hops;   //!< circuits taken, for TorForwarding::SHORTEST
        bool isShort;   //!< class
    };

    /// A queue of packets, linked by Packet::next unless it is fair.
    struct PacketQueue
    {
        uint32_t first{NONE}; //!< next packet
        uint32_t last{NONE};  //!< last packet
        uint32_t packets{0};  //!< number
        uint32_t place{NONE}; //!< of a ToR switch's queue: index in the list of those with packets
        uint64_t bytes{0};    //!< their bytes
        std::unique_ptr<FairOrder<uint32_t>> fair{}; //!< of a FairQueue, else null
        uint32_t headers{0};                         //!< of a TrimQueue: packets that go first
        uint32_t lastHeader{0};                      //!< the last one of them, if there are any
    };

    /// @param fair whether it is a FairQueue
    /// @return an empty queue
    static PacketQueue MakeQueue(bool fair);

    /// What a packet of a TransportLogic says, without its ranges.
    struct Content
    {
        TransportPacket packet;                       //!< peer is the receiver
        ServerId from{0};                             //!< sender
        uint32_t hash{0};                             //!< OcsPacketHeader::flow, if it is needed
        uint32_t headers{0};                          //!< bytes
        uint16_t offset{0};                           //!< of its port
        std::vector<TransportPacket::Range> ranges{}; //!< of the packet
    };

    /// The sending side of a flow or a message.
    struct Outgoing
    {
        uint32_t flow;         //!< number of the flow, or place of the message
        ServerId to;           //!< receiving host
        uint64_t left;         //!< bytes not sent yet
        uint64_t order : 63;   //!< those of the same host that started before it have less
        uint64_t isShort : 1;  //!< class
        uint32_t next{NONE};   //!< index of the one behind it in a FlowQueue
        uint32_t behind{NONE}; //!< index of the next message to the same host, of the same class
    };

    /// Flows and messages of a host that send in turn, the next one first, linked by
    /// Outgoing::next.
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

    class Loop;

    /// What a ToR switch tells a host.
    struct Signal
    {
        uint32_t port; //!< uplink
        RackId rack;   //!< that it reaches
        int64_t until; //!< end of the circuit, ps
    };

    /// A host, and the port of its switch to it.
    struct Host
    {
        std::size_t next{0};               //!< index of the flow to start next
        std::size_t end{0};                //!< index behind its last flow
        std::vector<uint32_t> early;       //!< messages that are sent when it starts
        FlowQueue active;                  //!< flows that are sending
        std::vector<FlowQueue> held;       //!< flows that wait for circuits, by rack
        std::vector<HostCircuit> circuits; //!< for flows that wait, by uplink
        int64_t free{0};                   //!< when its line is free, ps
        int64_t sendTime{NEVER};           //!< when it sends next, ps; NEVER if it does not
        uint64_t sendOrder{0};             //!< order of that event; others are void
        PacketQueue down;                  //!< packets that wait for the port to it
        bool downBusy{false};              //!< whether that port is transmitting
    };

    /**
     * @param links of hosts
     * @param settings of hosts, valid
     * @param faults of parts, all valid
     * @param flows the flows, all valid; these three outlive the run
     */
    Engine(const HostLinks& links,
           const HostSettings& settings,
           const Faults& faults,
           const Traffic& flows);

    /// Load into the cache what a later event needs: most of the time is waiting for memory.
    /// @param thing the thing
    template <typename T>
    static void Prefetch(const T& thing)
    {
        __builtin_prefetch(&thing);
    }

    /// Schedule what happens from time 0 on whether flows start or not, before their starts.
    virtual void Begin()
    {
    }

    /// Schedule what happens at time 0 right after the starts of flows.
    virtual void HostsStart()
    {
    }

    /// @return whether something but packets may change results, so that a run goes on without them
    virtual bool GoesOn() const
    {
        return false;
    }

    /// Handle an event. @param event the event
    virtual void Handle(const PacketEvent& event) = 0;

    /// @return whether parts may fail
    bool HasFaults() const
    {
        return !m_faults.plan.Get().empty();
    }

    /// A part fails or works again, other than a server.
    /// @param fault of it
    /// @param failed whether it fails
    virtual void SetPart(const Fault& fault, bool failed) = 0;

    /// @return whether control learns at once of what happens now
    bool IsKnownAtOnce() const
    {
        return m_isEarly || m_faults.detection == 0;
    }

    /// Schedule Happening::TOLD.
    void TellLater()
    {
        m_events.Schedule(m_faults.detection, Happening::TOLD, 0);
    }

    /// Fail or repair a network card.
    /// @param host its host
    /// @param failed whether it fails
    void SetCard(ServerId host, bool failed);
    /// Fail or repair the port of a switch to a host.
    /// @param host the host
    /// @param failed whether it fails
    void SetDownlink(ServerId host, bool failed);
    /// Lose the packets that wait for a host.
    /// @param host the host
    /// @param cause of the losses
    void LoseWaiting(ServerId host, OcsDropCause cause);

    /// A packet has reached its first switch.
    /// @param packet the packet
    /// @param host its sender
    virtual void FromHost(uint32_t packet, ServerId host) = 0;

    /// A message is sent.
    /// @param place of it, also Packet::flow
    /// @param message the message
    /// @param isShort class
    virtual void MessageStarted([[maybe_unused]] uint32_t place,
                                [[maybe_unused]] const Message& message,
                                [[maybe_unused]] bool isShort)
    {
    }

    /// @param content of a packet that is sent
    /// @return OcsPacketHeader::flow, if switches need it
    virtual uint32_t FindHash([[maybe_unused]] const Content& content) const
    {
        return 0;
    }

    /// @return size of the largest packet
    uint32_t GetMostBytes() const;

    /// @param packet a packet
    /// @return its sender
    ServerId GetSender(uint32_t packet) const;

    /**
     * @param queue a queue
     * @param kind of it
     * @param packet which a TrimQueue cuts, if it is full
     * @return whether there is room for it
     */
    bool HasRoom(const PacketQueue& queue, const QueueKind& kind, uint32_t packet);

    /// Make the sums of the result.
    virtual void End()
    {
    }

    /// Handle an event of a host. @param event the event
    void HandleHost(const PacketEvent& event);
    /// Tell a host of a circuit.
    /// @param host the host
    /// @param signal the circuit
    void Tell(ServerId host, const Signal& signal);
    /// Queue a packet for the host that it is for, or drop it. @param packet the packet
    void ForwardDown(uint32_t packet);
    /// @param queue the queue
    /// @param kind of it
    /// @param packet which gets a place in it
    void Append(PacketQueue& queue, const QueueKind& kind, uint32_t packet);
    /// @param queue a queue with packets
    /// @return its first packet, removed
    uint32_t TakeFirst(PacketQueue& queue);
    /// @param packet lost
    /// @param cause of the loss
    void Drop(uint32_t packet, OcsDropCause cause);

    FaultTally m_tally;              //!< faults in effect
    Result m_result;                 //!< but for the sums made at the end
    PacketEventQueue m_events;       //!< future events
    const Traffic& m_flows;          //!< all flows
    std::vector<Packet> m_packets;   //!< in flight, and free ones
    std::vector<RackId> m_rackOf;    //!< rack of each host
    std::vector<Content> m_contents; //!< by packet, with HostSettings::HasLoops(); else none

  private:
    /// @return a packet that is not used
    uint32_t TakePacket();
    /// Count data that have been received. @param bytes application data
    void CountGoodput(uint64_t bytes);
    /// Start flows that are due. @param host the host
    void StartFlows(ServerId host);
    /// Send the next packet, if any may leave now. @param host the host
    void SendPacket(ServerId host);
    /// Find the next packet. @param host the host
    /// @param [out] queue from which to take its flow; null if there is none
    /// @param [out] circuit for which it waits, or null
    /// @return when it may leave, ps
    int64_t FindNext(Host& host, FlowQueue*& queue, HostCircuit*& circuit);
    /// See to it that the next packet is sent when it may leave. @param host the host
    void ScheduleNext(ServerId host);
    /// Let a flow or a message take turns on the line.
    /// @param host the host
    /// @param i its index
    void Activate(ServerId host, uint32_t i);
    /// @param a a flow or a message
    /// @param b another one
    /// @return whether a goes first
    bool IsBefore(const Outgoing& a, const Outgoing& b) const;
    /// @param host a host
    /// @param i index of a flow or message from it
    /// @return the rack for whose circuits it waits, or NO_RACK
    RackId FindHold(ServerId host, uint32_t i) const;
    /// Take a message from the source. @param message the message
    void Accept(const Message& message);
    /// Send a message now. @param i its place
    void StartMessage(uint32_t i);
    /// Let the next message to the same host begin. @param i place of one that has been sent
    /// @return whether there is one
    bool LeaveStream(uint32_t i);
    /// @param i place of a message
    /// @return key of those that follow each other, in m_lastOfStream
    uint64_t GetStream(uint32_t i) const;
    /// The last byte of a flow or message has been received. @param flow the flow, or the place
    void Complete(uint32_t flow);
    /// Let the run go on until the last message, if that is empty and starts later than now.
    void WaitForEnd();
    /// Note what is done with flows or messages that are not complete.
    void NoteStages();
    /// A circuit may be used. @param host that hears of it
    void UseCircuit(ServerId host);
    /// Start the next packet to a host, if any. @param host the host
    void StartDown(ServerId host);
    /// @param packet that has reached its host
    /// @param truncated TRUNCATED or 0
    void Receive(uint32_t packet, uint32_t truncated);
    /// The last bit of a packet has left a network card.
    /// @param packet the packet
    /// @param host its sender
    void LeaveCard(uint32_t packet, ServerId host);
    /// A packet of a host has reached its first switch.
    /// @param packet the packet
    /// @param from the host, with TRUNCATED or without
    void ReachSwitch(uint32_t packet, uint32_t from);
    /// A fault starts or ends.
    /// @param index twice that in the plan, plus 1 at the end
    void ChangeFault(uint32_t index);
    /// Schedule the faults.
    void StartFaults();
    /// Note the faults in the result.
    void NoteFaults();
    /// @param packet that is gone
    void Free(uint32_t packet);

    const HostLinks m_links;          //!< of hosts
    const HostSettings& m_settings;   //!< of hosts
    const Faults& m_faults;           //!< what fails
    bool m_isEarly{false};            //!< whether faults of the beginning start
    std::vector<PortState> m_cards;   //!< by host, with faults
    std::vector<bool> m_areSending;   //!< by host, with faults and without loops: network cards
    std::vector<PortState> m_downs;   //!< by host, with faults: ports of switches
    std::vector<int64_t> m_serverTx;  //!< transmission times of hosts' ports by size, ps
    int64_t m_window;                 //!< goodputWindow, ps
    int64_t m_windowEnd{0};           //!< end of the last one of m_windows, ps
    std::vector<uint64_t> m_windows;  //!< application data received, bytes
    std::vector<Outgoing> m_outgoing; //!< flows by host and start, or messages by place
    std::vector<uint64_t> m_missing;  //!< bytes not received yet, by flow or place
    std::vector<Host> m_hosts;        //!< by number
    uint32_t m_freePacket{NONE};      //!< first of the free packets, linked by next
    std::deque<Signal> m_signals;     //!< on their way to hosts
    uint64_t m_open;                  //!< flows and messages that are not complete
    uint64_t m_unsent;                //!< those with packets to send; not used with loops

    TrafficSource* m_source{nullptr};           //!< sends messages, or null
    uint32_t m_headers{HEADERS};                //!< bytes of headers in each packet
    std::vector<Message> m_messages;            //!< not complete, by place, and free places
    std::vector<uint32_t> m_freePlaces;         //!< of messages
    std::vector<Message> m_toSend;              //!< what the source sends
    uint64_t m_sent{0};                         //!< messages sent
    bool m_isRunning{false};                    //!< whether the first host has started
    const bool m_hasLoops;                      //!< HostSettings::HasLoops()
    std::vector<std::unique_ptr<Loop>> m_loops; //!< by host, with loops
    /// Last one of the messages that follow each other, while there are any; see GetStream().
    std::unordered_map<uint64_t, uint32_t> m_lastOfStream;
};

} // namespace ns3::odcn

#endif /* ODCN_EXACT_ENGINE_H */
