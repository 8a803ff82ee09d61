// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-request-generator.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcRequestGenerator);

namespace
{

/**
 * @param option name of the Attribute  @param variable its random variable
 * @param least smallest valid value
 * @return the number
 */
uint32_t
DrawCount(const char* option, RandomVariableStream& variable, double least)
{
    // Checked as a double: converting an out-of-range number to an integer is undefined.
    const double value = variable.GetInteger();
    if (!(value >= least && value < 1e9))
    {
        throw OdcnError::InOption(option,
                                  std::to_string(value),
                                  "a variable that gives whole numbers from " +
                                      std::to_string(static_cast<int>(least)) + " to 10^9");
    }
    return static_cast<uint32_t>(value);
}

} // namespace

TypeId
RddcRequestGenerator::GetTypeId()
{
    using T = RddcRequestGenerator;
    static TypeId tid =
        TypeIdOf<RddcRequestGenerator, RddcRequestSource>("ns3::odcn::RddcRequestGenerator")
            .Add(Attribute("Gap", &T::m_gap, "ns3::ConstantRandomVariable[Constant=1]"),
                 "Time from the decision on a request to the next arrival, 0 or "
                 "more.")
            .Add(Attribute("Cpu", &T::m_cpu, "ns3::UniformRandomVariable[Min=1|Max=128]"),
                 "CPU units of a request, 1 or more (the default includes both bounds).")
            .Add(Attribute("Memory", &T::m_memory, "ns3::UniformRandomVariable[Min=1|Max=128]"),
                 "Memory units of a request, 0 or more.")
            .Add(Attribute("Holding", &T::m_holding, "ns3::UniformRandomVariable[Min=1|Max=30]"),
                 "Whole time units for which a request holds its resources, 1 or "
                 "more. See GetLongestHolding().");
    return tid;
}

bool
RddcRequestGenerator::Next(RddcRequest& request)
{
    request.id = m_next++;
    request.gap = m_gap->GetValue();
    if (!(request.gap >= 0 && std::isfinite(request.gap)))
    {
        throw OdcnError::InOption("Gap",
                                  std::to_string(request.gap),
                                  "a variable that gives finite times of 0 or more");
    }
    request.cpu = DrawCount("Cpu", *m_cpu, 1);
    request.memory = DrawCount("Memory", *m_memory, 0);
    request.holding = DrawCount("Holding", *m_holding, 1);
    return true;
}

int64_t
RddcRequestGenerator::AssignStreams(int64_t stream)
{
    m_gap->SetStream(stream);
    m_cpu->SetStream(stream + 1);
    m_memory->SetStream(stream + 2);
    m_holding->SetStream(stream + 3);
    m_next = 0;
    return 4;
}

uint32_t
RddcRequestGenerator::GetLongestHolding(double load, uint64_t capacity, uint32_t largest)
{
    const double mean = (1.0 + largest) / 2;
    const double longest = 2 * load * static_cast<double>(capacity) / mean;
    return static_cast<uint32_t>(std::clamp(std::round(longest), 1.0, 1e9));
}

} // namespace ns3::odcn
