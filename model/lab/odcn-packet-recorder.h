// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_RECORDER_H
#define ODCN_PACKET_RECORDER_H

#include "ns3/ocs-drop-cause.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-fabric-model.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-latency-histogram.h"
#include "ns3/odcn-statistics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/// Verdict on the transient in a window's latencies.
enum class Steadiness : uint8_t
{
    UNKNOWN, //!< too few packets
    STEADY,  //!< no significant drift
    DRIFTING //!< the second half is slower or faster than the first
};

/// @param steadiness a verdict
/// @return "unknown", "steady" or "drifting"
const char* SteadinessName(Steadiness steadiness);

/// Packets of a scope, for example of those between racks, in a window or in all.
struct ScopePackets
{
    PacketCounts all;                           //!< packets sent in the window
    PacketCounts measured;                      //!< of them, those sent after the warm-up
    LatencyHistogram latency;                   //!< one-way latencies of measured packets
    Steadiness steadiness{Steadiness::UNKNOWN}; //!< whether the warm-up was long enough
    double drift{0}; //!< ratio of second to first half's mean latency, minus 1, or NaN

    /// @return whether the identities of both counts hold
    bool IsBalanced() const
    {
        return all.GetMissing() == 0 && measured.GetMissing() == 0;
    }
};

/// Measured packets of a job or request, in a window or in all.
struct JobPackets
{
    PacketCounts counts;    //!< by outcome
    uint64_t sumPs{0};      //!< one-way latencies of those received, summed
    uint64_t greatestPs{0}; //!< largest of these latencies
    uint32_t windows{0};    //!< windows in which the job had flows

    /// @param other packets of the same job in other windows
    void Add(const JobPackets& other);

    /// @return packets that did not arrive
    uint64_t GetLost() const
    {
        return counts.sent - counts.received;
    }

    /// @return mean latency in ns; NaN when none arrived
    double GetMeanNs() const;

    /// @return largest latency in ns; NaN when none arrived
    double GetGreatestNs() const;

    /// @param other packets of the same job
    /// @return whether they are equal
    bool operator==(const JobPackets& other) const = default;
};

/// Packets of a measurement window.
struct WindowPackets
{
    uint64_t startPs{0};                 //!< when it began
    uint64_t measureFromPs{0};           //!< when its warm-up ended
    uint64_t endPs{0};                   //!< when its sources stopped
    std::vector<ScopePackets> scopes;    //!< packets by scope
    std::map<uint64_t, JobPackets> jobs; //!< packets by job

    /// Packets that arrived or were dropped without being in flight (of another window, or counted
    /// twice), and packets sent under a key that was already in flight.
    uint64_t strays{0};
    /// Packets that the network itself reports in flight at the end, if available.
    std::optional<uint64_t> inNetwork;

    /// @return whether all identities hold, without strays, and inNetwork matches those in flight
    bool IsBalanced() const;
};

/**
 * @ingroup odcn
 *
 * Follows every packet of the measurement windows of a run from its sender to its arrival or loss,
 * and counts it by scope and job. Packets come from the traces of applications and devices
 * (Connect()), from an engine without events (Take()), or from calls of Sent(), Received() and
 * Dropped(). The recorder must outlive what it is connected to.
 *
 * Packets are identified by flow and sequence number (GetKey()). Windows follow each other and
 * never overlap. Times are arguments, in ps: the recorder does not depend on Simulator.
 *
 * A window is steady when the latency of its measured packets does not drift. The measured span is
 * divided into 32 slots by sending time. In a drifting window the means of the two halves differ by
 * more than 2 %, and by more than the variance and correlation of the slots of the second half
 * explain (99 % confidence). At least 5 packets per slot are needed, and slots longer than the
 * correlation time of a queue: in windows of a few hundred service times near saturation one
 * verdict in ten is due to chance. A single window shows only a strong transient; GetDrift()
 * combines all windows and shows a weak one too.
 */
class PacketRecorder : public OdcnPacketSink
{
  public:
    /// @param scopes number of scopes
    explicit PacketRecorder(uint32_t scopes = 1);

    /// Record what applications send and receive. @param applications traffic of the servers
    void Connect(const std::vector<Ptr<JobFlowApplication>>& applications);

    /// Record what a fabric loses. @param fabric the fabric
    void Connect(const Ptr<OcsFabric>& fabric);

    /**
     * Begin a window, without flows.
     * @param startPs when the sources start
     * @param measureFromPs end of the warm-up: packets sent from here on are measured
     * @param endPs when the sources stop
     * @throws OdcnError when a window is open, or the times do not ascend
     */
    void Open(uint64_t startPs, uint64_t measureFromPs, uint64_t endPs);

    /// Add the next flow of the open window, numbered from 0.
    /// @param scope its scope
    /// @param job its job, if packets are counted by job
    void AddFlow(uint32_t scope, std::optional<uint64_t> job = std::nullopt);

    /// @return flows of the open window so far
    std::size_t GetNFlows() const
    {
        return m_flows.size();
    }

    /// @param flow number of a flow
    /// @param sequence number of a packet in it
    /// @return its key
    static constexpr uint64_t GetKey(uint32_t flow, uint32_t sequence)
    {
        return uint64_t{flow} << 32 | sequence;
    }

    /**
     * A packet was sent.
     * @param key its key
     * @param nowPs the time
     * @throws OdcnError when no window is open, or it has no such flow
     */
    void Sent(uint64_t key, uint64_t nowPs);

    /**
     * A packet arrived at its receiver.
     * @param key its key
     * @param nowPs the time
     */
    void Received(uint64_t key, uint64_t nowPs);

    /**
     * A packet was lost.
     * @param key its key
     * @param cause the cause
     */
    void Dropped(uint64_t key, OcsDropCause cause);

    /// Packets of the open window have been sent, and received or lost.
    /// @param rack not used
    /// @param fates their outcomes
    void Take(RackId rack, std::span<const PacketFate> fates) override;

    /**
     * End a window. Packets still in flight are forgotten; those that end later are late or strays.
     * @param inNetwork packets that the network itself reports in flight, if available
     * @return the result, valid until the next Open()
     * @throws OdcnError when no window is open
     */
    const WindowPackets& Close(std::optional<uint64_t> inNetwork = std::nullopt);

    /// Pass the results of all closed windows to another process. @param parcel they are added to,
    /// or replaced from
    void Pass(Parcel& parcel);

    /// @return packets sent and neither received nor dropped so far
    uint64_t GetInFlight() const
    {
        return m_inFlight.size();
    }

    /// @return packets that arrived or were dropped while no window was open
    uint64_t GetLate() const
    {
        return m_late;
    }

    /// @return number of closed windows
    uint64_t GetWindows() const
    {
        return m_windows;
    }

    /// @return number of closed windows that were not balanced
    uint64_t GetUnbalancedWindows() const
    {
        return m_unbalanced;
    }

    /**
     * @param steadiness a verdict
     * @param scope a scope
     * @return number of windows with that verdict
     */
    uint64_t GetWindows(Steadiness steadiness, uint32_t scope) const
    {
        return m_overall[scope].verdicts[static_cast<std::size_t>(steadiness)];
    }

    /// @return measured packets of all windows, by job
    const std::map<uint64_t, JobPackets>& GetJobs() const
    {
        return m_jobs;
    }

    /// @param scope a scope
    /// @return counters and latencies of all windows
    const ScopePackets& GetTotal(uint32_t scope) const
    {
        return m_overall[scope].total;
    }

    /// @param scope a scope
    /// @return latencies of the measured packets of all windows
    const LatencyBatches& GetLatency(uint32_t scope) const
    {
        return m_overall[scope].latency;
    }

    /// @param scope a scope
    /// @return mean latency in ns, windows with arrivals as replications
    Estimate GetMeanOfWindows(uint32_t scope) const
    {
        return MeanOfReplications(m_overall[scope].means);
    }

    /**
     * @param scope a scope
     * @param confidence of the interval, between 0 and 1
     * @return loss ratio of the measured packets, windows as batches
     */
    Estimate GetLoss(uint32_t scope, double confidence = ODCN_CONFIDENCE) const;

    /**
     * Relative rise of the mean latency within a window: the bias that a longer warm-up would
     * remove is of this order.
     * @param scope a scope
     * @param confidence of the interval, between 0 and 1
     * @return ratio of second to first halves' mean latency, minus 1, windows as batches
     */
    Estimate GetDrift(uint32_t scope, double confidence = ODCN_CONFIDENCE) const;

  private:
    /// Number of slots of the drift test.
    static constexpr std::size_t SLOTS = 32;

    /// A packet in flight.
    struct Flight
    {
        uint64_t sentPs; //!< when it was sent
        uint32_t flow;   //!< its flow
    };

    /// A flow of the window.
    struct Flow
    {
        uint32_t scope;  //!< its scope
        JobPackets* job; //!< packets of its job; null if it has none
    };

    /// Sum and count of the latencies of a slot.
    struct Slot
    {
        double sumPs{0};   //!< sum of latencies
        uint64_t count{0}; //!< packets
    };

    /// All windows together.
    struct Overall
    {
        ScopePackets total;                 //!< sums of counters and latencies
        LatencyBatches latency;             //!< latencies
        std::vector<double> means;          //!< mean latency in ns, per window with arrivals
        std::vector<uint64_t> lost;         //!< measured packets lost, per window
        std::vector<uint64_t> measured;     //!< measured packets lost or received, per window
        std::vector<double> rise;           //!< (second half - first half) x packets, per window
        std::vector<double> base;           //!< first half x packets, per window
        std::array<uint64_t, 3> verdicts{}; //!< number of windows by Steadiness
    };

    /// Sink of JobFlowApplication's Tx. @param header flow header of a packet
    void SentByApplication(const FlowHeader& header);

    /// Sink of JobFlowApplication's Rx.
    /// @param header flow header
    /// @param delay its latency
    void ReceivedByApplication(const FlowHeader& header, Time delay);

    /// A device or a switch lost a packet.
    /// @param packet with IPv4 header
    /// @param cause why
    void Lost(Ptr<const Packet> packet, OcsDropCause cause);

    /**
     * Remove a packet from those in flight; one that is not in flight is late or a stray.
     * @param key its key
     * @return its record, if it was in flight
     */
    std::optional<Flight> Land(uint64_t key);

    /// Count a packet wherever it belongs. @param flight its record
    /// @param count adds it to a PacketCounts
    template <typename F>
    void Count(const Flight& flight, F&& count);

    /// A packet was received.
    /// @param flight its record
    /// @param nowPs when it arrived
    void CountReceived(const Flight& flight, uint64_t nowPs);

    /// Run the drift test on the open window. @param scope a scope
    void JudgeDrift(std::size_t scope);

    bool m_open{false};                              //!< whether a window is open
    WindowPackets m_window;                          //!< the open or last window
    std::vector<Flow> m_flows;                       //!< its flows
    std::unordered_map<uint64_t, Flight> m_inFlight; //!< packets in flight
    /// Nodes of packets that have ended, for reuse: one allocation per packet is expensive.
    std::vector<std::unordered_map<uint64_t, Flight>::node_type> m_spare;
    std::vector<std::array<Slot, SLOTS>> m_slots; //!< slots by scope, open window
    std::vector<Overall> m_overall;               //!< sums of all windows, by scope
    std::map<uint64_t, JobPackets> m_jobs;        //!< sums of all windows, by job
    uint64_t m_windows{0};                        //!< windows closed
    uint64_t m_late{0};                           //!< packets that ended between windows
    uint64_t m_unbalanced{0};                     //!< closed windows that were not balanced
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_RECORDER_H */
