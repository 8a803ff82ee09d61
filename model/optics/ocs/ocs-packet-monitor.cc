// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-packet-monitor.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OcsPacketMonitor);

namespace
{

/// @param device a port
/// @return what waits in its queue
QueueLength
GetLength(const Ptr<OcsNetDevice>& device)
{
    return {device->GetQueue()->GetNPackets(), device->GetQueue()->GetNBytes()};
}

} // namespace

TypeId
OcsPacketMonitor::GetTypeId()
{
    using T = OcsPacketMonitor;
    static TypeId tid =
        TypeIdOf<OcsPacketMonitor, Object>("ns3::odcn::OcsPacketMonitor")
            .Add(Attribute("LatencyTime", &T::m_latencyTime, MicroSeconds(10), TimeStep(1)),
                 "Time in which the weight of a packet in the measured latency falls to "
                 "1/e.");
    return tid;
}

void
OcsPacketMonitor::DoDispose()
{
    m_fabric = nullptr;
    Object::DoDispose();
}

void
OcsPacketMonitor::SetFabric(Ptr<OcsFabric> fabric)
{
    m_fabric = fabric;
    const std::size_t racks = fabric->GetSize().racks;
    m_sums.assign(racks * racks, {});
}

QueueLength
OcsPacketMonitor::GetUplinkQueue(RackId rack, uint32_t uplink) const
{
    return GetLength(m_fabric->GetUplink(rack, uplink));
}

QueueLength
OcsPacketMonitor::GetTorQueue(RackId rack) const
{
    const TorSwitch& tor = *PeekPointer(m_fabric->GetTor(rack));
    QueueLength length{tor.GetHeld(), tor.GetBuffer().GetNBytes()};
    for (const Ptr<OcsNetDevice>& port : tor.GetPorts())
    {
        length += GetLength(port);
    }
    return length;
}

QueueLength
OcsPacketMonitor::GetQueue(RackId from, RackId to) const
{
    const TorSwitch& tor = *PeekPointer(m_fabric->GetTor(from));
    QueueLength length;
    for (uint32_t uplink = 0; uplink < tor.GetNUplinks(); ++uplink)
    {
        if (tor.GetCircuit(uplink) == to)
        {
            length += GetLength(tor.GetUplink(uplink));
        }
    }
    return length;
}

QueueLength
OcsPacketMonitor::GetQueueFrom(RackId rack) const
{
    QueueLength length;
    for (uint32_t uplink = 0; uplink < m_fabric->GetTor(rack)->GetNUplinks(); ++uplink)
    {
        length += GetUplinkQueue(rack, uplink);
    }
    return length;
}

QueueLength
OcsPacketMonitor::GetQueueTo(RackId rack) const
{
    QueueLength length;
    for (RackId from = 0; from < m_fabric->GetSize().racks; ++from)
    {
        length += GetQueue(from, rack);
    }
    return length;
}

std::size_t
OcsPacketMonitor::GetIndex(RackId from, RackId to) const
{
    const uint32_t racks = m_fabric ? m_fabric->GetSize().racks : 0;
    if (from >= racks || to >= racks)
    {
        throw OdcnError::InOption("OcsPacketMonitor: racks",
                                  std::to_string(from) + " and " + std::to_string(to),
                                  "below " + std::to_string(racks));
    }
    return std::size_t{from} * racks + to;
}

double
OcsPacketMonitor::GetWeight(Time age) const
{
    return std::exp(-static_cast<double>(age.GetTimeStep()) /
                    static_cast<double>(m_latencyTime.GetTimeStep()));
}

void
OcsPacketMonitor::Received(RackId from, RackId to, Time latency)
{
    Sums& sums = m_sums[GetIndex(from, to)];
    const double weight = GetWeight(Simulator::Now() - sums.last);
    sums.ns = weight * sums.ns + 1e-3 * static_cast<double>(latency.GetPicoSeconds());
    sums.packets = weight * sums.packets + 1;
    sums.last = Simulator::Now();
}

LatencyEstimate
OcsPacketMonitor::Combine(std::size_t first, std::size_t step, std::size_t n) const
{
    Time newest;
    for (std::size_t i = 0; i < n; ++i)
    {
        newest = std::max(newest, m_sums[first + i * step].last);
    }
    // Weights as of the newest arrival, so that they do not underflow together.
    LatencyEstimate all;
    for (std::size_t i = 0; i < n; ++i)
    {
        const Sums& sums = m_sums[first + i * step];
        const double weight = GetWeight(newest - sums.last);
        all.meanNs += weight * sums.ns;
        all.packets += weight * sums.packets;
    }
    all.meanNs = all.packets > 0 ? all.meanNs / all.packets : 0;
    all.packets *= GetWeight(Simulator::Now() - newest);
    return all;
}

LatencyEstimate
OcsPacketMonitor::GetLatency(RackId from, RackId to) const
{
    return Combine(GetIndex(from, to), 0, 1);
}

LatencyEstimate
OcsPacketMonitor::GetLatencyFrom(RackId rack) const
{
    return Combine(GetIndex(rack, 0), 1, m_fabric->GetSize().racks);
}

LatencyEstimate
OcsPacketMonitor::GetLatencyTo(RackId rack) const
{
    const uint32_t racks = m_fabric->GetSize().racks;
    return Combine(GetIndex(0, rack), racks, racks);
}

LatencyEstimate
OcsPacketMonitor::GetLatency() const
{
    return Combine(0, 1, m_sums.size());
}

} // namespace ns3::odcn
