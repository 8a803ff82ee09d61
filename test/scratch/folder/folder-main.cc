// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// One of two files of a program. It names a rule and an agent without using a symbol of odcn.

#include "folder-lookup.h"

#include <iostream>

int
main()
{
    for (const char* name : {"ns3::odcn::OdcnJcbPolicy", "ns3::odcn::AgentPolicy"})
    {
        std::cout << name << (IsTypeId(name) ? " is known\n" : " is unknown\n");
    }
    return 0;
}
