// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_UDP_FLOW_TRANSPORT_H
#define ODCN_UDP_FLOW_TRANSPORT_H

#include "odcn-logic-flow-transport.h"
#include "odcn-udp-logic.h"

#include "ns3/odcn-units.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * UDP packets at the host's line rate, as UdpLogic says, with FlowHeaders and, for messages,
 * MessageHeaders. Flows have FlowApplication::Port, messages the port two above; short ones have
 * the next port each.
 */
class UdpFlowTransport : public LogicFlowTransport
{
  public:
    /// Bytes of IPv4, UDP and FlowHeader in each packet.
    static constexpr uint32_t HEADERS = UdpLogic::HEADERS;

    /// @return the TypeId
    static TypeId GetTypeId();

    UdpFlowTransport();

    /// @param logic UdpLogic, or one derived from it
    explicit UdpFlowTransport(Ptr<UdpLogic> logic);
    ~UdpFlowTransport() override;

    uint32_t GetHeaders() const override;
    uint64_t GetMaxBytes(bool isMessage) const override;
    bool CanHold() const override;
    void SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server) override;

  protected:
    void DoDispose() override;
    void Listen() override;
    void Transmit(const TransportPacket& packet) override;
    RackId FindRack(uint32_t peer) const override;
    Uplink GetUplink(uint32_t port) const override;

  private:
    /// A circuit has changed at the ToR switch.
    /// @param port the uplink
    /// @param rack that it reaches
    /// @param until its end
    void CircuitChanged(uint32_t port, RackId rack, Time until);
    /// This host hears of it.
    /// @param port the uplink
    /// @param rack that it reaches
    /// @param until its end
    void UseCircuit(uint32_t port, RackId rack, Time until);
    /// @return delay of the fibre to the ToR switch
    Time GetDelay() const;
    /// A packet of a flow has been received.
    /// @param content headers and data
    /// @param peer its sender
    void ReceiveFlow(const Ptr<Packet>& content, uint32_t peer);
    /// A packet of a message has been received.
    /// @param isShort its class
    /// @param content headers and data
    /// @param peer its sender
    void ReceiveMessage(bool isShort, const Ptr<Packet>& content, uint32_t peer);

    Ptr<TorSwitch> m_tor;  //!< for Hold
    OcsAddressPlan m_plan; //!< for Hold
    uint32_t m_server{0};  //!< for Hold: index in the rack
};

} // namespace ns3::odcn

#endif /* ODCN_UDP_FLOW_TRANSPORT_H */
