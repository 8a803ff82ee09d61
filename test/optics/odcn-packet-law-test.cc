// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Random packet sizes and bursts.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/rng-seed-manager.h"

using namespace ns3;
using namespace ns3::odcn;

TEST(MixRandomVariable, GivesEachValueItsShare)
{
    auto mix = CreateObject<MixRandomVariable>();
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

TEST(MixRandomVariable, IntegersStayWithinTheirType)
{
    auto mix = CreateObject<MixRandomVariable>();
    mix->SetStream(1);
    mix->SetMix("-1e300:1");
    EXPECT_EQ(mix->GetInteger(), 0U);
    mix->SetMix("1e300:1");
    EXPECT_EQ(mix->GetInteger(), UINT32_MAX);
    mix->SetMix("1500.9:1");
    EXPECT_EQ(mix->GetInteger(), 1500U);
}

TEST(MixRandomVariable, RefusesWhatIsNoMix)
{
    auto mix = CreateObject<MixRandomVariable>();
    for (const char* bad : {"", "64", "64:", "64:1,", "64:1:1", "64:-1", "a:1", "64:nan", "64:0"})
    {
        EXPECT_THROW(mix->SetMix(bad), OdcnError) << bad;
    }
    EXPECT_EQ(mix->GetMix(), "64:7,594:4,1500:1");
}

namespace
{

/// @param sizes of packets  @param bursts of packets  @return a law
PacketLaw
Law(Ptr<RandomVariableStream> sizes, Ptr<RandomVariableStream> bursts)
{
    PacketLaw law;
    law.sizes = sizes;
    law.bursts = bursts;
    return law;
}

/// Packets that a flow of 400-byte packets with a mean gap of 1000 sends in an interval.
struct Sent
{
    std::vector<int64_t> times; //!< of packets
    double bytes{0};            //!< of all packets

    /// @param law of the flow  @param until end of the interval
    Sent(const PacketLaw& law, int64_t until)
    {
        PacketSource source(law, 7);
        for (int64_t time = source.Start(1000, 400); time < until;)
        {
            const uint32_t packets = source.NextBurst();
            for (uint32_t i = 0; i < packets; ++i)
            {
                times.push_back(time);
                bytes += source.NextSize();
            }
            time += source.NextGap(packets);
        }
    }
};

} // namespace

TEST(RandomStream, GivesTheNumbersOfRandomVariables)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    for (const uint32_t seed : {1U, 12345U, 4294944442U})
    {
        RngSeedManager::SetSeed(seed);
        for (const int64_t stream : {0LL, 1LL, 70LL, 1LL << 40, (1LL << 62) + 3})
        {
            RngSeedManager::SetRun(seed == 12345 ? UINT64_MAX - stream : stream % 7 + 1);
            uniform->SetStream(stream);
            RandomStream random(stream);
            for (uint32_t i = 1; i <= 1000; ++i)
            {
                ASSERT_EQ(random.NextU01(), uniform->GetValue(0, 1)) << seed << " " << stream;
                ASSERT_EQ(random.NextInteger(i), uniform->GetInteger(0, i - 1));
            }
        }
    }
    RngSeedManager::SetSeed(4294944443);
    EXPECT_REFUSAL(RandomStream(0), "RngSeed");
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    EXPECT_NE(RandomStream(-1).NextU01(), RandomStream(-1).NextU01()) << "automatic streams";
}

TEST(PacketSource, CopiesItsPatternOntoTheFlowsOwnStreams)
{
    auto pattern = CreateObject<MixRandomVariable>();
    pattern->SetMix("100:1,200:1,300:1");
    pattern->SetStream(5);
    auto bursts = CreateObject<UniformRandomVariable>();
    bursts->SetAttribute("Min", StringValue("1"));
    bursts->SetAttribute("Max", StringValue("9"));
    PacketSource source(Law(pattern, bursts), 70);
    auto sizes = CreateObject<MixRandomVariable>();
    sizes->SetMix("100:1,200:1,300:1");
    sizes->SetStream(70 + PacketSource::SIZE_STREAMS);
    bursts->SetStream(70 + PacketSource::BURST_STREAMS);
    auto gaps = CreateObject<ExponentialRandomVariable>();
    gaps->SetStream(70);
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(70);
    // The burst before the first gap: of at most 10, drawn again unless in proportion to its size.
    const auto isRefused = [&](uint32_t packets)
    {
        gaps->GetValue(1, 0); // has the same stream
        return uniform->GetValue(0, 1) * 10 >= packets;
    };
    uint32_t before = bursts->GetInteger();
    while (isRefused(before))
    {
        before = bursts->GetInteger();
    }
    ASSERT_EQ(source.Start(1000, 296), std::llround(gaps->GetValue(before * 1000, 0)));
    for (int i = 0; i < 1000; ++i)
    {
        ASSERT_EQ(source.NextSize(), sizes->GetInteger());
        const uint32_t packets = source.NextBurst();
        ASSERT_EQ(packets, bursts->GetInteger());
        ASSERT_EQ(source.NextGap(packets), std::llround(gaps->GetValue(packets * 1000, 0)));
    }
    PacketSource plain(PacketLaw(), 1);
    plain.Start(1000, 296);
    EXPECT_EQ(plain.NextSize(), 296);
    EXPECT_EQ(plain.NextBurst(), 1);
}

TEST(PacketSource, DeterministicGapsAreEqualAndDoNotDrift)
{
    PacketLaw law;
    law.arrivals = PacketLaw::DETERMINISTIC;
    PacketSource source(law, 3);
    const int64_t first = source.Start(1000.4, 296);
    EXPECT_GE(first, 0);
    EXPECT_LE(first, 1001);
    int64_t time = first;
    for (int i = 1; i <= 10000; ++i)
    {
        const int64_t gap = source.NextGap(1);
        EXPECT_TRUE(gap == 1000 || gap == 1001) << gap;
        time += gap;
        EXPECT_NEAR(static_cast<double>(time - first), 1000.4 * i, 1) << i;
    }
    EXPECT_NEAR(static_cast<double>(source.NextGap(5)), 5 * 1000.4, 1);
    EXPECT_NE(source.Start(1000.4, 296), first) << "the next flow has another phase";
}

TEST(PacketSource, OnOffAlternatesAndHoldsTheRate)
{
    PacketLaw law;
    law.arrivals = PacketLaw::ON_OFF;
    law.onTime = 20000;
    law.offTime = 60000;
    constexpr int64_t UNTIL = 400'000'000;
    const Sent sent(law, UNTIL);
    EXPECT_NEAR(static_cast<double>(sent.times.size()), UNTIL / 1000.0, 0.05 * UNTIL / 1000.0);
    uint64_t on = 0;
    double off = 0;
    for (std::size_t i = 1; i < sent.times.size(); ++i)
    {
        const int64_t gap = sent.times[i] - sent.times[i - 1];
        ASSERT_GE(gap, 249); // 1000 x 20000 / 80000, rounded
        on += gap <= 251;
        off += gap > 251 ? static_cast<double>(gap - 250) : 0;
    }
    const auto gaps = static_cast<double>(sent.times.size() - 1);
    // An off period begins within a gap with probability 1 - exp(-250 / 20000).
    EXPECT_NEAR(static_cast<double>(on) / gaps, std::exp(-0.0125), 0.002);
    EXPECT_NEAR(off / gaps, 750, 40);
}

TEST(PacketSource, TraceRepeatsRecordedPacketsAtTheFlowsRate)
{
    PacketLaw law;
    law.arrivals = PacketLaw::TRACE;
    // Gaps 1, 3, 0 and, at the restart, their mean of 4/3.
    law.trace = std::make_shared<PacketTrace>(std::vector<double>{0, 1, 4, 4},
                                              std::vector<uint32_t>{100, 200, 300, 400});
    PacketSource source(law, 5);
    int64_t time = source.Start(1000, 400);
    std::vector<std::pair<int64_t, uint32_t>> sent;
    for (int i = 0; i < 4000; ++i)
    {
        sent.emplace_back(time, source.NextSize());
        time += source.NextGap(1);
    }
    // 1000 bytes per pass, so a pass of 16 / 3 units takes 2500 time steps.
    const double unit = 2500 * 3.0 / 16;
    for (std::size_t i = 1; i < sent.size(); ++i)
    {
        const uint32_t before = sent[i - 1].second;
        ASSERT_EQ(sent[i].second, before % 400 + 100);
        const double expected = law.trace->gaps[before / 100 - 1] * unit;
        ASSERT_NEAR(static_cast<double>(sent[i].first - sent[i - 1].first), expected, 1.01);
    }
    EXPECT_NEAR(static_cast<double>(time - sent[0].first), 2500 * 1000, 2);
    const Sent all(law, 10'000'000);
    EXPECT_NEAR(all.bytes, 400 * 10000, 1000);
}

namespace
{

/// Expect the mean rate in the first intervals of many flows, too.
/// @param law law of flows of 400-byte packets with a mean gap of 1000
/// @param bytes whether bytes are counted, in units of 400; else packets
/// @param flows number of flows
void
ExpectRateAtTheBegin(const PacketLaw& law, bool bytes = false, int flows = 20000)
{
    const std::vector<int64_t> intervals{500, 10000, 100000}; // half a gap, 10 and 100 gaps
    PacketSource source(law, 7);
    std::vector<double> sum(intervals.size(), 0);
    std::vector<double> squares(intervals.size(), 0);
    for (int flow = 0; flow < flows; ++flow)
    {
        std::vector<double> count(intervals.size(), 0);
        for (int64_t time = source.Start(1000, 400); time < intervals.back();)
        {
            const uint32_t packets = source.NextBurst();
            double sent = 0;
            for (uint32_t i = 0; i < packets; ++i)
            {
                const uint32_t size = source.NextSize();
                sent += bytes ? size / 400.0 : 1;
            }
            for (std::size_t i = 0; i < intervals.size(); ++i)
            {
                count[i] += time < intervals[i] ? sent : 0;
            }
            time += source.NextGap(packets);
        }
        for (std::size_t i = 0; i < intervals.size(); ++i)
        {
            sum[i] += count[i];
            squares[i] += count[i] * count[i];
        }
    }
    for (std::size_t i = 0; i < intervals.size(); ++i)
    {
        const double mean = sum[i] / flows;
        const double deviation = std::sqrt((squares[i] / flows - mean * mean) / flows);
        // Times are rounded to whole numbers, half of one at the end of the interval.
        EXPECT_NEAR(mean, intervals[i] / 1000.0, 4 * deviation + 0.001) << intervals[i];
    }
}

} // namespace

TEST(PacketSource, HasItsRateFromTheBeginOfAFlow)
{
    const auto constant = CreateObject<ConstantRandomVariable>();
    constant->SetAttribute("Constant", DoubleValue(50));
    const auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetAttribute("Min", DoubleValue(1));
    uniform->SetAttribute("Max", DoubleValue(9.5));
    const auto mix = CreateObject<MixRandomVariable>();
    mix->SetMix("1:90,100:10");
    for (const auto arrivals : {PacketLaw::POISSON, PacketLaw::DETERMINISTIC, PacketLaw::ON_OFF})
    {
        for (const Ptr<RandomVariableStream>& bursts :
             std::vector<Ptr<RandomVariableStream>>{nullptr, constant, uniform, mix})
        {
            SCOPED_TRACE(std::to_string(arrivals) + " " +
                         (bursts ? bursts->GetInstanceTypeId().GetName() : "one by one"));
            PacketLaw law = Law(nullptr, bursts);
            law.arrivals = arrivals;
            law.onTime = 20000;
            law.offTime = 60000;
            ExpectRateAtTheBegin(law);
        }
    }
}

TEST(PacketSource, HasItsRateWithUnboundedBursts)
{
    const auto bursts = CreateObject<ParetoRandomVariable>();
    bursts->SetAttribute("Scale", DoubleValue(4));
    bursts->SetAttribute("Shape", DoubleValue(3));
    ExpectRateAtTheBegin(Law(nullptr, bursts), false, 500);
}

TEST(PacketSource, ATraceOfBurstsBeginsAnywhereInTime)
{
    // Ten bursts of 100 packets: almost all packets are in bursts, almost all time is between them.
    std::vector<double> times;
    std::vector<uint32_t> sizes;
    for (int burst = 0; burst < 10; ++burst)
    {
        for (int packet = 0; packet < 100; ++packet)
        {
            times.push_back(1000 * burst + 0.01 * packet);
            sizes.push_back(packet % 2 ? 200 : 600);
        }
    }
    PacketLaw law;
    law.arrivals = PacketLaw::TRACE;
    law.trace = std::make_shared<PacketTrace>(times, sizes);
    ExpectRateAtTheBegin(law, true);
}

TEST(PacketSource, RefusesWhatCannotBe)
{
    auto pattern = CreateObject<MixRandomVariable>();
    pattern->SetMix("64:1");
    PacketLaw law = Law(pattern, pattern);
    EXPECT_EQ(PacketSource(law, 1).NextSize(), 64);
    EXPECT_EQ(PacketSource(law, 1).NextBurst(), 64);
    law.least = 65;
    EXPECT_THROW(PacketSource(law, 1).NextSize(), OdcnError);
    law.least = 44;
    law.greatest = 63;
    EXPECT_THROW(PacketSource(law, 1).NextSize(), OdcnError);
    law.least = 64;
    EXPECT_THROW(PacketSource(law, 1), OdcnError) << "least above greatest";
    pattern->SetMix("0:1");
    EXPECT_THROW(PacketSource(Law(nullptr, pattern), 1).NextBurst(), OdcnError);
    pattern->SetMix("65537:1");
    EXPECT_THROW(PacketSource(Law(nullptr, pattern), 1).NextBurst(), OdcnError);
    EXPECT_THROW(PacketSource(Law(CreateObject<EmpiricalRandomVariable>(), nullptr), 1), OdcnError);
    EXPECT_THROW(PacketSource(Law(nullptr, CreateObject<DeterministicRandomVariable>()), 1),
                 OdcnError);
    PacketLaw other;
    other.arrivals = PacketLaw::ON_OFF;
    EXPECT_THROW(other.Check(), OdcnError) << "no on time";
    other.arrivals = PacketLaw::TRACE;
    EXPECT_THROW(other.Check(), OdcnError) << "no trace";
    other.trace =
        std::make_shared<PacketTrace>(std::vector<double>{0, 1}, std::vector<uint32_t>{100, 200});
    other.Check();
    other.greatest = 199;
    EXPECT_THROW(other.Check(), OdcnError) << "a packet too large";
    other.greatest = 200;
    other.bursts = CreateObject<UniformRandomVariable>();
    EXPECT_THROW(other.Check(), OdcnError) << "bursts beside a trace";
    EXPECT_THROW(PacketTrace({1, 1}, {100, 100}), OdcnError) << "one time";
    EXPECT_THROW(PacketTrace({1, 0}, {100, 100}), OdcnError) << "falling";
    EXPECT_THROW(PacketTrace({0, 1}, {100}), OdcnError) << "a size is missing";
    PacketSource source(PacketLaw(), 1);
    EXPECT_THROW(source.Start(0, 100), OdcnError);
    EXPECT_THROW(source.Start(1000, 0), OdcnError);
}

TEST(PacketTrace, IsReadFromCsv)
{
    const TemporaryPath file("packet-trace");
    const std::string& path = file.path;
    const auto read = [&](const std::string& text) { return PacketTrace::Read(file.Write(text)); };
    const auto trace = read("time,bytes\n10,64\n10.5,1500\n12,300\n");
    EXPECT_EQ(trace->bytes, (std::vector<uint32_t>{64, 1500, 300}));
    EXPECT_EQ(trace->gaps, (std::vector<double>{0.5, 1.5, 1}));
    const auto refusal = [&](const std::string& text) { return GetRefusal([&] { read(text); }); };
    EXPECT_EQ(refusal("0,64\n1;64\n"), path + ":2: found '1;64', expected 2 columns: time bytes");
    EXPECT_EQ(refusal("0,64\n1,0\n"),
              path + ":2: found '0', expected in column bytes a whole number from 1 to 65535");
    EXPECT_EQ(
        refusal("5,64\n4,64\n"),
        path + ":2: found '4', expected in column time a time not before that of the line above");
    EXPECT_EQ(refusal("5,64\n"),
              path + ": found '1 packets', expected packets at two times or more");
    EXPECT_EQ(refusal(""), path + ": found '0 packets', expected packets at two times or more");
}
