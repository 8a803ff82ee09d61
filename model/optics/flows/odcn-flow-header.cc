// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-header.h"

#include "ns3/odcn-attributes.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FlowHeader);

TypeId
FlowHeader::GetTypeId()
{
    static TypeId tid = TypeIdOf<FlowHeader, Header>("ns3::odcn::FlowHeader");
    return tid;
}

FlowHeader::FlowHeader(uint32_t flow, uint32_t sequence, Time sent)
    : m_flow(flow),
      m_sequence(sequence),
      m_sent(static_cast<uint64_t>(sent.GetTimeStep()))
{
}

TypeId
FlowHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
FlowHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_flow);
    start.WriteHtonU32(m_sequence);
    start.WriteHtonU64(m_sent);
}

uint32_t
FlowHeader::Deserialize(Buffer::Iterator start)
{
    m_flow = start.ReadNtohU32();
    m_sequence = start.ReadNtohU32();
    m_sent = start.ReadNtohU64();
    return SIZE;
}

void
FlowHeader::Print(std::ostream& os) const
{
    os << "flow=" << m_flow << " seq=" << m_sequence << " sent=" << GetSent();
}

} // namespace ns3::odcn
