// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Messages on the flow level, in packets and in the exact engine: random ones of 100 kB between the
 * servers of one switch, and an all-to-all over circuits.
 */

#include "../core/odcn-test-resolution.h"
#include "odcn-benchmark-kit.h"

#include "ns3/double.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-network-flow-level.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Sends messages as a Poisson process.
class Source
{
  public:
    /// @param plane carries the messages
    /// @param number of messages
    /// @param gap mean time between them
    Source(Ptr<MessagePlane> plane, uint64_t number, Time gap)
        : m_plane(plane),
          m_left(number)
    {
        m_random->SetStream(1);
        m_wait->SetStream(2);
        m_wait->SetAttribute("Mean", DoubleValue(gap.GetSeconds()));
        Send();
    }

  private:
    /// Send one, and schedule the next.
    void Send()
    {
        const uint32_t n = m_plane->GetNEndPoints();
        const uint32_t from = m_random->GetInteger(0, n - 1);
        m_plane->Send(from, (from + m_random->GetInteger(1, n - 1)) % n, 100000);
        if (--m_left > 0)
        {
            Simulator::Schedule(Seconds(m_wait->GetValue()), &Source::Send, this);
        }
    }

    Ptr<MessagePlane> m_plane; //!< carries the messages
    uint64_t m_left;           //!< messages to send
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()};       //!< pairs
    Ptr<ExponentialRandomVariable> m_wait{CreateObject<ExponentialRandomVariable>()}; //!< gaps
};

/// Random messages at one switch.
/// @param flows whether on the flow level
/// @param load of servers
void
MessageMix(benchmark::State& state, bool flows, double load)
{
    UsePicoseconds();
    constexpr uint32_t SERVERS = 64;
    const uint64_t number = flows ? 200000 : 20000;
    double events = 0;
    for (auto _ : state)
    {
        PacketNetworkHelper helper;
        helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        const Ptr<PacketNetwork> network = helper.BuildIdeal(1, SERVERS);
        helper.InstallServers(network);
        FlowHelper hosts;
        Ptr<MessagePlane> plane;
        const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
        if (flows)
        {
            level->SetHosts(network->GetServers());
            plane = level;
        }
        else
        {
            plane = hosts.InstallMessages(network->GetServers());
        }
        const Source source(plane, number, Seconds(100000 * 8 * 1.0417 / 1e10 / SERVERS / load));
        Simulator::Run();
        events += flows ? double(level->GetNEvents()) : 2.0 * double(number);
        Simulator::Destroy();
    }
    state.counters["flow events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
}

/// All-to-all of 64 servers, one a rack, over rotor switches; circuits are events as well.
void
RotorAllToAll(benchmark::State& state)
{
    UsePicoseconds();
    FabricModel model;
    model.racks = 64;
    model.uplinks = 4;
    model.switches = 4;
    model.serverRate = 40'000'000'000;
    model.uplinkRate = 10'000'000'000;
    const Ptr<CircuitSchedule> plan = CreateObject<RotorSchedule>();
    plan->AssignStreams(1);
    plan->Build(model.racks, model.uplinks);
    double events = 0;
    for (auto _ : state)
    {
        const Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>();
        level->SetFabric(model, plan);
        level->Send(Collective::Make("all-to-all:direct", 64, 64'000'000).GetMessages());
        Simulator::Run();
        events += double(level->GetNEvents());
        Simulator::Destroy();
    }
    state.counters["flow events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
}

/**
 * All-to-all of 64 servers in 16 racks, 6.4 MB of each, in the exact engine and, once, in packets
 * of ns-3.
 * @param circuits a CircuitSchedule
 * @param routing of ToR switches
 */
void
ExactAllToAll(benchmark::State& state, const std::string& circuits, const std::string& routing)
{
    UsePicoseconds();
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(routing));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    const OcsFabricSize size{16, 4, 4, 4};
    const Ptr<CircuitSchedule> plan = CircuitSchedule::Create(circuits);
    plan->AssignStreams(1);
    plan->Build(size.racks, size.uplinks);
    const auto collective = Collective::Make("all-to-all:direct", 64, 6'400'000);
    SchedulePackets::Settings settings;
    settings.forwarding = TorRouting::Create(routing)->GetForwarding();
    SchedulePackets engine(helper.GetModel(size), plan, settings);
    engine.AssignStreams(100);
    TrafficRun exact(collective.GetMessages());
    uint64_t packets = 0;
    const double start = kit::CpuSeconds();
    for (auto _ : state)
    {
        packets += engine.Run(exact, Seconds(10)).counts.received;
    }
    const double middle = kit::CpuSeconds();
    const Ptr<OcsFabric> fabric = helper.Build(size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(100);
    const auto follower = CreateObject<OcsScheduleFollower>();
    follower->Start(fabric, plan);
    FlowHelper hosts;
    const auto messages = hosts.InstallMessages(fabric);
    const auto run = messages->Send(collective.GetMessages(), [] { Simulator::Stop(); });
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    if (!exact.IsDone() || run->GetTime() != exact.GetTime())
    {
        state.SkipWithError("the exact engine differs from packets");
    }
    Simulator::Destroy();
    const double once = (middle - start) / double(state.iterations());
    state.counters["time_ms"] = exact.GetTime().GetSeconds() * 1e3;
    state.counters["packets / exact"] = (kit::CpuSeconds() - middle) / once;
    state.SetItemsProcessed(static_cast<int64_t>(packets));
}

BENCHMARK_CAPTURE(MessageMix, flows_10_percent, true, 0.1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(MessageMix, flows_30_percent, true, 0.3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(MessageMix, flows_60_percent, true, 0.6)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(MessageMix, packets_30_percent, false, 0.3)->Unit(benchmark::kMillisecond);
BENCHMARK(RotorAllToAll)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ExactAllToAll, direct, "RotorSchedule", "DirectRouting")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ExactAllToAll, valiant, "RotorSchedule", "ValiantRouting")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ExactAllToAll, random, "RotorSchedule", "ValiantRouting[Spread=Random]")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ExactAllToAll, expander, "ExpanderSchedule", "ExpanderRouting")
    ->Unit(benchmark::kMillisecond);

} // namespace
