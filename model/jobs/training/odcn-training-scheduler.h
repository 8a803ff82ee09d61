// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_SCHEDULER_H
#define ODCN_TRAINING_SCHEDULER_H

#include "odcn-training-cluster.h"

#include "ns3/application.h"
#include "ns3/nstime.h"
#include "ns3/odcn-management-network.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::odcn
{

/**
 * The scheduler of training jobs as an application on a node: what a TrainingCluster and a
 * TrainingController decide takes messages and time.
 *
 * - A job that has come is a REQUEST to the controller. After a decision it waits for end points.
 * - A job that has ended is a REPORT. After a decision its end points are free.
 * - Ranks start at the arrival of a COMMAND, which follows the decision that gives them end points.
 * - Circuits that are to change are a REPORT of what the racks have received, a decision, and a
 *   COMMAND, at whose arrival the optical switches set them.
 *
 * A decision takes DecisionTime, one after another in the order in which their messages arrive. So
 * with an idle controller ranks start
 *
 *     request + DecisionTime + command
 *
 * after their job has come, if there are end points. On an ideal ManagementNetwork without
 * DecisionTime all happens at once, as without this application. Requests and reports are 32 bytes
 * long, commands 8 bytes for each rank or port.
 *
 * Before the start of the application requests and reports wait; after its end they are ignored.
 * The cluster may have no failures and no checkpoints.
 *
 * @code
 *   auto scheduler = CreateObject<TrainingScheduler>();
 *   scheduler->SetAttribute("DecisionTime", TimeValue(MicroSeconds(50)));
 *   node->AddApplication(scheduler);
 *   scheduler->Control(cluster, traffic);
 *   traffic->Start(plane, *PeekPointer(cluster));
 * @endcode
 *
 * @ingroup odcn
 */
class TrainingScheduler : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    TrainingScheduler();
    ~TrainingScheduler() override;

    /// @param management carries all messages; the default one is ideal
    void SetManagement(Ptr<ManagementNetwork> management);

    /// @return the network that carries all messages
    Ptr<ManagementNetwork> GetManagement() const
    {
        return m_management;
    }

    /**
     * Decide for jobs, before they start.
     * @param cluster the jobs; it holds this application until it is disposed of
     * @param traffic that carries its messages, or those of its TrainingController
     */
    void Control(Ptr<TrainingCluster> cluster, Ptr<PlaneTraffic> traffic);

    /// @return number of decisions so far
    uint64_t GetNDecisions() const
    {
        return m_nDecisions;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// See TrainingCluster::Scheduler.
    /// @param change the change
    /// @param count of ranks or ports
    /// @param answer of the cluster
    /// @return whether it happens at once
    bool Ask(TrainingCluster::Change change, uint32_t count, const Message& answer);
    /// Send the messages of a change.
    /// @param change the change
    /// @param count of ranks or ports
    /// @param carryOut called when it is to happen
    void Begin(TrainingCluster::Change change, uint32_t count, std::function<void()> carryOut);
    /// Send a message.
    /// @param kind its kind
    /// @param bytes its length
    /// @param received called at its arrival, while the application runs
    void Send(ManagementNetwork::Kind kind, uint32_t bytes, std::function<void()> received);
    /// Decide when all before it is decided.
    /// @param decided called then, while the application runs
    void Decide(std::function<void()> decided);

    Ptr<ManagementNetwork> m_management;          //!< see SetManagement()
    Ptr<PlaneTraffic> m_traffic;                  //!< see Control()
    Time m_decisionTime;                          //!< DecisionTime
    Time m_busyUntil;                             //!< end of the last decision
    uint64_t m_nDecisions{0};                     //!< see GetNDecisions()
    bool m_isRunning{false};                      //!< between start and stop
    bool m_hasStopped{false};                     //!< after the stop
    std::vector<std::function<void()>> m_waiting; //!< for the start
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_SCHEDULER_H */
