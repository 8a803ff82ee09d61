// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// Learner that a signal stops, and the signal received.
Learner* g_learner = nullptr;
volatile std::sig_atomic_t g_signal = 0;

/// Signal handler. @param number signal number
void
OnSignal(int number)
{
    g_signal = number;
    if (g_learner)
    {
        g_learner->RequestStop();
    }
}

/// Handles SIGINT and SIGTERM during its lifetime.
class SignalGuard
{
  public:
    /// @param learner learner to stop
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
    void (*m_interrupt)(int); //!< previous handler of SIGINT
    void (*m_terminate)(int); //!< previous handler of SIGTERM
};

/// @param command command line  @return its arguments without --resume, sorted
std::vector<std::string>
WithoutResume(const std::string& command)
{
    std::istringstream in(command);
    std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    const auto isResume = [](const std::string& word) { return word.rfind("--resume", 0) == 0; };
    words.erase(std::remove_if(words.begin(), words.end(), isResume), words.end());
    std::sort(words.begin(), words.end());
    return words;
}

} // namespace

Training::Training(std::string checkpoint, bool resume)
    : m_checkpoint(std::move(checkpoint)),
      m_state(m_checkpoint + ".state"),
      m_resume(resume)
{
}

Training::~Training()
{
    if (m_lock >= 0)
    {
        ::unlink((m_checkpoint + ".lock").c_str());
        ::close(m_lock);
    }
}

void
Training::SetCommand(const std::string& command)
{
    m_provenance["command"] = command;
}

std::string
Training::GetCommand() const
{
    const auto command = m_provenance.find("command");
    return command == m_provenance.end() ? "" : command->second;
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
    if (!m_resume || std::filesystem::exists(m_state) || !std::filesystem::exists(m_checkpoint))
    {
        return false;
    }
    std::cout << m_checkpoint << " is done\n";
    return true;
}

std::string
Training::Format(double score) const
{
    return m_isShare ? FormatFixed(100 * score, 2) + " %" : FormatFixed(score, 3);
}

void
Training::Begin(Learner& learner)
{
    // The operating system releases the lock whenever the process ends.
    const std::string lock = m_checkpoint + ".lock";
    const int file = ::open(lock.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0)
    {
        throw OdcnError(lock + ": cannot be written: " + std::strerror(errno));
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0)
    {
        ::close(file);
        throw OdcnError(m_checkpoint + ": another process is training it");
    }
    m_lock = file;
    for (const auto& target : {m_checkpoint, m_state, m_checkpoint + ".csv"})
    {
        AtomicFile::RemoveTemporaries(target);
    }
    if (!std::filesystem::exists(m_state))
    {
        learner.SaveState(m_state, GetNote());
        return;
    }
    if (!m_resume)
    {
        throw OdcnError(m_state + ": an interrupted training is here; --resume=1 goes on with it, "
                                  "or remove it");
    }
    const auto note = nlohmann::json::parse(learner.LoadState(m_state), nullptr, false);
    const auto read = [&note](const char* name)
    { return note.is_object() ? note.value(name, "") : std::string(); };
    const std::string command = read("command");
    if (WithoutResume(command) != WithoutResume(GetCommand()))
    {
        throw OdcnError(m_state + ": the training began with other options: found '" +
                        GetCommand() + "', expected '" + command + "'");
    }
    SetCommand(command);
    m_curve = read("curve");
}

std::string
Training::GetNote() const
{
    const nlohmann::json note{{"command", GetCommand()}, {"curve", m_curve}};
    return note.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void
Training::AddToCurve(const TrainingProgress& progress)
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
         << FormatFixed(progress.score, 6) << ","
         << (progress.evaluated ? FormatFixed(progress.evaluation, 6) : "");
    for (const auto& [name, value] : progress.figures)
    {
        line << "," << value;
    }
    m_curve += line.str() + "\n";
}

void
Training::Write(Learner& learner)
{
    // The state is written first: after an interruption, resuming rewrites the other files from it.
    learner.SaveState(m_state, GetNote());
    AtomicFile curve(m_checkpoint + ".csv");
    curve.Stream() << m_curve;
    curve.Commit();
    learner.SaveCheckpoint(m_checkpoint, m_provenance);
}

int
Training::Run(Learner& learner, uint64_t decisions)
{
    learner.Prepare();
    Begin(learner);
    Progress bar("training", decisions == UINT64_MAX ? 0 : decisions, "decisions");
    bool written = false;
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
                        text += std::string(", ") + name + " " + FormatFixed(found->second, 3);
                    }
                }
                return text;
            };
            bar.Update(progress.decisions, metric);
            if (progress.epochEnded)
            {
                AddToCurve(progress);
                Write(learner);
                written = true;
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
        std::cerr << "\ninterrupted; --resume=1 goes on from " << m_state << "\n";
        return 128 + (g_signal ? g_signal : SIGINT);
    }
    bar.Finish(learner.GetDecisions());
    if (!written)
    {
        // It was killed after the last state, before the other files were written.
        Write(learner);
    }
    std::filesystem::remove(m_state);
    std::cout << "Files:\n  " << m_checkpoint << "  the best policy by its evaluations\n  "
              << m_checkpoint << ".csv  the learning curve\n";
    return 0;
}

} // namespace ns3::odcn
