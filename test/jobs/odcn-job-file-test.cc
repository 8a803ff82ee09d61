// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-folder-test.h"

#include "ns3/double.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-job-generator.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string COLUMNS = "job,arrival,duration,vms,demands";
const std::string HEADER = COLUMNS + "\n";

/// A temporary file of each test.
class OdcnJobFileTest : public FolderTest
{
  protected:
    /// @param text content of the file  @return the jobs in it
    std::vector<OdcnJob> Read(const std::string& text)
    {
        FolderTest::Write(text);
        return ReadBack();
    }

    /// @return the jobs in the file
    std::vector<OdcnJob> ReadBack()
    {
        auto file = CreateObject<OdcnJobFile>();
        file->SetAttribute("FileName", StringValue(m_path));
        std::vector<OdcnJob> jobs;
        OdcnJob job;
        while (file->Next(job))
        {
            jobs.push_back(job);
        }
        EXPECT_EQ(file->Examine().jobs, jobs.size());
        return jobs;
    }

    /// @param jobs jobs to write
    void Write(const std::vector<OdcnJob>& jobs)
    {
        OdcnJobFileWriter writer(m_path);
        for (const OdcnJob& job : jobs)
        {
            writer.Write(job);
        }
        writer.Commit();
    }
};

TEST_F(OdcnJobFileTest, ReadsTheDocumentedForm)
{
    const auto jobs =
        Read(HEADER + "0,0.25,66,16:32:320|4:15:80,0>1:6.5|1>0:7.25\n" + "5,0.25,1e-3,0.5:1:0,\n");
    ASSERT_EQ(jobs.size(), 2u);
    EXPECT_EQ(jobs[0],
              (OdcnJob{0,
                       0.25,
                       66,
                       {OdcnResources::Of(16, 32, 320), OdcnResources::Of(4, 15, 80)},
                       {{0, 1, 6500000000}, {1, 0, 7250000000}}}));
    EXPECT_EQ(jobs[1], (OdcnJob{5, 0.25, 0.001, {OdcnResources::Of(0.5, 1, 0)}, {}}));
}

TEST_F(OdcnJobFileTest, ArrivalsAreScaledToALoad)
{
    FolderTest::Write(HEADER + "0,10,30,4:15:80,\n1,12,50,4:15:80,\n2,30,40,4:15:80,\n");
    auto file = CreateObject<OdcnJobFile>();
    file->SetAttribute("FileName", StringValue(m_path));
    const auto totals = file->Examine();
    EXPECT_EQ(totals.jobs, 3U);
    EXPECT_EQ(totals.span, 20);
    EXPECT_EQ(totals.duration, 120);
    EXPECT_EQ(totals.GetLoad(), 4); // 40 each, one every 10
    file->SetAttribute("ArrivalFactor", DoubleValue(0.5));
    std::vector<double> arrivals;
    for (OdcnJob job; file->Next(job);)
    {
        arrivals.push_back(job.arrival);
    }
    EXPECT_EQ(arrivals, (std::vector<double>{5, 6, 15}));
    EXPECT_EQ(OdcnJobTotals{}.GetLoad(), 0);
}

TEST_F(OdcnJobFileTest, AcceptsCrLfAndNoLastNewline)
{
    const std::string line = "0,1,2,4:15:80,";
    const auto jobs = Read(HEADER + line + "\n");
    EXPECT_EQ(Read(HEADER + line), jobs);
    EXPECT_EQ(Read(COLUMNS + "\r\n" + line + "\r\n"), jobs);
}

TEST_F(OdcnJobFileTest, RoundTripIsExact)
{
    std::vector<OdcnJob> jobs(500);
    for (const char* pattern : {"ring", "full-mesh"})
    {
        auto generator = CreateObject<OdcnJobGenerator>();
        generator->AssignStreams(3);
        generator->SetAttribute("Pattern", StringValue(pattern));
        for (OdcnJob& job : jobs)
        {
            generator->Next(job);
        }
        Write(jobs);
        EXPECT_EQ(ReadBack(), jobs);
        const std::string once = ReadText(m_path);
        Write(ReadBack());
        EXPECT_EQ(ReadText(m_path), once);
    }
}

TEST_F(OdcnJobFileTest, RoundTripOfExtremes)
{
    const std::vector<OdcnJob> jobs{
        {0, 0, std::numeric_limits<double>::denorm_min(), {OdcnResources{}}, {}},
        {1, 1. / 3, std::numeric_limits<double>::max(), {{{1, 1000000000000, 999}}}, {}},
        {UINT64_MAX,
         1e300,
         1,
         std::vector<OdcnResources>(3),
         {{0, 2, 1}, {2, 0, 1000000000000000}, {1, 2, 999999999999999}}},
    };
    Write(jobs);
    EXPECT_EQ(ReadBack(), jobs);
}

TEST_F(OdcnJobFileTest, StartsAgain)
{
    std::ofstream(m_path) << HEADER << "0,1,2,4:15:80,\n1,2,2,4:15:80,\n";
    auto file = CreateObject<OdcnJobFile>();
    file->SetFileName(m_path);
    OdcnJob job;
    EXPECT_TRUE(file->Next(job));
    EXPECT_TRUE(file->Next(job));
    EXPECT_FALSE(file->Next(job));
    EXPECT_FALSE(file->Next(job));
    file->SetFileName(m_path);
    EXPECT_TRUE(file->Next(job));
    EXPECT_EQ(job.id, 0u);
}

TEST_F(OdcnJobFileTest, NamesWhatIsWrong)
{
    // The bad line is always the third.
    const std::string good = "3,1,2,4:15:80|4:15:80,0>1:6\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"4,1,2,4:15:80", "4,1,2,4:15:80"},
        {"4,1,2,4:15:80,,", "4,1,2,4:15:80,,"},
        {"", ""},
        {"x,1,2,4:15:80,", "x"},
        {"-4,1,2,4:15:80,", "-4"},
        {"3,1,2,4:15:80,", "3"},
        {"4,0.5,2,4:15:80,", "0.5"},
        {"4,-1,2,4:15:80,", "-1"},
        {"4,nan,2,4:15:80,", "nan"},
        {"4,inf,2,4:15:80,", "inf"},
        {"4,one,2,4:15:80,", "one"},
        {"4,1,0,4:15:80,", "0"},
        {"4,1,-2,4:15:80,", "-2"},
        {"4,1,nan,4:15:80,", "nan"},
        {"4,1,inf,4:15:80,", "inf"},
        {"4,1,2,,", ""},
        {"4,1,2,4:15,", "4:15"},
        {"4,1,2,4:15:80|,", ""},
        {"4,1,2,4:-15:80,", "4:-15:80"},
        {"4,1,2,4:nan:80,", "4:nan:80"},
        {"4,1,2,4:15:80|4:15:80,0>2:6", "0>2:6"},
        {"4,1,2,4:15:80|4:15:80,2>0:6", "2>0:6"},
        {"4,1,2,4:15:80|4:15:80,-1>0:6", "-1>0:6"},
        {"4,1,2,4:15:80|4:15:80,1>1:6", "1>1:6"},
        {"4,1,2,4:15:80|4:15:80,0>1:0", "0>1:0"},
        {"4,1,2,4:15:80|4:15:80,0>1:-6", "0>1:-6"},
        {"4,1,2,4:15:80|4:15:80,0>1:nan", "0>1:nan"},
        {"4,1,2,4:15:80|4:15:80,0>1:inf", "0>1:inf"},
        {"4,1,2,4:15:80|4:15:80,0>1:1e-12", "0>1:1e-12"},
        {"4,1,2,4:15:80|4:15:80,0>1:1e30", "0>1:1e30"},
        {"4,1,2,4:15:80|4:15:80,0>1", "0>1"},
        {"4,1,2,4:15:80|4:15:80,0:1>6", "0:1>6"},
        {"4,1,2,4:15:80|4:15:80,0>1:6|", ""},
        {"4,1,2,4:15:80|4:15:80,0>1:6|1>0:6|0>1:7", "0>1"},
    };
    for (const auto& [line, value] : cases)
    {
        const std::string error = GetRefusal([&] { Read(HEADER + good + line + "\n"); });
        const std::string start = m_path + ":3: found '" + value + "', expected ";
        EXPECT_EQ(error.substr(0, start.size()), start);
    }
}

TEST_F(OdcnJobFileTest, RefusesWhatIsNoJobFile)
{
    const std::vector<std::string> texts{
        "",
        "\n",
        HEADER,
        "job,arrival,duration,demands\n0,1,2,\n",
        "0,1,2,4:15:80,\n",
        std::string(100, '\0'),
        "\xff\xfe\x00",
    };
    for (const std::string& text : texts)
    {
        EXPECT_THROW(Read(text), OdcnError) << text;
    }
    EXPECT_THROW(Read(HEADER + std::string(TextReader::MAX_LINE + 1, '1')), OdcnError);
    std::filesystem::remove(m_path);
    EXPECT_THROW(ReadBack(), OdcnError);
}

TEST_F(OdcnJobFileTest, WriterLeavesEarlierFileUntilCommit)
{
    Write({{0, 1, 2, {OdcnResources::Of(1, 1, 1)}, {}}});
    const std::string before = ReadText(m_path);
    {
        OdcnJobFileWriter writer(m_path);
        writer.Write({0, 5, 6, {OdcnResources::Of(2, 2, 2)}, {}});
    }
    EXPECT_EQ(ReadText(m_path), before);
    EXPECT_THROW(OdcnJobFileWriter("no-such-folder/jobs.csv"), OdcnError);
}

} // namespace
