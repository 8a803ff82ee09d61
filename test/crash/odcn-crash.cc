// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * For test/crash-test.sh, loaded with LD_PRELOAD: counts the calls by which a program changes files
 * (open to create, write, fsync, rename, remove) and lets something happen at the n-th. Those of
 * programs that it starts are not counted.
 *
 * ODCN_CRASH_AT: n, from 1; 0 only counts. ODCN_CRASH_HOW: KILL (half of a write is done), INT or
 * TERM (a signal, the call goes on), ENOSPC or EIO (this call and all later ones but removals
 * fail). ODCN_CRASH_COUNT: file that gets the number of calls at the end of the program.
 */

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace
{

std::atomic<long> g_calls{0};

/// @param name variable  @return its value, "" if it is not set
const char*
Get(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// What to do at a call.
enum class Fate
{
    GO_ON,
    FAIL, //!< errno is set
    KILL
};

/// Count a call. @param removal whether it removes a file  @return its fate
Fate
Count(bool removal)
{
    const long call = ++g_calls;
    const long at = std::atol(Get("ODCN_CRASH_AT"));
    const char* how = Get("ODCN_CRASH_HOW");
    if (at == 0 || call < at)
    {
        return Fate::GO_ON;
    }
    const bool full = std::strcmp(how, "ENOSPC") == 0;
    if (full || std::strcmp(how, "EIO") == 0)
    {
        errno = full ? ENOSPC : EIO;
        return removal ? Fate::GO_ON : Fate::FAIL;
    }
    if (call > at)
    {
        return Fate::GO_ON;
    }
    if (std::strcmp(how, "KILL") == 0)
    {
        return Fate::KILL;
    }
    std::raise(std::strcmp(how, "INT") == 0 ? SIGINT : SIGTERM);
    return Fate::GO_ON;
}

/// @param descriptor file descriptor  @return whether it is a file, other than the standard ones
bool
IsFile(int descriptor)
{
    struct stat status = {};
    return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Write the number of calls when the program ends.
struct Report
{
    Report()
    {
        unsetenv("LD_PRELOAD");
    }

    ~Report()
    {
        const char* path = Get("ODCN_CRASH_COUNT");
        if (*path)
        {
            char text[32];
            const int size = std::snprintf(text, sizeof(text), "%ld\n", g_calls.load());
            const long file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0666);
            syscall(SYS_write, file, text, size);
            syscall(SYS_close, file);
        }
    }
} g_report;

/// @param fate of a call  @return whether it goes on; the process may end
bool
GoesOn(Fate fate)
{
    if (fate == Fate::KILL)
    {
        std::raise(SIGKILL);
    }
    return fate == Fate::GO_ON;
}

/// @param path a file
/// @param flags of open()
/// @param mode of open()
/// @return a file descriptor
int
Open(const char* path, int flags, mode_t mode)
{
    return (flags & O_CREAT) == 0 || GoesOn(Count(false))
               ? static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode))
               : -1;
}

} // namespace

extern "C"
{
    int open(const char* path, int flags, ...)
    {
        va_list rest;
        va_start(rest, flags);
        const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
        va_end(rest);
        return Open(path, flags, mode);
    }

    int open64(const char* path, int flags, ...)
    {
        va_list rest;
        va_start(rest, flags);
        const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
        va_end(rest);
        return Open(path, flags, mode);
    }

    ssize_t write(int descriptor, const void* data, size_t size)
    {
        if (IsFile(descriptor))
        {
            const Fate fate = Count(false);
            if (fate == Fate::KILL)
            {
                syscall(SYS_write, descriptor, data, size / 2);
            }
            if (!GoesOn(fate))
            {
                return -1;
            }
        }
        return syscall(SYS_write, descriptor, data, size);
    }

    ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t at)
    {
        const Fate fate = Count(false);
        if (fate == Fate::KILL)
        {
            syscall(SYS_pwrite64, descriptor, data, size / 2, at);
        }
        return GoesOn(fate) ? syscall(SYS_pwrite64, descriptor, data, size, at) : -1;
    }

    ssize_t writev(int descriptor, const iovec* parts, int count)
    {
        if (IsFile(descriptor))
        {
            const Fate fate = Count(false);
            if (fate == Fate::KILL)
            {
                syscall(SYS_writev, descriptor, parts, 1);
            }
            if (!GoesOn(fate))
            {
                return -1;
            }
        }
        return syscall(SYS_writev, descriptor, parts, count);
    }

    int fsync(int descriptor)
    {
        return GoesOn(Count(false)) ? static_cast<int>(syscall(SYS_fsync, descriptor)) : -1;
    }

    int fdatasync(int descriptor)
    {
        return fsync(descriptor);
    }

    int rename(const char* from, const char* to) noexcept
    {
        return GoesOn(Count(false))
                   ? static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0))
                   : -1;
    }

    int unlink(const char* path) noexcept
    {
        return GoesOn(Count(true)) ? static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0))
                                   : -1;
    }

    int remove(const char* path) noexcept
    {
        return unlink(path);
    }
}
