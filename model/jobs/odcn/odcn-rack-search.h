// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_SEARCH_H
#define ODCN_RACK_SEARCH_H

#include "odcn-rack-features.h"
#include "odcn-scheduling.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Finds the rack with the largest weighted sum of OdcnRackFeatures without computing all features
 * for every decision. The sum is that of LinearPolicy, added in the same order in single precision,
 * so that decisions are identical.
 *
 * The part of a rack's sum that depends on its servers is cached for each kind of VM until they
 * change; the loads between a rack and the others of the job are updated from VM to VM. The backlog
 * that a VM adds to the queues is expensive and rarely decisive: if its weight is not above 0, the
 * sum without it is an upper bound, and only racks whose bound reaches the best sum are computed in
 * full.
 *
 * One instance may serve several problems in turn; the cache is cleared when
 * OdcnScheduling::GetEpisode() changes. A value type.
 */
class OdcnRackSearch
{
  public:
    /**
     * @param problem a problem
     * @return whether Find() supports its observation and mask: State=Placement and MaskBandwidth,
     * or State=Opening at all but the first VM of a job, where the blocks that it adds are 0; not
     * Placement=Policy
     */
    static bool Knows(const OdcnScheduling& problem);

    /**
     * @param problem that waits for a decision and is supported
     * @param weights one for each block of State=Placement, all finite
     * @param bias added to each sum
     * @return of the racks whose marker is 0, the one with the largest sum, the first among equals;
     * NO_RACK if there is none or sums are not finite
     */
    RackId Find(const OdcnScheduling& problem, std::span<const float> weights, float bias);

  private:
    /// Weights of the features for one size of VM.
    struct Sum
    {
        std::span<const float> weights; //!< one for each feature
        float bias{0};                  //!< initial value of the sums
    };

    /// Clear the cache.
    void Clear();

    /// Cached server part of the sums for one kind of VM.
    struct Kind
    {
        OdcnResources vm;              //!< the kind
        float bias{0};                 //!< initial value of the sums
        std::vector<float> weights;    //!< of the features up to NO_LARGE; empty if not computed
        std::vector<uint64_t> version; //!< [rack]: version of its servers; 0 for never computed
        std::vector<float> sum;        //!< [rack]: sum up to NO_LARGE; -inf if no server fits
        std::vector<float> slots;      //!< [rack]: number of slots of the last kind
    };

    /// A demand between the VM to be placed and the job's VMs in one rack.
    struct Path
    {
        RackId rack;  //!< rack of these VMs
        bool out;     //!< whether the VM sends
        BitRate rate; //!< bit/s
    };

    /// Start a new job. @param problem that waits for a decision
    void BeginJob(const OdcnScheduling& problem);

    /// Update the job's racks and their loads. @param problem that waits for a decision
    void FollowJob(const OdcnScheduling& problem);

    /// @param problem that waits for a decision  @param sum weights  @return the updated cache
    const Kind& GetKind(const OdcnScheduling& problem, const Sum& sum);

    /**
     * Compute the servers' part of a rack's sum.
     * @param servers ledger
     * @param rack the rack
     * @param kind cache for a kind of VM; updated
     */
    void UpdateRack(const OdcnComputeLedger& servers, RackId rack, Kind& kind) const;

    /// Find the VM's paths and their loads; m_sums becomes -inf if one does not fit.
    /// @param problem that waits for a decision
    void FindPaths(const OdcnScheduling& problem);

    /// Add the features from KEPT to JOB_LOAD to m_sums.
    /// @param problem that waits for a decision  @param sum weights
    void AddLoads(const OdcnScheduling& problem, const Sum& sum);

    /// @param network the network  @param rack a rack  @return its feature BACKLOG
    float GetBacklog(const NMgr& network, RackId rack) const;

    /**
     * Add the features from BACKLOG on to a sum of m_sums.
     * @param sum weights
     * @param rack a rack
     * @param backlog its feature BACKLOG
     * @return the complete sum
     */
    float Finish(const Sum& sum, RackId rack, float backlog) const;

    OdcnRackFeatures m_features;           //!< computes features of servers
    std::shared_ptr<const void> m_episode; //!< episode of the cache; null for none
    std::vector<Kind> m_kinds;             //!< the latest kinds of VM
    std::size_t m_oldestKind{0};           //!< number of kinds replaced so far
    uint64_t m_job{0};                     //!< number of the job that the following is about
    uint32_t m_followed{0};                //!< number of its VMs included so far
    uint64_t m_networkVersion{0};          //!< network version of m_jobLoad
    double m_perDemand{0};                 //!< 1 / mean demand of the job, s/bit
    std::vector<uint32_t> m_largeLeft;     //!< [k]: large VMs of the job from VM k on
    std::vector<uint32_t> m_here;          //!< [rack]: VMs of the job; empty before the first job
    std::vector<RackId> m_visited;         //!< racks with VMs of the job
    std::vector<float> m_jobLoad;          //!< [rack]: feature JOB_LOAD
    RackId m_last{NO_RACK};                //!< rack of the previous VM
    std::vector<Path> m_paths;             //!< of the VM, in the order of summation
    std::vector<float> m_pathLoad;         //!< [rack]: feature PATH_LOAD
    std::vector<float> m_room;             //!< [rack]: feature ROOM
    std::vector<float> m_sums;             //!< [rack]: partial sum; -inf if the VM does not fit
    std::vector<float> m_bounds;           //!< [rack]: bound of the complete sum
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_SEARCH_H */
