// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_JOBS_HELPER_H
#define ODCN_TRAINING_JOBS_HELPER_H

#include "ns3/nstime.h"
#include "ns3/odcn-fabric-design.h"
#include "ns3/odcn-fabric-engine.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-job.h"
#include "ns3/odcn-training-model.h"
#include "ns3/odcn-training-source.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Training jobs that come at random times.
struct TrainingJobsSetting
{
    std::vector<std::string> models{}; //!< names, which jobs take in turn
    std::vector<std::string> files{};  //!< of jobs, in place of models if there are any
    TrainingReadOptions read{};        //!< how files are read
    TrainingParallelism how{};         //!< of models
    uint32_t layers{0};                //!< of a model; 0 for all
    uint32_t jobs{8};                  //!< number of jobs
    uint32_t iterations{2};            //!< of a job
    double arrival{1};                 //!< mean time between jobs, ms; 0 for all at once
    std::string placement{"packing"};  //!< TrainingCluster::Placement
    uint32_t priorities{1};            //!< priorities 0, 1, ..., which jobs take in turn
};

/**
 * Makes clusters of training jobs, the same jobs for each design and engine. A run has random
 * numbers of its own, from its number.
 *
 * @code
 *   const TrainingJobsHelper helper({.models = {"mini-gpt"}, .how = {.data = 4}}, size);
 *   const auto cluster = helper.MakeCluster(design, FabricEngine::FLOWS);
 *   cluster->SetAttribute("Queue", StringValue("backfill"));
 *   helper.AddJobs(cluster, 0);
 * @endcode
 *
 * @ingroup odcn
 */
class TrainingJobsHelper
{
  public:
    /// A kind of job.
    struct Kind
    {
        std::shared_ptr<const TrainingJob> job; //!< the job
        Time compute;                           //!< of its computations alone
        Time least;                             //!< by the alpha-beta model: no run is shorter
        Time estimate;                          //!< the same by its links between racks
    };

    /**
     * Make models, or read files.
     * @param setting of the jobs
     * @param size of the fabric
     * @throws OdcnError when a model or file is not known, or has more ranks than there are servers
     */
    TrainingJobsHelper(TrainingJobsSetting setting, const FabricSize& size);

    /// @return kinds, by model or file
    const std::vector<Kind>& GetKinds() const
    {
        return m_kinds;
    }

    /// @param job number of a job of a run
    /// @return its kind
    const Kind& GetKind(uint32_t job) const
    {
        return m_kinds[job % m_kinds.size()];
    }

    /// @return what was read of files and left out: for each, a line feed and a line
    const std::string& DescribeRead() const
    {
        return m_read;
    }

    /**
     * @param design that carries the jobs
     * @param engine that runs it
     * @return a cluster for its servers, without jobs; its Attributes may be set before AddJobs().
     * One rank stands for all (Symmetric) where that is exact: on the flow level of an ideal switch
     */
    Ptr<TrainingCluster> MakeCluster(const FabricDesign& design, FabricEngine engine) const;

    /// Add the jobs, and assign streams.
    /// @param cluster from MakeCluster()
    /// @param run its number
    void AddJobs(const Ptr<TrainingCluster>& cluster, uint32_t run) const;

    /// @param job that has ended
    /// @param size of the fabric
    /// @return what it has sent between racks; none if it did not stay where it was
    static std::vector<TrainingBound::Transfer> GetTransfers(const TrainingCluster::Outcome& job,
                                                             const FabricSize& size);

  private:
    /// Add a kind of job.
    /// @param job the job
    /// @param size of the fabric
    /// @throws OdcnError when it has more ranks than there are servers
    void AddKind(TrainingJob job, const FabricSize& size);

    TrainingJobsSetting m_setting; //!< of the jobs
    std::vector<Kind> m_kinds;     //!< see GetKinds()
    std::string m_read;            //!< see DescribeRead()
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_JOBS_HELPER_H */
