// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-scheduling-train.h"

#include "ns3/double.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-policy-choice.h"
#include "ns3/odcn-training.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// Clusters that the policy is scored on, and decisions in each: some 45 sets of jobs.
constexpr uint32_t EVALUATIONS = 4;
constexpr uint64_t EVALUATION_DECISIONS = 1500;

/// How an agent of a paper is trained, in less time than there: see doc/results/cluster.md.
struct Recipe
{
    std::string learner;   //!< in words
    std::string network;   //!< in words
    uint64_t decisions;    //!< in all
    uint32_t environments; //!< side by side: with REINFORCE trajectories of a set of jobs
};

const std::map<std::string, Recipe> RECIPES{
    {"deeprm",
     {"ReinforceLearner[UseMask=true|Sequences=2|EpisodeDecisions=400]",
      "Cnn[layers=|hidden=20|hiddenActivation=Relu|value=none]",
      2000000,
      10}},
    {"deeprm-plus",
     {"ReinforceLearner[UseMask=true|Sequences=2|EpisodeDecisions=400|LearningRate=0.0005|"
      "CloneDecisions=20000|ClonePasses=3|CloneAccuracy=0.95]",
      "Cnn[value=none|filterBias=0]",
      1500000,
      10}},
    {"a2cscheduler",
     {"A2cLearner[UseMask=true|Returns=Gae|GaeLambda=0.95|UpdateSamples=40|EpsilonMin=1|Gamma=0.99|"
      "RewardScale=0.01|NormalizeAdvantage=true|ClipGradient=1|LearningRate=0.0001|"
      "EntropyWeight=0.05]",
      "Cnn[layers=Conv3-16|hidden=|filterBias=0]",
      400000,
      16}},
};

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
        if (!options.start.empty())
        {
            Checkpoint::Read(options.start).form.Apply(*problem, options.start);
        }
        problem->Reset();
        problems.push_back(problem);
    }
    return problems;
}

} // namespace

int
Train(const Options& options)
{
    Training training(options.checkpoint, options.resume);
    if (training.IsDone())
    {
        return 0;
    }
    const Recipe& recipe = RECIPES.at(options.agent);
    const auto words = options.learner.empty() ? recipe.learner : options.learner;
    const uint64_t decisions = options.trainDecisions ? options.trainDecisions : recipe.decisions;
    const auto problems =
        MakeProblems(options,
                     options.trainEnvironments ? options.trainEnvironments : recipe.environments);
    auto learner = Learner::Create(words);
    learner->AssignStreams(TRAINING_STREAMS);
    learner->SetProblems(problems);
    learner->SetEvaluation(MakeProblems(options, EVALUATIONS));
    learner->SetTeacher(ClusterHelper::CreatePolicy(options.teacher));
    const auto set = [&](const char* name, const AttributeValue& value)
    { return OdcnSetDefault(*learner, words, name, value); };
    set("EvaluationWarmUp", UintegerValue(0));
    set("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
    // Of learners by gradients.
    set("EpochDecisions", UintegerValue(std::max<uint64_t>(1, decisions / 20)));
    // Of evolution: candidates schedule the same sets of jobs and differ by the score.
    set("Objective", StringValue("Score"));
    set("Episodes", UintegerValue(1));
    set("Streams", UintegerValue(10));
    set("Sigma", DoubleValue(0.1));
    const bool byGenerations =
        set("Generations", UintegerValue(options.generations)) && options.generations > 0;
    if (options.learningRate > 0)
    {
        learner->SetAttributeFailSafe("LearningRate", DoubleValue(options.learningRate));
    }
    if (options.cloneDecisions > 0)
    {
        learner->SetAttributeFailSafe("CloneDecisions", UintegerValue(options.cloneDecisions));
    }
    if (options.start.empty())
    {
        learner->SetNetwork(options.network.empty() ? recipe.network : options.network);
    }
    else
    {
        learner->SetNetwork(Checkpoint::Load(options.start, *problems.front()));
        learner->SetAttributeFailSafe("CloneDecisions", UintegerValue(0));
    }
    training.SetCommand(options.command);
    training.SetShare(false);
    return training.Run(*learner, byGenerations ? UINT64_MAX : decisions);
}
