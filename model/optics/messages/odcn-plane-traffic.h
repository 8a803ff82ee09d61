// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLANE_TRAFFIC_H
#define ODCN_PLANE_TRAFFIC_H

#include "odcn-message-plane.h"

#include "ns3/object.h"
#include "ns3/odcn-traffic.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Lets a source send on a plane in ns-3's time, as ExactPackets::Run() lets it send without the
 * simulator. What the source sees as time 0 is when it was started.
 *
 * @code
 *   TrafficRun run(Collective::Make("all-reduce:ring", 64, 1000000).GetMessages());
 *   Ptr<PlaneTraffic> traffic = CreateObject<PlaneTraffic>();
 *   traffic->Start(plane, run);
 *   Simulator::Run();
 *   std::cout << run.GetTime().GetSeconds();
 * @endcode
 *
 * Messages in flight and those to be sent hold it: it needs no other Ptr, until Dispose() or
 * Simulator::Destroy().
 */
class PlaneTraffic : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Start now.
     * @param plane carries the messages
     * @param source sends them; it must exist until Dispose() or Simulator::Destroy()
     * @throws OdcnError when it was started before, or a message is refused by the plane; in the
     * last case those before it have been sent, and it is over
     */
    void Start(Ptr<MessagePlane> plane, TrafficSource& source);

    /**
     * Let the source receive a message that no plane carries, such as one that another Application
     * has for it. Nothing happens before the start and after the end.
     * @param message for the source, which does not handle another one meanwhile; its time is now
     */
    void Tell(Message message);

  protected:
    void DoDispose() override;

    /// The source has seen a message that was received, and has sent what follows.
    virtual void AfterReceive();

    /// Called after the start and after each message received, until it returns false.
    /// @param [out] send empty; gets more messages to send at this time, in their order
    /// @return whether there are any; by default not
    virtual bool SendMore(std::vector<Message>& send);

    /// Remember a message until Forget(), while it is in flight.
    /// @param message the message
    /// @return what stands for it
    virtual uint32_t Keep(const Message& message);

    /// @param item of Keep()
    /// @return the message and when it was sent, in ns-3's time; its number has no meaning
    virtual Message GetMessage(uint32_t item) const;

    /// @param item of Keep(), not used afterwards
    virtual void Forget(uint32_t item);

    /// Send no more.
    void End();

    /// @return what carries the messages; null before the start and after the end
    Ptr<MessagePlane> GetPlane() const
    {
        return m_plane;
    }

    /// @return when it was started
    Time GetStart() const
    {
        return m_start;
    }

  private:
    friend class MessagePlane;

    /// @param send messages to send, at their times
    void Take(const std::vector<Message>& send);
    /// @param message to send now
    void Send(Message message);
    /// Send all messages of the source at this time. @param send the first of them
    void TakeAll(std::vector<Message>& send);
    /// @param message that has been received, with times of ns-3
    void Receive(Message message);

    Ptr<MessagePlane> m_plane;        //!< see GetPlane()
    TrafficSource* m_source{nullptr}; //!< sends; null as the plane
    bool m_isStarted{false};          //!< whether Start() was called
    Time m_start;                     //!< see GetStart()
    std::vector<Message> m_messages;  //!< of Keep(), and places for others
    std::vector<uint32_t> m_unused;   //!< places in m_messages
    std::vector<Message> m_send;      //!< empty, with memory for what the source sends
    std::optional<uint32_t> m_sender; //!< what it is to its plane, while it has messages in flight
};

} // namespace ns3::odcn

#endif /* ODCN_PLANE_TRAFFIC_H */
