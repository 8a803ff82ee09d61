// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-circuit-host.h"

#include "ns3/odcn-ns3-compat.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"

#include <utility>

namespace ns3::odcn
{

OcsCircuitHost::OcsCircuitHost(Ptr<OcsFabric> fabric, Ptr<OcsScheduleFollower> follower)
    : m_fabric(fabric),
      m_follower(follower)
{
}

Time
OcsCircuitHost::Now() const
{
    return Simulator::Now();
}

void
OcsCircuitHost::After(Time delay, std::function<void()> step)
{
    CompatSchedule(delay, std::move(step));
}

uint32_t
OcsCircuitHost::GetNRacks() const
{
    return m_fabric->GetSize().racks;
}

uint32_t
OcsCircuitHost::GetNPlanes() const
{
    return m_fabric->GetSize().uplinks;
}

DataRate
OcsCircuitHost::GetUplinkRate() const
{
    return m_fabric->GetUplink(0, 0)->GetDataRate();
}

DataRate
OcsCircuitHost::GetElectricalRate() const
{
    uint64_t sum = 0;
    for (uint32_t port = 0; port < m_fabric->GetSize().GetNElectrical(0); ++port)
    {
        sum += m_fabric->GetTor(0)->GetElectrical(port)->GetDataRate().GetBitRate();
    }
    return DataRate(sum);
}

bool
OcsCircuitHost::HasRack(RackId rack) const
{
    return !m_fabric->IsRemote(rack);
}

uint64_t
OcsCircuitHost::GetOffered(RackId from, RackId to) const
{
    return m_fabric->GetTor(from)->GetDemand(to);
}

uint64_t
OcsCircuitHost::GetHeld(RackId from, RackId to) const
{
    const TorBuffer& buffer = m_fabric->GetTor(from)->GetBuffer();
    return buffer.GetBytes({TorQueueKind::LOCAL, to}) + buffer.GetBytes({TorQueueKind::RELAY, to});
}

bool
OcsCircuitHost::HasFailedPaths() const
{
    return m_fabric->HasFailedPaths();
}

bool
OcsCircuitHost::IsUsable(uint32_t plane, RackId from, RackId to) const
{
    return m_fabric->IsUsable({from, plane, to, plane});
}

Time
OcsCircuitHost::GetDrainTime() const
{
    return m_follower->GetDrainTime();
}

Time
OcsCircuitHost::GetGuard() const
{
    return m_follower->GetGuard();
}

void
OcsCircuitHost::Start(Ptr<CircuitSchedule> schedule)
{
    const Ptr<OcsScheduleFollower> follower = m_follower; // a sink may dispose of its owner
    follower->Start(m_fabric, schedule);
}

void
OcsCircuitHost::Change(Ptr<CircuitSchedule> schedule)
{
    const Ptr<OcsScheduleFollower> follower = m_follower; // a sink may dispose of its owner
    follower->Change(schedule);
}

} // namespace ns3::odcn
