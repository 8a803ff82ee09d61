// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-ppo-learner.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;

/// A request takes about six servers; a run of them is what the score is read after.
constexpr uint64_t EVALUATION_DECISIONS = 1600;

/**
 * @param options of the command line
 * @param topology which
 * @return the command that trains the same agent again
 */
std::string
MakeCommand(const Options& options, const Topology& topology)
{
    std::ostringstream command;
    command << "./ns3 run \"rddc-nara-allocation --train=1 --channels=" << topology.channels
            << " --oversubscription=" << topology.tier2 << ":" << topology.tier3
            << " --clusters=" << options.clusters << " --racks=" << options.racks
            << " --servers=" << options.servers << " --load=" << options.load
            << " --mask=" << options.mask << " --routing=" << options.routing
            << " --trainRequests=" << options.trainRequests
            << " --trainDecisions=" << options.trainDecisions
            << " --cloneDecisions=" << options.cloneDecisions
            << " --learningRate=" << options.learningRate << " --network=" << options.network
            << " --RngSeed=" << RngSeedManager::GetSeed()
            << " --RngRun=" << RngSeedManager::GetRun() << " --checkpoint=FILE\"";
    return command.str();
}

/**
 * @param options of the command line
 * @param topology which
 * @param requests of an episode
 * @param n how many
 * @return problems, each with requests of its own
 */
std::vector<Ptr<OdcnDecisionProblem>>
MakeProblems(const Options& options, const Topology& topology, uint64_t requests, uint32_t n)
{
    RddcHelper helper = options.MakeHelper(topology);
    helper.SetProblemAttribute("MaxRequests", UintegerValue(requests));
    RddcScheme scheme = RddcScheme::Find("nara");
    scheme.routing = options.routing;
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (uint32_t i = 0; i < n; ++i)
    {
        auto source = helper.CreateRequests();
        source->AssignStreams(TRAINING_STREAMS);
        problems.push_back(helper.CreateProblem(source, scheme));
    }
    return problems;
}

} // namespace

int
Train(const Options& options)
{
    for (const auto& topology : options.GetTopologies())
    {
        const std::string file = options.GetCheckpoint(topology);
        const bool begun = std::filesystem::exists(file + ".state");
        if (options.resume && !begun && std::filesystem::exists(file))
        {
            std::cout << file << " is done\n";
            continue;
        }
        auto learner = CreateObject<OdcnPpoLearner>();
        learner->AssignStreams(TRAINING_STREAMS);
        learner->SetNetwork(OdcnNetwork::Create(options.network));
        learner->SetEnvironments(MakeProblems(options, topology, options.trainRequests, 32));
        learner->SetEvaluation(MakeProblems(options, topology, options.requests, 8));
        learner->SetTeacher(RddcScheme::Find("tetris-tuned").CreatePolicy());
        // A request takes six decisions and stays for fifteen requests.
        learner->SetAttribute("Gamma", DoubleValue(0.995));
        learner->SetAttribute("LearningRate", DoubleValue(options.learningRate));
        learner->SetAttribute("ScheduleDecisions", UintegerValue(options.trainDecisions));
        learner->SetAttribute("RewardScale", DoubleValue(0.1));
        learner->SetAttribute("ValueWeight", DoubleValue(0.5));
        learner->SetAttribute("EntropyWeight", DoubleValue(0));
        learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
        learner->SetAttribute("CloneLearningRate", DoubleValue(0.003));
        learner->SetAttribute("EpochDecisions",
                              UintegerValue(std::max<uint64_t>(1, options.trainDecisions / 10)));
        learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
        learner->SetAttribute("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
        TrainingRun run;
        run.checkpoint = file;
        run.resume = options.resume && begun;
        run.decisions = options.trainDecisions;
        run.score = "refused";
        run.provenance["command"] = MakeCommand(options, topology);
        if (const int status = RunTraining(*learner, run); status != 0)
        {
            return status;
        }
    }
    return 0;
}
