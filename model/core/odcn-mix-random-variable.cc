// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-mix-random-variable.h"

#include "odcn-error.h"
#include "odcn-text.h"

#include "ns3/odcn-attributes.h"
#include "ns3/rng-stream.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MixRandomVariable);

TypeId
MixRandomVariable::GetTypeId()
{
    using T = MixRandomVariable;
    static TypeId tid =
        TypeIdOf<MixRandomVariable, RandomVariableStream>("ns3::odcn::MixRandomVariable")
            .Add(Attribute("Mix", &T::SetMix, &T::GetMix, "64:7,594:4,1500:1"),
                 "Values and weights: VALUE:WEIGHT,VALUE:WEIGHT,...");
    return tid;
}

MixRandomVariable::MixRandomVariable() = default;

void
MixRandomVariable::SetMix(std::string mix)
{
    std::vector<std::string_view> items;
    std::vector<std::string_view> parts;
    std::vector<double> values;
    std::vector<double> upTo;
    double sum = 0;
    SplitText(mix, ',', items);
    for (const auto& item : items)
    {
        SplitText(item, ':', parts);
        const auto value = ParseFinite(parts[0]);
        const auto weight = ParseFinite(parts.size() == 2 ? parts[1] : std::string_view{});
        if (!value || !weight || *weight < 0)
        {
            throw OdcnError::InOption("MixRandomVariable::Mix",
                                      std::string(item),
                                      "VALUE:WEIGHT with a weight of 0 or more");
        }
        sum += *weight;
        values.push_back(*value);
        upTo.push_back(sum);
    }
    if (!(sum > 0))
    {
        throw OdcnError::InOption("MixRandomVariable::Mix", mix, "a weight above 0");
    }
    for (double& p : upTo)
    {
        p /= sum;
    }
    m_mix = std::move(mix);
    m_values = std::move(values);
    m_upTo = std::move(upTo);
}

double
MixRandomVariable::GetMean() const
{
    double mean = 0;
    double below = 0;
    for (std::size_t i = 0; i < m_values.size(); ++i)
    {
        mean += m_values[i] * (m_upTo[i] - below);
        below = m_upTo[i];
    }
    return mean;
}

double
MixRandomVariable::GetLargest() const
{
    return *std::max_element(m_values.begin(), m_values.end());
}

double
MixRandomVariable::GetValue()
{
    const double u = IsAntithetic() ? 1 - Peek()->RandU01() : Peek()->RandU01();
    const auto i = std::upper_bound(m_upTo.begin(), m_upTo.end() - 1, u) - m_upTo.begin();
    return m_values[i];
}

uint32_t
MixRandomVariable::GetInteger()
{
    return static_cast<uint32_t>(std::clamp(GetValue(), 0.0, double{UINT32_MAX}));
}

} // namespace ns3::odcn
