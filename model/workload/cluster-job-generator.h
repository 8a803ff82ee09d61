// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_GENERATOR_H
#define CLUSTER_JOB_GENERATOR_H

#include "cluster-job-source.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Random cluster jobs (section V-B of the DeepRM_Plus paper, also used by DeepRM and A2cScheduler).
 * A job is short or long; one kind of resource, drawn anew for each job, is its dominant one. All
 * numbers are whole and uniform between their bounds, both of which are included. The defaults are
 * DeepRM's, for 10 units of two resources.
 *
 * Arrivals and jobs have a random stream each: two rates offer the same sequence of jobs, faster or
 * slower.
 */
class ClusterJobGenerator : public ClusterJobSource
{
  public:
    /// How jobs arrive.
    enum ArrivalKind
    {
        BERNOULLI, //!< one at most a time slot
        POISSON,   //!< any number a time slot
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
     * @copydoc ClusterJobSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * The load of a resource is Rate times this over the units of all machines: 129 % at Rate 0.7
     * on 10 units. (The DeepRM_Plus paper calls it 140 %.)
     * @return units x slots that a job takes of a resource in the mean
     */
    double GetMeanWork() const;

  private:
    /// Draw a set. @param [out] jobs it
    void Draw(std::vector<ClusterJob>& jobs);

    /// @param [in,out] jobs a job is appended  @param slot of its arrival
    void DrawJob(std::vector<ClusterJob>& jobs, uint64_t slot);

    /// @throw OdcnError when the Attributes do not go together
    void Check() const;

    ArrivalKind m_arrivals;                      //!< Bernoulli or Poisson
    double m_rate;                               //!< lambda, jobs a slot
    uint64_t m_slots;                            //!< of a set
    uint64_t m_firstSlot;                        //!< with arrivals
    uint32_t m_different;                        //!< sets until they come again; 0 for never
    uint32_t m_resources;                        //!< d
    double m_shortShare;                         //!< probability that a job is short
    uint32_t m_shortMin;                         //!< least slots of a short job
    uint32_t m_shortMax;                         //!< most slots of a short job
    uint32_t m_longMin;                          //!< least slots of a long job
    uint32_t m_longMax;                          //!< most slots of a long job
    uint32_t m_dominantMin;                      //!< least units of the dominant resource
    uint32_t m_dominantMax;                      //!< most units of the dominant resource
    uint32_t m_otherMin;                         //!< least units of each other resource
    uint32_t m_otherMax;                         //!< most units of each other resource
    Ptr<UniformRandomVariable> m_arrivalStream;  //!< arrival slots
    Ptr<UniformRandomVariable> m_jobStream;      //!< durations and demands
    std::vector<std::vector<ClusterJob>> m_sets; //!< sets that repeat
    std::vector<ClusterJob> m_fresh;             //!< a set that does not repeat
    const std::vector<ClusterJob>* m_set{};      //!< the present one
    std::size_t m_next{0};                       //!< job of it
    uint64_t m_nSets{0};                         //!< sets begun
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_GENERATOR_H */
