// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-file-digest.h"
#include "ns3/odcn-file-lock.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-live-page.h"
#include "ns3/odcn-mpi-ranks.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// Options of a command line by name, with their values as typed.
using Options = std::map<std::string, std::string>;

/**
 * @param command command line as typed, with quotes around words that contain blanks
 * @return its options, without those that change nothing of the result
 */
Options
ReadOptions(const std::string& command)
{
    std::vector<std::string> words(1);
    bool quoted = false;
    for (const char c : command)
    {
        if (c == '\'')
        {
            quoted = !quoted;
        }
        else if (c == ' ' && !quoted)
        {
            words.emplace_back();
        }
        else
        {
            words.back() += c;
        }
    }
    Options options;
    int unnamed = 0;
    for (const auto& word : words)
    {
        const auto equals = word.find('=');
        const auto name = word.substr(0, equals);
        const auto plain = name.substr(std::min(name.find_first_not_of('-'), name.size()));
        if (!word.empty() && plain != "resume" && plain != "live")
        {
            // Options and variables of the environment have names; other words, such as the
            // program's, count by their order.
            const bool named = equals != std::string::npos || word[0] == '-';
            options[named ? name : "word " + std::to_string(++unnamed)] =
                named ? word.substr(name.size()) : word;
        }
    }
    return options;
}

/**
 * Compare the options of a training with those that it began with.
 * @param path file of the training, for the error  @param then command that it began with
 * @param now present command
 * @throws OdcnError when they differ
 */
void
RequireSameOptions(const std::string& path, const std::string& then, const std::string& now)
{
    const auto before = ReadOptions(then);
    const auto present = ReadOptions(now);
    const auto describe = [](const Options& options, const std::string& name)
    {
        const auto found = options.find(name);
        return found == options.end()       ? "without " + name
               : name.rfind("word", 0) == 0 ? "with " + found->second
                                            : "with " + name + found->second;
    };
    for (const auto* options : {&before, &present})
    {
        for (const auto& [name, value] : *options)
        {
            const auto old = describe(before, name);
            if (const auto other = describe(present, name); old != other)
            {
                throw OdcnError(path + ": the training began " + old + ", found it " + other +
                                ": resume with the options that it began with");
            }
        }
    }
}

/// @param path a trained policy, network or linear  @return its provenance
std::map<std::string, std::string>
ReadProvenance(const std::string& path)
{
    RequireFile(path);
    if (std::ifstream(path).peek() == '{')
    {
        auto policy = CreateObject<LinearPolicy>();
        policy->SetAttribute("File", StringValue(path));
        return policy->GetProvenance();
    }
    return Checkpoint::Read(path).provenance;
}

} // namespace

Training::Training(std::string checkpoint, bool resume)
    : m_checkpoint(std::move(checkpoint)),
      m_state(m_checkpoint + ".state"),
      m_resume(resume),
      m_ranks(MakeRanks())
{
}

Training::~Training() = default;

void
Training::SetCommand(const std::string& command)
{
    m_provenance["command"] = command;
    for (const auto& [name, value] : ReadOptions(command))
    {
        if (value.empty() || value[0] != '=')
        {
            continue; // the program, or an option without a value
        }
        for (const auto& [path, digest] : GetFileDigests(value))
        {
            AddFile(path);
        }
    }
}

void
Training::AddFile(const std::string& path)
{
    std::error_code error;
    const auto isOwn = [&](const std::string& own)
    { return std::filesystem::equivalent(path, own, error); };
    if (const std::string digest = GetFileDigest(path);
        !digest.empty() && !isOwn(m_checkpoint) && !isOwn(m_state))
    {
        m_files[path] = digest;
    }
}

void
Training::RequireSameFiles(const std::string& then) const
{
    std::istringstream lines(then);
    for (std::string line; std::getline(lines, line);)
    {
        const auto blank = line.find(' ');
        const std::string path = line.substr(blank + 1);
        const auto present = m_files.find(path);
        if (present == m_files.end() || present->second != line.substr(0, blank))
        {
            throw OdcnError(path + ": found it changed since the training of " + m_checkpoint +
                            " began, expected the file as it was");
        }
    }
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

std::string
Training::OnFirst(const std::function<std::string()>& work) const
{
    std::string result;
    m_ranks
        ->Exchange(
            [&](Parcel& parcel)
            {
                std::string own = m_ranks->IsFirst() ? work() : "";
                parcel.PassList(own);
            })
        .front()
        .PassList(result);
    return result;
}

bool
Training::IsDone() const
{
    return OnFirst([this] { return CheckDone() ? "done" : ""; }) == "done";
}

bool
Training::CheckDone() const
{
    if (!m_resume || std::filesystem::exists(m_state) ||
        !std::filesystem::is_regular_file(m_checkpoint))
    {
        return false;
    }
    if (!GetCommand().empty())
    {
        const auto provenance = ReadProvenance(m_checkpoint);
        if (const auto then = provenance.find("command"); then != provenance.end())
        {
            RequireSameOptions(m_checkpoint, then->second, GetCommand());
        }
    }
    // It may have been killed between its last file and the removal of its lock.
    const FileLock lock(m_checkpoint + ".lock", m_checkpoint);
    RemoveTemporaries();
    std::cout << m_checkpoint << " is done\n";
    return true;
}

void
Training::RemoveTemporaries() const
{
    for (const auto& target :
         {m_checkpoint, m_state, m_checkpoint + ".csv", m_checkpoint + ".html"})
    {
        AtomicFile::RemoveTemporaries(target);
    }
}

std::string
Training::Format(double score) const
{
    return m_isShare ? FormatFixed(100 * score, 2) + " %" : FormatFixed(score, 3);
}

void
Training::Begin(Learner& learner)
{
    m_lock = std::make_unique<FileLock>(m_checkpoint + ".lock", m_checkpoint);
    RemoveTemporaries();
    if (!std::filesystem::exists(m_state))
    {
        const AtomicFile writable(m_checkpoint); // or the error comes after an epoch
        learner.SaveState(m_state, GetNote());
        return;
    }
    if (!m_resume)
    {
        throw OdcnError(m_state + ": an interrupted training is here; --resume=1 goes on with it, "
                                  "or remove it");
    }
    const auto note = ParseFlatJson(Learner::ReadNote(m_state), m_state, "a training");
    const auto read = [&note](const char* name)
    { return note.is_object() ? note.value(name, "") : std::string(); };
    // The options first: an error names what the user typed.
    RequireSameOptions(m_state, read("command"), GetCommand());
    RequireSameFiles(read("files"));
    learner.LoadState(m_state);
    SetCommand(read("command"));
    m_curve = read("curve");
}

std::string
Training::GetNote() const
{
    std::string files;
    for (const auto& [path, digest] : m_files)
    {
        files += digest + " " + path + "\n";
    }
    const nlohmann::json note{{"command", GetCommand()}, {"curve", m_curve}, {"files", files}};
    return FormatJson(note);
}

void
Training::AddToCurve(const TrainingProgress& progress)
{
    PlainStream line;
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

std::string
Training::GetName() const
{
    return std::filesystem::path(m_checkpoint).filename().string();
}

RunReport
Training::MakeReport() const
{
    RunReport report;
    report.SetCommand(GetCommand());
    for (const auto& [key, value] : m_provenance)
    {
        if (key != "command") // it is the first fact
        {
            report.AddFact(key, value);
        }
    }
    report.AddTraining(GetName(), m_checkpoint + ".csv");
    return report;
}

int
Training::Run(Learner& learner, uint64_t decisions)
{
    const Interruption::Guard guard;
    learner.SetRanks(*m_ranks);
    int status = 0;
    std::exception_ptr error;
    try
    {
        status = RunRank(learner, decisions);
    }
    catch (...)
    {
        error = std::current_exception();
        m_ranks->Fail(error);
    }
    learner.SetRanks(Ranks::Alone());
    if (!m_ranks->IsFirst())
    {
        // Rank 0 goes on alone; without an error here, so that it can report its own.
        m_ranks.reset();
        std::exit(EXIT_SUCCESS);
    }
    if (error)
    {
        std::rethrow_exception(error);
    }
    return status;
}

int
Training::RunRank(Learner& learner, uint64_t decisions)
{
    learner.Prepare();
    const auto state = OnFirst(
        [&]
        {
            Begin(learner);
            return m_ranks->IsAlone() ? "" : learner.GetStateBytes();
        });
    if (!m_ranks->IsFirst())
    {
        learner.SetStateBytes(state, m_state);
    }
    if (m_ranks->IsFirst())
    {
        std::cerr << "training: a decision is one choice of an action by the policy; those of all "
                     "problems count\n";
    }
    Progress bar("training", decisions == UINT64_MAX ? 0 : decisions, "decisions");
    bar.Resume(learner.GetDecisions());
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
            if (progress.epochEnded)
            {
                AddToCurve(progress);
                Write(learner);
                written = true;
                LivePage::Offer([&]() { return MakeReport().MakeRecord(GetName()); });
            }
            bar.Update(progress.decisions, metric);
        });
    if (!m_ranks->IsFirst())
    {
        learner.SetProgress(nullptr);
    }
    try
    {
        if (!learner.Train(decisions))
        {
            throw Interruption(SIGINT);
        }
        if (learner.IsBestKept())
        {
            m_freshScore = learner.EvaluateKept().score;
            m_provenance["fresh score"] = FormatNumber(m_freshScore);
        }
    }
    catch (const Interruption& stop)
    {
        learner.SetProgress(nullptr);
        m_ranks->Fail(std::current_exception());
        if (m_ranks->IsFirst())
        {
            std::cerr << "\n"
                      << stop.what() << "; --resume=1 goes on from " << m_state
                      << ", written when the last epoch ended, after " << learner.GetDecisions()
                      << " of " << decisions << " decisions\n";
        }
        return stop.GetStatus();
    }
    learner.SetProgress(nullptr);
    OnFirst(
        [&]
        {
            bar.Finish(learner.GetDecisions());
            Finish(learner, written);
            return "";
        });
    return 0;
}

void
Training::Finish(Learner& learner, bool written)
{
    if (!written)
    {
        // It was killed after the last state, before the other files were written.
        Write(learner);
    }
    else if (learner.IsBestKept())
    {
        learner.SaveCheckpoint(m_checkpoint, m_provenance);
    }
    if (LivePage* live = LivePage::Get())
    {
        live->SetRecord(MakeReport().MakeRecord(GetName()));
    }
    const std::string name = GetName();
    const std::string kept = learner.IsBestKept() ? "the best policy by its evaluations"
                                                  : "the policy of the last epoch";
    AtomicFile page(m_checkpoint + ".html");
    page.Stream() << MakeReport().MakePage(name,
                                           {{name, kept}, {name + ".csv", "the learning curve"}});
    page.Commit();
    // Last: until then, resuming writes all files again.
    std::filesystem::remove(m_state);
    if (learner.IsBestKept())
    {
        std::cout << "Score of the policy kept: " << Format(learner.GetBest().score)
                  << " in the evaluation by which it was chosen (optimistic), "
                  << Format(m_freshScore) << " on fresh streams.\n";
    }
    std::cout << "Files:\n  " << m_checkpoint << "  " << kept << "\n  " << m_checkpoint
              << ".csv  the learning curve\n  " << m_checkpoint << ".html  its report\n";
}

} // namespace ns3::odcn
