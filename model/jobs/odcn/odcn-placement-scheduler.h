// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLACEMENT_SCHEDULER_H
#define ODCN_PLACEMENT_SCHEDULER_H

#include "odcn-placement-packets.h"
#include "odcn-placement-window.h"
#include "odcn-scheduling.h"

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-units.h"
#include "ns3/odcn-window-scheduler.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The controller of the optical data centre: hosts the cloud service manager, the network manager
 * and the policy that places jobs. Its commands reconfigure the optical switches and update the
 * ToR switches. A window opens after a job was placed; every accepted VM pair sends in it.
 *
 * With SetEngine() instead of SetFabric() PacketFabric computes the packets of a window when it
 * opens: the same ones, at the same times, about a hundred times faster.
 *
 * Most packets never leave their rack (80 % to 90 % at the paper's load). Without IntraRackFlows
 * only pairs in different racks send: the optical fabric sees the same demands and a window takes a
 * fraction of the run time, but servers' links carry less traffic, so packets queue less for them.
 *
 * With Continuous there are no windows: jobs and packets share one time, simulated time = job time
 * x JobTimeUnit. From the job number WindowAfter on, the VM pairs of every active job send for as
 * long as it runs: from its acceptance, or if circuits are moved for it, from the time at which
 * they are up again (with IncludeDark at once), until its departure or interruption. Packets are in
 * flight when the policy decides, and GetMonitor(), also OdcnScheduling::GetMonitor(), has their
 * queues and latencies. The jobs that run when the last one is decided are stopped then.
 *
 * Rewards of Eq. 1 are traced for each job. With Reward=Packets their latency is the mean of the
 * inter-rack packets of the last window, without the links to and from servers, which the closed
 * form omits, too; the closed form is used until the first window has closed. With Continuous it is
 * the recent latency of OcsPacketMonitor, without the same links.
 */
class PlacementScheduler : public WindowScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param problem ready to decide: Reset() was called
    void SetProblem(Ptr<OdcnScheduling> problem);

    /// @return the decision problem
    Ptr<OdcnScheduling> GetProblem() const
    {
        return m_problem;
    }

    /**
     * Set the fabric to control; without one there are no windows.
     * @param fabric as many racks, ports and OCSs as in the problem's network manager; its
     * circuits are preset to the manager's
     * @param flows the traffic application of every server, rack by rack
     * @throws OdcnError when the sizes differ, or there is no problem yet
     */
    void SetFabric(Ptr<OcsFabric> fabric, std::vector<Ptr<JobFlowApplication>> flows);

    /**
     * Let jobs with Continuous be given in bytes: a demand has rate x duration x JobTimeUnit of
     * them, one message, and a job ends, and its report of the end goes to the controller, when all
     * of them have arrived. A job without demands between servers ends after its duration, as do
     * those before WindowAfter, which send nothing. One that is interrupted and offered again sends
     * all bytes again.
     * @param messages carries them; end points are the servers, rack by rack
     */
    void SetMessages(Ptr<MessagePlane> messages)
    {
        m_messages = messages;
    }

    /**
     * Compute packets without events. Time::PS is required, as the engine counts in picoseconds.
     * @param model the fabric, as that of SetFabric()
     * @param traffic sets packet size, port and arrivals of every server
     * @param mtu largest packet in bytes
     * @param sink receives the outcomes of a window's packets when it opens
     * @throws OdcnError when a setting needs events, or there is no problem yet
     */
    void SetEngine(const FabricModel& model,
                   Ptr<JobFlowApplication> traffic,
                   uint32_t mtu,
                   OdcnPacketSink& sink);

    /// @return the engine of SetEngine(), or null
    PacketFabric* GetEngine() const
    {
        return m_packets->GetEngine();
    }

    /// @return see OcsFabric::GetLinksTime()
    Time GetLinksTime() const
    {
        return m_packets->GetLinksTime();
    }

    /**
     * Fail or repair an uplink of a ToR switch, both ways. Its packets are lost and the manager is
     * told without delay (a FaultInjector takes its time); the resulting commands are messages as
     * usual.
     *
     * @param rack the rack
     * @param port the uplink
     * @param failed true to fail it, false to repair it
     */
    void SetUplinkFailed(RackId rack, uint32_t port, bool failed);

    /// Signature of the window trace sources. @param window the window
    typedef void (*WindowTracedCallback)(const OdcnWindow& window);

    /// Source of the latency in rewards.
    enum Reward
    {
        FORMULA, //!< as set by RewardLatency of OdcnScheduling
        PACKETS, //!< inter-rack packets of the last window
    };

    /// @return mean latency of Eq. 1 measured in packets in the last window, or with Continuous
    /// before the last decision, ns; 0 before the first
    double GetMeasuredLatencyNs() const
    {
        return m_latencyNs;
    }

    /// @return queues and latencies of the packets; null without Continuous and before the start
    Ptr<OcsPacketMonitor> GetMonitor() const
    {
        return m_packets->GetMonitor();
    }

    /// Signature of Rewarded. @param rewards one per step of a job
    typedef void (*RewardedTracedCallback)(const std::vector<float>& rewards);
    /// Signature of the Decided trace source. @param outcome of the job
    typedef void (*DecidedTracedCallback)(OdcnOutcome outcome);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    bool GetNext(double& time) const override;
    uint32_t GetRequestBytes() const override;
    bool DecideNext() override;
    void SetControlLatency(double time) override;
    double GetNextChange() const override;
    void PassTo(double time) override;
    void OpenWindow(Time warmUp, Time length) override;
    uint64_t CountInFlight() const override;
    void CloseWindow() override;

  private:
    /// Connect the packets of Continuous. @throws OdcnError when the fabric or a JobTimeUnit lacks
    void BeginContinuous();

    /// Let jobs have bytes.
    /// @param traffic the jobs that run
    /// @throws OdcnError when end points and servers differ in number
    void BeginMessages(ContinuousTraffic& traffic);

    /// Use the latency that packets have had in rewards, if so set.
    void UseMeasuredLatency();

    /// Sink of CsMgr's CircuitsChanged. @param changes of circuits
    void CircuitsChanged(const std::vector<OdcnCircuitChange>& changes);

    /// Sink of OcsFabric's PathChanged. @param rack a rack  @param port its uplink
    /// @param output whether packets from the rack are lost  @param failed whether it has failed
    void PathChanged(RackId rack, uint32_t port, bool output, bool failed);

    /// Sink of OcsFabric's ServerChanged. @param rack a rack  @param server index in the rack
    /// @param failed whether it has failed
    void ServerChanged(RackId rack, uint32_t server, bool failed);

    /// Sink of CsMgr's JobPlaced. @param job the job
    void JobPlaced(const OdcnPlacedJob& job);

    /// Sink of CsMgr's JobInterrupted. @param job the job
    void JobInterrupted(const OdcnPlacedJob& job);

    /// A packet has arrived. @param header of the packet  @param delay its one-way delay
    void Received(const FlowHeader& header, Time delay);

    Ptr<OdcnScheduling> m_problem; //!< the decision problem
    Ptr<OcsFabric> m_fabric;       //!< optical fabric, or null
    std::unique_ptr<PlacementPackets> m_packets{PlacementPackets::MakeNone()}; //!< of the jobs
    bool m_intraRackFlows;                      //!< whether VM pairs within a rack send
    bool m_isContinuous;                        //!< see Continuous
    Ptr<MessagePlane> m_messages;               //!< see SetMessages(), or null
    Reward m_reward;                            //!< source of the latency in rewards
    double m_latencyNs{0};                      //!< see GetMeasuredLatencyNs()
    bool m_due{false};                          //!< whether this job opens a window
    OdcnWindow m_window;                        //!< the present or the last window
    TracedCallback<OdcnOutcome> m_decidedTrace; //!< trace source Decided
    TracedCallback<const std::vector<float>&> m_rewardedTrace; //!< trace source Rewarded
    TracedCallback<const OdcnWindow&> m_openedTrace;           //!< trace source WindowOpened
    TracedCallback<const OdcnWindow&> m_closedTrace;           //!< trace source WindowClosed
    TracedCallback<uint32_t, const OdcnFlow&> m_flowTrace;     //!< trace source FlowStarted
    TracedCallback<JobId> m_stoppedTrace;                      //!< trace source JobStopped
};

} // namespace ns3::odcn

#endif /* ODCN_PLACEMENT_SCHEDULER_H */
