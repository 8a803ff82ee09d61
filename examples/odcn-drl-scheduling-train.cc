// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-train.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-a2c-learner.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-packing-policy.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Training draws from streams that no evaluation uses.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// A job has 15.5 VMs in the mean, each one decision.
constexpr double DECISIONS_PER_JOB = 15.5;

/// The learner at work, for the signal handler.
OdcnA2cLearner* g_learner = nullptr;

/**
 * The paper's hyper-parameters are the learner's defaults. Ours differ in what makes training
 * reliable: many data centres side by side, masked actions, a rule to start from.
 *
 * @param options of the command line
 * @param decisions of the whole training
 * @return the learner
 */
Ptr<OdcnA2cLearner>
MakeLearner(const Options& options, uint64_t decisions)
{
    auto learner = CreateObject<OdcnA2cLearner>();
    learner->AssignStreams(TRAINING_STREAMS);
    // A few mean durations of jobs, so that a data centre is as full as it gets.
    const auto fill = static_cast<uint64_t>(5 * options.load * DECISIONS_PER_JOB);
    // How VMs are scattered settles more slowly than how many there are.
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(6 * fill));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(options.evaluationDecisions));
    if (options.recipe == "paper")
    {
        learner->SetAttribute("EpochDecisions",
                              UintegerValue(std::max<uint64_t>(1, decisions / 10)));
        return learner;
    }
    learner->SetAttribute("EpochDecisions", UintegerValue(3000 * options.environments));
    learner->SetAttribute("EvaluationEpochs", UintegerValue(8));
    learner->SetAttribute("WarmUpDecisions", UintegerValue(fill));
    learner->SetAttribute("UpdateSamples", UintegerValue(25));
    learner->SetAttribute("Threads", UintegerValue(2));
    learner->SetAttribute("CloneDecisions", UintegerValue(options.cloneDecisions));
    learner->SetAttribute("CloneLearningRate", DoubleValue(2e-3));
    learner->SetAttribute("Gamma", DoubleValue(0.95));
    learner->SetAttribute("UseMask", BooleanValue(true));
    learner->SetAttribute("EpsilonMin", DoubleValue(1));
    learner->SetAttribute("EntropyWeight", DoubleValue(0));
    learner->SetAttribute("RewardScale", DoubleValue(0.05));
    learner->SetAttribute("ClipGradient", DoubleValue(0.5));
    learner->SetAttribute("LearningRate", DoubleValue(3e-4));
    learner->SetAttribute("FinalLearningRate", DoubleValue(0.05));
    learner->SetAttribute("ScheduleDecisions", UintegerValue(decisions));
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
    OdcnHelper helper = builder;
    helper.SetProblemAttribute("PhiReconf", DoubleValue(options.phiReconf));
    if (!options.charge.empty())
    {
        helper.SetProblemAttribute("Charge", StringValue(options.charge));
    }
    else if (options.recipe == "odcn")
    {
        // Eq. 1 to the letter: dear enough that an agent which may refuse learns to.
        helper.SetProblemAttribute("Charge", StringValue("EachStep"));
    }
    const auto decisions =
        static_cast<uint64_t>(static_cast<double>(options.trainJobs) * DECISIONS_PER_JOB);
    const std::string state = options.checkpoint + ".state";
    const std::string log = options.checkpoint + ".csv";
    std::ostringstream command;
    command << "./ns3 run \"odcn-drl-scheduling --train=1 --load=" << options.load
            << " --tors=" << options.tors << " --servers=" << options.servers
            << " --trainJobs=" << options.trainJobs << " --environments=" << options.environments
            << " --network=" << options.network << " --recipe=" << options.recipe
            << " --phiReconf=" << options.phiReconf
            << (options.charge.empty() ? "" : " --charge=" + options.charge)
            << " --RngSeed=" << RngSeedManager::GetSeed()
            << " --RngRun=" << RngSeedManager::GetRun() << " --checkpoint=FILE\"";

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

    std::string lines = "epoch,decisions,updates,evaluation_lost,"
                        "policy_loss,value_loss,entropy,learning_rate\n";
    if (options.resume)
    {
        learner->LoadState(state);
        std::ifstream before(log);
        std::getline(before, lines, '\0');
    }
    else if (std::filesystem::exists(state))
    {
        throw OdcnError(state + ": an interrupted training is here; --resume=1 goes on with it, or "
                                "remove it");
    }
    else
    {
        // Where nothing can be written is better known now than after the first epoch.
        OdcnAtomicFile checkpoint(options.checkpoint);
    }

    OdcnProgress bar("training", decisions, "decisions");
    learner->SetAttribute("ProgressSeconds", DoubleValue(0.2));
    learner->SetProgress(
        [&](const OdcnTrainingProgress& progress)
        {
            bar.Update(progress.decisions,
                       [&]()
                       {
                           return std::string(progress.cloning ? "cloning a rule, " : "") +
                                  "lost " + OdcnFormatFixed(100 * progress.score, 2) + " %, best " +
                                  OdcnFormatFixed(100 * progress.bestScore, 2) + " %, entropy " +
                                  OdcnFormatFixed(progress.entropy, 2);
                       });
            if (!progress.epochEnded)
            {
                return;
            }
            std::ostringstream line;
            line << progress.epoch << "," << progress.decisions << "," << progress.updates << ","
                 << (progress.evaluated ? OdcnFormatFixed(progress.evaluation, 6) : "") << ","
                 << progress.policyLoss << "," << progress.valueLoss << "," << progress.entropy
                 << "," << progress.learningRate << "\n";
            lines += line.str();
            OdcnAtomicFile file(log);
            file.Stream() << lines;
            file.Commit();
            learner->SaveState(state);
            learner->SaveCheckpoint(options.checkpoint,
                                    {{"command", command.str()},
                                     {"evaluation-lost", OdcnFormatFixed(progress.bestScore, 5)}});
        });
    g_learner = PeekPointer(learner);
    std::signal(SIGINT, [](int) { g_learner->RequestStop(); });
    const bool whole = learner->Train(decisions);
    std::signal(SIGINT, SIG_DFL);
    if (!whole)
    {
        std::cerr << "\ninterrupted; --resume=1 goes on from " << state << "\n";
        return 130;
    }
    bar.Finish(learner->GetDecisions());
    std::filesystem::remove(state);
    std::cout << "Files:\n  " << options.checkpoint
              << "  the best epoch by its evaluation problems\n  " << log
              << "  the learning curve\n";
    return 0;
}
