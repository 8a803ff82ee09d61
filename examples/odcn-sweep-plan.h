// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SWEEP_PLAN_H
#define ODCN_SWEEP_PLAN_H

#include <string>
#include <utility>
#include <vector>

/// One run of a plan: a program with all its options.
struct SweepRun
{
    std::string id;      //!< 12 hexadecimal digits, a digest of program and options
    std::string program; //!< name of a program of this build, or a path
    std::string output;  //!< name of its option for a folder of results; empty: it has none
    std::vector<std::pair<std::string, std::string>> options; //!< names and values, in order
    std::vector<std::pair<std::string, std::string>> resume;  //!< more, to go on after a kill
};

/**
 * Read a plan: a JSON object, or a list of them, with these members.
 * - program: name of a program of this build, or a path
 * - options: object of options and values that all runs have (optional)
 * - grid: object of options and lists of values; a run for each combination (optional)
 * - seeds: list of values of --RngRun, or {"first": 1, "count": 10} (optional)
 * - output: name of the option that is given the run's folder ("output"), "" if there is none;
 * where an option's value contains {run}, that is replaced by the folder instead
 * - resume: object of options that a run gets when an earlier attempt was killed; without, such a
 *   run starts from nothing (optional)
 *
 * @param file path of the plan
 * @return its runs in order: the last option of the grid and then the seed vary fastest
 * @throws ns3::odcn::OdcnError for a plan that cannot be read, or has a run twice
 */
std::vector<SweepRun> ReadSweepPlan(const std::string& file);

#endif /* ODCN_SWEEP_PLAN_H */
