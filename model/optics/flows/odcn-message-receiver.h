// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_RECEIVER_H
#define ODCN_MESSAGE_RECEIVER_H

#include "odcn-flow-header.h"
#include "odcn-message-header.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

struct FlowMessage;

/**
 * @ingroup odcn
 *
 * Collects the UDP packets of messages to one host, in any order, and asks for lost ones again.
 *
 * A packet that is still missing ReorderTime after a later one of its message has arrived is asked
 * for (a negative acknowledgement); a request without an effect is repeated after RepairTimeout,
 * twice that time, and so on. A complete message is acknowledged, and again whenever a duplicate of
 * it arrives. Lost packets at the end of a message show when the sender repeats the last one.
 */
class MessageReceiver
{
  public:
    /// What a host sets.
    struct Settings
    {
        bool repair;      //!< whether to ask for lost packets
        Time reorderTime; //!< see above
        Time timeout;     //!< before a request is repeated
    };

    /// Called with a message that is complete.
    using Complete = std::function<void(const FlowMessage&)>;
    /// Sends an answer to a sender.
    using Answer = std::function<void(Ipv4Address, const RepairHeader&)>;

    /**
     * @param settings the settings
     * @param complete called with each message, once
     * @param answer sends an answer
     */
    MessageReceiver(const Settings& settings, Complete complete, Answer answer);
    ~MessageReceiver();

    MessageReceiver(const MessageReceiver&) = delete;
    MessageReceiver& operator=(const MessageReceiver&) = delete;

    /**
     * A packet has arrived.
     * @param from its sender
     * @param flow number of the message, index of the packet, and when the message was sent
     * @param header size and tag of the message
     * @param bytes application data in the packet
     * @param payload application data in a full packet
     */
    void Receive(Ipv4Address from,
                 const FlowHeader& flow,
                 const MessageHeader& header,
                 uint32_t bytes,
                 uint32_t payload);

    /// @return packets received more than once
    uint64_t GetNDuplicates() const
    {
        return m_duplicates;
    }

    /// @return requests sent
    uint64_t GetNRequests() const
    {
        return m_requests;
    }

  private:
    /// Sender and number of a message.
    using Key = std::pair<uint32_t, uint32_t>;

    /// Hash of a Key.
    struct Hash
    {
        /// @param key sender and number
        /// @return its hash
        std::size_t operator()(const Key& key) const
        {
            return std::hash<uint64_t>()(uint64_t(key.first) << 32 | key.second);
        }
    };

    /// A message that is not complete.
    struct Incoming
    {
        uint64_t left{0};      //!< bytes missing
        std::vector<bool> got; //!< by packet, with repair
        uint32_t next{0};      //!< first missing packet
        uint32_t end{0};       //!< the last packet that arrived, and one more
        uint32_t mark{0};      //!< end when m_gap was scheduled
        uint32_t asked{0};     //!< missing packets below have been asked for
        Time timeout;          //!< before requests are repeated
        EventId gap{};         //!< asks for packets below mark
        EventId again{};       //!< repeats requests
    };

    /// Complete messages of a sender.
    struct Known
    {
        uint32_t below{0};        //!< all numbers below are complete
        std::set<uint32_t> above; //!< others
    };

    /// @param key of a message
    /// @return whether it is complete
    bool IsComplete(const Key& key) const;
    /// @param key of a message that is complete now
    void SetComplete(const Key& key);
    /// Watch for packets that later ones have overtaken.
    /// @param key of a message
    /// @param message the message
    void Watch(const Key& key, Incoming& message);
    /// The reordering time of packets below the mark is over.
    /// @param key of a message
    void AskForGap(Key key);
    /// Requests had no effect in time.
    /// @param key of a message
    void AskAgain(Key key);
    /// Ask for missing packets.
    /// @param key of a message
    /// @param message the message
    /// @param first of the packets
    /// @param end of the packets
    /// @return whether any is missing
    bool Ask(const Key& key, const Incoming& message, uint32_t first, uint32_t end);

    Settings m_settings;                                //!< the settings
    Complete m_complete;                                //!< called with complete messages
    Answer m_answer;                                    //!< sends answers
    std::unordered_map<Key, Incoming, Hash> m_incoming; //!< messages that are not complete
    std::unordered_map<uint32_t, Known> m_known;        //!< complete ones, by sender
    uint64_t m_duplicates{0};                           //!< packets received again
    uint64_t m_requests{0};                             //!< requests sent
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_RECEIVER_H */
