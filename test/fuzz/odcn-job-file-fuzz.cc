// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Job files of optical data centres and of clusters, files of requests and of training
/// tasks.

#include "odcn-fuzz.h"

#include "ns3/cluster-job-file.h"
#include "ns3/double.h"
#include "ns3/icci-task-generator.h"
#include "ns3/odcn-job-file.h"
#include "ns3/rddc-request-file.h"
#include "ns3/string.h"

#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_job_file)
{
    const FuzzFile file(text);
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
            auto jobs = CreateObject<ClusterJobFile>();
            jobs->SetAttribute("FileName", StringValue(file.GetPath()));
            FuzzRequire(jobs->Examine().jobs > 0, "one job or more");
            jobs->NextSet();
            uint64_t last = 0;
            for (ClusterJob job; jobs->Next(job); last = job.arrival)
            {
                FuzzRequire(job.arrival >= last && job.duration >= 1, "a cluster job");
                FuzzRequire(job.demand != ClusterDemand{}, "a demand");
            }
        });
    for (const double meanGap : {0.0, 1.0})
    {
        FuzzRead(
            [&]()
            {
                auto requests = CreateObject<RddcRequestFile>();
                requests->SetAttribute("FileName", StringValue(file.GetPath()));
                requests->SetAttribute("MeanGap", DoubleValue(meanGap));
                for (RddcRequest request; requests->Next(request);)
                {
                    FuzzRequire(request.gap >= 0, "a gap of 0 or more");
                    FuzzRequire(request.holding > 0 || meanGap > 0, "a holding time");
                    FuzzRequire(request.cpu > 0 || request.memory > 0, "resources");
                }
            });
    }
    FuzzRead(
        [&]()
        {
            auto tasks = CreateObject<IcciTaskGenerator>();
            tasks->SetAttribute("FileName", StringValue(file.GetPath()));
            for (const IcciTask& task : tasks->Draw(8))
            {
                FuzzRequire(task.source < 8 && task.workers >= 3 && task.workers <= 8, "a task");
                FuzzRequire(std::isfinite(task.deadline) && task.iterations >= 1, "a deadline");
            }
        });
}
