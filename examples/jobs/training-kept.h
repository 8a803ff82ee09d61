// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TRAINING_KEPT_H
#define TRAINING_KEPT_H

/**
 * @file
 * Runs of training jobs that have finished, as numbers in a file, so that a program that was
 * interrupted goes on after them.
 */

#include "ns3/odcn-fabric-least-times.h"
#include "ns3/odcn-training-cluster.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// What a run of jobs on a design has resulted in.
struct TrainingRecord
{
    /// Messages and decisions of a scheduler.
    struct Control
    {
        uint64_t decisions{0}; //!< number of decisions
        uint64_t requests{0};  //!< jobs that have come
        uint64_t reports{0};   //!< jobs that have ended, and changes of circuits to be decided
        uint64_t commands{0};  //!< starts of jobs and changes of circuits
        uint64_t packets{0};   //!< of all messages; 0 on an ideal network
        uint64_t bytes{0};     //!< of all messages
    };

    /// Least times of the run, ms.
    struct Bounds
    {
        double cut{0};      //!< mean over jobs alone, by cuts
        double flow{0};     //!< by linear programs
        double mean{0};     //!< of all jobs together
        double makespan{0}; //!< of all jobs together
        double ended{0};    //!< when the last job ended
    };

    uint32_t engine{0};                           //!< FabricEngine that ran it
    bool hidesCircuits{false};                    //!< see TrainingJobsRun::HidesCircuits()
    double power{0};                              //!< of the network, W
    double price{0};                              //!< of the network
    Bounds bounds{};                              //!< least times
    Control control{};                            //!< of a scheduler
    std::vector<TrainingCluster::Outcome> jobs{}; //!< by job, without places and iterations
    std::vector<FabricLeastTimes::Times> alone{}; //!< by job: least times
};

/**
 * @param command a command line
 * @return the files that it names, and those of Chakra traces, each with its GetFileDigest()
 */
std::string DescribeFiles(const std::string& command);

/**
 * Write runs, a line each, with its CRC-32.
 * @param os stream
 * @param key what the runs depend on
 * @param records the runs, in their order
 */
void WriteRecords(std::ostream& os,
                  const std::string& key,
                  const std::vector<TrainingRecord>& records);

/**
 * @param path file of WriteRecords()
 * @param key what the runs depend on
 * @return the runs, whose jobs have no graph; none if there is no such file, or of another key.
 * A line whose CRC-32 is another, and those after it, are left out
 */
std::vector<TrainingRecord> ReadRecords(const std::string& path, const std::string& key);

} // namespace ns3::odcn

#endif /* TRAINING_KEPT_H */
