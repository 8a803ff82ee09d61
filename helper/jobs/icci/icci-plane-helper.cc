// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-plane-helper.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/node-container.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/otn-helper.h"
#include "ns3/queue-size.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

IcciPlaneOptions
IcciPlaneOptions::Of(Ptr<const IcciManager> manager)
{
    if (!GetAttributeOf<BooleanValue>(*manager, "BothWays"))
    {
        throw OdcnError::InOption("IcciManager::BothWays",
                                  "false",
                                  "true where packets carry migrations");
    }
    const auto get = [&manager](const std::string& name)
    { return GetAttributeOf<DoubleValue>(*manager, name); };
    IcciPlaneOptions options;
    options.gpus = manager->GetCusPerCentre();
    options.wavelengths = 0;
    for (uint32_t link = 0; link < manager->GetMesh()->GetNLinks(); ++link)
    {
        options.wavelengths =
            std::max(options.wavelengths, manager->GetMesh()->GetLink(link).wavelengths);
    }
    options.bitsPerWavelength = get("BitsPerWavelength");
    options.oeoTime = get("OeoTime");
    options.kmPerSecond = get("KmPerSecond");
    return options;
}

Ptr<IcciPacketPlane>
IcciPlaneHelper::Build(std::shared_ptr<const OtnMesh> mesh, const IcciPlaneOptions& options)
{
    // TCP windows limit the queue lengths; these queues never drop packets.
    const QueueSize queue("1000000p");
    const auto wavelength = static_cast<uint64_t>(std::llround(options.bitsPerWavelength));
    const DataRateValue rate(DataRate(wavelength * (options.wavelengths + 1)));
    auto centres = PacketNetworkHelper::ForCentres();
    centres.SetServerAttribute("DataRate", rate);
    centres.SetUplinkAttribute("DataRate", rate);
    centres.SetGatewayAttribute("DataRate", rate);
    centres.SetServerFiberAttribute("Delay", TimeValue(NanoSeconds(50)));
    centres.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(50)));
    centres.SetServerQueue("ns3::DropTailQueue", queue);
    centres.SetUplinkQueue("ns3::DropTailQueue", queue);
    NodeContainer gateways;
    std::vector<Ptr<PacketNetwork>> trees;
    for (uint32_t site = 0; site < mesh->GetNSites(); ++site)
    {
        trees.push_back(centres.BuildCentre(site, options.gpus));
        centres.InstallServers(trees.back());
        gateways.Add(trees.back()->GetGatewayNode());
    }
    OtnHelper otn;
    otn.SetTransponderQueue("ns3::DropTailQueue", queue);
    otn.SetNetworkAttribute("WavelengthRate", DataRateValue(DataRate(wavelength)));
    otn.SetNodeAttribute("OeoTime", TimeValue(Seconds(options.oeoTime)));
    otn.SetFiberAttribute("Speed", DoubleValue(options.kmPerSecond * 1e3));
    auto control = CreateObject<OtnController>();
    control->SetNetwork(otn.Build(std::move(mesh), gateways));
    auto plane = CreateObject<IcciPacketPlane>();
    plane->SetUp(std::move(trees), control);
    return plane;
}

} // namespace ns3::odcn
