// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rank-arrivals.h"

#include "ocs-fiber.h"
#include "ocs-net-device.h"

#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#ifdef ODCN_HAVE_NS3_MPI
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#endif

#include <algorithm>
#include <vector>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RankArrivals);

TypeId
RankArrivals::GetTypeId()
{
    static TypeId tid = TypeIdOf<RankArrivals, Object>("ns3::odcn::RankArrivals");
    return tid;
}

uint32_t
RankArrivals::GetNRanks()
{
#ifdef ODCN_HAVE_NS3_MPI
    return MpiInterface::IsEnabled() ? MpiInterface::GetSize() : 1;
#else
    return 1;
#endif
}

uint32_t
RankArrivals::FindRank(uint32_t index, uint32_t n)
{
    return static_cast<uint32_t>(uint64_t(index) * GetNRanks() / n);
}

bool
RankArrivals::IsRemote(const Node& node)
{
    return node.GetSystemId() != Simulator::GetSystemId();
}

Time
RankArrivals::GetNotice()
{
    return TimeStep(1);
}

void
RankArrivals::Link(Time delay)
{
    std::vector<Ptr<Node>> nodes;
    for (uint32_t rank = 0; GetNRanks() > 1 && rank < GetNRanks(); ++rank)
    {
        nodes.push_back(CreateObject<Node>(rank));
        for (uint32_t other = 0; other < rank; ++other)
        {
            const auto a = CreateObject<OcsNetDevice>();
            const auto b = CreateObject<OcsNetDevice>();
            nodes[rank]->AddDevice(a);
            nodes[other]->AddDevice(b);
            const auto fiber = CreateObject<OcsFiber>();
            fiber->SetAttribute("Delay", TimeValue(delay - GetNotice()));
            fiber->Connect(a, b);
        }
    }
}

Ptr<RankArrivals>
RankArrivals::Install(const Ptr<OcsNetDevice>& device, [[maybe_unused]] const Receiver& receiver)
{
    const Ptr<Node> node = device->GetNode();
    Ptr<RankArrivals> arrivals = node->GetObject<RankArrivals>();
    if (!arrivals)
    {
        arrivals = CreateObject<RankArrivals>();
        arrivals->m_remote = IsRemote(*node);
        node->AggregateObject(arrivals);
    }
#ifdef ODCN_HAVE_NS3_MPI
    if (GetNRanks() > 1)
    {
        const auto messages = CreateObject<MpiReceiver>();
        messages->SetReceiveCallback(receiver);
        device->AggregateObject(messages);
    }
#endif
    return arrivals;
}

void
RankArrivals::Send([[maybe_unused]] const OcsNetDevice& device,
                   [[maybe_unused]] const Ptr<Packet>& packet,
                   [[maybe_unused]] Time delay) const
{
#ifdef ODCN_HAVE_NS3_MPI
    MpiInterface::SendPacket(packet,
                             Simulator::Now() + delay - GetNotice(),
                             device.GetNode()->GetId(),
                             device.GetIfIndex());
#else
    throw OdcnError("ranks: a node has the system id of another process, and ns-3 no module mpi");
#endif
}

void
RankArrivals::Announce(const Ptr<OcsNetDevice>& device, const Ptr<Packet>& packet, bool whole)
{
    const Time time = Simulator::Now() + GetNotice();
    if (m_arrivals.empty() || m_arrivals.back().time != time)
    {
        Simulator::Schedule(GetNotice(), &RankArrivals::Arrive, Ptr<RankArrivals>(this));
    }
    m_arrivals.push_back({time, device, packet, whole});
}

void
RankArrivals::Arrive()
{
    std::vector<Arrival> arrivals;
    for (; !m_arrivals.empty() && m_arrivals.front().time == Simulator::Now();
         m_arrivals.pop_front())
    {
        arrivals.push_back(std::move(m_arrivals.front()));
    }
    std::sort(arrivals.begin(),
              arrivals.end(),
              [](const Arrival& a, const Arrival& b)
              { return a.device->GetIfIndex() < b.device->GetIfIndex(); });
    for (const Arrival& arrival : arrivals)
    {
        arrival.device->Receive(arrival.packet, arrival.whole);
    }
}

void
RankArrivals::DoDispose()
{
    m_arrivals.clear();
    Object::DoDispose();
}

} // namespace ns3::odcn
