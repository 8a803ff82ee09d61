// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLUMN_JOBS_H
#define ODCN_COLUMN_JOBS_H

#include "odcn-column-reader.h"
#include "odcn-job-pattern.h"
#include "odcn-job-source.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Jobs from any CSV file with a header, read through a column map (ColumnReader). A row is a job
 * of identical VMs that communicate in a pattern.
 *
 * | quantity | content |
 * |---|---|
 * | arrival | in job time units, 0 or more, not before that of the row above |
 * | duration | in job time units, above 0 |
 * | vms | number of VMs, rounded up; 1 without such a column |
 * | cores, memory, disk | of each VM, in cores, GB, GB; memory and disk are 0 without a column |
 *
 * The file is read as a stream, row by row.
 */
class OdcnColumnJobs : public OdcnJobSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OdcnColumnJobs();

    /**
     * @copydoc OdcnJobSource::Next
     * @throw OdcnError when the file cannot be read, has an invalid row, or has no job
     */
    bool Next(OdcnJob& job) override;

    /**
     * Restarts at the first job. Uses three streams: DemandGbps, the order of the pattern, and the
     * pairs of random-p.
     * @copydoc OdcnJobSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /// @param name name of a pattern  @throw OdcnError for any other name
    void SetPattern(const std::string& name);

    /// @return name of the pattern
    std::string GetPattern() const;

  private:
    std::string m_name;                       //!< input file
    std::string m_columns;                    //!< column map of the file
    OdcnPattern m_pattern{OdcnPattern::RING}; //!< communication pattern
    double m_probability;                     //!< probability of a pair in random-p
    Ptr<RandomVariableStream> m_demand;       //!< bandwidth of a VM pair, Gb/s
    Ptr<UniformRandomVariable> m_shuffle;     //!< order of the pattern
    Ptr<UniformRandomVariable> m_coin;        //!< selects the pairs of random-p
    std::unique_ptr<ColumnReader> m_reader;   //!< open file; null before the first read
    std::vector<double> m_values;             //!< values of the row; reused
    std::vector<uint32_t> m_order;            //!< order of the pattern; reused
    JobId m_next{0};                          //!< number of the next job
    double m_lastArrival{0};                  //!< arrival of the previous job
};

} // namespace ns3::odcn

#endif /* ODCN_COLUMN_JOBS_H */
