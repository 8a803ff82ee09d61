// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_GRAPH_TOY_H
#define ODCN_GRAPH_TOY_H

#include "odcn-agent-toy.h"

namespace ns3::odcn
{

/// Networks for 16 actions, of all shipped kinds.
inline const std::vector<const char*> ALL_NETWORKS{
    "Mlp",
    "Mlp[layers=2|units=37|activation=Tanh]",
    "Mlp[layers=0]",
    "Cnn[layers=Conv3-5,AvgPool2]",
    "Cnn[layers=Conv5-16,MaxPool3|hidden=|value=shared]",
    "Cnn[layers=|hidden=33,21|hiddenActivation=Elu]",
    "Cnn[layers=|hidden=33,21|hiddenActivation=Relu]",
    "Scorer",
    "Scorer[hidden=24|valueHidden=]",
    "Scorer[inputs=own|hidden=24]",
    "Scorer[inputs=own|hidden=|valueHidden=]",
    "GraphSage",
    "GraphSage[layers=2|units=19|globals=5|hidden=]",
    "GraphSage[inputs=relative|hidden=24,12|valueHidden=]",
    "Attention",
    "Attention[units=12|heads=3|layers=1]",
    "Attention[layers=0]",
};

/**
 * A graph of the given links.
 * @param nodes number of nodes
 * @param ends of each link
 * @param candidates which nodes may be chosen
 * @param linkFeatures of each
 * @return a graph with three features a node, the last marking chosen ones, and two global ones
 */
inline GraphObservation
ToyGraph(uint32_t nodes,
         const std::vector<std::pair<uint32_t, uint32_t>>& ends,
         const std::vector<uint32_t>& candidates,
         uint32_t linkFeatures = 1)
{
    GraphObservation graph;
    graph.nodes = nodes;
    graph.nodeFeatures = 3;
    graph.links = static_cast<uint32_t>(ends.size());
    graph.linkFeatures = linkFeatures;
    graph.globals = 2;
    graph.chosenFeature = 2;
    graph.offsets.push_back(0);
    for (uint32_t v = 0; v < nodes; ++v)
    {
        std::vector<std::pair<uint32_t, uint32_t>> here;
        for (uint32_t link = 0; link < ends.size(); ++link)
        {
            const auto [a, b] = ends[link];
            if (a == v || b == v)
            {
                here.emplace_back(a == v ? b : a, link);
            }
        }
        std::sort(here.begin(), here.end());
        for (const auto& [to, link] : here)
        {
            graph.neighbours.push_back(to);
            graph.linkOf.push_back(link);
        }
        graph.offsets.push_back(static_cast<uint32_t>(graph.neighbours.size()));
    }
    graph.candidates = candidates;
    return graph;
}

/**
 * Racks of servers with a switch each, and one switch above them. Servers are numbered
 * first; the links to the upper switch are the last.
 * @param racks number  @param servers of each  @param linkFeatures of each link  @return a tree
 */
inline GraphObservation
ToyTree(uint32_t racks, uint32_t servers, uint32_t linkFeatures = 1)
{
    const uint32_t n = racks * servers;
    std::vector<std::pair<uint32_t, uint32_t>> ends;
    std::vector<uint32_t> candidates;
    for (uint32_t s = 0; s < n; ++s)
    {
        ends.emplace_back(s, n + s / servers);
        candidates.push_back(s);
    }
    for (uint32_t r = 0; r < racks; ++r)
    {
        ends.emplace_back(n + r, n + racks);
    }
    return ToyGraph(n + racks + 1, ends, candidates, linkFeatures);
}

/**
 * Choose a server, not chosen yet, of the rack whose uplink has the greatest feature. The server's
 * own features do not show which, only those two links away.
 */
class GraphToy : public StubProblem
{
  public:
    explicit GraphToy(uint32_t racks = 3, uint32_t servers = 2)
        : StubProblem(racks * servers, {}),
          m_racks(racks),
          m_servers(servers),
          m_graph(ToyTree(racks, servers))
    {
        m_shape = {m_graph.GetSize()};
        m_observation.resize(m_graph.GetSize());
        Reset();
    }

    const GraphObservation* GetGraph() const override
    {
        return &m_graph;
    }

    void Mask(uint8_t* out) const override
    {
        for (uint32_t s = 0; s < GetNActions(); ++s)
        {
            out[s] = m_observation[3 * s + 2] > 0.5F ? 0 : 1;
        }
    }

    void Act(uint32_t action) override
    {
        const float* uplinks = m_graph.GetLinks(m_observation.data()) + GetNActions();
        const auto best = std::max_element(uplinks, uplinks + m_racks) - uplinks;
        const bool right = action / m_servers == best;
        m_rewards.push_back(right ? 1.0F : 0.0F);
        Count(right);
        Reset();
    }

    void Reset() override
    {
        for (float& x : m_observation)
        {
            x = static_cast<float>(m_random->GetValue());
        }
        for (uint32_t v = 0; v < m_graph.nodes; ++v)
        {
            m_observation[3 * v + 2] = 0.0F;
        }
        m_observation[3 * m_random->GetInteger(0, GetNActions() - 1) + 2] = 1.0F;
    }

  private:
    uint32_t m_racks;         //!< number of racks
    uint32_t m_servers;       //!< servers of a rack
    GraphObservation m_graph; //!< a tree
};

} // namespace ns3::odcn

#endif /* ODCN_GRAPH_TOY_H */
