// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Allocation of CPU and memory to requests in a resource-disaggregated data centre. The system of
 * "Network Aware Compute and Memory Allocation in Optically Composable Data Centres with Deep
 * Reinforcement Learning and Graph Neural Networks" (sections 4 and 5).
 *
 *            +--------+               +--------+
 *            | core 0 |               | core 1 |            optical circuit switches on all tiers
 *            +--------+               +--------+
 *             |  |  \___________________|_ |  |             tier 3: n/2 to 8 n channels per link
 *          +-------+ +-------+     +-------+ +-------+
 *          | agg 0 | | agg 1 |     | agg 0 | | agg 1 |      two per cluster
 *          +-------+ +-------+     +-------+ +-------+
 *             |   \___/  |            |   \___/  |          tier 2: 2 n to 8 n channels per link
 *          +-------+ +-------+     +-------+ +-------+
 *          | rack 0| | rack 1|     | rack 2| | rack 3|
 *          +-------+ +-------+     +-------+ +-------+
 *           | | | |   | | | |       | | | |   | | | |       tier 1: n channels per server
 *           servers   servers       servers   servers       16 per rack, 16 units of CPU and memory
 *
 * A request needs up to 128 units of CPU and of memory. The policy chooses its servers one by one,
 * and every pair of them needs a separate lightpath, one channel on each link. If a lightpath
 * cannot be found, the whole request is refused.
 *
 * The program lets every policy decide the same requests on each topology of the paper's Table 1.
 * With --sweep it first searches for the best form of each rule on other requests.
 *
 * Try:
 *   ./ns3 run rddc-nara-allocation
 *   ./ns3 run "rddc-nara-allocation --channels=16 --oversubscription=8 --replications=50"
 *   ./ns3 run "rddc-nara-allocation --clusters=8 --racks=8 --requests=2048"
 *   ./ns3 run "rddc-nara-allocation --policies=tetris,ns3::odcn::RddcTetrisPolicy[Score=Cosine]"
 *   ./ns3 run "rddc-nara-allocation --requestsFile=requests.csv --loads=0.95"
 *   ./ns3 run "rddc-nara-allocation --packets=8 --channels=16 --oversubscription=8
 * --policies=tetris"
 *   ./ns3 run "rddc-nara-allocation --sweep=1"
 *   ./ns3 run "rddc-nara-allocation --train=1 --channels=8 --checkpoint=a-%.json"
 *   ./ns3 run "rddc-nara-allocation --channels=8 --policies=tetris,linear --linear=a-%.json"
 *   ./ns3 run "rddc-nara-allocation --train=1 --agent=paper --checkpoint=b-%.pt"
 *   ./ns3 run "rddc-nara-allocation --policies=tetris@LeastUsed,agent --checkpoint=b-%.pt"
 */

#include "rddc-nara-allocation-grants.h"
#include "rddc-nara-allocation-packets.h"
#include "rddc-system.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-training-options.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The rules with all their forms, for --sweep.
const std::vector<std::string> FAMILIES{
    "tetris-best={ns3::odcn::RddcTetrisPolicy[ChannelWeight={0,0.3,1,3}|RackFactor={1,0.95,0.9,0.7,"
    "0.5,0.1}|ClusterFactor={1,0.95,0.9,0.7,0.5,0.1}|Anchor={Previous,First}]@{Hops,LeastUsed},"
    "ns3::odcn::RddcTetrisPolicy[ChannelWeight={0,0.3,1,3}|{RackFactor=1|ClusterFactor=1,"
    "RackFactor="
    "0.95|ClusterFactor=0.95,RackFactor=0.9|ClusterFactor=0.9,RackFactor=0.7|ClusterFactor=0.7,"
    "RackFactor=0.5|ClusterFactor=0.5,RackFactor=0.1|ClusterFactor=0.1}|{Score=Cosine,Prefer="
    "Smallest}]@Hops}",
    "nulb-best=ns3::odcn::RddcLocalityPolicy[Neighbours=InOrder|ChannelWeight={0,0.3,1,3}|{Prefer="
    "Largest,Prefer=Smallest,Score=Cosine}]@{Hops,LeastFree,LeastUsed}",
    "nalb-best=ns3::odcn::RddcLocalityPolicy[Neighbours={MostFree,LeastFree}|ChannelWeight={0,0.3,"
    "1,"
    "3}|{Prefer=Largest,Prefer=Smallest,Score=Cosine}]@{Hops,LeastFree,LeastUsed}"};

/**
 * Train a policy for each topology and write its file.
 * @param system data centre; its checkpoint is written
 * @param options of the training
 * @param requests per episode
 * @param load offered load
 * @return exit status
 */
int
Train(const RddcSystem& system, const TrainingOptions& options, uint64_t requests, double load)
{
    const auto topologies = system.GetTopologies();
    OdcnCommandLine::Check(system.checkpoint.find('%') != std::string::npos ||
                               topologies.size() == 1,
                           "checkpoint",
                           system.checkpoint,
                           "a file with a % that stands for the topology, since there are several");
    for (const auto& topology : topologies)
    {
        TrainingTask task;
        task.checkpoint = topology.GetFile(system.checkpoint);
        task.create = [&](const TrainingCase& made)
        {
            RddcHelper helper = system.MakeHelper(topology, load);
            if (!made.evaluation)
            {
                helper.SetProblemAttribute("MaxRequests", UintegerValue(requests));
            }
            return helper.CreateProblem();
        };
        task.find = [&](const std::string& words) { return system.Find(topology, words); };
        if (const int status = options.Run(task))
        {
            return status;
        }
    }
    return 0;
}

/// Options of the program.
struct Options
{
    RddcSystem system; //!< of the data centre
    /// Of a training.
    TrainingOptions training{{.system = "rddc",
                              .problem = RddcAllocation::GetTypeId().GetName(),
                              .agent = "evolution",
                              .attributes = {{"state", "ns3::odcn::RddcAllocation::State"},
                                             {"routing", "ns3::odcn::RddcManager::Routing"}}}};
    uint64_t trainRequests{128}; //!< requests of an episode of a training
    PacketOptions packets;       //!< of the packet level
    bool sweep{false};           //!< whether to search for the best forms

    /// Add the options.
    /// @param cmd command line
    void AddTo(OdcnCommandLine& cmd)
    {
        cmd.AddValue("sweep",
                     "search for the best form of each rule on other streams, and compare these",
                     sweep);
        system.AddOptions(cmd);
        packets.AddOptions(cmd);
        training.AddTo(cmd);
        cmd.AddRange("trainRequests", "requests per episode", trainRequests, uint64_t{1});
        cmd.Restrict({"sweep", "replications"}, {"!packets"});
        cmd.Restrict({"sweep", "packets", "requestsFile"}, {"!train"});
    }
};

/// Choose policies and cases, and check them.
/// @param options of the program
/// @param experiment the comparison
void
Prepare(const Options& options, Experiment& experiment)
{
    const RddcSystem& system = options.system;
    const bool packets = options.packets.packets > 0;
    if (experiment.GetPolicies().empty())
    {
        experiment.SetPolicies(system.GetUsualPolicies(!options.sweep));
    }
    if (packets)
    {
        experiment.SetReplications(1);
    }
    for (const auto& family : options.sweep ? FAMILIES : std::vector<std::string>())
    {
        experiment.AddPolicy(family);
    }
    system.AddCases(experiment, !packets);
    experiment.SetFinder([&](const auto& labels, const std::string& words)
                         { return system.Find(system.GetTopology(labels), words); });
    experiment.Check();
}

/// Compare the policies by requests.
/// @param system data centre
/// @param experiment after Prepare()
/// @param files output folder
void
Compare(const RddcSystem& system, Experiment& experiment, OutputFiles& files)
{
    std::vector<std::unique_ptr<GrantLog>> grants;
    experiment.SetBegun(
        [&](const Experiment::Trial& trial)
        {
            if (!trial.counts)
            {
                return;
            }
            if (trial.replication == 0)
            {
                grants.push_back(std::make_unique<GrantLog>(trial.labels, trial.choice.name));
            }
            grants.back()->Attach(dynamic_cast<RddcAllocation&>(trial.problem));
        });
    experiment.Measure();
    experiment.Write(files);
    GrantLog::Write(files, grants);
    std::cout << "\n"
              << system.Describe(experiment) << " a replication, mask "
              << GetAttributeOf<StringValue>(*CreateObject<RddcAllocation>(), "Mask") << ".\n";
    if (!system.requestsFile.empty())
    {
        std::cout << "Requests of " << system.requestsFile << ", run k the k-th " << system.requests
                  << ".\n";
    }
    std::cout << "Topology: channels of a server / oversubscription from bottom to top.\n"
              << experiment.Describe() << "\n\n";
    experiment.Print(std::cout);
    experiment.GetReport().Write(files);
    files.Finish(std::cout);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    RddcSystem& system = options.system;
    Experiment experiment;
    experiment.SetLoads("0.95", "offered load as a share of the capacity");
    experiment.SetOutput("rddc-nara-allocation-out");
    experiment.SetSweepRuns(20);
    OdcnCommandLine cmd(argc,
                        argv,
                        "Requests for CPU and memory on a data centre of optical circuit switches, "
                        "allocated by rules.");
    experiment.AddOptions(cmd, RddcAllocation::GetTypeId().GetName());
    options.AddTo(cmd);
    cmd.Parse();
    system.scaled = cmd.IsGiven("loads");
    system.Check();
    options.packets.Check(system.requests);
    system.faults.Check();
    if (options.training.train)
    {
        return Train(system, options.training, options.trainRequests, experiment.GetLoad());
    }
    Prepare(options, experiment);
    OutputFiles files(experiment.GetOutput());
    if (options.packets.packets > 0)
    {
        RunPackets(system, options.packets, experiment, files);
    }
    else
    {
        Compare(system, experiment, files);
    }
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
