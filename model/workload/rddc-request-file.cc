// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-request-file.h"

#include "ns3/odcn-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcRequestFile);

namespace
{

/// Quantities, in the order of the reader's fields.
enum Field
{
    ARRIVAL,
    GAP,
    CPU_UNITS,
    MEMORY_UNITS,
    HOLDING
};

/// Largest number of units of a request.
constexpr double MOST_UNITS = 1e9;

} // namespace

TypeId
RddcRequestFile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::RddcRequestFile")
            .SetParent<RddcRequestSource>()
            .SetGroupName("Odcn")
            .AddConstructor<RddcRequestFile>()
            .AddAttribute("FileName",
                          "Input file, may be gzip-compressed.",
                          StringValue(""),
                          MakeStringAccessor(&RddcRequestFile::m_name),
                          MakeStringChecker())
            .AddAttribute("Columns",
                          "Column map, such as arrival=submit,cpu=cores/1.5,holding=end-"
                          "start; other quantities are read from columns of the same names.",
                          StringValue(""),
                          MakeStringAccessor(&RddcRequestFile::m_columns),
                          MakeStringChecker())
            .AddAttribute("Skip",
                          "Requests at the beginning of the file that are left out.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RddcRequestFile::m_skip),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

RddcRequestFile::RddcRequestFile() = default;

int64_t
RddcRequestFile::AssignStreams(int64_t)
{
    m_reader.reset();
    return 0;
}

uint64_t
RddcRequestFile::Count()
{
    AssignStreams(0);
    uint64_t count = 0;
    for (RddcRequest request; Next(request);)
    {
        ++count;
    }
    AssignStreams(0);
    return count;
}

bool
RddcRequestFile::Next(RddcRequest& request)
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    if (!m_reader)
    {
        m_reader = std::make_unique<ColumnReader>(m_name,
                                                  m_columns,
                                                  std::vector<ColumnField>{{"arrival", NONE},
                                                                           {"gap", NONE},
                                                                           {"cpu", {}},
                                                                           {"memory", 0.0},
                                                                           {"holding", {}}});
        m_next = 0;
        for (uint64_t i = 0; i < m_skip && m_reader->NextRow(); ++i)
        {
            m_reader->Read(m_values);
        }
    }
    if (!m_reader->NextRow())
    {
        if (m_next == 0)
        {
            throw OdcnError::InFile(m_name, 0, "the end of the file", "at least one request");
        }
        return false;
    }
    m_reader->Read(m_values);
    const double arrival = m_values[ARRIVAL];
    double gap = m_values[GAP];
    if (std::isnan(gap))
    {
        // Relative to the first request, whose arrival time is arbitrary.
        gap = m_next == 0 ? 0 : arrival - m_arrival;
        if (!(gap >= 0))
        {
            m_reader->Malformed(ARRIVAL, arrival, "a time not before that of the row above");
        }
    }
    else if (gap < 0)
    {
        m_reader->Malformed(GAP, gap, "0 or more");
    }
    for (const Field field : {CPU_UNITS, MEMORY_UNITS})
    {
        const double units = m_values[field];
        if (!(units >= 0 && units <= MOST_UNITS) || units != std::floor(units))
        {
            m_reader->Malformed(field, units, "whole units from 0 to 10^9");
        }
    }
    if (m_values[CPU_UNITS] == 0 && m_values[MEMORY_UNITS] == 0)
    {
        m_reader->Malformed(CPU_UNITS, 0, "more than 0 of cpu or memory");
    }
    if (!(m_values[HOLDING] > 0))
    {
        m_reader->Malformed(HOLDING, m_values[HOLDING], "more than 0");
    }
    request = {m_next++,
               gap,
               static_cast<uint32_t>(m_values[CPU_UNITS]),
               static_cast<uint32_t>(m_values[MEMORY_UNITS]),
               m_values[HOLDING]};
    m_arrival = arrival;
    return true;
}

} // namespace ns3::odcn
