// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-recorder.h"

#include "ns3/ipv4-header.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"
#include "ns3/tor-switch.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <cmath>
#include <string>
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

} // namespace

const char*
SteadinessName(Steadiness steadiness)
{
    static const std::array<const char*, 3> NAMES{"unknown", "steady", "drifting"};
    return NAMES[static_cast<std::size_t>(steadiness)];
}

void
JobPackets::Add(const JobPackets& other)
{
    counts += other.counts;
    sumPs += other.sumPs;
    greatestPs = std::max(greatestPs, other.greatestPs);
    windows += other.windows;
}

double
JobPackets::GetMeanNs() const
{
    // 0 / 0 is NaN.
    return 1e-3 * static_cast<double>(sumPs) / static_cast<double>(counts.received);
}

double
JobPackets::GetGreatestNs() const
{
    return counts.received > 0 ? 1e-3 * static_cast<double>(greatestPs) : std::nan("");
}

bool
WindowPackets::IsBalanced() const
{
    uint64_t missing = 0;
    for (const auto& scope : scopes)
    {
        if (!scope.IsBalanced())
        {
            return false;
        }
        missing += scope.all.inFlight;
    }
    return strays == 0 && inNetwork.value_or(missing) == missing;
}

PacketRecorder::PacketRecorder(uint32_t scopes)
    : m_slots(scopes),
      m_overall(scopes)
{
}

void
PacketRecorder::Connect(const std::vector<Ptr<JobFlowApplication>>& applications)
{
    for (const auto& application : applications)
    {
        application->TraceConnectWithoutContext(
            "Tx",
            MakeCallback(&PacketRecorder::SentByApplication, this));
        application->TraceConnectWithoutContext(
            "Rx",
            MakeCallback(&PacketRecorder::ReceivedByApplication, this));
    }
}

void
PacketRecorder::Connect(const Ptr<OcsFabric>& fabric)
{
    using P = Ptr<const Packet>;
    const auto connect =
        [this](const Ptr<OcsNetDevice>& device, const char* trace, OcsDropCause cause)
    {
        const auto lost = [this, device = PeekPointer(device), cause](P packet)
        { Lost(packet, device->IsFailed() ? OcsDropCause::PORT_FAILED : cause); };
        device->TraceConnectWithoutContext(trace, Callback<void, P>(lost));
    };
    for (RackId rack = 0; rack < fabric->GetSize().racks; ++rack)
    {
        const Ptr<TorSwitch> tor = fabric->GetTor(rack);
        tor->TraceConnectWithoutContext("Drop", MakeCallback(&PacketRecorder::Lost, this));
        for (uint32_t p = 0; p < tor->GetNUplinks(); ++p)
        {
            connect(fabric->GetUplink(rack, p), "PhyRxDrop", OcsDropCause::MISROUTED);
        }
        for (uint32_t s = 0; s < tor->GetNDownlinks(); ++s)
        {
            const Ptr<OcsNetDevice> card = fabric->GetServerDevice(rack, s);
            connect(tor->GetDownlink(s), "PhyRxDrop", OcsDropCause::MISROUTED);
            connect(card, "PhyRxDrop", OcsDropCause::MISROUTED);
            connect(card, "MacTxDrop", OcsDropCause::QUEUE_OVERFLOW);
            connect(card, "PhyTxDrop", OcsDropCause::QUEUE_OVERFLOW);
        }
    }
    const auto lost = [this](P packet, uint32_t, OcsDropCause cause) { Lost(packet, cause); };
    for (uint32_t w = 0; w < fabric->GetSize().switches; ++w)
    {
        fabric->GetSwitch(w)->TraceConnectWithoutContext(
            "Drop",
            Callback<void, P, uint32_t, OcsDropCause>(lost));
    }
}

void
PacketRecorder::SentByApplication(const FlowHeader& header)
{
    Sent(GetKey(header.GetFlow(), header.GetSequence()),
         static_cast<uint64_t>(header.GetSent().GetPicoSeconds()));
}

void
PacketRecorder::ReceivedByApplication(const FlowHeader& header, Time delay)
{
    Received(GetKey(header.GetFlow(), header.GetSequence()),
             static_cast<uint64_t>((header.GetSent() + delay).GetPicoSeconds()));
}

void
PacketRecorder::Lost(Ptr<const Packet> packet, OcsDropCause cause)
{
    if (!m_open)
    {
        return;
    }
    const Ptr<Packet> copy = packet->Copy();
    Ipv4Header ipv4;
    UdpHeader udp;
    FlowHeader header;
    copy->RemoveHeader(ipv4);
    if (copy->GetSize() >= udp.GetSerializedSize() + FlowHeader::SIZE)
    {
        copy->RemoveHeader(udp);
        copy->RemoveHeader(header);
        Dropped(GetKey(header.GetFlow(), header.GetSequence()), cause);
    }
}

void
PacketRecorder::Open(uint64_t startPs, uint64_t measureFromPs, uint64_t endPs)
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
    m_window = WindowPackets();
    m_window.startPs = startPs;
    m_window.measureFromPs = measureFromPs;
    m_window.endPs = endPs;
    m_window.scopes.resize(m_overall.size());
    m_flows.clear();
    m_slots.assign(m_overall.size(), {});
}

void
PacketRecorder::AddFlow(uint32_t scope, std::optional<uint64_t> job)
{
    JobPackets* packets = job ? &m_window.jobs[*job] : nullptr;
    if (packets)
    {
        packets->windows = 1;
    }
    m_flows.push_back({scope, packets});
}

template <typename F>
void
PacketRecorder::Count(const Flight& flight, F&& count)
{
    const Flow& flow = m_flows[flight.flow];
    ScopePackets& scope = m_window.scopes[flow.scope];
    count(scope.all);
    if (flight.sentPs >= m_window.measureFromPs)
    {
        count(scope.measured);
        if (flow.job)
        {
            count(flow.job->counts);
        }
    }
}

void
PacketRecorder::Sent(uint64_t key, uint64_t nowPs)
{
    if (!m_open)
    {
        throw OdcnError("a packet is sent while no measurement window is open");
    }
    const Flight flight{nowPs, static_cast<uint32_t>(key >> 32)};
    if (flight.flow >= m_flows.size())
    {
        throw OdcnError::InOption("flow of a packet",
                                  std::to_string(flight.flow),
                                  "below " + std::to_string(m_flows.size()));
    }
    Count(flight, [](PacketCounts& counts) { ++counts.sent; });
    bool isNew = false;
    if (m_spare.empty())
    {
        isNew = m_inFlight.try_emplace(key, flight).second;
    }
    else
    {
        auto node = std::move(m_spare.back());
        m_spare.pop_back();
        node.key() = key;
        node.mapped() = flight;
        isNew = m_inFlight.insert(std::move(node)).inserted;
    }
    m_window.strays += !isNew;
}

std::optional<PacketRecorder::Flight>
PacketRecorder::Land(uint64_t key)
{
    const auto found = m_inFlight.find(key);
    if (found == m_inFlight.end())
    {
        ++(m_open ? m_window.strays : m_late);
        return std::nullopt;
    }
    m_spare.push_back(m_inFlight.extract(found));
    return m_spare.back().mapped();
}

void
PacketRecorder::Received(uint64_t key, uint64_t nowPs)
{
    if (const auto flight = Land(key))
    {
        CountReceived(*flight, nowPs);
    }
}

void
PacketRecorder::CountReceived(const Flight& flight, uint64_t nowPs)
{
    Count(flight, [](PacketCounts& counts) { ++counts.received; });
    if (flight.sentPs < m_window.measureFromPs)
    {
        return;
    }
    const Flow& flow = m_flows[flight.flow];
    const uint64_t latency = nowPs - flight.sentPs;
    m_window.scopes[flow.scope].latency.Add(latency);
    if (flow.job)
    {
        flow.job->sumPs += latency;
        flow.job->greatestPs = std::max(flow.job->greatestPs, latency);
    }
    const uint64_t since = flight.sentPs - m_window.measureFromPs;
    const uint64_t span = m_window.endPs - m_window.measureFromPs;
    const auto slot =
        static_cast<std::size_t>(static_cast<double>(since) / static_cast<double>(span) * SLOTS);
    Slot& s = m_slots[flow.scope][std::min(slot, SLOTS - 1)];
    s.sumPs += static_cast<double>(latency);
    ++s.count;
}

void
PacketRecorder::Dropped(uint64_t key, OcsDropCause cause)
{
    if (const auto flight = Land(key))
    {
        Count(*flight, [cause](PacketCounts& counts) { ++counts.dropped[cause]; });
    }
}

void
PacketRecorder::Take(RackId, std::span<const PacketFate> fates)
{
    for (const PacketFate& fate : fates)
    {
        const Flight flight{static_cast<uint64_t>(fate.sent), fate.flow};
        Count(flight, [](PacketCounts& counts) { ++counts.sent; });
        if (fate.received)
        {
            CountReceived(flight, static_cast<uint64_t>(fate.ended));
        }
        else
        {
            Count(flight, [&fate](PacketCounts& counts) { ++counts.dropped[fate.cause]; });
        }
    }
}

void
PacketRecorder::JudgeDrift(std::size_t scope)
{
    ScopePackets& result = m_window.scopes[scope];
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

const WindowPackets&
PacketRecorder::Close(std::optional<uint64_t> inNetwork)
{
    if (!m_open)
    {
        throw OdcnError("a measurement window is closed that was never opened");
    }
    m_open = false;
    m_window.inNetwork = inNetwork;
    for (const auto& [key, flight] : m_inFlight)
    {
        Count(flight, [](PacketCounts& counts) { ++counts.inFlight; });
    }
    m_inFlight.clear();
    for (std::size_t i = 0; i < m_overall.size(); ++i)
    {
        JudgeDrift(i);
        const ScopePackets& result = m_window.scopes[i];
        const PacketCounts& measured = result.measured;
        Overall& overall = m_overall[i];
        overall.latency.Add(result.latency);
        if (measured.received > 0)
        {
            overall.means.push_back(result.latency.GetMeanNs());
        }
        overall.lost.push_back(measured.dropped.Total());
        overall.measured.push_back(measured.dropped.Total() + measured.received);
        ++overall.verdicts[static_cast<std::size_t>(result.steadiness)];
        overall.total.all += result.all;
        overall.total.measured += measured;
        overall.total.latency.Merge(result.latency);
    }
    for (const auto& [job, packets] : m_window.jobs)
    {
        m_jobs[job].Add(packets);
    }
    ++m_windows;
    m_unbalanced += !m_window.IsBalanced();
    return m_window;
}

void
PacketRecorder::Pass(Parcel& parcel)
{
    for (Overall& overall : m_overall)
    {
        ScopePackets& total = overall.total;
        parcel.Pass(total.all, total.measured, total.steadiness, total.drift, overall.verdicts);
        total.latency.Pass(parcel);
        overall.latency.Pass(parcel);
        const auto pass = [&parcel](auto&... lists)
        {
            if (parcel.IsRead())
            {
                (lists.clear(), ...);
            }
            (parcel.PassList(lists), ...);
        };
        pass(overall.means, overall.lost, overall.measured, overall.rise, overall.base);
    }
    uint64_t jobs = m_jobs.size();
    parcel.Pass(m_windows, m_late, m_unbalanced, jobs);
    if (!parcel.IsRead())
    {
        for (const auto& [key, value] : m_jobs)
        {
            uint64_t job = key;
            JobPackets packets = value;
            parcel.Pass(job, packets);
        }
        return;
    }
    m_jobs.clear();
    for (uint64_t i = 0; i < jobs; ++i)
    {
        uint64_t job = 0;
        JobPackets packets;
        parcel.Pass(job, packets);
        m_jobs.emplace(job, packets);
    }
}

Estimate
PacketRecorder::GetLoss(uint32_t scope, double confidence) const
{
    return ProportionOfBatches(m_overall[scope].lost, m_overall[scope].measured, confidence);
}

Estimate
PacketRecorder::GetDrift(uint32_t scope, double confidence) const
{
    return RatioOfBatches(m_overall[scope].rise, m_overall[scope].base, confidence);
}

} // namespace ns3::odcn
