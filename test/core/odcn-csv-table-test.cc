// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Tables: typed columns, their checks and defaults, and writing what is read.
 */

#include "odcn-folder-test.h"

#include "ns3/odcn-csv-table.h"
#include "ns3/odcn-row-reader.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const TemporaryPath g_file("csv-table"); //!< the file of each test

/// @param call throws
/// @return the error, with FILE in place of the file name
std::string
Refusal(const std::function<void()>& call)
{
    std::string text = GetRefusal(call);
    const auto at = text.find(g_file.path);
    return at == std::string::npos ? text : text.replace(at, g_file.path.size(), "FILE");
}

/// A row of a table.
struct TableRow
{
    double a{0};   //!< required
    uint32_t b{7}; //!< not required

    /// @param o other
    /// @return whether both are equal
    bool operator==(const TableRow& o) const = default;
};

using TableRowColumn = CsvColumn<TableRow>;

/// @return a table of pairs
CsvTable<TableRow>
MakeTable()
{
    return {"pair",
            {TableRowColumn::Number("a", &TableRow::a, {0, 10}, CsvOrder::RISING),
             TableRowColumn::Number("b", &TableRow::b, {1, 99}, CsvOrder::ANY, CsvNeed::NOTHING)},
            "; and so on"};
}

/// @param text of a file
/// @param table its form
/// @return its rows
std::vector<TableRow>
ReadAll(const std::string& text, const CsvTable<TableRow>& table = MakeTable())
{
    CsvTableReader<TableRow> reader(g_file.Write(text), table);
    auto rows = ns3::odcn::ReadAll<TableRow>(reader);
    EXPECT_EQ(reader.GetNRead(), rows.size());
    return rows;
}

using TableRows = std::vector<TableRow>;

} // namespace

TEST(CsvTable, ReadsColumnsInAnyOrder)
{
    EXPECT_EQ(ReadAll("b,a\n1,2\n3,4\n"), (TableRows{{2, 1}, {4, 3}}));
    EXPECT_EQ(ReadAll("x,a,y,b\r\nz,1e-1,,5.0\r\n,2,z,6e1"), (TableRows{{0.1, 5}, {2, 60}}));
}

TEST(CsvTable, TakesTheDefaultWhereThereIsNone)
{
    EXPECT_EQ(ReadAll("a\n1\n"), (TableRows{{1, 7}}));
    EXPECT_EQ(ReadAll("a,b\n1,8\n2,\n3,NaN\n4,4\n"), (TableRows{{1, 8}, {2, 7}, {3, 7}, {4, 4}}));
}

TEST(CsvTable, ReadsQuotedFields)
{
    EXPECT_EQ(ReadAll("\"x, y\",\"a\",b\n\"z \"\"1\"\", \",\"3\",\"4\"\n,5,\"6\"\r\nz\"\",7,8\n"),
              (TableRows{{3, 4}, {5, 6}, {7, 8}}));
    RowReader rows(g_file.Write("\"a, \"\"b\"\" # c\",\"\",d\"e # \"f\"\n# \"\n\"\"\"\"# g\n"));
    rows.SetComments(true);
    std::vector<std::string> fields;
    while (rows.NextRow())
    {
        for (std::size_t i = 0; i < rows.GetWidth(); ++i)
        {
            fields.emplace_back(rows[i]);
        }
    }
    EXPECT_EQ(fields, (std::vector<std::string>{"a, \"b\" # c", "", "d\"e ", "\""}));
}

TEST(CsvTable, RefusesInOneLine)
{
    const auto refusal = [](const std::string& text) { return Refusal([&] { ReadAll(text); }); };
    EXPECT_EQ(refusal("b\n1\n"), "FILE:1: found 'b', expected a header with a column a; and so on");
    EXPECT_EQ(refusal("a,b,a\n1,2,3\n"),
              "FILE:1: found 'a,b,a', expected each column once, but a stands there twice");
    EXPECT_EQ(refusal(""), "FILE: found 'an empty file', expected a header; and so on");
    EXPECT_EQ(refusal("a\n"), "FILE: found 'the end of the file', expected at least one pair");
    EXPECT_EQ(refusal("a\n1\n2,3\n"), "FILE:3: found '2,3', expected 1 columns");
    EXPECT_EQ(refusal("a\nmany\n"),
              "FILE:2: found 'many', expected in column a a number from 0 to 10");
    EXPECT_EQ(refusal("a,b\n,1\n"), "FILE:2: found '', expected in column a a number from 0 to 10");
    EXPECT_EQ(refusal("a\n11\n"), "FILE:2: found '11', expected in column a a number from 0 to 10");
    EXPECT_EQ(refusal("a,b\n1,100\n"),
              "FILE:2: found '100', expected in column b a whole number from 1 to 99");
    EXPECT_EQ(refusal("a,b\n1,1.5\n"),
              "FILE:2: found '1.5', expected in column b a whole number from 1 to 99");
    EXPECT_EQ(refusal("a\n1\n1\n"),
              "FILE:3: found '1', expected in column a more than in the row above");
    for (const char* row : {"\"1", "\"1\"2,3", "1,\"", "\"1\"\",3"})
    {
        EXPECT_EQ(refusal("a,b\n" + std::string(row)),
                  "FILE:2: found '" + std::string(row) +
                      "', expected quotes that end with their field, on its line");
    }
}

TEST(CsvTable, WritesWhatItReads)
{
    const TableRows rows{{0, 1}, {1. / 3, 99}, {1e-300 + 1, 5}};
    for (const bool header : {true, false})
    {
        auto table = MakeTable();
        table.header = header;
        table.separator = header ? ',' : RowReader::BLANKS;
        CsvTableWriter<TableRow> writer(g_file.path, table);
        for (const TableRow& row : rows)
        {
            writer.Write(row);
        }
        writer.Commit();
        CsvTableReader<TableRow> reader(g_file.path, table);
        EXPECT_EQ(ns3::odcn::ReadAll<TableRow>(reader), rows);
        EXPECT_EQ(reader.GetNRead(), rows.size());
    }
    CsvTableWriter<TableRow> writer(g_file.path, MakeTable(), {"a"});
    writer.Write(rows[1]);
    writer.Commit();
    EXPECT_EQ(ReadText(g_file.path), "a\n0.3333333333333333\n");
}
