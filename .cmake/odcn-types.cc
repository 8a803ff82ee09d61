// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Prints every TypeId of odcn with its Attributes and trace sources as reStructuredText, for the
 * page "Types" of the manual (doc/conf.py).
 */

#include "ns3/type-id.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;

namespace
{

const std::string PREFIX = "ns3::odcn::"; //!< of the names of odcn's types

/// @param text any text  @return it as a literal
std::string
Literal(const std::string& text)
{
    return text.empty() ? "\"\"" : "``" + text + "``";
}

/// @param text help  @return it with reStructuredText's own characters escaped
std::string
Escape(const std::string& text)
{
    std::string result;
    for (const char c : text)
    {
        result += (c == '*' || c == '`' || c == '|' || c == '_' || c == '\\') ? "\\" : "";
        result += c;
    }
    return result;
}

/// @param name name of a class  @return name of Doxygen's page of it
std::string
GetPage(const std::string& name)
{
    std::string page = "class";
    for (const char c : name)
    {
        page += c == ':' ? "_1" : std::string(1, c);
    }
    return "doxygen/" + page + ".html";
}

/// Print a type. @param tid the type
void
Print(TypeId tid)
{
    // "FairQueue<Packet>" is the class FairQueue, and its name where a queue is asked for.
    const std::string full = tid.GetName().substr(0, tid.GetName().find('<'));
    const std::string name = full.substr(PREFIX.size());
    const std::string parent = tid.GetParent().GetName();
    std::cout << name << "\n"
              << std::string(name.size(), '-') << "\n\n"
              << "`" << name << " <" << GetPage(full) << ">`__, a "
              << (parent.rfind(PREFIX, 0) == 0 ? parent.substr(PREFIX.size()) : parent)
              << (tid.HasConstructor() ? "" : "; cannot be created by name") << ".\n\n";
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation a = tid.GetAttribute(i);
        std::string type = a.checker->GetUnderlyingTypeInformation();
        // "uint32_t 1:4294967295": the greatest value of the type is no bound worth reading.
        for (const std::string most : {"4294967295", "18446744073709551615", "1.79769e+308"})
        {
            const auto end = type.rfind(":" + most);
            if (end != std::string::npos && end + 1 + most.size() == type.size())
            {
                type.resize(end);
                const auto from = type.rfind(' ');
                const std::string least = type.substr(from + 1);
                type = type.substr(0, from) + (least == "0" ? "" : " from " + least);
            }
        }
        const std::string value = a.originalInitialValue->SerializeToString(a.checker);
        if (type.empty())
        {
            type = a.checker->GetValueTypeName();
        }
        std::cout << "* **" << a.name << "** (" << Literal(type) << ", default " << Literal(value)
                  << (a.flags & TypeId::ATTR_SET ? "" : ", read only") << "): " << Escape(a.help)
                  << "\n";
    }
    for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
    {
        const TypeId::TraceSourceInformation t = tid.GetTraceSource(i);
        std::cout << "* trace source **" << t.name << "** (" << Literal(t.callback)
                  << "): " << Escape(t.help) << "\n";
    }
    std::cout << "\n";
}

} // namespace

int
main()
{
    std::map<std::string, TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.GetName().rfind(PREFIX, 0) == 0)
        {
            types[tid.GetName()] = tid;
        }
    }
    for (const auto& [name, tid] : types)
    {
        Print(tid);
    }
}
