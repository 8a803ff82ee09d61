// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Standard Workload Format.

#include "odcn-fuzz.h"

#include "ns3/boolean.h"
#include "ns3/cluster-trace.h"
#include "ns3/string.h"

#include <numeric>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_swf_fuzz)

(const uint8_t* data, std::size_t size)
{
    const FuzzFile file(FuzzText(data, size));
    for (const bool skip : {false, true})
    {
        FuzzRead(
            [&]()
            {
                auto trace = CreateObject<ClusterTrace>();
                trace->SetAttribute("FileName", StringValue(file.GetPath()));
                trace->SetAttribute("SkipMalformed", BooleanValue(skip));
                const auto report = trace->Examine();
                const auto& skipped = report.rowsSkipped;
                FuzzRequire(report.rowsRead ==
                                std::accumulate(skipped.begin(), skipped.end(), report.jobs),
                            "rowsRead = jobs + sum of rowsSkipped");
                std::ostringstream text;
                report.Print(text);
                for (const char c : text.str())
                {
                    FuzzRequire((c & 0x60) != 0 || c == '\n' || (c & 0x80) != 0,
                                "no control characters on the terminal");
                }
                uint64_t last = 0;
                trace->NextSet();
                for (ClusterJob job; trace->Next(job); last = job.arrival)
                {
                    FuzzRequire(job.arrival >= last && job.duration >= 1, "a cluster job");
                }
            });
    }
    return 0;
}
