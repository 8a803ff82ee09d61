// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "tor-rotor-lb-routing.h"

#include "tor-switch.h"

#include "ns3/header.h"
#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("RotorLbRouting");

NS_OBJECT_ENSURE_REGISTERED(RotorLbRouting);

namespace
{

/// Bytes that a circuit without an end can carry.
constexpr double ENDLESS = 1e15;

/// Kind of a message, in its first byte. In an IP packet that byte starts with 4 or 6.
enum Kind : uint8_t
{
    OFFER = 0x11,
    ACCEPT = 0x12,
};

/// An offer or an accept, as on the wire.
class MessageHeader : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<MessageHeader, Header>("ns3::odcn::RotorLbMessageHeader");
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 13 + 8 * static_cast<uint32_t>(shares.size());
    }

    void Serialize(Buffer::Iterator i) const override
    {
        i.WriteU8(kind);
        i.WriteHtonU32(sender);
        WriteBytes(i, room);
        i.WriteHtonU32(static_cast<uint32_t>(shares.size()));
        for (const RotorLbRouting::Share& share : shares)
        {
            i.WriteHtonU32(share.rack);
            WriteBytes(i, share.bytes);
        }
    }

    uint32_t Deserialize(Buffer::Iterator i) override
    {
        kind = i.ReadU8();
        sender = i.ReadNtohU32();
        room = i.ReadNtohU32();
        shares.resize(i.ReadNtohU32());
        for (RotorLbRouting::Share& share : shares)
        {
            share.rack = i.ReadNtohU32();
            share.bytes = i.ReadNtohU32();
        }
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << (kind == OFFER ? "offer" : "accept") << " of rack " << sender << ", room " << room;
        for (const RotorLbRouting::Share& share : shares)
        {
            os << ", " << share.bytes << " B to " << share.rack;
        }
    }

    uint8_t kind{OFFER};                       //!< see Kind
    RackId sender{0};                          //!< rack
    uint64_t room{0};                          //!< of an offer: most bytes to accept
    std::vector<RotorLbRouting::Share> shares; //!< bytes by destination

  private:
    /// @param i where to write  @param bytes number, at most 4 GB in a message
    static void WriteBytes(Buffer::Iterator& i, uint64_t bytes)
    {
        i.WriteHtonU32(static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)));
    }
};

NS_OBJECT_ENSURE_REGISTERED(MessageHeader);

/// @param header a message  @return it as a packet
Ptr<Packet>
MakePacket(const MessageHeader& header)
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    return packet;
}

/// @param a a number  @param b another  @return a - b, or 0 if it is negative
uint64_t
Less(uint64_t a, uint64_t b)
{
    return a - std::min(a, b);
}

} // namespace

TypeId
RotorLbRouting::GetTypeId()
{
    using T = RotorLbRouting;
    static TypeId tid =
        TypeIdOf<RotorLbRouting, TorRouting>("ns3::odcn::RotorLbRouting")
            .Add(Attribute("BacklogLimit", &T::m_limit, 1, 0),
                 "Most bytes that wait here for a destination after it was agreed to "
                 "relay some, as a multiple of what a circuit carries in its slot");
    return tid;
}

void
RotorLbRouting::DoDispose()
{
    for (Uplink& uplink : m_uplinks)
    {
        uplink.opening.Cancel();
    }
    m_uplinks.clear();
    TorRouting::DoDispose();
}

TorRouting::Choice
RotorLbRouting::Route(const Arrival& arrival)
{
    if (!arrival.fromRack)
    {
        return {{TorQueueKind::LOCAL, arrival.destination}};
    }
    auto& reserved = Find(arrival.port).reserved;
    if (const auto found = reserved.find(arrival.destination); found != reserved.end())
    {
        found->second = Less(found->second, arrival.packet->GetSize());
    }
    return {{TorQueueKind::RELAY, arrival.destination}};
}

void
RotorLbRouting::CircuitUp(uint32_t port, RackId peer, Time until)
{
    Uplink& uplink = Find(port);
    uplink.until = until;
    uplink.capacity = until == Time::Max() ? 0 : GetLeft(port);
    uplink.messages.clear();
    uplink.accepted.clear();
    uplink.reserved.clear();
    if (uplink.offer.sender != peer) // else the clock of the peer is ahead of ours
    {
        uplink.offer = {};
    }
    // Other circuits come up at the same time, and what they can carry is not offered.
    uplink.opening.Cancel();
    uplink.opening = Simulator::ScheduleNow(&RotorLbRouting::MakeOffer, this, port);
}

void
RotorLbRouting::Forget()
{
    for (Uplink& uplink : m_uplinks)
    {
        uplink.messages.clear();
        uplink.offer = {};
        uplink.accepted.clear();
        uplink.reserved.clear();
    }
}

RotorLbRouting::Uplink&
RotorLbRouting::Find(uint32_t port)
{
    m_uplinks.resize(GetTor().GetNUplinks());
    return m_uplinks[port];
}

uint64_t
RotorLbRouting::GetLeft(uint32_t port) const
{
    const Time left = m_uplinks[port].until - Simulator::Now();
    const Ptr<OcsNetDevice> device = GetTor().GetUplink(port);
    const double bytes = device->GetDataRate().GetBitRate() * left.GetSeconds() / 8;
    return bytes < 0 || !GetTor().Works(port) ? 0 : static_cast<uint64_t>(std::min(bytes, ENDLESS));
}

void
RotorLbRouting::MakeOffer(uint32_t port)
{
    TorSwitch& tor = GetTor();
    const TorBuffer& buffer = tor.GetBuffer();
    const RackId peer = tor.GetCircuit(port);
    if (peer == NO_RACK)
    {
        return;
    }
    MessageHeader offer;
    offer.sender = tor.GetRack();
    offer.room = Less(m_uplinks[port].capacity,
                      buffer.GetBytes({TorQueueKind::RELAY, peer}) +
                          buffer.GetBytes({TorQueueKind::LOCAL, peer}));
    for (const RackId rack : buffer.GetBusy(TorQueueKind::LOCAL))
    {
        uint64_t direct = 0;
        uint64_t agreed = 0;
        for (uint32_t p = 0; p < m_uplinks.size(); ++p)
        {
            direct += tor.GetCircuit(p) == rack ? GetLeft(p) : 0;
            for (const Share& share : m_uplinks[p].accepted)
            {
                agreed += share.rack == rack ? share.bytes : 0;
            }
        }
        const uint64_t bytes =
            Less(buffer.GetBytes({TorQueueKind::LOCAL, rack}),
                 Less(direct, buffer.GetBytes({TorQueueKind::RELAY, rack})) + agreed);
        if (rack != peer && bytes > 0)
        {
            offer.shares.push_back({rack, bytes});
        }
    }
    if (offer.room > 0 && !offer.shares.empty())
    {
        m_uplinks[port].messages.push_front(MakePacket(offer));
    }
    if (m_uplinks[port].offer.sender == peer)
    {
        Answer(port);
    }
    if (tor.IsIdle(port))
    {
        Serve(port, peer);
    }
}

TorForwarding
RotorLbRouting::GetForwarding() const
{
    return TorForwarding::All(IsExactly(GetTypeId()) ? TorForwarding::TRANSIT_AGREED
                                                     : TorForwarding::OTHER);
}

bool
RotorLbRouting::Control(uint32_t port, const Ptr<Packet>& packet)
{
    uint8_t kind = 0;
    packet->CopyData(&kind, 1);
    if (kind != OFFER && kind != ACCEPT)
    {
        return false;
    }
    MessageHeader message;
    packet->PeekHeader(message);
    NS_LOG_LOGIC("rack " << GetTor().GetRack() << " uplink " << port << ": " << message);
    Uplink& uplink = Find(port);
    const RackId peer = GetTor().GetCircuit(port);
    if (kind == OFFER)
    {
        if (message.sender == peer || peer == NO_RACK)
        {
            uplink.offer = {message.sender, message.room, std::move(message.shares)};
        }
        if (message.sender == peer)
        {
            Answer(port);
        }
    }
    else if (message.sender == peer)
    {
        uplink.accepted = std::move(message.shares);
    }
    if (GetTor().IsIdle(port))
    {
        Serve(port, peer);
    }
    return true;
}

void
RotorLbRouting::Answer(uint32_t port)
{
    TorSwitch& tor = GetTor();
    const TorBuffer& buffer = tor.GetBuffer();
    Uplink& uplink = m_uplinks[port];
    const Offer offer = std::move(uplink.offer);
    uplink.offer = {};
    uplink.reserved.clear();
    const auto limit = static_cast<uint64_t>(m_limit * uplink.capacity);
    std::vector<Share> wanted;
    for (const Share& share : offer.shares)
    {
        if (tor.GetCircuitTable().IsCutOff(tor.GetRack(), share.rack))
        {
            continue;
        }
        uint64_t backlog = buffer.GetBytes({TorQueueKind::RELAY, share.rack}) +
                           buffer.GetBytes({TorQueueKind::LOCAL, share.rack});
        for (const Uplink& other : m_uplinks)
        {
            const auto found = other.reserved.find(share.rack);
            backlog += found == other.reserved.end() ? 0 : found->second;
        }
        const uint64_t bytes = std::min(share.bytes, Less(limit, backlog));
        if (bytes > 0)
        {
            wanted.push_back({share.rack, bytes});
        }
    }
    if (wanted.empty())
    {
        return;
    }
    std::rotate(wanted.begin(), wanted.begin() + m_turn++ % wanted.size(), wanted.end());
    MessageHeader accept;
    accept.kind = ACCEPT;
    accept.sender = tor.GetRack();
    accept.shares = Divide(offer.room, std::move(wanted), tor.GetUplink(port)->GetMtu());
    for (const Share& share : accept.shares)
    {
        uplink.reserved[share.rack] = share.bytes;
    }
    uplink.messages.push_back(MakePacket(accept));
}

std::vector<RotorLbRouting::Share>
RotorLbRouting::Divide(uint64_t total, std::vector<Share> wanted, uint64_t unit)
{
    std::vector<Share> given(wanted.size());
    for (bool more = true; more && total > 0;)
    {
        more = false;
        for (std::size_t i = 0; i < wanted.size(); ++i)
        {
            const uint64_t part = std::min({unit, total, wanted[i].bytes - given[i].bytes});
            given[i] = {wanted[i].rack, given[i].bytes + part};
            total -= part;
            more = more || part > 0;
        }
    }
    given.erase(std::remove_if(given.begin(),
                               given.end(),
                               [](const Share& share) { return share.bytes == 0; }),
                given.end());
    return given;
}

void
RotorLbRouting::Serve(uint32_t port, RackId peer)
{
    TorSwitch& tor = GetTor();
    Uplink& uplink = Find(port);
    if (!uplink.opening.IsExpired())
    {
        return;
    }
    while (!uplink.messages.empty())
    {
        const Ptr<Packet> message = uplink.messages.front();
        uplink.messages.pop_front();
        if (tor.SendControl(port, message))
        {
            return;
        }
    }
    if (tor.SendHeld(port, {TorQueueKind::RELAY, peer}) ||
        tor.SendHeld(port, {TorQueueKind::LOCAL, peer}))
    {
        return;
    }
    for (std::size_t i = 0; i < uplink.accepted.size(); ++i)
    {
        Share& share = uplink.accepted[uplink.turn++ % uplink.accepted.size()];
        if (const uint32_t size =
                tor.SendHeld(port, {TorQueueKind::LOCAL, share.rack}, share.bytes))
        {
            share.bytes -= size;
            return;
        }
    }
}

} // namespace ns3::odcn
