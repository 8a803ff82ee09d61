// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-sweep-report.h"

#include "odcn-sweep-database.h"

#include "ns3/odcn-run-report.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

using namespace ns3::odcn;

namespace
{

using Row = std::vector<std::string>;

/// Columns of the table "runs" before the options: run_id, program, command, host, started,
/// seconds.
constexpr std::size_t OPTIONS = 6;

/// A row of summary.csv in all runs of a cell.
struct Group
{
    Row options;           //!< program and options of the cell
    std::vector<Row> rows; //!< one for each run
};

/// @param rows rows  @param column of them  @return the numbers; unknown ones are left out
std::vector<double>
NumbersOf(const std::vector<Row>& rows, std::size_t column)
{
    std::vector<double> numbers;
    for (const auto& row : rows)
    {
        if (const auto number = ParseFinite(row[column]))
        {
            numbers.push_back(*number);
        }
    }
    return numbers;
}

/// A column that tells what a row is about.
struct Label
{
    std::string name; //!< its name
    Row cells;        //!< one for each group
};

/// @param label a label  @return whether all of its cells are numbers
bool
IsNumeric(const Label& label)
{
    return std::all_of(label.cells.begin(),
                       label.cells.end(),
                       [](const auto& cell) { return ParseFinite(cell).has_value(); });
}

/// Add a label unless those so far tell it. @param [in,out] labels those so far  @param label label
void
AddLabel(std::vector<Label>& labels, Label label)
{
    std::map<Row, std::string> told;
    for (std::size_t g = 0; g < label.cells.size(); ++g)
    {
        Row known;
        for (const auto& other : labels)
        {
            known.push_back(other.cells[g]);
        }
        if (told.emplace(known, label.cells[g]).first->second != label.cells[g])
        {
            labels.push_back(std::move(label));
            return;
        }
    }
}

} // namespace

void
AddSweepMeans(RunReport& report, const std::string& database)
{
    // Options of each run, in the order of the plan.
    Row optionNames;
    std::map<std::string, Row> optionsOf;
    ReadSweepDatabase(database,
                      "SELECT * FROM runs",
                      [&](const Row& row)
                      {
                          Row options{row[1]};
                          options.insert(options.end(), row.begin() + OPTIONS, row.end());
                          (optionNames.empty() ? optionNames : optionsOf[row[0]]) = options;
                      });
    bool summarised = false;
    ReadSweepDatabase(database,
                      "SELECT name FROM sqlite_master WHERE name = 'summary'",
                      [&](const Row& row) { summarised = row[0] == "summary"; });
    report.AddFact("runs", std::to_string(optionsOf.size()));
    if (!summarised)
    {
        return;
    }
    for (std::size_t i = 0; i < optionNames.size(); ++i)
    {
        if (optionNames[i] == "RngRun" || optionNames[i] == "RngSeed")
        {
            for (auto& [id, options] : optionsOf)
            {
                options[i].clear();
            }
        }
    }

    // Rows of the same place in all runs of a cell.
    Row names;
    std::vector<Group> groups;
    std::map<std::pair<Row, std::size_t>, std::size_t> indices;
    std::string present;
    std::size_t place = 0;
    ReadSweepDatabase(database,
                      "SELECT * FROM summary ORDER BY rowid",
                      [&](const Row& row)
                      {
                          if (names.empty())
                          {
                              names = row;
                              return;
                          }
                          place = row[0] == present ? place + 1 : 0;
                          present = row[0];
                          const Row& options = optionsOf.at(present);
                          const auto [index, isNew] =
                              indices.emplace(std::pair(options, place), groups.size());
                          if (isNew)
                          {
                              groups.push_back({options, {}});
                          }
                          groups[index->second].rows.push_back(row);
                      });

    std::vector<Label> labels;
    for (std::size_t i = 0; i < optionNames.size(); ++i)
    {
        Label label{optionNames[i], {}};
        for (const auto& group : groups)
        {
            label.cells.push_back(group.options[i]);
        }
        AddLabel(labels, std::move(label));
    }
    std::vector<std::size_t> values;
    for (std::size_t i = 1; i < names.size(); ++i)
    {
        const auto has = [&names](const std::string& name)
        { return std::find(names.begin(), names.end(), name) != names.end(); };
        const std::string& name = names[i];
        const auto end = name.rfind('_');
        const std::string part = end == std::string::npos ? "" : name.substr(end);
        if ((part == "_lower" || part == "_upper") && has(name.substr(0, end)))
        {
            continue;
        }
        const bool constant = std::all_of(
            groups.begin(),
            groups.end(),
            [i](const Group& group)
            {
                return std::all_of(group.rows.begin(),
                                   group.rows.end(),
                                   [&](const Row& row) { return row[i] == group.rows[0][i]; });
            });
        const bool numeric =
            std::all_of(groups.begin(),
                        groups.end(),
                        [i](const Group& group)
                        {
                            return std::all_of(group.rows.begin(),
                                               group.rows.end(),
                                               [i](const Row& row)
                                               { return row[i].empty() || ParseFinite(row[i]); });
                        });
        if (numeric && (!constant || has(name + "_lower")))
        {
            values.push_back(i);
        }
        else if (constant)
        {
            Label label{name, {}};
            for (const auto& group : groups)
            {
                label.cells.push_back(group.rows[0][i]);
            }
            AddLabel(labels, std::move(label));
        }
    }

    Row header;
    for (const auto& label : labels)
    {
        header.push_back(label.name);
    }
    header.emplace_back("runs");
    for (const std::size_t i : values)
    {
        header.push_back(names[i]);
    }
    Table table(header);
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        Row row;
        for (const auto& label : labels)
        {
            row.push_back(label.cells[g]);
        }
        row.push_back(std::to_string(groups[g].rows.size()));
        for (const std::size_t i : values)
        {
            row.push_back(FormatEstimate(MeanOfReplications(NumbersOf(groups[g].rows, i))));
        }
        table.AddRow(row);
    }
    const std::string note =
        "Mean and 95 % interval over the runs of a row, which differ in their seeds.";
    report.AddTable("Means over seeds", table, note);

    // A label that is a number along the horizontal axis, the last other one as series.
    std::optional<Label> along;
    std::optional<Label> series;
    if (const auto found = std::find_if(labels.begin(), labels.end(), IsNumeric);
        found != labels.end())
    {
        along = *found;
        labels.erase(found);
    }
    if (!labels.empty())
    {
        series = labels.back();
        labels.pop_back();
    }
    const auto join = [&](const auto& get)
    {
        std::string text;
        for (const auto& label : labels)
        {
            text += (text.empty() ? "" : ", ") + get(label);
        }
        return text;
    };
    for (const std::size_t i : values)
    {
        auto& chart = report.AddChart({ReportChart::Kind::ESTIMATES,
                                       names[i],
                                       along ? along->name : "",
                                       names[i],
                                       join([](const Label& label) { return label.name; }),
                                       note,
                                       {}});
        for (std::size_t g = 0; g < groups.size(); ++g)
        {
            const auto numbers = NumbersOf(groups[g].rows, i);
            if (!numbers.empty())
            {
                chart.AddEstimate(join([g](const Label& label) { return label.cells[g]; }),
                                  along ? along->cells[g] : "",
                                  series ? series->cells[g] : "mean",
                                  MeanOfReplications(numbers));
            }
        }
    }
}
