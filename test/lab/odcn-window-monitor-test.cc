// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Measurement windows: identities, strays, steadiness, and estimates over many windows.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-md1k-queue.h"
#include "ns3/odcn-window-monitor.h"

#include <deque>

using namespace ns3::odcn;

namespace
{

constexpr uint64_t SERVICE = 59200; // ps

/**
 * One window of Poisson packets over circuits that start empty, each with room for 16 packets.
 * @param monitor to feed  @param generator randomness  @param rho load of each circuit
 * @param circuits their number  @param warmUp in services  @param length measured part in services
 */
void
RunWindow(OdcnWindowMonitor& monitor,
          std::mt19937_64& generator,
          double rho,
          int circuits,
          uint64_t warmUp,
          uint64_t length)
{
    const uint64_t end = (warmUp + length) * SERVICE;
    monitor.Open(0, warmUp * SERVICE, end);
    std::exponential_distribution<double> gap(rho / SERVICE);
    uint64_t key = 0;
    for (int c = 0; c < circuits; ++c)
    {
        std::deque<uint64_t> departures;
        for (double now = gap(generator); now < static_cast<double>(end); now += gap(generator))
        {
            const auto sent = static_cast<uint64_t>(now);
            while (!departures.empty() && departures.front() <= sent)
            {
                departures.pop_front();
            }
            monitor.Sent(key, OdcnScope::INTER_RACK, sent);
            if (departures.size() == 16)
            {
                monitor.Dropped(key, "queue-overflow");
            }
            else
            {
                departures.push_back(
                    (departures.empty() ? sent : std::max(sent, departures.back())) + SERVICE);
                monitor.Received(key, departures.back());
            }
            ++key;
        }
    }
    monitor.Close(0);
}

} // namespace

TEST(WindowMonitor, CountsEveryPacketOnce)
{
    OdcnWindowMonitor monitor;
    monitor.Open(1000, 2000, 10000);
    monitor.Sent(1, OdcnScope::INTER_RACK, 1500);
    monitor.Sent(2, OdcnScope::INTER_RACK, 2000);
    monitor.Sent(3, OdcnScope::INTER_RACK, 2500);
    monitor.Sent(4, OdcnScope::INTER_RACK, 2600);
    monitor.Sent(5, OdcnScope::INTRA_RACK, 3000);
    monitor.Sent(6, OdcnScope::INTRA_RACK, 3000);
    monitor.Received(1, 2100);
    monitor.Received(2, 2200);
    monitor.Dropped(3, "dark");
    monitor.Dropped(4, "queue-overflow");
    monitor.Received(6, 3400);
    EXPECT_EQ(monitor.GetInFlight(), 1);
    const auto& result = monitor.Close(1);
    EXPECT_TRUE(result.IsBalanced());

    const auto& inter = result[OdcnScope::INTER_RACK];
    EXPECT_EQ(inter.sent, 4);
    EXPECT_EQ(inter.received, 2);
    EXPECT_EQ(inter.dropped.at("dark"), 1);
    EXPECT_EQ(inter.dropped.at("queue-overflow"), 1);
    EXPECT_EQ(inter.inFlight, 0);
    EXPECT_EQ(inter.measuredSent, 3) << "the warm-up is not measured";
    EXPECT_EQ(inter.measuredReceived, 1);
    EXPECT_EQ(inter.measuredDropped, 2);
    EXPECT_DOUBLE_EQ(inter.meanNs, 0.2);
    EXPECT_DOUBLE_EQ(inter.maxNs, 0.2);

    const auto& intra = result[OdcnScope::INTRA_RACK];
    EXPECT_EQ(intra.inFlight, 1);
    EXPECT_EQ(intra.measuredInFlight, 1);
    EXPECT_DOUBLE_EQ(intra.p50Ns, 0.4);
    EXPECT_EQ(monitor.GetUnbalancedWindows(), 0);
}

TEST(WindowMonitor, NoticesWhatDoesNotAddUp)
{
    OdcnWindowMonitor monitor;
    const auto balanced = [&monitor](auto&& events, std::optional<uint64_t> inNetwork)
    {
        monitor.Open(0, 0, 1000);
        monitor.Sent(1, OdcnScope::INTER_RACK, 1);
        monitor.Sent(2, OdcnScope::INTRA_RACK, 1);
        events();
        return monitor.Close(inNetwork).IsBalanced();
    };
    const auto nothing = [] {};
    EXPECT_TRUE(balanced(nothing, std::nullopt));
    EXPECT_TRUE(balanced(nothing, 2));
    EXPECT_FALSE(balanced(nothing, 1)) << "the network lost one unseen";
    EXPECT_FALSE(balanced(nothing, 3)) << "the network holds one that was never sent";
    EXPECT_FALSE(balanced(
        [&]
        {
            monitor.Received(1, 5);
            monitor.Received(1, 6);
        },
        std::nullopt))
        << "received twice";
    EXPECT_FALSE(balanced(
        [&]
        {
            monitor.Received(1, 5);
            monitor.Dropped(1, "dark");
        },
        std::nullopt))
        << "received and dropped";
    EXPECT_FALSE(balanced([&] { monitor.Received(3, 5); }, std::nullopt)) << "of nowhere";
    EXPECT_FALSE(balanced([&] { monitor.Sent(1, OdcnScope::INTER_RACK, 5); }, std::nullopt))
        << "sent twice under one number";
    EXPECT_EQ(monitor.GetUnbalancedWindows(), 6);
    EXPECT_EQ(monitor.GetWindows(), 8);
}

TEST(WindowMonitor, LetsNothingLeakIntoTheNextWindow)
{
    OdcnWindowMonitor monitor;
    monitor.Open(0, 0, 1000);
    monitor.Sent(1, OdcnScope::INTER_RACK, 10);
    monitor.Sent(2, OdcnScope::INTER_RACK, 10);
    EXPECT_TRUE(monitor.Close().IsBalanced());
    monitor.Received(1, 1500);
    EXPECT_EQ(monitor.GetLate(), 1);
    monitor.Open(2000, 2000, 3000);
    monitor.Sent(3, OdcnScope::INTER_RACK, 2100);
    monitor.Received(2, 2200);
    monitor.Received(3, 2200);
    const auto& result = monitor.Close();
    EXPECT_EQ(result.strays, 1);
    EXPECT_FALSE(result.IsBalanced());
    EXPECT_EQ(result[OdcnScope::INTER_RACK].received, 1);
    EXPECT_EQ(monitor.GetLatency(OdcnScope::INTER_RACK).GetAll().GetCount(), 1);
}

TEST(WindowMonitor, RefusesWindowsThatOverlapOrRunBackwards)
{
    OdcnWindowMonitor monitor;
    EXPECT_THROW(monitor.Close(), OdcnError);
    EXPECT_THROW(monitor.Sent(1, OdcnScope::INTER_RACK, 0), OdcnError);
    EXPECT_THROW(monitor.Open(10, 5, 20), OdcnError);
    EXPECT_THROW(monitor.Open(10, 20, 20), OdcnError);
    monitor.Open(0, 5, 20);
    EXPECT_THROW(monitor.Open(30, 35, 40), OdcnError);
}

TEST(WindowMonitor, SumsRandomWindowsExactly)
{
    std::mt19937_64 generator(8);
    OdcnWindowMonitor monitor;
    uint64_t sent = 0;
    uint64_t lost = 0;
    for (int w = 0; w < 300; ++w)
    {
        monitor.Open(w * 1000, w * 1000 + 100, w * 1000 + 900);
        const uint64_t packets = generator() % 50;
        for (uint64_t i = 0; i < packets; ++i)
        {
            const uint64_t now = w * 1000 + generator() % 900;
            monitor.Sent(i, static_cast<OdcnScope>(generator() % 2), now);
            const auto fate = generator() % 10;
            if (fate < 6)
            {
                monitor.Received(i, now + generator() % 1000);
            }
            else if (fate < 9)
            {
                monitor.Dropped(i, fate == 7 ? "dark" : "cut");
                ++lost;
            }
            ++sent;
        }
        EXPECT_TRUE(monitor.Close(monitor.GetInFlight()).IsBalanced());
    }
    const auto a = monitor.GetTotal(OdcnScope::INTER_RACK);
    const auto b = monitor.GetTotal(OdcnScope::INTRA_RACK);
    EXPECT_TRUE(a.IsBalanced());
    EXPECT_TRUE(b.IsBalanced());
    EXPECT_EQ(a.sent + b.sent, sent);
    EXPECT_EQ(a.GetDropped() + b.GetDropped(), lost);
    EXPECT_EQ(monitor.GetWindows(), 300);
    EXPECT_EQ(monitor.GetUnbalancedWindows(), 0);
    const auto loss = monitor.GetLoss(OdcnScope::INTER_RACK);
    EXPECT_DOUBLE_EQ(loss.mean,
                     double(a.measuredDropped) / (a.measuredDropped + a.measuredReceived));
}

TEST(WindowMonitor, FindsTheClosedFormOfTheQueueItWatches)
{
    std::mt19937_64 generator(21);
    const Md1kQueue exact(16, 0.9);
    OdcnWindowMonitor monitor;
    for (int w = 0; w < 100; ++w)
    {
        RunWindow(monitor, generator, 0.9, 8, 600, 1500);
    }
    const double service = SERVICE * 1e-3;
    const double confidence = 0.999;
    const auto& latency = monitor.GetLatency(OdcnScope::INTER_RACK);
    const auto mean = latency.GetMeanNs(confidence);
    EXPECT_TRUE(mean.Contains(exact.GetMeanSojourn() * service)) << mean.mean;
    EXPECT_LT(mean.GetHalfWidth(), 0.02 * mean.mean);
    const auto loss = monitor.GetLoss(OdcnScope::INTER_RACK, confidence);
    EXPECT_TRUE(loss.Contains(exact.GetLossProbability())) << loss.mean;
    EXPECT_LT(loss.GetHalfWidth(), 0.3 * loss.mean);
    for (double p : {0.5, 0.99, 0.999})
    {
        const auto quantile = latency.GetQuantileNs(p, confidence);
        const double truth = (1 + exact.GetWaitQuantile(p)) * service;
        EXPECT_LE(quantile.lower, truth * 1.004) << p;
        EXPECT_GE(quantile.upper, truth * 0.996) << p;
        EXPECT_LT(quantile.GetHalfWidth(), 0.05 * truth) << p;
    }
}

TEST(WindowMonitor, TellsAWarmUpThatWasTooShort)
{
    // At load 0.97 the start-up of a queue of 16 takes some 50 services.
    std::mt19937_64 generator(31);
    const int windows = 60;
    const auto run = [&generator](int circuits, uint64_t warmUp, uint64_t length)
    {
        OdcnWindowMonitor monitor;
        for (int w = 0; w < windows; ++w)
        {
            RunWindow(monitor, generator, 0.97, circuits, warmUp, length);
        }
        return monitor;
    };
    const auto scope = OdcnScope::INTER_RACK;
    const auto cold = run(400, 0, 600);
    EXPECT_GT(cold.GetWindows(Steadiness::DRIFTING, scope), 0.8 * windows);
    EXPECT_GT(cold.GetDrift(scope).lower, 0.1);

    const auto warm = run(40, 500, 3000);
    EXPECT_LE(warm.GetWindows(Steadiness::DRIFTING, scope), 0.05 * windows);
    EXPECT_GE(warm.GetWindows(Steadiness::STEADY, scope), 0.95 * windows);
    EXPECT_TRUE(warm.GetDrift(scope, 0.99).Contains(0));
    EXPECT_LT(warm.GetDrift(scope).GetHalfWidth(), 0.02);

    // One window has too little power, all windows together suffice.
    const auto few = run(20, 0, 600);
    EXPECT_LT(few.GetWindows(Steadiness::DRIFTING, scope), 0.5 * windows);
    EXPECT_GT(few.GetDrift(scope).lower, 0.05);

    OdcnWindowMonitor sparse;
    RunWindow(sparse, generator, 0.05, 1, 0, 300);
    EXPECT_EQ(sparse.GetWindows(Steadiness::UNKNOWN, scope), 1);
}

TEST(LatencyBatches, QuantileIntervalsHoldTheTruthAsOftenAsTheyClaim)
{
    // Each window has a random factor: only windows are independent.
    std::mt19937_64 generator(17);
    std::normal_distribution<double> window(0, 0.1);
    std::exponential_distribution<double> packet(1);
    const auto draw = [&](LatencyHistogram& histogram, int packets)
    {
        const double scale = 1e5 * std::exp(window(generator));
        for (int i = 0; i < packets; ++i)
        {
            histogram.Add(static_cast<uint64_t>(scale * packet(generator)));
        }
    };
    LatencyHistogram truth;
    for (int w = 0; w < 20000; ++w)
    {
        draw(truth, 100);
    }
    const int runs = 2000;
    int median = 0;
    int tail = 0;
    int mean = 0;
    for (int r = 0; r < runs; ++r)
    {
        LatencyBatches batches;
        for (int w = 0; w < 100; ++w)
        {
            LatencyHistogram histogram;
            draw(histogram, 50);
            batches.Add(histogram);
        }
        mean += batches.GetMeanNs().Contains(truth.GetMeanNs());
        median += batches.GetQuantileNs(0.5).Contains(truth.GetQuantileNs(0.5));
        tail += batches.GetQuantileNs(0.99).Contains(truth.GetQuantileNs(0.99));
    }
    for (int held : {mean, median, tail})
    {
        EXPECT_GE(held, 0.93 * runs);
        EXPECT_LE(held, 0.97 * runs);
    }
}

TEST(LatencyBatches, MergingWindowsKeepsEveryPacket)
{
    LatencyBatches batches;
    EXPECT_TRUE(std::isnan(batches.GetMeanNs().mean));
    EXPECT_TRUE(std::isnan(batches.GetQuantileNs(0.5).mean));
    double sum = 0;
    for (int w = 0; w < 1000; ++w)
    {
        LatencyHistogram histogram;
        histogram.Add(w);
        batches.Add(histogram);
        batches.Add(LatencyHistogram());
        sum += w;
    }
    EXPECT_EQ(batches.GetAll().GetCount(), 1000);
    EXPECT_NEAR(batches.GetMeanNs().mean, sum / 1000 * 1e-3, 1e-12);
    EXPECT_TRUE(std::isfinite(batches.GetMeanNs().GetHalfWidth()));
    batches.Clear();
    EXPECT_EQ(batches.GetAll().GetCount(), 0);
}
