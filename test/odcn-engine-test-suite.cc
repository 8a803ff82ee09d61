// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * OdcnPacketFabric against ns-3: random scenarios, half of them with drawn packet sizes and bursts,
 * in which every packet must end at the same picosecond, for the same cause.
 */

#include "odcn-engine-scenario.h"
#include "odcn-test-laws.h"
#include "odcn-test-resolution.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <numeric>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// What may happen in a scenario.
enum class Disturbance
{
    NONE,     //!< nothing: circuits stand still
    DETOURS,  //!< packets without circuit make a detour
    FAILURES, //!< ports fail and are repaired
    MOVES,    //!< circuits are moved
    ALL       //!< everything
};

/// Draws scenarios.
class ScenarioMaker
{
  public:
    /// @param seed of the draws  @param kind what may happen
    ScenarioMaker(uint64_t seed, Disturbance kind)
        : m_random(seed),
          m_kind(kind)
    {
    }

    /// @return a scenario
    Scenario Make()
    {
        Scenario s;
        OdcnFabricModel& m = s.model;
        m.racks = 2 + Pick(7);
        m.serversPerRack = 1 + Pick(4);
        m.uplinks = 1 + Pick(8);
        m.switches = 1 + Pick(std::min(m.uplinks, 3U));
        // A thousand times faster, most packets meet another one in their time step.
        const int64_t haste = Chance(0.5) ? 1000 : 1;
        const BitRate rates[] = {10'000'000'000, 40'000'000'000, 100'000'000'000};
        m.uplinkRate = rates[Pick(3)] * haste;
        m.serverRate = Chance(0.3) ? m.uplinkRate : m.uplinkRate * (1 + Pick(10));
        m.uplinkQueue = 1 + Pick(16);
        m.serverQueue = Chance(0.5) ? 1000 : 1 + Pick(16);
        const int64_t delays[] = {0, 5000, 59200, 123457};
        m.uplinkDelay = delays[Pick(4)] / haste;
        m.serverDelay = delays[Pick(4)] / haste;
        m.spreading = static_cast<OdcnSpreading>(Pick(3));
        m.detour = m_kind == Disturbance::DETOURS || (m_kind == Disturbance::ALL && Chance(0.5));
        const int64_t dark[] = {0, 59200, 300000, 2000000};
        m.darkTime = dark[Pick(4)] / haste;
        m.deliverInFlight = Chance(0.5);
        const uint32_t sizes[] = {64, 296, 296, 296, 1500};
        const uint32_t common = Chance(0.5) ? sizes[Pick(5)] : 0;
        for (uint32_t i = 0; i < m.GetNServers(); ++i)
        {
            s.bytes.push_back(common ? common : sizes[Pick(5)]);
        }
        s.laws.resize(m.GetNServers());
        const double drawn = Chance(0.5) ? Uniform() : 0;
        for (uint32_t i = 0; i < m.GetNServers(); ++i)
        {
            if (Chance(drawn))
            {
                s.laws[i] = MakeLaw(m_random);
                s.bytes[i] = s.laws[i].sizes ? LAW_BYTES : s.bytes[i];
            }
        }
        m_circuits.assign(m.racks * m.uplinks, {NO_RACK, 0});
        s.preset = Circuits(m, m_kind == Disturbance::DETOURS ? 0.5 : 0.9);
        int64_t time = 1000 + Pick(1000000);
        for (uint32_t w = 0; w < 2; ++w)
        {
            s.windows.push_back(Window(s, time));
            // Whatever happens is over by then.
            time = s.windows.back().until + 100'000'000'000;
        }
        return s;
    }

  private:
    /// @param n how many  @return a number below n
    uint32_t Pick(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    /// @param p probability  @return true as often
    bool Chance(double p)
    {
        return Uniform() < p;
    }

    /// @return a number from 0 to 1
    double Uniform()
    {
        return static_cast<double>(m_random() >> 11) * 0x1p-53;
    }

    /**
     * @param m the fabric
     * @param share of the uplinks to be led anew
     * @return a batch that can be done
     */
    std::vector<OdcnCircuitChange> Circuits(const OdcnFabricModel& m, double share)
    {
        std::vector<OdcnCircuitChange> batch;
        for (uint32_t w = 0; w < m.switches; ++w)
        {
            std::vector<uint32_t> touched;
            std::vector<uint32_t> free;
            std::set<std::pair<RackId, uint32_t>> fed;
            for (uint32_t i = 0; i < m_circuits.size(); ++i)
            {
                if (i % m.uplinks % m.switches != w)
                {
                    continue;
                }
                if (Chance(share))
                {
                    touched.push_back(i);
                }
                else if (m_circuits[i].first != NO_RACK)
                {
                    fed.insert(m_circuits[i]);
                }
            }
            for (uint32_t i = 0; i < m_circuits.size(); ++i)
            {
                if (i % m.uplinks % m.switches == w && !fed.count({i / m.uplinks, i % m.uplinks}))
                {
                    free.push_back(i);
                }
            }
            std::shuffle(free.begin(), free.end(), m_random);
            for (std::size_t i = 0; i < touched.size(); ++i)
            {
                OdcnCircuitChange change;
                change.from = touched[i] / m.uplinks;
                change.outPort = touched[i] % m.uplinks;
                if (i < free.size() && free[i] / m.uplinks != change.from && !Chance(0.1))
                {
                    change.newTo = free[i] / m.uplinks;
                    change.newInPort = free[i] % m.uplinks;
                }
                m_circuits[touched[i]] = {change.newTo, change.newInPort};
                batch.push_back(change);
            }
        }
        return batch;
    }

    /// @param s the scenario so far  @param time when it opens  @return a window
    ScenarioWindow Window(const Scenario& s, int64_t time)
    {
        const OdcnFabricModel& m = s.model;
        ScenarioWindow window{time, 0, {}, {}};
        const uint32_t servers = m.GetNServers();
        const double load = 0.1 + 1.4 * Uniform();
        const double local = Uniform();
        const uint32_t n = servers * (1 + Pick(4));
        const auto perServer = static_cast<double>(
            std::min<BitRate>(m.serverRate, m.uplinkRate * m.uplinks / m.serversPerRack));
        double packets = 0;
        for (uint32_t f = 0; f < n; ++f)
        {
            const ServerId from = Pick(servers);
            ServerId to = Pick(servers);
            if (Chance(local))
            {
                to = from / m.serversPerRack * m.serversPerRack + Pick(m.serversPerRack);
            }
            if (from == to)
            {
                continue;
            }
            const double rate = 2 * Uniform() * load * perServer * servers / n + 1e6;
            window.flows.push_back({from, to, static_cast<BitRate>(rate)});
            packets += rate / (8 * s.bytes[from]);
        }
        // About 4000 packets.
        const double seconds = 4000 / std::max(packets, 1.0);
        window.until = time + static_cast<int64_t>(std::min(seconds, 1.0) * 1e12) + 1;
        if (m_kind != Disturbance::NONE && m_kind != Disturbance::DETOURS)
        {
            const uint32_t actions = 1 + Pick(30);
            for (uint32_t i = 0; i < actions; ++i)
            {
                window.actions.push_back(Action(m, time, window.until));
            }
            std::sort(window.actions.begin(),
                      window.actions.end(),
                      [](const auto& a, const auto& b) { return a.time < b.time; });
            for (auto& action : window.actions)
            {
                if (action.kind == OdcnFabricActionKind::APPLY)
                {
                    action.circuits = Circuits(m, 0.3);
                }
            }
        }
        return window;
    }

    /// @param m the fabric  @param from when at the earliest  @param until at the latest
    /// @return something that happens
    OdcnFabricAction Action(const OdcnFabricModel& m, int64_t from, int64_t until)
    {
        using Kind = OdcnFabricActionKind;
        OdcnFabricAction action;
        action.time = from + static_cast<int64_t>(Uniform() * static_cast<double>(until - from));
        const bool move =
            m_kind == Disturbance::MOVES || (m_kind == Disturbance::ALL && Chance(0.4));
        action.kind = move ? Kind::APPLY : static_cast<Kind>(Pick(10));
        const bool server =
            action.kind >= Kind::FAIL_SERVER && action.kind <= Kind::REPAIR_DOWNLINK;
        action.rack = Pick(m.racks);
        action.port = Pick(server ? m.serversPerRack : m.uplinks);
        return action;
    }

    std::mt19937_64 m_random;                            //!< draws
    Disturbance m_kind;                                  //!< what may happen
    std::vector<std::pair<RackId, uint32_t>> m_circuits; //!< where uplinks lead now
};

/// Many scenarios of a kind.
class ScenarioTestCase : public TestCase
{
  public:
    /// @param name of the case  @param kind what may happen  @param firstSeed of the scenarios
    ScenarioTestCase(const std::string& name, Disturbance kind, uint64_t firstSeed)
        : TestCase(name),
          m_kind(kind),
          m_firstSeed(firstSeed)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t SCENARIOS = 20;
        uint64_t packets = 0;
        OcsDropCounts lost;
        for (uint64_t seed = m_firstSeed; seed < m_firstSeed + SCENARIOS; ++seed)
        {
            RngSeedManager::SetRun(seed);
            const Scenario scenario = ScenarioMaker(seed, m_kind).Make();
            const auto expected = ScenarioNetwork(scenario).Run();
            const auto got = RunEngine(scenario);
            for (std::size_t w = 0; w < scenario.windows.size(); ++w)
            {
                NS_TEST_EXPECT_MSG_EQ(got[w].Compare(expected[w]),
                                      "",
                                      "scenario " << seed << " window " << w);
                packets += expected[w].all.size();
                for (const OdcnPacketFate& fate : expected[w].all)
                {
                    lost[fate.cause] += !fate.received;
                }
            }
        }
        RngSeedManager::SetRun(1);
        NS_TEST_EXPECT_MSG_GT(packets, 2000 * SCENARIOS, "packets compared");
        NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::QUEUE_OVERFLOW], 100, "full queues");
        NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::NO_CIRCUIT], 100, "packets without circuit");
        if (m_kind == Disturbance::FAILURES || m_kind == Disturbance::ALL)
        {
            NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::PORT_FAILED], 100, "failed ports");
        }
        if (m_kind == Disturbance::MOVES || m_kind == Disturbance::ALL)
        {
            NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::CUT], 5, "circuits torn");
            NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::DARK], 0, "dark circuits");
        }
        if (m_kind == Disturbance::MOVES)
        {
            NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::MISROUTED], 0, "wrong racks");
        }
    }

    Disturbance m_kind;   //!< what may happen
    uint64_t m_firstSeed; //!< of the scenarios
};

/// The suite.
class OdcnEngineTestSuite : public TestSuite
{
  public:
    OdcnEngineTestSuite()
        : TestSuite("odcn-engine", COMPAT_UNIT)
    {
        const auto add = [this](const char* name, Disturbance kind, uint64_t seed)
        { AddTestCase(new ScenarioTestCase(name, kind, seed), COMPAT_QUICK); };
        add("circuits stand still", Disturbance::NONE, 1);
        add("detours", Disturbance::DETOURS, 101);
        add("failures and repairs", Disturbance::FAILURES, 201);
        add("circuits move", Disturbance::MOVES, 301);
        add("everything at once", Disturbance::ALL, 401);
    }

  private:
    void DoSetup() override
    {
        UsePicoseconds();
    }
};

OdcnEngineTestSuite g_odcnEngineTestSuite; //!< registers itself

} // namespace
