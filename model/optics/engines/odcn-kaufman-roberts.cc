// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-kaufman-roberts.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace ns3::odcn
{

namespace
{

/**
 * @param classes sizes and weights as given
 * @return one class per size, ascending, weights summing to 1
 */
std::vector<OdcnSizeClass>
Normalize(const std::vector<OdcnSizeClass>& classes)
{
    std::map<int64_t, double> weightOf;
    double total = 0;
    for (const auto& c : classes)
    {
        if (c.size < 0)
        {
            throw OdcnError::InOption("job size", std::to_string(c.size), "0 or more");
        }
        if (!(c.weight >= 0 && std::isfinite(c.weight)))
        {
            throw OdcnError::InOption("weight of job size " + std::to_string(c.size),
                                      std::to_string(c.weight),
                                      "0 or more");
        }
        total += c.weight;
        if (c.weight > 0)
        {
            weightOf[c.size] += c.weight;
        }
    }
    if (!(total > 0 && std::isfinite(total)))
    {
        throw OdcnError::InOption("sum of the job sizes' weights",
                                  std::to_string(total),
                                  "above 0");
    }
    std::vector<OdcnSizeClass> merged;
    merged.reserve(weightOf.size());
    for (const auto& [size, weight] : weightOf)
    {
        merged.push_back({size, weight / total, 0});
    }
    return merged;
}

/// Jobs of one size.
struct Flow
{
    int64_t step;   //!< size in units
    double traffic; //!< erlang x size in units
};

/// Probabilities of the states of a pool, times a common factor.
struct States
{
    std::vector<double> q; //!< by number of used units
    double sum{1};         //!< sum of q
    double moment{0};      //!< sum of used units x q
};

/**
 * j q(j) = sum over classes of a_s s q(j - s), not normalised: states far below the load may
 * underflow to zero when rescaled, and the division by the sum comes last. The recursion and
 * blocking need only the last @p widest states; older ones are only part of the sums.
 *
 * @param units capacity
 * @param widest largest size
 * @param flows by size, ascending
 * @return the states
 */
States
FindStates(int64_t units, int64_t widest, const std::vector<Flow>& flows)
{
    States states;
    auto& q = states.q;
    q.resize(static_cast<std::size_t>(units) + 1);
    q[0] = 1;
    for (int64_t j = 1; j <= units; ++j)
    {
        double in = 0;
        for (const Flow& f : flows)
        {
            if (f.step > j)
            {
                break;
            }
            in += f.traffic * q[j - f.step];
        }
        q[j] = in / static_cast<double>(j);
        states.sum += q[j];
        states.moment += in;
        if (q[j] > 1e100)
        {
            constexpr double SCALE = 1e-100;
            states.sum *= SCALE;
            states.moment *= SCALE;
            for (int64_t i = std::max<int64_t>(0, j - widest); i <= j; ++i)
            {
                q[i] *= SCALE;
            }
        }
    }
    return states;
}

} // namespace

KaufmanRoberts::KaufmanRoberts(int64_t capacity, std::vector<OdcnSizeClass> classes, double load)
    : m_capacity(capacity),
      m_classes(Normalize(classes))
{
    if (capacity <= 0)
    {
        throw OdcnError::InOption("capacity of the pool", std::to_string(capacity), "above 0");
    }
    if (!(load >= 0 && std::isfinite(load)))
    {
        throw OdcnError::InOption("offered load", std::to_string(load), "0 or more jobs");
    }

    int64_t divisor = 0;
    for (const auto& c : m_classes)
    {
        divisor = std::gcd(divisor, c.size);
    }
    if (divisor == 0)
    {
        return; // no job needs capacity
    }
    const int64_t units = capacity / divisor;
    if (units > MAX_UNITS)
    {
        throw OdcnError::InOption("capacity of the pool",
                                  std::to_string(units) + " steps of " + std::to_string(divisor),
                                  "at most " + std::to_string(MAX_UNITS) + " steps");
    }

    std::vector<Flow> flows;
    int64_t widest = 0;
    for (const auto& c : m_classes)
    {
        const int64_t step = c.size / divisor;
        if (step > 0 && step <= units)
        {
            flows.push_back({step, load * c.weight * static_cast<double>(step)});
            widest = step;
        }
    }

    const auto [q, sum, moment] = FindStates(units, widest, flows);
    m_utilization = moment / sum * static_cast<double>(divisor) / static_cast<double>(capacity);

    double tail = 0;
    int64_t from = units + 1;
    for (auto& c : m_classes)
    {
        const int64_t step = c.size / divisor;
        if (step > units)
        {
            c.blocking = 1;
        }
        else
        {
            for (; from > units - step + 1; --from)
            {
                tail += q[from - 1];
            }
            c.blocking = std::min(1.0, tail / sum);
        }
        m_blocking += c.weight * c.blocking;
    }
}

std::vector<OdcnSizeClass>
KaufmanRoberts::GetJobSizes(uint32_t minVms,
                            uint32_t maxVms,
                            const std::vector<OdcnSizeClass>& types)
{
    constexpr uint32_t MAX_VMS = 10000;
    if (maxVms < minVms || maxVms > MAX_VMS)
    {
        throw OdcnError::InOption("range of VMs a job",
                                  std::to_string(minVms) + " to " + std::to_string(maxVms),
                                  "an ascending range up to " + std::to_string(MAX_VMS));
    }
    const auto each = Normalize(types);
    const double share = 1.0 / (maxVms - minVms + 1.0);
    std::map<int64_t, double> jobs;
    std::map<int64_t, double> sums{{0, 1.0}};
    for (uint32_t vms = 0; vms <= maxVms; ++vms)
    {
        if (vms > 0)
        {
            std::map<int64_t, double> more;
            for (const auto& [size, probability] : sums)
            {
                for (const auto& type : each)
                {
                    more[size + type.size] += probability * type.weight;
                }
            }
            sums = std::move(more);
        }
        if (vms >= minVms)
        {
            for (const auto& [size, probability] : sums)
            {
                jobs[size] += probability * share;
            }
        }
    }
    std::vector<OdcnSizeClass> sizes;
    sizes.reserve(jobs.size());
    for (const auto& [size, probability] : jobs)
    {
        sizes.push_back({size, probability, 0});
    }
    return sizes;
}

} // namespace ns3::odcn
