// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAFFIC_H
#define ODCN_TRAFFIC_H

#include "odcn-fabric-engine.h"
#include "odcn-message-order.h"
#include "odcn-message.h"

#include "ns3/nstime.h"
#include "ns3/odcn-units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What is to be sent, for every engine: a list of messages, each with a start time, and perhaps
 * after others. A flow is such a message.
 *
 * A message is sent as soon as its start has come and all messages before it have been received.
 * One without bytes sends nothing, and counts as received when it would be sent.
 *
 * @code
 *   Traffic traffic{{0, 4, 1000000, Time(0)}, {1, 4, 1000000, MicroSeconds(5)}};
 *   const uint32_t answer = traffic.Add({4, 0, 100}, std::vector<uint32_t>{0, 1});
 * @endcode
 */
class Traffic
{
  public:
    /// A message, known by its index. Servers of a fabric are numbered rack by rack.
    struct Item
    {
        ServerId from{0};  //!< index of the sender
        ServerId to{0};    //!< index of the receiver, another one
        uint64_t bytes{0}; //!< application data, without headers
        Time start{};      //!< when it is sent at the earliest, from the begin of the run

        /// @param o other message
        /// @return whether all members are equal
        bool operator==(const Item& o) const = default;
    };

    /// Goes through all messages.
    class Iterator
    {
      public:
        using iterator_category = std::input_iterator_tag; //!< of the standard library
        using value_type = Item;                           //!< a message
        using difference_type = std::ptrdiff_t;            //!< number of messages
        using pointer = void;                              //!< there is none
        using reference = Item;                            //!< messages are made when asked for

        /// @param traffic it goes through
        /// @param index of a message
        Iterator(const Traffic& traffic, std::size_t index)
            : m_traffic(&traffic),
              m_index(index)
        {
        }

        /// @return the message
        Item operator*() const
        {
            return (*m_traffic)[m_index];
        }

        /// @return this one, at the next message
        Iterator& operator++()
        {
            ++m_index;
            return *this;
        }

        /// @return this one as it was, before it goes to the next message
        Iterator operator++(int)
        {
            return {*m_traffic, m_index++};
        }

        /// @param o one of the same traffic
        /// @return whether they are at the same message
        bool operator==(const Iterator& o) const
        {
            return m_index == o.m_index;
        }

        /// @param o one of the same traffic
        /// @return whether they are at different messages
        bool operator!=(const Iterator& o) const
        {
            return m_index != o.m_index;
        }

      private:
        const Traffic* m_traffic; //!< what it goes through
        std::size_t m_index;      //!< of the message
    };

    Traffic() = default;

    /**
     * @param messages none of which waits for others
     * @throws OdcnError as Add()
     */
    explicit Traffic(const std::vector<Item>& messages);

    /**
     * @param messages none of which waits for others
     * @throws OdcnError as Add()
     */
    Traffic(std::initializer_list<Item> messages);

    /**
     * Add a message.
     * @param message between two end points, of 2^53 bytes or fewer, with a start of 0 or more
     * @param after indices of messages added before, which must be received before it is sent
     * @return its index
     * @throws OdcnError when one of these is out of range, or there are 2^31 messages
     */
    uint32_t Add(const Item& message, std::span<const uint32_t> after = {});

    /// @param messages number of messages there will be, to use no more memory than for them
    void Reserve(std::size_t messages)
    {
        m_data.reserve(messages);
    }

    /// @param index of a message
    /// @return the message
    Item operator[](std::size_t index) const
    {
        const Data& data = m_data[index];
        return {data.from,
                data.to,
                data.bytes,
                index < m_starts.size() ? m_starts[index] : Time(0)};
    }

    /// @return number of messages
    std::size_t size() const
    {
        return m_data.size();
    }

    /// @return whether there are none
    bool empty() const
    {
        return m_data.empty();
    }

    /// @return the first message
    Iterator begin() const
    {
        return {*this, 0};
    }

    /// @return behind the last message
    Iterator end() const
    {
        return {*this, size()};
    }

    /// @return whether a message waits for others, so that not all times of sending are known
    bool Waits() const
    {
        return !m_after.empty();
    }

    /// @param index of a message
    /// @return indices of the messages that must be received before it is sent; they are lower
    std::span<const uint32_t> GetAfter(uint32_t index) const
    {
        if (index >= m_ends.size())
        {
            return {};
        }
        const uint64_t begin = index == 0 ? 0 : m_ends[index - 1];
        return {m_after.data() + begin, m_ends[index] - begin};
    }

    /// @param o other traffic
    /// @return whether messages and their order are equal
    bool operator==(const Traffic& o) const = default;

  private:
    /// A message without its start.
    struct Data
    {
        ServerId from;  //!< see Item
        ServerId to;    //!< see Item
        uint64_t bytes; //!< see Item

        /// @param o other message
        /// @return whether all members are equal
        bool operator==(const Data& o) const = default;
    };

    /// @param message a message
    /// @param index of it
    /// @param after indices of the messages before it
    /// @throws OdcnError when it is out of range
    static void Check(const Item& message, std::size_t index, std::span<const uint32_t> after);

    std::vector<Data> m_data;      //!< by index
    std::vector<Time> m_starts;    //!< by index; up to the last one above 0
    std::vector<uint64_t> m_ends;  //!< by index: end in m_after; up to the last one that waits
    std::vector<uint32_t> m_after; //!< messages before others, of all messages
};

/**
 * @ingroup odcn
 *
 * What sends in a run whose time begins at 0, in any engine: without the simulator (ExactPackets),
 * or on a plane in ns-3 (PlaneTraffic). It is asked at the beginning and at each delivery, and so
 * may send anything that follows from what was received.
 *
 * A message without bytes goes nowhere: it is received when it is Message::sent, whatever its end
 * points. So a source wakes itself, such as at the end of a computation.
 */
class TrafficSource
{
  public:
    virtual ~TrafficSource() = default;

    /**
     * The run begins, at time 0.
     * @param [out] send gets the messages to send, in order; each when it is Message::sent, which
     * is not in the past. Its number is set when it is sent.
     */
    virtual void Start(std::vector<Message>& send) = 0;

    /**
     * The last byte of a message has been received.
     * @param message the message
     * @param now the time
     * @param [out] send as that of Start()
     */
    virtual void Receive(const Message& message, Time now, std::vector<Message>& send) = 0;
};

/// What a run of traffic results in, in every engine. Times are from the begin of the run.
struct TrafficResult
{
    FabricEngine engine{FabricEngine::EXACT}; //!< that ran it
    std::vector<Time> sent;     //!< by message: when it was sent, or is to be sent; negative if
                                //!< that is not known yet
    std::vector<Time> received; //!< by message: when its last byte was received; negative if it
                                //!< was not

    /// @return number of messages received
    uint64_t CountReceived() const;

    /// @return by message: from sending until its last byte was received; negative if it was not
    std::vector<Time> GetTimes() const;
};

/**
 * @ingroup odcn
 *
 * A run of a list of messages: which are to be sent next, and when each was sent and received. The
 * tag of each is its index.
 *
 * @code
 *   TrafficRun run(Collective::Make("all-reduce:ring", 64, 1000000).GetMessages());
 *   SchedulePackets(model, schedule, settings).Run(run, Seconds(1));
 *   std::cout << run.GetTime().GetSeconds();
 * @endcode
 */
class TrafficRun : public TrafficSource
{
  public:
    /// Called when a message has been received.
    /// @param index of the message
    using Received = std::function<void(uint32_t index)>;

    /**
     * @param traffic what to send
     * @param received may be empty
     * @param engine of the result
     */
    explicit TrafficRun(Traffic traffic = {},
                        Received received = {},
                        FabricEngine engine = FabricEngine::EXACT);

    void Start(std::vector<Message>& send) override;
    void Receive(const Message& message, Time now, std::vector<Message>& send) override;

    /// @return what is sent
    const Traffic& GetTraffic() const
    {
        return m_traffic;
    }

    /**
     * Limit how many messages Start() and Receive() give at once; SendMore() gives the others.
     * @param most 1 or more; by default there is no limit
     */
    void SetBatch(std::size_t most)
    {
        m_batch = most;
    }

    /// @param [out] send gets more messages to send at the time of the last Start() or Receive()
    /// @return whether there were any
    bool SendMore(std::vector<Message>& send);

    /// @return when messages were sent and received so far; made by each call
    TrafficResult GetResult() const;

    /// @param index of a message, after Start()
    /// @return as TrafficResult::sent
    Time GetSent(uint32_t index) const;

    /// @param index of a message, after Start()
    /// @return as TrafficResult::received
    Time GetReceived(uint32_t index) const;

    /// @return number of messages received
    uint64_t CountReceived() const
    {
        return m_order.CountReceived();
    }

    /// @return whether all have been received
    bool IsDone() const
    {
        return m_order.IsDone();
    }

    /// @return when the last message so far was received
    Time GetTime() const
    {
        return m_end;
    }

    /// @return how many messages have not been received, and the first of those sent; "" if it is
    /// done
    std::string DescribeUnfinished() const;

  private:
    /// @param [out] send gets messages that are ready
    void SendReady(std::vector<Message>& send);
    /// @param index of a message that has been received
    /// @param now the time
    void Count(uint32_t index, Time now);

    Traffic m_traffic;             //!< what is sent
    Received m_notify;             //!< called when a message has been received
    FabricEngine m_engine;         //!< of the result
    std::size_t m_batch{SIZE_MAX}; //!< see SetBatch()
    MessageOrder m_order;          //!< which messages are ready
    std::vector<Time> m_received;  //!< by message, see TrafficResult; none before the first
    bool m_isStarted{false};       //!< whether Start() was called
    Time m_now;                    //!< of the last Start() or Receive()
    Time m_end;                    //!< see GetTime()
};

} // namespace ns3::odcn

#endif /* ODCN_TRAFFIC_H */
