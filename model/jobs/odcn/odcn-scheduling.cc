// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-scheduling.h"

#include "odcn-job-tape.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnScheduling);

namespace
{

/// Why a job was not served, by OdcnOutcome; "" if it was.
constexpr std::array<const char*, ODCN_OUTCOMES> CAUSES{"", "", "compute", "choice", "bandwidth"};

/// @return a token that differs from every other one that somebody holds
std::shared_ptr<const void>
NextEpisode()
{
    return std::make_shared<char>();
}

/// Blocks of State=Packets alone.
constexpr uint32_t PACKET_FEATURES = 4;

/// A source without jobs.
class NoJobs : public OdcnJobSource
{
  public:
    bool Next(OdcnJob& /* job */) override
    {
        return false;
    }

    int64_t AssignStreams(int64_t /* stream */) override
    {
        return 0;
    }
};

} // namespace

TypeId
OdcnScheduling::GetTypeId()
{
    using T = OdcnScheduling;
    static TypeId tid =
        TypeIdOf<OdcnScheduling, DecisionProblem>("ns3::odcn::OdcnScheduling")
            .Add(Attribute("State",
                           &T::m_state,
                           State::PAPER,
                           {{State::PAPER, "Paper"},
                            {State::PLACEMENT, "Placement"},
                            {State::TRAFFIC, "Traffic"},
                            {State::OPENING, "Opening"},
                            {State::AHEAD, "Ahead"},
                            {State::WHOLE, "Whole"},
                            {State::MEASURED, "Packets"}}),
                 "What is observed: the state of the ODCN paper; OdcnRackFeatures; these and the "
                 "traffic of the job; that, and how much of the rest of the job each rack can "
                 "take; these and the traffic, for racks without direct bandwidth, too; or that "
                 "and the queues and latencies of packets.")
            .Add(Attribute("SlotVms", &T::SetSlotVms, &T::GetSlotVms, "16:122:3200,16:32:320"),
                 "Kinds of large VM, cores:memory:disk separated by commas, hardest to "
                 "place first; the ledger counts how many more of each a rack can take.")
            .Add(Attribute("ComputeState",
                           &T::m_computeState,
                           OdcnRackViews::RACK,
                           {{OdcnRackViews::RACK, "Rack"}, {OdcnRackViews::SERVER, "Server"}}),
                 "What the minimum of the computing state is taken over.")
            .Add(Attribute("Alpha", &T::m_alpha, 100, 0),
                 "Scaling factor of the latency term of Eq. 1, in ns; 0 omits it.")
            .Add(Attribute("PhiReconf", &T::m_phiReconf, 25, 0),
                 "Phi_reconf of Eq. 1, the cost of a reconfiguration.")
            .Add(Attribute("Charge",
                           &T::m_charge,
                           Charge::ONCE_A_JOB,
                           {{Charge::ONCE_A_JOB, "OnceAJob"}, {Charge::EACH_STEP, "EachStep"}}),
                 "How the cost of a reconfiguration is charged to the steps of its job.")
            .Add(Attribute(
                     "RewardLatency",
                     &T::m_rewardLatency,
                     RewardLatency::FORMULA,
                     {{RewardLatency::FORMULA, "Formula"}, {RewardLatency::PACKETS, "Packets"}}),
                 "Source of the latency of Eq. 1.")
            .Add(Attribute("RewardPackets", &T::m_rewardPackets, 200, 1),
                 "Packets measured on a circuit whose load has changed, if the latency "
                 "of Eq. 1 comes from packets.")
            .Add(Attribute("LatencySpacing", &T::m_latencySpacing, 20, 1),
                 "Number of jobs between two samples of the latency and loss of "
                 "MeasureFigures().")
            .Add(Attribute("MaskBandwidth", &T::m_maskBandwidth, true),
                 "Whether racks without direct bandwidth are masked while another rack "
                 "has a server and bandwidth.")
            .Add(Attribute("MayRefuse", &T::m_mayRefuse, true),
                 "Whether nothing is masked if no rack has both a server and bandwidth: "
                 "choosing a rack without a server then refuses the job, in place of a "
                 "reconfiguration. Needs MaskBandwidth.");
    return tid;
}

OdcnScheduling::OdcnScheduling()
{
    AwaitReset();
}

void
OdcnScheduling::SetManager(Ptr<CsMgr> manager)
{
    m_manager = manager;
}

void
OdcnScheduling::SetJobSource(Ptr<OdcnJobSource> source)
{
    m_source = source;
}

uint32_t
OdcnScheduling::GetNActions() const
{
    Require(static_cast<bool>(m_manager), "SetManager() first");
    return m_manager->GetServers().GetNRacks() * m_manager->GetNFits();
}

/// Each block has one number per action. All that depends on the state is told here, once.
struct OdcnScheduling::Blocks
{
    std::vector<std::string> (*getNames)(const OdcnScheduling& problem); //!< a name for each block
    Bounds (*getBounds)(const OdcnScheduling& problem); //!< of the numbers of each block
    float* (OdcnScheduling::*write)(const float* all, float* out) const; //!< see ObserveFractions()
};

const std::vector<const OdcnScheduling::Blocks*>&
OdcnScheduling::GetBlocks() const
{
    using Names = std::vector<std::string>;
    using Problem = OdcnScheduling;
    static const Blocks fractions{[](const Problem&) {
                                      return Names{"compute", "bandwidth"};
                                  },
                                  [](const Problem&) {
                                      return Bounds(2, {-1.0F, 1.0F});
                                  },
                                  &Problem::ObserveFractions};
    static const Blocks racks{[](const Problem& p) { return p.GetRackNames(""); },
                              [](const Problem& p) { return p.GetRackBounds(); },
                              &Problem::ObserveRacks};
    static const Blocks traffic{
        [](const Problem&) {
            return Names{"job-pairs", "vm-pairs", "most-pairs", "vm-demand", "to-place", "coming"};
        },
        [](const Problem&) { return Bounds(TRAFFIC_FEATURES, NON_NEGATIVE); },
        &Problem::ObserveTraffic};
    static const Blocks first{[](const Problem& p) { return p.GetRackNames("first "); },
                              [](const Problem& p) { return p.GetRackBounds(); },
                              &Problem::ObserveFirst};
    static const Blocks outlook{[](const Problem&) {
                                    return Names{"fits", "reach"};
                                },
                                [](const Problem&)
                                { return Bounds(OdcnRackOutlook::COUNT, NON_NEGATIVE); },
                                &Problem::ObserveOutlook};
    static const Blocks degrees{[](const Problem&) {
                                    return Names{"mean-degree", "most-degree"};
                                },
                                [](const Problem&) { return Bounds(2, NON_NEGATIVE); },
                                &Problem::ObserveDegrees};
    static const Blocks packets{
        [](const Problem&) {
            return Names{"queue-from", "queue-to", "latency-from", "latency-to"};
        },
        [](const Problem&) { return Bounds(PACKET_FEATURES, NON_NEGATIVE); },
        &Problem::ObservePackets};
    static const std::map<State, std::vector<const Blocks*>> blocks{
        {State::PAPER, {&fractions}},
        {State::PLACEMENT, {&racks}},
        {State::OPENING, {&racks, &first, &outlook}},
        {State::TRAFFIC, {&racks, &traffic}},
        {State::AHEAD, {&racks, &traffic, &first, &outlook, &degrees}},
        {State::WHOLE, {&racks, &traffic}},
        {State::MEASURED, {&racks, &traffic, &packets}}};
    return blocks.at(m_state);
}

std::vector<std::string>
OdcnScheduling::GetRackNames(const std::string& before) const
{
    std::vector<std::string> names;
    for (std::size_t size = 0; size <= m_slotVms.size(); ++size)
    {
        std::string vm;
        if (size < m_slotVms.size())
        {
            AppendResources(vm, m_slotVms[size]);
        }
        else
        {
            vm = "smaller";
        }
        for (uint32_t f = 0; f < OdcnRackFeatures::COUNT; ++f)
        {
            names.push_back(before + vm + " " + OdcnRackFeatures::GetName(f));
        }
    }
    return names;
}

DecisionProblem::Bounds
OdcnScheduling::GetRackBounds() const
{
    Bounds bounds;
    for (std::size_t block = 0; block < CountRackBlocks(); ++block)
    {
        bounds.push_back(OdcnRackFeatures::GetBounds(block % OdcnRackFeatures::COUNT));
    }
    return bounds;
}

std::vector<uint32_t>
OdcnScheduling::GetObservationShape() const
{
    const uint32_t n = GetNActions();
    uint32_t rows = 0;
    for (const Blocks* blocks : GetBlocks())
    {
        rows += static_cast<uint32_t>(blocks->getBounds(*this).size());
    }
    switch (m_state)
    {
    case State::PAPER:
        return {rows * n};
    case State::PLACEMENT:
        return {rows / OdcnRackFeatures::COUNT, OdcnRackFeatures::COUNT, n};
    default:
        return {rows, n};
    }
}

std::vector<std::string>
OdcnScheduling::GetFormAttributes() const
{
    return {"State", "SlotVms", "ComputeState"};
}

std::vector<std::string>
OdcnScheduling::GetFeatureNames() const
{
    std::vector<std::string> names;
    for (const Blocks* blocks : GetBlocks())
    {
        const auto more = blocks->getNames(*this);
        names.insert(names.end(), more.begin(), more.end());
    }
    return names;
}

DecisionProblem::Bounds
OdcnScheduling::GetObservationBounds() const
{
    Bounds bounds;
    for (const Blocks* blocks : GetBlocks())
    {
        for (const auto& bound : blocks->getBounds(*this))
        {
            bounds.insert(bounds.end(), GetNActions(), bound);
        }
    }
    return bounds;
}

void
OdcnScheduling::Reset()
{
    Require(m_manager && m_source, "SetManager() and SetJobSource() first");
    m_manager->Reset();
    m_manager->CountSlots(m_slotVms);
    m_done = false;
    m_nJobs = 0;
    m_episode = NextEpisode();
    m_interruptions.clear();
    m_rewards.clear();
    if (m_packets)
    {
        m_gaps = m_packets->GetGaps();
        m_packets.reset();
    }
    m_measuredLatencyNs = 0;
    m_views.Clear();
    m_later.reset();
    m_isExpected = false;
    ClearFigures();
    BeginEpisode();
    if (FetchJob())
    {
        BeginJob(m_job.arrival);
    }
    else
    {
        m_done = true;
    }
    // Arrivals continue where the previous episode stopped; the time until then is not counted.
    m_manager->ClearCounters();
}

int64_t
OdcnScheduling::AssignStreams(int64_t stream)
{
    Require(static_cast<bool>(m_source), "SetJobSource() first");
    const int64_t used = m_source->AssignStreams(stream);
    if (m_rewardLatency == RewardLatency::FORMULA)
    {
        return used;
    }
    m_packets.reset();
    m_gaps.emplace(stream + used);
    return used + 1;
}

double
OdcnScheduling::MeasureLatencyNs()
{
    const NMgr& network = *PeekPointer(m_manager->GetNetwork());
    if (!m_packets)
    {
        m_packets.emplace(network.GetBufferPackets(),
                          m_rewardPackets,
                          m_gaps ? *m_gaps : RandomStream(-1));
    }
    return network.GetMeanLatencyNs(*m_packets);
}

void
OdcnScheduling::SetSlotVms(const std::string& text)
{
    std::vector<std::string_view> parts;
    SplitText(text, ',', parts);
    std::vector<OdcnResources> kinds;
    for (std::string_view part : parts)
    {
        const auto kind = ParseResources(part);
        if (!kind || kind->milli[0] < OdcnResources::SCALE)
        {
            throw OdcnError::InOption("SlotVms",
                                      std::string(part),
                                      "cores:memory:disk, at least one core, between commas");
        }
        kinds.push_back(*kind);
    }
    m_slotVms = kinds;
    if (m_episode)
    {
        m_manager->CountSlots(m_slotVms);
        m_episode = NextEpisode();
    }
}

std::string
OdcnScheduling::GetSlotVms() const
{
    std::string text;
    for (const OdcnResources& kind : m_slotVms)
    {
        text += text.empty() ? "" : ",";
        AppendResources(text, kind);
    }
    return text;
}

bool
OdcnScheduling::FetchJob()
{
    if (m_manager->TakeInterrupted(m_job))
    {
        ++m_interruptions[m_job.id];
        return true;
    }
    if (m_later)
    {
        m_job = std::move(*m_later);
        m_later.reset();
        return true;
    }
    return m_source->Next(m_job);
}

void
OdcnScheduling::BeginJob(double time)
{
    m_isExpected = false;
    m_manager->AdvanceTo(time);
    m_manager->Begin(m_job);
    NextVm();
}

void
OdcnScheduling::NextJob()
{
    if (!FetchJob())
    {
        m_done = true;
    }
    else if (m_isPaced)
    {
        m_isExpected = true;
    }
    else
    {
        BeginJob(m_job.arrival);
    }
}

void
OdcnScheduling::SetPaced(bool paced)
{
    m_isPaced = paced;
    if (!paced && m_isExpected)
    {
        Arrive(std::max(m_job.arrival, m_manager->GetTime()));
    }
}

void
OdcnScheduling::Arrive(double time)
{
    Require(m_isExpected, "no job is expected: SetPaced(), and Act() to the end of the job before");
    Require(time >= m_job.arrival && time >= m_manager->GetTime(), "job time moves only forward");
    BeginJob(time);
    if (std::exchange(m_isSampled, false))
    {
        SampleLatency();
    }
}

void
OdcnScheduling::OfferInterrupted()
{
    if (!m_isExpected || m_later || !m_manager->HasInterrupted())
    {
        return;
    }
    m_later = std::move(m_job);
    FetchJob();
}

void
OdcnScheduling::NextVm()
{
    m_views.Begin(*m_manager, GetVm(), m_computeState);
}

RackId
OdcnScheduling::GetLastRack() const
{
    const uint32_t k = GetVmIndex();
    return k ? m_manager->GetServers().GetRack(m_manager->GetServer(k - 1)) : NO_RACK;
}

void
OdcnScheduling::Observe(float* out) const
{
    RequireBegun();
    RequireArrived();
    float* next = out;
    for (const Blocks* blocks : GetBlocks())
    {
        next = (this->*blocks->write)(out, next);
    }
}

float*
OdcnScheduling::ObserveFractions(const float* /* all */, float* out) const
{
    const uint32_t n = GetNActions();
    for (uint32_t action = 0; action < n; ++action)
    {
        const auto view = GetViews().Get(action);
        out[action] = view.compute;
        out[n + action] = view.bandwidth;
    }
    return out + std::size_t{2} * n;
}

float*
OdcnScheduling::ObserveRacks(const float* /* all */, float* out) const
{
    const uint32_t n = GetNActions();
    float* end = std::fill_n(out, CountRackBlocks() * n, 0.0F);
    float* block =
        out + std::size_t{OdcnRackFeatures::COUNT} * n * OdcnRackFeatures::GetClass(*this);
    OdcnRackFeatures::Row row;
    OdcnRackFeatures features;
    features.Begin(*this);
    for (uint32_t action = 0; action < n; ++action)
    {
        features.Describe(*this, action, row);
        for (uint32_t f = 0; f < OdcnRackFeatures::COUNT; ++f)
        {
            block[std::size_t{f} * n + action] = row[f];
        }
    }
    return end;
}

float*
OdcnScheduling::ObserveFirst(const float* all, float* out) const
{
    const std::size_t size = CountRackBlocks() * GetNActions();
    return GetVmIndex() > 0 ? std::fill_n(out, size, 0.0F) : std::copy_n(all, size, out);
}

float*
OdcnScheduling::ObserveOutlook(const float* /* all */, float* out) const
{
    const std::size_t size = std::size_t{OdcnRackOutlook::COUNT} * GetNActions();
    if (GetVmIndex() > 0)
    {
        return std::fill_n(out, size, 0.0F);
    }
    OdcnRackOutlook::Describe(*this, out);
    return out + size;
}

std::vector<uint32_t>
OdcnScheduling::GetDegrees() const
{
    std::vector<uint32_t> degrees(m_job.vms.size(), 0);
    for (const auto& demand : m_job.demands)
    {
        ++degrees[demand.from];
        ++degrees[demand.to];
    }
    return degrees;
}

float*
OdcnScheduling::ObserveDegrees(const float* /* all */, float* out) const
{
    const uint32_t n = GetNActions();
    const auto degrees = GetDegrees();
    const double mean =
        2.0 * static_cast<double>(m_job.demands.size()) / static_cast<double>(m_job.vms.size());
    const uint32_t most = *std::max_element(degrees.begin(), degrees.end());
    out = std::fill_n(out, n, static_cast<float>(mean / 10));
    return std::fill_n(out, n, static_cast<float>(most / 10.0));
}

float*
OdcnScheduling::ObserveTraffic(const float* /* all */, float* out) const
{
    const uint32_t n = GetNActions();
    const auto vms = static_cast<uint32_t>(m_job.vms.size());
    const uint32_t vm = GetVmIndex();
    const auto& servers = m_manager->GetServers();
    const double circuit =
        10.0 * static_cast<double>(m_manager->GetNetwork()->GetCircuits().GetPortRate());
    double demand = 0;
    double thisComing = 0;
    float* coming = out + std::size_t{TRAFFIC_FEATURES - 1} * n;
    std::fill_n(coming, n, 0.0F);
    for (const auto& d : m_job.demands)
    {
        const double rate = static_cast<double>(d.rate) / circuit;
        const auto [first, last] = std::minmax(d.from, d.to);
        if (d.from == vm || d.to == vm)
        {
            demand += rate;
            thisComing += first == vm ? rate : 0.0;
        }
        else if (first < vm && last > vm)
        {
            coming[servers.GetRack(m_manager->GetServer(first))] += static_cast<float>(rate);
        }
    }
    const auto degrees = GetDegrees();
    const uint32_t greatest = *std::max_element(degrees.begin(), degrees.end());
    const double most = std::max(1.0, 2.0 * (vms - 1.0));
    const std::array<double, TRAFFIC_FEATURES - 1> values{
        static_cast<double>(m_job.demands.size()) / std::max(1.0, vms * (vms - 1.0)),
        degrees[vm] / most,
        greatest / most,
        demand,
        static_cast<double>(vms - vm) / vms};
    for (const double value : values)
    {
        out = std::fill_n(out, n, static_cast<float>(value));
    }
    const uint32_t racks = servers.GetNRacks();
    std::for_each(coming, coming + racks, [&](float& x) { x += static_cast<float>(thisComing); });
    for (uint32_t action = racks; action < n; ++action)
    {
        coming[action] = coming[m_manager->GetRack(action)];
    }
    return coming + n;
}

float*
OdcnScheduling::ObservePackets(const float* /* all */, float* out) const
{
    const uint32_t n = GetNActions();
    const OdcnCircuitLedger& circuits = m_manager->GetNetwork()->GetCircuits();
    for (uint32_t action = 0; action < n; ++action)
    {
        const RackId rack = m_manager->GetRack(action);
        const double uplinks = std::max(1U, circuits.GetPorts(rack));
        std::array<double, PACKET_FEATURES> row{};
        if (m_monitor)
        {
            row = {static_cast<double>(m_monitor->GetQueueFrom(rack).packets) / uplinks,
                   static_cast<double>(m_monitor->GetQueueTo(rack).packets) / uplinks,
                   1e-3 * m_monitor->GetLatencyFrom(rack).meanNs,
                   1e-3 * m_monitor->GetLatencyTo(rack).meanNs};
        }
        for (uint32_t f = 0; f < PACKET_FEATURES; ++f)
        {
            out[std::size_t{f} * n + action] = static_cast<float>(row[f]);
        }
    }
    return out + std::size_t{PACKET_FEATURES} * n;
}

void
OdcnScheduling::Mask(uint8_t* out) const
{
    RequireBegun();
    RequireArrived();
    const uint32_t n = GetNActions();
    const OdcnRackViews& views = GetViews();
    // 0: no server, 1: a server, 2: bandwidth as well.
    uint8_t most = 0;
    const uint32_t racks = m_manager->GetServers().GetNRacks();
    for (RackId rack = 0; rack < racks; ++rack)
    {
        out[rack] = views.GetCompute(rack) < 0                         ? 0
                    : m_maskBandwidth && views.GetBandwidth(rack) >= 0 ? 2
                                                                       : 1;
        most = std::max(most, out[rack]);
    }
    // If no rack has both, a refusal may be better than a reconfiguration.
    const uint8_t least = !m_maskBandwidth || most == 0 ? 1 : most == 2 ? 2 : m_mayRefuse ? 0 : 1;
    for (RackId rack = 0; rack < racks; ++rack)
    {
        out[rack] = out[rack] >= least;
    }
    // A rack that has a server by one fit has one by each.
    for (uint32_t action = racks; action < n; ++action)
    {
        out[action] = out[m_manager->GetRack(action)];
    }
}

void
OdcnScheduling::Act(uint32_t action)
{
    RequireAction(action);
    RequireArrived();
    if (!m_manager->Place(action))
    {
        bool elsewhere = false;
        for (RackId rack = 0; rack < m_manager->GetServers().GetNRacks() && !elsewhere; ++rack)
        {
            elsewhere = GetViews().GetCompute(rack) >= 0;
        }
        const auto cause = elsewhere ? OdcnOutcome::BLOCKED_CHOICE : OdcnOutcome::BLOCKED_COMPUTE;
        const std::size_t placed = GetVmIndex();
        m_manager->Block(cause);
        EndJob(cause, placed + 1);
        return;
    }
    const std::size_t steps = m_job.vms.size();
    if (GetVmIndex() < steps)
    {
        NextVm();
        return;
    }
    EndJob(m_manager->Commit(), steps);
}

void
OdcnScheduling::RewardJob(OdcnOutcome outcome, std::size_t steps)
{
    const char* cause = CAUSES[static_cast<std::size_t>(outcome)];
    const bool placed = *cause == '\0';
    if (placed)
    {
        m_rewards.insert(m_rewards.end(), steps, GetReward(outcome));
    }
    else
    {
        m_rewards.insert(m_rewards.end(), steps - 1, 0.5F);
        m_rewards.push_back(-static_cast<float>(m_job.vms.size()));
    }
    if (!ReportsOutcomes())
    {
        return;
    }
    DecisionOutcome result{.decisions = steps, .placed = placed, .cause = cause};
    if (placed)
    {
        const auto& network = *PeekPointer(m_manager->GetNetwork());
        const bool changed = outcome == OdcnOutcome::RECONFIGURED;
        result.latencyNs = network.GetMeanLatencyNs();
        result.reconfigurations =
            changed ? static_cast<double>(network.GetLastChanges().size()) : 0.0;
    }
    SettleRewards(result);
}

float
OdcnScheduling::GetReward(OdcnOutcome outcome)
{
    const auto reward = [&](double latencyNs)
    {
        double x = 1;
        if (m_alpha > 0)
        {
            x += m_alpha / latencyNs;
        }
        if (outcome == OdcnOutcome::RECONFIGURED)
        {
            x -= m_charge == Charge::ONCE_A_JOB
                     ? m_phiReconf / static_cast<double>(m_job.vms.size())
                     : m_phiReconf;
        }
        return static_cast<float>(x);
    };
    if (!(m_alpha > 0))
    {
        return reward(1);
    }
    if (m_measuredLatencyNs > 0)
    {
        return reward(m_measuredLatencyNs);
    }
    if (m_rewardLatency == RewardLatency::PACKETS)
    {
        return reward(MeasureLatencyNs());
    }
    // Rewards are rounded to float, so the exact latency is rarely needed.
    const NMgr& network = *PeekPointer(m_manager->GetNetwork());
    const auto bounds = network.GetMeanLatencyBoundsNs();
    const float most = reward(bounds.low);
    return most == reward(bounds.high) ? most : reward(network.GetMeanLatencyNs());
}

void
OdcnScheduling::EndJob(OdcnOutcome outcome, std::size_t steps)
{
    RewardJob(outcome, steps);
    m_outcome = outcome;
    ++m_nJobs;
    m_isSampled = m_nMeasured++ % m_latencySpacing == 0;
    ++m_score.count;
    m_score.total += outcome != OdcnOutcome::ACCEPTED;
    NextJob();
    // The jobs that end before the next one arrives have left by then.
    if (m_isSampled && !m_isExpected)
    {
        m_isSampled = false;
        SampleLatency();
    }
}

void
OdcnScheduling::SampleLatency()
{
    m_latencyNs.total += m_manager->GetNetwork()->GetMeanLatencyNs();
    m_loss.total += m_manager->GetNetwork()->GetMeanLoss();
    ++m_latencyNs.count;
    ++m_loss.count;
}

std::string
OdcnScheduling::GetScoreName() const
{
    return "blocked or reconfigured";
}

void
OdcnScheduling::ClearScore()
{
    DecisionProblem::ClearScore();
    ClearFigures();
}

void
OdcnScheduling::ClearFigures()
{
    m_nMeasured = 0;
    m_latencyNs = {0, 0};
    m_loss = {0, 0};
    if (m_manager)
    {
        m_manager->ClearCounters();
    }
}

std::vector<FigureOfMerit>
OdcnScheduling::GetFigures() const
{
    using F = FigureOfMerit;
    return {F::Share("blocking", "blocking", F::Kind::SHARE, F::Compare::DIFFERENCE),
            {.name = "reconfigurations_per_job",
             .title = "reconfigs",
             .unit = "per job",
             .kind = F::Kind::SHARE},
            {.name = "changed_circuits_per_job",
             .title = "circuits moved",
             .unit = "per job",
             .kind = F::Kind::RATIO,
             .shown = false},
            {.name = "estimated_latency_ns", .title = "latency (est.)", .unit = "ns"},
            {.name = "estimated_loss",
             .title = "loss (est.)",
             .unit = "%",
             .scale = 100,
             .shown = false},
            F::Share("cpu_utilisation", "CPU").Rising(),
            F::Share("ram_utilisation", "RAM").Rising(),
            F::Share("disk_utilisation", "disk").Rising()};
}

std::vector<FigureValue>
OdcnScheduling::MeasureFigures() const
{
    RequireBegun();
    const OdcnCounters& counters = m_manager->GetCounters();
    const auto jobs = static_cast<double>(counters.Offered());
    const auto share = [jobs](uint64_t n) { return FigureValue{static_cast<double>(n), jobs}; };
    std::vector<FigureValue> values{share(counters.Blocked()),
                                    share(counters.Reconfigurations()),
                                    share(counters.changedCircuits),
                                    {m_latencyNs.Get(), m_latencyNs.count > 0 ? 1.0 : 0.0},
                                    {m_loss.Get(), m_loss.count > 0 ? 1.0 : 0.0}};
    for (std::size_t kind = 0; kind < OdcnResources::KINDS; ++kind)
    {
        values.push_back({m_manager->GetUtilisation(kind)});
    }
    return values;
}

std::vector<std::string>
OdcnScheduling::GetCauses() const
{
    return {CAUSES.begin() + 2, CAUSES.end()};
}

DecisionTally
OdcnScheduling::GetTally() const
{
    RequireBegun();
    const OdcnCounters& counters = m_manager->GetCounters();
    DecisionTally tally{.offered = counters.Offered(), .accepted = counters.Accepted()};
    for (std::size_t i = 2; i < ODCN_OUTCOMES; ++i)
    {
        tally.blocked.emplace_back(CAUSES[i], counters.outcome[i]);
    }
    return tally;
}

uint64_t
OdcnScheduling::GetNDecided() const
{
    return m_nJobs;
}

uint64_t
OdcnScheduling::GetDecisionKey() const
{
    RequireDecision();
    const auto found = m_interruptions.find(m_job.id);
    const uint64_t before = found == m_interruptions.end() ? 0 : found->second;
    return m_job.id << 32 | before << 20 | GetVmIndex(); // fewer than 2^20 VMs
}

std::vector<Ptr<Object>>
OdcnScheduling::GetParts() const
{
    Require(static_cast<bool>(m_manager), "SetManager() first");
    return {m_manager, m_manager->GetNetwork()};
}

Ptr<OdcnScheduling>
OdcnScheduling::Clone(Ptr<OdcnJobSource> source) const
{
    Ptr<OdcnScheduling> copy = CopyObject<OdcnScheduling>(Ptr<const OdcnScheduling>(this));
    copy->m_manager = m_manager->Clone(copy->m_job);
    copy->m_views.Follow(*copy->m_manager);
    copy->m_source = source;
    copy->m_episode = NextEpisode();
    return copy;
}

Ptr<DecisionProblem>
OdcnScheduling::BranchJob() const
{
    RequireDecision();
    RequireArrived();
    return Clone(CreateObject<NoJobs>());
}

Ptr<DecisionProblem>
OdcnScheduling::Branch()
{
    RequireDecision();
    RequireArrived();
    auto tape = DynamicCast<OdcnJobTape>(m_source);
    if (!tape)
    {
        tape = CreateObject<OdcnJobTape>(m_source);
        m_source = tape;
    }
    return Clone(tape->CreateReader());
}

} // namespace ns3::odcn
