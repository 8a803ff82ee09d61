// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TRAINING_WHERE_H
#define TRAINING_WHERE_H

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-training-cluster.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * Where the time of training jobs went, on designs side by side: the critical path of each
 * iteration (path.csv), the time of jobs by cause from their arrival to their end (timeline.csv and
 * a chart), and the critical path of one iteration of the first job as a table.
 */
class TrainingWhere
{
  public:
    /// @param files of the results
    /// @throws OdcnError when a file cannot be written
    explicit TrainingWhere(OutputFiles& files);

    /**
     * Add the jobs of a run, which have ended.
     * @param design its name
     * @param engine its name
     * @param jobs the jobs
     */
    void Add(const std::string& design,
             const std::string& engine,
             const std::vector<TrainingCluster::Outcome>& jobs);

    /// Commit the files.
    void Commit();

    /// Print the table and add it and the chart to the report.
    /// @param report of the run
    /// @param note text below the chart, behind what its colours mean; may be empty
    void Report(RunReport& report, const std::string& note);

  private:
    /// A stretch of time with one cause.
    struct Bar
    {
        std::string design; //!< its name
        std::string job;    //!< its name
        double begin;       //!< ms
        double end;         //!< ms
        const char* cause;  //!< its name
    };

    /// Critical path of an iteration of the first job.
    struct Path
    {
        std::string design;                                   //!< its name
        uint32_t iteration;                                   //!< its index
        TrainingTimes times;                                  //!< of all operations
        std::vector<std::pair<std::string, Time>> operations; //!< times by operation
    };

    /// @param design its name
    /// @param name of the job
    /// @param job that has ended
    void AddBars(const std::string& design,
                 const std::string& name,
                 const TrainingCluster::Outcome& job);
    /// @param bar whose end may be that of the one before
    void AddBar(const Bar& bar);
    /// @param design its name
    /// @param job the first one
    void AddPath(const std::string& design, const TrainingCluster::Outcome& job);

    OutputFiles& m_files;      //!< of the results
    CsvWriter m_pathFile;      //!< path.csv
    CsvWriter m_timelineFile;  //!< timeline.csv
    std::vector<Bar> m_bars;   //!< in order
    std::vector<Path> m_paths; //!< by design
};

} // namespace ns3::odcn

#endif /* TRAINING_WHERE_H */
