// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRANSPORT_HEADER_H
#define ODCN_TRANSPORT_HEADER_H

#include "odcn-message-header.h"

#include "ns3/header.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * First header, after UDP, of a packet that a TransportLogic sends: number of ranges (16 bits),
 * whether a MessageHeader follows the FlowHeader (8 bits), kind of the packet (8 bits), then each
 * range's first number and how many (32 bits each), in network byte order. A FlowHeader follows.
 */
class TransportHeader : public Header
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param ranges number of them
    /// @return serialized size, bytes
    static constexpr uint32_t GetSize(std::size_t ranges)
    {
        return 4 + RepairHeader::RANGE_SIZE * static_cast<uint32_t>(ranges);
    }

    TransportHeader() = default;

    /**
     * @param kind of the packet
     * @param hasMessage whether a MessageHeader follows the FlowHeader
     * @param ranges for the transport
     */
    TransportHeader(uint8_t kind, bool hasMessage, std::vector<RepairHeader::Range> ranges);

    /// @return kind of the packet
    uint8_t GetKind() const
    {
        return m_kind;
    }

    /// @return whether a MessageHeader follows the FlowHeader
    bool HasMessage() const
    {
        return m_hasMessage;
    }

    /// @return ranges for the transport
    const std::vector<RepairHeader::Range>& GetRanges() const
    {
        return m_ranges;
    }

    TypeId GetInstanceTypeId() const override;

    uint32_t GetSerializedSize() const override
    {
        return GetSize(m_ranges.size());
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_kind{0};                         //!< kind of the packet
    bool m_hasMessage{false};                  //!< whether a MessageHeader follows the FlowHeader
    std::vector<RepairHeader::Range> m_ranges; //!< for the transport
};

} // namespace ns3::odcn

#endif /* ODCN_TRANSPORT_HEADER_H */
