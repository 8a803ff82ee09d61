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
 * What an OcsNetDevice is plugged to: a fibre, or a lightpath over many. It has two ends, 0 and 1.
 */
class OcsMedium : public Channel
{
  public:
    /// "No node", as Simulator::NO_CONTEXT.
    static constexpr uint32_t NO_CONTEXT = 0xffffffff;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param end the end, 0 or 1
     * @param context id of the node of the device there, NO_CONTEXT if it has none
     */
    virtual void SetContext(uint32_t end, uint32_t context) = 0;

    /**
     * The first bit of a packet leaves an end that has a device.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param txTime how long after the first bit the last one leaves
     * @return id of the node that will have the packet at the very moment its last bit leaves
     *         here; NO_CONTEXT if it comes later or never
     */
    virtual uint32_t FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime) = 0;

    /**
     * The last bit of a packet leaves an end that has a device.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param whole false if its tail is missing
     */
    virtual void LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole) = 0;
};

} // namespace ns3::odcn

#endif /* OCS_MEDIUM_H */
