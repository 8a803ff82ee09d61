// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-train.h"

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-actor-critic-learner.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-packing-policy.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// A job has 15.5 VMs in the mean, each one decision.
constexpr double DECISIONS_PER_JOB = 15.5;
/// Jobs of a run by which evolution compares candidates.
constexpr double JOBS_THAT_COUNT = 2640;

/**
 * The paper's hyper-parameters are the learner's defaults. Mended has what keeps these from
 * collapsing: masked actions, many data centres side by side, smaller and normalised steps. Odcn
 * has a rule to start from, too.
 *
 * @param recipe of the command line
 * @return its learner, in words
 */
std::string
GetLearner(const std::string& recipe)
{
    const std::string steady = "ns3::odcn::OdcnA2cLearner[UseMask=true|Gamma=0.95|EpsilonMin=1|"
                               "RewardScale=0.05|ClipGradient=0.5|LearningRate=0.0003|"
                               "FinalLearningRate=0.05|Threads=2|";
    return recipe == "paper"    ? "ns3::odcn::OdcnA2cLearner"
           : recipe == "mended" ? steady + "EntropyWeight=0.02|NormalizeAdvantage=true]"
                                : steady + "EntropyWeight=0|UpdateSamples=25|"
                                           "CloneLearningRate=0.002|EvaluationEpochs=8]";
}

/**
 * @param options of the command line
 * @param decisions of the whole training
 * @return the learner
 */
Ptr<OdcnActorCriticLearner>
MakeLearner(const Options& options, uint64_t decisions)
{
    auto learner =
        CreateLearner(options.learner.empty() ? GetLearner(options.recipe) : options.learner);
    learner->AssignStreams(TRAINING_STREAMS);
    // A few mean durations of jobs, so that a data centre is as full as it gets.
    const auto fill = static_cast<uint64_t>(5 * options.load * DECISIONS_PER_JOB);
    // How VMs are scattered settles more slowly than how many there are.
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(6 * fill));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(options.evaluationDecisions));
    const uint64_t epochs = options.recipe == "paper" ? 10 : 20;
    learner->SetAttribute("EpochDecisions",
                          UintegerValue(std::max<uint64_t>(1, decisions / epochs)));
    if (options.recipe == "odcn")
    {
        learner->SetAttribute("EpochDecisions", UintegerValue(3000 * options.environments));
        learner->SetAttribute("WarmUpDecisions", UintegerValue(fill));
        learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    }
    if (options.recipe != "paper")
    {
        learner->SetAttribute("ScheduleDecisions", UintegerValue(decisions));
    }
    return learner;
}

/**
 * @param options of the command line
 * @return the command that trains the same agent again
 */
std::string
MakeCommand(const Options& options)
{
    std::ostringstream command;
    command << "./ns3 run \"odcn-drl-scheduling --train=1 --recipe=" << options.recipe
            << " --load=" << options.load << " --tors=" << options.tors
            << " --ports=" << options.ports << " --servers=" << options.servers
            << " --pattern=" << options.pattern << " --placement=" << options.placement;
    if (options.recipe == "evolution")
    {
        command << " --generations=" << options.generations;
    }
    else
    {
        command << " --trainJobs=" << options.trainJobs
                << " --environments=" << options.environments << " --network=" << options.network
                << (options.learner.empty() ? "" : " --learner=" + options.learner);
    }
    command << " --alpha=" << options.alpha << " --phiReconf=" << options.phiReconf
            << (options.charge.empty() ? "" : " --charge=" + options.charge) << EndCommand();
    return command.str();
}

/**
 * Learn by evolution: one shared linear score of OdcnRackFeatures, from nothing.
 *
 * @param options of the command line
 * @param builder builds the problems
 * @return exit status
 */
int
Evolve(const Options& options, const OdcnHelper& builder)
{
    OdcnHelper helper = builder;
    helper.SetProblemAttribute("State", StringValue("Placement"));
    const std::string command = MakeCommand(options);
    auto learner = CreateObject<OdcnEvolutionLearner>();
    learner->AssignStreams(TRAINING_STREAMS);
    // Six mean durations fill a data centre of any size; what candidates differ by shows in as many
    // jobs in a large one as in a small one.
    learner->SetAttribute(
        "WarmUpDecisions",
        UintegerValue(static_cast<uint64_t>(6 * options.load * DECISIONS_PER_JOB)));
    learner->SetAttribute(
        "Decisions",
        UintegerValue(static_cast<uint64_t>(JOBS_THAT_COUNT * DECISIONS_PER_JOB)));
    learner->SetNetwork(
        OdcnNetwork::Create("ns3::odcn::OdcnRackScorerNetwork[Inputs=Own|Hidden=|ValueHidden=]"));
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (uint32_t i = 0; i < 2; ++i)
    {
        problems.push_back(helper.CreateProblem(MakeGenerator(options), true));
    }
    learner->SetEnvironments(problems);
    TrainingFiles files(options.checkpoint,
                        "generation,decisions,mean_reward,mean_lost,sigma,evaluation_reward,"
                        "evaluation_lost\n");
    files.Begin(*learner, options.resume);
    OdcnProgress bar("evolution", options.generations, "generations");
    learner->SetProgress(
        [&](const OdcnEvolutionProgress& progress)
        {
            bar.Update(progress.generation,
                       [&]()
                       {
                           return "reward " + OdcnFormatFixed(progress.reward, 4) + ", lost " +
                                  OdcnFormatFixed(100 * progress.score, 2) + " %, step " +
                                  OdcnFormatFixed(progress.sigma, 3);
                       });
            std::ostringstream line;
            line << progress.generation << "," << progress.decisions << ","
                 << OdcnFormatFixed(progress.reward, 6) << "," << OdcnFormatFixed(progress.score, 6)
                 << "," << progress.sigma << ",";
            if (progress.evaluated)
            {
                line << OdcnFormatFixed(progress.evaluation, 6) << ","
                     << OdcnFormatFixed(progress.evaluationScore, 6);
            }
            else
            {
                line << ",";
            }
            files.Write(*learner,
                        line.str() + "\n",
                        {{"command", command}, {"state", "Placement"}});
        });
    return files.Train(*learner,
                       options.generations,
                       "the best mean by its evaluation problems",
                       [&]() { bar.Finish(learner->GetGenerations()); });
}

} // namespace

int
Train(const Options& options, const OdcnHelper& builder)
{
    if (!options.jobFile.empty())
    {
        throw OdcnError::InOption("--jobFile", options.jobFile, "no job file when training");
    }
    if (IsTrained(options.checkpoint, options.resume))
    {
        return 0;
    }
    OdcnHelper helper = builder;
    helper.SetProblemAttribute("PhiReconf", DoubleValue(options.phiReconf));
    helper.SetProblemAttribute("Alpha", DoubleValue(options.alpha));
    if (!options.charge.empty())
    {
        helper.SetProblemAttribute("Charge", StringValue(options.charge));
    }
    else if (options.recipe == "odcn")
    {
        // Eq. 1 to the letter: dear enough that an agent which may refuse learns to.
        helper.SetProblemAttribute("Charge", StringValue("EachStep"));
    }
    if (options.recipe == "evolution")
    {
        return Evolve(options, helper);
    }
    const auto decisions =
        static_cast<uint64_t>(static_cast<double>(options.trainJobs) * DECISIONS_PER_JOB);
    auto learner = MakeLearner(options, decisions);
    learner->SetNetwork(OdcnNetwork::Create(options.network == "mlp"
                                                ? "ns3::odcn::OdcnMlpNetwork"
                                                : "ns3::odcn::OdcnRackScorerNetwork"));
    const auto makeProblems = [&](uint32_t n)
    {
        std::vector<Ptr<OdcnDecisionProblem>> problems;
        for (uint32_t i = 0; i < n; ++i)
        {
            problems.push_back(helper.CreateProblem(MakeGenerator(options), true));
        }
        return problems;
    };
    learner->SetEnvironments(makeProblems(options.recipe == "paper" ? 1 : options.environments));
    // Evaluation problems have streams of their own: neither training nor the program uses them.
    learner->SetEvaluation(makeProblems(8));
    learner->SetTeacher(CreateObject<OdcnPackingPolicy>());

    TrainingRun run;
    run.checkpoint = options.checkpoint;
    run.resume = options.resume;
    run.decisions = decisions;
    run.score = "lost";
    run.provenance["command"] = MakeCommand(options);
    return RunTraining(*learner, run);
}
