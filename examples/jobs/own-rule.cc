// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"

using namespace ns3;
using namespace ns3::odcn;

/// Selects the rack with the most free bandwidth among those with a server for the VM.
struct WidestRack : DecisionPolicy
{
    uint32_t Decide(const DecisionProblem& problem) override
    {
        const auto& jobs = dynamic_cast<const OdcnScheduling&>(problem);
        const auto score = [&](RackId rack)
        { return jobs.GetViews().GetCompute(rack) < 0 ? -2 : jobs.GetViews().GetBandwidth(rack); };
        RackId best = 0;
        for (RackId rack = 1; rack < jobs.GetNActions(); ++rack)
        {
            best = score(rack) > score(best) ? rack : best;
        }
        return best;
    }
};

int
main(int argc, char* argv[])
try
{
    OdcnHelper helper;
    Experiment experiment;
    experiment.SetProblem([&](double load) { return helper.CreateProblem(load); });
    experiment.SetLoads("54,66,78", "mean duration of a job");
    experiment.SetJobs(10000, 2000); // after a warm-up
    experiment.AddPolicy("widest", CreateObject<WidestRack>());
    for (const std::string name : {"odcn-ccf", "odcn-jcb", "odcn-packing"})
    {
        experiment.AddPolicy(name);
    }
    OdcnCommandLine cmd(argc, argv, "A rule of one's own beside three of the library.");
    experiment.AddOptions(cmd);
    cmd.Parse();
    experiment.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
