// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_PLANE_H
#define ODCN_MESSAGE_PLANE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-fabric-engine.h"
#include "ns3/odcn-message.h"
#include "ns3/odcn-traffic.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace ns3::odcn
{

class PlaneRun;
class PlaneTraffic;

/**
 * @ingroup odcn
 *
 * Carries messages between end points (servers, or the accelerators of servers), at any time of a
 * simulation. What runs on messages, as a collective does, runs on every kind of plane unchanged:
 * on packets, or on the flow level. All kinds keep ns-3's time.
 *
 * Messages of one sender to one receiver follow each other, as on a connection: the next one begins
 * when the last byte of the one before has been sent. Those to different receivers share the
 * sender.
 *
 * At any time, messages (and bytes) sent = delivered + in flight.
 *
 * While messages are in flight, a plane exists without any Ptr to it, until Dispose() or
 * Simulator::Destroy(); both drop what was to be called at their delivery.
 */
class MessagePlane : public Object
{
  public:
    /// Called when the last byte of a message has been received, at that time. It may send.
    using Delivered = std::function<void(const Message&)>;

    /// Messages, or bytes of them, by state.
    struct Counts
    {
        uint64_t sent{0};      //!< accepted by Send()
        uint64_t delivered{0}; //!< received in full
        uint64_t inFlight{0};  //!< the others
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    MessagePlane();
    ~MessagePlane() override;

    /// @return number of end points
    virtual uint32_t GetNEndPoints() const = 0;

    /// @return what it is, as engine of its results
    virtual FabricEngine GetEngine() const = 0;

    /**
     * Send a message now.
     *
     * @param from index of the sender
     * @param to index of the receiver, another one
     * @param bytes application data, 1 to 2^53
     * @param delivered called when it has been received; may be empty
     * @param tag for the sender's use
     * @return its number
     * @throws OdcnError when an end point does not exist or sends to itself, there are no bytes or
     * too many, or the plane has no way to the receiver; then no message was sent
     */
    uint64_t Send(uint32_t from,
                  uint32_t to,
                  uint64_t bytes,
                  Delivered delivered = {},
                  uint64_t tag = 0);

    /**
     * Send traffic: each message as soon as its start has come and those before it have been
     * received.
     * @param traffic what to send; starts are from now on
     * @param done called when all has been received, in an event after this one; may be empty
     * @return the run, which needs no Ptr to go on
     * @throws OdcnError as PlaneRun::Start()
     */
    Ptr<PlaneRun> Send(Traffic traffic, std::function<void()> done = {});

    /// @return messages by state
    Counts CountMessages() const;

    /// @return bytes of messages by state
    Counts CountBytes() const;

    /// @return how many messages are in flight, with the first of them and what keeps it from being
    /// delivered if that is known; empty if there are none
    std::string DescribeInFlight() const;

    /// Signature of Sent and Delivered.
    /// @param message the message
    typedef void (*MessageTracedCallback)(const Message& message);

  protected:
    void DoDispose() override;

    /// Carry a message; call Deliver() when its last byte has been received, never at once.
    /// What throws does so before it changes any state or calls a trace.
    /// @param message the message
    virtual void DoSend(const Message& message) = 0;

    /// @param message one that is in flight
    /// @return what keeps it from being delivered at this time; empty if that is not known
    virtual std::string FindObstacle(const Message& message) const;

    /// Report that a message has been received.
    /// @param number of the message
    void Deliver(uint64_t number);

    /// @param number of a message in flight
    /// @return the message
    Message GetInFlight(uint64_t number) const;

    /// @param number of a message in flight, modulo 2^32
    /// @return its number
    uint64_t GetFullNumber(uint32_t number) const;

  private:
    friend class PlaneTraffic;

    /// A message in flight, as what has sent it knows it.
    struct Pending
    {
        uint32_t sender; //!< index in m_senders; OWN for m_own, DELIVERED if it was received
        uint32_t item;   //!< index in m_own, or what PlaneTraffic::GetMessage() takes
    };

    /// Has messages in flight, which it describes.
    struct Sender
    {
        Ptr<PlaneTraffic> traffic; //!< itself; null if it has none
        uint64_t inFlight{0};      //!< their number
    };

    /// A message of Send() by itself.
    struct Own
    {
        Message message;     //!< the message
        Delivered delivered; //!< called when it has been received
    };

    /**
     * Send a message of traffic, as Send(); traffic describes it until it has been received.
     * @param message the message, without number and time
     * @param traffic gets it back by PlaneTraffic::Receive()
     * @param item for PlaneTraffic::GetMessage()
     */
    void SendFor(const Message& message, PlaneTraffic& traffic, uint32_t item);
    /// Send a message, which was stored. @param message the message, without number and time
    /// @param pending where it was stored; given up if this throws
    /// @return its number
    uint64_t Start(Message message, const Pending& pending);
    /// @param pending a message in flight
    /// @param number of it
    /// @return the message
    Message Describe(const Pending& pending, uint64_t number) const;
    /// Forget a message. @param pending where it is stored
    void Drop(const Pending& pending);
    /// Drop what would be called at deliveries.
    void Release();

    std::deque<Pending> m_pending;              //!< the last messages by number
    std::vector<Own> m_own;                     //!< in flight, and places for others
    std::vector<uint32_t> m_unusedOwn;          //!< places in m_own
    std::vector<Sender> m_senders;              //!< with messages in flight, and places for others
    std::vector<uint32_t> m_unusedSenders;      //!< places in m_senders
    uint64_t m_sent{0};                         //!< messages sent
    uint64_t m_inFlight{0};                     //!< messages in flight
    uint64_t m_sentBytes{0};                    //!< bytes of them
    uint64_t m_inFlightBytes{0};                //!< bytes of messages in flight
    Ptr<MessagePlane> m_self;                   //!< this one, while messages are in flight
    EventId m_release;                          //!< Release() at the end of the simulation
    TracedCallback<const Message&> m_sentTrace; //!< trace source Sent
    TracedCallback<const Message&> m_deliveredTrace; //!< trace source Delivered
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_PLANE_H */
