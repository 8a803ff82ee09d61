// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training tasks on interconnected computing centres, and who keeps them out of hotspots. The
 * system of "Distributed Model Training Task Migration for Hotspot Management in Intelligent
 * Computing Center Interconnection with Tidal Characteristics" (sections III to V).
 *
 *        business                    other                  residential
 *     +------------+            +------------+            +------------+
 *     |  100 GPUs  |            |  100 GPUs  |            |  100 GPUs  |     22 centres
 *     |  ######### |            |  ####      |            |  ###       |     # asked for by people
 *     |  WWW       |            |  WWW       |            |  WWW       |     W a worker
 *     +------------+            +------------+            +------------+
 *           |  ________ ring of a task _____________________    |
 *           | /            |                                \   |
 *        [ OTN ]--------[ OTN ]----------- ... -----------[ OTN ]            38 links of 40
 *                                                                            wavelengths, 100 Gb/s
 *
 * People want GPUs by day where they work, in the evening where they live. A training task runs for
 * most of the day; its workers sit in a ring of centres. Where 80 % of the GPUs are in use, there
 * is a hotspot, and a task with a worker there may migrate: which worker, where, when, by which
 * way.
 *
 * The program lets every policy decide on the same days. With --train it trains one.
 *
 * Try:
 *   ./ns3 run icci-hotspot-migration
 *   ./ns3 run "icci-hotspot-migration --preset=light --days=30"
 *   ./ns3 run "icci-hotspot-migration --moves=4 --policies=none,greedy,greedy@6,greedy-dwa"
 *   ./ns3 run "icci-hotspot-migration --policies=none,ns3::odcn::IcciGreedyPolicy[Moved=24]"
 *   ./ns3 run "icci-hotspot-migration --train=linear --eta=12 --checkpoint=a.json"
 *   ./ns3 run "icci-hotspot-migration --policies=none,greedy,linear --linear=a.json"
 *   ./ns3 run "icci-hotspot-migration --train=deephm --checkpoint=b.pt"
 *   ./ns3 run "icci-hotspot-migration --policies=none,greedy,deephm --checkpoint=b.pt"
 */

#include "icci-hotspot-migration-packets.h"
#include "icci-hotspot-migration-report.h"
#include "icci-hotspot-migration-train.h"

#include "ns3/nstime.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/rng-seed-manager.h"

#include <exception>
#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::odcn;

int
main(int argc, char* argv[])
try
{
    Options options;
    options.Parse(argc, argv);
    if (!options.train.empty())
    {
#if ODCN_HAVE_TRAINING
        return Train(options);
#else
        throw OdcnError("--train: this odcn was built without agents, for want of LibTorch");
#endif
    }
    const auto schemes = options.GetSchemes();
    const IcciHelper helper = options.MakeHelper();
    OdcnOutputFiles files(options.output);
    Report report(options, files);
    std::unique_ptr<PacketReport> packets;
    if (options.packets > 0)
    {
        Time::SetResolution(Time::PS);
        const auto like = helper.CreateProblem(schemes.front(), 0);
        packets = std::make_unique<PacketReport>(options, like->GetManager(), files);
    }
    OdcnProgress progress("days", uint64_t{options.days} * schemes.size(), "days");
    uint64_t done = 0;
    const uint64_t run = RngSeedManager::GetRun();
    for (const auto& scheme : schemes)
    {
        auto problem = helper.CreateProblem(scheme, 0);
        auto policy = scheme.CreatePolicy();
        scheme.Configure(*problem, *policy);
        if (packets)
        {
            packets->Begin(scheme.name);
        }
        IcciEvaluation evaluation;
        for (uint32_t day = 0; day < options.days; ++day)
        {
            // A run a day: what a policy does changes no other day.
            RngSeedManager::SetRun(run + day);
            problem->AssignStreams(0);
            policy->AssignStreams(100);
            if (packets)
            {
                packets->RunDay(problem, policy, run + day);
                evaluation.Add(*problem);
            }
            else
            {
                evaluation.Run(*problem, *policy);
            }
            report.AddDay(scheme, run + day, *PeekPointer(problem->GetManager()));
            progress.Update(++done);
        }
        report.Add(scheme, std::move(evaluation));
    }
    RngSeedManager::SetRun(run);
    progress.Finish(done);
    report.Write();
    report.Print(std::cout);
    if (packets)
    {
        packets->Write();
        packets->Print(std::cout);
    }
    files.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
}
