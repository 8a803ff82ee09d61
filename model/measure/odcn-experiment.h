// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EXPERIMENT_H
#define ODCN_EXPERIMENT_H

#include "odcn-observations.h"
#include "odcn-output-files.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-policy-registry.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Policies compared on the same problems: policies x cases (loads, say) x replications, on common
 * random numbers, for the figures of merit that the problem has
 * (DecisionProblem::GetFigures()), with confidence intervals and paired differences to a
 * reference policy.
 *
 * @code
 *   Experiment experiment;
 *   OdcnCommandLine cmd(argc, argv, "My rule beside others.");
 *   experiment.SetLoads("54,66,78", "mean duration of a job");
 *   experiment.SetJobs(10000, 2000);
 *   experiment.AddOptions(cmd); // --policies, --loads, --replications, --output, ...
 *   cmd.Parse();
 *   OdcnHelper helper;
 *   experiment.SetProblem([&](double load) { return helper.CreateProblem(load); });
 *   experiment.AddPolicy("odcn-jcb");
 *   experiment.AddPolicy("mine", CreateObject<MyRule>());
 *   experiment.Run();
 * @endcode
 *
 * Replication r is ns-3's run number RngRun + r: the problem's streams from 0 and, after them, the
 * policy's are the same for all policies. Every problem is built anew, and every policy that is
 * given by name is created anew.
 */
class Experiment
{
  public:
    /// Builds the problem of a load, not yet reset.
    using ProblemBuilder = std::function<Ptr<DecisionProblem>(double load)>;

    /// Builds the problem of a case, not yet reset.
    using CaseBuilder = std::function<Ptr<DecisionProblem>()>;

    /// What tells a case from others: names of columns and their values.
    using Labels = std::vector<std::pair<std::string, std::string>>;

    /// A policy that decides a problem.
    struct Trial
    {
        std::size_t index;          //!< of the case
        std::string title;          //!< of the policy, with the case where there are several
        const Labels& labels;       //!< of the case
        const PolicyChoice& choice; //!< the policy in words; its name is that of tables
        uint64_t run;               //!< ns-3's run number
        uint32_t replication;       //!< counted from 0
        DecisionProblem& problem;   //!< the problem
        DecisionPolicy& policy;     //!< the policy
    };

    /// Called with a trial.
    using TrialHook = std::function<void(const Trial& trial)>;

    /// Tells what was measured before: of a case, a policy's title and a run.
    using Memory = std::function<
        std::optional<Observation>(const Labels& labels, const std::string& policy, uint64_t run)>;

    /// Keeps what was measured, to tell it another time.
    using Keeper = std::function<
        void(const Labels& labels, const std::string& policy, const Observation& observation)>;

    /// One policy in one case.
    struct Row
    {
        PolicyChoice choice;        //!< the policy; its name is that of tables
        Ptr<DecisionPolicy> policy; //!< given as an object; null for one given in words
        Observations observations;  //!< what was measured
    };

    /**
     * The cases are loads, see SetLoads().
     * @param builder builds the problem of each
     */
    void SetProblem(ProblemBuilder builder);

    /**
     * Add a case by name, in place of loads.
     * @param labels what tells it from others, the same columns for all  @param builder its problem
     */
    void AddCase(Labels labels, CaseBuilder builder);

    /**
     * @param loads numbers above 0, separated by commas; the default of the option "loads"
     * @param help what they mean
     */
    void SetLoads(const std::string& loads, const std::string& help);

    /// @return the loads as text
    const std::string& GetLoadsText() const
    {
        return m_loads;
    }

    /// @return the loads  @throws OdcnError when one is not a number above 0
    std::vector<double> GetLoads() const;

    /**
     * @param words a policy as PolicyRegistry::Find() takes it, after "TITLE=" if it should be
     * called otherwise in tables
     */
    void AddPolicy(const std::string& words);

    /// @param title of the policy  @param words as PolicyRegistry::Find() takes it
    void AddPolicy(const std::string& title, const std::string& words);

    /// @param title of the policy  @param policy an object; it is reset before each episode
    void AddPolicy(const std::string& title, Ptr<DecisionPolicy> policy);

    /// @param title of a policy  @return whether it is among those of the option or added
    bool HasPolicy(const std::string& title) const;

    /// @param policies separated by commas: the default of the option "policies"
    void SetPolicies(const std::string& policies);

    /// @return the policies of the option, separated by commas
    const std::string& GetPolicies() const
    {
        return m_policies;
    }

    /**
     * Measure stretches of endless problems. Without this an episode runs to its end.
     * @param jobs (requests, tasks) that are measured in a replication
     * @param warmUp jobs decided before
     */
    void SetJobs(uint64_t jobs, uint64_t warmUp);

    /// @return jobs measured in a replication; 0 for whole episodes
    uint64_t GetJobs() const
    {
        return m_jobs;
    }

    /// @return jobs decided before those that are measured
    uint64_t GetWarmUp() const
    {
        return m_warmUp;
    }

    /// @param batches that the jobs of a replication are cut into, for a single long replication
    void SetBatches(uint32_t batches);

    /// @param replications of each policy in each case, 1 or more
    void SetReplications(uint32_t replications);

    /// @return replications
    uint32_t GetReplications() const
    {
        return m_replications;
    }

    /**
     * @param oneRun whether replications are the episodes of one run that follow each other on the
     * same streams, instead of runs of their own
     */
    void SetOneRun(bool oneRun);

    /// @param run number of the first replication; 0 for ns-3's RngRun
    void SetFirstRun(uint64_t run);

    /**
     * @param policy title of the one that the others are compared with; empty for the best rule of
     * each case by the first figure of merit
     */
    void SetReference(const std::string& policy);

    /// @param folder of the files; empty for none
    void SetOutput(const std::string& folder);

    /// @return the folder of the files
    const std::string& GetOutput() const
    {
        return m_output;
    }

    /**
     * Add the options: policies, loads (if set), jobs and warmUp (if set), replications, reference,
     * output and wide, with the present values as defaults.
     * @param cmd keeps references to this object
     */
    void AddOptions(OdcnCommandLine& cmd);

    /// Finds a policy by its words in a case.
    using Finder = std::function<PolicyChoice(const Labels& labels, const std::string& words)>;

    /// @param finder in place of PolicyRegistry::Find(), e.g. to give trained policies their files
    void SetFinder(Finder finder);

    /// @param begun called before a problem is reset for the first time
    void SetBegun(TrialHook begun);

    /// @param ended called after each replication
    void SetEnded(TrialHook ended);

    /**
     * @param runner lets the policy decide an episode in place of
     * DecisionProblem::RunEpisode(), e.g. as an Application in a simulation; for whole episodes
     * only
     */
    void SetRunner(TrialHook runner);

    /**
     * Run nothing twice: what the memory knows is taken from there.
     * @param memory asked for every replication  @param keeper told of every one that was run
     */
    void SetMemory(Memory memory, Keeper keeper);

    /// @param name for progress lines
    void SetName(const std::string& name);

    /**
     * A row of a case that is not measured.
     * @param index of the case  @param title of the row  @param values of figures, by name
     */
    void AddBound(std::size_t index,
                  const std::string& title,
                  const std::map<std::string, double>& values);

    /// Measure(), then Write() into the output folder, if any, and Print() to standard output.
    void Run();

    /**
     * Find all policies and let each decide once in every case, so that what does not fit is
     * refused before anything runs.
     * @throws OdcnError when something does not fit
     */
    void Check();

    /**
     * A problem and its policy as a replication begins, with the random numbers of ns-3's present
     * run.
     * @param index of the case  @param row one of GetRows()
     * @return both, reset
     */
    std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>> Begin(std::size_t index,
                                                               const Row& row) const;

    /// Check(), and run everything. Progress is reported to standard error.
    void Measure();

    /// @return number of cases
    std::size_t GetNCases() const
    {
        return m_cases.size();
    }

    /// @param index of a case  @return what tells it from others
    const Labels& GetLabels(std::size_t index) const
    {
        return m_cases.at(index).labels;
    }

    /// @param index of a case  @return its policies in order, after Check()
    const std::vector<Row>& GetRows(std::size_t index = 0) const
    {
        return m_cases.at(index).rows;
    }

    /**
     * @param policy its title  @param figure name of a figure of merit  @param index of the case
     * @return mean and interval
     * @throws OdcnError when there is no such policy or figure
     */
    Estimate GetEstimate(const std::string& policy,
                         const std::string& figure,
                         std::size_t index = 0) const;

    /// @param index of a case  @return the reference there; null without rules
    const Row* GetReference(std::size_t index = 0) const;

    /// @param index of a case  @return the rule of the best first figure of merit; null without
    /// rules
    const Row* GetBestRule(std::size_t index = 0) const;

    /**
     * summary.csv (a row a case and policy), replications.csv and provenance.txt.
     * @param files where to
     */
    void Write(OutputFiles& files) const;

    /// @param os where to print the table, 100 columns wide at most unless the option wide is set
    void Print(std::ostream& os) const;

    /// @return columns of a table at most; 0 for any number
    std::size_t GetWidth() const;

    /// @return how it was measured, in one sentence
    std::string Describe() const;

  private:
    /// What is added to a case without being measured.
    struct Bound
    {
        std::string title;                    //!< of the row
        std::map<std::string, double> values; //!< of figures
    };

    /// Problems that all policies decide.
    struct Case
    {
        Labels labels;             //!< what tells it from others
        CaseBuilder builder;       //!< of its problem
        std::vector<Row> rows;     //!< by policy
        std::vector<Bound> bounds; //!< rows that are not measured
    };

    /// A policy that is asked for.
    struct Entry
    {
        std::string title;          //!< in tables
        std::string words;          //!< of one given in words
        Ptr<DecisionPolicy> policy; //!< an object; null for one given in words
    };

    /// @return run number of the first replication
    uint64_t GetFirstRun() const;

    /// @return the policies of the option, then those that were added
    std::vector<Entry> GetEntries() const;

    /// Find the policies of all cases.
    void Prepare();

    /// @param c case  @param row policy  @param replication its number  @return what the memory
    /// knows
    std::optional<Observation> Recall(const Case& c, const Row& row, uint32_t replication) const;

    /// @param c case  @param row policy  @return replications that are to be run
    uint32_t CountMissing(const Case& c, const Row& row) const;

    /// Run all policies of all cases, which Check() has found.
    void RunAll();

    /**
     * A problem and its policy with their streams, reset.
     * @param c case  @param row policy  @param begun called before the reset; may be empty
     * @return both
     */
    std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>> Begin(
        const Case& c,
        const Row& row,
        const std::function<void(DecisionProblem&, DecisionPolicy&)>& begun) const;

    /// Run a replication, or with SetOneRun() all of them. @param index of the case  @param row
    /// policy  @param replication its number  @param decided called with the jobs decided  @param
    /// ended called after each replication
    void RunOne(std::size_t index,
                Row& row,
                uint32_t replication,
                const std::function<void(uint64_t)>& decided,
                const std::function<void()>& ended);

    /// @param row of a policy  @param reference of its case; may be null  @return the difference of
    /// a figure, for tables. @param figure which
    static std::string FormatDifference(const Row& row,
                                        const Row* reference,
                                        const FigureOfMerit& figure);

    std::vector<Case> m_cases;    //!< problems
    std::vector<Entry> m_entries; //!< policies
    ProblemBuilder m_builder;     //!< of problems by their load
    std::string m_loads;          //!< option
    std::string m_loadsHelp;      //!< what they mean
    std::string m_policies;       //!< option
    bool m_sized{false};          //!< whether SetJobs() was called
    uint64_t m_jobs{0};           //!< measured in a replication; 0 for whole episodes
    uint64_t m_warmUp{0};         //!< decided before
    uint32_t m_batches{1};        //!< of a replication
    uint32_t m_replications{5};   //!< of each
    bool m_oneRun{false};         //!< whether they are episodes of one run
    uint64_t m_firstRun{0};       //!< of the first; 0 for RngRun
    uint64_t m_rngRun{0};         //!< ns-3's run number when Measure() began
    std::string m_reference;      //!< title; empty for the best rule
    std::string m_output;         //!< folder
    bool m_wide{false};           //!< whether tables may be of any width
    std::string m_command;        //!< as typed
    Finder m_finder;              //!< of policies by their words
    TrialHook m_begun;            //!< before the first Reset()
    TrialHook m_ended;            //!< after each replication
    TrialHook m_runner;           //!< of episodes; empty for RunEpisode()
    Memory m_memory;              //!< of replications
    Keeper m_keeper;              //!< of replications
    std::string m_name;           //!< for progress lines
};

} // namespace ns3::odcn

#endif /* ODCN_EXPERIMENT_H */
