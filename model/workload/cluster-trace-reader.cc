// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-trace-reader.h"

#include "odcn-alibaba-rows.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace ns3
{
namespace odcn
{

namespace
{

using Report = ClusterTraceReport;
using Reason = ClusterTraceReport::Reason;

constexpr double KIB_PER_GIB = 1024.0 * 1024;
constexpr double BYTES_PER_GIB = KIB_PER_GIB * 1024;
/// Directives of a header that are kept; real ones have about twenty.
constexpr std::size_t MOST_DIRECTIVES = 1000;

/// Lines of fields, each a number where one is asked for.
class FieldReader : public ClusterTraceReader
{
  public:
    FieldReader(const std::string& path, bool skipMalformed)
        : m_reader(path),
          m_skipMalformed(skipMalformed)
    {
    }

  protected:
    /// Refuse or count the row. @param value what is wrong  @param expected what would be right
    void Malformed(std::string_view value, const std::string& expected)
    {
        if (!m_skipMalformed)
        {
            m_reader.Refuse(value, expected);
        }
    }

    /// @param field index  @param [out] value its number  @return whether it is one
    bool ParseField(std::size_t field, double& value)
    {
        const auto number = ParseFinite(m_fields[field]);
        if (!number)
        {
            Malformed(m_fields[field], "a number in column " + std::to_string(field + 1));
            return false;
        }
        value = *number;
        return true;
    }

    OdcnTextReader m_reader;                //!< the file
    bool m_skipMalformed;                   //!< count, do not refuse
    std::vector<std::string_view> m_fields; //!< of the line
};

/// Standard Workload Format.
class SwfReader : public FieldReader
{
  public:
    using FieldReader::FieldReader;

    bool Next(ClusterTraceRow& row, Reason& reason) override
    {
        do
        {
            if (!m_reader.NextLine())
            {
                return false;
            }
            SplitBlanks(m_reader.GetLine());
        } while (m_fields.empty() || IsComment());
        reason = Report::MALFORMED;
        std::array<double, FIELDS> values{};
        if (m_fields.size() != FIELDS)
        {
            Malformed(m_reader.GetLine(), "18 fields");
            return true;
        }
        for (std::size_t i = 0; i < FIELDS; ++i)
        {
            if (!ParseField(i, values[i]))
            {
                return true;
            }
        }
        // -1 stands for what is not known.
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

    /// @param line fields with blanks between
    void SplitBlanks(std::string_view line)
    {
        m_fields.clear();
        for (;;)
        {
            const auto begin = line.find_first_not_of(" \t");
            if (begin == std::string_view::npos)
            {
                return;
            }
            line.remove_prefix(begin);
            const auto end = line.find_first_of(" \t");
            m_fields.push_back(line.substr(0, end));
            line.remove_prefix(std::min(end, line.size()));
        }
    }

    /// @return whether the line is a comment; its directive is kept
    bool IsComment()
    {
        if (m_fields[0][0] != ';')
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
            m_directives[std::string(text.substr(begin, colon - begin))] =
                value == std::string_view::npos ? "" : text.substr(value);
        }
        return true;
    }
};

/// The compact CSV of the CERIT-SC log.
class CeritReader : public FieldReader
{
  public:
    CeritReader(const std::string& path, bool skipMalformed)
        : FieldReader(path, skipMalformed)
    {
        if (!m_reader.NextLine())
        {
            m_reader.Refuse("an empty file", "a header with a column submit_unix_s");
        }
        SplitText(m_reader.GetLine(), ',', m_fields);
        m_width = m_fields.size();
        for (std::size_t i = 0; i < COLUMNS.size(); ++i)
        {
            const auto found = std::find(m_fields.begin(), m_fields.end(), COLUMNS[i]);
            if (found == m_fields.end())
            {
                m_reader.Refuse(m_reader.GetLine(),
                                "a header with a column " + std::string(COLUMNS[i]));
            }
            m_columns[i] = found - m_fields.begin();
        }
    }

    bool Next(ClusterTraceRow& row, Reason& reason) override
    {
        if (!m_reader.NextLine())
        {
            return false;
        }
        reason = Report::MALFORMED;
        SplitText(m_reader.GetLine(), ',', m_fields);
        if (m_fields.size() != m_width)
        {
            Malformed(m_reader.GetLine(), std::to_string(m_width) + " columns");
            return true;
        }
        double bytes = 0;
        if (!ParseField(m_columns[0], row.submit) || !ParseField(m_columns[1], row.runtime) ||
            !ParseField(m_columns[2], row.cpu) || !ParseField(m_columns[3], bytes))
        {
            return true;
        }
        row.memory = bytes / BYTES_PER_GIB;
        reason = row.submit < 0 || row.runtime < 0 ? Report::NEGATIVE_TIME
                 : row.runtime == 0                ? Report::NO_TIME
                 : row.cpu <= 0                    ? Report::NO_CPU
                 : row.memory <= 0                 ? Report::NO_MEMORY
                                                   : Report::REASONS;
        return true;
    }

  private:
    /// Those that are used.
    static constexpr std::array<std::string_view, 4> COLUMNS{"submit_unix_s",
                                                             "runtime_s",
                                                             "procs",
                                                             "req_mem_bytes"};

    std::size_t m_width{0};                              //!< how many columns there are
    std::array<std::size_t, COLUMNS.size()> m_columns{}; //!< where the used ones are
};

/// The batch_task table of Alibaba 2018.
class AlibabaReader : public ClusterTraceReader
{
  public:
    AlibabaReader(const std::string& path, bool skipMalformed)
        : m_reader(path, skipMalformed, false)
    {
    }

    bool Next(ClusterTraceRow& row, Reason& reason) override
    {
        OdcnAlibabaRow task;
        OdcnAlibabaReport::Reason why;
        m_needs.clear();
        if (!m_reader.Next(task, m_needs, why))
        {
            return false;
        }
        row = {task.start, task.end - task.start, task.planCpu / 100, task.planMem};
        switch (why)
        {
        case OdcnAlibabaReport::MALFORMED:
            reason = Report::MALFORMED;
            break;
        case OdcnAlibabaReport::NOT_TERMINATED:
            reason = Report::NOT_FINISHED;
            break;
        case OdcnAlibabaReport::NO_INSTANCES:
        case OdcnAlibabaReport::NO_CPU:
            reason = Report::NO_CPU;
            break;
        case OdcnAlibabaReport::NO_MEMORY:
            reason = Report::NO_MEMORY;
            break;
        case OdcnAlibabaReport::NO_TIME:
            reason = Report::NO_TIME;
            break;
        case OdcnAlibabaReport::ENDS_EARLY:
            reason = Report::NEGATIVE_TIME;
            break;
        default:
            // What is left concerns dependencies, which cluster jobs have not.
            reason = Report::REASONS;
        }
        return true;
    }

  private:
    OdcnAlibabaReader m_reader;    //!< the file
    std::vector<uint32_t> m_needs; //!< scratch
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
        os << "header: " << name << ": " << value << "\n";
    }
}

std::unique_ptr<ClusterTraceReader>
ClusterTraceReader::Open(const std::string& format, const std::string& path, bool skipMalformed)
{
    if (format == "swf")
    {
        return std::make_unique<SwfReader>(path, skipMalformed);
    }
    if (format == "alibaba-2018")
    {
        return std::make_unique<AlibabaReader>(path, skipMalformed);
    }
    if (format == "cerit")
    {
        return std::make_unique<CeritReader>(path, skipMalformed);
    }
    throw OdcnError::InOption("Format", format, "swf, alibaba-2018, cerit or csv");
}

} // namespace odcn
} // namespace ns3
