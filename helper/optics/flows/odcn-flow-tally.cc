// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-tally.h"

#include "odcn-value-tag.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <string>

namespace ns3::odcn
{

namespace
{

/// When a packet was sent.
struct SendingTime
{
    static constexpr const char* NAME = "ns3::odcn::FlowTallyTag"; //!< of the tag's TypeId

    uint64_t time{0}; //!< time steps
};

using FlowTallyTag = ValueTag<SendingTime>;

// A tag arrives on another rank before one was made there.
NS_OBJECT_ENSURE_REGISTERED(FlowTallyTag);

/// @param time time steps
/// @return it in ns
double
ToNs(double time)
{
    return time / static_cast<double>(NanoSeconds(1).GetTimeStep());
}

/// @param address an IPv4 address
/// @return its text
std::string
ToText(uint32_t address)
{
    PlainStream os;
    os << Ipv4Address(address);
    return os.str();
}

} // namespace

FlowTally::FlowTally(const NodeContainer& nodes)
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto ipv4 = (*node)->GetObject<Ipv4L3Protocol>();
        if (ipv4 && !RankArrivals::IsRemote(**node))
        {
            ipv4->TraceConnectWithoutContext("SendOutgoing", MakeCallback(&FlowTally::Sent, this));
            ipv4->TraceConnectWithoutContext("LocalDeliver",
                                             MakeCallback(&FlowTally::Received, this));
        }
    }
}

FlowTally::Counts&
FlowTally::Find(const Ipv4Header& header, const Ptr<const Packet>& packet)
{
    Flow flow{header.GetSource().Get(), header.GetDestination().Get(), 0, 0, header.GetProtocol()};
    if (flow.protocol == UdpL4Protocol::PROT_NUMBER || flow.protocol == TcpL4Protocol::PROT_NUMBER)
    {
        std::array<uint8_t, 4> ports{};
        packet->CopyData(ports.data(), ports.size());
        flow.sourcePort = static_cast<uint16_t>(ports[0] << 8 | ports[1]);
        flow.destinationPort = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
    }
    return m_flows[flow];
}

void
FlowTally::Sent(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
{
    FlowTallyTag tag;
    if (packet->PeekPacketTag(tag))
    {
        return; // an application sends a packet that it has received
    }
    Counts& counts = Find(header, packet);
    ++counts.sentPackets;
    counts.sentBytes += packet->GetSize() + header.GetSerializedSize();
    tag.value.time = static_cast<uint64_t>(Simulator::Now().GetTimeStep());
    packet->AddPacketTag(tag);
}

void
FlowTally::Received(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
{
    FlowTallyTag tag;
    if (!packet->PeekPacketTag(tag))
    {
        return;
    }
    Counts& counts = Find(header, packet);
    const auto now = static_cast<uint64_t>(Simulator::Now().GetTimeStep());
    const uint64_t delay = now - tag.value.time;
    if (counts.receivedPackets++ > 0)
    {
        counts.jitter += std::max(delay, counts.lastDelay) - std::min(delay, counts.lastDelay);
    }
    counts.receivedBytes += packet->GetSize() + header.GetSerializedSize();
    counts.delay += delay;
    counts.lastDelay = delay;
    counts.lastReceived = now;
}

void
FlowTally::Merge(Ranks& ranks)
{
    // Each member is 0 except on the rank of the source, or of the destination.
    static constexpr std::array<uint64_t Counts::*, 8> MEMBERS{&Counts::sentPackets,
                                                               &Counts::sentBytes,
                                                               &Counts::receivedPackets,
                                                               &Counts::receivedBytes,
                                                               &Counts::delay,
                                                               &Counts::jitter,
                                                               &Counts::lastDelay,
                                                               &Counts::lastReceived};
    const auto pass = [](Parcel& parcel, Flow& flow, Counts& counts)
    {
        parcel.Pass(flow.source,
                    flow.destination,
                    flow.sourcePort,
                    flow.destinationPort,
                    flow.protocol);
        for (const auto member : MEMBERS)
        {
            parcel.Pass(counts.*member);
        }
    };
    std::vector<Parcel> parcels = ranks.Exchange(
        [&](Parcel& parcel)
        {
            uint64_t n = m_flows.size();
            parcel.Pass(n);
            for (auto [flow, counts] : m_flows)
            {
                Flow key = flow;
                pass(parcel, key, counts);
            }
        });
    m_flows.clear();
    for (Parcel& parcel : parcels)
    {
        uint64_t n = 0;
        for (parcel.Pass(n); n > 0; --n)
        {
            Flow flow;
            Counts counts;
            pass(parcel, flow, counts);
            for (const auto member : MEMBERS)
            {
                m_flows[flow].*member += counts.*member;
            }
        }
    }
}

void
FlowTally::Write(const std::string& path) const
{
    CsvWriter csv(path,
                  {"source",
                   "source_port",
                   "destination",
                   "destination_port",
                   "protocol",
                   "sent_packets",
                   "sent_bytes",
                   "received_packets",
                   "received_bytes",
                   "last_received_ns",
                   "mean_delay_ns",
                   "mean_jitter_ns"});
    for (const auto& [flow, counts] : m_flows)
    {
        const auto mean = [](uint64_t sum, uint64_t n)
        { return n > 0 ? ToNs(static_cast<double>(sum) / static_cast<double>(n)) : std::nan(""); };
        const uint64_t n = counts.receivedPackets;
        csv.Row(ToText(flow.source),
                flow.sourcePort,
                ToText(flow.destination),
                flow.destinationPort,
                flow.protocol,
                counts.sentPackets,
                counts.sentBytes,
                counts.receivedPackets,
                counts.receivedBytes,
                mean(counts.lastReceived, 1),
                mean(counts.delay, n),
                mean(counts.jitter, std::max<uint64_t>(n, 1) - 1));
    }
    csv.Commit();
}

} // namespace ns3::odcn
