// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_SCHEDULING_TRAIN_H
#define CLUSTER_JOB_SCHEDULING_TRAIN_H

#include "cluster-job-scheduling-options.h"

/**
 * Train a policy on the first workload and protocol and write its file.
 *
 * @param options of the command line
 * @return exit status
 */
int Train(const Options& options);

#endif /* CLUSTER_JOB_SCHEDULING_TRAIN_H */
