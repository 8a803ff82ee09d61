// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The flow level beside packets: completion times there, divided by those of the exact engine with
 * queues first in, first out, and with fair queues; means and medians. The table of
 * doc/optics/collectives.rst.
 */

#include "../core/odcn-test-resolution.h"
#include "odcn-benchmark-kit.h"

#include "ns3/double.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Flows, and which of them count.
struct ComparedFlows
{
    const char* demand;       //!< as for DemandMatrix::Make()
    double load;              //!< of the servers' line rate
    std::string sizes;        //!< as for FlowSizes; "" for web search
    int64_t ms;               //!< time in which flows start
    uint64_t least{0};        //!< bytes of those that count
    uint64_t end{UINT64_MAX}; //!< those that count have fewer bytes
};

/// Fabrics of the table: 18 racks of 6 servers, 10 Gb/s.
constexpr FabricSize COMPARED_SIZE{.racks = 18, .servers = 6, .uplinks = 6};

/// @return the designs by name in the table
std::vector<std::pair<std::string, FabricDesign>>
MakeDesigns()
{
    std::vector<std::pair<std::string, FabricDesign>> designs;
    for (const char* name : {"ideal", "fat-tree", "clos-3:1", "expander", "rotornet-direct"})
    {
        designs.emplace_back(name, FabricDesign::Find(name, COMPARED_SIZE));
    }
    const std::string rotor = "RotorSchedule[Slot=100us|ReconfigurationTime=10us];DirectRouting";
    designs.emplace_back("rotor-hold", FabricDesign::Parse(rotor + ";hold", COMPARED_SIZE));
    return designs;
}

/// @param design a design
/// @param flows the flows
/// @param until end of the run
/// @return their times on the flow level
std::vector<Time>
RunFluid(const FabricDesign& design, const Traffic& flows, Time until)
{
    FabricDesignHelper helper;
    const Ptr<MessagePlane> level = helper.MakePlane(helper.Build(design), FabricEngine::FLOWS);
    level->SetAttribute("HeaderSize", UintegerValue(UdpFlowTransport::HEADERS));
    const Ptr<PlaneRun> run = level->Send(flows, [] { Simulator::Stop(); });
    Simulator::Stop(until);
    Simulator::Run();
    Simulator::Destroy();
    return run->GetResult().GetTimes();
}

/// The ratios by design.
/// @param compared the flows
void
FlowLevelAndPackets(benchmark::State& state, const ComparedFlows& compared)
{
    UsePicoseconds();
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const Time until = Seconds(1);
    for (auto _ : state)
    {
        const auto workload = CreateObject<FlowWorkload>();
        workload->SetAttribute("Load", DoubleValue(compared.load));
        workload->SetAttribute("HostRate", StringValue("10Gbps"));
        workload->SetAttribute("Sizes",
                               StringValue(compared.sizes.empty()
                                               ? GetDataFile("flow-cdf/websearch.csv")
                                               : compared.sizes));
        workload->SetAttribute("Duration", TimeValue(MilliSeconds(compared.ms)));
        workload->AssignStreams(2);
        const auto demand = DemandMatrix::Make(compared.demand, COMPARED_SIZE.racks, random);
        const Traffic flows = workload->Generate(demand, COMPARED_SIZE.servers);
        for (const auto& [name, design] : MakeDesigns())
        {
            const auto choose = [&](const std::vector<Time>& times)
            {
                std::vector<double> chosen;
                for (std::size_t i = 0; i < flows.size(); ++i)
                {
                    if (flows[i].bytes >= compared.least && flows[i].bytes < compared.end)
                    {
                        const bool isComplete = !times[i].IsStrictlyNegative();
                        chosen.push_back((isComplete ? times[i] : until).GetSeconds());
                    }
                }
                std::sort(chosen.begin(), chosen.end());
                return chosen;
            };
            const auto sum = [](const std::vector<double>& list)
            { return std::accumulate(list.begin(), list.end(), 0.0); };
            const std::vector<double> fluid = choose(RunFluid(design, flows, until));
            for (const bool fair : {false, true})
            {
                FabricDesignHelper helper;
                helper.SetFairQueues(fair);
                const auto packets = choose(helper.RunExact(design, flows, until).GetTimes());
                const std::string column = name + (fair ? " fair" : " fifo");
                state.counters[column] = sum(fluid) / sum(packets);
                state.counters[column + " p50"] =
                    fluid[fluid.size() / 2] / packets[packets.size() / 2];
            }
        }
    }
}

/// Rows of the table.
BENCHMARK_CAPTURE(FlowLevelAndPackets, load_0_2, {"uniform", 0.2, "1000000", 20})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FlowLevelAndPackets, load_0_5, {"uniform", 0.5, "1000000", 20})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FlowLevelAndPackets, load_0_8, {"uniform", 0.8, "1000000", 20})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FlowLevelAndPackets, incast_12, {"incast:12", 0.5, "1000000", 20})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FlowLevelAndPackets, below_100_kB, {"uniform", 0.3, "", 20, 0, 100000})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(FlowLevelAndPackets, from_1_MB, {"uniform", 0.3, "", 20, 1000000})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

} // namespace
