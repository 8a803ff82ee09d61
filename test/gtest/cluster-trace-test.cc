// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Traces of cluster jobs: each format on rows computed by hand, counted and refused rows, order,
 * sets, compressed files, and writing and reading our own file format.
 */

#include "cluster-test-system.h"

#include "ns3/cluster-job-file.h"
#include "ns3/cluster-trace.h"
#include "ns3/odcn-error.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Files in a temporary folder of the test.
class ClusterTraceTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "clusterXXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /// @param name of a file  @return its path
    std::string Path(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    /// @param text of a file  @return its path
    std::string Write(const std::string& text)
    {
        const std::string path = Path("file" + std::to_string(m_files++));
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// @param path of a file  @param settings Attributes, with bars between  @return the trace
    static Ptr<ClusterTrace> Open(const std::string& path, const std::string& settings)
    {
        return MakeFromWords<ClusterTrace>("ns3::odcn::ClusterTrace[FileName=" + path + "|" +
                                           settings + "]");
    }

    /// @param trace any  @return the jobs of its next set
    static std::vector<ClusterJob> GetSet(ClusterTrace& trace)
    {
        std::vector<ClusterJob> jobs;
        trace.NextSet();
        for (ClusterJob job; trace.Next(job);)
        {
            jobs.push_back(job);
        }
        return jobs;
    }

    /// @param trace any  @return the error of Examine()
    static std::string GetComplaint(const ClusterTrace& trace)
    {
        try
        {
            trace.Examine();
        }
        catch (const OdcnError& error)
        {
            return error.what();
        }
        return "";
    }

  private:
    std::filesystem::path m_folder; //!< of this test
    uint32_t m_files{0};            //!< number of files so far
};

/// Six rows of SWF, two of which are jobs that ran.
const std::string SWF = "; Version: 2.2\n"
                        ";   MaxProcs:  64\n"
                        "; a comment without a directive\n"
                        "\n"
                        " 1 100 5 120 4 100 1048576 8 600 -1 1 1 1 -1 1 -1 -1 -1\n"
                        "\t2 130 5 61 -1 -1 -1 2 600 524288 0 1 1 -1 1 -1 -1 -1\r\n"
                        "3 140 5 -1 4 -1 -1 4 600 -1 5 1 1 -1 1 -1 -1 -1\n"
                        "4 150 5 10 -1 -1 -1 -1 600 -1 1 1 1 -1 1 -1 -1 -1\n"
                        "5 -7 5 10 1 -1 -1 -1 600 -1 1 1 1 -1 1 -1 -1 -1\n"
                        "6 340 5 900.5 3 -1 -1 3 600 -1 1 1 1 -1 1 -1 -1 -1";

TEST_F(ClusterTraceTest, ReadsSwf)
{
    auto trace = Open(Write(SWF), "Format=swf|TimeUnit=60|CpuUnit=2|MemoryUnit=1");
    // Job 1: 120 s, 4 processors, 1 GiB each. Job 2: 61 s, 2 requested processors, half a GiB each.
    // Job 6: 901 s are truncated to 15 slots; its memory is unknown.
    EXPECT_EQ(GetSet(*trace),
              (std::vector<ClusterJob>{{0, 0, 2, {2, 4}}, {1, 0, 2, {1, 1}}, {2, 4, 15, {2, 0}}}));
    EXPECT_EQ(trace->GetSlots(), 5U);
    const auto report = trace->Examine();
    EXPECT_EQ(report.rowsRead, 6U);
    EXPECT_EQ(report.jobs, 3U);
    EXPECT_EQ(report.rowsSkipped[ClusterTraceReport::NO_TIME], 1U);
    EXPECT_EQ(report.rowsSkipped[ClusterTraceReport::NO_CPU], 1U);
    EXPECT_EQ(report.rowsSkipped[ClusterTraceReport::NEGATIVE_TIME], 1U);
    EXPECT_EQ(report.shortened, 1U);
    EXPECT_EQ(report.narrowed, 0U);
    EXPECT_EQ(report.work[0], 2 * 2 + 2 * 1 + 15 * 2);
    EXPECT_EQ(report.work[1], 2 * 4 + 2 * 1);
    EXPECT_EQ(report.directives,
              (std::map<std::string, std::string>{{"Version", "2.2"}, {"MaxProcs", "64"}}));
    std::ostringstream text;
    report.Print(text);
    EXPECT_NE(text.str().find("6 read = 3 jobs + 3 skipped"), std::string::npos) << text.str();
    // Half the arrival times, and at most one unit.
    auto dense = Open(Write(SWF), "Format=swf|ArrivalFactor=0.5|MaxUnits=1");
    EXPECT_EQ(GetSet(*dense)[2], (ClusterJob{2, 2, 15, {1, 0}}));
    EXPECT_EQ(dense->Examine().narrowed, 3U);
}

TEST_F(ClusterTraceTest, RefusesBrokenSwf)
{
    const std::string sound = "1 100 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n";
    const std::vector<std::pair<std::string, std::string>> broken{
        {"1 100 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1\n", "18 fields"},
        {"1 100 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1 7\n", "18 fields"},
        {"1 100 5 twelve 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n", "'twelve'"},
        {"1 100 5 120 4 nan 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n", "'nan'"},
        {"1 1e999 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n", "'1e999'"},
        {std::string(100, '\0') + "\n", "18 fields"}};
    for (const auto& [line, words] : broken)
    {
        const std::string path = Write("; x\n" + sound + line + sound);
        const std::string complaint = GetComplaint(*Open(path, "Format=swf"));
        EXPECT_NE(complaint.find(path + ":3:"), std::string::npos) << complaint;
        EXPECT_NE(complaint.find(words), std::string::npos) << complaint;
        const auto report = Open(path, "Format=swf|SkipMalformed=true")->Examine();
        EXPECT_EQ(report.jobs, 2U);
        EXPECT_EQ(report.rowsSkipped[ClusterTraceReport::MALFORMED], 1U);
    }
    EXPECT_NE(GetComplaint(*Open(Write(""), "Format=swf")).find("no job in 0 rows"),
              std::string::npos);
    EXPECT_THROW(Open(Write("; only a comment"), "Format=swf")->NextSet(), OdcnError);
    EXPECT_NE(GetComplaint(*Open(Path("absent"), "Format=swf")).find("cannot be read"),
              std::string::npos);
    EXPECT_NE(GetComplaint(*Open(Write(sound), "Format=xls")).find("alibaba-2018"),
              std::string::npos);
}

TEST_F(ClusterTraceTest, RefusesTimesThatWouldTakeForEver)
{
    const auto job = [](const std::string& submit)
    { return "1 " + submit + " 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n"; };
    const auto read = [&](const std::string& submit)
    { return GetComplaint(*Open(Write(job("0") + job(submit)), "Format=swf|TimeUnit=1")); };
    EXPECT_EQ(Open(Write(job("0") + job("100000000")), "Format=swf|TimeUnit=1")->Examine().slots,
              100000001U);
    EXPECT_NE(read("100000001")
                  .find("found 'a job 100000001 slots after the first', expected at "
                        "most 100000000"),
              std::string::npos);
    EXPECT_NE(read("1e300").find("at most 100000000"), std::string::npos);
    EXPECT_NE(GetComplaint(*Open(Write("arrival,duration,demand_0\n0,1,1\n4503599627370496,1,1\n"),
                                 "Format=csv"))
                  .size(),
              0U);
}

TEST_F(ClusterTraceTest, PrintsHeadersWithoutControlCharacters)
{
    const std::string job = "1 0 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n";
    const auto trace =
        Open(Write("; Na\x1b]0;me: \x1b[2J" + std::string(5000, 'x') + "\n" + job), "Format=swf");
    std::ostringstream text;
    trace->Examine().Print(text);
    EXPECT_NE(text.str().find("header: Na\\x1b]0;me: \\x1b[2Jxxx"), std::string::npos)
        << text.str();
    EXPECT_EQ(text.str().find('\x1b'), std::string::npos);
    EXPECT_LT(text.str().size(), 2000U);
}

TEST_F(ClusterTraceTest, PutsRowsInOrder)
{
    std::string text;
    for (const uint32_t second : {300, 60, 240, 180, 0, 120})
    {
        text += "1 " + std::to_string(second) + " 5 60 1 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n";
    }
    const std::string path = Write(text);
    auto trace = Open(path, "Format=swf");
    const auto jobs = GetSet(*trace);
    ASSERT_EQ(jobs.size(), 6U);
    for (uint64_t i = 0; i < 6; ++i)
    {
        EXPECT_EQ(jobs[i].arrival, i);
        EXPECT_EQ(jobs[i].id, i);
    }
    // Window of two rows and the current one: 60, 180 pass, then 0 is too late, and so is 120.
    const auto report = Open(path, "Format=swf|Window=2")->Examine();
    EXPECT_EQ(report.rowsSkipped[ClusterTraceReport::OUT_OF_ORDER], 2U);
    EXPECT_EQ(report.jobs, 4U);
    EXPECT_EQ(report.slots, 5U);
}

TEST_F(ClusterTraceTest, CutsSets)
{
    std::string text;
    for (uint32_t i = 0; i < 5; ++i)
    {
        text += "1 " + std::to_string(60 * i) + " 5 60 1 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n";
    }
    auto trace = Open(Write(text), "Format=swf|JobsPerSet=2");
    trace->AssignStreams(1);
    const auto ids = [&trace](bool whole)
    {
        std::vector<uint64_t> list;
        trace->NextSet();
        for (ClusterJob job; (whole || list.empty()) && trace->Next(job);)
        {
            EXPECT_EQ(job.arrival, list.size());
            list.push_back(job.id);
        }
        return list;
    };
    EXPECT_EQ(ids(true), (std::vector<uint64_t>{0, 1}));
    EXPECT_EQ(ids(false), (std::vector<uint64_t>{2}));
    EXPECT_EQ(ids(true), (std::vector<uint64_t>{4}));
    EXPECT_EQ(ids(true), (std::vector<uint64_t>{0, 1}));
    trace->AssignStreams(1);
    EXPECT_EQ(ids(true), (std::vector<uint64_t>{0, 1}));
    auto whole = Open(Write(text), "Format=swf");
    EXPECT_EQ(GetSet(*whole).size(), 5U);
    EXPECT_EQ(GetSet(*whole).size(), 5U);
}

TEST_F(ClusterTraceTest, ReadsAlibaba)
{
    const std::string path = Write("M1,2,j_1,1,Terminated,1000,1090,150,0.5\n"
                                   "M2,2,j_1,1,Terminated,1030,1030,50,0.25\r\n"
                                   "M3,2,j_1,1,Failed,1030,1030,50,0.25\n"
                                   "M4,2,j_1,1,Terminated,1030,1040,,0.25\n"
                                   "M5,2,j_1,1,Terminated,1030,1040,50,\n"
                                   "M6,2,j_1,1,Terminated,1030,0,50,0.1\n"
                                   "M7,2,j_1,1,Terminated,1030,1020,50,0.1\n");
    auto trace = Open(path, "Format=alibaba-2018|TimeUnit=30|CpuUnit=0.5|MemoryUnit=0.1");
    EXPECT_EQ(GetSet(*trace), (std::vector<ClusterJob>{{0, 0, 3, {3, 5}}, {1, 1, 1, {1, 3}}}));
    const auto report = trace->Examine();
    EXPECT_EQ(report.rowsRead, 7U);
    for (const auto reason : {ClusterTraceReport::NOT_FINISHED,
                              ClusterTraceReport::NO_CPU,
                              ClusterTraceReport::NO_MEMORY,
                              ClusterTraceReport::NO_TIME,
                              ClusterTraceReport::NEGATIVE_TIME})
    {
        EXPECT_EQ(report.rowsSkipped[reason], 1U) << reason;
    }
    EXPECT_NE(GetComplaint(*Open(Write("a,b\n"), "Format=alibaba-2018")).find(":1:"),
              std::string::npos);
    // The tasks of the whole trace are in a file of our format.
    const std::string sample =
        std::string(ODCN_DATA_DIR) + "/../test/data/alibaba-batch-task-random50.csv";
    if (std::filesystem::exists(sample))
    {
        const auto real = Open(sample, "Format=alibaba-2018")->Examine();
        EXPECT_GT(real.jobs, 100U);
        EXPECT_EQ(real.rowsRead - real.jobs,
                  std::accumulate(real.rowsSkipped.begin(), real.rowsSkipped.end(), uint64_t{0}));
    }
}

TEST_F(ClusterTraceTest, ReadsCerit)
{
    const std::string header = "job_id,submit_unix_s,wait_s,runtime_s,procs,req_mem_bytes\n";
    auto trace = Open(Write(header + "0,1356996147,0,7200,12,4294967296\n"
                                     "1,1356999747,0,1,1,1\n"
                                     "2,1356999748,0,0,1,1\n"
                                     "3,1356999749,0,10,0,1\n"
                                     "4,1356999749,0,10,1,0\n"
                                     "5,1356999749,0,-10,1,1\n"),
                      "Format=cerit|TimeUnit=3600|CpuUnit=4|MemoryUnit=2");
    EXPECT_EQ(GetSet(*trace), (std::vector<ClusterJob>{{0, 0, 2, {3, 2}}, {1, 1, 1, {1, 1}}}));
    EXPECT_EQ(trace->Examine().rowsRead, 6U);
    EXPECT_NE(GetComplaint(*Open(Write(""), "Format=cerit")).find("empty"), std::string::npos);
    EXPECT_NE(GetComplaint(*Open(Write("a,b\n"), "Format=cerit")).find("column submit_unix_s"),
              std::string::npos);
    EXPECT_NE(GetComplaint(*Open(Write(header + "0,1,2\n"), "Format=cerit")).find("6 columns"),
              std::string::npos);
    EXPECT_NE(GetComplaint(*Open(Write(header + "0,1,2,x,4,5\n"), "Format=cerit")).find(":2:"),
              std::string::npos);
}

TEST_F(ClusterTraceTest, WritesWhatItReads)
{
    const std::vector<ClusterJob> jobs{{0, 0, 3, {6, 1, 2}},
                                       {1, 0, 1, {0, 32767, 0}},
                                       {2, 9, 7, {1, 1, 1}}};
    ClusterJobWriter writer(Path("jobs.csv"), 3);
    for (const ClusterJob& job : jobs)
    {
        writer.Write(job);
    }
    writer.Commit();
    EXPECT_EQ(GetSet(*Open(Path("jobs.csv"), "Format=csv")), jobs);
    const std::string header = "arrival,duration,demand_0,demand_1\n";
    for (const auto& [rows, words] :
         std::vector<std::pair<std::string, std::string>>{{"5,1,1,1\n4,1,1,1\n", ":3: found '4'"},
                                                          {"5,0,1,1\n", "found '0'"},
                                                          {"5,1,1\n", "4 columns"},
                                                          {"5,1,-1,1\n", "found '-1'"},
                                                          {"5,1,1,32768\n", "found '32768'"},
                                                          {"5,1,0,0\n", "a demand above 0"}})
    {
        const auto complaint = GetComplaint(*Open(Write(header + rows), "Format=csv"));
        EXPECT_NE(complaint.find(words), std::string::npos) << complaint;
    }
    EXPECT_NE(GetComplaint(*Open(Write("arrival\n"), "Format=csv")).find("the header"),
              std::string::npos);
}

TEST_F(ClusterTraceTest, ReadsCompressedFiles)
{
    // gzip -n of "arrival,duration,demand_0\n0,2,5\n"
    static const unsigned char DATA[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x2c, 0x2a,
        0xca, 0x2c, 0x4b, 0xcc, 0xd1, 0x49, 0x29, 0x2d, 0x4a, 0x2c, 0xc9, 0xcc, 0xcf,
        0xd3, 0x49, 0x49, 0xcd, 0x4d, 0xcc, 0x4b, 0x89, 0x37, 0xe0, 0x32, 0xd0, 0x31,
        0xd2, 0x31, 0xe5, 0x02, 0x00, 0x9c, 0xc4, 0x16, 0x51, 0x20, 0x00, 0x00, 0x00};
    const std::string text(reinterpret_cast<const char*>(DATA), sizeof(DATA));
    const std::string path = Write(text);
    const std::string complaint = GetComplaint(*Open(path, "Format=csv"));
    if (complaint.find("without zlib") != std::string::npos)
    {
        GTEST_SKIP();
    }
    EXPECT_EQ(complaint, "");
    EXPECT_EQ(GetSet(*Open(path, "Format=csv")), (std::vector<ClusterJob>{{0, 0, 2, {5}}}));
    // Truncated, and with a flipped bit.
    EXPECT_NE(
        GetComplaint(*Open(Write(text.substr(0, text.size() - 12)), "Format=csv")).find("damaged"),
        std::string::npos);
    std::string turned = text;
    turned[turned.size() - 8] ^= 1;
    EXPECT_NE(GetComplaint(*Open(Write(turned), "Format=csv")).find("damaged"), std::string::npos);
}

} // namespace
