// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-figures-page.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param load load of a point  @return its text
std::string
LoadText(double load)
{
    return FormatCells({load})[0];
}

/// A Markdown table.
class Markdown
{
  public:
    /// @param os output stream  @param titles titles of the columns
    Markdown(std::ostream& os, const std::vector<std::string>& titles)
        : m_os(os)
    {
        Row(titles);
        Row(std::vector<std::string>(titles.size(), "---"));
    }

    /// Write a row. @param cells its cells
    void Row(const std::vector<std::string>& cells)
    {
        m_os << "|";
        for (const auto& cell : cells)
        {
            m_os << " " << cell << (cell.empty() ? "|" : " |");
        }
        m_os << "\n";
    }

  private:
    std::ostream& m_os; //!< output stream
};

/// @param points points of a figure  @return their loads, each once, in order
std::vector<double>
LoadsOf(const std::vector<FigurePoint>& points)
{
    std::vector<double> loads;
    for (const auto& point : points)
    {
        if (std::find(loads.begin(), loads.end(), point.load) == loads.end())
        {
            loads.push_back(point.load);
        }
    }
    return loads;
}

/**
 * @param points points of a figure  @param policy policy name  @param load load of the point
 * @return the point; null when there is none
 */
const FigurePoint*
FindPoint(const std::vector<FigurePoint>& points, const std::string& policy, double load)
{
    const auto point =
        std::find_if(points.begin(),
                     points.end(),
                     [&](const FigurePoint& p) { return p.policy == policy && p.load == load; });
    return point == points.end() ? nullptr : &*point;
}

/// @param ratio ratio of two means  @return the ratio minus 1
Estimate
LessOne(Estimate ratio)
{
    ratio.mean -= 1;
    ratio.lower -= 1;
    ratio.upper -= 1;
    return ratio;
}

/// @param point a point  @return mean latency of its packets, or of the closed form
double
GetLatency(const FigurePoint& point)
{
    return point.HasPackets() ? point.packets.GetEstimate("latency").mean
                              : point.jobs.GetEstimate("estimated_latency_ns").mean;
}

/// Utilization figures of merit of OdcnScheduling.
const std::vector<std::string> UTILISATION{"cpu_utilisation",
                                           "ram_utilisation",
                                           "disk_utilisation"};

/// The rules that the paper compares its agent with.
const std::vector<std::string> BASELINES{"all2all-ccf", "odcn-ccf", "odcn-jcb"};

/// A quantity that compares the agent with baselines.
struct Advantage
{
    const char* name;  //!< title of the column
    const char* paper; //!< name in the file of the paper's numbers
    /// Text of the ratio of the baseline's value to the agent's; a dash if there is none.
    std::string (*ratio)(const FigurePoint& baseline, const FigurePoint& agent);
    /// Value that ranks baselines (smallest is best); NaN without ranking.
    double (*rank)(const FigurePoint& baseline);
};

/// @param baseline a rule  @param agent an agent  @return ratio of blocked jobs
std::string
BlockingRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    return FormatEstimate(baseline.jobs.GetRatio("blocking", agent.jobs));
}

/// @param baseline a rule  @param agent an agent  @return ratio of reconfigurations
std::string
ReconfigurationRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    if (!baseline.IsReconfigurable())
    {
        return "-";
    }
    const char* figure = "reconfigurations_per_job";
    if (const auto moved = agent.jobs.GetEstimate(figure); moved.mean == 0)
    {
        // No event in all jobs: use the upper end of the agent's interval.
        return "> " + FormatFixed(baseline.jobs.GetEstimate(figure).mean / moved.upper, 0);
    }
    return FormatEstimate(baseline.jobs.GetRatio(figure, agent.jobs));
}

/// @param baseline a rule  @param agent an agent  @return ratio of the packets' latencies
std::string
LatencyRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    return agent.HasPackets() ? FormatEstimate(baseline.packets.GetRatio("mean_ns", agent.packets))
                              : "-";
}

/// @param baseline a rule  @param agent an agent  @return ratio of packet loss ratios
std::string
LossRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    return agent.HasPackets()
               ? FormatEstimate(baseline.packets.GetRatio("loss_share", agent.packets))
               : "-";
}

/// Compared quantities, in the order of the panels.
const std::vector<Advantage> ADVANTAGES{
    {"blocking",
     "blocking_ratio",
     &BlockingRatio,
     [](const FigurePoint& p) { return p.jobs.GetEstimate("blocking").mean; }},
    {"latency, packets",
     "latency_ratio",
     &LatencyRatio,
     [](const FigurePoint& p)
     {
         return p.HasPackets() ? p.packets.GetEstimate("latency").mean
                               : std::numeric_limits<double>::quiet_NaN();
     }},
    {"loss, packets",
     "loss_ratio",
     &LossRatio,
     [](const FigurePoint& p)
     {
         return p.HasPackets() ? p.packets.GetEstimate("loss").mean
                               : std::numeric_limits<double>::quiet_NaN();
     }},
    {"reconfigurations",
     "reconfiguration_ratio",
     &ReconfigurationRatio,
     [](const FigurePoint&) { return std::numeric_limits<double>::quiet_NaN(); }},
};

/**
 * Write the ratios of the baselines to the agent, with those of the paper.
 * @param os output stream
 * @param points points of the figure
 * @param figure title, e.g. "Fig. 5"
 * @param paper the paper's numbers
 * @param agent name of the agent
 */
void
WriteRatios(std::ostream& os,
            const std::vector<FigurePoint>& points,
            const std::string& figure,
            const PaperNumbers& paper,
            const std::string& agent)
{
    const auto loads = LoadsOf(points);
    std::vector<std::string> titles{"a baseline's over that of " + agent, "load"};
    titles.insert(titles.end(), BASELINES.begin(), BASELINES.end());
    titles.emplace_back("best of them");
    Markdown table(os, titles);
    for (const auto& advantage : ADVANTAGES)
    {
        const auto paperRow = [&](const std::string& load, const std::string& place)
        {
            std::vector<std::string> row{std::string("*paper: ") + advantage.name + "*", load};
            bool any = false;
            for (std::size_t i = 0; i <= BASELINES.size(); ++i)
            {
                const std::string& over = i < BASELINES.size() ? BASELINES[i] : "best";
                const auto said = paper.Find(place, load, over, advantage.paper);
                row.push_back(said.empty() ? "" : "*" + said + "*");
                any = any || !said.empty();
            }
            if (any)
            {
                table.Row(row);
            }
        };
        for (const double load : loads)
        {
            const FigurePoint* mine = FindPoint(points, agent, load);
            std::vector<std::string> row{advantage.name, LoadText(load)};
            std::string best;
            double least = std::numeric_limits<double>::infinity();
            for (const auto& name : BASELINES)
            {
                const FigurePoint* baseline = FindPoint(points, name, load);
                row.push_back(mine && baseline ? advantage.ratio(*baseline, *mine) : "-");
                const double rank =
                    baseline ? advantage.rank(*baseline) : std::numeric_limits<double>::quiet_NaN();
                if (rank < least)
                {
                    least = rank;
                    best = row.back();
                }
            }
            row.push_back(best);
            table.Row(row);
        }
        if (loads.size() > 1)
        {
            paperRow("66", "Fig. 4");
            paperRow("all", figure);
        }
        else
        {
            paperRow(LoadText(loads.front()), figure);
        }
    }
}

/**
 * @param points points of the figure
 * @param agent name of the agent
 * @return sentence with the blocking ratio of each baseline, averaged over the loads
 */
std::string
AverageRatios(const std::vector<FigurePoint>& points, const std::string& agent)
{
    const auto loads = LoadsOf(points);
    std::string text;
    for (const auto& name : BASELINES)
    {
        double sum = 0;
        for (const double load : loads)
        {
            const FigurePoint* mine = FindPoint(points, agent, load);
            const FigurePoint* baseline = FindPoint(points, name, load);
            sum += mine && baseline ? baseline->jobs.GetRatio("blocking", mine->jobs).mean
                                    : std::numeric_limits<double>::quiet_NaN();
        }
        text += (text.empty() ? "" : ", ") +
                FormatFixed(sum / static_cast<double>(loads.size()), 2) + " (" + name + ")";
    }
    return "Blocking ratios of " + agent + " averaged over the loads: " + text + ".\n";
}

/**
 * Write blocking, latency and reconfigurations of every point.
 * @param os output stream
 * @param study measurement settings
 * @param points points of the figure
 */
void
WriteRows(std::ostream& os, const FigureStudy& study, const std::vector<FigurePoint>& points)
{
    os << DescribeStudy(study, true) << "\n";
    Markdown table(os,
                   {"load",
                    "policy",
                    "blocking %",
                    "above the least",
                    "reconfigurations a job",
                    "latency ns, packets",
                    "closed form",
                    "gap %",
                    "loss %, packets",
                    "closed form"});
    double unbalanced = 0;
    for (const double load : LoadsOf(points))
    {
        const double least = study.base.MakeBound(load).GetBlocking();
        for (const auto& point : points)
        {
            if (point.load != load)
            {
                continue;
            }
            const auto& jobs = point.jobs;
            const auto& packets = point.packets;
            const bool shown = point.HasPackets();
            const Estimate blocking = jobs.GetEstimate("blocking");
            table.Row(
                {LoadText(load),
                 point.policy,
                 FormatEstimate(blocking, 100),
                 FormatFixed(100 * (blocking.mean - least), 2),
                 point.IsReconfigurable()
                     ? FormatEstimate(jobs.GetEstimate("reconfigurations_per_job"))
                     : "fixed",
                 shown ? FormatEstimate(packets.GetEstimate("latency")) : "-",
                 shown ? FormatFixed(packets.GetEstimate("formula").mean, 1)
                       : FormatEstimate(jobs.GetEstimate("estimated_latency_ns")),
                 shown ? FormatEstimate(LessOne(packets.GetEstimate("over_formula")), 100) : "-",
                 shown ? FormatEstimate(packets.GetEstimate("loss"), 100) : "-",
                 shown ? FormatFixed(100 * packets.GetEstimate("formula_loss").mean, 4)
                       : FormatEstimate(jobs.GetEstimate("estimated_loss"), 100)});
            for (const auto& observation : packets.Get())
            {
                unbalanced += observation.values.back().total;
            }
        }
        table.Row({LoadText(load),
                   "*least possible*",
                   FormatFixed(100 * least, 3),
                   "",
                   "",
                   "",
                   "",
                   "",
                   "",
                   ""});
    }
    if (study.base.packets != "formula")
    {
        os << "\nsent = received + dropped by cause + in flight in "
           << (unbalanced > 0 ? "all windows but " + FormatFixed(unbalanced, 0)
                              : std::string("every window"))
           << ".\n";
    }
}

} // namespace

PaperNumbers::PaperNumbers(const std::string& path)
    : m_table(FigureTable::Read(path))
{
}

std::string
PaperNumbers::Find(const std::string& place,
                   const std::string& load,
                   const std::string& policy,
                   const std::string& quantity) const
{
    const std::vector<std::pair<std::size_t, std::string>> wanted{
        {m_table.GetColumn("place"), place},
        {m_table.GetColumn("load"), load},
        {m_table.GetColumn("policy"), policy},
        {m_table.GetColumn("quantity"), quantity},
    };
    for (const auto& row : m_table.rows)
    {
        if (std::all_of(wanted.begin(),
                        wanted.end(),
                        [&](const auto& cell) { return row[cell.first] == cell.second; }))
        {
            return row[m_table.GetColumn("value")];
        }
    }
    return "";
}

void
FillPage(const std::string& path, const std::string& region, const std::optional<std::string>& text)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw OdcnError(path + ": cannot be read");
    }
    std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::string begin = "<!-- odcn-figures: " + region + " -->\n";
    const std::string end = "<!-- odcn-figures: end -->";
    const auto from = page.find(begin);
    const auto to = from == std::string::npos ? from : page.find(end, from);
    if (to == std::string::npos)
    {
        throw OdcnError(path + ": no line " + begin.substr(0, begin.size() - 1) + " with a line " +
                        end + " after it");
    }
    AtomicFile target(path);
    AtomicFile::RemoveTemporaries(path);
    if (!text)
    {
        return;
    }
    page.replace(from + begin.size(), to - from - begin.size(), "\n" + *text + "\n");
    target.Stream() << page;
    target.Commit();
}

std::string
DescribeStudy(const FigureStudy& study, bool packets)
{
    const OdcnSystem& base = study.base;
    std::ostringstream os;
    os << base.tors << " racks x " << base.servers << " servers, "
       << (base.ports ? base.ports : base.tors - 1) << " uplinks; " << study.replications
       << " replications (runs " << study.firstRun << " to "
       << study.firstRun + study.replications - 1 << " of seed " << RngSeedManager::GetSeed()
       << ") of " << study.jobs << " jobs after " << study.warmUp << "; intervals: 95 %.";
    if (packets && study.base.packets != "formula")
    {
        os << " Packets (" << study.base.packets << "): " << base.windows << " windows in each of "
           << study.packetReplications << " of the replications, " << base.windowLength
           << " measured after " << base.windowWarmUp
           << ", one way from socket to socket between racks; closed form: M/D/1/16 at the same "
              "windows and the two servers' links.";
    }
    return os.str() + "\n";
}

std::string
WriteComparison(const FigureStudy& study,
                const std::vector<FigurePoint>& points,
                const std::string& figure,
                const PaperNumbers& paper)
{
    std::ostringstream os;
    WriteRows(os, study, points);
    std::vector<std::string> agents;
    for (const auto& point : points)
    {
        if (!point.agent.empty() &&
            std::find(agents.begin(), agents.end(), point.policy) == agents.end())
        {
            agents.push_back(point.policy);
        }
    }
    for (const auto& agent : agents)
    {
        os << "\n";
        WriteRatios(os, points, figure, paper, agent);
        if (LoadsOf(points).size() > 1)
        {
            os << "\n" << AverageRatios(points, agent);
        }
    }
    return os.str();
}

std::string
WriteFront(const FigureStudy& study, const std::vector<FigurePoint>& points)
{
    std::ostringstream os;
    WriteRows(os, study, points);
    std::string ahead;
    for (const auto& agent : points)
    {
        for (const auto& rule : points)
        {
            if (agent.IsAgent() && !rule.IsAgent() && rule.load == agent.load &&
                rule.jobs.GetEstimate("blocking").mean < agent.jobs.GetEstimate("blocking").mean &&
                GetLatency(rule) < GetLatency(agent))
            {
                ahead += "- " + rule.policy + " is ahead of " + agent.policy + " by " +
                         FormatEstimate(agent.jobs.GetDifference("blocking", rule.jobs), 100) +
                         " points and " + FormatFixed(GetLatency(agent) - GetLatency(rule), 1) +
                         " ns\n";
            }
        }
    }
    os << "\nRules that block less than an agent and have less latency, in the mean:"
       << (ahead.empty() ? " none.\n" : "\n\n" + ahead);
    return os.str();
}

std::string
WriteUtilisation(const FigureStudy& study,
                 const std::vector<FigurePoint>& points,
                 const std::string& table,
                 const PaperNumbers& paper)
{
    const std::vector<std::string> kinds{"cpu", "ram", "disk"};
    std::ostringstream os;
    os << DescribeStudy(study, false) << "\n";
    Markdown rows(os,
                  {"load", "policy", "CPU %", "*paper*", "RAM %", "*paper*", "disk %", "*paper*"});
    const auto getCeiling = [&](double load)
    { return 100 * study.base.MakeBound(load).GetUtilization(); };
    const auto said = [&](double load, const std::string& policy, std::size_t kind)
    {
        const auto text = paper.Find(table, LoadText(load), policy, kinds[kind]);
        const bool above = kind == 0 && ParseFinite(text).value_or(0) > getCeiling(load);
        return text.empty() ? "" : "*" + text + (above ? "* (above)" : "*");
    };
    for (const double load : LoadsOf(points))
    {
        for (const auto& point : points)
        {
            if (point.load != load)
            {
                continue;
            }
            std::vector<std::string> row{LoadText(load), point.policy};
            for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            {
                row.push_back(FormatEstimate(point.jobs.GetEstimate(UTILISATION[kind]), 100));
                row.push_back(said(load, point.policy, kind));
            }
            rows.Row(row);
        }
        rows.Row({LoadText(load),
                  "*the paper's agent*",
                  "",
                  said(load, "agent", 0),
                  "",
                  said(load, "agent", 1),
                  "",
                  said(load, "agent", 2)});
        rows.Row(
            {LoadText(load), "*ceiling*", FormatFixed(getCeiling(load), 2), "", "", "", "", ""});
    }
    return os.str();
}

std::string
WriteCosts(const std::vector<FigureCost>& costs, const std::vector<FigurePoint>& points)
{
    std::vector<std::pair<std::string, double>> rows;
    for (const auto& cost : costs)
    {
        const std::pair<std::string, double> row{cost.recipe, cost.phi};
        if (std::find(rows.begin(), rows.end(), row) == rows.end())
        {
            rows.push_back(row);
        }
    }
    std::ostringstream os;
    Markdown table(os,
                   {"recipe",
                    "Phi_reconf",
                    "trainings",
                    "blocking %",
                    "each",
                    "reconfigurations a job",
                    "each"});
    for (const auto& [recipe, phi] : rows)
    {
        std::vector<double> blocking;
        std::vector<double> moved;
        std::string blockings;
        std::string moves;
        for (std::size_t i = 0; i < costs.size(); ++i)
        {
            if (costs[i].recipe == recipe && costs[i].phi == phi)
            {
                const std::string separator = blocking.empty() ? "" : ", ";
                blocking.push_back(points[i].jobs.GetEstimate("blocking").mean);
                moved.push_back(points[i].jobs.GetEstimate("reconfigurations_per_job").mean);
                blockings += separator + FormatFixed(100 * blocking.back(), 2);
                moves += separator + FormatFixed(moved.back(), 5);
            }
        }
        table.Row({recipe,
                   FormatCells({phi})[0],
                   std::to_string(blocking.size()),
                   FormatEstimate(MeanOfReplications(blocking), 100),
                   blockings,
                   FormatEstimate(MeanOfReplications(moved)),
                   moves});
    }
    return os.str();
}

std::string
WriteCurves(const std::vector<FigureCurve>& curves, const std::vector<FigurePoint>& baselines)
{
    const FigurePoint* best = nullptr;
    for (const auto& name : BASELINES)
    {
        for (const auto& point : baselines)
        {
            if (point.policy == name && (!best || point.jobs.GetEstimate("blocking").mean <
                                                      best->jobs.GetEstimate("blocking").mean))
            {
                best = &point;
            }
        }
    }
    const double rule = best ? best->jobs.GetEstimate("blocking").mean : 0;
    std::ostringstream os;
    Markdown table(
        os,
        {"recipe",
         "training",
         "jobs",
         "first lost %",
         "least lost %",
         "last lost %",
         "jobs until it loses less than " + (best ? best->policy : "a rule") + " blocks"});
    for (const auto& curve : curves)
    {
        const auto least = std::min_element(curve.lost.begin(), curve.lost.end());
        const auto below =
            std::find_if(curve.lost.begin(), curve.lost.end(), [&](double v) { return v < rule; });
        const auto jobs = [&](auto position)
        {
            const auto index = static_cast<std::size_t>(position - curve.lost.begin());
            return FormatFixed(curve.decisions[index] / DECISIONS_PER_JOB, 0);
        };
        table.Row({curve.recipe,
                   std::to_string(curve.training),
                   jobs(curve.lost.end() - 1),
                   FormatFixed(100 * curve.lost.front(), 2),
                   FormatFixed(100 * *least, 2),
                   FormatFixed(100 * curve.lost.back(), 2),
                   below == curve.lost.end() ? "never" : jobs(below)});
    }
    return os.str();
}

void
AddTables(RunReport& report, const std::string& title, const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    std::string paragraph;
    std::vector<std::vector<std::string>> rows;
    std::size_t tables = 0;
    for (bool more = true; more;)
    {
        more = static_cast<bool>(std::getline(lines, line));
        if (more && line.rfind("| ", 0) == 0)
        {
            std::vector<std::string_view> cells;
            SplitText(line, '|', cells);
            rows.emplace_back();
            for (std::size_t i = 1; i + 1 < cells.size(); ++i)
            {
                // Without blanks, and the stars of the paper's numbers.
                const auto from = cells[i].find_first_not_of(" *");
                rows.back().emplace_back(
                    from == std::string_view::npos
                        ? ""
                        : cells[i].substr(from, cells[i].find_last_not_of(" *") + 1 - from));
            }
            continue;
        }
        if (rows.size() > 2)
        {
            Table table(rows.front());
            std::for_each(rows.begin() + 2, // after the rule
                          rows.end(),
                          [&](const auto& row) { table.AddRow(row); });
            report.AddTable(title + ", table " + std::to_string(++tables), table, paragraph);
            paragraph.clear();
        }
        rows.clear();
        paragraph = line.empty() ? paragraph : line;
    }
}

void
AddCharts(RunReport& report, const std::vector<FigurePoint>& points)
{
    struct Quantity
    {
        const char* title;  //!< title
        const char* unit;   //!< unit
        bool packets;       //!< whether it is measured in packets
        const char* figure; //!< name of the figure of merit
        double scale;       //!< factor
    };

    const std::vector<Quantity> quantities{
        {"Blocking", "%", false, "blocking", 100},
        {"Reconfigurations", "per job", false, "reconfigurations_per_job", 1},
        {"Use of cores", "%", false, "cpu_utilisation", 100},
        {"Use of memory", "%", false, "ram_utilisation", 100},
        {"Use of disk", "%", false, "disk_utilisation", 100},
        {"Latency, closed form", "ns", false, "estimated_latency_ns", 1},
        {"Latency, packets", "ns", true, "latency", 1},
        {"Loss, packets", "%", true, "loss", 100},
    };
    for (const auto& quantity : quantities)
    {
        const std::string title = quantity.title;
        auto& chart = report.AddChart({ReportChart::Kind::ESTIMATES,
                                       title,
                                       "load",
                                       title + ", " + quantity.unit,
                                       "",
                                       "",
                                       {}});
        for (const auto& point : points)
        {
            if (!quantity.packets || point.HasPackets())
            {
                const auto& measured = quantity.packets ? point.packets : point.jobs;
                chart.AddEstimate("",
                                  LoadText(point.load),
                                  point.policy,
                                  measured.GetEstimate(quantity.figure),
                                  quantity.scale);
            }
        }
    }
}

void
WritePoints(const std::string& path,
            const FigureStudy& study,
            const std::vector<FigurePoint>& points,
            const std::string& command)
{
    std::vector<std::string> columns{"tors", "servers", "load", "policy", "agent", "jobs"};
    for (const char* name : {"blocking",
                             "reconfigurations",
                             "cpu",
                             "ram",
                             "disk",
                             "formula_ns",
                             "formula_loss",
                             "packet_ns",
                             "packet_p99_ns",
                             "packet_loss",
                             "window_formula_ns",
                             "window_formula_loss",
                             "gap"})
    {
        columns.emplace_back(name);
        columns.push_back(std::string(name) + "_lower");
        columns.push_back(std::string(name) + "_upper");
    }
    columns.emplace_back("packets");
    columns.emplace_back("bound_blocking");
    columns.emplace_back("bound_cpu");
    CsvWriter csv(path, columns, command + "\n" + DescribeStudy(study, true));
    constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
    for (const auto& point : points)
    {
        csv.Cell(study.base.tors).Cell(study.base.servers).Cell(point.load);
        csv.Cell(point.policy).Cell(point.agent).Cell(point.jobs.GetTotals().offered);
        const auto put = [&csv](const Estimate& e)
        { csv.Cell(e.mean).Cell(e.lower).Cell(e.upper); };
        put(point.jobs.GetEstimate("blocking"));
        put(point.jobs.GetEstimate("reconfigurations_per_job"));
        for (std::size_t kind = 0; kind < OdcnResources::KINDS; ++kind)
        {
            put(point.jobs.GetEstimate(UTILISATION[kind]));
        }
        put(point.jobs.GetEstimate("estimated_latency_ns"));
        put(point.jobs.GetEstimate("estimated_loss"));
        const Estimate none{UNKNOWN, UNKNOWN, UNKNOWN, 0};
        const auto& packets = point.packets;
        for (const char* figure : {"latency", "p99_ns", "loss", "formula", "formula_loss"})
        {
            put(point.HasPackets() ? packets.GetEstimate(figure) : none);
        }
        put(point.HasPackets() ? LessOne(packets.GetEstimate("over_formula")) : none);
        csv.Cell(packets.GetTotals().accepted);
        const KaufmanRoberts bound = study.base.MakeBound(point.load);
        csv.Cell(bound.GetBlocking()).Cell(bound.GetUtilization());
        csv.EndRow();
    }
    csv.Commit();
}
