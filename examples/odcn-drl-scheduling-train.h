// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DRL_SCHEDULING_TRAIN_H
#define ODCN_DRL_SCHEDULING_TRAIN_H

#include "odcn-drl-scheduling-report.h"

/**
 * Train an agent and write its checkpoint.
 *
 * @param options of the command line
 * @param helper builds the problems
 * @return exit status
 */
int Train(const Options& options, const ns3::odcn::OdcnHelper& helper);

#endif /* ODCN_DRL_SCHEDULING_TRAIN_H */
