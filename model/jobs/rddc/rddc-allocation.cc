// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-allocation.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcAllocation);

namespace
{

/// Node features in the state of the paper: CPU, memory, chosen.
constexpr uint32_t PAPER_FEATURES = 3;
static_assert(RddcPlacementFeatures::CHOSEN == 2, "where either state says what is chosen");

/**
 * @param network servers, switches and links
 * @param nodeFeatures number of features of a node
 * @return its graph; every server is a candidate
 */
std::shared_ptr<const GraphObservation>
MakeServerGraph(const RddcNetwork& network, uint32_t nodeFeatures)
{
    auto graph = std::make_shared<GraphObservation>();
    graph->nodes = network.GetNNodes();
    graph->nodeFeatures = nodeFeatures;
    graph->links = network.GetNLinks();
    graph->linkFeatures = 1;
    graph->globals = 3;
    graph->chosenFeature = 2;
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> neighbours(graph->nodes);
    for (LinkId link = 0; link < graph->links; ++link)
    {
        const auto& [u, v] = network.GetEnds(link);
        neighbours[u].emplace_back(v, link);
        neighbours[v].emplace_back(u, link);
    }
    graph->offsets.push_back(0);
    for (auto& list : neighbours)
    {
        std::sort(list.begin(), list.end());
        for (const auto& [node, link] : list)
        {
            graph->neighbours.push_back(node);
            graph->linkOf.push_back(link);
        }
        graph->offsets.push_back(static_cast<uint32_t>(graph->neighbours.size()));
    }
    for (ServerId server = 0; server < network.GetNServers(); ++server)
    {
        graph->candidates.push_back(server);
    }
    return graph;
}

/**
 * @param capacity units of a server
 * @param needed units still needed
 * @param [out] features the feature of a server for each number of free units
 */
void
TabulateFeature(uint32_t capacity, uint32_t needed, std::vector<float>& features)
{
    features.resize(capacity + 1);
    for (uint32_t free = 0; free <= capacity; ++free)
    {
        const double x = needed ? static_cast<double>(free) / needed : 0;
        features[free] = needed ? static_cast<float>(1 / (1 + std::exp(1 - x))) : 1.0F;
    }
}

} // namespace

TypeId
RddcAllocation::GetTypeId()
{
    using T = RddcAllocation;
    static TypeId tid =
        TypeIdOf<RddcAllocation, DecisionProblem>("ns3::odcn::RddcAllocation")
            .Add(Attribute("Mask",
                           &T::m_mask,
                           MaskKind::USEFUL,
                           {{MaskKind::USEFUL, "Useful"}, {MaskKind::CONNECTED, "Connected"}}),
                 "Which servers may be chosen: those not chosen yet that have something "
                 "that is needed, or only those of them with paths to all chosen ones.")
            .Add(Attribute("State",
                           &T::m_state,
                           State::PAPER,
                           {{State::PAPER, "Paper"}, {State::PLACEMENT, "Placement"}}),
                 "The features that describe a server.")
            .Add(Attribute("MaxRequests", &T::m_maxRequests, 0),
                 "Requests of an episode; 0 for all that the source has.")
            .Add(Attribute("SkipRequests", &T::m_skipRequests, 0),
                 "Requests of the source that the first episode leaves out.")
            .Add(Attribute("HoldingScale", &T::m_holdingScale, 30, 1e-9),
                 "Divisor of the observed holding time; the longest holding time.")
            .Add(Attribute("RewardGranted", &T::m_rewardGranted, 10),
                 "alpha, for the action that completes a request.")
            .Add(Attribute("RewardRefused", &T::m_rewardRefused, -10),
                 "beta, for the action by which a request is refused.")
            .Add(Attribute("LastRequests", &T::m_lastRequests, 25, 1),
                 "Requests at the end of an episode over which the figures of merit are "
                 "averaged, as in the figures of the NARA paper.");
    return tid;
}

RddcAllocation::RddcAllocation()
{
    AwaitReset();
}

void
RddcAllocation::SetManager(Ptr<RddcManager> manager)
{
    m_manager = manager;
}

void
RddcAllocation::SetRequestSource(Ptr<RddcRequestSource> source)
{
    m_source = source;
}

uint32_t
RddcAllocation::GetNActions() const
{
    Require(static_cast<bool>(m_manager), "SetManager() first");
    return m_manager->GetServers().GetNServers();
}

std::vector<uint32_t>
RddcAllocation::GetObservationShape() const
{
    return {MakeGraph().GetSize()};
}

const GraphObservation*
RddcAllocation::GetGraph() const
{
    return &MakeGraph();
}

std::vector<std::string>
RddcAllocation::GetFormAttributes() const
{
    return {"State"};
}

std::vector<std::string>
RddcAllocation::GetFeatureNames() const
{
    return m_state == State::PAPER ? std::vector<std::string>{"cpu", "memory", "chosen"}
                                   : RddcPlacementFeatures::GetNames();
}

DecisionProblem::Bounds
RddcAllocation::GetObservationBounds() const
{
    Bounds bounds(GetObservationSize(), {0.0F, 1.0F});
    bounds.back() = NON_NEGATIVE; // the holding time, see HoldingScale
    return bounds;
}

const GraphObservation&
RddcAllocation::MakeGraph() const
{
    RequireBegun();
    if (m_graphOf != m_network || m_graph->nodeFeatures != GetNodeFeatures())
    {
        m_graph = MakeServerGraph(*m_network, GetNodeFeatures());
        m_graphOf = m_network;
    }
    return *m_graph;
}

void
RddcAllocation::Reset()
{
    Require(m_manager && m_source, "SetManager() and SetRequestSource() first");
    m_manager->Reset();
    m_network = m_manager->GetChannels().GetNetwork();
    m_done = false;
    m_nRequests = 0;
    m_nCounted = 0;
    m_rewards.clear();
    m_recent.clear();
    m_later.reset();
    m_isSampled = false;
    const bool paced = std::exchange(m_isPaced, false); // the first request begins at once
    BeginEpisode();
    for (RddcRequest skipped; m_skipRequests > 0; --m_skipRequests)
    {
        m_source->Next(skipped);
    }
    NextRequest();
    m_isPaced = paced;
}

int64_t
RddcAllocation::AssignStreams(int64_t stream)
{
    Require(static_cast<bool>(m_source), "SetRequestSource() first");
    return m_source->AssignStreams(stream);
}

void
RddcAllocation::NextRequest()
{
    do
    {
        m_done = (m_maxRequests && m_nRequests == m_maxRequests) || !FetchRequest();
        m_isExpected = !m_done && m_isPaced;
        if (m_done || m_isExpected)
        {
            return;
        }
    } while (!BeginRequest());
}

bool
RddcAllocation::FetchRequest()
{
    if (m_manager->TakeInterrupted(m_request))
    {
        return true;
    }
    if (m_later)
    {
        m_request = m_later->first;
        m_request.gap = m_later->second - (m_manager->GetArrival(m_request) - m_request.gap);
        m_later.reset();
        return true;
    }
    return m_source->Next(m_request);
}

bool
RddcAllocation::BeginRequest()
{
    m_isExpected = false;
    m_manager->Begin(m_request);
    if (m_manager->IsServing())
    {
        return true;
    }
    ++m_nRequests;
    ++m_nCounted;
    ++m_score.count;
    ++m_score.total;
    return false;
}

void
RddcAllocation::SetPaced(bool paced)
{
    m_isPaced = paced;
    while (!paced && m_isExpected)
    {
        Arrive(std::max(GetArrival(), m_manager->GetTime()));
    }
}

bool
RddcAllocation::Arrive(double time)
{
    Require(m_isExpected,
            "no request is expected: SetPaced(), and Act() to the end of the request before");
    const double arrival = GetArrival();
    Require(time >= arrival && time >= m_manager->GetTime(), "time moves only forward");
    if (time > arrival)
    {
        m_manager->PassTo(time);
    }
    if (!BeginRequest())
    {
        NextRequest();
        return false;
    }
    if (std::exchange(m_isSampled, false))
    {
        Sample();
    }
    return true;
}

void
RddcAllocation::OfferInterrupted()
{
    if (m_isExpected && !m_later && m_manager->HasInterrupted())
    {
        m_later.emplace(m_request, GetArrival());
        FetchRequest();
    }
}

uint32_t
RddcAllocation::GetNodeFeatures() const
{
    return m_state == State::PAPER ? PAPER_FEATURES : RddcPlacementFeatures::COUNT;
}

void
RddcAllocation::Observe(float* out) const
{
    RequireBegun();
    RequireArrived();
    const RddcServerLedger& servers = m_manager->GetServers();
    const GraphObservation& graph = MakeGraph();
    const uint32_t width = graph.nodeFeatures;
    float* node = out;
    if (m_state == State::PLACEMENT)
    {
        m_features.Begin(*m_manager);
        for (ServerId server = 0; server < servers.GetNServers(); ++server, node += width)
        {
            m_features.Describe(*m_manager, server, node);
        }
    }
    else
    {
        TabulateFeature(servers.GetCpuCapacity(), m_manager->GetNeededCpu(), m_cpu);
        TabulateFeature(servers.GetMemoryCapacity(), m_manager->GetNeededMemory(), m_memory);
        for (ServerId server = 0; server < servers.GetNServers(); ++server, node += width)
        {
            node[0] = m_cpu[servers.GetCpu(server)];
            node[1] = m_memory[servers.GetMemory(server)];
            node[2] = m_manager->IsChosen(server);
        }
    }
    float* link = out + std::size_t{graph.nodes} * width;
    std::fill(node, link, 0.0F);
    const auto& most = m_network->GetSizes().channels;
    const float scale = 1 / static_cast<float>(*std::max_element(most.begin(), most.end()));
    for (LinkId i = 0; i < graph.links; ++i)
    {
        *link++ = scale * static_cast<float>(m_manager->GetChannels().GetFree(i));
    }
    link[0] = static_cast<float>(servers.GetCpuUse());
    link[1] = static_cast<float>(servers.GetMemoryUse());
    link[2] = static_cast<float>(m_manager->GetCurrent().request.holding / m_holdingScale);
}

void
RddcAllocation::Mask(uint8_t* out) const
{
    RequireBegun();
    RequireArrived();
    if (m_mask == MaskKind::CONNECTED)
    {
        m_manager->FindConnected(out);
        return;
    }
    for (ServerId server = 0; server < GetNActions(); ++server)
    {
        out[server] = m_manager->IsUseful(server);
    }
}

void
RddcAllocation::Act(uint32_t action)
{
    RequireAction(action);
    RequireArrived();
    const RddcManager::Step step = m_manager->Choose(action);
    if (step == RddcManager::Step::GOES_ON)
    {
        m_rewards.push_back(0);
        return;
    }
    m_granted = step == RddcManager::Step::GRANTED;
    m_rewards.push_back(static_cast<float>(m_granted ? m_rewardGranted : m_rewardRefused));
    SettleRewards({.placed = m_granted, .cause = m_granted ? "" : "refused"});
    ++m_nRequests;
    ++m_nCounted;
    ++m_score.count;
    m_score.total += !m_granted;
    NextRequest();
    m_isSampled = m_isExpected;
    if (!m_isExpected)
    {
        Sample();
    }
}

void
RddcAllocation::Sample()
{
    const RddcServerLedger& servers = m_manager->GetServers();
    const RddcChannelLedger& channels = m_manager->GetChannels();
    if (m_recent.size() == m_lastRequests)
    {
        m_recent.pop_front();
    }
    auto& now = m_recent.emplace_back();
    now[0] =
        static_cast<double>(m_manager->GetCounters().granted) / static_cast<double>(m_nCounted);
    now[1] = servers.GetCpuUse();
    now[2] = servers.GetMemoryUse();
    for (std::size_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
    {
        now[3 + tier] = static_cast<double>(channels.GetUsed(tier)) /
                        static_cast<double>(m_network->GetTierChannels(tier));
    }
}

std::vector<FigureOfMerit>
RddcAllocation::GetFigures() const
{
    using F = FigureOfMerit;
    const auto compare = F::Compare::DIFFERENCE;
    F overall = F::Share("overall_acceptance", "accepted, all").Rising();
    overall.shown = false;
    std::vector<F> figures{F::Share("acceptance", "accepted", F::Kind::MEAN, compare).Rising(),
                           overall,
                           F::Share("cpu_use", "CPU", F::Kind::MEAN, compare).Rising(),
                           F::Share("memory_use", "memory", F::Kind::MEAN, compare).Rising(),
                           F::Share("tier_1_use", "tier 1").Rising(),
                           F::Share("tier_2_use", "tier 2").Rising(),
                           F::Share("tier_3_use", "tier 3").Rising(),
                           {.name = "servers_per_grant", .title = "servers", .unit = "per grant"},
                           {.name = "racks_per_grant", .title = "racks", .unit = "per grant"}};
    if (m_manager && m_manager->GetFaults())
    {
        figures.push_back(
            F::Share("interrupted_share", "interrupted", F::Kind::MEAN, F::Compare::DIFFERENCE));
        figures.push_back(F::Share("availability", "available").Rising());
    }
    return figures;
}

std::vector<FigureValue>
RddcAllocation::MeasureFigures() const
{
    RequireBegun();
    std::array<double, RECENT> mean{};
    const auto last = static_cast<double>(m_recent.size());
    for (const auto& sample : m_recent)
    {
        for (std::size_t i = 0; i < RECENT; ++i)
        {
            mean[i] += sample[i] / last;
        }
    }
    const RddcCounters& counters = m_manager->GetCounters();
    const auto requests = static_cast<double>(m_nCounted);
    const double grants = std::max<double>(1, static_cast<double>(counters.granted));
    const double overall = m_nCounted ? static_cast<double>(counters.granted) / requests : 0.0;
    std::vector<FigureValue> values{{mean[0]}, {overall}};
    for (std::size_t i = 1; i < RECENT; ++i)
    {
        values.push_back({mean[i]});
    }
    values.push_back({static_cast<double>(counters.servers) / grants});
    values.push_back({static_cast<double>(counters.racks) / grants});
    if (const auto& faults = m_manager->GetFaults())
    {
        values.push_back({static_cast<double>(counters.interrupted) / grants});
        values.push_back({faults->GetAvailability(m_manager->GetTime())});
    }
    return values;
}

std::vector<std::string>
RddcAllocation::GetCauses() const
{
    return {"refused"};
}

DecisionTally
RddcAllocation::GetTally() const
{
    RequireBegun();
    const RddcCounters& counters = m_manager->GetCounters();
    DecisionTally tally{.offered = counters.received,
                        .accepted = counters.granted,
                        .interrupted = counters.interrupted,
                        .blocked = {{"refused", counters.refused - counters.failed}}};
    if (m_manager->GetFaults())
    {
        tally.blocked.emplace_back("failed", counters.failed);
    }
    return tally;
}

uint64_t
RddcAllocation::GetNDecided() const
{
    return m_nRequests;
}

std::vector<Ptr<Object>>
RddcAllocation::GetParts() const
{
    return {m_manager};
}

std::string
RddcAllocation::GetScoreName() const
{
    return "refused";
}

void
RddcAllocation::ClearScore()
{
    DecisionProblem::ClearScore();
    m_nCounted = 0;
    m_recent.clear();
    if (m_manager)
    {
        m_manager->ClearCounters();
    }
}

Ptr<RddcAllocation>
RddcAllocation::Clone(Ptr<RddcRequestSource> source) const
{
    Ptr<RddcAllocation> copy = CopyObject<RddcAllocation>(Ptr<const RddcAllocation>(this));
    copy->m_manager = m_manager->Clone();
    copy->m_source = source;
    return copy;
}

} // namespace ns3::odcn
