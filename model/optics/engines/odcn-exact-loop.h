// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EXACT_LOOP_H
#define ODCN_EXACT_LOOP_H

#include "odcn-exact-engine.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * A host with a TransportLogic, which sends packets by timers and in answer to others: its network
 * card, and its timers. What happens there has the same events as in ns-3, scheduled in the same
 * order.
 */
class ExactPackets::Engine::Loop : public TransportHost
{
  public:
    /// @param engine outlives this object
    /// @param host number of the host
    Loop(Engine& engine, ServerId host);

    /// @return what the transport does
    TransportLogic& GetLogic() const
    {
        return *m_logic;
    }

    /// A timer may have expired.
    /// @param timer its number
    /// @param order of the event
    void Expired(uint32_t timer, uint64_t order);
    /// The last bit of a packet has left the network card. @param packet the packet
    void Sent(uint32_t packet);
    /// A packet has arrived. @param packet the packet, free from now on
    void Received(uint32_t packet);

    /// @return whether the card transmits
    bool IsSending() const
    {
        return m_isSending;
    }

    /// The card has failed: lose what waits.
    void LoseWaiting();

    int64_t Now() const override;
    int64_t GetTxTime(uint32_t bytes) const override;
    void Send(const TransportPacket& packet) override;
    void SetTimer(uint32_t timer, int64_t delay) override;
    void CancelTimer(uint32_t timer) override;
    bool IsPending(uint32_t timer) const override;
    void DeliverBytes(uint32_t flow, uint32_t bytes) override;
    void DeliverMessage(const TransportPacket& packet) override;
    RackId FindRack(uint32_t peer) const override;
    Uplink GetUplink(uint32_t port) const override;

  private:
    /// Start the next packet, if any.
    void StartNext();

    Engine& m_engine;                             //!< that it is a part of
    const ServerId m_host;                        //!< its number
    Ptr<TransportLogic> m_logic;                  //!< what the transport does
    PacketQueue m_card;                           //!< packets that wait
    bool m_isSending{false};                      //!< whether the card transmits
    std::vector<uint64_t> m_timers;               //!< order of the event, by number; 0 for none
    std::vector<TransportPacket::Range> m_ranges; //!< of the packet that has arrived
};

} // namespace ns3::odcn

#endif /* ODCN_EXACT_LOOP_H */
