// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_ROTOR_LB_ROUTING_H
#define TOR_ROTOR_LB_ROUTING_H

#include "tor-routing.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
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
class RotorLbRouting : public TorRouting
{
  public:
    /// Bytes for a destination.
    struct Share
    {
        RackId rack;    //!< destination
        uint64_t bytes; //!< number of bytes
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    Choice Route(const Arrival& arrival) override;
    void Serve(uint32_t port, RackId peer) override;
    void CircuitUp(uint32_t port, RackId peer, Time until) override;
    void Forget() override;
    bool Control(uint32_t port, const Ptr<Packet>& packet) override;
    TorForwarding GetForwarding() const override;

    /**
     * Divide a capacity among destinations, a unit to each in turn.
     *
     * @param total bytes to divide
     * @param wanted most bytes for each destination
     * @param unit bytes, above 0
     * @return bytes for each, without those that get none
     */
    static std::vector<Share> Divide(uint64_t total, std::vector<Share> wanted, uint64_t unit);

  protected:
    void DoDispose() override;

  private:
    /// An offer that has arrived.
    struct Offer
    {
        RackId sender{NO_RACK};    //!< rack; NO_RACK without an offer
        uint64_t room{0};          //!< most bytes to accept
        std::vector<Share> shares; //!< what is offered
    };

    /// State of an uplink in the present slot.
    struct Uplink
    {
        Time until;                                    //!< end of the circuit
        uint64_t capacity{0};                          //!< bytes that it carries from start to end
        EventId opening;                               //!< of MakeOffer()
        std::deque<Ptr<Packet>> messages;              //!< messages to send
        Offer offer;                                   //!< not answered yet
        std::vector<Share> accepted;                   //!< what the far rack relays, not sent yet
        uint32_t turn{0};                              //!< next of accepted in turn
        std::unordered_map<RackId, uint64_t> reserved; //!< accepted here, not arrived yet
    };

    /// @param port an uplink  @return its state
    Uplink& Find(uint32_t port);

    /// All circuits that come up now are known: send the offer. @param port an uplink
    void MakeOffer(uint32_t port);

    /// Answer the offer that has arrived. @param port an uplink
    void Answer(uint32_t port);

    /// @param port an uplink  @return bytes that its circuit can carry from now to its end
    uint64_t GetLeft(uint32_t port) const;

    double m_limit;                //!< BacklogLimit
    std::vector<Uplink> m_uplinks; //!< by port
    uint32_t m_turn{0};            //!< first destination of the next division
};

} // namespace ns3::odcn

#endif /* TOR_ROTOR_LB_ROUTING_H */
