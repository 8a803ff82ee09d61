// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NETWORK_FLOW_LEVEL_H
#define ODCN_NETWORK_FLOW_LEVEL_H

#include "odcn-flow-level.h"

#include "ns3/node-container.h"
#include "ns3/ptr.h"

#include <map>
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
 * of the paths with the fewest hops, by its number.
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
     * @throws OdcnError when a device or a channel has no rate or delay
     */
    void SetHosts(const NodeContainer& hosts);

    uint32_t GetNEndPoints() const override
    {
        return m_hosts.GetN();
    }

  protected:
    void DoDispose() override;
    void FindPath(const Message& message, Path& path) override;

  private:
    /// A direction of a channel.
    struct Hop
    {
        uint32_t node;    //!< index of the node that it leads to
        uint32_t link;    //!< its link
        double rate;      //!< bit/s
        Time propagation; //!< of the channel
    };

    /// @param node a node
    /// @return its index
    uint32_t FindIndex(const Ptr<Node>& node);
    /// @param device of a node
    /// @param index of the node
    void AddHops(const Ptr<NetDevice>& device, uint32_t index);
    /// @param host index of an end point
    /// @return hops from each node to it
    const std::vector<uint32_t>& GetDistances(uint32_t host);

    NodeContainer m_hosts;                          //!< the end points, first of all nodes
    std::vector<Ptr<Node>> m_nodes;                 //!< by index
    std::map<Ptr<Node>, uint32_t> m_indices;        //!< of nodes
    std::vector<std::vector<Hop>> m_hops;           //!< by node
    std::vector<std::vector<uint32_t>> m_distances; //!< by host; empty if not known yet
    std::vector<const Hop*> m_choice;               //!< next hops of equal length
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_NETWORK_FLOW_LEVEL_H */
