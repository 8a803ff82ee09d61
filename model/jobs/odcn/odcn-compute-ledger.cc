// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-compute-ledger.h"

#include "ns3/assert.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace ns3::odcn
{

namespace
{

constexpr uint32_t WORD_BITS = 64;

/// @param n number of bits  @return number of 64-bit words that hold them
constexpr uint32_t
Words(uint32_t n)
{
    return (n + WORD_BITS - 1) / WORD_BITS;
}

} // namespace

OdcnComputeLedger::OdcnComputeLedger(uint32_t nRacks,
                                     uint32_t serversPerRack,
                                     const OdcnResources& server,
                                     Placement placement,
                                     Tie tie)
    : OdcnComputeLedger(std::vector<uint32_t>(nRacks, serversPerRack), server, placement, tie)
{
}

OdcnComputeLedger::OdcnComputeLedger(std::vector<uint32_t> serversByRack,
                                     const OdcnResources& server,
                                     Placement placement,
                                     Tie tie)
    : m_nRacks(static_cast<uint32_t>(serversByRack.size())),
      m_serversByRack(std::move(serversByRack)),
      m_placement(placement),
      m_tie(tie),
      m_server(server)
{
    constexpr int64_t MAX_CORES = 65536;
    constexpr uint64_t MAX_SERVERS = 10'000'000;
    const auto [fewest, most] = std::minmax_element(m_serversByRack.begin(), m_serversByRack.end());
    if (m_nRacks == 0 || *fewest == 0)
    {
        throw OdcnError::InOption("racks x servers per rack",
                                  std::to_string(m_nRacks) + " x 0",
                                  "both at least 1");
    }
    m_serversPerRack = *most;
    const int64_t cores = server.milli[0];
    if (cores < OdcnResources::SCALE || cores > MAX_CORES * OdcnResources::SCALE)
    {
        throw OdcnError::InOption("cores of a server",
                                  std::to_string(server.Cores()),
                                  "1 to " + std::to_string(MAX_CORES));
    }
    if (server.milli[1] < 0 || server.milli[2] < 0)
    {
        throw OdcnError::InOption("memory or disk of a server", "below 0", "0 or more");
    }
    const uint64_t servers = uint64_t{m_nRacks} * m_serversPerRack;
    const auto largest =
        static_cast<uint64_t>(*std::max_element(server.milli.begin(), server.milli.end()));
    if (servers > MAX_SERVERS || largest > INT64_MAX / servers)
    {
        throw OdcnError::InOption(
            "racks x servers per rack",
            std::to_string(m_nRacks) + " x " + std::to_string(m_serversPerRack),
            "at most " + std::to_string(MAX_SERVERS) + ", with sums below 9.2e15 cores or GB");
    }
    m_nBuckets = Bucket(server) + 1;
    m_words = Words(m_serversPerRack);
    m_free.assign(servers, OdcnResources());
    m_rackCapacity.resize(m_nRacks);
    m_bucket.assign(static_cast<std::size_t>(m_nRacks) * m_nBuckets * m_words, 0);
    m_occupied.assign(static_cast<std::size_t>(m_nRacks) * Words(m_nBuckets), 0);
    const uint32_t top = m_nBuckets - 1;
    for (RackId rack = 0; rack < m_nRacks; ++rack)
    {
        for (std::size_t i = 0; i < OdcnResources::KINDS; ++i)
        {
            m_rackCapacity[rack].milli[i] = server.milli[i] * m_serversByRack[rack];
        }
        m_capacity += m_rackCapacity[rack];
        std::fill_n(m_free.begin() + static_cast<std::ptrdiff_t>(rack) * m_serversPerRack,
                    m_serversByRack[rack],
                    server);
        uint64_t* bucket = &m_bucket[(static_cast<std::size_t>(rack) * m_nBuckets + top) * m_words];
        for (uint32_t s = 0; s < m_serversByRack[rack]; ++s)
        {
            bucket[s / WORD_BITS] |= uint64_t{1} << (s % WORD_BITS);
        }
        m_occupied[rack * Words(m_nBuckets) + top / WORD_BITS] |= uint64_t{1} << (top % WORD_BITS);
    }
    m_rackFree = m_rackCapacity;
}

ServerId
OdcnComputeLedger::FindInBucket(RackId rack,
                                uint32_t bucket,
                                const OdcnResources& vm,
                                bool most) const
{
    const uint64_t* words =
        &m_bucket[(static_cast<std::size_t>(rack) * m_nBuckets + bucket) * m_words];
    const ServerId first = rack * m_serversPerRack;
    ServerId best = NO_SERVER;
    for (uint32_t w = 0; w < m_words; ++w)
    {
        for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
        {
            const ServerId s = first + w * WORD_BITS + std::countr_zero(bits);
            if (!vm.FitsIn(m_free[s]))
            {
                continue;
            }
            // Without uneven servers all of a bucket have equally many free cores.
            if (m_uneven == 0 && m_tie == LOWEST_INDEX)
            {
                return s;
            }
            const auto& free = m_free[s].milli;
            const auto& least = m_free[best == NO_SERVER ? s : best].milli;
            const bool better = most ? free[0] > least[0] : free[0] < least[0];
            if (best == NO_SERVER || better ||
                (m_tie == MOST_MEMORY && free[0] == least[0] && free[1] > least[1]))
            {
                best = s;
            }
        }
    }
    return best;
}

ServerId
OdcnComputeLedger::Find(RackId rack, const OdcnResources& vm, Placement fit) const
{
    NS_ASSERT_MSG(rack < m_nRacks, "no such rack");
    if (!vm.FitsIn(m_rackFree[rack]))
    {
        return NO_SERVER;
    }
    if (fit == FIRST_FIT)
    {
        const ServerId first = rack * m_serversPerRack;
        for (ServerId s = first; s < first + m_serversByRack[rack]; ++s)
        {
            if (vm.FitsIn(m_free[s]))
            {
                return s;
            }
        }
        return NO_SERVER;
    }
    const uint32_t need = Bucket(vm);
    if (need >= m_nBuckets)
    {
        return NO_SERVER;
    }
    const uint32_t nWords = Words(m_nBuckets);
    const uint64_t* occupied = &m_occupied[rack * nWords];
    const uint32_t low = need / WORD_BITS;
    const uint64_t lowMask = ~uint64_t{0} << (need % WORD_BITS);
    const bool most = fit == BALANCED;
    for (uint32_t i = low; i < nWords; ++i)
    {
        const uint32_t w = most ? nWords - 1 - (i - low) : i;
        uint64_t bits = occupied[w] & (w == low ? lowMask : ~uint64_t{0});
        while (bits != 0)
        {
            const uint32_t b =
                most ? WORD_BITS - 1 - std::countl_zero(bits) : std::countr_zero(bits);
            bits &= ~(uint64_t{1} << b);
            const ServerId s = FindInBucket(rack, w * WORD_BITS + b, vm, most);
            if (s != NO_SERVER)
            {
                return s;
            }
        }
    }
    return NO_SERVER;
}

void
OdcnComputeLedger::CountSlots(const std::vector<OdcnResources>& kinds)
{
    for (const auto& kind : kinds)
    {
        if (kind.milli[0] < OdcnResources::SCALE)
        {
            throw OdcnError::InOption("cores of a kind of VM",
                                      std::to_string(kind.Cores()),
                                      "at least 1");
        }
    }
    m_slotKinds = kinds;
    m_slots.assign(m_nRacks * kinds.size(), 0);
    for (ServerId server = 0; server < m_free.size(); ++server)
    {
        for (std::size_t i = 0; i < kinds.size(); ++i)
        {
            m_slots[GetRack(server) * kinds.size() + i] += SlotsIn(m_free[server], kinds[i]);
        }
    }
}

void
OdcnComputeLedger::Change(ServerId server, const OdcnResources& vm, int sign)
{
    const auto uneven = [&]()
    { return (m_free[server].milli[0] - m_server.milli[0]) % OdcnResources::SCALE != 0; };
    m_uneven -= uneven();
    const RackId rack = GetRack(server);
    const uint32_t local = server - rack * m_serversPerRack;
    const uint32_t before = Bucket(m_free[server]);
    uint32_t* slots = m_slots.data() + rack * m_slotKinds.size();
    for (std::size_t i = 0; i < m_slotKinds.size(); ++i)
    {
        slots[i] -= SlotsIn(m_free[server], m_slotKinds[i]);
    }
    for (std::size_t i = 0; i < OdcnResources::KINDS; ++i)
    {
        const int64_t x = sign * vm.milli[i];
        m_free[server].milli[i] += x;
        m_rackFree[rack].milli[i] += x;
        m_used.milli[i] -= x;
    }
    m_uneven += uneven();
    for (std::size_t i = 0; i < m_slotKinds.size(); ++i)
    {
        slots[i] += SlotsIn(m_free[server], m_slotKinds[i]);
    }
    const uint32_t after = Bucket(m_free[server]);
    if (before == after)
    {
        return;
    }
    const uint64_t bit = uint64_t{1} << (local % WORD_BITS);
    uint64_t* buckets = &m_bucket[static_cast<std::size_t>(rack) * m_nBuckets * m_words];
    uint64_t* occupied = &m_occupied[rack * Words(m_nBuckets)];
    buckets[after * m_words + local / WORD_BITS] |= bit;
    occupied[after / WORD_BITS] |= uint64_t{1} << (after % WORD_BITS);
    buckets[before * m_words + local / WORD_BITS] &= ~bit;
    uint64_t left = 0;
    for (uint32_t w = 0; w < m_words; ++w)
    {
        left |= buckets[before * m_words + w];
    }
    if (left == 0)
    {
        occupied[before / WORD_BITS] &= ~(uint64_t{1} << (before % WORD_BITS));
    }
}

void
OdcnComputeLedger::Reserve(ServerId server, const OdcnResources& vm)
{
    NS_ASSERT_MSG(vm.FitsIn(m_free[server]), "reserved more than is free");
    Change(server, vm, -1);
}

void
OdcnComputeLedger::Release(ServerId server, const OdcnResources& vm)
{
    NS_ASSERT_MSG(IsInUse(server, vm), "released more than was reserved");
    Change(server, vm, 1);
}

} // namespace ns3::odcn
