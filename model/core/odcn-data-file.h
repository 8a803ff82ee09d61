// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DATA_FILE_H
#define ODCN_DATA_FILE_H

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Where a file of odcn's data/ is: in the folder that the environment variable ODCN_DATA names; if
 * it is not set or empty, in share/odcn of the prefix that the library is installed in, which may
 * have been moved; if there is none, in the source folder that the library was built from.
 *
 * @param name its name, for instance "odcn.pt"
 * @return its path; whether there is such a file is not checked
 */
std::string GetDataFile(const std::string& name);

/**
 * @ingroup odcn
 *
 * @return versions of odcn, ns-3 and the compiler that the library was built with
 */
std::string GetVersions();

} // namespace ns3::odcn

#endif /* ODCN_DATA_FILE_H */
