// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The learner at work, for the signal handler.
OdcnActorCriticLearner* g_learner = nullptr;

} // namespace

bool
CheckResume(const std::string& checkpoint, bool resume)
{
    const std::string state = checkpoint + ".state";
    if (resume)
    {
        return true;
    }
    if (std::filesystem::exists(state))
    {
        throw OdcnError(state + ": an interrupted training is here; --resume=1 goes on with it, or "
                                "remove it");
    }
    // Where nothing can be written is better known now than after the first epoch.
    OdcnAtomicFile file(checkpoint);
    return false;
}

int
RunTraining(OdcnActorCriticLearner& learner, const TrainingRun& run)
{
    const std::string state = run.checkpoint + ".state";
    const std::string log = run.checkpoint + ".csv";
    std::string lines = "epoch,decisions,updates,evaluation_" + run.score +
                        ",policy_loss,value_loss,entropy,learning_rate\n";
    if (CheckResume(run.checkpoint, run.resume))
    {
        learner.LoadState(state);
        std::ifstream before(log);
        std::getline(before, lines, '\0');
    }

    OdcnProgress bar("training", run.decisions, "decisions");
    learner.SetAttribute("ProgressSeconds", DoubleValue(0.2));
    learner.SetProgress(
        [&](const OdcnTrainingProgress& progress)
        {
            bar.Update(progress.decisions,
                       [&]()
                       {
                           return std::string(progress.cloning ? "cloning a rule, " : "") +
                                  run.score + " " + OdcnFormatFixed(100 * progress.score, 2) +
                                  " %, best " + OdcnFormatFixed(100 * progress.bestScore, 2) +
                                  " %, entropy " + OdcnFormatFixed(progress.entropy, 2);
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
            learner.SaveState(state);
            auto provenance = run.provenance;
            provenance["evaluation-" + run.score] = OdcnFormatFixed(progress.bestScore, 5);
            learner.SaveCheckpoint(run.checkpoint, provenance);
        });
    g_learner = &learner;
    std::signal(SIGINT, [](int) { g_learner->RequestStop(); });
    const bool whole = learner.Train(run.decisions);
    std::signal(SIGINT, SIG_DFL);
    if (!whole)
    {
        std::cerr << "\ninterrupted; --resume=1 goes on from " << state << "\n";
        return 130;
    }
    bar.Finish(learner.GetDecisions());
    std::filesystem::remove(state);
    std::cout << "Files:\n  " << run.checkpoint << "  the best epoch by its evaluation problems\n  "
              << log << "  the learning curve\n";
    return 0;
}
