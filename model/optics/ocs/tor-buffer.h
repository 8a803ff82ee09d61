// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_BUFFER_H
#define TOR_BUFFER_H

#include "odcn-fair-queue.h"

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Kind of a queue in a ToR switch.
enum class TorQueueKind : uint8_t
{
    LOCAL, //!< packets of this rack's servers, by rack
    RELAY, //!< packets of other racks' servers, by rack
    PORT,  //!< packets that leave by a certain uplink
};

/// A queue in a ToR switch.
struct TorQueueId
{
    TorQueueKind kind; //!< what the index means
    uint32_t index;    //!< a rack or an uplink
};

/**
 * @ingroup odcn
 *
 * The queues of a ToR switch that holds packets until there is a circuit for them. They share one
 * buffer. Queues are plain FIFOs, fair queues, or queue discs of ns-3, which may mark packets (ECN)
 * or drop them early.
 */
class TorBuffer
{
  public:
    TorBuffer();
    ~TorBuffer();

    TorBuffer(const TorBuffer&) = delete;
    TorBuffer& operator=(const TorBuffer&) = delete;

    /**
     * @param queue limit of each queue without a queue disc, in packets or bytes; 0 for none
     * @param total limit of all queues together, in packets or bytes; 0 for none
     * @param fair whether queues are FairQueues, instead of FIFOs
     * @param disc type and Attributes of the queue disc of each queue, instead; empty for none
     * @param device a port, whose MTU is the quantum of fair queue discs
     * @throws OdcnError when there is no such queue disc, or with @p fair
     */
    void Configure(const QueueSize& queue,
                   const QueueSize& total,
                   bool fair,
                   const std::string& disc,
                   Ptr<NetDevice> device);

    /// Fix the random numbers of queue discs, also of those that are made later.
    /// @param stream of the switch
    void AssignStreams(int64_t stream);

    /// @param dropped called with each packet that a queue disc drops
    void SetDropCallback(Callback<void, Ptr<const Packet>> dropped);

    /**
     * @param id a queue  @param packet appended to it
     * @return false if a limit prevents it; the caller then drops the packet
     */
    bool Enqueue(TorQueueId id, const Ptr<Packet>& packet);

    /// @param id a queue  @return size in bytes of its next packet; 0 if there is none
    uint32_t GetNextSize(TorQueueId id);

    /// @param id a queue  @return its next packet, removed; null if there is none
    Ptr<Packet> Dequeue(TorQueueId id);

    /// @param id a queue  @return bytes in it
    uint64_t GetBytes(TorQueueId id) const;

    /// @return packets in all queues
    uint64_t GetNPackets() const
    {
        return m_packets;
    }

    /// @return bytes in all queues
    uint64_t GetNBytes() const
    {
        return m_bytes;
    }

    /// @param kind of queues  @return indices of those with packets, in no particular order
    const std::vector<uint32_t>& GetBusy(TorQueueKind kind) const
    {
        return m_busy[static_cast<std::size_t>(kind)];
    }

  private:
    /// Number of kinds of queues.
    static constexpr std::size_t KINDS = 3;
    /// Queue::place of a queue without packets.
    static constexpr uint32_t NOT_BUSY = UINT32_MAX;

    /// A queue.
    struct Queue
    {
        std::deque<Ptr<Packet>> fifo; //!< packets of a FIFO
        Ptr<FairQueue> fair;          //!< null without
        Ptr<QueueDisc> disc;          //!< null without
        uint64_t packets{0};          //!< number of packets
        uint64_t bytes{0};            //!< their bytes
        uint32_t place{NOT_BUSY};     //!< index in m_busy
    };

    /// @param id a queue  @return the queue, or null if it was never used
    Queue* Find(TorQueueId id);

    /// @return a new queue disc
    Ptr<QueueDisc> MakeDisc() const;

    /// Fix the random numbers of a queue's disc, if AssignStreams() was called.
    /// @param id the queue
    /// @param queue the queue
    void AssignStream(TorQueueId id, const Queue& queue) const;

    /// Update all sums after a change. @param id a queue  @param queue the queue
    /// @param packets its packets now  @param bytes their bytes
    void Account(TorQueueId id, Queue& queue, uint64_t packets, uint64_t bytes);

    /// A queue disc has dropped a packet. @param item the packet
    void DiscDropped(Ptr<const QueueDiscItem> item);

    QueueSize m_queueLimit;                            //!< of each queue without a queue disc
    QueueSize m_totalLimit;                            //!< of all together
    bool m_fair{false};                                //!< whether queues are FairQueues
    std::string m_disc;                                //!< queue disc, or empty
    int64_t m_stream{-1};                              //!< see AssignStreams(); -1 if never called
    Ptr<NetDevice> m_device;                           //!< for queue discs
    std::array<std::vector<Queue>, KINDS> m_queues;    //!< by kind and index
    std::array<std::vector<uint32_t>, KINDS> m_busy;   //!< by kind: queues with packets
    uint64_t m_packets{0};                             //!< in all queues
    uint64_t m_bytes{0};                               //!< in all queues
    Callback<void, Ptr<const Packet>> m_droppedByDisc; //!< see SetDropCallback()
};

} // namespace ns3::odcn

#endif /* TOR_BUFFER_H */
