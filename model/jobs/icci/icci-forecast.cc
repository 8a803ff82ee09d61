// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-forecast.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Points per hour at which the tide is averaged.
constexpr int PARTS = 6;

} // namespace

void
IcciForecast::SetAreas(std::vector<OtnArea> areas)
{
    m_areas = std::move(areas);
}

void
IcciForecast::Tabulate(const IcciTide& tide, uint32_t cus)
{
    const std::size_t levels = cus + 1;
    const double perRequest = tide.GetCusPerRequest();
    auto rates = tide.GetRates();
    if (!m_expected.empty() && m_cus == cus && m_rates == rates && m_cusPerRequest == perRequest)
    {
        return;
    }
    m_cus = cus;
    m_rates = std::move(rates);
    m_cusPerRequest = perRequest;
    m_expected.assign(OTN_AREAS * IcciTide::HOURS * levels, 0);
    std::vector<double> probabilities;
    for (std::size_t row = 0; row < OTN_AREAS * IcciTide::HOURS; ++row)
    {
        const auto area = static_cast<OtnArea>(row / IcciTide::HOURS);
        const std::size_t hour = row % IcciTide::HOURS;
        double mean = 0;
        for (int part = 0; part < PARTS; ++part)
        {
            const double at = static_cast<double>(hour) + (part + 0.5) / PARTS;
            mean += tide.GetMeanRequests(area, 3600 * at) / PARTS;
        }
        // E[min(room, requested)] with the probabilities of a Poisson variable.
        probabilities.clear();
        double probability = std::exp(-mean);
        for (double n = 0; n < mean + 10 * std::sqrt(mean) + 20; ++n)
        {
            probabilities.push_back(probability);
            probability *= mean / (n + 1);
        }
        for (std::size_t held = 0; held < levels; ++held)
        {
            const auto room = static_cast<double>(levels - 1 - held);
            double use = 0;
            double left = 1;
            for (std::size_t n = 0; n < probabilities.size(); ++n)
            {
                use += probabilities[n] * std::min(room, perRequest * static_cast<double>(n));
                left -= probabilities[n];
            }
            m_expected[row * levels + held] =
                static_cast<double>(held) + use + std::max(0.0, left) * room;
        }
    }
}

double
IcciForecast::GetMeanLoad(OtnArea area, uint32_t held, double time) const
{
    NS_ASSERT_MSG(held <= m_cus, "more CUs than there are");
    const auto row = static_cast<std::size_t>(area) * IcciTide::HOURS +
                     static_cast<std::size_t>(time / 3600) % IcciTide::HOURS;
    return m_expected[row * (m_cus + 1) + held];
}

double
IcciForecast::Foresee(const IcciLoads& loads,
                      uint32_t centre,
                      uint32_t held,
                      const IcciOutlook& outlook,
                      double& use) const
{
    const double capacity = m_cus;
    // The caller may ask about more CUs than a centre has.
    held = std::min(held, m_cus);
    if (outlook.from >= outlook.to)
    {
        use = std::min(capacity, loads.recent[centre] + held) / capacity;
        return use >= loads.rules.threshold ? 1 : 0;
    }
    double hot = 0;
    double sum = 0;
    for (double from = outlook.from; from < outlook.to;)
    {
        const double block = std::floor(from / loads.rules.block);
        const double to = std::min(outlook.to, (block + 1) * loads.rules.block);
        const double mean = outlook.known
                                ? loads.pool.GetUseIf(centre, held, from, to)
                                : GetMeanLoad(m_areas[centre], held, block * loads.rules.block);
        hot += mean >= loads.rules.threshold * capacity ? (to - from) / loads.rules.block : 0;
        sum += mean * (to - from);
        from = to;
    }
    use = sum / (capacity * (outlook.to - outlook.from));
    return hot;
}

} // namespace ns3::odcn
