// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NACK_FLOW_TRANSPORT_H
#define ODCN_NACK_FLOW_TRANSPORT_H

#include "odcn-udp-flow-transport.h"

#include "ns3/event-id.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * UDP packets of which the receiver asks for the lost ones until the flow or message is complete;
 * see MessageReceiver. It does not take a packet for lost because a later one has arrived, but only
 * if it is still missing FlowApplication::ReorderTime later. With a FlowApplication::Window the
 * receiver also paces its senders by credits.
 *
 * Each flow is a message here: its packets bear a MessageHeader.
 */
class NackFlowTransport : public UdpFlowTransport
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort) override;
    uint32_t GetHeaders() const override;
    bool SendsMessages() const override;
    bool HasCredits() const override;
    bool Repairs() const override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoStop() override;
    MessageReceiver::Settings GetReceiverSettings() const override;
    void Answer(Ipv4Address peer, const RepairHeader& answer) override;
    void GiveCredit(Ipv4Address peer, const RepairHeader& credit) override;
    uint32_t GetNextBytes(std::size_t index) const override;
    Ptr<Packet> MakePacket(std::size_t index) override;
    void Drained(std::size_t index) override;
    std::size_t Add(Outgoing outgoing) override;
    void Forget(std::size_t index) override;

  private:
    /// What is known of a message, besides what is sent.
    struct Repair
    {
        std::set<uint32_t> again; //!< packets to send again
        Time timeout;             //!< before the last packet is sent again
        Time deadline{};          //!< when it is sent again
        EventId timer{};          //!< AnswerOverdue()
        uint32_t credit{0};       //!< packets that may be sent
        bool wasSent{false};      //!< whether each packet was sent once
        bool hasTurn{true};       //!< whether it takes turns on the line
    };

    /// What was sent of a message has been unanswered for long: repeat the last packet.
    /// @param index of the message
    void AnswerOverdue(std::size_t index);
    /// A message has packets to send. @param index of the message
    void TakeTurns(std::size_t index);
    /// Answers of receivers have been received. @param socket the socket
    void ReceiveAnswers(Ptr<Socket> socket);
    /// Credits of receivers have been received. @param socket the socket
    void ReceiveCredits(Ptr<Socket> socket);
    /// Read an answer.
    /// @param socket the socket
    /// @param [out] answer the answer
    /// @return index of its message, if it is not complete
    std::optional<std::size_t> FindOpen(Ptr<Socket> socket, RepairHeader& answer);
    /// Send an answer or a credit.
    /// @param socket from which
    /// @param offset of the port
    /// @param peer the sender of a message
    /// @param answer the answer
    void SendAnswer(Ptr<Socket> socket,
                    uint16_t offset,
                    Ipv4Address peer,
                    const RepairHeader& answer);
    /// Cancel the timers of all messages.
    void CancelTimers();

    std::deque<Repair> m_repairs; //!< by index of the message
    /// Messages that were not acknowledged, by receiver and number.
    std::map<std::pair<Ipv4Address, uint32_t>, std::size_t> m_open;
    Ptr<Socket> m_answers; //!< receives and sends answers
    Ptr<Socket> m_credits; //!< receives and sends credits
};

} // namespace ns3::odcn

#endif /* ODCN_NACK_FLOW_TRANSPORT_H */
