// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The part of IcciManager that says what a migration would bring.
 */

#include "icci-manager.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace odcn
{

namespace
{

/// Parts of an hour that the mean of its tide is taken over.
constexpr int PARTS = 6;

} // namespace

void
IcciManager::TabulateTide()
{
    const std::size_t levels = m_cusPerCentre + 1;
    const std::size_t size = OTN_AREAS * IcciTide::HOURS * levels;
    if (m_expected.size() == size)
    {
        return;
    }
    m_expected.assign(size, 0);
    const double cus = m_tide->GetCusPerRequest();
    std::vector<double> chances;
    for (std::size_t row = 0; row < OTN_AREAS * IcciTide::HOURS; ++row)
    {
        const auto area = static_cast<IcciArea>(row / IcciTide::HOURS);
        const std::size_t hour = row % IcciTide::HOURS;
        double mean = 0;
        for (int part = 0; part < PARTS; ++part)
        {
            const double at = static_cast<double>(hour) + (part + 0.5) / PARTS;
            mean += m_tide->GetMeanRequests(area, 3600 * at) / PARTS;
        }
        // E[min(room, asked)] by the chances of a Poisson variable.
        chances.clear();
        double chance = std::exp(-mean);
        for (double n = 0; n < mean + 10 * std::sqrt(mean) + 20; ++n)
        {
            chances.push_back(chance);
            chance *= mean / (n + 1);
        }
        for (std::size_t held = 0; held < levels; ++held)
        {
            const auto room = static_cast<double>(levels - 1 - held);
            double use = 0;
            double left = 1;
            for (std::size_t n = 0; n < chances.size(); ++n)
            {
                use += chances[n] * std::min(room, cus * static_cast<double>(n));
                left -= chances[n];
            }
            m_expected[row * levels + held] =
                static_cast<double>(held) + use + std::max(0.0, left) * room;
        }
    }
}

double
IcciManager::GetForeseenLoad(uint32_t centre, uint32_t held, double time) const
{
    NS_ASSERT_MSG(held <= m_cusPerCentre, "more CUs than there are");
    const auto area = static_cast<std::size_t>(m_mesh->GetSite(centre).area);
    const auto hour = static_cast<std::size_t>(time / 3600) % IcciTide::HOURS;
    return m_expected[(area * IcciTide::HOURS + hour) * (m_cusPerCentre + 1) + held];
}

IcciManager::Outlook
IcciManager::GetOutlook(const IcciTaskState& task, double from, bool known) const
{
    const double life = std::min(task.end, m_rules.duration);
    const double to = known ? life : std::min(life, from + 3600 * m_outlook);
    return {from, std::max(from, to), known};
}

double
IcciManager::Foresee(uint32_t centre, uint32_t held, const Outlook& outlook, double& use) const
{
    const double capacity = m_cusPerCentre;
    // What cannot be held is asked for in vain elsewhere.
    held = std::min(held, m_cusPerCentre);
    if (outlook.from >= outlook.to)
    {
        use = std::min(capacity, m_recent[centre] + held) / capacity;
        return use >= m_rules.threshold ? 1 : 0;
    }
    double hot = 0;
    double sum = 0;
    for (double from = outlook.from; from < outlook.to;)
    {
        const double block = std::floor(from / m_rules.block);
        const double to = std::min(outlook.to, (block + 1) * m_rules.block);
        const double mean = outlook.known ? m_pool.GetUseIf(centre, held, from, to)
                                          : GetForeseenLoad(centre, held, block * m_rules.block);
        hot += mean >= m_rules.threshold * capacity ? (to - from) / m_rules.block : 0;
        sum += mean * (to - from);
        from = to;
    }
    use = sum / (capacity * (outlook.to - outlook.from));
    return hot;
}

const std::vector<uint32_t>&
IcciManager::GetRing(const IcciChoice& choice) const
{
    return choice.candidate < m_question.candidates.size()
               ? m_question.candidates[choice.candidate].ring
               : m_tasks[m_question.task].ring;
}

IcciGain
IcciManager::Weigh(const IcciChoice& choice, bool known) const
{
    const IcciTaskState& task = m_tasks[m_question.task];
    const uint32_t cus = task.demand.cus;
    const double start = GetStart(choice);
    const Outlook outlook = GetOutlook(task, start, known);
    IcciGain gain;
    if (choice.candidate < m_question.candidates.size())
    {
        double before = 0;
        double after = 0;
        double use = 0;
        for (const auto& [from, to] : m_question.candidates[choice.candidate].moves)
        {
            gain.hot += Foresee(from, GetSettled(from), outlook, use);
            before = std::max(before, use);
            gain.hot -= Foresee(from, GetSettled(from) - cus, outlook, use);
            after = std::max(after, use);
            gain.hot += Foresee(to, GetSettled(to), outlook, use);
            before = std::max(before, use);
            gain.hot -= Foresee(to, GetSettled(to) + cus, outlook, use);
            after = std::max(after, use);
            ++gain.moved;
        }
        gain.use = before - after;
    }
    gain.hops = static_cast<double>(task.CountHops()) - CountHops(choice);
    double count = choice.candidate == IcciChoice::PRESENT ? task.wavelengths : task.demand.bus;
    if (choice.wider)
    {
        count = std::max(
            count,
            std::min<double>(task.demand.bus + m_extraWavelengths, CountWavelengths(choice)));
    }
    gain.wavelengths = task.wavelengths - count;
    return gain;
}

IcciGain
IcciManager::GetGain(const IcciChoice& choice) const
{
    return Weigh(choice, false);
}

IcciGain
IcciManager::GetTrueGain(const IcciChoice& choice) const
{
    return Weigh(choice, true);
}

uint32_t
IcciManager::CountWavelengths(const IcciChoice& choice) const
{
    const auto& ring = GetRing(choice);
    const auto& present = m_tasks[m_question.task].lightpaths;
    uint32_t least = UINT32_MAX;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t from = ring[i];
        const uint32_t to = ring[(i + 1) % ring.size()];
        uint32_t count = m_wavelengths.CountFree(*Route(from, to, choice.links), GetRouting());
        if (const auto lit = FindLit(present, from, to); lit < present.size())
        {
            count = std::max(count, present[lit].GetCount());
        }
        least = std::min(least, count);
    }
    return least;
}

uint32_t
IcciManager::CountHops(const IcciChoice& choice) const
{
    const auto& ring = GetRing(choice);
    std::size_t hops = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        hops += Route(ring[i], ring[(i + 1) % ring.size()], choice.links)->size();
    }
    return static_cast<uint32_t>(hops);
}

double
IcciManager::GetDowntime(const IcciChoice& choice) const
{
    const IcciTaskState& task = m_tasks[m_question.task];
    double km = 0;
    double bits = 0;
    if (choice.candidate < m_question.candidates.size())
    {
        for (const auto& [from, to] : m_question.candidates[choice.candidate].moves)
        {
            km = std::max(km, m_mesh->GetKm(m_mesh->GetPaths(from, to).front()));
            bits += 8e9 * task.task.parameters / task.wavelengths;
        }
    }
    return GetDowntime(bits, km);
}

double
IcciManager::GetDowntime(double bits, double km) const
{
    return bits / m_rates.bitsPerWavelength + km / m_kmPerSecond + 2 * m_oeoTime +
           (bits > 0 ? m_gpuTime : 0);
}

} // namespace odcn
} // namespace ns3
