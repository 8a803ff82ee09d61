// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_SCHEDULING_REPORT_H
#define CLUSTER_JOB_SCHEDULING_REPORT_H

/**
 * @file
 * What cluster-job-scheduling writes: tables, every job, and pictures.
 */

#include "cluster-job-scheduling-options.h"

#include "ns3/cluster-evaluation.h"
#include "ns3/odcn-csv-writer.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a policy came to on a workload under a protocol.
struct Result
{
    std::string workload;                    //!< label
    std::string protocol;                    //!< name
    std::string policy;                      //!< name
    ns3::odcn::ClusterEvaluation evaluation; //!< what it came to
};

/// Notes every job of the runs.
class JobLog
{
  public:
    /**
     * @param jobs CSV file, one row a job; empty for none
     * @param lengths CSV file, one row a policy and length: how slowdown is distributed
     */
    JobLog(const std::string& jobs, const std::string& lengths);

    /**
     * Follow a problem.
     * @param problem whose jobs  @param result for the first columns; to outlive the run
     */
    void Follow(ns3::odcn::ClusterScheduling& problem, const Result& result);

    /// A set has ended: write those that still wait. @param problem as it stands
    void EndSet(const ns3::odcn::ClusterScheduling& problem);

    /// @return placements of the first set that was followed last
    const std::vector<ns3::odcn::ClusterPlacement>& GetFirstSet() const
    {
        return m_first;
    }

    /// Put the files in their place.
    void Commit();

  private:
    /// @param placement of a job
    void NoteScheduled(const ns3::odcn::ClusterPlacement& placement);

    /// @param job that was lost
    void NoteDropped(const ns3::odcn::ClusterJob& job);

    /// @param job that was lost
    void NoteImpossible(const ns3::odcn::ClusterJob& job);

    /// @param job any  @param fate of it  @param placement null if it got none
    void Write(const ns3::odcn::ClusterJob& job,
               const char* fate,
               const ns3::odcn::ClusterPlacement* placement);

    /// Write the lengths of the run that was followed last.
    void WriteLengths();

    /// Jobs by their cycling time, of each length.
    using Lengths = std::map<uint32_t, std::map<uint64_t, uint64_t>>;

    std::optional<ns3::odcn::OdcnCsvWriter> m_csv;    //!< of jobs
    ns3::odcn::OdcnCsvWriter m_lengthsCsv;            //!< of lengths
    Lengths m_lengths;                                //!< of the run that is followed
    const Result* m_result{nullptr};                  //!< whose jobs
    uint32_t m_set{0};                                //!< which
    std::vector<ns3::odcn::ClusterPlacement> m_first; //!< of set 0
};

/**
 * @param path CSV file, one row a workload, protocol and policy
 * @param results all
 */
void WriteSummary(const std::string& path, const std::vector<Result>& results);

/**
 * @param path CSV file, one row a set
 * @param results all
 */
void WriteSets(const std::string& path, const std::vector<Result>& results);

/**
 * @param os where to print the table
 * @param results all
 */
void PrintResults(std::ostream& os, const std::vector<Result>& results);

/**
 * Draw which units each job holds when, as an SVG file.
 * @param path of the picture
 * @param title of it
 * @param placements of the jobs, in the order in which they were made
 * @param options of the command line
 */
void DrawGantt(const std::string& path,
               const std::string& title,
               const std::vector<ns3::odcn::ClusterPlacement>& placements,
               const Options& options);

#endif /* CLUSTER_JOB_SCHEDULING_REPORT_H */
