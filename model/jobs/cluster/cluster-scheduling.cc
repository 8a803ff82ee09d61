// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-scheduling.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterScheduling);

namespace
{

/// Unit of 1 / T_j as an integer, so that sums over jobs that come and go stay exact.
constexpr double INVERSE_UNIT = 0x1p-40;
/// Slots since the last arrival are counted up to this number.
constexpr uint32_t LONG_SINCE = 10;

/// @param job a job  @return 1 / T_j in units of INVERSE_UNIT
int64_t
GetInverse(const ClusterJob& job)
{
    return std::llround(1 / (INVERSE_UNIT * job.GetLength()));
}

} // namespace

TypeId
ClusterScheduling::GetTypeId()
{
    using C = ClusterScheduling;
    static TypeId tid =
        TypeIdOf<ClusterScheduling, DecisionProblem>("ns3::odcn::ClusterScheduling")
            .Add(Attribute("Machines", &C::m_machines, 1, 1, 100000),
                 "N, number of equal machines; a job runs on one of them.")
            .Add(Attribute("Resources", &C::m_resources, 2, 1, CLUSTER_RESOURCES),
                 "d, number of kinds of resource.")
            .Add(Attribute("Capacity", &C::m_capacity, 10, 1, CLUSTER_UNITS),
                 "r, units of each resource of a machine.")
            .Add(Attribute("Horizon", &C::m_horizon, 20, 2, 1000000),
                 "Number of time slots ahead; a job can last at most one less.")
            .Add(Attribute("JobSlots", &C::m_nSlots, 10, 1, 100000),
                 "M, number of waiting jobs that can be chosen.")
            .Add(Attribute("Backlog", &C::m_backlogSize, 60),
                 "Largest number of jobs waiting behind the slots.")
            .Add(Attribute("MaxJobSize", &C::m_maxJobSize, 10, 1, CLUSTER_UNITS),
                 "Columns of the image per slot and resource.")
            .Add(Attribute("Colours", &C::m_colours, 40, 1),
                 "Number of values that distinguish scheduled jobs in the image; 1 "
                 "only shows that a unit is taken.")
            .Add(
                Attribute("Reward",
                          &C::m_reward,
                          RewardKind::SLOWDOWN,
                          {{RewardKind::SLOWDOWN, "R1"}, {RewardKind::CYCLING_TIME, "R2"}}),
                "R1, for weighted turnaround time, or R2, for cycling time. As in the papers, jobs "
                "that are dropped or never fit cost nothing.")
            .Add(Attribute("Protocol",
                           &C::m_protocol,
                           ProtocolKind::ALL_DONE,
                           {{ProtocolKind::NO_NEW_JOB, "no-new-job"},
                            {ProtocolKind::ALL_DONE, "all-done"}}),
                 "When an episode ends: with the last time slot that has arrivals, or when "
                 "no job is left.")
            .Add(Attribute("MaxSlots", &C::m_maxSlots, 200, 1),
                 "Time slots after which an episode of all-done ends in any case.")
            .Add(Trace("Scheduled", &C::m_scheduledTrace, "PlacementTracedCallback"),
                 "A job got a place, now or later.")
            .Add(Attribute("AfterFailure",
                           &C::m_afterFailure,
                           FaultPlan::END,
                           FaultPlan::MakeAfterFailureChecker()),
                 "What becomes of a job whose machine fails: it ends (End), or waits "
                 "again, for the rest of its time slots (Replace) or all (Restart).")
            .Add(Trace("PlaceLost", &C::m_placeLostTrace, "PlaceLostTracedCallback"),
                 "The machine of a job has failed: the job is interrupted, or displaced.")
            .Add(Trace("Dropped", &C::m_droppedTrace, "JobTracedCallback"),
                 "A job was dropped since the backlog is full.")
            .Add(Trace("Impossible", &C::m_impossibleTrace, "JobTracedCallback"),
                 "A job arrived that does not fit on an empty cluster.");
    return tid;
}

ClusterScheduling::ClusterScheduling()
{
    AwaitReset();
}

void
ClusterScheduling::SetJobSource(Ptr<ClusterJobSource> source)
{
    m_source = source;
}

FaultParts
ClusterScheduling::GetFaultParts() const
{
    return {{FaultPart::SERVER, {m_machines}}};
}

void
ClusterScheduling::SetFaults(FaultSource faults)
{
    m_faultSource = std::move(faults);
}

uint32_t
ClusterScheduling::GetNActions() const
{
    return m_nSlots + 1;
}

std::vector<uint32_t>
ClusterScheduling::GetObservationShape() const
{
    const uint32_t backlogWidth = (m_backlogSize + m_horizon - 1) / m_horizon;
    return {1,
            m_horizon,
            (m_machines * m_capacity + m_nSlots * m_maxJobSize) * m_resources + backlogWidth + 1};
}

std::vector<std::string>
ClusterScheduling::GetFormAttributes() const
{
    return {"MaxJobSize", "Colours"};
}

void
ClusterScheduling::Reset()
{
    Require(static_cast<bool>(m_source), "SetJobSource() first");
    ClusterDemand capacity{};
    std::fill_n(capacity.begin(), m_resources, static_cast<uint16_t>(m_capacity));
    m_ledger = ClusterLedger(m_machines, capacity, m_horizon);
    m_slots.assign(m_nSlots, {});
    m_backlog.clear();
    m_running.clear();
    m_arrived.clear();
    m_rewards.clear();
    m_firstFinish = UINT64_MAX;
    m_done = false;
    m_now = 0;
    m_sinceArrival = 0;
    m_nWaiting = 0;
    m_inverseSum = 0;
    m_counters = {};
    m_rewardSum = 0;
    m_leftSum = 0;
    m_left = 0;
    m_dropped.clear();
    m_droppedSum = 0;
    m_scoreOrder = 0;
    m_outages.SetFaults(m_faultSource ? m_faultSource() : nullptr);
    m_outages.Restart();
    BeginEpisode();
    m_source->NextSet();
    m_hasPending = m_source->Next(m_pending);
    ChangeMachines();
    Admit();
}

int64_t
ClusterScheduling::AssignStreams(int64_t stream)
{
    Require(static_cast<bool>(m_source), "SetJobSource() first");
    return m_source->AssignStreams(stream);
}

uint64_t
ClusterScheduling::GetNWaiting() const
{
    return m_nWaiting + m_backlog.size();
}

void
ClusterScheduling::Admit()
{
    for (; m_hasPending && m_pending.arrival <= m_now; m_hasPending = m_source->Next(m_pending))
    {
        ++m_counters.offered;
        m_sinceArrival = 0;
        if (!m_ledger.CanEver(m_pending.demand, m_pending.duration))
        {
            ++m_counters.impossible;
            m_impossibleTrace(m_pending);
            continue;
        }
        m_arrived.push_back(m_pending);
        Enqueue(m_pending, m_backlog.size());
    }
}

void
ClusterScheduling::Enqueue(const ClusterJob& job, std::size_t at)
{
    if (m_nWaiting < m_nSlots)
    {
        *std::find_if(m_slots.begin(),
                      m_slots.end(),
                      [](const ClusterJob& slot) { return slot.duration == 0; }) = job;
        ++m_nWaiting;
    }
    else if (m_backlog.size() < m_backlogSize)
    {
        m_backlog.insert(m_backlog.begin() + static_cast<std::ptrdiff_t>(at), job);
    }
    else
    {
        ++m_counters.dropped;
        m_dropped.push_back(job);
        m_droppedTrace(job);
        return;
    }
    m_inverseSum += GetInverse(job);
}

void
ClusterScheduling::ChangeMachines()
{
    std::vector<ClusterJob> again;
    while (m_outages.GetNext() < static_cast<double>(m_now + 1))
    {
        const FaultTimeline::Change& change = m_outages.Take();
        if (change.failed)
        {
            Evict(change.second, again);
        }
        m_ledger.SetFailed(change.second, change.failed);
    }
    std::sort(again.begin(),
              again.end(),
              [](const ClusterJob& a, const ClusterJob& b) { return a.id < b.id; });
    m_counters.offered += again.size();
    m_counters.offeredAgain += again.size();
    std::size_t at = 0;
    for (const ClusterJob& job : again)
    {
        const std::size_t before = m_backlog.size();
        Enqueue(job, at);
        at += m_backlog.size() - before;
    }
}

void
ClusterScheduling::Evict(uint32_t machine, std::vector<ClusterJob>& again)
{
    const auto first =
        std::stable_partition(m_running.begin(),
                              m_running.end(),
                              [machine](const auto& p) { return p.machine != machine; });
    const std::vector<ClusterPlacement> hits(first, m_running.end());
    m_running.erase(first, m_running.end());
    for (const ClusterPlacement& hit : hits)
    {
        ClusterJob job = hit.job;
        const auto done = static_cast<uint32_t>(std::max(hit.start, m_now) - hit.start);
        m_inverseSum -= GetInverse(job);
        m_counters.slowdown -= hit.GetSlowdown();
        m_counters.cyclingTime -= hit.GetCyclingTime();
        m_counters.waitingTime -= hit.GetCyclingTime() - job.GetLength();
        for (const auto units : job.demand)
        {
            m_counters.work -= uint64_t{units} * (job.duration - done);
        }
        if (hit.order >= m_scoreOrder)
        {
            AddToScore(hit, -1);
        }
        ++(done > 0 ? m_counters.interrupted : m_counters.displaced);
        if (done > 0 && m_afterFailure != FaultPlan::REPLACE)
        {
            m_counters.lostSlots += job.served + done;
            job.duration += job.served;
            job.served = 0;
        }
        else
        {
            job.duration -= done;
            job.served += done;
        }
        if (done == 0 || m_afterFailure != FaultPlan::END)
        {
            again.push_back(job);
        }
        m_placeLostTrace(hit, m_now);
    }
}

bool
ClusterScheduling::Schedule(uint32_t slot)
{
    ClusterJob& job = m_slots[slot];
    const auto place = m_ledger.Reserve(job.demand, job.duration);
    if (!place)
    {
        return false;
    }
    const ClusterPlacement placement{job,
                                     m_now + place->start,
                                     place->machine,
                                     m_counters.scheduled};
    m_running.push_back(placement);
    m_firstFinish = std::min(m_firstFinish, placement.GetFinish());
    ++m_counters.scheduled;
    m_counters.slowdown += placement.GetSlowdown();
    m_counters.cyclingTime += placement.GetCyclingTime();
    m_counters.waitingTime += placement.GetCyclingTime() - job.GetLength();
    for (const auto units : job.demand)
    {
        m_counters.work += uint64_t{units} * job.duration;
    }
    AddToScore(placement, 1);
    if (m_backlog.empty())
    {
        job = {};
        --m_nWaiting;
    }
    else
    {
        job = m_backlog.front();
        m_backlog.pop_front();
    }
    m_scheduledTrace(placement);
    return true;
}

void
ClusterScheduling::Advance()
{
    ++m_now;
    m_ledger.Advance();
    m_sinceArrival = std::min(m_sinceArrival + 1, LONG_SINCE);
    if (m_now >= m_firstFinish)
    {
        m_firstFinish = UINT64_MAX;
        std::size_t kept = 0;
        for (const ClusterPlacement& placement : m_running)
        {
            if (placement.GetFinish() <= m_now)
            {
                m_inverseSum -= GetInverse(placement.job);
                ++m_counters.finished;
                continue;
            }
            m_firstFinish = std::min(m_firstFinish, placement.GetFinish());
            m_running[kept++] = placement;
        }
        m_running.resize(kept);
    }
    ChangeMachines();
    m_done = !m_hasPending && m_now >= m_source->GetSlots();
    if (m_protocol == ProtocolKind::ALL_DONE)
    {
        m_done = (m_done && m_running.empty() && GetNWaiting() == 0) || m_now > m_maxSlots;
    }
    if (!m_done)
    {
        Admit();
        return;
    }
    const auto leave = [&](const ClusterJob& job)
    {
        const ClusterPlacement placement{job, m_now, 0};
        AddToScore(placement, 1);
        m_leftSum += placement.GetSlowdown();
        ++m_left;
    };
    for (const ClusterJob& job : m_slots)
    {
        if (job.duration)
        {
            leave(job);
        }
    }
    for (const ClusterJob& job : m_backlog)
    {
        leave(job);
    }
    // Else a policy would gain by having jobs dropped.
    for (const ClusterJob& job : m_dropped)
    {
        const ClusterPlacement placement{job, m_now, 0};
        AddToScore(placement, 1);
        m_droppedSum += placement.GetSlowdown();
    }
}

void
ClusterScheduling::Act(uint32_t action)
{
    RequireAction(action);
    if (action > 0 && m_slots[action - 1].duration && Schedule(action - 1))
    {
        m_rewards.push_back(0);
        SettleRewards({});
        return;
    }
    Advance();
    const double cost = m_reward == RewardKind::SLOWDOWN
                            ? INVERSE_UNIT * static_cast<double>(m_inverseSum)
                            : static_cast<double>(m_running.size() + GetNWaiting());
    m_rewards.push_back(static_cast<float>(-cost));
    SettleRewards({.placed = false, .cause = "slot"});
    m_rewardSum += m_rewards.back();
}

void
ClusterScheduling::Mask(uint8_t* out) const
{
    RequireBegun();
    out[0] = 1;
    for (uint32_t slot = 0; slot < m_nSlots; ++slot)
    {
        const ClusterJob& job = m_slots[slot];
        out[slot + 1] = job.duration && m_ledger.Find(job.demand, job.duration);
    }
}

DecisionProblem::Bounds
ClusterScheduling::GetObservationBounds() const
{
    return {GetObservationSize(), {0.0F, 1.0F}};
}

void
ClusterScheduling::Observe(float* out) const
{
    RequireBegun();
    const uint32_t width = GetObservationShape()[2];
    std::fill_n(out, std::size_t{width} * m_horizon, 0.0F);
    const uint32_t resourceWidth = m_machines * m_capacity + m_nSlots * m_maxJobSize;

    // No job leaves a row before it has passed, so the jobs of a row lie side by side, in the order
    // in which they were scheduled.
    m_filled.assign(std::size_t{m_machines} * m_horizon, {});
    for (const ClusterPlacement& placement : m_running)
    {
        const float colour =
            static_cast<float>(placement.order % m_colours + 1) / static_cast<float>(m_colours);
        const uint64_t first = std::max(placement.start, m_now) - m_now;
        const uint64_t last = placement.GetFinish() - m_now;
        for (uint64_t row = first; row < last; ++row)
        {
            ClusterDemand& filled = m_filled[placement.machine * m_horizon + row];
            for (uint32_t resource = 0; resource < m_resources; ++resource)
            {
                const uint16_t units = placement.job.demand[resource];
                std::fill_n(out + row * width + resource * resourceWidth +
                                placement.machine * m_capacity + filled[resource],
                            units,
                            colour);
                filled[resource] = static_cast<uint16_t>(filled[resource] + units);
            }
        }
    }
    for (uint32_t machine = 0; machine < m_machines; ++machine)
    {
        for (uint32_t i = 0; m_ledger.IsFailed(machine) && i < m_horizon * m_resources; ++i)
        {
            std::fill_n(out + std::size_t{i / m_resources} * width +
                            i % m_resources * resourceWidth + machine * m_capacity,
                        m_capacity,
                        1.0F);
        }
    }
    for (uint32_t slot = 0; slot < m_nSlots; ++slot)
    {
        const ClusterJob& job = m_slots[slot];
        for (uint32_t resource = 0; resource < m_resources; ++resource)
        {
            float* block =
                out + resource * resourceWidth + m_machines * m_capacity + slot * m_maxJobSize;
            const uint32_t units = std::min<uint32_t>(job.demand[resource], m_maxJobSize);
            for (uint32_t row = 0; row < std::min(job.duration, m_horizon); ++row)
            {
                std::fill_n(block + std::size_t{row} * width, units, 1.0F);
            }
        }
    }
    const uint32_t backlogWidth = width - 1 - resourceWidth * m_resources;
    float* block = out + resourceWidth * m_resources;
    for (std::size_t i = 0; i < m_backlog.size(); ++i)
    {
        block[i / backlogWidth * width + i % backlogWidth] = 1.0F;
    }
    for (uint32_t row = 0; row < m_horizon; ++row)
    {
        out[std::size_t{row} * width + width - 1] =
            static_cast<float>(m_sinceArrival) / static_cast<float>(LONG_SINCE);
    }
}

void
ClusterScheduling::AddToScore(const ClusterPlacement& placement, int times)
{
    m_score.total += times * (m_reward == RewardKind::SLOWDOWN
                                  ? placement.GetSlowdown()
                                  : static_cast<double>(placement.GetCyclingTime()));
    m_score.count += times;
}

std::string
ClusterScheduling::GetScoreName() const
{
    return m_reward == RewardKind::SLOWDOWN ? "slowdown" : "cycling time";
}

void
ClusterScheduling::ClearScore()
{
    DecisionProblem::ClearScore();
    m_scoreOrder = m_counters.scheduled;
}

std::vector<FigureOfMerit>
ClusterScheduling::GetFigures() const
{
    using Kind = FigureOfMerit::Kind;
    std::vector<FigureOfMerit> figures{
        {.name = "slowdown_all",
         .title = "slowdown",
         .unit = "not dropped",
         .kind = Kind::RATIO,
         .compare = FigureOfMerit::Compare::DIFFERENCE},
        {.name = "slowdown_with_dropped",
         .title = "slowdown",
         .unit = "with dropped",
         .kind = Kind::RATIO,
         .shown = false},
        {.name = "slowdown",
         .title = "slowdown",
         .unit = "placed",
         .kind = Kind::RATIO,
         .compare = FigureOfMerit::Compare::DIFFERENCE},
        {.name = "cycling_time", .title = "cycling time", .unit = "slots", .kind = Kind::RATIO},
        {.name = "waiting_time", .title = "waiting", .unit = "slots", .kind = Kind::RATIO},
        FigureOfMerit::Share("unscheduled", "unscheduled", Kind::RATIO),
        {.name = "reward",
         .title = "reward",
         .unit = "of a set",
         .kind = Kind::RATIO,
         .higherIsBetter = true},
        {.name = "slots", .title = "length", .unit = "slots", .kind = Kind::RATIO}};
    if (m_faultSource)
    {
        figures.push_back(FigureOfMerit::Share("interrupted_share", "interrupted", Kind::RATIO));
        figures.push_back(FigureOfMerit::Share("displaced_share", "displaced", Kind::RATIO));
        figures.back().shown = false;
        figures.push_back(FigureOfMerit::Share("availability", "available", Kind::RATIO).Rising());
    }
    return figures;
}

std::vector<FigureValue>
ClusterScheduling::MeasureFigures() const
{
    RequireBegun();
    const auto scheduled = static_cast<double>(m_counters.scheduled);
    const auto placed = static_cast<double>(m_counters.GetPlaced());
    const auto now = static_cast<double>(m_now);
    std::vector<FigureValue> values{
        {m_counters.slowdown + m_leftSum, placed + static_cast<double>(m_left)},
        {m_counters.slowdown + m_leftSum + m_droppedSum,
         placed + static_cast<double>(m_left) +
             (m_done ? static_cast<double>(m_dropped.size()) : 0.0)},
        {m_counters.slowdown, placed},
        {static_cast<double>(m_counters.cyclingTime), placed},
        {static_cast<double>(m_counters.waitingTime), placed},
        {static_cast<double>(m_counters.offered - m_counters.scheduled),
         static_cast<double>(m_counters.offered)},
        {m_rewardSum},
        {now}};
    if (m_faultSource)
    {
        values.push_back({static_cast<double>(m_counters.interrupted), scheduled});
        values.push_back({static_cast<double>(m_counters.displaced), scheduled});
        const auto& faults = m_outages.GetFaults();
        values.push_back({faults ? now * faults->GetAvailability(now) : now, now});
    }
    return values;
}

std::vector<std::string>
ClusterScheduling::GetCauses() const
{
    return {"slot"};
}

DecisionTally
ClusterScheduling::GetTally() const
{
    RequireBegun();
    return {.offered = m_counters.offered,
            .accepted = m_counters.scheduled,
            .interrupted = m_counters.interrupted,
            .blocked = {{"impossible", m_counters.impossible}, {"dropped", m_counters.dropped}}};
}

uint64_t
ClusterScheduling::GetNDecided() const
{
    return m_counters.scheduled + m_counters.dropped + m_counters.impossible;
}

Ptr<ClusterScheduling>
ClusterScheduling::Clone(Ptr<ClusterJobSource> source) const
{
    Ptr<ClusterScheduling> copy = CopyObject<ClusterScheduling>(Ptr<const ClusterScheduling>(this));
    copy->m_source = source;
    copy->m_scheduledTrace = {};
    copy->m_placeLostTrace = {};
    copy->m_droppedTrace = {};
    copy->m_impossibleTrace = {};
    return copy;
}

} // namespace ns3::odcn
