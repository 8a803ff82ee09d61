// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Allocation as a decision problem: observations, masks, rewards, and that a copy
 * continues like the original.
 */

#include "rddc-test-system.h"

#include "ns3/rddc-request-generator.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/**
 * @param manager for the grants
 * @param source of requests
 * @return a problem, not yet reset
 */
Ptr<RddcAllocation>
MakeProblem(Ptr<RddcManager> manager, Ptr<RddcRequestSource> source)
{
    auto problem = CreateObject<RddcAllocation>();
    problem->SetManager(manager);
    problem->SetRequestSource(source);
    return problem;
}

/// @param requests a list  @return a problem with them on 64 servers
Ptr<RddcAllocation>
ListedProblem(const std::vector<RddcRequest>& requests)
{
    auto problem =
        MakeProblem(MakeRddcManager({{"Channels", 8}}), CreateObject<ListedRequests>(requests));
    problem->Reset();
    return problem;
}

/// @param stream first stream of the requests  @return an endless problem on 64 servers
Ptr<RddcAllocation>
DrawnProblem(int64_t stream)
{
    auto problem = MakeProblem(MakeRddcManager(), CreateObject<RddcRequestGenerator>());
    problem->AssignStreams(stream);
    problem->Reset();
    return problem;
}

/// @param x a ratio  @return its value in the observation
float
Squashed(double x)
{
    return static_cast<float>(1 / (1 + std::exp(1 - x)));
}

TEST(RddcAllocationTest, ObservesAGraph)
{
    auto problem = ListedProblem({{0, 1, 20, 5, 15}, {1, 1, 8, 8, 30}, {2, 1, 1, 1, 1}});
    const GraphObservation& graph = *problem->GetGraph();
    EXPECT_EQ(graph.nodes, 64U + 4 + 4 + 2);
    EXPECT_EQ(graph.links, 64U + 8 + 8);
    EXPECT_EQ(graph.candidates.size(), problem->GetNActions());
    EXPECT_EQ(problem->GetObservationSize(), graph.GetSize());
    EXPECT_EQ(graph.GetSize(), 74U * 3 + 80 + 3);
    ASSERT_EQ(graph.offsets.size(), 75U);
    EXPECT_EQ(graph.neighbours.size(), 160U);
    for (uint32_t node = 0; node < graph.nodes; ++node)
    {
        const uint32_t degree = graph.offsets[node + 1] - graph.offsets[node];
        EXPECT_EQ(degree, node < 64 ? 1U : node < 68 ? 18U : 4U) << node;
        for (uint32_t i = graph.offsets[node]; i < graph.offsets[node + 1]; ++i)
        {
            // The same link leads back.
            const uint32_t other = graph.neighbours[i];
            bool back = false;
            for (uint32_t j = graph.offsets[other]; j < graph.offsets[other + 1]; ++j)
            {
                back = back || (graph.neighbours[j] == node && graph.linkOf[j] == graph.linkOf[i]);
            }
            EXPECT_TRUE(back);
        }
    }

    problem->Act(3);
    std::vector<float> seen(graph.GetSize(), -1);
    problem->Observe(seen.data());
    const float* nodes = graph.GetNodes(seen.data());
    EXPECT_EQ(nodes[0], Squashed(16.0 / 4));
    EXPECT_EQ(nodes[1], 1) << "no memory is needed any more";
    EXPECT_EQ(nodes[2], 0);
    EXPECT_EQ(nodes[9], Squashed(0));
    EXPECT_EQ(nodes[11], 1);
    for (uint32_t node = 64; node < 74; ++node)
    {
        EXPECT_EQ(nodes[3 * node] + nodes[3 * node + 1] + nodes[3 * node + 2], 0);
    }
    EXPECT_EQ(graph.GetLinks(seen.data())[3], 8.0F / 32);
    EXPECT_EQ(graph.GetLinks(seen.data())[64], 32.0F / 32);
    EXPECT_EQ(graph.GetLinks(seen.data())[72], 8.0F / 32);
    EXPECT_FLOAT_EQ(graph.GetGlobals(seen.data())[0], 16.0F / 1024);
    EXPECT_FLOAT_EQ(graph.GetGlobals(seen.data())[1], 5.0F / 1024);
    EXPECT_EQ(graph.GetGlobals(seen.data())[2], 0.5F);

    problem->Act(20);
    problem->Observe(seen.data());
    EXPECT_EQ(graph.GetLinks(seen.data())[3], 7.0F / 32);
    EXPECT_EQ(nodes[3 * 3], Squashed(0));
    EXPECT_EQ(nodes[3 * 3 + 1], Squashed(11.0 / 8));
    EXPECT_EQ(nodes[3 * 3 + 2], 0);
    EXPECT_EQ(graph.GetGlobals(seen.data())[2], 1.0F);
}

TEST(RddcAllocationTest, MasksWhatCannotServe)
{
    auto problem = ListedProblem({{0, 1, 16, 4, 90}, {1, 1, 4, 20, 90}, {2, 1, 1, 1, 1}});
    problem->Act(0);
    auto mask = MaskOf(*problem);
    EXPECT_EQ(mask[0], 1) << "it has memory";
    problem->Act(1);
    mask = MaskOf(*problem);
    EXPECT_EQ(mask[0], 1);
    EXPECT_EQ(mask[1], 0) << "chosen";
    EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 63);
    problem->Act(2);
    EXPECT_EQ(problem->GetManager()->GetCounters().granted, 2U);
}

TEST(RddcAllocationTest, MaskOfPathsIsCertain)
{
    auto problem = DrawnProblem(5);
    problem->SetAttribute("Mask", StringValue("Connected"));
    uint32_t hopeless = 0;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        const auto mask = MaskOf(*problem);
        const bool any = std::count(mask.begin(), mask.end(), 1) > 0;
        hopeless += !any;
        const auto refused = problem->GetManager()->GetCounters().refused;
        RandomServer policy(i);
        problem->Act(policy.Decide(*problem));
        ASSERT_EQ(problem->GetManager()->GetCounters().refused > refused, !any);
    }
    EXPECT_GT(hopeless, 10U);
}

TEST(RddcAllocationTest, RewardsTheLastAction)
{
    auto problem = ListedProblem({{0, 1, 20, 5, 5}, {1, 1, 30, 5, 5}, {2, 1, 1, 1, 5}});
    for (const uint32_t action : {0, 1, 5, 5, 9})
    {
        EXPECT_FALSE(problem->IsDone());
        problem->Act(action);
    }
    std::vector<float> rewards;
    problem->TakeRewards(rewards);
    EXPECT_EQ(rewards, (std::vector<float>{0, 10, 0, -10, 10}));
    EXPECT_TRUE(problem->IsDone());
    EXPECT_EQ(problem->GetNRequests(), 3U);
    EXPECT_DOUBLE_EQ(problem->GetScore(), 1.0 / 3);
    rewards.clear();
    problem->TakeRewards(rewards);
    EXPECT_TRUE(rewards.empty());
}

TEST(RddcAllocationTest, EpisodesEndAndBeginEmpty)
{
    auto problem = DrawnProblem(9);
    problem->SetAttribute("MaxRequests", UintegerValue(32));
    RandomServer policy(3);
    std::vector<RddcRequest> first;
    for (uint32_t episode = 0; episode < 3; ++episode)
    {
        problem->Reset();
        EXPECT_EQ(problem->GetManager()->GetTime(), 1);
        EXPECT_EQ(problem->GetManager()->GetServers().GetCpuUse(), 0);
        first.push_back(problem->GetManager()->GetCurrent().request);
        uint32_t requests = 0;
        while (!problem->IsDone())
        {
            problem->RunRequest(policy);
            ++requests;
        }
        EXPECT_EQ(requests, 32U);
    }
    EXPECT_FALSE(first[1] == first[2]) << "another episode";
}

TEST(RddcAllocationTest, ACopyGoesOnAlike)
{
    auto problem = DrawnProblem(11);
    RandomServer before(1);
    for (uint32_t i = 0; i < 501; ++i)
    {
        problem->Act(before.Decide(*problem));
    }
    std::vector<RddcRequest> rest(300);
    auto source = CreateObject<RddcRequestGenerator>();
    source->AssignStreams(70);
    for (auto& request : rest)
    {
        source->Next(request);
    }
    auto a = problem->Clone(CreateObject<ListedRequests>(rest));
    const auto untouched = problem->GetManager()->GetServers();
    auto b = problem->Clone(CreateObject<ListedRequests>(rest));
    RandomServer one(2);
    RandomServer two(2);
    while (!a->IsDone())
    {
        a->Act(one.Decide(*a));
        b->Act(two.Decide(*b));
        const auto x = ObservationOf(*a);
        const auto y = ObservationOf(*b);
        ASSERT_EQ(x, y);
    }
    EXPECT_TRUE(b->IsDone());
    std::vector<float> rewards[2];
    a->TakeRewards(rewards[0]);
    b->TakeRewards(rewards[1]);
    EXPECT_EQ(rewards[0], rewards[1]);
    EXPECT_EQ(problem->GetManager()->GetServers(), untouched);
}

} // namespace
