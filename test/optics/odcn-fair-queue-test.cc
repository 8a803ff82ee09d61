// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Fair queues: the order of packets by hand, and equal shares of flows that wait.
 */

#include "../core/odcn-gtest-kit.h"
#include "ocs-test-fabric.h"

#include "ns3/odcn-fair-queue.h"

#include <algorithm>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param order what waits
/// @return all of it, in the order of leaving
std::string
TakeAll(FairOrder<std::string>& order)
{
    std::string all;
    while (!order.IsEmpty())
    {
        all += (all.empty() ? "" : " ") + order.Pop();
    }
    return all;
}

TEST(FairOrderTest, LeavesByTheTagsOfAHandCalculation)
{
    FairOrder<std::string> order;
    for (int i = 1; i <= 3; ++i)
    {
        order.Push(1, 300, "a" + std::to_string(i)); // tags 300, 600, 900
    }
    for (int i = 1; i <= 4; ++i)
    {
        order.Push(2, 100, "b" + std::to_string(i)); // tags 100, 200, 300, 400
    }
    EXPECT_EQ(order.GetFirst(), "b1");
    EXPECT_EQ(order.Pop(), "b1");
    EXPECT_EQ(order.Pop(), "b2");
    // A flow that comes later gets no share of the time before: tags 200 + 50, 200 + 150.
    order.Push(3, 50, "c1");
    order.Push(3, 100, "c2");
    EXPECT_EQ(TakeAll(order), "c1 a1 b3 c2 b4 a2 a3");
    // The clock is at 900 now: whoever sent before has no advantage, and no debt.
    order.Push(2, 100, "b5");
    order.Push(1, 100, "a4");
    order.Push(3, 99, "c3");
    EXPECT_EQ(TakeAll(order), "c3 b5 a4");
}

TEST(FairOrderTest, FlowsThatWaitLeaveTheSameNumberOfBytesToWithinAPacketEach)
{
    std::mt19937_64 random(3);
    constexpr uint32_t MOST = 1500;
    for (int round = 0; round < 50; ++round)
    {
        const uint32_t flows = 2 + random() % 5;
        FairOrder<std::pair<uint32_t, uint32_t>> order; // flow and bytes
        std::map<uint32_t, uint64_t> waits;
        std::map<uint32_t, uint64_t> left;
        const auto push = [&](uint32_t flow)
        {
            const uint32_t bytes = 1 + random() % MOST;
            order.Push(flow, bytes, {flow, bytes});
            waits[flow] += bytes;
        };
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            push(flow);
            push(flow);
        }
        for (int i = 0; i < 400; ++i)
        {
            const auto [flow, bytes] = order.Pop();
            waits[flow] -= bytes;
            left[flow] += bytes;
            push(flow); // so that each always waits
            const auto [least, greatest] =
                std::minmax_element(left.begin(),
                                    left.end(),
                                    [](auto& a, auto& b) { return a.second < b.second; });
            ASSERT_LE(greatest->second - (left.size() == flows ? least->second : 0), 2 * MOST) << i;
        }
        EXPECT_EQ(left.size(), flows);
    }
}

TEST(FairQueueTest, PairsOfAddressesTakeTurns)
{
    const Ptr<FairQueue> queue =
        CreateObjectWithAttributes<FairQueue>("MaxSize", QueueSizeValue(QueueSize("6p")));
    const auto send = [&](const char* from, const char* to, uint16_t port) {
        return queue->Enqueue(MakeTestPacket(Ipv4Address(from), Ipv4Address(to), port, 100 + port));
    };
    EXPECT_EQ(queue->Dequeue(), nullptr);
    EXPECT_EQ(queue->Peek(), nullptr);
    for (uint16_t port = 0; port < 4; ++port)
    {
        EXPECT_TRUE(send("10.0.0.1", "10.0.1.1", port));
    }
    EXPECT_TRUE(send("10.0.0.2", "10.0.1.1", 50)); // another sender
    EXPECT_TRUE(send("10.0.0.1", "10.0.1.2", 60)); // another receiver
    EXPECT_FALSE(send("10.0.0.3", "10.0.1.1", 1)); // no room
    EXPECT_EQ(queue->GetTotalDroppedPackets(), 1);
    EXPECT_EQ(queue->GetNBytes(), 100 + 101 + 102 + 103 + 150 + 160);
    std::vector<uint32_t> sizes;
    while (queue->GetNPackets() > 0)
    {
        const uint32_t next = queue->Peek()->GetSize();
        sizes.push_back(queue->Dequeue()->GetSize());
        EXPECT_EQ(sizes.back(), next);
    }
    // Tags 100, 201, 303, 406; 150; 160.
    EXPECT_EQ(sizes, (std::vector<uint32_t>{100, 150, 160, 101, 102, 103}));
    EXPECT_EQ(queue->GetNBytes(), 0);
    send("10.0.0.1", "10.0.1.1", 0);
    queue->Flush();
    EXPECT_EQ(queue->Dequeue(), nullptr);
    queue->Dispose();
}

} // namespace
