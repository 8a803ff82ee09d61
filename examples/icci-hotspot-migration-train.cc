// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-hotspot-migration-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
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

/// Problems that epochs are scored on, and about the decisions of forty days each.
constexpr uint32_t EVALUATION_PROBLEMS = 2;
constexpr uint64_t EVALUATION_DECISIONS = 1600;

/// Days of a generation that all candidates run, and days that its mean is evaluated on.
constexpr uint32_t GENERATION_DAYS = 16;
constexpr uint32_t EVALUATION_DAYS = 64;

/// Checkpoints are written so often.
constexpr uint64_t EPOCHS = 20;

/// @param options of the command line  @return its learner, or that which goes with the agent
std::string
GetLearner(const Options& options)
{
    if (!options.learner.empty())
    {
        return options.learner;
    }
    return IcciScheme::Find(options.train).state == "Moves" ? "ns3::odcn::OdcnEvolutionLearner"
                                                            : "ns3::odcn::OdcnA3cLearner";
}

/// @param options of the command line  @return its network, or that which goes with the agent
std::string
GetNetwork(const Options& options)
{
    if (!options.network.empty())
    {
        return options.network;
    }
    return IcciScheme::Find(options.train).state == "Moves"
               ? "ns3::odcn::OdcnRackScorerNetwork[Inputs=Own|Hidden=|ValueHidden=]"
               : "ns3::odcn::OdcnMlpNetwork[HiddenLayers=5|HiddenUnits=128]";
}

/// @param options of the command line  @return whether whole days are compared
bool
IsEvolution(const Options& options)
{
    return OdcnObjectText::Parse("learner", GetLearner(options)).type ==
           OdcnEvolutionLearner::GetTypeId().GetName();
}

/// @param options of the command line  @return the command that trains the same agent again
std::string
MakeCommand(const Options& options)
{
    std::ostringstream command;
    command << "./ns3 run \"icci-hotspot-migration --train=" << options.train
            << " --preset=" << options.preset << " --moves=" << options.moves
            << " --offer=" << options.offer << " --eta=" << options.eta
            << " --learner=" << GetLearner(options) << " --network=" << GetNetwork(options);
    if (IsEvolution(options))
    {
        command << " --generations=" << options.generations;
    }
    else
    {
        command << " --actors=" << options.actors << " --learningRate=" << options.learningRate
                << " --threads=" << options.threads
                << " --trainDecisions=" << options.trainDecisions
                << " --cloneDecisions=" << options.cloneDecisions;
    }
    return command.str() + EndCommand();
}

/**
 * @param options of the command line
 * @param n how many
 * @param remember days that each keeps in memory
 * @return problems, equal but for the streams that a learner assigns
 */
std::vector<Ptr<OdcnDecisionProblem>>
MakeProblems(const Options& options, uint32_t n, uint32_t remember)
{
    IcciHelper helper = options.MakeHelper();
    helper.SetTideAttribute("Remember", UintegerValue(remember));
    const IcciScheme scheme = IcciScheme::Find(options.train);
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (uint32_t i = 0; i < n; ++i)
    {
        problems.push_back(helper.CreateProblem(scheme, TRAINING_STREAMS));
        problems.back()->Reset();
    }
    return problems;
}

/**
 * Learn by comparing whole days.
 *
 * @param options of the command line  @param learner to use
 * @return exit status
 */
int
Evolve(const Options& options, OdcnEvolutionLearner& learner)
{
    learner.AssignStreams(TRAINING_STREAMS);
    learner.SetAttribute("Objective", StringValue("Score"));
    learner.SetAttribute("Episodes", UintegerValue(1));
    learner.SetAttribute("Streams", UintegerValue(GENERATION_DAYS));
    learner.SetAttribute("EvaluationStreams", UintegerValue(EVALUATION_DAYS));
    learner.SetAttribute("Sigma", DoubleValue(0.5));
    learner.SetAttribute("Threads", UintegerValue(options.threads));
    learner.SetNetwork(OdcnNetwork::Create(GetNetwork(options)));
    // All candidates of a generation meet the same days.
    learner.SetEnvironments(MakeProblems(options, options.threads, 2 * GENERATION_DAYS));
    TrainingFiles files(options.GetCheckpoint(options.train),
                        "generation,decisions,mean_cost,sigma,evaluation_cost\n");
    files.Begin(learner, options.resume);
    OdcnProgress bar("evolution", options.generations, "generations");
    learner.SetProgress(
        [&](const OdcnEvolutionProgress& progress)
        {
            bar.Update(progress.generation,
                       [&]()
                       {
                           return "cost " + OdcnFormatFixed(100 * progress.score, 2) + " %, step " +
                                  OdcnFormatFixed(progress.sigma, 3);
                       });
            std::ostringstream line;
            line << progress.generation << "," << progress.decisions << ","
                 << OdcnFormatFixed(progress.score, 6) << "," << progress.sigma << ","
                 << (progress.evaluated ? OdcnFormatFixed(progress.evaluationScore, 6) : "")
                 << "\n";
            files.Write(learner, line.str(), {{"command", MakeCommand(options)}});
        });
    return files.Train(learner,
                       options.generations,
                       "the best mean by its evaluation problems",
                       [&]() { bar.Finish(learner.GetGenerations()); });
}

/**
 * Learn by gradients, as in the paper.
 *
 * @param options of the command line  @param learner to use
 * @return exit status
 */
int
Descend(const Options& options, OdcnActorCriticLearner& learner)
{
    learner.AssignStreams(TRAINING_STREAMS);
    learner.SetNetwork(OdcnNetwork::Create(GetNetwork(options)));
    learner.SetEnvironments(MakeProblems(options, options.actors, 0));
    learner.SetEvaluation(MakeProblems(options, EVALUATION_PROBLEMS, EVALUATION_DAYS));
    const bool wide = IcciScheme::Find(options.train).wavelengths;
    learner.SetTeacher(IcciScheme::Find(wide ? "greedy-dwa" : "greedy").CreatePolicy());
    learner.SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    learner.SetAttribute("LearningRate", DoubleValue(options.learningRate));
    learner.SetAttribute("Gamma", DoubleValue(0.95));
    learner.SetAttribute("Threads", UintegerValue(options.threads));
    learner.SetAttribute("ScheduleDecisions", UintegerValue(options.trainDecisions));
    // A good move is worth about 20.
    learner.SetAttribute("RewardScale", DoubleValue(0.05));
    learner.SetAttribute("EpochDecisions",
                         UintegerValue(std::max<uint64_t>(1, options.trainDecisions / EPOCHS)));
    learner.SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner.SetAttribute("EvaluationDecisions", UintegerValue(EVALUATION_DECISIONS));
    TrainingRun run;
    run.checkpoint = options.GetCheckpoint(options.train);
    run.resume = options.resume;
    run.decisions = options.trainDecisions;
    run.score = "cost";
    run.provenance["command"] = MakeCommand(options);
    return RunTraining(learner, run);
}

} // namespace

int
Train(const Options& options)
{
    if (IsTrained(options.GetCheckpoint(options.train), options.resume))
    {
        return 0;
    }
    const std::string words = GetLearner(options);
    if (!IsEvolution(options))
    {
        return Descend(options, *CreateLearner(words));
    }
    const auto learner =
        OdcnObjectText::Parse("learner", words).Create("learner", Object::GetTypeId());
    return Evolve(options, *DynamicCast<OdcnEvolutionLearner>(learner));
}
