// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Incremental results equal those of a full search: racks of the greatest
 * score of a linear policy, loads of circuits, bounds of the latency; bit for bit, over long runs
 * with departures, refusals, reconfigurations and failing ports.
 */

#include "odcn-test-system.h"

#include "ns3/odcn-linear-policy.h"

#include <optional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param system at a decision  @return whether a rack has a server and direct bandwidth
bool
HasFeasibleRack(const TestSystem& system)
{
    for (RackId rack = 0; rack < system.problem->GetNActions(); ++rack)
    {
        if (system.problem->GetViews().Get(rack).Feasible())
        {
            return true;
        }
    }
    return false;
}

/**
 * Full search.
 * @param weights of the features
 * @param bias added to all scores
 * @return the rack, from observation and mask
 */
RackId
FullSearch(const TestSystem& system, const std::vector<float>& weights, float bias)
{
    const auto observation = system.Observe();
    const auto mask = system.Mask();
    const std::size_t n = mask.size();
    const bool none = std::find(mask.begin(), mask.end(), 1) == mask.end();
    RackId best = NO_RACK;
    float most = 0;
    for (RackId rack = 0; rack < n; ++rack)
    {
        float x = bias;
        for (std::size_t f = 0; f < weights.size(); ++f)
        {
            x += weights[f] * observation[f * n + rack];
        }
        if ((none || mask[rack]) && (best == NO_RACK || x > most))
        {
            best = rack;
            most = x;
        }
    }
    return best;
}

/// @param network circuits  @return the greatest load between two racks, over all pairs
std::vector<float>
PeaksAnew(const NMgr& network)
{
    const auto& circuits = network.GetCircuits();
    std::vector<float> peaks;
    for (RackId u = 0; u < circuits.GetNRacks(); ++u)
    {
        for (RackId v = 0; v < circuits.GetNRacks(); ++v)
        {
            const auto load = [&](RackId a, RackId b)
            { return OdcnRackFeatures::Load(circuits.GetUsed(a, b), circuits.GetCapacity(a, b)); };
            peaks.push_back(static_cast<float>(std::max(load(u, v), load(v, u))));
        }
    }
    return peaks;
}

/// @param network circuits  @param random picks a port that fails or is repaired
void
Break(NMgr& network, std::mt19937_64& random)
{
    const auto rack = static_cast<RackId>(random() % network.GetCircuits().GetNRacks());
    const auto port = static_cast<uint32_t>(random() % network.GetCircuits().GetPorts());
    const bool output = random() % 2;
    if (port >= network.GetCircuits().GetPorts(rack))
    {
        return;
    }
    network.SetPortFailed(rack, port, output, !network.GetCircuits().IsFailed(rack, port, output));
}

/// Settings of the network.
struct Circuits
{
    const char* sharing; //!< of NMgr
    bool reconfigurable; //!< of NMgr
    bool unequal{false}; //!< whether racks differ
};

using RackSearch = testing::TestWithParam<Circuits>;

/// @param circuits settings of the network  @param state what is observed  @return seven racks
TestSystem
MakeSevenRacks(const Circuits& circuits, const std::string& state)
{
    TestSystem system(7, 4, OdcnResources::Of(32, 256, 3584));
    system.network->SetAttribute("Sharing", StringValue(circuits.sharing));
    system.network->SetAttribute("Reconfigurable", BooleanValue(circuits.reconfigurable));
    system.problem->SetAttribute("State", StringValue(state));
    return system;
}

} // namespace

TEST_P(RackSearch, FindsWhatAFullSearchFinds)
{
    auto system = MakeSevenRacks(GetParam(), "Placement");
    system.network->SetAttribute("PortsPerTor", UintegerValue(12));
    if (GetParam().unequal)
    {
        system.Set("ServersByRack=7,1,4,3*3,9|PortsByTor=4*12,3*6|"
                   "PortRateByTor=2*40Gbps,3*100Gbps,2*40Gbps");
    }
    system.Start(TestGenerator(5, 11));
    std::mt19937_64 random(5);
    RandomRack policy(3, 0.4, 0.9);
    std::vector<float> weights(3 * std::size_t{OdcnRackFeatures::COUNT});
    float bias = 0;
    OdcnRackSearch search;
    auto linear = CreateObject<LinearPolicy>();
    auto shared = CreateObject<LinearPolicy>();
    int feasible = 0;
    int none = 0;
    for (int i = 0; i < 12000; ++i)
    {
        if (i % 500 == 0)
        {
            for (float& w : weights)
            {
                w = std::normal_distribution<float>()(random);
            }
            // Sometimes all weights are 0: nothing but ties.
            std::fill_n(weights.begin(), i % 2000 ? 0 : weights.size(), 0.0F);
            bias = static_cast<float>(i % 3);
            linear->SetWeights(weights, bias);
            shared->SetWeights(weights, bias);
        }
        if (i % 3000 == 2999)
        {
            system.problem->Reset();
        }
        if (system.problem->GetVmIndex() == 0 && random() % 8 == 0)
        {
            Break(*system.network, random);
        }
        // Between the searches there are one, a few or many decisions.
        if (i / 100 % 5 != 0 && random() % 4 != 0)
        {
            const bool isFeasible = HasFeasibleRack(system);
            const RackId expected = FullSearch(system, weights, bias);
            ASSERT_EQ(search.Find(*system.problem, weights, bias), isFeasible ? expected : NO_RACK)
                << i;
            ASSERT_EQ(linear->Decide(*system.problem), expected) << i;
            ASSERT_EQ(shared->Decide(*system.problem), expected) << i;
            feasible += isFeasible;
            none += !isFeasible;
            // One policy for a problem and for its copy, whose versions diverge.
            auto next = system.problem->GetJob();
            next.arrival += 1;
            auto copy = system.problem->Clone(
                Ptr<OdcnJobSource>(CreateObject<ListedJobs>(std::vector<OdcnJob>{next})));
            copy->GetManager()->GetNetwork()->Release({});
            ASSERT_NE(copy->GetEpisode(), system.problem->GetEpisode());
            ASSERT_EQ(shared->Decide(*copy), expected) << i;
            if (random() % 4 == 0)
            {
                copy->Act(expected);
                auto fresh = CreateObject<LinearPolicy>();
                fresh->SetWeights(weights, bias);
                ASSERT_EQ(shared->Decide(*copy), fresh->Decide(*copy)) << i;
            }
        }
        system.problem->Act(policy.Decide(*system.problem));
    }
    EXPECT_GT(feasible, 4000);
    EXPECT_GT(none, 50);
}

TEST_P(RackSearch, LeavesTheFirstVmToTheObservation)
{
    auto system = MakeSevenRacks(GetParam(), "Opening");
    system.Start(TestGenerator(5, 11));
    std::mt19937_64 random(5);
    RandomRack policy(3, 0.4, 0.9);
    std::vector<float> weights(LinearPolicy::CountFeatures(*system.problem));
    auto linear = CreateObject<LinearPolicy>();
    int first = 0;
    int changed = 0;
    for (int i = 0; i < 6000; ++i)
    {
        if (i % 500 == 0)
        {
            for (float& w : weights)
            {
                w = std::normal_distribution<float>()(random);
            }
            linear->SetWeights(weights, 0.5F);
        }
        const bool isFirst = system.problem->GetVmIndex() == 0;
        ASSERT_EQ(OdcnRackSearch::Knows(*system.problem), !isFirst);
        // Often the first call for a job is about one of its later VMs.
        if (random() % 3 != 0)
        {
            const RackId expected = FullSearch(system, weights, 0.5F);
            ASSERT_EQ(linear->Decide(*system.problem), expected) << i;
            auto later = weights;
            std::fill(later.begin() + 3 * OdcnRackFeatures::COUNT, later.end(), 0.0F);
            const bool isChanged = FullSearch(system, later, 0.5F) != expected;
            ASSERT_FALSE(isChanged && !isFirst) << "what is added is for first VMs";
            first += isFirst;
            changed += isChanged;
        }
        system.problem->Act(policy.Decide(*system.problem));
    }
    EXPECT_GT(first, 200);
    EXPECT_GT(changed, 50);
}

TEST_P(RackSearch, IsNotUsedWithoutMask)
{
    TestSystem system(7, 4, OdcnResources::Of(32, 256, 3584));
    system.network->SetAttribute("Sharing", StringValue(GetParam().sharing));
    system.problem->SetAttribute("State", StringValue("Placement"));
    system.Start(TestGenerator(5, 11));
    std::vector<float> weights(3 * std::size_t{OdcnRackFeatures::COUNT}, 0.0F);
    for (std::size_t f = 0; f < weights.size(); f += OdcnRackFeatures::COUNT)
    {
        weights[f + OdcnRackFeatures::MARKER] = -1; // the worst rack
    }
    auto linear = CreateObject<LinearPolicy>();
    linear->SetWeights(weights, 0);
    linear->SetAttribute("UseMask", BooleanValue(false));
    RandomRack policy(3, 0.4, 0.9);
    int infeasible = 0;
    for (int i = 0; i < 2000; ++i)
    {
        const RackId rack = linear->Decide(*system.problem);
        infeasible += !system.problem->GetViews().Get(rack).Feasible();
        system.problem->Act(policy.Decide(*system.problem));
    }
    EXPECT_GT(infeasible, 50);
}

TEST_P(RackSearch, KeepsLoadsAndBoundsOfTheLatency)
{
    TestSystem system(6, 4, OdcnResources::Of(32, 256, 3584));
    system.network->SetAttribute("Sharing", StringValue(GetParam().sharing));
    system.network->SetAttribute("Reconfigurable", BooleanValue(GetParam().reconfigurable));
    if (GetParam().unequal)
    {
        system.Set("PortsByTor=3*9,3*6|PortRateByTor=2*40Gbps,3*100Gbps,40Gbps");
    }
    system.problem->SetAttribute("Alpha", DoubleValue(3));
    system.Start(TestGenerator(5, 12));
    std::mt19937_64 random(6);
    RandomRack policy(4, 0.4, 0.9);
    int accepted = 0;
    for (int i = 0; i < 12000; ++i)
    {
        if (system.problem->GetVmIndex() == 0 && random() % 8 == 0)
        {
            Break(*system.network, random);
        }
        if (random() % 3 == 0)
        {
            const auto peaks = PeaksAnew(*system.network);
            const float* kept = system.network->GetLoads().GetPeaks(0);
            ASSERT_EQ(std::vector<float>(kept, kept + peaks.size()), peaks) << i;
        }
        if (random() % 3 == 0)
        {
            const double exact = system.network->GetMeanLatencyNs();
            const auto bounds = system.network->GetMeanLatencyBoundsNs();
            ASSERT_LE(bounds.low, exact) << i;
            ASSERT_GE(bounds.high, exact) << i;
            ASSERT_LE(bounds.high - bounds.low, 1e-12 * exact) << i;
        }
        // If no job left since the decision, the latency is that of the job's reward.
        const auto before = system.problem->GetNJobs();
        const std::size_t vms = system.problem->GetJob().vms.size();
        const auto active = system.manager->GetNActive();
        std::optional<double> latency;
        const auto rack = policy.Decide(*system.problem);
        if (system.problem->GetVmIndex() + 1 == vms)
        {
            auto copy = system.problem->Clone(
                Ptr<OdcnJobSource>(CreateObject<ListedJobs>(std::vector<OdcnJob>())));
            copy->Act(rack);
            latency = copy->GetManager()->GetNActive() > active
                          ? std::optional(copy->GetManager()->GetNetwork()->GetMeanLatencyNs())
                          : std::nullopt;
            const bool moved = copy->GetManager()->GetCounters().Reconfigurations() >
                               system.manager->GetCounters().Reconfigurations();
            latency = moved ? std::nullopt : latency;
        }
        system.problem->Act(rack);
        const auto rewards = system.Rewards();
        if (latency)
        {
            ASSERT_EQ(system.problem->GetNJobs(), before + 1);
            ASSERT_EQ(rewards, std::vector<float>(vms, static_cast<float>(1 + 3 / *latency))) << i;
            ++accepted;
        }
    }
    EXPECT_GT(accepted, 100);
}

INSTANTIATE_TEST_SUITE_P(Circuits,
                         RackSearch,
                         testing::Values(Circuits{"Pooled", true},
                                         Circuits{"Pooled", false},
                                         Circuits{"Pinned", true},
                                         Circuits{"Pooled", true, true},
                                         Circuits{"Pinned", true, true}),
                         [](const auto& info)
                         {
                             return std::string(info.param.sharing) +
                                    (info.param.reconfigurable ? "Movable" : "Fixed") +
                                    (info.param.unequal ? "Unequal" : "");
                         });

TEST(RackSearchOff, LeavesOtherStatesToTheObservation)
{
    TestSystem system(3, 2, OdcnResources::Of(32, 256, 3584));
    system.Start(TestGenerator(5, 13));
    EXPECT_FALSE(OdcnRackSearch::Knows(*system.problem)) << "the paper's state";
    system.problem->SetAttribute("State", StringValue("Placement"));
    EXPECT_TRUE(OdcnRackSearch::Knows(*system.problem));
    system.problem->SetAttribute("MaskBandwidth", BooleanValue(false));
    EXPECT_FALSE(OdcnRackSearch::Knows(*system.problem)) << "another mask";
}
