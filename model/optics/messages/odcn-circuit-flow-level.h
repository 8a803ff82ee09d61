// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_FLOW_LEVEL_H
#define ODCN_CIRCUIT_FLOW_LEVEL_H

#include "odcn-flow-level.h"

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-fabric-model.h"
#include "ns3/odcn-units.h"

#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The flow level of a fabric that follows a schedule. End points are its servers, rack by rack. A
 * message to another rack waits in its server until there is a circuit (Routing=Direct), or takes
 * one of the shortest paths over several racks (Routing=ShortestPaths, for schedules that never
 * change).
 *
 * With Hold, each of the n servers of a rack has 1/n of each of its circuits, used or not, as with
 * FlowApplication::Hold. Without it, the messages of all servers share a circuit, as if servers
 * sent only while there is one; in packets they send ahead, into the queues of the ToR switch.
 *
 * In each slot a circuit carries as many full packets as a ToR switch could send there: from the
 * end of the dark time plus Guard to the end of the slot minus Guard.
 */
class CircuitFlowLevel : public FlowLevel
{
  public:
    /// Which circuits a message may take.
    enum Routing
    {
        DIRECT,         //!< those to its rack
        SHORTEST_PATHS, //!< one of the shortest paths, by the number of the message
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Set the fabric, before the first message.
     * @param model sizes, rates and delays, from OcsHelper::GetModel()
     * @param schedule its schedule, after Build(); time 0 is that of the simulation
     * @throws OdcnError when they do not fit together, or the routing needs one that never changes
     */
    void SetFabric(const FabricModel& model, Ptr<CircuitSchedule> schedule);

    uint32_t GetNEndPoints() const override
    {
        return m_schedule ? m_model.GetNServers() : 0;
    }

  protected:
    void DoDispose() override;
    Path FindPath(const Message& message) override;
    Time UpdateCapacities() override;

  private:
    /// The slot of a plane at a certain time.
    struct PlaneState
    {
        uint32_t slot; //!< index
        bool isUp;     //!< whether circuits that are new in it can be used
        bool isOver;   //!< whether those that change afterwards can be used no more
        Time next;     //!< when one of these changes
    };

    /// Circuits from one rack to another, or a server's share of them.
    struct Pool
    {
        RackId from;  //!< a rack
        RackId to;    //!< another rack
        double share; //!< of their capacity
    };

    /// @param server that sends, if it holds messages; else 0
    /// @param from a rack
    /// @param to another rack
    /// @return the link of all circuits from one to the other
    uint32_t FindPool(uint32_t server, RackId from, RackId to);
    /// @param from a rack
    /// @param to another rack
    /// @return capacity of all circuits that can be used, bit/s
    double GetCapacity(RackId from, RackId to) const;
    /// @param plane index of a plane
    /// @param now present time
    /// @return its state
    PlaneState FindState(uint32_t plane, Time now) const;
    /// @param from a rack
    /// @param to another rack
    /// @param number that selects one of the paths
    /// @return racks of a shortest path after the first
    std::vector<RackId> FindRacks(RackId from, RackId to, uint64_t number) const;
    /// Compute the distances between all racks.
    void FindDistances();

    Routing m_routing;                              //!< Routing
    Time m_guard;                                   //!< Guard
    bool m_hold;                                    //!< Hold
    FabricModel m_model;                            //!< the fabric
    Ptr<CircuitSchedule> m_schedule;                //!< its schedule; null before SetFabric()
    Time m_packet;                                  //!< time of a full packet on an uplink
    std::vector<uint32_t> m_send;                   //!< links from servers
    std::vector<uint32_t> m_receive;                //!< links to servers
    std::unordered_map<uint64_t, uint32_t> m_links; //!< of pools, by server and racks
    std::vector<Pool> m_pools;                      //!< in the order of their links
    std::vector<PlaneState> m_states;               //!< of planes, now
    std::vector<std::vector<RackId>> m_neighbours;  //!< by rack, for shortest paths
    std::vector<std::vector<uint32_t>> m_distances; //!< [to][from], in circuits
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_FLOW_LEVEL_H */
