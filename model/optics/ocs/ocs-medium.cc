// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-medium.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OcsMedium);

TypeId
OcsMedium::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OcsMedium").SetParent<Channel>().SetGroupName("Odcn");
    return tid;
}

} // namespace ns3::odcn
