// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLACEMENT_SCHEDULER_H
#define ODCN_PLACEMENT_SCHEDULER_H

#include "odcn-window-scheduler.h"
#include "odcn-window.h"

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The controller of the optical data centre: hosts the cloud service manager, the network manager
 * and the policy that places jobs. Its commands move circuits of the optical switches and tell the
 * ToR switches. A window opens after a job that was placed; every accepted VM pair sends in it.
 *
 * Most packets never leave their rack (eight or nine of ten at the paper's load). Without
 * IntraRackFlows only pairs in different racks send: the optical fabric sees the same demands, and
 * a window costs a fraction of the time; but servers' links carry less, so packets wait less for
 * them.
 *
 * Rewards of Eq. 1 are traced job by job. With Reward=Packets their latency is what packets between
 * racks measured in the last window, less the links to and from servers, which the closed form
 * leaves out, too; the closed form stands in until there was a window.
 */
class PlacementScheduler : public WindowScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    PlacementScheduler();

    /// @param problem ready to decide: Reset() was called
    void SetProblem(Ptr<OdcnScheduling> problem);

    /// @return the decision problem
    Ptr<OdcnScheduling> GetProblem() const
    {
        return m_problem;
    }

    /**
     * @param fabric the switches that it commands, of as many racks, ports and OCSs as the
     * problem's network manager has; its circuits are preset to the manager's. Without a fabric
     * there are no windows
     * @param flows the traffic application of every server, rack by rack
     * @throws OdcnError when the sizes differ, or there is no problem yet
     */
    void SetFabric(Ptr<OcsFabric> fabric, std::vector<Ptr<JobFlowApplication>> flows);

    /**
     * Fail or repair an uplink of a ToR switch, both ways. Its packets are lost at once and the
     * network manager is told at once; its commands are messages as usual.
     *
     * @param rack the rack
     * @param port the uplink
     * @param failed whether it fails (else it is repaired)
     */
    void SetUplinkFailed(RackId rack, uint32_t port, bool failed);

    /// Signature of the window trace sources. @param window the window
    typedef void (*WindowTracedCallback)(const OdcnWindow& window);

    /// Where the latency of rewards comes from.
    enum Reward
    {
        FORMULA, //!< RewardLatency of OdcnScheduling
        PACKETS, //!< packets between racks in the last window
    };

    /// @return mean latency of Eq. 1 as packets measured it in the last window, ns; 0 before
    double GetMeasuredLatencyNs() const
    {
        return m_latencyNs;
    }

    /// Signature of Rewarded. @param rewards of the steps of a job
    typedef void (*RewardedTracedCallback)(const std::vector<float>& rewards);
    /// Signature of the Decided trace source. @param outcome what became of the job
    typedef void (*DecidedTracedCallback)(OdcnOutcome outcome);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    bool GetNext(double& time) const override;
    uint32_t GetRequestBytes() const override;
    bool DecideNext() override;
    void SetControlLatency(double time) override;
    void OpenWindow(Time warmUp, Time length) override;
    uint64_t CountInFlight() const override;
    void CloseWindow() override;

  private:
    /// CsMgr's CircuitsChanged. @param changes of circuits
    void CircuitsChanged(const std::vector<OdcnCircuitChange>& changes);

    /// CsMgr's JobPlaced. @param job the job
    void JobPlaced(const OdcnPlacedJob& job);

    /// A packet has arrived. @param header of it  @param delay how long it took
    void Received(const FlowHeader& header, Time delay);

    Ptr<OdcnScheduling> m_problem;              //!< what is decided
    Ptr<OcsFabric> m_fabric;                    //!< switches; null at job level
    bool m_intraRackFlows;                      //!< whether VM pairs within a rack send
    Reward m_reward;                            //!< where latency comes from
    Time m_linksTime;                           //!< see OcsFabric::GetLinksTime()
    double m_delaySumNs{0};                     //!< of measured packets between racks
    uint64_t m_delays{0};                       //!< how many there are
    double m_latencyNs{0};                      //!< see GetMeasuredLatencyNs()
    bool m_due{false};                          //!< whether this job opens a window
    OdcnWindow m_window;                        //!< the present or the last window
    TracedCallback<OdcnOutcome> m_decidedTrace; //!< a job was decided
    TracedCallback<const std::vector<float>&> m_rewardedTrace; //!< a job was rewarded
    TracedCallback<const OdcnWindow&> m_openedTrace;           //!< sources start
    TracedCallback<const OdcnWindow&> m_closedTrace;           //!< the network is empty again
};

} // namespace ns3::odcn

#endif /* ODCN_PLACEMENT_SCHEDULER_H */
