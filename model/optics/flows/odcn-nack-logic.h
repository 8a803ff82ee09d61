// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NACK_LOGIC_H
#define ODCN_NACK_LOGIC_H

#include "odcn-udp-logic.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Packets of which the receiver asks for the lost ones until the flow or message is complete; see
 * MessageReceiver. It does not take a packet for lost because a later one has arrived, but only if
 * it is still missing FlowApplication::ReorderTime later. With a FlowApplication::Window the
 * receiver also paces its senders by credits.
 *
 * Each flow is a message here: its packets tell its size.
 */
class NackLogic : public UdpLogic
{
  public:
    /// Ports of answers and credits, from FlowApplication::Port on.
    static constexpr uint16_t ANSWERS = 4;
    static constexpr uint16_t CREDITS = 5; //!< see ANSWERS

    /// @return the TypeId
    static TypeId GetTypeId();

    NackLogic();
    ~NackLogic() override;

    void SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool isShort) override;
    void Receive(const TransportPacket& packet) override;
    void TimerExpired(uint32_t timer) override;
    uint32_t GetHeaders(const TransportPacket& packet) const override;
    uint16_t GetOffset(const TransportPacket& packet) const override;
    bool HasCredits() const override;
    bool Repairs() const override;

  protected:
    void DoStop() override;
    uint32_t GetNextBytes(std::size_t index) const override;
    TransportPacket MakePacket(std::size_t index) override;
    void Drained(std::size_t index) override;
    std::size_t Add(Outgoing outgoing) override;
    void Forget(std::size_t index) override;

  private:
    /// What is known of a message, besides what is sent.
    struct Repair
    {
        std::set<uint32_t> again; //!< packets to send again
        int64_t timeout{0};       //!< before the last packet is sent again, time steps
        int64_t deadline{0};      //!< when it is sent again
        int64_t expires{0};       //!< when its timer does
        uint32_t credit{0};       //!< packets that may be sent
        bool wasSent{false};      //!< whether each packet was sent once
        bool hasTurn{true};       //!< whether it takes turns on the line
    };

    /// @param index of a message
    /// @return its timer, for AnswerOverdue()
    static uint32_t GetTimer(std::size_t index);
    /// Set the timer of a message. @param index of the message
    /// @param delay from now
    void SetTimer(std::size_t index, int64_t delay);
    /// What was sent of a message has been unanswered for long: repeat the last packet.
    /// @param index of the message
    void AnswerOverdue(std::size_t index);
    /// A message has packets to send. @param index of the message
    void TakeTurns(std::size_t index);
    /// An answer to a message has arrived.
    /// @param index of the message
    /// @param answer which packets to send again; none if it is complete
    void TakeAnswer(std::size_t index, const TransportPacket& answer);

    std::deque<Repair> m_repairs; //!< by index of the message
    /// Messages that were not acknowledged, by receiver and number.
    std::map<std::pair<uint32_t, uint32_t>, std::size_t> m_open;
};

} // namespace ns3::odcn

#endif /* ODCN_NACK_LOGIC_H */
