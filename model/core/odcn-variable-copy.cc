// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-variable-copy.h"

#include "odcn-error.h"

#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <cstddef>

namespace ns3::odcn
{

Ptr<RandomVariableStream>
CopyVariable(const Ptr<RandomVariableStream>& pattern, const std::string& what)
{
    if (!pattern)
    {
        return nullptr;
    }
    if (DynamicCast<EmpiricalRandomVariable>(pattern) ||
        DynamicCast<DeterministicRandomVariable>(pattern))
    {
        throw OdcnError::InOption(what,
                                  pattern->GetInstanceTypeId().GetName(),
                                  "a variable defined by its Attributes, such as "
                                  "ns3::odcn::MixRandomVariable");
    }
    ObjectFactory factory;
    factory.SetTypeId(pattern->GetInstanceTypeId());
    auto copy = factory.Create<RandomVariableStream>();
    for (TypeId tid = pattern->GetInstanceTypeId(); tid != Object::GetTypeId();
         tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto attribute = tid.GetAttribute(i);
            if (attribute.name != "Stream" && attribute.accessor->HasGetter() &&
                attribute.accessor->HasSetter())
            {
                const Ptr<AttributeValue> value = attribute.checker->Create();
                pattern->GetAttribute(attribute.name, *value);
                copy->SetAttribute(attribute.name, *value);
            }
        }
    }
    return copy;
}

} // namespace ns3::odcn
