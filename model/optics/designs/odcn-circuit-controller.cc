// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-controller.h"

#include "ns3/odcn-attributes.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CircuitController);

TypeId
CircuitController::GetTypeId()
{
    static TypeId tid = TypeIdOf<CircuitController, Application>("ns3::odcn::CircuitController");
    return tid;
}

NS_OBJECT_ENSURE_REGISTERED(HostedController);

TypeId
HostedController::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<HostedController, CircuitController>("ns3::odcn::HostedController");
    return tid;
}

NS_OBJECT_ENSURE_REGISTERED(PhaseController);

TypeId
PhaseController::GetTypeId()
{
    static TypeId tid = TypeIdOf<PhaseController, CircuitController>("ns3::odcn::PhaseController");
    return tid;
}

} // namespace ns3::odcn
