// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_PACKETS_H
#define RDDC_NARA_ALLOCATION_PACKETS_H

/**
 * @file
 * rddc-nara-allocation in packets: what servers of granted requests send each other over their
 * lightpaths, and over electrical trees of equal capacity.
 */

#include "rddc-nara-allocation-report.h"

/**
 * Run every policy on every topology in packets; print the figures, and write them.
 * @param options of the command line
 * @return exit status
 */
int RunPackets(const Options& options);

#endif /* RDDC_NARA_ALLOCATION_PACKETS_H */
