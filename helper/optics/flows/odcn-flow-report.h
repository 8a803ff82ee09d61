// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_REPORT_H
#define ODCN_FLOW_REPORT_H

#include "ns3/flow-monitor.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/odcn-output-files.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/trace-helper.h"

#include <compare>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::odcn
{

class Ranks;

/**
 * @ingroup odcn
 *
 * FlowMonitor for large networks with latencies of nanoseconds: the bin width of its histograms can
 * be chosen (1 ms in FlowMonitor), and its XML has all times, including those of the first and last
 * packet of each flow, with full precision (six digits in FlowMonitor). A packet may wait for a
 * circuit for any time (FlowMonitor counts it as lost after 10 s, even if it arrives): lost are
 * those whose drop is seen.
 *
 * ns-3's own probes look their node up among all nodes by name, which takes minutes for 32,768
 * nodes. These connect to the objects of the node, and count the same: packets at the IPv4 layer,
 * and those dropped there, by queue discs, or by the devices' attribute TxQueue.
 */
class FlowReport
{
  public:
    /// @param bin width of the bins of delay and jitter histograms, above 0
    explicit FlowReport(Time bin);

    ~FlowReport();

    /// Monitor more nodes. @param nodes nodes; those without an IPv4 stack, and those that are
    /// monitored, are left out
    void Install(const NodeContainer& nodes);

    /// @param os output stream of the XML, with histograms  @throws OdcnError without any node
    void Write(std::ostream& os);

    /// @return the monitor; null before Install()
    Ptr<FlowMonitor> GetMonitor() const
    {
        return m_monitor;
    }

  private:
    Time m_bin;                           //!< width of the bins of histograms
    Ptr<FlowMonitor> m_monitor;           //!< monitor of all installed nodes
    Ptr<Ipv4FlowClassifier> m_classifier; //!< which packets belong to one flow
    std::set<uint32_t> m_nodes;           //!< ids of monitored nodes
};

/**
 * @ingroup odcn
 *
 * Trace files of a run with packets: pcap and ascii files of single devices, and FlowMonitor's XML,
 * flow-monitor.xml. They are complete in the output folder after Keep(), or not there.
 */
class PacketTraces
{
  public:
    /// @param files output folder
    /// @param bin width of the bins of FlowMonitor's histograms
    PacketTraces(OutputFiles& files, Time bin);

    /**
     * Write a pcap file of a device, both ways.
     * @param helper of its kind of devices
     * @param device the device
     * @param name name of the file
     * @param what one-line summary
     */
    void AddPcap(PcapHelperForDevice& helper,
                 Ptr<NetDevice> device,
                 const std::string& name,
                 const std::string& what);

    /// As above for an ascii file.
    /// @param helper as above
    /// @param device as above
    /// @param name as above
    /// @param what as above
    void AddAscii(AsciiTraceHelperForDevice& helper,
                  Ptr<NetDevice> device,
                  const std::string& name,
                  const std::string& what);

    /// Monitor the flows of a node. @param node a node; one that is monitored stays so
    void Watch(Ptr<Node> node)
    {
        m_flows.Install(node);
    }

    /// Keep the files. @param what one-line summary of the flows
    /// @throws OdcnError when a file cannot be written
    void Keep(const std::string& what);

  private:
    /// A file of a device.
    struct File
    {
        std::string name;                //!< its name
        std::string what;                //!< its summary
        Ptr<OutputStreamWrapper> stream; //!< of an ascii file
    };

    OutputFiles& m_files;       //!< output folder
    FlowReport m_flows;         //!< monitors nodes
    std::vector<File> m_traces; //!< files of devices
};

/**
 * @ingroup odcn
 *
 * Packets of each flow at the IPv4 layer of its two hosts, of any application. FlowMonitor cannot
 * be used where hosts are divided among ranks, because it looks for a received packet in the memory
 * of the process that sent it; here the time of sending travels with the packet.
 *
 * Keep the object until the end of the run.
 */
class FlowTally
{
  public:
    /// A flow: its addresses, protocol, and ports of TCP and UDP.
    struct Flow
    {
        uint32_t source{0};          //!< IPv4 address
        uint32_t destination{0};     //!< IPv4 address
        uint16_t sourcePort{0};      //!< port; 0 for other protocols
        uint16_t destinationPort{0}; //!< port; 0 for other protocols
        uint8_t protocol{0};         //!< of the IPv4 header

        /// @param o other flow
        /// @return their order, by members
        auto operator<=>(const Flow& o) const = default;
    };

    /// What is counted of a flow. Bytes include the IPv4 header; times are time steps.
    struct Counts
    {
        uint64_t sentPackets{0};     //!< sent by the source
        uint64_t sentBytes{0};       //!< of them
        uint64_t receivedPackets{0}; //!< received by the destination
        uint64_t receivedBytes{0};   //!< of them
        uint64_t delay{0};           //!< from sending to reception, sum
        uint64_t jitter{0};          //!< change of delay from one received packet to the next, sum
        uint64_t lastDelay{0};       //!< of the last received packet
        uint64_t lastReceived{0};    //!< when it was received
    };

    /// @param nodes to observe; those without IPv4, and those of other ranks, are left out
    explicit FlowTally(const NodeContainer& nodes);

    FlowTally(const FlowTally&) = delete;
    FlowTally& operator=(const FlowTally&) = delete;

    /**
     * Add what the other ranks have counted, after the run, once.
     * @param ranks all ranks
     */
    void Merge(Ranks& ranks);

    /// @return counts by flow
    const std::map<Flow, Counts>& GetFlows() const
    {
        return m_flows;
    }

    /**
     * Write a row for each flow, with mean delay and mean jitter in ns.
     * @param path CSV file
     * @throws OdcnError when it cannot be written
     */
    void Write(const std::string& path) const;

  private:
    /// @param header of a packet
    /// @param packet what follows
    /// @return counts of its flow
    Counts& Find(const Ipv4Header& header, const Ptr<const Packet>& packet);
    /// Sink of SendOutgoing.
    /// @param header of a packet
    /// @param packet what follows
    void Sent(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t);
    /// Sink of LocalDeliver.
    /// @param header of a packet
    /// @param packet what follows
    void Received(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t);

    std::map<Flow, Counts> m_flows; //!< by flow
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_REPORT_H */
