// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-transport-logic.h"

#include "odcn-nack-logic.h"
#include "odcn-transport-header.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-object-text.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TransportLogic);

RackId
TransportHost::FindRack(uint32_t) const
{
    return NO_RACK;
}

TransportHost::Uplink
TransportHost::GetUplink(uint32_t) const
{
    return {};
}

TypeId
TransportLogic::GetTypeId()
{
    static TypeId tid = TypeIdOf<TransportLogic, Object>("ns3::odcn::TransportLogic");
    return tid;
}

Ptr<TransportLogic>
TransportLogic::Make(const std::string& text, FlowApplication::RepairMode repair)
{
    if (text == "Udp")
    {
        return repair == FlowApplication::NACK ? Ptr<TransportLogic>(CreateObject<NackLogic>())
                                               : Ptr<TransportLogic>(CreateObject<UdpLogic>());
    }
    ObjectText object = ObjectText::Parse("FlowApplication::Transport", text);
    object.Resolve("FlowApplication::Transport", TransportLogic::GetTypeId(), {"Udp"});
    return DynamicCast<TransportLogic>(
        object.Create("FlowApplication::Transport", TransportLogic::GetTypeId()));
}

bool
TransportLogic::IsKnown(const std::string& text)
{
    const std::string type = ObjectText::Parse("FlowApplication::Transport", text).type;
    for (const std::string& name : {type, "ns3::odcn::" + type})
    {
        TypeId tid;
        if (TypeId::LookupByNameFailSafe(name, &tid) && tid.HasConstructor() &&
            tid.IsChildOf(GetTypeId()))
        {
            return true;
        }
    }
    return false;
}

void
TransportLogic::DoDispose()
{
    Stop();
    Object::DoDispose();
}

void
TransportLogic::Attach(TransportHost& host, const Settings& settings)
{
    m_host = &host;
    m_settings = settings;
}

void
TransportLogic::Start()
{
    m_isStarted = true;
}

void
TransportLogic::Stop()
{
    m_isStarted = false;
    DoStop();
}

void
TransportLogic::DoStop()
{
}

void
TransportLogic::UseCircuit(uint32_t, RackId, int64_t)
{
}

uint32_t
TransportLogic::GetHeaders(const TransportPacket& packet) const
{
    constexpr uint32_t IP_UDP = 28;
    return IP_UDP + TransportHeader::GetSize(packet.ranges.size()) + FlowHeader::SIZE +
           (packet.size > 0 ? MessageHeader::SIZE : 0);
}

uint16_t
TransportLogic::GetOffset(const TransportPacket&) const
{
    return 0;
}

bool
TransportLogic::HasCredits() const
{
    return false;
}

TransportLogic::Stages
TransportLogic::GetStages() const
{
    return {};
}

FlowApplication::MessageCounts
TransportLogic::GetMessageCounts() const
{
    return {};
}

} // namespace ns3::odcn
