// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Cost of building 22 centres at the sites of a mesh: time, and memory that stays allocated.
 * Argument: GPUs of a centre.
 */

#include "../optics/otn-test-ring.h"
#include "odcn-benchmark-kit.h"

#include "ns3/odcn-packet-network-helper.h"
#include "ns3/otn-helper.h"

#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @return memory of this process, MB
double
MegaBytes()
{
    std::ifstream file("/proc/self/statm");
    double all = 0;
    double resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) * 1e-6;
}

/// Centres, their hosts' IP stacks, and the mesh. @param state of the benchmark
void
IcciBuild(benchmark::State& state)
{
    const auto mesh = MakeRing(22, 40, 20);
    double memory = 0;
    for ([[maybe_unused]] auto _ : state)
    {
        const double before = MegaBytes();
        const auto helper = PacketNetworkHelper::ForCentres();
        std::vector<Ptr<PacketNetwork>> trees;
        NodeContainer gateways;
        for (uint32_t centre = 0; centre < mesh->GetNSites(); ++centre)
        {
            trees.push_back(helper.BuildCentre(centre, static_cast<uint32_t>(state.range(0))));
            helper.InstallServers(trees.back());
            gateways.Add(trees.back()->GetGatewayNode());
        }
        const auto otn = OtnHelper().Build(mesh, gateways);
        memory = std::max(memory, MegaBytes() - before);
        state.PauseTiming();
        for (const auto& tree : trees)
        {
            tree->Dispose();
        }
        otn->Dispose();
        Simulator::Destroy();
        state.ResumeTiming();
    }
    state.counters["MB"] = memory;
}

BENCHMARK(IcciBuild)->Arg(100)->Unit(benchmark::kSecond)->Iterations(1);

} // namespace
