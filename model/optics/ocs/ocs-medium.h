// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_MEDIUM_H
#define OCS_MEDIUM_H

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The medium of an OcsNetDevice: a fibre, or a lightpath over several. It has two ends, 0 and 1.
 */
class OcsMedium : public Channel
{
  public:
    /// No node; equals Simulator::NO_CONTEXT.
    static constexpr uint32_t NO_CONTEXT = 0xffffffff;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param end the end, 0 or 1
     * @param context id of the node of the device there, NO_CONTEXT if it has none
     */
    virtual void SetContext(uint32_t end, uint32_t context) = 0;

    /**
     * The first bit of a packet leaves an end with a device.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param txTime time from the first to the last bit
     * @return id of the node that receives the packet at the time at which its last bit leaves;
     *         NO_CONTEXT if it arrives later or never
     */
    virtual uint32_t FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime) = 0;

    /**
     * The last bit of a packet leaves an end with a device.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param whole false if the packet is truncated
     */
    virtual void LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole) = 0;
};

} // namespace ns3::odcn

#endif /* OCS_MEDIUM_H */
