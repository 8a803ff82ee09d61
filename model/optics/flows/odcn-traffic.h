// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAFFIC_H
#define ODCN_TRAFFIC_H

#include "odcn-message-order.h"
#include "odcn-message.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A list of messages, each sent as soon as its start has come and all messages before it have been
 * received. One without bytes sends nothing, and counts as received when it would be sent.
 */
class Traffic
{
  public:
    /// A message, known by its index.
    struct Item
    {
        uint32_t from;      //!< index of the sender
        uint32_t to;        //!< index of the receiver, another one
        uint64_t bytes;     //!< application data
        Time start;         //!< when it is sent at the earliest
        uint64_t after{0};  //!< first of GetAfter()
        uint32_t nAfter{0}; //!< number of GetAfter()
    };

    /**
     * Add a message.
     * @param from index of the sender
     * @param to index of the receiver, another one
     * @param bytes application data, 2^53 or less
     * @param after indices of messages added before, which must be received before it is sent
     * @param start when it is sent at the earliest, 0 or more
     * @return its index
     * @throws OdcnError when one of these is out of range, or there are 2^31 messages
     */
    uint32_t Add(uint32_t from,
                 uint32_t to,
                 uint64_t bytes,
                 std::span<const uint32_t> after = {},
                 Time start = Time(0));

    /// @return all messages; each has a higher index than those before it
    const std::vector<Item>& GetItems() const
    {
        return m_items;
    }

    /// @param index of a message
    /// @return indices of the messages that must be received before it is sent
    std::span<const uint32_t> GetAfter(uint32_t index) const
    {
        const Item& item = m_items[index];
        return {m_after.data() + item.after, item.nAfter};
    }

  private:
    std::vector<Item> m_items;     //!< by index
    std::vector<uint32_t> m_after; //!< of all messages
};

/**
 * @ingroup odcn
 *
 * What sends in a run that does not keep ns-3's time (SchedulePackets). It is asked at the
 * beginning and at each delivery, and so may send anything that follows from what was received.
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

/**
 * @ingroup odcn
 *
 * A run of a list of messages. The tag of each is its index.
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
    /// @param traffic what to send
    explicit TrafficRun(Traffic traffic);

    void Start(std::vector<Message>& send) override;
    void Receive(const Message& message, Time now, std::vector<Message>& send) override;

    /// @return what is sent
    const Traffic& GetTraffic() const
    {
        return m_traffic;
    }

    /// @return by message: when it was sent, or is to be sent; negative if that is not known yet
    const std::vector<Time>& GetSent() const
    {
        return m_sent;
    }

    /// @return by message: when its last byte was received; negative if it was not
    const std::vector<Time>& GetReceived() const
    {
        return m_received;
    }

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
    /// @param now the time
    /// @param [out] send gets all messages that are ready
    void SendReady(Time now, std::vector<Message>& send);
    /// @param index of a message that has been received
    /// @param now the time
    void Count(uint32_t index, Time now);

    Traffic m_traffic;            //!< what is sent
    MessageOrder m_order;         //!< which messages are ready
    std::vector<Time> m_sent;     //!< see GetSent()
    std::vector<Time> m_received; //!< see GetReceived()
    Time m_end;                   //!< see GetTime()
};

} // namespace ns3::odcn

#endif /* ODCN_TRAFFIC_H */
