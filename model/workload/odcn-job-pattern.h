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
 * Which VMs of a job talk to which, along an order of its VMs. No pair appears twice.
 */
enum class OdcnPattern
{
    RING,               //!< each sends to the next, the last to the first
    BIDIRECTIONAL_RING, //!< each exchanges with the next, the last with the first
    TREE,               //!< binary tree from the first VM; parent and child exchange
    STAR,               //!< the first exchanges with every other
    RANDOM_P,           //!< each ordered pair with probability p, independently
    FULL_MESH,          //!< every ordered pair
};

/**
 * @param option name to tell in the error message
 * @param name ring, bidirectional-ring, tree, star, random-p or full-mesh
 * @param other another name that the caller knows, to tell in the error message; or empty
 * @return the pattern
 * @throw OdcnError for any other name
 */
OdcnPattern ParsePattern(const std::string& option,
                         const std::string& name,
                         const std::string& other = "");

/// @param pattern a pattern  @return its name, as ParsePattern() reads it
std::string ToString(OdcnPattern pattern);

/**
 * Put VM numbers into an order that is uniform on all permutations.
 * @param count number of VMs
 * @param draw where the randomness comes from
 * @param [out] order the numbers 0 to count - 1, shuffled
 */
void DrawOrder(std::size_t count,
               const Ptr<UniformRandomVariable>& draw,
               std::vector<uint32_t>& order);

/**
 * @param pattern who talks to whom
 * @param order a permutation of the VM numbers
 * @param probability that a pair talks, for RANDOM_P
 * @param coin uniform on [0, 1), drawn once for each ordered pair by RANDOM_P only
 * @param [out] demands the pairs, rates left at 0
 */
void BuildPattern(OdcnPattern pattern,
                  const std::vector<uint32_t>& order,
                  double probability,
                  const Ptr<RandomVariableStream>& coin,
                  std::vector<OdcnDemand>& demands);

/**
 * Give each demand a rate of its own.
 * @param gbps variable that gives rates in Gb/s
 * @param [in,out] demands list to fill, in its order
 * @throw OdcnError when the variable yields no bandwidth
 */
void DrawRates(const Ptr<RandomVariableStream>& gbps, std::vector<OdcnDemand>& demands);

/// Largest bandwidth of one VM pair that is accepted, in Gb/s.
constexpr double MAX_DEMAND_GBPS = 1e6;

} // namespace ns3::odcn

#endif /* ODCN_JOB_PATTERN_H */
