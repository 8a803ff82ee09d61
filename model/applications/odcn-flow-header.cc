// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-header.h"

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnFlowHeader);

TypeId
OdcnFlowHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OdcnFlowHeader")
                            .SetParent<Header>()
                            .SetGroupName("Odcn")
                            .AddConstructor<OdcnFlowHeader>();
    return tid;
}

OdcnFlowHeader::OdcnFlowHeader(uint32_t flow, uint32_t sequence, Time sent)
    : m_flow(flow),
      m_sequence(sequence),
      m_sent(static_cast<uint64_t>(sent.GetTimeStep()))
{
}

TypeId
OdcnFlowHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
OdcnFlowHeader::GetSerializedSize() const
{
    return SIZE;
}

void
OdcnFlowHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_flow);
    start.WriteHtonU32(m_sequence);
    start.WriteHtonU64(m_sent);
}

uint32_t
OdcnFlowHeader::Deserialize(Buffer::Iterator start)
{
    m_flow = start.ReadNtohU32();
    m_sequence = start.ReadNtohU32();
    m_sent = start.ReadNtohU64();
    return SIZE;
}

void
OdcnFlowHeader::Print(std::ostream& os) const
{
    os << "flow=" << m_flow << " seq=" << m_sequence << " sent=" << GetSent();
}

} // namespace odcn
} // namespace ns3
