// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The packet engine for schedules: the shuffle of the Opera paper (Mellette et al., NSDI 2020), in
 * which each of 648 hosts sends 100 kB to each host of another rack, all at time 0.
 */

#include "../core/odcn-test-resolution.h"
#include "odcn-benchmark-kit.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-schedule-packets.h"

#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The shuffle. @param order of a host's flows  @param rate of hosts' links, bit/s
/// @param hold whether flows wait in the hosts for circuits
void
ScheduleShuffle(benchmark::State& state, SchedulePackets::Order order, BitRate rate, bool hold)
{
    UsePicoseconds();
    FabricModel model;
    model.racks = 108;
    model.serversPerRack = 6;
    model.uplinks = 6;
    model.switches = 6;
    model.serverRate = rate;
    model.uplinkRate = 10'000'000'000;
    model.serverQueue = 1 << 20;
    model.uplinkDelay = 250'000;
    const auto schedule =
        CreateObjectWithAttributes<OperaSchedule>("Slot",
                                                  TimeValue(NanoSeconds(6 * 138300)),
                                                  "ReconfigurationTime",
                                                  TimeValue(MicroSeconds(10)));
    schedule->AssignStreams(1);
    schedule->Build(model.racks, model.uplinks);
    Traffic flows;
    for (ServerId from = 0; from < model.GetNServers(); ++from)
    {
        // The next host first, so that hosts do not all begin with the same one.
        for (uint32_t shift = 1; shift < model.GetNServers(); ++shift)
        {
            const ServerId to = (from + shift) % model.GetNServers();
            if (from / model.serversPerRack != to / model.serversPerRack)
            {
                flows.Add({from, to, 100'000, Time(0)});
            }
        }
    }
    SchedulePackets::Settings settings;
    settings.order = order;
    settings.hold = hold;
    SchedulePackets engine(model, schedule, settings);
    SchedulePackets::Result result;
    uint64_t hops = 0;
    for (auto _ : state)
    {
        result = engine.Run(flows, Seconds(1));
        hops += result.hops;
    }
    auto times = ListOf<double>(result.GetTimes(),
                                [&](const Time& time) { return time.GetSeconds() * 1e3; });
    std::sort(times.begin(), times.end());
    const auto quantile = [&times](double q)
    { return times[static_cast<std::size_t>(q * double(times.size() - 1))]; };
    const std::vector<double>& goodput = result.goodput;
    // Bytes of headers count as well: 69 packets a flow.
    const double perByte = (100'000.0 + 69 * SchedulePackets::HEADERS) / 100'000;
    const double mean = std::accumulate(goodput.begin() + 2, goodput.begin() + 46, 0.0) / 44;
    const uint64_t most = *std::max_element(result.mostHeld.begin(), result.mostHeld.end());
    state.counters["p50_ms"] = quantile(0.5);
    state.counters["p90_ms"] = quantile(0.9);
    state.counters["p99_ms"] = quantile(0.99);
    state.counters["plateau"] = mean * perByte / (model.GetNServers() * 1e10);
    state.counters["most_held_MB"] = double(most) * 1e-6;
    state.counters["circuit_use"] = result.circuitUse;
    state.SetItemsProcessed(static_cast<int64_t>(hops));
}

/// The orders, rates and whether flows wait.
const bool REGISTERED = []
{
    using Order = SchedulePackets::Order;
    constexpr BitRate GBPS = 1'000'000'000;
    for (const auto& [name, order, gbps, hold] : {
             // As in Opera: hosts have a queue for each rack and send when a circuit is up.
             std::tuple("hold_10G", Order::ROUND_ROBIN, 10, true),
             // Hosts that send to all racks in turn fill the ToR switches' queues only in the
             // course of the first period, with links of 100 Gb/s at once.
             std::tuple("round_robin_10G", Order::ROUND_ROBIN, 10, false),
             std::tuple("round_robin_100G", Order::ROUND_ROBIN, 100, false),
             std::tuple("fifo_10G", Order::FIFO, 10, false),
         })
    {
        benchmark::RegisterBenchmark((std::string("ScheduleShuffle/") + name).c_str(),
                                     ScheduleShuffle,
                                     order,
                                     gbps * GBPS,
                                     hold)
            ->Iterations(1)
            ->Unit(benchmark::kSecond);
    }
    return true;
}();

} // namespace
