// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_JOBS_RUN_H
#define ODCN_TRAINING_JOBS_RUN_H

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-fabric-design.h"
#include "ns3/odcn-fabric-engine.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-controller.h"
#include "ns3/odcn-training-scheduler.h"
#include "ns3/odcn-training-waits.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3::odcn
{

/**
 * A run of training jobs on a design: builds its network, with streams from the number of the run,
 * and connects jobs, circuits and what carries messages.
 *
 * @code
 *   TrainingJobsRun run(FabricDesignHelper(), design, FabricEngine::PACKETS, cluster, 0);
 *   run.Start(100000);
 *   Simulator::Stop(Seconds(100));
 *   Simulator::Run();
 *   const std::string open = run.DescribeUnfinished(); // "" if all jobs have ended
 *   run.End();
 *   Simulator::Destroy();
 * @endcode
 *
 * @ingroup odcn
 */
class TrainingJobsRun
{
  public:
    /**
     * @param helper builds the network
     * @param design that carries the jobs
     * @param engine that runs them
     * @param cluster the jobs
     * @param run its number
     * @throws OdcnError when there is no network of that size
     */
    TrainingJobsRun(const FabricDesignHelper& helper,
                    const FabricDesign& design,
                    FabricEngine engine,
                    Ptr<TrainingCluster> cluster,
                    uint32_t run);
    /// As End().
    ~TrainingJobsRun();
    TrainingJobsRun(const TrainingJobsRun&) = delete;
    TrainingJobsRun& operator=(const TrainingJobsRun&) = delete;

    /**
     * Let a scheduler decide, on a node of its own and with a link if its ManagementNetwork is not
     * ideal, before Start().
     * @param scheduler the scheduler
     */
    void SetScheduler(Ptr<TrainingScheduler> scheduler);

    /**
     * Start in ns-3's time, with an engine other than EXACT.
     * @param shortFlows messages of fewer bytes do not wait for circuits
     * @throws OdcnError when a message is refused
     */
    void Start(uint64_t shortFlows);

    /**
     * Run without the simulator, with the engine EXACT.
     * @param shortFlows messages of fewer bytes do not wait for circuits
     * @param limit longest time
     * @throws OdcnError when the engine cannot, or a scheduler was set
     */
    void RunExact(uint64_t shortFlows, Time limit);

    /// @return which jobs have not ended, and what they wait for; "" if all have
    std::string DescribeUnfinished() const;

    /// Carry no more, before the cluster is used without this.
    void End();

    /// @return the network
    Ptr<FabricNetwork> GetNetwork() const
    {
        return m_network;
    }

    /// @return circuits of the design; null if it has no schedule
    Ptr<CircuitSchedule> GetSchedule() const
    {
        return m_schedule;
    }

    /// @return whether waits for circuits are not known, and count as sharing
    bool HidesCircuits() const;

  private:
    FabricDesignHelper m_helper;          //!< builds
    FabricDesign m_design;                //!< carries the jobs
    FabricEngine m_engine;                //!< runs them
    Ptr<TrainingCluster> m_cluster;       //!< the jobs
    int64_t m_stream;                     //!< first stream of the network
    Ptr<FabricNetwork> m_network;         //!< the network
    Ptr<CircuitSchedule> m_schedule;      //!< see GetSchedule()
    bool m_isDirect;                      //!< whether messages take one circuit of the schedule
    Ptr<TrainingController> m_controller; //!< sets circuits; or null
    TrainingWaits m_waits;                //!< tells what messages have waited for
    Ptr<TrainingScheduler> m_scheduler;   //!< decides; or null
    Ptr<MessagePlane> m_plane;            //!< carries messages; null with EXACT
    Ptr<PlaneTraffic> m_traffic;          //!< lets jobs send on it
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_JOBS_RUN_H */
