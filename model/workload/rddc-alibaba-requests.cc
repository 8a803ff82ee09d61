// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-alibaba-requests.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcAlibabaRequests);

namespace
{

using Report = AlibabaReport;

/// Columns that are used.
enum Column
{
    CPU,
    MEMORY,
    CREATION,
    SCHEDULED,
    DELETION,
    COLUMNS
};

/// Names and greatest valid numbers of the columns.
const std::vector<std::string> NAMES{"cpu_request",
                                     "memory_request",
                                     "creation_time",
                                     "scheduled_time",
                                     "deletion_time"};
constexpr std::array<double, COLUMNS> GREATEST{1e6, 1e9, 1e12, 1e12, 1e12};

/// Numbers of a row by column; no value where a field is empty.
using Numbers = std::array<std::optional<double>, COLUMNS>;

} // namespace

TypeId
RddcAlibabaRequests::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::RddcAlibabaRequests")
            .SetParent<RddcRequestSource>()
            .SetGroupName("Odcn")
            .AddConstructor<RddcAlibabaRequests>()
            .AddAttribute("FileName",
                          "Input file.",
                          StringValue(""),
                          MakeStringAccessor(&RddcAlibabaRequests::SetFileName,
                                             &RddcAlibabaRequests::GetFileName),
                          MakeStringChecker())
            .AddAttribute("CoresPerUnit",
                          "Cores per CPU unit. With the default, the trace's largest instance, 192 "
                          "cores, needs 128 units, the paper's largest request.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_coresPerUnit),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("GibPerUnit",
                          "GiB per memory unit. With the default, the trace's largest instance, "
                          "1000 GiB, needs 125 units.",
                          DoubleValue(8),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_gibPerUnit),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("MaxUnits",
                          "Maximum units of either resource; rows with larger demands are skipped.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RddcAlibabaRequests::m_maxUnits),
                          MakeUintegerChecker<uint32_t>(1, 1000000000))
            .AddAttribute("MeanGap",
                          "Mean inter-arrival time, in request time units; 0 keeps "
                          "the trace's seconds.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_meanGap),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OfferedUnits",
                          "Long-run mean units in use of the resource in greater demand if no "
                          "request is blocked; 0 scales holding times as gaps. By default "
                          "95 % of 64 servers of 16.",
                          DoubleValue(972.8),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_offeredUnits),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("First",
                          "Number of the first request, counted from 0 in order of "
                          "arrival.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RddcAlibabaRequests::m_first),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Repeat",
                          "Number of passes through the file; 0 for endless.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RddcAlibabaRequests::m_repeat),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SkipMalformed",
                          "Count malformed rows instead of refusing the file.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RddcAlibabaRequests::m_skipMalformed),
                          MakeBooleanChecker());
    return tid;
}

RddcAlibabaRequests::RddcAlibabaRequests() = default;

int64_t
RddcAlibabaRequests::AssignStreams(int64_t)
{
    m_next = 0;
    return 0;
}

const AlibabaReport&
RddcAlibabaRequests::GetReport()
{
    return Load().report;
}

Ptr<RddcAlibabaRequests>
RddcAlibabaRequests::CloneFrom(uint64_t first)
{
    Load();
    auto copy = CopyObject<RddcAlibabaRequests>(Ptr<const RddcAlibabaRequests>(this));
    copy->m_first = first;
    copy->m_next = 0;
    return copy;
}

void
RddcAlibabaRequests::SetFileName(const std::string& name)
{
    m_name = name;
    m_file.reset();
    m_next = 0;
}

std::string
RddcAlibabaRequests::GetFileName() const
{
    return m_name;
}

const RddcAlibabaRequests::File&
RddcAlibabaRequests::Load()
{
    if (m_file)
    {
        return *m_file;
    }
    auto file = std::make_shared<File>();
    RowReader reader(m_name, m_skipMalformed);
    reader.ReadHeader(NAMES, "a first line with a column ", "a line that names the columns");
    const auto read = [&reader](Numbers& row)
    {
        bool sound = reader.CheckWidth();
        for (std::size_t i = 0; sound && i < COLUMNS; ++i)
        {
            sound = reader.ReadIfAny(i, {0, GREATEST[i]}, row[i]);
        }
        return sound;
    };
    const auto judge = [this](const Numbers& row, AlibabaLoad& entry)
    {
        if (!row[CREATION] || !row[SCHEDULED])
        {
            return Report::BEGAN_BEFORE;
        }
        if (!row[DELETION])
        {
            return Report::OUTLASTS;
        }
        entry.start = *row[CREATION];
        entry.duration = *row[DELETION] - *row[SCHEDULED];
        if (entry.duration <= 0 || *row[SCHEDULED] < *row[CREATION])
        {
            return Report::DELETED_EARLY;
        }
        const double cpu = std::ceil(row[CPU].value_or(0) / m_coresPerUnit);
        const double memory = std::ceil(row[MEMORY].value_or(0) / m_gibPerUnit);
        if (cpu == 0 && memory == 0)
        {
            return Report::NO_RESOURCES;
        }
        if (cpu > m_maxUnits || memory > m_maxUnits)
        {
            return Report::TOO_LARGE;
        }
        entry.cpu = cpu;
        entry.memory = memory;
        return Report::REASONS;
    };
    while (reader.NextRow())
    {
        ++file->report.rowsRead;
        Numbers row;
        AlibabaLoad entry;
        const Report::Reason reason = read(row) ? judge(row, entry) : Report::MALFORMED;
        if (reason != Report::REASONS)
        {
            ++file->report.rowsSkipped[reason];
            continue;
        }
        ++file->report.rowsUsed;
        file->entries.push_back(entry);
    }
    std::stable_sort(file->entries.begin(),
                     file->entries.end(),
                     [](const auto& a, const auto& b) { return a.start < b.start; });
    file->report.Scale(file->entries,
                       m_meanGap,
                       m_offeredUnits,
                       m_name,
                       "MeanGap and OfferedUnits");
    m_file = file;
    return *m_file;
}

bool
RddcAlibabaRequests::Next(RddcRequest& request)
{
    const File& file = Load();
    const uint64_t n = file.entries.size();
    const uint64_t at = m_first + m_next;
    if (m_repeat != 0 && at / n >= m_repeat)
    {
        return false;
    }
    const AlibabaLoad& entry = file.entries[at % n];
    // The first request has no predecessor; its gap is the mean.
    const double gap =
        at % n == 0 ? file.report.secondsPerGap : entry.start - file.entries[at % n - 1].start;
    request.id = m_next++;
    request.gap = gap * file.report.arrivalFactor;
    request.cpu = static_cast<uint32_t>(entry.cpu);
    request.memory = static_cast<uint32_t>(entry.memory);
    request.holding = entry.duration * file.report.durationFactor;
    return true;
}

} // namespace ns3::odcn
