// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rail-messages.h"

#include "odcn-switch-flow-level.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RailMessages);

TypeId
RailMessages::GetTypeId()
{
    using T = RailMessages;
    static TypeId tid =
        TypeIdOf<RailMessages, MessagePlane>("ns3::odcn::RailMessages")
            .Add(Attribute("ScaleUpRate", &T::m_scaleUpRate, DataRate("3600Gbps")),
                 "Rate of an accelerator within its server, in each direction; "
                 "the default is that of 18 links of NVLink 4")
            .Add(Attribute("ScaleUpLatency", &T::m_scaleUpLatency, MicroSeconds(1), Time(0)),
                 "Latency within a server")
            .Add(Trace("Routed", &T::m_routedTrace, "RoutedTracedCallback"),
                 "A message was sent by a route.");
    return tid;
}

void
RailMessages::DoDispose()
{
    m_rails.clear();
    m_scaleUp = nullptr;
    MessagePlane::DoDispose();
}

void
RailMessages::SetPlanes(std::vector<Ptr<MessagePlane>> rails,
                        uint32_t accelerators,
                        Ptr<MessagePlane> scaleUp)
{
    const auto refuse = [](const std::string& text) { throw OdcnError("RailMessages: " + text); };
    if (m_scaleUp)
    {
        refuse("SetPlanes() for the second time, expected one call");
    }
    if (rails.empty() || rails.size() > accelerators)
    {
        refuse(std::to_string(rails.size()) + " rails, expected 1 to " +
               std::to_string(accelerators) + ", the accelerators of a server");
    }
    const uint32_t servers = rails[0]->GetNEndPoints();
    for (const Ptr<MessagePlane>& rail : rails)
    {
        if (rail->GetNEndPoints() != servers)
        {
            refuse("a rail of " + std::to_string(rail->GetNEndPoints()) + " servers, expected " +
                   std::to_string(servers) + ", as of the first");
        }
    }
    const uint64_t all = uint64_t(servers) * accelerators;
    if (all < 2 || all > UINT32_MAX || (scaleUp && scaleUp->GetNEndPoints() != all))
    {
        refuse(std::to_string(scaleUp ? scaleUp->GetNEndPoints() : all) +
               " end points of scale-up domains, expected " + std::to_string(servers) +
               " servers x " + std::to_string(accelerators) + ", 2 or more");
    }
    if (!scaleUp)
    {
        auto ports = CreateObject<SwitchFlowLevel>();
        ports->SetAttribute("HeaderSize", UintegerValue(0));
        ports->SetAttribute("Rate", DataRateValue(m_scaleUpRate));
        ports->SetAttribute("Latency", TimeValue(m_scaleUpLatency));
        ports->SetNEndPoints(static_cast<uint32_t>(all));
        scaleUp = ports;
    }
    m_rails = std::move(rails);
    m_accelerators = accelerators;
    m_scaleUp = std::move(scaleUp);
}

FabricEngine
RailMessages::GetEngine() const
{
    return m_rails.at(0)->GetEngine();
}

RailMessages::Route
RailMessages::GetRoute(uint32_t from, uint32_t to) const
{
    if (from / m_accelerators == to / m_accelerators)
    {
        return SCALE_UP;
    }
    return GetRail(from) == GetRail(to) ? RAIL : RELAYED;
}

MessagePlane::Counts
RailMessages::CountMessagesOf(Route route) const
{
    const Totals& totals = m_totals[route];
    return {totals.sent, totals.delivered, totals.sent - totals.delivered};
}

MessagePlane::Counts
RailMessages::CountBytesOf(Route route) const
{
    const Totals& totals = m_totals[route];
    return {totals.sentBytes, totals.deliveredBytes, totals.sentBytes - totals.deliveredBytes};
}

void
RailMessages::DoSend(const Message& message)
{
    const Route route = GetRoute(message.from, message.to);
    const Ptr<RailMessages> self(this); // the planes may outlive this one
    if (route == RAIL)
    {
        SendByRail(message);
    }
    else if (route == SCALE_UP)
    {
        m_scaleUp->Send(message.from,
                        message.to,
                        message.bytes,
                        [self, message](const Message&) { self->Received(message); });
    }
    else
    {
        const uint32_t relay =
            message.from / m_accelerators * m_accelerators + message.to % m_accelerators;
        m_scaleUp->Send(message.from,
                        relay,
                        message.bytes,
                        [self, message](const Message&) { self->SendByRail(message); });
    }
    Totals& totals = m_totals[route];
    ++totals.sent;
    totals.sentBytes += message.bytes;
    m_routedTrace(message, route);
}

std::string
RailMessages::FindObstacle(const Message& message) const
{
    for (const Ptr<MessagePlane>& plane : {m_scaleUp, m_rails[GetRail(message.to)]})
    {
        const std::string text = plane->DescribeInFlight();
        if (!text.empty())
        {
            return text;
        }
    }
    return "";
}

void
RailMessages::SendByRail(const Message& message)
{
    if (m_rails.empty())
    {
        return; // after Dispose()
    }
    const Ptr<RailMessages> self(this);
    m_rails[GetRail(message.to)]->Send(message.from / m_accelerators,
                                       message.to / m_accelerators,
                                       message.bytes,
                                       [self, message](const Message&)
                                       { self->Received(message); });
}

void
RailMessages::Received(const Message& message)
{
    if (m_rails.empty())
    {
        return; // after Dispose()
    }
    Totals& totals = m_totals[GetRoute(message.from, message.to)];
    ++totals.delivered;
    totals.deliveredBytes += message.bytes;
    Deliver(message.number);
}

} // namespace ns3::odcn
