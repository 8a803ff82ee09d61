// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_LIGHTPATH_H
#define OTN_LIGHTPATH_H

#include "ocs-medium.h"
#include "ocs-net-device.h"

#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What joins two transponders: light over fibres, through nodes that do not stop it. To ns-3 it is
 * a Channel with two NetDevices.
 *
 * A packet's latency is its serialisation, the O-E-O time of both ends, and the propagation of all
 * fibres, exactly. While the lightpath is not up, whatever is sent into it is lost, and so is what
 * has not got past a fibre when that is cut.
 *
 * Counters (packets, both directions): entered = delivered + dropped by cause + in flight. A packet
 * enters with its first bit.
 */
class OtnLightpath : public OcsMedium
{
  public:
    /// What may be.
    enum State
    {
        DOWN, //!< not set up
        DARK, //!< being set up
        UP,   //!< carries packets
        CUT,  //!< a fibre on the way is cut
    };

    /// Fibres in one direction.
    struct Way
    {
        std::vector<uint32_t> fibers; //!< one after the other
        std::vector<Time> passed;     //!< how long after it is sent a bit has passed each of them
        Time latency;                 //!< how long after it is sent a bit comes out of the far end
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    OtnLightpath();
    ~OtnLightpath() override;

    /**
     * Join two transponders.
     * @param a device at end 0
     * @param b device at end 1
     */
    void Connect(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b);

    /// @return what it is in
    State GetState() const;

    /// @param end 0 or 1  @return the fibres from there to the other end; none when it is down
    const std::vector<uint32_t>& GetFibers(uint32_t end) const;

    /// @param end 0 or 1  @return from the last bit's departure there to its arrival
    Time GetLatency(uint32_t end) const;

    /// @param end 0 or 1  @return the device there
    Ptr<OcsNetDevice> GetTransponder(uint32_t end) const;

    /// @return packets whose first bit has entered
    uint64_t GetEntered() const;

    /// @return packets given to the transponder at the far end
    uint64_t GetDelivered() const;

    /// @return packets on the way
    uint64_t GetInFlight() const;

    /// @return packets lost, by cause
    const OcsDropCounts& GetDropped() const;

    // What OtnNetwork calls

    /// Begin to set up: dark from now on. @param there from end 0  @param back from end 1
    void Prepare(const Way& there, const Way& back);

    /// Carry packets. @return whether it does, so whether it was dark
    bool Light();

    /// A fibre on the way is cut, in either direction. @param fibers all that are cut
    void Cut(const std::vector<uint32_t>& fibers);

    /// What was cut is whole again, so light comes through.
    void Mend();

    /// Tear down. What is under way is lost.
    void Stop();

    // What devices and ns-3 call

    void SetContext(uint32_t end, uint32_t context) override;
    uint32_t FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime) override;
    void LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole) override;
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * TracedCallback signature of Drop.
     * @param packet the packet
     * @param cause why it was lost
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, OcsDropCause cause);

  protected:
    void DoDispose() override;

  private:
    /// A packet whose last bit has left.
    struct Flight
    {
        Ptr<Packet> packet; //!< the packet
        bool whole{true};   //!< whether its tail is there
        Time left;          //!< when the last bit left
    };

    /// One direction.
    struct Direction
    {
        Ptr<OcsNetDevice> device;           //!< where it begins
        uint32_t context{NO_CONTEXT};       //!< node of that device
        Way way;                            //!< the fibres
        Ptr<Packet> leaving;                //!< in transmission, and not lost so far
        uint64_t next{0};                   //!< number of the next flight
        std::map<uint64_t, Flight> flights; //!< by number
    };

    /// The last bit comes out. @param end where it began  @param number of the flight
    void Deliver(uint32_t end, uint64_t number);

    /// @param packet the packet  @param cause why it is lost
    void Drop(Ptr<const Packet> packet, OcsDropCause cause);

    std::array<Direction, 2> m_ways;                             //!< from end 0, from end 1
    State m_state{DOWN};                                         //!< what it is in
    uint64_t m_entered{0};                                       //!< packets in
    uint64_t m_delivered{0};                                     //!< packets out
    OcsDropCounts m_dropped;                                     //!< packets lost
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
};

} // namespace ns3::odcn

#endif /* OTN_LIGHTPATH_H */
