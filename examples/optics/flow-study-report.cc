// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "flow-study.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param result counts of a run
/// @return share of the flows that completed
double
GetComplete(const StudyResult& result)
{
    const FlowSummary& all = result.classes.back();
    return all.flows > 0 ? double(all.flows - all.incomplete) / double(all.flows) : std::nan("");
}

/// @return the figures of completion times by class, for charts only
std::vector<StudyFigure>
MakeClassFigures()
{
    std::vector<StudyFigure> figures;
    for (std::size_t c = 0; c < FlowStudy::CLASSES.size(); ++c)
    {
        const auto add = [&](double FlowStatistics::*quantile, const std::string& chart)
        {
            const auto get = CompletionFigure("", c, quantile, 1).get;
            figures.push_back({{chart + FlowStudy::CLASSES[c], "", "us", 1e6},
                               get,
                               chart,
                               FlowStudy::CLASSES[c]});
        };
        add(&FlowStatistics::p50, "Median completion time by size");
        add(&FlowStatistics::p99, "p99 of the completion time by size");
    }
    return figures;
}

/**
 * @param figure a figure
 * @param row a design
 * @return mean and interval over the runs in which it is known; infinite if it is in one of them
 */
Estimate
GetEstimate(const StudyFigure& figure, const StudyRow& row)
{
    std::vector<double> values;
    for (const StudyResult& result : row.results)
    {
        const double value =
            std::visit([](auto number) { return double(number); }, figure.get(result));
        if (!std::isnan(value))
        {
            values.push_back(value);
        }
    }
    const bool isKnown =
        std::none_of(values.begin(), values.end(), [](double value) { return std::isinf(value); });
    if (!isKnown)
    {
        return {HUGE_VAL, HUGE_VAL, HUGE_VAL, values.size()};
    }
    Estimate estimate = MeanOfReplications(values);
    // No interval reaches into what is impossible.
    estimate.lower = std::max(estimate.lower, 0.0);
    estimate.upper = std::min(estimate.upper, figure.most);
    return estimate;
}

/**
 * @param figure a figure
 * @param estimate of it, by GetEstimate()
 * @return as FormatEstimate(), but both ends where the half width would pass a possible value
 */
std::string
Format(const StudyFigure& figure, const Estimate& estimate)
{
    const double scale = figure.merit.scale;
    const std::string text = FormatEstimate(estimate, scale);
    const std::size_t end = text.find(" +- ");
    const double half = estimate.GetHalfWidth();
    if (end == std::string::npos || (half <= estimate.mean && estimate.mean + half <= figure.most))
    {
        return text;
    }
    const std::string mean = text.substr(0, end);
    const std::size_t point = std::min(mean.find('.'), end - 1);
    const auto format = [&](double value)
    {
        const bool isLimit = value == 0 || value == figure.most;
        return FormatFixed(value * scale, isLimit ? 0 : static_cast<int>(end - 1 - point));
    };
    return mean + " (" + format(estimate.lower) + " to " + format(estimate.upper) + ")";
}

} // namespace

StudyFigure
CompletionFigure(const std::string& title,
                 std::size_t index,
                 double FlowStatistics::*quantile,
                 double scale)
{
    return {{.name = title, .title = title, .scale = scale, .percentile = true},
            [index, quantile](const StudyResult& r) { return r.classes[index].time.*quantile; }};
}

StudyFigure
CompleteFigure()
{
    return {.merit = {"complete", "Complete\n%", "%", 100}, .get = &GetComplete, .most = 1};
}

std::string
FlowStudy::Join(const std::vector<std::string>& labels, const std::string& between)
{
    std::string text;
    for (const std::string& label : labels)
    {
        text += (text.empty() ? "" : between) + label;
    }
    return text;
}

void
FlowStudy::WriteSummary(const std::string& path, const StudyLayout& layout) const
{
    const auto names = OdcnCommandLine::SplitList(layout.columns, "columns");
    std::vector<const StudyFigure*> figures;
    for (const std::string& name : names)
    {
        figures.push_back(&*std::find_if(layout.figures.begin(),
                                         layout.figures.end(),
                                         [&](const auto& f) { return f.merit.name == name; }));
    }
    CsvWriter csv(path,
                  OdcnCommandLine::SplitList(Join(layout.labels, ",") +
                                                 ",run,from_bytes,to_bytes,flows,incomplete,p50_us,"
                                                 "p99_us,slowdown_p50,slowdown_p99,"
                                                 "unloaded_slowdown_p50,unloaded_slowdown_p99," +
                                                 layout.columns + ",engine",
                                             "columns"));
    for (const StudyRow& row : m_rows)
    {
        for (std::size_t run = 0; run < row.results.size(); ++run)
        {
            for (const FlowSummary& c : row.results[run].classes)
            {
                for (const std::string& label : row.labels)
                {
                    csv.Cell(label);
                }
                csv.Cell(run).Cell(c.fromBytes).Cell(c.toBytes).Cell(c.flows).Cell(c.incomplete);
                csv.Cell(c.time.p50 * 1e6).Cell(c.time.p99 * 1e6);
                csv.Cell(c.slowdown.p50).Cell(c.slowdown.p99);
                csv.Cell(c.unloadedSlowdown.p50).Cell(c.unloadedSlowdown.p99);
                for (const StudyFigure* figure : figures)
                {
                    std::visit([&](auto value) { csv.Cell(value); }, figure->get(row.results[run]));
                }
                csv.Cell(std::string(GetName(row.results[run].engine)));
                csv.EndRow();
            }
        }
    }
    csv.Commit();
}

bool
FlowStudy::IsPrecise(const StudyRow& row, const StudyLayout& layout) const
{
    return row.results.size() >= m_options.stopping.least &&
           std::all_of(layout.figures.begin(),
                       layout.figures.end(),
                       [&](const StudyFigure& figure)
                       {
                           const Estimate estimate = GetEstimate(figure, row);
                           // No number of runs bounds what reaches into incomplete flows.
                           return !figure.merit.percentile || !std::isfinite(estimate.mean) ||
                                  m_options.stopping.IsPrecise(estimate);
                       });
}

std::string
FlowStudy::DescribeEnd(const StudyLayout& layout) const
{
    if (!m_isSequential)
    {
        return "";
    }
    std::string open;
    for (const StudyRow& row : m_rows)
    {
        double worst = 0;
        std::string name;
        for (const StudyFigure& figure : layout.figures)
        {
            const Estimate estimate = GetEstimate(figure, row);
            const double error = estimate.GetHalfWidth() / estimate.mean;
            if (!row.isPrecise && figure.merit.percentile && std::isfinite(estimate.mean) &&
                error >= worst)
            {
                worst = error;
                name = figure.merit.title;
            }
        }
        std::replace(name.begin(), name.end(), '\n', ' ');
        open += row.isPrecise
                    ? ""
                    : (open.empty() ? "" : ", ") + row.title + " (" + name + ": " +
                          (std::isfinite(worst) ? "+- " + FormatFixed(100 * worst, 0) + " %"
                                                : "one run") +
                          ")";
    }
    const SequentialStopping& stopping = m_options.stopping;
    std::string text = "Runs: until each percentile of the design is within " +
                       FormatNumber(100 * stopping.precision) + " % with 95 %, " +
                       std::to_string(stopping.least) + " to " + std::to_string(stopping.most) +
                       " (Law and Kelton's sequential procedure).\n";
    text += open.empty() ? "All designs have reached it.\n" : "Not reached: " + open + ".\n";
    text += m_isTimeUp
                ? "The time was up (--time=" + FormatNumber(m_options.time) +
                      "), so another machine may make more or fewer runs. --replications=" +
                      std::to_string(m_rows.back().results.size()) + " makes the same everywhere.\n"
                : "";
    return text;
}

void
FlowStudy::AddSlowdowns()
{
    constexpr std::size_t PARTS = 20;
    std::string sizes;
    for (StudyRow& row : m_rows)
    {
        std::vector<std::pair<float, float>>& flows = row.slowdowns;
        std::sort(flows.begin(), flows.end());
        const std::size_t n = flows.size();
        std::vector<std::pair<double, double>> median;
        std::vector<std::pair<double, double>> tail;
        for (std::size_t part = 0; part < PARTS && n >= PARTS; ++part)
        {
            const std::size_t begin = part * n / PARTS;
            const std::size_t end = (part + 1) * n / PARTS;
            std::vector<double> values;
            for (std::size_t i = begin; i < end; ++i)
            {
                values.push_back(flows[i].second);
            }
            std::sort(values.begin(), values.end());
            const double at = 100 * (double(part) + 1) / PARTS;
            const auto add = [&](double share, auto& points)
            {
                const double rank = std::ceil(share * double(values.size()) - 1e-9);
                const double value = values[std::size_t(std::max(rank, 1.0)) - 1];
                // 99 % of fewer values is their maximum.
                if (std::isfinite(value) && double(values.size()) * (1 - share) >= 1 - 1e-9)
                {
                    points.emplace_back(at, value);
                }
            };
            add(0.5, median);
            add(0.99, tail);
            if (&row == &m_rows.front() && part % 5 == 4)
            {
                sizes += (sizes.empty() ? "" : ", ") + FormatNumber(at) +
                         " %: " + FormatFixed(flows[end - 1].first / 1e3, 0) + " kB";
            }
        }
        m_slowdown->AddCurve("median", row.title, median);
        m_slowdown->AddCurve("p99", row.title, tail);
        flows.clear();
    }
    m_slowdown->note = "Twentieths of the flows by size, all runs in one; largest flows: " + sizes +
                       ". Without parts of fewer than 100 flows (p99), or that reach into "
                       "incomplete flows.";
}

void
FlowStudy::ReportHits()
{
    if (m_hits.empty())
    {
        return;
    }
    Table table({"Design",
                 "Flows",
                 "Not\ncomplete",
                 "Later",
                 "p50,\nus later",
                 "p99,\nus later",
                 "Most,\nus later",
                 "Sooner"});
    for (const FaultHits& hits : m_hits)
    {
        const auto find = [&](double share)
        {
            const auto rank = std::ceil(share * double(hits.later.size()));
            return hits.later.empty() ? "-"
                                      : FormatFixed(hits.later[std::size_t(rank) - 1] * 1e6, 1);
        };
        table.AddRow({hits.title,
                      std::to_string(hits.flows),
                      std::to_string(hits.open),
                      std::to_string(hits.later.size()),
                      find(0.5),
                      find(0.99),
                      find(1),
                      std::to_string(hits.sooner)});
    }
    const std::string title = "Flows that faults hit, first run";
    const std::string note =
        "Beside the same run without faults: not complete, or by more than 1 % later or sooner.";
    std::cout << title << "\n";
    table.Print(std::cout);
    std::cout << note << "\n\n";
    m_options.report.AddTable(title, table, note);
}

void
FlowStudy::Report(const StudyLayout& layout,
                  const std::string& setting,
                  const std::string& legend,
                  const std::string& notes)
{
    RunReport& report = m_options.report;
    AddSlowdowns();
    std::string all = notes;
    for (const std::string& text : m_incomplete)
    {
        all += text;
    }
    for (const auto& [title, parts] : m_lacking)
    {
        all += title + " has no " + parts + ": these faults are left out there.\n";
    }
    std::vector<StudyFigure> figures = MakeClassFigures();
    figures.insert(figures.end(), layout.figures.begin(), layout.figures.end());
    std::vector<std::string> header = layout.header;
    std::map<std::string, ReportChart*> charts;
    for (const StudyFigure& figure : figures)
    {
        const FigureOfMerit& merit = figure.merit;
        if (merit.shown && !merit.title.empty())
        {
            header.push_back(merit.title);
        }
        if (merit.shown && !figure.chart.empty() && !charts[figure.chart])
        {
            const std::string y = figure.chart + (merit.unit.empty() ? "" : ", " + merit.unit);
            charts[figure.chart] = &report.AddChart({ReportChart::Kind::ESTIMATES,
                                                     figure.chart,
                                                     "",
                                                     y,
                                                     figure.facet.empty()  ? ""
                                                     : merit.title.empty() ? "flows"
                                                                           : "which",
                                                     "Mean and 95 % interval over runs.",
                                                     {},
                                                     merit.higherIsBetter});
        }
    }
    Table table(header);
    std::map<ReportChart*, std::string> missing;
    bool partly = false;
    for (const StudyRow& row : m_rows)
    {
        std::vector<std::string> cells = layout.cells(row);
        for (const StudyFigure& figure : figures)
        {
            const FigureOfMerit& merit = figure.merit;
            const Estimate estimate = GetEstimate(figure, row);
            if (merit.shown && !merit.title.empty())
            {
                cells.push_back(merit.percentile ? FormatPercentile(estimate, merit.scale)
                                                 : Format(figure, estimate));
                if (estimate.count > 0 && estimate.count < row.results.size())
                {
                    cells.back() += " (" + std::to_string(estimate.count) + " of " +
                                    std::to_string(row.results.size()) + ")";
                    partly = true;
                }
            }
            if (!merit.shown || figure.chart.empty() || std::isnan(estimate.mean))
            {
                continue;
            }
            ReportChart* const chart = charts[figure.chart];
            if (std::isfinite(estimate.mean))
            {
                chart->AddEstimate(figure.facet, "", row.title, estimate, merit.scale);
            }
            else
            {
                std::string& names = missing[chart];
                names += (names.empty() ? "" : ", ") + row.title + " (" + figure.facet + ")";
            }
        }
        table.AddRow(cells);
    }
    for (const auto& [chart, names] : missing)
    {
        chart->note += " Not drawn, since it reaches into incomplete flows: " + names + ".";
    }
    const std::string told = legend + (partly ? "\n(1 of 2): known in one of two runs." : "");
    const std::string end = DescribeEnd(layout);
    std::cout << setting << "\n\n";
    table.Print(std::cout);
    std::cout << "\n" << end << told << "\n\n";
    report.AddFact("setting", setting);
    report.AddTable("Results", table, end + told);
    ReportHits();
    std::set<std::string> named;
    for (const StudyRow& row : m_rows)
    {
        if (named.insert(row.labels[0]).second)
        {
            std::cout << row.labels[0] << ": " << row.what << "\n";
            report.AddFact(row.labels[0], row.what);
        }
    }
    std::cout << all;
    WriteSummary(m_files->Path("summary.csv"), layout);
    std::string design = Join(layout.labels, "-");
    std::transform(design.begin(), design.end(), design.begin(), ::toupper);
    m_files->Written("summary.csv",
                     "all numbers by " + Join(layout.labels, ", ") + ", run and size class");
    m_files->List(design + "-flows.csv", "completion time of each flow of the first run");
    if (m_options.faults.IsUsed())
    {
        m_files->List(design + "-faults.csv", "faults of the first run, in the form of --faults");
    }
    report.Write(*m_files);
    std::cout << "\n";
    m_files->Finish(std::cout);
}
