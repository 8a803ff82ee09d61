// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "tor-routing.h"

#include "ocs-switch.h"
#include "tor-switch.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"
#include "ns3/tag.h"

#include <algorithm>
#include <iostream>
#include <string_view>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("TorRouting");

NS_OBJECT_ENSURE_REGISTERED(TorRouting);
NS_OBJECT_ENSURE_REGISTERED(DropRouting);
NS_OBJECT_ENSURE_REGISTERED(DetourRouting);
NS_OBJECT_ENSURE_REGISTERED(DirectRouting);
NS_OBJECT_ENSURE_REGISTERED(ValiantRouting);
NS_OBJECT_ENSURE_REGISTERED(ExpanderRouting);
NS_OBJECT_ENSURE_REGISTERED(ElectricalRouting);
NS_OBJECT_ENSURE_REGISTERED(HybridRouting);
NS_OBJECT_ENSURE_REGISTERED(ClassRouting);

namespace
{

/// The way of a packet over several racks. That of a detour has 0 hops before the first circuit, so
/// that the packet is not counted again if it is routed again there, and 1 after it.
class PathTag : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<PathTag, Tag>("ns3::odcn::TorPathTag");
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return static_cast<uint32_t>(2 + 2 * path.size());
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU8(hops);
        buffer.WriteU8(static_cast<uint8_t>(path.size()));
        for (const uint16_t rack : path)
        {
            buffer.WriteU16(rack);
        }
    }

    void Deserialize(TagBuffer buffer) override
    {
        hops = buffer.ReadU8();
        path.resize(buffer.ReadU8());
        for (uint16_t& rack : path)
        {
            rack = buffer.ReadU16();
        }
    }

    void Print(std::ostream& os) const override
    {
        os << "hops=" << uint32_t(hops);
    }

    uint8_t hops{0};            //!< circuits that it has taken
    OcsCircuitTable::Path path; //!< racks still to visit; empty for any way
};

NS_OBJECT_ENSURE_REGISTERED(PathTag);

} // namespace

TypeId
TorRouting::GetTypeId()
{
    static TypeId tid = TypeIdOf<TorRouting, Object>("ns3::odcn::TorRouting");
    return tid;
}

Ptr<TorRouting>
TorRouting::Create(const std::string& text)
{
    return CreateFromText<TorRouting>("routing of a ToR switch", text);
}

void
TorRouting::Serve(uint32_t, RackId)
{
}

void
TorRouting::CircuitUp(uint32_t, RackId, Time)
{
}

void
TorRouting::Forget()
{
}

bool
TorRouting::Control(uint32_t, const Ptr<Packet>&)
{
    return false;
}

void
TorRouting::Deliver(const Ptr<Packet>&)
{
}

int64_t
TorRouting::AssignStreams(int64_t)
{
    return 0;
}

TorForwarding
TorRouting::GetForwarding() const
{
    return {};
}

bool
TorRouting::UsesEndingCircuits() const
{
    return true;
}

void
TorRouting::DoDispose()
{
    m_tor = nullptr;
    Object::DoDispose();
}

TorRouting::Choice
TorRouting::Lose(OcsDropCause cause)
{
    return {{}, DROP, cause};
}

TorRouting::Choice
TorRouting::SendElectrically()
{
    return {{}, ELECTRICAL};
}

TypeId
DropRouting::GetTypeId()
{
    static TypeId tid = TypeIdOf<DropRouting, TorRouting>("ns3::odcn::DropRouting");
    return tid;
}

TorRouting::Choice
DropRouting::Route(const Arrival& arrival)
{
    return arrival.fromRack ? Lose(OcsDropCause::MISROUTED) : GoDirectly(arrival);
}

TorRouting::Choice
DropRouting::GoDirectly(const Arrival& arrival) const
{
    TorSwitch& tor = GetTor();
    const uint32_t port = tor.ChoosePortTo(arrival.destination, arrival.header, arrival.fromRack);
    if (port != OCS_NO_PORT)
    {
        return {{TorQueueKind::PORT, port}, UPLINK};
    }
    for (uint32_t p = 0; p < tor.GetNUplinks(); ++p)
    {
        if (tor.GetCircuit(p) == arrival.destination)
        {
            return Lose(OcsDropCause::PORT_FAILED);
        }
    }
    return Lose(OcsDropCause::NO_CIRCUIT);
}

TypeId
DetourRouting::GetTypeId()
{
    static TypeId tid = TypeIdOf<DetourRouting, DropRouting>("ns3::odcn::DetourRouting");
    return tid;
}

TorRouting::Choice
DetourRouting::Route(const Arrival& arrival)
{
    PathTag tag;
    TorSwitch& tor = GetTor();
    const bool wasOnDetour = arrival.packet->RemovePacketTag(tag);
    bool isInTransit = wasOnDetour && tag.hops == 1;
    if (wasOnDetour && !isInTransit && !arrival.fromRack)
    {
        tor.CountDetour(-1); // its circuit has ended before it has left
    }
    if (arrival.fromRack)
    {
        if (isInTransit)
        {
            return Lose(OcsDropCause::MISROUTED);
        }
        isInTransit = true;
    }
    if (isInTransit)
    {
        tag.hops = 1;
        arrival.packet->AddPacketTag(tag);
    }
    const Choice direct = GoDirectly(arrival);
    if (direct.way != DROP || isInTransit)
    {
        return direct;
    }
    m_detours.clear();
    for (uint32_t port = 0; port < tor.GetNUplinks(); ++port)
    {
        const RackId transit = tor.GetCircuit(port);
        if (transit != NO_RACK && tor.Works(port) &&
            tor.GetCircuitTable().Get(transit, arrival.destination) > 0)
        {
            m_detours.push_back(port);
        }
    }
    if (m_detours.empty())
    {
        return direct;
    }
    const auto n = static_cast<uint32_t>(m_detours.size());
    tor.CountDetour(1);
    tag.hops = 0;
    arrival.packet->AddPacketTag(tag);
    return {{TorQueueKind::PORT, m_detours[tor.Spread(n, tor.GetRack(), arrival.header)]}, UPLINK};
}

void
DetourRouting::Deliver(const Ptr<Packet>& packet)
{
    PathTag tag;
    packet->RemovePacketTag(tag);
}

TypeId
DirectRouting::GetTypeId()
{
    static TypeId tid = TypeIdOf<DirectRouting, TorRouting>("ns3::odcn::DirectRouting");
    return tid;
}

TorRouting::Choice
DirectRouting::Route(const Arrival& arrival)
{
    return arrival.fromRack ? Lose(OcsDropCause::MISROUTED)
                            : Choice{{TorQueueKind::LOCAL, arrival.destination}};
}

void
DirectRouting::Serve(uint32_t port, RackId peer)
{
    GetTor().SendHeld(port, {TorQueueKind::LOCAL, peer});
}

TorForwarding
DirectRouting::GetForwarding() const
{
    return TorForwarding::All(IsExactly(GetTypeId()) ? TorForwarding::DIRECT
                                                     : TorForwarding::OTHER);
}

TypeId
ValiantRouting::GetTypeId()
{
    using T = ValiantRouting;
    static TypeId tid =
        TypeIdOf<ValiantRouting, TorRouting>("ns3::odcn::ValiantRouting")
            .Add(Attribute("Spread", &T::m_spread, IDLE, {{IDLE, "Idle"}, {RANDOM, "Random"}}),
                 "Choice of the transit rack");
    return tid;
}

ValiantRouting::ValiantRouting()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
ValiantRouting::DoDispose()
{
    m_random = nullptr;
    TorRouting::DoDispose();
}

int64_t
ValiantRouting::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

TorRouting::Choice
ValiantRouting::Route(const Arrival& arrival)
{
    if (arrival.fromRack)
    {
        return {{TorQueueKind::RELAY, arrival.destination}};
    }
    if (m_spread == IDLE)
    {
        return {{TorQueueKind::LOCAL, arrival.destination}};
    }
    const RackId self = GetTor().GetRack();
    const RackId other = m_random->GetInteger(0, GetTor().GetNRacks() - 2);
    RackId transit = other + (other >= self ? 1 : 0);
    if (!Leads(transit, arrival.destination))
    {
        std::vector<RackId> leading;
        for (RackId rack = 0; rack < GetTor().GetNRacks(); ++rack)
        {
            if (rack != self && Leads(rack, arrival.destination))
            {
                leading.push_back(rack);
            }
        }
        if (!leading.empty())
        {
            transit = leading[m_random->GetInteger(0, leading.size() - 1)];
        }
    }
    return {{TorQueueKind::LOCAL, transit}};
}

bool
ValiantRouting::Leads(RackId transit, RackId destination) const
{
    const OcsCircuitTable& table = GetTor().GetCircuitTable();
    return !table.IsCutOff(GetTor().GetRack(), transit) &&
           (transit == destination || !table.IsCutOff(transit, destination));
}

void
ValiantRouting::Serve(uint32_t port, RackId peer)
{
    TorSwitch& tor = GetTor();
    if (tor.SendHeld(port, {TorQueueKind::RELAY, peer}) ||
        tor.SendHeld(port, {TorQueueKind::LOCAL, peer}) || m_spread == RANDOM)
    {
        return;
    }
    const std::vector<uint32_t>& busy = tor.GetBuffer().GetBusy(TorQueueKind::LOCAL);
    const std::size_t turn = busy.empty() ? 0 : m_turn++;
    for (std::size_t i = 0; i < busy.size(); ++i)
    {
        const RackId destination = busy[(turn + i) % busy.size()];
        if (Leads(peer, destination))
        {
            tor.SendHeld(port, {TorQueueKind::LOCAL, destination});
            return;
        }
    }
}

TorForwarding
ValiantRouting::GetForwarding() const
{
    return TorForwarding::All(!IsExactly(GetTypeId()) ? TorForwarding::OTHER
                              : m_spread == RANDOM    ? TorForwarding::TRANSIT_RANDOM
                                                      : TorForwarding::TRANSIT_IDLE);
}

TypeId
ExpanderRouting::GetTypeId()
{
    using T = ExpanderRouting;
    static TypeId tid =
        TypeIdOf<ExpanderRouting, TorRouting>("ns3::odcn::ExpanderRouting")
            .Add(Attribute("MaxHops", &T::m_maxHops, 16, 1, 255),
                 "Most circuits that a packet may take; then it is dropped as misrouted")
            .Add(Attribute("Paths", &T::m_paths, 1, 1, OcsCircuitTable::MAX_PORTS),
                 "Number of disjoint paths of which each packet takes one; 1 for a "
                 "shortest path, chosen at each rack")
            .Add(Attribute("EndingCircuits", &T::m_ending, true),
                 "Whether paths use circuits that end before any other circuit changes; false is "
                 "the reading of Opera's authors, for schedules that change one plane at a time");
    return tid;
}

TorRouting::Choice
ExpanderRouting::Route(const Arrival& arrival)
{
    TorSwitch& tor = GetTor();
    PathTag tag;
    if (arrival.fromRack)
    {
        arrival.packet->RemovePacketTag(tag);
        if (++tag.hops >= m_maxHops)
        {
            return Lose(OcsDropCause::MISROUTED);
        }
    }
    else if (m_paths > 1)
    {
        // It may be here for the second time, because its circuit has ended.
        arrival.packet->RemovePacketTag(tag);
        const auto& paths =
            tor.GetCircuitTable().GetDisjointPaths(tor.GetRack(), arrival.destination, m_paths);
        if (!paths.empty())
        {
            const auto n = static_cast<uint32_t>(paths.size());
            tag.path = paths[tor.Spread(n, arrival.destination, arrival.header)];
        }
    }
    uint32_t port = OCS_NO_PORT;
    if (!tag.path.empty())
    {
        // The path was chosen by the hash of the first rack.
        port = tor.ChoosePortTo(tag.path[0], arrival.header, true);
        tag.path.erase(tag.path.begin());
    }
    if (port == OCS_NO_PORT)
    {
        tag.path.clear();
        port = tor.ChooseNextPort(arrival.destination, arrival.header, arrival.fromRack);
    }
    // Hops count on, also if the packet waits instead of being dropped (ClassRouting).
    if (arrival.fromRack || m_paths > 1)
    {
        arrival.packet->AddPacketTag(tag);
    }
    return port == OCS_NO_PORT ? Lose(OcsDropCause::NO_CIRCUIT)
                               : Choice{{TorQueueKind::PORT, port}};
}

void
ExpanderRouting::Deliver(const Ptr<Packet>& packet)
{
    PathTag tag;
    packet->RemovePacketTag(tag);
}

TorForwarding
ExpanderRouting::GetForwarding() const
{
    return IsExactly(GetTypeId()) ? TorForwarding::Shortest(m_maxHops, m_paths, m_ending)
                                  : TorForwarding{};
}

bool
ExpanderRouting::UsesEndingCircuits() const
{
    return m_ending;
}

TypeId
ElectricalRouting::GetTypeId()
{
    static TypeId tid = TypeIdOf<ElectricalRouting, TorRouting>("ns3::odcn::ElectricalRouting");
    return tid;
}

void
ElectricalRouting::SetTor(TorSwitch* tor)
{
    if (!tor->IsHybrid())
    {
        throw OdcnError::InOption("routing of a ToR switch",
                                  GetInstanceTypeId().GetName(),
                                  "electrical uplinks (OcsFabricSize::electrical)");
    }
    TorRouting::SetTor(tor);
}

TorRouting::Choice
ElectricalRouting::Route(const Arrival& arrival)
{
    return arrival.fromRack ? Lose(OcsDropCause::MISROUTED) : SendElectrically();
}

TypeId
HybridRouting::GetTypeId()
{
    static TypeId tid = TypeIdOf<HybridRouting, ElectricalRouting>("ns3::odcn::HybridRouting");
    return tid;
}

TorRouting::Choice
HybridRouting::Route(const Arrival& arrival)
{
    TorSwitch& tor = GetTor();
    if (arrival.fromRack)
    {
        return Lose(OcsDropCause::MISROUTED);
    }
    if (!tor.HasElectrical(arrival.destination))
    {
        return {{TorQueueKind::LOCAL, arrival.destination}};
    }
    const uint32_t port = tor.ChoosePortTo(arrival.destination, arrival.header);
    if (port == OCS_NO_PORT)
    {
        return SendElectrically();
    }
    const TorQueueId queue{TorQueueKind::PORT, port};
    return tor.HasTime(port, tor.GetBuffer().GetBytes(queue) + arrival.packet->GetSize())
               ? Choice{queue}
               : SendElectrically();
}

void
HybridRouting::Serve(uint32_t port, RackId peer)
{
    GetTor().SendHeld(port, {TorQueueKind::LOCAL, peer});
}

/// Packets of all ClassRoutings that are in use.
static struct
{
    uint32_t routings; //!< their number
    uint64_t shorts;   //!< packets of the class Short
    uint64_t bulks;    //!< other packets
} g_classes;

TypeId
ClassRouting::GetTypeId()
{
    using T = ClassRouting;
    static TypeId tid = TypeIdOf<ClassRouting, TorRouting>("ns3::odcn::ClassRouting")
                            .Add(Attribute("By",
                                           &T::m_field,
                                           DSCP,
                                           {{DSCP, "Dscp"}, {RACK, "Rack"}, {PORT, "Port"}}),
                                 "Field that tells the class of a packet: its DSCP, its "
                                 "destination's rack, or its destination port")
                            .Add(Attribute("Values", &T::SetValues, &T::GetValues, "46"),
                                 "Numbers and ranges of the field in the class Short, "
                                 "such as 80,5000-5999; the default is the DSCP EF")
                            .Add(Attribute("Short", &T::m_shortText, "ExpanderRouting"),
                                 "TorRouting of packets with one of Values")
                            .Add(Attribute("Bulk", &T::m_bulkText, "DirectRouting"),
                                 "TorRouting of all other packets");
    return tid;
}

void
ClassRouting::SetTor(TorSwitch* tor)
{
    TorRouting::SetTor(tor);
    g_classes.routings += !m_short;
    m_short = TorRouting::Create(m_shortText);
    m_bulk = TorRouting::Create(m_bulkText);
    m_short->SetTor(tor);
    m_bulk->SetTor(tor);
}

void
ClassRouting::DoDispose()
{
    if (m_short && --g_classes.routings == 0)
    {
        if (g_classes.shorts == 0 && g_classes.bulks > 0)
        {
            std::cerr << "warning: ClassRouting: no packet was of the class Short, so all took "
                      << m_bulkText << " (FlowApplication: ShortFlows)\n";
        }
        g_classes = {};
    }
    for (Ptr<TorRouting>* routing : {&m_short, &m_bulk})
    {
        if (*routing)
        {
            (*routing)->Dispose();
            *routing = nullptr;
        }
    }
    TorRouting::DoDispose();
}

void
ClassRouting::SetValues(std::string text)
{
    std::vector<Range> values;
    std::vector<std::string_view> items;
    SplitText(text, ',', items);
    for (const std::string_view item : items)
    {
        const auto dash = item.find('-');
        const auto first = ParseCount(item.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : ParseCount(item.substr(dash + 1));
        if (!first || !last || *last < *first || *last > UINT32_MAX)
        {
            throw OdcnError::InOption("Values of ClassRouting",
                                      text,
                                      "numbers and ranges, such as 80,5000-5999");
        }
        values.emplace_back(*first, *last);
    }
    m_values = std::move(values);
    m_valuesText = std::move(text);
}

bool
ClassRouting::IsShort(const Arrival& arrival) const
{
    uint32_t value = arrival.header.tos >> 2;
    if (m_field == RACK)
    {
        value = arrival.destination;
    }
    else if (m_field == PORT)
    {
        const auto port = OcsPacketHeader::ReadDestinationPort(arrival.packet);
        if (!port)
        {
            return false;
        }
        value = *port;
    }
    return std::any_of(m_values.begin(),
                       m_values.end(),
                       [value](const Range& range)
                       { return value >= range.first && value <= range.second; });
}

TorRouting::Choice
ClassRouting::Route(const Arrival& arrival)
{
    if (!IsShort(arrival))
    {
        ++g_classes.bulks;
        return m_bulk->Route(arrival);
    }
    ++g_classes.shorts;
    const Choice choice = m_short->Route(arrival);
    if (choice.way != DROP || choice.cause != OcsDropCause::NO_CIRCUIT)
    {
        return choice;
    }
    return m_bulk->Route({arrival.packet, arrival.header, arrival.destination, false, 0});
}

void
ClassRouting::Serve(uint32_t port, RackId peer)
{
    m_short->Serve(port, peer);
    if (GetTor().IsIdle(port))
    {
        m_bulk->Serve(port, peer);
    }
}

void
ClassRouting::CircuitUp(uint32_t port, RackId peer, Time until)
{
    m_short->CircuitUp(port, peer, until);
    m_bulk->CircuitUp(port, peer, until);
}

void
ClassRouting::Forget()
{
    m_short->Forget();
    m_bulk->Forget();
}

bool
ClassRouting::Control(uint32_t port, const Ptr<Packet>& packet)
{
    return m_short->Control(port, packet) || m_bulk->Control(port, packet);
}

void
ClassRouting::Deliver(const Ptr<Packet>& packet)
{
    m_short->Deliver(packet);
    m_bulk->Deliver(packet);
}

int64_t
ClassRouting::AssignStreams(int64_t stream)
{
    const int64_t used = m_short->AssignStreams(stream);
    return used + m_bulk->AssignStreams(stream + used);
}

TorForwarding
ClassRouting::GetForwarding() const
{
    constexpr uint32_t EXPEDITED = 46;
    if (!IsExactly(GetTypeId()) || m_field != DSCP ||
        m_values != std::vector<Range>{{EXPEDITED, EXPEDITED}})
    {
        return {};
    }
    return {TorRouting::Create(m_bulkText)->GetForwarding().bulk,
            TorRouting::Create(m_shortText)->GetForwarding().expedited};
}

bool
ClassRouting::UsesEndingCircuits() const
{
    return m_short->UsesEndingCircuits() && m_bulk->UsesEndingCircuits();
}

} // namespace ns3::odcn
