// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-fabric.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcFabric);

TypeId
RddcFabric::GetTypeId()
{
    using T = RddcFabric;
    static TypeId tid =
        TypeIdOf<RddcFabric, Object>("ns3::odcn::RddcFabric")
            .Add(Attribute("Tier1Length", &T::m_tier1Length, 3, 0, 1e6),
                 "Length of a fibre between a server and its rack's switch, in m")
            .Add(Attribute("Tier2Length", &T::m_tier2Length, 20, 0, 1e6),
                 "Length of a fibre between a rack's switch and an aggregation switch, in "
                 "m")
            .Add(Attribute("Tier3Length", &T::m_tier3Length, 100, 0, 1e6),
                 "Length of a fibre between an aggregation and a core switch, in m")
            .Add(Attribute("DelayPerMetre", &T::m_delayPerMetre, NanoSeconds(5), Time(0)),
                 "Propagation delay of a metre of fibre")
            .Add(Trace("Connected", &T::m_connectedTrace, "CircuitsTracedCallback"),
                 "A group of circuits was set up; they are dark during the "
                 "reconfiguration of the switches")
            .Add(Trace("Disconnected", &T::m_disconnectedTrace, "CircuitsTracedCallback"),
                 "A group of circuits is about to be removed");
    return tid;
}

RddcFabric::RddcFabric() = default;

RddcFabric::~RddcFabric() = default;

void
RddcFabric::Start(std::shared_ptr<const RddcNetwork> network)
{
    m_network = std::move(network);
    const RddcSizes& sizes = m_network->GetSizes();
    m_plan = OcsAddressPlan::For(m_network->GetNRacks(), sizes.serversPerRack * sizes.channels[0]);
    m_firstPort.resize(m_network->GetNLinks());
    m_taken.resize(m_network->GetNLinks());
    std::vector<uint32_t> ports(m_network->GetNNodes(), 0);
    for (LinkId link = 0; link < m_network->GetNLinks(); ++link)
    {
        const uint32_t channels = m_network->GetChannels(link);
        const auto& [low, high] = m_network->GetEnds(link);
        m_firstPort[link] = {ports[low], ports[high]};
        ports[low] += channels;
        ports[high] += channels;
        m_taken[link].assign(channels, 0);
    }
}

void
RddcFabric::AddServer(Ptr<Node> node, const std::vector<Ptr<OcsNetDevice>>& cards)
{
    m_servers.Add(node);
    m_cards.insert(m_cards.end(), cards.begin(), cards.end());
}

void
RddcFabric::AddSwitch(Ptr<Node> node, Ptr<OcsSwitch> ocs)
{
    const uint32_t number = m_network->GetNServers() + static_cast<uint32_t>(m_switches.size());
    uint32_t ports = 0;
    for (LinkId link = 0; link < m_network->GetNLinks(); ++link)
    {
        const auto& [low, high] = m_network->GetEnds(link);
        ports += low == number || high == number ? m_network->GetChannels(link) : 0;
    }
    ocs->SetNPorts(ports);
    m_switchNodes.Add(node);
    m_switches.push_back(ocs);
}

void
RddcFabric::AddFiber(Ptr<OcsFiber> fiber, LinkId link, uint32_t channel)
{
    const auto& [low, high] = m_network->GetEnds(link);
    fiber->SetAttribute("Delay", TimeValue(GetDelay(m_network->GetTier(link))));
    const uint32_t upper = m_firstPort[link][1] + channel;
    if (low < m_network->GetNServers())
    {
        fiber->Connect(GetCard(low, channel), GetSwitch(high), upper);
    }
    else
    {
        fiber->Connect(GetSwitch(low), m_firstPort[link][0] + channel, GetSwitch(high), upper);
    }
    m_fibers.push_back(fiber);
}

Ptr<OcsNetDevice>
RddcFabric::GetCard(ServerId server, uint32_t card) const
{
    return m_cards.at(std::size_t{server} * m_network->GetSizes().channels[0] + card);
}

Ipv4Address
RddcFabric::GetAddress(ServerId server, uint32_t card) const
{
    const RddcSizes& sizes = m_network->GetSizes();
    return m_plan.GetAddress(m_network->GetRack(server),
                             server % sizes.serversPerRack * sizes.channels[0] + card);
}

Ptr<OcsSwitch>
RddcFabric::GetSwitch(uint32_t node) const
{
    return m_switches.at(node - m_network->GetNServers());
}

uint32_t
RddcFabric::GetFirstPort(LinkId link, uint32_t node) const
{
    return m_firstPort[link][m_network->GetEnds(link).second == node];
}

Time
RddcFabric::GetDelay(std::size_t tier) const
{
    const std::array<double, RddcNetwork::TIERS> lengths{m_tier1Length,
                                                         m_tier2Length,
                                                         m_tier3Length};
    return TimeStep(static_cast<uint64_t>(
        std::llround(lengths[tier] * static_cast<double>(m_delayPerMetre.GetTimeStep()))));
}

Time
RddcFabric::GetDelay(const RddcCircuit& circuit) const
{
    Time delay;
    for (LinkId link : circuit.links)
    {
        delay += GetDelay(m_network->GetTier(link));
    }
    return delay;
}

uint32_t
RddcFabric::GetFree(LinkId link) const
{
    return static_cast<uint32_t>(std::count(m_taken[link].begin(), m_taken[link].end(), 0));
}

void
RddcFabric::AddChanges(const RddcCircuit& circuit, bool set, Changes& changes) const
{
    uint32_t node = circuit.lightpath.from;
    for (std::size_t i = 0; i + 1 < circuit.links.size(); ++i)
    {
        const auto& [low, high] = m_network->GetEnds(circuit.links[i]);
        node = low == node ? high : low;
        const uint32_t in = GetFirstPort(circuit.links[i], node) + circuit.channels[i];
        const uint32_t out = GetFirstPort(circuit.links[i + 1], node) + circuit.channels[i + 1];
        changes[node].push_back({in, set ? out : OCS_NO_PORT});
        changes[node].push_back({out, set ? in : OCS_NO_PORT});
    }
}

void // NOLINTNEXTLINE(readability-make-member-function-const): the switches change
RddcFabric::Reconfigure(const Changes& changes)
{
    for (const auto& [node, batch] : changes)
    {
        GetSwitch(node)->Reconfigure(batch);
    }
}

void
RddcFabric::GiveBack(const RddcCircuit& circuit)
{
    for (std::size_t i = 0; i < circuit.channels.size(); ++i)
    {
        m_taken[circuit.links[i]][circuit.channels[i]] = 0;
    }
}

RddcFabric::GroupId
RddcFabric::Connect(std::span<const RddcLightpath> lightpaths)
{
    std::vector<RddcCircuit> circuits;
    Changes changes;
    for (const auto& lightpath : lightpaths)
    {
        RddcCircuit circuit{lightpath,
                            m_network->GetLinks(lightpath.from, lightpath.to, lightpath.path),
                            {}};
        for (LinkId link : circuit.links)
        {
            const auto free = std::find(m_taken[link].begin(), m_taken[link].end(), 0);
            if (free == m_taken[link].end())
            {
                GiveBack(circuit);
                for (const auto& taken : circuits)
                {
                    GiveBack(taken);
                }
                throw OdcnError::InOption("lightpath",
                                          std::to_string(lightpath.from) + " to " +
                                              std::to_string(lightpath.to),
                                          "a free channel on link " + std::to_string(link));
            }
            *free = 1;
            circuit.channels.push_back(static_cast<uint32_t>(free - m_taken[link].begin()));
        }
        AddChanges(circuit, true, changes);
        circuits.push_back(std::move(circuit));
    }
    Reconfigure(changes);
    const GroupId group = m_nextGroup++;
    m_groups.emplace(group, circuits);
    m_connectedTrace(circuits); // a sink may remove the group
    return group;
}

void
RddcFabric::Disconnect(GroupId group)
{
    const std::vector<RddcCircuit> circuits = GetCircuits(group);
    m_disconnectedTrace(circuits);
    if (m_groups.erase(group) == 0)
    {
        return; // removed by a sink
    }
    Changes changes;
    for (const auto& circuit : circuits)
    {
        AddChanges(circuit, false, changes);
        GiveBack(circuit);
    }
    Reconfigure(changes);
}

const std::vector<RddcCircuit>&
RddcFabric::GetCircuits(GroupId group) const
{
    const auto found = m_groups.find(group);
    if (found == m_groups.end())
    {
        throw OdcnError::InOption("group of circuits",
                                  std::to_string(group),
                                  "the number of one that is connected");
    }
    return found->second;
}

void
RddcFabric::FailPorts(LinkId link, uint32_t node, OcsDropCause cause)
{
    for (uint32_t channel = 0; channel < m_network->GetChannels(link); ++channel)
    {
        GetSwitch(node)->FailPort(GetFirstPort(link, node) + channel, OcsPortSide::BOTH, cause);
    }
}

void
RddcFabric::SetFailed(const std::set<std::tuple<FaultPart, uint32_t, uint32_t>>& parts)
{
    for (const auto& card : m_cards)
    {
        card->Repair();
    }
    for (const auto& ocs : m_switches)
    {
        for (uint32_t port = 0; port < ocs->GetNPorts(); ++port)
        {
            ocs->RepairPort(port);
        }
    }
    const RddcSizes& sizes = m_network->GetSizes();
    for (const auto& [part, first, second] : parts)
    {
        if (part == FaultPart::SERVER)
        {
            for (uint32_t card = 0; card < sizes.channels[0]; ++card)
            {
                GetCard(first * sizes.serversPerRack + second, card)->Fail();
            }
            continue;
        }
        const uint32_t node = m_network->GetNServers() + first;
        for (LinkId link = 0; link < m_network->GetNLinks(); ++link)
        {
            const auto& [low, high] = m_network->GetEnds(link);
            if (part == FaultPart::LINK && link == first)
            {
                FailPorts(link, high, OcsDropCause::FIBER_CUT);
            }
            else if (part == FaultPart::NODE && (low == node || high == node))
            {
                FailPorts(link, node, OcsDropCause::PORT_FAILED);
            }
        }
    }
}

PacketCounts
RddcFabric::Count() const
{
    PacketCounts counts;
    for (const auto& card : m_cards)
    {
        counts.sent += card->GetOffered();
        counts.received += card->GetReceived();
        counts.dropped += card->GetTxDropped();
        counts.dropped += card->GetRxDropped();
    }
    for (const auto& ocs : m_switches)
    {
        counts.dropped += ocs->GetDropped();
    }
    counts.inFlight = counts.sent - counts.received - counts.dropped.Total();
    return counts;
}

} // namespace ns3::odcn
