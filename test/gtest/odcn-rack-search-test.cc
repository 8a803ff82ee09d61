// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What is carried on from decision to decision is what a look at everything would find: racks of
 * the greatest weighted sum, loads of circuits, bounds of the latency; bit for bit, over long runs
 * with departures, refusals, reconfigurations and failing ports.
 */

#include "odcn-test-system.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A rack found by looking at all of them.
struct Found
{
    RackId rack;    //!< the best
    bool isCertain; //!< whether a rack with all that is needed was there
};

/// @param system at a decision  @param sum weights  @return the rack, from observation and mask
Found
LookAtAll(const TestSystem& system, const OdcnWeightedSum& sum)
{
    const auto seen = system.Observe();
    const auto mask = system.Mask();
    const std::size_t n = mask.size();
    Found found{NO_RACK, false};
    float most = 0;
    for (RackId rack = 0; rack < n; ++rack)
    {
        float x = sum.bias;
        bool marked = false;
        for (std::size_t f = 0; f < sum.weights.size(); ++f)
        {
            x += sum.weights[f] * seen[f * n + rack];
            marked = marked || (f % OdcnRackFeatures::COUNT == OdcnRackFeatures::MARKER &&
                                seen[f * n + rack] < 0);
        }
        found.isCertain = found.isCertain || !marked;
        if (mask[rack] && (found.rack == NO_RACK || x > most))
        {
            found.rack = rack;
            most = x;
        }
    }
    return found;
}

/// @param network circuits  @return the greatest load between two racks, all pairs
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
    network.SetPortFailed(rack, port, output, !network.GetCircuits().IsFailed(rack, port, output));
}

/// How circuits are shared and whether they may move.
struct Circuits
{
    const char* sharing; //!< of NMgr
    bool reconfigurable; //!< of NMgr
};

class RackSearch : public testing::TestWithParam<Circuits>
{
};

} // namespace

TEST_P(RackSearch, FindsWhatALookAtAllFinds)
{
    TestSystem system(7, 4, OdcnResources::Of(32, 256, 3584));
    system.network->SetAttribute("Sharing", StringValue(GetParam().sharing));
    system.network->SetAttribute("Reconfigurable", BooleanValue(GetParam().reconfigurable));
    system.network->SetAttribute("PortsPerTor", UintegerValue(12));
    system.problem->SetAttribute("State", StringValue("Placement"));
    system.Start(TestGenerator(5, 11));
    std::mt19937_64 random(5);
    RandomRack policy(3, 0.4, 0.9);
    std::vector<float> weights(3 * std::size_t{OdcnRackFeatures::COUNT});
    OdcnWeightedSum sum{weights, 0};
    int certain = 0;
    int none = 0;
    for (int i = 0; i < 12000; ++i)
    {
        if (i % 500 == 0)
        {
            for (float& w : weights)
            {
                w = std::normal_distribution<float>()(random);
            }
            // Now and then nothing but ties.
            std::fill_n(weights.begin(), i % 2000 ? 0 : weights.size(), 0.0F);
            sum.bias = static_cast<float>(i % 3);
        }
        if (system.problem->GetVmIndex() == 0 && random() % 8 == 0)
        {
            Break(*system.network, random);
        }
        // Sometimes nobody asks, for a decision or for many.
        if (i / 100 % 5 != 0 && random() % 4 != 0)
        {
            const auto expected = LookAtAll(system, sum);
            uint32_t action = 99;
            ASSERT_EQ(system.problem->FindGreatest(sum, action), expected.isCertain) << i;
            ASSERT_EQ(action, expected.isCertain ? expected.rack : 99) << i;
            certain += expected.isCertain;
            none += !expected.isCertain;
            // The first of two clones carries on what was kept, the second looks after a change.
            auto copy = system.problem->Clone(CreateObject<OdcnJobGenerator>());
            copy->GetManager()->GetNetwork()->Release({});
            ASSERT_EQ(copy->FindGreatest(sum, action), expected.isCertain) << i;
            ASSERT_EQ(action, expected.isCertain ? expected.rack : 99) << i;
        }
        system.problem->Act(policy.Decide(*system.problem));
    }
    EXPECT_GT(certain, 4000);
    EXPECT_GT(none, 50);
}

TEST_P(RackSearch, KeepsLoadsAndBoundsOfTheLatency)
{
    TestSystem system(6, 4, OdcnResources::Of(32, 256, 3584));
    system.network->SetAttribute("Sharing", StringValue(GetParam().sharing));
    system.network->SetAttribute("Reconfigurable", BooleanValue(GetParam().reconfigurable));
    system.problem->SetAttribute("Alpha", DoubleValue(3));
    system.Start(TestGenerator(5, 12));
    std::mt19937_64 random(6);
    RandomRack policy(4, 0.4, 0.9);
    int accepted = 0;
    for (int i = 0; i < 6000; ++i)
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
        // What arrives after the job took nothing back: the latency is that of its reward.
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

INSTANTIATE_TEST_SUITE_P(
    Circuits,
    RackSearch,
    testing::Values(Circuits{"Pooled", true}, Circuits{"Pooled", false}, Circuits{"Pinned", true}),
    [](const auto& info) {
        return std::string(info.param.sharing) + (info.param.reconfigurable ? "Movable" : "Fixed");
    });

TEST(RackSearchOff, LeavesOtherStatesToTheObservation)
{
    TestSystem system(3, 2, OdcnResources::Of(32, 256, 3584));
    const std::vector<float> weights(3 * std::size_t{OdcnRackFeatures::COUNT}, 1.0F);
    system.Start(TestGenerator(5, 13));
    uint32_t action = 7;
    EXPECT_FALSE(system.problem->FindGreatest({weights, 0}, action)) << "the paper's state";
    system.problem->SetAttribute("State", StringValue("Placement"));
    EXPECT_FALSE(system.problem->FindGreatest({std::span(weights).first(2), 0}, action));
    system.problem->SetAttribute("MaskBandwidth", BooleanValue(false));
    EXPECT_FALSE(system.problem->FindGreatest({weights, 0}, action)) << "another mask";
    EXPECT_EQ(action, 7U);
    system.problem->SetAttribute("MaskBandwidth", BooleanValue(true));
    EXPECT_TRUE(system.problem->FindGreatest({weights, 0}, action));
}
