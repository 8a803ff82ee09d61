// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * One circuit under Poisson traffic, packet by packet and against the exact queue; fair shares of
 * a circuit.
 *
 * The rate is a thousandth of the real one (40 Mb/s, 59.2 us), so that every time is a whole
 * number of nanoseconds.
 */

#include "../core/odcn-numbers.h"
#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/ocs-fiber.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-md1k-queue.h"

#include <deque>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// One circuit under Poisson traffic is an M/D/1/16 queue, or M/M/1 with exponential packet sizes
/// and an unlimited queue.
struct PoissonQueueFixture : ParameterCase<std::pair<double, bool>>, QuietUser
{
    using ParameterCase::ParameterCase;

    static constexpr uint32_t SYSTEM = 16;
    static constexpr int64_t NS_PER_BYTE = 200;
    static constexpr uint32_t PACKETS = 500000;
    static constexpr uint32_t BATCHES = 25;

    void PortReceived(uint32_t, const Ptr<Packet>&) override
    {
        m_received.push_back(Simulator::Now().GetNanoSeconds());
    }

    void Arrive()
    {
        const uint32_t size = m_exponential ? std::ceil(m_sizes->GetValue()) : 296;
        Ptr<Packet> packet = Create<Packet>(size);
        const int64_t now = Simulator::Now().GetNanoSeconds();
        // The same queue by its recursion: departures of packets in the system.
        while (!m_departures.empty() && m_departures.front() <= now)
        {
            m_departures.pop_front();
        }
        const bool lost = !m_exponential && m_departures.size() == SYSTEM;
        const int64_t start = m_departures.empty() ? now : m_departures.back();
        if (!lost)
        {
            m_departures.push_back(start + size * NS_PER_BYTE);
            m_expected.push_back(m_departures.back());
        }
        const bool accepted = m_from->Transmit(packet);
        m_differences += accepted == lost;
        const uint32_t batch = m_sent * BATCHES / PACKETS;
        ++m_batchSent[batch];
        m_batchLost[batch] += !accepted;
        m_batchWait[batch] += lost ? 0 : double(start - now) / m_service;
        if (++m_sent < PACKETS)
        {
            const int64_t gap = std::llround(m_random->GetValue());
            Simulator::Schedule(NanoSeconds(gap), &PoissonQueueFixture::Arrive, this);
        }
    }

    /// Check a mean of batches. @param batches values of batches  @param truth expected value
    /// @param what name of the quantity
    void CheckMean(const std::vector<double>& batches, double truth, const char* what)
    {
        SampleMean mean;
        for (double x : batches)
        {
            mean.Add(x);
        }
        // Four standard errors, plus ten packets where losses are too few to estimate the variance.
        const double margin = 4 * mean.GetError() + 10.0 / PACKETS;
        PrintNumber((m_exponential ? "M/M/1, " : "M/D/1/16, ") + std::string(what) +
                        " of packets, load " + std::to_string(m_rho).substr(0, 4),
                    mean.Get(),
                    truth,
                    margin);
        NS_TEST_EXPECT_MSG_EQ_TOL(mean.Get(), truth, margin, what << " at utilisation " << m_rho);
    }

    const double m_rho = parameter.first;        //!< utilisation
    const bool m_exponential = parameter.second; //!< whether sizes are, in an unlimited queue
    /// Mean transmission time, ns.
    const int64_t m_service = (m_exponential ? 2000 : 296) * NS_PER_BYTE;
    uint32_t m_sent{0};                      //!< sent
    Ptr<ExponentialRandomVariable> m_random; //!< gaps
    Ptr<ExponentialRandomVariable> m_sizes;  //!< bytes
    Ptr<OcsNetDevice> m_from;                //!< start of the circuit
    std::vector<int64_t> m_received;         //!< all arrivals at the end of the circuit
    std::deque<int64_t> m_departures;        //!< of the packets in the system
    std::vector<int64_t> m_expected;         //!< all departures
    uint32_t m_differences{0};               //!< packets with another outcome than expected
    std::vector<double> m_batchSent;         //!< packets by batch
    std::vector<double> m_batchLost;         //!< of these, lost
    std::vector<double> m_batchWait;         //!< sum of waits
};

/// @copybrief PoissonQueueFixture
ODCN_TEST_CASES_F(PoissonQueueFixture,
                  PoissonQueueTestCase,
                  std::string("A circuit under Poisson traffic is a queue ") +
                      (parameter.second ? "M-M-1" : "M-D-1-16") + " at utilisation " +
                      std::to_string(parameter.first).substr(0, 4),
                  {0.3, false},
                  {0.5, false},
                  {0.7, false},
                  {0.8, false},
                  {0.9, false},
                  {0.95, false},
                  {0.99, false},
                  {0.3, true},
                  {0.5, true},
                  {0.8, true})
{
    m_random =
        CreateObjectWithAttributes<ExponentialRandomVariable>("Mean",
                                                              DoubleValue(m_service / m_rho));
    m_random->SetStream(5);
    m_sizes = CreateObjectWithAttributes<ExponentialRandomVariable>("Mean", DoubleValue(2000));
    m_sizes->SetStream(6);
    m_batchSent.assign(BATCHES, 0);
    m_batchLost.assign(BATCHES, 0);
    m_batchWait.assign(BATCHES, 0);
    Ptr<OcsSwitch> ocs = CreateObjectWithAttributes<OcsSwitch>("Ports", UintegerValue(2));
    std::vector<Ptr<OcsNetDevice>> ports;
    for (uint32_t i = 0; i < 2; ++i)
    {
        ports.push_back(
            CreateObjectWithAttributes<OcsNetDevice>("DataRate",
                                                     DataRateValue(DataRate("40Mbps"))));
        CreateObject<OcsFiber>()->Connect(ports[i], ocs, i);
    }
    ocs->Preset({{0, 1}});
    m_from = ports[0];
    if (m_exponential)
    {
        m_from->SetQueue(CreateObjectWithAttributes<DropTailQueue<Packet>>(
            "MaxSize",
            QueueSizeValue(QueueSize("1000000p"))));
    }
    ports[1]->SetUser(this, 0);
    Simulator::Schedule(NanoSeconds(0), &PoissonQueueTestCase::Arrive, this);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_differences, 0, "loses the packets that the recursion loses");
    NS_TEST_EXPECT_MSG_EQ((m_received == m_expected), true, "each arrives when it should");
    const Md1kQueue queue(SYSTEM, m_rho);
    const double loss = m_exponential ? 0 : queue.GetLossProbability();
    const double wait = m_exponential ? m_rho / (1 - m_rho) : queue.GetMeanWait();
    std::vector<double> losses;
    std::vector<double> waits;
    for (uint32_t b = 0; b < BATCHES; ++b)
    {
        losses.push_back(m_batchLost[b] / m_batchSent[b]);
        waits.push_back(m_batchWait[b] / (m_batchSent[b] - m_batchLost[b]));
    }
    CheckMean(losses, loss, "loss");
    CheckMean(waits, wait, "mean wait");
    // The formulas, against published values for 59.2 ns of service.
    if (m_rho == 0.8 && !m_exponential)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(loss, 0.000271, 5e-7, "loss");
        NS_TEST_EXPECT_MSG_EQ_TOL(wait * 59.2, 117.2, 0.05, "wait");
    }
    if (m_rho == 0.95 && !m_exponential)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(loss, 0.01313, 5e-6, "loss");
        NS_TEST_EXPECT_MSG_EQ_TOL(wait * 59.2, 320.9, 0.05, "wait");
    }
    m_from = nullptr;
    for (const auto& port : ports)
    {
        port->Dispose();
    }
    ocs->Dispose();
    Simulator::Destroy();
}

/// Flows of constant rates that share a circuit by fair queueing.
struct FairShareFixture : TestCase
{
    using TestCase::TestCase;

    /**
     * Raise the rates of all flows alike; a flow stops at its demand, all stop when the capacity is
     * used up.
     * @param demands of the flows  @param capacity to share  @return their max-min fair rates
     */
    static std::vector<double> FillWithWater(const std::vector<double>& demands, double capacity)
    {
        std::vector<double> sorted = demands;
        std::sort(sorted.begin(), sorted.end());
        double level = 0;
        for (std::size_t i = 0; i < sorted.size(); ++i)
        {
            const double rise =
                std::min(sorted[i] - level, capacity / static_cast<double>(sorted.size() - i));
            level += rise;
            capacity -= rise * static_cast<double>(sorted.size() - i);
        }
        return ListOf<double>(demands,
                              [&](const double demand) { return std::min(demand, level); });
    }

    /// Send a packet of a flow, and the next one later. @param t the fabric  @param flow its port
    /// @param gap between packets
    static void Send(ScheduledFabric* t, uint16_t flow, Time gap)
    {
        const Ptr<OcsFabric>& fabric = t->fabric;
        const auto packet = MakeTestPacket(fabric->GetServerAddress(0, 0),
                                           fabric->GetServerAddress(1, 0),
                                           flow,
                                           SIZE);
        fabric->GetTor(0)->GetDownlink(0)->Receive(packet, true);
        Simulator::Schedule(gap, &FairShareFixture::Send, t, flow, gap);
    }
};

/// @copybrief FairShareFixture
ODCN_TEST_CASE_F(FairShareFixture,
                 FairShareTestCase,
                 "Fair queues share a circuit as water filling says")
{
    OcsHelper helper;
    helper.SetTorAttribute("QueueDisc", StringValue("ns3::FqCoDelQueueDisc[MaxSize=2000p]"));
    ScheduledFabric t(2, 1, "RoundRobin", "DirectRouting", helper);
    const std::vector<double> demands{0.3e9, 0.9e9, 1.7e9, 2.6e9, 4e9, 8e9};
    std::vector<double> received(demands.size(), 0);
    t.servers[1].measuring = Callback<void, Ptr<const Packet>>(
        [&received](Ptr<const Packet> packet)
        {
            Ptr<Packet> copy = packet->Copy();
            Ipv4Header ip;
            copy->RemoveHeader(ip);
            UdpHeader udp;
            copy->PeekHeader(udp);
            received[udp.GetSourcePort()] += packet->GetSize() * 8;
        });
    for (std::size_t flow = 0; flow < demands.size(); ++flow)
    {
        Send(&t, flow, NanoSeconds(std::llround(SIZE * 8e9 / demands[flow])));
    }
    RunFor(MilliSeconds(5));
    std::fill(received.begin(), received.end(), 0);
    constexpr double SECONDS = 0.05;
    RunFor(Seconds(SECONDS));
    // The only circuit of two racks never changes, so it is never dark.
    const std::vector<double> fair = FillWithWater(demands, UPLINK_RATE);
    for (std::size_t flow = 0; flow < demands.size(); ++flow)
    {
        const double rate = received[flow] / SECONDS;
        const double tolerance = 0.002 * fair[flow];
        PrintNumber("max-min fairness, Gb/s of a flow that offers " +
                        std::to_string(demands[flow] / 1e9).substr(0, 3),
                    rate / 1e9,
                    fair[flow] / 1e9,
                    tolerance / 1e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate, fair[flow], tolerance, "flow " << flow);
    }
}

/// One circuit under Poisson traffic.
CaseSuite g_ocsQueueTestSuite("odcn-optics-queue");

} // namespace
