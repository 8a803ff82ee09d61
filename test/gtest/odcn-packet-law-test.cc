// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Packet sizes and bursts that are drawn.
 */

#include "ns3/odcn-error.h"
#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

TEST(MixRandomVariable, GivesEachValueItsShare)
{
    auto mix = CreateObject<OdcnMixRandomVariable>();
    mix->SetStream(1);
    mix->SetAttribute("Mix", StringValue("64:7,594:4,99:0,1500.5:1"));
    EXPECT_NEAR(mix->GetMean(), (64 * 7 + 594 * 4 + 1500.5) / 12, 1e-9);
    std::map<double, int> counts;
    constexpr int DRAWS = 120000;
    for (int i = 0; i < DRAWS; ++i)
    {
        ++counts[mix->GetValue()];
    }
    EXPECT_EQ(counts.size(), 3);
    EXPECT_NEAR(counts[64], 70000, 700);
    EXPECT_NEAR(counts[594], 40000, 700);
    EXPECT_NEAR(counts[1500.5], 10000, 400);
    mix->SetMix("3:1");
    EXPECT_EQ(mix->GetInteger(), 3);
    EXPECT_EQ(mix->GetMix(), "3:1");
}

TEST(MixRandomVariable, RefusesWhatIsNoMix)
{
    auto mix = CreateObject<OdcnMixRandomVariable>();
    for (const char* bad : {"", "64", "64:", "64:1,", "64:1:1", "64:-1", "a:1", "64:nan", "64:0"})
    {
        EXPECT_THROW(mix->SetMix(bad), OdcnError) << bad;
    }
    EXPECT_EQ(mix->GetMix(), "64:7,594:4,1500:1");
}

TEST(PacketLaw, CopiesItsPatternOntoTheFlowsOwnStreams)
{
    auto pattern = CreateObject<OdcnMixRandomVariable>();
    pattern->SetMix("100:1,200:1,300:1");
    pattern->SetStream(5);
    auto bursts = CreateObject<UniformRandomVariable>();
    bursts->SetAttribute("Min", StringValue("1"));
    bursts->SetAttribute("Max", StringValue("9"));
    const OdcnPacketLaw law(pattern, bursts, 70);
    auto sizes = CreateObject<OdcnMixRandomVariable>();
    sizes->SetMix("100:1,200:1,300:1");
    sizes->SetStream(70 + OdcnPacketLaw::SIZE_STREAMS);
    bursts->SetStream(70 + OdcnPacketLaw::BURST_STREAMS);
    EXPECT_TRUE(law.DrawsSizes());
    EXPECT_TRUE(law.DrawsBursts());
    for (int i = 0; i < 1000; ++i)
    {
        ASSERT_EQ(law.NextSize(296), sizes->GetInteger());
        ASSERT_EQ(law.NextBurst(), bursts->GetInteger());
    }
    const OdcnPacketLaw none;
    EXPECT_EQ(none.NextSize(296), 296);
    EXPECT_EQ(none.NextBurst(), 1);
}

TEST(PacketLaw, RefusesWhatCannotBe)
{
    auto pattern = CreateObject<OdcnMixRandomVariable>();
    pattern->SetMix("64:1");
    OdcnPacketLaw law(pattern, pattern, 1);
    EXPECT_EQ(law.NextSize(0), 64);
    EXPECT_EQ(law.NextBurst(), 64);
    law.SetBounds(65, 1500);
    EXPECT_THROW(law.NextSize(0), OdcnError);
    law.SetBounds(44, 63);
    EXPECT_THROW(law.NextSize(0), OdcnError);
    pattern->SetMix("0:1");
    EXPECT_THROW(OdcnPacketLaw(nullptr, pattern, 1).NextBurst(), OdcnError);
    pattern->SetMix("65537:1");
    EXPECT_THROW(OdcnPacketLaw(nullptr, pattern, 1).NextBurst(), OdcnError);
    EXPECT_THROW(OdcnPacketLaw(CreateObject<EmpiricalRandomVariable>(), nullptr, 1), OdcnError);
    EXPECT_THROW(OdcnPacketLaw(nullptr, CreateObject<DeterministicRandomVariable>(), 1), OdcnError);
}
