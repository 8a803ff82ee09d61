// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ATTRIBUTES_H
#define ODCN_ATTRIBUTES_H

/**
 * @file
 * TypeIds in which every type is stated once: an Attribute's value, accessor and checker follow
 * from the member that holds it. For .cc files only: never include it in a public header.
 */

#include "odcn-given-attributes.h"
#include "odcn-ns3-compat.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ns3::odcn
{

/// An Attribute without its help.
struct AttributeParts
{
    std::string name;                    //!< Its name
    Ptr<const AttributeValue> initial;   //!< Its default
    Ptr<const AttributeAccessor> access; //!< Sets and gets it
    Ptr<const AttributeChecker> checker; //!< Its type and range
};

/// Types whose Attributes may have a range, and bool.
template <typename T>
concept PlainAttribute = std::is_arithmetic_v<T> || std::is_same_v<T, Time>;

/// @tparam T number or Time
/// @param greatest which end
/// @return least or greatest value
template <typename T>
T
GetLimit(bool greatest)
{
    if constexpr (std::is_same_v<T, Time>)
    {
        return greatest ? Time::Max() : Time::Min();
    }
    else
    {
        return greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    }
}

/**
 * @tparam T number, bool or Time
 * @param name its name
 * @param initial its default
 * @param least value
 * @param most value
 * @param access member, or setter and getter
 * @return an Attribute
 */
template <typename T, typename... A>
AttributeParts
MakeAttribute(const std::string& name, T initial, T least, T most, A... access)
{
    if constexpr (std::is_same_v<T, bool>)
    {
        return {name,
                Create<BooleanValue>(initial),
                MakeBooleanAccessor(access...),
                MakeBooleanChecker()};
    }
    else if constexpr (std::is_same_v<T, Time>)
    {
        return {name,
                Create<TimeValue>(initial),
                MakeTimeAccessor(access...),
                MakeTimeChecker(least, most)};
    }
    else if constexpr (std::is_floating_point_v<T>)
    {
        return {name,
                Create<DoubleValue>(initial),
                MakeDoubleAccessor(access...),
                MakeDoubleChecker<T>(least, most)};
    }
    else
    {
        static_assert(std::is_unsigned_v<T>, "add the kind of Attribute here");
        return {name,
                Create<UintegerValue>(initial),
                MakeUintegerAccessor(access...),
                MakeUintegerChecker<T>(least, most)};
    }
}

/**
 * @param name its name
 * @param member number, bool or Time
 * @param initial its default
 * @param least value
 * @param most value
 * @return an Attribute
 */
template <typename C, PlainAttribute T>
AttributeParts
Attribute(const std::string& name,
          T C::*member,
          std::type_identity_t<T> initial,
          std::type_identity_t<T> least = GetLimit<T>(false),
          std::type_identity_t<T> most = GetLimit<T>(true))
{
    return MakeAttribute<T>(name, initial, least, most, member);
}

/**
 * @param name its name
 * @param set its setter
 * @param get its getter
 * @param initial its default
 * @param least value
 * @param most value
 * @return an Attribute
 */
template <typename C, typename S, PlainAttribute T>
AttributeParts
Attribute(const std::string& name,
          void (C::*set)(S),
          T (C::*get)() const,
          std::type_identity_t<T> initial,
          std::type_identity_t<T> least = GetLimit<T>(false),
          std::type_identity_t<T> most = GetLimit<T>(true))
{
    return MakeAttribute<T>(name, initial, least, most, set, get);
}

/// @param name its name
/// @param member text
/// @param initial its default
/// @return an Attribute
template <typename C>
AttributeParts
Attribute(const std::string& name, std::string C::*member, const std::string& initial)
{
    return {name, Create<StringValue>(initial), MakeStringAccessor(member), MakeStringChecker()};
}

/**
 * @param name its name
 * @param set its setter
 * @param get its getter
 * @param initial its default
 * @return an Attribute
 */
template <typename C, typename S>
AttributeParts
Attribute(const std::string& name,
          void (C::*set)(S),
          std::string (C::*get)() const,
          const std::string& initial)
{
    return {name, Create<StringValue>(initial), MakeStringAccessor(set, get), MakeStringChecker()};
}

/// @param name its name
/// @param member a rate
/// @param initial its default
/// @return an Attribute
template <typename C>
AttributeParts
Attribute(const std::string& name, DataRate C::*member, const DataRate& initial)
{
    return {name,
            Create<DataRateValue>(initial),
            MakeDataRateAccessor(member),
            MakeDataRateChecker()};
}

/**
 * @param name its name
 * @param member an object
 * @param initial its type with Attributes; "" for none
 * @return an Attribute
 */
template <typename C, typename T>
AttributeParts
Attribute(const std::string& name, Ptr<T> C::*member, const std::string& initial = "")
{
    Ptr<const AttributeValue> value = Create<PointerValue>();
    if (!initial.empty())
    {
        value = Create<StringValue>(initial);
    }
    return {name, value, MakePointerAccessor(member), MakePointerChecker<T>()};
}

/**
 * @param name its name
 * @param member an enumerator
 * @param initial its default
 * @param checker of its names
 * @return an Attribute
 */
template <typename C, typename T>
AttributeParts
Attribute(const std::string& name,
          T C::*member,
          std::type_identity_t<T> initial,
          Ptr<const AttributeChecker> checker)
{
    return {name, Create<CompatEnumValue<T>>(initial), CompatEnumAccessor<T>(member), checker};
}

/**
 * @param name its name
 * @param member an enumerator
 * @param initial its default
 * @param names of the enumerators
 * @return an Attribute
 */
template <typename C, typename T, std::size_t N>
AttributeParts
Attribute(const std::string& name,
          T C::*member,
          std::type_identity_t<T> initial,
          const std::pair<std::type_identity_t<T>, const char*> (&names)[N])
{
    const auto make = [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        return std::apply(
            [](auto... all) { return MakeEnumChecker(all...); },
            std::tuple_cat(std::tuple<T, std::string>(names[I].first, names[I].second)...));
    };
    return Attribute(name, member, initial, make(std::make_index_sequence<N>()));
}

/// A trace source without its help.
struct TraceParts
{
    std::string name;                      //!< Its name
    Ptr<const TraceSourceAccessor> access; //!< Connects sinks
    std::string callback;                  //!< Name of the signature, without its class
};

/**
 * @param name its name
 * @param member a TracedCallback
 * @param callback name of the signature: a type of the class, or with namespaces
 * @return a trace source
 */
template <typename M>
TraceParts
Trace(const std::string& name, M member, const std::string& callback)
{
    return {name, MakeTraceSourceAccessor(member), callback};
}

/// Adds Attributes and trace sources to a TypeId.
class TypeIdBuilder
{
  public:
    /// @param tid a TypeId
    explicit TypeIdBuilder(TypeId tid)
        : m_tid(tid)
    {
    }

    /// @param parts the Attribute
    /// @param help its help
    /// @return this
    TypeIdBuilder& Add(const AttributeParts& parts, const std::string& help)
    {
        return AddAttribute(parts.name, help, *parts.initial, parts.access, parts.checker);
    }

    /// @param parts the trace source
    /// @param help its help
    /// @return this
    TypeIdBuilder& Add(const TraceParts& parts, const std::string& help)
    {
        const bool local = parts.callback.find("::") == std::string::npos;
        m_tid.AddTraceSource(parts.name,
                             help,
                             parts.access,
                             (local ? m_tid.GetName() + "::" : "") + parts.callback);
        return *this;
    }

    /// An Attribute of another form.
    /// @param all as for TypeId::AddAttribute()
    /// @return this
    template <typename... A>
    TypeIdBuilder& AddAttribute(const A&... all)
    {
        m_tid.AddAttribute(Guard(all)...);
        return *this;
    }

    /// @return the TypeId
    operator TypeId() const
    {
        return m_tid;
    }

  protected:
    TypeId m_tid; //!< The TypeId

  private:
    /// @param part of an Attribute
    /// @return it, an accessor so that it refuses what a user has set otherwise
    template <typename P>
    static decltype(auto) Guard(const P& part)
    {
        if constexpr (std::is_same_v<P, Ptr<const AttributeAccessor>>)
        {
            return GivenAttributes::Guard(part);
        }
        else
        {
            return (part);
        }
    }
};

/**
 * TypeId of a class, in group Odcn, with its constructor if it has one without arguments.
 * @tparam C the class
 * @tparam Parent its base class
 */
template <typename C, typename Parent>
class TypeIdOf : public TypeIdBuilder
{
  public:
    /// @param name of the class, with namespaces
    explicit TypeIdOf(const std::string& name)
        : TypeIdBuilder(TypeId(name))
    {
        m_tid.SetParent<Parent>();
        m_tid.SetGroupName("Odcn");
        if constexpr (std::is_default_constructible_v<C>)
        {
            m_tid.AddConstructor<C>();
        }
    }
};

} // namespace ns3::odcn

#endif /* ODCN_ATTRIBUTES_H */
