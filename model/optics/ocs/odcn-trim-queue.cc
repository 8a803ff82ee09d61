// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-trim-queue.h"

#include "ns3/queue-size.h"
#include "ns3/uinteger.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrimQueue);

TypeId
TrimQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::TrimQueue<Packet>")
            .SetParent<Queue<Packet>>()
            .SetGroupName("odcn")
            .AddConstructor<TrimQueue>()
            .AddAttribute("MaxSize",
                          "Limit of packets, headers included, in packets or bytes",
                          QueueSizeValue(QueueSize("1000p")),
                          MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("DataPackets",
                          "Most packets of data; further ones are cut",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TrimQueue::m_dataPackets),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HeaderSize",
                          "What is left of a packet that is cut, in bytes from IPv4 on: no less "
                          "than the headers of the transport",
                          UintegerValue(64),
                          MakeUintegerAccessor(&TrimQueue::m_headerSize),
                          MakeUintegerChecker<uint32_t>(28, 65535));
    return tid;
}

bool
TrimQueue::Enqueue(Ptr<Packet> packet)
{
    if (packet->GetSize() > m_headerSize && GetNPackets() - m_headers >= m_dataPackets)
    {
        packet = packet->Copy();
        packet->RemoveAtEnd(packet->GetSize() - m_headerSize);
        ++m_cut;
    }
    const bool isHeader = packet->GetSize() <= m_headerSize;
    const bool hasData = GetNPackets() > m_headers;
    m_headers += isHeader ? 1 : 0; // before a sink of a trace sees the packet
    Iterator place;
    if (!DoEnqueue(isHeader && hasData ? m_firstData : GetContainer().end(), packet, place))
    {
        m_headers -= isHeader ? 1 : 0;
        return false;
    }
    m_firstData = isHeader || hasData ? m_firstData : ConstIterator(place);
    return true;
}

void
TrimQueue::Leave()
{
    if (m_headers > 0)
    {
        --m_headers;
    }
    else if (GetNPackets() > 0)
    {
        ++m_firstData;
    }
}

Ptr<Packet>
TrimQueue::Dequeue()
{
    Leave();
    return DoDequeue(GetContainer().begin());
}

Ptr<Packet>
TrimQueue::Remove()
{
    Leave();
    return DoRemove(GetContainer().begin());
}

Ptr<const Packet>
TrimQueue::Peek() const
{
    return DoPeek(GetContainer().begin());
}

} // namespace ns3::odcn
