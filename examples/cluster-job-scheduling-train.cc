// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-scheduling-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-network.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// Clusters that the greedy agent is scored on, and decisions in each: some 45 sets of jobs.
constexpr uint32_t EVALUATIONS = 4;
constexpr uint64_t EVALUATION_DECISIONS = 1500;

/// How an agent of a paper is trained, in less time than there: see doc/results/cluster.md.
struct Recipe
{
    const char* agent;     //!< its name
    const char* learner;   //!< TypeId with Attributes
    const char* network;   //!< likewise
    uint64_t decisions;    //!< in all
    uint32_t environments; //!< side by side: with REINFORCE trajectories of a set of jobs
};

constexpr Recipe RECIPES[] = {
    {"deeprm",
     "ns3::odcn::OdcnReinforceLearner[UseMask=true|Sequences=2|EpisodeDecisions=400]",
     "ns3::odcn::OdcnCnnNetwork[Layers=|Hidden=20|HiddenActivation=Relu|Value=None]",
     2000000,
     10},
    {"deeprm-plus",
     "ns3::odcn::OdcnReinforceLearner[UseMask=true|Sequences=2|EpisodeDecisions=400|"
     "LearningRate=0.0005|CloneDecisions=20000|ClonePasses=3|CloneAccuracy=0.95]",
     "ns3::odcn::OdcnCnnNetwork[Value=None|FilterBias=0]",
     1500000,
     10},
    {"a2cscheduler",
     "ns3::odcn::OdcnA2cLearner[UseMask=true|Returns=Gae|GaeLambda=0.95|UpdateSamples=40|"
     "EpsilonMin=1|Gamma=0.99|RewardScale=0.01|NormalizeAdvantage=true|ClipGradient=1|"
     "LearningRate=0.0001|EntropyWeight=0.05]",
     "ns3::odcn::OdcnCnnNetwork[Layers=Conv3-16|Hidden=|FilterBias=0]",
     400000,
     16},
};

/// @param options of the command line  @return what is taken where they give nothing
const Recipe&
GetRecipe(const Options& options)
{
    return *std::find_if(std::begin(RECIPES),
                         std::end(RECIPES),
                         [&](const Recipe& recipe) { return options.agent == recipe.agent; });
}

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
    command << " --agent=" << options.agent << " --learner=" << options.learner
            << " --network=" << options.network << " --start=" << options.start
            << " --learningRate=" << options.learningRate
            << " --trainDecisions=" << options.trainDecisions
            << " --trainEnvironments=" << options.trainEnvironments
            << " --cloneDecisions=" << options.cloneDecisions << " --teacher=" << options.teacher
            << EndCommand();
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
    if (IsTrained(options.checkpoint, options.resume))
    {
        return 0;
    }
    const Recipe& recipe = GetRecipe(options);
    const uint64_t decisions = options.trainDecisions ? options.trainDecisions : recipe.decisions;
    auto learner = CreateLearner(options.learner.empty() ? recipe.learner : options.learner);
    learner->AssignStreams(TRAINING_STREAMS);
    const auto problems =
        MakeProblems(options,
                     options.trainEnvironments ? options.trainEnvironments : recipe.environments);
    learner->SetEnvironments(problems);
    if (options.start.empty())
    {
        learner->SetNetwork(
            OdcnNetwork::Create(options.network.empty() ? recipe.network : options.network));
    }
    else
    {
        learner->SetNetwork(OdcnCheckpoint::Load(options.start)
                                .MakeNetwork(options.start,
                                             problems.front()->GetObservationShape(),
                                             problems.front()->GetNActions()));
        learner->SetAttribute("CloneDecisions", UintegerValue(0));
    }
    learner->SetEvaluation(MakeProblems(options, EVALUATIONS));
    learner->SetTeacher(ClusterHelper::CreatePolicy(options.teacher));
    if (options.learningRate > 0)
    {
        learner->SetAttribute("LearningRate", DoubleValue(options.learningRate));
    }
    if (options.cloneDecisions > 0)
    {
        learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    }
    learner->SetAttribute("EpochDecisions", UintegerValue(std::max<uint64_t>(1, decisions / 20)));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
    TrainingRun run;
    run.checkpoint = options.checkpoint;
    run.resume = options.resume;
    run.decisions = decisions;
    run.score = options.reward == "R1" ? "slowdown" : "cycling-time";
    run.isShare = false;
    run.provenance["command"] = MakeCommand(options);
    return RunTraining(*learner, run);
}
