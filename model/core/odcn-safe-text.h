// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SAFE_TEXT_H
#define ODCN_SAFE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

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

/**
 * Check the text of an Attribute or a GlobalValue, since ns-3 aborts the program at a malformed
 * one.
 * @param checker that of the value
 * @param value the value as text
 * @return whether the text has the form of the checker's type: a number, a time up to 9e6 s, one of
 * a list of words, an existing type with existing Attributes, ...; the value may be out of range
 */
bool IsReadable(const AttributeChecker& checker, const std::string& value);

/// @param path TYPE::ATTRIBUTE
/// @param [out] attribute the Attribute
/// @return whether there is one
bool FindAttribute(const std::string& path, TypeId::AttributeInformation& attribute);

/**
 * @param checker that of a value
 * @return whether it is true or false
 */
bool IsSwitch(const AttributeChecker& checker);

/**
 * @param checker that of a value
 * @param where it stands, for the error
 * @param text the value
 * @throws OdcnError when the value is not valid
 */
void RequireValid(const AttributeChecker& checker,
                  const std::string& where,
                  const std::string& text);

/**
 * @param checker that of a value
 * @return the valid values in words, for messages
 */
std::string DescribeValues(const AttributeChecker& checker);

} // namespace ns3::odcn

#endif /* ODCN_SAFE_TEXT_H */
