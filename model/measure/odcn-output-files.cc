// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-output-files.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <unistd.h>

namespace ns3::odcn
{

OutputFiles::OutputFiles(const std::string& folder)
    : m_folder(folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder) || ::access(folder.c_str(), W_OK) != 0)
    {
        throw OdcnError::InOption("--output", folder, "a folder that can be written");
    }
}

OutputFiles::~OutputFiles()
{
    for (const auto& name : m_temporary)
    {
        std::error_code ignored;
        std::filesystem::remove(name, ignored);
    }
}

std::string
OutputFiles::Path(const std::string& name) const
{
    return (std::filesystem::path(m_folder) / name).string();
}

std::string
OutputFiles::Temporary(const std::string& name)
{
    m_temporary.push_back(Path("." + name + ".part"));
    return m_temporary.back();
}

void
OutputFiles::Keep(const std::string& name, const std::string& what)
{
    std::error_code error;
    std::filesystem::rename(Path("." + name + ".part"), Path(name), error);
    if (error)
    {
        throw OdcnError(Path(name) + ": " + error.message());
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
