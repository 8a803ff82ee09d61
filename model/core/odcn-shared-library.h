// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SHARED_LIBRARY_H
#define ODCN_SHARED_LIBRARY_H

#include <filesystem>
#include <string>

namespace ns3::odcn
{

/**
 * Open a shared library, whose types, policies, networks and rewards register themselves. It stays
 * open. If one of its static objects throws, the loader cannot go on: the process then ends with
 * one line on standard error, and status 1.
 * @param what begins errors, e.g. "--library=mine.so"
 * @param path the file
 * @throws OdcnError when it is no complete shared library, cannot be loaded, or has a type of a
 * name that there is
 */
void OpenSharedLibrary(const std::string& what, const std::filesystem::path& path);

} // namespace ns3::odcn

#endif /* ODCN_SHARED_LIBRARY_H */
