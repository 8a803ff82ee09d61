// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-run-report.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::odcn
{

namespace
{

/// @param value a number  @return it with six significant digits, to keep pages small
double
Shorten(double value)
{
    char text[40];
    std::snprintf(text, sizeof(text), "%.6g", value);
    return std::strtod(text, nullptr);
}

/// @param cell a cell of a chart  @return its JSON; null for no number
nlohmann::json
ToJson(const ReportChart::Cell& cell)
{
    if (const auto* number = std::get_if<double>(&cell))
    {
        return std::isfinite(*number) ? nlohmann::json(Shorten(*number)) : nlohmann::json();
    }
    return std::get<std::string>(cell);
}

/// Replace a mark in a page. @param page the page  @param mark occurs once  @param text its text
void
Fill(std::string& page, const std::string& mark, const std::string& text)
{
    if (const auto at = page.find(mark); at != std::string::npos)
    {
        page.replace(at, mark.size(), text);
    }
}

/// @param path a file
/// @return its text
std::string
ReadAll(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// @param name of a data file
/// @return its text
/// @throws OdcnError when there is none
std::string
ReadData(const std::string& name)
{
    const std::string path = GetDataFile(name);
    std::string text = ReadAll(path);
    if (text.empty())
    {
        throw OdcnError(path + ": cannot be read, so that there is no report");
    }
    return text;
}

/// Split a line of a CSV file. @param line without its end  @param [out] cells the cells
void
SplitCsvLine(const std::string& line, std::vector<std::string>& cells)
{
    cells.assign(1, "");
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
        {
            cells.back() += c;
            ++i;
        }
        else if (c == '"')
        {
            quoted = !quoted;
        }
        else if (c == ',' && !quoted)
        {
            cells.emplace_back();
        }
        else
        {
            cells.back() += c;
        }
    }
}

} // namespace

void
RunReport::AddOptions(OdcnCommandLine& cmd)
{
    SetCommand(cmd.GetCommand());
    cmd.AddValue(
        "report",
        "write report.html, tables and charts of the run, and plot.py, which draws figures",
        m_report);
    cmd.Replace({"plot"}, "plot.py, which a run writes beside summary.csv");
    m_program = cmd.GetProgram();
    cmd.AddAction("live",
                  "show the report so far to browsers of this machine while the program runs, on "
                  "this port or, as --live or --live=0, on a free one; served by ./ns3 run",
                  "0",
                  [this](const std::string& text)
                  {
                      if (Ranks::GetLaunched().first > 0)
                      {
                          return; // rank 0 has it
                      }
                      m_live = LivePage::Open(text);
                      LivePage::Offer([this]() { return MakeRecord(); });
                  });
}

void
RunReport::SetCommand(const std::string& command)
{
    m_command = command;
}

void
RunReport::AddFact(const std::string& label, const std::string& text)
{
    m_facts.emplace_back(label, text);
}

void
RunReport::AddTable(const std::string& title, const Table& table, const std::string& note)
{
    const std::string more = table.GetNote();
    m_tables.push_back({title, table, note + (note.empty() || more.empty() ? "" : "\n") + more});
}

ReportChart&
RunReport::AddChart(ReportChart chart)
{
    m_charts.push_back(std::move(chart));
    return m_charts.back();
}

void
RunReport::AddTraining(const std::string& title, const std::string& path)
{
    std::ifstream file(path);
    std::string header;
    std::getline(file, header);
    std::vector<std::string> names;
    SplitCsvLine(header, names);
    const auto has = [&](const char* name)
    { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (!has("decisions"))
    {
        return;
    }
    const std::string lower = ", lower is better";
    const std::vector<std::pair<std::string, std::string>> quantities{
        {"evaluation", "evaluation: score of the evaluation problems" + lower},
        {"score", "score of the training problems, mean of an epoch" + lower},
        {"evaluation_reward", "evaluation: reward, higher is better"},
        {"evaluation_lost", "evaluation: lost" + lower},
        {"mean_reward", "reward in training, mean of an epoch, higher is better"},
        {"entropy", "entropy of the policy, nat"}};
    // A clone of a teacher is made before the first decision.
    std::string cloned;
    for (const auto& [column, quantity] : quantities)
    {
        if (!has(column.c_str()))
        {
            continue;
        }
        std::vector<std::pair<double, double>> points;
        std::vector<std::string> columns{"decisions", column};
        if (has("clone_passes") && has("clone_accuracy"))
        {
            columns.insert(columns.end(), {"clone_passes", "clone_accuracy"});
        }
        ReadCsv(path,
                columns,
                [&](const auto& cells)
                {
                    const auto x = ParseFinite(cells[0]);
                    const auto y = ParseFinite(cells[1]);
                    if (x && y)
                    {
                        points.emplace_back(*x, *y);
                    }
                    const auto passes = cells.size() > 2 ? ParseFinite(cells[2]) : std::nullopt;
                    const auto accuracy = cells.size() > 2 ? ParseFinite(cells[3]) : std::nullopt;
                    if (x && *x == 0 && passes && *passes > 0 && accuracy)
                    {
                        cloned = title +
                                 " begins as the clone of a teacher, whose actions it takes in " +
                                 FormatFixed(100 * *accuracy, 1) +
                                 " % of the decisions: cloning ends at 0 decisions.";
                    }
                });
        auto chart = std::find_if(m_charts.begin(),
                                  m_charts.end(),
                                  [](const ReportChart& c) { return c.title == "Learning curve"; });
        if (chart == m_charts.end())
        {
            // Without a title of the vertical axis, which is the facet.
            AddChart(
                {ReportChart::Kind::CURVES, "Learning curve", "decisions", "", "quantity", "", {}});
            chart = m_charts.end() - 1;
        }
        chart->AddCurve(quantity, title, points);
        if (chart->note.find(cloned) == std::string::npos)
        {
            chart->note += (chart->note.empty() ? "" : " ") + cloned;
        }
    }
}

void
RunReport::ReadCsv(const std::string& path,
                   const std::vector<std::string>& columns,
                   const std::function<void(const std::vector<std::string>&)>& row)
{
    TextReader reader(path);
    reader.NextLine();
    std::vector<std::string> cells;
    SplitCsvLine(std::string(reader.GetLine()), cells);
    std::vector<std::size_t> places;
    for (const auto& name : columns)
    {
        const auto found = std::find(cells.begin(), cells.end(), name);
        if (found == cells.end())
        {
            reader.Refuse(reader.GetLine(), "a column " + name);
        }
        places.push_back(static_cast<std::size_t>(found - cells.begin()));
    }
    std::vector<std::string> chosen(columns.size());
    while (reader.NextLine())
    {
        std::string line(reader.GetLine());
        // A quoted cell may contain line feeds.
        while (std::count(line.begin(), line.end(), '"') % 2 == 1 && reader.NextLine())
        {
            line += '\n';
            line += reader.GetLine();
        }
        SplitCsvLine(line, cells);
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            chosen[i] = places[i] < cells.size() ? cells[places[i]] : "";
        }
        row(chosen);
    }
}

std::string
RunReport::MakePage(const std::string& folder, const Files& files) const
{
    std::string page = ReadData("report/report.html");
    // Marks of a live page
    Fill(page, "/*CONNECT*/", "");
    Fill(page, "/*LIVE*/", "");
    Fill(page, "/*DATA*/", MakeRecord(folder, files));
    return page;
}

std::string
RunReport::MakeRecord(const std::string& name, const Files& files) const
{
    using nlohmann::json;
    json run;
    run["name"] = name.empty() ? m_program : name;
    run["program"] = m_program;
    run["facts"] = json::array();
    // clang-format off
    const auto fact = [&](const std::string& label, const std::string& text)
    { run["facts"].push_back({label, text}); };
    // clang-format on
    fact("command", m_command.empty() ? "-" : m_command);
    fact("seed",
         std::to_string(RngSeedManager::GetSeed()) + ", run " +
             std::to_string(RngSeedManager::GetRun()));
    fact("versions", GetVersions());
    for (const auto& [label, text] : m_facts)
    {
        fact(label, text);
    }
    run["files"] = files;
    run["tables"] = json::array();
    for (const auto& section : m_tables)
    {
        run["tables"].push_back({{"title", section.title},
                                 {"header", section.table.GetHeader()},
                                 {"rows", section.table.GetRows()},
                                 {"note", section.note}});
    }
    static const std::map<ReportChart::Kind, const char*> kinds{
        {ReportChart::Kind::ESTIMATES, "estimates"},
        {ReportChart::Kind::CDF, "cdf"},
        {ReportChart::Kind::CURVES, "curves"},
        {ReportChart::Kind::HEATMAP, "heatmap"},
        {ReportChart::Kind::TIMELINE, "timeline"},
        {ReportChart::Kind::CIRCUITS, "circuits"}};
    run["charts"] = json::array();
    for (const auto& chart : m_charts)
    {
        if (chart.rows.empty())
        {
            continue;
        }
        const auto toJson = [](const std::vector<std::vector<ReportChart::Cell>>& rows)
        {
            json all = json::array();
            for (const auto& row : rows)
            {
                json cells = json::array();
                for (const auto& cell : row)
                {
                    cells.push_back(ToJson(cell));
                }
                all.push_back(std::move(cells));
            }
            return all;
        };
        run["charts"].push_back({{"kind", kinds.at(chart.kind)},
                                 {"title", chart.title},
                                 {"x", chart.x},
                                 {"y", chart.y},
                                 {"facet", chart.facet},
                                 {"note", chart.note},
                                 {"higher", chart.higherIsBetter},
                                 {"columns", chart.GetColumns()},
                                 {"rows", toJson(chart.rows)}});
        if (!chart.bands.empty())
        {
            run["charts"].back()["bands"] = toJson(chart.bands);
        }
    }
    // "<" is escaped too: no text can end the script element or open a comment in it.
    const std::string plain = FormatJson(run, true);
    std::string data;
    for (const char c : plain)
    {
        c == '<' ? data += "\\u003c" : data += c;
    }
    return data;
}

void
RunReport::Write(OutputFiles& files, const std::string& name) const
{
    if (m_report)
    {
        const auto& known = files.GetFiles();
        const bool summary = std::any_of(known.begin(),
                                         known.end(),
                                         [](const auto& f) { return f.first == "summary.csv"; });
        const std::string script = summary ? ReadData("report/plot.py") : "";
        const std::string path = files.Path("plot.py");
        if (summary && (!std::filesystem::exists(path) || ReadAll(path) == script))
        {
            AtomicFile plot(path);
            plot.Stream() << script;
            files.Commit(plot, "draws summary.csv by matplotlib as PDF and SVG; to be edited");
        }
        const auto folder = std::filesystem::path(files.Path("x")).parent_path().filename();
        AtomicFile page(files.Path(name + ".html"));
        page.Stream() << MakePage(folder.string() + (name == "report" ? "" : ", " + name),
                                  files.GetFiles());
        files.Commit(page, "tables and charts of the run, for a browser");
    }
}

} // namespace ns3::odcn
