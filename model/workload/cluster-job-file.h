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
 * Reads a file of cluster jobs: CSV with a header line and one line per job.
 *
 * | column | content |
 * |---|---|
 * | arrival | time slot, not before that of the line above |
 * | duration | time slots, 1 or more |
 * | demand_0 to demand_3 | units of each resource, one column per resource; not all 0 |
 *
 * A file written by ClusterJobWriter reads back as identical jobs, numbered from 0.
 */
class ClusterJobReader
{
  public:
    /**
     * @param path input file, may be gzip-compressed
     * @throw OdcnError when the file cannot be read or has another header
     */
    explicit ClusterJobReader(const std::string& path);

    /**
     * @param [out] job the next job
     * @return false at the end of the file
     * @throw OdcnError when the line is not a valid job
     */
    bool Next(ClusterJob& job);

  private:
    RowReader m_reader;         //!< input file
    std::size_t m_resources{0}; //!< number of demand columns
    uint64_t m_next{0};         //!< number of the next job
    uint64_t m_lastArrival{0};  //!< arrival of the previous job
};

/**
 * @ingroup odcn
 *
 * Writes a file of cluster jobs. Commit() creates it, completely or not at all.
 */
class ClusterJobWriter
{
  public:
    /**
     * @param path output file  @param resources number of resource types
     * @throw OdcnError when the file cannot be written
     */
    ClusterJobWriter(const std::string& path, uint32_t resources);

    /// @param job job to append; jobs must be in order of arrival
    void Write(const ClusterJob& job);

    /**
     * Finish the file.
     * @throw OdcnError when any write failed
     */
    void Commit();

  private:
    AtomicFile m_file;    //!< output file
    uint32_t m_resources; //!< number of resource types
    std::string m_line;   //!< line being built; reused
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_FILE_H */
