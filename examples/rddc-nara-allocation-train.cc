// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-train.h"

#include "ns3/double.h"
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
/// Problems to learn from, and to be scored on; of these so many decisions. A request takes six.
constexpr uint32_t PROBLEMS = 32;
constexpr uint32_t EVALUATIONS = 8;
constexpr uint64_t EVALUATION_DECISIONS = 1600;

/// What a recipe stands for, where options give nothing else.
struct Recipe
{
    std::string learner; //!< in words
    std::string network; //!< in words
};

const std::map<std::string, Recipe> RECIPES{
    {"evolution", {"EvolutionLearner", "Linear"}},
    {"ppo", {"PpoLearner", "GraphSage[inputs=relative]"}},
};

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
    RddcScheme scheme;
    scheme.name = options.recipe;
    scheme.routing = options.routing;
    scheme.state = options.state;
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
    const Recipe& recipe = RECIPES.at(options.recipe);
    const auto words = options.learner.empty() ? recipe.learner : options.learner;
    for (const auto& topology : options.GetTopologies())
    {
        Training training(topology.GetFile(options.checkpoint), options.resume);
        if (training.IsDone())
        {
            continue;
        }
        auto learner = Learner::Create(words);
        learner->AssignStreams(TRAINING_STREAMS);
        learner->SetNetwork(options.network.empty() ? recipe.network : options.network);
        learner->SetProblems(MakeProblems(options, topology, options.trainRequests, PROBLEMS));
        learner->SetEvaluation(MakeProblems(options, topology, options.requests, EVALUATIONS));
        learner->SetTeacher(RddcScheme::Find("tetris-tuned").CreatePolicy());
        const auto set = [&](const char* name, const AttributeValue& value)
        { return OdcnSetDefault(*learner, words, name, value); };
        set("EvaluationWarmUp", UintegerValue(0));
        set("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
        // Of learners by gradients. A request takes six decisions and stays for fifteen requests.
        set("Gamma", DoubleValue(0.995));
        set("LearningRate", DoubleValue(options.learningRate));
        set("ScheduleDecisions", UintegerValue(options.trainDecisions));
        set("RewardScale", DoubleValue(0.1));
        set("ValueWeight", DoubleValue(0.5));
        set("EntropyWeight", DoubleValue(0));
        set("CloneDecisions", UintegerValue(options.cloneDecisions));
        set("CloneLearningRate", DoubleValue(0.003));
        set("EpochDecisions", UintegerValue(std::max<uint64_t>(1, options.trainDecisions / 10)));
        // Of evolution: candidates meet the same 16 episodes and differ by the requests refused.
        set("Objective", StringValue("Score"));
        set("Episodes", UintegerValue(1));
        set("Streams", UintegerValue(16));
        set("Sigma", DoubleValue(0.5));
        const bool byGenerations = set("Generations", UintegerValue(options.generations));
        training.SetCommand(options.command);
        training.AddProvenance("routing", options.routing);
        const int status =
            training.Run(*learner, byGenerations ? UINT64_MAX : options.trainDecisions);
        if (status != 0)
        {
            return status;
        }
    }
    return 0;
}
