// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_TRAIN_H
#define ICCI_HOTSPOT_MIGRATION_TRAIN_H

#include "icci-hotspot-migration-report.h"

/**
 * Train the policy that is asked for, and write its file.
 * @param options of the command line
 * @return exit status
 */
int Train(const Options& options);

#endif /* ICCI_HOTSPOT_MIGRATION_TRAIN_H */
