// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-report.h"

#include "ns3/double.h"
#include "ns3/flow-probe.h"
#include "ns3/ipv4-flow-probe.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-flow-classifier.h"
#include "ns3/node.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/tag.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-l4-protocol.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ns3::odcn
{

namespace
{

/// A tag that carries a value. T is a struct of numbers with the name of the tag's TypeId, NAME.
template <typename T>
class ValueTag : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(T::NAME)
                                .SetParent<Tag>()
                                .SetGroupName("Odcn")
                                .template AddConstructor<ValueTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return sizeof(T);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.Write(reinterpret_cast<const uint8_t*>(&value), sizeof(T));
    }

    void Deserialize(TagBuffer buffer) override
    {
        buffer.Read(reinterpret_cast<uint8_t*>(&value), sizeof(T));
    }

    void Print(std::ostream& os) const override
    {
        os << T::NAME;
    }

    T value{}; //!< the value
};

/// On a packet from its first probe on: which packet of which flow it is.
struct ReportedPacket
{
    static constexpr const char* NAME = "ns3::odcn::FlowReportTag"; //!< of the tag's TypeId

    /// @param header an IPv4 header  @return whether the tag was made for it, not for one inside
    bool Is(const Ipv4Header& header) const
    {
        return source == header.GetSource().Get() && destination == header.GetDestination().Get();
    }

    uint32_t flow{0};        //!< number of the flow
    uint32_t packet{0};      //!< number of the packet in its flow
    uint32_t size{0};        //!< bytes with the IPv4 header
    uint32_t source{0};      //!< address in the IPv4 header
    uint32_t destination{0}; //!< address in the IPv4 header
};

/// When a packet was sent.
struct SendingTime
{
    static constexpr const char* NAME = "ns3::odcn::FlowTallyTag"; //!< of the tag's TypeId

    uint64_t time{0}; //!< time steps
};

using FlowReportTag = ValueTag<ReportedPacket>;
using FlowTallyTag = ValueTag<SendingTime>;

// A tag arrives on another rank before one was made there.
NS_OBJECT_ENSURE_REGISTERED(FlowTallyTag);

/// Reports the packets of a node to FlowMonitor, as Ipv4FlowProbe.
class FlowReportProbe : public FlowProbe
{
  public:
    FlowReportProbe(Ptr<FlowMonitor> monitor, Ptr<Ipv4FlowClassifier> classifier, Ptr<Node> node)
        : FlowProbe(monitor),
          m_classifier(classifier),
          m_ipv4(node->GetObject<Ipv4L3Protocol>())
    {
        const Ptr<FlowReportProbe> probe(this);
        m_ipv4->TraceConnectWithoutContext("SendOutgoing",
                                           MakeCallback(&FlowReportProbe::Sent, probe));
        m_ipv4->TraceConnectWithoutContext("UnicastForward",
                                           MakeCallback(&FlowReportProbe::Forwarded, probe));
        m_ipv4->TraceConnectWithoutContext("LocalDeliver",
                                           MakeCallback(&FlowReportProbe::Delivered, probe));
        m_ipv4->TraceConnectWithoutContext("Drop", MakeCallback(&FlowReportProbe::Dropped, probe));
        const auto control = node->GetObject<TrafficControlLayer>();
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            const Ptr<NetDevice> device = node->GetDevice(i);
            const Ptr<QueueDisc> disc =
                control ? control->GetRootQueueDiscOnDevice(device) : nullptr;
            if (disc)
            {
                disc->TraceConnectWithoutContext(
                    "Drop",
                    MakeCallback(&FlowReportProbe::DroppedByDisc, probe));
            }
            PointerValue queue;
            if (device->GetAttributeFailSafe("TxQueue", queue) && queue.GetObject())
            {
                queue.GetObject()->TraceConnectWithoutContext(
                    "Drop",
                    MakeCallback(&FlowReportProbe::DroppedByQueue, probe));
            }
        }
    }

  private:
    void DoDispose() override
    {
        m_ipv4 = nullptr;
        m_classifier = nullptr;
        FlowProbe::DoDispose();
    }

    /// @param header of a packet on its way out  @param packet what follows the header
    void Sent(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
    {
        FlowReportTag tag;
        if (!m_ipv4->IsUnicast(header.GetDestination()) || packet->FindFirstMatchingByteTag(tag) ||
            !m_classifier->Classify(header, packet, &tag.value.flow, &tag.value.packet))
        {
            return;
        }
        tag.value.size = packet->GetSize() + header.GetSerializedSize();
        tag.value.source = header.GetSource().Get();
        tag.value.destination = header.GetDestination().Get();
        m_flowMonitor->ReportFirstTx(this, tag.value.flow, tag.value.packet, tag.value.size);
        packet->AddByteTag(tag);
    }

    /// @param header of a packet that is passed on  @param packet what follows the header
    void Forwarded(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
    {
        FlowReportTag tag;
        const bool whole = header.IsLastFragment() && header.GetFragmentOffset() == 0;
        if (whole && packet->FindFirstMatchingByteTag(tag) && tag.value.Is(header))
        {
            m_flowMonitor->ReportForwarding(this,
                                            tag.value.flow,
                                            tag.value.packet,
                                            packet->GetSize() + header.GetSerializedSize());
        }
    }

    /// @param header of a packet for this node  @param packet what follows the header
    void Delivered(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
    {
        FlowReportTag tag;
        if (packet->FindFirstMatchingByteTag(tag) && tag.value.Is(header))
        {
            m_flowMonitor->ReportLastRx(this,
                                        tag.value.flow,
                                        tag.value.packet,
                                        packet->GetSize() + header.GetSerializedSize());
        }
    }

    /// @param header of a lost packet  @param packet what follows the header  @param reason why
    void Dropped(const Ipv4Header& header,
                 Ptr<const Packet> packet,
                 Ipv4L3Protocol::DropReason reason,
                 Ptr<Ipv4>,
                 uint32_t)
    {
        static const std::map<Ipv4L3Protocol::DropReason, Ipv4FlowProbe::DropReason> reasons{
            {Ipv4L3Protocol::DROP_TTL_EXPIRED, Ipv4FlowProbe::DROP_TTL_EXPIRE},
            {Ipv4L3Protocol::DROP_NO_ROUTE, Ipv4FlowProbe::DROP_NO_ROUTE},
            {Ipv4L3Protocol::DROP_BAD_CHECKSUM, Ipv4FlowProbe::DROP_BAD_CHECKSUM},
            {Ipv4L3Protocol::DROP_INTERFACE_DOWN, Ipv4FlowProbe::DROP_INTERFACE_DOWN},
            {Ipv4L3Protocol::DROP_ROUTE_ERROR, Ipv4FlowProbe::DROP_ROUTE_ERROR},
            {Ipv4L3Protocol::DROP_FRAGMENT_TIMEOUT, Ipv4FlowProbe::DROP_FRAGMENT_TIMEOUT}};
        const auto known = reasons.find(reason);
        Count(packet,
              known == reasons.end() ? Ipv4FlowProbe::DROP_INVALID_REASON : known->second,
              header.GetSerializedSize());
    }

    /// @param item what a queue disc dropped
    void DroppedByDisc(Ptr<const QueueDiscItem> item)
    {
        Count(item->GetPacket(), Ipv4FlowProbe::DROP_QUEUE_DISC);
    }

    /// @param packet what the queue of a device dropped
    void DroppedByQueue(Ptr<const Packet> packet)
    {
        Count(packet, Ipv4FlowProbe::DROP_QUEUE);
    }

    /// @param packet a lost one  @param reason why
    /// @param header bytes of the IPv4 header that the packet lacks; 0: counted as it was sent
    void Count(Ptr<const Packet> packet, Ipv4FlowProbe::DropReason reason, uint32_t header = 0)
    {
        FlowReportTag tag;
        if (packet->FindFirstMatchingByteTag(tag))
        {
            const uint32_t size = header > 0 ? packet->GetSize() + header : tag.value.size;
            m_flowMonitor->ReportDrop(this, tag.value.flow, tag.value.packet, size, reason);
        }
    }

    Ptr<Ipv4FlowClassifier> m_classifier; //!< which packets belong to one flow
    Ptr<Ipv4L3Protocol> m_ipv4;           //!< of the node
};

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

FlowReport::FlowReport(Time bin)
    : m_bin(bin)
{
    if (!bin.IsStrictlyPositive())
    {
        throw OdcnError::InOption("bin width of FlowMonitor",
                                  std::to_string(bin.GetSeconds()) + " s",
                                  "above 0");
    }
}

FlowReport::~FlowReport()
{
    if (m_monitor)
    {
        m_monitor->Dispose();
    }
}

void
FlowReport::Install(const NodeContainer& nodes)
{
    if (!m_monitor)
    {
        m_monitor = CreateObject<FlowMonitor>();
        for (const char* name : {"DelayBinWidth", "JitterBinWidth"})
        {
            m_monitor->SetAttribute(name, DoubleValue(m_bin.GetSeconds()));
        }
        // A packet that waits for a circuit is not lost.
        m_monitor->SetAttribute("MaxPerHopDelay", TimeValue(Time::Max()));
        m_classifier = Create<Ipv4FlowClassifier>();
        m_monitor->AddFlowClassifier(m_classifier);
        // An empty element of the XML, for programs that expect FlowMonitorHelper's.
        m_monitor->AddFlowClassifier(Create<Ipv6FlowClassifier>());
    }
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        if (nodes.Get(i)->GetObject<Ipv4L3Protocol>() &&
            m_nodes.insert(nodes.Get(i)->GetId()).second)
        {
            // FlowMonitor keeps the probe.
            CreateObject<FlowReportProbe>(m_monitor, m_classifier, nodes.Get(i));
        }
    }
}

void
FlowReport::Write(std::ostream& os)
{
    if (!m_monitor)
    {
        throw OdcnError("FlowMonitor: no node is monitored");
    }
    m_monitor->CheckForLostPackets();
    const auto digits = os.precision(15);
    m_monitor->SerializeToXmlStream(os, 0, true, false);
    os.precision(digits);
}

PacketTraces::PacketTraces(OutputFiles& files, Time bin)
    : m_files(files),
      m_flows(bin)
{
}

void
PacketTraces::AddPcap(PcapHelperForDevice& helper,
                      Ptr<NetDevice> device,
                      const std::string& name,
                      const std::string& what)
{
    helper.EnablePcap(m_files.Temporary(name), device, true, true);
    m_traces.push_back({name, what, nullptr});
}

void
PacketTraces::AddAscii(AsciiTraceHelperForDevice& helper,
                       Ptr<NetDevice> device,
                       const std::string& name,
                       const std::string& what)
{
    const auto stream = AsciiTraceHelper().CreateFileStream(m_files.Temporary(name));
    helper.EnableAscii(stream, device);
    m_traces.push_back({name, what, stream});
}

void
PacketTraces::Keep(const std::string& what)
{
    if (m_flows.GetMonitor())
    {
        AtomicFile xml(m_files.Path("flow-monitor.xml"));
        m_flows.Write(xml.Stream());
        xml.Commit();
        m_files.Written("flow-monitor.xml", what);
    }
    for (const auto& trace : m_traces)
    {
        if (trace.stream && !(*trace.stream->GetStream() << std::flush))
        {
            throw OdcnError(m_files.Path(trace.name) + ": cannot be written");
        }
        m_files.Keep(trace.name, trace.what);
    }
}

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
