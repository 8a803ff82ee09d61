// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The live page: what it writes until it ends. test/live-page-test.py tests the server.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-live-page.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-run-report.h"

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace ns3::odcn;

namespace
{

/// @param page a page
/// @param name one of its files
/// @return its content
nlohmann::json
ReadJson(const LivePage& page, const std::string& name)
{
    return nlohmann::json::parse(std::ifstream(std::filesystem::path(page.GetFolder()) / name));
}

using LivePageFolder = FolderTest;

TEST(LivePage, WritesTheReportSoFar)
{
    LivePage page;
    RunReport report;
    report.AddFact("policy", "</script>");

    EXPECT_EQ(ReadJson(page, "progress.json"), nlohmann::json({{"records", 0}}));
    page.SetRecord(report.MakeRecord("mine"));
    EXPECT_EQ(ReadJson(page, "run.json")["name"], "mine");
    page.SetProgress("half", 0.5);
    EXPECT_EQ(ReadJson(page, "progress.json"),
              nlohmann::json({{"records", 1}, {"text", "half"}, {"share", 0.5}}));
    page.SetRecord(report.MakeRecord("newer"));
    EXPECT_EQ(ReadJson(page, "run.json")["name"], "newer");
    EXPECT_EQ(ReadJson(page, "progress.json")["records"], 2);
    // The folder is the user's own.
    EXPECT_EQ(std::filesystem::status(page.GetFolder()).permissions(),
              std::filesystem::perms::owner_all);
}

TEST(LivePage, EndsWithItsObject)
{
    auto page = std::make_unique<LivePage>();
    const std::string folder = page->GetFolder();
    EXPECT_EQ(LivePage::Get(), page.get());
    EXPECT_THROW(LivePage(), OdcnError); // one a process
    page.reset();
    EXPECT_EQ(LivePage::Get(), nullptr);
    EXPECT_FALSE(std::filesystem::exists(folder));
    LivePage::Offer([]() -> std::string { throw OdcnError("made for nobody"); });
    // Only its own files are removed, and a run goes on without them.
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/mine") << "mine";
    page = std::make_unique<LivePage>(folder);
    page.reset();
    EXPECT_TRUE(std::filesystem::exists(folder + "/mine"));
    EXPECT_FALSE(std::filesystem::exists(folder + "/progress.json"));
    page = std::make_unique<LivePage>(folder);
    std::filesystem::remove_all(folder);
    EXPECT_NO_THROW(page->SetRecord("{}"));
}

TEST_F(LivePageFolder, IsAnOptionOfReports)
{
    /// Parse an option. @param option the option  @return what the error says, or ""
    const auto parse = [](std::string option)
    {
        std::string name = "program";
        char* words[] = {name.data(), option.data()};
        OdcnCommandLine cmd(2, words, "A test.");
        RunReport report;
        report.AddOptions(cmd);
        if (const std::string error = GetRefusal([&] { cmd.Parse(); }); !error.empty())
        {
            return error;
        }
        if (const LivePage* page = LivePage::Get())
        {
            EXPECT_EQ(ReadJson(*page, "run.json")["name"], "program");
            EXPECT_TRUE(report.IsWanted());
        }
        EXPECT_EQ(LivePage::Get() != nullptr, option.rfind("--live", 0) == 0) << option;
        return std::string();
    };
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(parse("--report"), "");
    EXPECT_EQ(parse("--live"), "");
    const std::string told = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(told.rfind("live page: served by python3 " + GetDataFile("report/live.py") + " /", 0),
              0U);
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1);
    EXPECT_EQ(LivePage::Get(), nullptr);
    for (const char* port : {"", "70000", "-1", "80x"})
    {
        EXPECT_EQ(parse(std::string("--live=") + port),
                  std::string("--live: found '") + port + "', expected a port, 0 to 65535");
    }
    // With the launcher's server, there is nothing to tell.
    ::setenv("ODCN_LIVE", m_folder.c_str(), 1);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(parse("--live=8080"), "");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    ::unsetenv("ODCN_LIVE");
    EXPECT_FALSE(std::filesystem::exists(m_folder));
}

TEST(LivePage, TellsTheProgress)
{
    const LivePage page;
    double now = 0;
    std::ostringstream os;
    Progress progress("run",
                      200,
                      "jobs",
                      os,
                      false,
                      [&now]() { return std::chrono::duration<double>(now); });
    now = 0.4;
    progress.Update(10, []() { return std::string("early"); });
    EXPECT_FALSE(ReadJson(page, "progress.json").contains("text"));
    now = 1;
    progress.Update(20, []() { return std::string("loss 3 %"); });
    const auto told = ReadJson(page, "progress.json");
    EXPECT_EQ(told["text"], "run: 10 %, 20/200 jobs, 20/s, ETA 0:09, loss 3 %");
    EXPECT_EQ(told["share"], 0.1);
    EXPECT_EQ(os.str(), ""); // lines are due after 5 s
    now = 4;
    progress.Finish(200);
    EXPECT_EQ(ReadJson(page, "progress.json")["share"], 1);
}

TEST_F(LivePageFolder, ShowsFinishedPoliciesAndChangesNothing)
{
    /// @param live whether there is a page  @return the files
    const auto run = [&](bool live)
    {
        const auto page = live ? std::make_unique<LivePage>() : nullptr;
        OdcnHelper helper;
        Experiment experiment;
        experiment.SetPolicies("odcn-jcb,odcn-ccf");
        experiment.SetJobs(100, 20);
        experiment.SetReplications(2);
        experiment.SetProblem([&](double) { return helper.CreateProblem(78); });
        std::vector<std::string> shown;
        experiment.SetBegun(
            [&](const Experiment::Trial& trial)
            {
                const auto state = live && std::filesystem::exists(page->GetFolder() + "/run.json")
                                       ? ReadJson(*page, "run.json")
                                       : nlohmann::json::object();
                for (const auto& table : state.value("tables", nlohmann::json::array()))
                {
                    for (const auto& row : table["rows"])
                    {
                        shown.push_back(trial.choice.name + ": " + row[0].get<std::string>());
                    }
                }
            });
        experiment.Measure();
        EXPECT_EQ(shown,
                  live ? std::vector<std::string>(2, "odcn-ccf: odcn-jcb")
                       : std::vector<std::string>());
        OutputFiles files(m_folder.string());
        experiment.Write(files);
        experiment.GetReport().Write(files);
        std::string all;
        for (const auto& [name, what] : files.GetFiles())
        {
            all += ReadText(files.Path(name));
        }
        return all;
    };
    const std::string alone = run(false);
    EXPECT_GT(alone.size(), 10000U);
    EXPECT_EQ(run(true), alone);
}

} // namespace
