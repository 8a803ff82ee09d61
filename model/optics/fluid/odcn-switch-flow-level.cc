// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-switch-flow-level.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(SwitchFlowLevel);

TypeId
SwitchFlowLevel::GetTypeId()
{
    using T = SwitchFlowLevel;
    static TypeId tid = TypeIdOf<SwitchFlowLevel, FlowLevel>("ns3::odcn::SwitchFlowLevel")
                            .Add(Attribute("Rate", &T::m_rate, DataRate("100Gbps")),
                                 "Rate of each port in each direction")
                            .Add(Attribute("Latency", &T::m_latency, MicroSeconds(1), Time(0)),
                                 "Time from the last bit sent to the last bit received");
    return tid;
}

void
SwitchFlowLevel::DoDispose()
{
    m_endPoints = 0;
    FlowLevel::DoDispose();
}

void
SwitchFlowLevel::SetNEndPoints(uint32_t endPoints)
{
    if (endPoints < 2 || m_endPoints != 0 || m_rate.GetBitRate() == 0)
    {
        throw OdcnError("SwitchFlowLevel: " + std::to_string(endPoints) + " end points at " +
                        std::to_string(m_rate.GetBitRate()) +
                        " bit/s, expected 2 or more at a rate above 0, set once");
    }
    m_endPoints = endPoints;
    for (uint32_t port = 0; port < 2 * endPoints; ++port)
    {
        AddLink(static_cast<double>(m_rate.GetBitRate()));
    }
}

void
SwitchFlowLevel::FindPath(const Message& message, Path& path)
{
    // Link 2i leads from end point i, link 2i + 1 to it.
    path.links.push_back(2 * message.from);
    path.links.push_back(2 * message.to + 1);
    path.hops.push_back(static_cast<double>(m_rate.GetBitRate()));
    path.propagation = m_latency;
}

} // namespace ns3::odcn
