// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-scheduling.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <atomic>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnScheduling);

namespace
{

/// @return a number that was not returned before
uint64_t
NextEpisode()
{
    static std::atomic<uint64_t> last{0};
    return ++last;
}

} // namespace

TypeId
OdcnScheduling::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnScheduling")
            .SetParent<DecisionProblem>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnScheduling>()
            .AddAttribute(
                "State",
                "What is observed: the state of the ODCN paper, OdcnRackFeatures, or these "
                "and the traffic of the job.",
                CompatEnumValue<State>(State::PAPER),
                CompatEnumAccessor<State>(&OdcnScheduling::m_state),
                MakeEnumChecker(State::PAPER,
                                "Paper",
                                State::PLACEMENT,
                                "Placement",
                                State::TRAFFIC,
                                "Traffic"))
            .AddAttribute(
                "SlotVms",
                "Kinds of large VM, cores:memory:disk separated by commas, hardest to "
                "place first; the ledger counts how many more of each a rack can take.",
                StringValue("16:122:3200,16:32:320"),
                MakeStringAccessor(&OdcnScheduling::SetSlotVms, &OdcnScheduling::GetSlotVms),
                MakeStringChecker())
            .AddAttribute(
                "ComputeState",
                "What the minimum of the computing state is taken over.",
                CompatEnumValue<ComputeState>(ComputeState::RACK),
                CompatEnumAccessor<ComputeState>(&OdcnScheduling::m_computeState),
                MakeEnumChecker(ComputeState::RACK, "Rack", ComputeState::SERVER, "Server"))
            .AddAttribute("Alpha",
                          "Scaling factor of the latency term of Eq. 1, in ns; 0 omits it.",
                          DoubleValue(100),
                          MakeDoubleAccessor(&OdcnScheduling::m_alpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("PhiReconf",
                          "Phi_reconf of Eq. 1, the cost of a reconfiguration.",
                          DoubleValue(25),
                          MakeDoubleAccessor(&OdcnScheduling::m_phiReconf),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Charge",
                "How the cost of a reconfiguration is charged to the steps of its job.",
                CompatEnumValue<Charge>(Charge::ONCE_A_JOB),
                CompatEnumAccessor<Charge>(&OdcnScheduling::m_charge),
                MakeEnumChecker(Charge::ONCE_A_JOB, "OnceAJob", Charge::EACH_STEP, "EachStep"))
            .AddAttribute("RewardLatency",
                          "Source of the latency of Eq. 1.",
                          CompatEnumValue<RewardLatency>(RewardLatency::FORMULA),
                          CompatEnumAccessor<RewardLatency>(&OdcnScheduling::m_rewardLatency),
                          MakeEnumChecker(RewardLatency::FORMULA,
                                          "Formula",
                                          RewardLatency::PACKETS,
                                          "Packets"))
            .AddAttribute("RewardPackets",
                          "Packets measured on a circuit whose load has changed, if the latency "
                          "of Eq. 1 comes from packets.",
                          UintegerValue(200),
                          MakeUintegerAccessor(&OdcnScheduling::m_rewardPackets),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LatencySpacing",
                          "Number of jobs between two samples of the latency and loss of "
                          "MeasureFigures().",
                          UintegerValue(20),
                          MakeUintegerAccessor(&OdcnScheduling::m_latencySpacing),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("MaskBandwidth",
                          "Whether racks without direct bandwidth are masked while another rack "
                          "has a server and bandwidth.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OdcnScheduling::m_maskBandwidth),
                          MakeBooleanChecker())
            .AddAttribute("MayRefuse",
                          "Whether nothing is masked if no rack has both a server and bandwidth: "
                          "choosing a rack without a server then refuses the job, in place of a "
                          "reconfiguration. Needs MaskBandwidth.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OdcnScheduling::m_mayRefuse),
                          MakeBooleanChecker());
    return tid;
}

OdcnScheduling::OdcnScheduling()
{
    AwaitReset();
}

void
OdcnScheduling::DoDispose()
{
    m_manager = nullptr;
    m_source = nullptr;
    DecisionProblem::DoDispose();
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
    return m_manager->GetServers().GetNRacks();
}

std::vector<uint32_t>
OdcnScheduling::GetObservationShape() const
{
    if (m_state == State::PAPER)
    {
        return {2 * GetNActions()};
    }
    const auto sizes = static_cast<uint32_t>(m_slotVms.size() + 1);
    if (m_state == State::TRAFFIC)
    {
        return {sizes * OdcnRackFeatures::COUNT + TRAFFIC_FEATURES, GetNActions()};
    }
    return {sizes, OdcnRackFeatures::COUNT, GetNActions()};
}

std::vector<std::string>
OdcnScheduling::GetFormAttributes() const
{
    return {"State", "SlotVms", "ComputeState"};
}

std::vector<std::string>
OdcnScheduling::GetFeatureNames() const
{
    if (m_state == State::PAPER)
    {
        return {"compute", "bandwidth"};
    }
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
            names.push_back(vm + " " + OdcnRackFeatures::GetName(f));
        }
    }
    if (m_state == State::TRAFFIC)
    {
        names.insert(names.end(),
                     {"job-pairs", "vm-pairs", "most-pairs", "vm-demand", "to-place", "coming"});
    }
    return names;
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
    m_rewards.clear();
    m_packets.reset();
    m_measuredLatencyNs = 0;
    m_kinds.clear();
    ClearScore();
    BeginEpisode();
    NextJob();
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
    m_packetStream = stream + used;
    return used + 1;
}

double
OdcnScheduling::MeasureLatencyNs()
{
    const NMgr& network = *PeekPointer(m_manager->GetNetwork());
    if (!m_packets)
    {
        auto gaps = CreateObject<ExponentialRandomVariable>();
        gaps->SetStream(m_packetStream);
        m_packets.emplace(network.GetBufferPackets(), m_rewardPackets, gaps);
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

void
OdcnScheduling::NextJob()
{
    if (!m_manager->TakeInterrupted(m_job) && !m_source->Next(m_job))
    {
        m_done = true;
        return;
    }
    m_manager->AdvanceTo(m_job.arrival);
    m_manager->Begin(m_job);
    NextVm();
}

void
OdcnScheduling::NextVm()
{
    // Jobs consist of few kinds of VM, and a placement changes one rack only: the views of the
    // others stay valid.
    constexpr std::size_t MAX_KINDS = 8;
    const OdcnResources& vm = GetVm();
    const auto kind = std::find_if(m_kinds.begin(),
                                   m_kinds.end(),
                                   [&](const ComputeSeen& seen)
                                   { return seen.vm == vm && seen.form == m_computeState; });
    m_kind = kind - m_kinds.begin();
    if (kind == m_kinds.end())
    {
        if (m_kinds.size() < MAX_KINDS)
        {
            m_kinds.emplace_back();
        }
        else
        {
            m_kind = m_oldestKind++ % MAX_KINDS;
        }
        m_kinds[m_kind].vm = vm;
        m_kinds[m_kind].form = m_computeState;
        m_kinds[m_kind].racks.assign(GetNActions(), Seen());
    }
    m_bandwidthSeen.clear();
    m_markers.resize(GetNActions());
    ++m_decision;

    m_neighbours.clear();
    const uint32_t k = GetVmIndex();
    for (const OdcnDemand& demand : m_manager->GetDemands(k))
    {
        const bool out = demand.from == k;
        const uint32_t other = out ? demand.to : demand.from;
        const RackId rack = m_manager->GetServers().GetRack(m_manager->GetServer(other));
        auto n = std::find_if(m_neighbours.begin(),
                              m_neighbours.end(),
                              [rack](const auto& x) { return x.rack == rack; });
        if (n == m_neighbours.end())
        {
            n = m_neighbours.insert(n, {rack, 0, 0});
        }
        (out ? n->out : n->in) += demand.rate;
    }
}

RackId
OdcnScheduling::GetLastRack() const
{
    const uint32_t k = GetVmIndex();
    return k ? m_manager->GetServers().GetRack(m_manager->GetServer(k - 1)) : NO_RACK;
}

float
OdcnScheduling::ViewCompute(RackId rack) const
{
    ComputeSeen& kind = m_kinds[m_kind];
    if (kind.form != m_computeState)
    {
        kind.form = m_computeState;
        std::fill(kind.racks.begin(), kind.racks.end(), Seen());
    }
    Seen& seen = kind.racks[rack];
    const uint64_t version = m_manager->GetVersion(rack);
    if (seen.version != version)
    {
        seen = {version, FindCompute(rack)};
    }
    return seen.value;
}

float
OdcnScheduling::ViewBandwidth(RackId rack) const
{
    if (m_bandwidthSeen.empty())
    {
        m_bandwidthSeen.resize(GetNActions());
    }
    Seen& seen = m_bandwidthSeen[rack];
    const uint64_t version = m_manager->GetNetwork()->GetVersion();
    if (seen.version != version)
    {
        seen = {version, FindBandwidth(rack)};
    }
    return seen.value;
}

float
OdcnScheduling::FindCompute(RackId rack) const
{
    const OdcnComputeLedger& servers = m_manager->GetServers();
    const OdcnResources& vm = GetVm();
    const ServerId server = servers.Find(rack, vm);
    if (server == NO_SERVER)
    {
        return -1;
    }
    const auto least = [](const OdcnResources& free, const OdcnResources& capacity)
    {
        double x = 1;
        for (std::size_t i = 0; i < OdcnResources::KINDS; ++i)
        {
            if (capacity.milli[i] > 0)
            {
                x = std::min(x,
                             static_cast<double>(free.milli[i]) /
                                 static_cast<double>(capacity.milli[i]));
            }
        }
        return x;
    };
    if (m_computeState == ComputeState::RACK)
    {
        OdcnResources free = servers.GetRackFree(rack);
        free -= vm;
        return static_cast<float>(least(free, servers.GetRackCapacity(rack)));
    }
    double x = 1;
    for (uint32_t i = 0; i < servers.GetNServers(rack); ++i)
    {
        const ServerId s = rack * servers.GetServersPerRack() + i;
        OdcnResources free = servers.GetFree(s);
        if (s == server)
        {
            free -= vm;
        }
        x = std::min(x, least(free, servers.GetServerCapacity()));
    }
    return static_cast<float>(x);
}

float
OdcnScheduling::FindBandwidth(RackId rack) const
{
    const NMgr& network = *PeekPointer(m_manager->GetNetwork());
    const OdcnCircuitLedger& circuits = network.GetCircuits();
    float least = circuits.GetMinResidualFraction(rack);
    for (const auto& n : m_neighbours)
    {
        if (n.rack == rack)
        {
            continue;
        }
        const auto check = [&](RackId u, RackId v, BitRate rate)
        {
            if (rate == 0)
            {
                return true;
            }
            if (!network.Fits(u, v, rate))
            {
                return false;
            }
            const auto left = static_cast<double>(circuits.GetResidual(u, v) - rate);
            least = std::min(
                least,
                static_cast<float>(left / static_cast<double>(circuits.GetCapacity(u, v))));
            return true;
        };
        if (!check(rack, n.rack, n.out) || !check(n.rack, rack, n.in))
        {
            return -1;
        }
    }
    // Less than 0 if oversubscribed by demands staged before, or by the loss of a circuit.
    return std::max(0.0F, least);
}

float
OdcnScheduling::GetMarker(RackId rack) const
{
    const NMgr& network = *PeekPointer(m_manager->GetNetwork());
    Marker& marker = m_markers[rack];
    if (marker.decision == m_decision && marker.servers == m_manager->GetVersion(rack) &&
        marker.network == network.GetVersion())
    {
        return marker.value;
    }
    const auto fits = [&](const Neighbour& n)
    {
        return n.rack == rack || ((n.out == 0 || network.Fits(rack, n.rack, n.out)) &&
                                  (n.in == 0 || network.Fits(n.rack, rack, n.in)));
    };
    float value = -2.0F;
    if (ViewCompute(rack) >= 0)
    {
        value = std::all_of(m_neighbours.begin(), m_neighbours.end(), fits) ? 0.0F : -1.0F;
    }
    marker = {m_decision, m_manager->GetVersion(rack), network.GetVersion(), value};
    return value;
}

OdcnScheduling::RackView
OdcnScheduling::View(RackId rack) const
{
    return {ViewCompute(rack), ViewBandwidth(rack)};
}

float
OdcnScheduling::ViewAggregateBandwidth(RackId rack) const
{
    const OdcnCircuitLedger& circuits = m_manager->GetNetwork()->GetCircuits();
    BitRate capacityOut = 0;
    BitRate capacityIn = 0;
    BitRate leftOut = 0;
    BitRate leftIn = 0;
    for (RackId v = 0; v < circuits.GetNRacks(); ++v)
    {
        capacityOut += circuits.GetCapacity(rack, v);
        capacityIn += circuits.GetCapacity(v, rack);
        leftOut += circuits.GetResidual(rack, v);
        leftIn += circuits.GetResidual(v, rack);
    }
    for (const auto& n : m_neighbours)
    {
        leftOut -= n.rack == rack ? 0 : n.out;
        leftIn -= n.rack == rack ? 0 : n.in;
    }
    if (leftOut < 0 || leftIn < 0)
    {
        return -1;
    }
    const auto fraction = [](BitRate left, BitRate capacity)
    {
        return capacity
                   ? static_cast<float>(static_cast<double>(left) / static_cast<double>(capacity))
                   : 1.0F;
    };
    return std::min(fraction(leftOut, capacityOut), fraction(leftIn, capacityIn));
}

void
OdcnScheduling::Observe(float* out) const
{
    RequireBegun();
    const uint32_t n = GetNActions();
    if (m_state != State::PAPER)
    {
        const std::size_t size = std::size_t{OdcnRackFeatures::COUNT} * n;
        std::fill_n(out, size * (m_slotVms.size() + 1), 0.0F);
        float* block = out + size * OdcnRackFeatures::GetClass(*this);
        OdcnRackFeatures::Row row;
        m_features.Begin(*this);
        const uint64_t version = m_manager->GetNetwork()->GetVersion();
        for (RackId rack = 0; rack < n; ++rack)
        {
            m_features.Describe(*this, rack, row);
            m_markers[rack] = {m_decision,
                               m_manager->GetVersion(rack),
                               version,
                               row[OdcnRackFeatures::MARKER]};
            for (uint32_t f = 0; f < OdcnRackFeatures::COUNT; ++f)
            {
                block[std::size_t{f} * n + rack] = row[f];
            }
        }
        if (m_state == State::TRAFFIC)
        {
            ObserveTraffic(out + size * (m_slotVms.size() + 1));
        }
        return;
    }
    for (RackId rack = 0; rack < n; ++rack)
    {
        const RackView view = View(rack);
        out[rack] = view.compute;
        out[n + rack] = view.bandwidth;
    }
}

void
OdcnScheduling::ObserveTraffic(float* out) const
{
    const uint32_t n = GetNActions();
    const auto vms = static_cast<uint32_t>(m_job.vms.size());
    const uint32_t vm = GetVmIndex();
    const auto& servers = m_manager->GetServers();
    const double circuit =
        10.0 * static_cast<double>(m_manager->GetNetwork()->GetCircuits().GetPortRate());
    std::vector<uint32_t> degrees(vms, 0);
    double demand = 0;
    double thisComing = 0;
    float* coming = out + std::size_t{TRAFFIC_FEATURES - 1} * n;
    std::fill_n(coming, n, 0.0F);
    for (const auto& d : m_job.demands)
    {
        const double rate = static_cast<double>(d.rate) / circuit;
        const auto [first, last] = std::minmax(d.from, d.to);
        ++degrees[first];
        ++degrees[last];
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
    const auto fill = [&](uint32_t feature, double value)
    { std::fill_n(out + std::size_t{feature} * n, n, static_cast<float>(value)); };
    const double most = std::max(1.0, 2.0 * (vms - 1.0));
    fill(0, static_cast<double>(m_job.demands.size()) / std::max(1.0, vms * (vms - 1.0)));
    fill(1, degrees[vm] / most);
    fill(2, *std::max_element(degrees.begin(), degrees.end()) / most);
    fill(3, demand);
    fill(4, static_cast<double>(vms - vm) / vms);
    std::for_each(coming, coming + n, [&](float& x) { x += static_cast<float>(thisComing); });
}

void
OdcnScheduling::Mask(uint8_t* out) const
{
    RequireBegun();
    const uint32_t n = GetNActions();
    // 0: no server, 1: a server, 2: bandwidth as well.
    const auto look = [&](RackId rack) -> uint8_t
    {
        if (m_state != State::PAPER)
        {
            return static_cast<uint8_t>(2 + static_cast<int>(GetMarker(rack)));
        }
        return ViewCompute(rack) < 0 ? 0 : m_maskBandwidth && ViewBandwidth(rack) >= 0 ? 2 : 1;
    };
    uint8_t most = 0;
    for (RackId rack = 0; rack < n; ++rack)
    {
        out[rack] = look(rack);
        most = std::max(most, out[rack]);
    }
    // If no rack has both, a refusal may be better than a reconfiguration.
    const uint8_t least = !m_maskBandwidth || most == 0 ? 1 : most == 2 ? 2 : m_mayRefuse ? 0 : 1;
    for (RackId rack = 0; rack < n; ++rack)
    {
        out[rack] = out[rack] >= least;
    }
}

void
OdcnScheduling::Act(uint32_t action)
{
    RequireAction(action);
    if (!m_manager->Place(action))
    {
        bool elsewhere = false;
        for (RackId rack = 0; rack < GetNActions() && !elsewhere; ++rack)
        {
            elsewhere = ViewCompute(rack) >= 0;
        }
        const auto cause = elsewhere ? OdcnOutcome::BLOCKED_CHOICE : OdcnOutcome::BLOCKED_COMPUTE;
        const std::size_t placed = GetVmIndex();
        m_rewards.insert(m_rewards.end(), placed, 0.5F);
        m_rewards.push_back(-static_cast<float>(m_job.vms.size()));
        m_manager->Block(cause);
        EndJob(cause);
        return;
    }
    const std::size_t steps = m_job.vms.size();
    if (GetVmIndex() < steps)
    {
        NextVm();
        return;
    }
    const OdcnOutcome outcome = m_manager->Commit();
    if (outcome == OdcnOutcome::BLOCKED_BANDWIDTH)
    {
        m_rewards.insert(m_rewards.end(), steps - 1, 0.5F);
        m_rewards.push_back(-static_cast<float>(steps));
    }
    else
    {
        m_rewards.insert(m_rewards.end(), steps, GetReward(outcome));
    }
    EndJob(outcome);
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
OdcnScheduling::EndJob(OdcnOutcome outcome)
{
    m_outcome = outcome;
    ++m_nJobs;
    ++m_scoreOffered;
    m_scoreLost += outcome != OdcnOutcome::ACCEPTED;
    NextJob();
    if ((m_scoreOffered - 1) % m_latencySpacing == 0)
    {
        m_latencyNs.total += m_manager->GetNetwork()->GetMeanLatencyNs();
        m_loss.total += m_manager->GetNetwork()->GetMeanLoss();
        ++m_latencyNs.count;
        ++m_loss.count;
    }
}

OdcnOutcome
OdcnScheduling::RunJob(DecisionPolicy& policy)
{
    RequireDecision();
    for (const uint64_t job = m_nJobs; m_nJobs == job;)
    {
        Act(policy.Decide(*this));
        m_rewards.clear();
    }
    return m_outcome;
}

void
OdcnScheduling::TakeRewards(std::vector<float>& out)
{
    out.insert(out.end(), m_rewards.begin(), m_rewards.end());
    m_rewards.clear();
}

bool
OdcnScheduling::IsDone() const
{
    return m_done;
}

std::string
OdcnScheduling::GetScoreName() const
{
    return "blocked or reconfigured";
}

double
OdcnScheduling::GetScore() const
{
    return m_scoreOffered ? static_cast<double>(m_scoreLost) / static_cast<double>(m_scoreOffered)
                          : 0.0;
}

void
OdcnScheduling::ClearScore()
{
    m_scoreOffered = 0;
    m_scoreLost = 0;
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
    using Kind = FigureOfMerit::Kind;
    return {{.name = "blocking",
             .title = "blocking",
             .unit = "%",
             .scale = 100,
             .kind = Kind::SHARE,
             .compare = FigureOfMerit::Compare::DIFFERENCE},
            {.name = "reconfigurations_per_job",
             .title = "reconfigs",
             .unit = "per job",
             .kind = Kind::SHARE},
            {.name = "changed_circuits_per_job",
             .title = "circuits moved",
             .unit = "per job",
             .kind = Kind::RATIO,
             .shown = false},
            {.name = "estimated_latency_ns", .title = "latency (est.)", .unit = "ns"},
            {.name = "estimated_loss",
             .title = "loss (est.)",
             .unit = "%",
             .scale = 100,
             .shown = false},
            {.name = "cpu_utilisation",
             .title = "CPU",
             .unit = "%",
             .scale = 100,
             .higherIsBetter = true},
            {.name = "ram_utilisation",
             .title = "RAM",
             .unit = "%",
             .scale = 100,
             .higherIsBetter = true},
            {.name = "disk_utilisation",
             .title = "disk",
             .unit = "%",
             .scale = 100,
             .higherIsBetter = true}};
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

DecisionTally
OdcnScheduling::GetTally() const
{
    RequireBegun();
    const OdcnCounters& counters = m_manager->GetCounters();
    const auto count = [&](OdcnOutcome outcome)
    { return counters.outcome[static_cast<std::size_t>(outcome)]; };
    return {.offered = counters.Offered(),
            .accepted = counters.Accepted(),
            .blocked = {{"compute", count(OdcnOutcome::BLOCKED_COMPUTE)},
                        {"choice", count(OdcnOutcome::BLOCKED_CHOICE)},
                        {"bandwidth", count(OdcnOutcome::BLOCKED_BANDWIDTH)}}};
}

uint64_t
OdcnScheduling::GetNDecided() const
{
    return m_nJobs;
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
    copy->m_source = source;
    copy->m_episode = NextEpisode();
    return copy;
}

} // namespace ns3::odcn
