// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Tori against known distances, link loads against all shortest paths one by one, and the gain of
 * twisted tori against bounds.
 */

#include "../core/odcn-numbers.h"
#include "odcn-test-matrix.h"

#include "ns3/boolean.h"
#include "ns3/odcn-link-loads.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/odcn-torus.h"
#include "ns3/string.h"

#include <random>
#include <set>

namespace ns3::odcn
{
namespace
{

/// @param shape sides
/// @param twisted whether it is twisted
/// @return the schedule, built
Ptr<TorusSchedule>
MakeTorus(const std::string& shape, bool twisted)
{
    auto schedule = CreateObject<TorusSchedule>();
    schedule->SetAttribute("Shape", StringValue(shape));
    schedule->SetAttribute("Twisted", BooleanValue(twisted));
    const Torus torus = schedule->GetTorus();
    schedule->Build(torus.GetNNodes(), torus.GetNDirections());
    return schedule;
}

/// @param racks number of racks
/// @return each sends 1, equally to all others
DemandMatrix
AllToAll(uint32_t racks)
{
    return DemandMatrix::Make("uniform", racks);
}

/// Loads as LinkLoads, by walking along each path of each pair.
class BruteForce
{
  public:
    /// @param capacity of the links
    explicit BruteForce(const DemandMatrix& capacity)
        : m_capacity(capacity),
          m_n(capacity.GetNRacks())
    {
    }

    /// @param demand traffic
    /// @param split how it is divided
    /// @return loads
    DemandMatrix Compute(const DemandMatrix& demand, LinkLoads::Split split)
    {
        DemandMatrix loads(m_n);
        ForPairs(m_n,
                 [&](RackId from, RackId to)
                 {
                     if (demand.Get(from, to) == 0)
                     {
                         return;
                     }
                     uint32_t hops = 0;
                     while (Count(from, to, hops) == 0)
                     {
                         ++hops;
                     }
                     Walk(loads, from, to, hops, demand.Get(from, to), split);
                 });
        return loads;
    }

  private:
    /// @return number of walks of so many hops from one rack to another
    double Count(RackId from, RackId to, uint32_t hops) const
    {
        double walks = hops == 0 && from == to ? 1 : 0;
        for (RackId next = 0; hops > 0 && next < m_n; ++next)
        {
            walks += m_capacity.Get(from, next) == 0
                         ? 0
                         : m_capacity.Get(from, next) * Count(next, to, hops - 1);
        }
        return walks;
    }

    /// Add the traffic of one rack to another to the loads.
    void Walk(DemandMatrix& loads,
              RackId from,
              RackId to,
              uint32_t hops,
              double traffic,
              LinkLoads::Split split) const
    {
        double sum = 0;
        std::vector<double> weights(m_n, 0);
        for (RackId next = 0; hops > 0 && next < m_n; ++next)
        {
            const double walks = Count(next, to, hops - 1);
            weights[next] = m_capacity.Get(from, next) *
                            (split == LinkLoads::Split::PATH ? walks : (walks > 0 ? 1 : 0));
            sum += weights[next];
        }
        for (RackId next = 0; next < m_n; ++next)
        {
            if (weights[next] > 0)
            {
                const double sent = traffic * weights[next] / sum;
                loads.Add(from, next, sent / m_capacity.Get(from, next));
                Walk(loads, next, to, hops - 1, sent, split);
            }
        }
    }

    DemandMatrix m_capacity; //!< of the links
    uint32_t m_n;            //!< number of racks
};

/// @param a loads
/// @param b loads
void
ExpectEqual(const DemandMatrix& a, const DemandMatrix& b)
{
    ForPairs(a.GetNRacks(),
             [&](RackId i, RackId j) { EXPECT_NEAR(a.Get(i, j), b.Get(i, j), 1e-12); });
}

TEST(Torus, DirectionsAreInverseAndReachAllNodes)
{
    for (const auto& [shape, twisted] :
         std::vector<std::pair<std::string, bool>>{{"5", false},
                                                   {"1x3", false},
                                                   {"4x3x2", false},
                                                   {"2x3x4x5", false},
                                                   {"3x6", true},
                                                   {"6x3", true},
                                                   {"4x4x8", true},
                                                   {"8x4x8", true},
                                                   {"1x2", true},
                                                   {"2x4x2x4", true}})
    {
        const Torus torus(shape, twisted);
        EXPECT_EQ(torus.GetText(), shape);
        std::vector<uint32_t> reached{0};
        std::set<uint32_t> seen{0};
        for (std::size_t i = 0; i < reached.size(); ++i)
        {
            const uint32_t node = reached[i];
            EXPECT_EQ(torus.GetNode(torus.GetCoordinates(node)), node);
            for (uint32_t direction = 0; direction < torus.GetNDirections(); ++direction)
            {
                const uint32_t next = torus.GetNeighbour(node, direction);
                EXPECT_EQ(torus.GetNeighbour(next, direction ^ 1), node) << shape;
                if (seen.insert(next).second)
                {
                    reached.push_back(next);
                }
            }
        }
        EXPECT_EQ(reached.size(), torus.GetNNodes()) << shape;
    }
}

TEST(Torus, TwistShiftsTheClosingLink)
{
    const Torus torus("4x8", true); // Camara et al., figure of the 2a x a torus
    EXPECT_EQ(torus.GetNeighbour(torus.GetNode({3, 1}), 0), torus.GetNode({0, 5}));
    EXPECT_EQ(torus.GetNeighbour(torus.GetNode({0, 1}), 1), torus.GetNode({3, 5}));
    EXPECT_EQ(torus.GetNeighbour(torus.GetNode({2, 1}), 0), torus.GetNode({3, 1}));
    EXPECT_EQ(torus.GetNeighbour(torus.GetNode({2, 7}), 2), torus.GetNode({2, 0}));
    const Torus two("4x8x8", true);
    EXPECT_EQ(two.GetNeighbour(two.GetNode({3, 1, 6}), 0), two.GetNode({0, 5, 2}));
    EXPECT_EQ(two.GetNeighbour(two.GetNode({3, 7, 6}), 2), two.GetNode({3, 0, 6}));
    // Also along dimensions before that of the link.
    const Torus before("8x4x8", true);
    EXPECT_EQ(before.GetNeighbour(before.GetNode({1, 3, 6}), 2), before.GetNode({5, 0, 2}));
    EXPECT_EQ(before.GetNeighbour(before.GetNode({7, 1, 6}), 0), before.GetNode({0, 1, 6}));
}

TEST(Torus, RefusesOthers)
{
    // The last one has 4 nodes, modulo 2^64.
    for (const std::string shape :
         {"", "0x4", "4x", "4xx4", "4,4", "-4x4", "2000x2000", "4x4611686018427387905"})
    {
        EXPECT_REFUSAL(Torus{shape}, shape);
    }
    EXPECT_EQ(Torus("1024x1024").GetNNodes(), 1U << 20);
    for (const std::string shape : {"4x4x4", "4x12", "2x4x8", "2x3x4"})
    {
        EXPECT_NO_THROW(Torus{shape});
        EXPECT_REFUSAL(Torus(shape, true), "k and 2k");
    }
    auto schedule = MakeTorus("4x4", false);
    EXPECT_REFUSAL(schedule->Build(15, 4), "16 racks, 4 planes");
    EXPECT_REFUSAL(schedule->Build(16, 6), "16 racks, 4 planes");
}

TEST(Torus, ScheduleHasALinkInEachDirection)
{
    for (const bool twisted : {false, true})
    {
        const auto schedule = MakeTorus("2x2x4", twisted);
        const Torus torus = schedule->GetTorus();
        for (uint32_t direction = 0; direction < 6; ++direction)
        {
            for (RackId rack = 0; rack < 16; ++rack)
            {
                EXPECT_EQ(schedule->GetPeer(direction, rack, MicroSeconds(1500)),
                          torus.GetNeighbour(rack, direction));
            }
            EXPECT_EQ(schedule->GetExtension(direction, 0, 3), Time::Max());
        }
    }
    EXPECT_EQ(MakeTorus("1x4", false)->GetPeer(0, 2, Time(0)), NO_RACK);
    EXPECT_EQ(MakeTorus("2x4", false)->GetCapacity().Get(0, 1), 2);
    EXPECT_EQ(MakeTorus("2x4", true)->GetCapacity().Get(0, 1), 1) << "the other one leads to 5";
}

TEST(LinkLoads, EqualThoseOfAllPathsOneByOne)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (const auto& [shape, twisted] : std::vector<std::pair<std::string, bool>>{{"3x4", false},
                                                                                  {"2x4", false},
                                                                                  {"2x4", true},
                                                                                  {"3x6", true},
                                                                                  {"2x2x4", true},
                                                                                  {"2x2x4", false},
                                                                                  {"2x4x4", true},
                                                                                  {"5x3", false}})
    {
        const auto schedule = MakeTorus(shape, twisted);
        DemandMatrix capacity = schedule->GetCapacity();
        BruteForce brute(capacity);
        const uint32_t n = capacity.GetNRacks();
        const auto demand =
            MakeMatrix(n, [&](RackId, RackId) { return std::max(0.0, uniform(random) - 0.5); });
        for (const auto split : {LinkLoads::Split::NEXT_HOP, LinkLoads::Split::PATH})
        {
            ExpectEqual(LinkLoads(capacity, demand, split).Get(), brute.Compute(demand, split));
        }
    }
}

TEST(LinkLoads, DoNotDependOnTheUnit)
{
    // A ring of 64 racks has paths of up to 32 links, of which numbers of bit/s have no product.
    for (const std::string shape : {"1x64", "4x4x8"})
    {
        const DemandMatrix capacity = MakeTorus(shape, false)->GetCapacity();
        const uint32_t n = capacity.GetNRacks();
        const DemandMatrix demand = DemandMatrix::Make("uniform", n);
        const LinkLoads loads(capacity, demand, LinkLoads::Split::PATH);
        for (const double unit : {400e9, 1e-12, 1e100})
        {
            DemandMatrix scaledCapacity = capacity;
            DemandMatrix scaledDemand = demand;
            scaledCapacity.Scale(unit);
            scaledDemand.Scale(unit);
            const LinkLoads scaled(scaledCapacity, scaledDemand, LinkLoads::Split::PATH);
            ExpectEqual(scaled.Get(), loads.Get());
            EXPECT_NEAR(scaled.GetThroughput(), loads.GetThroughput(), 1e-9) << shape;
            EXPECT_NEAR(scaled.GetBound(), loads.GetBound(), 1e-9) << shape;
        }
        EXPECT_LE(loads.GetThroughput(), loads.GetBound() * (1 + 1e-12));
    }
    // Each of two links of a rack carries a quarter of the distances of 1 to 32 racks.
    const DemandMatrix ring = MakeTorus("1x64", false)->GetCapacity();
    const LinkLoads loads(ring, DemandMatrix::Make("uniform", 64), LinkLoads::Split::PATH);
    EXPECT_NEAR(loads.GetThroughput(), ring.Get(0, 1) * 2 / (1024 / 63.0), 1e-9);
}

TEST(LinkLoads, DirectedGraphOfAnyCapacities)
{
    std::mt19937 random(2);
    for (int repeat = 0; repeat < 20; ++repeat)
    {
        const uint32_t n = 6;
        auto capacity = MakeMatrix(n, [&](RackId, RackId) { return double(random() % 4 / 2); });
        for (RackId i = 0; i < n; ++i)
        {
            capacity.Set(i, (i + 1) % n, 3); // so that all are connected
        }
        const auto demand = MakeMatrix(n, [&](RackId, RackId) { return random() % 3; });
        BruteForce brute(capacity);
        for (const auto split : {LinkLoads::Split::NEXT_HOP, LinkLoads::Split::PATH})
        {
            const LinkLoads loads(capacity, demand, split);
            ExpectEqual(loads.Get(), brute.Compute(demand, split));
            EXPECT_LE(loads.GetThroughput(), loads.GetBound() * (1 + 1e-12));
        }
    }
}

TEST(LinkLoads, RefusesDemandWithoutPath)
{
    DemandMatrix capacity(3);
    capacity.Set(0, 1, 1);
    capacity.Set(1, 0, 1);
    DemandMatrix demand(3);
    EXPECT_REFUSAL(LinkLoads(capacity, demand, LinkLoads::Split::PATH), "not all zero");
    demand.Set(0, 2, 1);
    EXPECT_REFUSAL(LinkLoads(capacity, demand, LinkLoads::Split::PATH), "no path from rack 0");
    EXPECT_REFUSAL(LinkLoads(capacity, DemandMatrix(4), LinkLoads::Split::PATH), "3 racks");
}

TEST(LinkLoads, TwistedToriCarryMoreAllToAll)
{
    const struct
    {
        std::string shape; // of the torus
        double plain;      // largest load of a link, untwisted
        double twisted;    // and twisted
        double gain;       // their ratio
    } cases[] = {{"4x4x8", 128.0 / 127, 440.0 / 127 / 6, 1.745},
                 {"4x8x8", 256.0 / 255, 1104.0 / 255 / 6, 1.391}};

    for (const auto& c : cases)
    {
        for (const auto split : {LinkLoads::Split::NEXT_HOP, LinkLoads::Split::PATH})
        {
            const auto plain = MakeTorus(c.shape, false)->GetCapacity();
            const auto twisted = MakeTorus(c.shape, true)->GetCapacity();
            const auto demand = AllToAll(plain.GetNRacks());
            const LinkLoads before(plain, demand, split);
            const LinkLoads after(twisted, demand, split);
            EXPECT_NEAR(before.GetLargest(), c.plain, 1e-9);
            EXPECT_NEAR(after.GetLargest(), c.twisted, 1e-9);
            const double gain = before.GetLargest() / after.GetLargest();
            EXPECT_NEAR(gain, c.gain, 0.001);
            PrintNumber("all-to-all, twisted " + c.shape + " / untwisted", gain, c.gain, 0.001);
            // No routing is better: neither one has more links for these hops, or a cut.
            EXPECT_NEAR(after.GetThroughput(), after.GetBound(), 1e-9);
            if (split == LinkLoads::Split::NEXT_HOP)
            {
                EXPECT_NEAR(before.GetThroughput(), ThroughputBound(plain, demand).GetCut(), 1e-9);
            }
        }
    }
}

TEST(LinkLoads, ReachTheLinearProgram)
{
    if (!ThroughputBound::HasSolver())
    {
        GTEST_SKIP() << "without GLPK";
    }
    for (const std::string shape : {"4x8", "2x2x4"})
    {
        for (const bool twisted : {false, true})
        {
            const auto capacity = MakeTorus(shape, twisted)->GetCapacity();
            const auto demand = AllToAll(capacity.GetNRacks());
            const LinkLoads loads(capacity, demand, LinkLoads::Split::NEXT_HOP);
            EXPECT_NEAR(ThroughputBound(capacity, demand).GetMultiHop() * loads.GetLargest(),
                        1,
                        1e-5)
                << shape << twisted;
        }
    }
}

} // namespace
} // namespace ns3::odcn
