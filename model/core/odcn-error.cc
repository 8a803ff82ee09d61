// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-error.h"

#include "odcn-safe-text.h"

namespace ns3::odcn
{

namespace
{

/**
 * Keep a message on one line: a hostile or binary input must not break the terminal.
 * @param text any text
 * @return at most 80 printable characters of the text
 */
std::string
Printable(const std::string& text)
{
    constexpr std::size_t LIMIT = 80;
    std::string out;
    for (unsigned char c : text.substr(0, LIMIT))
    {
        out += (c >= 0x20 && c < 0x7f) ? static_cast<char>(c) : '?';
    }
    return text.size() > LIMIT ? out + "..." : out;
}

} // namespace

OdcnError::OdcnError(const std::string& what)
    : std::runtime_error(EscapeText(what))
{
}

OdcnError
OdcnError::InFile(const std::string& file,
                  uint64_t line,
                  const std::string& value,
                  const std::string& expected)
{
    return OdcnError(file + (line ? ":" + std::to_string(line) : "") + ": found '" +
                     Printable(value) + "', expected " + expected);
}

OdcnError
OdcnError::InOption(const std::string& option,
                    const std::string& value,
                    const std::string& expected)
{
    return OdcnError(option + ": found '" + Printable(value) + "', expected " + expected);
}

} // namespace ns3::odcn
