// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-output-files.h"

#include "odcn-atomic-file.h"
#include "odcn-error.h"
#include "odcn-file-lock.h"
#include "odcn-pcap-trace.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// Extension of temporary files.
const std::string PART = ".part";

} // namespace

OutputFiles::OutputFiles(const std::string& folder)
    : m_folder(folder)
{
    std::error_code error;
    m_made = std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder) || ::access(folder.c_str(), W_OK) != 0)
    {
        throw OdcnError::InOption("--output", folder, "a folder that can be written");
    }
    m_lock = std::make_unique<FileLock>(Path(".lock"), "--output=" + folder);
    AtomicFile::RemoveTemporaries(folder);
    // Traces of killed processes.
    std::vector<std::filesystem::path> traces;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const auto name = entry.path().filename().string();
        if (name.front() == '.' && entry.path().extension() == PART && entry.is_regular_file())
        {
            traces.push_back(entry.path());
        }
    }
    for (const auto& trace : traces)
    {
        std::filesystem::remove(trace, error);
    }
}

OutputFiles::~OutputFiles()
{
    for (const auto& name : m_temporary)
    {
        std::error_code ignored;
        std::filesystem::remove(name, ignored);
    }
    m_lock.reset();
    if (m_made)
    {
        std::error_code ignored;
        std::filesystem::remove(m_folder, ignored); // if it is empty
    }
}

std::string
OutputFiles::Path(const std::string& name) const
{
    return (std::filesystem::path(m_folder) / name).string();
}

std::string
OutputFiles::GetTemporary(const std::string& name) const
{
    return Path("." + name + PART);
}

std::string
OutputFiles::Temporary(const std::string& name)
{
    m_temporary.push_back(GetTemporary(name));
    return m_temporary.back();
}

void
OutputFiles::Keep(const std::string& name, const std::string& what)
{
    PcapTrace::Finish(GetTemporary(name));
    if (!AtomicFile::Move(GetTemporary(name), Path(name)))
    {
        throw OdcnError(Path(name) +
                        ": cannot be written: " + std::generic_category().message(errno));
    }
    Written(name, what);
}

void
OutputFiles::Written(const std::string& name, const std::string& what)
{
    m_files.emplace_back(name, what);
}

void
OutputFiles::Print(std::ostream& os) const
{
    os << "\nFiles in " << m_folder << ":\n";
    std::size_t width = 0;
    for (const auto& file : m_files)
    {
        width = std::max(width, file.first.size());
    }
    for (const auto& file : m_files)
    {
        os << "  " << file.first << std::string(width + 2 - file.first.size(), ' ') << file.second
           << "\n";
    }
}

} // namespace ns3::odcn
