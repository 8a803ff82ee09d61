// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-allocation.h"

#include "ns3/assert.h"
#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

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
    static TypeId tid =
        TypeId("ns3::odcn::RddcAllocation")
            .SetParent<DecisionProblem>()
            .SetGroupName("Odcn")
            .AddConstructor<RddcAllocation>()
            .AddAttribute(
                "Mask",
                "Which servers may be chosen: those not chosen yet that have something "
                "that is needed, or only those of them with paths to all chosen ones.",
                CompatEnumValue<MaskKind>(MaskKind::USEFUL),
                CompatEnumAccessor<MaskKind>(&RddcAllocation::m_mask),
                MakeEnumChecker(MaskKind::USEFUL, "Useful", MaskKind::CONNECTED, "Connected"))
            .AddAttribute("State",
                          "The features that describe a server.",
                          CompatEnumValue<State>(State::PAPER),
                          CompatEnumAccessor<State>(&RddcAllocation::m_state),
                          MakeEnumChecker(State::PAPER, "Paper", State::PLACEMENT, "Placement"))
            .AddAttribute("MaxRequests",
                          "Requests of an episode; 0 for all that the source has.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RddcAllocation::m_maxRequests),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SkipRequests",
                          "Requests of the source that the first episode leaves out.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RddcAllocation::m_skipRequests),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("HoldingScale",
                          "Divisor of the observed holding time; the longest holding time.",
                          DoubleValue(30),
                          MakeDoubleAccessor(&RddcAllocation::m_holdingScale),
                          MakeDoubleChecker<double>(1e-9))
            .AddAttribute("RewardGranted",
                          "alpha, for the action that completes a request.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&RddcAllocation::m_rewardGranted),
                          MakeDoubleChecker<double>())
            .AddAttribute("RewardRefused",
                          "beta, for the action by which a request is refused.",
                          DoubleValue(-10),
                          MakeDoubleAccessor(&RddcAllocation::m_rewardRefused),
                          MakeDoubleChecker<double>())
            .AddAttribute("LastRequests",
                          "Requests at the end of an episode over which the figures of merit are "
                          "averaged, as in the figures of the NARA paper.",
                          UintegerValue(25),
                          MakeUintegerAccessor(&RddcAllocation::m_lastRequests),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

RddcAllocation::RddcAllocation()
{
    AwaitReset();
}

void
RddcAllocation::DoDispose()
{
    m_manager = nullptr;
    m_source = nullptr;
    DecisionProblem::DoDispose();
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
    if (m_state == State::PAPER)
    {
        return {"cpu", "memory", "chosen"};
    }
    std::vector<std::string> names;
    names.reserve(RddcPlacementFeatures::COUNT);
    for (uint32_t f = 0; f < RddcPlacementFeatures::COUNT; ++f)
    {
        names.emplace_back(RddcPlacementFeatures::GetName(f));
    }
    return names;
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
    m_rewards.clear();
    m_recent.clear();
    BeginEpisode();
    for (RddcRequest skipped; m_skipRequests > 0; --m_skipRequests)
    {
        m_source->Next(skipped);
    }
    NextRequest();
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
    for (;;)
    {
        RddcRequest request;
        m_done = (m_maxRequests && m_nRequests == m_maxRequests) ||
                 !(m_manager->TakeInterrupted(request) || m_source->Next(request));
        if (m_done)
        {
            return;
        }
        m_manager->Begin(request);
        if (m_manager->IsServing())
        {
            return;
        }
        ++m_nRequests;
        ++m_scoreDecided;
        ++m_scoreRefused;
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
    const RddcManager::Step step = m_manager->Choose(action);
    if (step == RddcManager::Step::GOES_ON)
    {
        m_rewards.push_back(0);
        return;
    }
    m_granted = step == RddcManager::Step::GRANTED;
    m_rewards.push_back(static_cast<float>(m_granted ? m_rewardGranted : m_rewardRefused));
    ++m_nRequests;
    ++m_scoreDecided;
    m_scoreRefused += !m_granted;
    NextRequest();
    Sample();
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
        static_cast<double>(m_manager->GetCounters().granted) / static_cast<double>(m_nRequests);
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
    const auto share =
        [](const char* name, const char* title, FigureOfMerit::Compare compare, bool shown)
    {
        return FigureOfMerit{.name = name,
                             .title = title,
                             .unit = "%",
                             .scale = 100,
                             .shown = shown,
                             .compare = compare,
                             .higherIsBetter = true};
    };
    using Compare = FigureOfMerit::Compare;
    std::vector<FigureOfMerit> figures{
        share("acceptance", "accepted", Compare::DIFFERENCE, true),
        share("overall_acceptance", "accepted, all", Compare::NONE, false),
        share("cpu_use", "CPU", Compare::DIFFERENCE, true),
        share("memory_use", "memory", Compare::DIFFERENCE, true),
        share("tier_1_use", "tier 1", Compare::NONE, true),
        share("tier_2_use", "tier 2", Compare::NONE, true),
        share("tier_3_use", "tier 3", Compare::NONE, true),
        {.name = "servers_per_grant", .title = "servers", .unit = "per grant"},
        {.name = "racks_per_grant", .title = "racks", .unit = "per grant"}};
    if (m_manager && m_manager->GetFaults())
    {
        figures.push_back(share("interrupted_share", "interrupted", Compare::DIFFERENCE, true));
        figures.back().higherIsBetter = false;
        figures.push_back(share("availability", "available", Compare::NONE, true));
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
    const auto requests = static_cast<double>(m_nRequests);
    const double grants = std::max<double>(1, static_cast<double>(counters.granted));
    const double overall = m_nRequests ? static_cast<double>(counters.granted) / requests : 0.0;
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

bool
RddcAllocation::RunRequest(DecisionPolicy& policy)
{
    RequireDecision();
    for (const uint64_t request = m_nRequests; m_nRequests == request;)
    {
        Act(policy.Decide(*this));
        m_rewards.clear();
    }
    return m_granted;
}

void
RddcAllocation::TakeRewards(std::vector<float>& out)
{
    out.insert(out.end(), m_rewards.begin(), m_rewards.end());
    m_rewards.clear();
}

bool
RddcAllocation::IsDone() const
{
    return m_done;
}

std::string
RddcAllocation::GetScoreName() const
{
    return "refused";
}

double
RddcAllocation::GetScore() const
{
    return m_scoreDecided
               ? static_cast<double>(m_scoreRefused) / static_cast<double>(m_scoreDecided)
               : 0.0;
}

void
RddcAllocation::ClearScore()
{
    m_scoreDecided = 0;
    m_scoreRefused = 0;
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
