// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SWEEP_REPORT_H
#define ODCN_SWEEP_REPORT_H

#include <string>

namespace ns3::odcn
{
class RunReport;
}

/**
 * Add what runs wrote to summary.csv: the mean of each number over the runs of a cell, which differ
 * only in RngRun and RngSeed, as a table and a chart.
 *
 * Rows of summary.csv are matched by their order. A number that differs between runs of a cell, or
 * has limits of an interval (NAME_lower) beside it, is averaged; options, and columns that are
 * equal in all runs of a cell, tell what a row is about.
 *
 * @param report report  @param database SQLite file of WriteSweepDatabase()
 */
void AddSweepMeans(ns3::odcn::RunReport& report, const std::string& database);

#endif /* ODCN_SWEEP_REPORT_H */
