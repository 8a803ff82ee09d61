// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_ROTOR_LB_ROUTING_H
#define TOR_ROTOR_LB_ROUTING_H

#include "odcn-rotor-lb.h"
#include "tor-routing.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * RotorLB (Mellette et al., "RotorNet: A Scalable, Low-complexity, Optical Datacenter Network",
 * SIGCOMM 2017, section on RotorLB): Valiant load balancing in which a rack relays only what it has
 * agreed to relay.
 *
 * A circuit carries packets that wait here for their second hop, else packets of this rack's
 * servers to the rack that it reaches, else, to each destination in turn, packets that this other
 * rack has agreed to relay. When a circuit comes up, each of the two racks that it joins
 *
 * - offers the other what it holds for third racks, less what its other circuits can deliver
 *   directly in the rest of this slot and what other racks have agreed to relay, together with the
 *   number of bytes for which the circuit has room besides direct traffic;
 * - accepts, of what it is offered, so much for each destination that its own backlog for it
 *   (relayed packets, packets of its servers, and what it has accepted on other circuits) stays
 *   below BacklogLimit. Destinations get equal shares of the room, in units of the MTU, with what
 *   is left over of some divided among the others.
 *
 * So relayed packets for a destination never exceed BacklogLimit, and a packet takes at most two
 * circuits. What arrives from servers after the offer takes part in the exchange of a later slot.
 *
 * Offers and accepts are packets on the circuit itself, before all others of this routing: 13
 * bytes and 8 bytes for each destination, in one packet even above the MTU. There is none if it
 * would be empty. The exchange needs a symmetric matching, that is a circuit in both directions on
 * the same uplinks, and an end of the circuit that is known in advance. Without them, and in a slot
 * in which a message is lost, there is direct service only: an offer that arrives where no circuit
 * leads back is not answered.
 */
class RotorLbRouting : public TorRouting, private RotorLbSwitch
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void SetTor(TorSwitch* tor) override;
    Choice Route(const Arrival& arrival) override;
    void Serve(uint32_t port, RackId peer) override;
    void CircuitUp(uint32_t port, RackId peer, Time until) override;
    void Forget() override;
    bool Control(uint32_t port, const Ptr<Packet>& packet) override;
    TorForwarding GetForwarding() const override;

  protected:
    void DoDispose() override;

  private:
    Time Now() const override;
    RackId GetRack() const override;
    uint32_t GetNUplinks() const override;
    RackId GetCircuit(uint32_t port) const override;
    uint64_t GetRate(uint32_t port) const override;
    uint32_t GetMtu(uint32_t port) const override;
    uint64_t GetBytes(TorQueueId queue) const override;
    const std::vector<uint32_t>& GetBusy() const override;
    bool IsCutOff(RackId rack) const override;
    bool IsIdle(uint32_t port) const override;
    bool SendMessage(uint32_t port, const RotorLbMessage& message) override;
    uint32_t SendHeld(uint32_t port, TorQueueId queue, uint64_t most) override;
    void CallOpened(uint32_t port) override;

    double m_limit;                  //!< BacklogLimit
    std::optional<RotorLb> m_logic;  //!< what the switch does; after SetTor()
    std::vector<EventId> m_openings; //!< of RotorLb::Opened(), by port
};

} // namespace ns3::odcn

#endif /* TOR_ROTOR_LB_ROUTING_H */
