// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "folder-lookup.h"

#include "ns3/type-id.h"

bool
IsTypeId(const std::string& name)
{
    ns3::TypeId tid;
    return ns3::TypeId::LookupByNameFailSafe(name, &tid);
}
