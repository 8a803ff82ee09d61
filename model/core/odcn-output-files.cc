// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-output-files.h"

#include "odcn-atomic-file.h"
#include "odcn-error.h"
#include "odcn-file-lock.h"
#include "odcn-pcap-trace.h"
#include "odcn-safe-text.h"
#include "odcn-text.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// The manifest: a line for each file, its checksum, two blanks and its name.
const std::string MANIFEST = ".odcn-manifest";
/// The command that made the results.
const std::string PROVENANCE = "provenance.txt";
/// Before the name of the program, as long as a checksum and two blanks.
const std::string PROGRAM = "program   ";
/// Name of this program; "" if it is not known.
std::string g_program;
/// Its command line; "" if it is not known.
std::string g_command;

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
    PlainStream text;
    text << std::hex << crc.checksum();
    return std::string(8 - text.str().size(), '0') + text.str();
}

} // namespace

OutputFiles::OutputFiles(const std::string& folder, Earlier earlier)
    : m_folder(folder),
      m_earlier(earlier)
{
    std::error_code error;
    m_made = std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder) || ::access(folder.c_str(), W_OK) != 0)
    {
        throw OdcnError::InOption("--output", folder, "a folder that can be written");
    }
    m_lock = std::make_unique<FileLock>(Path(".lock"), "--output=" + folder);
    const Manifest manifest = ReadManifest(folder);
    if (earlier == Earlier::REPLACE)
    {
        RefuseOthers(folder, manifest);
        const std::string partial = GetInterrupted(m_folder);
        RefuseOthers(partial, ReadManifest(partial));
    }
    AtomicFile::RemoveTemporaries(folder);
}

void
OutputFiles::SetCommand(const std::string& program, const std::string& command)
{
    g_program = program;
    g_command = command;
}

std::string
OutputFiles::GetCommand()
{
    return g_command;
}

std::string
OutputFiles::GetInterrupted(const std::string& folder)
{
    return folder + "/interrupted";
}

OutputFiles::Manifest
OutputFiles::ReadManifest(const std::string& folder)
{
    Manifest manifest;
    const std::string path = std::filesystem::path(folder) / MANIFEST;
    if (!std::filesystem::exists(path))
    {
        return manifest;
    }
    TextReader reader(path);
    while (reader.NextLine())
    {
        const std::string line(reader.GetLine());
        const std::string name = line.substr(std::min(line.size(), PROGRAM.size()));
        if (line.starts_with(PROGRAM))
        {
            manifest.program = name;
        }
        else
        {
            manifest.checksums[name] = line.substr(0, 8);
        }
    }
    return manifest;
}

void
OutputFiles::RefuseOthers(const std::string& folder, const Manifest& manifest)
{
    if (manifest.program.empty() || g_program.empty() || manifest.program == g_program)
    {
        return;
    }
    for (const auto& [name, checksum] : manifest.checksums)
    {
        if (GetChecksum(std::filesystem::path(folder) / name) == checksum)
        {
            throw OdcnError::InOption("--output",
                                      folder,
                                      "another folder: this one holds " + name + " of " +
                                          manifest.program);
        }
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
        const bool isFirst = m_checksums.empty() && m_earlier == Earlier::REPLACE;
        m_checksums[name] = *checksum;
        std::ofstream manifest(Path(MANIFEST), std::ios::app);
        if (isFirst && !g_program.empty())
        {
            manifest << PROGRAM << g_program << "\n";
        }
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
    for (const auto& [name, checksum] : ReadManifest(m_folder).checksums)
    {
        // Never a file of another folder, whatever the manifest says.
        if (!m_checksums.contains(name) && fs::path(name).filename() == name)
        {
            earlier[name] = checksum;
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
    if (!g_program.empty())
    {
        present.Stream() << PROGRAM << g_program << "\n";
    }
    for (const auto& [name, checksum] : m_checksums)
    {
        present.Stream() << checksum << "  " << name << "\n";
    }
    present.Commit();
    // What an interrupted run had finished.
    if (const std::string partial = GetInterrupted(m_folder);
        fs::exists(fs::path(partial) / MANIFEST))
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
OutputFiles::WriteProvenance(const std::string& lines, const std::string& what)
{
    AtomicFile provenance(Path(PROVENANCE));
    provenance.Stream() << "command: " << (g_command.empty() ? "-" : g_command) << "\n" << lines;
    Commit(provenance, what);
}

void
OutputFiles::Finish(std::ostream& os)
{
    if (!m_checksums.contains(PROVENANCE))
    {
        WriteProvenance();
    }
    Print(os);
    RemoveEarlier(os);
}

} // namespace ns3::odcn
