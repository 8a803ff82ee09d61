// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DRL_SCHEDULING_EXPLAIN_H
#define ODCN_DRL_SCHEDULING_EXPLAIN_H

/**
 * @file
 * Why the policies of odcn-drl-scheduling place a job as they do.
 */

#include "ns3/odcn-experiment.h"
#include "ns3/odcn-output-files.h"

#include <cstdint>

/**
 * Run the first replication of every policy at the first load up to a job, and print its decisions
 * about it: the score of the rack that it takes and of the next best one, and the features of both
 * with their effects on these scores.
 * Policies without scores are named. All numbers are in explain.csv.
 * @param experiment the comparison, after Check()
 * @param files output folder
 * @param number of the job, from 0, warm-up included
 * @throws OdcnError when no policy has scores, or the jobs end before
 */
void ExplainJob(const ns3::odcn::Experiment& experiment,
                ns3::odcn::OutputFiles& files,
                uint64_t number);

#endif /* ODCN_DRL_SCHEDULING_EXPLAIN_H */
