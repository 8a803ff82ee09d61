// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-alibaba-jobs.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;
using Report = AlibabaReport;

namespace
{

const std::string FIXTURE = "test/data/alibaba-batch-task-random50.csv";

/// @param report a report  @return rows skipped for any reason
uint64_t
Skipped(const Report& report)
{
    return std::accumulate(report.rowsSkipped.begin(), report.rowsSkipped.end(), uint64_t{0});
}

/// A temporary file of each test.
class OdcnAlibabaJobsTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    /// @param text content of the file  @return a source that reads it without scaling
    Ptr<OdcnAlibabaJobs> Raw(const std::string& text)
    {
        std::ofstream(m_path, std::ios::binary) << text;
        auto jobs = CreateObject<OdcnAlibabaJobs>();
        jobs->AssignStreams(1);
        jobs->SetFileName(m_path);
        jobs->SetAttribute("MeanInterArrival", DoubleValue(0));
        jobs->SetAttribute("OfferedCores", DoubleValue(0));
        return jobs;
    }

    /// @param jobs source  @return all its jobs
    static std::vector<OdcnJob> All(const Ptr<OdcnAlibabaJobs>& jobs)
    {
        std::vector<OdcnJob> all;
        OdcnJob job;
        while (jobs->Next(job))
        {
            all.push_back(job);
        }
        return all;
    }

    /// @param job a job  @return its senders and receivers
    static std::set<std::pair<uint32_t, uint32_t>> Pairs(const OdcnJob& job)
    {
        std::set<std::pair<uint32_t, uint32_t>> pairs;
        for (const OdcnDemand& demand : job.demands)
        {
            EXPECT_TRUE(pairs.insert({demand.from, demand.to}).second);
            EXPECT_NE(demand.from, demand.to);
            EXPECT_LT(demand.from, job.vms.size());
            EXPECT_LT(demand.to, job.vms.size());
            EXPECT_GE(demand.rate, GbpsToBitRate(6));
            EXPECT_LE(demand.rate, GbpsToBitRate(8));
        }
        return pairs;
    }

    std::string m_path = testing::TempDir() + "odcn-alibaba-" + std::to_string(::getpid()) + "-" +
                         testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(OdcnAlibabaJobsTest, MapsTasksToVms)
{
    // Task 1 is the smallest, so it is last after sorting; 2 and 3 read from it, 4 from both.
    auto jobs = Raw("M1,1,j,,Terminated,100,110,50,0.5\n"
                    "R2_1,2,j,,Terminated,110,130,100,1\n"
                    "R3_1,3,j,,Terminated,110,125,100,1\n"
                    "J4_2_3_Stg7,100,j,,Terminated,130,140,100,1\n");
    const auto all = All(jobs);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].arrival, 0);
    EXPECT_EQ(all[0].duration, 40);
    // 1 % of 256 GB an instance; 20 GB of disk a core; the last one limited to 16 cores and 122 GB.
    EXPECT_EQ(all[0].vms,
              (std::vector<OdcnResources>{OdcnResources::Of(16, 122, 320),
                                          OdcnResources::Of(3, 7.68, 60),
                                          OdcnResources::Of(2, 5.12, 40),
                                          OdcnResources::Of(0.5, 1.28, 10)}));
    EXPECT_EQ(Pairs(all[0]),
              (std::set<std::pair<uint32_t, uint32_t>>{{3, 2}, {3, 1}, {2, 0}, {1, 0}}));
    EXPECT_EQ(jobs->GetReport().vmsCapped, 1u);
    EXPECT_EQ(jobs->GetReport().rowsUsed, 4u);
}

TEST_F(OdcnAlibabaJobsTest, MapsInstancesToVms)
{
    auto jobs = Raw("M1,2,j,,Terminated,100,110,100,1\n"
                    "R2_1,50,j,,Terminated,110,130,50,1\n");
    jobs->SetAttribute("VmMapping", StringValue("instance"));
    jobs->SetAttribute("MaxInstances", UintegerValue(4));
    const auto all = All(jobs);
    ASSERT_EQ(all.size(), 1u);
    const auto large = OdcnResources::Of(1, 2.56, 20);
    const auto small = OdcnResources::Of(0.5, 2.56, 10);
    EXPECT_EQ(all[0].vms, (std::vector<OdcnResources>{large, large, small, small, small, small}));
    EXPECT_EQ(Pairs(all[0]),
              (std::set<std::pair<uint32_t, uint32_t>>{{0, 2}, {1, 3}, {0, 4}, {1, 5}}));
}

TEST_F(OdcnAlibabaJobsTest, DrawsAPatternInstead)
{
    auto jobs = Raw("M1,1,j,,Terminated,100,110,100,1\n"
                    "M2,1,j,,Terminated,100,110,100,1\n"
                    "task_Abc1,1,j,,Terminated,100,110,100,1\n");
    EXPECT_EQ(All(jobs).at(0).demands.size(), 0u);
    jobs->SetFileName(m_path);
    jobs->SetAttribute("Communication", StringValue("full-mesh"));
    EXPECT_EQ(Pairs(All(jobs).at(0)).size(), 6u);
    EXPECT_THROW(jobs->SetAttribute("Communication", StringValue("dags")), OdcnError);
    EXPECT_THROW(jobs->SetAttribute("VmMapping", StringValue("job")), OdcnError);
}

TEST_F(OdcnAlibabaJobsTest, CountsEachReason)
{
    const std::string good = "M1,1,good,,Terminated,100,110,100,1\n";
    const std::vector<std::tuple<std::string, Report::Reason, uint64_t>> cases{
        {"M1,1,j,,Failed,100,110,100,1\n", Report::NOT_TERMINATED, 1},
        {"M1,,j,,Running,0,0,,\n", Report::NOT_TERMINATED, 1},
        {"M1,,j,,Terminated,100,110,100,1\n", Report::NO_INSTANCES, 1},
        {"M1,0,j,,Terminated,100,110,100,1\n", Report::NO_INSTANCES, 1},
        {"M1,1,j,,Terminated,100,110,,1\n", Report::NO_CPU, 1},
        {"M1,1,j,,Terminated,100,110,0,1\n", Report::NO_CPU, 1},
        {"M1,1,j,,Terminated,100,110,100,\n", Report::NO_MEMORY, 1},
        {"M1,1,j,,Terminated,0,110,100,1\n", Report::NO_TIME, 1},
        {"M1,1,j,,Terminated,100,,100,1\n", Report::NO_TIME, 1},
        {"M1,1,j,,Terminated,100,-1,100,1\n", Report::NO_TIME, 1},
        {"M1,1,j,,Terminated,100,99,100,1\n", Report::ENDS_EARLY, 1},
        {",1,j,,Terminated,100,110,100,1\n", Report::BAD_NAME, 1},
        {"M1_1,1,j,,Terminated,100,110,100,1\n", Report::BAD_NAME, 1},
        {"M1,1,j,,Terminated,100,110,100,1\nR1_2,1,j,,Terminated,100,110,100,1\n",
         Report::BAD_NAME,
         1},
        {"M1,1,j,,Terminated,100,110,100,1\nR1_2,1,j,,Terminated,100,110,100,1\n",
         Report::JOB_INCOMPLETE,
         1},
        {"M1,1,j,,Terminated,100,110,100,1\nM2,1,j,,Failed,1,1,1,1\n", Report::JOB_INCOMPLETE, 1},
        {"M1,1,j,,Terminated,100,100,100,1\nM2,1,j,,Terminated,100,100,100,1\n",
         Report::NO_DURATION,
         2},
    };
    for (const auto& [rows, reason, count] : cases)
    {
        auto jobs = Raw(rows + good);
        const Report& report = jobs->GetReport();
        EXPECT_EQ(report.rowsSkipped[reason], count) << rows;
        EXPECT_EQ(report.rowsUsed, 1u) << rows;
        EXPECT_EQ(report.rowsRead, report.rowsUsed + Skipped(report)) << rows;
        EXPECT_EQ(report.jobsRead, 2u) << rows;
        EXPECT_EQ(report.jobsUsed, 1u) << rows;
        EXPECT_EQ(All(jobs).size(), 1u) << rows;
        std::ostringstream text;
        report.Print(text);
        EXPECT_NE(text.str().find(std::to_string(count) + " skipped: " + Report::GetName(reason)),
                  std::string::npos);
    }
}

TEST_F(OdcnAlibabaJobsTest, KeepsTheLimitsOnVms)
{
    const std::string text = "M1,1,one,,Terminated,100,110,100,1\n"
                             "M1,1,two,,Terminated,100,110,100,1\n"
                             "M2,1,two,,Terminated,100,110,100,1\n"
                             "M1,1,three,,Terminated,100,110,100,1\n"
                             "M2,1,three,,Terminated,100,110,100,1\n"
                             "R9_8,1,three,,Terminated,100,110,100,1\n";
    auto jobs = Raw(text);
    EXPECT_EQ(jobs->GetReport().absentTasks, 1u);
    jobs = Raw(text);
    jobs->SetAttribute("MinVms", UintegerValue(2));
    jobs->SetAttribute("MaxVms", UintegerValue(2));
    EXPECT_EQ(jobs->GetReport().rowsSkipped[Report::TOO_FEW_VMS], 1u);
    EXPECT_EQ(jobs->GetReport().rowsSkipped[Report::TOO_MANY_VMS], 3u);
    EXPECT_EQ(jobs->GetReport().absentTasks, 0u);
    EXPECT_EQ(All(jobs).at(0).vms.size(), 2u);
}

TEST_F(OdcnAlibabaJobsTest, ReadsColumnsByHeader)
{
    auto jobs = Raw("plan_mem,plan_cpu,start_time,end_time,more,status,job_name,instance_num,"
                    "task_name\r\n"
                    "1,200,5,7,x,Terminated,j,1,M1\r\n"
                    "1,100,8,9,,Terminated,k,1,M1");
    const auto all = All(jobs);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].vms, (std::vector<OdcnResources>{OdcnResources::Of(2, 2.56, 40)}));
    EXPECT_EQ(all[1].arrival, 3);
    EXPECT_EQ(jobs->GetReport().rowsRead, 2u);
    EXPECT_THROW(Raw("task_name,job_name\nM1,j\n")->GetReport(), OdcnError);
}

TEST_F(OdcnAlibabaJobsTest, RefusesMalformedRowsWithTheirLine)
{
    const std::string good = "M1,1,good,,Terminated,100,110,100,1\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"M1,1,j,,Terminated,100,110,100", "M1,1,j,,Terminated,100,110,100"},
        {"", ""},
        {"M1,1,,,Terminated,100,110,100,1", ""},
        {"M1,x,j,,Terminated,100,110,100,1", "x"},
        {"M1,-1,j,,Terminated,100,110,100,1", "-1"},
        {"M1,1,j,,Terminated,1x,110,100,1", "1x"},
        {"M1,1,j,,Terminated,100,inf,100,1", "inf"},
        {"M1,1,j,,Terminated,100,110,nan,1", "nan"},
        {"M1,1,j,,Terminated,100,110,-100,1", "-100"},
        {"M1,1,j,,Terminated,100,110,100,-1", "-1"},
        {"M1,1,j,,Terminated,100,110,100,101", "101"},
    };
    for (const auto& [row, value] : cases)
    {
        const std::string text = good + row + "\n";
        try
        {
            Raw(text)->GetReport();
            ADD_FAILURE() << "accepted: " << row;
        }
        catch (const OdcnError& e)
        {
            const std::string start = m_path + ":2: found '" + value + "', expected ";
            EXPECT_EQ(std::string(e.what()).substr(0, start.size()), start);
        }
        auto jobs = Raw(text);
        jobs->SetAttribute("SkipMalformed", BooleanValue(true));
        EXPECT_EQ(jobs->GetReport().rowsSkipped[Report::MALFORMED], 1u) << row;
        EXPECT_EQ(jobs->GetReport().rowsUsed, 1u) << row;
    }
    EXPECT_THROW(Raw("")->GetReport(), OdcnError);
    EXPECT_THROW(Raw("M1,1,j,,Failed,100,110,100,1\n")->GetReport(), OdcnError);
    auto missing = CreateObject<OdcnAlibabaJobs>();
    OdcnJob job;
    EXPECT_THROW(missing->Next(job), OdcnError);
}

TEST_F(OdcnAlibabaJobsTest, AccountsForEveryRowOfRealData)
{
    auto jobs = CreateObject<OdcnAlibabaJobs>();
    jobs->AssignStreams(1);
    jobs->SetFileName(FIXTURE);
    const Report& report = jobs->GetReport();
    EXPECT_EQ(report.rowsRead, 197u);
    EXPECT_EQ(report.rowsRead, report.rowsUsed + Skipped(report));
    EXPECT_EQ(report.rowsSkipped[Report::NOT_TERMINATED], 2u);
    EXPECT_EQ(report.rowsSkipped[Report::NO_DURATION], 3u);
    EXPECT_EQ(report.jobsRead, 50u);
    EXPECT_EQ(report.jobsUsed, 47u);

    const auto all = All(jobs);
    ASSERT_EQ(all.size(), report.jobsUsed);
    uint64_t vms = 0;
    double work = 0;
    double inWindow = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const OdcnJob& job = all[i];
        EXPECT_EQ(job.id, i);
        EXPECT_GE(job.arrival, i > 0 ? all[i - 1].arrival : 0);
        EXPECT_GT(job.duration, 0);
        Pairs(job);
        vms += job.vms.size();
        for (const OdcnResources& vm : job.vms)
        {
            work += vm.Cores() * job.duration;
            inWindow += vm.Cores() * std::min(job.duration, all.back().arrival - job.arrival);
        }
    }
    EXPECT_EQ(vms, report.vms);
    // One arrival a unit, and Little's law.
    EXPECT_NEAR(all.back().arrival, 46, 1e-9);
    EXPECT_NEAR(work / 47, 13299, 1e-6);
    EXPECT_NEAR(report.offeredCpu, 13299, 1e-6);
    EXPECT_NEAR(report.offeredInWindow, inWindow / 46, 1e-6);
}

TEST_F(OdcnAlibabaJobsTest, ScalingKeepsTheShape)
{
    auto raw = CreateObject<OdcnAlibabaJobs>();
    raw->SetFileName(FIXTURE);
    raw->SetAttribute("MeanInterArrival", DoubleValue(0));
    raw->SetAttribute("OfferedCores", DoubleValue(0));
    auto scaled = CreateObject<OdcnAlibabaJobs>();
    scaled->SetFileName(FIXTURE);
    scaled->SetAttribute("MeanInterArrival", DoubleValue(2));
    scaled->SetAttribute("OfferedCores", DoubleValue(100));
    const auto before = All(raw);
    const auto after = All(scaled);
    ASSERT_EQ(before.size(), after.size());
    const Report& report = scaled->GetReport();
    EXPECT_EQ(raw->GetReport().arrivalFactor, 1);
    EXPECT_EQ(raw->GetReport().durationFactor, 1);
    EXPECT_NEAR(report.offeredCpu, 100, 1e-9);
    EXPECT_NEAR(after.back().arrival, 2 * 46, 1e-9);
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        EXPECT_NEAR(after[i].arrival, before[i].arrival * report.arrivalFactor, 1e-9);
        EXPECT_NEAR(after[i].duration, before[i].duration * report.durationFactor, 1e-9);
        EXPECT_EQ(after[i].vms, before[i].vms);
    }
    auto once = Raw("M1,1,j,,Terminated,100,110,100,1\n");
    once->SetAttribute("MeanInterArrival", DoubleValue(1));
    EXPECT_THROW(once->GetReport(), OdcnError);
}

TEST_F(OdcnAlibabaJobsTest, Repeats)
{
    auto jobs = CreateObject<OdcnAlibabaJobs>();
    jobs->AssignStreams(1);
    jobs->SetFileName(FIXTURE);
    jobs->SetAttribute("Repeat", UintegerValue(3));
    const auto all = All(jobs);
    ASSERT_EQ(all.size(), 3 * 47u);
    for (std::size_t i = 47; i < all.size(); ++i)
    {
        EXPECT_EQ(all[i].id, i);
        EXPECT_NEAR(all[i].arrival, all[i - 47].arrival + 47, 1e-9);
        EXPECT_GE(all[i].arrival, all[i - 1].arrival);
        EXPECT_EQ(all[i].duration, all[i - 47].duration);
        EXPECT_EQ(all[i].vms, all[i - 47].vms);
    }
    auto again = CreateObject<OdcnAlibabaJobs>();
    again->AssignStreams(1);
    again->SetFileName(FIXTURE);
    again->SetAttribute("Repeat", UintegerValue(0));
    OdcnJob job;
    for (std::size_t i = 0; i < 1000; ++i)
    {
        ASSERT_TRUE(again->Next(job));
        if (i < all.size())
        {
            EXPECT_EQ(job, all[i]);
        }
    }
}

TEST_F(OdcnAlibabaJobsTest, SurvivesDamage)
{
    std::ostringstream whole;
    whole << std::ifstream(FIXTURE, std::ios::binary).rdbuf();
    ASSERT_GT(whole.str().size(), 1000u);
    std::mt19937_64 random(5);
    for (int i = 0; i < 300; ++i)
    {
        std::string text = whole.str();
        for (int k = 0; k < 5; ++k)
        {
            const std::size_t at = random() % text.size();
            if (random() % 2)
            {
                text[at] = static_cast<char>(random());
            }
            else
            {
                text.erase(at, random() % 30);
            }
        }
        auto jobs = Raw(text);
        jobs->SetAttribute("SkipMalformed", BooleanValue(true));
        const Report& report = jobs->GetReport();
        EXPECT_EQ(report.rowsRead, report.rowsUsed + Skipped(report));
        EXPECT_EQ(All(jobs).size(), report.jobsUsed);
    }
}

} // namespace
