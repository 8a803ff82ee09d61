// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-network-model.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/ocs-fiber.h"
#include "ns3/ocs-net-device.h"
#include "ns3/odcn-fair-queue.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-trim-queue.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::odcn
{

namespace
{

/// @param device a port with a fibre
/// @return delay of the fibre
Time
GetDelay(const OcsNetDevice& device)
{
    return DynamicCast<OcsFiber>(device.GetChannel())->GetDelay();
}

/// @param at a switch
/// @return whether its packets wait in queue discs
bool
HasQueueDiscs(const PacketSwitch& at)
{
    return !GetAttributeOf<StringValue>(at, "QueueDisc").empty();
}

} // namespace

NetworkModel::PortKind
NetworkModel::PortKind::Of(const OcsNetDevice& device, Time delay)
{
    const auto queue = device.GetQueue();
    const TypeId type = queue->GetInstanceTypeId();
    const QueueSize size = queue->GetMaxSize();
    const bool isOfPackets = size.GetUnit() == QueueSizeUnit::PACKETS;
    const auto trim = DynamicCast<TrimQueue>(queue);
    PortKind kind;
    kind.rate = BitRate(device.GetDataRate().GetBitRate());
    kind.delay = delay.GetPicoSeconds();
    kind.mtu = device.GetMtu();
    kind.isFair = type == FairQueue::GetTypeId();
    kind.isKnown = kind.isFair || type == TrimQueue::GetTypeId() ||
                   type == DropTailQueue<ns3::Packet>::GetTypeId();
    kind.mostPackets = isOfPackets ? size.GetValue() : UINT64_MAX;
    kind.mostBytes = isOfPackets ? UINT64_MAX : size.GetValue();
    kind.data = trim ? trim->GetDataPackets() : 0;
    kind.headers = trim ? trim->GetHeaderSize() : 0;
    return kind;
}

NetworkModel::NetworkModel(const PacketTopology& links,
                           const std::map<PacketTopology::LinkKind, PortKind>& kindOf,
                           const PacketSwitch& prototype)
    : topology(links)
{
    for (uint32_t i = 0; i < topology.GetNSwitches(); ++i)
    {
        PacketSpreading spreading = prototype.GetSpreading();
        spreading.perturbation += i;
        spreading.place = topology.GetPlace(i);
        switches.push_back({spreading, HasQueueDiscs(prototype)});
    }
    for (const PacketTopology::Link& link : topology.GetLinks())
    {
        const Port port{FindKind(kindOf.at(link.kind))};
        if (link.kind == PacketTopology::SERVER)
        {
            cards.push_back(port);
            switches[link.b].spreading.racks = link.a / topology.GetServersPerRack() + 1;
        }
        else
        {
            switches[link.a].ports.push_back(port);
        }
        switches[link.b].ports.push_back(port);
    }
    Join();
    routes = topology.FindRoutes([](uint32_t, uint32_t) { return false; });
}

NetworkModel::NetworkModel(const PacketNetwork& network)
    : topology(network.GetTopology())
{
    for (ServerId server = 0; server < network.GetNServers(); ++server)
    {
        const OcsNetDevice& card = *network.GetServerDevice(server);
        cards.push_back({FindKind(PortKind::Of(card, GetDelay(card))), card.IsFailed()});
    }
    for (uint32_t i = 0; i < network.GetNSwitches(); ++i)
    {
        const PacketSwitch& from = *network.GetSwitch(i);
        Switch& at = switches.emplace_back();
        at.spreading = from.GetSpreading();
        at.hasQueueDiscs = HasQueueDiscs(from);
        for (uint32_t p = 0; p < from.GetNPorts(); ++p)
        {
            const OcsNetDevice& port = *from.GetPort(p);
            at.ports.push_back(
                {from.IsTransponder(p) ? NONE : FindKind(PortKind::Of(port, GetDelay(port))),
                 port.IsFailed()});
        }
        auto& to = routes.emplace_back();
        for (RackId rack = 0; rack < network.GetNRacks(); ++rack)
        {
            to.push_back(from.GetRoute(rack));
        }
    }
    Join();
}

void
NetworkModel::Join()
{
    for (const PacketTopology::Link& link : topology.GetLinks())
    {
        const bool isServer = link.kind == PacketTopology::SERVER;
        Port& a = isServer ? cards.at(link.a) : switches.at(link.a).ports.at(link.portA);
        Port& b = switches.at(link.b).ports.at(link.portB);
        a.peer = link.b;
        a.peerPort = link.portB;
        b.peer = isServer ? NONE : link.a;
        b.peerPort = isServer ? link.a : link.portA;
    }
}

uint32_t
NetworkModel::FindKind(const PortKind& kind)
{
    const auto known = std::find(kinds.begin(), kinds.end(), kind);
    const auto index = static_cast<uint32_t>(known - kinds.begin());
    if (known == kinds.end())
    {
        kinds.push_back(kind);
    }
    return index;
}

} // namespace ns3::odcn
