// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_SEARCH_H
#define ODCN_RACK_SEARCH_H

#include "odcn-decision-problem.h"
#include "odcn-rack-features.h"

#include "ns3/odcn-cs-mgr.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Finds the rack of the greatest weighted sum of OdcnRackFeatures without describing all racks anew
 * at every decision. The sum is the one of the features that OdcnRackFeatures::Describe() gives,
 * added up in their order in single precision: bit for bit, so that a choice never differs.
 *
 * What the servers of a rack say is kept for each kind of VM, as a partial sum, until they change;
 * the loads between a rack and the others of the job grow from VM to VM and are carried on. What a
 * VM adds to the queues is dear to know and seldom decides: where its weight is not above 0, the
 * sum without it is a bound, and only racks whose bound reaches the best sum are looked at.
 *
 * One instance serves one problem and its copies. A plain value.
 */
class OdcnRackSearch
{
  public:
    /// Forget what was kept: ledgers are built anew.
    void Clear();

    /**
     * @param problem at a decision
     * @param sum one weight for each feature, and what is added
     * @return of the racks whose marker is 0, the one of the greatest sum, the first of equals;
     * NO_RACK where there is none or sums are not finite
     */
    RackId Find(const OdcnScheduling& problem, const OdcnWeightedSum& sum);

  private:
    /// What the servers say to one kind of VM.
    struct Kind
    {
        OdcnResources vm;              //!< the kind
        float bias{0};                 //!< that the sums begin with
        std::vector<float> weights;    //!< of the features up to NO_LARGE; empty for none yet
        std::vector<uint64_t> version; //!< of each rack when it was looked at; 0 for never
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

    /// Start with a job anew. @param problem at a decision
    void BeginJob(const OdcnScheduling& problem);

    /// Bring the job's racks and their loads up to date. @param problem at a decision
    void FollowJob(const OdcnScheduling& problem);

    /// @param problem at a decision  @param sum weights  @return what is kept, brought up to date
    const Kind& GetKind(const OdcnScheduling& problem, const OdcnWeightedSum& sum);

    /**
     * Find what the servers of a rack say to a kind of VM.
     * @param servers ledger
     * @param rack the rack
     * @param kind gets it
     */
    void Look(const OdcnComputeLedger& servers, RackId rack, Kind& kind) const;

    /// Find the VM's paths and their loads; m_sums becomes -inf where one does not fit.
    /// @param problem at a decision
    void TakePaths(const OdcnScheduling& problem);

    /// Go on with m_sums, up to JOB_LOAD. @param problem at a decision  @param sum weights
    void SumUp(const OdcnScheduling& problem, const OdcnWeightedSum& sum);

    /// @param network loads  @param rack a rack  @return its feature BACKLOG
    float GetBacklog(const NMgr& network, RackId rack) const;

    /**
     * Add the rest to m_sums.
     * @param sum weights
     * @param rack a rack
     * @param backlog its feature BACKLOG
     * @return its whole sum
     */
    float Finish(const OdcnWeightedSum& sum, RackId rack, float backlog) const;

    OdcnRackFeatures m_features;       //!< describes what servers say
    std::vector<Kind> m_kinds;         //!< kinds of VM met last
    std::size_t m_oldestKind{0};       //!< which to forget for another
    uint64_t m_job{0};                 //!< of which job the following is
    uint32_t m_followed{0};            //!< its VMs placed that are known
    uint64_t m_networkVersion{0};      //!< up to which m_jobLoad was brought
    double m_perDemand{0};             //!< 1 / its mean demand, s/bit
    std::vector<uint32_t> m_largeLeft; //!< its large VMs from each VM on
    std::vector<uint32_t> m_here;      //!< its VMs in each rack; empty before the first job
    std::vector<RackId> m_visited;     //!< racks with VMs of it
    std::vector<float> m_jobLoad;      //!< feature JOB_LOAD of each rack
    RackId m_last{NO_RACK};            //!< rack of the VM before
    std::vector<Path> m_paths;         //!< of the VM, in the order in which they add up
    std::vector<float> m_pathLoad;     //!< feature PATH_LOAD of each rack
    std::vector<float> m_room;         //!< feature ROOM of each rack
    std::vector<float> m_sums;         //!< of each rack up to some feature; -inf where it is out
    std::vector<float> m_bounds;       //!< of the whole sums
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_RACK_SEARCH_H */
