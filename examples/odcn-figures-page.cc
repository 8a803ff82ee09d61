// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-figures-page.h"

#include "odcn-drl-scheduling-run.h"

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

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A decision is one VM; a job has 15.5 in the mean.
constexpr double DECISIONS_PER_JOB = 15.5;

/// @param load of a point  @return its text
std::string
LoadText(double load)
{
    return FormatCells({load})[0];
}

/// A table in Markdown.
class Markdown
{
  public:
    /// @param os where to  @param titles of the columns
    Markdown(std::ostream& os, const std::vector<std::string>& titles)
        : m_os(os)
    {
        Row(titles);
        Row(std::vector<std::string>(titles.size(), "---"));
    }

    /// @param cells of a row
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
    std::ostream& m_os; //!< Where to
};

/// @param points of a figure  @return their loads, each once, in the order given
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
 * @param points of a figure  @param policy name  @param load of the point
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

/**
 * @param a replications of the one  @param b of the other, on the same jobs
 * @param events jobs of a replication that count
 * @return how many times as many the one has
 */
OdcnEstimate
TimesAsMany(const OdcnEvaluation& a,
            const OdcnEvaluation& b,
            uint64_t (OdcnCounters::*events)() const)
{
    std::vector<double> mine;
    std::vector<double> others;
    for (std::size_t i = 0; i < a.GetBatches().size(); ++i)
    {
        mine.push_back(static_cast<double>((a.GetBatches()[i].counters.*events)()));
        others.push_back(static_cast<double>((b.GetBatches()[i].counters.*events)()));
    }
    return OdcnRatioOfReplications(mine, others);
}

/// The rules that the paper compares its agent with.
const std::vector<std::string> BASELINES{"all2all-ccf", "odcn-ccf", "odcn-jcb"};

/// A quantity that tells how much better the agent is.
struct Advantage
{
    const char* name;  //!< for people
    const char* paper; //!< in the file of the paper's numbers
    /// Text of the baseline's value over the agent's; a dash where there is none.
    std::string (*ratio)(const FigurePoint& baseline, const FigurePoint& agent);
    /// What makes a baseline the best of them: least; NaN for no such thing.
    double (*rank)(const FigurePoint& baseline);
};

/// @param baseline a rule  @param agent an agent  @return ratio of blocked jobs
std::string
BlockingRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    return OdcnFormatEstimate(TimesAsMany(baseline.jobs, agent.jobs, &OdcnCounters::Blocked));
}

/// @param baseline a rule  @param agent an agent  @return ratio of reconfigurations
std::string
ReconfigurationRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    if (!baseline.scheme.reconfigurable)
    {
        return "-";
    }
    if (agent.jobs.GetTotals().Reconfigurations() == 0)
    {
        // None in all jobs: the upper end of the agent's interval stands for it.
        return "> " + OdcnFormatFixed(baseline.jobs.GetReconfigurations().mean /
                                          agent.jobs.GetReconfigurations().upper,
                                      0);
    }
    return OdcnFormatEstimate(
        TimesAsMany(baseline.jobs, agent.jobs, &OdcnCounters::Reconfigurations));
}

/// @param baseline a rule  @param agent an agent  @return ratio of the packets' latencies
std::string
LatencyRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    return agent.packets.IsEmpty()
               ? "-"
               : OdcnFormatEstimate(baseline.packets.GetLatencyRatio(agent.packets));
}

/// @param baseline a rule  @param agent an agent  @return ratio of the shares of packets lost
std::string
LossRatio(const FigurePoint& baseline, const FigurePoint& agent)
{
    return agent.packets.IsEmpty()
               ? "-"
               : OdcnFormatEstimate(baseline.packets.GetLossRatio(agent.packets));
}

/// In the order of the panels.
const std::vector<Advantage> ADVANTAGES{
    {"blocking",
     "blocking_ratio",
     &BlockingRatio,
     [](const FigurePoint& p) { return p.jobs.GetBlocking().mean; }},
    {"latency, packets",
     "latency_ratio",
     &LatencyRatio,
     [](const FigurePoint& p) { return p.packets.GetLatencyNs().mean; }},
    {"loss, packets",
     "loss_ratio",
     &LossRatio,
     [](const FigurePoint& p) { return p.packets.GetLoss().mean; }},
    {"reconfigurations",
     "reconfiguration_ratio",
     &ReconfigurationRatio,
     [](const FigurePoint&) { return std::numeric_limits<double>::quiet_NaN(); }},
};

/**
 * How many times more each baseline blocks than the agent, and so on, beside the paper.
 * @param os where to
 * @param points of the figure
 * @param figure "Fig. 5", say
 * @param paper what it says
 * @param agent whose advantage counts
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
 * @param points of the figure
 * @param agent whose advantage counts
 * @return how many times more each baseline blocks, averaged over the loads, as a sentence
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
            sum += mine && baseline
                       ? TimesAsMany(baseline->jobs, mine->jobs, &OdcnCounters::Blocked).mean
                       : std::numeric_limits<double>::quiet_NaN();
        }
        text += (text.empty() ? "" : ", ") +
                OdcnFormatFixed(sum / static_cast<double>(loads.size()), 2) + " (" + name + ")";
    }
    return "Blocking ratios of " + agent + " averaged over the loads: " + text + ".\n";
}

/**
 * Every point: what it blocks, how fast its packets are, how often circuits move.
 * @param os where to
 * @param study how they were measured
 * @param points of the figure
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
        const double least = MakeBound(study.At(load)).GetBlocking();
        for (const auto& point : points)
        {
            if (point.load != load)
            {
                continue;
            }
            const auto& packets = point.packets;
            const bool shown = !packets.IsEmpty();
            table.Row({LoadText(load),
                       point.policy,
                       OdcnFormatEstimate(point.jobs.GetBlocking(), 100),
                       OdcnFormatFixed(100 * (point.jobs.GetBlocking().mean - least), 2),
                       point.scheme.reconfigurable
                           ? OdcnFormatEstimate(point.jobs.GetReconfigurations())
                           : "fixed",
                       shown ? OdcnFormatEstimate(packets.GetLatencyNs()) : "-",
                       shown ? OdcnFormatFixed(packets.GetFormulaNs().mean, 1)
                             : OdcnFormatEstimate(point.jobs.GetLatencyNs()),
                       shown ? OdcnFormatEstimate(packets.GetGap(), 100) : "-",
                       shown ? OdcnFormatEstimate(packets.GetLoss(), 100) : "-",
                       shown ? OdcnFormatFixed(100 * packets.GetFormulaLoss().mean, 4)
                             : OdcnFormatEstimate(point.jobs.GetLoss(), 100)});
            unbalanced += packets.GetUnbalanced();
        }
        table.Row({LoadText(load),
                   "*least possible*",
                   OdcnFormatFixed(100 * least, 3),
                   "",
                   "",
                   "",
                   "",
                   "",
                   "",
                   ""});
    }
    if (study.packets != "formula")
    {
        os << "\nsent = received + dropped by cause + in flight in "
           << (unbalanced > 0 ? "all windows but " + OdcnFormatFixed(unbalanced, 0)
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
    OdcnAtomicFile target(path);
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
    const Options& base = study.base;
    std::ostringstream os;
    os << base.tors << " racks x " << base.servers << " servers, "
       << (base.ports ? base.ports : base.tors - 1) << " uplinks; " << study.replications
       << " replications (runs " << study.firstRun << " to "
       << study.firstRun + study.replications - 1 << " of seed " << RngSeedManager::GetSeed()
       << ") of " << base.jobs << " jobs after " << base.warmUp << "; intervals: 95 %.";
    if (packets && study.packets != "formula")
    {
        os << " Packets (" << study.packets << "): " << base.windows << " windows in each of "
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
    const auto latency = [](const FigurePoint& p)
    { return p.packets.IsEmpty() ? p.jobs.GetLatencyNs().mean : p.packets.GetLatencyNs().mean; };
    std::string ahead;
    for (const auto& agent : points)
    {
        for (const auto& rule : points)
        {
            if (!agent.checkpoint.empty() && rule.checkpoint.empty() && rule.load == agent.load &&
                rule.jobs.GetBlocking().mean < agent.jobs.GetBlocking().mean &&
                latency(rule) < latency(agent))
            {
                ahead += "- " + rule.policy + " is ahead of " + agent.policy + " by " +
                         OdcnFormatEstimate(agent.jobs.GetBlockingDifference(rule.jobs), 100) +
                         " points and " + OdcnFormatFixed(latency(agent) - latency(rule), 1) +
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
    for (const double load : LoadsOf(points))
    {
        const double ceiling = 100 * MakeBound(study.At(load)).GetUtilization();
        for (const auto& point : points)
        {
            if (point.load != load)
            {
                continue;
            }
            std::vector<std::string> row{LoadText(load), point.policy};
            for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            {
                row.push_back(OdcnFormatEstimate(point.jobs.GetUtilisation(kind), 100));
                const auto said = paper.Find(table, LoadText(load), point.policy, kinds[kind]);
                const bool above = kind == 0 && ParseFinite(said).value_or(0) > ceiling;
                row.push_back(said.empty() ? "" : "*" + said + (above ? "* (above)" : "*"));
            }
            rows.Row(row);
        }
        rows.Row({LoadText(load), "*ceiling*", OdcnFormatFixed(ceiling, 2), "", "", "", "", ""});
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
                blocking.push_back(points[i].jobs.GetBlocking().mean);
                moved.push_back(points[i].jobs.GetReconfigurations().mean);
                blockings += separator + OdcnFormatFixed(100 * blocking.back(), 2);
                moves += separator + OdcnFormatFixed(moved.back(), 5);
            }
        }
        table.Row({recipe,
                   FormatCells({phi})[0],
                   std::to_string(blocking.size()),
                   OdcnFormatEstimate(OdcnMeanOfReplications(blocking), 100),
                   blockings,
                   OdcnFormatEstimate(OdcnMeanOfReplications(moved)),
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
            if (point.policy == name &&
                (!best || point.jobs.GetBlocking().mean < best->jobs.GetBlocking().mean))
            {
                best = &point;
            }
        }
    }
    const double rule = best ? best->jobs.GetBlocking().mean : 0;
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
            return OdcnFormatFixed(curve.decisions[index] / DECISIONS_PER_JOB, 0);
        };
        table.Row({curve.recipe,
                   std::to_string(curve.training),
                   jobs(curve.lost.end() - 1),
                   OdcnFormatFixed(100 * curve.lost.front(), 2),
                   OdcnFormatFixed(100 * *least, 2),
                   OdcnFormatFixed(100 * curve.lost.back(), 2),
                   below == curve.lost.end() ? "never" : jobs(below)});
    }
    return os.str();
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
    OdcnCsvWriter csv(path, columns, command + "\n" + DescribeStudy(study, true));
    constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
    for (const auto& point : points)
    {
        csv.Cell(study.base.tors).Cell(study.base.servers).Cell(point.load);
        csv.Cell(point.policy).Cell(point.agent).Cell(point.jobs.GetTotals().Offered());
        const auto put = [&csv](const OdcnEstimate& e)
        { csv.Cell(e.mean).Cell(e.lower).Cell(e.upper); };
        put(point.jobs.GetBlocking());
        put(point.jobs.GetReconfigurations());
        for (std::size_t kind = 0; kind < OdcnResources::KINDS; ++kind)
        {
            put(point.jobs.GetUtilisation(kind));
        }
        put(point.jobs.GetLatencyNs());
        put(point.jobs.GetLoss());
        const bool measured = !point.packets.IsEmpty();
        const OdcnEstimate none{UNKNOWN, UNKNOWN, UNKNOWN, 0};
        put(measured ? point.packets.GetLatencyNs() : none);
        put(measured ? point.packets.GetP99Ns() : none);
        put(measured ? point.packets.GetLoss() : none);
        put(measured ? point.packets.GetFormulaNs() : none);
        put(measured ? point.packets.GetFormulaLoss() : none);
        put(measured ? point.packets.GetGap() : none);
        csv.Cell(point.packets.GetReceived());
        const OdcnKaufmanRoberts bound = MakeBound(study.At(point.load));
        csv.Cell(bound.GetBlocking()).Cell(bound.GetUtilization());
        csv.EndRow();
    }
    csv.Commit();
}
