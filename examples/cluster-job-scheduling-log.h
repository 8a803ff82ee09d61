// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_SCHEDULING_LOG_H
#define CLUSTER_JOB_SCHEDULING_LOG_H

/**
 * @file
 * Output of cluster-job-scheduling: tables of jobs, and Gantt charts.
 */

#include "ns3/cluster-scheduling.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-experiment.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Records every job of the runs.
class JobLog
{
  public:
    /**
     * @param jobs CSV file with one row per job; empty for none
     * @param lengths CSV file of slowdown distributions, one row per policy and job length
     */
    JobLog(const std::string& jobs, const std::string& lengths);

    /**
     * Record the jobs of a problem.
     * @param problem the problem  @param labels workload and protocol  @param policy policy title
     */
    void Follow(ns3::odcn::ClusterScheduling& problem,
                const ns3::odcn::Experiment::Labels& labels,
                const std::string& policy);

    /// A set has ended: record the jobs still waiting. @param problem problem at the end of the set
    void EndSet(const ns3::odcn::ClusterScheduling& problem);

    /// @return placements of the first set of the last problem
    const std::vector<ns3::odcn::ClusterPlacement>& GetFirstSet() const
    {
        return m_first;
    }

    /// Move the complete files to their target paths.
    void Commit();

  private:
    /// A job was scheduled. @param placement its placement
    void NoteScheduled(const ns3::odcn::ClusterPlacement& placement);

    /// A job has lost its place. @param placement its placement  @param slot when
    void NoteInterrupted(const ns3::odcn::ClusterPlacement& placement, uint64_t slot);

    /// @param job that was lost
    void NoteDropped(const ns3::odcn::ClusterJob& job);

    /// @param job that was lost
    void NoteImpossible(const ns3::odcn::ClusterJob& job);

    /// Write a row. @param job a job  @param fate its outcome  @param placement null if not placed
    void Write(const ns3::odcn::ClusterJob& job,
               const char* fate,
               const ns3::odcn::ClusterPlacement* placement);

    /// Write the lengths of the last run.
    void WriteLengths();

    /// For each job length, number of jobs by cycling time.
    using Lengths = std::map<uint32_t, std::map<uint64_t, uint64_t>>;

    std::optional<ns3::odcn::CsvWriter> m_csv;        //!< file of jobs
    ns3::odcn::CsvWriter m_lengthsCsv;                //!< file of lengths
    Lengths m_lengths;                                //!< lengths of the current run
    std::array<std::string, 3> m_place;               //!< workload, protocol and policy
    uint32_t m_set{0};                                //!< index of the set
    std::vector<ns3::odcn::ClusterPlacement> m_first; //!< placements of set 0
};

/**
 * Draw a Gantt chart of the units that each job holds, as an SVG file.
 * @param path output file
 * @param title title of the chart
 * @param placements placements of the jobs, in order of decision
 * @param machines number of machines  @param capacity units per machine  @param slots time slots
 */
void DrawGantt(const std::string& path,
               const std::string& title,
               const std::vector<ns3::odcn::ClusterPlacement>& placements,
               uint32_t machines,
               uint32_t capacity,
               uint64_t slots);

#endif /* CLUSTER_JOB_SCHEDULING_LOG_H */
