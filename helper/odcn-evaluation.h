// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EVALUATION_H
#define ODCN_EVALUATION_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/odcn-statistics.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace odcn
{

/// What a stretch of jobs came to.
struct OdcnBatch
{
    OdcnCounters counters;                                  //!< counted over the batch
    std::array<double, OdcnResources::KINDS> utilisation{}; //!< cores, memory, disk, 0 to 1
    double latencyNs{0}; //!< M/D/1/K estimate of the circuits' latency, mean over its samples
    double loss{0};      //!< M/D/1/K estimate of the share of packets lost
};

/**
 * @ingroup odcn
 *
 * What a policy came to at job level, as batches that are replications (one each) or consecutive
 * stretches of one run.
 */
class OdcnEvaluation
{
  public:
    /// How much is run.
    struct Options
    {
        uint64_t warmUpJobs{2000};  //!< decided and not counted
        uint64_t jobs{10000};       //!< counted jobs of a replication, 1 or more
        uint32_t batches{1};        //!< consecutive batches a replication is cut into
        uint64_t sampleSpacing{20}; //!< jobs between two samples of the latency estimate
    };

    /**
     * Run one replication and add its batches.
     *
     * @param problem empty and ready
     * @param policy who decides
     * @param options how much
     * @param progress called after every job with the number of jobs decided so far
     */
    void Run(Ptr<OdcnScheduling> problem,
             OdcnDecisionPolicy& policy,
             const Options& options,
             const std::function<void(uint64_t)>& progress);

    /// @param batch of a replication of its own, run before
    void Add(const OdcnBatch& batch);

    /// @return all batches
    const std::vector<OdcnBatch>& GetBatches() const
    {
        return m_batches;
    }

    /// @return sum over the batches of what was counted
    OdcnCounters GetTotals() const;

    /// @return blocked / offered
    OdcnEstimate GetBlocking() const;

    /// @return reconfigurations / offered; a job takes one at most
    OdcnEstimate GetReconfigurations() const;

    /// @return changed circuits / offered
    OdcnEstimate GetChangedCircuits() const;

    /// @param kind 0 cores, 1 memory, 2 disk  @return share in use
    OdcnEstimate GetUtilisation(std::size_t kind) const;

    /// @return latency estimate in ns
    OdcnEstimate GetLatencyNs() const;

    /// @return loss estimate
    OdcnEstimate GetLoss() const;

    /**
     * @param other another policy on the same streams
     * @return blocking of this less blocking of the other, batch by batch
     */
    OdcnEstimate GetBlockingDifference(const OdcnEvaluation& other) const;

  private:
    /// @param value of a batch  @return its mean with interval
    OdcnEstimate Mean(const std::function<double(const OdcnBatch&)>& value) const;

    /// @param events how many jobs of a batch had some event  @return their share of those offered
    OdcnEstimate Share(const std::function<uint64_t(const OdcnCounters&)>& events) const;

    std::vector<OdcnBatch> m_batches; //!< what was run
    bool m_consecutive{false};        //!< whether batches of one run follow each other
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_EVALUATION_H */
