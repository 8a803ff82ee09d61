// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ARCHIVE_H
#define ODCN_ARCHIVE_H

#include <string>
#include <torch/torch.h>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Named tensors and a text in one file that LibTorch and Python can load; for .cc files.
 *
 * The file is an archive of a module whose parameters are the tensors and whose attribute "odcn" is
 * the text. The text is also a separate record, so that reading needs neither code of the archive
 * nor LibTorch's unpickler: the reader takes the records of the ZIP file, all uncompressed and with
 * the right CRC, and copies the bytes of the tensors that the text lists.
 */
struct Archive
{
    /// JSON object; Pack() adds the list of tensors to it.
    std::string text{"{}"};
    /// In the order in which they were added; float or uint8.
    std::vector<std::pair<std::string, torch::Tensor>> tensors;
    /// Whether the file is LibTorch's but not by Pack(), e.g. TorchScript; then nothing is read.
    bool isForeign{false};

    /// @param name with dots between modules  @param tensor to be copied
    void Add(const std::string& name, const torch::Tensor& tensor);

    /**
     * @param name of a tensor
     * @param path for errors
     * @return the tensor
     * @throws OdcnError when there is none
     */
    const torch::Tensor& Get(const std::string& name, const std::string& path) const;

    /// @param name of a tensor of floats  @param size its size  @param path for errors  @return it
    std::vector<float> GetFloats(const std::string& name,
                                 std::size_t size,
                                 const std::string& path) const;

    /// @param prefix of the new names  @param other archive whose tensors are added
    void AddAll(const std::string& prefix, const Archive& other);

    /// @param prefix of names  @return an archive of the tensors with that prefix, without it
    Archive Select(const std::string& prefix) const;

    /// @param prefix of the new names  @param module whose parameters and buffers are added
    void AddModule(const std::string& prefix, const torch::nn::Module& module);

    /**
     * Copy parameters and buffers into a module that has the same ones.
     * @param prefix of their names
     * @param module destination; unchanged if this throws
     * @param path for errors
     * @throws OdcnError when names or sizes differ, or a number is not finite
     */
    void CopyTo(const std::string& prefix,
                torch::nn::Module& module,
                const std::string& path) const;

    /// @return the bytes of the file; equal archives have equal bytes
    std::string Pack() const;

    /**
     * @param bytes of a file
     * @param path of that file, for errors
     * @return the archive; for a TorchScript file only isForeign is set
     * @throws OdcnError when the bytes are something else, truncated or damaged
     */
    static Archive Unpack(const std::string& bytes, const std::string& path);
};

/// @param path a file of at most 512 MiB  @return all its bytes  @throws OdcnError if it cannot be
/// read
std::string ReadFile(const std::string& path);

/// @param path a file, replaced as a whole  @param bytes its content
void WriteFile(const std::string& path, const std::string& bytes);

} // namespace ns3::odcn

#endif /* ODCN_ARCHIVE_H */
