// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ALIBABA_REPORT_H
#define ODCN_ALIBABA_REPORT_H

#include <array>
#include <cstdint>
#include <ostream>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What became of each row of an Alibaba 2018 file.
 *
 * rowsRead = rowsUsed + the sum of rowsSkipped. A row has one reason, the first that applies in
 * the order of the list.
 */
struct OdcnAlibabaReport
{
    /// Why a row became no part of a job.
    enum Reason
    {
        MALFORMED,      //!< wrong number of columns, or text where a number belongs
        NOT_TERMINATED, //!< status other than Terminated
        NO_INSTANCES,   //!< instance_num empty or 0
        NO_CPU,         //!< plan_cpu empty or 0
        NO_MEMORY,      //!< plan_mem empty
        NO_TIME,        //!< start_time or end_time empty, 0 or negative
        ENDS_EARLY,     //!< end_time before start_time
        BAD_NAME,       //!< no task name, task number twice in a job, or a task needs itself
        JOB_INCOMPLETE, //!< sound itself, but another row of the job was skipped
        NO_DURATION,    //!< the job begins and ends in the same second
        TOO_FEW_VMS,    //!< the job has fewer VMs than MinVms
        TOO_MANY_VMS,   //!< the job has more VMs than MaxVms
        REASONS         //!< how many reasons there are
    };

    /// @param reason a reason  @return a few words that say it
    static const char* GetName(Reason reason);

    uint64_t rowsRead{0};                        //!< rows of the file, without a header
    uint64_t rowsUsed{0};                        //!< rows that became part of a job
    std::array<uint64_t, REASONS> rowsSkipped{}; //!< rows that did not, by reason
    uint64_t jobsRead{0};                        //!< job names met
    uint64_t jobsUsed{0};                        //!< jobs in one pass of the stream
    uint64_t vms{0};                             //!< VMs of these jobs
    uint64_t vmsCapped{0};                       //!< of them cut to MaxVmCores or MaxVmMemoryGb
    uint64_t absentTasks{0};   //!< dependencies on a task that the file lacks; left out
    double secondsPerGap{0};   //!< mean time between arrivals in the file, in seconds
    double arrivalFactor{0};   //!< job time units per second between arrivals
    double durationFactor{0};  //!< job time units per second of a duration
    double meanDuration{0};    //!< mean duration, in job time units
    double offeredCores{0};    //!< cores in use in the long run, were no job refused
    double offeredInWindow{0}; //!< the same as a mean from the first to the last arrival

    /// @param os where to print the report, a line for each number that is not 0
    void Print(std::ostream& os) const;
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ALIBABA_REPORT_H */
