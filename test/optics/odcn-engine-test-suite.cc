// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * PacketFabric against ns-3 on 100 random scenarios of all arrival laws, half of them with
 * random packet sizes and bursts: every packet must end at the same picosecond, for the same cause,
 * up to the first tie that matters.
 */

#include "../core/odcn-test-case.h"
#include "odcn-engine-scenario.h"
#include "odcn-test-laws.h"

#include "ns3/rng-seed-manager.h"

#include <optional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Generates random scenarios.
class ScenarioMaker
{
  public:
    /// @param seed of the random numbers  @param arrivals of servers; none for a mix of all
    /// @param trace name of a file for TRACE
    ScenarioMaker(uint64_t seed,
                  std::optional<PacketLaw::Arrivals> arrivals,
                  const std::string& trace)
        : m_random(seed),
          m_arrivals(arrivals),
          m_trace(trace)
    {
    }

    /// @return a scenario
    Scenario Make()
    {
        Scenario s;
        FabricModel& m = s.model;
        m.racks = 2 + Pick(7);
        m.serversPerRack = 1 + Pick(4);
        m.uplinks = 1 + Pick(8);
        m.switches = 1 + Pick(std::min(m.uplinks, 3U));
        const BitRate rates[] = {10'000'000'000, 40'000'000'000, 100'000'000'000};
        m.uplinkRate = rates[Pick(3)];
        m.serverRate = m.uplinkRate * (1 + Pick(10));
        if (Chance(0.9))
        {
            // Otherwise the transmissions of a full queue would often end together with others.
            m.serverRate += 1 + Pick(1'000'000'000);
        }
        m.uplinkQueue = 1 + Pick(16);
        m.serverQueue = Chance(0.5) ? 1000 : 1 + Pick(16);
        const int64_t delays[] = {0, 5000, 59200, 123457};
        m.uplinkDelay = delays[Pick(4)];
        m.serverDelay = delays[Pick(4)];
        m.spreading = static_cast<Spreading>(Pick(3));
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
            SetArrivals(s.laws[i]);
        }
        s.trace = m_trace;
        m_circuits.assign(m.racks * m.uplinks, {NO_RACK, 0});
        s.preset = Circuits(m, 0.9);
        int64_t time = 1000 + Pick(1000000);
        const uint32_t empty = Pick(6); // a window without traffic, if below 3
        for (uint32_t w = 0; w < 3; ++w)
        {
            s.windows.push_back(w == empty ? ScenarioWindow{time, time + 1'000'000, {}}
                                           : Window(s, time));
            // The network is empty by then.
            time = s.windows.back().until + 100'000'000'000;
        }
        return s;
    }

  private:
    /// @param [in,out] law receives arrivals
    void SetArrivals(PacketLaw& law)
    {
        const PacketLaw::Arrivals all[] = {PacketLaw::POISSON,
                                           PacketLaw::DETERMINISTIC,
                                           PacketLaw::ON_OFF,
                                           PacketLaw::TRACE};
        law.arrivals = m_arrivals ? *m_arrivals : all[Pick(4)];
        law.onTime = 100'000 * (1 + Pick(20));
        law.offTime = 100'000 * (1 + Pick(20));
        if (law.arrivals == PacketLaw::TRACE)
        {
            law.sizes = nullptr;
            law.bursts = nullptr;
            law.trace = PacketTrace::Read(m_trace);
        }
    }

    /// @param n number of values  @return a number below n
    uint32_t Pick(uint32_t n)
    {
        return static_cast<uint32_t>(m_random() % n);
    }

    /// @param p probability  @return true with this probability
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
     * @param share of the uplinks to be reconnected
     * @return a valid batch
     */
    std::vector<OdcnCircuitChange> Circuits(const FabricModel& m, double share)
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

    /// @param s the scenario so far  @param time of its opening  @return a window
    ScenarioWindow Window(const Scenario& s, int64_t time)
    {
        const FabricModel& m = s.model;
        ScenarioWindow window{time, 0, {}};
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
        return window;
    }

    std::mt19937_64 m_random;                            //!< random numbers
    std::optional<PacketLaw::Arrivals> m_arrivals;       //!< of servers
    std::string m_trace;                                 //!< name of a file
    std::vector<std::pair<RackId, uint32_t>> m_circuits; //!< circuits of the uplinks
};

/// Many scenarios of an arrival law.
class ScenarioTestCase : public TestCase
{
  public:
    /// @param name of the case  @param arrivals of servers; none for a mix of all
    /// @param firstSeed of the scenarios
    ScenarioTestCase(const std::string& name,
                     std::optional<PacketLaw::Arrivals> arrivals,
                     uint64_t firstSeed)
        : TestCase(name),
          m_arrivals(arrivals),
          m_firstSeed(firstSeed)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t SCENARIOS = 25;
        const std::string trace = CreateTempDirFilename("packets.csv");
        std::ofstream(trace) << "time,bytes\n0,64\n1.5,1500\n2,296\n2.25,296\n7,700\n7.125,64\n";
        uint64_t packets = 0;
        uint64_t untied = 0;
        uint64_t empty = 0;
        OcsDropCounts lost;
        for (uint64_t seed = m_firstSeed; seed < m_firstSeed + SCENARIOS; ++seed)
        {
            RngSeedManager::SetRun(seed);
            const Scenario scenario = ScenarioMaker(seed, m_arrivals, trace).Make();
            const auto expected = ScenarioNetwork(scenario).Run();
            const auto got = RunEngine(scenario);
            for (std::size_t w = 0; w < scenario.windows.size(); ++w)
            {
                NS_TEST_EXPECT_MSG_EQ(got[w].Compare(expected[w]),
                                      "",
                                      "scenario " << seed << " window " << w);
                packets += expected[w].all.size();
                empty += expected[w].all.empty();
                for (const PacketFate& fate : expected[w].all)
                {
                    untied += fate.ended < got[w].firstTie;
                    lost[fate.cause] += !fate.received;
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(packets, 2000 * SCENARIOS, "packets compared");
        NS_TEST_EXPECT_MSG_GT(untied, packets - packets / 5, "packets before the first tie");
        NS_TEST_EXPECT_MSG_GT(empty, 5, "empty windows");
        NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::QUEUE_OVERFLOW], 100, "full queues");
        NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::NO_CIRCUIT], 100, "packets without circuit");
    }

    std::optional<PacketLaw::Arrivals> m_arrivals; //!< of servers
    uint64_t m_firstSeed;                          //!< of the scenarios
};

/// The suite.
PicosecondSuite g_odcnEngineTestSuite("odcn-engine",
                                      [](const CaseSuite::Add& add)
                                      {
                                          const auto addScenario =
                                              [&](const char* name, auto arrivals, uint64_t seed)
                                          { add(new ScenarioTestCase(name, arrivals, seed)); };
                                          addScenario("Poisson", PacketLaw::POISSON, 1);
                                          addScenario("deterministic",
                                                      PacketLaw::DETERMINISTIC,
                                                      101);
                                          addScenario("on-off", PacketLaw::ON_OFF, 201);
                                          addScenario("mixed with traces", std::nullopt, 301);
                                      });

} // namespace
