// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_FLOW_LEVEL_H
#define ODCN_FABRIC_FLOW_LEVEL_H

#include "odcn-flow-level.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/odcn-circuit-hops.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class OcsFabric;
class TorSwitch;

/**
 * @ingroup odcn
 *
 * The flow level of a fabric whose circuits change at any time, as a controller or an
 * OcsCircuitFollower sets them. End points are its servers, rack by rack.
 *
 * A message to another rack waits in its server until its ToR switch has a circuit to that rack
 * (Routing=DirectRouting). With ExpanderRouting it takes one of the shortest paths over the
 * circuits that are up when it begins; without any it waits. When one of its circuits is taken
 * away, what is left of it takes another path, and waits while there is none. All servers share the
 * working uplinks that reach a rack, from the time when the ToR switch may use them until it may
 * not; it hears of both by the trace sources Circuit of TorSwitch and PathChanged of OcsFabric.
 * Electrical uplinks are not used.
 */
class FabricFlowLevel : public FlowLevel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricFlowLevel();

    /**
     * Follow a fabric, before the first message.
     * @param fabric with its servers; its packets are not affected
     * @throws OdcnError when there is a fabric already, or the flow level cannot forward so
     */
    void SetFabric(Ptr<OcsFabric> fabric);

    uint32_t GetNEndPoints() const override
    {
        return static_cast<uint32_t>(m_servers.size());
    }

  protected:
    void DoDispose() override;
    void FindPath(const Message& message, Path& path) override;
    std::string FindObstacle(const Message& message) const override;

  private:
    /// An end point.
    struct Server
    {
        RackId rack;        //!< its rack
        uint32_t send;      //!< link from it
        uint32_t receive;   //!< link to it
        double sendRate;    //!< bit/s
        double receiveRate; //!< bit/s
        Time delay;         //!< of its fibre
    };

    /// Trace sink of Circuit.
    using CircuitSink = Callback<void, uint32_t, RackId, Time>;

    /// A rack.
    struct Rack
    {
        Ptr<TorSwitch> tor;          //!< its ToR switch
        std::vector<RackId> reached; //!< by uplink: a rack, or NO_RACK
        std::vector<RackId> works;   //!< the same, NO_RACK if it does not work; see FindCircuits()
        double rate{0};              //!< of an uplink, bit/s
        Time delay{};                //!< of an uplink's fibre
        CircuitSink sink;            //!< NoteCircuit()
    };

    /// Calls CircuitChanged().
    /// @param level a flow level
    /// @param from a rack
    /// @param port an uplink
    /// @param to the rack that it reaches now
    /// @param until not used
    static void NoteCircuit(FabricFlowLevel* level,
                            RackId from,
                            uint32_t port,
                            RackId to,
                            Time until);
    /// @param from a rack
    /// @param port its uplink
    /// @param to the rack that it reaches now
    void CircuitChanged(RackId from, uint32_t port, RackId to);
    /// Trace sink of PathChanged.
    void PathChanged(RackId, uint32_t, bool, bool);
    /// Set the capacity of the circuits between two racks if messages are on them.
    /// @param from a rack
    /// @param to another rack
    /// @param isUsed whether there soon are
    void Update(RackId from, RackId to, bool isUsed = false);
    /// @param from a rack
    /// @param to another rack
    /// @return rate of the circuits that may be used from one to the other now, bit/s
    double FindCapacity(RackId from, RackId to) const;

    /// Find new paths for messages on circuits that are gone.
    void Renew();
    /// Call Renew() after the changes of this time.
    void RenewSoon();
    /// @return by rack, those to which circuits lead that are up
    RackLinks FindLinks() const;
    /// Find the circuits that are up. Failures of ports are not told, so that all are looked at.
    void FindCircuits();
    /// @param from a rack
    /// @param to another rack
    /// @param number that selects one of the paths
    /// @return racks of a shortest path over the circuits that are up, after the first; the last
    /// one alone if there is none, or messages take one circuit
    std::vector<RackId> FindRacks(RackId from, RackId to, uint64_t number);
    /// Add circuits to a path.
    /// @param from a rack
    /// @param to another rack
    /// @param path of a message
    void AddHop(RackId from, RackId to, Path& path);

    /// @param from a rack
    /// @param to another rack
    /// @return index of the link of their circuits
    uint32_t& GetLink(RackId from, RackId to)
    {
        return m_links[from * m_racks.size() + to];
    }

    std::string m_routing;         //!< Routing
    uint32_t m_maxHops{1};         //!< most circuits of a path
    Ptr<OcsFabric> m_fabric;       //!< null before SetFabric()
    std::vector<Server> m_servers; //!< by index
    std::vector<Rack> m_racks;     //!< by index
    std::vector<uint32_t> m_links; //!< [from][to]: circuits; NO_LINK before the first use
    RackLinks m_next;              //!< circuits that are up, as FindCircuits() found them
    std::map<RackId, std::vector<uint32_t>> m_hops; //!< over them, by receiver and sender
    /// From and to: where messages that may take several circuits have none; see Renew().
    std::set<std::pair<RackId, RackId>> m_lost;
    EventId m_renewal; //!< Renew()
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_FLOW_LEVEL_H */
