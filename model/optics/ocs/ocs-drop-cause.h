// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_DROP_CAUSE_H
#define OCS_DROP_CAUSE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Cause of a packet loss in an optical network. Every loss has exactly one cause.
 */
enum class OcsDropCause : uint8_t
{
    DARK,           //!< the circuit is being reconfigured (dark time)
    NO_CIRCUIT,     //!< no circuit leads to its destination
    PORT_FAILED,    //!< a port on its path has failed
    CUT,            //!< its circuit was torn down during transmission
    QUEUE_OVERFLOW, //!< the queue of the port is full
    MISROUTED,      //!< not addressed to this node, or not an IP packet
    FIBER_CUT,      //!< a fibre on its path is cut
    REBOOT,         //!< it waited in a switch that restarts
};

/// Number of causes.
constexpr std::size_t OCS_DROP_CAUSES = 8;

/**
 * @param cause a drop cause
 * @return "dark", "no-circuit", "port-failed", "cut", "queue-overflow", "misrouted", "fiber-cut" or
 * "reboot"
 */
const char* OcsDropCauseName(OcsDropCause cause);

/// @param cause a cause  @return name of its column in files of packets, e.g. dropped_no_circuit
std::string OcsDropCauseColumn(OcsDropCause cause);

/**
 * @param os stream
 * @param cause a drop cause
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, OcsDropCause cause);

/**
 * @ingroup odcn
 *
 * Lost packets by cause.
 */
struct OcsDropCounts
{
    /// Packets lost, indexed by OcsDropCause.
    std::array<uint64_t, OCS_DROP_CAUSES> packets{};

    /// @param cause a drop cause  @return the counter of that cause
    uint64_t& operator[](OcsDropCause cause)
    {
        return packets[static_cast<std::size_t>(cause)];
    }

    /// @param cause a drop cause  @return the counter of that cause
    uint64_t operator[](OcsDropCause cause) const
    {
        return packets[static_cast<std::size_t>(cause)];
    }

    /// @param o counts to add  @return this
    OcsDropCounts& operator+=(const OcsDropCounts& o)
    {
        for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
        {
            packets[i] += o.packets[i];
        }
        return *this;
    }

    /// @return lost packets of all causes
    uint64_t Total() const
    {
        uint64_t sum = 0;
        for (uint64_t n : packets)
        {
            sum += n;
        }
        return sum;
    }

    /// @param o other counts
    /// @return whether they are equal
    bool operator==(const OcsDropCounts& o) const = default;
};

/**
 * @ingroup odcn
 *
 * Packets of a network or of a part of them, by outcome. Invariant: sent + came + controlSent =
 * received + left + controlReceived + inFlight + dropped.
 */
struct PacketCounts
{
    uint64_t sent{0};      //!< packets that senders handed to their network cards or transponders
    uint64_t received{0};  //!< packets handed to their receivers
    uint64_t inFlight{0};  //!< packets in queues, on fibres and in switches
    OcsDropCounts dropped; //!< packets lost anywhere, by cause
    /// Control packets that ToR switches sent, of routings with messages of their own
    /// (RotorLbRouting); those in flight or lost are part of inFlight and dropped.
    uint64_t controlSent{0};
    uint64_t controlReceived{0}; //!< control packets that ToR switches received
    uint64_t left{0};            //!< packets that gateways handed to lightpaths
    uint64_t came{0};            //!< packets that gateways received from lightpaths

    /// @param o counts to add
    /// @return this
    PacketCounts& operator+=(const PacketCounts& o)
    {
        sent += o.sent;
        received += o.received;
        inFlight += o.inFlight;
        dropped += o.dropped;
        controlSent += o.controlSent;
        controlReceived += o.controlReceived;
        left += o.left;
        came += o.came;
        return *this;
    }

    /// @return packets unaccounted for (invariant: 0)
    int64_t GetMissing() const
    {
        return static_cast<int64_t>(sent + came + controlSent - received - left - controlReceived -
                                    inFlight - dropped.Total());
    }

    /// @param o other counts
    /// @return whether they are equal
    bool operator==(const PacketCounts& o) const = default;
};

/**
 * @param os stream
 * @param counts lost packets
 * @return the stream, after "135 dropped, dark: 1, cut: 134": all, and those of each cause
 */
std::ostream& operator<<(std::ostream& os, const OcsDropCounts& counts);

} // namespace ns3::odcn

#endif /* OCS_DROP_CAUSE_H */
