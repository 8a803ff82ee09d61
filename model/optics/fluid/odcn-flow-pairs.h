// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_PAIRS_H
#define ODCN_FLOW_PAIRS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Senders and receivers with messages in flight on the flow level, and the messages that wait for
 * others of the same pair: a hash table of 28 bytes a pair, whose entries have an index. A node of
 * std::unordered_map takes 40, and the places of both in each message 8 more.
 */
class FlowPairs
{
  public:
    /// No pair.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Messages of one sender to one receiver.
    struct Pair
    {
        Pair()
            : time(0),
              isBusy(false)
        {
        }

        uint32_t from{0};    //!< sender
        uint32_t to{0};      //!< receiver
        uint32_t next{NONE}; //!< in the same bucket, or the next unused one
        uint32_t last{NONE}; //!< last message that waits, in m_waiting
        int64_t time : 63;   //!< for use by the flow level, time steps
        bool isBusy : 1;     //!< for use by the flow level
    };

    /// @param from sender
    /// @param to receiver
    /// @return index of the pair; NONE if there is none
    uint32_t Find(uint32_t from, uint32_t to) const;

    /// @param from sender
    /// @param to receiver, of a pair that does not exist
    /// @return index of the new pair
    uint32_t Add(uint32_t from, uint32_t to);

    /// @param index of a pair, free for another one afterwards; until then it is busy
    void Remove(uint32_t index);

    /// @param index of a pair
    /// @return the pair, until the next Add()
    Pair& operator[](uint32_t index)
    {
        return m_pairs[index];
    }

    /// @param index of a pair
    /// @return the pair
    const Pair& operator[](uint32_t index) const
    {
        return m_pairs[index];
    }

    /// @param index of a pair
    /// @return whether messages wait
    bool HasWaiting(uint32_t index) const
    {
        return m_pairs[index].last != NONE;
    }

    /// @param index of a pair
    /// @param message that waits behind its others
    void AddWaiting(uint32_t index, uint32_t message);

    /// @param index of a pair with messages that wait
    /// @return the first of these, which waits no more
    uint32_t TakeWaiting(uint32_t index);

    /// Forget all pairs.
    void Clear();

  private:
    /// A message that waits.
    struct Waiting
    {
        uint32_t message; //!< as given
        uint32_t next;    //!< the next one of the pair, or the first one if it is the last
    };

    /// @param from sender
    /// @param to receiver
    /// @return index of their bucket
    std::size_t GetBucket(uint32_t from, uint32_t to) const;

    /// Make more buckets.
    void Grow();

    std::vector<Pair> m_pairs;            //!< by index
    std::vector<uint32_t> m_buckets;      //!< first pair of each; their number is a power of two
    uint32_t m_unused{NONE};              //!< first index free for a new pair
    std::size_t m_nPairs{0};              //!< number of pairs
    uint32_t m_shift{64};                 //!< of a hash, for its bucket
    std::vector<Waiting> m_waiting;       //!< by index
    std::vector<uint32_t> m_unusedPlaces; //!< indices free in m_waiting
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_PAIRS_H */
