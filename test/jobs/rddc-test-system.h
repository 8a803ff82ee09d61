// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_TEST_SYSTEM_H
#define RDDC_TEST_SYSTEM_H

/**
 * @file
 * Small disaggregated data centres and lists of requests, for the tests of the layers from control
 * to policy.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/rddc-allocation.h"
#include "ns3/rddc-manager.h"
#include "ns3/rddc-request.h"
#include "ns3/rddc-topology.h"

namespace ns3::odcn
{

/// Requests from a list.
using ListedRequests = Listed<RddcRequestSource, RddcRequest>;

/// A random server that the mask allows, sometimes any server.
class RandomServer : public DecisionPolicy
{
  public:
    /// @param seed of the choices  @param careless probability that the mask is ignored
    explicit RandomServer(uint64_t seed, double careless = 0)
        : m_random(seed),
          m_careless(careless)
    {
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const uint32_t n = problem.GetNActions();
        const auto mask = MaskOf(problem);
        const bool careless = std::uniform_real_distribution<>()(m_random) < m_careless;
        uint32_t action = m_random() % n;
        for (uint32_t i = 0; i < n && !careless && !mask[action]; ++i)
        {
            action = (action + 1) % n;
        }
        return action;
    }

  private:
    std::mt19937_64 m_random; //!< for the choices
    double m_careless;        //!< probability that the mask is ignored
};

/// @param settings of a topology  @return a manager on it, empty
inline Ptr<RddcManager>
MakeRddcManager(const std::map<std::string, uint64_t>& settings = {})
{
    auto topology = CreateObject<RddcTopology>();
    for (const auto& [name, value] : settings)
    {
        topology->SetAttribute(name, UintegerValue(value));
    }
    auto manager = CreateObject<RddcManager>();
    manager->SetNetwork(topology->Build());
    manager->Reset();
    return manager;
}

} // namespace ns3::odcn

#endif /* RDDC_TEST_SYSTEM_H */
