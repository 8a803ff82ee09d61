// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Job files: those of optical data centres and those of clusters.

#include "odcn-fuzz.h"

#include "ns3/cluster-job-file.h"
#include "ns3/odcn-job-file.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_job_file_fuzz)

(const uint8_t* data, std::size_t size)
{
    const FuzzFile file(FuzzText(data, size));
    FuzzRead(
        [&]()
        {
            auto jobs = CreateObject<OdcnJobFile>();
            jobs->SetFileName(file.GetPath());
            double last = 0;
            for (OdcnJob job; jobs->Next(job);)
            {
                FuzzRequire(job.arrival >= last && job.duration > 0 && !job.vms.empty(), "a job");
                for (const auto& vm : job.vms)
                {
                    for (const auto amount : vm.milli)
                    {
                        FuzzRequire(amount >= 0, "resources of 0 or more");
                    }
                }
                for (const auto& demand : job.demands)
                {
                    FuzzRequire(demand.from < job.vms.size() && demand.to < job.vms.size() &&
                                    demand.from != demand.to && demand.rate > 0,
                                "demands between two VMs");
                }
                last = job.arrival;
            }
        });
    FuzzRead(
        [&]()
        {
            ClusterJobReader jobs(file.GetPath());
            uint64_t last = 0;
            for (ClusterJob job; jobs.Next(job); last = job.arrival)
            {
                FuzzRequire(job.arrival >= last && job.duration >= 1, "a cluster job");
                FuzzRequire(job.demand != ClusterDemand{}, "a demand");
            }
        });
    return 0;
}
