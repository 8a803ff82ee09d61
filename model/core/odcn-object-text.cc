// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-object-text.h"

#include "odcn-error.h"
#include "odcn-safe-text.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <set>

namespace ns3::odcn
{

namespace
{

/// @param text a text  @return whether each of its brackets has its other half
bool
HasPairs(const std::string& text)
{
    int depth = 0;
    for (const char c : text)
    {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth < 0)
        {
            return false;
        }
    }
    return depth == 0;
}

} // namespace

bool
ObjectText::IsReadable(TypeId tid, const std::string& name, const std::string& value)
{
    TypeId::AttributeInformation attribute;
    if (!tid.LookupAttributeByName(name, &attribute))
    {
        return false;
    }
    return odcn::IsReadable(*attribute.checker, value);
}

ObjectText
ObjectText::Parse(const std::string& what, const std::string& text)
{
    ObjectText object;
    const auto bracket = text.find('[');
    object.type = text.substr(0, bracket);
    if (bracket == std::string::npos)
    {
        return object;
    }
    if (text.back() != ']')
    {
        throw OdcnError::InOption(what, text, "TypeId[Attribute=value|...]");
    }
    const std::string inside = text.substr(bracket + 1, text.size() - bracket - 2);
    for (std::size_t begin = 0; begin < inside.size();)
    {
        // A value may be an object with Attributes of its own.
        std::size_t end = begin;
        for (int depth = 0; end < inside.size() && (inside[end] != '|' || depth > 0); ++end)
        {
            depth += inside[end] == '[' ? 1 : inside[end] == ']' ? -1 : 0;
        }
        const auto item = inside.substr(begin, end - begin);
        if (!HasPairs(item))
        {
            throw OdcnError::InOption(what, item, "brackets in pairs");
        }
        const auto equals = item.find('=');
        if (equals == std::string::npos)
        {
            throw OdcnError::InOption(what, item, "Attribute=value");
        }
        object.attributes[item.substr(0, equals)] = item.substr(equals + 1);
        begin = end + 1;
    }
    return object;
}

std::string
ObjectText::Write() const
{
    std::string text = type;
    for (const auto& [name, value] : attributes)
    {
        text += (text.size() == type.size() ? "[" : "|") + name + "=" + value;
    }
    return text + (attributes.empty() ? "" : "]");
}

/// @param tid a type  @param base another  @return whether objects of the first exist and are of
/// the second
static bool
IsCreatable(TypeId tid, TypeId base)
{
    return tid.HasConstructor() && (tid == base || tid.IsChildOf(base));
}

Ptr<Object>
ObjectText::Create(const std::string& what, TypeId base, const std::string& expected) const
{
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !IsCreatable(tid, base))
    {
        throw OdcnError::InOption(what,
                                  type,
                                  expected.empty() ? "the TypeId of a " + what : expected);
    }
    ObjectFactory factory;
    factory.SetTypeId(tid);
    auto object = factory.Create<Object>();
    for (const auto& [name, value] : attributes)
    {
        if (!IsReadable(tid, name, value) ||
            !object->SetAttributeFailSafe(name, StringValue(value)))
        {
            throw OdcnError::InOption(what + " " + type,
                                      name + "=" + value,
                                      "an Attribute of it with a value in its range");
        }
    }
    return object;
}

std::string
ListTypes(TypeId base)
{
    const std::string prefix = "ns3::odcn::";
    std::set<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (IsCreatable(tid, base))
        {
            const std::string name = tid.GetName();
            names.insert(name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size())
                                                                     : name);
        }
    }
    std::string list;
    for (const std::string& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

} // namespace ns3::odcn
