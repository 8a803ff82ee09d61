// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_TRACE_H
#define CLUSTER_TRACE_H

#include "cluster-job-source.h"
#include "cluster-trace-reader.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Cluster jobs from a trace, in sets of JobsPerSet. After the end of the file it starts again.
 *
 * A row becomes a job of ceil(run time / TimeUnit) slots, at least 1 and at most MaxDuration, with
 * demands of ceil(processors / CpuUnit) of resource 0 and ceil(memory / MemoryUnit) of resource 1,
 * each at most MaxUnits. It arrives in slot floor(submit x ArrivalFactor / TimeUnit), relative to
 * the first job of its set. In the format csv jobs are not converted (ClusterJobReader).
 *
 * The file is read as a stream: Window rows are buffered and sorted by submit time. A row that is
 * out of order beyond this window is skipped and counted.
 */
class ClusterTrace : public ClusterJobSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterTrace();
    ~ClusterTrace() override;

    /**
     * Read the whole file once, to find errors before a run.
     * @return numbers of used and skipped rows, and the reasons
     * @throw OdcnError when the file cannot be read, is not of its format, or has no job
     */
    ClusterTraceReport Examine() const;

    /**
     * @copydoc ClusterJobSource::NextSet
     * @throw OdcnError as Examine()
     */
    void NextSet() override;
    bool Next(ClusterJob& job) override;
    uint64_t GetSlots() const override;

    /// Restart; a trace draws no random numbers. @param stream not used  @return 0
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// One pass through the file.
    class Pass;

    /// Read the next job into m_ahead. @return whether there is one
    bool Fetch();

    std::string m_file;           //!< input file
    std::string m_format;         //!< swf, alibaba-2018, cerit, columns or csv
    std::string m_columns;        //!< column map, for the format columns
    double m_timeUnit;            //!< seconds per slot
    double m_cpuUnit;             //!< processors per unit
    double m_memoryUnit;          //!< GiB or percent per unit
    double m_arrivalFactor;       //!< factor of the arrival times
    uint32_t m_maxDuration;       //!< greatest duration, slots
    uint32_t m_maxUnits;          //!< greatest demand of a resource, units
    uint64_t m_jobsPerSet;        //!< jobs per set; 0 for the whole file
    uint32_t m_window;            //!< size of the sorting window, rows
    bool m_skipMalformed;         //!< whether to count malformed rows instead of refusing the file
    std::unique_ptr<Pass> m_pass; //!< current pass through the file
    ClusterJob m_ahead;           //!< next job
    bool m_hasAhead{false};       //!< whether m_ahead is valid
    uint64_t m_taken{0};          //!< jobs of the set returned so far
    uint64_t m_origin{0};         //!< arrival of the first job of the set
    uint64_t m_slots{0};          //!< length of the set so far, slots
};

} // namespace ns3::odcn

#endif /* CLUSTER_TRACE_H */
