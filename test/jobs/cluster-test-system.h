// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_TEST_SYSTEM_H
#define CLUSTER_TEST_SYSTEM_H

/**
 * @file
 * Sets of cluster jobs from a list, and a naive model of a cluster, for the tests of
 * cluster scheduling.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/cluster-job.h"
#include "ns3/cluster-scheduling.h"

#include <deque>

namespace ns3::odcn
{

/// Jobs of a set, and its time slots.
using ClusterJobSet = std::pair<std::vector<ClusterJob>, uint64_t>;

/// Sets from a list, repeated.
class ListedSets : public ClusterJobSource
{
  public:
    /// @param sets in order
    explicit ListedSets(std::vector<ClusterJobSet> sets)
        : m_sets(std::move(sets)),
          m_set(m_sets.size() - 1)
    {
    }

    void NextSet() override
    {
        m_set = (m_set + 1) % m_sets.size();
        m_next = 0;
    }

    bool Next(ClusterJob& job) override
    {
        if (m_next == m_sets[m_set].first.size())
        {
            return false;
        }
        job = m_sets[m_set].first[m_next++];
        return true;
    }

    uint64_t GetSlots() const override
    {
        return m_sets[m_set].second;
    }

    int64_t AssignStreams(int64_t) override
    {
        return 0;
    }

  private:
    std::vector<ClusterJobSet> m_sets; //!< the list
    std::size_t m_set;                 //!< index of the present set
    std::size_t m_next{0};             //!< index of its next job
};

/// @param words type and Attributes  @return the object
template <typename T>
Ptr<T>
MakeFromWords(const std::string& words)
{
    return CreateFromText<T>("object", words);
}

/**
 * @param settings Attributes of the problem, with bars between  @param source of jobs
 * @return the problem, reset
 */
inline Ptr<ClusterScheduling>
MakeCluster(const std::string& settings, Ptr<ClusterJobSource> source)
{
    auto problem =
        MakeFromWords<ClusterScheduling>("ns3::odcn::ClusterScheduling[" + settings + "]");
    problem->SetJobSource(source);
    problem->Reset();
    return problem;
}

/// @param settings Attributes of the problem
/// @param set of jobs, repeated
/// @return the problem
inline Ptr<ClusterScheduling>
MakeCluster(const std::string& settings, const ClusterJobSet& set)
{
    return MakeCluster(settings, CreateObject<ListedSets>(std::vector{set}));
}

/// A naive cluster: every query searches the list of all jobs.
class NaiveCluster
{
  public:
    /// Sizes and settings.
    struct Sizes
    {
        uint32_t machines{1};   //!< N
        uint32_t resources{2};  //!< d
        uint32_t capacity{10};  //!< r
        uint32_t horizon{20};   //!< rows
        uint32_t slots{5};      //!< M
        uint32_t backlog{60};   //!< maximum number of jobs behind the slots
        uint64_t maxSlots{200}; //!< limit of all-done
        bool allDone{true};     //!< protocol: all-done or no-new-job
        bool countsJobs{false}; //!< reward: R2 or R1
        bool replaces{false};   //!< after a failure: Replace
        bool restarts{false};   //!< after a failure: Restart; End if neither

        /// A machine does not work in the time slots from `from` on, before `to`.
        struct Outage
        {
            uint32_t machine; //!< its index
            uint64_t from;    //!< first time slot
            uint64_t to;      //!< time slot of the repair, maybe the same
        };

        std::vector<Outage> outages; //!< in any order
    };

    /// A job and its state.
    struct Entry
    {
        ClusterJob job;      //!< the job
        bool placed{false};  //!< whether it is scheduled
        uint64_t start{0};   //!< first time slot
        uint32_t machine{0}; //!< machine it runs on
        uint32_t order{0};   //!< number of jobs scheduled before
        bool gone{false};    //!< whether it has lost its place
    };

    /// @param sizes and settings  @param set the jobs
    NaiveCluster(const Sizes& sizes, ClusterJobSet set)
        : m_sizes(sizes),
          m_set(std::move(set)),
          m_slots(sizes.slots, -1)
    {
        Arrive();
    }

    /// @param action as in ClusterScheduling  @return the reward
    double Act(uint32_t action)
    {
        if (action > 0 && m_slots[action - 1] >= 0 && Place(m_entries[m_slots[action - 1]]))
        {
            m_slots[action - 1] = -1;
            if (!m_backlog.empty())
            {
                m_slots[action - 1] = m_backlog.front();
                m_backlog.pop_front();
            }
            return 0;
        }
        ++m_now;
        ++m_since;
        Crash();
        done = m_now >= m_set.second;
        if (m_sizes.allDone)
        {
            done = (done && GetJobs().empty()) || m_now > m_sizes.maxSlots;
        }
        if (!done)
        {
            Arrive();
        }
        double reward = 0;
        for (const Entry* entry : GetJobs())
        {
            reward -= m_sizes.countsJobs ? 1 : 1.0 / entry->job.GetLength();
        }
        return reward;
    }

    /// @return the image
    std::vector<float> Observe() const
    {
        std::vector<float> image;
        const uint32_t width = (m_sizes.backlog + m_sizes.horizon - 1) / m_sizes.horizon;
        for (uint32_t row = 0; row < m_sizes.horizon; ++row)
        {
            for (uint32_t resource = 0; resource < m_sizes.resources; ++resource)
            {
                for (uint32_t machine = 0; machine < m_sizes.machines; ++machine)
                {
                    std::vector<float> units;
                    for (uint32_t n = 0; n < m_placed; ++n)
                    {
                        for (const Entry& entry : m_entries)
                        {
                            if (entry.placed && entry.order == n && entry.machine == machine &&
                                Covers(entry, m_now + row))
                            {
                                units.insert(units.end(),
                                             entry.job.demand[resource],
                                             static_cast<float>(n % 40 + 1) / 40);
                            }
                        }
                    }
                    units.resize(m_sizes.capacity, IsDown(machine) ? 1.0F : 0.0F);
                    image.insert(image.end(), units.begin(), units.end());
                }
                for (const int64_t slot : m_slots)
                {
                    for (uint32_t unit = 0; unit < 10; ++unit)
                    {
                        image.push_back(slot >= 0 && row < m_entries[slot].job.duration &&
                                        unit < m_entries[slot].job.demand[resource]);
                    }
                }
            }
            for (uint32_t i = 0; i < width; ++i)
            {
                image.push_back(row * width + i < m_backlog.size());
            }
            image.push_back(static_cast<float>(std::min<uint64_t>(m_since, 10)) / 10);
        }
        return image;
    }

    /// @return jobs that have arrived
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    bool done{false};        //!< whether the episode is over
    uint64_t dropped{0};     //!< jobs that met a full backlog
    uint64_t interrupted{0}; //!< jobs that ran on a machine that failed
    uint64_t displaced{0};   //!< jobs that had a later place there
    uint64_t lost{0};        //!< time slots for which jobs had run in vain

  private:
    /// @param entry scheduled  @param slot any  @return whether it runs then
    static bool Covers(const Entry& entry, uint64_t slot)
    {
        return !entry.gone && slot >= entry.start && slot < entry.start + entry.job.duration;
    }

    /// @param machine any  @return whether it does not work now
    bool IsDown(uint32_t machine) const
    {
        const auto hits = [&](const auto& outage)
        {
            const bool now = outage.from <= m_now && m_now < outage.to;
            return now && outage.machine == machine;
        };
        return std::any_of(m_sizes.outages.begin(), m_sizes.outages.end(), hits);
    }

    /// Let machines fail in the present slot.
    void Crash()
    {
        std::map<uint64_t, ClusterJob> again;
        for (const auto& outage : m_sizes.outages)
        {
            for (Entry& entry : m_entries)
            {
                if (outage.from != m_now || !entry.placed || entry.gone ||
                    entry.machine != outage.machine || entry.start + entry.job.duration <= m_now)
                {
                    continue;
                }
                entry.gone = true;
                ClusterJob job = entry.job;
                const bool began = entry.start < m_now;
                ++(began ? interrupted : displaced);
                const auto done = began ? static_cast<uint32_t>(m_now - entry.start) : 0;
                if (m_sizes.replaces)
                {
                    job.duration -= done;
                    job.served += done;
                }
                else
                {
                    lost += done;
                }
                if (!began || m_sizes.replaces || m_sizes.restarts)
                {
                    again[job.id] = job;
                }
            }
        }
        std::size_t front = 0;
        for (const auto& [id, job] : again)
        {
            const std::size_t before = m_backlog.size();
            Queue(job, front);
            front += m_backlog.size() - before;
        }
    }

    /// @param job to wait, if there is room  @param at its place in the backlog
    void Queue(const ClusterJob& job, std::size_t at)
    {
        const auto slot = std::find(m_slots.begin(), m_slots.end(), -1);
        if (slot == m_slots.end() && m_backlog.size() == m_sizes.backlog)
        {
            ++dropped;
            return;
        }
        const auto number = static_cast<int64_t>(m_entries.size());
        m_entries.push_back({job});
        if (slot != m_slots.end())
        {
            *slot = number;
        }
        else
        {
            m_backlog.insert(m_backlog.begin() + static_cast<std::ptrdiff_t>(at), number);
        }
    }

    /// @return jobs that have not ended
    std::vector<const Entry*> GetJobs() const
    {
        std::vector<const Entry*> jobs;
        for (const Entry& entry : m_entries)
        {
            if (!entry.gone && (!entry.placed || entry.start + entry.job.duration > m_now))
            {
                jobs.push_back(&entry);
            }
        }
        return jobs;
    }

    /// @param job any  @param start first slot  @param machine index  @return whether it fits
    bool Fits(const ClusterJob& job, uint64_t start, uint32_t machine) const
    {
        if (IsDown(machine))
        {
            return false;
        }
        for (uint64_t slot = start; slot < start + job.duration; ++slot)
        {
            for (uint32_t resource = 0; resource < m_sizes.resources; ++resource)
            {
                uint32_t units = job.demand[resource];
                for (const Entry& entry : m_entries)
                {
                    const bool here = entry.placed && entry.machine == machine;
                    units += here && Covers(entry, slot) ? entry.job.demand[resource] : 0;
                }
                if (units > m_sizes.capacity)
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// @param entry not scheduled  @return whether it could be scheduled
    bool Place(Entry& entry)
    {
        for (uint64_t start = m_now; start + entry.job.duration < m_now + m_sizes.horizon; ++start)
        {
            for (uint32_t machine = 0; machine < m_sizes.machines; ++machine)
            {
                if (Fits(entry.job, start, machine))
                {
                    entry.placed = true;
                    entry.start = start;
                    entry.machine = machine;
                    entry.order = m_placed++;
                    return true;
                }
            }
        }
        return false;
    }

    /// Add the jobs that arrive in the present slot.
    void Arrive()
    {
        for (const ClusterJob& job : m_set.first)
        {
            if (job.arrival != m_now)
            {
                continue;
            }
            m_since = 0;
            Queue(job, m_backlog.size());
        }
    }

    Sizes m_sizes;                 //!< sizes and settings
    ClusterJobSet m_set;           //!< the jobs
    std::vector<Entry> m_entries;  //!< jobs that have arrived
    std::vector<int64_t> m_slots;  //!< waiting jobs by slot; -1 for none
    std::deque<int64_t> m_backlog; //!< waiting jobs behind the slots
    uint32_t m_placed{0};          //!< number of jobs scheduled
    uint64_t m_now{0};             //!< present time slot
    uint64_t m_since{0};           //!< slots since the last arrival
};

} // namespace ns3::odcn

#endif /* CLUSTER_TEST_SYSTEM_H */
