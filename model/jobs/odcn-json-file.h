// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JSON_FILE_H
#define ODCN_JSON_FILE_H

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/**
 * @file
 * JSON is read and written by these functions alone: nlohmann's parser and serializer are
 * templates, which each file that calls them would compile again.
 */

namespace ns3::odcn
{

/**
 * @param path file of JSON
 * @param expected what it is, for errors: "a recipe"
 * @return all its bytes
 * @throws OdcnError when it cannot be read or is very large
 */
std::string ReadJsonFile(const std::string& path, const std::string& expected);

/**
 * @param text JSON
 * @param path its origin, for errors
 * @param expected what it is, for errors
 * @return the value, discarded if the text is no JSON; not an ordered_json, which compares each key
 * with all before it
 * @throws OdcnError when it is deeply nested: writing it, as errors do, would need much stack
 */
nlohmann::json ParseFlatJson(std::string_view text,
                             const std::string& path,
                             const std::string& expected);

/// @param text JSON
/// @return the value
/// @throws nlohmann::json::parse_error when it is none
nlohmann::json ParseJson(std::string_view text);

/// @param text any
/// @return the value, discarded if the text is no JSON
nlohmann::json FindJson(std::string_view text);

/// @param text JSON
/// @return the value, keys in the order of the text
/// @throws nlohmann::json::parse_error when it is none
nlohmann::ordered_json ParseOrderedJson(std::string_view text);

/**
 * @param json any
 * @param ascii whether other characters are escaped
 * @return its text in one line; bytes that are not UTF-8 are replaced
 */
std::string FormatJson(const nlohmann::json& json, bool ascii = false);

/**
 * @param json any
 * @param indent spaces of a level; -1 for one line
 * @return its text; bytes that are not UTF-8 are replaced
 */
std::string FormatOrderedJson(const nlohmann::ordered_json& json, int indent = -1);

} // namespace ns3::odcn

#endif /* ODCN_JSON_FILE_H */
