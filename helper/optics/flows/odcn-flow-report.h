// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_REPORT_H
#define ODCN_FLOW_REPORT_H

#include "ns3/flow-monitor.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/odcn-output-files.h"
#include "ns3/ptr.h"
#include "ns3/trace-helper.h"

#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * FlowMonitor for large networks with latencies of nanoseconds: the bin width of its histograms can
 * be chosen (1 ms in FlowMonitor), and its XML has all times, including those of the first and last
 * packet of each flow, with full precision (six digits in FlowMonitor).
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

    /// Monitor more nodes. @param nodes nodes; those without an IPv4 stack are left out
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
    /// @param files output folder  @param bin width of the bins of FlowMonitor's histograms
    PacketTraces(OutputFiles& files, Time bin);

    /**
     * Write a pcap file of a device, both ways.
     * @param helper of its kind of devices  @param device the device  @param name name of the file
     * @param what one-line summary
     */
    void AddPcap(PcapHelperForDevice& helper,
                 Ptr<NetDevice> device,
                 const std::string& name,
                 const std::string& what);

    /// As above for an ascii file. @param helper as above @param device as above @param name as
    /// above @param what as above
    void AddAscii(AsciiTraceHelperForDevice& helper,
                  Ptr<NetDevice> device,
                  const std::string& name,
                  const std::string& what);

    /// Monitor the flows of a node. @param node a node; one that is monitored stays so
    void Watch(Ptr<Node> node);

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

    OutputFiles& m_files;         //!< output folder
    FlowReport m_flows;           //!< monitors nodes
    std::set<uint32_t> m_watched; //!< ids of these nodes
    std::vector<File> m_traces;   //!< files of devices
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_REPORT_H */
