// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RUN_FILES_H
#define RUN_FILES_H

/**
 * @file
 * Names of files of several runs.
 */

#include "ns3/odcn-command-line.h"

#include <cstddef>
#include <set>
#include <string>

/**
 * Check that each of several runs has a file of its own.
 * @param option name of the option with the file
 * @param file its value, or "" for none
 * @param runs number of runs that have one
 * @param what % stands for
 * @throws OdcnError when there are several runs and no % in the name
 */
inline void
CheckFile(const std::string& option,
          const std::string& file,
          std::size_t runs,
          const std::string& what)
{
    ns3::odcn::OdcnCommandLine::Check(file.empty() || runs == 1 ||
                                          file.find('%') != std::string::npos,
                                      option,
                                      file,
                                      "a name with % for " + what + ", since there are several");
}

/**
 * @param name part of the name of a file
 * @param [in,out] used such names; gets the new one
 * @return the name, with a number if it is used
 */
inline std::string
MakeUnique(const std::string& name, std::set<std::string>& used)
{
    std::string unique = name;
    for (int i = 2; !used.insert(unique).second; ++i)
    {
        unique = name + "-" + std::to_string(i);
    }
    return unique;
}

#endif /* RUN_FILES_H */
