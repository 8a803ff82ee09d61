// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-data-file.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace ns3::odcn
{

std::string
GetDataFile(const std::string& name)
{
    namespace fs = std::filesystem;
    if (const char* folder = std::getenv("ODCN_DATA"); folder && *folder)
    {
        return fs::path(folder) / name;
    }
    // The file that this function was loaded from: a library, or the program where odcn is static.
    if (Dl_info info; dladdr(reinterpret_cast<void*>(&GetDataFile), &info) && info.dli_fname)
    {
        std::error_code none;
        const auto library = fs::canonical(info.dli_fname, none);
        const auto folder = (library.parent_path() / ODCN_DATA_FROM_LIBRARY).lexically_normal();
        if (!none && fs::is_directory(folder, none))
        {
            return folder / name;
        }
    }
    return fs::path(ODCN_DATA_DIR) / name;
}

std::string
GetVersions()
{
    return ODCN_VERSIONS;
}

} // namespace ns3::odcn
