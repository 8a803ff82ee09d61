// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OBJECT_TEXT_H
#define ODCN_OBJECT_TEXT_H

#include "ns3/object.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Type and Attributes of an object in text form,
 * "ns3::odcn::OdcnMlpNetwork[HiddenUnits=64|HiddenLayers=2]". A value may itself have this form:
 * "MatchingSchedule[Algorithm=BirkhoffMatching[Terms=64]|Period=1ms]".
 */
struct ObjectText
{
    std::string type;                              //!< TypeId name; ns3::odcn:: may be left out
    std::map<std::string, std::string> attributes; //!< values by name

    /**
     * @param what kind of the object for error messages, e.g. "network"
     * @param text the text
     * @return type and Attributes
     * @throws OdcnError when the text is malformed
     */
    static ObjectText Parse(const std::string& what, const std::string& text);

    /**
     * Check an Attribute value, since ns-3 aborts the program at a malformed number.
     * @param tid type of an object  @param name name of an Attribute  @param value its value
     * @return whether the Attribute exists, and a numeric Attribute has a numeric value
     */
    static bool IsReadable(TypeId tid, const std::string& name, const std::string& value);

    /// @return the text form, as read by Parse()
    std::string Write() const;

    /**
     * @param what kind of the object, for error messages
     * @param base required base type
     * @param others what error messages name in place of the types
     * @return the type, whose whole name is in type from now on
     * @throws OdcnError when there is no such type
     */
    TypeId Resolve(const std::string& what,
                   TypeId base,
                   const std::vector<std::string>& others = {});

    /**
     * @param what kind of the object, for error messages
     * @param base required base type
     * @return the object
     * @throws OdcnError when the type or an Attribute does not exist, or a value is out of range
     */
    Ptr<Object> Create(const std::string& what, TypeId base) const;
};

/**
 * @tparam V kind of the value, e.g. UintegerValue
 * @param object an object
 * @param name name of one of its Attributes
 * @return its value
 */
template <typename V>
auto
GetAttributeOf(const ObjectBase& object, const std::string& name)
{
    V value;
    object.GetAttribute(name, value);
    return value.Get();
}

/**
 * @param base a base type
 * @return the names of all types derived from it that can be created, in order, without the
 * namespace ns3::odcn
 */
std::vector<std::string> ListTypes(TypeId base);

/**
 * @tparam T required base type
 * @param what kind of the object, for error messages
 * @param text type and Attributes; the namespace ns3::odcn may be left out
 * @return the object
 * @throws OdcnError as ObjectText::Parse() and ObjectText::Create(); it lists the valid types
 */
template <typename T>
Ptr<T>
CreateFromText(const std::string& what, const std::string& text)
{
    return DynamicCast<T>(ObjectText::Parse(what, text).Create(what, T::GetTypeId()));
}

} // namespace ns3::odcn

#endif /* ODCN_OBJECT_TEXT_H */
