// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The property tester finds errors that are planted in a ledger, and shrinks what shows them.
 */

#include "odcn-gtest-kit.h"
#include "odcn-property.h"

#include "ns3/odcn-compute-ledger.h"

#include <stdexcept>

using namespace ns3::odcn;

namespace
{

/// A planted error.
enum class Planted
{
    NONE,   //!< none
    LEAK,   //!< a release on a server that holds three VMs leaves 1 GB in use
    THROWS, //!< a release while exactly two VMs are held throws
};

/// Four servers with a planted error.
class FaultyServers : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        RESERVE, //!< server, cores
        RELEASE, //!< which of those held
    };

    /// @param planted the error
    explicit FaultyServers(Planted planted)
        : m_planted(planted)
    {
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const ServerId server = operation.words[0] % 4;
        const auto vm = OdcnResources::Of(1 + operation.words[1] % 8, 2, 0);
        if (operation.kind == RESERVE && vm.FitsIn(m_ledger.GetFree(server)))
        {
            m_ledger.Reserve(server, vm);
            m_held.emplace_back(server, vm);
            ++m_count[server];
            Note("reserved");
        }
        else if (operation.kind == RELEASE && !m_held.empty())
        {
            if (m_planted == Planted::THROWS && m_held.size() == 2)
            {
                throw std::runtime_error("two are held");
            }
            std::swap(m_held[operation.words[0] % m_held.size()], m_held.back());
            Release();
        }
        return "";
    }

    std::string Finish() override
    {
        while (!m_held.empty())
        {
            Release();
        }
        return m_ledger == EMPTY ? "" : "a release leaves a trace";
    }

  private:
    /// Release the last one of those held.
    void Release()
    {
        auto [server, vm] = m_held.back();
        m_held.pop_back();
        if (m_planted == Planted::LEAK && m_count[server] == 3)
        {
            vm.milli[1] /= 2;
        }
        --m_count[server];
        m_ledger.Release(server, vm);
    }

    /// Servers with nothing reserved.
    inline static const OdcnComputeLedger EMPTY{1,
                                                4,
                                                OdcnResources::Of(64, 1e6, 1),
                                                OdcnComputeLedger::BALANCED};
    Planted m_planted;                                      //!< the error
    OdcnComputeLedger m_ledger{EMPTY};                      //!< under test
    std::vector<std::pair<ServerId, OdcnResources>> m_held; //!< reservations
    std::array<uint32_t, 4> m_count{};                      //!< VMs of each server
};

/// @param planted an error  @return what is tested
Property
Faulty(Planted planted)
{
    Property property{{{"RESERVE", 2}, {"RELEASE", 1}},
                      [planted] { return std::make_unique<FaultyServers>(planted); },
                      {"reserved"}};
    property.length = 200;
    return property;
}

/// @param property what is tested  @param result of it
/// @return whether its sequence breaks an invariant and none does that lacks an operation of it
bool
IsMinimal(const Property& property, const PropertyResult& result)
{
    std::size_t done = 0;
    std::map<std::string_view, uint64_t> events;
    for (std::size_t i = 0; i < result.sequence.size(); ++i)
    {
        auto fewer = result.sequence;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (!RunProperty(property, fewer, done, events).empty())
        {
            return false;
        }
    }
    return RunProperty(property, result.sequence, done, events) == result.broken;
}

} // namespace

TEST(PropertyTest, FindsNothingWhereNothingIsWrong)
{
    EXPECT_EQ(CheckProperty(Faulty(Planted::NONE)).report, "");
}

TEST(PropertyTest, ShrinksALeakToThreeReservationsOnOneServer)
{
    const Property property = Faulty(Planted::LEAK);
    const PropertyResult result = CheckProperty(property);
    EXPECT_EQ(result.broken, "a release leaves a trace");
    EXPECT_TRUE(IsMinimal(property, result));
    ASSERT_EQ(result.sequence.size(), 3U) << result.report;
    for (const auto& operation : result.sequence)
    {
        EXPECT_EQ(operation.kind, uint32_t{FaultyServers::RESERVE});
        EXPECT_EQ(operation.words[0] % 4, result.sequence[0].words[0] % 4);
        EXPECT_EQ(operation.words[1], 0U) << "numbers that do not matter are 0";
    }
    EXPECT_TRUE(Has(result.report, "ODCN_SEED=" + std::to_string(result.seed)));
    EXPECT_TRUE(Has(result.report, "{RESERVE, {"));
}

TEST(PropertyTest, ShrinksAnExceptionToThreeOperations)
{
    const Property property = Faulty(Planted::THROWS);
    const PropertyResult result = CheckProperty(property);
    EXPECT_EQ(result.broken, "exception: two are held");
    EXPECT_TRUE(IsMinimal(property, result));
    ASSERT_EQ(result.sequence.size(), 3U) << result.report;
    EXPECT_EQ(result.sequence[0].kind, uint32_t{FaultyServers::RESERVE});
    EXPECT_EQ(result.sequence[1].kind, uint32_t{FaultyServers::RESERVE});
    EXPECT_EQ(result.sequence[2].kind, uint32_t{FaultyServers::RELEASE});
}

TEST(PropertyTest, MissesEventsThatNeverOccur)
{
    Property property = Faulty(Planted::NONE);
    property.events.emplace_back("refused");
    property.cost = 1000;
    EXPECT_EQ(CheckProperty(property).report, "never refused");
}
