// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fault-injector.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnFaultInjector");
NS_OBJECT_ENSURE_REGISTERED(FaultInjector);

namespace
{

/// What faults are counted for, besides parts by FaultPart.
enum Counted
{
    DEVICE = FAULT_PARTS, //!< by its address
    PORT,                 //!< of an optical switch
    STUCK,                //!< input of an optical switch
    MISSING,              //!< input of an optical switch
    FIBERS,               //!< link of a transport mesh
    LINE_SIDE,            //!< transponder of a transport mesh
    OUTWARD,              //!< path from an uplink, as control knows it
    INWARD,               //!< path to an uplink, as control knows it
};

} // namespace

TypeId
FaultInjector::GetTypeId()
{
    using T = FaultInjector;
    static TypeId tid =
        TypeIdOf<FaultInjector, Object>("ns3::odcn::FaultInjector")
            .Add(Attribute("DetectionTime", &T::m_detectionTime, MicroSeconds(100), Time(0)),
                 "Time from a failure or repair until control is told, which then avoids "
                 "or uses the part")
            .Add(Trace("Fault", &T::m_faults, "FaultTracedCallback"), "A fault starts or ends");
    return tid;
}

FaultInjector::FaultInjector() = default;

void
FaultInjector::DoDispose()
{
    m_ended = true;
    Object::DoDispose();
}

void
FaultInjector::AddParts(FaultPart part, std::vector<uint32_t> sizes, Handler handler)
{
    m_tally.SetSizes(part, std::move(sizes));
    m_handlers[static_cast<std::size_t>(part)] = std::move(handler);
}

FaultInjector::Path
FaultInjector::GetUplinkOf(uint32_t w, uint32_t port) const
{
    const OcsFabricSize& size = m_fabric->GetSize();
    const uint32_t perRack = (size.uplinks + size.switches - 1) / size.switches;
    const Path path{port / perRack, port % perRack * size.switches + w, true};
    const bool exists = path.port < size.GetNUplinks(path.rack);
    return exists ? path : Path{NO_RACK, 0, true};
}

void
FaultInjector::SetFabric(Ptr<OcsFabric> fabric)
{
    m_fabric = fabric;
    const OcsFabricSize& size = fabric->GetSize();
    std::vector<uint32_t> uplinks;
    std::vector<uint32_t> ports;
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        uplinks.push_back(size.GetNUplinks(rack));
    }
    ports.reserve(size.switches);
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        ports.push_back(fabric->GetSwitch(w)->GetNPorts());
    }
    const auto setPort = [this](uint32_t w, uint32_t port, bool failed, OcsDropCause cause)
    {
        SetOcsPort(w, port, failed, cause);
        const Path path = GetUplinkOf(w, port);
        return path.rack == NO_RACK ? std::vector<Path>{}
                                    : std::vector<Path>{path, {path.rack, path.port, false}};
    };
    AddParts(FaultPart::OCS,
             std::vector<uint32_t>(size.switches, 1),
             [this, setPort](uint32_t w, uint32_t, bool failed)
             {
                 std::vector<Path> all;
                 for (uint32_t port = 0; port < m_fabric->GetSwitch(w)->GetNPorts(); ++port)
                 {
                     const auto paths = setPort(w, port, failed, OcsDropCause::PORT_FAILED);
                     all.insert(all.end(), paths.begin(), paths.end());
                 }
                 Tell(all, failed);
             });
    AddParts(FaultPart::OCS_PORT,
             ports,
             [this, setPort](uint32_t w, uint32_t port, bool failed)
             { Tell(setPort(w, port, failed, OcsDropCause::PORT_FAILED), failed); });
    AddParts(FaultPart::FIBER,
             uplinks,
             [this, setPort](RackId rack, uint32_t p, bool failed)
             {
                 const uint32_t w = m_fabric->GetSwitchOf(p);
                 const uint32_t port = m_fabric->GetSwitchPort(rack, p);
                 Tell(setPort(w, port, failed, OcsDropCause::FIBER_CUT), failed);
             });
    AddParts(FaultPart::MIRROR,
             ports,
             [this](uint32_t w, uint32_t input, bool failed)
             { SetMirror(w, input, failed, OcsMirror::STUCK); });
    AddParts(FaultPart::CIRCUIT,
             ports,
             [this](uint32_t w, uint32_t input, bool failed)
             { SetMirror(w, input, failed, OcsMirror::LOSES); });
    AddRackParts(uplinks);
}

void
FaultInjector::AddRackParts(const std::vector<uint32_t>& uplinks)
{
    const OcsFabricSize& size = m_fabric->GetSize();
    std::vector<uint32_t> servers;
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        servers.push_back(size.GetNServers(rack));
    }
    AddParts(FaultPart::UPLINK,
             uplinks,
             [this](RackId rack, uint32_t p, bool failed)
             {
                 SetDevice(m_fabric->GetUplink(rack, p), failed);
                 Tell({{rack, p, true}, {rack, p, false}}, failed);
             });
    AddParts(FaultPart::TOR,
             std::vector<uint32_t>(size.racks, 1),
             [this](RackId rack, uint32_t, bool failed) { SetTor(rack, failed); });
    AddParts(FaultPart::SERVER,
             servers,
             [this](RackId rack, uint32_t s, bool failed)
             {
                 SetDevice(m_fabric->GetServerDevice(rack, s), failed);
                 After([this, rack, s, failed] { m_fabric->SetServerFailed(rack, s, failed); });
             });
}

void
FaultInjector::SetTor(RackId rack, bool failed)
{
    const Ptr<TorSwitch> tor = m_fabric->GetTor(rack);
    if (failed)
    {
        tor->LoseQueues();
    }
    for (const auto& device : tor->GetPorts())
    {
        SetDevice(device, failed);
    }
    std::vector<Path> paths;
    for (uint32_t p = 0; p < tor->GetNUplinks(); ++p)
    {
        paths.push_back({rack, p, true});
        paths.push_back({rack, p, false});
    }
    Tell(paths, failed);
}

void
FaultInjector::SetPacketNetwork(Ptr<PacketNetwork> network)
{
    m_packets = network;
    const auto reroute = [this] { After([this] { m_packets->UpdateRoutes(); }); };
    const uint32_t racks = network->GetNRacks();
    std::vector<uint32_t> servers;
    std::vector<uint32_t> uplinks;
    for (RackId rack = 0; rack < racks; ++rack)
    {
        servers.push_back(network->GetNServersOf(rack));
        uplinks.push_back(network->GetSwitchOf(rack)->GetNPorts() - servers.back());
    }
    AddParts(FaultPart::SERVER,
             servers,
             [this](RackId rack, uint32_t s, bool failed)
             { SetDevice(m_packets->GetServerDevice(rack, s), failed); });
    if (racks > 1 && network->GetSwitchOf(0) == network->GetSwitchOf(1))
    {
        return; // one switch for all racks
    }
    AddParts(FaultPart::UPLINK,
             uplinks,
             [this, reroute](RackId rack, uint32_t p, bool failed)
             {
                 const uint32_t port = m_packets->GetNServersOf(rack) + p;
                 SetDevice(m_packets->GetSwitchOf(rack)->GetPort(port), failed);
                 reroute();
             });
    AddParts(FaultPart::TOR,
             std::vector<uint32_t>(racks, 1),
             [this, reroute](RackId rack, uint32_t, bool failed)
             {
                 const Ptr<PacketSwitch> tor = m_packets->GetSwitchOf(rack);
                 for (uint32_t port = 0; port < tor->GetNPorts(); ++port)
                 {
                     SetDevice(tor->GetPort(port), failed);
                 }
                 reroute();
             });
}

void
FaultInjector::SetOtnNetwork(Ptr<OtnNetwork> network)
{
    m_otn = network;
    const OtnMesh& mesh = *network->GetMesh();
    AddParts(FaultPart::LINK,
             std::vector<uint32_t>(mesh.GetNLinks(), 1),
             [this](uint32_t link, uint32_t, bool failed) { SetLink(link, failed); });
    AddParts(FaultPart::TRANSPONDER,
             std::vector<uint32_t>(network->GetNLightpaths(), 2),
             [this](uint32_t lightpath, uint32_t end, bool failed)
             { SetTransponder(lightpath, end, failed); });
    AddParts(FaultPart::NODE,
             std::vector<uint32_t>(mesh.GetNSites(), 1),
             [this](uint32_t site, uint32_t, bool failed)
             {
                 for (std::size_t i = 0; i < m_otn->GetNLightpaths(); ++i)
                 {
                     for (uint32_t end = 0; end < 2; ++end)
                     {
                         if (m_otn->GetSiteOf(m_otn->GetLightpath(i), end) == site)
                         {
                             SetTransponder(static_cast<uint32_t>(i), end, failed);
                         }
                     }
                 }
                 for (uint32_t link = 0; link < m_otn->GetMesh()->GetNLinks(); ++link)
                 {
                     const OtnLink& ends = m_otn->GetMesh()->GetLink(link);
                     if (ends.a == site || ends.b == site)
                     {
                         SetLink(link, failed);
                     }
                 }
             });
}

void
FaultInjector::Start(const FaultPlan& plan)
{
    plan.Check([this](FaultPart part) { return GetSizes(part); });
    if (!std::exchange(m_isStarted, true))
    {
        m_tally.Start(Simulator::Now());
    }
    const Ptr<FaultInjector> self(this);
    for (const Fault& fault : plan.Get())
    {
        if (fault.start.IsZero())
        {
            m_early = true;
            Change(fault, true);
            m_early = false;
        }
        else
        {
            Simulator::Schedule(fault.start, &FaultInjector::Change, self, fault, true);
        }
        if (fault.end != Time::Max())
        {
            Simulator::Schedule(fault.end, &FaultInjector::Change, self, fault, false);
        }
    }
}

void
FaultInjector::Change(const Fault& fault, bool failed)
{
    if (m_ended)
    {
        return;
    }
    NS_LOG_INFO(Simulator::Now().As(Time::US)
                << " " << FaultPartName(fault.part) << " " << fault.GetIndex()
                << (failed ? " fails: " : " is repaired: ") << fault.cause);
    if (m_tally.Change(fault, failed, Simulator::Now()))
    {
        m_handlers[static_cast<std::size_t>(fault.part)](fault.first, fault.second, failed);
    }
    m_faults(fault, !failed);
}

void
FaultInjector::SetDevice(const Ptr<OcsNetDevice>& device, bool failed)
{
    if (m_tally.Count({DEVICE, reinterpret_cast<uintptr_t>(PeekPointer(device)), 0}, failed))
    {
        failed ? device->Fail() : device->Repair();
    }
}

void
FaultInjector::SetOcsPort(uint32_t w, uint32_t port, bool failed, OcsDropCause cause)
{
    if (!m_tally.Count({PORT, w, port}, failed))
    {
        return;
    }
    const Ptr<OcsSwitch> ocs = m_fabric->GetSwitch(w);
    failed ? ocs->FailPort(port, OcsPortSide::BOTH, cause) : ocs->RepairPort(port);
}

void
FaultInjector::SetMirror(uint32_t w, uint32_t input, bool failed, OcsMirror mirror)
{
    const Ptr<OcsSwitch> ocs = m_fabric->GetSwitch(w);
    const bool stuck = mirror == OcsMirror::STUCK;
    const FaultTally::Key key{stuck ? STUCK : MISSING, w, input};
    m_tally.Count(key, failed);
    const bool otherStuck = m_tally.Has({STUCK, w, input});
    const bool otherMisses = m_tally.Has({MISSING, w, input});
    if (failed)
    {
        // What a stuck mirror keeps is lost to others, too.
        std::vector<Path> paths{GetUplinkOf(w, input)};
        const uint32_t output = ocs->GetOutput(input);
        if (stuck && output != OCS_NO_PORT)
        {
            paths.push_back(GetUplinkOf(w, output));
            paths.back().output = false;
        }
        std::erase_if(paths, [](const Path& path) { return path.rack == NO_RACK; });
        m_held[key] = paths;
    }
    ocs->SetMirror(input,
                   otherStuck    ? OcsMirror::STUCK
                   : otherMisses ? OcsMirror::LOSES
                                 : OcsMirror::WORKS);
    Tell(m_held[key], failed);
}

void
FaultInjector::SetLink(uint32_t link, bool failed)
{
    if (m_tally.Count({FIBERS, link, 0}, failed))
    {
        failed ? m_otn->CutLink(link) : m_otn->RepairLink(link);
    }
}

void
FaultInjector::SetTransponder(uint32_t lightpath, uint32_t end, bool failed)
{
    if (m_tally.Count({LINE_SIDE, lightpath, end}, failed))
    {
        const Ptr<OtnLightpath> path = m_otn->GetLightpath(lightpath);
        failed ? m_otn->FailTransponder(path, end) : m_otn->RepairTransponder(path, end);
    }
}

void
FaultInjector::Tell(const std::vector<Path>& paths, bool failed)
{
    After(
        [this, paths, failed]
        {
            for (const Path& path : paths)
            {
                if (m_tally.Count({path.output ? OUTWARD : INWARD, path.rack, path.port}, failed))
                {
                    m_fabric->SetPathFailed(path.rack, path.port, path.output, failed);
                }
            }
            m_fabric->UpdateElectricalRoutes();
        });
}

void
FaultInjector::After(std::function<void()> tell)
{
    if (m_early || m_detectionTime.IsZero())
    {
        tell();
        return;
    }
    CompatSchedule(m_detectionTime,
                   [self = Ptr<FaultInjector>(this), tell = std::move(tell)]
                   {
                       if (!self->m_ended)
                       {
                           tell();
                       }
                   });
}

double
FaultInjector::GetAvailability(FaultPart part) const
{
    return m_tally.GetAvailability(part, Simulator::Now());
}

} // namespace ns3::odcn
