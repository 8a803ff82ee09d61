// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLANE_RUN_H
#define ODCN_PLANE_RUN_H

#include "odcn-plane-traffic.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-traffic.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Runs traffic over any kind of plane: a list of flows, or the steps of a collective. A message is
 * sent as soon as its start has come and all messages before it have been received. Any number of
 * runs may share a plane. The tag of each message is its index in the traffic.
 *
 * @code
 *   const Collective ring = Collective::Make("all-reduce:ring", 64, 1000000);
 *   Ptr<PlaneRun> run = plane->Send(ring.GetMessages());
 *   Simulator::Run();
 *   std::cout << run->GetTime().GetSeconds();
 * @endcode
 */
class PlaneRun : public PlaneTraffic
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Start now; MessagePlane::Send() does so, where no trace is wanted. The run holds the plane
     * until it is done, and the messages in flight hold the run: neither needs another Ptr, until
     * Dispose() or Simulator::Destroy().
     * @param plane carries the messages
     * @param traffic what to send; starts are from now on
     * @param done called at the end, in an event after this one; may be empty
     * @throws OdcnError when it was started before, an end point does not exist, or the plane has
     * no way for a message; in the last case those before it have been sent, and the run is over
     */
    void Start(Ptr<MessagePlane> plane, Traffic traffic, std::function<void()> done = {});

    /// @return whether it was started and all messages have been received
    bool IsDone() const
    {
        return m_isStarted && m_run.IsDone();
    }

    /// @return number of messages received
    uint64_t CountReceived() const
    {
        return m_run.CountReceived();
    }

    /// @return what is sent; empty before the start
    const Traffic& GetTraffic() const
    {
        return m_run.GetTraffic();
    }

    /// @return when messages were sent and received so far, from the start on; made by each call
    TrafficResult GetResult() const
    {
        return m_run.GetResult();
    }

    /// @return from the start to the last message received
    Time GetTime() const
    {
        return m_run.GetTime();
    }

    /// @return how many messages have not been received and, before Simulator::Destroy(), the first
    /// message of the plane that was not delivered; empty if it is done
    std::string DescribeUnfinished() const;

    /// Signature of Received.
    /// @param index of the message
    /// @param sent when it was sent
    typedef void (*ReceivedTracedCallback)(uint32_t index, Time sent);

  protected:
    void DoDispose() override;
    void AfterReceive() override;
    bool SendMore(std::vector<Message>& send) override;
    uint32_t Keep(const Message& message) override;
    Message GetMessage(uint32_t item) const override;
    void Forget(uint32_t item) override;

  private:
    /// Call what is to be called when all messages have been received.
    void Finish();

    bool m_isStarted{false};                        //!< whether Start() was called
    TrafficRun m_run;                               //!< which messages are to be sent
    std::function<void()> m_done;                   //!< called at the end
    TracedCallback<uint32_t, Time> m_receivedTrace; //!< trace source Received
};

} // namespace ns3::odcn

#endif /* ODCN_PLANE_RUN_H */
