// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-day-figures.h"

#include "icci-migration-scheduler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace ns3::odcn
{

namespace
{

constexpr std::size_t AREAS = 3;

/// Sums over all blocks of an area.
struct AreaSums
{
    double n{0};       //!< number of blocks
    double use{0};     //!< sum of the shares of CUs in use
    double squares{0}; //!< sum of their squares
    double hot{0};     //!< number of hotspot blocks

    /// @return mean share of CUs in use; NaN without a centre in the area
    double GetMean() const
    {
        return n > 0 ? use / n : std::numeric_limits<double>::quiet_NaN();
    }

    /// @return variance over the blocks, in percentage points squared
    double GetVariance() const
    {
        return 1e4 * (squares / n - GetMean() * GetMean());
    }
};

/// @param value a value; NaN if it is undefined  @return it as a figure
FigureValue
Defined(double value)
{
    return value == value ? FigureValue{value, 1} : FigureValue{0, 0};
}

/// @param sum a sum  @param n number of terms  @return their mean, undefined for n = 0
FigureValue
MeanOf(double sum, double n)
{
    return n > 0 ? FigureValue{sum / n, 1} : FigureValue{0, 0};
}

/// A figure of migrations in packets: the mean over a day's.
struct IcciPacketFigure
{
    FigureOfMerit figure;                                  //!< as in files and tables
    std::function<double(const IcciPacketMigration&)> get; //!< the value; NaN if not defined
};

/// @return the figures of migrations in packets; more: than the formulas say
std::vector<IcciPacketFigure>
ListPacketFigures()
{
    using Row = IcciPacketMigration;
    std::vector<IcciPacketFigure> figures;
    const auto add = [&](const std::string& name, const char* title, const char* unit, auto get)
    {
        figures.push_back({{.name = "packet_" + name,
                            .title = title,
                            .unit = unit,
                            .kind = FigureOfMerit::Kind::RATIO,
                            .shown = *title != 0},
                           get});
    };
    const auto more = [](double measured, double formula)
    { return 100 * (measured / formula - 1); };
    const auto ifDone = [](const Row& r, double value)
    { return r.completed ? value : std::nan(""); };
    add("completed", "migrations\ndone", "%", [](const Row& r) { return 100 * r.completed; });
    add("moved", "workers\nmoved", "", [=](const Row& r) { return ifDone(r, r.moved); });
    add("before_eq3_s", "T_trans\nbefore", "s", [](const Row& r) { return r.before.formula; });
    add("before_more",
        "before\nmore",
        "%",
        [=](const Row& r) { return more(r.before.packets, r.before.formula); });
    add("before_job_more",
        "",
        "",
        [=](const Row& r) { return more(r.before.job, r.before.formula); });
    add("after_eq3_s", "T_trans\nafter", "s", [](const Row& r) { return r.after.formula; });
    add("after_more",
        "after\nmore",
        "%",
        [=](const Row& r) { return more(r.after.packets, r.after.formula); });
    add("downtime_eq16_s",
        "downtime\nEq. 16",
        "s",
        [=](const Row& r) { return ifDone(r, r.eq16); });
    add("downtime_s",
        "downtime\nin packets",
        "s",
        [=](const Row& r) { return ifDone(r, r.downtime); });
    add("downtime_more",
        "downtime\nmore",
        "%",
        [=](const Row& r) { return ifDone(r, more(r.downtime, r.eq16)); });
    add("rerouted", "lightpaths\nrerouted", "", [](const Row& r) { return r.rerouted; });
    add("sent", "packets", "", [](const Row& r) { return r.sent; });
    add("lost", "packets\nlost", "", [](const Row& r) { return r.dropped.Total(); });
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        const std::string cause = OcsDropCauseName(static_cast<OcsDropCause>(i));
        add("lost_" + cause, "", "", [i](const Row& r) { return r.dropped.packets[i]; });
    }
    return figures;
}

} // namespace

std::vector<FigureOfMerit>
GetIcciDayFigures()
{
    const auto hidden = [](const char* name, const char* unit = "", double scale = 1)
    {
        return FigureOfMerit{.name = name,
                             .title = name,
                             .unit = unit,
                             .scale = scale,
                             .shown = false};
    };
    return {
        {.name = "hot_share", .title = "hotspots", .unit = "%", .scale = 100},
        {.name = "hot_blocks",
         .title = "hot blocks",
         .shown = false,
         .compare = FigureOfMerit::Compare::CHANGE,
         .per = "moved_workers"},
        hidden("hot_business"),
        hidden("hot_residential"),
        hidden("hot_other"),
        {.name = "moved_workers", .title = "workers\nmoved", .unit = "a day"},
        hidden("migrations"),
        hidden("refused"),
        hidden("use_business", "%", 100),
        hidden("use_residential", "%", 100),
        hidden("use_other", "%", 100),
        hidden("variance_business"),
        hidden("variance_residential"),
        hidden("variance_other"),
        {.name = "hops", .title = "hops", .unit = "of a ring"},
        hidden("first_hops"),
        {.name = "bandwidth", .title = "bandwidth", .unit = "%", .scale = 100},
        hidden("bandwidth_business", "%", 100),
        hidden("bandwidth_residential", "%", 100),
        hidden("bandwidth_other", "%", 100),
        hidden("downtime", "s"),
        {.name = "migration_downtime", .title = "downtime", .unit = "s"},
        {.name = "ahead_of_time",
         .title = "ahead of time\n(all tasks)",
         .unit = "%",
         .scale = 100,
         .higherIsBetter = true},
        {.name = "migrated_ahead_of_time",
         .title = "ahead of time\n(migrated)",
         .unit = "%",
         .scale = 100,
         .higherIsBetter = true},
        {.name = "blocked", .title = "blocked", .unit = "%", .scale = 100},
        hidden("lost", "%", 100),
    };
}

std::vector<FigureValue>
MeasureIcciDay(const IcciManager& manager)
{
    const IcciPool& pool = manager.GetPool();
    const OtnMesh& mesh = *manager.GetMesh();
    std::array<AreaSums, AREAS> areas;
    double lost = 0;
    double used = 0;
    for (uint32_t centre = 0; centre < mesh.GetNSites(); ++centre)
    {
        AreaSums& area = areas[static_cast<std::size_t>(mesh.GetSite(centre).area)];
        for (std::size_t block = 0; block < pool.GetNBlocks(); ++block)
        {
            const double share = pool.GetBlockUse(centre, block) / pool.GetCapacity(centre);
            area.n += 1;
            area.use += share;
            area.squares += share * share;
            area.hot += pool.IsHotBlock(centre, block);
            used += pool.GetBlockUse(centre, block) * pool.GetRules().block;
        }
        lost += pool.GetLost(centre);
    }

    double blocked = 0;
    double deployed = 0;
    double hops = 0;
    double firstHops = 0;
    double taskDowntime = 0;
    double ahead = 0;
    double migrated = 0;
    double migratedAhead = 0;
    for (const auto& task : manager.GetTasks())
    {
        if (task.phase == IcciTaskState::BLOCKED)
        {
            blocked += 1;
            continue;
        }
        if (task.phase == IcciTaskState::LOST)
        {
            continue;
        }
        deployed += 1;
        hops += task.lastHops;
        firstHops += task.firstHops;
        taskDowntime += task.downtime;
        ahead += task.GetAheadOfTime();
        if (task.moves > 0)
        {
            migrated += 1;
            migratedAhead += task.GetAheadOfTime();
        }
    }
    double completed = 0;
    double refused = 0;
    double moves = 0;
    double downtime = 0;
    for (const auto& migration : manager.GetMigrations())
    {
        const bool complete = migration.phase == IcciMigrationRecord::COMPLETE;
        refused += !complete;
        completed += complete;
        if (complete && !migration.moves.empty())
        {
            moves += 1;
            downtime += migration.downtime;
        }
    }

    const double hot = areas[0].hot + areas[1].hot + areas[2].hot;
    std::vector<FigureValue> values{{hot / (areas[0].n + areas[1].n + areas[2].n)}, {hot}};
    for (const auto& area : areas)
    {
        values.push_back({area.hot});
    }
    values.push_back({static_cast<double>(manager.GetCounters().movedWorkers)});
    values.push_back({completed});
    values.push_back({refused});
    for (const auto& area : areas)
    {
        values.push_back(Defined(area.GetMean()));
    }
    for (const auto& area : areas)
    {
        values.push_back(Defined(area.GetVariance()));
    }
    values.push_back(MeanOf(hops, deployed));
    values.push_back(MeanOf(firstHops, deployed));
    values.push_back({manager.GetWavelengthUse()});
    for (std::size_t area = 0; area < AREAS; ++area)
    {
        values.push_back(Defined(manager.GetWavelengthUse(static_cast<OtnArea>(area))));
    }
    values.push_back({taskDowntime});
    values.push_back(MeanOf(downtime, moves));
    values.push_back(MeanOf(ahead, deployed));
    values.push_back(MeanOf(migratedAhead, migrated));
    values.push_back({blocked / std::max(1.0, deployed + blocked)});
    values.push_back({lost / (lost + used)});
    return values;
}

std::vector<FigureOfMerit>
GetIcciPacketFigures()
{
    std::vector<FigureOfMerit> figures;
    for (const auto& one : ListPacketFigures())
    {
        figures.push_back(one.figure);
    }
    return figures;
}

std::vector<FigureValue>
MeasureIcciPackets(const std::vector<IcciPacketMigration>& migrations)
{
    std::vector<FigureValue> values;
    for (const auto& one : ListPacketFigures())
    {
        FigureValue& value = values.emplace_back(FigureValue{0, 0});
        for (const auto& migration : migrations)
        {
            const double x = one.get(migration);
            value.total += std::isnan(x) ? 0 : x;
            value.count += !std::isnan(x);
        }
    }
    return values;
}

} // namespace ns3::odcn
