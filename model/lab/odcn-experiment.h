// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EXPERIMENT_H
#define ODCN_EXPERIMENT_H

#include "odcn-observations.h"
#include "odcn-report-chart.h"
#include "odcn-run-report.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-policy-registry.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class CsvWriter;
class Parcel;

/**
 * @ingroup odcn
 *
 * Compares policies on the same problems: policies x cases (for example, loads) x replications, on
 * common random numbers. It reports the figures of merit of the problem
 * (DecisionProblem::GetFigures()) with confidence intervals, and the paired differences to a
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
 * A policy may be given in several forms, by braces: "tetris[Knob={0,0.1}]", "{sjf,fcfs}". In each
 * case a sweep on other runs finds the best one by the first figure of merit, which is then
 * compared as one policy.
 *
 * Replication r uses ns-3's run number RngRun + r. The random streams of the problem (from 0) and,
 * after them, of the policy are the same for all policies. Every replication builds its problem,
 * and creates every policy that is given by name. A HindsightSearch also gets a twin of the
 * problem; it is never the reference unless named.
 */
class Experiment
{
  public:
    /// First random stream of a policy, unless its problem uses more than the streams before it.
    static constexpr int64_t POLICY_STREAMS = 100;

    /// Builds the problem of a load, not yet reset.
    using ProblemBuilder = std::function<Ptr<DecisionProblem>(double load)>;

    /// Builds the problem of a case, not yet reset.
    using CaseBuilder = std::function<Ptr<DecisionProblem>()>;

    /// Labels that identify a case: names of columns and their values.
    using Labels = std::vector<std::pair<std::string, std::string>>;

    /// One run of a policy on a problem.
    struct Trial
    {
        std::size_t index;          //!< index of the case
        std::string title;          //!< policy, and the case if there are several
        const Labels& labels;       //!< labels of the case
        const PolicyChoice& choice; //!< specification of the policy; its name is the title
        uint64_t run;               //!< ns-3's run number
        uint32_t replication;       //!< index, from 0
        DecisionProblem& problem;   //!< the problem
        DecisionPolicy& policy;     //!< the policy

        /// Whether it is one of the table. False in a sweep, and for the copy of a problem on which
        /// HindsightSearch plans: a hook that changes the trial changes these, too, and one that
        /// records leaves them out.
        bool counts{true};
    };

    /// Callback on a trial.
    using TrialHook = std::function<void(const Trial& trial)>;

    /// Which trials a hook binds to this process, see SetProcesses().
    enum class HookScope
    {
        ALL,   //!< all: it records something here at each trial
        FIRST, //!< those of first replications: at the others it changes the trial at most
        NONE,  //!< none: it changes the trial at most
    };

    /// Measures figures of merit in a trial.
    using Meter = std::function<std::vector<FigureValue>(const Trial& trial)>;

    /// One policy in one case.
    struct Row
    {
        PolicyChoice choice;        //!< specification of the policy; its name is the title
        Ptr<DecisionPolicy> policy; //!< policy given as an object; null if given by name
        Observations observations;  //!< measurements
        std::vector<Row> forms{};   //!< those of a sweep, with their measurements
        uint32_t batch{1};          //!< replications that are decided together, after Check()
    };

    /**
     * Use the loads of SetLoads() as cases.
     * @param builder builds the problem of a load
     */
    void SetProblem(ProblemBuilder builder);

    /**
     * Add a case with labels, instead of loads.
     * @param labels identify the case; same columns in all cases  @param builder builds its problem
     */
    void AddCase(Labels labels, CaseBuilder builder);

    /**
     * @param loads numbers above 0, separated by commas; the default of the option "loads"
     * @param help meaning of the loads, for the help text
     */
    void SetLoads(const std::string& loads, const std::string& help);

    /// @return the loads as given
    const std::string& GetLoadsText() const
    {
        return m_loads;
    }

    /// @return the loads  @throws OdcnError when a load is not a number above 0
    std::vector<double> GetLoads() const;

    /// @return the load, for a training  @throws OdcnError as above, and when there are several
    double GetLoad() const;

    /**
     * @param words specification of a policy for PolicyRegistry::Find(), optionally preceded by
     * "TITLE=", its title in tables; with braces, several forms to choose from. One that the option
     * "policies" has in the same words is compared once.
     */
    void AddPolicy(const std::string& words);

    /// @param title title in tables  @param words specification for PolicyRegistry::Find()
    void AddPolicy(const std::string& title, const std::string& words);

    /// @param title title in tables  @param policy the policy; it is reset before each episode
    void AddPolicy(const std::string& title, Ptr<DecisionPolicy> policy);

    /// @param title title of a policy  @return whether it is in the option "policies" or was added
    bool HasPolicy(const std::string& title) const;

    /// @param policies comma-separated policies, the default of the option "policies"
    void SetPolicies(const std::string& policies);

    /// @param words "TITLE=POLICY", or a policy alone, which is then its title
    /// @return title and policy
    static std::pair<std::string, std::string> SplitTitle(const std::string& words);

    /// @return the comma-separated policies of the option "policies"
    const std::string& GetPolicies() const
    {
        return m_policies;
    }

    /**
     * Measure a number of jobs of an endless problem. Without this call an episode runs to its end.
     * @param jobs jobs (requests, tasks) measured in a replication
     * @param warmUp jobs decided before the measured ones
     */
    void SetJobs(uint64_t jobs, uint64_t warmUp);

    /// @return jobs measured in a replication; 0 for whole episodes
    uint64_t GetJobs() const
    {
        return m_jobs;
    }

    /// @return jobs decided before the measured ones
    uint64_t GetWarmUp() const
    {
        return m_warmUp;
    }

    /// @param batches number of batches per replication, for a single long replication
    void SetBatches(uint32_t batches);

    /// @param replications replications of each policy in each case, 1 or more
    void SetReplications(uint32_t replications);

    /// @return number of replications
    uint32_t GetReplications() const
    {
        return m_replications;
    }

    /**
     * @param runs replications of the sweep that finds the best form of a policy in braces; 0, the
     * default, for as many as are compared
     */
    void SetSweepRuns(uint32_t runs);

    /**
     * @param oneRun whether replications are consecutive episodes of one run on the same random
     * streams, instead of separate runs
     */
    void SetOneRun(bool oneRun);

    /**
     * Run trials in several processes, copies of this one, with the same results for any number.
     * A trial runs in this process when it has a hook that records (HookScope), a runner, or a
     * policy given as an object. Others may run in a copy, where the builder of the problem and
     * the finder of the policy change nothing that this process sees.
     * @param processes number of processes; 0, the default, for one for each core
     */
    void SetProcesses(uint32_t processes);

    /// @return number of processes; 0 for one for each core
    uint32_t GetProcesses() const
    {
        return m_processes;
    }

    /// @param run run number of the first replication; 0 for ns-3's RngRun
    void SetFirstRun(uint64_t run);

    /// @return greatest run number, with those of sweeps over policies in braces
    uint64_t GetLastRun() const;

    /**
     * @param policy title of the reference policy; empty for the best rule of each case by the
     * first figure of merit
     */
    void SetReference(const std::string& policy);

    /**
     * Correct the intervals of differences from the reference policy for several comparisons
     * (Bonferroni): each has the confidence 1 - 0.05 / n, so that all n hold at once with 95 % or
     * more. Without a named reference, the best rule is chosen by the runs that it is compared on:
     * any rule might have been it, so that n counts the differences from each of them.
     * @param comparisons number of differences of which a claim is made together, 1 for each on its
     * own, 0 for those of the first compared figure, over all policies and cases
     */
    void SetComparisons(uint32_t comparisons);

    /// @return n of SetComparisons(); never 0
    std::size_t GetNComparisons() const;

    /// @param folder output folder; empty to write no files
    void SetOutput(const std::string& folder);

    /// @return the output folder
    const std::string& GetOutput() const
    {
        return m_output;
    }

    /**
     * Add the options: policies, loads (if set), jobs and warmUp (if set), replications, processes,
     * reference, comparisons, output and wide, with the current values as defaults.
     * @param cmd command line; it keeps references to this object
     * @param problem TypeId name of the problem, whose policies --help names; "" for none
     */
    void AddOptions(OdcnCommandLine& cmd, const std::string& problem = "");

    /// Finds a policy for a case by its specification.
    using Finder = std::function<PolicyChoice(const Labels& labels, const std::string& words)>;

    /// @param finder used instead of PolicyRegistry::Find(), e.g. to find files of trained policies
    void SetFinder(Finder finder);

    /// @param begun hook called before a problem is reset for the first time, also where
    /// Trial::counts is false
    /// @param scope trials that have to run in this process for it
    void SetBegun(TrialHook begun, HookScope scope = HookScope::ALL);

    /// @param ended hook called after each replication
    /// @param scope trials that have to run in this process for it
    void SetEnded(TrialHook ended, HookScope scope = HookScope::ALL);

    /**
     * @param runner runs an episode instead of DecisionProblem::RunEpisode(), e.g. with an
     * Application in a simulation; only for whole episodes, in this process
     */
    void SetRunner(TrialHook runner);

    /**
     * Estimate more figures of merit than those of the problem, e.g. what packets measure. A value
     * of count 0 is undefined, for instance in replications without packets.
     * @param figures the figures
     * @param meter gives a value for each after every episode, in any process, with ns-3's run
     * number of the trial
     */
    void AddFigures(std::vector<FigureOfMerit> figures, Meter meter);

    /**
     * Add a row of values that no policy decides, such as an analytic bound, to a case.
     * @param index index of the case  @param title title of the row  @param values figures by name
     */
    void AddBound(std::size_t index,
                  const std::string& title,
                  const std::map<std::string, Estimate>& values);

    /// Measure(), then Write() into the output folder, if any, and Print() to standard output.
    /// Throws an Interruption as Measure() does.
    void Run();

    /**
     * Find all policies and let each decide once in every case, so that errors are found before
     * the experiment runs.
     * @throws OdcnError when a policy does not exist or does not fit its problem
     */
    void Check();

    /**
     * Create a problem and its policy as at the beginning of a replication, with the random numbers
     * of ns-3's current run.
     * @param index index of the case  @param row one of GetRows()
     * @return the problem and the policy, both reset
     */
    std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>> Begin(std::size_t index,
                                                               const Row& row) const;

    /// @param trial a trial, for its meter
    /// @return its problem and policy as they began
    std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>> Begin(const Trial& trial) const;

    /**
     * Check(), then run all replications. Progress is reported to standard error.
     *
     * After a signal (see Interruption::Guard, which an OutputFiles has) it throws an Interruption.
     * The policies that had finished all replications of a case are then the only rows, and Write()
     * wrote them to the folder "interrupted" in the output folder, if there is one. So it does
     * after an error in a later trial, which it throws.
     */
    void Measure();

    /// @return number of cases
    std::size_t GetNCases() const
    {
        return m_cases.size();
    }

    /// @param index index of a case  @return its labels
    const Labels& GetLabels(std::size_t index) const
    {
        return m_cases.at(index).labels;
    }

    /// @param index index of a case  @return its policies in order, after Check()
    const std::vector<Row>& GetRows(std::size_t index = 0) const
    {
        return m_cases.at(index).rows;
    }

    /**
     * @param policy title of a policy  @param figure name of a figure  @param index case index
     * @return mean and interval
     * @throws OdcnError when there is no such policy or figure
     */
    Estimate GetEstimate(const std::string& policy,
                         const std::string& figure,
                         std::size_t index = 0) const;

    /// @param index index of a case  @return its reference policy; null if there is none
    const Row* GetReference(std::size_t index = 0) const;

    /// @param index index of a case  @return its best rule by the first figure of merit; null if
    /// there is none for which it is defined
    const Row* GetBestRule(std::size_t index = 0) const;

    /**
     * Write summary.csv (one row per case and policy), replications.csv, provenance.txt and, with
     * policies in braces, sweep.csv (one row per case and form), and add all of it to the report.
     * @param files output folder
     */
    void Write(OutputFiles& files);

    /// @return the report, for more tables and charts; Run() writes it, others call its Write()
    RunReport& GetReport()
    {
        return m_report;
    }

    /// @param os output stream of the table, at most GetWidth() characters wide
    void Print(std::ostream& os) const;

    /// @return greatest width of a table in characters, 100, or 0 (unlimited) with the option wide
    std::size_t GetWidth() const;

    /// @return replications, jobs, seed, runs and confidence, in one sentence
    std::string Describe() const;

  private:
    struct Quantity;
    struct Axes;

    /// A row of known values, see AddBound().
    struct Bound
    {
        std::string title;                      //!< title of the row
        std::map<std::string, Estimate> values; //!< figures by name

        /// @param quantity what is written of a figure
        /// @return it, if it is known; else null
        const Estimate* Find(const Quantity& quantity) const;
    };

    /// A case, whose problem all policies decide.
    struct Case
    {
        Labels labels;             //!< identify the case
        CaseBuilder builder;       //!< builds its problem
        std::vector<Row> rows;     //!< one per policy
        std::vector<Bound> bounds; //!< rows of known values
    };

    /// A requested policy.
    struct Entry
    {
        std::string title;                //!< title in tables
        std::string words;                //!< specification, if given by name
        Ptr<DecisionPolicy> policy;       //!< policy given as an object; null if given by name
        std::vector<std::string> forms{}; //!< the texts that the specification stands for
    };

    /// @return run number of the first replication
    uint64_t GetFirstRun() const;

    /// @param replications number of replications
    /// @return number of runs with this many
    uint32_t GetNRuns(uint32_t replications) const
    {
        return m_oneRun ? 1 : replications;
    }

    /// @return replications of a sweep
    uint32_t GetSweepRuns() const
    {
        return m_sweepRuns ? m_sweepRuns : m_replications;
    }

    /// @return the policies of the option "policies", then the added ones
    std::vector<Entry> GetEntries() const;

    /// Find the policies of all cases.
    void Prepare();

    /// Find the best forms of the policies in braces.
    /// @throws OdcnError when there is none
    void Sweep();

    /// @param row a policy
    /// @return whether it is neither trained, nor a bound, nor does it know the future
    static bool IsRule(const Row& row);

    /// @return most rules of a case
    std::size_t CountRules() const;

    /// @return most rules that may be the reference of a policy; 1 if it is named
    std::size_t GetNCandidates() const;

    /// @param rows policies
    /// @param trained whether trained policies and bounds count, too
    /// @return the best by the first figure of merit; null if there is none
    static const Row* FindBest(const std::vector<Row>& rows, bool trained);

    /// Run all policies of all cases after Check().
    void RunAll();

    /**
     * Leave out what is not finished.
     * @param index index of the present case  @param rows number of its rows that are finished
     */
    void Shorten(std::size_t index, std::size_t rows);

    /**
     * Keep and write what was finished before a signal or an error.
     * @param index index of the present case
     * @param rows number of its rows that are finished
     * @return what was written, in words
     */
    std::string KeepFinished(std::size_t index, std::size_t rows);

    /// Called with a problem and its policy before their reset.
    using BegunHook =
        std::function<void(const Ptr<DecisionProblem>&, const Ptr<DecisionPolicy>&, bool counts)>;

    /**
     * Create a problem and its policy, assign their random streams and reset them.
     * @param c case  @param row policy  @param begun called before the reset; may be empty
     * @return the problem and the policy
     */
    std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>> Begin(const Case& c,
                                                               const Row& row,
                                                               const BegunHook& begun) const;

    /// What came of a task.
    struct Outcome
    {
        std::vector<Observation> observations; //!< one per batch, or per episode of one run
        std::string provenance;                //!< of a trained policy
    };

    /// Trials to run in lockstep, or with SetOneRun() all replications of a policy in a case.
    struct Task
    {
        std::size_t index;                //!< index of the case
        std::size_t row;                  //!< index of the policy
        uint32_t replication;             //!< index of the first
        uint32_t replications;            //!< number of them; 1 with SetOneRun()
        std::optional<Outcome> outcome{}; //!< once it is known
    };

    class TaskRun;
    class Trials;

    /// @return all trials by case, policy and replication
    std::vector<Task> MakeTasks() const;

    /// @param row a policy
    /// @param replication of a trial of it
    /// @return whether the trial has to run in this process
    bool IsBoundHere(const Row& row, uint32_t replication) const;

    /// @param parcel passes the outcome
    /// @param [in,out] outcome of a task
    static void PassOutcome(Parcel& parcel, Outcome& outcome);

    /// @return the figures of merit
    const std::vector<FigureOfMerit>& GetFigures() const;

    /// @return all that is written of the figures of merit
    std::vector<Quantity> GetQuantities() const;

    /// @return what the table shows of them
    std::vector<Quantity> GetShown() const;

    /// @param quantity what the table shows of a figure
    /// @return title of its column
    std::string GetTitle(const Quantity& quantity) const;

    /// @param quantity what the table shows of a figure
    /// @param row a policy
    /// @param reference of its case; may be null
    /// @return text of the cell
    std::string Format(const Quantity& quantity, const Row& row, const Row* reference) const;

    /// @param more columns after the labels and the policy
    /// @return the first columns of a file
    std::vector<std::string> GetColumns(std::initializer_list<const char*> more) const;

    /// @param csv a file
    /// @param c a case
    /// @param title of the policy, after the labels
    static void PutLabels(CsvWriter& csv, const Case& c, const std::string& title);

    /// Write summary.csv.
    /// @param files output folder
    void WriteSummary(OutputFiles& files) const;

    /// Write replications.csv.
    /// @param files output folder
    void WriteReplications(OutputFiles& files) const;

    /// Add a chart for each figure and difference to the report.
    void AddCharts();

    /// @param chart a chart of the report
    /// @param quantity what it shows
    /// @param axes where the estimates of a case stand
    void FillChart(ReportChart& chart, const Quantity& quantity, const Axes& axes) const;

    /// @return indices of the labels that differ between cases
    std::vector<std::size_t> FindVarying() const;

    /// @return the table of Print()
    Table MakeTable() const;

    /// @return whether there are policies in braces
    bool HasForms() const;

    /// @return the best forms of the policies in braces, by case
    Table MakeFormsTable() const;

    /// Write sweep.csv.
    /// @param files output folder
    void WriteForms(OutputFiles& files) const;

    /// Add the record, the tables and the charts to the report.
    void AddToReport();

    /// @return confidence of the interval of a difference
    double GetDifferenceConfidence() const;

    std::vector<Case> m_cases;    //!< cases, with their results
    std::vector<Entry> m_entries; //!< added policies
    ProblemBuilder m_builder;     //!< builds the problem of a load
    std::string m_loads;          //!< value of the option "loads"
    std::string m_loadsHelp;      //!< meaning of the loads
    std::string m_policies;       //!< value of the option "policies"
    bool m_sized{false};          //!< whether SetJobs() was called
    uint64_t m_jobs{0};           //!< jobs measured in a replication; 0 for whole episodes
    uint64_t m_warmUp{0};         //!< jobs decided before the measured ones
    uint32_t m_batches{1};        //!< batches per replication
    uint32_t m_replications{5};   //!< of each policy in each case
    uint32_t m_sweepRuns{0};      //!< see SetSweepRuns()
    bool m_oneRun{false};         //!< whether replications are episodes of one run
    uint32_t m_processes{0};      //!< of the trials; 0 for one for each core
    uint64_t m_firstRun{0};       //!< run number of the first replication; 0 for RngRun
    uint64_t m_rngRun{0};         //!< ns-3's run number when Measure() began
    std::string m_reference;      //!< title of the reference; empty for the best rule
    uint32_t m_comparisons{1};    //!< see SetComparisons()
    std::string m_output;         //!< output folder; empty for none
    bool m_wide{false};           //!< whether the table width is unlimited
    RunReport m_report;           //!< the report
    std::map<std::string, std::string> m_provenance; //!< of trained policies, by title
    Finder m_finder;                         //!< finds policies; empty for PolicyRegistry::Find()
    bool m_counts{true};                     //!< false in a sweep, see Trial
    TrialHook m_begun;                       //!< called before the first Reset()
    TrialHook m_ended;                       //!< called after each replication
    HookScope m_begunScope{HookScope::NONE}; //!< of m_begun
    HookScope m_endedScope{HookScope::NONE}; //!< of m_ended
    TrialHook m_runner;                      //!< runs episodes; empty for RunEpisode()
    std::vector<FigureOfMerit> m_figures;    //!< added to those of the problem
    Meter m_meter;                           //!< measures them
    std::string m_name;                      //!< name of the run in progress output
};

} // namespace ns3::odcn

#endif /* ODCN_EXPERIMENT_H */
