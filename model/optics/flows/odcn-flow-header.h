// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_HEADER_H
#define ODCN_FLOW_HEADER_H

#include "ns3/header.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Header of a packet of a job's flow, after the UDP header, in network byte order: flow (32 bits),
 * sequence number (32 bits), time of sending in Time's resolution (64 bits).
 */
class FlowHeader : public Header
{
  public:
    /// Serialized size, bytes.
    static constexpr uint32_t SIZE = 16;

    /// @return the TypeId
    static TypeId GetTypeId();

    FlowHeader() = default;

    /**
     * @param flow number of the flow
     * @param sequence number of the packet within its flow
     * @param sent when it was handed to the socket
     */
    FlowHeader(uint32_t flow, uint32_t sequence, Time sent);

    /// @return number of the flow
    uint32_t GetFlow() const
    {
        return m_flow;
    }

    /// @return number of the packet within its flow, from 0
    uint32_t GetSequence() const
    {
        return m_sequence;
    }

    /// @return when it was handed to the socket
    Time GetSent() const
    {
        return TimeStep(m_sent);
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
    uint32_t m_flow{0};     //!< number of the flow
    uint32_t m_sequence{0}; //!< number of the packet within the flow
    uint64_t m_sent{0};     //!< time of sending, time steps
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_HEADER_H */
