// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-transport-header.h"

#include "ns3/odcn-attributes.h"

#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TransportHeader);

TypeId
TransportHeader::GetTypeId()
{
    static TypeId tid = TypeIdOf<TransportHeader, Header>("ns3::odcn::TransportHeader");
    return tid;
}

TransportHeader::TransportHeader(uint8_t kind,
                                 bool hasMessage,
                                 std::vector<RepairHeader::Range> ranges)
    : m_kind(kind),
      m_hasMessage(hasMessage),
      m_ranges(std::move(ranges))
{
}

TypeId
TransportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
TransportHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(static_cast<uint16_t>(m_ranges.size()));
    start.WriteU8(m_hasMessage ? 1 : 0);
    start.WriteU8(m_kind);
    for (const auto& [first, count] : m_ranges)
    {
        start.WriteHtonU32(first);
        start.WriteHtonU32(count);
    }
}

uint32_t
TransportHeader::Deserialize(Buffer::Iterator start)
{
    m_ranges.resize(start.ReadNtohU16());
    m_hasMessage = start.ReadU8() != 0;
    m_kind = start.ReadU8();
    for (auto& [first, count] : m_ranges)
    {
        first = start.ReadNtohU32();
        count = start.ReadNtohU32();
    }
    return GetSerializedSize();
}

void
TransportHeader::Print(std::ostream& os) const
{
    os << "kind=" << uint32_t{m_kind};
    for (const auto& [first, count] : m_ranges)
    {
        os << " range=" << first << "+" << count;
    }
}

} // namespace ns3::odcn
