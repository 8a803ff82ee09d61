// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TEST_SYSTEM_H
#define ICCI_TEST_SYSTEM_H

/**
 * @file
 * Small meshes of centres, days and answers, for the tests of the layers from control to helper.
 */

#include "ns3/icci-helper.h"
#include "ns3/icci-migration.h"
#include "ns3/otn-mesh.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

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
 * @param n number of centres in a ring, 10 km apart, with different areas
 * @return their mesh
 */
inline std::shared_ptr<const OtnMesh>
MakeCircle(uint32_t n)
{
    std::vector<OtnSite> sites(n);
    std::vector<OtnLink> links;
    for (uint32_t i = 0; i < n; ++i)
    {
        sites[i].id = std::to_string(i);
        sites[i].name = sites[i].id;
        links.push_back({std::min(i, (i + 1) % n), std::max(i, (i + 1) % n), 10, 40});
    }
    return std::make_shared<const OtnMesh>(std::move(sites), std::move(links));
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
inline void
CheckLedgers(const IcciManager& manager)
{
    const OtnMesh& mesh = *manager.GetMesh();
    std::vector<uint32_t> held(mesh.GetNSites(), 0);
    OtnWavelengthLedger ledger(manager.GetMesh());
    uint64_t phases[5] = {};
    for (std::size_t i = 0; i < manager.GetTasks().size(); ++i)
    {
        const IcciTaskState& task = manager.GetTasks()[i];
        ++phases[task.phase];
        if (task.phase != IcciTaskState::RUNNING && task.phase != IcciTaskState::MIGRATING)
        {
            EXPECT_TRUE(task.lightpaths.empty());
            continue;
        }
        EXPECT_EQ(task.ring.size(), task.task.workers);
        EXPECT_EQ(task.ring.front(), task.task.source);
        EXPECT_EQ(task.lightpaths.size(), task.ring.size());
        for (const uint32_t centre : task.ring)
        {
            held[centre] += task.demand.cus;
        }
        EXPECT_TRUE(ledger.Take(task.lightpaths)) << "a wavelength twice";
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
            EXPECT_TRUE(ledger.Take(record.lit.added)) << "a wavelength twice";
            EXPECT_TRUE(ledger.Take(record.transfers)) << "a wavelength twice";
        }
    }
    EXPECT_TRUE(ledger == manager.GetWavelengths());
    for (uint32_t centre = 0; centre < held.size(); ++centre)
    {
        EXPECT_EQ(held[centre], manager.GetPool().GetHeld(centre));
        EXPECT_LE(held[centre], manager.GetPool().GetCapacity(centre));
    }
    EXPECT_EQ(counters.arrived,
              phases[IcciTaskState::RUNNING] + phases[IcciTaskState::MIGRATING] +
                  phases[IcciTaskState::ENDED] + phases[IcciTaskState::BLOCKED]);
    EXPECT_EQ(counters.ended, phases[IcciTaskState::ENDED]);
    EXPECT_EQ(counters.blockedCus + counters.blockedWavelengths, phases[IcciTaskState::BLOCKED]);
    EXPECT_EQ(counters.planned, manager.GetMigrations().size());
    EXPECT_EQ(counters.planned,
              counters.started + counters.refusedCus + counters.refusedWavelengths +
                  counters.overtaken + planned);
    EXPECT_EQ(counters.started, counters.completed + counters.aborted + underWay);
    EXPECT_EQ(underWay, phases[IcciTaskState::MIGRATING]);
}

} // namespace ns3::odcn

#endif /* ICCI_TEST_SYSTEM_H */
