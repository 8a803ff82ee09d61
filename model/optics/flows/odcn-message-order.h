// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_ORDER_H
#define ODCN_MESSAGE_ORDER_H

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Which of n messages may be sent: those for which all messages before them have been received, in
 * the order in which that has become so. Those without any before them come first, by index.
 */
class MessageOrder
{
  public:
    /// Tells which messages must be received before a message is sent. @param index of that one
    using After = std::function<std::span<const uint32_t>(uint32_t index)>;

    MessageOrder() = default;

    /**
     * @param messages number of messages, n
     * @param after tells the messages before each, with indices below n
     */
    MessageOrder(uint32_t messages, const After& after);

    /// @return whether there is a message for TakeReady()
    bool HasReady() const
    {
        return m_free < m_nFree || !m_ready.empty();
    }

    /// @return index of the next message that may be sent; each is returned once
    uint32_t TakeReady();

    /// @param index of a message that has been received
    void SetReceived(uint32_t index);

    /// @return number of messages received
    uint64_t CountReceived() const
    {
        return m_received;
    }

    /// @return whether all have been received
    bool IsDone() const
    {
        return m_received == m_messages;
    }

  private:
    uint32_t m_messages{0};        //!< their number
    uint32_t m_nFree{0};           //!< the same if none waits for others; else 0, and the lists
                                   //!< below are in use
    uint32_t m_free{0};            //!< the next one that may be sent if none waits
    std::vector<uint32_t> m_waits; //!< by message: messages before it that were not received
    std::vector<uint32_t> m_first; //!< by message: first of its successors in m_next, and the end
    std::vector<uint32_t> m_next;  //!< successors of all messages
    std::deque<uint32_t> m_ready;  //!< messages that may be sent
    uint64_t m_received{0};        //!< messages received
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_ORDER_H */
