// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-json-file.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ns3::odcn
{

std::string
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

nlohmann::json
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

nlohmann::json
ParseJson(std::string_view text)
{
    return nlohmann::json::parse(text);
}

nlohmann::json
FindJson(std::string_view text)
{
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json
ParseOrderedJson(std::string_view text)
{
    return nlohmann::ordered_json::parse(text);
}

std::string
FormatJson(const nlohmann::json& json, bool ascii)
{
    return json.dump(-1, ' ', ascii, nlohmann::json::error_handler_t::replace);
}

std::string
FormatOrderedJson(const nlohmann::ordered_json& json, int indent)
{
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace ns3::odcn
