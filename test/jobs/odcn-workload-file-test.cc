// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Files of requests, tasks, jobs without demands, and profiles of the tide.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/icci-task-generator.h"
#include "ns3/icci-tide.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/rddc-request-file.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const TemporaryPath g_jobFile("workload-file"); //!< the file of each test

/// @param call throws  @return the error, with FILE in place of the file name
std::string
RefusalOf(const std::function<void()>& call)
{
    std::string text = GetRefusal(call);
    const auto at = text.find(g_jobFile.path);
    return at == std::string::npos ? text : text.replace(at, g_jobFile.path.size(), "FILE");
}

} // namespace

TEST(JobsWithoutDemands, CommunicateInAPattern)
{
    auto jobs = CreateObject<OdcnJobFile>();
    jobs->SetFileName(g_jobFile.Write("job,arrival,duration,vms\n0,0,1,4:0.5:0|4:0.5:0|4:0.5:0\n"
                                      "1,1,2,0.5:8:0\n"));
    jobs->SetAttribute("DemandGbps", StringValue("ns3::ConstantRandomVariable[Constant=2]"));
    EXPECT_FALSE(jobs->HasPairs());
    for (int pass = 0; pass < 2; ++pass)
    {
        EXPECT_EQ(jobs->AssignStreams(1), 3);
        OdcnJob job;
        ASSERT_TRUE(jobs->Next(job));
        EXPECT_EQ(job.id, 0);
        EXPECT_EQ(job.arrival, 0);
        EXPECT_EQ(job.vms, std::vector<OdcnResources>(3, OdcnResources::Of(4, 0.5, 0)));
        ASSERT_EQ(job.demands.size(), 3) << "a ring";
        EXPECT_EQ(job.demands[0].rate, 2'000'000'000);
        ASSERT_TRUE(jobs->Next(job));
        EXPECT_EQ(job.arrival, 1);
        EXPECT_TRUE(job.demands.empty());
        EXPECT_FALSE(jobs->Next(job));
    }
    jobs->SetPattern("full-mesh");
    jobs->AssignStreams(1);
    OdcnJob job;
    ASSERT_TRUE(jobs->Next(job));
    EXPECT_EQ(job.demands.size(), 6);
    EXPECT_THROW(jobs->SetPattern("knot"), OdcnError);
}

TEST(JobsWithoutDemands, MayHavePairs)
{
    const std::string header = "job,arrival,duration,vms,pairs\n";
    const std::string begin = "0,0,1,4:1:1|4:1:1|4:1:1,";
    auto jobs = CreateObject<OdcnJobFile>();
    jobs->SetFileName(g_jobFile.Write(header + begin + "0>2|1>2\n" + "1" + begin.substr(1) + "\n"));
    EXPECT_TRUE(jobs->HasPairs());
    EXPECT_EQ(jobs->AssignStreams(1), 3);
    OdcnJob job;
    ASSERT_TRUE(jobs->Next(job));
    ASSERT_EQ(job.demands.size(), 2);
    EXPECT_EQ(job.demands[1].from, 1);
    EXPECT_EQ(job.demands[1].to, 2);
    EXPECT_GE(job.demands[1].rate, GbpsToBitRate(6));
    EXPECT_LE(job.demands[1].rate, GbpsToBitRate(8));
    ASSERT_TRUE(jobs->Next(job));
    EXPECT_TRUE(job.demands.empty());
    for (const char* pairs : {"0>3", "0", "0>1:6", "1>1", "0>1|0>1"})
    {
        jobs->SetFileName(g_jobFile.Write(header + begin + pairs + "\n"));
        EXPECT_THROW(jobs->Next(job), OdcnError) << pairs;
    }
    jobs->SetFileName(g_jobFile.Write("job,arrival,duration,vms,demands\n" + begin + "0>1:6\n"));
    EXPECT_EQ(jobs->AssignStreams(1), 0) << "no random numbers";
}

TEST(RequestFile, ReadsPlainRequestsAndMappedColumns)
{
    auto file = CreateObject<RddcRequestFile>();
    file->SetAttribute(
        "FileName",
        StringValue(g_jobFile.Write("gap,cpu,memory,holding\n0.5,4,8,2.5\n1,0,3,1\n")));
    for (int pass = 0; pass < 2; ++pass)
    {
        EXPECT_EQ(file->AssignStreams(1), 0);
        RddcRequest request;
        ASSERT_TRUE(file->Next(request));
        EXPECT_EQ(request, (RddcRequest{0, 0.5, 4, 8, 2.5}));
        ASSERT_TRUE(file->Next(request));
        EXPECT_EQ(request, (RddcRequest{1, 1, 0, 3, 1}));
        EXPECT_FALSE(file->Next(request));
    }
    file->SetAttribute("FileName",
                       StringValue(g_jobFile.Write("arrival,cpu,holding\n10,2,30\n16,4,30\n")));
    file->AssignStreams(1);
    RddcRequest request;
    ASSERT_TRUE(file->Next(request));
    EXPECT_EQ(request, (RddcRequest{0, 0, 2, 0, 30}));
    ASSERT_TRUE(file->Next(request));
    EXPECT_EQ(request, (RddcRequest{1, 6, 4, 0, 30}));
    file->SetAttribute("Skip", UintegerValue(1));
    file->AssignStreams(1);
    ASSERT_TRUE(file->Next(request));
    EXPECT_EQ(request, (RddcRequest{0, 0, 4, 0, 30})) << "relative to the first";
}

TEST(RequestFile, OffersALoad)
{
    auto file = CreateObject<RddcRequestFile>();
    file->SetAttribute(
        "FileName",
        StringValue(g_jobFile.Write("arrival,cpu,memory,holding\n100,2,2,20\n250,3,0,100\n"
                                    "250,0,3,10\n400,128,125,100\n")));
    Configure(file, "MeanGap=1|OfferedUnits=500");
    const auto getAll = [&file]()
    {
        file->AssignStreams(1);
        return ns3::odcn::ReadAll<RddcRequest>(*file);
    };
    const auto all = getAll();
    ASSERT_EQ(all.size(), 4);
    EXPECT_EQ(file->Count(), 4);
    double gaps = 0;
    double cpu = 0;
    double memory = 0;
    for (const auto& request : all)
    {
        gaps += request.gap / 4;
        cpu += request.cpu * request.holding / 4;
        memory += request.memory * request.holding / 4;
    }
    // The first gap is the mean of the others.
    EXPECT_NEAR(gaps, 1, 1e-12);
    EXPECT_NEAR(all[1].gap, 1.5, 1e-12);
    // CPU has the higher demand: 2 x 20 + 3 x 100 + 128 x 100 against 2 x 20 + 3 x 10 + 125 x 100.
    EXPECT_NEAR(cpu, 500, 1e-9);
    EXPECT_NEAR(memory, 500 * 12570.0 / 13140, 1e-9);
    EXPECT_NEAR(all[1].holding / all[0].holding, 5, 1e-9) << "shapes are those of the file";
    file->SetAttribute("Skip", UintegerValue(2));
    const auto rest = getAll();
    ASSERT_EQ(rest.size(), 2);
    EXPECT_EQ(file->Count(), 2);
    EXPECT_EQ(rest[0].memory, all[2].memory);
    EXPECT_EQ(rest[0].gap, all[2].gap);
    EXPECT_EQ(rest[1].gap, all[3].gap);
    EXPECT_EQ(rest[1].holding, all[3].holding);
    EXPECT_EQ(rest[1].id, 1) << "counted from where it began";
    file->SetAttribute("Skip", UintegerValue(4));
    EXPECT_EQ(getAll().size(), 0);
    file->SetAttribute("FileName", StringValue(g_jobFile.Write("gap,cpu,holding\n9,1,1\n0,1,1\n")));
    EXPECT_EQ(
        RefusalOf([&] { getAll(); }),
        "FILE: found 'arrivals that are all at the same time', expected arrivals at two times "
        "or more, or MeanGap and OfferedUnits 0");
}

TEST(RequestFile, RefusesWhatIsNoRequest)
{
    const auto refusal = [](const std::string& header, const std::string& row)
    {
        auto file = CreateObject<RddcRequestFile>();
        file->SetAttribute("FileName", StringValue(g_jobFile.Write(header + "\n" + row)));
        return RefusalOf([&] { ns3::odcn::ReadAll<RddcRequest>(*file); });
    };
    const std::string header = "gap,cpu,memory,holding";
    EXPECT_EQ(refusal(header, "0,1,0,1\n"), "");
    EXPECT_EQ(refusal(header, ""),
              "FILE: found 'the end of the file', expected at least one request");
    EXPECT_EQ(refusal(header, "-1,1,1,1\n"),
              "FILE:2: found '-1', expected in column gap a number of 0 or more");
    EXPECT_EQ(refusal(header, "1,1.5,1,1\n"),
              "FILE:2: found '1.5', expected in column cpu a whole number from 0 to 1000000000");
    EXPECT_EQ(refusal(header, "1,1,-1,1\n"),
              "FILE:2: found '-1', expected in column memory a whole number from 0 to 1000000000");
    EXPECT_EQ(refusal(header, "1,0,0,1\n"),
              "FILE:2: found '1,0,0,1', expected more than 0 of cpu or memory");
    EXPECT_EQ(refusal(header, "1,1,1,0\n"),
              "FILE:2: found '0', expected in column holding a number above 0");
    EXPECT_EQ(refusal("arrival,cpu,holding", "5,1,1\n4,1,1\n"),
              "FILE:3: found '4', expected in column arrival no less than in the row above");
    EXPECT_EQ(refusal("cpu,holding", "1,1\n"),
              "FILE:2: found '1,1', expected a header with a column arrival or gap");
    EXPECT_EQ(
        refusal("gap,cpu", "1,1\n"),
        "FILE:1: found 'gap,cpu', expected a header with a column holding; odcn-convert-trace "
        "converts other files");
}

TEST(TaskFile, GivesDaysAndLeavesTheRestToBeDrawn)
{
    auto tasks = CreateObject<IcciTaskGenerator>();
    tasks->SetAttribute("FileName",
                        StringValue(g_jobFile.Write(
                            "day,arrival,data,source\n1,5,800,2\n1,4,900,\n3,0.5,700,0\n")));
    for (int pass = 0; pass < 2; ++pass)
    {
        tasks->AssignStreams(1);
        const auto first = tasks->Draw(5);
        ASSERT_EQ(first.size(), 2);
        EXPECT_EQ(first[0].arrival, 4 * 3600) << "in order of arrival";
        EXPECT_EQ(first[0].dataGb, 900);
        EXPECT_LT(first[0].source, 5) << "drawn";
        EXPECT_EQ(first[1].source, 2);
        EXPECT_GE(first[1].parameters, 70) << "drawn";
        EXPECT_EQ(tasks->Draw(5).size(), 1);
        EXPECT_EQ(tasks->Draw(5).size(), 2) << "the first day again";
    }
    tasks->SetAttribute("FileName", StringValue(g_jobFile.Write("arrival,source\n5,7\n")));
    tasks->AssignStreams(1);
    EXPECT_EQ(RefusalOf([&] { tasks->Draw(5); }),
              "FILE:2: found '7', expected in column source a whole number from 0 to 4");
    tasks->SetAttribute("FileName", StringValue(g_jobFile.Write("arrival\n")));
    tasks->AssignStreams(1);
    EXPECT_EQ(RefusalOf([&] { tasks->Draw(5); }),
              "FILE: found 'the end of the file', expected at least one task");
}

TEST(TideProfiles, AreReadFromAFile)
{
    auto tide = CreateObject<IcciTide>();
    std::string text = "hour,business,residential,other\n";
    for (int hour = 23; hour >= 0; --hour)
    {
        text += std::to_string(hour) + "," + std::to_string(hour / 24.0) + ",0.5,1\n";
    }
    auto built = CreateObject<IcciTide>();
    const double before = built->GetProfile(OtnArea::BUSINESS, 12.5 * 3600);
    tide->SetAttribute("Profiles", StringValue(g_jobFile.Write(text)));
    EXPECT_NEAR(tide->GetProfile(OtnArea::BUSINESS, 12.5 * 3600), 0.5, 1e-6) << "middle of hour 12";
    EXPECT_NEAR(tide->GetProfile(OtnArea::BUSINESS, 13 * 3600), 0.5 + 0.5 / 24, 1e-6);
    EXPECT_EQ(tide->GetProfile(OtnArea::RESIDENTIAL, 0), 0.5);
    EXPECT_EQ(tide->GetProfile(OtnArea::OTHER, 7000), 1);
    EXPECT_EQ(tide->GetProfile(OtnArea::BUSINESS, 1800), 0.15) << "the floor";
    // clang-format off
    const auto refusal = [&](const std::string& rows) {
        return RefusalOf([&]
                       { tide->SetProfiles(g_jobFile.Write("hour,business,residential,other\n" + rows)); });
    };
    // clang-format on
    EXPECT_EQ(refusal("0,1,1,1\n"),
              "FILE:2: found 'the end of the file', expected all hours from 0 to 23");
    EXPECT_EQ(refusal("0,1,1,1\n0,1,1,1\n"),
              "FILE:3: found '0', expected in column hour each hour once");
    EXPECT_EQ(refusal("24,1,1,1\n"),
              "FILE:2: found '24', expected in column hour a whole number from 0 to 23");
    EXPECT_EQ(refusal("0,1,1.5,1\n"),
              "FILE:2: found '1.5', expected in column residential a number from 0 to 1");
    EXPECT_EQ(tide->GetProfile(OtnArea::RESIDENTIAL, 0), 0.5) << "as before";
    tide->SetProfiles("");
    EXPECT_EQ(tide->GetProfile(OtnArea::BUSINESS, 12.5 * 3600), before);
}
