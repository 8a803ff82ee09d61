// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-application.h"

#include "odcn-flow-transport.h"

#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("FlowApplication");
NS_OBJECT_ENSURE_REGISTERED(FlowApplication);

TypeId
FlowApplication::GetTypeId()
{
    using T = FlowApplication;
    static TypeId tid =
        TypeIdOf<FlowApplication, Application>("ns3::odcn::FlowApplication")
            .Add(
                Attribute("Transport", &T::m_transportText, "Udp"),
                "Udp (packets at line rate, without retransmission unless Repair says so), Tcp (a "
                "connection for each flow), or the name of another TransportLogic, with Attributes "
                "in brackets.")
            .Add(Attribute("Order",
                           &T::m_order,
                           ROUND_ROBIN,
                           {{ROUND_ROBIN, "RoundRobin"},
                            {FIFO, "Fifo"},
                            {SHORTEST_REMAINING, "ShortestRemaining"}}),
                 "Which active flow sends the next packet, for UDP: RoundRobin (packet by "
                 "packet), Fifo, or ShortestRemaining; of equal ones, that which started first.")
            .Add(Attribute("PacketSize", &T::m_packetSize, 1500, 64, 65535),
                 "Size of a full packet in bytes, all headers included. For TCP it sets "
                 "SegmentSize.")
            .Add(Attribute("Rate", &T::m_rate, DataRate(0)),
                 "Rate at which UDP packets leave, headers included; 0 for the DataRate "
                 "of the device.")
            .Add(Attribute("ShortFlows", &T::m_shortFlows, 0),
                 "Flows of fewer bytes than this are short: their packets bear the DSCP "
                 "Expedited Forwarding.")
            .Add(Attribute("Hold", &T::m_hold, false),
                 "Whether UDP flows to other racks that are not short wait in the host "
                 "until their rack has a circuit; needs FlowHelper::Install() with an "
                 "OcsFabric.")
            .Add(Attribute("Port", &T::m_port, 48700, 1, UINT16_MAX - 5),
                 "Port that every host listens on; short flows use the next one, and messages "
                 "the four after it, if there are any.")
            .Add(Attribute("Repair", &T::m_repair, NONE, {{NONE, "None"}, {NACK, "Nack"}}),
                 "What is sent again, by UDP: None, or Nack (packets that the receiver asks "
                 "for).")
            .Add(Attribute("ReorderTime",
                           &T::m_reorderTime,
                           MilliSeconds(1),
                           TimeStep(1),
                           Seconds(3600)),
                 "A packet that is missing for so long after a later one of its message has "
                 "arrived counts as lost.")
            .Add(Attribute("RepairTimeout",
                           &T::m_repairTimeout,
                           MilliSeconds(10),
                           TimeStep(1),
                           Seconds(3600)),
                 "First time without an answer before a request, or the last packet of a "
                 "message, is sent again; it doubles each time, up to 64 times this.")
            .Add(Attribute("Window", &T::m_window, 0),
                 "Packets of each class, short and other, that a receiver lets be on their way to "
                 "it, with Repair=Nack: so many begin each message, and further ones need its "
                 "credits, in the order of Order. 0: senders do not wait for credits.")
            .Add(Attribute("CreditPackets", &T::m_creditPackets, 1, 1, 65535),
                 "Packets that a credit lets a sender send, at most Window. With more there are "
                 "fewer credits, and packets come in bursts.")
            .Add(Attribute("WindowPerMessage", &T::m_windowPerMessage, false),
                 "Whether Window is of each flow or message alone, which then gets a credit for "
                 "each packet that arrives, as from a pull pacer per flow of NDP.")
            .Add(Trace("FlowStarted", &T::m_startedTrace, "FlowTracedCallback"),
                 "A flow from this host has started.")
            .Add(Trace("FlowCompleted", &T::m_completedTrace, "CompletedTracedCallback"),
                 "The last byte of a flow to this host was received: number, and time "
                 "since its start.")
            .Add(Trace("MessageReceived", &T::m_messageTrace, "MessageTracedCallback"),
                 "The last byte of a message to this host was received.")
            .Add(Trace("Rx", &T::m_rxTrace, "RxTracedCallback"),
                 "Application data of a flow was received: number of the flow, bytes.");
    return tid;
}

FlowApplication::FlowApplication() = default;
FlowApplication::~FlowApplication() = default;

void
FlowApplication::DoDispose()
{
    m_stopped = true;
    m_startEvent.Cancel();
    m_device = nullptr;
    if (m_transport)
    {
        m_transport->Dispose();
    }
    m_outgoing.clear();
    m_next = 0;
    m_incoming.clear();
    m_disposed = true;
    CutTraces();
    Application::DoDispose();
}

Ptr<FlowTransport>
FlowApplication::GetTransport() const
{
    if (!m_transport)
    {
        m_transport = FlowTransport::Make(m_transportText, m_repair);
        m_transport->SetSettings({m_order,
                                  m_packetSize,
                                  m_hold,
                                  m_windowPerMessage,
                                  m_port,
                                  m_reorderTime,
                                  m_repairTimeout,
                                  m_window,
                                  m_creditPackets});
    }
    return m_transport;
}

void
FlowApplication::CutTraces()
{
    // Not while a sink runs, which is a part of what would be freed.
    if (m_disposed && m_firing == 0)
    {
        m_startedTrace = {};
        m_completedTrace = {};
        m_rxTrace = {};
        m_messageTrace = {};
    }
}

bool
FlowApplication::IsShort(uint64_t bytes) const
{
    return bytes < m_shortFlows;
}

void
FlowApplication::AddFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, Time start)
{
    if (m_device || bytes == 0 || bytes > GetTransport()->GetMaxBytes(false))
    {
        throw OdcnError(
            "FlowApplication: flow " + std::to_string(flow) + " of " + std::to_string(bytes) +
            " bytes was added after the start, is empty, or has more than 2^32 packets");
    }
    m_outgoing.push_back({flow, peer, bytes, start});
}

void
FlowApplication::AcceptMessages()
{
    if (m_device)
    {
        throw OdcnError("FlowApplication: AcceptMessages() after the start");
    }
    m_acceptsMessages = true;
}

void
FlowApplication::Send(Ipv4Address peer, uint64_t bytes, uint64_t tag)
{
    if (m_stopped || !m_acceptsMessages || bytes == 0 || bytes > GetTransport()->GetMaxBytes(true))
    {
        throw OdcnError(
            "FlowApplication: a message of " + std::to_string(bytes) +
            " bytes is empty, has more than 2^32 packets, or was sent after the stop or "
            "without AcceptMessages()");
    }
    if (m_device)
    {
        m_transport->SendMessage(peer, bytes, tag, IsShort(bytes));
    }
    else
    {
        m_early.push_back({peer, bytes, tag, Time()});
    }
}

FlowApplication::MessageCounts
FlowApplication::GetMessageCounts() const
{
    return GetTransport()->GetMessageCounts();
}

void
FlowApplication::SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server)
{
    GetTransport()->SetTor(tor, plan, server);
}

void
FlowApplication::ExpectFlow(uint32_t flow, uint64_t bytes, Time start)
{
    m_incoming[flow] = {bytes, start};
}

Time
FlowApplication::GetTransmissionTime(uint64_t bytes) const
{
    if (m_lineRate.GetBitRate() == 0)
    {
        throw OdcnError("FlowApplication: the line rate is not known before the start");
    }
    const Ptr<FlowTransport> transport = GetTransport();
    const FlowPackets packets{m_packetSize,
                              transport->GetHeaders(),
                              bytes + transport->GetPreamble()};
    return packets.GetTransmissionTime(m_lineRate);
}

Time
FlowApplication::GetUnloadedTime(uint64_t bytes, const FlowPath& path) const
{
    const Ptr<FlowTransport> transport = GetTransport();
    return path.GetUnloadedTime(
        {m_packetSize, transport->GetHeaders(), bytes + transport->GetPreamble()},
        m_rate);
}

FlowApplication::FlowStages
FlowApplication::GetStages() const
{
    const FlowTransport::Stages begun = GetTransport()->GetStages();
    FlowStages stages;
    for (std::size_t i = 0; i < m_outgoing.size(); ++i)
    {
        const uint32_t flow = m_outgoing[i].flow;
        const auto found = begun.find(flow);
        const FlowStage stage = found != begun.end() ? found->second : SENT;
        stages.emplace_back(flow, i < m_next ? stage : NOT_STARTED);
    }
    return stages;
}

uint64_t
FlowApplication::GetNTimeouts() const
{
    return GetTransport()->GetNTimeouts();
}

uint64_t
FlowApplication::GetNRecoveries() const
{
    return GetTransport()->GetNRecoveries();
}

Ipv4Address
FlowApplication::FindDevice()
{
    // Interface 0 is the loopback device.
    const Ptr<Ipv4> ipv4 = GetNode()->GetObject<Ipv4>();
    if (!ipv4 || ipv4->GetNInterfaces() < 2 || ipv4->GetNAddresses(1) == 0)
    {
        throw OdcnError("FlowApplication: node " + std::to_string(GetNode()->GetId()) +
                        " has no IPv4 address");
    }
    const Ptr<NetDevice> device = ipv4->GetNetDevice(1);
    m_lineRate = m_rate;
    DataRateValue rate;
    if (m_rate.GetBitRate() == 0 && device->GetAttributeFailSafe("DataRate", rate))
    {
        m_lineRate = rate.Get();
    }
    if (m_lineRate.GetBitRate() == 0)
    {
        throw OdcnError::InOption("FlowApplication::Rate",
                                  "0",
                                  "a rate, since the device has no DataRate");
    }
    if (m_packetSize > device->GetMtu())
    {
        throw OdcnError::InOption("FlowApplication::PacketSize",
                                  std::to_string(m_packetSize),
                                  "up to the Mtu of " + std::to_string(device->GetMtu()) +
                                      " bytes");
    }
    m_device = device;
    return ipv4->GetAddress(1, 0).GetLocal();
}

void
FlowApplication::StartApplication()
{
    const Ptr<FlowTransport> transport = GetTransport();
    if (m_hold && (!m_outgoing.empty() || !m_early.empty()) && !transport->CanHold())
    {
        throw OdcnError::InOption("FlowApplication::Hold",
                                  "true",
                                  "Transport=Udp, and FlowHelper::Install() with an OcsFabric");
    }
    if (m_window > 0 && (m_hold || !transport->HasCredits()))
    {
        throw OdcnError::InOption("FlowApplication::Window",
                                  std::to_string(m_window),
                                  "0, or Transport=Udp, Repair=Nack and Hold=false");
    }
    m_acceptsMessages = m_acceptsMessages || transport->SendsMessages();
    const Ipv4Address address = FindDevice();
    transport->Start(*this, {GetNode(), m_device, address, m_lineRate, m_acceptsMessages});
    std::stable_sort(m_outgoing.begin(),
                     m_outgoing.end(),
                     [](const auto& a, const auto& b) { return a.start < b.start; });
    StartDue();
    for (const auto& [peer, bytes, tag, sent] : std::exchange(m_early, {}))
    {
        if (!m_stopped) // by a sink of FlowStarted
        {
            transport->SendMessage(peer, bytes, tag, IsShort(bytes));
        }
    }
}

void
FlowApplication::StopApplication()
{
    m_stopped = true;
    m_startEvent.Cancel();
    GetTransport()->Stop();
}

void
FlowApplication::StartDue()
{
    for (; m_next < m_outgoing.size() && m_outgoing[m_next].start <= Simulator::Now(); ++m_next)
    {
        const Outgoing flow = m_outgoing[m_next];
        Fire(m_startedTrace, flow.flow);
        if (m_stopped)
        {
            return; // by a sink
        }
        m_transport->SendFlow(flow.flow, flow.peer, flow.bytes, IsShort(flow.bytes));
    }
    if (m_next < m_outgoing.size())
    {
        m_startEvent = Simulator::Schedule(m_outgoing[m_next].start - Simulator::Now(),
                                           &FlowApplication::StartDue,
                                           this);
    }
}

void
FlowApplication::Received(uint32_t flow, uint32_t bytes)
{
    const auto found = m_incoming.find(flow);
    if (found == m_incoming.end())
    {
        return;
    }
    Incoming& incoming = found->second;
    incoming.left -= std::min<uint64_t>(incoming.left, bytes);
    const bool completed = incoming.left == 0;
    const Time start = incoming.start;
    if (completed)
    {
        m_incoming.erase(found);
    }
    const Ptr<FlowApplication> keep(this);
    Fire(m_rxTrace, flow, bytes);
    if (completed)
    {
        Fire(m_completedTrace, flow, Simulator::Now() - start);
    }
}

} // namespace ns3::odcn
