// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLACEMENT_PACKETS_H
#define ODCN_PLACEMENT_PACKETS_H

#include "odcn-continuous-traffic.h"
#include "odcn-placement-window.h"
#include "odcn-scheduling.h"

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-packet-monitor.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-packet-fabric.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::odcn
{

/**
 * The packets of the jobs that a PlacementScheduler has placed: what sends them, and what carries
 * and measures them. There are four kinds, each made by a function of its own.
 * @ingroup odcn
 */
class PlacementPackets
{
  public:
    /// What optical switches do when a command arrives.
    struct SwitchCommand
    {
        std::function<void()> carryOut; //!< called when the command arrives
        Time dark;                      //!< from then on until the circuits are up
    };

    /// How the jobs of MakeContinuous() are admitted.
    struct Admission
    {
        uint64_t after{0};                //!< number of the job from which on jobs send
        bool waits{true};                 //!< whether a job waits for its circuits
        bool bytes{false};                //!< whether jobs have bytes and end with them
        std::function<Time(double)> when; //!< simulated time of a job time
    };

    /// @return no packets, and no switches to command
    static std::unique_ptr<PlacementPackets> MakeNone();

    /**
     * @param fabric carries the packets
     * @param flows traffic application of each server, rack by rack
     * @return windows whose packets are events of ns-3
     */
    static std::unique_ptr<PlacementPackets> MakeEvents(
        Ptr<OcsFabric> fabric,
        const std::vector<Ptr<JobFlowApplication>>& flows);

    /**
     * @param problem has the circuits
     * @param model the fabric
     * @param traffic sets packet size, port and arrivals of every server
     * @param mtu largest packet in bytes
     * @param sink receives the outcomes of a window's packets when it opens; outlives the result
     * @return windows whose packets PacketFabric computes without events
     */
    static std::unique_ptr<PlacementPackets> MakeExact(Ptr<OdcnScheduling> problem,
                                                       const FabricModel& model,
                                                       Ptr<JobFlowApplication> traffic,
                                                       uint32_t mtu,
                                                       OdcnPacketSink& sink);

    /**
     * @param fabric carries the packets
     * @param manager of the jobs
     * @param traffic the jobs that run
     * @param linksTime see GetLinksTime()
     * @param admission how jobs are admitted
     * @return jobs that send for as long as they run, without windows
     */
    static std::unique_ptr<PlacementPackets> MakeContinuous(
        Ptr<OcsFabric> fabric,
        Ptr<CsMgr> manager,
        std::unique_ptr<ContinuousTraffic> traffic,
        Time linksTime,
        const Admission& admission);

    /// @param manager of a problem
    /// @return the present circuit of every uplink, those without one included
    static std::vector<OdcnCircuitChange> GetCircuits(const CsMgr& manager);

    virtual ~PlacementPackets() = default;

    PlacementPackets(const PlacementPackets&) = delete;
    PlacementPackets& operator=(const PlacementPackets&) = delete;

    /// @return see OcsFabric::GetLinksTime()
    Time GetLinksTime() const
    {
        return m_linksTime;
    }

    /// @return whether jobs send in measurement windows
    virtual bool HasWindows() const
    {
        return false;
    }

    /// @return the engine of MakeExact(), or null
    virtual PacketFabric* GetEngine()
    {
        return nullptr;
    }

    /// @return queues and latencies of jobs that send as long as they run, or null
    virtual Ptr<OcsPacketMonitor> GetMonitor() const
    {
        return nullptr;
    }

    /// The manager has moved circuits.
    /// @param changes of circuits
    /// @return the command to the switches; none without switches
    virtual std::optional<SwitchCommand> MakeCommand(const std::vector<OdcnCircuitChange>& changes);

    /// A job is about to be decided.
    /// @param number of jobs decided before
    virtual void BeginDecision(uint64_t number);

    /// A job was placed.
    /// @param job the job
    /// @param number of jobs decided before, and this one
    virtual void Place(const OdcnPlacedJob& job, uint64_t number);

    /// @param job a job
    /// @return whether it sends as long as it runs, and runs
    virtual bool Runs(JobId job) const;

    /// A job was interrupted.
    /// @param job the job
    virtual void Interrupt(JobId job);

    /// A window opens: its flows send.
    /// @param window the window, which stays where it is
    virtual void BeginWindow(const OdcnWindow& window);

    /// A window has closed.
    /// @return mean latency of its measured packets between racks without
    /// their links, ns; none if none was measured
    virtual std::optional<double> EndWindow();

    /// @return packets of the window in the network, or 1 if they have not all ended
    virtual uint64_t CountInFlight() const;

    /// A packet has arrived.
    /// @param header of the packet
    /// @param delay its one-way delay
    virtual void Received(const FlowHeader& header, Time delay);

    /// The scheduler stops: so do all jobs.
    virtual void End();

  protected:
    /// @param linksTime see GetLinksTime()
    explicit PlacementPackets(Time linksTime)
        : m_linksTime(linksTime)
    {
    }

  private:
    Time m_linksTime; //!< see GetLinksTime()
};

} // namespace ns3::odcn

#endif /* ODCN_PLACEMENT_PACKETS_H */
