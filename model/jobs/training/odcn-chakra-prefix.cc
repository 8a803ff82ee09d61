// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace ns3::odcn
{

std::optional<std::string>
FindChakraPrefix(const std::string& path)
{
    constexpr std::string_view ENDING = ".et";
    std::error_code ignored;
    if (!path.ends_with(ENDING))
    {
        const bool isPrefix = !std::filesystem::is_regular_file(path, ignored) &&
                              std::filesystem::exists(path + ".0.et", ignored);
        return isPrefix ? std::optional(path) : std::nullopt;
    }
    const std::string name = path.substr(0, path.size() - ENDING.size());
    const std::size_t point = name.rfind('.');
    const bool hasRank = point != std::string::npos && point + 1 < name.size() &&
                         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(point) + 1,
                                     name.end(),
                                     [](unsigned char c) { return std::isdigit(c); });
    if (!hasRank)
    {
        throw OdcnError::InFile(path,
                                0,
                                path,
                                "a name PREFIX.RANK.et, with one file for each rank");
    }
    return name.substr(0, point);
}

} // namespace ns3::odcn
