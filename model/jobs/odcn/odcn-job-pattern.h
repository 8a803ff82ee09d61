// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_PATTERN_H
#define ODCN_JOB_PATTERN_H

#include "odcn-job.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Communication pattern of the VMs of a job, along an order of the VMs. No pair appears twice.
 */
enum class OdcnPattern
{
    RING,               //!< each VM sends to the next one, the last to the first
    BIDIRECTIONAL_RING, //!< each VM exchanges with the next one, the last with the first
    TREE,               //!< binary tree rooted at the first VM; parents and children exchange
    STAR,               //!< the first VM exchanges with every other one
    RANDOM_P,           //!< each ordered pair independently with probability p
    FULL_MESH,          //!< every ordered pair
};

/**
 * @param option option name for the error message
 * @param name ring, bidirectional-ring, tree, star, random-p or full-mesh
 * @param other another name that the caller accepts, for the error message; may be empty
 * @return the pattern
 * @throw OdcnError for any other name
 */
OdcnPattern ParsePattern(const std::string& option,
                         const std::string& name,
                         const std::string& other = "");

/// @param pattern a pattern  @return its name, as accepted by ParsePattern()
std::string ToString(OdcnPattern pattern);

/**
 * Draw a uniformly random permutation of VM numbers.
 * @param count number of VMs
 * @param draw source of random numbers
 * @param [out] order the numbers 0 to count - 1, shuffled
 */
void DrawOrder(std::size_t count,
               const Ptr<UniformRandomVariable>& draw,
               std::vector<uint32_t>& order);

/**
 * @param pattern communication pattern
 * @param order a permutation of the VM numbers
 * @param probability probability of an ordered pair, for RANDOM_P
 * @param coin uniform on [0, 1), drawn once for each ordered pair; only for RANDOM_P
 * @param [out] demands the pairs, with rates of 0
 */
void BuildPattern(OdcnPattern pattern,
                  const std::vector<uint32_t>& order,
                  double probability,
                  const Ptr<RandomVariableStream>& coin,
                  std::vector<OdcnDemand>& demands);

/**
 * Draw the rate of each demand.
 * @param gbps draws rates in Gb/s
 * @param [in,out] demands demands whose rates are set, in order
 * @throw OdcnError when the variable yields an invalid rate
 */
void DrawRates(const Ptr<RandomVariableStream>& gbps, std::vector<OdcnDemand>& demands);

/// Largest accepted bandwidth of a VM pair, in Gb/s.
constexpr double MAX_DEMAND_GBPS = 1e6;

} // namespace ns3::odcn

#endif /* ODCN_JOB_PATTERN_H */
