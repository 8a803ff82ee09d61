// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SWEEP_DATABASE_H
#define ODCN_SWEEP_DATABASE_H

#include <functional>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

struct sqlite3;

/// A run that has finished, as its run.json tells.
struct SweepRecord
{
    std::string id;      //!< that of the plan
    std::string folder;  //!< its folder, where run.json and the CSV files are
    std::string program; //!< name of the program
    std::string command; //!< command line
    std::string host;    //!< name of the machine
    std::string started; //!< time of the start, UTC
    std::string seconds; //!< duration
    std::vector<std::pair<std::string, std::string>> options; //!< names and values
};

/**
 * Write a new SQLite file: a table "runs" with a row per run (run_id, program, command, host,
 * started, seconds, and a column per option), and a table per CSV file that runs have written,
 * named as the file without .csv, with the column "run_id" before those of the file.
 *
 * @param file its path; an existing file is replaced when the new one is complete
 * @param records the runs
 * @throws ns3::odcn::OdcnError when a file cannot be read or written
 */
void WriteSweepDatabase(const std::string& file, const std::vector<SweepRecord>& records);

/**
 * @param file SQLite file, which is opened for reading only
 * @param query a statement of SQL
 * @param row called with the names of the columns, then with the cells of each row
 * @throws ns3::odcn::OdcnError when the file cannot be read or the statement is refused
 */
void ReadSweepDatabase(const std::string& file,
                       const std::string& query,
                       const std::function<void(const std::vector<std::string>&)>& row);

/**
 * @param file SQLite file, which is opened for reading only
 * @param query a statement of SQL
 * @param os the result is written here as CSV, with a header
 * @throws ns3::odcn::OdcnError when the file cannot be read or the statement is refused
 */
void QuerySweepDatabase(const std::string& file, const std::string& query, std::ostream& os);

#endif /* ODCN_SWEEP_DATABASE_H */
