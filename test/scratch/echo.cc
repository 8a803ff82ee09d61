// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A UDP echo over a point-to-point link, with the headers of ns-3's examples/tutorial/first.cc.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint32_t size = 512;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "bytes of a packet", size);
    cmd.Parse(argc, argv);

    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetChannelAttribute("Delay", StringValue("1ms"));
    NetDeviceContainer devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper network("10.0.0.0", "255.255.255.0");
    Ipv4InterfaceContainer interfaces = network.Assign(devices);

    UdpEchoServerHelper(7).Install(nodes.Get(1)).Start(Seconds(1));
    UdpEchoClientHelper client(interfaces.GetAddress(1), 7);
    client.SetAttribute("MaxPackets", UintegerValue(3));
    client.SetAttribute("PacketSize", UintegerValue(size));
    ApplicationContainer clients = client.Install(nodes.Get(0));
    clients.Start(Seconds(2));

    uint64_t received = 0;
    clients.Get(0)->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>>([&](Ptr<const Packet> packet)
                                          { received += packet->GetSize(); }));
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    Simulator::Destroy();
    std::cout << "echoed " << received << " bytes\n";
    return 0;
}
