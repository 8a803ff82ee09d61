// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Bundles of circuits, packet by packet: against queues that keep their packets in a deque, and
 * against the closed form.
 */

#include "odcn-naive-packets.h"

#include "ns3/double.h"
#include "ns3/odcn-circuit-bundle.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-md1k-queue.h"
#include "ns3/odcn-mix-random-variable.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-statistics.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr BitRate LINE = 40000000000;
constexpr int64_t STREAM = 500;
constexpr int64_t SPREADING = 77;

/// A bundle and its flows.
struct Case
{
    uint32_t flows;                                    //!< number of flows
    uint32_t circuits;                                 //!< number of circuits
    double load;                                       //!< of the bundle
    uint32_t limit{15};                                //!< of what waits
    OdcnFifoUnit unit{ODCN_FIFO_PACKETS};              //!< of the limit
    std::vector<uint32_t> sizes{296};                  //!< of the flows, in turn
    OdcnBundleSpreading spreading{ODCN_BUNDLE_RANDOM}; //!< over the circuits

    bool drawn{false}; //!< whether sizes and bursts are drawn

    /// @param i flow  @return what it sends at a time
    OdcnPacketLaw GetLaw(uint32_t i) const
    {
        if (!drawn)
        {
            return OdcnPacketLaw();
        }
        auto bursts = CreateObject<UniformRandomVariable>();
        bursts->SetAttribute("Min", DoubleValue(1));
        bursts->SetAttribute("Max", DoubleValue(3));
        return OdcnPacketLaw(CreateObject<OdcnMixRandomVariable>(), bursts, STREAM + i);
    }

    /// @param i flow  @return size of its packets
    uint32_t GetBytes(uint32_t i) const
    {
        return sizes[i % sizes.size()];
    }

    /// @param i flow  @return its rate: some are faster than others
    BitRate GetRate(uint32_t i) const
    {
        const double mean = load * static_cast<double>(LINE) * circuits / flows;
        return static_cast<BitRate>(mean * (0.5 + (i + 0.5) / flows));
    }

    /// @return the bundle
    OdcnCircuitBundle Make() const
    {
        OdcnCircuitBundle bundle(LINE, circuits, limit, unit);
        bundle.SetSpreading(spreading, SPREADING);
        for (uint32_t i = 0; i < flows; ++i)
        {
            EXPECT_EQ(bundle.AddFlow(STREAM + i, GetRate(i), GetBytes(i), GetLaw(i)), i);
        }
        return bundle;
    }

    /// @param until end  @return every packet, by brute force
    std::vector<OdcnBundlePacket> RunNaively(int64_t until) const
    {
        NaiveFlows arrivals;
        for (uint32_t i = 0; i < flows; ++i)
        {
            arrivals.AddStream(STREAM + i, GetLaw(i));
            const double meanGap = OdcnArrivalBank::MeanGap(GetRate(i), GetBytes(i));
            arrivals.Start(i, 0, meanGap, GetBytes(i));
        }
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(SPREADING);
        std::vector<NaiveQueue> queues(circuits, NaiveQueue(LINE, limit, unit));
        std::vector<OdcnBundlePacket> packets;
        uint32_t turn = 0;
        for (const auto& [time, stream, bytes] : arrivals.Draw(until))
        {
            uint32_t circuit = 0;
            if (circuits > 1)
            {
                circuit = spreading == ODCN_BUNDLE_RANDOM ? random->GetInteger(0, circuits - 1)
                                                          : turn++ % circuits;
            }
            const bool room =
                queues[circuit].Offer(time, bytes, packets.size(), ODCN_DEPARTURE_FIRST);
            packets.push_back({time, room ? 0 : OdcnFifoQueue::DROPPED, stream, circuit});
        }
        for (auto& queue : queues)
        {
            queue.Advance(INT64_MAX, ODCN_DEPARTURE_FIRST);
            for (const auto& [id, departure] : queue.departures)
            {
                packets[id].departure = departure;
            }
        }
        return packets;
    }
};

/// @param a tally  @param b tally  @return whether they are the same in all that can be asked
bool
IsSame(const OdcnFlowTally& a, const OdcnFlowTally& b)
{
    return a.lost == b.lost && a.latency.GetCount() == b.latency.GetCount() &&
           a.latency.GetSumNs() == b.latency.GetSumNs() &&
           a.latency.GetMinNs() == b.latency.GetMinNs() &&
           a.latency.GetMaxNs() == b.latency.GetMaxNs() &&
           a.latency.GetQuantileNs(0.5) == b.latency.GetQuantileNs(0.5) &&
           a.latency.GetQuantileNs(0.99) == b.latency.GetQuantileNs(0.99);
}

} // namespace

TEST(CircuitBundle, IsTheNaiveSimulationPacketForPacket)
{
    for (const Case& c : {Case{1, 1, 0.8},
                          Case{100, 1, 0.8},
                          Case{30, 1, 3.0},
                          Case{30, 1, 0.9, 1},
                          Case{50, 4, 0.9},
                          Case{50, 3, 1.2, 15, ODCN_FIFO_PACKETS, {296}, ODCN_BUNDLE_IN_TURN},
                          Case{60, 1, 0.9, 15, ODCN_FIFO_PACKETS, {64, 296, 1500}},
                          Case{60, 5, 1.1, 15, ODCN_FIFO_PACKETS, {64, 296, 1500}},
                          Case{60, 1, 0.95, 4440, ODCN_FIFO_BYTES},
                          Case{60, 2, 0.95, 10000, ODCN_FIFO_BYTES, {64, 594, 1500}},
                          Case{60, 2, 0.9, 15, ODCN_FIFO_PACKETS, {296}, ODCN_BUNDLE_RANDOM, true}})
    {
        const int64_t until = 2000000000;
        OdcnCircuitBundle bundle = c.Make();
        std::vector<OdcnBundlePacket> got;
        for (int64_t part : {until / 7, until / 3, until})
        {
            bundle.Run(part, got);
        }
        const auto want = c.RunNaively(until);
        ASSERT_EQ(got.size(), want.size());
        EXPECT_GT(got.size(), 5000);
        for (std::size_t i = 0; i < got.size(); ++i)
        {
            ASSERT_EQ(got[i], want[i]) << "packet " << i << " of " << c.flows << " flows";
        }

        std::vector<OdcnFlowTally> tallies(c.flows);
        OdcnFlowTally total;
        for (const auto& packet : want)
        {
            for (OdcnFlowTally* tally : {&tallies[packet.stream], &total})
            {
                if (packet.departure == OdcnFifoQueue::DROPPED)
                {
                    ++tally->lost;
                }
                else
                {
                    tally->latency.Add(packet.departure - packet.time);
                }
            }
        }
        for (uint32_t i = 0; i < c.flows; ++i)
        {
            EXPECT_TRUE(IsSame(bundle.GetTally(i), tallies[i])) << i;
        }
        EXPECT_TRUE(IsSame(bundle.GetTotal(), total));
        EXPECT_EQ(bundle.GetTotal().GetOffered(), got.size());
    }
}

TEST(CircuitBundle, AgreesWithTheClosedForm)
{
    const double service = 59.2;
    for (double load : {0.3, 0.6, 0.8, 0.95, 1.1})
    {
        const OdcnMd1kQueue exact(16, load);
        OdcnCircuitBundle bundle = Case{200, 1, load}.Make();
        std::vector<double> waits;
        std::vector<double> losses;
        double offered = 0;
        int64_t now = 20000000;
        bundle.Run(now);
        for (int batch = 0; batch < 20; ++batch)
        {
            bundle.ClearTallies();
            now += 3000000000;
            bundle.Run(now);
            const OdcnFlowTally total = bundle.GetTotal();
            waits.push_back(total.latency.GetMeanNs() / service - 1);
            losses.push_back(double(total.lost) / total.GetOffered());
            offered += total.GetOffered();
        }
        EXPECT_TRUE(OdcnMeanOfBatches(waits, 0.999).Contains(exact.GetMeanWait())) << load;
        const OdcnEstimate loss = OdcnMeanOfBatches(losses, 0.999);
        // Where none is lost, the interval knows of no rare ones.
        const double unseen = 7.0 / offered;
        EXPECT_NEAR(loss.mean, exact.GetLossProbability(), loss.GetHalfWidth() + unseen) << load;
    }
}

TEST(CircuitBundle, ThreadsChangeNothing)
{
    std::vector<OdcnCircuitBundle> bundles;
    for (uint32_t i = 0; i < 7; ++i)
    {
        bundles.push_back(Case{20 + i, 1 + i % 3, 0.5 + 0.1 * i}.Make());
    }
    std::vector<OdcnCircuitBundle> others = bundles;
    std::vector<OdcnCircuitBundle> more = bundles;
    OdcnCircuitBundle::RunBundles(bundles, 500000000, 1);
    OdcnCircuitBundle::RunBundles(others, 500000000, 3);
    OdcnCircuitBundle::RunBundles(more, 500000000, 100);
    for (std::size_t i = 0; i < bundles.size(); ++i)
    {
        EXPECT_GT(bundles[i].GetTotal().GetOffered(), 1000);
        EXPECT_TRUE(IsSame(bundles[i].GetTotal(), others[i].GetTotal()));
        EXPECT_TRUE(IsSame(bundles[i].GetTotal(), more[i].GetTotal()));
    }
}

TEST(CircuitBundle, RefusesNonsense)
{
    EXPECT_THROW(OdcnCircuitBundle(LINE, 0), OdcnError);
    EXPECT_THROW(OdcnCircuitBundle(0), OdcnError);
    OdcnCircuitBundle bundle(LINE);
    EXPECT_THROW(bundle.AddFlow(1, 0, 296), OdcnError);
    EXPECT_THROW(bundle.AddFlow(1, 1000, 0), OdcnError);
    EXPECT_THROW(bundle.AddFlow(-1, 1000, 296), OdcnError);
    EXPECT_EQ(bundle.GetNFlows(), 0);
    bundle.Run(1000);
    EXPECT_EQ(bundle.GetTotal().GetOffered(), 0);
    EXPECT_THROW(bundle.AddFlow(1, 1000, 296), OdcnError);
}
