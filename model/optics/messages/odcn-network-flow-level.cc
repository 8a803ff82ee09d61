// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-network-flow-level.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(NetworkFlowLevel);

TypeId
NetworkFlowLevel::GetTypeId()
{
    static TypeId tid = TypeIdOf<NetworkFlowLevel, FlowLevel>("ns3::odcn::NetworkFlowLevel");
    return tid;
}

void
NetworkFlowLevel::DoDispose()
{
    m_hosts = {};
    m_nodes.clear();
    m_indices.clear();
    FlowLevel::DoDispose();
}

uint32_t
NetworkFlowLevel::FindIndex(const Ptr<Node>& node)
{
    const auto [found, isNew] = m_indices.try_emplace(node, m_nodes.size());
    if (isNew)
    {
        m_nodes.push_back(node);
    }
    return found->second;
}

void
NetworkFlowLevel::AddHops(const Ptr<NetDevice>& device, uint32_t index)
{
    const Ptr<Channel> channel = device->GetChannel();
    if (!channel)
    {
        return; // the loopback device, or a port without a fibre
    }
    DataRateValue rate;
    TimeValue delay;
    if (!device->GetAttributeFailSafe("DataRate", rate) ||
        !channel->GetAttributeFailSafe("Delay", delay))
    {
        throw OdcnError("NetworkFlowLevel: a " + device->GetInstanceTypeId().GetName() +
                        " of node " + std::to_string(device->GetNode()->GetId()) +
                        ", expected an Attribute DataRate, and a channel with Delay");
    }
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const Ptr<NetDevice> other = channel->GetDevice(i);
        if (other && other != device)
        {
            const auto bits = static_cast<double>(rate.Get().GetBitRate());
            m_hops[index].push_back(
                {FindIndex(other->GetNode()), AddLink(bits), bits, delay.Get()});
        }
    }
}

void
NetworkFlowLevel::SetHosts(const NodeContainer& hosts)
{
    m_hosts = hosts;
    m_distances.resize(hosts.GetN());
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        FindIndex(hosts.Get(i));
    }
    for (uint32_t index = 0; index < m_nodes.size(); ++index)
    {
        const Ptr<Node> node = m_nodes[index];
        m_hops.emplace_back();
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            AddHops(node->GetDevice(i), index);
        }
    }
}

const std::vector<uint32_t>&
NetworkFlowLevel::GetDistances(uint32_t host)
{
    std::vector<uint32_t>& distances = m_distances[host];
    if (distances.empty())
    {
        distances.assign(m_nodes.size(), UINT32_MAX);
        distances[host] = 0;
        std::vector<uint32_t> queue{host};
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            // Channels have both directions.
            for (const Hop& hop : m_hops[queue[i]])
            {
                if (distances[hop.node] == UINT32_MAX)
                {
                    distances[hop.node] = distances[queue[i]] + 1;
                    queue.push_back(hop.node);
                }
            }
        }
    }
    return distances;
}

void
NetworkFlowLevel::FindPath(const Message& message, Path& path)
{
    const std::vector<uint32_t>& distances = GetDistances(message.to);
    if (distances[message.from] == UINT32_MAX)
    {
        throw OdcnError("NetworkFlowLevel: no way from host " + std::to_string(message.from) +
                        " to host " + std::to_string(message.to));
    }
    uint64_t hash = message.number;
    for (uint32_t at = message.from; at != message.to;)
    {
        m_choice.clear();
        for (const Hop& hop : m_hops[at])
        {
            if (distances[hop.node] + 1 == distances[at])
            {
                m_choice.push_back(&hop);
            }
        }
        hash = (hash + at + 1) * 0x9E3779B97F4A7C15U;
        const Hop& hop = *m_choice[(hash >> 33) % m_choice.size()];
        path.links.push_back(hop.link);
        path.hops.push_back(hop.rate);
        path.propagation += hop.propagation;
        at = hop.node;
    }
}

} // namespace ns3::odcn
