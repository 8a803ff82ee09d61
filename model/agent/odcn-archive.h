// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ARCHIVE_H
#define ODCN_ARCHIVE_H

#include <string>
#include <torch/serialize.h>

namespace ns3
{
namespace odcn
{

/**
 * @file
 * LibTorch's archives, for .cc files: checked before LibTorch reads them.
 */

/// @param archive filled  @return the bytes of its file
std::string PackArchive(torch::serialize::OutputArchive& archive);

/**
 * @param bytes of a file
 * @param path of that file, for errors
 * @return the archive
 * @throws OdcnError when the bytes are no archive of LibTorch, are cut short or damaged, or would
 * take more memory than the file has bytes
 */
torch::serialize::InputArchive UnpackArchive(const std::string& bytes, const std::string& path);

/// @param path a file  @return all its bytes  @throws OdcnError when it cannot be read
std::string ReadFile(const std::string& path);

/// @param path a file, replaced whole  @param bytes its content
void WriteFile(const std::string& path, const std::string& bytes);

/**
 * @param archive to read from
 * @param key of a text
 * @param path for errors
 * @return the text
 * @throws OdcnError when there is none
 */
std::string ReadText(torch::serialize::InputArchive& archive,
                     const std::string& key,
                     const std::string& path);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ARCHIVE_H */
