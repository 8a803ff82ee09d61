// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-collective.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace ns3::odcn
{

uint64_t
Collective::GetBytes() const
{
    uint64_t bytes = 0;
    for (const Step& step : m_steps)
    {
        bytes += step.bytes;
    }
    return bytes;
}

DemandMatrix
Collective::GetTraffic(const std::vector<RackId>& racks, uint32_t nRacks) const
{
    DemandMatrix traffic(nRacks);
    for (const Step& step : m_steps)
    {
        const RackId from = racks.at(step.from);
        const RackId to = racks.at(step.to);
        if (from != to)
        {
            traffic.Add(from, to, static_cast<double>(step.bytes));
        }
    }
    return traffic;
}

Traffic
Collective::GetMessages(const std::vector<uint32_t>& places) const&
{
    const std::set<uint32_t> different(places.begin(), places.end());
    if (!places.empty() && (places.size() != m_ranks || different.size() != m_ranks))
    {
        throw OdcnError("Collective: " + std::to_string(m_ranks) + " ranks at " +
                        std::to_string(different.size()) +
                        " places: expected a different end point for each");
    }
    Traffic messages;
    messages.Reserve(m_steps.size());
    for (const Step& step : m_steps)
    {
        messages.Add({places.empty() ? step.from : places[step.from],
                      places.empty() ? step.to : places[step.to],
                      step.bytes},
                     GetAfter(step));
    }
    return messages;
}

Traffic
Collective::GetMessages(const std::vector<uint32_t>& places) &&
{
    Traffic messages = std::as_const(*this).GetMessages(places);
    std::vector<Step>().swap(m_steps);
    std::vector<uint32_t>().swap(m_after);
    return messages;
}

double
Collective::GetLeastTime(const Link& link) const
{
    std::vector<double> done(m_steps.size());
    std::vector<double> times(m_steps.size());       // of each on a link, without alpha
    std::vector<std::pair<double, double>> arrivals; // first byte, and time on a link
    std::vector<double> sent(m_ranks);
    std::vector<double> into(m_ranks);
    double chain = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
    {
        const Step& step = m_steps[i];
        const double time = link.GetTime(step.bytes);
        arrivals.clear();
        for (const uint32_t before : GetAfter(step))
        {
            done[i] = std::max(done[i], done[before]);
            if (m_steps[before].to == step.from)
            {
                arrivals.emplace_back(done[before] - times[before], times[before]);
            }
        }
        std::sort(arrivals.begin(), arrivals.end());
        double received = 0; // when the sender's own link has carried all of them
        for (const auto& [first, size] : arrivals)
        {
            received = std::max(received, first) + size;
        }
        done[i] = std::max(done[i], received);
        done[i] += step.bytes > 0 ? link.alpha + time : 0;
        times[i] = time;
        chain = std::max(chain, done[i]);
        sent[step.from] += time;
        into[step.to] += time;
    }
    double busiest = 0;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        busiest = std::max({busiest, sent[rank], into[rank]});
    }
    return std::max(chain, busiest + link.alpha);
}

} // namespace ns3::odcn
