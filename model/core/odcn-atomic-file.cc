// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-atomic-file.h"

#include "odcn-error.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <locale>
#include <regex>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// Names of temporary files begin with this, which no other program and no user writes.
const std::string TEMPORARY = ".odcn-part-";

/// Longest name that a temporary file has whole. A name may have 255 bytes; the first ones of a
/// temporary file, and its process and number, take up to 40.
constexpr std::size_t LONGEST = 215;

/// @param path a file or folder  @param flags how to open it  @return whether it is on the disk
bool
Synchronize(const std::string& path, int flags)
{
    const int file = ::open(path.c_str(), flags | O_CLOEXEC);
    bool good = file >= 0 && ::fsync(file) == 0;
    const int error = errno;
    // Some file systems cannot synchronize folders.
    good = good || (file >= 0 && (flags & O_DIRECTORY) != 0 && error == EINVAL);
    if (file >= 0)
    {
        ::close(file);
    }
    errno = error;
    return good;
}

/// Remove a temporary file unless a process is writing it. @param path the file
void
RemoveAbandoned(const std::string& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0)
    {
        if (::flock(file, LOCK_EX | LOCK_NB) == 0)
        {
            ::unlink(path.c_str());
        }
        ::close(file);
    }
}

} // namespace

AtomicFile::Buffer::int_type
AtomicFile::Buffer::overflow(int_type c)
{
    if (sync() != 0)
    {
        return traits_type::eof();
    }
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                           : sputc(traits_type::to_char_type(c));
}

int
AtomicFile::Buffer::sync()
{
    for (const char* from = pbase(); from < pptr() && error == 0;)
    {
        const ssize_t written = ::write(file, from, static_cast<std::size_t>(pptr() - from));
        from += std::max<ssize_t>(written, 0);
        error = written < 0 && errno != EINTR ? errno : 0;
    }
    setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
    return error == 0 ? 0 : -1;
}

AtomicFile::AtomicFile(const std::string& path)
    : m_path(path),
      m_target(path),
      m_stream(&m_buffer)
{
    m_stream.imbue(std::locale::classic());
    namespace fs = std::filesystem;
    std::error_code code;
    const auto status = fs::status(path, code);
    if (code == std::errc::filename_too_long)
    {
        Fail(ENAMETOOLONG);
    }
    const bool direct = fs::exists(status) && !fs::is_regular_file(status);
    if (!direct && fs::is_symlink(path, code))
    {
        m_target = fs::weakly_canonical(path, code).string();
        if (code)
        {
            Fail(code.value());
        }
    }
    if (path.empty())
    {
        Fail(ENOENT);
    }
    if (fs::is_directory(status))
    {
        Fail(EISDIR);
    }
    if (!direct)
    {
        CreateTemporary();
    }
    else if ((m_buffer.file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
    {
        if (fs::is_fifo(status) && errno == ENXIO)
        {
            throw OdcnError(path + ": cannot be written: a pipe that no process reads");
        }
        Fail(errno);
    }
    else
    {
        ::fcntl(m_buffer.file, F_SETFL, 0); // only open() must not wait for a reader
    }
    if (!m_temporary.empty() && fs::exists(status))
    {
        ::fchmod(m_buffer.file, static_cast<mode_t>(status.permissions()));
    }
}

void
AtomicFile::CreateTemporary()
{
    while (true)
    {
        // Unique among threads and processes.
        static std::atomic<uint64_t> count{0};
        const std::string name = GetTemporary(m_target) + "-" + std::to_string(::getpid()) + "-" +
                                 std::to_string(count++);
        m_buffer.file = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (m_buffer.file < 0 && errno != EEXIST)
        {
            Fail(errno);
        }
        if (m_buffer.file < 0)
        {
            continue;
        }
        m_temporary = name;
        // The lock tells RemoveTemporaries() that the file is being written.
        ::flock(m_buffer.file, LOCK_EX | LOCK_NB);
        struct stat status = {};
        if (::fstat(m_buffer.file, &status) == 0 && status.st_nlink > 0)
        {
            return;
        }
        ::close(m_buffer.file);
    }
}

AtomicFile::~AtomicFile()
{
    Discard();
}

void
AtomicFile::Commit()
{
    m_stream.flush();
    int error = m_buffer.error;
    bool good = m_stream.good();
    if (good && !m_temporary.empty() && !Move(m_temporary, m_target))
    {
        error = errno;
        good = false;
    }
    if (!good)
    {
        Discard();
        Fail(error);
    }
    m_temporary.clear();
    Discard();
}

bool
AtomicFile::Move(const std::string& from, const std::string& to)
{
    // A crash of the machine must leave the old file or the whole new one.
    const std::string folder = std::filesystem::path(to).parent_path().string();
    return Synchronize(from, O_RDONLY) && std::rename(from.c_str(), to.c_str()) == 0 &&
           Synchronize(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

std::string
AtomicFile::GetTemporary(const std::string& path)
{
    const std::filesystem::path target(path);
    std::string name = target.filename().string();
    if (name.size() > LONGEST)
    {
        const auto hash = std::to_string(std::hash<std::string>()(name));
        name.resize(LONGEST - hash.size());
        name += hash;
    }
    return (target.parent_path() / (TEMPORARY + name)).string();
}

void
AtomicFile::RemoveTemporaries(const std::string& path)
{
    namespace fs = std::filesystem;
    const bool all = fs::is_directory(path);
    const fs::path target = fs::weakly_canonical(fs::absolute(path));
    const std::string prefix =
        all ? TEMPORARY : fs::path(GetTemporary(target.string())).filename().string();
    static const std::regex unique(R"(-\d+-\d+)");
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(all ? target : target.parent_path()))
    {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && entry.is_regular_file() &&
            (all || std::regex_match(name.substr(prefix.size()), unique)))
        {
            found.push_back(entry.path().string());
        }
    }
    std::for_each(found.begin(), found.end(), RemoveAbandoned);
}

void
AtomicFile::Fail(int error) const
{
    const std::string reason =
        error != 0 ? std::generic_category().message(error) : "the output failed";
    throw OdcnError((m_path.empty() ? "''" : m_path) + ": cannot be written: " + reason);
}

void
AtomicFile::Discard()
{
    if (!m_temporary.empty())
    {
        std::remove(m_temporary.c_str());
        m_temporary.clear();
    }
    if (m_buffer.file >= 0)
    {
        ::close(m_buffer.file);
        m_buffer.file = -1;
    }
}

} // namespace ns3::odcn
