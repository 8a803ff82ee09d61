// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ATTRIBUTE_TEXT_H
#define ODCN_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3::odcn
{

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

#endif /* ODCN_ATTRIBUTE_TEXT_H */
