// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-file.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterJobFile);

namespace
{

/// Latest arrival in a file: far above any real trace, and small enough for exact sums in double.
constexpr double MAX_ARRIVAL = 0x1p40;
/// Latest slot of a job after the first: 190 years of minutes, passed in seconds.
constexpr uint64_t MAX_SLOTS = 100000000;

} // namespace

double
ClusterJobTotals::GetMeanUnits() const
{
    return slots ? std::max(work[0], work[1]) / static_cast<double>(slots) : 0.0;
}

void
ClusterJobTotals::Print(std::ostream& os) const
{
    os << "jobs: " << jobs << "\ntime: " << slots << " slots, mean duration "
       << (jobs ? slotsRun / static_cast<double>(jobs) : 0.0) << " slots\n"
       << "mean demand: " << (slots ? work[0] / static_cast<double>(slots) : 0.0)
       << " units of CPU, " << (slots ? work[1] / static_cast<double>(slots) : 0.0)
       << " of memory\n";
}

TypeId
ClusterJobFile::GetTypeId()
{
    using T = ClusterJobFile;
    static TypeId tid =
        TypeIdOf<ClusterJobFile, ClusterJobSource>("ns3::odcn::ClusterJobFile")
            .Add(Attribute("FileName", &T::m_file, ""), "Input file, may be gzip-compressed.")
            .Add(Attribute("ArrivalFactor", &T::m_arrivalFactor, 1, 0, 1e9),
                 "Factor of the arrival times; below 1 for a higher load.")
            .Add(Attribute("JobsPerSet", &T::m_jobsPerSet, 0),
                 "Jobs per set; 0 for the whole file.");
    return tid;
}

const CsvTable<ClusterJobRow>&
ClusterJobFile::GetTable()
{
    using Column = CsvColumn<ClusterJobRow>;
    static const CsvTable<ClusterJobRow> TABLE = []
    {
        CsvTable<ClusterJobRow> table{
            "job",
            {Column::Number("arrival",
                            &ClusterJobRow::time,
                            {0, MAX_ARRIVAL},
                            CsvOrder::NOT_FALLING),
             Column::Number("duration", &ClusterJobRow::duration, {1, UINT32_MAX})},
            CONVERTER_HINT};
        for (std::size_t i = 0; i < CLUSTER_RESOURCES; ++i)
        {
            const auto read =
                [i](const RowReader& rows, std::size_t column, ClusterJobRow& row, auto*)
            { row.demand[i] = static_cast<uint16_t>(rows.Count(column, 0, CLUSTER_UNITS)); };
            const auto write = [i](std::string& text, const ClusterJobRow& row)
            { AppendCount(text, row.demand[i]); };
            table.columns.push_back({"demand_" + std::to_string(i), read, write, i > 0});
        }
        return table;
    }();
    return TABLE;
}

bool
ClusterJobFile::Read(Pass& pass, ClusterJob& job) const
{
    ClusterJobRow row;
    if (!pass.reader.Next(row))
    {
        return false;
    }
    if (row.demand == ClusterDemand{})
    {
        const RowReader& rows = pass.reader.GetRows();
        rows.Refuse(rows.GetLine(), "a demand above 0");
    }
    row.id = pass.reader.GetNRead() - 1;
    pass.origin = row.id == 0 ? row.time : pass.origin;
    row.arrival =
        static_cast<uint64_t>(std::min((row.time - pass.origin) * m_arrivalFactor, 0x1p52));
    if (row.arrival > MAX_SLOTS)
    {
        throw OdcnError::InFile(m_file,
                                pass.reader.GetRows().GetLineNumber(),
                                "a job " + std::to_string(row.arrival) + " slots after the first",
                                "in column arrival at most " + std::to_string(MAX_SLOTS) +
                                    ": check the times, or choose longer slots");
    }
    job = row;
    return true;
}

ClusterJobTotals
ClusterJobFile::Examine() const
{
    Pass pass{{m_file, GetTable()}};
    ClusterJobTotals totals;
    for (ClusterJob job; Read(pass, job); ++totals.jobs)
    {
        totals.slots = job.arrival + 1;
        totals.slotsRun += job.duration;
        for (std::size_t i = 0; i < totals.work.size(); ++i)
        {
            totals.work[i] += static_cast<double>(job.demand[i]) * job.duration;
        }
    }
    return totals;
}

void
ClusterJobFile::NextSet()
{
    if (m_pass)
    {
        for (ClusterJob job; Next(job);)
        {
        }
    }
    if (!m_hasAhead)
    {
        m_pass = std::make_unique<Pass>(Pass{{m_file, GetTable()}});
        m_hasAhead = Read(*m_pass, m_ahead);
    }
    m_taken = 0;
    m_slots = 0;
    m_origin = m_ahead.arrival;
}

bool
ClusterJobFile::Next(ClusterJob& job)
{
    if (!m_hasAhead || (m_jobsPerSet && m_taken == m_jobsPerSet))
    {
        return false;
    }
    job = m_ahead;
    job.arrival -= m_origin;
    m_slots = job.arrival + 1;
    ++m_taken;
    m_hasAhead = Read(*m_pass, m_ahead);
    return true;
}

uint64_t
ClusterJobFile::GetSlots() const
{
    return m_slots;
}

int64_t
ClusterJobFile::AssignStreams(int64_t)
{
    m_pass.reset();
    m_hasAhead = false;
    return 0;
}

ClusterJobWriter::ClusterJobWriter(const std::string& path, uint32_t resources)
    : CsvTableWriter(path,
                     ClusterJobFile::GetTable(),
                     [resources]
                     {
                         std::vector<std::string> names{"arrival", "duration"};
                         for (uint32_t i = 0; i < resources; ++i)
                         {
                             names.push_back("demand_" + std::to_string(i));
                         }
                         return names;
                     }())
{
}

} // namespace ns3::odcn
