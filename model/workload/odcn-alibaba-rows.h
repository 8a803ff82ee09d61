// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ALIBABA_ROWS_H
#define ODCN_ALIBABA_ROWS_H

#include "odcn-alibaba-report.h"

#include "ns3/odcn-row-reader.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * One row of the batch_task table that can be used.
 */
struct AlibabaRow
{
    uint32_t job{0};       //!< index of its job, in order of appearance
    uint32_t task{0};      //!< task number; 0 when the name encodes no dependencies
    uint32_t needs{0};     //!< index of the first number of a task that it reads from
    uint32_t needCount{0}; //!< number of these tasks
    uint32_t vm{0};        //!< index of its first VM within the job
    uint32_t vmCount{0};   //!< number of its VMs
    double instances{0};   //!< instance_num
    double planCpu{0};     //!< of an instance, 100 is one core
    double planMem{0};     //!< of an instance, in percent of a machine
    double start{0};       //!< in seconds
    double end{0};         //!< in seconds
};

/**
 * @ingroup odcn
 *
 * Reads rows of the batch_task table, and finds the reason why a row is skipped.
 */
class AlibabaReader
{
  public:
    /**
     * @param name file to read
     * @param skipMalformed count malformed rows instead of refusing the file
     * @param distinguishJobs whether to distinguish rows of different jobs, which takes memory for
     * every job; otherwise all are of job 0
     */
    AlibabaReader(const std::string& name, bool skipMalformed, bool distinguishJobs = true);

    /**
     * Read one row.
     *
     * @param [out] row the row, when nothing is wrong with it
     * @param [in,out] needs list to append dependencies to
     * @param [out] reason what is wrong with the row, REASONS when nothing is
     * @return false at the end of the file
     */
    bool Next(AlibabaRow& row, std::vector<uint32_t>& needs, AlibabaReport::Reason& reason);

    /// @return number of jobs met
    std::size_t GetJobs() const
    {
        return m_jobs.size();
    }

    /// Job index of a row without a job name.
    static constexpr uint32_t NO_JOB = UINT32_MAX;

  private:
    /// @param [out] row values  @return whether all fields are well-formed
    bool ReadFields(AlibabaRow& row);

    RowReader m_reader;                               //!< the file
    bool m_distinguishJobs;                           //!< keep m_jobs
    std::unordered_map<std::string, uint32_t> m_jobs; //!< index of each job name
};

} // namespace ns3::odcn

#endif /* ODCN_ALIBABA_ROWS_H */
