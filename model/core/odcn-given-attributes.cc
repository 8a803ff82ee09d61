// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-given-attributes.h"

#include "odcn-attribute-text.h"
#include "odcn-error.h"
#include "odcn-text.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <limits>
#include <map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// The value of an Attribute that a user has given.
struct GivenValue
{
    std::string where;                   //!< for errors
    std::string text;                    //!< as given
    Ptr<const AttributeChecker> checker; //!< of the Attribute

    /// @param value that a program sets
    /// @throws OdcnError when it is another one
    void Compare(const AttributeValue& value) const
    {
        // Read again, since the resolution of Time may have changed.
        const PlainLocale plain;
        const auto given = checker->CreateValidValue(StringValue(text));
        if (const std::string other = Write(value); other != Write(*given))
        {
            throw OdcnError::InOption(
                where,
                text,
                "nothing, since the program sets this Attribute itself, to '" + other + "'");
        }
    }

    /// @param value of the Attribute
    /// @return all of it, as it may be given; ns-3 writes six digits
    std::string Write(const AttributeValue& value) const
    {
        if (const auto* time = dynamic_cast<const TimeValue*>(&value))
        {
            PlainStream full;
            full.precision(std::numeric_limits<double>::digits10);
            full << time->Get().As();
            return full.str();
        }
        const auto* number = dynamic_cast<const DoubleValue*>(&value);
        return number ? FormatNumber(number->Get()) : value.SerializeToString(checker);
    }
};

/// All that are given, by TYPE::ATTRIBUTE.
std::map<std::string, GivenValue> g_given;

/// Sets and gets an Attribute, unless another value is given.
class GuardedAccessor : public AttributeAccessor
{
  public:
    /// @param access of the Attribute
    explicit GuardedAccessor(Ptr<const AttributeAccessor> access)
        : m_access(std::move(access))
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        if (m_given)
        {
            m_given->Compare(value);
        }
        return m_access->Set(object, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& attribute) const override
    {
        return m_access->Get(object, attribute);
    }

    bool HasGetter() const override
    {
        return m_access->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_access->HasSetter();
    }

    /// @param given value; null for none
    void SetGiven(const GivenValue* given) const
    {
        m_given = given;
    }

  private:
    Ptr<const AttributeAccessor> m_access;      //!< of the Attribute
    mutable const GivenValue* m_given{nullptr}; //!< of the user
};

/// @param path TYPE::ATTRIBUTE
/// @param given its value; null for none
void
Watch(const std::string& path, const GivenValue* given)
{
    TypeId::AttributeInformation attribute;
    if (FindAttribute(path, attribute))
    {
        const auto* guarded = dynamic_cast<const GuardedAccessor*>(PeekPointer(attribute.accessor));
        if (guarded)
        {
            guarded->SetGiven(given);
        }
    }
}

} // namespace

GivenAttributes::~GivenAttributes()
{
    for (const auto& path : m_paths)
    {
        Watch(path, nullptr);
        g_given.erase(path);
    }
}

void
GivenAttributes::Add(const std::string& where, const std::string& path, const std::string& text)
{
    TypeId::AttributeInformation attribute;
    // Each object that an Attribute creates is another one.
    if (!FindAttribute(path, attribute) ||
        attribute.checker->GetValueTypeName() == "ns3::PointerValue")
    {
        return;
    }
    g_given[path] = {where, text, attribute.checker};
    m_paths.push_back(path);
    Watch(path, &g_given[path]);
}

void
GivenAttributes::SetDefaultText(const std::string& path, const std::string& text)
{
    const PlainLocale plain;
    const StringValue value(text);
    TypeId::AttributeInformation attribute;
    if (FindAttribute(path, attribute) &&
        attribute.checker->GetValueTypeName() == "ns3::PointerValue")
    {
        SetInitialValue(path, value.Copy());
        return;
    }
    Config::SetDefault(path, value);
}

void
GivenAttributes::SetInitialValue(const std::string& path, const Ptr<const AttributeValue>& value)
{
    const auto colons = path.rfind("::");
    TypeId tid = TypeId::LookupByName(path.substr(0, colons));
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (tid.GetAttribute(i).name == path.substr(colons + 2))
        {
            tid.SetAttributeInitialValue(i, value);
        }
    }
}

void
GivenAttributes::SetDefault(const std::string& path, const AttributeValue& value)
{
    if (const auto found = g_given.find(path); found != g_given.end())
    {
        found->second.Compare(*found->second.checker->CreateValidValue(value));
    }
    Config::SetDefault(path, value);
}

bool
GivenAttributes::IsGiven(const std::string& path)
{
    return g_given.contains(path);
}

Ptr<const AttributeAccessor>
GivenAttributes::Guard(const Ptr<const AttributeAccessor>& access)
{
    return Create<GuardedAccessor>(access);
}

} // namespace ns3::odcn
