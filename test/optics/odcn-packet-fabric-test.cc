// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * PacketFabric alone: compared with queues in deques that process all packets stage by stage, where
 * most packets share their picosecond with others; threads, and errors. It is compared
 * with ns-3 by test/optics/odcn-engine-test-suite.cc.
 */

#include "odcn-naive-packets.h"
#include "odcn-packet-fates.h"
#include "odcn-test-laws.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A fabric with all-to-all circuits, and its flows.
struct Centre
{
    FabricModel model;             //!< the fabric
    std::vector<PacketLaw> laws;   //!< of servers
    std::vector<PacketFlow> flows; //!< flows
    int64_t length{0};             //!< of a run, ps

    /// @return circuits of the uplinks
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

    /// @param threads their number  @return outcomes of two runs
    PacketFates Run(uint32_t threads) const
    {
        PacketFates fates(model.racks);
        PacketFabric fabric(model);
        fabric.AssignStreams(10);
        fabric.Preset(Circuits());
        for (ServerId s = 0; s < laws.size(); ++s)
        {
            fabric.SetLaw(s, laws[s]);
        }
        fabric.SetThreads(threads);
        const int64_t end = fabric.Run(1000, 1000 + length, flows, fates);
        EXPECT_EQ(fabric.Run(end, end + length, {}, fates), end) << "no flows";
        fabric.Run(end + 1000, end + 1000 + length, flows, fates);
        fates.Sort();
        return fates;
    }
};

/**
 * @param seed of the random numbers
 * @param packets approximate number in a run
 * @return a fabric in which packets often coincide in a time step
 */
Centre
MakeCrowded(uint64_t seed, double packets)
{
    std::mt19937_64 random(seed);
    const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    Centre c;
    FabricModel& m = c.model;
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
    m.spreading = static_cast<Spreading>(pick(3));
    const uint32_t sizes[] = {74, 148, 296, 296, 592};
    const uint32_t common = pick(2) ? 296 : 0;
    const double load = 0.2 + 1.3 * uniform();
    const uint32_t servers = m.GetNServers();
    const uint32_t n = servers * (1 + pick(5));
    double rate = 0;
    for (uint32_t f = 0; f < n; ++f)
    {
        PacketFlow flow;
        flow.from = pick(servers);
        flow.to = pick(servers);
        flow.bytes = common ? common : sizes[pick(5)];
        flow.hash = static_cast<uint32_t>(random());
        const double share = 2 * uniform() * load * servers / n;
        flow.meanGap = PacketSource::MeanGap(
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
        c.laws.push_back(pick(3) ? MakeLaw(random) : PacketLaw());
    }
    c.length = static_cast<int64_t>(packets / std::max(rate, 1e-6)) + 1;
    return c;
}

/// A naive model of the fabric: all packets pass one stage after the other.
class NaiveFabric
{
  public:
    /// @param centre the fabric
    explicit NaiveFabric(const Centre& centre)
        : m_centre(centre),
          m_turns(centre.model.racks * centre.model.racks, 0)
    {
        const FabricModel& m = centre.model;
        for (RackId r = 0; r < m.racks; ++r)
        {
            m_random.push_back(CreateObject<UniformRandomVariable>());
            m_random.back()->SetStream(10 + r);
        }
        std::map<ServerId, int64_t> places;
        for (const PacketFlow& flow : centre.flows)
        {
            const int64_t stream = 10 + m.racks + 4096 * flow.from + places[flow.from]++;
            m_sources.emplace_back(centre.laws.empty() ? PacketLaw() : centre.laws[flow.from],
                                   stream);
        }
    }

    /// @return outcomes of the two runs of Centre::Run()
    PacketFates Run()
    {
        const int64_t end = Run(1000);
        Run(end + 1000);
        m_fates.Sort();
        return m_fates;
    }

  private:
    /// A packet: arrival time at a stage, and its flow, sequence number and size.
    struct Packet
    {
        int64_t time;      //!< ps
        int64_t sent;      //!< ps
        uint32_t flow;     //!< index
        uint32_t sequence; //!< in the flow
        uint32_t bytes;    //!< size

        /// @param o other  @return whether this packet is served first
        bool operator<(const Packet& o) const
        {
            return std::tie(time, sent, flow, sequence) <
                   std::tie(o.time, o.sent, o.flow, o.sequence);
        }
    };

    /**
     * Pass all packets through queues.
     * @param packets in any order; replaced by those that leave, at the end of the fibre
     * @param rate of the queues  @param limit of them  @param delay of the fibres
     * @param portOf chooses a queue; -1 for none
     */
    template <typename F>
    void Stage(std::vector<Packet>& packets, BitRate rate, uint32_t limit, int64_t delay, F portOf)
    {
        std::sort(packets.begin(), packets.end());
        std::map<int, NaiveQueue> queues;
        std::vector<Packet> passed;
        for (std::size_t i = 0; i < packets.size(); ++i)
        {
            const Packet& p = packets[i];
            const int port = portOf(p);
            if (port < 0)
            {
                passed.push_back(p);
            }
            else if (!queues.try_emplace(port, rate, limit).first->second.Offer(p.time, p.bytes, i))
            {
                End(p, false);
            }
        }
        for (auto& [port, queue] : queues)
        {
            queue.Advance(INT64_MAX);
            for (const auto& [i, time] : queue.departures)
            {
                passed.push_back(packets[i]);
                passed.back().time = time + delay;
            }
        }
        packets = passed;
    }

    /// @param p packet that ends  @param received whether it was received
    void End(const Packet& p, bool received)
    {
        m_last = std::max(m_last, p.time);
        m_fates.all.push_back(
            {p.flow, p.sequence, p.sent, p.time, received, OcsDropCause::QUEUE_OVERFLOW});
    }

    /// @param opened start of the flows  @return end of the last packet
    int64_t Run(int64_t opened)
    {
        const FabricModel& m = m_centre.model;
        const auto& flows = m_centre.flows;
        std::vector<Packet> packets;
        for (uint32_t f = 0; f < flows.size(); ++f)
        {
            PacketSource& source = m_sources[f];
            int64_t time = opened + source.Start(flows[f].meanGap, flows[f].bytes);
            for (uint32_t n = 0; time < opened + m_centre.length;)
            {
                const uint32_t burst = source.NextBurst();
                for (uint32_t i = 0; i < burst; ++i)
                {
                    packets.push_back({time, time, f, n++, source.NextSize()});
                }
                time += source.NextGap(burst);
            }
        }
        const auto rack = [&](ServerId s) { return s / m.serversPerRack; };
        Stage(packets,
              m.serverRate,
              m.serverQueue,
              m.serverDelay,
              [&](const Packet& p) { return static_cast<int>(flows[p.flow].from); });
        Stage(packets,
              m.uplinkRate,
              m.uplinkQueue,
              2 * m.uplinkDelay,
              [&](const Packet& p)
              {
                  const RackId u = rack(flows[p.flow].from);
                  const RackId v = rack(flows[p.flow].to);
                  return u == v ? -1 : static_cast<int>(u * m.uplinks + Choose(u, v, p));
              });
        Stage(packets,
              m.serverRate,
              m.serverQueue,
              m.serverDelay,
              [&](const Packet& p) { return static_cast<int>(flows[p.flow].to); });
        for (const Packet& p : packets)
        {
            End(p, true);
        }
        for (const auto& fate : m_fates.all)
        {
            m_last = std::max(m_last, fate.ended);
        }
        return m_last;
    }

    /// @param u sender  @param v receiver  @param p packet  @return an uplink of u that leads to v
    uint32_t Choose(RackId u, RackId v, const Packet& p)
    {
        const FabricModel& m = m_centre.model;
        std::vector<uint32_t> ports;
        for (const OdcnCircuitChange& c : m_centre.Circuits())
        {
            if (c.from == u && c.newTo == v)
            {
                ports.push_back(c.outPort);
            }
        }
        const auto n = static_cast<uint32_t>(ports.size());
        switch (m.spreading)
        {
        case Spreading::ROUND_ROBIN:
            return ports[n > 1 ? m_turns[u * m.racks + v]++ % n : 0];
        case Spreading::PER_FLOW:
            return ports[uint64_t(m_centre.flows[p.flow].hash) * n >> 32];
        case Spreading::PER_PACKET:
            break;
        }
        return ports[n > 1 ? m_random[u]->GetInteger(0, n - 1) : 0];
    }

    const Centre& m_centre;                           //!< the fabric
    std::vector<Ptr<UniformRandomVariable>> m_random; //!< by rack
    std::vector<uint32_t> m_turns;                    //!< by pair of racks
    std::vector<PacketSource> m_sources;              //!< by flow
    PacketFates m_fates;                              //!< outcomes so far
    int64_t m_last{0};                                //!< latest end of a packet
};

} // namespace

TEST(PacketFabric, EqualsQueuesInDequesWherePacketsMeet)
{
    for (uint64_t seed = 1; seed <= 120; ++seed)
    {
        const Centre centre = MakeCrowded(seed, 5000);
        const auto expected = NaiveFabric(centre).Run();
        EXPECT_EQ(centre.Run(1).Compare(expected), "") << "seed " << seed;
        if (seed % 10 == 0)
        {
            EXPECT_EQ(centre.Run(3).Compare(expected), "") << "seed " << seed;
        }
    }
}

TEST(PacketFabric, EqualsQueuesInDequesOverManyBlocks)
{
    for (uint64_t seed = 1001; seed <= 1012; ++seed)
    {
        const Centre centre = MakeCrowded(seed, 60000);
        const auto expected = NaiveFabric(centre).Run();
        EXPECT_GT(expected.all.size(), 20000) << "seed " << seed;
        EXPECT_EQ(centre.Run(2).Compare(expected), "") << "seed " << seed;
    }
}

TEST(PacketFabric, RefusesFlowsThatItCannotRun)
{
    FabricModel model;
    model.serversPerRack = 2;
    model.detour = true;
    PacketFabric fabric(model);
    PacketFates fates(2);
    const auto run = [&](const PacketFlow& flow) { fabric.Run(0, 1000000, {flow}, fates); };
    EXPECT_THROW(run({0, 2, 1000, 100, 0}), OdcnError) << "a detour";
    EXPECT_THROW(run({0, 4, 1000, 100, 0}), OdcnError) << "no such server";
    const std::string servers = ", expected two servers below 4";
    EXPECT_EQ(GetRefusal(
                  [&] {
                      run({0, 4, 1000, 100, 0});
                  }),
              "flow 0: found 'servers 0, 4'" + servers);
    EXPECT_EQ(GetRefusal(
                  [&] {
                      run({4, 0, 1000, 100, 0});
                  }),
              "flow 0: found 'servers 4, 0'" + servers);
    EXPECT_THROW(run({1, 1, 1000, 100, 0}), OdcnError) << "itself";
    EXPECT_THROW(run({0, 1, 0, 100, 0}), OdcnError) << "no gap";
    EXPECT_THROW(run({0, 1, 1000, 0, 0}), OdcnError) << "no bytes";
    EXPECT_THROW(fabric.Run(10, 9, {}, fates), OdcnError) << "ends before it begins";
    FabricModel holding = model;
    holding.hold = true;
    EXPECT_THROW(PacketFabric{holding}, OdcnError) << "it would not hold packets";
    fabric.AssignStreams(0, 1);
    EXPECT_THROW(fabric.Run(0, 1000, {{0, 1, 1000, 100, 0}, {0, 1, 1000, 100, 0}}, fates),
                 OdcnError)
        << "more flows than streams";
    fates.Sort();
    EXPECT_TRUE(fates.all.empty());
    run({0, 1, 1000, 100, 0});
    fates.Sort();
    EXPECT_FALSE(fates.all.empty());
}

TEST(PacketFabric, HasAutomaticStreamsUnlessToldOthers)
{
    const auto run = [](int64_t stream)
    {
        PacketFabric fabric(FabricModel{});
        if (stream >= 0)
        {
            fabric.AssignStreams(stream);
        }
        PacketFates fates(2);
        fabric.Preset({{0, 0, 1, 0}});
        fabric.Run(0, 1000000, {{0, 1, 1000, 100, 0}}, fates);
        fates.Sort();
        return ListOf<int64_t>(fates.all, [](const PacketFate& fate) { return fate.sent; });
    };
    EXPECT_NE(run(-1), run(-1));
    EXPECT_EQ(run(0), run(0));
    EXPECT_NE(run(0), run(100000));
}

TEST(PacketFabric, LawsAreChecked)
{
    PacketFabric fabric(FabricModel{});
    PacketLaw law;
    EXPECT_THROW(fabric.SetLaw(2, law), OdcnError) << "no such server";
    law.least = 0;
    EXPECT_THROW(fabric.SetLaw(0, law), OdcnError);
    law.least = 100;
    law.greatest = 99;
    EXPECT_THROW(fabric.SetLaw(0, law), OdcnError);
    law.greatest = 100;
    law.sizes = MakeUniform(64, 64);
    fabric.SetLaw(0, law);
    PacketFates fates(2);
    const std::vector<PacketFlow> flows{{0, 1, 1000, 100, 0}};
    EXPECT_THROW(fabric.Run(0, 1000000, flows, fates), OdcnError) << "a size out of bounds";
    EXPECT_THROW(fabric.SetLaw(0, PacketLaw()), OdcnError) << "has sent";
}
