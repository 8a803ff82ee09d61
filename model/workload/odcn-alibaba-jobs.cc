// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-alibaba-jobs.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnAlibabaJobs);

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
    COLUMNS
};

const std::array<std::string_view, COLUMNS> COLUMN_NAMES{"task_name",
                                                         "instance_num",
                                                         "job_name",
                                                         "status",
                                                         "start_time",
                                                         "end_time",
                                                         "plan_cpu",
                                                         "plan_mem"};

/// Where they are in the trace's own order, whose fourth column is task_type.
const std::array<std::size_t, COLUMNS> TRACE_ORDER{0, 1, 2, 4, 5, 6, 7, 8};
/// How many columns the trace's own order has.
constexpr std::size_t TRACE_COLUMNS = 9;

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

const char*
OdcnAlibabaReport::GetName(Reason reason)
{
    switch (reason)
    {
    case MALFORMED:
        return "malformed row";
    case NOT_TERMINATED:
        return "status is not Terminated";
    case NO_INSTANCES:
        return "instance_num is empty or 0";
    case NO_CPU:
        return "plan_cpu is empty or 0";
    case NO_MEMORY:
        return "plan_mem is empty";
    case NO_TIME:
        return "start_time or end_time is empty, 0 or negative";
    case ENDS_EARLY:
        return "end_time is before start_time";
    case BAD_NAME:
        return "task name is empty, taken, or needs itself";
    case JOB_INCOMPLETE:
        return "another row of the job was skipped";
    case NO_DURATION:
        return "job begins and ends in the same second";
    case TOO_FEW_VMS:
        return "job has fewer VMs than MinVms";
    case TOO_MANY_VMS:
        return "job has more VMs than MaxVms";
    case REASONS:
        break;
    }
    return "";
}

void
OdcnAlibabaReport::Print(std::ostream& os) const
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
    os << "jobs: " << jobsUsed << " of " << jobsRead << ", with " << vms << " VMs";
    if (vmsCapped != 0)
    {
        os << ", " << vmsCapped << " of them cut to the largest VM";
    }
    if (absentTasks != 0)
    {
        os << "; " << absentTasks << " dependencies on absent tasks left out";
    }
    os << "\ntime: one arrival in " << secondsPerGap << " s; arrivals x " << arrivalFactor
       << ", durations x " << durationFactor << ", mean duration " << meanDuration
       << "\nload: " << offeredCores << " cores in the long run, " << offeredInWindow
       << " from the first to the last arrival\n";
}

/// Reads rows and says what is wrong with them.
class OdcnAlibabaJobs::Reader
{
  public:
    /**
     * @param name file to read
     * @param skipMalformed count malformed rows instead of refusing the file
     */
    Reader(const std::string& name, bool skipMalformed);

    /**
     * Read one row.
     *
     * @param [out] row the row, when nothing is wrong with it
     * @param [in,out] needs list to append dependencies to
     * @param [out] reason what is wrong with the row, REASONS when nothing is
     * @return false at the end of the file
     */
    bool Next(Row& row, std::vector<uint32_t>& needs, OdcnAlibabaReport::Reason& reason);

    /// @return number of jobs met
    std::size_t GetJobs() const
    {
        return m_jobs.size();
    }

    /// Index of a row's job when its job name could not be told.
    static constexpr uint32_t NO_JOB = UINT32_MAX;

  private:
    /// Find the columns by the header, if there is one. @return whether there is
    bool ReadHeader();

    /**
     * Check the form of the fields and take their values.
     * @param [out] row where the values go
     * @return whether all fields have the form that they must have
     */
    bool ParseFields(Row& row);

    /**
     * @param column which field
     * @param low least value
     * @param high greatest value
     * @param [out] value the number, 0 for an empty field
     * @return whether the field is empty or such a number
     */
    bool ParseNumber(Column column, double low, double high, double& value);

    /// Refuse or count the line. @param value what is wrong  @param expected what would be right
    bool Malformed(std::string_view value, const std::string& expected);

    /// @param column a column  @return its field
    std::string_view Field(Column column) const
    {
        return m_fields[m_columns[column]];
    }

    OdcnTextReader m_reader;                          //!< the file
    bool m_skipMalformed;                             //!< count, do not refuse
    std::array<std::size_t, COLUMNS> m_columns;       //!< where the columns are
    std::size_t m_width{TRACE_COLUMNS};               //!< how many columns there are
    bool m_pending{false};                            //!< a line is read but not used
    std::vector<std::string_view> m_fields;           //!< fields of the line; reused
    std::unordered_map<std::string, uint32_t> m_jobs; //!< index of each job name
};

OdcnAlibabaJobs::Reader::Reader(const std::string& name, bool skipMalformed)
    : m_reader(name),
      m_skipMalformed(skipMalformed),
      m_columns(TRACE_ORDER)
{
    if (!m_reader.NextLine())
    {
        m_reader.Refuse("an empty file", "rows of the batch_task table");
    }
    m_pending = !ReadHeader();
}

bool
OdcnAlibabaJobs::Reader::ReadHeader()
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
OdcnAlibabaJobs::Reader::Malformed(std::string_view value, const std::string& expected)
{
    if (!m_skipMalformed)
    {
        m_reader.Refuse(value, expected);
    }
    return false;
}

bool
OdcnAlibabaJobs::Reader::ParseNumber(Column column, double low, double high, double& value)
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
OdcnAlibabaJobs::Reader::ParseFields(Row& row)
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
           ParseNumber(PLAN_CPU, 0, MAX_PLAN_CPU, row.cores) &&
           ParseNumber(PLAN_MEM, 0, 100, row.memoryGb);
}

bool
OdcnAlibabaJobs::Reader::Next(Row& row,
                              std::vector<uint32_t>& needs,
                              OdcnAlibabaReport::Reason& reason)
{
    using Report = OdcnAlibabaReport;
    if (!m_pending && !m_reader.NextLine())
    {
        return false;
    }
    m_pending = false;
    row = Row();
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
    row.job =
        m_jobs.try_emplace(std::string(job), static_cast<uint32_t>(m_jobs.size())).first->second;
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
    else if (row.cores == 0)
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

TypeId
OdcnAlibabaJobs::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnAlibabaJobs")
            .SetParent<OdcnJobSource>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnAlibabaJobs>()
            .AddAttribute(
                "FileName",
                "File to read; setting it begins again at the first job.",
                StringValue(""),
                MakeStringAccessor(&OdcnAlibabaJobs::SetFileName, &OdcnAlibabaJobs::GetFileName),
                MakeStringChecker())
            .AddAttribute(
                "VmMapping",
                "What becomes a VM: task (one VM for all instances of a task) or "
                "instance.",
                StringValue("task"),
                MakeStringAccessor(&OdcnAlibabaJobs::SetVmMapping, &OdcnAlibabaJobs::GetVmMapping),
                MakeStringChecker())
            .AddAttribute("Communication",
                          "Who talks to whom: dag (the dependencies in the task names) or a "
                          "pattern: ring, bidirectional-ring, tree, star, random-p, full-mesh.",
                          StringValue("dag"),
                          MakeStringAccessor(&OdcnAlibabaJobs::SetCommunication,
                                             &OdcnAlibabaJobs::GetCommunication),
                          MakeStringChecker())
            .AddAttribute("PatternProbability",
                          "Probability that one VM sends to another, for the pattern random-p.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_probability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DemandGbps",
                          "Bandwidth that one VM sends to another, in Gb/s, above 0.",
                          StringValue("ns3::UniformRandomVariable[Min=6|Max=8]"),
                          MakePointerAccessor(&OdcnAlibabaJobs::m_demand),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("MachineMemoryGb",
                          "What 100 percent of plan_mem are, in GB.",
                          DoubleValue(256),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_machineMemoryGb),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("DiskGbPerCore",
                          "Disk of a VM, in GB for each core; the paper's smaller VMs have 20.",
                          DoubleValue(20),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_diskGbPerCore),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("MaxVmCores",
                          "Cores of the largest VM; what asks for more is cut to it.",
                          DoubleValue(16),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_maxVmCores),
                          MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute("MaxVmMemoryGb",
                          "Memory of the largest VM in GB; what asks for more is cut to it.",
                          DoubleValue(122),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_maxVmMemoryGb),
                          MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute("MaxInstances",
                          "Most VMs of one task, for the VmMapping instance.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_maxInstances),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("MinVms",
                          "Least VMs of a job; smaller jobs are left out.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_minVms),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxVms",
                          "Most VMs of a job; larger jobs are left out.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_maxVms),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("MeanInterArrival",
                          "Mean time from one arrival to the next, in job time units; 0 keeps "
                          "the trace's seconds.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_meanInterArrival),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OfferedCores",
                          "Cores in use in the long run, were no job refused; 0 stretches "
                          "durations as arrivals. The default is what the paper's jobs offer at "
                          "load 66: 66 x 15.5 VMs x 13 cores.",
                          DoubleValue(13299),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_offeredCores),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Repeat",
                          "How many times the file is passed through; 0 means without end.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_repeat),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SkipMalformed",
                          "Count malformed rows instead of refusing the file.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OdcnAlibabaJobs::m_skipMalformed),
                          MakeBooleanChecker());
    return tid;
}

OdcnAlibabaJobs::OdcnAlibabaJobs()
    : m_shuffle(CreateObject<UniformRandomVariable>()),
      m_coin(CreateObject<UniformRandomVariable>())
{
}

int64_t
OdcnAlibabaJobs::AssignStreams(int64_t stream)
{
    m_demand->SetStream(stream);
    m_shuffle->SetStream(stream + 1);
    m_coin->SetStream(stream + 2);
    return 3;
}

const OdcnAlibabaReport&
OdcnAlibabaJobs::GetReport()
{
    Load();
    return m_report;
}

void
OdcnAlibabaJobs::SetFileName(const std::string& name)
{
    m_name = name;
    m_loaded = false;
    m_next = 0;
}

std::string
OdcnAlibabaJobs::GetFileName() const
{
    return m_name;
}

void
OdcnAlibabaJobs::SetVmMapping(const std::string& name)
{
    if (name != "task" && name != "instance")
    {
        throw OdcnError::InOption("VmMapping", name, "task or instance");
    }
    m_perInstance = name == "instance";
}

std::string
OdcnAlibabaJobs::GetVmMapping() const
{
    return m_perInstance ? "instance" : "task";
}

void
OdcnAlibabaJobs::SetCommunication(const std::string& name)
{
    if (name == "dag")
    {
        m_pattern.reset();
        return;
    }
    m_pattern = ParsePattern("Communication", name, "dag");
}

std::string
OdcnAlibabaJobs::GetCommunication() const
{
    return m_pattern ? ToString(*m_pattern) : "dag";
}

void
OdcnAlibabaJobs::Load()
{
    using Report = OdcnAlibabaReport;
    if (m_loaded)
    {
        return;
    }
    m_report = Report();
    m_entries.clear();
    m_vms.clear();
    m_demands.clear();
    m_needs.clear();

    Reader reader(m_name, m_skipMalformed);
    std::vector<Row> rows;
    std::vector<bool> incomplete;
    Row row;
    Report::Reason reason;
    while (reader.Next(row, m_needs, reason))
    {
        ++m_report.rowsRead;
        incomplete.resize(reader.GetJobs());
        if (reason == Report::REASONS)
        {
            rows.push_back(row);
            continue;
        }
        ++m_report.rowsSkipped[reason];
        if (row.job != Reader::NO_JOB)
        {
            incomplete[row.job] = true;
        }
    }
    m_report.jobsRead = reader.GetJobs();

    std::stable_sort(rows.begin(),
                     rows.end(),
                     [](const Row& a, const Row& b) { return a.job < b.job; });
    std::vector<Row> job;
    for (std::size_t i = 0; i < rows.size();)
    {
        job.clear();
        for (const uint32_t index = rows[i].job; i < rows.size() && rows[i].job == index; ++i)
        {
            job.push_back(rows[i]);
        }
        if (incomplete[job.front().job])
        {
            m_report.rowsSkipped[Report::JOB_INCOMPLETE] += job.size();
        }
        else
        {
            AddJob(job);
        }
    }
    if (m_entries.empty())
    {
        throw OdcnError::InFile(m_name,
                                0,
                                "no usable job in " + std::to_string(m_report.rowsRead) + " rows",
                                "at least one");
    }
    Scale();
    m_needs.clear();
    m_needs.shrink_to_fit();
    m_loaded = true;
}

void
OdcnAlibabaJobs::AddJob(std::vector<Row>& rows)
{
    using Report = OdcnAlibabaReport;
    std::stable_sort(rows.begin(),
                     rows.end(),
                     [](const Row& a, const Row& b) { return a.task < b.task; });
    std::size_t taken = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        taken += rows[i].task != 0 && rows[i].task == rows[i - 1].task;
    }
    if (taken > 0)
    {
        m_report.rowsSkipped[Report::BAD_NAME] += taken;
        m_report.rowsSkipped[Report::JOB_INCOMPLETE] += rows.size() - taken;
        return;
    }

    Entry entry;
    entry.start = rows.front().start;
    double end = rows.front().end;
    double count = 0;
    for (Row& row : rows)
    {
        entry.start = std::min(entry.start, row.start);
        end = std::max(end, row.end);
        row.vmCount = m_perInstance ? std::min<double>(row.instances, m_maxInstances) : 1;
        count += row.vmCount;
    }
    entry.duration = end - entry.start;
    if (entry.duration == 0 || count < m_minVms || count > m_maxVms)
    {
        m_report.rowsSkipped[entry.duration == 0 ? Report::NO_DURATION
                             : count < m_minVms  ? Report::TOO_FEW_VMS
                                                 : Report::TOO_MANY_VMS] += rows.size();
        return;
    }

    entry.vms = m_vms.size();
    for (Row& row : rows)
    {
        const double share = m_perInstance ? 1 : row.instances;
        const double asked = row.cores / 100 * share;
        const double askedGb = row.memoryGb / 100 * m_machineMemoryGb * share;
        const double cores = std::min(asked, m_maxVmCores);
        const bool cut = asked > m_maxVmCores || askedGb > m_maxVmMemoryGb;
        auto vm =
            OdcnResources::Of(cores, std::min(askedGb, m_maxVmMemoryGb), cores * m_diskGbPerCore);
        vm.milli[0] = std::max<int64_t>(vm.milli[0], 1);
        row.vm = static_cast<uint32_t>(m_vms.size() - entry.vms);
        m_vms.insert(m_vms.end(), row.vmCount, vm);
        m_report.vmsCapped += cut ? row.vmCount : 0;
        entry.cores += vm.Cores() * row.vmCount;
    }
    entry.vmCount = m_vms.size() - entry.vms;
    AddDemands(rows, entry);
    m_entries.push_back(entry);
    m_report.rowsUsed += rows.size();
    m_report.vms += entry.vmCount;
    ++m_report.jobsUsed;
}

void
OdcnAlibabaJobs::AddDemands(const std::vector<Row>& rows, Entry& entry)
{
    // Largest first, as the scheduler places them.
    std::vector<uint32_t> bySize(entry.vmCount);
    std::iota(bySize.begin(), bySize.end(), 0);
    const std::vector<OdcnResources> vms(m_vms.begin() + entry.vms, m_vms.end());
    std::stable_sort(bySize.begin(),
                     bySize.end(),
                     [&vms](uint32_t a, uint32_t b) { return vms[a].milli > vms[b].milli; });
    std::vector<uint32_t> place(entry.vmCount);
    for (uint32_t i = 0; i < entry.vmCount; ++i)
    {
        place[bySize[i]] = i;
        m_vms[entry.vms + i] = vms[bySize[i]];
    }

    entry.demands = m_demands.size();
    for (const Row& row : rows)
    {
        for (uint32_t i = row.needs; i < row.needs + row.needCount; ++i)
        {
            const auto source =
                std::lower_bound(rows.begin(),
                                 rows.end(),
                                 m_needs[i],
                                 [](const Row& a, uint32_t b) { return a.task < b; });
            if (source == rows.end() || source->task != m_needs[i])
            {
                ++m_report.absentTasks;
                continue;
            }
            for (uint32_t k = 0; k < std::max(source->vmCount, row.vmCount); ++k)
            {
                m_demands.push_back(
                    {place[source->vm + k % source->vmCount], place[row.vm + k % row.vmCount], 0});
            }
        }
    }
    entry.demandCount = m_demands.size() - entry.demands;
}

void
OdcnAlibabaJobs::Scale()
{
    std::stable_sort(m_entries.begin(),
                     m_entries.end(),
                     [](const Entry& a, const Entry& b) { return a.start < b.start; });
    const auto n = static_cast<double>(m_entries.size());
    const double span = m_entries.back().start - m_entries.front().start;
    if (span == 0 && (m_meanInterArrival > 0 || m_offeredCores > 0))
    {
        throw OdcnError::InFile(m_name,
                                0,
                                "jobs that all arrive at once",
                                "arrivals at two times or more, or MeanInterArrival and "
                                "OfferedCores 0");
    }
    double work = 0;
    double seconds = 0;
    for (const Entry& entry : m_entries)
    {
        work += entry.cores * entry.duration / n;
        seconds += entry.duration / n;
    }
    const double gap = n > 1 ? span / (n - 1) : 0;
    const double arrivals = m_meanInterArrival > 0 ? m_meanInterArrival / gap : 1;
    const double durations = m_offeredCores > 0 ? m_offeredCores * gap * arrivals / work : arrivals;
    double inWindow = 0;
    for (const Entry& entry : m_entries)
    {
        const double left = (m_entries.back().start - entry.start) * arrivals;
        inWindow += entry.cores * std::min(entry.duration * durations, left);
    }
    m_report.secondsPerGap = gap;
    m_report.arrivalFactor = arrivals;
    m_report.durationFactor = durations;
    m_report.meanDuration = seconds * durations;
    m_report.offeredCores = span > 0 ? work * durations / (gap * arrivals) : 0;
    m_report.offeredInWindow = span > 0 ? inWindow / (span * arrivals) : 0;
}

bool
OdcnAlibabaJobs::Next(OdcnJob& job)
{
    Load();
    const uint64_t pass = m_next / m_entries.size();
    if (m_repeat != 0 && pass >= m_repeat)
    {
        return false;
    }
    const Entry& entry = m_entries[m_next % m_entries.size()];
    const double period = m_report.secondsPerGap * static_cast<double>(m_entries.size());
    job.id = m_next++;
    job.arrival = (entry.start - m_entries.front().start + static_cast<double>(pass) * period) *
                  m_report.arrivalFactor;
    job.duration = entry.duration * m_report.durationFactor;
    job.vms.assign(m_vms.begin() + entry.vms, m_vms.begin() + entry.vms + entry.vmCount);
    if (m_pattern)
    {
        DrawOrder(entry.vmCount, m_shuffle, m_order);
        BuildPattern(*m_pattern, m_order, m_probability, m_coin, job.demands);
    }
    else
    {
        const auto first = m_demands.begin() + entry.demands;
        job.demands.assign(first, first + entry.demandCount);
    }
    DrawRates(m_demand, job.demands);
    return true;
}

} // namespace odcn
} // namespace ns3
