// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Files of cluster jobs: reading and writing, refused rows, sets, arrival factors, compressed
 * files.
 */

#include "../core/odcn-folder-test.h"
#include "cluster-test-system.h"

#include "ns3/cluster-job-file.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

class ClusterJobFileTest : public FolderTest
{
  protected:
    /// @param text of a file  @return its path
    std::string Write(const std::string& text)
    {
        const std::string path = In("file" + std::to_string(m_files++));
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// @param path of a file  @param settings Attributes, with bars between  @return the trace
    static Ptr<ClusterJobFile> Open(const std::string& path, const std::string& settings)
    {
        return MakeFromWords<ClusterJobFile>("ns3::odcn::ClusterJobFile[FileName=" + path + "|" +
                                             settings + "]");
    }

    /// @param trace any  @return the jobs of its next set
    static std::vector<ClusterJob> GetSet(ClusterJobFile& trace)
    {
        trace.NextSet();
        return ReadAll<ClusterJob>(trace);
    }

    /// @param trace any  @return the error of Examine()
    static std::string GetComplaint(const ClusterJobFile& trace)
    {
        return GetRefusal([&] { trace.Examine(); });
    }

  private:
    uint32_t m_files{0}; //!< number of files so far
};

TEST_F(ClusterJobFileTest, ScalesArrivals)
{
    const std::string path = Write("duration,arrival,user,demand_1,demand_0\n"
                                   "2,10.5,a,4,2\n2,11,b,1,1\n15,14.5,a,0,2\n");
    auto file = Open(path, "ArrivalFactor=1");
    EXPECT_EQ(GetSet(*file),
              (std::vector<ClusterJob>{{0, 0, 2, {2, 4}}, {1, 0, 2, {1, 1}}, {2, 4, 15, {2, 0}}}));
    EXPECT_EQ(file->GetSlots(), 5U);
    const auto totals = file->Examine();
    EXPECT_EQ(totals.jobs, 3U);
    EXPECT_EQ(totals.slots, 5U);
    EXPECT_EQ(totals.slotsRun, 19);
    EXPECT_EQ(totals.work[0], 2 * 2 + 2 * 1 + 15 * 2);
    EXPECT_EQ(totals.work[1], 2 * 4 + 2 * 1);
    EXPECT_EQ(totals.GetMeanUnits(), 36 / 5.0);
    std::ostringstream text;
    totals.Print(text);
    EXPECT_TRUE(Has(text.str(), "jobs: 3\ntime: 5 slots"));
    EXPECT_EQ(GetSet(*Open(path, "ArrivalFactor=0.5"))[2], (ClusterJob{2, 2, 15, {2, 0}}));
    EXPECT_EQ(GetSet(*Open(path, "ArrivalFactor=2"))[1], (ClusterJob{1, 1, 2, {1, 1}}));
}

TEST_F(ClusterJobFileTest, RefusesTimesThatWouldTakeForEver)
{
    const auto read = [&](const std::string& arrival)
    {
        return GetComplaint(*Open(Write("arrival,duration,demand_0\n0,1,1\n" + arrival + ",1,1\n"),
                                  "JobsPerSet=0"));
    };
    EXPECT_EQ(read("100000000"), "");
    EXPECT_TRUE(Has(read("100000001"),
                    ":3: found 'a job 100000001 slots after the first', expected in column "
                    "arrival at most 100000000"));
    EXPECT_NE(read("4503599627370496").size(), 0U);
}

TEST_F(ClusterJobFileTest, CutsSets)
{
    std::string text = "arrival,duration,demand_0\n";
    for (uint32_t i = 0; i < 5; ++i)
    {
        text += std::to_string(i) + ",1,1\n";
    }
    auto trace = Open(Write(text), "JobsPerSet=2");
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
    auto whole = Open(Write(text), "JobsPerSet=0");
    EXPECT_EQ(GetSet(*whole).size(), 5U);
    EXPECT_EQ(GetSet(*whole).size(), 5U);
}

TEST_F(ClusterJobFileTest, WritesWhatItReads)
{
    const std::vector<ClusterJob> jobs{{0, 0, 3, {6, 1, 2}},
                                       {1, 0, 1, {0, 32767, 0}},
                                       {2, 9, 7, {1, 1, 1}}};
    ClusterJobWriter writer(In("jobs.csv"), 3);
    for (const ClusterJob& job : jobs)
    {
        writer.Write(job);
    }
    writer.Commit();
    EXPECT_EQ(GetSet(*Open(In("jobs.csv"), "JobsPerSet=0")), jobs);
    const std::string header = "arrival,duration,demand_0,demand_1\n";
    for (const auto& [rows, words] :
         std::vector<std::pair<std::string, std::string>>{{"5,1,1,1\n4,1,1,1\n", ":3: found '4'"},
                                                          {"5,0,1,1\n", "found '0'"},
                                                          {"5,1,1\n", "4 columns"},
                                                          {"5,1,-1,1\n", "found '-1'"},
                                                          {"5,1,1,32768\n", "found '32768'"},
                                                          {"5,1,0,0\n", "a demand above 0"}})
    {
        EXPECT_TRUE(Has(GetComplaint(*Open(Write(header + rows), "JobsPerSet=0")), words));
    }
    for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
             {"arrival\n", "a header with a column duration; odcn-convert-trace converts"},
             {"", "'an empty file'"},
             {header, "at least one job"}})
    {
        EXPECT_TRUE(Has(GetComplaint(*Open(Write(text), "JobsPerSet=0")), words));
        EXPECT_THROW(Open(Write(text), "JobsPerSet=0")->NextSet(), OdcnError);
    }
    EXPECT_TRUE(Has(GetComplaint(*Open(In("absent"), "JobsPerSet=0")), "cannot be read"));
}

TEST_F(ClusterJobFileTest, ReadsCompressedFiles)
{
    // gzip -n of "arrival,duration,demand_0\n0,2,5\n"
    static const unsigned char DATA[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x2c, 0x2a,
        0xca, 0x2c, 0x4b, 0xcc, 0xd1, 0x49, 0x29, 0x2d, 0x4a, 0x2c, 0xc9, 0xcc, 0xcf,
        0xd3, 0x49, 0x49, 0xcd, 0x4d, 0xcc, 0x4b, 0x89, 0x37, 0xe0, 0x32, 0xd0, 0x31,
        0xd2, 0x31, 0xe5, 0x02, 0x00, 0x9c, 0xc4, 0x16, 0x51, 0x20, 0x00, 0x00, 0x00};
    const std::string text(reinterpret_cast<const char*>(DATA), sizeof(DATA));
    const std::string path = Write(text);
    const std::string complaint = GetComplaint(*Open(path, "JobsPerSet=0"));
    if (complaint.find("without zlib") != std::string::npos)
    {
        GTEST_SKIP();
    }
    EXPECT_EQ(complaint, "");
    EXPECT_EQ(GetSet(*Open(path, "JobsPerSet=0")), (std::vector<ClusterJob>{{0, 0, 2, {5}}}));
    // Truncated, and with a flipped bit.
    EXPECT_TRUE(Has(GetComplaint(*Open(Write(text.substr(0, text.size() - 12)), "JobsPerSet=0")),
                    "damaged"));
    std::string turned = text;
    turned[turned.size() - 8] ^= 1;
    EXPECT_TRUE(Has(GetComplaint(*Open(Write(turned), "JobsPerSet=0")), "damaged"));
}

} // namespace
