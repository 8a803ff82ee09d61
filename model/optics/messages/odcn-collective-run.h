// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLLECTIVE_RUN_H
#define ODCN_COLLECTIVE_RUN_H

#include "odcn-collective.h"
#include "odcn-message-plane.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-message-order.h"
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
 * Runs a collective over messages, on any kind of plane: a step is sent as soon as all steps before
 * it have been received. Any number of collectives may run at a time. Computing takes no time. A
 * step without bytes sends nothing, and is received at once.
 *
 * @code
 *   Ptr<CollectiveRun> run = CreateObject<CollectiveRun>();
 *   run->Start(plane, Collective::Make("all-reduce:ring", 64, 1000000), {});
 *   Simulator::Run();
 *   std::cout << run->GetTime().GetSeconds();
 * @endcode
 */
class CollectiveRun : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Start now. The run holds the plane until it is done, and the messages in flight hold the run:
     * neither needs another Ptr, until Dispose() or Simulator::Destroy().
     * @param plane carries the messages
     * @param collective what to run
     * @param places end point of each rank, all different; empty for rank i at end point i
     * @param done called at the end, in an event after this one; may be empty
     * @throws OdcnError when it was started before, the places do not fit the plane, or the plane
     * has no way for a message; in the last case those before it have been sent, and the run is
     * over
     */
    void Start(Ptr<MessagePlane> plane,
               Collective collective,
               std::vector<uint32_t> places,
               std::function<void()> done = {});

    /// @return what runs; without steps before Start()
    const Collective& GetCollective() const
    {
        return m_collective;
    }

    /// @return whether it was started and all steps have been received
    bool IsDone() const
    {
        return m_isStarted && m_order.IsDone();
    }

    /// @return number of steps received
    uint64_t CountReceived() const
    {
        return m_order.CountReceived();
    }

    /// @return how many steps have not been received and, before Simulator::Destroy(), the first
    /// message of the plane that was not delivered; empty if it is done
    std::string DescribeUnfinished() const;

    /// @return from the start to the last step received
    Time GetTime() const
    {
        return m_end - m_start;
    }

    /// Signature of Step.
    /// @param index of the step
    /// @param sent when it was sent
    typedef void (*StepTracedCallback)(uint32_t index, Time sent);

  protected:
    void DoDispose() override;

  private:
    /// Send all steps that are ready.
    void SendReady();
    /// @param index of a step that was received
    /// @param sent when it was sent
    void Received(uint32_t index, Time sent);
    /// Count a step as received.
    /// @param index of the step
    /// @param sent when it was sent
    void Count(uint32_t index, Time sent);
    /// Call what is to be called when all steps have been received.
    void End();

    Ptr<MessagePlane> m_plane;      //!< carries the messages; null when it has none left to carry
    bool m_isStarted{false};        //!< whether Start() was called
    Collective m_collective;        //!< what to run
    std::vector<uint32_t> m_places; //!< end point of each rank; empty for their indices
    std::function<void()> m_done;   //!< called at the end
    MessageOrder m_order;           //!< which steps may be sent
    Time m_start;                   //!< of the run
    Time m_end;                     //!< of the last step so far
    TracedCallback<uint32_t, Time> m_stepTrace; //!< trace source Step
};

} // namespace ns3::odcn

#endif /* ODCN_COLLECTIVE_RUN_H */
