// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The exact engine's random streams and arrivals against ns-3's own.
 */

#include "odcn-naive-packets.h"

#include "ns3/double.h"
#include "ns3/odcn-arrival-bank.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-random-buffer.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/rng-stream.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Sets ns-3's seed and run for one test.
class Seeds
{
  public:
    /// @param seed seed  @param run run
    Seeds(uint32_t seed, uint64_t run)
        : m_seed(RngSeedManager::GetSeed()),
          m_run(RngSeedManager::GetRun())
    {
        RngSeedManager::SetSeed(seed);
        RngSeedManager::SetRun(run);
    }

    ~Seeds()
    {
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    Seeds(const Seeds&) = delete;
    Seeds& operator=(const Seeds&) = delete;

  private:
    uint32_t m_seed; //!< what was there
    uint64_t m_run;  //!< what was there
};

/// @return a kernel of each width that this processor has
std::vector<OdcnArrivalKernel>
Kernels()
{
    std::vector<OdcnArrivalKernel> kernels;
    for (auto width :
         {OdcnArrivalKernel::NARROW, OdcnArrivalKernel::AVX2, OdcnArrivalKernel::AVX512})
    {
        const OdcnArrivalKernel kernel(width);
        if (kernel.GetWidth() == width)
        {
            kernels.push_back(kernel);
        }
    }
    return kernels;
}

/// @param bank bank  @param reference the same by ns-3  @param until end
void
ExpectSame(OdcnArrivalBank& bank, NaiveFlows& reference, int64_t until, uint64_t& packets)
{
    std::vector<OdcnArrival> got;
    bank.Draw(until, got);
    const auto want = reference.Draw(until);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
    {
        ASSERT_EQ(got[i], want[i]) << i;
    }
    packets += got.size();
}

} // namespace

TEST(RandomStream, IsRngStreamBitForBit)
{
    const uint64_t ids[] = {0, 1, 2, 77, 4096, 1ULL << 40, (1ULL << 63) + 12345, ~0ULL};
    for (uint32_t seed : {1U, 12345U, 4294944442U})
    {
        for (uint64_t stream : ids)
        {
            for (uint64_t run : ids)
            {
                RngStream theirs(seed, stream, run);
                OdcnRandomStream ours(seed, stream, run);
                for (int i = 0; i < 50; ++i)
                {
                    ASSERT_EQ(ours.NextU01(), theirs.RandU01()) << seed << " " << stream;
                }
            }
        }
    }
    RngStream theirs(3, 5, 7);
    OdcnRandomStream ours(3, 5, 7);
    for (int i = 0; i < 1000000; ++i)
    {
        ASSERT_EQ(ours.NextU01(), theirs.RandU01()) << i;
    }
}

TEST(RandomStream, TakesSeedAndRunOfNs3)
{
    const Seeds seeds(99, 4);
    auto theirs = CreateObject<UniformRandomVariable>();
    theirs->SetStream(1234);
    OdcnRandomStream ours(1234);
    for (uint32_t n : {1U, 2U, 3U, 7U, 16U, 1000U, 4000000000U})
    {
        for (int i = 0; i < 1000; ++i)
        {
            ASSERT_EQ(ours.NextInteger(n), theirs->GetInteger(0, n - 1)) << n;
        }
    }
}

TEST(RandomStream, SkipsAndDrawsAheadAsIfDrawn)
{
    for (const auto& kernel : Kernels())
    {
        OdcnRandomStream drawn(31);
        OdcnRandomBuffer buffer(drawn, kernel);
        OdcnRandomBuffer copy = buffer;
        OdcnRandomStream skipped(31);
        for (int i = 0; i < 5000; ++i)
        {
            if (i == 1500)
            {
                copy = buffer;
            }
            if (i % 3)
            {
                ASSERT_EQ(buffer.Next(), drawn.Next()) << i;
            }
            else
            {
                ASSERT_EQ(buffer.NextInteger(5), drawn.NextInteger(5)) << i;
            }
        }
        skipped.Skip(1500);
        for (int i = 1500; i < 5000; ++i)
        {
            ASSERT_EQ(copy.Next(), skipped.Next()) << i;
        }
        EXPECT_EQ(skipped.GetState(), drawn.GetState());
    }
}

TEST(RandomStream, RefusesWhatIsNoStream)
{
    EXPECT_THROW(OdcnRandomStream(-1), OdcnError);
    EXPECT_THROW(OdcnRandomStream(0, 1, 1), OdcnError);
    EXPECT_THROW(OdcnRandomStream(4294944443U, 1, 1), OdcnError);
}

TEST(ArrivalBank, SendsWhatNs3Sends)
{
    for (const auto& kernel : Kernels())
    {
        for (uint32_t streams : {1U, 2U, 7U, 40U, 300U})
        {
            OdcnArrivalBank bank;
            bank.SetKernel(kernel);
            NaiveFlows reference;
            for (uint32_t i = 0; i < streams; ++i)
            {
                EXPECT_EQ(bank.AddStream(1000 + 3 * i), i);
                reference.AddStream(1000 + 3 * i);
            }
            // Windows with other flows, other rates, and streams that go on where they stood.
            uint64_t packets = 0;
            int64_t now = 0;
            for (int window = 0; window < 6; ++window)
            {
                for (uint32_t i = 0; i < streams; ++i)
                {
                    if ((i + window) % 5 != 4)
                    {
                        const double mean =
                            OdcnArrivalBank::MeanGap(1000000000 + 777777777 * (i % 9), 296);
                        bank.Start(i, now, mean, 296);
                        reference.Start(i, now, mean);
                    }
                }
                for (int64_t length : {1, 1000, 40000000, 3, 100000000})
                {
                    now += length;
                    ExpectSame(bank, reference, now, packets);
                }
                for (uint32_t i = 0; i < streams; ++i)
                {
                    bank.Stop(i);
                    reference.Stop(i);
                }
                now += 5000000;
                ExpectSame(bank, reference, now, packets);
            }
            EXPECT_GT(packets, 200 * streams);
        }
    }
}

TEST(ArrivalBank, RoundsEveryGapAsNs3Does)
{
    // From gaps of a few time steps to gaps whose digits end before the decimal point.
    for (const auto& kernel : Kernels())
    {
        OdcnArrivalBank bank;
        bank.SetKernel(kernel);
        NaiveFlows reference;
        uint32_t n = 0;
        for (double mean = 3; mean < 1e17; mean *= 4.7, ++n)
        {
            bank.AddStream(n);
            reference.AddStream(n);
        }
        uint64_t packets = 0;
        int64_t now = 0;
        double mean = 3;
        for (uint32_t i = 0; i < n; ++i, mean *= 4.7)
        {
            bank.Start(i, now, mean, 296);
            reference.Start(i, now, mean);
            now += static_cast<int64_t>(20000 * mean < 1e18 ? 20000 * mean : 1e18);
            ExpectSame(bank, reference, now, packets);
            bank.Stop(i);
            reference.Stop(i);
        }
        EXPECT_GT(packets, 400000);
    }
}

TEST(ArrivalBank, OrdersTiesAsEvents)
{
    // Gaps of a few time steps, so that most packets share theirs with others.
    for (uint32_t blockSize : {1U, 10U, 100000U})
    {
        OdcnArrivalBank bank;
        bank.SetBlockSize(blockSize);
        NaiveFlows reference;
        for (uint32_t i = 0; i < 100; ++i)
        {
            bank.AddStream(i);
            reference.AddStream(i);
        }
        for (uint32_t i = 50; i-- > 0;)
        {
            bank.Start(i, 0, 1.5 + i, 296);
            reference.Start(i, 0, 1.5 + i);
        }
        uint64_t packets = 0;
        for (int64_t until = 0; until < 3000; until += 7 + until % 300)
        {
            ExpectSame(bank, reference, until, packets);
            const uint32_t another = 50 + until % 50;
            if (!bank.IsOn(another))
            {
                bank.Start(another, until, 2.5, 296);
                reference.Start(another, until, 2.5);
            }
        }
        EXPECT_GT(packets, 5000);
    }
}

TEST(ArrivalBank, DrawsBurstsAndSizesInTheOrderOfEvents)
{
    const Ptr<RandomVariableStream> sizes = CreateObject<OdcnMixRandomVariable>();
    const Ptr<RandomVariableStream> bursts = CreateObject<UniformRandomVariable>();
    bursts->SetAttribute("Min", DoubleValue(1));
    bursts->SetAttribute("Max", DoubleValue(5));
    for (double scale : {1.5, 1e6})
    {
        OdcnArrivalBank bank;
        bank.SetBlockSize(100);
        NaiveFlows reference;
        for (uint32_t i = 0; i < 40; ++i)
        {
            bank.AddStream(i);
            if (i % 4)
            {
                const Ptr<RandomVariableStream> none;
                const auto law = [&]()
                { return OdcnPacketLaw(i % 2 ? sizes : none, i & 2 ? bursts : none, i); };
                bank.SetLaw(i, law());
                reference.AddStream(i, law());
            }
            else
            {
                reference.AddStream(i);
            }
        }
        uint64_t packets = 0;
        int64_t now = 0;
        for (int window = 0; window < 3; ++window)
        {
            for (uint32_t i = 0; i < 40; ++i)
            {
                bank.Start(i, now, scale * (1 + i), 296);
                reference.Start(i, now, scale * (1 + i));
            }
            EXPECT_THROW(bank.SetLaw(1, OdcnPacketLaw()), OdcnError);
            for (int part = 0; part < 10; ++part)
            {
                now += static_cast<int64_t>(100 * scale);
                ExpectSame(bank, reference, now, packets);
            }
            for (uint32_t i = 0; i < 40; ++i)
            {
                bank.Stop(i);
                reference.Stop(i);
            }
        }
        EXPECT_GT(packets, 8000);
    }
}

TEST(ArrivalBank, ACopyLivesByItself)
{
    OdcnArrivalBank bank;
    for (uint32_t i = 0; i < 20; ++i)
    {
        bank.AddStream(i);
        bank.Start(i, 0, 1e6, 296);
    }
    std::vector<OdcnArrival> a;
    bank.Draw(10000000, a);
    OdcnArrivalBank copy = bank;
    std::vector<OdcnArrival> b;
    std::vector<OdcnArrival> c;
    bank.Draw(50000000, b);
    copy.Draw(30000000, c);
    copy.Draw(50000000, c);
    EXPECT_GT(b.size(), 500);
    EXPECT_EQ(b, c);
}

TEST(ArrivalBank, RefusesNonsense)
{
    OdcnArrivalBank bank;
    bank.AddStream(1);
    EXPECT_THROW(bank.Start(0, 0, 0, 296), OdcnError);
    EXPECT_THROW(bank.Start(0, 0, std::nan(""), 296), OdcnError);
    EXPECT_THROW(bank.Start(0, 0, 1e18, 296), OdcnError);
    EXPECT_FALSE(bank.IsOn(0));
    bank.Start(0, 0, 1000, 296);
    EXPECT_TRUE(bank.IsOn(0));
    EXPECT_THROW(bank.Start(0, 0, 1000, 296), OdcnError);
}
