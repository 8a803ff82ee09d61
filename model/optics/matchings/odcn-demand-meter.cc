// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-demand-meter.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(DemandMeter);

TypeId
DemandMeter::GetTypeId()
{
    using T = DemandMeter;
    static TypeId tid =
        TypeIdOf<DemandMeter, Object>("ns3::odcn::DemandMeter")
            .Add(
                Attribute("Quantity", &T::m_quantity, HELD, {{OFFERED, "Offered"}, {HELD, "Held"}}),
                "Bytes that servers have offered since the last report, or bytes that "
                "are held for circuits at the report")
            .Add(Attribute("Smoothing", &T::m_smoothing, 1, 0.001, 1),
                 "Weight of a new report in the exponentially weighted moving average; "
                 "1 keeps nothing of earlier reports");
    return tid;
}

DemandMeter::DemandMeter() = default;

void
DemandMeter::Report(const DemandMatrix& offered, const DemandMatrix& held)
{
    offered.Check("offered traffic");
    held.Check("held traffic");
    const uint32_t racks = offered.GetNRacks();
    const bool first = m_demand.GetNRacks() == 0;
    if (held.GetNRacks() != racks || (!first && m_demand.GetNRacks() != racks))
    {
        throw OdcnError::InOption("report of demand",
                                  std::to_string(racks) + " and " +
                                      std::to_string(held.GetNRacks()) + " racks",
                                  first ? "equal numbers" : std::to_string(m_demand.GetNRacks()));
    }
    constexpr double LEAST = 1e-9;
    const DemandMatrix& report = m_quantity == OFFERED ? offered : held;
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            m_largest = std::max(m_largest, report.Get(from, to));
        }
    }
    if (first)
    {
        m_demand = report;
        return;
    }
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            const double estimate =
                m_smoothing * report.Get(from, to) + (1 - m_smoothing) * m_demand.Get(from, to);
            m_demand.Set(from, to, estimate < LEAST * m_largest ? 0 : estimate);
        }
    }
}

void
DemandMeter::Reset()
{
    m_largest = 0;
    m_demand = DemandMatrix();
}

} // namespace ns3::odcn
