// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-train.h"

#include "ns3/double.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-training.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// A job has 15.5 VMs on average, each one decision.
constexpr double DECISIONS_PER_JOB = 15.5;
/// Jobs of a run by which evolution compares candidates.
constexpr double JOBS_THAT_COUNT = 2640;

/// How an agent is trained; every entry but the name may be replaced by an option.
struct Recipe
{
    const char* name;      //!< of --recipe
    const char* learner;   //!< in words
    const char* network;   //!< in words
    const char* state;     //!< observed
    const char* teacher;   //!< rule that is cloned first, or that fills data centres
    const char* charge;    //!< of a reconfiguration
    double alpha;          //!< weight of latency, ns
    const char* patterns;  //!< that jobs are drawn with; "" for --pattern
    const char* loads;     //!< that jobs are drawn with; "" for --load
    uint32_t environments; //!< problems, at least one for each pattern and load
    uint64_t epochs;       //!< of the training; 0: each of 3,000 decisions a problem
    bool warmUp;           //!< whether epochs begin in the states of the teacher
};

/**
 * "paper" has the paper's hyper-parameters, the learner's defaults. "mended" adds what keeps these
 * from collapsing: masks, many data centres, smaller and normalised steps. "odcn" begins with a
 * rule. "evolution" compares whole policies that are weighted sums. "ppo" learns one network for
 * all patterns and several loads.
 */
constexpr Recipe RECIPES[] = {
    {"paper", "A2cLearner", "Mlp", "Paper", "odcn-packing", "OnceAJob", 100, "", "", 1, 10, false},
    {"mended",
     "A2cLearner[UseMask=true|Gamma=0.95|EpsilonMin=1|RewardScale=0.05|ClipGradient=0.5|"
     "LearningRate=0.0003|FinalLearningRate=0.05|EntropyWeight=0.02|NormalizeAdvantage=true]",
     "Mlp",
     "Paper",
     "odcn-packing",
     "OnceAJob",
     100,
     "",
     "",
     32,
     20,
     false},
    {"odcn",
     "A2cLearner[UseMask=true|Gamma=0.95|EpsilonMin=1|RewardScale=0.05|ClipGradient=0.5|"
     "LearningRate=0.0003|FinalLearningRate=0.05|EntropyWeight=0|UpdateSamples=25|"
     "CloneDecisions=300000|CloneLearningRate=0.002|EvaluationEpochs=8]",
     "Scorer",
     "Paper",
     "odcn-packing",
     "EachStep",
     100,
     "",
     "",
     32,
     0,
     true},
    {"evolution",
     "EvolutionLearner",
     "Linear",
     "Placement",
     "odcn-packing",
     "OnceAJob",
     100,
     "",
     "",
     2,
     20,
     false},
    {"ppo",
     "PpoLearner[Gamma=0.99|RewardScale=0.1|LearningRate=0.0005|FinalLearningRate=0.05|"
     "EntropyWeight=0.01|UpdateSamples=64|MinibatchSamples=576|Passes=3|EvaluationEpochs=3|"
     "CloneDecisions=200000|CloneLearningRate=0.001]",
     "Scorer[inputs=own|hidden=64,64|valueHidden=64,64]",
     "Placement",
     "odcn-score",
     "OnceAJob",
     1.3,
     "ring,bidirectional-ring,tree,star,random-p,full-mesh",
     "60,66,72",
     36,
     15,
     true},
};

/// A recipe with the options of the command line in place.
struct Plan
{
    Recipe recipe;                     //!< chosen by name
    std::vector<std::string> patterns; //!< of jobs
    std::vector<double> loads;         //!< of jobs
};

/// @param options of the command line  @return what is to be done
Plan
MakePlan(const Options& options)
{
    const auto found = std::find_if(std::begin(RECIPES),
                                    std::end(RECIPES),
                                    [&](const Recipe& r) { return options.recipe == r.name; });
    Plan plan{*found, {options.pattern}, {options.load}};
    const std::string patterns =
        options.trainPatterns.empty() ? found->patterns : options.trainPatterns;
    if (!patterns.empty())
    {
        plan.patterns = OdcnCommandLine::SplitList(patterns, "trainPatterns");
    }
    const std::string loads = options.trainLoads.empty() ? found->loads : options.trainLoads;
    if (!loads.empty())
    {
        plan.loads = OdcnCommandLine::SplitNumbers(loads, "trainLoads");
    }
    return plan;
}

/**
 * @param options of the command line
 * @param plan with patterns and loads
 * @param helper builds the problems
 * @param n number of problems
 * @return problems that take all patterns with all loads in turn
 */
std::vector<Ptr<OdcnDecisionProblem>>
MakeProblems(const Options& options, const Plan& plan, const OdcnHelper& helper, std::size_t n)
{
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (std::size_t i = 0; i < n; ++i)
    {
        Options own = options;
        own.pattern = plan.patterns[i % plan.patterns.size()];
        own.load = plan.loads[i / plan.patterns.size() % plan.loads.size()];
        problems.push_back(helper.CreateProblem(MakeGenerator(own), true));
    }
    return problems;
}

/**
 * @param options of the command line
 * @param plan with the recipe
 * @param decisions of the whole training
 * @return the learner, without network and problems
 */
Ptr<Learner>
MakeLearner(const Options& options, const Plan& plan, uint64_t decisions)
{
    auto learner = Learner::Create(options.learner.empty() ? plan.recipe.learner : options.learner);
    learner->AssignStreams(TRAINING_STREAMS);
    const double load = *std::max_element(plan.loads.begin(), plan.loads.end());
    // A few mean durations of jobs, so that a data centre is as full as it gets. How VMs are
    // scattered settles more slowly than how many there are.
    const auto fill = static_cast<uint64_t>(5 * load * DECISIONS_PER_JOB);
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(6 * fill));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(options.evaluationDecisions));
    if (DynamicCast<EvolutionLearner>(learner))
    {
        const auto count = [](double jobs)
        { return UintegerValue(static_cast<uint64_t>(jobs * DECISIONS_PER_JOB)); };
        learner->SetAttribute("Generations", UintegerValue(options.generations));
        learner->SetAttribute("WarmUpDecisions", count(6 * load));
        learner->SetAttribute("Decisions", count(JOBS_THAT_COUNT));
        learner->SetAttribute("EvaluationEpochs", UintegerValue(10));
        return learner;
    }
    const uint64_t environments = options.GetEnvironments(plan.recipe.environments);
    learner->SetAttribute("EpochDecisions",
                          UintegerValue(plan.recipe.epochs
                                            ? std::max<uint64_t>(1, decisions / plan.recipe.epochs)
                                            : 3000 * environments));
    if (plan.recipe.warmUp)
    {
        learner->SetAttributeFailSafe("WarmUpDecisions", UintegerValue(fill));
    }
    if (options.recipe != "paper")
    {
        learner->SetAttribute("ScheduleDecisions", UintegerValue(decisions));
    }
    if (options.cloneDecisions != UINT64_MAX)
    {
        learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    }
    return learner;
}

} // namespace

int
Train(const Options& options, const OdcnHelper& builder)
{
    if (!options.jobFile.empty())
    {
        throw OdcnError::InOption("--jobFile", options.jobFile, "no job file when training");
    }
    Training training(options.checkpoint, options.resume);
    if (training.IsDone())
    {
        return 0;
    }
    const Plan plan = MakePlan(options);
    const Recipe& recipe = plan.recipe;
    OdcnHelper helper = builder;
    helper.SetProblemAttribute("State",
                               StringValue(options.state.empty() ? recipe.state : options.state));
    helper.SetProblemAttribute("PhiReconf", DoubleValue(options.phiReconf));
    helper.SetProblemAttribute("Alpha",
                               DoubleValue(options.alpha < 0 ? recipe.alpha : options.alpha));
    helper.SetProblemAttribute(
        "Charge",
        StringValue(options.charge.empty() ? recipe.charge : options.charge));
    const auto decisions =
        static_cast<uint64_t>(static_cast<double>(options.trainJobs) * DECISIONS_PER_JOB);
    auto learner = MakeLearner(options, plan, decisions);
    learner->SetNetwork(options.network.empty() ? recipe.network : options.network);
    learner->SetProblems(
        MakeProblems(options, plan, helper, options.GetEnvironments(recipe.environments)));
    // Evaluation problems have streams of their own: neither training nor the program uses them.
    learner->SetEvaluation(
        MakeProblems(options, plan, helper, std::max<std::size_t>(8, plan.patterns.size() * 2)));
    learner->SetTeacher(OdcnHelper::CreatePolicy(
        OdcnScheme::Find(options.teacher.empty() ? recipe.teacher : options.teacher)));
    training.SetCommand(options.command);
    training.AddProvenance("placement", options.placement);
    training.AddProvenance("patterns",
                           options.trainPatterns.empty() && recipe.patterns[0] ? recipe.patterns
                           : options.trainPatterns.empty()                     ? options.pattern
                                                           : options.trainPatterns);
    return training.Run(*learner, decisions);
}
