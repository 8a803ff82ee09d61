// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Slices of a pod: their links, followed one by one, are those of the tori that were asked for.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/callback.h"
#include "ns3/odcn-torus-pod.h"
#include "ns3/uinteger.h"

#include <random>
#include <set>

namespace ns3::odcn
{
namespace
{

/// @param attributes names and values
/// @return the pod, built
Ptr<TorusPod>
MakePod(const std::vector<std::pair<std::string, uint32_t>>& attributes = {})
{
    auto pod = CreateObject<TorusPod>();
    for (const auto& [name, value] : attributes)
    {
        pod->SetAttribute(name, UintegerValue(value));
    }
    pod->Build();
    return pod;
}

/// Check that the links of a slice are those of its torus.
/// @param pod with the slice
/// @param slice its number
void
ExpectTorus(const TorusPod& pod, uint64_t slice)
{
    const Torus& torus = pod.GetTorus(slice);
    uint32_t wrong = 0;
    std::set<uint32_t> chips;
    for (uint32_t node = 0; node < torus.GetNNodes(); ++node)
    {
        chips.insert(pod.GetChip(slice, node));
        for (uint32_t direction = 0; direction < torus.GetNDirections(); ++direction)
        {
            const auto chip = pod.FollowLink(pod.GetChip(slice, node), direction);
            wrong += chip != pod.GetChip(slice, torus.GetNeighbour(node, direction));
        }
    }
    EXPECT_EQ(wrong, 0) << torus.GetText();
    EXPECT_EQ(chips.size(), torus.GetNNodes());
}

/// Check the state of a pod.
/// @param pod the pod
/// @param failed cubes
void
ExpectConsistent(const TorusPod& pod, const std::set<uint32_t>& failed)
{
    const auto cubes = pod.CountCubes();
    const auto& slices = pod.CountSlices();
    std::set<uint32_t> used;
    uint32_t sum = 0;
    for (const uint64_t slice : pod.GetSlices())
    {
        const Torus& torus = pod.GetTorus(slice);
        sum += torus.GetNNodes() / pod.GetNChips();
        for (uint32_t node = 0; node < torus.GetNNodes(); ++node)
        {
            used.insert(pod.GetChip(slice, node) / pod.GetNChips());
        }
    }
    EXPECT_EQ(used.size(), sum) << "no two slices share a cube";
    EXPECT_EQ(used.size(), cubes.used);
    EXPECT_EQ(failed.size(), cubes.failed);
    EXPECT_EQ(cubes.free + cubes.used + cubes.failed, pod.GetNCubes());
    EXPECT_EQ(slices.active, pod.GetSlices().size());
    EXPECT_EQ(slices.allocated, slices.active + slices.freed + slices.interrupted);
    for (const uint32_t cube : failed)
    {
        EXPECT_FALSE(used.contains(cube));
    }
    for (uint32_t index = 0; index < pod.GetNSwitches(); ++index)
    {
        const Matching& circuits = pod.GetCircuits(index);
        uint32_t wrong = 0;
        for (uint32_t port = 0; port < circuits.size(); ++port)
        {
            const bool isUp = circuits[port] != NO_RACK;
            wrong += isUp != used.contains(port / 2);
            wrong += isUp && (circuits[port] == port || circuits[circuits[port]] != port ||
                              circuits[port] % 2 == port % 2);
        }
        EXPECT_EQ(wrong, 0) << "a matching of + and - ports of all used cubes";
    }
}

TEST(TorusPod, SlicesAreTori)
{
    auto pod = MakePod();
    EXPECT_EQ(pod->GetNSwitches(), 48U);
    for (const auto& [shape, twisted] :
         std::vector<std::pair<std::string, bool>>{{"4x4x4", false},
                                                   {"4x4x8", false},
                                                   {"4x4x8", true},
                                                   {"8x4x4", true},
                                                   {"4x8x8", true},
                                                   {"8x8x8", false},
                                                   {"8x8x16", true},
                                                   {"12x4x8", false}})
    {
        const auto slice = pod->Allocate(Torus(shape, twisted));
        ASSERT_TRUE(slice) << shape;
        ExpectTorus(*pod, *slice);
        ExpectConsistent(*pod, {});
    }
}

TEST(TorusPod, AnyFreeCubesDo)
{
    auto pod = MakePod({{"Cubes", 4}});
    const Torus one("4x4x4");
    const Torus two("4x4x8", true);
    std::vector<uint64_t> slices;
    for (int i = 0; i < 4; ++i)
    {
        slices.push_back(pod->Allocate(one).value());
    }
    EXPECT_FALSE(pod->Allocate(one));
    pod->Free(slices[0]);
    EXPECT_FALSE(pod->Allocate(two));
    pod->Free(slices[3]);
    const uint64_t apart = pod->Allocate(two).value();
    ExpectTorus(*pod, apart);
    EXPECT_EQ(pod->GetChip(apart, 0) / 64, 0U);
    EXPECT_EQ(pod->GetChip(apart, 127) / 64, 3U);
    EXPECT_EQ(pod->CountSlices().refused, 2U);
    EXPECT_EQ(pod->GetNSetUp(), (4 + 2) * 48U);
}

TEST(TorusPod, AFailedCubeIsSwappedOrEndsItsSlice)
{
    auto pod = MakePod({{"Cubes", 5}, {"Spares", 1}});
    std::vector<uint64_t> interrupted;
    std::vector<uint32_t> changed(48, 0);
    pod->TraceConnectWithoutContext("Interrupted",
                                    Callback<void, uint64_t>(
                                        [&](uint64_t slice)
                                        {
                                            EXPECT_TRUE(pod->GetSlices().empty()) << "it has ended";
                                            interrupted.push_back(slice);
                                        }));
    pod->TraceConnectWithoutContext("Circuits",
                                    Callback<void, uint32_t, const Matching&>(
                                        [&](uint32_t index, const Matching& circuits)
                                        {
                                            EXPECT_EQ(circuits, pod->GetCircuits(index));
                                            ++changed[index];
                                        }));
    const uint64_t slice = pod->Allocate(Torus("4x8x8", true)).value();
    EXPECT_FALSE(pod->Allocate(Torus("4x4x4"))) << "the fifth is a spare";
    EXPECT_EQ(pod->Fail(2), 4U);
    ExpectTorus(*pod, slice);
    ExpectConsistent(*pod, {2});
    EXPECT_EQ(pod->Fail(2), std::nullopt) << "it has failed already";
    EXPECT_EQ(pod->GetNSetUp(), (4 * 3 + 6) * 16U) << "its six faces";
    EXPECT_EQ(pod->Fail(0), std::nullopt);
    EXPECT_EQ(interrupted, std::vector<uint64_t>{slice});
    EXPECT_TRUE(pod->GetSlices().empty());
    ExpectConsistent(*pod, {0, 2});
    EXPECT_EQ(changed, std::vector<uint32_t>(48, 3));
    pod->Repair(0);
    pod->Repair(1);
    EXPECT_EQ(pod->CountCubes().free, 4U);
    EXPECT_EQ(pod->CountSlices().swapped, 1U);
}

TEST(TorusPod, RefusesWhatItCannotHave)
{
    EXPECT_REFUSAL(MakePod({{"Cubes", 69}}),
                   "69 cubes take 138 ports of each optical switch, "
                   "expected at most 136");
    EXPECT_REFUSAL(MakePod({{"Side", 5}}), "take 75 optical switches, expected at most 48");
    MakePod({{"Cubes", 68}});
    auto pod = MakePod({{"Spares", 4}});
    EXPECT_REFUSAL(pod->Allocate(Torus("16x16x16")),
                   "a slice of 16x16x16 takes 64 cubes, "
                   "expected at most 60 of 64");
    EXPECT_REFUSAL(pod->Allocate(Torus("16x16x32", true)), "16x16x32 twisted takes 128 cubes");
    EXPECT_REFUSAL(pod->Allocate(Torus("4x4x6")), "multiples of 4");
    EXPECT_REFUSAL(pod->Allocate(Torus("4x4")), "three sides");
    EXPECT_REFUSAL(pod->Free(0), "slice 0");
    EXPECT_REFUSAL(pod->Fail(64), "cube 64");
    EXPECT_REFUSAL(pod->Repair(64), "cube 64");
    EXPECT_REFUSAL(pod->GetChip(pod->Allocate(Torus("4x4x4")).value(), 64), "node 64");
    EXPECT_REFUSAL(pod->FollowLink(0, 6), "direction 6");
    EXPECT_REFUSAL(pod->GetCircuits(48), "switch 48");
    EXPECT_EQ(pod->CountSlices().allocated, 1U);
    EXPECT_EQ(pod->CountSlices().refused, 0U);
    EXPECT_EQ(pod->FollowLink(64 * 63, 1), std::nullopt) << "a cube in no slice";
}

TEST(TorusPod, RandomSequences)
{
    const std::vector<Torus> tori{Torus("2x2x2"),
                                  Torus("2x2x4"),
                                  Torus("2x2x4", true),
                                  Torus("4x2x4", true),
                                  Torus("2x6x2"),
                                  Torus("4x4x4")};
    for (uint32_t sequence = 0; sequence < 10000; ++sequence)
    {
        std::mt19937 random(sequence);
        auto pod = MakePod({{"Side", 2},
                            {"Switches", 12},
                            {"Ports", 30},
                            {"Cubes", 8 + random() % 8},
                            {"Spares", random() % 3}});
        std::set<uint32_t> failed;
        uint64_t asked = 0;
        uint64_t setUp = 0;
        for (uint32_t step = 0; step < 12; ++step)
        {
            const auto slices = pod->GetSlices();
            const auto cube = static_cast<uint32_t>(random() % pod->GetNCubes());
            switch (random() % 6)
            {
            case 0:
            case 1:
            case 2:
            {
                const auto before = pod->CountCubes();
                const Torus& torus = tori[random() % (pod->GetNCubes() < 10 ? 5 : tori.size())];
                const auto slice = pod->Allocate(torus);
                ++asked;
                UintegerValue spares;
                pod->GetAttribute("Spares", spares);
                EXPECT_EQ(slice.has_value(), before.free >= torus.GetNNodes() / 8 + spares.Get());
                setUp += slice ? torus.GetNNodes() / 8 * 12 : 0;
                EXPECT_EQ(pod->GetNSetUp(), setUp);
                break;
            }
            case 3:
                if (!slices.empty())
                {
                    pod->Free(slices[random() % slices.size()]);
                }
                break;
            case 4:
                failed.insert(cube);
                pod->Fail(cube);
                setUp = pod->GetNSetUp();
                break;
            default:
                failed.erase(cube);
                pod->Repair(cube);
            }
            ExpectConsistent(*pod, failed);
        }
        EXPECT_EQ(asked, pod->CountSlices().allocated + pod->CountSlices().refused);
        for (const uint64_t slice : pod->GetSlices())
        {
            ExpectTorus(*pod, slice);
        }
        if (HasFailure())
        {
            FAIL() << "sequence " << sequence;
        }
    }
}

} // namespace
} // namespace ns3::odcn
