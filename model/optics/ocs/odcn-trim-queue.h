// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRIM_QUEUE_H
#define ODCN_TRIM_QUEUE_H

#include "ns3/packet.h"
#include "ns3/queue.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A packet queue that cuts packets of data for which it has no room to their headers; these leave
 * first, with all packets that are not larger. The receiver so hears of each packet at once, as in
 * NDP (Handley et al., SIGCOMM 2017).
 *
 * Headers go strictly first here, and the packet that arrives is the one that is cut; in the paper,
 * ten headers go before a packet, and half of the time the last one in the queue is cut.
 */
class TrimQueue : public Queue<Packet>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;
    Ptr<Packet> Remove() override;
    Ptr<const Packet> Peek() const override;

    /// @return most packets of data
    uint32_t GetDataPackets() const
    {
        return m_dataPackets;
    }

    /// @return bytes that are left of a packet that was cut
    uint32_t GetHeaderSize() const
    {
        return m_headerSize;
    }

    /// @return packets cut
    uint64_t GetCut() const
    {
        return m_cut;
    }

  private:
    /// The first packet is about to leave.
    void Leave();

    uint32_t m_dataPackets;      //!< DataPackets
    uint32_t m_headerSize;       //!< HeaderSize, bytes
    uint32_t m_headers{0};       //!< packets of headers only, at the front
    ConstIterator m_firstData{}; //!< first packet of data, if there is any
    uint64_t m_cut{0};           //!< packets cut
};

} // namespace ns3::odcn

#endif /* ODCN_TRIM_QUEUE_H */
