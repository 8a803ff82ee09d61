// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ATTRIBUTE_DEFAULTS_H
#define ODCN_ATTRIBUTE_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * @param tid a type
 * @param name name of one of its Attributes
 * @return its value in a new object, without making one: by the environment, by
 * Config::SetDefault() or by the type
 * @throws OdcnError when it has no such Attribute
 */
Ptr<const AttributeValue> FindDefault(TypeId tid, const std::string& name);

/**
 * @ingroup odcn
 *
 * @tparam V kind of the value, e.g. UintegerValue
 * @param tid a type
 * @param name name of one of its Attributes
 * @return its value in a new object
 * @throws OdcnError as FindDefault()
 */
template <typename V>
auto
GetDefaultOf(TypeId tid, const std::string& name)
{
    return DynamicCast<const V>(FindDefault(tid, name))->Get();
}

} // namespace ns3::odcn

#endif /* ODCN_ATTRIBUTE_DEFAULTS_H */
