// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-cluster.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-variable-copy.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingCluster);

namespace
{

/// Of a tag: an event rather than a number of a run.
constexpr uint64_t EVENT = uint64_t{1} << (TrainingRun::TAG_BITS - 1);
/// Where in a tag stands the part of the job, between two failures.
constexpr uint32_t PART_SHIFT = 32;
/// How many parts a tag can tell.
constexpr uint32_t N_PARTS = 1 << 7;
/// Attributes of TrainingRun that are random, in the order of their streams.
constexpr std::array<const char*, 2> FACTORS{"Jitter", "Straggling"};
/// Of an end point without a job.
constexpr uint32_t NO_JOB = UINT32_MAX;
/// Most jobs, whose indices stand in tags.
constexpr std::size_t MAX_JOBS = std::size_t{1} << 23;

} // namespace

TypeId
TrainingCluster::GetTypeId()
{
    using T = TrainingCluster;
    static TypeId tid =
        TypeIdOf<TrainingCluster, Object>("ns3::odcn::TrainingCluster")
            .Add(Attribute("Queue",
                           &T::m_queueing,
                           FIRST_COME,
                           {{FIRST_COME, "first-come"},
                            {BACKFILL, "backfill"},
                            {PRIORITY, "priority"},
                            {SHORTEST, "shortest-remaining"}}),
                 "In which order jobs start; the last two preempt, at checkpoints.")
            .Add(Attribute("Placement", &T::SetPlacementName, &T::GetPlacementName, "packing"),
                 "Which free end points a job gets: text of TrainingPlacement::Create().")
            .Add(Attribute("CheckpointIterations", &T::m_checkpointIterations, 0),
                 "Iterations of a job between checkpoints; 0 for no checkpoints.")
            .Add(Attribute("CheckpointTime", &T::m_checkpointTime, Time(0), Time(0)),
                 "Time in which a checkpoint is written; no rank computes meanwhile.")
            .Add(Attribute("RestartTime", &T::m_restartTime, Time(0), Time(0)),
                 "Time before a job goes on after a failure, a preemption or a migration.")
            .Add(Attribute("Migration", &T::m_migration, false),
                 "Whether jobs are moved to fewer racks, at checkpoints.")
            .Add(Attribute("Failures", &T::m_failures),
                 "Time from the start or a repair to the failure of an end point, s; none for "
                 "never.")
            .Add(Attribute("Repairs", &T::m_repairs),
                 "Time from a failure to the repair of an end point, s; none for 0.")
            .Add(Trace("Ended", &T::m_endedTrace, "EndedTracedCallback"), "A job has ended.");
    return tid;
}

TrainingCluster::TrainingCluster()
{
    m_factory.SetTypeId(TrainingRun::GetTypeId());
}

TrainingCluster::~TrainingCluster() = default;

void
TrainingCluster::DoDispose()
{
    for (const Ptr<TrainingRun>& run : m_runs)
    {
        if (run)
        {
            run->Dispose();
        }
    }
    m_runs.clear();
    m_states.clear();
    m_failures = nullptr;
    m_repairs = nullptr;
    m_queue.clear();
    m_explain = nullptr;
    m_scheduler = nullptr;
    m_placement = nullptr;
    Object::DoDispose();
}

void
TrainingCluster::SetEndPoints(uint32_t endPoints, uint32_t perRack)
{
    if (endPoints == 0 || perRack == 0 || !m_isUsed.empty())
    {
        throw OdcnError("TrainingCluster: " + std::to_string(endPoints) + " end points, " +
                        std::to_string(perRack) +
                        " in a rack: expected 1 or more of both, set once");
    }
    m_perRack = perRack;
    m_free = endPoints;
    m_isUsed.assign(endPoints, false);
    m_jobAt.assign(endPoints, NO_JOB);
    m_freeOfRack.assign((endPoints - 1) / perRack + 1, perRack);
    m_freeOfRack.back() -= static_cast<uint32_t>(m_freeOfRack.size()) * perRack - endPoints;
}

void
TrainingCluster::SetPlacement(Ptr<TrainingPlacement> placement)
{
    m_placement = placement;
    m_placementName = placement->GetInstanceTypeId().GetName();
}

void
TrainingCluster::SetPlacementName(const std::string& name)
{
    m_placement = TrainingPlacement::Create(name);
    m_placementName = name;
}

std::string
TrainingCluster::GetPlacementName() const
{
    return m_placementName;
}

uint32_t
TrainingCluster::CountIterations(uint32_t job) const
{
    const std::vector<Time> ends =
        m_runs[job] ? m_runs[job]->GetIterationEnds() : std::vector<Time>();
    const auto count = std::ranges::count_if(ends, [](const Time& end) { return !end.IsZero(); });
    return static_cast<uint32_t>(m_jobs[job].iterationEnds.size() + count);
}

TrainingRun::Algorithms
TrainingCluster::GetAlgorithms() const
{
    return m_factory.Create<TrainingRun>()->GetAlgorithms();
}

void
TrainingCluster::SetRunAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
TrainingCluster::SetExplain(TrainingRun::Explain explain)
{
    m_explain = std::move(explain);
}

void
TrainingCluster::SetScheduler(Scheduler scheduler)
{
    m_scheduler = std::move(scheduler);
}

void
TrainingCluster::Add(std::shared_ptr<const TrainingJob> job,
                     Time arrival,
                     Time estimate,
                     int32_t priority)
{
    if (job->GetNRanks() > m_isUsed.size() || arrival.IsStrictlyNegative() ||
        m_jobs.size() == MAX_JOBS)
    {
        throw OdcnError("TrainingCluster: job " + job->GetName() + " of " +
                        std::to_string(job->GetNRanks()) + " ranks at " +
                        std::to_string(arrival.GetSeconds()) + " s: expected at most " +
                        std::to_string(m_isUsed.size()) +
                        " ranks, as there are end points, and a time of 0 or more");
    }
    m_jobs.push_back({std::move(job), arrival, estimate});
    m_jobs.back().priority = priority;
    m_runs.emplace_back();
    m_states.emplace_back();
}

int64_t
TrainingCluster::AssignStreams(int64_t stream)
{
    // One is kept for a placement that uses none, so that jobs have the same with any of these.
    int64_t used = std::max<int64_t>(1, m_placement->AssignStreams(stream));
    for (const Ptr<RandomVariableStream>& variable : {m_failures, m_repairs})
    {
        if (variable)
        {
            variable->SetStream(stream + used++);
        }
    }
    m_stream = stream + used;
    return used + 2 * static_cast<int64_t>(m_jobs.size());
}

Message
TrainingCluster::MakeEvent(uint32_t index, Event event, Time time) const
{
    const bool isPlace = event == FAILED || event == REPAIRED;
    const uint32_t part = isPlace ? 0 : m_states[index].part;
    const uint32_t place = isPlace ? index : 0;
    const uint64_t tag =
        uint64_t{index} << TrainingRun::TAG_BITS | EVENT | uint64_t{part} << PART_SHIFT | event;
    return {0, place, place, 0, tag, time};
}

Time
TrainingCluster::Draw(const Ptr<RandomVariableStream>& variable)
{
    const double seconds = variable ? variable->GetValue() : 0;
    if (!(seconds >= 0))
    {
        throw OdcnError("TrainingCluster: found " + std::to_string(seconds) +
                        " s between failures or for a repair, expected 0 or more");
    }
    // Half of the longest time, which the present one is added to.
    return Seconds(std::min(seconds, Time::Max().GetSeconds() / 2));
}

void
TrainingCluster::Start(std::vector<Message>& send)
{
    if (m_scheduler && (m_failures || m_checkpointIterations > 0))
    {
        throw OdcnError(std::string("TrainingCluster: found a scheduler together with ") +
                        (m_failures ? "Failures" : "CheckpointIterations") +
                        ", expected none: it does not command failures and checkpoints");
    }
    for (uint32_t i = 0; i < m_jobs.size(); ++i)
    {
        send.push_back(MakeEvent(i, ARRIVED, m_jobs[i].arrival));
    }
    for (uint32_t place = 0; m_failures && place < m_isUsed.size(); ++place)
    {
        send.push_back(MakeEvent(place, FAILED, Draw(m_failures)));
    }
}

bool
TrainingCluster::IsOfRun(const Message& message)
{
    return (message.tag & EVENT) == 0;
}

void
TrainingCluster::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    const uint32_t index = GetJobOf(message);
    const auto event = static_cast<Event>(message.tag & UINT32_MAX);
    const bool isEvent = !IsOfRun(message);
    const bool isPlace = isEvent && (event == FAILED || event == REPAIRED);
    if (m_runs.empty() || (!isPlace && index >= m_runs.size()))
    {
        return; // disposed of meanwhile
    }
    m_now = now;
    if (isPlace)
    {
        if (!IsDone())
        {
            if (event == FAILED)
            {
                Fail(index, now);
                send.push_back(MakeEvent(index, REPAIRED, now + Draw(m_repairs)));
            }
            else
            {
                --m_failed;
                SetUsed(index, false);
                send.push_back(MakeEvent(index, FAILED, now + Draw(m_failures)));
            }
            StartJobs(now, send);
        }
        return;
    }
    State& state = m_states[index];
    if (const uint32_t part = (message.tag >> PART_SHIFT) % N_PARTS; part != state.part)
    {
        // Of a run that a failure has stopped.
        if (const auto aborted = state.aborted.find(part); --aborted->second == 0)
        {
            state.aborted.erase(aborted);
        }
        return;
    }
    const Ptr<TrainingRun> run = m_runs[index];
    if (!isEvent)
    {
        if (run)
        {
            run->Receive(message, now, send);
            if (NoteEnd(index, now, send))
            {
                StartJobs(now, send);
            }
        }
        return;
    }
    switch (event)
    {
    case ARRIVED:
        state.phase = COMING;
        if (!Ask(ARRIVAL, 1, MakeEvent(index, DECIDED, now)))
        {
            return;
        }
        [[fallthrough]];
    case DECIDED:
        Enqueue(index, now);
        break;
    case STARTED:
        StartRanks(index, now, send);
        break;
    case LEFT:
        state.phase = AWAY;
        FreePlaces(index);
        break;
    case RESUMED:
        m_jobs[index].times.Add(TrainingTimes::RESTART, now - state.since);
        Run(index, now, send);
        break;
    default:
        NoteSaved(index, now, send);
    }
    StartJobs(now, send); // what runs may have taken no time
}

bool
TrainingCluster::GoesBefore(uint32_t a, uint32_t b) const
{
    if (m_queueing == PRIORITY)
    {
        return m_jobs[a].priority > m_jobs[b].priority;
    }
    const auto getLeft = [&](uint32_t index)
    {
        const Outcome& job = m_jobs[index];
        const uint32_t left = job.job->GetIterations() - m_states[index].saved;
        return job.estimate.IsZero()
                   ? std::numeric_limits<double>::infinity()
                   : double(job.estimate.GetTimeStep()) * left / job.job->GetIterations();
    };
    return m_queueing == SHORTEST && getLeft(a) < getLeft(b);
}

void
TrainingCluster::Enqueue(uint32_t index, Time now)
{
    State& state = m_states[index];
    const bool isNew = m_jobs[index].start.IsStrictlyNegative();
    const auto goesBefore = [&](uint32_t other)
    {
        // Those that come now are in order.
        return GoesBefore(index, other) ||
               (!isNew && !GoesBefore(other, index) &&
                std::pair(m_jobs[index].arrival, index) < std::pair(m_jobs[other].arrival, other));
    };
    m_queue.insert(std::find_if(m_queue.begin(), m_queue.end(), goesBefore), index);
    state.phase = WAITING;
    state.since = isNew ? m_jobs[index].arrival : now;
}

void
TrainingCluster::StartJobs(Time now, std::vector<Message>& send)
{
    while (!m_queue.empty() && m_jobs[m_queue.front()].job->GetNRanks() <= m_free)
    {
        const uint32_t index = m_queue.front();
        std::vector<uint32_t> places = ChoosePlaces(index);
        if (places.empty())
        {
            break;
        }
        m_queue.pop_front();
        StartJob(index, std::move(places), now, send);
    }
    if (m_queueing == BACKFILL && m_queue.size() > 1)
    {
        Backfill(now, send);
    }
}

void
TrainingCluster::Backfill(Time now, std::vector<Message>& send)
{
    // When the first job can start at the latest, and the end points that are then left.
    std::vector<std::pair<Time, uint32_t>> ends;
    for (uint32_t i = 0; i < m_jobs.size(); ++i)
    {
        const Outcome& job = m_jobs[i];
        if (HasPlaces(i))
        {
            const Time start = job.start.IsStrictlyNegative() ? now : job.start;
            const Time end =
                job.estimate.IsZero() ? Time::Max() : std::max(now, start + job.estimate);
            ends.emplace_back(end, job.job->GetNRanks());
        }
    }
    std::sort(ends.begin(), ends.end());
    const uint32_t needed = m_jobs[m_queue.front()].job->GetNRanks();
    uint32_t free = m_free;
    Time start = now;
    for (std::size_t i = 0; i < ends.size() && free < needed; ++i)
    {
        start = ends[i].first;
        free += ends[i].second;
    }
    // Failed end points may be missing.
    start = free < needed ? Time::Max() : start;
    uint32_t spare = free - std::min(free, needed);
    for (std::size_t i = 1; i < m_queue.size();)
    {
        const uint32_t index = m_queue[i];
        const Outcome& job = m_jobs[index];
        const uint32_t ranks = job.job->GetNRanks();
        const bool isInTime = job.estimate.IsStrictlyPositive() && now + job.estimate <= start;
        std::vector<uint32_t> places;
        if (ranks <= m_free && job.estimate.IsStrictlyPositive() && (isInTime || ranks <= spare))
        {
            places = ChoosePlaces(index);
        }
        if (places.empty())
        {
            ++i;
            continue;
        }
        spare -= isInTime ? 0 : ranks;
        m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(i));
        StartJob(index, std::move(places), now, send);
    }
}

void
TrainingCluster::SetUsed(uint32_t place, bool isUsed)
{
    m_isUsed[place] = isUsed;
    m_free += isUsed ? -1 : 1;
    m_freeOfRack[place / m_perRack] += isUsed ? -1 : 1;
}

void
TrainingCluster::TakePlaces(uint32_t index, std::vector<uint32_t> places)
{
    for (const uint32_t place : places)
    {
        SetUsed(place, true);
        m_jobAt[place] = index;
    }
    m_jobs[index].places = std::move(places);
}

void
TrainingCluster::FreePlaces(uint32_t index)
{
    for (const uint32_t place : m_jobs[index].places)
    {
        SetUsed(place, false);
        m_jobAt[place] = NO_JOB;
    }
}

void
TrainingCluster::StartJob(uint32_t index,
                          std::vector<uint32_t> places,
                          Time now,
                          std::vector<Message>& send)
{
    TakePlaces(index, std::move(places));
    const uint32_t ranks = m_jobs[index].job->GetNRanks();
    m_states[index].phase = STARTING;
    if (Ask(START, ranks, MakeEvent(index, STARTED, now)))
    {
        StartRanks(index, now, send);
    }
}

void
TrainingCluster::StartRanks(uint32_t index, Time now, std::vector<Message>& send)
{
    Outcome& job = m_jobs[index];
    job.times.Add(TrainingTimes::QUEUE, now - m_states[index].since);
    if (job.start.IsStrictlyNegative())
    {
        job.start = now;
        Run(index, now, send);
    }
    else
    {
        Pause(index, now, send);
    }
}

void
TrainingCluster::Pause(uint32_t index, Time now, std::vector<Message>& send)
{
    m_states[index].phase = PAUSED;
    m_states[index].since = now;
    send.push_back(MakeEvent(index, RESUMED, now + m_restartTime));
}

void
TrainingCluster::SetFactors(uint32_t index, TrainingRun& run)
{
    for (std::size_t i = 0; i < FACTORS.size(); ++i)
    {
        Ptr<RandomVariableStream>& own = m_states[index].factors[i];
        if (!own) // the runs after a checkpoint go on with the numbers of the first one
        {
            PointerValue all;
            run.GetAttribute(FACTORS[i], all);
            own = CopyVariable(all.Get<RandomVariableStream>(), FACTORS[i]);
        }
        if (own)
        {
            run.SetAttribute(FACTORS[i], PointerValue(own));
        }
    }
}

void
TrainingCluster::Run(uint32_t index, Time now, std::vector<Message>& send)
{
    State& state = m_states[index];
    const Outcome& job = m_jobs[index];
    const bool isFirst = state.saved == 0 && job.failures == 0;
    const uint32_t left = job.job->GetIterations() - state.saved;
    const uint32_t most = m_checkpointIterations > 0 ? m_checkpointIterations : left;
    const Ptr<TrainingRun> run = MakeRun();
    SetFactors(index, *run);
    if (m_stream >= 0 && isFirst)
    {
        run->AssignStreams(m_stream + 2 * int64_t{index});
    }
    run->SetExplain(m_explain);
    run->SetIterations(state.saved, std::min(left, most));
    run->SetJob(job.job,
                job.places,
                uint64_t{index} << TrainingRun::TAG_BITS | uint64_t{state.part} << PART_SHIFT);
    state.phase = RUNNING;
    state.since = now;
    m_runs[index] = run;
    run->Begin(now, Time(0), send);
    NoteEnd(index, now, send);
}

bool
TrainingCluster::NoteEnd(uint32_t index, Time now, std::vector<Message>& send)
{
    const Ptr<TrainingRun> run = m_runs[index];
    if (!run->IsDone())
    {
        return false;
    }
    Outcome& job = m_jobs[index];
    State& state = m_states[index];
    state.times = run->GetTimes();
    state.ends.clear();
    for (const Time& end : run->GetIterationEnds())
    {
        state.ends.push_back(state.since - job.start + end);
    }
    job.messages += run->GetNMessages();
    if (state.saved == 0 && job.failures == 0)
    {
        job.paths = run->GetPaths();
    }
    m_runs[index] = nullptr;
    if (state.saved + state.ends.size() < job.job->GetIterations())
    {
        state.phase = SAVING;
        state.saving = now;
        send.push_back(MakeEvent(index, SAVED, now + m_checkpointTime));
        return false;
    }
    job.end = now;
    job.times.Add(state.times);
    job.iterationEnds.insert(job.iterationEnds.end(), state.ends.begin(), state.ends.end());
    state.phase = LEAVING;
    const bool isDecided = Ask(END, 1, MakeEvent(index, LEFT, now));
    if (isDecided)
    {
        state.phase = AWAY;
        FreePlaces(index);
    }
    ++m_ended;
    m_endedTrace(job);
    return isDecided;
}

void
TrainingCluster::NoteSaved(uint32_t index, Time now, std::vector<Message>& send)
{
    Outcome& job = m_jobs[index];
    State& state = m_states[index];
    job.times.Add(state.times);
    job.times.Add(TrainingTimes::CHECKPOINT, now - state.saving);
    job.iterationEnds.insert(job.iterationEnds.end(), state.ends.begin(), state.ends.end());
    state.saved += static_cast<uint32_t>(state.ends.size());
    if (Yields(index))
    {
        ++job.preemptions;
        FreePlaces(index);
        Enqueue(index, now);
    }
    else if (m_migration && Migrate(index))
    {
        ++job.migrations;
        Pause(index, now, send);
    }
    else
    {
        Run(index, now, send);
    }
}

bool
TrainingCluster::Yields(uint32_t index) const
{
    return std::any_of(m_queue.begin(),
                       m_queue.end(),
                       [&](uint32_t waiting)
                       {
                           uint32_t free = m_free;
                           for (uint32_t i = 0; i < m_jobs.size(); ++i)
                           {
                               const bool yields = HasPlaces(i) && GoesBefore(waiting, i);
                               free += yields ? m_jobs[i].job->GetNRanks() : 0;
                           }
                           return GoesBefore(waiting, index) &&
                                  m_jobs[waiting].job->GetNRanks() <= free;
                       });
}

bool
TrainingCluster::Migrate(uint32_t index)
{
    const auto countRacks = [&](const std::vector<uint32_t>& places)
    {
        std::set<uint32_t> racks;
        for (const uint32_t place : places)
        {
            racks.insert(place / m_perRack);
        }
        return racks.size();
    };
    const std::vector<uint32_t> old = m_jobs[index].places;
    FreePlaces(index);
    std::vector<uint32_t> places = ChoosePlaces(index);
    const bool isBetter = !places.empty() && countRacks(places) < countRacks(old);
    TakePlaces(index, isBetter ? std::move(places) : old);
    return isBetter;
}

void
TrainingCluster::Fail(uint32_t place, Time now)
{
    const uint32_t index = m_jobAt[place];
    if (index != NO_JOB)
    {
        Outcome& job = m_jobs[index];
        State& state = m_states[index];
        Abort(index);
        const bool isPaused = state.phase == PAUSED;
        job.times.Add(isPaused ? TrainingTimes::RESTART : TrainingTimes::LOST, now - state.since);
        ++job.failures;
        if (m_runs[index])
        {
            job.messages += m_runs[index]->GetNMessages();
            m_runs[index]->Dispose();
            m_runs[index] = nullptr;
        }
        FreePlaces(index);
        Enqueue(index, now);
    }
    SetUsed(place, true);
    ++m_failed;
}

void
TrainingCluster::Abort(uint32_t index)
{
    State& state = m_states[index];
    // Without a run, the end of a pause or of a checkpoint is under way.
    const uint64_t underWay = m_runs[index] ? m_runs[index]->CountUnderWay() : 1;
    uint32_t next = (state.part + 1) % N_PARTS;
    while (next != state.part && state.aborted.contains(next))
    {
        next = (next + 1) % N_PARTS;
    }
    if (next == state.part)
    {
        throw OdcnError("TrainingCluster: job " + m_jobs[index].job->GetName() + " has failed " +
                        std::to_string(m_jobs[index].failures + 1) + " times: messages of " +
                        std::to_string(N_PARTS) +
                        " failed runs of it are under way, expected fewer");
    }
    state.aborted[state.part] = underWay;
    state.part = next;
}

std::vector<uint32_t>
TrainingCluster::ChoosePlaces(uint32_t index)
{
    const TrainingJob& job = *m_jobs[index].job;
    std::vector<uint32_t> places = m_placement->Choose(*this, index);
    std::vector<uint32_t> sorted = places;
    std::sort(sorted.begin(), sorted.end());
    const bool isFree =
        std::all_of(sorted.begin(),
                    sorted.end(),
                    [&](uint32_t place) { return place < m_isUsed.size() && !m_isUsed[place]; });
    const bool isTwice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    if (!places.empty() && (places.size() != job.GetNRanks() || !isFree || isTwice))
    {
        throw OdcnError("placement " + m_placementName + ": found " +
                        std::to_string(places.size()) + " end points for job " + job.GetName() +
                        (isTwice  ? ", one of them twice"
                         : isFree ? ""
                                  : ", not all of them free") +
                        "; expected " + std::to_string(job.GetNRanks()) + " different free ones");
    }
    if (places.empty() && m_free == m_isUsed.size())
    {
        throw OdcnError("placement " + m_placementName + ": no end points for job " +
                        job.GetName() + ", though all are free; expected " +
                        std::to_string(job.GetNRanks()));
    }
    return places;
}

std::string
TrainingCluster::DescribeUnfinished() const
{
    if (IsDone())
    {
        return "";
    }
    std::string text = std::to_string(m_jobs.size() - m_ended) + " of " +
                       std::to_string(m_jobs.size()) + " jobs have not ended, " +
                       std::to_string(m_queue.size()) + " of them wait for end points";
    const std::pair<Phase, const char*> undecided[]{{COMING, " for a decision on their arrival"},
                                                    {STARTING, " for the command to start"},
                                                    {LEAVING, " more for a decision on their end"}};
    for (const auto& [phase, what] : undecided)
    {
        if (const auto count = std::ranges::count(m_states, phase, &State::phase); count > 0)
        {
            text += ", " + std::to_string(count) + what;
        }
    }
    for (const Ptr<TrainingRun>& run : m_runs)
    {
        if (run)
        {
            return text + "; " + run->DescribeUnfinished();
        }
    }
    return text;
}

} // namespace ns3::odcn
