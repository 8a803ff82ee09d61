// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COMPUTE_LEDGER_H
#define ODCN_COMPUTE_LEDGER_H

#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The free resources of every server of a data centre. Servers are equal; racks may differ in
 * their number.
 *
 * Exact integers throughout, so releasing what was reserved restores the ledger exactly. A value
 * type: a copy may be used to explore alternatives.
 *
 * Server i of rack u has the id u M + i, where M is the number of servers of the largest rack. The
 * ids of servers that a smaller rack lacks have no resources.
 *
 * Servers are kept in buckets by whole free cores, so that finding the one with most or fewest free
 * cores takes a few bit operations whatever the size of the rack. Tie decides among servers with
 * equal free cores.
 */
class OdcnComputeLedger
{
  public:
    /// How a VM's server is found within its rack.
    enum Placement
    {
        BALANCED,  //!< worst fit: the server with most free cores that fits ("balanced load")
        BEST_FIT,  //!< the server with fewest free cores that fits
        FIRST_FIT, //!< the server of lowest index that fits
        POLICY,    //!< each decision says which of the others; BALANCED where it says none
    };

    /// Number of strategies that a decision can choose from, the first ones.
    static constexpr uint32_t FITS = POLICY;

    /// Which of several servers with equal free cores is taken; unused with FIRST_FIT.
    enum Tie
    {
        LOWEST_INDEX, //!< the lowest index
        MOST_MEMORY,  //!< the most free memory, then the lowest index
    };

    OdcnComputeLedger() = default;

    /**
     * @param nRacks number of racks |V|, above 0
     * @param serversPerRack M, above 0; at most 10^7 servers in all
     * @param server C_i, the capacity of each server; at least one core, at most 65536
     * @param placement in-rack strategy
     * @param tie which of several servers with equal free cores is taken
     * @throws OdcnError when a number is out of range
     */
    OdcnComputeLedger(uint32_t nRacks,
                      uint32_t serversPerRack,
                      const OdcnResources& server,
                      Placement placement,
                      Tie tie = LOWEST_INDEX);

    /**
     * @param serversByRack number of servers of each rack, all above 0; at most 10^7 for number of
     * racks x the largest
     * @param server C_i, as above
     * @param placement in-rack strategy
     * @param tie which of several servers with equal free cores is taken
     * @throws OdcnError when a number is out of range
     */
    OdcnComputeLedger(std::vector<uint32_t> serversByRack,
                      const OdcnResources& server,
                      Placement placement,
                      Tie tie = LOWEST_INDEX);

    /**
     * @param rack the rack
     * @param vm the demand
     * @return the server that the strategy picks, or NO_SERVER when none fits
     */
    ServerId Find(RackId rack, const OdcnResources& vm) const
    {
        return Find(rack, vm, m_placement == POLICY ? BALANCED : m_placement);
    }

    /**
     * @param rack the rack
     * @param vm the demand
     * @param fit strategy, not POLICY
     * @return the server that it picks, or NO_SERVER when none fits
     */
    ServerId Find(RackId rack, const OdcnResources& vm, Placement fit) const;

    /**
     * @param server a server on which @p vm fits
     * @param vm the demand
     */
    void Reserve(ServerId server, const OdcnResources& vm);

    /**
     * @param server where @p vm was reserved
     * @param vm the same demand
     */
    void Release(ServerId server, const OdcnResources& vm);

    /**
     * Start counting, for each of some kinds of VM, how many more of it each rack can take.
     * @param kinds the kinds, each of at least one core; copies of the ledger count them too
     * @throws OdcnError when a kind has less than a core
     */
    void CountSlots(const std::vector<OdcnResources>& kinds);

    /// @return the kinds of VM that are counted
    const std::vector<OdcnResources>& GetSlotKinds() const
    {
        return m_slotKinds;
    }

    /**
     * @param rack the rack
     * @param kind index of a kind that is counted
     * @return how many VMs of the kind its servers can take, if no other kind is placed
     */
    uint32_t GetSlots(RackId rack, std::size_t kind) const
    {
        return m_slots[rack * m_slotKinds.size() + kind];
    }

    /**
     * @param free free resources of a server
     * @param vm a demand of at least one core
     * @return how many such demands fit
     */
    static uint32_t SlotsIn(const OdcnResources& free, const OdcnResources& vm)
    {
        uint32_t n = 0;
        for (OdcnResources left = free; vm.FitsIn(left); left -= vm)
        {
            ++n;
        }
        return n;
    }

    /// @param server the server  @return its free resources
    const OdcnResources& GetFree(ServerId server) const
    {
        return m_free[server];
    }

    /// @param rack the rack  @return the sum of its servers' free resources
    const OdcnResources& GetRackFree(RackId rack) const
    {
        return m_rackFree[rack];
    }

    /// @return resources in use in the whole data centre
    const OdcnResources& GetUsed() const
    {
        return m_used;
    }

    /// @param rack the rack  @return the sum of its servers' capacities
    const OdcnResources& GetRackCapacity(RackId rack) const
    {
        return m_rackCapacity[rack];
    }

    /// @return capacity of one server
    const OdcnResources& GetServerCapacity() const
    {
        return m_server;
    }

    /// @return capacity of the data centre
    const OdcnResources& GetCapacity() const
    {
        return m_capacity;
    }

    /// @param server a server  @return its rack
    RackId GetRack(ServerId server) const
    {
        return server / m_serversPerRack;
    }

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_nRacks;
    }

    /// @return M, the number of servers of the largest rack, and of ids of each rack
    uint32_t GetServersPerRack() const
    {
        return m_serversPerRack;
    }

    /// @param rack the rack  @return number of its servers
    uint32_t GetNServers(RackId rack) const
    {
        return m_serversByRack[rack];
    }

    /// @param o other  @return whether every server's free resources and the sums are equal
    bool operator==(const OdcnComputeLedger& o) const = default;

  private:
    /// @param server a server  @param vm a demand  @return whether at least this much is in use
    bool IsInUse(ServerId server, const OdcnResources& vm) const
    {
        OdcnResources after = m_free[server];
        after += vm;
        return after.FitsIn(m_server);
    }

    /// @param free free resources  @return index of the bucket
    uint32_t Bucket(const OdcnResources& free) const
    {
        return static_cast<uint32_t>(free.milli[0] / OdcnResources::SCALE);
    }

    /**
     * Change a server's free resources and update the sums and the buckets.
     * @param server the server
     * @param vm the demand
     * @param sign -1 to reserve, 1 to release
     */
    void Change(ServerId server, const OdcnResources& vm, int sign);

    /**
     * @param rack the rack
     * @param bucket the bucket
     * @param vm the demand
     * @param most whether to prefer most free cores (else fewest)
     * @return best server of the bucket that fits, or NO_SERVER
     */
    ServerId FindInBucket(RackId rack, uint32_t bucket, const OdcnResources& vm, bool most) const;

    uint32_t m_nRacks{0};                      //!< |V|
    std::vector<uint32_t> m_serversByRack;     //!< [rack]: number of servers
    uint32_t m_serversPerRack{0};              //!< M, the largest of them
    uint32_t m_nBuckets{0};                    //!< whole cores of a server + 1
    uint32_t m_words{0};                       //!< 64-bit words for the servers of a rack
    Placement m_placement{BALANCED};           //!< in-rack strategy
    Tie m_tie{LOWEST_INDEX};                   //!< among servers with equal free cores
    uint32_t m_uneven{0};                      //!< servers with a fraction of a core in use
    OdcnResources m_server;                    //!< C_i
    std::vector<OdcnResources> m_rackCapacity; //!< [rack]: number of servers x C_i
    OdcnResources m_capacity;                  //!< sum over all racks
    OdcnResources m_used;                      //!< in use, all racks
    std::vector<OdcnResources> m_free;         //!< [server]
    std::vector<OdcnResources> m_rackFree;     //!< [rack]: sum over its servers
    std::vector<uint64_t> m_bucket;            //!< [rack][bucket][word]: bit of each server in it
    std::vector<uint64_t> m_occupied;       //!< [rack][word of buckets]: which buckets hold servers
    std::vector<OdcnResources> m_slotKinds; //!< kinds of VM that are counted
    std::vector<uint32_t> m_slots;          //!< [rack][kind]: how many more of it fit
};

} // namespace ns3::odcn

#endif /* ODCN_COMPUTE_LEDGER_H */
