// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-flow-application.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-take-index.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/udp-socket.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("JobFlowApplication");
NS_OBJECT_ENSURE_REGISTERED(JobFlowApplication);

TypeId
JobFlowApplication::GetTypeId()
{
    using T = JobFlowApplication;
    static TypeId tid =
        TypeIdOf<JobFlowApplication, Application>("ns3::odcn::JobFlowApplication")
            .Add(Attribute("Port", &T::m_port, 48710, 1),
                 "UDP port that every server sends from and listens on.")
            .Add(Attribute("PacketSize", &T::m_packetSize, 296, LEAST_SIZE, 9000),
                 "Size of a packet in bytes, IPv4 and UDP headers included.")
            .Add(Attribute("SizeVariable", &T::m_sizeVariable),
                 "Prototype of the random variable of packet sizes, cloned per flow; in "
                 "bytes, with PacketSize as its mean. Null for a constant size.")
            .Add(Attribute("BurstVariable", &T::m_burstVariable),
                 "Prototype of the random variable of burst lengths in packets, cloned "
                 "for each flow; null for single packets.")
            .Add(Attribute("Arrivals",
                           &T::m_arrivals,
                           PacketLaw::POISSON,
                           {{PacketLaw::POISSON, "Poisson"},
                            {PacketLaw::DETERMINISTIC, "Deterministic"},
                            {PacketLaw::ON_OFF, "OnOff"},
                            {PacketLaw::TRACE, "Trace"}}),
                 "How the packets of a flow are spaced: Poisson, Deterministic (equal "
                 "gaps), OnOff (see OnTime, OffTime) or Trace (see TraceFile).")
            .Add(Attribute("OnTime", &T::m_onTime, MicroSeconds(1), TimeStep(1)),
                 "Mean duration of on periods, for OnOff. Durations are exponential, and "
                 "packets are equally spaced in on periods.")
            .Add(Attribute("OffTime", &T::m_offTime, MicroSeconds(1), TimeStep(1)),
                 "Mean duration of off periods, for OnOff.")
            .Add(Attribute("TraceFile", &T::m_traceFile, ""),
                 "CSV file for Trace: time (any unit) and size in bytes of a packet per "
                 "line. Flows repeat it, scaled to their rates.")
            .Add(Trace("Tx", &T::m_txTrace, "TxTracedCallback"),
                 "A packet was handed to the socket.")
            .Add(Trace("Rx", &T::m_rxTrace, "RxTracedCallback"),
                 "A packet has arrived, with its one-way delay.");
    return tid;
}

JobFlowApplication::JobFlowApplication() = default;

void
JobFlowApplication::DoDispose()
{
    ClearFlows();
    m_socket = nullptr;
    m_sources.clear();
    m_sizeVariable = nullptr;
    m_burstVariable = nullptr;
    Application::DoDispose();
}

void
JobFlowApplication::StartApplication()
{
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    const int failed = m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    NS_ABORT_MSG_IF(failed,
                    "UDP port " << m_port << " of node " << GetNode()->GetId() << " is taken");
    // Skips the check for a broadcast address, a search through all interfaces for each packet.
    m_socket->SetAllowBroadcast(true);
    m_socket->SetRecvCallback(
        MakeCallback(&JobFlowApplication::Receive, Ptr<JobFlowApplication>(this)));
}

void
JobFlowApplication::StopApplication()
{
    ClearFlows();
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
    }
}

int64_t
JobFlowApplication::AssignStreams(int64_t stream)
{
    m_firstStream = stream;
    for (auto& source : m_sources)
    {
        source.AssignStreams(stream++);
    }
    return MAX_FLOWS;
}

void
JobFlowApplication::AddSource()
{
    uint32_t mtu = UINT16_MAX;
    for (uint32_t i = 0; i < GetNode()->GetNDevices(); ++i)
    {
        mtu = std::min<uint32_t>(mtu, GetNode()->GetDevice(i)->GetMtu());
    }
    const auto index = static_cast<int64_t>(m_sources.size());
    m_sources.emplace_back(GetLaw(mtu), m_firstStream >= 0 ? m_firstStream + index : -1);
}

PacketLaw
JobFlowApplication::GetLaw(uint32_t mtu) const
{
    if (m_packetSize > mtu)
    {
        throw OdcnError::InOption("JobFlowApplication::PacketSize",
                                  std::to_string(m_packetSize),
                                  "up to the Mtu of " + std::to_string(mtu) + " bytes");
    }
    PacketLaw law;
    law.arrivals = m_arrivals;
    law.onTime = m_onTime.GetTimeStep();
    law.offTime = m_offTime.GetTimeStep();
    law.trace = m_arrivals == PacketLaw::TRACE ? PacketTrace::Read(m_traceFile) : nullptr;
    law.sizes = m_sizeVariable;
    law.bursts = m_burstVariable;
    law.least = LEAST_SIZE;
    law.greatest = mtu;
    law.Check();
    return law;
}

void
JobFlowApplication::AddFlow(uint32_t id, Ipv4Address peer, BitRate rate)
{
    NS_ABORT_MSG_IF(m_flows.size() >= MAX_FLOWS + m_free.size(),
                    "more than " << MAX_FLOWS << " flows on node " << GetNode()->GetId());
    NS_ABORT_MSG_IF(rate <= 0, "flow " << id << " has rate " << rate);
    const std::size_t index = TakeIndex(m_flows, m_free);
    if (index == m_sources.size())
    {
        AddSource();
    }
    Flow flow;
    flow.id = id;
    flow.peer = InetSocketAddress(peer, m_port);
    const auto second = static_cast<double>(Seconds(1).GetTimeStep());
    flow.send = Ptr<EventImpl>(MakeEvent(&JobFlowApplication::Send, this, index), false);
    m_flows[index] = flow;
    ScheduleNext(
        index,
        m_sources[index].Start(PacketSource::MeanGap(rate, m_packetSize, second), m_packetSize));
}

void
JobFlowApplication::RemoveFlow(uint32_t id)
{
    const auto flow =
        std::ranges::find_if(m_flows, [id](const Flow& f) { return f.send && f.id == id; });
    if (flow == m_flows.end())
    {
        throw OdcnError::InOption("flow", std::to_string(id), "an active one");
    }
    flow->send->Cancel();
    flow->send = nullptr;
    m_free.push_back(static_cast<std::size_t>(flow - m_flows.begin()));
}

void
JobFlowApplication::ClearFlows()
{
    for (auto& flow : m_flows)
    {
        if (flow.send)
        {
            flow.send->Cancel();
        }
    }
    m_flows.clear();
    m_free.clear();
}

void
JobFlowApplication::ScheduleNext(std::size_t index, int64_t gap)
{
    Simulator::Schedule(TimeStep(static_cast<uint64_t>(gap)), m_flows[index].send);
}

void
JobFlowApplication::Send(std::size_t index)
{
    const Ptr<EventImpl> flow = m_flows[index].send;
    const uint32_t packets = m_sources[index].NextBurst();
    for (uint32_t i = 0; i < packets; ++i)
    {
        const FlowHeader header(m_flows[index].id, m_flows[index].sequence++, Simulator::Now());
        auto packet = Create<Packet>(m_sources[index].NextSize() - LEAST_SIZE);
        packet->AddHeader(header);
        m_txTrace(header);
        if (!m_socket || index >= m_flows.size() || m_flows[index].send != flow)
        {
            return; // a sink has removed the flow, or stopped or disposed of the application
        }
        m_socket->SendTo(packet, 0, m_flows[index].peer);
    }
    ScheduleNext(index, m_sources[index].NextGap(packets));
}

void
JobFlowApplication::Receive(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        FlowHeader header;
        packet->RemoveHeader(header);
        m_rxTrace(header, Simulator::Now() - header.GetSent());
    }
}

} // namespace ns3::odcn
