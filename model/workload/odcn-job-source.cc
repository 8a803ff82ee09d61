// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-source.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnJobSource);

TypeId
OdcnJobSource::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OdcnJobSource").SetParent<Object>().SetGroupName("Odcn");
    return tid;
}

} // namespace ns3::odcn
