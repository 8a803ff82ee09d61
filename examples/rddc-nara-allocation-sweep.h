// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_SWEEP_H
#define RDDC_NARA_ALLOCATION_SWEEP_H

/**
 * @file
 * The free signs and weights of the rules: which are best on a topology.
 */

#include "rddc-nara-allocation-report.h"

#include "ns3/odcn-csv-writer.h"

#include <functional>
#include <string>
#include <vector>

/// Forms of one rule.
struct SweepFamily
{
    std::string name;               //!< of the rule
    std::vector<std::string> forms; //!< its forms, as RddcScheme::Find() reads them
};

/// @return the rules with all their forms
std::vector<SweepFamily> GetSweepFamilies();

/**
 * Try all forms of a rule on one topology.
 * @param family the rule
 * @param topology which
 * @param options of the command line
 * @param firstRun run number of the first stream
 * @param csv takes the acceptance of every form
 * @param tried called after every form
 * @return the one that accepts most, the first among equals; named as the rule
 */
ns3::odcn::RddcScheme FindBestForm(const SweepFamily& family,
                                   const Topology& topology,
                                   const Options& options,
                                   uint64_t firstRun,
                                   ns3::odcn::OdcnCsvWriter& csv,
                                   const std::function<void()>& tried);

/**
 * @param topology one
 * @return the form of Tetris that the sweep found best there, with its routing; on another topology
 * than the nine of the paper tetris-tuned
 */
std::string GetBestTetris(const Topology& topology);

#endif /* RDDC_NARA_ALLOCATION_SWEEP_H */
