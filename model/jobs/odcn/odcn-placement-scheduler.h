// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLACEMENT_SCHEDULER_H
#define ODCN_PLACEMENT_SCHEDULER_H

#include "odcn-continuous-traffic.h"
#include "odcn-scheduling.h"

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-units.h"
#include "ns3/odcn-window-scheduler.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A measurement window: an interval of simulated time during which job time stands still.
 */
struct OdcnWindow
{
    /**
     * Set the flows of the window from the accepted VM pairs of all active jobs.
     *
     * @param manager holds the jobs
     * @param placed the job after whose commitment the window opens
     * @param intraRack whether VM pairs within a rack send, too
     */
    void Fill(const CsMgr& manager, const OdcnPlacedJob& placed, bool intraRack);

    /**
     * Set the times of the window: sources start.
     *
     * @param now opening time
     * @param warmUp duration without measurement
     * @param length duration with measurement after it
     */
    void Open(Time now, Time warmUp, Time length);

    uint32_t index{0};           //!< number of the window, from 0
    JobId job{0};                //!< the job after whose commitment the window opened
    double jobTime{0};           //!< job time of the window
    Time opened;                 //!< sources start on an empty network
    Time measureFrom;            //!< end of the warm-up
    Time measureUntil;           //!< sources stop; no packet is sent at this time or later
    Time closed;                 //!< the network has drained
    double formulaLatencyNs{0};  //!< M/D/1/K mean latency over the inter-rack circuits
    double formulaLoss{0};       //!< M/D/1/K share of packets lost
    std::vector<OdcnFlow> flows; //!< sources; the index is the flow number in the packets
};

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
class PlacementScheduler : public WindowScheduler, private OdcnPacketSink
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
        return m_engine.get();
    }

    /// @return see OcsFabric::GetLinksTime()
    Time GetLinksTime() const
    {
        return m_linksTime;
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
        return m_continuous ? m_continuous->GetMonitor() : nullptr;
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
    /// @return the present circuit of every uplink, those without one included
    std::vector<OdcnCircuitChange> GetCircuits() const;

    /// Compute the packets of the window.
    void RunEngine();

    /// Connect the packets of Continuous. @throws OdcnError when the fabric or a JobTimeUnit lacks
    void BeginContinuous();

    /// Let jobs have bytes. @throws OdcnError when end points and servers differ in number
    void BeginMessages();

    /// Let a job send.
    /// @param job the job
    /// @param waits whether for its circuits
    void Admit(const OdcnPlacedJob& job, bool waits);

    /// Circuits have been moved; a job may wait for them. @param change number of the command
    void CircuitsUp(uint64_t change);

    /// Use the latency that packets have had in rewards, if so set.
    void UseMeasuredLatency();

    /// The engine's packets have ended.
    /// @param rack where
    /// @param fates their outcomes
    void Take(RackId rack, std::span<const PacketFate> fates) override;

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

    /// Measure a packet that has arrived.
    /// @param flow index in the window
    /// @param sent when
    /// @param delay its one-way delay
    void Measure(uint32_t flow, Time sent, Time delay);

    Ptr<OdcnScheduling> m_problem;                   //!< the decision problem
    Ptr<OcsFabric> m_fabric;                         //!< optical fabric, or null
    std::unique_ptr<PacketFabric> m_engine;          //!< computes packets instead, or null
    Ptr<JobFlowApplication> m_traffic;               //!< see SetEngine()
    OdcnPacketSink* m_sink{nullptr};                 //!< see SetEngine()
    Time m_engineEnd;                                //!< when the last packet of the window ends
    bool m_intraRackFlows;                           //!< whether VM pairs within a rack send
    bool m_isContinuous;                             //!< see Continuous
    std::unique_ptr<ContinuousTraffic> m_continuous; //!< packets of Continuous, once begun
    bool m_sends{false};                             //!< whether WindowAfter was reached
    Ptr<MessagePlane> m_messages;                    //!< see SetMessages(), or null
    uint64_t m_nChanges{0};                          //!< commands of circuits so far
    uint64_t m_change{0};                       //!< command of the present decision; 0 for none
    std::map<uint64_t, JobId> m_waiting;        //!< jobs that wait for the circuits of a command
    Reward m_reward;                            //!< source of the latency in rewards
    Time m_linksTime;                           //!< see OcsFabric::GetLinksTime()
    double m_delaySumNs{0};                     //!< sum over measured inter-rack packets, ns
    uint64_t m_delays{0};                       //!< number of measured inter-rack packets
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
