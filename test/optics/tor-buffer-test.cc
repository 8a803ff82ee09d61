// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The queues of a ToR switch against plain lists, with limits and with queue discs.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"
#include "ocs-test-fabric.h"

#include "ns3/tor-buffer.h"

#include <deque>
#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Limits and queues.
struct Limits
{
    uint32_t queue;     //!< packets or bytes of a queue, 0 for no limit
    uint32_t total;     //!< packets or bytes of all, 0 for no limit
    bool bytes;         //!< whether limits are in bytes
    bool fair{false};   //!< whether queues are fair
    const char* disc{}; //!< queue disc, null for plain queues
};

/// A TorBuffer, and a list of sizes for each of its queues.
class QueuesUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        ENQUEUE, //!< kind and index of the queue, size
        DEQUEUE, //!< kind and index of the queue
    };

    /// @param limits of the queues
    explicit QueuesUnderTest(const Limits& limits)
        : m_limits(limits),
          m_device(CreateObject<OcsNetDevice>())
    {
        const auto unit = limits.bytes ? QueueSizeUnit::BYTES : QueueSizeUnit::PACKETS;
        m_buffer.Configure(QueueSize(unit, limits.queue),
                           QueueSize(unit, limits.total),
                           limits.fair,
                           limits.disc ? limits.disc : "",
                           m_device);
        m_buffer.SetDropCallback(MakeCallback(&QueuesUnderTest::Drop, this));
    }

    ~QueuesUnderTest() override
    {
        m_device->Dispose();
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        const TorQueueId id{static_cast<TorQueueKind>(words[0] % 3), words[1] % 5};
        auto& queue = m_queues[id.kind][id.index];
        if (operation.kind == DEQUEUE)
        {
            const uint32_t next = m_buffer.GetNextSize(id);
            const Ptr<Packet> packet = m_buffer.Dequeue(id);
            BROKEN_IF(next != (packet ? packet->GetSize() : 0), "the size of the next packet");
            m_left += packet ? 1 : 0;
            if (!m_limits.disc)
            {
                BROKEN_IF(next != (queue.empty() ? 0 : queue.front()), "packets leave in order");
                if (packet)
                {
                    queue.pop_front();
                }
            }
            return Compare();
        }
        const uint32_t size = 40 + words[2] % 1461;
        const bool fits = Fits(m_limits.total, m_packets, m_bytes, size) &&
                          (m_limits.disc || Fits(m_limits.queue, queue.size(), Sum(queue), size));
        const bool accepted = m_buffer.Enqueue(
            id,
            MakeTestPacket(Ipv4Address("10.0.0.1"), Ipv4Address("10.0.1.1"), words[3] % 9, size));
        ++m_offered;
        BROKEN_IF(accepted != fits, "whether a packet is accepted");
        Note(accepted ? "accepted" : "refused");
        m_refused += accepted ? 0 : 1;
        if (accepted && !m_limits.disc)
        {
            queue.push_back(size);
        }
        return Compare();
    }

    std::string Finish() override
    {
        for (const auto& [kind, queues] : m_queues)
        {
            for (const auto& [index, queue] : queues)
            {
                while (m_buffer.Dequeue({kind, index}))
                {
                    ++m_left;
                }
            }
        }
        m_queues.clear();
        return m_buffer.GetNPackets() == 0 && m_buffer.GetNBytes() == 0 ? Compare()
                                                                        : "an empty buffer";
    }

  private:
    /// @param queue a queue  @return its bytes
    static uint64_t Sum(const std::deque<uint32_t>& queue)
    {
        return std::accumulate(queue.begin(), queue.end(), uint64_t{0});
    }

    /// @param limit a limit  @param packets held  @param bytes held  @param size of one more
    /// @return whether it fits
    bool Fits(uint32_t limit, uint64_t packets, uint64_t bytes, uint32_t size) const
    {
        return limit == 0 || (m_limits.bytes ? bytes + size : packets + 1) <= limit;
    }

    /// A queue disc drops a packet.
    void Drop(Ptr<const Packet>)
    {
        ++m_dropped;
        Note("dropped");
    }

    /// @return the broken invariant
    std::string Compare()
    {
        BROKEN_IF(m_offered != m_refused + m_dropped + m_left + m_buffer.GetNPackets(),
                  "offered = refused + dropped + left + held");
        uint64_t held = 0;
        for (const auto& [kind, queues] : m_queues)
        {
            const auto& busy = m_buffer.GetBusy(kind);
            std::size_t nonEmpty = 0;
            for (const auto& [index, queue] : queues)
            {
                const uint64_t bytes = m_buffer.GetBytes({kind, index});
                const bool isBusy = std::find(busy.begin(), busy.end(), index) != busy.end();
                BROKEN_IF(isBusy != (bytes > 0) || (!m_limits.disc && bytes != Sum(queue)),
                          "bytes of a queue");
                nonEmpty += isBusy;
                held += bytes;
            }
            BROKEN_IF(nonEmpty != busy.size(), "queues with packets");
        }
        m_packets = m_buffer.GetNPackets();
        m_bytes = m_buffer.GetNBytes();
        return held == m_bytes ? "" : "bytes of all queues";
    }

    Limits m_limits;            //!< of the queues
    Ptr<OcsNetDevice> m_device; //!< of queue discs
    TorBuffer m_buffer;         //!< under test
    /// the model: sizes of the packets of each queue
    std::map<TorQueueKind, std::map<uint32_t, std::deque<uint32_t>>> m_queues;
    uint64_t m_packets{0}; //!< held
    uint64_t m_bytes{0};   //!< held
    uint64_t m_offered{0}; //!< packets
    uint64_t m_refused{0}; //!< packets beyond a limit
    uint64_t m_dropped{0}; //!< packets, by queue discs
    uint64_t m_left{0};    //!< packets
};

TEST(TorBufferTest, ConservesPacketsAndBytes)
{
    for (const Limits& limits :
         {Limits{0, 0, false},
          Limits{3, 20, false},
          Limits{3000, 20000, true},
          Limits{3, 20, false, true}, // one pair of addresses: first in, first out
          Limits{0, 40, false, false, "ns3::FifoQueueDisc[MaxSize=5p]"},
          Limits{0, 0, false, false, "ns3::FqCoDelQueueDisc[MaxSize=6p]"},
          Limits{0, 90000, true, false, "ns3::RedQueueDisc[MaxSize=9p|MinTh=2|MaxTh=6]"}})
    {
        Property property{{{"ENQUEUE", 4}, {"DEQUEUE", 3}},
                          [&limits] { return std::make_unique<QueuesUnderTest>(limits); },
                          {"accepted"}};
        property.cost = 5;
        property.Require("dropped", limits.disc);
        property.Require("refused", !limits.disc && limits.queue > 0);
        EXPECT_EQ(CheckProperty(property).report, "") << (limits.disc ? limits.disc : "");
    }
}

} // namespace
