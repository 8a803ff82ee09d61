// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_CONTROLLER_H
#define ODCN_CIRCUIT_CONTROLLER_H

#include "ns3/ocs-fabric.h"
#include "ns3/odcn-circuit-host.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-traffic.h"
#include "ns3/ptr.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An application on a node that sets the circuits of a fabric while it runs. By its TypeId it may
 * stand in the text of a FabricDesign, in place of a CircuitSchedule.
 */
class CircuitController : public RandomApplication
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param fabric whose circuits are controlled, from the start of the application on
    virtual void SetFabric(Ptr<OcsFabric> fabric) = 0;
};

/**
 * @ingroup odcn
 *
 * A controller that needs a CircuitHost only, so that the exact engine carries the traffic of its
 * design with the same object.
 */
class HostedController : public CircuitController, public CircuitLogic
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
};

/**
 * @ingroup odcn
 *
 * A controller that stands between a source of messages and the engine: it knows what is sent, and
 * sets circuits for it. It reads no counters of ToR switches, so that the flow level carries the
 * messages of its design as well as packets do.
 */
class PhaseController : public CircuitController, public TrafficSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_CONTROLLER_H */
