// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-allocation.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Tetris (Grandl et al., as used in the NARA paper): the server whose free [CPU, memory, channels]
 * match the needed ones best. Servers outside the rack of the server chosen before count less.
 *
 * Free and needed amounts are shares of a server's capacity. Needed are the CPU and memory still
 * needed, and one channel for each other server that the request will have at least.
 */
class RddcTetrisPolicy : public DecisionPolicy
{
  public:
    /// How the match of free and needed resources is measured.
    enum Score
    {
        DOT,    //!< inner product
        COSINE, //!< cosine of the angle between them
    };

    /// Which score is the best.
    enum Prefer
    {
        LARGEST,  //!< the best match
        SMALLEST, //!< the least sufficient match, as best fit
    };

    /// Whose rack is near.
    enum Anchor
    {
        PREVIOUS, //!< the server chosen last
        FIRST,    //!< the server chosen first
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  protected:
    /**
     * @param problem that waits for a decision
     * @param mask one byte per server, 1 if it may be chosen
     * @return the allowed server with the best score, the lowest index among equals; 0 if none
     * is allowed
     */
    ServerId Pick(const RddcAllocation& problem, const std::vector<uint8_t>& mask) const;

  private:
    Score m_score;          //!< measure of the match
    Prefer m_prefer;        //!< which score is best
    Anchor m_anchor;        //!< whose rack is near
    double m_channelWeight; //!< weight of channels relative to units
    double m_rackFactor;    //!< factor for another rack of the cluster
    double m_clusterFactor; //!< factor for another cluster
};

NS_OBJECT_ENSURE_REGISTERED(RddcTetrisPolicy);

TypeId
RddcTetrisPolicy::GetTypeId()
{
    using T = RddcTetrisPolicy;
    static TypeId tid =
        TypeIdOf<RddcTetrisPolicy, DecisionPolicy>("ns3::odcn::RddcTetrisPolicy")
            .Add(Attribute("Score",
                           &T::m_score,
                           Score::DOT,
                           {{Score::DOT, "Dot"}, {Score::COSINE, "Cosine"}}),
                 "How the match of free and needed resources is measured.")
            .Add(Attribute("Prefer",
                           &T::m_prefer,
                           Prefer::LARGEST,
                           {{Prefer::LARGEST, "Largest"}, {Prefer::SMALLEST, "Smallest"}}),
                 "Which score is the best.")
            .Add(Attribute("Anchor",
                           &T::m_anchor,
                           Anchor::PREVIOUS,
                           {{Anchor::PREVIOUS, "Previous"}, {Anchor::FIRST, "First"}}),
                 "Whose rack is near: that of the server chosen last, or first.")
            .Add(Attribute("ChannelWeight", &T::m_channelWeight, 1),
                 "Weight of channels; that of CPU and memory is 1.")
            .Add(Attribute("RackFactor", &T::m_rackFactor, 0.9, 1e-6),
                 "Factor on the score in another rack of the cluster.")
            .Add(Attribute("ClusterFactor", &T::m_clusterFactor, 0.9, 1e-6),
                 "Factor on the score in another cluster.");
    return tid;
}

uint32_t
RddcTetrisPolicy::Decide(const DecisionProblem& problem)
{
    return Pick(AsProblem<RddcAllocation>(problem), GetMask(problem));
}

ServerId
RddcTetrisPolicy::Pick(const RddcAllocation& problem, const std::vector<uint8_t>& mask) const
{
    const RddcManager& manager = *PeekPointer(problem.GetManager());
    const RddcServerLedger& servers = manager.GetServers();
    const RddcChannelLedger& channels = manager.GetChannels();
    const RddcNetwork& network = *channels.GetNetwork();
    const auto& shares = manager.GetCurrent().shares;
    const double cpuUnit = 1.0 / servers.GetCpuCapacity();
    const double memoryUnit = 1.0 / servers.GetMemoryCapacity();
    const double channelUnit = 1.0 / network.GetSizes().channels[0];

    const double cpu = manager.GetNeededCpu() * cpuUnit;
    const double memory = manager.GetNeededMemory() * memoryUnit;
    const double others = static_cast<double>(shares.size()) + std::ceil(std::max(cpu, memory)) - 1;
    const double peers = others * channelUnit;
    const double cpuTerm = cpu * cpuUnit;
    const double memoryTerm = memory * memoryUnit;
    const double channelTerm = m_channelWeight * peers * channelUnit;
    const double weight = std::abs(m_channelWeight) * channelUnit * channelUnit;

    RackId near = NO_RACK;
    if (!shares.empty())
    {
        near = network.GetRack(m_anchor == Anchor::FIRST ? shares.front().server
                                                         : shares.back().server);
    }
    ServerId best = 0;
    double most = -HUGE_VAL;
    ServerId server = 0;
    for (RackId rack = 0; rack < network.GetNRacks(); ++rack)
    {
        const double factor = near == NO_RACK || near == rack ? 1
                              : network.GetCluster(near) == network.GetCluster(rack)
                                  ? m_rackFactor
                                  : m_clusterFactor;
        for (uint32_t i = 0; i < network.GetSizes().serversPerRack; ++i, ++server)
        {
            if (!mask[server])
            {
                continue;
            }
            const double freeCpu = servers.GetCpu(server);
            const double freeMemory = servers.GetMemory(server);
            const double freeChannels = channels.GetFree(server);
            double score = freeCpu * cpuTerm + freeMemory * memoryTerm + freeChannels * channelTerm;
            if (m_score == Score::COSINE)
            {
                // The length of the vector of needs is the same for all servers.
                score /= std::sqrt(freeCpu * freeCpu * cpuUnit * cpuUnit +
                                   freeMemory * freeMemory * memoryUnit * memoryUnit +
                                   freeChannels * freeChannels * weight);
            }
            score = m_prefer == Prefer::LARGEST ? score * factor : -score / factor;
            if (score > most)
            {
                most = score;
                best = server;
            }
        }
    }
    return best;
}

/**
 * @ingroup odcn
 *
 * Tetris of the NARA paper's public code, with each server's channels in its own row (the code
 * shifts that column). It differs from RddcTetrisPolicy in three points. CPU and memory are those
 * of the whole request, also when part of it is served. They are counted in tens of units, channels
 * one by one, of which a request needs one. And servers outside the rack of the last server chosen
 * have a factor of 0.9 in the first choice for a request, too, when that server is of the request
 * before.
 */
class RddcAlignedTetrisPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
    void Reset() override;

  private:
    ServerId m_last{NO_SERVER}; //!< server chosen last
};

NS_OBJECT_ENSURE_REGISTERED(RddcAlignedTetrisPolicy);

TypeId
RddcAlignedTetrisPolicy::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<RddcAlignedTetrisPolicy, DecisionPolicy>("ns3::odcn::RddcAlignedTetrisPolicy");
    return tid;
}

void
RddcAlignedTetrisPolicy::Reset()
{
    m_last = NO_SERVER;
}

uint32_t
RddcAlignedTetrisPolicy::Decide(const DecisionProblem& problem)
{
    const RddcManager& manager = *PeekPointer(AsProblem<RddcAllocation>(problem).GetManager());
    const RddcServerLedger& servers = manager.GetServers();
    const RddcChannelLedger& channels = manager.GetChannels();
    const RddcNetwork& network = *channels.GetNetwork();
    const RddcRequest& request = manager.GetCurrent().request;
    const auto& mask = GetMask(problem);
    const RackId near = m_last == NO_SERVER ? NO_RACK : network.GetRack(m_last);
    ServerId best = 0;
    double most = -1;
    for (ServerId server = 0; server < mask.size(); ++server)
    {
        if (!mask[server])
        {
            continue;
        }
        const bool isNear = near == NO_RACK || near == network.GetRack(server);
        const double score =
            (0.01 * servers.GetCpu(server) * request.cpu +
             0.01 * servers.GetMemory(server) * request.memory + channels.GetFree(server)) *
            (isNear ? 1 : 0.9);
        if (score > most)
        {
            most = score;
            best = server;
        }
    }
    m_last = best;
    return best;
}

/**
 * @ingroup odcn
 *
 * NULB and NALB (Zervas et al., as used in the NARA paper): the first server is that of Tetris;
 * from there a breadth-first search over servers and switches takes the next allowed server that it
 * reaches. NULB visits neighbours in ascending order, NALB those behind links with most free
 * channels first. Both are used with routing by channels (RddcManager::Routing).
 *
 * The search restarts from the first server at each decision, so the policy has no memory.
 */
class RddcLocalityPolicy : public RddcTetrisPolicy
{
  public:
    /// Order in which the search visits neighbours.
    enum Neighbours
    {
        IN_ORDER,   //!< lowest number first
        MOST_FREE,  //!< most free channels first
        LEAST_FREE, //!< least free channels first
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    Neighbours m_order;                                      //!< order of neighbours
    std::vector<uint32_t> m_queue;                           //!< scratch: nodes reached
    std::vector<uint8_t> m_met;                              //!< scratch: nodes reached, as flags
    std::vector<std::pair<uint32_t, uint32_t>> m_neighbours; //!< scratch: key and node
};

NS_OBJECT_ENSURE_REGISTERED(RddcLocalityPolicy);

TypeId
RddcLocalityPolicy::GetTypeId()
{
    using T = RddcLocalityPolicy;
    static TypeId tid =
        TypeIdOf<RddcLocalityPolicy, RddcTetrisPolicy>("ns3::odcn::RddcLocalityPolicy")
            .Add(Attribute("Neighbours",
                           &T::m_order,
                           Neighbours::MOST_FREE,
                           {{Neighbours::IN_ORDER, "InOrder"},
                            {Neighbours::MOST_FREE, "MostFree"},
                            {Neighbours::LEAST_FREE, "LeastFree"}}),
                 "Order in which the search visits neighbours: NULB by ascending "
                 "number, NALB by the free channels of their links.");
    return tid;
}

uint32_t
RddcLocalityPolicy::Decide(const DecisionProblem& problem)
{
    const auto& allocation = AsProblem<RddcAllocation>(problem);
    const RddcManager& manager = *PeekPointer(allocation.GetManager());
    const auto& mask = GetMask(problem);
    const auto& shares = manager.GetCurrent().shares;
    if (shares.empty())
    {
        return Pick(allocation, mask);
    }
    const GraphObservation& graph = *problem.GetGraph();
    const RddcChannelLedger& channels = manager.GetChannels();
    m_met.assign(graph.nodes, 0);
    m_queue.assign(1, shares.front().server);
    m_met[m_queue[0]] = 1;
    for (std::size_t next = 0; next < m_queue.size(); ++next)
    {
        const uint32_t node = m_queue[next];
        if (node < mask.size() && mask[node])
        {
            return node;
        }
        m_neighbours.clear();
        for (uint32_t i = graph.offsets[node]; i < graph.offsets[node + 1]; ++i)
        {
            const uint32_t free = channels.GetFree(graph.linkOf[i]);
            if (!m_met[graph.neighbours[i]])
            {
                const uint32_t key = m_order == Neighbours::MOST_FREE    ? UINT32_MAX - free
                                     : m_order == Neighbours::LEAST_FREE ? free
                                                                         : 0;
                m_neighbours.emplace_back(key, graph.neighbours[i]);
            }
        }
        if (m_order != Neighbours::IN_ORDER)
        {
            std::sort(m_neighbours.begin(), m_neighbours.end());
        }
        for (const auto& [key, other] : m_neighbours)
        {
            m_met[other] = 1;
            m_queue.push_back(other);
        }
    }
    // No server is allowed.
    return 0;
}

namespace
{

/// The policies with a short name.
const PolicyRegistration RDDC_POLICIES{
    "ns3::odcn::RddcAllocation",
    {{"random", "any useful server", "ns3::odcn::RandomPolicy", {}},
     {"first-fit", "first useful server", "ns3::odcn::FirstFitPolicy", {}},
     {"untrained",
      "network with random parameters",
      "ns3::odcn::AgentPolicy[Untrained=GraphSage]",
      {}},
     {"tetris", "Tetris, network-aware", "ns3::odcn::RddcTetrisPolicy", {}},
     {"tetris-aligned",
      "Tetris of the paper's public code, aligned",
      "ns3::odcn::RddcAlignedTetrisPolicy",
      {}},
     // The form that accepts most requests over the nine topologies (doc/results/rddc.md).
     {"tetris-tuned",
      "Tetris, its best form over nine topologies",
      "ns3::odcn::RddcTetrisPolicy[Anchor=First|ChannelWeight=3|ClusterFactor=0.7|"
      "RackFactor=0.9]",
      {{"Routing", "LeastUsed"}}},
     {"nulb",
      "network-unaware locality",
      "ns3::odcn::RddcLocalityPolicy[Neighbours=InOrder]",
      {{"Routing", "LeastUsed"}}},
     {"nalb",
      "network-aware locality",
      "ns3::odcn::RddcLocalityPolicy[Neighbours=MostFree]",
      {{"Routing", "LeastUsed"}}},
     {"linear",
      "weighted sum of server features",
      "ns3::odcn::LinearPolicy",
      {{"Routing", "LeastUsed"}}},
     {"agent", "trained network", "ns3::odcn::AgentPolicy", {}},
     {"nara-paper", "NARA: GraphSAGE and PPO", "ns3::odcn::AgentPolicy", {{"Routing", "Hops"}}},
     {"raw-bound",
      "Tetris without a network",
      "ns3::odcn::RddcTetrisPolicy",
      {{"Connectivity", "NoPairs"}},
      true}}};

} // namespace

} // namespace ns3::odcn
