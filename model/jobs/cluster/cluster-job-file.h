// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_FILE_H
#define CLUSTER_JOB_FILE_H

#include "cluster-job.h"

#include "ns3/odcn-csv-table.h"

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A row of a file of cluster jobs.
struct ClusterJobRow : ClusterJob
{
    double time{0}; //!< arrival in time slots, possibly with a fraction
};

/// Totals over the jobs of a file.
struct ClusterJobTotals
{
    uint64_t jobs{0};             //!< number of jobs
    uint64_t slots{0};            //!< slots from the first to the last arrival
    std::array<double, 2> work{}; //!< units x slots of resources 0 and 1
    double slotsRun{0};           //!< sum of the durations

    /// @return mean demand in units if no job waited, the greater of both resources
    double GetMeanUnits() const;

    /// @param os output stream of the totals
    void Print(std::ostream& os) const;
};

/**
 * @ingroup odcn
 *
 * Cluster jobs of a file, in sets of JobsPerSet. After the end of the file it starts again. The
 * file is CSV with a header line and one line per job:
 *
 * | column | content |
 * |---|---|
 * | arrival | in time slots, possibly with a fraction, not before that of the line above |
 * | duration | time slots, 1 or more |
 * | demand_0 to demand_3 | units of each resource, one column per resource; not all 0 |
 *
 * A job arrives in slot floor(arrival x ArrivalFactor), relative to the first job of its set. The
 * file is read as a stream. Traces of other systems are converted by the program
 * odcn-convert-trace.
 */
class ClusterJobFile : public ClusterJobSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the form of a file
    static const CsvTable<ClusterJobRow>& GetTable();

    /**
     * Read the whole file once, to find errors before a run.
     * @return totals of the file
     * @throw OdcnError when the file cannot be read, is not of its form, or has no job
     */
    ClusterJobTotals Examine() const;

    /**
     * @copydoc ClusterJobSource::NextSet
     * @throw OdcnError as Examine()
     */
    void NextSet() override;
    bool Next(ClusterJob& job) override;
    uint64_t GetSlots() const override;

    /// Restart; a file draws no random numbers. @param stream not used  @return 0
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// One pass through the file.
    struct Pass
    {
        CsvTableReader<ClusterJobRow> reader; //!< the file
        double origin{0};                     //!< arrival of the first job
    };

    /// @param [in,out] pass a pass  @param [out] job its next job  @return false at the end
    bool Read(Pass& pass, ClusterJob& job) const;

    std::string m_file;           //!< input file
    double m_arrivalFactor;       //!< factor of the arrival times
    uint64_t m_jobsPerSet;        //!< jobs per set; 0 for the whole file
    std::unique_ptr<Pass> m_pass; //!< current pass through the file
    ClusterJob m_ahead;           //!< next job
    bool m_hasAhead{false};       //!< whether m_ahead is valid
    uint64_t m_taken{0};          //!< jobs of the set returned so far
    uint64_t m_origin{0};         //!< arrival of the first job of the set
    uint64_t m_slots{0};          //!< length of the set so far, slots
};

/**
 * @ingroup odcn
 *
 * Writes a file of cluster jobs in order of arrival, which ClusterJobFile reads back.
 */
class ClusterJobWriter : public CsvTableWriter<ClusterJobRow>
{
  public:
    /**
     * @param path output file  @param resources number of resource types
     * @throw OdcnError when the file cannot be written
     */
    ClusterJobWriter(const std::string& path, uint32_t resources);

    using CsvTableWriter::Write;

    /// @param job job to append
    void Write(const ClusterJob& job)
    {
        Write(ClusterJobRow{job, static_cast<double>(job.arrival)});
    }
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_FILE_H */
