// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_FIBER_H
#define OCS_FIBER_H

#include "ocs-net-device.h"
#include "odcn-rank-arrivals.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <array>
#include <cstddef>
#include <vector>

namespace ns3::odcn
{

class OcsSwitch;

/**
 * @ingroup odcn
 *
 * A fibre pair: one strand for each direction.
 *
 * It joins two devices, a device and a port of an optical circuit switch, or ports of two such
 * switches: the strand towards a switch is its port's input, the other strand its output. A packet
 * is represented by two notifications, for its first and its last bit, because a switch on the path
 * needs both. Without delay both are direct calls without an event.
 *
 * A packet is in flight here from its first bit until it is handed over: to a switch with the
 * first bit, to a device with the last one.
 */
class OcsFiber : public OcsMedium
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OcsFiber();
    ~OcsFiber() override;

    /**
     * Join two devices.
     *
     * @param a one device
     * @param b the other
     */
    void Connect(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b);

    /**
     * Join a device and a port of a switch.
     *
     * @param device the device
     * @param ocs the switch
     * @param port port of the switch, both sides of it
     */
    void Connect(Ptr<OcsNetDevice> device, Ptr<OcsSwitch> ocs, uint32_t port);

    /**
     * Join ports of two switches.
     *
     * @param a one switch
     * @param portA its port, both sides of it
     * @param b the other
     * @param portB its port, both sides of it
     */
    void Connect(Ptr<OcsSwitch> a, uint32_t portA, Ptr<OcsSwitch> b, uint32_t portB);

    /**
     * Let devices be on different ranks (RankArrivals).
     * @throws OdcnError when the delay is too short for that
     */
    void Divide();

    /// @return propagation delay of either strand
    Time GetDelay() const
    {
        return m_delay;
    }

    /// @return packets on the fibre, both strands together; between ranks the sum over all ranks,
    /// modulo 2^64
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    // Called by devices and switches.

    void SetContext(uint32_t end, uint32_t context) override
    {
        m_ends[end].context = context;
    }

    uint32_t FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime) override;
    void LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole) override;

    /**
     * The first bit of a packet leaves an end with a switch.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param txTime time from the first to the last bit
     * @return as FirstBit()
     */
    uint32_t FirstBitFromSwitch(uint32_t end, const Ptr<Packet>& packet, const Time& txTime);

    /**
     * The last bit of a packet leaves an end with a switch.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     */
    void LastBitFromSwitch(uint32_t end, const Ptr<Packet>& packet);

    /**
     * The first bit of a packet has left an end with a switch, but the switch lost the rest.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     */
    void LoseTailFromSwitch(uint32_t end, const Ptr<Packet>& packet);

    /**
     * @param end the end, 0 or 1
     * @return id of the device's node at the other end if the delay is zero, else NO_CONTEXT
     */
    uint32_t GetPeerContext(uint32_t end) const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /// An end of the fibre, connected to a device or a switch.
    struct End
    {
        Ptr<OcsNetDevice> device;     //!< the device, or null
        Ptr<OcsSwitch> ocs;           //!< the switch, or null
        uint32_t port{0};             //!< port of the switch
        uint32_t context{NO_CONTEXT}; //!< id of the device's node, cached
        Ptr<RankArrivals> arrivals;   //!< after Divide()
    };

    /// A packet on its way to a device.
    struct Transit
    {
        Packet* packet; //!< the packet, with a reference of its own
        bool whole;     //!< not truncated
    };

    /**
     * Packets on their way to a device, in order. One event object stands for all arrivals: it is
     * scheduled once for each, which saves an allocation a packet.
     */
    struct Strand
    {
        Ptr<EventImpl> arrival;       //!< Arrive(); null until the first packet
        std::vector<Transit> packets; //!< since the strand was last empty
        std::size_t first{0};         //!< of them, the next one that arrives
        Time last;                    //!< arrival of the last one
    };

    /// Let a packet arrive at a device.
    /// @param end its end
    /// @param packet packet
    /// @param whole not truncated
    void ScheduleArrival(uint32_t end, const Ptr<Packet>& packet, bool whole);

    /// The first packet of a strand arrives.
    /// @param end end of the device
    void Arrive(uint32_t end);

    /// First bit at a switch. @param end its end  @param packet packet  @param txTime duration
    void ReachSwitch(uint32_t end, const Ptr<Packet>& packet, const Time& txTime);

    /// Last bit at a device. @param end its end  @param packet packet  @param whole not truncated
    void ReachDevice(uint32_t end, const Ptr<Packet>& packet, bool whole);

    /// A packet from another rank. @param fiber this  @param end of its device  @param packet
    /// packet
    static void ReceiveRemote(OcsFiber* fiber, uint32_t end, Ptr<Packet> packet);

    /// Last bit at a switch. @param end its end  @param packet packet  @param whole not truncated
    void LeaveSwitch(uint32_t end, const Ptr<Packet>& packet, bool whole);

    /// The signal ends before the last bit at a switch. @param end its end  @param packet packet
    void EndAtSwitch(uint32_t end, const Ptr<Packet>& packet);

    /// @return whether nothing is connected yet
    bool IsFree() const
    {
        return !m_ends[0].device && !m_ends[0].ocs;
    }

    std::array<End, 2> m_ends;       //!< the ends
    std::array<Strand, 2> m_strands; //!< by end of the device
    Time m_delay;                    //!< propagation delay of either strand
    uint64_t m_inFlight{0};          //!< packets on the fibre
};

} // namespace ns3::odcn

#endif /* OCS_FIBER_H */
