// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-window-monitor.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Confidence of the drift test, and the relative drift that is tolerated.
constexpr double DRIFT_CONFIDENCE = 0.99;
constexpr double DRIFT_TOLERANCE = 0.02;
/// Least number of packets per slot of the drift test.
constexpr uint64_t DRIFT_PACKETS = 5;

/// @param latency measured latencies  @param [out] result receives their summary
void
Summarize(const LatencyHistogram& latency, OdcnScopeResult& result)
{
    result.meanNs = latency.GetMeanNs();
    result.p50Ns = latency.GetQuantileNs(0.5);
    result.p99Ns = latency.GetQuantileNs(0.99);
    result.p999Ns = latency.GetQuantileNs(0.999);
    result.maxNs = latency.GetMaxNs();
}

} // namespace

const char*
OdcnScopeName(OdcnScope scope)
{
    return scope == OdcnScope::INTER_RACK ? "inter-rack" : "intra-rack";
}

const char*
SteadinessName(Steadiness steadiness)
{
    switch (steadiness)
    {
    case Steadiness::STEADY:
        return "steady";
    case Steadiness::DRIFTING:
        return "drifting";
    case Steadiness::UNKNOWN:
        break;
    }
    return "unknown";
}

uint64_t
OdcnScopeResult::GetDropped() const
{
    uint64_t sum = 0;
    for (const auto& [cause, count] : dropped)
    {
        sum += count;
    }
    return sum;
}

bool
OdcnScopeResult::IsBalanced() const
{
    return sent == received + GetDropped() + inFlight &&
           measuredSent == measuredReceived + measuredDropped + measuredInFlight;
}

bool
OdcnWindowResult::IsBalanced() const
{
    uint64_t missing = 0;
    for (const auto& scope : scopes)
    {
        if (!scope.IsBalanced())
        {
            return false;
        }
        missing += scope.inFlight;
    }
    return strays == 0 && inNetwork.value_or(missing) == missing;
}

void
OdcnWindowMonitor::Open(uint64_t startPs, uint64_t measureFromPs, uint64_t endPs)
{
    if (m_open)
    {
        throw OdcnError("a measurement window begins before the last one was closed");
    }
    if (!(startPs <= measureFromPs && measureFromPs < endPs))
    {
        throw OdcnError::InOption("measurement window",
                                  std::to_string(startPs) + ", " + std::to_string(measureFromPs) +
                                      ", " + std::to_string(endPs) + " ps",
                                  "start, end of the warm-up and end in ascending order");
    }
    m_open = true;
    m_result = OdcnWindowResult();
    m_result.index = m_windows;
    m_result.startPs = startPs;
    m_result.measureFromPs = measureFromPs;
    m_result.endPs = endPs;
    for (auto& histogram : m_latency)
    {
        histogram.Clear();
    }
    m_slots = {};
}

void
OdcnWindowMonitor::CountSent(const Flight& flight)
{
    if (!m_open)
    {
        throw OdcnError("a packet is sent while no measurement window is open");
    }
    OdcnScopeResult& result = At(flight.scope);
    ++result.sent;
    result.measuredSent += flight.sentPs >= m_result.measureFromPs;
}

void
OdcnWindowMonitor::Sent(uint64_t key, OdcnScope scope, uint64_t nowPs)
{
    CountSent({nowPs, scope});
    bool isNew = false;
    if (m_spare.empty())
    {
        isNew = m_inFlight.try_emplace(key, Flight{nowPs, scope}).second;
    }
    else
    {
        auto node = std::move(m_spare.back());
        m_spare.pop_back();
        node.key() = key;
        node.mapped() = Flight{nowPs, scope};
        isNew = m_inFlight.insert(std::move(node)).inserted;
    }
    m_result.strays += !isNew;
}

bool
OdcnWindowMonitor::Land(uint64_t key, Flight& flight)
{
    const auto found = m_inFlight.find(key);
    if (found == m_inFlight.end())
    {
        ++(m_open ? m_result.strays : m_late);
        return false;
    }
    flight = found->second;
    m_spare.push_back(m_inFlight.extract(found));
    return true;
}

void
OdcnWindowMonitor::Received(uint64_t key, uint64_t nowPs)
{
    Flight flight{};
    if (Land(key, flight))
    {
        CountReceived(flight, nowPs);
    }
}

void
OdcnWindowMonitor::CountReceived(const Flight& flight, uint64_t nowPs)
{
    OdcnScopeResult& result = At(flight.scope);
    ++result.received;
    if (flight.sentPs < m_result.measureFromPs)
    {
        return;
    }
    ++result.measuredReceived;
    const uint64_t latency = nowPs - flight.sentPs;
    const auto scope = static_cast<std::size_t>(flight.scope);
    m_latency[scope].Add(latency);
    const uint64_t since = flight.sentPs - m_result.measureFromPs;
    const uint64_t span = m_result.endPs - m_result.measureFromPs;
    const auto slot =
        static_cast<std::size_t>(static_cast<double>(since) / static_cast<double>(span) * SLOTS);
    Slot& s = m_slots[scope][std::min(slot, SLOTS - 1)];
    s.sumPs += static_cast<double>(latency);
    ++s.count;
}

void
OdcnWindowMonitor::Dropped(uint64_t key, std::string_view cause)
{
    Flight flight{};
    if (Land(key, flight))
    {
        CountDropped(flight, cause);
    }
}

void
OdcnWindowMonitor::CountDropped(const Flight& flight, std::string_view cause)
{
    OdcnScopeResult& result = At(flight.scope);
    ++result.dropped[std::string(cause)];
    result.measuredDropped += flight.sentPs >= m_result.measureFromPs;
}

void
OdcnWindowMonitor::Passed(OdcnScope scope, uint64_t sentPs, uint64_t nowPs)
{
    CountSent({sentPs, scope});
    CountReceived({sentPs, scope}, nowPs);
}

void
OdcnWindowMonitor::Lost(OdcnScope scope, uint64_t sentPs, std::string_view cause)
{
    CountSent({sentPs, scope});
    CountDropped({sentPs, scope}, cause);
}

void
OdcnWindowMonitor::JudgeDrift(std::size_t scope)
{
    OdcnScopeResult& result = m_result.scopes[scope];
    std::vector<double> slots;
    std::array<Slot, 2> halves;
    uint64_t fewest = UINT64_MAX;
    for (std::size_t i = 0; i < SLOTS; ++i)
    {
        const Slot& s = m_slots[scope][i];
        fewest = std::min(fewest, s.count);
        slots.push_back(s.sumPs / static_cast<double>(s.count));
        Slot& half = halves[2 * i / SLOTS];
        half.sumPs += s.sumPs;
        half.count += s.count;
    }
    // NaN where a half is empty.
    const double first = halves[0].sumPs / static_cast<double>(halves[0].count);
    const double second = halves[1].sumPs / static_cast<double>(halves[1].count);
    result.drift = second / first - 1;
    if (halves[0].count > 0 && halves[1].count > 0)
    {
        Overall& overall = m_overall[scope];
        const auto packets = static_cast<double>(halves[0].count + halves[1].count);
        overall.rise.push_back((second - first) * packets);
        overall.base.push_back(first * packets);
    }
    if (fewest < DRIFT_PACKETS)
    {
        return;
    }
    // A transient affects the first half: estimate the noise of a half from the second.
    slots.erase(slots.begin(), slots.begin() + SLOTS / 2);
    const auto n = static_cast<double>(slots.size());
    const double plain = MeanOfReplications(slots, DRIFT_CONFIDENCE).GetHalfWidth();
    // Correct the bias of the correlation estimated from a short series (Kendall).
    const double seen = Lag1Correlation(slots);
    const double r = std::clamp(seen + (1 + 3 * seen) / n, 0.0, 0.95);
    const double noise = plain * std::sqrt(2 * (1 + r) / (1 - r));
    const bool drifting =
        std::abs(second - first) > noise && std::abs(result.drift) > DRIFT_TOLERANCE;
    result.steadiness = drifting ? Steadiness::DRIFTING : Steadiness::STEADY;
}

const OdcnWindowResult&
OdcnWindowMonitor::Close(std::optional<uint64_t> inNetwork)
{
    if (!m_open)
    {
        throw OdcnError("a measurement window is closed that was never opened");
    }
    m_open = false;
    m_result.inNetwork = inNetwork;
    for (const auto& [key, flight] : m_inFlight)
    {
        ++At(flight.scope).inFlight;
        At(flight.scope).measuredInFlight += flight.sentPs >= m_result.measureFromPs;
    }
    m_inFlight.clear();
    for (std::size_t i = 0; i < ODCN_SCOPES; ++i)
    {
        OdcnScopeResult& result = m_result.scopes[i];
        Overall& overall = m_overall[i];
        Summarize(m_latency[i], result);
        JudgeDrift(i);
        overall.latency.Add(m_latency[i]);
        overall.lost.push_back(result.measuredDropped);
        overall.measured.push_back(result.measuredDropped + result.measuredReceived);
        ++overall.verdicts[static_cast<std::size_t>(result.steadiness)];
        OdcnScopeResult& total = overall.total;
        total.sent += result.sent;
        total.received += result.received;
        total.inFlight += result.inFlight;
        total.measuredSent += result.measuredSent;
        total.measuredReceived += result.measuredReceived;
        total.measuredDropped += result.measuredDropped;
        total.measuredInFlight += result.measuredInFlight;
        for (const auto& [cause, count] : result.dropped)
        {
            total.dropped[cause] += count;
        }
    }
    ++m_windows;
    m_unbalanced += !m_result.IsBalanced();
    return m_result;
}

bool
OdcnWindowMonitor::IsOpen() const
{
    return m_open;
}

uint64_t
OdcnWindowMonitor::GetInFlight() const
{
    return m_inFlight.size();
}

uint64_t
OdcnWindowMonitor::GetLate() const
{
    return m_late;
}

uint64_t
OdcnWindowMonitor::GetWindows() const
{
    return m_windows;
}

uint64_t
OdcnWindowMonitor::GetUnbalancedWindows() const
{
    return m_unbalanced;
}

uint64_t
OdcnWindowMonitor::GetWindows(Steadiness steadiness, OdcnScope scope) const
{
    return m_overall[static_cast<std::size_t>(scope)]
        .verdicts[static_cast<std::size_t>(steadiness)];
}

OdcnScopeResult
OdcnWindowMonitor::GetTotal(OdcnScope scope) const
{
    const Overall& overall = m_overall[static_cast<std::size_t>(scope)];
    OdcnScopeResult total = overall.total;
    Summarize(overall.latency.GetAll(), total);
    total.drift = std::nan("");
    return total;
}

const LatencyBatches&
OdcnWindowMonitor::GetLatency(OdcnScope scope) const
{
    return m_overall[static_cast<std::size_t>(scope)].latency;
}

Estimate
OdcnWindowMonitor::GetLoss(OdcnScope scope, double confidence) const
{
    const Overall& overall = m_overall[static_cast<std::size_t>(scope)];
    return ProportionOfBatches(overall.lost, overall.measured, confidence);
}

Estimate
OdcnWindowMonitor::GetDrift(OdcnScope scope, double confidence) const
{
    const Overall& overall = m_overall[static_cast<std::size_t>(scope)];
    return RatioOfBatches(overall.rise, overall.base, confidence);
}

} // namespace ns3::odcn
