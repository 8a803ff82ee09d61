// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-bundle.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

namespace ns3
{
namespace odcn
{

OdcnCircuitBundle::OdcnCircuitBundle(BitRate rate,
                                     uint32_t circuits,
                                     uint32_t limit,
                                     OdcnFifoUnit unit)
    : m_nCircuits(circuits),
      m_limit(limit),
      m_unit(unit),
      m_queues(circuits, OdcnFifoQueue(rate, limit, unit)),
      m_free(circuits, 0)
{
    if (circuits == 0)
    {
        throw OdcnError::InOption("circuits of a bundle", "0", "1 or more");
    }
}

void
OdcnCircuitBundle::SetSpreading(OdcnBundleSpreading spreading, int64_t stream)
{
    m_random = OdcnRandomBuffer(OdcnRandomStream(stream));
    m_spreading = spreading;
}

uint32_t
OdcnCircuitBundle::AddFlow(int64_t stream, BitRate rate, uint32_t bytes, const OdcnPacketLaw& law)
{
    if (m_hasRun)
    {
        throw OdcnError("a bundle that has run takes no more flows");
    }
    if (rate <= 0)
    {
        throw OdcnError::InOption("rate of a flow", std::to_string(rate), "above 0 bit/s");
    }
    const double meanGap = OdcnArrivalBank::MeanGap(rate, bytes);
    OdcnArrivalBank::CheckFlow(meanGap, bytes);
    const uint32_t flow = m_bank.AddStream(stream);
    if (law.DrawsSizes() || law.DrawsBursts())
    {
        m_bank.SetLaw(flow, law);
    }
    m_bank.Start(flow, 0, meanGap, bytes);
    m_equal = m_equal && !law.DrawsSizes() && bytes == m_bank.GetBytes(0);
    m_tallies.emplace_back();
    return flow;
}

void
OdcnCircuitBundle::Run(int64_t until)
{
    DoRun(until, nullptr);
}

void
OdcnCircuitBundle::Run(int64_t until, std::vector<OdcnBundlePacket>& packets)
{
    DoRun(until, &packets);
}

void
OdcnCircuitBundle::DoRun(int64_t until, std::vector<OdcnBundlePacket>* packets)
{
    m_hasRun = true;
    while (m_bank.DrawBlock(until, m_block))
    {
        if (m_equal && m_unit == ODCN_FIFO_PACKETS)
        {
            RunEqual(packets);
        }
        else
        {
            RunAny(packets);
        }
    }
}

void
OdcnCircuitBundle::RunEqual(std::vector<OdcnBundlePacket>* packets)
{
    // With one size, how many wait is how much longer the circuit is taken, in whole services.
    const int64_t service = m_queues[0].GetTxTime(m_bank.GetBytes(0));
    const int64_t most = m_limit * service;
    const std::size_t n = m_block.packed.size();
    // In variables, since the compiler does not know that counting changes no member.
    const uint64_t* packed = m_block.packed.data();
    const int64_t base = m_block.base;
    const uint32_t shift = m_block.shift;
    const uint64_t mask = (uint64_t(1) << shift) - 1;
    OdcnFlowTally* tallies = m_tallies.data();
    const bool one = m_nCircuits == 1;
    int64_t free = m_free[0];
    for (std::size_t i = 0; i < n; ++i)
    {
        const int64_t time = base + static_cast<int64_t>(packed[i] >> shift);
        const auto stream = static_cast<uint32_t>(packed[i] & mask);
        uint32_t circuit = 0;
        if (!one)
        {
            circuit = Choose();
            free = m_free[circuit];
        }
        OdcnFlowTally& tally = tallies[stream];
        const bool room = free - time <= most;
        if (room)
        {
            free = std::max(free, time) + service;
            tally.latency.Add(free - time);
            if (!one)
            {
                m_free[circuit] = free;
            }
        }
        else
        {
            ++tally.lost;
        }
        if (packets)
        {
            packets->push_back({time, room ? free : OdcnFifoQueue::DROPPED, stream, circuit});
        }
    }
    if (one)
    {
        m_free[0] = free;
    }
}

void
OdcnCircuitBundle::RunAny(std::vector<OdcnBundlePacket>* packets)
{
    const std::size_t n = m_block.packed.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        const int64_t time = m_block.GetTime(i);
        const uint32_t stream = m_block.GetStream(i);
        const uint32_t circuit = Choose();
        const uint32_t bytes = m_block.bytes.empty() ? m_bank.GetBytes(stream) : m_block.bytes[i];
        const int64_t departure = m_queues[circuit].Offer(time, bytes);
        OdcnFlowTally& tally = m_tallies[stream];
        if (departure != OdcnFifoQueue::DROPPED)
        {
            tally.latency.Add(departure - time);
        }
        else
        {
            ++tally.lost;
        }
        if (packets)
        {
            packets->push_back({time, departure, stream, circuit});
        }
    }
}

void
OdcnCircuitBundle::ClearTallies()
{
    for (auto& tally : m_tallies)
    {
        tally.lost = 0;
        tally.latency.Clear();
    }
}

const OdcnFlowTally&
OdcnCircuitBundle::GetTally(uint32_t flow) const
{
    return m_tallies.at(flow);
}

OdcnFlowTally
OdcnCircuitBundle::GetTotal() const
{
    OdcnFlowTally total;
    for (const auto& tally : m_tallies)
    {
        total.lost += tally.lost;
        total.latency.Merge(tally.latency);
    }
    return total;
}

uint32_t
OdcnCircuitBundle::GetNFlows() const
{
    return m_bank.GetNStreams();
}

uint32_t
OdcnCircuitBundle::GetNCircuits() const
{
    return m_nCircuits;
}

void
OdcnCircuitBundle::RunBundles(std::vector<OdcnCircuitBundle>& bundles,
                              int64_t until,
                              uint32_t threads)
{
    std::atomic<std::size_t> next{0};
    const auto work = [&bundles, &next, until]()
    {
        for (std::size_t i = next++; i < bundles.size(); i = next++)
        {
            bundles[i].Run(until);
        }
    };
    std::vector<std::thread> others;
    for (uint32_t i = 1; i < std::min<std::size_t>(threads, bundles.size()); ++i)
    {
        others.emplace_back(work);
    }
    work();
    for (auto& thread : others)
    {
        thread.join();
    }
}

} // namespace odcn
} // namespace ns3
