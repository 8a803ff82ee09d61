// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_LEVEL_H
#define ODCN_FLOW_LEVEL_H

#include "odcn-due-queue.h"
#include "odcn-flow-pairs.h"
#include "odcn-max-min-rates.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/odcn-message-plane.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Messages as fluid: all messages in flight share the links of their paths max-min fairly
 * (MaxMinRates). Subclasses know the links and paths.
 *
 * A message occupies its path for the bytes of all its packets, headers included. It is delivered
 * after that and the time that its last packet takes for propagation and for being received and
 * sent again by each switch, behind the packet before it, so that a message alone takes the same
 * time as paced packets.
 *
 * Events are the start and the end of a message and a change of a capacity. Only messages whose
 * links have a new level get new rates; what happens on links that are not connected does not alter
 * a single bit. Changes at the same time are handled together. There is one event of ns-3 at a time
 * for the ends and deliveries of all messages.
 */
class FlowLevel : public MessagePlane
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FlowLevel();

    FabricEngine GetEngine() const override
    {
        return FabricEngine::FLOWS;
    }

    /// @return starts and ends of messages and changes of capacities so far
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /// @return messages on links that have changed, over all events
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
        /// Bytes on it, headers included, if not those of the message's packets.
        std::optional<uint64_t> wire{};
    };

    void DoDispose() override;
    void DoSend(const Message& message) override;

    /// What throws does so before it changes any state.
    /// @param message a message
    /// @param path an empty one, to which to add its path, of at least one hop
    virtual void FindPath(const Message& message, Path& path) = 0;

    /// A message has left its links.
    /// @param message number, sender and receiver of it, without the rest; becomes the one to
    /// occupy links next, if not that which waits
    /// @return whether there is such a message of the same sender and receiver; by default not
    virtual bool Resume(Message& message);

    /// A message has arrived. By default it is delivered.
    /// @param number of the message, modulo 2^32
    virtual void Arrive(uint32_t number);

    /// @param time of a call of Arrive(), not before now
    /// @param number for it
    void ArriveAt(Time time, uint32_t number);

    /// Set capacities that have changed by themselves. Called with the first message on a link
    /// and at the time that was returned, while there are messages.
    /// @return when to be called again; Time::Max() for never
    virtual Time UpdateCapacities()
    {
        return Time::Max();
    }

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
        return m_rates.IsUsed(link);
    }

    /**
     * Find new paths for the messages on a link: what is left of each takes the path that
     * FindPath() gives now.
     * @param link index of a link
     */
    void Reroute(uint32_t link);

    /// Handle changes at this time. Called by UpdateCapacities() of subclasses whose circuits are
    /// set by others.
    void Wake();

    /// @return Attribute PacketSize, bytes
    uint32_t GetPacketSize() const
    {
        return m_packetSize;
    }

    /// @return bytes of data in a full packet
    uint32_t GetPayload() const
    {
        return m_packetSize - m_headers;
    }

  private:
    /// A message that occupies links.
    struct Flow
    {
        uint32_t number{0}; //!< of the message, modulo 2^32
        uint32_t pair{0};   //!< index in m_pairs, where time is when it may be delivered
        double left{0};     //!< bits on the wire, at time updated
        double rate{0};     //!< bits per time step
        int64_t updated{0}; //!< time steps
        int64_t rest{0};    //!< from leaving its links until its delivery, time steps
    };

    /// A message that has left its links.
    struct Delivery
    {
        int64_t time;    //!< time steps
        uint64_t order;  //!< in which messages have left
        uint32_t number; //!< of the message, modulo 2^32
        uint32_t pair;   //!< index in m_pairs, or FlowPairs::NONE

        /// @param other one
        /// @return whether it comes earlier
        bool operator>(const Delivery& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    /// Deliveries to come. Those that are added in the order of time need no heap.
    class Deliveries
    {
      public:
        /// @return whether there is none
        bool IsEmpty() const
        {
            return m_inOrder.empty() && m_others.empty();
        }

        /// @return the first one; there is one
        const Delivery& GetFirst() const
        {
            return IsInOrder() ? m_inOrder.front() : m_others.top();
        }

        /// @param delivery whose order is higher than that of those before
        void Add(const Delivery& delivery)
        {
            if (m_inOrder.empty() || delivery.time >= m_inOrder.back().time)
            {
                m_inOrder.push_back(delivery);
            }
            else
            {
                m_others.push(delivery);
            }
        }

        /// Remove GetFirst().
        void RemoveFirst()
        {
            if (IsInOrder())
            {
                m_inOrder.pop_front();
            }
            else
            {
                m_others.pop();
            }
        }

      private:
        /// @return whether the first one is in m_inOrder
        bool IsInOrder() const
        {
            return m_others.empty() || (!m_inOrder.empty() && m_others.top() > m_inOrder.front());
        }

        std::deque<Delivery> m_inOrder; //!< each at the time of the one before it, or later
        std::priority_queue<Delivery, std::vector<Delivery>, std::greater<>> m_others; //!< others
    };

    /// Find the path of a message, in m_path.
    /// @param message number, sender and receiver of it
    void RenewPath(const Message& message);
    /// @param index of a flow that is on no link, which gets those of m_path
    void OccupyPath(uint32_t index);
    /// Let a message occupy m_path.
    /// @param message the message
    /// @param pair index of its sender and receiver
    /// @param delivery of the one before it of the same pair, time steps; 0 for none
    void Begin(const Message& message, uint32_t pair, int64_t delivery);
    /// @param packets of a message on m_path
    /// @param wire their bytes, headers included
    /// @return time in seconds from when all of it has left the slowest of its hops, if that is
    /// never idle, until its last packet has been sent on the last hop, without propagation
    double FindRest(uint64_t packets, uint64_t wire) const;
    /// A message has left its links: let the next one begin.
    /// @param pair index of its sender and receiver
    void BeginNext(uint32_t pair);
    /// A change at this time.
    void Run();
    /// Handle what is due now.
    void TakeDue();
    /// Give all messages on links that have changed their rates.
    void UpdateRates();
    /// Call Run() at the next change.
    void Arm();
    /// @param index of a flow
    /// @param rate bits per time step
    /// @param now the time, time steps
    void SetRate(uint32_t index, double rate, int64_t now);

    uint32_t m_packetSize; //!< PacketSize
    uint32_t m_headers;    //!< HeaderSize

    /// Of messages that occupy links (then busy) or have not been delivered. Their time is the
    /// delivery of the last one that has left its links, and while another one occupies links, when
    /// that may be delivered. Numbers of messages that wait are modulo 2^32.
    FlowPairs m_pairs;
    MaxMinRates m_rates;               //!< of flows that occupy links
    std::vector<Flow> m_flows;         //!< by index
    std::vector<uint32_t> m_unused;    //!< indices free for new flows
    std::vector<uint32_t> m_left;      //!< flows that have left their links now
    std::vector<uint32_t> m_delivered; //!< numbers of messages that are delivered now
    Path m_path;                       //!< of the message that begins
    DueQueue m_due;                    //!< when flows that have a rate leave their links
    Deliveries m_deliveries;           //!< of messages that have left their links
    uint64_t m_nLeft{0};               //!< messages that have left their links, over all time
    uint64_t m_nFlows{0};              //!< messages that occupy links
    uint64_t m_nEvents{0};             //!< see GetNEvents()
    uint64_t m_nRates{0};              //!< see GetNRates()
    int64_t m_change{0};               //!< when capacities change next, time steps
    bool m_isNew{false};               //!< whether a link is used that was not
    bool m_isAwake{false};             //!< whether m_now is to come
    EventId m_now;                     //!< Run() at this time, by Wake()
    EventId m_next;                    //!< Run() at m_nextTime
    int64_t m_nextTime{0};             //!< time steps
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_LEVEL_H */
