// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-module.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

ODCN_REGISTER_DESIGN(Mine, "mine", "RotorSchedule[Slot={slot}us];ValiantRouting", "two hops")

int
main()
{
    Time::SetResolution(Time::PS);
    const FabricDesignHelper helper;
    Ptr<FabricNetwork> network = helper.Build(FabricDesign::Find("mine"));
    Ptr<MessagePlane> plane = helper.MakePlane(network, FabricEngine::PACKETS);
    plane->Send(0, 60, 1000000, [](const Message&) { Simulator::Stop(); });
    Simulator::Run();
    std::cout << network->Count().received << " packets\n";
    Simulator::Destroy();
}
