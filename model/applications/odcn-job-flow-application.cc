// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-flow-application.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/udp-socket.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnJobFlowApplication");
NS_OBJECT_ENSURE_REGISTERED(OdcnJobFlowApplication);

namespace
{

constexpr uint32_t IP_AND_UDP_BYTES = 28;

} // namespace

TypeId
OdcnJobFlowApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnJobFlowApplication")
            .SetParent<Application>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnJobFlowApplication>()
            .AddAttribute("Port",
                          "UDP port that every server sends from and listens on.",
                          UintegerValue(49152),
                          MakeUintegerAccessor(&OdcnJobFlowApplication::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute(
                "PacketSize",
                "Size of a packet in bytes, IPv4 and UDP headers included.",
                UintegerValue(296),
                MakeUintegerAccessor(&OdcnJobFlowApplication::m_packetSize),
                MakeUintegerChecker<uint32_t>(IP_AND_UDP_BYTES + OdcnFlowHeader::SIZE, 9000))
            .AddTraceSource("Tx",
                            "A packet was handed to the socket.",
                            MakeTraceSourceAccessor(&OdcnJobFlowApplication::m_txTrace),
                            "ns3::odcn::OdcnJobFlowApplication::TxTracedCallback")
            .AddTraceSource("Rx",
                            "A packet has arrived, with its one-way delay.",
                            MakeTraceSourceAccessor(&OdcnJobFlowApplication::m_rxTrace),
                            "ns3::odcn::OdcnJobFlowApplication::RxTracedCallback");
    return tid;
}

OdcnJobFlowApplication::OdcnJobFlowApplication() = default;

void
OdcnJobFlowApplication::DoDispose()
{
    ClearFlows();
    m_socket = nullptr;
    m_gaps.clear();
    Application::DoDispose();
}

void
OdcnJobFlowApplication::StartApplication()
{
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    const int failed = m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    NS_ABORT_MSG_IF(failed,
                    "UDP port " << m_port << " of node " << GetNode()->GetId() << " is taken");
    // No look through all addresses, a packet, whether its destination is a broadcast one.
    m_socket->SetAllowBroadcast(true);
    m_socket->SetRecvCallback(MakeCallback(&OdcnJobFlowApplication::Receive, this));
}

void
OdcnJobFlowApplication::StopApplication()
{
    ClearFlows();
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
    }
}

int64_t
OdcnJobFlowApplication::AssignStreams(int64_t stream)
{
    m_firstStream = stream;
    for (std::size_t i = 0; i < m_gaps.size(); ++i)
    {
        m_gaps[i]->SetStream(stream + static_cast<int64_t>(i));
    }
    return MAX_FLOWS;
}

void
OdcnJobFlowApplication::AddFlow(uint32_t id, Ipv4Address peer, BitRate rate)
{
    NS_ABORT_MSG_IF(m_flows.size() >= MAX_FLOWS,
                    "more than " << MAX_FLOWS << " flows on node " << GetNode()->GetId());
    NS_ABORT_MSG_IF(rate <= 0, "flow " << id << " has rate " << rate);
    const std::size_t index = m_flows.size();
    if (index == m_gaps.size())
    {
        m_gaps.push_back(CreateObject<ExponentialRandomVariable>());
        if (m_firstStream >= 0)
        {
            m_gaps.back()->SetStream(m_firstStream + static_cast<int64_t>(index));
        }
    }
    Flow flow;
    flow.id = id;
    flow.peer = InetSocketAddress(peer, m_port);
    const auto second = static_cast<double>(Seconds(1).GetTimeStep());
    flow.meanGap = 8.0 * m_packetSize * second / static_cast<double>(rate);
    flow.send = Ptr<EventImpl>(MakeEvent(&OdcnJobFlowApplication::Send, this, index), false);
    m_flows.push_back(flow);
    ScheduleNext(index);
}

void
OdcnJobFlowApplication::ClearFlows()
{
    for (auto& flow : m_flows)
    {
        flow.send->Cancel();
    }
    m_flows.clear();
}

void
OdcnJobFlowApplication::ScheduleNext(std::size_t index)
{
    Flow& flow = m_flows[index];
    const double gap = m_gaps[index]->GetValue(flow.meanGap, 0);
    Simulator::Schedule(TimeStep(static_cast<uint64_t>(std::llround(gap))), flow.send);
}

void
OdcnJobFlowApplication::Send(std::size_t index)
{
    Flow& flow = m_flows[index];
    const OdcnFlowHeader header(flow.id, flow.sequence++, Simulator::Now());
    auto packet = Create<Packet>(m_packetSize - IP_AND_UDP_BYTES - OdcnFlowHeader::SIZE);
    packet->AddHeader(header);
    m_txTrace(header);
    m_socket->SendTo(packet, 0, flow.peer);
    ScheduleNext(index);
}

void
OdcnJobFlowApplication::Receive(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        OdcnFlowHeader header;
        packet->RemoveHeader(header);
        m_rxTrace(header, Simulator::Now() - header.GetSent());
    }
}

} // namespace odcn
} // namespace ns3
