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
 * How the flat observation of a problem on a graph is laid out, and the graph itself, which does
 * not change. The floats that DecisionProblem::Observe() writes are, one after the other:
 *
 *   nodes x nodeFeatures, row-major; links x linkFeatures, row-major; globals.
 *
 * So whatever stores, copies or batches observations needs to know nothing of graphs.
 *
 * A link joins two nodes and carries the same features both ways; the neighbour lists (compressed
 * sparse rows) name it at either end. Node features number 0 to nodeFeatures - 1; the one at
 * chosenFeature is 1 at the nodes that are part of the present solution already, else 0.
 */
struct GraphObservation
{
    /// "No feature tells which nodes are chosen."
    static constexpr uint32_t NO_FEATURE = UINT32_MAX;

    uint32_t nodes{0};                  //!< how many
    uint32_t nodeFeatures{0};           //!< floats a node
    uint32_t links{0};                  //!< how many, each counted once
    uint32_t linkFeatures{0};           //!< floats a link
    uint32_t globals{0};                //!< floats for the whole
    uint32_t chosenFeature{NO_FEATURE}; //!< index of the node feature that marks chosen nodes
    std::vector<uint32_t> offsets;      //!< nodes + 1: where a node's neighbours begin
    std::vector<uint32_t> neighbours;   //!< 2 x links: node at the other end, ascending in a row
    std::vector<uint32_t> linkOf;       //!< 2 x links: the link to that neighbour
    std::vector<uint32_t> candidates;   //!< the node that action a chooses

    bool operator==(const GraphObservation&) const = default;

    /// @return floats in an observation
    uint32_t GetSize() const
    {
        return nodes * nodeFeatures + links * linkFeatures + globals;
    }

    /// @param observation one  @return its node features, nodes x nodeFeatures
    const float* GetNodes(const float* observation) const
    {
        return observation;
    }

    /// @param observation one  @return its link features, links x linkFeatures
    const float* GetLinks(const float* observation) const
    {
        return observation + std::size_t{nodes} * nodeFeatures;
    }

    /// @param observation one  @return its features of the whole, globals of them
    const float* GetGlobals(const float* observation) const
    {
        return GetLinks(observation) + std::size_t{links} * linkFeatures;
    }
};

} // namespace ns3::odcn

#endif /* ODCN_GRAPH_OBSERVATION_H */
