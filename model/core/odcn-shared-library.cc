// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-shared-library.h"

#include "odcn-error.h"

#include "ns3/type-id.h"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <fstream>
#include <iostream>
#include <set>

#ifdef __ELF__
#include <cstring>
#include <elf.h>
#include <link.h>
#include <vector>
#endif

namespace ns3::odcn
{

namespace
{

/// Begins the line that ends the process when a static object of a library throws.
std::string g_opened;

/// For std::set_terminate() while a library is being opened.
[[noreturn]] void
EndOpening()
{
    std::string why = "a static object ended the program";
    try
    {
        if (const auto error = std::current_exception())
        {
            std::rethrow_exception(error);
        }
    }
    catch (const std::exception& error)
    {
        why = error.what();
    }
    catch (...)
    {
        why = "a static object threw";
    }
    std::cout.flush();
    std::cerr << "error: " << g_opened << ": cannot be loaded: " << why << std::endl;
    std::_Exit(EXIT_FAILURE);
}

/**
 * The loader maps a file without looking at its length, and a page beyond its end is a SIGBUS.
 * @param path a regular file
 * @return whether it is an ELF file with all that it says is to be loaded; true where there is no
 * ELF
 */
bool
IsComplete(const std::filesystem::path& path)
{
#ifdef __ELF__
    const uint64_t size = std::filesystem::file_size(path);
    std::ifstream file(path, std::ios::binary);
    ElfW(Ehdr) header;
    if (!file.read(reinterpret_cast<char*>(&header), sizeof(header)) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > size)
    {
        return false;
    }
    std::vector<ElfW(Phdr)> segments(header.e_phnum);
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    if (!file.read(reinterpret_cast<char*>(segments.data()),
                   static_cast<std::streamsize>(segments.size() * sizeof(segments[0]))))
    {
        return false;
    }
    for (const auto& segment : segments)
    {
        if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
        {
            return false;
        }
    }
#else
    (void)path;
#endif
    return true;
}

} // namespace

void
OpenSharedLibrary(const std::string& what, const std::filesystem::path& path)
{
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none))
    {
        throw OdcnError(what + ": cannot be loaded: there is no such file");
    }
    if (!IsComplete(path))
    {
        throw OdcnError(what + ": is no shared library, or not all of one");
    }
    const uint16_t known = TypeId::GetRegisteredN();
    g_opened = what;
    const auto terminate = std::set_terminate(EndOpening);
    void* const library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_GLOBAL);
    std::set_terminate(terminate);
    if (!library)
    {
        throw OdcnError(what + ": cannot be loaded: " + dlerror());
    }
    // Without assertions, ns-3 lets a type take the name of another one.
    std::set<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const std::string name = TypeId::GetRegistered(i).GetName();
        if (!names.insert(name).second && i >= known)
        {
            throw OdcnError(what + ": there is a type " + name + " already");
        }
    }
}

} // namespace ns3::odcn
