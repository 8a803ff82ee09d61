// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Output for users and programs: CSV files and tables.
 */

#include "odcn-folder-test.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-table.h"

using namespace ns3::odcn;

namespace
{

/// A file in a temporary folder.
class CsvWriterTest : public FolderTest
{
  protected:
    std::filesystem::path m_file{m_folder / "out.csv"}; //!< the file
};

} // namespace

TEST_F(CsvWriterTest, WritesTheShortestTextThatReadsBack)
{
    CsvWriter csv(m_file, {"name", "count", "signed", "value", "flag"});
    csv.Row("plain", uint64_t(18446744073709551615U), int64_t(-5), 0.1, true);
    csv.Row("single", 0, 0, 0.1F, false);
    csv.Row(std::string("a,\"b\"\nc"), uint8_t(7), -1, 1.0 / 3, false);
    csv.Row("", 0, 0, std::nan(""), 0);
    csv.Row("x", 1U, 2L, 59.2e-9, 1);
    csv.Row("x", 1U, 2L, 134.0, 1);
    EXPECT_EQ(csv.GetRows(), 6);
    EXPECT_FALSE(std::filesystem::exists(m_file)) << "nothing appears before Commit()";
    csv.Commit();
    EXPECT_EQ(ReadText(m_file),
              "name,count,signed,value,flag\n"
              "plain,18446744073709551615,-5,0.1,1\n"
              "single,0,0,0.1,0\n"
              "\"a,\"\"b\"\"\nc\",7,-1,0.3333333333333333,0\n"
              ",0,0,,0\n"
              "x,1,2,5.92e-08,1\n"
              "x,1,2,134,1\n");
}

TEST_F(CsvWriterTest, RefusesALineOfAnotherLength)
{
    CsvWriter csv(m_file, {"a", "b"});
    EXPECT_THROW(csv.Row(1), OdcnError);
    CsvWriter other(m_file, {"a", "b"});
    EXPECT_THROW(other.Row(1, 2, 3), OdcnError);
    CsvWriter open(m_file, {"a", "b"});
    open.Cell(1);
    EXPECT_THROW(open.Commit(), OdcnError);
    EXPECT_THROW(CsvWriter(m_file, {}), OdcnError);
    EXPECT_FALSE(std::filesystem::exists(m_file));
}

TEST_F(CsvWriterTest, LeavesTheEarlierFileWhenARunFails)
{
    {
        CsvWriter csv(m_file, {"a"});
        csv.Row(1);
        csv.Commit();
    }
    {
        CsvWriter csv(m_file, {"a"});
        csv.Row(2);
    }
    EXPECT_EQ(ReadText(m_file), "a\n1\n");
    EXPECT_THROW(CsvWriter(m_folder / "absent" / "out.csv", {"a"}), OdcnError);
}

TEST(Table, AlignsNumbersRightAndTextLeft)
{
    Table table({"policy", "blocking\n%", "note"});
    table.AddRow({"odcn-ccf", "8.25 +- 0.14", "x"});
    table.AddRow({"odcn-jcb", "< 0.3"});
    table.AddRule();
    table.AddRow({"bound", "-", "y"});
    std::ostringstream os;
    table.Print(os);
    EXPECT_EQ(os.str(),
              "              blocking\n"
              "policy               %  note\n"
              "----------------------------\n"
              "odcn-ccf  8.25 +- 0.14  x\n"
              "odcn-jcb         < 0.3\n"
              "----------------------------\n"
              "bound                -  y\n");
    EXPECT_THROW(table.AddRow({"1", "2", "3", "4"}), OdcnError);
}

TEST(Table, SaysOfWhichPercentilesTooLittleIsKnown)
{
    Table table({"policy", "p99"});
    table.AddRow({"a", FormatPercentile({413, 0, 958, 8})});
    table.AddRow({"b", FormatPercentile({413, 400, 430, 8})});
    std::ostringstream os;
    table.Print(os);
    EXPECT_EQ(os.str(),
              "policy        p99\n"
              "-----------------\n"
              "a          > 20 %\n"
              "b       413 +- 17\n" +
                  table.GetNote() + "\n");
    EXPECT_NE(table.GetNote(), "");
}

TEST(Table, PrintsOnlyTheDigitsThatAreKnown)
{
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(FormatEstimate({0.0825432, 0.0811, 0.0839, 10}, 100), "8.25 +- 0.14");
    EXPECT_EQ(FormatEstimate({134.217, 130.1, 138.3, 10}), "134.2 +- 4.1");
    EXPECT_EQ(FormatEstimate({1342.17, 1301, 1383, 10}), "1342 +- 41");
    EXPECT_EQ(FormatEstimate({134.217, -inf, inf, 1}), "134.2");
    EXPECT_EQ(FormatEstimate({0, 0, 0.003, 1000}), "< 0.0030");
    EXPECT_EQ(FormatEstimate({0, 0, 0, 5}), "0");
    EXPECT_EQ(FormatEstimate({0.33, 0.33 - 1e-17, 0.33 + 1e-16, 3}), "0.3300");
    EXPECT_EQ(FormatEstimate({0, 0, 2e-7, 3}), "< 0.00000020");
    EXPECT_EQ(FormatEstimate({std::nan(""), -inf, inf, 0}), "-");
    EXPECT_EQ(FormatEstimate({-0.5, -0.6, -0.4, 10}), "-0.50 +- 0.10");
    EXPECT_EQ(FormatEstimate({-0.02, -4.2, 4.2, 10}), "0.0 +- 4.2");
    // The whole range of a share, of one observation.
    EXPECT_EQ(FormatEstimate({0.0367, 0, 1, 1}, 100), "3.670");
    EXPECT_EQ(FormatEstimate({0, 0, 1, 1}, 100), "0");
    EXPECT_EQ(FormatPercentile({0.5, 0.4, 0.6, 5}, 1000), "500 +- 100");
    EXPECT_EQ(FormatPercentile({inf, inf, inf, 3}, 1000), "> drain");
    EXPECT_EQ(FormatPercentile({inf, inf, inf, 1}, 1000), "> drain");
    EXPECT_EQ(FormatPercentile({413, 0, 958, 8}), "> 20 %");
    EXPECT_EQ(FormatPercentile({413, 0, inf, 2}), "> 20 %");
    EXPECT_EQ(FormatPercentile({413, -inf, inf, 1}), "413.0");
    EXPECT_EQ(FormatPercentile(Estimate::Exactly(413)), "413.0");
    EXPECT_EQ(FormatPercentile({std::nan(""), -inf, inf, 0}), "-");
    EXPECT_EQ(FormatFixed(2.345678, 3), "2.346");
    EXPECT_EQ(FormatFixed(std::nan(""), 3), "-");
}
