// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-fluid.h"

#include "odcn-training-bound.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::odcn
{

TrainingSketch::TrainingSketch(const TrainingJob& job,
                               const Collective::Link& link,
                               const TrainingRun::Algorithms& algorithms)
    : name(job.GetName()),
      ranks(job.GetNRanks()),
      computation(TrainingBound::GetComputeTime(job).GetSeconds() / job.GetIterations()),
      communication(TrainingBound::GetLeastTime(job, link, algorithms).GetSeconds() /
                        job.GetIterations() -
                    computation),
      bytes(job, algorithms)
{
}

void
TrainingFluid::SetLinks(std::shared_ptr<const TrainingLinks> links)
{
    m_links = std::move(links);
    Clear();
}

void
TrainingFluid::Clear()
{
    m_jobs.clear();
    m_now = 0;
    m_isChanged = false;
}

void
TrainingFluid::Start(uint32_t id,
                     std::shared_ptr<const TrainingSketch> sketch,
                     TrainingLinks::Loads loads,
                     uint32_t iterations)
{
    Job job;
    job.id = id;
    job.communication = std::max(sketch->communication, m_links->GetTime(loads));
    job.left = sketch->computation;
    job.sketch = std::move(sketch);
    job.loads = std::move(loads);
    job.iterations = iterations;
    m_jobs.push_back(std::move(job));
}

bool
TrainingFluid::EndPart(Job& job)
{
    if (job.isCommunicating)
    {
        m_isChanged = true;
        --job.iterations;
    }
    else if (job.communication > 0)
    {
        m_isChanged = true;
        job.isCommunicating = true;
        job.left = job.communication;
        return false;
    }
    else
    {
        --job.iterations;
    }
    job.isCommunicating = false;
    job.rate = 1;
    job.left = job.sketch->computation;
    return job.iterations == 0;
}

uint32_t
TrainingFluid::Advance(double until)
{
    while (true)
    {
        if (m_isChanged)
        {
            SetRates();
        }
        std::size_t first = m_jobs.size();
        double end = until;
        for (std::size_t i = 0; i < m_jobs.size(); ++i)
        {
            const double own = m_now + m_jobs[i].left / m_jobs[i].rate;
            if (own < end || (own == end && first == m_jobs.size()))
            {
                end = own;
                first = i;
            }
        }
        for (Job& job : m_jobs)
        {
            job.left = std::max(0.0, job.left - (end - m_now) * job.rate);
        }
        m_now = end;
        if (first == m_jobs.size())
        {
            return NONE;
        }
        if (EndPart(m_jobs[first]))
        {
            const uint32_t id = m_jobs[first].id;
            m_jobs.erase(m_jobs.begin() + static_cast<std::ptrdiff_t>(first));
            return id;
        }
    }
}

void
TrainingFluid::SetRates()
{
    m_isChanged = false;
    m_used.assign(m_links->GetNLinks(), 0);
    std::vector<Job*> growing;
    for (Job& job : m_jobs)
    {
        if (job.isCommunicating)
        {
            job.rate = 1;
            growing.push_back(&job);
        }
    }
    double level = 0; // of the rates that still grow
    while (!growing.empty())
    {
        m_growth.assign(m_used.size(), 0);
        for (const Job* job : growing)
        {
            for (const auto& [link, bytes] : job->loads)
            {
                m_growth[link] += bytes / job->communication / m_links->GetCapacity(link);
            }
        }
        double step = 1 - level;
        uint32_t full = NONE;
        for (uint32_t link = 0; link < m_used.size(); ++link)
        {
            if (m_growth[link] > 0 && (1 - m_used[link]) / m_growth[link] < step)
            {
                step = std::max(0.0, (1 - m_used[link]) / m_growth[link]);
                full = link;
            }
        }
        level += step;
        if (full == NONE)
        {
            return;
        }
        for (uint32_t link = 0; link < m_used.size(); ++link)
        {
            m_used[link] += step * m_growth[link];
        }
        std::erase_if(growing,
                      [&](Job* job)
                      {
                          const bool isOn = std::ranges::any_of(job->loads,
                                                                [&](const auto& load)
                                                                { return load.first == full; });
                          job->rate = isOn ? level : job->rate;
                          return isOn;
                      });
    }
}

std::vector<double>
TrainingFluid::Estimate(const TrainingLinks& links, const std::vector<const Job*>& jobs)
{
    // Times and what links carry depend on each other; this many rounds bring them within 1 %.
    constexpr int ROUNDS = 8;
    std::vector<double> times;
    for (const Job* job : jobs)
    {
        times.push_back(job->sketch->computation + job->communication);
    }
    std::vector<double> sent(links.GetNLinks());
    std::vector<uint32_t> users(links.GetNLinks(), 0);
    for (const Job* job : jobs)
    {
        for (const auto& [link, bytes] : job->loads)
        {
            ++users[link];
        }
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        std::ranges::fill(sent, 0);
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            for (const auto& [link, bytes] : jobs[i]->loads)
            {
                sent[link] += bytes / times[i];
            }
        }
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            double communication = jobs[i]->sketch->communication;
            for (const auto& [link, bytes] : jobs[i]->loads)
            {
                const double capacity = links.GetCapacity(link);
                const double free = capacity - (sent[link] - bytes / times[i]);
                communication =
                    std::max(communication, bytes / std::max(free, capacity / users[link]));
            }
            times[i] = (times[i] + jobs[i]->sketch->computation + communication) / 2;
        }
    }
    return times;
}

} // namespace ns3::odcn
