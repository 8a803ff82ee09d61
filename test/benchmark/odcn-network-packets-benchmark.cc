// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The packet engine for electrical networks beside ns-3's events: a permutation of 128 hosts on a
 * fat tree, 100 Gb/s, 10 MB each. The ratio of their times is of one run, so that it does not
 * depend on the machine.
 */

#include "../core/odcn-test-resolution.h"
#include "odcn-benchmark-kit.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-network-packets.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The permutation.
/// @param spreading Attribute of PacketSwitch
/// @param window FlowApplication::Window, with Repair=Nack; 0 for plain UDP
void
FatTreePermutation(benchmark::State& state, const std::string& spreading, uint32_t window)
{
    constexpr uint32_t HOSTS = 128;
    constexpr uint64_t BYTES = 10'000'000;
    UsePicoseconds();
    PacketNetworkHelper helper;
    helper.SetServerAttribute("DataRate", StringValue("100Gbps"));
    helper.SetUplinkAttribute("DataRate", StringValue("100Gbps"));
    helper.SetServerFiberAttribute("Delay", StringValue("1us"));
    helper.SetUplinkFiberAttribute("Delay", StringValue("1us"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetSwitchAttribute("Spreading", StringValue(spreading));
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const DemandMatrix demand = DemandMatrix::Make("permutation", HOSTS, random);
    Traffic flows;
    for (ServerId from = 0; from < HOSTS; ++from)
    {
        for (ServerId to = 0; to < HOSTS; ++to)
        {
            if (demand.Get(from, to) > 0)
            {
                flows.Add({from, to, BYTES, Time(0)});
            }
        }
    }
    NetworkPackets::Settings settings;
    settings.repair = window > 0 ? FlowApplication::NACK : FlowApplication::NONE;
    settings.window = window;
    double events = 0;
    double exact = 0;
    uint64_t packets = 0;
    Time last;
    for (auto _ : state)
    {
        const Ptr<PacketNetwork> network = helper.BuildFatTree(8, HOSTS / 4, 4);
        network->AssignStreams(1);
        helper.InstallServers(network);
        FlowHelper hosts;
        hosts.SetAttribute("Repair", StringValue(window > 0 ? "Nack" : "None"));
        hosts.SetAttribute("Window", UintegerValue(window));
        hosts.Install(network->GetServers(), flows);
        events += kit::SecondsOf(
            []
            {
                Simulator::Stop(Seconds(1));
                Simulator::Run();
            });
        NetworkPackets engine(network, settings);
        engine.AssignStreams(1);
        NetworkPackets::Result result;
        exact += kit::SecondsOf([&] { result = engine.Run(flows, Seconds(1)); });
        packets += result.counts.sent;
        last = *std::max_element(result.received.begin(), result.received.end());
        Simulator::Destroy();
    }
    state.counters["last_ms"] = last.GetSeconds() * 1e3;
    state.counters["exact_packets/s"] = double(packets) / exact;
    state.counters["ns3_packets/s"] = double(packets) / events;
    state.counters["times_faster"] = events / exact;
}

BENCHMARK_CAPTURE(FatTreePermutation, ecmp, "PerFlow", 0)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FatTreePermutation, spray, "RoundRobin", 0)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FatTreePermutation, credits, "RoundRobin", 130)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

} // namespace
