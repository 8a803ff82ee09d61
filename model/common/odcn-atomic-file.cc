// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-atomic-file.h"

#include "odcn-error.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace ns3::odcn
{

namespace
{

/// Suffix of temporary file names begins with this.
const std::string TEMPORARY = ".tmp-";

/// @return a suffix that is unique among threads and processes
std::string
UniqueSuffix()
{
    static std::atomic<uint64_t> count{0};
    return TEMPORARY + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

/// Flush a file to disk before it is renamed. @param path the file  @return whether that succeeded
bool
Synchronize(const std::string& path)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool good = file >= 0 && ::fsync(file) == 0;
    const int error = errno;
    if (file >= 0)
    {
        ::close(file);
    }
    errno = error;
    return good;
}

} // namespace

AtomicFile::Buffer::int_type
AtomicFile::Buffer::overflow(int_type c)
{
    errno = 0;
    const int_type result = std::filebuf::overflow(c);
    if (traits_type::eq_int_type(result, traits_type::eof()) && error == 0)
    {
        error = errno;
    }
    return result;
}

std::streamsize
AtomicFile::Buffer::xsputn(const char* text, std::streamsize count)
{
    errno = 0;
    const std::streamsize result = std::filebuf::xsputn(text, count);
    if (result != count && error == 0)
    {
        error = errno;
    }
    return result;
}

int
AtomicFile::Buffer::sync()
{
    errno = 0;
    const int result = std::filebuf::sync();
    if (result != 0 && error == 0)
    {
        error = errno;
    }
    return result;
}

AtomicFile::AtomicFile(const std::string& path)
    : m_path(path),
      m_target(path),
      m_stream(&m_buffer)
{
    namespace fs = std::filesystem;
    std::error_code code;
    if (fs::is_symlink(path, code))
    {
        m_target = fs::weakly_canonical(path, code).string();
        if (code)
        {
            Fail(code.value());
        }
    }
    const auto status = fs::status(m_target, code);
    if (path.empty())
    {
        Fail(ENOENT);
    }
    if (fs::is_directory(status))
    {
        Fail(EISDIR);
    }
    const bool direct = fs::exists(status) && !fs::is_regular_file(status);
    if (!direct)
    {
        m_temporary = m_target + UniqueSuffix();
    }
    errno = 0;
    if (!m_buffer.open(direct ? m_target : m_temporary,
                       std::ios::out | std::ios::binary | std::ios::trunc))
    {
        const int error = errno;
        m_temporary.clear();
        Fail(error);
    }
    if (!direct && fs::exists(status))
    {
        fs::permissions(m_temporary, status.permissions(), code);
    }
}

AtomicFile::~AtomicFile()
{
    Discard();
}

std::ostream&
AtomicFile::Stream()
{
    return m_stream;
}

void
AtomicFile::Commit()
{
    m_stream.flush();
    bool good = m_stream.good();
    int error = m_buffer.error;
    errno = 0;
    if (!m_buffer.close())
    {
        error = good ? errno : error;
        good = false;
    }
    if (good && !m_temporary.empty() && !Synchronize(m_temporary))
    {
        error = errno;
        good = false;
    }
    if (good && !m_temporary.empty() && std::rename(m_temporary.c_str(), m_target.c_str()) != 0)
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
}

void
AtomicFile::RemoveTemporaries(const std::string& path)
{
    namespace fs = std::filesystem;
    const fs::path target = fs::weakly_canonical(fs::absolute(path));
    const std::string prefix = target.filename().string() + TEMPORARY;
    for (const auto& entry : fs::directory_iterator(target.parent_path()))
    {
        if (entry.path().filename().string().rfind(prefix, 0) == 0)
        {
            fs::remove(entry.path());
        }
    }
}

const std::string&
AtomicFile::GetPath() const
{
    return m_path;
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
        m_buffer.close();
        std::remove(m_temporary.c_str());
        m_temporary.clear();
    }
}

} // namespace ns3::odcn
