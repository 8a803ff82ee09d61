// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_FILE_H
#define ODCN_JOB_FILE_H

#include "odcn-job-pattern.h"
#include "odcn-job.h"

#include "ns3/odcn-csv-table.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Totals over the jobs of a file.
struct OdcnJobTotals
{
    uint64_t jobs{0};   //!< number of jobs
    double span{0};     //!< from the first to the last arrival
    double duration{0}; //!< sum of the durations

    /// @return offered load: mean duration in mean inter-arrival times; 0 if all arrive at once
    double GetLoad() const;
};

/**
 * @ingroup odcn
 *
 * Jobs replayed from a job file: CSV with a header line and one line per job.
 *
 * | column | content |
 * |---|---|
 * | job | number of the job, increasing from line to line |
 * | arrival | in job time units, 0 or more, not before the line above |
 * | duration | in job time units, above 0 |
 * | vms | one or more cores:memory:disk (cores, GB, GB; to the thousandth), separated by bars |
 * | demands | from>to:rate (VM numbers from 0; Gb/s, to the bit/s), separated by bars; may be empty
 * | | pairs | instead of demands: from>to; rates are drawn from DemandGbps |
 *
 * Without demands and pairs, the VMs of a job communicate in Pattern.
 *
 * @code
 *   job,arrival,duration,vms,demands
 *   0,0.25,66,16:32:320|4:15:80,0>1:6.5|1>0:7.25
 * @endcode
 *
 * Times of arrival are multiplied by ArrivalFactor. A file written by OdcnJobFileWriter reads back
 * as identical jobs. The file is read as a stream, one line at a time; lines may end in CR LF, and
 * the last line may lack a line end. Traces of other systems are converted by the program
 * odcn-convert-trace.
 */
class OdcnJobFile : public OdcnPatternSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the form of a job file
    static const CsvTable<OdcnJob>& GetTable();

    /**
     * Read the next job.
     * @param [out] job the job; unchanged at the end
     * @return false at the end
     * @throw OdcnError when the file cannot be read or is not a job file
     */
    bool Next(OdcnJob& job) override;

    /**
     * Restarts at the first job. A file without demands uses three streams: DemandGbps, the order
     * of the pattern, and the pairs of random-p; others use none.
     * @copydoc Source::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /// @return whether the jobs of the file say who sends to whom
    /// @throw OdcnError when the file cannot be read or is not a job file
    bool HasPairs();

    /**
     * Read the whole file once, to find errors before a long run.
     * @return totals of the file, without ArrivalFactor
     * @throw OdcnError when the file cannot be read or is not a job file
     */
    OdcnJobTotals Examine() const;

    /// @param name input file; the stream restarts at its first job
    void SetFileName(const std::string& name);

    /// @return input file
    std::string GetFileName() const;

  private:
    /// @return the file, opened at its first job unless it is open  @throw OdcnError as Next()
    CsvTableReader<OdcnJob>& Open();

    std::string m_name;                                //!< input file
    double m_arrivalFactor;                            //!< of the times of arrival
    std::unique_ptr<CsvTableReader<OdcnJob>> m_reader; //!< current pass through the file
};

/**
 * @ingroup odcn
 *
 * Writes a job file, with jobs in order of arrival.
 */
class OdcnJobFileWriter : public CsvTableWriter<OdcnJob>
{
  public:
    /// @param path output file  @throw OdcnError when the file cannot be written
    explicit OdcnJobFileWriter(const std::string& path)
        : CsvTableWriter(path,
                         OdcnJobFile::GetTable(),
                         {"job", "arrival", "duration", "vms", "demands"})
    {
    }
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_FILE_H */
