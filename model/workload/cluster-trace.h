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
 * Cluster jobs from a trace, in sets of JobsPerSet, which begin anew at the end of the file.
 *
 * A row becomes a job of ceil(run time / TimeUnit) slots, 1 at least and MaxDuration at most, that
 * demands ceil(processors / CpuUnit) of resource 0 and ceil(memory / MemoryUnit) of resource 1,
 * MaxUnits at most each. It arrives in slot floor(submit x ArrivalFactor / TimeUnit), counted from
 * the first job of its set. In the format csv jobs are taken as they are (ClusterJobReader).
 *
 * The file is read as a stream: Window rows are kept to put them in order. A row that comes later
 * than that is skipped, and counted.
 */
class ClusterTrace : public ClusterJobSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterTrace();
    ~ClusterTrace() override;

    /**
     * Read the whole file once, so that a bad file is refused before a run.
     * @return how many of its rows were used or skipped, and why
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

    /// A trace draws nothing, but begins anew. @param stream not used  @return 0
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// One pass through the file.
    class Pass;

    /// Fetch m_ahead. @return whether there is a job
    bool Fetch();

    std::string m_file;           //!< FileName
    std::string m_format;         //!< swf, alibaba-2018, cerit, columns or csv
    std::string m_columns;        //!< map, for columns
    double m_timeUnit;            //!< seconds of a slot
    double m_cpuUnit;             //!< processors of a unit
    double m_memoryUnit;          //!< GiB or percent of a unit
    double m_arrivalFactor;       //!< of times of arrival
    uint32_t m_maxDuration;       //!< slots
    uint32_t m_maxUnits;          //!< of a resource
    uint64_t m_jobsPerSet;        //!< 0 for all
    uint32_t m_window;            //!< rows that are put in order
    bool m_skipMalformed;         //!< count, do not refuse
    std::unique_ptr<Pass> m_pass; //!< under way
    ClusterJob m_ahead;           //!< the next job
    bool m_hasAhead{false};       //!< whether there is one
    uint64_t m_taken{0};          //!< jobs of the set so far
    uint64_t m_origin{0};         //!< arrival of its first job
    uint64_t m_slots{0};          //!< of the set so far
};

} // namespace ns3::odcn

#endif /* CLUSTER_TRACE_H */
