// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULER_APPLICATION_H
#define ODCN_SCHEDULER_APPLICATION_H

#include "odcn-job-flow-application.h"
#include "odcn-window.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * The controller of the optical data centre: hosts the cloud service manager, the network manager
 * and the policy that decides. Job requests reach it as they arrive; it decides, and its commands
 * reach the optical switches and the ToR switches after ControlDelay.
 *
 * Job time (seconds to hours) and packet time (nanoseconds) differ by 10^9, so packets run in
 * measurement windows: after every WindowSpacing-th job, as soon as a job is committed and the
 * circuits have settled, every accepted VM pair sends at its full demand for WindowWarmUp +
 * WindowLength. Then sources stop, the network drains, and only then does job time go on. So a
 * window starts from an empty network and none leaks into the next.
 *
 * Most packets never leave their rack (eight or nine of ten at the paper's load). Without
 * IntraRackFlows only pairs in different racks send: the optical fabric sees the same demands, and
 * a window costs a fraction of the time; but servers' links carry less, so packets wait less for
 * them.
 */
class OdcnSchedulerApplication : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OdcnSchedulerApplication();

    /**
     * @param problem ready to decide: Reset() was called
     */
    void SetProblem(Ptr<OdcnScheduling> problem);

    /// @return the decision problem
    Ptr<OdcnScheduling> GetProblem() const
    {
        return m_problem;
    }

    /**
     * @param fabric the switches that it commands, of as many racks, ports and OCSs as the
     * problem's network manager has; its circuits are preset to the manager's
     * @param flows the traffic application of every server, rack by rack
     * @throws OdcnError when the sizes differ
     */
    void SetFabric(Ptr<OcsFabric> fabric, std::vector<Ptr<OdcnJobFlowApplication>> flows);

    /**
     * Fail or repair an uplink of a ToR switch, both ways. Its packets are lost at once; the
     * network manager hears of it at once, and its commands take ControlDelay.
     *
     * @param rack the rack
     * @param port the uplink
     * @param failed whether it fails (else it is repaired)
     */
    void SetUplinkFailed(RackId rack, uint32_t port, bool failed);

    /// @return jobs decided so far
    uint64_t GetNJobs() const
    {
        return m_nJobs;
    }

    /// @return whether a window is open or waiting for its circuits to settle
    bool IsWindowOpen() const
    {
        return m_windowOpen;
    }

    /// Signature of the window trace sources. @param window the window
    typedef void (*WindowTracedCallback)(const OdcnWindow& window);
    /// Signature of the Decided trace source. @param outcome what became of the job
    typedef void (*DecidedTracedCallback)(OdcnOutcome outcome);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Wait for the next request, or finish.
    void Continue();

    /// A request is here.
    void Decide();

    /// CsMgr's CircuitsChanged. @param changes what to tell the switches
    void CircuitsChanged(const std::vector<OdcnCircuitChange>& changes);

    /// CsMgr's JobPlaced. @param job the job
    void JobPlaced(const OdcnPlacedJob& job);

    /// A command reaches the switches. @param circuits what it says
    void Command(std::vector<OcsCircuit> circuits);

    /// Sources start.
    void OpenWindow();

    /// Sources stop.
    void StopSources();

    /// Wait until the network is empty.
    void Drain();

    Ptr<OdcnDecisionPolicy> m_policy;                    //!< who decides
    Ptr<OdcnScheduling> m_problem;                       //!< what is decided
    Ptr<OcsFabric> m_fabric;                             //!< switches; null at job level
    std::vector<Ptr<OdcnJobFlowApplication>> m_flowApps; //!< per server
    Time m_jobTimeUnit;                                  //!< length of a job time unit
    Time m_controlDelay;                                 //!< from decision to switches
    uint64_t m_maxJobs;                                  //!< decide so many; 0 for all
    uint64_t m_windowAfter;                              //!< jobs before the first window
    uint64_t m_windowSpacing;                            //!< jobs from window to window; 0 for none
    Time m_warmUp;                                       //!< of a window
    Time m_length;                                       //!< of a window after its warm-up
    bool m_intraRackFlows;                               //!< whether racks talk to themselves
    Time m_standstill;                                   //!< how long job time has stood still
    Time m_stoodStillAt;                                 //!< when it last began to
    Time m_settled;           //!< when the last command will have been carried out
    uint64_t m_nJobs{0};      //!< decided
    uint64_t m_nextWindow{0}; //!< number of jobs at which the next window is due
    bool m_windowOpen{false}; //!< or about to be
    OdcnWindow m_window;      //!< the present or the last window
    EventId m_event;          //!< next arrival or next step of the window
    TracedCallback<OdcnOutcome> m_decidedTrace;      //!< a job was decided
    TracedCallback<const OdcnWindow&> m_openedTrace; //!< sources start
    TracedCallback<const OdcnWindow&> m_closedTrace; //!< the network is empty again
    TracedCallback<> m_finishedTrace;                //!< all jobs are decided
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_SCHEDULER_APPLICATION_H */
