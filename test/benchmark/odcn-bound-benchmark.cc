// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The linear programs of ThroughputBound, for the same capacity between all pairs of racks.
 */

#include "odcn-benchmark-kit.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/random-variable-stream.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param racks number of racks  @param shift racks to the next sender; 0 for a random matrix
/// @return the demand, of which the busiest rack sends or receives 1
DemandMatrix
MakeDemand(uint32_t racks, uint32_t shift)
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    DemandMatrix demand(racks);
    ForPairs(racks,
             [&](RackId from, RackId to)
             {
                 if (from != to)
                 {
                     const bool next = to == (from + shift) % racks;
                     demand.Set(from, to, shift == 0 ? random->GetValue() : next);
                 }
             });
    demand.Scale(1 / demand.GetMaxLoad());
    return demand;
}

/// @param state with the number of racks  @param shift see MakeDemand()  @param get a bound
void
Bound(benchmark::State& state, uint32_t shift, double (ThroughputBound::*get)() const)
{
    const auto racks = static_cast<uint32_t>(state.range(0));
    DemandMatrix capacity(racks);
    ForPairs(racks,
             [&](RackId from, RackId to) { capacity.Set(from, to, from == to ? 0 : 1.0 / racks); });
    const ThroughputBound bound(capacity, MakeDemand(racks, shift));
    double value = 0;
    for (auto _ : state)
    {
        value = (bound.*get)();
    }
    state.counters["bound"] = value;
}

} // namespace

BENCHMARK_CAPTURE(Bound, any_hops_permutation, 1, &ThroughputBound::GetMultiHop)
    ->Apply(kit::Once<16, 32>)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(Bound, any_hops_random, 0, &ThroughputBound::GetMultiHop)
    ->Apply(kit::Once<16, 32>)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(Bound, two_hops_permutation, 1, &ThroughputBound::GetTwoHop)
    ->Apply(kit::Once<16, 32, 64, 108>)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(Bound, cut_random, 0, &ThroughputBound::GetCut)
    ->Apply(kit::Once<16, 32, 64, 108>)
    ->Unit(benchmark::kSecond);
