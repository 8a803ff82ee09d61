// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-column-jobs.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnColumnJobs);

namespace
{

/// Quantities, in the order of the reader's fields.
enum Field
{
    ARRIVAL,
    DURATION,
    VMS,
    CORES,
    MEMORY,
    DISK
};

/// Largest number of VMs of a job.
constexpr double MOST_VMS = 1e6;
/// Largest number of cores or GB of a VM.
constexpr double MOST_RESOURCES = 1e9;

} // namespace

TypeId
OdcnColumnJobs::GetTypeId()
{
    using T = OdcnColumnJobs;
    static TypeId tid =
        TypeId("ns3::odcn::OdcnColumnJobs")
            .SetParent<OdcnJobSource>()
            .SetGroupName("Odcn")
            .AddConstructor<T>()
            .AddAttribute("FileName",
                          "Input file, may be gzip-compressed.",
                          StringValue(""),
                          MakeStringAccessor(&T::m_name),
                          MakeStringChecker())
            .AddAttribute("Columns",
                          "Column map, such as arrival=submit,duration=end-start,"
                          "cores=plan_cpu/100,vms=instances; other quantities are read from "
                          "columns of the same names.",
                          StringValue(""),
                          MakeStringAccessor(&T::m_columns),
                          MakeStringChecker())
            .AddAttribute("Pattern",
                          "Communication pattern: ring, bidirectional-ring, tree, star, "
                          "random-p or full-mesh.",
                          StringValue("ring"),
                          MakeStringAccessor(&T::SetPattern, &T::GetPattern),
                          MakeStringChecker())
            .AddAttribute("PatternProbability",
                          "Probability that one VM sends to another, for the pattern random-p.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&T::m_probability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DemandGbps",
                          "Bandwidth that one VM sends to another, in Gb/s, above 0.",
                          StringValue("ns3::UniformRandomVariable[Min=6|Max=8]"),
                          MakePointerAccessor(&T::m_demand),
                          MakePointerChecker<RandomVariableStream>());
    return tid;
}

OdcnColumnJobs::OdcnColumnJobs()
    : m_shuffle(CreateObject<UniformRandomVariable>()),
      m_coin(CreateObject<UniformRandomVariable>())
{
}

int64_t
OdcnColumnJobs::AssignStreams(int64_t stream)
{
    m_demand->SetStream(stream);
    m_shuffle->SetStream(stream + 1);
    m_coin->SetStream(stream + 2);
    m_reader.reset();
    return 3;
}

void
OdcnColumnJobs::SetPattern(const std::string& name)
{
    m_pattern = ParsePattern("Pattern", name);
}

std::string
OdcnColumnJobs::GetPattern() const
{
    return ToString(m_pattern);
}

bool
OdcnColumnJobs::Next(OdcnJob& job)
{
    if (!m_reader)
    {
        m_reader = std::make_unique<ColumnReader>(m_name,
                                                  m_columns,
                                                  std::vector<ColumnField>{{"arrival", {}},
                                                                           {"duration", {}},
                                                                           {"vms", 1.0},
                                                                           {"cores", {}},
                                                                           {"memory", 0.0},
                                                                           {"disk", 0.0}});
        m_next = 0;
        m_lastArrival = 0;
    }
    if (!m_reader->NextRow())
    {
        if (m_next == 0)
        {
            throw OdcnError::InFile(m_name, 0, "the end of the file", "at least one job");
        }
        return false;
    }
    m_reader->Read(m_values);
    const auto check = [this](Field field, bool right, const char* expected)
    { right || m_reader->Malformed(field, m_values[field], expected); };
    const double vms = std::ceil(m_values[VMS]);
    check(ARRIVAL, m_values[ARRIVAL] >= m_lastArrival, "0 or more and no less than the row above");
    check(DURATION, m_values[DURATION] > 0, "more than 0");
    check(VMS, vms >= 1 && vms <= MOST_VMS, "1 to 10^6 VMs");
    for (const Field field : {CORES, MEMORY, DISK})
    {
        check(field, m_values[field] >= 0 && m_values[field] <= MOST_RESOURCES, "0 to 10^9");
    }
    const auto vm = OdcnResources::Of(m_values[CORES], m_values[MEMORY], m_values[DISK]);
    check(CORES, vm.milli[0] > 0, "a thousandth of a core or more");
    job.id = m_next++;
    job.arrival = m_lastArrival = m_values[ARRIVAL];
    job.duration = m_values[DURATION];
    job.vms.assign(static_cast<std::size_t>(vms), vm);
    DrawOrder(job.vms.size(), m_shuffle, m_order);
    BuildPattern(m_pattern, m_order, m_probability, m_coin, job.demands);
    DrawRates(m_demand, job.demands);
    return true;
}

} // namespace ns3::odcn
