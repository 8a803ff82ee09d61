// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JSON_FILE_H
#define ODCN_JSON_FILE_H

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ns3::odcn
{

/**
 * @param path file of JSON
 * @param expected what it is, for errors: "a recipe"
 * @return all its bytes
 * @throws OdcnError when it cannot be read or is very large
 */
inline std::string
ReadJsonFile(const std::string& path, const std::string& expected)
{
    constexpr std::size_t MAX_SIZE = 4 * 1024 * 1024;
    RequireFile(path);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string bytes(MAX_SIZE + 1, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!in.is_open() || in.bad() || (in.gcount() == 0 && errno != 0))
    {
        throw OdcnError(path + ": cannot be read: " + std::strerror(errno ? errno : EIO));
    }
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > MAX_SIZE)
    {
        throw OdcnError(path + ": found more than " + std::to_string(MAX_SIZE) +
                        " bytes, expected " + expected);
    }
    return bytes;
}

/**
 * @param text JSON
 * @param path its origin, for errors
 * @param expected what it is, for errors
 * @return the value, discarded if the text is no JSON; not an ordered_json, which compares each key
 * with all before it
 * @throws OdcnError when it is deeply nested: writing it, as errors do, would need much stack
 */
inline nlohmann::json
ParseFlatJson(std::string_view text, const std::string& path, const std::string& expected)
{
    constexpr int MAX_DEPTH = 8;
    const auto check = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&)
    {
        if (depth > MAX_DEPTH)
        {
            throw OdcnError(path + ": found deeply nested JSON, expected " + expected);
        }
        return true;
    };
    return nlohmann::json::parse(text, check, false);
}

} // namespace ns3::odcn

#endif /* ODCN_JSON_FILE_H */
