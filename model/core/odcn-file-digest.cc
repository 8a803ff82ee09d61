// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-file-digest.h"

#include <boost/crc.hpp>
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

} // namespace ns3::odcn
