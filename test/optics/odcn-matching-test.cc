// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Matchings: optimality against all permutations, and the identities that each algorithm promises.
 */

#include "odcn-test-matrix.h"

#include "ns3/odcn-max-weight-matching.h"
#include "ns3/odcn-solstice-matching.h"
#include "ns3/odcn-vermilion-matching.h"

#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param random generator  @param racks number of racks  @param density share of pairs with demand
/// @param whole whether demands are 1, 2 or 3, so that there are ties
/// @return random demand
DemandMatrix
Draw(std::mt19937& random, uint32_t racks, double density, bool whole)
{
    std::uniform_real_distribution<double> share(0, 1);
    return MakeMatrix(racks,
                      [&](RackId, RackId)
                      {
                          const double value = 3 * share(random);
                          return share(random) >= density ? 0 : whole ? std::ceil(value) : value;
                      });
}

/// @return sum of weights  @param matchings some
double
Sum(const std::vector<WeightedMatching>& matchings)
{
    return std::accumulate(matchings.begin(),
                           matchings.end(),
                           0.0,
                           [](double sum, const auto& m) { return sum + m.weight; });
}

/// Expect each matching to be one, and all to fit into the time.
void
ExpectValid(const std::vector<WeightedMatching>& matchings, uint32_t racks)
{
    for (const auto& matching : matchings)
    {
        ASSERT_EQ(matching.to.size(), racks);
        EXPECT_GT(matching.weight, 0);
        std::set<RackId> receivers;
        for (RackId from = 0; from < racks; ++from)
        {
            if (matching.to[from] != NO_RACK)
            {
                EXPECT_LT(matching.to[from], racks);
                EXPECT_NE(matching.to[from], from);
                EXPECT_TRUE(receivers.insert(matching.to[from]).second);
            }
        }
        EXPECT_FALSE(receivers.empty());
    }
    EXPECT_LE(Sum(matchings), 1 + 1e-9);
}

/// @return total demand of the pairs of a matching
double
Weight(const DemandMatrix& demand, const std::vector<RackId>& to)
{
    return SumOf<double>(to.size(),
                         [&](RackId from)
                         { return to[from] == NO_RACK ? 0 : demand.Get(from, to[from]); });
}

const std::vector<std::string> ALGORITHMS{"MaxWeightMatching",
                                          "BirkhoffMatching",
                                          "BirkhoffMatching[Sinkhorn=1|Terms=50]",
                                          "SolsticeMatching",
                                          "VermilionMatching",
                                          "RoundRobinMatching"};

} // namespace

TEST(Matching, MaxWeightIsTheBestOfAllPermutations)
{
    std::mt19937 random(1);
    for (int i = 0; i < 400; ++i)
    {
        const uint32_t racks = 2 + i % 6;
        const auto demand = Draw(random, racks, 0.2 + 0.2 * (i % 5), i % 2);
        double best = 0;
        std::vector<RackId> to(racks);
        std::iota(to.begin(), to.end(), 0);
        do
        {
            best = std::max(best, Weight(demand, to));
        } while (std::next_permutation(to.begin(), to.end()));
        const auto found = MaxWeightMatching::Find(demand);
        EXPECT_NEAR(Weight(demand, found), best, 1e-9) << i;
        for (RackId from = 0; from < racks; ++from)
        {
            EXPECT_TRUE(found[from] == NO_RACK || demand.Get(from, found[from]) > 0) << i;
        }
    }
}

TEST(Matching, MaxWeightServesPlaneByPlane)
{
    auto demand = DemandMatrix(4);
    demand.Set(0, 1, 10);
    demand.Set(0, 2, 3);
    demand.Set(3, 1, 2);
    // Without a capacity a circuit serves all: the second plane sees the rest, the third nothing.
    auto matchings = MatchingAlgorithm::Create("MaxWeightMatching")->Compute(demand, {4});
    ASSERT_EQ(matchings.size(), 2u);
    EXPECT_EQ(matchings[0].to, (std::vector<RackId>{1, NO_RACK, NO_RACK, NO_RACK}));
    EXPECT_EQ(matchings[1].to, (std::vector<RackId>{2, NO_RACK, NO_RACK, 1}));
    EXPECT_EQ(matchings[0].weight, 0.25);
    // Where a circuit serves 4 only, 3 + 2 is more than that; then 10 takes three planes.
    matchings = MatchingAlgorithm::Create("MaxWeightMatching[Capacity=4]")->Compute(demand, {9});
    ASSERT_EQ(matchings.size(), 4u);
    EXPECT_EQ(matchings[0].to, (std::vector<RackId>{2, NO_RACK, NO_RACK, 1}));
    for (int plane = 1; plane < 4; ++plane)
    {
        EXPECT_EQ(matchings[plane].to, (std::vector<RackId>{1, NO_RACK, NO_RACK, NO_RACK}));
    }
}

TEST(Matching, BirkhoffReconstructsDoublyStochasticDemand)
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> share(0.01, 1);
    for (int i = 0; i < 100; ++i)
    {
        // A sum of derangements with random weights, in an arbitrary unit.
        const uint32_t racks = 3 + i % 6;
        DemandMatrix demand(racks);
        for (int term = 0; term < 6; ++term)
        {
            std::vector<RackId> to(racks);
            std::iota(to.begin(), to.end(), 0);
            bool fixed = true;
            while (fixed)
            {
                std::shuffle(to.begin(), to.end(), random);
                fixed = false;
                for (RackId from = 0; from < racks; ++from)
                {
                    fixed |= to[from] == from;
                }
            }
            const double weight = 1e9 * share(random);
            for (RackId from = 0; from < racks; ++from)
            {
                demand.Add(from, to[from], weight);
            }
        }
        const auto matchings =
            MatchingAlgorithm::Create("BirkhoffMatching[Terms=1000]")->Compute(demand, {1});
        ExpectValid(matchings, racks);
        EXPECT_NEAR(Sum(matchings), 1, 1e-9);
        const auto shares = MatchingAlgorithm::GetShares(matchings, racks);
        ForPairs(
            racks,
            [&](RackId from, RackId to) {
                EXPECT_NEAR(shares.Get(from, to), demand.Get(from, to) / demand.GetMaxLoad(), 1e-9);
            });
    }
}

TEST(Matching, BirkhoffCoversAnyDemand)
{
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t racks = 2 + i % 8;
        const auto demand = Draw(random, racks, 0.5, i % 2);
        const double load = demand.GetMaxLoad();
        const auto matchings =
            MatchingAlgorithm::Create("BirkhoffMatching[Terms=1000]")->Compute(demand, {1});
        ExpectValid(matchings, racks);
        const auto shares = MatchingAlgorithm::GetShares(matchings, racks);
        ForPairs(racks,
                 [&](RackId from, RackId to)
                 { EXPECT_GE(load * shares.Get(from, to), demand.Get(from, to) - 1e-9); });
    }
}

TEST(Matching, BirkhoffTakesTheLargestBottleneckFirst)
{
    // clang-format off
    const auto demand =
        MakeMatrix(5,
             [](RackId i, RackId j) {
                 return (j + 5 - i) % 5 == 3 ? 0.6 : (j + 5 - i) % 5 == 1 ? 0.3 : 0.1;
             });
    // clang-format on
    const auto matchings =
        MatchingAlgorithm::Create("BirkhoffMatching[Terms=2]")->Compute(demand, {1});
    ASSERT_EQ(matchings.size(), 2u);
    EXPECT_EQ(matchings[0].to, (std::vector<RackId>{3, 4, 0, 1, 2}));
    EXPECT_EQ(matchings[1].to, (std::vector<RackId>{1, 2, 3, 4, 0}));
    EXPECT_NEAR(matchings[0].weight, 2.0 / 3, 1e-9);
    EXPECT_NEAR(matchings[1].weight, 1.0 / 3, 1e-9);
}

TEST(Matching, SinkhornGivesSmallSendersTheirShare)
{
    // Rack 0 sends a hundredth of what the others do, in the same proportions.
    const auto demand = MakeMatrix(4, [](RackId i, RackId) { return i == 0 ? 0.01 : 1.0; });
    const auto matchings =
        MatchingAlgorithm::Create("BirkhoffMatching[Sinkhorn=1|Terms=100]")->Compute(demand, {1});
    const auto shares = MatchingAlgorithm::GetShares(matchings, 4);
    ExpectUniform(shares, 1.0 / 3, 1e-9);
}

TEST(Matching, SolsticeServesAllDemandInItsTime)
{
    std::mt19937 random(4);
    int withPackets = 0;
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t racks = 2 + i % 9;
        const uint32_t planes = 1 + i % 3;
        auto demand = Draw(random, racks, 0.1 + 0.1 * (i % 9), i % 2);
        demand.Scale(1e6 / 8);
        // In bytes.
        const double rate = 10e9 / 8 * planes;
        const double packetRate = i % 4 == 0 ? 0 : 1e9 / 8;
        const double slot = 1e-6;
        auto solstice = CreateObject<SolsticeMatching>();
        solstice->SetAttribute("Slot", TimeValue(MicroSeconds(1)));
        const MatchingFabric fabric{planes,
                                    DataRate("10Gbps"),
                                    DataRate(uint64_t(8 * packetRate)),
                                    MicroSeconds(30)};
        const auto schedule = solstice->Solve(demand, fabric);
        EXPECT_NEAR(schedule.period,
                    Sum(schedule.matchings) + 30.0 * schedule.matchings.size(),
                    1e-6);
        for (const auto& matching : schedule.matchings)
        {
            EXPECT_EQ(matching.weight, std::round(matching.weight));
        }
        auto slots = MatchingAlgorithm::GetShares(schedule.matchings, racks);
        ForPairs(racks,
                 [&](RackId from, RackId to)
                 {
                     const double left = demand.Get(from, to) - slots.Get(from, to) * slot * rate;
                     EXPECT_NEAR(schedule.packets.Get(from, to), std::max(left, 0.0), 1e-3) << i;
                 });
        EXPECT_LE(schedule.packets.GetMaxLoad(), packetRate * slot * schedule.period) << i;
        withPackets += schedule.packets.GetMaxLoad() > 0;
        // The last matching was necessary.
        if (!schedule.matchings.empty())
        {
            const auto& last = schedule.matchings.back();
            auto before = schedule.packets;
            for (RackId from = 0; from < racks; ++from)
            {
                if (const RackId to = last.to[from]; to != NO_RACK)
                {
                    slots.Add(from, to, -last.weight);
                    before.Set(
                        from,
                        to,
                        std::max(0.0, demand.Get(from, to) - slots.Get(from, to) * slot * rate));
                }
            }
            EXPECT_GT(before.GetMaxLoad(),
                      packetRate * slot * (schedule.period - last.weight - 30) - 1e-3)
                << i;
        }
        const auto shares = solstice->Compute(demand, fabric);
        ASSERT_EQ(shares.size(), schedule.matchings.size());
        if (!shares.empty())
        {
            EXPECT_NEAR(Sum(shares), Sum(schedule.matchings) / schedule.period, 1e-9);
        }
    }
    EXPECT_GT(withPackets, 20);
}

TEST(Matching, SolsticeTakesTheLargestFlowsFirst)
{
    // 100 slots each on one permutation, 1 slot on the other pairs, which packets can carry. A slot
    // of 1 us at 100 Gb/s is 12,500 bytes.
    const auto demand =
        MakeMatrix(6, [](RackId i, RackId j) { return j == (i + 2) % 6 ? 1.25e6 : 1.25e4; });
    const MatchingFabric fabric{1, DataRate("100Gbps"), DataRate("10Gbps"), MicroSeconds(20)};
    const auto schedule = CreateObject<SolsticeMatching>()->Solve(demand, fabric);
    ASSERT_EQ(schedule.matchings.size(), 1u);
    EXPECT_EQ(schedule.matchings[0].to, (std::vector<RackId>{2, 3, 4, 5, 0, 1}));
    EXPECT_EQ(schedule.matchings[0].weight, 100);
    EXPECT_NEAR(schedule.period, 120, 1e-9);
    EXPECT_DOUBLE_EQ(schedule.packets.GetMaxLoad(), 5e4);
}

TEST(Matching, BytesOfAnEpochTakeTheirTime)
{
    // Circuits of 10 Gb/s carry 1,250,000 bytes in 1 ms, whatever the algorithm: a demand of that
    // much is carried by shares of 1 ms that sum to one circuit, and takes no time beside it.
    DemandMatrix demand(3);
    for (RackId i = 0; i < 3; ++i)
    {
        demand.Set(i, (i + 1) % 3, 750000);
        demand.Set(i, (i + 2) % 3, 500000);
    }
    MatchingFabric fabric{1, DataRate("10Gbps"), DataRate(0), Time(0)};
    for (const std::string name :
         {"SolsticeMatching", "BirkhoffMatching", "VermilionMatching[K=50]"})
    {
        const auto shares =
            MatchingAlgorithm::GetShares(MatchingAlgorithm::Create(name)->Compute(demand, fabric),
                                         3);
        EXPECT_NEAR(shares.Get(0, 1), 0.6, 0.02) << name;
        EXPECT_NEAR(shares.Get(2, 1), 0.4, 0.02) << name;
    }
    const auto solstice = CreateObject<SolsticeMatching>();
    EXPECT_EQ(solstice->Solve(demand, fabric).period, 1000) << "slots of 1 us";
    fabric.planes = 2;
    EXPECT_EQ(solstice->Solve(demand, fabric).period, 500);
    fabric.reconfiguration = MicroSeconds(10);
    EXPECT_NEAR(solstice->Solve(demand, fabric).period, 520, 1e-9) << "two matchings";
    // A packet network of 1 Gb/s carries 125 bytes in each us, and 500,000 take more than 500 us.
    fabric.packets = DataRate("1Gbps");
    EXPECT_EQ(solstice->Solve(demand, fabric).matchings.size(), 2u);
    fabric.packets = DataRate("20Gbps");
    EXPECT_EQ(solstice->Solve(demand, fabric).matchings.size(), 1u);
    // What a circuit serves in an epoch is in bytes, too: the rest of 0-1 takes the second plane.
    const auto planes =
        MatchingAlgorithm::Create("MaxWeightMatching[Capacity=625000]")->Compute(demand, {3});
    const auto served = MatchingAlgorithm::GetShares(planes, 3);
    EXPECT_NEAR(served.Get(0, 1), 2.0 / 3, 1e-12);
    EXPECT_NEAR(served.Get(0, 2), 1.0 / 3, 1e-12);
}

TEST(Matching, TheLeastDemandIsDemand)
{
    // Where 1 / demand is infinite, or a byte is no slot.
    for (const double scale : {5e-324, 1e-310, 1e-300, 1.0})
    {
        const auto demand =
            MakeMatrix(4, [&](RackId i, RackId j) { return j == (i + 1) % 4 ? scale : 0; });
        for (const auto& name : ALGORITHMS)
        {
            SCOPED_TRACE(name);
            const auto matchings = MatchingAlgorithm::Create(name)->Compute(
                demand,
                {2, DataRate("10Gbps"), DataRate(0), MicroSeconds(10)});
            ExpectValid(matchings, 4);
            EXPECT_GT(MatchingAlgorithm::GetShares(matchings, 4).Get(3, 0), 0);
        }
    }
}

TEST(Matching, VermilionIsRegularAndCoversEachSlot)
{
    std::mt19937 random(5);
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t racks = 2 + i % 9;
        const uint32_t k = 2 + i % 4;
        const auto demand = Draw(random, racks, 0.1 * (i % 11), i % 2);
        const double load = std::max(demand.GetMaxLoad(), 1e-300);
        auto vermilion = CreateObject<VermilionMatching>();
        vermilion->SetAttribute("K", UintegerValue(k));
        const auto slots = vermilion->GetSlots(demand);
        const auto matchings = vermilion->Compute(demand, {2});
        ExpectValid(matchings, racks);
        const auto shares = MatchingAlgorithm::GetShares(matchings, racks);
        for (RackId rack = 0; rack < racks; ++rack)
        {
            uint32_t sent = 0;
            uint32_t received = 0;
            for (RackId other = 0; other < racks; ++other)
            {
                const uint32_t count = slots[rack * racks + other];
                sent += count;
                received += slots[other * racks + rack];
                if (rack != other)
                {
                    EXPECT_NEAR(shares.Get(rack, other) * k * racks, count, 1e-9);
                    EXPECT_GT(shares.Get(rack, other) + 1e-9,
                              (k - 1.0) / k * demand.Get(rack, other) / load);
                }
            }
            EXPECT_EQ(sent, k * racks);
            EXPECT_EQ(received, k * racks);
        }
    }
}

TEST(Matching, VermilionWithoutDemandIsUniform)
{
    const auto shares = MatchingAlgorithm::GetShares(
        MatchingAlgorithm::Create("VermilionMatching[K=3]")->Compute(DemandMatrix(4), {1}),
        4);
    ExpectUniform(shares, 1.0 / 3, 1e-9);
}

TEST(Matching, RoundRobinIgnoresTheDemand)
{
    const auto matchings = MatchingAlgorithm::Create("RoundRobinMatching")
                               ->Compute(MakeMatrix(5, [](RackId i, RackId) { return i; }), {3});
    ExpectValid(matchings, 5);
    const auto shares = MatchingAlgorithm::GetShares(matchings, 5);
    ExpectUniform(shares, 0.25, 1e-12);
}

TEST(Matching, AllAreValidForAnyDemand)
{
    std::mt19937 random(6);
    for (int i = 0; i < 60; ++i)
    {
        const uint32_t racks = 2 + i % 9;
        auto demand = Draw(random, racks, 0.1 * (i % 11), i % 2);
        demand.Scale(std::pow(10.0, i % 13 - 2));
        for (const auto& name : ALGORITHMS)
        {
            SCOPED_TRACE(name);
            const auto algorithm = MatchingAlgorithm::Create(name);
            ExpectValid(algorithm->Compute(demand, {1 + i % 5U, DataRate("100Gbps")}), racks);
        }
    }
}

TEST(Matching, RefusesInvalidInput)
{
    for (const auto& name : ALGORITHMS)
    {
        SCOPED_TRACE(name);
        const auto algorithm = MatchingAlgorithm::Create(name);
        auto demand = MakeMatrix(3, [](RackId, RackId) { return 1.0; });
        EXPECT_THROW(algorithm->Compute(demand, {0}), OdcnError);
        EXPECT_THROW(algorithm->Compute(DemandMatrix(1), {1}), OdcnError);
        demand.Set(2, 1, -1);
        EXPECT_THROW(algorithm->Compute(demand, {1}), OdcnError);
        demand.Set(2, 1, HUGE_VAL);
        EXPECT_THROW(algorithm->Compute(demand, {1}), OdcnError);
        demand.Set(2, 1, 0);
        demand.Set(1, 1, 1);
        EXPECT_THROW(algorithm->Compute(demand, {1}), OdcnError);
    }
    EXPECT_THROW(MatchingAlgorithm::Create("NMgr"), OdcnError);
    EXPECT_THROW(MatchingAlgorithm::Create("MatchingAlgorithm"), OdcnError);
    EXPECT_THROW(MatchingAlgorithm::Create("BirkhoffMatching[Terms=0]"), OdcnError);
    EXPECT_THROW(MatchingAlgorithm::Create("VermilionMatching[K=1]"), OdcnError);
    const auto demand = MakeMatrix(3, [](RackId, RackId) { return 1e9; });
    const MatchingFabric fabric{1, DataRate("10Gbps")};
    EXPECT_THROW(MatchingAlgorithm::Create("SolsticeMatching[Slot=0s]")->Compute(demand, fabric),
                 OdcnError);
    EXPECT_THROW(MatchingAlgorithm::Create("SolsticeMatching")->Compute(demand, {1}), OdcnError)
        << "no rate";
}
