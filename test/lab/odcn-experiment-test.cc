// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Experiments on a problem with known figures: common random numbers, estimates, differences
 * to a reference, tables that fit a terminal, and files.
 */

#include "../core/odcn-folder-test.h"
#include "../jobs/odcn-stub-problem.h"

#include "ns3/odcn-experiment.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-pcap-trace.h"
#include "ns3/packet.h"
#include "ns3/rng-seed-manager.h"

#include <csignal>
#include <optional>
#include <sys/resource.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint32_t ROUNDS = 50;

/// In each round a random number is drawn and the action is added. The score is the mean.
class Guess : public StubProblem
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::odcn::Guess")
                                .SetParent<DecisionProblem>()
                                .AddConstructor<Guess>()
                                .AddAttribute("Scale",
                                              "Factor of the random numbers.",
                                              DoubleValue(1),
                                              MakeDoubleAccessor(&Guess::m_scale),
                                              MakeDoubleChecker<double>(0));
        return tid;
    }

    Guess()
        : StubProblem(3, {1})
    {
    }

    void Act(uint32_t action) override
    {
        RequireAction(action);
        drawn.push_back(m_random->GetValue(0, m_scale));
        m_sum += drawn.back() + action;
        ++m_rounds;
        ++m_done;
    }

    void TakeRewards(std::vector<float>& out) override
    {
        out.push_back(1);
    }

    bool IsDone() const override
    {
        return m_done == ROUNDS;
    }

    void Reset() override
    {
        m_done = 0;
        ClearScore();
    }

    std::string GetScoreName() const override
    {
        return "mean guess";
    }

    double GetScore() const override
    {
        return m_sum / m_rounds;
    }

    void ClearScore() override
    {
        m_sum = m_rounds = 0;
    }

    std::vector<double> drawn; //!< random numbers

  private:
    double m_scale;     //!< factor of the random numbers
    double m_sum{0};    //!< sum since ClearScore()
    double m_rounds{0}; //!< rounds since ClearScore()
    uint32_t m_done{0}; //!< rounds since Reset()
};

NS_OBJECT_ENSURE_REGISTERED(Guess);

/// Always the same action.
class Always : public DecisionPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::odcn::Always")
                                .SetParent<DecisionPolicy>()
                                .AddConstructor<Always>()
                                .AddAttribute("Action",
                                              "The action.",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&Always::m_action),
                                              MakeUintegerChecker<uint32_t>(0, 2));
        return tid;
    }

    uint32_t Decide(const DecisionProblem&) override
    {
        return m_action;
    }

  private:
    uint32_t m_action; //!< of all decisions
};

NS_OBJECT_ENSURE_REGISTERED(Always);

/// Adds what was drawn so far, so that replications differ; decides several problems together.
class Together : public Always
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::odcn::Together")
                                .SetParent<Always>()
                                .AddConstructor<Together>()
                                .AddAttribute("Batch",
                                              "Of GetBatch().",
                                              UintegerValue(3),
                                              MakeUintegerAccessor(&Together::m_batch),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const auto& drawn = dynamic_cast<const Guess&>(problem).drawn;
        return drawn.empty() ? 0 : static_cast<uint32_t>(drawn.back() * 1000) % 3;
    }

    uint32_t GetBatch() const override
    {
        return m_batch;
    }

    void DecideAll(std::span<Episode> episodes) override
    {
        ASSERT_LE(episodes.size(), m_batch);
        most = std::max(most, episodes.size());
        Always::DecideAll(episodes);
    }

    static inline std::size_t most{0}; //!< problems that were decided together

  private:
    uint32_t m_batch; //!< of GetBatch()
};

NS_OBJECT_ENSURE_REGISTERED(Together);

/// @return an experiment with two policies, whose results differ by 2 in each round
Experiment
MakeExperiment()
{
    Experiment experiment;
    experiment.SetProblem(
        [](double load)
        {
            auto problem = CreateObject<Guess>();
            problem->SetAttribute("Scale", DoubleValue(load));
            return problem;
        });
    experiment.SetLoads("1,10", "scale");
    experiment.SetReplications(4);
    experiment.AddPolicy("high", "ns3::odcn::Always[Action=2]");
    experiment.AddPolicy("low", CreateObject<Always>());
    return experiment;
}

/// @param text of a table  @return length of its longest line
std::size_t
Width(const std::string& text)
{
    std::size_t width = 0;
    ForEach(LinesOf(std::istringstream(text)),
            [&](const std::string& line) { width = std::max(width, line.size()); });
    return width;
}

} // namespace

TEST(Experiment, PoliciesMeetTheSameNumbers)
{
    auto experiment = MakeExperiment();
    experiment.SetReference("low");
    std::vector<std::vector<double>> drawn;
    experiment.SetEnded([&](const Experiment::Trial& trial)
                        { drawn.push_back(dynamic_cast<Guess&>(trial.problem).drawn); });
    experiment.Measure();
    ASSERT_EQ(drawn.size(), 16U); // loads x policies x replications
    for (std::size_t r = 0; r < 4; ++r)
    {
        EXPECT_EQ(drawn[r], drawn[4 + r]) << "replication " << r;
        EXPECT_EQ(drawn[r].size(), ROUNDS);
    }
    EXPECT_NE(drawn[0], drawn[1]) << "replications are runs of their own";
    EXPECT_EQ(RngSeedManager::GetRun(), 1U) << "ns-3's run is restored";

    const auto low = experiment.GetEstimate("low", "mean_guess");
    EXPECT_NEAR(low.mean, 0.5, 0.2);
    EXPECT_LT(low.lower, low.mean);
    EXPECT_EQ(low.count, 4U);
    // The common part cancels: the difference is exact, though both vary.
    const auto& rows = experiment.GetRows(1);
    const auto difference = rows[0].observations.GetDifference("mean_guess", rows[1].observations);
    EXPECT_NEAR(difference.mean, 2, 1e-12);
    EXPECT_NEAR(difference.GetHalfWidth(), 0, 1e-12);
    EXPECT_EQ(experiment.GetReference(1)->choice.name, "low");
    EXPECT_EQ(experiment.GetBestRule(0)->choice.name, "low");
    EXPECT_EQ(rows[0].observations.Get().at(3).decisions, ROUNDS);
    EXPECT_EQ(rows[0].observations.Get().at(3).run, 4U);
}

TEST(Experiment, EpisodesOfOneRunFollowEachOther)
{
    auto experiment = MakeExperiment();
    experiment.SetOneRun(true);
    experiment.SetFirstRun(7);
    std::vector<uint64_t> runs;
    std::size_t drawn = 0;
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            runs.push_back(trial.run);
            drawn = dynamic_cast<Guess&>(trial.problem).drawn.size();
        });
    experiment.Measure();
    EXPECT_EQ(runs, std::vector<uint64_t>(16, 7));
    EXPECT_EQ(drawn, 4 * ROUNDS) << "one problem goes on";
}

TEST(Experiment, TheBestOfFormsInBracesIsCompared)
{
    auto experiment = MakeExperiment();
    experiment.SetSweepRuns(3);
    experiment.AddPolicy("best=ns3::odcn::Always[Action={2,0,1}]");
    EXPECT_EQ(experiment.GetLastRun(), 7U);
    std::map<std::string, std::size_t> trials;
    experiment.SetEnded([&](const Experiment::Trial& trial) { ++trials[trial.choice.name]; });
    experiment.Measure();
    EXPECT_EQ(trials["best"], 8U) << "a sweep calls no hook that records";
    for (std::size_t load = 0; load < 2; ++load)
    {
        const auto& row = experiment.GetRows(load).back();
        EXPECT_EQ(row.choice.words, "ns3::odcn::Always[Action=0]");
        ASSERT_EQ(row.forms.size(), 3U);
        EXPECT_EQ(row.forms[2].choice.words, "ns3::odcn::Always[Action=1]");
        EXPECT_EQ(row.forms[2].observations.Get().front().run, 5U) << "runs of its own";
        EXPECT_EQ(experiment.GetEstimate("best", "mean_guess", load).mean,
                  experiment.GetEstimate("low", "mean_guess", load).mean);
    }
    std::ostringstream table;
    experiment.Print(table);
    EXPECT_TRUE(Has(table.str(), "Best forms"));
    EXPECT_THROW(experiment.AddPolicy("ns3::odcn::Always[Action={0,1]"), OdcnError);
}

TEST(Experiment, StretchesAreMeasuredAfterAWarmUp)
{
    auto experiment = MakeExperiment();
    experiment.SetJobs(30, 10);
    experiment.SetBatches(3);
    experiment.SetReplications(1);
    std::size_t drawn = 0;
    experiment.SetEnded([&](const Experiment::Trial& trial)
                        { drawn = dynamic_cast<Guess&>(trial.problem).drawn.size(); });
    experiment.Measure();
    EXPECT_EQ(drawn, 40U);
    const auto& batches = experiment.GetRows(0)[0].observations.Get();
    ASSERT_EQ(batches.size(), 3U);
    EXPECT_EQ(batches[2].decisions, 10U);
    EXPECT_EQ(batches[2].episode, 2U);
    EXPECT_NE(batches[1].values[0].Get(), batches[2].values[0].Get());
}

TEST(Experiment, FiguresOfTheProgramAreEstimatedBesideThoseOfTheProblem)
{
    auto experiment = MakeExperiment();
    experiment.SetProcesses(3);
    const double undefined = 0;
    experiment.AddFigures(
        {{.name = "twice", .title = "twice"}},
        [&](const Experiment::Trial& trial)
        {
            const double mean = trial.problem.MeasureFigures().at(0).Get();
            return std::vector<FigureValue>{{2 * mean, trial.replication < 3 ? 1 : undefined}};
        });
    experiment.Measure();
    double sum = 0;
    for (uint32_t r = 0; r < 3; ++r)
    {
        sum += experiment.GetRows(0)[1].observations.Get().at(r).values.at(0).Get();
    }
    EXPECT_NEAR(experiment.GetEstimate("low", "twice").mean, 2 * sum / 3, 1e-12);
    EXPECT_EQ(experiment.GetEstimate("low", "twice").count, 3U);
    EXPECT_EQ(experiment.GetEstimate("low", "mean_guess").count, 4U);
}

/// Files of experiments.
class ExperimentFiles : public FolderTest
{
  protected:
    /// @param name a file
    /// @return its lines
    int64_t CountLines(const std::string& name) const
    {
        const std::string text = Read(name);
        return std::count(text.begin(), text.end(), '\n');
    }
};

TEST(ExperimentTable, EqualPoliciesTie)
{
    auto experiment = MakeExperiment();
    experiment.AddPolicy("same", "ns3::odcn::Always");
    experiment.Measure();
    std::ostringstream table;
    experiment.Print(table);
    const auto lines = LinesOf(std::istringstream(table.str()));
    EXPECT_EQ(std::count_if(lines.begin(),
                            lines.end(),
                            [](const auto& line)
                            { return line.find("  tie") != std::string::npos; }),
              2);
}

TEST_F(ExperimentFiles, HaveEverythingAndTablesFitATerminal)
{
    auto experiment = MakeExperiment();
    for (const std::string name : {"a", "b", "c"})
    {
        experiment.AddPolicy(name + std::string(30, 'x'), "ns3::odcn::Always[Action=1]");
    }
    experiment.Measure();
    std::ostringstream table;
    experiment.Print(table);
    EXPECT_LE(Width(table.str()), 100U);
    EXPECT_TRUE(Has(table.str(), "vs best rule"));
    EXPECT_TRUE(Has(table.str(), "reference"));

    const std::string folder = m_folder.string();
    {
        OutputFiles files(folder);
        experiment.Write(files);
    }
    const std::string summary = Read("summary.csv");
    EXPECT_EQ(summary.substr(0, summary.find('\n')),
              "load,policy,form,settings,reference,replications,offered,accepted,interrupted,"
              "mean_guess,mean_guess_lower,mean_guess_upper,mean_guess_difference,"
              "mean_guess_difference_lower,mean_guess_difference_upper");
    EXPECT_EQ(CountLines("summary.csv"), 1 + 10);
    EXPECT_EQ(CountLines("replications.csv"), 1 + 2 * 5 * 4);
    EXPECT_TRUE(std::filesystem::exists(folder + "/provenance.txt"));
}

TEST_F(ExperimentFiles, ASignalKeepsFinishedPolicies)
{
    const std::string folder = m_folder.string();
    const Interruption::Guard guard;
    const auto run = [&](uint32_t stopAt)
    {
        std::filesystem::remove_all(folder);
        auto experiment = MakeExperiment();
        experiment.SetOutput(folder);
        uint32_t trials = 0;
        experiment.SetEnded(
            [&](const Experiment::Trial&)
            {
                if (++trials == stopAt)
                {
                    std::raise(SIGINT);
                }
            });
        std::string what = "not interrupted";
        try
        {
            experiment.Measure();
        }
        catch (const Interruption& stop)
        {
            what = stop.what();
        }
        Interruption::Clear();
        return what;
    };
    const auto replications = MakeExperiment().GetReplications();
    EXPECT_EQ(run(1), "interrupted by SIGINT; no policy had finished, no file was written");
    EXPECT_FALSE(std::filesystem::exists(folder));
    EXPECT_EQ(run(replications),
              "interrupted by SIGINT; the policies that had finished are in " + folder +
                  "/interrupted");
    EXPECT_EQ(CountLines("interrupted/summary.csv"), 2);
    EXPECT_EQ(CountLines("interrupted/replications.csv"), 1 + replications);
    run(2 * replications + 1);
    EXPECT_EQ(CountLines("interrupted/summary.csv"), 3);
}

TEST_F(ExperimentFiles, AnErrorKeepsFinishedPolicies)
{
    const std::string folder = m_folder.string();
    const auto run = [&](uint32_t failsAt)
    {
        std::filesystem::remove_all(folder);
        auto experiment = MakeExperiment();
        experiment.SetOutput(folder);
        uint32_t trials = 0;
        experiment.SetEnded(
            [&](const Experiment::Trial&)
            {
                if (++trials == failsAt)
                {
                    throw OdcnError("a file is gone");
                }
            });
        return GetRefusal([&] { experiment.Measure(); });
    };
    const auto replications = MakeExperiment().GetReplications();
    EXPECT_EQ(run(1), "a file is gone");
    EXPECT_FALSE(std::filesystem::exists(folder));
    EXPECT_EQ(run(2 * replications + 1),
              "a file is gone; the policies that had finished are in " + folder + "/interrupted");
    EXPECT_EQ(CountLines("interrupted/summary.csv"), 3);
}

TEST_F(ExperimentFiles, OneProcessWritesAndWholeFilesAreKept)
{
    const std::string folder = m_folder.string();
    for (const char* name : {"/.odcn-part-old.pcap", "/.odcn-part-old.csv-1-2", "/a.pcap"})
    {
        std::ofstream(folder + name) << "earlier";
    }
    {
        OutputFiles files(folder);
        EXPECT_THROW(OutputFiles second(folder), OdcnError);
        EXPECT_FALSE(std::filesystem::exists(folder + "/.odcn-part-old.pcap"));
        EXPECT_FALSE(std::filesystem::exists(folder + "/.odcn-part-old.csv-1-2"));
        const auto trace = [&](const std::string& name, uint32_t size)
        {
            auto file = CreateObject<PcapTrace>();
            file->Begin(files.Temporary(name), 101);
            file->Write(Seconds(1), Create<Packet>(size));
            return file;
        };
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        rlimit small = before;
        small.rlim_cur = 500;
        setrlimit(RLIMIT_FSIZE, &small);
        const auto cut = trace("a.pcap", 1000);
        const std::string what = GetRefusal([&] { files.Keep("a.pcap", "packets"); });
        setrlimit(RLIMIT_FSIZE, &before);
        EXPECT_TRUE(Has(what, "a.pcap"));
        EXPECT_TRUE(Has(what, "could not all be written"));
        EXPECT_EQ(std::filesystem::file_size(folder + "/a.pcap"), 7U) << "the earlier file";
        const auto whole = trace("b.pcap", 1000);
        files.Keep("b.pcap", "packets");
        EXPECT_EQ(std::filesystem::file_size(folder + "/b.pcap"), 24U + 16U + 1000U);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder),
                            std::filesystem::directory_iterator()),
              3)
        << "with the manifest; no lock, no temporary file";
}

TEST(Experiment, OptionsReplaceDefaults)
{
    auto experiment = MakeExperiment();
    std::string program = "program";
    std::string words[] = {"--replications=2",
                           "--loads=3",
                           "--policies=mid=ns3::odcn::Always[Action=1]"};
    char* argv[] = {program.data(), words[0].data(), words[1].data(), words[2].data(), nullptr};
    OdcnCommandLine cmd(4, argv, "test");
    experiment.AddOptions(cmd);
    cmd.Parse();
    experiment.Measure();
    ASSERT_EQ(experiment.GetNCases(), 1U);
    EXPECT_EQ(experiment.GetLabels(0).front().second, "3");
    ASSERT_EQ(experiment.GetRows().size(), 3U);
    EXPECT_EQ(experiment.GetRows()[0].choice.name, "mid");
    EXPECT_EQ(experiment.GetRows()[0].observations.Get().size(), 2U);
    std::ostringstream help;
    cmd.PrintHelp(help);
    EXPECT_TRUE(Has(help.str(), "Experiment:\n    --policies:"));
    EXPECT_LE(Width(help.str()), 100U);
}

TEST(Experiment, APolicyOfTheProgramMayBeGivenToo)
{
    auto experiment = MakeExperiment();
    experiment.SetPolicies("mid=ns3::odcn::Always[Action=1]");
    experiment.AddPolicy("mid", "ns3::odcn::Always[Action=1]");
    experiment.Measure();
    EXPECT_EQ(experiment.GetRows().size(), 3U) << "compared once, beside those of the program";
    EXPECT_TRUE(Has(GetRefusal([&] { experiment.AddPolicy("mid", "ns3::odcn::Always[Action=0]"); }),
                    "each title once"));
}

/// @param counts events of each replication  @return them as measurements of "lost"
Observations
Lose(const std::vector<uint64_t>& counts)
{
    Observations observations(
        std::vector<FigureOfMerit>{FigureOfMerit{.name = "lost", .title = "lost"}});
    for (const uint64_t count : counts)
    {
        observations.Add({0, 0, 0, {}, {{static_cast<double>(count), 1}}});
    }
    return observations;
}

TEST(Observations, ChangeOfRareEventsHasALogInterval)
{
    // 2000 intervals of 95 %: 1900 +- 3.3 x 9.7 should cover the true change. Both have what is
    // common to a replication, as on common random numbers.
    for (const double share : {0.2, 0.5, 1.0, 2.0})
    {
        std::mt19937_64 random(7);
        std::gamma_distribution<double> common(4, 1);
        int covered = 0;
        int impossible = 0;
        for (int i = 0; i < 2000; ++i)
        {
            std::vector<uint64_t> mine(20);
            std::vector<uint64_t> theirs(20);
            std::vector<double> less(20);
            for (std::size_t r = 0; r < mine.size(); ++r)
            {
                const double mean = common(random);
                mine[r] = std::poisson_distribution<uint64_t>(share * mean)(random);
                theirs[r] = std::poisson_distribution<uint64_t>(mean)(random);
                less[r] = static_cast<double>(mine[r]) - static_cast<double>(theirs[r]);
            }
            const auto change = Lose(mine).GetChange("lost", Lose(theirs));
            covered += change.Contains(share - 1);
            impossible += change.lower < -1;
            const std::vector<double> before(theirs.begin(), theirs.end());
            EXPECT_NEAR(change.mean, RatioOfReplications(less, before).mean, 1e-12);
        }
        EXPECT_NEAR(covered, 1900, 45) << share;
        EXPECT_EQ(impossible, 0) << share;
    }
    // The plain interval of a ratio would end at -1.8.
    const auto rare = Lose({3, 0, 0, 0}).GetChange("lost", Lose({2, 3, 1, 2}));
    EXPECT_DOUBLE_EQ(rare.mean, -5.0 / 8);
    EXPECT_GT(rare.lower, -1);
    EXPECT_NEAR((1 + rare.lower) * (1 + rare.upper), 9.0 / 64, 1e-12);
    const auto none = Lose({0, 0, 0}).GetChange("lost", Lose({2, 3, 1}));
    EXPECT_EQ(none.mean, -1);
    EXPECT_EQ(none.lower, -1);
    EXPECT_EQ(none.upper, HUGE_VAL);
    const auto same = Lose({2, 0, 5}).GetChange("lost", Lose({2, 0, 5}));
    EXPECT_EQ(same.mean, 0);
    EXPECT_EQ(same.GetHalfWidth(), 0);
}

TEST(Experiment, ComparisonsHoldTogether)
{
    // Ten policies that do not differ from the reference: without correction some of the ten
    // intervals misses 0 in a third of all experiments.
    constexpr int POLICIES = 10;
    std::mt19937_64 random(3);
    std::normal_distribution<double> noise;
    const auto draw = [&]()
    {
        Observations observations(
            std::vector<FigureOfMerit>{FigureOfMerit{.name = "x", .title = "x"}});
        for (int r = 0; r < 10; ++r)
        {
            observations.Add({0, 0, 0, {}, {{noise(random), 1}}});
        }
        return observations;
    };
    int each = 0;
    int together = 0;
    for (int i = 0; i < 1000; ++i)
    {
        const auto reference = draw();
        bool all = true;
        bool allCorrected = true;
        for (int p = 0; p < POLICIES; ++p)
        {
            const auto policy = draw();
            all = all && policy.GetDifference("x", reference).Contains(0);
            allCorrected = allCorrected &&
                           policy.GetDifference("x", reference, 1 - 0.05 / POLICIES).Contains(0);
        }
        each += all;
        together += allCorrected;
    }
    EXPECT_LT(each, 800);
    EXPECT_GE(together, 950 - 3 * 7);

    auto experiment = MakeExperiment();
    experiment.AddPolicy("mid", "ns3::odcn::Always[Action=1]");
    experiment.SetReference("mid");
    experiment.Measure();
    EXPECT_EQ(experiment.GetNComparisons(), 1U);
    EXPECT_TRUE(Has(experiment.Describe(), "Intervals: 95 %."));
    experiment.SetComparisons(0);
    // Two beside the reference, at two loads.
    EXPECT_EQ(experiment.GetNComparisons(), 4U);
    EXPECT_TRUE(Has(experiment.Describe(),
                    "of differences 98.75 %, so that 4 hold at once with 95 % (Bonferroni)."));
    experiment.SetComparisons(7);
    EXPECT_EQ(experiment.GetNComparisons(), 7U);
    // Any of three rules may turn out the best: a rule is compared with one of two others, and
    // there are three pairs at each load.
    experiment.SetReference("");
    experiment.SetComparisons(1);
    EXPECT_EQ(experiment.GetNComparisons(), 2U);
    EXPECT_TRUE(Has(experiment.Describe(),
                    "of differences 97.5 %,\nsince the best of 3 rules is chosen by the same "
                    "runs."));
    experiment.SetComparisons(0);
    EXPECT_EQ(experiment.GetNComparisons(), 6U);
    EXPECT_TRUE(Has(experiment.Describe(),
                    "so that 6 hold at once with 95 % (Bonferroni),\nwhichever of 3 rules is the "
                    "best."));
    experiment.SetComparisons(7);
    EXPECT_EQ(experiment.GetNComparisons(), 14U);
}

TEST(Experiment, DifferencesFromTheBestOfTheSameRunsHold)
{
    // Eight rules that do not differ, of which the best is the reference.
    constexpr std::size_t RULES = 8;
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise;
    constexpr int EXPERIMENTS = 1000;
    int plain = 0;
    int single = 0;
    int together = 0;
    for (int i = 0; i < EXPERIMENTS; ++i)
    {
        std::vector<Observations> rules;
        for (std::size_t p = 0; p < RULES; ++p)
        {
            rules.emplace_back(
                std::vector<FigureOfMerit>{FigureOfMerit{.name = "x", .title = "x"}});
            for (int r = 0; r < 10; ++r)
            {
                rules.back().Add({0, 0, 0, {}, {{noise(random), 1}}});
            }
        }
        const auto mean = [](const Observations& o) { return o.GetEstimate("x").mean; };
        const auto best =
            std::min_element(rules.begin(),
                             rules.end(),
                             [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
        // Of a rule that is fixed beforehand.
        const auto& fixed = best == rules.begin() ? rules.back() : rules.front();
        plain += fixed.GetDifference("x", *best).Contains(0);
        single += fixed.GetDifference("x", *best, 1 - 0.05 / (RULES - 1)).Contains(0);
        bool all = true;
        for (const auto& rule : rules)
        {
            const double confidence = 1 - 0.05 / (RULES * (RULES - 1) / 2);
            all =
                all && (&rule == &*best || rule.GetDifference("x", *best, confidence).Contains(0));
        }
        together += all;
    }
    EXPECT_LT(plain, 0.92 * EXPERIMENTS);
    EXPECT_GE(single, 0.95 * EXPERIMENTS);
    EXPECT_GE(together, 0.95 * EXPERIMENTS);
}

/// @param kind how replications are averaged
/// @param totals numerator and denominator of each replication
/// @return observations of a figure "x"
Observations
Observe(FigureOfMerit::Kind kind, const std::vector<FigureValue>& totals)
{
    Observations observations(
        std::vector<FigureOfMerit>{FigureOfMerit{.name = "x", .title = "x", .kind = kind}});
    for (const auto& value : totals)
    {
        observations.Add({0, 0, 0, {}, {value}});
    }
    return observations;
}

TEST(Experiment, ComparisonsAreOfTheEstimates)
{
    using Kind = FigureOfMerit::Kind;
    const std::vector<FigureValue> a{{1, 1}, {10, 100}};
    const std::vector<FigureValue> b{{40, 100}, {1, 5}};
    for (const auto kind : {Kind::MEAN, Kind::RATIO, Kind::SHARE})
    {
        const auto mine = Observe(kind, a);
        const auto theirs = Observe(kind, b);
        const double first = mine.GetEstimate("x").mean;
        const double second = theirs.GetEstimate("x").mean;
        EXPECT_NEAR(mine.GetDifference("x", theirs).mean, first - second, 1e-12);
        EXPECT_NEAR(mine.GetChange("x", theirs).mean, first / second - 1, 1e-12);
    }
    // Consecutive batches that are correlated: differences are widened as their means are.
    Observations slow(std::vector<FigureOfMerit>{FigureOfMerit{.name = "x", .title = "x"}}, true);
    Observations none = slow;
    for (int i = 0; i < 16; ++i)
    {
        slow.Add({0, 0, 0, {}, {{i / 4 % 2 + 0.01 * i, 1}}});
        none.Add({0, 0, 0, {}, {{1, 1}}});
    }
    EXPECT_NEAR(slow.GetDifference("x", none).GetHalfWidth(),
                slow.GetEstimate("x").GetHalfWidth(),
                1e-12);
}

/// @param experiment to measure  @return all that it measured, to the bit
std::string
Measure(Experiment& experiment)
{
    experiment.Measure();
    std::ostringstream text;
    text.precision(17);
    for (std::size_t i = 0; i < experiment.GetNCases(); ++i)
    {
        for (const auto& row : experiment.GetRows(i))
        {
            for (const auto& o : row.observations.Get())
            {
                text << i << row.choice.name << " " << o.run << " " << o.episode << " "
                     << o.decisions << " " << o.tally.offered << " " << o.values.at(0).total
                     << "\n";
            }
        }
    }
    return text.str();
}

TEST(Experiment, ReplicationsInLockstepDoNotChangeResults)
{
    const auto measure = [](uint32_t batch, uint32_t processes, auto&& change)
    {
        auto experiment = MakeExperiment();
        experiment.AddPolicy("together",
                             "ns3::odcn::Together[Batch=" + std::to_string(batch) + "]");
        experiment.SetReplications(8);
        experiment.SetProcesses(processes);
        Together::most = 0;
        change(experiment);
        return Measure(experiment);
    };
    const std::vector<std::function<void(Experiment&)>> changes{
        [](Experiment&) {},
        [](Experiment& experiment) { experiment.SetJobs(20, 5); },
        [](Experiment& experiment)
        {
            experiment.SetJobs(60, 0); // more than there are
            experiment.SetBatches(4);
        },
        [](Experiment& experiment) { experiment.SetOneRun(true); },
        [](Experiment& experiment)
        { experiment.SetEnded([](const auto&) {}, Experiment::HookScope::FIRST); }};
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        const auto alone = measure(1, 1, changes[i]);
        EXPECT_EQ(Together::most, 1U) << i;
        EXPECT_EQ(measure(3, 1, changes[i]), alone) << i;
        EXPECT_EQ(Together::most, i == 3 ? 1U : 3U) << i;
        EXPECT_EQ(measure(3, 2, changes[i]), alone) << i;
        EXPECT_EQ(measure(5, 3, changes[i]), alone) << i;
    }
    // One at a time where something may repeat a trial.
    for (const bool meter : {true, false})
    {
        measure(3,
                1,
                [&](Experiment& experiment)
                {
                    if (meter)
                    {
                        experiment.AddFigures({{.name = "one", .title = "one"}},
                                              [](const auto&) -> std::vector<FigureValue> {
                                                  return {{1, 1}};
                                              });
                        return;
                    }
                    experiment.SetBegun([](const auto&) {});
                });
        EXPECT_EQ(Together::most, 1U);
    }
}

TEST(Experiment, ProcessesDoNotChangeResults)
{
    const auto measure = [](uint32_t processes, auto&& change)
    {
        auto experiment = MakeExperiment();
        experiment.SetProcesses(processes);
        change(experiment);
        return Measure(experiment);
    };
    const auto none = [](Experiment&) {};
    const auto one = measure(1, none);
    EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 16);
    EXPECT_EQ(measure(2, none), one);
    EXPECT_EQ(measure(7, none), one);
    const auto oneRun = [](Experiment& experiment) { experiment.SetOneRun(true); };
    EXPECT_EQ(measure(3, oneRun), measure(1, oneRun));
    const auto batches = [](Experiment& experiment)
    {
        experiment.SetJobs(30, 10);
        experiment.SetBatches(3);
    };
    EXPECT_EQ(measure(3, batches), measure(1, batches));

    // Hooks that record run here, those that do not anywhere.
    uint32_t ended = 0;
    const auto hook = [&](Experiment::HookScope scope)
    {
        ended = 0;
        return [&ended, scope](Experiment& experiment)
        { experiment.SetEnded([&ended](const Experiment::Trial&) { ++ended; }, scope); };
    };
    EXPECT_EQ(measure(4, hook(Experiment::HookScope::ALL)), one);
    EXPECT_EQ(ended, 16U);
    EXPECT_EQ(measure(4, hook(Experiment::HookScope::FIRST)), one);
    EXPECT_GE(ended, 4U); // two loads and two policies
    EXPECT_LE(ended, 16U);
}
