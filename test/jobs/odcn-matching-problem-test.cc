// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Which matching next: bookkeeping of the fluid, candidates, masks, measured traffic; estimates of
 * demand, planes of matchings.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-demand-meter.h"
#include "ns3/odcn-epoch-matching.h"
#include "ns3/odcn-matching-problem.h"
#include "ns3/odcn-policy-registry.h"

#include <numeric>
#include <random>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using P = MatchingProblem;

/// @param racks number  @param planes number  @return a problem with streams, reset
Ptr<MatchingProblem>
MakeProblem(uint32_t racks = 6, uint32_t planes = 2)
{
    auto problem = CreateObject<MatchingProblem>();
    problem->SetAttribute("Racks", UintegerValue(racks));
    problem->SetAttribute("Planes", UintegerValue(planes));
    problem->AssignStreams(7);
    problem->Reset();
    return problem;
}

/// @param entries from, to, value  @param racks number  @return the matrix
DemandMatrix
MakeMatrix(uint32_t racks, const std::vector<std::tuple<RackId, RackId, double>>& entries)
{
    DemandMatrix matrix(racks);
    for (const auto& [from, to, value] : entries)
    {
        matrix.Set(from, to, value);
    }
    return matrix;
}

} // namespace

TEST(MatchingProblem, FluidIsConservedByPairInRandomEpisodes)
{
    std::mt19937 random(1);
    double most = 0;
    for (const uint32_t planes : {1U, 3U})
    {
        auto problem = MakeProblem(6, planes);
        for (uint32_t episode = 0; episode < 3; ++episode)
        {
            problem->Reset();
            std::vector<float> rewards;
            uint32_t decisions = 0;
            for (; !problem->IsDone(); ++decisions)
            {
                problem->Act(random() % problem->GetNActions());
            }
            EXPECT_EQ(decisions, 200U);
            problem->TakeRewards(rewards);
            ASSERT_EQ(rewards.size(), decisions);
            ForPairs(6,
                     [&](RackId i, RackId j)
                     {
                         const double arrived = problem->GetArrived().Get(i, j);
                         most = std::max(most, arrived);
                         EXPECT_NEAR(arrived,
                                     problem->GetServed().Get(i, j) +
                                         problem->GetBacklog().Get(i, j),
                                     1e-9 * (1 + arrived));
                     });
            const double sum = std::accumulate(rewards.begin(), rewards.end(), 0.0);
            const double backlog = problem->MeasureFigures()[0].Get();
            EXPECT_NEAR(sum, -backlog * decisions, 1e-4 * backlog * decisions);
            EXPECT_THROW(problem->Act(0), OdcnError);
        }
    }
    EXPECT_GT(most, 1);
}

TEST(MatchingProblem, SameStreamsGiveTheSameEpisodeAndArrivalsDoNotDependOnActions)
{
    auto one = MakeProblem();
    auto two = MakeProblem();
    auto other = MakeProblem();
    for (uint32_t i = 0; i < 100; ++i)
    {
        one->Act(i % P::CANDIDATES);
        two->Act(i % P::CANDIDATES);
        other->Act(P::KEEP);
        const auto a = ObservationOf(*one);
        const auto b = ObservationOf(*two);
        ASSERT_EQ(a, b);
        for (RackId from = 0; from < 6; ++from)
        {
            ASSERT_EQ(one->GetArrived().GetSent(from), other->GetArrived().GetSent(from));
        }
    }
    EXPECT_NE(one->GetScore(), other->GetScore());
}

TEST(MatchingProblem, CandidatesMasksAndRewardOfAMeasuredState)
{
    auto problem = MakeProblem(4, 1);
    problem->SetAttribute("DarkShare", DoubleValue(0.25));
    auto mask = MaskOf(*problem);
    // No traffic yet: nothing to compute from, except for circuits that need none. Birkhoff, too.
    EXPECT_EQ(mask, (std::vector<uint8_t>{1, 0, 0, 0, 0, 0, 0, 1, 0}));
    auto out = ObservationOf(*problem);
    EXPECT_EQ(out[P::BACKLOG], -1);
    EXPECT_EQ(out[3 * P::CANDIDATES + P::KEEP], 0);
    EXPECT_EQ(out[3 * P::CANDIDATES + P::ROUND_ROBIN], 1);

    // Circuits are 0-1, 1-2, 2-3, 3-0. 0-2 has more backlog than 0-1, but not enough for the dark
    // time.
    const auto held = MakeMatrix(4, {{0, 1, 0.8}, {0, 2, 0.9}});
    problem->Follow(held, held);
    mask = MaskOf(*problem);
    EXPECT_TRUE(mask[P::BACKLOG] && mask[P::STEADY] && mask[P::OLDEST] && mask[P::RATE]);
    EXPECT_EQ(problem->GetCandidate(P::BACKLOG)[0][0], 2U);
    EXPECT_EQ(problem->GetCandidate(P::STEADY)[0][0], 1U);
    // Only 0-2 waits without a circuit.
    EXPECT_EQ(problem->GetCandidate(P::OLDEST)[0][0], 2U);
    EXPECT_EQ(problem->GetWaiting().Get(0, 2), 1);
    EXPECT_EQ(problem->GetWaiting().Get(0, 1), 0);
    // 1-2 loses its receiver to 0-2 and has no traffic; 2-3 and 3-0 stay.
    EXPECT_EQ(problem->GetCandidate(P::BACKLOG)[0], (Matching{2, NO_RACK, 3, 0}));
    out = ObservationOf(*problem);
    EXPECT_FLOAT_EQ(out[P::KEEP], 0.8 / 4);
    EXPECT_FLOAT_EQ(out[P::BACKLOG], 0.75 / 4);
    EXPECT_FLOAT_EQ(out[3 * P::CANDIDATES + P::BACKLOG], 0.5);

    problem->Act(P::BACKLOG);
    EXPECT_EQ(problem->GetCircuits()[0], (Matching{2, NO_RACK, 3, 0}));
    EXPECT_THROW(problem->Act(P::KEEP), OdcnError);
    std::vector<float> rewards;
    problem->TakeRewards(rewards);
    EXPECT_TRUE(rewards.empty());
    problem->Follow(MakeMatrix(4, {{0, 1, 0.1}}), MakeMatrix(4, {{0, 1, 0.9}, {0, 2, 0.15}}));
    problem->TakeRewards(rewards);
    ASSERT_EQ(rewards.size(), 1U);
    EXPECT_FLOAT_EQ(rewards[0], -1.05 / 4);
    EXPECT_DOUBLE_EQ(problem->GetServed().Get(0, 2), 0.75);
    EXPECT_THROW(problem->Follow(DemandMatrix(3), DemandMatrix(4)), OdcnError);
}

TEST(MatchingProblem, RulesTakeTheirCandidateAndMaxWeightBeatsCircuitsThatStay)
{
    std::map<std::string, double> backlog;
    for (const std::string name : {"keep", "round-robin", "max-weight-held", "greedy", "random"})
    {
        auto problem = MakeProblem(8, 2);
        const auto policy = PolicyRegistry::Find(*problem, name).Create();
        policy->AssignStreams(100);
        for (uint32_t episode = 0; episode < 3; ++episode)
        {
            problem->RunEpisode(*policy);
            backlog[name] += problem->MeasureFigures()[0].Get() / 3;
            problem->Reset();
        }
        EXPECT_NEAR(problem->GetScore(), backlog[name], 1e-9 * backlog[name]); // of all episodes
    }
    EXPECT_LT(backlog["max-weight-held"], backlog["round-robin"]);
    EXPECT_LT(backlog["round-robin"], backlog["keep"]);
    EXPECT_LT(backlog["greedy"], backlog["random"]);
    auto problem = MakeProblem();
    EXPECT_EQ(PolicyRegistry::Find(*problem, "max-weight").Create()->Decide(*problem), P::KEEP);
    problem->Act(P::KEEP);
    EXPECT_EQ(PolicyRegistry::Find(*problem, "max-weight").Create()->Decide(*problem), P::BACKLOG);
    EXPECT_EQ(PolicyRegistry::Find(*problem, "birkhoff").Create()->Decide(*problem), P::BIRKHOFF);
}

TEST(MatchingProblem, RefusesBadAttributes)
{
    auto problem = CreateObject<MatchingProblem>();
    problem->AssignStreams(1);
    EXPECT_THROW(problem->Act(0), OdcnError);
    problem->SetAttribute("Patterns", StringValue("hot:8,warm"));
    EXPECT_THROW(problem->Reset(), OdcnError);
    problem->SetAttribute("Patterns", StringValue(""));
    EXPECT_THROW(problem->Reset(), OdcnError);
}

TEST(DemandMeter, AveragesTheChosenQuantity)
{
    auto meter = CreateObjectWithAttributes<DemandMeter>("Quantity",
                                                         StringValue("Offered"),
                                                         "Smoothing",
                                                         DoubleValue(0.25));
    const DemandMatrix none(2);
    meter->Report(MakeMatrix(2, {{0, 1, 8}}), MakeMatrix(2, {{0, 1, 100}}));
    EXPECT_EQ(meter->GetDemand().Get(0, 1), 8);
    meter->Report(none, none);
    meter->Report(MakeMatrix(2, {{0, 1, 2}, {1, 0, 4}}), none);
    EXPECT_EQ(meter->GetDemand().Get(0, 1), 8 * 0.75 * 0.75 + 0.5);
    EXPECT_EQ(meter->GetDemand().Get(1, 0), 1);
    meter->SetAttribute("Quantity", StringValue("Held"));
    meter->Reset();
    meter->Report(none, MakeMatrix(2, {{1, 0, 5}}));
    EXPECT_EQ(meter->GetDemand().Get(1, 0), 5);
    EXPECT_THROW(meter->Report(DemandMatrix(3), DemandMatrix(3)), OdcnError);
    EXPECT_THROW(meter->Report(none, DemandMatrix(3)), OdcnError);
}

TEST(DemandMeter, AnAverageReturnsToZero)
{
    auto meter = CreateObjectWithAttributes<DemandMeter>("Smoothing", DoubleValue(0.25));
    const DemandMatrix none(2);
    meter->Report(none, MakeMatrix(2, {{0, 1, 1e6}, {1, 0, 1}}));
    int epochs = 0;
    for (; meter->GetDemand().GetMaxLoad() > 0; ++epochs)
    {
        ASSERT_LT(epochs, 100);
        EXPECT_NEAR(meter->GetDemand().Get(0, 1), 1e6 * std::pow(0.75, epochs), 1e-3);
        meter->Report(none, none);
    }
    // 0.75 to this power is 1e-9.
    EXPECT_EQ(epochs, 73);
    meter->Report(none, MakeMatrix(2, {{1, 0, 8}}));
    EXPECT_EQ(meter->GetDemand().Get(1, 0), 2);
}

TEST(EpochMatching, MatchingsGoWhereMostCircuitsStay)
{
    const std::vector<Matching> present{{1, 2, 3, 0}, {2, 3, 0, 1}};
    // The first is most like plane 1, the second has a circuit of plane 0 only.
    const auto planes = AssignToPlanes({{2, 3, 1, NO_RACK}, {3, 2, NO_RACK, NO_RACK}}, present);
    EXPECT_EQ(planes[1], (Matching{2, 3, 1, NO_RACK}));
    // Of the present circuits 2-3 and 3-0 of plane 0, the former loses its receiver.
    EXPECT_EQ(planes[0], (Matching{3, 2, NO_RACK, 0}));
    EXPECT_EQ(AssignToPlanes({}, present), present);
    EXPECT_THROW(AssignToPlanes({present[0], present[0], present[1]}, present), OdcnError);
}

TEST(EpochMatching, SchedulesOfOneOrSeveralMatchings)
{
    const Time epoch = MilliSeconds(1);
    const std::vector<Matching> present{{1, 2, 0}, {1, 2, 0}};
    const auto demand = MakeMatrix(3, {{0, 2, 3}, {1, 0, 2}, {2, 1, 1}, {0, 1, 0.5}});
    MatchingFabric fabric;
    fabric.planes = 2;
    fabric.reconfiguration = MicroSeconds(10);
    MatchingFabric single = fabric;
    single.planes = 1;
    const DemandMatrix none(3);
    const auto one = MakeEpochSchedule("MaxWeightMatching", demand, present, fabric, epoch);
    ASSERT_EQ(one->GetPlane(0).slots.size(), 1U);
    // The second matching is 0-1 alone, on the plane where 1-2 and 2-0 can stay with it.
    EXPECT_EQ(std::min(one->GetPlane(0).slots[0].to, one->GetPlane(1).slots[0].to),
              (Matching{1, 2, 0}));
    EXPECT_EQ(std::max(one->GetPlane(0).slots[0].to, one->GetPlane(1).slots[0].to),
              (Matching{2, 0, 1}));
    // A permutation is a single term, of both planes.
    const auto permutation = MakeMatrix(3, {{0, 2, 1}, {1, 0, 1}, {2, 1, 1}});
    const auto both = MakeEpochSchedule("BirkhoffMatching", permutation, present, fabric, epoch);
    for (uint32_t plane = 0; plane < 2; ++plane)
    {
        ASSERT_EQ(both->GetPlane(plane).slots.size(), 1U);
        EXPECT_EQ(both->GetPlane(plane).slots[0].to, (Matching{2, 0, 1}));
    }
    const auto several = MakeEpochSchedule("BirkhoffMatching", demand, {present[0]}, single, epoch);
    EXPECT_GT(several->GetPlane(0).slots.size(), 1U);
    EXPECT_EQ(several->GetPeriod(), epoch);
    EXPECT_FALSE(MakeEpochSchedule("RoundRobinMatching", none, present, fabric, epoch));
    EXPECT_THROW(MakeEpochSchedule("MaxMatching", demand, present, fabric, epoch), OdcnError);
    EXPECT_THROW(MakeEpochSchedule("MaxWeightMatching", demand, present, single, epoch), OdcnError)
        << "two planes";
}

TEST(EpochMatching, WithoutDemandThereIsNoSchedule)
{
    const std::vector<Matching> present{{1, 2, 0}, {2, 0, 1}};
    MatchingFabric fabric{2, DataRate("10Gbps"), DataRate(0), MicroSeconds(10)};
    const CircuitFilter usable = [](uint32_t plane, RackId from, RackId)
    { return plane != 0 || from != 1; };
    const DemandMatrix none(3);
    const auto demand = MakeMatrix(3, {{0, 2, 1e5}, {1, 0, 2e5}, {2, 1, 1e5}, {0, 1, 5e4}});
    for (const std::string name : {"MaxWeightMatching",
                                   "BirkhoffMatching",
                                   "SolsticeMatching",
                                   "VermilionMatching",
                                   "RoundRobinMatching"})
    {
        for (const CircuitFilter& filter : {CircuitFilter(), usable})
        {
            const auto make = [&](const DemandMatrix& bytes)
            { return MakeEpochSchedule(name, bytes, present, fabric, MilliSeconds(1), filter); };
            EXPECT_FALSE(make(none)) << name;
            ASSERT_TRUE(make(demand)) << name;
            EXPECT_EQ(make(demand)->GetPeriod(), MilliSeconds(1)) << name;
        }
    }
}

TEST(EpochMatching, AsManyCircuitsStayAsOnAnyPlanes)
{
    std::mt19937 random(1);
    int worse = 0;
    for (int i = 0; i < 2000; ++i)
    {
        const auto racks = static_cast<uint32_t>(2 + random() % 5);
        const auto planes = static_cast<uint32_t>(2 + random() % 3);
        const auto draw = [&]
        {
            Matching to(racks);
            std::iota(to.begin(), to.end(), 0);
            std::shuffle(to.begin(), to.end(), random);
            for (RackId rack = 0; rack < racks; ++rack)
            {
                to[rack] = to[rack] == rack || random() % 3 == 0 ? NO_RACK : to[rack];
            }
            return to;
        };
        std::vector<Matching> wanted;
        std::vector<Matching> present;
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            wanted.push_back(draw());
            present.push_back(draw());
        }
        std::set<std::tuple<uint32_t, RackId, RackId>> failed;
        for (uint32_t fault = 0; fault < (i % 2 ? random() % 8 : 0); ++fault)
        {
            failed.emplace(random() % planes, random() % racks, random() % racks);
        }
        const CircuitFilter usable = [&](uint32_t plane, RackId from, RackId to) {
            return !failed.contains({plane, from, to});
        };
        const auto found =
            AssignToPlanes(wanted, present, failed.empty() ? CircuitFilter() : usable);
        // Circuits of the matchings that failures allow, then circuits that stay.
        std::pair<int, int> best{-1, -1};
        std::pair<int, int> reached{-1, -1};
        std::vector<uint32_t> order(planes);
        std::iota(order.begin(), order.end(), 0);
        do
        {
            std::vector<Matching> now(planes, Matching(racks, NO_RACK));
            std::pair<int, int> count{0, 0};
            for (uint32_t plane = 0; plane < planes; ++plane)
            {
                const Matching& here = wanted[order[plane]];
                std::set<RackId> taken;
                for (RackId rack = 0; rack < racks; ++rack)
                {
                    if (here[rack] != NO_RACK && usable(plane, rack, here[rack]))
                    {
                        now[plane][rack] = here[rack];
                        taken.insert(here[rack]);
                        ++count.first;
                    }
                }
                for (RackId rack = 0; rack < racks; ++rack)
                {
                    const RackId before = present[plane][rack];
                    if (now[plane][rack] == NO_RACK && before != NO_RACK &&
                        usable(plane, rack, before) && !taken.contains(before))
                    {
                        now[plane][rack] = before;
                    }
                    count.second += before != NO_RACK && now[plane][rack] == before;
                }
            }
            best = std::max(best, count);
            reached = now == found ? std::max(reached, count) : reached;
        } while (std::next_permutation(order.begin(), order.end()));
        worse += reached != best;
    }
    EXPECT_EQ(worse, 0);
}
