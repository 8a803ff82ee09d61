// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-report.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"

namespace ns3::odcn
{

FlowReport::FlowReport(Time bin)
{
    if (!bin.IsStrictlyPositive())
    {
        throw OdcnError::InOption("bin width of FlowMonitor",
                                  std::to_string(bin.GetSeconds()) + " s",
                                  "above 0");
    }
    for (const char* name : {"DelayBinWidth", "JitterBinWidth"})
    {
        m_helper.SetMonitorAttribute(name, DoubleValue(bin.GetSeconds()));
    }
}

void
FlowReport::Install(const NodeContainer& nodes)
{
    m_monitor = m_helper.Install(nodes);
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
