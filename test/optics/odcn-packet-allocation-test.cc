// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A packet over the optical path allocates only what ns-3 allocates for it. This is one of
 * the GoogleTests although it needs the simulator, because it replaces operator new.
 */

#include "../core/odcn-gtest-kit.h"
#include "odcn-packet-paths.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/event-impl.h"
#include "ns3/make-event.h"

#include <atomic>
#include <cstdlib>
#include <new>

using namespace ns3;
using namespace ns3::odcn;
using paths::Load;
using paths::Wire;

namespace
{

std::atomic<uint64_t> g_allocations = 0; //!< calls of operator new so far

} // namespace

// Not inlined, or GCC warns that free() does not match new.
[[gnu::noinline]] void*
operator new(std::size_t size)
{
    ++g_allocations;
    if (void* memory = std::malloc(size ? size : 1))
    {
        return memory;
    }
    throw std::bad_alloc();
}

// AddressSanitizer has its own, which our operator delete would not fit.
[[gnu::noinline]] void*
operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    ++g_allocations;
    return std::malloc(size ? size : 1);
}

[[gnu::noinline]] void
operator delete(void* memory) noexcept
{
    std::free(memory);
}

[[gnu::noinline]] void
operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace
{

/// @param what function to repeat  @return allocations per call
template <typename What>
double
Allocations(What&& what)
{
    constexpr int TIMES = 100;
    what(); // The first call may differ.
    const uint64_t before = g_allocations;
    for (int i = 0; i < TIMES; ++i)
    {
        what();
    }
    return static_cast<double>(g_allocations - before) / TIMES;
}

/// @param wire path  @param load sender  @return allocations per packet, without the start
double
AllocationsPerPacket(Wire wire, Load load)
{
    std::array<uint64_t, 2> allocations{};
    std::array<uint64_t, 2> packets{};
    for (std::size_t i = 0; i < 2; ++i)
    {
        const auto count = [&allocations, i](auto&& run)
        {
            const uint64_t before = g_allocations;
            run();
            allocations[i] = g_allocations - before;
        };
        packets[i] = paths::Run(wire, load, 1, i == 0 ? 1000 : 5000, count);
    }
    return static_cast<double>(allocations[1] - allocations[0]) /
           static_cast<double>(packets[1] - packets[0]);
}

/// Does nothing, by events with the arguments of those of RawLoad.
struct Idle
{
    /// An event
    void Nothing(uint32_t)
    {
    }

    /// @return an event. Not inline: GCC 16 then warns of other kinds of events.
    [[gnu::noinline]] Ptr<EventImpl> Make()
    {
        return Ptr<EventImpl>(MakeEvent(&Idle::Nothing, this, 0U), false);
    }
};

/// Tolerance for lost packets and growing lists, per packet.
constexpr double SLACK = 0.1;

} // namespace

TEST(PacketAllocation, DevicesAddNothingToWhatNs3AllocatesAHop)
{
    // First, because it sets the resolution: until then ns-3 keeps a list of all times.
    const double optical = AllocationsPerPacket(Wire::OPTICAL, Load::RAW);
    const auto packet = Create<Packet>(paths::PACKET_BYTES);
    const auto queue = CreateObject<DropTailQueue<Packet>>();
    Idle idle;
    const Ptr<EventImpl> event = idle.Make();
    const double aQueue = Allocations(
        [&]
        {
            queue->Enqueue(packet);
            queue->Dequeue();
        });
    const double anEvent = Allocations(
        [&]
        {
            event->Ref();
            Simulator::ScheduleWithContext(0, Time(0), PeekPointer(event));
        });
    const double aPacket = Allocations(
        [&]
        {
            packet->Copy();
            Simulator::Schedule(Time(0), &Idle::Nothing, &idle, 0U);
        });
    Simulator::Destroy();
    // Network card, uplink, downlink.
    EXPECT_NEAR(optical, aPacket + 3 * (aQueue + anEvent), SLACK);
}

TEST(PacketAllocation, OpticalPathAllocatesNoMoreThanASingleStockLink)
{
    const double extra = AllocationsPerPacket(Wire::OPTICAL, Load::RAW) -
                         AllocationsPerPacket(Wire::LINK, Load::RAW);
    EXPECT_LE(extra, SLACK);
    for (Load load : {Load::SOCKETS, Load::FLOW_MONITOR})
    {
        const double optical = AllocationsPerPacket(Wire::OPTICAL, load);
        EXPECT_LE(optical - AllocationsPerPacket(Wire::LINK, load), extra + SLACK);
        EXPECT_LT(optical, AllocationsPerPacket(Wire::CHAIN, load));
    }
}

TEST(PacketAllocation, MonitorAllocatesNothingForAPacket)
{
    PacketRecorder monitor;
    monitor.Open(0, 0, 1000000);
    monitor.AddFlow(0);
    uint64_t key = 0;
    const auto traffic = [&]
    {
        for (uint64_t i = 0; i < 50; ++i)
        {
            monitor.Sent(key + i, key);
        }
        for (uint64_t i = 0; i < 50; ++i)
        {
            i % 10 ? monitor.Received(key + i, key + 5)
                   : monitor.Dropped(key + i, OcsDropCause::CUT);
        }
        key += 50;
    };
    EXPECT_EQ(Allocations(traffic), 0);
}
