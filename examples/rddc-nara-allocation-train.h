// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_TRAIN_H
#define RDDC_NARA_ALLOCATION_TRAIN_H

#include "rddc-nara-allocation-report.h"

/**
 * Train a policy for each topology and write its file.
 *
 * @param options of the command line
 * @return exit status
 */
int Train(const Options& options);

#endif /* RDDC_NARA_ALLOCATION_TRAIN_H */
