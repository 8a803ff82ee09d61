// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Lists of messages, of which some wait for others.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-collective.h"
#include "ns3/odcn-traffic.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param order of messages
/// @return all that may be sent now
std::vector<uint32_t>
TakeAll(MessageOrder& order)
{
    std::vector<uint32_t> ready;
    while (order.HasReady())
    {
        ready.push_back(order.TakeReady());
    }
    return ready;
}

TEST(MessageOrder, MessagesAreReadyWhenAllBeforeThemWereReceived)
{
    const std::vector<std::vector<uint32_t>> after{{}, {}, {0, 1}, {0}, {2, 3}};
    MessageOrder order(5, [&](uint32_t i) { return std::span<const uint32_t>(after[i]); });
    using List = std::vector<uint32_t>;
    EXPECT_EQ(TakeAll(order), (List{0, 1}));
    order.SetReceived(1);
    EXPECT_EQ(TakeAll(order), List{});
    order.SetReceived(0);
    EXPECT_EQ(TakeAll(order), (List{2, 3}));
    order.SetReceived(3);
    EXPECT_EQ(TakeAll(order), List{});
    order.SetReceived(2);
    EXPECT_EQ(TakeAll(order), List{4});
    EXPECT_FALSE(order.IsDone());
    order.SetReceived(4);
    EXPECT_TRUE(order.IsDone());
    EXPECT_EQ(order.CountReceived(), 5U);
}

TEST(Traffic, EmptyMessagesCountAsReceivedWhenTheyWouldBeSent)
{
    Traffic traffic;
    traffic.Add({0, 1, 100});
    traffic.Add({1, 2, 0, NanoSeconds(50)}, std::vector<uint32_t>{0});
    traffic.Add({2, 3, 0}, std::vector<uint32_t>{1});
    traffic.Add({3, 0, 7, NanoSeconds(20)}, std::vector<uint32_t>{0, 2});
    TrafficRun run(traffic);
    for (const int64_t delivery : {30, 60}) // the second run forgets the first
    {
        std::vector<Message> send;
        run.Start(send);
        ASSERT_EQ(send.size(), 1U);
        EXPECT_EQ(send[0].tag, 0U);
        EXPECT_EQ(run.CountReceived(), 0U);
        const Message first = send[0];
        send.clear();
        run.Receive(first, NanoSeconds(delivery), send);
        ASSERT_EQ(send.size(), 1U);
        const Time empty = NanoSeconds(std::max<int64_t>(delivery, 50));
        EXPECT_EQ(run.GetReceived(1), empty);
        EXPECT_EQ(run.GetReceived(2), empty);
        EXPECT_EQ(send[0].sent, empty);
        EXPECT_EQ(send[0].tag, 3U);
        EXPECT_FALSE(run.IsDone());
        EXPECT_NE(run.DescribeUnfinished().find("1 of 4 messages"), std::string::npos);
        const Message last = send[0];
        send.clear();
        run.Receive(last, NanoSeconds(90), send);
        EXPECT_TRUE(run.IsDone());
        EXPECT_EQ(run.GetTime(), NanoSeconds(90));
        EXPECT_TRUE(send.empty());
    }
}

TEST(Traffic, GivesTheSameMessagesInBatches)
{
    const Collective collective = Collective::Make("all-to-all:direct", 5, 500);
    std::vector<Message> all;
    TrafficRun(collective.GetMessages()).Start(all);
    ASSERT_EQ(all.size(), 20U);
    TrafficRun run(Collective(collective).GetMessages());
    run.SetBatch(6);
    std::vector<Message> send;
    run.Start(send);
    for (std::size_t before = 0; before < all.size(); before += 6)
    {
        ASSERT_EQ(send.size(), std::min<std::size_t>(6, all.size() - before));
        for (std::size_t i = 0; i < send.size(); ++i)
        {
            EXPECT_EQ(send[i].tag, all[before + i].tag);
            EXPECT_EQ(send[i].to, all[before + i].to);
        }
        send.clear();
        EXPECT_EQ(run.SendMore(send), before + 6 < all.size());
    }
    EXPECT_EQ(run.GetSent(19), Time(0));
    EXPECT_TRUE(run.GetReceived(19).IsStrictlyNegative());
    EXPECT_EQ(run.GetResult().CountReceived(), 0U);
}

TEST(Traffic, KnowsWhenMessagesThatWaitAreSent)
{
    Traffic traffic{{0, 1, 9, NanoSeconds(5)}, {1, 2, 9}};
    traffic.Add({2, 0, 9, NanoSeconds(30)}, std::vector<uint32_t>{0, 1});
    TrafficRun run(traffic);
    EXPECT_TRUE(run.GetResult().sent.empty());
    std::vector<Message> send;
    run.Start(send);
    ASSERT_EQ(send.size(), 2U);
    EXPECT_EQ(run.GetSent(0), NanoSeconds(5));
    EXPECT_TRUE(run.GetSent(2).IsStrictlyNegative());
    const Message second = send[1];
    run.Receive(send[0], NanoSeconds(20), send);
    EXPECT_TRUE(run.GetSent(2).IsStrictlyNegative());
    run.Receive(second, NanoSeconds(40), send);
    ASSERT_EQ(send.size(), 3U);
    EXPECT_EQ(send[2].sent, NanoSeconds(40));
    const TrafficResult result = run.GetResult();
    EXPECT_EQ(result.sent[2], NanoSeconds(40));
    EXPECT_EQ(result.received[0], NanoSeconds(20));
    EXPECT_TRUE(result.received[2].IsStrictlyNegative());
}

TEST(Traffic, RefusesMessagesThatMakeNoSense)
{
    Traffic traffic;
    traffic.Add({0, 1, Message::MAX_BYTES});
    for (const Traffic::Item& wrong : {Traffic::Item{1, 1, 1},
                                       Traffic::Item{0, 1, Message::MAX_BYTES + 1},
                                       Traffic::Item{0, 1, 1, NanoSeconds(-1)}})
    {
        EXPECT_THROW(traffic.Add(wrong), OdcnError);
        EXPECT_THROW(Traffic{wrong}, OdcnError);
    }
    EXPECT_THROW(traffic.Add({0, 1, 1}, std::vector<uint32_t>{1}), OdcnError);
    EXPECT_EQ(traffic.size(), 1U);
}

TEST(Traffic, KnowsWhichMessagesWait)
{
    Traffic traffic{{0, 1, 5}, {1, 0, 7, NanoSeconds(3)}};
    using List = std::vector<uint32_t>;
    EXPECT_FALSE(traffic.Waits());
    EXPECT_EQ(traffic, Traffic(std::vector<Traffic::Item>{{0, 1, 5}, {1, 0, 7, NanoSeconds(3)}}));
    const Traffic before = traffic;
    EXPECT_EQ(traffic.Add({0, 1, 5}, std::vector<uint32_t>{1, 0}), 2U);
    traffic.Add({0, 1, 5});
    EXPECT_EQ(traffic.Add({2, 1, 9}, std::vector<uint32_t>{3}), 4U);
    EXPECT_TRUE(traffic.Waits());
    EXPECT_NE(traffic, before);
    const auto getAfter = [&](uint32_t i)
    { return List(traffic.GetAfter(i).begin(), traffic.GetAfter(i).end()); };
    EXPECT_EQ(getAfter(0), List{});
    EXPECT_EQ(getAfter(2), (List{1, 0}));
    EXPECT_EQ(getAfter(3), List{});
    EXPECT_EQ(getAfter(4), List{3});
    EXPECT_EQ(traffic[2], traffic[0]);
}

TEST(Traffic, OfACollectiveHasItsSteps)
{
    const auto collective = Collective::Make("all-reduce:double-binary-tree:3", 6, 1000);
    EXPECT_THROW(collective.GetMessages({0, 1}), OdcnError);
    const Traffic traffic = collective.GetMessages({5, 4, 3, 2, 1, 0});
    const auto& steps = collective.GetSteps();
    ASSERT_EQ(traffic.size(), steps.size());
    for (uint32_t i = 0; i < steps.size(); ++i)
    {
        EXPECT_EQ(traffic[i].from, 5 - steps[i].from);
        EXPECT_EQ(traffic[i].to, 5 - steps[i].to);
        EXPECT_EQ(traffic[i].bytes, steps[i].bytes);
        const auto after = traffic.GetAfter(i);
        const auto before = collective.GetAfter(steps[i]);
        EXPECT_TRUE(std::equal(after.begin(), after.end(), before.begin(), before.end()));
    }
}

} // namespace
