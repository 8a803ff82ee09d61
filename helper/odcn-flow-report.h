// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_REPORT_H
#define ODCN_FLOW_REPORT_H

#include "ns3/flow-monitor-helper.h"
#include "ns3/flow-monitor.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <ostream>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * FlowMonitor for networks whose packets take nanoseconds: the bins of its histograms are as fine
 * as asked for (its own are 1 ms wide), and its XML has all times in full, those of the first and
 * last packet of each flow included (its own has six digits).
 */
class FlowReport
{
  public:
    /// @param bin width of the bins of delay and jitter histograms, above 0
    explicit FlowReport(Time bin);

    /// @param nodes with IPv4 stacks, to be monitored, too
    void Install(const NodeContainer& nodes);

    /// @param os where to write the XML, with histograms  @throws OdcnError without any node
    void Write(std::ostream& os);

    /// @return the monitor; null before Install()
    Ptr<FlowMonitor> GetMonitor() const
    {
        return m_monitor;
    }

  private:
    FlowMonitorHelper m_helper; //!< made the monitor
    Ptr<FlowMonitor> m_monitor; //!< of all nodes
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_REPORT_H */
