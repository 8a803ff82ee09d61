// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-generator.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnJobGenerator);

namespace
{

/// Largest number of VMs of a job; more indicate a wrong setting.
constexpr uint32_t MAX_VMS = 1000000;

/**
 * @param option Attribute that gave the value
 * @param value drawn value
 * @param good whether the value is valid
 * @param expected the valid range
 * @return the value
 */
double
Checked(const char* option, double value, bool good, const char* expected)
{
    if (!good)
    {
        throw OdcnError::InOption(option, std::to_string(value), expected);
    }
    return value;
}

} // namespace

TypeId
OdcnJobGenerator::GetTypeId()
{
    using T = OdcnJobGenerator;
    static TypeId tid =
        TypeIdBuilder(AddPatternAttributes(
                          TypeIdOf<OdcnJobGenerator, OdcnJobSource>("ns3::odcn::OdcnJobGenerator")))
            .Add(Attribute("InterArrival",
                           &T::m_interArrival,
                           "ns3::ExponentialRandomVariable[Mean=1]"),
                 "Inter-arrival time, in job time units, 0 or more.")
            .Add(Attribute("Duration", &T::m_duration, "ns3::ExponentialRandomVariable[Mean=66]"),
                 "Time that a job holds its resources, in job time units, above 0. "
                 "With the other defaults its mean is the paper's load.")
            .Add(Attribute("VmCount", &T::m_vmCount, "ns3::UniformRandomVariable[Min=10|Max=21]"),
                 "Number of VMs of a job, 1 or more (the default includes both bounds).")
            .Add(Attribute("VmType", &T::m_vmType, "ns3::UniformRandomVariable[Min=0|Max=1]"),
                 "Selects the type of a VM: a value u in [0, 1) selects the type at "
                 "index floor(u * number of types) of VmTypes.")
            .Add(Attribute("VmTypes",
                           &T::SetVmTypes,
                           &T::GetVmTypes,
                           "4:15:80,16:32:320,16:122:320,16:122:3200"),
                 "VM types, each cores:memory:disk in cores, GB and GB, separated by "
                 "commas.")
            .Add(Attribute("PatternOrder", &T::SetPatternOrder, &T::GetPatternOrder, "random"),
                 "Order of the VMs along the pattern: random, or sorted (as placed, "
                 "largest first).")
            .Add(Attribute("MaxJobs", &T::m_maxJobs, 0),
                 "Number of jobs after which the stream ends; 0 for endless.");
    return tid;
}

bool
OdcnJobGenerator::Next(OdcnJob& job)
{
    if (m_maxJobs != 0 && m_next >= m_maxJobs)
    {
        return false;
    }
    const double gap = m_interArrival->GetValue();
    m_now += Checked("InterArrival",
                     gap,
                     gap >= 0 && std::isfinite(gap),
                     "a variable that gives finite times of 0 or more");
    const double duration = m_duration->GetValue();
    job.id = m_next++;
    job.arrival = m_now;
    job.duration = Checked("Duration",
                           duration,
                           duration > 0 && std::isfinite(duration),
                           "a variable that gives finite times above 0");
    DrawVms(job);

    DrawPattern(job, m_sorted);
    DrawRates(job);
    return true;
}

void
OdcnJobGenerator::DrawVms(OdcnJob& job)
{
    const uint32_t n = m_vmCount->GetInteger();
    Checked("VmCount", n, n >= 1 && n <= MAX_VMS, "a variable that gives 1 to 10^6 VMs");
    std::fill(m_counts.begin(), m_counts.end(), 0);
    const auto types = static_cast<double>(m_types.size());
    for (uint32_t k = 0; k < n; ++k)
    {
        const double u = m_vmType->GetValue();
        Checked("VmType", u, u >= 0 && u < 1, "a variable that gives values on [0, 1)");
        ++m_counts[static_cast<std::size_t>(u * types)];
    }
    job.vms.clear();
    for (uint32_t type : m_bySize)
    {
        job.vms.insert(job.vms.end(), m_counts[type], m_types[type]);
    }
}

int64_t
OdcnJobGenerator::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (const Ptr<RandomVariableStream>& variable :
         {m_interArrival, m_duration, m_vmCount, m_vmType})
    {
        variable->SetStream(next++);
    }
    next += AssignPatternStreams(next);
    m_next = 0;
    m_now = 0;
    return next - stream;
}

void
OdcnJobGenerator::SetVmTypes(const std::string& types)
{
    std::vector<std::string_view> texts;
    SplitText(types, ',', texts);
    std::vector<OdcnResources> parsed;
    for (std::string_view text : texts)
    {
        const auto type = ParseResources(text);
        if (!type)
        {
            throw OdcnError::InOption("VmTypes",
                                      std::string(text),
                                      "cores:memory:disk, separated by commas");
        }
        parsed.push_back(*type);
    }
    m_types = parsed;
    m_counts.assign(m_types.size(), 0);
    m_bySize.resize(m_types.size());
    std::iota(m_bySize.begin(), m_bySize.end(), 0);
    std::stable_sort(m_bySize.begin(),
                     m_bySize.end(),
                     [this](uint32_t a, uint32_t b)
                     { return m_types[a].milli > m_types[b].milli; });
}

std::string
OdcnJobGenerator::GetVmTypes() const
{
    std::string text;
    for (const OdcnResources& type : m_types)
    {
        if (!text.empty())
        {
            text += ',';
        }
        AppendResources(text, type);
    }
    return text;
}

void
OdcnJobGenerator::SetPatternOrder(const std::string& name)
{
    if (name != "random" && name != "sorted")
    {
        throw OdcnError::InOption("PatternOrder", name, "random or sorted");
    }
    m_sorted = name == "sorted";
}

std::string
OdcnJobGenerator::GetPatternOrder() const
{
    return m_sorted ? "sorted" : "random";
}

} // namespace ns3::odcn
