// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Measurement windows: identities, strays, steadiness, and estimates over many windows.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-md1k-queue.h"
#include "ns3/odcn-packet-recorder.h"

#include <deque>

using namespace ns3::odcn;

namespace
{

constexpr uint64_t SERVICE = 59200; // ps

/// Added to numbers of packets within a rack: they are of flow 1.
constexpr uint64_t INTRA = PacketRecorder::GetKey(1, 0);

/// Add a flow of packets between racks and one of packets within. @param monitor gets them
void
AddFlows(PacketRecorder& monitor)
{
    monitor.AddFlow(0, 7);
    monitor.AddFlow(1);
}

/**
 * One window of Poisson packets over circuits that start empty, each with room for 16 packets.
 * @param monitor to feed  @param generator randomness  @param rho load of each circuit
 * @param circuits their number  @param warmUp in services  @param length measured part in services
 */
void
RunWindow(PacketRecorder& monitor,
          std::mt19937_64& generator,
          double rho,
          int circuits,
          uint64_t warmUp,
          uint64_t length)
{
    const uint64_t end = (warmUp + length) * SERVICE;
    monitor.Open(0, warmUp * SERVICE, end);
    monitor.AddFlow(0);
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
            monitor.Sent(key, sent);
            if (departures.size() == 16)
            {
                monitor.Dropped(key, OcsDropCause::QUEUE_OVERFLOW);
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

TEST(PacketRecorder, CountsEveryPacketOnce)
{
    PacketRecorder monitor(2);
    monitor.Open(1000, 2000, 10000);
    AddFlows(monitor);
    monitor.Sent(1, 1500);
    monitor.Sent(2, 2000);
    monitor.Sent(3, 2500);
    monitor.Sent(4, 2600);
    monitor.Sent(INTRA + 5, 3000);
    monitor.Sent(INTRA + 6, 3000);
    monitor.Received(1, 2100);
    monitor.Received(2, 2200);
    monitor.Dropped(3, OcsDropCause::DARK);
    monitor.Dropped(4, OcsDropCause::QUEUE_OVERFLOW);
    monitor.Received(INTRA + 6, 3400);
    EXPECT_EQ(monitor.GetInFlight(), 1);
    const auto& result = monitor.Close(1);
    EXPECT_TRUE(result.IsBalanced());

    const auto& inter = result.scopes[0];
    EXPECT_EQ(inter.all.sent, 4);
    EXPECT_EQ(inter.all.received, 2);
    EXPECT_EQ(inter.all.dropped[OcsDropCause::DARK], 1);
    EXPECT_EQ(inter.all.dropped[OcsDropCause::QUEUE_OVERFLOW], 1);
    EXPECT_EQ(inter.all.inFlight, 0);
    EXPECT_EQ(inter.measured.sent, 3) << "the warm-up is not measured";
    EXPECT_EQ(inter.measured.received, 1);
    EXPECT_EQ(inter.measured.dropped.Total(), 2);
    EXPECT_DOUBLE_EQ(inter.latency.GetMeanNs(), 0.2);
    EXPECT_DOUBLE_EQ(inter.latency.GetMaxNs(), 0.2);

    const auto& intra = result.scopes[1];
    EXPECT_EQ(intra.all.inFlight, 1);
    EXPECT_EQ(intra.measured.inFlight, 1);
    EXPECT_DOUBLE_EQ(intra.latency.GetQuantileNs(0.5), 0.4);
    ASSERT_EQ(monitor.GetJobs().size(), 1);
    const JobPackets& job = monitor.GetJobs().at(7);
    EXPECT_EQ(job.counts, inter.measured);
    EXPECT_EQ(job.GetLost(), 2);
    EXPECT_DOUBLE_EQ(job.GetGreatestNs(), 0.2);
    EXPECT_EQ(monitor.GetUnbalancedWindows(), 0);
}

TEST(PacketRecorder, NoticesWhatDoesNotAddUp)
{
    PacketRecorder monitor(2);
    const auto balanced = [&monitor](auto&& events, std::optional<uint64_t> inNetwork)
    {
        monitor.Open(0, 0, 1000);
        AddFlows(monitor);
        monitor.Sent(1, 1);
        monitor.Sent(INTRA + 2, 1);
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
            monitor.Dropped(1, OcsDropCause::DARK);
        },
        std::nullopt))
        << "received and dropped";
    EXPECT_FALSE(balanced([&] { monitor.Received(3, 5); }, std::nullopt)) << "of nowhere";
    EXPECT_FALSE(balanced([&] { monitor.Sent(1, 5); }, std::nullopt))
        << "sent twice under one number";
    EXPECT_EQ(monitor.GetUnbalancedWindows(), 6);
    EXPECT_EQ(monitor.GetWindows(), 8);
}

TEST(PacketRecorder, LetsNothingLeakIntoTheNextWindow)
{
    PacketRecorder monitor;
    monitor.Open(0, 0, 1000);
    monitor.AddFlow(0);
    monitor.Sent(1, 10);
    monitor.Sent(2, 10);
    EXPECT_TRUE(monitor.Close().IsBalanced());
    monitor.Received(1, 1500);
    EXPECT_EQ(monitor.GetLate(), 1);
    monitor.Open(2000, 2000, 3000);
    monitor.AddFlow(0);
    monitor.Sent(3, 2100);
    monitor.Received(2, 2200);
    monitor.Received(3, 2200);
    const auto& result = monitor.Close();
    EXPECT_EQ(result.strays, 1);
    EXPECT_FALSE(result.IsBalanced());
    EXPECT_EQ(result.scopes[0].all.received, 1);
    EXPECT_EQ(monitor.GetLatency(0).GetAll().GetCount(), 1);
}

TEST(PacketRecorder, RefusesWindowsThatOverlapOrRunBackwards)
{
    PacketRecorder monitor;
    EXPECT_THROW(monitor.Close(), OdcnError);
    EXPECT_THROW(monitor.Sent(1, 0), OdcnError);
    EXPECT_THROW(monitor.Open(10, 5, 20), OdcnError);
    EXPECT_THROW(monitor.Open(10, 20, 20), OdcnError);
    monitor.Open(0, 5, 20);
    EXPECT_THROW(monitor.Open(30, 35, 40), OdcnError);
}

TEST(PacketRecorder, SumsRandomWindowsExactly)
{
    std::mt19937_64 generator(8);
    PacketRecorder monitor(2);
    uint64_t sent = 0;
    uint64_t lost = 0;
    for (int w = 0; w < 300; ++w)
    {
        monitor.Open(w * 1000, w * 1000 + 100, w * 1000 + 900);
        AddFlows(monitor);
        const uint64_t packets = generator() % 50;
        for (uint64_t i = 0; i < packets; ++i)
        {
            const uint64_t now = w * 1000 + generator() % 900;
            const uint64_t key = PacketRecorder::GetKey(generator() % 2, i);
            monitor.Sent(key, now);
            const auto fate = generator() % 10;
            if (fate < 6)
            {
                monitor.Received(key, now + generator() % 1000);
            }
            else if (fate < 9)
            {
                monitor.Dropped(key, fate == 7 ? OcsDropCause::DARK : OcsDropCause::CUT);
                ++lost;
            }
            ++sent;
        }
        EXPECT_TRUE(monitor.Close(monitor.GetInFlight()).IsBalanced());
    }
    const auto& a = monitor.GetTotal(0);
    const auto& b = monitor.GetTotal(1);
    EXPECT_TRUE(a.IsBalanced());
    EXPECT_TRUE(b.IsBalanced());
    EXPECT_EQ(a.all.sent + b.all.sent, sent);
    EXPECT_EQ(a.all.dropped.Total() + b.all.dropped.Total(), lost);
    EXPECT_EQ(monitor.GetWindows(), 300);
    EXPECT_EQ(monitor.GetUnbalancedWindows(), 0);
    const auto loss = monitor.GetLoss(0);
    EXPECT_DOUBLE_EQ(loss.mean,
                     double(a.measured.dropped.Total()) /
                         (a.measured.dropped.Total() + a.measured.received));
}

TEST(PacketRecorder, FindsTheClosedFormOfTheQueueItWatches)
{
    std::mt19937_64 generator(21);
    const Md1kQueue exact(16, 0.9);
    PacketRecorder monitor;
    for (int w = 0; w < 100; ++w)
    {
        RunWindow(monitor, generator, 0.9, 8, 600, 1500);
    }
    const double service = SERVICE * 1e-3;
    const double confidence = 0.999;
    const auto& latency = monitor.GetLatency(0);
    const auto mean = latency.GetMeanNs(confidence);
    EXPECT_TRUE(mean.Contains(exact.GetMeanSojourn() * service)) << mean.mean;
    EXPECT_LT(mean.GetHalfWidth(), 0.02 * mean.mean);
    const auto loss = monitor.GetLoss(0, confidence);
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

TEST(PacketRecorder, TellsAWarmUpThatWasTooShort)
{
    // At load 0.97 the start-up of a queue of 16 takes some 50 services.
    std::mt19937_64 generator(31);
    const int windows = 60;
    const auto run = [&generator](int circuits, uint64_t warmUp, uint64_t length)
    {
        PacketRecorder monitor;
        for (int w = 0; w < windows; ++w)
        {
            RunWindow(monitor, generator, 0.97, circuits, warmUp, length);
        }
        return monitor;
    };
    const uint32_t scope = 0;
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

    PacketRecorder sparse;
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

TEST(LatencyBatches, AQuantileBeyondFewPacketsHasNoUpperEnd)
{
    // 250 packets do not tell the 0.999 quantile, however much alike the windows are.
    std::mt19937_64 generator(19);
    std::exponential_distribution<double> packet(1);
    const double truth = 1e2 * std::log(1000); // ns
    int held = 0;
    const int runs = 1000;
    for (int r = 0; r < runs; ++r)
    {
        LatencyBatches batches;
        for (int w = 0; w < 5; ++w)
        {
            LatencyHistogram histogram;
            for (int i = 0; i < 50; ++i)
            {
                histogram.Add(static_cast<uint64_t>(1e5 * packet(generator)));
            }
            batches.Add(histogram);
        }
        const auto tail = batches.GetQuantileNs(0.999);
        EXPECT_EQ(tail.upper, HUGE_VAL);
        held += tail.Contains(truth);
        EXPECT_TRUE(std::isfinite(batches.GetQuantileNs(0.5).upper));
    }
    EXPECT_GE(held, 0.95 * runs);
}

TEST(LatencyBatches, MergingWindowsKeepsEveryPacket)
{
    LatencyBatches batches;
    EXPECT_TRUE(std::isnan(batches.GetMeanNs().mean));
    EXPECT_EQ(batches.GetMeanNs().upper, HUGE_VAL);
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
}
