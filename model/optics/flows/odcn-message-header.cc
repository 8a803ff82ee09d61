// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-header.h"

#include "ns3/odcn-attributes.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MessageHeader);
NS_OBJECT_ENSURE_REGISTERED(RepairHeader);

TypeId
MessageHeader::GetTypeId()
{
    static TypeId tid = TypeIdOf<MessageHeader, Header>("ns3::odcn::MessageHeader");
    return tid;
}

MessageHeader::MessageHeader(uint64_t bytes, uint64_t tag, bool isFlow)
    : m_bytes(bytes),
      m_tag(tag),
      m_isFlow(isFlow)
{
}

TypeId
MessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MessageHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(m_bytes | uint64_t(m_isFlow) << 63);
    start.WriteHtonU64(m_tag);
}

uint32_t
MessageHeader::Deserialize(Buffer::Iterator start)
{
    const uint64_t first = start.ReadNtohU64();
    m_isFlow = first >> 63;
    m_bytes = first & UINT64_MAX >> 1;
    m_tag = start.ReadNtohU64();
    return SIZE;
}

void
MessageHeader::Print(std::ostream& os) const
{
    os << "bytes=" << m_bytes << (m_isFlow ? " flow=" : " tag=") << m_tag;
}

TypeId
RepairHeader::GetTypeId()
{
    static TypeId tid = TypeIdOf<RepairHeader, Header>("ns3::odcn::RepairHeader");
    return tid;
}

RepairHeader::RepairHeader(uint32_t number, std::vector<Range> ranges)
    : m_number(number),
      m_ranges(std::move(ranges))
{
}

TypeId
RepairHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RepairHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_number);
    start.WriteHtonU32(static_cast<uint32_t>(m_ranges.size()));
    for (const auto& [first, count] : m_ranges)
    {
        start.WriteHtonU32(first);
        start.WriteHtonU32(count);
    }
}

uint32_t
RepairHeader::Deserialize(Buffer::Iterator start)
{
    m_number = start.ReadNtohU32();
    m_ranges.resize(start.ReadNtohU32());
    for (auto& [first, count] : m_ranges)
    {
        first = start.ReadNtohU32();
        count = start.ReadNtohU32();
    }
    return GetSerializedSize();
}

void
RepairHeader::Print(std::ostream& os) const
{
    os << "number=" << m_number;
    for (const auto& [first, count] : m_ranges)
    {
        os << " again=" << first << "+" << count;
    }
}

} // namespace ns3::odcn
