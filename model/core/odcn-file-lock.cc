// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-file-lock.h"

#include "odcn-error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3::odcn
{

FileLock::FileLock(const std::string& path, const std::string& what)
    : m_path(path)
{
    while (true)
    {
        m_descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (m_descriptor < 0)
        {
            throw OdcnError(what + ": cannot be written: " + path + ": " +
                            std::generic_category().message(errno));
        }
        if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        {
            ::close(m_descriptor);
            throw OdcnError(what + ": another process is writing it");
        }
        // The earlier holder may have removed the file after it was opened here.
        struct stat locked = {};
        struct stat present = {};
        if (::fstat(m_descriptor, &locked) == 0 && ::stat(path.c_str(), &present) == 0 &&
            locked.st_ino == present.st_ino && locked.st_dev == present.st_dev)
        {
            return;
        }
        ::close(m_descriptor);
    }
}

FileLock::~FileLock()
{
    // Removed while it is locked, so that it cannot be another process's.
    ::unlink(m_path.c_str());
    ::close(m_descriptor);
}

} // namespace ns3::odcn
