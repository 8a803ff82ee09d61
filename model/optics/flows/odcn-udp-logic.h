// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_UDP_LOGIC_H
#define ODCN_UDP_LOGIC_H

#include "odcn-message-receiver.h"
#include "odcn-transport-logic.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Packets at the host's line rate, one event each, in an order over the active flows and messages
 * (FlowApplication::Order). A flow or message that loses a packet never completes.
 *
 * With FlowApplication::Hold, a flow to another rack that is not short waits here, in a queue for
 * each rack, and sends only while the own rack has a circuit to the other one, as in Opera and
 * RotorNet. The ToR switch tells its servers about each circuit; that takes the propagation delay
 * of their link and no transmission time. A circuit gives each of the n servers of the rack one
 * packet in the time of n, server by server in turn, so that packets do not queue in the ToR
 * switch; the turn of a server with nothing to send is not used by others, as in the authors'
 * simulator. Flows that do not wait go first. Of several circuits whose turn it is, the one that is
 * due first goes first. No packet starts that would miss the end of the circuit if it met no other
 * in the ToR switch; one that does waits there.
 */
class UdpLogic : public TransportLogic
{
  public:
    /// Bytes of IPv4, UDP and FlowHeader in each packet.
    static constexpr uint32_t HEADERS = 28 + FlowHeader::SIZE;

    /// @return the TypeId
    static TypeId GetTypeId();

    UdpLogic();
    ~UdpLogic() override;

    void SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool isShort) override;
    void SendMessage(uint32_t peer, uint64_t bytes, uint64_t tag, bool isShort) override;
    void Receive(const TransportPacket& packet) override;
    void TimerExpired(uint32_t timer) override;
    void UseCircuit(uint32_t port, RackId rack, int64_t until) override;
    uint32_t GetHeaders(const TransportPacket& packet) const override;
    uint16_t GetOffset(const TransportPacket& packet) const override;
    bool Repairs() const override;
    Stages GetStages() const override;
    FlowApplication::MessageCounts GetMessageCounts() const override;

  protected:
    /// A flow or a message from this host.
    struct Outgoing
    {
        uint32_t number{0};    //!< of the flow; of messages to this receiver, from 0
        uint32_t peer{0};      //!< receiver
        uint64_t bytes{0};     //!< application data
        uint64_t left{0};      //!< bytes not sent yet
        uint32_t sequence{0};  //!< packets sent
        uint64_t tag{0};       //!< of a message; number of a flow
        bool isShort{false};   //!< class
        bool isFlow{true};     //!< whether it was known in advance
        bool hasHeader{false}; //!< whether its packets have a MessageHeader
        int64_t begin{0};      //!< when it began, time steps
        uint64_t order{0};     //!< flows and messages begun until then
    };

    void DoStop() override;

    /// @return the receiver of messages, made when it is first needed
    const std::shared_ptr<MessageReceiver>& GetReceiver();

    /// @param index of a flow or a message
    /// @return application data in its next packet
    virtual uint32_t GetNextBytes(std::size_t index) const;

    /// @param index of a flow or a message
    /// @return its next packet, which is sent now
    virtual TransportPacket MakePacket(std::size_t index);

    /// All packets that may be sent have been. @param index of a flow or a message
    virtual void Drained(std::size_t index);

    /**
     * @param peer receiver
     * @param bytes application data
     * @param tag of a message; number of a flow
     * @param isShort class
     * @return a flow without a MessageHeader, for Add()
     */
    static Outgoing MakeOutgoing(uint32_t peer, uint64_t bytes, uint64_t tag, bool isShort);

    /// @param outgoing a new flow or message
    /// @return its index
    virtual std::size_t Add(Outgoing outgoing);

    /// @param index of a flow or message that needs no memory any more
    virtual void Forget(std::size_t index);

    /// @param index of a flow or a message
    /// @return the flow or message; stays valid while others are added
    Outgoing& Get(std::size_t index)
    {
        return m_outgoing[index];
    }

    /// @param index of a flow or a message
    /// @return the flow or message
    const Outgoing& Get(std::size_t index) const
    {
        return m_outgoing[index];
    }

    /// Let a flow take turns on the line. @param index of the flow
    void Activate(std::size_t index);
    /// Add a message and begin it when those before it have been sent. @param index of the message
    void Queue(std::size_t index);
    /// Let the next message to the same host begin. @param index of a message that has been sent
    void LeaveQueue(std::size_t index);
    /// @param outgoing a flow or a message
    /// @return application data in a full packet
    uint32_t GetPayload(const Outgoing& outgoing) const;
    /// @param outgoing a flow or a message
    /// @return a packet of it, but for its index and data
    static TransportPacket MakeHeaders(const Outgoing& outgoing);
    /// Give a message its number. @param [in,out] outgoing the message
    void Number(Outgoing& outgoing);

    /// Timers of all messages follow this one, see MessageReceiver.
    static constexpr uint32_t SEND_TIMER = 0;

    /// Packets, as the sender.
    FlowApplication::MessageCounts m_counts;

  private:
    /// Flows that are sending or waiting: rank, order and index of each.
    using Turns = std::map<std::pair<uint64_t, uint64_t>, std::size_t>;

    /// A circuit of the own rack, for flows that wait for it.
    struct Circuit
    {
        RackId rack{NO_RACK}; //!< that it reaches
        int64_t next{0};      //!< when it is this host's turn
        int64_t until{0};     //!< when the last bit of the last packet must have left this host
    };

    /// @param index of a flow
    /// @return rank of its next packet; the lowest is sent first
    uint64_t GetRank(std::size_t index);
    /// @param flow a flow
    /// @return the rack for whose circuits it waits, or NO_RACK
    RackId FindHold(const Outgoing& flow) const;
    /// @param index of a flow
    /// @return the active flows, or those that wait for the same rack
    Turns& FindTurns(std::size_t index);
    /// Find the next packet. @param [out] turns from which to take it; null if there is none
    /// @param [out] circuit for which its flow waits, or null
    /// @return when it may leave
    int64_t FindNext(Turns*& turns, Circuit*& circuit);
    /// See to it that SendNext() is called when the next packet may leave.
    void ScheduleNext();
    /// Send the next packet.
    void SendNext();

    std::deque<Outgoing> m_outgoing;             //!< flows and messages, by index
    std::vector<std::size_t> m_unused;           //!< indices that others may use
    std::map<uint32_t, uint32_t> m_numbers;      //!< by receiver: messages begun
    uint64_t m_begun{0};                         //!< flows and messages begun
    std::shared_ptr<MessageReceiver> m_receiver; //!< of messages
    /// Messages by receiver and class; the first is being sent, the others wait for it.
    std::map<std::pair<uint32_t, bool>, std::deque<std::size_t>> m_queues;

    Turns m_active;                        //!< flows that are sending
    std::vector<Turns::node_type> m_spare; //!< places of flows, to be used again
    uint64_t m_turn{0};                    //!< last rank of ROUND_ROBIN
    int64_t m_free{0};                     //!< when the line is free again
    int64_t m_sendTime{0};                 //!< when SEND_TIMER is due
    std::map<RackId, Turns> m_held;        //!< for Hold: flows that wait, by rack
    std::vector<Circuit> m_circuits;       //!< for Hold: by uplink
};

} // namespace ns3::odcn

#endif /* ODCN_UDP_LOGIC_H */
