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
 * A usable row of the batch_task table.
 */
struct AlibabaRow
{
    uint32_t job{0};       //!< index of its job, in order of appearance
    uint32_t task{0};      //!< task number; 0 if the name encodes no dependencies
    uint32_t needs{0};     //!< index of the first task number that it depends on
    uint32_t needCount{0}; //!< number of tasks that it depends on
    uint32_t vm{0};        //!< index of its first VM within the job
    uint32_t vmCount{0};   //!< number of its VMs
    double instances{0};   //!< instance_num
    double planCpu{0};     //!< plan_cpu of an instance; 100 is one core
    double planMem{0};     //!< plan_mem of an instance, percent of a machine
    double start{0};       //!< start_time, in seconds
    double end{0};         //!< end_time, in seconds
};

/**
 * @ingroup odcn
 *
 * Reads rows of the batch_task table and checks whether they are usable.
 */
class AlibabaReader
{
  public:
    /**
     * @param name input file
     * @param skipMalformed count malformed rows instead of refusing the file
     * @param distinguishJobs whether to distinguish rows of different jobs, which needs memory for
     * every job name; otherwise all rows belong to job 0
     */
    AlibabaReader(const std::string& name, bool skipMalformed, bool distinguishJobs = true);

    /**
     * Read one row.
     *
     * @param [out] row the row, if it is usable
     * @param [in,out] needs list to append dependencies to
     * @param [out] reason why the row is not usable, REASONS if it is
     * @return false at the end of the file
     */
    bool Next(AlibabaRow& row, std::vector<uint32_t>& needs, AlibabaReport::Reason& reason);

    /// @return number of job names read so far
    std::size_t GetJobs() const
    {
        return m_jobs.size();
    }

    /// Job index of rows without a job name.
    static constexpr uint32_t NO_JOB = UINT32_MAX;

  private:
    /// @param [out] row values  @return whether all fields are well-formed
    bool ReadFields(AlibabaRow& row);

    RowReader m_reader;                               //!< input file
    bool m_distinguishJobs;                           //!< whether m_jobs is used
    std::unordered_map<std::string, uint32_t> m_jobs; //!< job index by job name
};

} // namespace ns3::odcn

#endif /* ODCN_ALIBABA_ROWS_H */
