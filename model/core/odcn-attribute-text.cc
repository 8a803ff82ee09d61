// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-attribute-text.h"

#include "odcn-agent-library.h"
#include "odcn-error.h"
#include "odcn-object-text.h"
#include "odcn-text.h"

#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// @param text a number, perhaps with a unit
/// @return the number in front, and the unit
std::pair<std::optional<double>, std::string_view>
SplitUnit(std::string_view text)
{
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    return {ParseFinite(text.substr(0, end)), text.substr(end)};
}

/// @param checker of a value
/// @return name of its type, with the namespace that some lack in ns-3.37
std::string
GetTypeName(const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    return type.starts_with("ns3::") ? type : "ns3::" + type;
}

/// @param text a time
/// @return whether ns-3 reads it, it has a unit, and it fits into a Time of picoseconds
bool
IsTime(std::string_view text)
{
    static const std::map<std::string_view, double> SECONDS{{"s", 1},
                                                            {"ms", 1e-3},
                                                            {"us", 1e-6},
                                                            {"ns", 1e-9},
                                                            {"ps", 1e-12},
                                                            {"fs", 1e-15},
                                                            {"min", 60},
                                                            {"h", 3600},
                                                            {"d", 86400},
                                                            {"y", 31536000}};
    const auto [number, unit] = SplitUnit(text.substr(text.find('+') == 0 ? 1 : 0));
    const auto found = SECONDS.find(unit);
    return number && found != SECONDS.end() && std::abs(*number * found->second) <= 9e6;
}

/// @param text type and Attributes
/// @return whether ns-3 can create the object
bool
IsObject(const std::string& text)
{
    try
    {
        const auto object = ObjectText::Parse("object", text);
        TypeId tid;
        return TypeId::LookupByNameFailSafe(object.type, &tid) && tid.HasConstructor() &&
               std::all_of(object.attributes.begin(),
                           object.attributes.end(),
                           [tid](const auto& item)
                           { return ObjectText::IsReadable(tid, item.first, item.second); });
    }
    catch (const OdcnError&)
    {
        return false;
    }
}

} // namespace

bool
IsReadable(const AttributeChecker& checker, const std::string& value)
{
    const std::string type = GetTypeName(checker);
    if (type == "ns3::StringValue")
    {
        return true;
    }
    if (value.find_first_of(" \t\n\v\f\r") != std::string::npos)
    {
        return false;
    }
    if (type == "ns3::DoubleValue")
    {
        return ParseFinite(value).has_value();
    }
    if (type == "ns3::UintegerValue")
    {
        return ParseCount(value).has_value();
    }
    if (type == "ns3::IntegerValue")
    {
        const auto number = ParseFinite(value);
        return number && std::abs(*number) < 0x1p63 &&
               value.find_first_not_of("-0123456789") == std::string::npos;
    }
    if (type == "ns3::TimeValue")
    {
        return IsTime(value);
    }
    if (type == "ns3::DataRateValue")
    {
        // A number alone would be bits per second.
        const auto [number, unit] = SplitUnit(value);
        const double most = unit == "bps" || unit == "b/s" ? 1e18 : 1e9;
        return number && *number >= 0 && *number < most && !unit.empty();
    }
    if (type.compare(0, 14, "ns3::EnumValue") == 0)
    {
        std::vector<std::string_view> words;
        const std::string all = checker.GetUnderlyingTypeInformation();
        SplitText(all, '|', words);
        return std::find(words.begin(), words.end(), value) != words.end();
    }
    if (type == "ns3::TypeIdValue")
    {
        TypeId tid;
        return TypeId::LookupByNameFailSafe(value, &tid);
    }
    if (type == "ns3::PointerValue" || type == "ns3::ObjectFactoryValue")
    {
        return IsObject(value);
    }
    return true;
}

bool
FindAttribute(const std::string& path, TypeId::AttributeInformation& attribute)
{
    const auto colons = path.rfind("::");
    TypeId tid;
    if (colons == std::string::npos || !AgentLibrary::FindType(path.substr(0, colons), tid))
    {
        return false;
    }
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        attribute = tid.GetAttribute(i);
        if (attribute.name == path.substr(colons + 2))
        {
            return true;
        }
    }
    return false;
}

bool
IsSwitch(const AttributeChecker& checker)
{
    return GetTypeName(checker) == "ns3::BooleanValue";
}

void
RequireValid(const AttributeChecker& checker, const std::string& where, const std::string& text)
{
    const PlainLocale plain;
    if (!IsReadable(checker, text) || !checker.CreateValidValue(StringValue(text)))
    {
        throw OdcnError::InOption(where, text, DescribeValues(checker));
    }
}

std::string
DescribeValues(const AttributeChecker& checker)
{
    const std::string type = GetTypeName(checker);
    const std::string values = checker.GetUnderlyingTypeInformation();
    if (IsSwitch(checker))
    {
        return "true or false";
    }
    if (type == "ns3::TimeValue")
    {
        return "a time such as 10us";
    }
    if (type == "ns3::DataRateValue")
    {
        return "a rate such as 10Gbps";
    }
    if (type == "ns3::QueueSizeValue")
    {
        return "a size such as 100p or 150000B";
    }
    if (type.starts_with("ns3::EnumValue")) // a template from ns-3.41 on
    {
        std::vector<std::string> words;
        std::istringstream text(values);
        for (std::string word; std::getline(text, word, '|');)
        {
            words.push_back(word);
        }
        return JoinWords(words);
    }
    const auto blank = values.find(' ');
    const auto colon = values.find(':', blank);
    if ((type == "ns3::UintegerValue" || type == "ns3::DoubleValue") && colon != std::string::npos)
    {
        const std::string least = values.substr(blank + 1, colon - blank - 1);
        const std::string most = values.substr(colon + 1);
        const bool unlimited = most == "4294967295" || most == "18446744073709551615" ||
                               ParseFinite(most).value_or(INFINITY) > 1e300;
        if (!unlimited)
        {
            return least + " to " + most;
        }
        if (type == "ns3::UintegerValue" && least == "0")
        {
            return "a whole number from 0 to " + most;
        }
        return ParseFinite(least).value_or(-INFINITY) < -1e300 ? "a number" : least + " or more";
    }
    return "a value of " + type + ": " + values;
}

} // namespace ns3::odcn
