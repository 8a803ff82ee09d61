// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROTOR_LB_H
#define ODCN_ROTOR_LB_H

#include "tor-buffer.h"

#include "ns3/nstime.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/// A message of RotorLb from one end of a circuit to the other.
struct RotorLbMessage
{
    /// Bytes for a destination.
    struct Share
    {
        RackId rack;    //!< destination
        uint64_t bytes; //!< number of bytes
    };

    bool isOffer{true};        //!< an offer, else an accept
    RackId sender{NO_RACK};    //!< rack
    uint64_t room{0};          //!< of an offer: most bytes to accept, below 2^32
    std::vector<Share> shares; //!< what is offered or accepted, each below 2^32 bytes

    /// @return bytes that it takes on a circuit
    uint32_t GetSize() const
    {
        return 13 + 8 * static_cast<uint32_t>(shares.size());
    }
};

/**
 * @ingroup odcn
 *
 * A ToR switch as RotorLb sees it.
 */
class RotorLbSwitch
{
  public:
    virtual ~RotorLbSwitch() = default;

    /// @return the simulated time
    virtual Time Now() const = 0;

    /// @return its rack
    virtual RackId GetRack() const = 0;

    /// @return number of its uplinks
    virtual uint32_t GetNUplinks() const = 0;

    /// @param port an uplink
    /// @return the rack that it reaches now, or NO_RACK
    virtual RackId GetCircuit(uint32_t port) const = 0;

    /// @param port an uplink
    /// @return its rate in bit/s; 0 if it has failed
    virtual uint64_t GetRate(uint32_t port) const = 0;

    /// @param port an uplink
    /// @return size of its largest packet, bytes
    virtual uint32_t GetMtu(uint32_t port) const = 0;

    /// @param queue LOCAL or RELAY
    /// @return bytes that wait in it
    virtual uint64_t GetBytes(TorQueueId queue) const = 0;

    /// @return destinations for which packets wait in queues of kind LOCAL, in any order
    virtual const std::vector<uint32_t>& GetBusy() const = 0;

    /// @param rack another rack
    /// @return whether all circuits of the schedule to it are known to have failed
    virtual bool IsCutOff(RackId rack) const = 0;

    /// @param port an uplink
    /// @return whether a packet may be sent on it now
    virtual bool IsIdle(uint32_t port) const = 0;

    /// @param port an uplink
    /// @param message sent if the uplink is idle and its circuit lasts long enough
    /// @return whether it was
    virtual bool SendMessage(uint32_t port, const RotorLbMessage& message) = 0;

    /// @param port an idle uplink
    /// @param queue whose next packet is sent if its circuit lasts long enough
    /// @param most bytes that it may have
    /// @return its bytes; 0 if none was sent
    virtual uint32_t SendHeld(uint32_t port, TorQueueId queue, uint64_t most) = 0;

    /// Call RotorLb::Opened() after what else is due at this time, in place of an earlier call for
    /// the same uplink that is still due.
    /// @param port an uplink
    virtual void CallOpened(uint32_t port) = 0;
};

/**
 * @ingroup odcn
 *
 * What a ToR switch does by RotorLB, without packets and events of ns-3: RotorLbRouting runs it
 * there, SchedulePackets without ns-3's events. See RotorLbRouting for the rules.
 */
class RotorLb
{
  public:
    /// Bytes for a destination.
    using Share = RotorLbMessage::Share;

    /// @param tor the switch, which outlives this object
    /// @param limit RotorLbRouting::BacklogLimit
    RotorLb(RotorLbSwitch& tor, double limit);

    /// A circuit is up.
    /// @param port the uplink
    /// @param peer the rack that it reaches
    /// @param until when the last bit of the last packet must have left; Time::Max() for no end
    void CircuitUp(uint32_t port, RackId peer, Time until);

    /// All circuits that come up now are known: send the offer.
    /// @param port an uplink
    void Opened(uint32_t port);

    /// An uplink is idle: send a message or a packet, or nothing.
    /// @param port the uplink
    /// @param peer the rack that it reaches
    void Serve(uint32_t port, RackId peer);

    /// A message has come by a circuit.
    /// @param port the uplink
    /// @param message the message
    void Receive(uint32_t port, RotorLbMessage message);

    /// A packet has come by a circuit, to be relayed.
    /// @param port the uplink
    /// @param destination rack
    /// @param bytes of the packet
    void Relay(uint32_t port, RackId destination, uint32_t bytes);

    /// Forget what was agreed on.
    void Forget();

    /**
     * Divide a capacity among destinations, a unit to each in turn.
     *
     * @param total bytes to divide
     * @param wanted most bytes for each destination
     * @param unit bytes, above 0
     * @return bytes for each, without those that get none
     */
    static std::vector<Share> Divide(uint64_t total, std::vector<Share> wanted, uint64_t unit);

  private:
    /// State of an uplink in the present slot.
    struct Uplink
    {
        Time until;                                    //!< end of the circuit
        uint64_t capacity{0};                          //!< bytes that it carries from start to end
        bool isOpening{false};                         //!< whether Opened() is still to come
        std::deque<RotorLbMessage> messages;           //!< messages to send
        RotorLbMessage offer;                          //!< not answered yet; NO_RACK sends none
        std::vector<Share> accepted;                   //!< what the far rack relays, not sent yet
        uint32_t turn{0};                              //!< next of accepted in turn
        std::unordered_map<RackId, uint64_t> reserved; //!< accepted here, not arrived yet
    };

    /// @param port an uplink
    /// @return its state
    Uplink& Find(uint32_t port);

    /// Answer the offer that has arrived.
    /// @param port an uplink
    void Answer(uint32_t port);

    /// @param port an uplink
    /// @return bytes that its circuit can carry from now to its end
    uint64_t GetLeft(uint32_t port) const;

    /// @param rack destination
    /// @return bytes of this rack's servers for it that none of the circuits takes that are up
    uint64_t FindExcess(RackId rack) const;

    RotorLbSwitch& m_tor;          //!< the switch
    const double m_limit;          //!< BacklogLimit
    std::vector<Uplink> m_uplinks; //!< by port
    uint32_t m_turn{0};            //!< first destination of the next division
};

} // namespace ns3::odcn

#endif /* ODCN_ROTOR_LB_H */
