// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-traces.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"

namespace ns3::odcn
{

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

} // namespace ns3::odcn
