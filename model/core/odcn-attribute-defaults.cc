// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-attribute-defaults.h"

#include "odcn-error.h"
#include "odcn-text.h"

#include "ns3/string.h"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

Ptr<const AttributeValue>
FindDefault(TypeId tid, const std::string& name)
{
    TypeId::AttributeInformation attribute;
    if (!tid.LookupAttributeByName(name, &attribute))
    {
        throw OdcnError::InOption(tid.GetName(), name, "one of its Attributes");
    }
    std::vector<std::string_view> items;
    if (const char* given = std::getenv("NS_ATTRIBUTE_DEFAULT"))
    {
        SplitText(given, ';', items);
    }
    const std::string start = tid.GetName() + "::" + name + "=";
    for (const std::string_view item : items)
    {
        if (item.starts_with(start))
        {
            const StringValue text(std::string(item.substr(start.size())));
            return attribute.checker->CreateValidValue(text);
        }
    }
    return attribute.initialValue;
}

} // namespace ns3::odcn
