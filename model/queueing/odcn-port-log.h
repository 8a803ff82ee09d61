// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PORT_LOG_H
#define ODCN_PORT_LOG_H

#include "ns3/odcn-units.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace odcn
{

/// A packet on its way through a port, or about to come to one.
struct OdcnPassage
{
    int64_t arrive{0};                                   //!< when it comes, ps
    int64_t depart{std::numeric_limits<int64_t>::min()}; //!< when its last bit leaves, ps
    int64_t sent{0};                                     //!< when its server sent it, ps
    /// Port that it came from x 2^32 + its index there. In a network card, where only one server
    /// sends: when the flow sent before, ps.
    uint64_t origin{0};
    uint32_t flow{0};     //!< its flow
    uint32_t sequence{0}; //!< in the flow
    uint32_t bytes{0};    //!< its size
    /// Receiving server. In a network card: how often the flow had sent before, a burst being once.
    uint32_t target{0};

    /// @param port port that it came from  @param index its index there  @return the origin
    static uint64_t From(uint32_t port, uint32_t index)
    {
        return uint64_t(port) << 32 | index;
    }

    /// @return port that it came from
    uint32_t GetPort() const
    {
        return static_cast<uint32_t>(origin >> 32);
    }

    /// @return its index there
    uint32_t GetIndex() const
    {
        return static_cast<uint32_t>(origin);
    }

    /// Be another one but for its times here. @param o it, as it came
    void Come(const OdcnPassage& o)
    {
        sent = o.sent;
        origin = o.origin;
        flow = o.flow;
        sequence = o.sequence;
        bytes = o.bytes;
        target = o.target;
    }
};

/// What is known of a flow.
struct alignas(64) OdcnFlowLog
{
    /// Times that are remembered.
    static constexpr uint32_t RECENT = 4;

    int64_t sent[RECENT]{}; //!< when it sent last, by number modulo RECENT, ps
    uint32_t events{0};     //!< how often it has sent
    uint32_t sequence{0};   //!< of its next packet
    uint32_t bytes{0};      //!< size of its packets, unless that is drawn
    uint32_t hash{0};       //!< for PER_FLOW
    ServerId from{0};       //!< sending server, whose network card has the same number
    ServerId to{0};         //!< receiving server
    bool inter{false};      //!< whether that is in another rack
};

/// What an event of ns-3 does.
enum class OdcnEventKind : uint8_t
{
    OPEN,     //!< flows begin
    SEND,     //!< a packet or a burst is sent; port: its flow, index: how often that did before
    COMPLETE, //!< a transmission is complete
    LEAVE,    //!< a last bit leaves an optical switch
    REACH     //!< a packet reaches the port at the other end
};

/// An event of ns-3, as what became of packets tells it.
struct OdcnPastEvent
{
    OdcnEventKind kind; //!< what
    uint32_t port;      //!< whose packet
    uint32_t index;     //!< which packet
    int64_t time;       //!< when, ps

    /// @param o other  @return whether it is the same event
    bool operator==(const OdcnPastEvent& o) const = default;
};

/// An event, and where its child stands among what it schedules. Of equal packets that left one
/// after the other, it stands for several.
struct OdcnPastStep
{
    OdcnPastEvent event; //!< the event
    uint32_t position;   //!< of its child
    uint32_t repeat;     //!< completions before it, each the parent of the one after it
    int64_t stride;      //!< time from one of them to the next, ps
};

/// What led to the first packet of a run: kept when that packet is forgotten.
struct OdcnPastRun
{
    uint32_t first;                  //!< index of its first packet
    uint32_t last;                   //!< of its last one so far
    int64_t tx;                      //!< transmission of each of its packets, ps
    std::vector<OdcnPastStep> steps; //!< from the parent of that packet's completion on
};

/**
 * What a port has let through lately. Packets that waited for the one before them and take as long
 * form a run: of a run, the first packet and the number of the others say all.
 */
class OdcnPortLog
{
  public:
    /// Forget all.
    void Clear()
    {
        m_free = 0;
        m_count = 0;
        m_oldest = 0;
        m_released = 0;
        m_runFirst = 0;
        m_runTx = 0;
        m_runs.clear();
        m_refused.clear();
    }

    /**
     * Add a packet; its arrival and departure are set, the rest is the caller's to set.
     * @param arrive when it came, ps  @param tx its transmission, ps
     * @param keep packets that left at that time or later must not be forgotten, ps
     * @return the new entry
     */
    OdcnPassage& Add(int64_t arrive, int64_t tx, int64_t keep)
    {
        const uint32_t index = m_count;
        if (m_ring.empty() || m_ring[index & m_mask].depart >= keep) [[unlikely]]
        {
            MakeRoom();
        }
        OdcnPassage& entry = m_ring[index & m_mask];
        // Without a jump: nobody could foretell it.
        const bool goesOn = (arrive < m_free) & (tx == m_runTx);
        m_runFirst = goesOn ? m_runFirst : index;
        m_runTx = tx;
        m_free = (arrive < m_free ? m_free : arrive) + tx;
        entry.arrive = arrive;
        entry.depart = m_free;
        ++m_count;
        return entry;
    }

    /**
     * Remember a packet that the port has refused, as of a network card.
     * @param packet which  @param keep as of Add()
     */
    void AddRefused(const OdcnPassage& packet, int64_t keep);

    /// @return packets that were refused lately, in order
    const std::vector<OdcnPassage>& GetRefused() const
    {
        return m_refused;
    }

    /// @param index of a packet that Knows()  @return it
    const OdcnPassage& operator[](uint32_t index) const
    {
        return m_ring[index & m_mask];
    }

    /// @param index of a packet  @return whether it is remembered, and the one before it, too
    bool Knows(uint32_t index) const
    {
        return index < m_count &&
               (index == 0 ? m_count <= m_ring.size() && m_oldest == 0
                           : m_count - index < m_ring.size() && index > m_oldest);
    }

    /// @return number of packets so far
    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return when the last packet leaves, ps
    int64_t GetFree() const
    {
        return m_free;
    }

    /// @return index of the first packet of the last run
    uint32_t GetRunFirst() const
    {
        return m_runFirst;
    }

    /// @param first the last run began earlier: index of its first packet
    void SetRunFirst(uint32_t first)
    {
        m_runFirst = first;
    }

    /// @return transmission of the packets of the last run, ps
    int64_t GetRunTx() const
    {
        return m_runTx;
    }

    /// @return the next packet that the port behind has not been given; the caller's to count
    uint32_t& GetReleased()
    {
        return m_released;
    }

    /// @return the next packet that the port behind has not been given
    uint32_t GetReleased() const
    {
        return m_released;
    }

    /// @param index of a forgotten packet  @return its run; null if that is forgotten, too
    const OdcnPastRun* FindRun(uint32_t index) const;

    /**
     * The last run is to be remembered.
     * @return where to, with no steps if what led to it is yet to be told
     */
    OdcnPastRun& KeepRun();

  private:
    /// Packets at the beginning.
    static constexpr std::size_t LEAST = 16;
    /// Runs that are remembered.
    static constexpr std::size_t RUNS = 4;

    /// Make the ring larger.
    void MakeRoom();

    int64_t m_free{0};                  //!< departure of the last packet
    int64_t m_runTx{0};                 //!< transmission of the last packets
    std::vector<OdcnPassage> m_ring;    //!< the last packets; a power of 2
    uint32_t m_mask{0};                 //!< its size less 1
    uint32_t m_count{0};                //!< packets so far
    uint32_t m_oldest{0};               //!< packet that was remembered when the ring grew
    uint32_t m_released{0};             //!< see GetReleased()
    uint32_t m_runFirst{0};             //!< first packet of the last run
    std::vector<OdcnPastRun> m_runs;    //!< remembered
    std::vector<OdcnPassage> m_refused; //!< packets refused lately
};

/// Ports are numbered: network cards, ports to servers, uplinks.
struct OdcnPortNumbers
{
    uint32_t firstDownlink; //!< number of servers
    uint32_t firstUplink;   //!< twice that
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PORT_LOG_H */
