// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Migrations that the job level decides and packets carry: one ledger, the same figures, and what
 * becomes of them when a fibre is cut on the way.
 */

#include "odcn-test-resolution.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/icci-manager.h"
#include "ns3/icci-packet-run.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/otn-mesh.h"
#include "ns3/test.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @return six centres in a circle with a task on 0, 1 and 5; 1 becomes a hotspot
Ptr<IcciManager>
MakeManager()
{
    std::vector<OtnSite> sites;
    std::vector<OtnLink> links;
    for (uint32_t i = 0; i < 6; ++i)
    {
        OtnSite site;
        site.id = std::to_string(i);
        sites.push_back(site);
        links.push_back({std::min(i, (i + 1) % 6), std::max(i, (i + 1) % 6), 10, 40});
    }
    auto manager = CreateObject<IcciManager>();
    manager->SetMesh(std::make_shared<const OtnMesh>(std::move(sites), std::move(links)));
    manager->SetTide(CreateObject<IcciTide>());
    manager->SetAttribute("Outlook", DoubleValue(0));
    manager->SetAttribute("Noise", DoubleValue(0));
    auto day = std::make_shared<IcciBackground>();
    day->step = 10;
    day->samples = 8640;
    day->milli.assign(6 * day->samples, 30000);
    std::fill_n(day->milli.begin() + day->samples + 1000, day->samples - 1000, 75000);
    // Three workers of 10 CUs, two wavelengths, 2 s an iteration: 1.4 s and 0.6 s.
    IcciTask task;
    task.arrival = 100;
    task.workers = 3;
    task.iterations = 20000;
    task.deadline = 40000;
    task.dataGb = 840;
    task.parameters = 90;
    task.accuracy = 0.2;
    manager->Reset({task}, day, 1);
    return manager;
}

/// Carry one migration, whatever comes of it.
class CarryTestCase : public TestCase
{
  public:
    /// What breaks, and what comes of it.
    enum Fate
    {
        WHOLE,    //!< nothing is cut
        RESTORED, //!< the lightpath is sent round the cut
        NO_WAY,   //!< there is no way round
        TIMEOUT,  //!< nobody looks for one
    };

    /// @param fate what breaks  @param name of the test
    CarryTestCase(Fate fate, const std::string& name)
        : TestCase(name),
          m_fate(fate)
    {
    }

  private:
    /// The wavelengths in use are those of the task and its migration. @param manager its
    void CheckLedger(const IcciManager& manager)
    {
        OtnWavelengthLedger ledger(manager.GetMesh());
        bool once = ledger.Take(manager.GetTasks()[0].lightpaths);
        const auto& record = manager.GetMigrations()[0];
        if (record.phase == IcciMigrationRecord::STARTED)
        {
            once = once && ledger.Take(record.lit.added) && ledger.Take(record.transfers);
        }
        NS_TEST_EXPECT_MSG_EQ(once, true, "no wavelength twice");
        NS_TEST_EXPECT_MSG_EQ((ledger == manager.GetWavelengths()), true, "one ledger");
    }

    void DoRun() override
    {
        auto manager = MakeManager();
        IcciPacketOptions options;
        options.cut = m_fate != WHOLE;
        IcciPacketRun run(manager, options);
        run.GetPlane().GetControl()->SetAttribute("Restoration", BooleanValue(m_fate != TIMEOUT));
        run.Carry(manager, 1);
        // The circle is open on the other side.
        constexpr uint32_t FAR_LINK = 3;
        const auto& network = run.GetPlane().GetNetwork();
        if (m_fate == NO_WAY)
        {
            network->CutLink(FAR_LINK);
        }

        NS_TEST_ASSERT_MSG_EQ(manager->Advance(), true, "a question");
        const auto before = manager->GetTasks()[0].ring;
        IcciChoice choice;
        choice.candidate = 0;
        choice.links = 2;
        choice.wider = true;
        const std::vector<uint32_t> ring = manager->GetQuestion().candidates[0].ring;
        NS_TEST_ASSERT_MSG_EQ(manager->Decide(choice), 0, "decided");
        network->RepairLink(FAR_LINK);
        CheckLedger(*manager);
        NS_TEST_EXPECT_MSG_EQ(run.GetRows().size(), 1, "carried");
        if (run.GetRows().size() != 1)
        {
            return;
        }
        const auto row = run.GetRows()[0];
        const bool done = m_fate == WHOLE || m_fate == RESTORED;
        NS_TEST_EXPECT_MSG_EQ(row.completed, done, "its fate");
        NS_TEST_EXPECT_MSG_EQ((row.rerouted > 0), (m_fate == RESTORED), "sent round");
        // 2 (N - 1) P / (N chi n): 4 / 3 x 90 / 200, and with a wavelength more / 300.
        NS_TEST_EXPECT_MSG_EQ_TOL(row.before.formula, 0.6, 1e-9, "Eq. 3");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.before.packets / 0.6, 1.005, 0.005, "in packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.after.formula, (done ? 0.4 : 0.6), 1e-9, "Eq. 3, after");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.after.packets / row.after.formula, 1.005, 0.005, "after");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.eq16, 3.65, 0.001, "Eq. 16: 720 Gb at 200 Gb/s, and t_GPU");
        CheckPackets(row, run.GetPlane());
        CheckTask(*manager, row, done ? ring : before);
    }

    /// @param row what was carried  @param plane what carried it
    void CheckPackets(const IcciPacketRun::Row& row, IcciPacketPlane& plane)
    {
        NS_TEST_EXPECT_MSG_EQ(plane.Count().GetMissing(), 0, "every packet is known of");
        NS_TEST_EXPECT_MSG_EQ(plane.Count().inFlight, 0, "none is on its way");
        NS_TEST_EXPECT_MSG_EQ((row.dropped.Total() > 0), (m_fate != WHOLE), "lost");
        NS_TEST_EXPECT_MSG_EQ(row.dropped.Total(),
                              row.dropped[OcsDropCause::FIBER_CUT] +
                                  row.dropped[OcsDropCause::DARK],
                              "in the cut, or before there was light again");
        NS_TEST_EXPECT_MSG_GT(row.sent, 1000, "real packets");
    }

    /// @param manager its  @param row what was carried  @param ring where it is now
    void CheckTask(IcciManager& manager,
                   const IcciPacketRun::Row& row,
                   const std::vector<uint32_t>& ring)
    {
        const double stood = row.downtime;
        switch (m_fate)
        {
        case WHOLE:
            NS_TEST_EXPECT_MSG_EQ_TOL(stood / row.eq16, 1.005, 0.005, "downtime");
            break;
        case RESTORED:
            // Detection, light, and TCP, which waits for its timer.
            NS_TEST_EXPECT_MSG_GT(stood, row.eq16 + 0.020, "longer");
            NS_TEST_EXPECT_MSG_LT(stood, row.eq16 + 0.100, "not much");
            break;
        case NO_WAY:
            NS_TEST_EXPECT_MSG_EQ_TOL(stood, 1.8 + 0.010, 0.001, "half the bytes, and detection");
            break;
        case TIMEOUT:
            NS_TEST_EXPECT_MSG_EQ_TOL(stood, 1.8 + 0.210, 0.005, "half the bytes, and patience");
            break;
        }
        while (manager.Advance())
        {
            manager.Decide({});
        }
        CheckLedger(manager);
        const IcciTaskState& task = manager.GetTasks()[0];
        const IcciCounters& counters = manager.GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.started, 1, "begun once");
        NS_TEST_EXPECT_MSG_EQ(counters.completed, (row.completed ? 1U : 0U), "done");
        NS_TEST_EXPECT_MSG_EQ(counters.aborted, (row.completed ? 0U : 1U), "or given up");
        NS_TEST_EXPECT_MSG_EQ(counters.movedWorkers, counters.completed, "a worker");
        NS_TEST_EXPECT_MSG_EQ(task.phase, IcciTaskState::ENDED, "it survives");
        NS_TEST_EXPECT_MSG_EQ((task.ring == ring), true, "where it should be");
        // The job level goes on with Eq. 16, or with what it was told.
        const double counted = m_fate == WHOLE ? row.eq16 : stood;
        NS_TEST_EXPECT_MSG_EQ_TOL(task.downtime, counted, 1e-9, "stood still once");
        const double left = 20000 - (row.start - 100) / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(task.end,
                                  row.start + counted + left * (row.completed ? 1.8 : 2),
                                  1e-6,
                                  "no iteration is lost or done twice");
    }

    Fate m_fate; //!< what breaks
};

/// What cannot be carried.
class RefusalTestCase : public TestCase
{
  public:
    RefusalTestCase()
        : TestCase("what packets cannot carry is refused")
    {
    }

  private:
    void DoRun() override
    {
        auto manager = MakeManager();
        manager->SetAttribute("BothWays", BooleanValue(false));
        bool refused = false;
        try
        {
            IcciPacketRun run(manager, {});
        }
        catch (const OdcnError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "lightpaths in one direction");
    }
};

/// Migrations of the job level in packets.
class IcciPacketRunTestSuite : public TestSuite
{
  public:
    IcciPacketRunTestSuite()
        : TestSuite("icci-packet-run", COMPAT_UNIT)
    {
        AddTestCase(new CarryTestCase(CarryTestCase::WHOLE, "a migration is carried"),
                    COMPAT_QUICK);
        AddTestCase(new CarryTestCase(CarryTestCase::RESTORED, "a cut on its way, restored"),
                    COMPAT_QUICK);
        AddTestCase(new CarryTestCase(CarryTestCase::NO_WAY, "a cut without a way round"),
                    COMPAT_QUICK);
        AddTestCase(new CarryTestCase(CarryTestCase::TIMEOUT, "a cut that nobody sees to"),
                    COMPAT_QUICK);
        AddTestCase(new RefusalTestCase, COMPAT_QUICK);
    }

  private:
    void DoSetup() override
    {
        UsePicoseconds();
    }
};

IcciPacketRunTestSuite g_icciPacketRunTestSuite;

} // namespace
