// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-packet-tree.h"

#include "odcn-fifo-queue.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Number of stages: up and down through all tiers.
constexpr std::size_t STAGES = 2 * RddcNetwork::TIERS;

/**
 * The SplitMix64 hash of Steele, Lea and Flood.
 * @param x any number
 * @return its hash
 */
uint64_t
Mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace

RddcPacketTree::RddcPacketTree(std::shared_ptr<const RddcNetwork> network,
                               const RddcTreeModel& model)
    : m_network(std::move(network)),
      m_model(model)
{
    // These constructors throw when a rate or a queue limit is out of range.
    FifoQueue(model.channelRate, model.cardQueue);
    FifoQueue(model.channelRate, model.switchQueue);
}

std::vector<RddcPacketTree::Hop>
RddcPacketTree::Route(const RddcLightpath& flow, uint64_t index, uint32_t card) const
{
    const bool ports = m_model.form == RddcTreeModel::PORTS;
    const RackId a = m_network->GetRack(flow.from);
    const RackId b = m_network->GetRack(flow.to);
    std::size_t path = flow.path;
    if (ports)
    {
        std::size_t shortest = 1;
        while (shortest < m_network->GetNPaths(a, b) &&
               m_network->GetPath(a, b, shortest).size() == m_network->GetPath(a, b, 0).size())
        {
            ++shortest;
        }
        path = Mix(index) % shortest;
    }
    const auto between = m_network->GetPath(a, b, path);
    std::vector<LinkId> links{flow.from};
    links.insert(links.end(), between.begin(), between.end());
    links.push_back(flow.to);
    if (!between.empty() &&
        m_network->GetEnds(between.front()).first != m_network->GetNServers() + a)
    {
        std::reverse(links.begin() + 1, links.end() - 1);
    }
    std::vector<Hop> hops;
    uint32_t node = flow.from;
    for (const LinkId link : links)
    {
        const auto& [low, high] = m_network->GetEnds(link);
        const bool up = low == node;
        node = up ? high : low;
        const auto tier = static_cast<uint32_t>(m_network->GetTier(link));
        const uint64_t choice = hops.empty() ? card : Mix(Mix(index) + 2 * link + up);
        const uint64_t channel = ports ? choice % m_network->GetChannels(link) : 0;
        hops.push_back({(channel << 33) + 2 * uint64_t{link} + up,
                        link,
                        up ? tier : static_cast<uint32_t>(STAGES) - 1 - tier});
    }
    return hops;
}

void
RddcPacketTree::Run(const std::vector<RddcLightpath>& flows,
                    const std::vector<RddcTreePacket>& packets,
                    std::vector<int64_t>& arrivals) const
{
    // A packet that reaches a stage: arrival time, packet index and hop index.
    struct Event
    {
        int64_t time;
        uint32_t packet;
        uint32_t hop;
    };

    std::vector<std::vector<Hop>> routes;
    routes.reserve(flows.size());
    std::unordered_map<ServerId, uint32_t> cards;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        routes.push_back(Route(flows[i], i, cards[flows[i].from]++));
    }
    arrivals.assign(packets.size(), LOST);
    std::array<std::vector<Event>, STAGES> stages;
    for (uint32_t i = 0; i < packets.size(); ++i)
    {
        stages[0].push_back({packets[i].time, i, 0});
    }
    for (std::size_t stage = 0; stage < STAGES; ++stage)
    {
        auto& events = stages[stage];
        std::sort(events.begin(),
                  events.end(),
                  [](const Event& x, const Event& y)
                  { return x.time != y.time ? x.time < y.time : x.packet < y.packet; });
        std::unordered_map<uint64_t, FifoQueue> queues;
        for (const Event& event : events)
        {
            const RddcTreePacket& packet = packets[event.packet];
            const auto& route = routes[packet.flow];
            const Hop& hop = route[event.hop];
            const uint32_t together =
                m_model.form == RddcTreeModel::TRUNKS ? m_network->GetChannels(hop.link) : 1;
            auto& queue = queues
                              .try_emplace(hop.port,
                                           m_model.channelRate * together,
                                           stage == 0 ? m_model.cardQueue : m_model.switchQueue)
                              .first->second;
            const int64_t left = queue.Offer(event.time, packet.bytes);
            if (left == FifoQueue::DROPPED)
            {
                continue;
            }
            const int64_t there = left + m_model.fibreDelay[m_network->GetTier(hop.link)];
            if (event.hop + 1 == route.size())
            {
                arrivals[event.packet] = there;
                continue;
            }
            stages[route[event.hop + 1].stage].push_back(
                {there + m_model.switchDelay, event.packet, event.hop + 1});
        }
        events = {};
    }
}

} // namespace ns3::odcn
