// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The network manager: grants, reconfigurations and pins, by hand and in long random sequences with
 * failures.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"

#include "ns3/odcn-md1k-queue.h"
#include "ns3/odcn-n-mgr.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr BitRate GBPS = 1'000'000'000;
constexpr BitRate UPLINK = 40 * GBPS;

using Grant = NMgr::Grant;

/**
 * @param racks |V|
 * @param ports P
 * @param nOcs |W|
 * @param sharing "Pooled" or "Pinned"
 * @param reconfigurable whether it may reconfigure
 * @return a network manager with nothing granted
 */
Ptr<NMgr>
Network(uint32_t racks,
        uint32_t ports,
        uint32_t nOcs = 1,
        const std::string& sharing = "Pooled",
        bool reconfigurable = true)
{
    auto network = CreateObject<NMgr>();
    network->SetAttribute("Racks", UintegerValue(racks));
    network->SetAttribute("PortsPerTor", UintegerValue(ports));
    network->SetAttribute("OcsCount", UintegerValue(nOcs));
    network->SetAttribute("Sharing", StringValue(sharing));
    network->SetAttribute("Reconfigurable", BooleanValue(reconfigurable));
    network->Reset();
    return network;
}

/// One demand between racks.
struct Want
{
    RackId from; //!< sending rack
    RackId to;   //!< receiving rack
    double gbps; //!< rate
};

/// @param network manager  @param wants demands  @param [out] granted the grant
/// @return outcome
Grant
Ask(NMgr& network, const std::vector<Want>& wants, std::vector<PairLoad>& granted)
{
    for (const auto& want : wants)
    {
        network.Stage(want.from, want.to, GbpsToBitRate(want.gbps));
    }
    return network.Commit(granted);
}

/// @param network manager  @param wants demands  @return outcome
Grant
Ask(NMgr& network, const std::vector<Want>& wants)
{
    std::vector<PairLoad> granted;
    return Ask(network, wants, granted);
}

/// An output port: rack and port.
using Port = std::pair<RackId, uint32_t>;
/// Input ports at which the circuits of all output ports end.
using Wiring = std::map<Port, OdcnCircuitLedger::End>;

/// @param circuits a ledger  @return all its circuits
Wiring
GetWiring(const OdcnCircuitLedger& circuits)
{
    Wiring wiring;
    for (RackId u = 0; u < circuits.GetNRacks(); ++u)
    {
        for (uint32_t p = 0; p < circuits.GetPorts(); ++p)
        {
            if (circuits.GetOut(u, p).rack != NO_RACK)
            {
                wiring[{u, p}] = circuits.GetOut(u, p);
            }
        }
    }
    return wiring;
}

/**
 * @param wiring circuits before  @param changes sent to the OCSs  @return circuits after;
 * fails if a change is void, duplicate or does not match the present circuits
 */
Wiring
ApplyChanges(Wiring wiring, const std::vector<OdcnCircuitChange>& changes)
{
    std::map<Port, int> told;
    for (const auto& change : changes)
    {
        const Port port{change.from, change.outPort};
        EXPECT_EQ(++told[port], 1) << "a port told twice";
        const auto old = wiring.find(port);
        EXPECT_EQ(change.oldTo, old == wiring.end() ? NO_RACK : old->second.rack);
        if (old != wiring.end())
        {
            EXPECT_EQ(change.oldInPort, old->second.port);
            EXPECT_FALSE(change.newTo == change.oldTo && change.newInPort == change.oldInPort);
            wiring.erase(old);
        }
        else
        {
            EXPECT_NE(change.newTo, NO_RACK) << "an idle port that stays idle";
        }
    }
    for (const auto& change : changes)
    {
        if (change.newTo != NO_RACK)
        {
            wiring[{change.from, change.outPort}] = {change.newTo, change.newInPort};
        }
    }
    return wiring;
}

/// Settings of a long random run.
struct Life
{
    const char* name;    //!< of the case
    const char* sharing; //!< "Pooled" or "Pinned"
    bool reconfigurable; //!< whether it may reconfigure
    bool failures;       //!< whether ports fail and are repaired
    double maxGbps;      //!< largest demand
    bool unequal{false}; //!< whether racks differ
};

using RandomLife = testing::TestWithParam<Life>;

/// Cases for "Pooled" and "Pinned".
using EachSharing = testing::TestWithParam<const char*>;

/// Grants, releases, failures and repairs on six racks, beside a list of what was granted.
class NetworkUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        GRANT,   //!< seed and number of the demands
        RELEASE, //!< which grant
        FAIL,    //!< rack, port, end
        REPAIR,  //!< rack, port, end
    };

    /// @param life settings
    explicit NetworkUnderTest(const Life& life)
        : m_life(life),
          m_network(Network(6, 7, 2, life.sharing, life.reconfigurable)),
          m_circuits(m_network->GetCircuits())
    {
        if (life.unequal)
        {
            Configure(m_network, "PortsByTor=7,4,6,3*5|PortRateByTor=2*100Gbps,3*40Gbps,25Gbps");
            m_network->Reset();
        }
        m_fresh = m_circuits;
        m_before = m_circuits;
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        m_before = m_circuits;
        if (operation.kind == GRANT)
        {
            return Ask(words[0], 1 + words[1] % 6);
        }
        if (operation.kind == RELEASE)
        {
            if (!m_active.empty())
            {
                std::swap(m_active[words[0] % m_active.size()], m_active.back());
                Release();
            }
            return Compare();
        }
        const RackId rack = words[0] % 6;
        const uint32_t port = words[1] % 7;
        const bool failed = operation.kind == FAIL;
        try
        {
            m_network->SetPortFailed(rack, port, words[2] % 2, failed);
            Note(failed ? "failed" : "repaired");
        }
        catch (const OdcnError&)
        {
            return port >= m_circuits.GetPorts(rack) ? "" : "a port that there is";
        }
        m_before = m_circuits;
        return port < m_circuits.GetPorts(rack) ? Compare() : "a port that there is not";
    }

    std::string Finish() override
    {
        while (!m_active.empty())
        {
            Release();
        }
        for (RackId rack = 0; rack < 6; ++rack)
        {
            for (uint32_t port = 0; port < m_circuits.GetPorts(rack); ++port)
            {
                m_network->SetPortFailed(rack, port, true, false);
                m_network->SetPortFailed(rack, port, false, false);
            }
        }
        m_before = m_circuits;
        const bool same = !m_life.reconfigurable;
        return same && !(m_circuits == m_fresh) ? "a release leaves a trace" : Compare();
    }

  private:
    /// Release the last grant.
    void Release()
    {
        m_network->Release(m_active.back());
        Count(m_active.back(), -1);
        m_active.pop_back();
    }

    /// @param loads granted or released  @param sign 1 or -1
    void Count(const std::vector<PairLoad>& loads, int sign)
    {
        for (const auto& load : loads)
        {
            m_used[load.from][load.to] += sign * load.rate;
            m_pinned[load.from][load.port] += sign * load.rate;
        }
    }

    /// @param seed of the demands  @param n their number  @return the broken invariant
    std::string Ask(uint32_t seed, uint32_t n)
    {
        std::minstd_rand random(seed);
        for (; n > 0; --n)
        {
            const RackId from = random() % 6;
            const RackId to = random() % 6;
            const double share = (1 + random() % 100) / 100.0;
            m_network->Stage(from, to, GbpsToBitRate(m_life.maxGbps * share));
        }
        std::vector<PairLoad> granted;
        const Grant grant = m_network->Commit(granted);
        if (grant == Grant::REFUSED)
        {
            Note("refused");
            return granted.empty() && m_circuits == m_before ? "" : "a refusal leaves a trace";
        }
        Count(granted, 1);
        for (const auto& load : granted)
        {
            BROKEN_IF(IsPinned() && m_circuits.GetOut(load.from, load.port).rack != load.to,
                      "a demand on a circuit of its pair");
        }
        m_active.push_back(std::move(granted));
        const auto wiring = GetWiring(m_before);
        if (grant == Grant::RECONFIGURED)
        {
            Note("reconfigured");
            BROKEN_IF(m_network->GetLastChanges().empty() ||
                          ApplyChanges(wiring, m_network->GetLastChanges()) !=
                              GetWiring(m_circuits),
                      "the changes that a reconfiguration tells");
        }
        else
        {
            Note("direct");
            BROKEN_IF(wiring != GetWiring(m_circuits), "a direct grant changes no circuit");
        }
        return Compare();
    }

    /// @return whether demands are pinned
    bool IsPinned() const
    {
        return m_network->GetSharing() == NMgr::PINNED;
    }

    /// @return the broken invariant
    std::string Compare() const
    {
        for (RackId u = 0; u < 6; ++u)
        {
            for (RackId v = 0; v < 6; ++v)
            {
                BROKEN_IF(m_circuits.GetUsed(u, v) != m_used[u][v], "bandwidth in use");
                // Circuits lost by failures stay lost, or come back; a grant removes no others.
                const BitRate least =
                    m_life.failures ? std::min<BitRate>(0, m_before.GetResidual(u, v)) : 0;
                BROKEN_IF(!(m_life.failures && IsPinned()) && m_circuits.GetResidual(u, v) < least,
                          "a pair beyond its capacity");
            }
            for (uint32_t p = 0; p < 7; ++p)
            {
                const auto& end = m_circuits.GetOut(u, p);
                BROKEN_IF(m_circuits.GetPinned(u, p) != (IsPinned() ? m_pinned[u][p] : 0),
                          "pinned bandwidth");
                BROKEN_IF(m_circuits.GetPinned(u, p) >
                              m_circuits.GetCircuitRate(u, end.rack == NO_RACK ? u : end.rack),
                          "a circuit beyond its rate");
                BROKEN_IF(IsPinned() && m_before.GetPinned(u, p) > 0 &&
                              m_circuits.GetPinned(u, p) > 0 && !(end == m_before.GetOut(u, p)),
                          "a circuit moved under a demand");
                BROKEN_IF(end.rack != NO_RACK &&
                              (m_circuits.GetOcs(p) != m_circuits.GetOcs(end.port) ||
                               m_circuits.IsFailed(u, p, true) ||
                               m_circuits.IsFailed(end.rack, end.port, false)),
                          "a circuit between two OCSs or over a failed port");
            }
        }
        return "";
    }

    Life m_life;                                      //!< settings
    Ptr<NMgr> m_network;                              //!< under test
    const OdcnCircuitLedger& m_circuits;              //!< its circuits
    OdcnCircuitLedger m_fresh;                        //!< as they began
    OdcnCircuitLedger m_before;                       //!< before the operation
    std::vector<std::vector<PairLoad>> m_active;      //!< what was granted
    std::array<std::array<BitRate, 6>, 6> m_used{};   //!< its sum by pair
    std::array<std::array<BitRate, 7>, 6> m_pinned{}; //!< its sum by output port
};

} // namespace

TEST_P(EachSharing, GrantsWhatFitsAndForgetsWhatIsReleased)
{
    auto network = Network(3, 2, 1, GetParam());
    const OdcnCircuitLedger fresh = network->GetCircuits();
    std::vector<PairLoad> first;
    std::vector<PairLoad> second;
    EXPECT_EQ(Ask(*network, {{0, 1, 25}, {1, 0, 40}, {2, 2, 99}}, first), Grant::DIRECT);
    EXPECT_EQ(first.size(), 2U) << "a rack needs no bandwidth to itself";
    EXPECT_EQ(network->GetCircuits().GetUsed(0, 1), 25 * GBPS);
    EXPECT_TRUE(network->Fits(0, 1, 15 * GBPS));
    EXPECT_FALSE(network->Fits(0, 1, 15 * GBPS + 1));
    EXPECT_EQ(Ask(*network, {{0, 1, 5}, {0, 1, 10}}, second), Grant::DIRECT);
    EXPECT_EQ(network->GetCircuits().GetResidual(0, 1), 0);
    EXPECT_FALSE(network->Fits(0, 1, 1));
    network->Release(first);
    EXPECT_EQ(network->GetCircuits().GetUsed(0, 1), 15 * GBPS);
    network->Release(second);
    EXPECT_EQ(network->GetCircuits(), fresh);
}

TEST_P(EachSharing, StagedDemandsAreSeenAndTakenBack)
{
    auto network = Network(3, 2, 1, GetParam());
    const OdcnCircuitLedger fresh = network->GetCircuits();
    network->Stage(0, 1, 30 * GBPS);
    EXPECT_FALSE(network->Fits(0, 1, 11 * GBPS));
    EXPECT_TRUE(network->Fits(0, 1, 10 * GBPS));
    network->Stage(0, 1, 30 * GBPS);
    EXPECT_EQ(network->GetCircuits().GetResidual(0, 1), -20 * GBPS);
    network->Unstage();
    EXPECT_EQ(network->GetCircuits(), fresh);
}

TEST_P(EachSharing, AFixedInterconnectRefusesWhatDoesNotFit)
{
    auto network = Network(3, 2, 1, GetParam(), false);
    ASSERT_EQ(Ask(*network, {{0, 1, 30}}), Grant::DIRECT);
    const OdcnCircuitLedger before = network->GetCircuits();
    std::vector<PairLoad> granted(1);
    EXPECT_EQ(Ask(*network, {{1, 2, 10}, {0, 1, 11}, {2, 0, 10}}, granted), Grant::REFUSED);
    EXPECT_EQ(network->GetCircuits(), before);
    EXPECT_TRUE(granted.empty());
}

TEST_P(EachSharing, JoinsTheEndsThatAReconfigurationFrees)
{
    auto network = Network(4, 3, 1, GetParam());
    // Only 0 -> 2 and 3 -> 1 can be removed: all others carry traffic.
    ASSERT_EQ(Ask(*network,
                  {{0, 1, 40},
                   {0, 3, 5},
                   {1, 0, 1},
                   {1, 2, 1},
                   {1, 3, 1},
                   {2, 0, 1},
                   {2, 1, 5},
                   {2, 3, 1},
                   {3, 0, 1},
                   {3, 2, 1}}),
              Grant::DIRECT);
    const auto before = GetWiring(network->GetCircuits());
    EXPECT_EQ(Ask(*network, {{0, 1, 20}}), Grant::RECONFIGURED);
    const auto& circuits = network->GetCircuits();
    EXPECT_EQ(circuits.GetCircuits(0, 1), 2U);
    EXPECT_EQ(circuits.GetCircuits(0, 2), 0U);
    EXPECT_EQ(circuits.GetCircuits(3, 1), 0U);
    EXPECT_EQ(circuits.GetCircuits(3, 2), 2U) << "the freed ends are joined";
    EXPECT_EQ(GetWiring(circuits).size(), before.size());
    EXPECT_EQ(network->GetLastChanges().size(), 2U);
    EXPECT_EQ(ApplyChanges(before, network->GetLastChanges()), GetWiring(circuits));
    // Both circuits of 3 -> 2 have room left, but neither may be removed: no more circuits.
    EXPECT_EQ(Ask(*network, {{0, 1, 21}}), Grant::REFUSED);
}

TEST(NetworkManager, EndsOfOneRackStayIdleAndAreUsedFirstLater)
{
    auto network = Network(3, 2);
    ASSERT_EQ(Ask(*network, {{0, 1, 60}}), Grant::RECONFIGURED);
    const auto& circuits = network->GetCircuits();
    EXPECT_EQ(circuits.GetCircuits(0, 1), 2U);
    EXPECT_EQ(circuits.GetCircuits(0, 2), 0U);
    EXPECT_EQ(circuits.GetCircuits(2, 1), 0U);
    EXPECT_EQ(GetWiring(circuits).size(), 5U) << "rack 2 has an idle port each way";
    EXPECT_EQ(network->GetLastChanges().size(), 2U);

    ASSERT_EQ(Ask(*network, {{2, 0, 50}}), Grant::RECONFIGURED);
    EXPECT_EQ(circuits.GetCircuits(2, 0), 2U);
    EXPECT_EQ(circuits.GetCircuits(1, 0), 0U);
    EXPECT_EQ(GetWiring(circuits).size(), 5U);
    EXPECT_EQ(network->GetLastChanges().size(), 2U)
        << "rack 2's idle output, and rack 1's that lost";
}

/// Of two circuits a pair. From 0, the pair to 3 is the least used; to 1, the one from 4.
const std::vector<Want>
    UNEVEN{{0, 1, 80}, {0, 2, 30}, {0, 3, 10}, {0, 4, 20}, {2, 1, 30}, {3, 1, 20}, {4, 1, 5}};

TEST(NetworkManager, MovesTheCircuitOfTheLeastUsedPair)
{
    auto network = Network(5, 8);
    ASSERT_EQ(Ask(*network, UNEVEN), Grant::DIRECT);
    ASSERT_EQ(Ask(*network, {{0, 1, 1}}), Grant::RECONFIGURED);
    const auto& circuits = network->GetCircuits();
    EXPECT_EQ(circuits.GetCircuits(0, 1), 3U);
    EXPECT_EQ(circuits.GetCircuits(0, 3), 1U);
    EXPECT_EQ(circuits.GetCircuits(4, 1), 1U);
    EXPECT_EQ(circuits.GetCircuits(4, 3), 3U);
}

TEST(NetworkManager, MovesACircuitOfThePairWithMostToSpareWhereTold)
{
    for (const bool spare : {false, true})
    {
        auto network = Network(5, 8);
        network->SetAttribute("Victim", StringValue(spare ? "MostSpare" : "LeastUsed"));
        ASSERT_EQ(Ask(*network, UNEVEN), Grant::DIRECT);
        ASSERT_EQ(Ask(*network, {{0, 1, 1}}), Grant::RECONFIGURED);
        ASSERT_EQ(network->GetCircuits().GetCircuits(4, 3), 3U);
        // 10 Gb/s a circuit and 60 spare, 15 and 75.
        ASSERT_EQ(Ask(*network, {{4, 2, 20}, {4, 3, 45}, {4, 0, 80}}), Grant::DIRECT);
        ASSERT_EQ(Ask(*network, {{4, 0, 1}}), Grant::RECONFIGURED);
        EXPECT_EQ(network->GetCircuits().GetCircuits(4, 2), spare ? 2U : 1U);
        EXPECT_EQ(network->GetCircuits().GetCircuits(4, 3), spare ? 2U : 3U);
    }
}

TEST(NetworkManager, PrefersAnIdlePortAndKeepsToItsOcs)
{
    for (const uint32_t port : {1U, 2U, 4U, 5U}) // rack 0's circuits to racks 2 and 3
    {
        auto network = Network(4, 6, 2);
        const auto& circuits = network->GetCircuits();
        const auto end = circuits.GetOut(0, port);
        ASSERT_NE(end.rack, 1U);
        ASSERT_EQ(Ask(*network, {{0, 1, 80}}), Grant::DIRECT);
        network->SetPortFailed(0, port, true, true);
        network->SetPortFailed(0, port, true, false);
        ASSERT_EQ(Ask(*network, {{0, 1, 1}}), Grant::RECONFIGURED);
        EXPECT_EQ(circuits.GetOut(0, port).rack, 1U);
        EXPECT_EQ(circuits.GetOcs(circuits.GetOut(0, port).port), circuits.GetOcs(port));
    }
}

TEST(NetworkManager, FindsNothingOnFailedPorts)
{
    // Ports 1 and 3, on one OCS, lead from rack 0 to rack 2; 0 and 2, on the other, to rack 1.
    auto network = Network(3, 4, 2);
    const auto& circuits = network->GetCircuits();
    ASSERT_EQ(circuits.GetOut(0, 1).rack, 2U);
    ASSERT_EQ(circuits.GetOut(0, 3).rack, 2U);
    network->SetPortFailed(0, 1, true, true);
    network->SetPortFailed(0, 3, true, true);
    const OdcnCircuitLedger before = circuits;
    EXPECT_EQ(Ask(*network, {{0, 2, 1}}), Grant::RECONFIGURED);
    EXPECT_EQ(circuits.GetCircuits(0, 1), 1U);
    EXPECT_EQ(circuits.GetCircuits(0, 2), 1U);
    EXPECT_EQ(Ask(*network, {{0, 1, 41}}), Grant::REFUSED);
}

TEST_P(EachSharing, MendsTheWorstDeficitFirst)
{
    auto network = Network(5, 8, 1, GetParam());
    // From 0, circuits to 3 are removed first, then those to 4: one each.
    ASSERT_EQ(Ask(*network, {{0, 1, 40}, {0, 1, 40}, {0, 2, 40}, {0, 2, 40}, {0, 3, 1}, {0, 4, 2}}),
              Grant::DIRECT);
    ASSERT_EQ(Ask(*network, {{0, 1, 10}, {0, 2, 30}}), Grant::RECONFIGURED);
    std::map<RackId, RackId> moved;
    for (const auto& change : network->GetLastChanges())
    {
        if (change.from == 0)
        {
            moved[change.oldTo] = change.newTo;
        }
    }
    EXPECT_EQ(moved, (std::map<RackId, RackId>{{3, 2}, {4, 1}}));
}

TEST_P(EachSharing, MendsAllDeficitsOrNone)
{
    auto network = Network(4, 3, 1, GetParam());
    // From 2 no circuit can be removed, from 0 one can.
    ASSERT_EQ(Ask(*network, {{2, 0, 40}, {2, 1, 1}, {2, 3, 1}}), Grant::DIRECT);
    const OdcnCircuitLedger before = network->GetCircuits();
    EXPECT_EQ(Ask(*network, {{0, 1, 30}, {0, 1, 30}, {2, 0, 1}}), Grant::REFUSED);
    EXPECT_EQ(network->GetCircuits(), before);
    EXPECT_EQ(Ask(*network, {{0, 1, 30}, {0, 1, 30}}), Grant::RECONFIGURED);
}

TEST(NetworkManager, OneDemandMayTakeSeveralCircuitsOnlyIfPooled)
{
    auto pooled = Network(5, 4);
    ASSERT_EQ(Ask(*pooled, {{0, 1, 150}}), Grant::RECONFIGURED);
    EXPECT_EQ(pooled->GetCircuits().GetCircuits(0, 1), 4U);

    auto pinned = Network(5, 4, 1, "Pinned");
    const OdcnCircuitLedger before = pinned->GetCircuits();
    EXPECT_EQ(Ask(*pinned, {{0, 1, 40.1}}), Grant::REFUSED);
    EXPECT_EQ(pinned->GetCircuits(), before);
}

TEST(NetworkManager, PinsToTheFullestCircuitThatTakesIt)
{
    auto network = Network(2, 3, 1, "Pinned", false);
    std::vector<PairLoad> granted;
    ASSERT_EQ(Ask(*network, {{0, 1, 25}, {0, 1, 30}, {0, 1, 10}, {0, 1, 15}}, granted),
              Grant::DIRECT);
    auto ports = ListOf<uint32_t>(granted, &PairLoad::port);
    // 30 opens a second circuit, 10 fills that one, 15 the first.
    EXPECT_EQ(ports, (std::vector<uint32_t>{0, 1, 1, 0}));
    EXPECT_EQ(network->GetCircuits().GetPinned(0, 0), UPLINK);
    EXPECT_EQ(network->GetCircuits().GetPinned(0, 1), UPLINK);
    // Of 40 Gb/s in the third, only a half can be used.
    EXPECT_EQ(Ask(*network, {{0, 1, 20.5}}), Grant::DIRECT);
    const OdcnCircuitLedger before = network->GetCircuits();
    EXPECT_EQ(Ask(*network, {{0, 1, 19.6}}), Grant::REFUSED);
    EXPECT_EQ(network->GetCircuits(), before);
}

TEST(NetworkManager, PinnedDemandsThatFitOnlyInSumGetACircuitMore)
{
    auto network = Network(4, 6, 1, "Pinned");
    ASSERT_EQ(Ask(*network, {{0, 1, 21}, {0, 1, 21}}), Grant::DIRECT);
    ASSERT_GE(network->GetCircuits().GetResidual(0, 1), 38 * GBPS);
    // Another pair is first in the job and has no deficit: it gets no circuit.
    EXPECT_EQ(Ask(*network, {{2, 3, 1}, {0, 1, 20}}), Grant::RECONFIGURED);
    EXPECT_EQ(network->GetCircuits().GetCircuits(0, 1), 3U);
    EXPECT_EQ(network->GetCircuits().GetCircuits(2, 3), 2U);
    // The new circuit has room for 20 more.
    EXPECT_EQ(Ask(*network, {{0, 1, 20}}), Grant::DIRECT);
}

TEST(NetworkManager, APortWhoseCircuitWasLostUnderItsPinsIsNotReused)
{
    auto network = Network(3, 2, 1, "Pinned");
    std::vector<PairLoad> granted;
    ASSERT_EQ(Ask(*network, {{0, 1, 10}}, granted), Grant::DIRECT);
    const uint32_t port = granted.front().port;
    const auto end = network->GetCircuits().GetOut(0, port);
    network->SetPortFailed(end.rack, end.port, false, true);
    const OdcnCircuitLedger before = network->GetCircuits();
    EXPECT_EQ(Ask(*network, {{0, 2, 30}, {0, 2, 30}}), Grant::REFUSED);
    EXPECT_EQ(network->GetCircuits(), before);
    network->Release(granted);
    EXPECT_EQ(Ask(*network, {{0, 2, 30}, {0, 2, 30}}), Grant::RECONFIGURED);
    EXPECT_EQ(network->GetCircuits().GetOut(0, port).rack, 2U);
}

TEST(NetworkManager, LatencyAndLossFollowTheQueueOfEachCircuit)
{
    auto network = Network(3, 4);
    const double ns = 59.2;
    EXPECT_DOUBLE_EQ(network->GetTransmissionNs(), ns);
    EXPECT_DOUBLE_EQ(network->GetMeanLatencyNs(), ns);
    EXPECT_EQ(network->GetMeanLoss(), 0);
    const auto mean = [](const std::vector<std::pair<double, double>>& gbpsAndRho, double& loss)
    {
        double sojourn = 0;
        double offered = 0;
        double lost = 0;
        for (const auto& [gbps, rho] : gbpsAndRho)
        {
            const Md1kQueue queue(16, rho);
            offered += gbps;
            lost += gbps * queue.GetLossProbability();
            sojourn += gbps * (1 - queue.GetLossProbability()) * queue.GetMeanSojourn();
        }
        loss = lost / offered;
        return sojourn / (offered - lost);
    };
    double loss = 0;
    ASSERT_EQ(Ask(*network, {{0, 1, 76}, {1, 2, 20}}), Grant::DIRECT);
    EXPECT_NEAR(network->GetMeanLatencyNs(), ns * mean({{76, 0.95}, {20, 0.25}}, loss), 0.02);
    EXPECT_NEAR(network->GetMeanLoss(), loss, 1e-4 * loss);

    auto pinned = Network(3, 4, 1, "Pinned");
    ASSERT_EQ(Ask(*pinned, {{0, 1, 38}, {0, 1, 10}}), Grant::DIRECT);
    EXPECT_NEAR(pinned->GetMeanLatencyNs(), ns * mean({{38, 0.95}, {10, 0.25}}, loss), 0.02);
    EXPECT_NEAR(pinned->GetMeanLoss(), loss, 1e-4 * loss);

    // A pair that has lost all its circuits loses all its packets.
    auto broken = Network(3, 2);
    ASSERT_EQ(Ask(*broken, {{0, 1, 30}, {2, 1, 10}}), Grant::DIRECT);
    for (uint32_t p = 0; p < 2; ++p)
    {
        broken->SetPortFailed(0, p, true, true);
    }
    EXPECT_NEAR(broken->GetMeanLoss(), 0.75, 1e-6);
    EXPECT_NEAR(broken->GetMeanLatencyNs(), ns * Md1kQueue(16, 0.25).GetMeanSojourn(), 0.01);
}

TEST(NetworkManager, RacksMayDifferInPortsAndRate)
{
    auto network = Network(3, 2);
    const OdcnCircuitLedger equal = network->GetCircuits();
    const double equalNs = network->GetTransmissionNs();
    Configure(network, "PortsByTor=3*2|PortRateByTor=3*40Gbps");
    network->Reset();
    EXPECT_EQ(network->GetCircuits(), equal);
    EXPECT_EQ(network->GetTransmissionNs(), equalNs);

    network->SetAttribute("PortRateByTor", StringValue("2*100Gbps,40Gbps"));
    network->Reset();
    // 296 bytes take 23.68 ns at 100 Gb/s and 59.2 ns at 40.
    EXPECT_DOUBLE_EQ(network->GetTransmissionNs(), 23.68);
    ASSERT_EQ(Ask(*network, {{0, 1, 95}, {1, 2, 10}}), Grant::DIRECT);
    EXPECT_EQ(Ask(*network, {{0, 2, 100}}), Grant::REFUSED)
        << "a circuit to rack 2 has 40 Gb/s, and the other port is in use";
    network->Reset();
    for (const char* sharing : {"Pooled", "Pinned"})
    {
        network->SetAttribute("Sharing", StringValue(sharing));
        network->Reset();
        ASSERT_EQ(Ask(*network, {{0, 1, 95}, {1, 2, 10}}), Grant::DIRECT);
        const Md1kQueue fast(16, 0.95);
        const Md1kQueue slow(16, 0.25);
        const double through = 95 * (1 - fast.GetLossProbability());
        const double ns = (through * fast.GetMeanSojourn() * 23.68 +
                           10 * (1 - slow.GetLossProbability()) * slow.GetMeanSojourn() * 59.2) /
                          (through + 10 * (1 - slow.GetLossProbability()));
        EXPECT_NEAR(network->GetMeanLatencyNs(), ns, 0.02);
        const auto bounds = network->GetMeanLatencyBoundsNs();
        EXPECT_LE(bounds.low, network->GetMeanLatencyNs());
        EXPECT_GE(bounds.high, network->GetMeanLatencyNs());
        EXPECT_NEAR(bounds.high, bounds.low, 1e-9);
    }
    const OdcnCircuitLedger before = network->GetCircuits();
    for (const auto& [name, text] :
         {std::pair("PortsByTor", "2*2"), std::pair("PortRateByTor", "4*40Gbps")})
    {
        auto other = network->Clone();
        other->SetAttribute(name, StringValue(text));
        EXPECT_THROW(other->Reset(), OdcnError) << "not of three racks";
        EXPECT_EQ(other->GetCircuits(), before);
    }
    EXPECT_THROW(network->SetAttribute("PortsByTor", StringValue("3*")), OdcnError);
    EXPECT_THROW(network->SetAttribute("PortRateByTor", StringValue("3*fast")), OdcnError);
    EXPECT_THROW(network->SetAttribute("PortRateByTor", StringValue("2*40Gbps,0bps")), OdcnError);
    EXPECT_EQ(SettingOf(network, "PortRateByTor"), "2*100Gbps,40Gbps");
}

TEST_P(EachSharing, AFixedInterconnectGetsItsCircuitsBackWithTheirPorts)
{
    auto network = Network(16, 15, 3, GetParam(), false);
    const OdcnCircuitLedger fresh = network->GetCircuits();
    const auto count = [&] { return GetWiring(network->GetCircuits()).size(); };
    ASSERT_EQ(count(), 240U);
    for (const bool output : {true, false})
    {
        for (RackId rack = 0; rack < 16; ++rack)
        {
            for (uint32_t port = 0; port < 15; ++port)
            {
                const auto lost = network->SetPortFailed(rack, port, output, true);
                EXPECT_EQ(lost.newTo, NO_RACK);
                EXPECT_EQ(count(), 239U);
                const auto back = network->SetPortFailed(rack, port, output, false);
                EXPECT_EQ(std::tuple(back.from, back.outPort, back.newTo, back.newInPort),
                          std::tuple(lost.from, lost.outPort, lost.oldTo, lost.oldInPort));
                EXPECT_EQ(back.oldTo, NO_RACK);
            }
        }
    }
    EXPECT_EQ(network->GetCircuits(), fresh);
    // One of two failed ends is not enough.
    const auto end = fresh.GetOut(3, 4);
    network->SetPortFailed(3, 4, true, true);
    network->SetPortFailed(end.rack, end.port, false, true);
    EXPECT_EQ(network->SetPortFailed(3, 4, true, false).from, NO_RACK);
    EXPECT_EQ(network->SetPortFailed(end.rack, end.port, false, false).from, 3U);
    EXPECT_EQ(network->SetPortFailed(3, 4, true, false).from, NO_RACK) << "it works already";
    EXPECT_EQ(network->GetCircuits(), fresh);
}

TEST(NetworkManager, ACloneGoesItsOwnWay)
{
    auto network = Network(4, 3, 1, "Pinned");
    ASSERT_EQ(Ask(*network, {{0, 1, 30}}), Grant::DIRECT);
    network->Stage(0, 1, 20 * GBPS);
    auto copy = network->Clone();
    EXPECT_EQ(copy->GetCircuits(), network->GetCircuits());
    const OdcnCircuitLedger before = network->GetCircuits();
    std::vector<PairLoad> granted;
    EXPECT_EQ(copy->Commit(granted), Grant::RECONFIGURED);
    EXPECT_EQ(network->GetCircuits(), before);
    EXPECT_EQ(network->Commit(granted), Grant::RECONFIGURED);
    EXPECT_EQ(network->GetCircuits(), copy->GetCircuits());
}

TEST(NetworkManager, RefusesBadSettings)
{
    auto network = CreateObject<NMgr>();
    network->SetAttribute("PortRate", DataRateValue(DataRate(0)));
    EXPECT_THROW(network->Reset(), OdcnError);
}

TEST_P(RandomLife, BreaksNoPromise)
{
    const Life& life = GetParam();
    const double failing = life.failures ? 1 : 0;
    // On average one in four ports is down.
    Property property{
        {{"GRANT", 50}, {"RELEASE", 50}, {"FAIL", 0.6 * failing}, {"REPAIR", 1.9 * failing}},
        [&life] { return std::make_unique<NetworkUnderTest>(life); },
        {"refused", "direct"}};
    property.cost = 5;
    property.Require("reconfigured", life.reconfigurable);
    property.Require("repaired", life.failures);
    EXPECT_EQ(CheckProperty(property).report, "");
}

INSTANTIATE_TEST_SUITE_P(NetworkManager, EachSharing, testing::Values("Pooled", "Pinned"));

INSTANTIATE_TEST_SUITE_P(NetworkManager,
                         RandomLife,
                         testing::Values(Life{"Pooled", "Pooled", true, false, 35},
                                         Life{"PooledFixed", "Pooled", false, false, 35},
                                         Life{"PooledFailing", "Pooled", true, true, 35},
                                         Life{"PooledLarge", "Pooled", true, false, 70},
                                         Life{"PooledUnequal", "Pooled", true, false, 35, true},
                                         Life{"PinnedUnequal", "Pinned", true, true, 35, true},
                                         Life{"Pinned", "Pinned", true, false, 35},
                                         Life{"PinnedFixed", "Pinned", false, false, 35},
                                         Life{"PooledFixedFailing", "Pooled", false, true, 35},
                                         Life{"PinnedFixedFailing", "Pinned", false, true, 30},
                                         Life{"PinnedFailing", "Pinned", true, true, 30}),
                         [](const auto& info) { return std::string(info.param.name); });
