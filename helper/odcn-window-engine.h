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

/// Settings that OdcnWindowEngine takes from the Attributes of other classes.
struct OdcnWindowSettings
{
    FabricModel fabric;        //!< from OcsHelper
    Time jobTimeUnit;          //!< from PlacementScheduler, as the next six
    uint64_t maxJobs{0};       //!< jobs to decide; 0 for all
    uint64_t windowAfter{0};   //!< number of jobs before the first window
    uint64_t windowSpacing{0}; //!< number of jobs between windows; 0 for no windows
    Time warmUp;               //!< warm-up of a window
    Time length;               //!< length of a window after its warm-up
    bool intraRack{true};      //!< whether traffic within racks is included
    uint32_t packetSize{296};  //!< from JobFlowApplication, bytes
    PacketLaw law;             //!< from JobFlowApplication
    uint16_t port{49152};      //!< from JobFlowApplication, input of TorSwitch's hash
};

/**
 * @ingroup odcn
 *
 * PlacementScheduler without the Simulator: it decides jobs, and runs the packets of every
 * measurement window with PacketFabric. Jobs, decisions, windows, packets and times are the same,
 * but about a hundred times faster. Created by OdcnHelper::CreateWindowEngine().
 *
 * Time::PS is required, as PacketFabric counts in picoseconds. The only global state is
 * RngSeedManager's seed and run, so several engines may run in parallel if these do not change.
 */
class OdcnWindowEngine
{
  public:
    /**
     * @param problem problem to decide, after Reset()
     * @param policy policy that decides
     * @param settings settings of the data centre
     * @throws OdcnError when a setting is out of range or the time resolution is not Time::PS
     */
    OdcnWindowEngine(Ptr<OdcnScheduling> problem,
                     Ptr<DecisionPolicy> policy,
                     const OdcnWindowSettings& settings);
    ~OdcnWindowEngine();

    OdcnWindowEngine(const OdcnWindowEngine&) = delete;
    OdcnWindowEngine& operator=(const OdcnWindowEngine&) = delete;

    /**
     * Assign random streams, as OdcnHelper::AssignStreams().
     *
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /// @param threads number of threads of a window; the result does not depend on it
    void SetThreads(uint32_t threads);

    /**
     * Decide all jobs and run all windows.
     *
     * @param recorder records the windows
     * @param name name of the policy, for the recorder
     * @param progress called after every job with the number of jobs decided so far
     */
    void Run(OdcnWindowRecorder& recorder,
             const std::string& name,
             const std::function<void(uint64_t)>& progress);

  private:
    /// Sink of CsMgr's CircuitsChanged trace source. @param changes not used
    void CircuitsChanged(const std::vector<OdcnCircuitChange>& changes);

    /// Sink of CsMgr's JobPlaced trace source. @param job the placed job
    void JobPlaced(const OdcnPlacedJob& job);

    /// Run the window that is due. @param recorder records the window
    void RunWindow(OdcnWindowRecorder& recorder);

    Ptr<OdcnScheduling> m_problem;   //!< problem that is decided
    Ptr<DecisionPolicy> m_policy;    //!< policy that decides
    OdcnWindowSettings m_settings;   //!< settings of the data centre
    PacketFabric m_fabric;           //!< simulates packets
    uint64_t m_nJobs{0};             //!< number of jobs decided
    uint64_t m_nextWindow;           //!< job count at which the next window is due
    bool m_due{false};               //!< whether a window is due after this job
    OdcnWindow m_window;             //!< current or last window
    Time m_now;                      //!< equivalent of Simulator::Now()
    Time m_standstill;               //!< total time for which job time was stopped
    Time m_settled;                  //!< when the last circuit command will be completed
    std::vector<PacketFlow> m_flows; //!< flows of the window
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_ENGINE_H */
