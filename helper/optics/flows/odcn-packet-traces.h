// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_TRACES_H
#define ODCN_PACKET_TRACES_H

#include "odcn-flow-report.h"

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/odcn-output-files.h"
#include "ns3/ptr.h"
#include "ns3/trace-helper.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

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

} // namespace ns3::odcn

#endif /* ODCN_PACKET_TRACES_H */
