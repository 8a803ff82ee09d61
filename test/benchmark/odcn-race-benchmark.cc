// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The exact engine against ns-3 on the same arrivals: UDP sockets over server - ToR - OCS - ToR -
 * server, observed by FlowMonitor, against PacketFabric with a PacketRecorder, as in the
 * programs. It is rebuilt in each round, and ratios are medians over rounds. The benchmark fails
 * unless both receive the same number of packets.
 */

#include "../optics/odcn-packet-paths.h"
#include "odcn-benchmark-kit.h"

#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-packet-recorder.h"

#include <span>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint64_t PACKETS = 200000;

/// Passes packets to a recorder and counts them.
struct RecorderSink : public OdcnPacketSink
{
    /// @param until end of the ns-3 simulation, ps
    /// @param flows number of flows
    RecorderSink(int64_t until, std::size_t flows)
        : end(until)
    {
        recorder.Open(0, 0, static_cast<uint64_t>(until));
        for (std::size_t i = 0; i < flows; ++i)
        {
            recorder.AddFlow(0);
        }
    }

    void Take(uint32_t rack, std::span<const PacketFate> fates) override
    {
        for (const PacketFate& fate : fates)
        {
            received += fate.received && fate.ended < end;
        }
        recorder.Take(rack, fates);
        sent += fates.size();
    }

    PacketRecorder recorder; //!< as in the programs
    int64_t end;             //!< end of the ns-3 simulation, ps
    uint64_t sent{0};        //!< packets sent
    uint64_t received{0};    //!< packets received before the end
};

/// @param state its arguments are the number of pairs of servers, each with its own circuit,
/// and the number of flows of each pair
void
Race(benchmark::State& state)
{
    const auto pairs = static_cast<uint32_t>(state.range(0));
    const auto each = static_cast<uint32_t>(state.range(1));
    const int64_t end = paths::End(pairs, PACKETS).GetPicoSeconds();
    std::vector<double> ns3;
    std::vector<double> fabric;
    std::vector<double> ratio;
    for (auto _ : state)
    {
        double seconds = 0;
        const auto meter = [&seconds](auto&& run) { seconds = kit::SecondsOf(run); };
        const uint64_t received = paths::Run(paths::Wire::OPTICAL,
                                             paths::Load::FLOW_MONITOR,
                                             pairs,
                                             PACKETS,
                                             meter,
                                             each);
        ns3.push_back(1e9 * seconds / static_cast<double>(received));
        state.SetIterationTime(seconds);

        const double begin = kit::CpuSeconds();
        FabricModel model;
        model.racks = 2 * pairs;
        model.serverQueue = 15;
        PacketFabric exact(model);
        exact.AssignStreams(paths::STREAM, each);
        std::vector<OdcnCircuitChange> circuits;
        std::vector<PacketFlow> flows;
        const double gap = PacketSource::MeanGap(paths::FlowRate(each), paths::PACKET_BYTES);
        for (uint32_t i = 0; i < pairs; ++i)
        {
            circuits.push_back({2 * i, 0, NO_RACK, 0, 2 * i + 1, 0});
            flows.insert(flows.end(), each, {2 * i, 2 * i + 1, gap, paths::PACKET_BYTES, 0});
        }
        exact.Preset(circuits);
        RecorderSink sink(end, flows.size());
        exact.Run(0, end, flows, sink);
        sink.recorder.Close();
        fabric.push_back(1e9 * (kit::CpuSeconds() - begin) / static_cast<double>(sink.sent));
        ratio.push_back(ns3.back() / fabric.back());
        if (sink.received != received)
        {
            const std::string text = std::to_string(received) + " packets received, the fabric's " +
                                     std::to_string(sink.received);
            state.SkipWithError(text.c_str());
            return;
        }
    }
    state.counters["ns3_ns"] = kit::Median(ns3);
    state.counters["fabric_ns"] = kit::Median(fabric);
    state.counters["ns3/fabric"] = kit::Median(ratio);
}

} // namespace

BENCHMARK(Race)->Args({1, 1})->Args({1, 300})->Args({32, 10})->Iterations(5)->UseManualTime();
