// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching.h"

#include "ns3/odcn-attributes.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The baseline that ignores the demand: rack i sends to i + 1, i + 2, ... (modulo the number of
 * racks) for equal shares of time.
 */
class RoundRobinMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& demand,
                                            const MatchingFabric& fabric) const override;
};

NS_OBJECT_ENSURE_REGISTERED(RoundRobinMatching);

TypeId
RoundRobinMatching::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<RoundRobinMatching, MatchingAlgorithm>("ns3::odcn::RoundRobinMatching");
    return tid;
}

std::vector<WeightedMatching>
RoundRobinMatching::DoCompute(const DemandMatrix& demand, const MatchingFabric&) const
{
    const uint32_t racks = demand.GetNRacks();
    std::vector<WeightedMatching> matchings;
    for (uint32_t distance = 1; distance < racks; ++distance)
    {
        WeightedMatching matching{{}, 1.0 / (racks - 1)};
        for (RackId from = 0; from < racks; ++from)
        {
            matching.to.push_back((from + distance) % racks);
        }
        matchings.push_back(std::move(matching));
    }
    return matchings;
}

} // namespace ns3::odcn
