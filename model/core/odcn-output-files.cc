// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-output-files.h"

#include "odcn-atomic-file.h"
#include "odcn-error.h"
#include "odcn-file-lock.h"
#include "odcn-pcap-trace.h"
#include "odcn-safe-text.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// The manifest: a line for each file, its checksum, two blanks and its name.
const std::string MANIFEST = ".odcn-manifest";

/// @param path a file
/// @return its CRC-32, 8 hexadecimal digits; nullopt unless it is a regular file
std::optional<std::string>
GetChecksum(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, ignored)))
    {
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    boost::crc_32_type crc;
    std::vector<char> block(65536);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    {
        crc.process_bytes(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    std::ostringstream text;
    text << std::hex << crc.checksum();
    return std::string(8 - text.str().size(), '0') + text.str();
}

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
OutputFiles::Temporary(const std::string& name)
{
    m_temporary.push_back(AtomicFile::GetTemporary(Path(name)));
    return m_temporary.back();
}

void
OutputFiles::Keep(const std::string& name, const std::string& what)
{
    const std::string temporary = AtomicFile::GetTemporary(Path(name));
    PcapTrace::Finish(temporary);
    if (!AtomicFile::Move(temporary, Path(name)))
    {
        throw OdcnError(Path(name) +
                        ": cannot be written: " + std::generic_category().message(errno));
    }
    Written(name, what);
}

void
OutputFiles::Written(const std::string& name, const std::string& what)
{
    Record(name);
    List(name, what);
}

void
OutputFiles::Record(const std::string& name)
{
    if (const auto checksum = GetChecksum(Path(name)))
    {
        m_checksums[name] = *checksum;
        std::ofstream manifest(Path(MANIFEST), std::ios::app);
        if (!(manifest << *checksum << "  " << name << "\n").flush())
        {
            throw OdcnError(Path(MANIFEST) +
                            ": cannot be written: " + std::generic_category().message(errno));
        }
    }
}

void
OutputFiles::List(const std::string& name, const std::string& what)
{
    m_files.emplace_back(name, what);
}

void
OutputFiles::RemoveEarlier(std::ostream& os)
{
    namespace fs = std::filesystem;
    std::map<std::string, std::string> earlier;
    std::ifstream manifest(Path(MANIFEST));
    for (std::string line; std::getline(manifest, line);)
    {
        const std::string name = line.substr(std::min<std::size_t>(line.size(), 10));
        // Never a file of another folder, whatever the manifest says.
        if (!m_checksums.contains(name) && fs::path(name).filename() == name)
        {
            earlier[name] = line.substr(0, 8);
        }
    }
    std::string removed;
    std::string changed;
    for (const auto& [name, checksum] : earlier)
    {
        if (const auto present = GetChecksum(Path(name)))
        {
            std::error_code ignored;
            const bool gone = *present == checksum && fs::remove(Path(name), ignored);
            (gone ? removed : changed) += " " + EscapeText(name);
        }
    }
    if (!removed.empty())
    {
        os << "Removed from " << m_folder << ", of an earlier run:" << removed << "\n";
    }
    if (!changed.empty())
    {
        os << "Kept in " << m_folder << ", of an earlier run, changed since:" << changed << "\n";
    }
    if (m_checksums.empty())
    {
        std::error_code ignored;
        fs::remove(Path(MANIFEST), ignored);
        m_made = true; // if it is empty
        return;
    }
    AtomicFile present(Path(MANIFEST));
    for (const auto& [name, checksum] : m_checksums)
    {
        present.Stream() << checksum << "  " << name << "\n";
    }
    present.Commit();
    // What an interrupted run had finished.
    if (const std::string partial = Path("interrupted"); fs::exists(fs::path(partial) / MANIFEST))
    {
        OutputFiles(partial).RemoveEarlier(os);
    }
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

void
OutputFiles::Finish(std::ostream& os)
{
    Print(os);
    RemoveEarlier(os);
}

} // namespace ns3::odcn
