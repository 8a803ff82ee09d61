// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FILE_DIGEST_H
#define ODCN_FILE_DIGEST_H

#include <map>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * @param path a file
 * @return its length and CRC-64, by which a program that goes on sees whether an input has changed;
 * "" unless it is a regular file
 */
std::string GetFileDigest(const std::string& path);

/**
 * @ingroup odcn
 *
 * @param text a command, or the value of an option: names of files, lists, and objects as text
 * @return GetFileDigest() of each file that it names, and of those of Chakra traces whose prefix it
 * names, by path
 */
std::map<std::string, std::string> GetFileDigests(const std::string& text);

} // namespace ns3::odcn

#endif /* ODCN_FILE_DIGEST_H */
