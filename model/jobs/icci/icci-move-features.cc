// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-move-features.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

namespace
{

constexpr double HOUR = 3600;

/// Duration of SOON, s.
constexpr double SOON_TIME = 3 * HOUR;

/// @param load share of a centre's CUs in use  @return nearness to a hotspot, 0 to 1
double
GetNearness(double load)
{
    return std::clamp((load - 0.7) / 0.2, 0.0, 1.0);
}

} // namespace

const char*
IcciMoveFeatures::GetName(uint32_t feature)
{
    static const std::array<const char*, COUNT> NAMES{
        "move",        "more",       "hot",       "soon",        "fuller", "emptier",
        "near",        "stays-hot",  "turns-hot", "use",         "room",   "crowd",
        "hot-workers", "cus",        "workers",   "time",        "late",   "life",
        "slot",        "moves-left", "hops",      "wavelengths", "scarce", "present"};
    NS_ASSERT_MSG(feature < COUNT, "no such feature");
    return NAMES[feature];
}

void
IcciMoveFeatures::Begin(const IcciManager& manager)
{
    const auto& ring = manager.GetTasks()[manager.GetQuestion().task].ring;
    const auto hot = std::count_if(ring.begin(),
                                   ring.end(),
                                   [&](uint32_t centre) { return manager.IsHot(centre); });
    m_hotWorkers = static_cast<float>(hot) / static_cast<float>(ring.size());
    m_seen = {};
}

void
IcciMoveFeatures::Look(const IcciManager& manager, const IcciChoice& choice)
{
    m_seen = choice;
    m_row = {};
    const IcciQuestion& question = manager.GetQuestion();
    const IcciTaskState& task = manager.GetTasks()[question.task];
    const double start = manager.GetStart(choice);
    const double end = std::max(start, std::min(task.end, IcciTide::DAY));
    const uint32_t most = manager.GetCusPerCentre();
    const uint32_t cus = task.demand.cus;
    const auto put = [&](Feature feature, double value)
    { m_row[feature] = static_cast<float>(value); };
    put(HOT_WORKERS, m_hotWorkers);
    put(WORKERS, task.task.workers / 10.0);
    put(TIME, start / IcciTide::DAY);
    put(LATE, start * start / (IcciTide::DAY * IcciTide::DAY));
    put(LIFE, (end - start) / IcciTide::DAY);
    put(SLOT, choice.slot);
    if (choice.candidate == IcciChoice::PRESENT)
    {
        put(PRESENT, 1);
        return;
    }
    const auto& moves = question.candidates[choice.candidate].moves;
    double hot = 0;
    double soon = 0;
    double fuller = 0;
    double emptier = 0;
    double near = 0;
    double stays = 0;
    double turns = 0;
    double room = 1;
    double crowd = 0;
    for (double from = start; from < end;)
    {
        const double to = std::min(end, (std::floor(from / HOUR) + 1) * HOUR);
        const double blocks = (to - from) / HOUR;
        const auto look = [&](uint32_t centre, int64_t held)
        {
            const auto bound = static_cast<uint32_t>(std::clamp<int64_t>(held, 0, most));
            return manager.GetForeseenLoad(centre, bound, from);
        };
        const auto count = [&](uint32_t centre, int64_t held)
        { return look(centre, held) >= manager.GetHotLoad() ? blocks : 0; };
        for (const auto& [left, reached] : moves)
        {
            const int64_t with = manager.GetSettled(left);
            const int64_t without = manager.GetSettled(reached);
            const int64_t size = cus;
            const double remains = count(left, with - size);
            const double becomes = count(reached, without + size);
            const double gain = count(left, with) - remains + count(reached, without) - becomes;
            hot += gain;
            soon += from < start + SOON_TIME ? gain : 0;
            stays += remains;
            turns += becomes;
            fuller += count(left, with + size) - count(left, with) +
                      count(reached, without + size) - count(reached, without + 2 * size);
            emptier += remains - count(left, with - 2 * size) + count(reached, without - size) -
                       count(reached, without);
            const double load = look(reached, without + size);
            near +=
                blocks * (GetNearness(look(left, with) / most) -
                          GetNearness(look(left, with - size) / most) +
                          GetNearness(look(reached, without) / most) - GetNearness(load / most));
            room = std::min(room, (manager.GetHotLoad() - load) / most);
        }
        from = to;
    }
    for (const auto& move : moves)
    {
        crowd += static_cast<double>(manager.GetSettled(move.first) - cus) /
                 (most * static_cast<double>(moves.size()));
    }
    put(MOVE, 1);
    put(MORE, static_cast<double>(moves.size()) - 1);
    put(HOT, hot / 10);
    put(SOON, soon / 3);
    put(FULLER, fuller / 10);
    put(EMPTIER, emptier / 10);
    put(NEAR, near / 10);
    put(STAYS_HOT, stays / 10);
    put(TURNS_HOT, turns / 10);
    put(ROOM, room);
    put(CROWD, crowd);
    put(CUS, static_cast<double>(moves.size()) * cus / most);
    put(MOVES_LEFT, task.moves + 1 < manager.GetMaxMoves() ? 1 : 0);
}

void
IcciMoveFeatures::Describe(const IcciManager& manager, const IcciChoice& choice, Row& row)
{
    if (choice.candidate != m_seen.candidate || choice.slot != m_seen.slot)
    {
        Look(manager, choice);
    }
    row = m_row;
    const IcciGain gain = manager.GetGain(choice);
    row[USE] = static_cast<float>(gain.use);
    row[HOPS] = static_cast<float>(gain.hops / 10);
    row[WAVELENGTHS] = static_cast<float>(-gain.wavelengths / 4);
    row[SCARCE] = 1 - static_cast<float>(manager.CountWavelengths(choice)) / 40;
}

} // namespace ns3::odcn
