// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-scheduling-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-actor-critic-learner.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-object-text.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// Clusters that the greedy agent is scored on, and decisions in each.
constexpr uint32_t EVALUATIONS = 8;
constexpr uint64_t EVALUATION_DECISIONS = 2000;

/**
 * @param options of the command line
 * @return the command that trains the same agent again
 */
std::string
MakeCommand(const Options& options)
{
    std::ostringstream command;
    command << "./ns3 run \"cluster-job-scheduling --train=1 --machines=" << options.machines
            << " --capacity=" << options.capacity << " --horizon=" << options.horizon
            << " --jobSlots=" << options.jobSlots << " --backlog=" << options.backlog
            << " --reward=" << options.reward << " --protocols=" << options.protocols
            << " --maxSlots=" << options.maxSlots << " --arrivals=" << options.arrivals
            << " --rates=" << options.rates << " --loads=" << options.loads
            << " --setSlots=" << options.setSlots << " --jobs=" << options.jobs;
    if (!options.jobs.empty())
    {
        command << " --format=" << options.format << " --timeUnit=" << options.timeUnit
                << " --cpuUnit=" << options.cpuUnit << " --memoryUnit=" << options.memoryUnit
                << " --arrivalFactor=" << options.arrivalFactor
                << " --jobsPerSet=" << options.jobsPerSet;
    }
    command << " --learner=" << options.learner << " --network=" << options.network
            << " --learningRate=" << options.learningRate
            << " --trainDecisions=" << options.trainDecisions
            << " --trainEnvironments=" << options.trainEnvironments
            << " --cloneDecisions=" << options.cloneDecisions << " --teacher=" << options.teacher
            << " --RngSeed=" << RngSeedManager::GetSeed()
            << " --RngRun=" << RngSeedManager::GetRun() << " --checkpoint=FILE\"";
    return command.str();
}

/**
 * @param options of the command line
 * @param n how many
 * @return problems, each with jobs of its own
 */
std::vector<Ptr<OdcnDecisionProblem>>
MakeProblems(const Options& options, uint32_t n)
{
    ClusterHelper helper = options.MakeHelper();
    helper.SetProblemAttribute(
        "Protocol",
        StringValue(OdcnCommandLine::SplitList(options.protocols, "protocols").front()));
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (uint32_t i = 0; i < n; ++i)
    {
        auto jobs = options.MakeJobs(options.GetWorkloads().front());
        jobs->AssignStreams(TRAINING_STREAMS);
        auto problem = helper.CreateProblem(jobs);
        problem->Reset();
        problems.push_back(problem);
    }
    return problems;
}

} // namespace

int
Train(const Options& options)
{
    auto learner = DynamicCast<OdcnActorCriticLearner>(
        OdcnObjectText::Parse("learner", options.learner)
            .Create("learner", OdcnActorCriticLearner::GetTypeId()));
    learner->AssignStreams(TRAINING_STREAMS);
    learner->SetNetwork(OdcnNetwork::Create(options.network));
    learner->SetEnvironments(MakeProblems(options, options.trainEnvironments));
    learner->SetEvaluation(MakeProblems(options, EVALUATIONS));
    learner->SetTeacher(ClusterHelper::CreatePolicy(options.teacher));
    learner->SetAttribute("LearningRate", DoubleValue(options.learningRate));
    learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    learner->SetAttribute("EpochDecisions",
                          UintegerValue(std::max<uint64_t>(1, options.trainDecisions / 20)));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
    TrainingRun run;
    run.checkpoint = options.checkpoint;
    run.resume = options.resume;
    run.decisions = options.trainDecisions;
    run.score = options.reward == "R1" ? "slowdown" : "cycling-time";
    run.isShare = false;
    run.provenance["command"] = MakeCommand(options);
    return RunTraining(*learner, run);
}
