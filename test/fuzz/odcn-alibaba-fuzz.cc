// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Alibaba's traces of 2018 (jobs, cluster jobs) and 2025 (requests).

#include "odcn-fuzz.h"

#include "ns3/cluster-trace.h"
#include "ns3/odcn-alibaba-jobs.h"
#include "ns3/rddc-alibaba-requests.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_alibaba_fuzz)

(const uint8_t* data, std::size_t size)
{
    const FuzzFile file(FuzzText(data, size));
    for (const char* mapping : {"task", "instance"})
    {
        FuzzRead(
            [&]()
            {
                auto jobs = CreateObject<OdcnAlibabaJobs>();
                jobs->SetAttribute("Repeat", UintegerValue(1));
                jobs->SetFileName(file.GetPath());
                jobs->SetVmMapping(mapping);
                jobs->AssignStreams(0);
                for (OdcnJob job; jobs->Next(job);)
                {
                    FuzzRequire(std::isfinite(job.arrival) && std::isfinite(job.duration) &&
                                    job.duration > 0 && !job.vms.empty(),
                                "a job");
                    for (const auto& demand : job.demands)
                    {
                        FuzzRequire(demand.from < job.vms.size() && demand.to < job.vms.size() &&
                                        demand.from != demand.to,
                                    "demands between two VMs");
                    }
                }
            });
    }
    FuzzRead(
        [&]()
        {
            auto trace = CreateObject<ClusterTrace>();
            trace->SetAttribute("FileName", StringValue(file.GetPath()));
            trace->SetAttribute("Format", StringValue("alibaba-2018"));
            FuzzRequire(trace->Examine().jobs > 0, "one job or more");
        });
    FuzzRead(
        [&]()
        {
            auto requests = CreateObject<RddcAlibabaRequests>();
            requests->SetAttribute("Repeat", UintegerValue(1));
            requests->SetFileName(file.GetPath());
            for (RddcRequest request; requests->Next(request);)
            {
                FuzzRequire(std::isfinite(request.gap) && request.gap >= 0 &&
                                std::isfinite(request.holding) && request.holding > 0,
                            "a request");
            }
        });
    return 0;
}
