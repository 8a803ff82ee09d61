// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DEMAND_MATRIX_H
#define ODCN_DEMAND_MATRIX_H

#include "odcn-units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

  private:
    uint32_t m_racks;             //!< number of racks
    std::vector<double> m_values; //!< [from][to]
};

} // namespace ns3::odcn

#endif /* ODCN_DEMAND_MATRIX_H */
