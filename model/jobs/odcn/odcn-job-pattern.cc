// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-pattern.h"

#include "ns3/abort.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Names of the patterns, by number.
constexpr std::array<const char*, 8> NAMES{"ring",
                                           "bidirectional-ring",
                                           "tree",
                                           "star",
                                           "random-p",
                                           "full-mesh",
                                           "shuffle",
                                           "mixed"};

/// Append both directions of a pair. @param a a VM  @param b another VM  @param [out] demands list
void
Exchange(uint32_t a, uint32_t b, std::vector<OdcnDemand>& demands)
{
    demands.push_back({a, b, 0});
    demands.push_back({b, a, 0});
}

} // namespace

OdcnPatternSource::OdcnPatternSource()
    : m_shuffle(CreateObject<UniformRandomVariable>()),
      m_coin(CreateObject<UniformRandomVariable>()),
      m_pick(CreateObject<UniformRandomVariable>())
{
}

TypeId
OdcnPatternSource::AddPatternAttributes(TypeId tid)
{
    using T = OdcnPatternSource;
    return TypeIdBuilder(tid)
        .Add(Attribute("Pattern", &T::SetPattern, &T::GetPattern, "ring"),
             "Communication pattern, where a file does not have demands or pairs: ring, "
             "bidirectional-ring, tree, star, random-p, full-mesh, shuffle (one half of the VMs "
             "sends to the other), or mixed (each job has one of the first six).")
        .Add(Attribute("PatternProbability", &T::m_probability, 0.2, 0, 1),
             "Probability that one VM sends to another, for the pattern random-p.")
        .Add(Attribute("DemandGbps", &T::m_demand, "ns3::UniformRandomVariable[Min=6|Max=8]"),
             "Bandwidth that one VM sends to another, where a file does not have demands, in "
             "Gb/s, above 0.");
}

void
OdcnPatternSource::SetPattern(const std::string& name)
{
    const auto found = std::find(NAMES.begin(), NAMES.end(), name);
    if (found == NAMES.end())
    {
        std::string expected;
        for (const std::string known : NAMES)
        {
            expected += (expected.empty() ? "one of " : ", ") + known;
        }
        throw OdcnError::InOption("Pattern", name, expected);
    }
    m_pattern = static_cast<Pattern>(found - NAMES.begin());
}

std::string
OdcnPatternSource::GetPattern() const
{
    return NAMES[m_pattern];
}

int64_t
OdcnPatternSource::AssignPatternStreams(int64_t stream)
{
    m_demand->SetStream(stream);
    m_shuffle->SetStream(stream + 1);
    m_coin->SetStream(stream + 2);
    m_pick->SetStream(stream + 3);
    return m_pattern == MIXED ? 4 : 3;
}

OdcnPatternSource::Pattern
OdcnPatternSource::PickPattern()
{
    return m_pattern == MIXED ? static_cast<Pattern>(m_pick->GetInteger(0, IN_MIXED - 1))
                              : m_pattern;
}

void
OdcnPatternSource::DrawOrder(std::size_t count)
{
    // One draw serves several swaps: a uniform number below the product of their ranges holds
    // a uniform number below each range. A product this small keeps a 32-bit draw uniform.
    constexpr uint32_t MAX_PRODUCT = 1 << 16;
    auto left = static_cast<uint32_t>(count);
    while (left > 1)
    {
        uint32_t product = left;
        uint32_t last = left;
        while (last > 2 && product <= MAX_PRODUCT / (last - 1))
        {
            product *= --last;
        }
        uint32_t value = m_shuffle->GetInteger(0, product - 1);
        for (; left >= last; --left)
        {
            std::swap(m_order[left - 1], m_order[value % left]);
            value /= left;
        }
    }
}

void
OdcnPatternSource::DrawPattern(OdcnJob& job, bool sorted)
{
    const std::size_t n = job.vms.size();
    const Pattern pattern = PickPattern();
    auto& order = m_order;
    auto& demands = job.demands;
    demands.clear();
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    if (!sorted)
    {
        DrawOrder(n);
    }
    if (n < 2)
    {
        return;
    }
    switch (pattern)
    {
    case RING:
        for (std::size_t i = 0; i < n; ++i)
        {
            demands.push_back({order[i], order[i + 1 < n ? i + 1 : 0], 0});
        }
        break;
    case BIDIRECTIONAL_RING:
        for (std::size_t i = 0; i + 1 < n; ++i)
        {
            Exchange(order[i], order[i + 1], demands);
        }
        // With two VMs the loop above completes the ring.
        if (n > 2)
        {
            Exchange(order[n - 1], order[0], demands);
        }
        break;
    case TREE:
        for (std::size_t i = 1; i < n; ++i)
        {
            Exchange(order[(i - 1) / 2], order[i], demands);
        }
        break;
    case STAR:
        for (std::size_t i = 1; i < n; ++i)
        {
            Exchange(order[0], order[i], demands);
        }
        break;
    case RANDOM_P:
    case FULL_MESH:
        for (std::size_t i = 0; i < n; ++i)
        {
            for (std::size_t k = 0; k < n; ++k)
            {
                if (i != k && (pattern == FULL_MESH || m_coin->GetValue() < m_probability))
                {
                    demands.push_back({order[i], order[k], 0});
                }
            }
        }
        break;
    case SHUFFLE:
        for (std::size_t i = 0; i < (n + 1) / 2; ++i)
        {
            for (std::size_t k = (n + 1) / 2; k < n; ++k)
            {
                demands.push_back({order[i], order[k], 0});
            }
        }
        break;
    case MIXED:
        NS_ABORT_MSG("PickPattern() gives another one");
    }
}

void
OdcnPatternSource::DrawRates(OdcnJob& job)
{
    for (OdcnDemand& demand : job.demands)
    {
        const double value = m_demand->GetValue();
        if (!(value > 0 && value <= MAX_DEMAND_GBPS) || GbpsToBitRate(value) == 0)
        {
            throw OdcnError::InOption("DemandGbps",
                                      std::to_string(value),
                                      "a variable that gives rates above 0 Gb/s, at most 10^6");
        }
        demand.rate = GbpsToBitRate(value);
    }
}

} // namespace ns3::odcn
