// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Column-mapped traces. The first line of an input is the map, the others are the file.

#include "odcn-fuzz.h"

#include "ns3/cluster-trace.h"
#include "ns3/odcn-column-jobs.h"
#include "ns3/rddc-request-file.h"
#include "ns3/string.h"

#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_column_fuzz)

(const uint8_t* data, std::size_t size)
{
    const std::string text = FuzzText(data, size);
    const auto line = std::min(text.find('\n'), text.size());
    const std::string map = text.substr(0, line);
    const FuzzFile file(text.substr(std::min(line + 1, text.size())));
    FuzzRead(
        [&]()
        {
            auto jobs = CreateObject<OdcnColumnJobs>();
            jobs->SetAttribute("FileName", StringValue(file.GetPath()));
            jobs->SetAttribute("Columns", StringValue(map));
            jobs->AssignStreams(0);
            double last = 0;
            for (OdcnJob job; jobs->Next(job); last = job.arrival)
            {
                FuzzRequire(std::isfinite(job.arrival) && job.arrival >= last, "ordered arrivals");
                FuzzRequire(std::isfinite(job.duration) && job.duration > 0, "a duration above 0");
                FuzzRequire(!job.vms.empty(), "one VM or more");
            }
        });
    FuzzRead(
        [&]()
        {
            auto requests = CreateObject<RddcRequestFile>();
            requests->SetAttribute("FileName", StringValue(file.GetPath()));
            requests->SetAttribute("Columns", StringValue(map));
            for (RddcRequest request; requests->Next(request);)
            {
                FuzzRequire(std::isfinite(request.gap) && request.gap >= 0, "a gap of 0 or more");
                FuzzRequire(std::isfinite(request.holding) && request.holding > 0,
                            "a holding time");
            }
        });
    FuzzRead(
        [&]()
        {
            auto trace = CreateObject<ClusterTrace>();
            trace->SetAttribute("FileName", StringValue(file.GetPath()));
            trace->SetAttribute("Columns", StringValue(map));
            trace->SetAttribute("Format", StringValue("columns"));
            FuzzRequire(trace->Examine().jobs > 0, "one job or more");
        });
    return 0;
}
