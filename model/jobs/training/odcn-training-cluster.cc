// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-cluster.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingCluster);

namespace
{

/// Of a tag: the arrival of a job, rather than a number of its run.
constexpr uint64_t ARRIVAL = uint64_t{1} << (TrainingRun::TAG_BITS - 1);
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
                           {{FIRST_COME, "first-come"}, {BACKFILL, "backfill"}}),
                 "In which order jobs start.")
            .Add(Attribute("Placement", &T::SetPlacementName, &T::GetPlacementName, "packing"),
                 "Which free end points a job gets: text of TrainingPlacement::Create().")
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
    m_queue.clear();
    m_explain = nullptr;
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
    const std::vector<Time>& ended = m_jobs[job].iterationEnds;
    const auto count = [](const std::vector<Time>& ends)
    { return std::ranges::count_if(ends, [](const Time& end) { return !end.IsZero(); }); };
    return static_cast<uint32_t>(count(m_runs[job] ? m_runs[job]->GetIterationEnds() : ended));
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
TrainingCluster::Add(std::shared_ptr<const TrainingJob> job, Time arrival, Time estimate)
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
    m_runs.emplace_back();
}

int64_t
TrainingCluster::AssignStreams(int64_t stream)
{
    // One is kept for a placement that uses none, so that jobs have the same with any of these.
    const int64_t used = std::max<int64_t>(1, m_placement->AssignStreams(stream));
    m_stream = stream + used;
    return used + 2 * static_cast<int64_t>(m_jobs.size());
}

void
TrainingCluster::Start(std::vector<Message>& send)
{
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        const uint64_t tag = uint64_t{i} << TrainingRun::TAG_BITS | ARRIVAL;
        send.push_back({0, 0, 0, 0, tag, m_jobs[i].arrival});
    }
}

void
TrainingCluster::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    const uint32_t index = GetJobOf(message);
    if (index >= m_runs.size())
    {
        return; // disposed of meanwhile
    }
    m_now = now;
    if ((message.tag & ARRIVAL) != 0)
    {
        m_queue.push_back(index);
        StartJobs(now, send);
    }
    else if (const Ptr<TrainingRun> run = m_runs[index])
    {
        run->Receive(message, now, send);
        if (NoteEnd(index, now))
        {
            StartJobs(now, send);
        }
    }
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
        if (m_runs[i])
        {
            const Time end =
                job.estimate.IsZero() ? Time::Max() : std::max(now, job.start + job.estimate);
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
    uint32_t spare = free - needed;
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
TrainingCluster::StartJob(uint32_t index,
                          std::vector<uint32_t> places,
                          Time now,
                          std::vector<Message>& send)
{
    const std::shared_ptr<const TrainingJob> job = m_jobs[index].job;
    const Ptr<TrainingRun> run = MakeRun();
    if (m_stream >= 0)
    {
        run->AssignStreams(m_stream + 2 * int64_t{index});
    }
    run->SetExplain(m_explain);
    run->SetJob(job, places, uint64_t{index} << TrainingRun::TAG_BITS);
    for (const uint32_t place : places)
    {
        m_isUsed[place] = true;
        --m_freeOfRack[place / m_perRack];
    }
    m_free -= job->GetNRanks();
    m_jobs[index].start = now;
    m_jobs[index].places = std::move(places);
    m_runs[index] = run;
    run->Begin(now, now - m_jobs[index].arrival, send);
    NoteEnd(index, now);
}

bool
TrainingCluster::NoteEnd(uint32_t index, Time now)
{
    const Ptr<TrainingRun> run = m_runs[index];
    if (!run->IsDone())
    {
        return false;
    }
    Outcome& job = m_jobs[index];
    job.end = now;
    job.times = run->GetTimes();
    job.iterationEnds = run->GetIterationEnds();
    job.messages = run->GetNMessages();
    job.paths = run->GetPaths();
    for (const uint32_t place : job.places)
    {
        m_isUsed[place] = false;
        ++m_freeOfRack[place / m_perRack];
    }
    m_free += job.job->GetNRanks();
    m_runs[index] = nullptr;
    ++m_ended;
    m_endedTrace(job);
    return true;
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
