// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-fabric.h"

#include "odcn-packet-switch.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsFabric");

NS_OBJECT_ENSURE_REGISTERED(OcsFabric);

TypeId
OcsFabric::GetTypeId()
{
    using T = OcsFabric;
    static TypeId tid =
        TypeIdOf<OcsFabric, Object>("ns3::odcn::OcsFabric")
            .Add(Trace("CircuitsUp", &T::m_upTrace, "CircuitsUpTracedCallback"),
                 "Circuits between racks now carry packets, or were removed")
            .Add(Trace("PathChanged", &T::m_pathTrace, "PathTracedCallback"),
                 "Control learns that a path between a ToR and an optical switch has "
                 "failed or been repaired")
            .Add(Trace("ServerChanged", &T::m_serverTrace, "ServerTracedCallback"),
                 "Control learns that a server has failed or been repaired");
    return tid;
}

OcsFabric::OcsFabric()
    : m_link(Create<Link>())
{
    m_link->fabric = this;
}

OcsFabric::~OcsFabric() = default;

void
OcsFabric::DoDispose()
{
    NS_LOG_FUNCTION(this);
    // The switches may outlive the fabric, and call it now: their trace cannot be disconnected in
    // its own sink. The fabric keeps its parts, for others that still ask for them.
    m_link->fabric = nullptr;
    Object::DoDispose();
}

bool
OcsFabricSize::IsUniform() const
{
    return serversByRack.empty() && uplinksByRack.empty() && electricalByRack.empty() &&
           serverRates.empty() && uplinkRates.empty();
}

uint32_t
OcsFabricSize::GetNServers(RackId rack) const
{
    return serversByRack.empty() ? serversPerRack : serversByRack.at(rack);
}

uint32_t
OcsFabricSize::GetNUplinks(RackId rack) const
{
    return uplinksByRack.empty() ? uplinks : uplinksByRack.at(rack);
}

uint32_t
OcsFabricSize::GetNElectrical(RackId rack) const
{
    return electricalByRack.empty() ? electrical : electricalByRack.at(rack);
}

OcsFabricSize
OcsFabricSize::Complete() const
{
    if (racks < 1 || switches < 1)
    {
        throw OdcnError("an optical data centre has one or more racks and one or more switches");
    }
    const auto check = [this](const char* name, const auto& values, const auto& isValid)
    {
        if (!values.empty() && values.size() != racks)
        {
            throw OdcnError::InOption(std::string("OcsFabricSize::") + name,
                                      std::to_string(values.size()) + " values",
                                      "none, or one for each of " + std::to_string(racks) +
                                          " racks");
        }
        const auto bad = std::find_if_not(values.begin(), values.end(), isValid);
        if (bad != values.end())
        {
            throw OdcnError::InOption(std::string("OcsFabricSize::") + name,
                                      "rack " + std::to_string(bad - values.begin()) + " has none",
                                      "a number above 0 for each rack");
        }
    };
    const auto any = [](uint32_t) { return true; };
    const auto positive = [](const DataRate& rate) { return rate.GetBitRate() > 0; };
    check("serversByRack", serversByRack, [](uint32_t n) { return n > 0; });
    check("uplinksByRack", uplinksByRack, any);
    check("electricalByRack", electricalByRack, any);
    check("serverRates", serverRates, positive);
    check("uplinkRates", uplinkRates, positive);
    OcsFabricSize size = *this;
    const auto most = [](const std::vector<uint32_t>& values, uint32_t otherwise)
    { return values.empty() ? otherwise : *std::max_element(values.begin(), values.end()); };
    size.serversPerRack = most(serversByRack, serversPerRack);
    size.uplinks = most(uplinksByRack, uplinks);
    size.electrical = most(electricalByRack, electrical);
    size.spines = spines == 0 ? size.electrical : spines;
    if (size.spines > size.electrical || size.electrical > TorSwitch::MAX_ELECTRICAL)
    {
        throw OdcnError::InOption("electrical uplinks of a fabric",
                                  std::to_string(size.electrical) + " to " +
                                      std::to_string(size.spines) + " packet switches",
                                  "at most " + std::to_string(TorSwitch::MAX_ELECTRICAL) +
                                      " uplinks, to at most as many packet switches");
    }
    for (RackId rack = 0; !uplinksByRack.empty() && rack < racks; ++rack)
    {
        if (GetNUplinks(rack) + GetNElectrical(rack) == 0)
        {
            throw OdcnError::InOption("OcsFabricSize::uplinksByRack",
                                      "rack " + std::to_string(rack) + " has no uplink",
                                      "an optical or electrical uplink for each rack");
        }
    }
    return size;
}

void
OcsFabric::Start(const OcsFabricSize& size)
{
    const OcsFabricSize complete = size.Complete();
    m_plan = OcsAddressPlan::For(complete.racks, complete.serversPerRack);
    m_size = complete;
    m_portsPerSwitch = (m_size.uplinks + m_size.switches - 1) / m_size.switches;
    m_table = Create<OcsCircuitTable>(m_size.racks, m_size.uplinks);
    m_outFailed.assign(std::size_t(m_size.racks) * m_size.uplinks, 0);
    m_inFailed = m_outFailed;
    m_firstServer.assign(1, 0);
    for (RackId rack = 0; rack < m_size.racks; ++rack)
    {
        m_firstServer.push_back(m_firstServer.back() + m_size.GetNServers(rack));
    }
}

void
OcsFabric::AddSwitch(Ptr<Node> node, Ptr<OcsSwitch> ocs)
{
    const uint32_t w = m_switchNodes.GetN();
    ocs->SetNPorts(m_size.racks * m_portsPerSwitch);
    ocs->TraceConnectWithoutContext("ReconfigurationDone",
                                    MakeBoundCallback(&OcsFabric::SwitchDone, m_link, w));
    m_switchNodes.Add(node);
    m_switches.push_back(ocs);
}

void
OcsFabric::AddTor(Ptr<Node> node, Ptr<TorSwitch> tor)
{
    tor->SetAttribute("Rack", UintegerValue(m_torNodes.GetN()));
    tor->SetAddressPlan(m_plan);
    tor->SetCircuitTable(m_table);
    tor->SetUplinkRates(m_size.uplinkRates);
    m_torNodes.Add(node);
    m_tors.push_back(tor);
}

void
OcsFabric::AddServer(Ptr<Node> node, Ptr<OcsNetDevice> device)
{
    m_servers.Add(node);
    m_serverDevices.push_back(device);
}

void
OcsFabric::AddSpine(Ptr<Node> node, Ptr<PacketSwitch> spine)
{
    m_spineNodes.Add(node);
    m_spines.push_back(spine);
    // Not 0, so that no packet switch hashes flows as another or as a ToR switch does.
    UintegerValue given;
    spine->GetAttribute("Perturbation", given);
    spine->SetAttribute("Perturbation", UintegerValue(given.Get() + m_spines.size()));
    spine->SetAddressPlan(m_plan);
}

void
OcsFabric::AddElectrical(RackId rack,
                         Ptr<OcsNetDevice> uplink,
                         Ptr<OcsNetDevice> port,
                         Ptr<OcsFiber> fiber)
{
    const uint32_t number = m_tors[rack]->AddElectrical(uplink);
    const uint32_t spine = number % m_size.spines;
    m_electrical.push_back({rack, number, spine, m_spines[spine]->AddPort(port)});
    fiber->Connect(uplink, port);
    m_fibers.push_back(fiber);
}

Ptr<PacketSwitch>
OcsFabric::GetSpine(uint32_t index) const
{
    return m_spines.at(index);
}

void
OcsFabric::UpdateElectricalRoutes()
{
    const auto works = [this](const Electrical& link)
    {
        return !m_tors[link.rack]->GetElectrical(link.uplink)->IsFailed() &&
               !m_spines[link.spine]->GetPort(link.spinePort)->IsFailed();
    };
    using Ports = std::vector<uint32_t>;
    std::vector<std::vector<Ports>> spineRoutes(m_spines.size(), std::vector<Ports>(m_size.racks));
    for (const Electrical& link : m_electrical)
    {
        if (works(link))
        {
            spineRoutes[link.spine][link.rack].push_back(link.spinePort);
        }
    }
    for (std::size_t s = 0; s < m_spines.size(); ++s)
    {
        m_spines[s]->SetRoutes(spineRoutes[s]);
    }
    std::vector<std::vector<uint64_t>> torRoutes(m_size.racks,
                                                 std::vector<uint64_t>(m_size.racks, 0));
    for (const Electrical& link : m_electrical)
    {
        for (RackId to = 0; works(link) && to < m_size.racks; ++to)
        {
            if (to != link.rack && !spineRoutes[link.spine][to].empty())
            {
                torRoutes[link.rack][to] |= uint64_t{1} << link.uplink;
            }
        }
    }
    for (RackId rack = 0; !m_spines.empty() && rack < m_size.racks; ++rack)
    {
        m_tors[rack]->SetElectricalRoutes(std::move(torRoutes[rack]));
    }
}

bool
OcsFabric::IsRemote(RackId rack) const
{
    return RankArrivals::IsRemote(*m_torNodes.Get(rack));
}

NetDeviceContainer
OcsFabric::GetServerDevices() const
{
    NetDeviceContainer devices;
    for (const auto& device : m_serverDevices)
    {
        devices.Add(device);
    }
    return devices;
}

uint32_t
OcsFabric::GetServerIndex(RackId rack, uint32_t server) const
{
    if (rack >= m_size.racks || server >= m_size.GetNServers(rack))
    {
        throw OdcnError::InOption("server of a fabric",
                                  "server " + std::to_string(server) + " of rack " +
                                      std::to_string(rack),
                                  "one that it has");
    }
    return m_firstServer[rack] + server;
}

Ptr<Node>
OcsFabric::GetServer(RackId rack, uint32_t server) const
{
    return m_servers.Get(GetServerIndex(rack, server));
}

Ptr<OcsNetDevice>
OcsFabric::GetServerDevice(RackId rack, uint32_t server) const
{
    return m_serverDevices.at(GetServerIndex(rack, server));
}

Ipv4Address
OcsFabric::GetServerAddress(RackId rack, uint32_t server) const
{
    return m_plan.GetAddress(rack, server);
}

Ptr<OcsNetDevice>
OcsFabric::GetUplink(RackId rack, uint32_t port) const
{
    CheckUplink(rack, port);
    return m_tors[rack]->GetUplink(port);
}

uint32_t
OcsFabric::GetSwitchOf(uint32_t port) const
{
    return port % m_size.switches;
}

uint32_t
OcsFabric::GetSwitchPort(RackId rack, uint32_t port) const
{
    return rack * m_portsPerSwitch + port / m_size.switches;
}

void
OcsFabric::CheckUplink(RackId rack, uint32_t port) const
{
    if (rack >= m_size.racks)
    {
        throw OdcnError::InOption("circuit",
                                  "rack " + std::to_string(rack),
                                  "a rack below " + std::to_string(m_size.racks));
    }
    if (port >= m_size.GetNUplinks(rack))
    {
        throw OdcnError::InOption("circuit",
                                  "uplink " + std::to_string(port) + " of rack " +
                                      std::to_string(rack),
                                  "an uplink below " + std::to_string(m_size.GetNUplinks(rack)));
    }
}

std::vector<std::vector<OcsPortChange>>
OcsFabric::Split(const std::vector<OcsCircuit>& circuits) const
{
    std::vector<std::vector<OcsPortChange>> changes(m_size.switches);
    for (const OcsCircuit& c : circuits)
    {
        CheckUplink(c.from, c.outPort);
        const uint32_t w = GetSwitchOf(c.outPort);
        uint32_t output = OCS_NO_PORT;
        if (c.to != NO_RACK)
        {
            CheckUplink(c.to, c.inPort);
            if (c.to == c.from || GetSwitchOf(c.inPort) != w)
            {
                throw OdcnError::InOption(
                    "circuit of rack " + std::to_string(c.from) + " uplink " +
                        std::to_string(c.outPort),
                    "rack " + std::to_string(c.to) + " uplink " + std::to_string(c.inPort),
                    "another rack's uplink on optical switch " + std::to_string(w));
            }
            output = GetSwitchPort(c.to, c.inPort);
        }
        changes[w].push_back({GetSwitchPort(c.from, c.outPort), output});
    }
    for (uint32_t w = 0; w < m_size.switches; ++w)
    {
        m_switches[w]->Check(changes[w]);
    }
    return changes;
}

void
OcsFabric::Check(const std::vector<OcsCircuit>& circuits) const
{
    Split(circuits);
}

OcsCircuit
OcsFabric::Join(uint32_t w, const OcsPortChange& change) const
{
    OcsCircuit c{};
    c.from = change.input / m_portsPerSwitch;
    c.outPort = change.input % m_portsPerSwitch * m_size.switches + w;
    c.to = NO_RACK;
    if (change.output != OCS_NO_PORT)
    {
        c.to = change.output / m_portsPerSwitch;
        c.inPort = change.output % m_portsPerSwitch * m_size.switches + w;
    }
    return c;
}

std::vector<OcsCircuit>
OcsFabric::ToCircuits(const std::vector<OdcnCircuitChange>& changes)
{
    std::vector<OcsCircuit> circuits;
    circuits.reserve(changes.size());
    for (const OdcnCircuitChange& change : changes)
    {
        circuits.push_back({change.from, change.outPort, change.newTo, change.newInPort});
    }
    return circuits;
}

void
OcsFabric::Preset(const std::vector<OcsCircuit>& circuits)
{
    const auto changes = Split(circuits);
    for (uint32_t w = 0; w < m_size.switches; ++w)
    {
        m_switches[w]->Preset(changes[w]);
        CircuitsUp(w, changes[w]);
    }
}

void
OcsFabric::PresetAllToAll()
{
    std::vector<OcsCircuit> circuits;
    for (RackId u = 0; m_size.racks > 1 && u < m_size.racks; ++u)
    {
        for (uint32_t p = 0; p < m_size.GetNUplinks(u); ++p)
        {
            const RackId v = (u + 1 + p % (m_size.racks - 1)) % m_size.racks;
            if (p < m_size.GetNUplinks(v))
            {
                circuits.push_back({u, p, v, p});
            }
        }
    }
    Preset(circuits);
}

uint32_t
OcsFabric::Apply(const std::vector<OcsCircuit>& circuits)
{
    NS_LOG_FUNCTION(this << circuits.size());
    const auto changes = Split(circuits);
    std::vector<std::vector<uint32_t>> cleared(m_size.racks);
    for (const OcsCircuit& c : circuits)
    {
        const OcsCircuit now = GetCircuit(c.from, c.outPort);
        if (now.to != c.to || (c.to != NO_RACK && now.inPort != c.inPort))
        {
            cleared[c.from].push_back(c.outPort);
        }
    }
    for (RackId rack = 0; rack < m_size.racks; ++rack)
    {
        if (!cleared[rack].empty())
        {
            m_tors[rack]->ClearCircuits(cleared[rack]);
        }
    }
    uint32_t moved = 0;
    for (uint32_t w = 0; w < m_size.switches; ++w)
    {
        moved += m_switches[w]->Reconfigure(changes[w]);
    }
    return moved;
}

OcsCircuit
OcsFabric::GetCircuit(RackId rack, uint32_t outPort) const
{
    CheckUplink(rack, outPort);
    const uint32_t w = GetSwitchOf(outPort);
    const uint32_t input = GetSwitchPort(rack, outPort);
    return Join(w, {input, m_switches[w]->GetOutput(input)});
}

void
OcsFabric::SetTorsFollowSwitches(bool follow)
{
    m_torsFollow = follow;
}

void
OcsFabric::SetPathFailed(RackId rack, uint32_t port, bool output, bool failed)
{
    NS_LOG_FUNCTION(this << rack << port << output << failed);
    CheckUplink(rack, port);
    uint8_t& state = (output ? m_outFailed : m_inFailed)[rack * m_size.uplinks + port];
    if (bool(state) == failed)
    {
        return;
    }
    state = failed;
    failed ? ++m_nFailed : --m_nFailed;
    const auto find = [this](RackId from, uint32_t outPort)
    {
        // What the ToR switch uses by its clock, even if a mirror has not obeyed.
        const RackId to = m_tors[from]->GetCircuit(outPort);
        const OcsCircuit c = GetCircuit(from, outPort);
        return c.to == to ? c : OcsCircuit{from, outPort, to, outPort};
    };
    for (RackId from = 0; from < m_size.racks; ++from)
    {
        for (uint32_t p = 0; p < m_size.GetNUplinks(from); ++p)
        {
            const bool concerned =
                output ? from == rack && p == port
                       : m_tors[from]->GetCircuit(p) == rack && GetSwitchOf(p) == GetSwitchOf(port);
            const OcsCircuit c = concerned ? find(from, p) : OcsCircuit{from, p, NO_RACK, 0};
            if (c.to != NO_RACK && (output || c.inPort == port))
            {
                m_tors[from]->SetUsable(p, IsUsable(c));
            }
        }
    }
    m_pathTrace(rack, port, output, failed);
}

bool
OcsFabric::IsUsable(const OcsCircuit& circuit) const
{
    return !m_outFailed[circuit.from * m_size.uplinks + circuit.outPort] &&
           !m_inFailed[circuit.to * m_size.uplinks + circuit.inPort];
}

void
OcsFabric::SetServerFailed(RackId rack, uint32_t server, bool failed)
{
    GetServerIndex(rack, server);
    m_serverTrace(rack, server, failed);
}

void
OcsFabric::UseCircuit(const OcsCircuit& circuit, Time until)
{
    m_tors[circuit.from]->SetCircuit(circuit.outPort, circuit.to, until, IsUsable(circuit));
}

uint32_t
OcsFabric::GetNCircuits(RackId u, RackId v) const
{
    return m_table->Get(u, v);
}

void
OcsFabric::CircuitsUp(uint32_t w, const std::vector<OcsPortChange>& changes)
{
    std::vector<OcsCircuit> circuits;
    for (const OcsPortChange& change : changes)
    {
        const OcsCircuit c = Join(w, change);
        if (m_torsFollow && c.to == NO_RACK)
        {
            m_tors[c.from]->ClearCircuit(c.outPort);
        }
        else if (m_torsFollow)
        {
            UseCircuit(c);
        }
        circuits.push_back(c);
    }
    if (!circuits.empty())
    {
        m_upTrace(circuits);
    }
}

void
OcsFabric::SwitchDone(Ptr<Link> link, uint32_t w, const std::vector<OcsPortChange>& changes)
{
    if (const Ptr<OcsFabric> fabric = link->fabric)
    {
        fabric->CircuitsUp(w, changes);
    }
}

PacketCounts
OcsFabric::Count() const
{
    PacketCounts counts;
    const auto countPort = [&counts](const Ptr<OcsNetDevice>& device)
    {
        counts.inFlight += device->GetWaiting();
        counts.dropped += device->GetRxDropped();
    };
    for (const auto& device : m_serverDevices)
    {
        counts.sent += device->GetOffered();
        counts.received += device->GetReceived();
        counts.dropped += device->GetTxDropped();
        countPort(device);
    }
    for (const auto& tor : m_tors)
    {
        for (const auto& device : tor->GetPorts())
        {
            countPort(device);
        }
        counts.inFlight += tor->GetHeld();
        counts.dropped += tor->GetDropped();
        counts.controlSent += tor->GetControlSent();
        counts.controlReceived += tor->GetControlReceived();
    }
    for (const auto& ocs : m_switches)
    {
        counts.inFlight += ocs->GetInFlight();
        counts.dropped += ocs->GetDropped();
    }
    for (const auto& spine : m_spines)
    {
        counts += spine->Count();
    }
    for (const auto& fiber : m_fibers)
    {
        counts.inFlight += fiber->GetInFlight();
    }
    return counts;
}

int64_t
OcsFabric::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& tor : m_tors)
    {
        used += tor->AssignStreams(stream + used);
    }
    for (const auto& spine : m_spines)
    {
        used += spine->AssignStreams(stream + used);
    }
    return used;
}

Time
OcsFabric::GetLinksTime(uint32_t bytes) const
{
    const auto propagation = [](const Ptr<OcsNetDevice>& device)
    { return DynamicCast<OcsFiber>(device->GetChannel())->GetDelay(); };
    const auto server = GetServerDevice(0, 0);
    Time sum = server->GetDataRate().CalculateBytesTxTime(bytes) +
               GetTor(0)->GetDownlink(0)->GetDataRate().CalculateBytesTxTime(bytes) +
               propagation(server) + propagation(server);
    if (m_size.uplinks > 0)
    {
        const Time delay = propagation(GetUplink(0, 0));
        sum += delay + delay;
    }
    return sum;
}

} // namespace ns3::odcn
