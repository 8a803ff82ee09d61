// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-circuit-follower.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <map>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsCircuitFollower");

NS_OBJECT_ENSURE_REGISTERED(OcsCircuitFollower);

TypeId
OcsCircuitFollower::GetTypeId()
{
    using T = OcsCircuitFollower;
    static TypeId tid =
        TypeIdOf<OcsCircuitFollower, Object>("ns3::odcn::OcsCircuitFollower")
            .Add(Attribute("Drain", &T::m_drain, Time(0), Time(0)),
                 "How long before its change a circuit is not used any more. Packets "
                 "pass if it exceeds the transmission of one and its propagation to the "
                 "optical switch; with 0 those on the way are lost");
    return tid;
}

void
OcsCircuitFollower::DoDispose()
{
    m_fabric = nullptr;
    Object::DoDispose();
}

void
OcsCircuitFollower::Start(Ptr<OcsFabric> fabric,
                          const std::vector<OcsCircuit>& initial,
                          const std::vector<OcsCircuitBatch>& batches)
{
    NS_LOG_FUNCTION(this);
    if (m_fabric)
    {
        throw OdcnError("OcsCircuitFollower: Start() was called twice");
    }
    const Time now = Simulator::Now();
    Time last = now;
    for (const OcsCircuitBatch& batch : batches)
    {
        if (batch.time < last)
        {
            throw OdcnError("OcsCircuitFollower: a batch at " +
                            std::to_string(batch.time.GetNanoSeconds()) + " ns: expected " +
                            std::to_string(last.GetNanoSeconds()) + " ns or later");
        }
        last = batch.time;
    }
    fabric->Preset(initial);
    m_fabric = fabric;
    for (const OcsCircuitBatch& batch : batches)
    {
        const Ptr<OcsCircuitFollower> self(this);
        Simulator::Schedule(batch.time - now, &OcsCircuitFollower::Clear, self, batch.circuits);
        Simulator::Schedule(batch.time - now + m_drain,
                            &OcsCircuitFollower::Apply,
                            self,
                            batch.circuits);
    }
}

void
OcsCircuitFollower::Clear(const std::vector<OcsCircuit>& circuits)
{
    NS_LOG_FUNCTION(this << circuits.size());
    const Ptr<OcsFabric> fabric = m_fabric;
    if (!fabric)
    {
        return; // disposed of
    }
    std::map<RackId, std::vector<uint32_t>> ports;
    for (const OcsCircuit& circuit : circuits)
    {
        const OcsCircuit present = fabric->GetCircuit(circuit.from, circuit.outPort);
        if (!(present == circuit) && present.to != NO_RACK)
        {
            ports[circuit.from].push_back(circuit.outPort);
        }
    }
    for (const auto& [rack, list] : ports)
    {
        fabric->GetTor(rack)->ClearCircuits(list);
    }
}

void
OcsCircuitFollower::Apply(const std::vector<OcsCircuit>& circuits)
{
    NS_LOG_FUNCTION(this << circuits.size());
    if (const Ptr<OcsFabric> fabric = m_fabric)
    {
        fabric->Apply(circuits);
    }
}

} // namespace ns3::odcn
