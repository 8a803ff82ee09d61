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
    *m_observer = nullptr;
    m_hosts = {};
    m_nodes.clear();
    m_indices.clear();
    m_ports.clear();
    m_hops.clear();
    m_last.clear();
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
    const auto bits = static_cast<double>(rate.Get().GetBitRate());
    if (bits == 0)
    {
        throw OdcnError("NetworkFlowLevel: a " + device->GetInstanceTypeId().GetName() +
                        " of node " + std::to_string(device->GetNode()->GetId()) +
                        " with DataRate 0, expected a rate above 0");
    }
    const uint32_t port = AddLink(bits);
    m_ports.push_back({device, bits});
    device->AddLinkChangeCallback(MakeBoundCallback(&NetworkFlowLevel::NoteChange, m_observer));
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const Ptr<NetDevice> other = channel->GetDevice(i);
        if (other && other != device)
        {
            m_hops[index].push_back({FindIndex(other->GetNode()), port, other, delay.Get()});
        }
    }
}

void
NetworkFlowLevel::SetHosts(const NodeContainer& hosts)
{
    if (!m_nodes.empty())
    {
        throw OdcnError("NetworkFlowLevel: SetHosts() for the second time, expected one call");
    }
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
    for (auto& distances : m_distances)
    {
        distances.resize(m_nodes.size());
    }
    m_last.resize(hosts.GetN());
    for (std::size_t node = 0; node < m_hops.size(); ++node)
    {
        for (const Hop& hop : m_hops[node])
        {
            if (hop.node < m_last.size() && m_hops[hop.node].size() == 1)
            {
                m_last[hop.node] = &hop;
            }
        }
    }
    m_hosts = hosts;
    UpdateLinks();
}

void
NetworkFlowLevel::NoteChange(Observer observer)
{
    if (*observer)
    {
        (*observer)->UpdateLinks();
        (*observer)->Wake();
    }
}

void
NetworkFlowLevel::UpdateLinks()
{
    for (std::vector<uint32_t>& distances : m_distances[false])
    {
        distances.clear();
    }
    std::vector<bool> isUp(m_ports.size());
    for (std::vector<Hop>& hops : m_hops)
    {
        for (Hop& hop : hops)
        {
            hop.isUp = m_ports[hop.port].device->IsLinkUp() && hop.end->IsLinkUp();
            isUp[hop.port] = isUp[hop.port] || hop.isUp;
        }
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        SetCapacity(port, isUp[port] ? m_ports[port].rate : 0);
    }
}

const std::vector<uint32_t>&
NetworkFlowLevel::GetDistances(uint32_t end, bool all)
{
    std::vector<uint32_t>& distances = m_distances[all][end];
    if (distances.empty())
    {
        distances.assign(m_nodes.size(), UINT32_MAX);
        distances[end] = 0;
        std::vector<uint32_t> queue{end};
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            // Channels have both directions.
            for (const Hop& hop : m_hops[queue[i]])
            {
                if (distances[hop.node] == UINT32_MAX && (all || hop.isUp))
                {
                    distances[hop.node] = distances[queue[i]] + 1;
                    queue.push_back(hop.node);
                }
            }
        }
    }
    return distances;
}

bool
NetworkFlowLevel::HasPath(const Message& message, bool all)
{
    const Hop* last = m_last[message.to];
    return (all || !last || last->isUp) &&
           GetDistances(GetEnd(message.to), all)[message.from] != UINT32_MAX;
}

void
NetworkFlowLevel::FindPath(const Message& message, Path& path)
{
    const bool all = !HasPath(message, false);
    if (all && !HasPath(message, true))
    {
        throw OdcnError("NetworkFlowLevel: no way from host " + std::to_string(message.from) +
                        " to host " + std::to_string(message.to));
    }
    const auto take = [&](const Hop& hop)
    {
        path.links.push_back(hop.port);
        path.hops.push_back(m_ports[hop.port].rate);
        path.propagation += hop.propagation;
    };
    const uint32_t end = GetEnd(message.to);
    const std::vector<uint32_t>& distances = GetDistances(end, all);
    uint64_t hash = message.number;
    for (uint32_t at = message.from; at != end;)
    {
        m_choice.clear();
        for (const Hop& hop : m_hops[at])
        {
            if (distances[hop.node] + 1 == distances[at] && (all || hop.isUp))
            {
                m_choice.push_back(&hop);
            }
        }
        hash = (hash + at + 1) * 0x9E3779B97F4A7C15U;
        const Hop& hop = *m_choice[(hash >> 33) % m_choice.size()];
        take(hop);
        at = hop.node;
    }
    if (m_last[message.to])
    {
        take(*m_last[message.to]);
    }
}

std::string
NetworkFlowLevel::FindObstacle(const Message&) const
{
    for (const Port& port : m_ports)
    {
        if (!port.device->IsLinkUp())
        {
            return "a device of node " + std::to_string(port.device->GetNode()->GetId()) +
                   " is down";
        }
    }
    return "";
}

} // namespace ns3::odcn
