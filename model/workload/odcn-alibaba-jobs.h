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
 * Real jobs: batch tasks of the Alibaba cluster trace of 2018, read by path.
 *
 * Two forms are read: the nine columns of the trace's batch_task table, without a header; or any
 * CSV whose first line names at least task_name, job_name, instance_num, status, start_time,
 * end_time, plan_cpu and plan_mem.
 *
 * A job's tasks become its VMs; a job of which any row cannot be used is left out whole.
 *
 * - *Computing units*: plan_cpu / 100 cores an instance. *Memory*: plan_mem percent of
 *   MachineMemoryGb an instance. *Disk*: the trace has none; DiskGbPerCore.
 * - *VMs*: with VmMapping "task", one VM holds all instances of a task, cut to MaxVmCores and
 *   MaxVmMemoryGb; with "instance", each instance is a VM, at most MaxInstances a task.
 * - *Demands*: with Communication "dag", the dependencies that a task's name encodes (R4_2_3 is
 * task 4 and reads from tasks 2 and 3): each VM of the one task sends to one of the other, in turn.
 *   A pattern's name draws that pattern instead. The rates are drawn from DemandGbps.
 * - *Times*: a job arrives when its first task starts and lasts until its last task ends. Arrivals
 *   are stretched by one factor so that they come MeanInterArrival apart in the mean, durations by
 *   another so that the stream offers OfferedCores in the long run: the shapes are the trace's, the
 *   load is chosen.
 *
 * VMs are sorted largest first, as the generator does. The file is read at the first job.
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
     * Uses three streams: DemandGbps, the order of a pattern, the coin of random-p.
     * @copydoc OdcnJobSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @return how many rows were used or skipped, and why; the file is read if it was not yet
     * @throw OdcnError when the file cannot be read or has no usable job
     */
    const AlibabaReport& GetReport();

    /// @param name file to read; the stream begins again at its first job
    void SetFileName(const std::string& name);

    /// @return file to read
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

    /// Read the file, unless that was done.
    void Load();

    /// Turn the rows of one job into an entry. @param rows the job's rows
    void AddJob(std::vector<AlibabaRow>& rows);

    /// Add the demands that task names encode. @param rows the job's rows  @param [in,out] entry
    /// job
    void AddDemands(const std::vector<AlibabaRow>& rows, Entry& entry);

    std::string m_name;                   //!< file to read
    bool m_perInstance{false};            //!< each instance is a VM
    std::optional<OdcnPattern> m_pattern; //!< pattern; none means the dependencies
    bool m_skipMalformed{false};          //!< count malformed rows, do not refuse the file
    double m_machineMemoryGb{0};          //!< what plan_mem is a percentage of
    double m_diskGbPerCore{0};            //!< disk of a VM
    double m_maxVmCores{0};               //!< largest VM
    double m_maxVmMemoryGb{0};            //!< largest VM
    uint32_t m_maxInstances{0};           //!< most VMs of a task
    uint32_t m_minVms{0};                 //!< least VMs of a job
    uint32_t m_maxVms{0};                 //!< most VMs of a job
    double m_meanInterArrival{0};         //!< in job time units; 0 keeps seconds
    double m_offeredCores{0};             //!< in the long run; 0 keeps the trace's ratio
    uint64_t m_repeat{0};                 //!< passes through the file; 0 means endless
    double m_probability{0};              //!< of random-p
    Ptr<RandomVariableStream> m_demand;   //!< bandwidth of a VM pair, Gb/s
    Ptr<UniformRandomVariable> m_shuffle; //!< order of a pattern
    Ptr<UniformRandomVariable> m_coin;    //!< pairs of random-p

    bool m_loaded{false};              //!< whether the file was read
    AlibabaReport m_report;            //!< rows used and skipped
    std::vector<Entry> m_entries;      //!< jobs in order of arrival
    std::vector<OdcnResources> m_vms;  //!< VMs of all jobs
    std::vector<OdcnDemand> m_demands; //!< demands of all jobs, without rates
    std::vector<uint32_t> m_needs;     //!< task numbers that rows read from
    JobId m_next{0};                   //!< number of the next job
    std::vector<uint32_t> m_order;     //!< order of a pattern; reused
};

} // namespace ns3::odcn

#endif /* ODCN_ALIBABA_JOBS_H */
