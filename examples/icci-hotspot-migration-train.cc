// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-hotspot-migration-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-object-text.h"
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

/// Problems that epochs are scored on, and about the decisions of ten days each.
constexpr uint32_t EVALUATION_PROBLEMS = 8;
constexpr uint64_t EVALUATION_DECISIONS = 400;

/// Checkpoints are written so often.
constexpr uint64_t EPOCHS = 20;

/// @param options of the command line  @return the command that trains the same agent again
std::string
MakeCommand(const Options& options)
{
    std::ostringstream command;
    command << "./ns3 run \"icci-hotspot-migration --train=" << options.train
            << " --preset=" << options.preset << " --moves=" << options.moves
            << " --offer=" << options.offer << " --learner=" << options.learner
            << " --network=" << options.network << " --actors=" << options.actors
            << " --learningRate=" << options.learningRate << " --threads=" << options.threads
            << " --trainDecisions=" << options.trainDecisions
            << " --cloneDecisions=" << options.cloneDecisions
            << " --RngSeed=" << RngSeedManager::GetSeed()
            << " --RngRun=" << RngSeedManager::GetRun() << " --checkpoint=FILE\"";
    return command.str();
}

} // namespace

int
Train(const Options& options)
{
    const std::string file = options.GetCheckpoint(options.train);
    const bool begun = std::filesystem::exists(file + ".state");
    if (options.resume && !begun && std::filesystem::exists(file))
    {
        std::cout << file << " is done\n";
        return 0;
    }
    const auto text = OdcnObjectText::Parse("learner", options.learner);
    auto learner = DynamicCast<OdcnActorCriticLearner>(
        text.Create("learner", OdcnActorCriticLearner::GetTypeId()));
    const IcciHelper helper = options.MakeHelper();
    const IcciScheme scheme = IcciScheme::Find(options.train);
    const auto make = [&](uint32_t n)
    {
        std::vector<Ptr<OdcnDecisionProblem>> problems;
        for (uint32_t i = 0; i < n; ++i)
        {
            problems.push_back(helper.CreateProblem(scheme, TRAINING_STREAMS));
            problems.back()->Reset();
        }
        return problems;
    };
    learner->AssignStreams(TRAINING_STREAMS);
    learner->SetNetwork(OdcnNetwork::Create(options.network));
    learner->SetEnvironments(make(options.actors));
    learner->SetEvaluation(make(EVALUATION_PROBLEMS));
    learner->SetTeacher(
        IcciScheme::Find(scheme.wavelengths ? "greedy-dwa" : "greedy").CreatePolicy());
    learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    learner->SetAttribute("LearningRate", DoubleValue(options.learningRate));
    learner->SetAttribute("Gamma", DoubleValue(0.95));
    learner->SetAttribute("Threads", UintegerValue(options.threads));
    learner->SetAttribute("ScheduleDecisions", UintegerValue(options.trainDecisions));
    // A good move is worth about 20.
    learner->SetAttribute("RewardScale", DoubleValue(0.05));
    learner->SetAttribute("EpochDecisions",
                          UintegerValue(std::max<uint64_t>(1, options.trainDecisions / EPOCHS)));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
    TrainingRun run;
    run.checkpoint = file;
    run.resume = options.resume && begun;
    run.decisions = options.trainDecisions;
    run.score = "cost";
    run.provenance["command"] = MakeCommand(options);
    return RunTraining(*learner, run);
}
