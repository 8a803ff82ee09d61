// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_PATH_H
#define ODCN_FLOW_PATH_H

#include "odcn-flow-workload.h"

#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class NetDevice;
class Node;

namespace odcn
{

class OcsFabric;

/// The packets of a flow.
struct FlowPackets
{
    uint32_t packetSize; //!< full packet, bytes
    uint32_t headers;    //!< bytes of them in each packet
    uint64_t data;       //!< bytes without headers, 1 or more

    /// @param rate of the line
    /// @return time to transmit all of them
    Time GetTransmissionTime(DataRate rate) const;
};

/// What packets pass between two hosts of an unloaded network.
struct FlowPath
{
    std::vector<DataRate>
        hops;         //!< rate of each transmission, that of the sender first; one or more
    Time propagation; //!< of all hops

    /**
     * The time of a flow that is alone in the network: each switch sends a packet on as soon as it
     * has been received and the one before it has been sent.
     * @param packets of the flow
     * @param rate at which they leave; 0 for that of the first hop
     * @return time from its start until its last bit has been received
     */
    Time GetUnloadedTime(const FlowPackets& packets, DataRate rate = DataRate(0)) const;
};

/**
 * @ingroup odcn
 *
 * Finds the path of a flow that is alone in the network.
 *
 * - OcsFabric: the links of both servers and, between racks, one circuit that leads from rack to
 *   rack at any time, without dark times and without waiting for a slot. This is the same for all
 *   designs, also for those whose packets take several circuits or electrical uplinks.
 * - Any other network: the fewest hops over channels with an Attribute Delay and devices with an
 *   Attribute DataRate, whether they work or not.
 */
class FlowPaths
{
  public:
    /// A way from a node to a neighbour.
    struct Hop
    {
        uint32_t node;    //!< index of the neighbour
        DataRate rate;    //!< of the device
        Time propagation; //!< of the channel
    };

    /// @param fabric after OcsHelper::InstallServers(); hosts are its servers, rack by rack
    explicit FlowPaths(const OcsFabric& fabric);

    /// @param hosts of any network
    explicit FlowPaths(const NodeContainer& hosts);

    /// @param hops of any network by node, hosts first
    explicit FlowPaths(std::vector<std::vector<Hop>> hops)
        : m_hops(std::move(hops))
    {
    }

    /**
     * Paths to one host after another are found fastest.
     * @param from index of the sender
     * @param to index of the receiver, another host
     * @return the path; without hops if there is none
     */
    FlowPath Find(uint32_t from, uint32_t to);

    /**
     * @param flows flows
     * @param packetSize full packet, bytes
     * @param headers bytes of them in each packet
     * @return FlowPath::GetUnloadedTime() of each; 0 without a path
     */
    std::vector<Time> GetUnloadedTimes(const Traffic& flows, uint32_t packetSize, uint32_t headers);

    /**
     * @param flows flows
     * @param getTime returns the time of a flow, told its index and its path
     * @return the time of each; 0 without a path
     */
    std::vector<Time> GetTimes(
        const Traffic& flows,
        const std::function<Time(uint32_t flow, const FlowPath& path)>& getTime);

  private:
    /// A server of a fabric.
    struct Server
    {
        RackId rack;      //!< its rack
        DataRate send;    //!< of its network card
        DataRate receive; //!< of the ToR switch's port
        Time delay;       //!< of its fibre
        DataRate uplink;  //!< of its rack; 0 without uplinks
        Time uplinkDelay; //!< of a fibre between ToR and optical switch
    };

    /// @param node a node
    /// @return its index, a new one at first
    uint32_t FindIndex(const Ptr<Node>& node);

    /// @param device of a node
    /// @param [out] hops of the node, which get those over the device
    void AddHops(const Ptr<NetDevice>& device, std::vector<Hop>& hops);

    /// Find the distances of all nodes from m_target. @param host the new m_target
    void Aim(uint32_t host);

    std::vector<Server> m_servers;                 //!< of a fabric
    std::vector<Ptr<Node>> m_nodes;                //!< of another network, hosts first
    std::unordered_map<Node*, uint32_t> m_indices; //!< of m_nodes
    std::vector<std::vector<Hop>> m_hops;          //!< by node
    uint32_t m_target{UINT32_MAX};                 //!< see m_distances
    std::vector<uint32_t> m_distances;             //!< hops to m_target, by node
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FLOW_PATH_H */
