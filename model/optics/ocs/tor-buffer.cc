// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "tor-buffer.h"

#include "ocs-packet-header.h"

#include "ns3/address.h"
#include "ns3/cobalt-queue-disc.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/pie-queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/red-queue-disc.h"
#include "ns3/simulator.h"

namespace ns3::odcn
{

namespace
{

/// A packet with its IPv4 header, as an item of a queue disc.
class Item : public QueueDiscItem
{
  public:
    /// @param packet the packet
    explicit Item(const Ptr<Packet>& packet)
        : QueueDiscItem(packet, Address(), 0x0800)
    {
        SetTimeStamp(Simulator::Now());
    }

    void AddHeader() override
    {
        // The packet has its header.
    }

    bool Mark() override
    {
        Ipv4Header ip;
        GetPacket()->PeekHeader(ip);
        if (ip.GetEcn() == Ipv4Header::ECN_NotECT)
        {
            return false;
        }
        GetPacket()->RemoveHeader(ip);
        ip.SetEcn(Ipv4Header::ECN_CE);
        if (Node::ChecksumEnabled())
        {
            ip.EnableChecksum(); // it is computed anew; else the receiver would drop the packet
        }
        GetPacket()->AddHeader(ip);
        return true;
    }

    uint32_t Hash(uint32_t perturbation) const override
    {
        OcsPacketHeader header;
        header.Read(GetPacket(), true);
        return OcsPacketHeader::HashFlow(header.flow, perturbation, 0, 0);
    }
};

/// @tparam T a class of queue discs with AssignStreams()
/// @param disc a queue disc
/// @param stream number of the stream, if the disc is a @p T
template <typename T>
void
AssignStreamTo(const Ptr<QueueDisc>& disc, int64_t stream)
{
    if (const auto random = DynamicCast<T>(disc))
    {
        random->AssignStreams(stream);
    }
}

/// @param limit a limit, 0 for none  @param packets packets  @param bytes bytes
/// @return whether they exceed it
bool
Exceeds(const QueueSize& limit, uint64_t packets, uint64_t bytes)
{
    const uint64_t used = limit.GetUnit() == QueueSizeUnit::PACKETS ? packets : bytes;
    return limit.GetValue() > 0 && used > limit.GetValue();
}

} // namespace

TorBuffer::TorBuffer()
    : m_queueLimit("0p"),
      m_totalLimit("0B")
{
}

TorBuffer::~TorBuffer()
{
    for (auto& queues : m_queues)
    {
        for (Queue& queue : queues)
        {
            if (queue.disc)
            {
                queue.disc->Dispose();
            }
        }
    }
}

void
TorBuffer::Configure(const QueueSize& queue,
                     const QueueSize& total,
                     bool fair,
                     const std::string& disc,
                     Ptr<NetDevice> device)
{
    if (fair && !disc.empty())
    {
        throw OdcnError::InOption("FairQueues with QueueDisc", disc, "one of the two");
    }
    m_device = device;
    m_queueLimit = queue;
    m_totalLimit = total;
    m_fair = fair;
    m_disc = disc;
    if (!disc.empty())
    {
        MakeDisc()->Dispose(); // so that an error is found now
    }
}

Ptr<QueueDisc>
TorBuffer::MakeDisc() const
{
    auto disc = CreateFromText<QueueDisc>("queue disc", m_disc);
    if (!m_device->GetObject<NetDeviceQueueInterface>())
    {
        m_device->AggregateObject(CreateObject<NetDeviceQueueInterface>());
    }
    disc->SetNetDeviceQueueInterface(m_device->GetObject<NetDeviceQueueInterface>());
    disc->Initialize();
    return disc;
}

void
TorBuffer::AssignStreams(int64_t stream)
{
    m_stream = stream;
    for (std::size_t kind = 0; kind < m_queues.size(); ++kind)
    {
        for (uint32_t index = 0; index < m_queues[kind].size(); ++index)
        {
            AssignStream({static_cast<TorQueueKind>(kind), index}, m_queues[kind][index]);
        }
    }
}

void
TorBuffer::AssignStream(TorQueueId id, const Queue& queue) const
{
    if (queue.disc && m_stream >= 0)
    {
        // Beyond all streams that are counted: discs are made when a queue is first used.
        const int64_t number = (static_cast<int64_t>(id.kind) + 1) << 20 | id.index;
        const int64_t stream = m_stream + (number << 32);
        // ns-3's queue discs have no common AssignStreams().
        AssignStreamTo<RedQueueDisc>(queue.disc, stream);
        AssignStreamTo<PieQueueDisc>(queue.disc, stream);
        AssignStreamTo<CobaltQueueDisc>(queue.disc, stream);
    }
}

void
TorBuffer::SetDropCallback(Callback<void, Ptr<const Packet>> dropped)
{
    m_droppedByDisc = dropped;
}

TorBuffer::Queue*
TorBuffer::Find(TorQueueId id)
{
    std::vector<Queue>& queues = m_queues[static_cast<std::size_t>(id.kind)];
    return id.index < queues.size() ? &queues[id.index] : nullptr;
}

bool
TorBuffer::Enqueue(TorQueueId id, const Ptr<Packet>& packet)
{
    std::vector<Queue>& queues = m_queues[static_cast<std::size_t>(id.kind)];
    if (id.index >= queues.size())
    {
        queues.resize(id.index + 1);
    }
    Queue& queue = queues[id.index];
    const uint32_t size = packet->GetSize();
    if (Exceeds(m_totalLimit, m_packets + 1, m_bytes + size))
    {
        return false;
    }
    if (m_disc.empty())
    {
        if (Exceeds(m_queueLimit, queue.packets + 1, queue.bytes + size))
        {
            return false;
        }
        if (m_fair && !queue.fair)
        {
            const QueueSize all(QueueSizeUnit::PACKETS, UINT32_MAX);
            queue.fair = CreateObjectWithAttributes<FairQueue>("MaxSize", QueueSizeValue(all));
        }
        if (m_fair)
        {
            queue.fair->Enqueue(packet);
        }
        else
        {
            queue.fifo.push_back(packet);
        }
        Account(id, queue, queue.packets + 1, queue.bytes + size);
        return true;
    }
    if (!queue.disc)
    {
        queue.disc = MakeDisc();
        queue.disc->TraceConnectWithoutContext("Drop", MakeCallback(&TorBuffer::DiscDropped, this));
        AssignStream(id, queue);
    }
    // Whatever it drops, this packet or another, it tells DiscDropped().
    queue.disc->Enqueue(Create<Item>(packet));
    Account(id, queue, queue.disc->GetNPackets(), queue.disc->GetNBytes());
    return true;
}

uint32_t
TorBuffer::GetNextSize(TorQueueId id)
{
    Queue* queue = Find(id);
    if (!queue || queue->packets == 0)
    {
        return 0;
    }
    if (!queue->disc)
    {
        return queue->fair ? queue->fair->Peek()->GetSize() : queue->fifo.front()->GetSize();
    }
    const Ptr<const QueueDiscItem> item = queue->disc->Peek();
    Account(id, *queue, queue->disc->GetNPackets(), queue->disc->GetNBytes());
    return item ? item->GetSize() : 0;
}

Ptr<Packet>
TorBuffer::Dequeue(TorQueueId id)
{
    Queue* queue = Find(id);
    if (!queue || queue->packets == 0)
    {
        return nullptr;
    }
    if (!queue->disc)
    {
        Ptr<Packet> packet;
        if (queue->fair)
        {
            packet = queue->fair->Dequeue();
        }
        else
        {
            packet = queue->fifo.front();
            queue->fifo.pop_front();
        }
        Account(id, *queue, queue->packets - 1, queue->bytes - packet->GetSize());
        return packet;
    }
    const Ptr<QueueDiscItem> item = queue->disc->Dequeue();
    Account(id, *queue, queue->disc->GetNPackets(), queue->disc->GetNBytes());
    return item ? item->GetPacket() : nullptr;
}

uint64_t
TorBuffer::GetBytes(TorQueueId id) const
{
    const std::vector<Queue>& queues = m_queues[static_cast<std::size_t>(id.kind)];
    return id.index < queues.size() ? queues[id.index].bytes : 0;
}

void
TorBuffer::Account(TorQueueId id, Queue& queue, uint64_t packets, uint64_t bytes)
{
    m_packets += packets - queue.packets;
    m_bytes += bytes - queue.bytes;
    queue.packets = packets;
    queue.bytes = bytes;
    std::vector<uint32_t>& busy = m_busy[static_cast<std::size_t>(id.kind)];
    if (packets > 0 && queue.place == NOT_BUSY)
    {
        queue.place = static_cast<uint32_t>(busy.size());
        busy.push_back(id.index);
    }
    else if (packets == 0 && queue.place != NOT_BUSY)
    {
        m_queues[static_cast<std::size_t>(id.kind)][busy.back()].place = queue.place;
        busy[queue.place] = busy.back();
        busy.pop_back();
        queue.place = NOT_BUSY;
    }
}

void
TorBuffer::DiscDropped(Ptr<const QueueDiscItem> item)
{
    m_droppedByDisc(item->GetPacket());
}

} // namespace ns3::odcn
