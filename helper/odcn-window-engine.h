// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_ENGINE_H
#define ODCN_WINDOW_ENGINE_H

#include "ns3/nstime.h"
#include "ns3/odcn-circuit-ledger.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/odcn-window.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// What OdcnWindowEngine takes from the Attributes of the classes it stands for.
struct OdcnWindowSettings
{
    FabricModel fabric;        //!< OcsHelper's
    Time jobTimeUnit;          //!< PlacementScheduler's, as those below
    uint64_t maxJobs{0};       //!< decide so many; 0 for all
    uint64_t windowAfter{0};   //!< jobs before the first window
    uint64_t windowSpacing{0}; //!< jobs from window to window; 0 for none
    Time warmUp;               //!< of a window
    Time length;               //!< of a window after its warm-up
    bool intraRack{true};      //!< whether racks talk to themselves
    uint32_t packetSize{296};  //!< JobFlowApplication's, in bytes
    PacketLaw law;             //!< JobFlowApplication's
    uint16_t port{49152};      //!< JobFlowApplication's, counts in TorSwitch's hash
};

/**
 * @ingroup odcn
 *
 * PlacementScheduler's work without the Simulator: decides jobs, and in every measurement
 * window runs the packets by PacketFabric. The same jobs, decisions, windows and packets, at
 * the same times, a hundred times faster. Made by OdcnHelper::CreateWindowEngine().
 *
 * Time::PS is required, as PacketFabric counts in picoseconds. Nothing global is used but
 * RngSeedManager's seed and run, so several may run side by side if those do not change.
 */
class OdcnWindowEngine
{
  public:
    /**
     * @param problem ready to decide: Reset() was called
     * @param policy who decides
     * @param settings of the data centre
     * @throws OdcnError when they do not fit
     */
    OdcnWindowEngine(Ptr<OdcnScheduling> problem,
                     Ptr<DecisionPolicy> policy,
                     const OdcnWindowSettings& settings);
    ~OdcnWindowEngine();

    OdcnWindowEngine(const OdcnWindowEngine&) = delete;
    OdcnWindowEngine& operator=(const OdcnWindowEngine&) = delete;

    /**
     * As OdcnHelper::AssignStreams().
     *
     * @param stream first stream number to use
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream);

    /// @param threads how many a window may use; the result does not depend on it
    void SetThreads(uint32_t threads);

    /**
     * Decide all jobs and run all windows.
     *
     * @param recorder takes the windows
     * @param name of the policy, for it
     * @param progress called after every job with the number of jobs decided so far
     */
    void Run(OdcnWindowRecorder& recorder,
             const std::string& name,
             const std::function<void(uint64_t)>& progress);

  private:
    /// CsMgr's CircuitsChanged. @param changes not used
    void CircuitsChanged(const std::vector<OdcnCircuitChange>& changes);

    /// CsMgr's JobPlaced. @param job the job
    void JobPlaced(const OdcnPlacedJob& job);

    /// Run the window that is due. @param recorder takes it
    void RunWindow(OdcnWindowRecorder& recorder);

    Ptr<OdcnScheduling> m_problem;   //!< what is decided
    Ptr<DecisionPolicy> m_policy;    //!< who decides
    OdcnWindowSettings m_settings;   //!< of the data centre
    PacketFabric m_fabric;           //!< runs packets
    uint64_t m_nJobs{0};             //!< decided
    uint64_t m_nextWindow;           //!< number of jobs at which the next window is due
    bool m_due{false};               //!< whether a window is to be opened
    OdcnWindow m_window;             //!< the present or the last window
    Time m_now;                      //!< what would be Simulator::Now()
    Time m_standstill;               //!< how long job time has stood still
    Time m_settled;                  //!< when the last command will have been carried out
    std::vector<PacketFlow> m_flows; //!< of the window
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_ENGINE_H */
