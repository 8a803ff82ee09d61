// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_EVENTS_H
#define ODCN_PACKET_EVENTS_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace ns3::odcn
{

/// What happens in an event, with the meaning of its numbers a and b.
enum class Happening : uint8_t
{
    FLOW_START,     //!< flows of host a start
    HOST_SEND,      //!< host a sends its next packet
    HOST_SENT,      //!< the last bit of packet a has left host b
    HOST_SENT_NEXT, //!< as HOST_SENT; then the host sends its next packet
    FROM_HOST,      //!< packet a of host b has reached its first switch
    UPLINK_SENT,    //!< the last bit of packet a has left uplink b
    OCS_SENT,       //!< the last bit of packet a has left the optical switch to uplink b, or from
                    //!< uplink b with faults
    FROM_UPLINK,    //!< packet a has come by uplink b; to switch b in electrical networks
                    //!< without faults
    DOWNLINK_SENT,  //!< the last bit of packet a has left for host b
    HOST_RECEIVED,  //!< packet a has reached its host
    SLOT,           //!< a slot of plane a starts, in schedule b of the run
    OPEN,           //!< circuits of window a may be used
    WITHDRAW,       //!< circuits of window a that end leave the paths
    CLOSE,          //!< circuits of window a that end are no longer used
    CIRCUIT,        //!< host a hears of the next circuit in the engine's signals
    MESSAGE_SEND,   //!< message a is sent, or the run ends if there is none
    TIMER,          //!< timer b of host a has expired
    OPENED,         //!< RotorLb::Opened() for uplink a
    FAULT,          //!< fault a / 2 starts, or ends if a is odd
    TOLD,           //!< control learns of the next failure or repair
    CUT_OFF,        //!< switches learn between which racks all circuits have failed
    OCS_REACHED,    //!< the first bit of packet a has reached the optical switch from uplink b
    CONTROL,        //!< the controller of circuits starts, or its step a is due if b is 1
};

/// An event. Its order is when it was scheduled, above the bits of Happening.
struct PacketEvent
{
    /// Bits of Happening in the order.
    static constexpr uint32_t BITS = 5;

    int64_t time;   //!< ps
    uint64_t order; //!< number of the event << BITS | Happening
    uint32_t a;     //!< see Happening
    uint32_t b;     //!< see Happening

    /// @return what happens
    Happening What() const
    {
        return static_cast<Happening>(order & ((1U << BITS) - 1));
    }

    /// @param o other event  @return whether this one is later
    bool operator>(const PacketEvent& o) const
    {
        return time > o.time || (time == o.time && order > o.order);
    }
};

/**
 * Future events. Those with the same delay are in order as they are scheduled, so the frequent
 * delays have a FIFO each, and only the rest needs a heap.
 */
class PacketEventQueue
{
  public:
    /// @param delay a frequent delay, ps
    void AddLane(int64_t delay)
    {
        if (std::none_of(m_lanes.begin(),
                         m_lanes.end(),
                         [delay](const Lane& lane) { return lane.delay == delay; }))
        {
            m_lanes.push_back({delay, {}});
        }
    }

    /// @return time of the event last taken, ps
    int64_t Now() const
    {
        return m_now;
    }

    /// @param delay from now, ps  @param what happens  @param a number  @param b number
    /// @return order of the event
    uint64_t Schedule(int64_t delay, Happening what, uint32_t a, uint32_t b = 0)
    {
        const PacketEvent event{m_now + delay,
                                m_count++ << PacketEvent::BITS | static_cast<uint64_t>(what),
                                a,
                                b};
        for (Lane& lane : m_lanes)
        {
            if (lane.delay == delay)
            {
                lane.events.push_back(event);
                return event.order;
            }
        }
        m_rest.push(event);
        return event.order;
    }

    /// @param until time, ps  @param [out] event the next one, removed
    /// @return false if none is before that time; then the time is now
    bool Take(int64_t until, PacketEvent& event)
    {
        Lane* best = nullptr;
        const PacketEvent* next = m_rest.empty() ? nullptr : &m_rest.top();
        for (Lane& lane : m_lanes)
        {
            if (!lane.events.empty() && (!next || *next > lane.events.front()))
            {
                best = &lane;
                next = &lane.events.front();
            }
        }
        if (!next || next->time >= until)
        {
            m_now = until;
            return false;
        }
        event = *next;
        m_now = event.time;
        if (best)
        {
            best->events.pop_front();
        }
        else
        {
            m_rest.pop();
        }
        return true;
    }

  private:
    /// Events of one delay.
    struct Lane
    {
        int64_t delay;                  //!< from scheduling, ps
        std::deque<PacketEvent> events; //!< in order
    };

    std::vector<Lane> m_lanes; //!< frequent delays
    std::priority_queue<PacketEvent, std::vector<PacketEvent>, std::greater<>>
        m_rest;          //!< other events
    int64_t m_now{0};    //!< ps
    uint64_t m_count{0}; //!< events scheduled
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_EVENTS_H */
