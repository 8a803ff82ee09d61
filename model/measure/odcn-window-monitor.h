// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_MONITOR_H
#define ODCN_WINDOW_MONITOR_H

#include "odcn-latency-batches.h"
#include "odcn-statistics.h"

#include "ns3/odcn-latency-histogram.h"

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

/// Where a packet goes.
enum class OdcnScope : uint8_t
{
    INTER_RACK, //!< to another rack, through the optical switches
    INTRA_RACK  //!< to another server of its rack
};

/// How many scopes there are.
constexpr std::size_t ODCN_SCOPES = 2;

/// @param scope a scope  @return "inter-rack" or "intra-rack"
const char* OdcnScopeName(OdcnScope scope);

/// What a window's latencies tell of the start-up.
enum class Steadiness : uint8_t
{
    UNKNOWN, //!< too few packets to tell
    STEADY,  //!< no drift to be seen
    DRIFTING //!< the second half is slower or faster than the first
};

/// @param steadiness a verdict  @return "unknown", "steady" or "drifting"
const char* SteadinessName(Steadiness steadiness);

/**
 * @ingroup odcn
 *
 * What one window showed in one scope.
 *
 * Identities: sent = received + dropped by cause + in flight; the same of what was measured, which
 * are the packets sent from the end of the warm-up on.
 */
struct OdcnScopeResult
{
    uint64_t sent{0};                        //!< packets sent
    uint64_t received{0};                    //!< of these, packets that arrived
    std::map<std::string, uint64_t> dropped; //!< of these, lost packets by cause
    uint64_t inFlight{0};                    //!< of these, under way when the window was closed

    uint64_t measuredSent{0};     //!< packets sent after the warm-up
    uint64_t measuredReceived{0}; //!< of these, packets that arrived
    uint64_t measuredDropped{0};  //!< of these, lost packets
    uint64_t measuredInFlight{0}; //!< of these, under way when the window was closed

    double meanNs{0}; //!< mean one-way latency of measured packets; NaN when none arrived
    double p50Ns{0};  //!< median
    double p99Ns{0};  //!< 99 % quantile
    double p999Ns{0}; //!< 99.9 % quantile
    double maxNs{0};  //!< greatest

    Steadiness steadiness{Steadiness::UNKNOWN}; //!< whether the warm-up was long enough
    double drift{0}; //!< mean latency of the second half over that of the first, less 1, or NaN

    /// @return lost packets, for whatever cause
    uint64_t GetDropped() const;

    /// @return whether both identities hold
    bool IsBalanced() const;
};

/**
 * @ingroup odcn
 *
 * What one window showed.
 */
struct OdcnWindowResult
{
    uint64_t index{0};                               //!< number of the window, from 0
    uint64_t startPs{0};                             //!< when it began
    uint64_t measureFromPs{0};                       //!< when its warm-up ended
    uint64_t endPs{0};                               //!< when its sources stopped
    std::array<OdcnScopeResult, ODCN_SCOPES> scopes; //!< results by OdcnScope

    /// Packets that arrived or were dropped though they were not under way: of another window, or
    /// counted twice. And packets sent under a number that was under way.
    uint64_t strays{0};
    /// Packets that the network itself still held at the end, if it was asked.
    std::optional<uint64_t> inNetwork;

    /// @param scope which  @return its result
    const OdcnScopeResult& operator[](OdcnScope scope) const
    {
        return scopes[static_cast<std::size_t>(scope)];
    }

    /// @return whether all identities hold, nothing strayed, and the network holds what is missing
    bool IsBalanced() const;
};

/**
 * @ingroup odcn
 *
 * Follows every packet of the measurement windows from its sender to where it ends.
 *
 * Packets are known by a number that is unique among those under way (flow and sequence number, or
 * the packet's uid). Windows follow each other and never overlap. Times are in ps and come as
 * arguments: the monitor knows no Simulator.
 *
 * A window counts as steady when the latency of its measured packets does not drift. The measured
 * span is cut into 32 slots by time of sending. In a drifting window the two halves differ by more
 * than 2 %, and by more than the slots of the second half and their correlation explain (99 %). At
 * least 5 packets a slot are needed, and slots longer than a queue remembers: in windows of a few
 * hundred services near saturation one verdict in ten is chance. One window alone sees only a
 * strong start-up; GetDrift() looks at all windows together and sees a weak one too.
 */
class OdcnWindowMonitor
{
  public:
    /**
     * Begin a window.
     * @param startPs when the sources start
     * @param measureFromPs end of the warm-up: packets sent from here on are measured
     * @param endPs when the sources stop
     * @throws OdcnError when one is open, or the times do not ascend
     */
    void Open(uint64_t startPs, uint64_t measureFromPs, uint64_t endPs);

    /**
     * A packet was sent.
     * @param key its number  @param scope where it goes  @param nowPs the time
     */
    void Sent(uint64_t key, OdcnScope scope, uint64_t nowPs);

    /**
     * A packet arrived at its receiver.
     * @param key its number  @param nowPs the time
     */
    void Received(uint64_t key, uint64_t nowPs);

    /**
     * A packet was lost.
     * @param key its number  @param cause name of the cause
     */
    void Dropped(uint64_t key, std::string_view cause);

    /**
     * A packet was sent and arrived at its receiver: both in one, for who knows its end beforehand.
     * @param scope where it went  @param sentPs when it was sent  @param nowPs when it arrived
     */
    void Passed(OdcnScope scope, uint64_t sentPs, uint64_t nowPs);

    /**
     * A packet was sent and lost: both in one.
     * @param scope where it was to go  @param sentPs when it was sent  @param cause name of the
     * cause
     */
    void Lost(OdcnScope scope, uint64_t sentPs, std::string_view cause);

    /**
     * End a window. What is still under way is forgotten, and a stray if it turns up later.
     * @param inNetwork how many packets the network itself counts, when it can be asked
     * @return the result, valid until the next Open()
     * @throws OdcnError when none is open
     */
    const OdcnWindowResult& Close(std::optional<uint64_t> inNetwork = std::nullopt);

    /// @return whether a window is open
    bool IsOpen() const;

    /// @return packets sent and neither received nor dropped so far
    uint64_t GetInFlight() const;

    /// @return packets that arrived or were dropped while no window was open
    uint64_t GetLate() const;

    /// @return windows closed
    uint64_t GetWindows() const;

    /// @return windows closed whose identities did not all hold
    uint64_t GetUnbalancedWindows() const;

    /**
     * @param steadiness a verdict  @param scope which
     * @return windows with that verdict
     */
    uint64_t GetWindows(Steadiness steadiness, OdcnScope scope) const;

    /// @return results summed over all windows  @param scope which; latencies over all packets
    OdcnScopeResult GetTotal(OdcnScope scope) const;

    /// @param scope which  @return latencies of the measured packets of all windows
    const LatencyBatches& GetLatency(OdcnScope scope) const;

    /**
     * @param scope which
     * @param confidence of the interval, between 0 and 1
     * @return share of the measured packets that was lost, windows as batches
     */
    Estimate GetLoss(OdcnScope scope, double confidence = ODCN_CONFIDENCE) const;

    /**
     * By how much the mean latency still rises within a window: the bias that a longer warm-up
     * would take away is of this order.
     * @param scope which
     * @param confidence of the interval, between 0 and 1
     * @return mean latency of the second halves over that of the first, less 1, windows as batches
     */
    Estimate GetDrift(OdcnScope scope, double confidence = ODCN_CONFIDENCE) const;

  private:
    /// Slots of the test for drift.
    static constexpr std::size_t SLOTS = 32;

    /// A packet under way.
    struct Flight
    {
        uint64_t sentPs; //!< when it was sent
        OdcnScope scope; //!< where it goes
    };

    /// Sum and count of the latencies of a slot.
    struct Slot
    {
        double sumPs{0};   //!< latencies summed
        uint64_t count{0}; //!< packets
    };

    /// All windows together.
    struct Overall
    {
        OdcnScopeResult total;          //!< counters summed
        LatencyBatches latency;         //!< latencies
        std::vector<uint64_t> lost;     //!< measured packets lost, a window
        std::vector<uint64_t> measured; //!< measured packets lost or received, a window
        std::vector<double> rise;       //!< second half less first half, times packets, a window
        std::vector<double> base;       //!< first half times packets, a window
        std::array<uint64_t, 3> verdicts{}; //!< windows by Steadiness
    };

    /**
     * Take a packet out of those under way; one that is not counts as a stray.
     * @param key its number  @param [out] flight what is known of it
     * @return whether it was under way
     */
    bool Land(uint64_t key, Flight& flight);

    /// A packet ended well. @param flight what is known of it  @param nowPs when it arrived
    void CountReceived(const Flight& flight, uint64_t nowPs);

    /// A packet was lost. @param flight what is known of it  @param cause name of the cause
    void CountDropped(const Flight& flight, std::string_view cause);

    /// A packet was sent. @param flight what is known of it
    void CountSent(const Flight& flight);

    /// @param scope which  @return result of the open window there
    OdcnScopeResult& At(OdcnScope scope)
    {
        return m_result.scopes[static_cast<std::size_t>(scope)];
    }

    /// Judge a scope of the open window. @param scope its index
    void JudgeDrift(std::size_t scope);

    bool m_open{false};                              //!< whether a window is open
    OdcnWindowResult m_result;                       //!< the open or last window
    std::unordered_map<uint64_t, Flight> m_inFlight; //!< packets under way
    /// Nodes of packets that have landed, for the next ones: an allocation a packet is dear.
    std::vector<std::unordered_map<uint64_t, Flight>::node_type> m_spare;
    std::array<LatencyHistogram, ODCN_SCOPES> m_latency;      //!< of the open window
    std::array<std::array<Slot, SLOTS>, ODCN_SCOPES> m_slots; //!< of the open window
    std::array<Overall, ODCN_SCOPES> m_overall;               //!< of all windows
    uint64_t m_windows{0};                                    //!< windows closed
    uint64_t m_late{0};       //!< packets that ended between windows
    uint64_t m_unbalanced{0}; //!< of these, unbalanced
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_MONITOR_H */
