// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_FEATURES_H
#define ODCN_RACK_FEATURES_H

#include "ns3/odcn-units.h"

#include <array>
#include <cstdint>
#include <utility>
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
 * Features that describe a rack for a VM, beyond the state of the ODCN paper: the effect on places
 * for large VMs, the racks of the job's earlier VMs, and the effect of the VM's traffic on the
 * queues. Every number is about one rack; none grows with the number of racks.
 *
 * The server ledger must count slots (CountSlots()) of one or more kinds of VM, the hardest to
 * place first; the last one defines "a large VM".
 *
 * The marker is 0 if the rack can take the VM, -1 if direct bandwidth is missing and -2 if no
 * server fits; all other features are 0 unless the marker is 0. With State=Whole a marker of -1 has
 * features, too: PATH_LOAD is that of the fullest circuit with the VM's demands, above 1, or
 * NO_CIRCUIT, and BACKLOG is 0.
 */
class OdcnRackFeatures
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        MARKER,      //!< 0, -1 or -2, see above
        FREE_CORES,  //!< free cores of the rack before placement, share of all
        LARGE_SLOTS, //!< slots of the last kind before placement, share of an empty rack's
        LARGE_LOST,  //!< slots of the last kind lost by placement
        HARD_SLOTS,  //!< slots of the first kind before placement, share of an empty rack's
        HARD_LOST,   //!< slots of the first kind lost by placement
        STRANDED,    //!< free cores that no large VM can use, share of the rack's cores
        NO_LARGE,    //!< 1 if there is no slot of the last kind
        KEPT,        //!< demands that stay within the rack, in mean demands of the job
        PATH_LOAD,   //!< largest load of the circuits used by the VM's demands, these included
        RACK_LOAD,   //!< largest load of a circuit to or from the rack, without the VM
        MEAN_LOAD,   //!< mean load of the circuits to and from the rack, without the VM
        JOB_LOAD,    //!< largest load of the circuits between the rack and others of the job
        BACKLOG,     //!< mean number of packets that the VM's demands add to the queues
        LAST,        //!< 1 for the rack of the previous VM
        VISITED,     //!< 1 if VMs of the job are here
        SHARE,       //!< share of the job's VMs that are here
        ROOM,        //!< share of the job's remaining large VMs, this one included, that fit here
        COUNT        //!< number of features
    };

    /// PATH_LOAD where a circuit is missing, and its greatest value.
    static constexpr double NO_CIRCUIT = 2;

    /// The features of one rack.
    using Row = std::array<float, COUNT>;

    /// @param feature index of a feature  @return its name, e.g. "free-cores"
    static const char* GetName(uint32_t feature);

    /// @param feature index of a feature
    /// @return its least and greatest value
    static std::pair<float, float> GetBounds(uint32_t feature);

    /**
     * The size class of a VM: the first kind of slot that is not larger than it in any resource.
     * @param problem whose next VM is classified
     * @return index of the kind; the number of kinds if the VM is smaller than all of them
     */
    static uint32_t GetClass(const OdcnScheduling& problem);

    /// @param used load, bit/s  @param capacity of circuits, bit/s  @return erlang; 0 without any
    static double Load(BitRate used, BitRate capacity)
    {
        return capacity > 0 ? static_cast<double>(used) / static_cast<double>(capacity) : 0.0;
    }

    /// @param job a job  @return 1 / mean of its demands, s/bit; 0 without any
    static double GetPerDemand(const OdcnJob& job);

    /// Set the capacity of a server; Begin() does this too. @param servers that are described
    void SetServers(const OdcnComputeLedger& servers);

    /**
     * Describe the servers of a rack: features up to NO_LARGE, and the marker if none fits.
     * @param servers as for SetServers()
     * @param rack a rack
     * @param vm to be placed
     * @param server that it would get, or NO_SERVER
     * @param [out] row these features; the others become 0
     */
    void DescribeServers(const OdcnComputeLedger& servers,
                         RackId rack,
                         const OdcnResources& vm,
                         ServerId server,
                         Row& row) const;

    /// Prepare the features of a decision, before Describe(). @param problem with the next VM
    void Begin(const OdcnScheduling& problem);

    /**
     * @param problem as in Begin()
     * @param action a rack; with Placement=Policy also how the server is found there
     * @param [out] row its features
     */
    void Describe(const OdcnScheduling& problem, uint32_t action, Row& row) const;

  private:
    std::vector<uint32_t> m_here;  //!< [rack]: number of VMs of the job
    std::vector<RackId> m_visited; //!< racks with VMs of the job
    uint32_t m_largeLeft{0};       //!< large VMs still to be placed
    uint32_t m_largeMost{0};       //!< slots of the last kind in an empty server
    uint32_t m_hardMost{0};        //!< slots of the first kind in an empty server
    double m_perDemand{0};         //!< 1 / mean demand of the job, s/bit
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_FEATURES_H */
