// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fair-queue.h"

#include "ocs-packet-header.h"

#include "ns3/queue-size.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FairQueue);

TypeId
FairQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::FairQueue<Packet>")
            .SetParent<Queue<Packet>>()
            .SetGroupName("odcn")
            .AddConstructor<FairQueue>()
            .AddAttribute("MaxSize",
                          "Limit, in packets or bytes",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                          MakeQueueSizeChecker());
    return tid;
}

void
FairQueue::DoDispose()
{
    m_order = {};
    Queue<Packet>::DoDispose();
}

bool
FairQueue::Enqueue(Ptr<Packet> packet)
{
    Iterator place;
    if (!DoEnqueue(GetContainer().end(), packet, place))
    {
        return false;
    }
    if (GetContainer().empty())
    {
        return true; // disposed of by a sink
    }
    m_order.Push(OcsPacketHeader::ReadPair(packet), packet->GetSize(), place);
    return true;
}

Ptr<Packet>
FairQueue::Dequeue()
{
    return m_order.IsEmpty() ? nullptr : DoDequeue(m_order.Pop());
}

Ptr<Packet>
FairQueue::Remove()
{
    return m_order.IsEmpty() ? nullptr : DoRemove(m_order.Pop());
}

Ptr<const Packet>
FairQueue::Peek() const
{
    return m_order.IsEmpty() ? nullptr : DoPeek(m_order.GetFirst());
}

} // namespace ns3::odcn
