// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Throughput bounds against known values, against a linear program over paths with a simplex method
 * of its own, and against all cuts where one pair of racks sends.
 */

#include "../core/odcn-numbers.h"
#include "odcn-test-matrix.h"

#include "ns3/odcn-throughput-bound.h"

#include <tuple>

using namespace ns3::odcn;

namespace
{

/// @param racks number of racks  @return RotorNet's capacity, in units of a rack's uplinks
DemandMatrix
Rotor(uint32_t racks)
{
    return MakeMatrix(racks, [=](RackId, RackId) { return 1.0 / racks; });
}

/// @param racks number of racks  @return each rack sends 1; 3 of 4 parts or so to the other colour
DemandMatrix
Chessboard(uint32_t racks)
{
    const auto weight = [](RackId i, RackId j) { return (i + j) % 2 == 1 ? 3.0 : 1.0; };
    const auto raw = MakeMatrix(racks, weight);
    return MakeMatrix(racks, [&](RackId i, RackId j) { return weight(i, j) / raw.GetSent(i); });
}

/// @param racks number of racks  @return each rack sends 1 to the next
DemandMatrix
Permutation(uint32_t racks)
{
    return MakeMatrix(racks, [=](RackId i, RackId j) { return j == (i + 1) % racks ? 1.0 : 0.0; });
}

/// Maximise x[0] for x >= 0 and A x <= b, b >= 0, by the tableau method with Bland's rule.
double
Maximize(std::vector<std::vector<double>> a, std::vector<double> b)
{
    const std::size_t rows = a.size();
    const std::size_t columns = a[0].size() + rows;
    std::vector<double> cost(columns, 0);
    cost[0] = 1;
    double value = 0;
    std::vector<std::size_t> basis(rows);
    for (std::size_t r = 0; r < rows; ++r)
    {
        a[r].resize(columns, 0);
        basis[r] = columns - rows + r;
        a[r][basis[r]] = 1;
    }
    for (;;)
    {
        std::size_t in = 0;
        while (in < columns && cost[in] < 1e-9)
        {
            ++in;
        }
        if (in == columns)
        {
            return value;
        }
        std::size_t out = rows;
        for (std::size_t r = 0; r < rows; ++r)
        {
            if (a[r][in] > 1e-9)
            {
                const double step = b[r] / a[r][in];
                const double best = out == rows ? 0 : b[out] / a[out][in];
                if (out == rows || step < best - 1e-12 ||
                    (step < best + 1e-12 && basis[r] < basis[out]))
                {
                    out = r;
                }
            }
        }
        EXPECT_LT(out, rows) << "unbounded";
        const double pivot = a[out][in];
        for (double& x : a[out])
        {
            x /= pivot;
        }
        b[out] /= pivot;
        const auto eliminate = [&](std::vector<double>& row, double& right, double sign)
        {
            const double factor = row[in];
            for (std::size_t c = 0; c < columns; ++c)
            {
                row[c] -= factor * a[out][c];
            }
            right -= sign * factor * b[out];
        };
        for (std::size_t r = 0; r < rows; ++r)
        {
            if (r != out)
            {
                eliminate(a[r], b[r], 1);
            }
        }
        eliminate(cost, value, -1);
        basis[out] = in;
    }
}

/// @return the throughput over all simple paths of at most so many hops
double
ThroughputOfPaths(const DemandMatrix& capacity, const DemandMatrix& demand, std::size_t hops)
{
    const uint32_t n = demand.GetNRacks();
    // Rows: n x n capacities, then n x n pairs: theta x demand - sum of its paths <= 0.
    std::vector<std::vector<double>> columns(1, std::vector<double>(2 * n * n, 0));
    std::vector<RackId> path;
    const std::function<void(RackId)> extend = [&](RackId target)
    {
        if (path.back() == target)
        {
            columns.emplace_back(2 * n * n, 0);
            for (std::size_t h = 1; h < path.size(); ++h)
            {
                columns.back()[path[h - 1] * n + path[h]] = 1;
            }
            columns.back()[n * n + path[0] * n + target] = -1;
            return;
        }
        for (RackId next = 0; next < n && path.size() <= hops; ++next)
        {
            if (std::find(path.begin(), path.end(), next) == path.end())
            {
                path.push_back(next);
                extend(target);
                path.pop_back();
            }
        }
    };
    std::vector<double> bounds(2 * n * n, 0);
    ForPairs(n,
             [&](RackId i, RackId j)
             {
                 bounds[i * n + j] = capacity.Get(i, j);
                 columns[0][n * n + i * n + j] = demand.Get(i, j);
                 if (demand.Get(i, j) > 0)
                 {
                     path = {i};
                     extend(j);
                 }
             });
    std::vector<std::vector<double>> rows(2 * n * n, std::vector<double>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c)
    {
        for (std::size_t r = 0; r < rows.size(); ++r)
        {
            rows[r][c] = columns[c][r];
        }
    }
    return Maximize(rows, bounds);
}

/// Random matrices: some entries are zero, others integers so that there are ties.
struct RandomMatrices
{
    std::mt19937 random{7};

    /// @return a matrix  @param racks its size  @param density share of entries above zero
    DemandMatrix Draw(uint32_t racks, double density)
    {
        std::uniform_real_distribution<double> share(0, 1);
        return MakeMatrix(racks,
                          [&](RackId, RackId)
                          { return share(random) < density ? std::ceil(9 * share(random)) : 0.0; });
    }
};

} // namespace

TEST(ThroughputBound, RotorNetOfSixteenRacks)
{
    const auto uniform = MakeMatrix(16, [](RackId, RackId) { return 1.0 / 15; });
    for (const auto& [demand, direct, best] : {std::tuple{uniform, 0.9375, 0.9375},
                                               std::tuple{Permutation(16), 0.0625, 0.5},
                                               std::tuple{Chessboard(16), 31.0 / 48, 31.0 / 48}})
    {
        const ThroughputBound bound(Rotor(16), demand);
        EXPECT_NEAR(bound.GetDirect(), direct, 1e-12);
        EXPECT_NEAR(bound.GetCut(), best, 1e-12);
        if (ThroughputBound::HasSolver())
        {
            PrintNumber("LP bound, RotorNet of 16 racks, direct " + std::to_string(direct),
                        bound.GetMultiHop(),
                        best,
                        1e-6);
            EXPECT_NEAR(bound.GetTwoHop(), best, 1e-6);
            EXPECT_NEAR(bound.GetMultiHop(), best, 1e-6);
        }
    }
}

TEST(ThroughputBound, EqualsAProgramOverPaths)
{
    if (!ThroughputBound::HasSolver())
    {
        GTEST_SKIP() << "built without GLPK";
    }
    RandomMatrices matrices;
    int relayed = 0;
    int longer = 0;
    int loose = 0;
    for (int i = 0; i < 60; ++i)
    {
        const uint32_t racks = 3 + i % 3;
        const auto capacity = matrices.Draw(racks, 0.5 + 0.1 * (i % 6));
        const auto demand = matrices.Draw(racks, 0.3 + 0.1 * (i % 7));
        if (demand.GetMaxLoad() == 0)
        {
            continue;
        }
        const ThroughputBound bound(capacity, demand);
        const double twoHop = ThroughputOfPaths(capacity, demand, 2);
        const double best = ThroughputOfPaths(capacity, demand, racks);
        EXPECT_NEAR(bound.GetTwoHop(), twoHop, 1e-6 * (1 + twoHop)) << i;
        EXPECT_NEAR(bound.GetMultiHop(), best, 1e-6 * (1 + best)) << i;
        if (i < 3)
        {
            PrintNumber("LP bound, random demand " + std::to_string(i) +
                            ", against a program over "
                            "paths",
                        bound.GetMultiHop(),
                        best,
                        1e-6 * (1 + best));
        }
        EXPECT_LE(bound.GetDirect(), twoHop * (1 + 1e-9)) << i;
        EXPECT_GE(bound.GetCut(), best * (1 - 1e-9)) << i;
        relayed += twoHop > bound.GetDirect() * 1.001;
        longer += best > twoHop * 1.001;
        loose += bound.GetCut() > best * 1.001;
    }
    EXPECT_GT(relayed, 10);
    EXPECT_GT(longer, 5);
    EXPECT_GT(loose, 0);
}

TEST(ThroughputBound, IsTheMinimumCutWhenOnePairSends)
{
    RandomMatrices matrices;
    for (int i = 0; i < 30; ++i)
    {
        const auto capacity = matrices.Draw(7, 0.6);
        const auto demand =
            MakeMatrix(7, [](RackId from, RackId to) { return from == 2 && to == 5 ? 4.0 : 0.0; });
        double least = std::numeric_limits<double>::infinity();
        for (uint32_t set = 0; set < 128; ++set)
        {
            if ((set >> 2 & 1) && !(set >> 5 & 1))
            {
                double leaving = 0;
                ForPairs(7,
                         [&](RackId from, RackId to) {
                             leaving +=
                                 (set >> from & 1) && !(set >> to & 1) ? capacity.Get(from, to) : 0;
                         });
                least = std::min(least, leaving / 4);
            }
        }
        const ThroughputBound bound(capacity, demand);
        EXPECT_NEAR(bound.GetCut(), least, 1e-9 * (1 + least));
        if (ThroughputBound::HasSolver())
        {
            EXPECT_NEAR(bound.GetMultiHop(), least, 1e-6 * (1 + least));
        }
    }
}

TEST(ThroughputBound, DoesNotDependOnUnitsNorDirection)
{
    RandomMatrices matrices;
    auto capacity = matrices.Draw(6, 0.8);
    auto demand = matrices.Draw(6, 0.7);
    const ThroughputBound plain(capacity, demand);
    const ThroughputBound reversed(
        MakeMatrix(6, [&](RackId i, RackId j) { return capacity.Get(j, i); }),
        MakeMatrix(6, [&](RackId i, RackId j) { return demand.Get(j, i); }));
    EXPECT_NEAR(reversed.GetCut(), plain.GetCut(), 1e-12);
    const double cut = plain.GetCut();
    capacity.Scale(4e10);
    demand.Scale(1e10);
    const ThroughputBound scaled(capacity, demand);
    EXPECT_NEAR(scaled.GetDirect(), 4 * plain.GetDirect(), 1e-9);
    EXPECT_NEAR(scaled.GetCut(), 4 * cut, 1e-9);
    if (ThroughputBound::HasSolver())
    {
        const double best = plain.GetMultiHop();
        EXPECT_NEAR(reversed.GetMultiHop(), best, 2e-6 * best);
        EXPECT_NEAR(scaled.GetMultiHop(), 4 * best, 8e-6 * best);
    }
}

TEST(ThroughputBound, SmallDemandsLimitAsLargeOnesDo)
{
    // Rack 0 sends 1 to rack 1, and little to rack 2, over a capacity of 0.3 of that.
    for (const double little : {1e-3, 1e-7, 1e-9, 1e-12, 1e-15})
    {
        DemandMatrix capacity(4);
        DemandMatrix demand(4);
        capacity.Set(0, 1, 1);
        capacity.Set(1, 3, 1);
        capacity.Set(3, 2, 0.3 * little);
        demand.Set(0, 1, 1);
        demand.Set(0, 2, little);
        const ThroughputBound bound(capacity, demand);
        EXPECT_NEAR(bound.GetCut(), 0.3, 1e-12) << little;
        EXPECT_EQ(bound.GetDirect(), 0);
        if (ThroughputBound::HasSolver())
        {
            EXPECT_NEAR(bound.GetMultiHop(), 0.3, 1e-6) << little;
            capacity.Set(1, 2, 0.5 * little);
            EXPECT_NEAR(ThroughputBound(capacity, demand).GetMultiHop(), 0.8, 1e-6) << little;
            EXPECT_NEAR(ThroughputBound(capacity, demand).GetTwoHop(), 0.5, 1e-6) << little;
        }
    }
}

TEST(ThroughputBound, PartsOfAFabricMayDifferInScale)
{
    if (!ThroughputBound::HasSolver())
    {
        GTEST_SKIP() << "built without GLPK";
    }
    // Two fabrics side by side, of which the second one is tiny: the throughput is the lower one.
    RandomMatrices matrices;
    int limits = 0;
    for (int i = 0; i < 40; ++i)
    {
        const auto ring = MakeMatrix(5, [](RackId a, RackId b) { return b == (a + 1) % 5; });
        std::array<DemandMatrix, 2> capacity;
        std::array<DemandMatrix, 2> demand;
        std::array<double, 2> multiHop{};
        for (int part : {0, 1})
        {
            capacity[part] = matrices.Draw(5, 0.6);
            demand[part] = matrices.Draw(5, 0.5);
            ForPairs(5, [&](RackId a, RackId b) { capacity[part].Add(a, b, ring.Get(a, b)); });
            demand[part].Add(0, 1, 1);
            multiHop[part] = ThroughputOfPaths(capacity[part], demand[part], 5);
        }
        for (const double scale : {1e-5, 1e-8, 1e-12})
        {
            const auto join = [&](const std::array<DemandMatrix, 2>& parts)
            {
                return MakeMatrix(10,
                                  [&](RackId a, RackId b) {
                                      return a / 5 != b / 5 ? 0
                                             : a < 5        ? parts[0].Get(a, b)
                                                            : scale * parts[1].Get(a - 5, b - 5);
                                  });
            };
            const ThroughputBound bound(join(capacity), join(demand));
            const double expected = std::min(multiHop[0], multiHop[1]);
            EXPECT_NEAR(bound.GetMultiHop(), expected, 1e-6 * expected) << i << " " << scale;
            EXPECT_LE(bound.GetMultiHop(), bound.GetCut());
            EXPECT_LE(bound.GetTwoHop(), bound.GetMultiHop() * (1 + 1e-6));
        }
        limits += multiHop[1] < multiHop[0];
    }
    EXPECT_GT(limits, 10);
}

TEST(ThroughputBound, CapacitiesMayDifferByAnyFactor)
{
    if (!ThroughputBound::HasSolver())
    {
        GTEST_SKIP() << "built without GLPK";
    }
    // One pair sends: the throughput is the least of all cuts.
    std::mt19937 random(3);
    std::uniform_real_distribution<double> exponent(-3, 3);
    for (int i = 0; i < 60; ++i)
    {
        const auto capacity =
            MakeMatrix(6, [&](RackId, RackId) { return std::pow(10, exponent(random)); });
        DemandMatrix demand(6);
        demand.Set(1, 4, 4);
        double least = std::numeric_limits<double>::infinity();
        for (uint32_t set = 0; set < 64; ++set)
        {
            double leaving = 0;
            ForPairs(6,
                     [&](RackId from, RackId to) {
                         leaving +=
                             (set >> from & 1) && !(set >> to & 1) ? capacity.Get(from, to) : 0;
                     });
            least = (set >> 1 & 1) && !(set >> 4 & 1) ? std::min(least, leaving / 4) : least;
        }
        EXPECT_NEAR(ThroughputBound(capacity, demand).GetMultiHop(), least, 1e-6 * least) << i;
    }
    // Capacities of 1 and 1/1000, demands of 1 to 1/100,000.
    for (int i = 0; i < 120; ++i)
    {
        const uint32_t racks = 4 + 2 * (i % 3);
        const auto capacity =
            MakeMatrix(racks,
                       [&](RackId, RackId) {
                           return random() % 3 == 0 ? 0 : random() % 2 == 0 ? 1 : 1e-3;
                       });
        auto demand =
            MakeMatrix(racks,
                       [&](RackId, RackId)
                       { return random() % 2 == 0 ? 0 : std::pow(10, -double(random() % 6)); });
        demand.Add(0, 1, 1e-5);
        const ThroughputBound bound(capacity, demand);
        const double multiHop = bound.GetMultiHop();
        EXPECT_LE(multiHop, bound.GetCut()) << i;
        EXPECT_GE(multiHop, bound.GetDirect() * (1 - 1e-9)) << i;
        EXPECT_LE(bound.GetTwoHop(), multiHop * (1 + 2e-6)) << i;
        // Without the demands of a rack the rest is carried as well.
        for (RackId rack = 0; rack < racks; ++rack)
        {
            DemandMatrix part = demand;
            for (RackId to = 0; to < racks; ++to)
            {
                part.Set(rack, to, 0);
            }
            if (part.GetMaxLoad() > 0)
            {
                EXPECT_GE(ThroughputBound(capacity, part).GetMultiHop(), multiHop * (1 - 2e-6))
                    << i;
            }
        }
    }
}

TEST(ThroughputBound, IncastIsSolvedByReceiver)
{
    // All racks but 3 send to rack 3: its own downlinks are the bottleneck.
    const ThroughputBound bound(
        Rotor(12),
        MakeMatrix(12, [](RackId, RackId to) { return to == 3 ? 1.0 : 0.0; }));
    EXPECT_NEAR(bound.GetCut(), 1.0 / 12, 1e-12);
    if (ThroughputBound::HasSolver())
    {
        EXPECT_NEAR(bound.GetMultiHop(), 1.0 / 12, 1e-7);
    }
}

TEST(ThroughputBound, PacketSwitchesOfAHybridAreOneMoreRack)
{
    // A RotorNet of 6 racks carries half of a permutation, and uplinks to rack 6 a quarter.
    DemandMatrix capacity(7);
    DemandMatrix demand(7);
    for (RackId i = 0; i < 6; ++i)
    {
        for (RackId j = 0; j < 6; ++j)
        {
            capacity.Set(i, j, i == j ? 0 : 1.0 / 6);
        }
        capacity.Set(i, 6, 0.25);
        capacity.Set(6, i, 0.25);
        demand.Set(i, (i + 1) % 6, 1);
    }
    const ThroughputBound bound(capacity, demand);
    EXPECT_NEAR(bound.GetDirect(), 1.0 / 6, 1e-12);
    if (ThroughputBound::HasSolver())
    {
        EXPECT_NEAR(bound.GetTwoHop(), 0.75, 1e-6);
        EXPECT_NEAR(bound.GetMultiHop(), 0.75, 1e-6);
    }
}

TEST(ThroughputBound, HostsLimitAllBounds)
{
    ThroughputBound bound(Rotor(8), Permutation(8));
    std::vector<double> limits(8, 1.0);
    limits[2] = 0.1;
    bound.SetHostLimits(std::vector<double>(8, 1.0), limits);
    EXPECT_NEAR(bound.GetCut(), 0.1, 1e-12);
    EXPECT_NEAR(bound.GetDirect(), 0.1, 1e-12);
    limits[2] = 0.01;
    bound.SetHostLimits(limits, std::vector<double>(8, 1.0));
    EXPECT_NEAR(bound.GetBest(), 0.01, 1e-12);
    EXPECT_THROW(bound.SetHostLimits({1.0}, limits), OdcnError);
    limits[0] = std::nan("");
    EXPECT_THROW(bound.SetHostLimits(limits, limits), OdcnError);
    EXPECT_NEAR(bound.GetBest(), 0.01, 1e-12);
}

TEST(ThroughputBound, NoPathMeansNoThroughput)
{
    const ThroughputBound bound(
        MakeMatrix(4, [](RackId i, RackId j) { return j == i + 1 ? 1.0 : 0.0; }),
        Permutation(4));
    EXPECT_EQ(bound.GetCut(), 0);
    EXPECT_EQ(bound.GetDirect(), 0);
    EXPECT_EQ(bound.GetBest(), 0);
}

TEST(ThroughputBound, RefusesInvalidInput)
{
    const auto one = Rotor(4);
    auto bad = one;
    bad.Set(1, 2, -1);
    EXPECT_THROW(ThroughputBound(bad, one), OdcnError);
    EXPECT_THROW(ThroughputBound(one, bad), OdcnError);
    bad.Set(1, 2, std::nan(""));
    EXPECT_THROW(ThroughputBound(one, bad), OdcnError);
    bad.Set(1, 2, 0);
    bad.Set(3, 3, 1);
    EXPECT_THROW(ThroughputBound(one, bad), OdcnError);
    EXPECT_THROW(ThroughputBound(one, Rotor(5)), OdcnError);
    EXPECT_THROW(ThroughputBound(one, DemandMatrix(4)), OdcnError);
    EXPECT_THROW(ThroughputBound(DemandMatrix(1), DemandMatrix(1)), OdcnError);
}

TEST(ThroughputBound, SaysWhenTheSolverCannot)
{
    ThroughputBound bound(Rotor(24), Permutation(24));
    EXPECT_THROW(bound.SetMemoryLimit(0), OdcnError);
    bound.SetMemoryLimit(1);
    EXPECT_THROW(bound.GetMultiHop(), OdcnError);
    // The failure leaves the solver usable.
    bound.SetMemoryLimit(1000);
    if (ThroughputBound::HasSolver())
    {
        EXPECT_NEAR(bound.GetTwoHop(), bound.GetCut(), 1e-6);
    }
}
