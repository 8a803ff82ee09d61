// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace ns3
{
namespace odcn
{

namespace
{

/// Who is asked to stop by a signal, and which came.
Learner* g_learner = nullptr;
volatile std::sig_atomic_t g_signal = 0;

/// @param number of the signal
void
OnSignal(int number)
{
    g_signal = number;
    if (g_learner)
    {
        g_learner->RequestStop();
    }
}

/// Takes SIGINT and SIGTERM while it lives.
class SignalGuard
{
  public:
    /// @param learner to be stopped
    explicit SignalGuard(Learner& learner)
    {
        g_signal = 0;
        g_learner = &learner;
        m_interrupt = std::signal(SIGINT, OnSignal);
        m_terminate = std::signal(SIGTERM, OnSignal);
    }

    ~SignalGuard()
    {
        std::signal(SIGINT, m_interrupt);
        std::signal(SIGTERM, m_terminate);
        g_learner = nullptr;
    }

    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

  private:
    void (*m_interrupt)(int); //!< Handler before
    void (*m_terminate)(int); //!< Handler before
};

} // namespace

Training::Training(std::string checkpoint, bool resume)
    : m_checkpoint(std::move(checkpoint)),
      m_resume(resume)
{
}

void
Training::SetCommand(const std::string& command)
{
    m_provenance["command"] = command;
}

void
Training::AddProvenance(const std::string& key, const std::string& value)
{
    m_provenance[key] = value;
}

void
Training::SetShare(bool isShare)
{
    m_isShare = isShare;
}

bool
Training::IsDone() const
{
    if (!m_resume || std::filesystem::exists(m_checkpoint + ".state") ||
        !std::filesystem::exists(m_checkpoint))
    {
        return false;
    }
    std::cout << m_checkpoint << " is done\n";
    return true;
}

std::string
Training::Format(double score) const
{
    return m_isShare ? OdcnFormatFixed(100 * score, 2) + " %" : OdcnFormatFixed(score, 3);
}

void
Training::Begin(Learner& learner)
{
    const std::string state = m_checkpoint + ".state";
    if (!std::filesystem::exists(state))
    {
        // Where nothing can be written is better known now than after the first epoch.
        OdcnAtomicFile file(m_checkpoint);
        return;
    }
    if (!m_resume)
    {
        throw OdcnError(state + ": an interrupted training is here; --resume=1 goes on with it, or "
                                "remove it");
    }
    learner.LoadState(state);
    std::ifstream curve(m_checkpoint + ".csv");
    std::getline(curve, m_curve, '\0');
}

void
Training::Write(Learner& learner, const TrainingProgress& progress)
{
    std::ostringstream line;
    if (m_curve.empty())
    {
        line << "epoch,decisions,updates,score,evaluation";
        for (const auto& [name, value] : progress.figures)
        {
            line << "," << name;
        }
        line << "\n";
    }
    line << progress.epoch << "," << progress.decisions << "," << progress.updates << ","
         << OdcnFormatFixed(progress.score, 6) << ","
         << (progress.evaluated ? OdcnFormatFixed(progress.evaluation, 6) : "");
    for (const auto& [name, value] : progress.figures)
    {
        line << "," << value;
    }
    m_curve += line.str() + "\n";
    OdcnAtomicFile curve(m_checkpoint + ".csv");
    curve.Stream() << m_curve;
    curve.Commit();
    learner.SaveState(m_checkpoint + ".state");
    learner.SaveCheckpoint(m_checkpoint, m_provenance);
}

int
Training::Run(Learner& learner, uint64_t decisions)
{
    learner.Prepare();
    Begin(learner);
    OdcnProgress bar("training", decisions == UINT64_MAX ? 0 : decisions, "decisions");
    learner.SetProgress(
        [&](const TrainingProgress& progress)
        {
            const auto metric = [&]()
            {
                std::string text = progress.cloning ? "cloning a rule, " : "";
                text += Format(progress.score);
                if (progress.bestScore > 0)
                {
                    text += ", best " + Format(progress.bestScore);
                }
                for (const auto* name : {"entropy", "sigma"})
                {
                    if (const auto found = progress.figures.find(name);
                        found != progress.figures.end())
                    {
                        text += std::string(", ") + name + " " + OdcnFormatFixed(found->second, 3);
                    }
                }
                return text;
            };
            bar.Update(progress.decisions, metric);
            if (progress.epochEnded)
            {
                Write(learner, progress);
            }
        });
    bool whole = false;
    {
        const SignalGuard guard(learner);
        whole = learner.Train(decisions);
    }
    learner.SetProgress(nullptr);
    if (!whole)
    {
        std::cerr << "\ninterrupted; --resume=1 goes on from " << m_checkpoint << ".state\n";
        return 128 + (g_signal ? g_signal : SIGINT);
    }
    bar.Finish(learner.GetDecisions());
    std::filesystem::remove(m_checkpoint + ".state");
    std::cout << "Files:\n  " << m_checkpoint << "  the best policy by its evaluations\n  "
              << m_checkpoint << ".csv  the learning curve\n";
    return 0;
}

} // namespace odcn
} // namespace ns3
