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

/// Times and demands of one job or request, in the units of the trace.
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
 * Numbers of used and skipped rows of an Alibaba file (2018 or 2025), and the scale of time.
 *
 * rowsRead = rowsUsed + sum of rowsSkipped. A row has one reason, the first that applies in the
 * order of Reason.
 */
struct AlibabaReport
{
    /// Reason why a row was skipped: both traces, then tasks of 2018, then instances of 2025.
    enum Reason
    {
        MALFORMED,      //!< wrong number of columns, or text where a number belongs
        NOT_TERMINATED, //!< status other than Terminated
        NO_INSTANCES,   //!< instance_num empty or 0
        NO_CPU,         //!< plan_cpu empty or 0
        NO_MEMORY,      //!< plan_mem empty
        NO_TIME,        //!< start_time or end_time empty, 0 or negative
        ENDS_EARLY,     //!< end_time before start_time
        BAD_NAME,       //!< no task name, duplicate task number in a job, or a task needs itself
        JOB_INCOMPLETE, //!< valid row, but another row of its job was skipped
        NO_DURATION,    //!< the job starts and ends in the same second
        TOO_FEW_VMS,    //!< the job has fewer VMs than MinVms
        TOO_MANY_VMS,   //!< the job has more VMs than MaxVms
        BEGAN_BEFORE,   //!< creation_time or scheduled_time empty: created before the trace began
        OUTLASTS,       //!< deletion_time empty: not deleted before the trace ended
        DELETED_EARLY,  //!< deletion_time not after scheduled_time, or scheduled before created
        NO_RESOURCES,   //!< neither CPU nor memory
        TOO_LARGE,      //!< more than MaxUnits of CPU or memory
        REASONS         //!< number of reasons
    };

    /// @param reason a reason  @return a short description
    static const char* GetName(Reason reason);

    uint64_t rowsRead{0};                        //!< rows of the file, without a header
    uint64_t rowsUsed{0};                        //!< rows used for a request or a job
    std::array<uint64_t, REASONS> rowsSkipped{}; //!< skipped rows, by reason
    uint64_t jobsRead{0};                        //!< number of distinct job names
    uint64_t jobsUsed{0};                        //!< jobs per pass of the stream; 0 for requests
    uint64_t vms{0};                             //!< VMs of the used jobs
    uint64_t vmsCapped{0};                       //!< VMs truncated to MaxVmCores or MaxVmMemoryGb
    uint64_t absentTasks{0};   //!< ignored dependencies on tasks that the file lacks
    double meanCpu{0};         //!< mean CPU units of a request, or cores of a job
    double meanMemory{0};      //!< mean memory units of a request
    double secondsPerGap{0};   //!< mean inter-arrival time in the file, in seconds
    double arrivalFactor{0};   //!< time units per second, for inter-arrival times
    double durationFactor{0};  //!< time units per second, for durations
    double meanDuration{0};    //!< mean duration, in time units
    double offeredCpu{0};      //!< long-run mean cores or CPU units in use, without blocking
    double offeredMemory{0};   //!< long-run mean memory units in use, without blocking
    double offeredInWindow{0}; //!< as offeredCpu, but averaged from the first to the last arrival

    /// @param os output stream of the report
    void Print(std::ostream& os) const;

    /**
     * Choose the time scales that give a mean inter-arrival time and an offered load. Sets all
     * members from meanCpu on.
     *
     * @param loads all jobs or requests, in order of arrival
     * @param meanGap mean inter-arrival time, in time units; 0 keeps seconds
     * @param offered long-run mean units in use of the resource in greater demand; 0 scales
     * durations as arrivals
     * @param file name of the file  @param attributes names of the Attributes of @p meanGap and
     * @p offered, for error messages
     * @throw OdcnError when there is no load, or all arrive at once although a scale is requested
     */
    void Scale(const std::vector<AlibabaLoad>& loads,
               double meanGap,
               double offered,
               const std::string& file,
               const std::string& attributes);
};

} // namespace ns3::odcn

#endif /* ODCN_ALIBABA_REPORT_H */
