// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching.h"
#include "odcn-perfect-matching.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Few terms of a Birkhoff-von Neumann decomposition: the demand, made doubly stochastic, as a
 * weighted sum of perfect matchings. Each term is the matching whose smallest entry is largest,
 * with that entry as its weight. When Terms ends the decomposition early, the weights are scaled to
 * sum to 1. They do not depend on the number of planes.
 */
class BirkhoffMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& demand,
                                            const MatchingFabric& fabric) const override;

    uint32_t m_terms; //!< Attribute "Terms"
    bool m_sinkhorn;  //!< Attribute "Sinkhorn"
};

namespace
{

/// Entries below it are rounding errors of subtractions from sums of 1.
constexpr double ZERO = 1e-12;

/**
 * Multiply rows and columns by factors until each sums to 1 (Sinkhorn and Knopp). Where zeros do
 * not allow that, it stops after some rounds.
 * @param demand the demand
 * @return it, all sums at most 1
 */
DemandMatrix
Balance(DemandMatrix demand)
{
    constexpr int ROUNDS = 1000;
    const uint32_t racks = demand.GetNRacks();
    for (int round = 0; round < ROUNDS; ++round)
    {
        double worst = 0;
        for (const bool rows : {true, false})
        {
            for (RackId i = 0; i < racks; ++i)
            {
                const double sum = rows ? demand.GetSent(i) : demand.GetReceived(i);
                for (RackId j = 0; sum > 0 && j < racks; ++j)
                {
                    const RackId from = rows ? i : j;
                    const RackId to = rows ? j : i;
                    demand.Set(from, to, demand.Get(from, to) / sum);
                }
                worst = std::max(worst, sum > 0 ? std::abs(sum - 1) : 0);
            }
        }
        if (worst < ZERO)
        {
            break;
        }
    }
    demand.Scale(1 / demand.GetMaxLoad());
    return demand;
}

/**
 * Find a perfect matching whose smallest entry is largest.
 * @param matrix by [row x size + column]  @param size number of rows
 * @param [in,out] matching the matching
 * @return the smallest entry, or 0 when entries above ZERO contain no perfect matching
 */
double
FindBottleneck(const std::vector<double>& matrix, uint32_t size, PerfectMatching& matching)
{
    std::vector<double> values;
    std::copy_if(matrix.begin(),
                 matrix.end(),
                 std::back_inserter(values),
                 [](double value) { return value > ZERO; });
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto find = [&](double least)
    {
        return matching.Find([&](uint32_t row, uint32_t column)
                             { return matrix[std::size_t(row) * size + column] >= least; });
    };
    const auto tooLarge = std::partition_point(values.begin(), values.end(), find);
    if (tooLarge == values.begin())
    {
        return 0;
    }
    find(*(tooLarge - 1));
    return *(tooLarge - 1);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(BirkhoffMatching);

TypeId
BirkhoffMatching::GetTypeId()
{
    using T = BirkhoffMatching;
    static TypeId tid =
        TypeIdOf<BirkhoffMatching, MatchingAlgorithm>("ns3::odcn::BirkhoffMatching")
            .Add(Attribute("Terms", &T::m_terms, 16, 1), "Largest number of matchings.")
            .Add(Attribute("Sinkhorn", &T::m_sinkhorn, false),
                 "Whether rows and columns are first scaled to equal sums, which favours "
                 "racks of little demand. What is missing to a sum is added in any case.");
    return tid;
}

std::vector<WeightedMatching>
BirkhoffMatching::DoCompute(const DemandMatrix& demand, const MatchingFabric&) const
{
    const uint32_t racks = demand.GetNRacks();
    if (demand.GetMaxLoad() == 0)
    {
        return {};
    }
    DemandMatrix scaled = demand;
    scaled.Normalize();
    if (m_sinkhorn)
    {
        scaled = Balance(scaled);
    }
    std::vector<double> left;
    left.reserve(std::size_t(racks) * racks);
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            left.push_back(scaled.Get(from, to));
        }
    }
    Stuff(left, racks, 1.0);

    std::vector<WeightedMatching> matchings;
    PerfectMatching matching(racks);
    double sum = 0;
    while (matchings.size() < m_terms)
    {
        const double weight = FindBottleneck(left, racks, matching);
        if (weight == 0)
        {
            break;
        }
        for (RackId from = 0; from < racks; ++from)
        {
            left[std::size_t(from) * racks + matching.GetColumns()[from]] -= weight;
        }
        sum += weight;
        matchings.push_back({matching.GetReceivers(), weight});
    }
    for (auto& term : matchings)
    {
        term.weight /= sum;
    }
    return matchings;
}

} // namespace ns3::odcn
