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
 * NULB and NALB (Zervas et al., as the NARA paper uses them): the first server is that of Tetris;
 * from there a breadth-first search over servers and switches takes each allowed server that it
 * meets. NULB looks at neighbours in their order, NALB at those behind links with most free
 * channels first. Both go with routing by channels (RddcManager::Routing).
 *
 * The search begins anew from the first server at each decision, so the policy remembers nothing.
 */
class RddcLocalityPolicy : public RddcTetrisPolicy
{
  public:
    /// In which order the search looks at neighbours.
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
    Neighbours m_order;                                      //!< of neighbours
    std::vector<uint32_t> m_queue;                           //!< scratch: nodes met
    std::vector<uint8_t> m_met;                              //!< scratch: whether a node was met
    std::vector<std::pair<uint32_t, uint32_t>> m_neighbours; //!< scratch: key and node
};

} // namespace ns3::odcn

#endif /* RDDC_LOCALITY_POLICY_H */
