// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-packet-plane.h"

#include "ns3/ipv4-address.h"
#include "ns3/odcn-attributes.h"

#include <cmath>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciPacketPlane);

TypeId
IcciPacketPlane::GetTypeId()
{
    static TypeId tid = TypeIdOf<IcciPacketPlane, Object>("ns3::odcn::IcciPacketPlane");
    return tid;
}

void
IcciPacketPlane::SetUp(std::vector<Ptr<PacketNetwork>> trees, Ptr<OtnController> control)
{
    m_trees = std::move(trees);
    m_control = control;
}

void
IcciPacketPlane::DoDispose()
{
    for (const auto& tree : m_trees)
    {
        tree->Dispose();
    }
    m_trees.clear();
    if (m_control)
    {
        const auto network = m_control->GetNetwork();
        m_control->Dispose();
        network->Dispose();
    }
    m_control = nullptr;
    Object::DoDispose();
}

void
IcciPacketPlane::Connect(Ptr<OtnLightpath> lightpath) const
{
    PacketNetwork::Connect(m_trees[GetNetwork()->GetSiteOf(lightpath, 0)],
                           m_trees[GetNetwork()->GetSiteOf(lightpath, 1)],
                           lightpath);
}

void
IcciPacketPlane::Disconnect(Ptr<OtnLightpath> lightpath) const
{
    PacketNetwork::Disconnect(m_trees[GetNetwork()->GetSiteOf(lightpath, 0)],
                              m_trees[GetNetwork()->GetSiteOf(lightpath, 1)],
                              lightpath);
}

uint16_t
IcciPacketPlane::TakePort()
{
    // A range in which no dissector of Wireshark claims a TCP port.
    constexpr uint32_t FIRST_PORT = 35000;
    constexpr uint32_t PORTS = 9000;
    return static_cast<uint16_t>(FIRST_PORT + m_nPorts++ % PORTS);
}

IcciPacketPlane::Move
IcciPacketPlane::AddMove(const IcciWorkerPlace& from,
                         const IcciWorkerPlace& to,
                         double bytes,
                         double scale,
                         const Time& gpuSwitchTime)
{
    Move move{CreateObject<BulkMigrationApplication>(), CreateObject<BulkMigrationApplication>()};
    move.source->SetAttribute("Peer", Ipv4AddressValue(GetAddress(to)));
    move.source->SetAttribute("Parameters",
                              UintegerValue(static_cast<uint64_t>(std::llround(bytes))));
    move.source->SetAttribute("Scale", DoubleValue(scale));
    // The window has room for all bytes: the lightpath is measured, not TCP.
    const UintegerValue port(TakePort());
    const UintegerValue window((1U << 20) + 2 * move.source->GetBytes());
    for (const auto& end : {move.source, move.target})
    {
        end->SetAttribute("Port", port);
        end->SetAttribute("Window", window);
        end->SetAttribute("GpuSwitchTime", TimeValue(gpuSwitchTime));
    }
    GetHost(from)->AddApplication(move.source);
    GetHost(to)->AddApplication(move.target);
    return move;
}

PacketCounts
IcciPacketPlane::Count() const
{
    PacketCounts counts;
    for (const auto& tree : m_trees)
    {
        counts += tree->Count();
    }
    // On lightpaths, packets are still in the plane.
    counts.left = 0;
    counts.came = 0;
    const PacketCounts mesh = GetNetwork()->Count();
    counts.inFlight += mesh.inFlight;
    counts.dropped += mesh.dropped;
    return counts;
}

} // namespace ns3::odcn
