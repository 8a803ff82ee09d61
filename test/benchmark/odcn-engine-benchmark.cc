// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The arithmetic of the exact packet engine: arrivals drawn, queues run, flows counted. Each
 * benchmark runs a plain form of the same beside it, turn by turn, and tells how many times faster
 * it is ("gain"): ns-3's own variables, a list of events, a queue that keeps its packets.
 */

#include "../gtest/odcn-naive-packets.h"

#include "ns3/odcn-arrival-bank.h"
#include "ns3/odcn-circuit-bundle.h"
#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-random-buffer.h"
#include "ns3/random-variable-stream.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr BitRate LINE = 40000000000;
constexpr uint32_t BYTES = 296;
constexpr double SERVICE = 59200;
constexpr double LOAD = 0.8;

/// CPU time of this thread, or of all of them.
class Watch
{
  public:
    /// @param clock whose time
    explicit Watch(clockid_t clock = CLOCK_THREAD_CPUTIME_ID)
        : m_clock(clock),
          m_last(Now())
    {
    }

    /// @return seconds since it was made or asked last
    double Lap()
    {
        const double now = Now();
        const double lap = now - m_last;
        m_last = now;
        return lap;
    }

  private:
    /// @return CPU time in seconds
    double Now() const
    {
        timespec t{};
        clock_gettime(m_clock, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

    clockid_t m_clock; //!< whose time
    double m_last;     //!< when it was asked last
};

/// What was done on each side, and how long it took.
struct Score
{
    double packets{0};      //!< by the engine
    double seconds{0};      //!< by the engine
    double plainPackets{0}; //!< by the plain form
    double plainSeconds{0}; //!< by the plain form

    /// @param state where to tell it
    void Tell(benchmark::State& state) const
    {
        const double rate = packets / seconds;
        state.counters["Mpackets/s"] = rate * 1e-6;
        state.counters["gain"] = rate / (plainPackets / plainSeconds);
    }
};

/// @param flows number of flows  @param load of the line  @return their mean gap in ps
double
MeanGap(uint32_t flows, double load)
{
    return SERVICE / load * flows;
}

/// Draws, against ExponentialRandomVariable and llround. Arguments: flows, packets a block.
void
EngineDraw(benchmark::State& state)
{
    const auto flows = static_cast<uint32_t>(state.range(0));
    OdcnArrivalBank bank;
    bank.SetBlockSize(static_cast<uint32_t>(state.range(1)));
    std::vector<Ptr<ExponentialRandomVariable>> plain;
    for (uint32_t i = 0; i < flows; ++i)
    {
        bank.AddStream(i);
        bank.Start(i, 0, MeanGap(flows, LOAD), BYTES);
        if (i < 1000)
        {
            plain.push_back(CreateObject<ExponentialRandomVariable>());
            plain.back()->SetStream(i);
        }
    }
    OdcnArrivalBlock block;
    Score score;
    int64_t until = 0;
    for (auto _ : state)
    {
        Watch watch;
        until += static_cast<int64_t>(200000 * SERVICE / LOAD);
        while (bank.DrawBlock(until, block))
        {
            score.packets += static_cast<double>(block.packed.size());
            benchmark::DoNotOptimize(block.packed.data());
        }
        const double seconds = watch.Lap();
        int64_t sum = 0;
        for (int i = 0; i < 20000; ++i)
        {
            sum += std::llround(plain[i % plain.size()]->GetValue(MeanGap(flows, LOAD), 0));
        }
        benchmark::DoNotOptimize(sum);
        score.plainPackets += 20000;
        score.plainSeconds += watch.Lap();
        score.seconds += seconds;
        state.SetIterationTime(seconds);
    }
    score.Tell(state);
}

/// Time to draw a millisecond of flows that all have the same rate. Argument: flows.
void
EngineDrawMillisecond(benchmark::State& state)
{
    const auto flows = static_cast<uint32_t>(state.range(0));
    OdcnArrivalBank bank;
    for (uint32_t i = 0; i < flows; ++i)
    {
        bank.AddStream(i);
        bank.Start(i, 0, MeanGap(300, LOAD), BYTES);
    }
    OdcnArrivalBlock block;
    int64_t until = 0;
    for (auto _ : state)
    {
        until += 1000000000;
        while (bank.DrawBlock(until, block))
        {
            benchmark::DoNotOptimize(block.packed.data());
        }
    }
    state.SetComplexityN(state.range(0));
}

/// Circuits chosen at random, against UniformRandomVariable.
void
EngineChoose(benchmark::State& state)
{
    OdcnRandomBuffer buffer{OdcnRandomStream(1)};
    auto plain = CreateObject<UniformRandomVariable>();
    plain->SetStream(1);
    Score score;
    for (auto _ : state)
    {
        Watch watch;
        uint32_t sum = 0;
        for (int i = 0; i < 100000; ++i)
        {
            sum += buffer.NextInteger(5);
        }
        benchmark::DoNotOptimize(sum);
        const double seconds = watch.Lap();
        for (int i = 0; i < 20000; ++i)
        {
            sum += plain->GetInteger(0, 4);
        }
        benchmark::DoNotOptimize(sum);
        score.plainSeconds += watch.Lap();
        score.plainPackets += 20000;
        score.packets += 100000;
        score.seconds += seconds;
        state.SetIterationTime(seconds);
    }
    score.Tell(state);
}

/// @param packets how many  @return Poisson arrivals at one queue, in ps
std::vector<int64_t>
Arrivals(std::size_t packets)
{
    std::mt19937_64 random(1);
    std::exponential_distribution<double> gap(LOAD / SERVICE);
    std::vector<int64_t> times;
    double now = 0;
    for (std::size_t i = 0; i < packets; ++i)
    {
        now += gap(random);
        times.push_back(static_cast<int64_t>(now));
    }
    return times;
}

/// The recursion alone, on arrivals drawn before, against a queue that keeps its packets.
/// @param mixed whether sizes differ  @param unit what limits the queue
void
EngineQueue(benchmark::State& state, bool mixed, OdcnFifoUnit unit)
{
    const auto times = Arrivals(20000);
    std::vector<uint32_t> bytes(times.size(), BYTES);
    for (std::size_t i = 0; mixed && i < bytes.size(); ++i)
    {
        bytes[i] = i % 3 ? 150 : 588;
    }
    const uint32_t limit = unit == ODCN_FIFO_PACKETS ? 15 : 15 * BYTES;
    Score score;
    for (auto _ : state)
    {
        OdcnFifoQueue queue(LINE, limit, unit);
        NaiveQueue plain(LINE, limit, unit);
        Watch watch;
        int64_t sum = 0;
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            sum += queue.Offer(times[i], bytes[i]);
        }
        benchmark::DoNotOptimize(sum);
        const double seconds = watch.Lap();
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            sum += plain.Offer(times[i], bytes[i], i, ODCN_DEPARTURE_FIRST);
        }
        benchmark::DoNotOptimize(sum);
        score.plainSeconds += watch.Lap();
        score.plainPackets += static_cast<double>(times.size());
        score.packets += static_cast<double>(times.size());
        score.seconds += seconds;
        state.SetIterationTime(seconds);
    }
    score.Tell(state);
}

/// @param flows number of flows  @param circuits number of circuits  @param mixed whether sizes are
/// drawn  @return a bundle at the usual load
OdcnCircuitBundle
Bundle(uint32_t flows, uint32_t circuits, bool mixed)
{
    OdcnCircuitBundle bundle(LINE, circuits);
    bundle.SetSpreading(ODCN_BUNDLE_RANDOM, 1000000);
    auto mix = CreateObject<OdcnMixRandomVariable>();
    mix->SetMix("150:2,588:1");
    for (uint32_t i = 0; i < flows; ++i)
    {
        bundle.AddFlow(i,
                       static_cast<BitRate>(LOAD * LINE * circuits / flows),
                       BYTES,
                       mixed ? OdcnPacketLaw(mix, nullptr, i) : OdcnPacketLaw());
    }
    return bundle;
}

/// All together: drawn, ordered, queued, and counted by flow, against ns-3's variables with a list
/// of events and a queue that keeps its packets. Arguments: flows, packets a block, circuits.
/// @param mixed whether sizes are drawn
void
EngineBundle(benchmark::State& state, bool mixed)
{
    const auto flows = static_cast<uint32_t>(state.range(0));
    const auto circuits = static_cast<uint32_t>(state.range(2));
    OdcnCircuitBundle bundle = Bundle(flows, circuits, mixed);
    bundle.GetBank().SetBlockSize(static_cast<uint32_t>(state.range(1)));
    NaiveFlows plain;
    NaiveQueue queue(LINE, 15, ODCN_FIFO_PACKETS);
    for (uint32_t i = 0; i < flows; ++i)
    {
        plain.AddStream(i);
        plain.Start(i, 0, MeanGap(flows, LOAD));
    }
    const auto step = static_cast<int64_t>(200000 * SERVICE / LOAD / circuits);
    int64_t until = step;
    int64_t plainUntil = 0;
    bundle.Run(until);
    Score score;
    for (auto _ : state)
    {
        bundle.ClearTallies();
        Watch watch;
        until += step;
        bundle.Run(until);
        const double seconds = watch.Lap();
        plainUntil += static_cast<int64_t>(5000 * SERVICE / LOAD);
        for (const auto& packet : plain.Draw(plainUntil))
        {
            queue.Offer(packet.time, packet.bytes, packet.stream, ODCN_DEPARTURE_FIRST);
            ++score.plainPackets;
        }
        queue.departures.clear();
        score.plainSeconds += watch.Lap();
        score.packets += static_cast<double>(bundle.GetTotal().GetOffered());
        score.seconds += seconds;
        state.SetIterationTime(seconds);
    }
    score.Tell(state);
}

/// Bundles side by side. Argument: threads. Beside one thread in the same run: "speedup" of the
/// time that passes (of use on an idle machine only), "work" of the CPU time that all threads take.
void
EngineThreads(benchmark::State& state)
{
    constexpr uint32_t BUNDLES = 16;
    constexpr double PACKETS = 100000;
    const auto threads = static_cast<uint32_t>(state.range(0));
    std::vector<OdcnCircuitBundle> bundles(BUNDLES, Bundle(300, 1, false));
    int64_t until = 0;
    double passed[2] = {};
    double taken[2] = {};
    const auto run = [&](int side, uint32_t n)
    {
        until += static_cast<int64_t>(PACKETS * SERVICE / LOAD);
        Watch watch(CLOCK_MONOTONIC);
        Watch cpu(CLOCK_PROCESS_CPUTIME_ID);
        OdcnCircuitBundle::RunBundles(bundles, until, n);
        taken[side] += cpu.Lap();
        const double seconds = watch.Lap();
        passed[side] += seconds;
        return seconds;
    };
    for (auto _ : state)
    {
        state.SetIterationTime(run(1, threads));
        run(0, 1);
    }
    const double packets = BUNDLES * PACKETS * static_cast<double>(state.iterations());
    state.counters["Mpackets/s"] = packets / passed[1] * 1e-6;
    state.counters["speedup"] = passed[0] / passed[1];
    state.counters["work"] = taken[1] / taken[0];
}

} // namespace

BENCHMARK(EngineDraw)
    ->ArgsProduct({{10, 100, 1000, 10000}, {0}})
    ->ArgsProduct({{300}, {1024, 4096, 16384, 65536}})
    ->UseManualTime();
BENCHMARK(EngineDrawMillisecond)->RangeMultiplier(4)->Range(16, 16384)->Complexity(benchmark::oN);
BENCHMARK(EngineChoose)->UseManualTime();
BENCHMARK_CAPTURE(EngineQueue, one_size, false, ODCN_FIFO_PACKETS)->UseManualTime();
BENCHMARK_CAPTURE(EngineQueue, mixed_sizes, true, ODCN_FIFO_PACKETS)->UseManualTime();
BENCHMARK_CAPTURE(EngineQueue, byte_limit, true, ODCN_FIFO_BYTES)->UseManualTime();
BENCHMARK_CAPTURE(EngineBundle, one_size, false)
    ->ArgsProduct({{10, 100, 300, 1000, 10000}, {0}, {1}})
    ->ArgsProduct({{300}, {1024, 4096, 16384, 65536}, {1}})
    ->ArgsProduct({{300}, {0}, {4}})
    ->UseManualTime();
BENCHMARK_CAPTURE(EngineBundle, drawn_sizes, true)->Args({300, 0, 1})->UseManualTime();
BENCHMARK(EngineThreads)->Arg(1)->Arg(2)->UseManualTime();
