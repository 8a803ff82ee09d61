// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-alibaba-rows.h"

#include <algorithm>
#include <optional>

namespace ns3
{
namespace odcn
{

namespace
{

const std::array<std::string_view, 8> COLUMN_NAMES{"task_name",
                                                   "instance_num",
                                                   "job_name",
                                                   "status",
                                                   "start_time",
                                                   "end_time",
                                                   "plan_cpu",
                                                   "plan_mem"};

/// Where they are in the trace's own order, whose fourth column is task_type.
const std::array<std::size_t, 8> TRACE_ORDER{0, 1, 2, 4, 5, 6, 7, 8};

/// Bounds on numbers, far above any real row, so that arithmetic stays exact enough.
constexpr double MAX_SECONDS = 1e12;
constexpr double MAX_PLAN_CPU = 1e6;
constexpr uint64_t MAX_INSTANCES = 1000000000;

/**
 * Read the dependencies in a task's name: letters, its number, then _number for each task that it
 * reads from; _Stg and a number, which says nothing of tasks, may follow.
 *
 * @param name the name
 * @param [out] task its number, 0 when the name has another form
 * @param [in,out] needs list to append the numbers of the others to
 */
void
ParseTaskName(std::string_view name, uint32_t& task, std::vector<uint32_t>& needs)
{
    const std::size_t before = needs.size();
    const std::size_t digits = name.find_first_of("0123456789");
    task = 0;
    if (digits == 0 || digits == std::string_view::npos ||
        name.substr(0, digits).find('_') != std::string_view::npos)
    {
        return;
    }
    std::vector<std::string_view> parts;
    SplitText(name.substr(digits), '_', parts);
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        if (i > 0 && parts[i].substr(0, 3) == "Stg" && ParseCount(parts[i].substr(3)))
        {
            continue;
        }
        const auto number = ParseCount(parts[i]);
        if (!number || *number == 0 || *number > UINT32_MAX)
        {
            task = 0;
            needs.resize(before);
            return;
        }
        if (i == 0)
        {
            task = static_cast<uint32_t>(*number);
        }
        else if (std::find(needs.begin() + before, needs.end(), *number) == needs.end())
        {
            needs.push_back(static_cast<uint32_t>(*number));
        }
    }
}

} // namespace

OdcnAlibabaReader::OdcnAlibabaReader(const std::string& name, bool skipMalformed, bool tellJobs)
    : m_reader(name),
      m_skipMalformed(skipMalformed),
      m_tellJobs(tellJobs),
      m_columns(TRACE_ORDER)
{
    if (!m_reader.NextLine())
    {
        m_reader.Refuse("an empty file", "rows of the batch_task table");
    }
    m_pending = !ReadHeader();
}

bool
OdcnAlibabaReader::ReadHeader()
{
    SplitText(m_reader.GetLine(), ',', m_fields);
    if (std::find(m_fields.begin(), m_fields.end(), COLUMN_NAMES[TASK_NAME]) == m_fields.end())
    {
        return false;
    }
    m_width = m_fields.size();
    for (std::size_t i = 0; i < COLUMNS; ++i)
    {
        const auto found = std::find(m_fields.begin(), m_fields.end(), COLUMN_NAMES[i]);
        if (found == m_fields.end())
        {
            m_reader.Refuse(m_reader.GetLine(),
                            "a header with a column " + std::string(COLUMN_NAMES[i]));
        }
        m_columns[i] = found - m_fields.begin();
    }
    return true;
}

bool
OdcnAlibabaReader::Malformed(std::string_view value, const std::string& expected)
{
    if (!m_skipMalformed)
    {
        m_reader.Refuse(value, expected);
    }
    return false;
}

bool
OdcnAlibabaReader::ParseNumber(Column column, double low, double high, double& value)
{
    const std::string_view text = Field(column);
    value = 0;
    if (text.empty())
    {
        return true;
    }
    const auto number = ParseFinite(text);
    if (!number || *number < low || *number > high)
    {
        std::string expected = "in column " + std::string(COLUMN_NAMES[column]) + " nothing, or ";
        AppendDouble(expected, low);
        expected += " to ";
        AppendDouble(expected, high);
        return Malformed(text, expected);
    }
    value = *number;
    return true;
}

bool
OdcnAlibabaReader::ParseFields(OdcnAlibabaRow& row)
{
    const std::string_view instances = Field(INSTANCE_NUM);
    row.instances = 0;
    if (!instances.empty())
    {
        const auto count = ParseCount(instances);
        if (!count || *count > MAX_INSTANCES)
        {
            return Malformed(instances, "in column instance_num nothing, or 0 to 10^9");
        }
        row.instances = static_cast<double>(*count);
    }
    return ParseNumber(START_TIME, -MAX_SECONDS, MAX_SECONDS, row.start) &&
           ParseNumber(END_TIME, -MAX_SECONDS, MAX_SECONDS, row.end) &&
           ParseNumber(PLAN_CPU, 0, MAX_PLAN_CPU, row.planCpu) &&
           ParseNumber(PLAN_MEM, 0, 100, row.planMem);
}

bool
OdcnAlibabaReader::Next(OdcnAlibabaRow& row,
                        std::vector<uint32_t>& needs,
                        OdcnAlibabaReport::Reason& reason)
{
    using Report = OdcnAlibabaReport;
    if (!m_pending && !m_reader.NextLine())
    {
        return false;
    }
    m_pending = false;
    row = OdcnAlibabaRow();
    row.job = NO_JOB;
    reason = Report::MALFORMED;
    SplitText(m_reader.GetLine(), ',', m_fields);
    if (m_fields.size() != m_width)
    {
        Malformed(m_reader.GetLine(), std::to_string(m_width) + " columns");
        return true;
    }
    const std::string_view job = Field(JOB_NAME);
    if (job.empty())
    {
        Malformed(job, "a job name in column job_name");
        return true;
    }
    row.job = 0;
    if (m_tellJobs)
    {
        const auto next = static_cast<uint32_t>(m_jobs.size());
        row.job = m_jobs.try_emplace(std::string(job), next).first->second;
    }
    if (!ParseFields(row))
    {
        return true;
    }
    if (Field(STATUS) != "Terminated")
    {
        reason = Report::NOT_TERMINATED;
    }
    else if (row.instances == 0)
    {
        reason = Report::NO_INSTANCES;
    }
    else if (row.planCpu == 0)
    {
        reason = Report::NO_CPU;
    }
    else if (Field(PLAN_MEM).empty())
    {
        reason = Report::NO_MEMORY;
    }
    else if (row.start <= 0 || row.end <= 0)
    {
        reason = Report::NO_TIME;
    }
    else if (row.end < row.start)
    {
        reason = Report::ENDS_EARLY;
    }
    else
    {
        row.needs = static_cast<uint32_t>(needs.size());
        ParseTaskName(Field(TASK_NAME), row.task, needs);
        row.needCount = static_cast<uint32_t>(needs.size() - row.needs);
        const auto first = needs.begin() + row.needs;
        const bool itself = row.task != 0 && std::find(first, needs.end(), row.task) != needs.end();
        reason = Field(TASK_NAME).empty() || itself ? Report::BAD_NAME : Report::REASONS;
    }
    return true;
}

} // namespace odcn
} // namespace ns3
