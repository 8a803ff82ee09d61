// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_SEARCH_H
#define ODCN_RACK_SEARCH_H

#include "ns3/odcn-rack-features.h"
#include "ns3/odcn-scheduling.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Finds the rack of the greatest weighted sum of OdcnRackFeatures without computing all features at
 * every decision. The sum is that of LinearPolicy, added up in the same order in single precision,
 * so that a choice never differs.
 *
 * The part of a rack's sum that depends on its servers is kept for each kind of VM until they
 * change; the loads between a rack and the others of the job grow from VM to VM and are updated.
 * What a VM adds to the queues is expensive and rarely decisive: where its weight is not above 0,
 * the sum without it is an upper bound, and only racks whose bound reaches the best sum are
 * computed in full.
 *
 * One instance may serve any problems in turn; what was kept is dropped when
 * OdcnScheduling::GetEpisode() changes. A plain value.
 */
class OdcnRackSearch
{
  public:
    /**
     * @param problem any
     * @return whether Find() knows its observation and its mask: State=Placement and MaskBandwidth
     */
    static bool Knows(const OdcnScheduling& problem);

    /**
     * @param problem at a decision; known
     * @param weights one for each block of the observation, all finite
     * @param bias added to each sum
     * @return of the racks whose marker is 0, the one of the greatest sum, the first of equals;
     * NO_RACK where there is none or sums are not finite
     */
    RackId Find(const OdcnScheduling& problem, std::span<const float> weights, float bias);

  private:
    /// Weights of the features for one size of VM.
    struct Sum
    {
        std::span<const float> weights; //!< one for each feature
        float bias{0};                  //!< that sums begin with
    };

    /// Forget what was kept.
    void Clear();

    /// The servers' part of the sums for one kind of VM.
    struct Kind
    {
        OdcnResources vm;              //!< the kind
        float bias{0};                 //!< that the sums begin with
        std::vector<float> weights;    //!< of the features up to NO_LARGE; empty for none yet
        std::vector<uint64_t> version; //!< of each rack when it was computed; 0 for never
        std::vector<float> sum;        //!< of each rack up to NO_LARGE; -inf where no server fits
        std::vector<float> slots;      //!< of each rack, of the last kind of slot
    };

    /// A demand between the VM to be placed and those in one rack.
    struct Path
    {
        RackId rack;  //!< where they are
        bool out;     //!< whether the VM sends
        BitRate rate; //!< bit/s
    };

    /// Forget the racks of the job before. @param problem at a decision
    void BeginJob(const OdcnScheduling& problem);

    /// Update the job's racks and their loads. @param problem at a decision
    void FollowJob(const OdcnScheduling& problem);

    /// @param problem at a decision  @param sum weights  @return what is kept, updated
    const Kind& GetKind(const OdcnScheduling& problem, const Sum& sum);

    /**
     * Compute the servers' part of a rack's sum.
     * @param servers ledger
     * @param rack the rack
     * @param kind of VM; updated
     */
    void UpdateRack(const OdcnComputeLedger& servers, RackId rack, Kind& kind) const;

    /// Find the VM's paths and their loads; m_sums becomes -inf where one does not fit.
    /// @param problem at a decision
    void FindPaths(const OdcnScheduling& problem);

    /// Add the features from KEPT to JOB_LOAD to m_sums.
    /// @param problem at a decision  @param sum weights
    void AddLoads(const OdcnScheduling& problem, const Sum& sum);

    /// @param network loads  @param rack a rack  @return its feature BACKLOG
    float GetBacklog(const NMgr& network, RackId rack) const;

    /**
     * Add the features from BACKLOG on to a sum of m_sums.
     * @param sum weights
     * @param rack a rack
     * @param backlog its feature BACKLOG
     * @return its whole sum
     */
    float Finish(const Sum& sum, RackId rack, float backlog) const;

    OdcnRackFeatures m_features;       //!< computes features of servers
    uint64_t m_episode{0};             //!< that the following is of; 0 for none
    std::vector<Kind> m_kinds;         //!< kinds of VM met last
    std::size_t m_oldestKind{0};       //!< which to forget for another
    uint64_t m_job{0};                 //!< of which job the following is
    uint32_t m_followed{0};            //!< its VMs placed that are known
    uint64_t m_networkVersion{0};      //!< that m_jobLoad is of
    double m_perDemand{0};             //!< 1 / its mean demand, s/bit
    std::vector<uint32_t> m_largeLeft; //!< its large VMs from each VM on
    std::vector<uint32_t> m_here;      //!< its VMs in each rack; empty before the first job
    std::vector<RackId> m_visited;     //!< racks with VMs of it
    std::vector<float> m_jobLoad;      //!< feature JOB_LOAD of each rack
    RackId m_last{NO_RACK};            //!< rack of the VM before
    std::vector<Path> m_paths;         //!< of the VM, in the order in which they add up
    std::vector<float> m_pathLoad;     //!< feature PATH_LOAD of each rack
    std::vector<float> m_room;         //!< feature ROOM of each rack
    std::vector<float> m_sums;         //!< of each rack, partial; -inf where the VM does not fit
    std::vector<float> m_bounds;       //!< of the whole sums
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_SEARCH_H */
