// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "tor-rotor-lb-routing.h"

#include "tor-switch.h"

#include "ns3/header.h"
#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("RotorLbRouting");

NS_OBJECT_ENSURE_REGISTERED(RotorLbRouting);

namespace
{

/// Kind of a message, in its first byte. In an IP packet that byte starts with 4 or 6.
enum MessageKind : uint8_t
{
    OFFER = 0x11,
    ACCEPT = 0x12,
};

/// An offer or an accept, as on the wire.
class RotorLbHeader : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<RotorLbHeader, Header>("ns3::odcn::RotorLbMessageHeader");
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return message.GetSize();
    }

    void Serialize(Buffer::Iterator i) const override
    {
        i.WriteU8(message.isOffer ? OFFER : ACCEPT);
        i.WriteHtonU32(message.sender);
        i.WriteHtonU32(static_cast<uint32_t>(message.room));
        i.WriteHtonU32(static_cast<uint32_t>(message.shares.size()));
        for (const RotorLb::Share& share : message.shares)
        {
            i.WriteHtonU32(share.rack);
            i.WriteHtonU32(static_cast<uint32_t>(share.bytes));
        }
    }

    uint32_t Deserialize(Buffer::Iterator i) override
    {
        message.isOffer = i.ReadU8() == OFFER;
        message.sender = i.ReadNtohU32();
        message.room = i.ReadNtohU32();
        message.shares.resize(i.ReadNtohU32());
        for (RotorLb::Share& share : message.shares)
        {
            share.rack = i.ReadNtohU32();
            share.bytes = i.ReadNtohU32();
        }
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << (message.isOffer ? "offer" : "accept") << " of rack " << message.sender << ", room "
           << message.room;
        for (const RotorLb::Share& share : message.shares)
        {
            os << ", " << share.bytes << " B to " << share.rack;
        }
    }

    RotorLbMessage message; //!< as told
};

NS_OBJECT_ENSURE_REGISTERED(RotorLbHeader);

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
RotorLbRouting::SetTor(TorSwitch* tor)
{
    TorRouting::SetTor(tor);
    m_logic.emplace(static_cast<RotorLbSwitch&>(*this), m_limit);
}

void
RotorLbRouting::DoDispose()
{
    for (EventId& opening : m_openings)
    {
        opening.Cancel();
    }
    m_openings.clear();
    m_logic.reset();
    TorRouting::DoDispose();
}

TorRouting::Choice
RotorLbRouting::Route(const Arrival& arrival)
{
    if (!arrival.fromRack)
    {
        return {{TorQueueKind::LOCAL, arrival.destination}};
    }
    m_logic->Relay(arrival.port, arrival.destination, arrival.packet->GetSize());
    return {{TorQueueKind::RELAY, arrival.destination}};
}

void
RotorLbRouting::Serve(uint32_t port, RackId peer)
{
    m_logic->Serve(port, peer);
}

void
RotorLbRouting::CircuitUp(uint32_t port, RackId peer, Time until)
{
    m_logic->CircuitUp(port, peer, until);
}

void
RotorLbRouting::Forget()
{
    m_logic->Forget();
}

TorForwarding
RotorLbRouting::GetForwarding() const
{
    TorForwarding::Class all{IsExactly(GetTypeId()) ? TorForwarding::TRANSIT_AGREED
                                                    : TorForwarding::OTHER};
    all.backlogLimit = m_limit;
    return {all, all};
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
    RotorLbHeader header;
    packet->PeekHeader(header);
    NS_LOG_LOGIC("rack " << GetTor().GetRack() << " uplink " << port << ": " << header);
    m_logic->Receive(port, std::move(header.message));
    return true;
}

Time
RotorLbRouting::Now() const
{
    return Simulator::Now();
}

RackId
RotorLbRouting::GetRack() const
{
    return GetTor().GetRack();
}

uint32_t
RotorLbRouting::GetNUplinks() const
{
    return GetTor().GetNUplinks();
}

RackId
RotorLbRouting::GetCircuit(uint32_t port) const
{
    return GetTor().GetCircuit(port);
}

uint64_t
RotorLbRouting::GetRate(uint32_t port) const
{
    return GetTor().Works(port) ? GetTor().GetUplink(port)->GetDataRate().GetBitRate() : 0;
}

uint32_t
RotorLbRouting::GetMtu(uint32_t port) const
{
    return GetTor().GetUplink(port)->GetMtu();
}

uint64_t
RotorLbRouting::GetBytes(TorQueueId queue) const
{
    return GetTor().GetBuffer().GetBytes(queue);
}

const std::vector<uint32_t>&
RotorLbRouting::GetBusy() const
{
    return GetTor().GetBuffer().GetBusy(TorQueueKind::LOCAL);
}

bool
RotorLbRouting::IsCutOff(RackId rack) const
{
    return GetTor().GetCircuitTable().IsCutOff(GetTor().GetRack(), rack);
}

bool
RotorLbRouting::IsIdle(uint32_t port) const
{
    return GetTor().IsIdle(port);
}

bool
RotorLbRouting::SendMessage(uint32_t port, const RotorLbMessage& message)
{
    RotorLbHeader header;
    header.message = message;
    const Ptr<Packet> packet = ns3::Create<Packet>();
    packet->AddHeader(header);
    return GetTor().SendControl(port, packet);
}

uint32_t
RotorLbRouting::SendHeld(uint32_t port, TorQueueId queue, uint64_t most)
{
    return GetTor().SendHeld(port, queue, most);
}

void
RotorLbRouting::CallOpened(uint32_t port)
{
    m_openings.resize(GetTor().GetNUplinks());
    m_openings[port].Cancel();
    m_openings[port] = Simulator::ScheduleNow(&RotorLb::Opened, &*m_logic, port);
}

} // namespace ns3::odcn
