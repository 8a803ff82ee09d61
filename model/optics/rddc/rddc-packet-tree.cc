// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-packet-tree.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-packet-port.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Number of stages: up and down through all tiers.
constexpr std::size_t STAGES = 2 * RddcNetwork::TIERS;

/// @param stage a stage  @return tier of its links
std::size_t
GetTier(std::size_t stage)
{
    return std::min(stage, STAGES - 1 - stage);
}

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

/// One hop of a flow's path; a port is a directed link and a channel of it.
struct Hop
{
    uint64_t port{0};  //!< number of the port
    LinkId link{0};    //!< its link
    uint32_t stage{0}; //!< stage, 0 (server up) to 5 (server down)
};

/// @param network links and paths
/// @param ports whether each channel is a port
/// @param flow endpoints and path
/// @param index index of the flow
/// @param card its index among the flows of its sender
/// @return its path
std::vector<Hop>
Route(const RddcNetwork& network,
      bool ports,
      const RddcLightpath& flow,
      uint64_t index,
      uint32_t card)
{
    const RackId a = network.GetRack(flow.from);
    const RackId b = network.GetRack(flow.to);
    std::size_t path = flow.path;
    if (ports)
    {
        std::size_t shortest = 1;
        while (shortest < network.GetNPaths(a, b) &&
               network.GetPath(a, b, shortest).size() == network.GetPath(a, b, 0).size())
        {
            ++shortest;
        }
        path = Mix(index) % shortest;
    }
    std::vector<Hop> hops;
    uint32_t node = flow.from;
    for (const LinkId link : network.GetLinks(flow.from, flow.to, path))
    {
        const auto& [low, high] = network.GetEnds(link);
        const bool up = low == node;
        node = up ? high : low;
        const auto tier = static_cast<uint32_t>(network.GetTier(link));
        const uint64_t choice = hops.empty() ? card : Mix(Mix(index) + 2 * link + up);
        const uint64_t channel = ports ? choice % network.GetChannels(link) : 0;
        hops.push_back({(channel << 33) + 2 * uint64_t{link} + up,
                        link,
                        up ? tier : static_cast<uint32_t>(STAGES) - 1 - tier});
    }
    return hops;
}

} // namespace

std::vector<PacketFate>
RunPacketTree(const RddcNetwork& network,
              const RddcTreeModel& model,
              const std::vector<RddcLightpath>& flows,
              const std::vector<RddcTreePacket>& packets)
{
    if (model.channelRate <= 0 || model.cardQueue == 0 || model.switchQueue == 0)
    {
        throw OdcnError::InOption("packet tree",
                                  std::to_string(model.channelRate) + " bit/s, queues of " +
                                      std::to_string(model.cardQueue) + " and " +
                                      std::to_string(model.switchQueue) + " packets",
                                  "numbers above 0");
    }

    // A packet that reaches a port: arrival time, packet index and hop index.
    struct Event
    {
        int64_t time;
        uint32_t packet;
        uint32_t hop;

        /// @param o another event  @return whether this one is later
        bool operator>(const Event& o) const
        {
            return time != o.time ? time > o.time : packet > o.packet;
        }
    };

    const bool trunks = model.form == RddcTreeModel::TRUNKS;
    std::vector<std::vector<Hop>> routes;
    routes.reserve(flows.size());
    std::unordered_map<ServerId, uint32_t> cards;
    bool inStages = true;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        routes.push_back(Route(network, !trunks, flows[i], i, cards[flows[i].from]++));
        inStages = inStages &&
                   std::is_sorted(routes[i].begin(),
                                  routes[i].end(),
                                  [](const Hop& a, const Hop& b) { return a.stage < b.stage; });
    }
    std::vector<PacketFate> fates;
    fates.reserve(packets.size());
    std::vector<Event> sent;
    for (uint32_t i = 0; i < packets.size(); ++i)
    {
        const RddcTreePacket& packet = packets[i];
        fates.push_back({packet.flow, i, packet.time, 0, true, {}});
        sent.push_back({packet.time, i, 0});
    }
    // All links of a stage are of one tier.
    std::array<PortKind, STAGES> kinds;
    for (std::size_t stage = 0; stage < STAGES; ++stage)
    {
        const std::size_t tier = GetTier(stage);
        kinds[stage].rate = model.channelRate * (trunks ? network.GetSizes().channels[tier] : 1);
        kinds[stage].limit = stage == 0 ? model.cardQueue : model.switchQueue;
    }
    std::array<std::unordered_map<uint64_t, PacketPort>, STAGES> ports;
    int64_t tie = 0;
    // Events of each port must come in order of time, then packet; `next` takes those that follow.
    const auto handle = [&](const Event& event, const auto& next)
    {
        PacketFate& fate = fates[event.packet];
        const auto& route = routes[fate.flow];
        const Hop& hop = route[event.hop];
        const uint32_t bytes = packets[event.packet].bytes;
        const Passage packet{event.time, fate.sent, fate.flow, event.packet, bytes, 0};
        PortKind& kind = kinds[hop.stage];
        kind.Need(bytes);
        PacketPort& port = ports[hop.stage][hop.port];
        const Passage* leaving = port.Accept(packet, kind, tie);
        fate.ended = event.time;
        fate.received = leaving != nullptr;
        if (!leaving)
        {
            fate.cause = OcsDropCause::QUEUE_OVERFLOW;
            return;
        }
        port.Release();
        fate.ended = leaving->time + model.fibreDelay[GetTier(hop.stage)];
        if (event.hop + 1 < route.size())
        {
            next(Event{fate.ended + model.switchDelay, event.packet, event.hop + 1});
        }
    };
    if (!inStages)
    {
        // A path goes up again after it went down.
        std::priority_queue<Event, std::vector<Event>, std::greater<>> events({}, std::move(sent));
        while (!events.empty())
        {
            const Event event = events.top();
            events.pop();
            handle(event, [&events](const Event& next) { events.push(next); });
        }
        return fates;
    }
    // Without a heap, which takes longer.
    std::array<std::vector<Event>, STAGES> stages;
    stages[0] = std::move(sent);
    for (std::size_t stage = 0; stage < STAGES; ++stage)
    {
        std::sort(stages[stage].begin(),
                  stages[stage].end(),
                  [](const Event& x, const Event& y) { return y > x; });
        for (const Event& event : stages[stage])
        {
            handle(event,
                   [&](const Event& next)
                   { stages[routes[packets[next.packet].flow][next.hop].stage].push_back(next); });
        }
        stages[stage] = {};
        ports[stage] = {};
    }
    return fates;
}

} // namespace ns3::odcn
