// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * OdcnPacketFabric by itself: its two engines against each other on more packets than ns-3 could
 * check, errors, and what goes on from run to run. That ns-3 finds the same is the matter of
 * test/odcn-engine-test-suite.cc.
 */

#include "../odcn-test-laws.h"

#include "ns3/odcn-arrival-bank.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-packet-tallies.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Fates as tuples that can be compared.
class Fates : public OdcnPacketSink
{
  public:
    /// flow, sequence, sent, ended, received, cause
    using Fate = std::tuple<uint32_t, uint32_t, int64_t, int64_t, bool, OcsDropCause>;

    /// @param threads how many may call
    explicit Fates(uint32_t threads = 1)
        : m_all(threads)
    {
    }

    void Take(uint32_t worker, std::span<const OdcnPacketFate> fates) override
    {
        for (const OdcnPacketFate& f : fates)
        {
            const OcsDropCause cause = f.received ? OcsDropCause::MISROUTED : f.cause;
            m_all.at(worker).emplace_back(f.flow, f.sequence, f.sent, f.ended, f.received, cause);
        }
    }

    /// @return all, by flow and sequence number
    std::vector<Fate> Sorted() const
    {
        std::vector<Fate> all;
        for (const auto& part : m_all)
        {
            all.insert(all.end(), part.begin(), part.end());
        }
        std::sort(all.begin(), all.end());
        return all;
    }

  private:
    std::vector<std::vector<Fate>> m_all; //!< by worker
};

/// A fabric whose racks are joined all to all, and its flows.
struct Centre
{
    OdcnFabricModel model;             //!< the fabric
    std::vector<OdcnServerLaw> laws;   //!< of servers
    std::vector<OdcnPacketFlow> flows; //!< who sends
    int64_t length{0};                 //!< of a run, ps

    /// @return where uplinks lead
    std::vector<OdcnCircuitChange> Circuits() const
    {
        std::vector<OdcnCircuitChange> circuits;
        for (RackId u = 0; u < model.racks; ++u)
        {
            for (uint32_t p = 0; p < model.uplinks; ++p)
            {
                OdcnCircuitChange c;
                c.from = u;
                c.outPort = p;
                c.newTo = (u + 1 + p % (model.racks - 1)) % model.racks;
                c.newInPort = p;
                circuits.push_back(c);
            }
        }
        return circuits;
    }

    /**
     * @param eventByEvent which engine
     * @param threads how many
     * @return fates of two runs
     */
    std::vector<Fates::Fate> Run(bool eventByEvent, uint32_t threads) const
    {
        Fates fates(threads);
        Run(eventByEvent, threads, fates);
        return fates.Sorted();
    }

    /// Two runs. @param eventByEvent which engine  @param threads how many  @param sink is told
    void Run(bool eventByEvent, uint32_t threads, OdcnPacketSink& sink) const
    {
        OdcnPacketFabric fabric(model);
        fabric.AssignStreams(10);
        fabric.Preset(Circuits());
        for (ServerId s = 0; s < laws.size(); ++s)
        {
            fabric.SetLaw(s, laws[s]);
        }
        fabric.SetEventByEvent(eventByEvent);
        fabric.SetThreads(threads);
        const int64_t end = fabric.Run(1000, 1000 + length, flows, {}, sink);
        fabric.Run(end + 1000, end + 1000 + length, flows, {}, sink);
    }
};

/**
 * @param got what is compared
 * @param expected what it should be
 * @return the first difference in words, empty if there is none
 */
std::string
Difference(const std::vector<Fates::Fate>& got, const std::vector<Fates::Fate>& expected)
{
    const auto text = [](const std::vector<Fates::Fate>& all, std::size_t i)
    {
        return i < all.size()
                   ? std::apply(
                         [](auto flow, auto n, auto sent, auto ended, bool well, auto why)
                         {
                             std::ostringstream os;
                             os << "flow " << flow << " packet " << n << " sent at " << sent
                                << (well ? " received" : " lost ");
                             well ? os : os << why;
                             os << " at " << ended << " ps";
                             return os.str();
                         },
                         all[i])
                   : "none";
    };
    for (std::size_t i = 0; i < std::max(got.size(), expected.size()); ++i)
    {
        if (i >= got.size() || i >= expected.size() || got[i] != expected[i])
        {
            return text(got, i) + " instead of " + text(expected, i);
        }
    }
    return "";
}

/**
 * @param seed of the draws
 * @param packets of a run, about
 * @return a fabric in which packets often meet in a time step
 */
Centre
MakeCrowded(uint64_t seed, double packets)
{
    std::mt19937_64 random(seed);
    const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    Centre c;
    OdcnFabricModel& m = c.model;
    m.racks = 2 + pick(5);
    m.serversPerRack = 2 + pick(6);
    m.uplinks = m.racks - 1 + pick(6);
    // 296 bytes take 4 to 60 ps.
    m.uplinkRate = BitRate(40'000'000'000'000) * (1 + pick(8));
    m.serverRate = m.uplinkRate * (1 + pick(2));
    m.uplinkQueue = 1 + pick(12);
    m.serverQueue = pick(2) ? 1 + pick(12) : 100;
    m.uplinkDelay = pick(2) * pick(50);
    m.serverDelay = pick(2) * pick(50);
    m.spreading = static_cast<OdcnSpreading>(pick(3));
    const uint32_t sizes[] = {74, 148, 296, 296, 592};
    const uint32_t common = pick(2) ? 296 : 0;
    const double load = 0.2 + 1.3 * uniform();
    const uint32_t servers = m.GetNServers();
    const uint32_t n = servers * (1 + pick(5));
    double rate = 0;
    for (uint32_t f = 0; f < n; ++f)
    {
        OdcnPacketFlow flow;
        flow.from = pick(servers);
        flow.to = pick(servers);
        flow.bytes = common ? common : sizes[pick(5)];
        flow.hash = static_cast<uint32_t>(random());
        const double share = 2 * uniform() * load * servers / n;
        flow.meanGap = OdcnArrivalBank::MeanGap(
            static_cast<BitRate>(static_cast<double>(m.serverRate) * share) + 1,
            flow.bytes);
        if (flow.from != flow.to)
        {
            c.flows.push_back(flow);
            rate += 1 / flow.meanGap;
        }
    }
    for (uint32_t i = 0; seed % 3 == 0 && i < servers; ++i)
    {
        c.laws.push_back(pick(3) ? MakeLaw(random) : OdcnServerLaw());
    }
    c.length = static_cast<int64_t>(packets / std::max(rate, 1e-6)) + 1;
    return c;
}

} // namespace

TEST(OdcnPacketFabric, BlocksEqualEventsWherePacketsMeet)
{
    for (uint64_t seed = 1; seed <= 120; ++seed)
    {
        const Centre centre = MakeCrowded(seed, 5000);
        const auto expected = centre.Run(true, 1);
        EXPECT_EQ(Difference(centre.Run(false, 1), expected), "") << "seed " << seed;
        if (seed % 10 == 0)
        {
            EXPECT_EQ(Difference(centre.Run(false, 3), expected), "") << "seed " << seed;
        }
    }
}

TEST(OdcnPacketFabric, ManyBlocksEqualEvents)
{
    for (uint64_t seed = 1001; seed <= 1012; ++seed)
    {
        const Centre centre = MakeCrowded(seed, 60000);
        const auto expected = centre.Run(true, 1);
        EXPECT_GT(expected.size(), 20000) << "seed " << seed;
        EXPECT_EQ(Difference(centre.Run(false, 2), expected), "") << "seed " << seed;
    }
}

TEST(OdcnPacketFabric, BlocksEqualEventsAtRatesOfToday)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        Centre centre = MakeCrowded(seed, 40000);
        centre.model.uplinkRate /= 1000;
        centre.model.serverRate /= 1000;
        centre.model.uplinkDelay *= 1000;
        centre.model.serverDelay *= 1000;
        centre.length *= 1000;
        for (OdcnPacketFlow& flow : centre.flows)
        {
            flow.meanGap *= 1000;
        }
        const auto expected = centre.Run(true, 1);
        EXPECT_EQ(Difference(centre.Run(false, 1), expected), "") << "seed " << seed;
    }
}

TEST(OdcnPacketFabric, TalliesCountWhatBecomesOfPackets)
{
    const Centre centre = MakeCrowded(3, 20000);
    ASSERT_FALSE(centre.laws.empty());
    OdcnPacketTallies tallies(centre.flows.size());
    centre.Run(false, 2, tallies);
    std::vector<OdcnLatencyHistogram> latency(centre.flows.size(),
                                              OdcnLatencyHistogram(OdcnPacketTallies::SUB_BITS));
    std::vector<OcsDropCounts> lost(centre.flows.size());
    uint64_t packets = 0;
    for (const auto& [flow, sequence, sent, ended, received, cause] : centre.Run(true, 1))
    {
        received ? latency[flow].Add(static_cast<uint64_t>(ended - sent))
                 : void(++lost[flow][cause]);
        ++packets;
    }
    EXPECT_EQ(tallies.GetOffered(), packets);
    for (uint32_t f = 0; f < centre.flows.size(); ++f)
    {
        EXPECT_EQ(tallies.GetLatency(f).GetCount(), latency[f].GetCount());
        EXPECT_EQ(tallies.GetLatency(f).GetSumNs(), latency[f].GetSumNs());
        EXPECT_EQ(tallies.GetLost(f)[OcsDropCause::QUEUE_OVERFLOW],
                  lost[f][OcsDropCause::QUEUE_OVERFLOW]);
        EXPECT_EQ(tallies.GetOffered(f), latency[f].GetCount() + lost[f].Total());
    }
}

TEST(OdcnPacketFabric, LawsAreChecked)
{
    OdcnPacketFabric fabric(OdcnFabricModel{});
    OdcnServerLaw law;
    EXPECT_THROW(fabric.SetLaw(2, law), OdcnError) << "no such server";
    law.least = 0;
    EXPECT_THROW(fabric.SetLaw(0, law), OdcnError);
    law.least = 100;
    law.greatest = 99;
    EXPECT_THROW(fabric.SetLaw(0, law), OdcnError);
    law.greatest = 100;
    law.sizes = MakeUniform(64, 64);
    fabric.SetLaw(0, law);
    Fates fates;
    const std::vector<OdcnPacketFlow> flows{{0, 1, 1000, 100, 0}};
    EXPECT_THROW(fabric.Run(0, 1000000, flows, {}, fates), OdcnError) << "a size out of bounds";
    EXPECT_THROW(fabric.SetLaw(0, OdcnServerLaw()), OdcnError) << "has sent";
}
