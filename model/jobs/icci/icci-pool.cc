// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-pool.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

IcciPool::IcciPool(std::vector<uint32_t> capacities,
                   const IcciPoolRules& rules,
                   const int32_t* samples,
                   std::size_t nSamples,
                   double step)
    : m_capacity(std::move(capacities)),
      m_rules(rules),
      m_samples(samples),
      m_nSamples(nSamples),
      m_step(step),
      m_held(m_capacity.size(), 0),
      m_windowUse(m_capacity.size(), 0),
      m_blockUse(m_capacity.size(), 0),
      m_recentUse(m_capacity.size(), 0),
      m_lost(m_capacity.size(), 0)
{
    NS_ASSERT_MSG(static_cast<double>(nSamples) * step >= rules.duration - 1e-6,
                  "too few samples of the tide");
}

void
IcciPool::Integrate(uint32_t centre,
                    uint32_t held,
                    double from,
                    double to,
                    double& use,
                    double& lost) const
{
    const int32_t* samples = m_samples + centre * m_nSamples;
    const int64_t room = 1000 * (int64_t{m_capacity[centre]} - held);
    // Whole steps are summed in integers.
    int64_t asked = 0;
    int64_t beyond = 0;
    const auto add = [&](std::size_t k, double seconds)
    {
        const int64_t over = std::max<int64_t>(0, samples[k] - room);
        use += (held + 1e-3 * static_cast<double>(samples[k] - over)) * seconds;
        lost += 1e-3 * static_cast<double>(over) * seconds;
    };
    auto k = static_cast<std::size_t>(from / m_step);
    const auto last = static_cast<std::size_t>(to / m_step);
    if (k == last)
    {
        add(std::min(k, m_nSamples - 1), to - from);
        return;
    }
    const std::size_t begin = k;
    const double head = static_cast<double>(k + 1) * m_step - from;
    add(k++, head);
    for (; k < last; ++k)
    {
        const int64_t over = std::max<int64_t>(0, samples[k] - room);
        asked += samples[k];
        beyond += over;
    }
    const auto whole = static_cast<double>(last - begin - 1);
    use += (held * whole + 1e-3 * static_cast<double>(asked - beyond)) * m_step;
    lost += 1e-3 * static_cast<double>(beyond) * m_step;
    const double tail = to - static_cast<double>(last) * m_step;
    if (tail > 0)
    {
        add(std::min(last, m_nSamples - 1), tail);
    }
}

void
IcciPool::AdvanceTo(double time)
{
    NS_ASSERT_MSG(time >= m_time, "time moves only forward");
    while (m_time < time && m_time < m_rules.duration)
    {
        const double end = static_cast<double>(m_window + 1) * m_rules.window;
        const double until = std::min(time, end);
        for (uint32_t centre = 0; centre < GetNCentres(); ++centre)
        {
            Integrate(centre, m_held[centre], m_time, until, m_windowUse[centre], m_lost[centre]);
        }
        m_time = until;
        if (until < end)
        {
            return;
        }
        ++m_window;
        const bool blockEnds =
            end >= static_cast<double>(m_nBlocks + 1) * m_rules.block - 1e-6 * m_rules.window;
        for (uint32_t centre = 0; centre < GetNCentres(); ++centre)
        {
            m_recentUse[centre] = m_windowUse[centre] / m_rules.window;
            m_blockUse[centre] += m_windowUse[centre];
            m_windowUse[centre] = 0;
            if (blockEnds)
            {
                m_blocks.push_back(m_blockUse[centre] / m_rules.block);
                m_blockUse[centre] = 0;
            }
        }
        m_nBlocks += blockEnds;
    }
    m_time = std::max(m_time, time);
}

void
IcciPool::Take(uint32_t centre, uint32_t cus)
{
    NS_ASSERT_MSG(cus <= GetFree(centre), "not free");
    m_held[centre] += cus;
}

void
IcciPool::Give(uint32_t centre, uint32_t cus)
{
    NS_ASSERT_MSG(cus <= m_held[centre], "more than was taken");
    m_held[centre] -= cus;
}

double
IcciPool::GetAsked(uint32_t centre) const
{
    const auto k = std::min(static_cast<std::size_t>(m_time / m_step), m_nSamples - 1);
    return 1e-3 * m_samples[centre * m_nSamples + k];
}

double
IcciPool::GetRecentAsked(uint32_t centre) const
{
    if (m_window == 0)
    {
        return GetAsked(centre);
    }
    const auto steps = static_cast<std::size_t>(std::llround(m_rules.window / m_step));
    const std::size_t begin = (m_window - 1) * steps;
    int64_t sum = 0;
    for (std::size_t k = begin; k < begin + steps; ++k)
    {
        sum += m_samples[centre * m_nSamples + k];
    }
    return 1e-3 * static_cast<double>(sum) / static_cast<double>(steps);
}

double
IcciPool::GetUseIf(uint32_t centre, uint32_t held, double from, double to) const
{
    double use = 0;
    double lost = 0;
    Integrate(centre, held, from, to, use, lost);
    return use / (to - from);
}

} // namespace ns3::odcn
