// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_LOCALITY_POLICY_H
#define RDDC_LOCALITY_POLICY_H

#include "rddc-tetris-policy.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

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
    RddcLocalityPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    Neighbours m_order;                                      //!< order of neighbours
    std::vector<uint32_t> m_queue;                           //!< scratch: nodes reached
    std::vector<uint8_t> m_met;                              //!< scratch: nodes reached, as flags
    std::vector<std::pair<uint32_t, uint32_t>> m_neighbours; //!< scratch: key and node
};

} // namespace ns3::odcn

#endif /* RDDC_LOCALITY_POLICY_H */
