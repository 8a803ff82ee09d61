// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * One circuit under Poisson traffic, packet by packet and against the exact queue.
 *
 * The rate is a thousandth of the real one (40 Mb/s, 59.2 us), so that every time is a whole
 * number of nanoseconds.
 */

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/ocs-fiber.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <deque>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// One circuit under Poisson traffic is an M/D/1/16 queue.
class PoissonQueueTestCase : public TestCase, public OcsPortUser
{
  public:
    /// @param rho utilisation  @param packets how many to send
    PoissonQueueTestCase(double rho, uint32_t packets)
        : TestCase("A circuit under Poisson traffic is a queue M-D-1-16 at utilisation " +
                   std::to_string(rho).substr(0, 4)),
          m_rho(rho),
          m_packets(packets)
    {
    }

  private:
    static constexpr uint32_t SYSTEM = 16;
    static constexpr int64_t SERVICE = 59200;

    /// Loss and mean wait (in service times) by the chain embedded at departures.
    static void Theory(double rho, double& loss, double& wait)
    {
        // P(n arrivals in one service), then the number left behind: 0 to SYSTEM - 1.
        std::vector<double> a(SYSTEM, std::exp(-rho));
        for (uint32_t n = 1; n < SYSTEM; ++n)
        {
            a[n] = a[n - 1] * rho / n;
        }
        std::vector<double> left(SYSTEM, 0.0);
        left[0] = 1;
        double sum = 1;
        for (uint32_t n = 0; n + 1 < SYSTEM; ++n)
        {
            double next = left[n] - left[0] * a[n];
            for (uint32_t i = 1; i <= n; ++i)
            {
                next -= left[i] * a[n - i + 1];
            }
            left[n + 1] = next / a[0];
            sum += left[n + 1];
        }
        const double scale = left[0] / sum + rho;
        loss = 1 - 1 / scale;
        double inSystem = SYSTEM * loss;
        for (uint32_t n = 1; n < SYSTEM; ++n)
        {
            inSystem += n * left[n] / sum / scale;
        }
        wait = inSystem / (rho * (1 - loss)) - 1;
    }

    void PortReceived(uint32_t, const Ptr<Packet>&) override
    {
        m_received.push_back(Simulator::Now().GetNanoSeconds());
    }

    void PortDropped(uint32_t, Ptr<const Packet>, OcsDropCause) override
    {
    }

    void PortChanged(uint32_t, bool) override
    {
    }

    void Arrive()
    {
        Ptr<Packet> packet = Create<Packet>(296);
        const int64_t now = Simulator::Now().GetNanoSeconds();
        // The same queue by its recursion: departures of packets in the system.
        while (!m_departures.empty() && m_departures.front() <= now)
        {
            m_departures.pop_front();
        }
        const bool lost = m_departures.size() == SYSTEM;
        const int64_t start = m_departures.empty() ? now : m_departures.back();
        if (!lost)
        {
            m_departures.push_back(start + SERVICE);
            m_expected.push_back(start + SERVICE);
        }
        const bool accepted = m_from->Transmit(packet);
        m_differences += accepted == lost;
        const uint32_t batch = m_sent * BATCHES / m_packets;
        ++m_batchSent[batch];
        m_batchLost[batch] += !accepted;
        m_batchWait[batch] += lost ? 0 : double(start - now) / SERVICE;
        if (++m_sent < m_packets)
        {
            const int64_t gap = std::llround(m_random->GetValue());
            Simulator::Schedule(NanoSeconds(gap), &PoissonQueueTestCase::Arrive, this);
        }
    }

    /// Check a mean of batches. @param batches values of batches  @param truth expected value
    /// @param what name of the quantity
    void CheckMean(const std::vector<double>& batches, double truth, const char* what)
    {
        double mean = 0;
        double square = 0;
        for (double x : batches)
        {
            mean += x / BATCHES;
            square += x * x / BATCHES;
        }
        const double error = std::sqrt((square - mean * mean) / (BATCHES - 1));
        // Four standard errors, plus ten packets where losses are too few to estimate the variance.
        const double margin = 4 * error + 10.0 / m_packets;
        NS_TEST_EXPECT_MSG_EQ_TOL(mean, truth, margin, what << " at utilisation " << m_rho);
    }

    void DoRun() override
    {
        m_random =
            CreateObjectWithAttributes<ExponentialRandomVariable>("Mean",
                                                                  DoubleValue(SERVICE / m_rho));
        m_random->SetStream(5);
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
        ports[1]->SetUser(this, 0);
        Simulator::Schedule(NanoSeconds(0), &PoissonQueueTestCase::Arrive, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_differences, 0, "loses the packets that the recursion loses");
        NS_TEST_EXPECT_MSG_EQ((m_received == m_expected), true, "each arrives when it should");
        double loss;
        double wait;
        Theory(m_rho, loss, wait);
        std::vector<double> losses;
        std::vector<double> waits;
        for (uint32_t b = 0; b < BATCHES; ++b)
        {
            losses.push_back(m_batchLost[b] / m_batchSent[b]);
            waits.push_back(m_batchWait[b] / (m_batchSent[b] - m_batchLost[b]));
        }
        CheckMean(losses, loss, "loss");
        CheckMean(waits, wait, "wait");
        // The formulas, against published values for 59.2 ns of service.
        if (m_rho == 0.8)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(loss, 0.000271, 5e-7, "loss");
            NS_TEST_EXPECT_MSG_EQ_TOL(wait * 59.2, 117.2, 0.05, "wait");
        }
        if (m_rho == 0.95)
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

    static constexpr uint32_t BATCHES = 25;

    double m_rho;                            //!< utilisation
    uint32_t m_packets;                      //!< to send
    uint32_t m_sent{0};                      //!< sent
    Ptr<ExponentialRandomVariable> m_random; //!< gaps
    Ptr<OcsNetDevice> m_from;                //!< start of the circuit
    std::vector<int64_t> m_received;         //!< all arrivals at the end of the circuit
    std::deque<int64_t> m_departures;        //!< of the packets in the system
    std::vector<int64_t> m_expected;         //!< all departures
    uint32_t m_differences{0};               //!< packets with another outcome than expected
    std::vector<double> m_batchSent;         //!< packets by batch
    std::vector<double> m_batchLost;         //!< of these, lost
    std::vector<double> m_batchWait;         //!< sum of waits
};

/// One circuit under Poisson traffic.
class OcsQueueTestSuite : public TestSuite
{
  public:
    OcsQueueTestSuite()
        : TestSuite("odcn-optics-queue", COMPAT_UNIT)
    {
        for (double rho : {0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99})
        {
            AddTestCase(new PoissonQueueTestCase(rho, 500000), COMPAT_QUICK);
        }
    }
};

OcsQueueTestSuite g_ocsQueueTestSuite;

} // namespace
