// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-experiment.h"

#include "odcn-live-page.h"
#include "odcn-progress.h"
#include "odcn-run-report.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-hindsight-search.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-process-team.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-run-guard.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <tuple>

namespace ns3::odcn
{

std::pair<std::string, std::string>
Experiment::SplitTitle(const std::string& words)
{
    const auto equals = words.find('=');
    const bool titled = equals < words.find_first_of("[@");
    return {titled ? words.substr(0, equals) : words, titled ? words.substr(equals + 1) : words};
}

void
Experiment::SetProblem(ProblemBuilder builder)
{
    m_builder = std::move(builder);
}

void
Experiment::AddCase(Labels labels, CaseBuilder builder)
{
    if (!builder)
    {
        throw OdcnError("experiment: a case needs what builds its problem");
    }
    m_cases.push_back({std::move(labels), std::move(builder), {}, {}});
}

void
Experiment::SetLoads(const std::string& loads, const std::string& help)
{
    m_loads = loads;
    m_loadsHelp = help;
    GetLoads();
}

std::vector<double>
Experiment::GetLoads() const
{
    std::vector<double> loads;
    // Empty where the program has no such option, but not on a command line.
    if (!m_loads.empty() || !m_loadsHelp.empty())
    {
        loads = OdcnCommandLine::SplitNumbers(m_loads, "loads");
    }
    for (const double load : loads)
    {
        OdcnCommandLine::Check(load > 0, "loads", m_loads, "numbers above 0");
    }
    return loads;
}

double
Experiment::GetLoad() const
{
    const auto loads = GetLoads();
    OdcnCommandLine::Check(loads.size() == 1, "loads", m_loads, "one number, with --train");
    return loads.front();
}

void
Experiment::AddPolicy(const std::string& words)
{
    const auto [title, policy] = SplitTitle(words);
    AddPolicy(title, policy);
}

void
Experiment::AddPolicy(const std::string& title, const std::string& words)
{
    m_entries.push_back({title, words, nullptr});
    GetEntries();
}

void
Experiment::AddPolicy(const std::string& title, Ptr<DecisionPolicy> policy)
{
    if (!policy)
    {
        throw OdcnError::InOption("policy " + title, "null", "an object");
    }
    m_entries.push_back({title, "", policy});
    GetEntries();
}

std::vector<Experiment::Entry>
Experiment::GetEntries() const
{
    std::vector<Entry> entries;
    if (!m_policies.empty())
    {
        for (const auto& words : OdcnCommandLine::SplitList(m_policies, "policies"))
        {
            const auto [title, policy] = SplitTitle(words);
            entries.push_back({title, policy, nullptr});
        }
    }
    // A policy of the program may be in the option, too.
    const std::vector<Entry> given = entries;
    const auto isGiven = [&given](const Entry& added)
    {
        return std::any_of(given.begin(),
                           given.end(),
                           [&](const Entry& entry) {
                               return !added.policy && entry.title == added.title &&
                                      entry.words == added.words;
                           });
    };
    std::remove_copy_if(m_entries.begin(), m_entries.end(), std::back_inserter(entries), isGiven);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    {
        const bool twice = std::any_of(entries.begin(),
                                       entry,
                                       [&](const Entry& e) { return e.title == entry->title; });
        OdcnCommandLine::Check(!entry->title.empty() && !twice,
                               "policies",
                               entry->title,
                               "each title once, and not empty");
        entry->forms = ExpandBraces(entry->words);
        OdcnCommandLine::Check(!entry->forms.empty(), "policies", entry->words, "a } for each {");
    }
    return entries;
}

bool
Experiment::HasPolicy(const std::string& title) const
{
    const auto entries = GetEntries();
    return std::any_of(entries.begin(),
                       entries.end(),
                       [&](const Entry& entry) { return entry.title == title; });
}

void
Experiment::SetPolicies(const std::string& policies)
{
    m_policies = policies;
    GetEntries();
}

void
Experiment::SetJobs(uint64_t jobs, uint64_t warmUp)
{
    OdcnCommandLine::Check(jobs > 0, "jobs", jobs, "1 or more");
    m_sized = true;
    m_jobs = jobs;
    m_warmUp = warmUp;
}

void
Experiment::SetBatches(uint32_t batches)
{
    OdcnCommandLine::Check(batches > 0, "batches", batches, "1 or more");
    m_batches = batches;
}

void
Experiment::SetReplications(uint32_t replications)
{
    OdcnCommandLine::Check(replications > 0, "replications", replications, "1 or more");
    m_replications = replications;
}

void
Experiment::SetSweepRuns(uint32_t runs)
{
    m_sweepRuns = runs;
}

void
Experiment::SetOneRun(bool oneRun)
{
    m_oneRun = oneRun;
}

void
Experiment::SetProcesses(uint32_t processes)
{
    m_processes = processes;
}

void
Experiment::SetFirstRun(uint64_t run)
{
    m_firstRun = run;
}

void
Experiment::SetReference(const std::string& policy)
{
    m_reference = policy;
}

void
Experiment::SetComparisons(uint32_t comparisons)
{
    m_comparisons = comparisons;
}

bool
Experiment::IsRule(const Row& row)
{
    return !row.choice.IsTrained() && !row.choice.bound &&
           !HindsightSearch::IsNamedBy(row.choice.words);
}

std::size_t
Experiment::CountRules() const
{
    std::size_t most = 0;
    for (const auto& c : m_cases)
    {
        const auto rules = std::count_if(c.rows.begin(), c.rows.end(), IsRule);
        most = std::max(most, static_cast<std::size_t>(rules));
    }
    return most;
}

std::size_t
Experiment::GetNCandidates() const
{
    std::size_t most = 1;
    for (const auto& c : m_cases)
    {
        for (const auto& row : c.rows)
        {
            // A rule is not compared with itself.
            const auto others =
                std::count_if(c.rows.begin(),
                              c.rows.end(),
                              [&](const Row& rule) { return &rule != &row && IsRule(rule); });
            most = std::max(most, row.choice.bound ? 1 : static_cast<std::size_t>(others));
        }
    }
    return m_reference.empty() ? most : 1;
}

std::size_t
Experiment::GetNComparisons() const
{
    if (m_comparisons > 0)
    {
        return m_comparisons * GetNCandidates();
    }
    std::size_t n = 0;
    for (const auto& c : m_cases)
    {
        const auto compared = static_cast<std::size_t>(
            std::count_if(c.rows.begin(),
                          c.rows.end(),
                          [](const Row& row) { return !row.choice.bound; }));
        const auto rules =
            static_cast<std::size_t>(std::count_if(c.rows.begin(), c.rows.end(), IsRule));
        const std::size_t references = m_reference.empty() ? rules : 1;
        // Pairs of a reference and another policy.
        for (std::size_t i = 1; i <= references && i <= compared; ++i)
        {
            n += compared - i;
        }
    }
    return std::max<std::size_t>(n, 1);
}

double
Experiment::GetDifferenceConfidence() const
{
    return 1 - (1 - ODCN_CONFIDENCE) / static_cast<double>(GetNComparisons());
}

void
Experiment::SetOutput(const std::string& folder)
{
    m_output = folder;
}

void
Experiment::AddOptions(OdcnCommandLine& cmd, const std::string& problem)
{
    const auto names = PolicyRegistry::GetNames(problem);
    cmd.SetGroup("Experiment");
    cmd.AddValue("policies",
                 "comma-separated policies by short name, TypeId or file (.pt, .json), optionally "
                 "preceded by TITLE= and followed by Attributes in brackets" +
                     (names.empty() ? "" : "; names: " + JoinWords(names)),
                 m_policies);
    if (!m_loadsHelp.empty())
    {
        cmd.AddValue("loads", m_loadsHelp + ", separated by commas", m_loads);
    }
    if (m_sized)
    {
        cmd.AddValue("jobs", "measured jobs per replication", m_jobs);
        cmd.AddValue("warmUp", "jobs decided before measurement begins", m_warmUp);
    }
    cmd.AddValue("replications",
                 m_oneRun ? "independent episodes of the run --RngRun"
                          : "independent runs of each policy; --RngRun is the first",
                 m_replications);
    cmd.AddValue("sweepRuns",
                 "replications of the sweep over the forms of a policy in braces, as in "
                 "tetris[Knob={0,0.1}]; 0 for as many as are compared",
                 m_sweepRuns);
    cmd.AddRange("processes",
                 "processes that run replications, with the same results for any number; 0 for "
                 "one for each core",
                 m_processes,
                 0U,
                 4096U);
    cmd.AddValue("reference",
                 "policy that the others are compared with (default: the best rule)",
                 m_reference);
    cmd.AddValue("comparisons",
                 "number of differences from the reference that are claimed together; their "
                 "intervals are widened so that all hold at once, whichever rule is the best (0: "
                 "all policies and cases)",
                 m_comparisons);
    cmd.AddValue("output", "folder of the results", m_output);
    cmd.AddValue("wide", "print tables at full width instead of at most 100 columns", m_wide);
    cmd.Restrict({"policies",
                  "jobs",
                  "warmUp",
                  "replications",
                  "sweepRuns",
                  "processes",
                  "reference",
                  "comparisons",
                  "output",
                  "wide"},
                 {"!train"});
    m_report.AddOptions(cmd);
}

void
Experiment::SetFinder(Finder finder)
{
    m_finder = std::move(finder);
}

void
Experiment::SetBegun(TrialHook begun, HookScope scope)
{
    m_begun = std::move(begun);
    m_begunScope = scope;
}

void
Experiment::SetEnded(TrialHook ended, HookScope scope)
{
    m_ended = std::move(ended);
    m_endedScope = scope;
}

void
Experiment::SetRunner(TrialHook runner)
{
    m_runner = std::move(runner);
}

void
Experiment::AddFigures(std::vector<FigureOfMerit> figures, Meter meter)
{
    m_figures = std::move(figures);
    m_meter = std::move(meter);
}

void
Experiment::AddBound(std::size_t index,
                     const std::string& title,
                     const std::map<std::string, Estimate>& values)
{
    m_cases.at(index).bounds.push_back({title, values});
}

void
Experiment::Prepare()
{
    OdcnCommandLine::Check(m_replications > 0, "replications", m_replications, "1 or more");
    OdcnCommandLine::Check(m_jobs > 0 || !m_sized, "jobs", m_jobs, "1 or more");
    if (m_cases.empty() && m_builder)
    {
        const auto given = GetLoads();
        const auto loads = given.empty() ? std::vector<double>{1} : given;
        for (const double load : loads)
        {
            AddCase({{"load", FormatNumber(load)}}, [this, load]() { return m_builder(load); });
        }
    }
    if (m_cases.empty())
    {
        throw OdcnError("experiment: SetProblem() or AddCase() first");
    }
    const auto entries = GetEntries();
    if (entries.empty())
    {
        throw OdcnError("experiment: no policy; AddPolicy() or --policies");
    }
    if (!m_reference.empty() && !HasPolicy(m_reference))
    {
        throw OdcnError::InOption("reference", m_reference, "one of the policies compared");
    }
    for (auto& c : m_cases)
    {
        const auto problem = c.builder();
        if (!problem)
        {
            throw OdcnError("experiment: a builder returned no problem");
        }
        c.rows.clear();
        auto figures = problem->GetFigures();
        figures.insert(figures.end(), m_figures.begin(), m_figures.end());
        for (const auto& entry : entries)
        {
            Row row;
            row.policy = entry.policy;
            if (entry.policy)
            {
                row.choice.words = entry.policy->GetInstanceTypeId().GetName();
            }
            else
            {
                for (const auto& words : entry.forms)
                {
                    row.forms.emplace_back().choice = m_finder
                                                          ? m_finder(c.labels, words)
                                                          : PolicyRegistry::Find(*problem, words);
                }
                row.choice = row.forms.front().choice;
                row.forms.resize(entry.forms.size() > 1 ? entry.forms.size() : 0);
            }
            row.choice.name = entry.title;
            row.observations = Observations(figures, m_batches > 1);
            c.rows.push_back(std::move(row));
        }
    }
}

std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>
Experiment::Begin(std::size_t index, const Row& row) const
{
    return Begin(m_cases.at(index), row, nullptr);
}

std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>
Experiment::Begin(const Trial& trial) const
{
    const auto& rows = m_cases.at(trial.index).rows;
    const auto row = std::find_if(rows.begin(),
                                  rows.end(),
                                  [&](const Row& r) { return &r.choice == &trial.choice; });
    return Begin(trial.index, *row);
}

std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>
Experiment::Begin(const Case& c, const Row& row, const BegunHook& begun) const
{
    const auto problem = c.builder();
    const auto policy = row.policy ? row.policy : row.choice.Create();
    row.choice.Configure(*problem, *policy);
    if (auto* search = dynamic_cast<HindsightSearch*>(PeekPointer(policy)))
    {
        const auto twin = c.builder();
        row.choice.Configure(*twin, *policy);
        if (begun)
        {
            begun(twin, policy, false);
        }
        search->SetTwin(twin, 0, m_warmUp, m_jobs > 0 ? m_jobs : UINT64_MAX);
    }
    const int64_t used = problem->AssignStreams(0);
    policy->AssignStreams(std::max(used, POLICY_STREAMS));
    if (begun)
    {
        begun(problem, policy, true);
    }
    problem->Reset();
    policy->Reset();
    return {problem, policy};
}

void
Experiment::Check()
{
    const RunGuard guard;
    Prepare();
    for (auto& c : m_cases)
    {
        for (auto& row : c.rows)
        {
            const auto [problem, policy] = Begin(c, row, nullptr);
            row.batch = policy->GetBatch();
            if ((m_warmUp > 0 || m_batches > 1) && problem->IsMeasuredWhole())
            {
                throw OdcnError(problem->GetInstanceTypeId().GetName() +
                                ": its figures are those of a whole episode, found " +
                                (m_warmUp > 0 ? "a warm-up" : "batches") + ", expected none");
            }
            const bool search = HindsightSearch::IsNamedBy(row.choice.words);
            if (search && (m_batches > 1 || m_oneRun))
            {
                throw OdcnError::InOption("policy " + row.choice.name,
                                          row.choice.words,
                                          "a policy that does not know the future: HindsightSearch "
                                          "is for replications of one batch, each a run");
            }
            // The first decision of a search takes as long as all of its episodes.
            if (!problem->IsDone() && !search)
            {
                const uint32_t action = policy->Decide(*problem);
                OdcnCommandLine::Check(action < problem->GetNActions(),
                                       "policy " + row.choice.name,
                                       action,
                                       "an action below " + std::to_string(problem->GetNActions()));
            }
        }
    }
}

uint64_t
Experiment::GetFirstRun() const
{
    return m_firstRun ? m_firstRun : m_rngRun ? m_rngRun : RngSeedManager::GetRun();
}

uint64_t
Experiment::GetLastRun() const
{
    const auto entries = GetEntries();
    const bool sweeps = std::any_of(entries.begin(),
                                    entries.end(),
                                    [](const Entry& entry) { return entry.forms.size() > 1; });
    return GetFirstRun() + GetNRuns(m_replications) + (sweeps ? GetNRuns(GetSweepRuns()) : 0) - 1;
}

void
Experiment::PassOutcome(Parcel& parcel, Outcome& outcome)
{
    const auto passSize = [&parcel](auto& list)
    {
        uint64_t n = list.size();
        parcel.Pass(n);
        list.resize(n);
    };
    parcel.PassList(outcome.provenance);
    passSize(outcome.observations);
    for (auto& observation : outcome.observations)
    {
        DecisionTally& tally = observation.tally;
        parcel.Pass(observation.run,
                    observation.episode,
                    observation.decisions,
                    tally.offered,
                    tally.accepted,
                    tally.interrupted);
        passSize(tally.blocked);
        for (auto& [cause, n] : tally.blocked)
        {
            parcel.PassList(cause);
            parcel.Pass(n);
        }
        passSize(observation.values);
        for (auto& value : observation.values)
        {
            parcel.Pass(value.total, value.count);
        }
    }
}

void
Experiment::Measure()
{
    Check();
    RunAll();
}

std::vector<Experiment::Task>
Experiment::MakeTasks() const
{
    std::vector<Task> tasks;
    for (std::size_t index = 0; index < m_cases.size(); ++index)
    {
        const Case& c = m_cases[index];
        for (std::size_t row = 0; row < c.rows.size(); ++row)
        {
            const uint32_t runs = GetNRuns(m_replications);
            for (uint32_t r = 0; r < runs; r += tasks.back().replications)
            {
                // What measures or records a trial may repeat it, one decision at a time.
                const bool alone = m_meter || IsBoundHere(c.rows[row], r);
                tasks.push_back({index, row, r, alone ? 1 : std::min(c.rows[row].batch, runs - r)});
            }
        }
    }
    return tasks;
}

bool
Experiment::IsBoundHere(const Row& row, uint32_t replication) const
{
    const auto binds = [&](const TrialHook& hook, HookScope scope)
    {
        return hook && (scope == HookScope::ALL ||
                        (scope == HookScope::FIRST && (m_oneRun || replication == 0)));
    };
    return m_runner || row.policy || binds(m_begun, m_begunScope) || binds(m_ended, m_endedScope);
}

/// Runs a task: one replication, or several in lockstep.
class Experiment::TaskRun
{
  public:
    /// @param experiment experiment after Check()
    /// @param task what to run
    /// @param decided called with the number of jobs decided in the first replication
    TaskRun(const Experiment& experiment, const Task& task, std::function<void(uint64_t)> decided)
        : m_experiment(experiment),
          m_case(experiment.m_cases[task.index]),
          m_row(m_case.rows[task.row]),
          m_task(task),
          m_title(m_row.choice.name),
          m_decided(std::move(decided)),
          m_observations(task.replications)
    {
        for (const auto& [column, value] : experiment.m_cases.size() > 1 ? m_case.labels : Labels())
        {
            const bool first = m_title.size() == m_row.choice.name.size();
            m_title += (first ? " at " : ", ") + column + " " + value;
        }
    }

    /// @param ended called after each replication
    /// @return what came of it
    Outcome Run(const std::function<void()>& ended)
    {
        for (uint32_t i = 0; i < m_task.replications; ++i)
        {
            Begin();
        }
        const uint32_t rounds = m_experiment.m_oneRun ? m_experiment.m_replications : 1;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            for (auto& episode : m_episodes)
            {
                if (round > 0)
                {
                    episode.problem->Reset();
                    episode.policy->Reset();
                }
            }
            WarmUp();
            for (uint32_t batch = 0; batch < m_experiment.m_batches; ++batch)
            {
                Measure(round, batch);
            }
            for (std::size_t i = 0; i < m_episodes.size(); ++i)
            {
                if (m_experiment.m_ended)
                {
                    m_experiment.m_ended(MakeTrial(i, round));
                }
                ended();
            }
        }
        Outcome outcome;
        for (const auto& some : m_observations)
        {
            outcome.observations.insert(outcome.observations.end(), some.begin(), some.end());
        }
        for (const auto& [name, text] : m_episodes.front().policy->GetProvenance())
        {
            outcome.provenance += (outcome.provenance.empty() ? "" : "\n") + name + ": " + text;
        }
        return outcome;
    }

  private:
    /// @param i index of an episode
    /// @return its run of ns-3
    uint64_t GetRun(std::size_t i) const
    {
        return m_experiment.GetFirstRun() + m_task.replication + i;
    }

    /// @param i index of an episode
    /// @param round of it
    /// @return its trial, for hooks, in its run of ns-3
    Trial MakeTrial(std::size_t i, uint32_t round)
    {
        const Episode& episode = m_episodes[i];
        RngSeedManager::SetRun(GetRun(i));
        return {m_task.index,
                m_title,
                m_case.labels,
                m_row.choice,
                GetRun(i),
                m_task.replication + static_cast<uint32_t>(i) + round,
                *episode.problem,
                *episode.policy,
                m_experiment.m_counts};
    }

    /// Begin the next replication.
    void Begin()
    {
        auto& episode = m_episodes.emplace_back();
        RngSeedManager::SetRun(GetRun(m_episodes.size() - 1));
        std::tie(episode.problem, episode.policy) =
            m_experiment.Begin(m_case,
                               m_row,
                               [&](const auto& problem, const auto& policy, bool counts)
                               {
                                   episode.problem = problem;
                                   episode.policy = policy;
                                   if (m_experiment.m_begun)
                                   {
                                       auto trial = MakeTrial(m_episodes.size() - 1, 0);
                                       trial.counts = trial.counts && counts;
                                       m_experiment.m_begun(trial);
                                   }
                               });
    }

    /// Decide the jobs that do not count.
    void WarmUp()
    {
        if (m_experiment.m_warmUp == 0)
        {
            return;
        }
        DecisionProblem::RunEpisodes(m_episodes, m_experiment.m_warmUp, m_decided);
        for (const auto& episode : m_episodes)
        {
            if (episode.problem->IsDone())
            {
                throw OdcnError("the episode ended within the warm-up, after " +
                                std::to_string(episode.problem->GetNDecided()) + " jobs");
            }
            episode.problem->ClearScore();
        }
    }

    /// @param round present one
    /// @param batch to decide and to measure where the episode has not ended before it
    void Measure(uint32_t round, uint32_t batch)
    {
        std::vector<std::size_t> measured;
        for (std::size_t i = 0; i < m_episodes.size(); ++i)
        {
            Episode& episode = m_episodes[i];
            episode.decisions = 0;
            if (batch > 0 && episode.problem->IsDone())
            {
                continue;
            }
            if (batch > 0)
            {
                episode.problem->ClearScore();
            }
            measured.push_back(i);
        }
        const uint64_t jobs = m_experiment.m_jobs / m_experiment.m_batches;
        if (m_experiment.m_runner)
        {
            m_experiment.m_runner(MakeTrial(0, round));
        }
        else
        {
            DecisionProblem::RunEpisodes(m_episodes,
                                         m_experiment.m_jobs ? std::max<uint64_t>(1, jobs)
                                                             : UINT64_MAX,
                                         m_decided);
        }
        for (const std::size_t i : measured)
        {
            const Episode& episode = m_episodes[i];
            auto& observation =
                m_observations[i].emplace_back(Observation{GetRun(i),
                                                           m_experiment.m_oneRun ? round : batch,
                                                           episode.decisions,
                                                           episode.problem->GetTally(),
                                                           episode.problem->MeasureFigures()});
            if (m_experiment.m_meter)
            {
                const auto more = m_experiment.m_meter(MakeTrial(i, round));
                observation.values.insert(observation.values.end(), more.begin(), more.end());
            }
        }
    }

    const Experiment& m_experiment;                       //!< the experiment
    const Case& m_case;                                   //!< that of the task
    const Row& m_row;                                     //!< that of the task
    const Task& m_task;                                   //!< what to run
    std::string m_title;                                  //!< policy, and the case if several
    std::function<void(uint64_t)> m_decided;              //!< called with a number of jobs
    std::vector<Episode> m_episodes;                      //!< one for each replication
    std::vector<std::vector<Observation>> m_observations; //!< of each episode
};

/// The trials of an experiment while they run.
class Experiment::Trials
{
  public:
    /// @param experiment experiment after Check(); its rows get the observations
    explicit Trials(Experiment& experiment)
        : m_experiment(experiment),
          m_tasks(experiment.MakeTasks()),
          m_perTrial(experiment.m_jobs ? experiment.m_jobs + experiment.m_warmUp : 1),
          m_team(experiment.m_processes)
    {
        const uint64_t perRun = m_perTrial * (experiment.m_oneRun ? experiment.m_replications : 1);
        for (const auto& task : m_tasks)
        {
            const Row& row = experiment.m_cases[task.index].rows[task.row];
            m_work.here.push_back(experiment.IsBoundHere(row, task.replication));
            // Of each case those of several replications first, which take longest: a long one that
            // began last would run alone.
            m_work.turns.push_back((uint64_t{task.index} << 32) + UINT32_MAX - task.replications);
            m_units += perRun * task.replications;
        }
        m_progress.emplace(experiment.m_name.empty() ? "experiment" : experiment.m_name,
                           m_units,
                           experiment.m_jobs ? "jobs" : "replications");
    }

    /// Run them. Throws an Interruption after a signal.
    void Run()
    {
        m_work.run = [this](std::size_t i) { return RunOne(m_tasks[i]); };
        m_work.take = [this](std::size_t i, const std::string& bytes) { Take(m_tasks[i], bytes); };
        m_work.progress = [this](uint64_t units)
        { m_progress->Update(units, [this]() { return GetName(); }); };
        m_team.Run(m_work);
    }

    /// All have ended.
    void Finish()
    {
        m_progress->Finish(m_units);
        if (LivePage* page = LivePage::Get())
        {
            page->SetRecord(MakeRecord());
        }
    }

    /// @return index of the case of which rows are missing
    std::size_t GetCase() const
    {
        return m_index;
    }

    /// @return number of its rows that are finished
    std::size_t GetFinished() const
    {
        return m_finished;
    }

  private:
    /// @param task to run, in any process
    /// @return what came of it, as bytes
    std::string RunOne(const Task& task)
    {
        uint64_t episodes = 0;
        m_team.Report(0);
        const auto decided = [&](uint64_t jobs)
        {
            if (m_experiment.m_jobs)
            {
                m_team.Report((episodes * m_perTrial + std::min(jobs, m_perTrial)) *
                              task.replications);
            }
        };
        const auto ended = [&]() { m_team.SetUnits(++episodes * m_perTrial); };
        Outcome outcome = TaskRun(m_experiment, task, decided).Run(ended);
        Parcel parcel;
        PassOutcome(parcel, outcome);
        return parcel.GetBytes();
    }

    /// @param task that has ended
    /// @param bytes what came of it
    void Take(Task& task, const std::string& bytes)
    {
        Parcel parcel(bytes);
        PassOutcome(parcel, task.outcome.emplace());
        AddKnown();
    }

    /// Add outcomes to their rows: trials end in any order, rows get them in the order of the
    /// tasks.
    void AddKnown()
    {
        for (; m_added < m_tasks.size() && m_tasks[m_added].outcome; ++m_added)
        {
            const Task& task = m_tasks[m_added];
            auto& rows = m_experiment.m_cases[task.index].rows;
            for (const auto& observation : task.outcome->observations)
            {
                rows[task.row].observations.Add(observation);
            }
            if (!task.outcome->provenance.empty())
            {
                // That of the first case.
                m_experiment.m_provenance.emplace(rows[task.row].choice.name,
                                                  task.outcome->provenance);
            }
            const bool last = m_added + 1 == m_tasks.size() ||
                              m_tasks[m_added + 1].row != task.row ||
                              m_tasks[m_added + 1].index != task.index;
            if (last)
            {
                ++m_finished;
                if (m_finished == rows.size())
                {
                    ++m_index;
                    m_finished = 0;
                }
                LivePage::Offer([this]() { return MakeRecord(); });
            }
        }
    }

    /// @return title of the first policy that is not finished
    std::string GetName() const
    {
        const Task& task = m_tasks[std::min(m_added, m_tasks.size() - 1)];
        return m_experiment.m_cases[task.index].rows[task.row].choice.name;
    }

    /// @return record of the finished rows for the live page
    std::string MakeRecord() const
    {
        const RunGuard first;
        RngSeedManager::SetRun(m_experiment.m_rngRun);
        Experiment known(m_experiment);
        known.Shorten(m_index, m_finished);
        known.AddToReport();
        return known.m_report.MakeRecord(m_experiment.m_name);
    }

    Experiment& m_experiment;           //!< the experiment
    std::vector<Task> m_tasks;          //!< all trials, in order
    uint64_t m_perTrial;                //!< units of progress of a replication
    uint64_t m_units{0};                //!< units of progress in all
    std::size_t m_added{0};             //!< number of trials whose outcome was added
    std::size_t m_index{0};             //!< see GetCase()
    std::size_t m_finished{0};          //!< see GetFinished()
    std::optional<Progress> m_progress; //!< report to the user
    ProcessTeam m_team;                 //!< runs the trials
    ProcessTeam::Work m_work;           //!< for it
};

void
Experiment::Sweep()
{
    for (std::size_t i = 0; i < m_cases.front().rows.size(); ++i)
    {
        const Row& first = m_cases.front().rows[i];
        if (first.forms.empty())
        {
            continue;
        }
        const std::string title = first.choice.name;
        Experiment sweep(*this);
        sweep.m_name = "sweep of " + title;
        sweep.m_policies.clear();
        sweep.m_entries.clear();
        for (const auto& form : first.forms)
        {
            sweep.m_entries.push_back({form.choice.name, form.choice.name, nullptr});
        }
        sweep.m_firstRun = GetFirstRun() + GetNRuns(m_replications);
        sweep.m_replications = GetSweepRuns();
        sweep.m_reference.clear();
        sweep.m_output.clear();
        sweep.m_report = RunReport();
        sweep.m_figures.clear();
        sweep.m_meter = nullptr;
        sweep.m_runner = nullptr;
        sweep.m_ended = nullptr;
        sweep.m_counts = false;
        sweep.m_begunScope = HookScope::NONE;
        sweep.Measure();
        for (std::size_t index = 0; index < m_cases.size(); ++index)
        {
            Row& row = m_cases[index].rows[i];
            row.forms = sweep.GetRows(index);
            const Row* best = FindBest(row.forms, true);
            if (!best)
            {
                std::string of;
                for (const auto& [name, value] : GetLabels(index))
                {
                    of += ", " + name + " " + value;
                }
                throw OdcnError(sweep.m_name + of +
                                ": no replication has a figure to find the best policy by");
            }
            row.choice = best->choice;
            row.choice.name = title;
        }
    }
}

void
Experiment::RunAll()
{
    const RunGuard guard;
    m_rngRun = RngSeedManager::GetRun();
    Sweep();
    Trials trials(*this);
    try
    {
        trials.Run();
    }
    catch (const Interruption& stop)
    {
        throw Interruption(stop.GetSignal(), KeepFinished(trials.GetCase(), trials.GetFinished()));
    }
    catch (const std::exception& error)
    {
        if (trials.GetCase() + trials.GetFinished() == 0 || m_output.empty())
        {
            throw;
        }
        throw OdcnError(std::string(error.what()) + "; " +
                        KeepFinished(trials.GetCase(), trials.GetFinished()));
    }
    trials.Finish();
}

void
Experiment::Shorten(std::size_t index, std::size_t rows)
{
    if (index < m_cases.size())
    {
        auto& present = m_cases[index].rows;
        present.erase(present.begin() + static_cast<std::ptrdiff_t>(rows), present.end());
        m_cases.erase(m_cases.begin() + static_cast<std::ptrdiff_t>(index + (rows > 0 ? 1 : 0)),
                      m_cases.end());
    }
}

std::string
Experiment::KeepFinished(std::size_t index, std::size_t rows)
{
    Shorten(index, rows);
    if (m_output.empty())
    {
        return "";
    }
    if (m_cases.empty())
    {
        return "no policy had finished, no file was written";
    }
    // In a folder of their own, so that earlier results stay.
    const std::string folder = OutputFiles::GetInterrupted(m_output);
    OutputFiles files(folder);
    Write(files);
    m_report.Write(files);
    files.RemoveEarlier(std::cout);
    return "the policies that had finished are in " + folder;
}

void
Experiment::Run()
{
    std::unique_ptr<OutputFiles> files;
    Check();
    if (!m_output.empty())
    {
        files = std::make_unique<OutputFiles>(m_output);
    }
    RunAll();
    Print(std::cout);
    std::cout << Describe() << "\n";
    if (files)
    {
        Write(*files);
        m_report.Write(*files);
        files->Finish(std::cout);
    }
}

Estimate
Experiment::GetEstimate(const std::string& policy,
                        const std::string& figure,
                        std::size_t index) const
{
    const auto& rows = GetRows(index);
    const auto row = std::find_if(rows.begin(),
                                  rows.end(),
                                  [&](const Row& r) { return r.choice.name == policy; });
    if (row == rows.end())
    {
        throw OdcnError::InOption("policy", policy, "one of the policies compared");
    }
    return row->observations.GetEstimate(figure);
}

const Experiment::Row*
Experiment::FindBest(const std::vector<Row>& rows, bool trained)
{
    const Row* best = nullptr;
    double least = HUGE_VAL;
    for (const auto& row : rows)
    {
        const FigureOfMerit& figure = row.observations.GetFigures().front();
        const double mean = row.observations.GetEstimate(figure.name).mean;
        const double cost = figure.higherIsBetter ? -mean : mean;
        if ((trained || IsRule(row)) && cost < least)
        {
            best = &row;
            least = cost;
        }
    }
    return best;
}

const Experiment::Row*
Experiment::GetBestRule(std::size_t index) const
{
    return FindBest(GetRows(index), false);
}

const Experiment::Row*
Experiment::GetReference(std::size_t index) const
{
    if (m_reference.empty())
    {
        return GetBestRule(index);
    }
    const auto& rows = GetRows(index);
    const auto row = std::find_if(rows.begin(),
                                  rows.end(),
                                  [&](const Row& r) { return r.choice.name == m_reference; });
    return row == rows.end() ? nullptr : &*row;
}

std::string
Experiment::Describe() const
{
    const uint64_t run = GetFirstRun();
    PlainStream os;
    os << FormatCount(m_replications, "replication");
    if (m_jobs)
    {
        os << " of " << m_jobs << " jobs after " << m_warmUp;
        if (m_batches > 1)
        {
            os << " in " << m_batches << " batches";
        }
    }
    os << ", seed " << RngSeedManager::GetSeed() << ", run " << run;
    if (!m_oneRun && m_replications > 1)
    {
        os << " to " << run + m_replications - 1;
    }
    os << ". Intervals: 95 %";
    if (const auto n = GetNComparisons(); n > 1)
    {
        os << "; of differences " << std::setprecision(4) << 100 * GetDifferenceConfidence()
           << " %";
        if (m_comparisons != 1)
        {
            os << ", so that " << n << " hold at once with 95 % (Bonferroni)";
        }
        if (const auto rules = CountRules(); m_reference.empty() && rules > 1)
        {
            os << (m_comparisons == 1
                       ? ",\nsince the best of " + std::to_string(rules) +
                             " rules is chosen by the same runs"
                       : ",\nwhichever of " + std::to_string(rules) + " rules is the best");
        }
    }
    os << ".";
    return os.str();
}

} // namespace ns3::odcn
