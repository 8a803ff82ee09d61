// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-md1k-queue.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace ns3::odcn
{

namespace
{

/**
 * Tail probabilities of a Poisson variable A, summed from the smallest term, so that each keeps its
 * relative precision.
 * @param mean its mean
 * @param count number of tails
 * @return P(A >= k) for k = 0 to count - 1
 */
std::vector<double>
PoissonTails(double mean, uint32_t count)
{
    std::vector<double> tails(count, 0.0);
    if (mean <= 0)
    {
        tails[0] = 1;
        return tails;
    }
    // Terms beyond this limit, 12 standard deviations and 60 terms further, are negligible.
    const auto last =
        static_cast<uint32_t>(std::max<double>(count, std::ceil(mean + 12 * std::sqrt(mean))) + 60);
    double term = std::exp(last * std::log(mean) - mean - std::lgamma(last + 1.0));
    double sum = 0;
    for (uint32_t k = last; k > 0; --k)
    {
        sum += term;
        if (k < count)
        {
            tails[k] = sum;
        }
        // The recurrence would stay at zero after an underflow.
        term = term > 1e-280 ? term * k / mean
                             : std::exp((k - 1) * std::log(mean) - mean - std::lgamma(double(k)));
    }
    tails[0] = 1;
    return tails;
}

} // namespace

Md1kQueue::Md1kQueue(uint32_t capacity, double rho)
    : m_capacity(capacity),
      m_rho(rho)
{
    if (capacity < 1 || capacity > MAX_CAPACITY)
    {
        throw OdcnError::InOption("queue capacity",
                                  std::to_string(capacity),
                                  "1 to " + std::to_string(MAX_CAPACITY) + " packets");
    }
    if (!(rho >= 0 && rho <= MAX_RHO))
    {
        throw OdcnError::InOption("queue load",
                                  std::to_string(rho),
                                  "0 to " + std::to_string(static_cast<int>(MAX_RHO)) + " erlang");
    }

    const uint32_t k = capacity;
    const auto tails = PoissonTails(rho, 2 * k + 60 + static_cast<uint32_t>(2 * rho));
    const double none = std::exp(-rho);

    // The number of packets left behind decreases by at most one per departure. Upward and downward
    // flows across the cut below j are equal: pi_j P(A = 0) = sum over i < j of
    // pi_i P(i -> >= j).
    m_embedded.assign(k, 0.0);
    m_embedded[0] = 1;
    for (uint32_t j = 1; j < k; ++j)
    {
        double up = m_embedded[0] * tails[j];
        for (uint32_t i = 1; i < j; ++i)
        {
            up += m_embedded[i] * tails[j - i + 1];
        }
        m_embedded[j] = up / none;
        if (m_embedded[j] > 1e60)
        {
            const double scale = 1 / m_embedded[j];
            std::for_each(m_embedded.begin(),
                          m_embedded.begin() + j + 1,
                          [scale](double& p) { p *= scale; });
        }
    }
    double total = 0;
    for (double p : m_embedded)
    {
        total += p;
    }
    for (double& p : m_embedded)
    {
        p /= total;
    }

    // Lost packets per service: a service that begins with b packets has room for K - b more, and
    // E(A - m)+ is the sum of the tails beyond m.
    std::vector<double> excess(k, 0.0);
    double beyond = std::accumulate(tails.rbegin(), tails.rend() - k, 0.0);
    for (uint32_t m = k; m-- > 0;)
    {
        excess[m] = beyond;
        beyond += tails[m];
    }
    double lost = 0;
    for (uint32_t i = 0; i < k; ++i)
    {
        lost += m_embedded[i] * excess[k - std::max(i, 1U)];
    }
    m_accepted = 1 / (1 + lost);
    m_loss = lost * m_accepted;

    m_above.assign(k, 0.0);
    for (uint32_t n = k - 1; n-- > 0;)
    {
        m_above[n] = m_above[n + 1] + m_embedded[n + 1];
    }
    if (rho > 0)
    {
        // Little's law for the waiting packets: n - 1 of n packets in the system.
        const double waiting = std::accumulate(m_above.begin() + 1, m_above.end(), 0.0);
        m_meanWait = (waiting + (k - 1) * lost) / rho;
    }
}

double
Md1kQueue::GetMeanSojourn() const
{
    return 1 + m_meanWait;
}

double
Md1kQueue::GetStateProbability(uint32_t n) const
{
    if (n < m_capacity)
    {
        return m_embedded[n] * m_accepted;
    }
    return n == m_capacity ? m_loss : 0.0;
}

double
Md1kQueue::GetWaitTail(double t) const
{
    if (t < 0)
    {
        return 1;
    }
    // An accepted packet that finds n >= 1 packets waits n - 1 services and the residual service.
    if (t >= m_capacity - 1)
    {
        return 0;
    }
    const auto whole = static_cast<uint32_t>(t);
    const uint32_t found = whole + 1;
    double tail = m_above[found];
    // It finds exactly `found` packets, and the age of the service is below `age`. A service that
    // began with b packets is at age x in state `found` with probability P(Poisson(rho x) =
    // found - b), and the integral of that over x up to age is P(Poisson(rho age) > found - b) /
    // rho.
    const double age = 1 - (t - whole);
    const auto tails = PoissonTails(m_rho * age, found + 1);
    for (uint32_t i = 0; i <= found; ++i)
    {
        const uint32_t begun = std::max(i, 1U);
        tail += m_embedded[i] * tails[found - begun + 1];
    }
    return std::min(1.0, tail);
}

double
Md1kQueue::GetWaitQuantile(double p) const
{
    if (!(p >= 0 && p < 1))
    {
        throw OdcnError::InOption("quantile", std::to_string(p), "at least 0 and below 1");
    }
    const double tail = 1 - p;
    if (GetWaitTail(0) <= tail)
    {
        return 0;
    }
    double low = 0;
    double high = m_capacity - 1;
    for (int i = 0; i < 60 && high - low > 1e-12 * m_capacity; ++i)
    {
        const double middle = 0.5 * (low + high);
        (GetWaitTail(middle) > tail ? low : high) = middle;
    }
    return high;
}

} // namespace ns3::odcn
