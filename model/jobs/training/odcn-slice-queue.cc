// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-queue.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(SliceQueue);

uint64_t
SliceRun::Count(SliceRecord::Outcome outcome) const
{
    return static_cast<uint64_t>(std::ranges::count(records, outcome, &SliceRecord::outcome));
}

TypeId
SliceQueue::GetTypeId()
{
    using T = SliceQueue;
    static TypeId tid =
        TypeIdOf<SliceQueue, Object>("ns3::odcn::SliceQueue")
            .Add(Attribute("Pod", &T::m_pod, "16x16x16"), "Chips along each side of the pod")
            .Add(Attribute("Cube", &T::m_side, 4, 1, 64), "Chips along each edge of a cube")
            .Add(Attribute("Backfill",
                           &T::m_backfill,
                           NONE,
                           {{NONE, "None"}, {EASY, "Easy"}, {Backfill::ANY, "Any"}}),
                 "Jobs that start before the first one that waits: none, those that do not delay "
                 "it, or any")
            .Add(Attribute("BackfillDepth", &T::m_depth, 50),
                 "Jobs behind the first one that waits which may start before it")
            .Add(Attribute("SwitchTime", &T::m_switchTime, Time(0), Time(0)),
                 "Time in which optical switches set the circuits of a slice of several cubes: it "
                 "begins later, and pauses as long when a cube is swapped")
            .Add(Attribute("FailureTime", &T::m_failureTime, Time(0), Time(0)),
                 "Mean time after which a cube fails, exponential; 0 for never")
            .Add(Attribute("RepairTime", &T::m_repairTime, Time(0), Time(0)),
                 "Mean time after which a failed cube comes back, exponential; 0 for never")
            .Add(Trace("Changed", &T::m_changed, "ChangedTracedCallback"),
                 "A slice was allocated or freed, or a cube failed or came back.");
    return tid;
}

SliceQueue::SliceQueue()
    : m_faults(CreateObject<ExponentialRandomVariable>())
{
}

void
SliceQueue::DoDispose()
{
    m_policy = nullptr;
    m_faults = nullptr;
    Object::DoDispose();
}

SliceLedger
SliceQueue::MakeLedger() const
{
    return SliceLedger(SliceShape::Parse("Pod", m_pod), m_side);
}

int64_t
SliceQueue::AssignStreams(int64_t stream)
{
    const int64_t used = m_policy ? m_policy->AssignStreams(stream) : 0;
    m_faults->SetStream(stream + used);
    return used + 1;
}

/// The loop of a run.
class SliceQueue::Loop
{
  public:
    /// @param queue whose run it is
    /// @param jobs in order of arrival
    Loop(const SliceQueue& queue, const std::vector<SliceJob>& jobs);

    /// @return the run, when all jobs have ended
    SliceRun Run();

  private:
    /// Hours after the first arrival in which RFold's scripts look at the pod.
    static constexpr double FIRST_HOUR = 10;
    static constexpr double LAST_HOUR = 5000; //!< see FIRST_HOUR

    using End = std::pair<Time, uint32_t>; //!< of a job

    /// An event of a cube.
    struct Fault
    {
        Time time;      //!< of the event
        uint32_t cube;  //!< its number
        bool isFailure; //!< else a repair

        /// @param other another one
        /// @return order
        bool operator<(const Fault& other) const
        {
            return std::tie(time, cube, isFailure) <
                   std::tie(other.time, other.cube, other.isFailure);
        }
    };

    /// Go on to a time.
    /// @param time not in the past
    void Advance(Time time);
    /// Look at the pod, after a start or an end.
    void Observe();

    /// Report a change.
    void Report()
    {
        m_queue.m_changed(m_now, m_ledger);
    }

    /// @param job that arrives or is asked for again
    /// @param ledger to place it in
    /// @return its slice, if there is one
    std::optional<Slice> Place(uint32_t job, const SliceLedger& ledger);
    /// @param job its index
    /// @param slice that it gets
    void Start(uint32_t job, const Slice& slice);
    /// A job is not running any more.
    /// @param job its index
    /// @param outcome how it ended
    void Stop(uint32_t job, SliceRecord::Outcome outcome);
    /// @param fault that happens now
    void Happen(const Fault& fault);
    /// @param mean of a time that is drawn
    /// @param cube that fails or comes back after it; nothing for a mean of 0
    /// @param isFailure which
    void Plan(Time mean, uint32_t cube, bool isFailure);
    /// Start jobs from the queue.
    void Serve();
    /// Start jobs behind the first one.
    /// @param from index in the queue of the first to look at
    void ServeOthers(std::size_t from);
    /// @param other slice that is allocated before, until @p end
    /// @param end of it
    /// @return when there is a slice for the first job of the queue, as jobs end; Time::Max() if
    /// never
    Time FindStart(const Slice* other = nullptr, Time end = Time());
    /// @param slice any
    /// @return time in which its circuits are set
    Time GetSwitchTime(const Slice& slice) const;
    /// @param job index
    /// @param slice that it may start on now
    /// @return when it ends
    /// @throws OdcnError when that is beyond the times that ns-3 knows
    Time GetEnd(uint32_t job, const Slice& slice) const;

    const SliceQueue& m_queue;                      //!< whose run it is
    const std::vector<SliceJob>& m_jobs;            //!< in order of arrival
    SliceLedger m_ledger;                           //!< the pod
    SliceRun m_run;                                 //!< what became of the jobs
    Time m_now;                                     //!< clock of the run
    std::size_t m_arrived{0};                       //!< jobs that have arrived
    std::deque<uint32_t> m_waiting;                 //!< jobs in order
    std::set<End> m_ends;                           //!< of running jobs
    std::vector<uint64_t> m_slices;                 //!< by job, while it runs
    std::unordered_map<uint64_t, uint32_t> m_jobOf; //!< running jobs by slice
    std::set<Fault> m_faults;                       //!< to come
    uint32_t m_repairs{0};                          //!< those of them that are repairs
    bool m_isChanged{true};      //!< whether the pod has changed since the first job found no slice
    std::optional<Time> m_start; //!< FindStart(), while the pod does not change
    std::size_t m_tried{0};      //!< jobs of the queue that found no slice in the pod as it is
    double m_used{0};            //!< chip-seconds in slices
    double m_usedOfArrivals{0};  //!< m_used at the last arrival
    double m_shares{0};          //!< sum over Observe()
    uint64_t m_observations{0};  //!< number of Observe() in the hours above
};

SliceQueue::Loop::Loop(const SliceQueue& queue, const std::vector<SliceJob>& jobs)
    : m_queue(queue),
      m_jobs(jobs),
      m_ledger(queue.MakeLedger()),
      m_now(jobs.empty() ? Time() : jobs.front().arrival),
      m_slices(jobs.size())
{
    m_run.records.resize(jobs.size());
    for (uint32_t cube = 0; cube < m_ledger.GetNCubes(); ++cube)
    {
        Plan(queue.m_failureTime, cube, true);
    }
}

void
SliceQueue::Loop::Plan(Time mean, uint32_t cube, bool isFailure)
{
    if (mean.IsStrictlyPositive())
    {
        const Time after = Seconds(m_queue.m_faults->GetValue(mean.GetSeconds(), 0));
        m_faults.insert({m_now + after, cube, isFailure});
        m_repairs += !isFailure;
    }
}

void
SliceQueue::Loop::Advance(Time time)
{
    m_used += (time - m_now).GetSeconds() * m_ledger.Count().used;
    m_now = time;
}

void
SliceQueue::Loop::Observe()
{
    const double hours = (m_now - m_jobs.front().arrival).GetSeconds() / 3600;
    if (hours >= FIRST_HOUR && hours <= LAST_HOUR)
    {
        m_shares += double(m_ledger.Count().used) / m_ledger.GetNChips();
        ++m_observations;
    }
}

std::optional<Slice>
SliceQueue::Loop::Place(uint32_t job, const SliceLedger& ledger)
{
    const SliceShape& shape = m_jobs[job].shape;
    return shape.GetNChips() <= ledger.Count().free ? m_queue.m_policy->Place(ledger, shape)
                                                    : std::nullopt;
}

Time
SliceQueue::Loop::GetSwitchTime(const Slice& slice) const
{
    const auto isElsewhere = [&](uint32_t chip)
    { return m_ledger.GetCube(chip) != m_ledger.GetCube(slice.chips.front()); };
    const bool isSwitched =
        m_queue.m_policy->IsSwitched() && std::ranges::any_of(slice.chips, isElsewhere);
    return isSwitched ? m_queue.m_switchTime : Time(0);
}

Time
SliceQueue::Loop::GetEnd(uint32_t job, const Slice& slice) const
{
    const Time switching = GetSwitchTime(slice);
    if (m_jobs[job].duration > Time::Max() - m_now - switching)
    {
        throw OdcnError("job " + std::to_string(m_jobs[job].id) + ": found an end beyond " +
                        FormatNumber(Time::Max().GetSeconds()) +
                        " s, expected a coarser Time::SetResolution()");
    }
    return m_now + switching + m_jobs[job].duration;
}

void
SliceQueue::Loop::Start(uint32_t job, const Slice& slice)
{
    m_slices[job] = m_ledger.Allocate(slice);
    m_jobOf[m_slices[job]] = job;
    SliceRecord& record = m_run.records[job];
    record.start = m_now;
    record.end = GetEnd(job, slice);
    record.isJoined = slice.isJoined;
    m_ends.emplace(record.end, job);
    m_start.reset();
    Observe();
    Report();
}

void
SliceQueue::Loop::Stop(uint32_t job, SliceRecord::Outcome outcome)
{
    SliceRecord& record = m_run.records[job];
    m_ends.erase({record.end, job});
    m_jobOf.erase(m_slices[job]);
    record.outcome = outcome;
    record.end = m_now;
    m_isChanged = true;
    Observe();
}

void
SliceQueue::Loop::Happen(const Fault& fault)
{
    m_isChanged = true;
    if (!fault.isFailure)
    {
        --m_repairs;
        m_ledger.Repair(fault.cube);
        Plan(m_queue.m_failureTime, fault.cube, true);
        Report();
        return;
    }
    ++m_run.failures;
    for (const auto& loss : m_ledger.Fail(fault.cube, m_queue.m_policy->IsSwitched()))
    {
        const uint32_t job = m_jobOf.at(loss.slice);
        if (!loss.isSwapped)
        {
            Stop(job, SliceRecord::Outcome::INTERRUPTED);
            continue;
        }
        SliceRecord& record = m_run.records[job];
        m_ends.erase({record.end, job});
        record.end += m_queue.m_switchTime;
        ++record.swaps;
        m_ends.emplace(record.end, job);
    }
    Plan(m_queue.m_repairTime, fault.cube, false);
    Report();
}

Time
SliceQueue::Loop::FindStart(const Slice* other, Time end)
{
    SliceLedger ledger = m_ledger;
    std::set<std::pair<Time, uint64_t>> ends;
    for (const auto& [time, job] : m_ends)
    {
        ends.emplace(time, m_slices[job]);
    }
    if (other)
    {
        ends.emplace(end, ledger.Allocate(*other));
    }
    for (auto next = ends.begin(); next != ends.end();)
    {
        const Time time = next->first;
        for (; next != ends.end() && next->first == time; ++next)
        {
            ledger.Free(next->second);
        }
        if (Place(m_waiting.front(), ledger))
        {
            return time;
        }
    }
    return Time::Max();
}

void
SliceQueue::Loop::ServeOthers(std::size_t from)
{
    const std::size_t last = std::min<std::size_t>(m_waiting.size(), 1 + size_t(m_queue.m_depth));
    for (std::size_t i = std::max<std::size_t>(from, 1); i < last && i < m_waiting.size();)
    {
        const uint32_t job = m_waiting[i];
        const auto slice = Place(job, m_ledger);
        bool mayStart = slice.has_value();
        if (mayStart && m_queue.m_backfill == EASY)
        {
            if (!m_start)
            {
                m_start = FindStart();
            }
            const Time end = GetEnd(job, *slice);
            mayStart = end <= *m_start || FindStart(&*slice, end) <= *m_start;
        }
        if (!mayStart)
        {
            ++i;
            continue;
        }
        m_waiting.erase(m_waiting.begin() + std::ptrdiff_t(i));
        Start(job, *slice);
    }
    m_tried = m_waiting.size();
}

void
SliceQueue::Loop::Serve()
{
    while (!m_waiting.empty() && m_isChanged)
    {
        const uint32_t job = m_waiting.front();
        const auto slice = Place(job, m_ledger);
        if (slice)
        {
            m_waiting.pop_front();
            Start(job, *slice);
            continue;
        }
        const bool mayWait = m_queue.m_policy->MayWait(m_ledger, m_jobs[job].shape);
        if (!mayWait || (m_ends.empty() && m_repairs == 0))
        {
            m_waiting.pop_front();
            m_run.records[job].start = m_now;
            m_run.records[job].end = m_now;
            continue;
        }
        m_isChanged = false;
        m_tried = 0;
        m_start.reset();
    }
    if (m_waiting.empty())
    {
        m_isChanged = true;
        m_tried = 0;
    }
    else if (m_queue.m_backfill != NONE)
    {
        ServeOthers(m_tried);
    }
}

SliceRun
SliceQueue::Loop::Run()
{
    while (m_arrived < m_jobs.size() || !m_ends.empty() || !m_waiting.empty())
    {
        Time next = Time::Max();
        if (m_arrived < m_jobs.size())
        {
            next = m_jobs[m_arrived].arrival;
        }
        if (!m_ends.empty())
        {
            next = std::min(next, m_ends.begin()->first);
        }
        if (!m_faults.empty())
        {
            next = std::min(next, m_faults.begin()->time);
        }
        Advance(next);
        while (!m_ends.empty() && m_ends.begin()->first == m_now)
        {
            const uint32_t job = m_ends.begin()->second;
            m_ledger.Free(m_slices[job]);
            Stop(job, SliceRecord::Outcome::COMPLETED);
            Report();
        }
        while (!m_faults.empty() && m_faults.begin()->time == m_now)
        {
            const Fault fault = *m_faults.begin();
            m_faults.erase(m_faults.begin());
            Happen(fault);
        }
        while (m_arrived < m_jobs.size() && m_jobs[m_arrived].arrival == m_now)
        {
            m_waiting.push_back(static_cast<uint32_t>(m_arrived++));
            m_usedOfArrivals = m_used;
        }
        Serve();
    }
    if (!m_jobs.empty())
    {
        Time end = m_jobs.front().arrival;
        for (const SliceRecord& record : m_run.records)
        {
            end = std::max(end, record.end);
        }
        const auto share = [&](double used, Time until)
        {
            const double seconds = (until - m_jobs.front().arrival).GetSeconds();
            return seconds > 0 ? used / seconds / m_ledger.GetNChips() : 0;
        };
        m_run.utilisation = share(m_used, end);
        m_run.utilisationOfArrivals = share(m_usedOfArrivals, m_jobs.back().arrival);
    }
    m_run.utilisationOfEvents =
        m_observations > 0 ? m_shares / double(m_observations) : std::nan("");
    return m_run;
}

SliceRun
SliceQueue::Run(const std::vector<SliceJob>& jobs)
{
    if (!m_policy)
    {
        throw OdcnError("SliceQueue: no policy, expected one of SetPolicy()");
    }
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const std::string name = "job " + std::to_string(jobs[i].id);
        if (i > 0 && jobs[i].arrival < jobs[i - 1].arrival)
        {
            throw OdcnError(name + ": arrives before the one above, expected jobs in order");
        }
        if (!jobs[i].duration.IsStrictlyPositive())
        {
            throw OdcnError(name + ": no duration, expected one above 0");
        }
    }
    return Loop(*this, jobs).Run();
}

} // namespace ns3::odcn
