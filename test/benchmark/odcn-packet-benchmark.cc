// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Cost of a packet in ns-3: CPU time over server - ToR - OCS - ToR - server against stock
 * point-to-point, over a single link and over a chain of two routers, with the same queues,
 * arrivals, sockets and measurement. A round runs the three one after the other, and the ratios are
 * medians over rounds.
 *
 * A single link serialises a packet once. The optical path does so three times and reads its
 * address twice, so "optical/link" is the additional cost of two switches.
 * With many pairs the devices of an event are rarely in the cache.
 */

#include "../optics/odcn-packet-paths.h"
#include "odcn-benchmark-kit.h"

using namespace ns3;
using namespace ns3::odcn;
using paths::Load;
using paths::Wire;

namespace
{

/**
 * Run all wires in turn.
 * @param state its arguments are the number of pairs of hosts, each with its own path, and the
 * total number of packets that they send
 * @param load sender and observer of the packets
 */
void
Packets(benchmark::State& state, Load load)
{
    const auto pairs = static_cast<uint32_t>(state.range(0));
    const auto packets = static_cast<uint64_t>(state.range(1));
    std::array<std::vector<double>, 3> ns;
    std::vector<double> overLink;
    std::vector<double> overChain;
    for (auto _ : state)
    {
        std::array<double, 3> now{};
        for (Wire wire : {Wire::LINK, Wire::CHAIN, Wire::OPTICAL})
        {
            double seconds = 0;
            const auto meter = [&seconds](auto&& run) { seconds = kit::SecondsOf(run); };
            const uint64_t received = paths::Run(wire, load, pairs, packets, meter);
            const double share = static_cast<double>(received) / static_cast<double>(packets);
            if (share < 0.9 || share > 1.1)
            {
                state.SkipWithError("packets were lost");
                return;
            }
            const auto i = static_cast<std::size_t>(wire);
            now[i] = 1e9 * seconds / static_cast<double>(received);
            ns[i].push_back(now[i]);
        }
        overLink.push_back(now[2] / now[0]);
        overChain.push_back(now[2] / now[1]);
        state.SetIterationTime(now[2] * 1e-9);
    }
    state.counters["link_ns"] = kit::Median(ns[0]);
    state.counters["chain_ns"] = kit::Median(ns[1]);
    state.counters["optical_ns"] = kit::Median(ns[2]);
    state.counters["optical/link"] = kit::Median(overLink);
    state.counters["optical/chain"] = kit::Median(overChain);
}

/// One pair, as many as a rack has servers, as many as a data centre has. @param b Packets
void
Setting(benchmark::internal::Benchmark* b)
{
    b->Args({1, 20000})->Args({32, 20000})->Args({512, 50000});
    b->Iterations(9)->UseManualTime();
}

} // namespace

BENCHMARK_CAPTURE(Packets, raw, Load::RAW)->Apply(Setting);
BENCHMARK_CAPTURE(Packets, sockets, Load::SOCKETS)->Apply(Setting);
BENCHMARK_CAPTURE(Packets, flow_monitor, Load::FLOW_MONITOR)->Apply(Setting);
