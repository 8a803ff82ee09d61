// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_HEADER_H
#define ODCN_MESSAGE_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What each UDP packet of a message carries after its FlowHeader, so that nothing needs to be
 * announced: the highest bit tells whether it is a flow, then size of the message in bytes (63
 * bits) and the sender's tag (64 bits), the number of a flow, in network byte order. The FlowHeader
 * has the number of the message, counted by sender and receiver, and the index of the packet.
 */
class MessageHeader : public Header
{
  public:
    /// Serialized size, bytes.
    static constexpr uint32_t SIZE = 16;

    /// @return the TypeId
    static TypeId GetTypeId();

    MessageHeader() = default;

    /**
     * @param bytes application data of the message
     * @param tag of the sender; the number of a flow
     * @param isFlow whether it is a flow
     */
    MessageHeader(uint64_t bytes, uint64_t tag, bool isFlow);

    /// @return application data of the message, bytes
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return the sender's tag
    uint64_t GetTag() const
    {
        return m_tag;
    }

    /// @return whether it is a flow
    bool IsFlow() const
    {
        return m_isFlow;
    }

    TypeId GetInstanceTypeId() const override;

    uint32_t GetSerializedSize() const override
    {
        return SIZE;
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint64_t m_bytes{0};  //!< size of the message
    uint64_t m_tag{0};    //!< the sender's tag
    bool m_isFlow{false}; //!< whether it is a flow
};

/**
 * @ingroup odcn
 *
 * What a receiver answers about a message: which packets to send again, or, without any, that the
 * message is complete; at another port, which packets may be sent. Number of the message (32 bits),
 * number of ranges (32 bits), then each range's first packet and number of packets (32 bits each),
 * in network byte order.
 */
class RepairHeader : public Header
{
  public:
    /// Packets: the first one, and how many.
    using Range = std::pair<uint32_t, uint32_t>;

    /// Bytes of a header without ranges.
    static constexpr uint32_t LEAST_SIZE = 8;
    /// Bytes of a range.
    static constexpr uint32_t RANGE_SIZE = 8;

    /// @return the TypeId
    static TypeId GetTypeId();

    RepairHeader() = default;

    /**
     * @param number of the message
     * @param ranges packets to send again; none if it is complete
     */
    RepairHeader(uint32_t number, std::vector<Range> ranges);

    /// @return number of the message
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return packets to send again; none if the message is complete
    const std::vector<Range>& GetRanges() const
    {
        return m_ranges;
    }

    TypeId GetInstanceTypeId() const override;

    uint32_t GetSerializedSize() const override
    {
        return LEAST_SIZE + RANGE_SIZE * static_cast<uint32_t>(m_ranges.size());
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint32_t m_number{0};        //!< number of the message
    std::vector<Range> m_ranges; //!< packets to send again
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_HEADER_H */
