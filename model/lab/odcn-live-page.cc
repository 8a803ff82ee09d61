// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-live-page.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Environment variable with the folder that the launcher's server shows.
constexpr const char* LIVE_FOLDER = "ODCN_LIVE";
/// Least seconds between two records.
constexpr double RECORDS = 2;

/// The page of this process.
LivePage* g_page = nullptr;

/// @return time of the steady clock, in s
double
SteadyNow()
{
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

} // namespace

LivePage::LivePage(std::string folder)
    : m_folder(std::move(folder)),
      m_share(std::nan("")),
      m_process(::getpid())
{
    if (g_page)
    {
        throw OdcnError("a process has one live page at most");
    }
    if (m_folder.empty())
    {
        m_folder = (std::filesystem::temp_directory_path() / "odcn-live-XXXXXX").string();
        if (!::mkdtemp(m_folder.data()))
        {
            throw OdcnError(m_folder +
                            ": cannot be created: " + std::generic_category().message(errno));
        }
    }
    WriteProgress();
    g_page = this;
}

LivePage::~LivePage()
{
    g_page = nullptr;
    if (m_process == ::getpid())
    {
        std::error_code ignored;
        for (const char* name : {"progress.json", "run.json"})
        {
            std::filesystem::remove(std::filesystem::path(m_folder) / name, ignored);
        }
        std::filesystem::remove(m_folder, ignored);
    }
}

std::unique_ptr<LivePage>
LivePage::Open(const std::string& port)
{
    const auto number = ParseCount(port);
    if (!number || *number > UINT16_MAX)
    {
        throw OdcnError::InOption("--live", port, "a port, 0 to 65535");
    }
    const char* folder = std::getenv(LIVE_FOLDER);
    if (folder && *folder)
    {
        return std::make_unique<LivePage>(folder);
    }
    auto page = std::make_unique<LivePage>();
    std::cerr << "live page: served by python3 " << GetDataFile("report/live.py") << " "
              << page->m_folder << (*number > 0 ? " " + port : "") << std::endl;
    return page;
}

LivePage*
LivePage::Get()
{
    return g_page && g_page->m_process == ::getpid() ? g_page : nullptr;
}

void
LivePage::Offer(const std::function<std::string()>& makeRecord)
{
    LivePage* page = Get();
    const double begin = SteadyNow();
    if (!page || begin < page->m_next)
    {
        return;
    }
    page->SetRecord(makeRecord());
    const double end = SteadyNow();
    page->m_next = end + std::max(RECORDS, 100 * (end - begin));
}

void
LivePage::SetProgress(const std::string& text, double share)
{
    m_text = text;
    m_share = share;
    WriteProgress();
}

void
LivePage::SetRecord(const std::string& record)
{
    Write("run.json", record);
    ++m_records;
    WriteProgress();
}

void
LivePage::Write(const std::string& name, const std::string& text) const
{
    const std::filesystem::path path = std::filesystem::path(m_folder) / name;
    const std::filesystem::path part = path.string() + ".part";
    std::ofstream file(part, std::ios::binary);
    file << text;
    file.close();
    std::error_code ignored;
    if (file)
    {
        std::filesystem::rename(part, path, ignored);
    }
    else
    {
        std::filesystem::remove(part, ignored);
    }
}

void
LivePage::WriteProgress() const
{
    nlohmann::json progress{{"records", m_records}};
    if (!m_text.empty())
    {
        progress["text"] = m_text;
    }
    if (std::isfinite(m_share))
    {
        progress["share"] = m_share;
    }
    Write("progress.json", FormatJson(progress, true));
}

} // namespace ns3::odcn
