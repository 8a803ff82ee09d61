// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-alibaba-report.h"

#include "ns3/odcn-error.h"

#include <algorithm>

namespace ns3::odcn
{

const char*
AlibabaReport::GetName(Reason reason)
{
    static constexpr std::array<const char*, REASONS> NAMES{
        "malformed row",
        "status is not Terminated",
        "instance_num is empty or 0",
        "plan_cpu is empty or 0",
        "plan_mem is empty",
        "start_time or end_time is empty, 0 or negative",
        "end_time is before start_time",
        "task name is empty, taken, or needs itself",
        "another row of the job was skipped",
        "job begins and ends in the same second",
        "job has fewer VMs than MinVms",
        "job has more VMs than MaxVms",
        "there before the trace began",
        "still there when the trace ended",
        "deleted when scheduled or earlier",
        "neither CPU nor memory",
        "larger than MaxUnits",
    };
    return NAMES[reason];
}

void
AlibabaReport::Print(std::ostream& os) const
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
    if (jobsUsed == 0)
    {
        os << "requests: " << meanCpu << " CPU and " << meanMemory << " memory units in the mean\n"
           << "time: one arrival in " << secondsPerGap << " s; gaps x " << arrivalFactor
           << ", holding times x " << durationFactor << ", mean holding time " << meanDuration
           << "\nload: " << offeredCpu << " CPU and " << offeredMemory
           << " memory units in use in the long run, were none refused\n";
        return;
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
       << "\nload: " << offeredCpu << " cores in the long run, " << offeredInWindow
       << " from the first to the last arrival\n";
}

void
AlibabaReport::Scale(const std::vector<AlibabaLoad>& loads,
                     double meanGap,
                     double offered,
                     const std::string& file,
                     const std::string& attributes)
{
    if (loads.empty())
    {
        throw OdcnError::InFile(file,
                                0,
                                std::to_string(rowsRead) + " rows, none of them usable",
                                "at least one usable row");
    }
    const double last = loads.back().start;
    const double span = last - loads.front().start;
    if (span == 0 && (meanGap > 0 || offered > 0))
    {
        throw OdcnError::InFile(file,
                                0,
                                "arrivals that are all at the same time",
                                "arrivals at two times or more, or " + attributes + " 0");
    }
    const auto n = static_cast<double>(loads.size());
    double cpu = 0;
    double memory = 0;
    double seconds = 0;
    for (const AlibabaLoad& load : loads)
    {
        meanCpu += load.cpu / n;
        meanMemory += load.memory / n;
        cpu += load.cpu * load.duration / n;
        memory += load.memory * load.duration / n;
        seconds += load.duration / n;
    }
    secondsPerGap = span / std::max(n - 1, 1.0);
    arrivalFactor = meanGap > 0 ? meanGap / secondsPerGap : 1;
    durationFactor = offered > 0 ? offered * secondsPerGap * arrivalFactor / std::max(cpu, memory)
                                 : arrivalFactor;
    meanDuration = seconds * durationFactor;
    if (span == 0)
    {
        return;
    }
    offeredCpu = cpu * durationFactor / (secondsPerGap * arrivalFactor);
    offeredMemory = memory * durationFactor / (secondsPerGap * arrivalFactor);
    for (const AlibabaLoad& load : loads)
    {
        const double left = (last - load.start) * arrivalFactor;
        offeredInWindow +=
            load.cpu * std::min(load.duration * durationFactor, left) / (span * arrivalFactor);
    }
}

} // namespace ns3::odcn
