// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The circuit matrix over ports: its all-to-all start, its counters, and complete undo of
 * changes.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"

#include "ns3/odcn-circuit-ledger.h"

#include <tuple>

using namespace ns3::odcn;

namespace
{

constexpr BitRate B = 40'000'000'000;

/// @param ledger circuits  @return inconsistencies of its ports, empty if none
std::string
FindInconsistency(const OdcnCircuitLedger& ledger)
{
    const uint32_t n = ledger.GetNRacks();
    std::vector<uint32_t> e(static_cast<std::size_t>(n) * n, 0);
    for (RackId u = 0; u < n; ++u)
    {
        for (uint32_t p = ledger.GetPorts(u); p < ledger.GetPorts(); ++p)
        {
            BROKEN_IF(ledger.GetOut(u, p).rack != NO_RACK || ledger.GetIn(u, p).rack != NO_RACK ||
                          !ledger.IsFailed(u, p, true) || !ledger.IsFailed(u, p, false),
                      "a port that the rack lacks");
        }
    }
    for (RackId u = 0; u < n; ++u)
    {
        for (uint32_t p = 0; p < ledger.GetPorts(); ++p)
        {
            const auto& out = ledger.GetOut(u, p);
            if (out.rack != NO_RACK)
            {
                BROKEN_IF(out.rack == u || ledger.GetOcs(p) != ledger.GetOcs(out.port),
                          "a circuit to itself or between two OCSs");
                BROKEN_IF(ledger.IsFailed(u, p, true) || ledger.IsFailed(out.rack, out.port, false),
                          "a circuit over a failed port");
                BROKEN_IF(!(ledger.GetIn(out.rack, out.port) == OdcnCircuitLedger::End{u, p}),
                          "an output whose input knows another");
                ++e[u * n + out.rack];
            }
            const auto& in = ledger.GetIn(u, p);
            BROKEN_IF(in.rack != NO_RACK &&
                          !(ledger.GetOut(in.rack, in.port) == OdcnCircuitLedger::End{u, p}),
                      "an input whose output knows another");
        }
    }
    for (RackId u = 0; u < n; ++u)
    {
        for (RackId v = 0; v < n; ++v)
        {
            BROKEN_IF(ledger.GetCircuits(u, v) != e[u * n + v] ||
                          ledger.GetCapacity(u, v) != e[u * n + v] * ledger.GetCircuitRate(u, v) ||
                          ledger.GetResidual(u, v) !=
                              ledger.GetCapacity(u, v) - ledger.GetUsed(u, v),
                      "e_uv is not the number of circuits");
        }
    }
    return "";
}

/// @param ledger circuits  @param u rack  @return its bottleneck, by a search of all pairs
float
LeastFraction(const OdcnCircuitLedger& ledger, RackId u)
{
    float least = 1;
    for (RackId v = 0; v < ledger.GetNRacks(); ++v)
    {
        for (const auto& [from, to] : {std::pair(u, v), std::pair(v, u)})
        {
            if (ledger.GetCircuits(from, to) > 0)
            {
                least =
                    std::min(least,
                             static_cast<float>(static_cast<double>(ledger.GetResidual(from, to)) /
                                                static_cast<double>(ledger.GetCapacity(from, to))));
            }
        }
    }
    return least;
}

/// Changes of the circuits of six racks and of the traffic on them.
class CircuitsUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        ADD,        //!< from, to, rate
        REMOVE,     //!< which of those added
        DISCONNECT, //!< rack, port
        CONNECT,    //!< rack, port, rack, port
        FAIL,       //!< rack, port, end; repairs it if it has failed
    };

    /// @param fresh circuits to begin with
    explicit CircuitsUnderTest(const OdcnCircuitLedger& fresh)
        : m_fresh(fresh),
          m_ledger(fresh)
    {
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        const RackId u = words[0] % 6;
        const uint32_t p = words[1] % 7;
        switch (operation.kind)
        {
        case ADD:
            m_added.emplace_back(u, (u + 1 + words[1] % 5) % 6, 1 + words[2] % (B / 4));
            Change(m_added.back(), 1);
            Note("added");
            break;
        case REMOVE:
            if (!m_added.empty())
            {
                std::swap(m_added[words[0] % m_added.size()], m_added.back());
                Change(m_added.back(), -1);
                m_added.pop_back();
            }
            break;
        case DISCONNECT:
            if (m_ledger.GetOut(u, p).rack != NO_RACK)
            {
                m_ledger.Disconnect(u, p);
                Note("disconnected");
            }
            break;
        case CONNECT:
        {
            const RackId v = (u + 1 + words[2] % 5) % 6;
            const uint32_t q = (p + 3 * (words[3] % 3)) % 9;
            if (m_ledger.GetOut(u, p).rack == NO_RACK && !m_ledger.IsFailed(u, p, true) &&
                q < m_ledger.GetPorts(v) && m_ledger.GetIn(v, q).rack == NO_RACK &&
                !m_ledger.IsFailed(v, q, false))
            {
                m_ledger.Connect(u, p, v, q);
                Note("connected");
            }
            break;
        }
        default:
            if (p < m_ledger.GetPorts(u))
            {
                const bool failed = m_ledger.IsFailed(u, p, words[2] % 2);
                m_ledger.SetFailed(u, p, words[2] % 2, !failed);
                Note(failed ? "repaired" : "failed");
            }
        }
        // Not at every step for every rack, so that caches become stale in all ways.
        for (RackId r = words[3] % 12; r < 6; ++r)
        {
            BROKEN_IF(m_ledger.GetMinResidualFraction(r) != LeastFraction(m_ledger, r),
                      "the bottleneck of a rack");
        }
        for (RackId v = 0; v < 6; ++v)
        {
            BROKEN_IF(m_ledger.GetUsed(u, v) != m_used[u][v], "bandwidth in use");
        }
        return FindInconsistency(m_ledger);
    }

    std::string Finish() override
    {
        for (const auto& added : m_added)
        {
            Change(added, -1);
        }
        for (RackId u = 0; u < 6; ++u)
        {
            for (uint32_t p = 0; p < m_ledger.GetPorts(u); ++p)
            {
                m_ledger.SetFailed(u, p, true, false);
                m_ledger.SetFailed(u, p, false, false);
                if (m_ledger.GetOut(u, p).rack != NO_RACK)
                {
                    m_ledger.Disconnect(u, p);
                }
            }
        }
        for (RackId u = 0; u < 6; ++u)
        {
            for (uint32_t p = 0; p < 7; ++p)
            {
                const auto& end = m_fresh.GetOut(u, p);
                if (end.rack != NO_RACK)
                {
                    m_ledger.Connect(u, p, end.rack, end.port);
                }
            }
        }
        return m_ledger == m_fresh ? "" : "undone changes leave a trace";
    }

  private:
    /// From, to, and bandwidth.
    using Added = std::tuple<RackId, RackId, BitRate>;

    /// @param added traffic  @param sign 1 to add it, -1 to remove it
    void Change(const Added& added, int sign)
    {
        const auto& [from, to, rate] = added;
        m_ledger.Add(from, to, sign * rate);
        m_used[from][to] += sign * rate;
    }

    const OdcnCircuitLedger& m_fresh;               //!< as it began
    OdcnCircuitLedger m_ledger;                     //!< under test
    std::vector<Added> m_added;                     //!< traffic
    std::array<std::array<BitRate, 6>, 6> m_used{}; //!< bandwidth by pair
};

} // namespace

TEST(CircuitLedger, StartsAllToAll)
{
    for (uint32_t n : {2U, 3U, 16U, 64U})
    {
        for (uint32_t times : {1U, 2U})
        {
            const OdcnCircuitLedger ledger(n, times * (n - 1), 1, B);
            EXPECT_EQ(FindInconsistency(ledger), "");
            for (RackId u = 0; u < n; ++u)
            {
                for (RackId v = 0; v < n; ++v)
                {
                    ASSERT_EQ(ledger.GetCircuits(u, v), u == v ? 0 : times);
                }
                EXPECT_EQ(ledger.GetMinResidualFraction(u), 1.0F);
            }
        }
    }
}

TEST(CircuitLedger, UsesEveryPortWhateverTheNumbers)
{
    for (const auto& [n, ports, nOcs] : {std::tuple(5U, 3U, 3U),
                                         std::tuple(16U, 15U, 3U),
                                         std::tuple(4U, 7U, 2U),
                                         std::tuple(2U, 5U, 5U)})
    {
        const OdcnCircuitLedger ledger(n, ports, nOcs, B);
        EXPECT_EQ(FindInconsistency(ledger), "");
        EXPECT_EQ(ledger.GetNOcs(), nOcs);
        for (RackId u = 0; u < n; ++u)
        {
            for (uint32_t p = 0; p < ports; ++p)
            {
                EXPECT_NE(ledger.GetOut(u, p).rack, NO_RACK);
                EXPECT_NE(ledger.GetIn(u, p).rack, NO_RACK);
                EXPECT_EQ(ledger.GetOcs(p), p % nOcs);
            }
        }
    }
}

TEST(CircuitLedger, UnequalRacksUseTheirPorts)
{
    for (const auto& [ports, nOcs] :
         {std::pair(std::vector<uint32_t>{15, 15, 15, 15, 15, 15, 15, 15, 7, 7, 7, 7, 7, 7, 7, 7},
                    3U),
          std::pair(std::vector<uint32_t>{1, 2, 3, 4, 5}, 1U),
          std::pair(std::vector<uint32_t>{6, 2, 4, 1}, 4U),
          std::pair(std::vector<uint32_t>{9, 1, 1}, 2U)})
    {
        const auto n = static_cast<uint32_t>(ports.size());
        const OdcnCircuitLedger ledger(ports, nOcs, std::vector<BitRate>(n, B));
        EXPECT_EQ(FindInconsistency(ledger), "");
        // An output port is idle only if no other rack has an idle input port on its switch.
        for (RackId u = 0; u < n; ++u)
        {
            EXPECT_EQ(ledger.GetPorts(u), ports[u]);
            for (uint32_t p = 0; p < ports[u]; ++p)
            {
                for (RackId v = 0; v < n && ledger.GetOut(u, p).rack == NO_RACK; ++v)
                {
                    for (uint32_t q = p % nOcs; q < ports[v]; q += nOcs)
                    {
                        EXPECT_TRUE(u == v || ledger.GetIn(v, q).rack != NO_RACK)
                            << u << " " << p << " " << v << " " << q;
                    }
                }
            }
        }
    }
    // By hand: ports 0 reach the next rack, port 1 of rack 1 reaches rack 0. Rack 2 has no port 1
    // for port 1 of rack 0, which is joined to the idle one of rack 1.
    const OdcnCircuitLedger ledger({2, 2, 1}, 1, {B, 3 * B, 2 * B});
    EXPECT_EQ(ledger.GetCircuits(0, 1), 2U);
    EXPECT_EQ(ledger.GetCircuits(1, 2), 1U);
    EXPECT_EQ(ledger.GetCircuits(2, 0), 1U);
    EXPECT_EQ(ledger.GetCircuits(1, 0), 1U);
    EXPECT_EQ(ledger.GetCapacity(0, 1), 2 * B) << "the rate of rack 0, below that of rack 1";
    EXPECT_EQ(ledger.GetCapacity(1, 2), 2 * B);
    EXPECT_EQ(ledger.GetCircuitRate(2, 0), B);
    EXPECT_EQ(ledger.GetPortRate(), 3 * B);
    EXPECT_EQ(ledger.GetSlowness(1, 2), 1.5);
    EXPECT_EQ(OdcnCircuitLedger({3, 3}, 2, {B, B}), OdcnCircuitLedger(2, 3, 2, B));
    EXPECT_THROW(OdcnCircuitLedger({3, 0}, 1, {B, B}), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger({3, 3}, 1, {B}), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger({3, 3}, 1, {B, 0}), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger({3, 2}, 4, {B, B}), OdcnError);
}

TEST(CircuitLedger, MeanLoadIsThatOfTheRacksPorts)
{
    OdcnCircuitLedger ledger({2, 1}, 1, {B, B});
    ledger.Add(0, 1, B / 2);
    EXPECT_EQ(ledger.GetMeanLoad(0), 0.125F);
    EXPECT_EQ(ledger.GetMeanLoad(1), 0.25F);
}

TEST(CircuitLedger, OneRackNeedsNoPorts)
{
    const OdcnCircuitLedger ledger(1, 0, 1, B);
    EXPECT_EQ(ledger.GetCircuits(0, 0), 0U);
    EXPECT_EQ(ledger.GetMinResidualFraction(0), 1.0F);
}

TEST(CircuitLedger, RefusesSizesOutOfRange)
{
    EXPECT_THROW(OdcnCircuitLedger(0, 1, 1, B), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger(2, 0, 1, B), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger(2, 3, 0, B), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger(2, 3, 4, B), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger(2, 3, 1, 0), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger(2, 3, 1, -B), OdcnError);
    EXPECT_THROW(OdcnCircuitLedger(2, 3, 1, INT64_MAX / 5), OdcnError) << "a sum beyond 64 bits";
    EXPECT_NO_THROW(OdcnCircuitLedger(2, 3, 1, INT64_MAX / 6));
}

TEST(CircuitLedger, SharesOfAPairAreThoseOfItsCircuits)
{
    OdcnCircuitLedger ledger(3, 4, 2, B);
    EXPECT_EQ(ledger.GetCapacity(0, 1), 2 * B);
    ledger.Add(0, 1, B / 2);
    EXPECT_EQ(ledger.GetUsed(0, 1), B / 2);
    EXPECT_EQ(ledger.GetResidual(0, 1), 2 * B - B / 2);
    EXPECT_EQ(ledger.GetResidual(1, 0), 2 * B);
    EXPECT_EQ(ledger.GetMinResidualFraction(0), 0.75F);
    EXPECT_EQ(ledger.GetMinResidualFraction(1), 0.75F);
    EXPECT_EQ(ledger.GetMinResidualFraction(2), 1.0F);
    ledger.Add(2, 1, 3 * B);
    EXPECT_EQ(ledger.GetResidual(2, 1), -B) << "staged demands may exceed the capacity";
    EXPECT_EQ(ledger.GetMinResidualFraction(1), -0.5F);
    ledger.Add(2, 1, -3 * B);
    EXPECT_EQ(ledger.GetMinResidualFraction(1), 0.75F);
}

TEST(CircuitLedger, AFailedPortLosesItsCircuit)
{
    OdcnCircuitLedger ledger(3, 2, 1, B);
    const OdcnCircuitLedger fresh = ledger;
    const auto end = ledger.GetOut(0, 1); // to rack 2

    const auto lost = ledger.SetFailed(2, end.port, false, true);
    EXPECT_EQ(lost.from, 0U);
    EXPECT_EQ(lost.outPort, 1U);
    EXPECT_EQ(lost.oldTo, 2U);
    EXPECT_EQ(lost.oldInPort, end.port);
    EXPECT_EQ(lost.newTo, NO_RACK);
    EXPECT_EQ(ledger.GetCircuits(0, 2), 0U);
    EXPECT_TRUE(ledger.IsFailed(2, end.port, false));
    EXPECT_FALSE(ledger.IsFailed(2, end.port, true));
    EXPECT_EQ(FindInconsistency(ledger), "");

    const auto nothing = ledger.SetFailed(0, 1, true, true);
    EXPECT_EQ(nothing.from, NO_RACK) << "the port was idle already";

    ledger.SetFailed(0, 1, true, false);
    ledger.SetFailed(2, end.port, false, false);
    EXPECT_EQ(ledger.GetOut(0, 1).rack, NO_RACK) << "a repaired port is idle";
    EXPECT_FALSE(ledger == fresh);
    ledger.Connect(0, 1, 2, end.port);
    EXPECT_EQ(ledger, fresh);

    const auto first = ledger.GetOut(1, 0);
    const auto output = ledger.SetFailed(1, 0, true, true);
    EXPECT_EQ(output.from, 1U);
    EXPECT_EQ(output.outPort, 0U);
    EXPECT_EQ(output.oldTo, first.rack);
    EXPECT_EQ(output.oldInPort, first.port);
}

TEST(CircuitLedger, RandomChangesKeepItsCountsAndUndoingThemLeavesNoTrace)
{
    for (const OdcnCircuitLedger& fresh :
         {OdcnCircuitLedger(6, 7, 3, B),
          OdcnCircuitLedger({7, 2, 5, 6, 1, 4}, 3, {B, B, 2 * B, B / 4, B, B})})
    {
        const Property property{
            {{"ADD", 30}, {"REMOVE", 30}, {"DISCONNECT", 15}, {"CONNECT", 20}, {"FAIL", 5}},
            [&fresh] { return std::make_unique<CircuitsUnderTest>(fresh); },
            {"added", "disconnected", "connected", "failed", "repaired"}};
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}
