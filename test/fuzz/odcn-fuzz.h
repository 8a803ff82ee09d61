// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FUZZ_H
#define ODCN_FUZZ_H

/**
 * @file
 * Tools of the fuzz targets. A target is a file with the function LLVMFuzzerTestOneInput() of
 * libFuzzer. The law: a reader succeeds or throws an OdcnError, and what it accepts is valid.
 */

#include "ns3/odcn-error.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3::odcn
{

/// A file in memory.
class FuzzFile
{
  public:
    /// @param text its content
    explicit FuzzFile(const std::string& text)
        : m_descriptor(memfd_create("input", MFD_CLOEXEC))
    {
        for (std::size_t done = 0; done < text.size();)
        {
            const auto n = write(m_descriptor, text.data() + done, text.size() - done);
            if (n <= 0)
            {
                throw std::logic_error("no memory for the input");
            }
            done += static_cast<std::size_t>(n);
        }
    }

    ~FuzzFile()
    {
        close(m_descriptor);
    }

    FuzzFile(const FuzzFile&) = delete;
    FuzzFile& operator=(const FuzzFile&) = delete;

    /// @return its path
    std::string GetPath() const
    {
        return "/proc/self/fd/" + std::to_string(m_descriptor);
    }

  private:
    int m_descriptor; //!< of the file
};

/// @param data bytes  @param size their number  @return them as text
inline std::string
FuzzText(const uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

/// @param sound whether the law holds  @param law what was broken otherwise
inline void
FuzzRequire(bool sound, const char* law)
{
    if (!sound)
    {
        throw std::logic_error(law);
    }
}

/// @param read calls a reader; may throw an OdcnError
template <typename F>
void
FuzzRead(F read)
{
    try
    {
        read();
    }
    catch (const OdcnError& error)
    {
        const std::string what = error.what();
        FuzzRequire(!what.empty() && what.find('\n') == std::string::npos, "an error of one line");
    }
}

} // namespace ns3::odcn

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);

#endif /* ODCN_FUZZ_H */
