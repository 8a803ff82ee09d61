// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs, requests and tasks from the columns of any CSV file, for each system.
 */

#include "ns3/cluster-trace.h"
#include "ns3/double.h"
#include "ns3/icci-task-generator.h"
#include "ns3/icci-tide.h"
#include "ns3/odcn-column-jobs.h"
#include "ns3/odcn-column-reader.h"
#include "ns3/odcn-error.h"
#include "ns3/rddc-request-file.h"
#include "ns3/string.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @return name of a temporary file of this process
std::string
Path()
{
    return testing::TempDir() + "odcn-columns-" + std::to_string(::getpid()) + ".csv";
}

/// Removes that file at the end.
class ColumnFileGuard : public testing::Environment
{
  public:
    void TearDown() override
    {
        std::remove(Path().c_str());
    }
};

[[maybe_unused]] const auto* const g_guard =
    testing::AddGlobalTestEnvironment(new ColumnFileGuard());

/// @param text of the file  @return its name
std::string
Write(const std::string& text)
{
    std::ofstream(Path()) << text;
    return Path();
}

/// @param call throws  @return the error, with FILE in place of the file name
std::string
Refusal(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const OdcnError& error)
    {
        std::string text = error.what();
        const auto at = text.find(Path());
        return at == std::string::npos ? text : text.replace(at, Path().size(), "FILE");
    }
    return "";
}

/// @param text of a file  @param map of its columns  @return a (required) and b (default 7), by row
std::vector<std::vector<double>>
ReadAll(const std::string& text, const std::string& map)
{
    ColumnReader reader(Write(text), map, {{"a", {}}, {"b", 7.0}});
    std::vector<std::vector<double>> rows;
    while (reader.NextRow())
    {
        rows.emplace_back();
        reader.Read(rows.back());
    }
    return rows;
}

using Rows = std::vector<std::vector<double>>;

} // namespace

TEST(ColumnReader, EvaluatesExpressions)
{
    EXPECT_EQ(ReadAll("b,a\n1,2\n3,4\n", ""), (Rows{{2, 1}, {4, 3}}));
    EXPECT_EQ(ReadAll("x,y z,w\n1,2,5\n3,4,6\n", "a=y z,b=w - x"), (Rows{{2, 4}, {4, 3}}));
    EXPECT_EQ(ReadAll("x,y\n8,2\n", "a=x/y*3-1+y*x/4, b = 2e-1*x"), (Rows{{15, 1.6}}));
    EXPECT_EQ(ReadAll("x\n3\n", "a=0-x"), (Rows{{-3, 7}}));
}

TEST(ColumnReader, TakesTheOtherValueWhereThereIsNone)
{
    EXPECT_EQ(ReadAll("a\n1\n", ""), (Rows{{1, 7}}));
    EXPECT_EQ(ReadAll("a,b\n1,\n2,NaN\n3,4\n", ""), (Rows{{1, 7}, {2, 7}, {3, 4}}));
    EXPECT_EQ(ReadAll("a,x\n1,\n", "b=x+1"), (Rows{{1, 7}}));
}

TEST(ColumnReader, RefusesInOneLine)
{
    const auto refusal = [](const std::string& text, const std::string& map)
    { return Refusal([&] { ReadAll(text, map); }); };
    EXPECT_EQ(refusal("a\n1\n", "c=a"),
              "Columns: found 'c=a', expected QUANTITY=EXPRESSION with one of a, b");
    EXPECT_EQ(refusal("a\n1\n", "a"),
              "Columns: found 'a', expected QUANTITY=EXPRESSION with one of a, b");
    EXPECT_EQ(refusal("a\n1\n", "a=a,a=1"), "Columns: found 'a=1', expected each quantity once");
    EXPECT_EQ(refusal("a\n1\n", "a=a*"),
              "Columns: found 'a*', expected columns and numbers joined by +, -, * and /");
    EXPECT_EQ(refusal("x\n1\n", ""), "FILE:1: found 'x', expected a header with a column a");
    EXPECT_EQ(refusal("x\n1\n", "a=y"), "FILE:1: found 'x', expected a header with a column y");
    EXPECT_EQ(refusal("", ""), "FILE: found 'an empty file', expected a header");
    EXPECT_EQ(refusal("a\n1\n2,3\n", ""), "FILE:3: found '2,3', expected 1 columns");
    EXPECT_EQ(refusal("a\nmany\n", ""),
              "FILE:2: found 'many', expected in column a nothing, or a number");
    EXPECT_EQ(refusal("a,b\n,1\n", ""), "FILE:2: found ',1', expected a value of a");
    EXPECT_EQ(refusal("a\n0\n", "a=1/a"), "FILE:2: found '0', expected a finite value of a");
    ColumnReader reader(Write("a\nx\n5\n"), "", {{"a", {}}}, true);
    std::vector<double> values;
    ASSERT_TRUE(reader.NextRow());
    EXPECT_FALSE(reader.Read(values)) << "skipped";
    ASSERT_TRUE(reader.NextRow());
    EXPECT_TRUE(reader.Read(values));
    EXPECT_FALSE(reader.NextRow());
}

TEST(ColumnJobs, AreRowsOfEqualVms)
{
    auto jobs = CreateObject<OdcnColumnJobs>();
    jobs->SetAttribute("FileName",
                       StringValue(Write("submit,start,end,cpu,n,gb\n0,10,70,400,3,0.5\n"
                                         "60,90,100,50,0.2,8\n")));
    jobs->SetAttribute("Columns",
                       StringValue("arrival=submit/60,duration=end/60-start/60,cores=cpu/100,"
                                   "vms=n,memory=gb"));
    jobs->SetAttribute("DemandGbps", StringValue("ns3::ConstantRandomVariable[Constant=2]"));
    for (int pass = 0; pass < 2; ++pass)
    {
        EXPECT_EQ(jobs->AssignStreams(1), 3);
        OdcnJob job;
        ASSERT_TRUE(jobs->Next(job));
        EXPECT_EQ(job.id, 0);
        EXPECT_EQ(job.arrival, 0);
        EXPECT_NEAR(job.duration, 1, 1e-12);
        EXPECT_EQ(job.vms, std::vector<OdcnResources>(3, OdcnResources::Of(4, 0.5, 0)));
        ASSERT_EQ(job.demands.size(), 3) << "a ring";
        EXPECT_EQ(job.demands[0].rate, 2'000'000'000);
        ASSERT_TRUE(jobs->Next(job));
        EXPECT_EQ(job.arrival, 1);
        EXPECT_EQ(job.vms, std::vector<OdcnResources>(1, OdcnResources::Of(0.5, 8, 0)));
        EXPECT_TRUE(job.demands.empty());
        EXPECT_FALSE(jobs->Next(job));
    }
}

TEST(ColumnJobs, RefuseWhatIsNoJob)
{
    const auto refusal = [](const std::string& row)
    {
        auto jobs = CreateObject<OdcnColumnJobs>();
        jobs->SetAttribute("FileName",
                           StringValue(Write("arrival,duration,vms,cores\n5,1,2,4\n" + row)));
        OdcnJob job;
        return Refusal(
            [&]
            {
                while (jobs->Next(job))
                {
                }
            });
    };
    EXPECT_EQ(refusal("5,1,2,4\n"), "");
    EXPECT_EQ(refusal("4,1,2,4\n"),
              "FILE:3: found '4', expected 0 or more and no less than the row above as arrival");
    EXPECT_EQ(refusal("5,0,2,4\n"), "FILE:3: found '0', expected more than 0 as duration");
    EXPECT_EQ(refusal("5,1,0,4\n"), "FILE:3: found '0', expected 1 to 10^6 VMs as vms");
    EXPECT_EQ(refusal("5,1,2,-4\n"), "FILE:3: found '-4', expected 0 to 10^9 as cores");
    EXPECT_EQ(refusal("5,1,2,0\n"),
              "FILE:3: found '0', expected a thousandth of a core or more as cores");
    auto empty = CreateObject<OdcnColumnJobs>();
    empty->SetAttribute("FileName", StringValue(Write("arrival,duration,cores\n")));
    OdcnJob job;
    EXPECT_EQ(Refusal([&] { empty->Next(job); }),
              "FILE: found 'the end of the file', expected at least one job");
    EXPECT_THROW(empty->SetPattern("knot"), OdcnError);
}

TEST(RequestFile, ReadsPlainRequestsAndMappedColumns)
{
    auto file = CreateObject<RddcRequestFile>();
    file->SetAttribute("FileName",
                       StringValue(Write("gap,cpu,memory,holding\n0.5,4,8,2.5\n1,0,3,1\n")));
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
    auto mapped = CreateObject<RddcRequestFile>();
    mapped->SetAttribute("FileName", StringValue(Write("t0,t1,c\n100,130,8\n160,190,16\n")));
    mapped->SetAttribute("Columns", StringValue("arrival=t0/10,cpu=c/4,holding=t1-t0"));
    RddcRequest request;
    ASSERT_TRUE(mapped->Next(request));
    EXPECT_EQ(request, (RddcRequest{0, 0, 2, 0, 30}));
    ASSERT_TRUE(mapped->Next(request));
    EXPECT_EQ(request, (RddcRequest{1, 6, 4, 0, 30}));
}

TEST(RequestFile, RefusesWhatIsNoRequest)
{
    const auto refusal = [](const std::string& header, const std::string& row)
    {
        auto file = CreateObject<RddcRequestFile>();
        file->SetAttribute("FileName", StringValue(Write(header + "\n" + row)));
        RddcRequest request;
        return Refusal(
            [&]
            {
                while (file->Next(request))
                {
                }
            });
    };
    const std::string header = "gap,cpu,memory,holding";
    EXPECT_EQ(refusal(header, "0,1,0,1\n"), "");
    EXPECT_EQ(refusal(header, ""),
              "FILE: found 'the end of the file', expected at least one request");
    EXPECT_EQ(refusal(header, "-1,1,1,1\n"), "FILE:2: found '-1', expected 0 or more as gap");
    EXPECT_EQ(refusal(header, "1,1.5,1,1\n"),
              "FILE:2: found '1.5', expected whole units from 0 to 10^9 as cpu");
    EXPECT_EQ(refusal(header, "1,1,-1,1\n"),
              "FILE:2: found '-1', expected whole units from 0 to 10^9 as memory");
    EXPECT_EQ(refusal(header, "1,0,0,1\n"),
              "FILE:2: found '0', expected more than 0 of cpu or memory as cpu");
    EXPECT_EQ(refusal(header, "1,1,1,0\n"), "FILE:2: found '0', expected more than 0 as holding");
    EXPECT_EQ(refusal("arrival,cpu,holding", "5,1,1\n4,1,1\n"),
              "FILE:3: found '4', expected a time not before that of the row above as arrival");
}

TEST(ClusterTraceColumns, AreMapped)
{
    auto trace = CreateObject<ClusterTrace>();
    trace->SetAttribute("FileName",
                        StringValue(Write("id,from,to,procs\n1,60,180,2\n2,120,130,400\n")));
    trace->SetAttribute("Format", StringValue("columns"));
    trace->SetAttribute("Columns", StringValue("arrival=from,duration=to-from,cpu=procs/2"));
    trace->SetAttribute("TimeUnit", DoubleValue(60));
    trace->NextSet();
    ClusterJob job;
    ASSERT_TRUE(trace->Next(job));
    EXPECT_EQ(job, (ClusterJob{0, 0, 2, {1, 0}}));
    ASSERT_TRUE(trace->Next(job));
    EXPECT_EQ(job, (ClusterJob{1, 1, 1, {10, 0}})) << "cut to MaxUnits";
    EXPECT_FALSE(trace->Next(job));
}

TEST(TaskFile, GivesDaysAndLeavesTheRestToBeDrawn)
{
    auto tasks = CreateObject<IcciTaskGenerator>();
    tasks->SetAttribute(
        "FileName",
        StringValue(Write("day,hour,gb,source\n1,5,800,2\n1,4,900,\n3,0.5,700,0\n")));
    tasks->SetAttribute("Columns", StringValue("arrival=hour,data=gb"));
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
    tasks->SetAttribute("FileName", StringValue(Write("arrival,source\n5,7\n")));
    tasks->SetAttribute("Columns", StringValue(""));
    tasks->AssignStreams(1);
    EXPECT_EQ(Refusal([&] { tasks->Draw(5); }),
              "FILE:2: found '7', expected a whole number from 0 to 4 as source");
    tasks->SetAttribute("FileName", StringValue(Write("arrival\n")));
    tasks->AssignStreams(1);
    EXPECT_EQ(Refusal([&] { tasks->Draw(5); }),
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
    const double before = built->GetProfile(IcciArea::BUSINESS, 12.5 * 3600);
    tide->SetAttribute("Profiles", StringValue(Write(text)));
    EXPECT_NEAR(tide->GetProfile(IcciArea::BUSINESS, 12.5 * 3600), 0.5, 1e-6)
        << "middle of hour 12";
    EXPECT_NEAR(tide->GetProfile(IcciArea::BUSINESS, 13 * 3600), 0.5 + 0.5 / 24, 1e-6);
    EXPECT_EQ(tide->GetProfile(IcciArea::RESIDENTIAL, 0), 0.5);
    EXPECT_EQ(tide->GetProfile(IcciArea::OTHER, 7000), 1);
    EXPECT_EQ(tide->GetProfile(IcciArea::BUSINESS, 1800), 0.15) << "the floor";
    // clang-format off
    const auto refusal = [&](const std::string& rows) {
        return Refusal([&]
                       { tide->SetProfiles(Write("hour,business,residential,other\n" + rows)); });
    };
    // clang-format on
    EXPECT_EQ(refusal("0,1,1,1\n"),
              "FILE:2: found 'the end of the file', expected all hours from 0 to 23");
    EXPECT_EQ(refusal("0,1,1,1\n0,1,1,1\n"), "FILE:3: found '0', expected each hour once");
    EXPECT_EQ(refusal("24,1,1,1\n"),
              "FILE:2: found '24', expected in column hour a whole number from 0 to 23");
    EXPECT_EQ(refusal("0,1,1.5,1\n"),
              "FILE:2: found '1.5', expected in column residential a number from 0 to 1");
    EXPECT_EQ(tide->GetProfile(IcciArea::RESIDENTIAL, 0), 0.5) << "as before";
    tide->SetProfiles("");
    EXPECT_EQ(tide->GetProfile(IcciArea::BUSINESS, 12.5 * 3600), before);
}
