// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_VALUE_TAG_H
#define ODCN_VALUE_TAG_H

#include "ns3/tag.h"

#include <cstdint>
#include <ostream>

namespace ns3::odcn
{

/// A tag that carries a value. T is a struct of numbers with the name of the tag's TypeId, NAME.
template <typename T>
class ValueTag : public Tag
{
  public:
    /// @return the type, of the name T::NAME
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(T::NAME)
                                .SetParent<Tag>()
                                .SetGroupName("Odcn")
                                .template AddConstructor<ValueTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(T);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.Write(reinterpret_cast<const uint8_t*>(&value), sizeof(T));
    }

    void Deserialize(TagBuffer buffer) override
    {
        buffer.Read(reinterpret_cast<uint8_t*>(&value), sizeof(T));
    }

    void Print(std::ostream& os) const override
    {
        os << T::NAME;
    }

    T value{}; //!< the value
};

} // namespace ns3::odcn

#endif /* ODCN_VALUE_TAG_H */
