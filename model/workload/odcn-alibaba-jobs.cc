// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-alibaba-jobs.h"

#include "odcn-alibaba-rows.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnAlibabaJobs);

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
                "Input file; setting it restarts the stream at the first job.",
                StringValue(""),
                MakeStringAccessor(&OdcnAlibabaJobs::SetFileName, &OdcnAlibabaJobs::GetFileName),
                MakeStringChecker())
            .AddAttribute(
                "VmMapping",
                "Unit that is mapped to a VM: task (one VM for all instances of a task) or "
                "instance.",
                StringValue("task"),
                MakeStringAccessor(&OdcnAlibabaJobs::SetVmMapping, &OdcnAlibabaJobs::GetVmMapping),
                MakeStringChecker())
            .AddAttribute("Communication",
                          "Communication: dag (the dependencies in the task names) or a "
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
                          "Memory of a machine (100 percent of plan_mem), in GB.",
                          DoubleValue(256),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_machineMemoryGb),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("DiskGbPerCore",
                          "Disk of a VM, in GB for each core; the paper's smaller VMs have 20.",
                          DoubleValue(20),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_diskGbPerCore),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("MaxVmCores",
                          "Maximum cores of a VM; larger demands are truncated.",
                          DoubleValue(16),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_maxVmCores),
                          MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute("MaxVmMemoryGb",
                          "Maximum memory of a VM in GB; larger demands are truncated.",
                          DoubleValue(122),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_maxVmMemoryGb),
                          MakeDoubleChecker<double>(0.001, 1e6))
            .AddAttribute("MaxInstances",
                          "Maximum VMs per task, for the VmMapping instance.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_maxInstances),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("MinVms",
                          "Minimum VMs of a job; smaller jobs are skipped.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_minVms),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxVms",
                          "Maximum VMs of a job; larger jobs are skipped.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&OdcnAlibabaJobs::m_maxVms),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("MeanInterArrival",
                          "Mean inter-arrival time, in job time units; 0 keeps "
                          "the trace's seconds.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_meanInterArrival),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OfferedCores",
                          "Mean cores in use in the long run if no job is blocked; 0 scales "
                          "durations as arrivals. The default is that of the paper's jobs at "
                          "load 66: 66 x 15.5 VMs x 13 cores.",
                          DoubleValue(13299),
                          MakeDoubleAccessor(&OdcnAlibabaJobs::m_offeredCores),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Repeat",
                          "Number of passes through the file; 0 for endless.",
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

const AlibabaReport&
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
    using Report = AlibabaReport;
    if (m_loaded)
    {
        return;
    }
    m_report = Report();
    m_entries.clear();
    m_vms.clear();
    m_demands.clear();
    m_needs.clear();

    AlibabaReader reader(m_name, m_skipMalformed);
    std::vector<AlibabaRow> rows;
    std::vector<bool> incomplete;
    AlibabaRow row;
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
        if (row.job != AlibabaReader::NO_JOB)
        {
            incomplete[row.job] = true;
        }
    }
    m_report.jobsRead = reader.GetJobs();

    std::stable_sort(rows.begin(),
                     rows.end(),
                     [](const AlibabaRow& a, const AlibabaRow& b) { return a.job < b.job; });
    std::vector<AlibabaRow> job;
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
    std::stable_sort(m_entries.begin(),
                     m_entries.end(),
                     [](const Entry& a, const Entry& b) { return a.start < b.start; });
    m_report.Scale({m_entries.begin(), m_entries.end()},
                   m_meanInterArrival,
                   m_offeredCores,
                   m_name,
                   "MeanInterArrival and OfferedCores");
    m_needs.clear();
    m_needs.shrink_to_fit();
    m_loaded = true;
}

void
OdcnAlibabaJobs::AddJob(std::vector<AlibabaRow>& rows)
{
    using Report = AlibabaReport;
    std::stable_sort(rows.begin(),
                     rows.end(),
                     [](const AlibabaRow& a, const AlibabaRow& b) { return a.task < b.task; });
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
    for (AlibabaRow& row : rows)
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
    for (AlibabaRow& row : rows)
    {
        const double share = m_perInstance ? 1 : row.instances;
        const double asked = row.planCpu / 100 * share;
        const double askedGb = row.planMem / 100 * m_machineMemoryGb * share;
        const double cores = std::min(asked, m_maxVmCores);
        const bool cut = asked > m_maxVmCores || askedGb > m_maxVmMemoryGb;
        auto vm =
            OdcnResources::Of(cores, std::min(askedGb, m_maxVmMemoryGb), cores * m_diskGbPerCore);
        vm.milli[0] = std::max<int64_t>(vm.milli[0], 1);
        row.vm = static_cast<uint32_t>(m_vms.size() - entry.vms);
        m_vms.insert(m_vms.end(), row.vmCount, vm);
        m_report.vmsCapped += cut ? row.vmCount : 0;
        entry.cpu += vm.Cores() * row.vmCount;
    }
    entry.vmCount = m_vms.size() - entry.vms;
    AddDemands(rows, entry);
    m_entries.push_back(entry);
    m_report.rowsUsed += rows.size();
    m_report.vms += entry.vmCount;
    ++m_report.jobsUsed;
}

void
OdcnAlibabaJobs::AddDemands(const std::vector<AlibabaRow>& rows, Entry& entry)
{
    // Sort VMs largest first, the order in which the scheduler places them.
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
    for (const AlibabaRow& row : rows)
    {
        for (uint32_t i = row.needs; i < row.needs + row.needCount; ++i)
        {
            const auto source =
                std::lower_bound(rows.begin(),
                                 rows.end(),
                                 m_needs[i],
                                 [](const AlibabaRow& a, uint32_t b) { return a.task < b; });
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

} // namespace ns3::odcn
