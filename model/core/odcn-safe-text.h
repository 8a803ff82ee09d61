// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SAFE_TEXT_H
#define ODCN_SAFE_TEXT_H

#include <string>
#include <string_view>

namespace ns3::odcn
{

/**
 * @param text text of any origin
 * @return the text on one line that a terminal shows as it is: \\xHH instead of control characters
 * (C0, DEL, and C1 in UTF-8) and of bytes that are not UTF-8
 */
std::string EscapeText(std::string_view text);

/// @param text text of any origin
/// @return it in UTF-8: \\xHH instead of bytes that are not
std::string MakeUtf8(std::string_view text);

/// @param text any text  @return it for a text or an attribute of XML or HTML, in UTF-8
std::string EscapeXml(std::string_view text);

} // namespace ns3::odcn

#endif /* ODCN_SAFE_TEXT_H */
