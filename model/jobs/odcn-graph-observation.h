// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_GRAPH_OBSERVATION_H
#define ODCN_GRAPH_OBSERVATION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Layout of the flat observation of a problem on a graph, and the graph itself, which does not
 * change. DecisionProblem::Observe() writes these floats, one after the other:
 *
 *   nodes x nodeFeatures, row-major; links x linkFeatures, row-major; globals.
 *
 * Thus code that stores, copies or batches observations need not know about graphs.
 *
 * A link joins two nodes and has the same features in both directions; the neighbour lists
 * (compressed sparse rows) contain it at both ends. Node features are numbered from 0; the one at
 * chosenFeature is 1 at nodes that already belong to the present solution, else 0.
 */
struct GraphObservation
{
    /// Value of chosenFeature if no feature marks chosen nodes.
    static constexpr uint32_t NO_FEATURE = UINT32_MAX;

    uint32_t nodes{0};                  //!< number of nodes
    uint32_t nodeFeatures{0};           //!< floats per node
    uint32_t links{0};                  //!< number of links, each counted once
    uint32_t linkFeatures{0};           //!< floats per link
    uint32_t globals{0};                //!< floats for the whole graph
    uint32_t chosenFeature{NO_FEATURE}; //!< index of the node feature that marks chosen nodes
    std::vector<uint32_t> offsets;      //!< nodes + 1: index of the first neighbour of a node
    std::vector<uint32_t> neighbours;   //!< 2 x links: node at the other end, ascending per node
    std::vector<uint32_t> linkOf;       //!< 2 x links: the link to that neighbour
    std::vector<uint32_t> candidates;   //!< [action]: the node that it chooses

    bool operator==(const GraphObservation&) const = default; //!< @return whether all are equal

    /// @return number of floats in an observation
    uint32_t GetSize() const
    {
        return nodes * nodeFeatures + links * linkFeatures + globals;
    }

    /// @param observation an observation  @return its node features, nodes x nodeFeatures
    const float* GetNodes(const float* observation) const
    {
        return observation;
    }

    /// @param observation an observation  @return its link features, links x linkFeatures
    const float* GetLinks(const float* observation) const
    {
        return observation + std::size_t{nodes} * nodeFeatures;
    }

    /// @param observation an observation  @return its global features, globals of them
    const float* GetGlobals(const float* observation) const
    {
        return GetLinks(observation) + std::size_t{links} * linkFeatures;
    }
};

} // namespace ns3::odcn

#endif /* ODCN_GRAPH_OBSERVATION_H */
