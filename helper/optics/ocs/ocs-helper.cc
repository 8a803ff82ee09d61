// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-helper.h"

#include "ns3/boolean.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fair-queue.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/odcn-text.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsHelper");

namespace
{

/// @param factory queue factory
/// @return whether it makes FairQueues
bool
IsFair(const ObjectFactory& factory)
{
    return factory.GetTypeId() == FairQueue::GetTypeId();
}

/// @param factory queue factory
/// @return whether it makes TrimQueues, which are in another library
bool
IsTrim(const ObjectFactory& factory)
{
    return factory.GetTypeId().GetName() == "ns3::odcn::TrimQueue<Packet>";
}

/// @param factory queue factory
/// @param what purpose, for errors
/// @param mayBeOther whether it may make FairQueues or TrimQueues
/// @return its limit in packets
uint32_t
GetRoom(const ObjectFactory& factory, const char* what, bool mayBeOther)
{
    const QueueSize room = factory.Create<Queue<Packet>>()->GetMaxSize();
    const std::string type = factory.GetTypeId().GetName();
    const bool isOther = IsFair(factory) || IsTrim(factory);
    if ((type != "ns3::DropTailQueue<Packet>" && !(mayBeOther && isOther)) ||
        room.GetUnit() != QueueSizeUnit::PACKETS)
    {
        PlainStream text;
        text << type << " of " << room;
        throw OdcnError::InOption(
            std::string("exact packet engine: queue of ") + what,
            text.str(),
            std::string("an ns3::DropTailQueue ") +
                (mayBeOther ? "or ns3::odcn::FairQueue or ns3::odcn::TrimQueue " : "") +
                "with room for so many packets");
    }
    return room.GetValue();
}

/**
 * @param object an object
 * @param name name of a Time Attribute
 * @return its value in ps
 */
int64_t
GetPs(const ObjectBase& object, const char* name)
{
    return GetAttributeOf<TimeValue>(object, name).GetPicoSeconds();
}

} // namespace

OcsHelper::OcsHelper()
    : OcsRackHelper(QueueSize("15p"))
{
    m_switch.SetTypeId("ns3::odcn::OcsSwitch");
    m_tor.SetTypeId("ns3::odcn::TorSwitch");
    m_spine.SetTypeId("ns3::odcn::PacketSwitch");
    m_electrical.SetTypeId("ns3::odcn::OcsNetDevice");
    m_electricalFiber.SetTypeId("ns3::odcn::OcsFiber");
    SetElectricalQueue("ns3::DropTailQueue", QueueSize("1000p"));
}

OcsHelper::~OcsHelper() = default;

void
OcsHelper::EnableFlowControl()
{
    m_flowControl = true;
}

void
OcsHelper::Divide()
{
    m_divided = true;
}

FabricModel
OcsHelper::GetModel(const OcsFabricSize& size) const
{
    if (m_flowControl)
    {
        throw OdcnError("exact packet engine: it knows no flow control");
    }
    if (!size.IsUniform() || size.electrical > 0)
    {
        throw OdcnError::InOption("exact packet engine: fabric",
                                  size.IsUniform() ? std::to_string(size.electrical) +
                                                         " electrical uplinks of each rack"
                                                   : "racks that differ",
                                  "equal racks with optical uplinks only");
    }
    FabricModel model;
    model.racks = size.racks;
    model.serversPerRack = size.serversPerRack;
    model.uplinks = size.uplinks;
    model.switches = size.switches;
    const auto rate = [](const ObjectFactory& factory)
    { return static_cast<BitRate>(factory.Create<OcsNetDevice>()->GetDataRate().GetBitRate()); };
    model.serverRate = rate(m_server);
    model.uplinkRate = rate(m_uplink);
    model.mtu = m_uplink.Create<OcsNetDevice>()->GetMtu();
    model.serverQueue = GetRoom(m_serverQueue, "servers", true);
    model.fairServers = IsFair(m_serverQueue);
    if (IsTrim(m_serverQueue))
    {
        const Ptr<Queue<Packet>> queue = m_serverQueue.Create<Queue<Packet>>();
        model.trimData = GetAttributeOf<UintegerValue>(*queue, "DataPackets");
        model.trimHeaders = GetAttributeOf<UintegerValue>(*queue, "HeaderSize");
    }
    model.uplinkQueue = GetRoom(m_uplinkQueue, "uplinks", false);
    model.serverDelay = GetPs(*PeekPointer(m_serverFiber.Create<OcsFiber>()), "Delay");
    model.uplinkDelay = GetPs(*PeekPointer(m_uplinkFiber.Create<OcsFiber>()), "Delay");
    const Ptr<TorSwitch> tor = m_tor.Create<TorSwitch>();
    CompatEnumValue<TorSwitch::SpreadingMode> spreading;
    tor->GetAttribute("Spreading", spreading);
    switch (static_cast<TorSwitch::SpreadingMode>(spreading.Get()))
    {
    case TorSwitch::PER_PACKET:
        model.spreading = Spreading::PER_PACKET;
        break;
    case TorSwitch::ROUND_ROBIN:
        model.spreading = Spreading::ROUND_ROBIN;
        break;
    case TorSwitch::PER_FLOW:
        model.spreading = Spreading::PER_FLOW;
        break;
    }
    const auto disc = GetAttributeOf<StringValue>(*tor, "QueueDisc");
    if (!disc.empty())
    {
        throw OdcnError::InOption("exact packet engine: QueueDisc of ToR switches", disc, "none");
    }
    model.fairHeld = GetAttributeOf<BooleanValue>(*tor, "FairQueues");
    CompatEnumValue<TorSwitch::NoCircuitPolicy> noCircuit;
    tor->GetAttribute("NoCircuit", noCircuit);
    const auto policy = static_cast<TorSwitch::NoCircuitPolicy>(noCircuit.Get());
    model.detour = policy == TorSwitch::NO_CIRCUIT_DETOUR;
    model.hold = policy == TorSwitch::NO_CIRCUIT_HOLD;
    const Ptr<OcsSwitch> ocs = m_switch.Create<OcsSwitch>();
    model.darkTime = GetPs(*PeekPointer(ocs), "ReconfigurationTime");
    CompatEnumValue<OcsSwitch::InFlightPolicy> inFlight;
    ocs->GetAttribute("InFlight", inFlight);
    model.deliver = inFlight.Get() == OcsSwitch::IN_FLIGHT_DELIVER;
    return model;
}

uint32_t
OcsHelper::GetMtu() const
{
    return std::min({m_server.Create<OcsNetDevice>()->GetMtu(),
                     m_uplink.Create<OcsNetDevice>()->GetMtu(),
                     m_electrical.Create<OcsNetDevice>()->GetMtu()});
}

void
OcsHelper::CheckElectrical(const OcsFabricSize& size) const
{
    if (size.electrical == 0)
    {
        return;
    }
    if (m_divided)
    {
        throw OdcnError("a fabric with electrical uplinks cannot be divided among ranks");
    }
    CompatEnumValue<TorSwitch::NoCircuitPolicy> noCircuit;
    m_tor.Create<TorSwitch>()->GetAttribute("NoCircuit", noCircuit);
    if (static_cast<TorSwitch::NoCircuitPolicy>(noCircuit.Get()) != TorSwitch::NO_CIRCUIT_HOLD)
    {
        throw OdcnError("a fabric with electrical uplinks needs the Attribute NoCircuit=Hold "
                        "of TorSwitch, with a Routing that uses them");
    }
}

void
OcsHelper::AddRack(OcsFabric& fabric, RackId rack) const
{
    const OcsFabricSize& size = fabric.GetSize();
    const uint32_t rank = m_divided ? RankArrivals::FindRank(rack, size.racks) : 0;
    Ptr<Node> torNode = CreateObject<Node>(rank);
    Ptr<TorSwitch> tor = m_tor.Create<TorSwitch>();
    torNode->AggregateObject(tor);
    fabric.AddTor(torNode, tor);
    for (uint32_t p = 0; p < size.GetNUplinks(rack); ++p)
    {
        Ptr<OcsNetDevice> uplink = AddPort(torNode, m_uplink, m_uplinkQueue);
        if (!size.uplinkRates.empty())
        {
            uplink->SetDataRate(size.uplinkRates[rack]);
        }
        tor->AddUplink(uplink);
        Ptr<OcsFiber> fiber = m_uplinkFiber.Create<OcsFiber>();
        fiber->Connect(uplink,
                       fabric.GetSwitch(fabric.GetSwitchOf(p)),
                       fabric.GetSwitchPort(rack, p));
        fabric.AddFiber(fiber);
        if (m_divided)
        {
            fiber->Divide();
        }
    }
    for (uint32_t p = 0; p < size.GetNElectrical(rack); ++p)
    {
        const Ptr<Node> spine = fabric.GetSpineNodes().Get(p % size.spines);
        fabric.AddElectrical(rack,
                             AddPort(torNode, m_electrical, m_electricalQueue),
                             AddPort(spine, m_electrical, m_electricalQueue),
                             m_electricalFiber.Create<OcsFiber>());
    }
    for (uint32_t s = 0; s < size.GetNServers(rack); ++s)
    {
        Ptr<Node> server = CreateObject<Node>(rank);
        Ptr<OcsNetDevice> nic = AddPort(server, m_server, m_serverQueue);
        Ptr<OcsNetDevice> downlink = AddPort(torNode, m_server, m_serverQueue);
        if (!size.serverRates.empty())
        {
            nic->SetDataRate(size.serverRates[rack]);
            downlink->SetDataRate(size.serverRates[rack]);
        }
        if (m_flowControl)
        {
            Ptr<NetDeviceQueueInterface> queues = CreateObject<NetDeviceQueueInterface>();
            queues->GetTxQueue(0)->ConnectQueueTraces(nic->GetQueue());
            nic->AggregateObject(queues);
        }
        tor->AddDownlink(downlink);
        Ptr<OcsFiber> fiber = m_serverFiber.Create<OcsFiber>();
        fiber->Connect(nic, downlink);
        fabric.AddFiber(fiber);
        fabric.AddServer(server, nic);
    }
}

Ptr<OcsFabric>
OcsHelper::Build(const OcsFabricSize& wanted)
{
    NS_LOG_FUNCTION(this << wanted.racks << wanted.serversPerRack << wanted.uplinks
                         << wanted.switches);
    Ptr<OcsFabric> fabric = CreateObject<OcsFabric>();
    fabric->Start(wanted);
    const OcsFabricSize& size = fabric->GetSize();
    CheckElectrical(size);
    for (uint32_t s = 0; s < size.spines; ++s)
    {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<PacketSwitch> spine = m_spine.Create<PacketSwitch>();
        node->AggregateObject(spine);
        fabric->AddSpine(node, spine);
    }
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        Ptr<Node> node = CreateObject<Node>(Simulator::GetSystemId());
        Ptr<OcsSwitch> ocs = m_switch.Create<OcsSwitch>();
        node->AggregateObject(ocs);
        fabric->AddSwitch(node, ocs);
    }
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        AddRack(*fabric, rack);
    }
    fabric->UpdateElectricalRoutes();
    if (m_divided)
    {
        RankArrivals::Link(m_uplinkFiber.Create<OcsFiber>()->GetDelay());
    }
    return fabric;
}

void
OcsHelper::InstallServers(Ptr<OcsFabric> fabric) const
{
    const OcsFabricSize& size = fabric->GetSize();
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        for (uint32_t s = 0; s < size.GetNServers(rack); ++s)
        {
            Ptr<OcsNetDevice> device = fabric->GetServerDevice(rack, s);
            const Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
            if (ipv4 && ipv4->GetInterfaceForDevice(device) >= 0)
            {
                throw OdcnError("OcsHelper: InstallServers() was called for this fabric before");
            }
            InstallIpv4(device, fabric->GetServerAddress(rack, s), OcsAddressPlan::GetMask());
            if (device->GetObject<NetDeviceQueueInterface>())
            {
                TrafficControlHelper::Default().Install(device);
            }
        }
    }
}

} // namespace ns3::odcn
