// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FUZZ_H
#define ODCN_FUZZ_H

/**
 * @file
 * Tools of the fuzz targets. The law: a reader succeeds or throws an OdcnError, and what it accepts
 * is valid.
 */

#include "ns3/odcn-error.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

/// A file in memory. Later ones use the descriptors of earlier ones again, which is faster.
class FuzzFile
{
  public:
    /// @param text its content
    explicit FuzzFile(const std::string& text)
    {
        if (s_free.empty())
        {
            s_free.push_back(memfd_create("input", MFD_CLOEXEC));
        }
        m_descriptor = s_free.back();
        s_free.pop_back();
        for (std::size_t done = 0; done < text.size();)
        {
            const auto n = pwrite(m_descriptor, text.data() + done, text.size() - done, done);
            if (n <= 0)
            {
                throw std::logic_error("no memory for the input");
            }
            done += static_cast<std::size_t>(n);
        }
        if (ftruncate(m_descriptor, static_cast<off_t>(text.size())) != 0)
        {
            throw std::logic_error("the input cannot be cut");
        }
    }

    ~FuzzFile()
    {
        s_free.push_back(m_descriptor);
    }

    FuzzFile(const FuzzFile&) = delete;
    FuzzFile& operator=(const FuzzFile&) = delete;

    /// @return its path
    std::string GetPath() const
    {
        return "/proc/self/fd/" + std::to_string(m_descriptor);
    }

  private:
    int m_descriptor;                      //!< of the file
    static inline std::vector<int> s_free; //!< descriptors of files that are gone
};

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
        bool printable = !what.empty();
        for (const char c : what)
        {
            printable = printable && c >= 0x20 && c < 0x7f;
        }
        FuzzRequire(printable, "an error of one line of printable characters");
    }
}

#ifndef ODCN_FUZZ_PROGRAM

/// The targets: their functions by name.
inline std::map<std::string, void (*)(const std::string&)>&
FuzzTargets()
{
    static std::map<std::string, void (*)(const std::string&)> targets;
    return targets;
}

#endif

} // namespace ns3::odcn

/// Define a target; the function's body follows, and its input is `text`. It may throw an
/// OdcnError, see FuzzRead(). It is libFuzzer's in a program of its own, and one of FuzzTargets()
/// in odcn-gtest.
#ifdef ODCN_FUZZ_PROGRAM
#define ODCN_FUZZ_TARGET(name)                                                                     \
    static void name(const std::string& text);                                                     \
    extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)                   \
    {                                                                                              \
        const std::string text(reinterpret_cast<const char*>(data), size);                         \
        ns3::odcn::FuzzRead([&]() { name(text); });                                                \
        return 0;                                                                                  \
    }                                                                                              \
    static void name(const std::string& text)
#else
#define ODCN_FUZZ_TARGET(name)                                                                     \
    static void name(const std::string& text);                                                     \
    [[maybe_unused]] static const bool name##_IS_LISTED =                                          \
        ns3::odcn::FuzzTargets()                                                                   \
            .emplace(#name,                                                                        \
                     [](const std::string& text) { ns3::odcn::FuzzRead([&]() { name(text); }); })  \
            .second;                                                                               \
    static void name(const std::string& text)
#endif

#endif /* ODCN_FUZZ_H */
