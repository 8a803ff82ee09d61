// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-law.h"

#include "odcn-error.h"

#include "ns3/object-factory.h"

#include <string>

namespace ns3
{
namespace odcn
{

namespace
{

/// @param pattern a variable, or null  @param what what it is for
/// @return another one with the same Attributes but the stream
Ptr<RandomVariableStream>
Copy(const Ptr<RandomVariableStream>& pattern, const std::string& what)
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
                                  "a variable told by its Attributes, such as "
                                  "ns3::odcn::OdcnMixRandomVariable");
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

} // namespace

OdcnPacketLaw::OdcnPacketLaw(const Ptr<RandomVariableStream>& sizes,
                             const Ptr<RandomVariableStream>& bursts,
                             int64_t gapStream)
    : m_sizes(Copy(sizes, "variable of packet sizes")),
      m_bursts(Copy(bursts, "variable of bursts"))
{
    AssignStreams(gapStream);
}

void
OdcnPacketLaw::SetBounds(uint32_t least, uint32_t greatest)
{
    m_least = least;
    m_greatest = greatest;
}

void
OdcnPacketLaw::AssignStreams(int64_t gapStream)
{
    if (m_sizes)
    {
        m_sizes->SetStream(gapStream < 0 ? -1 : gapStream + SIZE_STREAMS);
    }
    if (m_bursts)
    {
        m_bursts->SetStream(gapStream < 0 ? -1 : gapStream + BURST_STREAMS);
    }
}

uint32_t
OdcnPacketLaw::DrawSize() const
{
    const uint32_t size = m_sizes->GetInteger();
    if (size < m_least || size > m_greatest)
    {
        throw OdcnError::InOption(
            "packet size drawn from " + m_sizes->GetInstanceTypeId().GetName(),
            std::to_string(size),
            std::to_string(m_least) + " to " + std::to_string(m_greatest) + " bytes");
    }
    return size;
}

uint32_t
OdcnPacketLaw::DrawBurst() const
{
    const uint32_t packets = m_bursts->GetInteger();
    if (packets < 1 || packets > MAX_BURST)
    {
        throw OdcnError::InOption("burst drawn from " + m_bursts->GetInstanceTypeId().GetName(),
                                  std::to_string(packets),
                                  "1 to " + std::to_string(MAX_BURST) + " packets");
    }
    return packets;
}

} // namespace odcn
} // namespace ns3
