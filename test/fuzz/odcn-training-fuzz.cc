// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Files of training jobs: Chakra, AICB, GOAL and CSV, and lists of jobs.

#include "odcn-fuzz.h"

#include "ns3/odcn-training-job-list.h"
#include "ns3/odcn-training-job.h"

#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_training)
{
    const FuzzFile file(text);
    // The end of a name says that it is a trace.
    const std::string link = "/dev/shm/odcn-fuzz-" + std::to_string(getpid()) + ".0.et";
    unlink(link.c_str());
    FuzzRequire(symlink(file.GetPath().c_str(), link.c_str()) == 0, "a link in /dev/shm");
    for (const bool isTrace : {false, true})
    {
        TrainingReadOptions options;
        options.ranks = isTrace ? 1 : 8;
        options.controlDependencies = true;
        FuzzRead(
            [&]()
            {
                const auto job = TrainingJob::Read(isTrace ? link : file.GetPath(), options);
                FuzzRequire(job.GetNRanks() == options.ranks, "as many ranks as asked for");
                for (const auto& program : job.GetPrograms())
                {
                    for (const auto& operation : program.GetOperations())
                    {
                        FuzzRequire(!operation.duration.IsStrictlyNegative(), "a duration");
                        for (const uint32_t before : program.GetAfter(operation))
                        {
                            FuzzRequire(before < program.GetOperations().size(), "an operation");
                        }
                    }
                }
            });
    }
    unlink(link.c_str());
    FuzzRead(
        [&]()
        {
            Time last;
            for (const TrainingJobRequest& request : TrainingJobList::Read(file.GetPath()))
            {
                FuzzRequire(request.ranks > 0 && request.iterations > 0, "a job");
                FuzzRequire(request.arrival >= last, "arrivals in order");
                last = request.arrival;
            }
        });
}
