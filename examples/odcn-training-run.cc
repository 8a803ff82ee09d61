// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-run.h"

#include "ns3/double.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

Ptr<OdcnActorCriticLearner>
CreateLearner(const std::string& words)
{
    return DynamicCast<OdcnActorCriticLearner>(
        OdcnObjectText::Parse("learner", words)
            .Create("learner", OdcnActorCriticLearner::GetTypeId()));
}

std::string
EndCommand()
{
    return " --RngSeed=" + std::to_string(RngSeedManager::GetSeed()) +
           " --RngRun=" + std::to_string(RngSeedManager::GetRun()) + " --checkpoint=FILE\"";
}

bool
IsTrained(const std::string& file, bool resume)
{
    if (!resume || std::filesystem::exists(file + ".state") || !std::filesystem::exists(file))
    {
        return false;
    }
    std::cout << file << " is done\n";
    return true;
}

TrainingFiles::TrainingFiles(const std::string& file, const std::string& header)
    : m_checkpoint(file),
      m_state(file + ".state"),
      m_curve(file + ".csv"),
      m_lines(header)
{
}

bool
TrainingFiles::IsBegun() const
{
    return std::filesystem::exists(m_state);
}

void
TrainingFiles::CheckNew() const
{
    if (IsBegun())
    {
        throw OdcnError(m_state + ": an interrupted training is here; --resume=1 goes on with it, "
                                  "or remove it");
    }
    // Where nothing can be written is better known now than after the first epoch.
    OdcnAtomicFile file(m_checkpoint);
}

void
TrainingFiles::ReadCurve()
{
    std::ifstream before(m_curve);
    std::getline(before, m_lines, '\0');
}

void
TrainingFiles::AddToCurve(const std::string& line)
{
    m_lines += line;
    OdcnAtomicFile file(m_curve);
    file.Stream() << m_lines;
    file.Commit();
}

int
TrainingFiles::End(bool whole, const std::string& best) const
{
    if (!whole)
    {
        std::cerr << "\ninterrupted; --resume=1 goes on from " << m_state << "\n";
        return 130;
    }
    std::filesystem::remove(m_state);
    std::cout << "Files:\n  " << m_checkpoint << "  " << best << "\n  " << m_curve
              << "  the learning curve\n";
    return 0;
}

int
RunTraining(OdcnActorCriticLearner& learner, const TrainingRun& run)
{
    TrainingFiles files(run.checkpoint,
                        "epoch,decisions,updates,evaluation_" + run.score +
                            ",policy_loss,value_loss,entropy,learning_rate\n");
    files.Begin(learner, run.resume);

    OdcnProgress bar("training", run.decisions, "decisions");
    learner.SetAttribute("ProgressSeconds", DoubleValue(0.2));
    learner.SetProgress(
        [&](const OdcnTrainingProgress& progress)
        {
            bar.Update(progress.decisions,
                       [&]()
                       {
                           const auto show = [&](double score) {
                               return run.isShare ? OdcnFormatFixed(100 * score, 2) + " %"
                                                  : OdcnFormatFixed(score, 3);
                           };
                           const std::string alike =
                               progress.clonePass
                                   ? OdcnFormatFixed(100 * progress.accuracy, 1) + " % alike, "
                                   : "";
                           return std::string(progress.cloning ? "cloning a rule, " : "") + alike +
                                  run.score + " " + show(progress.score) + ", best " +
                                  show(progress.bestScore) + ", entropy " +
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
            auto provenance = run.provenance;
            provenance["evaluation-" + run.score] = OdcnFormatFixed(progress.bestScore, 5);
            files.Write(learner, line.str(), provenance);
        });
    return files.Train(learner,
                       run.decisions,
                       "the best epoch by its evaluation problems",
                       [&]() { bar.Finish(learner.GetDecisions()); });
}
