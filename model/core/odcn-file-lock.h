// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FILE_LOCK_H
#define ODCN_FILE_LOCK_H

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Keeps other processes from writing the same files, by flock() on a lock file of its own.
 *
 * The operating system releases the lock however the process ends, so a lock file that a killed
 * process left behind locks nothing. File systems without flock() are not locked.
 */
class FileLock
{
  public:
    /**
     * @param path path of the lock file, which is created, and removed by the destructor
     * @param what what it protects, for the error, e.g. an output folder
     * @throws OdcnError when another lock on this file exists or the file cannot be created
     */
    FileLock(const std::string& path, const std::string& what);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    std::string m_path;   //!< path of the lock file
    int m_descriptor{-1}; //!< its file descriptor
};

} // namespace ns3::odcn

#endif /* ODCN_FILE_LOCK_H */
