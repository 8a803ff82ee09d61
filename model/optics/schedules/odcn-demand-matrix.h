// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DEMAND_MATRIX_H
#define ODCN_DEMAND_MATRIX_H

#include "ns3/odcn-error.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A square matrix by sending and receiving rack: traffic demand, or capacity. Entries are not
 * negative and the diagonal is zero; the unit is the user's, for example bit/s.
 */
class DemandMatrix
{
  public:
    /// @param racks number of racks; all entries are zero
    explicit DemandMatrix(uint32_t racks = 0)
        : m_racks(racks),
          m_values(std::size_t(racks) * racks, 0.0)
    {
    }

    /**
     * Make a named pattern of traffic, scaled so that the busiest rack sends or receives 1.
     *
     * | pattern | weight of the ordered pairs of different racks, before scaling |
     * |---|---|
     * | uniform | 1 |
     * | permutation | 1 from i to p(i), p a uniformly random permutation without fixed points |
     * | shift:K | 1 from i to (i + K) mod n |
     * | skewed:F | 1 between the F n (rounded) racks of a random subset, 0 elsewhere |
     * | chessboard | 3 where i + j is odd, 1 elsewhere |
     * | hot:K | K from and to rack 0, 1 elsewhere |
     * | hot-pair:K | K between racks 0 and 1, both ways, 1 elsewhere |
     * | incast:K | 1 from each of the racks 1 to K to rack 0 |
     * | file:PATH | as in the file, see Read() |
     *
     * Chessboard is adverse to two-hop routing: one hop of any detour of a pair with odd i + j is
     * such a pair itself, so detours do not help. With equal capacity 1/n for each pair, n = 16,
     * its throughput is (1/16) / (3/31) = 31/48.
     *
     * @param pattern name of the pattern, with its parameter
     * @param racks number of racks, 2 or more
     * @param random for permutation and skewed; may be null for the other patterns
     * @return the matrix
     * @throws OdcnError when there is no such pattern, or the file is not valid
     */
    static DemandMatrix Make(const std::string& pattern,
                             uint32_t racks,
                             Ptr<UniformRandomVariable> random = nullptr);

    /**
     * Read a text file: n lines of n numbers of 0 or more separated by blanks, of which those on
     * the diagonal are 0. The entry in line i, column j is from rack i to rack j.
     *
     * @param path the file, may be gzip-compressed
     * @return the matrix, unscaled
     * @throws OdcnError when the file cannot be read or is not such a matrix
     */
    static DemandMatrix Read(const std::string& path);

    /**
     * Find the demand of flows; those within a rack have none.
     * @tparam F a range of flows with members from, to (servers, rack by rack) and bytes: Traffic
     * @param flows the flows
     * @param racks number of racks
     * @param servers of a rack
     * @return the bytes between racks, scaled so that the busiest rack sends or receives 1; zeros
     * without any
     * @throws OdcnError when there is no server of a number
     */
    template <typename F>
    static DemandMatrix FromFlows(const F& flows, uint32_t racks, uint32_t servers)
    {
        DemandMatrix demand(racks);
        for (const auto& flow : flows)
        {
            if (std::max(flow.from, flow.to) >= racks * servers)
            {
                throw OdcnError::InOption("flow",
                                          std::to_string(flow.from) + " to " +
                                              std::to_string(flow.to),
                                          "servers below " + std::to_string(racks * servers));
            }
            if (flow.from / servers != flow.to / servers)
            {
                demand.Add(flow.from / servers, flow.to / servers, double(flow.bytes));
            }
        }
        const double most = demand.GetMaxLoad();
        demand.Scale(most > 0 ? 1 / most : 1);
        return demand;
    }

    /**
     * Check a matrix that a user made: at least 2 racks, entries finite and not negative, diagonal
     * zero.
     * @param what name of the matrix in error messages
     * @throws OdcnError otherwise
     */
    void Check(const std::string& what) const;

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_racks;
    }

    /// @param from sending rack  @param to receiving rack  @return the entry
    double Get(RackId from, RackId to) const
    {
        return m_values.at(std::size_t(from) * m_racks + to);
    }

    /// @param from sending rack  @param to receiving rack  @param value the entry
    void Set(RackId from, RackId to, double value)
    {
        m_values.at(std::size_t(from) * m_racks + to) = value;
    }

    /// @param from sending rack  @param to receiving rack  @param value added to the entry
    void Add(RackId from, RackId to, double value)
    {
        m_values.at(std::size_t(from) * m_racks + to) += value;
    }

    /// @param from sending rack  @return sum of its entries
    double GetSent(RackId from) const
    {
        double sum = 0;
        for (RackId to = 0; to < m_racks; ++to)
        {
            sum += Get(from, to);
        }
        return sum;
    }

    /// @param to receiving rack  @return sum of its entries
    double GetReceived(RackId to) const
    {
        double sum = 0;
        for (RackId from = 0; from < m_racks; ++from)
        {
            sum += Get(from, to);
        }
        return sum;
    }

    /// @return the largest sum that a rack sends or receives
    double GetMaxLoad() const
    {
        double most = 0;
        for (RackId rack = 0; rack < m_racks; ++rack)
        {
            most = std::max({most, GetSent(rack), GetReceived(rack)});
        }
        return most;
    }

    /// @param factor applied to all entries
    void Scale(double factor)
    {
        for (double& value : m_values)
        {
            value *= factor;
        }
    }

    /// Scale so that the busiest rack sends or receives 1, if there is any traffic.
    void Normalize()
    {
        // 1 / load is infinite for subnormal numbers.
        constexpr double TINY = 0x1p-1000;
        if (const double load = GetMaxLoad(); load > 0)
        {
            Scale(load < TINY ? 1 / TINY : 1 / load);
            Scale(load < TINY ? 1 / GetMaxLoad() : 1);
        }
    }

  private:
    uint32_t m_racks;             //!< number of racks
    std::vector<double> m_values; //!< [from][to]
};

} // namespace ns3::odcn

#endif /* ODCN_DEMAND_MATRIX_H */
