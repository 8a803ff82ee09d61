// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-study.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-table.h"

#include <algorithm>
#include <cctype>
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
GetComplete(const FabricResult& result)
{
    const FlowSummary& all = result.classes.back();
    return all.flows > 0 ? double(all.flows - all.incomplete) / double(all.flows) : std::nan("");
}

/// @return the figures of completion times by class, for charts only
std::vector<FabricFigure>
MakeClassFigures()
{
    std::vector<FabricFigure> figures;
    for (std::size_t c = 0; c < FabricStudy::CLASSES.size(); ++c)
    {
        const auto add = [&](double FlowStatistics::*quantile, const std::string& chart)
        {
            const auto get = CompletionFigure("", c, quantile, 1).get;
            figures.push_back({{chart + FabricStudy::CLASSES[c], "", "us", 1e6},
                               get,
                               chart,
                               FabricStudy::CLASSES[c]});
        };
        add(&FlowStatistics::p50, "Median completion time by size");
        add(&FlowStatistics::p99, "p99 of the completion time by size");
    }
    return figures;
}

/// @return observations of a design, one a replication
Observations
Observe(const std::vector<FabricFigure>& figures, const FabricRow& row)
{
    std::vector<FigureOfMerit> merits;
    std::transform(figures.begin(),
                   figures.end(),
                   std::back_inserter(merits),
                   [](const FabricFigure& figure) { return figure.merit; });
    Observations observations(merits);
    for (const FabricResult& result : row.results)
    {
        Observation observation;
        for (const FabricFigure& figure : figures)
        {
            const double value =
                std::visit([](auto number) { return double(number); }, figure.get(result));
            observation.values.push_back({value, std::isfinite(value) ? 1.0 : 0.0});
        }
        observations.Add(observation);
    }
    return observations;
}

} // namespace

FabricFigure
CompletionFigure(const std::string& title,
                 std::size_t index,
                 double FlowStatistics::*quantile,
                 double scale)
{
    return {{.name = title, .title = title, .scale = scale, .percentile = true},
            [index, quantile](const FabricResult& r) { return r.classes[index].time.*quantile; }};
}

FabricFigure
CompleteFigure()
{
    return {{"complete", "Complete\n%", "%", 100}, &GetComplete};
}

std::string
FabricStudy::Join(const std::vector<std::string>& labels, const std::string& between)
{
    std::string text;
    for (const std::string& label : labels)
    {
        text += (text.empty() ? "" : between) + label;
    }
    return text;
}

void
FabricStudy::WriteSummary(const std::string& path, const FabricLayout& layout) const
{
    const auto names = OdcnCommandLine::SplitList(layout.columns, "columns");
    std::vector<const FabricFigure*> figures;
    for (const std::string& name : names)
    {
        figures.push_back(&*std::find_if(layout.figures.begin(),
                                         layout.figures.end(),
                                         [&](const auto& f) { return f.merit.name == name; }));
    }
    CsvWriter csv(path,
                  OdcnCommandLine::SplitList(Join(layout.labels, ",") +
                                                 ",run,from_bytes,to_bytes,flows,incomplete,p50_us,"
                                                 "p99_us,slowdown_p50,slowdown_p99," +
                                                 layout.columns,
                                             "columns"));
    for (const FabricRow& row : m_rows)
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
                for (const FabricFigure* figure : figures)
                {
                    std::visit([&](auto value) { csv.Cell(value); }, figure->get(row.results[run]));
                }
                csv.EndRow();
            }
        }
    }
    csv.Commit();
}

void
FabricStudy::Report(const FabricLayout& layout,
                    const std::string& setting,
                    const std::string& legend,
                    const std::string& notes)
{
    RunReport& report = m_options.report;
    std::string all = notes;
    for (const auto& [title, parts] : m_lacking)
    {
        all += title + " has no " + parts + ": these faults are left out there.\n";
    }
    std::vector<FabricFigure> figures = MakeClassFigures();
    figures.insert(figures.end(), layout.figures.begin(), layout.figures.end());
    std::vector<std::string> header = layout.header;
    std::map<std::string, ReportChart*> charts;
    for (const FabricFigure& figure : figures)
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
    for (const FabricRow& row : m_rows)
    {
        const Observations observations = Observe(figures, row);
        std::vector<std::string> cells = layout.cells(row);
        for (const auto& [merit, get, chart, facet] : figures)
        {
            const Estimate estimate = observations.GetEstimate(merit.name);
            if (merit.shown && !merit.title.empty())
            {
                cells.push_back(merit.percentile ? FormatPercentile(estimate, merit.scale)
                                                 : FormatEstimate(estimate, merit.scale));
            }
            if (merit.shown && !chart.empty() && !std::isnan(estimate.mean))
            {
                charts[chart]->AddEstimate(facet, "", row.title, estimate, merit.scale);
            }
        }
        table.AddRow(cells);
    }
    std::cout << setting << "\n\n";
    table.Print(std::cout);
    std::cout << "\n" << legend << "\n\n";
    report.AddFact("setting", setting);
    report.AddTable("Results", table, legend);
    std::set<std::string> told;
    for (const FabricRow& row : m_rows)
    {
        if (told.insert(row.labels[0]).second)
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
