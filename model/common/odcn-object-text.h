// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OBJECT_TEXT_H
#define ODCN_OBJECT_TEXT_H

#include "ns3/object.h"

#include <map>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Type and Attributes of an object as text,
 * "ns3::odcn::OdcnMlpNetwork[HiddenUnits=64|HiddenLayers=2]".
 */
struct ObjectText
{
    std::string type;                              //!< TypeId name
    std::map<std::string, std::string> attributes; //!< values by name

    /**
     * @param what it describes, for errors, e.g. "network"
     * @param text the text
     * @return type and Attributes
     * @throws OdcnError when the text has another form
     */
    static ObjectText Parse(const std::string& what, const std::string& text);

    /**
     * ns-3 aborts the program at a malformed number.
     * @param tid of an object  @param name of an Attribute  @param value for it
     * @return whether there is such an Attribute, and the value a number if it has to be one
     */
    static bool IsReadable(TypeId tid, const std::string& name, const std::string& value);

    /**
     * Set an Attribute of an object that was created from words, unless the words set it.
     * @param object e.g. a learner  @param words that it was created from
     * @param name of the Attribute  @param value in its range
     * @return whether the object has such an Attribute
     */
    static bool SetDefault(Object& object,
                           const std::string& words,
                           const std::string& name,
                           const AttributeValue& value);

    /// @return the text that Parse() reads
    std::string Write() const;

    /**
     * @param what it describes, for errors
     * @param base what the object has to be
     * @param expected which types would have been accepted, for errors; "" for any of that base
     * @return the object
     * @throws OdcnError when there is no such type, or no such Attribute, or a value is out of
     * range
     */
    Ptr<Object> Create(const std::string& what,
                       TypeId base,
                       const std::string& expected = "") const;
};

} // namespace ns3::odcn

#endif /* ODCN_OBJECT_TEXT_H */
