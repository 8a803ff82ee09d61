// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Parts of the exact packet engine: packets drawn by each arrival law, and the recursion of a queue
 * compared with a queue that stores its packets ("gain").
 */

#include "../optics/odcn-naive-packets.h"
#include "odcn-benchmark-kit.h"

#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-packet-port.h"

#include <chrono>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr BitRate LINE = 40000000000;
constexpr uint32_t BYTES = 296;
constexpr double SERVICE = 59200;
constexpr double LOAD = 0.8;

/// Draw the gaps of a flow. @param arrivals arrival process
void
EngineDraw(benchmark::State& state, PacketLaw::Arrivals arrivals)
{
    PacketLaw law;
    law.arrivals = arrivals;
    law.onTime = 1'000'000;
    law.offTime = 1'000'000;
    law.trace = std::make_shared<PacketTrace>(std::vector<double>{0, 1, 3},
                                              std::vector<uint32_t>{296, 296, 296});
    PacketSource source(law, 1);
    int64_t time = source.Start(SERVICE / LOAD, BYTES);
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(time += source.NextGap(1));
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

/// The recursion alone, on precomputed arrivals. @param mixed whether sizes differ
void
EngineQueue(benchmark::State& state, bool mixed)
{
    std::mt19937_64 random(1);
    std::exponential_distribution<double> gap(LOAD / SERVICE);
    std::vector<int64_t> times;
    std::vector<uint32_t> bytes;
    double now = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        times.push_back(static_cast<int64_t>(now += gap(random)));
        bytes.push_back(!mixed ? BYTES : i % 3 ? 150 : 588);
    }
    PortKind kind{LINE, 15};
    for (const uint32_t size : bytes)
    {
        kind.Need(size);
    }
    using Clock = std::chrono::steady_clock;
    Clock::duration plainTime{};
    Clock::duration time{};
    for (auto _ : state)
    {
        PacketPort port;
        int64_t tie = INT64_MAX;
        NaiveQueue plain(LINE, 15);
        int64_t sum = 0;
        const auto begin = Clock::now();
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const Passage packet{times[i], times[i], 0, 0, bytes[i], 0};
            if (const Passage* leaving = port.Accept(packet, kind, tie))
            {
                sum += leaving->time;
                port.Release();
            }
        }
        const auto middle = Clock::now();
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            sum += plain.Offer(times[i], bytes[i], i);
        }
        benchmark::DoNotOptimize(sum);
        time += middle - begin;
        plainTime += Clock::now() - middle;
        state.SetIterationTime(std::chrono::duration<double>(middle - begin).count());
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * times.size()));
    state.counters["gain"] =
        static_cast<double>(plainTime.count()) / static_cast<double>(time.count());
}

} // namespace

BENCHMARK_CAPTURE(EngineDraw, poisson, PacketLaw::POISSON);
BENCHMARK_CAPTURE(EngineDraw, deterministic, PacketLaw::DETERMINISTIC);
BENCHMARK_CAPTURE(EngineDraw, on_off, PacketLaw::ON_OFF);
BENCHMARK_CAPTURE(EngineDraw, trace, PacketLaw::TRACE);
BENCHMARK_CAPTURE(EngineQueue, one_size, false)->UseManualTime();
BENCHMARK_CAPTURE(EngineQueue, mixed_sizes, true)->UseManualTime();
