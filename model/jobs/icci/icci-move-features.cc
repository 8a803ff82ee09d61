// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-move-features.h"

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

/// @param mesh the centres and their links  @return most wavelengths of a link
float
GetMostWavelengths(const OtnMesh& mesh)
{
    uint32_t most = 1;
    for (uint32_t link = 0; link < mesh.GetNLinks(); ++link)
    {
        most = std::max(most, mesh.GetLink(link).wavelengths);
    }
    return static_cast<float>(most);
}

} // namespace

std::vector<std::string>
IcciMoveFeatures::GetNames()
{
    return {"move",        "more",       "hot",       "soon",        "fuller", "emptier",
            "near",        "stays-hot",  "turns-hot", "use",         "room",   "crowd",
            "hot-workers", "cus",        "workers",   "time",        "late",   "life",
            "slot",        "moves-left", "hops",      "wavelengths", "scarce", "present"};
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
    const IcciTaskState& task = manager.GetTasks()[manager.GetQuestion().task];
    const double start = manager.GetStart(choice);
    const double end = std::max(start, std::min(task.end, IcciTide::DAY));
    Sums row{};
    row[HOT_WORKERS] = m_hotWorkers;
    row[WORKERS] = task.task.workers / 10.0;
    row[TIME] = start / IcciTide::DAY;
    row[LATE] = start * start / (IcciTide::DAY * IcciTide::DAY);
    row[LIFE] = (end - start) / IcciTide::DAY;
    row[SLOT] = choice.slot;
    if (choice.candidate == IcciChoice::PRESENT)
    {
        row[PRESENT] = 1;
    }
    else
    {
        LookAtMoves(manager, choice, start, end, row);
    }
    std::transform(row.begin(),
                   row.end(),
                   m_row.begin(),
                   [](double x) { return static_cast<float>(x); });
}

void
IcciMoveFeatures::LookAtMoves(const IcciManager& manager,
                              const IcciChoice& choice,
                              double start,
                              double end,
                              Sums& row)
{
    const IcciTaskState& task = manager.GetTasks()[manager.GetQuestion().task];
    const auto& moves = manager.GetQuestion().Get(choice).moves;
    const uint32_t most = manager.GetCusPerCentre();
    const int64_t size = task.demand.cus;
    row[ROOM] = 1;
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
            const double remains = count(left, with - size);
            const double becomes = count(reached, without + size);
            const double gain = count(left, with) - remains + count(reached, without) - becomes;
            row[HOT] += gain;
            row[SOON] += from < start + SOON_TIME ? gain : 0;
            row[STAYS_HOT] += remains;
            row[TURNS_HOT] += becomes;
            row[FULLER] += count(left, with + size) - count(left, with) +
                           count(reached, without + size) - count(reached, without + 2 * size);
            row[EMPTIER] += remains - count(left, with - 2 * size) +
                            count(reached, without - size) - count(reached, without);
            const double load = look(reached, without + size);
            row[NEAR] +=
                blocks * (GetNearness(look(left, with) / most) -
                          GetNearness(look(left, with - size) / most) +
                          GetNearness(look(reached, without) / most) - GetNearness(load / most));
            row[ROOM] = std::min(row[ROOM], (manager.GetHotLoad() - load) / most);
        }
        from = to;
    }
    const auto n = static_cast<double>(moves.size());
    for (const auto& move : moves)
    {
        row[CROWD] +=
            static_cast<double>(manager.GetSettled(move.first) - task.demand.cus) / (most * n);
    }
    for (const Feature hours : {HOT, FULLER, EMPTIER, NEAR, STAYS_HOT, TURNS_HOT})
    {
        row[hours] /= 10;
    }
    row[SOON] /= 3;
    row[MOVE] = 1;
    row[MORE] = n - 1;
    row[CUS] = n * task.demand.cus / most;
    row[MOVES_LEFT] = task.moves + 1 < manager.GetMaxMoves() ? 1 : 0;
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
    row[SCARCE] = 1 - static_cast<float>(manager.CountWavelengths(choice)) /
                          GetMostWavelengths(*manager.GetMesh());
}

} // namespace ns3::odcn
