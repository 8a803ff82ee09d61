// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-experiment.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace ns3::odcn
{

/// What is written of a figure of merit.
struct Experiment::Quantity
{
    /// The value itself, or how it compares with that of the reference policy.
    enum class Kind
    {
        VALUE,      //!< the value
        COMPARISON, //!< its difference or change
        REDUCTION,  //!< its reduction per unit of another figure
    };

    const FigureOfMerit& figure; //!< the figure of merit
    Kind kind;                   //!< what of it

    /// @return name of its column in files
    std::string GetColumn() const
    {
        switch (kind)
        {
        case Kind::VALUE:
            return figure.name;
        case Kind::COMPARISON:
            return figure.name + (IsChange() ? "_change" : "_difference");
        default:
            return figure.name + "_fewer_per_" + figure.per;
        }
    }

    /// @return whether it is compared by a ratio
    bool IsChange() const
    {
        return figure.compare == FigureOfMerit::Compare::CHANGE;
    }

    /// @param own a policy's results
    /// @param reference policy, for all but values; may be null
    /// @param confidence of comparisons
    /// @return the estimate; of no observation without reference
    Estimate Get(const Observations& own, const Row* reference, double confidence) const
    {
        if (kind == Kind::VALUE)
        {
            return own.GetEstimate(figure.name);
        }
        if (!reference)
        {
            return MeanOfReplications({});
        }
        const Observations& other = reference->observations;
        if (kind == Kind::REDUCTION)
        {
            return own.GetReduction(figure.name, figure.per, other, confidence);
        }
        return IsChange() ? own.GetChange(figure.name, other, confidence)
                          : own.GetDifference(figure.name, other, confidence);
    }
};

namespace
{

/// Default limit of the table width, in characters.
constexpr std::size_t TERMINAL = 100;

/**
 * @param change relative change
 * @return in per cent: "-15.1 +- 2.6", or "-80 (-95 to -20)" where the two sides of the interval
 * differ by more than a tenth
 */
std::string
FormatChange(const Estimate& change)
{
    const double below = change.mean - change.lower;
    const double above = change.upper - change.mean;
    if (!std::isfinite(above) || above <= 1.1 * below)
    {
        return FormatEstimate(change, 100);
    }
    const int digits = below < 0.1 ? 1 : 0;
    return FormatFixed(100 * change.mean, digits) + " (" + FormatFixed(100 * change.lower, digits) +
           " to " + FormatFixed(100 * change.upper, digits) + ")";
}

/// @param settings Attributes by name
/// @return them as one text
std::string
Join(const std::map<std::string, std::string>& settings)
{
    std::string text;
    for (const auto& [name, value] : settings)
    {
        text += (text.empty() ? "" : "|") + name + "=" + value;
    }
    return text;
}

/// @param text of several lines
/// @return it in one line
std::string
InOneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// @param csv a file
/// @param tally its next cells
void
PutTally(CsvWriter& csv, const DecisionTally& tally)
{
    csv.Cell(tally.offered).Cell(tally.accepted).Cell(tally.interrupted);
    for (const auto& [cause, n] : tally.blocked)
    {
        csv.Cell(n);
    }
}

/// @param csv a file
/// @param estimate its next cells
void
PutEstimate(CsvWriter& csv, const Estimate& estimate)
{
    csv.Cell(estimate.mean).Cell(estimate.lower).Cell(estimate.upper);
}

/// @param csv a file
/// @param count number of its next cells, which are empty
void
PutNothing(CsvWriter& csv, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        csv.Cell("");
    }
}

/// @param columns of a file
/// @param name of an estimate, whose columns follow
void
AddEstimateColumns(std::vector<std::string>& columns, const std::string& name)
{
    columns.insert(columns.end(), {name, name + "_lower", name + "_upper"});
}

} // namespace

const std::vector<FigureOfMerit>&
Experiment::GetFigures() const
{
    return m_cases.front().rows.front().observations.GetFigures();
}

std::vector<Experiment::Quantity>
Experiment::GetQuantities() const
{
    std::vector<Quantity> quantities;
    for (const auto& figure : GetFigures())
    {
        quantities.push_back({figure, Quantity::Kind::VALUE});
        if (figure.compare != FigureOfMerit::Compare::NONE)
        {
            quantities.push_back({figure, Quantity::Kind::COMPARISON});
        }
        if (!figure.per.empty())
        {
            quantities.push_back({figure, Quantity::Kind::REDUCTION});
        }
    }
    return quantities;
}

std::vector<std::string>
Experiment::GetColumns(std::initializer_list<const char*> more) const
{
    std::vector<std::string> columns;
    for (const auto& [column, value] : m_cases.front().labels)
    {
        columns.push_back(column);
    }
    columns.emplace_back("policy");
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
}

void
Experiment::PutLabels(CsvWriter& csv, const Case& c, const std::string& title)
{
    for (const auto& [column, value] : c.labels)
    {
        csv.Cell(value);
    }
    csv.Cell(title);
}

std::vector<std::size_t>
Experiment::FindVarying() const
{
    std::vector<std::size_t> varying;
    for (std::size_t i = 0; i < m_cases.front().labels.size(); ++i)
    {
        const auto& label = m_cases.front().labels[i];
        if (std::any_of(m_cases.begin(),
                        m_cases.end(),
                        [&](const Case& c) { return c.labels[i] != label; }))
        {
            varying.push_back(i);
        }
    }
    return varying;
}

void
Experiment::Print(std::ostream& os) const
{
    const std::size_t keys = FindVarying().size() + 1;
    MakeTable().Print(os, GetWidth(), keys);
    if (HasForms())
    {
        os << "\nBest forms\n";
        MakeFormsTable().Print(os, 0, keys);
    }
}

bool
Experiment::HasForms() const
{
    const auto& rows = m_cases.front().rows;
    return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.forms.empty(); });
}

Table
Experiment::MakeFormsTable() const
{
    const auto shown = FindVarying();
    std::vector<std::string> header;
    for (const std::size_t i : shown)
    {
        header.push_back(m_cases.front().labels[i].first);
    }
    header.insert(header.end(), {"policy", "best form"});
    Table table(header);
    for (const Case& c : m_cases)
    {
        for (const Row& row : c.rows)
        {
            if (const Row* best = row.forms.empty() ? nullptr : FindBest(row.forms, true))
            {
                std::vector<std::string> cells;
                for (const std::size_t i : shown)
                {
                    cells.push_back(c.labels[i].second);
                }
                cells.insert(cells.end(), {row.choice.name, best->choice.name});
                table.AddRow(cells);
            }
        }
    }
    return table;
}

void
Experiment::WriteForms(OutputFiles& files) const
{
    const std::string& figure = GetFigures().front().name;
    auto columns = GetColumns({"form", "settings"});
    AddEstimateColumns(columns, figure);
    CsvWriter csv(files.Path("sweep.csv"), columns);
    for (const Case& c : m_cases)
    {
        for (const Row& row : c.rows)
        {
            for (const Row& form : row.forms)
            {
                PutLabels(csv, c, row.choice.name);
                csv.Cell(form.choice.GetForm()).Cell(Join(form.choice.settings));
                PutEstimate(csv, form.observations.GetEstimate(figure));
                csv.EndRow();
            }
        }
    }
    files.Commit(csv, "every form of the policies in braces, on other runs");
}

std::vector<Experiment::Quantity>
Experiment::GetShown() const
{
    std::vector<Quantity> shown;
    const FigureOfMerit* compared = nullptr;
    for (const auto& quantity : GetQuantities())
    {
        const auto& figure = quantity.figure;
        if (quantity.kind == Quantity::Kind::COMPARISON && !compared)
        {
            compared = &figure;
        }
        if (quantity.kind == Quantity::Kind::VALUE ? figure.shown : compared == &figure)
        {
            shown.push_back(quantity);
        }
    }
    return shown;
}

std::string
Experiment::GetTitle(const Quantity& quantity) const
{
    const FigureOfMerit& figure = quantity.figure;
    const std::string unit = figure.unit.empty() ? "" : "\n" + figure.unit;
    if (quantity.kind == Quantity::Kind::VALUE)
    {
        return figure.title + unit;
    }
    if (quantity.kind == Quantity::Kind::COMPARISON)
    {
        const std::string versus = "vs " + (m_reference.empty() ? "best rule" : m_reference);
        return quantity.IsChange() ? figure.title + "\n" + versus + "\n%"
                                   : versus + (figure.unit == "%" ? "\npoints" : unit);
    }
    const auto& figures = GetFigures();
    const auto per = std::find_if(figures.begin(),
                                  figures.end(),
                                  [&](const FigureOfMerit& f) { return f.name == figure.per; });
    return figure.title + "\nsaved per\n" +
           InOneLine(per == figures.end() ? figure.per : per->title);
}

std::string
Experiment::Format(const Quantity& quantity, const Row& row, const Row* reference) const
{
    const bool comparison = quantity.kind == Quantity::Kind::COMPARISON;
    if (comparison && row.choice.bound)
    {
        return "bound";
    }
    if (quantity.kind != Quantity::Kind::VALUE && (!reference || reference == &row))
    {
        return comparison && reference ? "reference" : "-";
    }
    const auto estimate = quantity.Get(row.observations, reference, GetDifferenceConfidence());
    if (comparison && estimate.mean == 0 && estimate.GetHalfWidth() == 0)
    {
        return "tie";
    }
    if (comparison && quantity.IsChange())
    {
        return FormatChange(estimate);
    }
    if (quantity.kind == Quantity::Kind::VALUE && quantity.figure.percentile)
    {
        return FormatPercentile(estimate, quantity.figure.scale);
    }
    const bool reduction = quantity.kind == Quantity::Kind::REDUCTION;
    return FormatEstimate(estimate, reduction ? 1 : quantity.figure.scale);
}

Table
Experiment::MakeTable() const
{
    // Omit labels that are the same in all cases.
    const std::vector<std::size_t> varying = FindVarying();
    // The table shows one difference; the files contain all.
    const auto shown = GetShown();
    std::vector<std::string> header;
    for (const std::size_t i : varying)
    {
        header.push_back(m_cases.front().labels[i].first);
    }
    header.emplace_back("policy");
    for (const auto& quantity : shown)
    {
        header.push_back(GetTitle(quantity));
    }
    Table table(header);
    for (std::size_t index = 0; index < m_cases.size(); ++index)
    {
        const Case& c = m_cases[index];
        if (index > 0)
        {
            table.AddRule();
        }
        const auto add = [&](const std::string& title, const auto& format)
        {
            std::vector<std::string> cells;
            for (const std::size_t i : varying)
            {
                cells.push_back(c.labels[i].second);
            }
            cells.push_back(title);
            std::transform(shown.begin(), shown.end(), std::back_inserter(cells), format);
            table.AddRow(cells);
        };
        const Row* reference = GetReference(index);
        for (const auto& row : c.rows)
        {
            add(row.choice.name,
                [&](const Quantity& quantity) { return Format(quantity, row, reference); });
        }
        if (!c.bounds.empty())
        {
            table.AddRule();
        }
        for (const auto& bound : c.bounds)
        {
            add(bound.title,
                [&](const Quantity& quantity)
                {
                    const Estimate* value = bound.Find(quantity);
                    return value ? FormatEstimate(*value, quantity.figure.scale) : "";
                });
        }
    }
    return table;
}

const Estimate*
Experiment::Bound::Find(const Quantity& quantity) const
{
    const auto value = values.find(quantity.figure.name);
    return quantity.kind == Quantity::Kind::VALUE && value != values.end() ? &value->second
                                                                           : nullptr;
}

/// Where the estimates of a case stand in a chart: along the horizontal axis, by a label that is a
/// number, in a facet by the other labels that differ.
struct Experiment::Axes
{
    std::optional<std::size_t> along; //!< index of the label of the horizontal axis
    std::vector<std::size_t> facets;  //!< indices of the others

    /// @param experiment an experiment
    explicit Axes(const Experiment& experiment)
        : facets(experiment.FindVarying())
    {
        const auto& cases = experiment.m_cases;
        const auto isNumber = [&](std::size_t i)
        {
            const auto in = [i](const Case& c)
            { return ParseFinite(c.labels[i].second).has_value(); };
            return std::all_of(cases.begin(), cases.end(), in);
        };
        const auto found = std::find_if(facets.begin(), facets.end(), isNumber);
        if (found != facets.end())
        {
            along = *found;
            facets.erase(found);
        }
    }

    /// @param labels of a case
    /// @param part first for the names, second for the values
    /// @return those of the facet
    std::string Join(const Labels& labels, std::string Labels::value_type::*part) const
    {
        std::string text;
        for (const std::size_t i : facets)
        {
            text += (text.empty() ? "" : ", ") + labels[i].*part;
        }
        return text;
    }
};

void
Experiment::FillChart(ReportChart& chart, const Quantity& quantity, const Axes& axes) const
{
    const FigureOfMerit& figure = quantity.figure;
    const bool value = quantity.kind == Quantity::Kind::VALUE;
    for (std::size_t index = 0; index < m_cases.size(); ++index)
    {
        const Case& c = m_cases[index];
        const Row* reference = GetReference(index);
        const std::string facet = axes.Join(c.labels, &Labels::value_type::second);
        const std::string at = axes.along ? c.labels[*axes.along].second : "";
        for (const auto& row : c.rows)
        {
            if (value || (reference && reference != &row && !row.choice.bound))
            {
                chart.AddEstimate(
                    facet,
                    at,
                    row.choice.name,
                    quantity.Get(row.observations, reference, GetDifferenceConfidence()),
                    !value && quantity.IsChange() ? 100 : figure.scale,
                    value && row.choice.bound);
            }
        }
        for (const auto& bound : c.bounds)
        {
            if (const Estimate* known = bound.Find(quantity))
            {
                chart.AddEstimate(facet, at, bound.title, *known, figure.scale, true);
            }
        }
    }
}

void
Experiment::AddCharts()
{
    const Axes axes(*this);
    const Labels& labels = m_cases.front().labels;
    const std::string x = axes.along ? labels[*axes.along].first : "";
    const std::string facet = axes.Join(labels, &Labels::value_type::first);
    // Charts are told apart by their titles.
    std::set<std::string> titles;
    std::string title;
    for (const auto& quantity : GetQuantities())
    {
        const FigureOfMerit& figure = quantity.figure;
        const auto add = [&](const std::string& of, const std::string& unit) -> ReportChart&
        {
            const std::string y = title + (unit.empty() ? "" : ", " + unit);
            auto& chart =
                m_report.AddChart({ReportChart::Kind::ESTIMATES, of, x, y, facet, "", {}});
            FillChart(chart, quantity, axes);
            chart.higherIsBetter = figure.higherIsBetter;
            return chart;
        };
        if (quantity.kind == Quantity::Kind::VALUE)
        {
            title = InOneLine(figure.title);
            title += titles.insert(title).second ? "" : ", " + figure.name;
            if (figure.shown)
            {
                add(title, figure.unit);
            }
        }
        else if (quantity.kind == Quantity::Kind::COMPARISON)
        {
            const bool change = quantity.IsChange();
            add(title + (change ? ": change from " : ": difference from ") +
                    (m_reference.empty() ? "the best rule" : m_reference),
                change               ? "%"
                : figure.unit == "%" ? "points"
                                     : figure.unit)
                .note = "Paired on the same random numbers; an interval that contains 0 "
                        "shows no difference.";
        }
    }
}

void
Experiment::AddToReport()
{
    std::string setting = std::to_string(m_cases.front().rows.size()) + " policies";
    for (std::size_t i = 0; i < m_cases.front().labels.size(); ++i)
    {
        std::string values;
        std::set<std::string> known;
        for (const Case& c : m_cases)
        {
            const auto& value = c.labels[i].second;
            values += known.insert(value).second ? ", " + value : "";
        }
        setting += "; " + m_cases.front().labels[i].first + " " + values.substr(2);
    }
    m_report.AddFact("setting", setting + ".");
    m_report.AddFact("measured", Describe());
    for (const auto& row : m_cases.front().rows)
    {
        const std::string& name = row.choice.name;
        m_report.AddFact("policy " + name, row.choice.words);
        if (const auto found = m_provenance.find(name); found != m_provenance.end())
        {
            m_report.AddFact("made " + name, found->second);
        }
        if (const auto file = row.choice.GetFile(); !file.empty())
        {
            m_report.AddTraining(name, file + ".csv");
        }
    }
    m_report.AddTable("Results", MakeTable(), Describe());
    if (HasForms())
    {
        m_report.AddTable("Best forms", MakeFormsTable());
    }
    AddCharts();
}

std::size_t
Experiment::GetWidth() const
{
    return m_wide ? 0 : TERMINAL;
}

void
Experiment::WriteSummary(OutputFiles& files) const
{
    const auto quantities = GetQuantities();
    auto columns = GetColumns(
        {"form", "settings", "reference", "replications", "offered", "accepted", "interrupted"});
    const auto& blocked = m_cases.front().rows.front().observations.GetTotals().blocked;
    for (const auto& [cause, n] : blocked)
    {
        columns.push_back("blocked_" + cause);
    }
    for (const auto& quantity : quantities)
    {
        AddEstimateColumns(columns, quantity.GetColumn());
    }
    CsvWriter csv(files.Path("summary.csv"), columns);
    for (std::size_t index = 0; index < m_cases.size(); ++index)
    {
        const Case& c = m_cases[index];
        const Row* reference = GetReference(index);
        for (const auto& row : c.rows)
        {
            const Observations& own = row.observations;
            PutLabels(csv, c, row.choice.name);
            csv.Cell(row.choice.GetForm()).Cell(Join(row.choice.settings));
            csv.Cell(reference ? reference->choice.name : "").Cell(own.Get().size());
            PutTally(csv, own.GetTotals());
            for (const auto& quantity : quantities)
            {
                PutEstimate(csv, quantity.Get(own, reference, GetDifferenceConfidence()));
            }
            csv.EndRow();
        }
        for (const auto& bound : c.bounds)
        {
            PutLabels(csv, c, bound.title);
            csv.Cell("bound");
            PutNothing(csv, 6 + blocked.size());
            for (const auto& quantity : quantities)
            {
                if (const Estimate* value = bound.Find(quantity))
                {
                    PutEstimate(csv, *value);
                }
                else
                {
                    PutNothing(csv, 3);
                }
            }
            csv.EndRow();
        }
    }
    files.Commit(csv, "every figure of merit of every policy, with intervals");
}

void
Experiment::WriteReplications(OutputFiles& files) const
{
    const auto& figures = GetFigures();
    auto columns =
        GetColumns({"run", "episode", "decisions", "offered", "accepted", "interrupted"});
    for (const auto& [cause, n] : m_cases.front().rows.front().observations.GetTotals().blocked)
    {
        columns.push_back("blocked_" + cause);
    }
    for (const auto& figure : figures)
    {
        columns.push_back(figure.name);
        if (figure.kind != FigureOfMerit::Kind::MEAN)
        {
            columns.push_back(figure.name + "_count");
        }
    }
    CsvWriter csv(files.Path("replications.csv"), columns);
    for (const Case& c : m_cases)
    {
        for (const auto& row : c.rows)
        {
            for (const auto& observation : row.observations.Get())
            {
                PutLabels(csv, c, row.choice.name);
                csv.Cell(observation.run).Cell(observation.episode).Cell(observation.decisions);
                PutTally(csv, observation.tally);
                for (std::size_t i = 0; i < figures.size(); ++i)
                {
                    csv.Cell(observation.values[i].Get());
                    if (figures[i].kind != FigureOfMerit::Kind::MEAN)
                    {
                        csv.Cell(observation.values[i].count);
                    }
                }
                csv.EndRow();
            }
        }
    }
    files.Commit(csv, "every replication of every policy");
}

void
Experiment::Write(OutputFiles& files)
{
    WriteSummary(files);
    WriteReplications(files);
    std::string lines = "measured: " + Describe() + "\n";
    for (const auto& row : m_cases.front().rows)
    {
        lines += "policy " + row.choice.name + ": " + row.choice.words + "\n";
    }
    if (HasForms())
    {
        WriteForms(files);
    }
    files.WriteProvenance(lines, "the command as typed, seed, runs, and the policies in full");
    if (m_report.IsWanted())
    {
        AddToReport();
    }
}

} // namespace ns3::odcn
