// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The exact engine against ns-3 on the very same arrivals: UDP sockets over server - ToR - OCS -
 * ToR
 * - server, watched by FlowMonitor, against
 *
 * - "fabric": OdcnPacketFabric, which follows each packet over all three links, with statistics of
 *   each flow;
 * - "bundle": OdcnCircuitBundle, the uplinks alone, with statistics of each flow.
 *
 * A round runs the three one after the other; ratios are medians over rounds. It fails unless the
 * fabric's packets are received as often as ns-3's, and the bundles' are as many as were sent.
 */

#include "../odcn-packet-paths.h"
#include "odcn-benchmark-kit.h"

#include "ns3/odcn-arrival-bank.h"
#include "ns3/odcn-circuit-bundle.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-packet-tallies.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint64_t PACKETS = 200000;

/// Counts packets, and each flow's latencies and losses.
struct Counter : public OdcnPacketSink
{
    /// @param flows how many there are  @param until when ns-3 stops, ps
    Counter(std::size_t flows, int64_t until)
        : tallies(flows),
          end(until)
    {
    }

    void Take(uint32_t worker, std::span<const OdcnPacketFate> fates) override
    {
        for (const OdcnPacketFate& fate : fates)
        {
            received += fate.received && fate.ended < end;
        }
        tallies.Take(worker, fates);
    }

    OdcnPacketTallies tallies; //!< by flow
    int64_t end;               //!< when ns-3 stops, ps
    uint64_t received{0};      //!< packets before the end
};

/// @param pairs of servers  @return a fabric as paths::Run() builds it
OdcnFabricModel
Model(uint32_t pairs)
{
    OdcnFabricModel model;
    model.racks = 2 * pairs;
    model.serverQueue = 15;
    return model;
}

/// @param state its arguments are the number of pairs of servers, each with a circuit of its own,
/// and the number of flows of each
void
Race(benchmark::State& state)
{
    const auto pairs = static_cast<uint32_t>(state.range(0));
    const auto each = static_cast<uint32_t>(state.range(1));
    const BitRate rate = paths::FlowRate(each);
    const int64_t end = paths::End(pairs, PACKETS).GetPicoSeconds();
    std::vector<double> ns3;
    std::vector<double> fabric;
    std::vector<double> bundle;
    std::vector<double> overFabric;
    std::vector<double> overBundle;
    for (auto _ : state)
    {
        double begin = 0;
        double seconds = 0;
        const uint64_t received = paths::Run(
            paths::Wire::OPTICAL,
            paths::Load::FLOW_MONITOR,
            pairs,
            PACKETS,
            [&seconds](auto&& run)
            {
                const double start = kit::CpuSeconds();
                run();
                seconds = kit::CpuSeconds() - start;
            },
            each);
        ns3.push_back(1e9 * seconds / static_cast<double>(received));
        state.SetIterationTime(seconds);

        begin = kit::CpuSeconds();
        OdcnPacketFabric exact(Model(pairs));
        exact.AssignStreams(paths::STREAM, each);
        std::vector<OdcnCircuitChange> circuits;
        std::vector<OdcnPacketFlow> flows;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            circuits.push_back({2 * i, 0, NO_RACK, 0, 2 * i + 1, 0});
            const double gap = OdcnArrivalBank::MeanGap(rate, paths::PACKET_BYTES);
            flows.insert(flows.end(), each, {2 * i, 2 * i + 1, gap, paths::PACKET_BYTES, 0});
        }
        exact.Preset(circuits);
        Counter counter(flows.size(), end);
        exact.Run(0, end, flows, {}, counter);
        const double spent = kit::CpuSeconds() - begin;
        const uint64_t sent = counter.tallies.GetOffered();
        fabric.push_back(1e9 * spent / static_cast<double>(sent));

        begin = kit::CpuSeconds();
        std::vector<OdcnCircuitBundle> bundles;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            bundles.emplace_back(paths::CIRCUIT);
            const int64_t stream = paths::StreamOf(i, pairs, each);
            for (uint32_t f = 0; f < each; ++f)
            {
                bundles.back().AddFlow(stream + f, rate, paths::PACKET_BYTES);
            }
        }
        OdcnCircuitBundle::RunBundles(bundles, end, 1);
        uint64_t offered = 0;
        for (const auto& one : bundles)
        {
            offered += one.GetTotal().GetOffered();
        }
        bundle.push_back(1e9 * (kit::CpuSeconds() - begin) / static_cast<double>(offered));

        overFabric.push_back(ns3.back() / fabric.back());
        overBundle.push_back(ns3.back() / bundle.back());
        if (counter.received != received || sent != offered)
        {
            const std::string text = std::to_string(received) + " packets received, the fabric's " +
                                     std::to_string(counter.received) + "; of " +
                                     std::to_string(sent) + " sent, the bundles' " +
                                     std::to_string(offered);
            state.SkipWithError(text.c_str());
            return;
        }
    }
    state.counters["ns3_ns"] = kit::Median(ns3);
    state.counters["fabric_ns"] = kit::Median(fabric);
    state.counters["bundle_ns"] = kit::Median(bundle);
    state.counters["ns3/fabric"] = kit::Median(overFabric);
    state.counters["ns3/bundle"] = kit::Median(overBundle);
}

} // namespace

BENCHMARK(Race)->Args({1, 1})->Args({1, 300})->Args({32, 10})->Iterations(5)->UseManualTime();
