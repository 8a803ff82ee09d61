// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/ipv4.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-network.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-path.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-tcp-flow-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tor-switch.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

FlowHelper::FlowHelper()
{
    m_application.SetTypeId(FlowApplication::GetTypeId());
    m_recorderFactory.SetTypeId(FlowRecorder::GetTypeId());
}

void
FlowHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_application.Set(name, value);
}

void
FlowHelper::SetRecorderAttribute(const std::string& name, const AttributeValue& value)
{
    m_recorderFactory.Set(name, value);
}

namespace
{

/// Refuse more TCP connections of a host at a time than it has ports.
/// @param flows by TCP, checked otherwise
void
CheckPorts(const Traffic& flows)
{
    constexpr std::size_t PORTS = 16384; // ns-3 counts from 49153 to 65535, then on from 49152
    TypeId::AttributeInformation life;
    TypeId::LookupByName("ns3::TcpSocketBase").LookupAttributeByName("MaxSegLifetime", &life);
    const Time kept = Seconds(2 * DynamicCast<const DoubleValue>(life.initialValue)->Get());
    std::vector<uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](uint32_t a, uint32_t b)
                     {
                         return std::make_pair(flows[a].from, flows[a].start) <
                                std::make_pair(flows[b].from, flows[b].start);
                     });
    for (std::size_t i = PORTS; i < order.size(); ++i)
    {
        const Traffic::Item& flow = flows[order[i]];
        const Traffic::Item& first = flows[order[i - PORTS]];
        if (first.from == flow.from && flow.start - first.start <= kept)
        {
            throw OdcnError("FlowHelper: flow " + std::to_string(order[i]) + " is number " +
                            std::to_string(PORTS + 1) + " of those by TCP that host " +
                            std::to_string(flow.from) + " starts within " +
                            FormatFixed(kept.GetSeconds(), 3) + " s: expected at most " +
                            std::to_string(PORTS) +
                            ", since ns-3 has so many ports for connections of a node, and keeps "
                            "that of a closed one for twice TcpSocketBase::MaxSegLifetime");
        }
    }
}

} // namespace

ApplicationContainer
FlowHelper::Install(const NodeContainer& hosts, const Traffic& flows)
{
    const ApplicationContainer applications = Add(hosts, flows);
    if (!flows.empty())
    {
        SetUnloadedTimes(FlowPaths(hosts), applications, flows);
    }
    return applications;
}

void
FlowHelper::SetUnloadedTimes(FlowPaths paths,
                             const ApplicationContainer& applications,
                             const Traffic& flows) const
{
    m_recorder->SetUnloadedTimes(paths.GetTimes(
        flows,
        [&](uint32_t i, const FlowPath& path)
        {
            const auto host = DynamicCast<FlowApplication>(applications.Get(flows[i].from));
            return host->GetUnloadedTime(flows[i].bytes, path);
        }));
}

ApplicationContainer
FlowHelper::Add(const NodeContainer& hosts, const Traffic& flows)
{
    std::vector<Ipv4Address> addresses;
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        const Ptr<Ipv4> ipv4 = hosts.Get(host)->GetObject<Ipv4>();
        if (!ipv4 || ipv4->GetNInterfaces() < 2 || ipv4->GetNAddresses(1) == 0)
        {
            throw OdcnError("FlowHelper: host " + std::to_string(host) + " has no IPv4 address");
        }
        addresses.push_back(ipv4->GetAddress(1, 0).GetLocal());
    }
    if (flows.Waits())
    {
        throw OdcnError("FlowHelper: messages that wait for others: expected flows, which are "
                        "known in advance; use InstallMessages()");
    }
    std::vector<Ptr<FlowApplication>> applications;
    applications.reserve(hosts.GetN());
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        applications.push_back(m_application.Create<FlowApplication>());
    }
    if (!applications.empty() && DynamicCast<TcpFlowTransport>(applications[0]->GetTransport()))
    {
        CheckPorts(flows);
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        Interruption::Check();
        const Traffic::Item& flow = flows[i];
        if (flow.from >= hosts.GetN() || flow.to >= hosts.GetN() || flow.from == flow.to ||
            flow.bytes == 0 || flow.start < Simulator::Now())
        {
            throw OdcnError("FlowHelper: flow " + std::to_string(i) + " from host " +
                            std::to_string(flow.from) + " to " + std::to_string(flow.to) + " of " +
                            std::to_string(flow.bytes) +
                            " bytes: expected two different hosts "
                            "below " +
                            std::to_string(hosts.GetN()) +
                            ", 1 byte or more, and a start that is not in the past");
        }
        if (!RankArrivals::IsRemote(*hosts.Get(flow.from)))
        {
            applications[flow.from]->AddFlow(i, addresses[flow.to], flow.bytes, flow.start);
        }
        if (!RankArrivals::IsRemote(*hosts.Get(flow.to)))
        {
            applications[flow.to]->ExpectFlow(i, flow.bytes, flow.start);
        }
    }
    m_recorder = m_recorderFactory.Create<FlowRecorder>();
    m_recorder->SetFlows(flows);
    ApplicationContainer container;
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        m_recorder->Connect(applications[host]);
        hosts.Get(host)->AddApplication(applications[host]);
        container.Add(applications[host]);
    }
    return container;
}

ApplicationContainer
FlowHelper::Install(Ptr<OcsFabric> fabric, const Traffic& flows)
{
    const ApplicationContainer applications = Add(fabric->GetServers(), flows);
    uint32_t host = 0;
    for (RackId rack = 0; rack < fabric->GetSize().racks; ++rack)
    {
        const uint32_t servers = fabric->GetSize().GetNServers(rack);
        for (uint32_t server = 0; server < servers; ++server, ++host)
        {
            if (!fabric->IsRemote(rack)) // else it has no flows here
            {
                DynamicCast<FlowApplication>(applications.Get(host))
                    ->SetTor(fabric->GetTor(rack), fabric->GetAddressPlan(), server);
            }
        }
    }
    if (!flows.empty())
    {
        SetUnloadedTimes(FlowPaths(*fabric), applications, flows);
    }
    return applications;
}

void
FlowHelper::UseDesign(const FabricNetwork& network)
{
    if (network.GetDesign().Holds())
    {
        SetAttribute("Hold", BooleanValue(true));
    }
}

ApplicationContainer
FlowHelper::Install(const Ptr<FabricNetwork>& network, const Traffic& flows)
{
    UseDesign(*network);
    return network->GetFabric() ? Install(network->GetFabric(), flows)
                                : Install(network->GetServers(), flows);
}

Ptr<PacketMessages>
FlowHelper::InstallMessages(const Ptr<FabricNetwork>& network)
{
    UseDesign(*network);
    return network->GetFabric() ? InstallMessages(network->GetFabric())
                                : InstallMessages(network->GetServers());
}

Ptr<PacketMessages>
FlowHelper::InstallMessages(Ptr<OcsFabric> fabric)
{
    return Join(fabric->GetServers(), Install(fabric, {}));
}

Ptr<PacketMessages>
FlowHelper::InstallMessages(const NodeContainer& hosts)
{
    return Join(hosts, Install(hosts, {}));
}

Ptr<PacketMessages>
FlowHelper::Join(const NodeContainer& hosts, const ApplicationContainer& applications)
{
    const Ptr<PacketMessages> messages = CreateObject<PacketMessages>();
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        messages->AddHost(DynamicCast<FlowApplication>(applications.Get(host)),
                          hosts.Get(host)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal());
    }
    return messages;
}

void
FlowHelper::SetDataCentreTcp(const DataCentreTcp& settings)
{
    // The parent that TcpCubic registers is not TcpCongestionOps, so an object has to tell.
    TypeId type;
    const bool known = TypeId::LookupByNameFailSafe(settings.congestionControl, &type);
    if (!known || !type.HasConstructor() ||
        !dynamic_cast<TcpCongestionOps*>(PeekPointer(ObjectFactory(type.GetName()).Create())))
    {
        throw OdcnError::InOption("congestion control",
                                  settings.congestionControl,
                                  "a TcpCongestionOps, for example ns3::TcpDctcp");
    }
    if (settings.packetSize <= TcpFlowTransport::HEADERS || settings.buffer < settings.packetSize ||
        !settings.minRto.IsStrictlyPositive() || !settings.connTimeout.IsStrictlyPositive() ||
        settings.delayedAck.IsStrictlyNegative())
    {
        throw OdcnError("SetDataCentreTcp: expected packets above " +
                        std::to_string(TcpFlowTransport::HEADERS) +
                        " bytes, a buffer for one or more, and timeouts above 0");
    }
    GivenAttributes::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(type));
    const bool ecn = settings.ecn || settings.congestionControl == "ns3::TcpDctcp";
    GivenAttributes::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(ecn ? "On" : "Off"));
    GivenAttributes::SetDefault("ns3::TcpSocket::SegmentSize",
                                UintegerValue(settings.packetSize - TcpFlowTransport::HEADERS));
    GivenAttributes::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(settings.buffer));
    GivenAttributes::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(settings.buffer));
    GivenAttributes::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(settings.connTimeout));
    // ns-3 gives up after six retries, so after 62 ms without a circuit at these timers.
    GivenAttributes::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(settings.retries));
    GivenAttributes::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(settings.retries));
    GivenAttributes::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(settings.delayedAck));
    GivenAttributes::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(settings.minRto));
    GivenAttributes::SetDefault("ns3::TcpSocketBase::ClockGranularity",
                                TimeValue(MicroSeconds(10)));
    // Until the first sample of the round trip the retransmission timeout is 1 s otherwise.
    GivenAttributes::SetDefault("ns3::RttEstimator::InitialEstimation", TimeValue(settings.minRto));
    // Closed connections keep their port for twice this time, 240 s otherwise: with thousands of
    // flows a host runs out of ports.
    GivenAttributes::SetDefault("ns3::TcpSocketBase::MaxSegLifetime",
                                DoubleValue(settings.minRto.GetSeconds()));
}

} // namespace ns3::odcn
