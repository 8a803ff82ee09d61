// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_GENERATOR_H
#define CLUSTER_JOB_GENERATOR_H

#include "cluster-job.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Random cluster jobs (section V-B of the DeepRM_Plus paper, also used by DeepRM and A2cScheduler).
 * A job is short or long; one randomly chosen resource is its dominant one. All quantities are
 * integers, uniform between their bounds (inclusive). The defaults are DeepRM's, for 10 units of
 * two resources.
 *
 * Arrivals and jobs have separate random streams: different rates offer the same sequence of jobs,
 * faster or slower.
 */
class ClusterJobGenerator : public ClusterJobSource
{
  public:
    /// How jobs arrive.
    enum ArrivalKind
    {
        BERNOULLI, //!< at most one job per time slot
        POISSON,   //!< any number of jobs per time slot
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterJobGenerator();

    /**
     * @copydoc ClusterJobSource::NextSet
     * @throw OdcnError when bounds are in the wrong order, or a Bernoulli rate is above 1
     */
    void NextSet() override;
    bool Next(ClusterJob& job) override;
    uint64_t GetSlots() const override;

    /**
     * Uses two streams: arrivals, jobs.
     * @copydoc Source::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * The load of a resource is Rate x GetMeanWork() / units of all machines: 129 % at Rate 0.7
     * and 10 units. (The DeepRM_Plus paper calls it 140 %.)
     * @return mean units x slots that a job needs of a resource
     */
    double GetMeanWork() const;

  private:
    /// Draw a set. @param [out] jobs its jobs
    void Draw(std::vector<ClusterJob>& jobs);

    /// Append a random job. @param [in,out] jobs list of jobs  @param slot slot of its arrival
    void DrawJob(std::vector<ClusterJob>& jobs, uint64_t slot);

    /// @throw OdcnError when the Attributes are inconsistent
    void Check() const;

    ArrivalKind m_arrivals;                      //!< Bernoulli or Poisson
    double m_rate;                               //!< lambda, jobs per slot
    uint64_t m_slots;                            //!< time slots per set
    uint64_t m_firstSlot;                        //!< first slot with arrivals
    uint32_t m_different;                        //!< number of different sets; 0 for unlimited
    uint32_t m_resources;                        //!< d, number of resource types
    double m_shortShare;                         //!< probability that a job is short
    uint32_t m_shortMin;                         //!< minimum slots of a short job
    uint32_t m_shortMax;                         //!< maximum slots of a short job
    uint32_t m_longMin;                          //!< minimum slots of a long job
    uint32_t m_longMax;                          //!< maximum slots of a long job
    uint32_t m_dominantMin;                      //!< minimum units of the dominant resource
    uint32_t m_dominantMax;                      //!< maximum units of the dominant resource
    uint32_t m_otherMin;                         //!< minimum units of each other resource
    uint32_t m_otherMax;                         //!< maximum units of each other resource
    Ptr<UniformRandomVariable> m_arrivalStream;  //!< arrival slots
    Ptr<UniformRandomVariable> m_jobStream;      //!< durations and demands
    std::vector<std::vector<ClusterJob>> m_sets; //!< sets that repeat
    std::vector<ClusterJob> m_fresh;             //!< a set that does not repeat
    const std::vector<ClusterJob>* m_set{};      //!< current set
    std::size_t m_next{0};                       //!< index of its next job
    uint64_t m_nSets{0};                         //!< number of sets begun
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_GENERATOR_H */
