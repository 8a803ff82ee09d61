// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-ppo-learner.h"
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

/// A request takes about six servers; a run of them is what the score is read after.
constexpr uint64_t EVALUATION_DECISIONS = 1600;

/// @param options of the command line  @return what is trained
std::string
GetNetwork(const Options& options)
{
    if (!options.network.empty())
    {
        return options.network;
    }
    return options.recipe == "evolution"
               ? "ns3::odcn::OdcnRackScorerNetwork[Inputs=Own|Hidden=|ValueHidden=]"
               : "ns3::odcn::OdcnGraphSageNetwork[Inputs=Relative]";
}

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
            << " --state=" << options.state << " --recipe=" << options.recipe
            << " --trainRequests=" << options.trainRequests;
    if (options.recipe == "evolution")
    {
        command << " --generations=" << options.generations;
    }
    else
    {
        command << " --trainDecisions=" << options.trainDecisions
                << " --cloneDecisions=" << options.cloneDecisions
                << " --learningRate=" << options.learningRate;
    }
    command << " --network=" << GetNetwork(options) << EndCommand();
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

/**
 * @param options of the command line  @param topology which
 * @return what a checkpoint tells of its training
 */
std::map<std::string, std::string>
MakeProvenance(const Options& options, const Topology& topology)
{
    return {{"command", MakeCommand(options, topology)},
            {"state", options.state},
            {"routing", options.routing}};
}

/**
 * Learn by comparing whole policies on the same requests.
 *
 * @param options of the command line  @param topology which
 * @return exit status
 */
int
Evolve(const Options& options, const Topology& topology)
{
    const std::string file = options.GetCheckpoint(topology);
    auto learner = CreateObject<OdcnEvolutionLearner>();
    learner->AssignStreams(TRAINING_STREAMS);
    learner->SetAttribute("Objective", StringValue("Score"));
    learner->SetAttribute("Episodes", UintegerValue(1));
    learner->SetAttribute("Streams", UintegerValue(16));
    learner->SetAttribute("EvaluationStreams", UintegerValue(64));
    learner->SetAttribute("Sigma", DoubleValue(0.5));
    learner->SetNetwork(OdcnNetwork::Create(GetNetwork(options)));
    learner->SetEnvironments(MakeProblems(options, topology, options.trainRequests, 2));
    TrainingFiles files(file, "generation,decisions,mean_refused,sigma,evaluation_refused\n");
    files.Begin(*learner, options.resume);
    OdcnProgress bar("evolution " + topology.GetLabel(), options.generations, "generations");
    learner->SetProgress(
        [&](const OdcnEvolutionProgress& progress)
        {
            bar.Update(progress.generation,
                       [&]()
                       {
                           return "refused " + OdcnFormatFixed(100 * progress.score, 2) +
                                  " %, step " + OdcnFormatFixed(progress.sigma, 3);
                       });
            std::ostringstream line;
            line << progress.generation << "," << progress.decisions << ","
                 << OdcnFormatFixed(progress.score, 6) << "," << progress.sigma << ","
                 << (progress.evaluated ? OdcnFormatFixed(progress.evaluationScore, 6) : "")
                 << "\n";
            files.Write(*learner, line.str(), MakeProvenance(options, topology));
        });
    return files.Train(*learner,
                       options.generations,
                       "the best mean by its evaluation problems",
                       [&]() { bar.Finish(learner->GetGenerations()); });
}

/**
 * Learn by gradients, as in the paper.
 *
 * @param options of the command line  @param topology which
 * @return exit status
 */
int
Descend(const Options& options, const Topology& topology)
{
    const std::string file = options.GetCheckpoint(topology);
    auto learner = CreateObject<OdcnPpoLearner>();
    learner->AssignStreams(TRAINING_STREAMS);
    learner->SetNetwork(OdcnNetwork::Create(GetNetwork(options)));
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
    run.resume = options.resume;
    run.decisions = options.trainDecisions;
    run.score = "refused";
    run.provenance = MakeProvenance(options, topology);
    return RunTraining(*learner, run);
}

} // namespace

int
Train(const Options& options)
{
    for (const auto& topology : options.GetTopologies())
    {
        if (IsTrained(options.GetCheckpoint(topology), options.resume))
        {
            continue;
        }
        const int status =
            options.recipe == "evolution" ? Evolve(options, topology) : Descend(options, topology);
        if (status != 0)
        {
            return status;
        }
    }
    return 0;
}
