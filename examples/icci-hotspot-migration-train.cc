// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-hotspot-migration-train.h"

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
/// Problems to be scored on, and decisions of each: those of about forty days.
constexpr uint32_t EVALUATIONS = 2;
constexpr uint64_t EVALUATION_DECISIONS = 1600;
/// Days that problems keep in memory at most, where they come again.
constexpr uint64_t MOST_DAYS = 64;

/// How a policy is trained, where options give nothing else.
struct Recipe
{
    std::string learner; //!< in words
    std::string network; //!< in words
};

const std::map<std::string, Recipe> RECIPES{
    {"linear", {"EvolutionLearner", "Linear"}},
    {"linear-dwa", {"EvolutionLearner", "Linear"}},
    {"deephm", {"A3cLearner", "Mlp"}},
    {"deephm-dwa", {"A3cLearner", "Mlp"}},
};

/**
 * @param options of the command line
 * @param n how many
 * @param remember days that each keeps in memory
 * @return problems, equal but for the streams that a learner assigns
 */
std::vector<Ptr<OdcnDecisionProblem>>
MakeProblems(const Options& options, uint32_t n, uint64_t remember)
{
    IcciHelper helper = options.MakeHelper();
    helper.SetTideAttribute("Remember", UintegerValue(std::min(remember, MOST_DAYS)));
    IcciScheme scheme = IcciScheme::Find(options.train);
    scheme.state = options.state.empty() ? scheme.state : options.state;
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (uint32_t i = 0; i < n; ++i)
    {
        problems.push_back(helper.CreateProblem(scheme, TRAINING_STREAMS));
        problems.back()->Reset();
    }
    return problems;
}

} // namespace

int
Train(const Options& options)
{
    Training training(OdcnExpandPattern(options.checkpoint, options.train), options.resume);
    if (training.IsDone())
    {
        return 0;
    }
    const Recipe& recipe = RECIPES.at(options.train);
    const auto words = options.learner.empty() ? recipe.learner : options.learner;
    auto learner = Learner::Create(words);
    learner->AssignStreams(TRAINING_STREAMS);
    learner->SetNetwork(options.network.empty() ? recipe.network : options.network);
    const bool wide = IcciScheme::Find(options.train).wavelengths;
    learner->SetTeacher(IcciScheme::Find(wide ? "greedy-dwa" : "greedy").CreatePolicy());
    const auto set = [&](const char* name, const AttributeValue& value)
    { return OdcnSetDefault(*learner, words, name, value); };
    set("Threads", UintegerValue(options.threads));
    set("EvaluationWarmUp", UintegerValue(0));
    set("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
    // Of learners by gradients. A good move has a reward of about 20.
    set("Gamma", DoubleValue(0.95));
    set("RewardScale", DoubleValue(0.05));
    set("LearningRate", DoubleValue(options.learningRate));
    set("ScheduleDecisions", UintegerValue(options.trainDecisions));
    set("CloneDecisions", UintegerValue(options.cloneDecisions));
    set("EpochDecisions", UintegerValue(std::max<uint64_t>(1, options.trainDecisions / 20)));
    // Of evolution: candidates live the same 16 days and differ by what these cost.
    set("Objective", StringValue("Score"));
    set("Episodes", UintegerValue(1));
    set("Streams", UintegerValue(16));
    set("Sigma", DoubleValue(0.5));
    const bool byGenerations = set("Generations", UintegerValue(options.generations));
    UintegerValue days(0);
    learner->GetAttributeFailSafe("Streams", days);
    learner->SetProblems(MakeProblems(options, options.actors, 2 * days.Get()));
    learner->SetEvaluation(MakeProblems(options, EVALUATIONS, MOST_DAYS));
    training.SetCommand(options.command);
    return training.Run(*learner, byGenerations ? UINT64_MAX : options.trainDecisions);
}
