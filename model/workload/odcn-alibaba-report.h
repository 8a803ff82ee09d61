// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ALIBABA_REPORT_H
#define ODCN_ALIBABA_REPORT_H

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Times and demand of one job or request, in the units of the trace.
struct AlibabaLoad
{
    double start{0};    //!< in seconds
    double duration{0}; //!< in seconds
    double cpu{0};      //!< cores of a job, CPU units of a request
    double memory{0};   //!< memory units of a request; not used for jobs
};

/**
 * @ingroup odcn
 *
 * How many rows of an Alibaba file (2018 or 2025) were used or skipped, why, and the scale of time.
 *
 * rowsRead = rowsUsed + the sum of rowsSkipped. A row has one reason, the first that applies in
 * the order of the list.
 */
struct AlibabaReport
{
    /// Why a row was skipped: for both traces, then tasks of 2018, then instances of 2025.
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
        JOB_INCOMPLETE, //!< valid itself, but another row of the job was skipped
        NO_DURATION,    //!< the job begins and ends in the same second
        TOO_FEW_VMS,    //!< the job has fewer VMs than MinVms
        TOO_MANY_VMS,   //!< the job has more VMs than MaxVms
        BEGAN_BEFORE,   //!< creation_time or scheduled_time empty: created before the trace began
        OUTLASTS,       //!< deletion_time empty: not deleted before the trace ended
        DELETED_EARLY,  //!< deletion_time not after scheduled_time, or scheduled before created
        NO_RESOURCES,   //!< neither CPU nor memory
        TOO_LARGE,      //!< more than MaxUnits of CPU or memory
        REASONS         //!< number of reasons
    };

    /// @param reason a reason  @return a few words that describe it
    static const char* GetName(Reason reason);

    uint64_t rowsRead{0};                        //!< rows of the file, without a header
    uint64_t rowsUsed{0};                        //!< rows that became a request or part of a job
    std::array<uint64_t, REASONS> rowsSkipped{}; //!< other rows, by reason
    uint64_t jobsRead{0};                        //!< different job names
    uint64_t jobsUsed{0};                        //!< jobs in one pass of the stream; 0 for requests
    uint64_t vms{0};                             //!< VMs of these jobs
    uint64_t vmsCapped{0};                       //!< of them cut to MaxVmCores or MaxVmMemoryGb
    uint64_t absentTasks{0};   //!< dependencies on a task that the file lacks; left out
    double meanCpu{0};         //!< mean CPU units of a request, or cores of a job
    double meanMemory{0};      //!< mean memory units of a request
    double secondsPerGap{0};   //!< mean time between arrivals in the file, in seconds
    double arrivalFactor{0};   //!< time units per second between arrivals
    double durationFactor{0};  //!< time units per second of a duration
    double meanDuration{0};    //!< mean duration, in time units
    double offeredCpu{0};      //!< cores or CPU units in use in the long run, without refusals
    double offeredMemory{0};   //!< memory units in use in the long run, without refusals
    double offeredInWindow{0}; //!< offeredCpu as a mean from the first to the last arrival

    /// @param os where to print the report
    void Print(std::ostream& os) const;

    /**
     * Set the scale of time so that arrivals have a chosen mean gap and durations a chosen load.
     * Sets all numbers from meanCpu on.
     *
     * @param loads all jobs or requests, in order of arrival
     * @param meanGap mean time between arrivals, in time units; 0 keeps seconds
     * @param offered units in use in the long run of the resource in greater demand; 0 scales
     * durations as arrivals
     * @param file name of the file  @param attributes names of the last two, for error messages
     * @throw OdcnError when there is no load, or all arrive at once and a scale is asked for
     */
    void Scale(const std::vector<AlibabaLoad>& loads,
               double meanGap,
               double offered,
               const std::string& file,
               const std::string& attributes);
};

} // namespace ns3::odcn

#endif /* ODCN_ALIBABA_REPORT_H */
