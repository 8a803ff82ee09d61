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

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcAlibabaRequests);

namespace
{

using Report = RddcAlibabaReport;

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

/// Names and largest numbers of the columns.
const std::vector<std::string> NAMES{"cpu_request",
                                     "memory_request",
                                     "creation_time",
                                     "scheduled_time",
                                     "deletion_time"};
constexpr std::array<double, COLUMNS> GREATEST{1e6, 1e9, 1e12, 1e12, 1e12};

/// A row, by column; nothing where a field is empty.
using Numbers = std::array<std::optional<double>, COLUMNS>;

} // namespace

const char*
RddcAlibabaReport::GetName(Reason reason)
{
    switch (reason)
    {
    case MALFORMED:
        return "malformed row";
    case BEGAN_BEFORE:
        return "there before the trace began";
    case OUTLASTS:
        return "still there when the trace ended";
    case NO_DURATION:
        return "deleted when scheduled or earlier";
    case NO_RESOURCES:
        return "neither CPU nor memory";
    case TOO_LARGE:
        return "larger than MaxUnits";
    case REASONS:
        break;
    }
    return "";
}

void
RddcAlibabaReport::Print(std::ostream& os) const
{
    os << "rows: " << rowsRead << " read = " << rowsUsed << " used + " << rowsRead - rowsUsed
       << " skipped\n";
    for (int i = 0; i < REASONS; ++i)
    {
        if (rowsSkipped[i] != 0)
        {
            os << "  " << rowsSkipped[i] << " skipped: " << GetName(static_cast<Reason>(i)) << "\n";
        }
    }
    os << "requests: " << meanCpu << " CPU and " << meanMemory << " memory units in the mean\n"
       << "time: one arrival in " << secondsPerGap << " s; gaps x " << arrivalFactor
       << ", holding times x " << holdingFactor << ", mean holding time " << meanHolding << "\n"
       << "load: " << offeredCpu << " CPU and " << offeredMemory
       << " memory units in use in the long run, were none refused\n";
}

TypeId
RddcAlibabaRequests::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::RddcAlibabaRequests")
            .SetParent<RddcRequestSource>()
            .SetGroupName("Odcn")
            .AddConstructor<RddcAlibabaRequests>()
            .AddAttribute("FileName",
                          "File to read.",
                          StringValue(""),
                          MakeStringAccessor(&RddcAlibabaRequests::SetFileName,
                                             &RddcAlibabaRequests::GetFileName),
                          MakeStringChecker())
            .AddAttribute("CoresPerUnit",
                          "Cores of a CPU unit. By default the trace's largest instance, 192 "
                          "cores, is the paper's largest request, 128 units.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_coresPerUnit),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("GibPerUnit",
                          "GiB of a memory unit. By default the trace's largest instance, 1000 "
                          "GiB, has 125 units.",
                          DoubleValue(8),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_gibPerUnit),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("MaxUnits",
                          "Most units of either resource; rows that ask for more are left out.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RddcAlibabaRequests::m_maxUnits),
                          MakeUintegerChecker<uint32_t>(1, 1000000000))
            .AddAttribute("MeanGap",
                          "Mean time from one arrival to the next, in request time units; 0 keeps "
                          "the trace's seconds.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_meanGap),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OfferedUnits",
                          "Units in use in the long run of the resource that is asked for more, "
                          "were no request refused; 0 stretches holding times as gaps. By default "
                          "95 % of 64 servers of 16.",
                          DoubleValue(972.8),
                          MakeDoubleAccessor(&RddcAlibabaRequests::m_offeredUnits),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("First",
                          "Number of the request to begin with, counted from 0 in order of "
                          "arrival.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RddcAlibabaRequests::m_first),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Repeat",
                          "How many times the file is passed through; 0 means without end.",
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

const RddcAlibabaReport&
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
    OdcnRowReader reader(m_name, m_skipMalformed);
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
    const auto judge = [this](const Numbers& row, Entry& entry)
    {
        if (!row[CREATION] || !row[SCHEDULED])
        {
            return Report::BEGAN_BEFORE;
        }
        if (!row[DELETION])
        {
            return Report::OUTLASTS;
        }
        entry.arrival = *row[CREATION];
        entry.holding = *row[DELETION] - *row[SCHEDULED];
        if (entry.holding <= 0 || *row[SCHEDULED] < *row[CREATION])
        {
            return Report::NO_DURATION;
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
        entry.cpu = static_cast<uint32_t>(cpu);
        entry.memory = static_cast<uint32_t>(memory);
        return Report::REASONS;
    };
    while (reader.NextRow())
    {
        ++file->report.rowsRead;
        Numbers row;
        Entry entry;
        const Report::Reason reason = read(row) ? judge(row, entry) : Report::MALFORMED;
        if (reason != Report::REASONS)
        {
            ++file->report.rowsSkipped[reason];
            continue;
        }
        ++file->report.rowsUsed;
        file->entries.push_back(entry);
    }
    if (file->entries.empty())
    {
        throw OdcnError::InFile(m_name,
                                0,
                                "no usable instance in " + std::to_string(file->report.rowsRead) +
                                    " rows",
                                "at least one");
    }
    std::stable_sort(file->entries.begin(),
                     file->entries.end(),
                     [](const Entry& a, const Entry& b) { return a.arrival < b.arrival; });
    Scale(*file);
    m_file = file;
    return *m_file;
}

void
RddcAlibabaRequests::Scale(File& file) const
{
    Report& report = file.report;
    const auto n = static_cast<double>(file.entries.size());
    const double span = file.entries.back().arrival - file.entries.front().arrival;
    if (span == 0 && (m_meanGap > 0 || m_offeredUnits > 0))
    {
        throw OdcnError::InFile(m_name,
                                0,
                                "instances that are all created at once",
                                "two times of creation or more, or MeanGap and OfferedUnits 0");
    }
    double cpu = 0;
    double memory = 0;
    double seconds = 0;
    for (const Entry& entry : file.entries)
    {
        report.meanCpu += entry.cpu / n;
        report.meanMemory += entry.memory / n;
        cpu += entry.cpu * entry.holding / n;
        memory += entry.memory * entry.holding / n;
        seconds += entry.holding / n;
    }
    const double gap = span / std::max(n - 1, 1.0);
    report.secondsPerGap = gap;
    report.arrivalFactor = m_meanGap > 0 ? m_meanGap / gap : 1;
    report.holdingFactor = m_offeredUnits > 0
                               ? m_offeredUnits * gap * report.arrivalFactor / std::max(cpu, memory)
                               : report.arrivalFactor;
    report.meanHolding = seconds * report.holdingFactor;
    if (span > 0)
    {
        report.offeredCpu = cpu * report.holdingFactor / (gap * report.arrivalFactor);
        report.offeredMemory = memory * report.holdingFactor / (gap * report.arrivalFactor);
    }
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
    const Entry& entry = file.entries[at % n];
    // Nothing comes before the first of all; its gap is the mean one.
    const double gap =
        at % n == 0 ? file.report.secondsPerGap : entry.arrival - file.entries[at % n - 1].arrival;
    request.id = m_next++;
    request.gap = gap * file.report.arrivalFactor;
    request.cpu = entry.cpu;
    request.memory = entry.memory;
    request.holding = entry.holding * file.report.holdingFactor;
    return true;
}

} // namespace odcn
} // namespace ns3
