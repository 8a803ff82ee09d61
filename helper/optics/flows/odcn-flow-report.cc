// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-report.h"

#include "odcn-value-tag.h"

#include "ns3/double.h"
#include "ns3/flow-probe.h"
#include "ns3/ipv4-flow-probe.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-flow-classifier.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/tag.h"
#include "ns3/traffic-control-layer.h"

#include <map>

namespace ns3::odcn
{

namespace
{

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

using FlowReportTag = ValueTag<ReportedPacket>;

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

} // namespace ns3::odcn
