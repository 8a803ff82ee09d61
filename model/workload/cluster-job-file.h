// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_FILE_H
#define CLUSTER_JOB_FILE_H

#include "cluster-job.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-row-reader.h"

#include <cstdint>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Reads a file of cluster jobs: CSV with a header line and a line for each job.
 *
 * | column | content |
 * |---|---|
 * | arrival | time slot, never before that of the line above |
 * | duration | time slots, 1 or more |
 * | demand_0 to demand_3 | units of each resource, as many columns as there are kinds; not all 0 |
 *
 * What ClusterJobWriter wrote reads back as the very same jobs, numbered from 0.
 */
class ClusterJobReader
{
  public:
    /**
     * @param path file, may be compressed by gzip
     * @throw OdcnError when it cannot be read or begins otherwise
     */
    explicit ClusterJobReader(const std::string& path);

    /**
     * @param [out] job the next job
     * @return false at the end of the file
     * @throw OdcnError when the line is no job
     */
    bool Next(ClusterJob& job);

  private:
    RowReader m_reader;         //!< the file
    std::size_t m_resources{0}; //!< columns of demands
    uint64_t m_next{0};         //!< number of the next job
    uint64_t m_lastArrival{0};  //!< of the job before
};

/**
 * @ingroup odcn
 *
 * Writes a file of cluster jobs. It appears when Commit() is called, whole or not at all.
 */
class ClusterJobWriter
{
  public:
    /**
     * @param path file to write  @param resources kinds of resource
     * @throw OdcnError when nothing can be written there
     */
    ClusterJobWriter(const std::string& path, uint32_t resources);

    /// @param job to append; jobs come in order of arrival
    void Write(const ClusterJob& job);

    /**
     * Finish the file.
     * @throw OdcnError when any write failed
     */
    void Commit();

  private:
    AtomicFile m_file;    //!< the file
    uint32_t m_resources; //!< kinds
    std::string m_line;   //!< being built; reused
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_FILE_H */
