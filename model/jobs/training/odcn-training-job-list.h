// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_JOB_LIST_H
#define ODCN_TRAINING_JOB_LIST_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * A training job that arrives: what it needs, and where it is described.
 *
 * @ingroup odcn
 */
struct TrainingJobRequest
{
    std::string id;                   //!< as written, or the number of its line
    Time arrival;                     //!< from the begin of the run
    std::string source;               //!< kind of job or file, as written; "" if not said
    uint32_t ranks{0};                //!< number of accelerators, at least 1
    uint32_t iterations{1};           //!< number of iterations, at least 1
    int32_t priority{0};              //!< a larger one goes first
    Time duration;                    //!< when it runs alone; 0 if not said
    std::array<uint32_t, 3> shape{0}; //!< of a slice of a torus, in chips; 0 if not said
};

/**
 * Reads lists of training jobs: CSV with a header, in the form of traces of clusters.
 *
 * @ingroup odcn
 */
class TrainingJobList
{
  public:
    /**
     * Read a list. A column is known by one of its names, in any order; others are left out:
     *
     * - arrival, or "arrival time (sec)" as RFold has it: seconds; or submit_time, submitted_time,
     *   creation_time: seconds, counted from the earliest of the file;
     * - ranks, size, gpus, num_gpu or gpu_num: number of accelerators;
     * - shape: three numbers, as in 4x4x8, whose product is the number of accelerators;
     * - and, optional: id, jobid, job_id, "job id", job_name or name; source, kind, model or file;
     *   iterations; priority; duration, "duration (sec)", run_time or runtime in seconds.
     *
     * @param path file name; it may be compressed by gzip
     * @return jobs in the order of their arrival
     * @throws OdcnError with file and line
     */
    static std::vector<TrainingJobRequest> Read(const std::string& path);
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_JOB_LIST_H */
