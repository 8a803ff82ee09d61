// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ARCHIVE_H
#define ODCN_ARCHIVE_H

#include <string>
#include <torch/nn/module.h>
#include <torch/serialize.h>

namespace ns3
{
namespace odcn
{

/**
 * @file
 * LibTorch's archives, for .cc files. An archive is a ZIP file: tensors as raw bytes, a pickle that
 * says where they belong, and the classes of modules as TorchScript source. LibTorch trusts what it
 * reads: it checks no CRC, believes sizes of storages, and recurses as deep as the file is nested.
 * So the bytes are checked here before LibTorch sees them. What passes is read within the memory of
 * the file and of what it describes.
 */

/**
 * @param archive filled
 * @return the bytes of its file; equal archives have equal bytes
 */
std::string PackArchive(torch::serialize::OutputArchive& archive);

/**
 * An archive of data. TorchScript functions are refused: LibTorch could run them while loading.
 * @param bytes of a file
 * @param path of that file, for errors
 * @return the archive
 * @throws OdcnError when the bytes are no archive of LibTorch, are cut short or damaged, or hold
 * functions
 */
torch::serialize::InputArchive UnpackArchive(std::string bytes, const std::string& path);

/**
 * A TorchScript module with its functions. These are code: load only files that you trust.
 * @param bytes of a file
 * @param path of that file, for errors
 * @return the module, for evaluation
 * @throws OdcnError when the bytes are no archive of LibTorch, are cut short or damaged
 */
torch::jit::Module UnpackModule(std::string bytes, const std::string& path);

/**
 * @param bytes of a file
 * @param path of that file, for errors
 * @return whether UnpackModule() is to be used, not UnpackArchive()
 * @throws OdcnError as these
 */
bool HasCode(std::string bytes, const std::string& path);

/**
 * @param path a file of at most 512 MiB
 * @return all its bytes
 * @throws OdcnError when it cannot be read
 */
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

/**
 * Write the parameters and buffers of a module, each with a storage of its own.
 * @param archive gets them by name, those of submodules in archives of their own
 * @param module all its parameters must be finite
 * @throws OdcnError that names the first parameter that is not finite
 */
void WriteParameters(torch::serialize::OutputArchive& archive, const torch::nn::Module& module);

/**
 * Copy parameters and buffers into a module that has the same ones.
 * @param archive of WriteParameters()
 * @param module that they are copied into; after an error, some of them may be
 * @param path for errors
 * @throws OdcnError when names, sizes or types differ, or a parameter is not finite
 */
void ReadParameters(torch::serialize::InputArchive& archive,
                    torch::nn::Module& module,
                    const std::string& path);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ARCHIVE_H */
