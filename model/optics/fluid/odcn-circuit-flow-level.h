// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_FLOW_LEVEL_H
#define ODCN_CIRCUIT_FLOW_LEVEL_H

#include "odcn-flow-level.h"

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-fabric-model.h"
#include "ns3/odcn-units.h"
#include "ns3/tor-forwarding.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The flow level of a fabric that follows a schedule. End points are its servers, rack by rack. A
 * message to another rack waits in its server until there is a circuit (Routing=DirectRouting), or
 * takes one of the shortest paths over several racks (ExpanderRouting, for schedules that never
 * change), or two hops by way of random racks (ValiantRouting[Spread=Random]).
 *
 * With two hops, each packet of a message draws its transit rack and waits in ToR switches,
 * first in, first out, as in packets; packets on their second hop go before
 * others. Packets do not move one by one but in trains of at most TrainLength, each a flow on the
 * link of a server or on the circuits between two racks, and join the next queue when the whole
 * train has arrived. Ports of receivers serve packets first in, first out. Queues have no limit.
 *
 * With Hold, each of the n servers of a rack has 1/n of each of its circuits, used or not, as with
 * FlowApplication::Hold. Without it, the messages of all servers share a circuit, as if servers
 * sent only while there is one; in packets they send ahead, into the queues of the ToR switch.
 *
 * While it is in place, a circuit carries as many full packets as a ToR switch could send: from the
 * end of the dark time plus Guard to the end of the slot minus Guard; in several slots if it stays.
 * With Hold, it carries the packets for which each server has a turn. A message between racks whose
 * circuits carry no packet is refused.
 * These packets are counted from the start of the circuit, also for a message that begins later.
 * Only circuits between racks with messages in flight cost time when they change.
 */
class CircuitFlowLevel : public FlowLevel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CircuitFlowLevel();
    ~CircuitFlowLevel() override;

    /**
     * @param forwarding of a routing
     * @return "", or why the flow level cannot forward so
     */
    static std::string WhyNot(const TorForwarding& forwarding);

    /**
     * Set the fabric, before the first message.
     * @param model sizes, rates and delays, from OcsHelper::GetModel()
     * @param schedule its schedule, after Build(); time 0 is that of the simulation
     * @throws OdcnError when they do not fit together, or the routing needs one that never changes
     * or that has circuits between all racks, each long enough for a packet
     */
    void SetFabric(const FabricModel& model, Ptr<CircuitSchedule> schedule);

    /**
     * Set the streams of the transit racks, after SetFabric(). They are those of
     * OcsFabric::AssignStreams(), so that packets that reach a ToR switch in the same order draw
     * the same racks.
     * @param stream first stream number to use
     * @return number of streams used; 0 with other routings
     * @throws OdcnError when there is no fabric yet
     */
    int64_t AssignStreams(int64_t stream);

    uint32_t GetNEndPoints() const override
    {
        return m_schedule ? m_model.GetNServers() : 0;
    }

  protected:
    void DoDispose() override;
    void DoSend(const Message& message) override;
    void FindPath(const Message& message, Path& path) override;
    bool Resume(Message& message) override;
    void Arrive(uint32_t number) override;
    Time UpdateCapacities() override;

  private:
    class ValiantTrains; //!< messages in two hops, of odcn-valiant-trains.h

    /// A change of the number of circuits that can be used.
    struct Edge
    {
        Time at;        //!< since the start of a period
        int32_t change; //!< 1 or -1
    };

    /// Circuits from one rack to another, or a server's share of them.
    struct Pool
    {
        double share{1};           //!< of their capacity
        uint32_t server{0};        //!< whose share it is: index in the rack
        uint32_t link{0};          //!< index of its link
        int32_t first{0};          //!< circuits that can be used at the end of each period
        std::vector<Edge> edges{}; //!< by time; none if circuits do not change
        bool isQueued{false};      //!< whether it is in m_changes
        int32_t circuits{0};       //!< circuits that can be used now, if it is used
        int64_t change{INT64_MAX}; //!< when this may change, time steps
    };

    /// @param server that sends, if it holds messages; else 0
    /// @param from a rack
    /// @param to another rack
    /// @return index of the pool of all circuits from one to the other
    uint32_t FindPool(uint32_t server, RackId from, RackId to);
    /// Add circuits to a path.
    /// @param server that sends, if it holds messages; else 0
    /// @param from a rack
    /// @param to another rack
    /// @param path of a message
    void AddHop(uint32_t server, RackId from, RackId to, Path& path);
    /// @param from a rack
    /// @param to another rack, to which a message has occupied the circuits until now
    /// @return full packets that they can carry until they change, 1 or more; 0 if there are none
    uint32_t GetRoom(RackId from, RackId to);
    /// Find when the circuits of a plane from one rack to another can be used.
    /// @param plane index of a plane
    /// @param from a rack
    /// @param to another rack
    /// @param pool of these circuits
    void AddEdges(uint32_t plane, RackId from, RackId to, Pool& pool) const;
    /// @param duration of a circuit, its dark time included
    /// @param server that has turns on it if servers hold messages: index in the rack
    /// @return full packets that the circuit carries
    int64_t CountPackets(Time duration, uint32_t server) const;
    /// @param plane index of a plane
    /// @param slot in which a circuit begins
    /// @param from its rack
    /// @return whether the circuit carries a packet; false for a slot in which it only stays
    bool Carries(uint32_t plane, uint32_t slot, RackId from) const;
    /// Add a time in which a circuit is in place to a pool.
    /// @param start of it
    /// @param end of it
    /// @param pool of the circuit
    void AddWindow(Time start, Time end, Pool& pool) const;
    /// Set the capacity of a pool and wait for its next change.
    /// @param index of the pool
    void UpdatePool(uint32_t index);
    /// @param from a rack
    /// @param to another rack
    /// @param number that selects one of the paths
    /// @return racks of a shortest path after the first
    std::vector<RackId> FindRacks(RackId from, RackId to, uint64_t number) const;
    /// Compute the distances between all racks.
    void FindDistances();

    std::string m_routing;                          //!< Routing
    TorForwarding::Class m_forwarding;              //!< of m_routing, after SetFabric()
    Time m_guard;                                   //!< Guard
    bool m_hold;                                    //!< Hold
    uint32_t m_trainLength;                         //!< TrainLength
    std::unique_ptr<ValiantTrains> m_valiant;       //!< for two hops, after SetFabric()
    FabricModel m_model;                            //!< the fabric
    Ptr<CircuitSchedule> m_schedule;                //!< its schedule; null before SetFabric()
    Time m_packet;                                  //!< time of a full packet on an uplink
    Time m_serverPacket;                            //!< the same on the link of a server
    std::vector<uint32_t> m_send;                   //!< links from servers
    std::vector<uint32_t> m_receive;                //!< links to servers
    std::unordered_map<uint64_t, uint32_t> m_index; //!< of pools, by server and racks
    std::vector<Pool> m_pools;                      //!< by index
    std::vector<uint32_t> m_new;                    //!< pools of messages on no other one's link
    /// By time steps: pools that are used, or were when this was found, and change then. Many do
    /// at the end of a slot.
    std::map<int64_t, std::vector<uint32_t>> m_changes;
    std::vector<std::vector<RackId>> m_neighbours;  //!< by rack, for shortest paths
    std::vector<std::vector<uint32_t>> m_distances; //!< [to][from], in circuits
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_FLOW_LEVEL_H */
