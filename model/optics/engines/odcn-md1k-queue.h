// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MD1K_QUEUE_H
#define ODCN_MD1K_QUEUE_H

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The exact stationary M/D/1/K queue: Poisson packets of one length, one transmitter, and room for
 * K packets counting the one in transmission. An uplink port with a FIFO of 15 packets has K = 16.
 *
 * All times are in units of one service time (59.2 ns for 296 bytes at 40 Gb/s). The queue is
 * solved through the Markov chain embedded at departures, by sums of positive terms only, so that
 * tiny losses keep their relative precision and overload is no special case. Arrivals see time
 * averages (PASTA), and the wait of a packet follows from the number it finds and the residual
 * service time; so the whole distribution of the wait is exact too.
 *
 * Identities: the state probabilities sum to 1; carried load = rho (1 - loss) = 1 - P(empty);
 * mean sojourn = mean wait + 1.
 */
class Md1kQueue
{
  public:
    /// Largest accepted offered load.
    static constexpr double MAX_RHO = 500;
    /// Largest accepted K.
    static constexpr uint32_t MAX_CAPACITY = 4096;

    /**
     * @param capacity K, packets waiting plus the one in transmission, 1 to MAX_CAPACITY
     * @param rho offered load in erlang: arrival rate x service time, 0 to MAX_RHO
     * @throws OdcnError when a value is out of range
     */
    Md1kQueue(uint32_t capacity, double rho);

    /// @return K
    uint32_t GetCapacity() const
    {
        return m_capacity;
    }

    /// @return share of the offered packets that find the system full
    double GetLossProbability() const
    {
        return m_loss;
    }

    /// @return mean wait of an accepted packet before its transmission, in service times
    double GetMeanWait() const
    {
        return m_meanWait;
    }

    /// @return mean wait plus transmission of an accepted packet, in service times
    double GetMeanSojourn() const;

    /**
     * @param n number of packets in the system
     * @return stationary probability of n packets in the system; 0 for n above K
     */
    double GetStateProbability(uint32_t n) const;

    /**
     * @param t a time in service times, not negative
     * @return probability that an accepted packet waits longer than t
     */
    double GetWaitTail(double t) const;

    /**
     * @param p a probability, at least 0 and below 1
     * @return the least t with P(wait <= t) >= p, in service times
     * @throws OdcnError when p is out of range
     */
    double GetWaitQuantile(double p) const;

  private:
    uint32_t m_capacity;            //!< K
    double m_rho;                   //!< offered load, erlang
    double m_loss{0};               //!< loss probability, which is also P(system full)
    double m_meanWait{0};           //!< mean wait in service times
    double m_accepted{1};           //!< 1 - loss, computed separately for its precision
    std::vector<double> m_embedded; //!< P(an accepted packet finds n packets), n = 0 to K - 1
    std::vector<double> m_above;    //!< P(an accepted packet finds more than n packets)
};

} // namespace ns3::odcn

#endif /* ODCN_MD1K_QUEUE_H */
