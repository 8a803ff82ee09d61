// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-alibaba-report.h"

namespace ns3
{
namespace odcn
{

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

} // namespace odcn
} // namespace ns3
