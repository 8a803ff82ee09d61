// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_MIX_H
#define ODCN_TRAINING_MIX_H

#include "odcn-training-fluid.h"
#include "odcn-training-job.h"

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::odcn
{

/**
 * Draws mixes of training jobs: a few kinds of jobs, and jobs of these kinds that arrive as a
 * Poisson process. Kinds are small transformers, so that jobs can be run in packets, too.
 *
 * A kind has 2 to MaxRanks ranks: groups of 1, 2 or 4 that share each layer, and copies of the
 * model; 2 or 4 layers of 256 activations, 64 tokens in each of 1, 2 or 4 sequences, 0.1 to 1
 * TFLOP/s a rank. One in four has 8 experts, which its copies share. All are equally likely.
 *
 * @ingroup odcn
 */
class TrainingMix : public Object
{
  public:
    /// A kind of job.
    struct Kind
    {
        std::shared_ptr<const TrainingJob> job;       //!< of one iteration
        std::shared_ptr<const TrainingSketch> sketch; //!< of it
    };

    /// A job.
    struct Job
    {
        Kind kind;              //!< what it does
        uint32_t iterations{1}; //!< how often
        double arrival{0};      //!< s from the start

        /// @return time alone in an idle network, s
        double GetAlone() const
        {
            return kind.sketch->GetAlone() * iterations;
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    TrainingMix();

    /**
     * Draw a mix.
     * @param endPoints of the cluster, one a rank
     * @param load mean share of the end points that are in use if each job takes its time alone
     * @param link of each end point to a network without contention
     * @return jobs in the order of arrival
     * @throws OdcnError when there are fewer than 2 end points, or the load is not above 0
     */
    std::vector<Job> Draw(uint32_t endPoints, double load, const Collective::Link& link);

    /// @param stream first stream number to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// Tensor, data, layers, sequences, flops, experts.
    using Sizes = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, double, uint32_t>;

    /// @param sizes of a kind
    /// @param link of each end point
    /// @return the kind
    Kind GetKind(const Sizes& sizes, const Collective::Link& link);

    uint32_t m_jobs;                      //!< Jobs
    uint32_t m_kinds;                     //!< Kinds
    uint32_t m_maxRanks;                  //!< MaxRanks
    uint32_t m_minIterations;             //!< MinIterations
    uint32_t m_maxIterations;             //!< MaxIterations
    Ptr<UniformRandomVariable> m_draws;   //!< kinds and jobs
    Ptr<ExponentialRandomVariable> m_gap; //!< between arrivals
    TrainingRun::Algorithms m_algorithms; //!< of collectives
    Collective::Link m_link{};            //!< that m_known was made for
    std::map<Sizes, Kind> m_known;        //!< kinds so far
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_MIX_H */
