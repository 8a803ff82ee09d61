// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-network.h"

#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-fault-injector.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FabricNetwork);

TypeId
FabricNetwork::GetTypeId()
{
    static TypeId tid = TypeIdOf<FabricNetwork, Object>("ns3::odcn::FabricNetwork");
    return tid;
}

FabricNetwork::FabricNetwork(const FabricDesign& design, Ptr<OcsFabric> fabric)
    : m_design(design),
      m_fabric(fabric)
{
}

FabricNetwork::FabricNetwork(const FabricDesign& design, Ptr<PacketNetwork> network)
    : m_design(design),
      m_network(network)
{
}

void
FabricNetwork::DoDispose()
{
    m_fabric = nullptr;
    m_network = nullptr;
    m_schedule = nullptr;
    m_controller = nullptr;
    Object::DoDispose();
}

NodeContainer
FabricNetwork::GetServers() const
{
    return m_fabric ? m_fabric->GetServers() : m_network->GetServers();
}

Ipv4Address
FabricNetwork::GetServerAddress(ServerId server) const
{
    const uint32_t servers = m_design.GetSize().servers;
    return m_fabric ? m_fabric->GetServerAddress(server / servers, server % servers)
                    : m_network->GetServerAddress(server);
}

PacketCounts
FabricNetwork::Count() const
{
    return m_fabric ? m_fabric->Count() : m_network->Count();
}

int64_t
FabricNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return m_fabric ? m_fabric->AssignStreams(stream) : m_network->AssignStreams(stream);
}

void
FabricNetwork::SetCircuits(const DemandMatrix& demand, int64_t stream)
{
    if (m_schedule || m_controller)
    {
        throw OdcnError("FabricNetwork: circuits are set once");
    }
    if (m_design.IsScheduled())
    {
        m_schedule = m_design.MakeSchedule(demand, stream);
    }
    else if (m_design.IsController())
    {
        m_controller = m_design.MakeController(stream);
    }
}

void
FabricNetwork::StartCircuits()
{
    if (m_started)
    {
        throw OdcnError("FabricNetwork: circuits are started once");
    }
    if (m_controller)
    {
        m_controller->SetFabric(m_fabric);
        CreateObject<Node>()->AddApplication(m_controller);
    }
    else if (m_schedule)
    {
        m_design.Explain([&] { CreateObject<OcsScheduleFollower>()->Start(m_fabric, m_schedule); });
    }
    else if (m_design.IsScheduled() || m_design.IsController())
    {
        throw OdcnError("FabricNetwork: SetCircuits() comes before StartCircuits()");
    }
    m_started = true;
}

void
FabricNetwork::SetParts(FaultInjector& injector) const
{
    m_fabric ? injector.SetFabric(m_fabric) : injector.SetPacketNetwork(m_network);
}

} // namespace ns3::odcn
