// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-trace-reader.h"

#include "odcn-alibaba-rows.h"
#include "odcn-column-reader.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-safe-text.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

namespace
{

using Report = ClusterTraceReport;
using Reason = ClusterTraceReport::Reason;

constexpr double KIB_PER_GIB = 1024.0 * 1024;
/// Column map of CERIT's jobs; converts bytes to GiB.
constexpr const char* CERIT =
    "arrival=submit_unix_s,duration=runtime_s,cpu=procs,memory=req_mem_bytes/1073741824";
/// Largest number of stored header directives; real files have about twenty.
constexpr std::size_t MOST_DIRECTIVES = 1000;
/// Characters kept of a directive's name and of its value.
constexpr std::size_t MOST_CHARACTERS = 1000;

/// Reads SWF.
class SwfReader : public ClusterTraceReader
{
  public:
    /// @param path file  @param skipMalformed count malformed rows instead of refusing the file
    SwfReader(const std::string& path, bool skipMalformed)
        : m_reader(path, skipMalformed, RowReader::BLANKS)
    {
    }

    bool Next(ClusterTraceRow& row, Reason& reason) override
    {
        do
        {
            if (!m_reader.NextRow())
            {
                return false;
            }
        } while (IsComment());
        reason = Report::MALFORMED;
        std::array<double, FIELDS> values{};
        bool sound = m_reader.CheckWidth(FIELDS, "18 fields");
        for (std::size_t i = 0; sound && i < FIELDS; ++i)
        {
            sound = m_reader.Read(i, {}, values[i]);
        }
        if (!sound)
        {
            return true;
        }
        // -1 means unknown.
        row.submit = values[1];
        row.runtime = values[3];
        row.cpu = values[4] > 0 ? values[4] : values[7];
        row.memory = std::max(0.0, values[9] > 0 ? values[9] : values[6]) * row.cpu / KIB_PER_GIB;
        const bool negative = row.submit < 0 || (row.runtime < 0 && row.runtime != -1);
        reason = negative           ? Report::NEGATIVE_TIME
                 : row.runtime <= 0 ? Report::NO_TIME
                 : row.cpu <= 0     ? Report::NO_CPU
                                    : Report::REASONS;
        return true;
    }

  private:
    static constexpr std::size_t FIELDS = 18;

    /// Store a directive. @return whether the line is a comment
    bool IsComment()
    {
        if (m_reader[0][0] != ';')
        {
            return false;
        }
        std::string_view text = m_reader.GetLine();
        text.remove_prefix(text.find(';') + 1);
        const auto colon = text.find(':');
        const auto begin = text.find_first_not_of(" \t");
        if (colon != std::string_view::npos && begin < colon &&
            m_directives.size() < MOST_DIRECTIVES)
        {
            const auto value = text.find_first_not_of(" \t", colon + 1);
            m_directives[std::string(
                text.substr(begin, colon - begin).substr(0, MOST_CHARACTERS))] =
                value == std::string_view::npos ? "" : text.substr(value, MOST_CHARACTERS);
        }
        return true;
    }

    RowReader m_reader; //!< input file
};

/// Reads any CSV file with a header through a column map, such as CERIT's.
class ColumnTraceReader : public ClusterTraceReader
{
  public:
    /// @param path file  @param skipMalformed count malformed rows instead of refusing the file
    /// @param columns column map  @param needsMemory whether a job without memory is skipped
    ColumnTraceReader(const std::string& path,
                      bool skipMalformed,
                      const std::string& columns,
                      bool needsMemory)
        : m_map(path,
                columns,
                {{"arrival", {}}, {"duration", {}}, {"cpu", {}}, {"memory", 0.0}},
                skipMalformed),
          m_needsMemory(needsMemory)
    {
    }

    bool Next(ClusterTraceRow& row, Reason& reason) override
    {
        if (!m_map.NextRow())
        {
            return false;
        }
        reason = Report::MALFORMED;
        std::vector<double> values;
        if (!m_map.Read(values))
        {
            return true;
        }
        row = {values[0], values[1], values[2], values[3]};
        reason = row.submit < 0 || row.runtime < 0  ? Report::NEGATIVE_TIME
                 : row.runtime == 0                 ? Report::NO_TIME
                 : row.cpu <= 0                     ? Report::NO_CPU
                 : row.memory <= 0 && m_needsMemory ? Report::NO_MEMORY
                                                    : Report::REASONS;
        return true;
    }

  private:
    ColumnReader m_map; //!< input file
    bool m_needsMemory; //!< see the constructor
};

/// The batch_task table of Alibaba 2018.
class AlibabaTraceReader : public ClusterTraceReader
{
  public:
    AlibabaTraceReader(const std::string& path, bool skipMalformed)
        : m_reader(path, skipMalformed, false)
    {
    }

    bool Next(ClusterTraceRow& row, Reason& reason) override
    {
        AlibabaRow task;
        AlibabaReport::Reason why;
        m_needs.clear();
        if (!m_reader.Next(task, m_needs, why))
        {
            return false;
        }
        row = {task.start, task.end - task.start, task.planCpu / 100, task.planMem};
        // Errors in dependencies are irrelevant for cluster jobs.
        static const std::map<AlibabaReport::Reason, Reason> REASONS{
            {AlibabaReport::MALFORMED, Report::MALFORMED},
            {AlibabaReport::NOT_TERMINATED, Report::NOT_FINISHED},
            {AlibabaReport::NO_INSTANCES, Report::NO_CPU},
            {AlibabaReport::NO_CPU, Report::NO_CPU},
            {AlibabaReport::NO_MEMORY, Report::NO_MEMORY},
            {AlibabaReport::NO_TIME, Report::NO_TIME},
            {AlibabaReport::ENDS_EARLY, Report::NEGATIVE_TIME}};
        const auto found = REASONS.find(why);
        reason = found == REASONS.end() ? Report::REASONS : found->second;
        return true;
    }

  private:
    AlibabaReader m_reader;        //!< input file
    std::vector<uint32_t> m_needs; //!< scratch memory
};

} // namespace

const char*
ClusterTraceReport::GetName(Reason reason)
{
    static const std::array<const char*, REASONS> NAMES{"malformed row",
                                                        "did not run to its end",
                                                        "negative time",
                                                        "no run time",
                                                        "no processors",
                                                        "no memory",
                                                        "earlier than a row long before it"};
    return NAMES[reason];
}

double
ClusterTraceReport::GetMeanUnits() const
{
    return slots ? std::max(work[0], work[1]) / static_cast<double>(slots) : 0.0;
}

void
ClusterTraceReport::Print(std::ostream& os) const
{
    os << "rows: " << rowsRead << " read = " << jobs << " jobs + " << rowsRead - jobs
       << " skipped\n";
    for (int i = 0; i < REASONS; ++i)
    {
        if (rowsSkipped[i] != 0)
        {
            os << "  " << rowsSkipped[i] << " skipped: " << GetName(static_cast<Reason>(i)) << "\n";
        }
    }
    os << "cut: " << shortened << " jobs to the greatest duration, " << narrowed
       << " to the most units\n"
       << "time: " << slots << " slots, mean duration "
       << (jobs ? slotsRun / static_cast<double>(jobs) : 0.0) << " slots\n"
       << "mean demand: " << (slots ? work[0] / static_cast<double>(slots) : 0.0)
       << " units of CPU, " << (slots ? work[1] / static_cast<double>(slots) : 0.0)
       << " of memory\n";
    for (const auto& [name, value] : directives)
    {
        os << "header: " << EscapeText(name) << ": " << EscapeText(value) << "\n";
    }
}

std::unique_ptr<ClusterTraceReader>
ClusterTraceReader::Open(const std::string& format,
                         const std::string& path,
                         bool skipMalformed,
                         const std::string& columns)
{
    if (format == "swf")
    {
        return std::make_unique<SwfReader>(path, skipMalformed);
    }
    if (format == "alibaba-2018")
    {
        return std::make_unique<AlibabaTraceReader>(path, skipMalformed);
    }
    if (format == "cerit")
    {
        return std::make_unique<ColumnTraceReader>(path, skipMalformed, CERIT, true);
    }
    if (format == "columns")
    {
        return std::make_unique<ColumnTraceReader>(path, skipMalformed, columns, false);
    }
    throw OdcnError::InOption("Format", format, "swf, alibaba-2018, cerit, columns or csv");
}

} // namespace ns3::odcn
