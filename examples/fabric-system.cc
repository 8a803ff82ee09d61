// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-system.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

std::string
Text(double value, const std::string& unit)
{
    std::ostringstream os;
    os << value << unit;
    return os.str();
}

void
FabricSystem::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Network");
    cmd.AddRange("racks", "Number of racks, a multiple of uplinks for rotors", racks, 2U, 1024U);
    cmd.AddRange("servers", "Servers of a rack", servers, 1U, 64U);
    cmd.AddRange("uplinks", "Uplinks of a rack", uplinks, 1U, 64U);
    cmd.AddRange("gbps", "Rate of all links, Gb/s", gbps, 1.0, 1000.0);
    cmd.AddRange("slot", "Time between reconfigurations of a schedule, us", slot, 1.0, 1e6);
    cmd.AddRange("dark", "Dark time of a reconfiguration, us", dark, 0.0, 1e6);
    cmd.AddRange("delay", "Propagation from rack to rack, ns", delay, 0.0, 1e6);
    faults.AddOptions(cmd);
}

void
FabricSystem::Check()
{
    faults.Check();
    OdcnCommandLine::Check(dark < slot, "dark", dark, "less than --slot");
}

std::string
FabricSystem::Describe() const
{
    std::ostringstream os;
    os << racks << " racks of " << servers << " servers, " << uplinks << " uplinks, " << gbps
       << " Gb/s, slots of " << slot << " us, dark " << dark << " us";
    return os.str();
}

std::string
FabricSystem::FindSizes(const std::string& sizes)
{
    const bool isFile = sizes.find('/') != std::string::npos ||
                        sizes.find_first_not_of("0123456789") == std::string::npos;
    return isFile ? sizes : GetDataFile("flow-cdf/" + sizes + ".csv");
}

std::string
FabricSystem::GetRotor() const
{
    return "RotorSchedule[Slot=" + Text(slot, "us") + "|ReconfigurationTime=" + Text(dark, "us") +
           "]";
}

std::string
FabricSystem::GetOpera() const
{
    return "OperaSchedule[Slot=" + Text(slot * uplinks, "us") +
           "|ReconfigurationTime=" + Text(dark, "us") + "]";
}

std::string
FabricSystem::GetSirius() const
{
    // 1500 bytes a packet; a slot cannot carry less than one.
    return "SiriusSchedule[Slot=" + Text(40 / gbps, "us") + "|ReconfigurationTime=100ns]";
}

std::string
FabricSystem::GetMatched(const std::string& algorithm) const
{
    return "MatchingSchedule[Algorithm=" + algorithm +
           "|Period=" + Text(3 * slot * racks / uplinks, "us") +
           "|ReconfigurationTime=" + Text(dark, "us") + "]";
}

OcsHelper
FabricSystem::MakeHelper(const std::string& routing) const
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(routing));
    helper.SetUplinkAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue(Text(delay / 2, "ns")));
    return helper;
}

Ptr<PacketNetwork>
FabricSystem::BuildElectrical(const std::string& name, const std::string& queueDisc) const
{
    PacketNetworkHelper helper;
    helper.SetSwitchAttribute("QueueDisc", StringValue(queueDisc));
    helper.SetUplinkAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue(Text(delay, "ns")));
    const auto build = [&]
    {
        if (name == "ideal")
        {
            return helper.BuildIdeal(racks, servers);
        }
        if (name == "clos")
        {
            return helper.BuildLeafSpine(racks, servers, GetClos(), GetClos());
        }
        uint32_t k = 2 * servers;
        while (k * k / 2 < racks)
        {
            k += 2;
        }
        return helper.BuildFatTree(k, racks, servers);
    };
    Ptr<PacketNetwork> network = build();
    helper.InstallServers(network);
    return network;
}

uint32_t
FabricSystem::GetClos() const
{
    return std::max(1U, servers / 3);
}

void
FabricSystem::StartFaults(Ptr<FaultInjector> injector,
                          Time until,
                          int64_t stream,
                          bool electrical,
                          const std::string& file) const
{
    if (injector)
    {
        const FaultPlan plan = faults.Start(injector, until, stream, electrical);
        if (!file.empty())
        {
            plan.Write(file);
        }
    }
}

FaultSummary::FaultSummary(Ptr<const FaultInjector> injector)
{
    for (std::size_t part = 0; injector && part < FAULT_PARTS; ++part)
    {
        faults += injector->GetNFaults(static_cast<FaultPart>(part));
        availability =
            std::min(availability, injector->GetAvailability(static_cast<FaultPart>(part)));
    }
}

uint64_t
FabricSystem::CountSent(const PacketNetwork& network, uint64_t received)
{
    uint64_t sent = 0;
    for (uint32_t s = 0; s < network.GetNSwitches(); ++s)
    {
        sent += network.GetSwitch(s)->GetSent();
    }
    return sent > received ? sent - received : 0;
}

void
CountChanges(uint64_t* count, const std::vector<OcsPortChange>& changes)
{
    *count += changes.size();
}
