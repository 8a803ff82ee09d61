// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The closed forms of queueing/ against published values, identities, and small simulations or
 * chains solved by brute force.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-numbers.h"

#include "ns3/odcn-md1k-queue.h"
#include "ns3/odcn-queue-table.h"
#include "ns3/odcn-statistics.h"

using namespace ns3::odcn;

namespace
{

/// Results of a FIFO with Poisson arrivals.
struct Observed
{
    std::vector<double> waits; //!< of the accepted packets, in order of arrival
    uint64_t offered{0};       //!< packets that arrived
};

/**
 * A finite FIFO by its recursion: a packet is lost if K departures are still to come.
 * @param capacity K  @param rho load  @param packets their number  @param seed of the arrivals
 * @return results after the start-up of the empty queue
 */
Observed
SimulateQueue(uint32_t capacity, double rho, uint64_t packets, uint64_t seed)
{
    std::mt19937_64 generator(seed);
    std::exponential_distribution<double> gap(rho);
    std::vector<double> departures(capacity, -1.0); // ring of the last K accepted packets
    std::size_t next = 0;
    double last = 0;
    double now = 0;
    const uint64_t warmUp = 10000;
    Observed seen;
    seen.waits.reserve(packets);
    for (uint64_t i = 0; i < packets + warmUp; ++i)
    {
        now += gap(generator);
        const bool counted = i >= warmUp;
        seen.offered += counted;
        if (departures[next] > now)
        {
            continue;
        }
        const double wait = std::max(0.0, last - now);
        last = now + wait + 1;
        departures[next] = last;
        next = (next + 1) % capacity;
        if (counted)
        {
            seen.waits.push_back(wait);
        }
    }
    return seen;
}

/**
 * @param values figures of 20 independent runs  @param exact expected mean
 * @param slack added to the interval
 * @param what row of doc/validation/numbers.md, null for none
 */
void
ExpectWithinInterval(const std::vector<double>& values,
                     double exact,
                     double slack,
                     const char* what = nullptr)
{
    // Seven loads and three figures: few false alarms.
    const Estimate estimate = MeanOfReplications(values, 0.999);
    const double half = estimate.GetHalfWidth();
    if (what)
    {
        PrintNumber(what, estimate.mean, exact, half + slack);
    }
    EXPECT_NEAR(estimate.mean, exact, half + slack);
}

} // namespace

TEST(Md1kQueue, GivesTheReferenceValuesOf15WaitingPlusOne)
{
    const double service = 59.2;
    const Md1kQueue at80(16, 0.80);
    EXPECT_NEAR(at80.GetLossProbability() * 100, 0.0271, 0.00005);
    EXPECT_NEAR(at80.GetMeanWait() * service, 117.2, 0.05);
    const Md1kQueue at95(16, 0.95);
    EXPECT_NEAR(at95.GetLossProbability() * 100, 1.313, 0.0005);
    EXPECT_NEAR(at95.GetMeanWait() * service, 320.9, 0.05);
}

TEST(Md1kQueue, HasTheTextbookFormsAtItsEnds)
{
    // K = 1 is Erlang's loss system with one server, for any service distribution.
    for (double rho : {1e-6, 0.1, 1.0, 3.0, 50.0})
    {
        const Md1kQueue one(1, rho);
        EXPECT_NEAR(one.GetLossProbability() / (rho / (1 + rho)), 1, 1e-12);
        EXPECT_EQ(one.GetMeanWait(), 0);
    }
    // With unlimited room it is M/D/1: Pollaczek and Khinchine, mean wait rho / (2 (1 - rho)).
    for (double rho : {0.05, 0.3, 0.6, 0.8, 0.9})
    {
        const Md1kQueue big(400, rho);
        EXPECT_NEAR(big.GetMeanWait() / (rho / (2 * (1 - rho))), 1, 1e-9) << rho;
    }
    const Md1kQueue idle(16, 0);
    EXPECT_EQ(idle.GetLossProbability(), 0);
    EXPECT_EQ(idle.GetMeanSojourn(), 1);
    EXPECT_EQ(idle.GetWaitQuantile(0.999), 0);
    EXPECT_EQ(idle.GetStateProbability(0), 1);
}

TEST(Md1kQueue, HoldsItsIdentities)
{
    for (uint32_t capacity : {1U, 2U, 3U, 16U, 100U})
    {
        for (double rho : {0.01, 0.3, 0.8, 0.99, 1.0, 1.01, 2.0, 10.0, 400.0})
        {
            const Md1kQueue queue(capacity, rho);
            double sum = 0;
            double waiting = 0;
            for (uint32_t n = 0; n <= capacity; ++n)
            {
                const double p = queue.GetStateProbability(n);
                EXPECT_GE(p, 0);
                sum += p;
                waiting += n > 1 ? (n - 1) * p : 0;
            }
            EXPECT_NEAR(sum, 1, 1e-12);
            const double carried = rho * (1 - queue.GetLossProbability());
            EXPECT_NEAR(carried, 1 - queue.GetStateProbability(0), 1e-11) << capacity << " " << rho;
            EXPECT_NEAR(carried * queue.GetMeanWait(), waiting, 1e-9 * (1 + waiting));

            // The mean is the integral of the tail (Simpson within each service time).
            double integral = 0;
            const int parts = rho > 50 ? 1024 : 64;
            for (uint32_t m = 0; m + 1 < capacity; ++m)
            {
                for (int i = 0; i <= parts; ++i)
                {
                    const double t = i < parts ? m + double(i) / parts
                                               : std::nextafter(double(m) + 1, double(m));
                    const double weight = i == 0 || i == parts ? 1 : (i % 2 ? 4 : 2);
                    integral += weight * queue.GetWaitTail(t) / (3 * parts);
                }
            }
            EXPECT_NEAR(integral, queue.GetMeanWait(), 1e-3 * queue.GetMeanWait() + 1e-12)
                << capacity << " " << rho;
        }
    }
}

TEST(Md1kQueue, KeepsTheRelativePrecisionOfTinyLosses)
{
    // A loss needs two arrivals during a service that began alone: rho^2 / 2 for K = 2.
    for (double rho : {1e-3, 1e-5, 1e-8})
    {
        EXPECT_NEAR(Md1kQueue(2, rho).GetLossProbability() / (rho * rho / 2), 1, 2 * rho + 1e-9);
    }
    EXPECT_GT(Md1kQueue(16, 0.05).GetLossProbability(), 0);
    EXPECT_LT(Md1kQueue(16, 0.05).GetLossProbability(), 1e-20);
}

TEST(Md1kQueue, GrowsWithTheLoad)
{
    for (uint32_t capacity : {2U, 16U, 64U})
    {
        double loss = -1;
        double wait = -1;
        for (double rho = 0.01; rho < 6; rho += 0.01)
        {
            const Md1kQueue queue(capacity, rho);
            EXPECT_GT(queue.GetLossProbability(), loss);
            EXPECT_GT(queue.GetMeanWait(), wait);
            loss = queue.GetLossProbability();
            wait = queue.GetMeanWait();
        }
        EXPECT_LT(wait, capacity - 1);
    }
}

TEST(Md1kQueue, RefusesWhatIsOutOfRange)
{
    EXPECT_THROW(Md1kQueue(0, 0.5), OdcnError);
    EXPECT_THROW(Md1kQueue(Md1kQueue::MAX_CAPACITY + 1, 0.5), OdcnError);
    EXPECT_THROW(Md1kQueue(16, -0.1), OdcnError);
    EXPECT_THROW(Md1kQueue(16, std::nan("")), OdcnError);
    EXPECT_THROW(Md1kQueue(16, std::numeric_limits<double>::infinity()), OdcnError);
    EXPECT_THROW(Md1kQueue(16, 0.5).GetWaitQuantile(1), OdcnError);
    EXPECT_THROW(Md1kQueue(16, 0.5).GetWaitQuantile(std::nan("")), OdcnError);
}

TEST(Md1kQueue, QuantileInvertsTheTail)
{
    for (double rho : {0.2, 0.8, 0.99, 1.5})
    {
        const Md1kQueue queue(16, rho);
        for (double p : {0.5, 0.9, 0.99, 0.999})
        {
            const double t = queue.GetWaitQuantile(p);
            EXPECT_LE(queue.GetWaitTail(t), 1 - p + 1e-9);
            if (t > 0)
            {
                EXPECT_GE(queue.GetWaitTail(std::max(0.0, t - 1e-6)), 1 - p);
            }
        }
    }
}

TEST(Md1kQueue, AgreesWithTheFiniteFifoItDescribes)
{
    for (double rho : {0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99})
    {
        SCOPED_TRACE(rho);
        const Md1kQueue queue(16, rho);
        std::vector<double> loss;
        std::vector<double> mean;
        std::vector<double> p50;
        std::vector<double> p99;
        for (uint64_t run = 0; run < 20; ++run)
        {
            Observed seen = SimulateQueue(16, rho, 200000, 1000 + run);
            loss.push_back(1 - double(seen.waits.size()) / seen.offered);
            double sum = SumOf<double>(seen.waits, [&](double w) { return w; });
            mean.push_back(sum / seen.waits.size());
            const auto quantile = [&seen](double p)
            {
                const auto at = seen.waits.begin() + std::ptrdiff_t(p * seen.waits.size());
                std::nth_element(seen.waits.begin(), at, seen.waits.end());
                return *at;
            };
            p50.push_back(quantile(0.5));
            p99.push_back(quantile(0.99));
        }
        // If less than one loss is expected in all runs, the tolerance is 3 / packets.
        const bool row = rho == 0.8;
        ExpectWithinInterval(loss,
                             queue.GetLossProbability(),
                             3.0 / (20 * 200000),
                             row ? "M/D/1/16, loss of the recursion, load 0.80" : nullptr);
        ExpectWithinInterval(mean,
                             queue.GetMeanWait(),
                             0,
                             row ? "M/D/1/16, mean wait of the recursion, load 0.80" : nullptr);
        ExpectWithinInterval(p50, queue.GetWaitQuantile(0.5), 1e-3);
        ExpectWithinInterval(p99, queue.GetWaitQuantile(0.99), 1e-3);
    }
}

TEST(QueueTable, IsWithinAFewHundredThousandthsOfTheExactSolution)
{
    std::mt19937_64 generator(7);
    for (uint32_t capacity : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 12U, 16U, 32U})
    {
        const QueueTable table(capacity);
        std::uniform_real_distribution<double> load(0, table.GetMaxRho() * 1.05);
        double worstSojourn = 0;
        double worstLoss = 0;
        for (int i = 0; i < 5000; ++i)
        {
            const double rho = i % 2 ? load(generator) : std::pow(10, -6 + 6.0 * i / 5000);
            const Md1kQueue exact(capacity, rho);
            const auto entry = table.Get(rho);
            worstSojourn =
                std::max(worstSojourn, std::abs(entry.sojourn / exact.GetMeanSojourn() - 1));
            const double error = std::abs(entry.loss - exact.GetLossProbability());
            if (error > 1e-15)
            {
                worstLoss = std::max(worstLoss, error / exact.GetLossProbability());
            }
        }
        EXPECT_LT(worstSojourn, 1e-6) << capacity;
        EXPECT_LT(worstLoss, 1e-4) << capacity;
    }
}

TEST(QueueTable, IsMonotone)
{
    for (uint32_t capacity : {2U, 16U, 64U})
    {
        const QueueTable table(capacity);
        auto before = table.Get(0);
        EXPECT_EQ(before.sojourn, 1);
        EXPECT_EQ(before.loss, 0);
        for (double rho = 0; rho < table.GetMaxRho(); rho += 1.37e-5)
        {
            const auto now = table.Get(rho);
            ASSERT_GE(now.sojourn, before.sojourn * (1 - 1e-14)) << capacity << " at " << rho;
            ASSERT_GE(now.loss, before.loss * (1 - 1e-14)) << capacity << " at " << rho;
            before = now;
        }
    }
}

TEST(QueueTable, RefusesWhatIsOutOfRange)
{
    EXPECT_THROW(QueueTable(0), OdcnError);
    EXPECT_THROW(QueueTable(QueueTable::MAX_CAPACITY + 1), OdcnError);
    EXPECT_THROW(QueueTable(16, 0), OdcnError);
    EXPECT_THROW(QueueTable(16, std::nan("")), OdcnError);
    EXPECT_THROW(QueueTable(16).Get(std::nan("")), OdcnError);
}
