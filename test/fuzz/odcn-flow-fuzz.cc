// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Flow files, and distributions of flow sizes.

#include "odcn-fuzz.h"

#include "ns3/odcn-flow-workload.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_flow)
{
    constexpr uint32_t HOSTS = 108;
    const FuzzFile file(text);
    FuzzRead(
        [&]()
        {
            for (const auto& flow : ReadFlowFile(file.GetPath(), HOSTS))
            {
                FuzzRequire(flow.from < HOSTS && flow.to < HOSTS && flow.from != flow.to &&
                                flow.bytes > 0 && !flow.start.IsStrictlyNegative(),
                            "a flow");
            }
        });
    for (const bool interpolate : {false, true})
    {
        FuzzRead(
            [&]()
            {
                FlowSizes sizes(file.GetPath(), interpolate);
                sizes.SetStream(1);
                FuzzRequire(sizes.GetMean() >= 1, "a mean of 1 byte or more");
                for (int i = 0; i < 10; ++i)
                {
                    const auto bytes = sizes.Draw();
                    FuzzRequire(bytes >= 1 && bytes <= uint64_t{1} << 53, "a size");
                }
            });
    }
}
