// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-pattern.h"

#include "ns3/odcn-error.h"

#include <array>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

namespace
{

const std::array<std::pair<const char*, OdcnPattern>, 6> NAMES{{
    {"ring", OdcnPattern::RING},
    {"bidirectional-ring", OdcnPattern::BIDIRECTIONAL_RING},
    {"tree", OdcnPattern::TREE},
    {"star", OdcnPattern::STAR},
    {"random-p", OdcnPattern::RANDOM_P},
    {"full-mesh", OdcnPattern::FULL_MESH},
}};

/// Append both directions of a pair. @param a a VM  @param b another VM  @param [out] demands list
void
Exchange(uint32_t a, uint32_t b, std::vector<OdcnDemand>& demands)
{
    demands.push_back({a, b, 0});
    demands.push_back({b, a, 0});
}

} // namespace

OdcnPattern
ParsePattern(const std::string& option, const std::string& name, const std::string& other)
{
    std::string expected = other;
    for (const auto& [text, pattern] : NAMES)
    {
        if (name == text)
        {
            return pattern;
        }
        expected += (expected.empty() ? "" : ", ") + std::string(text);
    }
    throw OdcnError::InOption(option, name, "one of " + expected);
}

std::string
ToString(OdcnPattern pattern)
{
    return NAMES[static_cast<std::size_t>(pattern)].first;
}

void
DrawOrder(std::size_t count, const Ptr<UniformRandomVariable>& draw, std::vector<uint32_t>& order)
{
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
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
        uint32_t value = draw->GetInteger(0, product - 1);
        for (; left >= last; --left)
        {
            std::swap(order[left - 1], order[value % left]);
            value /= left;
        }
    }
}

void
BuildPattern(OdcnPattern pattern,
             const std::vector<uint32_t>& order,
             double probability,
             const Ptr<RandomVariableStream>& coin,
             std::vector<OdcnDemand>& demands)
{
    demands.clear();
    const std::size_t n = order.size();
    if (n < 2)
    {
        return;
    }
    switch (pattern)
    {
    case OdcnPattern::RING:
        for (std::size_t i = 0; i < n; ++i)
        {
            demands.push_back({order[i], order[i + 1 < n ? i + 1 : 0], 0});
        }
        break;
    case OdcnPattern::BIDIRECTIONAL_RING:
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
    case OdcnPattern::TREE:
        for (std::size_t i = 1; i < n; ++i)
        {
            Exchange(order[(i - 1) / 2], order[i], demands);
        }
        break;
    case OdcnPattern::STAR:
        for (std::size_t i = 1; i < n; ++i)
        {
            Exchange(order[0], order[i], demands);
        }
        break;
    case OdcnPattern::RANDOM_P:
    case OdcnPattern::FULL_MESH:
        for (std::size_t i = 0; i < n; ++i)
        {
            for (std::size_t k = 0; k < n; ++k)
            {
                if (i != k && (pattern == OdcnPattern::FULL_MESH || coin->GetValue() < probability))
                {
                    demands.push_back({order[i], order[k], 0});
                }
            }
        }
        break;
    }
}

void
DrawRates(const Ptr<RandomVariableStream>& gbps, std::vector<OdcnDemand>& demands)
{
    for (OdcnDemand& demand : demands)
    {
        const double value = gbps->GetValue();
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
