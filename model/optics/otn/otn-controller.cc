// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-controller.h"

#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OtnController");

NS_OBJECT_ENSURE_REGISTERED(OtnController);

TypeId
OtnController::GetTypeId()
{
    using T = OtnController;
    static TypeId tid =
        TypeIdOf<OtnController, Object>("ns3::odcn::OtnController")
            .AddAttribute("Assignment",
                          "Rule that selects the wavelengths of a lightpath among the free ones",
                          CompatEnumValue<OtnRouting::Assignment>(OtnRouting::FIRST_FIT),
                          CompatEnumAccessor<OtnRouting::Assignment>(&T::SetAssignment),
                          MakeEnumChecker(OtnRouting::FIRST_FIT,
                                          "FirstFit",
                                          OtnRouting::MOST_USED,
                                          "MostUsed",
                                          OtnRouting::LEAST_USED,
                                          "LeastUsed"))
            .AddAttribute("Paths",
                          "Number of paths tried, shortest first (k)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&T::SetPaths),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Conversion",
                          "Whether nodes convert wavelengths",
                          BooleanValue(false),
                          MakeBooleanAccessor(&T::SetConversion),
                          MakeBooleanChecker())
            .Add(Attribute("Restoration", &T::m_restoration, true),
                 "Whether lightpaths are rerouted around fibres that are cut")
            .Add(Attribute("DetectionTime", &T::m_detectionTime, MilliSeconds(10), Time(0)),
                 "Time from a cut until lightpaths are rerouted")
            .Add(Trace("Restored", &T::m_restoredTrace, "RestoredTracedCallback"),
                 "A lightpath is rerouted around a cut; it is dark for the SetUpTime")
            .Add(Trace("NotRestored", &T::m_notRestoredTrace, "RestoredTracedCallback"),
                 "A lightpath cannot be rerouted around a cut");
    return tid;
}

OtnController::OtnController() = default;

OtnController::~OtnController() = default;

void
OtnController::DoDispose()
{
    Disconnect();
    for (EventId& event : m_restorations)
    {
        event.Cancel();
    }
    m_restorations.clear();
    m_network = nullptr;
    m_ledger = &m_own;
    m_entries.clear();
    m_idle.clear();
    Object::DoDispose();
}

void
OtnController::Disconnect()
{
    if (m_network)
    {
        m_network->TraceDisconnectWithoutContext("LinkChanged",
                                                 MakeCallback(&OtnController::LinkChanged, this));
        m_network->TraceDisconnectWithoutContext("LightpathDown",
                                                 MakeCallback(&OtnController::LightpathDown, this));
    }
}

void
OtnController::SetNetwork(Ptr<OtnNetwork> network)
{
    if (!m_entries.empty())
    {
        throw OdcnError("another network was given to a controller with lightpaths set up");
    }
    Disconnect();
    m_idle.clear();
    m_network = network;
    m_own = OtnWavelengthLedger(network->GetMesh());
    NoteCuts();
    network->TraceConnectWithoutContext("LinkChanged",
                                        MakeCallback(&OtnController::LinkChanged, this));
    network->TraceConnectWithoutContext("LightpathDown",
                                        MakeCallback(&OtnController::LightpathDown, this));
}

void
OtnController::SetLedger(OtnWavelengthLedger* ledger)
{
    if (!m_entries.empty())
    {
        throw OdcnError("another ledger was given to a controller with lightpaths set up");
    }
    m_ledger = ledger ? ledger : &m_own;
    NoteCuts();
}

void
OtnController::NoteCuts()
{
    for (uint32_t link = 0; m_network && link < m_network->GetMesh()->GetNLinks(); ++link)
    {
        m_ledger->SetCut(link, m_network->GetFiber(2 * link)->IsCut());
    }
}

Ptr<OtnLightpath>
OtnController::SetUp(uint32_t from, uint32_t to, uint32_t wavelengths)
{
    const OtnDemand demand{from, to, wavelengths};
    std::vector<OtnGrant> granted;
    if (!m_ledger->Reserve({&demand, 1}, m_routing, granted))
    {
        return nullptr;
    }
    try
    {
        return Light(granted.front(), true);
    }
    catch (...)
    {
        m_ledger->Release(granted);
        throw;
    }
}

Ptr<OtnLightpath>
OtnController::SetUp(const OtnGrant& grant)
{
    return Light(grant, false);
}

Ptr<OtnLightpath>
OtnController::Light(const OtnGrant& grant, bool ours)
{
    const uint32_t from = m_network->GetMesh()->GetFrom(grant.path.front());
    const uint32_t to = m_network->GetMesh()->GetTo(grant.path.back());
    NS_LOG_FUNCTION(this << from << to << grant.GetCount());
    // clang-format off
    const auto idle = std::find_if(m_idle.begin(),
                                   m_idle.end(),
                                   [&](const auto& lightpath) {
                                       return m_network->GetSiteOf(lightpath, 0) == from &&
                                              m_network->GetSiteOf(lightpath, 1) == to;
                                   });
    // clang-format on
    Ptr<OtnLightpath> lightpath;
    if (idle == m_idle.end())
    {
        CheckAddresses(from, to);
        lightpath = m_network->AddLightpath(from, to);
        AssignAddresses(lightpath);
    }
    else
    {
        lightpath = *idle;
        m_idle.erase(idle);
    }
    try
    {
        m_network->SetUp(lightpath, grant);
    }
    catch (...)
    {
        m_idle.push_back(lightpath); // with its transponders
        throw;
    }
    m_entries.emplace(lightpath, Entry{grant, ours});
    if (lightpath->GetState() == OtnLightpath::CUT)
    {
        ScheduleRestore(lightpath); // a grant over a link that was cut before
    }
    return lightpath;
}

void
OtnController::TearDown(Ptr<OtnLightpath> lightpath)
{
    NS_LOG_FUNCTION(this << lightpath);
    const auto entry = m_entries.extract(lightpath);
    if (entry.empty())
    {
        throw OdcnError("a lightpath was torn down that this controller did not set up");
    }
    // First, since a sink of LightpathDown may set up others, or dispose of this.
    if (entry.mapped().ours)
    {
        m_ledger->Release({&entry.mapped().grant, 1});
    }
    m_network->TearDown(lightpath);
    m_idle.push_back(lightpath);
}

void
OtnController::LinkChanged(uint32_t link, bool cut)
{
    m_ledger->SetCut(link, cut);
}

void
OtnController::LightpathDown(Ptr<OtnLightpath> lightpath, OcsDropCause cause)
{
    if (cause == OcsDropCause::FIBER_CUT && m_entries.contains(lightpath))
    {
        ScheduleRestore(lightpath);
    }
}

void
OtnController::ScheduleRestore(Ptr<OtnLightpath> lightpath)
{
    if (m_restoration)
    {
        std::erase_if(m_restorations, [](const EventId& event) { return event.IsExpired(); });
        m_restorations.push_back(
            Simulator::Schedule(m_detectionTime, &OtnController::Restore, this, lightpath));
    }
}

void
OtnController::Restore(Ptr<OtnLightpath> lightpath)
{
    const Ptr<OtnController> keep(this); // a sink may drop it
    const auto entry = m_entries.find(lightpath);
    if (entry == m_entries.end() || lightpath->GetState() != OtnLightpath::CUT)
    {
        return; // torn down or repaired meanwhile
    }
    if (!m_ledger->Reroute(entry->second.grant, m_routing))
    {
        m_notRestoredTrace(lightpath);
        return;
    }
    const OtnGrant grant = entry->second.grant; // sinks may tear it down
    m_network->SetUp(lightpath, grant);
    ++m_restored;
    m_restoredTrace(lightpath);
}

void
OtnController::CheckAddresses(uint32_t from, uint32_t to) const
{
    constexpr uint32_t PAIRS = 1U << 18; // number of /30 subnets in 172.16.0.0/12
    if (m_pairs == PAIRS && m_network->GetSite(from)->GetObject<Ipv4>() &&
        m_network->GetSite(to)->GetObject<Ipv4>())
    {
        throw OdcnError("there are no more addresses for lightpaths in 172.16.0.0/12");
    }
}

void
OtnController::AssignAddresses(Ptr<OtnLightpath> lightpath)
{
    constexpr uint32_t NETWORK = 0xac100000; // 172.16.0.0
    Ptr<Ipv4> stacks[2];
    for (uint32_t end = 0; end < 2; ++end)
    {
        stacks[end] = m_network->GetSite(m_network->GetSiteOf(lightpath, end))->GetObject<Ipv4>();
    }
    if (!stacks[0] || !stacks[1])
    {
        return;
    }
    for (uint32_t end = 0; end < 2; ++end)
    {
        const uint32_t interface = stacks[end]->AddInterface(lightpath->GetTransponder(end));
        stacks[end]->AddAddress(interface,
                                Ipv4InterfaceAddress(Ipv4Address(NETWORK + 4 * m_pairs + 1 + end),
                                                     Ipv4Mask("255.255.255.252")));
        stacks[end]->SetMetric(interface, 1);
        stacks[end]->SetUp(interface);
    }
    ++m_pairs;
}

Ipv4Address
OtnController::GetAddress(Ptr<const OtnLightpath> lightpath, uint32_t end) const
{
    const Ptr<NetDevice> device = lightpath->GetTransponder(end);
    const Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
    const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(device) : -1;
    return interface < 0 ? Ipv4Address::GetZero() : ipv4->GetAddress(interface, 0).GetLocal();
}

} // namespace ns3::odcn
