// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-packet-plane.h"

#include "otn-helper.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{
namespace odcn
{

IcciPacketPlane::IcciPacketPlane(std::shared_ptr<const OtnMesh> mesh,
                                 const IcciPlaneOptions& options)
{
    // Windows bound what waits, not queues.
    const QueueSize room("1000000p");
    const auto wavelength = static_cast<uint64_t>(std::llround(options.bitsPerWavelength));
    const DataRateValue rate(DataRate(wavelength * (options.wavelengths + 1)));
    m_helper.SetHostAttribute("DataRate", rate);
    m_helper.SetLinkAttribute("DataRate", rate);
    m_helper.SetGatewayAttribute("DataRate", rate);
    m_helper.SetFiberAttribute("Delay", TimeValue(NanoSeconds(50)));
    m_helper.SetQueue("ns3::DropTailQueue", room);
    NodeContainer gateways;
    for (uint32_t site = 0; site < mesh->GetNSites(); ++site)
    {
        m_trees.push_back(m_helper.Build(site, options.gpus));
        m_helper.InstallHosts(m_trees.back());
        gateways.Add(m_trees.back()->GetGatewayNode());
    }
    OtnHelper otn;
    otn.SetTransponderQueue("ns3::DropTailQueue", room);
    otn.SetNetworkAttribute("WavelengthRate", DataRateValue(DataRate(wavelength)));
    otn.SetNodeAttribute("OeoTime", TimeValue(Seconds(options.oeoTime)));
    otn.SetFiberAttribute("Speed", DoubleValue(options.kmPerSecond * 1e3));
    m_network = otn.Build(std::move(mesh), gateways);
    m_control = CreateObject<OtnController>();
    m_control->SetNetwork(m_network);
}

IcciPacketPlane::~IcciPacketPlane()
{
    Simulator::Destroy();
    for (const auto& tree : m_trees)
    {
        tree->Dispose();
    }
    m_control->Dispose();
    m_network->Dispose();
}

void
IcciPacketPlane::Connect(Ptr<OtnLightpath> lightpath) const
{
    IcciFatTreeHelper::Connect(m_trees[m_network->GetSiteOf(lightpath, 0)],
                               m_trees[m_network->GetSiteOf(lightpath, 1)],
                               lightpath);
}

void
IcciPacketPlane::Disconnect(Ptr<OtnLightpath> lightpath) const
{
    IcciFatTreeHelper::Disconnect(m_trees[m_network->GetSiteOf(lightpath, 0)],
                                  m_trees[m_network->GetSiteOf(lightpath, 1)],
                                  lightpath);
}

IcciPacketPlane::Move
IcciPacketPlane::AddMove(const IcciWorkerPlace& from,
                         const IcciWorkerPlace& to,
                         double bytes,
                         double scale,
                         const Time& gpuSwitchTime)
{
    constexpr uint32_t FIRST_PORT = 10000;
    constexpr uint32_t PORTS = 30000;
    Move move{CreateObject<BulkMigrationApplication>(), CreateObject<BulkMigrationApplication>()};
    move.source->SetAttribute("Peer",
                              Ipv4AddressValue(m_trees[to.centre]->GetHostAddress(to.host)));
    move.source->SetAttribute("Parameters",
                              UintegerValue(static_cast<uint64_t>(std::llround(bytes))));
    move.source->SetAttribute("Scale", DoubleValue(scale));
    // All of it may be under way: what is measured is the lightpath, not TCP's patience.
    const UintegerValue port(FIRST_PORT + m_nMoves++ % PORTS);
    const UintegerValue window((1U << 20) + 2 * move.source->GetBytes());
    for (const auto& end : {move.source, move.target})
    {
        end->SetAttribute("Port", port);
        end->SetAttribute("Window", window);
        end->SetAttribute("GpuSwitchTime", TimeValue(gpuSwitchTime));
    }
    m_trees[from.centre]->GetHost(from.host)->AddApplication(move.source);
    m_trees[to.centre]->GetHost(to.host)->AddApplication(move.target);
    return move;
}

void
IcciPacketPlane::EnablePcap(const std::string& file, const IcciWorkerPlace& place)
{
    m_helper.EnablePcap(file, m_trees[place.centre]->GetHostDevice(place.host), true, true);
}

IcciPlaneCounts
IcciPacketPlane::Count() const
{
    IcciPlaneCounts counts;
    for (const auto& tree : m_trees)
    {
        const auto c = tree->Count();
        counts.sent += c.sent;
        counts.received += c.received;
        counts.inFlight += c.inFlight;
        counts.dropped += c.dropped;
    }
    const auto c = m_network->Count();
    counts.inFlight += c.inFlight;
    counts.dropped += c.dropped;
    return counts;
}

} // namespace odcn
} // namespace ns3
