// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_FEATURES_H
#define ODCN_RACK_FEATURES_H

#include "ns3/odcn-units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

class OdcnComputeLedger;
class OdcnScheduling;
struct OdcnJob;
struct OdcnResources;

/**
 * @ingroup odcn
 *
 * What the choice of a rack for a VM depends on, beyond the state of the ODCN paper: what becomes
 * of the places that large VMs need, where the job's earlier VMs are, and what the VM's traffic
 * adds to the queues. Every number is about one rack; none grows with the number of racks.
 *
 * The ledger of servers must count slots (CountSlots()) of one or more kinds of VM, the hardest to
 * place first, the last one the measure of what "a large VM" is.
 *
 * The marker is 0 where the rack can take the VM, -1 where direct bandwidth is missing and -2
 * where no server fits; all other features are 0 unless the marker is 0.
 */
class OdcnRackFeatures
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        MARKER,      //!< 0, -1 or -2, see above
        FREE_CORES,  //!< free cores of the rack before, share of all
        LARGE_SLOTS, //!< slots of the last kind before, share of an empty rack's
        LARGE_LOST,  //!< slots of the last kind that the VM takes or spoils
        HARD_SLOTS,  //!< slots of the first kind before, share of an empty rack's
        HARD_LOST,   //!< slots of the first kind that the VM takes or spoils
        STRANDED,    //!< free cores that no large VM can use, share of the rack's cores
        NO_LARGE,    //!< 1 where there is no slot of the last kind
        KEPT,        //!< demands that stay within the rack, in mean demands of the job
        PATH_LOAD,   //!< greatest load of the circuits that the VM's demands take, theirs included
        RACK_LOAD,   //!< greatest load of a circuit to or from the rack, the VM's not included
        MEAN_LOAD,   //!< mean load of the circuits to and from the rack, likewise
        JOB_LOAD,    //!< greatest load of the circuits between the rack and others of the job
        BACKLOG,     //!< packets that the VM's demands add to the queues, in the mean
        LAST,        //!< 1 for the rack of the VM before
        VISITED,     //!< 1 where VMs of the job are
        SHARE,       //!< share of the job's VMs that are here
        ROOM,        //!< share of the job's large VMs to come, this one included, that fit here
        COUNT        //!< how many features there are
    };

    /// The features of one rack.
    using Row = std::array<float, COUNT>;

    /// @param feature which  @return its name, e.g. "free-cores"
    static const char* GetName(uint32_t feature);

    /**
     * The size of a VM: the first kind of slot that is not larger than it in any resource.
     * @param problem where it is to be placed
     * @return index of the kind; the number of kinds when it is smaller than all of them
     */
    static uint32_t GetClass(const OdcnScheduling& problem);

    /// @param used load, bit/s  @param capacity of circuits, bit/s  @return erlang; 0 without any
    static double Load(BitRate used, BitRate capacity)
    {
        return capacity > 0 ? static_cast<double>(used) / static_cast<double>(capacity) : 0.0;
    }

    /// @param job a job  @return 1 / mean of its demands, s/bit; 0 without any
    static double GetPerDemand(const OdcnJob& job);

    /// Learn what a rack can hold. Begin() does so too. @param servers whose racks are described
    void SetRacks(const OdcnComputeLedger& servers);

    /**
     * What the servers of a rack say: features up to NO_LARGE, and the marker where none fits.
     * @param servers as for SetRacks()
     * @param rack a rack
     * @param vm to be placed
     * @param [out] row gets them; the other features become 0
     */
    void DescribeServers(const OdcnComputeLedger& servers,
                         RackId rack,
                         const OdcnResources& vm,
                         Row& row) const;

    /// Look at the decision as a whole, before Describe(). @param problem whose next VM it is
    void Begin(const OdcnScheduling& problem);

    /**
     * @param problem the same
     * @param rack a rack
     * @param [out] row its features
     */
    void Describe(const OdcnScheduling& problem, RackId rack, Row& row) const;

  private:
    std::vector<uint32_t> m_here;  //!< VMs of the job in each rack
    std::vector<RackId> m_visited; //!< racks with VMs of the job
    uint32_t m_largeLeft{0};       //!< large VMs to come
    float m_largeMost{0};          //!< slots of the last kind in an empty rack
    float m_hardMost{0};           //!< slots of the first kind in an empty rack
    double m_perDemand{0};         //!< 1 / mean demand of the job, s/bit
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_FEATURES_H */
