// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_RECEIVER_H
#define ODCN_MESSAGE_RECEIVER_H

#include "odcn-message-header.h"
#include "odcn-transport-logic.h"

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Collects the packets of messages to one host, in any order, and asks for lost ones again.
 *
 * A packet that is still missing ReorderTime after a later one of its message has arrived is asked
 * for (a negative acknowledgement); a request without an effect is repeated after RepairTimeout,
 * twice that time, and so on. A complete message is acknowledged, and again whenever a duplicate of
 * it arrives. Lost packets at the end of a message show when the sender repeats the last one. A
 * packet that a TrimQueue has cut counts as lost.
 *
 * With a Window, the receiver paces its senders, as in NDP (Handley et al., SIGCOMM 2017) and EQDS:
 * the first packets of a message, as many as the Window, need no permission. Whenever fewer packets
 * than the Window are on their way here, the next message in the order gets a credit for one
 * packet, or for CreditPackets when so many are missing. Short messages and others are counted
 * apart, since a network may hold the others for long. Messages from which nothing has arrived for
 * RepairTimeout do not count until something does. With WindowPerMessage each message has a window
 * of its own instead: whenever one of its packets arrives, it gets a credit.
 */
class MessageReceiver
{
  public:
    /// A time-out doubles up to this many times its first value.
    static constexpr int64_t MOST_TIMEOUTS = 64;

    /// TransportPacket::kind of the packets of messages.
    enum Kind : uint32_t
    {
        DATA,   //!< of the sender
        ANSWER, //!< ranges of packets to send again; none if the message is complete
        CREDIT  //!< one range: the packets that may be sent
    };

    /// Timers: SILENCE_TIMER, and for each message from FIRST_TIMER on TIMERS of them here, then
    /// one of the sender.
    static constexpr uint32_t SILENCE_TIMER = 1;
    static constexpr uint32_t FIRST_TIMER = 2; //!< see SILENCE_TIMER
    static constexpr uint32_t TIMERS = 2;      //!< see SILENCE_TIMER

    /// What a packet has changed.
    enum Progress
    {
        NOTHING,  //!< it had arrived before
        NEW,      //!< its bytes are new
        COMPLETED //!< and they were the last
    };

    /**
     * @param settings of the application
     * @param repair whether to ask for lost packets
     * @param host sends answers and credits, and outlives the use of this object
     */
    MessageReceiver(const TransportLogic::Settings& settings, bool repair, TransportHost& host);

    MessageReceiver(const MessageReceiver&) = delete;
    MessageReceiver& operator=(const MessageReceiver&) = delete;

    /**
     * A packet of data has arrived.
     * @param packet the packet
     * @return what it has changed
     */
    Progress Receive(const TransportPacket& packet);

    /// @param timer of this object
    void TimerExpired(uint32_t timer);

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
        int64_t timeout{0};    //!< before requests are repeated, time steps
        uint32_t place{0};     //!< its timers: GetTimer() asks for packets below mark, the next one
                               //!< repeats requests

        bool isShort{false};  //!< class
        uint32_t received{0}; //!< packets
        uint32_t credit{0};   //!< packets that may have been sent
        uint64_t rank{0};     //!< its key in Class::waiting
        int64_t last{0};      //!< when a packet arrived
        bool isSilent{false}; //!< whether its packets do not count as on their way
    };

    /// Messages that share a window.
    struct Class
    {
        std::set<std::pair<uint64_t, Key>> waiting; //!< those that need credits, by rank
        int64_t onTheirWay{0};                      //!< packets
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
    /// Watch for packets that later ones have overtaken. @param message the message
    void Watch(Incoming& message);
    /// @param message a message
    /// @return its first timer
    static uint32_t GetTimer(const Incoming& message);
    /// The reordering time of packets below the mark is over.
    /// @param key of a message
    void AskForGap(const Key& key);
    /// Requests had no effect in time.
    /// @param key of a message
    void AskAgain(const Key& key);
    /// Cancel the timers of a message, which ends. @param message the message
    void CancelTimers(const Incoming& message);
    /// Ask for missing packets.
    /// @param key of a message
    /// @param message the message
    /// @param first of the packets
    /// @param end of the packets
    /// @return whether any is missing
    bool Ask(const Key& key, const Incoming& message, uint32_t first, uint32_t end);
    /// Count a packet that has arrived, for credits.
    /// @param key of a message
    /// @param message the message
    /// @param isNew whether the packet is
    void CountArrival(const Key& key, Incoming& message, bool isNew);
    /// A packet of a message with a window of its own has arrived.
    /// @param key of the message
    /// @param message the message
    /// @param isNew whether the packet is
    void CountInMessage(const Key& key, Incoming& message, bool isNew);
    /// @param message that waits for credits
    /// @return its rank; the lowest gets the next one
    uint64_t GetRank(const Incoming& message);
    /// Give the credits that the window allows. @param messages of a class
    void GiveCredits(Class& messages);
    /// Nothing has arrived from some messages for long: do not count their packets.
    void FindSilent();
    /// @param key of a message
    /// @param message the message
    void SendCredit(const Key& key, const Incoming& message);

    /// Send an answer or a credit.
    /// @param kind of it
    /// @param key of a message
    /// @param ranges of packets
    void Send(Kind kind, const Key& key, std::span<const TransportPacket::Range> ranges);

    TransportLogic::Settings m_settings;                //!< of the application
    bool m_repair;                                      //!< whether to ask for lost packets
    TransportHost* m_host;                              //!< sends
    std::vector<Key> m_places;                          //!< messages, by Incoming::place
    std::vector<uint32_t> m_freePlaces;                 //!< those that others may use
    std::vector<TransportPacket::Range> m_ranges;       //!< to be sent
    std::unordered_map<Key, Incoming, Hash> m_incoming; //!< messages that are not complete
    std::unordered_map<uint32_t, Known> m_known;        //!< complete ones, by sender
    uint64_t m_duplicates{0};                           //!< packets received again
    uint64_t m_requests{0};                             //!< requests sent

    std::array<Class, 2> m_classes; //!< other messages, short ones
    uint64_t m_turn{0};             //!< last rank of ROUND_ROBIN and FIFO
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_RECEIVER_H */
