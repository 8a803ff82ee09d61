// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-alibaba-rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ns3::odcn
{

namespace
{

/// Columns that are used.
enum Column
{
    TASK_NAME,
    INSTANCE_NUM,
    JOB_NAME,
    STATUS,
    START_TIME,
    END_TIME,
    PLAN_CPU,
    PLAN_MEM,
};

/// Names of the used columns.
const std::vector<std::string> COLUMN_NAMES{"task_name",
                                            "instance_num",
                                            "job_name",
                                            "status",
                                            "start_time",
                                            "end_time",
                                            "plan_cpu",
                                            "plan_mem"};

/// Indices of the used columns in the trace, which has nine columns and no header.
const std::vector<std::size_t> TRACE_ORDER{0, 1, 2, 4, 5, 6, 7, 8};
constexpr std::size_t TRACE_WIDTH = 9;

/**
 * Parse the dependencies in a task's name: letters, its number, then _number for each task that it
 * depends on; a following _Stg and number are ignored.
 *
 * @param name the name
 * @param [out] task its number, 0 if the name has another form
 * @param [in,out] needs list to which the numbers of the other tasks are appended
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

AlibabaReader::AlibabaReader(const std::string& name, bool skipMalformed, bool distinguishJobs)
    : m_reader(name, skipMalformed),
      m_distinguishJobs(distinguishJobs)
{
    m_reader.ReadHeaderIfAny(COLUMN_NAMES, TRACE_ORDER, TRACE_WIDTH);
}

bool
AlibabaReader::ReadFields(AlibabaRow& row)
{
    const RowReader::Range seconds{-1e12, 1e12};
    std::optional<double> instances;
    std::optional<double> start;
    std::optional<double> end;
    std::optional<double> cpu;
    std::optional<double> memory;
    if (!m_reader.ReadIfAny(INSTANCE_NUM, {0, 1e9}, instances) ||
        !m_reader.ReadIfAny(START_TIME, seconds, start) ||
        !m_reader.ReadIfAny(END_TIME, seconds, end) ||
        !m_reader.ReadIfAny(PLAN_CPU, {0, 1e6}, cpu) ||
        !m_reader.ReadIfAny(PLAN_MEM, {0, 100}, memory))
    {
        return false;
    }
    row.instances = instances.value_or(0);
    row.start = start.value_or(0);
    row.end = end.value_or(0);
    row.planCpu = cpu.value_or(0);
    row.planMem = memory.value_or(0);
    return row.instances == std::floor(row.instances) ||
           m_reader.Malformed(m_reader[INSTANCE_NUM], "a whole number in column instance_num");
}

bool
AlibabaReader::Next(AlibabaRow& row, std::vector<uint32_t>& needs, AlibabaReport::Reason& reason)
{
    using Report = AlibabaReport;
    if (!m_reader.NextRow())
    {
        return false;
    }
    row = AlibabaRow();
    row.job = NO_JOB;
    reason = Report::MALFORMED;
    if (!m_reader.CheckWidth())
    {
        return true;
    }
    const std::string_view job = m_reader[JOB_NAME];
    if (job.empty())
    {
        m_reader.Malformed(job, "a job name in column job_name");
        return true;
    }
    row.job = 0;
    if (m_distinguishJobs)
    {
        const auto next = static_cast<uint32_t>(m_jobs.size());
        row.job = m_jobs.try_emplace(std::string(job), next).first->second;
    }
    if (!ReadFields(row))
    {
        return true;
    }
    if (m_reader[STATUS] != "Terminated")
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
    else if (m_reader[PLAN_MEM].empty())
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
        ParseTaskName(m_reader[TASK_NAME], row.task, needs);
        row.needCount = static_cast<uint32_t>(needs.size() - row.needs);
        const auto first = needs.begin() + row.needs;
        const bool itself = row.task != 0 && std::find(first, needs.end(), row.task) != needs.end();
        reason = m_reader[TASK_NAME].empty() || itself ? Report::BAD_NAME : Report::REASONS;
    }
    return true;
}

} // namespace ns3::odcn
