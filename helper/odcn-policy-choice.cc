// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-choice.h"

#include "odcn-command-line.h"

#include "ns3/odcn-object-text.h"

#include <filesystem>

namespace ns3
{
namespace odcn
{

namespace
{

/**
 * @param [in,out] words of a policy; one of the type without a file gets this one
 * @param type TypeId name  @param attribute of it that names a file
 * @param file in place of none  @param option that says so  @param expected what it is
 * @return its file; "" for a policy of another type
 */
std::string
SetFile(std::string& words,
        const std::string& type,
        const std::string& attribute,
        const std::string& file,
        const std::string& option,
        const std::string& expected)
{
    auto text = OdcnObjectText::Parse("policy", words);
    if (text.type != type)
    {
        return "";
    }
    const auto named = text.attributes.emplace(attribute, file).first->second;
    OdcnCommandLine::Check(std::filesystem::is_regular_file(named), option, named, expected);
    words = text.Write();
    return named;
}

} // namespace

bool
OdcnIsTrained(const std::string& words)
{
    const auto type = OdcnObjectText::Parse("policy", words).type;
    return type == ODCN_AGENT_POLICY || type == ODCN_LINEAR_POLICY;
}

std::string
OdcnGetForm(const std::string& words)
{
    return OdcnIsTrained(words) ? OdcnObjectText::Parse("policy", words).type : words;
}

std::string
OdcnAddAttributes(const std::string& words, const std::string& more)
{
    const auto added = OdcnObjectText::Parse("policy", more).attributes;
    if (added.empty())
    {
        return words;
    }
    auto text = OdcnObjectText::Parse("policy", words);
    for (const auto& [name, value] : added)
    {
        text.attributes[name] = value;
    }
    const std::string all = text.Write();
    OdcnDecisionPolicy::Create(all);
    return all;
}

std::string
OdcnSetCheckpoint(std::string& words, const std::string& file)
{
    return SetFile(words,
                   ODCN_AGENT_POLICY,
                   "Checkpoint",
                   file,
                   "checkpoint",
                   "the file of an agent");
}

std::string
OdcnSetLinearFile(std::string& words, const std::string& file)
{
    return SetFile(words,
                   ODCN_LINEAR_POLICY,
                   "File",
                   file,
                   "linear",
                   "the file of a linear policy");
}

std::string
OdcnExpandPattern(std::string pattern, const std::string& name)
{
    if (const auto mark = pattern.find('%'); mark != std::string::npos)
    {
        pattern.replace(mark, 1, name);
    }
    return pattern;
}

bool
OdcnSetDefault(Object& object,
               const std::string& words,
               const std::string& name,
               const AttributeValue& value)
{
    TypeId::AttributeInformation attribute;
    if (!object.GetInstanceTypeId().LookupAttributeByName(name, &attribute))
    {
        return false;
    }
    if (!OdcnObjectText::Parse("object", words).attributes.count(name))
    {
        object.SetAttribute(name, value);
    }
    return true;
}

} // namespace odcn
} // namespace ns3
