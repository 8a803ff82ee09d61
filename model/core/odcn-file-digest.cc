// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-file-digest.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace ns3::odcn
{

std::string
GetFileDigest(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
    {
        return "";
    }
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    boost::crc_optimal<64, 0x42F0E1EBA9EA3693, 0, 0, false, false> crc;
    crc.process_bytes(bytes.data(), bytes.size());
    std::ostringstream digest;
    digest << bytes.size() << "-" << std::hex << crc.checksum();
    return digest.str();
}

std::map<std::string, std::string>
GetFileDigests(const std::string& text)
{
    std::map<std::string, std::string> digests;
    const auto add = [&digests](const std::string& path)
    {
        const std::string digest = GetFileDigest(path);
        if (!digest.empty())
        {
            digests[path] = digest;
        }
        return !digest.empty();
    };
    // Names may have blanks, and what separates parts of an object's text.
    for (const char* separators : {"=,'", " =,;|[]+*'"})
    {
        std::size_t end = 0;
        for (std::size_t begin = 0; begin < text.size(); begin = end + 1)
        {
            end = std::min(text.find_first_of(separators, begin), text.size());
            const std::string name = text.substr(begin, end - begin);
            add(name);
            add(name.substr(name.find(':') + 1)); // behind a key
            for (uint32_t rank = 0;
                 !name.empty() && add(name + '.' + std::to_string(rank) + ".et");)
            {
                ++rank;
            }
        }
    }
    return digests;
}

} // namespace ns3::odcn
