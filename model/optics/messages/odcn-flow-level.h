// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_LEVEL_H
#define ODCN_FLOW_LEVEL_H

#include "odcn-message-plane.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Messages as fluid: all messages in flight share the links of their paths max-min fairly
 * (Bertsekas and Gallager, Data Networks, section 6.5.2). Subclasses know the links and paths.
 *
 * A message occupies its path for the bytes of all its packets, headers included. It is delivered
 * after that and the time that its last packet takes for propagation and for being received and
 * sent again by each switch, so that a message alone takes the same time as paced packets.
 *
 * Events are the start and the end of a message and a change of a capacity. Only messages that
 * share links with those that have changed, directly or through others, get new rates; the others
 * are not touched, so what happens on disjoint links does not alter a single bit. Changes at the
 * same time are handled together. There is at most one event of ns-3 for all messages that occupy
 * links.
 */
class FlowLevel : public MessagePlane
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FlowLevel();

    /// @return starts and ends of messages and changes of capacities so far
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /// @return messages whose rate was computed, over all events
    uint64_t GetNRates() const
    {
        return m_nRates;
    }

  protected:
    /// A way from one end point to another.
    struct Path
    {
        std::vector<uint32_t> links; //!< shared with others, each once
        std::vector<double> hops;    //!< line rate of each transmission, bit/s
        Time propagation{};          //!< of all hops
    };

    void DoDispose() override;
    void DoSend(const Message& message) override;

    /// @param message a message
    /// @return its path
    virtual Path FindPath(const Message& message) = 0;

    /// Set capacities that have changed by themselves. Called with the first message on a link
    /// and at the time that was returned, while there are messages.
    /// @return when to be called again; Time::Max() for never
    virtual Time UpdateCapacities() = 0;

    /// @param capacity bit/s
    /// @return index of a new link
    uint32_t AddLink(double capacity);

    /// @param link index of a link
    /// @param capacity bit/s, from now on
    void SetCapacity(uint32_t link, double capacity);

    /// @param link index of a link
    /// @return whether messages are on it
    bool IsUsed(uint32_t link) const
    {
        return !m_links[link].flows.empty();
    }

    /// Handle changes at this time. Called by UpdateCapacities() of subclasses whose circuits are
    /// set by others.
    void Wake();

    /// @return Attribute PacketSize, bytes
    uint32_t GetPacketSize() const
    {
        return m_packetSize;
    }

  private:
    /// Place of a flow in the list of a link.
    struct Place
    {
        uint32_t link;     //!< index
        uint32_t position; //!< in Link::flows
    };

    /// A message that occupies links.
    struct Flow
    {
        Message message{};           //!< the message
        std::vector<Place> places{}; //!< its links
        double left{0};              //!< bits on the wire, at time updated
        double rate{0};              //!< bits per time step
        int64_t updated{0};          //!< time steps
        int64_t done{0};             //!< when it leaves its links; INT64_MAX if it has no rate
        Time rest{};                 //!< from then until its delivery
        uint64_t seen{0};            //!< last computation of rates that has met it
        bool isFrozen{false};        //!< whether that has found its rate
    };

    /// A link.
    struct Link
    {
        double capacity{0};  //!< bits per time step
        double free{0};      //!< capacity left in the computation of rates
        uint32_t nOpen{0};   //!< its flows without a rate there
        uint64_t seen{0};    //!< last computation that has met it
        bool isDirty{false}; //!< whether it has changed
        std::vector<std::pair<uint32_t, uint32_t>> flows{}; //!< index, and of its place in it
    };

    /// Time of an end, and the flow.
    using End = std::pair<int64_t, uint32_t>;

    /// Let a message occupy its path. @param message the message
    void Begin(const Message& message);
    /// Let the next message of the same sender and receiver begin. @param message that has ended
    void BeginNext(const Message& message);
    /// A change at this time.
    void Run();
    /// Call Run() at a time. @param time in time steps
    void Arm(int64_t time);
    /// @param link that has changed
    void MarkDirty(uint32_t link);
    /// @param flow index of a flow that has left its links
    void Remove(uint32_t flow);
    /// Compute the rates of all messages that may have changed.
    void ComputeRates();
    /// List the links and flows that are connected to changed links.
    void FindComponent();
    /// @param flow index of a flow
    /// @param rate bits per time step
    void SetRate(uint32_t flow, double rate);

    uint32_t m_packetSize; //!< PacketSize
    uint32_t m_headers;    //!< HeaderSize

    /// Messages that wait, by sender and receiver of one that occupies its path.
    std::map<std::pair<uint32_t, uint32_t>, std::deque<Message>> m_waiting;
    std::vector<Flow> m_flows;              //!< by index
    std::vector<uint32_t> m_unused;         //!< indices free for new flows
    std::vector<Link> m_links;              //!< by index
    std::vector<uint32_t> m_dirty;          //!< links that have changed
    std::vector<uint32_t> m_component;      //!< links of the computation
    std::vector<uint32_t> m_componentFlows; //!< flows of the computation
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends; //!< with outdated ones
    uint64_t m_computation{0}; //!< number of computations of rates
    uint64_t m_nFlows{0};      //!< messages that occupy links
    uint64_t m_nEvents{0};     //!< see GetNEvents()
    uint64_t m_nRates{0};      //!< see GetNRates()
    int64_t m_change{0};       //!< when capacities change next, time steps
    bool m_isNew{false};       //!< whether a link is used that was not
    EventId m_event;           //!< Run()
    int64_t m_eventTime{0};    //!< of m_event, time steps
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_LEVEL_H */
