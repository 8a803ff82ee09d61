// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Demand matrices; and names of patterns, with the first line of an input as the name.

#include "odcn-fuzz.h"

#include "ns3/odcn-demand-matrix.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_demand_matrix)
{
    const FuzzFile file(text);
    FuzzRead([&]() { DemandMatrix::Read(file.GetPath()).Check("matrix"); });
    // A name that begins with "file:" would read any file.
    if (text.compare(0, 5, "file:") != 0)
    {
        FuzzRead(
            [&]()
            {
                auto random = CreateObject<UniformRandomVariable>();
                random->SetStream(1);
                DemandMatrix::Make(text.substr(0, text.find('\n')), 8, random).Check("matrix");
            });
    }
}
