// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MatchingAlgorithm);

TypeId
MatchingAlgorithm::GetTypeId()
{
    static TypeId tid = TypeIdOf<MatchingAlgorithm, Object>("ns3::odcn::MatchingAlgorithm");
    return tid;
}

Ptr<MatchingAlgorithm>
MatchingAlgorithm::Create(const std::string& text)
{
    return CreateFromText<MatchingAlgorithm>("matching", text);
}

std::vector<WeightedMatching>
MatchingAlgorithm::Compute(const DemandMatrix& bytes, const MatchingFabric& fabric) const
{
    Check(bytes, fabric);
    return DoCompute(bytes, fabric);
}

DemandMatrix
MatchingAlgorithm::GetShares(const std::vector<WeightedMatching>& matchings, uint32_t racks)
{
    DemandMatrix shares(racks);
    for (const auto& matching : matchings)
    {
        for (RackId from = 0; from < matching.to.size(); ++from)
        {
            if (matching.to[from] != NO_RACK)
            {
                shares.Add(from, matching.to[from], matching.weight);
            }
        }
    }
    return shares;
}

void
MatchingAlgorithm::Check(const DemandMatrix& demand, const MatchingFabric& fabric)
{
    demand.Check("demand");
    if (fabric.planes == 0)
    {
        throw OdcnError::InOption("planes", "0", "at least 1");
    }
}

} // namespace ns3::odcn
