// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_SCHEDULING_LOG_H
#define CLUSTER_JOB_SCHEDULING_LOG_H

/**
 * @file
 * What cluster-job-scheduling writes: tables, every job, and pictures.
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
     * @param problem whose jobs  @param labels workload and protocol  @param policy its title
     */
    void Follow(ns3::odcn::ClusterScheduling& problem,
                const ns3::odcn::Experiment::Labels& labels,
                const std::string& policy);

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

    std::optional<ns3::odcn::CsvWriter> m_csv;        //!< of jobs
    ns3::odcn::CsvWriter m_lengthsCsv;                //!< of lengths
    Lengths m_lengths;                                //!< of the run that is followed
    std::array<std::string, 3> m_place;               //!< workload, protocol and policy
    uint32_t m_set{0};                                //!< which
    std::vector<ns3::odcn::ClusterPlacement> m_first; //!< of set 0
};

/**
 * Draw which units each job holds when, as an SVG file.
 * @param path of the picture
 * @param title of it
 * @param placements of the jobs, in the order in which they were made
 * @param machines of the cluster  @param capacity units of a machine  @param slots drawn
 */
void DrawGantt(const std::string& path,
               const std::string& title,
               const std::vector<ns3::odcn::ClusterPlacement>& placements,
               uint32_t machines,
               uint32_t capacity,
               uint64_t slots);

#endif /* CLUSTER_JOB_SCHEDULING_LOG_H */
