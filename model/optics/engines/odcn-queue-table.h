// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_QUEUE_TABLE_H
#define ODCN_QUEUE_TABLE_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Tabulated Md1kQueue of one K, for inner loops: a few nanoseconds per look-up.
 *
 * Interpolation nodes are spaced log-linearly (equal parts of every octave of rho); the pieces are
 * cubics with the exact slopes, limited to be monotone. The relative error is below 1e-4 (for a
 * loss below 1e-12 the absolute error is below 1e-15). Loads above GetMaxRho() are solved exactly,
 * in microseconds.
 *
 * Immutable after construction, hence thread-safe.
 */
class QueueTable
{
  public:
    /// Largest K that is tabulated.
    static constexpr uint32_t MAX_CAPACITY = 256;
    /// Largest load that is tabulated.
    static constexpr double MAX_RHO = 100;

    /// Result of a look-up.
    struct Entry
    {
        double sojourn; //!< mean wait plus transmission of an accepted packet, in service times
        double loss;    //!< share of the offered packets that find the system full
    };

    /**
     * @param capacity K, packets waiting plus the one in transmission
     * @param maxRho offered load up to which the table reaches at least, above 0
     * @throws OdcnError when a value is out of range
     */
    explicit QueueTable(uint32_t capacity, double maxRho = 2);

    /**
     * @param rho offered load in erlang, not negative
     * @return mean sojourn and loss there
     */
    Entry Get(double rho) const
    {
        if (!(rho < m_maxRho))
        {
            return Exact(rho);
        }
        std::size_t i = 0;
        double t = rho * (1 / MIN_RHO);
        if (rho >= MIN_RHO)
        {
            // The exponent and the leading bits of the mantissa of rho are the index of its piece.
            const auto bits = std::bit_cast<uint64_t>(rho);
            i = (bits >> m_shift) - m_firstIndex;
            const uint64_t mask = (uint64_t(1) << m_shift) - 1;
            t = static_cast<double>(static_cast<int64_t>(bits & mask)) * m_perPiece;
        }
        const Node& a = m_nodes[i];
        const Node& b = m_nodes[i + 1];
        const double u = 1 - t;
        const double ha = u * u * (1 + 2 * t);
        const double hb = t * t * (1 + 2 * u);
        const double sa = u * u * t;
        const double sb = -t * t * u;
        return {ha * a.sojourn + hb * b.sojourn + sa * a.sojournRight + sb * b.sojournLeft,
                ha * a.loss + hb * b.loss + sa * a.lossRight + sb * b.lossLeft};
    }

    /// @return K
    uint32_t GetCapacity() const
    {
        return m_capacity;
    }

    /// @return largest tabulated load
    double GetMaxRho() const
    {
        return m_maxRho;
    }

  private:
    /// The first piece reaches from zero to this load.
    static constexpr double MIN_RHO = 1.0 / 8192;

    /// Values at one load; slopes are per piece, not per erlang.
    struct Node
    {
        double sojourn;      //!< mean sojourn
        double sojournLeft;  //!< slope for the piece that ends here
        double sojournRight; //!< slope for the piece that begins here
        double loss;         //!< loss probability
        double lossLeft;     //!< slope for the piece that ends here
        double lossRight;    //!< slope for the piece that begins here
    };

    /**
     * @param rho offered load
     * @return the exact solution
     */
    Entry Exact(double rho) const;

    uint32_t m_capacity;       //!< K
    double m_maxRho;           //!< largest tabulated load
    int m_shift;               //!< number of low mantissa bits that lie within a piece
    uint64_t m_firstIndex;     //!< index given by the bits of MIN_RHO, minus 1
    double m_perPiece;         //!< 2^-m_shift
    std::vector<Node> m_nodes; //!< interpolation nodes, in order of load
};

} // namespace ns3::odcn

#endif /* ODCN_QUEUE_TABLE_H */
