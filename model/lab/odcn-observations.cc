// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-observations.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3::odcn
{

Observations::Observations(std::vector<FigureOfMerit> figures, bool consecutive)
    : m_figures(std::move(figures)),
      m_consecutive(consecutive)
{
}

void
Observations::Add(Observation observation)
{
    if (observation.values.size() != m_figures.size())
    {
        throw OdcnError::InOption("observation",
                                  std::to_string(observation.values.size()) + " values",
                                  std::to_string(m_figures.size()) + ", one for each figure");
    }
    for (std::size_t i = 0; i < m_figures.size(); ++i)
    {
        if (observation.values[i].count > 0 && !std::isfinite(observation.values[i].Get()))
        {
            throw OdcnError("figure " + m_figures[i].name + " of run " +
                            std::to_string(observation.run) + " is not finite");
        }
    }
    m_observations.push_back(std::move(observation));
}

DecisionTally
Observations::GetTotals() const
{
    DecisionTally totals;
    for (const auto& [run, episode, decisions, tally, values] : m_observations)
    {
        totals.offered += tally.offered;
        totals.accepted += tally.accepted;
        totals.interrupted += tally.interrupted;
        totals.blocked.resize(std::max(totals.blocked.size(), tally.blocked.size()));
        for (std::size_t i = 0; i < tally.blocked.size(); ++i)
        {
            totals.blocked[i].first = tally.blocked[i].first;
            totals.blocked[i].second += tally.blocked[i].second;
        }
    }
    return totals;
}

std::size_t
Observations::Find(const std::string& figure) const
{
    std::string names;
    for (std::size_t i = 0; i < m_figures.size(); ++i)
    {
        if (m_figures[i].name == figure)
        {
            return i;
        }
        names += (i > 0 ? ", " : "") + m_figures[i].name;
    }
    throw OdcnError::InOption("figure", figure, names);
}

void
Observations::CheckPairs(const Observations& other) const
{
    if (m_observations.size() != other.m_observations.size())
    {
        throw OdcnError::InOption("comparison",
                                  std::to_string(other.m_observations.size()) + " replications",
                                  std::to_string(m_observations.size()));
    }
}

std::vector<double>
Observations::GetTotalsOf(std::size_t figure) const
{
    std::vector<double> totals;
    totals.reserve(m_observations.size());
    for (const auto& observation : m_observations)
    {
        totals.push_back(observation.values[figure].total);
    }
    return totals;
}

Estimate
Observations::GetEstimate(const std::string& figure) const
{
    const std::size_t index = Find(figure);
    std::vector<double> values;
    std::vector<double> totals;
    std::vector<double> counts;
    for (const auto& observation : m_observations)
    {
        const FigureValue& value = observation.values[index];
        totals.push_back(value.total);
        counts.push_back(value.count);
        if (value.count > 0)
        {
            values.push_back(value.Get());
        }
    }
    switch (m_figures[index].kind)
    {
    case FigureOfMerit::Kind::RATIO:
        return m_consecutive ? RatioOfBatches(totals, counts) : RatioOfReplications(totals, counts);
    case FigureOfMerit::Kind::SHARE:
    {
        const auto whole = [](const std::vector<double>& numbers)
        { return std::vector<uint64_t>(numbers.begin(), numbers.end()); };
        return m_consecutive ? ProportionOfBatches(whole(totals), whole(counts))
                             : ProportionOfReplications(whole(totals), whole(counts));
    }
    default:
        return m_consecutive ? MeanOfBatches(values) : MeanOfReplications(values);
    }
}

std::pair<RatioTotals, RatioTotals>
Observations::GetPairs(const std::string& figure, const Observations& other) const
{
    CheckPairs(other);
    const std::size_t index = Find(figure);
    const bool mean = m_figures[index].kind == FigureOfMerit::Kind::MEAN;
    std::pair<RatioTotals, RatioTotals> pairs;
    for (std::size_t i = 0; i < m_observations.size(); ++i)
    {
        const FigureValue& a = m_observations[i].values[index];
        const FigureValue& b = other.m_observations[i].values[index];
        if (mean && !(a.count > 0 && b.count > 0))
        {
            continue;
        }
        pairs.first.numerators.push_back(mean ? a.Get() : a.total);
        pairs.first.denominators.push_back(mean ? 1 : a.count);
        pairs.second.numerators.push_back(mean ? b.Get() : b.total);
        pairs.second.denominators.push_back(mean ? 1 : b.count);
    }
    return pairs;
}

Estimate
Observations::GetDifference(const std::string& figure,
                            const Observations& other,
                            double confidence) const
{
    const auto [mine, theirs] = GetPairs(figure, other);
    return DifferenceOfRatios(mine, theirs, m_consecutive, confidence);
}

Estimate
Observations::GetRatio(const std::string& figure,
                       const Observations& other,
                       double confidence) const
{
    const auto [mine, theirs] = GetPairs(figure, other);
    return QuotientOfRatios(mine, theirs, m_consecutive, confidence);
}

Estimate
Observations::GetChange(const std::string& figure,
                        const Observations& other,
                        double confidence) const
{
    Estimate change = GetRatio(figure, other, confidence);
    change.mean -= 1;
    change.lower -= 1;
    change.upper -= 1;
    return change;
}

Estimate
Observations::GetReduction(const std::string& figure,
                           const std::string& per,
                           const Observations& other,
                           double confidence) const
{
    CheckPairs(other);
    const std::size_t index = Find(figure);
    auto less = other.GetTotalsOf(index);
    const auto mine = GetTotalsOf(index);
    std::transform(less.begin(), less.end(), mine.begin(), less.begin(), std::minus<>());
    const auto events = GetTotalsOf(Find(per));
    return m_consecutive ? RatioOfBatches(less, events, confidence)
                         : RatioOfReplications(less, events, confidence);
}

} // namespace ns3::odcn
