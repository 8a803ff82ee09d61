// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-node.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OtnNode);

namespace
{

/// @param port wavelength of a fibre  @return its name in messages
std::string
Name(const OtnPort& port)
{
    return "wavelength " + std::to_string(port.index) + " of fibre " + std::to_string(port.fiber);
}

} // namespace

TypeId
OtnNode::GetTypeId()
{
    using T = OtnNode;
    static TypeId tid = TypeIdOf<OtnNode, Object>("ns3::odcn::OtnNode")
                            .Add(Attribute("OeoTime", &T::m_oeoTime, MicroSeconds(100), Time(0)),
                                 "Duration of an O-E-O conversion (t_OEO)")
                            .Add(Attribute("Transponders", &T::m_places, UINT16_MAX),
                                 "Largest number of transponders");
    return tid;
}

OtnNode::OtnNode() = default;

OtnNode::~OtnNode() = default;

void
OtnNode::DoDispose()
{
    m_transponders.clear();
    Object::DoDispose();
}

void
OtnNode::CheckRoom() const
{
    if (m_transponders.size() >= m_places)
    {
        throw OdcnError::InOption("OtnNode::Transponders",
                                  std::to_string(m_places),
                                  "room for one more transponder");
    }
}

uint32_t
OtnNode::AddTransponder(Ptr<OcsNetDevice> device)
{
    CheckRoom();
    m_transponders.push_back(device);
    return static_cast<uint32_t>(m_transponders.size() - 1);
}

void
OtnNode::Connect(const OtnPort& in, const OtnPort& out)
{
    const bool enters = in.fiber != OtnPort::TRANSPONDER;
    const bool leaves = out.fiber != OtnPort::TRANSPONDER;
    if (enters && m_inputs.contains(in))
    {
        throw OdcnError::InOption("input", Name(in), "a wavelength that goes nowhere yet");
    }
    if (leaves && m_outputs.contains(out))
    {
        throw OdcnError::InOption("output", Name(out), "a wavelength that nothing feeds yet");
    }
    if (enters)
    {
        m_inputs.emplace(in, out);
    }
    if (leaves)
    {
        m_outputs.emplace(out, in);
    }
}

void
OtnNode::Disconnect(const OtnPort& in, const OtnPort& out)
{
    m_inputs.erase(in);
    m_outputs.erase(out);
}

OtnPort
OtnNode::GetOutput(const OtnPort& in) const
{
    const auto found = m_inputs.find(in);
    if (found == m_inputs.end())
    {
        throw OdcnError::InOption("input", Name(in), "a wavelength that goes somewhere");
    }
    return found->second;
}

} // namespace ns3::odcn
