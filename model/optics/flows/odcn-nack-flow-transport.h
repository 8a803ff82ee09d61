// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NACK_FLOW_TRANSPORT_H
#define ODCN_NACK_FLOW_TRANSPORT_H

#include "odcn-nack-logic.h"
#include "odcn-udp-flow-transport.h"

#include "ns3/socket.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * UDP packets of which the receiver asks for the lost ones, as NackLogic says. Answers and credits
 * are RepairHeaders, with a port each, the fourth and fifth after FlowApplication::Port.
 *
 * Each flow is a message here: its packets bear a MessageHeader.
 */
class NackFlowTransport : public UdpFlowTransport
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    NackFlowTransport();

    uint32_t GetHeaders() const override;
    bool SendsMessages() const override;

  protected:
    void Listen() override;
    void Transmit(const TransportPacket& packet) override;

  private:
    /// An answer or a credit of a receiver has been received.
    /// @param kind which of them
    /// @param content its header
    /// @param peer the receiver
    void ReceiveControl(MessageReceiver::Kind kind, const Ptr<Packet>& content, uint32_t peer);
};

} // namespace ns3::odcn

#endif /* ODCN_NACK_FLOW_TRANSPORT_H */
