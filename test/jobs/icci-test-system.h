// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TEST_SYSTEM_H
#define ICCI_TEST_SYSTEM_H

/**
 * @file
 * Small meshes of centres, days and answers, for the tests of the layers from control to helper.
 */

#include "../core/odcn-gtest-kit.h"
#include "../optics/otn-test-ring.h"

#include "ns3/icci-helper.h"
#include "ns3/icci-migration.h"

namespace ns3::odcn
{

/// @return the synthetic mesh of the Bay Area
inline std::shared_ptr<const OtnMesh>
MakeBayMesh()
{
    static const auto MESH = OtnMesh::Read(ODCN_DATA_DIR "/sf-bay-22-38.json");
    return MESH;
}

/**
 * @param asked CUs that the tide demands in each centre, all day
 * @return the day
 */
inline std::shared_ptr<const IcciBackground>
MakeFlatDay(const std::vector<double>& asked)
{
    auto day = std::make_shared<IcciBackground>();
    day->step = 10;
    day->samples = 8640;
    for (const double cus : asked)
    {
        day->milli.insert(day->milli.end(), day->samples, static_cast<int32_t>(1000 * cus));
    }
    return day;
}

/// Wavelengths and CUs in use are those of the tasks, and the counters balance.
/// @param manager of a day  @return the broken invariant; empty if all hold
inline std::string
FindBrokenInvariant(const IcciManager& manager)
{
    const OtnMesh& mesh = *manager.GetMesh();
    std::vector<uint32_t> held(mesh.GetNSites(), 0);
    OtnWavelengthLedger ledger(manager.GetMesh());
    uint64_t phases[6] = {};
    for (const IcciTaskState& task : manager.GetTasks())
    {
        ++phases[task.phase];
        if (task.phase != IcciTaskState::RUNNING && task.phase != IcciTaskState::MIGRATING)
        {
            BROKEN_IF(!task.lightpaths.empty(), "lightpaths of a task that does not run");
            continue;
        }
        BROKEN_IF(task.ring.size() != task.task.workers || task.ring.front() != task.task.source ||
                      task.lightpaths.size() != task.ring.size(),
                  "the ring of a task");
        for (const uint32_t centre : task.ring)
        {
            held[centre] += task.demand.cus;
        }
        BROKEN_IF(!ledger.Take(task.lightpaths), "a wavelength twice");
    }
    const IcciCounters& counters = manager.GetCounters();
    uint64_t underWay = 0;
    uint64_t planned = 0;
    for (const auto& record : manager.GetMigrations())
    {
        planned += record.phase == IcciMigrationRecord::PLANNED;
        if (record.phase == IcciMigrationRecord::STARTED)
        {
            ++underWay;
            for (const auto& move : record.moves)
            {
                held[move.second] += manager.GetTasks()[record.task].demand.cus;
            }
            BROKEN_IF(!ledger.Take(record.lit.added) || !ledger.Take(record.transfers),
                      "a wavelength of a migration twice");
        }
    }
    for (uint32_t link = 0; link < mesh.GetNLinks(); ++link)
    {
        const bool cut = manager.GetWavelengths().IsCut(link);
        BROKEN_IF(cut && (ledger.GetUsed(2 * link) > 0 || ledger.GetUsed(2 * link + 1) > 0),
                  "a lightpath over a link that has failed");
        ledger.SetCut(link, cut);
    }
    BROKEN_IF(!(ledger == manager.GetWavelengths()), "wavelengths in use are those of the tasks");
    for (uint32_t centre = 0; centre < held.size(); ++centre)
    {
        BROKEN_IF(held[centre] != manager.GetPool().GetHeld(centre) ||
                      held[centre] > manager.GetPool().GetCapacity(centre),
                  "CUs held are those of the tasks");
    }
    BROKEN_IF(
        counters.arrived != phases[IcciTaskState::RUNNING] + phases[IcciTaskState::MIGRATING] +
                                phases[IcciTaskState::ENDED] + phases[IcciTaskState::BLOCKED] +
                                phases[IcciTaskState::LOST] ||
            counters.interrupted != phases[IcciTaskState::LOST] ||
            counters.ended != phases[IcciTaskState::ENDED] ||
            counters.blockedCus + counters.blockedWavelengths != phases[IcciTaskState::BLOCKED],
        "arrived = running + migrating + ended + interrupted + blocked by cause");
    BROKEN_IF(counters.planned != manager.GetMigrations().size() ||
                  counters.planned != counters.started + counters.refusedCus +
                                          counters.refusedWavelengths + counters.overtaken +
                                          planned,
              "planned = started + refused by cause + overtaken");
    return counters.started == counters.completed + counters.aborted + underWay &&
                   underWay == phases[IcciTaskState::MIGRATING]
               ? ""
               : "started = completed + aborted + under way";
}

/// @param manager of a day, all of whose invariants must hold
inline void
CheckLedgers(const IcciManager& manager)
{
    EXPECT_EQ(FindBrokenInvariant(manager), "");
}

} // namespace ns3::odcn

#endif /* ICCI_TEST_SYSTEM_H */
