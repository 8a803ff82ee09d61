// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULER_APPLICATION_H
#define ODCN_SCHEDULER_APPLICATION_H

#include "odcn-decision-policy.h"
#include "odcn-packet-timeline.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/odcn-management-network.h"
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
 * A controller as an application on a node: hosts a decision problem, its managers and the policy
 * (a rule or an agent) that decides. Simulator::Run() is its only driver.
 *
 * A request is sent at its job time (see PacketTimeline) as a message over the management network
 * and decided DecisionTime after its arrival at the controller; with Inquire, the devices report
 * first. The resulting commands reach the devices as messages, and the devices report when they
 * have carried them out. Requests are served one at a time: each is sent when its predecessor has
 * been decided. A request that the controller reaches late, since its messages or decisions take
 * longer than the gaps between requests, or since it is down, waits in job time, too: it is decided
 * in the state of that time, and what it holds begins then; but the first one, which Reset() of the
 * problem has begun, is decided as of its arrival. With a JobTimeUnit of 0 job time cannot
 * be told from simulated time, and each is decided at its arrival.
 *
 * Between requests, what changes by itself does so at its own time (GetNextChange()), for instance
 * the end of jobs in service.
 *
 * While the controller is down (SetDown()), requests and reports of failures wait.
 *
 * Resources are held from the decision until the report of their release arrives, which is longer
 * by the latency of a command and a report than without a management network.
 */
class SchedulerApplication : public Application, public PacketTimeline
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    SchedulerApplication();

    /// @param management carries all messages; the default one is ideal
    void SetManagement(Ptr<ManagementNetwork> management);

    /// @return the network that carries all messages
    Ptr<ManagementNetwork> GetManagement() const
    {
        return m_management;
    }

    /// Crash or restart the controller, which keeps its state. @param down whether it is down
    void SetDown(bool down);

    /// @return number of jobs or requests decided so far
    uint64_t GetNJobs() const
    {
        return m_nDecisions;
    }

    /// @return whether a window is open or waits for commands to be carried out
    bool IsWindowOpen() const
    {
        return m_standing;
    }

  protected:
    /// Length of a message without content, such as a report, bytes.
    static constexpr uint32_t PLAIN_MESSAGE = 32;

    void DoDispose() override;

    /// The application starts: Connect() traces. @throws OdcnError when the problem is missing
    virtual void Begin() = 0;

    /// The application stops: stop sources.
    virtual void End() = 0;

    /// @param [out] time job time of the next request  @return false when there is none
    virtual bool GetNext(double& time) const = 0;

    /// @return message length of the next request, bytes
    virtual uint32_t GetRequestBytes() const;

    /// Decide the next request. @return whether the one after it may be served; if not, the
    /// derived class calls Continue() later
    virtual bool DecideNext() = 0;

    /// Wait for the next request, or finish.
    void Continue();

    /// @param time additional holding time of resources, units of job time
    virtual void SetControlLatency(double time) = 0;

    /// @return job time of what happens next by itself, such as the end of a job; infinite, by
    /// default, if nothing does
    virtual double GetNextChange() const;

    /// Let job time pass, and what happens by itself with it. Nothing unless overridden.
    /// @param time job time
    virtual void PassTo(double time);

    /// @return job time now, by the clock of the simulation; 0 with a JobTimeUnit of 0
    double GetJobTimeNow() const;

    /// The next request, or what changes by itself, may be another than before: wait anew.
    void WaitAnew();

    /// All commands have been carried out.
    virtual void Settled();

    /**
     * Send a command to the devices.
     * @param bytes length of the message
     * @param carryOut called when the command arrives
     * @param duration from the arrival until the devices report
     */
    void Command(uint32_t bytes, std::function<void()> carryOut, Time duration);

    /// Send a message; ignored if the application has stopped before it arrives.
    /// @param kind its kind  @param bytes its length  @param received callback on its arrival
    void Send(ManagementNetwork::Kind kind, uint32_t bytes, std::function<void()> received);

    /// @return Attribute DecisionTime
    Time GetDecisionTime() const
    {
        return m_decisionTime;
    }

    /// @return whether all commands have been carried out
    bool IsSettled() const
    {
        return m_commands == 0;
    }

    /// @param step done at once, or in order when the controller is up again
    void WhenUp(std::function<void()> step);

    /// Stop job time.
    void StandStill();

    /// Resume job time.
    void GoOn();

    /// @return the policy
    DecisionPolicy& GetPolicy() const
    {
        return *m_policy;
    }

    /// Connect a sink until the application stops.
    /// @param source has the trace source
    /// @param name of it
    /// @param sink a callback
    template <typename S>
    void Connect(Ptr<Object> source, const std::string& name, const S& sink)
    {
        source->TraceConnectWithoutContext(name, sink);
        m_disconnect.emplace_back([=]() { source->TraceDisconnectWithoutContext(name, sink); });
    }

    /// Cut what Connect() has connected.
    void Disconnect();

    /// Schedule the next step of this application, cancelled when it stops.
    /// @param delay from now  @param step the next step
    void After(Time delay, std::function<void()> step);

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// All requests are decided and all commands carried out.
    void Finish();

    /// A request has reached the controller.
    void Received();

    /// A request is to be decided now.
    void Decide();

    /// Wait for GetNextChange(), too.
    void AwaitChange();

    Ptr<DecisionPolicy> m_policy;                    //!< decides requests
    Ptr<ManagementNetwork> m_management;             //!< carries all messages
    Time m_decisionTime;                             //!< duration of a decision
    bool m_inquire;                                  //!< whether devices report before a decision
    uint64_t m_maxJobs;                              //!< number of requests to decide; 0 for all
    uint64_t m_nDecisions{0};                        //!< requests decided so far
    uint32_t m_commands{0};                          //!< commands not yet carried out
    bool m_running{false};                           //!< between start and stop
    bool m_down{false};                              //!< see SetDown()
    std::vector<std::function<void()>> m_waiting;    //!< see WhenUp()
    std::vector<std::function<void()>> m_disconnect; //!< sinks of Connect()
    bool m_finishing{false};                         //!< whether all requests are decided
    bool m_standing{false};                          //!< whether job time stands still
    Time m_stoodStillAt;                             //!< when job time was stopped
    EventId m_event;                                 //!< next arrival, decision or step
    EventId m_change;                                //!< see GetNextChange()
    bool m_isAwaiting{false};                        //!< whether m_event sends a request
    TracedCallback<> m_finishedTrace;                //!< trace source Finished
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULER_APPLICATION_H */
