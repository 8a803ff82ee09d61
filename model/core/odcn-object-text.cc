// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-object-text.h"

#include "odcn-attribute-text.h"
#include "odcn-error.h"
#include "odcn-text.h"

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
        const bool isNew =
            object.attributes.emplace(item.substr(0, equals), item.substr(equals + 1)).second;
        if (!isNew)
        {
            throw OdcnError::InOption(what, text, "each Attribute once");
        }
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

/// @param tid a type
/// @param base another
/// @return whether objects of the first exist and are of the second
static bool
IsCreatable(TypeId tid, TypeId base)
{
    return tid.HasConstructor() && (tid == base || tid.IsChildOf(base));
}

/// Namespace of odcn's types.
static const std::string PREFIX = "ns3::odcn::";

TypeId
ObjectText::Resolve(const std::string& what, TypeId base, const std::vector<std::string>& others)
{
    TypeId tid;
    for (const auto& name : {type, PREFIX + type})
    {
        if (TypeId::LookupByNameFailSafe(name, &tid) && IsCreatable(tid, base))
        {
            type = name;
            return tid;
        }
    }
    std::vector<std::string> known = ListTypes(base);
    const std::string expected = JoinWords(others.empty() ? known : others);
    known.insert(known.end(), others.begin(), others.end());
    throw OdcnError::InOption(what, type, expected + AskWhether(FindSimilar(type, known)));
}

Ptr<Object>
ObjectText::Create(const std::string& what, TypeId base) const
{
    const PlainLocale plain;
    ObjectFactory factory;
    factory.SetTypeId(ObjectText(*this).Resolve(what, base));
    const TypeId tid = factory.GetTypeId();
    auto object = factory.Create<Object>();
    for (const auto& [name, value] : attributes)
    {
        TypeId::AttributeInformation attribute;
        if (!tid.LookupAttributeByName(name, &attribute))
        {
            std::vector<std::string> known;
            for (TypeId of = tid; of.HasParent(); of = of.GetParent())
            {
                for (std::size_t i = 0; i < of.GetAttributeN(); ++i)
                {
                    known.push_back(of.GetAttribute(i).name);
                }
            }
            throw OdcnError::InOption(what + " " + type,
                                      name + "=" + value,
                                      "one of its Attributes" +
                                          AskWhether(FindSimilar(name, known)));
        }
        if (!odcn::IsReadable(*attribute.checker, value) ||
            !object->SetAttributeFailSafe(name, StringValue(value)))
        {
            throw OdcnError::InOption(what + " " + type,
                                      name + "=" + value,
                                      DescribeValues(*attribute.checker));
        }
    }
    return object;
}

std::vector<std::string>
ListTypes(TypeId base)
{
    std::set<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (IsCreatable(tid, base))
        {
            const std::string name = tid.GetName();
            names.insert(name.starts_with(PREFIX) ? name.substr(PREFIX.size()) : name);
        }
    }
    return {names.begin(), names.end()};
}

} // namespace ns3::odcn
