// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-turnaround-bound.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

namespace ns3::odcn
{

namespace
{

/**
 * @param jobs the jobs  @param order indices of the jobs by arrival
 * @param shares share of each job of the server
 * @return least sum of weight x mean service time over the jobs with a share, plus half
 * their length, from their arrival; weight x length for the others
 */
double
BoundOfServer(const std::vector<TurnaroundJob>& jobs,
              const std::vector<std::size_t>& order,
              const std::vector<double>& shares)
{
    std::priority_queue<std::pair<double, std::size_t>> ready; // weight / work, job
    std::vector<double> left(jobs.size());
    double sum = 0;
    double now = 0;
    for (std::size_t next = 0; next < order.size() || !ready.empty();)
    {
        if (ready.empty())
        {
            now = std::max(now, jobs[order[next]].arrival);
        }
        for (; next < order.size() && jobs[order[next]].arrival <= now; ++next)
        {
            const TurnaroundJob& job = jobs[order[next]];
            const double work = job.length * shares[order[next]];
            left[order[next]] = work;
            if (work > 0)
            {
                sum += job.weight * (job.length / 2 - job.arrival);
                ready.emplace(job.weight / work, order[next]);
            }
            else
            {
                sum += job.weight * job.length;
            }
        }
        if (ready.empty())
        {
            continue;
        }
        const auto [ratio, index] = ready.top();
        const double until = next < order.size() ? jobs[order[next]].arrival : INFINITY;
        const double served = std::min(left[index], until - now);
        sum += ratio * served * (now + served / 2); // weight x share of the work x its mean time
        now = served < left[index] ? until : now + served;
        left[index] -= served;
        if (left[index] <= 0)
        {
            ready.pop();
        }
    }
    return sum;
}

} // namespace

double
TurnaroundBound(const std::vector<TurnaroundJob>& jobs)
{
    double bound = 0;
    for (const TurnaroundJob& job : jobs)
    {
        bool valid = std::isfinite(job.arrival) && job.arrival >= 0 && std::isfinite(job.length) &&
                     job.length > 0 && std::isfinite(job.weight) && job.weight > 0 &&
                     job.shares.size() == jobs.front().shares.size();
        for (const double share : job.shares)
        {
            valid = valid && share >= 0 && share <= 1;
        }
        if (!valid)
        {
            throw OdcnError("TurnaroundBound: a job needs an arrival of 0 or more, a length and a "
                            "weight above 0, and shares from 0 to 1 of the same resources as all");
        }
        bound += job.weight * job.length;
    }
    std::vector<std::size_t> order(jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](std::size_t a, std::size_t b)
                     { return jobs[a].arrival < jobs[b].arrival; });
    const std::size_t resources = jobs.empty() ? 0 : jobs.front().shares.size();
    std::vector<double> shares(jobs.size());
    std::vector<double> mean(jobs.size());
    for (std::size_t resource = 0; resource < resources; ++resource)
    {
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            shares[i] = jobs[i].shares[resource];
            mean[i] += shares[i] / static_cast<double>(resources);
        }
        bound = std::max(bound, BoundOfServer(jobs, order, shares));
    }
    bound = std::max(bound, BoundOfServer(jobs, order, mean));
    return bound;
}

} // namespace ns3::odcn
