// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The ledger of servers against a search of all servers, and undo: a release restores it
 * exactly.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"

#include "ns3/odcn-compute-ledger.h"

using namespace ns3::odcn;

namespace
{

using Placement = OdcnComputeLedger::Placement;

/// Names of the cases.
const std::map<Placement, std::string> NAMES{{Placement::BALANCED, "Balanced"},
                                             {Placement::BEST_FIT, "BestFit"},
                                             {Placement::FIRST_FIT, "FirstFit"}};

/// @param ledger servers  @return whether every sum is that of its servers
bool
SumsHold(const OdcnComputeLedger& ledger)
{
    OdcnResources allFree;
    for (RackId rack = 0; rack < ledger.GetNRacks(); ++rack)
    {
        OdcnResources free;
        for (uint32_t i = 0; i < ledger.GetServersPerRack(); ++i)
        {
            free += ledger.GetFree(rack * ledger.GetServersPerRack() + i);
        }
        if (!(free == ledger.GetRackFree(rack)))
        {
            return false;
        }
        allFree += free;
    }
    allFree += ledger.GetUsed();
    return allFree == ledger.GetCapacity();
}

/// Reservations on three racks, and a list of what is free that is searched as a whole.
class ServersUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        RESERVE, //!< rack, cores, memory, disk
        RELEASE, //!< which of those held
    };

    /// @param racks servers of each  @param placement strategy
    ServersUnderTest(const std::vector<uint32_t>& racks, Placement placement)
        : m_racks(racks),
          m_placement(placement),
          m_ledger(racks, OdcnResources::Of(96.5, 300, 50), placement)
    {
        m_ledger.CountSlots({m_slot});
        m_fresh = m_ledger;
        for (ServerId s = 0; s < m_ledger.GetNRacks() * m_ledger.GetServersPerRack(); ++s)
        {
            m_free.push_back(m_ledger.GetFree(s));
        }
        for (const uint32_t servers : racks)
        {
            m_slots.push_back(servers * 3);
        }
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        if (operation.kind == RELEASE)
        {
            if (m_held.empty())
            {
                return "";
            }
            std::swap(m_held[words[0] % m_held.size()], m_held.back());
            const auto [server, vm] = m_held.back();
            m_held.pop_back();
            m_ledger.Release(server, vm);
            return Change(server, vm, true);
        }
        const RackId rack = words[0] % 3;
        OdcnResources vm;
        // Whole cores half of the time, so that equals occur.
        vm.milli[0] =
            words[1] % 2 ? words[1] / 2 % 97 * OdcnResources::SCALE : words[1] / 2 % 96501;
        vm.milli[1] = words[2] % 100'000;
        vm.milli[2] = words[3] % 20'000;
        const ServerId server = m_ledger.Find(rack, vm);
        BROKEN_IF(server != LookAtAll(rack, vm), "another server than a search of all finds");
        if (server == NO_SERVER)
        {
            Note("refused");
            return "";
        }
        Note("reserved");
        m_ledger.Reserve(server, vm);
        m_held.emplace_back(server, vm);
        return Change(server, vm, false);
    }

    std::string Finish() override
    {
        BROKEN_IF(!SumsHold(m_ledger), "sums are not those of the servers");
        for (const auto& [server, vm] : m_held)
        {
            m_ledger.Release(server, vm);
        }
        return m_ledger == m_fresh ? "" : "a release leaves a trace";
    }

  private:
    /// @param rack index  @param vm demand  @return the server found by a search of the whole rack
    ServerId LookAtAll(RackId rack, const OdcnResources& vm) const
    {
        ServerId best = NO_SERVER;
        for (uint32_t i = 0; i < m_racks[rack]; ++i)
        {
            const ServerId s = rack * m_ledger.GetServersPerRack() + i;
            const auto cores = [this](ServerId x) { return m_free[x].milli[0]; };
            if (vm.FitsIn(m_free[s]) &&
                (best == NO_SERVER ||
                 (m_placement == Placement::BALANCED && cores(s) > cores(best)) ||
                 (m_placement == Placement::BEST_FIT && cores(s) < cores(best))))
            {
                best = s;
            }
        }
        return best;
    }

    /// Change the model and compare. @param server that changes  @param vm demand
    /// @param released whether it was released  @return the broken invariant
    std::string Change(ServerId server, const OdcnResources& vm, bool released)
    {
        const RackId rack = m_ledger.GetRack(server);
        OdcnResources& free = m_free[server];
        m_slots[rack] -= OdcnComputeLedger::SlotsIn(free, m_slot);
        released ? free += vm : free -= vm;
        m_slots[rack] += OdcnComputeLedger::SlotsIn(free, m_slot);
        released ? m_used -= vm : m_used += vm;
        BROKEN_IF(!(m_ledger.GetFree(server) == free), "free resources of a server");
        BROKEN_IF(m_ledger.GetSlots(rack, 0) != m_slots[rack], "slots of a rack");
        return m_ledger.GetUsed() == m_used ? "" : "resources in use";
    }

    const OdcnResources m_slot{OdcnResources::Of(32, 100, 10)}; //!< three to a server
    std::vector<uint32_t> m_racks;                              //!< servers of each
    Placement m_placement;                                      //!< strategy
    OdcnComputeLedger m_ledger;                                 //!< under test
    OdcnComputeLedger m_fresh;                                  //!< as it began
    std::vector<OdcnResources> m_free;                          //!< the model: of each server
    std::vector<uint32_t> m_slots;                              //!< of each rack
    OdcnResources m_used;                                       //!< of all racks
    std::vector<std::pair<ServerId, OdcnResources>> m_held;     //!< reservations
};

/// A rack of four servers of 8 cores, 100 GB and 100 GB.
class OneRack : public testing::TestWithParam<Placement>
{
  protected:
    OdcnComputeLedger m_ledger{1, 4, OdcnResources::Of(8, 100, 100), GetParam()}; //!< servers
};

} // namespace

TEST(ComputeLedger, StartsEmpty)
{
    const OdcnComputeLedger ledger(2, 3, OdcnResources::Of(32, 256, 3584), Placement::BALANCED);
    EXPECT_EQ(ledger.GetCapacity(), OdcnResources::Of(192, 1536, 21504));
    EXPECT_EQ(ledger.GetRackCapacity(0), OdcnResources::Of(96, 768, 10752));
    EXPECT_EQ(ledger.GetRackFree(1), ledger.GetRackCapacity(1));
    EXPECT_EQ(ledger.GetFree(5), ledger.GetServerCapacity());
    EXPECT_EQ(ledger.GetUsed(), OdcnResources());
    EXPECT_EQ(ledger.GetRack(2), 0U);
    EXPECT_EQ(ledger.GetRack(3), 1U);
}

TEST(ComputeLedger, RefusesSizesOutOfRange)
{
    // clang-format off
    const auto make = [](uint32_t racks, uint32_t servers, double cores, double memory) {
        OdcnComputeLedger(racks, servers, OdcnResources::Of(cores, memory, 0), Placement::BALANCED);
    };
    // clang-format on
    EXPECT_NO_THROW(make(1, 1, 1, 0));
    EXPECT_NO_THROW(make(1, 1, 65536, 1e9));
    EXPECT_THROW(make(0, 1, 1, 0), OdcnError);
    EXPECT_THROW(make(1, 0, 1, 0), OdcnError);
    EXPECT_THROW(make(1, 1, 0.999, 0), OdcnError);
    EXPECT_THROW(make(1, 1, 65536.001, 0), OdcnError);
    EXPECT_THROW(make(1, 1, 1, -0.001), OdcnError);
    EXPECT_THROW(make(65535, 65535, 1, 0), OdcnError) << "too many servers";
    EXPECT_THROW(make(1000, 1000, 1, 1e10), OdcnError) << "a sum beyond 64 bits";
}

TEST_P(OneRack, TakesTheLowestIndexAmongEquals)
{
    EXPECT_EQ(m_ledger.Find(0, OdcnResources::Of(2, 1, 1)), 0U);
}

TEST(ComputeLedger, BreaksTiesAsItIsTold)
{
    for (const auto placement : {Placement::BALANCED, Placement::BEST_FIT})
    {
        for (const double cores : {2.0, 2.5})
        {
            OdcnComputeLedger first(1, 3, OdcnResources::Of(8, 100, 100), placement);
            OdcnComputeLedger most(1,
                                   3,
                                   OdcnResources::Of(8, 100, 100),
                                   placement,
                                   OdcnComputeLedger::MOST_MEMORY);
            for (auto* ledger : {&first, &most})
            {
                ledger->Reserve(0, OdcnResources::Of(cores, 40, 0));
                ledger->Reserve(1, OdcnResources::Of(cores, 20, 0));
                ledger->Reserve(2, OdcnResources::Of(cores, 20, 0));
            }
            EXPECT_EQ(first.Find(0, OdcnResources::Of(1, 1, 1)), 0U);
            EXPECT_EQ(most.Find(0, OdcnResources::Of(1, 1, 1)), 1U) << "the first among equals";
        }
    }
}

TEST_P(OneRack, PicksByItsStrategy)
{
    // Free cores by server: 2, 5.5, 5.4, 5.5
    m_ledger.Reserve(0, OdcnResources::Of(6, 1, 1));
    m_ledger.Reserve(1, OdcnResources::Of(2.5, 1, 1));
    m_ledger.Reserve(2, OdcnResources::Of(2.6, 1, 1));
    m_ledger.Reserve(3, OdcnResources::Of(2.5, 1, 1));
    const std::map<Placement, std::vector<ServerId>> expected{
        // for 1, 3, 5.4, 5.5 and 5.501 cores
        {Placement::BALANCED, {1, 1, 1, 1, NO_SERVER}},
        {Placement::BEST_FIT, {0, 2, 2, 1, NO_SERVER}},
        {Placement::FIRST_FIT, {0, 1, 1, 1, NO_SERVER}}};
    std::vector<ServerId> found;
    for (double cores : {1.0, 3.0, 5.4, 5.5, 5.501})
    {
        found.push_back(m_ledger.Find(0, OdcnResources::Of(cores, 1, 1)));
    }
    EXPECT_EQ(found, expected.at(GetParam()));
}

TEST_P(OneRack, LooksAtMemoryAndDiskToo)
{
    m_ledger.Reserve(0, OdcnResources::Of(1, 95, 0));
    m_ledger.Reserve(1, OdcnResources::Of(1, 0, 95));
    m_ledger.Reserve(2, OdcnResources::Of(3, 0, 0));
    m_ledger.Reserve(3, OdcnResources::Of(2, 95, 95));
    EXPECT_EQ(m_ledger.Find(0, OdcnResources::Of(2, 10, 10)), 2U);
    EXPECT_EQ(m_ledger.Find(0, OdcnResources::Of(2, 101, 0)), NO_SERVER);
    // The rack has 210 GB of each left, but no server has.
    EXPECT_EQ(m_ledger.Find(0, OdcnResources::Of(6, 50, 50)), NO_SERVER);
}

TEST_P(OneRack, ACopyIsAWhatIf)
{
    const OdcnComputeLedger before = m_ledger;
    OdcnComputeLedger copy = m_ledger;
    copy.Reserve(2, OdcnResources::Of(0, 0, 0.001));
    EXPECT_FALSE(copy == m_ledger);
    EXPECT_EQ(m_ledger, before);
    copy.Release(2, OdcnResources::Of(0, 0, 0.001));
    EXPECT_EQ(copy, m_ledger);
}

TEST_P(OneRack, AgreesWithALookAtEveryServerAndForgetsWhatIsReleased)
{
    // Equal racks and others, of more servers than bits of a word; more cores than bits of a word,
    // and parts of cores.
    for (const auto& racks : {std::vector<uint32_t>{70, 70, 70}, std::vector<uint32_t>{70, 1, 129}})
    {
        Property property{{{"RESERVE", 0.7}, {"RELEASE", 0.3}},
                          [&racks]
                          { return std::make_unique<ServersUnderTest>(racks, GetParam()); },
                          {"reserved", "refused"}};
        property.length = 4000; // until the racks are full
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}

TEST(ComputeLedger, RacksMayDiffer)
{
    const OdcnResources server = OdcnResources::Of(8, 100, 100);
    OdcnComputeLedger ledger({1, 3, 2}, server, Placement::BALANCED);
    EXPECT_EQ(ledger.GetCapacity(), OdcnResources::Of(48, 600, 600));
    EXPECT_EQ(ledger.GetRackCapacity(0), server);
    EXPECT_EQ(ledger.GetRackCapacity(2), OdcnResources::Of(16, 200, 200));
    EXPECT_TRUE(SumsHold(ledger));
    ledger.CountSlots({OdcnResources::Of(3, 1, 1)});
    EXPECT_EQ(ledger.GetSlots(0, 0), 2U);
    EXPECT_EQ(ledger.GetSlots(1, 0), 6U);
    EXPECT_EQ(ledger.Find(2, server), 6U);
    ledger.Reserve(0, server);
    EXPECT_EQ(ledger.Find(0, OdcnResources::Of(1, 0, 0)), NO_SERVER);
    EXPECT_EQ(ledger.Find(1, server), 3U);
    EXPECT_EQ(OdcnComputeLedger({2, 2}, server, Placement::BEST_FIT),
              OdcnComputeLedger(2, 2, server, Placement::BEST_FIT));
    EXPECT_THROW(OdcnComputeLedger({2, 0}, server, Placement::BALANCED), OdcnError);
    EXPECT_THROW(OdcnComputeLedger(std::vector<uint32_t>(), server, Placement::BALANCED),
                 OdcnError);
}

TEST(ComputeLedger, CountsSlots)
{
    const OdcnResources server = OdcnResources::Of(32, 256, 3584);
    const std::vector<OdcnResources> kinds{OdcnResources::Of(16, 122, 3200),
                                           OdcnResources::Of(16, 32, 320)};
    OdcnComputeLedger ledger(2, 3, server, Placement::BALANCED);
    ledger.CountSlots(kinds);
    EXPECT_EQ(ledger.GetSlots(0, 0), 3U) << "disk for one of the first kind on each server";
    EXPECT_EQ(ledger.GetSlots(0, 1), 6U);
    const OdcnComputeLedger fresh = ledger;
    ledger.Reserve(3, kinds[0]);
    ledger.Reserve(4, OdcnResources::Of(4, 15, 80));
    EXPECT_EQ(ledger.GetSlots(1, 0), 2U);
    EXPECT_EQ(ledger.GetSlots(1, 1), 4U);
    EXPECT_EQ(ledger.GetSlots(0, 1), 6U);
    OdcnComputeLedger recount = ledger;
    recount.CountSlots(kinds);
    EXPECT_EQ(recount, ledger);
    ledger.Release(4, OdcnResources::Of(4, 15, 80));
    ledger.Release(3, kinds[0]);
    EXPECT_EQ(ledger, fresh);
    EXPECT_THROW(ledger.CountSlots({OdcnResources::Of(0.5, 1, 1)}), OdcnError);
}

INSTANTIATE_TEST_SUITE_P(ComputeLedger,
                         OneRack,
                         testing::Values(Placement::BALANCED,
                                         Placement::BEST_FIT,
                                         Placement::FIRST_FIT),
                         [](const auto& info) { return NAMES.at(info.param); });
