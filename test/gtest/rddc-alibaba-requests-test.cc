// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/rddc-alibaba-requests.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;
using Report = AlibabaReport;

namespace
{

/// The columns that are used, among others.
const std::string REQUESTS_HEADER =
    "instance_sn,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,"
    "deletion_time\n";

/// Four usable rows, not in order, and one for each reason except MALFORMED.
const std::string REQUESTS_ROWS = REQUESTS_HEADER + "late,192,0,1000.0,400.0,400.0,500.0\n"
                                                    "first,3,0,16.0,100.0,110.0,130.0\n"
                                                    "before,64,0,320.0,,,200.0\n"
                                                    "lasts,64,0,320.0,50.0,50.0,\n"
                                                    "neither,0,1,0.0,100.0,100.0,200.0\n"
                                                    "momentary,8,0,40.0,100.0,100.0,100.0\n"
                                                    "backwards,8,0,40.0,100.0,90.0,200.0\n"
                                                    "huge,194,0,40.0,100.0,100.0,200.0\n"
                                                    "twin,4,0,0.0,250.0,250.0,350.0\n"
                                                    "other twin,0,0,17.0,250.0,250.0,260.0\n";

/// A temporary file of each test.
class RddcAlibabaRequestsTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    /// @param text content of the file  @return a source that reads it
    Ptr<RddcAlibabaRequests> Read(const std::string& text)
    {
        std::ofstream(m_path, std::ios::binary) << text;
        auto requests = CreateObject<RddcAlibabaRequests>();
        requests->AssignStreams(1);
        requests->SetAttribute("FileName", StringValue(m_path));
        return requests;
    }

    /// @param text content of the file  @return a source that reads it without scaling
    Ptr<RddcAlibabaRequests> Raw(const std::string& text)
    {
        auto requests = Read(text);
        requests->SetAttribute("MeanGap", DoubleValue(0));
        requests->SetAttribute("OfferedUnits", DoubleValue(0));
        return requests;
    }

    /// @param requests source  @return all its requests
    static std::vector<RddcRequest> All(const Ptr<RddcAlibabaRequests>& requests)
    {
        std::vector<RddcRequest> all;
        RddcRequest request;
        while (requests->Next(request))
        {
            all.push_back(request);
        }
        return all;
    }

    /// @param text content of the file  @return the error
    std::string Refusal(const std::string& text)
    {
        try
        {
            Read(text)->GetReport();
        }
        catch (const OdcnError& error)
        {
            std::string what = error.what();
            const auto at = what.find(m_path);
            return at == std::string::npos ? what : what.replace(at, m_path.size(), "FILE");
        }
        return "";
    }

    const std::string m_path{std::filesystem::temp_directory_path() /
                             ("rddc-requests-" + std::to_string(getpid()) + ".csv")};
};

TEST_F(RddcAlibabaRequestsTest, MapsRowsInOrderOfArrival)
{
    const auto all = All(Raw(REQUESTS_ROWS));
    ASSERT_EQ(all.size(), 4);
    // Cores / 1.5 and GiB / 8, rounded up; gaps between creations; held from scheduled to deleted.
    EXPECT_EQ(all[0], (RddcRequest{0, 100, 2, 2, 20}));
    EXPECT_EQ(all[1], (RddcRequest{1, 150, 3, 0, 100}));
    EXPECT_EQ(all[2], (RddcRequest{2, 0, 0, 3, 10}));
    EXPECT_EQ(all[3], (RddcRequest{3, 150, 128, 125, 100}));
}

TEST_F(RddcAlibabaRequestsTest, CountsEveryRow)
{
    const Report report = Read(REQUESTS_ROWS)->GetReport();
    EXPECT_EQ(report.rowsRead, 10);
    EXPECT_EQ(report.rowsUsed, 4);
    std::array<uint64_t, Report::REASONS> skipped{};
    skipped[Report::BEGAN_BEFORE] = 1;
    skipped[Report::OUTLASTS] = 1;
    skipped[Report::DELETED_EARLY] = 2;
    skipped[Report::NO_RESOURCES] = 1;
    skipped[Report::TOO_LARGE] = 1;
    EXPECT_EQ(report.rowsSkipped, skipped);
    std::ostringstream text;
    report.Print(text);
    for (const char* line : {"rows: 10 read = 4 used + 6 skipped",
                             "  1 skipped: there before the trace began",
                             "  1 skipped: still there when the trace ended",
                             "  2 skipped: deleted when scheduled or earlier",
                             "  1 skipped: neither CPU nor memory",
                             "  1 skipped: larger than MaxUnits"})
    {
        EXPECT_NE(text.str().find(std::string(line) + "\n"), std::string::npos) << line;
    }
}

TEST_F(RddcAlibabaRequestsTest, UnitsAreAttributes)
{
    auto requests = Raw(REQUESTS_ROWS);
    requests->SetAttribute("CoresPerUnit", DoubleValue(1));
    requests->SetAttribute("GibPerUnit", DoubleValue(16));
    requests->SetAttribute("MaxUnits", UintegerValue(200));
    const auto all = All(requests);
    ASSERT_EQ(all.size(), 5);
    EXPECT_EQ(all[0].cpu, 3);
    EXPECT_EQ(all[0].memory, 1);
    EXPECT_EQ(all[1].cpu, 194) << "within MaxUnits now";
    EXPECT_EQ(all[4].memory, 63);
}

TEST_F(RddcAlibabaRequestsTest, OffersTheLoad)
{
    auto requests = Read(REQUESTS_ROWS);
    requests->SetAttribute("OfferedUnits", DoubleValue(500));
    const auto all = All(requests);
    double gaps = 0;
    double cpu = 0;
    double memory = 0;
    double holding = 0;
    for (const auto& request : all)
    {
        gaps += request.gap / 4;
        cpu += request.cpu * request.holding / 4;
        memory += request.memory * request.holding / 4;
        holding += request.holding / 4;
    }
    // The first gap is the mean of the others.
    EXPECT_NEAR(gaps, 1, 1e-12);
    EXPECT_NEAR(all[1].gap, 1.5, 1e-12);
    // CPU has the higher demand: 2 x 20 + 3 x 100 + 128 x 100 against 2 x 20 + 3 x 10 + 125 x 100.
    EXPECT_NEAR(cpu, 500, 1e-9);
    EXPECT_NEAR(memory, 500 * 12570.0 / 13140, 1e-9);
    const Report& report = requests->GetReport();
    EXPECT_NEAR(report.offeredCpu, 500, 1e-9);
    EXPECT_NEAR(report.offeredMemory, memory, 1e-9);
    EXPECT_NEAR(report.meanDuration, holding, 1e-9);
    EXPECT_NEAR(report.secondsPerGap, 100, 1e-9);
    EXPECT_NEAR(all[1].holding / all[0].holding, 5, 1e-9) << "shapes are the trace's";
}

TEST_F(RddcAlibabaRequestsTest, BeginsAnywhereAndRepeats)
{
    auto requests = Raw(REQUESTS_ROWS);
    const auto all = All(requests);
    auto piece = requests->CloneFrom(2);
    std::filesystem::remove(m_path); // it is not read again
    const auto rest = All(piece);
    ASSERT_EQ(rest.size(), 2);
    EXPECT_EQ(rest[0].memory, all[2].memory);
    EXPECT_EQ(rest[1].gap, all[3].gap);
    EXPECT_EQ(rest[1].id, 1) << "counted from where it began";
    piece->SetAttribute("Repeat", UintegerValue(3));
    piece->AssignStreams(0);
    const auto more = All(piece);
    ASSERT_EQ(more.size(), 10);
    EXPECT_EQ(more[2].cpu, all[0].cpu);
    EXPECT_EQ(more[2].gap, 100) << "a mean gap between two passes";
    EXPECT_EQ(All(requests->CloneFrom(4)).size(), 0);
}

TEST_F(RddcAlibabaRequestsTest, RefusesWhatCannotBeRead)
{
    EXPECT_EQ(Refusal(""), "FILE: found 'an empty file', expected a line that names the columns");
    EXPECT_EQ(Refusal("cpu_request,creation_time\n"),
              "FILE:1: found 'cpu_request,creation_time', expected a first line with a column "
              "memory_request");
    EXPECT_EQ(Refusal(REQUESTS_HEADER + "a,1,0,8,1,1,2\nb,1,0,8,1,1\n"),
              "FILE:3: found 'b,1,0,8,1,1', expected 7 columns");
    EXPECT_EQ(Refusal(REQUESTS_HEADER + "a,many,0,8,1,1,2\n"),
              "FILE:2: found 'many', expected in column cpu_request nothing, or 0 to 1e+06");
    EXPECT_EQ(Refusal(REQUESTS_HEADER + "a,1,0,-8,1,1,2\n"),
              "FILE:2: found '-8', expected in column memory_request nothing, or 0 to 1e+09");
    EXPECT_EQ(Refusal(REQUESTS_HEADER + "a,1,0,8,1,,2\n"),
              "FILE: found '1 rows, none of them usable', expected at least one usable row");
    EXPECT_EQ(
        Refusal(REQUESTS_HEADER + "a,1,0,8,1,1,2\nb,1,0,8,1,1,2\n"),
        "FILE: found 'arrivals that are all at the same time', expected arrivals at two times "
        "or more, or MeanGap and OfferedUnits 0");
    auto absent = CreateObject<RddcAlibabaRequests>();
    absent->SetFileName("/absent/requests.csv");
    RddcRequest request;
    EXPECT_THROW(absent->Next(request), OdcnError);
}

TEST_F(RddcAlibabaRequestsTest, SkipsMalformedRowsIfTold)
{
    auto requests =
        Raw(REQUESTS_HEADER + "a,1,0,8,1,1,NaN\nb,1,0,8,1\nc,x,0,8,1,1,2\nd,1,0,8,1,1,2\n");
    requests->SetAttribute("SkipMalformed", BooleanValue(true));
    EXPECT_EQ(All(requests).size(), 1);
    EXPECT_EQ(requests->GetReport().rowsSkipped[Report::MALFORMED], 2);
    EXPECT_EQ(requests->GetReport().rowsSkipped[Report::OUTLASTS], 1) << "NaN is an empty field";
}

} // namespace
