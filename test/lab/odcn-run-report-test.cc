// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Reports of runs: what the page holds, whatever texts the run has, and how large runs are reduced.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-report-chart.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-use-over-time.h"

#include <nlohmann/json.hpp>

using namespace ns3::odcn;

namespace
{

using Kind = ReportChart::Kind;

/// @param page a report  @return its record
nlohmann::json
ReadRecord(const std::string& page)
{
    const std::string begin = "<script type=\"application/json\" id=\"run\">";
    const auto from = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

using RunReportTest = FolderTest;

TEST_F(RunReportTest, HoldsHostileTextsAsTheyAre)
{
    const std::string hostile = "</script><script>alert(1)</script><!-- /*DATA*/ \" ' \\ ]]> &lt;";
    RunReport plain;
    RunReport report;
    report.SetCommand(hostile);
    report.AddFact(hostile, hostile);
    Table table({hostile, "n"});
    table.AddRow({hostile, "1"});
    report.AddTable(hostile, table, hostile);
    auto& chart =
        report.AddChart({Kind::ESTIMATES, hostile, hostile, hostile, hostile, hostile, {}});
    chart.AddEstimate(hostile, hostile, hostile, Estimate{1, -HUGE_VAL, HUGE_VAL, 1});
    const std::string page = report.MakePage(hostile, {{hostile, hostile}});
    const auto run = ReadRecord(page);
    EXPECT_EQ(run["name"], hostile);
    EXPECT_EQ(run["facts"][0][1], hostile);
    EXPECT_EQ(run["tables"][0]["rows"][0][0], hostile);
    EXPECT_EQ(run["charts"][0]["rows"][0][2], hostile);
    EXPECT_TRUE(run["charts"][0]["rows"][0][4].is_null()); // no infinite number
    for (const char* part : {"<script", "</script", "<!--"})
    {
        EXPECT_EQ(CountOf(page, part), CountOf(plain.MakePage("", {}), part)) << part;
    }
    // Bytes that are no UTF-8 are replaced, not refused.
    RunReport bytes;
    bytes.AddFact("label", "\xff\xfe");
    EXPECT_NO_THROW(ReadRecord(bytes.MakePage("", {})));
}

TEST_F(RunReportTest, IsOnePageWithoutReferences)
{
    RunReport report;
    report.AddChart({Kind::CDF, "empty", "", "", "", "", {}});
    RunReport::Files others;
    {
        OutputFiles files(m_folder.string());
        files.Written("summary.csv", "numbers");
        report.Write(files);
        others = files.GetFiles();
        EXPECT_EQ(others.back().first, "report.html");
        others.pop_back();
    }
    const std::string page = Read("report.html");
    EXPECT_EQ(CountOf(page, "connect-src"), 0U); // but in a live page
    EXPECT_EQ(page, report.MakePage(m_folder.filename().string(), others));
    for (const char* reference : {" src=", "href=\"http", "@import", "url(http"})
    {
        EXPECT_EQ(CountOf(page, reference), 0U) << reference;
    }
    EXPECT_TRUE(ReadRecord(page)["charts"].empty()); // without rows
    EXPECT_EQ(ReadRecord(page)["files"][0][0], "summary.csv");
    for (const char* mark : {"/*CONNECT*/", "/*LIVE*/", "/*DATA*/"})
    {
        EXPECT_EQ(CountOf(page, mark), 0U) << mark;
    }
}

TEST_F(RunReportTest, HasBandsWhereAChartHas)
{
    RunReport report;
    auto& marked = report.AddChart({Kind::HEATMAP, "marked", "", "", "", "", {}});
    marked.rows.push_back({"a", 0.0, 1.0, "rack 0", 0.5});
    marked.bands.push_back({"a", 0.25, std::nan(""), "tor 3", 3.0});
    report.AddChart({Kind::HEATMAP, "plain", "", "", "", "", {}}).rows = marked.rows;
    const auto charts = ReadRecord(report.MakePage("", {}))["charts"];
    EXPECT_EQ(charts[0]["bands"].dump(), "[[\"a\",0.25,null,\"tor 3\",3.0]]"); // without an end
    EXPECT_FALSE(charts[1].contains("bands"));
}

TEST_F(RunReportTest, NamesLearningCurvesAndTheEndOfCloning)
{
    const std::string header =
        "epoch,decisions,updates,score,evaluation,clone_accuracy,clone_passes,entropy\n";
    RunReport report;
    report.AddTraining("clone",
                       Write(header + "0,0,0,0,0.5,0.875,3,0\n1,100,1,0.4,0.3,0.875,3,1\n"));
    report.AddTraining("fresh", Write(header + "0,0,0,0,0.9,0,0,0\n1,100,1,0.8,,0,0,1\n"));
    const auto charts = ReadRecord(report.MakePage("", {}))["charts"];
    ASSERT_EQ(charts.size(), 1U);
    std::vector<std::string> facets;
    for (const auto& row : charts[0]["rows"])
    {
        if (facets.empty() || facets.back() != row[0])
        {
            facets.push_back(row[0]);
        }
    }
    ASSERT_EQ(facets.size(), 6U); // three of each
    EXPECT_EQ(facets[0], "evaluation: score of the evaluation problems, lower is better");
    EXPECT_EQ(facets[1], "score of the training problems, mean of an epoch, lower is better");
    EXPECT_EQ(facets[3], facets[0]);
    EXPECT_EQ(charts[0]["y"], ""); // the facet
    const std::string note = charts[0]["note"];
    EXPECT_EQ(note,
              "clone begins as the clone of a teacher, whose actions it takes in 87.5 % of the "
              "decisions: cloning ends at 0 decisions.");
}

TEST_F(RunReportTest, WritesPlotScriptThatUsersEdit)
{
    const auto write = [&](bool summary)
    {
        OutputFiles files(m_folder.string());
        if (summary)
        {
            files.Written("summary.csv", "numbers");
        }
        RunReport().Write(files);
        return files.GetFiles().size();
    };
    EXPECT_EQ(write(false), 1U); // nothing to draw
    EXPECT_FALSE(std::filesystem::exists(m_folder / "plot.py"));
    EXPECT_EQ(write(true), 3U);
    EXPECT_EQ(CountOf(Read("plot.py"), "summary.csv") > 0, true);
    EXPECT_EQ(write(true), 3U); // once more, as it is
    std::ofstream(m_folder / "plot.py") << "mine";
    EXPECT_EQ(write(true), 2U);
    EXPECT_EQ(Read("plot.py"), "mine");
    std::ofstream(m_folder / "plot.py", std::ios::trunc).close();
    EXPECT_EQ(write(true), 2U);
    EXPECT_EQ(Read("plot.py"), "");
}

TEST_F(RunReportTest, LeavesOutIntervalsOfFewObservations)
{
    RunReport report;
    auto& chart = report.AddChart({Kind::ESTIMATES, "share", "", "%", "", "", {}, true});
    chart.AddEstimate("", "", "four times", Estimate{0.5, 0, 1, 4}, 100);
    chart.AddEstimate("", "", "five times", Estimate{0.5, 0.25, 1, 5}, 100);
    chart.AddEstimate("", "", "bound", Estimate::Exactly(0.5), 100, true);
    report.AddChart({Kind::ESTIMATES, "time", "", "us", "", "", {}})
        .AddEstimate("", "", "once", Estimate{1, 1, 1, 1});
    const auto charts = ReadRecord(report.MakePage("", {}))["charts"];
    const auto& rows = charts[0]["rows"];
    EXPECT_EQ(rows[0][3], 50);
    EXPECT_TRUE(rows[0][4].is_null() && rows[0][5].is_null());
    EXPECT_EQ(rows[1][4], 25);
    EXPECT_EQ(rows[1][5], 100);
    EXPECT_EQ(rows[2][5], 50);
    EXPECT_EQ(charts[0]["note"], "No interval is drawn of fewer than 5.");
    EXPECT_EQ(charts[1]["note"], "");
    EXPECT_EQ(charts[0]["higher"], true);
    EXPECT_EQ(charts[1]["higher"], false);
}

TEST_F(RunReportTest, ReducesMillionsOfValues)
{
    std::mt19937_64 random(1);
    std::exponential_distribution<double> law(1);
    RunReport report;
    auto& cdf = report.AddChart({Kind::CDF, "latency", "ns", "share", "", "", {}});
    auto& curve = report.AddChart({Kind::CURVES, "curve", "n", "score", "", "", {}});
    std::vector<double> values(1000000);
    std::generate(values.begin(), values.end(), [&] { return law(random); });
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        points.emplace_back(double(i), values[i]);
    }
    for (int series = 0; series < 2; ++series)
    {
        cdf.AddDistribution("", std::to_string(series), values, 2);
        curve.AddCurve("", std::to_string(series), points);
    }
    EXPECT_EQ(cdf.rows.size(), 2 * ReportChart::QUANTILES);
    EXPECT_FALSE(cdf.note.empty());
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < ReportChart::QUANTILES; ++i)
    {
        const double share = std::get<double>(cdf.rows[i][3]);
        const auto rank = static_cast<std::size_t>(std::llround(share * 1e6));
        EXPECT_EQ(std::get<double>(cdf.rows[i][2]), 2 * values[rank - 1]);
    }
    EXPECT_EQ(std::get<double>(cdf.rows[ReportChart::QUANTILES - 1][3]), 1);
    // The mean of the means is the mean, and bands reach from the least to the greatest value.
    double mean = 0;
    double most = 0;
    for (std::size_t i = 0; i < ReportChart::POINTS; ++i)
    {
        mean += std::get<double>(curve.rows[i][3]) / ReportChart::POINTS;
        most = std::max(most, std::get<double>(curve.rows[i][5]));
    }
    EXPECT_EQ(most, values.back());
    EXPECT_NEAR(mean, 1, 0.005);
    EXPECT_LT(report.MakePage("", {}).size(), 1000000U);
}

TEST_F(RunReportTest, FewValuesAreAllShown)
{
    ReportChart cdf{Kind::CDF, "", "", "", "", "", {}};
    cdf.AddDistribution("f", "s", {3, 1, 2});
    ASSERT_EQ(cdf.rows.size(), 3U);
    EXPECT_EQ(std::get<double>(cdf.rows[0][2]), 1);
    EXPECT_EQ(std::get<double>(cdf.rows[0][3]), 1.0 / 3);
    EXPECT_TRUE(cdf.note.empty());
    cdf.AddDistribution("f", "none", {});
    EXPECT_EQ(cdf.rows.size(), 3U);
    ReportChart curve{Kind::CURVES, "", "", "", "", "", {}};
    curve.AddCurve("f", "s", {{1, 5}, {2, 7}});
    ASSERT_EQ(curve.rows.size(), 2U);
    EXPECT_EQ(curve.rows[1], (std::vector<ReportChart::Cell>{"f", "s", 2.0, 7.0, 7.0, 7.0}));
}

TEST_F(RunReportTest, UseOverTimeKeepsTheTotal)
{
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> part(0, 1);
    for (const double horizon : {0.01, 1.0, 5000.0})
    {
        UseOverTime use;
        std::vector<double> totals(5);
        for (int i = 0; i < 500; ++i)
        {
            const double begin = horizon * part(random);
            const double end = begin + horizon * part(random) / 3;
            const auto place = static_cast<std::size_t>(random() % totals.size());
            use.Add(begin, end, place, 0.25);
            totals[place] += 0.25 * (end - begin);
        }
        ReportChart chart{Kind::HEATMAP, "", "", "", "", "", {}};
        use.Put(chart, "f", 2, 2 * horizon);
        EXPECT_LE(chart.rows.size(), totals.size() * UseOverTime::INTERVALS);
        std::vector<double> shown(totals.size());
        for (const auto& row : chart.rows)
        {
            shown[std::stoul(std::get<std::string>(row[3]))] +=
                std::get<double>(row[4]) / 2 *
                (std::get<double>(row[2]) - std::get<double>(row[1]));
        }
        for (std::size_t place = 0; place < totals.size(); ++place)
        {
            EXPECT_NEAR(shown[place], totals[place], 1e-9 * horizon);
        }
    }
    // What goes on later does not count.
    UseOverTime one;
    one.Add(0, 10, 0, 1);
    ReportChart half{Kind::HEATMAP, "", "", "", "", "", {}};
    one.Put(half, "", 1, 5.03);
    ASSERT_FALSE(half.rows.empty());
    EXPECT_GT(std::get<double>(half.rows.back()[2]), 4.8);
    for (const auto& row : half.rows)
    {
        EXPECT_DOUBLE_EQ(std::get<double>(row[4]), 1);
    }
    // Many places are drawn in groups, as means.
    UseOverTime use;
    for (std::size_t place = 0; place < 1000; ++place)
    {
        use.Add(0, 1, place, 3);
    }
    ReportChart chart{Kind::HEATMAP, "", "", "", "", "", {}};
    use.Put(chart, "", 1, 1);
    EXPECT_LE(chart.rows.size(), UseOverTime::PLACES * UseOverTime::INTERVALS);
    for (const auto& row : chart.rows)
    {
        EXPECT_DOUBLE_EQ(std::get<double>(row[4]), 3);
    }
}

TEST_F(RunReportTest, ReadsWhatCsvWriterWrites)
{
    const std::string path = (m_folder / "t.csv").string();
    CsvWriter csv(path, {"a", "b,c", "d"});
    csv.Row("x, \"y\"\nz", 1.5, "");
    csv.Row("plain", 2, "last");
    csv.Commit();
    std::vector<std::vector<std::string>> rows;
    RunReport::ReadCsv(path, {"b,c", "a", "d"}, [&](const auto& cells) { rows.push_back(cells); });
    EXPECT_EQ(rows,
              (std::vector<std::vector<std::string>>{{"1.5", "x, \"y\"\nz", ""},
                                                     {"2", "plain", "last"}}));
    EXPECT_THROW(RunReport::ReadCsv(path, {"e"}, [](const auto&) {}), OdcnError);
}

TEST_F(RunReportTest, OptionsChooseWhatIsWritten)
{
    const auto write = [&](const char* option)
    {
        char program[] = "program";
        std::string word = option;
        char* argv[] = {program, word.data()};
        OdcnCommandLine cmd(2, argv, "");
        RunReport report;
        report.AddOptions(cmd);
        cmd.Parse();
        report.AddChart({Kind::ESTIMATES, "it's \"a\" `date`", "", "y", "", "", {}})
            .AddEstimate("50 %\n'", "", "p_1", Estimate{2, 1, 3, 5});
        // Without a value there is nothing to draw.
        report.AddChart({Kind::ESTIMATES, "nothing", "", "y", "", "", {}})
            .AddEstimate("", "", "p_1", Estimate{std::nan(""), -INFINITY, INFINITY, 0});
        OutputFiles files(m_folder.string());
        report.Write(files);
        return files.GetFiles().size();
    };
    EXPECT_EQ(write("--report=false"), 0U);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "report.html"));
    EXPECT_EQ(write("--report=true"), 1U);
    const auto charts = ReadRecord(Read("report.html"))["charts"];
    ASSERT_EQ(charts.size(), 2U);
    EXPECT_EQ(charts[0]["title"], "it's \"a\" `date`");
    EXPECT_TRUE(charts[1]["rows"][0][3].is_null());
}

} // namespace
