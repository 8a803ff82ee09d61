// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_REPORT_H
#define ODCN_FLOW_REPORT_H

#include "ns3/flow-monitor.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <ostream>
#include <set>

namespace ns3::odcn
{

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

} // namespace ns3::odcn

#endif /* ODCN_FLOW_REPORT_H */
