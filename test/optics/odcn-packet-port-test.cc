// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The recursion of a finite FIFO against one that stores its packets in a deque.
 */

#include "../core/odcn-test-resolution.h"
#include "odcn-naive-packets.h"

#include "ns3/odcn-packet-port.h"

using namespace ns3;
using namespace ns3::odcn;

TEST(PacketPort, TransmitsAsLongAsDataRateSays)
{
    UsePicoseconds();
    std::mt19937_64 random(1);
    for (uint64_t rate :
         {40000000000ULL, 10000000000ULL, 100000000000ULL, 1ULL, 999999937ULL, 3ULL})
    {
        for (int i = 0; i < 200; ++i)
        {
            const uint32_t bytes = 44 + random() % 8957;
            EXPECT_EQ(TransmissionTime(rate, bytes),
                      DataRate(rate).CalculateBytesTxTime(bytes).GetTimeStep())
                << rate << " " << bytes;
        }
    }
    EXPECT_EQ(TransmissionTime(40000000000, 296), 59200);
}

TEST(PacketPort, IsTheNaiveQueuePacketForPacket)
{
    struct Case
    {
        uint32_t limit;
        uint32_t minBytes;
        uint32_t maxBytes;
        double load;
    };

    std::mt19937_64 random(2);
    for (const Case& c : {Case{15, 296, 296, 0.8},
                          Case{1, 296, 296, 0.9},
                          Case{15, 296, 296, 2.5},
                          Case{15, 44, 1500, 0.9},
                          Case{3, 44, 9000, 1.5},
                          Case{1000, 44, 1500, 1.1}})
    {
        // Times are multiples of 100 ps at 80 Gb/s, so arrivals often coincide with departures.
        const BitRate rate = 80000000000;
        PacketPort port;
        PortKind kind{rate, c.limit};
        int64_t tie = INT64_MAX;
        NaiveQueue naive(rate, c.limit);
        const double meanGap = (c.minBytes + c.maxBytes) / 2.0 / c.load;
        std::exponential_distribution<double> gap(1 / meanGap);
        std::vector<std::pair<uint64_t, int64_t>> departures;
        int64_t time = 0;
        for (uint64_t id = 0; id < 30000; ++id)
        {
            time += 100 * static_cast<int64_t>(gap(random));
            const uint32_t bytes = c.minBytes + random() % (c.maxBytes - c.minBytes + 1);
            kind.Need(bytes);
            const Passage* leaving = port.Accept({time, time, 0, 0, bytes, 0}, kind, tie);
            ASSERT_EQ(leaving != nullptr, naive.Offer(time, bytes, id)) << id;
            if (leaving)
            {
                departures.emplace_back(id, leaving->time);
                port.Release();
            }
        }
        naive.Advance(INT64_MAX);
        EXPECT_EQ(departures, naive.departures);
        EXPECT_GT(departures.size(), 5000);
    }
}
