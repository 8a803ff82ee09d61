// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NETWORK_FLOW_LEVEL_H
#define ODCN_NETWORK_FLOW_LEVEL_H

#include "odcn-flow-level.h"

#include "ns3/node-container.h"
#include "ns3/ptr.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class NetDevice;
class Node;

namespace odcn
{

/**
 * @ingroup odcn
 *
 * The flow level of any wired network of ns-3: hosts and switches whose devices have an Attribute
 * DataRate and whose channels an Attribute Delay, such as a PacketNetwork. Each message takes one
 * of the paths with the fewest hops, by its number. A device sends to all others of its channel at
 * its rate.
 *
 * Links between devices that are up (NetDevice::IsLinkUp()) carry messages. While one of them is
 * down, messages on it wait, and new ones take paths without it; if there is none, they wait on one
 * of the paths that there would be with all links.
 */
class NetworkFlowLevel : public FlowLevel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Set the end points, before the first message. All nodes that channels lead to are found from
     * there.
     * @param hosts the end points
     * @throws OdcnError when a device or a channel has no rate above 0 or no delay, or there are
     * hosts already
     */
    void SetHosts(const NodeContainer& hosts);

    uint32_t GetNEndPoints() const override
    {
        return m_hosts.GetN();
    }

  protected:
    void DoDispose() override;
    void FindPath(const Message& message, Path& path) override;
    std::string FindObstacle(const Message& message) const override;

  private:
    /// A device.
    struct Port
    {
        Ptr<NetDevice> device; //!< the device
        double rate;           //!< bit/s
    };

    /// A way from a node to another.
    struct Hop
    {
        uint32_t node;      //!< index of the node that it leads to
        uint32_t port;      //!< index of the port and of its link
        Ptr<NetDevice> end; //!< device that receives
        Time propagation;   //!< of the channel
        bool isUp{false};   //!< whether both of its devices are up
    };

    /// What devices, which may outlive this, call when they go up or down.
    using Observer = std::shared_ptr<NetworkFlowLevel*>;

    /// @param node a node
    /// @return its index
    uint32_t FindIndex(const Ptr<Node>& node);
    /// @param device of a node
    /// @param index of the node
    void AddHops(const Ptr<NetDevice>& device, uint32_t index);
    /// A device has gone up or down. @param observer of it
    static void NoteChange(Observer observer);
    /// Find the hops whose devices are up, and set the capacities of all links.
    void UpdateLinks();
    /// @param end index of a node
    /// @param all whether with devices that are down
    /// @return hops from each node to it
    const std::vector<uint32_t>& GetDistances(uint32_t end, bool all);
    /// @param message a message
    /// @param all whether with devices that are down
    /// @return whether there is a path for it
    bool HasPath(const Message& message, bool all);

    /// @param host index of an end point
    /// @return the node that its only hop leads to; itself if it has more hops
    uint32_t GetEnd(uint32_t host) const
    {
        return m_last[host] ? m_hops[host].front().node : host;
    }

    NodeContainer m_hosts;                   //!< the end points, first of all nodes
    std::vector<Ptr<Node>> m_nodes;          //!< by index
    std::map<Ptr<Node>, uint32_t> m_indices; //!< of nodes
    std::vector<Port> m_ports;               //!< by index of their links
    std::vector<std::vector<Hop>> m_hops;    //!< by node
    std::vector<const Hop*> m_last;          //!< by host: the hop to it, if there is one; or null
    /// By whether devices that are down count, and by node: hops to it; empty if not known yet. All
    /// hosts with one link to a switch share those to the switch.
    std::array<std::vector<std::vector<uint32_t>>, 2> m_distances;
    std::vector<const Hop*> m_choice;                               //!< next hops of equal length
    Observer m_observer{std::make_shared<NetworkFlowLevel*>(this)}; //!< null after Dispose()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_NETWORK_FLOW_LEVEL_H */
