// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ALIBABA_JOBS_H
#define ODCN_ALIBABA_JOBS_H

#include "odcn-alibaba-report.h"
#include "odcn-job-pattern.h"
#include "odcn-job-source.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

struct AlibabaRow;

/**
 * @ingroup odcn
 *
 * Real jobs: batch tasks of the Alibaba cluster trace of 2018, read from a file.
 *
 * Two formats are read: the nine columns of the trace's batch_task table, without a header; or any
 * CSV whose first line names at least task_name, job_name, instance_num, status, start_time,
 * end_time, plan_cpu and plan_mem.
 *
 * The tasks of a job become its VMs; a job with any unusable row is skipped completely.
 *
 * - *Computing units*: plan_cpu / 100 cores per instance. *Memory*: plan_mem percent of
 *   MachineMemoryGb per instance. *Disk*: not in the trace; DiskGbPerCore for each core.
 * - *VMs*: with VmMapping "task", one VM holds all instances of a task, limited to MaxVmCores and
 *   MaxVmMemoryGb; with "instance", each instance is a VM, at most MaxInstances per task.
 * - *Demands*: with Communication "dag", the dependencies that a task's name encodes (R4_2_3 is
 *   task 4 and reads from tasks 2 and 3): each VM of one task sends to one VM of the other, in
 *   turn. The name of a pattern selects that pattern instead. Rates are drawn from DemandGbps.
 * - *Times*: a job arrives when its first task starts and lasts until its last task ends. Arrival
 *   times are scaled to a mean inter-arrival time of MeanInterArrival, and durations to a long-run
 *   offered load of OfferedCores. The scaling keeps the shapes of the trace's distributions.
 *
 * VMs are sorted largest first, as in OdcnJobGenerator. The file is read at the first job.
 */
class OdcnAlibabaJobs : public OdcnJobSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnAlibabaJobs();

    /**
     * @copydoc OdcnJobSource::Next
     * @throw OdcnError when the file cannot be read or has no usable job
     */
    bool Next(OdcnJob& job) override;

    /**
     * Uses three streams: DemandGbps, the order of a pattern, and the pairs of random-p.
     * @copydoc OdcnJobSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Read the file if it was not read yet.
     * @return numbers of rows used and skipped, and the reasons
     * @throw OdcnError when the file cannot be read or has no usable job
     */
    const AlibabaReport& GetReport();

    /// @param name input file; the stream restarts at its first job
    void SetFileName(const std::string& name);

    /// @return input file
    std::string GetFileName() const;

    /// @param name "task" or "instance"  @throw OdcnError for any other name
    void SetVmMapping(const std::string& name);

    /// @return "task" or "instance"
    std::string GetVmMapping() const;

    /// @param name "dag" or the name of a pattern  @throw OdcnError for any other name
    void SetCommunication(const std::string& name);

    /// @return "dag" or the name of a pattern
    std::string GetCommunication() const;

  private:
    /// One job of the stream; its VMs and demands are ranges of the lists of all jobs.
    struct Entry : AlibabaLoad
    {
        std::size_t vms{0};         //!< index of its first VM
        std::size_t vmCount{0};     //!< number of its VMs
        std::size_t demands{0};     //!< index of its first demand
        std::size_t demandCount{0}; //!< number of its demands
    };

    /// Read the file if it was not read yet.
    void Load();

    /// Convert the rows of a job to an entry. @param rows rows of the job
    void AddJob(std::vector<AlibabaRow>& rows);

    /// Add the demands encoded in task names. @param rows rows of a job  @param [in,out] entry job
    void AddDemands(const std::vector<AlibabaRow>& rows, Entry& entry);

    std::string m_name;                   //!< input file
    bool m_perInstance{false};            //!< whether each instance is a VM
    std::optional<OdcnPattern> m_pattern; //!< communication pattern; none for the dependencies
    bool m_skipMalformed{false};  //!< whether to count malformed rows instead of refusing the file
    double m_machineMemoryGb{0};  //!< memory that is 100 percent of plan_mem, GB
    double m_diskGbPerCore{0};    //!< disk of a VM per core, GB
    double m_maxVmCores{0};       //!< greatest number of cores of a VM
    double m_maxVmMemoryGb{0};    //!< greatest memory of a VM, GB
    uint32_t m_maxInstances{0};   //!< greatest number of VMs of a task
    uint32_t m_minVms{0};         //!< least number of VMs of a job
    uint32_t m_maxVms{0};         //!< greatest number of VMs of a job
    double m_meanInterArrival{0}; //!< mean inter-arrival time, job time units; 0 keeps seconds
    double m_offeredCores{0};     //!< long-run offered load, cores; 0 keeps the trace's ratio
    uint64_t m_repeat{0};         //!< number of passes through the file; 0 for endless
    double m_probability{0};      //!< probability of a pair in random-p
    Ptr<RandomVariableStream> m_demand;   //!< bandwidth of a VM pair, Gb/s
    Ptr<UniformRandomVariable> m_shuffle; //!< order of a pattern
    Ptr<UniformRandomVariable> m_coin;    //!< selects the pairs of random-p

    bool m_loaded{false};              //!< whether the file was read
    AlibabaReport m_report;            //!< rows used and skipped
    std::vector<Entry> m_entries;      //!< jobs in order of arrival
    std::vector<OdcnResources> m_vms;  //!< VMs of all jobs
    std::vector<OdcnDemand> m_demands; //!< demands of all jobs, without rates
    std::vector<uint32_t> m_needs;     //!< task numbers that the rows depend on
    JobId m_next{0};                   //!< number of the next job
    std::vector<uint32_t> m_order;     //!< order of a pattern; reused
};

} // namespace ns3::odcn

#endif /* ODCN_ALIBABA_JOBS_H */
