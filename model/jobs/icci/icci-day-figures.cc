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

/// Names of the kinds of area, by number.
constexpr std::array<const char*, AREAS> AREA_NAMES{"business", "residential", "other"};

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
        const double mean = GetMean();
        return n > 0 ? 1e4 * (squares / n - mean * mean) : mean;
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

/// Sums over a day.
struct IcciDay
{
    std::array<AreaSums, AREAS> areas; //!< by kind of area
    double blocks{0};                  //!< blocks of all centres
    double hot{0};                     //!< of these hotspots
    double lost{0};                    //!< background requests lost, CU s
    double used{0};                    //!< CU s in use
    double blocked{0};                 //!< tasks that were not deployed
    double deployed{0};                //!< tasks that were so far, less those that faults ended
    double hops{0};                    //!< of the last rings of deployed tasks
    double firstHops{0};               //!< of their first rings
    double taskDowntime{0};            //!< of deployed tasks, s
    double ahead{0};                   //!< sum of their GetAheadOfTime()
    double migrated{0};                //!< deployed tasks that have migrated
    double migratedAhead{0};           //!< sum of their GetAheadOfTime()
    double completed{0};               //!< migrations completed
    double refused{0};                 //!< migrations decided, but not completed
    double moves{0};                   //!< migrations completed that move a worker
    double downtime{0};                //!< of these, s
};

/// @param manager its day is over
/// @param [in,out] day gets the sums over blocks
void
AddBlocks(const IcciManager& manager, IcciDay& day)
{
    const IcciPool& pool = manager.GetPool();
    const auto areas = manager.GetAreas();
    for (uint32_t centre = 0; centre < areas.size(); ++centre)
    {
        AreaSums& area = day.areas[static_cast<std::size_t>(areas[centre])];
        for (std::size_t block = 0; block < pool.GetNBlocks(); ++block)
        {
            const double share = pool.GetBlockUse(centre, block) / pool.GetCapacity(centre);
            area.n += 1;
            area.use += share;
            area.squares += share * share;
            area.hot += pool.IsHotBlock(centre, block);
            day.used += pool.GetBlockUse(centre, block) * pool.GetRules().block;
        }
        day.lost += pool.GetLost(centre);
    }
    day.hot = day.areas[0].hot + day.areas[1].hot + day.areas[2].hot;
    day.blocks = day.areas[0].n + day.areas[1].n + day.areas[2].n;
}

/// @param manager its day is over
/// @param [in,out] day gets the sums over tasks
void
AddTasks(const IcciManager& manager, IcciDay& day)
{
    for (const auto& task : manager.GetTasks())
    {
        day.blocked += task.phase == IcciTaskState::BLOCKED;
        if (task.phase == IcciTaskState::BLOCKED || task.phase == IcciTaskState::LOST ||
            task.phase == IcciTaskState::TO_COME)
        {
            continue;
        }
        day.deployed += 1;
        day.hops += task.lastHops;
        day.firstHops += task.firstHops;
        day.taskDowntime += task.downtime;
        day.ahead += task.GetAheadOfTime();
        day.migrated += task.moves > 0;
        day.migratedAhead += task.moves > 0 ? task.GetAheadOfTime() : 0;
    }
    for (const auto& migration : manager.GetMigrations())
    {
        const bool complete = migration.phase == IcciMigrationRecord::COMPLETE;
        day.refused += !complete;
        day.completed += complete;
        if (complete && !migration.moves.empty())
        {
            day.moves += 1;
            day.downtime += migration.downtime;
        }
    }
}

/// A figure and how it follows from a day or from a migration. @tparam F the function
template <typename F>
struct IcciFigure
{
    FigureOfMerit figure;   //!< what it is
    std::function<F> get{}; //!< value
};

/// A figure of a day.
using IcciDayFigure = IcciFigure<FigureValue(const IcciManager&, const IcciDay&)>;
/// A figure of migrations in packets: the mean over a day's; NaN where it is not defined.
using IcciPacketFigure = IcciFigure<double(const IcciPacketMigration&)>;

/// @param list of figures
/// @return what they are
template <typename T>
std::vector<FigureOfMerit>
ListFigures(const std::vector<T>& list)
{
    std::vector<FigureOfMerit> figures;
    for (const auto& one : list)
    {
        figures.push_back(one.figure);
    }
    return figures;
}

/// @return the figures of a day
std::vector<IcciDayFigure>
ListDayFigures()
{
    using M = const IcciManager&;
    using D = const IcciDay&;
    using F = FigureOfMerit;
    std::vector<IcciDayFigure> list;
    const auto add = [&](const F& figure, auto get) { list.push_back({figure, get}); };
    const auto hide = [&](const std::string& name, const char* unit, double scale, auto get)
    { add({.name = name, .title = name, .unit = unit, .scale = scale, .shown = false}, get); };
    const auto areas = [&](const std::string& name, const char* unit, double scale, auto get)
    {
        for (std::size_t area = 0; area < AREAS; ++area)
        {
            hide(name + AREA_NAMES[area],
                 unit,
                 scale,
                 [=](M manager, D day) { return Defined(get(manager, day, area)); });
        }
    };
    add(F::Share("hot_share", "hotspots"), [](M, D d) { return MeanOf(d.hot, d.blocks); });
    add({.name = "hot_blocks",
         .title = "hot blocks",
         .shown = false,
         .compare = F::Compare::CHANGE,
         .per = "moved_workers"},
        [](M, D d) { return FigureValue{d.hot}; });
    areas("hot_", "", 1, [](M, D d, std::size_t area) { return d.areas[area].hot; });
    add({.name = "moved_workers", .title = "workers\nmoved", .unit = "a day"},
        [](M m, D) { return FigureValue{static_cast<double>(m.GetCounters().movedWorkers)}; });
    hide("migrations", "", 1, [](M, D d) { return FigureValue{d.completed}; });
    hide("refused", "", 1, [](M, D d) { return FigureValue{d.refused}; });
    areas("use_", "%", 100, [](M, D d, std::size_t area) { return d.areas[area].GetMean(); });
    areas("variance_", "", 1, [](M, D d, std::size_t area) { return d.areas[area].GetVariance(); });
    add({.name = "hops", .title = "hops", .unit = "of a ring"},
        [](M, D d) { return MeanOf(d.hops, d.deployed); });
    hide("first_hops", "", 1, [](M, D d) { return MeanOf(d.firstHops, d.deployed); });
    add(F::Share("bandwidth", "bandwidth"),
        [](M m, D) { return FigureValue{m.GetLightpaths().GetUse()}; });
    areas("bandwidth_",
          "%",
          100,
          [](M m, D, std::size_t area)
          { return m.GetLightpaths().GetUse(static_cast<OtnArea>(area)); });
    hide("downtime", "s", 1, [](M, D d) { return FigureValue{d.taskDowntime}; });
    add({.name = "migration_downtime", .title = "downtime", .unit = "s"},
        [](M, D d) { return MeanOf(d.downtime, d.moves); });
    add(F::Share("ahead_of_time", "ahead of time\n(all tasks)").Rising(),
        [](M, D d) { return MeanOf(d.ahead, d.deployed); });
    add(F::Share("migrated_ahead_of_time", "ahead of time\n(migrated)").Rising(),
        [](M, D d) { return MeanOf(d.migratedAhead, d.migrated); });
    add(F::Share("blocked", "blocked"),
        [](M, D d) { return FigureValue{d.blocked / std::max(1.0, d.deployed + d.blocked)}; });
    hide("lost", "%", 100, [](M, D d) { return MeanOf(d.lost, d.lost + d.used); });
    return list;
}

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
        const std::string column = OcsDropCauseColumn(static_cast<OcsDropCause>(i));
        add(column, "", "", [i](const Row& r) { return r.dropped.packets[i]; });
    }
    return figures;
}

} // namespace

std::vector<FigureOfMerit>
GetIcciDayFigures()
{
    return ListFigures(ListDayFigures());
}

std::vector<FigureValue>
MeasureIcciDay(const IcciManager& manager)
{
    IcciDay day;
    AddBlocks(manager, day);
    AddTasks(manager, day);
    std::vector<FigureValue> values;
    for (const auto& one : ListDayFigures())
    {
        values.push_back(one.get(manager, day));
    }
    return values;
}

std::vector<FigureOfMerit>
GetIcciPacketFigures()
{
    return ListFigures(ListPacketFigures());
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
