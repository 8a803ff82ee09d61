// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "flow-study.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"

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
    return isKnown ? MeanOfReplications(values)
                   : Estimate{HUGE_VAL, HUGE_VAL, HUGE_VAL, values.size()};
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
    return {{"complete", "Complete\n%", "%", 100}, &GetComplete};
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

void
FlowStudy::Report(const StudyLayout& layout,
                  const std::string& setting,
                  const std::string& legend,
                  const std::string& notes)
{
    RunReport& report = m_options.report;
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
                                                 : FormatEstimate(estimate, merit.scale));
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
    std::cout << setting << "\n\n";
    table.Print(std::cout);
    std::cout << "\n" << told << "\n\n";
    report.AddFact("setting", setting);
    report.AddTable("Results", table, told);
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
