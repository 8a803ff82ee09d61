// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Requests for CPU and memory on a resource-disaggregated data centre, and who grants most of them.
 * The system of "Network Aware Compute and Memory Allocation in Optically Composable Data Centres
 * with Deep Reinforcement Learning and Graph Neural Networks" (sections 4 and 5).
 *
 *            +--------+               +--------+
 *            | core 0 |               | core 1 |            optical circuit switches on all tiers
 *            +--------+               +--------+
 *             |  |  \___________________|_ |  |             tier 3: n/2 to 8 n channels a link
 *          +-------+ +-------+     +-------+ +-------+
 *          | agg 0 | | agg 1 |     | agg 0 | | agg 1 |      two of them a cluster
 *          +-------+ +-------+     +-------+ +-------+
 *             |   \___/  |            |   \___/  |          tier 2: 2 n to 8 n channels a link
 *          +-------+ +-------+     +-------+ +-------+
 *          | rack 0| | rack 1|     | rack 2| | rack 3|
 *          +-------+ +-------+     +-------+ +-------+
 *           | | | |   | | | |       | | | |   | | | |       tier 1: n channels a server
 *           servers   servers       servers   servers       16 a rack, 16 units of CPU and memory
 *
 * A request wants up to 128 units of CPU and of memory. Servers are chosen for it one by one, and
 * every pair of them needs a lightpath of its own, one channel on each link. If one finds none, the
 * whole request is refused.
 *
 * The program lets every policy decide the same requests on each topology of the paper's Table 1.
 * With --sweep it first looks for the best form of each rule, on other requests.
 *
 * Try:
 *   ./ns3 run rddc-nara-allocation
 *   ./ns3 run "rddc-nara-allocation --channels=16 --oversubscription=8 --runs=50"
 *   ./ns3 run "rddc-nara-allocation --clusters=8 --racks=8 --requests=2048"
 *   ./ns3 run "rddc-nara-allocation --policies=tetris,ns3::odcn::RddcTetrisPolicy[Score=Cosine]"
 *   ./ns3 run "rddc-nara-allocation --requestsFile=disaggregated_DLRM_trace.csv"
 *   ./ns3 run "rddc-nara-allocation --packets=8 --channels=16 --oversubscription=8
 * --policies=tetris"
 *   ./ns3 run "rddc-nara-allocation --sweep=1"
 *   ./ns3 run "rddc-nara-allocation --train=1 --channels=8 --checkpoint=a-%.json"
 *   ./ns3 run "rddc-nara-allocation --channels=8 --policies=tetris,linear --linear=a-%.json"
 *   ./ns3 run "rddc-nara-allocation --train=1 --recipe=ppo --state=Paper --checkpoint=b-%.pt"
 *   ./ns3 run "rddc-nara-allocation --policies=tetris@LeastUsed,nara --checkpoint=b-%.pt"
 */

#include "rddc-nara-allocation-packets.h"
#include "rddc-nara-allocation-report.h"
#include "rddc-nara-allocation-sweep.h"
#include "rddc-nara-allocation-train.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"

#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The best forms of the rules, by label of the topology.
using BestForms = std::map<std::string, std::vector<RddcScheme>>;

/**
 * @param options of the command line
 * @param files where they are noted
 * @return the best forms on each topology
 */
BestForms
Sweep(const Options& options, OdcnOutputFiles& files)
{
    // Not on the streams that the best forms will be compared on.
    const uint64_t firstRun = RngSeedManager::GetRun() + options.runs;
    const auto families = GetSweepFamilies();
    const auto topologies = options.GetTopologies();
    uint64_t total = 0;
    for (const auto& family : families)
    {
        total += family.forms.size() * topologies.size();
    }
    OdcnCsvWriter csv(files.Path("sweep.csv"),
                      {"topology", "policy", "form", "routing", "acceptance"});
    OdcnProgress progress("sweep", total, "forms");
    uint64_t done = 0;
    BestForms best;
    for (const auto& topology : topologies)
    {
        for (const auto& family : families)
        {
            best[topology.GetLabel()].push_back(FindBestForm(family,
                                                             topology,
                                                             options,
                                                             firstRun,
                                                             csv,
                                                             [&]() { progress.Update(++done); }));
        }
    }
    progress.Finish(done);
    csv.Commit();
    files.Written("sweep.csv", "acceptance of every form of the rules, on other streams");
    return best;
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    options.Parse(argc, argv);
    if (options.train)
    {
#if ODCN_HAVE_TRAINING
        return Train(options);
#else
        throw OdcnError("--train: this odcn was built without agents, for want of LibTorch");
#endif
    }
    if (options.packets > 0)
    {
        return RunPackets(options);
    }
    const auto topologies = options.GetTopologies();
    OdcnOutputFiles files(options.output);
    BestForms best;
    if (options.sweep)
    {
        best = Sweep(options, files);
    }

    Report report(options);
    const std::size_t perTopology =
        options.GetSchemes(topologies.front()).size() + best[topologies.front().GetLabel()].size();
    OdcnProgress progress("policies", perTopology * topologies.size(), "evaluations");
    uint64_t done = 0;
    for (const auto& topology : topologies)
    {
        const RddcHelper helper = options.MakeHelper(topology);
        auto all = options.GetSchemes(topology);
        const auto& forms = best[topology.GetLabel()];
        all.insert(all.end(), forms.begin(), forms.end());
        for (const auto& scheme : all)
        {
            GrantLog log;
            auto evaluation =
                Evaluate(helper, scheme, options, RngSeedManager::GetRun(), options.runs, &log);
            report.Add(topology, scheme, std::move(evaluation), std::move(log));
            progress.Update(++done);
        }
    }
    progress.Finish(done);
    report.WriteRuns(files.Path("runs.csv"));
    files.Written("runs.csv", "every run of every policy");
    report.WriteSummary(files.Path("summary.csv"));
    files.Written("summary.csv", "the table below, in full");
    report.WriteGrants(files);
    report.Print(std::cout);
    if (options.sweep)
    {
        OdcnTable table({"topology", "rule", "best form", "routing"});
        for (const auto& topology : topologies)
        {
            for (const auto& scheme : best[topology.GetLabel()])
            {
                table.AddRow({topology.GetLabel(), scheme.name, scheme.policy, scheme.routing});
            }
        }
        std::cout << "\nBest forms\n";
        table.Print(std::cout);
    }
    files.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
}
