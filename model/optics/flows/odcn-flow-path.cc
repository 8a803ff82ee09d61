// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-path.h"

#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-fiber.h"
#include "ns3/odcn-interruption.h"
#include "ns3/otn-lightpath.h"
#include "ns3/tor-switch.h"

#include <algorithm>
#include <numeric>

namespace ns3::odcn
{

namespace
{

/// No path.
constexpr uint32_t UNREACHED = UINT32_MAX;

/// @param device of a fabric
/// @return delay of its fibre
Time
GetFiberDelay(const OcsNetDevice& device)
{
    return DynamicCast<OcsFiber>(device.GetChannel())->GetDelay();
}

} // namespace

Time
FlowPackets::GetTransmissionTime(DataRate rate) const
{
    const uint64_t payload = packetSize - headers;
    const auto last = static_cast<uint32_t>(data % payload);
    return rate.CalculateBytesTxTime(packetSize) * static_cast<int64_t>(data / payload) +
           (last > 0 ? rate.CalculateBytesTxTime(last + headers) : Time(0));
}

Time
FlowPath::GetUnloadedTime(const FlowPackets& packets, DataRate rate) const
{
    const uint64_t payload = packets.packetSize - packets.headers;
    const uint64_t before = (packets.data - 1) / payload; // full packets before the last
    const auto last = static_cast<uint32_t>(packets.data - before * payload + packets.headers);
    const DataRate& leaves = rate.GetBitRate() > 0 ? rate : hops.at(0);
    const auto full = static_cast<int64_t>(before);
    Time gap = leaves.CalculateBytesTxTime(packets.packetSize); // between full packets
    Time first;                                                 // when the first full one was sent
    Time end = gap * full;                                      // when the last one may be sent
    for (const DataRate& hop : hops)
    {
        const Time one = hop.CalculateBytesTxTime(packets.packetSize);
        gap = std::max(gap, one);
        first += one;
        const Time isFree = full > 0 ? first + gap * (full - 1) : Time(0);
        end = std::max(end, isFree) + hop.CalculateBytesTxTime(last);
    }
    return end + propagation;
}

FlowPaths::FlowPaths(const OcsFabric& fabric)
{
    for (RackId rack = 0; rack < fabric.GetSize().racks; ++rack)
    {
        const Ptr<TorSwitch> tor = fabric.GetTor(rack);
        const bool hasUplink = tor->GetNUplinks() > 0;
        const auto& rates = fabric.GetSize().uplinkRates; // a device has that of its circuit
        for (uint32_t i = 0; i < tor->GetNDownlinks(); ++i)
        {
            const Ptr<OcsNetDevice> card = fabric.GetServerDevice(rack, i);
            m_servers.push_back({rack,
                                 card->GetDataRate(),
                                 tor->GetDownlink(i)->GetDataRate(),
                                 GetFiberDelay(*card),
                                 !hasUplink      ? DataRate(0)
                                 : rates.empty() ? tor->GetUplink(0)->GetDataRate()
                                                 : rates[rack],
                                 hasUplink ? GetFiberDelay(*tor->GetUplink(0)) : Time(0)});
        }
    }
}

FlowPaths::FlowPaths(const NodeContainer& hosts)
{
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        FindIndex(hosts.Get(i));
    }
    for (uint32_t index = 0; index < m_nodes.size(); ++index)
    {
        const Ptr<Node> node = m_nodes[index];
        std::vector<Hop> hops;
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            AddHops(node->GetDevice(i), hops);
        }
        m_hops.push_back(std::move(hops));
    }
}

uint32_t
FlowPaths::FindIndex(const Ptr<Node>& node)
{
    const auto [found, isNew] = m_indices.try_emplace(PeekPointer(node), m_nodes.size());
    if (isNew)
    {
        m_nodes.push_back(node);
    }
    return found->second;
}

void
FlowPaths::AddHops(const Ptr<NetDevice>& device, std::vector<Hop>& hops)
{
    const Ptr<Channel> channel = device->GetChannel();
    DataRateValue rate;
    TimeValue delay;
    if (!channel || !device->GetAttributeFailSafe("DataRate", rate) ||
        rate.Get().GetBitRate() == 0 || !channel->GetAttributeFailSafe("Delay", delay))
    {
        return;
    }
    Time propagation = delay.Get();
    if (const auto lightpath = DynamicCast<OtnLightpath>(channel))
    {
        const uint32_t end = lightpath->GetDevice(0) == device ? 0 : 1;
        if (lightpath->GetFibers(end).empty())
        {
            return; // not set up
        }
        propagation = lightpath->GetLatency(end);
    }
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const Ptr<NetDevice> other = channel->GetDevice(i);
        if (other && other != device)
        {
            hops.push_back({FindIndex(other->GetNode()), rate.Get(), propagation});
        }
    }
}

void
FlowPaths::Aim(uint32_t host)
{
    m_target = host;
    m_distances.assign(m_hops.size(), UNREACHED);
    m_distances[host] = 0;
    std::vector<uint32_t> queue{host};
    for (std::size_t i = 0; i < queue.size(); ++i)
    {
        // Channels have both directions.
        for (const Hop& hop : m_hops[queue[i]])
        {
            if (m_distances[hop.node] == UNREACHED)
            {
                m_distances[hop.node] = m_distances[queue[i]] + 1;
                queue.push_back(hop.node);
            }
        }
    }
}

FlowPath
FlowPaths::Find(uint32_t from, uint32_t to)
{
    if (!m_servers.empty())
    {
        const Server& a = m_servers.at(from);
        const Server& b = m_servers.at(to);
        if (a.rack == b.rack)
        {
            return {{a.send, b.receive}, a.delay + b.delay};
        }
        const DataRate circuit = std::min(a.uplink, b.uplink);
        if (circuit.GetBitRate() == 0)
        {
            return {};
        }
        return {{a.send, circuit, b.receive}, a.delay + a.uplinkDelay + b.uplinkDelay + b.delay};
    }
    if (m_target != to)
    {
        Aim(to);
    }
    if (m_distances.at(from) == UNREACHED)
    {
        return {};
    }
    FlowPath path;
    for (uint32_t at = from; at != to;)
    {
        const auto hop =
            std::find_if(m_hops[at].begin(),
                         m_hops[at].end(),
                         [&](const Hop& h) { return m_distances[h.node] + 1 == m_distances[at]; });
        path.hops.push_back(hop->rate);
        path.propagation += hop->propagation;
        at = hop->node;
    }
    return path;
}

std::vector<Time>
FlowPaths::GetTimes(const Traffic& flows,
                    const std::function<Time(uint32_t, const FlowPath&)>& getTime)
{
    std::vector<uint32_t> order(flows.size()); // one receiver after another
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](uint32_t a, uint32_t b) { return flows[a].to < flows[b].to; });
    std::vector<Time> times(flows.size());
    for (const uint32_t i : order)
    {
        Interruption::Check();
        const FlowPath path = Find(flows[i].from, flows[i].to);
        times[i] = path.hops.empty() ? Time(0) : getTime(i, path);
    }
    return times;
}

std::vector<Time>
FlowPaths::GetUnloadedTimes(const Traffic& flows, uint32_t packetSize, uint32_t headers)
{
    return GetTimes(flows,
                    [&](uint32_t i, const FlowPath& path) {
                        return path.GetUnloadedTime({packetSize, headers, flows[i].bytes});
                    });
}

} // namespace ns3::odcn
