// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_MONITOR_H
#define ODCN_WINDOW_MONITOR_H

#include "ns3/odcn-latency-batches.h"
#include "ns3/odcn-latency-histogram.h"
#include "ns3/odcn-statistics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/// Destination scope of a packet.
enum class OdcnScope : uint8_t
{
    INTER_RACK, //!< to another rack, through the optical switches
    INTRA_RACK  //!< to another server of its rack
};

/// Number of scopes.
constexpr std::size_t ODCN_SCOPES = 2;

/// @param scope a scope  @return "inter-rack" or "intra-rack"
const char* OdcnScopeName(OdcnScope scope);

/// Verdict on the transient in a window's latencies.
enum class Steadiness : uint8_t
{
    UNKNOWN, //!< too few packets
    STEADY,  //!< no significant drift
    DRIFTING //!< the second half is slower or faster than the first
};

/// @param steadiness a verdict  @return "unknown", "steady" or "drifting"
const char* SteadinessName(Steadiness steadiness);

/**
 * @ingroup odcn
 *
 * Result of one window in one scope.
 *
 * Identities: sent = received + dropped (all causes) + in flight, and the same for the measured
 * packets, which are those sent after the end of the warm-up.
 */
struct OdcnScopeResult
{
    uint64_t sent{0};                        //!< packets sent
    uint64_t received{0};                    //!< sent packets that arrived
    std::map<std::string, uint64_t> dropped; //!< lost packets by cause
    uint64_t inFlight{0};                    //!< sent packets in flight when the window closed

    uint64_t measuredSent{0};     //!< packets sent after the warm-up
    uint64_t measuredReceived{0}; //!< measured packets that arrived
    uint64_t measuredDropped{0};  //!< measured packets that were lost
    uint64_t measuredInFlight{0}; //!< measured packets in flight when the window closed

    double meanNs{0}; //!< mean one-way latency of measured packets; NaN when none arrived
    double p50Ns{0};  //!< median
    double p99Ns{0};  //!< 99 % quantile
    double p999Ns{0}; //!< 99.9 % quantile
    double maxNs{0};  //!< maximum

    Steadiness steadiness{Steadiness::UNKNOWN}; //!< whether the warm-up was long enough
    double drift{0}; //!< ratio of second to first half's mean latency, minus 1, or NaN

    /// @return lost packets of all causes
    uint64_t GetDropped() const;

    /// @return whether both identities hold
    bool IsBalanced() const;
};

/**
 * @ingroup odcn
 *
 * Result of one window in both scopes.
 */
struct OdcnWindowResult
{
    uint64_t index{0};                               //!< number of the window, from 0
    uint64_t startPs{0};                             //!< when it began
    uint64_t measureFromPs{0};                       //!< when its warm-up ended
    uint64_t endPs{0};                               //!< when its sources stopped
    std::array<OdcnScopeResult, ODCN_SCOPES> scopes; //!< results by OdcnScope

    /// Packets that arrived or were dropped without being in flight (of another window, or counted
    /// twice), and packets sent under a key that was already in flight.
    uint64_t strays{0};
    /// Packets that the network itself reports in flight at the end, if available.
    std::optional<uint64_t> inNetwork;

    /// @param scope a scope  @return its result
    const OdcnScopeResult& operator[](OdcnScope scope) const
    {
        return scopes[static_cast<std::size_t>(scope)];
    }

    /// @return whether all identities hold, without strays, and inNetwork matches those in flight
    bool IsBalanced() const;
};

/**
 * @ingroup odcn
 *
 * Follows every packet of the measurement windows from its sender to its arrival or loss.
 *
 * Packets are identified by a key that is unique among those in flight (flow and sequence number,
 * or the packet's uid). Windows follow each other and never overlap. Times are arguments, in ps:
 * the monitor does not depend on Simulator.
 *
 * A window is steady when the latency of its measured packets does not drift. The measured span is
 * divided into 32 slots by sending time. In a drifting window the means of the two halves differ by
 * more than 2 %, and by more than the variance and correlation of the slots of the second half
 * explain (99 % confidence). At least 5 packets per slot are needed, and slots longer than the
 * correlation time of a queue: in windows of a few hundred service times near saturation one
 * verdict in ten is due to chance. A single window shows only a strong transient; GetDrift()
 * combines all windows and shows a weak one too.
 */
class OdcnWindowMonitor
{
  public:
    /**
     * Begin a window.
     * @param startPs when the sources start
     * @param measureFromPs end of the warm-up: packets sent from here on are measured
     * @param endPs when the sources stop
     * @throws OdcnError when a window is open, or the times do not ascend
     */
    void Open(uint64_t startPs, uint64_t measureFromPs, uint64_t endPs);

    /**
     * A packet was sent.
     * @param key its key  @param scope its scope  @param nowPs the time
     */
    void Sent(uint64_t key, OdcnScope scope, uint64_t nowPs);

    /**
     * A packet arrived at its receiver.
     * @param key its key  @param nowPs the time
     */
    void Received(uint64_t key, uint64_t nowPs);

    /**
     * A packet was lost.
     * @param key its key  @param cause name of the cause
     */
    void Dropped(uint64_t key, std::string_view cause);

    /**
     * A packet was sent and arrived: Sent() and Received() in one call, for engines without events.
     * @param scope its scope  @param sentPs when it was sent  @param nowPs when it arrived
     */
    void Passed(OdcnScope scope, uint64_t sentPs, uint64_t nowPs);

    /**
     * A packet was sent and lost: Sent() and Dropped() in one call.
     * @param scope its scope  @param sentPs when it was sent  @param cause name of the cause
     */
    void Lost(OdcnScope scope, uint64_t sentPs, std::string_view cause);

    /**
     * End a window. Packets still in flight are forgotten; those that end later are late or strays.
     * @param inNetwork packets that the network itself reports in flight, if available
     * @return the result, valid until the next Open()
     * @throws OdcnError when no window is open
     */
    const OdcnWindowResult& Close(std::optional<uint64_t> inNetwork = std::nullopt);

    /// @return whether a window is open
    bool IsOpen() const;

    /// @return packets sent and neither received nor dropped so far
    uint64_t GetInFlight() const;

    /// @return packets that arrived or were dropped while no window was open
    uint64_t GetLate() const;

    /// @return number of closed windows
    uint64_t GetWindows() const;

    /// @return number of closed windows that were not balanced
    uint64_t GetUnbalancedWindows() const;

    /**
     * @param steadiness a verdict  @param scope a scope
     * @return number of windows with that verdict
     */
    uint64_t GetWindows(Steadiness steadiness, OdcnScope scope) const;

    /// @param scope a scope  @return counters summed over all windows, latencies of all packets
    OdcnScopeResult GetTotal(OdcnScope scope) const;

    /// @param scope a scope  @return latencies of the measured packets of all windows
    const LatencyBatches& GetLatency(OdcnScope scope) const;

    /**
     * @param scope a scope
     * @param confidence of the interval, between 0 and 1
     * @return loss ratio of the measured packets, windows as batches
     */
    Estimate GetLoss(OdcnScope scope, double confidence = ODCN_CONFIDENCE) const;

    /**
     * Relative rise of the mean latency within a window: the bias that a longer warm-up would
     * remove is of this order.
     * @param scope a scope
     * @param confidence of the interval, between 0 and 1
     * @return ratio of second to first halves' mean latency, minus 1, windows as batches
     */
    Estimate GetDrift(OdcnScope scope, double confidence = ODCN_CONFIDENCE) const;

  private:
    /// Number of slots of the drift test.
    static constexpr std::size_t SLOTS = 32;

    /// A packet in flight.
    struct Flight
    {
        uint64_t sentPs; //!< when it was sent
        OdcnScope scope; //!< its scope
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
        OdcnScopeResult total;              //!< sums of the counters
        LatencyBatches latency;             //!< latencies
        std::vector<uint64_t> lost;         //!< measured packets lost, per window
        std::vector<uint64_t> measured;     //!< measured packets lost or received, per window
        std::vector<double> rise;           //!< (second half - first half) x packets, per window
        std::vector<double> base;           //!< first half x packets, per window
        std::array<uint64_t, 3> verdicts{}; //!< number of windows by Steadiness
    };

    /**
     * Remove a packet from those in flight; one that is not in flight is late or a stray.
     * @param key its key  @param [out] flight its record
     * @return whether it was in flight
     */
    bool Land(uint64_t key, Flight& flight);

    /// A packet was received. @param flight its record  @param nowPs when it arrived
    void CountReceived(const Flight& flight, uint64_t nowPs);

    /// A packet was lost. @param flight its record  @param cause name of the cause
    void CountDropped(const Flight& flight, std::string_view cause);

    /// A packet was sent. @param flight its record
    void CountSent(const Flight& flight);

    /// @param scope a scope  @return its result in the open window
    OdcnScopeResult& At(OdcnScope scope)
    {
        return m_result.scopes[static_cast<std::size_t>(scope)];
    }

    /// Run the drift test on the open window. @param scope index of the scope
    void JudgeDrift(std::size_t scope);

    bool m_open{false};                              //!< whether a window is open
    OdcnWindowResult m_result;                       //!< the open or last window
    std::unordered_map<uint64_t, Flight> m_inFlight; //!< packets in flight
    /// Nodes of packets that have ended, for reuse: one allocation per packet is expensive.
    std::vector<std::unordered_map<uint64_t, Flight>::node_type> m_spare;
    std::array<LatencyHistogram, ODCN_SCOPES> m_latency;      //!< latencies, open window
    std::array<std::array<Slot, SLOTS>, ODCN_SCOPES> m_slots; //!< slots, open window
    std::array<Overall, ODCN_SCOPES> m_overall;               //!< sums of all windows
    uint64_t m_windows{0};                                    //!< windows closed
    uint64_t m_late{0};       //!< packets that ended between windows
    uint64_t m_unbalanced{0}; //!< closed windows that were not balanced
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_MONITOR_H */
