// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-sweep-database.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-file-lock.h"
#include "ns3/odcn-interruption.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <sqlite3.h>

using namespace ns3::odcn;

namespace
{

using Row = std::vector<std::string>;

/// @param name any text  @return the text as a name in SQL
std::string
Quote(const std::string& name)
{
    std::string quoted = "\"";
    for (const char c : name)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

/// An open SQLite file.
class Database
{
  public:
    /// @param file path  @param flags of sqlite3_open_v2()
    Database(std::string file, int flags)
        : m_file(std::move(file))
    {
        sqlite3* opened = nullptr;
        const int result = sqlite3_open_v2(m_file.c_str(), &opened, flags, nullptr);
        m_database.reset(opened);
        Check(result);
    }

    /// A statement that is being executed.
    using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

    /// @param sql a statement  @return the statement, to be executed
    Statement Prepare(const std::string& sql)
    {
        sqlite3_stmt* prepared = nullptr;
        Check(sqlite3_prepare_v2(m_database.get(), sql.c_str(), -1, &prepared, nullptr));
        if (!prepared)
        {
            throw OdcnError(m_file + ": found '" + sql + "', expected a statement of SQL");
        }
        return {prepared, sqlite3_finalize};
    }

    /// @param statement to be executed  @return whether there is a row
    bool Step(const Statement& statement)
    {
        const int result = sqlite3_step(statement.get());
        if (result != SQLITE_DONE && result != SQLITE_ROW)
        {
            Check(result);
        }
        return result == SQLITE_ROW;
    }

    /// @param sql a statement without a result
    void Execute(const std::string& sql)
    {
        Step(Prepare(sql));
    }

    /// @param statement INSERT with a place per value  @param row the values, added as a row
    void Insert(const Statement& statement, const Row& row)
    {
        sqlite3_reset(statement.get());
        sqlite3_clear_bindings(statement.get());
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            // An empty cell is an unknown value, NULL.
            if (!row[i].empty())
            {
                Check(sqlite3_bind_text(statement.get(),
                                        static_cast<int>(i + 1),
                                        row[i].c_str(),
                                        static_cast<int>(row[i].size()),
                                        SQLITE_TRANSIENT));
            }
        }
        Step(statement);
    }

    /// @param table name  @param columns names; numbers in them are stored as numbers
    /// @return statement that inserts a row
    Statement CreateTable(const std::string& table, const Row& columns)
    {
        std::string names;
        std::string values;
        for (const auto& column : columns)
        {
            // The id of a run is a text, also when it looks like a number.
            names += (names.empty() ? "" : ", ") + Quote(column) +
                     (column == "run_id" ? " TEXT" : " NUMERIC");
            values += values.empty() ? "?" : ", ?";
        }
        Execute("CREATE TABLE " + Quote(table) + " (" + names + ")");
        return Prepare("INSERT INTO " + Quote(table) + " VALUES (" + values + ")");
    }

  private:
    /// @param result of a call of SQLite  @throws OdcnError for an error
    void Check(int result) const
    {
        if (result != SQLITE_OK)
        {
            throw OdcnError(
                m_file + ": SQLite: " +
                (m_database ? sqlite3_errmsg(m_database.get()) : sqlite3_errstr(result)));
        }
    }

    std::string m_file; //!< path
    std::unique_ptr<sqlite3, int (*)(sqlite3*)> m_database{nullptr,
                                                           sqlite3_close}; //!< the connection
};

/// A CSV file as CsvWriter writes them: RFC 4180, after comments that begin with '#'.
class CsvFile
{
  public:
    /// @param path of the file; reads the header
    explicit CsvFile(const std::string& path)
        : m_path(path),
          m_stream(path, std::ios::binary)
    {
        while (m_stream.peek() == '#')
        {
            std::string comment;
            std::getline(m_stream, comment);
        }
        if (!Next(m_header) ||
            std::set<std::string>(m_header.begin(), m_header.end()).size() != m_header.size())
        {
            throw OdcnError(path + ": expected a header with different names");
        }
    }

    /// @return names of the columns
    const Row& GetHeader() const
    {
        return m_header;
    }

    /// @param [out] row cells of the next row  @return whether there is one
    bool Next(Row& row)
    {
        row.assign(1, "");
        bool quoted = false;
        bool any = false;
        for (int c = m_stream.get(); c != EOF; c = m_stream.get())
        {
            any = true;
            if (c == '"')
            {
                const bool escaped = quoted && m_stream.peek() == '"';
                if (escaped)
                {
                    row.back() += static_cast<char>(m_stream.get());
                }
                else
                {
                    quoted = !quoted;
                }
            }
            else if (c == ',' && !quoted)
            {
                row.emplace_back();
            }
            else if (c == '\n' && !quoted)
            {
                break;
            }
            else
            {
                row.back() += static_cast<char>(c);
            }
        }
        if (any && !m_header.empty() && row.size() != m_header.size())
        {
            throw OdcnError(m_path + ": found a row of " + std::to_string(row.size()) +
                            " cells, expected " + std::to_string(m_header.size()));
        }
        return any;
    }

  private:
    std::string m_path;     //!< path
    std::ifstream m_stream; //!< the file
    Row m_header;           //!< names of the columns
};

/// @param database for the tables  @param records runs  Adds the table of runs.
void
AddRuns(Database& database, const std::vector<SweepRecord>& records)
{
    Row columns{"run_id", "program", "command", "host", "started", "seconds"};
    for (const auto& record : records)
    {
        for (const auto& [name, value] : record.options)
        {
            if (std::find(columns.begin(), columns.end(), name) == columns.end())
            {
                columns.push_back(name);
            }
        }
    }
    const auto insert = database.CreateTable("runs", columns);
    for (const auto& record : records)
    {
        Row row{record.id,
                record.program,
                record.command,
                record.host,
                record.started,
                record.seconds};
        row.resize(columns.size());
        for (const auto& [name, value] : record.options)
        {
            const auto column = std::find(columns.begin() + 6, columns.end(), name);
            if (column == columns.end())
            {
                throw OdcnError("option " + name + " has the name of a column of the table runs");
            }
            row[static_cast<std::size_t>(column - columns.begin())] = value;
        }
        database.Insert(insert, row);
    }
}

/// @param database for the table  @param table name  @param files id of a run, and its file
void
AddTable(Database& database,
         const std::string& table,
         const std::vector<std::pair<std::string, std::string>>& files)
{
    // Versions of a program may differ in columns.
    Row columns{"run_id"};
    for (const auto& [id, path] : files)
    {
        const CsvFile csv(path);
        for (const auto& name : csv.GetHeader())
        {
            if (name == columns[0])
            {
                throw OdcnError(path + ": found a column " + name + ", expected other names");
            }
            if (std::find(columns.begin(), columns.end(), name) == columns.end())
            {
                columns.push_back(name);
            }
        }
    }
    const auto insert = database.CreateTable(table, columns);
    for (const auto& [id, path] : files)
    {
        CsvFile csv(path);
        std::vector<std::size_t> places;
        for (const auto& name : csv.GetHeader())
        {
            places.push_back(static_cast<std::size_t>(
                std::find(columns.begin() + 1, columns.end(), name) - columns.begin()));
        }
        Row cells;
        while (csv.Next(cells))
        {
            Row row(columns.size());
            row[0] = id;
            for (std::size_t i = 0; i < cells.size(); ++i)
            {
                row[places[i]] = std::move(cells[i]);
            }
            database.Insert(insert, row);
        }
        Interruption::Check();
    }
}

/// @param value of a cell  @param os it is written here as a cell of CSV
void
WriteCell(std::ostream& os, const std::string& value)
{
    if (value.find_first_of(",\"\n\r") == std::string::npos)
    {
        os << value;
        return;
    }
    os << Quote(value);
}

} // namespace

void
WriteSweepDatabase(const std::string& file, const std::vector<SweepRecord>& records)
{
    const FileLock lock(file + ".lock", file);
    const std::string temporary = file + ".tmp";
    try
    {
        std::filesystem::remove(temporary);
        {
            Database database(temporary, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
            // The file is new, and is discarded if this does not end.
            database.Execute("PRAGMA journal_mode = OFF");
            database.Execute("BEGIN");
            AddRuns(database, records);
            std::map<std::string, std::vector<std::pair<std::string, std::string>>> tables;
            for (const auto& record : records)
            {
                for (const auto& entry : std::filesystem::directory_iterator(record.folder))
                {
                    const std::string name = entry.path().stem().string();
                    if (entry.is_regular_file() && entry.path().extension() == ".csv" &&
                        name != "runs")
                    {
                        tables[name].emplace_back(record.id, entry.path().string());
                    }
                }
            }
            for (const auto& [name, files] : tables)
            {
                AddTable(database, name, files);
            }
            database.Execute("COMMIT");
        }
        if (!AtomicFile::Move(temporary, file))
        {
            throw OdcnError("cannot write " + file);
        }
    }
    catch (...)
    {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw;
    }
}

void
ReadSweepDatabase(const std::string& file,
                  const std::string& query,
                  const std::function<void(const Row&)>& row)
{
    Database database(file, SQLITE_OPEN_READONLY);
    const auto statement = database.Prepare(query);
    Row cells(static_cast<std::size_t>(sqlite3_column_count(statement.get())));
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        cells[i] = sqlite3_column_name(statement.get(), static_cast<int>(i));
    }
    row(cells);
    while (database.Step(statement))
    {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            const auto* text = sqlite3_column_text(statement.get(), static_cast<int>(i));
            cells[i] = text ? reinterpret_cast<const char*>(text) : "";
        }
        row(cells);
    }
}

void
QuerySweepDatabase(const std::string& file, const std::string& query, std::ostream& os)
{
    ReadSweepDatabase(file,
                      query,
                      [&os](const Row& row)
                      {
                          for (std::size_t i = 0; i < row.size(); ++i)
                          {
                              os << (i ? "," : "");
                              WriteCell(os, row[i]);
                          }
                          os << "\n";
                      });
}
