// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_RECORDER_H
#define CLUSTER_JOB_RECORDER_H

#include "odcn-experiment.h"

#include "ns3/cluster-scheduling.h"
#include "ns3/odcn-csv-writer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Records the jobs of an experiment with ClusterScheduling, whose cases have two labels and whose
 * replications are consecutive sets of jobs: jobs.csv has a row for each job, lengths.csv the
 * slowdown of the jobs of each length.
 *
 * @code
 *   ClusterJobRecorder recorder(files, experiment);
 *   experiment.SetBegun(
 *       [&](const Experiment::Trial& trial) { if (trial.counts) recorder.Begin(trial); });
 *   experiment.SetEnded([&](const Experiment::Trial& trial) { recorder.EndSet(trial); });
 *   experiment.Measure();
 *   recorder.Commit();
 * @endcode
 *
 * It outlives the problems of the trials.
 */
class ClusterJobRecorder
{
  public:
    ClusterJobRecorder(const ClusterJobRecorder&) = delete;
    ClusterJobRecorder& operator=(const ClusterJobRecorder&) = delete;

    /**
     * @param files output folder
     * @param experiment an experiment with cases; its report gets charts of the jobs
     * @param perJob whether to write jobs.csv
     */
    ClusterJobRecorder(OutputFiles& files, Experiment& experiment, bool perJob = true);

    /// A policy begins in a case.
    /// @param trial its first trial there
    void Begin(const Experiment::Trial& trial);

    /// A set has ended: record the jobs still waiting.
    /// @param trial the trial
    void EndSet(const Experiment::Trial& trial);

    /// Move the complete files to their target paths.
    void Commit();

  private:
    /// A job was scheduled.
    /// @param placement its placement
    void NoteScheduled(const ClusterPlacement& placement);

    /// A job has lost its place.
    /// @param placement its placement
    /// @param slot when
    void NotePlaceLost(const ClusterPlacement& placement, uint64_t slot);

    /// @param fate its outcome
    /// @param job a job that did not even wait
    void NoteLost(std::string fate, const ClusterJob& job);

    /// Write a row.
    /// @param job a job
    /// @param fate its outcome
    /// @param placement null if not placed
    /// @param kept whether it keeps its place
    void Write(const ClusterJob& job,
               const std::string& fate,
               const ClusterPlacement* placement = nullptr,
               bool kept = false);

    /// Write the lengths of the last policy.
    void WriteLengths();

    /// Add the first set to the charts.
    /// @param title of the policy
    /// @param problem its problem
    void ShowFirstSet(const std::string& title, const ClusterScheduling& problem);

    OutputFiles& m_files;             //!< output folder
    uint64_t m_gantt;                 //!< time slots of the Gantt charts
    std::optional<CsvWriter> m_jobs;  //!< jobs.csv, if asked for
    CsvWriter m_lengths;              //!< lengths.csv
    ReportChart& m_use;               //!< use of machines
    ReportChart& m_bars;              //!< jobs over time
    ReportChart& m_curves;            //!< slowdown by length
    std::vector<std::string> m_place; //!< labels of the case, policy
    uint32_t m_set{0};                //!< index of the set
    /// Cycling times of the policy's jobs in the case, by their length.
    std::map<uint32_t, std::vector<uint64_t>> m_times;
    std::vector<ClusterPlacement> m_first; //!< placements of set 0
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_RECORDER_H */
